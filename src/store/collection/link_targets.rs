//! Files that links lead to: where they may be written to, and what is said of the others.

use std::collections::HashSet;
use std::path::{Component, Path};
use std::sync::Arc;

use super::Collection;
use super::planner::Planner;
use crate::curate::{Change, Plan};
use crate::memory::{Memory, Problem, Severity};
use crate::store::{NewName, Result, Scope, Store, StoreInfo, discover, files, refuse};

impl Collection {
    /// Adds a problem to the first memory of each file or store that a link leads to outside.
    pub(super) fn mark_read_only(&self, memories: &mut [Arc<Memory>]) {
        self.outside(memories, &mut |run, why| {
            let problem =
                |one: &Memory| Problem::new("load-error", Severity::Info, (one.line, 1), &*why);
            let first = run.first_mut();
            if let Some(first) = first.filter(|one| !one.problems.contains(&problem(one))) {
                let problems = first.problems.iter().cloned().chain([problem(first)]);
                let problems = problems.collect();
                Arc::make_mut(first).problems = problems;
            }
        });
    }

    /// Takes the memories out that links lead to out of the project, for agents are not given them.
    pub fn drop_outside(&self, memories: &mut Vec<Arc<Memory>>) {
        let mut outside = HashSet::new();
        self.outside(memories, &mut |run, _| {
            outside.extend(run.iter().map(|memory| memory.id.clone()));
        });
        memories.retain(|memory| !outside.contains(&memory.id));
    }

    /// Calls `take` with the memories behind each link out of the project, and why it is read-only.
    fn outside(&self, all: &mut [Arc<Memory>], take: &mut dyn FnMut(&mut [Arc<Memory>], String)) {
        for of_store in all.chunk_by_mut(|a, b| a.id.store == b.id.store) {
            let store = of_store.first().and_then(|first| self.store_of(&first.id));
            let Some(store) = store else { continue };
            if let Some(why) = self.leaves(&store.info().path) {
                take(of_store, why);
                continue;
            }
            for run in of_store.chunk_by_mut(|a, b| a.path == b.path) {
                let first = run.first().filter(|one| store.may_be_link(one));
                if let Some(why) = first.and_then(|first| self.leaves(&first.path)) {
                    take(run, why);
                }
            }
        }
    }

    /// Refuses a plan that leaves the root, other work trees of its repository, and the person's
    /// own and named stores; of git's files only the configuration is written, which names the
    /// merge driver. A plan that was `checked` when it was made has real paths.
    pub(super) fn stays_within(&self, plan: &Plan, checked: bool) -> Result {
        for change in &plan.changes {
            for path in change.paths() {
                let is_config = || crate::project::git::config_file(&self.root);
                if !checked || files::real(path) != path {
                    self.may_write_to(path).or_else(|error| {
                        match is_config().as_deref() == Some(path) {
                            true => self.may_lead(path),
                            false => Err(error),
                        }
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Refuses a target below `.git`, or where links lead out of the project.
    pub fn may_write_to(&self, path: &Path) -> Result {
        let real = files::real(path);
        let below = real.strip_prefix(&self.root).unwrap_or(&real);
        let is_gits = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
        match below.components().any(is_gits) {
            true => refuse(format!(
                "{} is read-only: git keeps its own files there",
                self.shown(path)
            )),
            false => self.may_lead(path),
        }
    }

    /// Refuses a path that is not written to.
    pub fn may_lead(&self, path: &Path) -> Result {
        self.leaves(path).map_or(Ok(()), refuse)
    }

    /// Why a path is not written to; none where it may be.
    pub(super) fn leaves(&self, path: &Path) -> Option<String> {
        let real = files::real(path);
        let places = || {
            self.writable.get_or_init(|| {
                let mut places = crate::project::git::work_trees(&self.root);
                places.extend(discover::own_places(&self.search, &self.root));
                places
            })
        };
        if real.starts_with(&self.root)
            || real.starts_with(files::real(&self.state))
            || places().iter().any(|place| real.starts_with(place))
        {
            return None;
        }
        Some(format!(
            "{} is read-only: it leads to {}, which is neither in this project nor a store of yours",
            self.shown(path),
            real.display()
        ))
    }
}

impl<'a> Planner<'a> {
    /// Refuses to change what links lead to where that is no memory of the store's format.
    pub(super) fn may_follow(&self, change: &Change) -> Result {
        if let Change::Add { store, .. } = change {
            let store = self.collection.writable(store.as_ref())?;
            return is_own(store, &store.info().path);
        }
        let ids = change.ids().into_iter();
        let mut found = ids.filter_map(|id| self.find(id).ok());
        found.try_for_each(|(store, memory)| is_own(store, &memory.path))
    }

    /// Rewrites names of memories in the texts of their stores, and across stores that name them.
    pub(super) fn follow(&mut self, changed: &[(&'a Memory, NewName<'_>)]) -> Result {
        for run in changed.chunk_by(|(a, _), (b, _)| a.id.store == b.id.store) {
            let store = run.first();
            let store = store.and_then(|(memory, _)| self.collection.store_of(&memory.id));
            let Some(store) = store else { continue };
            let (own, can) = (store.info(), store.schema().can);
            let is_users = |info: &StoreInfo| info.scope == Scope::User;
            let reads = |info: &StoreInfo| {
                info.format() == own.format() && (is_users(info) || is_users(own))
            };
            let names_it = |text: &&Arc<Memory>| {
                let across = !can.user_prefix.is_empty();
                let other = || self.collection.store_of(&text.id).map(Store::info);
                text.id.store == own.id || across && other().is_some_and(reads)
            };
            if !can.links.is_empty() {
                let texts: Vec<_> = self.memories.iter().filter(names_it).cloned().collect();
                store.follow(run, &texts, self.overlay)?;
            }
        }
        Ok(())
    }
}

/// Refuses a link to a file that is none of a store's format.
fn is_own(store: &dyn Store, path: &Path) -> Result {
    let target = files::real(path);
    if !path.is_symlink() || target.is_dir() {
        return Ok(());
    }
    // Why one cannot be read is said by what wants to.
    let Ok((bytes, _)) = files::read(path) else {
        return Ok(());
    };
    match store.is_own(&bytes) {
        true => Ok(()),
        false => refuse(format!(
            "{} is read-only: it is a symbolic link to {}, which is no memory of {}",
            path.display(),
            target.display(),
            store.info().format()
        )),
    }
}
