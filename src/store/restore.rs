//! Bringing memories back out of the journal, byte for byte where their files allow it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use itertools::Itertools as _;

use super::apply::{Texts, progress};
use super::disk::{Disk, Progress};
use super::journal::Entry;
use super::{StoreError, files};
use crate::curate::{FileChange, RowChange};
use crate::memory::{Memory, MemoryId, Severity};

/// A deleted memory that comes back.
#[derive(Clone, Copy, Debug)]
pub struct Deleted<'a> {
    /// Its id when it was deleted.
    pub id: &'a MemoryId,
    /// The file that it stood in.
    pub path: &'a Path,
    /// What [`super::Overlay::took`] was given, else the text of its file.
    pub text: &'a [u8],
}

impl Deleted<'_> {
    pub(super) fn refused(&self) -> StoreError {
        StoreError::Refused(format!("{} cannot be put back", self.id))
    }
}

/// A memory that is wanted back.
pub enum Gone<'a> {
    Archived(&'a MemoryId, &'a Memory),
    /// It is in the journal only; the file it stood in.
    Deleted(&'a MemoryId, PathBuf),
}

impl Gone<'_> {
    pub const fn id(&self) -> &MemoryId {
        match self {
            Self::Archived(id, _) | Self::Deleted(id, _) => id,
        }
    }
}

/// True if a taken text is a memory of the archive: stores put before it where it stood.
fn is_of((id, text): (&str, &[u8]), archived: &Memory) -> bool {
    let raw = raw(archived);
    let before = text.trim_ascii_end().strip_suffix(&*raw);
    let is_line = before.is_some_and(|before| before.is_empty() || before.ends_with(b"\n"));
    let store = id.split_once(':').map(|(store, _)| store);
    !raw.is_empty() && is_line && store == Some(&*archived.id.store.0)
}

/// The LOCAL that an archived memory had before, its `#2` left out.
fn before(archived: &MemoryId) -> &str {
    let local = &archived.local;
    file(local.strip_prefix("archive/").unwrap_or(local))
}

/// A memory as its file has it.
fn raw(memory: &Memory) -> Vec<u8> {
    let bytes = std::fs::read(&memory.path).unwrap_or_default();
    let own = bytes.get(memory.span.clone()).unwrap_or_default();
    own.trim_ascii().to_vec()
}

/// A LOCAL without its `#2`.
fn file(local: &str) -> &str {
    local.split('#').next().unwrap_or_default()
}

/// A step that took memories out of their stores, to be asked about many of them.
struct Step<'a> {
    entry: &'a Entry,
    ids: HashSet<&'a str>,
    /// The texts that it took from files which hold other memories too, by id.
    texts: HashMap<&'a str, &'a [u8]>,
    /// The stores and files of these.
    taken: HashSet<(&'a str, &'a str)>,
    changes: HashMap<&'a Path, Vec<&'a FileChange>>,
}

impl<'a> Step<'a> {
    fn of(entry: &'a Entry) -> Self {
        let mut texts = HashMap::new();
        for taken in &entry.plan.taken {
            texts.entry(&*taken.id).or_insert(taken.text.as_slice());
        }
        let name = |id: &&'a str| id.split_once(':').unwrap_or_default();
        let names = texts.keys().map(name);
        Self {
            entry,
            ids: entry.ids.iter().map(String::as_str).collect(),
            taken: names.map(|(store, local)| (store, file(local))).collect(),
            texts,
            changes: entry.plan.by_path(),
        }
    }

    fn of_file(&self, path: &Path) -> &[&'a FileChange] {
        let own = self.changes.get(path);
        let own = own.or_else(|| self.changes.get(&*files::real(path)));
        own.map_or(&[], Vec::as_slice)
    }

    fn deleted(&self, id: &MemoryId) -> bool {
        self.entry.action == "delete" && self.ids.contains(&*id.to_string())
    }

    /// True if it took this memory out of its store. Of `twins` there are more with one id.
    fn took(&self, gone: &Gone<'_>, twins: &HashSet<&MemoryId>) -> bool {
        match gone {
            Gone::Archived(_, one) => self.entry.action == "archive" && self.archived(one, twins),
            Gone::Deleted(id, path) => {
                let has_text = || self.texts.contains_key(&*id.to_string());
                self.deleted(id) && (!self.of_file(path).is_empty() || has_text())
            }
        }
    }

