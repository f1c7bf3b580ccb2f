//! Parses the text after a `\`: `AtomEscape` and `CharacterEscape` (§22.2.1) with Annex B.1.2.

use super::super::tree::{Edge, Node};
use super::super::units::UnitSet;
use super::{Atom, Parser, Reference, Result};

impl Parser {
    pub(super) fn escape(&mut self) -> Result<Atom> {
        let Some(letter) = self.peek_at(1) else {
            return Err(self.error("`\\` at the end"));
        };
        match letter {
            b'b' => return Ok(self.edge(Edge::Boundary, 2)),
            b'B' => return Ok(self.edge(Edge::NoBoundary, 2)),
            _ => {}
        }
        if let Some(set) = UnitSet::escape(letter) {
            self.at += 2;
            let test = self.closed_test(&set)?;
            return Ok(Atom::Repeatable(Node::unit(test)));
        }
        let unit = match letter {
            b'1'..=b'9' => {
                if let Some(number) = self.group_number() {
                    return Ok(self.reference(Reference::Number(number)));
                }
                self.at += 1;
                if letter >= b'8' {
                    self.at += 1;
                    u16::from(letter)
                } else {
                    self.octal()
                }
            }
            b'0' => {
                self.at += 1;
                self.octal()
            }
            b'k' if self.has_names => {
                let start = self.at;
                self.at += 2;
                if !self.eat("<") {
                    return Err(Self::error_at(start, "`\\k` without a group's name"));
                }
                let name = self.group_name(start)?;
                return Ok(self.reference(Reference::Name(name, start)));
            }
            b'c' => self.control(false),
            _ => self.character_escape()?,
        };
        self.literal(unit).map(Atom::Repeatable)
    }

    fn reference(&mut self, reference: Reference) -> Atom {
        self.references.push(reference);
        Atom::Repeatable(Node::reference(self.references.len() - 1))
    }

    /// The number after the `\`, where the pattern has that many groups (Annex B, `AtomEscape`).
    fn group_number(&mut self) -> Option<u32> {
        let start = self.at;
        self.at += 1;
        let number = self.number().filter(|number| *number <= self.total_groups);
        if number.is_none() {
            self.at = start;
        }
        number
    }

    /// `LegacyOctalEscapeSequence` (Annex B): up to `\377`, of which the first digit is next.
    pub(super) fn octal(&mut self) -> u16 {
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
    pub(super) fn control(&mut self, in_class: bool) -> u16 {
        let letter = self.peek_at(2).filter(|byte| {
            byte.is_ascii_alphabetic() || (in_class && (byte.is_ascii_digit() || *byte == b'_'))
        });
        match letter {
            Some(letter) => {
                self.at += 3;
                u16::from(letter & 0x1F)
            }
            None => {
                self.at += 1;
                u16::from(b'\\')
            }
        }
    }

    /// The escapes that mean the same inside and outside of a class.
    pub(super) fn character_escape(&mut self) -> Result<u16> {
        let start = self.at;
        let unit = self.units.get(self.at + 1).copied().unwrap_or_default();
        let letter = self.peek_at(1).unwrap_or_default();
        self.at += 2;
        Ok(match letter {
            b'f' => 0x0C,
            b'n' => 0x0A,
            b'r' => 0x0D,
            b't' => 0x09,
            b'v' => 0x0B,
            b'x' => self.hex(2).unwrap_or(unit),
            b'u' => self.hex(4).unwrap_or(unit),
            b'k' if self.has_names => {
                return Err(Self::error_at(start, "`\\k` without a group's name"));
            }
            _ => unit,
        })
    }

    /// Exactly so many hexadecimal digits, or nothing.
    pub(super) fn hex(&mut self, digits: usize) -> Option<u16> {
        let mut value = 0u16;
        for ahead in 0..digits {
            let digit = char::from(self.peek_at(ahead)?).to_digit(16)?;
            value = value << 4 | u16::try_from(digit).ok()?;
        }
        self.at += digits;
        Some(value)
    }
}
