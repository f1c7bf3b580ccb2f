//! The word that was meant.

use crate::lint::select::distance;

/// Words that people and agents use for the words of a scale.
static SYNONYMS: &[(&str, &[&str])] = &[
    (
        "critical",
        &[
            "urgent",
            "blocker",
            "blocking",
            "severe",
            "highest",
            "must",
            "vital",
            "essential",
            "crit",
        ],
    ),
    ("high", &["major", "important", "significant"]),
    (
        "medium",
        &[
            "normal", "moderate", "default", "average", "middle", "mid", "med", "regular",
            "standard",
        ],
    ),
    ("low", &["minor", "trivial", "lowest", "optional", "small"]),
];

/// The one word of a scale that a text was meant for.
pub(super) fn nearest(text: &str, words: &[&'static str]) -> Option<&'static str> {
    let text = text.trim().to_lowercase();
    let has = |word: &str| words.iter().copied().find(|known| *known == word);
    if let Some(word) = has(&text) {
        return Some(word);
    }
    let synonym = SYNONYMS
        .iter()
        .find(|(_, others)| others.contains(&text.as_str()));
    if let Some((word, _)) = synonym {
        return has(word);
    }
    let mut near = words
        .iter()
        .copied()
        .filter(|word| text.len() >= 3 && distance(&text, word, 1).is_some());
    near.next().filter(|_| near.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_or_none() {
        let words = ["low", "medium", "high", "critical"];
        for (text, word) in [
            ("HIGH", Some("high")),
            (" medium ", Some("medium")),
            ("urgent", Some("critical")),
            ("Normal", Some("medium")),
            ("hgh", Some("high")),
            ("criticl", Some("critical")),
            ("low|medium|high|critical", None),
            ("5", None),
            ("", None),
            ("lo", None),
            ("banana", None),
        ] {
            assert_eq!(nearest(text, &words), word, "{text}");
        }
    }
}
