//! Context: what agents are given beside memories, and the files these import.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::memory::comments;
use crate::memory::format::Table;
use crate::memory::lines::Lines;
use crate::store::discover::expand;
use crate::store::files;

/// Imports of imports are followed this far (formats: claude, "Imports").
const HOPS: usize = 4;
/// A larger file is not loaded by Claude Code (formats: claude, "Instruction files").
const LARGEST: u64 = 4 << 20;

fn home() -> Option<PathBuf> {
    etcetera::home_dir().ok()
}

/// Expands a path below a project, or below the person's home (`~/`), to real paths.
pub(super) fn expanded(root: &Path, place: &str) -> Vec<PathBuf> {
    match place.strip_prefix("~/") {
        Some(below) => home().map(|home| expand(&home, below)).unwrap_or_default(),
        None => expand(root, place),
    }
}

/// The folders from below the project root down to the working directory.
fn nested(root: &Path) -> Vec<PathBuf> {
    let current = std::env::current_dir().unwrap_or_default();
    let below = current.strip_prefix(files::real(root));
    let below: Vec<&Path> = below.unwrap_or(Path::new("")).ancestors().collect();
    let folders = below.into_iter().rev().skip(1);
    folders.map(|below| root.join(below)).collect()
}

/// The existing context files of a table, those of the project first, and the files they import.
pub(super) fn files(root: &Path, table: &Table) -> Vec<PathBuf> {
    let beside = table.beside.iter().flat_map(|place| expanded(root, place));
    let nested = nested(root).into_iter();
    let nested = nested.flat_map(|folder| table.nested.iter().map(move |name| folder.join(name)));
    let all = beside.chain(nested).filter(|path| path.is_file());
    let mut found: Vec<PathBuf> = all.collect();
    let mut from = 0;
    for _ in 0..HOPS {
        let new: Vec<PathBuf> = found.get(from..).unwrap_or_default().to_vec();
        from = found.len();
        for (path, _) in new.iter().flat_map(|path| imports(path)) {
            let is_own = || home().is_some_and(|home| path.starts_with(home));
            let is_near = path.starts_with(root) || is_own();
            if is_near && path.is_file() && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// The path of a file as people read it, and as the table names its end.
fn name(table: &Table, root: &Path, path: &Path) -> String {
    match path.strip_prefix(root) {
        Ok(below) => below.to_string_lossy().into_owned(),
        Err(_) => below_home(table, path).unwrap_or_else(|| path.display().to_string()),
    }
}

/// The text of a file as an agent that loads it is given it.
pub(super) fn given<'t>(table: &Table, root: &Path, path: &Path, body: &'t [u8]) -> Cow<'t, [u8]> {
    let strips = &table.strips_comments;
    let loads = |agent: &String| table.agents_of(&name(table, root, path)).contains(agent);
    if !strips.iter().any(loads) {
        return body.into();
    }
    let text = comments::without(&String::from_utf8_lossy(body));
    text.into_bytes().into()
}

/// The files that are loaded only because others import them, each with one of these: a pair for
/// each import.
pub(super) fn only_imported(table: &Table, root: &Path) -> Vec<(PathBuf, PathBuf)> {
    let all = files(root, table).into_iter();
    let own = all.filter(|path| table.loads(&name(table, root, path)) == table.loads("*"));
    let pairs = own.flat_map(|path| {
        let importers = importers(table, root, &path).into_iter();
        importers.map(move |(from, _)| (path.clone(), from))
    });
    pairs.collect()
}

/// Describes when a file is loaded, and which line of another file imports it.
pub(super) fn loaded(table: &Table, root: &Path, path: &Path) -> String {
    let name = |path: &Path| name(table, root, path);
    let import = importers(table, root, path).into_iter().next();
    let import = import.map(|(from, line)| format!("imported by {} line {line}", name(&from)));
    let loads = table.loads(&name(path)).map(ToOwned::to_owned);
    let parts: Vec<String> = loads.into_iter().chain(import).collect();
    parts.join("; ")
}

/// The files that import a file, each with the line.
pub(super) fn importers(table: &Table, root: &Path, path: &Path) -> Vec<(PathBuf, usize)> {
    let line = |from: PathBuf| {
        let mut imports = imports(&from).into_iter();
        let (_, line) = imports.find(|(to, _)| to == path)?;
        Some((from, line))
    };
    let all = files(root, table).into_iter();
    all.filter_map(line).collect()
}

/// The files that a text imports, each with its line: `@path` outside of code and of what is taken
/// out.
fn imports(path: &Path) -> Vec<(PathBuf, usize)> {
    let is_small = std::fs::metadata(path).is_ok_and(|meta| meta.len() <= LARGEST);
    let read = is_small.then(|| files::read(path).ok()).flatten();
    let (Some((bytes, _)), Some(folder)) = (read, path.parent()) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut in_code = false;
    let lines = Lines::new(&bytes);
    let prose = |range: &Range<usize>| {
        let line = text.get(range.clone()).unwrap_or_default();
        in_code ^= line.trim_start().starts_with("```");
        !in_code
    };
    let kept = comments::kept(&text).into_iter().filter(prose);
    let imports = kept.flat_map(|range| {
        let number = lines.at(&bytes, range.start).0 + 1;
        // Text between backticks is code: every second part.
        let parts = text.get(range).unwrap_or_default().split('`').step_by(2);
        let words = parts.flat_map(str::split_whitespace);
        words.filter_map(move |word| {
            let word = word.strip_prefix('@')?;
            let word = word.trim_end_matches(['.', ',', ';', ':', ')']);
            let target = match word.strip_prefix("~/") {
                Some(below) => home()?.join(below),
                None => super::joined(folder, word),
            };
            Some((target, number))
        })
    });
    imports.collect()
}

/// The name of a file of context below the person's home, `~/…`.
pub(super) fn below_home(table: &Table, path: &Path) -> Option<String> {
    let home = home().filter(|_| table.schema.can.context)?;
    let below = path.strip_prefix(&home).ok()?;
    let is_own = |place: &String| {
        let folder = place
            .strip_prefix("~/")
            .map(Path::new)
            .and_then(Path::parent);
        folder.is_some_and(|folder| below.starts_with(folder))
    };
    let mut places = table.beside.iter();
    places
        .any(is_own)
        .then(|| format!("~/{}", below.to_string_lossy()))
}
