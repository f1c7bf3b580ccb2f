//! `memkeep convert`: shown, made, moved and taken back.

use std::fs;

use crate::place::Place;

#[test]
fn a_conversion_is_shown_made_and_taken_back() {
    let place = Place::sample();
    let files = || {
        let mut all = place.snapshot();
        all.retain(|(path, _)| path.is_file());
        all
    };
    let ids = place.ok(&["list", "--format", "quiet"]);
    let id = ids.lines().next().unwrap();
    let before = files();
    let args = ["convert", id, "--to", "cursor"];
    let diff = place.ok(&[&args[..], &["--dry-run"]].concat());
    assert!(diff.contains("+++ b/.cursor/rules/"), "{diff}");
    assert!(diff.contains("+## Kept from rawko"), "{diff}");
    assert_eq!(files(), before, "a dry run writes nothing");
    let said = place.ok(&args);
    assert!(
        said.contains("copied “") && said.contains("” to cursor"),
        "{said}"
    );
    let stores = place.ok(&["stores", "--format", "quiet"]);
    assert_eq!(stores, "rawko\ncursor\n");
    place.ok(&["undo"]);
    assert_eq!(files(), before, "one step back");
}

#[test]
fn a_move_takes_the_memory_out_of_its_store_in_the_same_step() {
    let place = Place::sample();
    let before = place.ok(&["list", "--format", "quiet"]);
    let ids: Vec<&str> = before.lines().take(2).collect();
    let said = place.ok(&["convert", ids[0], ids[1], "--to", "serena", "--move"]);
    assert!(said.contains("moved 2 memories to serena"), "{said}");
    let after = place.ok(&["list", "--format", "quiet"]);
    assert!(
        ids.iter().all(|id| !after.lines().any(|one| one == *id)),
        "{after}"
    );
    assert_eq!(after.lines().count(), before.lines().count());
    place.ok(&["undo"]);
    assert_eq!(place.ok(&["list", "--format", "quiet"]), before);
}

#[test]
fn a_store_is_named_by_format_id_or_path() {
    let place = Place::sample();
    let ids = place.ok(&["list", "--format", "quiet"]);
    let id = ids.lines().next().unwrap();
    place.ok(&[
        "convert",
        id,
        "--to",
        "rawko",
        "--into",
        "docs/.rawko/memories",
    ]);
    let other = place.root().join("docs/.rawko/memories");
    assert_eq!(fs::read_dir(&other).unwrap().count(), 1);
    // Outside of the project, where a person says so.
    let away = place.home().join("notes");
    place.ok(&[
        "convert",
        id,
        "--to",
        "basic-memory",
        "--into",
        away.to_str().unwrap(),
    ]);
    assert_eq!(fs::read_dir(&away).unwrap().count(), 1);
    for (args, code, part) in [
        (vec!["convert", "nothing", "--to", "cursor"], 1, "nothing"),
        (
            vec!["convert", id, "--to", "nonsense"],
            2,
            "no format and no store is `nonsense`",
        ),
        (
            vec!["convert", id, "--to", "rum"],
            2,
            "memkeep makes no store of rum",
        ),
        (vec!["convert", id, "--to", "rawko"], 2, "in rawko already"),
        (
            vec!["convert", id, "--to", "cursor", "--read-only"],
            2,
            "--read-only",
        ),
    ] {
        let ran = place.run(&args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.text());
        assert!(ran.err.contains(part), "{args:?}: {}", ran.err);
    }
}

#[test]
fn what_both_formats_can_hold_survives_a_round_trip() {
    let nested = "metadata:\n  node_type: memory\n  type: feedback\n  originSessionId: abc-1\n";
    for (name, text) in [
        (
            "feedback_use_tabs",
            format!(
                "---\nname: feedback_use_tabs\ndescription: Use tabs\n{nested}---\n\nUse tabs.\n"
            ),
        ),
        (
            "Feedback_Use-Tabs",
            format!(
                "---\nname: Feedback_Use-Tabs\ndescription: Use tabs\n{nested}---\n\nUse tabs.\n"
            ),
        ),
        // Links go by the names of files.
        (
            "Why_Tabs",
            format!("---\nname: Why_Tabs\ndescription: Tabs\n{nested}---\n\nSee [[Use_Tabs]].\n"),
        ),
        // A name in words of its own, a colon that Cursor cannot hold, a heading.
        (
            "user-tabs",
            "---\nname: User prefers tabs\ndescription: \"Tabs: always\"\n---\n\nUse tabs.\n"
                .to_owned(),
        ),
        (
            "user-tabs",
            format!(
                "---\nname: user-tabs\ndescription: Tabs\n{nested}---\n\n# Why tabs\n\nUse tabs.\n"
            ),
        ),
    ] {
        let place = Place::bare();
        let file = place.root().join(format!(".claude/memory/{name}.md"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, &text).unwrap();
        place.ok(&[
            "convert",
            &format!("claude:{name}"),
            "--to",
            "cursor",
            "--move",
        ]);
        let rule = place.root().join(format!(".cursor/rules/{name}.mdc"));
        assert!(rule.is_file(), "{name}");
        place.ok(&[
            "convert",
            &format!("cursor:{name}"),
            "--to",
            "claude",
            "--move",
        ]);
        let back = fs::read_to_string(&file).unwrap();
        assert_eq!(back, text, "{name}");
    }
}
