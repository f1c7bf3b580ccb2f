//! Reads escapes, classes in brackets and names of groups: `AtomEscape`, `CharacterEscape`,
//! `CharacterClass` and `RegExpIdentifierName` (§22.2.1) with Annex B.1.2.

use std::sync::LazyLock;

use super::parse::{Edge, Node, Parser, Result, error_at};
use super::units::UnitSet;

/// The name of a group: `ID_Start` and `ID_Continue` of Unicode, and what JavaScript adds to them.
static NAME: LazyLock<Option<regex::Regex>> = LazyLock::new(|| {
    regex::Regex::new(r"^[$_\p{ID_Start}][$\u{200C}\u{200D}\p{ID_Continue}]*$").ok()
});

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
            return Ok(self.letters(set, false));
        }
        match letter {
            b'b' => return Ok(self.edge(Edge::Boundary, 2)),
            b'B' => return Ok(self.edge(Edge::NoBoundary, 2)),
            b'1'..=b'9' => {
                self.at += 1;
                // A group's number, where the pattern has that many (Annex B, `AtomEscape`).
                let number = self.number().filter(|number| *number <= self.total_groups);
                if let Some(number) = number {
                    self.refers = true;
                    return Ok(Node::Reference(number));
                }
                self.at = start;
            }
            b'k' if !self.names.is_empty() => {
                self.at += 2;
                if !self.eat("<") {
                    return Err(error_at(start, "`\\k` without a group's name"));
                }
                let name = self.group_name(start)?;
                let group = self.names.iter().find(|(known, _)| *known == name);
                let (_, number) = group.ok_or_else(|| error_at(start, "no group has this name"))?;
                self.refers = true;
                return Ok(Node::Reference(*number));
            }
            _ => {}
        }
        let unit = self.character_escape(false)?;
        Ok(self.literal(unit))
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

    /// `\cA`; without its letter (Annex B, `ClassControlLetter`) the `\` stands for itself.
    fn control(&mut self, in_class: bool) -> u16 {
        let letter = self.peek_at(2).filter(|byte| {
            byte.is_ascii_alphabetic() || (in_class && (byte.is_ascii_digit() || *byte == b'_'))
        });
        self.at += if letter.is_some() { 3 } else { 1 };
        letter.map_or(u16::from(b'\\'), |letter| u16::from(letter & 0x1F))
    }

    fn character_escape(&mut self, in_class: bool) -> Result<u16> {
        let start = self.at;
        let letter = self.peek_at(1).unwrap_or_default();
        if letter == b'c' {
            return Ok(self.control(in_class));
        }
        self.at += 1;
        if matches!(letter, b'0'..=b'7') {
            return Ok(self.octal());
        }
        let unit = self.next();
        Ok(match letter {
            b'b' if in_class => 0x08,
            b'f' => 0x0C,
            b'n' => 0x0A,
            b'r' => 0x0D,
            b't' => 0x09,
            b'v' => 0x0B,
            b'x' => self.hex(2).unwrap_or(unit),
            b'u' => self.hex(4).unwrap_or(unit),
            b'k' if !self.names.is_empty() => {
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
        Ok(self.letters(UnitSet::from_ranges(ranges), is_inverted))
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
        self.character_escape(true).map(Err)
    }

    /// The name after a `<`, and the `>` that ends it.
    pub(super) fn group_name(&mut self, start: usize) -> Result<String> {
        let mut units = Vec::new();
        while !self.eat(">") {
            let is_read = self.peek().and_then(|_| self.name_letter(&mut units));
            is_read.ok_or_else(|| error_at(start, "invalid name of a group"))?;
        }
        let name = String::from_utf16(&units).unwrap_or_default();
        let is_name = NAME.as_ref().is_some_and(|valid| valid.is_match(&name));
        match is_name {
            true => Ok(name),
            false => Err(error_at(start, "invalid name of a group")),
        }
    }

    /// A unit of a name, or an escape.
    fn name_letter(&mut self, units: &mut Vec<u16>) -> Option<()> {
        if self.eat("\\u{") {
            let mut value = 0_u32;
            while let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) {
                value = value.checked_mul(16)?.checked_add(digit)?;
                self.at += 1;
            }
            let letter = char::from_u32(value).filter(|_| self.eat("}"))?;
            units.extend_from_slice(letter.encode_utf16(&mut [0; 2]));
        } else if self.eat("\\u") {
            units.push(self.hex(4)?);
        } else {
            units.push(self.next());
        }
        Some(())
    }
}
