//! Trees of files drawn with lines, in which a name is relative to those that it hangs on.
//!
//! ```text
//! src/
//! ├── dlms.rs      # DLMS meters
//! │   └── …
//! └── lib.rs
//! ```

use std::ops::Range;

use super::extract::{How, LONGEST, Named, last};

/// What a name hangs on, and what the lines above go on with.
const BRANCHES: &[&str] = &["├", "└", "┣", "┗", "|--", "+--", "\\--", "`--"];
/// What stands between a branch and its name.
const STEM: &[char] = &[
    '├', '└', '┣', '┗', '─', '━', '-', '>', '|', '+', '\\', '`', '*', ' ', '\t', '\u{a0}',
];
/// Folders that hang on each other; deeper ones are no layout.
const DEEPEST: usize = 40;

/// A name of a drawn tree.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// The name's bytes in the text.
    pub bytes: Range<usize>,
    /// What the tree is of, as it is written above it.
    top: Option<String>,
    /// The names that it hangs on and its own, with `/` between them.
    path: String,
}

/// The names of the trees of a text, in the order of the text.
pub(super) fn leaves(text: &str) -> Vec<Leaf> {
    let mut all = Vec::new();
    if !BRANCHES.iter().any(|branch| text.contains(branch)) {
        return all;
    }
    let mut top = None;
    // The column on which each name hangs, and the length of the path up to it.
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some((column, rest)) = branch(line) else {
            // A line down to the next name.
            if line
                .trim_matches(['│', '|', '┃', ' ', '\t', '\r', '\n'])
                .is_empty()
            {
                continue;
            }
            top = of(line);
            open.clear();
            continue;
        };
        let hanging = line.get(rest..).unwrap_or_default();
        let bare = hanging.trim_start_matches(STEM);
        // Pictures of folders and files.
        let bare = bare.trim_start_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric());
        let bare = bare.trim_start_matches([' ', '*', '`']);
        let from = start + line.len() - bare.len();
        let name = bare.split(char::is_whitespace).next().unwrap_or_default();
        let name = name.trim_end_matches(['`', '*', ',', ':', '/', '\\']);
        while open.last().is_some_and(|(other, _)| *other >= column) {
            open.pop();
        }
        let path = match open.last() {
            Some((_, above)) => format!("{above}/{name}"),
            None => name.to_owned(),
        };
        if !is_name(name) || path.len() > LONGEST || open.len() > DEEPEST {
            continue;
        }
        open.push((column, path.clone()));
        all.push(Leaf {
            bytes: from..from + name.len(),
            top: top.clone(),
            path,
        });
    }
    all
}

/// The column of the branch that a line begins with, and where in it the branch stands.
fn branch(line: &str) -> Option<(usize, usize)> {
    let rest = line.trim_start_matches(['│', '┃', ' ', '\t', '\u{a0}', '|']);
    let mut at = line.len() - rest.len();
    if rest.starts_with("--") && line.get(..at).is_some_and(|head| head.ends_with('|')) {
        at -= 1;
    }
    let branch = line.get(at..)?;
    let begins = BRANCHES.iter().any(|mark| branch.starts_with(mark));
    begins.then(|| (line.get(..at).unwrap_or_default().chars().count(), at))
}

/// What a line names of which a tree follows: nothing but a path, and perhaps a remark.
fn of(line: &str) -> Option<String> {
    let line = line.trim().trim_matches(['`', '*']);
    let mut words = line.split_whitespace();
    let first = words.next()?.trim_end_matches([':', '`', '*']);
    let alone = words
        .next()
        .is_none_or(|next| next.starts_with(['#', '(', '/', '—', '-', '←', '<']));
    let path = first.trim_start_matches("./").trim_end_matches('/');
    let sound = alone || first.ends_with('/');
    let named = is_name(path) || path == "." || is_absolute(path);
    (sound && named).then(|| path.to_owned())
}

fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '~', '$']) || path.contains(":\\") || path.contains(":/")
}

fn is_name(name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || "._-/@+$()[]".contains(c);
    !name.is_empty()
        && name.chars().all(part)
        && name.chars().any(char::is_alphanumeric)
        && !name.starts_with('/')
        && !name.contains("..")
}

impl Leaf {
    /// The path that the leaf is, where one of those that it can be is known: below what the tree is
    /// of, or below the root where that is the root's name or none that is known.
    pub fn path(&self, root: &str, known: &dyn Fn(&str) -> bool) -> Option<Named<'static>> {
        let own = |path: &String| known(path);
        let is_root = |top: &str| top == "." || last(top) == last(root);
        let top = self.top.as_deref().filter(|top| !is_root(top));
        if top.is_some_and(is_absolute) {
            return None;
        }
        let path = match top {
            None => Some(self.path.clone()).filter(own),
            Some(top) => {
                let below = Some(format!("{top}/{}", self.path)).filter(own);
                let is_place = || top.contains('/') || known(top);
                below.or_else(|| Some(self.path.clone()).filter(|path| !is_place() && own(path)))
            }
        };
        path.map(|path| Named {
            path: path.into(),
            bytes: self.bytes.clone(),
            how: How::Whole,
        })
    }
}
