//! Where other memories of a store name one, its new name: what the system's own tool should have
//! done when it gave the file another name.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::MarkdownStore;
use super::index::{relative, target};
use crate::memory::format::LinkForm;
use crate::memory::{Memory, Role, State};
use crate::store::{NewName, Overlay, Store as _, StoreError};

/// A memory's names before and after it gets another one.
struct Renamed<'a> {
    /// What links call it: LOCAL, and the last part of it.
    names: Vec<(&'a str, &'a str)>,
    /// Its file.
    path: (&'a Path, &'a Path),
}

/// Rewrites the links to a memory that gets another name.
pub(super) fn follow(
    store: &MarkdownStore,
    memory: &Memory,
    to: NewName<'_>,
    memories: &[Arc<Memory>],
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let forms = store.table.schema.can.links;
    if forms.is_empty() || memory.state == State::Archived {
        return Ok(());
    }
    fn stem(local: &str) -> &str {
        local.rsplit('/').next().unwrap_or(local)
    }
    let mut path = memory.path.to_path_buf();
    let mut names = Vec::new();
    let old_title = |memory: &Memory| Some(memory.role(Role::Title)?.as_str()?.to_owned());
    let title = old_title(memory).unwrap_or_default();
    match to {
        NewName::Local(to) => {
            path = store.file_of(to)?;
            let from = &*memory.id.local;
            names.push((from, to));
            if stem(from) != from {
                names.push((stem(from), stem(to)));
            }
        }
        NewName::Title(to) => {
            let is_same = |other: &&Arc<Memory>| {
                other.id.store == memory.id.store && old_title(other).as_ref() == Some(&title)
            };
            // A title of several memories says of none which one a link means.
            if title.is_empty() || memories.iter().filter(is_same).count() > 1 {
                return Ok(());
            }
            names.push((&title, to));
        }
    }
    let renamed = Renamed {
        names,
        path: (&memory.path, &path),
    };
    let index = store
        .table
        .index
        .as_ref()
        .map(|index| store.folder().join(&index.file));
    let is_other = |other: &&Arc<Memory>| {
        let is_ours = other.id.store == memory.id.store && other.state == State::Active;
        is_ours && other.document == 0 && Some(&*other.path) != index.as_deref()
    };
    for other in memories.iter().filter(is_other) {
        // What cannot be read names nothing.
        let at = if other.id == memory.id {
            &path
        } else {
            &*other.path
        };
        let Ok(bytes) = overlay.read(at, None).map(<[u8]>::to_vec) else {
            continue;
        };
        let Ok(text) = std::str::from_utf8(&bytes) else {
            continue;
        };
        let from = other.body.start.min(text.len());
        let by_file = matches!(to, NewName::Local(_));
        let changes = forms
            .iter()
            .filter(|form| by_file || **form == LinkForm::Wiki)
            .flat_map(|form| renamed.changes(*form, text, from, at));
        let mut changes: Vec<(Range<usize>, String)> = changes.collect();
        if changes.is_empty() {
            continue;
        }
        changes.sort_by_key(|(range, _)| range.start);
        changes.dedup_by_key(|(range, _)| range.start);
        let mut bytes = bytes;
        for (range, new) in changes.into_iter().rev() {
            bytes.splice(range, new.into_bytes());
        }
        overlay.write(at, bytes)?;
    }
    Ok(())
}

impl Renamed<'_> {
    /// The changes of a text that names the memory in one form.
    fn changes(
        &self,
        form: LinkForm,
        text: &str,
        from: usize,
        file: &Path,
    ) -> Vec<(Range<usize>, String)> {
        match form {
            LinkForm::Wiki => self.wiki(text, from),
            LinkForm::Mem => self.mem(text, from),
            LinkForm::Path => self.paths(text, from, file),
        }
    }

    fn new_name(&self, old: &str) -> Option<&str> {
        let mut names = self.names.iter();
        names.find(|(from, _)| *from == old).map(|(_, to)| *to)
    }

    /// `[[name]]`, with `|alias` or `#heading` behind it.
    fn wiki(&self, text: &str, from: usize) -> Vec<(Range<usize>, String)> {
        let found = text.match_indices("[[").filter(|(at, _)| *at >= from);
        let change = |(at, _): (usize, &str)| {
            let start = at + 2;
            let rest = text.get(start..)?;
            let end = rest.find(['|', '#', ']', '\n'])?;
            let name = rest.get(..end)?;
            let new = self.new_name(name.trim())?;
            Some((start..start + end, new.to_owned()))
        };
        found.filter_map(change).collect()
    }

    /// `mem:name`, in code too; letters, digits, `_`, `-` and `/` bound a name (formats: serena,
    /// "Links").
    fn mem(&self, text: &str, from: usize) -> Vec<(Range<usize>, String)> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/');
        let mut changes = Vec::new();
        for (at, _) in text.match_indices("mem:").filter(|(at, _)| *at >= from) {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let rest = text.get(at + 4..).unwrap_or_default();
            if before.is_some_and(is_name) {
                continue;
            }
            for (old, new) in self.names.iter().take(1) {
                let after = rest.strip_prefix(old);
                let next = after.and_then(|after| after.chars().next());
                if after.is_some() && !next.is_some_and(is_name) {
                    changes.push((at + 4..at + 4 + old.len(), (*new).to_owned()));
                }
            }
        }
        changes
    }

    /// `[text](path)`, from the folder of the file that links.
    fn paths(&self, text: &str, from: usize, file: &Path) -> Vec<(Range<usize>, String)> {
        let Some(folder) = file.parent() else {
            return Vec::new();
        };
        let found = text.match_indices("](").filter(|(at, _)| *at >= from);
        let change = |(at, _): (usize, &str)| {
            let start = at + 2;
            let rest = text.get(start..)?;
            let link = rest.get(..rest.find([')', '\n'])?)?;
            let path = link.split(['#', '?', ' ']).next()?;
            if path.is_empty() || path.contains(':') || target(folder, path) != self.path.0 {
                return None;
            }
            let dot = if path.starts_with("./") { "./" } else { "" };
            let new = format!("{dot}{}", relative(folder, self.path.1));
            Some((start..start + path.len(), new))
        };
        found.filter_map(change).collect()
    }
}
