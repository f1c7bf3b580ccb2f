use std::collections::BTreeSet;
use std::time::{Duration, UNIX_EPOCH};

use super::*;
use crate::project::git::tests::git;

fn paths(names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(PathBuf::from).collect()
}

fn repository(format: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let format = format!("--object-format={format}");
    git(&root, &["init", "-q", "-b", "main", &format]);
    (dir, root)
}

/// The files that differ from the last commit.
fn head(root: &Path) -> Changes {
    Revision::find(root, "HEAD").unwrap().changes(&[]).unwrap()
}

fn commit(root: &Path) {
    git(root, &["-c", "core.autocrlf=false", "add", "-A"]);
    git(root, &["commit", "-qm", "first"]);
}

#[test]
fn files_that_are_new_changed_or_gone_are_found() {
    for format in ["sha1", "sha256"] {
        let (_dir, root) = repository(format);
        let store = root.join("me mories");
        fs::create_dir(&store).unwrap();
        let names = "same.md edited.md gone.md old_name.md folder.md kept.tmp";
        for name in names.split(' ') {
            fs::write(store.join(name), format!("text of {name}, long enough\n")).unwrap();
        }
        commit(&root);
        fs::write(root.join(".gitignore"), "*.tmp\n").unwrap();
        fs::write(store.join("edited.md"), "other").unwrap();
        fs::remove_file(store.join("gone.md")).unwrap();
        fs::remove_file(store.join("folder.md")).unwrap();
        fs::create_dir(store.join("folder.md")).unwrap();
        let [old, new] = ["me mories/old_name.md", "me mories/näw\nname.md"];
        git(&root, &["mv", old, new]);
        fs::write(store.join("new *.md"), "x").unwrap();
        fs::write(store.join("new.tmp"), "x").unwrap();
        fs::write(store.join("kept.tmp"), "x").unwrap();
        let head = Revision::find(&root, "HEAD").unwrap();
        let changed = |folders: &[&str]| head.changes(&paths(folders)).unwrap();
        let names = "edited.md|folder.md|gone.md|kept.tmp|new *.md|näw\nname.md|old_name.md";
        let expected = names
            .split('|')
            .map(|name| Path::new("me mories").join(name));
        let expected: Vec<PathBuf> = expected.collect();
        assert_eq!(changed(&["me mories", "not/there"]).files, expected);
        let all = changed(&[]).files;
        assert_eq!(all, [paths(&[".gitignore"]), expected].concat());
        let unborn = Revision {
            commit: None,
            ..head
        };
        let before = unborn.changes(&paths(&["me mories"])).unwrap().files;
        let names = "edited.md|kept.tmp|new *.md|näw\nname.md|same.md".split('|');
        let expected: Vec<PathBuf> = names
            .map(|name| Path::new("me mories").join(name))
            .collect();
        assert_eq!(before, expected);
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_compared_by_its_target_and_never_followed() {
    use std::os::unix::fs::symlink;
    let (_dir, root) = repository("sha1");
    for name in ["same", "other", "file"] {
        symlink("target", root.join(name)).unwrap();
    }
    fs::write(root.join("link"), "target").unwrap();
    commit(&root);
    for name in ["other", "file", "link"] {
        fs::remove_file(root.join(name)).unwrap();
    }
    symlink("elsewhere", root.join("other")).unwrap();
    symlink("target", root.join("link")).unwrap();
    fs::write(root.join("file"), "another").unwrap();
    let files = head(&root).files;
    assert_eq!(files, paths(&["file", "link", "other"]));
}

/// Git itself is the measure: attributes, kept contents, working contents and settings in every
/// combination.
#[test]
fn line_ends_count_as_they_do_for_git() {
    const ATTRIBUTES: &str = "|text|-text|text=auto|eol=lf|eol=crlf|text=auto eol=lf|\
        text=auto eol=crlf|crlf|-crlf|crlf=input|binary|-text eol=lf|!text crlf=auto|text=odd";
    const CONTENTS: &[&[u8]] = &[
        b"one\ntwo\n",
        b"one\r\ntwo\r\n",
        b"one\r\ntwo\n",
        b"one\r\ntwo\0\r\n",
        b"one\ntwo\0\n",
        b"one\rtwo\r\n",
        b"one\rtwo\n",
        b"one\r\ntwo\r\n\x1a",
        b"\x01\r\n",
        b"other\r\n",
    ];
    let (_dir, root) = repository("sha1");
    let name = |attribute, kept, now| format!("{attribute}-{kept}-{now}");
    let mut attributes = String::new();
    let mut changed = Vec::new();
    for (a, attribute) in ATTRIBUTES.split('|').enumerate() {
        attributes += &format!("{a}-* {attribute}\n");
        for (kept, old) in CONTENTS.iter().enumerate() {
            for (now, new) in CONTENTS.iter().enumerate() {
                let path = root.join(name(a, kept, now));
                fs::write(&path, old).unwrap();
                // A file as old as the index would be compared by its content.
                let file = File::options().append(true).open(&path).unwrap();
                file.set_modified(UNIX_EPOCH + Duration::from_secs(1_600_000_000))
                    .unwrap();
                if now != kept {
                    changed.push((path, new));
                }
            }
        }
    }
    commit(&root);
    fs::create_dir_all(root.join(".git/info")).unwrap();
    fs::write(root.join(".git/info/attributes"), attributes).unwrap();
    for (path, new) in changed {
        fs::write(path, new).unwrap();
    }
    for autocrlf in ["false", "true", "input"] {
        git(&root, &["config", "core.autocrlf", autocrlf]);
        // `git status` lists every file of another size, whatever its converted content.
        let said = run(&root, &["diff", "--name-only", "-z", "HEAD"], &[]).unwrap();
        let expected: BTreeSet<PathBuf> = parts(&said).map(path).collect();
        let Changes { files, unknown } = head(&root);
        let files: BTreeSet<PathBuf> = files.into_iter().collect();
        assert_eq!(unknown, paths(&[]));
        let differs: Vec<_> = files.symmetric_difference(&expected).collect();
        assert!(differs.is_empty(), "autocrlf={autocrlf}: {differs:?}");
        assert!(expected.len() > 500, "{}", expected.len());
    }
}

#[test]
fn a_file_that_needs_a_program_is_unknown_and_named() {
    let (_dir, root) = repository("sha1");
    let names = ["filter", "ident", "encoding", "plain", "same"];
    for name in names {
        fs::write(root.join(name), "before\n").unwrap();
    }
    commit(&root);
    let attributes =
        "filter filter=any\nsame filter=any\nident ident\nencoding working-tree-encoding=UTF-16\n";
    fs::write(root.join(".git/info/attributes"), attributes).unwrap();
    for name in &names[..4] {
        fs::write(root.join(name), "after\n").unwrap();
    }
    let changes = head(&root);
    assert_eq!(changes.files, paths(&["plain"]));
    assert_eq!(changes.unknown, paths(&["encoding", "filter", "ident"]));
    let note = changes.unknown_note().unwrap();
    assert!(note.contains("encoding (and 2 more)"), "{note}");
    assert_eq!(Changes::default().unknown_note(), None);
}
