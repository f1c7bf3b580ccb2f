//! The program without a screen: a message is applied together with everything that follows from
//! it, on one thread.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{answer, change};
use crate::app::msg::{Effect, Msg, Turn};
use crate::app::{Model, update};
use crate::retrieval::Snapshot;
use crate::workspace::orders::World;

/// The model and its world.
pub struct Lockstep {
    /// The model.
    pub model: Model,
    world: Arc<dyn World>,
    memories: Snapshot,
    /// The number of lint's facts beside the memories, once they are loaded.
    decided: Option<u64>,
}

impl Lockstep {
    /// The program on its loaded stores.
    pub fn start(model: Model, world: Arc<dyn World>) -> Self {
        let mut program = Self {
            model,
            world,
            memories: Snapshot::default(),
            decided: None,
        };
        let mut msgs = VecDeque::new();
        program.load(&mut msgs);
        program.send_all(msgs);
        program
    }

    /// Applies a message and everything that follows; returns what only a terminal can do.
    pub fn send(&mut self, msg: Msg) -> Vec<Effect> {
        self.send_all(VecDeque::from([msg]))
    }

    fn send_all(&mut self, mut msgs: VecDeque<Msg>) -> Vec<Effect> {
        let mut left = Vec::new();
        while let Some(msg) = msgs.pop_front() {
            for effect in update(&mut self.model, msg) {
                left.extend(self.carry_out(effect, &mut msgs));
            }
        }
        left
    }

    /// Does what an effect asks for and adds the answers, or gives the effect back.
    fn carry_out(&mut self, effect: Effect, msgs: &mut VecDeque<Msg>) -> Option<Effect> {
        let msg = match effect {
            Effect::Load => None,
            Effect::Ask(ticket, asked) => {
                let memories = &self.memories;
                let turn = Turn {
                    stop: &AtomicBool::new(false),
                    is_newest: &|| true,
                    memories: &|| Arc::clone(memories),
                };
                let asked = (asked.slot, ticket, asked.question);
                answer(&*self.world, asked, &turn, &mut |msg| msgs.push_back(msg));
                return None;
            }
            Effect::Commit(message) => {
                let done = self.world.commit(&message);
                Some(done.map_or_else(Msg::Failed, Msg::Committed))
            }
            other => match change(&*self.world, other, &self.memories) {
                Ok(msg) => Some(msg),
                Err(other) => return Some(*other),
            },
        };
        // The answer speaks of the stores as they are now.
        self.load(msgs);
        msgs.extend(msg);
        None
    }

    /// Reads the stores and the state of the repository around them.
    fn load(&mut self, msgs: &mut VecDeque<Msg>) {
        let loaded = self.world.load(&self.memories, &mut |_| true);
        self.memories = Arc::new(loaded.memories);
        self.world.index(&self.memories);
        let decided = self.world.decided();
        let known = self.decided.replace(decided);
        if known.is_some_and(|known| known != decided) {
            msgs.push_back(Msg::Decided);
        }
        let facts = self.world.git(&self.memories);
        msgs.extend([
            Msg::Snapshot(Arc::clone(&self.memories), loaded.problems),
            Msg::Git(facts.head, facts.news),
            Msg::Dates(self.world.dates(&self.memories)),
        ]);
        let waiting = self.world.waiting(&self.memories);
        msgs.extend(waiting.map(Msg::Waiting));
    }
}
