//! The settings below the flags, layer by layer.

use std::path::{Path, PathBuf};

use super::{Error, Result, config_folder};
use crate::config::{ConfigError, Settings};
use crate::store::Scope;
use crate::store::control::{self, Owner};
use crate::store::discover::{Configured, DiscoverError};

/// The settings that a project brings along.
const PROJECT: &str = ".memkeep/config.toml";

/// The settings of the user.
pub fn user_file() -> Option<PathBuf> {
    config_folder().map(|folder| folder.join("config.toml"))
}

/// Settings of the environment.
pub fn environment() -> Result<Settings> {
    let read = Settings::from_environment(|name| std::env::var(name).ok());
    read.map_err(|what| Error::wrong(what).hint("unset the variable, or give it another value"))
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
pub fn read(environment: Settings, config: Option<&Path>, root: &Path) -> Result<Layers> {
    if let Some(path) = config.filter(|path| !path.is_file()) {
        let error = Error::wrong(format!("no such file: {}", path.display()));
        return Err(error.hint("--config names a configuration file"));
    }
    let mut all = Layers {
        settings: environment,
        ..Layers::default()
    };
    for file in files(config, root) {
        let layer = file.text.and_then(|text| match file.is_projects {
            true => Settings::of_project(&file.path, &text.unwrap_or_default()),
            false => Ok((
                Settings::parse(&file.path, &text.unwrap_or_default())?,
                Vec::new(),
            )),
        });
        match layer {
            Ok((layer, ignored)) => {
                all.settings = all.settings.over(layer);
                all.ignored.extend(ignored);
            }
            Err(error) => all.errors.push(error),
        }
    }
    Ok(all)
}

/// A file of settings.
pub struct SettingsFile {
    /// Its path.
    pub path: PathBuf,
    /// True if it is the project's, which anybody may have written.
    pub is_projects: bool,
    /// Its text; none if there is no such file.
    pub text: Result<Option<String>, ConfigError>,
}

/// The files that settings are read from, the project's before the user's.
pub fn files(config: Option<&Path>, root: &Path) -> Vec<SettingsFile> {
    let file = |path: PathBuf, owner: Owner<'_>| {
        let text = control::text(&path, owner);
        SettingsFile {
            text: text.map_err(|error| ConfigError::at(&path, "", 0, error.reason())),
            is_projects: matches!(owner, Owner::Project(_)),
            path,
        }
    };
    // A file that the person names is the person's.
    if let Some(path) = config {
        return vec![file(path.to_owned(), Owner::Person)];
    }
    let project = file(root.join(PROJECT), Owner::Project(root));
    let user = user_file().map(|path| file(path, Owner::Person));
    [project].into_iter().chain(user).collect()
}

/// The stores that settings name, where they are. A project names its own, and a person theirs.
pub fn stores(settings: &Settings, root: &Path) -> Vec<Configured> {
    let home = etcetera::home_dir().unwrap_or_default();
    let users = user_file();
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
        Some(table) => Error::from(error)
            .place(table.place())
            .hint(&*table.message),
        None => error.into(),
    }
}
