//! Failure logs and output of commands, kept as memories.
//!
//! A record such as `cmd=…, exit=…, error=…, next=…` is known by its keys, output by how its lines
//! begin.

use std::ops::Range;
use std::sync::LazyLock;

use itertools::Itertools as _;
use regex::Regex;

use super::chars::cut;
use super::rows::LineTable;
use super::tuning::Threshold;
use super::{Finding, Rule, Subject};
use crate::memory::Severity;
use crate::text::patterns::compact;
use crate::text::statements::sentences;
use crate::text::word_lists::Words;

/// Rules that report nothing more about a failure log.
static COVERED: Words = Words::of(
    "body-length changed-since contained contradiction duplicate-title expired near-duplicate \
     repeats-docs stale-command stale-symbol stale-version",
);

/// Bytes of a body that are read.
const LONGEST: usize = 64 * 1024;

struct Log {
    confidence: f64,
    evidence: String,
    /// True if a sentence stands beside it, so that the memory may be worth its place.
    explained: bool,
}

/// The part of a body that makes it a log.
pub(super) const SHARE: &[Threshold] = &[Threshold {
    name: "share",
    usual: 0.6,
    range: (0.1, 1.0),
    what: "the part of the lines that are log or output",
}];

/// The rules that report nothing more about a failure log, be it reported or not.
pub(super) fn covered(
    subject: &Subject<'_>,
    rules: &[&Rule],
    findings: &[Finding],
) -> Option<&'static Words> {
    let is_log = |finding: &Finding| finding.rule == "failure-log";
    let mut found = Vec::new();
    if !rules.iter().any(|rule| rule.id == "failure-log")
        && rules.iter().any(|rule| COVERED.has(rule.id))
    {
        check(super::rule("failure-log")?, subject, &mut found);
    }
    let is_covered = findings.iter().chain(&found).any(is_log);
    is_covered.then_some(&COVERED)
}

pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let (start, body) = subject.body();
    let share = subject.cx.threshold(rule.id, "share", subject.index);
    let Some(log) = log(cut(body, LONGEST), share) else {
        return;
    };
    let severity = Severity::of(!log.explained);
    let at = start + body.len() - body.trim_start().len();
    let finding = subject.finding(rule.id, severity, subject.at(at));
    let finding = finding.about(at..start + body.trim_end().len());
    let finding = finding.sure(log.confidence).because(log.evidence);
    let finding = finding.says("a log of what happened, not what was learnt from it");
    out.push(finding.fixed_by(subject.archive().filter(|_| !log.explained)));
}

/// Labels and headings below the title, by which somebody ordered what they wrote.
static STRUCTURE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(r"(?m)^[ \t>]*(?:#{2,6} +\S|(?:[-*] +)?\*\*[^*\n]+(?:\*\* ?:|:\*\*))")
});

/// The log that a body is, if at least this share of its lines is output or it records one failure.
/// A note with labels or headings of its own is none.
fn log(body: &str, share: f64) -> Option<Log> {
    if STRUCTURE.as_ref()?.find_iter(body).nth(1).is_some() {
        return None;
    }
    let record = record(body);
    if record.is_some() || share > 0.0 && !may_be_output(body) {
        return record;
    }
    let lines = Lines::new(body);
    let printed = lines.share();
    (printed >= share).then(|| {
        let explained = lines.has_sentences();
        Log {
            confidence: if explained { 0.5 } else { 0.85 },
            evidence: format!("{:.0} % of its lines are output", printed * 100.0),
            explained,
        }
    })
}

/// Lines of a text that are read.
const LINES: usize = 400;
/// Words from which a line that ends like a sentence is one.
const SENTENCE: usize = 3;
/// Lines from which on the output of a command that succeeded is more than an example.
const FEWEST: usize = 3;

/// Beginnings of lines that somebody typed at a prompt.
const TYPED: &str = r"[\w.~/@:-]* ?[$❯%] \S|[\w.-]+[=-][#>] ?\S";

/// Beginnings of lines that programs print, of a line that somebody typed, and of both.
struct Printed {
    any: Regex,
    sure: Regex,
    ends: Regex,
    success: Regex,
    typed: Regex,
}

static PRINTED: LazyLock<Option<Printed>> = LazyLock::new(|| {
    let table = LineTable::parse(include_str!("../../assets/lint/output.toml"));
    let pattern = |kind| compact(&format!("^{}", table.joined(kind)));
    let printed = table.joined("");
    Some(Printed {
        any: compact(&format!("^(?:{TYPED}|{printed})"))?,
        sure: pattern("sure")?,
        ends: pattern("ends")?,
        success: pattern("told")?,
        typed: compact(&format!("^(?:{TYPED})"))?,
    })
});

