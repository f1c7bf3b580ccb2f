//! A change that is shown before it is made, and the one that would bring a memory into the selection.

use std::collections::HashMap;
use std::sync::Arc;

use super::lints::{self, Key};
use super::msg::{Change, Failure, Question, Slot};
use super::world::{World, stamp};
use super::{Model, Page, View};
use crate::memory::edit::{FieldEdit, wanted};
use crate::memory::{Memory, MemoryId};
use crate::retrieval::Reason;

#[derive(Clone, Debug)]
pub struct Proposal {
    pub title: String,
    /// The finding it puts right, where it is one: what it is known by, and its index.
    pub about: Option<(Key, usize)>,
    pub change: Change,
    /// The memories as they were when lint worked the change out.
    pub of: Vec<Arc<Memory>>,
    /// Its unified diff, when it is worked out.
    pub diff: Option<Arc<str>>,
    pub scroll: usize,
    pub behind: Option<Box<Page>>,
}

impl Proposal {
    /// A change of these memories that is about no finding.
    pub fn new(title: String, change: Change, of: Vec<Arc<Memory>>) -> Self {
        Self {
            title,
            about: None,
            change,
            of,
            diff: None,
            scroll: 0,
            behind: None,
        }
    }

    /// True if a memory is not as it was when the change was worked out.
    fn is_outdated(&self, world: &World) -> bool {
        let now = world.memories.iter().map(|now| (&now.id, now.stamp));
        let now: HashMap<&MemoryId, _> = now.collect();
        let is_other = |was: &Arc<Memory>| now.get(&was.id) != Some(&was.stamp);
        self.of.iter().any(is_other)
    }
}

/// Plans a change without making it.
#[derive(Debug)]
pub struct PlanChange(pub Change);

impl Question for PlanChange {
    const SLOT: Slot = "plan";
    /// The unified diff, and the number of places that still mention a name that is lost.
    type Answer = Result<(Arc<str>, usize), Failure>;

    /// Shows the diff, as what is proposed or beside the finding it is of.
    fn settle(plan: Self::Answer, model: &mut Model) {
        let Page::Fix(proposal) = &mut model.page else {
            model.lints.diff = plan.ok().map(|(diff, _)| diff);
            return;
        };
        match plan {
            Ok((diff, mentions)) => {
                proposal.diff = Some(diff);
                if mentions > 0 && matches!(proposal.change, Change::Fix(_)) {
                    model.say(format!("{mentions} places still mention the old name"));
                }
            }
            Err(failure) => {
                model.status.fail(failure.what, failure.hint);
                model.page = proposal.behind.take().map_or(Page::Usual, |page| *page);
            }
        }
    }
}

pub fn propose(model: &mut Model, proposal: Proposal) {
    let change = proposal.change.clone();
    model.page = Page::Fix(Box::new(proposal));
    model.request(PlanChange(change));
}

pub fn apply(model: &mut Model) {
    match &model.page {
        // It would write the text that lint read over what was written since.
        Page::Fix(proposal) if proposal.is_outdated(&model.world) => {
            model.fail("the file changed on disk: refreshing the preview");
        }
        Page::Fix(proposal) => {
            let change = proposal.change.clone();
            model.apply(change);
        }
        _ => {}
    }
}

impl Model {
    /// The findings are others: a fix stays where there still is its finding, and its memories are as
    /// they were.
    pub(super) fn renew_proposal(&mut self) {
        self.renew_pair();
        let Page::Fix(proposal) = &mut self.page else {
            return;
        };
        let world = &self.world;
        let is_gone = proposal.about.as_mut().is_some_and(|(key, about)| {
            let is_it = |n: &&usize| lints::key_at(world, **n).as_ref() == Some(&*key);
            let now = world.findings_of(&key.0).iter().find(is_it);
            *about = now.copied().unwrap_or(*about);
            now.is_none()
        });
        let is_outdated = proposal.is_outdated(world);
        if is_outdated {
            self.fail("files changed on disk: review the fix again");
        }
        if is_gone || is_outdated {
            self.page = Page::Usual;
        }
    }

    /// The fix of a finding, to be shown.
    pub(super) fn fix_of(&self, n: usize) -> Option<Proposal> {
        let finding = self.world.finding(n)?;
        let title = finding.fix.as_deref()?.title.clone();
        let fixes = finding.each().filter_map(|one| one.fix.as_deref());
        let mut of = Vec::new();
        let mut changes = Vec::new();
        for fix in fixes {
            of.push(Arc::clone(self.world.linted(fix.memory)?));
            changes.push(fix.change.clone());
        }
        let mut proposal = Proposal::new(title, Change::Fix(changes), of);
        proposal.about = Some((lints::key_at(&self.world, n)?, n));
        Some(proposal)
    }
}

pub fn ask_fix(model: &mut Model) {
    let is_shown = model.view == View::Lint && matches!(model.page, Page::Usual);
    let current = model.lints.current();
    let current = current.filter(|_| is_shown && model.editor.is_none());
    let of = current.and_then(|n| {
        let key = lints::key_at(&model.world, n)?;
        Some((n, key, stamp(&model.world.linted_all)))
    });
    if model.lints.asked_fix == of {
        return;
    }
    model.lints.diff = None;
    model.lints.asked_fix = of;
    if let Some(proposal) = current.and_then(|n| model.fix_of(n)) {
        model.request(PlanChange(proposal.change));
    }
}

/// An edit that brings a memory in.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    pub title: String,
    pub change: Change,
}

/// The edit that brings the current memory into the selection for the current task.
pub fn suggestion(model: &Model) -> Option<Suggestion> {
    if model.view == View::Lint {
        return None;
    }
    let index = model.current_index()?;
    let memory = model.world.memory(index)?;
    let verdict = model.inject.verdict(index)?;
    if !verdict.remedy.is_empty() {
        let titles: Vec<String> = verdict.remedy.iter().filter_map(title).collect();
        return Some(Suggestion {
            title: titles.join(", "),
            change: Change::edit(&memory.id, verdict.remedy.clone()),
        });
    }
    match verdict.reason {
        Reason::Archived => Some(Suggestion {
            title: "restore it from the archive".to_owned(),
            change: Change::Restore(vec![memory.id.clone()]),
        }),
        Reason::Invisible | Reason::Invalid => {
            let mut findings = model.world.own_findings(&memory.id);
            let fix = findings.find_map(|finding| finding.fix.as_deref())?;
            Some(Suggestion {
                title: fix.title.clone(),
                change: Change::Fix(vec![fix.change.clone()]),
            })
        }
        _ => None,
    }
}

fn title(edit: &FieldEdit) -> Option<String> {
    match edit {
        FieldEdit::AddItem { field, item } => Some(format!("add `{item}` to {field}")),
        FieldEdit::Set { field, value } => Some(format!("make {field} {value}")),
        _ => None,
    }
}

/// A memory as edits of its fields would make it; none where they are about its text.
pub fn edited(memory: &Memory, edits: &[FieldEdit]) -> Option<Memory> {
    let is_text = |edit| matches!(edit, &FieldEdit::Body(_) | &FieldEdit::Text(_));
    if edits.is_empty() || edits.iter().any(is_text) {
        return None;
    }
    let mut edited = memory.clone();
    for edit in edits {
        if let Some(fields) = wanted(&edited.fields, edit).ok()? {
            edited.fields = fields.into_iter().collect();
        }
    }
    Some(edited)
}
