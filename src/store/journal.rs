//! The journal: every plan that was carried out, so that it can be undone, after a restart too.
//!
//! One JSON line per event, appended under a lock. A plan is written before it is carried out;
//! a start that finds one that was never finished puts the files back as they were.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::apply::{self, Progress};
use super::{StoreError, files};
use crate::curate::{FileChange, Plan};
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
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
enum Event {
    Plan(Entry),
    Done { seq: u64 },
    Undone { seq: u64 },
    Redone { seq: u64 },
    Dropped { seq: u64 },
}

/// The stacks that the events lead to.
#[derive(Debug, Default)]
struct History {
    applied: Vec<Entry>,
    undone: Vec<Entry>,
    unfinished: Option<Entry>,
    next: u64,
}

/// A journal in the state folder of a root. Without a folder nothing is remembered.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
}

/// Beyond this the oldest entries are let go.
const LARGEST: u64 = 64 << 20;

impl Journal {
    /// The journal in this folder, which is made when the first plan is written.
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Carries a plan out and remembers it. An empty plan is neither.
    pub fn carry_out(
        &self,
        plan: Plan,
        action: &str,
        ids: Vec<String>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if plan.is_empty() {
            return Ok(());
        }
        let _lock = self.lock()?;
        self.trim()?;
        let seq = self.history()?.next;
        let entry = Entry {
            seq,
            time: now.0,
            action: action.to_owned(),
            ids,
            plan,
        };
        let event = Event::Plan(entry);
        self.append(&event)?;
        let Event::Plan(entry) = event else {
            return Ok(());
        };
        self.settle(seq, apply::apply(&entry.plan), Event::Done { seq })
    }

    /// Takes the last plan back. None where there is nothing to take back.
    pub fn undo(&self) -> Result<Option<Entry>, StoreError> {
        self.step(
            |history| history.applied.pop(),
            Plan::inverse,
            |seq| Event::Undone { seq },
        )
    }

    /// Carries the last undone plan out again.
    pub fn redo(&self) -> Result<Option<Entry>, StoreError> {
        self.step(
            |history| history.undone.pop(),
            Plan::clone,
            |seq| Event::Redone { seq },
        )
    }

    fn step(
        &self,
        pick: impl Fn(&mut History) -> Option<Entry>,
        plan: impl Fn(&Plan) -> Plan,
        event: impl Fn(u64) -> Event,
    ) -> Result<Option<Entry>, StoreError> {
        if !self.folder.exists() {
            return Ok(None);
        }
        let _lock = self.lock()?;
        let Some(entry) = pick(&mut self.history()?) else {
            return Ok(None);
        };
        apply::apply(&plan(&entry.plan))?;
        self.append(&event(entry.seq))?;
        Ok(Some(entry))
    }

    /// The plans that are in force, oldest first.
    pub fn applied(&self) -> Result<Vec<Entry>, StoreError> {
        Ok(self.history()?.applied)
    }

    /// The plans that were undone and can be carried out again, the next one last.
    pub fn undone(&self) -> Result<Vec<Entry>, StoreError> {
        Ok(self.history()?.undone)
    }

    /// Puts right what a crash left: a plan that was begun and not finished is taken back, and
    /// temporary files it left are removed.
    pub fn recover(&self) -> Result<(), StoreError> {
        if !self.folder.exists() {
            return Ok(());
        }
        let _lock = self.lock()?;
        let Some(entry) = self.history()?.unfinished else {
            return Ok(());
        };
        entry
            .plan
            .changes
            .iter()
            .flat_map(FileChange::paths)
            .for_each(remove_temporaries);
        let stands: Vec<Progress> = entry.plan.changes.iter().map(apply::progress).collect();
        if stands.iter().all(|progress| *progress == Progress::After) {
            return self.append(&Event::Done { seq: entry.seq });
        }
        for (change, _) in entry
            .plan
            .changes
            .iter()
            .zip(&stands)
            .rev()
            .filter(|(_, progress)| **progress == Progress::After)
        {
            let back = Plan {
                title: String::new(),
                changes: vec![change.inverse()],
            };
            // A file that something else changed meanwhile is left as it is.
            let _ = apply::apply(&back);
        }
        self.append(&Event::Dropped { seq: entry.seq })
    }

    fn settle(
        &self,
        seq: u64,
        result: Result<(), StoreError>,
        done: Event,
    ) -> Result<(), StoreError> {
        match result {
            Ok(()) => self.append(&done),
            Err(error) => {
                // The error of the plan says more than one of the journal.
                let _ = self.append(&Event::Dropped { seq });
                Err(error)
            }
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.join("journal.jsonl")
    }

    /// Waits for the other programs that change stores of this root.
    fn lock(&self) -> Result<File, StoreError> {
        let path = self.folder.join("lock");
        let fail = |source| files::io(&path, source);
        fs::create_dir_all(&self.folder).map_err(|source| files::io(&self.folder, source))?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(fail)?;
        file.lock().map_err(fail)?;
        Ok(file)
    }

    fn append(&self, event: &Event) -> Result<(), StoreError> {
        let path = self.path();
        let write = || -> io::Result<()> {
            let mut line = serde_json::to_vec(event)?;
            line.push(b'\n');
            let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
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
        let write = tempfile::NamedTempFile::new_in(&self.folder).and_then(|mut file| {
            file.write_all(&text)?;
            file.as_file().sync_all()?;
            file.persist(&path).map(drop).map_err(|error| error.error)
        });
        write.map_err(|source| files::io(&path, source))
    }
}

impl History {
    fn take(&mut self, event: Event) {
        match event {
            Event::Plan(entry) => {
                self.next = self.next.max(entry.seq + 1);
                self.unfinished = Some(entry);
            }
            Event::Done { seq } => {
                if let Some(entry) = self.unfinished.take_if(|entry| entry.seq == seq) {
                    self.applied.push(entry);
                    self.undone.clear();
                }
            }
            Event::Dropped { seq } => drop(self.unfinished.take_if(|entry| entry.seq == seq)),
            Event::Undone { seq } => shift(&mut self.applied, &mut self.undone, seq),
            Event::Redone { seq } => shift(&mut self.undone, &mut self.applied, seq),
        }
    }
}

fn shift(from: &mut Vec<Entry>, to: &mut Vec<Entry>, seq: u64) {
    if let Some(entry) = from.pop_if(|entry| entry.seq == seq) {
        to.push(entry);
    }
}

/// Removes what an interrupted save left beside a file.
fn remove_temporaries(path: &Path) {
    let folder = path
        .parent()
        .into_iter()
        .flat_map(fs::read_dir)
        .flatten()
        .flatten();
    for entry in folder {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(files::TEMPORARY) && name.ends_with(".tmp") {
            let _ = fs::remove_file(entry.path());
        }
    }
}
