//! The bodies of two memories, read for comparison.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::ops::Range;

use crate::lint::Context;
use crate::lint::log::is_log;
use crate::lint::pairs::filed;
use crate::lint::pairs::frames::tells;
use crate::lint::pairs::statement::{Statement, statements};
use crate::lint::pairs::words::{Hashes, Kind, Token, join, tokens};

/// The body of a memory, read for comparison.
pub(super) struct Body<'t> {
    pub text: &'t str,
    /// Where it begins in the text of its memory.
    pub start: usize,
    pub statements: Vec<Said<'t>>,
    /// Which statements have a feature, in the order of features.
    by_feature: OnceCell<Vec<(u32, usize)>>,
    /// What of it is about the project, where that is not all of it.
    own: OnceCell<Option<String>>,
    /// Its shingles, and how many words it has.
    shingles: OnceCell<(Vec<u32>, usize)>,
    is_log: OnceCell<bool>,
}

/// A statement and what it is likely to share.
pub(super) struct Said<'t> {
    pub statement: Statement<'t>,
    pub features: Vec<u32>,
    /// Its tokens in the order of their hashes, and what each counts.
    bag: Vec<(u32, f64)>,
    /// What all of them count.
    weight: f64,
}

/// Statements that share less of their words are not held against each other.
const ENOUGH: f64 = 0.5;

/// Statements of as few tokens always are.
const BRIEF: usize = 8;

impl<'t> Said<'t> {
    fn of(statement: Statement<'t>) -> Self {
        let tokens = statement.tokens.iter();
        let mut bag: Vec<(u32, f64)> = tokens
            .map(|token| (token.hash, token.kind.weight()))
            .collect();
        bag.sort_unstable_by_key(|one| one.0);
        Self {
            features: statement.features(),
            weight: bag.iter().map(|one| one.1).sum(),
            bag,
            statement,
        }
    }

    /// Whether it shares enough words with another, in whatever order, for them to be about the
    /// same: what is said in order shares no more. Short ones are a label and a choice.
    pub fn may_be(&self, other: &Self) -> bool {
        if self.bag.len().min(other.bag.len()) <= BRIEF {
            return true;
        }
        let (mut a, mut b) = (self.bag.iter().peekable(), other.bag.iter().peekable());
        let mut common = 0.0;
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            let order = x.0.cmp(&y.0);
            if order == Ordering::Equal {
                common += 2.0 * x.1;
            }
            if order != Ordering::Greater {
                a.next();
            }
            if order != Ordering::Less {
                b.next();
            }
        }
        common >= ENOUGH * (self.weight + other.weight)
    }
}

impl<'t> Body<'t> {
    pub fn of(cx: &Context<'_>, index: usize, text: &'t str) -> Self {
        let range = cx
            .memories
            .get(index)
            .map_or(0..0, |memory| crate::lint::look::body_range(memory, text));
        Self::within(text, range)
    }

    /// These bytes of a text.
    pub fn within(text: &'t str, range: Range<usize>) -> Self {
        let body = text.get(range.clone()).unwrap_or_default();
        let said = |mut statement: Statement<'t>| {
            statement.start += range.start;
            Said::of(statement)
        };
        Self {
            text: body,
            start: range.start,
            statements: statements(body).into_iter().map(said).collect(),
            by_feature: OnceCell::new(),
            own: OnceCell::new(),
            shingles: OnceCell::new(),
            is_log: OnceCell::new(),
        }
    }

    /// The statements with a feature.
    pub fn with(&self, feature: u32) -> &[(u32, usize)] {
        let all = self.by_feature.get_or_init(|| {
            let said = self.statements.iter().enumerate();
            let mut all: Vec<(u32, usize)> = said
                .flat_map(|(n, said)| said.features.iter().map(move |feature| (*feature, n)))
                .collect();
            all.sort_unstable();
            all
        });
        let from = all.partition_point(|(one, _)| *one < feature);
        let rest = all.get(from..).unwrap_or_default();
        let many = rest.partition_point(|(one, _)| *one == feature);
        rest.get(..many).unwrap_or_default()
    }

    /// The words of its statements that say something.
    pub fn content(&self) -> impl Iterator<Item = u32> {
        let said = self.statements.iter();
        let tokens = said.flat_map(|said| &said.statement.tokens);
        let content = tokens.filter(|token| token.kind.is_content());
        content.map(|token| token.hash)
    }

    /// Whether it is the log of a command.
    pub fn is_log(&self) -> bool {
        *self.is_log.get_or_init(|| is_log(self.text))
    }

    /// Whether it is a list, and has words of its own that another lacks, more than a slip.
    pub fn lists_more(&self, other: &Self) -> bool {
        const FEWEST: usize = 2;
        let item = |line: &str| line.starts_with(['-', '*', '+', ' ', '\t']) || line.is_empty();
        let numbered = |line: &str| line.starts_with(|c: char| c.is_ascii_digit());
        let mut lines = self.text.trim().lines();
        if !lines.all(|line| item(line) || numbered(line)) {
            return false;
        }
        let own = self.content();
        let known: Hashes = other.content().collect();
        own.filter(|word| !known.contains(word)).count() >= FEWEST
    }

    pub fn shingles(&self) -> &(Vec<u32>, usize) {
        self.shingles.get_or_init(|| shingles(self.own()))
    }

    /// Its text without the lines that say how it was filed.
    pub fn own(&self) -> &str {
        let own = || filed::without(self.text);
        self.own.get_or_init(own).as_deref().unwrap_or(self.text)
    }

    /// How many statements of it are about the project.
    pub fn count(&self) -> usize {
        let said = self.statements.iter();
        said.filter(|said| !said.statement.filed).count()
    }
}

