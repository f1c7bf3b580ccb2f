//! A new memory as its system would write it.

use std::sync::Arc;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

use crate::memory::format::Table;
use crate::memory::link::folded;
use crate::memory::schema::FROM_PATH;
use crate::memory::{Memory, Role, Schema, Stamp, Value, frontmatter};
use crate::store::markdown::{MarkdownStore, index};
use crate::store::{Overlay, Result, Store as _, StoreError};

/// The file name that the system's writer makes of a title (formats: rawko, "writer").
pub(super) fn slug(title: &str, separator: char) -> String {
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

/// The file name for a title, with letters of any script if the format allows them; empty if the
/// title has no usable letter.
fn name_for(table: &Table, title: &str) -> String {
    let is_letter = |c: char| c.is_alphanumeric() || canonical_combining_class(c) > 0;
    match table.named_by_title {
        true => file_name(title),
        false if table.schema.can.kebab_names => slug(title, table.separator),
        false => words(&title.nfc().collect::<String>(), table.separator, is_letter),
    }
}

/// The name of a new memory. A number is appended if another memory has the name already.
pub(super) fn free(store: &MarkdownStore, title: &str, overlay: &mut Overlay) -> Result<String> {
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

/// Adds a new memory to its store.
pub(super) fn add(
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
    let path = match store.is_file() {
        true => store.info.path.clone(),
        false => store
            .refuse_name(local)
            .and_then(|()| store.file_of(local))?,
    };
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
        all.splice(
            before..before,
            value.map(|value| (spec.name.to_owned(), value)),
        );
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
