//! The name of a converted memory.

use crate::memory::format::{Table, table_of};
use crate::memory::{Memory, Schema, State};

/// The name that a memory gets in another format, after the one it has; none where a system makes
/// the names, and where it had none of its own.
pub(super) fn of(memory: &Memory, to: &'static Schema, title: &str) -> Option<String> {
    let to_table = table_of(to)?;
    let from = table_of(memory.schema)?;
    // The names of later documents are numbers, and a file that its system finds by name has no
    // other one.
    let is_fixed = from
        .project
        .iter()
        .any(|place| memory.path.ends_with(place));
    if memory.document > 0 || title.is_empty() || is_fixed {
        return None;
    }
    if memory.schema == to {
        return Some(local(memory).to_owned());
    }
    // A format that names files by title chooses the name itself.
    let name = Some(parts_in(to_table, bare(memory))).filter(|_| !to_table.named_by_title);
    let name = name.map(|name| match from.named_by_title {
        true => name.to_lowercase(),
        false => name,
    });
    name.filter(|name| !name.is_empty())
}

/// LOCAL of a memory, without folders if it is archived.
fn local(memory: &Memory) -> &str {
    let local = &*memory.id.local;
    let last = local.rsplit('/').next();
    let last = last.filter(|_| memory.state == State::Archived);
    last.unwrap_or(local)
}

/// The name of a memory without the ending that its format gives to names, and without folders if
/// the memory is archived.
pub fn bare(memory: &Memory) -> &str {
    let local = local(memory);
    let end = table_of(memory.schema).and_then(|table| table.ends.first());
    let end = end.and_then(|end| end.get(..end.rfind('.')?));
    local.strip_suffix(end.unwrap_or("")).unwrap_or(local)
}

/// Changes a name to one that a format allows; parts that it allows stay as they are.
pub fn parts_in(to: &Table, name: &str) -> String {
    let part = |part: &str| match is_plain(part) && !to.schema.can.kebab_names {
        true => part.to_owned(),
        false => plain(part, to.separator),
    };
    let parts = name.split('/').map(part).filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.collect();
    match to.in_folders {
        Some(_) => parts.join(&to.separator.to_string()),
        None => parts.join("/"),
    }
}

/// True if a part of a name can stand for itself in every system.
fn is_plain(part: &str) -> bool {
    let first = part.chars().next();
    first.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
        && part
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// A part of a name in letters and digits of ASCII, small ones where words are parted by `-`.
pub fn plain(part: &str, separator: char) -> String {
    let mut name = String::new();
    for c in part.chars() {
        let c = match c {
            c if c.is_ascii_alphanumeric() && separator == '-' => c.to_ascii_lowercase(),
            c if c.is_ascii_alphanumeric() => c,
            '-' | '_' if separator != '-' => c,
            _ => separator,
        };
        if c != separator || !name.ends_with(separator) {
            name.push(c);
        }
    }
    name.trim_matches(separator).to_owned()
}