/// Whether the only statement of one body says the only one of another word for word, with something
/// before it or behind, and nothing in front that turns it round.
pub(super) fn goes_on(long: &Body<'_>, short: &Body<'_>) -> bool {
    const FEWEST: usize = 5;
    let ([long], [short]) = (&*long.statements, &*short.statements) else {
        return false;
    };
    let (long, short) = (&long.statement.tokens, &short.statement.tokens);
    let says = |(at, run): (usize, &[Token])| {
        let before = long.iter().take(at);
        let same = run.iter().zip(short).all(|(a, b)| a.hash == b.hash);
        same && before.into_iter().all(|token| token.kind != Kind::Negation)
    };
    short.len() >= FEWEST && long.windows(short.len()).enumerate().any(says)
}

/// Statements of a body that another says of another subject.
#[derive(Default)]
pub(super) struct Others {
    count: usize,
    /// Whether the first is one: it tells what the body is about.
    first: bool,
}

impl Others {
    pub fn add(&mut self, statement: usize) {
        self.count += 1;
        self.first |= statement == 0;
    }

    /// Whether the bodies are about two subjects, whatever they say alike.
    pub fn outweigh(&self, same: f64) -> bool {
        let count = f64::from(u32::try_from(self.count).unwrap_or(u32::MAX));
        self.first || (self.count > 0 && count >= same)
    }
}

/// Whether two bodies are the same, of whatever length and script, and say something.
pub(super) fn is_copy(a: &str, b: &str) -> bool {
    const LEAST: usize = 10;
    let (a, b) = (a.trim(), b.trim());
    a == b
        && a.chars()
            .filter(|c| c.is_alphanumeric())
            .nth(LEAST)
            .is_some()
}

/// How many of the numbers of one ordered list the other has.
pub fn common(a: &[u32], b: &[u32]) -> usize {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let has = |one: &&u32| long.binary_search(one).is_ok();
    short.iter().filter(has).count()
}

/// What stands in a text: each three words in a row of a paragraph, as a number, in order and once,
/// and how many words there are. Headings are the frame that many memories share.
pub fn shingles(text: &str) -> (Vec<u32>, usize) {
    let mut found = Vec::new();
    let mut count = 0;
    for words in paragraphs(text) {
        count += words.len();
        found.extend(threes(&words));
    }
    found.sort_unstable();
    found.dedup();
    (found, count)
}

/// Whether one word of a text stands between others that are among these shingles, is not there
/// itself, and makes another statement of it: a number, a name, a denial.
pub fn says_otherwise(text: &str, known: &[u32]) -> bool {
    paragraphs(text).any(|words| {
        let stands: Vec<bool> = threes(&words)
            .map(|three| known.binary_search(&three).is_ok())
            .collect();
        words.iter().enumerate().any(|(n, word)| {
            let own = n.saturating_sub(2)..(n + 1).min(stands.len());
            let around = [own.start.checked_sub(1), Some(own.end)];
            let around = around.into_iter().flatten();
            let mut around = around.filter_map(|n| stands.get(n)).peekable();
            let alone = around.peek().is_some() && around.all(|stands| *stands);
            let new = stands.get(own).is_some_and(|own| !own.contains(&true));
            alone && new && tells(word)
        })
    })
}

/// The words of each paragraph.
fn paragraphs(text: &str) -> impl Iterator<Item = Vec<Token>> {
    let mut words: Vec<Token> = Vec::new();
    let lines = text.lines().chain([""]);
    lines.filter_map(move |line| {
        let line = line.trim_start();
        if !line.is_empty() && !line.starts_with('#') {
            words.extend(tokens(line));
            return None;
        }
        Some(std::mem::take(&mut words))
    })
}

/// Each three words in a row.
fn threes(words: &[Token]) -> impl Iterator<Item = u32> {
    words.windows(3).filter_map(|three| match three {
        [a, b, c] => Some(join(join(a.hash, b.hash), c.hash)),
        _ => None,
    })
}
