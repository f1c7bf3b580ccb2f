//! Mentions of memories in texts that are no memories of their store: a path, a file name, a link,
//! or a name that no sentence contains by chance.

use std::collections::HashMap;
use std::ops::Range;

use super::format::LinkForm;
use super::{Memory, StoreId};

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

/// The last part of a path or a name.
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
    let words = text
        .split(move |c| !is_part(c))
        .filter(|word| !word.is_empty());
    words.map(move |word| {
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

    /// The new name, as a text wrote the old one.
    fn renamed(&self, name: &str, to: &str) -> String {
        match name.strip_suffix(&*self.local) {
            Some(lead) => format!("{lead}{to}"),
            None => last(to).to_owned(),
        }
    }
}
