//! The memories that changed since a revision, and those of changed files that did not.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::{Result, Workspace};
use crate::app::world::News;
use crate::curate::differences::{Against, Kind, Side, is_same, pair};
use crate::memory::{Memory, MemoryId};
use crate::project::git::{self, GitError};
use crate::project::revision::{Changes, Revision};
use crate::retrieval::{Snapshot, Texts};
use crate::store::collection::Collection;
use crate::store::queue::sides::{Place, folders};

/// Finds the memories that are new or changed since a revision. A file that holds several is
/// compared memory by memory, a database row by row.
pub fn changed_since(ws: &Workspace, name: &str, memories: &Snapshot) -> Result<HashSet<MemoryId>> {
    let collection = &ws.collection;
    let revision = Revision::find(&collection.root, name)?;
    let mut places = Vec::new();
    for info in collection.infos() {
        let place = Place::new(info, &revision.root);
        if place.is_none() && ws.options.verbose {
            let id = &info.id;
            ws.tell(&format!("{id} lies outside the repository and is left out"));
        }
        places.extend(place);
    }
    let changes = revision.changes(&folders(&places))?;
    if let Some(unknown) = changes.unknown_note() {
        ws.tell(&format!("{unknown}; its memories count as changed"));
    }
    let changed = [changes.files, changes.unknown].concat();
    let mut all = HashSet::new();
    for place in &places {
        let (own, news) = (place.own(&changed), &mut News::default());
        let with = (collection, &revision);
        all.extend(compare(with, place, &own, memories, news)?);
    }
    Ok(all)
}

/// The repository around the stores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RepositoryState {
    /// `main ↑2`, in a repository.
    pub head: Option<String>,
    /// The memories that are new or changed since the last commit.
    pub news: News,
    /// The files that may have changed or not, and why that is unknown.
    pub unknown: Option<String>,
}

/// Facts of git about the stores: the branch, and the changes since the last commit.
pub fn repository_state(collection: &Collection, memories: &Snapshot) -> RepositoryState {
    let revision = Revision::find(&collection.root, "HEAD").ok();
    let news = |revision: &Revision| news(collection, revision, memories);
    let news = revision.as_ref().map(news);
    let Some((revision, Ok((news, unknown)))) = revision.zip(news) else {
        return RepositoryState::default();
    };
    RepositoryState {
        head: git::head(&revision.root),
        news,
        unknown,
    }
}

/// Changed files of a store that are compared by memory; of more all memories count as changed.
const MOST: usize = 100;

/// Compares the stores with a revision; says too of which files it is unknown if they changed.
fn news(
    collection: &Collection,
    revision: &Revision,
    memories: &Snapshot,
) -> Result<(News, Option<String>), GitError> {
    let infos = collection.infos();
    let places = infos.filter_map(|info| Place::new(info, &revision.root));
    let places: Vec<Place<'_>> = places.collect();
    // Without a store in the work tree the rest of it is nobody's.
    let changes = match places.is_empty() {
        true => Changes::default(),
        false => revision.changes(&folders(&places))?,
    };
    let files = changes.files.iter().map(|file| revision.root.join(file));
    let mut news = News {
        changed: files
            .filter(|file| file.symlink_metadata().is_ok())
            .collect(),
        ..News::default()
    };
    for place in &places {
        let own = place.own(&changes.files);
        if own.len() <= MOST {
            // A file whose old text cannot be read changed as a whole.
            let _ = compare((collection, revision), place, &own, memories, &mut news);
        }
    }
    Ok((news, changes.unknown_note()))
}

/// Gives the new and differing memories of changed files, and adds the others to the news.
fn compare(
    (collection, revision): (&Collection, &Revision),
    place: &Place<'_>,
    files: &[PathBuf],
    memories: &Snapshot,
    news: &mut News,
) -> Result<Vec<MemoryId>, GitError> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let before = place.sides_at(revision, files)?.read;
    let files: HashSet<&PathBuf> = files.iter().collect();
    let is_touched = |memory: &&Arc<Memory>| {
        let path = place.below_root(&memory.path);
        memory.id.store == place.info.id && path.is_some_and(|path| files.contains(&path))
    };
    let text = |memory: &Memory| {
        let text = collection.text(memory).unwrap_or_default();
        text.replace("\r\n", "\n")
    };
    let side = |memory: &Arc<Memory>| Side {
        memory: Arc::clone(memory),
        text: text(memory).into(),
        body: "".into(),
    };
    let after: Vec<Side> = memories.iter().filter(is_touched).map(side).collect();
    let mut same: Vec<MemoryId> = after.iter().map(|side| side.memory.id.clone()).collect();
    // One that its loader sees only now, or no more, differs too.
    let hidden = before.iter().map(|side| &side.memory);
    let hidden: HashMap<_, _> = hidden.map(|one| (&one.id, &one.hidden)).collect();
    let is_seen = |side: &&Side| {
        let was = hidden.get(&side.memory.id);
        was.is_some_and(|was| **was != side.memory.hidden)
    };
    let seen = after.iter().filter(is_seen);
    let mut differs: HashMap<_, _> = seen.map(|side| (side.memory.id.clone(), true)).collect();
    for entry in pair(before, after, &Against::Commit) {
        let (before, kind) = (entry.before.as_ref(), entry.kind);
        let Some(after) = &entry.after else {
            let gone = before.map(|was| (was.memory.id.clone(), was.memory.title.clone()));
            news.deleted.extend(gone);
            continue;
        };
        let is_moved = kind == Kind::Renamed && before.is_some_and(|was| is_same(was, after));
        differs.insert(after.memory.id.clone(), !is_moved);
        if matches!(kind, Kind::Modified | Kind::Renamed) {
            news.edited.insert(after.memory.id.clone());
        }
    }
    same.retain(|id| !differs.contains_key(id));
    differs.retain(|_, differs| *differs);
    news.same.extend(same);
    Ok(differs.into_keys().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;
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
        let told = || {
            let memories = Arc::new(collection.load(&[], &mut |_| true).memories);
            let revision = Revision::find(&root, "HEAD").unwrap();
            let (news, _) = news(&collection, &revision, &memories).unwrap();
            [news.same, news.edited].map(|ids| {
                let ids = ids.iter().map(|id| id.local.to_string());
                ids.collect::<Vec<_>>()
            })
        };
        // Nothing was committed: everything is new.
        assert_eq!(told(), [Vec::<String>::new(), Vec::new()]);
        git(&root, &["add", "-A", ".ralph"]);
        git(&root, &["commit", "-qm", "first"]);
        let (one, two) = ("mem-1-0001".to_owned(), "mem-1-0002".to_owned());
        let new = "### mem-1-0003\n> new\n<!-- tags: | created: 2026-01-01 -->\n\n### mem-1-0001\n> one\n";
        for (text, same, edited) in rows! {
            FILE.to_owned() => vec![] => vec![],
            FILE.replace("> two", "> 2") => vec![one.clone()] => vec![two.clone()],
            FILE.replacen("tags: a", "tags: b", 1) => vec![two.clone()] => vec![one.clone()],
            FILE.replacen("### mem-1-0001\n> one\n", new, 1) => vec![one.clone(), two] => vec![],
            FILE.split("\n### mem-1-0002").next().unwrap().to_owned() => vec![one] => vec![],
        } {
            fs::write(&file, &text).unwrap();
            assert_eq!(told(), [same, edited], "{text}");
        }
    }
}
