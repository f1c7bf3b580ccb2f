//! Mentions of memories that get another name or leave their store, in other memories, in context
//! files and in the instructions of agents.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Collection;
use crate::curate::plan::MOST_PLACES;
use crate::memory::mention::{Mention, Name, mentions};
use crate::memory::{Memory, State, StoreId, plural};
use crate::store::{NewName, Overlay, StoreError, discover};

/// Largest file that is read for mentions, in bytes.
const LARGEST: u64 = 1 << 20;

/// Entries of folders that are looked at for instructions of agents.
const MOST_ENTRIES: usize = 10_000;

/// Folders without instructions of agents for this project: what is installed, built or checked out.
const OTHERS: [&str; 5] = [".git", "node_modules", "target", "vendor", "worktrees"];

/// Instructions of agents, a line each: names of files, and folders that hold them.
const INSTRUCTIONS: &str = include_str!("../../../assets/instructions.txt");

/// Endings of the files in those folders that are texts.
const TEXTS: [&str; 4] = [".md", ".mdc", ".toml", ".txt"];

/// True for a file that instructs agents, by its path below the root.
fn is_instruction(path: &Path) -> bool {
    let path = path.to_string_lossy();
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_text = || TEXTS.iter().any(|end| name.ends_with(end));
    INSTRUCTIONS
        .lines()
        .any(|known| match known.ends_with('/') {
            true => is_in(&path, known) && is_text(),
            false => name == known,
        })
}

/// The files below a folder that instruct agents, the nearest first. Links are not followed.
fn instructions(root: &Path) -> Vec<PathBuf> {
    let (mut found, mut seen) = (Vec::new(), 0);
    let mut folders = VecDeque::from([root.to_owned()]);
    while let Some(folder) = folders.pop_front() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten();
        for entry in entries.flatten() {
            seen += 1;
            if seen > MOST_ENTRIES {
                return found;
            }
            let path = entry.path();
            let below = path.strip_prefix(root).unwrap_or(&path);
            let kind = entry.file_type().ok();
            if kind.is_some_and(|kind| kind.is_dir()) && may_hold(below) {
                folders.push_back(path);
            } else if kind.is_some_and(|kind| kind.is_file()) && is_instruction(below) {
                found.push(path);
            }
        }
    }
    found
}

/// True if a folder below the root may hold instructions of agents.
fn may_hold(folder: &Path) -> bool {
    let path = format!("{}/", folder.to_string_lossy());
    let name = path
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let is_own = || {
        let mut own = INSTRUCTIONS.lines().filter(|known| known.ends_with('/'));
        let first = format!("{name}/");
        own.any(|known| known.starts_with(&first) || is_in(&path, known))
    };
    !OTHERS.contains(&name) && (!name.starts_with('.') || is_own())
}

/// True if a folder is part of a path.
fn is_in(path: &str, folder: &str) -> bool {
    let mut found = path.match_indices(folder);
    found.any(|(at, _)| at == 0 || path.get(..at).is_some_and(|lead| lead.ends_with('/')))
}

/// A path without the ending of its file, with `/` between its parts.
fn bare(path: &Path) -> String {
    let path = match path.extension() {
        Some(end) if end == "md" || end == "mdc" => path.with_extension(""),
        _ => path.to_owned(),
    };
    path.to_string_lossy().replace('\\', "/")
}

