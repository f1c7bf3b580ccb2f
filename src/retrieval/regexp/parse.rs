//! Reads a pattern: ECMA-262 §22.2.1 without the `u` flag, with the web's additions (Annex B.1.2).
//!
//! Errors are those that Node.js 20 reports: groups may not share a name, and there are no inline
//! modifiers. Recursion is as deep as the parentheses, which have a limit.

use super::tree::{Edge, Node, Pattern, Repeat, Sets, Test, UNBOUNDED};
use super::units::UnitSet;
use super::{MAX_DEPTH, RegExpError};

pub(super) type Result<T> = std::result::Result<T, RegExpError>;

/// Stands for every unit beyond ASCII where only syntax is looked at.
const OTHER: u8 = 0xFF;

#[derive(Default)]
pub(super) struct Parser {
    pub(super) units: Vec<u16>,
    pub(super) at: usize,
    ignore_case: bool,
    depth: usize,
    /// The groups in the whole pattern, counted before parsing: `\2` means what it means by it.
    pub(super) total_groups: u32,
    /// True if any group has a name, which makes `\k` more than a `k`.
    pub(super) has_names: bool,
    started_groups: u32,
    names: Vec<(String, u32)>,
    pub(super) references: Vec<Reference>,
    sets: Sets,
    looks: bool,
}

/// A back-reference; one by name may come before its group.
pub(super) enum Reference {
    Number(u32),
    Name(String, usize),
}

/// Parses a pattern.
pub(super) fn parse(source: &str, ignore_case: bool) -> Result<Pattern> {
    let units: Vec<u16> = source.encode_utf16().collect();
    let (total_groups, has_names) = count_groups(&units);
    let mut parser = Parser {
        units,
        ignore_case,
        total_groups,
        has_names,
        ..Parser::default()
    };
    let root = parser.disjunction()?;
    if parser.at < parser.units.len() {
        return Err(error_at(parser.at, "unmatched `)`"));
    }
    let group_of = |name: &str| parser.names.iter().find(|(known, _)| known == name);
    let resolve = |reference: &Reference| match reference {
        Reference::Number(number) => Ok(*number),
        Reference::Name(name, offset) => match group_of(name) {
            Some((_, number)) => Ok(*number),
            None => Err(error_at(*offset, "no group has this name")),
        },
    };
    let references: Result<Vec<u32>> = parser.references.iter().map(resolve).collect();
    Ok(Pattern {
        root,
        references: references?,
        sets: parser.sets,
        groups: parser.started_groups,
        looks: parser.looks,
    })
}

/// `CountLeftCapturingParensWithin` (§22.2.1.2), and whether any of them has a name.
fn count_groups(units: &[u16]) -> (u32, bool) {
    let mut groups = 0;
    let mut named = false;
    let mut in_class = false;
    let mut rest = units.iter().copied().map(byte_of);
    while let Some(byte) = rest.next() {
        match byte {
            b'\\' => {
                rest.next();
            }
            b'[' => in_class = true,
            b']' => in_class = false,
            b'(' if !in_class => {
                let mut ahead = rest.clone();
                let follows = (ahead.next(), ahead.next(), ahead.next());
                let name = matches!(follows, (Some(b'?'), Some(b'<'), next)
                    if next != Some(b'=') && next != Some(b'!'));
                named |= name;
                groups += u32::from(name || follows.0 != Some(b'?'));
            }
            _ => {}
        }
    }
    (groups, named)
}

fn byte_of(unit: u16) -> u8 {
    u8::try_from(unit)
        .ok()
        .filter(u8::is_ascii)
        .unwrap_or(OTHER)
}

pub(super) fn error_at(offset: usize, message: &str) -> RegExpError {
    RegExpError::Syntax {
        offset,
        message: message.to_owned(),
    }
}

