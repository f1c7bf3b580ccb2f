//! The journal: every plan that was carried out, so that it can be undone, after a restart too.
//!
//! One JSON line per event, appended under a lock. A plan is written before it is carried out,
//! and so is that one is about to be taken back; a start that finds a step that was never
//! finished puts the files back as they were.

mod history;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use self::history::{Begun, Event, History, Step};
use super::apply::{self, Fitted, Progress, Sound};
use super::lock::Lock;
use super::{Guard, StoreError, files};
use crate::curate::Plan;
use crate::memory::Timestamp;

/// What was done, as the journal remembers it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Its number, rising.
    pub seq: u64,
    /// When, milliseconds since 1970.
    pub time: i64,
    /// What kind of change: `edit`, `add`, `rename`, `delete`, `archive`, `restore`, `fix`.
    pub action: String,
    /// The ids of the memories it was about, before the change.
    pub ids: Vec<String>,
    /// The change.
    pub plan: Plan,
    /// Whether its last step, back or forth, had nothing to do: all stood as wanted.
    #[serde(skip)]
    pub stood: bool,
    /// What of its last step was left out, in words.
    #[serde(skip)]
    pub away: Vec<String>,
}

/// A journal in the state folder of a root. Without a folder nothing is remembered.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    /// How long a change waits for another program's.
    pub patience: Duration,
}

/// Beyond this the oldest entries are let go.
const LARGEST: u64 = 64 << 20;
/// How long a change waits for another program's, where nobody says.
const PATIENCE: Duration = Duration::from_secs(10);
/// No line that ends a step is longer.
const LONGEST_END: u64 = 128;

/// Takes the locks of the systems whose stores a plan changes. The journal's own comes before
/// them, always: two programs never wait for each other.
pub type Locking<'a> = &'a dyn Fn(&Plan) -> Result<Vec<Guard>, StoreError>;

/// Which changes can be taken back or made again.
pub type Among<'a> = &'a dyn Fn(&Entry) -> bool;

