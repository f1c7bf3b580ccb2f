//! Answers the questions of the terminal UI.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use super::Workspace;
use super::assessment::tell_queue;
use super::lint::Basis;
use super::orders::failure;
use crate::app::ReadVersions;
use crate::app::filter::FilterMemories;
use crate::app::inject::preview::{PreviewTask, Previewed};
use crate::app::inject::tasks::PlayTasks;
use crate::app::links;
use crate::app::linting::Lint;
use crate::app::msg::{Answer, Question, Turn};
use crate::app::pair::ReadPair;
use crate::app::proposal::PlanChange;
use crate::app::queue::ReadQueue;
use crate::app::reading::{Highlight, MemoryText, ReadText};
use crate::lint;
use crate::memory::{Fields, Memory};
use crate::retrieval::expect::{TaskRunner, played};
use crate::retrieval::{MultiScorer, Scorer as _, Snapshot, Texts as _};
use crate::search::filter::Reads;
use crate::search::{Haystacks, filter};

/// Findings of one rule that the screen lists; a person reads no more.
const MOST_LISTED: usize = 500;

/// Indexes of the newest snapshot, shared by its questions.
#[derive(Default)]
pub struct Indexes {
    scorer: OfSnapshot<MultiScorer>,
    haystacks: OfSnapshot<Haystacks>,
}

/// A value of the newest snapshot.
struct OfSnapshot<T>(Mutex<Option<(Snapshot, Arc<T>)>>);

impl<T> Default for OfSnapshot<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> OfSnapshot<T> {
    /// The value of a snapshot, made where it is another one's.
    fn get(&self, memories: &Snapshot, make: impl FnOnce() -> T) -> Arc<T> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = kept.take().filter(|(of, _)| Arc::ptr_eq(of, memories));
        let own = own.unwrap_or_else(|| (memories.clone(), Arc::new(make())));
        Arc::clone(&kept.insert(own).1)
    }

    fn set(&self, memories: &Snapshot, value: T) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some((memories.clone(), Arc::new(value)));
    }
}

impl Workspace {
    /// Makes the many questions about a snapshot fast, while slow ones are answered.
    pub(super) fn index_snapshot(&self, memories: &Snapshot) {
        self.haystacks(memories);
        let mut scorer = self.scorer(memories);
        scorer.index(&self.collection);
        self.indexes.scorer.set(memories, scorer);
    }

    fn haystacks(&self, memories: &Snapshot) -> Arc<Haystacks> {
        let make = || Haystacks::build(memories);
        self.indexes.haystacks.get(memories, make)
    }

    /// The scorer of a snapshot, indexed once that is done.
    fn shared_scorer(&self, memories: &Snapshot) -> Arc<MultiScorer> {
        self.indexes.scorer.get(memories, || self.scorer(memories))
    }

    /// The whole text of a memory as it stands in the file now, or why it cannot be read.
    fn text(&self, memory: &Memory) -> Result<Arc<str>, String> {
        let store = self.collection.store_of(&memory.id);
        let text = store.ok_or("its store is gone")?.text(memory);
        let text = text.map_err(|error| error.to_string())?;
        Ok(String::from_utf8_lossy(&text).into())
    }
}

