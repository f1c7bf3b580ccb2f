//! Bodies that say nothing.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::rows::LineTable;
use super::{Finding, Rule, Subject};
use crate::memory::{Role, Severity, Sight, Value, comments};
use crate::systems::golemcore::kin;
use crate::text::patterns::compact;
use crate::text::tokens::{Kind, tokens};
use crate::text::word_lists::Words;

/// Lines that say that the text is still to be written.
static UNWRITTEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let table = LineTable::parse(include_str!("../../assets/lint/empty.toml"));
    compact(&format!("(?i)^{}$", table.joined("")))
});

/// Words that say what a memory is about, or send the reader to its title, and nothing of their own.
static ABOUT: Words = Words::named("about");

/// A body of more lines says something.
const FEW: usize = 3;

/// Reports a body that says nothing, or nothing that the title does not.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    // The body of an unreadable file is unknown, and an index starts empty.
    let is_skipped = subject.memory.sight == Sight::Skipped;
    if is_skipped || subject.has_problem("load-error") || subject.memory.index_table().is_some() {
        return;
    }
    let (start, body) = subject.body();
    let is_made = kin::has_made_title(subject.memory, body);
    let title = subject.memory.role(Role::Title).and_then(Value::as_str);
    if let Some(says) = nothing(body, title.filter(|_| !is_made)) {
        let name = subject.memory.path.file_name();
        let mut fixed = subject.memory.schema.can.fixed_files.iter();
        let is_fixed = fixed.any(|fixed| name.is_some_and(|name| name == *fixed));
        let severity = Severity::of(!is_fixed);
        let finding = subject.finding(rule.id, severity, subject.at(start));
        out.push(finding.sure(0.95).says(says));
    }
}

/// Why a body says nothing.
fn nothing(body: &str, title: Option<&str>) -> Option<&'static str> {
    let body = comments::without(body);
    let lines = body.lines().map(str::trim);
    let lines = lines.filter(|line| line.contains(char::is_alphanumeric));
    let lines: Vec<&str> = lines.take(FEW + 1).collect();
    if lines.is_empty() {
        return Some("the body is empty");
    }
    let is_text = |line: &&&str| !line.starts_with('#');
    let text: Vec<&&str> = lines.iter().filter(is_text).collect();
    let is_unwritten = |line: &str| {
        let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
        let listed = line.trim_start_matches(['-', '*', '>', ' ']);
        let pattern = UNWRITTEN.as_ref();
        pattern.is_some_and(|one| one.is_match(bare) || one.is_match(listed))
    };
    if text.len() == 1 && text.iter().all(|line| is_unwritten(line)) {
        return Some("the body is still to be written");
    }
    if lines.len() > FEW {
        return None;
    }
    if text.is_empty() && title.is_none() {
        return Some("the body is nothing but headings");
    }
    let text = lines.join("\n");
    if !tokens(&text).is_empty() && stems(&text).is_subset(&stems(title?)) {
        return Some("the body says nothing that the title does not");
    }
    text.is_empty()
        .then_some("the body is nothing but headings")
}

/// The stems of the words of a text that say something.
fn stems(text: &str) -> HashSet<u32> {
    static STOP: Words = Words::named("stop");
    let says = |word: &str| !STOP.has(word) && !ABOUT.has(word);
    let tokens = tokens(text).into_iter().filter(|token| {
        let word = text.get(token.at.clone()).unwrap_or_default();
        token.kind == Kind::Negation || says(&word.to_lowercase())
    });
    tokens.map(|token| token.stem).collect()
}
