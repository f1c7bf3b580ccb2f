//! Deciding on the entries of the review queue.

use super::super::msg::{Change, Effect};
use super::super::overlay::Question;
use super::super::queue::{Card, Decision};
use super::super::status::Why;
use super::super::{Model, View};
use super::edits::{MANY, ask_again, asked};
use crate::curate::differences::Kind;
use crate::memory::{MemoryId, number};

/// The entry the person stands on.
fn current(model: &Model) -> Vec<MemoryId> {
    let card = model.review.current();
    card.map(|card| card.entry.id.clone()).into_iter().collect()
}

/// Makes a decision on entries, by a change of the stores.
fn decide(model: &mut Model, change: Change, decision: Decision) {
    let ids: Vec<MemoryId> = change.ids().into_iter().cloned().collect();
    if ids.is_empty() {
        return;
    }
    model.apply(change);
    model.review.decide(&ids, decision);
}

/// Accepts changes; with `sure` those too that bring a secret or an instruction to the reader.
fn accepted(model: &mut Model, ids: Vec<MemoryId>, sure: bool) {
    decide(model, Change::Accept { ids, sure }, Decision::Accepted);
}

pub fn accept(model: &mut Model) {
    let ids = current(model);
    accepted(model, ids, false);
}

/// Takes the decision on the current change back, else the last change.
pub fn undo(model: &mut Model) {
    let decided = model.review.decided();
    let decided = decided.filter(|_| model.view == View::Review);
    model.send(decided.cloned().map_or(Effect::Undo, Effect::UndoDecision));
}

/// Rejects the proposals that say nearly the same as one that was accepted.
pub fn reject_others(model: &mut Model, others: Vec<MemoryId>) {
    const WHY: &str = "another proposal says nearly the same";
    if !others.is_empty() {
        model.review.mark(&others, Decision::Rejected);
        model.apply(Change::Reject(others, Some(WHY.to_owned())));
    }
}

/// Accepts the change in spite of a new secret or instruction to the reader, after one question.
pub fn accept_anyway(model: &mut Model) {
    const COMMAND: &str = "keep-anyway";
    let ids = current(model);
    if asked(model, COMMAND, &ids).is_some() {
        return accepted(model, ids, true);
    }
    let warning = model.review.current().and_then(Card::warning);
    let what = warning.map(|found| format!("{}: {}. Keep it anyway?", found.rule, found.message));
    ask_again(model, COMMAND, ids, (Why::Doubt, &what.unwrap_or_default()));
}

/// Rejects the change, and the proposals that say nearly the same.
pub fn reject(model: &mut Model) {
    let mut ids = current(model);
    ids.extend(model.review.current().into_iter().flat_map(Card::other_ids));
    decide(model, Change::Reject(ids, None), Decision::Rejected);
}

pub fn skip(model: &mut Model) {
    let ids = current(model);
    model.review.decide(&ids, Decision::Skipped);
}

/// Accepts all waiting changes of this kind that carry no warning. Asks before deletions, and where
/// they are many.
pub fn accept_all(model: &mut Model) {
    const COMMAND: &str = "accept-all";
    let alike = model.review.alike();
    let deleted = alike.iter().filter(|card| card.entry.kind == Kind::Deleted);
    let deleted = deleted.count();
    let ids: Vec<MemoryId> = alike.iter().map(|card| card.entry.id.clone()).collect();
    let asks = deleted > 0 || ids.len() > MANY;
    if asks && asked(model, COMMAND, &ids).is_none() {
        let what = match deleted {
            0 => format!("Accept {} changes?", number(ids.len())),
            1 => "Accept 1 deletion?".to_owned(),
            many => format!("Accept {} deletions?", number(many)),
        };
        return ask_again(model, COMMAND, ids, (Why::Many, &what));
    }
    accepted(model, ids, false);
}

/// Asks for the commit message.
pub fn commit(model: &mut Model) {
    let message = model.review.message();
    let first = message.lines().next().unwrap_or_default();
    model.ask(Question::Message, first);
}

/// Commits with the message that is typed; the list of memories stays below it.
pub(super) fn commit_with(model: &mut Model, first: Option<String>) {
    let Some(first) = first else {
        let what = "nothing is committed without a message";
        return model.status.say(what, None);
    };
    let suggested = model.review.message();
    let rest = suggested.split_once('\n').map_or("", |(_, rest)| rest);
    model.send(Effect::Commit(format!("{first}\n{rest}")));
}
