//! The worker that answers queries.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::Out;
use crate::app::msg::{Effect, Msg};
use crate::memory::{Fields, Memory};
use crate::retrieval::Snapshot;
use crate::run::slot::{Slot, lock};
use crate::run::world::{Searcher, World};
use crate::search::filter::Reads;

/// The searcher of the newest snapshot, made before it is asked for.
pub(super) type Ready = Arc<Mutex<Option<(Snapshot, Box<dyn Searcher>)>>>;

/// Filters a snapshot; `newest` is the newest question there is.
pub(super) fn filter(
    world: &Arc<dyn World>,
    out: &Out,
    ready: &Ready,
    newest: &Arc<AtomicU64>,
) -> io::Result<Slot<Effect>> {
    let (world, out) = (Arc::clone(world), out.clone());
    let (ready, newest) = (Arc::clone(ready), Arc::clone(newest));
    let mut made: Option<(Snapshot, Box<dyn Searcher>)> = None;
    Slot::start("filter", move |effect| {
        let Effect::Filter {
            ticket,
            query,
            memories,
            marks,
            within,
            texts,
        } = effect
        else {
            return;
        };
        let same = |made: &(Snapshot, Box<dyn Searcher>)| Arc::ptr_eq(&made.0, &memories);
        let kept = made
            .take()
            .filter(same)
            .or_else(|| lock(&ready).take_if(|made| same(made)));
        let (_, searcher) = made.insert(kept.unwrap_or_else(|| {
            let searcher = world.searcher(&memories);
            (memories, searcher)
        }));
        let within = within.as_ref().map(|rows| rows.as_slice());
        // Reading takes seconds in a large store; nobody sees the answer to an older question.
        let inner = |memory: &Memory| {
            if newest.load(Ordering::Relaxed) == ticket {
                world.texts().inner(memory)
            } else {
                Fields::default()
            }
        };
        let body = |memory: &Memory| {
            let asked = newest.load(Ordering::Relaxed) == ticket;
            asked.then(|| world.texts().said(memory)).flatten()
        };
        let reads = Reads {
            inner: &inner,
            body: texts.then_some(&body),
        };
        let hits = searcher.filter(&query, &marks, within, reads);
        out.send(Msg::Filtered { ticket, hits });
    })
}
