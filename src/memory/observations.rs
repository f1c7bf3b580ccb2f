//! Observations and relations in the text of a note (formats: basic-memory, "Body grammar").
//!
//! ```text
//! - [decision] Amounts are cents #money (since the audit)    an observation
//! - relates_to [[Ledger]] (rounding)                         a relation
//! ```

use std::ops::Range;

use itertools::Itertools as _;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{Fields, Value};

/// The type of a relation that names none.
const LINKS_TO: &str = "links_to";

/// How a note relates to another one.
#[derive(Debug, PartialEq, Eq)]
pub struct Relation<'a> {
    /// Its type.
    pub kind: &'a str,
    /// The note it names, as it is written.
    pub target: &'a str,
    /// Text in brackets after it.
    pub context: Option<&'a str>,
}

/// Contents of a note's text, in order.
#[derive(Debug, Default)]
pub struct Graph<'a> {
    /// Its observations, each with its category and text, the tags in it and the text in brackets at
    /// its end.
    pub observations: Vec<Fields>,
    /// Its relations.
    pub relations: Vec<Relation<'a>>,
}

/// The fields that a query knows by a name of its own: the list and the key in each of its items.
pub fn part(name: &str) -> Option<(&'static str, &'static str)> {
    let mut all = PARTS.iter();
    all.find(|(own, ..)| own.eq_ignore_ascii_case(name))
        .map(|(_, list, key)| (*list, *key))
}

/// Those names, each with its list and key.
pub const PARTS: [(&str, &str, &str); 2] = [
    ("category", "observations", "category"),
    ("relation", "relations", "type"),
];

impl<'a> Graph<'a> {
    /// Reads a body.
    pub fn read(body: &'a str) -> Self {
        let mut graph = Self::default();
        for (at, is_item) in inlines(body) {
            let text = body.get(at).unwrap_or_default().trim();
            graph.observations.extend(observation(text));
            match typed(text).filter(|_| is_item) {
                Some(relation) => graph.relations.push(relation),
                None => graph.relations.extend(links(text)),
            }
        }
        graph
    }

    /// The same as fields: `observations` and `relations`.
    pub fn fields(&self) -> Fields {
        let relation = |one: &Relation<'_>| {
            let context = one.context.map_or(Value::Null, Value::from);
            let (kind, target) = (one.kind.into(), one.target.into());
            let fields = [("type", kind), ("target", target), ("context", context)];
            Value::from(Fields::from_iter(fields))
        };
        let observations = self.observations.iter().cloned().map(Value::from).collect();
        let relations = self.relations.iter().map(relation).collect();
        Fields::from_iter([("observations", observations), ("relations", relations)])
    }

    /// The same as lines for people: how many observations of each category, then each relation.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let categories = self.observations.iter().map(|one| {
            let category = one.get("category").and_then(Value::as_str);
            category.unwrap_or("no category")
        });
        let all = categories.clone().counts();
        let count = |name: &str| all.get(name).copied().unwrap_or_default();
        let line = |name| format!("{name} ({})", count(name));
        let counts = categories.unique().map(line).join(", ");
        let counts = Some(("observations", counts)).filter(|(_, counts)| !counts.is_empty());
        let relations = self.relations.iter().map(|one| {
            let context = one.context.map(|text| format!(" ({text})"));
            let context = context.unwrap_or_default();
            let line = format!("{} → {}{context}", one.kind, one.target);
            ("relation", line)
        });
        counts.into_iter().chain(relations).collect()
    }
}

/// The runs of text of a body, each with whether it stands in an item of a list; none in quotations
/// and blocks of code.
fn inlines(body: &str) -> Vec<(Range<usize>, bool)> {
    let mut found = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let (mut quotes, mut items, mut in_code) = (0_usize, 0_usize, false);
    for (event, at) in Parser::new_ext(body, Options::empty()).into_offset_iter() {
        let is_inline = match &event {
            Event::Text(_) => !in_code,
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. })
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Image)
            | Event::Code(_)
            | Event::InlineHtml(_)
            | Event::SoftBreak
            | Event::HardBreak => true,
            _ => false,
        };
        if is_inline {
            open = Some(match open {
                Some(open) => open.start.min(at.start)..open.end.max(at.end),
                None => at,
            });
            continue;
        }
        let run = open.take().filter(|_| quotes == 0);
        found.extend(run.map(|run| (run, items > 0)));
        match event {
            Event::Start(Tag::BlockQuote(_)) => quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) => quotes = quotes.saturating_sub(1),
            Event::Start(Tag::Item) => items += 1,
            Event::End(TagEnd::Item) => items = items.saturating_sub(1),
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            _ => {}
        }
    }
    found
}

