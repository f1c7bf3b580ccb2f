//! The pattern as a program for the backtracking machine.

use super::tree::{Edge, Kind, Look, Node, Pattern, Repeat, Sets, Test, UNBOUNDED};

/// A place in the program.
pub(super) type Label = usize;
/// A place for a number the machine can take back: a group's start or end, a count, a position.
pub(super) type Slot = usize;

#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Unit(Test),
    /// As `Unit`, of the unit before: look-behind reads backwards (§22.2.2.3).
    UnitBack(Test),
    /// A test repeated, the most frequent of all loops.
    Run {
        test: Test,
        min: u32,
        max: u32,
        greedy: bool,
        back: bool,
    },
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
    Loop {
        count: Slot,
        min: u32,
        max: u32,
        greedy: bool,
        exit: Label,
    },
    /// The end of a counted loop's body.
    Again {
        count: Slot,
        mark: Slot,
        min: u32,
        head: Label,
    },
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

/// Start that every match shares, so that most positions need not be tried.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lead {
    /// Nothing known.
    Any,
    /// `^`: only the start of the text.
    Start,
    /// An unbounded run of this test: where a match fails, it also fails further on in the run, for
    /// the run would have led there.
    Run(Test),
}

#[derive(Debug)]
pub(super) struct Program {
    pub(super) ops: Vec<Op>,
    pub(super) slots: usize,
    /// Slots of groups come first; they are forgotten before each attempt.
    pub(super) group_slots: usize,
    pub(super) lead: Lead,
    /// The units a match can start with, where it cannot be empty.
    pub(super) first: Option<First>,
}

/// A set of first units, exact for ASCII.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct First {
    ascii: u128,
    beyond: bool,
}

impl First {
    pub(super) fn contains(self, unit: u16) -> bool {
        if unit < 128 {
            self.ascii >> unit & 1 == 1
        } else {
            self.beyond
        }
    }

    fn add(&mut self, other: Self) {
        self.ascii |= other.ascii;
        self.beyond |= other.beyond;
    }

    fn of(test: Test, sets: &Sets) -> Self {
        let one = |unit: u16| Self {
            ascii: if unit < 128 { 1 << unit } else { 0 },
            beyond: unit >= 128,
        };
        match test {
            Test::One(unit) => one(unit),
            Test::Two(first, second) => {
                let mut both = one(first);
                both.add(one(second));
                both
            }
            Test::Set(number) => sets.get(number).map_or(Self::default(), |set| Self {
                ascii: set.ascii(),
                beyond: set.beyond_ascii(),
            }),
        }
    }
}

/// Compiles a pattern.
pub(super) fn compile(pattern: &Pattern) -> Program {
    let keeps_groups = !pattern.references.is_empty();
    let group_slots = if keeps_groups {
        2 * usize::try_from(pattern.groups).unwrap_or_default()
    } else {
        0
    };
    let mut compiler = Compiler {
        pattern,
        ops: Vec::new(),
        slots: group_slots,
        keeps_groups,
        back: false,
    };
    compiler.node(&pattern.root);
    compiler.ops.push(Op::Match);
    let mut first = First::default();
    let known = add_first(&pattern.root, &pattern.sets, &mut first);
    Program {
        ops: compiler.ops,
        slots: compiler.slots,
        group_slots,
        lead: lead(&pattern.root, keeps_groups),
        first: known.filter(|empty| !empty).map(|_| first),
    }
}

/// Adds the units the node can start with; says whether it can match nothing, or that it is unknown.
fn add_first(node: &Node, sets: &Sets, first: &mut First) -> Option<bool> {
    match &node.kind {
        Kind::Empty | Kind::Edge(_) | Kind::Look(_) => Some(true),
        Kind::Unit(test) => {
            first.add(First::of(*test, sets));
            Some(false)
        }
        Kind::Group(_, body) => add_first(body, sets, first),
        Kind::Reference(_) => None,
        Kind::Repeat(repeat) => {
            let empty = add_first(&repeat.body, sets, first)?;
            Some(empty || repeat.min == 0)
        }
        Kind::Sequence(parts) => {
            for part in parts {
                if !add_first(part, sets, first)? {
                    return Some(false);
                }
            }
            Some(true)
        }
        Kind::Choice(branches) => {
            let mut empty = false;
            for branch in branches {
                empty |= add_first(branch, sets, first)?;
            }
            Some(empty)
        }
    }
}

