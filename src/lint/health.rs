//! Whether memories are of use: the repository's last commits and the tasks of a team are played
//! through each store's own policy.
//!
//! What a store selects whatever the task is, is not played. A store where little is ever
//! selected says so once, not in each memory.

mod always;
mod never;
mod patterns;
pub mod play;

use self::play::{Near, Outcome, Silent};
use super::chars::quote;
use super::place::Place;
use super::{Collector, Context, Facts, Look, Rule};
use crate::memory::{Role, Severity, StoreId};
use crate::retrieval::together::Way;

/// What came of playing each store, worked out once for all rules.
type Stores = Vec<Result<Outcome, (StoreId, Silent)>>;

/// A memory that no task selects.
pub(super) struct NeverSelected;

/// A memory that nearly every task selects.
pub(super) struct AlwaysSelected;

impl Rule for NeverSelected {
    fn id(&self) -> &'static str {
        "never-selected"
    }

    fn severity(&self) -> Severity {
        Severity::Info
    }

    fn title(&self) -> &'static str {
        "no recent commit, played as a task, selects the memory"
    }

    fn plays(&self) -> bool {
        true
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
        each((cx, facts, self.id()), out, never::report);
        not_played(cx, facts, out);
    }
}

impl Rule for AlwaysSelected {
    fn id(&self) -> &'static str {
        "always-selected"
    }

    fn severity(&self) -> Severity {
        Severity::Info
    }

    fn title(&self) -> &'static str {
        "nearly every recent commit, played as a task, selects the memory"
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

/// What is said once of a store that is too large to be played.
fn not_played(cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
    let large = stores(cx, facts).iter().filter_map(|played| match played {
        Err((store, Silent::TooMany)) => Some(store),
        _ => None,
    });
    for store in large {
        let first = cx
            .memories
            .iter()
            .position(|memory| memory.id.store == *store);
        let memory = first.and_then(|at| Some((at, cx.memories.get(at)?)));
        let Some((at, memory)) = memory else {
            continue;
        };
        let text = cx.texts.text(memory).unwrap_or_default();
        let look = Look::new(cx, facts, at, memory, &text);
        let says = "which memories tasks select was not checked: the store holds too many";
        let finding = look.finding("never-selected", Severity::Info, look.at(0));
        out.push(finding.sure(0.1).says(says));
    }
}

/// The place of a memory's patterns, or of one of them; where it begins where it has none.
fn look_at(look: &Look<'_>, item: Option<usize>) -> Place {
    match look.memory.schema.role(Role::Patterns) {
        Some(spec) => look.at_field(spec.name, item),
        None => look.at(0),
    }
}

/// The closest a memory came, in words.
fn near_said(outcome: &Outcome, near: &Near) -> String {
    let task = outcome.tasks.get(near.task);
    let task = quote(task.map_or("", |played| &played.task.text));
    let points = near.verdict.score.map_or(String::new(), |score| {
        let rounded = (score * 100.0).round() / 100.0;
        format!(" with {rounded} points")
    });
    let rank = near
        .rank
        .map_or(String::new(), |rank| format!("number {rank} "));
    let hint = near
        .verdict
        .hint
        .as_ref()
        .map_or(String::new(), |hint| format!(": {hint}"));
    format!("closest: {rank}for {task}{points}{hint}")
}
