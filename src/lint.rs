//! Checks over memories: what is wrong, where, why it matters and how to put it right.
//!
//! Pure: texts and facts about the repository come in through traits.

pub mod answers;
mod asks;
pub mod baseline;
mod body;
mod changed;
pub mod chars;
pub mod confirmed;
mod contradiction;
mod cues;
mod digest;
mod duplicate;
mod empty;
mod expired;
mod exposure;
mod files;
pub mod health;
mod hint;
mod hostile;
mod join;
pub mod judged;
mod load;
mod log;
mod look;
mod memo;
mod name;
pub mod pages;
mod pairs;
mod pattern;
mod place;
mod reader;
pub mod recent;
mod relation;
mod repeats;
pub mod report;
pub mod repository;
mod secret;
mod select;
mod sift;
mod silence;
mod since;
mod stale_path;
pub(crate) mod stale_symbol;
mod stale_version;
mod succession;
mod superseded;
mod tally;
#[cfg(test)]
mod tests;
mod title;
pub mod tuning;
mod visibility;
mod words;

use std::ops::Range;

pub use digest::{Digest, Note, digest, digest_again, digest_of};
pub use join::join;
pub use look::{Facts, Look};
pub use memo::Memo;
pub use secret::{mask, mask_diff};
pub use select::{Selection, UnknownRule, all_nearest, nearest, nearest_rule};
pub use sift::Unreported;
pub use silence::UNUSED;
pub use tally::Out;

use crate::memory::edit::FieldEdit;
use crate::memory::{MemoryId, Severity, Timestamp};
use crate::retrieval::{Snapshot, Texts};
use crate::text::compare::Weights;

/// The names of the project's own files that memories are held against.
pub fn beside() -> impl Iterator<Item = &'static str> {
    stale_version::files().chain(repeats::NAMES.iter().copied())
}

/// What a rule found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// How sure the rule is, 0 to 1.
    pub confidence: f64,
    /// The memory, by its index in the snapshot.
    pub memory: usize,
    /// Line in the file, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The bytes of the memory's text (from its span's start) that it is about, where it is
    /// about a part.
    pub place: Option<Range<usize>>,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// What shows it.
    pub evidence: Vec<String>,
    /// What matters in the evidence: the piece, and bytes of it in order.
    pub marks: Vec<(usize, Range<usize>)>,
    /// Other memories it is about, by their index in the snapshot.
    pub related: Vec<usize>,
    /// Line and column of what the first of those says, where it is about a part of it.
    pub there: Option<(u32, u32)>,
    /// The change that puts it right, where one is safe.
    pub fix: Option<Fix>,
    /// The findings of other memories that this one stands for: [`join`].
    pub joined: Vec<Finding>,
}

impl Finding {
    /// How sure the rule is: `confidence 94 %`; none where it is as good as certain.
    pub fn sureness(&self) -> Option<String> {
        let certain = self.confidence >= 0.95;
        (!certain).then(|| format!("confidence {:.0} %", self.confidence * 100.0))
    }

    /// Its fix, and those of the findings it stands for: one decision.
    pub fn fixes(&self) -> impl Iterator<Item = &Fix> {
        let joined = self.joined.iter().filter_map(|other| other.fix.as_ref());
        self.fix.iter().chain(joined)
    }

    /// Whether it asks a person about its memory and others, so that it is as much about those.
    pub fn asks(&self) -> bool {
        answers::ASKING.contains(&self.rule) && !self.related.is_empty()
    }

    /// The memories it is about, by their index: its own, and those it asks about beside it.
    pub fn parties(&self) -> impl Iterator<Item = usize> {
        let others = self.related.iter().filter(|_| self.asks());
        [&self.memory].into_iter().chain(others).copied()
    }

    /// The same where memories stand at other places now. Those it names are all still there.
    fn moved(&mut self, places: &memo::Places) {
        self.line = places.line(self.memory, self.line);
        if let (Some(there), Some(other)) = (&mut self.there, self.related.first()) {
            there.0 = places.line(*other, there.0);
        }
        let own = &mut self.memory;
        let fixed = self.fix.as_mut().map(|fix| &mut fix.memory);
        for place in [own].into_iter().chain(&mut self.related).chain(fixed) {
            *place = places.to(*place).unwrap_or(usize::MAX);
        }
    }
}

/// A change that puts a finding right: a plan before it meets the bytes of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// What it does, as an order: `split into two patterns`.
    pub title: String,
    /// The memory it changes, by its index in the snapshot.
    pub memory: usize,
    /// The change.
    pub action: FixAction,
    /// Whether it can be made unseen: it takes nothing away that its system reads, and nobody has
    /// to judge. Of what is only worth a look a person judges; what memkeep itself wrote, a silence
    /// or a baseline, it takes away.
    pub safe: bool,
}

