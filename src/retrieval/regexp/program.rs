//! The pattern as a program for the backtracking machine.

use super::tree::{Edge, Node, Pattern, Repeat, Sets, Test, UNBOUNDED};
use super::units::UnitSet;

/// A place in the program.
pub(super) type Label = usize;
/// A place for a number the machine can take back: a group's start or end, a count, a position.
pub(super) type Slot = usize;

#[derive(Clone, Copy, Debug)]
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
    /// Fail where nothing was matched since `Save`.
    NotEmpty(Slot),
    /// Set a count to zero.
    Zero(Slot),
    /// The head of a counted loop, followed by its body.
    Loop(Loop),
    /// The end of a counted loop's body, with the label of its head.
    Again(Loop, Label),
    /// The group's text again.
    Reference {
        start: Slot,
        back: bool,
    },
    /// Start of a look-around; a negative one continues at the label where its body fails.
    Look {
        height: Slot,
        otherwise: Option<Label>,
    },
    /// The body of a look-around has matched.
    Looked {
        height: Slot,
        negative: bool,
    },
    Match,
}

/// A test repeated greedily, the most frequent of all loops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) test: Test,
    pub(super) min: usize,
    pub(super) max: usize,
    pub(super) back: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    /// Keeps the number of iterations; the next slot keeps where the last one began, if it may be
    /// empty.
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
    pub(super) sets: Sets,
    pub(super) ignore_case: bool,
    /// Slots of groups come first; they are forgotten before each attempt. Behind them are those of
    /// loops and look-arounds, two each.
    pub(super) group_slots: usize,
    pub(super) slots: usize,
    /// The test of an unbounded run that begins every match: where one fails, it also fails further on
    /// in the run, for the run would have led there.
    pub(super) lead: Option<Test>,
    /// The units a match can start with, where it cannot be empty.
    pub(super) first: Option<UnitSet>,
    /// True if there is neither a back-reference nor a look-around.
    pub(super) is_regular: bool,
}

/// The bound of a loop as a number of iterations.
pub(super) fn bound(count: u32) -> usize {
    match count {
        UNBOUNDED => usize::MAX,
        count => usize::try_from(count).unwrap_or(usize::MAX),
    }
}

/// Compiles a pattern.
pub(super) fn compile(pattern: Pattern, ignore_case: bool) -> Program {
    let keeps_groups = !pattern.references.is_empty();
    let group_slots = match keeps_groups {
        true => group_slot(pattern.groups + 1),
        false => 0,
    };
    let mut compiler = Compiler {
        pattern: &pattern,
        ops: Vec::new(),
        slots: group_slots,
        keeps_groups,
        back: false,
    };
    compiler.node(&pattern.root);
    compiler.ops.push(Op::Match);
    let (ops, slots) = (compiler.ops, compiler.slots);
    // A reference to the run's own text would tell a longer run from a shorter one.
    let lead = match ops.first() {
        Some(Op::Run(run)) if !keeps_groups && run.max == usize::MAX => Some(run.test),
        _ => None,
    };
    let mut first = Vec::new();
    let empty = add_first(&pattern.root, &pattern.sets, &mut first);
    Program {
        ops,
        slots,
        group_slots,
        lead,
        first: (empty == Some(false)).then(|| UnitSet::from_ranges(first)),
        is_regular: !pattern.looks && !keeps_groups,
        sets: pattern.sets,
        ignore_case,
    }
}

/// Adds the units the node can start with; says whether it can match nothing, or that it is unknown.
fn add_first(node: &Node, sets: &Sets, first: &mut Vec<(u16, u16)>) -> Option<bool> {
    match node {
        Node::Edge(_) | Node::Look { .. } => Some(true),
        Node::Unit(test) => {
            first.extend(sets.ranges(*test));
            Some(false)
        }
        Node::Group(_, body) => add_first(body, sets, first),
        Node::Reference(_) => None,
        Node::Repeat(repeat) => {
            let empty = add_first(&repeat.body, sets, first)?;
            Some(empty || repeat.min == 0)
        }
        Node::Sequence(parts) => {
            for part in parts {
                if !add_first(part, sets, first)? {
                    return Some(false);
                }
            }
            Some(true)
        }
        Node::Choice(branches) => {
            let mut branches = branches.iter();
            branches.try_fold(false, |empty, branch| {
                Some(add_first(branch, sets, first)? || empty)
            })
        }
    }
}

struct Compiler<'a> {
    pattern: &'a Pattern,
    ops: Vec<Op>,
    slots: usize,
    keeps_groups: bool,
    back: bool,
}

impl Compiler<'_> {
    fn node(&mut self, node: &Node) {
        let back = self.back;
        match node {
            Node::Unit(test) => self.ops.push(Op::Unit { test: *test, back }),
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
            Node::Reference(position) => {
                let number = self.pattern.references.get(*position).copied();
                let start = group_slot(number.unwrap_or_default());
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
        let (min, max) = (bound(repeat.min), bound(repeat.max));
        let (greedy, back) = (repeat.greedy, self.back);
        let test = repeat.body.as_test(!self.keeps_groups);
        if let Some(test) = test.filter(|_| greedy) {
            return self.ops.push(Op::Run(Run {
                test,
                min,
                max,
                back,
            }));
        }
        let may_be_empty = repeat.body.may_be_empty();
        let count = self.two_slots();
        // `*` and `?` need no count.
        let is_free = min == 0 && (repeat.max == 1 || repeat.max == UNBOUNDED);
        if !is_free {
            self.ops.push(Op::Zero(count));
        }
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
        if is_free {
            if may_be_empty {
                self.ops.push(Op::NotEmpty(count + 1));
            }
            if repeat.max == UNBOUNDED {
                self.ops.push(Op::Jump(head));
            }
            let (body, exit) = (head + 1, self.ops.len());
            return self.set(
                head,
                match greedy {
                    true => Op::Split(body, exit),
                    false => Op::Split(exit, body),
                },
            );
        }
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
        let otherwise = negative.then_some(self.ops.len());
        self.set(start, Op::Look { height, otherwise });
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
fn group_slot(number: u32) -> Slot {
    2 * usize::try_from(number.saturating_sub(1)).unwrap_or_default()
}
