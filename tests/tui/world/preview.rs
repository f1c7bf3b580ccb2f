//! A small policy.

use memkeep::memory::edit::FieldEdit;
use memkeep::memory::{Memory, State, Value};
use memkeep::retrieval::Snapshot;
use memkeep::retrieval::{Factor, Limits, Match, Preview, Reason, Task, Verdict};

/// The verdicts of single memories.
pub fn verdicts(
    memories: &Snapshot,
    task: &Task,
    limits: &Limits,
    wanted: &[usize],
) -> Vec<Verdict> {
    let limits = Limits {
        rejected: usize::MAX,
        ..limits.clone()
    };
    let preview = preview(memories, task, &limits);
    let all = preview.selected.into_iter().chain(preview.rejected);
    all.filter(|verdict| wanted.contains(&verdict.memory))
        .collect()
}

/// A ranking as rawko's, only simpler: enough for a screen.
pub fn preview(memories: &Snapshot, task: &Task, limits: &Limits) -> Preview {
    let text = task.text.to_lowercase();
    let mut selected = Vec::new();
    let mut rejected = Vec::new();
    for (n, memory) in memories.iter().enumerate() {
        let verdict = verdict(n, memory, &text, task);
        if verdict.reason == Reason::Selected {
            selected.push(verdict);
        } else {
            rejected.push(verdict);
        }
    }
    let best = |verdict: &Verdict| (-verdict.score.unwrap_or(-1.0) as i64, verdict.memory);
    selected.sort_by_key(best);
    let places = limits.max.unwrap_or(5);
    let lowest = selected.get(places.saturating_sub(1)).and_then(|v| v.score);
    for mut over in selected.drain(places.min(selected.len())..) {
        over.reason = Reason::OverLimit;
        let short = lowest.unwrap_or(0.0) - over.score.unwrap_or(0.0) + 1.0;
        over.hint = Some(format!("{short:.0} points short of the last place"));
        rejected.push(over);
    }
    for (n, verdict) in selected.iter_mut().enumerate() {
        verdict.rank = Some(n + 1);
    }
    rejected.sort_by_key(best);
    let rejected_total = rejected.len();
    rejected.truncate(limits.rejected);
    let mut prompt = String::new();
    if !selected.is_empty() {
        prompt.push_str("## Background Knowledge from Previous Runs\n");
    }
    for verdict in &selected {
        prompt.push_str(&format!(
            "\n### {}\n\n_{}_\n",
            memories[verdict.memory].title,
            memories[verdict.memory].importance().unwrap_or("")
        ));
    }
    let mut stores: Vec<_> = memories.iter().map(|one| one.id.store.clone()).collect();
    stores.dedup();
    let count = |store: &memkeep::memory::StoreId| {
        let own = selected.iter();
        own.filter(|one| memories[one.memory].id.store == *store)
            .count()
    };
    let part = |store: memkeep::memory::StoreId| memkeep::retrieval::StorePart {
        selected: count(&store),
        places: Some(places),
        is_always: false,
        rejected: 0,
        skill: None,
        prompt: format!("# {store}\n"),
        store,
    };
    let parts: Vec<_> = stores.into_iter().map(part).collect();
    Preview {
        candidates: Vec::new(),
        parts,
        policy: "rawko",
        dialect: limits.dialect,
        selected,
        rejected,
        rejected_total,
        prompt,
        skill: None,
        budget: Some(2000),
        places: Some(places),
        notes: Vec::new(),
    }
}

fn verdict(n: usize, memory: &Memory, text: &str, task: &Task) -> Verdict {
    let matched = memory
        .field("whenToUse")
        .into_iter()
        .flat_map(Value::items)
        .find_map(|item| {
            let pattern = item.to_string();
            let hit = pattern
                .split('|')
                .map(|part| part.trim_matches('*').to_lowercase())
                .find(|part| part == "." || text.contains(part.as_str()))?;
            Some(Match {
                kind: if pattern.contains('|') {
                    "alternative"
                } else {
                    "substring"
                },
                pattern,
                hit,
            })
        });
    let points = match memory.importance() {
        Some("critical") => 30.0,
        Some("high") => 25.0,
        Some("medium") => 15.0,
        _ => 5.0,
    };
    let title = memory.title.to_lowercase();
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| title.contains(word))
        .collect();
    let same = memory.author() == Some(&*task.agent);
    let factors = vec![
        Factor {
            name: "importance",
            points,
            detail: memory.importance().unwrap_or("none").to_owned(),
        },
        Factor {
            name: "title keywords",
            points: words.len() as f64 * 5.0,
            detail: words.join(", "),
        },
        Factor {
            name: "same discoverer",
            points: if same { 10.0 } else { 0.0 },
            detail: String::new(),
        },
    ];
    let (reason, hint) = match (&matched, memory.state, &memory.hidden) {
        (_, State::Archived, _) => (
            Reason::Archived,
            Some("restore it from the archive".to_owned()),
        ),
        (_, _, Some(_)) => (Reason::Invisible, None),
        (None, _, _) => {
            let word = text
                .split_whitespace()
                .max_by_key(|word| word.len())
                .unwrap_or("");
            (Reason::NoMatch, Some(format!("add `{word}` to whenToUse")))
        }
        (Some(_), _, _) => (Reason::Selected, None),
    };
    let word = text.split_whitespace().max_by_key(|word| word.len());
    let remedy = match reason {
        Reason::NoMatch => vec![FieldEdit::AddItem {
            field: "whenToUse".to_owned(),
            item: Value::from(word.unwrap_or_default()),
        }],
        _ => Vec::new(),
    };
    Verdict {
        remedy,
        is_unwritten: false,
        handed_out: false,
        memory: n,
        rank: None,
        score: Some(factors.iter().map(|factor| factor.points).sum()),
        factors,
        matched,
        reason,
        hint,
        tokens: memory.tokens as usize,
    }
}
