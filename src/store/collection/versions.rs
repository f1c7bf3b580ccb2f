//! Brings memories back: archived and deleted ones, and earlier versions.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Collection;
use super::planner::Planner;
use crate::curate::segments::{self, Owned};
use crate::curate::versions::{Step, Version};
use crate::curate::{FileChange, RowChange, diff, threeway};
use crate::memory::row::Row;
use crate::memory::{Memory, MemoryId, Stamp, State, Timestamp, document};
use crate::project::commits::{Subject, find, text};
use crate::project::git::GitError;
use crate::store::journal::Entry;
use crate::store::restore::{Gone, Steps, rows_gone};
use crate::store::{Deleted, Request, Result, Store, StoreError, files};

impl Collection {
    /// The file that a memory which is not there stood in.
    pub(super) fn file_of(&self, id: &MemoryId) -> Result<PathBuf> {
        let new = self.new_file(id)?;
        Ok(Steps::of(&self.applied()?).file(id, new))
    }

    fn new_file(&self, id: &MemoryId) -> Result<PathBuf> {
        let gone = || StoreError::Refused(format!("{id} is not there any more"));
        let local = id.local.split('#').next().unwrap_or_default();
        self.store_of(id).ok_or_else(gone)?.file_of(local)
    }
}

impl Planner<'_> {
    /// Brings archived and deleted memories back: exactly if their files allow it, else one by one.
    pub(super) fn restore(&mut self, ids: &[MemoryId]) -> Result {
        let collection = self.collection;
        let applied = collection.applied()?;
        let steps = Steps::of(&applied);
        let mut wanted = Vec::with_capacity(ids.len());
        for id in ids {
            // The name of a deleted memory may have passed to the next one of its file.
            wanted.push(match self.get(id) {
                Some(memory) if memory.state == State::Archived || !steps.deleted(id) => {
                    Gone::Archived(id, memory)
                }
                _ => Gone::Deleted(id, steps.file(id, collection.new_file(id)?)),
            });
        }
        let archived = self.memories.iter();
        let archived = archived.filter(|one| one.state == State::Archived);
        let archived: Vec<&MemoryId> = archived.map(|memory| &memory.id).collect();
        let (changes, rest) = steps.exact(&wanted, &archived);
        self.overlay.exactly(changes);
        let earlier = steps.contents(&rest, &collection.journals.texts());
        self.overlay.remember(earlier);
        for gone in rest {
            match gone {
                Gone::Archived(id, memory) => {
                    let (store, _) = self.find(id)?;
                    store.stage(&Request::Restore(memory), self.overlay)?;
                }
                Gone::Deleted(id, path) => {
                    let changed = || StoreError::Changed(path.clone());
                    let (text, mode) = steps.text(id, path).ok_or_else(changed)?;
                    let store = collection.store_of(id).ok_or_else(changed)?;
                    store.put_back(&Deleted { id, path, text }, self.overlay)?;
                    if mode.is_some() {
                        self.overlay.set_mode(path, mode);
                    }
                }
            }
        }
        let gone = rows_gone(&applied);
        for store in collection.stores.iter() {
            let path = &store.info().path;
            let paths = [path, &files::real(path)];
            let own = gone
                .iter()
                .filter(|(of, _)| paths.iter().any(|one| *one == of));
            let own: Vec<_> = own.map(|(_, change)| *change).collect();
            store.come_back(&own, self.overlay)?;
        }
        Ok(())
    }

    /// Brings back a version of a memory, and changes nothing else in its file.
    pub(super) fn stage_version(&mut self, id: &MemoryId, version: &Version) -> Result {
        let refused = |why: String| StoreError::Refused(format!("{id}: {why}"));
        let store = self.collection.store_of(id);
        let store = store.ok_or_else(|| refused("its store is not there any more".to_owned()))?;
        for (database, change) in &version.rows {
            let back = change.clone().inverse();
            self.overlay.change_row(database, back);
        }
        if store.schema().can.in_rows && version.step != Step::Deleted {
            return Ok(());
        }
        let rev = version.short();
        let gone = || refused(format!("{rev} took it away: restore a version before that"));
        let (then, old) = version.state.as_ref().ok_or_else(gone)?;
        let memory = self.get(id);
        let path = match memory {
            Some(memory) => memory.path.to_path_buf(),
            None if version.path.starts_with(&store.info().path) => version.path.clone(),
            None => self.collection.file_of(id)?,
        };
        let stamp = memory.map(|memory| memory.stamp);
        let now = match self.overlay.exists(&path) {
            true => self.overlay.read(&path, stamp)?.to_vec(),
            false => Vec::new(),
        };
        // Git keeps other line ends than the working file may have.
        let text = || String::from_utf8_lossy(old);
        let old = match (document::is_crlf(&now), document::is_crlf(old)) {
            (true, false) => text().replace('\n', "\r\n").into_bytes(),
            (false, true) if !now.is_empty() => text().replace("\r\n", "\n").into_bytes(),
            _ => old.to_vec(),
        };
        let parse = |bytes: &[u8]| match bytes.is_empty() {
            true => Vec::new(),
            false => store.parse(&path, bytes, Stamp::default()),
        };
        let (was, is) = (parse(&old), parse(&now));
        let at = |all: &[Arc<Memory>], one: &Memory| {
            let mut all = all.iter();
            all.position(|other| other.document == one.document)
        };
        let number = at(&was, then);
        let number = number.ok_or_else(|| refused("the version cannot be read any more".into()))?;
        let here = memory.and_then(|memory| at(&is, memory));
        let after = grafted((&now, &is, here), (&old, &was, number));
        let kept = is.iter().enumerate().filter(|(n, _)| Some(*n) != here);
        let kept = kept.map(|(_, one)| (one, &*now));
        let wanted = kept.chain(was.get(number).map(|one| (one, &*old)));
        if !holds(store, (&parse(&after), &after), wanted) {
            let why = "it cannot be put back without changing its neighbours";
            return Err(refused(why.to_owned()));
        }
        self.overlay.write(&path, after)
    }
}

