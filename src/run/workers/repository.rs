//! The worker that asks the repository for changes, and counts those that wait for review.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::sync::Arc;

use super::Out;
use crate::app::msg::Msg;
use crate::retrieval::Snapshot;
use crate::run::slot::Slot;
use crate::workspace::orders::World;

pub(super) fn git(world: &Arc<dyn World>, out: &Out) -> io::Result<Slot<Snapshot>> {
    let (world, out) = (Arc::clone(world), out.clone());
    // As a number: of a store that was never committed they name every file.
    let mut last: Option<u64> = None;
    let mut told = None;
    Slot::start("git", move |memories: Snapshot| {
        let facts = world.git(&memories);
        if facts.unknown != told {
            told.clone_from(&facts.unknown);
            let notice = facts.unknown.clone();
            notice.map(|notice| out.send(Msg::Notice(notice)));
        }
        let mut hasher = DefaultHasher::new();
        facts.hash(&mut hasher);
        if last.replace(hasher.finish()) != Some(hasher.finish()) {
            out.send(Msg::Git {
                head: facts.head,
                changed: facts.changed,
                same: facts.same,
            });
        }
        if let Some(count) = world.waiting(&memories) {
            out.send(Msg::Waiting(count));
        }
    })
}
