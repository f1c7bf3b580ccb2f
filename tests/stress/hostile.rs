//! Hostile texts through every command that prints, on a terminal: nothing of them gets there raw.

use std::fs;
use std::path::Path;

use super::harness::{self, Pty};
use super::hostile_texts::{COLORS, PIECES, raw, yaml};

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// Hostile pieces between plain words; sometimes a heap of marks, or a very long line.
    fn text(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.below(12) {
            match self.below(8) {
                0 => text.extend(std::iter::repeat_n('\u{301}', 1 + self.below(400))),
                1 => text.push_str(&"long ".repeat(self.below(3000))),
                2 | 3 => {
                    text.push_str(self.of(&["plain ", "`src/a.rs` ", "# ", "漢字 ", "é", "- "]))
                }
                _ => text.push_str(self.of(PIECES)),
            }
        }
        text
    }

    fn lines(&mut self) -> String {
        (0..self.below(8)).map(|_| self.text() + "\n").collect()
    }
}

/// Writes a store of random memories: well formed, with broken YAML, without any.
fn write(project: &Path, random: &mut Random) {
    let store = project.join(".rawko/memories");
    fs::create_dir_all(&store).unwrap();
    for n in 0..1 + random.below(4) {
        let name: String = random
            .text()
            .replace(['/', '\0'], "_")
            .chars()
            .take(30)
            .collect();
        let body = random.lines();
        let text = match random.below(4) {
            0 => format!(
                "---\ntitle: {}\nx: [{}\n---\n\n{body}",
                random.text(),
                random.text()
            ),
            1 => body,
            _ => format!(
                "---\ntitle: {}\nwhenToUse: [{}, pay]\ntags: [{}]\nimportance: {}\n\
                 discoveredAt: \"2026-01-01\"\ndiscoveredBy: {}\n{}: {}\n---\n\n{body}",
                yaml(&random.text()),
                yaml(&random.text()),
                yaml(&random.text()),
                random.of(&["high", "low", "urgent"]),
                yaml(&random.text()),
                yaml(&format!("own{}", random.text())),
                yaml(&random.text()),
            ),
        };
        fs::write(store.join(format!("{n}{name}.md")), text).unwrap();
    }
    let ralph = project.join(".ralph/agent");
    fs::create_dir_all(&ralph).unwrap();
    let entry = format!(
        "# Memories\n\n## Fixes\n\n### mem-1769600000-00a1\n> {}\n<!-- tags: {} | created: 2026-01-28 -->\n",
        random.text(),
        random.text()
    );
    fs::write(ralph.join("memories.md"), entry).unwrap();
}

const FORMATS: &[(&str, &[&str])] = &[
    ("stores", &["table", "json", "markdown", "quiet"]),
    ("list --all -v", &["table", "json", "markdown", "quiet"]),
    ("search pay", &["table", "json", "markdown", "quiet"]),
    (
        "show mem-1769600000-00a1",
        &["table", "json", "markdown", "quiet"],
    ),
    ("show 0", &["table", "json", "markdown", "quiet"]),
    (
        "inject --task pay --explain",
        &["table", "prompt", "json", "markdown"],
    ),
    ("prime", &["markdown", "prompt", "json", "table", "quiet"]),
    ("lint", &["table", "json", "sarif", "github", "quiet"]),
    ("lint --fix --dry-run", &["table"]),
    ("edit 0 --set title=X --dry-run", &[]),
    ("delete 0 --dry-run", &[]),
    ("archive 0 --dry-run", &[]),
    ("archive 0", &[]),
    ("undo", &[]),
    ("show HOSTILE", &["table"]),
    ("HOSTILE", &[]),
    ("--HOSTILE", &[]),
    ("list --store HOSTILE", &[]),
    ("list --query HOSTILE", &["table", "json"]),
    ("lint --rule HOSTILE", &[]),
    ("inject --task HOSTILE", &["table", "json", "markdown"]),
    ("", &[]),
];

/// What the screen is drawn with, taken out: a `[` sequence, and the question for the background.
fn undrawn(output: &str) -> String {
    let output = output.replace("\u{1b}]11;?\u{7}", "");
    let mut parts = output.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    let is_parameter = |c: char| c.is_ascii_digit() || matches!(c, ';' | '?' | '<' | '>' | '=');
    let rest = parts.map(|part| {
        part.trim_start_matches(is_parameter)
            .get(1..)
            .unwrap_or_default()
    });
    first + &rest.collect::<String>()
}

pub fn run(rounds: u64, seed: u64) {
    for round in 0..rounds {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (round + 1) << 20);
        let home = tempfile::tempdir().unwrap();
        let project = home.path().join("p");
        write(&project, &mut random);
        let (words, formats) = FORMATS[random.below(FORMATS.len())];
        let hostile = random.text();
        let words = words
            .split_whitespace()
            .map(|word| word.replace("HOSTILE", &hostile));
        let mut words: Vec<String> = words.map(|word| word.replace('\0', "")).collect();
        if !formats.is_empty() {
            words.extend(["--format".to_owned(), random.of(formats).to_owned()]);
        }
        let mut call = harness::command(env!("CARGO_BIN_EXE_memkeep"), home.path());
        call.cwd(&project);
        call.args(&words);
        let mut pty = Pty::start(call);
        let out = if words.is_empty() {
            pty.bytes(0, b"\x1b[?2026l");
            pty.keys("j\r\x1b3j\r");
            pty.keys("\x03");
            undrawn(&pty.end().1).replace('\r', "")
        } else {
            pty.end().1
        };
        let found = raw(&out, COLORS);
        assert_eq!(found, None, "seed {seed}, round {round}: {words:?}");
        let is_json = words
            .last()
            .is_some_and(|format| format == "json" || format == "sarif");
        if let (true, Some(begin)) = (is_json, out.find(['[', '{'])) {
            let begin = out[..begin].rfind('\n').map_or(0, |newline| newline + 1);
            let json = serde_json::from_str::<serde_json::Value>(&out[begin..]);
            assert!(
                json.is_ok(),
                "seed {seed}, round {round}: {words:?}: {json:?}"
            );
        }
    }
}