/// A file with the old version of one memory; one that has the file to itself gets every byte.
fn grafted(
    (now, is, here): (&[u8], &[Arc<Memory>], Option<usize>),
    (old, was, number): (&[u8], &[Arc<Memory>], usize),
) -> Vec<u8> {
    /// Owner of what is taken over; no memory has this name.
    const TAKEN: &str = "";
    let is_whole =
        |all: &[Arc<Memory>], bytes: &[u8]| matches!(all, [one] if one.span == (0..bytes.len()));
    if is_whole(was, old) && (now.is_empty() || is_whole(is, now)) {
        return old.to_vec();
    }
    let owned = |all: &[Arc<Memory>], taken: Option<usize>| -> Vec<Owned> {
        let owned = all.iter().enumerate().map(|(n, memory)| Owned {
            range: memory.span.clone(),
            owner: match taken == Some(n) {
                true => TAKEN.to_owned(),
                false => threeway::name(memory).to_owned(),
            },
        });
        owned.collect()
    };
    let (new, then) = (owned(is, here), owned(was, Some(number)));
    let version = |bytes, owned| segments::Version { bytes, owned };
    let (now, old) = (version(now, &*new), version(old, &*then));
    segments::compose(now, old, &HashSet::from([TAKEN]), false)
}

/// True if a file has exactly these memories, each with the text and the fields it had.
fn holds<'m>(
    store: &dyn Store,
    (all, bytes): (&[Arc<Memory>], &[u8]),
    wanted: impl Iterator<Item = (&'m Arc<Memory>, &'m [u8])>,
) -> bool {
    let own = |memory: &Memory, bytes: &[u8]| {
        let text = String::from_utf8_lossy(&store.text_in(memory, bytes)).into_owned();
        let text = text.trim_end().trim_end_matches("\n---").trim_end();
        let name = threeway::name(memory).to_owned();
        (name, text.to_owned(), memory.fields.clone())
    };
    let mut left: Vec<_> = all.iter().map(|one| own(one, bytes)).collect();
    let mut takes = wanted.map(|(memory, bytes)| {
        let one = own(memory, bytes);
        let at = left.iter().position(|other| *other == one);
        at.map(|at| left.swap_remove(at)).is_some()
    });
    takes.all(|is_there| is_there) && left.is_empty()
}

impl Collection {
    /// The versions of a memory, newest first: by the commits, else by the journal.
    pub fn versions(&self, id: &MemoryId, memories: &[Arc<Memory>]) -> Result<Vec<Version>> {
        let gone = || StoreError::Refused(format!("no store has {id}"));
        let store = self.store_of(id).ok_or_else(gone)?;
        let now = memories.iter().find(|memory| memory.id == *id);
        let path = match now {
            Some(memory) => memory.path.to_path_buf(),
            None => self.file_of(id)?,
        };
        let subject = Subject {
            store,
            id,
            path: &path,
            now: now.map(|memory| &**memory),
        };
        match subject.commits() {
            Ok(versions) if !versions.is_empty() => Ok(versions),
            Err(GitError::Refused(why)) => Err(StoreError::Refused(format!("git: {why}"))),
            _ => self.journaled(store, id, path),
        }
    }

