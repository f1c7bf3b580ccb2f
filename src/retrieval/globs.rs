//! Rules that are attached by patterns of files: Cursor, Copilot, Kiro, Windsurf and others. Each
//! reads its patterns in its own way (formats: cursor, "Parsing"; copilot, "Glob dialects differ").

mod imported;
mod linked;

use globset::GlobBuilder;
use regex::bytes::{Regex, RegexBuilder};

use self::imported::Imported;
use self::linked::Linked;
use super::always::joined;
use super::listing::{Ask, Judged, Listing};
use super::{Match, Options, Reason, StoreFault, Texts};
use crate::memory::frontmatter::{self, write::bare};
use crate::memory::schema::{Kind, Style};
use crate::memory::{Memory, Role, Severity, Sight, Value};

/// The policy.
pub(super) struct Globs;

/// Why a memory without anything that attaches it is left out.
const BY_HAND: &str =
    "it is attached by hand only: it has neither patterns nor a description that counts";

/// How a memory is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Always,
    Glob,
    Description,
    Manual,
}

/// A pattern as a system reads it.
#[derive(Debug)]
struct Pattern {
    text: String,
    /// True if it holds for every file, so that none need be there.
    is_all: bool,
    /// None where it can match nothing, with the reason.
    glob: Result<Regex, String>,
}

/// The dialects, in which most things are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Cursor,
    Vscode,
    Github,
    Other,
}

impl Dialect {
    fn of(name: &str) -> Self {
        match name {
            "cursor" => Self::Cursor,
            "vscode" => Self::Vscode,
            "github" => Self::Github,
            _ => Self::Other,
        }
    }

