//! The paths that a text names: in prose, code, links and as bare names of files.

use std::borrow::Cow;
use std::ops::Range;

use super::windows::windows;
use super::{braces, imports, links, literal, trees};

/// A path that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::lint) struct Named<'a> {
    /// The path without what is written around it: `./`, a line's number, the `/` at its end;
    /// with `/` where it is written with `\`.
    pub path: Cow<'a, str>,
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// From where it is written.
    pub how: How<'a>,
}

impl Named<'_> {
    /// Whether the path is meant below the root, without a look at the repository.
    pub fn is_local(&self) -> bool {
        matches!(self.how, How::Plain | How::Whole)
    }
}

/// From where a path is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lint) enum How<'a> {
    /// From the root, or from somewhere below it.
    Plain,
    /// From the root, so that the end of another path is not meant: somebody's
    /// `/home/ines/tide/src/a.rs`, where the root is called `tide`.
    Whole,
    /// From the root of a disk or from somebody's home, where a folder on the way may be the root.
    Abroad,
    /// As code names a file that it imports: without its ending, from anywhere.
    Import,
    /// From the root of this repository, `github.com/owner/name`, on the branch that is worked on.
    Link(&'a str),
    /// Among words and without an ending: a folder from the root, or two words with a sign between
    /// them.
    Bare,
}

/// What can stand in a path, and what is written around it and cut off afterwards.
pub(super) const fn is_part(byte: u8) -> bool {
    matches!(
        byte,
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9'
            | b'_' | b'.' | b'/' | b'@' | b'+' | b'~' | b'-' | b'#' | b'%' | b'$' | b':' | b'*'
            | b'{' | b'}' | b'<' | b'>' | b'\\' | 0x80..
    )
}

/// More bytes than a path has, or a group of them.
pub(super) const LONGEST: usize = 300;

/// Files without an ending that are known by their name.
const NAMES: &[&str] = &[
    "Makefile",
    "Dockerfile",
    "Justfile",
    "justfile",
    "Procfile",
    "Jenkinsfile",
    "Vagrantfile",
    "Gemfile",
    "Rakefile",
    "Brewfile",
    "Pipfile",
    "Podfile",
    "Fastfile",
    "Guardfile",
    "Capfile",
    "Caddyfile",
    "Earthfile",
    "Tiltfile",
    "Containerfile",
    "LICENSE",
    "CODEOWNERS",
];

/// Calls `take` with each path that a text names; `root` is what absolute paths begin with, and
/// `known` says which paths are there or were: what has signs in it that part words elsewhere is a
/// path only where it is one of them.
pub(in crate::lint) fn paths<'a>(
    text: &'a str,
    root: &str,
    known: &dyn Fn(&str) -> bool,
    take: &mut dyn FnMut(Named<'a>),
) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut line = Line::default();
    let mut leaves = trees::leaves(text).into_iter().peekable();
    while let Some(&byte) = bytes.get(at) {
        while leaves.next_if(|leaf| leaf.bytes.start < at).is_some() {}
        if let Some(leaf) = leaves.next_if(|leaf| leaf.bytes.start == at)
            && let Some(named) = leaf.path(root, known)
        {
            at = named.bytes.end;
            take(named);
            line.token("├");
            continue;
        }
        if !is_part(byte) {
            let opens = byte == b'`' && !line.code;
            if opens {
                with_blanks(text, at + 1, take);
            }
            line.pass(byte);
            at += 1;
            if opens && let Some(end) = literal::path(text, at, literal::In::Code, known, take) {
                line.token("");
                at = end;
            }
            continue;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let length = rest.iter().position(|byte| !is_part(*byte));
        let mut end = at + length.unwrap_or(rest.len());
        if literal::may_be(rest.get(..end - at).unwrap_or_default(), bytes.get(end)) {
            let place = literal::In::of(line.code, line.link);
            if let Some(end) = literal::path(text, at, place, known, take) {
                line.token("");
                at = end;
                continue;
            }
        }
        if let Some(group) = braces::end(text, at..end) {
            end = group;
            for path in braces::expanded(text.get(at..end).unwrap_or_default()) {
                if let Some((range, how)) = self::path(&path, root, &line)
                    && let Some(path) = path.get(range)
                {
                    take(Named {
                        path: path.to_owned().into(),
                        bytes: at..end,
                        how,
                    });
                }
            }
            line.token("{}");
            at = end;
            continue;
        }
        let has_sign = memchr::memchr2(b'/', b'.', rest.get(..end - at).unwrap_or_default());
        let windows = rest
            .get(..end - at)
            .is_some_and(|part| part.contains(&b'\\'));
        if has_sign.is_some()
            || windows
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
            path: path.into(),
            bytes: from..from + path.len(),
            how: How::Plain,
        });
    }
}

