//! The index of a store is kept in step with its files, in the same plan.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::MarkdownStore;
use crate::memory::index::{self, Entry, IndexLink};
use crate::memory::link::relative;
use crate::memory::{Memory, MemoryId, Role, Value, document};
use crate::store::{Overlay, Promotion, StoreError, files};

/// The index of a store as staged so far.
struct Index {
    path: PathBuf,
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    links: Vec<IndexLink>,
}

impl Index {
    /// The indexes of the folders that hold a file, up to that of the store, the nearest first.
    fn above(
        store: &MarkdownStore,
        path: &Path,
        overlay: &mut Overlay,
    ) -> Result<Vec<Self>, StoreError> {
        let name = store.table.index.map(|table| &table.file);
        let folders = path.ancestors().skip(1);
        let folders = folders.take_while(|folder| folder.starts_with(store.folder()));
        let mut all = Vec::new();
        for path in folders
            .zip(name.into_iter().cycle())
            .map(|(folder, name)| folder.join(name))
        {
            all.extend(Self::read(store, path, overlay)?);
        }
        Ok(all)
    }

    /// The index at a path; none where there is none.
    fn read(
        store: &MarkdownStore,
        path: PathBuf,
        overlay: &mut Overlay,
    ) -> Result<Option<Self>, StoreError> {
        let table = store.table.index.filter(|_| overlay.exists(&path));
        let Some(table) = table else {
            return Ok(None);
        };
        let bytes = overlay.read(&path, None)?.to_vec();
        let front = store.layout(&bytes).documents.into_iter().next();
        let front = front.and_then(|document| document.front);
        let front = front.map_or(0, |front| front.end);
        let entries = index::entries(&bytes, front, table);
        let links = std::str::from_utf8(&bytes).map(|text| index::links(text, front));
        let links = links.unwrap_or_default();
        Ok(Some(Self {
            path,
            bytes,
            entries,
            links,
        }))
    }

    /// The links to a file.
    fn own(&self, path: &Path) -> impl Iterator<Item = &IndexLink> {
        let folder = self.path.parent().unwrap_or(&self.path);
        self.links
            .iter()
            .filter(move |link| super::joined(folder, &link.target) == path)
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap_or_default()
    }

    fn end_of_line(&self) -> &'static str {
        if self.bytes.windows(2).any(|pair| pair == b"\r\n") {
            "\r\n"
        } else {
            "\n"
        }
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
    let all = Index::above(store, path, overlay)?;
    let is_listed = |index: &Index| index.own(path).next().is_some() || path == index.path;
    if all.iter().any(is_listed) {
        return Ok(());
    }
    let Some(index) = all.into_iter().next() else {
        return Ok(());
    };
    let folder = index.path.parent().unwrap_or(&index.path);
    let text = std::str::from_utf8(&index.bytes);
    let at = text.map_or(index.bytes.len(), |text| {
        index::end_of_list(text, &index.entries)
    });
    let end = index.end_of_line();
    let open = document::part(&index.bytes, 0..at)
        .last()
        .is_some_and(|byte| *byte != b'\n');
    let before = if open { end } else { "" };
    let line = index::line(title, &relative(folder, path), hook);
    let mut bytes = index.bytes.clone();
    bytes.splice(at..at, format!("{before}{line}{end}").into_bytes());
    let own = store.table.index;
    overlay.write(&index.path, bytes)?;
    let after = Index::read(store, index.path, overlay)?;
    let own = own.zip(after.as_ref().and_then(|after| after.own(path).next()));
    overlay.note(own.zip(after.as_ref()).and_then(|((table, own), after)| {
        let entry = after.entries.iter().find(|entry| entry.line == own.line)?;
        let why = "below the cut and never loaded: promote it or make room";
        let (line, name) = (entry.line, &table.file);
        (!entry.is_loaded).then(|| format!("line {line} of {name} is {why}"))
    }));
    Ok(())
}

/// Lists a file that comes back as it was before its memory was taken out, and has other files
/// link to it again; see [`list`] where that is not known.
pub(super) fn relist(
    store: &MarkdownStore,
    (id, path): (&MemoryId, &Path),
    words: (&str, &str),
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let removal = overlay.removal(id);
    let own = removal
        .as_ref()
        .and_then(|one| Some((one, one.files.get(id)?)));
    let Some((removal, (was, _))) = own else {
        return list(store, path, words, overlay);
    };
    let folder = files::real(store.folder());
    for beside in &removal.beside {
        let file = &beside.path;
        let Ok(below) = file.strip_prefix(&folder) else {
            continue;
        };
        let now = store.folder().join(below);
        let index = Index::read(store, now.clone(), overlay)?;
        let is_listed = index.is_some_and(|index| index.own(path).next().is_some());
        if is_listed || !overlay.exists(&now) {
            continue;
        }
        let bytes = overlay.read(&now, None)?;
        let undone = removal.is_whole.then(|| beside.undone(bytes)).flatten();
        let is_own = |target: &str| super::joined(file.parent().unwrap_or(file), target) == *was;
        let back = || {
            let is_index =
                now.file_name() == store.table.index.map(|table| OsStr::new(&table.file));
            let before = beside.splice.before().filter(|_| is_index)?;
            let (text, before) = (str::from_utf8(bytes).ok()?, String::from_utf8(before).ok()?);
            index::put_back(text, &before, is_own)
        };
        let undone = undone.and_then(|undone| String::from_utf8(undone).ok());
        let Some(mut new) = undone.or_else(back) else {
            continue;
        };
        // It may come back under another name.
        if *was != files::real(path) {
            let to = relative(now.parent().unwrap_or(&now), path);
            let links = index::links(&new, 0).into_iter().rev();
            for link in links.filter(|link| is_own(&link.target)) {
                let name = link.link.renamed(&new, &to);
                new.replace_range(link.link.name, &name);
            }
        }
        overlay.write(&now, new.into_bytes())?;
    }
    list(store, path, words, overlay)
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
    let mut all = Index::above(store, &memory.path, overlay)?;
    let lists = |index: &Index| index.own(&memory.path).next().is_some();
    let at = all.iter().position(lists).unwrap_or_default();
    if all.is_empty() {
        return Err(refused("the store has no index"));
    }
    let index = all.swap_remove(at);
    let lines: Vec<usize> = index.own(&memory.path).map(|link| link.line).collect();
    let mut entries = index.entries.iter();
    let own = entries.find(|entry| entry.block.is_some() && lines.contains(&entry.line));
    let own = own.ok_or_else(|| match lines.is_empty() {
        true => refused("the index does not list it"),
        false => refused("the index names it in its text and in no list"),
    })?;
    let new = index::promoted(index.text(), &index.entries, own, up).ok_or_else(|| {
        refused(if up {
            "it is the first of its list"
        } else {
            "it is the last of its list"
        })
    })?;
    overlay.write(&index.path, new.into_bytes())?;
    let after = Index::read(store, index.path.clone(), overlay)?;
    let is_it = |other: &&Entry| {
        let names = |one: &Entry| (one.title.clone(), one.target.clone(), one.hook.clone());
        names(other) == names(own)
    };
    let after = after
        .as_ref()
        .and_then(|after| after.entries.iter().find(is_it));
    let why = format!(
        "line {} becomes line {} of {}",
        own.line,
        after.map_or(own.line, |after| after.line),
        file_name(&index.path)
    );
    Ok(Promotion { why, doubt: None })
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