/// A line without which no text is output.
static DECIDING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let table = LineTable::parse(include_str!("../../assets/lint/output.toml"));
    let (sure, success) = (table.joined("sure"), table.joined("told"));
    compact(&format!(r"(?mR)^[>\s]*(?:{TYPED}|{sure}|{success})"))
});

/// Quick test: false if no line of a text can be output.
fn may_be_output(text: &str) -> bool {
    let is_trimmed = !text.contains(" \n") && !text.contains("\t\n");
    let decides = |one: &Regex| one.is_match(text.trim_end());
    !is_trimmed || DECIDING.as_ref().is_none_or(decides)
}

/// The lines of a text that say something, and what kind they are.
struct Lines(Vec<Kind>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Almost always program output.
    Sure,
    /// The exit code with which a command failed.
    End,
    /// A command that succeeded printed it.
    Told,
    /// Somebody typed it at a prompt.
    Typed,
    /// Programs print it, and people write it.
    Printed,
    /// A sentence outside code fences.
    Sentence,
    Other,
}

impl Lines {
    fn new(text: &str) -> Self {
        let mut lines = Vec::new();
        let (mut fenced, mut is_apart) = (false, true);
        // Indentation of the printed line that deeper lines belong to.
        let mut above: Option<usize> = None;
        for whole in text.lines().take(LINES) {
            let line = whole.trim_start_matches(|c: char| c == '>' || c.is_whitespace());
            let indent = whole.chars().take_while(|c| *c == '>' || c.is_whitespace());
            let depth: usize = indent.map(|c| if c == '\t' { 4 } else { 1 }).sum();
            let line = line.trim_end();
            if line.starts_with("```") || line.starts_with("~~~") {
                fenced = !fenced;
                continue;
            }
            if !says_something(line) {
                is_apart |= line.is_empty();
                continue;
            }
            let deeper = above.is_some_and(|above| depth > above + 1);
            let typed = lines.first() == Some(&Kind::Typed);
            let kind = match kind(line, fenced) {
                Kind::Other | Kind::Sentence if deeper => Kind::Printed,
                // Output of a command has sentences too, but no paragraph of them.
                Kind::Sentence if typed && !is_apart => Kind::Printed,
                kind => kind,
            };
            if !deeper {
                above = (!matches!(kind, Kind::Sentence | Kind::Other)).then_some(depth);
            }
            is_apart = false;
            lines.push(kind);
        }
        Self(lines)
    }

    /// The share of lines that a program printed; 0 where none of them surely was.
    fn share(&self) -> f64 {
        let count = |kind: Kind| self.0.iter().filter(|one| **one == kind).count();
        let is_prose = self.has_sentences();
        let first = self.0.first().copied();
        let sure = count(Kind::Sure) + count(Kind::End);
        let quiet = count(Kind::Told) + count(Kind::Typed) + count(Kind::Printed);
        let all = self.0.len();
        let follows = all - count(Kind::Typed);
        let printed = match first {
            _ if !is_prose && count(Kind::End) > 0 => all,
            Some(Kind::Typed) if !is_prose && follows >= FEWEST => all,
            Some(Kind::Other) | None if sure == 0 => 0,
            _ if sure == 0 && (is_prose || follows < FEWEST || count(Kind::Told) == 0) => 0,
            _ => sure + quiet,
        };
        printed as f64 / all.max(1) as f64
    }

    fn has_sentences(&self) -> bool {
        self.0.contains(&Kind::Sentence)
    }
}

/// Labels of what mends a failure.
static LESSONS: Words = Words::named("lesson");

fn kind(line: &str, fenced: bool) -> Kind {
    let Some(printed) = PRINTED.as_ref() else {
        return Kind::Other;
    };
    let is = |pattern: &Regex| pattern.is_match(line);
    let label = line.split(':').next().unwrap_or_default();
    if LESSONS.has(&label.to_lowercase()) {
        return Kind::Sentence;
    }
    if !is(&printed.any) {
        let end = line.trim_end_matches(['*', '_', '`', ')', '"']);
        let ends = !fenced && end.ends_with(['.', '!', '?']);
        return match ends && line.split_whitespace().count() >= SENTENCE {
            true => Kind::Sentence,
            false => Kind::Other,
        };
    }
    match line {
        _ if is(&printed.typed) => Kind::Typed,
        _ if is(&printed.success) => Kind::Told,
        _ if !is(&printed.sure) => Kind::Printed,
        _ if is(&printed.ends) => Kind::End,
        _ => Kind::Sure,
    }
}

