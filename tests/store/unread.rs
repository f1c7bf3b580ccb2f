//! What cannot be read is neither gone nor empty: a review stages, rejects and reports nothing of it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use memkeep::curate::Change;
use memkeep::curate::differences::Kind;
use memkeep::memory::{Memory, MemoryId};
use memkeep::project::staging;
use memkeep::retrieval::Texts as _;
use memkeep::store::StoreError;
use memkeep::store::collection::Collection;
use memkeep::store::disk::{Call, Disk};
use memkeep::store::queue::Review;

use crate::place::{NOW, PLAIN, Place, load};

const RALPH: &str = ".ralph/agent/memories.md";
const ENTRIES: &str = "# Memories\n\n## Patterns\n\n### mem-1769000000-0001\n> Retry the upload twice.\n<!-- tags: net | created: 2026-01-20 -->\n\n### mem-1769000000-0002\n> Ask before a release.\n<!-- tags: release | created: 2026-01-20 -->\n";
const ROWS: &str = "memory/items/semantic.jsonl";
const ROW: &str = "{\"id\":\"x\",\"layer\":\"SEMANTIC\",\"type\":\"PREFERENCE\",\"title\":\"X\",\"content\":\"Tabs.\"}\n";
const NOTE: &str = ".rawko/memories/a.md";

fn git(place: &Place, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.arg("-C").arg(place.root());
    command.args(["-c", "user.name=a", "-c", "user.email=a@b"]);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null");
    let done = command.args(arguments).output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap()
}

