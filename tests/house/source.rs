//! The source as these tests read it: code without remarks and texts, and the paths in it.

use std::fs;
use std::path::{Path, PathBuf};

pub struct Source {
    /// Its path below the package.
    pub name: String,
    /// The first part of its path below `src`.
    pub module: String,
    /// Its text, remarks and the content of texts blanked out, line by line.
    code: Vec<String>,
    /// The line its tests begin on.
    tests: usize,
}

/// Every file of the program.
pub fn all() -> Vec<Source> {
    below(&["src"])
}

/// Every file below these folders.
pub fn below(folders: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in folders {
        collect(&root.join(folder), &mut paths);
    }
    paths.sort();
    assert!(paths.len() > 50, "the source is where it is looked for");
    paths.iter().map(|path| read(root, path)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|end| end == "rs") {
            paths.push(path);
        }
    }
}

fn read(root: &Path, path: &Path) -> Source {
    let below = path.strip_prefix(root).unwrap();
    let name = below.display().to_string().replace('\\', "/");
    Source::of(name, &fs::read_to_string(path).unwrap())
}

impl Source {
    /// A file with this text.
    pub fn of(name: String, text: &str) -> Self {
        let module = name
            .split('/')
            .nth(1)
            .unwrap()
            .trim_end_matches(".rs")
            .to_owned();
        let code: Vec<String> = blanked(text).lines().map(str::to_owned).collect();
        let is_tests = |line: &String| line.trim() == "#[cfg(test)]";
        // Of a test module that is a file of its own only the declaration stands here.
        let declared = |n: usize| {
            code.get(n + 1)
                .is_some_and(|line| line.trim().ends_with(';'))
        };
        let tests = (0..code.len())
            .find(|n| is_tests(&code[*n]) && !declared(*n))
            .unwrap_or(code.len());
        Self {
            name,
            module,
            code,
            tests,
        }
    }

    /// Whether the whole file is a test.
    pub fn is_test(&self) -> bool {
        self.name
            .split('/')
            .any(|part| part == "tests.rs" || part == "tests")
    }

    pub fn lines_without_tests(&self) -> usize {
        self.tests
    }

    /// The code without its tests, with line numbers from 1.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let end = if self.is_test() { 0 } else { self.tests };
        self.whole().take(end)
    }

    /// The code with its tests, with line numbers from 1.
    pub fn whole(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.code.iter().map(String::as_str);
        (1..).zip(lines)
    }

    /// Every path in the code, those of a `use` tree written out.
    pub fn paths(&self) -> Vec<(usize, String)> {
        let mut paths = Vec::new();
        let mut tree: Option<(usize, String)> = None;
        for (line, code) in self.code() {
            let text = code.trim();
            let starts = ["use ", "pub use ", "pub(crate) use ", "pub(super) use "]
                .iter()
                .find_map(|word| text.strip_prefix(word));
            if let Some((_, tree)) = &mut tree {
                tree.push_str(text);
            } else if let Some(rest) = starts {
                tree = Some((line, rest.to_owned()));
            } else {
                paths.extend(words(text).into_iter().map(|path| (line, path)));
            }
            if let Some((line, text)) = tree.take_if(|(_, text)| text.contains(';')) {
                let text = text.split(';').next().unwrap_or_default().to_owned();
                expand("", &text, &mut |path| paths.push((line, path)));
            }
        }
        paths
    }
}

/// Paths inside a line: words joined by `::`.
fn words(text: &str) -> Vec<String> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let all = text.split(|c| !part(c)).map(|word| word.trim_matches(':'));
    all.filter(|word| word.contains("::"))
        .map(str::to_owned)
        .collect()
}

/// `a::{b, c::{d, e}}` as `a::b`, `a::c::d`, `a::c::e`.
fn expand(prefix: &str, tree: &str, found: &mut dyn FnMut(String)) {
    let mut depth = 0;
    let mut part = String::new();
    for c in tree.chars().chain([',']) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                one(prefix, part.trim(), found);
                part.clear();
                continue;
            }
            _ => {}
        }
        part.push(c);
    }
}

fn one(prefix: &str, tree: &str, found: &mut dyn FnMut(String)) {
    if tree.is_empty() {
        return;
    }
    match tree.split_once('{') {
        Some((head, rest)) => {
            let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
            expand(&format!("{prefix}{head}"), inner, found);
        }
        None => {
            let path = tree.split(" as ").next().unwrap_or(tree).trim();
            let path = format!("{prefix}{path}");
            found(path.strip_suffix("::self").unwrap_or(&path).to_owned());
        }
    }
}

/// The text with the content of remarks, texts and characters replaced by blanks; line ends
/// stay.
fn blanked(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => find(bytes, at, b"\n"),
            b'/' if bytes[at..].starts_with(b"/*") => find(bytes, at + 2, b"*/") + 2,
            b'r' if raw(bytes, at).is_some() => raw(bytes, at).unwrap(),
            b'"' => quoted(bytes, at),
            b'\'' => character(bytes, at),
            _ => {
                out.push(bytes[at]);
                at += 1;
                continue;
            }
        };
        let end = end.min(bytes.len()).max(at + 1);
        out.extend(
            bytes[at..end]
                .iter()
                .map(|byte| if *byte == b'\n' { b'\n' } else { b' ' }),
        );
        at = end;
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.windows(what.len())
        .position(|window| window == what)
        .map_or(bytes.len(), |at| from + at)
}

/// The end of a text in quotes.
fn quoted(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// The end of a raw text, where one begins here.
fn raw(bytes: &[u8], from: usize) -> Option<usize> {
    let before = from.checked_sub(1).map(|at| bytes[at]);
    if before.is_some_and(|byte| byte.is_ascii_alphanumeric() && byte != b'b' || byte == b'_') {
        return None;
    }
    let hashes = bytes[from + 1..]
        .iter()
        .take_while(|byte| **byte == b'#')
        .count();
    if bytes.get(from + 1 + hashes) != Some(&b'"') {
        return None;
    }
    let end = [&b"\""[..], &b"#".repeat(hashes)].concat();
    Some(find(bytes, from + hashes + 2, &end) + end.len())
}

/// The end of a character; a lifetime ends where it begins.
fn character(bytes: &[u8], from: usize) -> usize {
    match bytes.get(from + 1) {
        Some(b'\\') => find(bytes, from + 3, b"'") + 1,
        _ => {
            let text =
                String::from_utf8_lossy(&bytes[from + 1..bytes.len().min(from + 6)]).into_owned();
            let Some(c) = text.chars().next() else {
                return from + 1;
            };
            let end = from + 1 + c.len_utf8();
            if bytes.get(end) == Some(&b'\'') {
                end + 1
            } else {
                from + 1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_remarks_are_no_code() {
        let text = "let a = \"std::fs\"; // std::env\nlet b = r#\"std::\"net\"#; let c = '\"'; let d: &'a str = std::x;\n/* std::thread */ e()";
        let code = blanked(text);
        assert!(
            !code.contains("std::fs")
                && !code.contains("env")
                && !code.contains("net")
                && !code.contains("thread")
        );
        assert!(code.contains("std::x") && code.contains("e()"));
        assert_eq!(code.lines().count(), 3);
    }

    #[test]
    fn trees_are_written_out() {
        let mut found = Vec::new();
        expand(
            "",
            "std::{fs, time::{Duration, Instant as I}, io::{self, Read}}",
            &mut |path| found.push(path),
        );
        assert_eq!(
            found,
            [
                "std::fs",
                "std::time::Duration",
                "std::time::Instant",
                "std::io",
                "std::io::Read"
            ]
        );
    }
}
