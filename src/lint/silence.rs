//! Rules that a memory silences, and silences without effect.
//!
//! ```text
//! <!-- memkeep-ignore stale-path, body-length: it is about the old layout -->   in any body
//! memkeep-ignore: [stale-path, body-length]                                     in frontmatter
//! ```
//! A silence holds for the whole memory. In a code block it is an example.

use std::collections::HashSet;
use std::ops::Range;

use super::cache::Moves;
use super::chars::quote;
use super::position::Position;
use super::{Finding, Fix, Rule, RuleInfo, Subject, select};
use crate::memory::edit::FieldEdit;
use crate::memory::{Severity, Value};

/// The word of the comment, and the name of the field.
pub const WORD: &str = "memkeep-ignore";

/// The id of the rule about silences.
pub const UNUSED: &str = "unused-silence";

/// Silences without effect. Its findings are made from all other findings.
pub(super) struct UnusedSilence;

impl Rule for UnusedSilence {
    fn info(&self) -> RuleInfo {
        RuleInfo(UNUSED, Severity::Info)
    }
}

/// A rule that a memory silences.
#[derive(Clone)]
pub(super) struct Silence {
    /// The rule; none if no rule has this name.
    pub rule: Option<&'static str>,
    /// True if it silenced something.
    pub used: bool,
    name: String,
    place: Position,
    fix: Option<Fix>,
}

impl Silence {
    /// Follows its memory to its new place.
    pub fn follow(&mut self, memory: usize, moves: &Moves) {
        self.place.line = moves.line(memory, self.place.line);
        if let Some(fix) = &mut self.fix {
            fix.memory = moves.to(fix.memory).unwrap_or(usize::MAX);
        }
    }

    /// The finding about a silence without effect.
    pub fn finding(self, memory: usize) -> Finding {
        let (severity, confidence, says) = if self.rule.is_some() {
            let says = format!("{} is silenced here and finds nothing", quote(&self.name));
            (Severity::Info, 0.9, says)
        } else {
            (Severity::Warning, 1.0, unknown(&self.name))
        };
        Finding {
            confidence,
            column: self.place.column,
            place: self.place.bytes,
            message: says,
            fix: self.fix,
            ..Finding::new(UNUSED, severity, memory, self.place.line)
        }
    }
}

fn unknown(name: &str) -> String {
    if name.is_empty() {
        return "no rule is named here, so nothing is silenced".to_owned();
    }
    let nearest = select::nearest_rule(name).map(|near| format!("; did you mean {}?", quote(near)));
    format!(
        "there is no rule {}{}",
        quote(name),
        nearest.unwrap_or_default()
    )
}

/// The silences of a memory, in their order. If one list names a rule twice, only the first name has
/// a fix: it writes the rest of the list.
pub(super) fn silences(subject: &Subject<'_>) -> Vec<Silence> {
    let mut all = in_field(subject);
    for comment in comments(subject.text) {
        let mut fixed = HashSet::new();
        for (n, name) in comment.names.iter().enumerate() {
            let text = subject.text.get(name.clone()).unwrap_or_default();
            let rule = super::rule(text).map(Rule::id);
            all.push(Silence {
                rule,
                used: false,
                name: text.to_owned(),
                place: subject.at_bytes(name.clone()),
                fix: rule
                    .filter(|rule| fixed.insert(*rule))
                    .and_then(|_| without(subject, &comment, n)),
            });
        }
    }
    all
}

fn in_field(subject: &Subject<'_>) -> Vec<Silence> {
    let Some(value) = subject.memory.field(WORD) else {
        return Vec::new();
    };
    let count = value.items().len();
    let mut all = Vec::new();
    for (index, item) in value.items().enumerate() {
        let text = item
            .as_str()
            .map_or_else(|| item.to_string(), str::to_owned);
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        let mut fixed = HashSet::new();
        let without = |name: &str| {
            let field = WORD.to_owned();
            match (&names[..], count) {
                ([_], 1) => FieldEdit::Unset { field },
                ([_], _) => FieldEdit::RemoveItem { field, index },
                (names, _) => {
                    let left = names.iter().filter(|other| **other != name).copied();
                    let value = Value::from(left.collect::<Vec<_>>().join(", "));
                    if count > 1 {
                        FieldEdit::SetItem {
                            field,
                            index,
                            value,
                        }
                    } else {
                        FieldEdit::Set { field, value }
                    }
                }
            }
        };
        for name in &names {
            let rule = super::rule(name).map(Rule::id);
            let new = rule.filter(|rule| fixed.insert(*rule));
            all.push(Silence {
                rule,
                used: false,
                name: (*name).to_owned(),
                place: subject.at_field(WORD, Some(index)),
                fix: new.map(|_| {
                    subject.edit(format!("silence {name} no longer"), vec![without(name)])
                }),
            });
        }
    }
    all
}

