//! Patterns that are sentences.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::reading::Reading;
use super::{Cure, Flaw};
use crate::lint::chars::quote;
use crate::memory::{Memory, steps::step};
use crate::retrieval::js::trim;
use crate::retrieval::rawko::phrase;

/// Words that begin a description of an occasion.
static OCCASIONS: &[&str] = &[
    "when", "whenever", "if", "before", "after", "while", "during", "once", "anytime", "any",
    "always", "every", "use", "for", "how", "why", "where", "what", "to", "in", "on",
];

/// Patterns of one memory that are tried on its sentences; none has so many.
const MOST_TRIED: usize = 64;

/// What stands beside a pattern.
pub(super) struct Beside<'a> {
    patterns: Vec<&'a str>,
    /// The first patterns that may bring in what a sentence says, as they are read.
    covering: OnceCell<Vec<(&'a str, Reading)>>,
    /// The words of the memory's title, and its tags.
    filed: HashSet<String>,
}

impl<'a> Beside<'a> {
    /// The patterns of a memory.
    pub(super) fn new(patterns: impl Iterator<Item = &'a str>, memory: &Memory) -> Self {
        let title = memory.title.to_lowercase();
        let words = title.split(|c: char| !c.is_alphanumeric());
        let tags = memory.tags().map(str::to_lowercase);
        Self {
            patterns: patterns.collect(),
            covering: OnceCell::new(),
            filed: words.map(ToOwned::to_owned).chain(tags).collect(),
        }
    }

    /// The pattern that brings in what a sentence says. The sentence itself is none of them, for it
    /// is read as a text.
    fn covering(&self, text: &str) -> Option<&'a str> {
        use Reading::{Alternatives, Expression};
        let read = || {
            let read = self.patterns.iter().map(|text| (*text, Reading::of(text)));
            let wide =
                read.filter(|(_, reading)| matches!(reading, Alternatives(_) | Expression { .. }));
            wide.take(MOST_TRIED).collect()
        };
        let mut all = self.covering.get_or_init(read).iter();
        let covering = all.find(|(other, reading)| {
            step(other.len() + text.len());
            reading.matches(text)
        });
        covering.map(|(other, _)| *other)
    }
}

/// What is wrong with a pattern that is a sentence.
pub(super) fn flaw(written: &str, beside: &Beside<'_>) -> Option<Flaw> {
    // What is no text to look for cannot be a sentence; asked before it is read, for most are not.
    let expression = written.contains(['|', '*', '?']);
    if let Some((sign, items)) = listed(written).filter(|_| !expression) {
        return Some(Flaw {
            rule: "pattern-sentence",
            confidence: 0.8,
            message: format!(
                "{} matches only a task that says just that: alternatives are parted by |, not by \
                 {}",
                quote(trim(written)),
                quote(sign.trim())
            ),
            evidence: Vec::new(),
            cure: Cure::Replace(vec![items.join("|")]),
        });
    }
    if expression || !is_sentence(&trim(written).to_lowercase()) {
        return None;
    }
    let Reading::Literal(text) = Reading::of(written) else {
        return None;
    };
    let words = meaning(&text);
    let covering = beside.covering(&text);
    let mut evidence = vec![
        "the dialect `natural` finds it by its words, the system's own code does not".to_owned(),
    ];
    let mut cure = Cure::None;
    let mut confidence = 0.8;
    if let Some(other) = covering {
        confidence = 0.4;
        evidence.push(format!("{} covers its words already", quote(other)));
    } else if !words.is_empty() {
        evidence.push(format!("its meaning is in {}", quote(&words.join("|"))));
        cure = short_form(&beside.filed, &words).map_or(Cure::None, Cure::Add);
    }
    Some(Flaw {
        rule: "pattern-sentence",
        confidence,
        message: format!(
            "{} matches only a task that says just that, word for word",
            quote(trim(written))
        ),
        evidence,
        cure,
    })
}

/// The items of a list that is written as people write one, and the sign between them: a comma may
/// as well part two words of one name.
fn listed(written: &str) -> Option<(&'static str, Vec<&str>)> {
    const SIGNS: [(&str, usize); 3] = [(",", 3), (";", 2), (" / ", 2)];
    const WORDS: usize = 3;
    let is_item = |item: &&str| {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let first = item.split(' ').next().unwrap_or_default().to_lowercase();
        item.chars().all(plain)
            && item.contains(char::is_alphabetic)
            && item.split(' ').count() <= WORDS
            && !OCCASIONS.contains(&&*first)
    };
    SIGNS.iter().find_map(|(sign, least)| {
        let items = trim(written).split(sign).map(str::trim);
        let bare = |item| {
            ["and ", "or "]
                .iter()
                .find_map(|join| str::strip_prefix(item, join))
        };
        let items: Vec<&str> = items.map(|item| bare(item).unwrap_or(item)).collect();
        (items.len() >= *least && items.iter().all(is_item)).then_some((*sign, items))
    })
}

/// The sentence's words as a pattern, where the memory is filed under them: then it is certain
/// that they do not bring it in by accident. One word must be all that the sentence means.
fn short_form(filed: &HashSet<String>, words: &[&str]) -> Option<String> {
    let filed: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| word.chars().count() >= 4 && filed.contains(*word))
        .take(3)
        .collect();
    let enough = filed.len() >= 2 || (filed.len() == 1 && words.len() == 1);
    enough.then(|| filed.join(".*"))
}

fn is_sentence(text: &str) -> bool {
    // A command line or a place is no sentence, however long.
    if text.contains(['/', '=', '`', '{', '(', '<', '\\']) || text.contains(" -") {
        return false;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some(first) = words.first() else {
        return false;
    };
    let occasion = OCCASIONS.contains(first) && words.len() >= 2;
    let doing = first.len() >= 6 && first.ends_with("ing") && words.len() >= 3;
    // "to", "in" and "on" begin names too.
    let short = first.len() <= 2 && words.len() < 3;
    (occasion && !short) || doing || words.len() >= 4
}

fn meaning(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    let mut known = HashSet::new();
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_' && c != '.') {
        let word = word.trim_matches(['.', '-', '_']);
        if word.chars().count() >= 3 && !phrase::is_filler(word) && known.insert(word) {
            words.push(word);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::rows;
    use super::*;

    #[test]
    fn lists_are_told_from_names_and_sentences() {
        let joined = |text: &str| listed(text).map(|(_, items)| items.join("|"));
        for [text, items] in rows::<Vec<[String; 2]>>("lists") {
            assert_eq!(joined(&text), Some(items), "{text}");
        }
        for text in rows::<Vec<String>>("no_lists") {
            assert_eq!(joined(&text), None, "{text}");
        }
    }

    #[test]
    fn sentences_and_terms() {
        for (key, expected) in [("sentences", true), ("terms", false)] {
            for text in rows::<Vec<String>>(key) {
                assert_eq!(is_sentence(&text), expected, "{text}");
            }
        }
        assert_eq!(meaning("when implementing security features"), ["security"]);
    }
}
