//! The threads that do what takes time: one for each kind of question, of which only the newest
//! matters, and one that makes changes in their order.

mod aside;
mod ask;
mod changes;
mod filter;
mod load;
mod repository;
mod texts;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};

use self::ask::ask;
use self::changes::{Job, changes};
use self::filter::{Ready, filter};
use self::load::Loader;
use self::repository::{git, review};
use self::texts::texts;
use super::Event;
use super::drafts::Drafts;
use super::highlight::Grammars;
use super::scorers::Scorers;
use super::slot::{Slot, lock};
use super::world::World;
use crate::app::msg::{Draft, Effect, Msg};
use crate::retrieval::Snapshot;
use crate::retrieval::expect::{TaskRunner, played};
use crate::retrieval::multi_store::repeats;
use crate::store::watch::News;

/// Where answers go.
#[derive(Clone)]
struct Out(Sender<Event>);

impl Out {
    /// False where the program has ended.
    fn send(&self, msg: Msg) -> bool {
        self.0.send(Event::Msg(msg)).is_ok()
    }
}

/// All workers.
pub(super) struct Workers {
    out: Out,
    load: Slot<()>,
    /// Whether the stores were asked for.
    asked: Arc<AtomicBool>,
    texts: Slot<Effect>,
    pairs: Slot<Effect>,
    history: Slot<Effect>,
    filter: Slot<Effect>,
    /// The newest question to the filter: what is asked of an older one is not read any more.
    newest: Arc<AtomicU64>,
    preview: Slot<Effect>,
    verdicts: Slot<Effect>,
    tasks: Slot<Effect>,
    lint: Slot<Effect>,
    plan: Slot<Effect>,
    ask: Slot<Effect>,
    review: Slot<Effect>,
    /// The stores.
    pub world: Arc<dyn World>,
    /// Ends what a model is asked.
    stop: Arc<AtomicBool>,
    highlight: Slot<Effect>,
    drafts: Slot<Option<Draft>>,
    /// The files of drafts; none where they cannot be kept.
    found: Option<Arc<Mutex<Drafts>>>,
    changes: Sender<Job>,
}

impl Workers {
    /// Starts the threads.
    pub fn start(
        world: &Arc<dyn World>,
        sender: Sender<Event>,
        state: Option<PathBuf>,
    ) -> io::Result<Self> {
        let out = Out(sender);
        let scorers = Arc::new(Scorers::new(world));
        let ready: Ready = Arc::default();
        let newest: Arc<AtomicU64> = Arc::default();
        let loader = Arc::new(Loader {
            world: Arc::clone(world),
            out: out.clone(),
            known: Mutex::default(),
            git: git(world, &out)?,
            index: {
                let (world, scorers, ready) =
                    (Arc::clone(world), Arc::clone(&scorers), Arc::clone(&ready));
                Slot::start("index", move |memories: Snapshot| {
                    let searcher = world.searcher(&memories);
                    *lock(&ready) = Some((memories.clone(), searcher));
                    scorers.index(&memories);
                })?
            },
        });
        let load = {
            let loader = Arc::clone(&loader);
            Slot::start("load", move |()| loader.load())?
        };
        let found = found_draft(state, &out);
        let stop: Arc<AtomicBool> = Arc::default();
        Ok(Self {
            load,
            asked: Arc::default(),
            texts: texts("texts", world, &out)?,
            pairs: texts("pairs", world, &out)?,
            history: texts("history", world, &out)?,
            filter: filter(world, &out, &ready, &newest)?,
            newest,
            preview: preview(world, &out, &scorers)?,
            verdicts: verdicts(world, &out, &scorers)?,
            tasks: tasks(world, &out, &scorers)?,
            lint: lint(world, &out)?,
            plan: plan(world, &out, &loader)?,
            ask: ask(world, &out, &stop)?,
            review: review(world, &out)?,
            world: Arc::clone(world),
            stop,
            highlight: colours(&out)?,
            drafts: drafts(found.clone(), &out)?,
            found,
            changes: changes(world, &out, &loader)?,
            out,
        })
    }

