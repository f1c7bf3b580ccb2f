//! The review queue of notes: those that differ from the notes of the last commit.

use std::collections::BTreeMap;
use std::sync::Arc;

use memkeep::app::{Card, Found, Queue};
use memkeep::curate::differences::{Against, Entry, Kind, Side, Stage, pair};
use memkeep::memory::{MemoryId, Severity};

use crate::fixtures::Note;

/// What is committed, what is staged of the rest, and the messages of commits.
#[derive(Clone, Debug, Default)]
pub struct Commits {
    pub base: Vec<Note>,
    pub staged: BTreeMap<String, Note>,
    pub messages: Vec<String>,
    /// Findings of each entry that were there before.
    pub older: usize,
    /// Proposals that wait, and the decisions on them.
    pub proposed: Vec<Entry>,
    pub decided: BTreeMap<String, &'static str>,
    /// The rule of the new ones, if it is another than `stale-path`.
    pub rule: Option<&'static str>,
}

fn side(note: &Note) -> Side {
    Side {
        memory: Arc::new(note.memory()),
        text: note.text().into(),
        body: note.body.as_str().into(),
    }
}

impl Commits {
    /// The queue of these notes; a modified one has a finding.
    pub fn queue(&self, notes: &[Note]) -> Queue {
        let sides = |notes: &[Note]| notes.iter().map(side).collect();
        let active: Vec<Note> = notes
            .iter()
            .filter(|note| !note.archived)
            .cloned()
            .collect();
        let entries = pair(sides(&self.base), sides(&active), &Against::Commit);
        let card = |mut entry: Entry| {
            if self.staged.contains_key(&*entry.id.local) {
                entry.staged = Stage::Yes;
            }
            let found = |is_new| Found {
                rule: self.rule.unwrap_or("stale-path"),
                severity: Severity::Warning,
                message: "src/auth.rs is gone".to_owned(),
                is_new,
            };
            let has_finding = entry.kind == Kind::Modified;
            let findings = has_finding.then(|| found(true)).into_iter();
            let older = std::iter::repeat_n(found(false), self.older);
            Card {
                entry: Arc::new(entry),
                findings: findings.chain(older).collect(),
                effects: Vec::new(),
                others: Vec::new(),
            }
        };
        let proposed = self.proposed.iter().cloned();
        let mut cards: Vec<Card> = entries.into_iter().chain(proposed).map(card).collect();
        cards.sort_by_key(|card| card.entry.path().map(std::path::Path::to_path_buf));
        Queue {
            cards,
            notes: Vec::new(),
            is_assessed: true,
        }
    }

    /// Decides on proposals.
    pub fn decide(&mut self, ids: &[MemoryId], decision: &'static str) {
        let is_one = |entry: &Entry| ids.contains(&entry.id);
        for entry in self.proposed.iter().filter(|entry| is_one(entry)) {
            self.decided.insert(entry.id.local.to_string(), decision);
        }
        self.proposed.retain(|entry| !is_one(entry));
    }

    /// Commits what is staged.
    pub fn commit(&mut self, message: String) {
        for (local, note) in std::mem::take(&mut self.staged) {
            self.base.retain(|one| one.local != local);
            self.base.push(note);
        }
        self.messages.push(message);
    }
}
