//! The journal: every plan that was carried out, so that it can be undone, after a restart too.
//!
//! One JSON line per event, written under a lock before its step; a start undoes unfinished steps.

mod stacks;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read as _, Seek as _};
use std::path::PathBuf;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use self::stacks::Event;
pub use self::stacks::{Begun, History, Step as Kind};

use super::apply::{self, Fitted, KEPT, Left, Sound, Step, Texts};
use super::disk::{Call, Disk, Lock, Progress};
use super::{At as _, Result, StoreError};
use crate::curate::Plan;
use crate::curate::diff::lines_of;
use crate::memory::Timestamp;

/// A change as the journal remembers it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Entry {
    pub seq: u64,
    /// When, milliseconds since 1970.
    pub time: i64,
    /// Its place in the order of all steps: undoing or redoing it puts it last.
    pub order: i64,
    /// Kind of change: `edit`, `add`, `rename`, `delete`, `archive`, `restore`, `fix`.
    pub action: String,
    /// The ids of the memories it was about, before the change; those of renamed ones after it too.
    pub ids: Vec<String>,
    pub plan: Plan,
    /// The random part of the names of its temporary files.
    pub temporary: String,
    #[serde(skip)]
    pub home: String,
    /// True if its last step, back or forth, had nothing to do: all stood as wanted.
    #[serde(skip)]
    pub stood: bool,
    /// Parts of its last step that were left out, in words.
    #[serde(skip)]
    pub away: Vec<String>,
}

impl Entry {
    pub fn new(plan: Plan, action: &str, ids: Vec<String>, now: Timestamp) -> Self {
        Self {
            time: now.0,
            order: now.0,
            action: action.to_owned(),
            ids,
            plan,
            ..Self::default()
        }
    }
}

/// The journal of one home: a repository, or a store that lies in none.
#[derive(Debug)]
pub struct Journal {
    /// Its folder, made when the first plan is written.
    pub folder: PathBuf,
    pub disk: Disk,
}

/// Beyond this the oldest entries are let go.
const LARGEST: usize = 64 << 20;

impl Journal {
    /// Carries a plan out and remembers it, under the lock. Gives what a person should know.
    pub fn carry_out(&self, mut entry: Entry) -> Result<Vec<String>> {
        // A journal that cannot be trimmed is no reason to refuse a change.
        let _ = self.trim(entry.time);
        entry.temporary = apply::token();
        entry.plan.folders = apply::new_folders(&entry.plan);
        self.append(&Event::Plan(entry.clone()), true)?;
        self.finish(entry.seq, &entry.plan, &entry.temporary)
    }

    /// Remembers a plan that another program has carried out, under the lock.
    pub fn record(&self, entry: Entry) -> Result<Vec<String>> {
        let _ = self.trim(entry.time);
        self.texts().keep(&entry.plan);
        let seq = entry.seq;
        self.append(&Event::Plan(entry), true)?;
        self.append(&Event::Ended { seq }, true)?;
        Ok(Vec::new())
    }

    /// Takes an entry back or carries it out again, under the locks, as `begun` says. Files in the
    /// wanted state are left alone; one that something else wrote to keeps that, where both fit and
    /// it is `sound`.
    pub fn step(
        &self,
        kind: Kind,
        mut entry: Entry,
        mut begun: Begun,
        sound: Sound<'_>,
    ) -> Result<Entry> {
        if let Some(plan) = &begun.plan {
            entry.plan = plan.clone();
        }
        let mut wanted = kind.plan(&entry.plan);
        let folders = apply::new_folders(&wanted);
        if !folders.is_empty() {
            // They go again with the step, as do those around them that the entry made before.
            let all: BTreeSet<PathBuf> = folders.into_iter().chain(wanted.folders).collect();
            wanted.folders = all.into_iter().rev().collect();
            entry.plan = kind.of(wanted.clone(), &entry);
            begun.plan = Some(entry.plan.clone());
        }
        let fitted = apply::fitted(&self.disk, &wanted, sound, &self.texts());
        let Fitted { plan, stood, away } = fitted.unwrap_or_else(|| Fitted {
            plan: wanted.clone(),
            ..Fitted::default()
        });
        let seq = entry.seq;
        let left = plan.without(&stood);
        entry.stood = left.is_empty();
        entry.away = away;
        if plan != wanted {
            entry.plan = kind.of(plan, &entry);
            begun.plan = Some(entry.plan.clone());
        }
        begun.stood = stood;
        begun.temporary = apply::token();
        let temporary = begun.temporary.clone();
        self.append(&Event::Step { kind, begun }, true)?;
        if entry.stood {
            self.append(&Event::Ended { seq }, true)?;
            return Ok(entry);
        }
        entry.away.extend(self.finish(seq, &left, &temporary)?);
        Ok(entry)
    }

