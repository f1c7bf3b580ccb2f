use super::*;
use crate::lint::tests::{Store, memory};

fn name(name: &str) -> Name {
    Spanned::new(0..0, name.to_owned())
}

/// A choice of rules that are off, and of the levels of others.
fn choice(off: &[&'static str], levels: &[(&'static str, Level)]) -> Choice {
    Choice {
        off: Some(off.iter().copied().map(name).collect()),
        severity: levels
            .iter()
            .map(|(rule, level)| (name(rule), *level))
            .collect(),
        ..Choice::default()
    }
}

fn tuned(choice: Choice) -> Tuning {
    let floor = None;
    Tuning { choice, floor }
}

/// A choice of thresholds of a rule.
fn limits(rule: &'static str, limits: &[(&'static str, f64)]) -> Choice {
    let set = |(known, value): &(&str, f64)| (name(known), Spanned::new(0..0, *value));
    let limits = limits.iter().map(set).collect();
    Choice {
        threshold: [(name(rule), limits)].into(),
        ..Choice::default()
    }
}

#[test]
fn the_nearest_that_says_something_of_a_rule_holds() {
    let levels = [("stale-path", Level::Error), ("body-length", Level::Off)];
    let only = Choice {
        only: Some(vec![name("expired"), name("stale-path")]),
        ..Choice::default()
    };
    let own = choice(&["stale-path"], &[("secret", Level::Info)]);
    let stores = [("rawko", own), ("rawko@docs", only)];
    let tuning = tuned(Choice {
        store: stores.map(|(store, own)| (name(store), own)).into(),
        ..choice(&["secret", "expired"], &levels)
    });
    for [rule, store, expected] in crate::text::rows::<Vec<[String; 3]>>("tables", "levels") {
        let level = tuning.level(&rule, &store.as_str().into());
        assert_eq!(format!("{level:?}"), expected, "{rule} in {store}");
    }
    let on: Vec<_> = tuning.rules().map(|rule| rule.id).collect();
    assert!(on.contains(&"secret") && on.contains(&"expired") && on.contains(&"stale-path"));
    assert!(!on.contains(&"body-length"));
    // A rule that is named looks, as bad as it was set.
    let named = tuning.named();
    assert_eq!(named.level("body-length", &"rawko".into()), Level::Usual);
    assert_eq!(named.level("secret", &"ralph".into()), Level::Usual);
    let stale = named.level("stale-path", &"ralph".into());
    assert_eq!(stale, Level::Error);
}

#[test]
fn a_severity_lifts_what_is_usual_and_leaves_what_is_less_sure() {
    let finding = |rule: &'static str, severity| Finding::new(rule, severity, 0, 1).sure(0.6);
    use Severity::{Error, Info, Warning};
    // contradiction: usually a warning; body-length: a suggestion, and a warning where it is far
    // too long.
    for (rule, own, set, expected) in [
        ("contradiction", Warning, Level::Error, Error),
        ("contradiction", Info, Level::Error, Info),
        ("contradiction", Warning, Level::Info, Info),
        ("body-length", Info, Level::Warning, Warning),
        ("body-length", Warning, Level::Info, Info),
        ("load-error", Error, Level::Warning, Warning),
    ] {
        let tuning = tuned(choice(&[], &[(rule, set)]));
        let severity = tuning.severity(&finding(rule, own), &"rawko".into());
        assert_eq!(severity, Some(expected), "{rule} {own:?} {set:?}");
    }
    let sure = |least: f64| tuned(limits("contradiction", &[(CONFIDENCE.name, least)]));
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
    let found = |store: &Store| {
        let found = store.only("body-length").into_iter();
        let mut found: Vec<_> = found.map(|one| (one.memory, one.severity)).collect();
        found.sort_unstable();
        found
    };
    use Severity::{Info, Warning};
    assert_eq!(found(&store), [(0, Info), (1, Info), (2, Warning)]);
    store.tuning = tuned(limits("body-length", &[("least", 60.0), ("most", 700.0)]));
    assert_eq!(found(&store), [(2, Warning)]);
    store.tuning = tuned(limits("body-length", &[("most", 2_500.0)]));
    assert_eq!(found(&store), [(0, Info), (2, Info)]);
    let own = limits("body-length", &[("least", 0.0)]);
    let stores = &mut store.tuning.choice.store;
    stores.insert(name("rawko"), own);
    assert_eq!(found(&store), [(2, Info)]);
    store.tuning.choice.store = [(name("ralph"), Choice::default())].into();
    assert_eq!(found(&store), [(0, Info), (2, Info)]);
}

#[test]
fn how_alike_duplicates_are_can_be_set() {
    let mut store = Store::new(vec![
        memory("a").front("", "Amounts are whole cents everywhere; only the page divides them by a hundred."),
        memory("b").front("", "Amounts are whole cents everywhere; only the page shows them divided by a hundred, with a comma."),
    ]);
    for (least, count) in [(0.1, 1), (1.0, 0)] {
        store.tuning = tuned(limits("near-duplicate", &[("share", least)]));
        assert_eq!(store.only("near-duplicate").len(), count);
    }
}

#[test]
fn defaults_are_within_the_range_of_their_threshold() {
    for rule in RULES {
        for known in rule.thresholds {
            let (name, range) = (known.name, known.range);
            assert!((range.0..=range.1).contains(&known.usual), "{name}");
            assert!(thresholds(rule.id).any(|one| (one.name, one.range) == (name, range)));
        }
    }
}
