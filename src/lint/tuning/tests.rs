use super::*;
use crate::lint::RULES;
use crate::lint::tests::{Store, memory};

fn tuned(text: &str) -> Tuning {
    let (choice, floor) = (toml::from_str(text).unwrap(), None);
    Tuning { choice, floor }
}

#[test]
fn the_nearest_that_says_something_of_a_rule_holds() {
    let tuning = tuned(
        "off = ['secret', 'expired']\nseverity = { stale-path = 'error', body-length = 'off' }\n\
         store.rawko = { off = ['stale-path'], severity.secret = 'info' }\n\
         store.'rawko@docs'.only = ['expired', 'stale-path']",
    );
    for [rule, store, expected] in crate::text::rows::<Vec<[String; 3]>>("tables", "levels") {
        let level = tuning.level(&rule, &store.as_str().into());
        assert_eq!(format!("{level:?}"), expected, "{rule} in {store}");
    }
}

#[test]
fn a_severity_lifts_what_is_usual_and_leaves_what_is_less_sure() {
    let finding = |rule: &'static str, severity| Finding::new(rule, severity, 0, 1).sure(0.6);
    use Severity::{Error, Info, Warning};
    // contradiction: usually a warning; body-length: a suggestion, and a warning where it is far
    // too long.
    for (rule, own, set, expected) in [
        ("contradiction", Warning, "error", Error),
        ("contradiction", Info, "error", Info),
        ("contradiction", Warning, "info", Info),
        ("body-length", Info, "warning", Warning),
        ("body-length", Warning, "info", Info),
        ("load-error", Error, "warning", Warning),
    ] {
        let tuning = tuned(&format!("severity.{rule} = '{set}'"));
        let severity = tuning.severity(&finding(rule, own), &"rawko".into());
        assert_eq!(severity, Some(expected), "{rule} {own:?} {set:?}");
    }
    let sure = |least: f64| tuned(&format!("threshold.contradiction.confidence = {least}"));
    let found = finding("contradiction", Warning);
    let is_reported = |least: f64| sure(least).severity(&found, &"rawko".into()).is_some();
    assert!(is_reported(0.6) && !is_reported(0.61));
}

#[test]
fn thresholds_change_what_is_found() {
    let mut store = Store::new(vec![
        memory("short").front("", "x").words(60),
        memory("long").front("", "x").words(700),
        memory("huge").front("", "x").words(2_600),
    ]);
    use Severity::{Info, Warning};
    for (set, expected) in [
        ("", &[(0, Info), (1, Info), (2, Warning)][..]),
        (
            "threshold.body-length = { least = 60, most = 700 }",
            &[(2, Warning)],
        ),
        ("threshold.body-length.most = 2500", &[(0, Info), (2, Info)]),
        (
            "threshold.body-length.most = 2500\nstore.rawko.threshold.body-length.least = 0",
            &[(2, Info)],
        ),
    ] {
        store.tuning = tuned(set);
        let found = store.only("body-length").into_iter();
        let mut found: Vec<_> = found.map(|one| (one.memory, one.severity)).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{set}");
    }
}

#[test]
fn how_alike_duplicates_are_can_be_set() {
    let mut store = Store::of(&[
        (
            "a",
            "Amounts are whole cents everywhere; only the page divides them by a hundred.",
        ),
        (
            "b",
            "Amounts are whole cents everywhere; only the page shows them divided by a hundred, with a comma.",
        ),
    ]);
    for (least, count) in [(0.1, 1), (1.0, 0)] {
        store.tuning = tuned(&format!("threshold.near-duplicate.share = {least:?}"));
        assert_eq!(store.only("near-duplicate").len(), count);
    }
}

#[test]
fn defaults_are_within_the_range_of_their_threshold() {
    for known in RULES.iter().flat_map(|rule| rule.thresholds) {
        let (name, range) = (known.name, known.range);
        assert!((range.0..=range.1).contains(&known.usual), "{name}");
    }
}
