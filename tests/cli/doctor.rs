//! `memkeep doctor`: finds what crashes and other programs leave, and mends it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::place::Place;
use crate::repository::git;

/// Every file below a folder, with its bytes.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => all.push((path.clone(), fs::read(&path).unwrap())),
        }
    }
    all.sort();
    all
}

/// The one file with a name below a folder.
fn find(folder: &Path, name: &str) -> PathBuf {
    let all = files(folder).into_iter().map(|(path, _)| path);
    let mut named = all.filter(|path| path.ends_with(name));
    named.next().unwrap_or_else(|| panic!("no {name}"))
}

/// A project with a journal, in a repository in which its memories are staged.
fn place() -> Place {
    let place = Place::sample();
    for words in [&["init", "-q"][..], &["add", "."]] {
        assert!(git(&place.root()).args(words).status().unwrap().success());
    }
    place.ok(&["edit", "auth-flow", "--set", "importance=low"]);
    place.ok(&["undo"]);
    place
}

fn faults(place: &Place) -> Vec<(String, String, bool)> {
    let json = place.run(&["doctor", "--format", "json"]).json();
    let all = json
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["status"] == "fault");
    let text = |one: &serde_json::Value, name: &str| one[name].as_str().unwrap().to_owned();
    all.map(|one| {
        (
            text(one, "area"),
            text(one, "message"),
            one["repairable"] == true,
        )
    })
    .collect()
}

fn state(place: &Place) -> PathBuf {
    find(&place.home(), "journal.jsonl")
        .parent()
        .unwrap()
        .to_owned()
}

fn tear(place: &Place) {
    let path = state(place).join("journal.jsonl");
    let mut text = fs::read(&path).unwrap();
    text.extend(b"{\"event\":\"plan\",\"seq\":9,\"ti");
    fs::write(path, text).unwrap();
}

/// The journal as a crash leaves it that comes before the end of a step.
fn interrupt(place: &Place) {
    place.ok(&["edit", "auth-flow", "--set", "importance=low"]);
    let path = state(place).join("journal.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let cut = text.trim_end().rfind('\n').unwrap();
    fs::write(path, &text[..=cut]).unwrap();
}

fn leave_temporary(place: &Place) {
    place.write(".memkeep-00ff-0.tmp", "half of a tex");
}

fn leave_draft(place: &Place) {
    let drafts = state(place).join("drafts");
    fs::create_dir_all(&drafts).unwrap();
    let draft = r#"{"id":"serena:gone","base":"a","text":"b"}"#;
    fs::write(drafts.join("1-0.json"), draft).unwrap();
}

fn leave_lock(place: &Place) {
    let drafts = state(place).join("drafts");
    fs::create_dir_all(&drafts).unwrap();
    fs::write(drafts.join("7-0.lock"), "").unwrap();
}

fn leave_gits_lock(place: &Place) {
    let lock = File::create(place.root().join(".git/index.lock")).unwrap();
    lock.set_modified(SystemTime::now() - Duration::from_secs(3600))
        .unwrap();
}

fn blob(place: &Place) -> PathBuf {
    let names = ["ls-files", "--stage", "--", ".rawko/memories/auth-flow.md"];
    let out = git(&place.root()).args(names).output().unwrap().stdout;
    let id = String::from_utf8(out)
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .to_owned();
    place
        .root()
        .join(format!(".git/objects/{}/{}", &id[..2], &id[2..]))
}

fn lose_blob(place: &Place) {
    fs::remove_file(blob(place)).unwrap();
}

#[test]
fn a_sound_project_has_no_faults_and_nothing_is_written() {
    let place = place();
    let before = (files(&place.root()), files(&place.home()));
    let ran = place.run(&["doctor"]);
    assert_eq!(ran.code, 0, "{}", ran.text());
    assert!(ran.text().ends_with("no faults\n"), "{}", ran.text());
    assert_eq!(Place::bare().run(&["doctor"]).code, 0);
    assert!((files(&place.root()), files(&place.home())) == before);
}

#[test]
fn each_fault_is_found_without_writing_and_mended() {
    type Plant = fn(&Place);
    let planted: [(&str, &str, Plant); 7] = [
        ("journal", "cannot be read", tear),
        ("journal", "interrupted", interrupt),
        ("files", "no change waits for", leave_temporary),
        ("drafts", "the store is not here", leave_draft),
        ("drafts", "lock of a draft", leave_lock),
        ("staging", "a git left behind", leave_gits_lock),
        ("staging", "missing in the repository", lose_blob),
    ];
    for (area, what, plant) in planted {
        let place = place();
        plant(&place);
        let before = (files(&place.root()), files(&place.home()));
        let found = faults(&place);
        let is_it = |one: &(String, String, bool)| one.0 == area && one.1.contains(what) && one.2;
        assert!(
            found.len() == 1 && found.iter().all(is_it),
            "{what}: {found:?}"
        );
        let ran = place.run(&["doctor"]);
        assert_eq!(ran.code, 1, "{}", ran.text());
        // Nobody is there to be asked.
        let asked = place.run(&["doctor", "--repair"]);
        assert_eq!(asked.code, 2, "{}", asked.err);
        assert_eq!(
            place
                .run(&["doctor", "--repair", "--yes", "--read-only"])
                .code,
            2
        );
        assert!(
            (files(&place.root()), files(&place.home())) == before,
            "{what}"
        );
        let mended = place.run(&["doctor", "--repair", "--yes"]);
        assert_eq!(mended.code, 0, "{what}: {}{}", mended.text(), mended.err);
        assert!(mended.err.contains("repair: "), "{}", mended.err);
        assert_eq!(faults(&place), [], "{what}");
    }
}

#[test]
fn a_repair_can_be_undone() {
    let place = place();
    leave_temporary(&place);
    place.ok(&["doctor", "--repair", "--yes"]);
    assert!(!place.file(".memkeep-00ff-0.tmp").exists());
    place.ok(&["undo"]);
    assert_eq!(place.read(".memkeep-00ff-0.tmp"), b"half of a tex");
    // What is left of a journal's torn lines stays beside it.
    tear(&place);
    let torn = fs::read(state(&place).join("journal.jsonl")).unwrap();
    place.run(&["doctor", "--repair", "--yes"]);
    assert_eq!(fs::read(find(&place.home(), "journal.torn")).unwrap(), torn);
}

#[test]
fn a_fault_that_cannot_be_mended_says_so() {
    let place = place();
    lose_blob(&place);
    place.write(
        "auth-flow.md",
        "---\ntitle: Other\nwhenToUse: x\n---\n\nOther.\n",
    );
    let found = faults(&place);
    assert!(
        found
            .iter()
            .any(|(area, what, mends)| area == "staging" && what.contains("is lost") && !mends),
        "{found:?}"
    );
    let ran = place.run(&["doctor", "--repair", "--yes"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.text().contains("memkeep cannot mend this"),
        "{}",
        ran.text()
    );
}