    /// True if it put this memory into the archive, whatever it did beside that.
    fn archived(&self, memory: &Memory, twins: &HashSet<&MemoryId>) -> bool {
        let id = &memory.id;
        // An unreadable memory has another name in the archive, and is recognised by its text.
        let mut problems = memory.problems.iter();
        let broken = problems.any(|one| one.severity == Severity::Error);
        let named = self.taken.contains(&(&*id.store.0, before(id)));
        let by_text = if named { twins.contains(id) } else { broken };
        let mut texts = self.texts.iter();
        let took = match by_text {
            // It may have had another number then.
            true => texts.any(|(taken, text)| is_of((taken, text), memory)),
            false => named,
        };
        // If the archive is one file, every archived memory touches it. So the step has to have
        // made the file for it, or to name the memory.
        let made = |change: &&FileChange| match change {
            FileChange::Move { to, .. } => files::real(to) == files::real(&memory.path),
            FileChange::Write(own) => own.before.is_none(),
            _ => false,
        };
        let touched = || {
            let own = self.of_file(&memory.path);
            !own.is_empty() && (own.iter().any(made) || self.names(id))
        };
        let is_whole = !self.taken.iter().any(|(store, _)| **store == *id.store.0);
        took || is_whole && touched()
    }

    /// True if it was about the memory that has this id in the archive.
    fn names(&self, id: &MemoryId) -> bool {
        let local = id.local.strip_prefix("archive/").unwrap_or(&id.local);
        self.ids.contains(&*format!("{}:{local}", id.store))
    }
}

/// The steps of a journal that took memories out of their stores, the last one first.
pub struct Steps<'a>(Vec<Step<'a>>);

impl<'a> Steps<'a> {
    pub fn of(applied: &'a [Entry]) -> Self {
        let steps = applied.iter().rev();
        let takes = |entry: &&Entry| {
            let makes = |change: &FileChange| match change {
                FileChange::Write(own) => own.before.is_none(),
                FileChange::Move { .. } | FileChange::Rows { .. } => true,
                _ => false,
            };
            let mut changes = entry.plan.changes.iter();
            ["archive", "delete"].contains(&&*entry.action)
                || !entry.plan.taken.is_empty()
                || changes.any(makes)
        };
        Self(steps.filter(takes).map(Step::of).collect())
    }

