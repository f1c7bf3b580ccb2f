//! Findings for people and for programs: text, JSON, SARIF and GitHub's workflow commands.
//!
//! ```text
//! findings ─┬─> text()    one line each, grouped by rule; store text made visible
//!           ├─> json()    the contract's "lint"
//!           ├─> sarif()   2.1.0, for code scanning
//!           └─> github()  ::warning file=…::
//! ```

mod plain;
mod sarif;

use std::cell::RefCell;
use std::fmt::Write as _;
use std::path::Path;

use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::chars::visible;
use super::{Finding, Fix, Note, Unreported, mask};
pub(super) use crate::memory::plural as counted;
use crate::memory::{Memory, Severity, State};
use crate::retrieval::Snapshot;

pub use plain::Detail;

/// The unified diff of a fix; none if it cannot be made after all. The store can make it, this module
/// cannot.
pub type Diffs<'a> = &'a mut dyn FnMut(&Fix) -> Option<String>;

/// The object that the contract calls "lint".
#[derive(Serialize)]
struct Lint<'r, I: Iterator<Item = Json>> {
    /// Made one by one as they are written: all of them would take more room than the memories.
    #[serde(serialize_with = "in_turn")]
    findings: RefCell<Option<I>>,
    summary: Json,
    notes: &'r [Note],
}

fn in_turn<I, S>(items: &RefCell<Option<I>>, to: S) -> Result<S::Ok, S::Error>
where
    I: Iterator<Item = Json>,
    S: Serializer,
{
    to.collect_seq(items.take().into_iter().flatten())
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

    /// A finding with its evidence, a line each; store text made visible.
    fn lines(&self, finding: &Finding) -> String {
        let evidence = (0..finding.evidence.len()).map(|piece| finding.shown(piece));
        let lines = [self.titled(finding)].into_iter().chain(evidence);
        let lines: Vec<String> = lines.map(|line| visible(&line).into_owned()).collect();
        lines.join("\n")
    }

    /// Number of findings of a severity.
    fn count(&self, severity: Severity) -> usize {
        let found = self.findings.iter().filter(|one| one.severity == severity);
        found.map(Finding::count).sum()
    }

    /// Number of memories that were checked.
    fn active(&self) -> usize {
        let active = self.memories.iter();
        active.filter(|one| one.state == State::Active).count()
    }

    /// The object that the contract calls "lint".
    pub fn json<'r>(&'r self, fixes: Diffs<'r>) -> impl Serialize {
        let findings = self.findings.iter();
        let findings = findings.map(move |one| self.json_of(one, fixes));
        Lint {
            findings: RefCell::new(Some(findings)),
            summary: json!({
                "error": self.count(Severity::Error),
                "warning": self.count(Severity::Warning),
                "info": self.count(Severity::Info),
                "memories": self.active(),
                "baseline": self.unreported.old,
                "baseline_gone": self.unreported.gone,
            }),
            notes: self.notes,
        }
    }

    fn json_of(&self, finding: &Finding, fixes: Diffs<'_>) -> Json {
        let marks = finding.marks.iter().map(
            |(piece, bytes)| json!({ "evidence": piece, "start": bytes.start, "end": bytes.end }),
        );
        let fix = finding.fix.as_deref().and_then(|fix| {
            let diff = fixes(fix)?;
            Some(json!({ "title": fix.title, "diff": mask(&diff) }))
        });
        let related = finding.related.iter().map(|one| self.id(*one));
        let related = related.chain(finding.source.clone());
        json!({
            "rule": finding.rule,
            "severity": finding.severity.word(),
            "confidence": finding.confidence,
            "id": self.id(finding.memory),
            "path": self.path(finding.memory),
            "line": finding.line,
            "column": finding.column,
            "message": finding.message,
            "evidence": finding.evidence,
            "related": related.collect::<Vec<_>>(),
            "fix": fix,
            "marks": marks.collect::<Vec<_>>(),
        })
    }

    /// One workflow command for each finding.
    pub fn github(&self) -> String {
        let mut text = String::new();
        for finding in self.findings {
            let command = level(finding.severity, "notice");
            let mut message = self.lines(finding);
            let path = self.path(finding.memory);
            // A file of the user's is none that the reader of a pull request has.
            let place = if Path::new(&path).is_absolute() {
                message.insert_str(0, &format!("{}: ", visible(&self.id(finding.memory))));
                String::new()
            } else {
                let path = property(&visible(&path));
                format!("file={path},line={},col={},", finding.line, finding.column)
            };
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "::{command} {place}title={}::{}",
                property(finding.rule),
                data(&message),
            );
        }
        for note in self.notes {
            let message = data(&visible(&note.message));
            let _ = writeln!(
                text,
                "::notice title={}::not checked: {message}",
                property(note.rule)
            );
        }
        text
    }
}

/// The word for a severity, with another one for suggestions.
const fn level(severity: Severity, info: &'static str) -> &'static str {
    match severity {
        Severity::Info => info,
        other => other.word(),
    }
}

/// The escapes of a command's text.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The escapes of a command's properties.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
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

#[cfg(test)]
mod tests;
