//! The journals of a collection. A journal belongs to a home: the repository that a store lies in,
//! or the store itself. So every project that shows a store of the user's knows its history.

mod reorder;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use self::reorder::Next;
use super::apply::{self, Fitted, Sound};
use super::disk::Disk;
use super::journal::{Entry, Journal, Kind};
use super::lock::Lock;
use super::texts::Texts;
use super::{Guard, StoreError, files, index};
use crate::curate::{FileChange, Plan};

/// How long a change waits for another program's, where nobody says.
const PATIENCE: Duration = Duration::from_secs(10);
/// The file of a journal that names the homes which share steps with it, one a line.
const SHARED: &str = "shared";

/// Names of folders below the state folder, one for each home. They are locked in this order.
pub type Homes = BTreeSet<String>;

/// Takes the locks of the systems whose stores a plan changes. The journals' own come before
/// them, always: two programs never wait for each other.
pub type Locking<'a> = &'a dyn Fn(&Plan) -> Result<Vec<Guard>, StoreError>;

/// The journals of a collection.
#[derive(Debug)]
pub struct Journals {
    /// The folder of all journals.
    base: PathBuf,
    /// The file system.
    pub disk: Disk,
    /// Time that a change waits for another program's.
    pub patience: Duration,
}

/// A collection's view of the steps of its journals.
pub struct View<'a> {
    /// The homes of its stores, and its own.
    pub homes: Homes,
    /// True if an entry of a home's journal is about the collection.
    pub among: &'a dyn Fn(&str, &Entry) -> bool,
    /// The homes of what a plan changes.
    pub homes_of: &'a dyn Fn(&Plan) -> Homes,
}

/// The entries of several journals with their homes, each list in the order of the steps.
#[derive(Default)]
pub struct Stacks {
    /// Those in force.
    pub applied: Vec<(String, Entry)>,
    /// Those that were taken back and can be made again.
    pub undone: Vec<(String, Entry)>,
    /// Those that were taken back before another plan was made.
    pub dropped: Vec<(String, Entry)>,
    /// The place of the last step in the order of all.
    last: i64,
}

impl Journals {
    /// The journals in a folder.
    pub fn new(base: PathBuf) -> Self {
        Self {
            base,
            disk: Disk::default(),
            patience: PATIENCE,
        }
    }

    /// The contents of files after their steps.
    pub fn texts(&self) -> Texts {
        Texts(self.base.join("texts"))
    }

    fn at(&self, home: &str) -> Journal {
        Journal {
            folder: self.base.join(home),
            disk: self.disk.clone(),
        }
    }

    /// Some homes, with all those that share steps with them.
    fn group(&self, homes: &Homes) -> Homes {
        let mut group = Homes::new();
        let mut new: Vec<String> = homes.iter().cloned().collect();
        while let Some(home) = new.pop() {
            let shared = fs::read_to_string(self.base.join(&home).join(SHARED));
            if group.insert(home) {
                let shared = shared.unwrap_or_default();
                new.extend(shared.lines().map(str::to_owned));
            }
        }
        group
    }

    /// Notes down that some homes share a step.
    fn share(&self, homes: &Homes) -> Result<(), StoreError> {
        for home in homes {
            let known = self.group(&Homes::from([home.clone()]));
            let new: String = homes
                .difference(&known)
                .map(|home| format!("{home}\n"))
                .collect();
            if new.is_empty() {
                continue;
            }
            let path = self.base.join(home).join(SHARED);
            let file = self.disk.open_to_append(&path);
            let written = file.and_then(|file| {
                self.disk.write(&path, &file, new.as_bytes())?;
                self.disk.sync(&path, &file)
            });
            written.map_err(|source| files::io(&path, source))?;
        }
        Ok(())
    }

    /// Takes the locks of some homes and of those that share steps with them.
    fn lock(&self, homes: &Homes, end: Instant) -> Result<(Homes, Vec<Lock>), StoreError> {
        loop {
            let group = self.group(homes);
            let locks = group.iter().map(|home| self.at(home).lock(end));
            let locks = locks.collect::<Result<Vec<_>, _>>()?;
            // Another program may have made them share a step just now.
            if self.group(homes) == group {
                return Ok((group, locks));
            }
        }
    }

