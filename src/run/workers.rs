//! The threads that do what takes time: one for each slot of questions, of which only the newest
//! matters, and one that makes changes in their order.

use std::any::Any;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::drafts::Drafts;
use super::{Event, change};
use crate::app::msg::{Asked, Draft, Effect, Look, Msg, Ticket, Turn};
use crate::retrieval::Snapshot;
use crate::store::watch::News;
use crate::workspace::orders::World;

#[derive(Clone)]
struct Out(Sender<Event>);

impl Out {
    /// False where the program has ended.
    fn send(&self, msg: Msg) -> bool {
        self.0.send(Event::Msg(msg)).is_ok()
    }
}

struct Asking {
    thread: Slot<(Ticket, Asked)>,
    newest: Arc<AtomicU64>,
}

pub(super) struct Workers {
    load: Slot<()>,
    /// The stores, and the channel of answers.
    pub loader: Arc<Loader>,
    /// True once the stores were asked for.
    asked: Arc<AtomicBool>,
    slots: Mutex<HashMap<&'static str, Asking>>,
    /// Threads for questions that nobody waits for.
    aside: Arc<ThreadPool>,
    /// Ends requests to a model.
    stop: Arc<AtomicBool>,
    drafts: Slot<Option<Draft>>,
    /// The files of drafts; none where they cannot be kept.
    found: Option<Arc<Mutex<Drafts>>>,
    changes: Sender<Job>,
}

impl Workers {
    pub fn start(
        world: &Arc<dyn World>,
        sender: Sender<Event>,
        state: Option<PathBuf>,
    ) -> io::Result<Self> {
        let out = Out(sender);
        let index = Arc::clone(world);
        let loader = Arc::new(Loader {
            world: Arc::clone(world),
            out: out.clone(),
            known: Mutex::default(),
            git: git(world, &out)?,
            index: Slot::start("index", move |memories: Snapshot| index.index(&memories))?,
        });
        let load = Arc::clone(&loader);
        let found = found_draft(state, &out);
        Ok(Self {
            load: Slot::start("load", move |()| load.load())?,
            asked: Arc::default(),
            slots: Mutex::default(),
            aside: Arc::new(aside()?),
            stop: Arc::default(),
            drafts: drafts(found.clone(), &out)?,
            found,
            changes: changes(&loader)?,
            loader,
        })
    }

    pub fn take(&self, effect: Effect) {
        match effect {
            Effect::Load => self.rescan(),
            Effect::Ask(ticket, question) => {
                if let Err(error) = self.ask(ticket, question) {
                    let what = format!("the program cannot start a thread: {error}");
                    self.loader.out.send(Msg::Notice(what));
                }
            }
            Effect::KeepDraft(draft) => self.drafts.submit(draft),
            Effect::DiscardDraft => self.decide(|drafts| drafts.discard()),
            Effect::TakeDraft => self.decide(Drafts::take_up),
            change => self.change(Job::Effect(change)),
        }
    }

    /// Gives a question to the thread of its slot.
    fn ask(&self, ticket: Ticket, question: Asked) -> io::Result<()> {
        let slot = question.slot;
        let mut slots = lock(&self.slots);
        if !slots.contains_key(slot) {
            slots.insert(slot, self.start_slot(slot)?);
        }
        if let Some(asking) = slots.get(slot) {
            asking.newest.store(ticket, Ordering::Relaxed);
            asking.thread.submit((ticket, question));
        }
        Ok(())
    }

    fn start_slot(&self, slot: &'static str) -> io::Result<Asking> {
        let newest: Arc<AtomicU64> = Arc::default();
        let (loader, stop) = (Arc::clone(&self.loader), Arc::clone(&self.stop));
        let (aside, last) = (Arc::clone(&self.aside), Arc::clone(&newest));
        let work = move |(ticket, asked): (Ticket, Asked)| {
            let answer = |question: Box<dyn Any + Send>| {
                let turn = Turn {
                    stop: &stop,
                    is_newest: &|| last.load(Ordering::Relaxed) == ticket,
                    memories: &|| loader.snapshot(),
                };
                let mut send = |msg| {
                    loader.out.send(msg);
                };
                super::answer(&*loader.world, (slot, ticket, question), &turn, &mut send);
            };
            match asked.is_aside {
                true => aside.install(|| answer(asked.question)),
                false => answer(asked.question),
            }
        };
        Ok(Asking {
            thread: Slot::start(slot, work)?,
            newest,
        })
    }

