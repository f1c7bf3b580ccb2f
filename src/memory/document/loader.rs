//! Result of rawko's own loader for a file: `/^---\n([\s\S]*?)\n---\n?([\s\S]*)$/`.

use std::ops::Range;

use super::{BOM, RULE, part};

/// The parts of a file that the loader sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoaderView {
    /// Range it reads as YAML: without the last line end.
    pub front: Range<usize>,
    /// Range it takes for the body: all the rest, later documents included, not yet trimmed.
    pub body: Range<usize>,
}

/// True if the loader finds a memory in a file, and which parts; else why not, in words.
///
/// It reads line feeds only, from the first byte, up to the first `\n---`, even where that line
/// goes on. A byte order mark stays in the text (`Deno.readTextFile` does not take it off) and
/// so hides the frontmatter.
pub fn loader_reads(bytes: &[u8]) -> Result<LoaderView, &'static str> {
    let Some(rest) = bytes.strip_prefix(b"---\n") else {
        return Err(opening(bytes));
    };
    let Some(end) = RULE.find(rest) else {
        return Err(if rest.starts_with(b"---") {
            "empty frontmatter"
        } else {
            "the frontmatter is not closed"
        });
    };
    let close = 4 + end + 4;
    let body = close + usize::from(bytes.get(close) == Some(&b'\n'));
    Ok(LoaderView {
        front: 4..4 + end,
        body: body..bytes.len(),
    })
}

/// Why a file does not begin as the loader wants.
fn opening(bytes: &[u8]) -> &'static str {
    if let Some(rest) = bytes.strip_prefix(BOM) {
        return if rest.trim_ascii_start().starts_with(b"---") {
            "a byte order mark before the frontmatter"
        } else {
            "no frontmatter"
        };
    }
    if bytes.is_empty() {
        return "an empty file";
    }
    let first = |text: &[u8]| memchr::memchr(b'\n', text).unwrap_or(text.len());
    let line = part(bytes, 0..first(bytes));
    let is_fence = |line: &[u8]| line.trim_ascii_end() == b"---";
    let text = bytes.trim_ascii_start();
    match line {
        b"---" => "the frontmatter is not closed",
        line if is_fence(line) && line.ends_with(b"\r") => "Windows line ends",
        line if is_fence(line) => "spaces after the opening ---",
        _ if text.len() == bytes.len() || !is_fence(part(text, 0..first(text))) => "no frontmatter",
        line if line.trim_ascii().is_empty() => "a blank line before the frontmatter",
        _ => "spaces before the opening ---",
    }
}
