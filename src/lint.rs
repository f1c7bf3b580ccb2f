//! Checks over memories: what is wrong, where, why it matters and how to put it right.
//!
//! Pure: texts and facts about the repository come in through traits.

mod changed;
pub mod chars;
mod collector;
mod contradiction;
mod cues;
pub mod decisions;
mod duplicate;
mod ended;
mod finding;
mod fingerprint;
mod form;
mod harmful;
pub mod health;
mod index_file;
pub mod judged;
mod loading;
mod log;
mod pairs;
mod pattern;
mod relation;
pub mod report;
pub mod repository;
mod rows;
mod run_state;
mod secret;
mod select;
mod stale_command;
mod stale_path;
mod stale_version;
mod subject;
mod succession;
#[cfg(test)]
mod tests;
pub mod tuning;

pub use collector::{Baseline, Collector, Digest, Note, UNUSED, Unreported, digest, digest_of};
pub use finding::{Finding, Fix, Joins, join};
pub use harmful::{carries_data_away, orders_its_reader};
pub use loading::is_appended;
pub use run_state::Facts;
pub use secret::{mask, mask_diff, redact};
pub use select::{Selection, UnknownRule, all_nearest, nearest, nearest_rule};
pub use subject::{Subject, fields_beside};

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rayon::slice::ParallelSliceMut as _;

use self::Trait::{Asks, Compares, Fields, Leaks, Relates};
use self::decisions::Decisions;
use self::judged::PairVerdict;
use self::tuning::{Threshold, Tuning};
use crate::memory::Severity::{self, Error, Info, Warning};
use crate::memory::{Timestamp, worth::Worths};
use crate::retrieval::expect::TaskSuite;
use crate::retrieval::{Snapshot, Texts};
use crate::search::query::MARKED;
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
    pub decisions: &'a Decisions,
    /// Which rules run, and how.
    pub tuning: &'a Tuning,
    /// The tasks that are played, and how.
    pub play: &'a TaskSuite,
    /// The record of use.
    pub worths: &'a Worths,
    /// The models by which statements are compared.
    pub weights: &'a Weights,
    /// The memories that are asked about; all if none. Findings about others may be missing.
    pub focus: Option<&'a BTreeSet<usize>>,
}

static NOTHING: LazyLock<(Decisions, Tuning, TaskSuite, Worths)> = LazyLock::new(Default::default);

impl<'a> Context<'a> {
    /// A context with default settings: no decisions, no tuning and no tasks.
    pub fn new(
        memories: &'a Snapshot,
        texts: &'a dyn Texts,
        now: Timestamp,
        project: &'a dyn repository::Project,
    ) -> Self {
        let (decisions, tuning, play, worths) = &*NOTHING;
        Self {
            memories,
            texts,
            now,
            project,
            decisions,
            tuning,
            play,
            worths,
            weights: Weights::bundled(),
            focus: None,
        }
    }
}

