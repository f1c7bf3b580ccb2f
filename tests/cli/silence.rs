//! What is left out of lint: by the configuration, by a memory itself, by the baseline, and by
//! what did not change since a revision.

use std::fs;

use crate::place::Place;
use crate::ran::Ran;

mod pairs;
mod since;

/// A good memory with this body.
fn note(place: &Place, name: &str, body: &str) {
    let text = format!(
        "---\ntitle: About {name}\nwhenToUse: {name}\ntags: [shop]\nimportance: high\n\
         discoveredBy: planner\ndiscoveredAt: 2026-01-01\n---\n\n{body}\n"
    );
    place.write(&format!("{name}.md"), text);
}

fn config(place: &Place, text: &str) {
    let folder = place.root().join(".memkeep");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), text).unwrap();
}

/// The findings of a call: severity, rule and LOCAL.
fn found(ran: &Ran) -> Vec<String> {
    let json = ran.json();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let one = |one: &serde_json::Value| {
        let id = text(&one["id"]);
        let local = id.rsplit(':').next().unwrap();
        format!("{} {} {local}", text(&one["severity"]), text(&one["rule"]))
    };
    json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(one)
        .collect()
}

fn lint(place: &Place, more: &[&str]) -> Vec<String> {
    let mut args = vec!["lint", "--format", "json", "--fail-on", "never"];
    args.extend(more);
    let ran = place.run(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    found(&ran)
}

const PERSONAL: &str = "The build writes to /home/ada/work/out every night.";

#[test]
fn the_configuration_chooses_silences_and_tunes_rules() {
    let place = Place::empty();
    note(&place, "Bad Name", PERSONAL);
    let usual = [
        "info body-length Bad Name",
        "info name-style Bad Name",
        "info personal-path Bad Name",
    ];
    let sorted = |mut all: Vec<String>| {
        all.sort();
        all
    };
    assert_eq!(sorted(lint(&place, &[])), usual);
    for (text, expected) in [
        ("[lint]\noff = ['name-style']\n", vec![usual[0], usual[2]]),
        ("[lint]\nonly = ['name-style']\n", vec![usual[1]]),
        (
            "[lint]\nonly = ['name-style', 'body-length']\nseverity = { body-length = 'off', name-style = 'error' }\n",
            vec!["error name-style Bad Name"],
        ),
        (
            "[lint.threshold.body-length]\nleast = 5\n",
            vec![usual[1], usual[2]],
        ),
        (
            "[lint]\nthreshold.personal-path = { confidence = 1 }\n",
            vec![usual[0], usual[1]],
        ),
        (
            "[lint]\noff = ['body-length', 'name-style']\n[lint.store.rawko]\nseverity.name-style = 'warning'\n",
            vec![usual[2], "warning name-style Bad Name"],
        ),
        ("[lint.store.'rawko@docs']\nonly = []\n", usual.to_vec()),
        // As it is called beside another one.
        (
            "[lint.store.'rawko@.']\noff = ['body-length', 'name-style']\n",
            vec![usual[2]],
        ),
    ] {
        config(&place, text);
        let mut expected = expected;
        expected.sort_unstable();
        assert_eq!(sorted(lint(&place, &[])), expected, "{text}");
    }
    // A store that is not there is none that settings hold for.
    config(
        &place,
        "[lint]\noff = []\n[lint.store.'rawko@.']\n[lint.store.\"rawko@dosc\"]\n",
    );
    let said = place.run(&["lint"]).text();
    assert!(
        said.contains("config.toml:4:13: no store is `rawko@dosc`"),
        "{said}"
    );
    config(&place, "[lint.store.ralph]\n[lint.store.'rawko@.']\n");
    assert!(!place.run(&["lint"]).text().contains("no store is"));
    // A rule that is asked for looks.
    config(
        &place,
        "[lint]\noff = ['name-style']\nseverity = { name-style = 'off' }\n",
    );
    assert_eq!(lint(&place, &["--rule", "name-style"]), [usual[1]]);
    // What is off marks nothing in lists either.
    let listed = place.run(&["list", "--query", "has:name-style", "--format", "quiet"]);
    assert_eq!((listed.code, listed.text().as_str()), (1, ""));
    // The user's settings lie below the project's, rule by rule.
    let user = place.home().join("config/memkeep/config.toml");
    fs::create_dir_all(user.parent().unwrap()).unwrap();
    fs::write(
        &user,
        "[lint]\nseverity = { name-style = 'error', body-length = 'off' }\n",
    )
    .unwrap();
    config(&place, "[lint]\nseverity = { name-style = 'warning' }\n");
    assert_eq!(
        sorted(lint(&place, &[])),
        [usual[2], "warning name-style Bad Name"]
    );
}

#[test]
fn a_wrong_configuration_is_an_error_with_its_place() {
    let place = Place::sample();
    let mut told = String::new();
    for text in [
        "theme = 'dark'\n[lint]\noff = ['name-style', 'name-stile']\n",
        "[lint]\nonly = 'secret'\n",
        "[lint]\nof = []\n",
        "[lint]\nseverity = { body-length = 'warn' }\n",
        "[lint.severity]\nbody-lenght = 'off'\n",
        "[lint.threshold.body-length]\nleats = 5\n",
        "[lint.threshold.near-duplicate]\nshare = 7\n",
        "[lint.threshold.body-length]\nleast = 'many'\n",
        "[lint.threshold.near-duplicat]\nshare = 0.5\n",
        "[lint.threshold.secret]\nshare = 0.5\n",
        "[lint.store.rawk]\noff = []\n",
        "[lint.store.rawko]\noff = ['zzz']\n",
        "[lint\n",
    ] {
        config(&place, text);
        told.push_str(&format!("{text}{}\n", place.told(&["lint"])));
        // Other commands go on without it.
        assert_eq!(place.run(&["list"]).code, 0);
    }
    insta::assert_snapshot!(told);
}

#[test]
fn old_findings_stand_in_the_baseline() {
    let place = Place::empty();
    note(&place, "old", PERSONAL);
    note(&place, "gone", "Logs go to /home/eve/logs.");
    let path = place.root().join(".memkeep/decisions.jsonl");
    let dry = place.run(&["lint", "--write-baseline", "--dry-run"]);
    assert_eq!(dry.code, 0);
    assert!(dry.text().contains("+++ b/.memkeep/decisions.jsonl") && !path.exists());
    assert_eq!(
        place.ok(&["lint", "--write-baseline"]),
        "made a baseline of 4 findings · memkeep undo\n  2 new of body-length\n  \
         2 new of personal-path\n"
    );
    insta::assert_snapshot!("baseline", fs::read_to_string(&path).unwrap());
    assert_eq!(
        place.ok(&["lint", "--write-baseline"]),
        "the baseline is as it was\n"
    );
    let left = place.run(&["lint"]);
    assert_eq!(left.code, 0);
    assert_eq!(
        left.text(),
        "0 errors, 0 warnings, 0 suggestions in 2 memories · 4 left out by the baseline\n"
    );
    let json = place.run(&["lint", "--format", "json"]).json();
    assert_eq!(json["summary"]["baseline"], 4);
    assert_eq!(
        place
            .run(&["lint", "--no-baseline", "--fail-on", "info"])
            .code,
        1
    );
    assert_eq!(place.run(&["list", "--query", "has:finding"]).code, 1);

    // A new finding counts, in an old memory too.
    note(
        &place,
        "old",
        &format!("{PERSONAL}\n\nThe other goes to `/tmp`: \u{1b}[31mred"),
    );
    assert_eq!(lint(&place, &[]), ["warning terminal-escape old"]);
    // One that is gone is said, and taken out by the fix.
    note(&place, "old", "Nothing is left of it.");
    fs::remove_file(place.file("gone.md")).unwrap();
    let left = place.run(&["lint"]);
    assert_eq!(left.code, 0, "{}", left.err);
    insta::assert_snapshot!("gone", left.text());
    assert_eq!(place.run(&["lint", "--fix"]).code, 0);
    assert_eq!(lint(&place, &[]), [""; 0]);
    assert!(
        !fs::read_to_string(&path)
            .unwrap()
            .contains("rawko:old\",\"print\":\"p")
    );
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.run(&["undo"]).code, 0);
    // Undoing takes the folder away that the baseline was made in.
    assert!(!path.parent().unwrap().exists());

    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // A line that cannot be read is named, and stays.
    fs::write(&path, "{\"version\": 1,\n").unwrap();
    let broken = place.run(&["lint"]);
    let note = "not read, being no JSON: .memkeep/decisions.jsonl, line 1";
    assert!(broken.text().contains(note), "{}", broken.text());
    place.ok(&["lint", "--write-baseline"]);
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .starts_with("{\"version\": 1,\n{\"rule\"")
    );
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.run(&["list"]).code, 0);
    assert_eq!(
        place
            .run(&["lint", "--write-baseline", "--rule", "secret"])
            .code,
        2
    );
    assert_eq!(
        place.run(&["lint", "--write-baseline", "--read-only"]).code,
        2
    );
}

