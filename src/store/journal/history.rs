//! The events of a journal, and the stacks they lead to.

use serde::{Deserialize, Serialize};

use super::{Among, Entry};
use crate::curate::Plan;

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub(super) enum Event {
    Plan(Entry),
    /// All files of the step are as it wants them; its temporary files may still be there.
    Made {
        seq: u64,
    },
    Done {
        seq: u64,
    },
    Undoing(Begun),
    Undone {
        seq: u64,
    },
    Redoing(Begun),
    Redone {
        seq: u64,
    },
    Dropped {
        seq: u64,
    },
}

/// A step back or forth that is about to be made.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Begun {
    pub seq: u64,
    /// The entry's plan as its files want it now, where something else wrote to them since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// Which changes of the step are not made, as all stands there as they want it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stood: Vec<usize>,
    /// The random part of the names of its temporary files.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub temporary: String,
}

/// A step that was begun and not finished.
#[derive(Debug)]
pub(super) struct Unfinished {
    pub step: Step,
    /// The number of its entry.
    pub seq: u64,
    /// What it makes.
    pub plan: Plan,
    /// The random part of the names of its temporary files; empty in journals of old versions.
    pub temporary: String,
    /// Whether all of it was made.
    pub made: bool,
}

/// A step that was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A new plan.
    Do,
    /// The last plan, backwards.
    Undo,
    /// The last undone plan, again.
    Redo,
}

impl Step {
    /// What the step makes of an entry.
    pub fn plan(self, entry: &Entry) -> Plan {
        match self {
            Self::Undo => entry.plan.inverse(),
            Self::Do | Self::Redo => entry.plan.clone(),
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

    pub(super) const fn finished(self, seq: u64) -> Event {
        match self {
            Self::Do => Event::Done { seq },
            Self::Undo => Event::Undone { seq },
            Self::Redo => Event::Redone { seq },
        }
    }
}

/// The stacks that the events lead to.
#[derive(Debug, Default)]
pub(super) struct History {
    pub applied: Vec<Entry>,
    pub undone: Vec<Entry>,
    /// Those that were undone and that a later plan took the place of.
    pub dropped: Vec<Entry>,
    /// A plan that was written down and not yet carried out.
    begun: Option<Entry>,
    /// The step that was begun and not finished, and whether it was made.
    step: Option<(Step, Begun, bool)>,
    pub next: u64,
}

impl History {
    pub fn take(&mut self, event: Event) {
        match event {
            Event::Plan(entry) => {
                self.next = self.next.max(entry.seq + 1);
                let begun = Begun {
                    seq: entry.seq,
                    plan: None,
                    stood: Vec::new(),
                    temporary: entry.temporary.clone(),
                };
                self.step = Some((Step::Do, begun, false));
                self.begun = Some(entry);
            }
            Event::Made { seq } => {
                if let Some((_, _, made)) = self.step.as_mut().filter(|step| step.1.seq == seq) {
                    *made = true;
                }
            }
            Event::Done { seq } => {
                self.step = None;
                if let Some(entry) = self.begun.take_if(|entry| entry.seq == seq) {
                    self.applied.push(entry);
                    self.dropped.append(&mut self.undone);
                }
            }
            Event::Undoing(begun) => self.begins(Step::Undo, begun),
            Event::Redoing(begun) => self.begins(Step::Redo, begun),
            Event::Dropped { .. } => {
                self.step = None;
                self.begun = None;
            }
            Event::Undone { seq } => {
                self.step = None;
                shift(&mut self.applied, &mut self.undone, seq);
            }
            Event::Redone { seq } => {
                self.step = None;
                shift(&mut self.undone, &mut self.applied, seq);
            }
        }
    }

    fn begins(&mut self, step: Step, mut begun: Begun) {
        let mut entries = self.entries(step).iter_mut();
        if let Some(plan) = begun.plan.take()
            && let Some(entry) = entries.find(|entry| entry.seq == begun.seq)
        {
            entry.plan = plan;
        }
        self.step = Some((step, begun, false));
    }

    /// What a step takes its entry from.
    const fn entries(&mut self, step: Step) -> &mut Vec<Entry> {
        match step {
            Step::Redo => &mut self.undone,
            Step::Do | Step::Undo => &mut self.applied,
        }
    }

    /// The entry that a step is made with next.
    pub fn last(&mut self, step: Step, among: Among<'_>) -> Option<Entry> {
        let mut entries = std::mem::take(self.entries(step)).into_iter().rev();
        entries.find(|entry| among(entry))
    }

    /// The step that was begun and not finished.
    pub fn unfinished(&self) -> Option<Unfinished> {
        let (step, begun, made) = self.step.as_ref()?;
        let of = |entries: &[Entry]| entries.iter().position(|entry| entry.seq == begun.seq);
        let entry = match step {
            Step::Do => self.begun.as_ref(),
            Step::Undo => self.applied.get(of(&self.applied)?),
            Step::Redo => self.undone.get(of(&self.undone)?),
        };
        Some(Unfinished {
            step: *step,
            seq: begun.seq,
            plan: step.plan(entry?).without(&begun.stood),
            temporary: begun.temporary.clone(),
            made: *made,
        })
    }
}

fn shift(from: &mut Vec<Entry>, to: &mut Vec<Entry>, seq: u64) {
    if let Some(at) = from.iter().position(|entry| entry.seq == seq) {
        to.push(from.remove(at));
    }
}
