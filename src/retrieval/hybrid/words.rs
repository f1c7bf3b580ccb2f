//! Splits a text into search terms: stems of its words, parts of identifiers, pairs of characters where
//! no blanks part the words, and the names of the files it mentions.

use std::collections::HashMap;
use std::sync::LazyLock;

use itertools::Itertools as _;
use rust_stemmers::Algorithm::{
    self, English, French, German, Greek, Italian, Norwegian, Portuguese, Russian, Spanish,
};
use rust_stemmers::Stemmer;

use crate::text::word_lists::Words;

static STOP: Words = Words::named("every-text");

/// Stems of words that ask rather than say what for; they count for less.
static ASKING: Words = Words::named("asking");

/// Abbreviations of developers, by stems, and their long forms.
static SHORT: &str = include_str!("../../../assets/hybrid/short-forms.txt");

/// Longer words are encoded data.
const LONGEST: usize = 48;

/// True if a stem only asks.
pub fn is_asking(stem: &str) -> bool {
    ASKING.has(stem)
}

/// True if a term is of Hiragana alone.
pub fn is_hiragana(term: &str) -> bool {
    term.chars().all(|c| matches!(c, '\u{3041}'..='\u{309f}'))
}

/// Returns the long and short forms of a stem.
pub fn short_for(stem: &str) -> Vec<&'static str> {
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for line in SHORT.lines() {
        let mut forms = line.split(' ');
        match forms.next() {
            Some(short) if short == stem => own.extend(forms),
            Some(short) if forms.any(|form| form == stem) => others.push(short),
            _ => {}
        }
    }
    own.extend(others);
    own
}

/// A word that a text is looked for by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its stem.
    pub stem: String,
    /// The word in lower case.
    pub word: String,
    /// Of a word made of several, which precede it: how many those are, and whether each is a word
    /// that says as much by itself (`rateLimit`, not `sha256` or `OAuth`).
    pub parts: Option<(usize, bool)>,
}

/// The runs of letters and digits of a text.
pub fn runs(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    runs.filter(|run| !run.is_empty())
}

/// The languages of Latin writing that words are stemmed in, English first.
static LANGUAGES: [Algorithm; 7] = [
    English, Spanish, French, German, Portuguese, Italian, Norwegian,
];

/// Small words that give a language away, with the places of those that have them.
static SMALL: LazyLock<HashMap<&str, Vec<usize>>> = LazyLock::new(|| {
    let lines = include_str!("../../../assets/hybrid/small-words.txt").lines();
    let words = lines.enumerate();
    let words = words.flat_map(|(at, line)| line.split(' ').map(move |word| (word, at)));
    words.into_group_map()
});

/// Words of a text that its language is told by.
const TELLING: usize = 100;

/// The language of Latin writing: English unless another has more of the small words, at least two.
pub fn language(text: &str) -> Algorithm {
    let words = text.split(|c: char| !c.is_alphabetic());
    let words = words
        .filter(|word| (1..=8).contains(&word.len()))
        .take(TELLING);
    let small = words.filter_map(|word| SMALL.get(&*word.to_lowercase()));
    let counts = small.flatten().counts();
    let count = |at: &usize| counts.get(at).copied().unwrap_or_default();
    let others = (1..LANGUAGES.len()).filter(|at| count(at) > count(&0).max(1));
    let most = others.max_by_key(count);
    most.and_then(|at| LANGUAGES.get(at).copied())
        .unwrap_or(English)
}

/// The stems of a word in lower case, in all languages: a short prompt does not tell its own.
pub fn stems(word: &str) -> impl Iterator<Item = String> {
    let stem = move |language: &Algorithm| Stemmer::create(*language).stem(word).into_owned();
    LANGUAGES.iter().map(stem).unique()
}

/// Reads the search terms of one run of letters and digits: of a word made of several, each of
/// them and the whole. A run is parted where its writing changes: `PATCH했는데`.
pub fn terms(run: &str, language: Algorithm) -> Vec<Term> {
    if run.is_ascii() {
        return spaced(run, language);
    }
    let parts = run.split(is_unspaced);
    let parts = parts.flat_map(|part| spaced(part, language));
    let rest = run.split(|c| !is_unspaced(c)).flat_map(pairs);
    parts.chain(rest).collect()
}

/// The terms of a run in a writing with blanks.
fn spaced(run: &str, language: Algorithm) -> Vec<Term> {
    // `it's` is `it`, and what is left of `don't` says nothing; of `l'index` the rest does.
    let mut words = run.split(['\'', '’']).filter(|part| !part.is_empty());
    let word = match language {
        English => words.next(),
        _ => words.next_back(),
    };
    let Some(word) = word.filter(|word| word.len() <= LONGEST) else {
        return Vec::new();
    };
    let parts: Vec<&str> = parts(word).collect();
    let is_made = parts.len() > 1;
    let are_words = |part: &&str| part.len() > 1 && !part.contains(char::is_numeric);
    let each = parts.iter().filter(|_| is_made);
    let mut terms: Vec<Term> = each.filter_map(|part| term(part, language)).collect();
    let made_of = (terms.len(), parts.iter().all(are_words));
    terms.extend(term(word, language).map(|whole| Term {
        parts: is_made.then_some(made_of),
        ..whole
    }));
    terms
}

