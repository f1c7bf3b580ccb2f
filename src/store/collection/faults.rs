//! Faults that crashes and other programs leave around the stores, and their repairs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::Collection;
use crate::memory::Timestamp;
use crate::project::{git, staging};
use crate::store::apply::is_temporary;
use crate::store::disk::Lock;
use crate::store::queue::sides::{Place, folders};
use crate::store::{At as _, Result, StoreError, files};

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

impl Fault {
    fn new(
        area: &'static str,
        at: impl Display,
        why: impl Display,
        repair: Option<Repair>,
    ) -> Self {
        let what = format!("{at}: {why}");
        Self { area, what, repair }
    }
}

fn aside(path: &Path) -> PathBuf {
    files::with_end(path, ".stale")
}

impl Collection {
    /// Every fault that is found, without writing anything.
    pub fn faults(&self) -> Vec<Fault> {
        let mut all = self.journal_faults();
        // The temporary files of an interrupted change are the change's.
        if all.iter().all(|fault| fault.repair != Some(Repair::Settle)) {
            all.extend(self.stray_files());
        }
        // A call that narrows the stores says nothing of the drafts of others.
        if !self.is_narrowed() {
            let drafts = entries(&self.state.join("drafts")).collect::<BTreeSet<_>>();
            all.extend(drafts.iter().filter_map(|path| self.draft_fault(path)));
        }
        all.extend(self.staging_faults());
        all
    }

    fn journal_faults(&self) -> Vec<Fault> {
        let mut all = Vec::new();
        for home in self.homes() {
            let journal = self.journals.at(&home);
            let path = journal.folder.join("journal.jsonl");
            let mut add = |what: &str, repair| {
                all.push(Fault::new("journal", path.display(), what, repair));
            };
            let found = journal.torn();
            let found = found.and_then(|torn| Ok((torn, journal.is_open()?)));
            let (torn, is_open) = match found {
                Ok(found) => found,
                Err(error) => {
                    add(&error.to_string(), None);
                    continue;
                }
            };
            if let Some(first) = torn.first() {
                let what = match torn.len() {
                    1 => format!("line {first} cannot be read"),
                    count => format!("{count} lines cannot be read, the first is line {first}"),
                };
                add(&what, Some(Repair::DropLines(home)));
            }
            if is_open {
                add("a change was interrupted", Some(Repair::Settle));
            }
        }
        all
    }

    fn stray_files(&self) -> Vec<Fault> {
        let mut strays = BTreeSet::new();
        for info in self.infos() {
            for place in [&info.path, &info.archive] {
                match place.is_dir() {
                    true => add_strays(place, true, &mut strays),
                    false => add_strays(place.parent().unwrap_or(place), false, &mut strays),
                }
            }
        }
        let fault = |path: PathBuf| {
            let what = "a temporary file that no change waits for";
            Fault::new("files", self.shown(&path), what, Some(Repair::Remove(path)))
        };
        strays.into_iter().map(fault).collect()
    }

    /// The fault of a draft that nobody can save, or of the lock of one.
    fn draft_fault(&self, path: &Path) -> Option<Fault> {
        let what = match path.extension()?.to_str()? {
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
                    Some(Some((store, _))) if self.infos().any(|info| *info.id.0 == *store) => {
                        return None;
                    }
                    Some(Some((store, local))) => {
                        format!("a draft of {store}:{local}, of which the store is not here")
                    }
                }
            }
            _ => return None,
        };
        let lock = Lock::shared(&path.with_extension("lock"), Instant::now());
        let is_held = matches!(lock, Err(StoreError::Locked(_)));
        let repair = Some(Repair::Remove(path.to_owned()));
        (!is_held).then(|| Fault::new("drafts", path.display(), what, repair))
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
            let mut add = |place: &Path, what: String, repair| {
                all.push(Fault::new("staging", place.display(), what, repair));
            };
            let lost = staging::lost(&root, &folders(&places)).unwrap_or_else(|error| {
                add(&root, error.to_string(), None);
                Vec::new()
            });
            for (file, staged) in lost {
                if !places.iter().any(|one| one.holds(&file)) {
                    continue;
                }
                let path = root.join(&file);
                let bytes = fs::read(&path).unwrap_or_default();
                if staging::blob_id(&bytes, staged.id.len() > 40) == staged.id {
                    let what = "the staged version is missing in the repository".to_owned();
                    add(&file, what, Some(Repair::Store(root.clone(), path)));
                } else {
                    let add_it = format!("`git add {}` stages the file as it is", file.display());
                    add(&file, format!("the staged version is lost; {add_it}"), None);
                }
            }
            let lock = git::places(&root).map(|(own, _)| own.join("index.lock"));
            let age = |path: &PathBuf| fs::metadata(path).ok()?.modified().ok()?.elapsed().ok();
            if let Some(path) = lock.filter(|path| age(path).is_some_and(|age| age > STALE)) {
                let what = "a lock that a git left behind".to_owned();
                add(&path.clone(), what, Some(Repair::PutAside(path)));
            }
        }
        all
    }

    /// Makes a repair.
    pub fn mend(&self, repair: &Repair, now: Timestamp) -> Result {
        self.may_write()?;
        match repair {
            Repair::DropLines(home) => self.journals.at(home).drop_torn(),
            Repair::Settle => {
                let end = Instant::now() + self.journals.patience;
                self.journals.settle_until(&self.homes(), end).map(drop)
            }
            Repair::Remove(path) => {
                let mut overlay = self.overlay(now);
                overlay.remove(path, None)?;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let plan = overlay.into_plan(format!("removed {name}"));
                self.carry_out(plan, "repair", Vec::new(), now).map(drop)
            }
            Repair::PutAside(path) => fs::rename(path, aside(path)).at(path),
            Repair::Store(root, path) => {
                let bytes = fs::read(path).at(path)?;
                Ok(staging::store_blob(root, &bytes).map(drop)?)
            }
        }
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

fn add_strays(folder: &Path, is_deep: bool, strays: &mut BTreeSet<PathBuf>) {
    for path in entries(folder) {
        let kind = fs::symlink_metadata(&path).map(|meta| meta.file_type());
        match kind {
            Ok(kind) if kind.is_dir() && is_deep => add_strays(&path, true, strays),
            Ok(kind) if kind.is_file() && is_temporary(&path) => drop(strays.insert(path)),
            _ => {}
        }
    }
}
