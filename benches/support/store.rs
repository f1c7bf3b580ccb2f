//! Writes stores of rawko memories of any size, the same in every run.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// What memories are about.
pub const AREAS: [&str; 24] = [
    "Ledger",
    "Checkout",
    "Invoice",
    "Ferry",
    "Harbor",
    "Timetable",
    "Passenger",
    "Refund",
    "Webhook",
    "Tariff",
    "Voucher",
    "Mailer",
    "Calendar",
    "Upload",
    "Archive",
    "Report",
    "Session",
    "Locale",
    "Currency",
    "Export",
    "Audit",
    "Seat",
    "Gate",
    "Weather",
];
/// Parts of that.
pub const PARTS: [&str; 20] = [
    "Rounding",
    "Retries",
    "Locking",
    "Paging",
    "Naming",
    "Defaults",
    "Ordering",
    "Limits",
    "Caching",
    "Parsing",
    "Timeouts",
    "Backfill",
    "Sharding",
    "Escaping",
    "Validation",
    "Signing",
    "Polling",
    "Batching",
    "Cleanup",
    "Fallback",
];
/// What they say of it.
pub const KINDS: [&str; 8] = [
    "Rule", "Trap", "Decision", "Layout", "Reason", "Limit", "Habit", "Order",
];
/// Their tags.
pub const TAGS: [&str; 12] = [
    "payments",
    "testing",
    "architecture",
    "scope",
    "failures",
    "planning",
    "analysis",
    "quality",
    "implementation",
    "review",
    "docs",
    "security",
];
const AGENTS: [&str; 4] = ["planner", "developer", "tester", "reviewer"];
const LEVELS: [&str; 4] = ["low", "medium", "high", "critical"];
/// What they say.
pub const SENTENCES: [&str; 8] = [
    "The nightly job writes to the replica first, so a read right after it may be old.",
    "Amounts are whole cents everywhere; only the page divides them by a hundred.",
    "Tests of this module need the clock of the fixture, not the machine's.",
    "Whoever changes the order of these steps has to change the rollback as well.",
    "The table has no index on the second column: a scan takes minutes on real data.",
    "Two callers hold the lock for longer than a second, both of them in the importer.",
    "A missing header means the old client, which never retries.",
    "The generated file is checked in; the build compares it and fails where it differs.",
];

/// A fixed scramble.
pub struct Scramble(pub u64);

impl Scramble {
    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// One of these.
    pub fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len())]
    }
}

/// The file of one memory: its name and its text.
pub fn memory(number: usize) -> (String, String) {
    let mut scramble = Scramble(number as u64);
    scramble.below(1);
    let (area, part, kind) = (
        scramble.pick(&AREAS),
        scramble.pick(&PARTS),
        scramble.pick(&KINDS),
    );
    let other = scramble.pick(&AREAS);
    let name = format!("{area}-{part}-{kind}-{number}.md").to_lowercase();
    let (low_area, low_part) = (area.to_lowercase(), part.to_lowercase());
    let patterns = match scramble.below(4) {
        0 => format!("\"{low_area}|{low_part}|{}\"", other.to_lowercase()),
        1 => format!("[\"When changing the {low_area} {low_part}\", \"{low_area} {low_part}\"]"),
        2 => format!("\"{low_area}*{low_part}\""),
        _ => format!(
            "[\"{low_area} {low_part}\", \"{} {low_part}\"]",
            other.to_lowercase()
        ),
    };
    let mut text = String::new();
    let _ = write!(
        text,
        "---\ntitle: \"{area} {part} {kind}\"\nwhenToUse: {patterns}\ntags: [{}, {}]\nimportance: {}\n\
         discoveredAt: 2026-{:02}-{:02}T{:02}:30:00Z\ndiscoveredBy: {}\n---\n\n# {area} {part} {kind}\n\n",
        scramble.pick(&TAGS),
        scramble.pick(&TAGS),
        scramble.pick(&LEVELS),
        1 + scramble.below(10),
        1 + scramble.below(28),
        scramble.below(24),
        scramble.pick(&AGENTS),
    );
    for _ in 0..4 + scramble.below(6) {
        let _ = writeln!(
            text,
            "{} See `src/{low_area}/{low_part}.rs`.\n",
            scramble.pick(&SENTENCES)
        );
    }
    let _ = write!(
        text,
        "```rust\nlet {low_part} = {low_area}.settle();\n```\n"
    );
    // What goes wrong in real stores: Windows line ends, no closing quote, an unknown word.
    let text = match number % 200 {
        50 => text.replace('\n', "\r\n"),
        100 => text.replacen(&format!("{kind}\"\nwhen"), &format!("{kind}\nwhen"), 1),
        150 => text.replacen("importance: ", "importance: very ", 1),
        _ => text,
    };
    (name, text)
}

/// Writes `count` rawko memories into a folder, which is made.
pub fn write(folder: &Path, count: usize) {
    fs::create_dir_all(folder).unwrap();
    for number in 0..count {
        let (name, text) = memory(number);
        fs::write(folder.join(name), text).unwrap();
    }
}
