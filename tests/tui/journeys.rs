//! The ten journeys on the sample project as `memkeep demo --into` writes it, in its git
//! repository, at three widths. Text typed between `«` and `»` is not counted; every other key is.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use crossterm::event::KeyEvent;
use memkeep::app::Msg;
use memkeep::cli::{Args, program, screen_model};
use memkeep::curate::promote::Target;
use memkeep::memory::Timestamp;
use memkeep::project::demo;
use memkeep::run::lockstep::Lockstep;
use memkeep::ui::theme::{Depth, Theme};
use memkeep::ui::view;
use memkeep::workspace::Workspace;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tempfile::TempDir;

use crate::harness::{parse, row_text};

/// Every width of screen with its height.
const SIZES: [(u16, u16); 3] = [(120, 36), (80, 24), (60, 20)];

/// A file of the user's own store.
const OWN: &str = "---\ntitle: \"Berth Numbers Start at One\"\nwhenToUse:\n  - \"berth|pier\"\n\
                   tags: [harbour]\nimportance: medium\ndiscoveredAt: 2026-03-01T08:00:00Z\n\
                   discoveredBy: developer\n---\n\nThe harbour office counts berths from one.\n";

/// The program on a fresh sample project.
struct Sample {
    program: Lockstep,
    root: PathBuf,
    place: TempDir,
    keys: usize,
}

impl Sample {
    fn open(size: (u16, u16)) -> Self {
        Self::with(size, "")
    }

    /// The program under a configuration, beside a folder of the user's own memories.
    fn with(size: (u16, u16), config: &str) -> Self {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap().join("tideline");
        let now = "2026-03-02T09:00:00Z";
        let time = Timestamp::parse_iso(now).unwrap();
        let without_history = demo::lay_out_in(&root, time).unwrap();
        assert_eq!(without_history, None);
        let own = place.path().join("own");
        fs::create_dir(&own).unwrap();
        fs::write(own.join("berths.md"), OWN).unwrap();
        let table = config.replace("OWN", own.to_str().unwrap());
        let config = place.path().join("config.toml");
        fs::write(&config, table).unwrap();
        let words = ["memkeep", "--now", now, "--root"].map(Into::into);
        let files = [root.as_os_str(), "--config".as_ref(), config.as_os_str()];
        let words = words.into_iter().chain(files.map(ToOwned::to_owned));
        let mut options = Args::of(&mut program(), words)
            .unwrap()
            .global
            .options(Vec::new())
            .unwrap();
        options.state = place.path().join("state");
        let ws = Workspace::open(options).unwrap();
        let mut model = screen_model(&ws).unwrap();
        model.size = size;
        let own_store = |one: &&mut Target| one.about.contains("/own");
        if let Some(target) = model.destinations.iter_mut().find(own_store) {
            target.is_project = false;
        }
        let mut sample = Self {
            program: Lockstep::start(model, Arc::new(ws)),
            root,
            place,
            keys: 0,
        };
        sample.git(&["config", "user.name", "Ines"]);
        sample.git(&["config", "user.email", "ines@tideline.example"]);
        sample.text();
        sample
    }

    /// Runs git in the project; returns what it prints.
    fn git(&self, args: &[&str]) -> String {
        let mut git = Command::new("git");
        let done = git.arg("-C").arg(&self.root).args(args).output().unwrap();
        String::from_utf8(done.stdout).unwrap()
    }

    /// A file of the project.
    fn file(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_default()
    }

    fn press(&mut self, keys: &str) {
        for (key, is_counted) in parse(keys) {
            self.program
                .send(Msg::Key(KeyEvent::new(key.code, key.mods)));
            self.keys += usize::from(is_counted);
            self.text();
        }
    }

    /// Presses the keys of a journey; checks what they cost and what is on the screen at the end.
    fn journey(&mut self, keys: &str, most: usize, shown: &str) {
        self.keys = 0;
        self.press(keys);
        assert!(self.keys <= most, "{} keys, not {most}: {keys}", self.keys);
        let text = self.text();
        assert!(text.contains(shown), "{keys}: no {shown}\n{text}");
    }

    /// The text on the screen.
    fn text(&mut self) -> String {
        let model = &mut self.program.model;
        let area = Rect::new(0, 0, model.size.0, model.size.1);
        let mut buffer = Buffer::empty(area);
        let drawn = view(model, &Theme::dark().at(Depth::None), area, &mut buffer);
        model.extents = drawn.extents;
        let rows = (0..area.height).map(|y| row_text(&buffer, y).trim_end().to_owned() + "\n");
        rows.collect()
    }
}

#[test]
fn open_filter_and_read_the_second_hit() {
    for size in SIZES {
        let mut sample = Sample::open(size);
        // On a narrow screen one more key gives the text the room.
        let open = if size.0 < 100 { "<enter>" } else { "" };
        let keys = format!("/«auth»<enter>j{open}");
        sample.journey(&keys, 4, "operator-tokens.md · by developer");
    }
}

#[test]
fn raise_importance_having_seen_what_it_does_to_the_ranking() {
    for size in SIZES {
        let mut sample = Sample::open(size);
        let file = ".rawko/memories/operator-tokens.md";
        let before = sample.file(file);
        sample
            .press("t«add oauth integration to the booking api»<enter>1/«operator tokens»<enter>");
        sample.journey("ei<right>", 3, "→");
        sample.journey("<ctrl-s>", 2, "edited “Operator Tokens Are Short-Lived”");
        let after = before.replace("importance: high", "importance: critical");
        assert_ne!(before, after);
        assert_eq!(sample.file(file), after);
    }
}

