//! Lessons in deeds: commands that failed, the changes after which they worked, and commands that work
//! in the place of others. A command that just works is no lesson. A failure is known by its signature:
//! the tests, errors and stack frames that an output names.

use std::collections::HashMap;
use std::sync::LazyLock;

use itertools::Itertools as _;
use serde::Deserialize;

use super::session::{FileEdit, Run, Session, Step};
use super::{Lesson, capital, first, is};
use crate::text::cut;
use crate::text::patterns::{Pattern, compact};
use crate::text::tokens::hash;

/// Steps back in which a command is looked for that another one takes the place of.
const NEAR: usize = 4;
const MOST: usize = 6;
/// Bytes of a command and of an error that are shown.
const LONGEST: usize = 160;
const LINES: usize = 3;

#[derive(Default, Deserialize)]
struct Programs {
    looking: String,
    settings: Pattern,
    rivals: Vec<String>,
}

static PROGRAMS: LazyLock<Programs> = LazyLock::new(|| {
    toml::from_str(include_str!("../../assets/extract/commands.toml")).unwrap_or_default()
});

pub(super) fn among(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|one| one == word)
}

/// The programs of which a project uses one: those in whose place a program stands, itself included.
pub(super) fn rivals(program: &str) -> Option<&'static str> {
    let mut groups = PROGRAMS.rivals.iter().map(String::as_str);
    groups.find(|group| among(group, program))
}

/// The part of a command line that matters.
#[derive(Clone, Debug, PartialEq)]
struct Command {
    shown: String,
    /// The program, then the words that are no flags.
    words: Vec<String>,
}

impl Command {
    /// The first part of a line that does more than look.
    fn parse(line: &str) -> Option<Self> {
        let line = line.lines().next()?.replace("&&", ";").replace("||", ";");
        line.split([';', '|']).find_map(|part| {
            let shown = part.split(" 2>").next()?.trim();
            let is_setting = |word: &&str| word.contains('=') && !word.starts_with('-');
            let words = shown.split_whitespace().skip_while(is_setting);
            let words = words.skip_while(|word| among("sudo time env exec", word));
            let words = words.filter(|word| !word.starts_with('-'));
            let words: Vec<String> = words.map(str::to_owned).collect();
            let is_looking = among(&PROGRAMS.looking, words.first()?.rsplit('/').next()?);
            let shown = cut(shown, LONGEST).to_owned();
            (!is_looking).then_some(Self { shown, words })
        })
    }

    /// True if it is meant to do what another one does: they share a word behind their programs.
    fn stands_for(&self, other: &Self) -> bool {
        let parts = |one: &Self| {
            let words = one.words.iter().skip(1);
            let words = words.flat_map(|word| word.split(|c: char| !c.is_alphanumeric()));
            let words = words.filter(|word| word.len() > 2);
            words.map(str::to_lowercase).collect_vec()
        };
        let others = parts(other);
        self.shown != other.shown && parts(self).iter().any(|word| others.contains(word))
    }
}

/// Commands as code, by commas.
fn list(commands: &[Command]) -> String {
    let shown = commands.iter().map(|one| format!("`{}`", one.shown));
    shown.take(MOST).join(", ")
}

/// A command that failed and did not work since.
struct Failing {
    at: usize,
    command: Command,
    signature: Signature,
}

/// Reads the steps once, with the failures that are open.
#[derive(Default)]
struct Reader<'s> {
    steps: &'s [Step],
    open: Vec<Failing>,
    found: Vec<Lesson>,
}

pub fn lessons(session: &Session) -> Vec<Lesson> {
    let mut reader = Reader {
        steps: &session.steps,
        ..Reader::default()
    };
    for (at, step) in session.steps.iter().enumerate() {
        match step {
            Step::Run(run) => reader.run(at, run),
            Step::Commit(message) => reader.commit(at, message),
            _ => {}
        }
    }
    for failing in std::mem::take(&mut reader.open) {
        let failure = reader.failure(&failing, session.steps.len());
        reader.found.extend(failure);
    }
    reader.found
}

