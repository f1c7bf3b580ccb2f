//! The features of two statements, of which the models are made.

use std::ops::Range;

use super::{Difference, Sentence, is_content};
use crate::text::opposites::{Room, Word, room};
use crate::text::tokens::{Kind, Token};
use similar::{Algorithm, DiffTag, capture_diff_slices};

/// A range of one list, and the range of the other in its place; either may be empty.
type Block = (Range<usize>, Range<usize>);

/// The blocks in which the stems of two statements differ, in order.
fn blocks(a: &Sentence<'_>, b: &Sentence<'_>) -> Vec<Block> {
    let stems = |one: &Sentence<'_>| Vec::from_iter(one.tokens.iter().map(|token| token.stem));
    let found = capture_diff_slices(Algorithm::Lcs, &stems(a), &stems(b)).into_iter();
    let found = found.filter(|one| one.tag() != DiffTag::Equal);
    found
        .map(|one| (one.old_range(), one.new_range()))
        .collect()
}

/// Values of the features, in the order of [`NAMES`], each about 0 to 1.
pub type Row = [f64; NAMES.len()];

/// The features, as the weights and the evidence name them. `short` is the statement with fewer
/// tokens.
pub const NAMES: [&str; 16] = [
    "words of one in the other",
    "words in common",
    "similar spelling",
    "different numbers",
    "different names",
    "a negation in one only",
    "opposite words",
    "same beginning",
    "same ending",
    "additional words",
    "a number in one only",
    "length",
    "same length",
    "where they first differ",
    "where they last differ",
    "one part replaced",
];

/// Features of two statements, and the bytes in which they differ.
pub struct Evidence {
    pub row: Row,
    pub difference: Difference,
    pub can_coexist: bool,
    /// The bytes of the shorter and of the longer that differ.
    pub marks: [Vec<Range<usize>>; 2],
}

/// Maximum weight of added words; more weight counts as this.
const MOST_ADDED: f64 = 10.0;

/// Letters of a gram.
const GRAM: usize = 4;

impl Evidence {
    pub fn new(short: &Sentence<'_>, long: &Sentence<'_>) -> Self {
        let blocks = blocks(short, long);
        let only = |one: &Sentence<'_>, other: &Sentence<'_>| -> Vec<bool> {
            let all = one.tokens.iter().zip(&one.stems);
            all.map(|(token, (stem, weight))| is_content(token, *weight) && !other.has(*stem))
                .collect()
        };
        let (only_a, only_b) = (only(short, long), only(long, short));
        let places = Places::new((short, &only_a), (long, &only_b), &blocks);
        let negated = short.negations() % 2 != long.negations() % 2;
        let opposed = opposed(short, long);
        let shared = short.shared(long);
        let count = short.tokens.len().max(1) as f64;
        let same = |one: &Token, other: &Token| one.stem == other.stem;
        let pairs = short.tokens.iter().zip(&long.tokens);
        let prefix = pairs.take_while(|(a, b)| same(a, b)).count();
        let pairs = short.tokens.iter().rev().zip(long.tokens.iter().rev());
        let pairs = pairs.take(short.tokens.len() - prefix);
        let suffix = pairs.take_while(|(a, b)| same(a, b)).count();
        let added: f64 = distinct(long, &only_b).map(|(_, weight)| weight).sum();
        let number = distinct(short, &only_a).any(|(token, _)| token.kind == Kind::Number);
        let clean =
            places.count <= 1 && !places.inserted && 2 * (prefix + suffix) >= short.tokens.len();
        let is = |is: bool| f64::from(u8::from(is));
        let row = [
            shared / short.weight().max(f64::MIN_POSITIVE),
            shared / (short.weight() + long.weight() - shared).max(f64::MIN_POSITIVE),
            likeness(short, long),
            is(places.numbers),
            is(places.names),
            is(negated),
            is(opposed.is_some()),
            prefix as f64 / count,
            suffix as f64 / count,
            added.min(MOST_ADDED) / MOST_ADDED,
            is(number),
            (count + 1.0).ln() / 3.0,
            count / long.tokens.len().max(1) as f64,
            places
                .first
                .map_or(1.0, |at| (at + 1) as f64 / (count + 1.0)),
            places.last as f64 / count,
            is(clean),
        ];
        let can_coexist = places.shared && !negated && opposed.is_none();
        let difference = match places {
            _ if negated => Difference::Negation,
            _ if opposed.is_some() => Difference::Opposite,
            Places { numbers: true, .. } => Difference::Number,
            Places { names: true, .. } => Difference::Name,
            _ => Difference::Wording,
        };
        let marked = |n: usize, one: &Sentence<'_>, only: &[bool]| {
            let opposite = opposed.as_ref().and_then(|both| both.get(n));
            let is_marked = |(token, only): (&Token, &bool)| {
                *only || negated && token.kind == Kind::Negation || opposite == Some(&token.at)
            };
            let flags: Vec<bool> = one.tokens.iter().zip(only).map(is_marked).collect();
            marks(one, &flags)
        };
        let marks = [marked(0, short, &only_a), marked(1, long, &only_b)];
        Self {
            row,
            difference,
            can_coexist,
            marks,
        }
    }
}

/// The marked tokens of a statement, each stem once, with their weights.
fn distinct<'s>(one: &'s Sentence<'_>, only: &'s [bool]) -> impl Iterator<Item = (&'s Token, f64)> {
    let all = one.tokens.iter().zip(&one.stems).zip(only).enumerate();
    let is_first = |n: usize, stem: u32| one.stems.iter().take(n).all(|before| before.0 != stem);
    all.filter(move |(n, ((token, _), only))| **only && is_first(*n, token.stem))
        .map(|(_, ((token, (_, weight)), _))| (token, *weight))
}

