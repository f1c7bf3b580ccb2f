//! The tasks that a team wrote down, in `.memkeep/tasks.yaml`.
//!
//! ```yaml
//! tasks:
//!   - name: refunds after a storm
//!     task: Refund all bookings on the sailings cancelled for weather
//!     agent: developer                      # optional, as all that follows
//!     files: [src/payments/refunds.ts]
//!     must: [refunds-are-new-rows]          # ids of memories that it has to be given
//!     may: [booking-lifecycle]              # where this is said, nothing but `must` and `may` is
//!     must_not: [card-numbers]
//!     max_tokens: 800
//!     no_contradictions: true               # nothing given contradicts another memory that is
//!     no_stale: true                        # nothing given names what is gone
//!     store: rawko                          # an id or a format; all stores where none is named
//!     policy: hybrid                        # in the place of the stores' own
//! ```

mod record;

use std::ops::Not;

pub use record::record;
use serde::{Deserialize, Serialize};

use super::{Limits, Task};
use crate::memory::frontmatter::{YamlError, parse as parse_yaml};
use crate::memory::{Memory, MemoryId, StoreId, Timestamp, plural};

/// The place of the file below the root of a project.
pub const PATH: &str = ".memkeep/tasks.yaml";

/// A larger file is none that a person wrote.
pub const LONGEST: usize = 1 << 20;

/// A task that is written down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// The team's name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The text of the task.
    pub task: String,
    /// The agent that is told so.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// Files it touches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Ids of memories, or their local parts, that it has to be given.
    #[serde(default, alias = "expect", skip_serializing_if = "Vec::is_empty")]
    pub must: Vec<String>,
    /// Those that it may be given beside them; where this is said, no others of their stores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may: Option<Vec<String>>,
    /// Those that it must not be given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub must_not: Vec<String>,
    /// The most tokens that it is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
    /// True if it must not be given memories that contradict each other.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub no_contradictions: bool,
    /// True if it must not be given stale memories.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub no_stale: bool,
    /// The store that is asked, by its id or format; all where none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<String>,
    /// The policy that decides in the place of the stores' own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    tasks: Vec<Written>,
}

/// The tasks of a file's text; they may name the policies that are known.
pub fn parse(text: &str, is_policy: impl Fn(&str) -> bool) -> Result<Vec<Written>, YamlError> {
    let error = |message: String, line: usize| YamlError {
        message,
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: 1,
    };
    if text.len() > LONGEST {
        return Err(error("it is longer than a megabyte".to_owned(), 1));
    }
    let File { tasks } = parse_yaml(text)?;
    let mut policies = tasks.iter().filter_map(|task| task.policy.as_deref());
    if let Some(name) = policies.find(|name| !is_policy(name)) {
        let before = text.lines().take_while(|line| !is_value(line, name));
        let message = format!("policy: there is no policy `{name}`");
        return Err(error(message, 1 + before.count()));
    }
    Ok(tasks)
}

/// True if a line gives the key `policy` a value.
fn is_value(line: &str, name: &str) -> bool {
    let value = line.split_once("policy:").map(|(_, value)| value.trim());
    value.is_some_and(|value| value.trim_matches(['"', '\'']).starts_with(name))
}

impl Written {
    /// The task with these memories as those that it must be given, and the names of the others that
    /// it expected before. Names already listed keep their spelling.
    pub fn expecting(&self, ids: &[&MemoryId]) -> (Self, Vec<String>) {
        let is_given = |name: &String| ids.iter().any(|id| is_named(name, id));
        let (mut must, dropped): (Vec<String>, Vec<String>) =
            self.must.iter().cloned().partition(is_given);
        let is_new = |id: &&&MemoryId| !must.iter().any(|name| is_named(name, id));
        let new: Vec<String> = ids.iter().filter(is_new).map(ToString::to_string).collect();
        must.extend(new);
        let task = Self {
            must,
            ..self.clone()
        };
        (task, dropped)
    }

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

    /// Its name, else its text.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.task)
    }

    /// True if it has to be given a memory.
    pub fn expects(&self, memory: &Memory) -> bool {
        self.must.iter().any(|id| is_named(id, &memory.id))
    }

    /// The limits of its preview: other stores than its own are left out.
    pub fn limits<'s>(&self, own: &Limits, stores: impl Iterator<Item = &'s StoreId>) -> Limits {
        let wanted = self.store.as_deref();
        let is_it = |store: &StoreId, wanted: &str| {
            *store.0 == *wanted || store.0.split('@').next() == Some(wanted)
        };
        let others = stores.filter(|store| wanted.is_some_and(|wanted| !is_it(store, wanted)));
        Limits {
            hidden: others.cloned().collect(),
            ..own.clone()
        }
    }
}

/// Tasks in words: those that are saved, told by true, and commits that stand for one each.
pub fn counted(is_saved: impl Iterator<Item = bool>) -> String {
    let (saved, commits): (Vec<bool>, Vec<bool>) = is_saved.partition(|is_saved| *is_saved);
    match (saved.len(), commits.len()) {
        (saved, 0) => plural(saved, "saved task"),
        (0, commits) => plural(commits, "commit"),
        (saved, commits) => {
            let all = plural(saved + commits, "task");
            format!("{all} ({saved} saved, {})", plural(commits, "commit"))
        }
    }
}

/// True if an id as people write it names a memory: all of it, or LOCAL.
pub fn is_named(written: &str, id: &MemoryId) -> bool {
    let rest = written.strip_prefix(&*id.store.0);
    *id.local == *written || rest.and_then(|rest| rest.strip_prefix(':')) == Some(&*id.local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_read() {
        let text = "tasks:\n- task: Do it\n- {name: two, task: More, agent: dev, files: [a.rs], expect: [x], may: [], max_tokens: 9}\n";
        let all = parse(text, |_| true).unwrap();
        let names: Vec<_> = all.iter().map(Written::name).collect();
        assert_eq!(names, ["Do it", "two"]);
        assert_eq!(all[1].task(Timestamp(5)).files, ["a.rs"]);
        assert_eq!(
            (&*all[1].must, all[1].max_tokens),
            (&["x".to_owned()][..], Some(9))
        );
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
            ("tasks:\n- task: a\n  policy: best\n", 3, "no policy `best`"),
            ("tasks:\n- task: a\n  must: x\n", 3, "must"),
        ] {
            let error = parse(text, |_| false).unwrap_err();
            assert!(error.message.contains(says), "{error}");
            assert_eq!(error.line, line, "{text}: {error}");
        }
        assert!(parse(&" ".repeat(LONGEST + 1), |_| true).is_err());
    }
}
