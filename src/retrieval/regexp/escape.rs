//! Reads escapes, classes in brackets and names of groups: `AtomEscape`, `CharacterEscape`,
//! `CharacterClass` and `RegExpIdentifierName` (§22.2.1) with Annex B.1.2.

use std::sync::LazyLock;

use super::parse::{Parser, Reference, Result, error_at};
use super::tree::{Edge, Node};
use super::units::UnitSet;

/// `ID_Start` and `ID_Continue` of Unicode, which the `regex` crate has tables for.
static ID_START: LazyLock<Option<regex::Regex>> =
    LazyLock::new(|| regex::Regex::new(r"^\p{ID_Start}$").ok());
static ID_CONTINUE: LazyLock<Option<regex::Regex>> =
    LazyLock::new(|| regex::Regex::new(r"^\p{ID_Continue}$").ok());

/// A member of a class: the ranges of `\d` and the like, or a unit.
type Member = std::result::Result<UnitSet, u16>;

impl Parser {
    pub(super) fn escape(&mut self) -> Result<Node> {
        let start = self.at;
        let Some(letter) = self.peek_at(1) else {
            return Err(error_at(start, "`\\` at the end"));
        };
        if let Some(set) = UnitSet::escape(letter) {
            self.at += 2;
            return self.set(set);
        }
        let unit = match letter {
            b'b' => return Ok(self.edge(Edge::Boundary, 2)),
            b'B' => return Ok(self.edge(Edge::NoBoundary, 2)),
            b'1'..=b'9' => {
                self.at += 1;
                // A group's number, where the pattern has that many (Annex B, `AtomEscape`).
                let number = self.number().filter(|number| *number <= self.total_groups);
                if let Some(number) = number {
                    return Ok(self.reference(Reference::Number(number)));
                }
                self.at = start + 1;
                match letter {
                    b'8'.. => self.next(),
                    _ => self.octal(),
                }
            }
            b'0' => {
                self.at += 1;
                self.octal()
            }
            b'k' if self.has_names => {
                self.at += 2;
                if !self.eat("<") {
                    return Err(error_at(start, "`\\k` without a group's name"));
                }
                let name = self.group_name(start)?;
                return Ok(self.reference(Reference::Name(name, start)));
            }
            b'c' => self.control(false),
            _ => self.character_escape()?,
        };
        self.literal(unit)
    }

    fn reference(&mut self, reference: Reference) -> Node {
        self.references.push(reference);
        Node::Reference(self.references.len() - 1)
    }

    /// `LegacyOctalEscapeSequence` (Annex B): up to `\377`, of which the first digit is next.
    fn octal(&mut self) -> u16 {
        let mut value = 0;
        for _ in 0..3 {
            let Some(digit @ b'0'..=b'7') = self.peek() else {
                break;
            };
            let longer = value * 8 + u16::from(digit - b'0');
            if longer > 0o377 {
                break;
            }
            value = longer;
            self.at += 1;
        }
        value
    }

    /// `\cA`; without its letter the `\` stands for itself, and the `c` is read again.
    ///
    /// In a class a digit or `_` will do as well (Annex B, `ClassControlLetter`).
    fn control(&mut self, in_class: bool) -> u16 {
        let letter = self.peek_at(2).filter(|byte| {
            byte.is_ascii_alphabetic() || (in_class && (byte.is_ascii_digit() || *byte == b'_'))
        });
        self.at += if letter.is_some() { 3 } else { 1 };
        letter.map_or(u16::from(b'\\'), |letter| u16::from(letter & 0x1F))
    }

    /// The escapes that mean the same inside and outside of a class.
    fn character_escape(&mut self) -> Result<u16> {
        let start = self.at;
        let letter = self.peek_at(1).unwrap_or_default();
        self.at += 1;
        let unit = self.next();
        Ok(match letter {
            b'f' => 0x0C,
            b'n' => 0x0A,
            b'r' => 0x0D,
            b't' => 0x09,
            b'v' => 0x0B,
            b'x' => self.hex(2).unwrap_or(unit),
            b'u' => self.hex(4).unwrap_or(unit),
            b'k' if self.has_names => {
                return Err(error_at(start, "`\\k` without a group's name"));
            }
            _ => unit,
        })
    }