    /// Carries out a person's decision about the draft that was found.
    fn decide(&self, work: impl FnOnce(&mut Drafts) -> io::Result<()>) {
        let done = self.found.as_ref().map(|drafts| work(&mut lock(drafts)));
        if let Some(Err(error)) = done {
            self.loader.out.send(Msg::Notice(not_kept(&error)));
        }
    }

    pub fn change(&self, job: Job) {
        // Fails only where the thread ended, which it does not before `finish`.
        let _ = self.changes.send(job);
    }

    pub fn rescan(&self) {
        self.asked.store(true, Ordering::SeqCst);
        self.load.submit(());
    }

    pub fn on_news(&self) -> impl FnMut(News) -> bool + Send + use<> {
        let (load, asked) = (self.load.clone(), self.asked.clone());
        let out = self.loader.out.clone();
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
        self.drafts.finish();
    }
}

fn not_kept(error: &io::Error) -> String {
    format!("text being edited is not kept against a crash: {error}")
}

/// Opens the files of drafts and offers the one that was left behind.
fn found_draft(state: Option<PathBuf>, out: &Out) -> Option<Arc<Mutex<Drafts>>> {
    match Drafts::open(&state?) {
        Ok((drafts, found)) => {
            if let Some((draft, is_offered)) = found {
                out.send(Msg::Draft(draft, is_offered));
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

/// How far behind what a person waits for: threads at 0 get nine tenths of a processor that both
/// want.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Threads of their own, as many as there are processors: a key that is typed never stands in line
/// behind a thousand texts that are looked at.
fn aside() -> io::Result<ThreadPool> {
    let threads = ThreadPoolBuilder::new()
        .thread_name(|n| format!("aside-{n}"))
        .start_handler(|_| give_way());
    threads.build().map_err(io::Error::other)
}

/// Lets others go first. Only Linux takes the number for that of the thread and not of all of them.
fn give_way() {
    #[cfg(target_os = "linux")]
    {
        // If this is refused the work is done at normal priority.
        let _ = rustix::process::setpriority_process(None, NICENESS);
    }
}

/// A change to make, in order.
pub(super) enum Job {
    Effect(Effect),
    /// An editor ended that was given a file with these bytes; whether it failed.
    Edited(PathBuf, Vec<u8>, bool),
    End(Sender<()>),
}

/// Makes changes one after the other. The stores are read again before the answer is given, so
/// that what it speaks of is there.
fn changes(loader: &Arc<Loader>) -> io::Result<Sender<Job>> {
    let loader = Arc::clone(loader);
    let (jobs, queue) = channel();
    let thread = std::thread::Builder::new().name("changes".to_owned());
    thread.spawn(move || {
        for job in queue {
            let msg = match job {
                Job::Effect(Effect::KeepTheme(name)) => Msg::Notice(loader.world.keep_theme(&name)),
                Job::Effect(effect) => match change(&*loader.world, effect, &loader.snapshot()) {
                    Ok(msg) => msg,
                    // The others are the loop's own.
                    Err(_) => continue,
                },
                Job::Edited(path, before, failed) => match loader.world.edited(&path, &before) {
                    // Keeps the message of a failed editor.
                    Ok(Some(done)) if failed => Msg::Notice(done.title),
                    Ok(None) => Msg::Notice("the editor changed nothing".to_owned()),
                    Ok(Some(done)) => Msg::Applied(done, "undo"),
                    Err(failure) => Msg::Failed(failure),
                },
                Job::End(done) => {
                    let _ = done.send(());
                    return;
                }
            };
            if !matches!(msg, Msg::Notice(_)) {
                loader.load();
            }
            loader.out.send(msg);
        }
    })?;
    Ok(jobs)
}

type Running<J> = (Sender<J>, JoinHandle<()>);

/// A worker thread for one kind of job.
#[derive(Clone)]
struct Slot<J>(Arc<Mutex<Option<Running<J>>>>);

/// Takes a lock, whatever became of the thread that had it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<J: Send + 'static> Slot<J> {
    pub fn start(name: &str, mut work: impl FnMut(J) + Send + 'static) -> io::Result<Self> {
        let (sender, jobs) = channel();
        let thread = std::thread::Builder::new().name(name.to_owned());
        let thread = thread.spawn(move || {
            while let Ok(job) = jobs.recv() {
                work(jobs.try_iter().last().unwrap_or(job));
            }
        })?;
        Ok(Self(Arc::new(Mutex::new(Some((sender, thread))))))
    }

    /// Asks for a job; one that waits is forgotten.
    pub fn submit(&self, job: J) {
        if let Some((jobs, _)) = &*lock(&self.0) {
            // A thread that panicked has ended the program already.
            let _ = jobs.send(job);
        }
    }

    /// Waits until the newest job is done, and ends the thread.
    pub fn finish(&self) {
        let own = lock(&self.0).take();
        if let Some((jobs, thread)) = own {
            drop(jobs);
            let _ = thread.join();
        }
    }
}

/// Rows of the first load that are sent at once, and how long fewer wait for others: the list is
/// arranged anew each time, and thousands of small stores would keep it from answering keys.
const PIECE: usize = 1024;
const PAUSE: Duration = Duration::from_millis(50);

/// The stores when they were last read.
#[derive(Default)]
struct Known {
    memories: Snapshot,
    problems: Vec<String>,
    complete: bool,
    /// The number of lint's facts beside them.
    decided: u64,
    look: Option<Result<Look, String>>,
    themes: Vec<(PathBuf, String)>,
}

/// Reads the stores, one reading at a time, and tells where something changed.
pub(super) struct Loader {
    pub world: Arc<dyn World>,
    out: Out,
    known: Mutex<Known>,
    git: Slot<Snapshot>,
    index: Slot<Snapshot>,
}

impl Loader {
    fn snapshot(&self) -> Snapshot {
        lock(&self.known).memories.clone()
    }

    fn load(&self) {
        let mut known = lock(&self.known);
        let stream = !known.complete;
        let mut waiting = Vec::new();
        let mut sent: Option<Instant> = None;
        let loaded = self.world.load(&known.memories, &mut |rows| {
            if !stream {
                return true;
            }
            waiting.extend_from_slice(rows);
            if sent.is_some_and(|sent| waiting.len() < PIECE && sent.elapsed() < PAUSE) {
                return true;
            }
            sent = Some(Instant::now());
            self.out.send(Msg::Rows(std::mem::take(&mut waiting)))
        });
        let same = known.complete
            && known.problems == loaded.problems
            && *known.memories == loaded.memories;
        let decided = self.world.decided();
        let other = std::mem::replace(&mut known.decided, decided) != decided;
        if other {
            let look = self.world.look();
            let before = known.look.replace(look.clone());
            if before.is_some_and(|before| before != look) {
                self.out.send(Msg::Settings(look));
            }
        }
        // With other memories lint runs anyway.
        if same && other {
            self.out.send(Msg::Decided);
        }
        if !same {
            let memories: Snapshot = Arc::new(loaded.memories);
            known.memories = memories.clone();
            known.problems.clone_from(&loaded.problems);
            known.complete = true;
            self.out
                .send(Msg::Snapshot(memories.clone(), loaded.problems));
            self.index.submit(memories);
        }
        let themes = self.world.themes();
        if known.themes != themes {
            known.themes.clone_from(&themes);
            self.out.send(Msg::Themes(themes));
        }
        // A commit changes what is new without changing a memory.
        self.git.submit(known.memories.clone());
    }
}

/// Starts the thread that asks the repository for changes, and counts those that wait for review.
fn git(world: &Arc<dyn World>, out: &Out) -> io::Result<Slot<Snapshot>> {
    let (world, out) = (Arc::clone(world), out.clone());
    // As a number: of a store that was never committed they name every file.
    let mut last: Option<u64> = None;
    let mut told = None;
    Slot::start("git", move |memories: Snapshot| {
        let facts = world.git(&memories);
        if facts.unknown != told {
            told.clone_from(&facts.unknown);
            let notice = facts.unknown.clone();
            notice.map(|notice| out.send(Msg::Notice(notice)));
        }
        let mut hasher = DefaultHasher::new();
        facts.hash(&mut hasher);
        if last.replace(hasher.finish()) != Some(hasher.finish()) {
            out.send(Msg::Git(facts.head, facts.news));
            out.send(Msg::Dates(world.dates(&memories)));
        }
        if let Some(count) = world.waiting(&memories) {
            out.send(Msg::Waiting(count));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_job_takes_the_place_of_the_waiting_one() {
        let (started, start) = channel();
        let (release, go) = channel::<()>();
        let (done, out) = channel();
        let slot = Slot::start("test", move |job: u32| {
            started.send(job).unwrap();
            let _ = go.recv();
            done.send(job).unwrap();
        })
        .unwrap();
        slot.submit(1);
        assert_eq!(start.recv(), Ok(1));
        for job in 2..=50 {
            slot.submit(job);
        }
        drop(release);
        slot.finish();
        assert_eq!(out.try_iter().collect::<Vec<_>>(), [1, 50]);
    }
}
