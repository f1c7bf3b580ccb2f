//! Packs memories within the budgets and renders the text (steps 7 and 8).

use super::candidate::{has_title, tags, title};
use super::select::Selection;
use crate::memory::Memory;
use crate::systems::golemcore::config::{Config, Mode, Style};
use crate::systems::golemcore::{Layer, Row, java};

/// The score from which a memory may go beyond the soft budget.
pub const STRONG: f64 = 0.85;
/// UTF-16 units of a detail snippet.
const SNIPPET: usize = 280;
/// Line that tells the agent that there is more.
const HINT: &str =
    "Use memory_expand_section for deeper layer context and memory_read for full item details.";

/// Titles of the sections, and the words of an index for each layer.
const TITLES: [(&str, &str, &str); 4] = [
    (
        "Working Snapshot",
        "Working Memory",
        "Working memory available",
    ),
    (
        "Recent Episodes",
        "Episodic Memory",
        "Recent episodes available",
    ),
    (
        "Relevant Facts",
        "Semantic Memory",
        "Relevant facts available",
    ),
    (
        "Applicable Procedures",
        "Procedural Memory",
        "Applicable procedures available",
    ),
];

/// Tokens that the system reckons a memory at.
pub fn tokens(memory: &Memory, body: &str) -> usize {
    let tags: usize = tags(memory)
        .iter()
        .flatten()
        .map(|tag| java::len(tag) + 1)
        .sum();
    let units = java::len(title(memory)) + java::len(body) + tags;
    (units / 4 + 8).max(20)
}

/// The pack so far.
pub struct Pack<'a> {
    config: &'a Config,
    /// Tokens that are taken.
    pub used: usize,
    /// Memories that did not fit.
    pub dropped: usize,
    /// Memories that did.
    taken: usize,
    layers: [Vec<String>; 4],
    details: Vec<String>,
}

impl<'a> Pack<'a> {
    /// Nothing yet.
    pub fn new(config: &'a Config) -> Self {
        Self {
            config,
            used: 0,
            dropped: 0,
            taken: 0,
            layers: Default::default(),
            details: Vec::new(),
        }
    }

    /// The budget that a score may use up.
    pub fn budget(&self, score: f64) -> usize {
        if score >= STRONG {
            self.config.hard.max(self.config.soft)
        } else {
            self.config.soft
        }
    }

    /// Takes a memory in, or says how many tokens the budget lacks for it. False if the memory is
    /// taken in but not written.
    pub fn take(&mut self, memory: &Memory, body: &str, score: f64) -> Result<bool, usize> {
        let after = self.used + tokens(memory, body);
        let budget = self.budget(score);
        if after > budget {
            self.dropped += 1;
            return Err(after - budget);
        }
        self.used = after;
        self.taken += 1;
        let row = Row::of(&memory.fields).unwrap_or_default();
        let kind = row.kind.unwrap_or("ITEM");
        let title = if has_title(memory) {
            format!("{}: ", java::trim(title(memory)))
        } else {
            String::new()
        };
        let content = body.replace(['\r', '\n'], " ");
        let content = java::trim(&content);
        let line = format!("[{kind}] {title}{}", cut(content, self.units()));
        let own = if memory.schema.format == "golemcore" {
            Layer::Episodic
        } else {
            Layer::Semantic
        };
        let layer = row.layer.unwrap_or(own);
        let most = self.lines();
        let mut written = false;
        if let Some(lines) = self.layers.get_mut(layer as usize) {
            written = lines.len() < most && self.config.mode != Mode::Index;
            lines.push(java::trim(&line).to_owned());
        }
        if score >= self.config.detail {
            self.details
                .push(format!("[{kind}] {title}{}", cut(content, SNIPPET)));
            written |= self.config.mode == Mode::SelectiveDetail;
        }
        Ok(written)
    }

