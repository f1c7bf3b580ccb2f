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
pub mod quotable;
mod reader;
mod relation;
pub mod report;
pub mod repository;
mod rows;
mod secret;
mod select;
mod silence;
mod stale_command;
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
pub use join::{Joins, join};
pub use reader::orders_its_reader;
pub use secret::{mask, mask_diff, redact};
pub use select::{Selection, UnknownRule, all_nearest, nearest, nearest_rule};
pub use silence::UNUSED;
pub use subject::{Subject, fields_beside};
pub use visibility::is_appended;

use rayon::slice::ParallelSliceMut as _;

use self::judged::PairVerdict;
use self::tuning::Threshold;
use crate::memory::Severity::{self, Error, Info, Warning};
use crate::memory::Timestamp;
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

/// One check. It sees every memory once (`check` and `gather`, called in parallel) and then all of
/// them together (`finish`), so that each text is read once for all rules.
pub struct Rule {
    /// The id it reports under.
    pub id: &'static str,
    /// Its usual severity.
    pub severity: Severity,
    /// The numbers of it that can be set.
    pub thresholds: &'static [Threshold],
    /// True if it compares memories with each other.
    pub compares: bool,
    /// True if it asks a person which of two memories holds.
    pub asks: bool,
    /// The findings of it in one store that are one decision.
    pub joins: Joins,
    /// True if it plays tasks through the policies of the stores.
    pub plays: bool,
    /// The verdict of a model on two memories that is reported under its id.
    verdict: Option<PairVerdict>,
    /// Checks one memory.
    check: fn(&Self, &Subject<'_>, &mut Vec<Finding>),
    /// Keeps the parts of a memory that it needs for `finish`.
    gather: fn(&Self, &Subject<'_>),
    /// Works out what `finish` needs and no check gives, while the memories are checked.
    prepare: fn(&Self, &Context<'_>, &Facts),
    /// Checks all memories together.
    finish: fn(&Self, &Context<'_>, &Facts, &mut Collector<'_>),
}

impl Rule {
    /// A rule that checks nothing yet.
    const fn new(id: &'static str, severity: Severity) -> Self {
        Self {
            id,
            severity,
            thresholds: &[],
            compares: false,
            asks: false,
            joins: Joins::Never,
            plays: false,
            verdict: None,
            check: |_, _, _| {},
            gather: |_, _| {},
            prepare: |_, _, _| {},
            finish: |_, _, _, _| {},
        }
    }

    /// A rule that checks each memory for itself.
    const fn checks(
        id: &'static str,
        severity: Severity,
        check: fn(&Self, &Subject<'_>, &mut Vec<Finding>),
    ) -> Self {
        let rule = Self::new(id, severity);
        Self { check, ..rule }
    }

    /// A rule that checks all memories together.
    const fn finishes(
        id: &'static str,
        severity: Severity,
        finish: fn(&Self, &Context<'_>, &Facts, &mut Collector<'_>),
    ) -> Self {
        let rule = Self::new(id, severity);
        Self { finish, ..rule }
    }

    /// Checks one memory.
    pub fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        (self.check)(self, subject, out);
    }

    /// Returns its title: the first sentence of its page, in one line.
    pub fn title(&self) -> String {
        pages::title(self.id)
    }

    /// The page of help.
    pub fn help(&self) -> &'static str {
        pages::page(self.id)
    }
}

/// Rules that also check fields that a format keeps beside the text, as another text.
const OF_FIELDS: [&str; 4] = [
    "secret",
    "reader-instruction",
    "exfiltration-link",
    "personal-path",
];

/// Rules about what harms an agent, a terminal or a person's accounts.
const FLOOR: [&str; 5] = [
    "secret",
    "reader-instruction",
    "exfiltration-link",
    "terminal-escape",
    "invisible-unicode",
];

/// True if a rule is about what misleads an agent that is given the memory.
fn misleads(rule: &str) -> bool {
    let marked = MARKED.iter().filter(|(_, name, _)| *name != "duplicate");
    let mut rules = marked.flat_map(|(.., rules)| *rules);
    rule == "pattern-matches-all" || rules.any(|own| *own == rule)
}

/// Every rule there is, in the order of the contract. A new rule is a file and a row here.
pub static RULES: &[Rule] = &[
    Rule::checks("load-error", Error, load::load_error),
    Rule::checks("bad-date", Warning, load::bad_date),
    Rule::checks("missing-field", Error, load::problems),
    Rule::checks("unknown-value", Error, load::unknown_value),
    Rule::checks("missing-file", Warning, load::problems),
    Rule::checks("invisible-to-loader", Warning, visibility::invisible),
    Rule::checks("dead-appended", Warning, visibility::appended),
    Rule::checks("pattern-matches-all", Warning, pattern::check),
    Rule::checks("pattern-never-matches", Warning, pattern::check),
    Rule::checks("pattern-alternative-regex", Warning, pattern::check),
    Rule::checks("pattern-invalid", Warning, pattern::check),
    Rule::checks("pattern-too-slow", Warning, pattern::check),
    Rule::checks("pattern-sentence", Info, pattern::check),
    Rule::checks("duplicate-id", Warning, load::problems),
    Rule::checks("duplicate-title", Warning, name::check_title),
    Rule {
        joins: Joins::Always,
        ..Rule::checks("broken-relation", Warning, relation::check)
    },
    Rule::finishes("index-overflow", Warning, index::overflow),
    Rule::finishes("index-orphan", Info, index::orphans),
    Rule::finishes("index-dangling", Warning, index::dangling),
    Rule::checks("name-style", Info, name::check_name),
    Rule {
        thresholds: body::LIMITS,
        ..Rule::checks("body-length", Info, body::length)
    },
    Rule::checks("cut-in-prompt", Info, body::cut_in_prompt),
    Rule {
        gather: stale_path::gather,
        ..Rule::finishes("stale-path", Warning, stale_path::finish)
    },
    Rule::checks("stale-command", Warning, stale_command::check),
    Rule {
        gather: changed::gather,
        ..Rule::finishes("changed-since", Info, changed::finish)
    },
    Rule {
        gather: stale_symbol::gather,
        ..Rule::finishes("stale-symbol", Info, stale_symbol::finish)
    },
    Rule::checks("stale-version", Info, stale_version::check),
    Rule::checks("expired", Info, expired::check),
    Rule {
        compares: true,
        asks: true,
        verdict: Some(PairVerdict::Contradiction),
        check: contradiction::check,
        gather: pairs::gather,
        ..Rule::finishes("contradiction", Warning, contradiction::finish)
    },
    Rule {
        asks: true,
        ..Rule::checks("superseded-active", Warning, superseded::check)
    },
    Rule {
        compares: true,
        asks: true,
        thresholds: duplicate::OF_SHORTER,
        verdict: Some(PairVerdict::Duplicate),
        gather: pairs::gather,
        ..Rule::finishes("near-duplicate", Warning, duplicate::finish)
    },
    Rule {
        compares: true,
        asks: true,
        thresholds: duplicate::OF_SHORTER,
        gather: pairs::gather,
        ..Rule::finishes("contained", Warning, duplicate::finish)
    },
    Rule {
        thresholds: log::SHARE,
        joins: Joins::OnScreen,
        ..Rule::checks("failure-log", Warning, log::check)
    },
    Rule {
        plays: true,
        prepare: health::prepare,
        ..Rule::finishes("never-selected", Info, health::finish)
    },
    Rule {
        plays: true,
        prepare: health::prepare,
        ..Rule::finishes("always-selected", Info, health::finish)
    },
    Rule::checks("secret", Warning, secret::check),
    Rule::checks("reader-instruction", Warning, reader::check),
    Rule::checks("exfiltration-link", Warning, exposure::check),
    Rule::checks("personal-path", Info, personal::check),
    Rule::checks("empty-body", Warning, empty::check),
    Rule::checks("repeats-docs", Warning, documents::check),
    Rule::checks("terminal-escape", Warning, hostile::check),
    Rule::checks("invisible-unicode", Warning, hostile::check),
    // Its findings are made from all other findings.
    Rule::new(UNUSED, Info),
];

/// The rule with this id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

/// Checks every memory with the selected rules, in parallel; findings by severity, path, line
/// and rule.
pub fn run(cx: &Context<'_>, rules: &Selection) -> Vec<Finding> {
    digest(cx, rules, usize::MAX).findings
}

/// The ids of the rules that ask a person about two memories.
pub fn asking() -> impl Iterator<Item = &'static str> {
    let asking = RULES.iter().filter(|rule| rule.asks);
    asking.map(|rule| rule.id)
}

/// The names of the project's files that rules read.
pub fn files() -> impl Iterator<Item = &'static str> {
    let documents = repository::DOCUMENTS.iter().copied();
    documents
        .chain(stale_version::files())
        .chain(stale_command::files())
}