#[test]
fn type_a_task_and_see_why_the_first_is_first() {
    for size in SIZES {
        let mut sample = Sample::open(size);
        let open = if size.0 < 100 { "<enter>" } else { "" };
        let keys = format!("t«refund a cancelled booking»<enter>{open}");
        sample.journey(&keys, 3, "injected as #1");
        assert!(sample.text().contains("importance"), "{}", sample.text());
    }
}

#[test]
fn see_why_not_and_bring_it_in_by_the_suggestion() {
    for size in SIZES {
        let mut sample = Sample::open(size);
        let file = ".rawko/memories/hold-expiry.md";
        let before = sample.file(file);
        sample.press("t«shorten the booking form»<enter>1/«hold expiry»<enter>");
        sample.journey("x", 1, "no pattern matches");
        assert!(sample.text().contains("booking"), "{}", sample.text());
        sample.journey("<enter>", 2, "u undo");
        let after = before.replace("\"countdown\"", "\"countdown\", \"booking\"");
        assert_ne!(before, after);
        assert_eq!(sample.file(file), after);
        sample.journey("x", 1, "injected as #");
    }
}

#[test]
fn go_to_a_stale_path_see_where_the_file_went_and_fix_it() {
    for size in SIZES {
        let mut sample = Sample::open(size);
        let file = ".rawko/memories/money-is-integer-cents.md";
        assert!(sample.file(file).contains("src/lib/money.ts"));
        sample.journey("/«has:stale-path money»<enter>f", 3, "src/pricing/money.ts");
        sample.journey("f", 1, "fixed “Money Is Integer Cents” · u undo");
        let after = sample.file(file);
        assert!(after.contains("src/pricing/money.ts") && !after.contains("src/lib/money.ts"));
    }
}

#[test]
fn resolve_a_contradiction_by_keeping_the_newer_one() {
    for size in SIZES {
        let mut sample = Sample::open(size);
        sample.journey(
            "/«has:contradiction»<enter>=",
            3,
            "newer · rawko:hold-expiry",
        );
        sample.journey("b", 1, "u undo");
        assert_eq!(sample.file(".rawko/memories/hold-length.md"), "");
        assert_ne!(sample.file(".rawko/memories/archive/hold-length.md"), "");
        assert_ne!(sample.file(".rawko/memories/hold-expiry.md"), "");
    }
}

#[test]
fn review_five_changes_keep_those_without_a_warning_and_commit() {
    for size in SIZES {
        let mut sample = Sample::open(size);
        sample.journey("4AlA", 4, "3 of 5");
        sample.journey("c<enter>", 4, "committed");
        let committed = sample.git(&["show", "--name-status", "--format=", "HEAD"]);
        let expected = [
            "A\t.rawko/memories/freeze-the-clock.md",
            "A\t.rawko/memories/lock-the-sailing-row.md",
            "M\t.rawko/memories/review-checklist.md",
        ];
        assert_eq!(committed.lines().collect::<Vec<_>>(), expected);
        let left = sample.git(&["status", "--porcelain", ".rawko/memories"]);
        assert_eq!(left.lines().count(), 2, "{left}");
    }
}

#[test]
fn take_back_a_decision_that_is_not_the_last() {
    let mut sample = Sample::open((99, 50));
    let files = [
        ".rawko/memories/freeze-the-clock.md",
        ".rawko/memories/lock-the-sailing-row.md",
    ];
    let before = files.map(|file| sample.file(file));
    // The next one is the next in the file's order, and stays so after each decision.
    sample.journey("4rr", 3, "✗ Freeze the Clock… ✗ Lock the Sailing…");
    sample.journey("kk", 2, " u take it back");
    sample.journey("<enter>", 1, "it is rejected: u takes that back");
    sample.journey("u", 1, "▸ Freeze the Clock… ✗ Lock the Sailing…");
    assert_eq!(files.map(|file| sample.file(file)), [&before[0], ""]);
    sample.journey("<enter>", 1, "✓ Freeze the Clock…");
}

#[test]
fn archive_every_raw_failure_log_then_think_better_of_it() {
    for size in SIZES {
        let mut sample = Sample::open(size);
        let files = [
            ".rawko/memories/webhook-test-failure.md",
            ".ralph/agent/memories.md",
        ];
        let before = files.map(|file| sample.file(file));
        sample.journey(
            "/«has:failure-log»<enter><ctrl-a>a",
            4,
            "archived 2 memories · u undo",
        );
        assert_eq!(sample.file(files[0]), "");
        assert_ne!(sample.file(files[1]), before[1]);
        sample.journey("u", 2, "undone");
        assert_eq!(files.map(|file| sample.file(file)), before);
    }
}

#[test]
fn promote_a_memory_of_ones_own_into_the_project() {
    for size in SIZES {
        let stores = "[[stores]]\nformat = \"rawko\"\npath = \"OWN\"\n";
        let mut sample = Sample::with(size, stores);
        sample.press("/«berth numbers»<enter>");
        sample.journey("p<enter><enter>", 3, "u undo");
        let text = sample.text();
        assert_eq!(sample.file(".rawko/memories/berths.md"), OWN, "{text}");
        assert!(!sample.place.path().join("own/berths.md").exists());
    }
}

#[test]
fn bring_back_the_committed_version_of_a_memory() {
    for size in SIZES {
        let mut sample = Sample::open(size);
        let file = ".rawko/memories/review-checklist.md";
        let committed = sample.git(&["show", &format!("HEAD:{file}")]);
        assert_ne!(sample.file(file), committed);
        sample.press("/«what reviews look»<enter>");
        sample.journey("bj<enter><enter>", 5, "u undo");
        assert_eq!(sample.file(file), committed);
    }
}
