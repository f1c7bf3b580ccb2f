//! Reads a pattern: ECMA-262 §22.2.1 without the `u` flag, with the web's additions (Annex B.1.2).
//!
//! Errors are those that Node.js 20 reports: groups may not share a name, and there are no inline
//! modifiers. Recursion is as deep as the parentheses, which have a limit.

mod class;
mod escape;
mod name;

use super::tree::{Class, Edge, Node, Pattern, Sets, Test, UNBOUNDED};
use super::units::UnitSet;
use super::{MAX_DEPTH, RegExpError};

type Result<T> = std::result::Result<T, RegExpError>;

/// Stands for every unit beyond ASCII where only syntax is looked at.
const OTHER: u8 = 0xFF;

/// The atom before a quantifier.
enum Atom {
    /// May be repeated.
    Repeatable(Node),
    /// An assertion, which may not.
    Fixed(Node),
}

pub(super) struct Parser {
    units: Vec<u16>,
    at: usize,
    ignore_case: bool,
    depth: usize,
    /// The groups in the whole pattern, counted before parsing: `\2` means what it means by it.
    total_groups: u32,
    /// True if any group has a name, which makes `\k` more than a `k`.
    has_names: bool,
    started_groups: u32,
    names: Vec<(String, u32)>,
    references: Vec<Reference>,
    sets: Sets,
    looks: bool,
}

/// A back-reference; one by name may come before its group.
enum Reference {
    Number(u32),
    Name(String, usize),
}

