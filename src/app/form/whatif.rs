//! The effect of an unsaved edit on the ranking of the current task.

use std::collections::BTreeMap;

use crate::retrieval::Preview;

/// The ranking before and after an edit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WhatIf {
    /// The task, as it was typed.
    pub task: String,
    /// The memory that is edited.
    pub this: Move,
    /// The others whose place or score changes, by their new place.
    pub rows: Vec<Move>,
}

/// The move of one memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Move {
    /// Its title.
    pub title: String,
    /// Its place before; none where it is out.
    pub before: Option<usize>,
    /// Its place after.
    pub after: Option<usize>,
    /// Its score before, where it has one.
    pub score_before: Option<f64>,
    /// Its score after.
    pub score_after: Option<f64>,
    /// Why it is out after, in the word of the contract.
    pub reason: Option<&'static str>,
}

impl Move {
    /// True if anything changes.
    pub fn changes(&self) -> bool {
        self.before != self.after || self.score_before != self.score_after
    }

    /// `2 → 1`, `out → 4`, or the place it keeps.
    pub fn places(&self) -> String {
        let show = |place: Option<usize>| place.map(|n| n.to_string());
        arrow(show(self.before), show(self.after), "out")
    }

    /// `35 → 40`, or the score it keeps.
    pub fn scores(&self) -> String {
        let show =
            |score: Option<f64>| score.map(|score| ((score * 1000.0).round() / 1000.0).to_string());
        arrow(show(self.score_before), show(self.score_after), "–")
    }
}

fn arrow(before: Option<String>, after: Option<String>, none: &str) -> String {
    let before = before.as_deref().unwrap_or(none);
    let after = after.as_deref().unwrap_or(none);
    if before == after {
        after.into()
    } else {
        format!("{before} → {after}")
    }
}

impl WhatIf {
    /// Compares two previews of the same task; `this` is the edited memory's index, `title` names
    /// a memory by its index.
    pub fn between(
        task: &str,
        before: &Preview,
        after: &Preview,
        this: usize,
        title: impl Fn(usize) -> String,
    ) -> Self {
        let mut moves: BTreeMap<usize, Move> = BTreeMap::new();
        for verdict in before.selected.iter().chain(&before.rejected) {
            let row = moves.entry(verdict.memory).or_default();
            (row.before, row.score_before) = (verdict.rank, verdict.score);
        }
        for verdict in after.selected.iter().chain(&after.rejected) {
            let row = moves.entry(verdict.memory).or_default();
            (row.after, row.score_after) = (verdict.rank, verdict.score);
            let why = if verdict.handed_out {
                "handed out by the hook"
            } else {
                verdict.reason.word()
            };
            row.reason = verdict.rank.is_none().then_some(why);
        }
        for (memory, row) in &mut moves {
            row.title = title(*memory);
        }
        let own = moves.remove(&this).unwrap_or_else(|| Move {
            title: title(this),
            ..Move::default()
        });
        let mut rows: Vec<Move> = moves.into_values().collect();
        rows.retain(|row| row.before != row.after);
        rows.sort_by_key(|row| (row.after.unwrap_or(usize::MAX), row.before));
        Self {
            task: task.into(),
            this: own,
            rows,
        }
    }
}
