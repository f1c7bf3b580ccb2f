//! The names of the code that a text puts into code spans.

use std::ops::Range;

use super::sources::{declared, imported, placed};

/// A name of the code as it is written in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named<'t> {
    /// What stands in the span.
    pub written: &'t str,
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// The names in it that are worth looking up.
    pub parts: Vec<Part<'t>>,
}

/// One name of a written one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part<'t> {
    /// The name.
    pub name: &'t str,
    /// Whether by its look it can be nothing else: `sweep_holds`, `HoldSweeper`.
    pub sure: bool,
}

/// More bytes than a name has.
const LONGEST: usize = 120;
/// Fewer letters say too little.
const SHORTEST: usize = 4;

/// Endings by which `a.b` is a file.
const FILES: &[&str] = &[
    "rs", "ts", "tsx", "js", "jsx", "mjs", "cjs", "py", "go", "java", "kt", "rb", "php", "cs", "c",
    "h", "cc", "cpp", "hpp", "swift", "scala", "sh", "bash", "zsh", "ps1", "sql", "md", "mdx",
    "txt", "json", "jsonl", "toml", "yaml", "yml", "xml", "html", "css", "scss", "lock", "cfg",
    "ini", "env", "csv", "svg", "png", "db", "log", "vue", "svelte", "proto", "graphql", "tf",
    "com", "org", "net", "io", "dev", "app", "ai", "example",
];

/// Whether by this ending of a name it is a file.
pub(super) fn is_file(ending: &str) -> bool {
    FILES.contains(&ending.to_lowercase().as_str())
}

/// Calls `take` with each name that stands alone in a code span; code blocks are examples.
pub(super) fn symbols<'t>(text: &'t str, take: &mut dyn FnMut(Named<'t>)) {
    let mut fenced = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let head = line.trim_start();
        if head.starts_with("```") || head.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if fenced || !line.contains('`') {
            continue;
        }
        spans(line, &mut |span, bytes| {
            if let Some(parts) = parts(span) {
                take(Named {
                    written: span,
                    bytes: start + bytes.start..start + bytes.end,
                    parts,
                });
            }
        });
    }
}

/// Calls `take` with what stands between the backticks of a line.
fn spans<'t>(line: &'t str, take: &mut dyn FnMut(&'t str, Range<usize>)) {
    let mut from = 0;
    while let Some(open) = line.get(from..).and_then(|rest| rest.find('`')) {
        let open = from + open;
        let rest = line.get(open..).unwrap_or_default();
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let start = open + ticks;
        let fence = rest.get(..ticks).unwrap_or_default();
        let Some(length) = line.get(start..).and_then(|rest| rest.find(fence)) else {
            return;
        };
        if let Some(span) = line.get(start..start + length) {
            take(span, start..start + length);
        }
        from = start + length + ticks;
    }
}

/// Words before a name by which a span is the head of what has it, or makes one of it.
const HEADS: &[&str] = &[
    "fn",
    "def",
    "func",
    "fun",
    "class",
    "struct",
    "enum",
    "trait",
    "interface",
    "impl",
    "function",
    "type",
    "record",
    "object",
    "protocol",
    "pub",
    "pub(crate)",
    "public",
    "private",
    "protected",
    "static",
    "async",
    "export",
    "abstract",
    "final",
    "override",
    "suspend",
    "new",
    "await",
    "mut",
    "dyn",
];

/// The names of a span that is nothing but a name: `A::b`, `a.b()`, `@Order(N)`, `HoldSweeper`,
/// the head of a function or class, `new Row()`, or an element: `<RowList dense />`; or of one that
/// stands beside its file: `import { a } from "./b"`, `src/b.ts:a`.
fn parts(span: &str) -> Option<Vec<Part<'_>>> {
    if span.len() > LONGEST {
        return None;
    }
    if let Some(parts) = placed(span)
        .or_else(|| imported(span))
        .or_else(|| declared(span))
    {
        return (!parts.is_empty()).then_some(parts);
    }
    if let Some(name) = element(span) {
        let name = name.rsplit('.').next().unwrap_or(name);
        return is_part(name, true).map(|part| vec![part]);
    }
    let (span, headed) = without_head(span);
    let span = span
        .trim_start_matches(['@', '&', '*', '#'])
        .trim_end_matches([';', '?']);
    let span = span.strip_prefix("mut ").unwrap_or(span);
    let (path, types, call) = match span.find(['(', '<', '!', ':', ' ']) {
        Some(_) => cut(span, headed)?,
        None => (span, "", false),
    };
    if path.is_empty() {
        return None;
    }
    let call = call || (headed && types.is_empty());
    let mut parts = named(path, call).unwrap_or_default();
    // Of the types in angle brackets those that can only be of the code.
    let inner = types.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    parts.extend(inner.filter_map(|name| is_part(name, false)));
    (!parts.is_empty()).then_some(parts)
}

