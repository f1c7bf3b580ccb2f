//! Reading a folder of rawko memories: every file gives its memories, whatever is wrong with it.

mod check;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;
use rayon::prelude::*;

use self::check::{check_fields, not_utf8, not_valid, problem};
use super::RawkoStore;
use crate::memory::document::{self, Document};
use crate::memory::schema::RAWKO;
use crate::memory::{
    Fields, Memory, MemoryId, Severity, Sight, Stamp, State, Timestamp, Value, frontmatter,
    tokens_of,
};
use crate::store::{Loaded, Store as _, files};

/// Files read before the first rows are handed on, and in each later piece.
const FIRST_PIECE: usize = 128;
const PIECE: usize = 2048;
/// A larger file is listed, not read.
const LARGEST: u64 = 512 << 20;
/// Folders below folders: no real store nests deeper.
const DEEPEST: usize = 16;

/// Reads the store; see [`crate::store::Store::load`].
pub(super) fn load(
    store: &RawkoStore,
    known: &[Arc<Memory>],
    emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool,
) -> Loaded {
    let mut loaded = Loaded::default();
    let mut paths = Vec::new();
    list(&store.info().path, 0, &mut paths, &mut loaded.problems);
    paths.sort_unstable_by(|a, b| {
        a.as_os_str()
            .as_encoded_bytes()
            .cmp(b.as_os_str().as_encoded_bytes())
    });
    let known = by_path(known);
    let mut rest = paths.as_slice();
    let mut size = FIRST_PIECE;
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(size.min(rest.len()));
        let read: Vec<Vec<Arc<Memory>>> = piece
            .par_iter()
            .map(|path| {
                read_file(
                    store,
                    path,
                    known.get(path.as_path()).copied().unwrap_or_default(),
                )
            })
            .collect();
        let from = loaded.memories.len();
        loaded.memories.extend(read.into_iter().flatten());
        if !emit(loaded.memories.get(from..).unwrap_or_default()) {
            break;
        }
        (rest, size) = (later, PIECE);
    }
    loaded
}

/// The runs of known memories that stand in one file.
fn by_path(known: &[Arc<Memory>]) -> HashMap<&Path, &[Arc<Memory>]> {
    known
        .chunk_by(|a, b| a.path == b.path)
        .filter_map(|run| run.first().map(|memory| (&*memory.path, run)))
        .collect()
}

/// Everything that is named like a memory, below folders too.
fn list(folder: &Path, depth: usize, paths: &mut Vec<PathBuf>, problems: &mut Vec<String>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
        Err(error) => {
            problems.push(format!("{}: {error}", folder.display()));
            return;
        }
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if name.as_encoded_bytes().ends_with(b".md") {
            paths.push(entry.path());
        } else if is_folder && depth < DEEPEST && !name.as_encoded_bytes().starts_with(b".") {
            list(&entry.path(), depth + 1, paths, problems);
        }
    }
}

/// The memories of one file; never none.
fn read_file(store: &RawkoStore, path: &Path, known: &[Arc<Memory>]) -> Vec<Arc<Memory>> {
    let failed = |stamp: Stamp, message: String| {
        let file = FileFacts {
            store,
            path: path.into(),
            stamp,
            skipped: Some("it cannot be read"),
        };
        vec![Arc::new(file.unreadable(message))]
    };
    let link = fs::symlink_metadata(path);
    let is_link = link.as_ref().is_ok_and(|meta| meta.is_symlink());
    let meta = match if is_link { fs::metadata(path) } else { link } {
        Ok(meta) => meta,
        Err(error) if is_link => {
            let to = fs::read_link(path).unwrap_or_default();
            return failed(
                Stamp::default(),
                format!(
                    "a symbolic link to {}, which cannot be read: {error}",
                    to.display()
                ),
            );
        }
        Err(error) => return failed(Stamp::default(), error.to_string()),
    };
    let stamp = files::stamp_of(&meta);
    if known.first().is_some_and(|memory| memory.stamp == stamp) {
        return known.to_vec();
    }
    if meta.is_dir() {
        return failed(stamp, "a folder, not a file".to_owned());
    }
    if meta.len() > LARGEST {
        return failed(stamp, format!("too large to read: {} MB", meta.len() >> 20));
    }
    match files::read(path) {
        Ok((bytes, meta)) => parse(store, path, &bytes, files::stamp_of(&meta)),
        Err(error) => failed(stamp, error.to_string()),
    }
}

