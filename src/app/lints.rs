//! The findings, grouped by rule, and the question for them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use itertools::Itertools as _;

use super::Model;
use super::cursor::Cursor;
use super::msg::{Question, Slot};
use super::world::{Stamp, World, stamp};
use crate::curate::Change;
use crate::lint::{Digest, Finding, Fix, is_floor};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, Severity, Timestamp};
use crate::retrieval::Snapshot;
use crate::search::query::{Marks, RuleSet};
use crate::search::{Hit, Query, is_loose};
use crate::text::rule_pages;

/// A row of the list of findings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Row {
    /// The rule of the rows below, the worst it found, and how many.
    Rule(&'static str, Severity, usize),
    /// The suggestions; true if they are folded into this row.
    Suggestions(bool),
    /// A finding, by its index.
    Finding(usize),
}

impl Row {
    const fn finding(&self) -> Option<usize> {
        match self {
            Self::Finding(n) => Some(*n),
            Self::Rule(..) | Self::Suggestions(_) => None,
        }
    }
}

/// Identifies a finding from one lint to the next. One that became a suggestion is another: the
/// person goes on where it stood.
pub type Key = (MemoryId, &'static str, u32, Severity);

pub fn key_at(world: &World, n: usize) -> Option<Key> {
    let found = world.finding(n)?;
    let id = world.memory_of(found)?.id.clone();
    Some((id, found.rule, found.line, found.severity))
}

#[derive(Debug, Default)]
pub struct Lints {
    /// The memories that the filter leaves, by their index in the linted snapshot; none where
    /// nothing is filtered.
    within: Option<Vec<bool>>,
    /// The query they are filtered by; one that names rules leaves only what those found.
    query: Option<Query>,
    /// The clock, for queries about time.
    now: Timestamp,
    /// True if the suggestions are listed though there is something worse.
    suggests: bool,
    /// The rules of the suggestions, each with how many there are.
    pub suggestions: Vec<(&'static str, usize)>,
    pub rows: Vec<Row>,
    pub cursor: Cursor<Key>,
    /// True if a lint was asked for and has not answered.
    pub running: bool,
    pub known: bool,
    /// The diff of the fix of the selected finding, once it is known.
    pub diff: Option<Arc<str>>,
    /// The linted snapshot.
    asked: Option<Stamp>,
    /// The finding whose fix is shown, and the snapshot it was found in.
    pub(super) asked_fix: Option<(usize, Key, Stamp)>,
}

/// The findings of a rule in the list, the surest first.
struct Group {
    rule: &'static str,
    severity: Severity,
    count: usize,
    list: Vec<usize>,
}

impl Lints {
    /// True if the filter leaves a finding: it is of a rule that the query asks for, and each word
    /// is in its rule, its message or its memory.
    pub fn in_filter(&self, world: &World, finding: &Finding) -> bool {
        let Some(within) = &self.within else {
            return true;
        };
        let (rule, title) = (finding.rule, rule_pages::title(finding.rule));
        let text = format!("{rule} {title} {}", finding.message);
        let query = self.query.as_ref();
        let query = query.filter(|query| query.asks_for(finding.rule));
        let Some((query, rest)) = query.and_then(|query| Some((query, query.rest_beside(&text)?)))
        else {
            return false;
        };
        let is_less = rest != *query;
        let is_match = |memory: &Arc<Memory>| {
            let marks = Marks {
                findings: RuleSet::of(finding.rule),
                count: 1,
                new: world.is_new(memory),
                worth: world.worths.of(&memory.id).unwrap_or_default(),
            };
            let rank = rest.matches(memory, &marks, self.now, None);
            rank.is_some_and(|rank| !is_loose(rank))
        };
        let is_in = |index: usize| {
            within.get(index) == Some(&true) || is_less && world.linted(index).is_some_and(is_match)
        };
        let memories = finding.each().map(|one| one.memory);
        rest.is_empty() || memories.chain(finding.related.iter().copied()).any(is_in)
    }

    /// The rules that the filter leaves findings of: what harms and then the worst first, of those
    /// what a fix puts right, in each the surest first; suggestions last.
    fn groups(&self, world: &World) -> Vec<Group> {
        let found = world.findings().iter().enumerate();
        let found = found.filter(|(_, finding)| self.in_filter(world, finding));
        let rules = found.into_group_map_by(|(_, finding)| finding.rule);
        let group = |(rule, mut found): (&'static str, Vec<(usize, &Finding)>)| {
            found.sort_by(|a, b| b.1.confidence.total_cmp(&a.1.confidence));
            let left_out = world.digest.left_out.get(rule).copied().unwrap_or(0);
            let held: usize = found.iter().map(|(_, finding)| finding.count()).sum();
            let (first, surest) = *found.first()?;
            let severity = found.iter().map(|(_, finding)| finding.severity).min()?;
            // Groups that one key can fix come first.
            let has_fix = found.iter().any(|(_, finding)| finding.fix.is_some());
            let group = Group {
                rule,
                severity,
                // Of which memories those are that are not held is not known.
                count: held + self.within.as_ref().map_or(left_out, |_| 0),
                list: found.iter().map(|(n, _)| *n).collect(),
            };
            let is_light = severity == Severity::Info;
            let order = (is_light, !is_floor(rule), severity, !has_fix);
            Some((order, surest.confidence, first, group))
        };
        let mut groups = rules.into_iter().filter_map(group).collect_vec();
        groups.sort_by(|(a, sure, at, _), (b, surer, before, _)| {
            a.cmp(b).then(surer.total_cmp(sure)).then(at.cmp(before))
        });
        groups.into_iter().map(|(.., group)| group).collect()
    }

    /// Puts the findings of the memories that the filter leaves into rows.
    pub fn arrange(&mut self, world: &World, of: (Option<&[Hit]>, Option<&Query>), now: Timestamp) {
        let (hits, query) = of;
        self.now = now;
        self.within = hits.map(|hits| world.linted_among(hits));
        self.query = query.filter(|_| hits.is_some()).cloned();
        let groups = self.groups(world);
        self.rows.clear();
        let is_light = |group: &&Group| group.severity == Severity::Info;
        let light = groups.iter().filter(is_light);
        self.suggestions = light.map(|group| (group.rule, group.count)).collect();
        // Alone, or looked for, they are listed.
        let is_mixed = !self.suggestions.is_empty() && self.suggestions.len() < groups.len();
        let folds = is_mixed && !self.suggests && self.query.is_none();
        let mut is_marked = !is_mixed;
        for group in groups {
            let is_light = group.severity == Severity::Info;
            if is_light && !std::mem::replace(&mut is_marked, true) {
                self.rows.push(Row::Suggestions(folds));
            }
            if is_light && folds {
                break;
            }
            let rule = Row::Rule(group.rule, group.severity, group.count);
            self.rows.push(rule);
            self.rows.extend(group.list.into_iter().map(Row::Finding));
        }
        self.stay(world);
    }

    /// Stays on the selected finding, or on the one that is in its place now.
    fn stay(&mut self, world: &World) {
        let rows = &self.rows;
        let before = self.cursor.row;
        let place = |chosen: &Key| {
            let key = |row: &Row| key_at(world, row.finding()?);
            rows.iter()
                .position(|row| key(row).as_ref() == Some(chosen))
        };
        let chosen = self.cursor.chosen.as_ref();
        // Who stands on the row of the suggestions stays there.
        let is_gone = chosen.map_or(before > 0, |chosen| place(chosen).is_none());
        self.cursor.follow(rows.len(), place);
        if is_gone {
            self.cursor.row = before;
            self.go(world, before);
        } else if self.cursor.row == 0 && matches!(self.rows.first(), Some(Row::Rule(..))) {
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
            Row::Rule(..) | Row::Suggestions(_) => 0,
        });
        held.sum()
    }

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
        let stands = |row: &usize| {
            let row = rows.get(*row);
            row.is_some_and(|row| row.finding().is_some() || matches!(row, Row::Suggestions(_)))
        };
        let before = || (0..=to).rev().find(stands);
        let after = || (to..=last).find(stands);
        let found = match to < cursor.row {
            true => before().or_else(after),
            false => after().or_else(before),
        };
        cursor.go(found.unwrap_or(to), rows.len(), |row| {
            key_at(world, rows.get(row)?.finding()?)
        });
    }

    /// Where the person stands on the row of the suggestions: true if they are folded into it.
    pub fn on_suggestions(&self) -> Option<bool> {
        match self.rows.get(self.cursor.row)? {
            Row::Suggestions(is_folded) => Some(*is_folded),
            _ => None,
        }
    }

    /// Lists the suggestions when they are arranged next, or folds them; false if nothing changes.
    pub const fn suggest(&mut self, is_listed: bool) -> bool {
        std::mem::replace(&mut self.suggests, is_listed) != is_listed
    }
}