/// The term of a word; none of what stands in every text.
fn term(word: &str, language: Algorithm) -> Option<Term> {
    let word: String = word.chars().flat_map(char::to_lowercase).collect();
    let is_letter = word.len() == 1 && !word.bytes().all(|byte| byte.is_ascii_digit());
    if word.is_empty() || is_letter || STOP.has(&word) {
        return None;
    }
    let language = match word.chars().next() {
        Some('\u{400}'..='\u{4ff}') => Russian,
        Some('\u{370}'..='\u{3ff}') => Greek,
        _ => language,
    };
    Some(Term {
        stem: Stemmer::create(language).stem(&word).into_owned(),
        word,
        parts: None,
    })
}

/// Terms of a text without blanks between words: each two characters that stand side by side.
fn pairs(text: &str) -> Vec<Term> {
    let next = text.char_indices().map(|(at, _)| at).skip(2);
    let ends = next.chain([text.len()]);
    let pairs = text.char_indices().zip(ends);
    let pairs = pairs.map(|((at, _), end)| text.get(at..end).unwrap_or_default());
    let term = |pair: &str| Term {
        stem: pair.to_owned(),
        word: pair.to_owned(),
        parts: None,
    };
    pairs.map(term).collect()
}

/// The files that a text names: `/token.rs` of `src/auth/token.rs` and `token.rs`.
pub fn files(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    let mut names = Vec::new();
    let mut from = 0;
    for dot in memchr::memchr_iter(b'.', text.as_bytes()) {
        let (Some(before), Some(after)) = (text.get(from..dot), text.get(dot..)) else {
            continue;
        };
        // Most points end a sentence.
        let next = after.as_bytes().get(1);
        if !next.is_some_and(u8::is_ascii_alphanumeric) {
            continue;
        }
        let start = before.trim_end_matches(is_part).len();
        let end = dot + after.find(|c| !is_part(c)).unwrap_or(after.len());
        let name = text.get(from + start..end).unwrap_or_default();
        from = end;
        let name = name.trim_matches(['.', '-']);
        // A folder with a point in its name is none.
        let is_folder = text.as_bytes().get(end) == Some(&b'/');
        if !is_folder && is_file(name) {
            names.push(format!("/{}", name.to_lowercase()));
        }
    }
    names
}

/// True if the last part of a path is the name of a file with an ending.
fn is_file(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    let short = (1..=5).contains(&ending.len()) && stem.len() >= 2 && name.len() <= LONGEST;
    let begins = |text: &str| text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic());
    short
        && begins(ending)
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && stem.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// True if a character belongs to a writing that puts no blanks between words.
const fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' | '\u{0e00}'..='\u{0eff}')
}

/// The words an identifier is made of: `HTTPServer2` is `HTTP`, `Server`, `2`.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let end = end_of_part(rest);
        let (part, after) = rest.split_at_checked(end)?;
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

fn end_of_part(word: &str) -> usize {
    // `IDs` is one word.
    let capitals = word
        .strip_suffix('s')
        .filter(|head| head.chars().nth(1).is_some());
    if capitals.is_some_and(|head| head.chars().all(char::is_uppercase)) {
        return word.len();
    }
    let mut before: Option<(usize, char)> = None;
    for (at, c) in word.char_indices() {
        if let Some((start, last)) = before {
            if c.is_numeric() != last.is_numeric() || c.is_uppercase() && last.is_lowercase() {
                return at;
            }
            // The last of several capitals begins a word of its own.
            if c.is_lowercase() && last.is_uppercase() && start > 0 {
                return start;
            }
        }
        before = Some((at, c));
    }
    word.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    fn read(text: &str) -> String {
        let language = language(text);
        let words = runs(text).flat_map(|run| terms(run, language));
        let words = words.map(|term| term.stem);
        let all: Vec<String> = files(text).into_iter().chain(words).collect();
        all.join(" ")
    }

    #[test]
    fn texts_are_taken_apart() {
        for (text, terms) in rows! {
            "The users' tokens were rotated" => "user token rotat",
            "parseHTTPRequest" => "pars http request parsehttprequest",
            "rate_limit-retry" => "rate limit retri",
            "IDs of URLs" => "id url",
            "sha256 v2" => "sha 256 sha256 2 v2",
            "it's what I don't know" => "don know",
            "in src/auth/Token.rs." => "/token.rs src auth token rs",
            "e.g. 1.5 and end." => "1 5 end",
            "Node.js, package.json" => "/node.js /package.json node js packag json",
            "認証を確認" => "認証 証を を確 確認",
            "PATCH했는데 400" => "patch 했는 는데 400",
            "the endpoints が遅い" => "endpoint が遅 遅い",
            "los servicios de la aplicación" => "los servici de la aplic",
            "l'index des fichiers dans le dossier" => "index de fichi dan le dossi",
            "проверка файлов" => "проверк файл",
            "" => "",
        } {
            assert_eq!(read(text), terms, "{text}");
        }
        assert_eq!(read(&"a".repeat(60)), "");
    }

    #[test]
    fn what_is_short_for_something_is_known_both_ways() {
        assert_eq!(short_for("db"), ["databas"]);
        assert_eq!(short_for("databas"), ["db"]);
        assert!(is_asking("help") && !is_asking("databas"));
    }
}
