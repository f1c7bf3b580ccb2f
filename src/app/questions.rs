//! The questions that the model asks in the background, each with its slot and the place of its
//! answer in the model. A new one is a type here and its answer in `workspace/answers.rs`.

use std::collections::HashMap;
use std::sync::Arc;

use super::convert::Way;
use super::history::{Changes, Made};
use super::links::Neighbour;
use super::msg::{Asked, Change, Effect, Failure, Rgb};
use super::review::Queue;
use super::slots::{Answers, Question, Slot};
use super::{Model, Overlay, Page, act, rows, update};
use crate::curate::Version;
use crate::lint::Digest;
use crate::memory::{Fields, Memory, MemoryId, Timestamp};
use crate::retrieval::expect::{Judged, TaskEffect};
use crate::retrieval::tasks::Written;
use crate::retrieval::{Limits, Preview, Snapshot, Task, Verdict};
use crate::search::query::Marks;
use crate::search::{Hit, Query};

/// Answers every question.
pub trait Backend:
    Answers<ReadText>
    + Answers<ReadPair>
    + Answers<ReadVersions>
    + Answers<ReadChanges>
    + Answers<ReadArchived>
    + Answers<ReadCandidates>
    + Answers<Filter>
    + Answers<PreviewTask>
    + Answers<JudgeRows>
    + Answers<PlayTasks>
    + Answers<Lint>
    + Answers<Review>
    + Answers<AskModel>
    + Answers<PlanChange>
    + Answers<Highlight>
{
}

/// Reads a memory's text and its fields that it does not hold, and finds the memories that it names.
#[derive(Debug)]
pub struct ReadText {
    /// The memory.
    pub memory: Arc<Memory>,
    /// The memories among which its links are resolved.
    pub memories: Snapshot,
}

/// The text of a memory with its surroundings.
#[derive(Debug)]
pub struct MemoryText {
    /// The memory.
    pub id: MemoryId,
    /// Its text, or why it could not be read.
    pub text: Result<Arc<str>, String>,
    /// Its fields that it does not hold.
    pub inner: Fields,
    /// Names in it that are no memories, each with its kind and a line about it.
    pub beside: Vec<(&'static str, String)>,
    /// The text that the system's own loader reads, if it is another one.
    pub seen: Option<Arc<str>>,
    /// The memories that it names.
    pub related: Vec<Neighbour>,
}

impl Question for ReadText {
    const SLOT: Slot = "text";
    const AWAITED: bool = true;
    type Answer = MemoryText;

    fn settle(mut read: MemoryText, model: &mut Model) -> Vec<Effect> {
        let (id, seen) = (read.id.clone(), read.seen.take());
        let effects = update::text_read(model, read);
        if model.current().is_some_and(|memory| memory.id == id) {
            model.reading.seen = seen;
        }
        effects
    }
}

/// Reads the texts of two memories that stand side by side.
#[derive(Debug)]
pub struct ReadPair(pub [Arc<Memory>; 2]);

impl Question for ReadPair {
    const SLOT: Slot = "pair";
    const AWAITED: bool = true;
    type Answer = [Result<Arc<str>, String>; 2];

    fn settle(texts: Self::Answer, model: &mut Model) -> Vec<Effect> {
        if let Page::Pair(pair) = &mut model.page {
            pair.take(texts);
        }
        Vec::new()
    }
}

/// Reads the versions of a memory, newest first.
#[derive(Debug)]
pub struct ReadVersions(pub Arc<Memory>);

impl Question for ReadVersions {
    const SLOT: Slot = "history";
    const AWAITED: bool = true;
    type Answer = Result<Vec<Version>, String>;

