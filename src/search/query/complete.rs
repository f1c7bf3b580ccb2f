//! Completes the query at the cursor: names of fields, and after a colon the known values.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::hint::ANY;
use super::lex::{self, Char};
use super::names::{self, Name, Subject};
use super::{QueryError, field, parse};
use crate::memory::schema::Kind;
use crate::memory::{Memory, Schema};
use crate::search::word::{folded, starts_with};

/// A longer value is a sentence, not a word to choose.
const LONGEST: usize = 40;

/// Candidates to replace the text from a byte to the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Start of the text.
    pub from: usize,
    /// As they are written in a query: names as the schemas have them, values the most used first.
    pub candidates: Vec<String>,
}

impl Completion {
    /// Returns the common prefix.
    pub fn common(&self) -> &str {
        let Some((first, rest)) = self.candidates.split_first() else {
            return "";
        };
        rest.iter().fold(first, |common, other| {
            let same = common.chars().zip(other.chars());
            let same = same.take_while(|(a, b)| a == b);
            let len = same.map(|(c, _)| c.len_utf8()).sum();
            common.get(..len).unwrap_or_default()
        })
    }
}

/// Returns the candidates at the cursor, from the schemas and the memories.
pub fn complete(
    text: &str,
    cursor: usize,
    schemas: &[&'static Schema],
    memories: &[Arc<Memory>],
) -> Completion {
    let before = text.get(..cursor).unwrap_or(text);
    let last = lex::tokens(before).pop();
    let token = last.filter(|token| token.span.end == before.len());
    if token.as_ref().is_some_and(|token| token.quoted) {
        return Completion::default();
    }
    let chars = token.map_or_else(Vec::new, |token| token.chars);
    let chars = match &*chars {
        [first, rest @ ..] if first.is('!') => rest,
        all => all,
    };
    let colon = chars.iter().position(|c| c.is(':'));
    let sign = |c: &Char| [':', ',', '<', '>', '='].iter().any(|sign| c.is(*sign));
    let start = colon.and_then(|_| chars.iter().rposition(sign));
    let typed = start.map_or(chars, |start| chars.get(start + 1..).unwrap_or_default());
    let from = typed.first().map_or(before.len(), |c| c.at);
    let typed = folded(&parse::text(typed));
    let candidates = match colon {
        None => {
            let mut seen = HashSet::new();
            let names = names::all(schemas);
            let names = names.filter(|name| starts_with(name, &typed) && seen.insert(*name));
            names.map(|name| format!("{name}:")).collect()
        }
        Some(colon) => {
            let name = parse::text(chars.get(..colon).unwrap_or_default());
            let name = names::find(&name, schemas);
            let values = name.map_or_else(Vec::new, |name| values(name, schemas, memories));
            let values = values.iter().filter(|value| starts_with(value, &typed));
            values.map(|value| lex::escaped(value)).collect()
        }
    };
    Completion { from, candidates }
}

/// The known values of a field.
fn values<'m>(name: Name, schemas: &[&'static Schema], memories: &'m [Arc<Memory>]) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let subject = match name {
        Name::Of(subject) => subject,
        Name::Is(states) => return words(states),
        Name::Has => {
            let all = field::all_has(schemas).into_iter().chain(field::marked());
            return all.map(|(word, _)| word.to_owned()).collect();
        }
    };
    for kind in names::kinds(subject, schemas) {
        match kind {
            Kind::Choice(choices) => return words(choices),
            Kind::Bool => return words(&["true", "false"]),
            Kind::Number(..) | Kind::Date | Kind::Patterns => return Vec::new(),
            Kind::Text | Kind::Tags | Kind::Names | Kind::Lines | Kind::Entries => {}
        }
    }
    let mut counts: HashMap<Cow<'m, str>, usize> = HashMap::new();
    let mut count = |value: Cow<'m, str>| {
        if !value.is_empty() && value.len() <= LONGEST {
            *counts.entry(value).or_default() += 1;
        }
    };
    for memory in memories {
        let value = match subject {
            Subject::Store => {
                count(Cow::Borrowed(&memory.id.store.0));
                None
            }
            Subject::Role(role) => memory.role(role),
            Subject::Field(name) => {
                let written = memory.field(name);
                // A field that is not written counts with its system's default.
                if written.is_none() {
                    count(memory.taken_for(name).unwrap_or_default().into());
                }
                written
            }
            _ => return Vec::new(),
        };
        let items = value.into_iter().flat_map(|value| value.items());
        let texts = items.filter_map(|item| item.as_str());
        texts.for_each(|text| count(text.into()));
    }
    let mut counts: Vec<(Cow<'_, str>, usize)> = counts.into_iter().collect();
    counts.sort_unstable_by(|(a, many), (b, more)| more.cmp(many).then(a.cmp(b)));
    let values = counts.into_iter().map(|(value, _)| value.into_owned());
    values.collect()
}