/// The places in which two statements differ.
#[derive(Default)]
struct Places {
    count: usize,
    /// A place holds a number in both.
    numbers: bool,
    /// A place holds a name in both, and no two numbers.
    names: bool,
    /// A place holds something in one of the two only.
    inserted: bool,
    /// The first place leaves room for both.
    shared: bool,
    /// The token of the shorter at which the first place begins, and at which the last ends.
    first: Option<usize>,
    last: usize,
}

impl Places {
    fn new(
        (short, only_a): (&Sentence<'_>, &[bool]),
        (long, only_b): (&Sentence<'_>, &[bool]),
        blocks: &[Block],
    ) -> Self {
        let kinds = |one: &Sentence<'_>, only: &[bool], at: &Range<usize>| -> Vec<Kind> {
            let all = one.tokens.iter().zip(only).take(at.end).skip(at.start);
            all.filter(|(_, only)| **only)
                .map(|(token, _)| token.kind)
                .collect()
        };
        let mut places = Self::default();
        for (i, j) in blocks {
            let (a, b) = (kinds(short, only_a, i), kinds(long, only_b, j));
            if a.is_empty() && b.is_empty() {
                continue;
            }
            places.count += 1;
            let both = |kind: Kind| a.contains(&kind) && b.contains(&kind);
            let is_inserted = a.is_empty() || b.is_empty();
            if places.first.is_none() && !is_inserted && !both(Kind::Number) {
                places.shared = leaves_room(short, i.start);
            }
            places.first = places.first.or(Some(i.start));
            places.last = i.end;
            if both(Kind::Number) {
                places.numbers = true;
            } else if both(Kind::Name) {
                places.names = true;
            }
            places.inserted |= is_inserted;
        }
        places
    }
}

/// True if a statement leaves room for other things than the one at a token: it is the object of a
/// verb such as `run`.
fn leaves_room(one: &Sentence<'_>, at: usize) -> bool {
    let rooms = one.tokens.iter().map(|token| room(token.stem));
    let is_sole = rooms.clone().any(|room| room == Some(Room::Sole));
    let before = rooms.take(at).flatten().last();
    !is_sole && before == Some(Room::Shared)
}

/// The bytes of two opposite words, each in one of the statements only.
fn opposed(a: &Sentence<'_>, b: &Sentence<'_>) -> Option<[Range<usize>; 2]> {
    fn only<'s>(one: &'s Sentence<'_>, other: &Sentence<'_>) -> Vec<(&'s Token, &'s Word)> {
        let all = one.tokens.iter().zip(&one.shape().words);
        all.filter(|(token, _)| !other.has(token.stem)).collect()
    }
    let (x, y) = (only(a, b), only(b, a));
    x.iter().find_map(|(i, first)| {
        let (j, _) = y.iter().find(|(_, second)| first.opposes(second))?;
        Some([i.at.clone(), j.at.clone()])
    })
}

/// The bytes of marked tokens; neighbours are joined.
fn marks(one: &Sentence<'_>, only: &[bool]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (token, _) in one.tokens.iter().zip(only).filter(|(_, only)| **only) {
        match found.last_mut() {
            Some(last)
                if one
                    .text
                    .get(last.end..token.at.start)
                    .is_some_and(|gap| gap.trim().is_empty()) =>
            {
                last.end = token.at.end;
            }
            _ => found.push(token.at.clone()),
        }
    }
    found
}

/// The grams and words by which the spelling of a statement is compared.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Each run of four letters in lower case with one blank between words, counted.
    grams: Vec<(u64, u64)>,
    /// Its tokens.
    words: Vec<Word>,
}

impl Sentence<'_> {
    fn shape(&self) -> &Shape {
        self.shape.get_or_init(|| {
            let at = |token: &Token| self.text.get(token.at.clone()).unwrap_or_default();
            let words = self.tokens.iter().map(|token| Word::new(at(token)));
            let (grams, words) = (grams(self.text), words.collect());
            Box::new(Shape { grams, words })
        })
    }
}

/// Cosine similarity of the grams of two texts.
fn likeness(a: &Sentence<'_>, b: &Sentence<'_>) -> f64 {
    let (a, b) = (&a.shape().grams, &b.shape().grams);
    let (mut dot, mut rest) = (0, b.iter().peekable());
    for (gram, count) in a {
        while rest.next_if(|one| one.0 < *gram).is_some() {}
        if let Some(other) = rest.next_if(|one| one.0 == *gram) {
            dot += count * other.1;
        }
    }
    let squares = |all: &[(u64, u64)]| all.iter().map(|one| one.1 * one.1).sum::<u64>();
    dot as f64 / ((squares(a) * squares(b)) as f64).sqrt().max(1.0)
}

fn grams(text: &str) -> Vec<(u64, u64)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text: Vec<char> = words.join(" ").to_lowercase().chars().collect();
    let runs = text.windows(GRAM.min(text.len().max(1)));
    let mut runs: Vec<u64> = runs
        .map(|run| {
            run.iter()
                .fold(0, |all: u64, c| (all << 16) ^ u64::from(u32::from(*c)))
        })
        .collect();
    runs.sort_unstable();
    let counted = runs.chunk_by(|a, b| a == b);
    counted
        .filter_map(|run| Some((*run.first()?, run.len() as u64)))
        .collect()
}
