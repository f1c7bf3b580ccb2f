//! Rules that a memory silences, and silences without effect.
//!
//! ```text
//! <!-- memkeep-ignore stale-path, body-length: it is about the old layout -->   in any body
//! memkeep-ignore: [stale-path, body-length]                                     in frontmatter
//! ```
//! A silence holds for the whole memory. In a code block it is an example.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::chars::{quote, replaced};
use super::position::Position;
use super::{Finding, Fix, Rule, RuleInfo, Subject, select};
use crate::memory::edit::FieldEdit;
use crate::memory::{Severity, Value};
use crate::text::patterns::compact;

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
    fn new(name: &str, place: Position) -> Self {
        Self {
            rule: super::rule(name).map(Rule::id),
            used: false,
            name: name.to_owned(),
            place,
            fix: None,
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
            fix: self.fix.map(Box::new),
            ..Finding::new(UNUSED, severity, memory, self.place.line)
        }
    }
}

fn unknown(name: &str) -> String {
    if name.is_empty() {
        return "no rule is named here, so nothing is silenced".to_owned();
    }
    let meant = select::nearest_rule(name).map(|near| format!("; did you mean {}?", quote(near)));
    format!(
        "there is no rule {}{}",
        quote(name),
        meant.unwrap_or_default()
    )
}

/// The silences of a memory, in order. If a list names a rule twice, only the first has a fix.
pub(super) fn silences(subject: &Subject<'_>) -> Vec<Silence> {
    let mut all = in_field(subject);
    for comment in comments(subject.text) {
        let mut fixed = HashSet::new();
        for (n, name) in comment.names.iter().enumerate() {
            let text = subject.text.get(name.clone()).unwrap_or_default();
            let mut silence = Silence::new(text, subject.at_bytes(name.clone()));
            let is_first = silence.rule.is_some_and(|rule| fixed.insert(rule));
            silence.fix = is_first.then(|| without(subject, &comment, n)).flatten();
            all.push(silence);
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
            let left = names.iter().filter(|other| **other != name).copied();
            let value = Value::from(left.collect::<Vec<_>>().join(", "));
            match (&names[..], count) {
                ([_], 1) => FieldEdit::Unset { field },
                ([_], _) => FieldEdit::RemoveItem { field, index },
                (_, 1) => FieldEdit::Set { field, value },
                _ => FieldEdit::SetItem {
                    field,
                    index,
                    value,
                },
            }
        };
        for name in &names {
            let mut silence = Silence::new(name, subject.at_field(WORD, Some(index)));
            if silence.rule.is_some_and(|rule| fixed.insert(rule)) {
                let title = format!("remove the silence of {name}");
                silence.fix = Some(subject.edit(title, vec![without(name)]));
            }
            all.push(silence);
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
    static COMMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let list = r"(?P<list>(?:[^\w:-][^:]*?)?)(?::.*?)?-->";
        compact(&format!(r"(?P<quoted>`)?<!--\s*{WORD}{list}"))
    });
    let mut found = Vec::new();
    let (mut fence, mut start) = (None, 0);
    let pattern = COMMENT.as_ref().filter(|_| text.contains(WORD));
    for line in pattern.iter().flat_map(|_| text.split_inclusive('\n')) {
        let was = fence;
        fence = super::chars::fence_after(fence, line);
        let is_text = was.is_none() && fence.is_none();
        let comments = pattern.iter().flat_map(|one| one.captures_iter(line));
        for comment in comments.filter(|one| is_text && one.name("quoted").is_none()) {
            let (Some(whole), Some(list)) = (comment.get(0), comment.name("list")) else {
                continue;
            };
            let is_alone = line.trim() == whole.as_str();
            let bytes = if is_alone {
                0..line.len()
            } else {
                whole.range()
            };
            let mut at = start + list.start();
            let names = list.as_str().split(',').map(|part| {
                let name = at + (part.len() - part.trim_start().len());
                at += part.len() + 1;
                name..name + part.trim().len()
            });
            found.push(Comment {
                names: names.collect(),
                bytes: start + bytes.start..start + bytes.end,
            });
        }
        start += line.len();
    }
    found
}

/// The fix that removes a name from a comment, or the comment with its only name.
fn without(subject: &Subject<'_>, comment: &Comment, n: usize) -> Option<Fix> {
    let (start, body) = subject.body();
    let name = comment.names.get(n)?;
    let gone = match comment.names.as_slice() {
        [_] => comment.bytes.clone(),
        // With the comma before it, or behind the first name.
        names => match n.checked_sub(1) {
            Some(before) => names.get(before)?.end..name.end,
            None => name.start..names.get(1)?.start,
        },
    };
    let gone = gone.start.checked_sub(start)?..gone.end.checked_sub(start)?;
    let name = subject.text.get(name.clone())?;
    let edit = FieldEdit::Body(replaced(body, [(gone, "")]));
    Some(subject.edit(format!("remove the silence of {name}"), vec![edit]))
}

/// A text for comparison with later versions: without silences, empty lines and line ends.
pub(super) fn settled(text: &str) -> String {
    let comments = comments(text).into_iter();
    let kept = replaced(text, comments.map(|comment| (comment.bytes, "")));
    let lines = kept.lines().map(str::trim_end);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests;
