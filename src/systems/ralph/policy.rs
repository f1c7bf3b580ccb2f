//! The policy of Ralph: every entry is injected, by section, as far as the budget goes
//! (specs: ralph-memories R4.5, R5; formats: ralph, "prime / budget" and "Config and injection").
//!
//! The task decides nothing. The dialect `ralph` is the code of Ralph 2.10, its cut in the middle of
//! a text included; `spec` obeys every setting and injects each entry whole or not at all.

pub mod settings;

use std::sync::Arc;

use crate::memory::{Memory, Role, Timestamp, Value, plural, tokens_of};
use crate::retrieval::{
    Asked, Note, Policy, Preview, Reason, STORE, Scorer, Snapshot, Texts, Verdict, memory_at,
    unseen,
};
use crate::systems::ralph::Type;
use settings::Settings;

/// The text that teaches an agent to use memories (R6).
pub const SKILL: &str = include_str!("../../../assets/skill/ralph.md");

/// The policy.
pub static RALPH: Policy = Policy {
    dialects: &["ralph", "spec"],
    flags: &["budget"],
    goes_by_task: |_| false,
    gives_whole: true,
    notes: |limits| Settings::new(limits, Timestamp::default()).notes,
    skill: Some(SKILL),
    ..Policy::new("ralph", |memories| Box::new(RalphScorer(memories)))
};

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
        if let Some(wanted) = asked.wanted {
            return Arc::new(run.verdicts(wanted));
        }
        let pack = pack(settings, run.order(), texts);
        let over = pack.over.iter().filter_map(|(index, end)| {
            // Ralph may cut the last line end off.
            let needed = tokens_of(end - usize::from(!settings.spec));
            let budget = settings.budget.unwrap_or_default();
            let hint = format!("a budget of {needed} tokens brings it in; it is {budget}");
            Some(Verdict::left_out(
                *index,
                run.memory(*index)?,
                (Reason::OverBudget, hint),
            ))
        });
        let mut rejected: Vec<Verdict> = over.take(limits.rejected).collect();
        let room = limits.rejected - rejected.len();
        let others = (0..self.0.len()).filter_map(|index| run.refusal(index));
        rejected.extend(others.take(room));
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
        let notes = notes
            .chain(settings.grounds().map(str::to_owned))
            .chain(skill_note);
        Arc::new(Preview {
            policy: "ralph",
            dialect: if settings.spec { "spec" } else { "ralph" },
            rejected_total: self.0.len().saturating_sub(selected.len()),
            selected,
            rejected,
            prompt: pack.prompt,
            skill,
            budget: settings.budget,
            notes: notes.map(Note::from).collect(),
            ..Preview::default()
        })
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

    /// The memories to inject while there is room, in the order of the prompt.
    fn order(&self) -> Vec<(usize, &'a Memory)> {
        let is_in = |(index, _): &(usize, &Memory)| self.refusal(*index).is_none();
        let all = (0..self.memories.len()).filter_map(|index| Some((index, self.memory(index)?)));
        let mut all: Vec<(usize, &Memory)> = all.filter(is_in).collect();
        all.sort_by_key(|(_, memory)| kind_of(memory));
        all
    }

    /// The verdicts alone, whatever the budget is: no text is read for them.
    fn verdicts(&self, wanted: &[usize]) -> Preview {
        let selected = self.order().into_iter().zip(1..);
        let selected = selected.map(|((index, memory), rank)| Verdict {
            rank: Some(rank),
            ..Verdict::of(index, memory, Reason::Selected)
        });
        let rejected = wanted.iter().filter_map(|index| self.refusal(*index));
        Preview {
            selected: selected.collect(),
            rejected: rejected.collect(),
            ..Preview::default()
        }
    }

    /// Why a memory is left out whatever the budget is.
    fn refusal(&self, index: usize) -> Option<Verdict> {
        let memory = self.memory(index)?;
        let why = match (unseen(memory), &self.settings.disabled) {
            (Some((Reason::Invisible, why)), _) => {
                (Reason::Invisible, format!("Ralph does not see it: {why}"))
            }
            (Some(archived), _) => archived,
            (None, Some(why)) => (Reason::Disabled, why.clone()),
            (None, None) => (Reason::NoMatch, self.settings.misses(memory)?),
        };
        Some(Verdict::left_out(index, memory, why))
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

/// Entries packed into a text.
#[derive(Default)]
struct Pack {
    prompt: String,
    /// The memories whose blocks are whole in it, with the bytes of each and where it ends.
    selected: Vec<(usize, usize, usize)>,
    /// Those that found no room, with where they would end.
    over: Vec<(usize, usize)>,
}

/// Packs memories in their order. The requirements take each whole or not at all; Ralph puts one
/// behind the other and cuts the text in the end.
fn pack<'a>(
    settings: &Settings,
    memories: impl IntoIterator<Item = (usize, &'a Memory)>,
    texts: &dyn Texts,
) -> Pack {
    let budget = settings.budget.unwrap_or(usize::MAX);
    let room = budget.saturating_mul(4);
    let (mut pack, mut section) = (Pack::default(), None);
    for (index, memory) in memories {
        let kind = kind_of(memory);
        let title = if pack.prompt.is_empty() {
            "# Memories\n"
        } else {
            ""
        };
        let header = match section == Some(kind) {
            true => title.to_owned(),
            false => format!("{title}\n## {}\n", kind.section()),
        };
        let block = block(memory, texts, &settings.today);
        let end = pack.prompt.len() + header.len() + block.len();
        if settings.spec && end > room {
            pack.over.push((index, end));
            continue;
        }
        pack.prompt.push_str(&header);
        pack.prompt.push_str(&block);
        pack.selected.push((index, block.len(), end));
        section = Some(kind);
    }
    if pack.prompt.len() > room {
        let kept = cut(&pack.prompt, room);
        // The line end behind a block may be cut off without loss.
        let is_whole = |(.., end): &(usize, usize, usize)| *end <= kept + 1;
        let whole = pack.selected.partition_point(is_whole);
        let lost = pack.selected.split_off(whole).into_iter();
        pack.over = lost.map(|(index, _, end)| (index, end)).collect();
        pack.prompt.truncate(kept);
        let note = format!("\n\n<!-- truncated: budget {budget} tokens exceeded -->");
        pack.prompt.push_str(&note);
    }
    pack
}

/// A memory as it stands in the prompt.
fn block(memory: &Memory, texts: &dyn Texts, today: &str) -> String {
    let content = texts.loader_body(memory).unwrap_or_default();
    let id = memory.id.local.split('#').next().unwrap_or_default();
    let date = date_of(memory);
    let date = date.as_deref().unwrap_or(today);
    let tags = tags_of(memory).join(", ");
    let content = content.replace('\n', "\n> ");
    format!("\n### {id}\n> {content}\n<!-- tags: {tags} | created: {date} -->\n")
}

/// Where Ralph cuts a text that is longer than `room` bytes: behind the last `-->`, whatever it
/// ends, and the line end there, where both are within.
fn cut(text: &str, room: usize) -> usize {
    let mut end = room.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = text.get(..end).unwrap_or_default();
    let Some(last) = head.rfind("-->") else {
        return end;
    };
    let behind = last + "-->".len();
    let rest = head.get(behind..).unwrap_or_default();
    rest.find('\n')
        .map_or(behind, |newline| behind + newline + 1)
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn the_cut_is_that_of_ralphs_code() {
        let text = "# Memories\n\n> a --> b\n<!-- x -->\nrest ü";
        for (room, kept) in [
            (5, "# Mem"),
            (20, "# Memories\n\n> a -->"),
            (22, "# Memories\n\n> a --> b\n"),
            (32, "# Memories\n\n> a --> b\n<!-- x -->"),
            (33, "# Memories\n\n> a --> b\n<!-- x -->\n"),
            (39, "# Memories\n\n> a --> b\n<!-- x -->\n"),
        ] {
            assert_eq!(&text[..cut(text, room)], kept, "{room}");
        }
        assert_eq!(&"aü"[..cut("aü", 2)], "a");
    }
}
