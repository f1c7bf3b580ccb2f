//! Files with requests staged one on top of the other; the difference from the disk is the plan.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::{Call, Disk};
use super::files::{self, stamp_of};
use super::{At as _, Result, StoreError};
use crate::curate::{Digest, FileChange, Plan, RowChange, Taken};
use crate::memory::row::{Cell, Row};
use crate::memory::{MemoryId, Stamp, Timestamp};

/// One file before and after the staged requests.
#[derive(Clone, Debug, Default)]
struct Entry {
    before: Option<Arc<Vec<u8>>>,
    after: Option<Arc<Vec<u8>>>,
    mode: Option<u32>,
    /// Source of its bytes, if it is another file under a new name.
    moved_from: Option<PathBuf>,
}

/// The staged state of every file a plan touches.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// The moment of the change: what dates and ids that are written say.
    pub now: Timestamp,
    /// Seconds east of Greenwich, for systems that go by the days of where they are.
    pub east: i64,
    disk: Disk,
    files: BTreeMap<PathBuf, Entry>,
    /// Changes of files that come back as they were.
    exact: Vec<FileChange>,
    /// Rows of databases, in the order in which they are written.
    rows: BTreeMap<PathBuf, Vec<RowChange>>,
    taken: Vec<Taken>,
    /// Contents of files before steps took memories out of them that come back now.
    earlier: Vec<(PathBuf, Vec<u8>)>,
    /// Rows that come back where what they refer to does.
    waiting: Vec<(PathBuf, RowChange)>,
    /// Notes for the person, beside the title.
    notes: Vec<String>,
    /// Places that mention memories by a name that they lose.
    mentions: Vec<String>,
}

impl Overlay {
    /// Nothing staged yet on a file system, at this moment and so far east of Greenwich.
    pub fn at(now: Timestamp, east: i64, disk: Disk) -> Self {
        Self {
            now,
            east,
            disk,
            ..Self::default()
        }
    }

    /// The day that it is here at a moment, `YYYY-MM-DD`.
    pub fn day(&self, at: Timestamp) -> String {
        let here = at.0.saturating_add(self.east.saturating_mul(1000));
        Timestamp(here).date()
    }

    /// Says something to the person beside what was done, once.
    pub fn note(&mut self, note: Option<String>) {
        let new = note.filter(|note| !self.notes.contains(note));
        self.notes.extend(new);
    }

    /// Adds places that mention memories by a name that they lose.
    pub fn mentioned(&mut self, places: Vec<String>) {
        self.mentions.extend(places);
    }

    /// Returns the notes so far.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The bytes of a file as staged so far; refused if its state is not the `expected` one.
    pub fn read(&mut self, path: &Path, expected: Option<Stamp>) -> Result<&[u8]> {
        let path = files::target(path)?;
        if !self.files.contains_key(&path) {
            self.disk.check(Call::Read, &path).at(&path)?;
            let (bytes, meta) = files::read(&path)?;
            let bytes = Arc::new(bytes);
            if expected.is_some_and(|stamp| stamp != stamp_of(&meta)) {
                return Err(StoreError::Changed(path));
            }
            let entry = Entry {
                after: Some(Arc::clone(&bytes)),
                before: Some(bytes),
                mode: files::mode(&meta),
                ..Entry::default()
            };
            self.files.insert(path.clone(), entry);
        }
        self.bytes(&path).ok_or(StoreError::Changed(path))
    }

    /// The bytes of a file that is staged, before the first request.
    pub fn before(&self, path: &Path) -> Option<&[u8]> {
        let path = files::target(path).ok()?;
        self.files.get(&path)?.before.as_deref().map(Vec::as_slice)
    }

    /// Remembers the text of a memory taken out of a file that holds others, to put it back there.
    pub fn took(&mut self, id: &MemoryId, text: Vec<u8>) {
        let id = id.to_string();
        self.taken.push(Taken { id, text });
    }

    /// Sets earlier contents of files from which memories were taken that come back now.
    pub fn remember(&mut self, earlier: Vec<(PathBuf, Vec<u8>)>) {
        self.earlier = earlier;
    }

    /// Earlier contents of a file, the last first; see [`Self::remember`].
    pub fn earlier(&self, path: &Path) -> Vec<&[u8]> {
        let real = files::real(path);
        let own = self.earlier.iter().filter(|(path, _)| *path == real);
        own.map(|(_, bytes)| bytes.as_slice()).collect()
    }

    /// The bytes a file will have: none where it is not staged, or goes away.
    pub fn bytes(&self, path: &Path) -> Option<&[u8]> {
        self.files.get(path)?.after.as_deref().map(Vec::as_slice)
    }

    /// The files that will differ from the disk.
    pub fn changed(&self) -> impl Iterator<Item = &Path> {
        let differ = |entry: &Entry| entry.before != entry.after;
        let files = self.files.iter().filter(move |(_, entry)| differ(entry));
        files.map(|(path, _)| &**path)
    }

    /// The bytes of a file as staged so far; `None` only if it is not there.
    pub fn current(&mut self, path: &Path) -> Result<Option<&[u8]>> {
        let looked = match self.files.get(path) {
            Some(entry) => Ok(entry.after.is_some()),
            None => self.disk.look(path).map(|meta| meta.is_some()),
        };
        let is_there = looked.at(path)?;
        is_there.then(|| self.read(path, None)).transpose()
    }

    /// True if a file will be there. Unknown counts: whoever reads it is told why it cannot.
    pub fn exists(&self, path: &Path) -> bool {
        match self.files.get(path) {
            Some(entry) => entry.after.is_some(),
            None => !matches!(Disk::default().look(path), Ok(None)),
        }
    }

