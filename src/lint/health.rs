//! Whether memories are of use: replays the last commits and a team's tasks through the policy of
//! each store. Stores that select the same for every task are not played.

mod always;
mod never;
mod patterns;
pub mod play;

use self::play::{Near, Outcome, Silent};
use super::chars::quote;
use super::position::Position;
use super::{Collector, Context, Facts, Rule, RuleInfo, Subject};
use crate::memory::{Role, Severity, StoreId};
use crate::retrieval::together::Way;

/// What came of playing each store, worked out once for all rules.
type Stores = Vec<Result<Outcome, (StoreId, Silent)>>;

/// A memory that no task selects.
pub(super) struct NeverSelected;

/// A memory that nearly every task selects.
pub(super) struct AlwaysSelected;

impl Rule for NeverSelected {
    fn info(&self) -> RuleInfo {
        RuleInfo("never-selected", Severity::Info)
    }

    fn plays(&self) -> bool {
        true
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
        each((cx, facts, self.id()), out, never::report);
        for played in stores(cx, facts) {
            if let Err((store, Silent::TooMany)) = played {
                let note = format!("{store} not played: it holds too many memories");
                facts.note(self.id(), note);
            }
        }
    }
}

impl Rule for AlwaysSelected {
    fn info(&self) -> RuleInfo {
        RuleInfo("always-selected", Severity::Info)
    }

    fn plays(&self) -> bool {
        true
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
        each((cx, facts, self.id()), out, always::report);
    }
}

/// Reports on each store that was played.
fn each(
    (cx, facts, rule): (&Context<'_>, &Facts, &'static str),
    out: &mut Collector<'_>,
    report: fn(&Context<'_>, &Facts, &Outcome, &mut Collector<'_>),
) {
    let stores = stores(cx, facts);
    for outcome in stores.iter().flatten() {
        report(cx, facts, outcome, out);
    }
    if stores.iter().any(Result::is_err) {
        facts.incomplete(rule);
    }
}

/// What came of playing each store.
fn stores<'f>(cx: &Context<'_>, facts: &'f Facts) -> &'f Stores {
    facts.of(|| {
        let one = |way: &Way| {
            let of = |why| (way.store.clone(), why);
            Outcome::of(cx, (cx.play, way), play::tasks(cx, cx.play)).map_err(of)
        };
        cx.play.ways.iter().map(one).collect()
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
fn near_said(outcome: &Outcome, near: &Near) -> String {
    let task = outcome.tasks.get(near.task);
    let mut says = "closest: ".to_owned();
    says += &near
        .rank
        .map_or(String::new(), |rank| format!("number {rank} "));
    says += &format!("for {}", quote(task.map_or("", |played| &played.task.text)));
    if let Some(score) = near.verdict.score {
        says += &format!(" with {} points", (score * 100.0).round() / 100.0);
    }
    let hint = near.verdict.hint.as_ref();
    says + &hint.map_or(String::new(), |hint| format!(": {hint}"))
}
