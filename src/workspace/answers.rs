//! Answers the questions of the terminal UI.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Workspace;
use super::assessment::tell_queue;
use super::lint_facts::Basis;
use super::orders::failure;
use crate::app::ReadVersions;
use crate::app::browse::{CountEverySession, EverySession};
use crate::app::filter::FilterMemories;
use crate::app::inject::preview::{PreviewTask, Previewed};
use crate::app::inject::tasks::PlayTasks;
use crate::app::links;
use crate::app::lints::Lint;
use crate::app::msg::{Answer, Change, Failure, Question, Turn};
use crate::app::pair::ReadPair;
use crate::app::proposal::PlanChange;
use crate::app::queue::ReadQueue;
use crate::app::reading::{MemoryText, ReadText};
use crate::curate::versions::Version;
use crate::lint::{self, Digest};
use crate::memory::{Fields, Memory, StoreId, index, tokens_of};
use crate::retrieval::expect::{TaskRunner, played};
use crate::retrieval::{Limits, MultiScorer, Scorer as _, Snapshot, Task, Texts as _};
use crate::search::filter::Reads;
use crate::search::{Hit, filter};

/// Findings of one rule that the screen lists; a person reads no more.
const MOST_LISTED: usize = 500;

/// The scorer of the newest snapshot, shared by its questions.
#[derive(Default)]
pub struct Indexes {
    scorer: Mutex<Option<(Snapshot, Arc<MultiScorer>)>>,
}

impl Workspace {
    /// Makes the many questions about a snapshot fast, while slow ones are answered.
    pub(super) fn index_snapshot(&self, memories: &Snapshot) {
        let scorer = self.scorer(memories);
        // The first answer builds what makes later ones fast.
        scorer.preview(&Task::default(), &Limits::default(), None, &self.collection);
        let kept = self.indexes.scorer.lock();
        let scorer = (memories.clone(), Arc::new(scorer));
        *kept.unwrap_or_else(PoisonError::into_inner) = Some(scorer);
    }

    /// The scorer of a snapshot, indexed once that is done.
    fn shared_scorer(&self, memories: &Snapshot) -> Arc<MultiScorer> {
        let kept = self.indexes.scorer.lock();
        let mut kept = kept.unwrap_or_else(PoisonError::into_inner);
        let own = kept.take().filter(|(of, _)| Arc::ptr_eq(of, memories));
        let own = own.unwrap_or_else(|| (memories.clone(), Arc::new(self.scorer(memories))));
        Arc::clone(&kept.insert(own).1)
    }

    /// The whole text of a memory as it stands in the file now, or why it cannot be read.
    fn text(&self, memory: &Memory) -> Result<Arc<str>, String> {
        let store = self.collection.store_of(&memory.id);
        let text = store.ok_or("its store is gone")?.text(memory);
        let text = text.map_err(|error| error.to_string())?;
        Ok(String::from_utf8_lossy(&text).into())
    }
}

struct Waiting<'a> {
    question: Option<Box<dyn Any + Send>>,
    tell: &'a mut dyn FnMut(Answer),
}

impl Waiting<'_> {
    fn answer<Q: Question>(&mut self, answer: impl FnOnce(Q) -> Q::Answer) {
        self.in_parts(|question: Q, tell| tell(answer(question)));
    }

    /// Answers the question if it is of this type, in one piece or several.
    fn in_parts<Q: Question>(&mut self, answer: impl FnOnce(Q, &mut dyn FnMut(Q::Answer))) {
        match self.question.take().map(|question| question.downcast()) {
            Some(Ok(question)) => answer(*question, &mut |part| {
                (self.tell)(Answer::to::<Q>(part));
            }),
            other => self.question = other.and_then(Result::err),
        }
    }
}

impl Workspace {
    pub(super) fn answer_any(
        &self,
        question: Box<dyn Any + Send>,
        turn: &Turn<'_>,
        tell: &mut dyn FnMut(Answer),
    ) {
        let question = Some(question);
        let mut waiting = Waiting { question, tell };
        waiting.answer(|asked| self.memory_text(&asked));
        waiting.answer(|ReadPair(pair)| pair.map(|memory| self.text(&memory)));
        waiting.answer(|ReadVersions(memory)| self.masked_versions(&memory));
        waiting.answer(|asked| self.filtered(&asked, turn));
        waiting.answer(|asked| self.previewed(&asked));
        waiting.answer(|asked| self.played(asked));
        waiting.answer(|CountEverySession(memories)| self.every_session(&memories));
        waiting.answer(|Lint(memories)| self.linted(memories));
        waiting.in_parts(|ReadQueue(memories), tell| tell_queue(self, &memories, tell));
        waiting.answer(|PlanChange(change)| self.shown_plan(&change, turn));
    }

    fn memory_text(&self, asked: &ReadText) -> MemoryText {
        let (memory, texts) = (&*asked.memory, &self.collection);
        let loader_body = || texts.loader_body(memory).map(Arc::from);
        let worth = self.worths().of(&memory.id);
        let worth = worth.map(|worth| ("use", worth.to_string()));
        MemoryText {
            id: memory.id.clone(),
            text: self.text(memory),
            inner: texts.inner(memory),
            beside: texts.beside(memory).into_iter().chain(worth).collect(),
            seen: memory.has_other_text().then(loader_body).flatten(),
            related: links::outgoing(&asked.memories, memory),
        }
    }

