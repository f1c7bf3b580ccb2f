use std::path::Path;

use super::*;
use crate::lint::tests::{Store, memory};

/// A note on what a rule could not check, which is about no memory.
fn notes() -> [Note; 1] {
    let message = "paths not looked up: the repository is bare".to_owned();
    [Note {
        rule: "stale-path",
        message,
    }]
}

fn sample() -> Store {
    Store::new(vec![
        memory("oauth too broad")
            .text("---\ntitle: \"OAuth\"\nwhenToUse: [\"oauth|social.*auth\", \"auth|\"]\nrelatedMemories: [auth-modul.md]\n---\n\nA \u{202e}body\x1b[31m.\n")
            .words(300),
        memory("auth-module")
            .text("---\ntitle: Auth Module\nwhenToUse: auth\n---\n\nA body.\n")
            .words(300)
            .problem("unknown-value", Severity::Error, 2, 8, "`importance` is \u{1b}urgent, 100% wrong"),
        memory("later").text("---\ntitle: auth  module\nwhenToUse: auth\n---\n\nBody.\n").words(12),
    ])
}

#[test]
fn text_for_people_holds_nothing_raw() {
    let store = sample();
    let findings = store.run();
    let report = Report {
        notes: &notes(),
        ..store.report(&findings)
    };
    insta::assert_snapshot!("github_commands_are_escaped", report.github());
    let text = report.text(Detail::Full);
    assert!(!text.contains(['\x1b', '\u{202e}']));
    insta::assert_snapshot!(text);
}

#[test]
fn an_overview_of_many_findings_of_one_rule_is_short() {
    let name = |number: usize| format!("Note_{number}");
    let notes = (0..80).map(|number| memory(&name(number)).words(300));
    let store = Store::new(notes.collect());
    let findings = store.only("name-style");
    assert_eq!(findings.len(), 80);
    let report = store.report(&findings);
    assert!(report.text(Detail::Full).lines().count() > 160);
    let overview = report.text(Detail::Overview);
    assert!(overview.lines().count() < 12, "{overview}");
    assert!(
        overview.contains("name-style · 80 suggestions · "),
        "{overview}"
    );
    assert!(overview.starts_with("0 errors, 0 warnings, 80 suggestions in 80 memories\n"));
    let more = "\n77 more: memkeep lint --all, or --rule RULE for those of one rule\n";
    assert!(overview.ends_with(more), "{overview}");
}

#[test]
fn an_overview_of_many_rules_has_at_most_40_lines_and_names_every_rule() {
    let store = sample();
    let one = store.run().swap_remove(0);
    let rules = crate::lint::RULES.iter();
    let of_rule = |rule: &crate::lint::Rule| Finding {
        rule: rule.id,
        severity: rule.severity,
        evidence: vec!["a piece".to_owned(); 3],
        ..one.clone()
    };
    let findings: Vec<Finding> = rules.clone().map(of_rule).collect();
    let overview = store.report(&findings).text(Detail::Overview);
    assert!(overview.lines().count() <= 40, "{overview}");
    for rule in rules {
        assert!(overview.contains(rule.id), "{}: {overview}", rule.id);
    }
    let full = store.report(&findings).text(Detail::Full);
    assert_eq!(full.matches("a piece").count(), 3 * findings.len());
    assert!(!full.contains("more:"), "{full}");
}

#[test]
fn sarif_names_rules_and_places() {
    let store = sample();
    let findings = store.run();
    let report = Report {
        notes: &notes(),
        ..store.report(&findings)
    };
    let mut json = report.sarif();
    let driver = &mut json["runs"][0]["tool"]["driver"];
    driver["version"] = "VERSION".into();
    driver["semanticVersion"] = "VERSION".into();
    let rules = driver["rules"].as_array_mut().unwrap();
    assert_eq!(rules.len(), crate::lint::RULES.len());
    // The pages are read elsewhere, and one result is as another.
    rules.truncate(1);
    driver["rules"][0]["help"] = "PAGE".into();
    json["runs"][0]["results"]
        .as_array_mut()
        .unwrap()
        .truncate(4);
    insta::assert_snapshot!(serde_json::to_string_pretty(&json).unwrap());
}

/// GitHub shows the two descriptions at the top of an alert, and sorts by the severity.
#[test]
fn sarif_describes_each_rule_and_marks_the_ones_about_security() {
    let store = sample();
    let log = store.report(&[]).sarif();
    let rules = &log["runs"][0]["tool"]["driver"]["rules"];
    let rules = rules.as_array().unwrap();
    for rule in rules {
        let why = rule["fullDescription"]["text"].as_str().unwrap();
        assert!((20..1024).contains(&why.len()), "{rule}");
        assert_ne!(why, rule["shortDescription"]["text"]);
    }
    let of_security = rules.iter().map(|rule| &rule["properties"]);
    let of_security: Vec<_> = of_security.filter(|own| !own.is_null()).collect();
    assert_eq!(of_security.len(), 6);
    for own in of_security {
        assert_eq!(own["tags"][0], "security");
        assert!(own["security-severity"].is_string(), "{own}");
    }
}

#[test]
fn files_outside_the_root_are_absolute_for_people_and_named_by_their_memory_for_others() {
    let store = sample();
    let findings = store.run();
    let report = Report {
        root: Path::new("/elsewhere"),
        ..store.report(&findings)
    };
    let text = report.text(Detail::Full);
    assert!(text.contains("/repo/memories/auth-module.md:"));
    let sarif = serde_json::to_string(&report.sarif()).unwrap();
    let github = report.github();
    for named in [&sarif, &github] {
        let shown = ["/repo/", "file=", "file://"].map(|part| named.contains(part));
        assert_eq!(shown, [false; 3]);
        assert!(named.contains("rawko:oauth too broad"));
    }
}