/// Answers one kind of question, in one piece or several.
pub trait Answers<Q: Question> {
    /// Tells the answer.
    fn answer(&self, question: Q, turn: &Turn<'_>, tell: &mut dyn FnMut(Q::Answer));
}

/// A question of any type.
type Asked = Box<dyn Any + Send>;

/// Answers a question of one type; another one is given back.
type Attempt = fn(&Workspace, Asked, &Turn<'_>, &mut dyn FnMut(Answer)) -> Result<(), Asked>;

/// A row for each question.
const ANSWERS: &[Attempt] = &[
    Workspace::attempt::<ReadText>,
    Workspace::attempt::<ReadPair>,
    Workspace::attempt::<ReadVersions>,
    Workspace::attempt::<FilterMemories>,
    Workspace::attempt::<PreviewTask>,
    Workspace::attempt::<PlayTasks>,
    Workspace::attempt::<Lint>,
    Workspace::attempt::<ReadQueue>,
    Workspace::attempt::<PlanChange>,
    Workspace::attempt::<Highlight>,
];

impl Workspace {
    fn attempt<Q: Question>(
        &self,
        question: Asked,
        turn: &Turn<'_>,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Asked>
    where
        Self: Answers<Q>,
    {
        let question = question.downcast::<Q>()?;
        Answers::<Q>::answer(self, *question, turn, &mut |answer| {
            tell(Answer::to::<Q>(answer));
        });
        Ok(())
    }

    /// Answers a question of any type.
    pub(super) fn answer_any(
        &self,
        mut question: Asked,
        turn: &Turn<'_>,
        tell: &mut dyn FnMut(Answer),
    ) {
        for attempt in ANSWERS {
            match attempt(self, question, turn, tell) {
                Ok(()) => return,
                Err(other) => question = other,
            }
        }
    }
}

/// The answer's callback.
type Tell<'a, Q> = &'a mut dyn FnMut(<Q as Question>::Answer);

impl Answers<ReadText> for Workspace {
    fn answer(&self, asked: ReadText, _: &Turn<'_>, tell: Tell<'_, ReadText>) {
        let (memory, texts) = (&*asked.memory, &self.collection);
        let loader_body = || texts.loader_body(memory).map(Arc::from);
        tell(MemoryText {
            id: memory.id.clone(),
            text: self.text(memory),
            inner: texts.inner(memory),
            beside: texts.beside(memory),
            seen: memory.has_other_text().then(loader_body).flatten(),
            related: links::outgoing(&asked.memories, memory),
        });
    }
}

impl Answers<ReadPair> for Workspace {
    fn answer(&self, ReadPair(pair): ReadPair, _: &Turn<'_>, tell: Tell<'_, ReadPair>) {
        tell(pair.map(|memory| self.text(&memory)));
    }
}

impl Answers<ReadVersions> for Workspace {
    fn answer(&self, asked: ReadVersions, _: &Turn<'_>, tell: Tell<'_, ReadVersions>) {
        let memory = std::slice::from_ref(&asked.0);
        let versions = self.collection.versions(&asked.0.id, memory);
        let mut versions = versions.map_err(|error| error.to_string());
        for version in versions.iter_mut().flatten() {
            for text in [&mut version.text, &mut version.before, &mut version.subject] {
                *text = lint::mask(text).into();
            }
        }
        tell(versions);
    }
}

impl Answers<FilterMemories> for Workspace {
    fn answer(&self, asked: FilterMemories, turn: &Turn<'_>, tell: Tell<'_, FilterMemories>) {
        let haystacks = self.haystacks(&asked.memories);
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
        let (query, now) = (&asked.query, self.clock());
        tell(filter(memories, &haystacks, marks, query, now, reads));
    }
}

impl Answers<PreviewTask> for Workspace {
    fn answer(&self, asked: PreviewTask, _: &Turn<'_>, tell: Tell<'_, PreviewTask>) {
        let scorer = self.shared_scorer(&asked.memories);
        let (task, limits, texts) = (&asked.task, &asked.limits, &self.collection);
        let preview = |what_if| scorer.preview(task, limits, what_if, texts);
        let now = preview(None);
        let what_if = asked.what_if.as_ref();
        let then = what_if.map(|(index, memory)| preview(Some((*index, &**memory))));
        let verdicts = scorer.verdicts(task, limits, &asked.wanted, texts);
        tell(Previewed {
            memories: Arc::clone(&asked.memories),
            preview: now,
            verdicts,
            what_if: then,
        });
    }
}

impl Answers<PlayTasks> for Workspace {
    fn answer(&self, asked: PlayTasks, _: &Turn<'_>, tell: Tell<'_, PlayTasks>) {
        let suite = self.task_suite(self.clock());
        let suite = suite.map_err(|error| error.in_a_line());
        tell(suite.map(|suite| {
            let (memories, texts) = (&asked.memories, &self.collection);
            let scorer = self.shared_scorer(memories);
            let runner = TaskRunner::new(&suite, memories, texts, &*scorer);
            played(&runner, &suite.tasks, asked.what_if)
        }));
    }
}

impl Answers<Lint> for Workspace {
    fn answer(&self, Lint(memories): Lint, _: &Turn<'_>, tell: Tell<'_, Lint>) {
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
        tell((memories, digest));
    }
}

impl Answers<ReadQueue> for Workspace {
    fn answer(&self, ReadQueue(memories): ReadQueue, _: &Turn<'_>, tell: Tell<'_, ReadQueue>) {
        tell_queue(self, &memories, tell);
    }
}

impl Answers<PlanChange> for Workspace {
    fn answer(&self, PlanChange(change): PlanChange, turn: &Turn<'_>, tell: Tell<'_, PlanChange>) {
        let plan = self
            .collection
            .preview(&change, &(turn.memories)(), self.clock());
        tell(plan.map_err(failure).map(|plan| {
            // Its effects are known before it is made.
            let notes = plan.notes.iter().map(|note| format!("{note}\n\n"));
            let notes: String = notes.collect();
            let text = notes + &String::from_utf8_lossy(&self.diff(&plan));
            (text.into(), plan.mentions.len())
        }));
    }
}
