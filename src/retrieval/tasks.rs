//! The tasks that a team wrote down in `.memkeep/tasks.yaml`: a list `tasks` of [`Written`]. Writing one
//! leaves the rest of the file as it is.

use std::ops::Not;

use serde::{Deserialize, Serialize};

use super::{Limits, Task};
use crate::memory::edit::{self, FieldEdit};
use crate::memory::frontmatter::parse as parse_yaml;
use crate::memory::problem::TextError;
use crate::memory::{Memory, MemoryId, StoreId, Timestamp, Value, format, plural};

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
pub fn parse(text: &str, is_policy: impl Fn(&str) -> bool) -> Result<Vec<Written>, TextError> {
    if text.len() > LONGEST {
        return Err(TextError::at_line(1, "it is longer than a megabyte"));
    }
    let File { tasks } = parse_yaml(text)?;
    let mut policies = tasks.iter().filter_map(|task| task.policy.as_deref());
    if let Some(name) = policies.find(|name| !is_policy(name)) {
        let before = text.lines().take_while(|line| !is_value(line, name));
        let message = format!("policy: there is no policy `{name}`");
        return Err(TextError::at_line(1 + before.count(), message));
    }
    Ok(tasks)
}

/// True if a line gives the key `policy` a value.
fn is_value(line: &str, name: &str) -> bool {
    let value = line.split_once("policy:").map(|(_, value)| value.trim());
    value.is_some_and(|value| value.trim_matches(['"', '\'']).starts_with(name))
}

impl Written {
    /// The task that must be given these memories, and the names that it drops.
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
            files: self.files.clone(),
            now,
            ..Task::default()
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

/// The file's text with a task: in the place of the one with the same words and agent, else behind
/// the last one. An error says why the file is left as it is.
pub fn record(text: &str, task: &Written) -> Result<String, String> {
    let is_new = text.trim().is_empty();
    let before = parse(if is_new { "tasks: []" } else { text }, |_| true);
    let before = before.map_err(|error| format!("line {}: {}", error.line, error.message))?;
    let is_it = |one: &Written| one.task == task.task && one.agent == task.agent;
    let known = before.iter().position(is_it);
    let items = items(text);
    let indent = items.first().map_or("  ", |item| item.indent);
    let old = known.and_then(|known| items.get(known).zip(before.get(known)));
    let edited = old.and_then(|(place, old)| edited(text.get(place.start..place.end)?, old, task));
    let new = edited.map_or_else(|| item(task, indent), Ok)?;
    let mut out = if is_new { "tasks:\n" } else { text }.to_owned();
    match known.map(|known| items.get(known)) {
        Some(Some(old)) => out.replace_range(old.start..old.end, &new),
        _ => {
            let end = items.last().map_or(out.len(), |last| last.end);
            let is_ended = out.get(..end).is_none_or(|head| head.ends_with('\n'));
            let gap = if is_ended { "" } else { "\n" };
            out.insert_str(end, &format!("{gap}{new}"));
        }
    }
    let mut wanted = before;
    match known.and_then(|known| wanted.get_mut(known)) {
        Some(slot) => *slot = task.clone(),
        None => wanted.push(task.clone()),
    }
    let is_right = parse(&out, |_| true).is_ok_and(|after| after == wanted);
    let says = "it is written in a form that is not edited here: add the task by hand";
    is_right.then_some(out).ok_or_else(|| says.to_owned())
}

/// The fences of a frontmatter.
const FENCE: &str = "---\n";

/// The text of an item with new lists; none where another part differs or it cannot be edited.
fn edited(item: &str, old: &Written, new: &Written) -> Option<String> {
    let lists = Written {
        must: new.must.clone(),
        files: new.files.clone(),
        ..old.clone()
    };
    let dash = item.find("- ").filter(|_| lists == *new)?;
    let gap = if item.ends_with('\n') { "" } else { "\n" };
    // Without its dash an item is a frontmatter.
    let mut text = format!("{FENCE}{item}{gap}{FENCE}");
    let dash = FENCE.len() + dash..FENCE.len() + dash + 1;
    text.replace_range(dash.clone(), " ");
    let mut keys = text.lines().map(str::trim_start);
    let is_expect = keys.any(|line| line.starts_with("expect:"));
    let must = if is_expect { "expect" } else { "must" };
    let lists = [
        (must, &old.must, &new.must),
        ("files", &old.files, &new.files),
    ];
    let edits = lists.into_iter().filter(|(_, old, new)| old != new);
    let edits = edits.map(|(field, _, new)| {
        let field = field.to_owned();
        let value = new.iter().map(|one| Value::from(one.as_str())).collect();
        match new.is_empty() {
            true => FieldEdit::Unset { field },
            false => FieldEdit::Set { field, value },
        }
    });
    let edits: Vec<FieldEdit> = edits.collect();
    let new = edit::apply(format::schema("rawko"), text.as_bytes(), 0, &edits).ok()?;
    let mut new = String::from_utf8(new).ok()?;
    new.replace_range(dash, "-");
    let new = new.strip_prefix(FENCE)?.strip_suffix(FENCE)?;
    Some(new.to_owned())
}

fn item(task: &Written, indent: &str) -> Result<String, String> {
    let text = serde_yaml::to_string(&[task]).map_err(|error| error.to_string())?;
    let lines = text.lines().map(|line| format!("{indent}{line}\n"));
    Ok(lines.collect())
}

/// An item of the list: its bytes, and what stands before its dash.
struct Item<'a> {
    start: usize,
    end: usize,
    indent: &'a str,
}

