//! The documents of the project, and what memories repeat or contradict of them.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::chars::quote;
use super::pairs::{ByStem, Differing, differing, shown};
use super::repository::Project;
use super::{Context, Facts, Finding, Rule, RuleInfo, Subject};
use crate::memory::{Severity, lines as places};
use crate::text::compare::{Comparison, Sentence, Weights};
use crate::text::shingles::{common, shingles};
use crate::text::statements::statements;
use crate::text::tokens::{Kind, tokens};

/// Names of documents that agents read anyway.
const NAMES: &[&str] = &[
    "README.md",
    "README",
    "README.rst",
    "CLAUDE.md",
    "AGENTS.md",
];
/// Maximum number of documents that are read.
const MOST: usize = 40;
/// Minimum number of shingles of a body that is compared by its wording.
const FEWEST: usize = 4;
/// A body with fewer shingles repeats a document only word for word.
const FEW: usize = 10;
/// Maximum bytes and statements of a body whose statements are compared one by one.
const LONGEST: usize = 600;
const SENTENCES: usize = 3;
/// The share of a body's shingles that stand in one document: as much as makes one memory
/// contained in another.
const SHARE: f64 = 0.7;

/// The documents of the project.
#[derive(Default, Hash)]
struct Documents(Vec<Document>);

/// A document of the project.
#[derive(Hash)]
struct Document {
    path: String,
    text: String,
    shingles: Vec<u32>,
    /// Its statements, if it is at the root and so about the whole project.
    lines: Lines,
}

impl Documents {
    /// Reads the documents of a project.
    fn read(project: &dyn Project) -> Self {
        let mut paths: Vec<String> = match project.history() {
            Ok(history) => {
                let named = NAMES.iter().flat_map(|name| history.named(name));
                named.map(str::to_owned).collect()
            }
            Err(_) => project.named(NAMES),
        };
        paths.retain(|path| is_own(path));
        // The nearest to the root are read by most.
        paths.sort_by_key(|path| (path.matches('/').count(), path.clone()));
        let read = |path: String| {
            let text = project.read(&path)?;
            let shingles = shingles(&text);
            let lines = match path.contains('/') {
                true => Lines::default(),
                false => Lines::new(&text),
            };
            Some(Document {
                lines,
                path,
                text,
                shingles,
            })
        };
        Self(paths.into_iter().take(MOST).filter_map(read).collect())
    }
}

/// The documents of the project, read once.
fn documents<'f>(cx: &Context<'_>, facts: &'f Facts) -> &'f Documents {
    facts.of(|| Documents::read(cx.project))
}

/// The path of the document that repeats a memory, and the share of the memory that stands there.
fn repeated<'l>(subject: &Subject<'l>) -> Option<(&'l str, f64)> {
    let found = repeat(subject).filter(|found| found.denied.is_none())?;
    Some((&found.document(subject)?.path, found.shared))
}

/// The document of the project that repeats or contradicts a memory.
fn repeat<'l>(subject: &'l Subject<'_>) -> Option<&'l Repeat> {
    subject.of(|| Repeat::find(subject)).as_ref()
}

/// True if a document is the project's and not that of a package in its tree.
fn is_own(path: &str) -> bool {
    const FOREIGN: [&str; 4] = ["node_modules", "vendor", "target", "third_party"];
    !path.split('/').any(|part| FOREIGN.contains(&part))
}

/// A document that repeats or contradicts a memory.
struct Repeat {
    /// The index of the document.
    document: usize,
    /// The share of the memory's wording that the document has.
    shared: f64,
    /// A statement of the memory that contradicts one of the document.
    denied: Option<(Comparison, [Differing; 2])>,
}

impl Repeat {
    /// The document of which a memory repeats most, or which a short one contradicts.
    fn find(subject: &Subject<'_>) -> Option<Self> {
        let documents = documents(subject.cx, subject.facts);
        if documents.0.is_empty() {
            return None;
        }
        let (_, body) = subject.body();
        let worded = Self::worded(subject, documents, body, &shingles(body));
        worded.or_else(|| Self::against(subject, documents, body))
    }

    /// The document that has most of the memory's wording.
    fn worded(
        subject: &Subject<'_>,
        documents: &Documents,
        body: &str,
        own: &[u32],
    ) -> Option<Self> {
        if own.len() < FEWEST {
            return None;
        }
        let shared = documents.0.iter().enumerate();
        let shared = shared.map(|(n, one)| (common(own, &one.shingles), n, one));
        // Of documents with the same share the first.
        let best = shared.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let (shared, n, document) = best?;
        let shared = shared as f64 / own.len() as f64;
        let least = if own.len() < FEW { 1.0 } else { SHARE };
        if shared < least || document.is_it(subject) {
            return None;
        }
        let denied = differing(
            body,
            (&document.text, 0..document.text.len()),
            subject.cx.weights,
        );
        // A memory with a number that the document does not have is no repetition.
        let repeats =
            denied.is_some() || numbers(body).all(|n| numbers(&document.text).any(|m| m == n));
        repeats.then_some(Self {
            document: n,
            shared,
            denied,
        })
    }

