//! Stages a request in a folder of Markdown memories.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

use super::load::low_fields;
use super::{MarkdownStore, index};
use crate::memory::document::{self, Document};
use crate::memory::edit::{self, FieldEdit};
use crate::memory::format::{Table, Untitled};
use crate::memory::link::folded;
use crate::memory::schema::FROM_PATH;
use crate::memory::{Memory, Role, Schema, Stamp, State, Value, frontmatter};
use crate::store::{
    Overlay, Request, Result, Store as _, StoreError, files, refuse, refuse_unless,
};

pub(super) fn stage(store: &MarkdownStore, request: &Request<'_>, overlay: &mut Overlay) -> Result {
    let (table, schema) = (store.table, store.table.schema);
    if schema.can.context {
        return refuse(
            "context files are read-only: change the file in your editor (E in the terminal UI)",
        );
    }
    match *request {
        Request::Edit(memory, edits) => {
            let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
            let is_field =
                |edit: &FieldEdit| !matches!(edit, FieldEdit::Body(_) | FieldEdit::Text(_));
            if edits.iter().any(is_field) {
                has_fields(store, memory, bytes)?;
            }
            let after = edit::apply(schema, bytes, number(memory), edits)?;
            overlay.write(&memory.path, after)
        }
        Request::Save(memory, expected, text) => {
            let bytes = overlay.read(&memory.path, None)?;
            let documents = store.layout(bytes).documents;
            let now = documents.get(number(memory)).and_then(|document| {
                bytes.get(document.span.start..edit::text_of(bytes, document).end)
            });
            if now.is_none_or(|now| String::from_utf8_lossy(now) != expected) {
                return Err(StoreError::Changed(memory.path.to_path_buf()));
            }
            // The byte order mark stays where it is, and is not written a second time.
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            let edits = [FieldEdit::Text(text.to_owned())];
            let after = edit::apply(schema, bytes, number(memory), &edits)?;
            overlay.write(&memory.path, after)
        }
        Request::Add(new) => {
            let (title, body) = (new.title, new.body);
            let gets_heading = !new.is_whole && table.untitled.contains(&Untitled::Heading);
            let body = match gets_heading && !body.trim_start().starts_with("# ") {
                true => format!("# {title}\n\n{body}"),
                false => body.to_owned(),
            };
            let free = match new.name {
                None if !new.is_whole => Some(free_name(store, title, overlay)?),
                _ => None,
            };
            let name = new.name.or(free.as_deref());
            add(store, (title, name), new.fields, &body, overlay)
        }
        Request::Rename(memory, to) => rename(store, memory, to, overlay),
        Request::Delete(memory) => take_out(store, memory, overlay).map(drop),
        Request::Archive(memory) => archive(store, memory, overlay),
        Request::Restore(memory) => restore(store, memory, overlay),
        Request::SplitFile(memory) => split(store, memory, overlay),
        Request::Normalize(memory) => {
            let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
            let normal = store.is_rawko().then(|| document::normalized(bytes));
            let after = normal.unwrap_or_else(|| bytes.to_vec());
            overlay.write(&memory.path, after)
        }
    }
}

/// Refuses an edit of fields that the system does not read.
fn has_fields(store: &MarkdownStore, memory: &Memory, bytes: &[u8]) -> Result {
    let (id, format) = (&memory.id, store.table.name());
    if store.is_whole(&id.local) {
        let why = format!("{id} has no fields: {format} gives all of the file as text");
        return refuse(why);
    }
    match low_fields(store.table, bytes) {
        Some(line) => refuse(format!(
            "the fields of {id} begin on line {line}, and {format} reads them on line 1 only: \
             move them there in your editor"
        )),
        None => Ok(()),
    }
}

fn number(memory: &Memory) -> usize {
    memory.document as usize
}

fn refuse_link(memory: &Memory, instead: &str) -> Result {
    let path = memory.path.display();
    match memory.path.is_symlink() {
        true => refuse(format!("{path} is a symbolic link: {instead}")),
        false => Ok(()),
    }
}