    /// Carries out what was written down, and writes down how it ended; gives notes for the person.
    fn finish(&self, seq: u64, plan: &Plan, token: &str) -> Result<Vec<String>> {
        let disk = &self.disk;
        let step = Step { disk, plan, token };
        // A step that cannot be recorded is reverted, before the old content goes away.
        let (left, error) = step.make(|| self.append(&Event::Made { seq }, false));
        match left {
            Left::Part => Err(match error {
                Some(error) => StoreError::Part(Box::new(error)),
                None => StoreError::Changed(self.path()),
            }),
            // If something is left to do the step stays open: the next start does it.
            Left::New => {
                let stuck = step.end().stuck;
                self.texts().keep(plan);
                let ended = || self.append(&Event::Ended { seq }, true).err();
                let note = |error| format!("the next start of memkeep cleans up after it: {error}");
                let open = error.or(stuck).or_else(ended);
                Ok(open.map(note).into_iter().collect())
            }
            Left::Old => {
                if step.clean().stuck.is_none() {
                    let _ = self.append(&Event::Dropped { seq }, true);
                }
                error.map_or(Ok(Vec::new()), Err)
            }
        }
    }

    fn bytes(&self) -> io::Result<Vec<u8>> {
        match fs::read(self.path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            read => read,
        }
    }

    /// True if the last line of the journal says that a step ended.
    pub fn is_settled(&self) -> bool {
        let bytes = self.bytes().unwrap_or_else(|_| vec![0]);
        let Some(lines) = bytes.strip_suffix(b"\n") else {
            return bytes.is_empty();
        };
        let last = lines.rsplit(|byte| *byte == b'\n').next();
        let event = last.and_then(|line| serde_json::from_slice(line).ok());
        matches!(event, Some(Event::Ended { .. } | Event::Dropped { .. }))
    }

    /// Finishes or takes back a step that a crash left, under the lock; gives notes for the person.
    pub fn settle(&self) -> Result<Vec<String>> {
        if self.is_settled() {
            return Ok(Vec::new());
        }
        let history = self.history()?;
        let Some((plan, begun, made)) = history.unfinished() else {
            return Ok(Vec::new());
        };
        let (disk, plan, seq, token) = (&self.disk, &plan, begun.seq, &*begun.temporary);
        let step = Step { disk, plan, token };
        let given = step.give_back().into_iter();
        let note = |path: PathBuf| format!("{}: another program's text is back", path.display());
        let mut notes: Vec<String> = given.map(note).collect();
        let changes = plan.changes.iter();
        let stands = changes.map(|change| apply::progress(disk, change));
        // How far it came is asked again where that is not to be told now.
        let stands = stands.collect::<Result<Vec<_>>>()?;
        let is_made = made || stands.iter().all(|stand| *stand == Progress::After);
        // A file that something else changed meanwhile is left as it is.
        if !is_made && step.take_back() != Left::Old {
            let changed = plan.changes.first();
            let path = changed.and_then(|change| change.paths().first().copied());
            let path = path.unwrap_or(&self.folder).display();
            let why = format!("{path}: an interrupted change cannot be taken back");
            return Err(StoreError::Refused(why));
        }
        let (cleaned, end) = match is_made {
            true => {
                self.texts().keep(plan);
                (step.end(), Event::Ended { seq })
            }
            false => (step.clean(), Event::Dropped { seq }),
        };
        if let Some(error) = cleaned.stuck {
            return Err(error);
        }
        let strange = cleaned.strange.iter().map(|path| path.display());
        let note = |path| format!("{path} is left alone: no step of memkeep wrote it");
        notes.extend(strange.map(note));
        self.append(&end, true)?;
        Ok(notes)
    }

    fn path(&self) -> PathBuf {
        self.folder.join("journal.jsonl")
    }

    /// The contents of files that all journals of the state folder share.
    pub fn texts(&self) -> Texts {
        Texts(self.folder.with_file_name("texts"))
    }

    pub fn lock(&self, end: Instant) -> Result<Lock> {
        Lock::exclusive(&self.disk, &self.folder.join("lock"), end)
    }