impl Parser {
    pub(super) fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.units.get(self.at + ahead).copied().map(byte_of)
    }

    /// Reads a unit, which is known to be there.
    pub(super) fn next(&mut self) -> u16 {
        self.at += 1;
        self.units.get(self.at - 1).copied().unwrap_or_default()
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let mut bytes = text.bytes().enumerate();
        let found = bytes.all(|(ahead, byte)| self.peek_at(ahead) == Some(byte));
        if found {
            self.at += text.len();
        }
        found
    }

    fn disjunction(&mut self) -> Result<Node> {
        let first = self.alternative()?;
        if self.peek() != Some(b'|') {
            return Ok(first);
        }
        let mut branches = vec![first];
        while self.eat("|") {
            branches.push(self.alternative()?);
        }
        Ok(Node::Choice(branches))
    }

    fn alternative(&mut self) -> Result<Node> {
        let mut terms = Vec::new();
        while self.peek().is_some_and(|byte| byte != b'|' && byte != b')') {
            terms.push(self.term()?);
        }
        Ok(Node::Sequence(terms))
    }

    fn term(&mut self) -> Result<Node> {
        let first_group = self.started_groups + 1;
        let node = self.atom()?;
        // Assertions are not repeated, but for look-ahead (Annex B).
        if matches!(node, Node::Edge(_) | Node::Look { behind: true, .. }) {
            return Ok(node);
        }
        let Some((min, max)) = self.quantifier()? else {
            return Ok(node);
        };
        Ok(Node::repeat(Repeat {
            min,
            max,
            greedy: !self.eat("?"),
            groups: (first_group, self.started_groups + 1),
            body: Box::new(node),
        }))
    }

    fn atom(&mut self) -> Result<Node> {
        match self.peek() {
            Some(b'^') => Ok(self.edge(Edge::Start, 1)),
            Some(b'$') => Ok(self.edge(Edge::End, 1)),
            Some(b'(') => self.parenthesis(),
            Some(b'[') => self.class(),
            Some(b'.') => {
                self.at += 1;
                self.set(UnitSet::dot())
            }
            Some(b'\\') => self.escape(),
            Some(b'*' | b'+' | b'?') => Err(error_at(self.at, "nothing to repeat")),
            // `{` is itself where it does not start a quantifier (Annex B, `ExtendedAtom`).
            Some(b'{') if self.braces()?.is_some() => Err(error_at(self.at, "nothing to repeat")),
            _ => {
                let unit = self.next();
                self.literal(unit)
            }
        }
    }

    pub(super) fn edge(&mut self, edge: Edge, length: usize) -> Node {
        self.at += length;
        Node::Edge(edge)
    }

    /// A single unit, as written or escaped.
    pub(super) fn literal(&mut self, unit: u16) -> Result<Node> {
        let byte = byte_of(unit);
        let (upper, lower) = (byte.to_ascii_uppercase(), byte.to_ascii_lowercase());
        match byte {
            _ if !self.ignore_case => Ok(Node::Unit(Test::One(unit))),
            OTHER => self.letters(UnitSet::from_ranges(vec![(unit, unit)]), false),
            // Nothing beyond ASCII folds into it.
            _ if upper == lower => Ok(Node::Unit(Test::One(unit))),
            _ => Ok(Node::Unit(Test::Two(upper.into(), lower.into()))),
        }
    }

    /// A class of characters, folded first where case is ignored, and only then inverted
    /// (`CharacterSetMatcher`, §22.2.2.7.1).
    pub(super) fn letters(&mut self, mut set: UnitSet, is_inverted: bool) -> Result<Node> {
        if self.ignore_case {
            set = set.case_closed();
        }
        self.set(if is_inverted { set.inverted() } else { set })
    }

    pub(super) fn set(&mut self, set: UnitSet) -> Result<Node> {
        let test = self.sets.test(set);
        test.map(Node::Unit).ok_or(RegExpError::TooLarge)
    }

    fn parenthesis(&mut self) -> Result<Node> {
        let start = self.at;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(RegExpError::TooDeep);
        }
        let node = if self.eat("(?:") {
            Node::Sequence(vec![self.disjunction()?])
        } else if self.eat("(?=") {
            self.look(false, false)?
        } else if self.eat("(?!") {
            self.look(false, true)?
        } else if self.eat("(?<=") {
            self.look(true, false)?
        } else if self.eat("(?<!") {
            self.look(true, true)?
        } else {
            self.capture(start)?
        };
        if !self.eat(")") {
            return Err(error_at(start, "`(` without its `)`"));
        }
        self.depth -= 1;
        Ok(node)
    }

    fn look(&mut self, behind: bool, negative: bool) -> Result<Node> {
        self.looks = true;
        Ok(Node::Look {
            behind,
            negative,
            body: Box::new(self.disjunction()?),
        })
    }

    fn capture(&mut self, start: usize) -> Result<Node> {
        self.started_groups += 1;
        let number = self.started_groups;
        if self.eat("(?<") {
            let name = self.group_name(start)?;
            if self.names.iter().any(|(known, _)| *known == name) {
                return Err(error_at(start, "two groups have the same name"));
            }
            self.names.push((name, number));
        } else if self.eat("(?") {
            return Err(error_at(start, "unknown kind of group"));
        } else {
            self.at += 1;
        }
        Ok(Node::Group(number, Box::new(self.disjunction()?)))
    }

    fn quantifier(&mut self) -> Result<Option<(u32, u32)>> {
        let counts = match self.peek() {
            Some(b'*') => (0, UNBOUNDED),
            Some(b'+') => (1, UNBOUNDED),
            Some(b'?') => (0, 1),
            Some(b'{') => return self.braces(),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(counts))
    }

    /// `{2}`, `{2,}` or `{2,3}`; nothing is read where the text is none of them.
    fn braces(&mut self) -> Result<Option<(u32, u32)>> {
        let start = self.at;
        let counts = self.counts();
        match counts {
            None => self.at = start,
            Some((min, max)) if max < min => {
                let message = "the numbers in `{}` are out of order";
                return Err(error_at(start, message));
            }
            Some(_) => {}
        }
        Ok(counts)
    }

    fn counts(&mut self) -> Option<(u32, u32)> {
        self.at += 1;
        let min = self.number()?;
        let max = match self.eat(",") {
            false => min,
            true if self.peek() == Some(b'}') => UNBOUNDED,
            true => self.number()?,
        };
        self.eat("}").then_some((min, max))
    }

    /// A decimal number; a huge one is as good as no bound.
    pub(super) fn number(&mut self) -> Option<u32> {
        let start = self.at;
        let mut value = 0_u32;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            let digit = u32::from(digit - b'0');
            value = value.saturating_mul(10).saturating_add(digit);
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }
}