/// Values that are named of one that can have any; the others are found by their first letters.
const NAMED: usize = 12;
/// Memories that are looked at for them: a key must not wait.
const MOST: usize = 5_000;

/// Names the values that the memories have, where a field without one could have any word.
pub fn offer(
    error: &mut QueryError,
    text: &str,
    schemas: &[&'static Schema],
    memories: &[Arc<Memory>],
) {
    if error.hint.as_deref() != Some(ANY) {
        return;
    }
    let memories = memories.get(..MOST).unwrap_or(memories);
    let known = complete(text, error.span.end, schemas, memories).candidates;
    let words: Vec<&str> = known.iter().map(String::as_str).take(NAMED).collect();
    if !words.is_empty() {
        let is_all = known.len() == words.len();
        let more = if is_all { "" } else { ", …" };
        error.hint = Some(format!("there are {}{more}", words.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::format;
    use crate::search::tests::memory;

    fn at_end(text: &str) -> (usize, Vec<String>) {
        let memories = [
            memory("a", "A", &["auth", "two words"], "high", 1),
            memory("b", "B", &["Audit", "auth"], "low", 1),
        ];
        let found = complete(
            text,
            text.len(),
            &[format::schema("rawko")],
            &memories.map(Arc::new),
        );
        (found.from, found.candidates)
    }

    #[test]
    fn names_and_then_values_that_are_known() {
        let cases: &[(&str, usize, &[&str])] = &[
            ("imp", 0, &["importance:"]),
            ("auth !IMP", 6, &["importance:"]),
            ("ta", 0, &["tag:", "tags:"]),
            ("discoveredB", 0, &["discoveredBy:"]),
            ("nothing", 0, &[]),
            ("\"imp", 0, &[]),
            ("importance:", 11, &["low", "medium", "high", "critical"]),
            ("importance:>=h", 13, &["high"]),
            ("tag:", 4, &["auth", "Audit", "two\\ words"]),
            ("!tag:auth,au", 10, &["auth", "Audit"]),
            ("tag:two\\ w", 4, &["two\\ words"]),
            ("author:", 7, &["developer"]),
            ("state:a", 6, &["active", "archived"]),
            ("is:in", 3, &["invisible"]),
            ("has:stale-p", 4, &["stale-path"]),
            ("has:contradict", 4, &["contradiction", "contradicts"]),
            ("store:", 6, &["rawko"]),
            ("created:<", 9, &[]),
            ("nope:x", 0, &[]),
        ];
        for (text, from, candidates) in cases {
            let found = at_end(text);
            assert_eq!(found.1, *candidates, "{text}");
            if !candidates.is_empty() {
                assert_eq!(found.0, *from, "{text}");
            }
        }
        assert_eq!(at_end("").1.first().map(|name| &**name), Some("tag:"));
        let inside = complete("imp auth", 3, &[format::schema("rawko")], &[]);
        assert_eq!(inside.candidates, ["importance:"]);
    }

    #[test]
    fn any_word_is_one_that_the_memories_have() {
        use crate::systems::golemcore::GOLEMCORE;
        let scoped = |at: &str, scope: Option<&str>| {
            let path = format!("/w/memory/{at}/items/semantic.jsonl");
            let id = crate::memory::MemoryId::new(&"golemcore".into(), "a");
            let fields = scope.map(|scope| ("scope", scope.into()));
            Arc::new(Memory {
                fields: fields.into_iter().collect(),
                ..Memory::new(id, std::path::Path::new(&path).into(), &GOLEMCORE)
            })
        };
        let memories = [
            scoped(".", Some("global")),
            scoped(".", Some("global")),
            scoped(".", Some("session:telegram:42")),
        ];
        let hint = |text: &str, schemas: &[&'static Schema]| {
            let query = super::super::Query::parse(text, schemas).unwrap();
            let mut error = query.unfinished().unwrap().clone();
            super::super::offer(&mut error, text, schemas, &memories);
            error.hint.unwrap()
        };
        let two: [&'static crate::memory::Schema; 2] = [&GOLEMCORE, &GOLEMCORE];
        assert_eq!(
            hint("scope:", &two),
            r"there are global, session\:telegram\:42"
        );
        // Two stores of a format have the same words.
        let layers = hint("layer:", &two);
        assert_eq!(layers.matches("SEMANTIC").count(), 1, "{layers}");
    }

    #[test]
    fn what_is_sure_is_what_all_begin_with() {
        let common = |all: &[&str]| {
            let candidates = all.iter().map(|one| (*one).to_owned()).collect();
            let from = 0;
            Completion { from, candidates }.common().to_owned()
        };
        assert_eq!(common(&["active", "archived"]), "a");
        assert_eq!(common(&["äb", "äc"]), "ä");
        assert_eq!(common(&["one"]), "one");
        assert_eq!(common(&[]), "");
    }
}
