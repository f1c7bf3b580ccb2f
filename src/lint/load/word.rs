//! The word that was meant.

use crate::lint::select::distance;
use crate::text::word_lists::Words;

/// The words of a scale, each with words that people and agents use for it.
static SYNONYMS: [(&str, Words); 4] = [
    ("critical", Words::named("critical")),
    ("high", Words::named("high")),
    ("medium", Words::named("medium")),
    ("low", Words::named("low")),
];

/// The one word of a scale that a text was meant for.
pub(super) fn nearest(text: &str, words: &[&'static str]) -> Option<&'static str> {
    let text = text.trim().to_lowercase();
    let has = |word: &str| words.iter().copied().find(|known| *known == word);
    if let Some(word) = has(&text) {
        return Some(word);
    }
    if let Some((word, _)) = SYNONYMS.iter().find(|(_, others)| others.has(&text)) {
        return has(word);
    }
    let mut near = words
        .iter()
        .copied()
        .filter(|word| text.len() >= 3 && distance(&text, word, 1).is_some());
    near.next().filter(|_| near.next().is_none())
}