#[test]
fn fixes_that_are_left_are_listed_with_the_reason() {
    let place = Place::empty();
    let text = |title: &str, name: &str| {
        format!(
            "---\ntitle: {title}\nwhenToUse: {name}\ntags: [shop]\nimportance: High\n\
             discoveredBy: planner\ndiscoveredAt: 2026-01-01\n---\n\n\
             Amounts are whole cents everywhere; only the page divides them by a hundred.\n"
        )
    };
    place.write("cents.md", text("Cents", "cents"));
    place.write("money.md", text("Money", "money"));
    place.write("Bad Name.md", "---\ntitle: Name\nwhenToUse: name\ntags: [shop]\nimportance: low\ndiscoveredBy: planner\ndiscoveredAt: 2026-01-01\n---\n\nGood.\n");
    place.write("bad-name.txt", "x");
    let dry = place.run(&["lint", "--fix", "--dry-run"]);
    assert_eq!(dry.code, 0);
    let fixed = place.run(&[
        "lint",
        "--fix",
        "--rule",
        "near-duplicate",
        "--rule",
        "unknown-value",
    ]);
    insta::assert_snapshot!(format!("{}{}", fixed.err, fixed.text()));
    let left = |ran: &Ran| {
        let lines = ran.err.lines();
        let left = lines.filter(|line| line.starts_with("not applied: "));
        left.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(left(&dry), left(&fixed));
}

#[test]
fn chosen_findings_are_silenced_with_a_reason() {
    let place = Place::empty();
    note(&place, "old", PERSONAL);
    note(&place, "other", "Logs go to /home/eve/logs.");
    let path = place.root().join(".memkeep/decisions.jsonl");
    let silence = |more: &[&str]| {
        let mut args = vec!["lint", "--silence"];
        args.extend(more);
        place.run(&args)
    };
    let dry = silence(&["rawko:old", "--rule", "personal-path", "--dry-run"]);
    assert_eq!(dry.code, 0, "{}", dry.err);
    assert!(dry.text().contains("+++ b/.memkeep/decisions.jsonl") && !path.exists());
    let reason = ["--reason", "a shared machine"];
    let ran = silence(&[&["rawko:old", "--rule", "personal-path"], &reason[..]].concat());
    assert_eq!(
        (ran.code, ran.text().as_str()),
        (0, "silenced personal-path of “About old” · memkeep undo\n")
    );
    insta::assert_snapshot!("silenced", fs::read_to_string(&path).unwrap());
    let found = lint(&place, &["--rule", "personal-path"]);
    assert_eq!(found, ["info personal-path other"]);
    // The same is not there a second time.
    let again = silence(&["rawko:old", "--rule", "personal-path"]);
    assert_eq!(again.code, 1, "{}", again.err);
    // The reason outlives a new baseline of everything.
    assert_eq!(place.run(&["lint", "--write-baseline"]).code, 0);
    let all = fs::read_to_string(&path).unwrap();
    assert_eq!(all.matches("a shared machine").count(), 1, "{all}");
    assert_eq!(lint(&place, &[]), [""; 0]);
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.run(&["undo"]).code, 0);
    assert!(!path.exists());

    for wrong in [
        &[][..],
        &["rawko:old", "--fix"],
        &["rawko:old", "--no-baseline"],
        &["rawko:old", "--read-only"],
    ] {
        assert_eq!(silence(wrong).code, 2, "{wrong:?}");
    }
    assert_eq!(place.run(&["lint", "--reason", "x"]).code, 2);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // What was written in another encoding is not written anew.
    fs::write(&path, b"\xff\n").unwrap();
    let foreign = silence(&["rawko:old"]);
    assert_eq!(foreign.code, 2, "{}", foreign.err);
    assert_eq!(fs::read(&path).unwrap(), b"\xff\n");
}

