//! After every message: asks the world for what the model now needs and does not have. The requests
//! follow from the model, so no action has to remember to ask.

use std::sync::Arc;

use super::desk::Desk;
use super::layout::{Areas, areas};
use super::links;
use super::lints;
use super::msg::Effect;
use super::questions::{
    Filter, Highlight, Lint, PlanChange, PlayTasks, PreviewTask, Question as _, ReadPair, ReadText,
    Review, WhatIf,
};
use super::reading;
use super::slots::Settle;
use super::{Focus, Model, Page, View, suggest};
use crate::memory::Timestamp;
use crate::retrieval::{Limits, Snapshot, Task};
use crate::search::Query;
use crate::search::query::offer;

/// The last requests.
#[derive(Debug, Default)]
pub struct Asked {
    /// Everything the rows that match depend on.
    filter: FilterKey,
    /// Everything a preview depends on.
    preview: Option<PreviewKey>,
    /// Everything that what comes of the saved tasks depends on.
    tasks: Option<(Stamp, WhatIf)>,
    /// The linted snapshot.
    lint: Option<Stamp>,
    /// The finding whose fix is shown, and the snapshot it was found in.
    fix: Option<(usize, lints::Key, Stamp)>,
    /// The snapshot in which the memories were looked for that the current one names.
    related: Option<Stamp>,
    /// True if the colours of code were asked for a light screen.
    light: bool,
    /// The memories that were compared with the last commit, and what else that depended on.
    review: Option<(Stamp, u64)>,
}

/// A snapshot, told from others by its address and length (it grows while it is loaded).
type Stamp = (usize, usize);

/// The inputs of a filter.
#[derive(Debug, Default)]
struct FilterKey {
    text: String,
    texts: bool,
    editing: bool,
    memories: Stamp,
    marks: usize,
}

/// The inputs of a preview.
#[derive(Debug, PartialEq)]
struct PreviewKey {
    task: Task,
    limits: Limits,
    memories: Stamp,
    what_if: WhatIf,
}

impl Asked {
    /// Lints again: something beside the memories changed.
    pub fn lint_again(&mut self) {
        self.lint = None;
        self.tasks = None;
    }

    /// True if the saved tasks were asked for.
    pub const fn has_tasks(&self) -> bool {
        self.tasks.is_some()
    }

    /// The memory whose edit the newest preview looks at.
    pub fn what_if_of(&self) -> Option<usize> {
        let key = self.preview.as_ref()?;
        key.what_if.as_ref().map(|(index, _)| *index)
    }
}

fn stamp(memories: &Snapshot) -> Stamp {
    (Arc::as_ptr(memories).addr(), memories.len())
}

/// Asks for what is missing and keeps the cursors in sight.
pub fn settle(model: &mut Model) -> Vec<Effect> {
    let mut effects = Vec::new();
    effects.extend(filter(model));
    effects.extend(lint(model));
    effects.extend(review(model));
    let areas = areas(model);
    effects.extend(preview(model, &areas));
    effects.extend(tasks(model));
    in_sight(model, &areas);
    if let Some(desk) = &mut model.desk {
        let page = areas.inner();
        desk.resize(page.width, page.height);
    }
    if std::mem::replace(&mut model.asked.light, model.light) != model.light {
        effects.extend(highlight(model));
    }
    effects.extend(text(model));
    effects.extend(pair(model));
    effects.extend(fix(model));
    effects
}

