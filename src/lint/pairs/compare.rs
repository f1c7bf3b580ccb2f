//! Two statements side by side: the same, in contradiction, or about different things.

mod case;
mod change;
mod choice;
mod clause;
mod denial;
mod label;
mod relation;
mod repetition;
mod run;
mod slot;
mod state;
mod subject;
mod value;

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::statement::Statement;
use super::words::{Kind, Token};
use change::content_of;
pub use clause::compare;
use label::{Labels, labels};

/// In what two statements about the same differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// A number.
    Number,
    /// The unit of a number, or a currency.
    Unit,
    /// A version.
    Version,
    /// A date.
    Date,
    /// A path.
    Path,
    /// A name or a piece of code.
    Name,
    /// A tool or a choice of which there is one.
    Tool,
    /// One says the opposite: `enabled` and `disabled`.
    Opposite,
    /// One says not to: `use` and `do not use`, `always` and `never`.
    Negation,
    /// Two things change their places: `A instead of B` and `B instead of A`.
    Order,
    /// What came out of two runs: `~40 s wall` and `~55 s wall`.
    Run,
    /// Another word.
    Word,
}

impl Slot {
    /// What it is to a statement elsewhere, which is named.
    pub fn against(self, other: &str) -> String {
        let what = match self {
            Self::Number | Self::Run => "number",
            Self::Unit => "unit",
            Self::Version => "version",
            Self::Date => "date",
            Self::Path => "path",
            Self::Name => "name",
            Self::Tool => "tool",
            Self::Word => "word",
            Self::Opposite => return format!("Opposite of {other}"),
            Self::Negation => return format!("Contradicts {other}"),
            Self::Order => return format!("The other way round in {other}"),
        };
        format!("Conflicting {what} with {other}")
    }

    /// Whether it contradicts by itself, whatever else is said around it.
    const fn is_plain(self) -> bool {
        matches!(
            self,
            Self::Number
                | Self::Unit
                | Self::Version
                | Self::Path
                | Self::Tool
                | Self::Opposite
                | Self::Negation
        )
    }

    /// Whether what differs is no second thing of a kind: one memory may name two paths, names
    /// and tools, and mean both.
    pub const fn is_sure(self) -> bool {
        self.confidence() >= 0.9
    }

    /// How sure it is that such a pair cannot both hold: about the share that people called
    /// contradictions among revisions of sentences.
    pub const fn confidence(self) -> f64 {
        match self {
            Self::Number | Self::Unit | Self::Version => 0.94,
            Self::Negation | Self::Opposite | Self::Order => 0.9,
            Self::Path | Self::Name | Self::Tool => 0.88,
            Self::Date => 0.86,
            Self::Run | Self::Word => 0.7,
        }
    }
}

/// How two statements stand to each other.
#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    /// They cannot both hold.
    Contradiction {
        /// In what they differ.
        slot: Slot,
        /// The differing bytes of the first.
        a: Vec<Range<usize>>,
        /// The differing bytes of the second.
        b: Vec<Range<usize>>,
        /// A hash of what they share.
        frame: u32,
    },
    /// They say the same; how like they are, 0 to 1.
    Same(f64),
    /// They share much, and neither names another thing in a place of the other.
    Near,
    /// They say the same of two subjects.
    Other,
    /// They are about different things.
    Apart,
}

/// Statements less like each other than this are not about the same.
const LIKE: f64 = 0.6;

/// Statements at least this like say the same where nothing contradicts.
const SAME: f64 = 0.75;

/// Long statements at least this like say the same with another thing in some place.
const SURELY: f64 = 0.85;

/// The share of their words that statements in another order have in common.
const SHUFFLED: f64 = 0.9;

/// One place where they differ: the tokens of each.
struct Change {
    a: Range<usize>,
    b: Range<usize>,
}

/// Two statements and where they differ.
struct Pair<'s, 't> {
    a: &'s Statement<'t>,
    b: &'s Statement<'t>,
    changes: Vec<Change>,
    /// Tokens of the first that both have.
    shared: Vec<usize>,
    /// The same tokens in the second.
    twins: Vec<usize>,
    like: f64,
}

