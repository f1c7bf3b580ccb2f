//! Memories that cannot both be right.

use super::chars::quote;
use super::pairs::{Conflict, Side};
use super::{Context, Facts, Finding, Rule};
use crate::memory::{Memory, Severity};

/// Two memories say different things of the same.
pub(super) struct Contradiction;

/// Below this certainty it is a suggestion.
const SURE: f64 = 0.8;

/// Contradictions of two memories that are shown; more say that one replaced the other.
const SHOWN: usize = 3;

impl Rule for Contradiction {
    fn id(&self) -> &'static str {
        "contradiction"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "two memories say different things of the same"
    }

    fn compares(&self) -> bool {
        true
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Vec<Finding>) {
        for found in facts.pairs.found(cx) {
            let (Some(a), Some(b)) = (cx.memories.get(found.a), cx.memories.get(found.b)) else {
                continue;
            };
            // Which of them holds has been said already, by one of them or by a person.
            let answered = !found.conflicts.is_empty() && cx.answered(self.id(), found.a, found.b);
            if answered || super::superseded::decides(a, b) {
                continue;
            }
            // The later of the two is where the contradiction came in.
            let later = written(b) >= written(a);
            for conflict in found.conflicts.iter().take(SHOWN) {
                let (index, other) = if later {
                    (found.b, found.a)
                } else {
                    (found.a, found.b)
                };
                let (here, there) = if later {
                    (&conflict.b, &conflict.a)
                } else {
                    (&conflict.a, &conflict.b)
                };
                let name = cx.memories.get(other).map(|memory| memory.id.to_string());
                out.push(finding(
                    self.id(),
                    index,
                    other,
                    &name.unwrap_or_default(),
                    conflict,
                    here,
                    there,
                ));
            }
        }
    }
}

fn written(memory: &Memory) -> Option<i64> {
    memory.updated.or(memory.created).map(|time| time.0)
}

fn finding(
    rule: &'static str,
    memory: usize,
    other: usize,
    name: &str,
    conflict: &Conflict,
    here: &Side,
    there: &Side,
) -> Finding {
    let confidence = conflict.slot.confidence();
    let severity = if confidence >= SURE {
        Severity::Warning
    } else {
        Severity::Info
    };
    let finding = Finding {
        rule,
        severity,
        confidence,
        memory,
        line: here.place.line,
        column: here.place.column,
        place: here.place.bytes.clone(),
        message: format!("{} says otherwise: {}", quote(name), conflict.slot.says()),
        evidence: Vec::new(),
        marks: Vec::new(),
        related: vec![other],
        fix: None,
    };
    [here, there].into_iter().fold(finding, |finding, side| {
        // On one line; a blank is as long as the line end it stands for.
        finding.because_of(
            side.text.replace(['\n', '\r'], " "),
            side.marks.iter().cloned(),
        )
    })
}
