//! What fits the budgets, and the text it makes (steps 7 and 8).

use super::facts::{has_title, tags, title};
use crate::memory::Memory;
use crate::memory::golemcore::config::{Config, Mode, Style};
use crate::memory::golemcore::{Layer, Row, java};

/// The score from which a memory may go beyond the soft budget.
pub const STRONG: f64 = 0.85;
/// UTF-16 units of a detail snippet.
const SNIPPET: usize = 280;
/// What tells the agent that there is more.
const HINT: &str =
    "Use memory_expand_section for deeper layer context and memory_read for full item details.";

/// What the sections are called, and what an index says of a layer.
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

/// What is packed so far.
pub struct Pack<'a> {
    config: &'a Config,
    /// Tokens that are taken.
    pub used: usize,
    /// Memories that did not fit.
    pub dropped: usize,
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

    /// Takes a memory in, or says how many tokens the budget lacks for it.
    pub fn take(&mut self, memory: &Memory, body: &str, score: f64) -> Result<(), usize> {
        let after = self.used + tokens(memory, body);
        let budget = self.budget(score);
        if after > budget {
            self.dropped += 1;
            return Err(after - budget);
        }
        self.used = after;
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
        if let Some(lines) = self.layers.get_mut(layer as usize) {
            lines.push(java::trim(&line).to_owned());
        }
        if score >= self.config.detail {
            self.details
                .push(format!("[{kind}] {title}{}", cut(content, SNIPPET)));
        }
        Ok(())
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
