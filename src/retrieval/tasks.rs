//! The tasks that a team wrote down, in `.memkeep/tasks.yaml`.
//!
//! ```yaml
//! tasks:
//!   - name: refunds after a storm
//!     task: Refund all bookings on the sailings cancelled for weather
//!     agent: developer                      # optional, as all that follows
//!     files: [src/payments/refunds.ts]
//!     expect: [refunds-are-new-rows]        # ids of memories that it has to be given
//! ```

use serde::Deserialize;

use super::Task;
use crate::memory::{Memory, Timestamp};

/// The place of the file below the root of a project.
pub const PATH: &str = ".memkeep/tasks.yaml";

/// A larger file is none that a person wrote.
pub const LONGEST: usize = 1 << 20;

/// A task that is written down.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// What the team calls it.
    pub name: Option<String>,
    /// What an agent is told.
    pub task: String,
    /// The agent that is told so.
    #[serde(default)]
    pub agent: String,
    /// Files it touches.
    #[serde(default)]
    pub files: Vec<String>,
    /// Ids of memories, or their local parts, that it has to be given.
    #[serde(default)]
    pub expect: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    tasks: Vec<Written>,
}

/// The file is not as it has to be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TasksError {
    /// What is wrong.
    pub message: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

/// The tasks of a file's text.
pub fn parse(text: &str) -> Result<Vec<Written>, TasksError> {
    if text.len() > LONGEST {
        return Err(TasksError {
            message: "it is longer than a megabyte".to_owned(),
            line: 1,
            column: 1,
        });
    }
    let file: Result<File, _> = serde_yaml::from_str(text);
    file.map(|file| file.tasks).map_err(|error| {
        let place = error.location();
        TasksError {
            message: error.to_string(),
            line: place.as_ref().map_or(1, |place| place.line()),
            column: place.as_ref().map_or(1, |place| place.column()),
        }
    })
}

impl Written {
    /// The task at a time.
    pub fn task(&self, now: Timestamp) -> Task {
        Task {
            text: self.task.clone(),
            agent: self.agent.clone(),
            plan: None,
            history: None,
            files: self.files.clone(),
            now,
        }
    }

    /// What it is called: its name, else its text.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.task)
    }

    /// Whether it has to be given a memory.
    pub fn expects(&self, memory: &Memory) -> bool {
        let local = &*memory.id.local;
        let whole = memory.id.to_string();
        self.expect.iter().any(|id| *id == local || *id == whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_read() {
        let text = "tasks:\n- task: Do it\n- {name: two, task: More, agent: dev, files: [a.rs], expect: [x]}\n";
        let all = parse(text).unwrap();
        let names: Vec<_> = all.iter().map(Written::name).collect();
        assert_eq!(names, ["Do it", "two"]);
        assert_eq!(all[1].task(Timestamp(5)).files, ["a.rs"]);
        assert_eq!(all[1].expect, ["x"]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, line, says) in [
            ("tasks:\n- name: no text\n", 2, "missing field `task`"),
            (
                "tasks:\n- task: a\n  expects: [x]\n",
                3,
                "unknown field `expects`",
            ),
            ("- a\n- b\n", 1, "invalid type"),
            ("tasks: [", 2, ""),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.message.contains(says), "{error}");
            assert_eq!(error.line, line, "{text}: {error}");
        }
        assert!(parse(&" ".repeat(LONGEST + 1)).is_err());
    }
}
