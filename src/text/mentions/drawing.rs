//! The path of each name in a drawing of a file tree, by the columns of the names.
//!
//! ```text
//! app/
//! ├── src/
//! │   └── main.rs     # this is app/src/main.rs
//! ```

use std::ops::Range;

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

/// The folders that are open at a line, each with its column.
#[derive(Default)]
pub(super) struct Drawing(Vec<(usize, String)>);

impl Drawing {
    /// The path that a line draws below a folder, and the bytes of its name. `is_file` tells names of
    /// files from words, which may stand in a line that is only indented.
    pub fn path(
        &mut self,
        line: &str,
        is_file: fn(&str) -> bool,
    ) -> Option<(String, Range<usize>)> {
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
