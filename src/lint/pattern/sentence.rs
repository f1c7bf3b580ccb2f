//! Patterns that are sentences, or lists as people write them.

use std::collections::HashSet;

use super::Flaw;
use super::reading::Reading;
use crate::lint::chars::quote;
use crate::memory::steps::step;
use crate::retrieval::js::trim;
use crate::retrieval::phrase;
use crate::text::word_lists::Words;

/// Words that begin a description of an occasion.
static OCCASIONS: Words = Words::named("occasions");

/// Separators of lists, each with the minimum number of items: a comma may stand in a name.
const SIGNS: [(&str, usize); 3] = [(",", 3), (";", 2), (" / ", 2)];

/// Patterns of one memory that are tried on its sentences; none has so many.
const MOST_TRIED: usize = 64;

/// The patterns of a memory, compiled when the first sentence is tried on them.
pub(super) struct Others<'a> {
    patterns: Vec<&'a str>,
    read: Vec<(&'a str, Reading)>,
}

impl<'a> Others<'a> {
    pub(super) fn new(patterns: impl Iterator<Item = &'a str>) -> Self {
        let patterns = patterns.take(MOST_TRIED).collect();
        let read = Vec::new();
        Self { patterns, read }
    }

    /// The pattern that matches a sentence; the sentence itself is none, for it is read as a text.
    fn covering(&mut self, text: &str) -> Option<&'a str> {
        let read = |text| (text, Reading::of(text));
        self.read.extend(self.patterns.drain(..).map(read));
        let covers = |(other, reading): &&(&str, Reading)| {
            step(other.len() + text.len());
            !matches!(reading, Reading::Literal(_)) && reading.matches(text)
        };
        self.read.iter().find(covers).map(|(other, _)| *other)
    }
}

/// The flaw of a pattern that is a sentence or a list.
pub(super) fn flaw(written: &str, others: &mut Others<'_>) -> Option<Flaw> {
    // Skip regular expressions first: most patterns are some.
    if written.contains(['|', '*', '?']) {
        return None;
    }
    let written = trim(written);
    let says = || format!("{} matches only a task that says just that", quote(written));
    if let Some((sign, items)) = listed(written) {
        let sign = quote(sign.trim());
        let says = says() + &format!(": alternatives are parted by |, not by {sign}");
        let cure = Some(vec![items.join("|")]);
        return Some(Flaw {
            cure,
            ..Flaw::new("pattern-sentence", 0.8, says)
        });
    }
    if !is_sentence(&written.to_lowercase()) {
        return None;
    }
    let Reading::Literal(text) = Reading::of(written) else {
        return None;
    };
    let natural = "the dialect `natural` finds it by its words, the system's own code does not";
    let words = meaning(&text);
    let (confidence, rest) = match others.covering(&text) {
        Some(other) => (0.4, format!("{} covers its words already", quote(other))),
        None => (
            0.8,
            format!("its meaning is in {}", quote(&words.join("|"))),
        ),
    };
    let says_more = confidence < 0.5 || !words.is_empty();
    let mut flaw = Flaw::new("pattern-sentence", confidence, says() + ", word for word");
    flaw.evidence.push(natural.to_owned());
    flaw.evidence.extend(says_more.then_some(rest));
    Some(flaw)
}

/// The items of a list that is written as people write one, and the sign between them.
fn listed(written: &str) -> Option<(&'static str, Vec<&str>)> {
    const WORDS: usize = 3;
    let is_item = |item: &&str| {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let first = item.split(' ').next().unwrap_or_default().to_lowercase();
        item.chars().all(plain)
            && item.contains(char::is_alphabetic)
            && item.split(' ').count() <= WORDS
            && !OCCASIONS.has(&first)
    };
    SIGNS.iter().find_map(|(sign, least)| {
        let items = written.split(sign).map(str::trim);
        let items = items.map(|item| item.trim_start_matches("and ").trim_start_matches("or "));
        let items: Vec<&str> = items.collect();
        (items.len() >= *least && items.iter().all(is_item)).then_some((*sign, items))
    })
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
    // "to", "in" and "on" begin names too.
    let least = if first.len() <= 2 { 3 } else { 2 };
    let doing = first.len() >= 6 && first.ends_with("ing") && words.len() >= 3;
    words.len() >= 4 || doing || OCCASIONS.has(first) && words.len() >= least
}

/// The words of a sentence that say something.
fn meaning(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let words = text.split(|c| !is_part(c));
    let words = words.map(|word| word.trim_matches(['.', '-', '_']));
    let mut known = HashSet::new();
    words
        .filter(|word| word.chars().count() >= 3 && !phrase::is_filler(word) && known.insert(*word))
        .collect()
}
