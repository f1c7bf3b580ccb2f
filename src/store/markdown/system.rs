//! Formats that are tables: where their stores are, and how one is told.

use std::path::{Path, PathBuf};

use super::{MarkdownStore, is_file, joined};
use crate::memory::format::Table;
use crate::memory::{document, frontmatter};
use crate::store::discover::{System, above};
use crate::store::{Store, StoreInfo, files};

/// Folders below a folder that are looked into for a file that tells what it is.
const DEEPEST: usize = 5;
/// Files that are looked at for that.
const ENOUGH: usize = 200;

/// The first files of a folder and of those below it, hidden ones left out.
fn files_below(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<std::fs::DirEntry> = entries.collect();
    entries.sort_unstable_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        let kind = entry.file_type();
        let Ok(kind) = kind else { continue };
        if files.len() >= ENOUGH || is_hidden && kind.is_dir() {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            files_below(&entry.path(), depth - 1, files);
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
}

pub(super) fn has_fields(table: &Table, bytes: &[u8], is_own: impl Fn(&str) -> bool) -> bool {
    let schema = table.schema;
    let layout = document::layout_of(schema.can.shape, bytes);
    let mut fronts = layout.documents.into_iter().filter_map(|one| one.front);
    fronts.any(|front| {
        let text = String::from_utf8_lossy(document::part(bytes, front));
        let fields = frontmatter::read(&text);
        let fields = fields.unwrap_or_else(|_| frontmatter::tolerant(schema, &text));
        fields.iter().any(|(name, _)| is_own(name))
    })
}

impl System for Table {
    fn archive(&self, store: &Path) -> PathBuf {
        let name = store.file_name().map(|name| name.to_string_lossy());
        let archive = self.archive.replace("{name}", &name.unwrap_or_default());
        match store.parent().filter(|_| is_file(self, store)) {
            // Beside a file the name of the folder alone counts.
            Some(parent) => parent.join(archive.rsplit('/').next().unwrap_or_default()),
            None => joined(store, &archive),
        }
    }

    /// The store at or above a path: a folder by its own files, which are told by their fields.
    fn holder(&self, path: &Path) -> Option<PathBuf> {
        // A file beside a folder is of its store.
        for beside in &self.beside {
            for place in &self.project {
                let other = joined(Path::new(place), beside);
                let root = above(path, other.to_str()?);
                if let Some(folder) = root.map(|root| root.join(place)).filter(|at| at.is_dir()) {
                    return Some(folder);
                }
            }
        }
        let is_ours = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.unwrap_or_default();
            let is_field = |name: &str| self.own_fields.iter().any(|own| own == name);
            let read = || files::read(path).map_or_else(|_| Vec::new(), |(bytes, _)| bytes);
            let has_field = || !self.own_fields.is_empty() && has_fields(self, &read(), is_field);
            let is_named = self.own_files.iter().any(|own| own == name);
            self.end_of(name).is_some() && (is_named || has_field())
        };
        if path.is_file() {
            let folder = path.parent().filter(|_| is_ours(path))?;
            return Some(folder.to_owned());
        }
        let at_place = |place: &String| !place.contains('*') && path.ends_with(place);
        if self.project.iter().any(at_place) && path.is_dir() {
            return Some(path.to_owned());
        }
        if self.own_fields.is_empty() && self.own_files.is_empty() {
            return None;
        }
        // Stores without a place of their own lie anywhere, and their files in folders below.
        let depth = if self.project.is_empty() { DEEPEST } else { 0 };
        let mut files = Vec::new();
        files_below(path, depth, &mut files);
        let has_ours = files.iter().any(|path| is_ours(path));
        has_ours.then(|| path.to_owned())
    }

    fn place(&self, path: &Path) -> PathBuf {
        let stands = |path: &&Path| {
            let mut places = self.project.iter();
            places.any(|place| above(path, place).is_some())
        };
        let folder = path.parent().filter(|_| path.is_file());
        let place = path.ancestors().find(stands).or(folder);
        place.unwrap_or(path).to_owned()
    }

    fn open(&'static self, info: StoreInfo) -> Box<dyn Store> {
        Box::new(MarkdownStore::new(info, self))
    }
}