/// What a fix does.
#[derive(Clone, Debug, PartialEq)]
pub enum FixAction {
    /// Edits fields or text of the memory.
    Edit(Vec<FieldEdit>),
    /// Gives the memory's file another name (LOCAL without extension).
    Rename(String),
    /// Gives every memory of the file, from the second on, a file of its own.
    SplitFile,
    /// Turns the file's line ends, BOM and leading blank lines into what the loader reads.
    Normalize,
    /// Moves the memory to the archive.
    Archive,
    /// Makes it say what another one says too, and archives that.
    Merge(MemoryId),
    /// Takes old findings out of the baseline, each so many times.
    Unlist(Vec<(baseline::Key, usize)>),
}

impl FixAction {
    /// Whether it writes the text of the memory, and not only fields.
    fn writes_text(&self) -> bool {
        let is_text = |edit: &FieldEdit| matches!(edit, FieldEdit::Body(_) | FieldEdit::Text(_));
        matches!(self, Self::Edit(edits) if edits.iter().any(is_text))
    }

    /// Whether it leaves all memories in use, so that nobody has to judge.
    const fn keeps_all(&self) -> bool {
        !matches!(self, Self::Archive | Self::Merge(_))
    }
}

/// What the rules look at.
pub struct Context<'a> {
    /// All memories, archived ones included (rules skip them).
    pub memories: &'a Snapshot,
    /// Their texts.
    pub texts: &'a dyn Texts,
    /// The clock.
    pub now: Timestamp,
    /// The repository around the stores.
    pub project: &'a dyn repository::Project,
    /// What a person said of pairs.
    pub answers: &'a answers::Answers,
    /// Which rules look, and how.
    pub tuning: &'a tuning::Tuning,
    /// Old findings that are not reported.
    pub baseline: &'a baseline::Baseline,
    /// The tasks that are played, and how.
    pub play: &'a health::play::Play,
    /// The models by which statements are compared.
    pub weights: &'a Weights,
}

impl<'a> Context<'a> {
    /// These memories: nothing was said of pairs, nothing tuned, nothing played, and there is no
    /// baseline.
    pub fn new(
        memories: &'a Snapshot,
        texts: &'a dyn Texts,
        now: Timestamp,
        project: &'a dyn repository::Project,
    ) -> Self {
        Self {
            memories,
            texts,
            now,
            project,
            answers: &answers::NONE,
            tuning: &tuning::USUAL,
            baseline: &baseline::NONE,
            play: &health::play::NOTHING,
            weights: Weights::bundled(),
        }
    }
}

/// One check. It sees every memory once (`check`, called in parallel) and then all of them
/// together (`finish`), so that each text is read once for all rules.
pub trait Rule: Send + Sync {
    /// The id it reports under.
    fn id(&self) -> &'static str;
    /// Its usual severity.
    fn severity(&self) -> Severity;
    /// What it finds, in one line.
    fn title(&self) -> &'static str;
    /// The page of help.
    fn help(&self) -> &'static str {
        pages::page(self.id())
    }
    /// Looks at one memory. What it says may follow from the memory and from the project, and of
    /// other memories from their names, titles, states and what replaces what: it is taken again
    /// while those stay. What depends on more belongs in `finish`.
    fn check(&self, _look: &Look<'_>, _out: &mut Vec<Finding>) {}
    /// Whether what stands in a field counts as much as what stands in the text, where the fields
    /// are no part of the text: it is then shown them as another text.
    fn reads_fields(&self) -> bool {
        false
    }
    /// Whether it looks at pairs of memories, so that what they share has to be known.
    fn compares(&self) -> bool {
        false
    }
    /// Whether what it finds is told of at the end only, so that it has to see every memory each
    /// time, those too of which the findings are known.
    fn gathers(&self) -> bool {
        false
    }
    /// True if its findings in one store are one decision, which a person is shown as one.
    fn joins(&self) -> bool {
        false
    }
    /// Rules that say nothing more about a memory of which this rule finds something.
    fn covers(&self) -> &'static [&'static str] {
        &[]
    }
    /// Whether it plays tasks through the policies of the stores, which takes its time too.
    fn plays(&self) -> bool {
        false
    }
    /// Looks at all memories together.
    fn finish(&self, _cx: &Context<'_>, _facts: &Facts, _out: &mut Out<'_, '_>) {}
}

