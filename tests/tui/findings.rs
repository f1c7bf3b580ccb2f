//! Going from finding to finding.

use memkeep::app::msg::{Effect, Msg};
use memkeep::memory::Severity;

use crate::harness::App;
use crate::keys::current;

#[test]
fn n_passes_suggestions_as_long_as_there_is_more() {
    let severities = |app: &mut App, keys: &str| -> Vec<Severity> {
        let stop = |key: char| {
            app.press(&key.to_string());
            let found = app.model.current_finding().unwrap();
            app.model.world.finding(found).unwrap().severity
        };
        keys.chars().map(stop).collect()
    };
    let mut app = App::open(120, 36);
    let all = app.model.world.findings();
    assert!(all.iter().any(|finding| finding.severity == Severity::Info));
    let weighty = all
        .iter()
        .filter(|finding| finding.severity < Severity::Info);
    assert_eq!(weighty.count(), 3);
    let first = {
        app.press("n");
        current(&app)
    };
    assert_eq!(severities(&mut app, "nnn"), [Severity::Warning; 3]);
    assert_eq!(current(&app), first, "round and round");
    assert_eq!(severities(&mut app, "NNN"), [Severity::Warning; 3]);
    app.press("3");
    assert_eq!(severities(&mut app, "nnnNNN"), [Severity::Warning; 6]);
    // Where there are only suggestions, they are gone through.
    app.press("1/«postgres»<enter>");
    assert_eq!(app.model.browse.rows.len(), 1);
    assert_eq!(severities(&mut app, "n"), [Severity::Info]);
}

#[test]
fn only_the_row_one_stands_on_marks_a_suggestion() {
    let mut app = App::open(120, 36);
    let marked = |app: &mut App| app.text().matches("·  │").count();
    app.press("/«postgres»<enter>");
    assert_eq!(marked(&mut app), 1);
    app.press("<esc><esc>");
    app.press("gg");
    assert_eq!(marked(&mut app), 0);
}

#[test]
fn what_was_decided_about_findings_is_looked_at_anew() {
    let mut app = App::open(120, 36);
    let lints = |msg: Msg, app: &mut App| {
        let effects = memkeep::app::update(&mut app.model, msg);
        let lints = |effect: &Effect| matches!(effect, Effect::Lint { .. });
        effects.iter().any(lints)
    };
    assert!(lints(Msg::Decided, &mut app));
    let again = |app: &App| Msg::Git {
        head: app.model.head.clone(),
        changed: Vec::new(),
    };
    let git = again(&app);
    assert!(!lints(git, &mut app));
}
