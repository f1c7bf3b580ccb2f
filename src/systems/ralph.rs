//! Ralph's `memories.md`: one Markdown file with an entry below each `### mem-…` heading
//! (formats: ralph; specs: ralph-memories R2).
//!
//! A file is read in two ways at once. [`read`] gives what is *written*: every entry with its
//! bytes, and between them text that is nobody's and stays as it is. With each entry comes what
//! *Ralph* takes for it ([`Seen`]), which is not always the same: its parser goes by four
//! patterns, line by line, and knows nothing of blocks.
//!
//! ```text
//! ## Fixes                                     a section: the type of what follows
//!
//! ### mem-1773910000-a3f8                      the entry begins; its id
//! > First line                                 ┐ its content, quoted
//! >                                            │ (a blank line, which Ralph drops)
//! > Second line                                ┘
//! <!-- tags: a, b | created: 2026-03-19 -->    its tags and its date
//! ```

mod block;
pub mod codec;
mod entry_edit;
pub mod policy;
mod problems;
mod scan;

pub use block::{NewEntry, TEMPLATE, as_meant, block, date_of, tags, written};
pub use entry_edit::{Edit, add_block, change, put_back, take_out};
pub use scan::{Entry, Layout, Metadata, Seen, Stray, read};

use std::ops::Range;
use std::sync::LazyLock;

use crate::memory::document;
use crate::memory::format::schema_in;
use crate::memory::lines::Lines;
use crate::memory::schema::{Capabilities, Schema};

/// The fields of an entry.
pub static RALPH: LazyLock<Schema> = LazyLock::new(|| {
    let can = Capabilities {
        closed: true,
        heading: true,
        all_or_none: true,
        undated_is_today: true,
        ..Capabilities::default()
    };
    let fields = include_str!("../../assets/schemas/ralph.toml");
    schema_in(fields, "memory", "ralph", can)
});

/// Kind of knowledge (R3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// How the code base does things. Entries before any section have this type.
    #[default]
    Pattern,
    /// Why something was chosen.
    Decision,
    /// The solution to a problem that comes back.
    Fix,
    /// Knowledge of the project.
    Context,
}

impl Type {
    /// All of them, in the order in which Ralph writes and injects their sections.
    pub const ALL: [Self; 4] = [Self::Pattern, Self::Decision, Self::Fix, Self::Context];
    /// Their words, in the same order.
    pub const WORDS: [&str; 4] = ["pattern", "decision", "fix", "context"];
    /// The names of their sections.
    const SECTIONS: [&str; 4] = ["Patterns", "Decisions", "Fixes", "Context"];

    /// The word of the command line and of JSON.
    pub fn word(self) -> &'static str {
        Self::WORDS.get(self as usize).copied().unwrap_or_default()
    }

    /// The name of its section.
    pub fn section(self) -> &'static str {
        let section = Self::SECTIONS.get(self as usize);
        section.copied().unwrap_or_default()
    }

    /// The type with this word, in any case, as Ralph reads it on its command line.
    pub fn named(word: &str) -> Option<Self> {
        let known = |kind: &Self| kind.word().eq_ignore_ascii_case(word.trim());
        Self::ALL.into_iter().find(known)
    }
}

fn part<'a>(bytes: &'a [u8], range: &Range<usize>) -> &'a [u8] {
    document::part(bytes, range.clone())
}

/// The content of quoted lines: what is behind `> `, a line each. A quoted line without text is
/// a blank line.
pub fn content(text: &[u8]) -> Vec<u8> {
    let lines = scan::lines(text).filter_map(|line| scan::quoted(line.of(text)));
    lines.collect::<Vec<_>>().join(&b'\n')
}

/// Positions of bytes of the content of quoted lines, in order: the line of the block, the first one
/// 0, and the column in characters, from 1. None where no line is quoted.
pub fn places(block: &[u8], bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
    let places = Lines::new(block);
    // Of each quoted line: where its content begins in the content, and in the block.
    let mut starts: Vec<(usize, Range<usize>)> = Vec::new();
    let mut at = 0;
    for line in scan::lines(block) {
        if let Some(rest) = scan::quoted(line.of(block)) {
            let end = line.text.end;
            starts.push((at, end - rest.len()..end));
            at += rest.len() + 1;
        }
    }
    let place = |byte: &usize| {
        let line = starts.partition_point(|(start, _)| start <= byte);
        let (start, content) = starts.get(line.checked_sub(1)?)?;
        let (line, column) = places.in_file(block, (content.start + byte - start).min(content.end));
        Some((line - 1, column))
    };
    bytes.iter().map(place).collect()
}

/// The content as Ralph reads it: only lines with `> ` and something behind it, up to the next
/// section or id, whatever stands between.
pub fn seen_content(text: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    for (number, line) in scan::lines(text).enumerate() {
        match scan::rule(line.of(text)) {
            scan::Rule::Section(_) | scan::Rule::Id(_) if number > 0 => break,
            scan::Rule::Content(rest) => content.push(rest),
            _ => {}
        }
    }
    content.join(&b'\n')
}