    fn settle(versions: Self::Answer, model: &mut Model) -> Vec<Effect> {
        if let Page::Versions(page) = &mut model.page {
            page.all = Some(versions.map(|all| all.into_iter().map(Arc::new).collect()));
        }
        Vec::new()
    }
}

/// Reads the changes that memkeep made, newest first.
#[derive(Debug)]
pub struct ReadChanges;

impl Question for ReadChanges {
    const SLOT: Slot = "history";
    const AWAITED: bool = true;
    type Answer = Result<Vec<Made>, String>;

    fn settle(changes: Self::Answer, model: &mut Model) -> Vec<Effect> {
        match changes {
            Ok(rows) if rows.is_empty() => model.status.say("memkeep changed nothing here", None),
            Ok(rows) => model.overlay = Some(Overlay::Changes(Changes { rows, row: 0 })),
            Err(why) => model.status.fail(why, None),
        }
        Vec::new()
    }
}

/// Reads when archived memories were archived, and by which change, if the journal knows.
#[derive(Debug)]
pub struct ReadArchived(pub Snapshot);

impl Question for ReadArchived {
    const SLOT: Slot = "history";
    const AWAITED: bool = true;
    type Answer = HashMap<MemoryId, (Timestamp, String)>;

    fn settle(by: Self::Answer, model: &mut Model) -> Vec<Effect> {
        model.browse.archived_by = by;
        Vec::new()
    }
}

/// Finds the memories that can be promoted, the ready ones first.
#[derive(Debug)]
pub struct ReadCandidates(pub Snapshot);

impl Question for ReadCandidates {
    const SLOT: Slot = "history";
    const AWAITED: bool = true;
    type Answer = Vec<Way>;

    fn settle(candidates: Self::Answer, model: &mut Model) -> Vec<Effect> {
        act::promote::list_candidates(model, candidates);
        Vec::new()
    }
}

/// Filters a snapshot.
#[derive(Debug)]
pub struct Filter {
    /// The query, parsed without error.
    pub query: Query,
    /// The memories.
    pub memories: Snapshot,
    /// The marks of each memory, in the snapshot's order.
    pub marks: Arc<Vec<Marks>>,
    /// Rows of the answer to a shorter form of the query, if one is known.
    pub within: Option<Arc<Vec<u32>>>,
    /// True if bodies are searched too.
    pub texts: bool,
}

impl Question for Filter {
    const SLOT: Slot = "filter";
    const AWAITED: bool = true;
    type Answer = Vec<Hit>;

    fn settle(hits: Self::Answer, model: &mut Model) -> Vec<Effect> {
        rows::matched(model, hits);
        Vec::new()
    }
}

/// Another version of a memory by its index, to see the effect of an edit.
pub type WhatIf = Option<(usize, Box<Memory>)>;

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
    /// Indexes of the memories on the screen: their verdicts come with the preview, so that one
    /// frame shows both.
    pub wanted: Vec<usize>,
}

impl Question for PreviewTask {
    const SLOT: Slot = "preview";
    const AWAITED: bool = true;
    /// The preview, the verdicts beside it, and the preview with the edit made.
    type Answer = (Arc<Preview>, Vec<Verdict>, Option<Arc<Preview>>);

    fn settle((preview, verdicts, what_if): Self::Answer, model: &mut Model) -> Vec<Effect> {
        update::previewed(model, preview, what_if);
        model.inject.learn(verdicts);
        Vec::new()
    }
}

/// Asks for the verdicts of rows that came to the screen after the preview.
#[derive(Debug)]
pub struct JudgeRows {
    /// The memories.
    pub memories: Snapshot,
    /// The task.
    pub task: Task,
    /// The limits.
    pub limits: Limits,
    /// Indexes of the rows.
    pub wanted: Vec<usize>,
}

impl Question for JudgeRows {
    const SLOT: Slot = "verdicts";
    type Answer = Vec<Verdict>;

    fn settle(verdicts: Self::Answer, model: &mut Model) -> Vec<Effect> {
        model.inject.learn(verdicts);
        Vec::new()
    }
}

