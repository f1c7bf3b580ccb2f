//! Units by what they measure.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Words;

/// Units of one dimension, each line: what they are called, and how much of the first one each is;
/// 0 where that is nowhere written down.
const MEASURES: [&[(&str, f64)]; 8] = [
    &[
        ("ns nsec nanosecond nanoseconds", 1e-9),
        ("µs usec microsecond microseconds", 1e-6),
        ("ms msec millisecond milliseconds millis", 0.001),
        ("s sec secs second seconds", 1.0),
        ("min mins minute minutes", 60.0),
        ("h hr hrs hour hours", 3_600.0),
        ("d day days", 86_400.0),
        ("week weeks", 604_800.0),
        ("month months", 0.0),
        ("year years", 0.0),
    ],
    &[
        ("bit bits", 0.125),
        ("byte bytes", 1.0),
        ("kb kilobyte kilobytes", 1e3),
        ("kib kibibyte kibibytes", 1_024.0),
        ("mb megabyte megabytes", 1e6),
        ("mib mebibyte mebibytes", 1_048_576.0),
        ("gb gigabyte gigabytes", 1e9),
        ("gib gibibyte gibibytes", 1_073_741_824.0),
        ("tb terabyte terabytes", 1e12),
        ("tib tebibyte tebibytes", 1_099_511_627_776.0),
    ],
    &[
        ("mm millimetre millimetres millimeter millimeters", 0.001),
        ("cm centimetre centimetres centimeter centimeters", 0.01),
        ("inch inches", 0.0254),
        ("foot feet", 0.3048),
        ("metre metres meter meters", 1.0),
        ("km kilometre kilometres kilometer kilometers", 1_000.0),
        ("mile miles", 1_609.344),
    ],
    &[
        ("mg milligram milligrams", 0.001),
        ("gram grams", 1.0),
        ("ounce ounces", 28.35),
        ("lb lbs", 453.59),
        ("kg kilo kilos kilogram kilograms", 1_000.0),
        ("tonne tonnes ton tons", 1_000_000.0),
    ],
    &[
        ("usd dollar dollars", 0.0),
        ("eur euro euros", 0.0),
        ("gbp pound pounds", 0.0),
        ("chf franc francs", 0.0),
        ("jpy yen", 0.0),
        ("cent cents penny pence", 0.0),
    ],
    &[("celsius", 0.0), ("fahrenheit", 0.0), ("kelvin", 0.0)],
    &[("degree degrees", 0.0), ("radian radians", 0.0)],
    &[("px pixel pixels", 0.0), ("rem", 0.0), ("em", 0.0)],
];

/// What is counted: behind a number as good as a unit, and elsewhere a word like others.
static COUNTED: Words = Words::of(
    "token tokens percent line lines character characters word words request requests rpm rps",
);

/// A unit: two of one dimension say how much of the same there is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// What it measures.
    pub dimension: usize,
    /// Which unit of that it is.
    pub number: usize,
    /// How much of the first one it is, where that is fixed.
    pub size: Option<f64>,
}

static UNITS: LazyLock<HashMap<&str, Unit>> = LazyLock::new(|| {
    let mut units = HashMap::new();
    for (dimension, line) in MEASURES.iter().enumerate() {
        for (number, (names, size)) in line.iter().enumerate() {
            let size = (*size > 0.0).then_some(*size);
            let unit = Unit {
                dimension,
                number,
                size,
            };
            units.extend(names.split(' ').map(|name| (name, unit)));
        }
    }
    units
});

/// What a word measures.
pub fn unit(word: &str) -> Option<Unit> {
    UNITS.get(word).copied()
}

/// Whether a word says behind a number what that counts.
pub fn is_unit(word: &str) -> bool {
    UNITS.contains_key(word) || COUNTED.has(word)
}

/// Their names, without what is too short to be told from another word.
pub fn units() -> impl Iterator<Item = &'static str> {
    let units = UNITS.keys().copied().filter(|name| name.len() > 1);
    units.chain(COUNTED.all())
}
