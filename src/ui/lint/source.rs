//! The text that a finding is about, around its place.

use std::ops::Range;

use ratatui::style::Modifier;
use ratatui::text::Span;

use crate::app::Model;
use crate::app::editor::wrap;
use crate::app::reading::clip;
use crate::lint::Finding;
use crate::ui::lines::Lines;
use crate::ui::look::Look;
use crate::ui::pen::{Pen, fit_spans};
use crate::ui::theme::Role;
use crate::ui::{diff, safe};

/// Lines of the text around the place, the place underlined.
pub(super) fn around(
    pen: &Pen<'_>,
    model: &Model,
    finding: &Finding,
    width: usize,
    out: &mut Lines,
) {
    const AROUND: usize = 3;
    const AFTER: usize = 12;
    let memory = model.world.memory_of(finding);
    let (Some(memory), Some(text)) = (memory, model.reading.text()) else {
        return;
    };
    // As long as before, so that the place is the same.
    let text = crate::lint::mask(text);
    let lines = |byte: usize| {
        let before = text.as_bytes().get(..byte).unwrap_or_default();
        before.iter().filter(|byte| **byte == b'\n').count()
    };
    let found = finding.line as usize;
    let top = memory.line as usize + usize::from(memory.schema.has_heading());
    let at = match &finding.place {
        Some(bytes) => lines(bytes.start),
        None => found.saturating_sub(top),
    };
    // A finding about a heading has no line in the text.
    let is_above = found < top;
    // If a text stands in one line of its file its own lines are counted.
    let first = found
        .max(top)
        .checked_sub(at)
        .filter(|first| *first >= memory.line as usize);
    let first = first.unwrap_or(1);
    let digits = (first + at + AFTER).to_string().len();
    let mut start = 0;
    for (n, line) in text.split_inclusive('\n').enumerate() {
        let end = start + line.len();
        if n > at + AFTER {
            break;
        }
        if n + AROUND >= at {
            let number = safe::pad_left(&(first + n).to_string(), digits);
            let here = n == at && !is_above;
            let role = if here { Role::Accent } else { Role::Faint };
            let mut lead = format!("{number} ");
            let room = width.saturating_sub(digits + 1);
            let shown = line.trim_end_matches(['\n', '\r']);
            for part in underlined(pen, shown, start, finding.place.as_ref(), room) {
                let mut spans = vec![pen.text(role, &lead)];
                lead = " ".repeat(digits + 1);
                spans.extend(part);
                out.push(spans);
            }
        }
        start = end;
    }
}

/// Lines on the screen that a line of a text takes at the most.
const FOLDED: usize = 6;

/// A line of a text that begins at a byte, folded, a range of the text underlined. Of a long line
/// that part is shown in which the range stands.
fn underlined(
    pen: &Pen<'_>,
    line: &str,
    start: usize,
    place: Option<&Range<usize>>,
    room: usize,
) -> Vec<Vec<Span<'static>>> {
    let within = |byte: usize| byte.saturating_sub(start).min(line.len());
    let range = place.map_or(0..0, |place| within(place.start)..within(place.end));
    let mut from = 0;
    if range.start > room * (FOLDED - 2) {
        from = range.start - room;
        while !line.is_char_boundary(from) {
            from -= 1;
        }
    }
    let rest = line.get(from..).unwrap_or_default();
    let shown = clip(rest, room * 4 * FOLDED);
    let before = if from > 0 { "… " } else { "" };
    let shown = format!("{before}{shown}");
    let moved = |byte: usize| (byte + before.len()).saturating_sub(from).min(shown.len());
    let range = moved(range.start)..moved(range.end);
    let look = Look::of(pen.theme);
    let marked = pen.style(Role::Warning).add_modifier(Modifier::UNDERLINED);
    let parts = wrap(&shown, room.max(1), safe::width);
    let more = parts.len() > FOLDED || shown.len() < before.len() + rest.len();
    let mut lines: Vec<_> = parts
        .into_iter()
        .take(FOLDED)
        .map(|part| {
            let words = std::slice::from_ref(&range);
            diff::parts(&shown, part, words, look.text, marked, &look)
        })
        .collect();
    if let Some(last) = lines.last_mut().filter(|_| more) {
        last.push(pen.text(Role::Muted, " …"));
        *last = fit_spans(std::mem::take(last), room);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::Theme;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;

    fn said(line: &str, place: Range<usize>, room: usize) -> Vec<String> {
        let pen = Pen {
            theme: &Theme::dark(),
            buffer: &mut Buffer::empty(Rect::new(0, 0, 1, 1)),
        };
        underlined(&pen, line, 100, Some(&place), room)
            .iter()
            .map(|spans| {
                let marked =
                    |span: &Span<'_>| span.style.add_modifier.contains(Modifier::UNDERLINED);
                let shown = |span: &Span<'_>| match marked(span) {
                    true => format!("[{}]", span.content),
                    false => span.content.to_string(),
                };
                spans.iter().map(shown).collect()
            })
            .collect()
    }

    #[test]
    fn the_place_is_shown_however_long_the_line() {
        let line = "Run the tests with `npm test` before the push.";
        let all = [
            "Run the tests ",
            "with `[npm ",
            "[test]` before ",
            "the push.",
        ];
        let all = all.map(|line| line.replace("[npm ", "[npm ]"));
        assert_eq!(said(line, 120..128, 14), all);
        let long = format!("{}{line}{}", "and so on ".repeat(50), " or not".repeat(90));
        let shown = said(&long, 620..628, 20);
        assert!(shown[0].starts_with("… "), "{shown:?}");
        assert!(shown.concat().contains("[npm test]"), "{shown:?}");
        assert!(shown.last().unwrap().ends_with('…'), "{shown:?}");
        assert!(shown.len() <= FOLDED, "{shown:?}");
    }
}