impl<'s> Reader<'s> {
    fn between(&self, from: usize, to: usize) -> impl Iterator<Item = &'s Step> + use<'s> {
        self.steps.iter().take(to).skip(from + 1)
    }

    /// The next step of a kind, or the end.
    fn next(&self, from: usize, is: fn(&Step) -> bool) -> usize {
        let next = self.between(from, self.steps.len()).position(is);
        next.map_or(self.steps.len(), |next| from + 1 + next)
    }

    /// Cause and intent as the agent tells them between two steps, or in the answer behind.
    fn explained(&self, from: usize, to: usize) -> [Option<&'s str>; 2] {
        let behind = self.steps.iter().skip(to).take(3);
        let behind = behind.take_while(|step| step.person().is_none());
        let steps = self.between(from, to).chain(behind);
        let words = steps.filter_map(Step::agent).collect_vec();
        ["cause", "fix"].map(|kind| first(&words, kind))
    }

    fn edits(&self, from: usize, to: usize) -> Vec<&'s FileEdit> {
        let edits = self.between(from, to).filter_map(Step::edit);
        edits.unique_by(|edit| &edit.path).take(MOST).collect()
    }

    fn run(&mut self, at: usize, run: &Run) {
        let Some(command) = Command::parse(&run.line) else {
            return;
        };
        if run.failed == Some(true) {
            self.open.retain(|one| one.command.words != command.words);
            let signature = Signature::new(&run.output);
            return self.open.push(Failing {
                at,
                command,
                signature,
            });
        }
        for failing in std::mem::take(&mut self.open) {
            let edits = self.edits(failing.at, at);
            let is_near = at - failing.at <= NEAR && edits.is_empty();
            let is_same = failing.command.words == command.words;
            if is_same && (!edits.is_empty() || failing.command == command) {
                let fix = self.fixed(&failing, at, &edits);
                self.found.extend(fix);
            } else if is_near && command.stands_for(&failing.command) {
                self.found.push(instead(&failing, &command));
            } else {
                self.open.push(failing);
            }
        }
    }

    /// The failure of a command, with its cause where the agent names one.
    fn failure(&self, failing: &Failing, to: usize) -> Option<Lesson> {
        let (signature, shown) = (&failing.signature, &failing.command.shown);
        let what = signature.words()?;
        let [cause, _] = self.explained(failing.at, to);
        let mut body = format!("`{shown}` fails: {what}.");
        for more in signature.tests.iter().skip(1) {
            body += &format!(" Also {more}.");
        }
        if let Some(cause) = cause {
            body += &format!("\n\nCause: {}", capital(cause));
        }
        if let Some(print) = signature.fingerprint() {
            body += &format!("\n\nStack: `{}` ({print})", signature.frames.join("`, `"));
        }
        let sure = if cause.is_some() { 0.7 } else { 0.5 };
        let name = format!("{what} in `{shown}`");
        let evidence = format!("`{shown}` printed: {what}");
        Some(Lesson::new("failure", sure, &name, body, evidence))
    }

    /// A command works again after changes of files, or after other commands. Where nobody says what
    /// was wrong and no setting changed, it was a step on the way.
    fn fixed(&self, failing: &Failing, to: usize, edits: &[&FileEdit]) -> Option<Lesson> {
        let (own, what) = (&failing.command, failing.signature.words()?);
        let shown = &own.shown;
        let runs = self.between(failing.at, to).filter_map(Step::run);
        let runs = runs.filter(|run| run.failed != Some(true) && edits.is_empty());
        let commands = runs.filter_map(|run| Command::parse(&run.line));
        let commands = commands.filter(|one| one.words != own.words).collect_vec();
        let head = format!("`{shown}` failed: {what}.");
        let evidence = format!("`{shown}` failed, and works since the change");
        let steps = list(&commands);
        let fix = if steps.is_empty() {
            self.fix(&head, (failing.at, to), edits)?
        } else {
            let body = format!("{head} It works after {steps}.");
            let name = format!("{steps} before `{shown}`");
            Lesson::new("fix", 0.8, &name, body, evidence.clone())
        };
        Some(Lesson {
            evidence,
            confidence: 0.8,
            fixes: self.failure(failing, to).map(Box::new),
            ..fix
        })
    }

    /// A change of files with its cause and its intent.
    fn fix(&self, head: &str, (from, to): (usize, usize), edits: &[&FileEdit]) -> Option<Lesson> {
        let [cause, intent] = self.explained(from, to);
        let (changed, reason) = (changes(edits), intent.or(cause));
        let explains = reason.is_some() || changed.contains(", with `");
        if edits.is_empty() || !explains {
            return None;
        }
        let mut body = head.to_owned();
        for (name, text) in [("Cause", cause), ("Fix", intent)] {
            let text = text.map(|text| format!("\n\n{name}: {}", capital(text)));
            body += &text.unwrap_or_default();
        }
        let body = (body + &changed).trim().to_owned();
        let evidence = format!("the agent: “{}”", reason.unwrap_or_default());
        let fix = Lesson::new("fix", 0.5, reason.unwrap_or(head), body, evidence);
        Some(fix.about(edits))
    }

    /// A commit that repairs something, with the files of its diff.
    fn commit(&mut self, at: usize, message: &str) {
        let (subject, rest) = message.split_once('\n').unwrap_or((message, ""));
        if is(subject, "trouble", "code") {
            let next = self.next(at, |step| matches!(step, Step::Commit(_)));
            let edits = self.edits(at, next);
            let why = rest.trim().split("\n\n").next().unwrap_or_default();
            let body = format!("{}.\n\n{why}{}", capital(subject), changes(&edits));
            let evidence = format!("the commit “{subject}”");
            let fix = Lesson::new("fix", 0.7, subject, body, evidence);
            self.found.push(fix.about(&edits));
        }
    }
}

