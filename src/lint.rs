//! Checks over memories: what is wrong, where, why it matters and how to put it right.
//!
//! Pure: texts and facts about the repository come in through traits.

mod body;
mod changed;
pub mod chars;
mod collector;
mod contradiction;
mod cues;
pub mod decisions;
mod digest;
mod documents;
mod duplicate;
mod empty;
mod expired;
mod exposure;
mod facts;
mod finding;
mod fingerprint;
pub mod health;
mod hostile;
mod index;
mod join;
pub mod judged;
mod load;
mod log;
mod lookup;
mod name;
pub mod pages;
mod pairs;
mod pattern;
mod personal;
mod reader;
mod relation;
pub mod report;
pub mod repository;
mod rows;
mod secret;
mod select;
mod silence;
mod stale_path;
mod stale_symbol;
mod stale_version;
mod subject;
mod succession;
mod superseded;
#[cfg(test)]
mod tests;
pub mod tuning;
mod visibility;

pub use collector::{Baseline, Collector, Digest, Note, Unreported};
pub use digest::{digest, digest_of};
pub use exposure::carries_data_away;
pub use facts::Facts;
pub use finding::{About, Finding, Fix, MarkedBy};
pub use join::join;
pub use reader::orders_its_reader;
pub use secret::{mask, mask_diff, redact};
pub use select::{Selection, UnknownRule, all_nearest, nearest, nearest_rule};
pub use silence::UNUSED;
pub use subject::{Subject, fields_beside};
pub use visibility::is_appended;

use rayon::slice::ParallelSliceMut as _;

use self::judged::PairVerdict;
use self::tuning::Threshold;
use crate::memory::{Severity, Timestamp};
use crate::retrieval::{Snapshot, Texts};
use crate::text::compare::Weights;

/// The memories of a run, and everything rules may ask about.
pub struct Context<'a> {
    /// All memories, archived ones included (rules skip them).
    pub memories: &'a Snapshot,
    /// Their texts.
    pub texts: &'a dyn Texts,
    /// The clock.
    pub now: Timestamp,
    /// The repository around the stores.
    pub project: &'a dyn repository::Project,
    /// The team's decisions about findings and memories.
    pub decisions: &'a decisions::Decisions,
    /// Which rules run, and how.
    pub tuning: &'a tuning::Tuning,
    /// The tasks that are played, and how.
    pub play: &'a crate::retrieval::expect::TaskSuite,
    /// The models by which statements are compared.
    pub weights: &'a Weights,
}

impl<'a> Context<'a> {
    /// A context with default settings: no decisions, no tuning and no tasks.
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
            decisions: &decisions::NONE,
            tuning: &tuning::USUAL,
            play: &health::play::NOTHING,
            weights: Weights::bundled(),
        }
    }
}

/// Id and usual severity of a rule.
#[derive(Clone, Copy, Debug)]
pub struct RuleInfo(pub &'static str, pub Severity);

/// One check. It sees every memory once (`check` and `gather`, called in parallel) and then all of
/// them together (`finish`), so that each text is read once for all rules.
pub trait Rule: Send + Sync {
    /// Its id and its usual severity.
    fn info(&self) -> RuleInfo;
    /// The id it reports under.
    fn id(&self) -> &'static str {
        self.info().0
    }
    /// Its usual severity.
    fn severity(&self) -> Severity {
        self.info().1
    }
    /// Returns its title: the first sentence of its page, in one line.
    fn title(&self) -> String {
        pages::title(self.id())
    }
    /// The page of help.
    fn help(&self) -> &'static str {
        pages::page(self.id())
    }
    /// The numbers of it that can be set.
    fn thresholds(&self) -> &'static [Threshold] {
        &[]
    }
    /// True if it compares memories with each other.
    fn compares(&self) -> bool {
        false
    }
    /// True if its findings in one store are one decision, which a person is shown as one.
    fn joins(&self) -> bool {
        false
    }
    /// True if it plays tasks through the policies of the stores.
    fn plays(&self) -> bool {
        false
    }
    /// The verdict of a model on two memories that is reported under its id.
    fn verdict(&self) -> Option<PairVerdict> {
        None
    }
    /// True if it asks a person which of two memories holds.
    fn asks(&self) -> bool {
        false
    }
    /// Names of the project's files that it reads.
    fn files(&self) -> Vec<&'static str> {
        Vec::new()
    }
    /// Checks one memory.
    fn check(&self, _subject: &Subject<'_>, _out: &mut Vec<Finding>) {}
    /// Keeps the parts of a memory that it needs for `finish`.
    fn gather(&self, _subject: &Subject<'_>) {}
    /// Works out what `finish` needs and no check gives, while the memories are checked.
    fn prepare(&self, _cx: &Context<'_>, _facts: &Facts) {}
    /// Checks all memories together.
    fn finish(&self, _cx: &Context<'_>, _facts: &Facts, _out: &mut Collector<'_>) {}
}

/// A rule that checks each memory for itself and is no more than that.
struct Check(RuleInfo, fn(RuleInfo, &Subject<'_>, &mut Vec<Finding>));

impl Rule for Check {
    fn info(&self) -> RuleInfo {
        self.0
    }

    fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        (self.1)(self.0, subject, out);
    }
}

/// Rules that also check fields that a format keeps beside the text, as another text.
static OF_FIELDS: &[&dyn Rule] = &[
    &secret::Secret,
    &reader::READER_INSTRUCTION,
    &exposure::EXFILTRATION_LINK,
    &personal::PERSONAL_PATH,
];

/// Every rule there is, in the order of the contract. A new rule is a file and a line here.
pub static RULES: &[&dyn Rule] = &[
    &load::LOAD_ERROR,
    &load::BAD_DATE,
    &load::MISSING_FIELD,
    &load::UNKNOWN_VALUE,
    &load::MISSING_FILE,
    &visibility::INVISIBLE_TO_LOADER,
    &visibility::DEAD_APPENDED,
    &pattern::MATCHES_ALL,
    &pattern::NEVER_MATCHES,
    &pattern::ALTERNATIVE_REGEX,
    &pattern::INVALID,
    &pattern::TOO_SLOW,
    &pattern::SENTENCE,
    &load::DUPLICATE_ID,
    &name::DUPLICATE_TITLE,
    &relation::BROKEN_RELATION,
    &index::OVERFLOW,
    &index::ORPHAN,
    &index::DANGLING,
    &name::NAME_STYLE,
    &body::BodyLength,
    &body::CUT_IN_PROMPT,
    &stale_path::StalePath,
    &changed::ChangedSince,
    &stale_symbol::StaleSymbol,
    &stale_version::StaleVersion,
    &expired::EXPIRED,
    &contradiction::Contradiction,
    &superseded::SupersededActive,
    &duplicate::NEAR_DUPLICATE,
    &duplicate::CONTAINED,
    &log::FailureLog,
    &health::NEVER_SELECTED,
    &health::ALWAYS_SELECTED,
    &secret::Secret,
    &reader::READER_INSTRUCTION,
    &exposure::EXFILTRATION_LINK,
    &personal::PERSONAL_PATH,
    &empty::EMPTY_BODY,
    &documents::RepeatsDocs,
    &hostile::TERMINAL_ESCAPE,
    &hostile::INVISIBLE_UNICODE,
    &silence::UnusedSilence,
];

/// The rule with this id.
pub fn rule(id: &str) -> Option<&'static dyn Rule> {
    RULES.iter().copied().find(|rule| rule.id() == id)
}

/// Checks every memory with the selected rules, in parallel; findings by severity, path, line
/// and rule.
pub fn run(cx: &Context<'_>, rules: &Selection) -> Vec<Finding> {
    digest(cx, rules, usize::MAX).findings
}

/// The ids of the rules that ask a person about two memories.
pub fn asking() -> impl Iterator<Item = &'static str> {
    let asking = RULES.iter().filter(|rule| rule.asks());
    asking.map(|rule| rule.id())
}

/// The names of the project's files that rules read.
pub fn files() -> impl Iterator<Item = &'static str> {
    RULES.iter().flat_map(|rule| rule.files())
}

