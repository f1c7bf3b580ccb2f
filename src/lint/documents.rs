//! The documents of the project, and what memories repeat or contradict of them.

use super::chars::quote;
use super::pairs::{Differing, differing, shown};
use super::repository::{Project, own_files};
use super::{Finding, Rule, Subject};
use crate::memory::lines::Lines;
use crate::text::compare::Comparison;
use crate::text::shingles::{common, shingles};
use crate::text::tokens::{Kind, tokens};

/// Names of documents that agents read anyway.
pub(super) const NAMES: &[&str] = &[
    "README.md",
    "README",
    "README.rst",
    "CLAUDE.md",
    "AGENTS.md",
];
/// Maximum number of documents that are read.
const MOST: usize = 40;
/// Minimum number of shingles of a body that is compared by its wording. One with less than a few
/// more repeats a document only word for word.
const FEWEST: usize = 4;
const FEW: usize = 10;
/// The share of a body's shingles that stand in one document: as much as makes one memory
/// contained in another.
const SHARE: f64 = 0.7;

/// A document of the project.
struct Document {
    path: String,
    text: String,
    shingles: Vec<u32>,
}

impl Document {
    /// Reads the documents of a project; the nearest to the root are read by most.
    fn all(project: &dyn Project) -> Vec<Self> {
        let read = |path: String| {
            let text = project.read(&path)?;
            Some(Self {
                shingles: shingles(&text),
                path,
                text,
            })
        };
        let paths = own_files(project, NAMES).into_iter();
        paths.take(MOST).filter_map(read).collect()
    }
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

/// The document of which a memory repeats most.
fn repeat<'l>(subject: &'l Subject<'_>) -> Option<(&'l Document, &'l Repeat)> {
    let cx = subject.cx;
    let documents = subject.facts.of(|| Document::all(cx.project));
    let found = subject.of(|| match documents.is_empty() {
        true => None,
        false => worded(subject, documents),
    });
    let found = found.as_ref()?;
    Some((documents.get(found.document)?, found))
}

/// The document that has most of a memory's wording.
fn worded(subject: &Subject<'_>, documents: &[Document]) -> Option<Repeat> {
    let (_, body) = subject.body();
    let own = shingles(body);
    if own.len() < FEWEST {
        return None;
    }
    let shared = documents.iter().enumerate();
    let shared = shared.map(|(n, one)| (common(&own, &one.shingles), n, one));
    // Of documents with the same share the first.
    let best = shared.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let (shared, document, one) = best?;
    let shared = shared as f64 / own.len() as f64;
    let least = if own.len() < FEW { 1.0 } else { SHARE };
    if shared < least || subject.memory.path.ends_with(&one.path) {
        return None;
    }
    let denied = differing(body, (&one.text, 0..one.text.len()), subject.cx.weights);
    // A memory with a number that the document does not have is no repetition.
    let repeats = denied.is_some() || numbers(body).all(|n| numbers(&one.text).any(|m| m == n));
    repeats.then_some(Repeat {
        document,
        shared,
        denied,
    })
}

/// The numbers of a text.
fn numbers(text: &str) -> impl Iterator<Item = u32> {
    let tokens = tokens(text).into_iter();
    let numbers = tokens.filter(|token| token.kind == Kind::Number);
    numbers.map(|token| token.stem)
}

/// Reports a memory that contradicts a document of the project.
pub(super) fn contradicted(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let denied = repeat(subject).and_then(|(one, found)| Some((one, found.denied.as_ref()?)));
    let Some((Document { path, text, .. }, (found, sides))) = denied else {
        return;
    };
    let [(here, marks), there] = sides.clone();
    let start = subject.body().0;
    let here = (start + here.start..start + here.end, marks);
    let (line, _) = Lines::new(text.as_bytes()).in_file(text.as_bytes(), there.0.start);
    let sources = (quote(path), format!("{path}:{line}: "));
    out.push(shown((rule, subject), found, here, (text, there), sources));
}

/// Reports a memory that repeats a document of the project.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let found = repeat(subject).filter(|(_, found)| found.denied.is_none());
    out.extend(found.map(|(document, found)| {
        let place = subject.at(subject.body().0);
        let percent = (found.shared * 100.0).round();
        subject
            .finding(rule.id, rule.severity, place)
            .sure(0.6 + 0.35 * found.shared.min(1.0))
            .says(format!("{} says this already", quote(&document.path)))
            .because(format!("{percent}% of its wording stands there"))
    }));
}
