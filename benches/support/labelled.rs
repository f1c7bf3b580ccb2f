//! Labelled texts: their rows, and lint on stores made of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memkeep::lint::repository::Project;
use memkeep::lint::{self, Context, Finding, Selection};
use memkeep::memory::schema::RAWKO;
use memkeep::memory::{Memory, MemoryId, Timestamp};
use memkeep::retrieval::{Snapshot, Texts};
use serde_json::Value;

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
                ..Memory::new(id, path.into(), &RAWKO)
            })
        };
        Self {
            memories: Arc::new(bodies.iter().enumerate().map(memory).collect()),
            bodies,
        }
    }

    /// What these rules find.
    pub fn lint(&self, rules: &[&str], project: &dyn Project) -> Vec<Finding> {
        let cx = Context::new(&self.memories, self, NOW, project);
        lint::run(&cx, &Selection::of(rules).unwrap())
    }
}

/// The rows of a file of JSON lines.
pub fn rows(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.trim().is_empty());
    rows.map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A text of a row; empty where there is none.
pub fn text(row: &Value, key: &str) -> String {
    row[key].as_str().unwrap_or_default().to_owned()
}
