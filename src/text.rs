//! Analysis of a text for rules and policies, done once.
//!
//! ```text
//! body ──statements──> sentences, list items, table rows (bytes, heading, label)
//!             │ tokens (stem, kind)
//!             └──compare──> features of two statements ──model──> same? contradiction?
//! ```

pub mod compare;
pub mod mentions;
pub mod opposites;
pub mod patterns;
pub mod rule_pages;
pub mod stance;
pub mod statements;
pub mod tokens;
pub mod word_lists;

/// The first bytes of a text, at most `most`, cut at a character boundary.
pub fn cut(text: &str, most: usize) -> &str {
    let mut ends = (0..=most.min(text.len())).rev();
    ends.find_map(|end| text.get(..end)).unwrap_or_default()
}

/// The last bytes of a text, at most `most`, cut at a character boundary.
pub fn last_of(text: &str, most: usize) -> &str {
    let mut starts = text.len().saturating_sub(most)..=text.len();
    let found = starts.find_map(|start| text.get(start..));
    found.unwrap_or_default()
}

/// The code fence that is open after a line: its character and length.
pub fn fence_after(open: Option<(char, usize)>, line: &str) -> Option<(char, usize)> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'));
    let run = mark.map_or(0, |mark| line.chars().take_while(|c| *c == mark).count());
    match (open, mark) {
        (None, Some(mark)) if run >= 3 => Some((mark, run)),
        (Some((fence, length)), Some(mark))
            if mark == fence && run >= length && line.trim_end().chars().all(|c| c == mark) =>
        {
            None
        }
        _ => open,
    }
}

/// The value of a key in `tests/lint/FILE.toml`.
#[cfg(test)]
pub(crate) fn rows<T: serde::de::DeserializeOwned>(file: &str, key: &str) -> T {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint");
    let text = std::fs::read_to_string(folder.join(format!("{file}.toml"))).unwrap();
    let mut table: toml::Table = text.parse().unwrap();
    table.remove(key).unwrap().try_into().unwrap()
}
