//! Asks for the findings, and for the fix of the selected one.

use std::sync::Arc;

use super::lints::key_at;
use super::msg::{Question, Slot};
use super::proposal::{self, PlanChange};
use super::world::stamp;
use super::{Model, Page, View};
use crate::lint::Digest;
use crate::retrieval::Snapshot;

/// Lints a snapshot.
#[derive(Debug)]
pub struct Lint(pub Snapshot);

impl Question for Lint {
    const SLOT: Slot = "lint";
    const ASIDE: bool = true;
    /// The snapshot that the indexes stand for, and its findings.
    type Answer = (Snapshot, Digest);

    fn settle((memories, digest): Self::Answer, model: &mut Model) {
        model.world.linted_as(memories, digest);
        model.lints.running = false;
        model.lints.known = true;
        model.arrange_lints();
        proposal::renew(model);
    }
}

/// Every complete snapshot is linted.
pub fn ask(model: &mut Model) {
    let now = stamp(&model.world.memories);
    if !model.world.complete || model.lints.asked == Some(now) {
        return;
    }
    model.lints.asked = Some(now);
    model.lints.running = true;
    model.request(Lint(Arc::clone(&model.world.memories)));
}

/// Lints again: something beside the memories changed.
pub fn lint_again(model: &mut Model) {
    model.lints.asked = None;
    model.inject.saved.asked = None;
}

/// Plans the fix of the selected finding.
pub fn ask_fix(model: &mut Model) {
    let is_shown = model.view == View::Lint && matches!(model.page, Page::Usual);
    let current = model.lints.current();
    let current = current.filter(|_| is_shown && model.editor.is_none());
    let of = current.and_then(|n| {
        let key = key_at(&model.world, n)?;
        Some((n, key, stamp(model.world.linted_all())))
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