    /// A pattern as the system reads it.
    fn read(self, text: &str) -> Pattern {
        let is_all = match self {
            Self::Vscode => matches!(text, "**" | "**/*" | "*"),
            Self::Github => matches!(text, "**" | "**/*"),
            Self::Cursor | Self::Other => matches!(text, "**" | "**/*"),
        };
        let dead = match self {
            _ if depth(text) > DEEPEST => Some("its braces are nested too deeply"),
            _ if text.len() > LONGEST => Some("it is longer than 10,000 bytes"),
            Self::Cursor if text.starts_with(['"', '\'']) || text.ends_with(['"', '\'']) => {
                Some("Cursor takes the quotes for a part of the pattern: write it without")
            }
            Self::Cursor if text.starts_with('[') => {
                Some("Cursor reads no list here: write the patterns in one line, parted by commas")
            }
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

    /// The patterns of a value, or why the system reads none.
    fn patterns(self, value: &Value) -> Result<Vec<Pattern>, &'static str> {
        let is_copilot = matches!(self, Self::Vscode | Self::Github);
        if is_copilot && value.items().all(|item| item.to_string().trim().is_empty()) {
            return Err(
                "an empty value attaches the file to nothing: write patterns, or take the field out",
            );
        }
        match (self, value) {
            (Self::Cursor, Value::List(_)) => {
                return Err(
                    "Cursor reads no list here: write the patterns in one line, parted by commas",
                );
            }
            (Self::Vscode, Value::List(_)) => {
                return Err(
                    "VS Code takes a list for an absent value: write one string, parted by commas",
                );
            }
            _ => {}
        }
        // Cursor cuts inside of braces too.
        let texts = value.items().filter_map(Value::as_str);
        let parts = texts.flat_map(|text| split(text, self != Self::Cursor));
        let parts = parts.map(str::trim).filter(|part| !part.is_empty());
        Ok(parts.map(|part| self.read(part)).collect())
    }
}

/// The patterns of a value that a dialect can match nothing with, each with the reason; of a value
/// that it does not read the value itself.
pub fn dead_globs(dialect: &str, value: &Value) -> Vec<(String, String)> {
    match Dialect::of(dialect).patterns(value) {
        Err(why) => vec![(value.to_string(), why.to_owned())],
        Ok(patterns) => {
            let dead = patterns.into_iter();
            let dead = dead.filter_map(|pattern| Some((pattern.text, pattern.glob.err()?)));
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
    dead_globs(dialect, &text).is_empty().then_some(text)
}

/// Bytes of a pattern at most.
const LONGEST: usize = 10_000;

/// Nested braces of a pattern at most: the reader of patterns calls itself for each.
const DEEPEST: usize = 20;

/// How deep the braces of a pattern are nested.
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

/// True if the value that a memory has for a role is not blank.
fn has(memory: &Memory, role: Role) -> bool {
    let items = memory.role(role).into_iter().flat_map(Value::items);
    let mut texts = items.map(ToString::to_string);
    texts.any(|text| !text.trim().is_empty())
}

/// How a system attaches a memory: what its field says, else what its other fields allow.
fn mode(memory: &Memory, options: &Options) -> Mode {
    let whole = options.get("whole");
    if whole.is_some_and(|name| *memory.id.local == *name) {
        return Mode::Always;
    }
    if memory.sight == Sight::TextOnly {
        return Mode::Manual;
    }
    // A quoted `true` is a text, and no system takes it for the switch.
    let is_switch = memory.schema.role(Role::Mode);
    let is_switch = is_switch.is_some_and(|spec| spec.kind == Kind::Bool);
    let said = memory.role(Role::Mode);
    let said = said.filter(|value| !is_switch || matches!(value, Value::Bool(_)));
    let said = said.map(ToString::to_string);
    let said = said.filter(|said| !said.is_empty());
    let said = said.as_deref().or_else(|| options.get("otherwise"));
    let named = [
        ("always", Mode::Always),
        ("glob", Mode::Glob),
        ("description", Mode::Description),
        ("manual", Mode::Manual),
    ];
    let named = named.into_iter().find(|(name, _)| {
        let own = options.get(name);
        own.is_some() && own == said
    });
    match named {
        Some((_, mode)) => mode,
        None if has(memory, Role::Patterns) => Mode::Glob,
        None if has(memory, Role::Description) => Mode::Description,
        None if options.get("bare") == Some("always") => Mode::Always,
        None => Mode::Manual,
    }
}

impl Globs {
    /// The mode of a memory by its own fields.
    fn alone(memory: &Memory, ask: &Ask<'_>) -> Judged {
        match mode(memory, &ask.limits.options) {
            Mode::Always => Judged::of(Reason::Selected),
            Mode::Glob => Self::by_patterns(memory, ask),
            Mode::Description if !has(memory, Role::Description) => Judged::hint(
                Reason::NotApplicable,
                "the model chooses it by its description, and it has none",
            ),
            Mode::Description => Judged::hint(
                Reason::Reachable,
                "the model sees its description and may read it",
            ),
            Mode::Manual if memory.sight == Sight::TextOnly => Judged::hint(
                Reason::NotApplicable,
                "it is attached by hand only: the first line is not `---`, so its fields are text",
            ),
            Mode::Manual => {
                let dialect = Dialect::of(ask.dialect);
                let patterns = memory.role(Role::Patterns);
                match patterns.and_then(|value| dialect.patterns(value).err()) {
                    Some(why) => Judged::hint(Reason::Invalid, why),
                    None => Judged::hint(Reason::NotApplicable, BY_HAND),
                }
            }
        }
    }

    /// The verdict on a memory that is attached by patterns.
    fn by_patterns(memory: &Memory, ask: &Ask<'_>) -> Judged {
        let dialect = Dialect::of(ask.dialect);
        let value = memory.role(Role::Patterns);
        let patterns = match value.map(|value| dialect.patterns(value)) {
            None => return Judged::hint(Reason::NotApplicable, "it has no patterns of files"),
            Some(Err(why)) => return Judged::hint(Reason::Invalid, why),
            Some(Ok(patterns)) => patterns,
        };
        let matched = |pattern: &Pattern, hit: &str| Judged {
            matched: Some(Match {
                pattern: pattern.text.clone(),
                kind: "glob",
                hit: hit.to_owned(),
            }),
            ..Judged::of(Reason::Selected)
        };
        for pattern in &patterns {
            if pattern.is_all {
                return matched(pattern, "every file");
            }
            let Ok(glob) = &pattern.glob else { continue };
            let fits = |file: &&String| glob.is_match(file.trim_start_matches("./").as_bytes());
            if let Some(file) = ask.task.files.iter().find(fits) {
                return matched(pattern, file);
            }
        }
        let dead = patterns
            .iter()
            .find_map(|pattern| pattern.glob.as_ref().err());
        let all_dead = patterns.iter().all(|pattern| pattern.glob.is_err());
        if let Some(why) = dead.filter(|_| all_dead) {
            return Judged::hint(Reason::Invalid, why.clone());
        }
        let texts: Vec<&str> = patterns.iter().map(|pattern| &*pattern.text).collect();
        let wanted = format!("a file that matches `{}` attaches it", texts.join("`, `"));
        match ask.task.files.is_empty() {
            true => Judged::hint(Reason::NotApplicable, format!("{wanted} (--file PATH)")),
            false => Judged::hint(Reason::NoMatch, wanted),
        }
    }
}

impl Listing for Globs {
    const NAME: &'static str = "globs";
    const DIALECTS: &'static [&'static str] =
        &["cursor", "vscode", "github", "kiro", "windsurf", "plain"];
    const FLAGS: &'static [&'static str] = &["file"];
    /// The files that are attached because another one links to them or imports them.
    type Facts = (Linked, Imported);

    fn facts(memories: &[&Memory], ask: &Ask<'_>, texts: &dyn Texts) -> (Linked, Imported) {
        let is_attached = |memory: &Memory| Self::alone(memory, ask).reason == Reason::Selected;
        let is_loaded = |local: &str| {
            let mut all = memories.iter();
            all.any(|one| *one.id.local == *local && one.hidden.is_none() && is_attached(one))
        };
        let imports = ask.setting("imports").unwrap_or_default();
        let linked = match ask.dialect {
            "vscode" => Linked::from_files(memories, is_attached, texts),
            _ => Linked::default(),
        };
        (linked, Imported::new(imports, is_loaded))
    }

    fn judge(memory: &Memory, ask: &Ask<'_>, (linked, imported): &(Linked, Imported)) -> Judged {
        let judged = match imported.get(&memory.id.local) {
            Some(Some(from)) => {
                let why = format!("{from} imports it and is not loaded");
                Judged::hint(Reason::NotApplicable, why)
            }
            Some(None) => Judged::of(Reason::Selected),
            None => Self::alone(memory, ask),
        };
        match linked.to(memory) {
            Some(from) if judged.reason != Reason::Selected => Judged {
                matched: Some(Match {
                    pattern: memory.id.local.to_string(),
                    kind: "link",
                    hit: from.to_owned(),
                }),
                ..Judged::of(Reason::Selected)
            },
            _ => judged,
        }
    }

    /// Reports files that the model can never choose: those it would choose by a description that is
    /// missing and, in VS Code, those with neither patterns nor a description.
    fn faults(
        memories: &[(usize, &Memory)],
        options: &Options,
        _texts: &dyn Texts,
    ) -> Vec<StoreFault> {
        let is_vscode = options.get("dialect") == Some("vscode");
        let is_bare = |memory: &Memory| match mode(memory, options) {
            Mode::Manual => is_vscode && memory.role(Role::Patterns).is_none(),
            Mode::Description => !has(memory, Role::Description),
            _ => false,
        };
        let bare = memories
            .iter()
            .filter(|(_, one)| one.hidden.is_none() && is_bare(one));
        let Some((first, _)) = bare.clone().next() else {
            return Vec::new();
        };
        let names = bare.map(|(_, memory)| format!("`{}`", memory.id.local));
        let evidence: Vec<String> = names.collect();
        let many = match evidence.len() {
            1 => "1 file has".to_owned(),
            many => format!("{many} files have"),
        };
        vec![StoreFault {
            rule: "missing-field",
            severity: Severity::Info,
            memory: *first,
            message: match is_vscode {
                true => format!(
                    "{many} neither patterns nor a description: attached only by hand or by a link"
                ),
                false => format!("{many} no description for the model to choose by"),
            },
            evidence,
        }]
    }

    fn notes(_ask: &Ask<'_>, (linked, _): &(Linked, Imported)) -> Vec<String> {
        let others = linked.others.iter().map(|(from, path)| {
            format!(
                "{from} links to {path}, which VS Code attaches too where it is in the workspace"
            )
        });
        others.collect()
    }

    fn prompt(
        _memories: &[&Memory],
        selected: &[&Memory],
        ask: &Ask<'_>,
        _facts: &(Linked, Imported),
        texts: &dyn Texts,
    ) -> String {
        if ask.dialect != "vscode" {
            return joined(selected, texts);
        }
        // The whole file, fields included; the same text is given once.
        let mut given: Vec<String> = Vec::new();
        let mut parts = Vec::new();
        for memory in selected {
            let text = texts.text(memory).unwrap_or_default().trim().to_owned();
            if !given.contains(&text) {
                let path = memory.path.display();
                parts.push(format!(
                    "<attachment filePath=\"{path}\">\n{text}\n</attachment>"
                ));
                given.push(text);
            }
        }
        parts.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if a pattern attaches a file, in a dialect.
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
