//! Phrases: a pattern in natural language matches by the words that bear its meaning. Only the
//! dialect `natural` does this; the specs promise it and their code does not.

use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};

/// Words that say how a task is phrased and not what it is about, as stems.
const FILLERS: &[&str] = &[
    "a",
    "about",
    "ad",
    "add",
    "after",
    "all",
    "along",
    "also",
    "an",
    "and",
    "ani",
    "anoth",
    "anyth",
    "approach",
    "are",
    "around",
    "as",
    "ask",
    "at",
    "be",
    "befor",
    "between",
    "build",
    "by",
    "can",
    "chang",
    "check",
    "choos",
    "code",
    "consid",
    "creat",
    "deal",
    "decid",
    "develop",
    "do",
    "doe",
    "dure",
    "each",
    "edit",
    "ensur",
    "everi",
    "featur",
    "fix",
    "for",
    "from",
    "get",
    "handl",
    "has",
    "have",
    "how",
    "if",
    "implement",
    "in",
    "into",
    "involv",
    "is",
    "it",
    "know",
    "like",
    "look",
    "make",
    "may",
    "mention",
    "modifi",
    "more",
    "most",
    "much",
    "must",
    "need",
    "new",
    "not",
    "of",
    "on",
    "onli",
    "or",
    "other",
    "our",
    "over",
    "per",
    "perform",
    "plan",
    "read",
    "relat",
    "relev",
    "requir",
    "see",
    "set",
    "should",
    "some",
    "someth",
    "start",
    "such",
    "sure",
    "task",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "this",
    "to",
    "touch",
    "tri",
    "understand",
    "until",
    "updat",
    "upon",
    "use",
    "user",
    "veri",
    "via",
    "want",
    "was",
    "way",
    "we",
    "what",
    "when",
    "whenev",
    "where",
    "whether",
    "whi",
    "which",
    "while",
    "will",
    "with",
    "without",
    "work",
    "write",
    "you",
    "your",
];

/// Whether a word in lower case says nothing about what a task is about.
pub fn is_filler(word: &str) -> bool {
    is_filler_stem(&Stemmer::create(Algorithm::English).stem(word))
}

fn is_filler_stem(stem: &str) -> bool {
    FILLERS.binary_search(&stem).is_ok()
}

/// The stems of a text's words that bear meaning, with the bytes each word stands at.
pub fn stems(text: &str) -> Vec<(String, Range<usize>)> {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut stems = Vec::new();
    let mut start = None;
    let ends = text
        .char_indices()
        .chain(std::iter::once((text.len(), ' ')));
    for (at, c) in ends {
        match (c.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let word = text.get(from..at).unwrap_or_default().to_lowercase();
                let stem = stemmer.stem(&word).into_owned();
                if !is_filler_stem(&stem) {
                    stems.push((stem, from..at));
                }
                start = None;
            }
            _ => {}
        }
    }
    stems
}

/// The words of a text that bear meaning, in lower case.
pub fn meaning(text: &str) -> Vec<String> {
    let words = stems(text).into_iter().filter_map(|(_, at)| text.get(at));
    words.map(str::to_lowercase).collect()
}

/// The stems a pattern needs, where it is a phrase: several words, no character that means
/// something to the matcher, and at least one word that bears meaning.
pub fn needs(pattern: &str) -> Option<Vec<String>> {
    let pattern = pattern.trim().trim_end_matches(['.', '!']);
    let is_phrase = pattern.split_whitespace().nth(1).is_some()
        && !pattern.contains([
            '|', '*', '?', '.', '{', '}', '[', ']', '(', ')', '^', '$', '+', '\\',
        ]);
    if !is_phrase {
        return None;
    }
    let needs: Vec<String> = stems(pattern).into_iter().map(|(stem, _)| stem).collect();
    (!needs.is_empty()).then_some(needs)
}

/// Where a phrase's words stand in a text: from the first to the last of them.
pub fn find(needs: &[String], stems: &[(String, Range<usize>)]) -> Option<Range<usize>> {
    let mut whole: Option<Range<usize>> = None;
    for need in needs {
        let (_, at) = stems.iter().find(|(stem, _)| stem == need)?;
        whole = Some(match whole {
            None => at.clone(),
            Some(sofar) => sofar.start.min(at.start)..sofar.end.max(at.end),
        });
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillers_are_found_by_their_stems() {
        assert!(FILLERS.is_sorted(), "binary search needs it");
        let words = "when implementing adding considering mentions every only choosing why users";
        for word in words.split(' ') {
            assert!(is_filler(word), "{word}");
        }
        for word in ["security", "authentication", "project", "ones"] {
            assert!(!is_filler(word), "{word}");
        }
    }

    #[test]
    fn a_phrase_matches_by_its_meaning() {
        for (pattern, task, expected) in [
            ("When implementing security", "security features task", true),
            ("When implementing security", "database task", false),
            (
                "When task mentions authentication",
                "authenticate the admin",
                true,
            ),
            ("writing Express handlers", "add an express handler", true),
            ("writing Express handlers", "add an express route", false),
            ("When working on the task", "work on the task", false),
            ("security", "securities", false),
            ("When fixing auth.*", "auth", false),
        ] {
            let found = needs(pattern).and_then(|needs| find(&needs, &stems(task)));
            assert_eq!(found.is_some(), expected, "{pattern:?} on {task:?}");
        }
    }
}
