//! The fate of names of the code: the tree is read once for all of them, and of the history
//! only versions that are likely to have defined them.
//!
//! ```text
//! names ─> files of the tree ─> those that are nowhere ─> old versions ─> the last that had it
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::UNIX_EPOCH;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::objects::Seen;
use super::{Facts, code, objects};
use crate::lint::repository::{Blob, Change, History, Project as _, Symbols, Wanted, Was};

/// Files of the tree that are read.
const MOST_FILES: usize = 20_000;
/// Bytes of the tree that are read.
const MOST_BYTES: usize = 256 << 20;
/// Old versions that are read for names that are nowhere, and bytes of them.
const MOST_VERSIONS: usize = 3_000;
const MOST_OLD: usize = 48 << 20;
/// Versions of one file that are read to see in which commit a name went.
const MOST_STEPS: usize = 60;
/// Files in which a name is followed to its end.
const MOST_PLACES: usize = 4;
/// Names for which that is done.
const MOST_FOLLOWED: usize = 60;
/// A name that takes the place of another shares so much of its words.
const LIKE: f64 = 0.6;

/// The result of the last time.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    /// The state of the tree and the HEAD it holds for, and what was looked for.
    key: u64,
    symbols: Symbols,
}

/// The fate of these names.
pub(super) fn find(facts: &Facts<'_>, history: &History, wanted: &Wanted) -> Symbols {
    if wanted.names.is_empty() {
        return Symbols::default();
    }
    let (files, mut partial) = tree(facts, history, wanted);
    let key = key(history, wanted, &files);
    let path = facts.logs.file(facts.base(), "symbols");
    let kept = path.as_ref().and_then(|path| std::fs::read(path).ok());
    let kept = kept.and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
    if let Some(kept) = kept.filter(|kept| kept.key == key) {
        return kept.symbols;
    }
    let missing = missing(facts, wanted, &files, &mut partial);
    let mut symbols = match &partial {
        // If the tree was read only in part, no name is surely missing.
        Some(_) => Symbols::default(),
        None => Past::new(facts, history, wanted, missing).find(&mut partial),
    };
    symbols.partial = partial;
    let kept = Kept { key, symbols };
    if let (Some(path), Ok(bytes)) = (path, serde_json::to_vec(&kept)) {
        super::write(&path, &[&bytes]);
    }
    kept.symbols
}

/// A file of the tree that may hold code.
struct File<'h> {
    path: &'h str,
    size: u64,
    modified: u64,
}

/// The files of the tree that may hold code, and why not all of them are read.
fn tree<'h>(
    facts: &Facts<'_>,
    history: &'h History,
    wanted: &Wanted,
) -> (Vec<File<'h>>, Option<String>) {
    let base = facts.base();
    let code: Vec<&str> = history
        .files()
        .filter(|path| code::is_code(path) && !wanted.skip.contains(*path))
        .collect();
    let about = |path: &'h str| {
        let about = base.join(path).metadata().ok()?;
        let modified = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        about.is_file().then(|| File {
            path,
            size: about.len(),
            modified: u64::try_from(modified.as_nanos()).unwrap_or(u64::MAX),
        })
    };
    let files: Vec<File<'h>> = code.into_par_iter().filter_map(about).collect();
    let bytes: u64 = files.iter().map(|file| file.size).sum();
    let partial = if files.len() > MOST_FILES {
        let files = files.len();
        Some(format!(
            "no name of the code was looked up: the tree has {files} files of code, \
             more than {MOST_FILES}"
        ))
    } else if bytes > MOST_BYTES as u64 {
        let (has, most) = (bytes >> 20, MOST_BYTES >> 20);
        Some(format!(
            "no name of the code was looked up: the tree has {has} MB of code, more than {most}"
        ))
    } else {
        None
    };
    (files, partial)
}

/// A number for all that the answer depends on.
fn key(history: &History, wanted: &Wanted, files: &[File<'_>]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (5, &history.partial, &wanted.names).hash(&mut hasher);
    history
        .commit_at(0)
        .map(|commit| &commit.id)
        .hash(&mut hasher);
    for file in files {
        (file.path, file.size, file.modified).hash(&mut hasher);
    }
    hasher.finish()
}

/// Names that are looked for in a text, few of which are in any.
struct Sought<'w> {
    names: HashMap<&'w str, usize>,
    /// True if one begins with a byte.
    begins: [bool; 256],
}

impl<'w> Sought<'w> {
    fn new(names: impl Iterator<Item = &'w str>) -> Self {
        let names: HashMap<&str, usize> = names.enumerate().map(|(n, name)| (name, n)).collect();
        let mut begins = [false; 256];
        for name in names.keys() {
            let first = name.bytes().next().unwrap_or_default();
            if let Some(begin) = begins.get_mut(usize::from(first)) {
                *begin = true;
            }
        }
        Self { names, begins }
    }

