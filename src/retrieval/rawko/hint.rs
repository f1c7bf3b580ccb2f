//! What would bring a memory in that was left out.

use super::judge::Judge;
use super::score::{self, level};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Role, Value};
use crate::retrieval::{Reason, Verdict, js};

/// What a memory has to reach.
pub struct Goal {
    /// How many are selected at the most.
    pub places: usize,
    /// The score of the last of them, where every place is taken.
    pub last: Option<i64>,
}

/// The verdict with what would bring the memory in.
pub fn with_hint(mut verdict: Verdict, memory: &Memory, judge: &Judge<'_>, goal: &Goal) -> Verdict {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "scores are small whole numbers"
    )]
    let score = verdict.score.map_or(0, |score| score as i64);
    let (hint, remedy) = match verdict.reason {
        Reason::NoMatch | Reason::PatternTooSlow => no_match(memory, judge, goal, score),
        Reason::BelowImportance => below(memory, judge),
        Reason::OverLimit => over_limit(memory, goal, score),
        Reason::OverBudget => (
            "it does not fit into the budget: raise it, or shorten the memory".to_owned(),
            Vec::new(),
        ),
        Reason::Archived => ("it is archived: restore it".to_owned(), Vec::new()),
        Reason::Invisible => (
            memory
                .hidden
                .as_deref()
                .unwrap_or("the loader does not see it")
                .to_owned(),
            Vec::new(),
        ),
        Reason::Invalid => invalid(memory),
        _ => return verdict,
    };
    verdict.hint = Some(hint);
    verdict.remedy = remedy;
    verdict
}

/// Points that are missing to the last place; a tie is decided by the path.
fn short_of(goal: &Goal, score: i64) -> Option<i64> {
    goal.last
        .map(|last| last - score)
        .filter(|short| *short >= 0)
}

fn ordinal(n: usize) -> String {
    match n {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        5 => "fifth".to_owned(),
        n => format!("{n}th"),
    }
}

fn points_short(goal: &Goal, short: i64) -> String {
    let place = ordinal(goal.places);
    match short {
        0 => format!("level with the {place} place, which comes first by its path"),
        1 => format!("1 point short of the {place} place"),
        n => format!("{n} points short of the {place} place"),
    }
}

fn no_match(
    memory: &Memory,
    judge: &Judge<'_>,
    goal: &Goal,
    score: i64,
) -> (String, Vec<FieldEdit>) {
    let Some(token) = token(memory, judge) else {
        return (
            "the task has no word that a pattern could match".to_owned(),
            Vec::new(),
        );
    };
    let edit = FieldEdit::AddItem {
        field: "whenToUse".to_owned(),
        item: Value::from(token.as_str()),
    };
    let hint = match short_of(goal, score) {
        None => format!("add `{token}` to whenToUse"),
        Some(short) => format!(
            "add `{token}` to whenToUse; it is still {}",
            points_short(goal, short)
        ),
    };
    (hint, vec![edit])
}

/// The word of the task that says most of what the memory is about: one of its title or tags,
/// else the longest that bears meaning.
fn token(memory: &Memory, judge: &Judge<'_>) -> Option<String> {
    let lower = judge.text.lower.as_str();
    let task_end = lower
        .len()
        .saturating_sub(judge.task.agent.to_lowercase().len());
    let title = memory.title.to_lowercase();
    let known = |word: &str| {
        title.contains(word) || memory.tags().any(|tag| tag.eq_ignore_ascii_case(word))
    };
    let words = judge
        .text
        .stems()
        .iter()
        .filter(|(_, at)| at.end <= task_end);
    let words = words
        .filter_map(|(_, at)| lower.get(at.clone()))
        .filter(|word| js::len(word) > 1);
    words
        .max_by_key(|word| (known(word), js::len(word)))
        .map(ToOwned::to_owned)
}

fn below(memory: &Memory, judge: &Judge<'_>) -> (String, Vec<FieldEdit>) {
    let least = judge.least().unwrap_or("low");
    let own = memory.importance().unwrap_or_default();
    let edit = FieldEdit::Set {
        field: "importance".to_owned(),
        value: Value::from(least),
    };
    let hint = if level(own).is_some() {
        format!("below {least}: raise its importance to {least}")
    } else {
        format!("`{own}` is no importance: make it {least}")
    };
    (hint, vec![edit])
}

fn over_limit(memory: &Memory, goal: &Goal, score: i64) -> (String, Vec<FieldEdit>) {
    let short = short_of(goal, score).unwrap_or_default();
    let own = memory
        .importance()
        .and_then(level)
        .map_or(0, |(_, points)| points);
    let words = ["low", "medium", "high", "critical"];
    let enough = words.into_iter().find(|word| {
        let gain = level(word).map_or(0, |(_, points)| points) - own;
        gain > short && score + gain <= score::CAP
    });
    let base = points_short(goal, short);
    match enough {
        Some(word) => {
            let edit = FieldEdit::Set {
                field: "importance".to_owned(),
                value: Value::from(word),
            };
            (
                format!("{base}: importance {word} would bring it in"),
                vec![edit],
            )
        }
        None => (format!("{base}: ask for more with --max"), Vec::new()),
    }
}

fn invalid(memory: &Memory) -> (String, Vec<FieldEdit>) {
    let lacking = [Role::Title, Role::Patterns, Role::Importance, Role::Author]
        .into_iter()
        .filter(|role| memory.role(*role).is_none_or(|value| *value == Value::Null))
        .find_map(|role| memory.schema.role(role));
    let hint = match (lacking, memory.problems.first()) {
        (_, Some(problem)) if memory.fields.is_empty() => problem.message.to_string(),
        (Some(spec), _) => format!("give it `{}`", spec.name),
        (None, Some(problem)) => problem.message.to_string(),
        (None, None) => memory
            .hidden
            .as_deref()
            .unwrap_or("the specs' code fails on one of its patterns")
            .to_owned(),
    };
    (hint, Vec::new())
}
