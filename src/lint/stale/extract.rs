//! The paths that a text names: in prose, code, links and as bare names of files.

use std::borrow::Cow;
use std::ops::Range;

/// A path that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::lint) struct Named<'a> {
    /// The path without what is written around it: `./`, a line's number, the `/` at its end;
    /// with `/` where it is written with `\`.
    pub path: Cow<'a, str>,
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// Whether it is written from the root, so that the end of another path is not meant:
    /// somebody's `/home/ines/tide/src/a.rs`, where the root is called `tide`.
    pub whole: bool,
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
            whole: false,
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
        let at = bytes.start + start;
        let shifted = |range: Range<usize>| at + range.start..at + range.end;
        if part.contains('\\') {
            if let Some((range, path, whole)) = windows(part, root, line) {
                take(Named {
                    path: path.into(),
                    bytes: shifted(range),
                    whole,
                });
            }
        } else if let Some((range, whole)) = path(part, root, line) {
            let range = shifted(range);
            if let Some(path) = text.get(range.clone()) {
                take(Named {
                    path: path.into(),
                    bytes: range,
                    whole,
                });
            }
        }
    }
}

/// A path as Windows writes it: `src\a.ts`, `.\src\`, `C:\work\tide\src\a.ts`, in JSON with
/// two signs for one. Its bytes, the path with `/`, and whether it is written from the root.
/// Escapes and patterns look alike and were never files.
fn windows(token: &str, root: &str, line: &Line) -> Option<(Range<usize>, String, bool)> {
    if token.len() > LONGEST || token.contains('/') || token.starts_with("\\\\") {
        return None;
    }
    let open = token.len() - token.trim_start_matches(['*', '<', ':', '#']).len();
    let rest = token.get(open..)?;
    let drive = rest.get(1..3) == Some(":\\") && rest.as_bytes().first()?.is_ascii_alphabetic();
    let start = open + if drive { 2 } else { 0 };
    // A line, a place or a test in the file.
    let rest = token.get(start..)?;
    let rest = rest.get(..rest.find([':', '#']).unwrap_or(rest.len()))?;
    let rest = rest.trim_end_matches(['*', '>', '.', '-', '+', '~']);
    let mut from = 0;
    if drive {
        let name = last(root);
        let own = format!("\\{name}\\");
        let twice = format!("\\{name}\\\\");
        let at = [&own, &twice]
            .into_iter()
            .find_map(|own| Some(rest.find(own.as_str())? + own.len()));
        from = at.filter(|_| !name.is_empty())?;
    }
    while let Some(after) = ["\\", ".\\", "..\\"]
        .iter()
        .find_map(|up| rest.get(from..)?.strip_prefix(up))
    {
        from = rest.len() - after.len();
    }
    let inside = rest.get(from..)?;
    let folder = inside.ends_with('\\');
    let inside = inside.trim_end_matches('\\');
    let path = inside.replace("\\\\", "\\").replace('\\', "/");
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@' | '+' | '~');
    let sound = path.chars().all(plain) && !path.contains("//") && !path.contains("..");
    if path.is_empty() || !sound || !is_named(&path, folder, line) {
        return None;
    }
    let from = start + from;
    Some((from..from + inside.len(), path, drive))
}

/// The last part of a path.
fn last(path: &str) -> &str {
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

/// The bytes of a token that are a path, and whether it is written from the root.
fn path(token: &str, root: &str, line: &Line) -> Option<(Range<usize>, bool)> {
    let local = token.find("file:///");
    let mut from = local.map_or(0, |at| at + "file://".len());
    if token.len() > LONGEST || token.get(from..)?.contains("://") {
        return None;
    }
    let mut whole = false;
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
    } else if inside.starts_with(['/', '~'])
        && let Some(at) = elsewhere(inside, root)
    {
        from += at;
        whole = true;
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
    is_named(path, folder, line).then_some((from..end, whole))
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
        paths(text, "/repo/tide", &mut |named| {
            let written = text.get(named.bytes.clone()).unwrap();
            let plain = written.replace("\\\\", "\\").replace('\\', "/");
            assert_eq!(plain, named.path);
            all.push(named.path.into_owned());
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
        ] {
            assert_eq!(named(text), Vec::<String>::new(), "{text}");
        }
    }
}
