//! Reads a pattern into a tree: ECMA-262 §22.2.1 without the `u` flag, with the web's additions (Annex B.1.2).
//!
//! Errors are those that Node.js 20 reports: groups may not share a name, and there are no inline
//! modifiers. Recursion is as deep as the parentheses, which have a limit.

use std::sync::Arc;

use super::units::{UnitSet, canonicalize};
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
    pub(super) total_groups: usize,
    /// Those with a name, which make `\k` more than a `k`. A reference may come before its group.
    pub(super) names: Vec<(String, usize)>,
    started_groups: usize,
    pub(super) refers: bool,
    looks: bool,
}

pub(super) fn parse(source: &str, ignore_case: bool) -> Result<Pattern> {
    let mut parser = Parser {
        units: source.encode_utf16().collect(),
        ignore_case,
        ..Parser::default()
    };
    parser.count_groups();
    let root = parser.disjunction()?;
    if parser.at < parser.units.len() {
        return Err(error_at(parser.at, "unmatched `)`"));
    }
    Ok(Pattern {
        root,
        groups: parser.total_groups,
        refers: parser.refers,
        looks: parser.looks,
    })
}

/// Look-arounds by how they begin: whether they look behind, and whether they are negative.
const LOOKS: [(&str, bool, bool); 4] = [
    ("(?=", false, false),
    ("(?!", false, true),
    ("(?<=", true, false),
    ("(?<!", true, true),
];

fn byte_of(unit: u16) -> u8 {
    let byte = u8::try_from(unit).ok();
    byte.filter(u8::is_ascii).unwrap_or(OTHER)
}

pub(super) fn error_at(offset: usize, message: &str) -> RegExpError {
    RegExpError::Syntax {
        offset,
        message: message.to_owned(),
    }
}

