//! Which candidates get a place: the first of each layer, scope by scope, each only once (steps 4
//! to 6). Packs them within the budgets and renders the text (steps 7 and 8).

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::query::{Facts, Query, tags, title};
use crate::memory::Memory;
use crate::retrieval::js;
use crate::systems::golemcore::config::{COMPACT, Config, Mode};
use crate::systems::golemcore::{Instant, Layer, java};

/// The score from which a memory may go beyond the soft budget.
const STRONG: f64 = 0.85;
/// UTF-16 units of a detail snippet, and of a line of the full pack.
const SNIPPET: usize = 280;
const FULL: usize = 420;
const HINT: &str =
    "Use memory_expand_section for deeper layer context and memory_read for full item details.";

/// Titles of the sections, and the words of an index for each layer.
const TITLES: [[&str; 3]; 4] = [
    ["Working Snapshot", "Working Memory", "Working memory"],
    ["Recent Episodes", "Episodic Memory", "Recent episodes"],
    ["Relevant Facts", "Semantic Memory", "Relevant facts"],
    [
        "Applicable Procedures",
        "Procedural Memory",
        "Applicable procedures",
    ],
];

#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its index in the snapshot.
    pub memory: usize,
    pub score: f64,
    /// Sort key: the score, with the points of the second ranking.
    pub key: f64,
    pub stamp: Option<Instant>,
    /// Place of its file among those that are read, and its place in that file.
    pub place: ((u32, u32), u32),
    pub layer: Layer,
    pub scope: u32,
    /// Key that duplicates share.
    pub identity: Option<Box<str>>,
}

#[derive(Default)]
pub struct Selection {
    /// In the order of the pack, each once.
    pub chosen: Vec<Candidate>,
    /// Those that had a place and say the same as one before them, with that one.
    twins: Vec<(Candidate, usize)>,
    rest: Vec<Candidate>,
}

impl Selection {
    pub fn new(mut all: Vec<Candidate>, query: &Query) -> Self {
        // A second ranking of a single candidate changes nothing.
        if !query.config.rerank || all.len() < 2 {
            all.iter_mut().for_each(|one| one.key = one.score);
        }
        all.sort_unstable_by(|a, b| {
            let group = (a.scope, a.layer).cmp(&(b.scope, b.layer));
            group.then_with(|| compare(a, b))
        });
        let mut selection = Self::default();
        if query.is_spec {
            all.sort_unstable_by(before);
            all = selection.each_once(all);
        }
        let mut left = query.config.top_k;
        let mut first = Vec::new();
        for candidate in all {
            match left.get_mut(candidate.layer as usize) {
                Some(places @ 1..) => {
                    *places -= 1;
                    first.push(candidate);
                }
                _ => selection.rest.push(candidate),
            }
        }
        first.sort_unstable_by(before);
        selection.chosen = selection.each_once(first);
        selection
    }

    /// The candidates without those that repeat one before them, which become twins.
    fn each_once(&mut self, all: Vec<Candidate>) -> Vec<Candidate> {
        let mut seen: HashMap<Box<str>, usize> = HashMap::new();
        let mut once: Vec<Candidate> = Vec::new();
        for candidate in all {
            // A row without a key gets one from its position, which is unique.
            let number = once.len();
            let key = candidate.identity.clone();
            let key = key.unwrap_or_else(|| format!("row-{number}").into());
            match seen.get(&key) {
                Some(other) => self.twins.push((candidate, *other)),
                None => {
                    seen.insert(key, candidate.memory);
                    once.push(candidate);
                }
            }
        }
        once
    }

    pub fn all(&self) -> impl Iterator<Item = &Candidate> {
        let twins = self.twins.iter().map(|(candidate, _)| candidate);
        self.chosen.iter().chain(twins).chain(&self.rest)
    }

    pub fn twin(&self, memory: usize) -> Option<usize> {
        let twin = self.twins.iter().find(|(twin, _)| twin.memory == memory);
        twin.map(|(_, first)| *first)
    }

    /// Number of candidates of its layer before a candidate.
    pub fn before(&self, own: &Candidate) -> usize {
        let of_layer = self.all().filter(|other| other.layer == own.layer);
        of_layer.filter(|other| before(other, own).is_lt()).count()
    }
}

fn before(a: &Candidate, b: &Candidate) -> Ordering {
    a.scope.cmp(&b.scope).then_with(|| compare(a, b))
}

/// The order: by key, score, time (none last), then as they were collected.
fn compare(a: &Candidate, b: &Candidate) -> Ordering {
    (b.key.total_cmp(&a.key))
        .then_with(|| b.score.total_cmp(&a.score))
        // Nothing is less than something: turned round it comes last.
        .then_with(|| b.stamp.cmp(&a.stamp))
        .then_with(|| (a.place, a.memory).cmp(&(b.place, b.memory)))
}

pub fn tokens(memory: &Memory, body: &str) -> usize {
    let tags = tags(memory).into_iter().flatten();
    let tags: usize = tags.map(|tag| js::len(&tag) + 1).sum();
    let units = js::len(title(memory)) + js::len(body) + tags;
    (units / 4 + 8).max(20)
}

pub struct Pack<'a> {
    config: &'a Config,
    pub used: usize,
    /// Memories whose tokens count as taken before their turn comes.
    reserved: HashSet<usize>,
    layers: [Vec<String>; 4],
    details: Vec<String>,
}

impl<'a> Pack<'a> {
    pub fn new(config: &'a Config) -> Self {
        Self {
            config,
            used: 0,
            reserved: HashSet::new(),
            layers: Default::default(),
            details: Vec::new(),
        }
    }