/// Number of memories that a finding stands for, if several.
pub fn members(finding: &Finding) -> Option<usize> {
    let memories: BTreeSet<usize> = finding.joined.iter().map(|one| one.memory).collect();
    Some(memories.len()).filter(|count| *count > 1)
}

/// The fixes that are applied without review, and how many are left for a person to decide.
pub fn unseen<'f>(fixes: impl Iterator<Item = &'f Fix>) -> (Vec<&'f Fix>, usize) {
    let (safe, left): (Vec<&Fix>, Vec<&Fix>) = fixes.partition(|fix| fix.safe);
    (safe, left.len())
}

/// The fixes that can be applied together: edits of different fields, what changes a whole file
/// if nothing else does, and any number of memories that leave a file: one file has fixes of one kind
/// at a time. A fix that is left out is found again.
pub fn together<'f>(memories: &[Arc<Memory>], fixes: impl Iterator<Item = &'f Fix>) -> Vec<Change> {
    let mut kinds = HashMap::new();
    let mut taken = HashSet::new();
    let mut wanted = Vec::new();
    for fix in fixes {
        let Some(memory) = memories.get(fix.memory) else {
            continue;
        };
        // Nothing else goes with a change of the whole file.
        let fields = match &fix.change {
            Change::Edit { edits, .. } => edits.iter().map(FieldEdit::field_name).collect(),
            Change::Archive(_) => vec![""],
            _ => Vec::new(),
        };
        let kind = std::mem::discriminant(&fix.change);
        let is_part = !fields.is_empty();
        let parts = fields.into_iter().map(|field| (fix.memory, field));
        let parts: Vec<_> = parts.collect();
        let known = kinds.get(&memory.path);
        let is_open = known.is_none_or(|known| is_part && *known == kind);
        if is_open && parts.iter().all(|part| !taken.contains(part)) {
            kinds.insert(memory.path.clone(), kind);
            taken.extend(parts);
            wanted.push(fix.change.clone());
        }
    }
    wanted
}

/// Lints a snapshot.
#[derive(Debug)]
pub struct Lint(pub Snapshot);

impl Question for Lint {
    const SLOT: Slot = "lint";
    const ASIDE: bool = true;
    /// The snapshot that the indexes stand for, and its findings.
    type Answer = (Snapshot, Digest);

    fn settle((memories, digest): Self::Answer, model: &mut Model) {
        model.world.linted_as(memories, digest);
        model.lints.running = false;
        model.lints.known = true;
        model.arrange_lints();
        model.renew_proposal();
    }
}

/// Every complete snapshot is linted.
pub fn ask(model: &mut Model) {
    let now = stamp(&model.world.memories);
    if !model.world.complete || model.lints.asked == Some(now) {
        return;
    }
    model.lints.asked = Some(now);
    model.lints.running = true;
    model.request(Lint(Arc::clone(&model.world.memories)));
}

/// Lints again: something beside the memories changed.
pub fn lint_again(model: &mut Model) {
    model.lints.asked = None;
    model.inject.saved.asked = None;
}
