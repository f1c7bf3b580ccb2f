//! Names of other memories in a text.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use super::format::LinkForm;
use super::{Memory, Role, Schema, Value};

/// A name of another memory in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLink {
    /// How it is written.
    pub form: LinkForm,
    /// Bytes of all of it.
    pub whole: Range<usize>,
    /// Bytes of the name, without brackets, prefix, anchor and alias.
    pub name: Range<usize>,
    /// Bytes of the words that stay where it is no link any more.
    pub label: Range<usize>,
    /// True if it stands in code.
    pub is_code: bool,
}

impl TextLink {
    /// The name as the system reads it: in paths `%20` is a space.
    pub fn target<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let name = text.get(self.name.clone()).unwrap_or_default();
        match self.form {
            LinkForm::Path => unescaped(name),
            _ => Cow::Borrowed(name),
        }
    }

    /// Another name, written as this one is.
    pub fn renamed(&self, text: &str, to: &str) -> String {
        let before = text.get(..self.name.start);
        let is_in_brackets = before.is_some_and(|before| before.ends_with('<'));
        match self.form {
            LinkForm::Path if !is_in_brackets => to.replace('%', "%25").replace(' ', "%20"),
            _ => to.to_owned(),
        }
    }
}

/// A path of a link without its `%` escapes.
fn unescaped(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        let code = after.split_at_checked(2);
        let code = code.and_then(|(two, rest)| Some((u8::from_str_radix(two, 16).ok()?, rest)));
        let (byte, behind) = code.unwrap_or((b'%', after));
        bytes.push(byte);
        rest = behind;
    }
    bytes.extend(rest.bytes());
    String::from_utf8(bytes).map_or(Cow::Borrowed(path), Cow::Owned)
}

/// The names by which a link finds a memory, folded: its title, and where its system gives it a
/// lasting id, that and the name of its file.
pub fn names(memory: &Memory) -> Vec<String> {
    let text = |role| memory.role(role).and_then(Value::as_str);
    let mut names: Vec<&str> = text(Role::Title).into_iter().collect();
    if memory.schema.role(Role::Id).is_some() {
        names.extend(text(Role::Id));
        names.push(&memory.id.local);
    }
    let names = names.into_iter();
    let mut names: Vec<String> = names.map(|name| fold(memory.schema, name)).collect();
    names.dedup();
    names
}