fn rename(store: &MarkdownStore, memory: &Memory, to: &str, overlay: &mut Overlay) -> Result {
    refuse_link(memory, "rename the file it points to")?;
    if memory.document > 0 {
        let path = memory.path.display();
        let why = format!("it has no name of its own: it stands in {path} below another memory");
        return refuse(why);
    }
    if memory.state == State::Archived {
        let archive = store.local(&store.info.archive.join("x"));
        let archive = archive.strip_suffix('x').unwrap_or_default();
        let below = store.renamed(memory, to.strip_prefix(archive).unwrap_or(to))?;
        let below = below.strip_prefix(store.folder()).unwrap_or(&below);
        let path = store.info.archive.join(below);
        return overlay.rename(&memory.path, &path, Some(memory.stamp));
    }
    store.refuse_name(store.stem(to))?;
    let path = store.renamed(memory, to)?;
    overlay.rename(&memory.path, &path, Some(memory.stamp))?;
    // A title that is the name of its file goes with it.
    let spec = store.table.schema.role(Role::Title);
    let spec = spec.filter(|_| store.title_follows(memory));
    let Some((spec, new)) = spec.zip(path.file_stem()) else {
        return Ok(());
    };
    let edit = FieldEdit::set(spec.name, &*new.to_string_lossy());
    let after = edit::apply(store.table.schema, overlay.read(&path, None)?, 0, &[edit])?;
    overlay.write(&path, after)
}

