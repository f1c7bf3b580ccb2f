//! A whole store as context, for systems that have no such thing themselves: every memory that
//! the system sees, in the order of the store, each whole or not at all.

use std::sync::Arc;

use super::{
    Asked, Limits, Policy, Preview, Reason, Scorer, Snapshot, Task, Texts, Verdict, memory_at,
    unseen,
};
use crate::memory::{Memory, Role, Timestamp, Value, tokens_of};

/// The policy.
pub static WHOLE: Policy = Policy {
    flags: &["budget"],
    goes_by_task: |_| false,
    ..Policy::new("whole", |memories| Box::new(WholeScorer { memories }))
};

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
        let days = limits.options.get("recent");
        let days = days.and_then(|days| days.parse::<u32>().ok());
        let since = |days: u32| task.now.0.saturating_sub(i64::from(days) * DAY);
        Self {
            types: words("types"),
            tags: words("tags"),
            since: days.map(|days| Timestamp(since(days))),
        }
    }

    /// The reason that keeps a memory out.
    fn misses(&self, memory: &Memory) -> Option<(Reason, String)> {
        let kind = memory.role(Role::Type).and_then(Value::as_str);
        let kind = kind.unwrap_or_default().to_lowercase();
        let wanted = |tag: &str| self.tags.contains(&tag.to_lowercase());
        let why = if !self.types.is_empty() && !self.types.contains(&kind) {
            "it is of another type".to_owned()
        } else if !self.tags.is_empty() && !memory.tags().any(wanted) {
            "it has none of the tags asked for".to_owned()
        } else {
            let since = self.since.filter(|since| !memory.is_since(*since))?;
            format!("it is older than {}", since.date())
        };
        Some((Reason::NoMatch, why))
    }
}

struct WholeScorer {
    memories: Snapshot,
}

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
        out.extend(["\n", body, "\n"]);
    }
    if !tags.is_empty() {
        out += &format!("\n<!-- tags: {} -->\n", tags.join(", "));
    }
    out
}

impl Scorer for WholeScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let limits = asked.limits;
        let narrow = Narrow::new(limits, asked.task);
        let room = limits.budget.filter(|budget| *budget > 0);
        let room = room.map_or(usize::MAX, |budget| budget.saturating_mul(4));
        let mut prompt = String::new();
        let mut selected: Vec<Verdict> = Vec::new();
        let (mut over, mut out) = (Vec::new(), Vec::new());
        for index in 0..self.memories.len() {
            let Some(memory) = memory_at(&self.memories, asked.what_if, index) else {
                continue;
            };
            if let Some(why) = unseen(memory).or_else(|| narrow.misses(memory)) {
                out.push(Verdict::left_out(index, memory, why));
                continue;
            }
            let title = if prompt.is_empty() { HEAD } else { "" };
            let used = prompt.len() + title.len();
            // Memories too large by their tokens alone are not read.
            let least = used + (memory.tokens as usize).saturating_sub(1) * 4;
            let block = (least <= room).then(|| block(memory, asked.texts));
            let needed = block.as_ref().map_or(least, |block| used + block.len());
            let Some(block) = block.filter(|_| needed <= room) else {
                let tokens = tokens_of(needed);
                let hint = format!("a budget of {tokens} tokens brings it in");
                over.push(Verdict::left_out(index, memory, (Reason::OverBudget, hint)));
                continue;
            };
            prompt.push_str(title);
            prompt.push_str(&block);
            selected.push(Verdict {
                rank: Some(selected.len() + 1),
                tokens: tokens_of(block.len()),
                ..Verdict::of(index, memory, Reason::Selected)
            });
        }
        let most = asked.wanted.map_or(limits.rejected, |_| usize::MAX);
        let rejected = over.into_iter().chain(out).take(most);
        Arc::new(Preview {
            policy: "whole",
            rejected_total: self.memories.len() - selected.len(),
            rejected: rejected.collect(),
            selected,
            prompt,
            budget: limits.budget,
            ..Preview::default()
        })
    }
}
