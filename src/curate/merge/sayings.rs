//! Which statements of one text another one repeats or contradicts.

use std::ops::Range;

use crate::text::compare::{Sentence, Weights, compare};
use crate::text::tokens::{Kind, Token};

/// The bytes of the statements of a text that contradict one of another text.
pub fn contradicted(text: &str, other: &str) -> Vec<Range<usize>> {
    let weights = Weights::bundled();
    let others = Sentence::all(other, weights);
    let own = Sentence::all(text, weights).into_iter();
    let denied = own.filter(|(_, one)| {
        let mut found = others.iter();
        !found.clone().any(|(_, other)| one.equals(other))
            && found.any(|(_, other)| {
                compare(one, other, weights).is_some_and(|found| weights.warns(&found, 1))
            })
    });
    denied.map(|(at, _)| at.at).collect()
}

/// The statements of a text, to ask whether it says a sentence already.
pub struct Sayings<'t>(Vec<Sentence<'t>>);

impl<'t> Sayings<'t> {
    /// The statements of this text.
    pub fn new(text: &'t str) -> Self {
        let all = Sentence::all(text, Weights::bundled()).into_iter();
        Self(all.map(|(_, sentence)| sentence).collect())
    }

    /// True if one statement of the text says all that a sentence says: it has its words in the
    /// same order, with every name letter for letter.
    pub fn say(&self, sentence: &str) -> bool {
        let own = Sentence::new(sentence, Weights::bundled());
        let spelled = |name: &Token| sentence.get(name.at.clone()).unwrap_or("\0");
        let says = |known: &Sentence<'_>| {
            let mut rest = known.tokens.iter();
            let mut names = own.tokens.iter().filter(|token| token.kind == Kind::Name);
            let mut all = own.tokens.iter();
            all.all(|token| rest.any(|other| other.stem == token.stem))
                && known.negations() == own.negations()
                && names.all(|name| known.text.contains(spelled(name)))
        };
        !own.tokens.is_empty() && self.0.iter().any(says)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_said_where_its_words_and_names_stand_in_order() {
        let text =
            "The *pool* holds ten connections in production. Never raise `POOL_SIZE` by hand.";
        for (sentence, expected) in crate::text::rows::<Vec<(String, bool)>>("tables", "said") {
            assert_eq!(Sayings::new(text).say(&sentence), expected, "{sentence}");
        }
        let denied = contradicted(
            "Ask Ada. The pool holds 25 connections in production.",
            text,
        );
        assert_eq!(denied.first(), Some(&(9..53)));
        assert_eq!(denied.len(), 1);
    }
}