impl Journal {
    /// The journal in this folder, which is made when the first plan is written.
    pub const fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            patience: PATIENCE,
        }
    }

    /// Carries a plan out and remembers it. An empty plan is neither.
    pub fn carry_out(
        &self,
        plan: Plan,
        action: &str,
        ids: Vec<String>,
        now: Timestamp,
        lock: Locking<'_>,
    ) -> Result<(), StoreError> {
        if plan.is_empty() {
            return Ok(());
        }
        let _lock = self.lock()?;
        let _guards = lock(&plan)?;
        self.settle()?;
        self.trim()?;
        let seq = self.history()?.next;
        let entry = Entry {
            seq,
            time: now.0,
            action: action.to_owned(),
            ids,
            plan,
            stood: false,
            away: Vec::new(),
        };
        let event = Event::Plan(entry);
        self.append(&event)?;
        let Event::Plan(entry) = event else {
            return Ok(());
        };
        self.finish(Step::Do, seq, &entry.plan)
    }

    /// Remembers a plan that another program has carried out, so that it can be taken back.
    pub fn record(&self, plan: Plan, action: &str, now: Timestamp) -> Result<(), StoreError> {
        let _lock = self.lock()?;
        self.settle()?;
        self.trim()?;
        let seq = self.history()?.next;
        self.append(&Event::Plan(Entry {
            seq,
            time: now.0,
            action: action.to_owned(),
            ids: Vec::new(),
            plan,
            stood: false,
            away: Vec::new(),
        }))?;
        self.append(&Step::Do.finished(seq))
    }

    /// Takes the last plan of some back. None where there is nothing to take back. `lock` takes the
    /// locks of the systems whose stores the plan changes; no other program's step comes in
    /// between.
    ///
    /// A file that something else wrote to since keeps what was written, where that is elsewhere
    /// in it and the memories are `sound` afterwards. What stands already as it is wanted is left.
    pub fn undo(
        &self,
        among: Among<'_>,
        lock: Locking<'_>,
        sound: Sound<'_>,
    ) -> Result<Option<Entry>, StoreError> {
        self.step(Step::Undo, among, lock, sound)
    }

    /// Carries the last undone plan of some out again, in the same way.
    pub fn redo(
        &self,
        among: Among<'_>,
        lock: Locking<'_>,
        sound: Sound<'_>,
    ) -> Result<Option<Entry>, StoreError> {
        self.step(Step::Redo, among, lock, sound)
    }

    /// What [`undo`](Self::undo) would take back: nothing, where all stands as wanted.
    pub fn undoable(&self, among: Among<'_>, sound: Sound<'_>) -> Result<Option<Plan>, StoreError> {
        self.next(Step::Undo, among, sound)
    }

    /// What [`redo`](Self::redo) would make again.
    pub fn redoable(&self, among: Among<'_>, sound: Sound<'_>) -> Result<Option<Plan>, StoreError> {
        self.next(Step::Redo, among, sound)
    }

    fn next(
        &self,
        step: Step,
        among: Among<'_>,
        sound: Sound<'_>,
    ) -> Result<Option<Plan>, StoreError> {
        let entry = self.history()?.last(step, among);
        let plan = entry.map(|entry| step.plan(&entry));
        Ok(plan.map(|plan| match apply::fitted(&plan, sound) {
            Some(Fitted { plan, stood, .. }) => plan.without(&stood),
            None => plan,
        }))
    }

    fn step(
        &self,
        step: Step,
        among: Among<'_>,
        lock: Locking<'_>,
        sound: Sound<'_>,
    ) -> Result<Option<Entry>, StoreError> {
        if !self.folder.exists() {
            return Ok(None);
        }
        let _lock = self.lock()?;
        self.settle()?;
        let Some(mut entry) = self.history()?.last(step, among) else {
            return Ok(None);
        };
        let _guards = lock(&entry.plan)?;
        let wanted = step.plan(&entry);
        let fitted = apply::fitted(&wanted, sound);
        let Fitted { plan, stood, away } = fitted.unwrap_or_else(|| Fitted {
            plan: wanted.clone(),
            stood: Vec::new(),
            away: Vec::new(),
        });
        let seq = entry.seq;
        let left = plan.without(&stood);
        entry.stood = left.is_empty();
        entry.away = away;
        if entry.stood {
            self.append(&step.finished(seq))?;
            return Ok(Some(entry));
        }
        let moved = plan != wanted;
        if moved {
            entry.plan = step.of(plan, &entry);
        }
        let plan = moved.then(|| entry.plan.clone());
        let begun = Begun { seq, plan, stood };
        self.append(&match step {
            Step::Redo => Event::Redoing(begun),
            Step::Do | Step::Undo => Event::Undoing(begun),
        })?;
        self.finish(step, seq, &left)?;
        Ok(Some(entry))
    }

    /// Carries out what was written down, and writes down how it ended.
    fn finish(&self, step: Step, seq: u64, plan: &Plan) -> Result<(), StoreError> {
        let Err(failed) = apply::apply(plan) else {
            return self.append(&step.finished(seq));
        };
        // What could not be taken back is left for the next start, and the error of the plan
        // says more than one of the journal.
        if !failed.stuck {
            let _ = self.append(&Event::Dropped { seq });
        }
        Err(failed.error)
    }

    /// The plans that are in force, oldest first.
    pub fn applied(&self) -> Result<Vec<Entry>, StoreError> {
        Ok(self.history()?.applied)
    }

    /// The plans that were undone and can be carried out again, the next one last.
    pub fn undone(&self) -> Result<Vec<Entry>, StoreError> {
        Ok(self.history()?.undone)
    }

    /// Puts right what a crash left: a step that was begun and not finished is taken back, and
    /// temporary files it left are removed.
    pub fn recover(&self) -> Result<(), StoreError> {
        if self.is_settled() {
            return Ok(());
        }
        // Who holds the lock is at work on what looks unfinished.
        match Lock::exclusive(&self.lock_path(), Instant::now()) {
            Ok(_lock) => self.settle(),
            Err(StoreError::Locked(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Whether the last line of the journal says that a step ended. Looks at that line only:
    /// every start asks.
    fn is_settled(&self) -> bool {
        let tail = || -> io::Result<Vec<u8>> {
            let mut file = File::open(self.path())?;
            let length = file.metadata()?.len();
            file.seek(io::SeekFrom::Start(length.saturating_sub(LONGEST_END)))?;
            let mut tail = Vec::new();
            file.read_to_end(&mut tail)?;
            Ok(tail)
        };
        let tail = match tail() {
            Ok(tail) => tail,
            Err(error) => return error.kind() == io::ErrorKind::NotFound,
        };
        let Some(lines) = tail.strip_suffix(b"\n") else {
            return tail.is_empty();
        };
        let last = lines.rsplit(|byte| *byte == b'\n').next();
        let event = last.and_then(|line| serde_json::from_slice::<Event>(line).ok());
        matches!(
            event,
            Some(
                Event::Done { .. }
                    | Event::Undone { .. }
                    | Event::Redone { .. }
                    | Event::Dropped { .. }
            )
        )
    }

    /// The same as [`Self::recover`], under the lock.
    fn settle(&self) -> Result<(), StoreError> {
        if self.is_settled() {
            return Ok(());
        }
        let history = self.history()?;
        let Some((step, seq, plan)) = history.unfinished() else {
            return Ok(());
        };
        apply::clear(&plan);
        let stands: Vec<Progress> = plan.changes.iter().map(apply::progress).collect();
        if stands.iter().all(|progress| *progress == Progress::After) {
            return self.append(&step.finished(seq));
        }
        // How far it came is asked again when the other program is done.
        let busy = plan.changes.iter().zip(&stands);
        let mut busy = busy.filter(|(_, progress)| **progress == Progress::Busy);
        if let Some(path) = busy
            .next()
            .and_then(|(change, _)| change.paths().first().copied())
        {
            return Err(StoreError::Busy(path.to_owned()));
        }
        let made = plan.changes.iter().zip(&stands).rev();
        for (change, _) in made.filter(|(_, progress)| **progress == Progress::After) {
            let back = Plan {
                title: String::new(),
                changes: vec![change.inverse()],
                taken: Vec::new(),
                notes: Vec::new(),
            };
            // A file that something else changed meanwhile is left as it is.
            let _ = apply::apply(&back);
        }
        self.append(&Event::Dropped { seq })
    }

    fn path(&self) -> PathBuf {
        self.folder.join("journal.jsonl")
    }

    /// Waits for the other programs that change stores of this root.
    fn lock(&self) -> Result<Lock, StoreError> {
        Lock::exclusive(&self.lock_path(), Instant::now() + self.patience)
    }

    fn lock_path(&self) -> PathBuf {
        self.folder.join("lock")
    }

    fn append(&self, event: &Event) -> Result<(), StoreError> {
        let path = self.path();
        let write = || -> io::Result<()> {
            let mut line = serde_json::to_vec(event)?;
            line.push(b'\n');
            let mut file = OpenOptions::new()
                .create(true)
                .read(true)
                .append(true)
                .open(&path)?;
            if is_torn(&mut file)? {
                // A line that a crash cut off must not swallow this one.
                line.insert(0, b'\n');
            }
            file.write_all(&line)?;
            file.sync_data()
        };
        write().map_err(|source| files::io(&path, source))
    }

    fn events(&self) -> Result<Vec<Event>, StoreError> {
        let path = self.path();
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(files::io(&path, source)),
        };
        // A line cut off by a crash is not an event.
        Ok(BufReader::new(file)
            .split(b'\n')
            .map_while(Result::ok)
            .filter_map(|line| serde_json::from_slice(&line).ok())
            .collect())
    }

    fn history(&self) -> Result<History, StoreError> {
        let mut history = History::default();
        for event in self.events()? {
            history.take(event);
        }
        Ok(history)
    }

    /// Lets the older half of a journal go that has grown too large.
    fn trim(&self) -> Result<(), StoreError> {
        let path = self.path();
        if fs::metadata(&path).map_or(0, |meta| meta.len()) < LARGEST {
            return Ok(());
        }
        let applied = self.history()?.applied;
        let mut text = Vec::new();
        for entry in applied.into_iter().rev() {
            let seq = entry.seq;
            let mut lines = Vec::new();
            for event in [Event::Plan(entry), Event::Done { seq }] {
                serde_json::to_writer(&mut lines, &event)
                    .map_err(|error| files::io(&path, error.into()))?;
                lines.push(b'\n');
            }
            lines.extend(text);
            text = lines;
            if text.len() as u64 > LARGEST / 2 {
                break;
            }
        }
        // The lock is held, so the name is free; what a crash leaves is written over.
        let new = self.folder.join("journal.new");
        let write = || -> io::Result<()> {
            let mut file = File::create(&new)?;
            file.write_all(&text)?;
            file.sync_all()?;
            fs::rename(&new, &path)
        };
        write().map_err(|source| files::io(&path, source))
    }
}

/// Whether a file ends in the middle of a line.
fn is_torn(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    file.seek(io::SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}
