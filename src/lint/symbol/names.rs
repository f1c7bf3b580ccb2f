//! Names in code of any language: which there are, and which of them are defined.
//!
//! Lines are read by their words, without a grammar: `fn`, `class`, `def` and their like before a
//! name, `=` after it, or `name(…) {` where a line begins with no word of a statement.

use std::ops::Range;

use crate::lint::chars::{cut, last_of};

/// Words after which a name is one that is being defined.
const DEFINING: &[&str] = &[
    "fn",
    "def",
    "class",
    "function",
    "const",
    "let",
    "var",
    "val",
    "static",
    "struct",
    "enum",
    "trait",
    "interface",
    "type",
    "func",
    "object",
    "record",
    "mod",
    "module",
    "namespace",
    "union",
    "protocol",
    "extension",
    "macro_rules!",
    "define",
    "defmodule",
    "defp",
    "typedef",
    "package",
    "alias",
    "annotation",
    "typealias",
    "export",
    "TABLE",
    "table",
    "message",
    "service",
    "rpc",
    "component",
    "fun",
    "sub",
    "proc",
    "abstract",
    "actor",
    "EXISTS",
];

/// Bytes of a line that are read on each side of a name: what tools made may be one long line.
const WIDEST: usize = 500;

/// Words of SQL after which a name is one that is being made, behind `CREATE`.
const CREATED: &[&str] = &[
    "table",
    "view",
    "function",
    "procedure",
    "trigger",
    "index",
    "type",
    "sequence",
    "schema",
    "domain",
    "exists",
];

/// First words of a statement that only looks like the head of a function.
const STATEMENTS: &[&str] = &[
    "if", "for", "while", "switch", "match", "return", "await", "else", "new", "throw", "catch",
    "elif", "when", "case", "do", "try", "with", "yield", "assert", "}", "print", "echo", "use",
    "import", "from", "and", "or", "not", "in",
];

/// Endings of files that tell of the code and are none, or that are made by tools.
const NO_CODE: &[&str] = &[
    "md", "mdx", "mdc", "markdown", "txt", "rst", "adoc", "org", "log", "lock", "jsonl", "csv",
    "tsv", "map", "svg", "png", "jpg", "jpeg", "gif", "webp", "ico", "pdf", "zip", "gz", "woff",
    "woff2", "ttf", "eot", "mp3", "mp4", "wasm", "db", "sqlite", "bin", "exe", "so", "dylib", "a",
    "o", "class", "jar", "pyc", "snap", "patch", "diff", "ipynb", "html",
];

/// Names of files that are made by tools.
const MADE: &[&str] = &[
    "package-lock.json",
    "pnpm-lock.yaml",
    "go.sum",
    "npm-shrinkwrap.json",
];

/// Whether a file is code by its path: names in others are talk about it.
pub fn is_code(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let ending = ending.to_ascii_lowercase();
    // Agents keep their own notes and settings in such folders.
    let notes = path
        .split('/')
        .any(|part| part.starts_with('.') && part != ".github");
    let memory = path.starts_with("memory-bank/");
    let minified = name.contains(".min.");
    !NO_CODE.contains(&ending.as_str()) && !MADE.contains(&name) && !notes && !memory && !minified
}

const fn is_part(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80..)
}

/// Calls `take` with each name in a text and its bytes.
pub fn each<'t>(text: &'t str, take: &mut dyn FnMut(&'t str, Range<usize>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if !is_part(byte) {
            at += 1;
            continue;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let length = rest.iter().position(|byte| !is_part(*byte));
        let end = at + length.unwrap_or(rest.len());
        if !byte.is_ascii_digit()
            && let Some(name) = text.get(at..end)
        {
            take(name, at..end);
        }
        at = end;
    }
}