/// A text without differences of case and white space.
pub fn folded(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

/// A name as links are compared: without differences of case and white space. In systems with
/// lasting ids, `-`, `_` and blanks are equal, and folders, a project and `.md` are ignored.
pub fn fold(schema: &Schema, name: &str) -> String {
    if schema.role(Role::Id).is_none() {
        return folded(name);
    }
    let name = name.rsplit(['/', ':']).next().unwrap_or(name).trim();
    let name = name.strip_suffix(".md").unwrap_or(name);
    let words = name.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_'));
    let words: Vec<_> = words.map(str::to_lowercase).collect();
    words.join("-")
}

/// The links of a text that are written in one of these forms, line by line.
pub fn text_links(text: &str, forms: &[LinkForm]) -> Vec<TextLink> {
    let (mut links, mut start, mut in_fence) = (Vec::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        in_fence ^= is_fence;
        for form in forms {
            let mark = form.mark();
            let (mut read, mut in_span) = (0, false);
            for (at, _) in line.match_indices(mark) {
                let part = line.get(read..at).unwrap_or_default();
                // A run of backticks opens code, and the next run closes it.
                let runs = part.split(|c| c != '`').filter(|run| !run.is_empty());
                in_span ^= runs.count() % 2 == 1;
                read = at;
                let is_span = *form != LinkForm::Name && in_span;
                let is_code = in_fence || is_fence || is_span;
                let Some(mut link) = form.link(line, at, at + mark.len()) else {
                    continue;
                };
                let name = line.get(link.name.clone()).unwrap_or_default();
                // A sign of code: `@Override`.
                let is_code_mark = is_code && link.form == LinkForm::At && !name.ends_with(RULE);
                if name.is_empty() || !forms.contains(&link.form) || is_code_mark {
                    continue;
                }
                for range in [&mut link.whole, &mut link.name, &mut link.label] {
                    *range = start + range.start..start + range.end;
                }
                links.push(TextLink { is_code, ..link });
            }
        }
        start += line.len();
    }
    links
}

/// The links of a memory's text that its system looks up among the memories of the same store, so
/// that one that names none is broken.
pub fn named_memories(text: &str, memory: &Memory) -> Vec<TextLink> {
    let can = &memory.schema.can;
    let prefix = can.user_prefix;
    let own = Path::new(prefix).join(&*memory.id.local);
    let is_users = !prefix.is_empty() && memory.path.with_extension("").ends_with(own);
    let mut links = text_links(text, can.links);
    links.retain_mut(|link| {
        let name = text.get(link.name.clone()).unwrap_or_default();
        let is_prefixed = !prefix.is_empty() && name.starts_with(prefix);
        match link.form {
            // The other ones are memories of another store.
            LinkForm::Mem if is_prefixed != is_users => return false,
            LinkForm::Mem if is_users => link.name.start += prefix.len(),
            LinkForm::Mem | LinkForm::File => {}
            // `rows[[0]]` and `[[1, 2], [3, 4]]` are code.
            LinkForm::Wiki => {
                let before = text.get(..link.whole.start).unwrap_or_default();
                let is_index = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
                return !link.is_code && !is_index && !name.contains(['[', ']']);
            }
            // A word with `@` may be anything.
            LinkForm::At => return name.ends_with(RULE),
            LinkForm::Path | LinkForm::Name => return false,
        }
        true
    });
    links
}

/// Bytes of a line on either side of a link's mark that may be part of the link.
const LONGEST: usize = 1024;

/// How the files end that `@name` names.
pub const RULE: &str = ".mdc";

/// True if a path is that of a file of Markdown.
fn is_markdown(path: &str) -> bool {
    path.ends_with(".md") || path.ends_with(RULE)
}

impl LinkForm {
    /// Returns the mark of this link form: its opening, or the text before its name.
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Wiki => "[[",
            Self::Mem => "mem:",
            Self::Path => "](",
            Self::At => "@",
            Self::File => "#file:",
            Self::Name => ".md",
        }
    }

    /// The link of a line whose mark stands from `at` to `from`; none where that is no link.
    fn link(self, line: &str, at: usize, from: usize) -> Option<TextLink> {
        let near = |at: usize| {
            let mut ends = (at..=line.len().min(at + LONGEST)).rev();
            ends.find(|end| line.is_char_boundary(*end))
        };
        let mut starts = at.saturating_sub(LONGEST)..=at;
        let start = starts.find(|start| line.is_char_boundary(*start))?;
        let (before, rest) = (line.get(start..at)?, line.get(from..near(from)?)?);
        let link = |form, whole, name: Range<usize>, label| TextLink {
            form,
            whole,
            label,
            name,
            is_code: false,
        };
        let word = |length: usize| {
            let name = from..from + length;
            link(self, at..name.end, name.clone(), name)
        };
        match self {
            Self::Wiki => {
                let inside = rest.get(..rest.find("]]")?)?;
                let is_name = !inside.starts_with([' ', '[']);
                let end = inside.find(['|', '#']).unwrap_or(inside.len());
                let alias = inside.find('|').map(|bar| bar + 1..inside.len());
                let label = alias.unwrap_or(0..end);
                let whole = at..from + inside.len() + 2;
                let label = from + label.start..from + label.end;
                is_name.then(|| link(self, whole, from..from + end, label))
            }
            // Letters, digits, `_`, `-` and `/` bound a name (formats: serena, "Links").
            Self::Mem => {
                let is_name = |c: char| c.is_ascii_alphanumeric() || "_-/".contains(c);
                let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
                (!before.ends_with(is_name)).then(|| word(end))
            }
            Self::Path => {
                let (path, length) = destination(rest)?;
                let (mut form, mut name) = (self, from + path.start..from + path.end);
                if line.get(name.clone())?.starts_with("mdc:") {
                    (form, name.start) = (Self::At, name.start + 4);
                }
                let path = line.get(name.clone())?;
                let end = path.find(['#', '?']).unwrap_or(path.len());
                name.end = name.start + end;
                let path = line.get(name.clone())?;
                let open = start + opening(before)?;
                (is_markdown(path) && !path.contains(':'))
                    .then(|| link(form, open..from + length, name, open + 1..at))
            }
            Self::Name => {
                let lead = before.trim_end_matches(is_in_path);
                let name = start + lead.len()..from;
                let is_start = |c: char| c.is_whitespace() || "`*|".contains(c);
                let is_alone = lead.is_empty() || lead.ends_with(is_start);
                let is_over = !rest.trim_start_matches('.').starts_with(is_in_path);
                let ticks = usize::from(lead.ends_with('`') && rest.starts_with('`'));
                let whole = name.start - ticks..from + ticks;
                (is_alone && is_over && name.start < at)
                    .then(|| link(self, whole, name.clone(), name))
            }
            Self::At | Self::File => {
                let end = rest.find(|c| !is_in_path(c)).unwrap_or(rest.len());
                let name = rest.get(..end)?.trim_end_matches('.');
                let is_word = before.ends_with(|c: char| is_in_path(c) || c == '@');
                let is_file = self == Self::At || is_markdown(name);
                (!is_word && is_file).then(|| word(name.len()))
            }
        }
    }
}

/// The path of a Markdown link in what follows `](`, and the bytes up to behind its `)`. A path in
/// `<>` has blanks, a title may follow it, and blanks of one without `<>` are taken as its own.
fn destination(rest: &str) -> Option<(Range<usize>, usize)> {
    let line = rest.trim_end_matches(['\n', '\r']);
    let path = match line.strip_prefix('<') {
        Some(inside) => 1..1 + inside.find('>')?,
        None => 0..closing(line, true)?,
    };
    let after = path.end + path.start;
    let tail = line.get(after..)?;
    let title = tail.trim_start();
    let blanks = tail.len() - title.len();
    let mark = title.chars().next().filter(|_| blanks > 0);
    let end = match mark {
        Some(mark @ ('"' | '\'')) => {
            let inside = title.get(1..)?;
            let end = inside.find(mark)? + 2;
            let rest = title.get(end..)?;
            after + blanks + end + (rest.len() - rest.trim_start().len())
        }
        _ => after + blanks,
    };
    if line.get(end..)?.starts_with(')') {
        return Some((path, end + 1));
    }
    let end = closing(line, false)?;
    Some((0..end, end + 1))
}

