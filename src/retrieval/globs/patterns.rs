//! Patterns of files as each system reads them (formats: cursor, "Parsing"; copilot, "Glob dialects
//! differ").

use globset::GlobBuilder;
use regex::bytes::{Regex, RegexBuilder};

use crate::memory::frontmatter::{self, write::bare};
use crate::memory::schema::Style;
use crate::memory::{Memory, Role, Value};

const NO_LIST: &str = "Cursor reads no list here: write the patterns in one line, parted by commas";
const ABSENT_LIST: &str =
    "VS Code takes a list for an absent value: write one string, parted by commas";
/// Why a pattern of Cursor with a comma in its braces may be dead: nobody has observed it.
pub const MAY_CUT: &str = "Cursor may cut it at the comma in its braces: write two patterns";
const NOTHING: &str =
    "an empty value attaches the file to nothing: write patterns, or take the field out";

#[derive(Debug)]
pub(super) struct Pattern {
    pub text: String,
    /// True if it holds for every file, so that none need be there.
    pub is_all: bool,
    /// Why it can match nothing, if so.
    pub glob: Result<Regex, String>,
}

/// The dialects, in which most things are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Cursor,
    Vscode,
    Github,
    Other,
}

impl Dialect {
    pub fn of(name: &str) -> Self {
        match name {
            "cursor" => Self::Cursor,
            "vscode" => Self::Vscode,
            "github" => Self::Github,
            _ => Self::Other,
        }
    }

    fn read(self, text: &str) -> Pattern {
        let is_all = matches!(text, "**" | "**/*") || self == Self::Vscode && text == "*";
        let dead = match self {
            _ if depth(text) > DEEPEST => Some("its braces are nested too deeply"),
            _ if text.len() > LONGEST => Some("it is longer than 10,000 bytes"),
            Self::Cursor if text.starts_with(['"', '\'']) || text.ends_with(['"', '\'']) => {
                Some("Cursor takes the quotes for a part of the pattern: write it without")
            }
            Self::Cursor if text.starts_with('[') => Some(NO_LIST),
            Self::Vscode if text.starts_with('/') => {
                Some("VS Code takes it for a path from the root of the disk: leave the `/` out")
            }
            _ => None,
        };
        let whole = match self {
            // It stands for any depth, and matches the absolute path.
            Self::Vscode if !text.starts_with("**/") => format!("**/{text}"),
            _ => text.to_owned(),
        };
        let build = || {
            let mut glob = GlobBuilder::new(&whole);
            let glob = glob.literal_separator(true);
            let glob = glob.case_insensitive(self == Self::Vscode).build();
            let glob = glob.map_err(|error| format!("it is no pattern: {}", error.kind()))?;
            let mut regex = RegexBuilder::new(glob.regex());
            // `compile_matcher` panics where a pattern is too large.
            let regex = regex.dot_matches_new_line(true).build();
            regex.map_err(|_| "it is no pattern: it is too large".to_owned())
        };
        let glob = dead.map_or_else(build, |why| Err(why.to_owned()));
        Pattern {
            text: text.to_owned(),
            is_all: is_all && glob.is_ok(),
            glob,
        }
    }

    /// The patterns of a value, or why the system reads none. Cursor cuts inside of braces too.
    pub fn patterns(self, value: &Value) -> Result<Vec<Pattern>, &'static str> {
        self.split(value, self != Self::Cursor)
    }

    fn split(self, value: &Value, whole_braces: bool) -> Result<Vec<Pattern>, &'static str> {
        let is_copilot = matches!(self, Self::Vscode | Self::Github);
        if is_copilot && value.items().all(|item| item.to_string().trim().is_empty()) {
            return Err(NOTHING);
        }
        match (self, value) {
            (Self::Cursor, Value::List(items)) if !items.is_empty() => return Err(NO_LIST),
            (Self::Vscode, Value::List(_)) => return Err(ABSENT_LIST),
            _ => {}
        }
        let texts = value.items().filter_map(Value::as_str);
        let parts = texts.flat_map(|text| split(text, whole_braces));
        // `[]` stands for no pattern: the rule is called by its name.
        let parts = parts
            .map(str::trim)
            .filter(|part| !["", "[]"].contains(part));
        Ok(parts.map(|part| self.read(part)).collect())
    }
}

