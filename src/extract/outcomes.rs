//! Lessons in deeds: commands that failed, the changes after which they worked, and commands that work
//! in the place of others.

use std::sync::LazyLock;

use itertools::Itertools as _;
use serde::Deserialize;

use super::sayings::{first, is};
use super::session::{FileEdit, Run, Session, Step};
use super::signatures::Signature;
use super::{Lesson, capital, title};
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
    running: String,
    once: String,
    plain: String,
    settings: Pattern,
}

static PROGRAMS: LazyLock<Programs> = LazyLock::new(|| {
    toml::from_str(include_str!("../../assets/extract/commands.toml")).unwrap_or_default()
});

fn among(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|one| one == word)
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
    fn new(line: &str) -> Option<Self> {
        let line = line.lines().next()?.replace("&&", ";").replace("||", ";");
        line.split([';', '|']).find_map(|part| {
            let shown = part.split(" 2>").next()?.trim();
            let is_setting = |word: &&str| {
                word.split_once('=')
                    .is_some_and(|(name, _)| !name.starts_with('-'))
            };
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
            words
                .filter(|word| word.len() > 2)
                .map(str::to_lowercase)
                .collect_vec()
        };
        let others = parts(other);
        self.shown != other.shown && parts(self).iter().any(|word| others.contains(word))
    }

    /// True if it is a command of the project, and one that is run again.
    fn is_own(&self) -> bool {
        let program = self.words.first().map_or("", String::as_str);
        let name = program.rsplit('/').next().unwrap_or_default();
        let mut parts = self.shown.split_whitespace().skip(1).take(4);
        let is_once = parts.any(|part| among(&PROGRAMS.once, part));
        (program != name || among(&PROGRAMS.running, name)) && !is_once
    }

    /// True if its target, its flags or its path cannot be guessed.
    fn is_special(&self) -> bool {
        let words = self.shown.split_whitespace().count();
        let mut rest = self.words.iter().skip(1);
        words > self.words.len() || !rest.all(|word| among(&PROGRAMS.plain, word))
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
struct Reader<'s> {
    steps: &'s [Step],
    open: Vec<Failing>,
    found: Vec<Lesson>,
    worked: Vec<Command>,
}

/// What the commands and changes of a session teach.
pub fn lessons(session: &Session) -> Vec<Lesson> {
    let mut reader = Reader {
        steps: &session.steps,
        open: Vec::new(),
        found: Vec::new(),
        worked: Vec::new(),
    };
    for (at, step) in session.steps.iter().enumerate() {
        match step {
            Step::Run(run) => reader.run(at, run),
            Step::Commit(message) => reader.commit(at, message),
            Step::Person(task) => reader.turn(at, task),
            _ => {}
        }
    }
    let open = std::mem::take(&mut reader.open);
    let failures = open
        .iter()
        .filter_map(|one| reader.failure(one, session.steps.len()));
    let failures = failures.collect_vec();
    reader.found.extend(failures);
    reader.working();
    reader.found
}

impl<'s> Reader<'s> {
    fn between(&self, from: usize, to: usize) -> impl Iterator<Item = &'s Step> + use<'s> {
        self.steps.iter().take(to).skip(from + 1)
    }

    /// Cause and intent as the agent tells them between two steps, or in the answer behind.
    fn told(&self, from: usize, to: usize) -> [Option<&'s str>; 2] {
        let behind = self.steps.iter().skip(to).take(3);
        let behind = behind.take_while(|step| !matches!(step, Step::Person(_)));
        let words = self
            .between(from, to)
            .chain(behind)
            .filter_map(|step| match step {
                Step::Agent(text) => Some(&**text),
                _ => None,
            });
        let words = words.collect_vec();
        ["cause", "fix"].map(|kind| first(&words, kind))
    }

    fn edits(&self, from: usize, to: usize) -> Vec<&'s FileEdit> {
        let edits = self.between(from, to).filter_map(|step| match step {
            Step::Edit(edit) => Some(edit),
            _ => None,
        });
        edits.unique_by(|edit| &edit.path).take(MOST).collect()
    }

    fn run(&mut self, at: usize, run: &Run) {
        let Some(command) = Command::new(&run.line) else {
            return;
        };
        let signature = Signature::new(&run.output);
        if run.failed == Some(true) {
            self.open.retain(|one| one.command.words != command.words);
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
                self.instead(&failing, &command);
            } else {
                self.open.push(failing);
            }
        }
        if command.is_own() && !self.worked.contains(&command) {
            self.worked.push(command);
        }
    }

    /// The failure of a command, with its cause where the agent names one.
    fn failure(&self, failing: &Failing, to: usize) -> Option<Lesson> {
        let (signature, shown) = (&failing.signature, &failing.command.shown);
        let what = signature.words()?;
        let [cause, _] = self.told(failing.at, to);
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
        Some(Lesson {
            kind: "failure",
            title: title(&format!("{what} in `{shown}`")),
            body,
            evidence: format!("`{shown}` printed: {what}"),
            confidence: if cause.is_some() { 0.7 } else { 0.5 },
            ..Lesson::default()
        })
    }

    /// A command works again after changes of files, or after other commands. Where nobody says what
    /// was wrong, no setting changed and the task is about something else, it was a step on the way.
    fn fixed(&self, failing: &Failing, to: usize, edits: &[&FileEdit]) -> Option<Lesson> {
        let commands = self.between(failing.at, to).filter_map(|step| match step {
            Step::Run(run) if run.failed != Some(true) => Command::new(&run.line),
            _ => None,
        });
        let own = &failing.command;
        let commands = commands.filter(|one| edits.is_empty() && one.words != own.words);
        let commands = commands.collect_vec();
        let failure = self.failure(failing, to)?;
        let (shown, what) = (&own.shown, failing.signature.words()?);
        let head = format!("`{shown}` failed: {what}.");
        let mut before = self.steps.iter().take(failing.at).rev();
        let task = before.find_map(|step| match step {
            Step::Person(task) => Some(task),
            _ => None,
        });
        let is_wanted = task.is_some_and(|task| is(task, "trouble", "person"));
        let mut fix = match commands.as_slice() {
            [] => self.fix(&head, failing.at, to, edits, is_wanted)?,
            _ => Lesson {
                kind: "fix",
                title: title(&format!("{} before `{shown}`", list(&commands))),
                body: format!("{head} It works after {}.", list(&commands)),
                ..Lesson::default()
            },
        };
        fix.evidence = format!("`{shown}` failed, and works since the change");
        fix.confidence = 0.8;
        fix.fixes = Some(Box::new(failure));
        Some(fix)
    }

    /// A change of files with its cause and its intent.
    fn fix(
        &self,
        head: &str,
        from: usize,
        to: usize,
        edits: &[&FileEdit],
        is_wanted: bool,
    ) -> Option<Lesson> {
        let [cause, intent] = self.told(from, to);
        let changed = changes(edits);
        let explains = cause.is_some() || intent.is_some() || changed.contains(", with `");
        if edits.is_empty() || !explains && !is_wanted {
            return None;
        }
        let mut body = head.to_owned();
        for (name, text) in [("Cause", cause), ("Fix", intent)] {
            let text = text.map(|text| format!("\n\n{name}: {}", capital(text)));
            body += &text.unwrap_or_default();
        }
        let named = intent.or(cause).map(title);
        Some(Lesson {
            kind: "fix",
            title: named.unwrap_or_else(|| title(&format!("Fix: {head}"))),
            body: (body + &changed).trim().to_owned(),
            files: edits.iter().map(|edit| edit.path.clone()).collect(),
            evidence: format!("the agent: “{}”", intent.or(cause).unwrap_or_default()),
            confidence: 0.5,
            ..Lesson::default()
        })
    }

    /// Another command does what one could not.
    fn instead(&mut self, failing: &Failing, command: &Command) {
        let (old, new) = (&failing.command.shown, &command.shown);
        let why = failing.signature.words();
        let why = why.map_or_else(String::new, |why| format!(": {why}"));
        self.found.push(Lesson {
            kind: "command",
            title: title(&format!("Run `{new}`, not `{old}`")),
            body: format!("Run `{new}`. `{old}` fails here{why}."),
            evidence: format!("`{old}` failed, `{new}` worked"),
            confidence: 0.75,
            ..Lesson::default()
        });
    }

    /// A commit that repairs something, with the files of its diff.
    fn commit(&mut self, at: usize, message: &str) {
        let (subject, rest) = message.split_once('\n').unwrap_or((message, ""));
        if !is(subject, "trouble", "code") {
            return;
        }
        let next = self
            .steps
            .iter()
            .skip(at + 1)
            .position(|step| matches!(step, Step::Commit(_)));
        let edits = self.edits(at, next.map_or(self.steps.len(), |next| at + 1 + next));
        let rest = rest
            .split("\n\n")
            .map(str::trim)
            .find(|part| !part.is_empty());
        let why = rest.map_or_else(String::new, |rest| format!("\n\n{rest}"));
        self.found.push(Lesson {
            kind: "fix",
            title: title(subject),
            body: format!("{}.{why}{}", capital(subject), changes(&edits)),
            files: edits.iter().map(|edit| edit.path.clone()).collect(),
            evidence: format!("the commit “{subject}”"),
            confidence: 0.7,
            ..Lesson::default()
        });
    }

    /// The agent says what it put right in a turn about something broken, where no command shows it.
    fn turn(&mut self, from: usize, task: &str) {
        let next = self
            .steps
            .iter()
            .skip(from + 1)
            .position(|step| matches!(step, Step::Person(_)));
        let to = next.map_or(self.steps.len(), |next| from + 1 + next);
        let failed = |step: &Step| matches!(step, Step::Run(run) if run.failed == Some(true));
        if is(task, "trouble", "person") && !self.between(from, to).any(failed) {
            let fix = self.fix("", from, to, &self.edits(from, to), false);
            self.found.extend(fix);
        }
    }

    /// The commands of the project that worked, as one lesson.
    fn working(&mut self) {
        let found = &self.found;
        let is_known = |one: &Command| {
            found
                .iter()
                .any(|lesson| lesson.kind == "command" && lesson.body.contains(&one.shown))
        };
        self.worked.retain(|one| !is_known(one));
        self.worked.truncate(MOST);
        if self.worked.iter().any(Command::is_special) {
            let shown = list(&self.worked);
            self.found.push(Lesson {
                kind: "command",
                title: title(&format!("Commands that work here: {shown}")),
                body: format!(
                    "These commands worked:\n\n- {}",
                    shown.replace("`, `", "`\n- `")
                ),
                evidence: format!("they ran without an error: {shown}"),
                confidence: 0.5,
                ..Lesson::default()
            });
        }
    }
}

/// The changed files, with what came into settings.
fn changes(edits: &[&FileEdit]) -> String {
    let change = |edit: &&FileEdit| {
        let lines = edit
            .added
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        let lines = lines.take(LINES).map(|line| format!("`{line}`")).join(", ");
        let shows = PROGRAMS.settings.is_in(&edit.path) && !lines.is_empty();
        let with = if shows {
            format!(", with {lines}")
        } else {
            String::new()
        };
        format!("\nChanged: `{}`{with}", edit.path)
    };
    let all: String = edits.iter().map(change).collect();
    if all.is_empty() {
        all
    } else {
        format!("\n{all}")
    }
}
