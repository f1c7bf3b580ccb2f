//! The policy of Ralph: every entry is injected, by section, as far as the budget goes
//! (specs: ralph-memories R4.5, R5; formats: ralph, "prime / budget" and "Config and injection").
//!
//! The task decides nothing. The dialect `ralph` is the code of Ralph 2.10, its cut in the middle of
//! a text included; `spec` obeys every setting and injects each entry whole or not at all.

mod pack;
pub mod settings;

use std::sync::Arc;

use crate::memory::{Memory, Role, State, Timestamp, Value, plural, tokens_of};
use crate::retrieval::{
    Asked, Limits, Note, Policy, Preview, Reason, STORE, Scorer, Snapshot, Task, Texts, Verdict,
    memory_at,
};
use crate::systems::ralph::Type;
use pack::Pack;
use settings::Settings;

/// The text that teaches an agent to use memories (R6).
pub const SKILL: &str = include_str!("../../../assets/skill/ralph.md");

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
        Box::new(RalphScorer(memories))
    }
}

/// The policy at work on a snapshot.
struct RalphScorer(Snapshot);

impl Scorer for RalphScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let (task, limits, texts) = (asked.task, asked.limits, asked.texts);
        let settings = &Settings::new(limits, task.now);
        let run = Run {
            memories: &self.0,
            what_if: asked.what_if,
            settings,
        };
        let mut pack = Pack::new(settings, limits.rejected);
        for (index, memory) in run.order() {
            pack.offer(index, memory, texts);
            if pack.is_done() {
                break;
            }
        }
        let pack = pack.finish();
        let over = pack.over.into_iter().filter_map(|(index, hint)| {
            Some(Verdict {
                hint: Some(hint),
                ..Verdict::of(index, run.memory(index)?, Reason::OverBudget)
            })
        });
        let mut rejected: Vec<Verdict> = over.take(limits.rejected).collect();
        let room = limits.rejected - rejected.len();
        rejected.extend(run.left_out(room));
        let selected = pack.selected.iter().zip(1..);
        let selected = selected.filter_map(|((index, bytes, _), rank)| {
            Some(Verdict {
                rank: Some(rank),
                tokens: tokens_of(*bytes),
                ..Verdict::of(*index, run.memory(*index)?, Reason::Selected)
            })
        });
        let selected: Vec<Verdict> = selected.collect();
        let skill = || SKILL.replace(STORE, &settings.store);
        let skill = settings.skill.then(skill);
        let skill_note = skill.as_deref().map(|skill| {
            format!(
                "the skill that teaches the agent goes with it: {} more (`memkeep skill` prints it)",
                plural(tokens_of(skill.len()), "token")
            )
        });
        let notes = settings.notes.iter().cloned();
        let notes = notes.chain(settings.grounds()).chain(skill_note);
        Arc::new(Preview {
            parts: Vec::new(),
            policy: "ralph",
            dialect: if settings.spec { "spec" } else { "ralph" },
            rejected_total: self.0.len().saturating_sub(selected.len()),
            selected,
            rejected,
            prompt: pack.prompt,
            skill,
            budget: settings.budget,
            places: None,
            notes: notes.map(Note::from).collect(),
        })
    }

    fn verdicts(
        &self,
        task: &Task,
        limits: &Limits,
        wanted: &[usize],
        _texts: &dyn Texts,
    ) -> Vec<Verdict> {
        let run = Run {
            memories: &self.0,
            what_if: None,
            settings: &Settings::new(limits, task.now),
        };
        let mut ranks = vec![None; self.0.len()];
        for (rank, (index, _)) in (1..).zip(run.order()) {
            if let Some(slot) = ranks.get_mut(index) {
                *slot = Some(rank);
            }
        }
        let verdict = |index: &usize| match ranks.get(*index)? {
            None => run.refusal(*index),
            rank => Some(Verdict {
                rank: *rank,
                ..Verdict::of(*index, self.0.get(*index)?, Reason::Selected)
            }),
        };
        wanted.iter().filter_map(verdict).collect()
    }
}

/// The memories as they are judged.
struct Run<'a> {
    memories: &'a [Arc<Memory>],
    what_if: Option<(usize, &'a Memory)>,
    settings: &'a Settings,
}

impl<'a> Run<'a> {
    fn memory(&self, index: usize) -> Option<&'a Memory> {
        memory_at(self.memories, self.what_if, index)
    }

    /// Those that are injected where there is room, in the order of the prompt.
    fn order(&self) -> Vec<(usize, &'a Memory)> {
        let is_in = |(_, memory): &(usize, &Memory)| {
            memory.state == State::Active
                && memory.hidden.is_none()
                && self.settings.disabled.is_none()
                && self.settings.misses(memory).is_none()
        };
        let all = (0..self.memories.len()).filter_map(|index| Some((index, self.memory(index)?)));
        let mut all: Vec<(usize, &Memory)> = all.filter(is_in).collect();
        all.sort_by_key(|(_, memory)| kind_of(memory));
        all
    }

    /// The first that are left out for another reason than the budget.
    fn left_out(&self, most: usize) -> Vec<Verdict> {
        if most == 0 {
            return Vec::new();
        }
        let all = 0..self.memories.len();
        let mut out: Vec<Verdict> = all.filter_map(|index| self.refusal(index)).collect();
        out.sort_by_key(|verdict| match verdict.reason {
            Reason::Disabled => 0,
            Reason::NoMatch => 1,
            Reason::Invisible => 2,
            _ => 3,
        });
        out.truncate(most);
        out
    }

    /// Why a memory is left out whatever the budget is.
    fn refusal(&self, index: usize) -> Option<Verdict> {
        let memory = self.memory(index)?;
        let (reason, hint) = if memory.state == State::Archived {
            (Reason::Archived, "it is archived: restore it".to_owned())
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
    let word = memory.role(Role::Type).and_then(Value::as_str);
    word.and_then(Type::named).unwrap_or_default()
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
    let own = || memory.role(Role::Created);
    let text = seen.or_else(own).and_then(Value::as_str)?;
    // Another system's date has a time, which Ralph does not know.
    match memory.created {
        Some(at) if text.chars().count() > 10 => Some(at.date()),
        _ => Some(text.to_owned()),
    }
}