/// The filter follows its text, the memories and, where it asks for them, their marks.
fn filter(model: &mut Model) -> Option<Effect> {
    let filter = &mut model.browse.filter;
    let marks = Arc::as_ptr(&model.world.marks).addr();
    let memories = stamp(&model.world.memories);
    let asked = &mut model.asked.filter;
    let same_text = asked.text == filter.line.text();
    // Other words are looked for elsewhere first.
    filter.texts &= same_text;
    let same_texts = asked.texts == filter.texts;
    let same_marks = asked.marks == marks || !filter.query.as_ref().is_some_and(Query::needs_marks);
    let same_memories = asked.memories == memories;
    let same_reading = filter.error.is_none() || asked.editing == filter.editing;
    if same_text && same_texts && same_marks && same_memories && same_reading {
        return None;
    }
    *asked = FilterKey {
        text: filter.line.text().to_owned(),
        texts: filter.texts,
        editing: filter.editing,
        memories,
        marks,
    };
    filter.awaited |= !same_text;
    let parsed = Query::parse(filter.line.text(), &model.world.schemas);
    filter.error = match &parsed {
        Ok(query) => query.unfinished().cloned(),
        Err(error) => Some(error.clone()),
    };
    if let Some(error) = &mut filter.error {
        let (schemas, memories) = (&model.world.schemas, &model.world.memories);
        offer(error, filter.line.text(), schemas, memories);
    }
    // A query with an error lists nothing, and so does one that asks for nothing once it is typed:
    // the next key may change the whole list.
    let unfinished = filter.error.is_some() && !filter.editing;
    filter.query = match parsed {
        Ok(query) if !unfinished => Some(query).filter(|query| !query.is_empty()),
        _ => {
            filter.query = None;
            filter.asked = None;
            filter.answered = None;
            filter.awaited = false;
            filter.hits = Some(Vec::new());
            model.slots.ticket(Filter::SLOT);
            model.arrange();
            model.filtered();
            return None;
        }
    };
    let Some(query) = filter.query.clone() else {
        let was_on = filter.hits.take().is_some();
        filter.answered = None;
        filter.awaited = false;
        // An answer under way is for a filter that is no more.
        model.slots.ticket(Filter::SLOT);
        if was_on {
            model.arrange();
            model.filtered();
        }
        return None;
    };
    if !(same_marks && same_memories) {
        filter.answered = None;
    }
    let texts = filter.texts && query.wants_body();
    filter.asked = Some(query.clone());
    Some(model.slots.ask(Filter {
        query,
        memories: Arc::clone(&model.world.memories),
        marks: Arc::clone(&model.world.marks),
        texts,
    }))
}

/// Every complete snapshot is linted.
fn lint(model: &mut Model) -> Option<Effect> {
    let now = stamp(&model.world.memories);
    if !model.world.complete || model.asked.lint == Some(now) {
        return None;
    }
    model.asked.lint = Some(now);
    model.lints.running = true;
    Some(model.slots.ask(Lint(Arc::clone(&model.world.memories))))
}

/// The queue is read when it is looked at, and again when something in it may have changed.
fn review(model: &mut Model) -> Option<Effect> {
    let now = (stamp(&model.world.memories), model.review.generation);
    let is_wanted = model.view == View::Review && model.world.complete;
    if !is_wanted || model.asked.review == Some(now) {
        return None;
    }
    model.asked.review = Some(now);
    Some(model.slots.ask(Review(Arc::clone(&model.world.memories))))
}

/// The preview follows the task, the memories and the edit that is being made.
fn preview(model: &mut Model, areas: &Areas) -> Option<Effect> {
    if !model.inject.is_set() {
        if model.asked.preview.take().is_some() {
            model.slots.ticket(PreviewTask::SLOT);
            model.inject.clear();
        }
        return None;
    }
    let key = PreviewKey {
        task: Task {
            now: Timestamp(0),
            ..model.task()
        },
        limits: model.limits(),
        memories: stamp(&model.world.memories),
        what_if: what_if(model),
    };
    let wanted = on_screen(model, areas);
    let is_known = |index: &usize| model.inject.verdict(*index).is_some();
    let is_same = model.asked.preview.as_ref() == Some(&key);
    if is_same && (wanted == model.inject.wanted || wanted.iter().all(is_known)) {
        return None;
    }
    model.inject.wanted.clone_from(&wanted);
    let question = PreviewTask {
        memories: Arc::clone(&model.world.memories),
        task: Task {
            now: model.now,
            ..key.task.clone()
        },
        limits: key.limits.clone(),
        what_if: key.what_if.clone(),
        wanted,
    };
    model.asked.preview = Some(key);
    model.inject.asked = Arc::clone(&model.world.memories);
    Some(model.slots.ask(question))
}

/// The saved tasks are played where they are seen, and again with the edit that is being made.
fn tasks(model: &mut Model) -> Option<Effect> {
    let is_seen = model.view == View::Inject || model.desk.is_some();
    if !model.world.complete || !is_seen {
        return None;
    }
    let key = (stamp(&model.world.memories), what_if(model));
    if model.asked.tasks.as_ref() == Some(&key) {
        return None;
    }
    let what_if = key.1.clone();
    model.asked.tasks = Some(key);
    Some(model.slots.ask(PlayTasks {
        memories: Arc::clone(&model.world.memories),
        what_if,
    }))
}

/// The memory as the edit that is looked at would make it.
fn what_if(model: &Model) -> WhatIf {
    if let Some(desk) = &model.desk {
        let Desk::Form {
            form,
            memory: Some(memory),
            ..
        } = desk
        else {
            return None;
        };
        let after = form.dirty().then(|| form.draft_memory(memory))?;
        let near = model.current_index().unwrap_or_default();
        let index = model.world.index_near(&memory.id, near)?;
        return Some((index, Box::new(after)));
    }
    match &model.page {
        Page::Explain => {
            let suggestion = suggest::suggestion(model)?;
            let index = model.current_index()?;
            let memory = model.world.memory(index)?;
            let after = suggest::edited(memory, &suggestion.edits)?;
            Some((index, Box::new(after)))
        }
        _ => None,
    }
}

