//! Control characters that a terminal executes, and invisible characters.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use itertools::Itertools as _;
use regex::Regex;

use super::chars::{Oddity, oddity, quote, replaced};
use super::report::counted;
use super::{Finding, Rule, Subject};
use crate::curate::change::set_item;
use crate::memory::edit::FieldEdit;
use crate::text::patterns::{compact, pairs};

/// A kind of characters: its name, the effect of its fix, and the scan for its bytes in a text.
type Kind = (&'static str, &'static str, fn(&str) -> Vec<Range<usize>>);

/// Reports the characters that a rule looks for.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    const ESCAPES: &str = "remove the escape sequences and control characters";
    let (what, fix, scan): Kind = match rule.id {
        "terminal-escape" => ("control character", ESCAPES, controls),
        _ => (
            "invisible character",
            "remove the invisible characters",
            invisible,
        ),
    };
    let found = scan(subject.text);
    if let Some(first) = found.first() {
        let texts = found.iter().filter_map(|at| subject.text.get(at.clone()));
        let finding = subject
            .finding(rule.id, rule.severity, subject.at_bytes(first.clone()))
            .says(counted(found.len(), what))
            .because_of(texts.map(describe).unique().take(5));
        let edit = edit(subject, &found);
        out.push(finding.fixed_by(edit.map(|edit| subject.edit(fix, vec![edit]))));
        return;
    }
    // An escape in a YAML string: the text has no such character, the field has.
    for (name, value) in subject.memory.fields.iter() {
        for (index, value) in value.items().enumerate() {
            let text = value.as_str().unwrap_or_default();
            let found = scan(text);
            let Some(first) = found.first() else { continue };
            let edit = set_item(name, index, without(text, &found));
            let count = counted(found.len(), what);
            let finding = subject
                .finding(rule.id, rule.severity, subject.at_field(name, Some(index)))
                .says(format!("{count} spelled out in `{name}`"))
                .because(describe(text.get(first.clone()).unwrap_or_default()));
            out.push(finding.fixed_by(Some(subject.edit(fix, vec![edit]))));
        }
    }
}

/// The edit that removes characters; none for a text that writing would change elsewhere.
fn edit(subject: &Subject<'_>, found: &[Range<usize>]) -> Option<FieldEdit> {
    // A replacement character stands for bytes that writing the text would lose.
    if subject.text.contains('\u{fffd}') {
        return None;
    }
    let (start, body) = subject.body();
    let end = start + body.len();
    let is_in_body = |at: &Range<usize>| at.start >= start && at.end <= end;
    if end <= subject.text.len() && found.iter().all(is_in_body) {
        let found = found.iter().map(|at| at.start - start..at.end - start);
        return Some(FieldEdit::Body(without(body, &found.collect::<Vec<_>>())));
    }
    // The mark that a file begins with is not part of its text.
    let clean = without(subject.text, found);
    let clean = clean.strip_prefix('\u{feff}').unwrap_or(&clean);
    Some(FieldEdit::Text(clean.to_owned()))
}

fn without(text: &str, found: &[Range<usize>]) -> String {
    replaced(text, found.iter().map(|at| (at.clone(), "")))
}

/// Names of characters, and texts in which invisible characters are needed.
const TABLE: &str = include_str!("../../assets/lint/characters.toml");

/// A sequence, or a character with its name.
fn describe(text: &str) -> String {
    let mut chars = text.chars();
    let (Some(only), None) = (chars.next(), chars.next()) else {
        return quote(text);
    };
    let is_own = |class: &str| compact(class).is_some_and(|class| class.is_match(text));
    let name = pairs(TABLE, "names").find(|[class, _]| is_own(class));
    let name = name.map(|[_, name]| name).unwrap_or_default();
    format!("U+{:04X} {name}", u32::from(only))
}

/// A control character with its sequence; alone where the sequence does not end on its line, for then
/// it would swallow text.
static CONTROL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?:\x1b\[|\u{9b})[ -?]*[@-~]|(?:\x1b\]|\u{9d})[^\n]*?(?:\x07|\x1b\\|\u{9c})|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\u{9f}]",
    )
});

/// Escape sequences and control characters.
fn controls(text: &str) -> Vec<Range<usize>> {
    let found = CONTROL.iter().flat_map(|one| one.find_iter(text));
    found.map(|found| found.range()).collect()
}

/// Invisible characters, each with the texts in which a script or an emoji needs them.
static NEEDED: LazyLock<Vec<(Regex, Regex)>> = LazyLock::new(|| {
    let rows = pairs(TABLE, "needed");
    rows.filter_map(|[one, text]| Some((compact(&one)?, compact(&text)?)))
        .collect()
});

/// Invisible characters that no script and no emoji needs.
fn invisible(text: &str) -> Vec<Range<usize>> {
    if text.is_ascii() {
        return Vec::new();
    }
    let is_odd = |c: char| matches!(oddity(c), Some(Oddity::Bidi | Oddity::Invisible));
    let odd = text.char_indices().filter(|(_, c)| is_odd(*c));
    let mut odd: Vec<Range<usize>> = odd.map(|(at, c)| at..at + c.len_utf8()).collect();
    let mut needed = HashSet::new();
    for (kind, around) in NEEDED.iter().filter(|_| !odd.is_empty()) {
        for around in around.find_iter(text) {
            let inside = kind.find_iter(around.as_str());
            needed.extend(inside.map(|at| around.start() + at.start()));
        }
    }
    odd.retain(|at| !needed.contains(&at.start));
    odd
}
