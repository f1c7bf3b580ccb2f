//! Files that come with others: VS Code attaches what an attached file links to (formats: copilot,
//! "What is injected"), Claude Code loads what a loaded file imports (formats: claude, "Imports").

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use crate::memory::link::joined;
use crate::memory::{Memory, State};
use crate::retrieval::Texts;

/// Files that attached files link to.
#[derive(Default)]
pub(super) struct Linked {
    /// The memory that links to each of these, by LOCAL.
    memories: BTreeMap<Box<str>, Box<str>>,
    /// Links to files that are no memories: the memory that links, and the path as it is written.
    pub others: BTreeSet<(Box<str>, String)>,
}

impl Linked {
    /// Files that these files link to, directly or through each other.
    pub fn from_files(
        memories: &[&Memory],
        is_attached: impl Fn(&Memory) -> bool,
        texts: &dyn Texts,
    ) -> Self {
        let active = memories.iter().filter(|one| one.state == State::Active);
        let seen = active.filter(|one| one.hidden.is_none());
        let by_path: HashMap<&Path, &Memory> = seen.map(|one| (&*one.path, *one)).collect();
        let attached = memories.iter().copied();
        let attached = attached.filter(|one| by_path.contains_key(&*one.path) && is_attached(one));
        let mut open: Vec<&Memory> = attached.collect();
        let mut known: BTreeSet<&str> = open.iter().map(|one| &*one.id.local).collect();
        let mut linked = Self::default();
        while let Some(from) = open.pop() {
            let body = texts.body(from).unwrap_or_default();
            let Some(folder) = from.path.parent() else {
                continue;
            };
            for path in paths(&body) {
                let target = joined(folder, path);
                let Some(to) = by_path.get(&*target) else {
                    let other = (from.id.local.clone(), path.to_owned());
                    let others = texts.is_file(&target).then_some(other);
                    linked.others.extend(others);
                    continue;
                };
                if known.insert(&to.id.local) {
                    let (to_local, from) = (to.id.local.clone(), from.id.local.clone());
                    linked.memories.insert(to_local, from);
                    open.push(to);
                }
            }
        }
        linked
    }

    /// The memory because of whose link one is attached.
    pub fn to(&self, memory: &Memory) -> Option<&str> {
        self.memories.get(&memory.id.local).map(|from| &**from)
    }
}

/// The relative paths that a text links to: `[text](path)`, no images, and `#file:path`.
fn paths(text: &str) -> Vec<&str> {
    let links = text.match_indices("](").filter_map(|(at, _)| {
        let (before, after) = (text.get(..at)?, text.get(at + 2..)?);
        let open = before.rfind('[')?;
        let is_image = before.get(..open)?.ends_with('!');
        after.get(..after.find(')')?).filter(|_| !is_image)
    });
    let files = text.match_indices("#file:").filter_map(|(at, mark)| {
        let after = text.get(at + mark.len()..)?;
        after.split(char::is_whitespace).next()
    });
    let path = |link: &'_ str| link.split(['#', '?', ' ', '\n']).next().map(str::len);
    let all = links
        .chain(files)
        .filter_map(|link| link.get(..path(link)?));
    let is_path = |path: &&str| !path.is_empty() && !path.contains(':');
    all.filter(is_path).collect()
}

/// The files that only imports load, by LOCAL, each with a file that imports it; none where one of
/// these is loaded. Each line names an import: LOCAL of the imported and of the importing file.
pub(super) fn imported(
    lines: &str,
    is_loaded: impl Fn(&str) -> bool,
) -> BTreeMap<String, Option<String>> {
    let pairs = || lines.lines().filter_map(|line| line.split_once('\t'));
    let waits = pairs().map(|(to, from)| (to.to_owned(), Some(from.to_owned())));
    let mut all: BTreeMap<String, Option<String>> = waits.collect();
    // An import of an import is one step further.
    for _ in 0..all.len() {
        let is_given = |from: &str| match all.get(from) {
            Some(waits) => waits.is_none(),
            None => is_loaded(from),
        };
        let given = pairs().filter(|(_, from)| is_given(from));
        let given: Vec<(String, Option<String>)> =
            given.map(|(to, _)| (to.to_owned(), None)).collect();
        all.extend(given);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_are_paths_and_pictures_are_not() {
        let text = "[a](b.md#c) ![p](p.png) [u](https://x.y/z) #file:d/e.ts and [t](#top) [x](\n";
        assert_eq!(paths(text), ["b.md", "d/e.ts"]);
        let folder = Path::new("/r/.github/instructions");
        assert_eq!(joined(folder, "../../a.md"), Path::new("/r/a.md"));
    }

    #[test]
    fn an_import_goes_with_what_imports_it() {
        let lines = "b\ta\nc\tb\nd\tx\nd\tc\ne\tx\nf\tg\ng\tf";
        let all = imported(lines, |local| local == "a");
        let waits = |from: &str| Some(Some(from.to_owned()));
        for (local, expected) in [
            ("a", None),
            ("b", Some(None)),
            ("c", Some(None)),
            ("d", Some(None)),
            ("e", waits("x")),
            ("f", waits("g")),
        ] {
            assert_eq!(all.get(local), expected.as_ref(), "{local}");
        }
    }
}
