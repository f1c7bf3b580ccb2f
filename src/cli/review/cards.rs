//! The queue for the screen.

use std::sync::Arc;

use super::assess;
use crate::app::review::{Card, Found, Queue};
use crate::cli::session::Session;
use crate::lint::mask;
use crate::retrieval::Snapshot;
use crate::store::review::Review;

/// Tells the queue as soon as it is known, and again with findings.
pub fn tell_queue(
    session: &Session,
    memories: &Snapshot,
    tell: &mut dyn FnMut(Result<Queue, String>),
) {
    let review = match Review::open(&session.collection, "HEAD", memories) {
        Ok(review) => review,
        Err(error) => return tell(Err(error.to_string())),
    };
    let card = |entry: &crate::curate::review::Entry| Card {
        entry: Arc::new(entry.clone()),
        findings: Vec::new(),
        effects: Vec::new(),
    };
    let mut queue = Queue {
        cards: review.entries.iter().map(card).collect(),
        notes: review.notes.clone(),
        is_assessed: false,
    };
    tell(Ok(queue.clone()));
    let all = assess(session, memories, &review.entries);
    for (card, assessed) in queue.cards.iter_mut().zip(all) {
        card.effects = assessed.effects;
        let findings = assessed.findings.into_iter();
        card.findings = findings
            .map(|(finding, is_new)| Found {
                rule: finding.rule,
                severity: finding.severity,
                message: mask(&finding.message).into_owned(),
                is_new,
            })
            .collect();
    }
    queue.is_assessed = true;
    tell(Ok(queue));
}
