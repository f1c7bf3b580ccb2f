//! Earlier versions of a memory: those that the journal knows, and bringing one back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Collection;
use crate::curate::versions::{Step, Version};
use crate::curate::{FileChange, RowChange, diff};
use crate::memory::row::Row;
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::project::commits::{Subject, find, text};
use crate::project::git::GitError;
use crate::store::journal::Entry;
use crate::store::{Result, Store, StoreError, files};

impl Collection {
    /// The versions of a memory, newest first: those of the repository's commits, else those of the
    /// journal.
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

    /// The versions that steps of the journal made, as far back as they lead from the file as it is,
    /// and what was there before the first of them.
    fn journaled(&self, store: &dyn Store, id: &MemoryId, path: PathBuf) -> Result<Vec<Version>> {
        let applied = self.applied()?;
        let mut trail = Trail {
            store,
            id,
            path: files::real(&path),
            bytes: std::fs::read(&path)
                .ok()
                .filter(|_| !store.schema().can.in_rows),
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
            row.key
                .0
                .iter()
                .any(|(_, cell)| cell.as_str() == Some(bare))
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
                FileChange::Move { from, to, .. } if *to == self.path => {
                    self.path.clone_from(from);
                }
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