/// A name that is worth looking up.
pub(super) fn is_part(name: &str, likely: bool) -> Option<Part<'_>> {
    let sure = is_sure(name);
    let wanted = is_name(name)
        && name.len() >= SHORTEST
        && (sure || likely)
        && !PLACEHOLDERS.contains(&name);
    wanted.then_some(Part { name, sure })
}

/// The name of an element of JSX: `<Row>`, `</Row>`, `<Row dense={x} />`. Small ones are HTML's.
fn element(span: &str) -> Option<&str> {
    let inside = span.strip_prefix('<')?.strip_suffix('>')?;
    let inside = inside.strip_prefix('/').unwrap_or(inside);
    let end = inside.find([' ', '/', '\n']).unwrap_or(inside.len());
    let name = inside.get(..end)?;
    let plain = name.split('.').all(is_name);
    (plain && name.split('.').next_back().is_some_and(is_type)).then_some(name)
}

/// A span without the words in front of the name, and whether there were any.
fn without_head(span: &str) -> (&str, bool) {
    let mut rest = span;
    while let Some((word, after)) = rest.split_once(' ') {
        if !HEADS.contains(&word) {
            break;
        }
        rest = after.trim_start();
        // `func (s *Store) Put(`
        if word == "func"
            && let Some((receiver, after)) =
                rest.strip_prefix('(').and_then(|one| one.split_once(") "))
            && !receiver.contains('(')
        {
            rest = after;
        }
    }
    // `(*Store) Put` without its `func`.
    if let Some((receiver, after)) = rest.strip_prefix('(').and_then(|one| one.split_once(") "))
        && receiver.contains('*')
        && !receiver.contains('(')
    {
        return (after, true);
    }
    (rest, rest.len() < span.len())
}

/// A name without what follows it, the types in its angle brackets, and whether it is called.
fn cut(span: &str, headed: bool) -> Option<(&str, &str, bool)> {
    // `A::b` is one name; `a: B` is not.
    let scoped = span.match_indices("::").map(|(at, _)| at..at + 2);
    let scoped: Vec<Range<usize>> = scoped.collect();
    let sign = |(at, _): &(usize, &str)| !scoped.iter().any(|range| range.contains(at));
    let mut signs = span.match_indices(['(', '<', '!', ':', ' ']).filter(sign);
    let Some((at, sign)) = signs.next() else {
        return Some((span, "", false));
    };
    let (path, rest) = span.split_at(at);
    match sign {
        // The head goes on: `class Row extends Base {`, `def rows():`.
        " " | ":" if headed => Some((path, "", false)),
        // The fields of a type: `Row { id, open }`.
        " " if is_sure(path) && is_type(path) && rest.starts_with(" {") && rest.ends_with('}') => {
            Some((path, "", false))
        }
        " " | ":" => None,
        _ => {
            let (types, call) = closes(rest, headed)?;
            Some((path, types, call))
        }
    }
}

/// The names of a path of names: `A::b`, `a.b`, `a->b`.
pub(super) fn named(path: &str, call: bool) -> Option<Vec<Part<'_>>> {
    let names: Vec<&str> = path
        .split("::")
        .flat_map(|part| part.split(['.', '#']))
        .collect();
    let names: Vec<&str> = names.iter().flat_map(|name| name.split("->")).collect();
    if names.is_empty() || !names.iter().all(|name| is_name(name)) {
        return None;
    }
    let last = *names.last()?;
    let scoped = path.contains("::");
    if !call && !scoped && names.len() > 1 && is_file(last) {
        return None;
    }
    let parts = names.iter().enumerate().filter_map(|(n, name)| {
        let is_last = n + 1 == names.len();
        let of_type = is_last
            && n > 0
            && names
                .get(n - 1)
                .is_some_and(|one| is_type(one) && is_sure(one));
        // Of a type that is gone another one may have the name behind it.
        let owner = n + 2 == names.len() && is_type(name);
        is_part(
            name,
            owner || of_type || (is_last && (call || scoped || is_type(name))),
        )
    });
    Some(parts.collect())
}

