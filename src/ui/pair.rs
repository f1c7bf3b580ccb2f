//! Two memories that a rule asks about, one below the other.
//!
//! ```text
//!  ! contradiction · Conflicting number with `rawko:b` · confidence 94 %
//!
//!  A  Pool size
//!  rawko:pool · medium · 3 weeks ago
//!
//!  The pool holds ‹ten› connections.
//!
//!  B  Sizes of pools
//!  newer · rawko:sizes · high · 2 days ago
//!
//!  The pool holds ‹25› connections.
//!  ─────────────────────────────────────
//!  (the whole texts)
//! ```

use std::ops::Range;

use ratatui::text::Span;

use super::lines::Lines;
use super::look::Look;
use super::pen::{Frame, Pen, fit_spans};
use super::theme::Role;
use super::{diff, safe, words};
use crate::app::Model;
use crate::app::editor::wrap;
use crate::app::pair::{Pair, Side, Why};
use crate::memory::{Role as Part, Severity};

/// Lines of spans.
type Cell = Vec<Vec<Span<'static>>>;

/// The page: why they are asked about, both heads, the statements, the whole texts.
pub fn page(
    pen: &Pen<'_>,
    model: &Model,
    pair: &Pair,
    width: usize,
    frame: &mut Frame<'_>,
) -> Lines {
    frame.title = vec![pen.text(Role::Title, "Two memories")];
    let mut out = Lines::default();
    for why in &pair.whys {
        reason(pen, why, width, &mut out);
    }
    out.gap();
    let newer = newer(pair);
    let head = |n: usize| {
        let name = if n == 0 { "A" } else { "B" };
        pair.sides.get(n).map_or_else(Vec::new, |side| {
            head(pen, model, side, (name, newer == Some(n)), width)
        })
    };
    let statements = |n: usize| -> Cell {
        let statements = pair
            .whys
            .iter()
            .filter_map(|why| why.statements.as_ref()?.get(n));
        statements
            .flat_map(|(text, marks)| {
                let mut lines = marked(pen, text, marks, width);
                lines.push(Vec::new());
                lines
            })
            .collect()
    };
    let pointed = pair.whys.iter().any(|why| why.statements.is_some());
    // The heads and statements of both come first: they are what is decided on.
    for n in [0, 1] {
        below(head(n), &mut out);
        if pointed {
            below(statements(n), &mut out);
        }
    }
    for (n, name) in [(0, "A"), (1, "B")] {
        rule(pen, width, &mut out);
        out.push(vec![pen.text(Role::Accent, name)]);
        below(body(pen, pair, n, width), &mut out);
    }
    out
}

/// Index of the newer of the two, if their dates are known.
fn newer(pair: &Pair) -> Option<usize> {
    let [a, b] = &pair.sides;
    let (a, b) = (a.memory.written()?, b.memory.written()?);
    match a.cmp(&b) {
        std::cmp::Ordering::Less => Some(1),
        std::cmp::Ordering::Greater => Some(0),
        std::cmp::Ordering::Equal => None,
    }
}

/// The message of a finding, and its confidence.
fn reason(pen: &Pen<'_>, why: &Why, width: usize, out: &mut Lines) {
    let finding = &why.finding;
    let says = match (&why.statements, finding.message.split_once(": ")) {
        // The two are named above their texts.
        (Some(_), Some((what, words))) => {
            let what = what.split(" with ").next().unwrap_or(what);
            format!("{what}: {words}")
        }
        _ => finding.evidence.first().unwrap_or(&finding.message).clone(),
    };
    let role = match finding.severity {
        Severity::Info => Role::Info,
        other => Role::severity(other),
    };
    let sure = finding.sureness();
    let sure = sure.map_or_else(String::new, |sure| format!(" · {sure}"));
    let spans = vec![
        pen.text(
            role,
            &format!("{} {}", super::words::mark(finding.severity), finding.rule),
        ),
        pen.text(Role::Text, &format!(" · {says}")),
        pen.text(Role::Muted, &sure),
    ];
    out.push(fit_spans(spans, width));
}

/// Title, id, importance and age.
fn head(
    pen: &Pen<'_>,
    model: &Model,
    side: &Side,
    (name, newer): (&str, bool),
    room: usize,
) -> Cell {
    let memory = &side.memory;
    // First, for an id may be as long as the row.
    let mut facts: Vec<String> = newer.then(|| "newer".to_owned()).into_iter().collect();
    facts.push(memory.id.to_string());
    let importance = memory.role(Part::Importance).map(ToString::to_string);
    facts.extend(importance);
    let last = memory.written();
    facts.extend(last.map(|then| words::ago(then, model.now)));
    let title = crate::lint::mask(&memory.title);
    let title = safe::fit(&title, room.saturating_sub(3));
    let facts = safe::fit(&facts.join(" · "), room);
    vec![
        vec![
            pen.text(Role::Accent, &format!("{name}  ")),
            pen.text(Role::Title, &title),
        ],
        vec![pen.text(Role::Muted, &facts)],
        Vec::new(),
    ]
}