/// Scrolls a list when its cursor or its room changed, and only then: the wheel may have moved
/// it elsewhere.
fn in_sight(model: &mut Model, areas: &Areas) {
    let height = usize::from(areas.rows.height);
    let (line, lines) = match model.view {
        View::Browse => (
            model.browse.line_of(model.browse.cursor.row),
            model.browse.line_of(model.browse.rows.len()),
        ),
        View::Inject => (
            model.inject.line_of(model.inject.cursor.row),
            model.inject.lines(),
        ),
        View::Lint => (model.lints.cursor.row, model.lints.rows.len()),
        View::Review => (model.review.cursor.row, model.review.cards.len()),
    };
    let now = (model.view, line, lines, height);
    if model.shown_at == now || height == 0 {
        return;
    }
    model.shown_at = now;
    // The line between in and out may stand on one of the lines.
    let lines_between = usize::from(model.view == View::Inject);
    let height = height.saturating_sub(lines_between).max(1);
    match model.view {
        View::Browse => model.browse.cursor.show(line, lines, height),
        View::Inject => model.inject.cursor.show(line, lines, height),
        View::Lint => model.lints.cursor.show(line, lines, height),
        View::Review => model.review.cursor.show(line, lines, height),
    }
}

/// The text of the memory the person stands on, and what it names, which other memories decide too.
fn text(model: &mut Model) -> Option<Effect> {
    let memory = model.current().cloned();
    let turned = model.reading.turn(memory.as_deref());
    let memory = memory?;
    // While they are loaded, what is named may be yet to come.
    let memories = if model.world.complete {
        Arc::clone(&model.world.memories)
    } else {
        Snapshot::default()
    };
    let looked_in = (!memories.is_empty()).then(|| stamp(&memories));
    let others = std::mem::replace(&mut model.asked.related, looked_in) != looked_in;
    let named_anew = others && links::names_any(&memory);
    if !turned && !named_anew {
        return None;
    }
    Some(model.slots.ask(ReadText { memory, memories }))
}

/// The texts of the two memories that stand side by side.
fn pair(model: &mut Model) -> Option<Effect> {
    let Page::Pair(pair) = &mut model.page else {
        return None;
    };
    if std::mem::replace(&mut pair.asked, true) {
        return None;
    }
    let [a, b] = &pair.sides;
    let question = ReadPair([Arc::clone(&a.memory), Arc::clone(&b.memory)]);
    Some(model.slots.ask(question))
}

/// Plans the fix of the selected finding.
fn fix(model: &mut Model) -> Option<Effect> {
    let is_shown = model.view == View::Lint && matches!(model.page, Page::Usual);
    let current = model
        .lints
        .current()
        .filter(|_| is_shown && model.desk.is_none());
    let of = current.and_then(|n| {
        let key = lints::key(&model.world, model.world.finding(n)?)?;
        Some((n, key, stamp(model.world.linted_all())))
    });
    if model.asked.fix == of {
        return None;
    }
    model.lints.diff = None;
    model.asked.fix = of;
    let proposal = model.fix_of(current?)?;
    Some(model.slots.ask(PlanChange(proposal.change)))
}

/// The colours of the code in a text that was just read.
pub fn highlight(model: &mut Model) -> Option<Effect> {
    let blocks = reading::code_blocks(model.reading.body());
    if blocks.is_empty() {
        return None;
    }
    Some(model.slots.ask(Highlight {
        blocks,
        light: model.light,
        more: matches!(model.focus(), Focus::Filter | Focus::Task),
    }))
}

impl Settle for Highlight {
    fn settle(blocks: Self::Answer, model: &mut Model) -> Vec<Effect> {
        model.reading.blocks = blocks;
        Vec::new()
    }
}

/// The memories whose verdicts the screen shows, by their indexes. A preview on the screen has
/// them.
fn on_screen(model: &Model, areas: &Areas) -> Vec<usize> {
    let mut shown = Vec::new();
    if model.view == View::Browse {
        let top = model.browse.cursor.top;
        let top = model.browse.row_at(top).unwrap_or(top);
        let rows = model.browse.rows.iter().skip(top);
        let rows = rows.take(usize::from(areas.rows.height));
        shown.extend(rows.map(|n| *n as usize));
    }
    if model.view != View::Inject {
        shown.extend(model.current_index());
    }
    shown
}