/// Where on its line the reading is.
#[derive(Default)]
pub(super) struct Line {
    /// Between two backticks.
    code: bool,
    /// After the signs of a drawn tree, so that a name is relative to the line above.
    drawn: bool,
    /// After `](`.
    link: bool,
    /// After a word of code that imports.
    import: Import,
    last: u8,
}

/// Where the reading is between a word of code that imports and what it imports.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Import {
    /// Elsewhere.
    #[default]
    No,
    /// Behind the word.
    Named,
    /// Behind the quotation mark after the word.
    Quoted,
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
        self.import = match (self.import, byte) {
            (Import::Named, b' ' | b'(') => Import::Named,
            (Import::Named, b'\'' | b'"') => Import::Quoted,
            _ => Import::No,
        };
        self.last = byte;
    }

    fn token(&mut self, token: &str) {
        self.drawn |= token.contains(['│', '├', '└']);
        self.link = false;
        self.import = imports::word(token);
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
    let behind = text.get(bytes.end..).unwrap_or_default();
    let known = imports::path(token, behind, line.import);
    if let Some((range, path, how)) = known.or_else(|| links::path(token)) {
        take(Named {
            path,
            bytes: bytes.start + range.start..bytes.start + range.end,
            how,
        });
        return;
    }
    let mut from = 0;
    let parts = token.split(|c: char| !c.is_ascii() && !c.is_alphanumeric());
    for part in parts {
        // The parts are slices of the token.
        let start = part.as_ptr() as usize - token.as_ptr() as usize;
        from = from.max(start);
        let at = bytes.start + start;
        let shifted = |range: Range<usize>| at + range.start..at + range.end;
        if part.contains('\\') {
            if let Some((range, path, how)) = windows(part, root, line) {
                take(Named {
                    path: path.into(),
                    bytes: shifted(range),
                    how,
                });
            }
        } else if let Some((range, how)) = path(part, root, line) {
            let range = shifted(range);
            if let Some(path) = text.get(range.clone()) {
                take(Named {
                    path: path.into(),
                    bytes: range,
                    how,
                });
            }
        }
    }
}

/// The last part of a path.
pub(super) fn last(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Where what follows the root begins in an absolute path of another place: behind the name of the
/// root's folder.
fn elsewhere(path: &str, root: &str) -> Option<usize> {
    let name = last(root);
    let own = format!("/{name}/");
    let at = path.rfind(&own).filter(|_| !name.is_empty())?;
    Some(at + own.len())
}

/// Folders at the root of a disk below which people have their projects.
const HOMES: &[&str] = &[
    "/home/",
    "/Users/",
    "/mnt/",
    "/workspace/",
    "/workspaces/",
    "/root/",
    "~/",
];

/// The bytes of a token that are a path, and from where it is written.
fn path<'a>(token: &str, root: &str, line: &Line) -> Option<(Range<usize>, How<'a>)> {
    let local = token.find("file:///");
    let mut from = local.map_or(0, |at| at + "file://".len());
    if token.len() > LONGEST || token.get(from..)?.contains("://") {
        return None;
    }
    let mut how = How::Plain;
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
    // `C:/work/tide/src/a.ts`, in a link behind another sign.
    let drive = |path: &str| {
        path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && path.get(1..3) == Some(":/")
    };
    let disk = drive(rest(from, end)) || (local.is_some() && drive(rest(from + 1, end)));
    if disk {
        from += rest(from, end).find(':').unwrap_or_default() + 1;
    }
    // A line, a place or a test in the file.
    if let Some(cut) = rest(from, end).find([':', '#']) {
        let tag = rest(from + cut + 1, end);
        end = from + cut;
        // `acme/api:1.2` is an image: what has no ending has no more than lines.
        let lines = tag
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b':' | b'-' | b'L'));
        if !lines && rest(end, token.len()).starts_with(':') && !has_ending(rest(from, end)) {
            return None;
        }
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
    } else if inside.starts_with(['/', '~'])
        && let Some(at) = elsewhere(inside, root)
    {
        from += at;
        how = How::Whole;
    } else if disk || HOMES.iter().any(|home| inside.starts_with(home)) {
        from += if inside.starts_with('~') { 2 } else { 1 };
        how = How::Abroad;
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
    Some((from..end, written(how, (path, folder), line)?))
}