    /// Gives an effect to its worker.
    pub fn take(&self, effect: Effect) {
        match effect {
            Effect::Load => self.rescan(),
            Effect::ReadText { .. } => self.texts.submit(effect),
            Effect::ReadTexts { .. } => self.pairs.submit(effect),
            Effect::ReadVersions { .. }
            | Effect::ReadArchived { .. }
            | Effect::ReadCandidates { .. }
            | Effect::ReadChanges { .. } => self.history.submit(effect),
            Effect::Filter { ticket, .. } => {
                self.newest.store(ticket, Ordering::Relaxed);
                self.filter.submit(effect);
            }
            Effect::Preview { .. } => self.preview.submit(effect),
            Effect::Verdicts { .. } => self.verdicts.submit(effect),
            Effect::Tasks { .. } => self.tasks.submit(effect),
            Effect::Lint { .. } => self.lint.submit(effect),
            Effect::Plan { .. } => self.plan.submit(effect),
            Effect::Ask { .. } => self.ask.submit(effect),
            Effect::Review { .. } => self.review.submit(effect),
            Effect::Highlight { .. } => self.highlight.submit(effect),
            Effect::KeepDraft(draft) => self.drafts.submit(draft),
            Effect::DiscardDraft => self.decide(|drafts| drafts.discard()),
            Effect::TakeDraft => self.decide(Drafts::take_up),
            Effect::KeepTheme(name) => self.change(Job::Theme(name)),
            Effect::Apply(change) => self.change(Job::Apply(change)),
            Effect::Undo => self.change(Job::Undo(None)),
            Effect::UndoOne(seq) => self.change(Job::Undo(Some(seq))),
            Effect::Redo => self.change(Job::Redo),
            // These are the loop's own.
            Effect::OpenEditor { .. }
            | Effect::Commit(_)
            | Effect::Copy(_)
            | Effect::Suspend
            | Effect::Quit => {}
        }
    }

    /// Does what a person decided about the draft that was found.
    fn decide(&self, work: impl FnOnce(&mut Drafts) -> io::Result<()>) {
        let done = self.found.as_ref().map(|drafts| work(&mut lock(drafts)));
        if let Some(Err(error)) = done {
            self.out.send(Msg::Notice(not_kept(&error)));
        }
    }

    fn change(&self, job: Job) {
        // Fails only where the thread ended, which it does not before `finish`.
        let _ = self.changes.send(job);
    }

    /// Remembers what an editor made of a file.
    pub fn edited(&self, path: PathBuf, before: Vec<u8>, failed: bool) {
        self.change(Job::Edited(path, before, failed));
    }

    /// Reads the stores again.
    pub fn rescan(&self) {
        self.asked.store(true, Ordering::SeqCst);
        self.load.submit(());
    }

    /// What to do with news of the watcher.
    pub fn on_news(&self) -> impl FnMut(News) -> bool + Send + use<> {
        let (load, out, asked) = (self.load.clone(), self.out.clone(), self.asked.clone());
        move |news| {
            // Something may have changed between the reading and the watching.
            if news == News::Changed || asked.load(Ordering::SeqCst) {
                load.submit(());
            }
            match news {
                News::Polling(why) => out.send(Msg::Notice(format!(
                    "changes by other programs show after about a second: {why}"
                ))),
                News::Watching | News::Changed => true,
            }
        }
    }

    /// Waits for what must not be lost: changes that were asked for, and the draft.
    pub fn finish(&self) {
        let (done, wait) = channel();
        if self.changes.send(Job::End(done)).is_ok() {
            let _ = wait.recv();
        }
        self.stop.store(true, Ordering::SeqCst);
        self.ask.finish();
        self.drafts.finish();
    }
}

fn preview(world: &Arc<dyn World>, out: &Out, scorers: &Arc<Scorers>) -> io::Result<Slot<Effect>> {
    let (world, out, scorers) = (Arc::clone(world), out.clone(), Arc::clone(scorers));
    Slot::start("preview", move |effect| {
        let Effect::Preview {
            ticket,
            memories,
            task,
            limits,
            what_if,
            wanted,
        } = effect
        else {
            return;
        };
        let scorer = scorers.of(&memories);
        let preview = |what_if| scorer.preview(&task, &limits, what_if, world.texts());
        let mut now = preview(None);
        let notes = repeats(&now.parts);
        if !notes.is_empty() {
            Arc::make_mut(&mut now).notes.extend(notes);
        }
        let then = what_if
            .as_ref()
            .map(|(index, memory)| preview(Some((*index, &**memory))));
        out.send(Msg::Previewed {
            ticket,
            preview: now,
            verdicts: scorer.verdicts(&task, &limits, &wanted, world.texts()),
            what_if: then,
        });
    })
}

