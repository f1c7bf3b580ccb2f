//! Carrying plans out, taking them back, and where that is remembered.

use std::path::{Path, PathBuf};

use super::{Collection, Done};
use crate::curate::{Digest, FileChange, Plan};
use crate::memory::Timestamp;
use crate::store::discover::anchor;
use crate::store::journal::{Entry, Journal, Kind};
use crate::store::journals::{Homes, Locking, View};
use crate::store::{Guard, StoreError, StoreInfo, apply, files};

impl Collection {
    /// Carries a plan out and remembers it.
    pub fn carry_out(
        &self,
        plan: Plan,
        action: &str,
        ids: Vec<String>,
        now: Timestamp,
    ) -> Result<Done, StoreError> {
        self.stays_within(&plan, false)?;
        let lock = |plan: &Plan| self.lock(plan);
        self.remember(plan, action, ids, now, &lock, Journal::carry_out)
    }

    /// Gives a plan to the journal of its stores, under these locks.
    pub(super) fn remember(
        &self,
        mut plan: Plan,
        action: &str,
        ids: Vec<String>,
        now: Timestamp,
        lock: Locking<'_>,
        work: fn(&Journal, Entry) -> Result<Vec<String>, StoreError>,
    ) -> Result<Done, StoreError> {
        self.may_write()?;
        let mut done = Done {
            title: plan.title.clone(),
            ids: ids.clone(),
            changed: !plan.is_empty(),
        };
        if plan.is_empty() {
            return Ok(done);
        }
        make_real(&mut plan);
        let homes = self.homes_of(&plan);
        let home = Some(self.home()).filter(|home| homes.contains(home));
        let home = home.or_else(|| homes.first().cloned()).unwrap_or_default();
        let entry = Entry::new(plan, action, ids, now);
        let carry_out = |view: &View<'_>| self.journals.carry_out(entry, &home, view, lock, work);
        let notes = self.with_view(carry_out)?;
        for note in notes {
            done.title.push_str(" · ");
            done.title.push_str(&note);
        }
        Ok(done)
    }

    /// Takes the locks of the systems whose stores a plan changes.
    fn lock(&self, plan: &Plan) -> Result<Vec<Guard>, StoreError> {
        self.stays_within(plan, true)?;
        // Changes that are only staged write no store.
        let mut written = plan.clone();
        let is_written = |change: &FileChange| !matches!(change, FileChange::Stage { .. });
        written.changes.retain(is_written);
        let stores = self.stores.iter();
        let stores = stores.filter(|store| changes(&written, store.info()));
        stores.map(|store| store.extras().lock()).collect()
    }

    /// Takes the last change back: of the stores that were named, where some were.
    pub fn undo(&self) -> Result<Option<Entry>, StoreError> {
        self.step(Kind::Undo, None)
    }

    /// Takes one change back, whatever was changed since; refused where a later change touches the
    /// same memory, the same lines or a file that one of the two makes, moves or removes.
    pub fn undo_one(&self, seq: u64) -> Result<Option<Entry>, StoreError> {
        self.step(Kind::Undo, Some(seq))
    }

    /// Makes the last undone change again.
    pub fn redo(&self) -> Result<Option<Entry>, StoreError> {
        self.step(Kind::Redo, None)
    }

    fn step(&self, kind: Kind, seq: Option<u64>) -> Result<Option<Entry>, StoreError> {
        self.may_write()?;
        let (lock, sound) = (|plan: &Plan| self.lock(plan), self.sound());
        self.with_view(|view| self.journals.step(kind, seq, view, &lock, &sound))
    }

    /// What [`undo`](Self::undo) would do.
    pub fn undoable(&self) -> Result<Option<Plan>, StoreError> {
        self.with_view(|view| self.journals.preview(Kind::Undo, view, &self.sound()))
    }

    /// What [`redo`](Self::redo) would do.
    pub fn redoable(&self) -> Result<Option<Plan>, StoreError> {
        self.with_view(|view| self.journals.preview(Kind::Redo, view, &self.sound()))
    }

