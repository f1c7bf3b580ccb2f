//! Fixes as code scanning reads them: lines and columns, and the whole of a fix or none of it.

use crate::place::Place;
use serde_json::Value;

/// The findings of a rule as SARIF has them.
fn results(place: &Place, rule: &str) -> Vec<Value> {
    let args = [
        "lint",
        "--format",
        "sarif",
        "--fail-on",
        "never",
        "--rule",
        rule,
    ];
    let sarif = place.run(&args).json();
    sarif["runs"][0]["results"].as_array().unwrap().clone()
}

/// The byte of a line and column, both from 1, columns in characters.
fn byte(text: &str, line: &Value, column: &Value) -> usize {
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let before: usize = text
        .split_inclusive('\n')
        .take(number(line) - 1)
        .map(str::len)
        .sum();
    let skipped = text[before..].chars().take(number(column) - 1);
    before + skipped.map(char::len_utf8).sum::<usize>()
}

/// Makes the changes of the one finding's fix, as a program that reads the report would.
fn apply(place: &Place, result: &Value) {
    let fixes = result["fixes"].as_array().expect("a fix");
    for change in fixes[0]["artifactChanges"].as_array().unwrap() {
        let path = place
            .root()
            .join(change["artifactLocation"]["uri"].as_str().unwrap());
        let mut text = std::fs::read_to_string(&path).unwrap();
        for replacement in change["replacements"].as_array().unwrap() {
            let region = &replacement["deletedRegion"];
            let start = byte(&text, &region["startLine"], &region["startColumn"]);
            let end = byte(&text, &region["endLine"], &region["endColumn"]);
            let inserted = replacement["insertedContent"]["text"].as_str().unwrap();
            text.replace_range(start..end, inserted);
        }
        std::fs::write(path, text).unwrap();
    }
}

#[test]
fn a_fix_applied_from_the_report_is_what_lint_fix_does() {
    let table = [
        // Characters of several bytes before it, and one that shares its first bytes with what
        // comes in its place.
        (
            "unknown-value",
            "---\ntitle: Prüfung 日本\nwhenToUse: prüf\ntags: [a]\nimportance: urgent\ndiscoveredBy: é\n---\n\nEin Text.\n",
        ),
        (
            "invisible-unicode",
            "---\ntitle: Plain\nwhenToUse: plain\ntags: [a]\nimportance: low\ndiscoveredBy: é\n---\n\nEin\u{200b} Te\u{202e}xt — über\u{200b}all\r\nund \u{200b}so.\n",
        ),
    ];
    for (rule, text) in table {
        let place = Place::empty();
        place.write("one.md", text);
        let found = results(&place, rule);
        assert_eq!(found.len(), 1, "{rule}");
        apply(&place, &found[0]);
        let applied = place.read("one.md");
        assert_ne!(applied, text.as_bytes(), "{rule}");
        place.write("one.md", text);
        place.run(&["lint", "--rule", rule, "--fix", "--fail-on", "never"]);
        assert_eq!(place.read("one.md"), applied, "{rule}");
    }
}

#[test]
fn a_fix_that_is_more_than_edits_of_text_is_not_half_told() {
    let place = Place::bare();
    let log = "failure: cmd=npm test, exit=1, error=listen EADDRINUSE";
    place.ok(&["init", "--as", "ralph"]);
    place.ok(&["add", log, "--type", "fix", "--store", "ralph"]);
    // To archive it is to write a file beside it, which a report cannot say.
    let found = results(&place, "failure-log");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].get("fixes"), None);
    // Where there is an archive already, both edits are there, and nothing is lost.
    place.ok(&[
        "add",
        "another that goes",
        "--type",
        "fix",
        "--store",
        "ralph",
    ]);
    let ids = place.ok(&["list", "--format", "quiet"]);
    place.ok(&["archive", ids.lines().next().unwrap()]);
    let found = results(&place, "failure-log");
    apply(&place, &found[0]);
    let archive = place.root().join(".ralph/agent/memories.archive.md");
    assert!(std::fs::read_to_string(archive).unwrap().contains(log));
}
