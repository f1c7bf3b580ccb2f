//! Lint on stores made of texts.

use std::path::PathBuf;
use std::sync::Arc;

use memkeep::lint::repository::Project;
use memkeep::lint::{self, Context, Finding, Selection};
use memkeep::memory::format;
use memkeep::memory::{Memory, MemoryId, Timestamp};
use memkeep::retrieval::{Snapshot, Texts};
use memkeep::text::compare::Weights;

/// The clock of every run.
pub const NOW: Timestamp = Timestamp(1_793_491_200_000);

/// A store in memory: a body for each memory.
pub struct Store {
    memories: Snapshot,
    pub bodies: Vec<String>,
}

impl Texts for Store {
    fn body(&self, memory: &Memory) -> Option<String> {
        self.text(memory)
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        self.text(memory)
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        self.bodies
            .get(memory.id.local.parse::<usize>().ok()?)
            .cloned()
    }
}

impl Store {
    pub fn of(bodies: Vec<String>) -> Self {
        let memory = |(n, body): (usize, &String)| {
            let id = MemoryId::new(&"rawko".into(), n.to_string());
            let path = PathBuf::from(format!("/notes/{n:06}.md"));
            Arc::new(Memory {
                span: 0..body.len(),
                body: 0..body.len(),
                words: u32::try_from(body.split_whitespace().count()).unwrap(),
                ..Memory::new(id, path.into(), format::schema("rawko"))
            })
        };
        Self {
            memories: Arc::new(bodies.iter().enumerate().map(memory).collect()),
            bodies,
        }
    }

    /// What these rules find, with these models of pairs.
    pub fn lint(&self, rules: &[&str], project: &dyn Project, weights: &Weights) -> Vec<Finding> {
        let cx = Context {
            weights,
            ..Context::new(&self.memories, self, NOW, project)
        };
        lint::run(&cx, &Selection::of(rules).unwrap())
    }
}
