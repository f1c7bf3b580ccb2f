//! Stages a request in a folder of Markdown memories.

mod add;

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::fence::LowFields;
use super::{MarkdownStore, index};
use crate::memory::document::Document;
use crate::memory::edit::{self, FieldEdit};
use crate::memory::format::Untitled;
use crate::memory::{Memory, Role, State, Value, frontmatter};
use crate::store::{Overlay, Request, StoreError, files};
use add::{add, free as free_name, slug};

/// Stages a request; see [`crate::store::Store::stage`].
pub(super) fn stage(
    store: &MarkdownStore,
    request: &Request<'_>,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    if store.table.schema.can.context {
        return Err(StoreError::Refused(
            "context files are read-only: change the file in your editor (E in the terminal UI)"
                .to_owned(),
        ));
    }
    match *request {
        Request::Edit { memory, edits } => {
            let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
            let is_field =
                |edit: &FieldEdit| !matches!(edit, FieldEdit::Body(_) | FieldEdit::Text(_));
            let has_field = edits.iter().any(is_field);
            if has_field && store.is_whole(&memory.id.local) {
                return Err(StoreError::Refused(format!(
                    "{} has no fields: {} gives all of the file as text",
                    memory.id,
                    store.table.name()
                )));
            }
            let low = LowFields::of(store.table, bytes);
            if let Some(low) = low.filter(|_| has_field) {
                return Err(StoreError::Refused(format!(
                    "the fields of {} begin on line {}, and {} reads them on line 1 only: \
                     `memkeep lint --fix --rule load-error` moves them there",
                    memory.id,
                    low.line,
                    store.table.name()
                )));
            }
            let after = edit::apply(store.table.schema, bytes, number(memory), edits)?;
            overlay.write(&memory.path, after)
        }
        Request::Save {
            memory,
            expected,
            text,
        } => {
            let bytes = overlay.read(&memory.path, None)?;
            let now = store
                .layout(bytes)
                .documents
                .into_iter()
                .nth(number(memory));
            let now = now.and_then(|document| {
                bytes.get(document.span.start..edit::text_of(bytes, &document).end)
            });
            if now.is_none_or(|now| String::from_utf8_lossy(now) != expected) {
                return Err(StoreError::Changed(memory.path.to_path_buf()));
            }
            // The byte order mark stays where it is, and is not written a second time.
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            let after = edit::apply(
                store.table.schema,
                bytes,
                number(memory),
                &[FieldEdit::Text(text.to_owned())],
            )?;
            overlay.write(&memory.path, after)
        }
        Request::Add {
            title,
            fields,
            body,
            name,
            is_whole,
        } => {
            let gets_heading = !is_whole && store.table.untitled.contains(&Untitled::Heading);
            let body = match gets_heading && !body.trim_start().starts_with("# ") {
                true => format!("# {title}\n\n{body}"),
                false => body.to_owned(),
            };
            let free = match name {
                None if !is_whole => Some(free_name(store, title, overlay)?),
                _ => None,
            };
            let name = name.or(free.as_deref());
            add(store, (title, name), fields, &body, overlay)
        }
        Request::Rename { memory, to } => rename(store, memory, to, overlay),
        Request::Delete(memory) => delete(store, memory, overlay),
        Request::Archive(memory) => archive(store, memory, overlay),
        Request::Restore(memory) => restore(store, memory, overlay),
        Request::SplitFile(memory) => split(store, memory, overlay),
        Request::Normalize(memory) => {
            let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
            let raised = || LowFields::of(store.table, bytes).map(|low| low.raised(bytes));
            let after = store.loader.normalized(bytes).or_else(raised);
            let after = after.unwrap_or_else(|| bytes.to_vec());
            overlay.write(&memory.path, after)
        }
    }
}

fn number(memory: &Memory) -> usize {
    memory.document as usize
}

fn is_link(memory: &Memory) -> bool {
    std::fs::symlink_metadata(&memory.path).is_ok_and(|meta| meta.is_symlink())
}

fn refuse_link(memory: &Memory, what: &str) -> Result<(), StoreError> {
    if is_link(memory) {
        let path = memory.path.display();
        return Err(StoreError::Refused(format!(
            "{path} is a symbolic link: {what} the file it points to"
        )));
    }
    Ok(())
}

