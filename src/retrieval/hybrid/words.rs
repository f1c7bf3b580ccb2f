//! Splits a text into search terms: stems of its words, parts of identifiers, and the names of the
//! files it mentions.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

use crate::text::word_lists::Words;

/// Words that stand in every text.
static STOP: Words = Words::named("every-text");

/// Stems of words that ask rather than say what for; they count for less.
static ASKING: Words = Words::named("asking");

/// Abbreviations of developers, by stems, and their long forms.
pub const SHORT: &[(&str, &[&str])] = &[
    ("async", &["asynchron"]),
    ("auth", &["authent", "author", "login"]),
    ("authn", &["authent"]),
    ("authz", &["author", "permiss"]),
    ("cfg", &["config", "configur"]),
    ("cli", &["command"]),
    ("cmd", &["command"]),
    ("conf", &["config", "configur"]),
    ("config", &["configur", "set"]),
    ("ctx", &["context"]),
    ("db", &["databas"]),
    ("dep", &["depend"]),
    ("dev", &["develop"]),
    ("dir", &["directori", "folder"]),
    ("doc", &["document"]),
    ("env", &["environ"]),
    ("err", &["error"]),
    ("exec", &["execut"]),
    ("i18n", &["internation", "translat"]),
    ("id", &["identifi"]),
    ("impl", &["implement"]),
    ("info", &["inform"]),
    ("init", &["initi"]),
    ("js", &["javascript"]),
    ("k8s", &["kubernet"]),
    ("lib", &["librari"]),
    ("max", &["maximum", "limit"]),
    ("md", &["markdown"]),
    ("msg", &["messag"]),
    ("op", &["oper"]),
    ("param", &["paramet", "argument"]),
    ("perf", &["perform"]),
    ("pkg", &["packag"]),
    ("postgr", &["postgresql"]),
    ("prod", &["product"]),
    ("py", &["python"]),
    ("ref", &["refer"]),
    ("repo", &["repositori"]),
    ("req", &["request"]),
    ("rs", &["rust"]),
    ("spec", &["specif"]),
    ("sync", &["synchron"]),
    ("temp", &["temporari"]),
    ("tmp", &["temporari"]),
    ("ts", &["typescript"]),
    ("url", &["link"]),
    ("util", &["utilit", "helper"]),
    ("var", &["variabl"]),
];

/// Longer words are encoded data.
const LONGEST: usize = 48;

/// True if a stem only asks.
pub fn is_asking(stem: &str) -> bool {
    ASKING.has(stem)
}

/// Returns the long and short forms of a stem.
pub fn short_for(stem: &str) -> impl Iterator<Item = &'static str> {
    let long = SHORT.iter().filter(move |(short, _)| *short == stem);
    let short = SHORT.iter().filter(move |(_, long)| long.contains(&stem));
    long.flat_map(|(_, long)| long.iter().copied())
        .chain(short.map(|(short, _)| *short))
}

/// One thing a text is looked for by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term<'a> {
    /// The stem of a word, and the word.
    Word(&'a str, &'a str),
    /// The same of a word made of several, which precede it; how many those are, and whether
    /// each is a word that says as much by itself (`rateLimit`, not `sha256` or `OAuth`).
    Compound(&'a str, &'a str, usize, bool),
    /// The name of a file: `/` and the last part of its path.
    File(&'a str),
}

/// The runs of letters and digits of a text.
pub fn runs(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    runs.filter(|run| !run.is_empty())
}

/// Takes texts apart, and remembers the stem of each word: a store uses the same few over and
/// over, and to look one up is much faster than to stem it.
pub struct Reader {
    stemmer: Stemmer,
    stems: HashMap<Box<str>, Box<str>>,
    /// Room for one word, one name.
    lower: String,
    name: String,
}

/// Words that are remembered.
const MOST_KNOWN: usize = 50_000;

impl Default for Reader {
    fn default() -> Self {
        Self {
            stemmer: Stemmer::create(Algorithm::English),
            stems: HashMap::new(),
            lower: String::new(),
            name: String::new(),
        }
    }
}

