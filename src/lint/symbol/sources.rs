//! Names of the code beside the file that has them: where they are imported, or behind its path.

use super::extract::{Part, is_name, is_part, is_sure, named};
use super::names::is_code;

/// What stands before a module of one's own; all others are packages, whose names are not ours.
const OWN: &[&str] = &["./", "../", "@/", "~/", "#", "/", "src/"];

/// The names behind the path of a file: `src/jwt.ts:verifyToken`, `tests/test_a.py::test_b`.
/// Behind a `#` of a document stands a heading.
pub(super) fn placed(span: &str) -> Option<Vec<Part<'_>>> {
    let (file, name) = span.split_once(['#', ':'])?;
    let name = name.trim_start_matches(':');
    let ending = file.rsplit_once('.')?.1;
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./\\[]()".contains(c);
    let sound = !ending.is_empty()
        && ending.chars().all(|c| c.is_ascii_alphanumeric())
        && file.chars().all(plain)
        && is_code(file.trim_start_matches("./"));
    let name = name.split('(').next().unwrap_or(name);
    // `#L120` is a line.
    let line = name.strip_prefix('L').unwrap_or(name);
    let line = line.starts_with(|c: char| c.is_ascii_digit());
    let path = file.contains('/') || super::extract::is_file(ending);
    (sound && path && !line)
        .then(|| named(name, true))
        .flatten()
}

/// The names that a statement takes from a module of one's own: `import { a, b as c } from "./d"`,
/// `const { a } = require("./d")`, `from app.d import a`, `use crate::d::{a, b}`.
pub(super) fn imported(span: &str) -> Option<Vec<Part<'_>>> {
    let span = span.trim_end_matches(';').trim_end();
    let names = of_javascript(span)
        .or_else(|| of_python(span))
        .or_else(|| of_rust(span))?;
    let names = names.split(',').filter_map(|name| {
        let name = name.trim();
        let name = name.strip_prefix("type ").unwrap_or(name);
        let name = name.split([' ', ':']).next().unwrap_or_default();
        // A package may have one of the same name: only what was defined here counts.
        let part = is_part(name.trim(), true).filter(|_| is_name(name) && is_sure(name));
        part.map(|part| Part {
            sure: false,
            ..part
        })
    });
    let names: Vec<Part<'_>> = names.collect();
    (!names.is_empty()).then_some(names)
}

/// Words and marks in front of the type of what is declared.
const MARKS: &[&str] = &[
    "private",
    "protected",
    "public",
    "internal",
    "final",
    "static",
    "readonly",
    "const",
    "volatile",
    "lateinit",
    "val",
    "var",
    "let",
    "override",
    "abstract",
];

/// The type of what is declared: `@Inject RowStore rows`, `private final RowStore rows;`,
/// `val rows: RowStore`.
pub(super) fn declared(span: &str) -> Option<Vec<Part<'_>>> {
    let span = span.trim_end_matches(';');
    let span = span.split(" = ").next().unwrap_or(span);
    let marked = |word: &&str| word.starts_with('@') || MARKS.contains(word);
    let words: Vec<&str> = span.split_whitespace().collect();
    let marks = words.iter().take_while(|word| marked(word)).count();
    let (first, second) = match words.get(marks..)? {
        [first, second] => (*first, *second),
        _ => return None,
    };
    let small = |word: &str| word.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    // Without a mark two words in a span may be of a sentence.
    let (kind, name) = match first.strip_suffix(':') {
        Some(name) => (second, name),
        None => (first, second),
    };
    let kind = kind.split('<').next().unwrap_or(kind);
    let typed = is_name(kind) && is_sure(kind) && !small(kind);
    let sound = (marks > 0 || first.ends_with(':')) && typed && is_name(name) && small(name);
    let part = is_part(kind, true).filter(|_| sound)?;
    Some(vec![Part {
        sure: false,
        ..part
    }])
}

fn of_javascript(span: &str) -> Option<&str> {
    let (head, module) = span
        .rsplit_once(" from ")
        .or_else(|| span.trim_end_matches(')').rsplit_once("require("))?;
    let head = head.trim_end_matches([' ', '=']);
    let words = ["import ", "export ", "const ", "let ", "var "];
    let head = words.iter().find_map(|word| head.strip_prefix(word))?;
    let module = module.trim().trim_matches(['"', '\'']);
    let own = OWN.iter().any(|start| module.starts_with(start));
    let names = match head.split_once('{') {
        Some((_, rest)) => rest.split_once('}')?.0,
        None => head,
    };
    own.then_some(names)
}

fn of_python(span: &str) -> Option<&str> {
    let (module, names) = span.strip_prefix("from ")?.split_once(" import ")?;
    let dotted = module
        .split('.')
        .all(|part| part.is_empty() || is_name(part));
    dotted.then(|| names.trim_matches(['(', ')']))
}

fn of_rust(span: &str) -> Option<&str> {
    let path = span.trim_start_matches("pub ").strip_prefix("use ")?;
    let own = ["crate::", "super::", "self::"];
    let path = own.iter().find_map(|start| path.strip_prefix(start))?;
    match path.split_once('{') {
        Some((_, names)) => names.strip_suffix('}').filter(|names| !names.contains('{')),
        None => Some(path.rsplit_once("::").map_or(path, |(_, name)| name)),
    }
}
