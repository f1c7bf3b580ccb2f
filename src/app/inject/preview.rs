//! Asks for the preview when something it depends on changed, groups its near misses, and compares it
//! with an edit.

use std::sync::Arc;

use super::super::cursor::Dividers;
use super::super::editor::Editor;
use super::super::form;
use super::super::msg::{Change, Question, Slot};
use super::super::world::{Stamp, stamp};
use super::super::{Model, Page, View, proposal};
use super::Inject;
use crate::memory::Memory;
use crate::retrieval::hint::parted;
use crate::retrieval::{Limits, Preview, Reason, Snapshot, Task, Verdict};

/// Length from which a hint does not stand above its memory as it is.
const SHORT: usize = 48;

/// Another version of a memory by its index, to see the effect of an edit.
pub type WhatIf = Option<(usize, Box<Memory>)>;

/// Everything a preview depends on.
pub(super) type Inputs = (Task, Limits, Stamp, WhatIf);

/// Previews a task; with the edit under the cursor too, if there is one.
#[derive(Debug)]
pub struct PreviewTask {
    /// The memories.
    pub memories: Snapshot,
    /// The task.
    pub task: Task,
    /// The limits.
    pub limits: Limits,
    /// The memory being edited, as it would be.
    pub what_if: WhatIf,
    /// Index of the memory the person stands on: its verdict comes with the preview, so that one
    /// frame shows both.
    pub wanted: Vec<usize>,
}

/// A preview of a snapshot, with what was asked beside it.
#[derive(Debug)]
pub struct Previewed {
    /// The memories.
    pub memories: Snapshot,
    /// The preview.
    pub preview: Arc<Preview>,
    /// The verdicts on the memories that were asked for.
    pub verdicts: Vec<Verdict>,
    /// The preview with the edit made.
    pub what_if: Option<Arc<Preview>>,
}

impl Question for PreviewTask {
    const SLOT: Slot = "preview";
    const AWAITED: bool = true;
    type Answer = Previewed;

    fn settle(answer: Previewed, model: &mut Model) {
        let inject = &mut model.inject;
        let asked = inject.asked.as_ref();
        let edited = asked.and_then(|(.., what_if)| what_if.as_ref());
        let edited = edited.map_or(0, |(index, _)| *index);
        inject.moves = answer.what_if.as_ref().map(|after| {
            let title = |n: usize| {
                let memory = answer.memories.get(n);
                memory.map_or(String::new(), |memory| memory.title.to_string())
            };
            form::WhatIf::between(inject.text.text(), &answer.preview, after, edited, title)
        });
        inject.show(answer.memories, answer.preview, answer.what_if);
        let verdicts = answer.verdicts.into_iter();
        let verdicts = verdicts.map(|verdict| (verdict.memory, verdict));
        inject.verdicts.extend(verdicts);
    }
}

/// The preview follows the task, the memories and the edit that is being made.
pub fn ask(model: &mut Model) {
    if !model.inject.is_set() {
        if model.inject.asked.is_some() {
            model.slots.ticket(PreviewTask::SLOT);
            model.inject.clear();
        }
        return;
    }
    let (mut task, limits) = model.inputs();
    let now = std::mem::take(&mut task.now);
    let memories = &model.world.memories;
    let inputs = (task, limits, stamp(memories), what_if(model));
    let wanted = Vec::from_iter(model.current_index().filter(|_| model.view != View::Inject));
    let is_known = |index: &usize| model.inject.verdict(*index).is_some();
    let is_same = model.inject.asked.as_ref() == Some(&inputs);
    if is_same && (wanted == model.inject.wanted || wanted.iter().all(is_known)) {
        return;
    }
    let (task, limits, _, what_if) = inputs.clone();
    let question = PreviewTask {
        memories: Arc::clone(memories),
        task: Task { now, ..task },
        limits,
        what_if,
        wanted: wanted.clone(),
    };
    model.inject.asked = Some(inputs);
    model.inject.wanted = wanted;
    model.request(question);
}

/// The memory as the edit that is looked at would make it.
pub(super) fn what_if(model: &Model) -> WhatIf {
    let near = model.current_index().unwrap_or_default();
    match (&model.editor, &model.page) {
        (Some(Editor::Form(own)), _) => {
            let memory = own.memory.as_ref().filter(|_| own.form.dirty())?;
            let after = own.form.draft_memory(memory);
            Some((model.world.index_near(&memory.id, near)?, Box::new(after)))
        }
        (None, Page::Explain) => {
            let Change::Edit { edits, .. } = proposal::suggestion(model)?.change else {
                return None;
            };
            let after = proposal::edited(model.current()?, &edits)?;
            Some((near, Box::new(after)))
        }
        _ => None,
    }
}

impl Inject {
    /// The verdict on a memory with the edit under the cursor made.
    pub fn after(&self, index: usize) -> Option<&Verdict> {
        let mut all = self.what_if.as_ref()?.verdicts();
        all.find(|verdict| verdict.memory == index)
    }

    /// The places of a memory before and after the edit under the cursor, in words; none where they are
    /// the same.
    pub fn moved(&self, verdict: &Verdict) -> Option<[String; 2]> {
        let moved = [self.preview()?, self.what_if.as_deref()?].map(|preview| {
            let own = preview.verdicts();
            let mut own = own.filter(|one| one.memory == verdict.memory);
            let place = own.find_map(|one| {
                let hook = one.handed_out.then(|| "hook".to_owned());
                one.rank.map(|rank| rank.to_string()).or(hook)
            });
            place.unwrap_or("out".to_owned())
        });
        (moved[0] != moved[1]).then_some(moved)
    }

    /// Puts near misses together that share their reason and the words of their hint.
    pub(super) fn group(&mut self) {
        let missed = (self.cut..self.rows()).filter_map(|row| Some((row, self.on(row)?)));
        let mut groups: Vec<((Reason, String), Vec<usize>)> = Vec::new();
        for (row, verdict) in missed {
            let hint = verdict.hint.as_deref().unwrap_or_default();
            let key = (verdict.reason, parted(hint).0);
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((key, vec![row])),
            }
        }
        let mut rows: Vec<u32> = self.rows.iter().copied().take(self.cut).collect();
        let mut heads = Vec::new();
        for ((_, shared), group) in groups {
            let hints = group.iter();
            let mut hints = hints.filter_map(|row| self.on(*row)?.hint.as_deref());
            let first = hints.next().unwrap_or_default().to_owned();
            let is_same = hints.all(|hint| hint == first) && first.len() < SHORT;
            heads.push((rows.len(), if is_same { first } else { shared }));
            rows.extend(group.iter().filter_map(|row| self.rows.get(*row)));
        }
        let lines = std::iter::once(self.cut).chain(heads.iter().map(|(at, _)| *at));
        self.dividers = Dividers(lines.collect());
        (self.rows, self.heads) = (rows, heads);
    }

    /// The part of the hint of a row that the others of its group do not have.
    pub fn own_hint(&self, row: usize) -> Option<String> {
        let shared = self.heads.iter().rev().find(|(at, _)| *at <= row)?;
        let hint = self.on(row)?.hint.as_deref()?;
        Some(parted(hint).1).filter(|own| shared.1 != hint && !own.is_empty())
    }
}