/// Every rule there is, in the order of the contract. A new rule is a file and a line here.
pub static RULES: &[&dyn Rule] = &[
    &load::LOAD_ERROR,
    &load::BAD_DATE,
    &load::MISSING_FIELD,
    &load::UNKNOWN_VALUE,
    &visibility::InvisibleToLoader,
    &visibility::DeadAppended,
    &pattern::MATCHES_ALL,
    &pattern::NEVER_MATCHES,
    &pattern::ALTERNATIVE_REGEX,
    &pattern::INVALID,
    &pattern::TOO_SLOW,
    &pattern::SENTENCE,
    &load::DUPLICATE_ID,
    &title::DuplicateTitle,
    &relation::BrokenRelation,
    &name::NameStyle,
    &body::BodyLength,
    &body::CutInPrompt,
    &stale_path::StalePath,
    &changed::ChangedSince,
    &stale_symbol::StaleSymbol,
    &stale_version::StaleVersion,
    &expired::Expired,
    &contradiction::Contradiction,
    &superseded::SupersededActive,
    &duplicate::NEAR_DUPLICATE,
    &duplicate::CONTAINED,
    &log::FailureLog,
    &health::NeverSelected,
    &health::AlwaysSelected,
    &secret::Secret,
    &reader::ReaderInstruction,
    &exposure::ExfiltrationLink,
    &exposure::PersonalPath,
    &empty::EmptyBody,
    &repeats::RepeatsDocs,
    &hostile::TERMINAL_ESCAPE,
    &hostile::INVISIBLE_UNICODE,
    &silence::UnusedSilence,
];

/// The rule with this id.
pub fn rule(id: &str) -> Option<&'static dyn Rule> {
    RULES.iter().copied().find(|rule| rule.id() == id)
}

/// Looks at every memory with the selected rules, in parallel; findings by severity, path, line
/// and rule.
pub fn run(cx: &Context<'_>, rules: &Selection) -> Vec<Finding> {
    digest(cx, rules, usize::MAX).findings
}

/// What rules find in a memory.
fn check(look: &Look<'_>, rules: &[&dyn Rule]) -> sift::Found {
    let mut findings = Vec::new();
    for rule in rules {
        rule.check(look, &mut findings);
    }
    if look.memory.schema.in_rows() || look.is_cut() {
        // A text that is drawn from fields is not edited, and one that was cut would be cut for
        // good.
        for finding in &mut findings {
            finding.fix = finding.fix.take().filter(|fix| !fix.action.writes_text());
        }
    }
    if look.secrets().is_empty() {
        look.facts.pairs.holds_no_secret(look.index);
    }
    secret::hide_all((look.text, look.secrets()), &mut findings);
    findings.extend(check_fields(look, rules));
    let covered = covered(look, rules, &findings);
    findings.retain(|finding| !covered.contains(&finding.rule));
    sift::Found::of(look, findings, covered)
}

/// The rules that say nothing about a memory because another rule covers them there. A rule that is
/// not selected covers the selected ones all the same.
fn covered(look: &Look<'_>, rules: &[&dyn Rule], findings: &[Finding]) -> Vec<&'static str> {
    let is_selected = |id: &str| rules.iter().any(|rule| rule.id() == id);
    let finds = |rule: &&&dyn Rule| {
        if is_selected(rule.id()) {
            return findings.iter().any(|finding| finding.rule == rule.id());
        }
        let mut found = Vec::new();
        rule.check(look, &mut found);
        !found.is_empty()
    };
    let covering = RULES
        .iter()
        .filter(|rule| rule.covers().iter().any(|id| is_selected(id)));
    let covering = covering.filter(finds);
    covering.flat_map(|rule| rule.covers()).copied().collect()
}

/// What rules find in the fields of a memory whose text does not have them. They stand on its first
/// line, and only a person puts them right.
fn check_fields(look: &Look<'_>, rules: &[&dyn Rule]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut rules = rules.iter().filter(|rule| rule.reads_fields()).peekable();
    if rules.peek().is_none() {
        return findings;
    }
    let text = look.fields_beside_text();
    if text.is_empty() {
        return findings;
    }
    let fields = Look::new(look.cx, look.facts, look.index, look.memory, &text);
    for rule in rules {
        rule.check(&fields, &mut findings);
    }
    look.also_asked(&fields);
    secret::hide_all((&text, fields.secrets()), &mut findings);
    for finding in &mut findings {
        (finding.line, finding.column) = (look.memory.line, 1);
        (finding.place, finding.fix) = (None, None);
    }
    findings
}

/// The order of the contract; what stands in the same line keeps a fixed order too.
fn sort(cx: &Context<'_>, findings: &mut [Finding]) {
    let path = |finding: &Finding| {
        cx.memories
            .get(finding.memory)
            .map(|memory| memory.path.as_os_str().as_encoded_bytes())
    };
    findings.sort_by(|a, b| {
        (a.severity.cmp(&b.severity))
            .then_with(|| path(a).cmp(&path(b)))
            .then_with(|| a.line.cmp(&b.line))
            .then_with(|| a.rule.cmp(b.rule))
            .then_with(|| (a.column, &a.message).cmp(&(b.column, &b.message)))
    });
}
