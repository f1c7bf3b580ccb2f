//! The policy of Ralph: every entry is injected, by section, as far as the budget goes
//! (specs: ralph-memories R4.5, R5; formats: ralph, "prime / budget" and "Config and injection").
//!
//! The task decides nothing. `ralph` is the code of Ralph 2.10, its cut in the middle of a text
//! included; `spec` obeys every setting and injects each entry whole or not at all.

mod pack;
mod settings;

use std::sync::{Arc, Mutex, PoisonError};

use crate::memory::{Memory, State, Timestamp, Value, plural, tokens_of};
use crate::retrieval::{
    Asked, Limits, Note, Policy, Preview, Reason, STORE, Scorer, Snapshot, Task, Texts, Verdict,
    memory_at,
};
use crate::systems::ralph::Type;
use pack::{Block, Pack};
use settings::Settings;

/// The text that teaches an agent to use memories (R6).
pub const SKILL: &str = include_str!("../../../assets/skill/ralph.md");

/// Which reading of the requirements decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The real program.
    Ralph,
    /// The requirements.
    Spec,
}

impl Dialect {
    fn named(name: &str) -> Self {
        if name == "spec" {
            Self::Spec
        } else {
            Self::Ralph
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Ralph => "ralph",
            Self::Spec => "spec",
        }
    }
}

/// The policy.
pub struct Ralph;

impl Policy for Ralph {
    fn name(&self) -> &'static str {
        "ralph"
    }

    fn dialects(&self) -> &'static [&'static str] {
        &["ralph", "spec"]
    }

    fn flags(&self) -> &'static [&'static str] {
        &["budget"]
    }

    fn notes(&self, limits: &Limits) -> Vec<String> {
        Settings::new(limits, Timestamp::default()).notes
    }

    fn skill(&self) -> Option<&'static str> {
        Some(SKILL)
    }

    fn whole(&self) -> &'static dyn Policy {
        &Self
    }

    fn goes_by_task(&self, _dialect: &str) -> bool {
        false
    }

    fn scorer(&self, memories: Snapshot) -> Box<dyn Scorer> {
        Box::new(RalphScorer {
            memories,
            order: Mutex::new(None),
            preview: Mutex::new(None),
        })
    }
}

/// The policy at work on a snapshot. The task changes nothing, so what was worked out is kept.
struct RalphScorer {
    memories: Snapshot,
    order: Mutex<Option<Kept<Order>>>,
    preview: Mutex<Option<Kept<Preview>>>,
}

/// Result under these limits on this day.
struct Kept<T> {
    limits: Limits,
    day: String,
    what: Arc<T>,
}

/// The kept one, or another that is kept from now on.
fn kept<T>(
    slot: &Mutex<Option<Kept<T>>>,
    limits: &Limits,
    now: Timestamp,
    make: impl FnOnce() -> T,
) -> Arc<T> {
    let day = now.date();
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    match &*slot {
        Some(kept) if kept.limits == *limits && kept.day == day => kept.what.clone(),
        _ => {
            let what = Arc::new(make());
            *slot = Some(Kept {
                limits: limits.clone(),
                day,
                what: what.clone(),
            });
            what
        }
    }
}

/// Those that are injected where there is room.
struct Order {
    /// In the order of the prompt.
    all: Vec<usize>,
    /// The place of each memory in it, from 1; 0 for those that are left out.
    ranks: Vec<usize>,
}

impl Scorer for RalphScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let Asked {
            task,
            limits,
            what_if,
            texts,
            ..
        } = *asked;
        match what_if {
            None => kept(&self.preview, limits, task.now, || {
                self.previewed(task, limits, None, texts)
            }),
            Some(_) => Arc::new(self.previewed(task, limits, what_if, texts)),
        }
    }

    fn verdicts(
        &self,
        task: &Task,
        limits: &Limits,
        wanted: &[usize],
        _texts: &dyn Texts,
    ) -> Vec<Verdict> {
        let settings = Settings::new(limits, task.now);
        let field = Field {
            memories: &self.memories,
            what_if: None,
            settings: &settings,
        };
        let order = kept(&self.order, limits, task.now, || field.order());
        let verdict = |index: &usize| {
            let memory = self.memories.get(*index)?;
            match order.ranks.get(*index) {
                Some(rank @ 1..) => Some(Verdict {
                    rank: Some(*rank),
                    ..Verdict::of(*index, memory, Reason::Selected)
                }),
                _ => field.left_out(*index),
            }
        };
        wanted.iter().filter_map(verdict).collect()
    }
}

