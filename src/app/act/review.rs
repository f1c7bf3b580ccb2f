//! Deciding on the entries of the review queue.

use super::super::hints::number;
use super::super::layout::areas;
use super::super::line::Line;
use super::super::msg::{Change, Effect};
use super::super::review::Decision;
use super::super::status::Why;
use super::super::{Model, Overlay, Pane, update};
use super::edits::{MANY, ask_again};
use crate::memory::MemoryId;

type Effects = Vec<Effect>;

/// The entry the person stands on.
fn current(model: &Model) -> Vec<MemoryId> {
    let card = model.review.current();
    card.map(|card| card.entry.id.clone()).into_iter().collect()
}

/// Makes a decision on entries.
fn decide(model: &mut Model, ids: Vec<MemoryId>, decision: Decision) -> Effects {
    if ids.is_empty() {
        return Vec::new();
    }
    let change = match decision {
        Decision::Kept => Change::Keep(ids.clone()),
        Decision::Rejected => Change::Reject(ids.clone(), None),
        Decision::Skipped => {
            model.review.decide(&ids, decision);
            return Vec::new();
        }
    };
    let effects = update::apply(model, change);
    if !effects.is_empty() {
        model.review.decide(&ids, decision);
    }
    effects
}

/// Keeps the change, where it is in sight: on a small screen it is opened first.
pub fn keep(model: &mut Model) -> Effects {
    if model.pane == Pane::List && areas(model).side.is_empty() {
        model.pane = Pane::Side;
        return Vec::new();
    }
    let ids = current(model);
    decide(model, ids, Decision::Kept)
}

pub fn reject(model: &mut Model) -> Effects {
    let ids = current(model);
    decide(model, ids, Decision::Rejected)
}

pub fn skip(model: &mut Model) -> Effects {
    let ids = current(model);
    decide(model, ids, Decision::Skipped)
}

/// Repeats the last decision for all waiting entries of this kind; keeps them if there was none.
pub fn all_alike(model: &mut Model) -> Effects {
    const COMMAND: &str = "all-alike";
    let ids = model.review.alike();
    let decision = model.review.last.unwrap_or(Decision::Kept);
    let again = model.asked_again.take();
    if ids.len() > MANY && again.is_none_or(|again| again.command != COMMAND || again.ids != ids) {
        let verb = match decision {
            Decision::Kept => "Keep",
            Decision::Rejected => "Reject",
            Decision::Skipped => "Skip",
        };
        let what = format!("{verb} {} changes?", number(ids.len()));
        return ask_again(model, COMMAND, ids, (Why::Many, &what));
    }
    decide(model, ids, decision)
}

/// Asks for the commit message.
pub fn commit(model: &mut Model) -> Effects {
    let message = model.review.message();
    let first = message.lines().next().unwrap_or_default();
    model.overlay = Some(Overlay::Message(Line::new(first)));
    Vec::new()
}

/// Commits with the message that is typed; the list of memories stays below it.
pub fn accept_message(model: &mut Model) -> Effects {
    let Some(Overlay::Message(line)) = model.overlay.take() else {
        return Vec::new();
    };
    let first = line.text().trim().to_owned();
    if first.is_empty() {
        model
            .status
            .say("nothing is committed without a message", None);
        return Vec::new();
    }
    let suggested = model.review.message();
    let rest = suggested.split_once('\n').map_or("", |(_, rest)| rest);
    vec![Effect::Commit(format!("{first}\n{rest}"))]
}
