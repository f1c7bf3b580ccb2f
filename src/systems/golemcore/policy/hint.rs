//! Hints for memories that are left out.

use super::Run;
use super::candidate::{Facts, Standing};
use super::pack::{Pack, STRONG};
use super::select::Selection;
use crate::memory::edit::FieldEdit;
use crate::memory::{Timestamp, Value, plural};
use crate::retrieval::{Reason, Verdict};
use crate::systems::golemcore::{Instant, Layer, Tree};

/// Hint for a memory that fits no budget.
pub fn over_budget(missing: usize, tokens: usize, score: f64, pack: &Pack<'_>) -> String {
    let (budget, hard) = (pack.budget(score), pack.budget(STRONG));
    let more = if tokens > hard {
        format!("; no score makes room for it, for all of the budget is {hard}: shorten it")
    } else if budget >= hard {
        String::new()
    } else {
        format!("; a score of {STRONG} may go beyond it")
    };
    format!(
        "{} too many for its {tokens}: {} of {budget} are taken when its turn comes{more}",
        plural(missing, "token"),
        pack.used
    )
}

/// Adds the hint to a verdict on a memory that is not selected.
pub fn explain(run: &Run<'_>, selection: &Selection, verdict: &mut Verdict) {
    let Some(memory) = run.memory(verdict.memory) else {
        return;
    };
    let facts = Facts::of(memory);
    let (hint, remedy) = match verdict.reason {
        Reason::Disabled => (
            "memories are switched off: the setting `enabled` is false".to_owned(),
            None,
        ),
        Reason::Duplicate => (duplicate(run, selection, verdict.memory), None),
        Reason::OverLimit => (over_limit(run, selection, &facts, verdict.memory), None),
        _ => match run.plan.stands(&facts) {
            Err(standing) => standing_hint(run, memory, &facts, standing),
            Ok(()) => return,
        },
    };
    verdict.hint = Some(hint);
    verdict.remedy = remedy.into_iter().collect();
}

fn duplicate(run: &Run<'_>, selection: &Selection, at: usize) -> String {
    let first = selection.twin(at).and_then(|first| run.memory(first));
    let first = first.map_or(String::new(), |memory| memory.id.to_string());
    format!("{first} has the same fingerprint and stands before it; its place is wasted")
}

fn over_limit(run: &Run<'_>, selection: &Selection, facts: &Facts, at: usize) -> String {
    let places = run
        .plan
        .config
        .top_k
        .get(facts.layer as usize)
        .copied()
        .unwrap_or_default();
    let name = match facts.layer {
        Layer::Working => "workingTopK",
        Layer::Episodic => "episodicTopK",
        Layer::Semantic => "semanticTopK",
        Layer::Procedural => "proceduralTopK",
    };
    let layer = facts.layer.word();
    let own = selection.all().find(|candidate| candidate.memory == at);
    let Some(own) = own.filter(|_| places > 0) else {
        return format!("{layer} has no place: {name} is {places}");
    };
    let the = match places {
        1 => format!("the place of {layer} ({name}) goes"),
        _ => format!("the {places} places of {layer} ({name}) go"),
    };
    match selection.last_of(own) {
        Some(last) if last.key > own.key => format!(
            "{the} to {:.3} and better; it lacks {:.3}",
            last.key,
            last.key - own.key
        ),
        Some(last) => format!(
            "{the} to {:.3} and better; it has as much, and stands behind what is newer or before it",
            last.key
        ),
        None => format!(
            "{the} to nearer scopes first, whatever it scores: {name} of {} has one for it",
            selection.before(own) + 1
        ),
    }
}

type Remedy = Option<FieldEdit>;

fn standing_hint(
    run: &Run<'_>,
    memory: &crate::memory::Memory,
    facts: &Facts,
    standing: Standing,
) -> (String, Remedy) {
    let set = |field: &str, value: Value| {
        Some(FieldEdit::Set {
            field: field.to_owned(),
            value,
        })
    };
    let config = &run.plan.config;
    match standing {
        Standing::Archived => ("it is archived: restore it".to_owned(), None),
        Standing::Skipped | Standing::Unread => {
            let why = memory.hidden.as_deref().unwrap_or("the reader skips it");
            (why.to_owned(), None)
        }
        Standing::OutOfScope => {
            let scope = if run.plan.scopes.iter().any(|asked| **asked == *facts.tree) {
                &facts.scope
            } else {
                &facts.tree
            };
            (format!("its scope is not asked for: --scope {scope}"), None)
        }
        Standing::OtherDay => (other_day(run, facts), None),
        Standing::Ttl => {
            let since = facts.ttl_end.map_or(String::new(), day);
            (
                format!("its ttlDays were over on {since}; without `ttlDays` it lives on"),
                set("ttlDays", Value::Null),
            )
        }
        Standing::Decayed => {
            let stamp = facts.stamp.map_or(String::new(), day);
            let days = config.decay_days;
            let now = run.plan.now().timestamp().to_rfc3339();
            (
                format!(
                    "not updated since {stamp}, and decayDays is {days}: any edit sets `updatedAt`"
                ),
                set("updatedAt", Value::from(now)),
            )
        }
    }
}

fn other_day(run: &Run<'_>, facts: &Facts) -> String {
    let Tree::Day(day) = facts.file else {
        return String::new();
    };
    let back = run.plan.today().saturating_sub(day);
    if back < 0 {
        return "the day of its file is still to come".to_owned();
    }
    let most = run.plan.config.lookback;
    format!(
        "its day is {back} days back, and retrievalLookbackDays is {most}; promoting it keeps it"
    )
}

fn day(at: Instant) -> String {
    Timestamp::date(at.timestamp())
}