/// Whether the name at these bytes is being defined.
pub fn is_defined(text: &str, name: &Range<usize>) -> bool {
    let before = last_of(text.get(..name.start).unwrap_or_default(), WIDEST);
    let before = before.rsplit('\n').next().unwrap_or_default();
    let after = cut(text.get(name.end..).unwrap_or_default(), WIDEST);
    let after = after.split('\n').next().unwrap_or_default();
    let head = before.trim_start();
    let comment = head.starts_with("//") || head.starts_with("* ") || head.starts_with("-- ");
    if comment || (head.starts_with('#') && !head.starts_with("#define")) {
        return false;
    }
    let last = before.split_whitespace().next_back().unwrap_or_default();
    let touching = before.ends_with([' ', '\t']);
    let last = last.trim_end_matches('*').trim_start_matches('#');
    if touching && DEFINING.contains(&last) {
        return true;
    }
    if is_created(head) || is_of_receiver(before) || is_declared(head, after) {
        return true;
    }
    let rest = after.trim_start();
    let assigned = (rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>"))
        || rest.starts_with(":=");
    if assigned && !before.ends_with('.') && !before.contains('(') {
        return true;
    }
    // A variable of the environment, a key of a document.
    let first = head.is_empty() || matches!(head, "-" | "\"" | "'" | "- ");
    if first && rest.trim_start_matches(['"', '\'']).starts_with([':', '=']) {
        return true;
    }
    if first && matches!(rest.trim_end(), "," | "") {
        // One of an enumeration.
        return name.start > 0 && before.starts_with([' ', '\t']);
    }
    is_head(
        head,
        after,
        text.get(name.end + after.len()..).unwrap_or_default(),
    )
}

/// Whether it is defined on what stands before it: `def self.x`, `function M:x`, `fun String.x`.
fn is_of_receiver(before: &str) -> bool {
    let Some(receiver) = before.strip_suffix(['.', ':']) else {
        return false;
    };
    let head = receiver.trim_end_matches(|c: char| c.is_alphanumeric() || "_.<>".contains(c));
    let word = head.strip_suffix(' ').unwrap_or_default();
    let word = word.split_whitespace().next_back();
    receiver.len() > head.len() && matches!(word, Some("def" | "function" | "fun" | "func"))
}

/// Whether a statement declares it by a symbol or in quotation marks: `scope :x`, `variable "x" {`.
fn is_declared(head: &str, after: &str) -> bool {
    const SYMBOLS: [&str; 9] = [
        "scope",
        "attr_accessor",
        "attr_reader",
        "attr_writer",
        "define_method",
        "has_many",
        "has_one",
        "belongs_to",
        "delegate",
    ];
    const BLOCKS: [&str; 6] = [
        "variable", "output", "module", "resource", "data", "provider",
    ];
    let first = head.split([' ', '(']).next().unwrap_or_default();
    let block = after
        .strip_prefix('"')
        .is_some_and(|rest| rest.trim_end().ends_with('{'));
    (SYMBOLS.contains(&first) && head.ends_with(':')) || (BLOCKS.contains(&first) && block)
}

/// Whether what stands before a name makes it in SQL: `CREATE OR REPLACE FUNCTION app.`.
fn is_created(before: &str) -> bool {
    let quotes: &[char] = &['"', '`', '['];
    let before = before.trim_end_matches(quotes);
    let schema = before.strip_suffix('.').map(|before| {
        let part = |c: char| c.is_alphanumeric() || c == '_' || quotes.contains(&c);
        before.trim_end_matches(part)
    });
    let words = schema.unwrap_or(before);
    let mut all = words.split_whitespace();
    let created = |last: &str| CREATED.iter().any(|word| last.eq_ignore_ascii_case(word));
    all.next()
        .is_some_and(|first| first.eq_ignore_ascii_case("create"))
        && words.ends_with(' ')
        && all.next_back().is_some_and(created)
}

/// Whether what follows a name on its line opens a body: `(a: A) -> B {`, `() { return 1; }`,
/// `(int n)` with the brace on the next line.
fn opens(after: &str, below: &str) -> bool {
    let after = after.trim_end();
    if !after.starts_with(['(', '<']) {
        return false;
    }
    if after.ends_with('{') || after.ends_with("=>") {
        return true;
    }
    let mut depth = 0_usize;
    let close = after.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (c == ')' && depth == 0).then_some(at + 1)
    });
    let Some(tail) = close.and_then(|close| after.get(close..)) else {
        return false;
    };
    if tail.trim().is_empty() {
        return below.trim_start().starts_with('{');
    }
    // What is returned or thrown stands between; a call ends before a block of its own.
    let brace = tail.find('{');
    brace.is_some_and(|brace| {
        !tail
            .get(..brace)
            .is_some_and(|until| until.contains([';', '(', '=']))
    })
}

/// Whether what stands around a name is the head of a function:
/// `public static Money of(long cents) {`, `func (s *Store) Get(`.
fn is_head(before: &str, after: &str, below: &str) -> bool {
    let opens = opens(after, below);
    if before.starts_with("func (") && before.trim_end().ends_with(')') {
        return after.starts_with(['(', '[']);
    }
    let word = before.split(|c: char| !c.is_alphanumeric()).next();
    let statement = word.is_some_and(|word| STATEMENTS.contains(&word));
    let plain = !before.contains(['(', '=', '.', '"', '\'', '`', '}', '!', '&', '|']);
    opens && plain && !statement && (before.is_empty() || before.ends_with([' ', '\t', '*', '#']))
}

