//! Answering what a rule asks about two memories.

use std::sync::Arc;

use super::super::msg::{Change, Effect};
use super::super::pair::{Answering, Pair};
use super::super::prompt::Question;
use super::super::proposal::{Proposal, propose};
use super::super::{Model, Page, View};
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
pub fn open(model: &mut Model) {
    let finding = question(model);
    let finding = finding.and_then(|n| model.world.finding(n));
    if let Some(pair) = finding.and_then(|finding| Pair::of(&model.world, finding)) {
        model.page = Page::Pair(Box::new(pair));
    } else if finding.is_some() {
        model.status.say("one of the two memories is gone", None);
    }
}

/// The one of the two that an answer gives up.
const fn loser<T: Copy>([a, b]: [T; 2], answer: Resolution) -> Option<T> {
    match answer {
        Resolution::KeepA => Some(b),
        Resolution::KeepB => Some(a),
        _ => None,
    }
}

/// The answers of the person to all rules that ask about the two, with what follows from them.
fn answers(pair: &Pair, answer: Resolution, scope: Option<&str>) -> Vec<Change> {
    let [a, b] = pair.ids();
    let rules = pair.rules().into_iter();
    let answers = rules.map(|rule| Change::Answer {
        rule: rule.to_owned(),
        a: a.clone(),
        b: b.clone(),
        answer,
        scope: scope.map(str::to_owned),
    });
    let archive = loser([a, b], answer).map(|loser| Change::Archive(vec![loser.clone()]));
    answers.chain(archive).collect()
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
pub fn answer(model: &mut Model, answer: Resolution, scope: Option<String>) -> Effects {
    let Some(pair) = current(model) else {
        return Vec::new();
    };
    let [a, b] = pair.ids();
    model.answering = Some(Answering {
        a: a.clone(),
        b: b.clone(),
        loser: loser([a, b], answer).cloned(),
    });
    model.apply(Change::Together(answers(&pair, answer, scope.as_deref())))
}

/// Asks in which case which of the two holds.
pub fn keep_both(model: &mut Model) -> Effects {
    match current(model) {
        Some(_) => model.ask(Question::Cases, ""),
        None => Vec::new(),
    }
}

/// Shows what the two would be as one.
pub fn propose_merge(model: &mut Model, into_second: bool) -> Effects {
    let Some(pair) = current(model) else {
        return Vec::new();
    };
    let [a, b] = pair.ids().map(Clone::clone);
    let (keep, with) = match into_second {
        true => (b.clone(), a.clone()),
        false => (a.clone(), b.clone()),
    };
    let mut all = answers(&pair, Resolution::Merge, None);
    all.push(Change::Merge {
        keep: keep.clone(),
        with: with.clone(),
        delete: false,
    });
    let title = format!("merge {with} into {keep}");
    let of = concerned(model, &keep, &with);
    let proposal = Proposal {
        answering: Some(Answering {
            a,
            b,
            loser: Some(with),
        }),
        behind: Some(Box::new(Page::Pair(Box::new(pair)))),
        ..Proposal::new(title, Change::Together(all), of)
    };
    propose(model, proposal)
}

/// The memories whose texts a merge is worked out from: the two, and those that name the second.
fn concerned(model: &Model, keep: &MemoryId, with: &MemoryId) -> Vec<Arc<Memory>> {
    let (keep, with) = (model.world.find(keep), model.world.find(with));
    let mut of: Vec<Arc<Memory>> = keep.into_iter().chain(with).cloned().collect();
    if let (Some(keep), Some(with)) = (keep, with) {
        let others = model.world.memories.iter();
        let names = |other: &&Arc<Memory>| !redirected(other, keep, with).is_empty();
        of.extend(others.filter(names).cloned());
    }
    of
}