/// Another command does what one could not.
fn instead(failing: &Failing, command: &Command) -> Lesson {
    let (old, new) = (&failing.command.shown, &command.shown);
    let why = failing.signature.words();
    let why = why.map_or_else(String::new, |why| format!(": {why}"));
    let body = format!("Run `{new}`. `{old}` fails here{why}.");
    let evidence = format!("`{old}` failed, `{new}` worked");
    let name = format!("Run `{new}`, not `{old}`");
    Lesson::new("command", 0.75, &name, body, evidence)
}

/// The changed files, with what came into settings.
fn changes(edits: &[&FileEdit]) -> String {
    let mut all = String::new();
    for edit in edits {
        let lines = edit.added.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty()).take(LINES);
        let lines = lines.map(|line| format!("`{line}`")).join(", ");
        let gap = if all.is_empty() { "\n\n" } else { "\n" };
        all += &format!("{gap}Changed: `{}`", edit.path);
        if PROGRAMS.settings.is_in(&edit.path) && !lines.is_empty() {
            all += &format!(", with {lines}");
        }
    }
    all
}

const MOST_PARTS: usize = 3;

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

static ROWS: LazyLock<HashMap<String, Vec<Row>>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../assets/extract/signatures.toml")).unwrap_or_default()
});

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signature {
    pub tests: Vec<String>,
    pub error: Option<String>,
    /// Functions or files of the stack, the innermost as it is printed first.
    pub frames: Vec<String>,
}

impl Signature {
    pub fn new(output: &str) -> Self {
        let mut found = Self::default();
        for row in ROWS.values().flatten() {
            let places = row.pattern.places(output);
            let parts = places.filter_map(|(_, part)| output.get(part));
            for part in parts.take(MOST_PARTS) {
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
                if list.len() < MOST_PARTS && !list.contains(&part) && !part.is_empty() {
                    list.push(part);
                }
            }
        }
        found
    }

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
        assert!(ROWS["row"].len() > 20);
        for row in &ROWS["row"] {
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
