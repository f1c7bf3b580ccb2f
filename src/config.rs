//! Settings, in layers: flag, environment, the agent's own file, project, user, default.

pub mod conformity;
mod model;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::json;

use self::conformity::Schema;
pub use self::model::{ModelSettings, Runnable};
use crate::lint::RULES;
pub use crate::lint::tuning::Choice as LintSettings;
use crate::memory::{Value, document, frontmatter};

/// Settings of a configuration file. Everything may be left out.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The name of a theme: `dark`, `light`, or a file in the user's theme folder.
    pub theme: Option<String>,
    /// How a task is previewed.
    pub inject: InjectSettings,
    /// Keys of commands: `archive = ["a", "ctrl-x"]`.
    pub keys: BTreeMap<String, Vec<String>>,
    /// Which rules look.
    pub lint: LintSettings,
    /// The same without what the project's file says.
    #[serde(skip)]
    pub own_lint: LintSettings,
    /// The language model that judges pairs of memories.
    pub model: ModelSettings,
    /// Tasks that patterns are tried on while they are edited.
    pub sample_tasks: Option<Vec<String>>,
    /// Stores beside those that are found by themselves.
    pub stores: Vec<StoreSetting>,
    /// The record of use.
    pub worth: WorthSettings,
    /// Lessons of a session that ends.
    pub extract: ExtractSettings,
    /// Rights of agents in stores for which no entry of `stores` sets them.
    pub agents: Option<Agents>,
}

/// Rights of agents that use `memkeep mcp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Agents {
    /// They propose changes, which a person decides on.
    Propose,
    /// They change it; `memkeep undo` takes each change back.
    Write,
}

/// A store that is named: `[[stores]]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSetting {
    /// Its path, from the root in a project's file and from the home in a person's.
    pub path: toml::Spanned<String>,
    /// Its format, where its content does not say it.
    pub format: Option<String>,
    /// Rights of agents in it; only a person's file sets them.
    pub agents: Option<Agents>,
    /// The file that names it, with line and column.
    #[serde(skip)]
    pub place: (PathBuf, usize, usize),
    /// True if a file of the project names it: it must lie below the root.
    #[serde(skip)]
    pub is_projects: bool,
}

/// The record of use, which only a person switches on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorthSettings {
    /// True if the uses of memories are counted.
    pub record: Option<bool>,
}

/// Extraction at the end of a session, which only a person switches on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExtractSettings {
    /// True if the hook hands the session of an agent that stops to extraction by rules.
    pub on_stop: Option<bool>,
}

/// How a task is previewed, where no flag says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InjectSettings {
    /// The agent.
    pub agent: Option<String>,
    /// The dialect of the policy.
    pub dialect: Option<String>,
    /// The most memories to inject.
    pub max: Option<usize>,
    /// The least importance to inject.
    pub min_importance: Option<String>,
    /// Tokens the prompt stays within.
    pub budget: Option<usize>,
    /// Points for a memory of the agent's specialty.
    pub score_bonus: Option<i64>,
}

/// Error in a configuration file. Its settings are left out, the others hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// Keys that a project's file may not set: they decide what is started and who may do what.
const PERSONAL: [&str; 9] = [
    "agents", "commands", "editor", "embed", "extract", "keys", "model", "pager", "worth",
];

/// Variables of the environment that set a key.
pub const ENVIRONMENT: [(&str, &str); 7] = [
    ("MEMKEEP_THEME", "theme"),
    ("MEMKEEP_AGENT", "inject.agent"),
    ("MEMKEEP_DIALECT", "inject.dialect"),
    ("MEMKEEP_MAX", "inject.max"),
    ("MEMKEEP_MIN_IMPORTANCE", "inject.min_importance"),
    ("MEMKEEP_BUDGET", "inject.budget"),
    ("MEMKEEP_MODEL_COMMAND", "model.command"),
];

/// The schema by which `[lint]` is checked as it is read.
static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let rules = RULES.iter().map(|rule| rule.id.to_owned());
    let rules: Vec<String> = rules.collect();
    Schema::new(&|_| rules.clone(), |_| true)
});

