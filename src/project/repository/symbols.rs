//! The fate of names of the code: the tree is read once for all of them, and of the history old
//! versions of files, newest first.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::UNIX_EPOCH;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Facts, code, objects};
use crate::lint::repository::{Blob, History, Project as _, Symbols, Wanted, Was};

/// Files of the tree that are read.
const MOST_FILES: usize = 20_000;
/// Bytes of the tree that are read.
const MOST_BYTES: u64 = 256 << 20;
/// Old versions that are read for names that are nowhere, and bytes of them.
const MOST_VERSIONS: usize = 3_000;
const MOST_OLD: usize = 48 << 20;

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
    let is_code = |path: &str| code::is_code(path) && !wanted.skip.contains(path);
    let files = history.files.iter().filter(|path| is_code(path));
    let files: Vec<&str> = files.collect();
    let sizes = |path: &&str| {
        let about = facts.base().join(path).metadata().ok()?;
        let modified = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some((about.len(), modified))
    };
    let sizes: Vec<_> = files.par_iter().map(sizes).collect();
    let mut hasher = DefaultHasher::new();
    let head = history.commit_at(0).map(|commit| &commit.id);
    (7, &history.partial, &wanted.names, head, &files, &sizes).hash(&mut hasher);
    let key = hasher.finish();
    let path = facts.logs.file(facts.base(), "symbols");
    let kept = path.as_ref().and_then(|path| std::fs::read(path).ok());
    let kept = kept.and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
    if let Some(kept) = kept.filter(|kept| kept.key == key) {
        return kept.symbols;
    }
    let bytes: u64 = sizes.iter().flatten().map(|(size, _)| size).sum();
    let symbols = match files.len() > MOST_FILES || bytes > MOST_BYTES {
        // If the tree was read only in part, no name is surely missing.
        true => Symbols {
            partial: Some("no name of the code was looked up: the tree is too large".to_owned()),
            ..Symbols::default()
        },
        false => past(facts, history, &missing(facts, wanted, &files), &is_code),
    };
    let kept = Kept { key, symbols };
    if let (Some(path), Ok(bytes)) = (path, serde_json::to_vec(&kept)) {
        super::write(&path, &[&bytes]);
    }
    kept.symbols
}

/// The names that no file of the tree has.
fn missing<'w>(facts: &Facts<'_>, wanted: &'w Wanted, files: &[&str]) -> HashSet<&'w str> {
    let met = files.par_iter().map(|path| {
        let mut met = HashSet::new();
        let text = facts.read(path).unwrap_or_default();
        code::each(&text, &mut |name, _| {
            met.extend(wanted.names.get(name).map(String::as_str));
        });
        met
    });
    let met = met.reduce(HashSet::new, |a, b| &a | &b);
    let all = wanted.names.iter().map(String::as_str);
    all.filter(|name| !met.contains(name)).collect()
}

/// The fate of names that are nowhere: the last old version that defined each.
fn past(
    facts: &Facts<'_>,
    history: &History,
    missing: &HashSet<&str>,
    is_code: &dyn Fn(&str) -> bool,
) -> Symbols {
    if missing.is_empty() {
        return Symbols::default();
    }
    let mut versions = history.versions(is_code);
    let count = versions.len();
    versions.truncate(MOST_VERSIONS);
    let blobs: Vec<Blob> = versions.iter().map(|(.., blob)| *blob).collect();
    let mut gone: BTreeMap<String, Was> = BTreeMap::new();
    let read = objects::each(facts.base(), &blobs, MOST_OLD, &mut |at, text| {
        let Some((until, path, _)) = versions.get(at) else {
            return;
        };
        code::each(text, &mut |name, bytes| {
            if missing.contains(name) && !gone.contains_key(name) && code::is_defined(text, &bytes)
            {
                let (path, commit) = ((*path).to_owned(), history.commit_at(*until).cloned());
                gone.insert(name.to_owned(), Was { path, commit });
            }
        });
    });
    let partial = (read < count)
        .then(|| format!("names looked for in {read} of {count} old versions of files only"));
    Symbols { gone, partial }
}
