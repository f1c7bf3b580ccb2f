//! Questions about two memories, by the real rules, and what was answered.

use memkeep::app::msg::Change;
use memkeep::lint::decisions::{Decision, Decisions, fingerprint, to_line};
use memkeep::lint::repository::Nowhere;
use memkeep::lint::{self, Context, Finding, Selection};
use memkeep::memory::{Memory, MemoryId};
use memkeep::retrieval::{Snapshot, Texts};

use crate::fixtures::{NOW, Note};

/// The texts of notes.
pub struct Notes<'a>(pub &'a [Note]);

impl Notes<'_> {
    fn note(&self, memory: &Memory) -> Option<&Note> {
        self.0.iter().find(|note| *note.local == *memory.id.local)
    }
}

impl Texts for Notes<'_> {
    fn body(&self, memory: &Memory) -> Option<String> {
        Some(self.note(memory)?.body.clone())
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        self.body(memory)
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        Some(self.note(memory)?.text())
    }
}

/// What the rules about pairs ask, answers left out.
pub fn questions(memories: &Snapshot, notes: &[Note], answers: &str) -> Vec<Finding> {
    let (texts, decisions) = (Notes(notes), Decisions::parse(answers));
    let cx = Context {
        decisions: &decisions,
        ..Context::new(memories, &texts, NOW, &Nowhere)
    };
    let rules = Selection::of(&["contradiction", "near-duplicate", "failure-log"]).unwrap();
    lint::run(&cx, &rules)
}

/// The lines of the answers in a change.
pub fn answered(change: &Change, memories: &Snapshot, notes: &[Note]) -> String {
    match change {
        Change::Together(all) => {
            let lines = all.iter().map(|one| answered(one, memories, notes));
            lines.collect()
        }
        Change::Answer {
            rule,
            a,
            b,
            answer,
            scope,
        } => {
            let print = |id: &MemoryId| {
                let memory = memories.iter().find(|memory| memory.id == *id).unwrap();
                let text = Notes(notes).text(memory).unwrap();
                fingerprint(rule, memory, &text)
            };
            let answer = Decision::answer(rule, (a, print(a)), (b, print(b)), *answer);
            let reason = scope.clone();
            to_line(&Decision { reason, ..answer })
        }
        _ => String::new(),
    }
}
