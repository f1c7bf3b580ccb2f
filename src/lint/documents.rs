//! The documents that agents are given beside memories, and what memories repeat or contradict of
//! them. Documents are read, and never changed by a fix.

use std::ops::Range;
use std::sync::{LazyLock, Mutex, PoisonError};

use itertools::Itertools as _;
use regex::Regex;

use super::chars::quote;
use super::pairs::{ByStem, shown};
use super::repository::documents;
use super::{Collector, Context, Facts, Finding, Rule, Subject};
use crate::memory::Severity;
use crate::memory::lines::Lines;
use crate::text::compare::{Comparison, Difference, Sentence, Weights, compare};
use crate::text::patterns::compact;
use crate::text::shingles::{common, shingles};
use crate::text::statements::{Form, Statement};
use crate::text::tokens::{Kind, stems, tokens};

/// Minimum number of shingles of a body that is compared by its wording. One with less than a few
/// more repeats a document only word for word.
const FEWEST: usize = 4;
const FEW: usize = 10;
/// The share of a body's shingles that stand in one document: as much as makes one memory
/// contained in another, and as much as is worth a suggestion.
const SHARE: f64 = 0.7;
const PART: f64 = 0.4;
/// Statements of documents that a statement is compared with: those that share most words.
const NEAREST: usize = 8;
/// So many memories that contradict one statement fill in a template.
const TEMPLATE: usize = 4;
/// Contradictions that are shown of a memory.
const SHOWN: usize = 3;

/// A document of the project.
struct Document {
    path: String,
    text: String,
    shingles: Vec<u32>,
}

/// The documents of the project, with their statements by the words in them.
struct Documents {
    all: Vec<Document>,
    /// Each with the index of its document and its stance.
    statements: Vec<(usize, Statement, Stance)>,
    by_stem: ByStem,
}

impl Documents {
    /// Reads the documents.
    fn new(cx: &Context<'_>) -> Self {
        let all = documents(cx).map(|(path, text)| Document {
            shingles: shingles(&text),
            path,
            text,
        });
        let all = all.collect_vec();
        let told = all.iter().enumerate().flat_map(|(n, one)| {
            let told = stances(&one.text, cx.weights).into_iter();
            told.map(move |(at, sentence, stance)| ((n, at, stance), sentence))
        });
        let (statements, sentences): (Vec<_>, Vec<Sentence<'_>>) = told.unzip();
        Self {
            by_stem: ByStem::new(sentences.iter()),
            statements,
            all,
        }
    }
}

/// The attitude of a statement to what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stance {
    /// It says, or stands below a line that says, that this does not work or is not to be done.
    Denies,
    /// It says that this is to be done.
    Orders,
    /// Neither, or both.
    Open,
}

/// A pattern that is part of the program.
fn pattern(text: &str) -> Option<Regex> {
    compact(&format!("(?i){text}"))
}

static DENIES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"\b(?:(?:do(?:es)?|did|will|is|are)(?:n['’]t| not) (?:work\w*|use|allowed)|do not|don['’]ts?|never|avoid|must(?:n['’]t| not)|should(?:n['’]t| not)|forbidden|prohibited|anti-?patterns?|not to do)\b|[❌🚫✗]",
    )
});
static ORDERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"\b(?:always|must|should|use|uses|using|prefer|need|needs|require|requires|required|recommended|works|mandatory|ensure|make sure)\b|✅",
    )
});
/// The beginning of the reason that a statement gives, and what stands between its parts.
static REASON: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"\s(?:because|since|so that)\s"));
static PARTS: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"\s(?:—|–|-|→|=>)\s|[:;]\s"));

/// A statement without its reason.
fn claim(text: &str) -> &str {
    let reason = REASON.as_ref().and_then(|reason| reason.find(text));
    reason.map_or(text, |reason| text.split_at(reason.start()).0)
}

fn finds(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|found| found.is_match(text))
}

/// The statements of a text, each with its stance.
fn stances<'t>(text: &'t str, weights: &Weights) -> Vec<(Statement, Sentence<'t>, Stance)> {
    let mut is_list_denied = false;
    let stance = |(at, sentence): (Statement, Sentence<'t>)| {
        let own = finds(&DENIES, sentence.text);
        if at.form != Form::Item {
            is_list_denied = own
                && sentence
                    .text
                    .trim_end_matches(['*', '_', ' '])
                    .ends_with(':');
        }
        let heading = at
            .heading
            .as_ref()
            .and_then(|heading| text.get(heading.clone()));
        let is_below = is_list_denied || heading.is_some_and(|heading| finds(&DENIES, heading));
        let negations = Sentence::new(claim(sentence.text), weights).negations();
        let stance = match (own, is_below, negations) {
            (true, false, 0..=1) | (false, true, 0) => Stance::Denies,
            (false, false, 0) if finds(&ORDERS, sentence.text) => Stance::Orders,
            _ => Stance::Open,
        };
        (at, sentence, stance)
    };
    Sentence::all(text, weights)
        .into_iter()
        .map(stance)
        .collect()
}

