//! The queue for the screen.

use std::sync::Arc;

use rayon::prelude::*;

use super::assess;
use crate::app::review::{Card, Found, Queue};
use crate::curate::review::Entry;
use crate::lint::{Finding, mask};
use crate::retrieval::Snapshot;
use crate::store::review::Review;
use crate::store::review::guard::new_warnings;
use crate::workspace::Workspace;

/// Tells the queue as soon as it is known, and again with findings.
pub fn tell_queue(
    workspace: &Workspace,
    memories: &Snapshot,
    tell: &mut dyn FnMut(Result<Queue, String>),
) {
    let review = match Review::open(&workspace.collection, "HEAD", memories) {
        Ok(review) => review,
        Err(error) => return tell(Err(error.to_string())),
    };
    let found = |finding: Finding, is_new| Found {
        rule: finding.rule,
        severity: finding.severity,
        message: mask(&finding.message).into_owned(),
        is_new,
    };
    // Blocking warnings are known before the change can be accepted.
    let card = |entry: &Entry| Card {
        entry: Arc::new(entry.clone()),
        findings: {
            let warnings = new_warnings(entry, &workspace.collection).into_iter();
            warnings.map(|finding| found(finding, true)).collect()
        },
        effects: Vec::new(),
    };
    let mut queue = Queue {
        cards: review.entries.par_iter().map(card).collect(),
        notes: review.notes.clone(),
        is_assessed: false,
    };
    tell(Ok(queue.clone()));
    let all = assess(workspace, memories, &review.entries);
    for (card, assessed) in queue.cards.iter_mut().zip(all) {
        card.effects = assessed.effects;
        let findings = assessed.findings.into_iter();
        card.findings = findings
            .map(|(finding, is_new)| found(finding, is_new))
            .collect();
    }
    queue.is_assessed = true;
    tell(Ok(queue));
}