    /// Adds an event. One that cannot be written whole is cut off again.
    fn append(&self, event: &Event, lasting: bool) -> Result {
        let (path, disk) = (self.path(), &self.disk);
        let write = || -> io::Result<()> {
            let mut line = serde_json::to_vec(event)?;
            line.push(b'\n');
            let mut file = disk.open_to_append(&path)?;
            let length = file.metadata()?.len();
            let mut last = [b'\n'];
            if length > 0 {
                file.seek(io::SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
            }
            if last != *b"\n" {
                // A line that a crash cut off must not swallow this one.
                line.insert(0, b'\n');
            }
            let written = disk.write(&path, &file, &line);
            let written = written.and_then(|()| match lasting {
                true => disk.sync(&path, &file),
                false => Ok(()),
            });
            if written.is_err() {
                let _ = disk.cut(&path, &file, length);
            }
            written
        };
        write().at(&path)
    }

    pub fn history(&self) -> Result<History> {
        let (path, mut history) = (self.path(), History::default());
        let checked = self.disk.check(Call::Read, &path);
        let bytes = checked.and_then(|()| self.bytes()).at(&path)?;
        let lines = bytes.split(|byte| *byte == b'\n');
        // A line cut off by a crash is not an event.
        let events = lines.filter_map(|line| serde_json::from_slice(line).ok());
        events.for_each(|event| history.take(event));
        Ok(history)
    }

    /// Lets go of entries older than [`KEPT`], and of the older half of a journal too large.
    fn trim(&self, now: i64) -> Result {
        let _ = self.texts().trim();
        let path = self.path();
        let is_young = |entry: &Entry| now.saturating_sub_unsigned(KEPT) <= entry.time;
        let bytes = self.bytes().at(&path)?;
        let first = bytes.split(|byte| *byte == b'\n').next();
        let is_old = match serde_json::from_slice(first.unwrap_or_default()) {
            Ok(Event::Plan(entry)) => !is_young(&entry),
            _ => false,
        };
        if bytes.len() < LARGEST && !is_old {
            return Ok(());
        }
        let mut applied = self.history()?.applied;
        applied.retain(is_young);
        let mut text = Vec::new();
        for entry in applied.into_iter().rev() {
            let seq = entry.seq;
            let mut lines = Vec::new();
            for event in [Event::Plan(entry), Event::Ended { seq }] {
                serde_json::to_writer(&mut lines, &event).at(&path)?;
                lines.push(b'\n');
            }
            lines.extend(text);
            text = lines;
            if text.len() > LARGEST / 2 {
                break;
            }
        }
        self.replace(&text)
    }

    fn replace(&self, text: &[u8]) -> Result {
        // The lock is held, so the name is free; what a crash leaves is written over.
        let (path, new) = (self.path(), self.folder.join("journal.new"));
        let write = || -> io::Result<()> {
            let _ = self.disk.remove(&new);
            let file = self.disk.create(&new)?;
            self.disk.write(&new, &file, text)?;
            self.disk.sync(&new, &file)?;
            self.disk.rename_over(&new, &path)
        };
        write().at(&path)
    }

    /// Numbers of the lines that hold no event, from 1.
    pub fn torn(&self) -> Result<Vec<usize>> {
        let bytes = self.bytes().at(&self.path())?;
        let lines = (1..).zip(lines_of(&bytes));
        let torn = lines.filter(|(_, line)| !is_event(line));
        Ok(torn.map(|(number, _)| number).collect())
    }

    /// True if a step was begun and not finished.
    pub fn is_open(&self) -> Result<bool> {
        Ok(self.history()?.unfinished().is_some())
    }

    /// Drops the lines that hold no event, under the lock. The journal of before stays beside it.
    pub fn drop_torn(&self) -> Result {
        let _lock = self.lock(Instant::now())?;
        let path = self.path();
        let bytes = self.bytes().at(&path)?;
        let mut sound = lines_of(&bytes);
        sound.retain(|line| is_event(line));
        fs::copy(&path, self.folder.join("journal.torn")).at(&path)?;
        self.replace(&sound.concat())
    }
}

/// True if a line holds an event, or nothing.
fn is_event(line: &[u8]) -> bool {
    let is_whole = line.ends_with(b"\n") && serde_json::from_slice::<Event>(line).is_ok();
    is_whole || line.trim_ascii().is_empty()
}
