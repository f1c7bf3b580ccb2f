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
    "also",
    "an",
    "and",
    "ani",
    "approach",
    "are",
    "as",
    "ask",
    "at",
    "be",
    "befor",
    "build",
    "by",
    "can",
    "chang",
    "code",
    "consid",
    "creat",
    "deal",
    "develop",
    "do",
    "dure",
    "each",
    "ensur",
    "featur",
    "fix",
    "for",
    "from",
    "get",
    "handl",
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
    "look",
    "make",
    "mention",
    "modifi",
    "must",
    "need",
    "new",
    "not",
    "of",
    "on",
    "or",
    "our",
    "perform",
    "plan",
    "relat",
    "requir",
    "see",
    "set",
    "should",
    "some",
    "someth",
    "start",
    "sure",
    "task",
    "that",
    "the",
    "their",
    "them",
    "there",
    "these",
    "thing",
    "this",
    "to",
    "touch",
    "tri",
    "understand",
    "updat",
    "use",
    "user",
    "via",
    "want",
    "we",
    "what",
    "when",
    "whenev",
    "where",
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
                if FILLERS.binary_search(&stem.as_str()).is_err() {
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
    fn fillers_are_sorted_stems() {
        let stemmer = Stemmer::create(Algorithm::English);
        assert!(FILLERS.is_sorted(), "binary search needs it");
        for filler in FILLERS {
            assert_eq!(stemmer.stem(filler), *filler);
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