/// The items of the list in block style. Comments and blank lines before an item are not of it.
fn items(text: &str) -> Vec<Item<'_>> {
    let (mut items, mut at, mut is_inside) = (Vec::<Item<'_>>::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let body = line.trim_start_matches(' ');
        let indent = line.get(..line.len() - body.len()).unwrap_or_default();
        let is_blank = body.trim().is_empty() || body.starts_with('#');
        let first = items.first().map(|first| first.indent.len());
        if !is_inside {
            is_inside = line.starts_with("tasks:");
        } else if body.starts_with("- ") && first.is_none_or(|first| first == indent.len()) {
            items.push(Item { start, end, indent });
        } else if first.is_some_and(|first| indent.len() <= first) && !is_blank {
            break;
        } else if let Some(last) = items.last_mut().filter(|_| !is_blank) {
            last.end = end;
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, line, says) in rows! {
            "tasks:\n- name: no text\n" => 2 => "missing field `task`",
            "tasks:\n- task: a\n  expects: [x]\n" => 3 => "unknown field `expects`",
            "- a\n- b\n" => 1 => "invalid type",
            "tasks: [" => 2 => "",
            "tasks:\n- task: a\n  policy: best\n" => 3 => "no policy `best`",
            "tasks:\n- task: a\n  must: x\n" => 3 => "must",
        } {
            let error = parse(text, |_| false).unwrap_err();
            assert!(error.message.contains(says), "{error}");
            assert_eq!(error.line, line, "{text}: {error}");
        }
        assert!(parse(&" ".repeat(LONGEST + 1), |_| true).is_err());
    }

    #[test]
    fn only_the_lists_that_differ_are_written() {
        let tasks = |text: &str| parse(text, |_| true).unwrap();
        for (text, must, wanted) in rows! {
            "tasks:\n  - name: one # ours\n    task: One\n    expect: [a, b] # why\n    store: rawko\n" =>
                &["a", "rawko:c, d"][..] =>
                "tasks:\n  - name: one # ours\n    task: One\n    expect: [a, \"rawko:c, d\"] # why\n    store: rawko\n",
            "tasks:\n- task: One\n  must:\n    - a # first\n    # about b\n    - b\n  max_tokens: 9\n- task: Two\n" =>
                &["a", "c"] =>
                "tasks:\n- task: One\n  must:\n    - a # first\n    # about b\n    - c\n  max_tokens: 9\n- task: Two\n",
            "tasks:\n- task: One\n  max_tokens: 9 # few" =>
                &["a"] => "tasks:\n- task: One\n  max_tokens: 9 # few\n  must: [a]\n",
            "tasks:\n- task: One\n  must:\n  - a\n  store: rawko\n" =>
                &[] => "tasks:\n- task: One\n  store: rawko\n",
        } {
            let task = Written {
                must: must.iter().map(|id| (*id).to_owned()).collect(),
                ..tasks(text)[0].clone()
            };
            assert_eq!(record(text, &task).unwrap(), wanted);
        }
    }

    #[test]
    fn a_task_takes_its_place_and_the_rest_of_the_file_stays() {
        let task = |must: &str| Written {
            task: "Two".to_owned(),
            must: vec![must.to_owned()],
            ..Written::default()
        };
        let text =
            "# ours\ntasks:\n- task: One # first\n\n# about two\n- {task: Two, must: [a]}\n# end\n";
        let new = record(text, &task("b: c")).unwrap();
        let wanted = text.replace(
            "- {task: Two, must: [a]}",
            "- task: Two\n  must:\n  - 'b: c'",
        );
        assert_eq!(new, wanted);
        let text = "tasks:\n    - task: One\n      must: [a]";
        let new = record(text, &task("b")).unwrap();
        assert_eq!(
            new,
            format!("{text}\n    - task: Two\n      must:\n      - b\n")
        );
        assert_eq!(
            record("", &task("b")).unwrap(),
            "tasks:\n  - task: Two\n    must:\n    - b\n"
        );
        for text in ["tasks: [{task: One}]", "tasks:\n- task: [", "tasks: []\n"] {
            assert!(record(text, &task("b")).is_err(), "{text}");
        }
    }
}
