//! The look of a secret value: long, mixed and no word that stands where a secret would.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Pattern;

/// The conditions on a value beside its pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shape {
    /// Any value that is no placeholder: the pattern of the row is specific enough.
    Form,
    /// Letters with digits or signs, and no word, variable or call.
    Password,
    /// The same with digits, and with signs or mixed characters.
    Strong,
    /// The same as a password, of 12 characters or more, with two digits or jumbled.
    Random,
    /// The same, mixed as no name is, and no hash and no id.
    Key,
}

/// Patterns by name: of values that are no secrets, and of words around a secret.
#[derive(Default, Deserialize)]
#[serde(transparent)]
pub(in super::super) struct Words(pub(super) BTreeMap<String, Pattern>);

const RANDOM: usize = 12;
const SIGNS: &str = "!@#$%^&*?+";

impl Words {
    /// True if the pattern of this name matches in a text.
    pub fn is(&self, name: &str, text: &str) -> bool {
        self.0.get(name).is_some_and(|one| one.is_in(text))
    }

    /// True if a value with this text behind it is of a shape.
    pub(super) fn is_value(&self, shape: Shape, value: &str, after: &str) -> bool {
        let mut lower = value.to_lowercase();
        if value.contains('\n') {
            // Quotation marks at the beginning of its lines.
            lower.retain(|c| c != '>');
        }
        if self.is("placeholder", &lower) {
            return false;
        }
        let has = |is: fn(char) -> bool| value.contains(is);
        let is_mixed = || has(|c| c.is_ascii_digit() || SIGNS.contains(c)) || is_jumbled(value);
        let password = || has(char::is_alphabetic) && is_mixed() && !self.is("no_password", &lower);
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        let is_long = value.len() >= RANDOM;
        let is_random = || !is_name(value) && (digits >= 2 || is_jumbled(value));
        let random = || password() && is_long && is_random();
        match shape {
            Shape::Form => true,
            Shape::Password => password(),
            Shape::Strong => digits > 0 && password() && is_strong(value, after),
            Shape::Random => random(),
            Shape::Key => random() && is_keylike(value) && !self.is("no_key", value),
        }
    }
}

/// A value without the brackets and the stop that close what it stands in: `{{password: …}}.`
pub(super) fn trimmed(shape: Shape, value: &str) -> &str {
    const BRACKETS: [(char, char); 3] = [('{', '}'), ('(', ')'), ('[', ']')];
    let mut own = value;
    while shape != Shape::Form
        && let Some(rest) = BRACKETS.iter().find_map(|(open, close)| {
            let rest = own.strip_suffix(*close)?;
            (!rest.contains(*open)).then_some(rest)
        })
    {
        own = rest;
    }
    own.trim_end_matches('.')
}

/// True if a value has a sign in it, or is mixed; a sign at its end may belong to the sentence.
fn is_strong(value: &str, after: &str) -> bool {
    let goes_on = after.strip_prefix(' ').unwrap_or_default();
    let inside = match goes_on.starts_with(char::is_lowercase) {
        true => value,
        false => value.trim_end_matches(['.', '?', '!', '*', ')']),
    };
    inside.contains(|c| SIGNS.contains(c) && !"@+".contains(c)) || is_mixed(inside)
}

/// True if capitals, small letters and digits are mixed as in no name.
fn is_mixed(value: &str) -> bool {
    let class = |byte: u8| match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let classes: Vec<u8> = value.bytes().map(class).collect();
    let turns = classes.windows(2).filter(|two| two.first() != two.last());
    let has = |class: u8| classes.iter().filter(|one| **one == class).count() >= 2;
    classes.len() >= 10 && turns.count() * 2 >= classes.len() && (0..3).all(has)
}

/// True if capitals and small letters change as in no name: `xXX` or `XxX`, several times.
fn is_jumbled(value: &str) -> bool {
    const LONG: usize = 20;
    let is_odd = |three: &[u8]| match three {
        [a, b, c] => {
            let capitals = [a, b, c].map(u8::is_ascii_uppercase);
            let small = [a, b, c].map(u8::is_ascii_lowercase);
            small[0] && capitals[1] && capitals[2] || capitals[0] && small[1] && capitals[2]
        }
        _ => false,
    };
    value.len() >= LONG
        && value
            .as_bytes()
            .windows(3)
            .filter(|three| is_odd(three))
            .count()
            >= 3
}

/// True if a value is joined words, such as `rotateKeysV2Job`.
fn is_name(value: &str) -> bool {
    let words = value.split(|c: char| !c.is_ascii_lowercase()).map(str::len);
    let letters: usize = words.filter(|length| *length >= 3).sum();
    value.contains(|c: char| c.is_ascii_uppercase()) && letters * 20 >= value.len() * 11
}

/// True if a value is no name of joined words.
fn is_keylike(value: &str) -> bool {
    let two_capitals = |two: &[u8]| two.iter().all(u8::is_ascii_uppercase);
    let numbers = value.split(|c: char| !c.is_ascii_digit());
    let numbers = numbers.filter(|digits| !digits.is_empty()).count();
    // A name of joined words has few numbers.
    let joined = numbers < 4
        && value.contains(|c: char| c.is_ascii_uppercase())
        && !value.as_bytes().windows(2).any(two_capitals);
    !joined && (numbers >= 3 || is_mixed(value) || is_jumbled(value))
}

/// Shannon's entropy of a value, in bits for each byte; scaled to a full alphabet for one of
/// hexadecimal digits alone, which can have four at most.
pub(super) fn entropy(value: &str) -> f64 {
    const HEX: f64 = 1.2;
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let all = value.len().max(1) as f64;
    let used = counts.iter().filter(|count| **count > 0);
    let parts = used.map(|count| f64::from(*count) / all);
    let bits: f64 = parts.map(|part| -part * part.log2()).sum();
    let hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    if hex { bits * HEX } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_in_bits() {
        assert!((entropy("xxxx") - 0.0).abs() < 1e-9);
        assert!((entropy("wxyz") - 2.0).abs() < 1e-9);
        assert!((entropy("abcd") - 2.4).abs() < 1e-9);
    }
}
