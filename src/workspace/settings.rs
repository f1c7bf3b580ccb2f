//! The settings below the flags, layer by layer, and the themes to choose from.

use std::path::{Path, PathBuf};

use itertools::Itertools as _;

use super::{Error, Result, config_folder};
use crate::config::{ConfigError, Settings};
use crate::store::control::{self, Owner};
use crate::store::discover::{Configured, DiscoverError};
use crate::store::{Scope, files};
use crate::ui::theme::BUNDLED;

const PROJECT: &str = ".memkeep/config.toml";

pub fn user_file() -> Option<PathBuf> {
    config_folder().map(|folder| folder.join("config.toml"))
}

pub fn environment() -> Result<Settings> {
    let read = Settings::from_environment(|name| std::env::var(name).ok());
    read.map_err(|what| Error::wrong(what).hint("unset the variable, or give it another value"))
}

/// The settings below the flags, with the errors of their files.
#[derive(Default)]
pub struct Layers {
    pub settings: Settings,
    /// Files that are not used.
    pub errors: Vec<ConfigError>,
    /// Keys of the project's file that only a person sets.
    pub ignored: Vec<ConfigError>,
}

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

pub struct SettingsFile {
    pub path: PathBuf,
    /// True if it is the project's, which anybody may have written.
    pub is_projects: bool,
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

pub fn themes_folder() -> Option<PathBuf> {
    config_folder().map(|folder| folder.join("themes"))
}

pub fn theme_files() -> Vec<(PathBuf, String)> {
    let entries = themes_folder().and_then(|folder| std::fs::read_dir(folder).ok());
    let paths = entries.into_iter().flatten().flatten();
    let paths = paths.map(|entry| entry.path());
    let is_theme = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml");
    let text = |path: PathBuf| Some((control::text(&path, Owner::Person).ok()??, path));
    let files = paths.filter(is_theme).sorted().filter_map(text);
    files.map(|(text, path)| (path, text)).collect()
}

/// The names of the themes that come with memkeep and of those in the user's folder.
pub fn theme_names() -> Vec<String> {
    let bundled = BUNDLED.iter().map(|(name, _)| (*name).to_owned());
    let own = theme_files().into_iter();
    let own = own.filter_map(|(path, _)| Some(path.file_stem()?.to_str()?.to_owned()));
    bundled.chain(own).unique().collect()
}

/// Writes the name of a theme into the user's configuration; says what came of it.
pub fn keep_theme(name: &str) -> String {
    let Some(path) = user_file() else {
        return "the theme is not kept: there is no folder for your configuration".to_owned();
    };
    match write(&path, name) {
        Ok(()) => format!("wrote theme = \"{name}\" to {}", path.display()),
        Err(why) => format!("the theme is not kept: {}: {why}", path.display()),
    }
}

fn write(path: &Path, name: &str) -> Result<(), String> {
    let path = files::target(path).map_err(|error| error.to_string())?;
    let before = control::text(&path, Owner::Person).map_err(|error| error.to_string())?;
    let after = with_theme(&before.unwrap_or_default(), name);
    let settings = Settings::parse(&path, &after).map_err(|error| error.to_string())?;
    if settings.theme.as_deref() != Some(name) {
        return Err("its theme cannot be set by a line".to_owned());
    }
    files::replace(&path, after.as_bytes()).map_err(|error| error.to_string())
}

/// A configuration with this theme: its value is replaced, or becomes the first line.
fn with_theme(text: &str, name: &str) -> String {
    let table = toml::de::DeTable::parse(text).ok();
    let value = table.and_then(|table| Some(table.get_ref().get("theme")?.span()));
    match value.and_then(|value| Some((text.get(..value.start)?, text.get(value.end..)?))) {
        Some((before, behind)) => format!("{before}\"{name}\"{behind}"),
        None if text.contains("\r\n") => format!("theme = \"{name}\"\r\n{text}"),
        None => format!("theme = \"{name}\"\n{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    #[test]
    fn a_theme_is_written_and_all_else_stays() {
        for (before, after) in rows! {
            "" => "theme = \"light\"\n",
            "# mine\r\n[keys]\r\n" => "theme = \"light\"\r\n# mine\r\n[keys]\r\n",
            "# a\n theme='dark' # b\n[x]\n" => "# a\n theme=\"light\" # b\n[x]\n",
            "[a]\ntheme = 1\n" => "theme = \"light\"\n[a]\ntheme = 1\n",
        } {
            assert_eq!(with_theme(before, "light"), after);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/config.toml");
        write(&path, "light").unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "theme = \"light\"\n"
        );
        std::fs::write(&path, "[broken").unwrap();
        assert!(write(&path, "dark").is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "[broken");
    }
}
