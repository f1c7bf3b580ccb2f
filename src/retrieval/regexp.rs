//! The regular expressions of JavaScript, in bounded time: [`RegExp`] accepts what Node.js 20 accepts and
//! matches what it matches, but `(a+)+$`, which would keep Node.js busy for hours, has its answer in less
//! than a millisecond.
//!
//! 1. The machine (ECMA-262 §22.2.2: backtracking) answers at once for nearly every pattern, and
//!    compiling for it takes a microsecond or two.
//! 2. After too many steps with a pattern without back-references and look-arounds, the machine
//!    remembers the states it has been in: what follows from one depends on nothing else, so that
//!    it is never tried twice.
//! 3. The others go on stepping. Beyond a limit there is no answer: the pattern is [`TooSlow`].
//!    Steps are counted, nothing is timed, so the answer is the same on every machine.

mod escape;
mod machine;
mod parse;
mod program;
#[cfg(test)]
mod tests;
mod units;

use std::ops::Range;

use machine::Machine;
use program::Program;

/// A longer source, in bytes, is refused.
const MAX_LENGTH: usize = 10_000;

/// Deeper parentheses are refused, for the parser's sake.
const MAX_DEPTH: usize = 250;

/// Steps after which states are worth remembering; more for a longer text.
const QUICK_STEPS: u64 = 20_000;
const QUICK_STEPS_PER_UNIT: u64 = 8;

/// Steps after which there is no answer.
const MAX_STEPS: u64 = 3_000_000;

/// A JavaScript regular expression (no flags but `i`), compiled once, matched in bounded time.
#[derive(Debug)]
pub struct RegExp {
    program: Program,
    ignore_case: bool,
}

/// Why a pattern is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegExpError {
    /// JavaScript refuses it too.
    #[error("not a regular expression: {message} (at {offset})")]
    Syntax {
        /// The place in the source, in UTF-16 units.
        offset: usize,
        /// The problem there.
        message: String,
    },
    /// The source has more than 10,000 bytes.
    #[error("the pattern is longer than {MAX_LENGTH} bytes")]
    TooLong,
    /// Parentheses within parentheses, 250 times over.
    #[error("the pattern is nested more than {MAX_DEPTH} deep")]
    TooDeep,
}

/// The pattern takes too many steps on this text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pattern takes too long on this text")]
pub struct TooSlow;

impl RegExp {
    /// Compiles a pattern as `new RegExp(source)` or `new RegExp(source, "i")`; an error where
    /// JavaScript refuses it, or where it exceeds a limit.
    pub fn new(source: &str, ignore_case: bool) -> Result<Self, RegExpError> {
        if source.len() > MAX_LENGTH {
            return Err(RegExpError::TooLong);
        }
        let pattern = parse::parse(source, ignore_case)?;
        Ok(Self {
            program: program::compile(&pattern),
            ignore_case,
        })
    }

    /// The first match in UTF-16 units of the text; an error where that takes too many steps.
    pub fn find(&self, text: &Utf16Text) -> Result<Option<Range<usize>>, TooSlow> {
        let length = u64::try_from(text.units.len()).unwrap_or(u64::MAX);
        let quick = QUICK_STEPS.saturating_add(length.saturating_mul(QUICK_STEPS_PER_UNIT));
        let most = quick.saturating_add(MAX_STEPS);
        let quick = self.program.is_regular.then_some(quick);
        Machine::new(&self.program, self.seen_by(text), most, quick).find()
    }

    /// The units of a text as the pattern compares them.
    fn seen_by<'t>(&self, text: &'t Utf16Text) -> &'t [u16] {
        match self.ignore_case {
            true => &text.folded,
            false => &text.units,
        }
    }

    /// True if there is a match; an error as of [`Self::find`].
    pub fn is_match(&self, text: &Utf16Text) -> Result<bool, TooSlow> {
        self.find(text).map(|found| found.is_some())
    }

    /// True if a matcher that tries one way after the other would take three million steps.
    pub fn wears_out(&self, text: &Utf16Text) -> bool {
        let machine = Machine::new(&self.program, self.seen_by(text), MAX_STEPS, None);
        machine.find().is_err()
    }
}

/// A text as UTF-16 code units, prepared once and matched by many patterns.
#[derive(Debug)]
pub struct Utf16Text {
    units: Vec<u16>,
    /// The same with their case folded.
    folded: Vec<u16>,
    /// The byte at which the character of each unit, and of the end, starts; empty for ASCII.
    bytes: Vec<usize>,
}

impl Utf16Text {
    /// Prepares a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let is_ascii = text.is_ascii();
        let starts = text.char_indices().filter(|_| !is_ascii);
        let bytes = starts.flat_map(|(at, letter)| std::iter::repeat_n(at, letter.len_utf16()));
        let end = (!is_ascii).then_some(text.len());
        let units: Vec<u16> = text.encode_utf16().collect();
        Self {
            folded: units.iter().copied().map(units::canonicalize).collect(),
            units,
            bytes: bytes.chain(end).collect(),
        }
    }

    /// The bytes of the text that a range of units covers: of a cut surrogate pair the whole
    /// character, of an empty range nothing.
    #[must_use]
    pub fn byte_range(&self, units: Range<usize>) -> Range<usize> {
        let start = self.byte_start(units.start);
        if units.end <= units.start {
            return start..start;
        }
        // Only the two halves of one pair start at the same byte.
        let is_pair = self.byte_start(units.end - 1) == self.byte_start(units.end);
        let cut = units.end < self.units.len() && is_pair;
        let end = units.end + usize::from(cut);
        start..self.byte_start(end)
    }

    fn byte_start(&self, unit: usize) -> usize {
        match self.bytes.last() {
            None => unit.min(self.units.len()),
            Some(last) => *self.bytes.get(unit).unwrap_or(last),
        }
    }
}
