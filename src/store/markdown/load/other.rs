//! Files in the folder of a store that are not its memories.

use std::fs;
use std::path::Path;

use crate::store::markdown::MarkdownStore;

/// Says what a folder without memories holds: hidden folders, and files with other endings.
pub(in crate::store::markdown) fn unread(store: &MarkdownStore, folder: &Path) -> Vec<String> {
    let (mut hidden, mut files) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && name.starts_with('.') => hidden.push(name),
            Ok(kind) if !kind.is_dir() && store.table.end_of(&name).is_none() => files.push(name),
            _ => {}
        }
    }
    let told = |what: &str, mut names: Vec<String>| {
        names.sort_unstable();
        let first = names.first()?;
        Some(match names.len() - 1 {
            0 => format!("{what}: {first}"),
            more => format!("{what}: {first} and {more} more"),
        })
    };
    let end = store.table.ends.first().map_or("", String::as_str);
    let hidden = told("a hidden folder is not gone into", hidden);
    let files = told(&format!("not named *{end}"), files);
    hidden.into_iter().chain(files).collect()
}
