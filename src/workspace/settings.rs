//! The settings below the flags, layer by layer.

use std::path::{Path, PathBuf};

use super::{Error, config_folder};
use crate::config::{ConfigError, Settings};
use crate::store::Scope;
use crate::store::control::{self, Owner};
use crate::store::discover::{Configured, DiscoverError};

/// Settings of the environment.
pub fn environment() -> Result<Settings, Error> {
    let wrong =
        |what: String| Error::wrong(what).hint("unset the variable, or give it another value");
    Settings::from_environment(|name| std::env::var(name).ok()).map_err(wrong)
}

/// The settings below the flags, with the errors of their files.
#[derive(Default)]
pub struct Layers {
    /// The settings: environment, project, user.
    pub settings: Settings,
    /// Files that are not used.
    pub errors: Vec<ConfigError>,
    /// Keys of the project's file that only a person sets.
    pub ignored: Vec<ConfigError>,
}

/// Reads the settings below the flags.
pub fn read(environment: Settings, config: Option<&Path>, root: &Path) -> Result<Layers, Error> {
    if let Some(path) = config.filter(|path| !path.is_file()) {
        return Err(Error::wrong(format!("no such file: {}", path.display()))
            .hint("--config names a configuration file"));
    }
    let mut all = Layers {
        settings: environment,
        ..Layers::default()
    };
    let project = project_file(root);
    for path in files(config, root) {
        // A file that the person names is the person's.
        let is_projects = config.is_none() && path == project;
        match layer(&path, is_projects.then_some(root)) {
            Ok((layer, ignored)) => {
                all.settings = all.settings.over(layer);
                all.ignored.extend(ignored);
            }
            Err(error) => all.errors.push(error),
        }
    }
    Ok(all)
}

/// Reads a file of settings, which belongs to a person or to the project in a folder.
fn layer(path: &Path, project: Option<&Path>) -> Result<(Settings, Vec<ConfigError>), ConfigError> {
    let owner = project.map_or(Owner::Person, Owner::Project);
    let text = control::text(path, owner).map_err(|error| ConfigError {
        path: path.to_owned(),
        line: 1,
        column: 1,
        message: error.reason(),
    })?;
    let text = text.unwrap_or_default();
    match owner {
        Owner::Person => Ok((Settings::parse(path, &text)?, Vec::new())),
        Owner::Project(_) => Settings::of_project(path, &text),
    }
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
            bounded: store.is_projects,
            place: store.place.clone(),
        }
    });
    named.collect()
}

/// Adds the error of the file that should define an unknown format or store.
pub fn of_table(error: DiscoverError, wrong: &[ConfigError]) -> Error {
    let (DiscoverError::UnknownFormat(name) | DiscoverError::UnknownStore { name, .. }) = &error
    else {
        return error.into();
    };
    let quoted = format!("\"{name}\"");
    let is_its = |table: &&ConfigError| {
        let is_called = table.path.file_stem().is_some_and(|stem| stem == &**name);
        let folder = table.path.parent().unwrap_or(&table.path);
        let text = || control::text(&table.path, Owner::Project(folder)).ok()?;
        is_called || text().is_some_and(|text| text.contains(&quoted))
    };
    match wrong.iter().find(is_its) {
        Some(table) => {
            let error = Error::from(error).place(table.place());
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
pub fn files(config: Option<&Path>, root: &Path) -> Vec<PathBuf> {
    if let Some(path) = config {
        return vec![path.to_owned()];
    }
    let project = project_file(root);
    let user = config_folder().map(|folder| folder.join("config.toml"));
    std::iter::once(project).chain(user).collect()
}
