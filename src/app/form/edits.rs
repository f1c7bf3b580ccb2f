//! Unsaved input of a form: the memory as it would be, its place in the ranking, what is kept of it
//! while the form is open, and the edits that it saves. Every edit is bytes of the file that change.

use std::collections::BTreeMap;

use super::field::{Field, same};
use super::{Form, Purpose};
use crate::app::msg::DraftFields;
use crate::app::proposal::edited;
use crate::app::text::{TextEditor, cut_of};
use crate::curate::change::set_item;
use crate::memory::edit::FieldEdit;
use crate::memory::schema::Role;
use crate::memory::{Memory, Timestamp, Value};
use crate::retrieval::Preview;

/// Above this many comparisons a list is written anew.
const MOST: usize = 250_000;

impl Form {
    /// The memory as it would be: fields, title and dates. The results of a load (problems,
    /// visibility) stay as they were.
    pub fn draft_memory(&self, memory: &Memory) -> Memory {
        let own = self.fields.iter();
        let own = own.filter(|field| !memory.schema.is_inner(&field.name));
        let edits: Vec<FieldEdit> = own.flat_map(of_field).collect();
        let mut draft = edited(memory, &edits).unwrap_or_else(|| memory.clone());
        let title = draft.role(Role::Title).and_then(Value::as_str);
        if let Some(title) = title.map(str::trim).filter(|title| !title.is_empty()) {
            draft.title = title.into();
        }
        let is_date = |value: &&Value| **value != Value::Null;
        let created = draft.role(Role::Created).filter(is_date);
        draft.created = created.and_then(Timestamp::of_value);
        draft.updated = match draft.role(Role::Updated) {
            Some(value) => Timestamp::of_value(value),
            None => memory.updated,
        };
        draft
    }

    /// The unsaved input; empty if nothing differs from the store.
    pub fn unsaved(&self) -> DraftFields {
        if !self.dirty() {
            return DraftFields::default();
        }
        let is_new = matches!(self.purpose, Purpose::Create(_));
        let differs = |field: &&Field| match is_new {
            true => field.typed_into(),
            false => field.changed(),
        };
        let fields = self.fields.iter().filter(differs);
        let one = |field: &Field| (field.name.clone(), field.original.clone(), field.value());
        DraftFields {
            fields: fields.map(one).collect(),
            body: self.body().map(TextEditor::text).unwrap_or_default(),
            ..DraftFields::default()
        }
    }

    /// Takes up what was typed into an earlier form. A value that changed in the store since then
    /// is shown as what another program wrote.
    pub fn take_up(&mut self, typed: &DraftFields) {
        for (name, then, value) in &typed.fields {
            let own = self.fields.iter_mut().find(|field| field.name == *name);
            if let Some(field) = own {
                field.take_up(then.as_ref(), value.as_ref());
            }
        }
        if let Purpose::Create(body) = &mut self.purpose
            && !typed.body.is_empty()
            && let Ok(editor) = TextEditor::open("", &typed.body, cut_of(self.schema))
        {
            **body = editor;
        }
        self.leave();
        self.kept = self.unsaved();
        self.read_patterns();
    }
}

pub(super) fn of_field(field: &Field) -> Vec<FieldEdit> {
    if !field.changed() {
        return Vec::new();
    }
    let name = || field.name.to_string();
    match (&field.original, field.value()) {
        (Some(Value::List(old)), Some(Value::List(new)))
            if !old.is_empty() && !new.is_empty() && old.len() * new.len() <= MOST =>
        {
            of_list(&field.name, old, &new)
        }
        // One value that becomes the first of several keeps its bytes.
        (Some(old @ Value::Text(_)), Some(Value::List(new)))
            if new.len() > 1 && new.first().is_some_and(|first| same(first, old)) =>
        {
            let added = new.iter().skip(1);
            let added = added.map(|item| FieldEdit::add(name(), item.clone()));
            added.collect()
        }
        (_, Some(value)) => vec![FieldEdit::set(name(), value)],
        (Some(_), None) => vec![FieldEdit::Unset { field: name() }],
        (None, None) => Vec::new(),
    }
}

/// Edits from one list to another, where items can be changed, taken out, and added at the end. An
/// item that the new list has further on is never changed into another one.
///
/// The order (changes, then removals from the back, then additions) makes the indexes right both
/// for who applies one edit after the other and for who counts in the old list.
fn of_list(name: &str, old: &[Value], new: &[Value]) -> Vec<FieldEdit> {
    let field = || name.to_owned();
    let (mut sets, mut removes) = (Vec::new(), Vec::new());
    let mut rest = new.iter().peekable();
    for (index, item) in old.iter().enumerate() {
        let mut later = old.iter().skip(index + 1);
        match rest.peek().copied() {
            Some(next) if same(item, next) => {
                rest.next();
            }
            Some(next) if !later.any(|item| same(item, next)) => {
                let (field, value) = (field(), next.clone());
                sets.push(set_item(field, index, value));
                rest.next();
            }
            _ => removes.push(FieldEdit::RemoveItem {
                field: field(),
                index,
            }),
        }
    }
    sets.extend(removes.into_iter().rev());
    sets.extend(rest.map(|item| FieldEdit::add(field(), item.clone())));
    sets
}

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
        for verdict in before.verdicts() {
            let row = moves.entry(verdict.memory).or_default();
            (row.before, row.score_before) = (verdict.rank, verdict.score);
        }
        for verdict in after.verdicts() {
            let row = moves.entry(verdict.memory).or_default();
            (row.after, row.score_after) = (verdict.rank, verdict.score);
            let why = match verdict.handed_out {
                true => "handed out by the hook",
                false => verdict.reason.word(),
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
