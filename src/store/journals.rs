//! The journals of a collection, one for each home: a repository, or a store that lies in none.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::apply::Texts;
use super::disk::{Disk, Lock};
use super::journal::{Entry, History, Journal};
use super::{At as _, Result};

const PATIENCE: Duration = Duration::from_secs(10);

/// The file of a journal that names the homes which share steps with it, one a line.
const SHARED: &str = "shared";

/// Names of folders below the state folder, one for each home. They are locked in this order.
pub type Homes = BTreeSet<String>;

#[derive(Debug)]
pub struct Journals {
    base: PathBuf,
    pub disk: Disk,
    pub patience: Duration,
}

impl Journals {
    pub fn new(base: PathBuf) -> Self {
        Self {
            base,
            disk: Disk::default(),
            patience: PATIENCE,
        }
    }

    pub fn texts(&self) -> Texts {
        Texts(self.base.join("texts"))
    }

    pub fn at(&self, home: &str) -> Journal {
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
    pub fn share(&self, homes: &Homes) -> Result {
        for home in homes {
            let known = self.group(&Homes::from([home.clone()]));
            let new = homes.difference(&known);
            let new: String = new.map(|home| format!("{home}\n")).collect();
            if new.is_empty() {
                continue;
            }
            let path = self.base.join(home).join(SHARED);
            let file = self.disk.open_to_append(&path);
            let written = file.and_then(|file| {
                self.disk.write(&path, &file, new.as_bytes())?;
                self.disk.sync(&path, &file)
            });
            written.at(&path)?;
        }
        Ok(())
    }

    /// Takes the locks of some homes and of those that share steps with them.
    pub fn lock(&self, homes: &Homes, end: Instant) -> Result<(Homes, Vec<Lock>)> {
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

    pub fn settle(&self, group: &Homes) -> Result<Vec<String>> {
        let notes = group.iter().map(|home| self.at(home).settle());
        Ok(notes.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Settles what a crash left in the homes of a collection; waits until a moment for others.
    pub fn settle_until(&self, homes: &Homes, end: Instant) -> Result<Vec<String>> {
        let mut notes = Vec::new();
        for home in self.group(homes) {
            if !self.at(&home).is_settled() {
                let (group, _locks) = self.lock(&Homes::from([home]), end)?;
                notes.extend(self.settle(&group)?);
            }
        }
        Ok(notes)
    }

    /// The history of some homes. A new plan in one of them ends what can be made again in all.
    pub fn history(&self, homes: &Homes) -> Result<History> {
        let mut all = History::default();
        for home in self.group(homes) {
            let mut own = self.at(&home).history()?;
            for (all, own) in all.stacks().into_iter().zip(own.stacks()) {
                all.extend(own.drain(..).map(|entry| Entry {
                    home: home.clone(),
                    ..entry
                }));
            }
            all.next = all.next.max(own.next);
            all.last = all.last.max(own.last);
            all.last_new = all.last_new.max(own.last_new);
        }
        let is_over = |entry: &mut Entry| entry.order < all.last_new;
        all.dropped.extend(all.undone.extract_if(.., is_over));
        for stack in all.stacks() {
            stack.sort_by_key(|entry| (entry.order, entry.seq));
        }
        Ok(all)
    }
}
