//! Why there is no store where one was asked for, and what to do about it.

use std::path::{Path, PathBuf};

use super::FORMATS;
use crate::memory::format::Table;

/// Why the stores that were asked for are not there.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// A named path does not exist.
    #[error("no such file or folder: {path}", path = .0.display())]
    Missing(PathBuf),
    /// A named path is no store and holds none.
    #[error("{what} {path}", what = no_store(.0), path = .0.display())]
    NoStore(PathBuf),
    /// A path that a file of the project names and that leads out of it.
    #[error("a file of the project may not name {path}, which lies outside of it", path = .0.display())]
    Outside(PathBuf),
    /// A format that memkeep does not know.
    #[error("unknown format `{0}`")]
    UnknownFormat(String),
    /// A store that is not there.
    #[error("no store `{name}`")]
    UnknownStore {
        /// What was asked for.
        name: String,
        /// The ids there are.
        known: Vec<String>,
    },
}

impl DiscoverError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        let own = FORMATS.iter().filter(|format| !format.is_context);
        let own = own.map(|format| format.name);
        let team = crate::memory::format::added().into_iter().map(Table::name);
        let formats: Vec<&str> = own.chain(team).collect();
        match self {
            Self::Missing(_) => {
                "`memkeep --help` names the commands; anything else is a path to look for stores in"
                    .to_owned()
            }
            Self::NoStore(path) => {
                let formats = formats.join("|");
                match path.is_file() {
                    true => format!("say what it is with --as {formats}"),
                    false => format!(
                        "name the folder that holds the memories, and its format with --as {formats}"
                    ),
                }
            }
            Self::Outside(_) => "name it in your own configuration".to_owned(),
            Self::UnknownFormat(_) => format!("known formats: {}", formats.join(", ")),
            Self::UnknownStore { known, .. } if known.is_empty() => {
                "`memkeep stores` found none from here".to_owned()
            }
            Self::UnknownStore { known, .. } => {
                format!("`memkeep stores` found {}", known.join(", "))
            }
        }
    }
}

fn no_store(path: &Path) -> &'static str {
    match path.is_file() {
        true => "no format of a store is recognised in",
        false => "no store at",
    }
}
