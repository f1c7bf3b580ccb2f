//! Bodies: how long they are, how much of them an agent is given, and those that say nothing.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::chars::fence_after;
use super::report::counted;
use super::rows::LineTable;
use super::tuning::Threshold;
use super::{Finding, Rule, Subject};
use crate::memory::{Role, Severity, Sight, Value, comments};
use crate::retrieval::js;
use crate::systems::golemcore::kin;
use crate::systems::rawko::{self, Dialect};
use crate::text::patterns::compact;
use crate::text::tokens::{Kind, tokens};
use crate::text::word_lists::Words;

/// Words of a body that the format allows.
const MOST: f64 = 2000.0;

/// The advised lengths.
pub(super) const LIMITS: &[Threshold; 2] = &[
    Threshold {
        name: "least",
        usual: 200.0,
        range: (0.0, 1e6),
        what: "words of a body below which it is short",
    },
    Threshold {
        name: "most",
        usual: 500.0,
        range: (0.0, 1e6),
        what: "words of a body above which it is long",
    },
];

/// Reports a body shorter or longer than the format advises.
pub(super) fn length(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    // Of a file that could not be read it is not known what the body is.
    let advised = subject.memory.schema.can.advised_words;
    let Some(own) = advised.filter(|_| !subject.has_problem("load-error")) else {
        return;
    };
    let words = subject.memory.words;
    // The format's advised limit, unless the configuration says otherwise.
    let limit = |one: &Threshold, own: u32| {
        let set = subject.cx.threshold(rule.id, one.name, subject.index);
        let is_usual = set == one.usual;
        if is_usual { f64::from(own) } else { set }
    };
    let [least, most] = LIMITS;
    let (least, most) = (limit(least, own.0), limit(most, own.1));
    let count = f64::from(words);
    if (least..=most).contains(&count) {
        return;
    }
    let says = format!("the body has {}", counted(words as usize, "word"));
    let advised = format!("{says}; {least} to {most} are advised");
    let too_long = format!("{says}; the limit is 2,000");
    let (severity, confidence, message) = match count < least {
        true => (Severity::Info, 0.3, advised),
        false if count <= MOST || most > MOST => (Severity::Info, 0.4, advised),
        false => (Severity::Warning, 0.9, too_long),
    };
    let (start, body) = subject.body();
    let blanks = body.len() - body.trim_start().len();
    let finding = subject.finding(rule.id, severity, subject.at(start + blanks));
    out.push(finding.sure(confidence).says(message));
}

/// Reports a body of which the prompt keeps the beginning only.
pub(super) fn cut_in_prompt(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    if !rawko::cuts(subject.memory.schema) || subject.memory.role(Role::Patterns).is_none() {
        return;
    }
    let (start, body) = subject.body();
    let Some(cut) = rawko::cut(body, Dialect::Natural) else {
        return;
    };
    let (before, after) = body.split_at_checked(cut.at).unwrap_or((body, ""));
    let hidden = js::trim(after).split_whitespace().count();
    let offset = start + cut.at;
    // The line that the cut stands on, not the end of the one before.
    let mut place = subject.at(if cut.heading { offset + 1 } else { offset });
    place.bytes = Some(offset..offset);
    let line = place.line.saturating_sub(u32::from(cut.heading));
    let fenced = before.lines().fold(None, fence_after).is_some();
    let is_prose = |line: &str| !line.starts_with('#') && line.contains(char::is_alphanumeric);
    let (confidence, what) = match cut.heading {
        true if fenced => (
            0.95,
            "a line of code that begins with `# ` is taken for a heading",
        ),
        true if !before.lines().any(is_prose) => (
            0.95,
            "nothing but headings stands before the next first-level heading",
        ),
        true => (0.5, "a first-level heading ends the preview"),
        false => (0.2, "the limit is 500 characters"),
    };
    let finding = subject
        .finding(rule.id, Severity::of(confidence >= 0.95), place)
        .sure(confidence)
        .says(format!("Cut at line {line}: {what}"))
        .because(format!(
            "an agent never sees the last {}",
            counted(hidden, "word")
        ));
    out.push(finding);
}

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
pub(super) fn empty(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
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