    fn get(&self, name: &str) -> Option<usize> {
        let first = usize::from(name.bytes().next()?);
        self.begins.get(first).filter(|begins| **begins)?;
        self.names.get(name).copied()
    }
}

/// The names that no file of the tree has.
fn missing<'w>(
    facts: &Facts<'_>,
    wanted: &'w Wanted,
    files: &[File<'_>],
    partial: &mut Option<String>,
) -> Vec<&'w str> {
    let all: Vec<&str> = wanted.names.keys().map(String::as_str).collect();
    if partial.is_some() {
        return Vec::new();
    }
    let sought = Sought::new(all.iter().copied());
    let met: Vec<AtomicBool> = all.iter().map(|_| AtomicBool::new(false)).collect();
    let left = AtomicUsize::new(all.len());
    files.par_iter().for_each(|file| {
        if left.load(Ordering::Relaxed) == 0 {
            return;
        }
        let Some(text) = facts.read(file.path) else {
            return;
        };
        code::each(&text, &mut |name, _| {
            if let Some(met) = sought.get(name).and_then(|n| met.get(n))
                && !met.swap(true, Ordering::Relaxed)
            {
                left.fetch_sub(1, Ordering::Relaxed);
            }
        });
    });
    let met = met.iter().map(|met| met.load(Ordering::Relaxed));
    all.into_iter()
        .zip(met)
        .filter(|(_, met)| !met)
        .map(|(name, _)| name)
        .collect()
}

/// A version of a file that was.
#[derive(Clone, Copy)]
struct Version<'h> {
    path: &'h str,
    blob: Blob,
    /// The commit that replaced it.
    until: u32,
}

/// The search through what was.
struct Past<'a> {
    facts: &'a Facts<'a>,
    history: &'a History,
    wanted: &'a Wanted,
    missing: Vec<&'a str>,
}

impl<'a> Past<'a> {
    const fn new(
        facts: &'a Facts<'a>,
        history: &'a History,
        wanted: &'a Wanted,
        missing: Vec<&'a str>,
    ) -> Self {
        Self {
            facts,
            history,
            wanted,
            missing,
        }
    }

    fn find(&self, partial: &mut Option<String>) -> Symbols {
        let mut symbols = Symbols::default();
        if self.missing.is_empty() {
            return symbols;
        }
        let versions = self.versions();
        let blobs: Vec<Blob> = versions.iter().map(|version| version.blob).collect();
        let sought = Sought::new(self.missing.iter().copied());
        let mut hits: BTreeMap<usize, Vec<Version<'_>>> = BTreeMap::new();
        let seen = objects::each(self.facts.base(), &blobs, MOST_OLD, &mut |at, text| {
            let Some(version) = versions.get(at) else {
                return;
            };
            for name in defined(&sought, text) {
                hits.entry(name).or_default().push(*version);
            }
        });
        *partial = self.left_out(seen, versions.len());
        for (followed, (name, mut hits)) in hits.into_iter().enumerate() {
            let Some(name) = self.missing.get(name) else {
                continue;
            };
            // The file that it left last comes first.
            hits.sort_by_key(|version| version.until);
            let mut paths = HashSet::new();
            hits.retain(|version| paths.insert(version.path));
            let steps = if followed < MOST_FOLLOWED {
                MOST_PLACES
            } else {
                0
            };
            symbols
                .gone
                .insert((*name).to_owned(), self.fate(name, &hits, steps));
        }
        symbols
    }

    /// The part that was not read, if there is one.
    fn left_out(&self, seen: Seen, versions: usize) -> Option<String> {
        let Seen { came_to, missing } = seen;
        let names = match self.missing.len() {
            1 => "1 name".to_owned(),
            names => format!("{names} names"),
        };
        let read = came_to - missing.min(came_to);
        if missing > 0 {
            let why = "git does not have the others";
            return Some(format!(
                "{names} looked for in {read} of {versions} old versions of files: {why}"
            ));
        }
        let all = came_to == versions && versions < MOST_VERSIONS;
        (!all).then(|| format!("{names} looked for in {read} old versions of files only"))
    }