fn rename(
    store: &MarkdownStore,
    memory: &Memory,
    to: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    refuse_link(memory, "rename")?;
    if memory.document > 0 {
        let path = memory.path.display();
        return Err(StoreError::Refused(format!(
            "it has no name of its own: it stands in {path} below another memory"
        )));
    }
    let path = match memory.state {
        State::Archived => {
            let archive = store.local(&store.info.archive.join("x"));
            let archive = archive.strip_suffix('x').unwrap_or_default();
            let below = store.renamed(memory, to.strip_prefix(archive).unwrap_or(to))?;
            let below = below.strip_prefix(store.folder()).unwrap_or(&below);
            store.info.archive.join(below)
        }
        State::Active => {
            store.refuse_name(store.stem(to))?;
            store.renamed(memory, to)?
        }
    };
    overlay.rename(&memory.path, &path, Some(memory.stamp))?;
    if memory.state == State::Archived {
        return Ok(());
    }
    // A title that is the name of its file goes with it.
    let spec = store.table.schema.role(Role::Title);
    let spec = spec.filter(|_| store.title_follows(memory));
    let new = path.file_stem().map(|stem| stem.to_string_lossy());
    let Some((spec, new)) = spec.zip(new) else {
        return Ok(());
    };
    let edit = FieldEdit::Set {
        field: spec.name.to_owned(),
        value: Value::from(&*new),
    };
    let after = edit::apply(store.table.schema, overlay.read(&path, None)?, 0, &[edit])?;
    overlay.write(&path, after)
}

/// Takes a memory out of the store. Of a link to one memory the link goes; what it points to
/// is not the store's.
fn delete(store: &MarkdownStore, memory: &Memory, overlay: &mut Overlay) -> Result<(), StoreError> {
    if is_link(memory) {
        let bytes = overlay.read(&memory.path, None).ok();
        let is_shared = |bytes: &[u8]| store.layout(bytes).documents.len() > 1;
        if bytes.is_none_or(|bytes| memory.span.is_empty() || !is_shared(bytes)) {
            return overlay.unlink(&memory.path);
        }
    }
    take_out(store, memory, overlay).map(drop)
}

/// Cuts a memory out of its file, the file with it where it was alone; gives its bytes.
fn take_out(
    store: &MarkdownStore,
    memory: &Memory,
    overlay: &mut Overlay,
) -> Result<Vec<u8>, StoreError> {
    let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
    let documents = store.layout(bytes).documents;
    if documents.len() <= 1 {
        let bytes = bytes.to_vec();
        overlay.remove(&memory.path, None)?;
        return Ok(bytes);
    }
    let gone = || StoreError::Changed(memory.path.to_path_buf());
    let taken = documents.get(number(memory)).ok_or_else(gone)?;
    let text = own_text(bytes, taken);
    let rest = without(bytes, &documents, number(memory)).ok_or_else(gone)?;
    overlay.write(&memory.path, rest)?;
    Ok(text)
}

/// The text of a document without the separator to the next one.
fn own_text(bytes: &[u8], document: &Document) -> Vec<u8> {
    let mut text = bytes
        .get(document.span.start..document.body.end)
        .unwrap_or_default()
        .to_vec();
    if !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    text
}

/// A file without one of its documents and without the separator that stood before or after it.
fn without(bytes: &[u8], documents: &[Document], number: usize) -> Option<Vec<u8>> {
    let taken = documents.get(number)?;
    let is_last = number + 1 == documents.len();
    let cut: Range<usize> = match number
        .checked_sub(1)
        .and_then(|before| documents.get(before))
    {
        Some(before) if is_last => before.body.end..bytes.len(),
        _ => taken.span.clone(),
    };
    let mut rest = [bytes.get(..cut.start)?, bytes.get(cut.end..)?].concat();
    if is_last && bytes.ends_with(b"\n") && !rest.ends_with(b"\n") {
        rest.extend_from_slice(if bytes.ends_with(b"\r\n") {
            b"\r\n"
        } else {
            b"\n"
        });
    }
    Some(rest)
}

