//! Sessions that are no transcript: a conversation as plain text, a diff with its message, a patch.

use std::sync::LazyLock;

use regex::Regex;

use super::outcomes::{Signature, exit_code};
use super::session::{FileEdit, Run, Session, Step};
use crate::text::patterns::compact;

/// A line by which somebody begins to speak: `User: …`, `**Assistant:**`, `## Human`.
static SPEAKER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let person = "user|human|person|me|you|developer|customer|prompt";
    let agent = "assistant|agent|ai|model|bot|claude(?: code)?|codex|gemini|copilot|cursor|chatgpt";
    compact(&format!(
        r"(?i)^\W{{0,5}}(?:(?P<person>{person})|(?P<agent>{agent}))\b(?: \([^)]*\))?\**(?::\**[ \t]*|\W*$)"
    ))
});

/// Who speaks in a line of a conversation, and the words behind the name.
fn speaker(line: &str) -> Option<(bool, &str)> {
    let found = SPEAKER.as_ref()?.captures(line)?;
    let is_marked = line.contains(':') || line.trim_start().starts_with(['#', '*']);
    let rest = line.get(found.get(0)?.end()..)?;
    is_marked.then(|| (found.name("person").is_some(), rest))
}

/// A command that somebody typed at a prompt.
pub fn typed(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("$ ").or_else(|| line.strip_prefix("❯ "));
    line.filter(|line| !line.trim().is_empty())
}

/// Reads a conversation. A text in which nobody is named is the agent's.
pub fn conversation(text: &str) -> Session {
    let mut steps = vec![Step::Agent(String::new())];
    for line in text.lines() {
        if let Some((is_person, words)) = speaker(line) {
            let step = if is_person { Step::Person } else { Step::Agent };
            steps.push(step(words.to_owned()));
        } else if let Some(line) = typed(line) {
            let line = line.to_owned();
            steps.push(Step::Run(Run {
                line,
                ..Run::default()
            }));
        } else if let Some(Step::Run(_)) = steps.last().filter(|_| line.trim().is_empty()) {
            steps.push(Step::Agent(String::new()));
        } else if let Some(
            Step::Person(text) | Step::Agent(text) | Step::Run(Run { output: text, .. }),
        ) = steps.last_mut()
        {
            text.push('\n');
            *text += line;
        }
    }
    let mut session = Session::default();
    for mut step in steps {
        match &mut step {
            Step::Person(text) | Step::Agent(text) if text.trim().is_empty() => continue,
            Step::Person(text) | Step::Agent(text) => *text = text.trim().to_owned(),
            Step::Run(run) => {
                let code = exit_code(&run.output).map(|code| code != 0);
                run.failed = code.or_else(|| Some(!Signature::new(&run.output).is_empty()));
            }
            _ => {}
        }
        session.push(step);
    }
    session
}

pub fn is_mail(line: &str) -> bool {
    line.starts_with("From ") && line.contains(" 00:00:00 ")
}

const FIELDS: &str = "Author AuthorDate Commit CommitDate Date From Merge";

/// Reads a diff, of `git show`, `git log -p`, `git format-patch` or `diff -u`.
pub fn diff(text: &str) -> Session {
    let mut steps: Vec<Step> = Vec::new();
    let mut in_message = false;
    for line in text.lines() {
        if line.starts_with("commit ") || is_mail(line) {
            steps.push(Step::Commit(String::new()));
            in_message = true;
        } else if line.starts_with("diff --git ") || in_message && line == "---" {
            in_message = false;
        } else if let (true, Some(Step::Commit(message))) = (in_message, steps.last_mut()) {
            let is_field = |(name, _): (&str, &str)| FIELDS.split(' ').any(|field| field == name);
            if !line.split_once(':').is_some_and(is_field) {
                let subject = line.strip_prefix("Subject: ").unwrap_or(line.trim());
                let patch = subject.strip_prefix("[PATCH");
                let bare = patch.and_then(|patch| Some(patch.split_once("] ")?.1));
                *message += bare.unwrap_or(subject);
                message.push('\n');
            }
        } else if let Some(path) = line.strip_prefix("+++ ") {
            let path = path.split('\t').next().unwrap_or_default();
            steps.push(edit(path.strip_prefix("b/").unwrap_or(path)));
        } else {
            take_added(&mut steps, line);
        }
    }
    let mut session = Session::default();
    session.is_diff = true;
    for mut step in steps {
        if let Step::Commit(message) = &mut step {
            *message = message.trim().to_owned();
        }
        session.push(step);
    }
    session
}

fn edit(path: &str) -> Step {
    Step::Edit(FileEdit {
        path: path.trim().to_owned(),
        ..FileEdit::default()
    })
}

/// Adds a line that came to the change of a file.
fn take_added(steps: &mut [Step], line: &str) {
    if let (Some(Step::Edit(edit)), Some(added)) = (steps.last_mut(), line.strip_prefix('+')) {
        edit.added += added;
        edit.added.push('\n');
    }
}

/// The changes of a patch as Codex writes it; empty if a text holds none.
pub fn patch(text: &str) -> Vec<Step> {
    let patch = text.split_once("*** Begin Patch");
    let patch = patch.map_or("", |(_, patch)| patch);
    let mut edits: Vec<Step> = Vec::new();
    for line in patch.lines().take_while(|line| *line != "*** End Patch") {
        let file = line.strip_prefix("*** Update File: ");
        if let Some(path) = file.or_else(|| line.strip_prefix("*** Add File: ")) {
            edits.push(edit(path));
        } else {
            take_added(&mut edits, line);
        }
    }
    edits
}
