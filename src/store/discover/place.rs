//! Paths that places of a format stand for: `*` for any name.

use std::fs;
use std::path::{Path, PathBuf};

use crate::memory::{document, frontmatter};
use crate::store::files;

/// The folder that a path is, or that its file stands in.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if path.is_file() => parent.to_path_buf(),
        _ => path.to_path_buf(),
    }
}

/// The folder below which a path stands at a place; none where it stands elsewhere.
pub(super) fn above(path: &Path, place: &str) -> Option<PathBuf> {
    let mut parts = path.components().rev();
    let mut wanted = place.rsplit('/');
    let fits = wanted.all(|wanted| {
        let part = parts.next().and_then(|part| part.as_os_str().to_str());
        part.is_some_and(|part| names(wanted, part))
    });
    fits.then(|| path.ancestors().nth(place.split('/').count()))
        .flatten()
        .map(Path::to_path_buf)
}

/// Whether a name is one that a part of a place stands for: `*` is any text.
fn names(wanted: &str, name: &str) -> bool {
    match wanted.split_once('*') {
        None => wanted == name,
        Some((head, tail)) => {
            name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail)
        }
    }
}

/// The paths that a place below a folder stands for, by name.
pub(super) fn expand(folder: &Path, place: &str) -> Vec<PathBuf> {
    let mut paths = vec![folder.to_path_buf()];
    for part in place.split('/') {
        if !part.contains('*') {
            paths.iter_mut().for_each(|path| path.push(part));
            continue;
        }
        let entries = paths.iter().flat_map(fs::read_dir).flatten().flatten();
        let fits = |entry: &fs::DirEntry| {
            let name = entry.file_name();
            name.to_str().is_some_and(|name| names(part, name))
        };
        paths = entries.filter(fits).map(|entry| entry.path()).collect();
        paths.sort_unstable();
    }
    paths
}

/// A folder as an id names it: below the root, else below the person's home, else absolute.
pub(super) fn folder_name(folder: &Path, root: &Path) -> String {
    let home = etcetera::home_dir().ok();
    let below_home = home.and_then(|home| folder.strip_prefix(clean(&home)).ok());
    let name = match (folder.strip_prefix(root), below_home) {
        (Ok(below), _) if below.as_os_str().is_empty() => ".".to_owned(),
        (Ok(below), _) => below.to_string_lossy().into_owned(),
        (Err(_), Some(below)) => format!("~/{}", below.to_string_lossy()),
        (Err(_), None) => folder.to_string_lossy().into_owned(),
    };
    if std::path::MAIN_SEPARATOR == '/' {
        name
    } else {
        name.replace('\\', "/")
    }
}

/// A path without `.` and `..`, which need not exist.
pub(super) fn clean(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => drop(clean.pop()),
            part => clean.push(part),
        }
    }
    clean
}

/// The rawko store that a path is or lies in: a folder by its name or by a file with rawko's
/// fields, and of a file that has these the folder it stands in. What stands beside a file says
/// nothing of it.
pub(super) fn rawko_holder(path: &Path) -> Option<PathBuf> {
    let is_store = match path.is_file() {
        true => is_markdown(path) && has_rawko_fields(path),
        false => is_rawko(path),
    };
    is_store.then(|| folder_of(path))
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "md")
}

fn is_rawko(folder: &Path) -> bool {
    const ENOUGH: usize = 50;
    if folder.ends_with(".rawko/memories") {
        return folder.is_dir();
    }
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let markdown = files
        .map(|entry| entry.path())
        .filter(|path| is_markdown(path));
    markdown.take(ENOUGH).any(|path| has_rawko_fields(&path))
}

/// Whether one of the documents of a file has fields that only rawko's have.
fn has_rawko_fields(path: &Path) -> bool {
    let bytes = files::read(path)
        .map(|(bytes, _)| bytes)
        .unwrap_or_default();
    document::layout(&bytes).documents.iter().any(|document| {
        let front = document
            .front
            .clone()
            .and_then(|range| bytes.get(range))
            .unwrap_or_default();
        let text = String::from_utf8_lossy(front);
        let fields = frontmatter::read(&text).unwrap_or_else(|_| frontmatter::tolerant(&text));
        ["whenToUse", "discoveredBy", "discoveredAt"]
            .iter()
            .any(|name| fields.get(name).is_some())
    })
}