/// True if a statement orders the very thing that another denies and says little else; false if it
/// says more beside it.
fn orders_denied(order: &str, denial: &str, weights: &Weights) -> Option<bool> {
    let content = |text: &str| {
        let sentence = Sentence::new(text, weights);
        sentence.content().unique().collect_vec()
    };
    let plain = |text: &str| {
        let text = DENIES.as_ref()?.replace_all(text, " ");
        let core = content(&ORDERS.as_ref()?.replace_all(&text, " "));
        (!core.is_empty()).then_some(core)
    };
    // The part that denies, or the one before it: "never A", "A: never".
    let parts = PARTS.as_ref()?.split(claim(denial)).collect_vec();
    let mut denying = parts.iter().filter(|part| finds(&DENIES, part));
    let core = denying.find_map(|part| plain(part));
    let core = core.or_else(|| parts.iter().find_map(|part| plain(part)))?;
    let ordered = content(order);
    let has_all = |core: &[u32]| core.len() >= 2 && core.iter().all(|one| ordered.contains(one));
    // Of a piece of code that both have, the rest may say when or why.
    let mut codes = denial.split('`').skip(1).step_by(2);
    let code = codes
        .next()
        .filter(|code| order.contains(*code) && has_all(&content(code)));
    let says_little_else = 2 * core.len() >= ordered.len();
    let stands_there = core.len() >= 3 && ordered.windows(core.len()).any(|part| *part == core);
    match has_all(&core) {
        true => Some(code.is_some() || says_little_else || stands_there),
        false => (code.is_some() && denial.trim_start().starts_with('`')).then_some(false),
    }
}

/// A statement of a memory that contradicts one of a document.
struct Denied {
    document: usize,
    found: Comparison,
    warns: bool,
    /// Their bytes in the body and in the document.
    sides: [Range<usize>; 2],
}

/// The repetition and the contradictions of one memory.
struct Compared {
    /// The document that has most of a memory's wording, and the share.
    repeated: Option<(usize, f64)>,
    denied: Vec<Denied>,
}

/// Compares a memory with all documents, once for all rules.
fn compared<'l>(subject: &'l Subject<'_>) -> (&'l Documents, &'l Compared) {
    let documents = subject.facts.of(|| Documents::new(subject.cx));
    let compared = subject.of(|| {
        let is_looked_at = !documents.all.is_empty() && subject.memory.index_table().is_none();
        let denied = is_looked_at.then(|| denied(subject, documents));
        let denied = denied.unwrap_or_default();
        let repeated = is_looked_at.then(|| repeated(subject, documents)).flatten();
        Compared { repeated, denied }
    });
    (documents, compared)
}

/// The document that has most of a memory's wording.
fn repeated(subject: &Subject<'_>, documents: &Documents) -> Option<(usize, f64)> {
    let (_, body) = subject.body();
    let own = shingles(body);
    let shared = documents.all.iter().enumerate();
    let shared = shared.map(|(n, one)| (common(&own, &one.shingles), n, one));
    // Of documents with the same share the first.
    let best = shared.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let (shared, document, one) = best.filter(|_| own.len() >= FEWEST)?;
    let shared = shared as f64 / own.len() as f64;
    let least = if own.len() < FEW { 1.0 } else { PART };
    // A memory with a number that the document does not have is no repetition.
    let has_all = || numbers(body).all(|n| numbers(&one.text).any(|m| m == n));
    (shared >= least && (shared < SHARE || has_all())).then_some((document, shared))
}

/// The numbers of a text.
fn numbers(text: &str) -> impl Iterator<Item = u32> {
    let tokens = tokens(text).into_iter();
    let numbers = tokens.filter(|token| token.kind == Kind::Number);
    numbers.map(|token| token.stem)
}

