use std::fs;

use super::*;
use crate::lint::repository::{Match, Meaning};
use crate::project::git::tests::git;

fn commit(folder: &Path, message: &str) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-qm", message]);
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A repository in which files moved, changed as they moved, were deleted and came back.
fn repository(root: &Path) {
    git(root, &["init", "-q", "-b", "main"]);
    let long = |word: &str| (0..30).map(|n| format!("{word} {n}\n")).collect::<String>();
    for name in ["exact.rs", "edited.rs", "deleted.rs", "back.rs", "näme.rs"] {
        write(root, &format!("src/{name}"), &long(name));
    }
    write(root, ".env", "SECRET=1\n");
    commit(root, "first");
    let gone = ["src/back.rs", "src/deleted.rs", "src/näme.rs", ".env"];
    git(root, &[&["rm", "-q"][..], &gone].concat());
    write(root, ".gitignore", ".env\n");
    fs::create_dir(root.join("lib")).unwrap();
    git(root, &["mv", "src/exact.rs", "lib/exact.rs"]);
    git(root, &["mv", "src/edited.rs", "lib/other.rs"]);
    let edited = long("edited.rs") + "one line more\n";
    write(root, "lib/other.rs", &edited);
    commit(root, "Move things");
    write(root, "src/back.rs", "back\n");
    commit(root, "Bring it back");
}

#[test]
fn what_became_of_each_path_is_read() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    let logs = Logs::default();
    let facts = logs.facts(dir.path());
    let history = facts.history().unwrap();
    assert_eq!(history.partial(), None);
    assert_eq!(history.meaning("src/back.rs"), Meaning::Present);
    for name in ["deleted", "näme", "exact", "edited"] {
        let path = &*format!("src/{name}.rs");
        let at = history.gone.get(path).unwrap();
        let subject = &*history.commit(at).unwrap().subject;
        assert_eq!(subject, "Move things", "{path}");
        let to = (path == "src/exact.rs").then_some("lib/exact.rs");
        assert_eq!(history.to(at), to);
    }
    let edited = history.gone.get("src/edited.rs").unwrap();
    let commit = history.commit(edited).unwrap();
    let renames = facts.renames(&[&commit.id]);
    let edited = ("src/edited.rs".to_owned(), "lib/other.rs".to_owned());
    assert!(renames.contains(&edited), "{renames:?}");
    assert_eq!(facts.untracked(&[".env", "src/deleted.rs"]), [true, false]);
    // A broken commit among those asked for takes nothing from the others.
    let renames = facts.renames(&[&commit.id, &"0".repeat(40)]);
    assert!(renames.contains(&edited));
}

#[test]
fn a_tree_that_cannot_be_read_ends_the_log() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    let out = run(dir.path(), &["rev-parse", "HEAD~2^{tree}"], &[]).unwrap();
    let tree = text(&out).trim().to_owned();
    let (head, rest) = tree.split_at(2);
    fs::remove_file(dir.path().join(".git/objects").join(head).join(rest)).unwrap();
    let logs = Logs::default();
    let facts = logs.facts(dir.path());
    let partial = facts.history().unwrap().partial().unwrap_or_default();
    assert!(partial.starts_with("git stopped: "), "{partial}");
}

#[test]
fn what_is_not_committed_yet_is_gone_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    repository(root);
    write(root, "deep/in/one.rs", "one\n");
    write(root, "deep/in/two.rs", "two\n");
    commit(root, "more");
    let logs = Logs::default();
    fs::remove_file(root.join("src/back.rs")).unwrap();
    git(root, &["rm", "-q", "lib/exact.rs"]);
    git(root, &["mv", "lib/other.rs", "src/new.rs"]);
    git(root, &["rm", "-q", "--cached", "deep/in/two.rs"]);
    let facts = logs.facts(root);
    let history = facts.history().unwrap();
    for (path, to) in [
        ("src/back.rs", None),
        ("lib/exact.rs", None),
        ("lib/other.rs", Some("src/new.rs")),
    ] {
        let at = history.gone.get(path).unwrap();
        assert!(history.is_uncommitted(at), "{path}");
        assert_eq!((history.to(at), history.commit(at)), (to, None), "{path}");
    }
    let lib = history.meaning("lib");
    assert!(matches!(lib, Meaning::Folder(_, Match::Whole)));
    assert_eq!(history.meaning("deep/in/two.rs"), Meaning::Present);
    let older = history.gone.get("src/deleted.rs").unwrap();
    assert!(!history.is_uncommitted(older));
    // A folder without a file in it is what was left behind.
    fs::create_dir_all(root.join("lib/empty")).unwrap();
    let untracked = facts.untracked(&["lib", "deep", "src"]);
    assert_eq!(untracked, [false, true, true]);
}

#[test]
fn what_is_not_checked_out_is_not_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("full");
    fs::create_dir(&root).unwrap();
    repository(&root);
    git(&root, &["sparse-checkout", "set", "--no-cone", "lib/"]);
    assert!(!root.join("src/back.rs").exists());
    let logs = Logs::default();
    let facts = logs.facts(&root);
    let back = facts.history().unwrap().meaning("src/back.rs");
    assert_eq!(back, Meaning::Present);
    let from = root.display().to_string();
    git(dir.path(), &["clone", "-q", "--no-checkout", &from, "none"]);
    let logs = Logs::default();
    let facts = logs.facts(&dir.path().join("none"));
    assert_eq!(facts.history().unwrap().gone.get("lib/exact.rs"), None);
}

#[test]
fn lines_that_only_moved_are_no_change() {
    let count = |old, new| {
        let Rewritten { changed, lines } = compare(old, new);
        (changed, lines)
    };
    assert_eq!(count("a\nb\n", "b\n\n  a"), (0, 4));
    assert_eq!(count("a\nb\n", "a\nc\nd\n"), (3, 5));
    assert_eq!(count("a\na\n", "a\n"), (1, 3));
    assert_eq!(count("", ""), (0, 0));
}
