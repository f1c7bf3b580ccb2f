//! A parsed pattern.

use super::units::UnitSet;

/// More different classes than this are refused: case folding can turn one of five bytes into a
/// thousand ranges.
const MAX_SETS: usize = 500;

/// No upper bound.
pub(super) const UNBOUNDED: u32 = u32::MAX;

/// A test of one code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    One(u16),
    Two(u16, u16),
    /// A place in [`Sets`].
    Set(usize),
}

/// `^`, `$`, `\b` and `\B` (ECMA-262 §22.2.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    Start,
    End,
    Boundary,
    NoBoundary,
}

/// A part of a pattern.
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
    Group(u32, Box<Node>),
    /// A back-reference: the position in [`Pattern::references`].
    Reference(usize),
    Repeat(Repeat),
    /// Nothing, if there are no parts.
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
}

#[derive(Debug)]
pub(super) struct Repeat {
    pub(super) min: u32,
    pub(super) max: u32,
    pub(super) greedy: bool,
    /// The groups inside, which every iteration resets: from this number, up to but without that.
    pub(super) groups: (u32, u32),
    pub(super) body: Box<Node>,
}

/// A whole pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) root: Node,
    pub(super) sets: Sets,
    /// The group each back-reference names.
    pub(super) references: Vec<u32>,
    /// Number of capturing groups.
    pub(super) groups: u32,
    /// True if there is a look-ahead or look-behind.
    pub(super) looks: bool,
}

impl Node {
    /// True if it can match the empty text.
    pub(super) fn may_be_empty(&self) -> bool {
        match self {
            Self::Unit(_) => false,
            Self::Edge(_) | Self::Look { .. } | Self::Reference(_) => true,
            Self::Group(_, body) => body.may_be_empty(),
            Self::Repeat(repeat) => repeat.min == 0 || repeat.body.may_be_empty(),
            Self::Sequence(parts) => parts.iter().all(Self::may_be_empty),
            Self::Choice(branches) => branches.iter().any(Self::may_be_empty),
        }
    }

    /// True if it can match nothing but the empty text.
    fn is_empty(&self) -> bool {
        match self {
            Self::Unit(_) | Self::Reference(_) => false,
            Self::Edge(_) | Self::Look { .. } => true,
            Self::Group(_, body) => body.is_empty(),
            Self::Repeat(repeat) => repeat.body.is_empty(),
            Self::Sequence(all) | Self::Choice(all) => all.iter().all(Self::is_empty),
        }
    }

    /// `body{min,max}`, made smaller where the body cannot match more than nothing.
    ///
    /// `RepeatMatcher` (§22.2.2.3.1) refuses an iteration that matches nothing once the least
    /// number is reached, so such a body runs once where it must and else never.
    pub(super) fn repeat(repeat: Repeat) -> Self {
        let is_empty = repeat.body.is_empty();
        match (repeat.min, repeat.max) {
            (_, 0) => Self::Sequence(Vec::new()),
            (0, _) if is_empty => Self::Sequence(Vec::new()),
            (1, 1) => *repeat.body,
            _ if is_empty => *repeat.body,
            _ => Self::Repeat(repeat),
        }
    }

    /// The test, where the node is no more than one, seen through groups nobody refers to.
    pub(super) fn as_test(&self, through_groups: bool) -> Option<Test> {
        match self {
            Self::Unit(test) => Some(*test),
            Self::Group(_, body) if through_groups => body.as_test(true),
            Self::Sequence(parts) | Self::Choice(parts) => match &**parts {
                [one] => one.as_test(through_groups),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The character classes of a pattern, each once.
#[derive(Debug, Default)]
pub(super) struct Sets(Vec<UnitSet>);

impl Sets {
    /// The test for a set; none where there are too many.
    pub(super) fn test(&mut self, set: UnitSet) -> Option<Test> {
        match *set.ranges() {
            [(one, last)] if one == last => return Some(Test::One(one)),
            [(one, last)] if last - one == 1 => return Some(Test::Two(one, last)),
            [(one, low), (other, high)] if one == low && other == high => {
                return Some(Test::Two(one, other));
            }
            _ => {}
        }
        let known = self.0.iter().position(|known| *known == set);
        if known.is_none() {
            self.0.push(set);
        }
        (self.0.len() <= MAX_SETS).then(|| Test::Set(known.unwrap_or(self.0.len() - 1)))
    }

    pub(super) fn matches(&self, test: Test, unit: u16) -> bool {
        match test {
            Test::One(one) => one == unit,
            Test::Two(one, other) => one == unit || other == unit,
            Test::Set(number) => self.0.get(number).is_some_and(|set| set.contains(unit)),
        }
    }

    /// The units that pass a test.
    pub(super) fn ranges(&self, test: Test) -> Vec<(u16, u16)> {
        match test {
            Test::One(one) => vec![(one, one)],
            Test::Two(one, other) => vec![(one, one), (other, other)],
            Test::Set(number) => self
                .0
                .get(number)
                .map_or(Vec::new(), |set| set.ranges().to_vec()),
        }
    }
}
