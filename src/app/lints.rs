//! What lint found, grouped by rule.

use super::cursor::Cursor;
use super::world::World;
use crate::lint::Finding;
use crate::memory::{MemoryId, Severity};

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
    },
    /// A finding, by its index.
    Finding(usize),
}

/// What a finding is known by from one lint to the next.
pub type Key = (MemoryId, &'static str, u32);

/// The list of findings.
#[derive(Debug, Default)]
pub struct Lints {
    /// The rows.
    pub rows: Vec<Row>,
    /// Where the person stands.
    pub cursor: Cursor<Key>,
    /// Whether a lint was asked for and has not answered.
    pub running: bool,
    /// Whether there is an answer.
    pub known: bool,
}

impl Lints {
    /// Puts the findings into rows: worst rules first, in each the surest first.
    pub fn arrange(&mut self, world: &World) {
        let mut groups: Vec<(Severity, &'static str, Vec<usize>)> = Vec::new();
        for (n, finding) in world.findings().iter().enumerate() {
            match groups.iter_mut().find(|group| group.1 == finding.rule) {
                Some(group) => {
                    group.0 = group.0.min(finding.severity);
                    group.2.push(n);
                }
                None => groups.push((finding.severity, finding.rule, vec![n])),
            }
        }
        let sureness = |n: &usize| world.finding(*n).map_or(0.0, |found| -found.confidence);
        let surest = |list: &[usize]| list.iter().map(sureness).fold(0.0, f64::min);
        for (_, _, list) in &mut groups {
            list.sort_by(|a, b| sureness(a).total_cmp(&sureness(b)));
        }
        groups.sort_by(|a, b| {
            let key = |group: &(Severity, &'static str, Vec<usize>)| surest(&group.2);
            a.0.cmp(&b.0).then(key(a).total_cmp(&key(b)))
        });
        self.rows.clear();
        for (severity, rule, list) in groups {
            let count = list.len() + world.left_out(rule);
            self.rows.push(Row::Rule {
                rule,
                severity,
                count,
            });
            self.rows.extend(list.into_iter().map(Row::Finding));
        }
        let rows = &self.rows;
        let first = rows.len().min(1);
        self.cursor.follow(rows.len(), |chosen| {
            rows.iter().position(|row| {
                matches!(row, Row::Finding(n) if world.finding(*n).and_then(|found| key(world, found)).as_ref() == Some(chosen))
            })
        });
        if self.cursor.row == 0 {
            self.cursor.row = first;
        }
    }

    /// The finding a person stands on, by its index.
    pub fn current(&self) -> Option<usize> {
        match self.rows.get(self.cursor.row) {
            Some(Row::Finding(n)) => Some(*n),
            _ => None,
        }
    }

    /// Goes to a row, past the name of a rule in the direction of the move.
    pub fn go(&mut self, world: &World, row: usize) {
        let Self { rows, cursor, .. } = self;
        let last = rows.len().saturating_sub(1);
        let mut to = row.min(last);
        if matches!(rows.get(to), Some(Row::Rule { .. })) {
            let up = to < cursor.row && to > 0;
            to = if up { to - 1 } else { (to + 1).min(last) };
        }
        cursor.go(to, rows.len(), |row| match rows.get(row) {
            Some(Row::Finding(n)) => key(world, world.finding(*n)?),
            _ => None,
        });
    }
}

/// What a finding is known by.
pub fn key(world: &World, finding: &Finding) -> Option<Key> {
    let memory = world.memory_of(finding)?;
    Some((memory.id.clone(), finding.rule, finding.line))
}
