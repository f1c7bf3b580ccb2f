//! `[model]`: the command that judges pairs of memories.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

/// Default size of a request to a model, in tokens.
const BUDGET: usize = 24_000;

/// Default time limit for the answer of a model.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The settings of `[model]`, the command that judges pairs; no project's file sets them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSettings {
    /// The program and its arguments.
    #[serde(deserialize_with = "command")]
    pub command: Option<Vec<String>>,
    /// Name of the model in verdicts; the program's name if none is given.
    pub name: Option<String>,
    /// How long an answer may take.
    #[serde(deserialize_with = "timeout")]
    pub timeout: Option<Duration>,
    /// Tokens of a request.
    pub budget: Option<usize>,
    /// The file that names the command; none where the environment does.
    #[serde(skip)]
    pub(super) place: Option<PathBuf>,
}

fn command<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    let words: Vec<String> = Vec::deserialize(from)?;
    match words.first().map(|program| program.trim()) {
        None | Some("") => Err(D::Error::custom("`command` names no program")),
        Some(_) => Ok(Some(words)),
    }
}

/// A length of time: `500ms`, `120s`, `2m`.
fn timeout<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(from)?;
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text.get(digits.len()..) {
        Some("ms") => 1,
        Some("s") => 1_000,
        Some("m") => 60_000,
        _ => 0,
    };
    let number = digits.parse::<u64>().unwrap_or_default();
    match number.checked_mul(unit) {
        None | Some(0) => {
            let why = format!("`{text}` is no length of time, like 500ms, 120s or 2m");
            Err(D::Error::custom(why))
        }
        Some(millis) => Ok(Some(Duration::from_millis(millis))),
    }
}

/// A command that may be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runnable {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The folder it runs in: that of the file that names it, else the home folder. The project
    /// is not it, for its files would configure the program.
    pub folder: Option<PathBuf>,
    /// Name of the model.
    pub name: String,
    /// How long an answer may take.
    pub timeout: Duration,
}

impl ModelSettings {
    /// These settings, and where they say nothing those of another layer. A command keeps its name.
    pub(super) fn over(self, below: Self) -> Self {
        let (command, place, name) = match self.command {
            Some(command) => (Some(command), self.place, self.name),
            None => (below.command, below.place, self.name.or(below.name)),
        };
        Self {
            command,
            place,
            name,
            timeout: self.timeout.or(below.timeout),
            budget: self.budget.or(below.budget),
        }
    }

    /// Tokens of a request.
    pub fn budget(&self) -> usize {
        self.budget.unwrap_or(BUDGET)
    }

    /// Returns the name of the model; `model` if neither a name nor a command is configured.
    pub fn name(&self) -> String {
        let program = self.command.as_ref().and_then(|command| command.first());
        let program = program.and_then(|program| Path::new(program).file_stem());
        let program = program.map(|name| name.to_string_lossy().into_owned());
        let name = self.name.clone().or(program);
        name.unwrap_or_else(|| "model".to_owned())
    }

    /// True if a name or a command is configured.
    pub const fn is_named(&self) -> bool {
        self.name.is_some() || self.command.is_some()
    }

    /// The command, where one is configured.
    pub fn runnable(&self, home: &Path) -> Option<Runnable> {
        let mut words = self.command.clone()?;
        if let Some(first) = words.first_mut()
            && let Some(rest) = first.strip_prefix("~/")
        {
            *first = home.join(rest).to_string_lossy().into_owned();
        }
        let file = self.place.as_deref();
        let folder = file.map_or(Some(home), Path::parent);
        Some(Runnable {
            words,
            folder: folder.and_then(|folder| std::path::absolute(folder.join(".")).ok()),
            name: self.name(),
            timeout: self.timeout.unwrap_or(TIMEOUT),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ConfigError, Settings};
    use super::*;

    fn parse(text: &str) -> Result<ModelSettings, ConfigError> {
        Settings::parse(Path::new("/home/ada/c.toml"), text).map(|settings| settings.model)
    }

    fn variable(name: &str, value: &str) -> Option<String> {
        (name == "MEMKEEP_MODEL_COMMAND").then(|| value.to_owned())
    }

    #[test]
    fn a_command_brings_its_name_folder_and_limits() {
        let model =
            parse("[model]\ncommand = ['~/bin/judge.sh', '-p']\ntimeout = '500ms'\nbudget = 900")
                .unwrap();
        let run = model.runnable(Path::new("/home/ada")).unwrap();
        assert_eq!(run.words, ["/home/ada/bin/judge.sh", "-p"]);
        assert_eq!(run.folder.as_deref(), Some(Path::new("/home/ada")));
        assert_eq!((run.name.as_str(), run.timeout.as_millis()), ("judge", 500));
        assert_eq!(model.budget(), 900);
        assert_eq!(ModelSettings::default().budget(), BUDGET);
    }

    #[test]
    fn wrong_values_name_their_place() {
        for (text, what) in [
            ("[model]\ncommand = []", "names no program"),
            ("[model]\ncommand = ['']", "names no program"),
            ("[model]\ntimeout = '2h'", "no length of time"),
            ("[model]\ntimeout = '0s'", "no length of time"),
            ("[model]\nkey = 'secret'", "key"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.line, 2, "{text}");
            assert!(error.message.contains(what), "{}", error.message);
        }
        let wrong = Settings::from_environment(|name| variable(name, "[1]")).unwrap_err();
        assert!(wrong.starts_with("MEMKEEP_MODEL_COMMAND"), "{wrong}");
    }

    #[test]
    fn the_environment_names_words_or_a_list() {
        for (text, words) in [
            ("claude -p", vec!["claude", "-p"]),
            (r#"["a b", "-p"]"#, vec!["a b", "-p"]),
        ] {
            let settings = Settings::from_environment(|name| variable(name, text)).unwrap();
            assert_eq!(settings.model.command.unwrap(), words);
        }
    }
}
