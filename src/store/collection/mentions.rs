//! Mentions of memories that are renamed or leave, in memories, context files and instructions.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use itertools::Itertools as _;

use super::planner::Planner;
use crate::curate::plan::MOST_PLACES;
use crate::memory::link::{Mention, Name, mentions};
use crate::memory::{Memory, State, StoreId, plural};
use crate::project::repository::named;
use crate::store::{NewName, Result, discover};

/// Largest file that is read for mentions, in bytes.
const LARGEST: u64 = 1 << 20;

/// Folders without instructions for this project: what is installed, built or checked out.
const OTHERS: [&str; 4] = ["node_modules", "target", "vendor", "worktrees"];

/// Instructions of agents, a line each: files, hidden folders, and folders of Markdown files.
const INSTRUCTIONS: &str = include_str!("../../../assets/instructions.txt");

fn instructions(root: &Path) -> Vec<PathBuf> {
    let names: Vec<&str> = INSTRUCTIONS.lines().collect();
    let paths = named(root, &names).into_iter().map(PathBuf::from);
    let is_other = |part: &OsStr| OTHERS.iter().any(|other| part == *other);
    let is_own = |path: &PathBuf| !path.iter().any(is_other);
    paths.filter(is_own).map(|path| root.join(path)).collect()
}

/// A path without the ending of its file, with `/` between its parts.
fn bare(path: &Path) -> String {
    let path = match path.extension() {
        Some(end) if end == "md" || end == "mdc" => path.with_extension(""),
        _ => path.to_owned(),
    };
    path.to_string_lossy().replace('\\', "/")
}

impl<'a> Planner<'a> {
    /// Finds what still mentions memories by a name that they lose, and changes it or notes it.
    pub(super) fn follow_mentions(
        &mut self,
        changed: &[(&'a Memory, NewName<'_>)],
        is_changed: bool,
    ) -> Result {
        let names = self.names(changed)?;
        if names.is_empty() {
            return Ok(());
        }
        let (mut places, mut edited, mut files) = (Vec::new(), 0, 0);
        for (path, store) in self.mentioning() {
            // Files that are not text name nothing.
            let text = self.overlay.read(&path, None).ok().map(<[u8]>::to_vec);
            let Some(mut text) = text.and_then(|bytes| String::from_utf8(bytes).ok()) else {
                continue;
            };
            let may_change = is_changed && self.collection.leaves(&path).is_none();
            let found = mentions(&text, &names, store).into_iter();
            let (edits, left): (Vec<Mention>, Vec<Mention>) =
                found.partition(|one| may_change && one.to.is_some());
            let line = |one: &Mention| Some(text.get(..one.range.start)?.matches('\n').count() + 1);
            let lines = left.iter().filter_map(line).dedup();
            let shown = self.collection.shown(&path);
            places.extend(lines.map(|line| format!("{shown}:{line}")));
            if !edits.is_empty() {
                edited += edits.len();
                files += 1;
                for one in edits.into_iter().rev() {
                    text.replace_range(one.range, &one.to.unwrap_or_default());
                }
                self.overlay.write(&path, text.into_bytes())?;
            }
        }
        let (mentions, files) = (plural(edited, "mention"), plural(files, "file"));
        let note = format!("changed {mentions} in {files}");
        self.overlay.note((edited > 0).then_some(note));
        let more = places.len().saturating_sub(MOST_PLACES);
        let more = (more > 0).then(|| plural(more, "more place"));
        let mut shown = places.iter().take(MOST_PLACES).chain(&more);
        let what = match names.iter().all(|name| name.to.is_some()) {
            true => "the old name still stands in",
            false => "still mentioned in",
        };
        let note = format!("{what} {}", shown.join(", "));
        self.overlay.note((!places.is_empty()).then_some(note));
        self.overlay.mentioned(places);
        Ok(())
    }

    /// The names that memories lose; one that is only a part of a file has none.
    fn names(&self, changed: &[(&'a Memory, NewName<'_>)]) -> Result<Vec<Name<'a>>> {
        let last = |memory: &Memory| {
            let path = bare(&memory.path);
            path.rsplit('/').next().unwrap_or_default().to_owned()
        };
        let active = self.memories.iter();
        let active = active.filter(|one| one.state == State::Active);
        let lasts = active.map(|one| last(one)).counts();
        let mut names = Vec::new();
        for (memory, to) in changed {
            let is_gone = memory.state == State::Active && !self.overlay.exists(&memory.path);
            let store = self.collection.store_of(&memory.id);
            let store = store.filter(|_| is_gone);
            let Some(store) = store else { continue };
            let folder = &store.info().path;
            let local = |path: &Path| bare(path.strip_prefix(folder).unwrap_or(path));
            let to = match to {
                NewName::Local(to) => {
                    let to = store.file_of(to.strip_suffix(".md").unwrap_or(to))?;
                    Some(local(&to))
                }
                _ => None,
            };
            names.push(Name {
                memory,
                path: bare(&memory.path),
                local: local(&memory.path),
                to,
                is_shared: lasts.get(&last(memory)).is_some_and(|count| *count > 1),
            });
        }
        Ok(names)
    }

    /// The files that may mention memories, and the stores of those that are memories.
    fn mentioning(&self) -> Vec<(PathBuf, Option<&'a StoreId>)> {
        let root = &self.collection.root;
        let context = discover::context(root);
        let context = context.map(|store| store.load(&[], &mut |_| true).memories);
        let context = context.into_iter().flatten();
        let others = context.map(|one| one.path.to_path_buf());
        let others = others.chain(instructions(root));
        let is_small = |path: &PathBuf| path.metadata().is_ok_and(|meta| meta.len() <= LARGEST);
        let own = self.memories.iter().filter(|one| !one.schema.can.in_rows);
        let (active, archived): (Vec<&Arc<Memory>>, Vec<_>) =
            own.partition(|one| one.state == State::Active);
        let archived: HashSet<&Path> = archived.into_iter().map(|one| &*one.path).collect();
        let others = others.filter(|path| is_small(path) && !archived.contains(&**path));
        let mut all: BTreeMap<PathBuf, Option<&StoreId>> = others.map(|one| (one, None)).collect();
        let active = active.into_iter();
        all.extend(active.map(|one| (one.path.to_path_buf(), Some(&one.id.store))));
        all.into_iter().collect()
    }
}
