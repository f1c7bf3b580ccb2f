//! Failure logs and output of commands, kept as memories.
//!
//! A record such as `cmd=…, exit=…, error=…, next=…` is known by its keys, output by how its lines
//! begin.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::chars::cut;
use super::rows::LineTable;
use super::tuning::Threshold;
use super::{Finding, Rule, RuleInfo, Subject};
use crate::memory::Severity;
use crate::text::patterns::compact;
use crate::text::statements::sentences;
use crate::text::word_lists::Words;

/// A failure log or the output of a command.
pub(super) struct FailureLog;

/// Bytes of a body that are read.
const LONGEST: usize = 64 * 1024;

/// The signs of a log in a body.
struct Log {
    confidence: f64,
    evidence: String,
    /// True if a sentence stands beside it, so that the memory may be worth its place.
    explained: bool,
}

impl Rule for FailureLog {
    fn info(&self) -> RuleInfo {
        RuleInfo("failure-log", Severity::Warning)
    }

    fn thresholds(&self) -> &'static [Threshold] {
        &[Threshold {
            name: "share",
            usual: 0.6,
            range: (0.1, 1.0),
            what: "the part of the lines that are log or output",
        }]
    }

    fn joins(&self) -> bool {
        true
    }

    fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        let (start, body) = subject.body();
        let share = subject.cx.threshold(self.id(), "share", subject.index);
        let Some(log) = log(cut(body, LONGEST), share) else {
            return;
        };
        let severity = match log.explained {
            true => Severity::Info,
            false => self.severity(),
        };
        let at = start + body.len() - body.trim_start().len();
        let finding = subject.finding(self.id(), severity, subject.at(at));
        out.push(
            finding
                .about(at..start + body.trim_end().len())
                .sure(log.confidence)
                .says("a log of what happened, not what was learnt from it")
                .because(log.evidence)
                .fixed_by(subject.archive().filter(|_| !log.explained)),
        );
    }
}

/// The log that a body is, if at least this share of its lines is output or it records one failure.
fn log(body: &str, share: f64) -> Option<Log> {
    if let Some(record) = record(body) {
        return (!record.settled).then(|| Log {
            confidence: if record.explained { 0.5 } else { 0.97 },
            evidence: format!("it records {}", record.keys.join(", ")),
            explained: record.explained,
        });
    }
    if share > 0.0 && !may_be_output(body) {
        return None;
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
    !is_trimmed
        || DECIDING
            .as_ref()
            .is_none_or(|one| one.is_match(text.trim_end()))
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
    /// Reads a text.
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

    /// True if a sentence stands among them.
    fn has_sentences(&self) -> bool {
        self.0.contains(&Kind::Sentence)
    }
}

/// True if a line is a sentence that no program printed.
fn is_sentence(line: &str) -> bool {
    kind(line.trim(), false) == Kind::Sentence
}

fn kind(line: &str, fenced: bool) -> Kind {
    let Some(printed) = PRINTED.as_ref() else {
        return Kind::Other;
    };
    let is = |pattern: &Regex| pattern.is_match(line);
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

/// Values that stand where nothing was written yet.
static UNWRITTEN: Words = Words::of("todo tbd none n/a pending unknown needs_fix");

/// A code with which a command failed.
static FAILED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let code = r"(?:exit(?:ed)?|returned|failed|terminated)(?: with)?(?: an?)?(?: exit| return)?(?: code| status)?";
    compact(&format!(
        r"(?i)(?:\b{code}[ :=]{{1,2}}|^)-?[1-9]\d{{0,9}}(?:[.:;,)]|\s*$)"
    ))
});

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Command,
    Code,
    Output,
    Lesson,
}

/// A key with its value.
#[derive(Debug)]
struct Field {
    part: Part,
    /// True for `key: value`, false for `key=value`.
    label: bool,
    /// Bytes from the key to the value.
    key: Range<usize>,
    /// Bytes of the value, to the next key or the end of the line.
    value: Range<usize>,
}

/// The record of one failed command.
struct Record {
    /// True if a label names what mends the failure: the record is a lesson then.
    settled: bool,
    /// True if a sentence stands beside the fields.
    explained: bool,
    /// Its keys, for the evidence.
    keys: Vec<String>,
}