/// `[category] text`, or a text with a tag in it.
fn observation(text: &str) -> Option<Fields> {
    let bracket = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let is_word = |inside: &str| !inside.is_empty() && !inside.contains(['[', '(', ')']);
    let bracket = bracket.filter(|(inside, _)| is_word(inside));
    // `[ ]`, `[x]`, `[-]` are marks of tasks, and `[00:11]` is a time.
    let is_mark = |inside: &str| {
        let mut chars = inside.chars();
        let one = chars.next().filter(|_| chars.next().is_none());
        let is_of_time = |c: char| c == ':' || c.is_ascii_digit();
        let is_time = inside.contains(':') && inside.chars().all(is_of_time);
        is_time || one.is_some_and(|c| !c.is_alphanumeric() || matches!(c, 'x' | 'X'))
    };
    if bracket.is_some_and(|(inside, _)| is_mark(inside)) {
        return None;
    }
    let behind = bracket.filter(|(_, rest)| rest.starts_with(char::is_whitespace));
    let (category, rest) = match behind.filter(|(_, rest)| !rest.trim().is_empty()) {
        Some((category, rest)) => (Some(category.trim()), rest.trim()),
        None => (None, text),
    };
    let words = rest.split_whitespace();
    let tags = words.filter_map(|word| word.strip_prefix('#'));
    let tags: Vec<&str> = tags.filter(|tag| !tag.is_empty()).collect();
    if category.is_none() && tags.is_empty() {
        return None;
    }
    let inside = rest.strip_suffix(')');
    let inside = inside.and_then(|rest| rest.rsplit_once('('));
    let text = inside.map_or(rest, |(before, _)| before.trim_end());
    let optional = |text: Option<&str>| text.map_or(Value::Null, Value::from);
    Some(Fields::from_iter([
        ("category", optional(category)),
        ("text", text.into()),
        ("tags", tags.into_iter().map(Value::from).collect()),
        ("context", optional(inside.map(|(_, context)| context))),
    ]))
}

/// `type [[Target]]` or `"two words" [[Target]]`, with a context in brackets and no more.
fn typed(text: &str) -> Option<Relation<'_>> {
    let (before, rest) = text.split_once("[[")?;
    let before = before.trim();
    let mut quotes = ['"', '\''].into_iter();
    let quoted = quotes.find_map(|quote| before.strip_prefix(quote)?.strip_suffix(quote));
    let kind = quoted.or(Some(before).filter(|word| !word.contains(char::is_whitespace)))?;
    let length = target(rest)?;
    let after = rest.get(length + 2..)?.trim();
    let context = after.strip_prefix('(');
    let context = context.and_then(|after| after.strip_suffix(')'));
    let is_all = after.is_empty() || context.is_some_and(|context| !context.contains([')', '(']));
    (is_all && !kind.is_empty()).then_some(Relation {
        kind,
        target: name(rest.get(..length)?),
        context: context.map(str::trim),
    })
}

/// Every `[[Target]]` of a text.
fn links(text: &str) -> Vec<Relation<'_>> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some((_, after)) = rest.split_once("[[") {
        let inside = target(after).and_then(|length| after.split_at_checked(length));
        let target = inside.map_or("", |(inside, _)| name(inside));
        if !target.is_empty() {
            found.push(Relation {
                kind: LINKS_TO,
                target,
                context: None,
            });
        }
        rest = inside.map_or(after, |(_, closing)| closing.get(2..).unwrap_or_default());
    }
    found
}

/// Bytes of the longest target of a relation.
const LONGEST: usize = 1024;

/// Length of what stands before the `]]` that closes a link, links inside of it left alone.
fn target(rest: &str) -> Option<usize> {
    let (mut depth, mut at) = (1_usize, 0);
    while let Some(pair) = rest.get(at..).filter(|_| at < LONGEST) {
        at += match pair.chars().next()? {
            '[' if pair.starts_with("[[") => {
                depth += 1;
                2
            }
            ']' if pair.starts_with("]]") && depth == 1 => return Some(at),
            ']' if pair.starts_with("]]") => {
                depth -= 1;
                2
            }
            c => c.len_utf8(),
        };
    }
    None
}

fn name(target: &str) -> &str {
    target.split('|').next().unwrap_or(target).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_holds_what_its_grammar_says() {
        let body = "# Money #cents\n\nSee [[Ledger|the ledger]].\n\n- [decision] Cents only #money (since [2])\n- [ ] open\n- [x] done #no\n- [00:11] a time\n- relates_to [[Ledger]] (rounding)\n- \"is part of\" [[Books [[2]]]]\n- two words [[Tax]]\n- [[Bare]]\n  - implements [[Nested]]\n\n> - [quote] not read\n\n```\n- [code] not read\n```\n\n[fact] In a paragraph.\n";
        let graph = Graph::read(body);
        let fields = serde_json::to_value(graph.fields()).unwrap();
        let observations = [
            r#"{"category":null,"text":"Money #cents","tags":["cents"],"context":null}"#,
            r#"{"category":"decision","text":"Cents only #money","tags":["money"],"context":"since [2]"}"#,
            r#"{"category":"fact","text":"In a paragraph.","tags":[],"context":null}"#,
        ];
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(
            fields["observations"],
            serde_json::json!(observations.map(read))
        );
        let relations = graph
            .relations
            .iter()
            .map(|one| (one.kind, one.target, one.context));
        let expected = [
            ("links_to", "Ledger", None),
            ("relates_to", "Ledger", Some("rounding")),
            ("is part of", "Books [[2]]", None),
            ("links_to", "Tax", None),
            ("links_to", "Bare", None),
            ("implements", "Nested", None),
        ];
        assert_eq!(relations.collect::<Vec<_>>(), expected);
        assert_eq!(fields["relations"][1]["context"], "rounding");
        let first = &graph.lines()[0].1;
        assert_eq!(first, "no category (1), decision (1), fact (1)");
    }
}
