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
    let mut local = &*memory.id.local;
    if memory.state == State::Archived {
        local = local.rsplit('/').next().unwrap_or(local);
    }
    if memory.schema == to {
        return Some(local.to_owned());
    }
    let end = from.ends.first().map_or("", String::as_str);
    let end = end.rfind('.').and_then(|at| end.get(..at)).unwrap_or("");
    let local = local.strip_suffix(end).unwrap_or(local);
    let separator = to_table.separator;
    let parts: Vec<String> = local
        .split('/')
        .map(|part| part_in(to_table, part))
        .collect();
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let between = if to_table.in_folders.is_some() {
        separator.to_string()
    } else {
        "/".to_owned()
    };
    Some(parts.join(&between)).filter(|name| !name.is_empty())
}

/// A part of a name as a format takes it: as it is where it can be.
pub(super) fn part_in(to: &Table, part: &str) -> String {
    match is_plain(part) && !to.schema.can.kebab_names {
        true => part.to_owned(),
        false => plain(part, to.separator),
    }
}

/// Whether a part of a name can stand for itself in every system.
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