    /// Gives a file other bytes. A file that does not exist is made.
    pub fn write(&mut self, path: &Path, bytes: Vec<u8>) -> Result {
        let path = match self.exists(path) {
            true => files::target(path)?,
            false => path.to_owned(),
        };
        if self.exists(&path) {
            self.read(&path, None)?;
        }
        let entry = self.files.entry(path).or_default();
        entry.after = Some(Arc::new(bytes));
        entry.moved_from = None;
        Ok(())
    }

    /// Makes a file out of a part of another one, as readable as that.
    pub fn write_beside(&mut self, path: &Path, bytes: Vec<u8>, from: &Path) -> Result {
        let entry = self.files.get(&files::target(from)?);
        let mode = entry.and_then(|entry| entry.mode);
        self.write(path, bytes)?;
        self.set_mode(path, mode);
        Ok(())
    }

    /// Sets the mode of a new file.
    pub fn set_mode(&mut self, path: &Path, mode: Option<u32>) {
        let entry = self.files.get_mut(path);
        if let Some(entry) = entry.filter(|entry| entry.before.is_none()) {
            entry.mode = mode;
        }
    }

    /// Takes a file away.
    pub fn remove(&mut self, path: &Path, expected: Option<Stamp>) -> Result {
        self.read(path, expected)?;
        if let Some(entry) = self.files.get_mut(path) {
            entry.after = None;
        }
        Ok(())
    }

    /// Stages changes as they are, of files that nothing else is staged for.
    pub fn exactly(&mut self, changes: Vec<FileChange>) {
        self.exact.extend(changes);
    }

    /// Gives a file another name; refused where something has that name.
    pub fn rename(&mut self, from: &Path, to: &Path, expected: Option<Stamp>) -> Result {
        if self.exists(to) {
            return Err(StoreError::Exists(to.to_owned()));
        }
        let bytes = self.read(from, expected)?.to_vec();
        self.remove(from, None)?;
        self.write(to, bytes)?;
        if let Some(entry) = self.files.get_mut(to) {
            entry.moved_from = Some(from.to_owned());
        }
        Ok(())
    }

    /// A row as staged so far, none where it goes away; none where nothing is staged for it.
    pub fn row(&self, database: &Path, table: &str, key: &Row) -> Option<Option<&Row>> {
        let mut staged = self.rows.get(database)?.iter().rev();
        let change = staged.find(|change| change.table == table && change.key == *key)?;
        Some(change.after.as_ref())
    }

    /// Stages a change of a row; one that is staged for it already leads further.
    pub fn change_row(&mut self, database: &Path, change: RowChange) {
        let staged = self.rows.entry(database.to_owned()).or_default();
        let same = |other: &&mut RowChange| {
            other.table == change.table && other.key == change.key && other.after.is_some()
        };
        match staged.iter_mut().rev().find(same) {
            Some(earlier) if change.before.is_some() => {
                // A column that the earlier change did not look at is still as it was before it.
                let known = earlier.before.iter_mut().zip(change.before);
                for (known, now) in known {
                    let is_new = |(name, _): &(String, Cell)| known.get(name).is_none();
                    let new: Vec<_> = now.0.into_iter().filter(is_new).collect();
                    known.0.extend(new);
                }
                earlier.after = change.after;
            }
            _ => staged.push(change),
        }
    }

    /// Remembers a row that comes back where what it refers to does.
    pub fn wait(&mut self, database: &Path, change: RowChange) {
        self.waiting.push((database.to_owned(), change));
    }

    /// The rows of a database that wait; they do no more.
    pub fn waiting(&mut self, database: &Path) -> Vec<RowChange> {
        let own = self.waiting.extract_if(.., |(path, _)| path == database);
        own.map(|(_, change)| change).collect()
    }

    /// The plan that leads from the disk to the staged state.
    pub fn into_plan(self, title: impl Into<String>) -> Plan {
        let moved_from = |to: &Entry| {
            let from = to.moved_from.as_ref()?;
            let was = self.files.get(from)?;
            let is_same = was.before == to.after && was.after.is_none();
            (to.before.is_none() && is_same).then(|| from.clone())
        };
        let moved: HashSet<PathBuf> = self.files.values().filter_map(moved_from).collect();
        let mut changes: Vec<FileChange> = Vec::new();
        for (path, entry) in &self.files {
            if moved.contains(path) || entry.before == entry.after {
                continue;
            }
            let [before, after] = [&entry.before, &entry.after];
            let [before, after] = [before, after].map(|side| side.as_deref().map(Vec::as_slice));
            changes.push(match moved_from(entry).zip(after) {
                Some((from, bytes)) => FileChange::Move {
                    from,
                    to: path.clone(),
                    digest: Digest::of(bytes),
                },
                None => {
                    let mut change = FileChange::write(path, before, after);
                    if let FileChange::Write(own) = &mut change {
                        own.mode = entry.mode;
                    }
                    change
                }
            });
        }
        changes.extend(self.exact);
        for (path, mut rows) in self.rows {
            rows.retain(|change| change.before != change.after);
            changes.extend((!rows.is_empty()).then_some(FileChange::Rows { path, rows }));
        }
        let title = std::iter::once(title.into()).chain(self.notes.iter().cloned());
        Plan {
            title: title.collect::<Vec<_>>().join(" · "),
            changes,
            taken: self.taken,
            notes: self.notes,
            mentions: self.mentions,
            ..Plan::default()
        }
    }
}