fn lead(node: &Node, references: bool) -> Lead {
    match &node.kind {
        Kind::Edge(Edge::Start) => Lead::Start,
        Kind::Group(_, body) => lead(body, references),
        Kind::Sequence(parts) => parts
            .first()
            .map_or(Lead::Any, |part| lead(part, references)),
        Kind::Choice(branches) => {
            let anchored = |branch| matches!(lead(branch, references), Lead::Start);
            if branches.iter().all(anchored) {
                Lead::Start
            } else {
                Lead::Any
            }
        }
        // A reference to the run's own text would tell a longer run from a shorter one.
        Kind::Repeat(repeat) if !references && repeat.max == UNBOUNDED => {
            repeat.body.as_test(true).map_or(Lead::Any, Lead::Run)
        }
        _ => Lead::Any,
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
        match &node.kind {
            Kind::Empty => {}
            Kind::Unit(test) if self.back => self.ops.push(Op::UnitBack(*test)),
            Kind::Unit(test) => self.ops.push(Op::Unit(*test)),
            Kind::Edge(edge) => self.ops.push(Op::Edge(*edge)),
            Kind::Look(look) => self.look(look),
            Kind::Group(number, body) => self.group(*number, body),
            Kind::Reference(position) => {
                let number = self.pattern.references.get(*position).copied();
                let start = group_slot(number.unwrap_or_default());
                let back = self.back;
                self.ops.push(Op::Reference { start, back });
            }
            Kind::Repeat(repeat) => self.repeat(repeat),
            Kind::Sequence(parts) if self.back => {
                parts.iter().rev().for_each(|part| self.node(part));
            }
            Kind::Sequence(parts) => parts.iter().for_each(|part| self.node(part)),
            Kind::Choice(branches) => self.choice(branches),
        }
    }

    fn group(&mut self, number: u32, body: &Node) {
        if !self.keeps_groups {
            return self.node(body);
        }
        let start = group_slot(number);
        let (before, after) = if self.back {
            (start + 1, start)
        } else {
            (start, start + 1)
        };
        self.ops.push(Op::Save(before));
        self.node(body);
        self.ops.push(Op::Save(after));
    }

    fn choice(&mut self, branches: &[Node]) {
        let mut jumps = Vec::new();
        let last = branches.len().saturating_sub(1);
        for (index, branch) in branches.iter().enumerate() {
            if index == last {
                self.node(branch);
                break;
            }
            let split = self.reserve();
            self.node(branch);
            jumps.push(self.reserve());
            self.set(split, Op::Split(split + 1, self.ops.len()));
        }
        let end = self.ops.len();
        for jump in jumps {
            self.set(jump, Op::Jump(end));
        }
    }

    /// `RepeatMatcher` (§22.2.2.3.1).
    fn repeat(&mut self, repeat: &Repeat) {
        let Repeat {
            min, max, greedy, ..
        } = *repeat;
        if let Some(test) = repeat.body.as_test(!self.keeps_groups) {
            let back = self.back;
            self.ops.push(Op::Run {
                test,
                min,
                max,
                greedy,
                back,
            });
        } else if min == 0 && (max == 1 || max == UNBOUNDED) {
            self.free_loop(repeat);
        } else {
            self.counted_loop(repeat);
        }
    }

    /// `*` and `?`, which need no count.
    fn free_loop(&mut self, repeat: &Repeat) {
        let head = self.reserve();
        let may_be_empty = repeat.body.least == 0;
        let mark = self.slots;
        if may_be_empty {
            self.slots += 1;
            self.ops.push(Op::Save(mark));
        }
        self.body(repeat);
        if may_be_empty {
            self.ops.push(Op::NotEmpty(mark));
        }
        if repeat.max == UNBOUNDED {
            self.ops.push(Op::Jump(head));
        }
        let (body, exit) = (head + 1, self.ops.len());
        self.set(
            head,
            if repeat.greedy {
                Op::Split(body, exit)
            } else {
                Op::Split(exit, body)
            },
        );
    }

    fn counted_loop(&mut self, repeat: &Repeat) {
        let (count, mark) = (self.slots, self.slots + 1);
        self.slots += 2;
        self.ops.push(Op::Zero(count));
        let head = self.reserve();
        self.ops.push(Op::Save(mark));
        self.body(repeat);
        self.ops.push(Op::Again {
            count,
            mark,
            min: repeat.min,
            head,
        });
        self.set(
            head,
            Op::Loop {
                count,
                min: repeat.min,
                max: repeat.max,
                greedy: repeat.greedy,
                exit: self.ops.len(),
            },
        );
    }

    /// One iteration, which starts by forgetting the groups inside.
    fn body(&mut self, repeat: &Repeat) {
        let (from, to) = repeat.groups;
        if self.keeps_groups && from < to {
            self.ops.push(Op::Forget(group_slot(from), group_slot(to)));
        }
        self.node(&repeat.body);
    }

    fn look(&mut self, look: &Look) {
        let height = self.slots;
        self.slots += 1;
        let start = self.reserve();
        let outside = std::mem::replace(&mut self.back, look.behind);
        self.node(&look.body);
        self.back = outside;
        let negative = look.negative;
        self.ops.push(Op::Looked { height, negative });
        let otherwise = negative.then_some(self.ops.len());
        self.set(start, Op::Look { height, otherwise });
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
