//! The output of a command: a text made mostly of lines that programs print, by the rows of
//! `assets/lint/output.toml`.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

/// Lines of a text that are read.
const LINES: usize = 400;
/// Words from which a line that ends like a sentence is one.
const SENTENCE: usize = 3;

#[derive(Deserialize)]
struct Row {
    pattern: String,
    /// True if hardly anybody writes such a line by hand.
    #[serde(default)]
    sure: bool,
    /// True if the command ended with such a line, so that it printed the lines above.
    #[serde(default)]
    ends: bool,
    #[cfg(test)]
    example: String,
    #[cfg(test)]
    counter: String,
}

#[derive(Default, Deserialize)]
struct Table {
    row: Vec<Row>,
}

/// Beginnings of lines that programs print: any of them, the sure ones and the last ones.
struct Printed {
    any: Regex,
    sure: Regex,
    ends: Regex,
}

static PRINTED: LazyLock<Option<Printed>> = LazyLock::new(|| {
    let table: Table =
        toml::from_str(include_str!("../../../assets/lint/output.toml")).unwrap_or_default();
    let pattern = |has: fn(&Row) -> bool| {
        let rows = table.row.iter().filter(|row| has(row));
        let rows: Vec<&str> = rows.map(|row| &*row.pattern).collect();
        Regex::new(&format!("^(?:{})", rows.join("|"))).ok()
    };
    Some(Printed {
        any: pattern(|_| true)?,
        sure: pattern(|row| row.sure)?,
        ends: pattern(|row| row.ends)?,
    })
});

/// The lines of a text that say something, and what kind they are.
pub(super) struct Lines<'t> {
    lines: Vec<(Kind, &'t str)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Hardly anything but a program prints it.
    Sure,
    /// The exit code with which a command failed.
    End,
    /// Programs print it, and people write it.
    Printed,
    /// A sentence outside code fences.
    Sentence,
    Other,
}

impl<'t> Lines<'t> {
    /// Reads a text.
    pub(super) fn new(text: &'t str) -> Self {
        let mut lines = Vec::new();
        let mut fenced = false;
        // Indentation of the printed line that deeper lines belong to.
        let mut above: Option<usize> = None;
        for whole in text.lines().take(LINES) {
            let line = whole.trim_start_matches(|c: char| c == '>' || c.is_whitespace());
            let depth = whole.len() - line.len();
            let line = line.trim_end();
            if line.starts_with("```") || line.starts_with("~~~") {
                fenced = !fenced;
                continue;
            }
            if !says_something(line) {
                continue;
            }
            let deeper = above.is_some_and(|above| depth > above + 1);
            let kind = match kind(line, fenced) {
                Kind::Other if deeper => Kind::Printed,
                Kind::Sentence if deeper && fenced => Kind::Printed,
                kind => kind,
            };
            if !deeper {
                above = (!matches!(kind, Kind::Sentence | Kind::Other)).then_some(depth);
            }
            lines.push((kind, line));
        }
        Self { lines }
    }

    /// The share of lines that a program printed; 0 where none of them surely was.
    pub(super) fn share(&self) -> f64 {
        let count = |kind: Kind| self.lines.iter().filter(|one| one.0 == kind).count();
        let sure = count(Kind::Sure) + count(Kind::End);
        let printed = match (count(Kind::End), count(Kind::Sentence)) {
            _ if sure == 0 => return 0.0,
            (1.., 0) => self.lines.len(),
            _ => sure + count(Kind::Printed),
        };
        f64::from(u32::try_from(printed).unwrap_or(u32::MAX)) / self.lines.len() as f64
    }

    /// The sentences, which a fix keeps.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &'t str> {
        let sentences = self.lines.iter().filter(|one| one.0 == Kind::Sentence);
        sentences.map(|one| one.1)
    }
}

fn kind(line: &str, fenced: bool) -> Kind {
    let Some(printed) = PRINTED.as_ref() else {
        return Kind::Other;
    };
    if printed.sure.is_match(line) {
        return match printed.ends.is_match(line) {
            true => Kind::End,
            false => Kind::Sure,
        };
    }
    let ends = line
        .trim_end_matches(['*', '_', '`', ')', '"'])
        .ends_with(['.', '!', '?']);
    let sentence = ends && line.split_whitespace().count() >= SENTENCE;
    match (printed.any.is_match(line), sentence && !fenced) {
        (true, _) => Kind::Printed,
        (false, true) => Kind::Sentence,
        (false, false) => Kind::Other,
    }
}

/// False for headings, rules and comments.
fn says_something(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    let is_heading = heading.len() < line.len() && (heading.is_empty() || heading.starts_with(' '));
    !is_heading && !line.starts_with("<!--") && line.contains(|c: char| !"-=_".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_matches_its_example_and_not_its_counter_example() {
        let table: Table =
            toml::from_str(include_str!("../../../assets/lint/output.toml")).unwrap();
        assert!(PRINTED.is_some());
        for row in &table.row {
            let pattern = Regex::new(&format!("^(?:{})", row.pattern)).unwrap();
            assert!(pattern.is_match(&row.example), "{}", row.example);
            assert!(!pattern.is_match(&row.counter), "{}", row.counter);
        }
    }
}
