//! What a request changes in a folder of rawko memories.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{ARCHIVE, RawkoStore};
use crate::memory::document::{self, Document};
use crate::memory::edit::{self, FieldEdit};
use crate::memory::{Memory, State, Value, frontmatter};
use crate::store::{Overlay, Request, Store as _, StoreError, files};

/// Stages a request; see [`crate::store::Store::stage`].
pub(super) fn stage(
    store: &RawkoStore,
    request: &Request<'_>,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    match *request {
        Request::Edit { memory, edits } => {
            let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
            let after = edit::apply(bytes, number(memory), edits)?;
            overlay.write(&memory.path, after)
        }
        Request::Save {
            memory,
            expected,
            text,
        } => {
            let bytes = overlay.read(&memory.path, None)?;
            let now = document::layout(bytes)
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
            let after = edit::apply(bytes, number(memory), &[FieldEdit::Text(text.to_owned())])?;
            overlay.write(&memory.path, after)
        }
        Request::Add {
            title,
            fields,
            body,
            onto,
        } => add(store, title, fields, body, onto, overlay),
        Request::Rename { memory, to } => rename(store, memory, to, overlay),
        Request::Delete(memory) => delete(memory, overlay),
        Request::Archive(memory) => archive(store, memory, overlay),
        Request::Restore(memory) => restore(store, memory, overlay),
        Request::SplitFile(memory) => split(store, memory, overlay),
        Request::Normalize(memory) => {
            let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
            let after = document::normalized(bytes);
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

/// The file name that the system's writer makes of a title (formats: rawko, "writer").
fn slug(title: &str) -> String {
    let mut slug = String::new();
    for c in title.to_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' => slug.push(c),
            '-' if !slug.ends_with('-') => slug.push('-'),
            c if c.is_whitespace() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    slug.trim_matches('-').chars().take(64).collect()
}

fn add(
    store: &RawkoStore,
    title: &str,
    fields: &[(String, Value)],
    body: &str,
    onto: Option<&Memory>,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let mut all = vec![("title".to_owned(), Value::from(title))];
    all.extend(fields.iter().cloned());
    let heading = if body.trim_start().starts_with("# ") {
        String::new()
    } else {
        format!("# {title}\n\n")
    };
    let body = format!("{heading}{}\n", body.trim_end());
    let text = frontmatter::compose(&all, &body);
    let path = match onto {
        Some(memory) => memory.path.to_path_buf(),
        None => {
            let slug = slug(title);
            // The system's writer makes `.md` of a title without a letter or digit of ASCII.
            store.file_of(if slug.is_empty() { "untitled" } else { &slug })?
        }
    };
    if !overlay.exists(&path) {
        return overlay.write(&path, text.into_bytes());
    }
    let bytes = frontmatter::append(overlay.read(&path, onto.map(|memory| memory.stamp))?, &text);
    overlay.write(&path, bytes)
}

fn rename(
    store: &RawkoStore,
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
    let to = to.strip_suffix(".md").unwrap_or(to);
    let archived = memory.state == State::Archived && !to.starts_with("archive/");
    let to = if archived {
        format!("{ARCHIVE}/{to}")
    } else {
        to.to_owned()
    };
    overlay.rename(&memory.path, &store.file_of(&to)?, Some(memory.stamp))
}

/// Takes a memory out of the store. Of a link to one memory the link goes; what it points to
/// is not the store's.
fn delete(memory: &Memory, overlay: &mut Overlay) -> Result<(), StoreError> {
    if is_link(memory) {
        let bytes = overlay.read(&memory.path, None).ok();
        let is_shared = |bytes: &[u8]| document::layout(bytes).documents.len() > 1;
        if bytes.is_none_or(|bytes| memory.span.is_empty() || !is_shared(bytes)) {
            return overlay.unlink(&memory.path);
        }
    }
    take_out(memory, overlay).map(drop)
}

/// Cuts a memory out of its file, the file with it where it was alone; gives its bytes.
fn take_out(memory: &Memory, overlay: &mut Overlay) -> Result<Vec<u8>, StoreError> {
    let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
    let documents = document::layout(bytes).documents;
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

fn archive(store: &RawkoStore, memory: &Memory, overlay: &mut Overlay) -> Result<(), StoreError> {
    refuse_link(memory, "archive")?;
    if memory.state == State::Archived {
        return Err(StoreError::Refused(format!(
            "{} is archived already",
            memory.id
        )));
    }
    let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
    let alone = document::layout(bytes).documents.len() <= 1;
    let number = match memory.document {
        0 => String::new(),
        n => format!("-{}", n.saturating_add(1)),
    };
    let below = memory.path.strip_prefix(&store.info.path);
    let name = below.unwrap_or(&memory.path).with_extension("");
    let to = free(&store.info.archive.join(name), &number, overlay);
    if alone {
        return overlay.rename(&memory.path, &to, Some(memory.stamp));
    }
    let text = take_out(memory, overlay)?;
    overlay.write_beside(&to, text, &memory.path)
}

fn restore(store: &RawkoStore, memory: &Memory, overlay: &mut Overlay) -> Result<(), StoreError> {
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
    overlay.rename(
        &memory.path,
        &store.info.path.join(below),
        Some(memory.stamp),
    )
}

/// A file that is free: the wished one, else with a number behind its name. The names are those
/// of files there are, whatever is in them.
fn free(stem: &Path, end: &str, overlay: &Overlay) -> PathBuf {
    let with = |end: &str| {
        let mut path = stem.as_os_str().to_owned();
        path.push(end);
        path.push(".md");
        PathBuf::from(path)
    };
    let mut path = with(end);
    for n in 2.. {
        if !overlay.exists(&path) {
            break;
        }
        path = with(&format!("{end}-{n}"));
    }
    path
}

fn split(store: &RawkoStore, memory: &Memory, overlay: &mut Overlay) -> Result<(), StoreError> {
    let path: &Path = &memory.path;
    let mut bytes = overlay.read(path, Some(memory.stamp))?.to_vec();
    let documents = document::layout(&bytes).documents;
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
            .get("title")
            .and_then(Value::as_str)
            .map(slug)
            .filter(|slug| !slug.is_empty());
        let stem = match title {
            Some(title) => store.info.path.join(title),
            None => {
                let mut stem = path.with_extension("").into_os_string();
                stem.push(format!("-{}", number + 1));
                PathBuf::from(stem)
            }
        };
        let to = free(&stem, "", overlay);
        overlay.write_beside(&to, own_text(&bytes, part), path)?;
    }
    for number in (1..documents.len()).rev() {
        let documents = document::layout(&bytes).documents;
        bytes = without(&bytes, &documents, number).ok_or_else(gone)?;
    }
    overlay.write(&files::target(path)?, bytes)
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn slugs_are_those_of_the_systems_writer() {
        let long = "a".repeat(63) + " b";
        for (title, expected) in [
            (
                "OAuth2 Integration Was Too Broad",
                "oauth2-integration-was-too-broad",
            ),
            ("  Use `zod` -- not Yup!  ", "use-zod-not-yup"),
            ("Überschrift", "berschrift"),
            ("日本語", ""),
            (&long, &("a".repeat(63) + "-")),
        ] {
            assert_eq!(slug(title), expected, "{title}");
        }
    }
}