/// Parses a pattern.
pub(super) fn parse(source: &str, ignore_case: bool) -> Result<Pattern> {
    let units: Vec<u16> = source.encode_utf16().collect();
    let (total_groups, has_names) = count_groups(&units);
    let mut parser = Parser {
        units,
        at: 0,
        ignore_case,
        depth: 0,
        total_groups,
        has_names,
        started_groups: 0,
        names: Vec::new(),
        references: Vec::new(),
        sets: Sets::default(),
        looks: false,
    };
    let root = parser.disjunction()?;
    if parser.at < parser.units.len() {
        return Err(parser.error("unmatched `)`"));
    }
    let references = parser.resolve_references()?;
    Ok(Pattern {
        root,
        sets: parser.sets,
        references,
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

impl Parser {
    fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.units.get(self.at + ahead).copied().map(byte_of)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = text
            .bytes()
            .enumerate()
            .all(|(ahead, byte)| self.peek_at(ahead) == Some(byte));
        if found {
            self.at += text.len();
        }
        found
    }

    fn error(&self, message: &str) -> RegExpError {
        Self::error_at(self.at, message)
    }

    fn error_at(offset: usize, message: &str) -> RegExpError {
        RegExpError::Syntax {
            offset,
            message: message.to_owned(),
        }
    }

    fn disjunction(&mut self) -> Result<Node> {
        let mut branches = vec![self.alternative()?];
        while self.eat("|") {
            branches.push(self.alternative()?);
        }
        Ok(Node::choice(branches))
    }

    fn alternative(&mut self) -> Result<Node> {
        let mut terms = Vec::new();
        while self.peek().is_some_and(|byte| byte != b'|' && byte != b')') {
            terms.push(self.term()?);
        }
        Ok(Node::sequence(terms))
    }

    fn term(&mut self) -> Result<Node> {
        let first_group = self.started_groups + 1;
        match self.atom()? {
            Atom::Fixed(node) => Ok(node),
            Atom::Repeatable(node) => {
                let Some(counts) = self.quantifier()? else {
                    return Ok(node);
                };
                let greedy = !self.eat("?");
                let groups = (first_group, self.started_groups + 1);
                Ok(Node::repeat(node, counts, greedy, groups))
            }
        }
    }

    fn atom(&mut self) -> Result<Atom> {
        let Some(byte) = self.peek() else {
            return Err(self.error("unexpected end"));
        };
        match byte {
            b'^' => Ok(self.edge(Edge::Start, 1)),
            b'$' => Ok(self.edge(Edge::End, 1)),
            b'(' => self.parenthesis(),
            b'[' => self.class().map(Atom::Repeatable),
            b'.' => {
                self.at += 1;
                let test = self.closed_test(&UnitSet::dot())?;
                Ok(Atom::Repeatable(Node::unit(test)))
            }
            b'\\' => self.escape(),
            b'*' | b'+' | b'?' => Err(self.error("nothing to repeat")),
            // `{` is itself where it does not start a quantifier (Annex B, `ExtendedAtom`).
            b'{' if self.braces()?.is_some() => Err(self.error("nothing to repeat")),
            _ => {
                let unit = self.units.get(self.at).copied().unwrap_or_default();
                self.at += 1;
                self.literal(unit).map(Atom::Repeatable)
            }
        }
    }

    fn edge(&mut self, edge: Edge, length: usize) -> Atom {
        self.at += length;
        Atom::Fixed(Node::edge(edge))
    }

    /// A single unit, as written or escaped.
    fn literal(&mut self, unit: u16) -> Result<Node> {
        if !self.ignore_case {
            return Ok(Node::unit(Test::One(unit)));
        }
        // The frequent case; nothing beyond ASCII folds into it.
        if let Some(byte) = Some(byte_of(unit)).filter(u8::is_ascii) {
            let (upper, lower) = (byte.to_ascii_uppercase(), byte.to_ascii_lowercase());
            return Ok(Node::unit(if upper == lower {
                Test::One(unit)
            } else {
                Test::Two(upper.into(), lower.into())
            }));
        }
        let letters = vec![(unit, unit)];
        let class = Class {
            letters,
            ..Class::default()
        };
        self.test(class).map(Node::unit)
    }

    fn closed_test(&mut self, set: &UnitSet) -> Result<Test> {
        let escapes = set.ranges().to_vec();
        self.test(Class {
            escapes,
            ..Class::default()
        })
    }

    fn test(&mut self, class: Class) -> Result<Test> {
        self.sets
            .test(class, self.ignore_case)
            .map_err(|_| RegExpError::TooLarge)
    }

    fn parenthesis(&mut self) -> Result<Atom> {
        let start = self.at;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(RegExpError::TooDeep);
        }
        let atom = if self.eat("(?:") {
            Atom::Repeatable(self.disjunction()?)
        } else if self.eat("(?=") {
            Atom::Repeatable(self.look(false, false)?)
        } else if self.eat("(?!") {
            Atom::Repeatable(self.look(false, true)?)
        } else if self.eat("(?<=") {
            Atom::Fixed(self.look(true, false)?)
        } else if self.eat("(?<!") {
            Atom::Fixed(self.look(true, true)?)
        } else {
            Atom::Repeatable(self.capture(start)?)
        };
        if !self.eat(")") {
            return Err(Self::error_at(start, "`(` without its `)`"));
        }
        self.depth -= 1;
        Ok(atom)
    }

    fn look(&mut self, behind: bool, negative: bool) -> Result<Node> {
        self.looks = true;
        Ok(Node::look(behind, negative, self.disjunction()?))
    }

    fn capture(&mut self, start: usize) -> Result<Node> {
        self.started_groups += 1;
        let number = self.started_groups;
        if self.eat("(?<") {
            let name = self.group_name(start)?;
            if self.names.iter().any(|(known, _)| *known == name) {
                return Err(Self::error_at(start, "two groups have the same name"));
            }
            self.names.push((name, number));
        } else if self.eat("(?") {
            return Err(Self::error_at(start, "unknown kind of group"));
        } else {
            self.at += 1;
        }
        Ok(Node::group(number, self.disjunction()?))
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
        self.at += 1;
        let Some(min) = self.number() else {
            self.at = start;
            return Ok(None);
        };
        let max = if !self.eat(",") {
            min
        } else if self.peek() == Some(b'}') {
            UNBOUNDED
        } else if let Some(max) = self.number() {
            max
        } else {
            self.at = start;
            return Ok(None);
        };
        if !self.eat("}") {
            self.at = start;
            return Ok(None);
        }
        if max < min {
            return Err(Self::error_at(
                start,
                "the numbers in `{}` are out of order",
            ));
        }
        Ok(Some((min, max)))
    }

    /// A decimal number; a huge one is as good as no bound.
    fn number(&mut self) -> Option<u32> {
        let start = self.at;
        let mut value = 0u32;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            value = value
                .saturating_mul(10)
                .saturating_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }

    fn resolve_references(&self) -> Result<Vec<u32>> {
        let resolve = |reference: &Reference| match reference {
            Reference::Number(number) => Ok(*number),
            Reference::Name(name, offset) => self
                .names
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, number)| *number)
                .ok_or_else(|| Self::error_at(*offset, "no group has this name")),
        };
        self.references.iter().map(resolve).collect()
    }
}
