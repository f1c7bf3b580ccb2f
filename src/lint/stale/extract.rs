//! The paths that a text names: in prose, code, links and as bare names of files.

use std::ops::Range;

/// A path that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::lint) struct Named<'a> {
    /// The path without what is written around it: `./`, a line's number, the `/` at its end.
    pub path: &'a str,
    /// Its bytes in the text.
    pub bytes: Range<usize>,
}

/// What can stand in a path, and what is written around it and cut off afterwards.
const fn is_part(byte: u8) -> bool {
    matches!(
        byte,
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9'
            | b'_' | b'.' | b'/' | b'@' | b'+' | b'~' | b'-' | b'#' | b'%' | b'$' | b':' | b'*'
            | b'{' | b'}' | b'<' | b'>' | b'\\' | 0x80..
    )
}

/// More bytes than a path has.
const LONGEST: usize = 300;

/// Files without an ending that are known by their name.
const NAMES: &[&str] = &[
    "Makefile",
    "Dockerfile",
    "Justfile",
    "justfile",
    "Procfile",
    "Jenkinsfile",
    "Vagrantfile",
];

/// Calls `take` with each path that a text names; `root` is what absolute paths begin with.
pub(in crate::lint) fn paths<'a>(text: &'a str, root: &str, take: &mut dyn FnMut(Named<'a>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut line = Line::default();
    while let Some(&byte) = bytes.get(at) {
        if !is_part(byte) {
            if byte == b'`' && !line.code {
                with_blanks(text, at + 1, take);
            }
            line.pass(byte);
            at += 1;
            continue;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let length = rest.iter().position(|byte| !is_part(*byte));
        let end = at + length.unwrap_or(rest.len());
        let has_sign = memchr::memchr2(b'/', b'.', rest.get(..end - at).unwrap_or_default());
        if has_sign.is_some()
            || rest
                .first()
                .is_some_and(|b| b.is_ascii_uppercase() || *b == b'j')
        {
            pieces(text, at..end, root, &line, take);
        }
        line.token(text.get(at..end).unwrap_or_default());
        at = end;
    }
}

/// A path with blanks in it, where it is all that stands between two backticks: a command that
/// looks like one was never a file.
fn with_blanks<'a>(text: &'a str, from: usize, take: &mut dyn FnMut(Named<'a>)) {
    let rest = text.get(from..).unwrap_or_default();
    let end = rest.bytes().position(|byte| matches!(byte, b'`' | b'\n'));
    let Some(path) = end.and_then(|end| rest.get(..end)) else {
        return;
    };
    let plain = |byte: u8| byte == b' ' || (is_part(byte) && !b"*{}<>$%:\\".contains(&byte));
    let is_path = path.contains(' ')
        && path.contains('/')
        && path.len() <= LONGEST
        && path.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && !path.contains("//")
        && path.bytes().all(plain)
        && has_ending(path);
    // What begins with a path and goes on is a list or a command.
    if is_path && !path.split(' ').rev().skip(1).any(has_ending) {
        take(Named {
            path,
            bytes: from..from + path.len(),
        });
    }
}

/// Where on its line the reading is.
#[derive(Default)]
struct Line {
    /// Between two backticks.
    code: bool,
    /// After the signs of a drawn tree, so that a name is relative to the line above.
    drawn: bool,
    /// After `](`.
    link: bool,
    last: u8,
}

impl Line {
    const fn pass(&mut self, byte: u8) {
        match byte {
            b'\n' => {
                self.code = false;
                self.drawn = false;
            }
            b'`' => self.code = !self.code,
            _ => {}
        }
        self.link = byte == b'(' && self.last == b']';
        self.last = byte;
    }

    fn token(&mut self, token: &str) {
        self.drawn |= token.contains(['│', '├', '└']);
        self.link = false;
        self.last = b'a';
    }
}

/// The paths in what stands between blanks: signs that are not ASCII part them, letters do not.
fn pieces<'a>(
    text: &'a str,
    bytes: Range<usize>,
    root: &str,
    line: &Line,
    take: &mut dyn FnMut(Named<'a>),
) {
    let Some(token) = text.get(bytes.clone()) else {
        return;
    };
    let mut from = 0;
    let parts = token.split(|c: char| !c.is_ascii() && !c.is_alphanumeric());
    for part in parts {
        // The parts are slices of the token.
        let start = part.as_ptr() as usize - token.as_ptr() as usize;
        from = from.max(start);
        if let Some(range) = path(part, root, line) {
            let at = bytes.start + start;
            let range = at + range.start..at + range.end;
            if let Some(path) = text.get(range.clone()) {
                take(Named { path, bytes: range });
            }
        }
    }
}

/// The bytes of a token that are a path.
fn path(token: &str, root: &str, line: &Line) -> Option<Range<usize>> {
    if token.len() > LONGEST || token.contains("://") || token.contains('\\') {
        return None;
    }
    let mut from = 0;
    let mut end = token.len();
    let rest = |from: usize, end: usize| token.get(from..end).unwrap_or_default();
    // Emphasis and angle brackets around it.
    if !rest(from, end).starts_with("**/") {
        from += end
            - from
            - rest(from, end)
                .trim_start_matches(['*', '<', ':', '#'])
                .len();
    }
    while let Some(cut) = rest(from, end).strip_suffix(['*', '>', '.', ':', '-', '+', '#', '~']) {
        // `src/*` is a glob, `**src**` is not.
        if rest(from, end).ends_with('*') && cut.trim_end_matches('*').ends_with('/') {
            break;
        }
        end = from + cut.len();
    }
    // A line, a place or a test in the file.
    if let Some(cut) = rest(from, end).find([':', '#']) {
        end = from + cut;
    }
    let below = |path: &str| path.starts_with('/') && !root.is_empty();
    let inside = rest(from, end);
    if below(inside)
        && inside
            .strip_prefix(root)
            .is_some_and(|rest| rest.starts_with('/'))
    {
        from += root.len() + 1;
    } else if inside.starts_with('/') && line.link {
        from += 1;
    } else if inside.starts_with(['/', '~', '$', '%', '-', '+']) {
        return None;
    }
    if let Some(path) = rest(from, end).strip_prefix('@') {
        // An import of another file; `@scope/package` and `@/alias` are not.
        if path.starts_with('/') || !has_ending(path) {
            return None;
        }
        from += 1;
    }
    while let Some(path) = rest(from, end)
        .strip_prefix("./")
        .or(rest(from, end).strip_prefix("../"))
    {
        from = end - path.len();
    }
    let mut folder = false;
    // A glob is about the folder that it begins with.
    if let Some(sign) = rest(from, end).find(['*', '{']) {
        let slash = rest(from, from + sign).rfind('/')?;
        end = from + slash;
        folder = true;
    }
    while rest(from, end).ends_with('/') {
        end -= 1;
        folder = true;
    }
    let path = rest(from, end);
    let placeholder = path.contains(['<', '>', '$', '%', '{', '}', '@']) && !path.contains("@2x");
    if path.is_empty() || placeholder || path.contains("..") || path.contains("//") {
        return None;
    }
    is_named(path, folder, line).then_some(from..end)
}

/// Whether a word is the name of a file or folder by its look.
fn is_named(path: &str, folder: bool, line: &Line) -> bool {
    let parts = path.split('/').count();
    if line.drawn && parts == 1 {
        return false;
    }
    folder || has_ending(path) || NAMES.contains(&path) || (parts > 1 && line.code)
}

/// Whether the last part of a path ends as names of files do, or begins with a dot.
fn has_ending(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    let word = (1..=12).contains(&ending.len())
        && ending
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        && ending.bytes().any(|b| b.is_ascii_alphabetic());
    word && (!stem.is_empty() || ending.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        paths(text, "/repo/tide", &mut |named| {
            assert_eq!(text.get(named.bytes.clone()), Some(named.path));
            all.push(named.path.to_owned());
        });
        all
    }

    #[test]
    fn paths_are_found_in_all_their_dress() {
        for (text, expected) in [
            ("see src/a.rs.", &["src/a.rs"][..]),
            (
                "`src/a.rs:12`, `./b.ts:3:4` and src/c.py#L10-L20",
                &["src/a.rs", "b.ts", "src/c.py"],
            ),
            (
                "[text](docs/x.md) [y](/docs/y.md#top)",
                &["docs/x.md", "docs/y.md"],
            ),
            ("**src/a.rs** and *b.md*", &["src/a.rs", "b.md"]),
            (
                "`src/mir/*`, src/**/*.rs, `src/{a,b}.rs`",
                &["src/mir", "src", "src"],
            ),
            ("/repo/tide/src/a.rs and /etc/passwd.txt", &["src/a.rs"]),
            ("in `src/pay/` or References/", &["src/pay", "References"]),
            ("“src/ä.rs”… – x.md→y.md", &["src/ä.rs", "x.md", "y.md"]),
            ("pytest tests/t.py::test_one", &["tests/t.py"]),
            ("@docs/rules.md ../up/z.md", &["docs/rules.md", "up/z.md"]),
            (
                ".env and .github/workflows/ci.yml",
                &[".env", ".github/workflows/ci.yml"],
            ),
            ("Makefile `src/core`", &["Makefile", "src/core"]),
            (
                "'src/a.rs', \"src/b.rs\" (src/c.rs)",
                &["src/a.rs", "src/b.rs", "src/c.rs"],
            ),
            ("error='diff in src/lexer.rs'", &["src/lexer.rs"]),
            (
                "`My Notes/on call.md` and `a.md b/c.md`",
                &[
                    "My Notes/on call.md",
                    "Notes/on",
                    "call.md",
                    "a.md",
                    "b/c.md",
                ],
            ),
        ] {
            assert_eq!(named(text), expected, "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_path_is_none() {
        for text in [
            "",
            "and/or either/or",
            "https://a.b/c/d.rs",
            "version 1.2.3 and 10.0",
            "src/<name>/x.rs",
            "$HOME/x.rs",
            "~/x.rs",
            "@scope/pkg",
            "@/alias/x.ts",
            "...",
            "// a comment",
            "a.. b",
            "C:\\x\\y.rs",
            "│   ├── settings.json",
            "http://x/y.md",
        ] {
            assert_eq!(named(text), Vec::<String>::new(), "{text}");
        }
    }
}