/// Cuts a memory out of its file, the file with it where it was alone; gives its bytes.
fn take_out(store: &MarkdownStore, memory: &Memory, overlay: &mut Overlay) -> Result<Vec<u8>> {
    let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
    let documents = store.layout(bytes).documents;
    if documents.len() <= 1 {
        refuse_link(memory, "remove it with `rm`")?;
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
    let mut text = document::part(bytes, document.span.start..document.body.end).to_vec();
    if !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    text
}

/// A file without one of its documents and without the separator that stood before or after it.
fn without(bytes: &[u8], documents: &[Document], number: usize) -> Option<Vec<u8>> {
    let taken = documents.get(number)?;
    let before = number.checked_sub(1).and_then(|at| documents.get(at));
    let is_last = number + 1 == documents.len();
    let cut = match before.filter(|_| is_last) {
        Some(before) => before.body.end..bytes.len(),
        None => taken.span.clone(),
    };
    let mut rest = [bytes.get(..cut.start)?, bytes.get(cut.end..)?].concat();
    if is_last && bytes.ends_with(b"\n") && !rest.ends_with(b"\n") {
        let is_crlf = bytes.ends_with(b"\r\n");
        rest.extend_from_slice(if is_crlf { b"\r\n" } else { b"\n" });
    }
    Some(rest)
}

fn archive(store: &MarkdownStore, memory: &Memory, overlay: &mut Overlay) -> Result {
    refuse_link(memory, "archive the file it points to")?;
    refuse_unless(State::Active, memory)?;
    let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
    let alone = store.layout(bytes).documents.len() <= 1;
    let number = match memory.document {
        0 => String::new(),
        n => format!("-{}", n.saturating_add(1)),
    };
    let below = memory.path.strip_prefix(store.folder()).ok();
    let name = below.or_else(|| memory.path.file_name().map(Path::new));
    let name = name.unwrap_or(&memory.path);
    let end = name.file_name().and_then(|name| name.to_str());
    let end = end.and_then(|name| store.table.end_of(name));
    let end = end.map_or("", |(end, _)| end);
    let stem = name.to_string_lossy();
    let stem = stem.strip_suffix(end).unwrap_or(&stem);
    let to = free(&store.info.archive.join(stem), &number, end, overlay);
    if alone {
        return overlay.rename(&memory.path, &to, Some(memory.stamp));
    }
    let text = take_out(store, memory, overlay)?;
    overlay.write_beside(&to, text, &memory.path)
}

fn restore(store: &MarkdownStore, memory: &Memory, overlay: &mut Overlay) -> Result {
    refuse_unless(State::Archived, memory)?;
    let below = memory.path.strip_prefix(&store.info.archive);
    if memory.document > 0 {
        let id = &memory.id;
        let why = format!("{id} stands below another memory: restore that one");
        return refuse(why);
    }
    let to = store.home_of(below.unwrap_or(&memory.path));
    overlay.rename(&memory.path, &to, Some(memory.stamp))?;
    index::list(store, &to, index::words(memory), overlay)
}

/// A free path: the wished one, else with a number, whatever is in the files there are.
fn free(stem: &Path, number: &str, end: &str, overlay: &Overlay) -> PathBuf {
    let with = |number: &str| {
        let mut path = stem.as_os_str().to_owned();
        path.push(number);
        path.push(end);
        PathBuf::from(path)
    };
    let others = (2..).map(|n| with(&format!("{number}-{n}")));
    let mut paths = std::iter::once(with(number)).chain(others);
    let free = paths.find(|path| !overlay.exists(path));
    free.unwrap_or_else(|| with(number))
}

fn split(store: &MarkdownStore, memory: &Memory, overlay: &mut Overlay) -> Result {
    let path: &Path = &memory.path;
    let mut bytes = overlay.read(path, Some(memory.stamp))?.to_vec();
    let documents = store.layout(&bytes).documents;
    if documents.len() <= 1 {
        return refuse(format!("{} holds one memory only", path.display()));
    }
    let title = store.table.schema.role(Role::Title);
    let title = title.map_or("", |spec| spec.name);
    for (number, part) in documents.iter().enumerate().skip(1) {
        let front = part.front.clone().unwrap_or_default();
        let front = String::from_utf8_lossy(document::part(&bytes, front));
        let fields = frontmatter::read(&front).unwrap_or_default();
        let title = fields.get(title).and_then(Value::as_str);
        let slug = title.map(|title| slug(title, store.table.separator));
        let stem = match slug.filter(|slug| !slug.is_empty()) {
            Some(slug) => store.folder().join(slug),
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
        let rest = without(&bytes, &documents, number);
        bytes = rest.ok_or_else(|| StoreError::Changed(path.to_owned()))?;
    }
    overlay.write(&files::target(path)?, bytes)
}

/// The file name that the system's writer makes of a title (formats: rawko, "writer").
fn slug(title: &str, separator: char) -> String {
    words(title, separator, |c| c.is_ascii_alphanumeric())
}

/// A title in lower case, its words joined by a separator.
fn words(title: &str, separator: char, is_letter: impl Fn(char) -> bool) -> String {
    let mut slug = String::new();
    for c in title.to_lowercase().chars() {
        let parts = c == '-' || c == separator || c.is_whitespace();
        if is_letter(c) {
            slug.push(c);
        } else if parts && !slug.ends_with(separator) {
            slug.push(separator);
        }
    }
    short(slug.trim_matches(separator), 64)
}

/// Cuts a name to `most` characters and to the length that file systems allow.
fn short(name: &str, most: usize) -> String {
    let name = name.chars().take(most).scan(0, |bytes, c| {
        *bytes += c.len_utf8();
        (*bytes <= 200).then_some(c)
    });
    name.collect()
}

/// The file name for a title, in any script if the format allows; empty if no letter is usable.
fn name_for(table: &Table, title: &str) -> String {
    let is_letter = |c: char| c.is_alphanumeric() || canonical_combining_class(c) > 0;
    match table.named_by_title {
        true => file_name(title),
        false if table.schema.can.kebab_names => slug(title, table.separator),
        false => words(&title.nfc().collect::<String>(), table.separator, is_letter),
    }
}

/// The name of a new memory. A number is appended if another memory has the name already.
fn free_name(store: &MarkdownStore, title: &str, overlay: &mut Overlay) -> Result<String> {
    let name = name_for(store.table, title);
    // The system's writer would name such a file `.md`.
    let wished = if name.is_empty() { "untitled" } else { &name };
    let mut local = wished.to_owned();
    for number in 2.. {
        let path = store.file_of(&local)?;
        let is_shared = store.is_file() || store.table.schema.can.shape.several;
        if is_shared || !overlay.exists(&path) {
            break;
        }
        let there = store.parse(&path, overlay.read(&path, None)?, Stamp::default());
        let same = |one: &Arc<Memory>| {
            folded(&one.title) == folded(title) || *one.title == *local && !name.is_empty()
        };
        if there.first().is_none_or(same) {
            return Err(StoreError::Exists(path));
        }
        local = format!("{wished}-{number}");
    }
    Ok(local)
}

/// A title as a file name: characters that file systems refuse become `-`.
fn file_name(title: &str) -> String {
    let name = title.replace(['/', '\\', '<', '>', ':', '"', '|', '?', '*'], "-");
    let name = short(name.trim_matches([' ', '.']), 120);
    name.trim_end().to_owned()
}

/// A path with the words of each part joined by `-`; none if a part has no ASCII letter or digit.
fn permalink(local: &str) -> Option<String> {
    let words = |part: &str| slug(&part.replace(|c: char| !c.is_alphanumeric(), " "), '-');
    let parts: Vec<String> = local.split('/').map(words).collect();
    let is_whole = parts.iter().all(|part| !part.is_empty());
    is_whole.then(|| parts.join("/"))
}

/// Moves fields that the format keeps inside a mapping into that mapping.
fn nested(schema: &Schema, fields: Vec<(String, Value)>) -> Vec<(String, Value)> {
    let mut all: Vec<(String, Value)> = Vec::new();
    for (name, value) in fields {
        let spec = schema.field(&name);
        let mut aliases = spec.into_iter().flat_map(|spec| spec.aliases);
        let Some((mapping, key)) = aliases.find_map(|alias| alias.split_once('.')) else {
            all.push((name, value));
            continue;
        };
        match all.iter_mut().find(|(name, _)| name == mapping) {
            Some((_, inner)) => *inner = inner.with_entry(key, value),
            None => all.push((mapping.to_owned(), Value::Null.with_entry(key, value))),
        }
    }
    all
}

fn add(
    store: &MarkdownStore,
    (title, wished): (&str, Option<&str>),
    fields: &[(String, Value)],
    body: &str,
    overlay: &mut Overlay,
) -> Result {
    let (table, schema) = (store.table, store.table.schema);
    let name = name_for(table, title);
    let name = if name.is_empty() { "untitled" } else { &name };
    let local = wished.unwrap_or(name);
    let mut path = store.info.path.clone();
    if !store.is_file() {
        store.refuse_name(local)?;
        path = store.file_of(local)?;
    }
    let own = match table.title_is_slug {
        true => local.rsplit('/').next().unwrap_or(local),
        false => title,
    };
    let place = |name: &str| schema.fields.iter().position(|spec| spec.name == name);
    let mut all = fields.to_vec();
    for (at, spec) in schema.fields.iter().enumerate() {
        let value = match (spec.role, spec.default) {
            _ if all.iter().any(|(name, _)| name == spec.name) => continue,
            (Role::Title, _) => Some(own.into()),
            (_, Some(FROM_PATH)) => permalink(local).map(Value::from),
            _ => None,
        };
        let is_before = |(name, _): &&(String, Value)| place(name).is_some_and(|place| place < at);
        let before = all.iter().take_while(is_before).count();
        let new = value.map(|value| (spec.name.to_owned(), value));
        all.splice(before..before, new);
    }
    let body = format!("{}\n", body.trim_end());
    let text = frontmatter::compose(schema, &nested(schema, all), &body);
    if !overlay.exists(&path) {
        overlay.write(&path, text.into_bytes())?;
        let about = schema.role(Role::Description).and_then(|spec| {
            let (_, value) = fields.iter().find(|(name, _)| name == spec.name)?;
            value.as_str()
        });
        return index::list(store, &path, (title, about.unwrap_or_default()), overlay);
    }
    if !schema.can.shape.several {
        return Err(StoreError::Exists(path));
    }
    let bytes = frontmatter::append(overlay.read(&path, None)?, &text);
    overlay.write(&path, bytes)
}

#[cfg(test)]
mod tests {
    use super::{file_name, permalink, slug};
    use crate::memory::rows;

    #[test]
    fn slugs_are_those_of_the_systems_writer() {
        let long = "a".repeat(63) + " b";
        for (title, expected) in rows! {
            "OAuth2 Integration Was Too Broad" => "oauth2-integration-was-too-broad",
            "  Use `zod` -- not Yup!  " => "use-zod-not-yup",
            "Überschrift" => "berschrift",
            "日本語" => "",
            &long => &("a".repeat(63) + "-"),
        } {
            assert_eq!(slug(title, '-'), expected, "{title}");
        }
    }

    #[test]
    fn names_and_permalinks_are_made_of_titles() {
        for (title, name, link) in [
            ("New / note", "New - note", "new-note"),
            ("a: \"b\"?", "a- -b--", "a-b"),
            ("...", "", ""),
            ("Config_Bug v1.2", "Config_Bug v1.2", "config-bug-v1-2"),
            ("日本", "日本", ""),
        ] {
            assert_eq!(file_name(title), name, "{title}");
            let made = permalink(&file_name(title)).unwrap_or_default();
            assert_eq!(made, link, "{title}");
        }
        assert_eq!(
            permalink("Big Folder/ a note").unwrap(),
            "big-folder/a-note"
        );
    }
}
