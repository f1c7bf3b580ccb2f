//! Signatures of failures: the tests, errors and stack frames that an output names. Their patterns
//! are rows of `assets/extract/signatures.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::text::cut;
use crate::text::patterns::{Pattern, compact};
use crate::text::tokens::hash;

/// Tests and frames of a failure that are kept.
const MOST: usize = 3;
/// Bytes of an error that are kept.
const LONGEST: usize = 160;

/// A form of a line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    kind: Part,
    /// Matched in many lines; its first group is what is kept.
    pattern: Pattern,
    #[cfg_attr(not(test), expect(dead_code, reason = "rows show themselves to tests"))]
    example: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "rows show themselves to tests"))]
    counter: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Test,
    Error,
    Frame,
}

#[derive(Default, Deserialize)]
struct Table {
    row: Vec<Row>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    toml::from_str(include_str!("../../assets/extract/signatures.toml")).unwrap_or_default()
});

/// What an output says of a failure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signature {
    /// Names of tests that failed.
    pub tests: Vec<String>,
    /// The first error.
    pub error: Option<String>,
    /// Functions or files of the stack, the innermost as it is printed first.
    pub frames: Vec<String>,
}

impl Signature {
    /// Reads an output.
    pub fn new(output: &str) -> Self {
        let mut found = Self::default();
        for row in &TABLE.row {
            let places = row.pattern.places(output);
            let parts = places.filter_map(|(_, part)| output.get(part));
            for part in parts.take(MOST) {
                let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
                let part = cut(&part, LONGEST).trim_end_matches([',', ':', '.', ' ']);
                let part = part.to_owned();
                let list = match row.kind {
                    // The rows of errors stand in the order of what they tell.
                    Part::Error => {
                        found.error.get_or_insert(part);
                        continue;
                    }
                    Part::Test => &mut found.tests,
                    Part::Frame => &mut found.frames,
                };
                if list.len() < MOST && !list.contains(&part) && !part.is_empty() {
                    list.push(part);
                }
            }
        }
        found
    }

    /// True if an output names no test, no error and no frame.
    pub const fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.error.is_none() && self.frames.is_empty()
    }

    /// A short name of the stack without its line numbers.
    pub fn fingerprint(&self) -> Option<String> {
        let frames = self.frames.join(" ");
        (!frames.is_empty()).then(|| format!("{:08x}", hash(&frames)))
    }

    /// The failure in a few words: its first test, its error.
    pub fn words(&self) -> Option<String> {
        let test = self.tests.first().map(String::as_str);
        let parts = test.into_iter().chain(self.error.as_deref());
        let parts: Vec<&str> = parts.collect();
        (!parts.is_empty()).then(|| parts.join(": "))
    }
}

/// The exit code that an output names.
pub fn exit_code(output: &str) -> Option<i32> {
    static CODE: LazyLock<Option<regex::Regex>> = LazyLock::new(|| {
        compact(r"(?mi)^(?:process )?exit(?:ed with)?(?: code| status)?:? +(\d+)\s*$")
    });
    let mut codes = CODE.as_ref()?.captures_iter(output);
    codes.next()?.get(1)?.as_str().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_matches_its_example_and_not_its_counter_example() {
        assert!(TABLE.row.len() > 20);
        for row in &TABLE.row {
            assert!(row.pattern.is_in(&row.example), "{}", row.example);
            assert!(!row.pattern.is_in(&row.counter), "{}", row.counter);
        }
    }

    #[test]
    fn a_stack_is_known_again_when_its_lines_move() {
        let stack = |line: u32| {
            format!(
                "TypeError: x is null\n    at total (cart.js:{line}:7)\n    at run (app.js:3:1)"
            )
        };
        let (one, other) = (Signature::new(&stack(4)), Signature::new(&stack(90)));
        assert_eq!(one.error.as_deref(), Some("TypeError: x is null"));
        assert!(one.fingerprint().is_some());
        assert_eq!(one.fingerprint(), other.fingerprint());
        assert_eq!(Signature::new("3 passed").fingerprint(), None);
    }

    #[test]
    fn an_exit_code_is_read_in_each_form() {
        for (text, code) in [
            ("Exit code: 1\nWall time: 0.3 seconds", Some(1)),
            ("Exit code 2\nboom", Some(2)),
            ("Output: 40 passed\nExit Code: 0", Some(0)),
            ("exit 127", Some(127)),
            ("the exit code is 1", None),
        ] {
            assert_eq!(exit_code(text), code, "{text}");
        }
    }
}