/// Length of what stands before the `)` that ends a link, or before a blank.
fn closing(line: &str, blank_ends: bool) -> Option<usize> {
    let mut depth = 0_usize;
    let mut chars = line.char_indices();
    let end = chars
        .find(|(_, c)| unmatched(*c, ['(', ')'], &mut depth) || blank_ends && c.is_whitespace());
    end.map(|(at, _)| at)
}

/// Finds the `[` that a `]` after the text closes.
fn opening(before: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut chars = before.char_indices().rev();
    let start = chars.find(|(_, c)| unmatched(*c, [']', '['], &mut depth));
    start.map(|(at, _)| at)
}

/// True for a closing bracket without an opening one before it; counts the open ones.
fn unmatched(c: char, [open, close]: [char; 2], depth: &mut usize) -> bool {
    let is_alone = c == close && *depth == 0;
    if c == open {
        *depth += 1;
    } else if c == close {
        *depth = depth.saturating_sub(1);
    }
    is_alone
}

/// True if a bare path in a text can contain this character.
fn is_in_path(c: char) -> bool {
    c.is_alphanumeric() || "_-/.".contains(c)
}

/// Appends a relative path; `..` removes the last component.
pub fn joined(path: &Path, other: &str) -> PathBuf {
    let mut path = path.to_owned();
    for part in Path::new(other).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            part => path.push(part),
        }
    }
    path
}

/// The path relative to a folder, with `/` between its parts.
pub fn relative(folder: &Path, path: &Path) -> String {
    let mut up = String::new();
    for above in folder.ancestors() {
        if let Ok(below) = path.strip_prefix(above) {
            let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
            return format!("{up}{}", parts.join("/"));
        }
        up.push_str("../");
    }
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::LinkForm::{At, File, Mem, Path, Wiki};
    use super::*;

    #[test]
    fn links_are_found_in_their_forms_and_code_is_told() {
        let text = "See [[a b|x]], [t](./c/d.md#e) and mem:f/g.\n`[[code]]`, xmem:no, [u](https://x.y/z.md)\n```\nif [[ -f x ]]; mem:in-code\n```\n";
        let of = |forms: &[LinkForm]| -> Vec<(&str, bool)> {
            let links = text_links(text, forms).into_iter();
            links.map(|one| (&text[one.name], one.is_code)).collect()
        };
        assert_eq!(of(&[Wiki]), [("a b", false), ("code", true)]);
        assert_eq!(of(&[Mem]), [("f/g", false), ("in-code", true)]);
        assert_eq!(of(&[Path]), [("./c/d.md", false)]);
    }

    #[test]
    fn every_way_to_write_a_link_has_its_name_and_its_words() {
        for (text, form, target, label) in [
            ("a [x y](<a b.md>) z", Path, "a b.md", "x y"),
            ("[x](a%20b.md \"T (1)\")", Path, "a b.md", "x"),
            ("[x](a.md 'T')", Path, "a.md", "x"),
            ("[x [y]](a(1).md)", Path, "a(1).md", "x [y]"),
            ("[x](a b.md)", Path, "a b.md", "x"),
            ("[[a#b|c d]]", Wiki, "a", "c d"),
            ("[[a#b]]", Wiki, "a", "a"),
            ("`mem:a/b`.", Mem, "a/b", "a/b"),
            ("@style, or", At, "style", "style"),
            ("(@a/b.mdc).", At, "a/b.mdc", "a/b.mdc"),
            (
                "[x](mdc:.cursor/rules/b.mdc)",
                At,
                ".cursor/rules/b.mdc",
                "x",
            ),
            (
                "#file:b.instructions.md.",
                File,
                "b.instructions.md",
                "b.instructions.md",
            ),
        ] {
            let found = text_links(text, &[Wiki, Mem, Path, At, File]);
            let [link] = &found[..] else {
                panic!("{text}: {found:?}")
            };
            assert_eq!((link.form, &*link.target(text)), (form, target), "{text}");
            assert_eq!(&text[link.label.clone()], label, "{text}");
            let mut new = text.to_owned();
            new.replace_range(link.whole.clone(), "-");
            assert!(
                !new.contains(['<', ')', '[', '@']) || text.starts_with('('),
                "{new}"
            );
        }
        for text in [
            "a@b.c",
            "`@Override`",
            "#file:x.rs",
            "[x](a.md",
            "[x](b.rs)",
            "a](b.md)",
        ] {
            assert_eq!(text_links(text, &[At, File, Path]), [], "{text}");
        }
    }
}
