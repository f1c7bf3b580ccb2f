//! Bodies and whole texts.

use std::ops::Range;

use super::{Document, Layout, eol, part, splice};
use crate::memory::document::{BOM, is_blank};
use crate::memory::lines::ops;

pub(super) fn trim(text: &str) -> &str {
    let first = text.len() - text.trim_start_matches(SPACE).len();
    let indent = text.get(..first).and_then(|space| space.rfind('\n'));
    let start = indent.map_or(0, |at| at + 1);
    trim_end(text.get(start..).unwrap_or_default())
}

/// A text without blank lines after it. Spaces at the end of its last line belong to it.
fn trim_end(text: &str) -> &str {
    let (own, rest) = text.split_at(text.trim_end_matches(SPACE).len());
    let line = rest.split('\n').next().unwrap_or_default();
    match own.len() {
        0 => "",
        end => text
            .get(..end + line.len())
            .unwrap_or(text)
            .trim_end_matches('\r'),
    }
}

const SPACE: [char; 6] = [' ', '\t', '\r', '\n', '\x0b', '\x0c'];

/// The document's own text: without a byte order mark before it, and without the blank lines and
/// the separator after it.
pub fn text_of(bytes: &[u8], document: &Document) -> Range<usize> {
    let begins = document.span.start == 0 && bytes.starts_with(BOM);
    let start = document.span.start + if begins { BOM.len() } else { 0 };
    let end = match &document.front {
        Some(front) if document.body.is_empty() => {
            let rest = part(bytes, front.end..document.span.end);
            let end = memchr::memchr(b'\n', rest).map(|end| front.end + end + 1);
            end.unwrap_or(document.span.end)
        }
        _ => document.body.end,
    };
    start..end.max(start)
}

pub(super) fn replace(bytes: &[u8], layout: &Layout, document: &Document, text: &str) -> Vec<u8> {
    let old = part(bytes, document.body.clone());
    let text = text.replace("\r\n", "\n");
    let text = trim(&text);
    let line_end = eol(old, layout);
    let new = match (old.is_empty(), text.is_empty()) {
        (true, false) => return insert(bytes, layout, document, text),
        (_, true) => Vec::new(),
        (false, false) => merge(old, text, line_end),
    };
    splice(bytes, vec![(document.body.clone(), new)])
}

/// The file with a body where there was none: after a blank line below the frontmatter.
fn insert(bytes: &[u8], layout: &Layout, document: &Document, text: &str) -> Vec<u8> {
    let line_end = eol(b"", layout);
    let at = document.body.start;
    let mut new = String::new();
    if let Some(front) = &document.front {
        let gap = part(bytes, front.end..at);
        let ends = gap.iter().filter(|byte| **byte == b'\n').count();
        let open = gap.last().is_none_or(|byte| *byte != b'\n');
        let more = 2_usize.saturating_sub(ends).max(usize::from(open));
        new.push_str(&line_end.repeat(more));
    }
    new.push_str(&text.replace('\n', line_end));
    new.push_str(line_end);
    splice(bytes, vec![(at..at, new.into_bytes())])
}

/// A new text over an old one, as [`with_ends`] makes it; the end of the last line stays present or
/// missing.
fn merge(old: &[u8], text: &str, line_end: &str) -> Vec<u8> {
    let end = if old.ends_with(b"\n") { "\n" } else { "" };
    with_ends(old, &format!("{text}{end}"), line_end)
}

/// A text whose lines end in `\n`, in the bytes of the text it was made from: a line that stays has
/// the bytes and the end it had there, another one the usual end.
pub fn with_ends(old: &[u8], text: &str, line_end: &str) -> Vec<u8> {
    let was = old.split_inclusive(|byte| *byte == b'\n').map(cut);
    let was: Vec<(&[u8], &[u8])> = was.collect();
    let now: Vec<&str> = text.split_inclusive('\n').collect();
    let known = was.iter().map(|(line, _)| String::from_utf8_lossy(line));
    let known: Vec<_> = known.collect();
    let wanted = now.iter().map(|line| line.trim_end_matches('\n').into());
    let wanted: Vec<_> = wanted.collect();
    // Only where the lines differ in their bytes does it matter which of them stay.
    let is_usual = |(line, end): &(&[u8], &[u8])| {
        (end.is_empty() || *end == line_end.as_bytes()) && str::from_utf8(line).is_ok()
    };
    let ops = match was.iter().all(is_usual) {
        true => Vec::new(),
        false => ops(&known, &wanted),
    };
    let mut kept = vec![None; now.len()];
    for change in ops.iter().flat_map(|op| op.iter_changes(&known, &wanted)) {
        let slot = change.new_index().and_then(|new| kept.get_mut(new));
        if let (Some(slot), Some(old)) = (slot, change.old_index()) {
            *slot = was.get(old);
        }
    }
    let mut out = Vec::with_capacity(old.len() + text.len());
    for (line, kept) in now.iter().zip(kept) {
        let bare = line.trim_end_matches('\n');
        let (bytes, end) = kept.copied().unwrap_or((bare.as_bytes(), b""));
        out.extend_from_slice(bytes);
        if bare.len() < line.len() {
            let usual = || line_end.as_bytes();
            out.extend_from_slice(if end.is_empty() { usual() } else { end });
        }
    }
    out
}

fn cut(line: &[u8]) -> (&[u8], &[u8]) {
    let bare = line.strip_suffix(b"\n").unwrap_or(line);
    let bare = match bare.len() < line.len() {
        true => bare.strip_suffix(b"\r").unwrap_or(bare),
        false => bare,
    };
    line.split_at(bare.len())
}

pub(super) fn replace_text(
    bytes: &[u8],
    layout: &Layout,
    document: &Document,
    text: &str,
) -> Vec<u8> {
    let range = text_of(bytes, document);
    let old = part(bytes, range.clone());
    let text = text.replace("\r\n", "\n");
    let text = trim_end(&text);
    if text.is_empty() {
        return splice(bytes, vec![(range, Vec::new())]);
    }
    let line_end = eol(old, layout);
    let new = match is_blank(old) {
        true => (text.replace('\n', line_end) + line_end).into_bytes(),
        false => merge(old, text, line_end),
    };
    splice(bytes, vec![(range, new)])
}