impl RalphScorer {
    fn previewed(
        &self,
        task: &Task,
        limits: &Limits,
        what_if: Option<(usize, &Memory)>,
        texts: &dyn Texts,
    ) -> Preview {
        let settings = Settings::new(limits, task.now);
        let field = Field {
            memories: &self.memories,
            what_if,
            settings: &settings,
        };
        let order = field.order().all;
        let today = task.now.date();
        let mut pack = Pack::new(&settings, limits.rejected);
        for index in order {
            let Some(memory) = field.memory(index) else {
                continue;
            };
            let read = || Block::of(memory, texts, &today);
            pack.offer(index, memory, read);
            if pack.is_done() {
                break;
            }
        }
        let taken = pack.finish();
        let over = taken.over.iter().filter_map(|(index, hint)| {
            let memory = field.memory(*index)?;
            Some(Verdict {
                hint: Some(hint.clone()),
                ..Verdict::of(*index, memory, Reason::OverBudget)
            })
        });
        let mut rejected: Vec<Verdict> = over.take(limits.rejected).collect();
        let room = limits.rejected.saturating_sub(rejected.len());
        if room > 0 {
            rejected.extend(field.all_left_out(room));
        }
        let selected = taken.selected.iter().zip(1..);
        let selected: Vec<Verdict> = selected
            .filter_map(|((index, bytes), rank)| {
                let memory = field.memory(*index)?;
                Some(Verdict {
                    rank: Some(rank),
                    tokens: tokens_of(*bytes),
                    ..Verdict::of(*index, memory, Reason::Selected)
                })
            })
            .collect();
        let skill = settings.skill;
        let skill = skill.then(|| SKILL.replace(STORE, &settings.store));
        Preview {
            parts: Vec::new(),
            policy: "ralph",
            dialect: settings.dialect.name(),
            rejected_total: self.memories.len().saturating_sub(selected.len()),
            selected,
            rejected,
            prompt: taken.prompt,
            skill: skill.clone(),
            budget: settings.budget,
            places: None,
            notes: settings
                .notes
                .iter()
                .cloned()
                .chain(settings.grounds())
                .chain(skill.as_deref().map(skill_note))
                .map(Note::from)
                .collect(),
        }
    }
}

/// Text that goes with the memories.
fn skill_note(skill: &str) -> String {
    format!(
        "the skill that teaches the agent goes with it: {} more (`memkeep skill` prints it)",
        plural(tokens_of(skill.len()), "token")
    )
}

/// The memories as they are judged.
struct Field<'a> {
    memories: &'a Snapshot,
    what_if: Option<(usize, &'a Memory)>,
    settings: &'a Settings,
}

impl<'a> Field<'a> {
    fn memory(&self, index: usize) -> Option<&'a Memory> {
        memory_at(self.memories, self.what_if, index)
    }

    /// Those that are injected where there is room.
    fn order(&self) -> Order {
        let mut kinds = [const { Vec::new() }; Type::ALL.len()];
        for index in 0..self.memories.len() {
            let Some(memory) = self.memory(index) else {
                continue;
            };
            let is_read = memory.state == State::Active && memory.hidden.is_none();
            if is_read
                && self.settings.disabled.is_none()
                && self.settings.misses(memory).is_none()
                && let Some(kind) = kinds.get_mut(kind_of(memory) as usize)
            {
                kind.push(index);
            }
        }
        let all = kinds.concat();
        let mut ranks = vec![0; self.memories.len()];
        for (rank, index) in (1..).zip(&all) {
            if let Some(slot) = ranks.get_mut(*index) {
                *slot = rank;
            }
        }
        Order { all, ranks }
    }

    /// The first that are left out for another reason than the budget.
    fn all_left_out(&self, most: usize) -> Vec<Verdict> {
        let rank = |verdict: &Verdict| match verdict.reason {
            Reason::Disabled => 0,
            Reason::NoMatch => 1,
            Reason::Invisible => 2,
            _ => 3,
        };
        let all = 0..self.memories.len();
        let mut out: Vec<Verdict> = all.filter_map(|index| self.left_out(index)).collect();
        out.sort_by_key(rank);
        out.truncate(most);
        out
    }

    /// Why a memory is left out whatever the budget is.
    fn left_out(&self, index: usize) -> Option<Verdict> {
        let memory = self.memory(index)?;
        let (reason, hint) = if memory.state == State::Archived {
            let hint = "it is archived: restore it".to_owned();
            (Reason::Archived, hint)
        } else if let Some(why) = &memory.hidden {
            (Reason::Invisible, format!("Ralph does not see it: {why}"))
        } else if let Some(why) = &self.settings.disabled {
            (Reason::Disabled, why.clone())
        } else {
            (Reason::NoMatch, self.settings.misses(memory)?)
        };
        Some(Verdict {
            hint: Some(hint),
            ..Verdict::of(index, memory, reason)
        })
    }
}

/// The type of a memory; one of another system counts as a pattern.
fn kind_of(memory: &Memory) -> Type {
    let word = memory.role(crate::memory::Role::Type);
    word.and_then(Value::as_str)
        .and_then(Type::named)
        .unwrap_or_default()
}

/// Its tags as Ralph reads them.
fn tags_of(memory: &Memory) -> Vec<&str> {
    let seen = memory.seen.as_ref().and_then(|seen| seen.get("tags"));
    match seen {
        Some(value) => value.items().filter_map(Value::as_str).collect(),
        None => memory.tags().collect(),
    }
}

/// Its date as Ralph reads it; none where Ralph takes the day it reads.
fn date_of(memory: &Memory) -> Option<String> {
    let seen = memory.seen.as_ref().and_then(|seen| seen.get("created"));
    let own = || memory.role(crate::memory::Role::Created);
    let text = seen.or_else(own).and_then(Value::as_str)?;
    // Another system's date has a time, which Ralph does not know.
    match memory.created {
        Some(at) if text.chars().count() > 10 => Some(at.date()),
        _ => Some(text.to_owned()),
    }
}
