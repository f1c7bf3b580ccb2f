//! The pattern as a program for the backtracking machine.

use std::collections::BTreeSet;

use super::parse::{Edge, Node, Pattern, Repeat, Test, UNBOUNDED};
use super::units::UnitSet;

pub(super) type Label = usize;
/// A place for a number the machine can take back: a group's start or end, a count, a position.
pub(super) type Slot = usize;

#[derive(Debug)]
pub(super) enum Op {
    /// Test a unit; look-behind reads backwards (§22.2.2.3).
    Unit {
        test: Test,
        back: bool,
    },
    Run(Run),
    /// Go to the first; if that fails, to the second.
    Split(Label, Label),
    Jump(Label),
    Edge(Edge),
    /// Keep the position, for a group's start or end or for the empty check.
    Save(Slot),
    /// Forget the slots from the first up to the second.
    Forget(Slot, Slot),
    Zero(Slot),
    /// The head of a loop, followed by its body.
    Loop(Loop),
    /// The end of a loop's body, with the label of its head.
    Again(Loop, Label),
    /// The group's text again.
    Reference {
        start: Slot,
        back: bool,
    },
    /// Start of a look-around, with the label behind it.
    Look {
        height: Slot,
        negative: bool,
        end: Label,
    },
    /// The body of a look-around has matched.
    Looked {
        height: Slot,
        negative: bool,
    },
    Match,
}

/// A test repeated greedily, the most frequent of all loops: it keeps one choice for all lengths.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) test: Test,
    pub(super) min: usize,
    pub(super) max: usize,
    pub(super) back: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    /// Keeps the number of iterations; the next slot where the last one began, if it may be empty.
    pub(super) count: Slot,
    pub(super) may_be_empty: bool,
    pub(super) min: usize,
    pub(super) max: usize,
    pub(super) greedy: bool,
    pub(super) exit: Label,
}

#[derive(Debug)]
pub(super) struct Program {
    pub(super) ops: Vec<Op>,
    /// Number of slots: those of groups, then those of loops and look-arounds, two each.
    pub(super) slots: usize,
    /// The test of an unbounded run that begins every match: where one fails, it also fails further on
    /// in the run, for the run would have led there.
    pub(super) lead: Option<Test>,
    /// The units that a match can start with; none where the pattern does not limit them.
    pub(super) first: Option<UnitSet>,
    /// True if there is neither a back-reference nor a look-around.
    pub(super) is_regular: bool,
}

pub(super) fn compile(pattern: &Pattern) -> Program {
    let keeps_groups = pattern.refers;
    let mut compiler = Compiler {
        ops: Vec::new(),
        slots: if keeps_groups { 2 * pattern.groups } else { 0 },
        keeps_groups,
        back: false,
    };
    compiler.node(&pattern.root);
    compiler.ops.push(Op::Match);
    let Compiler { ops, slots, .. } = compiler;
    // A reference to the run's own text would tell a longer run from a shorter one.
    let lead = match ops.first() {
        Some(Op::Run(run)) if !keeps_groups && run.max == UNBOUNDED => Some(run.test.clone()),
        _ => None,
    };
    Program {
        first: first(&ops),
        ops,
        slots,
        lead,
        is_regular: !pattern.looks && !keeps_groups,
    }
}

/// The units that the first operation which reads one lets pass; none where a match can do without.
fn first(ops: &[Op]) -> Option<UnitSet> {
    let (mut open, mut known, mut ranges) = (vec![0], BTreeSet::new(), Vec::new());
    while let Some(label) = open.pop() {
        if !known.insert(label) {
            continue;
        }
        let (test, next) = match ops.get(label)? {
            Op::Unit { test, .. } => (Some(test), [None, None]),
            Op::Run(run) => {
                let after = (run.min == 0).then_some(label + 1);
                (Some(&run.test), [after, None])
            }
            Op::Split(one, other) => (None, [Some(*one), Some(*other)]),
            Op::Loop(of) => {
                let exit = (of.min == 0 || of.may_be_empty).then_some(of.exit);
                (None, [Some(label + 1), exit])
            }
            Op::Jump(to) | Op::Again(_, to) => (None, [Some(*to), None]),
            Op::Look { end, .. } => (None, [Some(*end), None]),
            Op::Edge(_) | Op::Save(_) | Op::Forget(..) | Op::Zero(_) => {
                (None, [Some(label + 1), None])
            }
            Op::Reference { .. } | Op::Looked { .. } | Op::Match => return None,
        };
        open.extend(next.into_iter().flatten());
        match test {
            Some(Test::One(unit)) => ranges.push((*unit, *unit)),
            Some(Test::Set(set)) => ranges.extend(set.ranges()),
            None => {}
        }
    }
    Some(UnitSet::from_ranges(ranges))
}

