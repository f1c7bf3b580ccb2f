//! Files as code names them that imports them.

use std::borrow::Cow;
use std::ops::Range;

use super::extract::{How, Import, Named, has_ending};
use crate::lint::Look;

/// What a token makes of what stands behind it.
pub(super) fn word(token: &str) -> Import {
    let imports = matches!(token, "from" | "import" | "export")
        || token.ends_with("require")
        || token.ends_with(".mock");
    if imports { Import::Named } else { Import::No }
}

/// The bytes of a token that name a file which is imported, and its path without an ending:
/// `'./price'` and `'@/lib/price.js'` of JavaScript, `app.price` of Python and Java.
pub(super) fn path<'a>(
    token: &'a str,
    behind: &str,
    import: Import,
) -> Option<(Range<usize>, Cow<'a, str>, How<'a>)> {
    match import {
        Import::No => None,
        Import::Quoted => quoted(token),
        Import::Named => dotted(token, behind),
    }
}

/// The folder of this repository that is written as Go imports it, by the name of its module.
pub(super) fn of_go<'a>(look: &Look<'_>, named: &Named<'a>) -> Option<Named<'a>> {
    let host = named.path.split_once('/').map_or("", |(host, _)| host);
    let whole = named.bytes.len() == named.path.len();
    if !host.contains('.') || host.starts_with('.') || !whole {
        return None;
    }
    let (path, length) = look.facts.manifests(look.cx).imported(&named.path)?;
    // What another module's folder is called is not written in its place.
    Some(Named {
        bytes: named.bytes.start + length..named.bytes.end,
        path: Cow::Owned(path),
        how: How::Plain,
    })
}

fn quoted(token: &str) -> Option<(Range<usize>, Cow<'_, str>, How<'_>)> {
    const FROM: [&str; 4] = ["./", "../", "@/", "~/"];
    let mut rest = token;
    while let Some(inside) = FROM.iter().find_map(|from| rest.strip_prefix(from)) {
        rest = inside;
    }
    // What is compiled is imported as what it becomes.
    let bare = [".js", ".mjs", ".cjs", ".jsx"];
    let path = bare.iter().find_map(|ending| rest.strip_suffix(ending));
    let path = path.unwrap_or(rest);
    let plain = |c: char| c.is_alphanumeric() || "_-./+".contains(c);
    let sound = rest.len() < token.len()
        && !path.is_empty()
        && path.chars().all(plain)
        && !path.contains("..")
        && !path.ends_with('/')
        // What has another ending is a path like any other.
        && (path.len() < rest.len() || !has_ending(path));
    let from = token.len() - rest.len();
    sound.then(|| (from..from + path.len(), path.into(), How::Import))
}

fn dotted<'a>(token: &'a str, behind: &str) -> Option<(Range<usize>, Cow<'a, str>, How<'a>)> {
    let name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let ends = [";", "\n", "\r", " import ", " as "];
    let statement = ends.iter().any(|end| behind.starts_with(end));
    let sound = statement && token.contains('.') && token.split('.').all(name);
    sound.then(|| (0..token.len(), token.replace('.', "/").into(), How::Import))
}
