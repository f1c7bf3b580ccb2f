//! `memkeep lint`: findings, and their fixes.

use std::sync::Arc;

use super::session::Session;
use crate::lint::{self, Context, Selection};
use crate::memory::Memory;
use crate::search::query::Marks;

/// What lint says of each memory.
pub fn marks(session: &Session, memories: &[Arc<Memory>]) -> Vec<Marks> {
    let snapshot = Arc::new(memories.to_vec());
    let cx = Context { memories: &snapshot, texts: &session.collection, now: session.now };
    lint::marks(memories.len(), &lint::run(&cx, &Selection::all()))
}
