//! How a memory is written: its file name and title, how long its body is, how much of that an agent is
//! given, and bodies that say nothing.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::sync::LazyLock;

use regex::Regex;

use super::chars::{fence_after, quote};
use super::report::counted;
use super::rows::LineTable;
use super::tuning::Threshold;
use super::{Finding, Rule, Subject};
use crate::curate::Change;
use crate::curate::differences::without_number;
use crate::memory::lines::without_comments;
use crate::memory::link::folded as fold;
use crate::memory::{Memory, Role, Severity, Sight, Value};
use crate::retrieval::js;
use crate::systems::golemcore::kin;
use crate::systems::rawko::{self, Dialect};
use crate::text::mentions::last;
use crate::text::patterns::compact;
use crate::text::tokens::{Kind, tokens};
use crate::text::word_lists::Words;

/// Words of a body that the format allows.
const MOST: f64 = 2000.0;

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
    const CODE: &str = "a line of code that begins with `# ` is taken for a heading";
    const BARE: &str = "nothing but headings stands before the next first-level heading";
    let (confidence, what) = match cut.heading {
        true if fenced => (0.95, CODE),
        true if !before.lines().any(is_prose) => (0.95, BARE),
        true => (0.5, "a first-level heading ends the preview"),
        false => (0.2, "the limit is 500 characters"),
    };
    let lost = format!("an agent never sees the last {}", counted(hidden, "word"));
    let finding = subject.finding(rule.id, Severity::of(confidence >= 0.95), place);
    let finding = finding.sure(confidence).because(lost);
    out.push(finding.says(format!("Cut at line {line}: {what}")));
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
    let body = without_comments(body);
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

pub(super) fn check_name(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let local = without_number(&subject.memory.id);
    let folder = local.rsplit_once('/').map(|(folder, _)| folder);
    let name = last(local);
    // The file is named once, by its first memory. Its name is an id and not a file's if the memory
    // has no title, or if the file has another name, as for one of many lines; that of a database
    // names the project, and is its system's.
    let memory = subject.memory;
    let stem = memory.path.file_stem().map(OsStr::to_string_lossy);
    let is_id = !memory.schema.can.kebab_names || stem.is_none_or(|stem| stem != name);
    if memory.document > 0 || is_id || is_kebab(name) {
        return;
    }
    let finding = subject.finding(rule.id, rule.severity, subject.at(0));
    let finding = finding.says(format!("the name {} is not in kebab case", quote(name)));
    let Some(slug) = slug(name) else {
        return out.push(finding);
    };
    let to = folder.map_or_else(|| slug.clone(), |folder| format!("{folder}/{slug}"));
    let names = subject.named(&slug);
    let mut names = names.map(|(_, other)| without_number(&other.id));
    if names.any(|other| other.eq_ignore_ascii_case(&to) && other != local) {
        return out.push(finding.because(format!("{} is taken", quote(&slug))));
    }
    let change = Change::Rename {
        id: memory.id.clone(),
        to,
        mentions: false,
    };
    let fix = subject.fix(format!("rename to `{slug}`"), change);
    out.push(finding.fixed_by(Some(fix)));
}

fn is_kebab(name: &str) -> bool {
    let is_letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    name.split('-')
        .all(|part| !part.is_empty() && part.bytes().all(is_letter))
}

/// The name in kebab case; none where letters would be lost.
fn slug(name: &str) -> Option<String> {
    let mut slug = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            // `PoolSize` is two words, `HTTP` and `OAuth2` are one.
            if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
                slug.push('-');
            }
            slug.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() {
            return None;
        } else if c != '\'' && !slug.ends_with('-') {
            slug.push('-');
        }
        before = c;
    }
    let slug = slug.trim_matches('-').to_owned();
    (!slug.is_empty()).then_some(slug)
}

/// Reports titles that differ in case and white space at most.
pub(super) fn check_title(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let memory = subject.memory;
    let title = |name| Some((name, memory.field(name)?.as_str()?));
    let spec = memory.schema.role(Role::Title);
    let Some((field, title)) = spec.and_then(|spec| title(spec.name)) else {
        return;
    };
    let folded = fold(title);
    if folded.is_empty() || kin::has_made_title(memory, subject.body().1) {
        return;
    }
    let same = subject.called(title);
    // New knowledge for a title is appended to its file: that is no second memory to choose
    // between. The first of them all is the one that the others repeat.
    let mut before = same.take_while(|(index, _)| *index < subject.index);
    let is_another = |other: &Memory| match other.path == memory.path {
        true => kin::are_two_rows(memory, other),
        false => !kin::is_copy(memory, other),
    };
    let is_same = |other: &Memory| {
        let title = other.field(field).and_then(Value::as_str);
        title.is_some_and(|title| fold(title) == folded) && is_another(other)
    };
    let Some((first, other)) = before.find(|(_, other)| is_same(other)) else {
        return;
    };
    let place = subject.at_field(field, None);
    let id = quote(&other.id.to_string());
    let finding = subject.finding(rule.id, rule.severity, place);
    let finding = finding.because(format!("both are called {}", quote(title)));
    let finding = finding.says(format!("{id} has the same title"));
    out.push(finding.sure(0.95).beside([first]));
}
