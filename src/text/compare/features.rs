//! The features of two statements, of which the models are made.

use std::ops::Range;

use super::{Difference, Sentence};
use crate::text::opposites::{Room, Word, room};
use crate::text::tokens::{Kind, Token};
use crate::text::word_lists::Words;
use similar::{Algorithm, DiffTag, capture_diff_slices};

/// A range of one list, and the range of the other in its place; either may be empty.
type Block = (Range<usize>, Range<usize>);

/// The blocks in which the stems of two statements differ, in order.
fn blocks(a: &Sentence<'_>, b: &Sentence<'_>) -> Vec<Block> {
    let stems = |one: &Sentence<'_>| Vec::from_iter(one.tokens.iter().map(|token| token.stem));
    let found = capture_diff_slices(Algorithm::Lcs, &stems(a), &stems(b)).into_iter();
    let found = found.filter(|one| one.tag() != DiffTag::Equal);
    let found = found.map(|one| (one.old_range(), one.new_range()));
    found.collect()
}

/// Values of the features, in the order of [`NAMES`], each about 0 to 1.
pub type Row = [f64; NAMES.len()];

/// The names of the features. `short` is the statement with fewer tokens.
pub const NAMES: [&str; 10] = [
    "words of one in the other",
    "words in common",
    "different numbers",
    "different names",
    "a negation in one only",
    "opposite words",
    "same beginning",
    "same ending",
    "length",
    "same length",
];

/// Features of two statements, and the bytes in which they differ.
pub struct Evidence {
    pub row: Row,
    pub difference: Difference,
    pub can_coexist: bool,
    /// The bytes of the shorter and of the longer that differ.
    pub marks: [Vec<Range<usize>>; 2],
}

/// Nouns of a place in the project that a statement stands in.
static PLACES: Words = Words::named("places");

/// Characters at which the reach of a negation ends.
const CLAUSE: [char; 8] = [',', ';', '.', ':', '(', ')', '—', '–'];

impl Evidence {
    pub fn new(short: &Sentence<'_>, long: &Sentence<'_>) -> Self {
        let blocks = blocks(short, long);
        let only = |one: &Sentence<'_>, other: &Sentence<'_>| -> Vec<bool> {
            let all = one.content_flags().zip(&one.stems);
            all.map(|(is, (stem, _))| is && !other.has(*stem)).collect()
        };
        let (only_a, only_b) = (only(short, long), only(long, short));
        let places = Places::new((short, &only_a), (long, &only_b), &blocks);
        let negated = denials(short, long) % 2 != denials(long, short) % 2;
        let opposed = opposed(short, long);
        let shared = short.shared(long);
        let count = short.tokens.len();
        let prefix = blocks.first().map_or(count, |(at, _)| at.start);
        let suffix = count - blocks.last().map_or(count, |(at, _)| at.end);
        let part = |of: usize, all: usize| of as f64 / all.max(1) as f64;
        let is = |is: bool| f64::from(u8::from(is));
        let row = [
            shared / short.weight().max(f64::MIN_POSITIVE),
            shared / (short.weight() + long.weight() - shared).max(f64::MIN_POSITIVE),
            is(places.numbers),
            is(places.names),
            is(negated),
            is(opposed.is_some()),
            part(prefix, count),
            part(suffix, count),
            (count as f64 + 1.0).ln() / 3.0,
            part(count, long.tokens.len()),
        ];
        let marked = |n: usize, one: &Sentence<'_>, other: &Sentence<'_>, only: &[bool]| {
            let opposite = opposed.as_ref().and_then(|both| both.get(n));
            let is_marked = |(token, only): (&Token, &bool)| {
                *only || negated && token.kind == Kind::Negation || opposite == Some(&token.at)
            };
            let flags: Vec<bool> = one.tokens.iter().zip(only).map(is_marked).collect();
            match flags.contains(&true) {
                true => marks(one, &flags),
                false => exchanged(one, other),
            }
        };
        let marks = [
            marked(0, short, long, &only_a),
            marked(1, long, short, &only_b),
        ];
        let is_swapped =
            !marks[0].is_empty() && ![&only_a, &only_b].iter().any(|only| only.contains(&true));
        let is_of_place = is_of_its_place(short) && is_of_its_place(long);
        let can_coexist = is_of_place || places.shared && !negated && opposed.is_none();
        let difference = match places {
            _ if negated => Difference::Negation,
            _ if opposed.is_some() || is_swapped => Difference::Opposite,
            Places { numbers: true, .. } => Difference::Number,
            Places { names: true, .. } => Difference::Name,
            _ => Difference::Wording,
        };
        Self {
            row,
            difference,
            can_coexist,
            marks,
        }
    }
}

