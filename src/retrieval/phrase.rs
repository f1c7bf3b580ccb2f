//! Phrases: a pattern in natural language matches by the words that bear its meaning. Only the
//! dialect `natural` does this; the specs promise it and their code does not.

use std::collections::HashMap;
use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};

use crate::text::word_lists::Words;

/// Stems of words that say how a task is phrased and not what it is about.
static FILLERS: Words = Words::named("fillers");

/// Stems words and remembers what came of each, nothing of those that bear no meaning: a store uses
/// the same few words over and over, and to look one up is much faster than to stem it.
#[derive(Default)]
pub struct Lexicon(HashMap<Box<str>, Option<Box<str>>>);

/// Beyond this many words the lexicon begins anew.
const MOST_KNOWN: usize = 50_000;

impl Lexicon {
    /// The stem of a word that bears meaning.
    pub fn stem(&mut self, word: &str) -> Option<&str> {
        if !self.0.contains_key(word) {
            if self.0.len() >= MOST_KNOWN {
                self.0.clear();
            }
            let lower = word.to_lowercase();
            let stem = Stemmer::create(Algorithm::English).stem(&lower);
            let stem = (!FILLERS.has(&stem)).then(|| stem.into());
            self.0.insert(word.into(), stem);
        }
        self.0.get(word)?.as_deref()
    }
}

/// The words of a text, with the bytes each stands at.
fn words(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(char::is_alphanumeric)?;
        let rest = text.get(start..)?;
        let length = rest.find(|c: char| !c.is_alphanumeric());
        at = start + length.unwrap_or(rest.len());
        Some((text.get(start..at)?, start..at))
    })
}

/// The stems of a text's words that bear meaning, with the bytes each word stands at.
pub fn stems(text: &str) -> Vec<(String, Range<usize>)> {
    let mut lexicon = Lexicon::default();
    let stem = |(word, at)| Some((lexicon.stem(word)?.to_owned(), at));
    words(text).filter_map(stem).collect()
}

/// The words of a text that bear meaning, in lower case.
pub fn meaning(text: &str) -> Vec<String> {
    let words = stems(text).into_iter().filter_map(|(_, at)| text.get(at));
    words.map(str::to_lowercase).collect()
}

/// The text of a pattern that may be a phrase: words without a sign of the matcher.
fn text_of(pattern: &str) -> Option<&str> {
    let text = pattern.trim().trim_end_matches(['.', '!']);
    let means = |byte| b"|*?.{}[]()^$+\\".contains(&byte);
    let is_phrase = text.split_whitespace().nth(1).is_some() && !text.bytes().any(means);
    is_phrase.then_some(text)
}

/// The stems a pattern needs, where it is a phrase with at least one word that bears meaning.
pub fn needs(pattern: &str, lexicon: &mut Lexicon) -> Option<Vec<Box<str>>> {
    let words = words(text_of(pattern)?);
    let needs = words.filter_map(|(word, _)| lexicon.stem(word).map(Into::into));
    Some(needs.collect()).filter(|needs: &Vec<_>| !needs.is_empty())
}

/// Finds a phrase in a text with these stems: from the first to the last of its words.
pub fn find(
    pattern: &str,
    stems: &[(String, Range<usize>)],
    lexicon: &mut Lexicon,
) -> Option<Range<usize>> {
    let place = |need: Box<str>| {
        let found = stems.iter().find(|(own, _)| **own == *need);
        found.map(|(_, at)| at)
    };
    let places = needs(pattern, lexicon)?.into_iter().map(place);
    let places: Vec<&Range<usize>> = places.collect::<Option<_>>()?;
    let start = places.iter().map(|at| at.start).min()?;
    Some(start..places.iter().map(|at| at.end).max()?)
}

/// Those of some stems that words of a text in lower case have, in the order of the text.
pub fn shared<'s>(
    text: &str,
    stems: &'s [(String, Range<usize>)],
    lexicon: &mut Lexicon,
) -> Vec<&'s str> {
    // A stem begins as its word does: most words need not be stemmed to see that none fits.
    let begins = |word: &str, stem: &str| stem.as_bytes().first() == word.as_bytes().first();
    let mut own = |word| {
        let mut stems = stems.iter().map(|(stem, _)| stem.as_str());
        let may_fit = stems.clone().any(|stem| begins(word, stem));
        let own = may_fit.then(|| lexicon.stem(word))??;
        stems.find(|stem| *stem == own)
    };
    words(text).filter_map(|(word, _)| own(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillers_are_found_by_their_stems() {
        let words = "when implementing adding considering mentions every only choosing why users";
        let lexicon = &mut Lexicon::default();
        for word in words.split(' ') {
            assert_eq!(lexicon.stem(word), None, "{word}");
        }
        for word in ["security", "authentication", "project", "ones"] {
            assert!(lexicon.stem(word).is_some(), "{word}");
        }
    }

    #[test]
    fn a_stem_begins_as_its_word_does() {
        let words = "dying skis idly gently news yes ying eyes youth ied sses über éclairs 9th";
        for word in words.split(' ') {
            let stem = Stemmer::create(Algorithm::English).stem(word);
            assert_eq!(stem.chars().next(), word.chars().next(), "{word}");
        }
    }
}
