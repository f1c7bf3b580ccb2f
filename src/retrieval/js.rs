//! The parts of JavaScript's strings that the rawko code relies on, where they differ from
//! Rust's (ECMA-262, "String.prototype.trim" and following).

use crate::memory::Value;

/// White space and line ends as ECMAScript has them: U+FEFF is one, U+0085 is not.
pub const fn is_space(c: char) -> bool {
    match c {
        '\u{FEFF}' => true,
        '\u{85}' => false,
        c => c.is_whitespace(),
    }
}

/// `text.trim()`.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `text.split(/\s+/)`: an empty text, and blanks at either end, give an empty word.
pub fn words(text: &str) -> Vec<&str> {
    let all: Vec<&str> = text.split(is_space).collect();
    let last = all.len() - 1;
    let words = all.into_iter().enumerate();
    let words = words.filter(|(at, word)| !word.is_empty() || *at == 0 || *at == last);
    words.map(|(_, word)| word).collect()
}

/// `text.length`.
pub fn len(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// `text.substring(0, units)`, and whether anything was cut off. Half a surrogate pair becomes
/// U+FFFD, as it does when such a string is written out.
pub fn head(text: &str, units: usize) -> (String, bool) {
    let mut left = units;
    for (at, c) in text.char_indices() {
        if left < c.len_utf16() {
            let head = text.get(..at).unwrap_or_default();
            let half = if left > 0 { "\u{FFFD}" } else { "" };
            return (format!("{head}{half}"), true);
        }
        left -= c.len_utf16();
    }
    (text.to_owned(), false)
}

/// What `${value}` puts into a text.
pub fn string(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        #[expect(
            clippy::cast_precision_loss,
            reason = "every number of JavaScript is a float"
        )]
        Value::Int(whole) => number(*whole as f64),
        Value::Float(float) => number(*float),
        Value::List(items) => {
            let item = |item: &Value| match item {
                Value::Null => String::new(),
                item => string(item),
            };
            items.iter().map(item).collect::<Vec<_>>().join(",")
        }
        Value::Map(_) => "[object Object]".to_owned(),
        other => other.to_string(),
    }
}

/// `String(number)` (ECMA-262, "Number::toString"): the shortest digits that mean this number,
/// with an exponent beyond 21 digits and below a millionth.
fn number(number: f64) -> String {
    let size = number.abs();
    match size {
        f64::INFINITY => number.to_string().replace("inf", "Infinity"),
        _ if size == 0.0 => "0".to_owned(),
        _ if size.is_nan() || (1e-6..1e21).contains(&size) => number.to_string(),
        _ if size > 1.0 => format!("{number:e}").replace('e', "e+"),
        _ => format!("{number:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_javascript_does() {
        for (text, expected) in [
            ("", vec![""]),
            ("a b", vec!["a", "b"]),
            (" a  b ", vec!["", "a", "b", ""]),
            ("a\u{FEFF}b\u{85}c", vec!["a", "b\u{85}c"]),
            ("\n", vec!["", ""]),
        ] {
            assert_eq!(words(text), expected, "{text:?}");
        }
    }

    #[test]
    fn numbers_are_written_as_javascript_does() {
        for (value, expected) in [
            (Value::Int(-7), "-7"),
            (Value::Int(9_007_199_254_740_993), "9007199254740992"),
            (Value::Float(-0.0), "0"),
            (Value::Float(1.5), "1.5"),
            (Value::Float(1e21), "1e+21"),
            (Value::Float(1.25e23), "1.25e+23"),
            (Value::Float(1e20), "100000000000000000000"),
            (Value::Float(1e-6), "0.000001"),
            (Value::Float(-1.5e-7), "-1.5e-7"),
            (Value::Float(f64::NEG_INFINITY), "-Infinity"),
        ] {
            assert_eq!(string(&value), expected, "{value:?}");
        }
        let list = [
            Value::Int(1),
            Value::Null,
            Value::List([Value::Null].into()),
        ];
        assert_eq!(string(&Value::List(list.into())), "1,,");
    }

    #[test]
    fn a_cut_inside_a_surrogate_pair_leaves_a_replacement() {
        assert_eq!(head("ab😀c", 2), ("ab".into(), true));
        assert_eq!(head("ab😀c", 3), ("ab\u{FFFD}".into(), true));
        assert_eq!(head("ab😀c", 4), ("ab😀".into(), true));
        assert_eq!(head("ab😀c", 5), ("ab😀c".into(), false));
        assert_eq!(len("ab😀c"), 5);
    }
}