/// False for headings, rules and comments.
fn says_something(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    let is_heading = heading.len() < line.len() && (heading.is_empty() || heading.starts_with(' '));
    !is_heading && !line.starts_with("<!--") && line.contains(|c: char| !"-=_".contains(c))
}

/// The meanings of keys of a record.
static KEYS: [(Part, Words); 4] = [
    (Part::Command, Words::named("command")),
    (Part::Code, Words::named("exit-code")),
    (Part::Output, Words::named("output")),
    (Part::Lesson, Words::named("lesson")),
];

/// Words that a log opens with: `failure: cmd=…`.
static OPENINGS: Words = Words::of("failure failed error");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Command,
    Code,
    Output,
    Lesson,
}

#[derive(Debug)]
struct Field {
    part: Part,
    key: Range<usize>,
    /// Bytes of the value, to the next key or the end of the line.
    value: Range<usize>,
}

fn record(body: &str) -> Option<Log> {
    let fields = fields(body);
    let value = |field: &Field| body.get(field.value.clone()).unwrap_or_default();
    let has = |part: Part| fields.iter().any(|field| field.part == part);
    // `error=…` and `cmd=<command>` explain the form of a log.
    let is_placeholder = |field| value(field).starts_with(['…', '<', '{']);
    if fields.iter().any(is_placeholder) {
        return None;
    }
    let head = body.get(..fields.first()?.key.start)?;
    let mut words = head.split(|c: char| !c.is_alphanumeric());
    let opening = words.find(|word| !word.is_empty()).unwrap_or_default();
    let opens = OPENINGS.has(&opening.to_lowercase());
    let is_record = match fields.len() {
        1 => opens,
        count => (opens || count >= 3) && (has(Part::Code) || has(Part::Command)),
    };
    let last = fields.last().filter(|field| field.part != Part::Lesson);
    let explained = last.is_some_and(|last| is_explained(value(last))) || goes_on(body, &fields);
    let keys = fields.iter();
    let keys = keys.filter_map(|field| body.get(field.key.clone()));
    is_record.then(|| Log {
        confidence: if explained { 0.5 } else { 0.97 },
        evidence: format!("it records {}", keys.map(str::to_lowercase).join(", ")),
        explained,
    })
}

/// True if somebody wrote a sentence behind a value.
fn is_explained(value: &str) -> bool {
    let is_sentence = |line: &str| kind(line.trim(), false) == Kind::Sentence;
    let mut behind = sentences(value).into_iter().skip(1);
    behind.any(|at| value.get(at).is_some_and(is_sentence))
}

/// True if a line below the first field is text and no part of a field.
fn goes_on(body: &str, fields: &[Field]) -> bool {
    let (mut at, from) = (0, fields.first().map_or(0, |field| field.key.start));
    body.split_inclusive('\n').any(|line| {
        let bytes = at..at + line.len();
        at = bytes.end;
        let has_field = fields.iter().any(|field| bytes.contains(&field.key.start));
        let is_text = line.split_whitespace().filter(|word| *word != ">").count() > 3;
        bytes.start > from && !has_field && is_text && !line.starts_with("```")
    })
}

static KEY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = KEYS.iter().flat_map(|(_, words)| words.iter());
    let key = words.map(|word| word.replace('-', "[ _-]")).join("|");
    compact(&format!(r"(?im)(?:^|[ ,;(>`*])(?P<key>{key})="))
});

fn fields(text: &str) -> Vec<Field> {
    let keys = KEY.iter().flat_map(|key| key.captures_iter(text));
    let keys = keys.filter_map(|found| {
        let (key, end) = (found.name("key")?, found.get(0)?.end());
        let name = key.as_str().to_lowercase().replace([' ', '_'], "-");
        let (part, _) = KEYS.iter().find(|(_, keys)| keys.has(&name))?;
        let is_sign = text.get(end..)?.starts_with(['=', '>']);
        (!is_sign).then_some((*part, key.range(), end))
    });
    let keys: Vec<_> = keys.collect();
    let next = keys.iter().skip(1).map(|(_, key, _)| key.start);
    let ends = next.chain([text.len()]);
    let field = |((part, key, at), end): (&(Part, Range<usize>, usize), usize)| {
        let line = text.get(*at..end)?.lines().next()?;
        let value = line.trim_end_matches(|c: char| c.is_whitespace() || ",;|/(*_`".contains(c));
        (!value.is_empty()).then(|| Field {
            part: *part,
            key: key.clone(),
            value: *at..at + value.len(),
        })
    };
    keys.iter().zip(ends).filter_map(field).collect()
}
