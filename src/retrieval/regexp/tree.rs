//! A parsed pattern.

use std::collections::BTreeMap;

use super::units::UnitSet;

/// More ranges than this in a pattern's classes are refused: case folding can turn a class of five
/// bytes into a thousand ranges.
const MAX_RANGES: usize = 50_000;

/// Cost of folding a large class, as it walks a table.
const FOLD_COST: usize = 200;

/// No upper bound.
pub(super) const UNBOUNDED: u32 = u32::MAX;

/// A test of one code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    One(u16),
    Two(u16, u16),
    /// A number in [`Sets`].
    Set(u32),
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
pub(super) struct Node {
    pub(super) kind: Kind,
    /// The least number of units it matches.
    pub(super) least: u32,
    /// The most, or [`UNBOUNDED`].
    pub(super) most: u32,
}

#[derive(Debug)]
pub(super) enum Kind {
    Empty,
    Unit(Test),
    Edge(Edge),
    Look(Look),
    /// A capturing group and its number, from 1.
    Group(u32, Box<Node>),
    /// A back-reference: the position in [`Pattern::references`].
    Reference(usize),
    Repeat(Repeat),
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
}

#[derive(Debug)]
pub(super) struct Look {
    pub(super) behind: bool,
    pub(super) negative: bool,
    pub(super) body: Box<Node>,
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

impl Pattern {
    /// True if an automaton can match it: no back-reference, no look-around.
    pub(super) fn is_regular(&self) -> bool {
        !self.looks && self.references.is_empty()
    }
}

impl Node {
    pub(super) fn empty() -> Self {
        Self::fixed(Kind::Empty, 0)
    }

    pub(super) fn unit(test: Test) -> Self {
        Self::fixed(Kind::Unit(test), 1)
    }

    pub(super) fn edge(edge: Edge) -> Self {
        Self::fixed(Kind::Edge(edge), 0)
    }

    pub(super) fn look(behind: bool, negative: bool, body: Self) -> Self {
        let body = Box::new(body);
        let look = Look {
            behind,
            negative,
            body,
        };
        Self::fixed(Kind::Look(look), 0)
    }

    pub(super) fn reference(position: usize) -> Self {
        Self {
            kind: Kind::Reference(position),
            least: 0,
            most: UNBOUNDED,
        }
    }

    pub(super) fn group(number: u32, body: Self) -> Self {
        Self {
            least: body.least,
            most: body.most,
            kind: Kind::Group(number, Box::new(body)),
        }
    }

    pub(super) fn sequence(mut parts: Vec<Self>) -> Self {
        if parts.len() <= 1 {
            return parts.pop().unwrap_or_else(Self::empty);
        }
        let sum = |total: u32, part: u32| total.saturating_add(part);
        Self {
            least: parts.iter().map(|part| part.least).fold(0, sum),
            most: parts.iter().map(|part| part.most).fold(0, sum),
            kind: Kind::Sequence(parts),
        }
    }

    pub(super) fn choice(mut branches: Vec<Self>) -> Self {
        if branches.len() <= 1 {
            return branches.pop().unwrap_or_else(Self::empty);
        }
        Self {
            least: branches.iter().map(|node| node.least).min().unwrap_or(0),
            most: branches.iter().map(|node| node.most).max().unwrap_or(0),
            kind: Kind::Choice(branches),
        }
    }

    /// `body{min,max}`, made smaller where the body cannot match more than nothing.
    ///
    /// `RepeatMatcher` (§22.2.2.3.1) refuses an iteration that matches nothing once the least
    /// number is reached, so such a body runs once where it must and else never.
    pub(super) fn repeat(
        body: Self,
        (min, max): (u32, u32),
        greedy: bool,
        groups: (u32, u32),
    ) -> Self {
        if max == 0 || (body.most == 0 && min == 0) {
            return Self::empty();
        }
        if body.most == 0 || (min, max) == (1, 1) {
            return body;
        }
        Self {
            least: body.least.saturating_mul(min),
            most: body.most.saturating_mul(max),
            kind: Kind::Repeat(Repeat {
                min,
                max,
                greedy,
                groups,
                body: Box::new(body),
            }),
        }
    }

    fn fixed(kind: Kind, width: u32) -> Self {
        Self {
            kind,
            least: width,
            most: width,
        }
    }

    /// The test, where the node is no more than one, seen through groups nobody refers to.
    pub(super) fn as_test(&self, through_groups: bool) -> Option<Test> {
        match &self.kind {
            Kind::Unit(test) => Some(*test),
            Kind::Group(_, body) if through_groups => body.as_test(true),
            _ => None,
        }
    }
}

/// A character class as written.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Class {
    /// Characters and ranges, which fold where case is ignored.
    pub(super) letters: Vec<(u16, u16)>,
    /// The ranges of `\d`, `\w` and the like, which folding leaves as they are: no unit beyond ASCII
    /// folds into it, and no space has a case.
    pub(super) escapes: Vec<(u16, u16)>,
    pub(super) inverted: bool,
}

/// The character classes of a pattern, each once.
#[derive(Debug, Default)]
pub(super) struct Sets {
    list: Vec<UnitSet>,
    known: BTreeMap<Class, Test>,
    cost: usize,
}

/// The classes of a pattern are larger than the limit.
#[derive(Debug)]
pub(super) struct SetsTooLarge;

impl Sets {
    /// The test for a class: folded first where case is ignored, and only then inverted
    /// (`CharacterSetMatcher`, §22.2.2.7.1).
    pub(super) fn test(&mut self, class: Class, ignore_case: bool) -> Result<Test, SetsTooLarge> {
        if let Some(test) = self.known.get(&class) {
            return Ok(*test);
        }
        let mut letters = UnitSet::from_ranges(class.letters.clone());
        if ignore_case {
            if letters.is_costly_to_fold() {
                self.charge(FOLD_COST)?;
            }
            letters = letters.case_closed();
        }
        let mut ranges = letters.ranges().to_vec();
        ranges.extend(&class.escapes);
        let mut set = UnitSet::from_ranges(ranges);
        if class.inverted {
            set = set.inverted();
        }
        let test = self.intern(set)?;
        self.known.insert(class, test);
        Ok(test)
    }

    pub(super) fn get(&self, number: u32) -> Option<&UnitSet> {
        self.list.get(usize::try_from(number).ok()?)
    }

    pub(super) fn matches(&self, test: Test, unit: u16) -> bool {
        match test {
            Test::One(one) => one == unit,
            Test::Two(one, other) => one == unit || other == unit,
            Test::Set(number) => self.get(number).is_some_and(|set| set.contains(unit)),
        }
    }

    fn intern(&mut self, set: UnitSet) -> Result<Test, SetsTooLarge> {
        match *set.ranges() {
            [(one, last)] if one == last => return Ok(Test::One(one)),
            [(one, last)] if last - one == 1 => return Ok(Test::Two(one, last)),
            [(one, low), (other, high)] if one == low && other == high => {
                return Ok(Test::Two(one, other));
            }
            _ => {}
        }
        self.charge(set.ranges().len() + 1)?;
        let number = u32::try_from(self.list.len()).map_err(|_| SetsTooLarge)?;
        self.list.push(set);
        Ok(Test::Set(number))
    }

    fn charge(&mut self, cost: usize) -> Result<(), SetsTooLarge> {
        self.cost += cost;
        if self.cost > MAX_RANGES {
            return Err(SetsTooLarge);
        }
        Ok(())
    }
}
