//! The fate of names of the code: the tree is read once for all of them, and of the history old
//! versions of files, newest first.
//!
//! Lines of code are read by their words, without a grammar: `fn`, `class`, `def` and their like
//! before a name, `=` after it, or `name(…) {` where a line begins with no word of a statement.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::time::UNIX_EPOCH;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Facts, each as each_version};
use crate::lint::chars::{cut, last_of};
use crate::lint::repository::{Blob, History, Project as _, Symbols, Was, hash};
use crate::store::files;
use crate::text::mentions::last;
use crate::text::word_lists::Words;

/// Files of the tree that are read.
const MOST_FILES: usize = 20_000;
/// Bytes of the tree that are read.
const MOST_BYTES: u64 = 256 << 20;
/// Old versions that are read for names that are nowhere, and bytes of them.
const MOST_VERSIONS: usize = 3_000;
const MOST_OLD: usize = 48 << 20;

#[derive(Default, Serialize, Deserialize)]
struct Kept {
    /// The state of the tree and the HEAD it holds for, and what was looked for.
    key: u64,
    symbols: Symbols,
}

pub(super) fn find(
    facts: &Facts<'_>,
    history: &History,
    names: &BTreeSet<String>,
    skip: &BTreeSet<String>,
) -> Symbols {
    if names.is_empty() {
        return Symbols::default();
    }
    let is_code = |path: &str| is_code(path) && !skip.contains(path);
    let files = history.files.iter().filter(|path| is_code(path));
    let files: Vec<&str> = files.collect();
    let sizes = |path: &&str| {
        let about = facts.base().join(path).metadata().ok()?;
        let modified = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some((about.len(), modified))
    };
    let sizes: Vec<_> = files.par_iter().map(sizes).collect();
    let head = history.commit_at(0).map(|commit| &commit.id);
    let key = hash((7, history.partial(), names, head, &files, &sizes));
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
        false => past(facts, history, &missing(facts, names, &files), &is_code),
    };
    let kept = Kept { key, symbols };
    if let (Some(path), Ok(bytes)) = (path, serde_json::to_vec(&kept)) {
        // A failed write costs only time.
        let _ = files::replace(&path, &bytes);
    }
    kept.symbols
}

fn missing<'n>(facts: &Facts<'_>, names: &'n BTreeSet<String>, files: &[&str]) -> HashSet<&'n str> {
    let met = files.par_iter().map(|path| {
        let mut met = HashSet::new();
        let text = facts.read(path).unwrap_or_default();
        each(&text, &mut |name, _| {
            met.extend(names.get(name).map(String::as_str));
        });
        met
    });
    let met = met.reduce(HashSet::new, |a, b| &a | &b);
    let all = names.iter().map(String::as_str);
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
    let read = each_version(facts.base(), &blobs, MOST_OLD, &mut |at, text| {
        let Some((until, path, _)) = versions.get(at) else {
            return;
        };
        each(text, &mut |name, bytes| {
            if missing.contains(name) && !gone.contains_key(name) && is_defined(text, &bytes) {
                let (path, commit) = ((*path).to_owned(), history.commit_at(*until).cloned());
                gone.insert(name.to_owned(), Was { path, commit });
            }
        });
    });
    let partial = (read < count)
        .then(|| format!("names looked for in {read} of {count} old versions of files only"));
    Symbols { gone, partial }
}

static DEFINING: Words = Words::named("defining");

/// Words of them that a type may follow in the place of a name: `static Money price`.
static MODIFIERS: Words = Words::of("static const abstract export exists");

/// Bytes that are read on each side of a name: generated files may be one long line.
const WIDEST: usize = 500;

/// First words of a statement that only looks like the head of a function.
static STATEMENTS: Words = Words::named("statements");

/// Extensions of files that describe code, or that tools generate.
static NO_CODE: Words = Words::named("no-code");

static MADE: Words = Words::named("made-files");

/// True if a file is code by its path: other files only mention names of the code.
pub fn is_code(path: &str) -> bool {
    let name = last(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let ending = ending.to_ascii_lowercase();
    // Agents keep their own notes and settings in such folders.
    let notes = path
        .split('/')
        .any(|part| part.starts_with('.') && part != ".github");
    let memory = path.starts_with("memory-bank/");
    let minified = name.contains(".min.");
    !NO_CODE.has(&ending) && !MADE.has(name) && !notes && !memory && !minified
}

const fn is_part(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80..)
}

