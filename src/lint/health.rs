//! Usefulness of memories: replays the last commits and a team's tasks through the policy of
//! each store. Stores that select the same for every task are not played.

mod always;
mod never;
pub mod patterns;
pub mod play;

use self::play::{Near, Outcome, Silent};
use super::chars::quote;
use super::position::Position;
use super::{Collector, Context, Facts, Rule, RuleInfo, Subject};
use crate::memory::{Role, Severity};
use crate::retrieval::StorePolicy;

/// The results of playing each store, worked out once for all rules.
type Stores = Vec<Result<Outcome, Silent>>;

/// A rule about what tasks select: its id, and its report on a store that was played.
pub(super) struct Health(
    &'static str,
    fn(&Context<'_>, &Facts, &Outcome, &mut Collector<'_>),
);

/// A memory that no task selects.
pub(super) static NEVER_SELECTED: Health = Health("never-selected", never::report);

/// A memory that nearly every task selects.
pub(super) static ALWAYS_SELECTED: Health = Health("always-selected", always::report);

impl Rule for Health {
    fn info(&self) -> RuleInfo {
        RuleInfo(self.0, Severity::Info)
    }

    fn plays(&self) -> bool {
        true
    }

    fn prepare(&self, cx: &Context<'_>, facts: &Facts) {
        stores(cx, facts, self.0);
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
        for outcome in stores(cx, facts, self.0) {
            match outcome {
                Ok(outcome) => (self.1)(cx, facts, outcome, out),
                Err(_) => facts.incomplete(self.0),
            }
        }
    }
}

/// The results of playing each store; the first rule that asks notes which stores were not played.
fn stores<'f>(cx: &Context<'_>, facts: &'f Facts, rule: &'static str) -> &'f Stores {
    facts.of(|| {
        let one = |way: &StorePolicy| {
            let outcome = Outcome::of(cx, (cx.play, way), play::tasks(cx, cx.play));
            if outcome.as_ref().is_err_and(|why| *why == Silent::TooMany) {
                let store = &way.store;
                let note = format!("{store} not played: it holds too many memories");
                facts.note(rule, note);
            }
            outcome
        };
        cx.play.policies.iter().map(one).collect()
    })
}

/// The place of a memory's patterns, or of one of them; where it begins where it has none.
fn position_of(subject: &Subject<'_>, item: Option<usize>) -> Position {
    match subject.memory.schema.role(Role::Patterns) {
        Some(spec) => subject.at_field(spec.name, item),
        None => subject.at(0),
    }
}

/// The closest a memory came, in words.
fn nearest_task(outcome: &Outcome, near: &Near) -> String {
    let task = outcome.tasks.get(near.task);
    let task = quote(task.map_or("", |played| &played.task.text));
    let verdict = &near.verdict;
    let rank = near.rank.map(|rank| format!("number {rank} "));
    let points = |score: f64| format!(" with {} points", (score * 100.0).round() / 100.0);
    let points = verdict.score.map(points);
    let hint = verdict.hint.as_ref().map(|hint| format!(": {hint}"));
    let [rank, points, hint] = [rank, points, hint].map(Option::unwrap_or_default);
    format!("closest: {rank}for {task}{points}{hint}")
}