    /// Gives each layer its share of the soft budget, in the proportion of its places, and reserves
    /// the tokens of the candidates that fit into it. What is left of the shares is for all layers.
    pub fn reserve<'c>(&mut self, all: impl Iterator<Item = (&'c Candidate, usize)>) {
        let places = self.config.top_k;
        let sum = places.iter().sum::<usize>().max(1);
        let mut left = places.map(|places| self.config.soft * places / sum);
        for (candidate, tokens) in all {
            let left = left.get_mut(candidate.layer as usize);
            if let Some(left) = left.filter(|left| **left >= tokens) {
                *left -= tokens;
                self.used += tokens;
                self.reserved.insert(candidate.memory);
            }
        }
    }

    pub fn budget(&self, score: f64) -> usize {
        match score >= STRONG {
            true => self.config.hard.max(self.config.soft),
            false => self.config.soft,
        }
    }

    /// Takes a memory in, or says how many tokens the budget lacks for it. False if the memory is
    /// taken in but not written.
    pub fn take(
        &mut self,
        (memory, facts): (&Memory, &Facts),
        (body, tokens): (&str, usize),
        candidate: &Candidate,
    ) -> Result<bool, usize> {
        let score = candidate.score;
        let is_reserved = self.reserved.contains(&candidate.memory);
        let after = self.used + if is_reserved { 0 } else { tokens };
        let budget = self.budget(score);
        if after > budget {
            return Err(after - budget);
        }
        self.used = after;
        let title = match title(memory) {
            title if java::is_blank(title) => String::new(),
            title => format!("{}: ", java::trim(title)),
        };
        let head = format!("[{}] {title}", facts.kind.unwrap_or("ITEM"));
        let content = body.replace(['\r', '\n'], " ");
        let content = java::trim(&content);
        let (most, units) = self.lines();
        let mut written = false;
        if let Some(lines) = self.layers.get_mut(facts.layer as usize) {
            written = lines.len() < most && self.config.mode != Mode::Index;
            let line = format!("{head}{}", cut(content, units));
            lines.push(java::trim(&line).to_owned());
        }
        if score >= self.config.detail {
            let detail = format!("{head}{}", cut(content, SNIPPET));
            self.details.push(detail);
            written |= self.config.mode == Mode::SelectiveDetail;
        }
        Ok(written)
    }

    pub fn unwritten(&self) -> String {
        let (most, _) = self.lines();
        match self.config.mode {
            Mode::Index => "the prompt has counts only: `disclosure.mode` is index".into(),
            _ => format!(
                "the prompt has the first {most} of each layer only (`disclosure.promptStyle`)"
            ),
        }
    }

    /// One line about used and dropped memories, of which so many were taken in.
    pub fn summary(&self, selection: &Selection, taken: usize, memories: usize) -> String {
        let candidates = selection.all().count();
        let unfit = memories - candidates;
        let dropped = [
            (selection.rest.len(), "beyond the places of their layer"),
            (selection.chosen.len() - taken, "over the budget"),
            (selection.twins.len(), "said by another one already"),
            (unfit, "expired, of another scope or not readable"),
        ];
        let dropped = dropped.iter().filter(|(count, _)| *count > 0);
        let dropped = dropped.map(|(count, why)| format!("; {count} {why}"));
        let dropped: String = dropped.collect();
        let (used, soft) = (self.used, self.config.soft);
        format!(
            "{taken} of {candidates} candidates used, reckoned at {used} of {soft} tokens{dropped}"
        )
    }

    /// Lines of a layer, and UTF-16 units of a content in a line.
    const fn lines(&self) -> (usize, usize) {
        match self.config.mode {
            Mode::FullPack => (usize::MAX, FULL),
            _ => (self.config.style.0, self.config.style.1),
        }
    }

    pub fn render(&self) -> String {
        let mode = self.config.mode;
        let layers = self.layers.iter().zip(TITLES);
        let mut sections: Vec<(&str, Vec<String>)> = match mode {
            Mode::Index => {
                let full = layers.filter(|(lines, _)| !lines.is_empty());
                let count = |(lines, [.., name]): (&Vec<String>, [&str; 3])| {
                    format!("{name} available: {}", lines.len())
                };
                vec![("Memory Index", full.map(count).collect())]
            }
            _ => layers
                .map(|(lines, [short, long, _])| {
                    let lines = lines.iter().take(self.lines().0).cloned().collect();
                    (if mode == Mode::FullPack { long } else { short }, lines)
                })
                .collect(),
        };
        if mode == Mode::SelectiveDetail {
            sections.push(("Detail Snippets", self.details.clone()));
        }
        if self.config.hints && self.config.expansion && mode != Mode::FullPack {
            sections.push(("Follow-up Hints", vec![HINT.to_owned()]));
        }
        let sections = sections.iter().filter(|(_, lines)| !lines.is_empty());
        let section = |(name, lines): &(&str, Vec<String>)| {
            let lines: String = lines.iter().map(|line| format!("- {line}\n")).collect();
            format!("## {name}\n{lines}")
        };
        let is_compact = self.config.style == COMPACT;
        let gap = if is_compact { "\n" } else { "\n\n" };
        let text = sections.map(section).collect::<Vec<_>>().join(gap);
        java::trim(&text).to_owned()
    }
}

/// A text of at most so many UTF-16 units, `...` in the place of what is cut off.
fn cut(text: &str, units: usize) -> String {
    match js::len(text) <= units {
        true => text.to_owned(),
        false => js::head(text, units.saturating_sub(3)).0 + "...",
    }
}