    /// The document at the root that contradicts a memory of a few statements. A longer memory, or
    /// the log of a command, is about something of its own.
    fn against(subject: &Subject<'_>, documents: &Documents, body: &str) -> Option<Self> {
        if body.len() > LONGEST || statements(body).len() > SENTENCES {
            return None;
        }
        let documents = documents.0.iter().enumerate();
        let mut others = documents.filter(|(_, one)| !one.is_it(subject));
        others.find_map(|(document, one)| {
            let mut like = one.lines.like(body).into_iter();
            let denied =
                like.find_map(|line| differing(body, (&one.text, line), subject.cx.weights))?;
            Some(Self {
                document,
                shared: 0.0,
                denied: Some(denied),
            })
        })
    }

    fn document<'d>(&self, subject: &Subject<'d>) -> Option<&'d Document> {
        documents(subject.cx, subject.facts).0.get(self.document)
    }
}

impl Document {
    /// True if it is the file of this memory.
    fn is_it(&self, subject: &Subject<'_>) -> bool {
        subject.memory.path.ends_with(&self.path)
    }
}

/// The numbers of a text.
fn numbers(text: &str) -> impl Iterator<Item = u32> {
    let numbers = tokens(text)
        .into_iter()
        .filter(|token| token.kind == Kind::Number);
    numbers.map(|token| token.stem)
}

/// The finding of a rule about a memory that contradicts a document of the project.
pub(super) fn contradicted(rule: &'static str, subject: &Subject<'_>) -> Option<Finding> {
    let repeat = repeat(subject)?;
    let (found, [(here, marks), (there, marks_there)]) = repeat.denied.as_ref()?;
    let (start, _) = subject.body();
    let Document { path, text, .. } = repeat.document(subject)?;
    let at = start + here.start..start + here.end;
    let (line, _) = places::Lines::new(text.as_bytes()).in_file(text.as_bytes(), there.start);
    let before = format!("{path}:{line}: ");
    let there = (text.as_str(), (there.clone(), marks_there.clone()));
    let here = (at, marks.clone());
    let source = (&*quote(path), &*before);
    Some(shown((rule, subject), found, here, there, source))
}

/// The statements of a text.
#[derive(Default, Hash)]
struct Lines {
    bytes: Vec<Range<usize>>,
    by_stem: ByStem,
}

impl Lines {
    /// The statements of this text.
    fn new(text: &str) -> Self {
        let all = Sentence::all(text, Weights::bundled());
        Self {
            by_stem: ByStem::new(all.iter().map(|(_, one)| one)),
            bytes: all.into_iter().map(|(at, _)| at.at).collect(),
        }
    }

    /// The bytes of the statements that share at least two words with a text, sorted by number of
    /// shared words.
    fn like(&self, text: &str) -> Vec<Range<usize>> {
        const MOST: usize = 8;
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for (_, one) in Sentence::all(text, Weights::bundled()) {
            let sharing = self.by_stem.sharing(&one).into_iter();
            sharing.for_each(|n| *shared.entry(n).or_default() += 1);
        }
        let mut likely: Vec<_> = shared.into_iter().filter(|(_, count)| *count > 1).collect();
        likely.sort_by_key(|(n, count)| (Reverse(*count), *n));
        let likely = likely.into_iter().take(MOST);
        let bytes = likely.filter_map(|(n, _)| self.bytes.get(n).cloned());
        bytes.collect()
    }
}

/// A memory that repeats a document of the project.
pub(super) struct RepeatsDocs;

impl Rule for RepeatsDocs {
    fn info(&self) -> RuleInfo {
        RuleInfo("repeats-docs", Severity::Warning)
    }

    fn files(&self) -> Vec<&'static str> {
        NAMES.to_vec()
    }

    fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        let Some((path, shared)) = repeated(subject) else {
            return;
        };
        let (start, _) = subject.body();
        let finding = subject.finding(self.id(), self.severity(), subject.at(start));
        let percent = (shared * 100.0).round();
        out.push(
            finding
                .sure(0.6 + 0.35 * shared.min(1.0))
                .says(format!("{} says this already", quote(path)))
                .because(format!("{percent}% of its wording stands there")),
        );
    }
}
