//! The index of a store is kept in step with its files, in the same plan.

use std::path::{Path, PathBuf};

use super::MarkdownStore;
use crate::memory::index::{self, Entry, IndexLink};
use crate::memory::link::relative;
use crate::memory::{Memory, Role, Value, document};
use crate::store::{Overlay, Promotion, Result, refused};

/// The index of a store as staged so far.
struct Index {
    path: PathBuf,
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    links: Vec<IndexLink>,
}

impl Index {
    /// The indexes of the folders that hold a file, up to that of the store, the nearest first.
    fn above(store: &MarkdownStore, path: &Path, overlay: &mut Overlay) -> Result<Vec<Self>> {
        let name = store.table.schema.can.index.map(|table| &table.file);
        let folders = path.ancestors().skip(1);
        let folders = folders.take_while(|folder| folder.starts_with(store.folder()));
        let mut all = Vec::new();
        for (folder, name) in folders.zip(name.into_iter().cycle()) {
            all.extend(Self::read(store, folder.join(name), overlay)?);
        }
        Ok(all)
    }

    fn read(store: &MarkdownStore, path: PathBuf, overlay: &mut Overlay) -> Result<Option<Self>> {
        let table = store.table.schema.can.index;
        let table = table.filter(|_| overlay.exists(&path));
        let Some(table) = table else { return Ok(None) };
        let bytes = overlay.read(&path, None)?.to_vec();
        let front = store.layout(&bytes).documents.into_iter().next();
        let front = front.and_then(|document| document.front);
        let front = front.map_or(0, |front| front.end);
        let links = str::from_utf8(&bytes).map(|text| index::links(text, front));
        Ok(Some(Self {
            entries: index::entries(&bytes, front, table),
            links: links.unwrap_or_default(),
            path,
            bytes,
        }))
    }

    /// The links to a file, by its path or else by the title of its memory (`[[title]]`).
    fn own(&self, path: &Path, title: &str) -> Vec<&IndexLink> {
        let folder = self.path.parent().unwrap_or(&self.path);
        let to = |path: &Path| -> Vec<&IndexLink> {
            let links = self.links.iter();
            let own = links.filter(|link| super::joined(folder, &link.target) == path);
            own.collect()
        };
        match to(path) {
            own if own.is_empty() => to(&folder.join(format!("{title}.md"))),
            own => own,
        }
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap_or_default()
    }
}

/// Adds an entry for an unlisted file after the last one: the one it had, else a new one.
pub(super) fn list(
    store: &MarkdownStore,
    path: &Path,
    (title, hook): (&str, &str),
    overlay: &mut Overlay,
) -> Result {
    let all = Index::above(store, path, overlay)?;
    let is_listed = |index: &Index| !index.own(path, title).is_empty() || path == index.path;
    if all.iter().any(is_listed) {
        return Ok(());
    }
    // A file that comes back gets the entry that it had.
    for index in &all {
        let folder = index.path.parent().unwrap_or(&index.path);
        let is_own = |target: &str| super::joined(folder, target) == path;
        let texts = overlay.earlier(&index.path).into_iter();
        let mut texts = texts.filter_map(|text| str::from_utf8(text).ok());
        let entry = |text: &str| index::put_back(index.text(), &index.entries, text, is_own);
        if let Some(new) = texts.find_map(entry) {
            return overlay.write(&index.path, new.into_bytes());
        }
    }
    let Some((index, table)) = all.into_iter().next().zip(store.table.schema.can.index) else {
        return Ok(());
    };
    let folder = index.path.parent().unwrap_or(&index.path);
    let text = std::str::from_utf8(&index.bytes);
    let at = text.map_or(index.bytes.len(), |text| {
        index::end_of_list(text, &index.entries)
    });
    let end = index::end_of_line(&String::from_utf8_lossy(&index.bytes));
    let last = document::part(&index.bytes, 0..at).last();
    let before = if last.is_none_or(|byte| *byte == b'\n') {
        ""
    } else {
        end
    };
    let line = index::line(title, &relative(folder, path), hook, table);
    let mut bytes = index.bytes.clone();
    bytes.splice(at..at, format!("{before}{line}{end}").into_bytes());
    overlay.write(&index.path, bytes)?;
    let after = Index::read(store, index.path.clone(), overlay)?;
    overlay.note(after.and_then(|after| {
        let line = after.own(path, title).first()?.line;
        let is_cut = |entry: &Entry| entry.line == line && !entry.is_loaded;
        let why = "below the cut and never loaded: promote it or make room";
        let name = &table.file;
        (after.entries.iter().any(is_cut)).then(|| format!("line {line} of {name} is {why}"))
    }));
    Ok(())
}

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
) -> Result<Promotion> {
    let refused = |why: &str| refused(format!("{}: {why}", memory.id));
    let mut all = Index::above(store, &memory.path, overlay)?;
    let own = |index: &Index| -> Vec<usize> {
        let links = index.own(&memory.path, &memory.title);
        links.iter().map(|link| link.line).collect()
    };
    if all.is_empty() {
        return Err(refused("the store has no index"));
    }
    let at = all.iter().position(|index| !own(index).is_empty());
    let index = all.swap_remove(at.unwrap_or_default());
    let lines = own(&index);
    let entries = index.entries.iter();
    let own = entries.filter(|entry| entry.block.is_some() && lines.contains(&entry.line));
    // Its own entry is preferred to a mention in another one.
    let own = own.min_by_key(|entry| !entry.is_lead);
    let own = own.ok_or_else(|| match lines.is_empty() {
        true => refused("the index does not list it"),
        false => refused("the index names it in its text and in no list"),
    })?;
    let stays = match up {
        true => "it is the first of its list",
        false => "it is the last of its list",
    };
    let new = index::promoted(index.text(), &index.entries, own, up);
    let new = new.ok_or_else(|| refused(stays))?;
    overlay.write(&index.path, new.into_bytes())?;
    let after = Index::read(store, index.path.clone(), overlay)?;
    let is_it = |other: &&Entry| {
        let names = |one: &Entry| (one.title.clone(), one.target.clone(), one.hook.clone());
        names(other) == names(own)
    };
    let mut entries = after.iter().flat_map(|after| &after.entries);
    let after = entries.find(is_it);
    let below = match after {
        Some(after) if !after.is_loaded => ", still below the cut",
        _ => "",
    };
    let (was, line) = (own.line, after.map_or(own.line, |after| after.line));
    let name = index.path.file_name().unwrap_or_default().to_string_lossy();
    let why = format!("line {was} becomes line {line} of {name}{below}");
    Ok(Promotion { why, doubt: None })
}
