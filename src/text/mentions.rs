//! Finds the mentions in a text: paths and names of code, each with its bytes.
//!
//! A mention need not stand for anything: `and/or` is a path as far as a text can tell, and the reader
//! of these mentions looks it up.

mod outline;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

pub use self::outline::{Block, Outline};
use crate::memory::steps::step;
use crate::text::cut;

/// Maximum length of a path in bytes.
const LONGEST: usize = 300;

/// How a path is written in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Among words, or in a block of code.
    Prose,
    /// A code span, or a word of one.
    Code,
    /// The target of a link.
    Link,
}

/// A path that a text mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathMention<'t> {
    /// The path, without `./` and a last `/`; absolute with `/` or `~` first, or with a scheme.
    pub path: Cow<'t, str>,
    /// Its bytes in the text, which end where the path does.
    pub bytes: Range<usize>,
    /// The construct in which it is written.
    pub form: Form,
    /// True if it ends in `/`.
    pub is_folder: bool,
    /// True if it has a glob sign; `path` is then the folder before the sign.
    pub is_glob: bool,
}

impl PathMention<'_> {
    /// True if it begins at the root of a disk or in a home, or is an address.
    pub fn is_absolute(&self) -> bool {
        self.path.starts_with(['/', '~']) || self.path.contains("://")
    }

    /// True if its last part has a file extension or begins with a dot.
    pub fn has_ending(&self) -> bool {
        has_ending(&self.path)
    }

    /// True if it is certainly a path below the root.
    pub fn is_local_path(&self) -> bool {
        let is_local = !self.is_absolute() && !self.is_bare() && !self.is_glob;
        is_local && (self.has_ending() || self.is_folder)
    }

    /// True if its folders stand in other lines: those above it in the drawing of a tree.
    pub fn is_drawn(&self) -> bool {
        self.path.len() > self.bytes.len() + 1
    }

    /// True if it is one name without a folder.
    pub fn is_bare(&self) -> bool {
        !self.path.contains('/')
    }
}

