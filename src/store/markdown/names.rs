//! Names of memories and of their files, and those that a system's own settings set apart.

use std::path::{Path, PathBuf};

use super::{MarkdownStore, context};
use crate::memory::format::NamePatterns;
use crate::memory::{Memory, frontmatter};
use crate::store::control::{self, Owner};
use crate::store::discover::{at_home, names};
use crate::store::{Result, Scope, Store as _, StoreError, StoreInfo};

impl MarkdownStore {
    /// A file name without its extension.
    pub(super) fn stem<'a>(&self, name: &'a str) -> &'a str {
        // Of a longer ending only the last part is removed: `.md`, `.mdc`.
        let stem = name.rsplit_once('.').map(|(stem, _)| stem);
        let is_named = self.table.end_of(name).is_some();
        stem.filter(|_| is_named).unwrap_or(name)
    }

    /// LOCAL of a file: its path below the store without extension. Bytes that are not UTF-8 are
    /// replaced, because they could not be typed.
    pub(super) fn local(&self, path: &Path) -> Box<str> {
        if let Some(name) = context::below_home(self.table, path) {
            return self.stem(&name).into();
        }
        let mut above = [self.folder(), &self.info.archive].into_iter();
        let below = above.find_map(|above| path.strip_prefix(above).ok());
        let below = below.or_else(|| path.file_name().map(Path::new));
        let name = below.unwrap_or(path).to_string_lossy();
        self.stem(&name.replace(std::path::MAIN_SEPARATOR, "/"))
            .into()
    }

    /// The file of a memory under another name. It keeps its extension, unless the name has one.
    pub(super) fn renamed(&self, memory: &Memory, to: &str) -> Result<PathBuf> {
        let path = self.file_of(self.stem(to))?;
        let is_read = self.table.end_of(to).is_some_and(|(_, why)| why.is_none());
        let name = memory.path.file_name().unwrap_or_default();
        let is_own = self.table.end_of(&name.to_string_lossy()).is_some();
        let own = || memory.path.extension().filter(|_| is_own);
        let end = Path::new(to).extension().filter(|_| is_read).or_else(own);
        Ok(end.map_or_else(|| path.clone(), |end| path.with_extension(end)))
    }

    /// Why agents cannot use a name; none if they can.
    pub(super) fn bad_name(&self, local: &str) -> Option<String> {
        let prefix = self.table.schema.can.user_prefix;
        let is_users = local.starts_with(prefix) || local == prefix.trim_end_matches('/');
        if !prefix.is_empty() && self.info.scope == Scope::Project && is_users {
            return Some(format!("`{prefix}` begins the names of your own memories"));
        }
        let mut bad = self.table.bad_names.iter();
        let bad = bad.find(|(pattern, _)| names(pattern, local));
        bad.map(|(_, why)| why.clone())
    }

    /// True if agents get the whole file as text, frontmatter included.
    pub(super) fn is_whole(&self, local: &str) -> bool {
        let whole = self.table.settings.get("whole");
        whole.is_some_and(|name| *name == *local)
    }

    /// True if a file is an index of the store.
    pub(super) fn is_index(&self, path: &Path) -> bool {
        let index = self.table.schema.can.index;
        index.is_some_and(|index| path.ends_with(&index.file))
    }

    /// Refuses a new name that agents cannot use.
    pub(super) fn refuse_name(&self, local: &str) -> Result {
        self.bad_name(local).map_or(Ok(()), |why| {
            let why = format!("`{local}` is no name for a memory: {why}");
            Err(StoreError::Refused(why))
        })
    }
}

/// The patterns under a key in the files of a store's settings.
pub(super) fn patterns_of(store: &StoreInfo, patterns: &NamePatterns, key: &str) -> Vec<String> {
    let read = |file: &String| -> Option<serde_yaml::Value> {
        let text = match file.strip_prefix("~/") {
            Some(below) => control::text(&at_home(store.kind, below)?, Owner::Person),
            None => {
                let path = super::joined(&store.path, file);
                control::text(&path, Owner::of_store(store, path.parent()?))
            }
        };
        frontmatter::parse(&text.ok()??).ok()
    };
    let all = patterns.files.iter().filter_map(read);
    let all = all.filter_map(|settings| settings.get(key)?.as_sequence().cloned());
    let all = all
        .flatten()
        .filter_map(|one| Some(one.as_str()?.to_owned()));
    all.collect()
}
