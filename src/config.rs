//! Settings, in layers: flag, environment, the agent's own file, project, user, default.

pub mod lint;
pub mod model;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

pub use self::lint::LintSettings;
pub use self::model::ModelSettings;
use crate::memory::{Value, document, frontmatter};

/// What can be set in a configuration file. Everything may be left out.
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
    /// The language model that judges pairs of memories.
    pub model: ModelSettings,
    /// Tasks that patterns are tried on while they are edited.
    pub sample_tasks: Option<Vec<String>>,
    /// Stores beside those that are found by themselves.
    pub stores: Vec<StoreSetting>,
}

/// A store that is named: `[[stores]]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSetting {
    /// Where it is: from the root in a project's file, from the home in a person's; `~/` is the
    /// home.
    pub path: toml::Spanned<String>,
    /// Its format, where its content does not say it.
    pub format: Option<String>,
    /// The file that names it, with line and column.
    #[serde(skip)]
    pub place: (PathBuf, usize, usize),
}

/// How a task is previewed, where no flag says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
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

/// What is wrong with a configuration file. Its settings are left out, the others hold.
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

impl Settings {
    /// Reads one file's text.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let mut settings: Self = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| {
                span.start + within(text.get(span).unwrap_or_default(), error.message())
            });
            let (line, column) = place(text, at);
            ConfigError {
                path: path.to_owned(),
                line,
                column,
                message: meant(&error.message().replace('\n', " ")),
            }
        })?;
        settings.model.locate(path, text);
        for store in &mut settings.stores {
            let (line, column) = place(text, store.path.span().start);
            store.place = (path.to_owned(), line, column);
        }
        let names = settings.lint.store.keys().cloned();
        settings.lint.named = names
            .map(|name| {
                let (line, column) = place(text, named(text, &name.0));
                (name, (path.to_owned(), line, column))
            })
            .collect();
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
            model: self.model.over(below.model),
            sample_tasks: self.sample_tasks.or(below.sample_tasks),
            stores: [self.stores, below.stores].concat(),
        }
    }

    /// What the environment says: `MEMKEEP_THEME`, `MEMKEEP_AGENT`, `MEMKEEP_DIALECT`,
    /// `MEMKEEP_MAX`, `MEMKEEP_MIN_IMPORTANCE`, `MEMKEEP_BUDGET`, `MEMKEEP_MODEL_COMMAND`. The
    /// error names the variable.
    pub fn from_environment(read: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let number = |name: &str| match read(name) {
            None => Ok(None),
            Some(text) => text
                .parse()
                .map(Some)
                .map_err(|_| format!("{name} is `{text}`, not a number")),
        };
        let inject = InjectSettings {
            agent: read("MEMKEEP_AGENT"),
            dialect: read("MEMKEEP_DIALECT"),
            max: number("MEMKEEP_MAX")?,
            min_importance: read("MEMKEEP_MIN_IMPORTANCE"),
            budget: number("MEMKEEP_BUDGET")?,
            score_bonus: None,
        };
        Ok(Self {
            theme: read("MEMKEEP_THEME"),
            inject,
            model: ModelSettings::from_environment(read("MEMKEEP_MODEL_COMMAND"))?,
            ..Self::default()
        })
    }
}

/// The line and the column of a byte, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// Where a store with an id that has to be quoted is named among the settings of lint.
fn named(text: &str, store: &str) -> usize {
    let table = text.find("lint").unwrap_or_default();
    let rest = text.get(table..).unwrap_or_default();
    let places = ['"', '\''].map(|quote| rest.find(&format!("{quote}{store}{quote}")));
    table + places.into_iter().flatten().min().unwrap_or_default()
}

/// Where in a value stands what a message about it names: of a list the place is that of the
/// whole.
fn within(value: &str, message: &str) -> usize {
    let name = message.split('`').nth(1);
    let place = name.filter(|_| value.starts_with('[')).and_then(|name| {
        let quotes = ['"', '\''].into_iter();
        quotes
            .filter_map(|quote| value.find(&format!("{quote}{name}{quote}")))
            .min()
    });
    place.unwrap_or_default()
}

/// What is wrong with a key, and the key that is most like it.
fn meant(message: &str) -> String {
    let words: Vec<&str> = message.split('`').collect();
    let [first, name, known @ ..] = words.as_slice() else {
        return message.to_owned();
    };
    if !first.ends_with("unknown field ") {
        return message.to_owned();
    }
    // Between the quotes; what stands between two of them is a comma.
    let known = known.iter().skip(1).step_by(2).copied();
    match crate::lint::nearest(name, known) {
        Some(nearest) => format!("unknown key `{name}`; did you mean `{nearest}`?"),
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

    /// The settings in an agent's own file (SPEC-0007, "Configuration"): `memory` in its
    /// frontmatter, or in the file where it is YAML as a whole.
    pub fn of_agent(text: &str) -> Self {
        let layout = document::layout(text.as_bytes());
        let front = layout
            .documents
            .first()
            .and_then(|document| text.get(document.front.clone()?));
        let Ok(fields) = frontmatter::read(front.unwrap_or(text)) else {
            return Self::default();
        };
        let Some(Value::Map(memory)) = fields.get("memory") else {
            return Self::default();
        };
        let number = |name| match memory.get(name) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        };
        Self {
            max: number("maxInjected").and_then(|number| usize::try_from(number).ok()),
            min_importance: memory
                .get("minImportance")
                .and_then(Value::as_str)
                .map(ToOwned::to_owned),
            score_bonus: number("scoreBonus"),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_file_names_its_place() {
        let error = Settings::parse(
            Path::new("c.toml"),
            "theme = \"dark\"\n[inject]\nmaxx = 3\n",
        )
        .unwrap_err();
        assert_eq!((error.line, error.column), (3, 1));
        assert!(error.message.contains("maxx"), "{}", error.message);
    }

    #[test]
    fn an_agents_file_gives_its_memory_settings() {
        let text = "---\nname: developer\nmemory:\n  maxInjected: 3\n  minImportance: \"medium\"\n  scoreBonus: 10\n---\nYou are…\n";
        let settings = InjectSettings::of_agent(text);
        assert_eq!(settings.max, Some(3));
        assert_eq!(settings.min_importance.as_deref(), Some("medium"));
        assert_eq!(settings.score_bonus, Some(10));
    }

    #[test]
    fn upper_layers_win_key_by_key() {
        let upper =
            Settings::parse(Path::new("a"), "theme = 'light'\n[keys]\nquit = ['q']").unwrap();
        let lower = Settings::parse(
            Path::new("b"),
            "theme = 'dark'\n[inject]\nmax = 9\n[keys]\nquit = ['x']\nundo = ['u']",
        )
        .unwrap();
        let both = upper.over(lower);
        assert_eq!(both.theme.as_deref(), Some("light"));
        assert_eq!(both.inject.max, Some(9));
        assert_eq!(both.keys["quit"], ["q"]);
        assert_eq!(both.keys["undo"], ["u"]);
    }
}