    /// Settles what a crash left in some homes, which are locked.
    fn settle(&self, group: &Homes) -> Result<Vec<String>, StoreError> {
        let notes = group.iter().map(|home| self.at(home).settle());
        Ok(notes.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Settles what a crash left in the homes of a collection; waits until a moment for other
    /// programs. Gives what a person should know.
    fn settle_until(&self, homes: &Homes, end: Instant) -> Result<Vec<String>, StoreError> {
        let mut notes = Vec::new();
        for home in self.group(homes) {
            if !self.at(&home).is_settled() {
                let (group, _locks) = self.lock(&Homes::from([home]), end)?;
                notes.extend(self.settle(&group)?);
            }
        }
        Ok(notes)
    }

    /// Puts right what a crash left, and waits for nobody: who holds a lock is at work on what
    /// looks unfinished. Gives what a person should know.
    pub fn recover(&self, homes: &Homes) -> Result<Vec<String>, StoreError> {
        match self.settle_until(homes, Instant::now()) {
            Err(StoreError::Locked(_)) => Ok(Vec::new()),
            settled => settled,
        }
    }

    /// Gives a plan to the journal of a home, to carry it out or to remember it. Gives what a
    /// person should know.
    pub fn carry_out(
        &self,
        mut entry: Entry,
        home: &str,
        view: &View<'_>,
        lock: Locking<'_>,
        work: fn(&Journal, Entry) -> Result<Vec<String>, StoreError>,
    ) -> Result<Vec<String>, StoreError> {
        let mut homes = (view.homes_of)(&entry.plan);
        homes.insert(home.to_owned());
        let (group, _locks) = self.lock(&homes, Instant::now() + self.patience)?;
        let _guards = lock(&entry.plan)?;
        let mut notes = self.settle(&group)?;
        self.share(&homes)?;
        for home in group.union(&view.homes) {
            let history = self.at(home).history()?;
            entry.seq = entry.seq.max(history.next);
            entry.order = entry.order.max(history.last + 1);
        }
        notes.extend(work(&self.at(home), entry)?);
        Ok(notes)
    }

    /// Takes the last plan back, or carries the last one again that was taken back; with a number
    /// the one that has it. None where there is none. No other program's step comes in between.
    pub fn step(
        &self,
        kind: Kind,
        seq: Option<u64>,
        view: &View<'_>,
        lock: Locking<'_>,
        sound: Sound<'_>,
    ) -> Result<Option<Entry>, StoreError> {
        let end = Instant::now() + self.patience;
        let mut notes = self.settle_until(&view.homes, end)?;
        loop {
            let Some(next) = self.next(kind, seq, view)? else {
                return Ok(None);
            };
            let mut homes = (view.homes_of)(&next.entry.plan);
            homes.insert(next.home.clone());
            let (group, _locks) = self.lock(&homes, end)?;
            notes.extend(self.settle(&group)?);
            let again = self.next(kind, seq, view)?;
            let is_it = |again: &Next| again.home == next.home && again.entry.seq == next.entry.seq;
            let Some(next) = again.filter(is_it) else {
                continue;
            };
            let _guards = lock(&next.entry.plan)?;
            let begun = next.reorder(&self.disk, kind, view, sound, &self.texts())?;
            let beside = next.beside().map(|other| reorder::in_the_way(kind, other));
            let made = self.at(&next.home).step(kind, next.entry, begun, sound);
            let mut entry = made.map_err(|error| match error {
                // A later row may refer to this one.
                StoreError::Changed(_) | StoreError::Exists(_) => beside.unwrap_or(error),
                error => error,
            })?;
            entry.away.extend(notes);
            return Ok(Some(entry));
        }
    }

    /// Returns the plan of a step: none if all is already as wanted.
    pub fn preview(
        &self,
        kind: Kind,
        view: &View<'_>,
        sound: Sound<'_>,
    ) -> Result<Option<Plan>, StoreError> {
        let Some(next) = self.next(kind, None, view)? else {
            return Ok(None);
        };
        let begun = next.reorder(&self.disk, kind, view, sound, &self.texts())?;
        let plan = kind.plan(&begun.plan.unwrap_or(next.entry.plan));
        let fitted = apply::fitted(&self.disk, &plan, sound, &self.texts());
        Ok(Some(match fitted {
            Some(Fitted { plan, stood, .. }) => plan.without(&stood),
            None => plan,
        }))
    }

    /// The entry that a step is made with next: the last one that was made, or the last one that
    /// was taken back, of the collection or with a number.
    fn next(
        &self,
        kind: Kind,
        seq: Option<u64>,
        view: &View<'_>,
    ) -> Result<Option<Next>, StoreError> {
        let mut stacks = self.stacks(&view.homes)?;
        // The clock tells the order of steps that other projects made in homes of their own.
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |time| i64::try_from(time.as_millis()).unwrap_or(0));
        let order = now.max(stacks.last + 1);
        let (mut stack, gone) = match kind {
            Kind::Redo => (stacks.undone, Vec::new()),
            Kind::Do | Kind::Undo => {
                stacks.undone.append(&mut stacks.dropped);
                (stacks.applied, stacks.undone)
            }
        };
        let is_over = |entry: &Entry| kind == Kind::Undo && index::is_committed(&entry.plan);
        let at = stack.iter().rposition(|(home, entry)| {
            seq.is_none_or(|seq| seq == entry.seq) && (view.among)(home, entry) && !is_over(entry)
        });
        let Some(at) = at else { return Ok(None) };
        let mut later = stack.split_off(at + 1);
        later.retain(|(_, entry)| !is_over(entry));
        let Some((home, mut entry)) = stack.pop() else {
            return Ok(None);
        };
        // A folder goes with its last file, where no entry in force made it.
        let made = gone.into_iter().flat_map(|(_, other)| other.plan.folders);
        let changes = &entry.plan.changes;
        let paths: Vec<&Path> = changes.iter().flat_map(FileChange::paths).collect();
        let own = made.filter(|folder| paths.iter().any(|path| path.starts_with(folder)));
        let own: BTreeSet<PathBuf> = own.chain(entry.plan.folders.iter().cloned()).collect();
        entry.plan.folders = own.into_iter().rev().collect();
        Ok(Some(Next {
            home,
            entry,
            order,
            later,
        }))
    }

    /// The entries of some homes and of those that share steps with them. A new plan in one of
    /// them ends what can be made again in all.
    fn stacks(&self, homes: &Homes) -> Result<Stacks, StoreError> {
        let mut all = Stacks::default();
        let mut last_new = i64::MIN;
        for home in self.group(homes) {
            let history = self.at(&home).history()?;
            let named = |entry| (home.clone(), entry);
            all.applied.extend(history.applied.into_iter().map(named));
            all.undone.extend(history.undone.into_iter().map(named));
            all.dropped.extend(history.dropped.into_iter().map(named));
            all.last = all.last.max(history.last);
            last_new = last_new.max(history.last_new);
        }
        let is_over = |(_, entry): &mut (String, Entry)| entry.order < last_new;
        all.dropped.extend(all.undone.extract_if(.., is_over));
        for stack in [&mut all.applied, &mut all.undone, &mut all.dropped] {
            stack.sort_by_key(|(_, entry)| (entry.order, entry.seq));
        }
        Ok(all)
    }

    /// The plans that are in force, that were taken back, or that cannot be made again, oldest
    /// first.
    pub fn entries(
        &self,
        view: &View<'_>,
        of: fn(Stacks) -> Vec<(String, Entry)>,
    ) -> Result<Vec<Entry>, StoreError> {
        let mut all = of(self.stacks(&view.homes)?);
        all.retain(|(home, entry)| (view.among)(home, entry));
        Ok(all.into_iter().map(|(_, entry)| entry).collect())
    }
}