/// Whether a statement says all that another says, at most with another word in a place of it.
pub fn repeats(known: &Statement<'_>, new: &Statement<'_>) -> bool {
    let pair = Pair::new(known, new);
    let like = match compare(known, new) {
        Relation::Same(like) => like,
        _ => return false,
    };
    pair.changes.iter().all(|change| {
        let (a, b) = pair.tokens(change);
        let (a, b) = (content_of(a), content_of(b));
        let worded = a.len() >= b.len() && like >= SURELY;
        let has = |token: &Token| known.tokens.iter().any(|other| other.hash == token.hash);
        let word = |token: &Token| token.kind == Kind::Word && !new.names(token);
        b.iter().all(|token| has(token) || (worded && word(token)))
    })
}

/// Compares two lines that say a value of one key: which of several words it is says as much there
/// as a number.
pub fn compare_values(a: &Statement<'_>, b: &Statement<'_>) -> Relation {
    let pair = Pair::new(a, b);
    let [change] = pair.changes.as_slice() else {
        return Relation::Apart;
    };
    match pair.kind_of(change).filter(|_| pair.can_contradict()) {
        Some(Slot::Word) => pair.contradiction(Slot::Name),
        Some(slot) => pair.contradiction(slot),
        None => Relation::Apart,
    }
}

/// Whether two statements name another file, identifier or argument in one place, say one word
/// otherwise, or one has an option more: however alike they are, neither need be a copy of the other.
pub fn name_others(a: &Statement<'_>, b: &Statement<'_>) -> bool {
    let pair = Pair::new(a, b);
    let another = || {
        let mut changes = pair.changes.iter();
        changes.any(|change| pair.is_another_span(change))
    };
    !pair.is_long() && (pair.adds_option() || pair.is_another_word() || another())
}

fn compare_all(a: &Statement<'_>, b: &Statement<'_>) -> Relation {
    let mut pair = Pair::new(a, b);
    if pair.is_another_record() {
        return Relation::Apart;
    }
    let akin = pair.like >= 0.35;
    let moved = akin.then(|| pair.moved_number()).flatten();
    let shuffled = akin && pair.words_shared() >= SHUFFLED;
    if akin && pair.is_reordered() {
        return Relation::Same(pair.words_shared());
    }
    if !(pair.like >= LIKE
        || moved.is_some()
        || shuffled
        || pair.is_measured()
        || pair.is_choice()
        || pair.is_named_value()
        || pair.ended()
        || pair.chosen_otherwise().is_some())
    {
        return Relation::Apart;
    }
    match labels(a, b) {
        Labels::Same => {}
        // Long sentences that are alike but for a word in front of a colon.
        Labels::Within if pair.is_long() && pair.like >= SURELY && pair.is_repetition() => {
            return Relation::Same(pair.like);
        }
        Labels::Within | Labels::Others => return Relation::Apart,
    }
    if let Some(slot) = pair.slot() {
        // Of a command another word may be in question.
        let command = (slot == Slot::Word)
            .then(|| pair.chosen_otherwise())
            .flatten();
        return pair.contradiction(command.unwrap_or(slot));
    }
    if pair.ended() {
        return pair.contradiction(Slot::Negation);
    }
    if let Some(slot) = pair.chosen_otherwise() {
        return pair.contradiction(slot);
    }
    if shuffled && pair.is_denied() {
        return pair.contradiction(Slot::Negation);
    }
    if let Some((change, slot)) = moved {
        pair.changes = vec![change];
        return pair.contradiction(slot);
    }
    if pair.like >= SAME && pair.is_repetition() {
        return Relation::Same(pair.like);
    }
    if shuffled
        && pair.shared(|token| token.kind.is_content()) >= 4
        && !pair.is_turned()
        && !pair.names_another()
    {
        return Relation::Same(pair.words_shared());
    }
    if pair.is_reworded() {
        return Relation::Near;
    }
    if pair.like >= SAME && (pair.names_another() || pair.is_another_step()) {
        return Relation::Other;
    }
    Relation::Apart
}

