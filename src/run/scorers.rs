//! The scorer that previews share.

use std::sync::{Arc, Mutex};

use super::slot::lock;
use super::world::World;
use crate::retrieval::{Scorer, Snapshot};

/// The scorer of the newest snapshot, exchanged for an indexed one when that is ready.
pub(super) struct Scorers {
    world: Arc<dyn World>,
    newest: Mutex<Option<(Snapshot, Arc<dyn Scorer>)>>,
}

impl Scorers {
    /// None yet.
    pub fn new(world: &Arc<dyn World>) -> Self {
        Self {
            world: Arc::clone(world),
            newest: Mutex::default(),
        }
    }

    /// The scorer of a snapshot, indexed where that is done.
    pub fn of(&self, memories: &Snapshot) -> Arc<dyn Scorer> {
        let mut newest = lock(&self.newest);
        match &*newest {
            Some((known, scorer)) if Arc::ptr_eq(known, memories) => Arc::clone(scorer),
            _ => {
                let scorer: Arc<dyn Scorer> = Arc::from(self.world.scorer(memories));
                *newest = Some((memories.clone(), Arc::clone(&scorer)));
                scorer
            }
        }
    }

    /// Makes the many previews of a snapshot fast, while slow ones are answered.
    pub fn index(&self, memories: &Snapshot) {
        let mut scorer = self.world.scorer(memories);
        scorer.index(self.world.texts());
        let mut newest = lock(&self.newest);
        *newest = Some((memories.clone(), Arc::from(scorer)));
    }
}
