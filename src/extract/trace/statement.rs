//! Sentences of memories, and what a session did about them.

use std::collections::HashSet;
use std::sync::LazyLock;

use itertools::{Either, Itertools as _};
use regex::Regex;

use super::Happening;
use crate::extract::outcomes::{among, rivals};
use crate::extract::worth::forbids;
use crate::text::cut;
use crate::text::opposites::is_negation;
use crate::text::statements::sentences;
use crate::text::word_lists::{Words, stem};

/// Words that a deed and a sentence share at least, where they are about the same; with other numbers.
const SHARED: usize = 2;
const SHARED_WITH_NUMBERS: usize = 3;
/// The share of a sentence's words, and of a deed's, that this is at least.
const OF_SENTENCE: f64 = 0.3;
const OF_DEED: f64 = 0.1;
/// Shorter words say nothing.
const SHORTEST: usize = 3;
/// Bytes of a text, and lines of an output, that are looked at.
const LONGEST: usize = 4 << 10;
const LINES: usize = 200;

static STOP: Words = Words::named("stop");

static FORMS: LazyLock<[Option<Regex>; 5]> = LazyLock::new(|| {
    [
        r"\b\d{4}-\d\d-\d\d\S*|\b\d+(?:\.\d+){2,}\b",
        r"\b\d{2,}\b",
        r"[\w-]+(?:\.[\w-]+)*",
        r"`[^`\n]* [^`\n]*`",
        r"^[-*]?\s*\[([^\]]+)\]\(([^)\s]+\.md)\)(.*)$",
    ]
    .map(|form| Regex::new(form).ok())
});

/// Numbers of a text that stand alone, without dates and versions.
fn numbers(text: &str) -> HashSet<String> {
    let [dates, number, ..] = &*FORMS;
    let bare = dates.as_ref().map(|dates| dates.replace_all(text, ""));
    let bare = bare.unwrap_or_default();
    let all = number.iter().flat_map(|form| form.find_iter(&bare));
    all.map(|found| found.as_str().to_owned()).collect()
}

/// The stems of a text's words, those of names and paths too.
fn stems(text: &str) -> HashSet<u32> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| word.chars().count() >= SHORTEST);
    let words = words.filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    let words = words.map(str::to_lowercase);
    let words = words.filter(|word| !STOP.has(word) && !is_negation(word));
    words.map(|word| stem(&word)).collect()
}

/// A sentence of a memory.
#[derive(Debug)]
pub(super) struct Statement {
    /// The path of the memory.
    pub(super) path: String,
    pub(super) text: String,
    /// The text without code of several words.
    bare: String,
    words: HashSet<u32>,
    numbers: HashSet<String>,
}

/// The sentences of a memory. A line of an index is one of the memory that it links to.
pub(super) fn statements(path: &str, text: &str) -> Vec<Statement> {
    let [.., commands, item] = &*FORMS;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut all = Vec::new();
    for line in text.lines().map(str::trim) {
        // Tools put numbers before lines.
        let bare = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let bare = bare.strip_prefix(['\t', ':', '→']);
        let is_numbered = line.starts_with(|c: char| c.is_ascii_digit());
        let line = bare.filter(|_| is_numbered).map_or(line, str::trim);
        let of_item = item.as_ref().and_then(|form| form.captures(line));
        let part = |at: usize| of_item.as_ref()?.get(at).map(|part| part.as_str());
        let (path, line) = match (part(1), part(2), part(3)) {
            (Some(title), Some(target), Some(hook)) => {
                (format!("{folder}/{target}"), format!("{title} {hook}"))
            }
            _ => (path.to_owned(), line.to_owned()),
        };
        for at in sentences(&line) {
            let sentence = line.get(at).unwrap_or_default();
            let bare = commands.as_ref();
            let bare = bare.map(|form| form.replace_all(sentence, "code"));
            all.push(Statement {
                path: path.clone(),
                bare: bare.unwrap_or_default().into_owned(),
                words: stems(sentence),
                numbers: numbers(sentence),
                text: sentence.to_owned(),
            });
        }
    }
    all
}

/// A line of a deed.
#[derive(Debug)]
struct Line {
    words: HashSet<u32>,
    numbers: HashSet<String>,
}

/// What a record of a session does.
#[derive(Debug, Default)]
pub(super) struct Deed {
    /// Sentences of the agent, commands, paths with lines that came.
    lines: Vec<Line>,
    /// Commands, in lower case.
    runs: Vec<String>,
    words: HashSet<u32>,
    /// True if it is the output of a tool, which may only show another number.
    is_shown: bool,
}

impl Deed {
    /// The agent's words, by sentences.
    pub(super) fn say(&mut self, text: &str) {
        for line in cut(text, LONGEST).lines() {
            let all = sentences(line).into_iter();
            self.add(all.filter_map(|at| line.get(at)), "");
        }
    }

