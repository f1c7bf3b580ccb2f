use super::*;
use std::fs;

/// Runs git in a folder, without the settings of this machine.
pub fn git(folder: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
}

#[test]
fn what_to_watch_is_found_without_git_in_a_second_work_tree_too() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let none = folders(&root);
    assert!(none.iter().all(|(path, _)| !path.starts_with(&root)));
    let first = root.join("first");
    fs::create_dir_all(first.join("below")).unwrap();
    git(&first, &["init", "-q", "-b", "main"]);
    git(&first, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let own = first.join(".git");
    let wanted = |own: &Path, shared: &Path| {
        let own = (own.to_owned(), false);
        vec![own, (shared.to_owned(), false), (shared.join("refs"), true)]
    };
    assert_eq!(folders(&first.join("below")), wanted(&own, &own));
    git(&first, &["worktree", "add", "-q", "../second"]);
    let found = folders(&root.join("second"));
    let real = |path: &Path| path.canonicalize().unwrap();
    let found = found.iter().map(|(path, deep)| (real(path), *deep));
    let found: Vec<_> = found.collect();
    assert_eq!(found, wanted(&own.join("worktrees/second"), &own));
}

#[test]
fn the_head_is_shown_with_its_distance() {
    let dir = tempfile::tempdir().unwrap();
    let there = dir.path().join("there");
    let here = dir.path().join("here");
    fs::create_dir(&there).unwrap();
    git(&there, &["init", "-q", "-b", "main"]);
    assert_eq!(head(&there).as_deref(), Some("main"));
    git(&there, &["commit", "-q", "--allow-empty", "-m", "first"]);
    git(dir.path(), &["clone", "-q", "there", "here"]);
    assert_eq!(head(&here).as_deref(), Some("main"));
    git(&there, &["commit", "-q", "--allow-empty", "-m", "theirs"]);
    for message in ["one", "two"] {
        git(&here, &["commit", "-q", "--allow-empty", "-m", message]);
    }
    git(&here, &["fetch", "-q"]);
    assert_eq!(head(&here).as_deref(), Some("main ↑2 ↓1"));
    git(&here, &["checkout", "-q", "--detach"]);
    let head = head(&here).unwrap();
    assert!(head.len() == 7 && head.bytes().all(|byte| byte.is_ascii_hexdigit()));
}

#[test]
fn a_repository_is_known_by_its_git_folder_and_its_own_work_tree() {
    let dir = tempfile::tempdir().unwrap();
    let outside = dir.path().canonicalize().unwrap();
    assert!(matches!(root(&outside), Err(GitError::NoRepository)));
    let nowhere = root(Path::new("/nowhere/at/all"));
    assert!(matches!(nowhere, Err(GitError::NoRepository)));
    let clone = outside.join("clone");
    let part = clone.join("part");
    fs::create_dir_all(part.join("empty/.git")).unwrap();
    // Any clone can hold this: a folder that is a git directory.
    git(&part, &["init", "-q", "--bare", "."]);
    git(&part, &["config", "core.bare", "false"]);
    git(&part, &["config", "core.worktree", "."]);
    assert!(matches!(root(&part), Err(GitError::Bare)));
    git(&clone, &["init", "-q"]);
    assert_eq!(root(&part).unwrap(), clone);
    assert_eq!(root(&part.join("empty")).unwrap(), clone);
    git(&clone, &["config", "core.worktree", "../.."]);
    assert!(matches!(root(&part), Err(GitError::Refused(_))));
    git(&clone, &["config", "--unset", "core.worktree"]);
    git(&clone, &["config", "core.bare", "true"]);
    assert!(matches!(root(&part), Err(GitError::Bare)));
}

#[test]
fn names_are_bounded() {
    let tower = format!("Ad{}a", "\u{301}".repeat(300));
    let bounded = label(tower.as_bytes());
    assert_eq!(bounded.chars().count(), 2 + LONGEST_CHARACTER);
    let family = "👨🏽\u{200d}👩🏽\u{200d}👧🏽\u{200d}👦🏽";
    for name in ["Ada Lovelace", "Zoë Ångström", "தமிழ்", family] {
        assert_eq!(label(name.as_bytes()), name);
    }
    assert_eq!(label(&[b'a'; 5000]).len(), LONGEST_LABEL);
    assert_eq!(label(b"\xff"), "\u{fffd}");
}

#[test]
fn a_batch_is_read_by_its_sizes() {
    let out = b"aa blob 3\na\nb\nbb missing\ncc blob 0\n\ndd blob 1\n\n\n";
    let some = |text: &str| Some(text.as_bytes().to_vec());
    assert_eq!(contents(out, 4), [some("a\nb"), None, some(""), some("\n")]);
    for size in ["9", "18446744073709551615"] {
        let cut = format!("aa blob {size}\nabc\n");
        assert_eq!(contents(cut.as_bytes(), 1), [None]);
    }
    assert_eq!(contents(b"", 1), [None]);
}
