//! Titles of changes.

use std::sync::Arc;

use crate::curate::{Change, Silenced};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, first_line};

/// Describes a change in the past tense, with asterisks in place of secrets.
pub(super) fn title(change: &Change, memories: &[Arc<Memory>]) -> String {
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

/// Describes a merge of two memories: the one that is left, and the one in the archive.
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

    fn said(change: &Change) -> String {
        let long = "Sailing times are stored as local times of the port, never as UTC";
        // Made here, so that no scanner finds one in this file.
        let secret = format!(
            "The token of the deploy user on all hosts is {}",
            "ghp_q7Zk2Lm9Xw".to_owned() + &"q7Zk2Lm9Xw".repeat(3)
        );
        let titles = [
            ("a", "Pool"),
            ("b", "Sizes"),
            ("c", "Pool"),
            ("d", long),
            ("e", &secret),
        ];
        let all: Vec<Arc<Memory>> = titles
            .into_iter()
            .map(|(local, title)| Arc::new(memory(local, title, &[], "low", 1)))
            .collect();
        title(change, &all)
    }

    #[test]
    fn what_is_left_of_two_is_said() {
        let id = |local: &str| memory(local, "", &[], "low", 1).id;
        let merge = |keep, with| Change::merge(&id(keep), &id(with));
        let answer = |with| Change::Answer {
            rule: "contradiction".to_owned(),
            a: id("a"),
            b: id(with),
            answer: crate::curate::Resolution::Merge,
            scope: None,
        };
        let fix = |change| Change::Fix(vec![change]);
        for (change, words) in rows! {
            merge("a", "b") => "kept “Pool”, “Sizes” is archived",
            merge("a", "c") => "kept rawko:a, rawko:c is archived",
            merge("d", "a") =>
                "kept “Sailing times are stored as local times of the port, never as UTC”, “Pool” is archived",
            Change::Together(vec![answer("b"), merge("a", "b")]) =>
                "kept “Pool”, “Sizes” is archived",
            fix(Change::Archive(vec![id("a")])) => "archived “Pool”",
            fix(merge("a", "b")) => "kept “Pool”, “Sizes” is archived",
            fix(Change::Normalize(id("a"))) => "fixed “Pool”",
            Change::Fix(vec![Change::Archive(vec![id("a")]), Change::Archive(vec![id("b")])]) =>
                "archived 2 memories",
        } {
            assert_eq!(said(&change), words);
        }
        let secret = said(&Change::Archive(vec![id("e")]));
        assert!(!secret.contains("Zk2"), "{secret}");
    }
}