/// The patterns of a value that match nothing, each with the reason.
pub fn dead_globs(dialect: &str, value: &Value) -> Vec<(String, String)> {
    let dialect = Dialect::of(dialect);
    match dialect.split(value, true) {
        Err(why) => vec![(value.to_string(), why.to_owned())],
        Ok(patterns) => {
            let dead = patterns.into_iter();
            let dead = dead.filter_map(|pattern| {
                let may_cut = dialect == Dialect::Cursor && pattern.text.contains(',');
                let cut = || may_cut.then(|| MAY_CUT.to_owned());
                Some((pattern.text, pattern.glob.err().or_else(cut)?))
            });
            // An error that several of them share is reported once.
            dead.fold(Vec::new(), |mut all: Vec<(String, String)>, (text, why)| {
                match all.last_mut().filter(|(_, known)| *known == why) {
                    Some((texts, _)) => texts.extend([", ", &text]),
                    None => all.push((text, why)),
                }
                all
            })
        }
    }
}

/// Rewrites a list of patterns, or patterns in quotes, as the single unquoted line that the memory's
/// system reads. None if the system does not join patterns in one line, or cannot read the result.
pub fn in_one_line(memory: &Memory) -> Option<Value> {
    let spec = memory.schema.role(Role::Patterns)?;
    let dialect = memory.schema.can.globs.filter(|_| spec.style.joins())?;
    let value = memory.field(spec.name)?;
    let text = value.as_str().filter(|_| spec.style == Style::Bare);
    let yaml = text.map(|text| frontmatter::read(&format!("value: {text}")));
    let value = match &yaml {
        Some(fields) => fields.as_ref().ok()?.get("value")?,
        None => value,
    };
    let text = Value::from(bare(value));
    let dead = dead_globs(dialect, &text);
    dead.iter().all(|(_, why)| why == MAY_CUT).then_some(text)
}

/// Bytes of a pattern at most.
const LONGEST: usize = 10_000;

/// Nested braces of a pattern at most: the reader of patterns calls itself for each.
const DEEPEST: usize = 20;

fn depth(text: &str) -> usize {
    let mut depth = 0_usize;
    let depths = text.bytes().map(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth
    });
    depths.max().unwrap_or_default()
}

/// A text at its commas, those inside of braces and brackets left alone where that is asked.
fn split(text: &str, whole_braces: bool) -> Vec<&str> {
    let mut depth = 0_usize;
    let is_end = |c: char| {
        match c {
            '{' | '[' if whole_braces => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    text.split(is_end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attaches(dialect: Dialect, value: &str, file: &str) -> bool {
        let patterns = dialect.patterns(&Value::from(value)).unwrap();
        patterns.iter().any(|pattern| {
            let glob = pattern.glob.as_ref();
            pattern.is_all || glob.is_ok_and(|glob| glob.is_match(file.as_bytes()))
        })
    }

    #[test]
    fn a_pattern_of_any_size_is_matched_or_dead() {
        for (text, dead) in [
            ("Human: ".repeat(400_000), 1),
            ("?".repeat(10_000), 0),
            ("**/".repeat(3_333), 0),
        ] {
            let found = dead_globs("vscode", &Value::from(text.as_str()));
            assert_eq!(found.len(), dead, "{found:.200?}");
        }
    }

    #[test]
    fn each_dialect_reads_patterns_in_its_own_way() {
        use Dialect::{Cursor, Github, Vscode};
        for (dialect, value, file, expected) in [
            (Cursor, "*.ts", "a.ts", true),
            (Cursor, "*.ts", "src/a.ts", false),
            (Cursor, "src/**, **/*.py", "x/y.py", true),
            (Cursor, "\"**/*.c\"", "x.c", false),
            (Cursor, "src/{a,b}/**", "src/a/x", false),
            (Vscode, "*.py", "deep/in/x.py", true),
            (Vscode, "*", "anything", true),
            (Vscode, "src/**", "lib/src/x", true),
            (Vscode, "/src/**", "src/x", false),
            (Vscode, "**/*.{TS,tsx}", "a/b.ts", true),
            (Github, "*.py", "x.py", true),
            (Github, "*.py", "a/x.py", false),
            (Github, "src/**", "lib/src/x", false),
            (Github, "**", "x", true),
        ] {
            assert_eq!(
                attaches(dialect, value, file),
                expected,
                "{dialect:?} {value} {file}"
            );
        }
    }

    #[test]
    fn lists_that_a_system_does_not_read_are_told() {
        let list: Value = ["**/*.ts"].into_iter().map(Value::from).collect();
        assert!(Dialect::Vscode.patterns(&list).is_err());
        assert!(Dialect::Cursor.patterns(&list).is_err());
        assert_eq!(Dialect::Github.patterns(&list).unwrap().len(), 1);
    }
}