/// One check. It sees every memory once (`check` and `gather`, called in parallel) and then all of
/// them together (`finish`), so that each text is read once for all rules.
#[derive(Debug)]
pub struct Rule {
    /// The id it reports under.
    pub id: &'static str,
    /// Its usual severity.
    pub severity: Severity,
    /// How bad its findings are for safety, 0 to 10 as in CVSS: over 7 high, over 4 medium.
    pub risk: Option<f32>,
    /// The numbers of it that can be set.
    pub thresholds: &'static [Threshold],
    /// The findings of it in one store that are one decision.
    pub joins: Joins,
    /// Its properties.
    pub traits: &'static [Trait],
    /// The verdict of a model on two memories that is reported under its id.
    verdict: Option<PairVerdict>,
    check: Check,
    /// Keeps the parts of a memory that it needs for `finish`.
    gather: fn(&Self, &Subject<'_>),
    /// Plays tasks through the policies of the stores while the memories are checked.
    play: Option<fn(&Self, &Context<'_>, &Facts)>,
    finish: Finish,
}

/// A property of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// It compares memories with each other.
    Compares,
    /// It asks a person which of two memories holds.
    Asks,
    /// Its findings on one memory may be about another.
    Relates,
    /// It also checks fields that a format keeps beside the text, as another text.
    Fields,
    /// Not even a digest of what it finds is kept.
    Leaks,
}

/// The check of one memory, and the check of all together.
type Check = fn(&Rule, &Subject<'_>, &mut Vec<Finding>);
type Finish = fn(&Rule, &Context<'_>, &Facts, &mut Collector<'_>);

impl Rule {
    const fn new(id: &'static str, severity: Severity) -> Self {
        Self {
            id,
            severity,
            risk: None,
            thresholds: &[],
            joins: Joins::Never,
            traits: &[],
            verdict: None,
            check: |_, _, _| {},
            gather: |_, _| {},
            play: None,
            finish: |_, _, _, _| {},
        }
    }

    /// A rule that checks each memory for itself.
    const fn checks(id: &'static str, severity: Severity, check: Check) -> Self {
        let rule = Self::new(id, severity);
        Self { check, ..rule }
    }

    /// A rule about safety that checks each memory for itself.
    const fn guards(id: &'static str, risk: f32, severity: Severity, check: Check) -> Self {
        let (rule, risk) = (Self::checks(id, severity, check), Some(risk));
        Self { risk, ..rule }
    }

    /// A rule that checks all memories together.
    const fn finishes(id: &'static str, severity: Severity, finish: Finish) -> Self {
        let rule = Self::new(id, severity);
        Self { finish, ..rule }
    }

    const fn gathers(self, gather: fn(&Self, &Subject<'_>)) -> Self {
        Self { gather, ..self }
    }

    const fn is(self, traits: &'static [Trait]) -> Self {
        Self { traits, ..self }
    }

    /// True if it has a property.
    pub fn has(&self, one: Trait) -> bool {
        self.traits.contains(&one)
    }

    const fn limits(self, thresholds: &'static [Threshold]) -> Self {
        Self { thresholds, ..self }
    }

    const fn joins(self, joins: Joins) -> Self {
        Self { joins, ..self }
    }

    const fn plays(self) -> Self {
        let play = Some(health::prepare as fn(&Self, &Context<'_>, &Facts));
        Self { play, ..self }
    }

    /// Checks one memory.
    pub fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        (self.check)(self, subject, out);
    }

    /// The same for a rule that compares memories, as a model may that is asked for a verdict.
    const fn compares(self, verdict: Option<PairVerdict>) -> Self {
        let rule = self.is(&[Compares, Asks, Relates]).gathers(pairs::gather);
        Self { verdict, ..rule }
    }
}

/// True for a rule about harm: a new warning of it stops a change until a person decides.
pub fn is_floor(id: &str) -> bool {
    let risk = rule(id).and_then(|rule| rule.risk);
    risk.is_some_and(|risk| risk >= 5.0)
}

/// True if a rule is about what misleads an agent that is given the memory.
fn misleads(rule: &str) -> bool {
    let marked = MARKED.iter().filter(|(_, name, _)| *name != "duplicate");
    let mut rules = marked.flat_map(|(.., rules)| *rules);
    rule == "pattern-matches-all" || rules.any(|own| *own == rule)
}

/// Every rule there is, in the order of the contract. A new rule is a file and a row here.
pub static RULES: &[Rule] = &[
    Rule::checks("load-error", Error, loading::check),
    Rule::checks("bad-date", Warning, loading::check),
    Rule::checks("missing-field", Error, loading::check),
    Rule::checks("unknown-value", Error, loading::check),
    Rule::checks("missing-file", Warning, loading::check),
    Rule::checks("invisible-to-loader", Warning, loading::invisible),
    Rule::checks("dead-appended", Warning, loading::appended),
    Rule::checks("pattern-matches-all", Warning, pattern::check),
    Rule::checks("pattern-never-matches", Warning, pattern::check),
    Rule::checks("pattern-alternative-regex", Warning, pattern::check),
    Rule::checks("pattern-invalid", Warning, pattern::check),
    Rule::checks("pattern-too-slow", Warning, pattern::check),
    Rule::checks("pattern-sentence", Info, pattern::check),
    Rule::checks("duplicate-id", Warning, loading::check),
    Rule::checks("duplicate-title", Warning, form::check_title).is(&[Relates]),
    Rule::checks("broken-relation", Warning, relation::check)
        .is(&[Relates])
        .joins(Joins::Always),
    Rule::checks("index-overflow", Warning, index_file::check).is(&[Relates]),
    Rule::checks("index-orphan", Info, index_file::check).is(&[Relates]),
    Rule::checks("index-dangling", Warning, index_file::check)
        .is(&[Relates])
        .joins(Joins::Always),
    Rule::checks("name-style", Info, form::check_name),
    Rule::checks("body-length", Info, form::length).limits(form::LIMITS),
    Rule::checks("cut-in-prompt", Info, form::cut_in_prompt),
    Rule::finishes("stale-path", Warning, stale_path::finish).gathers(stale_path::gather),
    Rule::checks("stale-command", Warning, stale_command::check),
    Rule::finishes("changed-since", Info, changed::finish).gathers(changed::gather),
    Rule::finishes("stale-symbol", Info, changed::lost_symbols).gathers(changed::gather_symbols),
    Rule::checks("stale-version", Info, stale_version::check),
    Rule::checks("expired", Info, ended::expired),
    Rule::finishes("contradiction", Warning, contradiction::finish)
        .compares(Some(PairVerdict::Contradiction)),
    Rule::checks("superseded-active", Warning, ended::superseded).is(&[Asks, Relates]),
    Rule::finishes("near-duplicate", Warning, duplicate::finish)
        .compares(Some(PairVerdict::Duplicate))
        .limits(duplicate::OF_SHORTER),
    Rule::finishes("contained", Warning, duplicate::finish)
        .compares(None)
        .limits(duplicate::OF_SHORTER),
    Rule::checks("failure-log", Warning, log::check)
        .joins(Joins::OnScreen)
        .limits(log::SHARE),
    Rule::finishes("never-selected", Info, health::finish).plays(),
    Rule::finishes("always-selected", Info, health::finish).plays(),
    Rule::checks("never-used", Info, health::unused).limits(health::USES),
    Rule::checks("ignored", Info, health::unused).limits(health::USES),
    Rule::guards("secret", 8.0, Warning, secret::check).is(&[Leaks, Fields]),
    Rule::guards("reader-instruction", 7.5, Warning, harmful::order).is(&[Fields]),
    Rule::guards("exfiltration-link", 7.5, Warning, harmful::link).is(&[Fields]),
    Rule::guards("personal-path", 2.0, Info, harmful::path).is(&[Fields]),
    Rule::checks("empty-body", Warning, form::empty),
    Rule::finishes("repeats-docs", Warning, duplicate::of_documents)
        .is(&[Relates])
        .gathers(pairs::gather),
    Rule::guards("terminal-escape", 5.0, Warning, harmful::characters),
    Rule::guards("invisible-unicode", 5.0, Warning, harmful::characters),
    // Its findings are made from all other findings.
    Rule::new(UNUSED, Info),
];

/// The rule with this id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

/// Checks every memory with the selected rules; findings by severity, path, line and rule.
pub fn run(cx: &Context<'_>, rules: &Selection) -> Vec<Finding> {
    digest(cx, rules, usize::MAX).findings
}

/// The ids of the rules that ask a person about two memories.
pub fn asking() -> impl Iterator<Item = &'static str> {
    let asking = RULES.iter().filter(|rule| rule.has(Asks));
    asking.map(|rule| rule.id)
}

/// The names of the project's files that rules read.
pub fn files() -> impl Iterator<Item = &'static str> {
    let documents = repository::DOCUMENTS.iter();
    documents
        .chain(stale_version::files())
        .chain(stale_command::files())
}

fn check(subject: &Subject<'_>, rules: &[&Rule]) -> collector::Found {
    let mut findings = Vec::new();
    for rule in rules {
        rule.check(subject, &mut findings);
    }
    if subject.memory.schema.can.in_rows || subject.is_cut() {
        // A text that is drawn from fields is not edited, and one that was cut would lose its end.
        for finding in &mut findings {
            finding.fix = finding.fix.take().filter(|fix| !fix.change.writes_text());
        }
    }
    redact(Some(subject), &mut findings);
    findings.extend(check_fields(subject, rules));
    let covered = log::covered(subject, rules, &findings);
    findings.retain(|finding| covered.is_none_or(|rules| !rules.has(finding.rule)));
    (findings, covered)
}

/// Runs rules on fields beside the text: findings are on its first line, and without fixes.
fn check_fields(subject: &Subject<'_>, rules: &[&Rule]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let text = fields_beside(subject.memory, subject.text);
    if text.is_empty() {
        return findings;
    }
    let (cx, facts, index) = (subject.cx, subject.facts, subject.index);
    let fields = Subject::new(cx, facts, index, subject.memory, &text);
    for rule in rules.iter().filter(|rule| rule.has(Fields)) {
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
    let memory = |finding: &Finding| cx.memories.get(finding.memory);
    let path = |one: &Finding| Some(memory(one)?.path.as_os_str().as_encoded_bytes());
    findings.par_sort_unstable_by(|a, b| {
        (a.severity.cmp(&b.severity))
            .then_with(|| path(a).cmp(&path(b)))
            .then_with(|| a.line.cmp(&b.line))
            .then_with(|| a.rule.cmp(b.rule))
            .then_with(|| (a.column, &a.message).cmp(&(b.column, &b.message)))
    });
}