/// Calls `take` with each name in a text and its bytes.
pub fn each<'t>(text: &'t str, take: &mut dyn FnMut(&'t str, Range<usize>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if !is_part(byte) {
            at += 1;
            continue;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let length = rest.iter().position(|byte| !is_part(*byte));
        let end = at + length.unwrap_or(rest.len());
        if !byte.is_ascii_digit()
            && let Some(name) = text.get(at..end)
        {
            take(name, at..end);
        }
        at = end;
    }
}

/// True if a name is defined there: by a word before it, an assignment, or a function's head.
pub fn is_defined(text: &str, name: &Range<usize>) -> bool {
    let before = last_of(text.get(..name.start).unwrap_or_default(), WIDEST);
    let before = before.rsplit('\n').next().unwrap_or_default();
    let after = cut(text.get(name.end..).unwrap_or_default(), WIDEST);
    let (after, below) = after.split_once('\n').unwrap_or((after, ""));
    let head = before.trim_start();
    if head.starts_with("//") || head.starts_with("* ") || head.starts_with("-- ") {
        return false;
    }
    if head.starts_with('#') && !head.starts_with("#define") {
        return false;
    }
    // `def self.x`, `CREATE TABLE app.x`, `variable "x"`.
    let receiver = |c: char| c.is_alphanumeric() || "_.:\"`[<>*".contains(c);
    let last = match before.ends_with([' ', '\t']) {
        true => before,
        false => before.trim_end_matches(receiver),
    };
    let last = last.split_whitespace().next_back().unwrap_or_default();
    let last = last.trim_start_matches('#').to_ascii_lowercase();
    let rest = after.trim_start().trim_start_matches(['"', '\'']);
    if DEFINING.has(&last) && (!MODIFIERS.has(&last) || rest.starts_with(['=', '(', ':', ';'])) {
        return true;
    }
    let is_assigned = (rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>"))
        || rest.starts_with(":=");
    if is_assigned && !before.ends_with('.') && !before.contains('(') {
        return true;
    }
    // A key of a document, or one of an enumeration: a list of imports is written alike.
    let is_first = matches!(head, "" | "-" | "\"" | "'" | "- ");
    if is_first && (rest.starts_with([':', '=']) || matches!(rest.trim_end(), "," | "")) {
        let above = last_of(text.get(..name.start).unwrap_or_default(), WIDEST);
        let above = above.rsplit_once(['{', '(']).map_or("", |(above, _)| above);
        let opening = above.rsplit('\n').next().unwrap_or_default();
        let is_enum = opening.split_whitespace().any(|word| word == "enum");
        return rest.starts_with([':', '=']) || is_enum;
    }
    is_head(head, after, below)
}

/// True if the text around a name is the head of a function: `public static Money of(long c) {`.
fn is_head(before: &str, after: &str, below: &str) -> bool {
    let after = after.trim_end();
    if before.starts_with("func (") && before.trim_end().ends_with(')') {
        return after.starts_with(['(', '[']);
    }
    let opens = after.ends_with('{')
        || after.ends_with("=>")
        || after.ends_with('}')
        || (after.ends_with(')') && below.trim_start().starts_with('{'));
    let word = before.split(|c: char| !c.is_alphanumeric()).next();
    let is_statement = word.is_some_and(|word| STATEMENTS.has(word));
    let is_plain = !before.contains(['(', '=', '.', '"', '\'', '`', '}', '!', '&', '|']);
    after.starts_with(['(', '<']) && opens && is_plain && !is_statement
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::rows;

    #[test]
    fn definitions_of_a_name_are_told_from_its_uses() {
        #[derive(serde::Deserialize)]
        struct Row {
            name: String,
            defines: Vec<String>,
            uses: Vec<String>,
        }
        let paths = |key| rows::<Vec<String>>("definitions", key);
        assert!(paths("code").iter().all(|path| is_code(path)));
        assert!(!paths("no_code").iter().any(|path| is_code(path)));
        let table: Vec<Row> = rows("definitions", "row");
        let mut wrong = Vec::new();
        for row in &table {
            let is_definition = |line: &&String| {
                let at = line.find(&row.name).unwrap();
                is_defined(line, &(at..at + row.name.len()))
            };
            wrong.extend(row.defines.iter().filter(|line| !is_definition(line)));
            wrong.extend(row.uses.iter().filter(is_definition));
        }
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn names_of_a_text_are_found_and_numbers_are_none() {
        let mut all = Vec::new();
        each("a.b_c(1x, 2, ü)", &mut |name, _| all.push(name));
        assert_eq!(all, ["a", "b_c", "ü"]);
    }
}
