//! Bodies and whole texts.

use std::ops::Range;

use super::{Document, Layout, eol, part, splice};
use crate::memory::document::{BOM, is_blank};

/// A text without blank lines around it.
pub(super) fn trim(text: &str) -> &str {
    let first = text.len() - text.trim_start_matches(SPACE).len();
    let indent = text.get(..first).and_then(|space| space.rfind('\n'));
    trim_end(
        text.get(indent.map_or(0, |at| at + 1)..)
            .unwrap_or_default(),
    )
}

/// A text without blank lines after it. Spaces at the end of its last line belong to it.
fn trim_end(text: &str) -> &str {
    let end = text.trim_end_matches(SPACE).len();
    let rest = text.get(end..).unwrap_or_default();
    let line = rest.find('\n').map_or(text.len(), |at| end + at);
    if end == 0 {
        return "";
    }
    text.get(..line).unwrap_or(text).trim_end_matches('\r')
}

const SPACE: [char; 6] = [' ', '\t', '\r', '\n', '\x0b', '\x0c'];

/// The document's own text: without a byte order mark before it, and without the blank lines and
/// the separator after it.
pub fn text_of(bytes: &[u8], document: &Document) -> Range<usize> {
    let begins = document.span.start == 0 && bytes.starts_with(BOM);
    let start = document.span.start + if begins { BOM.len() } else { 0 };
    let end = if document.body.is_empty() {
        let front = document.front.as_ref().map_or(start, |front| front.end);
        let rest = part(bytes, front..document.span.end);
        match memchr::memchr(b'\n', rest) {
            _ if document.front.is_none() => document.body.end,
            Some(end) => front + end + 1,
            None => document.span.end,
        }
    } else {
        document.body.end
    };
    start..end.max(start)
}

/// The file with another body in a document.
pub(super) fn replace(bytes: &[u8], layout: &Layout, document: &Document, text: &str) -> Vec<u8> {
    let old = part(bytes, document.body.clone());
    let text = text.replace("\r\n", "\n");
    let text = trim(&text);
    let line_end = eol(old, layout);
    if old.is_empty() {
        return if text.is_empty() {
            bytes.to_vec()
        } else {
            insert(bytes, layout, document, text)
        };
    }
    if text.is_empty() {
        return splice(bytes, vec![(document.body.clone(), Vec::new())]);
    }
    let new = merge(old, text, line_end);
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
        for _ in ends..2 {
            new.push_str(line_end);
        }
        if open && ends >= 2 {
            new.push_str(line_end);
        }
    }
    new.push_str(&text.replace('\n', line_end));
    new.push_str(line_end);
    splice(bytes, vec![(at..at, new.into_bytes())])
}

/// A new text over an old one. Lines at both ends that stay keep their bytes (line ends that
/// differ from the others, bytes that are not UTF-8), and so does the missing or present end of
/// the last line.
fn merge(old: &[u8], text: &str, line_end: &str) -> Vec<u8> {
    let old_lines: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
    let new_lines: Vec<&str> = text.split('\n').collect();
    let same = |(old, new): &(&&[u8], &&str)| {
        let old = old.strip_suffix(b"\n").unwrap_or(old);
        let old = old.strip_suffix(b"\r").unwrap_or(old);
        String::from_utf8_lossy(old) == **new
    };
    let most = old_lines.len().min(new_lines.len());
    let head = old_lines.iter().zip(&new_lines).take_while(same).count();
    let tail = old_lines
        .iter()
        .rev()
        .zip(new_lines.iter().rev())
        .take(most - head)
        .take_while(same)
        .count();
    let ended = old.ends_with(b"\n");
    let mut out: Vec<u8> = old_lines
        .iter()
        .take(head)
        .copied()
        .collect::<Vec<_>>()
        .concat();
    let last = new_lines.len() - tail;
    for (index, line) in new_lines.iter().enumerate().take(last).skip(head) {
        // The line before this one may have been the last, and without an end.
        if !out.is_empty() && !out.ends_with(b"\n") {
            out.extend_from_slice(line_end.as_bytes());
        }
        out.extend_from_slice(line.as_bytes());
        if index + 1 < new_lines.len() || ended {
            out.extend_from_slice(line_end.as_bytes());
        }
    }
    out.extend(
        old_lines
            .iter()
            .skip(old_lines.len() - tail)
            .copied()
            .flatten(),
    );
    if !ended && out.ends_with(b"\n") {
        // Lines were taken away from the end of a text without a last line end.
        out.pop();
        if out.ends_with(b"\r") {
            out.pop();
        }
    }
    out
}

/// The file with another text for a whole document.
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
    let new = if is_blank(old) {
        (text.replace('\n', line_end) + line_end).into_bytes()
    } else {
        merge(old, text, line_end)
    };
    splice(bytes, vec![(range, new)])
}
