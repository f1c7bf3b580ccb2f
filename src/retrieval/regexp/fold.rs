//! Case folding as ECMA-262 §22.2.2.7.3 defines it without the `u` flag.

use std::sync::LazyLock;

use super::units::UnitSet;

/// Above this many units a set is folded by walking the whole table, not its members.
const SMALL_SET: usize = 64;

/// Units beyond ASCII that share their folded form with another unit, as (folded, unit), sorted.
static VARIANTS: LazyLock<Vec<(u16, u16)>> = LazyLock::new(|| {
    let mut pairs = Vec::new();
    for unit in 128..=u16::MAX {
        let folded = canonicalize(unit);
        if folded != unit {
            pairs.push((folded, unit));
            if canonicalize(folded) == folded {
                pairs.push((folded, folded));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
});

/// `Canonicalize`: the unit's upper case, where that is one unit and does not lead into ASCII.
pub(super) fn canonicalize(unit: u16) -> u16 {
    if let Ok(byte) = u8::try_from(unit)
        && byte.is_ascii()
    {
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

/// The units that fold as `unit` does, with their common folded form; empty where it stands alone.
fn variants(unit: u16) -> &'static [(u16, u16)] {
    let folded = canonicalize(unit);
    let start = VARIANTS.partition_point(|pair| pair.0 < folded);
    let end = VARIANTS.partition_point(|pair| pair.0 <= folded);
    VARIANTS.get(start..end).unwrap_or_default()
}

impl UnitSet {
    /// Every unit that folds to the same unit as a member does (`Canonicalize`, §22.2.2.7.3).
    pub(super) fn case_closed(&self) -> Self {
        let mut ranges = self.ranges().to_vec();
        for letter in b'A'..=b'Z' {
            let (upper, lower) = (u16::from(letter), u16::from(letter.to_ascii_lowercase()));
            if self.contains(upper) || self.contains(lower) {
                ranges.extend([(upper, upper), (lower, lower)]);
            }
        }
        if self.beyond_ascii() {
            add_variants(self, &mut ranges);
        }
        Self::from_ranges(ranges)
    }
}

/// Adds to `ranges` what folds as a member of `set` beyond ASCII does.
fn add_variants(set: &UnitSet, ranges: &mut Vec<(u16, u16)>) {
    if is_costly(set) {
        for group in VARIANTS.chunk_by(|one, other| one.0 == other.0) {
            if group.iter().any(|pair| set.contains(pair.1)) {
                ranges.extend(group.iter().map(|pair| (pair.1, pair.1)));
            }
        }
        return;
    }
    for &(low, high) in set.ranges() {
        for unit in low.max(128)..=high {
            ranges.extend(variants(unit).iter().map(|pair| (pair.1, pair.1)));
        }
    }
}

/// Whether folding the set walks the whole table.
pub(super) fn is_costly(set: &UnitSet) -> bool {
    set.beyond_ascii() && set.len() > SMALL_SET
}