/// Runs rules on a memory.
fn check(subject: &Subject<'_>, rules: &[&Rule]) -> collector::Found {
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
fn covered(subject: &Subject<'_>, rules: &[&Rule], findings: &[Finding]) -> Vec<&'static str> {
    let is_selected = |id: &str| rules.iter().any(|rule| rule.id == id);
    let finds = |rule: &&Rule| {
        if is_selected(rule.id) {
            return findings.iter().any(|finding| finding.rule == rule.id);
        }
        let mut found = Vec::new();
        rule.check(subject, &mut found);
        !found.is_empty()
    };
    let covering = RULES
        .iter()
        .filter(|rule| report::covers(rule.id).iter().any(|id| is_selected(id)));
    let covering = covering.filter(finds);
    let covered = covering.flat_map(|rule| report::covers(rule.id));
    covered.map(String::as_str).collect()
}

/// Runs rules on fields that are no part of the text: findings are on its first line, and without
/// fixes.
fn check_fields(subject: &Subject<'_>, rules: &[&Rule]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let text = fields_beside(subject.memory, subject.text);
    if text.is_empty() {
        return findings;
    }
    let (cx, facts, index) = (subject.cx, subject.facts, subject.index);
    let fields = Subject::new(cx, facts, index, subject.memory, &text);
    let is_of_fields = |rule: &&&Rule| OF_FIELDS.contains(&rule.id);
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
