//! Asks for the preview when something it depends on changed.

use std::sync::Arc;

use super::super::editor::Editor;
use super::super::form;
use super::super::msg::{Change, Question, Slot};
use super::super::world::{Stamp, stamp};
use super::super::{Model, Page, View, suggest};
use crate::memory::Memory;
use crate::retrieval::{Limits, Preview, Snapshot, Task, Verdict};

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
        let edited = inject
            .asked
            .as_ref()
            .and_then(|(.., what_if)| what_if.as_ref());
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
    let asked = model.inject.asked.as_ref();
    let is_same = asked == Some(&inputs);
    let is_other_task = asked.is_none_or(|asked| (&asked.0, &asked.1) != (&inputs.0, &inputs.1));
    if is_same && (wanted == model.inject.wanted || wanted.iter().all(is_known)) {
        return model.inject.begin(false);
    }
    model.inject.begin(is_other_task);
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
        (Some(Editor::Form { form, memory, .. }), _) => {
            let memory = memory.as_ref().filter(|_| form.dirty())?;
            let after = form.draft_memory(memory);
            Some((model.world.index_near(&memory.id, near)?, Box::new(after)))
        }
        (None, Page::Explain) => {
            let Change::Edit { edits, .. } = suggest::suggestion(model)?.change else {
                return None;
            };
            let after = suggest::edited(model.current()?, &edits)?;
            Some((near, Box::new(after)))
        }
        _ => None,
    }
}
