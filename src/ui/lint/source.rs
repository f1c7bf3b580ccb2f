//! The text that a finding is about, around its place.

use std::ops::Range;

use ratatui::style::Modifier;
use ratatui::text::Span;

use crate::app::Model;
use crate::app::reading::clip;
use crate::lint::Finding;
use crate::ui::look::Look;
use crate::ui::pen::fit_spans;
use crate::ui::sheet::Sheet;
use crate::ui::theme::{Role, Theme};
use crate::ui::{diff, safe};

/// Lines of the text before and after the place.
const AROUND: usize = 3;
const AFTER: usize = 12;
/// Lines on the screen that a line of a text takes at the most.
const FOLDED: usize = 6;

/// Lines of the text around the place, the place underlined.
pub(super) fn around(sheet: &mut Sheet<'_>, model: &Model, finding: &Finding) {
    let memory = model.world.memory_of(finding);
    let (Some(memory), Some(text)) = (memory, model.reading.text()) else {
        return;
    };
    // As long as before, so that the place is the same.
    let text = crate::lint::mask(text);
    let found = finding.line as usize;
    let top = memory.line as usize + usize::from(memory.schema.has_heading());
    let at = match &finding.place {
        Some(bytes) => {
            let before = text.as_bytes().get(..bytes.start).unwrap_or_default();
            before.iter().filter(|byte| **byte == b'\n').count()
        }
        None => found.saturating_sub(top),
    };
    // If a text stands in one line of its file its own lines are counted.
    let first = found.max(top).checked_sub(at);
    let first = first.filter(|first| *first >= memory.line as usize);
    let first = first.unwrap_or(1);
    let digits = (first + at + AFTER).to_string().len();
    let room = sheet.width.saturating_sub(digits + 1);
    let mut start = 0;
    for (n, line) in text.split_inclusive('\n').enumerate().take(at + AFTER + 1) {
        if n + AROUND >= at {
            // A finding about a heading has no line in the text.
            let role = match n == at && found >= top {
                true => Role::Accent,
                false => Role::Faint,
            };
            let mut lead = safe::pad_left(&(first + n).to_string(), digits) + " ";
            let shown = line.trim_end_matches(['\n', '\r']);
            for part in underlined(sheet.theme, shown, start, finding.place.as_ref(), room) {
                let mut spans = vec![sheet.text(role, &lead)];
                lead = " ".repeat(digits + 1);
                spans.extend(part);
                sheet.push(spans);
            }
        }
        start += line.len();
    }
}

/// A line of a text that begins at a byte, folded, a range of the text underlined. Of a long line
/// that part is shown in which the range stands.
fn underlined(
    theme: &Theme,
    line: &str,
    start: usize,
    place: Option<&Range<usize>>,
    room: usize,
) -> Vec<Vec<Span<'static>>> {
    let within = |byte: usize| byte.saturating_sub(start).min(line.len());
    let range = place.map_or(0..0, |place| within(place.start)..within(place.end));
    let mut from = 0;
    if range.start > room * (FOLDED - 2) {
        from = clip(line, range.start - room).len();
    }
    let rest = line.get(from..).unwrap_or_default();
    let before = if from > 0 { "… " } else { "" };
    let shown = format!("{before}{}", clip(rest, room * 4 * FOLDED));
    let moved = |byte: usize| (byte + before.len()).saturating_sub(from).min(shown.len());
    let range = moved(range.start)..moved(range.end);
    let look = Look::of(theme);
    let marked = theme
        .style(Role::Warning)
        .add_modifier(Modifier::UNDERLINED);
    let styles = (look.text, marked);
    let mut lines = diff::folded(&shown, std::slice::from_ref(&range), room, styles, &look);
    let more = lines.len() > FOLDED || shown.len() < before.len() + rest.len();
    lines.truncate(FOLDED);
    if let Some(last) = lines.last_mut().filter(|_| more) {
        last.push(theme.text(Role::Muted, " …"));
        *last = fit_spans(std::mem::take(last), room);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str, place: Range<usize>, room: usize) -> Vec<String> {
        underlined(&Theme::dark(), line, 100, Some(&place), room)
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
            "Run the tests",
            "with `[npm]",
            "[test]` before",
            "the push.",
        ];
        assert_eq!(said(line, 120..128, 14), all);
        let long = format!("{}{line}{}", "and so on ".repeat(50), " or not".repeat(90));
        let shown = said(&long, 620..628, 20);
        assert!(shown[0].starts_with("… "), "{shown:?}");
        assert!(shown.concat().contains("[npm test]"), "{shown:?}");
        assert!(shown.last().unwrap().ends_with('…'), "{shown:?}");
        assert!(shown.len() <= FOLDED, "{shown:?}");
    }
}
