//! Control characters that a terminal executes, and invisible characters.

use std::ops::Range;

use super::chars::{self, Oddity, quote, replaced};
use super::report::counted;
use super::{Finding, Fix, Rule, Subject};
use crate::memory::Value;
use crate::memory::edit::FieldEdit;

/// Finds the byte ranges of the characters that a rule is about.
type Scan = fn(&str) -> Vec<Range<usize>>;

/// A rule about characters.
struct Hostile {
    id: &'static str,
    what: &'static str,
    fix: &'static str,
    scan: Scan,
}

static RULES: [Hostile; 2] = [
    Hostile {
        id: "terminal-escape",
        what: "control character",
        fix: "remove the escape sequences and control characters",
        scan: controls,
    },
    Hostile {
        id: "invisible-unicode",
        what: "invisible character",
        fix: "remove the invisible characters",
        scan: invisible,
    },
];

/// Reports the characters that a rule looks for.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let own = RULES.iter().filter(|one| one.id == rule.id);
    own.for_each(|one| one.check(rule, subject, out));
}

impl Hostile {
    fn check(&self, rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        let found = (self.scan)(subject.text);
        if let Some(finding) = self.in_text(rule, subject, &found) {
            out.push(finding);
            return;
        }
        // An escape in a YAML string: the text has no such character, the field has.
        for (name, value) in subject.memory.fields.iter() {
            let items = value.items().enumerate();
            out.extend(items.filter_map(|item| self.in_field(rule, subject, name, item)));
        }
    }

    fn in_text(
        &self,
        rule: &Rule,
        subject: &Subject<'_>,
        found: &[Range<usize>],
    ) -> Option<Finding> {
        let first = found.first()?;
        let mut finding = subject
            .finding(rule.id, rule.severity, subject.at(first.start))
            .about(first.clone())
            .says(counted(found.len(), self.what));
        let texts = found.iter().filter_map(|at| subject.text.get(at.clone()));
        for evidence in texts.map(describe) {
            if finding.evidence.len() < 5 && !finding.evidence.contains(&evidence) {
                finding.evidence.push(evidence);
            }
        }
        let hidden = smuggled(subject.text);
        if !hidden.is_empty() {
            finding = finding.because(format!("they spell {}", quote(&hidden)));
        }
        Some(finding.fixed_by(self.fix(subject, found)))
    }

    fn in_field(
        &self,
        rule: &Rule,
        subject: &Subject<'_>,
        name: &str,
        (item, value): (usize, &Value),
    ) -> Option<Finding> {
        let text = value.as_str()?;
        let found = (self.scan)(text);
        let first = found.first()?;
        let edit = FieldEdit::SetItem {
            field: name.to_owned(),
            index: item,
            value: Value::from(without(text, &found)),
        };
        let count = counted(found.len(), self.what);
        let place = subject.at_field(name, Some(item));
        let finding = subject
            .finding(rule.id, rule.severity, place)
            .says(format!("{count} spelled out in `{name}`"))
            .because(describe(text.get(first.clone()).unwrap_or_default()))
            .fixed_by(Some(subject.edit(self.fix, vec![edit])));
        Some(finding)
    }

    fn fix(&self, subject: &Subject<'_>, found: &[Range<usize>]) -> Option<Fix> {
        // A replacement character stands for bytes that writing the text would lose.
        if subject.text.contains('\u{fffd}') {
            return None;
        }
        let (start, body) = subject.body();
        let end = start + body.len();
        let is_in_body = |at: &Range<usize>| at.start >= start && at.end <= end;
        let edit = if end <= subject.text.len() && found.iter().all(is_in_body) {
            let found = found.iter().map(|at| at.start - start..at.end - start);
            FieldEdit::Body(without(body, &found.collect::<Vec<_>>()))
        } else {
            // The mark that a file begins with is not part of its text.
            let clean = without(subject.text, found);
            FieldEdit::Text(clean.strip_prefix('\u{feff}').unwrap_or(&clean).to_owned())
        };
        Some(subject.edit(self.fix, vec![edit]))
    }
}

fn without(text: &str, found: &[Range<usize>]) -> String {
    replaced(text, found.iter().map(|at| (at.clone(), "")))
}

/// A sequence, or a character with its name.
fn describe(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(only), None) => format!("U+{:04X} {}", u32::from(only), chars::name(only)),
        _ => quote(text),
    }
}