/// A comment that silences rules, by bytes of the text it stands in.
struct Comment {
    /// The comment, or its whole line if nothing else is on it.
    bytes: Range<usize>,
    /// Each name.
    names: Vec<Range<usize>>,
}

/// The comments of a text that silence rules.
fn comments(text: &str) -> Vec<Comment> {
    let mut found = Vec::new();
    if !text.contains(WORD) {
        return found;
    }
    let mut fence = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let was = fence;
        fence = super::chars::fence_after(fence, line);
        if was.is_none() && fence.is_none() {
            in_line(line, start, &mut found);
        }
        start += line.len();
    }
    found
}

/// The comments of a line that begins at a byte of the text.
fn in_line(line: &str, start: usize, found: &mut Vec<Comment>) {
    let mut from = 0;
    while let Some(open) = line.get(from..).and_then(|rest| rest.find("<!--")) {
        let open = from + open;
        let inside = open + "<!--".len();
        let Some(length) = line.get(inside..).and_then(|rest| rest.find("-->")) else {
            return;
        };
        let close = inside + length;
        let end = close + "-->".len();
        from = end;
        let says = line.get(inside..close).unwrap_or_default();
        let trimmed = says.trim_start();
        let quoted = line.get(..open).is_some_and(|before| before.ends_with('`'));
        let Some(rest) = trimmed.strip_prefix(WORD).filter(|_| !quoted) else {
            continue;
        };
        if rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_')) {
            continue;
        }
        let names_at = start + inside + (says.len() - rest.len());
        let list = rest.split(':').next().unwrap_or_default();
        let alone = |part: Option<&str>| part.is_some_and(|part| part.trim().is_empty());
        let whole = alone(line.get(..open)) && alone(line.get(end..));
        found.push(Comment {
            bytes: if whole {
                start..start + line.len()
            } else {
                start + open..start + end
            },
            names: names(list, names_at),
        });
    }
}

/// The bytes of each name of a list that begins at a byte; one empty name if there is none.
fn names(list: &str, mut at: usize) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    for part in list.split(',') {
        let start = at + (part.len() - part.trim_start().len());
        all.push(start..start + part.trim().len());
        at += part.len() + 1;
    }
    all
}

/// The fix that removes a name from a comment, or the comment with its only name.
fn without(subject: &Subject<'_>, comment: &Comment, n: usize) -> Option<Fix> {
    let (start, body) = subject.body();
    let name = comment.names.get(n)?;
    let gone = match comment.names.as_slice() {
        [_] => comment.bytes.clone(),
        // With the comma before it, or behind the first name.
        names => match (
            n.checked_sub(1).and_then(|n| names.get(n)),
            names.get(n + 1),
        ) {
            (Some(before), _) => before.end..name.end,
            (None, Some(next)) => name.start..next.start,
            (None, None) => return None,
        },
    };
    let before = body.get(..gone.start.checked_sub(start)?)?;
    let after = body.get(gone.end.checked_sub(start)?..)?;
    let name = subject.text.get(name.clone())?;
    let edit = FieldEdit::Body(format!("{before}{after}"));
    Some(subject.edit(format!("silence {name} no longer"), vec![edit]))
}

/// A text as it is compared from one time to another: without silences, empty lines and the ends
/// of lines.
pub(super) fn settled(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for comment in comments(text) {
        kept.push_str(text.get(from..comment.bytes.start).unwrap_or_default());
        from = comment.bytes.end;
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    let lines = kept.lines().map(str::trim_end);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests;
