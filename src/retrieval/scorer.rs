//! How a system decides: a policy with its options for a store and the faults it reports, and its
//! scorer at work on one snapshot.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use super::{Limits, Preview, Snapshot, Task, Texts, Verdict};
use crate::memory::schema::IMPORTANCE;
use crate::memory::{Memory, Role, Severity, Value};

/// Stands for the path of a store in the text of [`Policy::skill`].
pub const STORE: &str = "{store}";

/// How one system decides. A new system is a folder of `systems` and a row of its list.
#[derive(Clone, Copy)]
pub struct Policy {
    /// Its name in the contract.
    pub name: &'static str,
    /// Its dialects, the default first; empty where it has none.
    pub dialects: &'static [&'static str],
    /// The flags of `inject` that mean something to it, beside the task and the dialect.
    pub flags: &'static [&'static str],
    /// Checks a value of one of its flags or settings; the error names the possible values.
    pub check: fn(name: &str, value: &str) -> Result<(), String>,
    /// True if the task decides what it selects in a dialect.
    pub goes_by_task: fn(dialect: &str) -> bool,
    /// True if its system gives texts for a task; else `memkeep hook` ranks the memories.
    pub gives_texts: bool,
    /// True if it also gives a whole store as context; see [`super::whole`].
    pub gives_whole: bool,
    /// Settings under which a prompt speaks of nothing that only the system's own agent has, by
    /// name and value; `memkeep hook` hands prompts to other agents.
    pub for_other_agents: &'static [(&'static str, &'static str)],
    /// Days for which its system hands out a memory when an agent touches one of its files.
    pub touch_days: Option<i64>,
    /// True if its system takes the path of a file as it is written.
    pub literal_files: bool,
    /// Notes on settings that do nothing.
    pub notes: fn(&Limits) -> Vec<String>,
    /// The text that teaches an agent to use memories; [`STORE`] stands for the store's path.
    pub skill: Option<&'static str>,
    /// Returns errors of a store as a whole.
    pub faults: Faults,
    /// Makes a scorer; see [`Self::scorer`].
    pub scorer: fn(Snapshot) -> Box<dyn Scorer>,
}

/// Errors of a store as a whole, by its active memories and its system's configuration.
pub type Faults = fn(&[(usize, &Memory)], &Options, &dyn Texts) -> Vec<StoreFault>;

impl Policy {
    /// A policy that decides by the task and gives texts.
    pub const fn new(name: &'static str, scorer: fn(Snapshot) -> Box<dyn Scorer>) -> Self {
        Self {
            name,
            dialects: &[],
            flags: &[],
            check: |_, _| Ok(()),
            goes_by_task: |_| true,
            gives_texts: true,
            gives_whole: false,
            for_other_agents: &[],
            touch_days: None,
            literal_files: false,
            notes: |_| Vec::new(),
            skill: None,
            faults: |_, _, _| Vec::new(),
            scorer,
        }
    }

    /// Makes the scorer of a snapshot; cheap.
    pub fn scorer(&self, memories: Snapshot) -> Box<dyn Scorer> {
        (self.scorer)(memories)
    }

    /// Sets one of the policy's settings in a task or its limits. The error lists the valid values.
    pub fn set(
        &self,
        (name, value): (&str, &str),
        (task, limits): (&mut Task, &mut Limits),
    ) -> Result<(), String> {
        let number = || value.parse().map_err(|_| "a number".to_owned());
        match name {
            "max" => limits.max = Some(number()?),
            "budget" => limits.budget = Some(number()?),
            "min-importance" if IMPORTANCE.contains(&value) => {
                limits.min_importance = Some(value.to_owned());
            }
            "min-importance" => return Err(format!("one of {}", IMPORTANCE.join(", "))),
            "plan" => task.plan = Some(value.to_owned()),
            "history" => task.history = Some(value.to_owned()),
            name => {
                (self.check)(name, value)?;
                limits.options.set(name.to_owned(), value.to_owned());
            }
        }
        Ok(())
    }

    /// Its dialect with this name; empty, which stands for the default, where it has none.
    pub fn dialect(&self, name: &str) -> &'static str {
        let mut known = self.dialects.iter().copied();
        known.find(|known| *known == name).unwrap_or_default()
    }
}

/// A question to a scorer.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The task.
    pub task: &'a Task,
    /// The limits.
    pub limits: &'a Limits,
    /// Another version of one memory, by its index, to see the effect of an edit before it is made.
    pub what_if: Option<(usize, &'a Memory)>,
    /// The rejected memories that are reported; the best, as the limits say, where none are named.
    pub wanted: Option<&'a [usize]>,
    /// The texts of the memories.
    pub texts: &'a dyn Texts,
}

/// A policy at work on one snapshot.
pub trait Scorer: Send + Sync {
    /// Answers a question; an unchanged answer is the same allocation as that of the call before.
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview>;

    /// The preview for a task.
    fn preview(
        &self,
        task: &Task,
        limits: &Limits,
        what_if: Option<(usize, &Memory)>,
        texts: &dyn Texts,
    ) -> Arc<Preview> {
        self.answer(&Asked {
            task,
            limits,
            what_if,
            wanted: None,
            texts,
        })
    }

    /// The verdicts of single memories, ranks included, as of a preview without a budget.
    fn verdicts(
        &self,
        task: &Task,
        limits: &Limits,
        wanted: &[usize],
        texts: &dyn Texts,
    ) -> Vec<Verdict> {
        let limits = Limits {
            budget: None,
            ..limits.clone()
        };
        let preview = self.answer(&Asked {
            task,
            limits: &limits,
            what_if: None,
            wanted: Some(wanted),
            texts,
        });
        let all = preview.selected.iter().chain(&preview.rejected);
        let mut all: HashMap<usize, &Verdict> = all.map(|one| (one.memory, one)).collect();
        let verdicts = wanted.iter().filter_map(|at| all.remove(at));
        verdicts.cloned().collect()
    }
}

/// The flags of the policies that rank by all that a task says.
pub const RANKED_BY: &[&str] = &[
    "agent",
    "agent-file",
    "plan",
    "history",
    "file",
    "max",
    "min-importance",
    "budget",
];

impl fmt::Debug for Policy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name)
    }
}

/// Settings that only some policies know, by name: of flags and of the system's configuration.
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
