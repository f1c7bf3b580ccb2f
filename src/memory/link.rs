//! Names of other memories in a text.

use std::ops::Range;

use super::format::LinkForm;
use super::{Memory, Role, Schema, Value};

/// A name of another memory in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLink {
    /// How it is written.
    pub form: LinkForm,
    /// Bytes of the name, without brackets, prefix, anchor and alias.
    pub name: Range<usize>,
    /// Whether it stands in code.
    pub is_code: bool,
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

/// A name as links are compared: without differences of case and white space. Where memories have
/// lasting ids, `-`, `_` and blanks are one, and folders, a project and `.md` count for nothing.
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
            for (at, _) in line.match_indices(mark) {
                let (before, rest) = line.split_at(at);
                let rest = rest.get(mark.len()..).unwrap_or_default();
                if let Some(length) = form.name_in(before, rest).filter(|length| *length > 0) {
                    let from = start + at + mark.len();
                    links.push(TextLink {
                        form: *form,
                        name: from..from + length,
                        is_code: in_fence || is_fence || before.matches('`').count() % 2 == 1,
                    });
                }
            }
        }
        start += line.len();
    }
    links
}

impl LinkForm {
    const fn mark(self) -> &'static str {
        match self {
            Self::Wiki => "[[",
            Self::Mem => "mem:",
            Self::Path => "](",
        }
    }

    /// Length of the name in what follows the mark; none where that is no link.
    fn name_in(self, before: &str, rest: &str) -> Option<usize> {
        match self {
            Self::Wiki => {
                let inside = rest.get(..rest.find("]]")?)?;
                let is_name = !inside.starts_with([' ', '[']);
                is_name.then(|| inside.find(['|', '#']).unwrap_or(inside.len()))
            }
            // Letters, digits, `_`, `-` and `/` bound a name (formats: serena, "Links").
            Self::Mem => {
                let is_name = |c: char| c.is_ascii_alphanumeric() || "_-/".contains(c);
                let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
                (!before.ends_with(is_name)).then_some(end)
            }
            Self::Path => {
                let link = rest.get(..rest.find([')', ' '])?)?;
                let path = link.split('#').next()?;
                (path.ends_with(".md") && !path.contains(':')).then_some(path.len())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_in_their_forms_and_code_is_told() {
        use LinkForm::{Mem, Path, Wiki};
        let text = "See [[a b|x]], [t](./c/d.md#e) and mem:f/g.\n`[[code]]`, xmem:no, [u](https://x.y/z.md)\n```\nif [[ -f x ]]; mem:in-code\n```\n";
        let of = |forms: &[LinkForm]| -> Vec<(&str, bool)> {
            let links = text_links(text, forms).into_iter();
            links.map(|one| (&text[one.name], one.is_code)).collect()
        };
        assert_eq!(of(&[Wiki]), [("a b", false), ("code", true)]);
        assert_eq!(of(&[Mem]), [("f/g", false), ("in-code", true)]);
        assert_eq!(of(&[Path]), [("./c/d.md", false)]);
    }
}