    /// The versions worth reading, the likeliest first: what files held that are gone, what each
    /// file held when the first memory spoke of a name, then the others, newest first.
    fn versions(&self) -> Vec<Version<'a>> {
        let since = self
            .missing
            .iter()
            .filter_map(|name| self.wanted.names.get(*name));
        let since = since.copied().min().unwrap_or(i64::MIN);
        let code = |path: &str| code::is_code(path) && !self.wanted.skip.contains(path);
        let mut first: Vec<Version<'_>> = Vec::new();
        let gone = self.history.all_gone().filter(|gone| code(&gone.path));
        first.extend(gone.map(|gone| Version {
            path: &gone.path,
            blob: gone.blob,
            until: gone.commit,
        }));
        let mut others = Vec::new();
        for path in self.history.files().filter(|path| code(path)) {
            let version = |change: &Change| {
                Some(Version {
                    path,
                    blob: change.old?,
                    until: change.commit,
                })
            };
            let all = self.history.changes(path);
            let after = self.history.changes_since(path, since).len();
            let then = all
                .get(..after)
                .and_then(|all| all.iter().filter_map(version).next_back());
            let blob = then.map(|then| then.blob);
            first.extend(then);
            others.extend(
                all.iter()
                    .filter_map(version)
                    .filter(|one| Some(one.blob) != blob),
            );
        }
        others.sort_by_key(|version| version.until);
        first.sort_by_key(|version| version.until);
        first.extend(others);
        let mut known = HashSet::new();
        first.retain(|version| known.insert((version.blob, version.path)));
        first.truncate(MOST_VERSIONS);
        first
    }

    /// Tells where a name was defined last, and the commit that took it out.
    fn fate(&self, name: &str, hits: &[Version<'a>], places: usize) -> Was {
        let ends = hits.iter().take(places);
        let ends = ends.map(|version| (self.end(name, *version), version));
        match ends.min_by_key(|((until, _), _)| *until) {
            Some(((until, now), version)) => Was {
                path: version.path.to_owned(),
                commit: self.history.commit_at(until).cloned(),
                now,
            },
            None => Was {
                path: hits.first().map_or("", |version| version.path).to_owned(),
                ..Was::default()
            },
        }
    }

    /// The commit that took a name out of a file, and the one name like it that came with it.
    fn end(&self, name: &str, version: Version<'a>) -> (u32, Option<String>) {
        let later = self.history.changes(version.path).iter();
        let later: Vec<&Change> = later
            .take_while(|change| change.commit < version.until)
            .collect();
        // From the first that replaced it to the newest.
        let blobs: Vec<(u32, Blob)> = later
            .iter()
            .rev()
            .filter_map(|change| Some((change.commit, change.old?)))
            .take(MOST_STEPS)
            .collect();
        let mut until = version.until;
        let mut last = version.blob;
        let mut ended: Option<String> = None;
        let list: Vec<Blob> = blobs.iter().map(|(_, blob)| *blob).collect();
        objects::each(self.facts.base(), &list, MOST_OLD, &mut |at, text| {
            if ended.is_none() {
                match blobs.get(at) {
                    Some((commit, blob)) if has(text, name) => (until, last) = (*commit, *blob),
                    _ => ended = Some(text.to_owned()),
                }
            }
        });
        let ended = ended.or_else(|| self.facts.read(version.path));
        let now = ended.and_then(|text| self.successor(name, last, &text));
        (until, now)
    }

    /// The one name like this one that is defined in a text and was not in the last version with it.
    fn successor(&self, name: &str, last: Blob, text: &str) -> Option<String> {
        let mut before = HashSet::new();
        objects::each(self.facts.base(), &[last], MOST_OLD, &mut |_, old| {
            code::each(old, &mut |name, _| {
                before.insert(name.to_owned());
            });
        });
        let mut like: Vec<(f64, &str)> = Vec::new();
        code::each(text, &mut |other, at| {
            let alike = if before.contains(other) {
                0.0
            } else {
                code::likeness(name, other)
            };
            let new = alike >= LIKE && !like.iter().any(|(_, known)| *known == other);
            if new && code::is_defined(text, &at) {
                like.push((alike, other));
            }
        });
        like.sort_by(|a, b| b.0.total_cmp(&a.0));
        match like.as_slice() {
            [(_, one)] => Some((*one).to_owned()),
            [(best, one), (next, _), ..] if best > next => Some((*one).to_owned()),
            _ => None,
        }
    }
}

fn has(text: &str, name: &str) -> bool {
    let mut has = false;
    code::each(text, &mut |other, _| has |= other == name);
    has
}

/// The names of a text that are looked for and defined there.
fn defined(sought: &Sought<'_>, text: &str) -> BTreeSet<usize> {
    let mut defined = BTreeSet::new();
    code::each(text, &mut |name, at| {
        let is_new = |n: &usize| !defined.contains(n) && code::is_defined(text, &at);
        if let Some(n) = sought.get(name).filter(is_new) {
            defined.insert(n);
        }
    });
    defined
}
