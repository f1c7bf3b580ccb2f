//! Case folding as ECMA-262 §22.2.2.7.3 defines it without the `u` flag.

use std::sync::LazyLock;

/// Units beyond ASCII that share their folded form with another unit, as (folded, unit), sorted.
pub(super) static VARIANTS: LazyLock<Vec<(u16, u16)>> = LazyLock::new(|| {
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
pub(super) fn variants(unit: u16) -> &'static [(u16, u16)] {
    let folded = canonicalize(unit);
    let start = VARIANTS.partition_point(|pair| pair.0 < folded);
    let end = VARIANTS.partition_point(|pair| pair.0 <= folded);
    VARIANTS.get(start..end).unwrap_or_default()
}
