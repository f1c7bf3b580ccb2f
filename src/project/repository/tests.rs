use std::fs;
use std::process::Command;

use super::*;
use crate::lint::repository::{Match, Meaning};

fn git(folder: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args([
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=a@b",
            "-c",
            "protocol.file.allow=always",
        ])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_AUTHOR_DATE", "1700000000 +0000")
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
}

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
    git(
        root,
        &[
            "rm",
            "-q",
            "src/back.rs",
            "src/deleted.rs",
            "src/näme.rs",
            ".env",
        ],
    );
    write(root, ".gitignore", ".env\n");
    fs::create_dir(root.join("lib")).unwrap();
    git(root, &["mv", "src/exact.rs", "lib/exact.rs"]);
    git(root, &["mv", "src/edited.rs", "lib/other.rs"]);
    write(
        root,
        "lib/other.rs",
        &(long("edited.rs") + "one line more\n"),
    );
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
    assert_eq!(history.partial, None);
    assert_eq!(history.meaning("src/back.rs"), Meaning::Present);
    for path in [
        "src/deleted.rs",
        "src/näme.rs",
        "src/exact.rs",
        "src/edited.rs",
    ] {
        let at = history.gone.get(path).unwrap();
        let commit = history.commit(at).unwrap();
        let said = (&*commit.author, &*commit.subject, commit.time);
        assert_eq!(said, ("Ada", "Move things", 1_700_000_000), "{path}");
        let to = (path == "src/exact.rs").then_some("lib/exact.rs");
        assert_eq!(history.to(at), to);
    }
    let commit = history
        .commit(history.gone.get("src/edited.rs").unwrap())
        .unwrap();
    let renames = facts.renames(&[&commit.id]);
    let edited = Rename {
        from: "src/edited.rs".to_owned(),
        to: "lib/other.rs".to_owned(),
    };
    assert!(renames.contains(&edited), "{renames:?}");
    assert_eq!(facts.untracked(&[".env", "src/deleted.rs"]), [true, false]);
    // A broken commit among those asked for takes nothing from the others.
    assert!(
        facts
            .renames(&[&commit.id, &"0".repeat(40)])
            .contains(&edited)
    );
}

#[test]
fn the_log_is_read_once_for_each_head() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    let logs = Logs::default();
    let kept = |logs: &Logs| Arc::as_ptr(&logs.kept.lock().unwrap().as_ref().unwrap().2);
    assert!(logs.facts(dir.path()).history().is_ok());
    let first = kept(&logs);
    // An uncommitted file counts at once.
    write(dir.path(), "src/deleted.rs", "again");
    let facts = logs.facts(dir.path());
    assert_eq!(facts.history().unwrap().gone.get("src/deleted.rs"), None);
    assert_eq!(kept(&logs), first);
    commit(dir.path(), "again");
    git(dir.path(), &["rm", "-q", "lib/exact.rs"]);
    commit(dir.path(), "gone");
    let facts = logs.facts(dir.path());
    assert!(facts.history().unwrap().gone.get("lib/exact.rs").is_some());
}

#[test]
fn what_cannot_be_read_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let logs = Logs::default();
    let why = |folder: &Path| logs.facts(folder).history().err().unwrap_or("").to_owned();
    assert_eq!(why(root), "this is not a git repository");
    let (bare, empty, full, shallow) = (
        root.join("bare"),
        root.join("empty"),
        root.join("full"),
        root.join("shallow"),
    );
    for folder in [&bare, &empty, &full] {
        fs::create_dir(folder).unwrap();
    }
    git(&bare, &["init", "-q", "--bare"]);
    assert_eq!(why(&bare), "the repository is bare");
    git(&empty, &["init", "-q"]);
    assert_eq!(why(&empty), "the repository has no commits");
    repository(&full);
    let from = format!("file://{}", full.display());
    git(root, &["clone", "-q", "--depth=1", &from, "shallow"]);
    let facts = logs.facts(&shallow);
    let history = facts.history().unwrap();
    assert_eq!(history.partial.as_deref(), Some("the clone is shallow"));
    assert_eq!(history.meaning("src/deleted.rs"), Meaning::Unknown);
    // A tree that cannot be read ends the log, and what was read before it counts.
    let out = run(&full, &["rev-parse", "HEAD~2^{tree}"], &[]).unwrap();
    let tree = text(&out).trim().to_owned();
    let (head, rest) = tree.split_at(2);
    fs::remove_file(full.join(".git/objects").join(head).join(rest)).unwrap();
    let facts = logs.facts(&full);
    let partial = facts.history().unwrap().partial.clone().unwrap_or_default();
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
    assert!(matches!(
        history.meaning("lib"),
        Meaning::Folder(_, Match::Whole)
    ));
    assert_eq!(history.meaning("deep/in/two.rs"), Meaning::Present);
    let older = history.gone.get("src/deleted.rs").unwrap();
    assert!(!history.is_uncommitted(older));
    // A folder without a file in it is what was left behind.
    fs::create_dir_all(root.join("lib/empty")).unwrap();
    assert_eq!(
        facts.untracked(&["lib", "deep", "src"]),
        [false, true, true]
    );
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
    assert_eq!(
        facts.history().unwrap().meaning("src/back.rs"),
        Meaning::Present
    );
    let from = root.display().to_string();
    git(dir.path(), &["clone", "-q", "--no-checkout", &from, "none"]);
    let logs = Logs::default();
    let facts = logs.facts(&dir.path().join("none"));
    assert_eq!(facts.history().unwrap().gone.get("lib/exact.rs"), None);
}

#[test]
fn the_last_commits_are_kept_until_the_next_commit() {
    let (dir, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    repository(dir.path());
    let subjects = || -> Vec<String> {
        let logs = Logs::kept_in(Some(kept.path().to_owned()));
        let facts = logs.facts(dir.path());
        let commits = facts.history().unwrap().recent();
        commits
            .map(|(commit, _)| commit.subject.to_string())
            .collect()
    };
    let first = subjects();
    assert_eq!(first, ["Bring it back", "Move things", "first"]);
    let file = Logs::kept_in(Some(kept.path().to_owned())).file(dir.path(), "log");
    assert!(file.unwrap().is_file());
    assert_eq!(subjects(), first);
    std::fs::write(dir.path().join("new.txt"), "x").unwrap();
    git(dir.path(), &["add", "new.txt"]);
    git(dir.path(), &["commit", "-q", "-m", "One more"]);
    assert_eq!(subjects().len(), 4);
}
