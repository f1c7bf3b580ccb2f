//! Lessons in deeds: commands that failed, the changes after which they worked, and commands that work
//! in the place of others. A command that just works is no lesson.

use std::sync::LazyLock;

use itertools::Itertools as _;
use serde::Deserialize;

use super::sayings::{first, is};
use super::session::{FileEdit, Run, Session, Step};
use super::signatures::Signature;
use super::{Lesson, capital};
use crate::text::cut;
use crate::text::patterns::Pattern;

/// Steps back in which a command is looked for that another one takes the place of.
const NEAR: usize = 4;
/// Files and commands that a lesson names.
const MOST: usize = 6;
/// Bytes of a command that is shown.
const LONGEST: usize = 160;
/// Lines of settings that a fix shows.
const LINES: usize = 3;

/// The table of programs.
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
    /// The part as it is typed.
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

/// What the commands and changes of a session teach.
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
