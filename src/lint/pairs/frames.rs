//! Sentences that are the same but for one word.
//!
//! Of each statement there are the words that say something, and all of them but one, for every
//! one: two statements of which one word differs, or is missing, have one of these frames in
//! common (the deletion neighbourhood of Mor and Fraenkel, "A hash code method for detecting and
//! correcting spelling errors", 1982). Which word a frame lacks is its value, so that copies of a
//! sentence, which have all values in common as well, are no pair. A frame that many memories
//! fill in is a list, and no pair either: no group costs more than a few pairs, whatever the store.

use std::sync::LazyLock;

use super::statement::Statement;
use super::table;
use super::words::{Hashes, Kind, Token, join, mix, of_word};

/// A frame of a statement: the hash of its words, and what stands in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// The words that it shares.
    pub key: u32,
    /// How sure a contradiction is where another thing stands in the frame: 0 for a number or
    /// one of a few known words, 1 for a name, 2 for any other word.
    pub class: u8,
    /// What stands in it.
    pub value: u32,
}

/// Words that say something, below which nothing is shared.
const FEWEST: usize = 2;

/// Of a longer statement only things are left out, not words: with another word in it, most of
/// it is the same, and the index finds it by that.
const SHORT: usize = 14;

/// Frames of one statement beyond these are not made.
const MOST: usize = 32;

/// Odd, so that a product by it loses nothing.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Words of which one excludes another, by the hashes of tokens.
static KNOWN: LazyLock<Hashes> = LazyLock::new(|| {
    let rivals = table::RIVALS.iter().flat_map(|group| group.split(' '));
    let words = table::opposites().chain(rivals).chain(table::units());
    words.map(of_word).collect()
});

/// Words that come and go with a negation.
static BESIDE: LazyLock<Hashes> = LazyLock::new(|| {
    let words = table::BESIDE_NEGATION.all();
    words.map(of_word).collect()
});

/// The frames of a statement.
pub fn frames(statement: &Statement<'_>, take: &mut impl FnMut(Frame)) {
    let says = |token: &&Token| token.kind.is_content() && !BESIDE.contains(&token.hash);
    let words: Vec<&Token> = statement.tokens.iter().filter(says).collect();
    if words.len() < FEWEST {
        return;
    }
    let negations = statement.tokens.iter();
    let negations = negations.filter(|token| token.kind == Kind::Negation);
    let turned = u32::from(negations.count() % 2 == 1);
    let sequence: Vec<u64> = words.iter().map(|word| u64::from(word.hash) + 1).collect();
    let whole = follow(&sequence);
    take(Frame {
        key: mix(whole.first().copied().unwrap_or_default()),
        class: 0,
        value: turned,
    });
    order(statement, &words, &whole, take);
    numbers(&words, take);
    // Of two words one may only be left out that excludes another: `the endpoint is public`.
    let short = words.len() <= FEWEST;
    let (mut before, mut power, mut made) = (0_u64, 1_u64, 0);
    for ((word, own), after) in words.iter().zip(&sequence).zip(whole.iter().skip(1)) {
        let class = class(word);
        let told = !short || (class == 0 && !is_quantity(word));
        if told && (class < 2 || words.len() <= SHORT) && made < MOST {
            made += 1;
            take(Frame {
                key: mix(before.wrapping_add(power.wrapping_mul(*after))),
                class,
                value: join(word.hash, turned),
            });
        }
        before = before.wrapping_add(power.wrapping_mul(*own));
        power = power.wrapping_mul(BASE);
    }
}

/// A number for each end of a sequence, that of nothing last: what stands first counts once, what
/// stands behind it [`BASE`] times, and so on.
fn follow(sequence: &[u64]) -> Vec<u64> {
    let mut all = Vec::with_capacity(sequence.len() + 1);
    let mut sum = 0_u64;
    all.push(sum);
    for own in sequence.iter().rev() {
        sum = own.wrapping_add(sum.wrapping_mul(BASE));
        all.push(sum);
    }
    all.reverse();
    all
}

/// Of a statement about an order: its words in whatever order.
fn order(statement: &Statement<'_>, words: &[&Token], whole: &[u64], take: &mut impl FnMut(Frame)) {
    if statement.is_ordered() {
        let mut sorted: Vec<u32> = words.iter().map(|word| word.hash).collect();
        sorted.sort_unstable();
        take(Frame {
            key: sorted.into_iter().fold(2, join),
            class: 0,
            value: mix(whole.first().copied().unwrap_or_default()),
        });
    }
}

/// Of a statement with several numbers: its words without them.
fn numbers(words: &[&Token], take: &mut impl FnMut(Frame)) {
    let of = |wanted: bool| {
        let some = words.iter();
        some.filter(move |word| is_quantity(word) == wanted)
            .map(|word| word.hash)
    };
    if of(true).count() > 1 && of(false).count() >= FEWEST {
        take(Frame {
            key: of(false).fold(3, join),
            class: 0,
            value: of(true).fold(0, join),
        });
    }
}

fn is_quantity(word: &Token) -> bool {
    word.kind.is_number() || word.kind == Kind::Month
}

fn class(word: &Token) -> u8 {
    if is_quantity(word) || KNOWN.contains(&word.hash) {
        0
    } else {
        2 - u8::from(matches!(word.kind, Kind::Name | Kind::Code))
    }
}

/// Whether another word in its place makes another statement: it is no plain word.
pub fn tells(word: &Token) -> bool {
    word.kind == Kind::Negation || (word.kind.is_content() && class(word) < 2)
}