/// The whole text of one of the two.
fn body(pen: &Pen<'_>, pair: &Pair, n: usize, room: usize) -> Cell {
    let Some(side) = pair.sides.get(n) else {
        return Vec::new();
    };
    match &side.body {
        None => vec![vec![pen.text(Role::Muted, "being read …")]],
        Some(Err(why)) => vec![vec![pen.text(Role::Error, &safe::fit(why, room))]],
        Some(Ok(text)) => {
            let (start, text) = trimmed(text);
            let marks: Vec<Range<usize>> = side
                .marks
                .iter()
                .filter_map(|mark| {
                    Some(mark.start.checked_sub(start)?..mark.end.checked_sub(start)?)
                })
                .collect();
            marked(pen, text, &marks, room)
        }
    }
}

/// A text without blank lines around it, and where it begins.
fn trimmed(text: &str) -> (usize, &str) {
    let start = text.len() - text.trim_start_matches(['\n', '\r']).len();
    (start, text.trim_matches(['\n', '\r']))
}

/// A text in lines of a width, what differs between `‹` and `›` and in a style of its own: it is
/// seen without colour too.
fn marked(pen: &Pen<'_>, text: &str, marks: &[Range<usize>], room: usize) -> Cell {
    let look = Look::of(pen.theme);
    let differs = pen
        .style(Role::Warning)
        .add_modifier(look.added_word.add_modifier);
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.len();
        let of_line = marks
            .iter()
            .filter(|mark| mark.start < end && start < mark.end);
        let of_line = of_line.map(|mark| mark.start.max(start) - start..mark.end.min(end) - start);
        let (line, ranges) = signed(line.trim_end_matches('\r'), of_line);
        for part in wrap(&line, room.max(1), safe::width) {
            // The space at which a line breaks may hang over the edge: the word before it fits.
            let shown = line.get(part.clone()).unwrap_or_default().trim_end().len();
            let part = part.start..part.start + shown;
            let spans = diff::parts(&line, part, &ranges, look.text, differs, &look);
            lines.push(fit_spans(spans, room));
        }
        start = end + 1;
    }
    lines
}

/// A line with signs around ranges of it, and where those are now.
fn signed(line: &str, ranges: impl Iterator<Item = Range<usize>>) -> (String, Vec<Range<usize>>) {
    let mut out = String::with_capacity(line.len() + 16);
    let mut places = Vec::new();
    let mut at = 0;
    for range in ranges {
        let end = range.end.min(line.len());
        let (Some(before), Some(part)) = (line.get(at..range.start), line.get(range.start..end))
        else {
            continue;
        };
        out.push_str(before);
        let start = out.len();
        out.extend(["‹", part, "›"]);
        places.push(start..out.len());
        at = end;
    }
    out.push_str(line.get(at..).unwrap_or_default());
    (out, places)
}

fn below(lines: Cell, out: &mut Lines) {
    for spans in lines {
        out.push(spans);
    }
}

/// A line across.
fn rule(pen: &Pen<'_>, room: usize, out: &mut Lines) {
    out.push(vec![Span::styled(
        "─".repeat(room),
        pen.style(Role::Border),
    )]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_lost_where_a_line_breaks() {
        let theme = crate::ui::theme::Theme::dark();
        let mut buffer = ratatui::buffer::Buffer::empty(ratatui::layout::Rect::new(0, 0, 9, 1));
        let pen = Pen {
            buffer: &mut buffer,
            theme: &theme,
        };
        let text = "- The time starts when it is written, not when the page opens.\n";
        for room in 8..40 {
            let lines = marked(&pen, text, &[], room);
            let said: Vec<String> = lines
                .iter()
                .map(|spans| spans.iter().map(|span| &*span.content).collect())
                .collect();
            assert_eq!(said.join(" ").trim(), text.trim(), "in {room} columns");
        }
    }

    #[test]
    fn what_differs_has_signs_around_it() {
        let signed = |line: &str, ranges: &[(usize, usize)]| {
            signed(line, ranges.iter().map(|(start, end)| *start..*end))
        };
        let (text, places) = signed("holds ten of them", &[(6, 9)]);
        assert_eq!(text, "holds ‹ten› of them");
        assert_eq!(text.get(places[0].clone()), Some("‹ten›"));
        assert_eq!(signed("é", &[(1, 2)]).0, "é");
        assert_eq!(signed("a b", &[(0, 1), (2, 9)]).0, "‹a› ‹b›");
    }
}
