//! Formats whose stores are looked for: those that a table describes, and those that have code.

use std::path::{Path, PathBuf};

use super::place::above;
use crate::memory::format::{Table, table_of};
use crate::store::{Store, StoreInfo};
use crate::systems::schema_named;

/// Opens the stores of a format: a table for Markdown files, else code.
pub trait System: Send + Sync {
    /// The archive of a store.
    fn archive(&self, store: &Path) -> PathBuf;
    /// The store at or above a path, recognised by its content.
    fn holder(&self, path: &Path) -> Option<PathBuf>;
    /// The store at or above a path that the person says has this format.
    fn place(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }
    /// Opens a store.
    fn open(&'static self, info: StoreInfo) -> Box<dyn Store>;
}

/// A format memkeep reads and writes.
pub struct Format {
    /// Its name in the contract.
    pub name: &'static str,
    /// Its place among the formats, in the order in which stores are looked for.
    pub order: u32,
    /// The policy its system selects by.
    pub policy: &'static str,
    /// Paths of its stores below a project: folders or files, `*` for any name.
    pub project: &'static [&'static str],
    /// Folders below a person's home; `{project}` is the system's name of a project.
    pub user: &'static [&'static str],
    /// The variable of the environment that stands for the first folder of `user`.
    pub home_env: Option<&'static str>,
    /// The setting of the system that names another folder of memories: a JSON file below a
    /// person's home, and its key.
    pub folder_setting: Option<(&'static str, &'static str)>,
    /// True if its files are context, which is no store of memories.
    pub is_context: bool,
    /// Opener of its stores.
    pub system: &'static dyn System,
}

impl std::fmt::Debug for Format {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

impl Format {
    /// A format with code of its own, whose policy has its name: its places below a project and
    /// below a person's home.
    pub(in crate::store) const fn coded(
        name: &'static str,
        order: u32,
        [project, user]: [&'static [&'static str]; 2],
        system: &'static dyn System,
    ) -> Self {
        Self {
            name,
            order,
            policy: name,
            project,
            user,
            home_env: None,
            folder_setting: None,
            is_context: false,
            system,
        }
    }

    /// The format of a table.
    pub(super) fn of(table: &'static Table) -> Self {
        let names = |all: &'static [String]| Box::leak(all.iter().map(String::as_str).collect());
        Self {
            name: table.name(),
            order: table.order,
            policy: table.schema.policy,
            project: names(&table.project),
            user: names(&table.user),
            home_env: table.home_env.as_deref(),
            folder_setting: table.folder_setting.as_ref().map(|(a, b)| (&**a, &**b)),
            is_context: table.schema.can.context,
            system: table,
        }
    }

    /// The folder below which a path stands at a place of the format.
    pub(super) fn folder_above(&self, path: &Path) -> Option<PathBuf> {
        let mut places = self.project.iter();
        places.find_map(|place| above(path, place))
    }

    /// True if a table describes it: its stores are files of Markdown, which anybody can make.
    pub fn is_table(&self) -> bool {
        schema_named(self.name).and_then(table_of).is_some()
    }
}