fn verdicts(world: &Arc<dyn World>, out: &Out, scorers: &Arc<Scorers>) -> io::Result<Slot<Effect>> {
    let (world, out, scorers) = (Arc::clone(world), out.clone(), Arc::clone(scorers));
    Slot::start("verdicts", move |effect| {
        if let Effect::Verdicts {
            ticket,
            memories,
            task,
            limits,
            wanted,
        } = effect
        {
            let scorer = scorers.of(&memories);
            let verdicts = scorer.verdicts(&task, &limits, &wanted, world.texts());
            out.send(Msg::Verdicts { ticket, verdicts });
        }
    })
}

fn tasks(world: &Arc<dyn World>, out: &Out, scorers: &Arc<Scorers>) -> io::Result<Slot<Effect>> {
    let (world, out, scorers) = (Arc::clone(world), out.clone(), Arc::clone(scorers));
    Slot::start("tasks", move |effect| {
        let Effect::Tasks {
            ticket,
            memories,
            what_if,
        } = effect
        else {
            return;
        };
        let script = world.script();
        let scorer = scorers.of(&memories);
        let played = script.map(|script| {
            let runner = TaskRunner::new(&script, &memories, world.texts(), &*scorer);
            played(&runner, &script.tasks, what_if)
        });
        let (tasks, effects) = match played {
            Ok((tasks, effects)) => (Ok(tasks), effects),
            Err(why) => (Err(why), Vec::new()),
        };
        out.send(Msg::Tasks {
            ticket,
            tasks,
            effects,
        });
    })
}

fn lint(world: &Arc<dyn World>, out: &Out) -> io::Result<Slot<Effect>> {
    let (world, out) = (Arc::clone(world), out.clone());
    let aside = aside::threads()?;
    Slot::start("lint", move |effect| {
        if let Effect::Lint { ticket, memories } = effect {
            let digest = aside.install(|| world.lint(&memories));
            out.send(Msg::Linted {
                ticket,
                memories,
                digest,
            });
        }
    })
}

fn plan(world: &Arc<dyn World>, out: &Out, loader: &Arc<Loader>) -> io::Result<Slot<Effect>> {
    let (world, out, loader) = (Arc::clone(world), out.clone(), Arc::clone(loader));
    Slot::start("plan", move |effect| {
        if let Effect::Plan { ticket, change } = effect {
            let planned = world.diff(&change, &loader.snapshot());
            let mentions = planned.as_ref().map_or(0, |(_, mentions)| *mentions);
            let diff = planned.map(|(text, _)| text.into());
            out.send(Msg::Planned {
                ticket,
                diff,
                mentions,
            });
        }
    })
}

fn colours(out: &Out) -> io::Result<Slot<Effect>> {
    let out = out.clone();
    let mut grammars = Grammars::default();
    Slot::start("highlight", move |effect| {
        if let Effect::Highlight {
            ticket,
            blocks,
            light,
            more,
        } = effect
        {
            let blocks = grammars.highlight(&blocks, light);
            out.send(Msg::Highlighted { ticket, blocks });
            if !more {
                grammars.let_go();
            }
        }
    })
}

fn not_kept(error: &io::Error) -> String {
    format!("text being edited is not kept against a crash: {error}")
}

/// Opens the files of drafts and offers the one that was left behind.
fn found_draft(state: Option<PathBuf>, out: &Out) -> Option<Arc<Mutex<Drafts>>> {
    match Drafts::open(&state?) {
        Ok((drafts, found)) => {
            if let Some(found) = found {
                out.send(Msg::Draft(found));
            }
            Some(Arc::new(Mutex::new(drafts)))
        }
        Err(error) => {
            out.send(Msg::Notice(not_kept(&error)));
            None
        }
    }
}

fn drafts(drafts: Option<Arc<Mutex<Drafts>>>, out: &Out) -> io::Result<Slot<Option<Draft>>> {
    let out = out.clone();
    let mut said = false;
    Slot::start("drafts", move |draft: Option<Draft>| {
        let kept = drafts.as_ref().map(|all| lock(all).keep(draft.as_ref()));
        if let Some(Err(error)) = kept
            && !std::mem::replace(&mut said, true)
        {
            out.send(Msg::Notice(not_kept(&error)));
        }
    })
}
