//! Turns a change as a person asks for it into a plan with a title, and carries it out.

use std::sync::Arc;

use super::{Collection, Done};
use crate::curate::{Change, Plan, Silenced};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, Timestamp, first_line};
use crate::store::Result;
use crate::store::queue::Review;

impl Collection {
    /// Plans a change, carries it out and remembers it.
    pub fn change(&self, change: &Change, all: &[Arc<Memory>], now: Timestamp) -> Result<Done> {
        if *change == Change::Init {
            return self.make(self.writable(None)?, now);
        }
        if let Change::Accept { .. } | Change::Reject(..) = change {
            let all = Arc::new(all.to_vec());
            return Review::open(self, "HEAD", &all)?.decide(change, now);
        }
        let plan = self.plan(change, all, now)?;
        let ids = change.journal_ids();
        self.carry_out(plan, change.action(), ids, now)
    }

    /// Turns a change into a plan for the files as they are; dates and ids are those of `now`.
    pub fn plan(&self, change: &Change, all: &[Arc<Memory>], now: Timestamp) -> Result<Plan> {
        self.planned(change, all, now, false)
    }

    /// The same for a person to look at: the notes name the effects of the change on agents.
    pub fn preview(&self, change: &Change, all: &[Arc<Memory>], now: Timestamp) -> Result<Plan> {
        self.planned(change, all, now, true)
    }

    fn planned(
        &self,
        change: &Change,
        memories: &[Arc<Memory>],
        now: Timestamp,
        plays: bool,
    ) -> Result<Plan> {
        if let Change::Accept { .. } | Change::Reject(..) = change {
            let all = Arc::new(memories.to_vec());
            return Review::open(self, "HEAD", &all)?.plan(change, now);
        }
        let mut overlay = self.overlay(now);
        let mut planner = self.planner(memories, &mut overlay);
        planner.may_follow(change)?;
        planner.stage(change)?;
        if plays {
            let effects = self.effects((&self.overlay(now), &overlay), memories);
            effects.into_iter().for_each(|one| overlay.note(Some(one)));
        }
        let mut plan = overlay.into_plan(title(change, memories));
        let parts = match change {
            Change::Together(all) => all,
            one => std::slice::from_ref(one),
        };
        for part in parts {
            if let Change::Prune(all) = part {
                let reasons = all.iter().map(|(id, why)| (id.to_string(), why.clone()));
                plan.reasons.extend(reasons);
            }
        }
        Ok(plan)
    }
}

/// Describes a change in the past tense, with asterisks in place of secrets.
fn title(change: &Change, memories: &[Arc<Memory>]) -> String {
    crate::lint::mask(&done(change, memories)).into_owned()
}

fn done(change: &Change, memories: &[Arc<Memory>]) -> String {
    match change {
        Change::Edit { edits, .. } => {
            let mut fields: Vec<&str> = edits.iter().map(FieldEdit::field_name).collect();
            fields.dedup();
            format!("{}: {}", about(change, memories), fields.join(", "))
        }
        Change::Add { title, body, .. } => {
            let shown = if title.is_empty() {
                first_line(body)
            } else {
                title
            };
            format!("added “{shown}”")
        }
        Change::Rename { id, to, .. } => format!("renamed {} to {to}", id.local),
        Change::Prune(all) => match all.as_slice() {
            [(_, why)] => format!("{}: {why}", about(change, memories)),
            _ => about(change, memories),
        },
        Change::Version { version, .. } => {
            let then = version.time.map(|at| format!(" of {}", at.date()));
            let (rev, then) = (version.short(), then.unwrap_or_default());
            format!("{} to {rev}{then}", about(change, memories))
        }
        Change::Rule { file, .. } => {
            let file = file.file_name().unwrap_or_default().to_string_lossy();
            format!("{} to a rule in {file}", about(change, memories))
        }
        Change::Merge { keep, with } => merged(keep, with, memories),
        Change::Convert { to, .. } => format!("{} to {}", about(change, memories), to.name()),
        Change::Expect(task) => format!("recorded what “{}” must be given", task.name()),
        Change::Init => "made a store".to_owned(),
        Change::Fix(fixes) | Change::SafeFixes(fixes) => match fixes.as_slice() {
            [Change::Merge { keep, with }] => merged(keep, with, memories),
            _ => about(change, memories),
        },
        Change::Answer { a, b, answer, .. } => {
            let (a, b) = (name(a, memories), name(b, memories));
            format!("answered {}: {a} and {b}", answer.word())
        }
        Change::Silence { found, .. } => match found.as_slice() {
            [Silenced { rule, ids, .. }] => {
                let first = ids.first().map(|id| name(id, memories));
                format!("silenced {rule} of {}", first.unwrap_or_default())
            }
            _ => format!("silenced {} findings", found.len()),
        },
        Change::Together(all) => {
            // A merge also stands for the answer that led to it.
            let merges = all.iter().any(|one| matches!(one, Change::Merge { .. }));
            let all = all.iter();
            let all = all.filter(|one| !(merges && matches!(one, Change::Answer { .. })));
            let mut titles: Vec<String> = all.map(|one| done(one, memories)).collect();
            titles.dedup();
            titles.join(" · ")
        }
        _ => about(change, memories),
    }
}

/// The verb of a change in the past tense, with the memories that it is about.
fn about(change: &Change, memories: &[Arc<Memory>]) -> String {
    let verb = change.verb();
    match change.ids().as_slice() {
        [id] => format!("{verb} {}", name(id, memories)),
        ids => format!("{verb} {} memories", ids.len()),
    }
}

fn merged(keep: &MemoryId, with: &MemoryId, memories: &[Arc<Memory>]) -> String {
    let [mut left, mut other] = [keep, with].map(|id| name(id, memories));
    if left == other {
        [left, other] = [keep, with].map(ToString::to_string);
    }
    format!("kept {left}, {other} is archived")
}

/// The title of a memory, else its id.
fn name(id: &MemoryId, memories: &[Arc<Memory>]) -> String {
    match memories.iter().find(|memory| memory.id == *id) {
        Some(memory) => format!("“{}”", crate::lint::mask(&memory.title)),
        None => id.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;
    use crate::search::tests::memory;

    #[test]
    fn a_title_names_one_memory_or_counts_several_and_masks_secrets() {
        // Made here, so that no scanner finds one in this file.
        let secret = "token ghp_q7Zk2Lm9Xw".to_owned() + &"q7Zk2Lm9Xw".repeat(3);
        let titles = [("a", "Pool"), ("b", "Sizes"), ("c", "Pool"), ("e", &secret)];
        let all = titles.map(|(local, title)| Arc::new(memory(local, title, &[], "low", 1)));
        let id = |local: &str| memory(local, "", &[], "low", 1).id;
        let archive = |local| Change::Archive(vec![id(local)]);
        for (change, words) in rows! {
            Change::merge(&id("a"), &id("c")) => "kept rawko:a, rawko:c is archived",
            Change::Fix(vec![archive("a")]) => "archived “Pool”",
            Change::Fix(vec![Change::Normalize(id("a"))]) => "fixed “Pool”",
            Change::Fix(vec![archive("a"), archive("b")]) => "archived 2 memories",
        } {
            assert_eq!(title(&change, &all), words);
        }
        let secret = title(&archive("e"), &all);
        assert!(!secret.contains("Zk2"), "{secret}");
    }
}
