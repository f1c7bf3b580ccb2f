//! Faults in the files around the stores that crashes and other programs leave: finding them reads
//! only, and mending one can be undone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::Collection;
use crate::memory::Timestamp;
use crate::project::{git, staging};
use crate::store::apply::is_temporary;
use crate::store::lock::Lock;
use crate::store::queue::place::{Place, folders};
use crate::store::{StoreError, files};

/// Age at which a lock of git counts as left behind.
const STALE: Duration = Duration::from_secs(600);

/// Something wrong, and its remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What was checked: `journal`, `drafts` …
    pub area: &'static str,
    /// Description of the fault.
    pub what: String,
    /// The repair; none where only a person can mend it.
    pub repair: Option<Repair>,
}

/// A repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Drops the unreadable lines of the journal of a home.
    DropLines(String),
    /// Finishes interrupted changes, or takes them back.
    Settle,
    /// Removes a file; `memkeep undo` brings it back.
    Remove(PathBuf),
    /// Gives a file another name.
    PutAside(PathBuf),
    /// Stores the bytes of a file in the repository with this root again.
    Store(PathBuf, PathBuf),
}

impl Repair {
    /// The repair in words.
    pub fn title(&self) -> String {
        match self {
            Self::DropLines(_) => {
                "drop these lines; the file of before stays as journal.torn".to_owned()
            }
            Self::Settle => "finish the change, or take it back".to_owned(),
            Self::Remove(path) => {
                format!("remove {}; `memkeep undo` brings it back", path.display())
            }
            Self::PutAside(path) => format!("rename it to {}", aside(path).display()),
            Self::Store(_, path) => format!("store {} in the repository again", path.display()),
        }
    }
}

fn aside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{name}.stale"))
}

impl Collection {
    /// Every fault that is found, without writing anything.
    pub fn faults(&self) -> Vec<Fault> {
        let mut all = self.journal_faults();
        // The temporary files of an interrupted change are the change's.
        if all.iter().all(|fault| fault.repair != Some(Repair::Settle)) {
            all.extend(self.stray_files());
        }
        all.extend(self.draft_faults());
        all.extend(self.staging_faults());
        all
    }

    fn journal_faults(&self) -> Vec<Fault> {
        let mut all = Vec::new();
        for home in self.homes() {
            let journal = self.journals.at(&home);
            let path = journal.folder.join("journal.jsonl");
            let mut add = |what: String, repair| {
                let what = format!("{}: {what}", path.display());
                all.push(Fault {
                    area: "journal",
                    what,
                    repair,
                });
            };
            match journal
                .torn()
                .and_then(|torn| Ok((torn, journal.is_open()?)))
            {
                Err(error) => add(error.to_string(), None),
                Ok((torn, is_open)) => {
                    if let Some(first) = torn.first() {
                        let what = match torn.len() {
                            1 => format!("line {first} cannot be read"),
                            count => {
                                format!("{count} lines cannot be read, the first is line {first}")
                            }
                        };
                        add(what, Some(Repair::DropLines(home)));
                    }
                    if is_open {
                        add("a change was interrupted".to_owned(), Some(Repair::Settle));
                    }
                }
            }
        }
        all
    }