struct Compiler {
    ops: Vec<Op>,
    slots: usize,
    keeps_groups: bool,
    back: bool,
}

impl Compiler {
    fn node(&mut self, node: &Node) {
        let back = self.back;
        match node {
            Node::Unit(test) => {
                let test = test.clone();
                self.ops.push(Op::Unit { test, back });
            }
            Node::Edge(edge) => self.ops.push(Op::Edge(*edge)),
            Node::Look {
                behind,
                negative,
                body,
            } => self.look(*behind, *negative, body),
            Node::Group(_, body) if !self.keeps_groups => self.node(body),
            Node::Group(number, body) => {
                let (start, end) = (group_slot(*number), group_slot(*number) + 1);
                let (before, after) = if back { (end, start) } else { (start, end) };
                self.ops.push(Op::Save(before));
                self.node(body);
                self.ops.push(Op::Save(after));
            }
            Node::Reference(number) => {
                let start = group_slot(*number);
                self.ops.push(Op::Reference { start, back });
            }
            Node::Repeat(repeat) => self.repeat(repeat),
            Node::Sequence(parts) if back => parts.iter().rev().for_each(|part| self.node(part)),
            Node::Sequence(parts) => parts.iter().for_each(|part| self.node(part)),
            Node::Choice(branches) => self.choice(branches),
        }
    }

    fn choice(&mut self, branches: &[Node]) {
        let Some((last, others)) = branches.split_last() else {
            return;
        };
        let mut jumps = Vec::new();
        for branch in others {
            let split = self.reserve();
            self.node(branch);
            jumps.push(self.reserve());
            self.set(split, Op::Split(split + 1, self.ops.len()));
        }
        self.node(last);
        let end = self.ops.len();
        for jump in jumps {
            self.set(jump, Op::Jump(end));
        }
    }

    /// `RepeatMatcher` (§22.2.2.3.1).
    fn repeat(&mut self, repeat: &Repeat) {
        let (min, max, greedy) = (repeat.min, repeat.max, repeat.greedy);
        let test = repeat.body.as_test(!self.keeps_groups);
        if let Some(test) = test.filter(|_| greedy) {
            return self.ops.push(Op::Run(Run {
                test: test.clone(),
                min,
                max,
                back: self.back,
            }));
        }
        let (may_be_empty, _) = repeat.body.lengths();
        let count = self.two_slots();
        self.ops.push(Op::Zero(count));
        let head = self.reserve();
        if may_be_empty {
            self.ops.push(Op::Save(count + 1));
        }
        // An iteration starts by forgetting the groups inside.
        let (from, to) = repeat.groups;
        if self.keeps_groups && from < to {
            self.ops.push(Op::Forget(group_slot(from), group_slot(to)));
        }
        self.node(&repeat.body);
        let counted = Loop {
            count,
            may_be_empty,
            min,
            max,
            greedy,
            exit: self.ops.len() + 1,
        };
        self.ops.push(Op::Again(counted, head));
        self.set(head, Op::Loop(counted));
        // States behind the loop are the same however many iterations led there.
        self.ops.push(Op::Zero(count));
    }

    fn look(&mut self, behind: bool, negative: bool, body: &Node) {
        let height = self.two_slots();
        let start = self.reserve();
        let outside = std::mem::replace(&mut self.back, behind);
        self.node(body);
        self.back = outside;
        self.ops.push(Op::Looked { height, negative });
        let end = self.ops.len();
        self.set(
            start,
            Op::Look {
                height,
                negative,
                end,
            },
        );
    }

    fn two_slots(&mut self) -> Slot {
        self.slots += 2;
        self.slots - 2
    }

    /// A place for an operation that is known when what follows it is.
    fn reserve(&mut self) -> Label {
        self.ops.push(Op::Match);
        self.ops.len() - 1
    }

    fn set(&mut self, label: Label, op: Op) {
        if let Some(place) = self.ops.get_mut(label) {
            *place = op;
        }
    }
}

/// Returns the slot of a group's start; the next one keeps its end.
const fn group_slot(number: usize) -> Slot {
    2 * number.saturating_sub(1)
}
