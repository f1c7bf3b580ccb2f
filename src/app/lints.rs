//! The findings, grouped by rule.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::browse::Filter;
use super::cursor::Cursor;
use super::fixes::{together, unseen};
use super::world::World;
use crate::curate::Change;
use crate::lint::Finding;
use crate::memory::{Memory, MemoryId, Severity, Timestamp};
use crate::search::query::{Marks, RuleSet};
use crate::search::{Query, is_loose};

/// A row of the list of findings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Row {
    /// The rule of the rows below.
    Rule {
        /// Its id.
        rule: &'static str,
        /// The worst it found.
        severity: Severity,
        /// How many.
        count: usize,
        /// The least and the most confidence in them, in percent.
        confidence: (u32, u32),
    },
    /// Only suggestions follow.
    Suggestions,
    /// A finding, by its index.
    Finding(usize),
    /// Further findings of the rule above, folded into one row.
    More {
        /// Its id.
        rule: &'static str,
        /// How many.
        count: usize,
        /// The first of them, by its index.
        first: usize,
    },
}

impl Row {
    /// The finding it is about, the first of several.
    const fn finding(&self) -> Option<usize> {
        match self {
            Self::Finding(n) | Self::More { first: n, .. } => Some(*n),
            Self::Rule { .. } | Self::Suggestions => None,
        }
    }
}

/// Findings of a rule that are listed until the others are asked for, and the most of which all are.
const SHOWN: usize = 3;
const ALL_SHOWN: usize = SHOWN + 2;

