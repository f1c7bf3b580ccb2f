//! Draws differences: lines that go and come with a sign before them, the words that differ
//! marked in them.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::look::Look;
use super::safe::{spans, width};
use super::theme::Theme;
use crate::app::conflict::words::differing;

/// A unified diff as styled lines, a line each. Signs stay, so that it reads without colour.
pub fn lines(diff: &str, theme: &Theme) -> Vec<Line<'static>> {
    let look = Look::of(theme);
    let mut out = Vec::new();
    let (mut gone, mut come): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut left = (0, 0);
    for line in diff.lines() {
        // Only a hunk's own count tells a removed `-- x` from the head of a file.
        let inside = left != (0, 0);
        match (inside, line.as_bytes().first()) {
            (true, Some(b'-')) => {
                if !come.is_empty() {
                    changed(&mut gone, &mut come, &look, &mut out);
                }
                left.0 = usize::saturating_sub(left.0, 1);
                gone.push(line.get(1..).unwrap_or_default());
            }
            (true, Some(b'+')) => {
                left.1 = usize::saturating_sub(left.1, 1);
                come.push(line.get(1..).unwrap_or_default());
            }
            (_, first) => {
                changed(&mut gone, &mut come, &look, &mut out);
                let note = first == Some(&b'\\');
                if inside && !note {
                    left = (left.0.saturating_sub(1), left.1.saturating_sub(1));
                }
                let head = line.starts_with("@@");
                if head {
                    left = counts(line).unwrap_or((0, 0));
                }
                let style = if inside && !note {
                    look.text
                } else {
                    look.quiet
                };
                out.push(styled("", line, &[], style, style, &look));
            }
        }
    }
    changed(&mut gone, &mut come, &look, &mut out);
    out
}

/// How many old and new lines follow a hunk's head: `@@ -1,4 +1,5 @@`.
fn counts(head: &str) -> Option<(usize, usize)> {
    let mut parts = head.split_whitespace().skip(1);
    let mut count = |sign: char| {
        let range = parts.next()?.strip_prefix(sign)?;
        match range.split_once(',') {
            Some((_, count)) => count.parse().ok(),
            None => Some(1),
        }
    };
    Some((count('-')?, count('+')?))
}

/// Lines that went and the lines that came in their place.
fn changed(gone: &mut Vec<&str>, come: &mut Vec<&str>, look: &Look, out: &mut Vec<Line<'static>>) {
    let pairs: Vec<_> = gone
        .iter()
        .zip(come.iter())
        .map(|(old, new)| differing(old, new))
        .collect();
    let none = (Vec::new(), Vec::new());
    for (n, line) in gone.drain(..).enumerate() {
        let words = &pairs.get(n).unwrap_or(&none).0;
        out.push(styled(
            "-",
            line,
            words,
            look.removed,
            look.removed_word,
            look,
        ));
    }
    for (n, line) in come.drain(..).enumerate() {
        let words = &pairs.get(n).unwrap_or(&none).1;
        out.push(styled("+", line, words, look.added, look.added_word, look));
    }
}

/// A sign and a line, some words of it in another style.
fn styled(
    sign: &'static str,
    text: &str,
    words: &[Range<usize>],
    style: Style,
    word: Style,
    look: &Look,
) -> Line<'static> {
    let mut line = Line::default();
    if !sign.is_empty() {
        line.push_span(Span::styled(sign, style));
    }
    line.extend(parts(text, 0..text.len(), words, style, word, look));
    line
}

/// A part of a line as safe spans, the words that differ in a style of their own.
pub(super) fn parts(
    text: &str,
    range: Range<usize>,
    words: &[Range<usize>],
    style: Style,
    word: Style,
    look: &Look,
) -> Vec<Span<'static>> {
    let mut out: Vec<Span<'static>> = Vec::new();
    let mut at = range.start;
    let mut column = 0;
    let mut push = |from: usize, to: usize, style: Style| {
        let part = text.get(from..to).unwrap_or_default();
        for span in spans(part, column, style, look.mark) {
            column += width(&span.content);
            out.push(Span::styled(span.content.into_owned(), span.style));
        }
    };
    for changed in words {
        let from = changed.start.clamp(at, range.end);
        let to = changed.end.clamp(from, range.end);
        push(at, from, style);
        push(from, to, word);
        at = to;
    }
    push(at, range.end, style);
    out
}
