//! Reads what the memories do not hold: their texts, fields inside of others, what they name.

use std::io;
use std::sync::{Arc, Weak};

use super::{Out, Slot};
use crate::app::links::{self, Names};
use crate::app::msg::{Effect, Msg};
use crate::memory::Memory;
use crate::retrieval::Snapshot;
use crate::run::world::World;

/// Reads texts: of one memory, or of two that stand side by side.
pub(super) fn texts(
    name: &'static str,
    world: &Arc<dyn World>,
    out: &Out,
) -> io::Result<Slot<Effect>> {
    let (world, out) = (Arc::clone(world), out.clone());
    // Of a snapshot that may be gone: what is not there any more is not kept for its names.
    let mut names: Option<(Weak<Vec<Arc<Memory>>>, Names)> = None;
    let mut related = move |memory: &Memory, memories: &Snapshot| {
        if !links::names_any(memory) {
            return Vec::new();
        }
        let here = Arc::downgrade(memories);
        let kept = names.take().filter(|(of, _)| of.ptr_eq(&here));
        let (_, names) = names.insert(kept.unwrap_or_else(|| (here, Names::of(memories))));
        names.outgoing(memories, memory)
    };
    Slot::start(name, move |effect| {
        let text = |memory: &Memory| world.text(memory).map(Arc::from);
        let seen = |memory: &Memory| {
            let differs = memory.has_other_text();
            differs.then(|| world.texts().loader_body(memory).map(Arc::from))?
        };
        out.send(match effect {
            Effect::ReadText {
                ticket,
                memory,
                memories,
            } => Msg::Text {
                ticket,
                id: memory.id.clone(),
                text: text(&memory),
                inner: world.texts().inner(&memory),
                beside: world.texts().beside(&memory),
                seen: seen(&memory),
                related: related(&memory, &memories),
            },
            Effect::ReadTexts { ticket, memories } => Msg::Texts {
                ticket,
                texts: memories.map(|memory| text(&memory)),
            },
            Effect::ReadVersions { ticket, memory } => Msg::Versions {
                ticket,
                versions: world.versions(&memory),
            },
            Effect::ReadArchived { ticket, memories } => Msg::Archived {
                ticket,
                by: world.archived(&memories),
            },
            Effect::ReadCandidates { ticket, memories } => Msg::Candidates {
                ticket,
                candidates: world.candidates(&memories),
            },
            Effect::ReadChanges { ticket } => Msg::Changes {
                ticket,
                changes: world.changes(),
            },
            _ => return,
        });
    })
}