/// Identifies a finding from one lint to the next. One that became a suggestion is another: the
/// person goes on where it stood.
pub type Key = (MemoryId, &'static str, u32, Severity);

/// The list of findings.
#[derive(Debug, Default)]
pub struct Lints {
    /// The memories that the filter leaves, by their index in the linted snapshot; none where
    /// nothing is filtered.
    within: Option<Vec<bool>>,
    /// The query they are filtered by; one that names rules leaves only what those found.
    query: Option<Query>,
    /// The clock, for queries about time.
    now: Timestamp,
    /// The rules of which all findings are listed.
    unfolded: BTreeSet<&'static str>,
    /// True if the surest come first whatever their rule.
    pub flat: bool,
    /// The rows.
    pub rows: Vec<Row>,
    /// The selected row.
    pub cursor: Cursor<Key>,
    /// True if a lint was asked for and has not answered.
    pub running: bool,
    /// True if there is an answer.
    pub known: bool,
    /// The diff of the fix of the selected finding, once it is known.
    pub diff: Option<Arc<str>>,
}

impl Lints {
    /// True if the filter leaves a finding: it is of a rule that the query asks for, and each word
    /// is in its rule, its message or its memory.
    pub fn in_filter(&self, world: &World, finding: &Finding) -> bool {
        let Some(within) = &self.within else {
            return true;
        };
        let Some(query) = &self.query else {
            return false;
        };
        let text = format!("{} {}", finding.rule, finding.message);
        let rest = query
            .asks_for(finding.rule)
            .then(|| query.rest_beside(&text));
        let Some(rest) = rest.flatten() else {
            return false;
        };
        let marks = Marks {
            findings: RuleSet::of(finding.rule),
            count: 1,
            new: false,
        };
        let is_less = rest != *query;
        let is_in = |index: usize| {
            let memory = world.linted(index).filter(|_| is_less);
            let is_match = |memory: &Arc<Memory>| {
                let new = world.is_new(memory);
                let marks = Marks { new, ..marks };
                let rank = rest.matches(memory, &marks, self.now, None);
                rank.is_some_and(|rank| !is_loose(rank))
            };
            within.get(index) == Some(&true) || memory.is_some_and(is_match)
        };
        let memories = finding.each().map(|one| one.memory);
        rest.is_empty() || memories.chain(finding.related.iter().copied()).any(is_in)
    }

    /// Puts the findings of the memories that the filter leaves into rows: worst rules first, of
    /// those what a fix puts right, in each the surest first. Findings of a rule beyond the first
    /// few are folded, unless something is looked for.
    pub fn arrange(&mut self, world: &World, filter: &Filter, now: Timestamp) {
        self.now = now;
        let hits = filter.hits.as_deref();
        self.within = hits.map(|hits| world.linted_among(hits));
        self.query = filter.query.clone().filter(|_| hits.is_some());
        let mut groups: Vec<(Severity, &'static str, Vec<usize>)> = Vec::new();
        for (n, finding) in world.findings().iter().enumerate() {
            if !self.in_filter(world, finding) {
                continue;
            }
            match groups.iter_mut().find(|group| group.1 == finding.rule) {
                Some(group) => {
                    group.0 = group.0.min(finding.severity);
                    group.2.push(n);
                }
                None => groups.push((finding.severity, finding.rule, vec![n])),
            }
        }
        let sureness = |n: &usize| world.finding(*n).map_or(0.0, |found| -found.confidence);
        let percent = |n: Option<&usize>| n.map_or(0.0, |n| -100.0 * sureness(n)).round() as u32;
        let surest = |list: &[usize]| list.iter().map(sureness).fold(0.0, f64::min);
        let has_fix = |n: &usize| world.finding(*n).is_some_and(|found| found.fix.is_some());
        // Groups that one key can fix come first.
        let lasts = |list: &[usize]| !list.iter().any(has_fix);
        for (_, _, list) in &mut groups {
            list.sort_by(|a, b| sureness(a).total_cmp(&sureness(b)));
        }
        groups.sort_by(|a, b| {
            let key = |group: &(Severity, &'static str, Vec<usize>)| surest(&group.2);
            (a.0, lasts(&a.2))
                .cmp(&(b.0, lasts(&b.2)))
                .then(key(a).total_cmp(&key(b)))
        });
        let folds = self.query.is_none();
        self.rows.clear();
        if self.flat {
            let mut all: Vec<usize> = groups.drain(..).flat_map(|group| group.2).collect();
            all.sort_by(|a, b| sureness(a).total_cmp(&sureness(b)).then(a.cmp(b)));
            self.rows.extend(all.into_iter().map(Row::Finding));
        }
        for (severity, rule, list) in groups {
            let heavier = self.rows.iter().rev().find_map(|row| match row {
                Row::Rule { severity, .. } => Some(*severity < Severity::Info),
                _ => None,
            });
            if severity == Severity::Info && heavier == Some(true) {
                self.rows.push(Row::Suggestions);
            }
            let held = list.iter().filter_map(|n| world.finding(*n));
            let held = held.map(Finding::count).sum::<usize>();
            let count = held + self.left_out(world, rule);
            self.rows.push(Row::Rule {
                rule,
                severity,
                count,
                confidence: (percent(list.last()), percent(list.first())),
            });
            let is_folded = folds && list.len() > ALL_SHOWN && !self.unfolded.contains(rule);
            let shown = if is_folded { SHOWN } else { list.len() };
            let (shown, more) = list.split_at(shown);
            self.rows.extend(shown.iter().copied().map(Row::Finding));
            self.rows.extend(more.first().map(|first| Row::More {
                rule,
                count: more.len(),
                first: *first,
            }));
        }
        let rows = &self.rows;
        let before = self.cursor.row;
        let place = |chosen: &Key| {
            rows.iter().position(|row| {
                let finding = row.finding().and_then(|n| world.finding(n));
                finding.and_then(|found| key(world, found)).as_ref() == Some(chosen)
            })
        };
        let chosen = self.cursor.chosen.as_ref();
        let is_gone = chosen.is_some_and(|chosen| place(chosen).is_none());
        self.cursor.follow(rows.len(), place);
        if is_gone {
            // The selected finding is gone: select the one now in its place.
            self.cursor.row = before;
            self.go(world, before);
        } else if self.cursor.row == 0 && matches!(self.rows.first(), Some(Row::Rule { .. })) {
            self.cursor.row = self.rows.len().min(1);
        }
    }

    /// Number of findings that are listed, those that are counted and not held with them.
    pub fn listed(&self, world: &World) -> usize {
        if self.within.is_none() {
            return world.found();
        }
        let held = self.rows.iter().map(|row| match row {
            Row::Finding(n) => world.finding(*n).map_or(0, Finding::count),
            Row::More { count, .. } => *count,
            Row::Rule { .. } | Row::Suggestions => 0,
        });
        held.sum()
    }

    /// Number of findings of a rule that are counted and not held; which memories they are of is
    /// not known, and so none of them is counted among those of a filter.
    pub fn left_out(&self, world: &World, rule: &str) -> usize {
        match self.within {
            None => world.left_out(rule),
            Some(_) => 0,
        }
    }

    /// The finding a person stands on, by its index.
    pub fn current(&self) -> Option<usize> {
        match self.rows.get(self.cursor.row) {
            Some(Row::Finding(n)) => Some(*n),
            _ => None,
        }
    }

    /// Goes to a row, past what is no finding in the direction of the move.
    pub fn go(&mut self, world: &World, row: usize) {
        let Self { rows, cursor, .. } = self;
        let last = rows.len().saturating_sub(1);
        let to = row.min(last);
        let is_finding = |row: &usize| rows.get(*row).is_some_and(|row| row.finding().is_some());
        let before = || (0..=to).rev().find(is_finding);
        let after = || (to..=last).find(is_finding);
        let found = match to < cursor.row {
            true => before().or_else(after),
            false => after().or_else(before),
        };
        let to = found.unwrap_or(to);
        cursor.go(to, rows.len(), |row| {
            key(world, world.finding(rows.get(row)?.finding()?)?)
        });
    }

    /// The rule whose further findings are folded into the row the person stands on.
    pub fn folded(&self) -> Option<&'static str> {
        match self.rows.get(self.cursor.row) {
            Some(Row::More { rule, .. }) => Some(rule),
            _ => None,
        }
    }

    /// Lists all findings of a rule when they are arranged next.
    pub fn unfold(&mut self, rule: &'static str) {
        self.unfolded.insert(rule);
    }
}

/// The fixes of a rule that can be made in one step, those that `lint --fix` makes, and how many
/// are left for a person to decide. Of the findings that are shown only.
pub fn fixes_of(
    world: &World,
    rule: &str,
    shown: impl Fn(&Finding) -> bool,
) -> (Vec<Change>, usize) {
    let findings = world.findings().iter();
    let of_rule = findings.filter(|finding| finding.rule == rule && shown(finding));
    let (safe, left) = unseen(of_rule.filter_map(|finding| finding.fix.as_deref()));
    (together(world.linted_all(), safe.into_iter()), left)
}

/// Number of memories that a finding stands for, if several.
pub fn members(finding: &Finding) -> Option<usize> {
    Some(finding.joined.len()).filter(|count| *count > 1)
}

/// The key of a finding.
pub fn key(world: &World, finding: &Finding) -> Option<Key> {
    let memory = world.memory_of(finding)?;
    Some((
        memory.id.clone(),
        finding.rule,
        finding.line,
        finding.severity,
    ))
}
