//! The index of a store is kept in step with its files, in the same plan.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::MarkdownStore;
use crate::memory::index::{self, Entry};
use crate::memory::{Memory, Role, Value, document};
use crate::store::{Overlay, Promotion, StoreError};

/// The index of a store as staged so far.
struct Index {
    path: PathBuf,
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

impl Index {
    /// None where the store has none.
    fn of(store: &MarkdownStore, overlay: &mut Overlay) -> Result<Option<Self>, StoreError> {
        let Some(table) = store.table.index else {
            return Ok(None);
        };
        let path = store.folder().join(&table.file);
        if !overlay.exists(&path) {
            return Ok(None);
        }
        let bytes = overlay.read(&path, None)?.to_vec();
        let front = store.layout(&bytes).documents.into_iter().next();
        let front = front.and_then(|document| document.front);
        let entries = index::entries(&bytes, front.map_or(0, |front| front.end), table);
        Ok(Some(Self {
            path,
            bytes,
            entries,
        }))
    }

    /// The entries that link to a file.
    fn own(&self, path: &Path) -> impl DoubleEndedIterator<Item = &Entry> {
        let folder = self.path.parent().unwrap_or(&self.path);
        self.entries
            .iter()
            .filter(move |entry| target(folder, &entry.target) == path)
    }

    fn end_of_line(&self) -> &'static str {
        if self.bytes.windows(2).any(|pair| pair == b"\r\n") {
            "\r\n"
        } else {
            "\n"
        }
    }

    fn write(
        self,
        changes: Vec<(Range<usize>, String)>,
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let mut bytes = self.bytes;
        for (range, new) in changes.into_iter().rev() {
            bytes.splice(range, new.into_bytes());
        }
        overlay.write(&self.path, bytes)
    }
}

/// The file that a link leads to.
pub(in crate::store) fn target(folder: &Path, target: &str) -> PathBuf {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    super::joined(folder, &path.replace("%20", " "))
}

/// Takes the lines out that list a file.
pub(super) fn unlist(
    store: &MarkdownStore,
    path: &Path,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let Some(index) = Index::of(store, overlay)? else {
        return Ok(());
    };
    let lines = index.own(path).filter(|entry| entry.is_item(&index.bytes));
    let changes: Vec<_> = lines
        .map(|entry| (entry.range.clone(), String::new()))
        .collect();
    match changes.is_empty() {
        true => Ok(()),
        false => index.write(changes, overlay),
    }
}

/// Has the lines that list a file name another path.
pub(super) fn relist(
    store: &MarkdownStore,
    (from, to): (&Path, &Path),
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let Some(index) = Index::of(store, overlay)? else {
        return Ok(());
    };
    let folder = index.path.parent().unwrap_or(&index.path).to_owned();
    let renamed = |entry: &Entry| {
        let dot = if entry.target.starts_with("./") {
            "./"
        } else {
            ""
        };
        let new = format!("{dot}{}", relative(&folder, to));
        let rest = entry.target.find(['#', '?']);
        let rest = rest
            .and_then(|at| entry.target.get(at..))
            .unwrap_or_default();
        (entry.place.clone(), format!("{new}{rest}"))
    };
    let changes: Vec<_> = index.own(from).map(renamed).collect();
    match changes.is_empty() {
        true => Ok(()),
        false => index.write(changes, overlay),
    }
}

/// Adds a line that lists a file behind the last one, where none does. A store that has files and
/// no index gets none.
pub(super) fn list(
    store: &MarkdownStore,
    path: &Path,
    (title, hook): (&str, &str),
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let Some(index) = Index::of(store, overlay)? else {
        return Ok(());
    };
    let folder = index.path.parent().unwrap_or(&index.path).to_owned();
    if index.own(path).next().is_some() || path == index.path {
        return Ok(());
    }
    let at = index
        .entries
        .last()
        .map_or(index.bytes.len(), |last| last.range.end);
    let end = index.end_of_line();
    let open = document::part(&index.bytes, 0..at)
        .last()
        .is_some_and(|byte| *byte != b'\n');
    let before = if open { end } else { "" };
    let line = index::line(title, &relative(&folder, path), hook);
    index.write(vec![(at..at, format!("{before}{line}{end}"))], overlay)
}

/// The title and the hook that a memory is listed with.
pub(super) fn words(memory: &Memory) -> (&str, &str) {
    let about = memory.role(Role::Description).and_then(Value::as_str);
    (&memory.title, about.unwrap_or_default())
}

/// Moves the line of a memory above all entries of its list, or below them.
pub(super) fn promote(
    store: &MarkdownStore,
    memory: &Memory,
    up: bool,
    overlay: &mut Overlay,
) -> Result<Promotion, StoreError> {
    let refused = |why: &str| StoreError::Refused(format!("{}: {why}", memory.id));
    let index = Index::of(store, overlay)?.ok_or_else(|| refused("the store has no index"))?;
    let own = index.own(&memory.path).next().cloned();
    let own = own.ok_or_else(|| refused("the index does not list it"))?;
    let (mut first, mut last) = (&own, &own);
    // The lines of a list stand one below the other.
    for entry in &index.entries {
        if entry.range.start == last.range.end {
            last = entry;
        }
    }
    for entry in index.entries.iter().rev() {
        if entry.range.end == first.range.start {
            first = entry;
        }
    }
    let (other, at) = if up {
        (first, first.range.start)
    } else {
        (last, last.range.end)
    };
    if other.line == own.line {
        return Err(refused(if up {
            "it is the first of its list"
        } else {
            "it is the last of its list"
        }));
    }
    let line = document::part(&index.bytes, own.range.clone());
    let mut line = String::from_utf8_lossy(line).into_owned();
    if !line.ends_with('\n') {
        line.push_str(index.end_of_line());
    }
    let why = format!(
        "line {} becomes line {} of {}",
        own.line,
        other.line,
        file_name(&index.path)
    );
    let mut changes = vec![(own.range.clone(), String::new()), (at..at, line)];
    changes.sort_by_key(|(range, _)| range.start);
    index.write(changes, overlay)?;
    Ok(Promotion { why, doubt: None })
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// A path from a folder, with `/`; one below it in most cases.
pub(super) fn relative(folder: &Path, path: &Path) -> String {
    let mut up = String::new();
    for above in folder.ancestors() {
        if let Ok(below) = path.strip_prefix(above) {
            let parts: Vec<String> = below
                .components()
                .map(|part| part.as_os_str().to_string_lossy().into_owned())
                .collect();
            return format!("{up}{}", parts.join("/"));
        }
        up.push_str("../");
    }
    path.to_string_lossy().into_owned()
}
