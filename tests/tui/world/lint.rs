//! A few rules.

use memkeep::curate::Change;
use memkeep::lint::{Finding, Fix};
use memkeep::memory::edit::FieldEdit;
use memkeep::memory::{Memory, State, Value};
use memkeep::retrieval::Snapshot;

use crate::fixtures::{Note, severity};

pub fn findings(memories: &Snapshot) -> Vec<Finding> {
    let mut out = Vec::new();
    for (n, memory) in memories.iter().enumerate() {
        if memory.state == State::Archived {
            continue;
        }
        for (at, item) in memory
            .field("whenToUse")
            .into_iter()
            .flat_map(Value::items)
            .enumerate()
        {
            let pattern = item.to_string();
            let place = Note::text_of(memory)
                .find(&pattern)
                .map(|from| from..from + pattern.len());
            if pattern == ".*" {
                out.push(finding(
                    n,
                    "pattern-matches-all",
                    true,
                    at,
                    place,
                    "`.*` matches every task",
                    None,
                ));
            } else if pattern.contains('|') && pattern.contains('*') {
                let edits = vec![
                    FieldEdit::SetItem {
                        field: "whenToUse".to_owned(),
                        index: at,
                        value: Value::from("oauth"),
                    },
                    FieldEdit::AddItem {
                        field: "whenToUse".to_owned(),
                        item: Value::from("social.*auth"),
                    },
                ];
                let fix = Fix {
                    title: "split into two patterns".to_owned(),
                    memory: n,
                    change: Change::edit(&memory.id, edits),
                    safe: true,
                };
                let message = format!(
                    "`{pattern}` never matches \"social media auth\": inside | everything is literal"
                );
                out.push(finding(
                    n,
                    "pattern-alternative-regex",
                    true,
                    at,
                    place,
                    &message,
                    Some(fix),
                ));
            }
        }
        if memory.words < 9 {
            let message = format!(
                "the body has {} words; 200 to 500 are read best",
                memory.words
            );
            out.push(finding(n, "body-length", false, 8, None, &message, None));
        }
    }
    out.sort_by_key(|finding| finding.severity);
    out
}

impl Note {
    fn text_of(memory: &Memory) -> String {
        let notes = crate::fixtures::notes();
        let note = notes.iter().find(|note| *note.local == *memory.id.local);
        note.map(Note::text).unwrap_or_default()
    }
}

fn finding(
    memory: usize,
    rule: &'static str,
    warning: bool,
    at: usize,
    place: Option<std::ops::Range<usize>>,
    message: &str,
    fix: Option<Fix>,
) -> Finding {
    Finding {
        confidence: if warning { 0.99 } else { 0.6 },
        column: 6,
        place,
        message: message.to_owned(),
        fix: fix.map(Box::new),
        ..Finding::new(
            rule,
            severity(warning),
            memory,
            u32::try_from(at + 4).unwrap_or(1),
        )
    }
}
