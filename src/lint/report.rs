//! Findings for people and for programs: text, JSON, SARIF and GitHub's workflow commands.
//!
//! ```text
//! findings ─┬─> text()    one line each, grouped by rule; store text made visible
//!           ├─> json()    the contract's "lint"
//!           ├─> sarif()   2.1.0, for code scanning
//!           └─> github()  ::warning file=…::
//! ```

mod github;
mod json;
mod sarif;
mod tags;
mod text;

use std::path::Path;

use super::{Finding, Fix, Note, Unreported, mask};
use crate::memory::{Memory, Severity, State};
use crate::retrieval::Snapshot;

pub use json::Summary;
pub(super) use tags::covers;
pub use text::Detail;

/// The effect of a fix on the bytes of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved {
    /// The unified diff.
    pub diff: String,
    /// The same as replacements, where no file comes or goes.
    pub replacements: Vec<Replacement>,
}

/// Some text of a file and what stands there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Which file, relative to the root where it is below it.
    pub path: String,
    /// The beginning of the removed text: line and column in characters, from 1.
    pub start: (u32, u32),
    /// The end of the removed text.
    pub end: (u32, u32),
    /// What comes.
    pub text: String,
}

/// Turns fixes into bytes; the store can, this module cannot.
pub trait Resolve {
    /// The effect of a fix; none if it cannot be made after all.
    fn resolve(&self, fix: &Fix) -> Option<Resolved>;
}

impl<F: Fn(&Fix) -> Option<Resolved>> Resolve for F {
    fn resolve(&self, fix: &Fix) -> Option<Resolved> {
        self(fix)
    }
}

/// Findings, and what it takes to name what they are about.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// The memories that the findings count.
    pub memories: &'a Snapshot,
    /// Paths are shown relative to it.
    pub root: &'a Path,
    /// The findings, in their order.
    pub findings: &'a [Finding],
    /// What rules could not check.
    pub notes: &'a [Note],
    /// Numbers of findings that are not among them.
    pub unreported: Unreported,
}

impl Report<'_> {
    fn memory(&self, index: usize) -> Option<&Memory> {
        self.memories.get(index).map(AsRef::as_ref)
    }

    fn id(&self, index: usize) -> String {
        let memory = self.memory(index);
        memory.map_or_else(String::new, |memory| memory.id.to_string())
    }

    /// The message of a finding behind the title of its memory.
    fn titled(&self, finding: &Finding) -> String {
        let memory = self.memory(finding.memory);
        // A file that cannot be read has its own name for a title, and a list has all of them.
        let is_named =
            |memory: &&Memory| !finding.is_list() && !memory.path.ends_with(&*memory.title);
        let title = memory
            .filter(is_named)
            .map(|memory| short(&mask(&memory.title)));
        match title.filter(|title| !title.is_empty()) {
            Some(title) => format!("{title}: {}", finding.message),
            None => finding.message.clone(),
        }
    }

    /// The memory's file below the root with `/`, else absolute.
    fn path(&self, index: usize) -> String {
        let Some(memory) = self.memory(index) else {
            return String::new();
        };
        match memory.path.strip_prefix(self.root) {
            Ok(below) => {
                let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
                parts.join("/")
            }
            Err(_) => memory.path.to_string_lossy().into_owned(),
        }
    }

    /// Numbers of findings by severity, and of memories.
    pub fn summary(&self) -> Summary {
        let count = |severity: Severity| {
            let found = self.findings.iter().filter(|one| one.severity == severity);
            found.map(Finding::count).sum()
        };
        let active = self.memories.iter();
        Summary {
            error: count(Severity::Error),
            warning: count(Severity::Warning),
            info: count(Severity::Info),
            memories: active.filter(|one| one.state == State::Active).count(),
            silenced: self.unreported.silenced,
            baseline: self.unreported.old,
            baseline_gone: self.unreported.gone,
        }
    }
}

/// Characters shown of a title.
const TITLE: usize = 48;

/// A title of at most [`TITLE`] characters, without the full stop of a sentence.
fn short(title: &str) -> String {
    let title = title.trim_end_matches('.');
    match title.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", title.get(..end).unwrap_or(title).trim_end()),
        None => title.to_owned(),
    }
}

/// These names of this many.
pub(super) fn some_of(names: &[String], count: usize) -> String {
    match count - names.len() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// `1 warning`, `2 warnings`.
pub(super) fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests;
