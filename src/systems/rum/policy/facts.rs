//! Facts of a memory that recall compares, small enough to be gone through at every key.

use rayon::prelude::*;

use crate::memory::{Memory, Problem, Severity, State, Value};
use crate::retrieval::{Reason, Snapshot};
use crate::systems::rum::RUM;

/// Default importance (`rum-memory-schema`, "SQLite Schema").
const IMPORTANCE: f64 = 0.5;

/// Facts of one memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Why recall does not return it, whatever is asked.
    pub never: Option<Reason>,
    /// When it was made, milliseconds since 1970; the system's database always says.
    pub created: i64,
    /// 0 to 1.
    pub importance: f64,
    /// True if it came off; the column is false where it is 0.
    pub success: bool,
    /// True if the system has stored numbers for its meaning.
    pub embedded: bool,
}

impl Facts {
    /// Those of a snapshot.
    pub fn of_all(memories: &Snapshot) -> Vec<Self> {
        memories.par_iter().map(|memory| Self::of(memory)).collect()
    }

    /// Those of one memory.
    pub fn of(memory: &Memory) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "0 or 1 where it is right")]
        let importance = match memory.field("importance") {
            Some(Value::Int(number)) => *number as f64,
            Some(Value::Float(number)) if number.is_finite() => *number,
            _ => IMPORTANCE,
        };
        Self {
            never: never(memory),
            created: memory.created.map_or(0, |at| at.0),
            importance,
            success: memory.field("success") == Some(&Value::Bool(true)),
            embedded: memory.field("embedding").is_some(),
        }
    }
}

fn never(memory: &Memory) -> Option<Reason> {
    if memory.state == State::Archived {
        Some(Reason::Archived)
    } else if !std::ptr::eq(memory.schema, &*RUM) {
        Some(Reason::NotApplicable)
    } else if memory.hidden.is_some() {
        // A row that is intact and hidden is one of another project.
        let breaks =
            |problem: &Problem| problem.rule == "load-error" && problem.severity == Severity::Error;
        let is_broken = memory.problems.iter().any(breaks);
        Some(if is_broken {
            Reason::Invalid
        } else {
            Reason::Invisible
        })
    } else {
        None
    }
}

/// The text of a field.
pub fn text<'a>(memory: &'a Memory, name: &str) -> &'a str {
    memory
        .field(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The texts of a field.
pub fn texts<'a>(memory: &'a Memory, name: &str) -> impl Iterator<Item = &'a str> {
    let items = memory.field(name).into_iter().flat_map(Value::items);
    items.filter_map(Value::as_str)
}