/// The words that a name is made of, in small letters.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut small = false;
    for c in name.chars() {
        if c == '_' {
            small = false;
            words.push(String::new());
            continue;
        }
        if c.is_uppercase() && small || words.is_empty() {
            words.push(String::new());
        }
        small = c.is_lowercase() || c.is_numeric();
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// How alike two names are, 0 to 1: the words that both have.
pub fn likeness(a: &str, b: &str) -> f64 {
    let (a, b) = (words(a), words(b));
    let common = a.iter().filter(|word| b.contains(word)).count();
    let all = a.len() + b.len();
    let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    2.0 * count(common) / count(all.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_definitions() {
        for (line, name, expected) in [
            (
                "pub fn sweep_holds(now: Time) -> u32 {",
                "sweep_holds",
                true,
            ),
            ("    sweep_holds(now);", "sweep_holds", false),
            ("if (sweepHolds(now)) {", "sweepHolds", false),
            (
                "  async sweepHolds(now: Date): Promise<void> {",
                "sweepHolds",
                true,
            ),
            ("export const sweepHolds = (now) => {", "sweepHolds", true),
            ("const x = sweepHolds(now)", "sweepHolds", false),
            ("def sweep_holds(self):", "sweep_holds", true),
            ("class HoldSweeper(Base):", "HoldSweeper", true),
            ("from jobs import HoldSweeper", "HoldSweeper", false),
            (
                "func (s *Store) SweepHolds(now time.Time) error {",
                "SweepHolds",
                true,
            ),
            ("public static Money ofCents(long cents) {", "ofCents", true),
            ("return ofCents(3) {", "ofCents", false),
            ("// class HoldSweeper was here", "HoldSweeper", false),
            ("HOLD_MINUTES=15", "HOLD_MINUTES", true),
            ("if HOLD_MINUTES == 15:", "HOLD_MINUTES", false),
            ("  holdMinutes: 15,", "holdMinutes", true),
            ("#define HOLD_MINUTES 15", "HOLD_MINUTES", true),
            ("pub(crate) struct Hold<'a> {", "Hold", true),
            ("let x: Hold<'a> = make();", "Hold", false),
            ("CREATE TABLE ledger_rows (", "ledger_rows", true),
            ("enum A {\n    SweepHolds,\n}", "SweepHolds", true),
            (
                "  private static String joinParts(String a) { return a; }",
                "joinParts",
                true,
            ),
            (
                "static int ring_len_max(void) { return 1; }",
                "ring_len_max",
                true,
            ),
            (
                "void drain_all(int n) throws Bad { n(); }",
                "drain_all",
                true,
            ),
            (
                "    public async Task SendAllAsync(int n)\n    {\n    }",
                "SendAllAsync",
                true,
            ),
            ("    SendAllAsync(3)\n    next()", "SendAllAsync", false),
            ("int ring_len_max(void);\n{", "ring_len_max", false),
            ("deploy_all() {", "deploy_all", true),
            ("deploy_all() { :; }", "deploy_all", true),
            ("  return joinParts(a) { }", "joinParts", false),
            (
                "CREATE FUNCTION calc_total() RETURNS int AS $$ $$;",
                "calc_total",
                true,
            ),
            (
                "create or replace procedure shop.calc_total(a int)",
                "calc_total",
                true,
            ),
            ("SELECT calc_total(1) FROM t", "calc_total", false),
            ("  def self.active_singers", "active_singers", true),
            ("fun String.toSlug(): String =", "toSlug", true),
            ("function Deck:hold_row(n)", "hold_row", true),
            (
                "  scope :active_singers, -> { where(x: 1) }",
                "active_singers",
                true,
            ),
            ("variable \"node_count\" {", "node_count", true),
            ("resource \"aws_vpc\" \"main_net\" {", "main_net", true),
            ("  self.active_singers", "active_singers", false),
            ("  puts Member.active_singers", "active_singers", false),
            ("  node_count = var.node_count", "var", false),
            ("output x \"node_count\"", "node_count", false),
        ] {
            let at = line.find(name).unwrap();
            assert_eq!(is_defined(line, &(at..at + name.len())), expected, "{line}");
        }
    }

    #[test]
    fn names_are_cut_into_words_and_compared() {
        assert_eq!(words("sweepExpiredHolds"), ["sweep", "expired", "holds"]);
        assert_eq!(words("SWEEP_HOLDS"), ["sweep", "holds"]);
        assert_eq!(words("HTTPServer2"), ["httpserver2"]);
        assert!(likeness("sweepHolds", "sweep_expired_holds") > 0.7);
        assert!(likeness("sweepHolds", "openLedger") == 0.0);
        let mut all = Vec::new();
        each("a.b_c(1x, 2, ü)", &mut |name, _| all.push(name));
        assert_eq!(all, ["a", "b_c", "ü"]);
    }

    #[test]
    fn code_is_told_from_what_tells_of_it() {
        for path in [
            "src/a.rs",
            "Makefile",
            "k/x.yaml",
            ".github/workflows/ci.yml",
        ] {
            assert!(is_code(path), "{path}");
        }
        for path in [
            "README.md",
            ".rawko/memories/a.md",
            "memory/items/x.jsonl",
            "Cargo.lock",
            "web/app.min.js",
            "package-lock.json",
            ".claude/settings.json",
        ] {
            assert!(!is_code(path), "{path}");
        }
    }
}
