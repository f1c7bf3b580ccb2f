//! The events of a journal, and the stacks they lead to.

use serde::{Deserialize, Serialize};

use super::Entry;
use crate::curate::Plan;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub(super) enum Event {
    Plan(Entry),
    Step {
        kind: Step,
        #[serde(flatten)]
        begun: Begun,
    },
    /// All files of the step are as it wants them; its temporary files may still be there.
    Made {
        seq: u64,
    },
    Ended {
        seq: u64,
    },
    Dropped {
        seq: u64,
    },
}

/// A step back or forth that is about to be made.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Begun {
    pub seq: u64,
    pub order: i64,
    /// The entry's plan for the files as they are, if it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// New plans of the entries that the step passes, by their numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed: Vec<(u64, Plan)>,
    /// Which changes of the step are not made, as all stands there as they want it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stood: Vec<usize>,
    pub temporary: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    Do,
    Undo,
    Redo,
}

impl Step {
    pub fn plan(self, plan: &Plan) -> Plan {
        match self {
            Self::Undo => plan.inverse(),
            Self::Do | Self::Redo => plan.clone(),
        }
    }

    /// The plan of an entry that this step carries out as this plan.
    pub fn of(self, plan: Plan, entry: &Entry) -> Plan {
        let plan = match self {
            Self::Undo => plan.inverse(),
            Self::Do | Self::Redo => plan,
        };
        let taken = entry.plan.taken.clone();
        Plan { taken, ..plan }
    }
}

#[derive(Debug, Default)]
pub struct History {
    /// The plans that are in force, oldest first.
    pub applied: Vec<Entry>,
    /// The plans that were taken back, the one to be made again next last.
    pub undone: Vec<Entry>,
    /// The plans that were taken back before another one was made.
    pub dropped: Vec<Entry>,
    /// A plan that was written down and not yet carried out.
    begun: Option<Entry>,
    /// The step that was begun and not finished, and whether it was made.
    step: Option<(Step, Begun, bool)>,
    /// A number beyond those of all entries.
    pub next: u64,
    /// The place of the last step in the order of all steps.
    pub last: i64,
    /// The place of the last new plan.
    pub last_new: i64,
}

impl History {
    pub const fn stacks(&mut self) -> [&mut Vec<Entry>; 3] {
        [&mut self.applied, &mut self.undone, &mut self.dropped]
    }

    pub(super) fn take(&mut self, event: Event) {
        match event {
            Event::Plan(entry) => {
                self.next = self.next.max(entry.seq + 1);
                let begun = Begun {
                    seq: entry.seq,
                    order: entry.order,
                    temporary: entry.temporary.clone(),
                    ..Begun::default()
                };
                self.begins(Step::Do, begun);
                self.begun = Some(entry);
            }
            Event::Made { seq } => {
                if let Some((_, _, made)) = self.step.as_mut().filter(|step| step.1.seq == seq) {
                    *made = true;
                }
            }
            Event::Step { kind, begun } => self.begins(kind, begun),
            Event::Ended { seq } => self.ends(seq),
            Event::Dropped { .. } => {
                self.step = None;
                self.begun = None;
            }
        }
    }

    fn begins(&mut self, step: Step, begun: Begun) {
        self.last = self.last.max(begun.order);
        self.step = Some((step, begun, false));
    }

    /// Puts a new entry in force, or moves one to the other stack and gives others their new plans.
    fn ends(&mut self, seq: u64) {
        let step = self.step.take().filter(|(_, begun, _)| begun.seq == seq);
        let Some((step, mut begun, _)) = step else {
            return;
        };
        let (from, to) = match step {
            Step::Do => {
                if let Some(entry) = self.begun.take() {
                    self.last_new = entry.order;
                    self.applied.push(entry);
                    self.dropped.append(&mut self.undone);
                }
                return;
            }
            Step::Undo => (&mut self.applied, &mut self.undone),
            Step::Redo => (&mut self.undone, &mut self.applied),
        };
        begun.passed.extend(begun.plan.map(|plan| (seq, plan)));
        for (seq, plan) in begun.passed {
            if let Some(entry) = from.iter_mut().find(|entry| entry.seq == seq) {
                entry.plan = plan;
            }
        }
        if let Some(at) = from.iter().position(|entry| entry.seq == seq) {
            let order = begun.order;
            to.push(Entry {
                order,
                ..from.remove(at)
            });
        }
    }

    /// The changes of the step that was begun and not finished, and whether all of it was made.
    pub(super) fn unfinished(&self) -> Option<(Plan, &Begun, bool)> {
        let (step, begun, made) = self.step.as_ref()?;
        let is_it = |entry: &&Entry| entry.seq == begun.seq;
        let entry = match step {
            Step::Do => self.begun.as_ref(),
            Step::Undo => self.applied.iter().find(is_it),
            Step::Redo => self.undone.iter().find(is_it),
        };
        let plan = begun.plan.as_ref().unwrap_or(&entry?.plan);
        Some((step.plan(plan).without(&begun.stood), begun, *made))
    }
}