/// Three stores, reviewed once: in a repository their files are committed.
fn reviewed(in_git: bool) -> Place {
    let place = Place::new(&[("a.md", PLAIN)]);
    for (name, text) in [(RALPH, ENTRIES), (ROWS, ROW)] {
        let path = place.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    if in_git {
        git(&place, &["init", "-q", "-b", "main"]);
        git(&place, &["add", "-A"]);
        git(&place, &["commit", "-q", "-m", "first"]);
    }
    let collection = place.open();
    Review::open(&collection, "HEAD", &Arc::new(load(&collection))).unwrap();
    place
}

fn replace(place: &Place, name: &str, from: &str, to: &str) {
    let path = place.root().join(name);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{name}");
    fs::write(path, text.replace(from, to)).unwrap();
}

/// A memory of each file is changed.
fn change(place: &Place) {
    replace(place, NOTE, "Text.", "Another text.");
    replace(place, RALPH, "twice", "three times");
    replace(place, ROWS, "Tabs.", "Spaces.");
}

/// Stores on a disk on which one kind of call fails for one file.
fn failing(place: &Place, kind: Call, file: &Path) -> Collection {
    let mut collection = place.open();
    let file = file.to_owned();
    collection.journals.disk = Disk::failing(Arc::new(move |call, path: &Path| {
        match call == kind && path == file {
            true => Err(io::Error::from_raw_os_error(5)),
            false => Ok(()),
        }
    }));
    collection
}

fn accept(id: &MemoryId) -> Change {
    Change::Accept {
        ids: vec![id.clone()],
        sure: true,
    }
}

/// Nothing of a file is listed, the person is told, and its memories can be neither kept nor
/// rejected; of the others one can.
fn is_left_out(
    collection: &Collection,
    memories: Vec<Arc<Memory>>,
    (file, ids): (&Path, &[MemoryId]),
) {
    let review = Review::open(collection, "HEAD", &Arc::new(memories)).unwrap();
    let listed: Vec<&MemoryId> = review.entries.iter().map(|entry| &entry.id).collect();
    assert!(ids.iter().all(|id| !listed.contains(&id)), "{listed:?}");
    assert!(
        review
            .entries
            .iter()
            .all(|entry| entry.kind != Kind::Deleted),
        "{listed:?}"
    );
    assert_eq!(review.entries.len(), 2, "{listed:?}");
    let told = review.notes.join("\n");
    assert!(told.contains(&*file.to_string_lossy()), "{told}");
    for id in ids {
        for change in [accept(id), Change::Reject(vec![id.clone()], None)] {
            let error = review.plan(&change, NOW).unwrap_err().to_string();
            assert!(error.contains("cannot be read"), "{error}");
        }
    }
    assert!(review.plan(&accept(listed[0]), NOW).is_ok());
}

/// The files that are changed, with the ids of what stands in each.
fn files(place: &Place) -> BTreeMap<PathBuf, Vec<MemoryId>> {
    let mut all = BTreeMap::<PathBuf, Vec<MemoryId>>::new();
    for memory in load(&place.open()) {
        let ids = all.entry(memory.path.to_path_buf()).or_default();
        ids.push(memory.id.clone());
    }
    assert_eq!(all.len(), 3, "{all:?}");
    all
}

#[test]
fn a_file_that_cannot_be_read_is_not_reviewed() {
    for in_git in [true, false] {
        for kind in [Call::Look, Call::Read] {
            let place = reviewed(in_git);
            change(&place);
            for (file, ids) in files(&place) {
                let collection = failing(&place, kind, &file);
                is_left_out(&collection, load(&collection), (&file, &ids));
            }
        }
    }
}

#[test]
fn a_file_that_its_store_did_not_load_is_not_reviewed() {
    for in_git in [true, false] {
        let place = reviewed(in_git);
        change(&place);
        for (file, ids) in files(&place) {
            let collection = place.open();
            let mut memories = load(&collection);
            memories.retain(|memory| *memory.path != *file);
            is_left_out(&collection, memories, (&file, &ids));
        }
    }
}

#[test]
fn a_file_that_is_gone_is_deleted() {
    for in_git in [true, false] {
        let place = reviewed(in_git);
        fs::remove_file(place.root().join(NOTE)).unwrap();
        let collection = place.open();
        let review = Review::open(&collection, "HEAD", &Arc::new(load(&collection))).unwrap();
        assert!(review.notes.is_empty(), "{:?}", review.notes);
        let kinds: Vec<Kind> = review.entries.iter().map(|entry| entry.kind).collect();
        assert_eq!(kinds, [Kind::Deleted]);
    }
}

/// The copy of a store that the last review left is the other version: what cannot be read of it
/// makes nothing new.
#[test]
fn a_copy_that_cannot_be_read_makes_no_memory_new() {
    let place = reviewed(false);
    change(&place);
    let mut copies = vec![place.state()];
    let mut at = 0;
    while let Some(path) = copies.get(at).cloned() {
        at += 1;
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        copies.extend(entries.map(|entry| entry.path()));
    }
    copies.retain(|path| path.ends_with("kept.jsonl"));
    assert_eq!(copies.len(), 3);
    for path in copies {
        let collection = failing(&place, Call::Read, &path);
        assert!(Review::open(&collection, "HEAD", &Arc::new(load(&collection))).is_err());
    }
}

#[test]
fn a_text_that_could_not_be_read_is_remembered() {
    let place = reviewed(false);
    let file = place.root().join(NOTE);
    let collection = failing(&place, Call::Read, &file);
    let memories = load(&collection);
    for memory in &memories {
        let is_it = *memory.path == *file;
        assert_eq!(collection.text(memory).is_none(), is_it, "{}", memory.id);
        assert_eq!(
            collection.why_unread(memory).is_some(),
            is_it,
            "{}",
            memory.id
        );
    }
}

/// An index that cannot be read is not one without entries: nothing is taken out beside it.
#[test]
fn a_topic_is_not_taken_out_while_its_index_is_unread() {
    let place = Place::new(&[("a.md", PLAIN)]);
    let folder = place.root().join(".claude/memory");
    fs::create_dir_all(&folder).unwrap();
    let index = folder.join("MEMORY.md");
    fs::write(&index, "- [One](one.md) — first\n").unwrap();
    fs::write(folder.join("one.md"), PLAIN).unwrap();
    let one = vec![MemoryId::new(&"claude".into(), "one")];
    for change in [
        memkeep::curate::Change::Delete {
            ids: one.clone(),
            sure: true,
        },
        memkeep::curate::Change::Archive(one),
    ] {
        let collection = failing(&place, Call::Read, &index);
        let memories = load(&place.open());
        let error = collection.change(&change, &memories, NOW).unwrap_err();
        assert!(error.to_string().contains("MEMORY.md"), "{error}");
        assert!(folder.join("one.md").exists());
        place.open().plan(&change, &memories, NOW).unwrap();
    }
}

/// What another program staged while a decision was planned is not lost: the plan is made anew.
#[test]
fn what_is_staged_meanwhile_is_not_lost() {
    let place = reviewed(true);
    replace(&place, RALPH, "twice", "three times");
    replace(&place, RALPH, "Ask before", "Ask twice before");
    let collection = place.open();
    let review = Review::open(&collection, "HEAD", &Arc::new(load(&collection))).unwrap();
    let id = |number: &str| MemoryId::new(&"ralph".into(), format!("mem-1769000000-{number}"));
    let outdated = review.plan(&accept(&id("0001")), NOW).unwrap();
    let other = place.open();
    let kept = other.change(&accept(&id("0002")), &load(&other), NOW);
    kept.unwrap();
    let refused = collection.carry_out(outdated, "accept", Vec::new(), NOW);
    assert!(matches!(refused, Err(StoreError::Changed(_))));
    review.decide(&accept(&id("0001")), NOW).unwrap();
    let staged = git(&place, &["show", &format!(":{RALPH}")]);
    assert_eq!(
        staged,
        fs::read_to_string(place.root().join(RALPH)).unwrap()
    );
}

#[test]
fn the_index_is_written_only_if_it_is_as_it_was() {
    let place = reviewed(true);
    let (root, file) = (place.root(), Path::new(RALPH));
    let before = staging::staged(&root, file).unwrap();
    let id = staging::store_blob(&root, b"new\n").unwrap();
    let new = before
        .clone()
        .map(|staged| memkeep::curate::Staged { id, ..staged });
    let stage = |from, to| staging::stage(&root, file, from, to).unwrap();
    assert!(!stage(new.as_ref(), None));
    assert_eq!(staging::staged(&root, file).unwrap(), before);
    assert!(stage(before.as_ref(), new.as_ref()));
    assert!(!stage(before.as_ref(), None));
    assert!(stage(new.as_ref(), None));
    assert_eq!(staging::staged(&root, file).unwrap(), None);
    assert!(stage(None, before.as_ref()));
    assert!(!root.join(".git/index.lock").exists());
    // Another program that holds the index is waited for, and not for ever.
    fs::write(root.join(".git/index.lock"), "").unwrap();
    let error = staging::stage(&root, file, before.as_ref(), None).unwrap_err();
    assert!(staging::is_locked(&error), "{error}");
    // The same of a folder that may not be written to would be another error.
    let why = "Unable to create '/p/.git/index.lock': Permission denied".to_owned();
    assert!(!staging::is_locked(
        &memkeep::project::git::GitError::Refused(why)
    ));
}
