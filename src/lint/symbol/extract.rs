//! The names of the code that a text puts into code spans.

use std::ops::Range;

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

/// The names of a span that is nothing but a name: `A::b`, `a.b()`, `@Order(N)`, `HoldSweeper`.
fn parts(span: &str) -> Option<Vec<Part<'_>>> {
    if span.len() > LONGEST || !span.is_ascii() {
        return None;
    }
    let span = span
        .trim_start_matches(['@', '&', '*', '#'])
        .trim_end_matches([';', '?']);
    let (path, call) = match span.find(['(', '<', '!']) {
        Some(at) => (span.get(..at)?, closes(span.get(at..)?)?),
        None => (span, false),
    };
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
    if !call && !scoped && names.len() > 1 && FILES.contains(&last.to_lowercase().as_str()) {
        return None;
    }
    let mut parts = Vec::new();
    for (n, name) in names.iter().enumerate() {
        let is_last = n + 1 == names.len();
        let sure = is_sure(name);
        let likely = is_last && (call || scoped || is_type(name));
        if name.len() >= SHORTEST && (sure || likely) && !PLACEHOLDERS.contains(name) {
            parts.push(Part { name, sure });
        }
    }
    (!parts.is_empty()).then_some(parts)
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

/// Whether what follows a name closes it: arguments, types, a bang. Says whether it is a call.
fn closes(rest: &str) -> Option<bool> {
    let rest = match rest.strip_prefix('<') {
        Some(types) => types.split_once('>')?.1,
        None => rest,
    };
    match rest {
        "" => Some(false),
        "!" | "!()" => Some(true),
        _ => {
            let inside = rest.strip_prefix('(')?.strip_suffix(')')?;
            let balanced = inside.matches('(').count() == inside.matches(')').count();
            (balanced && !inside.contains(['{', '}', '='])).then_some(true)
        }
    }
}

fn is_name(name: &str) -> bool {
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
fn is_sure(name: &str) -> bool {
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
                &["Money?", "of_cents", "openLedger"][1..],
            ),
            ("`ContextHolder.get()`", &["ContextHolder"]),
            (
                "`@ConditionalOnProperty` `@Order(N)`",
                &["ConditionalOnProperty", "Order?"],
            ),
            ("`Vec<HoldRow>`", &[]),
            ("`HoldRow<T>` and ``a_bc``", &["HoldRow", "a_bc"]),
            ("`println!` `vec_of!()`", &["println?", "vec_of"]),
            (
                "`DATABASE_URL`; `Ledger` `flush()`",
                &["DATABASE_URL", "Ledger?", "flush?"],
            ),
            ("`process(AgentContext)`", &["process?"]),
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
        ] {
            let all = found(text);
            assert!(all.is_empty() || all == ["a_b"], "{text}: {all:?}");
        }
    }
}
