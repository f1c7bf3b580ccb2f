//! Sets of UTF-16 code units: what a character class of ECMA-262 is without the `u` flag.

use super::fold;

/// Line terminators (ECMA-262 §12.3), which `.` does not match.
const LINE_ENDS: [(u16, u16); 3] = [(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)];

/// `WhiteSpace` and `LineTerminator` (§12.2, §12.3), which `\s` matches: U+FEFF is one, U+0085 is not.
const SPACES: [(u16, u16); 10] = [
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];

/// `\d` (§22.2.2.9).
const DIGITS: [(u16, u16); 1] = [(0x30, 0x39)];

/// `WordCharacters` without `u` (§22.2.2.9.3), which `\w` matches and `\b` looks for.
const WORD: [(u16, u16); 4] = [(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];

/// A set of code units: sorted ranges that neither overlap nor touch, and a bitmap for ASCII.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UnitSet {
    ascii: u128,
    ranges: Vec<(u16, u16)>,
}

impl UnitSet {
    /// The union of `ranges`, in any order.
    pub(super) fn from_ranges(mut ranges: Vec<(u16, u16)>) -> Self {
        ranges.sort_unstable();
        let mut merged: Vec<(u16, u16)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match merged.last_mut() {
                Some(last) if u32::from(low) <= u32::from(last.1) + 1 => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        let mut ascii = 0u128;
        for &(low, high) in merged.iter().take_while(|range| range.0 < 128) {
            for unit in low..=high.min(127) {
                ascii |= 1 << unit;
            }
        }
        Self {
            ascii,
            ranges: merged,
        }
    }

    pub(super) fn dot() -> Self {
        Self::from_ranges(LINE_ENDS.to_vec()).inverted()
    }

    /// The set of `\d`, `\D`, `\s`, `\S`, `\w` or `\W`, by its letter.
    pub(super) fn escape(letter: u8) -> Option<Self> {
        let ranges = match letter.to_ascii_lowercase() {
            b'd' => DIGITS.to_vec(),
            b's' => SPACES.to_vec(),
            b'w' => WORD.to_vec(),
            _ => return None,
        };
        let set = Self::from_ranges(ranges);
        Some(if letter.is_ascii_uppercase() {
            set.inverted()
        } else {
            set
        })
    }

    pub(super) fn ranges(&self) -> &[(u16, u16)] {
        &self.ranges
    }

    pub(super) fn contains(&self, unit: u16) -> bool {
        if unit < 128 {
            return self.ascii >> unit & 1 == 1;
        }
        let after = self.ranges.partition_point(|range| range.0 <= unit);
        after
            .checked_sub(1)
            .and_then(|index| self.ranges.get(index))
            .is_some_and(|range| unit <= range.1)
    }

    /// Every unit that is not in the set.
    pub(super) fn inverted(&self) -> Self {
        let mut out = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = 0u32;
        for &(low, high) in &self.ranges {
            if let Some(end) = u32::from(low).checked_sub(1).filter(|end| *end >= next) {
                out.push((narrow(next), narrow(end)));
            }
            next = u32::from(high) + 1;
        }
        if next <= 0xFFFF {
            out.push((narrow(next), 0xFFFF));
        }
        Self::from_ranges(out)
    }

    /// Number of units in the set.
    pub(super) fn len(&self) -> usize {
        self.ranges
            .iter()
            .map(|&(low, high)| usize::from(high - low) + 1)
            .sum()
    }

    /// The ASCII part as a bitmap.
    pub(super) fn ascii(&self) -> u128 {
        self.ascii
    }

    /// True if any unit beyond ASCII is in the set.
    pub(super) fn beyond_ascii(&self) -> bool {
        self.ranges.last().is_some_and(|range| range.1 >= 128)
    }

    /// Every unit that folds to the same unit as a member does (`Canonicalize`, §22.2.2.7.3).
    pub(super) fn case_closed(&self) -> Self {
        let mut ranges = self.ranges.clone();
        for letter in b'A'..=b'Z' {
            let (upper, lower) = (u16::from(letter), u16::from(letter.to_ascii_lowercase()));
            if self.contains(upper) || self.contains(lower) {
                ranges.extend([(upper, upper), (lower, lower)]);
            }
        }
        if self.beyond_ascii() {
            self.add_variants(&mut ranges);
        }
        Self::from_ranges(ranges)
    }

    /// Adds the units that fold as a member of the set beyond ASCII does.
    fn add_variants(&self, ranges: &mut Vec<(u16, u16)>) {
        if self.is_costly_to_fold() {
            for group in fold::VARIANTS.chunk_by(|one, other| one.0 == other.0) {
                if group.iter().any(|pair| self.contains(pair.1)) {
                    ranges.extend(group.iter().map(|pair| (pair.1, pair.1)));
                }
            }
            return;
        }
        for &(low, high) in self.ranges() {
            for unit in low.max(128)..=high {
                ranges.extend(fold::variants(unit).iter().map(|pair| (pair.1, pair.1)));
            }
        }
    }

    /// True if folding the set walks the whole table, not its members.
    pub(super) fn is_costly_to_fold(&self) -> bool {
        self.beyond_ascii() && self.len() > SMALL_SET
    }
}

/// Above this many units a set is folded by walking the whole table.
const SMALL_SET: usize = 64;

/// The unit of a number known to be at most 0xFFFF.
fn narrow(unit: u32) -> u16 {
    u16::try_from(unit).unwrap_or(u16::MAX)
}

/// True if `\b` counts the unit as part of a word (§22.2.2.9.3): ASCII only without `u`.
pub(super) fn is_word(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