/// The statements of a memory that contradict one of a document, the surest first.
fn denied(subject: &Subject<'_>, documents: &Documents) -> Vec<Denied> {
    let (_, body) = subject.body();
    let weights = subject.cx.weights;
    let label = |text: &str, at: &Statement| {
        let label = at.label.clone().and_then(|label| text.get(label));
        label.map(stems)
    };
    // A label such as "How to apply" is no part of what is said; the other cells of a row are not
    // what its first is about.
    fn claimed<'t>(text: &'t str, at: &Statement) -> &'t str {
        let claimed = match (&at.label, at.form) {
            (Some(first), Form::Row) => first.clone(),
            (label, _) => label.as_ref().map_or(at.at.start, |label| label.end)..at.at.end,
        };
        text.get(claimed).unwrap_or_default()
    }
    let many = documents.statements.len();
    let against = |(own, sentence, stance): (Statement, Sentence<'_>, Stance)| -> Option<Denied> {
        let near = documents.by_stem.nearest(&sentence, NEAREST).into_iter();
        let near = near.filter_map(|n| {
            let (document, at, stance) = documents.statements.get(n)?;
            let text = &documents.all.get(*document)?.text;
            let other = Sentence::new(text.get(at.at.clone())?, weights);
            Some((*document, text, at, other, *stance))
        });
        let near = near.collect_vec();
        if near.iter().any(|(.., other, _)| sentence.equals(other)) {
            return None;
        }
        let all = near
            .into_iter()
            .filter_map(|(document, text, at, other, other_stance)| {
                let turned = match (stance, other_stance) {
                    (Stance::Orders, Stance::Denies) => {
                        Some((claimed(body, &own), claimed(text, at)))
                    }
                    (Stance::Denies, Stance::Orders) => {
                        Some((claimed(text, at), claimed(body, &own)))
                    }
                    _ => None,
                };
                let turned =
                    turned.and_then(|(order, denial)| orders_denied(order, denial, weights));
                let is_like = turned.is_some() || stance == other_stance;
                let has_one_label = || label(body, &own) == label(text, at);
                let found = compare(&sentence, &other, weights);
                let found = found.filter(|found| {
                    let is_turned = matches!(
                        found.difference,
                        Difference::Negation | Difference::Opposite
                    );
                    (is_like || is_turned) && weights.conflicts(found, many) && has_one_label()
                });
                let warned = found
                    .as_ref()
                    .is_some_and(|found| weights.warns(found, many));
                let warns = warned || turned == Some(true);
                let turned = turned.map(|surely| Comparison {
                    same: 1.0,
                    contradiction: if surely { 0.5 } else { 0.0 },
                    opposed: 1.0,
                    difference: Difference::Negation,
                    marks: [Vec::new(), Vec::new()],
                });
                let found = found.or(turned)?;
                let path = &documents.all.get(document)?.path;
                // What holds in a folder may be otherwise elsewhere.
                let is_general = !path.contains('/') || path.starts_with('.');
                Some(Denied {
                    document,
                    warns: warns && is_general,
                    found,
                    sides: [own.at.clone(), at.at.clone()],
                })
            });
        all.max_by(|x, y| {
            let sure = x.found.same.total_cmp(&y.found.same);
            x.warns.cmp(&y.warns).then(sure)
        })
    };
    let mut all = stances(body, weights)
        .into_iter()
        .filter_map(against)
        .collect_vec();
    all.sort_by_key(|one| !one.warns);
    all.truncate(SHOWN);
    all
}

/// Findings with the statement of a document that each is about.
type Gathered = Mutex<Vec<((usize, usize), Finding)>>;

/// Gathers what a memory says against a document of the project.
pub(super) fn gather(rule: &Rule, subject: &Subject<'_>) {
    let (documents, compared) = compared(subject);
    let start = subject.body().0;
    let findings = compared.denied.iter().filter_map(|one| {
        let Document { path, text, .. } = documents.all.get(one.document)?;
        if subject.cx.is_judged_with(subject.index, (path, text)) {
            return None;
        }
        let [here, there] = one.sides.clone();
        let [marks, marks_there] = one.found.marks.clone();
        let here = (start + here.start..start + here.end, marks);
        let (line, _) = Lines::new(text.as_bytes()).in_file(text.as_bytes(), there.start);
        let sources = (quote(path), format!("{path}:{line}: "));
        let about = (one.document, there.start);
        let there = (text.as_str(), (there, marks_there));
        let found = (&one.found, one.warns);
        let mut finding = shown((rule, subject), found, here, there, sources);
        finding.source = Some(path.clone());
        Some((about, finding))
    });
    let findings = findings.collect_vec();
    if !findings.is_empty() {
        let gathered = subject.facts.of(Gathered::default);
        let mut gathered = gathered.lock().unwrap_or_else(PoisonError::into_inner);
        gathered.extend(findings);
    }
}

/// Reports what memories say against documents. A statement that many memories fill in, each in its
/// own way, is a template.
pub(super) fn finish(facts: &Facts, out: &mut Collector<'_>) {
    let gathered = facts.of(Gathered::default);
    let mut gathered = gathered.lock().unwrap_or_else(PoisonError::into_inner);
    gathered.sort_by_key(|(about, finding)| (*about, finding.memory));
    let about_one = gathered.chunk_by(|a, b| a.0 == b.0);
    for (_, finding) in about_one.filter(|all| all.len() < TEMPLATE).flatten() {
        out.push(finding.clone());
    }
}

/// Reports a memory that repeats a document of the project.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let (documents, compared) = compared(subject);
    let is_denied = |document| compared.denied.iter().any(|one| one.document == document);
    let repeated = compared
        .repeated
        .filter(|(document, _)| !is_denied(*document));
    let found = repeated.and_then(|(n, shared)| Some((documents.all.get(n)?, shared)));
    out.extend(found.map(|(document, shared)| {
        let place = subject.at(subject.body().0);
        let percent = (shared * 100.0).round();
        let (severity, says) = match shared >= SHARE {
            true => (rule.severity, "says this already"),
            false => (Severity::Info, "says a part of this already"),
        };
        let finding = subject
            .finding(rule.id, severity, place)
            .sure(0.6 + 0.35 * shared.min(1.0))
            .says(format!("{} {says}", quote(&document.path)))
            .because(format!("{percent}% of its wording stands there"));
        Finding {
            source: Some(document.path.clone()),
            ..finding
        }
    }));
}