    /// Temporary files beside memories that no change waits for.
    fn stray_files(&self) -> Vec<Fault> {
        let mut waiting = Vec::new();
        for info in self.infos() {
            let around = |path: &Path| match path.is_dir() {
                true => path.to_owned(),
                false => path.parent().unwrap_or(path).to_owned(),
            };
            let is_file = info.path.is_file();
            waiting.push((around(&info.path), !is_file));
            waiting.push((info.archive.clone(), true));
        }
        let (mut seen, mut strays) = (BTreeSet::new(), BTreeSet::new());
        while let Some((folder, is_deep)) = waiting.pop() {
            if !seen.insert(folder.clone()) {
                continue;
            }
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let (path, kind) = (entry.path(), entry.file_type());
                match kind {
                    Ok(kind) if kind.is_dir() && is_deep => waiting.push((path, true)),
                    Ok(kind) if kind.is_file() && is_temporary(&path) => drop(strays.insert(path)),
                    _ => {}
                }
            }
        }
        let fault = |path: PathBuf| Fault {
            area: "files",
            what: format!(
                "{}: a temporary file that no change waits for",
                self.shown(&path)
            ),
            repair: Some(Repair::Remove(path)),
        };
        strays.into_iter().map(fault).collect()
    }

    /// Drafts that nobody can save, and their locks.
    fn draft_faults(&self) -> Vec<Fault> {
        let entries = fs::read_dir(self.state.join("drafts"));
        let paths = entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        let mut paths: Vec<PathBuf> = paths.collect();
        paths.sort_unstable();
        let held = |path: &Path| {
            let lock = Lock::shared(&path.with_extension("lock"), Instant::now());
            matches!(lock, Err(StoreError::Locked(_)))
        };
        let fault = |path: &PathBuf| {
            let ending = path.extension()?.to_str()?;
            let what = match ending {
                "lock" if path.with_extension("json").exists() => return None,
                "lock" => "the lock of a draft that is gone".to_owned(),
                "json" => {
                    let draft = fs::read(path).ok();
                    let draft = draft.and_then(|text| serde_json::from_slice::<Json>(&text).ok());
                    let id = draft.as_ref().and_then(|draft| draft.get("id")?.as_str());
                    // A new memory has no id yet.
                    match id.map(|id| id.split_once(':')) {
                        None => "a draft that cannot be read".to_owned(),
                        Some(None) => return None,
                        Some(Some((store, local))) => {
                            let is_here = self.infos().any(|info| *info.id.0 == *store);
                            let what = format!(
                                "a draft of {store}:{local}, of which the store is not here"
                            );
                            (!is_here).then_some(what)?
                        }
                    }
                }
                _ => return None,
            };
            (!held(path)).then(|| Fault {
                area: "drafts",
                what: format!("{}: {what}", path.display()),
                repair: Some(Repair::Remove(path.clone())),
            })
        };
        // A call that narrows the stores says nothing of the others.
        let paths = paths.iter().filter(|_| !self.is_narrowed());
        paths.filter_map(fault).collect()
    }

    /// Staged memories that git has lost, and a lock that a git left behind.
    fn staging_faults(&self) -> Vec<Fault> {
        let mut all = Vec::new();
        let mut groups: BTreeMap<PathBuf, Vec<Place<'_>>> = BTreeMap::new();
        for info in self.infos() {
            let around = info.path.parent().unwrap_or(&info.path);
            let root = git::tree(around).and_then(|tree| git::root(tree).ok());
            let place = root.and_then(|root| Some((Place::new(info, &root)?, root)));
            if let Some((place, root)) = place {
                groups.entry(root).or_default().push(place);
            }
        }
        for (root, places) in groups {
            let lost = match staging::lost(&root, &folders(&places)) {
                Ok(lost) => lost,
                Err(error) => {
                    let what = format!("{}: {error}", root.display());
                    all.push(Fault {
                        area: "staging",
                        what,
                        repair: None,
                    });
                    Vec::new()
                }
            };
            for (file, staged) in lost
                .into_iter()
                .filter(|(file, _)| places.iter().any(|one| one.holds(file)))
            {
                let path = root.join(&file);
                let bytes = fs::read(&path).unwrap_or_default();
                let is_same = staging::blob_id(&bytes, staged.id.len() > 40) == staged.id;
                let what = match is_same {
                    true => "the staged version is missing in the repository".to_owned(),
                    false => format!(
                        "the staged version is lost; `git add {}` stages the file as it is",
                        file.display()
                    ),
                };
                all.push(Fault {
                    area: "staging",
                    what: format!("{}: {what}", file.display()),
                    repair: is_same.then(|| Repair::Store(root.clone(), path)),
                });
            }
            let lock = git::places(&root).map(|(own, _)| own.join("index.lock"));
            let age = |path: &PathBuf| fs::metadata(path).ok()?.modified().ok()?.elapsed().ok();
            let lock = lock.filter(|path| age(path).is_some_and(|age| age > STALE));
            all.extend(lock.map(|path| Fault {
                area: "staging",
                what: format!("{}: a lock that a git left behind", path.display()),
                repair: Some(Repair::PutAside(path)),
            }));
        }
        all
    }

    /// Makes a repair.
    pub fn mend(&self, repair: &Repair, now: Timestamp) -> Result<(), StoreError> {
        self.may_write()?;
        match repair {
            Repair::DropLines(home) => drop(self.journals.at(home).drop_torn()?),
            Repair::Settle => {
                let end = Instant::now() + self.journals.patience;
                self.journals.settle_until(&self.homes(), end)?;
            }
            Repair::Remove(path) => {
                let mut overlay = self.overlay(now);
                overlay.read(path, None)?;
                overlay.remove(path, None)?;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let plan = overlay.into_plan(format!("removed {name}"));
                self.carry_out(plan, "repair", Vec::new(), now)?;
            }
            Repair::PutAside(path) => {
                fs::rename(path, aside(path)).map_err(|source| files::io(path, source))?;
            }
            Repair::Store(root, path) => {
                let bytes = fs::read(path).map_err(|source| files::io(path, source))?;
                staging::store_blob(root, &bytes)?;
            }
        }
        Ok(())
    }
}