/// The memories of a file with these bytes; see [`crate::store::Store::parse`].
pub(super) fn parse(
    store: &RawkoStore,
    path: &Path,
    bytes: &[u8],
    stamp: Stamp,
) -> Vec<Arc<Memory>> {
    let nested = path.parent() != Some(&store.info().path);
    let is_link = || fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    let skipped = if nested {
        Some("it stands in a folder below the store, where the loader does not look")
    } else if is_link() {
        Some("it is a symbolic link, which the loader skips")
    } else {
        None
    };
    let file = FileFacts {
        store,
        path: path.into(),
        stamp,
        skipped,
    };
    file.memories(bytes).into_iter().map(Arc::new).collect()
}

/// What all memories of one file share.
struct FileFacts<'a> {
    store: &'a RawkoStore,
    path: Arc<Path>,
    stamp: Stamp,
    /// Why the system's loader skips the whole file.
    skipped: Option<&'static str>,
}

impl FileFacts<'_> {
    fn state(&self) -> State {
        let archive = self.store.info().archive.as_path();
        if self.path.starts_with(archive) {
            State::Archived
        } else {
            State::Active
        }
    }

    fn blank(&self, document: u32) -> Memory {
        let name = self.store.local(&self.path);
        let local = if document == 0 {
            name
        } else {
            format!("{name}#{}", document + 1)
        };
        Memory {
            title: local.as_str().into(),
            id: MemoryId::new(&self.store.info().id, local),
            path: self.path.clone(),
            document,
            line: 1,
            span: 0..0,
            body: 0..0,
            fields: Fields::default(),
            created: None,
            updated: None,
            words: 0,
            tokens: 0,
            state: self.state(),
            sight: Sight::default(),
            hidden: None,
            problems: [].into(),
            stamp: self.stamp,
            schema: &RAWKO,
        }
    }

    fn unreadable(&self, message: String) -> Memory {
        Memory {
            sight: Sight::Skipped,
            hidden: self.skipped.map(Into::into),
            problems: [problem("load-error", Severity::Error, (1, 1), message)].into(),
            ..self.blank(0)
        }
    }

    fn memories(&self, bytes: &[u8]) -> Vec<Memory> {
        let layout = document::layout(bytes);
        let memory = |(n, document)| self.memory(bytes, n, document);
        (0..).zip(&layout.documents).map(memory).collect()
    }

    fn memory(&self, bytes: &[u8], number: u32, document: &Document) -> Memory {
        let mut problems = Vec::new();
        if number == 0 && bytes.iter().all(u8::is_ascii_whitespace) {
            problems.push(problem(
                "load-error",
                Severity::Error,
                (1, 1),
                "the file is empty".to_owned(),
            ));
        } else {
            problems.extend(not_utf8(bytes, document));
        }
        let front = document
            .front
            .clone()
            .map(|range| String::from_utf8_lossy(slice(bytes, &range)));
        let (fields, broken) = match front.as_deref().map(|text| (text, frontmatter::read(text))) {
            Some((_, Ok(fields))) => (fields, None),
            Some((text, Err(error))) => {
                let place = (
                    document.front_line + error.line.saturating_sub(1),
                    error.column,
                );
                let message = format!("the frontmatter is not YAML: {}", error.message);
                problems.push(problem("load-error", Severity::Error, place, message));
                (
                    frontmatter::tolerant(text),
                    Some("its frontmatter is not YAML"),
                )
            }
            None => {
                if problems.is_empty() {
                    let message = "no frontmatter: the file does not begin with fields between two lines `---`";
                    let place = (document.line, 1);
                    problems.push(problem(
                        "load-error",
                        Severity::Error,
                        place,
                        message.to_owned(),
                    ));
                }
                (Fields::default(), Some("it has no frontmatter"))
            }
        };
        if let (None, Some(text)) = (broken, &front) {
            check_fields(&fields, text, document.front_line, &mut problems);
        }
        let body = slice(bytes, &document.body);
        let (sight, hidden) = self.sight(bytes, number, &fields, broken);
        Memory {
            line: document.line,
            span: document.span.clone(),
            body: document.body.clone(),
            title: self.title(&fields, body, number),
            created: fields
                .get("discoveredAt")
                .filter(|at| **at != Value::Null)
                .and_then(Timestamp::of_value),
            updated: last_update(body),
            words: count_words(body),
            tokens: u32::try_from(tokens_of(body.len())).unwrap_or(u32::MAX),
            sight,
            hidden: hidden.map(Into::into),
            fields,
            problems: problems.into(),
            ..self.blank(number)
        }
    }

    fn title(&self, fields: &Fields, body: &[u8], number: u32) -> Box<str> {
        let field = fields
            .get("title")
            .and_then(Value::as_str)
            .map(str::trim)
            .filter(|title| !title.is_empty());
        if let Some(title) = field {
            return title.into();
        }
        let text = String::from_utf8_lossy(body);
        let heading = text
            .lines()
            .take(50)
            .find_map(|line| line.trim_start().strip_prefix("# "));
        match heading.map(str::trim).filter(|heading| !heading.is_empty()) {
            Some(heading) => heading.into(),
            None => self.blank(number).title,
        }
    }

    /// How far the system's own loader gets with a memory, and why no further (formats: rawko,
    /// "Loader").
    fn sight(
        &self,
        bytes: &[u8],
        number: u32,
        fields: &Fields,
        broken: Option<&str>,
    ) -> (Sight, Option<String>) {
        if self.state() == State::Archived {
            return (Sight::Skipped, Some("it is archived".to_owned()));
        }
        if let Some(reason) = self.skipped {
            return (Sight::Skipped, Some(reason.to_owned()));
        }
        if let Err(reason) = document::loader_reads(bytes) {
            return (
                Sight::NoFields,
                Some(format!("the loader finds no frontmatter: {reason}")),
            );
        }
        if number > 0 {
            let reason = "it is not the first memory of its file, and the loader reads only the first frontmatter";
            return (Sight::Later, Some(reason.to_owned()));
        }
        match (broken, not_valid(fields)) {
            (Some(reason), _) => (Sight::NoFields, Some(reason.to_owned())),
            (None, Some(reason)) => (Sight::Invalid, Some(reason)),
            (None, None) => (Sight::Seen, None),
        }
    }
}

fn slice<'a>(bytes: &'a [u8], range: &std::ops::Range<usize>) -> &'a [u8] {
    bytes.get(range.clone()).unwrap_or_default()
}

/// The date of the last `## Update (2026-01-24)` of a body.
fn last_update(body: &[u8]) -> Option<Timestamp> {
    const HEADING: &[u8] = b"\n## Update (";
    memmem::find_iter(body, HEADING)
        .filter_map(|at| {
            let rest = body.get(at + HEADING.len()..)?;
            let date = rest.get(..memchr::memchr(b')', rest.get(..40.min(rest.len()))?)?)?;
            Timestamp::parse_iso(std::str::from_utf8(date).ok()?)
        })
        .max()
}

/// Words, split at white space.
fn count_words(body: &[u8]) -> u32 {
    let words = if body.is_ascii() {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
        let starts = body
            .iter()
            .zip(body.iter().skip(1))
            .filter(|(a, b)| blank(a) && !blank(b))
            .count();
        starts + usize::from(body.first().is_some_and(|byte| !blank(byte)))
    } else {
        String::from_utf8_lossy(body).split_whitespace().count()
    };
    u32::try_from(words).unwrap_or(u32::MAX)
}
