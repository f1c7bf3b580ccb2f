//! Answering what a rule asks about two memories.

use std::sync::Arc;

use super::super::msg::{Change, Effect};
use super::super::pair::{Answering, Pair};
use super::super::prompt::Question;
use super::super::questions::{PlanChange, ReadPair};
use super::super::slots::Settle;
use super::super::{Model, Page, Proposal, View};
use crate::curate::Resolution;
use crate::curate::merge::redirected;
use crate::lint::Finding;
use crate::memory::{Memory, MemoryId};

type Effects = Vec<Effect>;

/// The question about two memories that the person is on: the finding where it is one, else one
/// about the memory, wherever it stands.
pub fn question(model: &Model) -> Option<usize> {
    let asks = |n: &usize| model.world.finding(*n).is_some_and(Finding::asks);
    let found = model.current_finding().filter(asks);
    if found.is_some() || model.view == View::Lint {
        return found;
    }
    let id = &model.current()?.id;
    let (own, with) = (model.world.findings_of(id), model.world.findings_with(id));
    own.iter().chain(with).find(|n| asks(n)).copied()
}

/// Shows the two memories that the finding asks about.
pub fn open(model: &mut Model) -> Effects {
    let finding = question(model);
    let finding = finding.and_then(|n| model.world.finding(n));
    if let Some(pair) = finding.and_then(|finding| Pair::of(&model.world, finding)) {
        model.page = Page::Pair(Box::new(pair));
    } else if finding.is_some() {
        model.status.say("one of the two memories is gone", None);
    }
    Vec::new()
}

/// The answers of the person to all rules that ask about the two, with what follows from them.
fn answers(pair: &Pair, answer: Resolution, scope: Option<String>) -> Vec<Change> {
    let [a, b] = pair.ids();
    let mut all: Vec<Change> = pair
        .rules()
        .into_iter()
        .map(|rule| Change::Answer {
            rule: rule.to_owned(),
            a: a.clone(),
            b: b.clone(),
            answer,
            scope: scope.clone(),
        })
        .collect();
    let loser = match answer {
        Resolution::KeepA => Some(b),
        Resolution::KeepB => Some(a),
        _ => None,
    };
    all.extend(loser.map(|loser| Change::Archive(vec![loser.clone()])));
    all
}

/// The pair that is shown, where it is what the stores hold; else says why it is not answered.
fn current(model: &mut Model) -> Option<Pair> {
    let Page::Pair(pair) = &model.page else {
        return None;
    };
    if pair.is_current(&model.world) {
        return Some((**pair).clone());
    }
    let what = "one of the two is reloading or cannot be read: no answer was saved";
    model.status.fail(what, None);
    None
}

/// Makes an answer.
fn answer(model: &mut Model, answer: Resolution, scope: Option<String>) -> Effects {
    let Some(pair) = current(model) else {
        return Vec::new();
    };
    let [a, b] = pair.ids().map(Clone::clone);
    let loser = match answer {
        Resolution::KeepA => Some(b.clone()),
        Resolution::KeepB => Some(a.clone()),
        _ => None,
    };
    model.answering = Some(Answering { a, b, loser });
    model.apply(Change::Together(answers(&pair, answer, scope)))
}

pub fn keep_a(model: &mut Model) -> Effects {
    answer(model, Resolution::KeepA, None)
}

pub fn keep_b(model: &mut Model) -> Effects {
    answer(model, Resolution::KeepB, None)
}

pub fn not_a_conflict(model: &mut Model) -> Effects {
    answer(model, Resolution::NotAConflict, None)
}

/// Asks in which case which of the two holds.
pub fn keep_both(model: &mut Model) -> Effects {
    match current(model) {
        Some(_) => model.ask(Question::Cases, ""),
        None => Vec::new(),
    }
}

/// Both hold, in the cases that were typed.
pub(super) fn accept_scope(model: &mut Model, scope: Option<String>) -> Effects {
    answer(model, Resolution::Both, scope)
}

pub fn merge(model: &mut Model) -> Effects {
    propose_merge(model, false)
}

pub fn merge_into_b(model: &mut Model) -> Effects {
    propose_merge(model, true)
}

/// Shows what the two would be as one.
fn propose_merge(model: &mut Model, into_second: bool) -> Effects {
    let Some(pair) = current(model) else {
        return Vec::new();
    };
    let [mut keep, mut with] = pair.ids().map(Clone::clone);
    if into_second {
        std::mem::swap(&mut keep, &mut with);
    }
    let mut all = answers(&pair, Resolution::Merge, None);
    all.push(Change::Merge {
        keep: keep.clone(),
        with: with.clone(),
        delete: false,
    });
    let [a, b] = pair.ids().map(Clone::clone);
    let of = concerned(model, &keep, &with);
    let proposal = Proposal {
        title: format!("merge {with} into {keep}"),
        about: None,
        change: Change::Together(all),
        of,
        diff: None,
        scroll: 0,
        answering: Some(Answering {
            a,
            b,
            loser: Some(with),
        }),
        behind: Some(Box::new(Page::Pair(Box::new(pair)))),
    };
    propose(model, proposal)
}

/// The memories whose texts a merge is worked out from: the two, and those that name the second.
fn concerned(model: &Model, keep: &MemoryId, with: &MemoryId) -> Vec<Arc<Memory>> {
    let ids = [keep.clone(), with.clone()];
    let of = model.world.all_of(&ids).into_iter();
    let mut of: Vec<Arc<Memory>> = of.cloned().collect();
    if let [keep, with] = ids
        .each_ref()
        .map(|id| of.iter().find(|one| one.id == *id).cloned())
        && let (Some(keep), Some(with)) = (keep, with)
    {
        let others = model.world.memories.iter();
        let names = |other: &&Arc<Memory>| !redirected(other, &keep, &with).is_empty();
        of.extend(others.filter(names).cloned());
    }
    of
}

impl Settle for ReadPair {
    fn settle(texts: Self::Answer, model: &mut Model) -> Vec<Effect> {
        if let Page::Pair(pair) = &mut model.page {
            pair.take(texts);
        }
        Vec::new()
    }
}

/// Shows a change before it is made.
pub fn propose(model: &mut Model, proposal: Proposal) -> Effects {
    let change = proposal.change.clone();
    model.page = Page::Fix(Box::new(proposal));
    vec![model.slots.ask(PlanChange(change))]
}