/// Escape sequences and control characters.
fn controls(text: &str) -> Vec<Range<usize>> {
    // Nearly every text has none: C0 and DEL are single bytes, C1 begins with 0xC2.
    let may_begin = |b| matches!(b, 0..=8 | 11..=12 | 14..=31 | 127 | 0xc2);
    let mut found: Vec<Range<usize>> = Vec::new();
    if !text.bytes().any(may_begin) {
        return found;
    }
    for (at, c) in text.char_indices() {
        let inside = found.last().is_some_and(|last| at < last.end);
        if !inside && chars::oddity(c) == Some(Oddity::Control) {
            let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
            found.push(at..at + c.len_utf8() + sequence(c, rest));
        }
    }
    found
}

/// Bytes of the sequence after a control character; none where the sequence does not end on its
/// line, for then it would swallow text.
fn sequence(c: char, rest: &str) -> usize {
    let (kind, skip) = match (c, rest.as_bytes().first()) {
        ('\u{1b}', Some(b'[')) => ('[', 1),
        ('\u{1b}', Some(b']')) => (']', 1),
        ('\u{9b}', _) => ('[', 0),
        ('\u{9d}', _) => (']', 0),
        _ => return 0,
    };
    let bytes = rest.as_bytes().get(skip..).unwrap_or_default();
    let length = if kind == '[' {
        let end = bytes.iter().position(|b| !matches!(b, 0x20..=0x3f));
        let is_end = |at: &usize| bytes.get(*at).is_some_and(|b| matches!(b, 0x40..=0x7e));
        end.filter(is_end).map(|at| at + 1)
    } else {
        let text = rest.get(skip..).unwrap_or_default();
        let line = text.split('\n').next().unwrap_or_default();
        let ends = ["\u{7}", "\u{1b}\\", "\u{9c}"].into_iter();
        ends.filter_map(|end| Some(line.find(end)? + end.len()))
            .min()
    };
    length.map_or(0, |length| skip + length)
}

/// Invisible characters that no script and no emoji needs.
fn invisible(text: &str) -> Vec<Range<usize>> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut before = '\0';
    let mut flag = false;
    for (at, c) in text.char_indices() {
        flag = c == '\u{1f3f4}' || (flag && matches!(c, '\u{e0020}'..='\u{e007f}'));
        let odd = matches!(chars::oddity(c), Some(Oddity::Bidi | Oddity::Invisible));
        // The loader reports the byte order mark that a file begins with.
        let opening = at == 0 && c == '\u{feff}';
        let needed = opening || flag || is_needed(text, at, before, c);
        if odd && !needed {
            found.push(at..at + c.len_utf8());
        }
        // A joined character may carry a selector or a skin tone.
        if !matches!(c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}') {
            before = c;
        }
    }
    found
}

fn is_needed(text: &str, at: usize, before: char, c: char) -> bool {
    let after = text.get(at + c.len_utf8()..).unwrap_or_default();
    let next = after.chars().next().unwrap_or('\0');
    match c {
        '\u{200d}' if chars::is_pictograph(before) && chars::is_pictograph(next) => true,
        '\u{200c}' | '\u{200d}' => {
            chars::is_joining_script(before) || chars::is_joining_script(next)
        }
        '\u{fe00}'..='\u{fe0d}' | '\u{e0100}'..='\u{e01ef}' => chars::is_ideograph(before),
        '\u{fe0e}' | '\u{fe0f}' => chars::is_pictograph(before) || chars::is_ideograph(before),
        '\u{180b}'..='\u{180f}' | '\u{34f}' | '\u{17b4}' | '\u{17b5}' => {
            chars::is_joining_script(before) || chars::is_right_to_left(before)
        }
        '\u{200e}' | '\u{200f}' | '\u{61c}' => {
            let line = text.get(..at).and_then(|text| text.rsplit('\n').next());
            let rest = after.split('\n').next().unwrap_or_default();
            let mut chars = line.unwrap_or_default().chars().chain(rest.chars());
            chars.any(chars::is_right_to_left)
        }
        _ => false,
    }
}

/// The ASCII text that tag characters outside flags spell.
fn smuggled(text: &str) -> String {
    let tags = invisible(text).into_iter().filter_map(|range| {
        let tag = u32::from(text.get(range)?.chars().next()?).checked_sub(0xe0000)?;
        char::from_u32(tag).filter(|c| (' '..='~').contains(c))
    });
    tags.take(200).collect()
}
