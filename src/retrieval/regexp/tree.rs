//! A parsed pattern.

use std::sync::Arc;

use super::units::UnitSet;

/// No upper bound.
pub(super) const UNBOUNDED: usize = usize::MAX;

/// A test of one code unit.
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
    Group(usize, Box<Node>),
    /// A back-reference to the group with a number.
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

/// A whole pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) root: Node,
    /// Number of capturing groups.
    pub(super) groups: usize,
    /// True if there is a back-reference.
    pub(super) refers: bool,
    /// True if there is a look-ahead or look-behind.
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

    /// `body{min,max}`, made smaller where the body cannot match more than nothing.
    ///
    /// `RepeatMatcher` (§22.2.2.3.1) refuses an iteration that matches nothing once the least
    /// number is reached, so such a body runs once where it must and else never.
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
