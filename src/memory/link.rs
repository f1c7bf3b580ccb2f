//! Names of other memories in a text: links, and mentions in texts that are no memories of their
//! store (a path, a file name, or a name that no sentence contains by chance).

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use percent_encoding::percent_decode_str;
use regex::{Captures, Regex};

use super::format::LinkForm;
use super::{Memory, Role, Schema, StoreId, Value};

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
            LinkForm::Path => {
                let path = percent_decode_str(name).decode_utf8();
                path.unwrap_or(Cow::Borrowed(name))
            }
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

/// The links of a text that are written in one of these forms, in its order.
pub fn text_links(text: &str, forms: &[LinkForm]) -> Vec<TextLink> {
    let mut links: Vec<TextLink> = Vec::new();
    for form in forms.iter().filter(|form| text.contains(form.mark())) {
        let pattern = form.pattern().into_iter();
        let found = pattern.flat_map(|pattern| pattern.captures_iter(text));
        links.extend(found.filter_map(|found| form.link(text, &found)));
    }
    links.retain(|link| forms.contains(&link.form));
    links.sort_by_key(|link| link.whole.start);
    // The end of the link's line, whether that is in a block of code, and what is read of it.
    let (mut end, mut in_fence, mut is_fence) = (0, false, false);
    let (mut read, mut in_span) = (0, false);
    for link in &mut links {
        while end <= link.whole.start {
            let rest = text.get(end..).unwrap_or_default();
            let line = rest.split_inclusive('\n').next().unwrap_or_default();
            (read, in_span) = (end, false);
            end += line.len().max(1);
            is_fence = line.trim_start().starts_with("```");
            in_fence ^= is_fence;
        }
        let part = text.get(read..link.whole.start).unwrap_or_default();
        // A run of backticks opens code, and the next run closes it.
        let runs = part.split(|c| c != '`').filter(|run| !run.is_empty());
        in_span ^= runs.count() % 2 == 1;
        read = link.whole.start;
        let is_span = link.form != LinkForm::Name && in_span;
        link.is_code = in_fence || is_fence || is_span;
    }
    // A sign of code: `@Override`.
    links.retain(|link| {
        let is_rule = || text.get(link.name.clone()).is_some_and(is_rule);
        link.form != LinkForm::At || !link.is_code || is_rule()
    });
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
            LinkForm::At => return is_rule(name),
            LinkForm::Path | LinkForm::Name => return false,
        }
        true
    });
    links
}

/// How the files end that `@name` names.
pub const RULE: &str = ".mdc";

fn is_markdown(path: &str) -> bool {
    path.ends_with(".md") || is_rule(path)
}

fn is_rule(name: &str) -> bool {
    name.ends_with(RULE)
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

    /// How a link of this form is written: all of it is `whole`, or what the pattern finds.
    fn pattern(self) -> Option<&'static Regex> {
        static PATTERNS: [OnceLock<Option<Regex>>; 6] = [const { OnceLock::new() }; 6];
        const WORD: &str = r"[\p{Alphabetic}\p{N}_./-]";
        let word = |before: &str, mark: &str, end: &str| {
            format!("(?:^|[{before}])(?<whole>{mark}(?<name>{WORD}+{end}))")
        };
        let outside = r"^\p{Alphabetic}\p{N}_./@-";
        let written = || match self {
            Self::Wiki => r"(?x) \[\[ (?<name> [^\ \[\]|\#\n] [^\]|\#\n]* )
                (?: \#[^\]|\n]* )? (?: \| (?<label> [^\]\n]* ) )? \]\]"
                .to_owned(),
            // Letters, digits, `_`, `-` and `/` bound a name (formats: serena, "Links").
            Self::Mem => r"(?:^|[^A-Za-z0-9_/-])(?<whole>mem:(?<name>[A-Za-z0-9_/-]+))".to_owned(),
            Self::Path => r#"(?x) \[ (?<label> (?: [^\[\]\n] | \[[^\[\]\n]*\] )* ) \]
                \( <? (?<name> (?: [^()<>\n] | \([^()\n]*\) )*? ) >?
                (?: [\ \t]+ (?: "[^"\n]*" | '[^'\n]*' ) )? [\ \t]* \)"#
                .to_owned(),
            Self::At => word(outside, "@", ""),
            Self::File => word(outside, "#file:", ""),
            Self::Name => word(r"\s`*|", "", r"\.md"),
        };
        let known = PATTERNS.get(self as usize)?;
        known.get_or_init(|| Regex::new(&written()).ok()).as_ref()
    }

    /// The link that the pattern of this form found; none where its path is not that of a memory.
    fn link(self, text: &str, found: &Captures<'_>) -> Option<TextLink> {
        let part = |group| found.name(group).map(|part| part.range());
        let (mut form, mut name) = (self, part("name")?);
        let mut whole = part("whole").or(Some(found.get(0)?.range()))?;
        let rest = text.get(whole.end..)?;
        match self {
            Self::Wiki | Self::Mem => {}
            Self::Path => {
                if text.get(name.clone())?.starts_with("mdc:") {
                    (form, name.start) = (Self::At, name.start + 4);
                }
                let path = text.get(name.clone())?;
                let end = path.find(['#', '?']).unwrap_or(path.len());
                name.end = name.start + end;
                let path = text.get(name.clone())?;
                is_markdown(path).then_some(())?;
                (!path.contains(':')).then_some(())?;
            }
            Self::Name => {
                let is_over = !rest.trim_start_matches('.').starts_with(is_in_path);
                is_over.then_some(())?;
                if text.get(..whole.start)?.ends_with('`') && rest.starts_with('`') {
                    whole = whole.start - 1..whole.end + 1;
                }
            }
            Self::At | Self::File => {
                let path = text.get(name.clone())?.trim_end_matches('.');
                (!path.is_empty() && (self == Self::At || is_markdown(path))).then_some(())?;
                name.end = name.start + path.len();
                whole.end = name.end;
            }
        }
        Some(TextLink {
            form,
            whole,
            label: part("label").unwrap_or_else(|| name.clone()),
            name,
            is_code: false,
        })
    }
}

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

/// The endings of file names that a mention may have.
const ENDS: [&str; 2] = [".md", ".mdc"];

/// A memory whose name changes or goes.
#[derive(Clone, Debug)]
pub struct Name<'a> {
    /// The memory.
    pub memory: &'a Memory,
    /// The path of its file, absolute, with `/` between its parts and without ending.
    pub path: String,
    /// Its path below the folder of its store.
    pub local: String,
    /// Its new path below the folder of its store; None if it is gone.
    pub to: Option<String>,
    /// True if the last part of its path is that of another memory too.
    pub is_shared: bool,
}

/// A mention in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Bytes of the name, without the ending of a file.
    pub range: Range<usize>,
    /// The new name, written as this one is; None if the memory is gone.
    pub to: Option<String>,
}

fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Finds mentions of memories in a text. `store` is the store that the text belongs to: its texts
/// need not say which of two memories with one name they mean.
pub fn mentions(text: &str, names: &[Name<'_>], store: Option<&StoreId>) -> Vec<Mention> {
    let mut by_last: HashMap<&str, Vec<&Name<'_>>> = HashMap::new();
    for name in names {
        by_last.entry(last(&name.path)).or_default().push(name);
    }
    let mut found = Vec::new();
    for range in words(text) {
        let word = text.get(range.clone()).unwrap_or_default();
        let end = ENDS.into_iter().find(|end| word.ends_with(end));
        let name = word.strip_suffix(end.unwrap_or_default()).unwrap_or(word);
        let range = range.start..range.start + name.len();
        let known = by_last.get(last(name)).into_iter().flatten();
        let mut meant = known.filter(|one| {
            let own = || is_marked(text, &range, one.memory);
            one.is_meant_by(name, store) && (end.is_some() || is_name(name) || own())
        });
        let rest = text.get(range.end..).unwrap_or_default();
        if let Some(one) = meant.next().filter(|_| !rest.starts_with('(')) {
            let to = one.to.as_deref().map(|to| one.renamed(name, to));
            found.push(Mention { range, to });
        }
    }
    found
}

/// True if a name is none that a sentence contains by chance: words with signs between them.
fn is_name(name: &str) -> bool {
    let inner = name.trim_matches(|c: char| !c.is_alphanumeric());
    inner.contains(['-', '_', '/'])
}

/// True if the signs around a word make it a name: a code span, a wiki link, `mem:`, `@`.
fn is_marked(text: &str, range: &Range<usize>, memory: &Memory) -> bool {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let is_at = memory.schema.can.links.contains(&LinkForm::At) && before.ends_with('@');
    let is_wiki = before.ends_with("[[") && after.starts_with([']', '|', '#']);
    let is_code = before.ends_with('`') && after.starts_with('`');
    is_at || is_wiki || is_code || before.ends_with(LinkForm::Mem.mark())
}

/// The runs of a text that may be a path or a name.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || "_-/.".contains(c);
    let words = text.split(move |c| !is_part(c));
    words.filter(|word| !word.is_empty()).map(move |word| {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        start..start + word.trim_end_matches('.').len()
    })
}

impl Name<'_> {
    /// True if a path or a name in a text of a store is the end of this path.
    fn is_meant_by(&self, name: &str, store: Option<&StoreId>) -> bool {
        let mut name = name;
        while let Some(rest) = name.strip_prefix("../").or(name.strip_prefix("./")) {
            name = rest;
        }
        let lead = self.path.strip_suffix(name);
        let is_end = lead.is_some_and(|lead| lead.is_empty() || lead.ends_with('/'));
        let is_own = store == Some(&self.memory.id.store) && name.len() == self.local.len();
        is_end && (!self.is_shared || is_own || name.len() > self.local.len())
    }

    fn renamed(&self, name: &str, to: &str) -> String {
        match name.strip_suffix(&*self.local) {
            Some(lead) => format!("{lead}{to}"),
            None => last(to).to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LinkForm::{At, File, Mem, Path, Wiki};
    use super::*;
    use crate::memory::rows;

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
        for (text, form, target, label) in rows! {
            "a [x y](<a b.md>) z" => Path => "a b.md" => "x y",
            "[x](a%20b.md \"T (1)\")" => Path => "a b.md" => "x",
            "[x](a.md 'T')" => Path => "a.md" => "x",
            "[x [y]](a(1).md)" => Path => "a(1).md" => "x [y]",
            "[x](a b.md)" => Path => "a b.md" => "x", "[[a#b|c d]]" => Wiki => "a" => "c d",
            "[[a#b]]" => Wiki => "a" => "a", "`mem:a/b`." => Mem => "a/b" => "a/b",
            "@style, or" => At => "style" => "style",
            "(@a/b.mdc)." => At => "a/b.mdc" => "a/b.mdc",
            "[x](mdc:.cursor/rules/b.mdc)" => At => ".cursor/rules/b.mdc" => "x",
            "#file:b.instructions.md." => File => "b.instructions.md" => "b.instructions.md",
        } {
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
        for text in "a@b.c;`@Override`;#file:x.rs;[x](a.md;[x](b.rs);a](b.md)".split(';') {
            assert_eq!(text_links(text, &[At, File, Path]), [], "{text}");
        }
    }
}