/// Runs rules on a memory.
fn check(subject: &Subject<'_>, rules: &[&dyn Rule]) -> collector::Found {
    let mut findings = Vec::new();
    for rule in rules {
        rule.check(subject, &mut findings);
    }
    if subject.memory.schema.in_rows() || subject.is_cut() {
        // A text that is drawn from fields is not edited, and one that was cut would lose its end.
        for finding in &mut findings {
            finding.fix = finding.fix.take().filter(|fix| !fix.change.writes_text());
        }
    }
    redact(Some(subject), &mut findings);
    findings.extend(check_fields(subject, rules));
    let covered = covered(subject, rules, &findings);
    findings.retain(|finding| !covered.contains(&finding.rule));
    collector::Found::new(subject, findings, covered)
}

/// The rules that report nothing about a memory because another rule covers them there. A rule that is
/// not selected covers the selected ones all the same.
fn covered(subject: &Subject<'_>, rules: &[&dyn Rule], findings: &[Finding]) -> Vec<&'static str> {
    let is_selected = |id: &str| rules.iter().any(|rule| rule.id() == id);
    let finds = |rule: &&&dyn Rule| {
        if is_selected(rule.id()) {
            return findings.iter().any(|finding| finding.rule == rule.id());
        }
        let mut found = Vec::new();
        rule.check(subject, &mut found);
        !found.is_empty()
    };
    let covering = RULES
        .iter()
        .filter(|rule| report::covers(rule.id()).iter().any(|id| is_selected(id)));
    let covering = covering.filter(finds);
    let covered = covering.flat_map(|rule| report::covers(rule.id()));
    covered.map(String::as_str).collect()
}

/// Runs rules on fields that are no part of the text: findings are on its first line, and without
/// fixes.
fn check_fields(subject: &Subject<'_>, rules: &[&dyn Rule]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let text = fields_beside(subject.memory, subject.text);
    if text.is_empty() {
        return findings;
    }
    let (cx, facts, index) = (subject.cx, subject.facts, subject.index);
    let fields = Subject::new(cx, facts, index, subject.memory, &text);
    let is_of_fields = |rule: &&&dyn Rule| OF_FIELDS.iter().any(|one| one.id() == rule.id());
    for rule in rules.iter().filter(is_of_fields) {
        rule.check(&fields, &mut findings);
    }
    redact(Some(&fields), &mut findings);
    for finding in &mut findings {
        (finding.line, finding.column) = (subject.memory.line, 1);
        (finding.place, finding.fix) = (None, None);
    }
    findings
}

/// Sorts findings in the order of the contract; those of one line have a fixed order too.
fn sort(cx: &Context<'_>, findings: &mut [Finding]) {
    let memories = cx.memories.iter();
    let paths = memories.map(|memory| memory.path.as_os_str().as_encoded_bytes());
    let paths: Vec<&[u8]> = paths.collect();
    let path = |finding: &Finding| paths.get(finding.memory);
    findings.par_sort_by(|a, b| {
        (a.severity.cmp(&b.severity))
            .then_with(|| path(a).cmp(&path(b)))
            .then_with(|| a.line.cmp(&b.line))
            .then_with(|| a.rule.cmp(b.rule))
            .then_with(|| (a.column, &a.message).cmp(&(b.column, &b.message)))
    });
}