fn archive(
    store: &MarkdownStore,
    memory: &Memory,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    refuse_link(memory, "archive")?;
    if memory.state == State::Archived {
        return Err(StoreError::Refused(format!(
            "{} is archived already",
            memory.id
        )));
    }
    let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
    let alone = store.layout(bytes).documents.len() <= 1;
    let number = match memory.document {
        0 => String::new(),
        n => format!("-{}", n.saturating_add(1)),
    };
    let below = memory.path.strip_prefix(store.folder()).ok();
    let name = below.or_else(|| memory.path.file_name().map(Path::new));
    let (stem, end) = parted(store, name.unwrap_or(&memory.path));
    let to = free(&store.info.archive.join(stem), &number, &end, overlay);
    if alone {
        return overlay.rename(&memory.path, &to, Some(memory.stamp));
    }
    let text = take_out(store, memory, overlay)?;
    overlay.write_beside(&to, text, &memory.path)
}

fn restore(
    store: &MarkdownStore,
    memory: &Memory,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let below = memory.path.strip_prefix(&store.info.archive).ok();
    let Some(below) = below.filter(|_| memory.state == State::Archived) else {
        return Err(StoreError::Refused(format!(
            "{} is not archived",
            memory.id
        )));
    };
    if memory.document > 0 {
        return Err(StoreError::Refused(format!(
            "{} stands below another memory: restore that one",
            memory.id
        )));
    }
    let to = store.home_of(below);
    overlay.rename(&memory.path, &to, Some(memory.stamp))?;
    index::list(store, &to, index::words(memory), overlay)
}

/// A path without the end that its format's files have, and that end.
fn parted(store: &MarkdownStore, path: &Path) -> (PathBuf, String) {
    let text = path.to_string_lossy();
    let name = path.file_name().map(|name| name.to_string_lossy());
    let end = name.as_deref().and_then(|name| store.table.end_of(name));
    let end = end.map_or("", |(end, _)| end);
    let stem = text.strip_suffix(end).unwrap_or(&text);
    (PathBuf::from(stem), end.to_owned())
}

/// A file that is free: the wished one, else with a number behind its name. The names are those
/// of files there are, whatever is in them.
fn free(stem: &Path, number: &str, end: &str, overlay: &Overlay) -> PathBuf {
    let with = |number: &str| {
        let mut path = stem.as_os_str().to_owned();
        path.push(number);
        path.push(end);
        PathBuf::from(path)
    };
    let mut path = with(number);
    for n in 2.. {
        if !overlay.exists(&path) {
            break;
        }
        path = with(&format!("{number}-{n}"));
    }
    path
}

fn split(store: &MarkdownStore, memory: &Memory, overlay: &mut Overlay) -> Result<(), StoreError> {
    let path: &Path = &memory.path;
    let mut bytes = overlay.read(path, Some(memory.stamp))?.to_vec();
    let documents = store.layout(&bytes).documents;
    if documents.len() <= 1 {
        return Err(StoreError::Refused(format!(
            "{} holds one memory only",
            path.display()
        )));
    }
    let gone = || StoreError::Changed(path.to_owned());
    for (number, part) in documents.iter().enumerate().skip(1) {
        let front = part
            .front
            .clone()
            .and_then(|range| bytes.get(range))
            .unwrap_or_default();
        let fields = frontmatter::read(&String::from_utf8_lossy(front)).unwrap_or_default();
        let title = fields
            .get(
                store
                    .table
                    .schema
                    .role(Role::Title)
                    .map_or("", |spec| spec.name),
            )
            .and_then(Value::as_str)
            .map(|title| slug(title, store.table.separator))
            .filter(|slug| !slug.is_empty());
        let stem = match title {
            Some(title) => store.folder().join(title),
            None => {
                let mut stem = path.with_extension("").into_os_string();
                stem.push(format!("-{}", number + 1));
                PathBuf::from(stem)
            }
        };
        let to = free(&stem, "", ".md", overlay);
        overlay.write_beside(&to, own_text(&bytes, part), path)?;
    }
    for number in (1..documents.len()).rev() {
        let documents = store.layout(&bytes).documents;
        bytes = without(&bytes, &documents, number).ok_or_else(gone)?;
    }
    overlay.write(&files::target(path)?, bytes)
}
