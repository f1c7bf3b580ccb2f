//! The attitude of a text to what it is about: it denies it, orders it, or neither.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use itertools::Itertools as _;

use super::compare::{Sentence, Weights};
use super::cut;
use super::tokens::Kind;

/// The phrases of `assets/caution.txt`, and the list of each. They are searched for as plain text: a
/// pattern of them all would take as long to build as a small store takes to read.
static PHRASES: LazyLock<Option<(AhoCorasick, Vec<&str>)>> = LazyLock::new(|| {
    let lines = include_str!("../../assets/caution.txt").lines();
    let lists = lines.filter_map(|line| line.split_once(": "));
    let phrases = lists.flat_map(|(list, all)| all.split('|').map(move |one| (list, plain(one))));
    let (lists, phrases): (Vec<_>, Vec<_>) = phrases.unzip();
    Some((AhoCorasick::new(phrases).ok()?, lists))
});

/// The lists of what makes a memory a caution.
const CAUTIONS: &[&str] = &["kind", "first", "trouble", "within", "part"];

const DENIALS: &[&str] = &["first", "within", "part", "deny"];

const ORDERS: &[&str] = &["order"];

/// Bytes of a text that are read.
const READ: usize = 300;

/// A text in lower case, one blank between words: file names have hyphens, emphasis has marks.
fn plain(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\'' | '’' => {}
            '-' | '_' | ' ' | '*' | '`' if all.ends_with(' ') => {}
            '-' | '_' | ' ' | '*' | '`' => all.push(' '),
            c if c.is_ascii() => all.push(c.to_ascii_lowercase()),
            c => all.extend(c.to_lowercase()),
        }
    }
    all
}

/// The phrases of some lists in a plain text, by their bytes.
fn phrases(text: &str, lists: &[&str]) -> impl Iterator<Item = Range<usize>> {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let found = PHRASES.iter().flat_map(move |(phrases, of)| {
        let found = phrases.find_overlapping_iter(text);
        let found = found.filter_map(|one| Some((one.range(), *of.get(one.pattern().as_usize())?)));
        found.filter(|(_, list)| lists.contains(list))
    });
    let found = found.filter(move |(at, list)| {
        let before = text.get(..at.start).unwrap_or_default();
        let after = text.get(at.end..).unwrap_or_default();
        let is_end = !is_word(after.chars().next());
        match *list {
            "kind" => ![before, after].concat().chars().any(char::is_alphanumeric),
            "first" => is_end && !before.chars().any(char::is_alphanumeric),
            "part" => true,
            _ => is_end && !is_word(before.chars().next_back()),
        }
    });
    found.map(|(at, _)| at)
}

fn has(text: &str, lists: &[&str]) -> bool {
    phrases(&plain(cut(text, READ)), lists).next().is_some()
}

/// True if a text says that something does not work, must not be done, or makes trouble.
pub fn cautions(text: &str) -> bool {
    has(text, CAUTIONS)
}

/// True if a text says that something does not work or must not be done.
pub fn denies(text: &str) -> bool {
    has(text, DENIALS)
}

/// The attitude of a statement to what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// It says, or stands below a line that says, that this does not work or is not to be done.
    Denies,
    /// It says that this is to be done.
    Orders,
    /// Neither, or both.
    Open,
}

impl Stance {
    /// Reads a statement; `below` if it stands below a line that denies.
    pub fn new(one: &Sentence<'_>, below: bool) -> Self {
        let end = claim(one.text).len();
        let claimed = one.tokens.iter().take_while(|token| token.at.end <= end);
        let negations = claimed.filter(|token| token.kind == Kind::Negation);
        match (denies(one.text), below, negations.count()) {
            (true, false, 0..=1) | (false, true, 0) => Self::Denies,
            (false, false, 0) if has(one.text, ORDERS) => Self::Orders,
            _ => Self::Open,
        }
    }
}

/// A statement without the reason that it gives.
fn claim(text: &str) -> &str {
    let reasons = [" because ", " since ", " so that "].into_iter();
    let end = reasons.filter_map(|reason| text.find(reason)).min();
    end.map_or(text, |end| text.split_at(end).0)
}

/// The content of a text without the phrases that deny or order.
fn core(text: &str, weights: &Weights) -> Vec<u32> {
    let (text, lists) = (plain(text), [DENIALS, ORDERS].concat());
    let found = phrases(&text, &lists).collect_vec();
    let is_phrase = |at: usize| found.iter().any(|phrase| phrase.contains(&at));
    let rest = text.char_indices().filter(|(at, _)| !is_phrase(*at));
    let text: String = rest.map(|(_, c)| c).collect();
    content(&text, weights)
}

fn content(text: &str, weights: &Weights) -> Vec<u32> {
    let sentence = Sentence::new(text, weights);
    sentence.content().unique().collect()
}

/// True if a statement orders the very thing that another denies; false if it says more.
pub fn orders_denied(order: &str, denial: &str, weights: &Weights) -> Option<bool> {
    // The part that denies, or the one before it: "never A", "A: never".
    let marks = [" — ", " – ", " - ", " → ", " => ", ": ", "; "];
    let mut parts = vec![claim(denial)];
    for mark in marks {
        parts = parts.iter().flat_map(|part| part.split(mark)).collect();
    }
    let denying = parts.iter().filter(|part| denies(part));
    let mut cores = denying.chain(&parts).map(|part| core(part, weights));
    let core = cores.find(|core| !core.is_empty())?;
    let ordered = content(&plain(order), weights);
    let has_all = |core: &[u32]| core.len() >= 2 && core.iter().all(|one| ordered.contains(one));
    // Of a piece of code that both have, the rest may say when or why.
    let code = denial.split('`').nth(1);
    let code =
        code.filter(|code| order.contains(*code) && has_all(&content(&plain(code), weights)));
    let says_little_else = 2 * core.len() >= ordered.len();
    let stands_there = core.len() >= 3 && ordered.windows(core.len()).any(|part| *part == core);
    match has_all(&core) {
        true => Some(code.is_some() || says_little_else || stands_there),
        false => (code.is_some() && denial.trim_start().starts_with('`')).then_some(false),
    }
}
