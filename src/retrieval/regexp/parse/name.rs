//! The names of groups: `RegExpIdentifierName` (§22.2.1).

use std::sync::LazyLock;

use super::{Parser, Result};

/// `ID_Start` and `ID_Continue` of Unicode, which the `regex` crate has tables for.
static ID_START: LazyLock<Option<regex::Regex>> =
    LazyLock::new(|| regex::Regex::new(r"^\p{ID_Start}$").ok());
static ID_CONTINUE: LazyLock<Option<regex::Regex>> =
    LazyLock::new(|| regex::Regex::new(r"^\p{ID_Continue}$").ok());

impl Parser {
    /// The name after a `<`, and the `>` that ends it.
    pub(super) fn group_name(&mut self, start: usize) -> Result<String> {
        let mut name = String::new();
        while !self.eat(">") {
            match self.name_letter() {
                Some(letter) if is_allowed(letter, name.is_empty()) => name.push(letter),
                _ => return Err(Self::error_at(start, "invalid name of a group")),
            }
        }
        if name.is_empty() {
            return Err(Self::error_at(start, "invalid name of a group"));
        }
        Ok(name)
    }

    /// A character of a name: a unit, a surrogate pair, or an escape of either.
    fn name_letter(&mut self) -> Option<char> {
        if self.eat("\\u{") {
            let mut value = 0u32;
            while let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) {
                value = value.checked_mul(16)?.checked_add(digit)?;
                self.at += 1;
            }
            return char::from_u32(value).filter(|_| self.eat("}"));
        }
        let escaped = self.eat("\\u");
        let high = self.name_unit(escaped)?;
        if !(0xD800..0xDC00).contains(&high) || (escaped && !self.eat("\\u")) {
            return char::from_u32(u32::from(high));
        }
        let low = self.name_unit(escaped)?;
        char::decode_utf16([high, low]).next()?.ok()
    }

    fn name_unit(&mut self, escaped: bool) -> Option<u16> {
        if escaped {
            return self.hex(4);
        }
        let unit = self.units.get(self.at).copied()?;
        self.at += 1;
        Some(unit)
    }
}

fn is_allowed(letter: char, first: bool) -> bool {
    if letter.is_ascii() {
        return matches!(letter, '$' | '_')
            || letter.is_ascii_alphabetic()
            || (!first && letter.is_ascii_digit());
    }
    let table = if first { &ID_START } else { &ID_CONTINUE };
    let joiner = !first && matches!(letter, '\u{200C}' | '\u{200D}');
    let mut buffer = [0; 4];
    joiner
        || table
            .as_ref()
            .is_some_and(|table| table.is_match(letter.encode_utf8(&mut buffer)))
}