/// Plays the saved tasks; with the edit under the cursor too, if there is one.
#[derive(Debug)]
pub struct PlayTasks {
    /// The memories.
    pub memories: Snapshot,
    /// The memory being edited, as it would be.
    pub what_if: WhatIf,
}

impl Question for PlayTasks {
    const SLOT: Slot = "tasks";
    /// The tasks with their results, and the effects of the edit on them.
    type Answer = Result<(Vec<(Written, Judged)>, Vec<TaskEffect>), String>;

    fn settle(played: Self::Answer, model: &mut Model) -> Vec<Effect> {
        let saved = &mut model.inject.saved;
        (saved.all, saved.effects, saved.problem) = match played {
            Ok((all, effects)) => (all, effects, None),
            Err(why) => (Vec::new(), Vec::new(), Some(why)),
        };
        let last = saved.all.len().checked_sub(1);
        saved.row = saved.row.zip(last).map(|(row, last)| row.min(last));
        Vec::new()
    }
}

/// Lints a snapshot.
#[derive(Debug)]
pub struct Lint(pub Snapshot);

impl Question for Lint {
    const SLOT: Slot = "lint";
    const ASIDE: bool = true;
    /// The snapshot that the indexes stand for, and its findings.
    type Answer = (Snapshot, Digest);

    fn settle((memories, digest): Self::Answer, model: &mut Model) -> Vec<Effect> {
        model.world.linted_as(memories, digest);
        model.lints.running = false;
        model.lints.known = true;
        update::arrange_lints(model);
        update::linted(model);
        act::edits::fix_anew(model)
    }
}

/// Compares the memories with the last commit; answered twice, the second time with findings.
#[derive(Debug)]
pub struct Review(pub Snapshot);

impl Question for Review {
    const SLOT: Slot = "review";
    const AWAITED: bool = true;
    type Answer = Result<Queue, String>;

    fn settle(queue: Self::Answer, model: &mut Model) -> Vec<Effect> {
        model.review.take(queue);
        Vec::new()
    }
}

/// Asks a model which memories contradict or repeat each other.
#[derive(Debug)]
pub struct AskModel {
    /// The memories.
    pub memories: Snapshot,
    /// True if requests are sent; else only their size is worked out.
    pub send: bool,
}

/// A step of asking a model.
#[derive(Debug)]
pub enum Asking {
    /// The request being sent, in a line.
    Progress(String),
    /// The result.
    Outcome(Result<Asked, Failure>),
}

impl Question for AskModel {
    const SLOT: Slot = "ask";
    type Answer = Asking;

    fn settle(step: Asking, model: &mut Model) -> Vec<Effect> {
        match step {
            Asking::Progress(progress) => act::views::asking(model, progress),
            Asking::Outcome(outcome) => act::views::asked(model, outcome),
        }
    }
}

/// Plans a change without making it.
#[derive(Debug)]
pub struct PlanChange(pub Change);

impl Question for PlanChange {
    const SLOT: Slot = "plan";
    /// The unified diff, and the number of places that still mention a name that is lost.
    type Answer = Result<(Arc<str>, usize), Failure>;

    fn settle(plan: Self::Answer, model: &mut Model) -> Vec<Effect> {
        update::planned(model, plan);
        Vec::new()
    }
}

/// Colours the code blocks of a text.
#[derive(Debug)]
pub struct Highlight {
    /// Language and text of each block.
    pub blocks: Vec<(String, String)>,
    /// True if the theme is a light one.
    pub light: bool,
    /// True if another text may follow with the next key that is typed.
    pub more: bool,
}

impl Question for Highlight {
    const SLOT: Slot = "highlight";
    const AWAITED: bool = true;
    /// For each block its lines of (colour, text).
    type Answer = Vec<Vec<Vec<(Rgb, String)>>>;

    fn settle(blocks: Self::Answer, model: &mut Model) -> Vec<Effect> {
        model.reading.blocks = blocks;
        Vec::new()
    }
}