    pub fn archived(&self, memory: &Memory) -> Option<&'a Entry> {
        let twins = HashSet::new();
        let step = self.0.iter().find(|step| step.archived(memory, &twins));
        step.map(|step| step.entry)
    }

    pub fn deleted(&self, id: &MemoryId) -> bool {
        self.0.iter().any(|step| step.deleted(id))
    }

    /// The file of a deleted memory. Its extension may differ from that of a `new` one.
    pub fn file(&self, id: &MemoryId, new: PathBuf) -> PathBuf {
        let step = self.0.iter().find(|step| step.deleted(id));
        let stem = files::real(&new).with_extension("");
        let mut changes = step.iter().flat_map(|step| &step.entry.plan.changes);
        let end = changes.find_map(|change| {
            let path = files::real(change.removed()?.0);
            let is_it = path.with_extension("") == stem;
            path.extension().filter(|_| is_it).map(ToOwned::to_owned)
        });
        end.map_or(new.clone(), |end| new.with_extension(end))
    }

    /// The text of a deleted memory by the last step that took it, with the mode of a whole file.
    pub fn text(&self, id: &MemoryId, file: &Path) -> Option<(&'a [u8], Option<u32>)> {
        let mut steps = self.0.iter().filter(|step| step.deleted(id));
        steps.find_map(|step| {
            let own = step.texts.get(&*id.to_string()).map(|text| (*text, None));
            own.or_else(|| {
                let mut changes = step.of_file(file).iter();
                let (_, text, mode) = changes.find_map(|change| change.removed())?;
                Some((text, mode))
            })
        })
    }

    /// Finds what last had an id in a store, with true if it is in the journal only.
    pub fn named(&self, typed: &str, archived: &[&Memory]) -> Option<(MemoryId, bool)> {
        let is_it = |id: &str| id == typed || id.split_once(':').is_some_and(|id| id.1 == typed);
        let named = self.0.iter().find_map(|step| {
            let full = step.ids.iter().find(|id| is_it(id))?;
            if step.entry.action == "delete" {
                let (store, local) = full.split_once(':')?;
                return Some(Some((MemoryId::new(&store.into(), local), true)));
            }
            let Some(text) = step.texts.get(full) else {
                // Steps before its archiving do not count any more.
                return (step.entry.action == "archive").then_some(None);
            };
            let is_it = |memory: &&&Memory| is_of((full, text), memory);
            Some(Some((archived.iter().find(is_it)?.id.clone(), false)))
        });
        named.flatten()
    }

    /// Contents of files before steps took these memories out of them, the last step first.
    pub fn contents(&self, wanted: &[&Gone<'_>], texts: &Texts) -> Vec<(PathBuf, Vec<u8>)> {
        let name = |one: &&'_ Gone<'_>| (one.id().store.to_string(), before(one.id()).to_owned());
        let names: HashSet<(String, String)> = wanted.iter().map(name).collect();
        let is_wanted = |(store, local): &(&str, &str)| {
            names.contains(&((*store).to_owned(), (*local).to_owned()))
        };
        let is_named = |id: &&str| id.split_once(':').is_some_and(|id| is_wanted(&id));
        let takes =
            |one: &&Step<'_>| one.taken.iter().any(is_wanted) || one.ids.iter().any(is_named);
        let changes = self.0.iter().filter(takes);
        let changes = changes.flat_map(|step| &step.entry.plan.changes);
        let content = |change: &FileChange| {
            let [before, _] = texts.both(change)?;
            Some((change.rewritten()?.to_owned(), before))
        };
        changes.filter_map(content).collect()
    }

    /// The changes that take back exactly what took memories away, and the memories without one.
    pub fn exact<'g>(
        &self,
        wanted: &'g [Gone<'g>],
        archived: &[&MemoryId],
    ) -> (Vec<FileChange>, Vec<&'g Gone<'g>>) {
        let counts = archived.iter().map(|id| (&id.store, before(id))).counts();
        let has_twin = |id: &&MemoryId| counts.get(&(&id.store, before(id))) > Some(&1);
        let twins = wanted.iter().map(Gone::id).filter(has_twin).collect();
        let mut rest: Vec<&Gone<'_>> = wanted.iter().collect();
        let mut changes = Vec::new();
        for step in &self.0 {
            let took = |gone: &&Gone<'_>| step.took(gone, &twins);
            let of_step: Vec<&Gone<'_>> = rest.iter().copied().filter(took).collect();
            if of_step.is_empty() {
                continue;
            }
            // Rows are put back one by one: what they refer to may have gone meanwhile.
            let has_rows = || {
                let mut changes = step.entry.plan.changes.iter();
                changes.any(|change| matches!(change, FileChange::Rows { .. }))
            };
            if of_step.len() == step.entry.ids.len() && !has_rows() {
                let back = step.entry.plan.inverse().changes;
                if possible(&back) {
                    changes.extend(back);
                    rest.retain(|gone| !step.took(gone, &twins));
                }
            }
        }
        // A change that restores text to a shared file must not meet another change of that file.
        let is_shared = |change: &FileChange| change.rewritten().is_some();
        if !rest.is_empty() && changes.iter().any(is_shared) {
            return (Vec::new(), wanted.iter().collect());
        }
        (changes, rest)
    }
}

/// The rows that steps took out of databases with memories, and that no later step touched.
pub fn rows_gone(applied: &[Entry]) -> Vec<(&Path, &RowChange)> {
    let mut touched = HashSet::new();
    let mut gone = Vec::new();
    for entry in applied.iter().rev() {
        let takes = ["archive", "delete", "merge"].contains(&&*entry.action);
        for change in entry.plan.changes.iter().rev() {
            let FileChange::Rows { path, rows } = change else {
                continue;
            };
            for row in rows.iter().rev() {
                let key = serde_json::to_string(&row.key).unwrap_or_default();
                if touched.insert((path, &row.table, key)) && takes && row.after.is_none() {
                    gone.push((path.as_path(), row));
                }
            }
        }
    }
    gone
}

fn possible(back: &[FileChange]) -> bool {
    let disk = Disk::default();
    let stands = |change| matches!(progress(&disk, change), Ok(Progress::Before));
    !back.is_empty() && back.iter().all(stands)
}
