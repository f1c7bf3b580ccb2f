//! The conflict view and differences.

use memkeep::app::Scope;
use memkeep::app::conflict::{Conflict, differing};
use memkeep::app::scope::Action;
use memkeep::ui;
use memkeep::ui::theme::{Depth, Theme};
use ratatui::buffer::Buffer;

use crate::common::{keys, meaning, screen};

const BASE: &str = "---\ntitle: Use JWT\ntags: [auth]\nimportance: high\ndiscoveredBy: dev\n---\n\n\
Use JWT for every service.\n\nRefresh tokens live for a week.\n\nSee the gateway.\n";
const MINE: &str = "---\ntitle: Use JWT\ntags: [auth]\nimportance: critical\ndiscoveredBy: dev\n---\n\n\
Use JWT for every new service.\n\nRefresh tokens live for a week.\n\nSee the gateway.\n";
const THEIRS: &str = "---\ntitle: Use JWT\ntags: [auth]\nimportance: high\ndiscoveredBy: dev\n---\n\n\
Use JWT for every public service.\n\nRefresh tokens live for a week.\n\nSee the gateway\u{1b}[2J.\nAnd the docs.\n";

fn shot(theirs: &str, size: (u16, u16), theme: &Theme) -> String {
    let conflict = Conflict::new(BASE, MINE, theirs);
    screen(size.0, size.1, |area, buf| {
        let lines = ui::diff::conflict(&conflict, theme, area.width.into());
        for (y, line) in (0..area.height).zip(&lines) {
            buf.set_line(area.x, y, line, area.width);
        }
        None
    })
}

#[test]
fn yours_and_the_disk() {
    insta::assert_snapshot!(shot(THEIRS, (100, 20), &Theme::dark()));
}

#[test]
fn yours_and_the_disk_small() {
    insta::assert_snapshot!(shot(THEIRS, (40, 12), &Theme::dark().at(Depth::None)));
}

#[test]
fn what_does_not_overlap_is_merged() {
    let theirs = BASE.replace("a week", "a day");
    let conflict = Conflict::new(BASE, MINE, &theirs);
    assert_eq!(conflict.overlaps, 0);
    assert_eq!(conflict.merged, MINE.replace("a week", "a day"));
}

#[test]
fn what_overlaps_is_marked() {
    let conflict = Conflict::new(BASE, MINE, THEIRS);
    assert_eq!(conflict.overlaps, 1);
    assert_eq!(conflict.first_overlap(), 7);
    let marked = "<<<<<<< yours\nUse JWT for every new service.\n=======\n\
                  Use JWT for every public service.\n>>>>>>> on disk\n";
    assert!(conflict.merged.contains(marked), "{}", conflict.merged);
    assert!(conflict.merged.contains("importance: critical"));
    assert!(conflict.merged.ends_with("And the docs.\n"));
}

#[test]
fn keys_choose() {
    let table = [
        ("m", Some(Action::KeepMine)),
        ("t", Some(Action::TakeTheirs)),
        ("e", Some(Action::EditMerged)),
        ("<esc>", Some(Action::Leave)),
        ("<enter>", None),
        ("j", Some(Action::Next)),
    ];
    for (sent, action) in table {
        let key = keys(sent)[0];
        assert_eq!(meaning(&[Scope::Conflict], key).ok(), action, "{sent}");
    }
}

#[test]
fn words_that_differ() {
    let of = |old: &str, new: &str| {
        let (gone, come) = differing(old, new);
        let texts = |text: &str, ranges: Vec<std::ops::Range<usize>>| {
            let texts = ranges.into_iter().map(|range| text[range].to_owned());
            texts.collect::<Vec<_>>().join("|")
        };
        (texts(old, gone), texts(new, come))
    };
    assert_eq!(of("a week ago", "a day ago"), ("week".into(), "day".into()));
    assert_eq!(of("same", "same"), (String::new(), String::new()));
    assert_eq!(
        of("nothing alike", "wholly other"),
        (String::new(), String::new())
    );
}

#[test]
fn a_unified_diff() {
    let diff = "--- a/x.md\n+++ b/x.md\n@@ -1,4 +1,4 @@\n title: T\n-importance: high\n--- x\n\
                +importance: low\n+++ x\n end\u{1b}[2J\n\\ No newline at end of file\n";
    let lines = ui::diff::lines(diff, &Theme::dark(), 80);
    assert_eq!(lines.len(), 9);
    insta::assert_snapshot!(screen(40, 9, |area, buf: &mut Buffer| {
        for (y, line) in (0..).zip(&lines) {
            buf.set_line(area.x, y, line, area.width);
        }
        None
    }));
}