    /// Exactly so many hexadecimal digits, or nothing.
    fn hex(&mut self, digits: usize) -> Option<u16> {
        let mut value = 0_u16;
        for ahead in 0..digits {
            let digit = char::from(self.peek_at(ahead)?).to_digit(16)?;
            value = value << 4 | u16::try_from(digit).ok()?;
        }
        self.at += digits;
        Some(value)
    }

    /// A class in brackets.
    pub(super) fn class(&mut self) -> Result<Node> {
        let start = self.at;
        self.at += 1;
        let is_inverted = self.eat("^");
        let mut ranges = Vec::new();
        while !self.eat("]") {
            if self.peek().is_none() {
                return Err(error_at(start, "`[` without its `]`"));
            }
            self.class_range(&mut ranges)?;
        }
        self.letters(UnitSet::from_ranges(ranges), is_inverted)
    }

    /// One member, or two with a `-` between them.
    fn class_range(&mut self, ranges: &mut Vec<(u16, u16)>) -> Result<()> {
        let start = self.at;
        let mut add = |member: &Member| match member {
            Ok(set) => ranges.extend(set.ranges()),
            Err(unit) => ranges.push((*unit, *unit)),
        };
        let low = self.member()?;
        let ends = self.peek_at(1).is_none_or(|byte| byte == b']');
        if ends || !self.eat("-") {
            add(&low);
            return Ok(());
        }
        match (low, self.member()?) {
            (Err(low), Err(high)) if low > high => {
                return Err(error_at(start, "the range is out of order"));
            }
            (Err(low), Err(high)) => ranges.push((low, high)),
            // `[\w-z]` is no range: the `-` stands for itself (Annex B.1.2.7).
            (low, high) => [low, Err(u16::from(b'-')), high].iter().for_each(add),
        }
        Ok(())
    }

    fn member(&mut self) -> Result<Member> {
        if self.peek() != Some(b'\\') {
            return Ok(Err(self.next()));
        }
        let Some(letter) = self.peek_at(1) else {
            return Err(error_at(self.at, "`\\` at the end"));
        };
        if let Some(set) = UnitSet::escape(letter) {
            self.at += 2;
            return Ok(Ok(set));
        }
        let unit = match letter {
            b'b' => {
                self.at += 2;
                0x08
            }
            b'c' => self.control(true),
            b'0'..=b'7' => {
                self.at += 1;
                self.octal()
            }
            _ => self.character_escape()?,
        };
        Ok(Err(unit))
    }

    /// The name after a `<`, and the `>` that ends it.
    pub(super) fn group_name(&mut self, start: usize) -> Result<String> {
        let mut name = String::new();
        while name.is_empty() || !self.eat(">") {
            match self.name_letter() {
                Some(letter) if is_allowed(letter, name.is_empty()) => name.push(letter),
                _ => return Err(error_at(start, "invalid name of a group")),
            }
        }
        Ok(name)
    }

    /// A character of a name: a unit, a surrogate pair, or an escape of either.
    fn name_letter(&mut self) -> Option<char> {
        if self.eat("\\u{") {
            let mut value = 0_u32;
            while let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) {
                value = value.checked_mul(16)?.checked_add(digit)?;
                self.at += 1;
            }
            return char::from_u32(value).filter(|_| self.eat("}"));
        }
        let is_escaped = self.eat("\\u");
        let high = self.name_unit(is_escaped)?;
        if !(0xD800..0xDC00).contains(&high) || (is_escaped && !self.eat("\\u")) {
            return char::from_u32(u32::from(high));
        }
        let low = self.name_unit(is_escaped)?;
        char::decode_utf16([high, low]).next()?.ok()
    }

    fn name_unit(&mut self, is_escaped: bool) -> Option<u16> {
        match is_escaped {
            true => self.hex(4),
            false => self.peek().map(|_| self.next()),
        }
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
