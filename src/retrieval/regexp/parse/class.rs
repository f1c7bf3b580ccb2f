//! Character classes in brackets: `CharacterClass` (§22.2.1) with Annex B.1.2.

use super::super::tree::{Class, Node};
use super::super::units::UnitSet;
use super::{Parser, Result};

/// A member of a class.
enum Member {
    Unit(u16),
    Set(UnitSet),
}

impl Parser {
    pub(super) fn class(&mut self) -> Result<Node> {
        let start = self.at;
        self.at += 1;
        let mut class = Class {
            inverted: self.eat("^"),
            ..Class::default()
        };
        loop {
            match self.peek() {
                None => return Err(Self::error_at(start, "`[` without its `]`")),
                Some(b']') => break,
                Some(_) => self.class_range(&mut class)?,
            }
        }
        self.at += 1;
        self.test(class).map(Node::unit)
    }

    /// One member, or two with a `-` between them.
    fn class_range(&mut self, class: &mut Class) -> Result<()> {
        let start = self.at;
        let low = self.member()?;
        let ranges = self.peek() == Some(b'-') && self.peek_at(1).is_some_and(|byte| byte != b']');
        if !ranges {
            add(class, &low);
            return Ok(());
        }
        self.at += 1;
        let high = self.member()?;
        if let (Member::Unit(low), Member::Unit(high)) = (&low, &high) {
            if low > high {
                return Err(Self::error_at(start, "the range is out of order"));
            }
            class.letters.push((*low, *high));
            return Ok(());
        }
        // `[\w-z]` is no range: the `-` stands for itself (Annex B.1.2.7).
        add(class, &low);
        add(class, &Member::Unit(u16::from(b'-')));
        add(class, &high);
        Ok(())
    }

    fn member(&mut self) -> Result<Member> {
        let unit = self.units.get(self.at).copied().unwrap_or_default();
        if self.peek() != Some(b'\\') {
            self.at += 1;
            return Ok(Member::Unit(unit));
        }
        let Some(letter) = self.peek_at(1) else {
            return Err(self.error("`\\` at the end"));
        };
        if let Some(set) = UnitSet::escape(letter) {
            self.at += 2;
            return Ok(Member::Set(set));
        }
        match letter {
            b'b' => {
                self.at += 2;
                Ok(Member::Unit(0x08))
            }
            b'c' => Ok(Member::Unit(self.control(true))),
            b'0'..=b'7' => {
                self.at += 1;
                Ok(Member::Unit(self.octal()))
            }
            _ => self.character_escape().map(Member::Unit),
        }
    }
}

fn add(class: &mut Class, member: &Member) {
    match member {
        Member::Unit(unit) => class.letters.push((*unit, *unit)),
        Member::Set(set) => class.escapes.extend(set.ranges()),
    }
}
