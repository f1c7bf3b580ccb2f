//! Options that a policy gets for a store, and the faults it reports.

use std::collections::{BTreeMap, HashMap};

use super::Texts;
use crate::memory::{Memory, Role, Severity, Value};

/// Settings that only some policies know, by name: those of flags, and those of the system's own
/// configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options(BTreeMap<String, String>);

impl Options {
    /// No settings.
    pub const NONE: Self = Self(BTreeMap::new());

    /// Returns a setting's value.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Gives a setting a value.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.insert(name.into(), value.into());
    }

    /// Leaves out the settings whose names are not asked for.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.0.retain(|name, _| keep(name));
    }

    /// These settings, and where they say nothing those of another layer.
    pub fn over(mut self, below: &Self) -> Self {
        for (name, value) in &below.0 {
            self.0.entry(name.clone()).or_insert_with(|| value.clone());
        }
        self
    }
}

/// Error of a store as a whole, as its policy reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreFault {
    /// The lint rule that reports it.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The memory that it is shown at, by its index in the snapshot.
    pub memory: usize,
    /// The problem, in a sentence without a full stop.
    pub message: String,
    /// The evidence.
    pub evidence: Vec<String>,
}

impl StoreFault {
    /// Faults that every policy has in common; `memories` are the active ones of the store.
    pub fn of_any(
        memories: &[(usize, &Memory)],
        options: &Options,
        texts: &dyn Texts,
    ) -> Vec<Self> {
        let long = memories.iter().filter_map(|(index, memory)| {
            Some(Self {
                rule: "body-length",
                severity: Severity::Warning,
                memory: *index,
                message: too_long(memory, options, texts).or_else(|| heavy(memory))?,
                evidence: Vec::new(),
            })
        });
        Self::same_ids(memories).into_iter().chain(long).collect()
    }

    /// Memories that have the permanent id of another one.
    fn same_ids(memories: &[(usize, &Memory)]) -> Vec<Self> {
        let mut known: HashMap<&str, &Memory> = HashMap::new();
        let mut same = Vec::new();
        for (index, memory) in memories {
            let spec = memory.schema.role(Role::Id);
            let id = memory.role(Role::Id).and_then(Value::as_str);
            let Some((spec, id)) = spec.zip(id) else {
                continue;
            };
            let first = *known.entry(id).or_insert(memory);
            if first.id != memory.id {
                same.push(Self {
                    rule: "duplicate-id",
                    severity: Severity::Error,
                    memory: *index,
                    message: format!("{} has the same `{}`: {id}", first.id, spec.name),
                    evidence: vec![format!("{}:{}", first.path.display(), first.line)],
                });
            }
        }
        same
    }
}

/// Maximum number of tokens of a memory; more fill a large part of a model's context window.
const HEAVY: u32 = 25_000;

/// Why a memory is too large for a prompt, in formats without a recommended length.
fn heavy(memory: &Memory) -> Option<String> {
    let is_advised = memory.schema.can.advised_words.is_some();
    (memory.tokens > HEAVY && !is_advised)
        .then(|| format!("{} tokens in one memory: split it", memory.tokens))
}

/// Why a file is too long for its system, which reads a limited number of characters.
pub(super) fn too_long(memory: &Memory, options: &Options, texts: &dyn Texts) -> Option<String> {
    let most: usize = options.get("most-characters")?.parse().ok()?;
    // A file with few enough bytes has few enough characters, and is not read.
    let text = (memory.span.len() > most).then(|| texts.text(memory))??;
    let count = text.chars().count();
    let system = memory.schema.format;
    (count > most).then(|| format!("{count} characters, and {system} takes {most} of a file"))
}
