//! The settings below the flags, layer by layer.

use std::fs;
use std::path::{Path, PathBuf};

use super::config_folder;
use crate::cli::args::Global;
use crate::cli::error::Error;
use crate::config::{ConfigError, Settings};
use crate::store::Scope;
use crate::store::discover::{Configured, DiscoverError, WrongTable};

/// What the environment says.
pub fn environment() -> Result<Settings, Error> {
    let wrong =
        |what: String| Error::wrong(what).hint("unset the variable, or give it another value");
    Settings::from_environment(|name| std::env::var(name).ok()).map_err(wrong)
}

/// The settings below the flags: environment, project, user.
pub fn read(
    environment: Settings,
    global: &Global,
    root: &Path,
) -> Result<(Settings, Vec<ConfigError>), Error> {
    if let Some(path) = global.config.as_ref().filter(|path| !path.is_file()) {
        return Err(Error::wrong(format!("no such file: {}", path.display()))
            .hint("--config names a configuration file"));
    }
    let mut all = environment;
    let mut errors = Vec::new();
    let project = project_file(root);
    for path in files(global, root) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => {
                let message = match error.kind() {
                    std::io::ErrorKind::InvalidData => "the file is not UTF-8".to_owned(),
                    _ => error.to_string(),
                };
                errors.push(ConfigError {
                    path,
                    line: 1,
                    column: 1,
                    message,
                });
                continue;
            }
        };
        match Settings::parse(&path, &text) {
            Ok(mut layer) => {
                // A file that came with a repository starts no program.
                if global.config.is_none() && path == project {
                    layer.model.refuse_command();
                }
                all = all.over(layer);
            }
            Err(error) => errors.push(error),
        }
    }
    Ok((all, errors))
}

/// The stores that settings name, where they are. A project names its own, and a person theirs.
pub fn stores(settings: &Settings, root: &Path) -> Vec<Configured> {
    let home = etcetera::home_dir().unwrap_or_default();
    let users = config_folder().map(|folder| folder.join("config.toml"));
    let named = settings.stores.iter().map(|store| {
        let written = store.path.get_ref();
        let is_users = users.as_ref() == Some(&store.place.0);
        let (base, scope) = match is_users {
            true => (home.as_path(), Scope::User),
            false => (root, Scope::Project),
        };
        let below_home = written.strip_prefix("~/").map(|rest| home.join(rest));
        Configured {
            path: below_home.unwrap_or_else(|| base.join(written)),
            format: store.format.clone(),
            scope,
            place: store.place.clone(),
        }
    });
    named.collect()
}

/// What is said of a table of a format that is not used.
pub fn wrong_table(wrong: WrongTable) -> ConfigError {
    let WrongTable { path, error } = wrong;
    ConfigError {
        path,
        line: error.line,
        column: error.column,
        message: format!("a format is not used: {error}"),
    }
}

/// Adds to the error about an unknown format or store what is wrong in the file that should define it.
pub fn of_table(error: DiscoverError, wrong: &[ConfigError]) -> Error {
    let (DiscoverError::UnknownFormat(name) | DiscoverError::UnknownStore { name, .. }) = &error
    else {
        return error.into();
    };
    let quoted = format!("\"{name}\"");
    let is_its = |table: &&ConfigError| {
        let is_called = table.path.file_stem().is_some_and(|stem| stem == &**name);
        is_called || fs::read_to_string(&table.path).is_ok_and(|text| text.contains(&quoted))
    };
    match wrong.iter().find(is_its) {
        Some(table) => {
            let (path, line, column) = (table.path.display(), table.line, table.column);
            let error = Error::from(error).place(format!("{path}:{line}:{column}"));
            error.hint(table.message.clone())
        }
        None => error.into(),
    }
}

/// The settings that a project brings along.
fn project_file(root: &Path) -> PathBuf {
    root.join(".memkeep/config.toml")
}

/// The files that settings are read from, the project's before the user's.
pub fn files(global: &Global, root: &Path) -> Vec<PathBuf> {
    if let Some(path) = &global.config {
        return vec![path.clone()];
    }
    let project = project_file(root);
    let user = config_folder().map(|folder| folder.join("config.toml"));
    std::iter::once(project).chain(user).collect()
}