/// Names of examples.
const PLACEHOLDERS: &[&str] = &[
    "YourClass",
    "MyClass",
    "FooBar",
    "foo_bar",
    "my_function",
    "someFunction",
];

/// Whether what follows a name closes it: arguments, types, a bang. Gives the types in its angle
/// brackets and says whether it is a call. The head of a function may go on: `-> Row {`.
fn closes(rest: &str, headed: bool) -> Option<(&str, bool)> {
    let (types, rest) = match rest.strip_prefix('<') {
        Some(after) => {
            let end = closing(after, '<', '>')?;
            (after.get(..end)?, after.get(end + 1..)?)
        }
        None => ("", rest),
    };
    match rest {
        "" => return Some((types, false)),
        "!" | "!()" => return Some((types, true)),
        _ => {}
    }
    let after = rest.strip_prefix('(')?;
    let end = closing(after, '(', ')')?;
    let tail = after.get(end + 1..)?.trim_start();
    let goes_on = tail.starts_with("->") || tail.starts_with("=>") || tail.starts_with(':');
    (tail.is_empty() || goes_on || headed).then_some((types, true))
}

/// Where the bracket closes that was opened right before.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 1_usize;
    for (at, c) in text.char_indices() {
        // The arrow of a function closes nothing.
        let arrow = c == '>'
            && text
                .get(..at)
                .is_some_and(|head| head.ends_with(['-', '=']));
        if c == open {
            depth += 1;
        } else if c == close && !arrow {
            depth -= 1;
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

pub(super) fn is_name(name: &str) -> bool {
    let first = name
        .bytes()
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    first
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a word is a name of code by its look: a `_` within, or a capital after a small letter.
pub(super) fn is_sure(name: &str) -> bool {
    let inner = name.trim_matches('_');
    let humps = name.as_bytes().windows(2);
    let humps = humps
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    (inner.contains('_') && inner.bytes().any(|byte| byte.is_ascii_alphabetic()))
        || humps.count() > 0
}

/// Whether a word may be the name of a type.
fn is_type(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_uppercase())
        && bytes.any(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        symbols(text, &mut |named| {
            assert_eq!(text.get(named.bytes.clone()), Some(named.written));
            all.extend(
                named
                    .parts
                    .iter()
                    .map(|part| format!("{}{}", part.name, if part.sure { "" } else { "?" })),
            );
        });
        all
    }

    #[test]
    fn names_of_code_are_found_in_their_spans() {
        for (text, expected) in [
            (
                "call `sweep_holds()` and `HoldSweeper`",
                &["sweep_holds", "HoldSweeper"][..],
            ),
            (
                "`Money::of_cents` `a.openLedger()`",
                &["Money?", "of_cents", "openLedger"],
            ),
            ("`ContextHolder.get()`", &["ContextHolder"]),
            (
                "`Billing.settleAll()` `Billing#settleAll` `app.Billing.closed`",
                &["Billing?", "settleAll", "Billing?", "settleAll", "Billing?"],
            ),
            (
                "`@ConditionalOnProperty` `@Order(N)`",
                &["ConditionalOnProperty", "Order?"],
            ),
            ("`Vec<HoldRow>`", &["HoldRow"]),
            (
                "`Map<String, Option<HoldRow>>` and `HoldMap<K, V>`",
                &["HoldRow", "HoldMap"],
            ),
            (
                "`<RowList/>` `<RowList />` `</RowList>` `<RowList dense={x} onPick={() => y()}>`",
                &["RowList", "RowList", "RowList", "RowList"],
            ),
            ("`<Ledger.Row a=\"1\">` `<Ledger>`", &["Ledger?"]),
            (
                "`new HoldSweeper()` `await sweep_all()` `&mut HoldRow` `impl HoldRow`",
                &["HoldSweeper", "sweep_all", "HoldRow", "HoldRow"],
            ),
            (
                "`fn sweep_holds()` `pub fn of_cents(c: i64) -> Self` `def run_etl():`",
                &["sweep_holds", "of_cents", "run_etl"],
            ),
            (
                "`class RowLoader` `class RowLoader(Base):` `func OpenStore() *Store`",
                &["RowLoader", "RowLoader", "OpenStore"],
            ),
            (
                "`func (s *Store) PutLease(id string) error` `(s *Store) PutLease`",
                &["PutLease", "PutLease"],
            ),
            (
                "`store.PutLease(…)` `load_rows(path=\"x\")` `load_rows(path) -> list`",
                &["PutLease", "load_rows", "load_rows"],
            ),
            (
                "`x::Ledger::open_rows()` `rates::lookup()`",
                &["Ledger?", "open_rows", "lookup?"],
            ),
            ("`HoldRow<T>` and ``a_bc``", &["HoldRow", "a_bc"]),
            ("`println!` `vec_of!()`", &["println?", "vec_of"]),
            (
                "`DATABASE_URL`; `Ledger` `flush()`",
                &["DATABASE_URL", "Ledger?", "flush?"],
            ),
            ("`process(AgentContext)`", &["process?"]),
            (
                r#"`import { verifyToken } from "../auth/jwt"` `import HoldStore from './hold';`"#,
                &["verifyToken?", "HoldStore?"],
            ),
            (
                "`import { type RowType, readRow as read } from '@/rows'` `export { readAll } from \"./a\"`",
                &["RowType?", "readRow?", "readAll?"],
            ),
            (
                "`const { readRow: read, readAll } = require('./rows')`",
                &["readRow?", "readAll?"],
            ),
            (
                "`from app.auth import verify_token, read_all as all` `from .rows import RowType`",
                &["verify_token?", "read_all?", "RowType?"],
            ),
            (
                "`use crate::auth::{verify_token, RowType as Row};` `use super::rows::read_all`",
                &["verify_token?", "RowType?", "read_all?"],
            ),
            (
                "`src/auth/jwt.ts:verifyToken` `src/rows.rs::Rows::flush` `jwt.ts#verifyToken()`",
                &["verifyToken", "Rows?", "flush?", "verifyToken"],
            ),
            (
                "`RowFrame.checksum` `RowFrame { id, open }` `Row.sort` `Rows { a }`",
                &["RowFrame", "checksum?", "RowFrame"],
            ),
            (
                "`tests/test_rows.py::test_empty` `./src/rows.ts:reader`",
                &["test_empty", "reader?"],
            ),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_name_of_code_is_left_alone() {
        for text in [
            "HoldSweeper without a span",
            "`src/a_b.rs` `money_row.ts` `cargo test --all` `a b_c`",
            "```\nhold_sweeper()\n```",
            "`main` `true` `x` `get()` `1.2.3` `--no_color` `$HOME_DIR` `a_b`c`",
            "`lint.off` `example.com` `user@example.com`",
            "`if (a_b) { c_d }` `let a_b = 1` `<div_x>`",
            "`FooBar`",
            "`<div>` `<T>` `<br/>` `</div>` `Vec<u8>` `Vec<String>` `<name>`",
            "`type: Row_x y` `fn` `new` `class Foo` `a < b` `(see a_x) b`",
            "`row_x is set` `key: row_x`",
            "`import { useState } from \"react\"` `import { RowList } from '@acme/ui'`",
            "`import \"./row_style.css\"` `import * as rows from \"./rows\"` `import rows from './rows'`",
            "`import {} from './x'` `import { YourClass } from './x'` `import os`",
            "`use serde_json::RowType;` `use std::{row_a, row_b}` `use crate::a::{b::{row_c}}`",
            "`from there import nothing` `from 2 to 3` `from a-b import row_c`",
            "`src/rows.ts:42` `src/rows.ts:42:7` `src/rows.ts#L120` `src/rows.ts#L12-L19`",
            "`docs/guide.md#getStarted` `docs/guide.md:read_rows` `git@github.com:row_org`",
            "`localhost:3000` `https://x.example/a.ts:read_rows` `redis://host.io:read_rows`",
            "`src/rows.ts: read_rows` `a.row_x:read_rows` `src/rows.ts:` `src/rows:read_rows`",
            "`.claude/hooks/a.sh:run_all` `image.png:row_x` `const { a } = require('rows_x')`",
        ] {
            let all = found(text);
            assert!(all.is_empty() || all == ["a_b"], "{text}: {all:?}");
        }
    }
}
