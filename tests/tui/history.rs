//! Earlier versions of a memory.

use insta::assert_snapshot;

use memkeep::app::Page;
use memkeep::app::msg::Change;

use crate::harness::App;

#[test]
fn the_versions_are_listed_with_what_each_changed() {
    for (width, height) in [(120, 36), (80, 24), (60, 20), (40, 12)] {
        let mut app = App::open(width, height);
        app.press("bj");
        assert_snapshot!(format!("versions {width}x{height}"), app.text());
    }
    let mut app = App::open(120, 36);
    app.press("b<esc>");
    assert!(!app.text().contains("Versions of"));
    // What is not committed is what stands there.
    app.press("b<enter>");
    assert!(
        app.text().contains("already this version"),
        "{}",
        app.text()
    );
}

#[test]
fn marked_memories_are_condensed_into_one() {
    let mut app = App::open(120, 36);
    app.press("<space><space><space>W");
    let text = app.text();
    assert!(text.contains("one memory"), "{text}");
    app.press("<down><enter>");
    let Page::Fix(proposal) = &app.model.page else {
        panic!("{}", app.text());
    };
    let Change::Together(all) = &proposal.change else {
        panic!("{:?}", proposal.change);
    };
    assert_eq!(all.len(), 2);
}