/// The record that a body is, if it is one.
fn record(body: &str) -> Option<Record> {
    let fields = fields(body);
    let value = |field: &Field| body.get(field.value.clone()).unwrap_or_default();
    let has = |part: Part| fields.iter().any(|field| field.part == part);
    // `error=…` and `cmd=<command>` explain the form of a log.
    let is_placeholder = |field| value(field).starts_with(['…', '<', '{']);
    if fields.iter().any(is_placeholder) {
        return None;
    }
    let head = body
        .get(..fields.first()?.key.start)?
        .trim()
        .trim_matches(MARKS);
    let opening = head.split(|c: char| !c.is_alphanumeric()).next()?;
    let opens = OPENINGS.has(&opening.to_lowercase());
    let is_record = match fields.iter().filter(|field| !field.label).count() {
        0 => {
            let failed = |text: &str| FAILED.as_ref().is_some_and(|one| one.is_match(text));
            let fails = |field: &Field| match (field.part, value(field).trim_matches(MARKS)) {
                (Part::Code, value) => value.parse::<i32>().is_ok_and(|code| code != 0),
                (_, value) => failed(value),
            };
            (failed(head) || fields.iter().any(fails)) && (has(Part::Command) || has(Part::Output))
        }
        1 => opens,
        _ => (opens || fields.len() >= 3) && (has(Part::Code) || has(Part::Command)),
    };
    let settles =
        |field: &Field| field.part == Part::Lesson && field.label && !is_unwritten(value(field));
    let last = fields.last().filter(|field| field.part != Part::Lesson);
    let explained = last.is_some_and(|last| is_explained(value(last))) || goes_on(body, &fields);
    let keys = fields
        .iter()
        .filter_map(|field| body.get(field.key.clone()));
    let keys = keys.map(|key| key.trim_matches(|c: char| !c.is_alphanumeric()));
    is_record.then(|| Record {
        settled: fields.iter().any(settles),
        explained,
        keys: keys.map(str::to_lowercase).collect(),
    })
}

const MARKS: &[char] = &['*', '_', '`', '>', '-', '[', ']', ' ', '\t', '.', ';', ','];

fn is_unwritten(value: &str) -> bool {
    let value = value.trim_matches(MARKS).to_lowercase();
    let first = value.split_whitespace().next();
    first.is_none_or(|word| UNWRITTEN.has(word))
}

/// True if somebody wrote a sentence behind a value.
fn is_explained(value: &str) -> bool {
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

/// The fields of a text, in order.
fn fields(text: &str) -> Vec<Field> {
    let mut all: Vec<Field> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let first = all.len();
        for at in memchr::memchr2_iter(b'=', b':', line.as_bytes()) {
            let Some((part, label, key)) = field_at(line, at) else {
                continue;
            };
            let value = start + at + 1..start + line.len();
            if let Some(last) = all.get_mut(first..).and_then(<[Field]>::last_mut) {
                last.value.end = start + key;
            }
            all.push(Field {
                part,
                label,
                key: start + key..start + at,
                value,
            });
        }
        start += line.len();
    }
    for field in &mut all {
        let value = text.get(field.value.clone()).unwrap_or_default();
        let ends = |c: char| c.is_whitespace() || ",;|/(*_`".contains(c);
        let begins = value.len() - value.trim_start_matches([' ', '*', '_']).len();
        let length = value
            .get(begins..)
            .map_or(0, |value| value.trim_end_matches(ends).len());
        field.value.start += begins.min(value.len());
        field.value.end = field.value.start + length;
    }
    all.retain(|field| !field.value.is_empty());
    all
}

/// The part, the form and the start of the key that a `=` or `:` of a line ends.
fn field_at(line: &str, at: usize) -> Option<(Part, bool, usize)> {
    let label = line.as_bytes().get(at) == Some(&b':');
    let before = line.get(..at)?;
    let after = line.get(at + 1..)?;
    let marks: &[char] = if label { &['*', '_', '`', ']'] } else { &[] };
    let before = before.trim_end_matches(marks);
    let follows = match label {
        true => after.starts_with([' ', '\t', '*', '_', '\n', '\r']) || after.is_empty(),
        false => !after.starts_with(['=', '>']),
    };
    let word = |text: &str| {
        text.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_')
            .len()
    };
    let one = word(before);
    let spaced = before.get(..one)?.trim_end_matches([' ', '-']);
    let is_spaced = spaced.len() < one;
    let two = if is_spaced { word(spaced) } else { one };
    let found = [two, one].into_iter().find_map(|start| {
        let key = before.get(start..)?.to_lowercase().replace([' ', '_'], "-");
        let (part, _) = KEYS.iter().find(|(_, keys)| keys.has(&key))?;
        let head = before.get(..start)?;
        let bounded = match label {
            true => {
                head.trim_matches(MARKS).is_empty()
                    || head.ends_with(['.', ';', ',', '|', '/', ' '])
                        && head.trim_end().ends_with(['.', ';', ',', '|', '/'])
            }
            false => head.is_empty() || head.ends_with([' ', ',', ';', '(', '>', '`', '*']),
        };
        bounded.then_some((*part, label, start))
    });
    found.filter(|_| follows)
}
