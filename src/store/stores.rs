//! The stores of a root: those that were found at the start, and those that appear later.

use std::sync::OnceLock;

use super::Store;

/// A list of stores that can grow while others read it.
#[derive(Default)]
pub struct Stores {
    first: Vec<Box<dyn Store>>,
    later: OnceLock<Box<Self>>,
}

impl Stores {
    /// All of them, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = &Box<dyn Store>> + Clone {
        let parts = std::iter::successors(Some(self), |part| part.later.get().map(|next| &**next));
        parts.flat_map(|part| part.first.iter())
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Adds some behind the others.
    pub fn join(&self, stores: Vec<Box<dyn Store>>) {
        if stores.is_empty() {
            return;
        }
        let mut rest = Box::new(Self::from(stores));
        let mut last = self;
        // If another thread was faster these come behind its own.
        while let Err(refused) = last.later.set(rest) {
            rest = refused;
            match last.later.get() {
                Some(next) => last = next,
                None => return,
            }
        }
    }
}

impl From<Vec<Box<dyn Store>>> for Stores {
    fn from(first: Vec<Box<dyn Store>>) -> Self {
        Self {
            first,
            later: OnceLock::new(),
        }
    }
}
