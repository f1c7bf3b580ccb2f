//! Texts that changed on disk while they were edited, and differences.

use memkeep::app::merge;
use memkeep::curate::diff::differing;
use memkeep::ui;
use memkeep::ui::theme::Theme;
use ratatui::buffer::Buffer;

use crate::common::screen;

const BASE: &str = "---\ntitle: Use JWT\ntags: [auth]\nimportance: high\ndiscoveredBy: dev\n---\n\n\
Use JWT for every service.\n\nRefresh tokens live for a week.\n\nSee the gateway.\n";
const MINE: &str = "---\ntitle: Use JWT\ntags: [auth]\nimportance: critical\ndiscoveredBy: dev\n---\n\n\
Use JWT for every new service.\n\nRefresh tokens live for a week.\n\nSee the gateway.\n";
const THEIRS: &str = "---\ntitle: Use JWT\ntags: [auth]\nimportance: high\ndiscoveredBy: dev\n---\n\n\
Use JWT for every public service.\n\nRefresh tokens live for a week.\n\nSee the gateway\u{1b}[2J.\nAnd the docs.\n";

#[test]
fn what_does_not_overlap_is_merged() {
    let theirs = BASE.replace("a week", "a day");
    let expected = MINE.replace("a week", "a day");
    assert_eq!(merge(BASE, MINE, &theirs), (expected, 0));
}

#[test]
fn what_overlaps_is_marked() {
    let (merged, overlaps) = merge(BASE, MINE, THEIRS);
    assert_eq!(overlaps, 1);
    let marked = "<<<<<<< yours\nUse JWT for every new service.\n=======\n\
                  Use JWT for every public service.\n>>>>>>> on disk\n";
    assert!(merged.contains(marked), "{}", merged);
    assert!(merged.contains("importance: critical"));
    assert!(merged.ends_with("And the docs.\n"));
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