    /// The versions that the journal leads to from the file as it is, and the one before them.
    fn journaled(&self, store: &dyn Store, id: &MemoryId, path: PathBuf) -> Result<Vec<Version>> {
        let applied = self.applied()?;
        let bytes = std::fs::read(&path).ok();
        let mut trail = Trail {
            store,
            id,
            path: files::real(&path),
            bytes: bytes.filter(|_| !store.schema().can.in_rows),
            rows: Vec::new(),
            versions: Vec::new(),
        };
        let named = trail.path.clone();
        for entry in applied.iter().rev() {
            // Another program wrote to the file: what was before it is not known.
            if !trail.row_step(entry) && trail.file_step(entry, &named).is_none() {
                break;
            }
        }
        let oldest = trail.versions.last();
        let first = oldest
            .filter(|oldest| !oldest.before.is_empty())
            .map(|oldest| {
                let bytes = trail.bytes.clone();
                Version {
                    rev: format!("{}^", oldest.rev).into(),
                    subject: "before memkeep changed it".into(),
                    path: trail.path.clone(),
                    step: Step::Added,
                    state: bytes.and_then(|bytes| find(store, id, None, &named, bytes)),
                    rows: trail.rows.clone(),
                    text: oldest.before.clone(),
                    ..Version::default()
                }
            });
        Ok(trail.versions.into_iter().chain(first).collect())
    }
}

/// Walks the journal backwards from the present version of a memory.
struct Trail<'a> {
    store: &'a dyn Store,
    id: &'a MemoryId,
    /// Its file before the steps that were gone through, and the bytes that it had.
    path: PathBuf,
    bytes: Option<Vec<u8>>,
    /// The changes of its rows by these steps, the newest first.
    rows: Vec<(PathBuf, RowChange)>,
    versions: Vec<Version>,
}

impl Trail<'_> {
    fn version(&self, entry: &Entry, step: Step) -> Version {
        Version {
            rev: format!("#{}", entry.seq).into(),
            time: Some(Timestamp(entry.time)),
            subject: entry.plan.title.as_str().into(),
            path: self.path.clone(),
            step,
            rows: self.rows.clone(),
            ..Version::default()
        }
    }

    /// Takes a step back that changed rows of the memory; false where it changed none.
    fn row_step(&mut self, entry: &Entry) -> bool {
        let local = &*self.id.local;
        let bare = local.strip_prefix("archive/").unwrap_or(local);
        let is_own = |row: &&RowChange| {
            let mut key = row.key.0.iter();
            key.any(|(_, cell)| cell.as_str() == Some(bare))
        };
        let mut own: Vec<(PathBuf, RowChange)> = Vec::new();
        for change in entry.plan.changes.iter().rev() {
            if let FileChange::Rows { path, rows } = change
                && *path == self.path
            {
                let rows = rows.iter().rev().filter(is_own);
                own.extend(rows.map(|row| (path.clone(), row.clone())));
            }
        }
        if own.is_empty() {
            return false;
        }
        let text = |side: fn(&RowChange) -> &Option<Row>| {
            let rows = own.iter().rev().filter_map(|(_, row)| side(row).as_ref());
            let texts: Vec<Vec<u8>> = rows.map(diff::row_text).collect();
            String::from_utf8_lossy(&texts.concat()).into_owned()
        };
        let (before, after) = (text(|row| &row.before), text(|row| &row.after));
        let step = match (before.is_empty(), after.is_empty()) {
            (true, _) => Step::Added,
            (_, true) => Step::Deleted,
            _ => Step::Changed,
        };
        self.versions.push(Version {
            text: after.into(),
            before: before.into(),
            ..self.version(entry, step)
        });
        self.rows.extend(own);
        true
    }

    /// Takes a step back that changed the file. None where the file is not as the step left it.
    fn file_step(&mut self, entry: &Entry, named: &Path) -> Option<()> {
        let (after, to) = (self.bytes.clone(), self.path.clone());
        for change in entry.plan.changes.iter().rev() {
            let is_own = change.paths().contains(&&*self.path);
            match change {
                FileChange::Rows { .. } => {}
                FileChange::Move { from, to, .. } if *to == self.path => self.path.clone_from(from),
                _ if is_own => self.bytes = change.inverse().applied(self.bytes.as_deref())?,
                _ => {}
            }
        }
        if (&after, &to) == (&self.bytes, &self.path) {
            return Some(());
        }
        // The name of today says the id that the memory is looked for by.
        let found = |bytes: Option<Vec<u8>>| find(self.store, self.id, None, named, bytes?);
        let (old, new) = (found(self.bytes.clone()), found(after));
        let shown = |found: Option<&_>| found.map_or_else(String::new, |one| text(self.store, one));
        let (then, now) = (shown(old.as_ref()), shown(new.as_ref()));
        if then == now && self.path == to {
            return Some(());
        }
        let step = match (&old, &new) {
            (None, _) => Step::Added,
            (_, None) => Step::Deleted,
            _ if self.path == to => Step::Changed,
            _ => Step::Moved(self.path.clone()),
        };
        self.versions.push(Version {
            path: to,
            state: new,
            text: now.into(),
            before: then.into(),
            ..self.version(entry, step)
        });
        Some(())
    }
}
