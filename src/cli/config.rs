//! `memkeep config`: the settings with their origin, mistakes in their files, their schema and paths.

use clap::Subcommand;

use super::prelude::*;
use crate::app::Keymap;
use crate::app::command;
use crate::app::key::Key;
use crate::config::conformity::{Layer, Schema};
use crate::config::{ConfigError, ENVIRONMENT, Settings, as_toml};
use crate::lint::RULES;
use crate::store::control::{self, Owner};
use crate::systems::{self, POLICIES};
use crate::workspace::preview::AGENTS;
use crate::workspace::settings::files;
use crate::workspace::{config_folder, settings};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The first of these that sets a key wins: a flag, the environment, the agent's own file, the project's \
.memkeep/config.toml, your own config.toml, the default.")]
pub struct Config {
    /// Question about the settings; without one, `print`
    #[command(subcommand)]
    pub what: Option<Question>,
}

#[derive(Debug, Subcommand)]
pub enum Question {
    /// Every setting in force, as TOML
    Print {
        /// Behind each setting its file and line, or variable
        #[arg(long)]
        origin: bool,
        /// How to print
        #[arg(long, default_value = "table", value_parser = one_of(PLAIN))]
        format: Format,
    },
    /// Mistakes in the files of settings, each with its line; exit 1 if there are any
    Check {
        /// How to print
        #[arg(long, default_value = "table", value_parser = one_of(PLAIN))]
        format: Format,
    },
    /// The JSON Schema of the files, for editors
    Schema,
    /// The files and folders that settings come from
    Path {
        /// How to print
        #[arg(long, default_value = "table", value_parser = one_of(PLAIN))]
        format: Format,
    },
}

/// The schema with the names that this build knows.
pub fn schema() -> Schema {
    let named = |list: &str| -> Vec<String> {
        let words = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
        match list {
            "rules" => words(RULES.iter().map(|rule| rule.id).collect()),
            "formats" => words(systems::names().collect()),
            "commands" => words(command::all().map(|command| command.id).collect()),
            "dialects" => {
                let own = POLICIES.iter().flat_map(|policy| policy.dialects);
                let names = POLICIES.iter().map(|policy| policy.name);
                words(own.copied().chain(names).unique().collect())
            }
            _ => settings::theme_names(),
        }
    };
    Schema::new(&named, |name| Key::parse_all(name).is_some())
}

pub fn run(ws: &Workspace, args: &Config, output: &mut Output) -> Result<u8> {
    match args.what {
        None => print(ws, false, Format::Table, output),
        Some(Question::Print { origin, format }) => print(ws, origin, format, output),
        Some(Question::Check { format }) => check(ws, format, output),
        Some(Question::Schema) => {
            output.print_json(&schema().json)?;
            Ok(exit::DONE)
        }
        Some(Question::Path { format }) => paths(ws, format, output),
    }
}

/// The layers below the flags, the first of which wins.
fn layers(ws: &Workspace) -> Vec<Layer> {
    let variables = ENVIRONMENT.iter().filter_map(|(variable, key)| {
        let value = std::env::var(variable).ok()?;
        Some(Layer {
            origin: (*variable).to_owned(),
            text: as_toml(key, &value),
            ..Layer::default()
        })
    });
    let variables = variables.collect_vec();
    let root = &ws.collection.root;
    let agent = ws.settings.inject.agent.as_deref().unwrap_or_default();
    let agent = format!("{AGENTS}/{agent}.md");
    let text = control::text(&root.join(&agent), Owner::Project(root));
    let agent = text.ok().flatten().map(|text| Layer {
        origin: agent,
        text: crate::config::InjectSettings::of_agent(&text).to_toml(),
        ..Layer::default()
    });
    let files = files(ws.options.config.as_deref(), root).into_iter();
    let files = files.filter_map(|file| {
        Some(Layer {
            origin: ws.collection.shown(&file.path),
            text: file.text.ok()??,
            is_file: true,
            is_projects: file.is_projects,
        })
    });
    variables.into_iter().chain(agent).chain(files).collect()
}