/// From where a path is written, by its look too; nothing where it is a word.
pub(super) fn written<'a>(
    how: How<'a>,
    (path, folder): (&str, bool),
    line: &Line,
) -> Option<How<'a>> {
    let parts = path.split('/').count();
    if line.drawn && parts == 1 {
        return None;
    }
    let named = folder || has_ending(path) || NAMES.contains(&path);
    if named || (parts > 1 && (line.code || line.link)) {
        return Some(how);
    }
    let among_words = parts > 1 && !line.drawn && line.import == Import::No;
    (among_words && how == How::Plain).then_some(How::Bare)
}

/// Whether the last part of a path ends as names of files do, or begins with a dot.
pub(super) fn has_ending(path: &str) -> bool {
    let Some((stem, ending)) = last(path).rsplit_once('.') else {
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
        paths(text, "/repo/tide", &|_| false, &mut |named| {
            if named.how == How::Bare {
                return;
            }
            let written = text.get(named.bytes.clone()).unwrap();
            let plain = written.replace("\\\\", "\\").replace('\\', "/");
            let dotted = named.how == How::Import && !plain.contains('/');
            if !plain.contains('{') && !dotted {
                assert_eq!(plain, named.path);
            }
            if named.how != How::Abroad {
                all.push(named.path.into_owned());
            }
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
                "`src/mir/*`, src/**/*.rs, `src/{name}.rs`",
                &["src/mir", "src", "src"],
            ),
            (
                "`src/{a,b}.rs`, src/{x, y/z}/{m,n}.ts and a{,.test}.ts",
                &[
                    "src/a.rs",
                    "src/b.rs",
                    "src/x/m.ts",
                    "src/x/n.ts",
                    "src/y/z/m.ts",
                    "src/y/z/n.ts",
                    "a.ts",
                    "a.test.ts",
                ],
            ),
            (
                "C:/work/tide/src/a.rs:12 and file:///C:/work/tide/src/b.rs",
                &["src/a.rs", "src/b.rs"],
            ),
            (
                "[x](https://github.com/acme/tide/blob/main/src/a.rs#L3-L9), \
                 https://gitlab.com/acme/sub/tide/-/tree/master/docs/x",
                &["src/a.rs", "docs/x"],
            ),
            (
                "import { a } from './x'; import b from \"../y/z\"; require('@/lib/q.js')",
                &["x", "y/z", "lib/q"],
            ),
            (
                "from app.legacy.router import x\nimport com.acme.Foo;\nimport a.b as c",
                &["app/legacy/router", "com/acme/Foo", "a/b"],
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
                "`src\\a.rs:12` and .\\src\\b.rs, **src\\c.rs**.",
                &["src/a.rs", "src/b.rs", "src/c.rs"],
            ),
            (
                "`src\\pay\\` `src\\core` {\"x\":\"src\\\\d.rs\"} ..\\up\\z.md",
                &["src/pay", "src/core", "src/d.rs", "up/z.md"],
            ),
            (
                "C:\\work\\tide\\src\\a.rs and C:\\\\work\\\\tide\\\\src\\\\b.rs",
                &["src/a.rs", "src/b.rs"],
            ),
            (
                "/home/ines/tide/src/a.rs ~/tide/src/b.rs file:///repo/tide/src/c.rs",
                &["src/a.rs", "src/b.rs", "src/c.rs"],
            ),
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
            "\\\\server\\share\\y.rs",
            "a\\b",
            "src\\<name>\\x.rs",
            "https://tide.shop/tide/src/a.rs",
            "│   ├── settings.json",
            "http://x/y.md",
            "https://github.com/acme/tide/blob/v1.2.0/src/a.rs",
            "https://github.com/acme/tide/blob/1a2b3c4d5e6f/src/a.rs",
            "https://github.com/acme/tide/issues/12",
            "import React from 'react' and import x from '@scope/pkg'",
            "use a::{b, c}; const {d, e} = f; {\"a\": 1, \"b\": 2}",
            "from the start we import many things",
        ] {
            assert_eq!(named(text), Vec::<String>::new(), "{text}");
        }
    }
}