/// The last part of a path.
pub fn last(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn has_ending(path: &str) -> bool {
    let Some((_, ending)) = last(path).rsplit_once('.') else {
        return false;
    };
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (1..=15).contains(&ending.len())
        && ending.starts_with(|c: char| c.is_ascii_alphanumeric())
        && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
        && ending.bytes().all(is_part)
}

/// Calls `take` with each path that a text mentions, in order.
pub fn paths<'t>(text: &'t str, take: &mut dyn FnMut(PathMention<'t>)) {
    let (mut at, mut drawing) = (0, Drawing::default());
    for line in text.split_inclusive('\n') {
        let drawn = drawing.path(line, has_ending);
        let mut rest = line;
        if let Some((path, name)) = drawn {
            let behind = line.get(name.end..).unwrap_or_default();
            take(PathMention {
                path: path.into(),
                bytes: at + name.start..at + name.end,
                form: Form::Prose,
                is_folder: behind.starts_with('/'),
                is_glob: false,
            });
            rest = behind.trim_start_matches(['/', '`']);
        }
        at += line.len();
        let from = at - rest.len();
        parts(rest, &mut |part, start, form| {
            pieces(part, from + start, form, take)
        });
    }
}

/// Calls `take` with each part of a line: code spans, the targets of links, and the prose between.
fn parts<'t>(line: &'t str, take: &mut dyn FnMut(&'t str, usize, Form)) {
    let mut from = 0;
    let mut rest = 0;
    // A run of backticks that is not closed leaves all longer ones open too.
    let mut unclosed = usize::MAX;
    while let Some(found) = line.get(from..).and_then(|rest| rest.find(['`', '('])) {
        let open = from + found;
        let (start, close, form) = if line.as_bytes().get(open) == Some(&b'`') {
            let behind = line.get(open..).unwrap_or_default();
            let ticks = behind.len() - behind.trim_start_matches('`').len();
            let mark = behind.get(..ticks).unwrap_or_default();
            (open + ticks, mark, Form::Code)
        } else {
            let is_link = line.get(..open).is_some_and(|before| before.ends_with(']'));
            (open + 1, if is_link { ")" } else { "" }, Form::Link)
        };
        let inside = line.get(start..).unwrap_or_default();
        let length = match form {
            Form::Link => link_end(cut(inside, 4 * LONGEST)),
            _ if close.len() >= unclosed => None,
            _ => inside.find(close),
        };
        if form == Form::Code && length.is_none() {
            unclosed = unclosed.min(close.len());
        }
        let Some(length) = length.filter(|_| !close.is_empty()) else {
            from = start;
            continue;
        };
        let part = |from, to| line.get(from..to).unwrap_or_default();
        take(part(rest, open), rest, Form::Prose);
        take(part(start, start + length), start, form);
        from = start + length + close.len();
        rest = from;
    }
    take(line.get(rest..).unwrap_or_default(), rest, Form::Prose);
}

/// Length of the target of a link, which may have pairs of brackets in it.
fn link_end(inside: &str) -> Option<usize> {
    step(inside.len());
    let mut depth = 0_usize;
    for (at, c) in inside.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The paths of a part of a line: its words. Code without blanks, or with an ending, is one first.
fn pieces<'t>(part: &'t str, start: usize, form: Form, take: &mut dyn FnMut(PathMention<'t>)) {
    let one = form != Form::Prose && !part.contains(char::is_whitespace);
    if one || form == Form::Code && may_have_blanks(part) {
        if let Some(found) = mention(part, start, form) {
            take(found);
        }
        if one {
            return;
        }
    }
    let mut braces = 0_usize;
    let mut from = 0;
    let mut word = |bytes: Range<usize>| {
        let token = part.get(bytes.clone()).unwrap_or_default();
        if let Some(found) = mention(token, start + bytes.start, form) {
            take(found);
        }
    };
    for (at, c) in part.char_indices() {
        match c {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        let ends = match c {
            ',' | ';' => braces == 0,
            '"' | '\'' | '`' | '|' | '=' | '(' | ')' | '[' | ']' | '<' | '>' => true,
            c if c.is_ascii() => c.is_ascii_whitespace(),
            c => !c.is_alphanumeric(),
        };
        if ends {
            if from < at {
                word(from..at);
            }
            from = at + c.len_utf8();
        }
    }
    word(from..part.len());
}

/// True if code with blanks may be one path: `docs/my notes/a b.md`.
fn may_have_blanks(code: &str) -> bool {
    let (head, tail) = code.split_once(' ').unwrap_or_default();
    let mut words = tail.split(' ');
    head.contains('/')
        && !has_ending(head)
        && has_ending(code)
        && !words.any(|word| word.starts_with('-') || word.is_empty())
}

/// Reads a word as a path; none if it does not look like one.
fn mention(token: &str, start: usize, form: Form) -> Option<PathMention<'_>> {
    // Most words are none: a path has a sign in it or begins with a capital.
    let may_be = |byte: u8| matches!(byte, b'/' | b'.' | b'\\' | b'A'..=b'Z');
    if token.len() > LONGEST || !token.bytes().any(may_be) {
        return None;
    }
    let found = |path, word: &str, is_folder, is_glob| {
        let from = start + word.as_ptr().addr() - token.as_ptr().addr();
        PathMention {
            path,
            bytes: from..from + word.len(),
            form,
            is_folder,
            is_glob,
        }
    };
    let mut word = bare(token);
    if word.contains("://") {
        let Some(local) = word.strip_prefix("file://") else {
            let address = word.split(['#', '?']).next()?;
            return Some(found(address.into(), address, false, false));
        };
        word = local;
    }
    // A disk of Windows, also behind the `/` of an address: `C:\work\a.ts`, `/C:/work/a.ts`.
    let inside = word.trim_start_matches('/');
    if let [disk, b':', b'/' | b'\\', ..] = inside.as_bytes()
        && disk.is_ascii_alphabetic()
    {
        word = inside.get(2..)?;
    }
    // The tag behind a path: a line, a heading, a test or a name in the file.
    if let Some(end) = word.find([':', '#']) {
        let (path, tag) = word.split_at(end);
        let is_line = |byte: u8| byte.is_ascii_digit() || b":#-L".contains(&byte);
        // A word with a tag and without an extension is an image or a pair of words.
        if tag.starts_with(':') && !tag.bytes().all(is_line) && !has_ending(path) {
            return None;
        }
        word = path;
    }
    if form != Form::Link {
        // `@/a.ts` is below the root: `@` is an alias.
        let below = word.strip_prefix("@/").unwrap_or(word);
        word = below.trim_start_matches('@');
    }
    let up = ["./", "../", ".\\", "..\\"];
    while let Some(below) = up.iter().find_map(|up| word.strip_prefix(up)) {
        word = below;
    }
    let sign = word.find(['*', '{', '}']);
    if let Some(sign) = sign {
        word = word.get(..=word.get(..sign)?.rfind(['/', '\\'])?)?;
    }
    let trimmed = word.trim_end_matches(['/', '\\']);
    let is_folder = trimmed.len() < word.len();
    let windows = trimmed.contains('\\');
    if windows && trimmed.contains('/') {
        return None;
    }
    let path = match windows {
        true => Cow::from(trimmed.replace("\\\\", "\\").replace('\\', "/")),
        false => Cow::from(trimmed),
    };
    let is_name = path.contains('/') || has_ending(&path) || is_folder || is_capital(&path);
    let sound = !path.is_empty() && is_name && !path.contains("//") && !path.contains("..");
    let sound = sound && path.contains(char::is_alphanumeric);
    sound.then(|| found(path, trimmed, is_folder, sign.is_some()))
}

/// A word without emphasis and the punctuation of a sentence.
fn bare(token: &str) -> &str {
    let open = token.trim_start_matches(['*', ':', '#', '!', '~', '_', '+']);
    // `~/x` and `__init__.py` begin with such signs.
    let signs = token.get(..token.len() - open.len()).unwrap_or_default();
    let is_home = open.starts_with('/') && signs.ends_with('~');
    let underscores = signs.len() - signs.trim_end_matches('_').len();
    let from = signs.len() - underscores.max(usize::from(is_home));
    let mut word = token.get(from..).unwrap_or_default();
    while let Some(cut) = word.strip_suffix(['.', ':', '!', '?', '*', '~', '+', ',', ';', '-']) {
        // `src/*` is a glob, and `**src/**` is emphasis.
        let is_glob = word.ends_with('*') && !token.starts_with('*');
        if is_glob && cut.trim_end_matches('*').ends_with('/') {
            break;
        }
        word = cut;
    }
    word
}

/// True if a word may be the name of a file without an extension: `Makefile`, `LICENSE`.
fn is_capital(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.len() > 3
        && (word.ends_with("file") || word.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// Signs in front of a name.
const SIGNS: &[char] = &[
    '│', '├', '└', '─', '|', '+', '-', '*', '`', '>', ' ', '\t', '\u{a0}',
];
/// Signs behind a name.
const ENDS: &[char] = &[
    '`', ',', ':', '*', '(', ')', '|', '→', '←', '#', '"', '<', '{', '=',
];

/// Maximum number of folders that are followed.
const DEEPEST: usize = 20;

/// The folders that are open at a line of a drawing of a file tree, each with its column: below
/// `app/` and `├── src/` the line `│   └── main.rs` is `app/src/main.rs`.
#[derive(Default)]
struct Drawing(Vec<(usize, String)>);

impl Drawing {
    /// The path that a line draws below a folder, and the bytes of its name. `is_file` tells names of
    /// files from words, which may stand in a line that is only indented.
    fn path(&mut self, line: &str, is_file: fn(&str) -> bool) -> Option<(String, Range<usize>)> {
        // Most lines draw nothing.
        let may_draw = line.contains('/') || line.contains('─') || line.contains("--");
        if self.0.is_empty() && !may_draw {
            return None;
        }
        let rest = line.trim_start_matches(SIGNS);
        let signs = line.get(..line.len() - rest.len())?;
        let end = rest.find(|c: char| c.is_whitespace() || ENDS.contains(&c));
        let word = rest.get(..end.unwrap_or(rest.len()))?;
        let name = word.trim_end_matches('/');
        let column = signs.chars().count();
        self.0.retain(|(open, _)| *open < column);
        let is_drawn = signs.contains(['├', '└']) || signs.contains("--");
        let is_folder = name.len() < word.len();
        if name.is_empty() || !is_drawn && !is_folder && !is_file(name) {
            return None;
        }
        let folder = self.0.last().map(|(_, folder)| format!("{folder}/{name}"));
        if (is_drawn || is_folder) && self.0.len() < DEEPEST {
            self.0
                .push((column, folder.clone().unwrap_or_else(|| name.to_owned())));
        }
        Some((folder?, signs.len()..signs.len() + name.len()))
    }
}

/// Minimum length of a name.
const SHORTEST_NAME: usize = 4;
/// Maximum length of a code span in bytes.
const LONGEST_SPAN: usize = 120;

/// A code span that is one name: `sweep_holds()`, `Money::of_cents`, `class HoldRow(Base)`.
static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let head = "(?:pub|pub\\(crate\\)|public|private|static|async|await|fn|def|class|struct|enum|\
                trait|interface|impl|func|function|fun|type|const|new|mut) ";
    let name = r"[A-Za-z_][A-Za-z0-9_]*";
    let any = r"[^`\n]*";
    let tail = format!(r"(?<call>!?\({any}|!)|<{any}>(?:\({any}\))?| ?\{{{any}|(?: {any})?/?>");
    Regex::new(&format!(
        "`(?:{head})*[@&*#<]?(?:mut )?(?<path>{name}(?:(?:::|\\.|->|#){name})*)(?:{tail})?;?`"
    ))
    .ok()
});

/// A name of code in a code span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolMention<'t> {
    /// The bytes of the span in the text.
    pub bytes: Range<usize>,
    /// The name, with the type that it belongs to in front, if that is written.
    pub names: Vec<&'t str>,
}

/// Calls `take` with each code span that is a name of code; blocks of code are examples.
pub fn symbols<'t>(text: &'t str, outline: &Outline<'_>, take: &mut dyn FnMut(SymbolMention<'t>)) {
    for found in NAME.iter().flat_map(|name| name.captures_iter(text)) {
        let (Some(span), Some(path)) = (found.get(0), found.name("path")) else {
            continue;
        };
        let (bytes, path) = (span.start() + 1..span.end() - 1, path.as_str());
        let names = names(path, found.name("call").is_some() || path.contains("::"));
        let is_read = (SHORTEST_NAME..=LONGEST_SPAN).contains(&bytes.len())
            && !outline.is_fenced(bytes.start);
        if is_read && !names.is_empty() {
            take(SymbolMention { bytes, names });
        }
    }
}

/// The names of a path of names that are worth looking up.
fn names(path: &str, is_called: bool) -> Vec<&str> {
    let is_sign = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let mut parts = path.rsplit(is_sign).filter(|part| !part.is_empty());
    let is_type = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
    let wanted = |name: &&str| name.len() >= SHORTEST_NAME;
    let own = parts.next().filter(wanted);
    let own = own.filter(|own| is_called || is_type(own) || is_distinct(own));
    let owner = parts.next().filter(wanted);
    let owner = owner.filter(|owner| own.is_some() && is_type(owner));
    owner.into_iter().chain(own).collect()
}

/// True if a word can only be a name of code: it has an inner `_`, or a capital after a small letter.
fn is_distinct(name: &str) -> bool {
    let mut pairs = name.as_bytes().windows(2);
    let hump =
        |pair: &[u8]| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase());
    name.trim_matches('_').contains('_') || pairs.any(hump)
}