fn print(ws: &Workspace, origin: bool, format: Format, output: &mut Output) -> Result<u8> {
    let mut settings = schema().settings(&layers(ws));
    for one in &mut settings {
        one.value = mask(&one.value).into_owned();
    }
    if format == Format::Json {
        output.print_json(&settings)?;
        return Ok(exit::DONE);
    }
    let lines = settings.iter();
    let lines = lines.map(|one| format!("{} = {}", one.key, one.value));
    let lines = lines.collect_vec();
    let widest = lines.iter().map(|line| line.chars().count().min(48)).max();
    let widest = widest.unwrap_or_default();
    for (line, one) in lines.iter().zip(&settings) {
        match origin {
            true => writeln!(output, "{line:widest$}  # {}", one.origin)?,
            false => writeln!(output, "{line}")?,
        }
    }
    Ok(exit::DONE)
}

/// Every mistake in the files of settings, and in what they name.
pub fn mistakes(ws: &Workspace) -> Vec<ConfigError> {
    let schema = schema();
    let mut all = Vec::new();
    let files = files(ws.options.config.as_deref(), &ws.collection.root);
    for file in &files {
        match &file.text {
            Err(error) => all.push(error.clone()),
            Ok(None) => {}
            Ok(Some(text)) => {
                let found = schema.check(&file.path, text, file.is_projects);
                let is_sound = found.is_empty();
                all.extend(found);
                let own = Settings::parse(&file.path, text).ok().filter(|_| is_sound);
                let clashes = own.and_then(|own| Keymap::with(&own.keys).err());
                let at = text.find("[keys").unwrap_or_default();
                let clashes = clashes.into_iter().flatten();
                all.extend(clashes.map(|why| ConfigError::at(&file.path, text, at, why)));
            }
        }
    }
    let others = ws.wrong_stores().into_iter().chain(ws.ignored.clone());
    let others = others.filter(|error| !all.iter().any(|known| known.place() == error.place()));
    let others = others.collect_vec();
    all.extend(others);
    all
}

fn check(ws: &Workspace, format: Format, output: &mut Output) -> Result<u8> {
    let all = mistakes(ws);
    if format == Format::Json {
        let row = |one: &ConfigError| {
            let path = ws.collection.shown(&one.path);
            json!({ "path": path, "line": one.line, "column": one.column, "message": one.message })
        };
        output.print_json(&all.iter().map(row).collect_vec())?;
        return Ok(exit::found(all.is_empty()));
    }
    for one in &all {
        let (path, line, column) = (ws.collection.shown(&one.path), one.line, one.column);
        let (path, message) = (safe(&path), safe(&one.message));
        writeln!(output, "{path}:{line}:{column}: {message}")?;
    }
    match all.len() {
        0 => writeln!(output, "no mistakes in the settings")?,
        count => writeln!(output, "{}", plural(count, "mistake"))?,
    }
    Ok(exit::found(all.is_empty()))
}

fn paths(ws: &Workspace, format: Format, output: &mut Output) -> Result<u8> {
    let files = files(ws.options.config.as_deref(), &ws.collection.root).into_iter();
    let files = files.map(|file| match (file.is_projects, &ws.options.config) {
        (true, _) => ("project", file.path),
        (false, Some(_)) => ("--config", file.path),
        (false, None) => ("user", file.path),
    });
    let themes = config_folder().map(|folder| ("themes", folder.join("themes")));
    let state = ("state", ws.collection.state.clone());
    let all = files.chain(themes).chain([state]).collect_vec();
    if format == Format::Json {
        let row = |(layer, path): &(&str, std::path::PathBuf)| json!({ "layer": layer, "path": path.display().to_string(), "exists": path.exists() });
        output.print_json(&all.iter().map(row).collect_vec())?;
        return Ok(exit::DONE);
    }
    for (layer, path) in &all {
        let missing = if path.exists() { "" } else { "  (not there)" };
        let path = path.to_string_lossy();
        writeln!(output, "{layer:8}  {}{missing}", safe(&path))?;
    }
    Ok(exit::DONE)
}

#[cfg(test)]
mod tests;
