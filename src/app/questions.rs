//! The questions that the model asks in the background, each with its slot and its answer.
//!
//! A new one is a type here, its answer in `workspace/answers.rs`, and an `impl Settle` beside the
//! code that asks it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::history::Made;
use super::links::Neighbour;
use super::reading::Blocks;
use super::review::Queue;
use crate::curate::{Change, Version};
use crate::lint::Digest;
use crate::memory::{Fields, Memory, MemoryId};
use crate::retrieval::expect::{Judged, TaskEffect};
use crate::retrieval::tasks::Written;
use crate::retrieval::{Limits, Preview, Snapshot, Task, Verdict};
use crate::search::query::Marks;
use crate::search::{Hit, Query};

/// The name of a slot, and of its thread.
pub type Slot = &'static str;

/// A question for the background.
pub trait Question: fmt::Debug + Send + Sized + 'static {
    /// The slot: a newer question takes the place of one that waits.
    const SLOT: Slot;
    /// True if the next frame waits a moment for the answer.
    const AWAITED: bool = false;
    /// True if a person never waits for it: it leaves the processors to others.
    const ASIDE: bool = false;
    /// Its answer.
    type Answer: fmt::Debug + Send + 'static;
}

/// Answers one kind of question, in one piece or several.
pub trait Answers<Q: Question> {
    /// Tells the answer; without an implementation there is none.
    fn answer(&self, _question: Q, _turn: &Turn<'_>, _tell: &mut dyn FnMut(Q::Answer)) {}
}

/// The moment in which a question is answered.
pub struct Turn<'a> {
    /// Turns true when the program ends.
    pub stop: &'a AtomicBool,
    /// True while no newer question waits in the slot.
    pub is_newest: &'a (dyn Fn() -> bool + Sync),
    /// Gives the memories as they were last read.
    pub memories: &'a (dyn Fn() -> Snapshot + Sync),
}

/// Answers every question.
pub trait Backend:
    Answers<ReadText>
    + Answers<ReadPair>
    + Answers<ReadVersions>
    + Answers<ReadChanges>
    + Answers<Filter>
    + Answers<PreviewTask>
    + Answers<PlayTasks>
    + Answers<Lint>
    + Answers<Review>
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
}

/// Reads the texts of two memories that stand side by side.
#[derive(Debug)]
pub struct ReadPair(pub [Arc<Memory>; 2]);

impl Question for ReadPair {
    const SLOT: Slot = "pair";
    const AWAITED: bool = true;
    type Answer = [Result<Arc<str>, String>; 2];
}

/// Reads the versions of a memory, newest first.
#[derive(Debug)]
pub struct ReadVersions(pub Arc<Memory>);

impl Question for ReadVersions {
    const SLOT: Slot = "history";
    const AWAITED: bool = true;
    type Answer = Result<Vec<Version>, String>;
}

/// Reads the changes that memkeep made, newest first.
#[derive(Debug)]
pub struct ReadChanges;

impl Question for ReadChanges {
    const SLOT: Slot = "history";
    const AWAITED: bool = true;
    type Answer = Result<Vec<Made>, String>;
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
    /// True if bodies are searched too.
    pub texts: bool,
}

impl Question for Filter {
    const SLOT: Slot = "filter";
    const AWAITED: bool = true;
    type Answer = Vec<Hit>;
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
}

/// Lints a snapshot.
#[derive(Debug)]
pub struct Lint(pub Snapshot);

impl Question for Lint {
    const SLOT: Slot = "lint";
    const ASIDE: bool = true;
    /// The snapshot that the indexes stand for, and its findings.
    type Answer = (Snapshot, Digest);
}

/// Compares the memories with the last commit; answered twice, the second time with findings.
#[derive(Debug)]
pub struct Review(pub Snapshot);

impl Question for Review {
    const SLOT: Slot = "review";
    const AWAITED: bool = true;
    type Answer = Result<Queue, String>;
}

/// Plans a change without making it.
#[derive(Debug)]
pub struct PlanChange(pub Change);

impl Question for PlanChange {
    const SLOT: Slot = "plan";
    /// The unified diff, and the number of places that still mention a name that is lost.
    type Answer = Result<(Arc<str>, usize), Failure>;
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
    type Answer = Blocks;
}

/// Why a change was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The file changed on disk since it was read: the person is shown both.
    pub changed: bool,
    /// The system itself would not do it: asked for again, it is done. The command, and the
    /// memories it was asked for.
    pub doubtful: Option<(&'static str, Vec<MemoryId>)>,
}