impl<'s, 't> Pair<'s, 't> {
    fn new(a: &'s Statement<'t>, b: &'s Statement<'t>) -> Self {
        let hashes = |one: &Statement<'_>| {
            one.tokens
                .iter()
                .map(|token| token.hash)
                .collect::<Vec<_>>()
        };
        let ops = capture_diff_slices(Algorithm::Myers, &hashes(a), &hashes(b));
        let mut changes: Vec<Change> = Vec::new();
        let (mut shared, mut twins) = (Vec::new(), Vec::new());
        let mut open = false;
        for op in ops {
            if matches!(op, DiffOp::Equal { .. }) {
                shared.extend(op.old_range());
                twins.extend(op.new_range());
                open = false;
                continue;
            }
            let (old, new) = (op.old_range(), op.new_range());
            match changes.last_mut() {
                Some(last) if open => {
                    last.a.end = old.end.max(last.a.end);
                    last.b.end = new.end.max(last.b.end);
                }
                _ => changes.push(Change { a: old, b: new }),
            }
            open = true;
        }
        let weight = |tokens: &[Token]| tokens.iter().map(|token| token.kind.weight()).sum::<f64>();
        let common: f64 = shared
            .iter()
            .filter_map(|n| a.tokens.get(*n))
            .map(|token| token.kind.weight())
            .sum();
        let all = weight(&a.tokens) + weight(&b.tokens);
        Self {
            a,
            b,
            changes,
            shared,
            twins,
            like: if all > 0.0 { 2.0 * common / all } else { 0.0 },
        }
    }

    fn tokens(&self, change: &Change) -> (&[Token], &[Token]) {
        let of = |one: &'s Statement<'t>, range: &Range<usize>| {
            one.tokens.get(range.clone()).unwrap_or_default()
        };
        (of(self.a, &change.a), of(self.b, &change.b))
    }

    /// How many shared tokens there are of a kind.
    fn shared(&self, wanted: impl Fn(&Token) -> bool) -> usize {
        let tokens = self.shared.iter().filter_map(|n| self.a.tokens.get(*n));
        tokens.filter(|token| wanted(token)).count()
    }

    /// How much of their words they share in whatever order, 0 to 1.
    fn words_shared(&self) -> f64 {
        let words = |one: &Statement<'_>| {
            let mut words: Vec<(u32, f64)> = one
                .tokens
                .iter()
                .map(|token| (token.hash, token.kind.weight()))
                .collect();
            words.sort_unstable_by_key(|word| word.0);
            // Who says a word twice says nothing more with it.
            words.dedup_by_key(|word| word.0);
            words
        };
        let (a, mut b) = (words(self.a), words(self.b));
        let weight = |words: &[(u32, f64)]| words.iter().map(|word| word.1).sum::<f64>();
        let all = weight(&a) + weight(&b);
        let mut common = 0.0;
        for (hash, weight) in a {
            if let Ok(place) = b.binary_search_by_key(&hash, |word| word.0) {
                b.remove(place);
                common += 2.0 * weight;
            }
        }
        common / all.max(1.0)
    }

    fn contradiction(&self, slot: Slot) -> Relation {
        let slot = if self.are_runs() { Slot::Run } else { slot };
        let bytes = |one: &Statement<'_>, range: &Range<usize>| {
            let tokens = one.tokens.get(range.clone()).unwrap_or_default();
            Some(one.in_source(&(tokens.first()?.at.start..tokens.last()?.at.end)))
        };
        let frame = self.shared.iter().filter_map(|n| self.a.tokens.get(*n));
        let frame = frame.filter(|token| token.kind.is_content());
        Relation::Contradiction {
            slot,
            a: self
                .changes
                .iter()
                .filter_map(|change| bytes(self.a, &change.a))
                .collect(),
            b: self
                .changes
                .iter()
                .filter_map(|change| bytes(self.b, &change.b))
                .collect(),
            frame: frame.fold(0, |hash, token| super::words::join(hash, token.hash)),
        }
    }
}

#[cfg(test)]
mod tests;