impl Reader {
    /// Reads the search terms of a text, in its order.
    pub fn read(&mut self, text: &str, take: &mut impl FnMut(Term<'_>)) {
        self.files(text, take);
        for run in runs(text) {
            self.run(run, take);
        }
    }

    /// Reads the search terms of one run of letters and digits.
    pub fn run(&mut self, run: &str, take: &mut impl FnMut(Term<'_>)) {
        // `it's` is `it`, and what is left of `don't` says nothing.
        let word = run.split(['\'', '’']).find(|part| !part.is_empty());
        if let Some(word) = word.filter(|word| word.len() <= LONGEST) {
            self.identifier(word, take);
        }
    }

    /// A word, and where it is made of several, each of them.
    fn identifier(&mut self, word: &str, take: &mut impl FnMut(Term<'_>)) {
        if word.chars().any(is_unspaced) {
            return self.unspaced(word, take);
        }
        if parts(word).nth(1).is_none() {
            if let Some((stem, word)) = self.word(word) {
                take(Term::Word(stem, word));
            }
            return;
        }
        let (mut count, mut are_words) = (0, true);
        for part in parts(word) {
            are_words &= part.len() > 1 && !part.contains(char::is_numeric);
            if let Some((stem, word)) = self.word(part) {
                take(Term::Word(stem, word));
                count += 1;
            }
        }
        if let Some((stem, word)) = self.word(word) {
            take(Term::Compound(stem, word, count, are_words));
        }
    }

    /// The stem of a word, and the word in lower case; none of what stands in every text.
    fn word(&mut self, word: &str) -> Option<(&str, &str)> {
        self.lower.clear();
        self.lower.extend(word.chars().flat_map(char::to_lowercase));
        let lower = &*self.lower;
        let letter = lower.len() == 1 && !lower.bytes().all(|byte| byte.is_ascii_digit());
        if lower.is_empty() || letter || STOP.has(lower) {
            return None;
        }
        if !self.stems.contains_key(lower) {
            if self.stems.len() >= MOST_KNOWN {
                self.stems.clear();
            }
            let stem = self.stemmer.stem(lower);
            self.stems.insert(lower.into(), stem.into());
        }
        self.stems.get(lower).map(|stem| (&**stem, lower))
    }

    /// Text without blanks between words: each two characters that stand side by side.
    fn unspaced(&mut self, text: &str, take: &mut impl FnMut(Term<'_>)) {
        let next = text.char_indices().map(|(at, _)| at).skip(2);
        let ends = next.chain([text.len()]);
        for ((at, _), end) in text.char_indices().zip(ends) {
            let pair = text.get(at..end).unwrap_or_default();
            take(Term::Word(pair, pair));
        }
    }

    /// The files that a text names: `src/auth/token.rs`, `token.rs`.
    pub fn files(&mut self, text: &str, take: &mut impl FnMut(Term<'_>)) {
        let part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
        let mut from = 0;
        for dot in memchr::memchr_iter(b'.', text.as_bytes()) {
            let (Some(before), Some(after)) = (text.get(from..dot), text.get(dot..)) else {
                continue;
            };
            // Most points end a sentence.
            if !after
                .as_bytes()
                .get(1)
                .is_some_and(u8::is_ascii_alphanumeric)
            {
                continue;
            }
            let begin = before.rfind(|c| !part(c)).map_or(0, |at| {
                at + before
                    .get(at..)
                    .and_then(|rest| rest.chars().next())
                    .map_or(0, char::len_utf8)
            });
            let end = dot + after.find(|c| !part(c)).unwrap_or(after.len());
            let name = text.get(from + begin..end).unwrap_or_default();
            from = end;
            let name = name.trim_matches(['.', '-']);
            // A folder with a point in its name is none.
            let is_folder = text.as_bytes().get(end) == Some(&b'/');
            if !is_folder && is_file(name) {
                self.name.clear();
                self.name.push('/');
                self.name.extend(name.chars().flat_map(char::to_lowercase));
                take(Term::File(&self.name));
            }
        }
    }
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

    fn read(text: &str) -> String {
        let mut all: Vec<String> = Vec::new();
        Reader::default().read(text, &mut |term| match term {
            Term::Word(stem, _) | Term::Compound(stem, ..) => all.push(stem.to_owned()),
            Term::File(name) => all.push(name.to_owned()),
        });
        all.join(" ")
    }

    #[test]
    fn the_tables_are_in_order() {
        assert!(SHORT.is_sorted());
    }

    #[test]
    fn texts_are_taken_apart() {
        for (text, terms) in [
            ("The users' tokens were rotated", "user token rotat"),
            ("parseHTTPRequest", "pars http request parsehttprequest"),
            ("rate_limit-retry", "rate limit retri"),
            ("IDs of URLs", "id url"),
            ("sha256 v2", "sha 256 sha256 2 v2"),
            ("it's what I don't know", "don know"),
            ("in src/auth/Token.rs.", "/token.rs src auth token rs"),
            ("e.g. 1.5 and end.", "1 5 end"),
            (
                "Node.js, package.json",
                "/node.js /package.json node js packag json",
            ),
            ("認証を確認", "認証 証を を確 確認"),
            ("", ""),
        ] {
            assert_eq!(read(text), terms, "{text}");
        }
        assert_eq!(read(&"a".repeat(60)), "");
    }

    #[test]
    fn what_is_short_for_something_is_known_both_ways() {
        let long: Vec<_> = short_for("db").collect();
        let short: Vec<_> = short_for("databas").collect();
        assert_eq!((long, short), (vec!["databas"], vec!["db"]));
        assert!(is_asking("help") && !is_asking("databas"));
    }
}