    /// The steps that are in force, oldest first.
    pub fn applied(&self) -> Result<Vec<Entry>, StoreError> {
        self.with_view(|view| self.journals.entries(view, |all| all.applied))
    }

    /// The steps that were taken back and can be made again, oldest first.
    pub fn undone(&self) -> Result<Vec<Entry>, StoreError> {
        self.with_view(|view| self.journals.entries(view, |all| all.undone))
    }

    /// The steps that were taken back before another change was made, oldest first.
    pub fn dropped(&self) -> Result<Vec<Entry>, StoreError> {
        self.with_view(|view| self.journals.entries(view, |all| all.dropped))
    }

    /// Puts right what a crash left. Gives what a person should know.
    pub fn recover(&self) -> Result<Vec<String>, StoreError> {
        self.journals.recover(&self.homes())
    }

    fn with_view<T>(&self, work: impl FnOnce(&View<'_>) -> T) -> T {
        work(&View {
            homes: self.homes(),
            among: &|home, entry| self.is_ours(home, entry),
            homes_of: &|plan| self.homes_of(plan),
        })
    }

    /// True if a step is about a store that was named, where some were, else about any store or the
    /// project: it changes it, or says something of its memories elsewhere.
    fn is_ours(&self, home: &str, entry: &Entry) -> bool {
        let is_own = home == self.home();
        let names = |info: &StoreInfo| {
            let mut stores = entry.ids.iter().filter_map(|id| id.split_once(':'));
            is_own && stores.any(|(store, _)| *store == *info.id.0)
        };
        is_own && self.search.only.is_empty()
            || self
                .infos()
                .any(|info| changes(&entry.plan, info) || names(info))
    }

    /// The home of the project.
    fn home(&self) -> String {
        root_hash(&self.root)
    }

    /// The homes of the project and of its stores.
    fn homes(&self) -> Homes {
        let stores = self.infos().map(|info| root_hash(&anchor(info)));
        stores.chain([self.home()]).collect()
    }

    /// The homes of what a plan changes.
    fn homes_of(&self, plan: &Plan) -> Homes {
        let paths = plan.changes.iter().flat_map(FileChange::paths);
        let home = |path: &Path| {
            let mut infos = self.infos();
            let own = infos.find(|info| holds(info, path));
            own.map_or_else(|| self.home(), |info| root_hash(&anchor(info)))
        };
        paths.map(home).collect()
    }
}

/// True if a plan changes a store.
fn changes(plan: &Plan, info: &StoreInfo) -> bool {
    let mut paths = plan.changes.iter().flat_map(FileChange::paths);
    paths.any(|path| holds(info, path))
}

/// True if a path is a store, or in it or its archive, under whatever name.
fn holds(info: &StoreInfo, path: &Path) -> bool {
    let own = [&info.path, &info.archive];
    let is_in = |own: &Path| path.starts_with(own);
    own.iter().any(|own| is_in(own)) || own.iter().any(|own| is_in(&files::real(own)))
}

/// Makes the paths of a plan those that links lead to, as other projects may lead elsewhere.
fn make_real(plan: &mut Plan) {
    let beside = |path: &mut PathBuf| {
        if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
            *path = files::real(folder).join(name);
        }
    };
    for change in &mut plan.changes {
        match change {
            FileChange::Rows { path, .. } => *path = files::real(path),
            FileChange::Write { path, .. }
            | FileChange::Link { path, .. }
            | FileChange::Stage { path, .. } => beside(path),
            FileChange::Move { from, to, .. } => [from, to].into_iter().for_each(beside),
        }
    }
}

/// The folder of a home below the state folder.
pub fn root_hash(root: &Path) -> String {
    let digest = Digest::of(root.as_os_str().as_encoded_bytes());
    digest.0.chars().take(16).collect()
}

impl Collection {
    /// Why a plan cannot be carried out on the files as they are.
    pub fn in_the_way(&self, plan: &Plan) -> Option<StoreError> {
        apply::blocked(&self.journals.disk, plan)
    }
}