/// Number of negations that turn words of the other statement. In `starts at once, without a lock` the
/// negation is about the lock, and `starts at once` stays true.
fn denials(one: &Sentence<'_>, other: &Sentence<'_>) -> usize {
    let turns = |n: usize| {
        let rest = one.tokens.iter().skip(n);
        let gap = |a: &Token, b: &Token| one.text.get(a.at.end..b.at.start);
        let is_near =
            |(a, b): &(&Token, &Token)| gap(a, b).is_some_and(|gap| !gap.contains(CLAUSE));
        let clause = rest.clone().zip(rest.skip(1)).take_while(is_near).count();
        let words = one.content_flags().zip(&one.stems).skip(n + 1).take(clause);
        let words = words.filter(|(is, _)| *is);
        let shared: Vec<bool> = words.map(|(_, (stem, _))| other.has(*stem)).collect();
        let count = shared.iter().filter(|is| **is).count();
        count > 0 && 2 * count >= shared.len()
    };
    let all = one.tokens.iter().enumerate();
    let negations = all.filter(|(_, token)| token.kind == Kind::Negation);
    negations.filter(|(n, _)| turns(*n)).count()
}

/// The content words that two statements exchange: `unit over integration` and `integration over
/// unit`. Words joined by "and" or "or" may change places. None where most words moved.
fn exchanged(one: &Sentence<'_>, other: &Sentence<'_>) -> Vec<Range<usize>> {
    let stems = one.stems.iter().zip(&other.stems);
    let moved = one.content_flags().zip(stems);
    let moved: Vec<bool> = moved.map(|(is, (a, b))| is && a != b).collect();
    let found = marks(one, &moved);
    let ends = found.first().zip(found.last());
    let part = ends.and_then(|(first, last)| one.text.get(first.start..last.end));
    let is_list = part.is_none_or(|part| [" and ", " or "].iter().any(|word| part.contains(word)));
    let is_few = 2 * moved.iter().filter(|is| **is).count() <= moved.len();
    match one.stems.len() == other.stems.len() && is_few && !is_list {
        true => found,
        false => Vec::new(),
    }
}

/// True if a statement is about the place where it stands: `this folder`.
fn is_of_its_place(one: &Sentence<'_>) -> bool {
    let nouns = one.text.split("his ").skip(1);
    let mut nouns = nouns.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next());
    nouns.any(|noun| PLACES.has(noun))
}

/// The places in which two statements differ.
#[derive(Default)]
struct Places {
    /// A place holds a number in both.
    numbers: bool,
    /// A place holds a name in both, and no two numbers.
    names: bool,
    /// The first place leaves room for both.
    shared: bool,
}

impl Places {
    fn new(
        (short, only_a): (&Sentence<'_>, &[bool]),
        (long, only_b): (&Sentence<'_>, &[bool]),
        blocks: &[Block],
    ) -> Self {
        let kinds = |one: &Sentence<'_>, only: &[bool], at: &Range<usize>| -> Vec<Kind> {
            let all = one.tokens.iter().zip(only).take(at.end).skip(at.start);
            all.filter_map(|(token, only)| only.then_some(token.kind))
                .collect()
        };
        let both = |(i, j): &Block| (i.start, kinds(short, only_a, i), kinds(long, only_b, j));
        let places = blocks.iter().map(both);
        let places = places.filter(|(_, a, b)| !(a.is_empty() && b.is_empty()));
        let mut all = Self::default();
        for (n, (at, a, b)) in places.enumerate() {
            let both = |kind: Kind| a.contains(&kind) && b.contains(&kind);
            let is_replaced = !a.is_empty() && !b.is_empty();
            all.shared |= n == 0 && is_replaced && !both(Kind::Number) && leaves_room(short, at);
            all.numbers |= both(Kind::Number);
            all.names |= !both(Kind::Number) && both(Kind::Name);
        }
        all
    }
}

/// True if a token is the object of a verb such as `run`, which leaves room for other things.
fn leaves_room(one: &Sentence<'_>, at: usize) -> bool {
    let rooms = one.tokens.iter().map(|token| room(token.stem));
    let is_sole = rooms.clone().any(|room| room == Some(Room::Sole));
    let before = rooms.take(at).flatten().last();
    !is_sole && before == Some(Room::Shared)
}

/// The bytes of two opposite words, each in one of the statements only.
fn opposed(a: &Sentence<'_>, b: &Sentence<'_>) -> Option<[Range<usize>; 2]> {
    fn only<'s>(one: &'s Sentence<'_>, other: &Sentence<'_>) -> Vec<(&'s Token, Word)> {
        let all = one.tokens.iter().filter(|token| !other.has(token.stem));
        let word = |token: &'s Token| Some((token, Word::new(one.text.get(token.at.clone())?)));
        all.filter_map(word).collect()
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
    let is_gap = |at: Range<usize>| one.text.get(at).is_some_and(|gap| gap.trim().is_empty());
    for (Token { at, .. }, _) in one.tokens.iter().zip(only).filter(|(_, only)| **only) {
        match found.last_mut() {
            Some(last) if is_gap(last.end..at.start) => last.end = at.end,
            _ => found.push(at.clone()),
        }
    }
    found
}
