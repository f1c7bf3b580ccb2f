//! The thread on which a model is asked.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Out;
use crate::app::msg::{Effect, Msg};
use crate::run::slot::Slot;
use crate::run::world::World;

/// Starts the thread; `stop` ends what is being asked.
pub(super) fn ask(
    world: &Arc<dyn World>,
    out: &Out,
    stop: &Arc<AtomicBool>,
) -> io::Result<Slot<Effect>> {
    let (world, out, stop) = (Arc::clone(world), out.clone(), Arc::clone(stop));
    Slot::start("ask", move |effect| {
        if let Effect::Ask {
            ticket,
            memories,
            send,
        } = effect
        {
            let mut tell = |progress| {
                out.send(Msg::Asking { ticket, progress });
            };
            let outcome = world.ask(&memories, send, &stop, &mut tell);
            out.send(Msg::Asked { ticket, outcome });
        }
    })
}