impl Settings {
    /// Reads the text of a person's own file.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let mut settings = Self::read(path, text, &mut |_, _| true)?;
        settings.own_lint = settings.lint.clone();
        let names_command = settings.model.command.is_some();
        settings.model.place = names_command.then(|| path.to_owned());
        Ok(settings)
    }

    /// Reads the text of a project's file, which may come from anybody. Settings reserved for a
    /// person are left out and returned as errors.
    pub fn of_project(path: &Path, text: &str) -> Result<(Self, Vec<ConfigError>), ConfigError> {
        let mut ignored = Vec::new();
        let mut settings = Self::read(path, text, &mut |key, at| {
            let is_personal = PERSONAL.contains(&key);
            ignored.extend(is_personal.then(|| ConfigError::at(path, text, at, personal(key))));
            !is_personal
        })?;
        for store in &mut settings.stores {
            store.is_projects = true;
            let (agents, at) = (store.agents.take(), store.path.span().start);
            ignored.extend(agents.map(|_| ConfigError::at(path, text, at, personal("agents"))));
        }
        Ok((settings, ignored))
    }

    /// Reads a text, with those of its keys that are to be kept.
    fn read(
        path: &Path,
        text: &str,
        keep: &mut dyn FnMut(&str, usize) -> bool,
    ) -> Result<Self, ConfigError> {
        let wrong = |error: toml::de::Error| {
            let at = error.span().map_or(0, |span| span.start);
            ConfigError::at(path, text, at, meant(&error.message().replace('\n', " ")))
        };
        let mut table = toml::de::DeTable::parse(text).map_err(wrong)?;
        let keys: Vec<_> = table.get_ref().keys().cloned().collect();
        for key in keys {
            if !keep(key.get_ref(), key.span().start) {
                table.get_mut().remove(&key);
            }
        }
        let lint = table.get_ref().get("lint");
        if let Some((at, why)) = lint.and_then(|lint| SCHEMA.lint_mistake(lint)) {
            return Err(ConfigError::at(path, text, at, why));
        }
        let read = Self::deserialize(toml::Deserializer::from(table));
        let mut settings = read.map_err(wrong)?;
        for store in &mut settings.stores {
            let (line, column) = place(text, store.path.span().start);
            store.place = (path.to_owned(), line, column);
        }
        let names = settings.lint.store.keys().map(|name| {
            let (line, column) = place(text, name.span().start);
            (name.get_ref().clone(), (path.to_owned(), line, column))
        });
        settings.lint.named = names.collect();
        Ok(settings)
    }

    /// These settings, and where they say nothing those of another layer.
    pub fn over(mut self, below: Self) -> Self {
        let mut keys = below.keys;
        keys.append(&mut self.keys);
        Self {
            theme: self.theme.or(below.theme),
            inject: self.inject.over(below.inject),
            keys,
            lint: self.lint.over(below.lint),
            own_lint: self.own_lint.over(below.own_lint),
            model: self.model.over(below.model),
            sample_tasks: self.sample_tasks.or(below.sample_tasks),
            stores: [self.stores, below.stores].concat(),
            extract: ExtractSettings {
                on_stop: self.extract.on_stop.or(below.extract.on_stop),
            },
            worth: WorthSettings {
                record: self.worth.record.or(below.worth.record),
            },
            agents: self.agents.or(below.agents),
        }
    }

    /// Reads the variables of [`ENVIRONMENT`]. The error names the variable.
    pub fn from_environment(read: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let mut all = Self::default();
        for (name, key) in ENVIRONMENT {
            let Some(value) = read(name) else { continue };
            let layer = Self::read(Path::new(name), &as_toml(key, &value), &mut |_, _| true);
            let wrong = |error| match key {
                "inject.max" | "inject.budget" => format!("{name} is `{value}`, not a number"),
                _ => format!("{name} is `{value}`: {error}"),
            };
            all = all.over(layer.map_err(wrong)?);
        }
        Ok(all)
    }
}

/// A variable as a line of TOML: a number, a command as words or a list, else a text.
pub fn as_toml(key: &str, value: &str) -> String {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit()) && !value.is_empty();
    let written = match key {
        "inject.max" | "inject.budget" if is_number => value.to_owned(),
        "model.command" if value.trim_start().starts_with('[') => value.to_owned(),
        "model.command" => json!(value.split_whitespace().collect::<Vec<_>>()).to_string(),
        _ => json!(value).to_string(),
    };
    format!("{key} = {written}")
}

impl ConfigError {
    /// The place, as `file:line:column`.
    pub fn place(&self) -> String {
        format!("{}:{}:{}", self.path.display(), self.line, self.column)
    }

    /// An error at a byte of a file.
    pub fn at(path: &Path, text: &str, at: usize, message: String) -> Self {
        let (line, column) = place(text, at);
        Self {
            path: path.to_owned(),
            line,
            column,
            message,
        }
    }
}

/// The message that a file of the project sets what is a person's.
fn personal(key: &str) -> String {
    format!("ignored: a file of the project may not set `{key}`")
}

/// The line and the column of a byte, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// Describes the error of a key or a word, and suggests the most similar one.
fn meant(message: &str) -> String {
    let words: Vec<&str> = message.split('`').collect();
    let [first, name, known @ ..] = words.as_slice() else {
        return message.to_owned();
    };
    let what = match first.rsplit("unknown ").next() {
        Some("field ") => "key",
        Some("variant ") => "value",
        _ => return message.to_owned(),
    };
    // Between the quotes; what stands between two of them is a comma.
    let known = known.iter().skip(1).step_by(2).copied();
    match crate::lint::nearest(name, known) {
        Some(nearest) => format!("unknown {what} `{name}`; did you mean `{nearest}`?"),
        None => message.to_owned(),
    }
}

impl InjectSettings {
    /// These settings, and where they say nothing those of another layer.
    pub fn over(self, below: Self) -> Self {
        Self {
            agent: self.agent.or(below.agent),
            dialect: self.dialect.or(below.dialect),
            max: self.max.or(below.max),
            min_importance: self.min_importance.or(below.min_importance),
            budget: self.budget.or(below.budget),
            score_bonus: self.score_bonus.or(below.score_bonus),
        }
    }

    /// The settings as TOML.
    pub fn to_toml(&self) -> String {
        let lines = toml::to_string(self).unwrap_or_default();
        format!("[inject]\n{lines}")
    }

    /// The settings in an agent's own file (SPEC-0007, "Configuration"): `memory` in its
    /// frontmatter, or in the file where it is YAML as a whole.
    pub fn of_agent(text: &str) -> Self {
        let documents = document::layout(text.as_bytes()).documents;
        let front = documents.first();
        let front = front.and_then(|document| document.front.clone());
        let front = front.and_then(|front| text.get(front)).unwrap_or(text);
        let fields = frontmatter::read(front).unwrap_or_default();
        let Some(Value::Map(memory)) = fields.get("memory") else {
            return Self::default();
        };
        let number = |name| match memory.get(name) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        };
        let importance = memory.get("minImportance").and_then(Value::as_str);
        Self {
            max: number("maxInjected").and_then(|number| usize::try_from(number).ok()),
            min_importance: importance.map(ToOwned::to_owned),
            score_bonus: number("scoreBonus"),
            ..Self::default()
        }
    }
}