    pub(super) fn run(&mut self, line: &str) {
        let line = cut(line, LONGEST);
        self.add([line].into_iter(), "");
        self.runs.extend(line.lines().map(str::to_lowercase));
    }

    pub(super) fn edit(&mut self, path: &str, added: &str) {
        self.add(cut(added, LONGEST).lines(), path);
    }

    /// What a tool shows of a file, or a command prints.
    pub(super) fn shown(what: &str, output: &str) -> Self {
        let mut deed = Self {
            is_shown: true,
            ..Self::default()
        };
        deed.add(output.lines(), what.lines().next().unwrap_or_default());
        deed
    }

    /// Adds lines behind the name of their file or command.
    fn add<'l>(&mut self, lines: impl Iterator<Item = &'l str>, what: &str) {
        for line in lines.take(LINES) {
            let text = format!("{what} {line}").to_lowercase();
            let words = stems(&text);
            self.words.extend(&words);
            let numbers = numbers(&text);
            self.lines.push(Line { words, numbers });
        }
    }

    /// The programs that its commands run.
    fn programs(&self) -> impl Iterator<Item = &str> {
        let parts = self.runs.iter();
        let parts = parts.flat_map(|line| line.split(['&', ';', '|']));
        parts.filter_map(|part| part.split_whitespace().next())
    }
}

impl Statement {
    /// The memory's name in its store.
    pub(super) fn name(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".md").unwrap_or(name)
    }

    pub(super) fn shares_a_word(&self, text: &str) -> bool {
        !self.words.is_disjoint(&stems(text))
    }

    /// Judges a deed: with the reason, where it draws on the sentence or goes against it. Of several
    /// sentences of a memory that with the lowest number counts.
    pub(super) fn judge(&self, deed: &Deed) -> Option<(u8, Happening, String)> {
        let other = || Some((Happening::Against, self.other_number(deed)?));
        let (kind, how) = if deed.is_shown {
            other()?
        } else {
            let by_program = self.by_program(deed);
            // Who runs the program that a memory names does not go against its other sentences.
            if let Some((Happening::Drawn, how)) = by_program {
                return Some((0, Happening::Drawn, how));
            }
            let found = by_program.or_else(other);
            found.or_else(|| self.by_words(deed))?
        };
        Some((if kind == Happening::Against { 1 } else { 2 }, kind, how))
    }

    /// The programs that the sentence names, and those that it forbids.
    fn named(&self, group: &str) -> (Vec<&str>, Vec<&str>) {
        let [_, _, words, ..] = &*FORMS;
        let words = words.iter().flat_map(|form| form.find_iter(&self.bare));
        let words = words.filter(|word| among(group, word.as_str()));
        let is_wanted = |at: usize| !forbids(self.bare.get(..at).unwrap_or_default());
        let words = words.map(|word| (is_wanted(word.start()), word.as_str()));
        words.partition_map(|(is_wanted, word)| match is_wanted {
            true => Either::Left(word),
            false => Either::Right(word),
        })
    }

    fn by_program(&self, deed: &Deed) -> Option<(Happening, String)> {
        deed.programs().find_map(|program| {
            let (wanted, forbidden) = self.named(rivals(program)?);
            if wanted.contains(&program) {
                return Some((Happening::Drawn, format!("ran `{program}`")));
            }
            let why = match wanted.first() {
                Some(wanted) => format!("ran `{program}`, it names `{wanted}`"),
                None if forbidden.contains(&program) => format!("ran `{program}`, it forbids it"),
                None => return None,
            };
            Some((Happening::Against, why))
        })
    }

    /// A number in the place of that of the sentence, in a line about the same.
    fn other_number(&self, deed: &Deed) -> Option<String> {
        let own = self.numbers.iter().min()?;
        let is_other = |line: &&Line| {
            let shared = line.words.intersection(&self.words).count();
            shared >= SHARED_WITH_NUMBERS && line.numbers.is_disjoint(&self.numbers)
        };
        let found = deed.lines.iter().filter(is_other);
        let other = found.filter_map(|line| line.numbers.iter().min()).next()?;
        Some(format!("{other} where it says {own}"))
    }

    fn by_words(&self, deed: &Deed) -> Option<(Happening, String)> {
        let shared = self.words.intersection(&deed.words).count();
        let share = |of: &HashSet<u32>| shared as f64 / of.len().max(1) as f64;
        let is_about = share(&self.words) >= OF_SENTENCE && share(&deed.words) >= OF_DEED;
        let is_drawn = shared >= SHARED && is_about;
        is_drawn.then(|| (Happening::Drawn, format!("has {shared} of its words")))
    }
}
