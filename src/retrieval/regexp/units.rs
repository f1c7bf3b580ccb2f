//! Sets of UTF-16 code units: what a character class of ECMA-262 is without the `u` flag, and how
//! units fold where case is ignored.

use std::sync::LazyLock;

/// Line terminators (ECMA-262 §12.3), which `.` does not match.
const LINE_ENDS: &[(u16, u16)] = &[(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)];

/// `WhiteSpace` and `LineTerminator` (§12.2, §12.3), which `\s` matches: U+FEFF is one, U+0085 is not.
const SPACES: &[(u16, u16)] = &[
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
const DIGITS: &[(u16, u16)] = &[(0x30, 0x39)];

/// `WordCharacters` without `u` (§22.2.2.9.3), which `\w` matches and `\b` looks for.
const WORD: &[(u16, u16)] = &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];

/// Units beyond ASCII that fold to another one, each with that one.
static FOLDS: LazyLock<Vec<(u16, u16)>> = LazyLock::new(|| {
    let all = (128..=u16::MAX).map(|unit| (unit, canonicalize(unit)));
    all.filter(|(unit, folded)| unit != folded).collect()
});

/// `Canonicalize` (§22.2.2.7.3) without `u`: the upper case, if one unit and not of ASCII.
pub(super) fn canonicalize(unit: u16) -> u16 {
    if let Some(byte) = u8::try_from(unit).ok().filter(u8::is_ascii) {
        return u16::from(byte.to_ascii_uppercase());
    }
    let Some(letter) = char::from_u32(u32::from(unit)) else {
        return unit;
    };
    let mut upper = letter.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(single), None) if !single.is_ascii() => {
            u16::try_from(u32::from(single)).unwrap_or(unit)
        }
        _ => unit,
    }
}

/// A set of code units: sorted ranges that neither overlap nor touch.
#[derive(Clone, Debug)]
pub(super) struct UnitSet(Vec<(u16, u16)>);

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
        Self(merged)
    }

    pub(super) fn dot() -> Self {
        Self(LINE_ENDS.to_vec()).inverted()
    }

    /// The set of `\d`, `\D`, `\s`, `\S`, `\w` or `\W`, by its letter.
    pub(super) fn escape(letter: u8) -> Option<Self> {
        let ranges = match letter.to_ascii_lowercase() {
            b'd' => DIGITS,
            b's' => SPACES,
            b'w' => WORD,
            _ => return None,
        };
        let set = Self(ranges.to_vec());
        Some(match letter.is_ascii_uppercase() {
            true => set.inverted(),
            false => set,
        })
    }

    pub(super) fn ranges(&self) -> &[(u16, u16)] {
        &self.0
    }

    pub(super) fn contains(&self, unit: u16) -> bool {
        let after = self.0.partition_point(|range| range.0 <= unit);
        let range = after.checked_sub(1).and_then(|at| self.0.get(at));
        range.is_some_and(|range| unit <= range.1)
    }

    pub(super) fn inverted(&self) -> Self {
        let mut out = Vec::with_capacity(self.0.len() + 1);
        let mut next = Some(0);
        for &(low, high) in &self.0 {
            let gap = next.zip(low.checked_sub(1));
            out.extend(gap.filter(|(from, to)| from <= to));
            next = high.checked_add(1);
        }
        out.extend(next.map(|from| (from, u16::MAX)));
        Self(out)
    }

    /// Adds what the members fold to. The members may stay: no folded text has them.
    pub(super) fn folded(&self) -> Self {
        let mut ranges = self.0.clone();
        for &(low, high) in &self.0 {
            let (from, to) = (low.max(b'a'.into()), high.min(b'z'.into()));
            if from <= to {
                ranges.push((canonicalize(from), canonicalize(to)));
            }
        }
        if self.0.last().is_some_and(|(_, high)| *high >= 128) {
            let folds = FOLDS.iter().filter(|(unit, _)| self.contains(*unit));
            ranges.extend(folds.map(|(_, folded)| (*folded, *folded)));
        }
        Self::from_ranges(ranges)
    }
}

/// True if `\b` counts the unit as part of a word (§22.2.2.9.3): ASCII only without `u`.
pub(super) fn is_word(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::canonicalize;

    #[test]
    fn a_folded_unit_folds_no_further() {
        for unit in 0..=u16::MAX {
            let folded = canonicalize(unit);
            assert_eq!(canonicalize(folded), folded, "{unit:x}");
        }
    }
}