    fn masked_versions(&self, memory: &Arc<Memory>) -> Result<Vec<Version>, String> {
        let known = std::slice::from_ref(memory);
        let versions = self.collection.versions(&memory.id, known);
        let mut versions = versions.map_err(|error| error.to_string())?;
        for version in &mut versions {
            for text in [&mut version.text, &mut version.before, &mut version.subject] {
                *text = lint::mask(text).into();
            }
        }
        Ok(versions)
    }

    fn filtered(&self, asked: &FilterMemories, turn: &Turn<'_>) -> Vec<Hit> {
        // Reading takes seconds in a large store; nobody sees the answer to an older question.
        let inner = |memory: &Memory| match (turn.is_newest)() {
            true => self.collection.inner(memory),
            false => Fields::default(),
        };
        let said = |memory: &Memory| self.collection.said(memory);
        let body = |memory: &Memory| (turn.is_newest)().then(|| said(memory)).flatten();
        let reads = Reads {
            inner: &inner,
            body: asked.texts.then_some(&body),
        };
        let (memories, marks) = (&asked.memories, &asked.marks);
        filter(memories, marks, &asked.query, self.clock(), reads)
    }

    fn previewed(&self, asked: &PreviewTask) -> Previewed {
        let scorer = self.shared_scorer(&asked.memories);
        let (task, limits, texts) = (&asked.task, &asked.limits, &self.collection);
        let preview = |what_if| {
            let mut preview = scorer.preview(task, limits, what_if, texts);
            self.add_handouts(&mut [(&mut preview, &asked.memories)]);
            preview
        };
        let what_if = asked.what_if.as_ref();
        Previewed {
            memories: Arc::clone(&asked.memories),
            preview: preview(None),
            what_if: what_if.map(|(index, memory)| preview(Some((*index, &**memory)))),
            verdicts: scorer.verdicts(task, limits, &asked.wanted, texts),
        }
    }

    fn played(&self, asked: PlayTasks) -> <PlayTasks as Question>::Answer {
        let suite = self.task_suite(self.clock());
        let suite = suite.map_err(|error| error.in_a_line())?;
        let (memories, texts) = (&asked.memories, &self.collection);
        let scorer = self.shared_scorer(memories);
        let runner = TaskRunner::new(&suite, memories, texts, &*scorer);
        let (mut judged, effects) = played(&runner, &suite.tasks, asked.what_if);
        self.judge_caveats(&mut judged, memories, false);
        Ok((judged, effects))
    }

    /// What every session is given of each store, whatever its task.
    fn every_session(&self, memories: &Snapshot) -> HashMap<StoreId, EverySession> {
        let policies = self.collection.policies().into_iter();
        let (always, others): (Vec<_>, Vec<_>) =
            policies.partition(|of| !(of.policy.goes_by_task)(""));
        let limits = Limits {
            hidden: others.into_iter().map(|of| of.store).collect(),
            ..Limits::default()
        };
        let scorer = self.shared_scorer(memories);
        let preview = scorer.preview(&Task::default(), &limits, None, &self.collection);
        let parts = preview.parts.iter();
        let given = |prompt: &str| EverySession {
            tokens: tokens_of(prompt.len()),
            ..EverySession::default()
        };
        let parts = parts.map(|part| (part.store.clone(), given(&part.prompt)));
        let mut all: HashMap<_, _> = parts.collect();
        if let ([only], true) = (&always[..], all.is_empty()) {
            all.insert(only.store.clone(), given(&preview.prompt));
        }
        for memory in memories.iter() {
            let store = all.get_mut(&memory.id.store);
            let index = memory.index_table().zip(self.collection.text(memory));
            if let (Some(given), Some((table, text))) = (store, index) {
                let front = memory.body.start.saturating_sub(memory.span.start);
                let loaded = index::load(text.as_bytes(), front, table);
                let lines = (loaded.lines, table.lines, "lines");
                given.limits = vec![lines, (loaded.units, table.units, "units")];
            }
        }
        all
    }

    fn linted(&self, memories: Snapshot) -> (Snapshot, Digest) {
        let basis = Basis::new(&self.collection, &self.settings_now().lint);
        let facts = self.lint_facts(self.clock());
        let cx = facts.context(&basis, &memories, &self.collection);
        let mut digest = lint::digest(&cx, &basis.rules(), MOST_LISTED);
        let unplayed = facts.notes.iter().map(|message| lint::Note {
            rule: "never-selected",
            message: message.clone(),
        });
        // First, for it is a person's mistake and the others are mostly the repository's nature.
        digest.notes.splice(0..0, unplayed);
        (memories, digest)
    }

    fn shown_plan(&self, change: &Change, turn: &Turn<'_>) -> Result<(Arc<str>, usize), Failure> {
        let (collection, memories) = (&self.collection, (turn.memories)());
        let plan = collection.preview(change, &memories, self.clock());
        let plan = plan.map_err(failure)?;
        // Its effects are known before it is made.
        let notes = plan.notes.iter().map(|note| format!("{note}\n\n"));
        let notes: String = notes.collect();
        let text = notes + &String::from_utf8_lossy(&self.diff(&plan));
        Ok((text.into(), plan.mentions.len()))
    }
}