impl Parser {
    /// `CountLeftCapturingParensWithin` (§22.2.1.2), and the names of the groups.
    fn count_groups(&mut self) {
        let mut in_class = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' => self.at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'(' if !in_class => {
                    let [first, second, third] = [1, 2, 3].map(|ahead| self.peek_at(ahead));
                    let is_plain = first != Some(b'?');
                    let is_look = matches!(third, Some(b'=' | b'!'));
                    let has_name = !is_plain && second == Some(b'<') && !is_look;
                    self.total_groups += usize::from(is_plain || has_name);
                    if has_name {
                        self.at += "(?<".len();
                        // One that is wrong is reported when its group is read.
                        let name = self.group_name(self.at).unwrap_or_default();
                        self.names.push((name, self.total_groups));
                        continue;
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = 0;
    }

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
                // It has what its members fold to.
                Ok(Node::Unit(Test::Set(Arc::new(UnitSet::dot()))))
            }
            Some(b'\\') => self.escape(),
            Some(b'*' | b'+' | b'?') => Err(error_at(self.at, "nothing to repeat")),
            // `{` is itself where it does not start a quantifier (Annex B, `ExtendedAtom`).
            Some(b'{') if self.braces()?.is_some() => Err(error_at(self.at, "nothing to repeat")),
            _ => {
                let unit = self.next();
                Ok(self.literal(unit))
            }
        }
    }

    pub(super) fn edge(&mut self, edge: Edge, length: usize) -> Node {
        self.at += length;
        Node::Edge(edge)
    }

    /// A single unit, as written or escaped.
    pub(super) fn literal(&self, unit: u16) -> Node {
        Node::Unit(Test::One(match self.ignore_case {
            true => canonicalize(unit),
            false => unit,
        }))
    }

    /// A class, folded where case is ignored, then inverted (`CharacterSetMatcher`, §22.2.2.7.1).
    pub(super) fn letters(&self, set: UnitSet, is_inverted: bool) -> Node {
        let set = match self.ignore_case {
            true => set.folded(),
            false => set,
        };
        let set = if is_inverted { set.inverted() } else { set };
        Node::Unit(Test::Set(Arc::new(set)))
    }

    fn parenthesis(&mut self) -> Result<Node> {
        let start = self.at;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(RegExpError::TooDeep);
        }
        let look = LOOKS.iter().find(|(open, ..)| self.eat(open));
        let node = if let Some(&(_, behind, negative)) = look {
            self.looks = true;
            Node::Look {
                behind,
                negative,
                body: Box::new(self.disjunction()?),
            }
        } else if self.eat("(?:") {
            Node::Sequence(vec![self.disjunction()?])
        } else {
            self.capture(start)?
        };
        if !self.eat(")") {
            return Err(error_at(start, "`(` without its `)`"));
        }
        self.depth -= 1;
        Ok(node)
    }

    fn capture(&mut self, start: usize) -> Result<Node> {
        self.started_groups += 1;
        let number = self.started_groups;
        if self.eat("(?<") {
            let name = self.group_name(start)?;
            let is_it = |(known, of): &(String, usize)| *known == name && *of < number;
            if self.names.iter().any(is_it) {
                return Err(error_at(start, "two groups have the same name"));
            }
        } else if self.eat("(?") {
            return Err(error_at(start, "unknown kind of group"));
        } else {
            self.at += 1;
        }
        Ok(Node::Group(number, Box::new(self.disjunction()?)))
    }

    fn quantifier(&mut self) -> Result<Option<(usize, usize)>> {
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
    fn braces(&mut self) -> Result<Option<(usize, usize)>> {
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

    fn counts(&mut self) -> Option<(usize, usize)> {
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
    pub(super) fn number(&mut self) -> Option<usize> {
        let start = self.at;
        let mut value = 0_usize;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            let digit = usize::from(digit - b'0');
            value = value.saturating_mul(10).saturating_add(digit);
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }
}

pub(super) const UNBOUNDED: usize = usize::MAX;

#[derive(Clone, Debug)]
pub(super) enum Test {
    One(u16),
    Set(Arc<UnitSet>),
}

/// `^`, `$`, `\b` and `\B` (ECMA-262 §22.2.2.4).
#[derive(Clone, Copy, Debug)]
pub(super) enum Edge {
    Start,
    End,
    Boundary,
    NoBoundary,
}

#[derive(Debug)]
pub(super) enum Node {
    Unit(Test),
    Edge(Edge),
    Look {
        behind: bool,
        negative: bool,
        body: Box<Node>,
    },
    /// A capturing group and its number, from 1.
    Group(usize, Box<Node>),
    Reference(usize),
    Repeat(Repeat),
    /// Nothing, if there are no parts.
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
}

#[derive(Debug)]
pub(super) struct Repeat {
    pub(super) min: usize,
    pub(super) max: usize,
    pub(super) greedy: bool,
    /// The groups inside, which every iteration resets: from this number, up to but without that.
    pub(super) groups: (usize, usize),
    pub(super) body: Box<Node>,
}

#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) root: Node,
    pub(super) groups: usize,
    pub(super) refers: bool,
    pub(super) looks: bool,
}

impl Test {
    pub(super) fn matches(&self, unit: u16) -> bool {
        match self {
            Self::One(one) => *one == unit,
            Self::Set(set) => set.contains(unit),
        }
    }
}

impl Node {
    /// True if it can match the empty text, and true if it can match more.
    pub(super) fn lengths(&self) -> (bool, bool) {
        match self {
            Self::Unit(_) => (false, true),
            Self::Edge(_) | Self::Look { .. } => (true, false),
            Self::Reference(_) => (true, true),
            Self::Group(_, body) => body.lengths(),
            Self::Repeat(repeat) => {
                let (empty, more) = repeat.body.lengths();
                (empty || repeat.min == 0, more)
            }
            Self::Sequence(parts) => {
                let parts = parts.iter().map(Self::lengths);
                parts.fold((true, false), |all, one| (all.0 && one.0, all.1 || one.1))
            }
            Self::Choice(branches) => {
                let branches = branches.iter().map(Self::lengths);
                branches.fold((false, false), |all, one| (all.0 || one.0, all.1 || one.1))
            }
        }
    }

    /// `body{min,max}`. A body that cannot match more than nothing runs once where it must, else
    /// never: `RepeatMatcher` (§22.2.2.3.1) refuses an empty iteration beyond the least number.
    pub(super) fn repeat(repeat: Repeat) -> Self {
        let (_, more) = repeat.body.lengths();
        match (repeat.min, repeat.max) {
            (_, 0) => Self::Sequence(Vec::new()),
            (0, _) if !more => Self::Sequence(Vec::new()),
            (1, 1) => *repeat.body,
            _ if !more => *repeat.body,
            _ => Self::Repeat(repeat),
        }
    }

    /// The test, where the node is no more than one, seen through groups nobody refers to.
    pub(super) fn as_test(&self, through_groups: bool) -> Option<&Test> {
        match self {
            Self::Unit(test) => Some(test),
            Self::Group(_, body) if through_groups => body.as_test(true),
            Self::Sequence(parts) => match &**parts {
                [one] => one.as_test(through_groups),
                _ => None,
            },
            _ => None,
        }
    }
}
