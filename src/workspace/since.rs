//! Finds the memories that are new or changed since a revision, and those of a changed file that are
//! as the last commit has them.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;
use std::sync::Arc;

use super::{Result, Workspace};
use crate::app::world;
use crate::memory::{Memory, MemoryId};
use crate::project::git::{self, GitError};
use crate::project::revision::{Changes, Revision};
use crate::retrieval::{Snapshot, Texts};
use crate::store::collection::Collection;
use crate::store::queue::place::{Past, Place, folders};

/// The memories that changed since a revision.
pub struct Since(HashSet<MemoryId>);

impl Since {
    /// Compares memories with their earlier versions. A file that holds several is compared memory by
    /// memory, a database row by row.
    pub fn new(workspace: &Workspace, name: &str, memories: &Snapshot) -> Result<Self> {
        let collection = &workspace.collection;
        let revision = Revision::find(&collection.root, name)?;
        let mut places = Vec::new();
        for info in collection.infos() {
            let place = Place::new(info, &revision.root);
            if place.is_none() && workspace.options.verbose {
                let id = &info.id;
                workspace.tell(&format!("{id} lies outside the repository and is left out"));
            }
            places.extend(place);
        }
        let changes = revision.changes(&folders(&places))?;
        if let Some(unknown) = changes.unknown_note() {
            workspace.tell(&format!("{unknown}; its memories count as changed"));
        }
        let changed = [changes.files, changes.unknown].concat();
        let mut all = HashSet::new();
        for place in &places {
            let own = place.own(&changed);
            let compared = compare(collection, &revision, place, &own, memories)?;
            let changed = compared
                .into_iter()
                .filter(|(_, was)| *was == Was::Otherwise);
            all.extend(changed.map(|(memory, _)| memory.id.clone()));
        }
        Ok(Self(all))
    }

    /// True if a memory is new or changed.
    pub fn changed(&self, id: &MemoryId) -> bool {
        self.0.contains(id)
    }
}

/// The repository around the stores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RepositoryState {
    /// `main ↑2`, in a repository.
    pub head: Option<String>,
    /// Files that are new or changed since the last commit, absolute.
    pub changed: Vec<PathBuf>,
    /// Memories of these files that are as the last commit has them.
    pub same: Vec<MemoryId>,
    /// The files that may have changed or not, and why that is unknown.
    pub unknown: Option<String>,
}

/// Facts of git about the stores: the branch, and the changes since the last commit.
pub fn repository_state(collection: &Collection, memories: &Snapshot) -> RepositoryState {
    let revision = Revision::find(&collection.root, "HEAD").ok();
    let news = |revision: &Revision| news(collection, revision, memories);
    let news = revision.as_ref().map(news);
    let Some((revision, Ok(News { changes, same }))) = revision.zip(news) else {
        return RepositoryState::default();
    };
    let files = changes.files.iter().map(|file| revision.root.join(file));
    RepositoryState {
        head: git::head(&revision.root),
        changed: files
            .filter(|file| file.symlink_metadata().is_ok())
            .collect(),
        same,
        unknown: changes.unknown_note(),
    }
}

impl From<RepositoryState> for world::News {
    fn from(facts: RepositoryState) -> Self {
        Self {
            changed: facts.changed.into_iter().collect(),
            same: facts.same.into_iter().collect(),
        }
    }
}

/// Files of a store that are compared memory by memory whenever the stores change; where more of
/// them changed, as in a store that was never committed, every memory of them counts as changed.
const MOST: usize = 100;

/// Changes in the stores since a revision.
pub struct News {
    /// The files that differ from the revision.
    pub changes: Changes,
    /// The memories of these files that are as the revision has them: their neighbours changed.
    pub same: Vec<MemoryId>,
}

/// Compares the stores with a revision.
pub fn news(
    collection: &Collection,
    revision: &Revision,
    memories: &Snapshot,
) -> Result<News, GitError> {
    let infos = collection.infos();
    let places = infos.filter_map(|info| Place::new(info, &revision.root));
    let places: Vec<Place<'_>> = places.collect();
    // Without a store in the work tree the rest of it is nobody's.
    let changes = match places.is_empty() {
        true => Changes::default(),
        false => revision.changes(&folders(&places))?,
    };
    let mut same = Vec::new();
    for place in &places {
        let own = place.own(&changes.files);
        if own.len() <= MOST {
            // A file whose old text cannot be read changed as a whole.
            let compared = compare(collection, revision, place, &own, memories);
            let compared = compared.unwrap_or_default().into_iter();
            let unchanged = compared.filter(|(_, was)| *was == Was::Same);
            same.extend(unchanged.map(|(memory, _)| memory.id.clone()));
        }
    }
    Ok(News { changes, same })
}