#[test]
fn a_finding_may_be_left_for_some_time() {
    let place = Place::empty();
    note(&place, "old", PERSONAL);
    let silence = |until: &str| {
        let rule = ["--rule", "personal-path", "--until", until];
        place.run(&[&["lint", "--silence"], &rule[..]].concat())
    };
    let rule = ["--rule", "personal-path"];
    assert_eq!(silence("soon").code, 2);
    for (until, found) in [("2026-01-30", 1), ("2026-01-31", 0)] {
        assert_eq!(silence(until).code, 0);
        assert_eq!(lint(&place, &rule).len(), found, "{until}");
        place.ok(&["undo"]);
    }
    assert_eq!(place.run(&["lint", "--until", "2026-01-31"]).code, 2);
}

#[test]
fn what_could_not_be_looked_for_is_not_called_unneeded() {
    let place = Place::bare();
    place.write(
        "a.md",
        "---\ntitle: T\nwhenToUse: t\nimportance: low\ndiscoveredBy: a\n---\n\nRead `src/gone.rs` before React 17.\n",
    );
    let path = place.root().join(".memkeep/decisions.jsonl");
    let line =
        |rule| format!("{{\"rule\":\"{rule}\",\"ids\":[\"rawko:a\"],\"answer\":\"leave\"}}\n");
    let decisions = line("stale-path") + &line("changed-since");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, &decisions).unwrap();
    let said = place.run(&["lint"]).text();
    assert!(said.contains("not checked by stale-path"), "{said}");
    assert_eq!(lint(&place, &["--rule", "unused-silence"]), [""; 0]);
    place.run(&["lint", "--fix"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), decisions);
}
