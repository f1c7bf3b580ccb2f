//! Rules that a memory silences, and silences without effect.
//!
//! ```text
//! <!-- memkeep-ignore stale-path, body-length: it is about the old layout -->   in any body
//! memkeep-ignore: [stale-path, body-length]                                     in frontmatter
//! ```
//! A silence holds for the whole memory. In a code block it is an example.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::chars::{quote, replaced};
use super::subject::Position;
use super::{Finding, Subject, select};
use crate::memory::{Severity, Value};
use crate::text::patterns::compact;

/// The word of the comment, and the name of the field.
pub const WORD: &str = "memkeep-ignore";

/// The id of the rule about silences.
pub const UNUSED: &str = "unused-silence";

/// A rule that a memory silences.
#[derive(Clone)]
pub(super) struct Silence {
    /// The rule; none if no rule has this name.
    pub rule: Option<&'static str>,
    /// True if it silenced something.
    pub used: bool,
    name: String,
    place: Position,
}

impl Silence {
    fn new(name: &str, place: Position) -> Self {
        Self {
            rule: super::rule(name).map(|rule| rule.id),
            used: false,
            name: name.to_owned(),
            place,
        }
    }

    /// The finding about a silence without effect.
    pub fn finding(self, memory: usize) -> Finding {
        let name = quote(&self.name);
        let near = || select::nearest_rule(&self.name);
        let (severity, confidence, message) = match self.rule {
            Some(_) => {
                let says = format!("{name} is silenced here and finds nothing");
                (Severity::Info, 0.9, says)
            }
            None if self.name.is_empty() => {
                let says = "no rule is named here, so nothing is silenced".to_owned();
                (Severity::Warning, 1.0, says)
            }
            None => {
                let meant = near().map(|near| format!("; did you mean {}?", quote(near)));
                let says = format!("there is no rule {name}{}", meant.unwrap_or_default());
                (Severity::Warning, 1.0, says)
            }
        };
        Finding {
            confidence,
            column: self.place.column,
            place: self.place.bytes,
            message,
            ..Finding::new(UNUSED, severity, memory, self.place.line)
        }
    }
}

/// The silences of a memory, in order.
pub(super) fn silences(subject: &Subject<'_>) -> Vec<Silence> {
    let mut all = Vec::new();
    let value = subject.memory.field(WORD).into_iter();
    for (index, item) in value.flat_map(Value::items).enumerate() {
        let text = item
            .as_str()
            .map_or_else(|| item.to_string(), str::to_owned);
        let place = || subject.at_field(WORD, Some(index));
        let names = text.split(',').map(str::trim);
        all.extend(names.map(|name| Silence::new(name, place())));
    }
    for name in comments(subject.text)
        .into_iter()
        .flat_map(|(_, names)| names)
    {
        let text = subject.text.get(name.clone()).unwrap_or_default();
        all.push(Silence::new(text, subject.at_bytes(name)));
    }
    all
}

/// A comment that silences rules, or its whole line if nothing else is on it; and each name.
type Comment = (Range<usize>, Vec<Range<usize>>);

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
            let bytes = match line.trim() == whole.as_str() {
                true => 0..line.len(),
                false => whole.range(),
            };
            let mut at = start + list.start();
            let names = list.as_str().split(',').map(|part| {
                let name = at + (part.len() - part.trim_start().len());
                at += part.len() + 1;
                name..name + part.trim().len()
            });
            let names = names.collect();
            found.push((start + bytes.start..start + bytes.end, names));
        }
        start += line.len();
    }
    found
}

/// A text for comparison with later versions: without silences, empty lines and line ends.
pub(super) fn settled(text: &str) -> String {
    let comments = comments(text).into_iter();
    let kept = replaced(text, comments.map(|(bytes, _)| (bytes, "")));
    let lines = kept.lines().map(str::trim_end);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests;
