//! A whole store as context, for systems that have no such thing themselves: every memory that
//! the system sees, in the order of the store, each whole or not at all.

use std::sync::Arc;

use super::{Limits, Policy, Preview, Reason, Scorer, Snapshot, Task, Texts, Verdict, memory_at};
use crate::memory::{Memory, Role, State, Timestamp, Value, tokens_of};

/// The policy.
pub struct Whole;

impl Policy for Whole {
    fn name(&self) -> &'static str {
        "whole"
    }

    fn dialects(&self) -> &'static [&'static str] {
        &[]
    }

    fn flags(&self) -> &'static [&'static str] {
        &["budget"]
    }

    fn goes_by_task(&self, _dialect: &str) -> bool {
        false
    }

    fn scorer(&self, memories: Snapshot) -> Box<dyn Scorer> {
        Box::new(WholeScorer { memories })
    }
}

/// The part of a store that flags select.
struct Narrow {
    types: Vec<String>,
    tags: Vec<String>,
    since: Option<Timestamp>,
}

impl Narrow {
    fn new(limits: &Limits, task: &Task) -> Self {
        const DAY: i64 = 86_400_000;
        let words = |name: &str| {
            let text = limits.options.get(name).unwrap_or_default();
            let words = text.split(',').map(|word| word.trim().to_lowercase());
            words.filter(|word| !word.is_empty()).collect()
        };
        let days = limits
            .options
            .get("recent")
            .and_then(|days| days.parse::<u32>().ok());
        let since = |days: u32| task.now.0.saturating_sub(i64::from(days) * DAY);
        Self {
            types: words("types"),
            tags: words("tags"),
            since: days.map(|days| Timestamp(since(days))),
        }
    }

    /// The reason that keeps a memory out.
    fn misses(&self, memory: &Memory) -> Option<String> {
        let kind = memory
            .role(Role::Type)
            .and_then(Value::as_str)
            .unwrap_or_default();
        if !self.types.is_empty() && !self.types.contains(&kind.to_lowercase()) {
            return Some("it is of another type".to_owned());
        }
        let wanted = |tag: &str| self.tags.contains(&tag.to_lowercase());
        if !self.tags.is_empty() && !memory.tags().any(wanted) {
            return Some("it has none of the tags asked for".to_owned());
        }
        let since = self.since?;
        let old = !memory.is_since(since);
        old.then(|| format!("it is older than {}", since.date()))
    }
}

struct WholeScorer {
    memories: Snapshot,
}

/// The heading above the memories.
pub(super) const HEAD: &str = "# Memories\n";

/// A memory as it stands in the text.
pub(super) fn block(memory: &Memory, texts: &dyn Texts) -> String {
    let body = texts.body(memory).unwrap_or_default();
    let body = body.trim();
    let heading = format!("# {}", memory.title);
    // Most bodies begin with their title.
    let rest = body.strip_prefix(&*heading);
    let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with(['\n', '\r']));
    let body = rest.unwrap_or(body).trim_start();
    let tags: Vec<&str> = memory.tags().collect();
    // A memory without a title goes by how it begins, which stands there anyway.
    let begins = memory.title.trim_end_matches('…').trim_end();
    let is_named = memory.role(Role::Title).is_some();
    let name = match !is_named && body.trim_start_matches("> ").starts_with(begins) {
        true => &*memory.id.local,
        false => &*memory.title,
    };
    let mut out = format!("\n## {name}\n");
    if !body.is_empty() {
        out.push('\n');
        out.push_str(body);
        out.push('\n');
    }
    if !tags.is_empty() {
        out.push_str("\n<!-- tags: ");
        out.push_str(&tags.join(", "));
        out.push_str(" -->\n");
    }
    out
}

fn refused(index: usize, memory: &Memory, reason: Reason, hint: String) -> Verdict {
    Verdict {
        hint: Some(hint),
        ..Verdict::of(index, memory, reason)
    }
}

impl WholeScorer {
    /// Why a memory is left out whatever the budget is.
    fn left_out(index: usize, memory: &Memory, narrow: &Narrow) -> Option<Verdict> {
        let why = |reason, hint: String| Some(refused(index, memory, reason, hint));
        match (&memory.hidden, memory.state) {
            (_, State::Archived) => why(Reason::Archived, "it is archived: restore it".into()),
            (Some(hidden), _) => why(Reason::Invisible, hidden.to_string()),
            (None, State::Active) => why(Reason::NoMatch, narrow.misses(memory)?),
        }
    }
}

impl Scorer for WholeScorer {
    fn index(&mut self, _texts: &dyn Texts) {}

    fn preview(
        &self,
        task: &Task,
        limits: &Limits,
        what_if: Option<(usize, &Memory)>,
        texts: &dyn Texts,
    ) -> Arc<Preview> {
        let narrow = Narrow::new(limits, task);
        let room = limits.budget.filter(|budget| *budget > 0);
        let room = room.map(|budget| budget.saturating_mul(4));
        let mut prompt = String::new();
        let mut selected: Vec<Verdict> = Vec::new();
        let (mut over, mut out) = (Vec::new(), Vec::new());
        for index in 0..self.memories.len() {
            let Some(memory) = memory_at(&self.memories, what_if, index) else {
                continue;
            };
            if let Some(verdict) = Self::left_out(index, memory, &narrow) {
                out.push(verdict);
                continue;
            }
            let title = if prompt.is_empty() { HEAD } else { "" };
            let used = prompt.len() + title.len();
            // Memories too large by their tokens alone are not read.
            let least = used + (memory.tokens as usize).saturating_sub(1) * 4;
            let needs = |bytes: usize| {
                let hint = format!("a budget of {} tokens brings it in", tokens_of(bytes));
                refused(index, memory, Reason::OverBudget, hint)
            };
            if room.is_some_and(|room| least > room) {
                over.push(needs(least));
                continue;
            }
            let block = block(memory, texts);
            if room.is_some_and(|room| used + block.len() > room) {
                over.push(needs(used + block.len()));
                continue;
            }
            prompt.push_str(title);
            prompt.push_str(&block);
            selected.push(Verdict {
                rank: Some(selected.len() + 1),
                tokens: tokens_of(block.len()),
                ..Verdict::of(index, memory, Reason::Selected)
            });
        }
        let rejected = over.into_iter().chain(out).take(limits.rejected);
        Arc::new(Preview {
            parts: Vec::new(),
            policy: "whole",
            dialect: "",
            rejected: rejected.collect(),
            rejected_total: self.memories.len() - selected.len(),
            selected,
            prompt,
            skill: None,
            budget: limits.budget,
            places: None,
            notes: Vec::new(),
        })
    }

    fn verdicts(
        &self,
        task: &Task,
        limits: &Limits,
        wanted: &[usize],
        _texts: &dyn Texts,
    ) -> Vec<Verdict> {
        let narrow = Narrow::new(limits, task);
        let verdict = |index: &usize| {
            let memory = self.memories.get(*index)?;
            let left_out = Self::left_out(*index, memory, &narrow);
            left_out.or_else(|| Some(Verdict::of(*index, memory, Reason::Selected)))
        };
        wanted.iter().filter_map(verdict).collect()
    }
}
