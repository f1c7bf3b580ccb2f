//! The themes to choose from, and the one that the user's configuration names.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use itertools::Itertools as _;

use super::config_folder;
use super::settings::user_file;
use crate::config::Settings;
use crate::store::control::{self, Owner};
use crate::store::files;
use crate::ui::theme::BUNDLED;

/// The folder of the user's themes.
pub fn folder() -> Option<PathBuf> {
    config_folder().map(|folder| folder.join("themes"))
}

/// The files in it, in their order.
pub fn files() -> Vec<(PathBuf, String)> {
    let entries = folder().and_then(|folder| std::fs::read_dir(folder).ok());
    let paths = entries.into_iter().flatten().flatten();
    let paths = paths.map(|entry| entry.path());
    let is_theme = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml");
    let text = |path: PathBuf| Some((control::text(&path, Owner::Person).ok()??, path));
    let files = paths.filter(is_theme).sorted().filter_map(text);
    files.map(|(text, path)| (path, text)).collect()
}

/// The names of the themes that come with memkeep and of those in the user's folder.
pub fn names() -> Vec<String> {
    let bundled = BUNDLED.iter().map(|(name, _)| (*name).to_owned());
    let own = files().into_iter();
    let own = own.filter_map(|(path, _)| Some(path.file_stem()?.to_str()?.to_owned()));
    bundled.chain(own).unique().collect()
}

/// Writes the name of a theme into the user's configuration; says what came of it.
pub fn keep(name: &str) -> String {
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
    let replace = || -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(after.as_bytes())?;
        if let Ok(meta) = std::fs::metadata(&path) {
            file.as_file().set_permissions(meta.permissions())?;
        }
        file.as_file().sync_all()?;
        file.persist(&path)?;
        Ok(())
    };
    replace().map_err(|error| error.to_string())
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
