//! Units by what they measure.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Words;

/// Units of one dimension, each line: what they are called, and how much of the first one each is;
/// 0 where that is nowhere written down.
const MEASURES: [&[(&str, f64)]; 14] = [
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
    &[
        ("µv", 1e-6),
        ("mv millivolt millivolts", 0.001),
        ("v volt volts", 1.0),
        ("kv", 1e3),
    ],
    &[
        ("µa", 1e-6),
        ("ma milliampere milliamperes", 0.001),
        ("a amp amps ampere amperes", 1.0),
    ],
    &[
        ("hz hertz", 1.0),
        ("khz kilohertz", 1e3),
        ("mhz megahertz", 1e6),
        ("ghz gigahertz", 1e9),
    ],
    &[("watt watts", 1.0), ("kw kilowatt kilowatts", 1e3)],
    &[("kbps", 1e3), ("mbps", 1e6), ("gbps", 1e9)],
    &[
        ("ml millilitre millilitres", 0.001),
        ("litre litres liter liters", 1.0),
    ],
];

/// What is counted: behind a number as good as a unit, and elsewhere a word like others.
static COUNTED: Words = Words::of(
    "m w b g l k token tokens percent line lines character characters word words request requests rpm rps",
);

/// Units of one letter, which are words of their own elsewhere, as they are written.
static SYMBOLS: Words = Words::of("s m h d V A W B g l L K");

/// What a symbol of two dimensions may stand for.
static METRES_OR_MINUTES: Words = Words::of("m min mins minute minutes metre metres meter meters");

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

/// Whether a letter is a unit where it stands behind a number.
pub fn is_symbol(word: &str) -> bool {
    SYMBOLS.has(word)
}

/// Whether two units may be one: `m` stands for metres and for minutes.
pub fn is_one_unit(a: &str, b: &str) -> bool {
    let either = (a == "m" || b == "m") && METRES_OR_MINUTES.has(a) && METRES_OR_MINUTES.has(b);
    a == b || either || unit(a).zip(unit(b)).is_some_and(|(a, b)| a == b)
}

/// Their names, without what is too short to be told from another word.
pub fn units() -> impl Iterator<Item = &'static str> {
    let units = UNITS.keys().copied().chain(COUNTED.all());
    units.filter(|name| name.len() > 1)
}