/// Compares the memories of changed files of a store with those of a revision, one by one.
fn compare<'m>(
    collection: &Collection,
    revision: &Revision,
    place: &Place<'_>,
    files: &[PathBuf],
    memories: &'m Snapshot,
) -> Result<Vec<(&'m Memory, Was)>, GitError> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let old = Old::of(revision, place, files)?;
    let of_store = || memories.iter().filter(|one| one.id.store == place.info.id);
    let there: HashSet<&str> = of_store().map(|one| file_name(&one.id.local)).collect();
    let touched: HashSet<&PathBuf> = files.iter().collect();
    let is_touched = |memory: &&Arc<Memory>| {
        let path = place.below_root(&memory.path);
        path.is_some_and(|path| touched.contains(&path))
    };
    let touched = of_store().filter(is_touched);
    let compared = touched.map(|one| (&**one, old.was(one, &there, collection)));
    Ok(compared.collect())
}

/// State of a memory at a revision.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Was {
    /// As it is now.
    Same,
    /// The same, under a name that is in use no more.
    Elsewhere,
    /// Another one, or not there.
    Otherwise,
}

/// The changed files of a store as they were.
struct Old {
    /// Memories with a digest of their texts, by the file name in LOCAL.
    memories: HashMap<String, Vec<(Arc<Memory>, u64)>>,
}

impl Old {
    fn of(revision: &Revision, place: &Place<'_>, files: &[PathBuf]) -> Result<Self, GitError> {
        let past = Past::new(revision, place, files)?;
        let mut memories: HashMap<String, Vec<(Arc<Memory>, u64)>> = HashMap::new();
        for side in past.sides().read {
            let name = file_name(&side.memory.id.local).to_owned();
            let known = memories.entry(name).or_default();
            known.push((side.memory, digest(&side.text)));
        }
        Ok(Self { memories })
    }

    /// State of a memory; `there` are the names in use.
    fn was(&self, memory: &Memory, there: &HashSet<&str>, texts: &dyn Texts) -> Was {
        let like = |old: &&(Arc<Memory>, u64)| {
            old.0.fields == memory.fields
                && old.0.title == memory.title
                && old.0.state == memory.state
                && old.0.hidden == memory.hidden
        };
        let named = self.memories.get(file_name(&memory.id.local));
        let moved = self.memories.iter();
        let moved = moved.filter(|(name, _)| named.is_none() && !there.contains(name.as_str()));
        let known = named.into_iter().chain(moved.map(|(_, all)| all));
        let mut like = known.flatten().filter(like).peekable();
        // Most are told apart without their texts, which are read one by one.
        let same = like.peek().is_some() && {
            let now = digest(&texts.text(memory).unwrap_or_default());
            like.any(|(_, then)| *then == now)
        };
        match (same, named) {
            (false, _) => Was::Otherwise,
            (true, Some(_)) => Was::Same,
            (true, None) => Was::Elsewhere,
        }
    }
}

/// A digest of a text with the line ends that git keeps.
fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.replace("\r\n", "\n").hash(&mut hasher);
    hasher.finish()
}

/// LOCAL without the number of a later memory of the same file.
fn file_name(local: &str) -> &str {
    match local.rsplit_once('#') {
        Some((name, number)) if number.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => local,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::git::tests::git;
    use crate::store::discover::Search;
    use std::fs;

    const FILE: &str = "# Memories\n\n## Patterns\n\n### mem-1-0001\n> one\n<!-- tags: a | created: 2026-01-01 -->\n\n### mem-1-0002\n> two\n<!-- tags: a | created: 2026-01-01 -->\n";

    #[test]
    fn of_a_changed_file_the_memories_beside_the_changed_one_are_told() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let file = root.join(".ralph/agent/memories.md");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, FILE).unwrap();
        git(&root, &["init", "-q", "-b", "main"]);
        let search = Search {
            root: Some(root.clone()),
            start: root.clone(),
            only: vec!["ralph".to_owned()],
            ..Search::default()
        };
        let collection = Collection::open(&search, &root.join("state")).unwrap();
        let same = || {
            let memories = Arc::new(collection.load(&[], &mut |_| true).memories);
            let revision = Revision::find(&root, "HEAD").unwrap();
            let same = news(&collection, &revision, &memories).unwrap().same;
            let same: Vec<String> = same.iter().map(|id| id.local.to_string()).collect();
            same
        };
        // Nothing was committed: everything is new.
        assert_eq!(same(), Vec::<String>::new());
        git(&root, &["add", "-A", ".ralph"]);
        git(&root, &["commit", "-qm", "first"]);
        let (one, two) = ("mem-1-0001".to_owned(), "mem-1-0002".to_owned());
        for (text, expected) in [
            (FILE.to_owned(), Vec::new()),
            (FILE.replace("> two", "> 2"), vec![one.clone()]),
            (FILE.replacen("tags: a", "tags: b", 1), vec![two.clone()]),
            (FILE.replacen("### mem-1-0001\n> one\n", "### mem-1-0003\n> new\n<!-- tags: | created: 2026-01-01 -->\n\n### mem-1-0001\n> one\n", 1), vec![one.clone(), two.clone()]),
            (FILE.split("\n### mem-1-0002").next().unwrap().to_owned(), vec![one.clone()]),
        ] {
            fs::write(&file, &text).unwrap();
            assert_eq!(same(), expected, "{text}");
        }
    }
}
