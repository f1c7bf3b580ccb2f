//! Meaning of scalars without quotes in the core schema of npm's `yaml`: `07` is a number, `0b1` is
//! text. The reader of record has other rules for both.

use std::collections::HashMap;

use super::spans::{self, Kind, Node};
use crate::memory::{Fields, Value};

/// The fields with the numbers of the core schema in the place of those of another reader.
pub(super) fn resolved(text: &str, fields: Fields) -> Fields {
    let differs = |node: &Node, value: &Value| {
        let plain = text.get(node.range.clone())?;
        let is_plain = matches!(node.kind, Kind::Plain) && !plain.contains('\n');
        let was_number = matches!(value, Value::Int(_) | Value::Float(_));
        match number(plain).filter(|_| is_plain) {
            Some(number) if value.as_str() == Some(plain) => Some(number),
            None if is_plain && was_number => Some(plain.into()),
            _ => None,
        }
    };
    let is_number = |value: &Value| match value {
        Value::Int(_) | Value::Float(_) => true,
        value => value.as_str().is_some_and(|text| number(text).is_some()),
    };
    let has_number = fields.iter().any(|(_, value)| value.items().any(is_number));
    let entries = has_number.then(|| spans::entries(text)).flatten();
    let Some(entries) = entries else {
        return fields;
    };
    let nodes = entries
        .iter()
        .map(|entry| (entry.key.as_str(), &entry.node));
    let nodes: HashMap<&str, &Node> = nodes.collect();
    let resolve = |(name, value): (&str, &Value)| {
        let new = nodes.get(name).and_then(|node| match (&node.kind, value) {
            (Kind::Flow(nodes) | Kind::Lines(nodes), Value::List(items)) => {
                let pairs = nodes.iter().zip(items);
                let new = |(item, value): (&spans::Item, &Value)| {
                    differs(&item.node, value).unwrap_or_else(|| value.clone())
                };
                (nodes.len() == items.len()).then(|| pairs.map(new).collect())
            }
            (_, value) => differs(node, value),
        });
        (name.to_owned(), new.unwrap_or_else(|| value.clone()))
    };
    fields.iter().map(resolve).collect()
}

/// The number that a scalar without quotes is; none where it is something else.
fn number(text: &str) -> Option<Value> {
    let (sign, digits) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.get(..1)?, rest),
        None => ("", text),
    };
    let whole = |digits: &str, radix: u32| {
        let is_digit = |c: char| c.is_digit(radix);
        let is_right = !digits.is_empty() && digits.chars().all(is_digit);
        let add =
            |sum: f64, c: char| sum * f64::from(radix) + f64::from(c.to_digit(radix).unwrap_or(0));
        is_right.then(|| match i64::from_str_radix(digits, radix) {
            Ok(number) if sign == "-" => Value::Int(-number),
            Ok(number) => Value::Int(number),
            Err(_) if radix == 10 => Value::Float(text.parse().unwrap_or_default()),
            Err(_) => Value::Float(digits.chars().fold(0.0, add)),
        })
    };
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return whole(digits, radix);
        }
    }
    match digits {
        ".inf" | ".Inf" | ".INF" if sign == "-" => return Some(f64::NEG_INFINITY.into()),
        ".inf" | ".Inf" | ".INF" => return Some(f64::INFINITY.into()),
        ".nan" | ".NaN" | ".NAN" if sign.is_empty() => return Some(f64::NAN.into()),
        _ => {}
    }
    whole(digits, 10).or_else(|| {
        // Rust reads `inf` and `nan` too.
        let is_decimal =
            |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-');
        let begins = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let is_right = begins && digits.bytes().all(is_decimal);
        is_right.then(|| text.parse().ok().map(Value::Float))?
    })
}