    /// Why a memory that is taken in is not written.
    pub fn unwritten(&self) -> String {
        match self.config.mode {
            Mode::Index => {
                "it counts, and the prompt has the counts only: `disclosure.mode` is index"
                    .to_owned()
            }
            _ => format!(
                "it counts, but is not written: the prompt has the first {} of each layer (`disclosure.promptStyle`)",
                self.lines()
            ),
        }
    }

    /// One line about used and dropped memories.
    pub fn said(&self, selection: &Selection, written: usize, memories: usize) -> String {
        let candidates = selection.all().count();
        let (over, twins) = selection.dropped();
        let dropped = [
            (over, "beyond the places of their layer"),
            (self.dropped, "over the budget"),
            (twins, "said by another one already"),
        ];
        let dropped = dropped.iter().filter(|(count, _)| *count > 0);
        let dropped: Vec<String> = dropped
            .map(|(count, why)| format!("{count} {why}"))
            .collect();
        let mut said = format!("{} of {candidates} candidates used, ", self.taken);
        if written < self.taken {
            said.push_str(&format!("{written} of them written, "));
        }
        said.push_str(&format!(
            "reckoned at {} of {} tokens",
            self.used, self.config.soft
        ));
        if !dropped.is_empty() {
            said.push_str(&format!("; dropped: {}", dropped.join(", ")));
        }
        match memories - candidates {
            0 => {}
            1 => said.push_str("; 1 more is expired, of another scope or not readable"),
            more => said.push_str(&format!(
                "; {more} more are expired, of another scope or not readable"
            )),
        }
        said
    }

    /// UTF-16 units of a content in a line.
    const fn units(&self) -> usize {
        match (self.config.mode, self.config.style) {
            (Mode::FullPack, _) => 420,
            (_, Style::Compact) => 90,
            (_, Style::Balanced) => 160,
            (_, Style::Rich) => 240,
        }
    }

    /// Lines of a layer.
    const fn lines(&self) -> usize {
        match (self.config.mode, self.config.style) {
            (Mode::FullPack, _) => usize::MAX,
            (_, Style::Compact) => 2,
            (_, Style::Balanced) => 3,
            (_, Style::Rich) => 5,
        }
    }

    /// The text.
    pub fn render(&self) -> String {
        let mut sections: Vec<(&str, Vec<String>)> = Vec::new();
        let layers = self.layers.iter().zip(TITLES);
        if self.config.mode == Mode::Index {
            let count = |(lines, (.., name)): (&Vec<String>, (&str, &str, &'static str))| {
                (!lines.is_empty()).then(|| format!("{name}: {}", lines.len()))
            };
            sections.push(("Memory Index", layers.filter_map(count).collect()));
        } else {
            let full = self.config.mode == Mode::FullPack;
            sections.extend(layers.map(|(lines, (short, long, _))| {
                let lines = lines.iter().take(self.lines()).cloned().collect();
                (if full { long } else { short }, lines)
            }));
        }
        if self.config.mode == Mode::SelectiveDetail {
            sections.push(("Detail Snippets", self.details.clone()));
        }
        if self.config.hints && self.config.expansion && self.config.mode != Mode::FullPack {
            sections.push(("Follow-up Hints", vec![HINT.to_owned()]));
        }
        let gap = if self.config.style == Style::Compact {
            "\n"
        } else {
            "\n\n"
        };
        let mut text = String::new();
        for (name, lines) in sections.iter().filter(|(_, lines)| !lines.is_empty()) {
            if !text.is_empty() {
                text.push_str(gap);
            }
            text.push_str(&format!("## {name}\n"));
            for line in lines {
                text.push_str(&format!("- {line}\n"));
            }
        }
        java::trim(&text).to_owned()
    }
}

/// A text of at most so many UTF-16 units, `...` in the place of what is cut off.
fn cut(text: &str, units: usize) -> String {
    if java::len(text) <= units {
        return text.to_owned();
    }
    java::head(text, units.saturating_sub(3)) + "..."
}