impl Collection {
    /// Finds what still mentions memories by a name that they lose. The mentions are changed, or a
    /// note says where they are.
    pub(super) fn follow_mentions(
        &self,
        changed: &[(&Memory, NewName<'_>)],
        is_changed: bool,
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let names = self.names(changed, memories, overlay)?;
        if names.is_empty() {
            return Ok(());
        }
        let (mut places, mut edited, mut files) = (Vec::new(), 0, 0);
        for (path, store) in self.mentioning(memories) {
            // Files that are not text name nothing.
            let text = overlay.read(&path, None).ok().map(<[u8]>::to_vec);
            let Some(text) = text.and_then(|bytes| String::from_utf8(bytes).ok()) else {
                continue;
            };
            let may_change = is_changed && self.leaves(&path).is_none();
            let found = mentions(&text, &names, store).into_iter();
            let (edits, left): (Vec<Mention>, Vec<Mention>) =
                found.partition(|one| may_change && one.to.is_some());
            let line = |one: &Mention| {
                text.get(..one.range.start)
                    .map(|lead| lead.matches('\n').count() + 1)
            };
            let mut lines: Vec<usize> = left.iter().filter_map(line).collect();
            lines.dedup();
            places.extend(
                lines
                    .iter()
                    .map(|line| format!("{}:{line}", self.shown(&path))),
            );
            if !edits.is_empty() {
                edited += edits.len();
                files += 1;
                let mut new = text.clone();
                for one in edits.into_iter().rev() {
                    new.replace_range(one.range, &one.to.unwrap_or_default());
                }
                overlay.write(&path, new.into_bytes())?;
            }
        }
        overlay.note((edited > 0).then(|| {
            let (mentions, files) = (plural(edited, "mention"), plural(files, "file"));
            format!("changed {mentions} in {files}")
        }));
        let more = places.len().saturating_sub(MOST_PLACES);
        let mut shown: Vec<String> = places.iter().take(MOST_PLACES).cloned().collect();
        shown.extend((more > 0).then(|| plural(more, "more place")));
        let what = match names.iter().all(|name| name.to.is_some()) {
            true => "the old name still stands in",
            false => "still mentioned in",
        };
        overlay.note((!places.is_empty()).then(|| format!("{what} {}", shown.join(", "))));
        overlay.mentioned(places);
        Ok(())
    }

    /// The names that memories lose. A memory that is only a part of a file has none that others
    /// mention.
    fn names<'a>(
        &self,
        changed: &[(&'a Memory, NewName<'_>)],
        memories: &[Arc<Memory>],
        overlay: &Overlay,
    ) -> Result<Vec<Name<'a>>, StoreError> {
        let mut lasts: HashMap<String, usize> = HashMap::new();
        let last = |memory: &Memory| {
            let path = bare(&memory.path);
            path.rsplit('/').next().unwrap_or_default().to_owned()
        };
        for memory in memories.iter().filter(|one| one.state == State::Active) {
            *lasts.entry(last(memory)).or_default() += 1;
        }
        let mut names = Vec::new();
        for (memory, to) in changed {
            let store = self.store_of(&memory.id);
            let store = store.filter(|_| !overlay.exists(&memory.path));
            let Some(store) = store.filter(|_| memory.state == State::Active) else {
                continue;
            };
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

    /// The files that may mention memories: other memories, context files, and the instructions of
    /// agents anywhere below the root; memories with their store.
    fn mentioning<'a>(&self, memories: &'a [Arc<Memory>]) -> Vec<(PathBuf, Option<&'a StoreId>)> {
        let context = discover::context(&self.root);
        let context = context.map(|store| store.load(&[], &mut |_| true).memories);
        let context = context.into_iter().flatten();
        let mut others: Vec<PathBuf> = context.map(|one| one.path.to_path_buf()).collect();
        others.extend(instructions(&self.root));
        let is_small = |path: &PathBuf| path.metadata().is_ok_and(|meta| meta.len() <= LARGEST);
        others.retain(is_small);
        let own = memories.iter().filter(|one| !one.schema.in_rows());
        let archived: HashSet<&Path> = own
            .clone()
            .filter(|one| one.state == State::Archived)
            .map(|one| &*one.path)
            .collect();
        let active = own.filter(|one| one.state == State::Active);
        let active = active.map(|one| (one.path.to_path_buf(), Some(&one.id.store)));
        let others = others
            .into_iter()
            .filter(|path| !archived.contains(&**path));
        let mut all: BTreeMap<PathBuf, Option<&StoreId>> =
            others.map(|path| (path, None)).collect();
        all.extend(active);
        all.into_iter().collect()
    }
}
