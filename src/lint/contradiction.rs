//! Memories that cannot both be right.

use super::chars::quote;
use super::pairs::{Side, Slot};
use super::{Context, Facts, Finding, Look, Out, Rule};
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

    /// A document of the project is no memory: what it says stands against one at a time.
    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        out.extend(super::repeats::contradicted(look));
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Out<'_, '_>) {
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
            let (memory, other) = match later {
                true => (found.b, found.a),
                false => (found.a, found.b),
            };
            for (n, conflict) in found.conflicts.iter().take(SHOWN).enumerate() {
                out.told(
                    finding(self.id(), memory, other, conflict.slot),
                    |finding| {
                        let name = cx.memories.get(other).map(|memory| memory.id.to_string());
                        let name = quote(&name.unwrap_or_default());
                        finding.message =
                            format!("{name} says otherwise: {}", conflict.slot.says());
                        if let Some(sides) = facts.pairs.sides(cx, found, n) {
                            let [a, b] = &*sides;
                            tell(finding, if later { [b, a] } else { [a, b] });
                        }
                    },
                );
            }
        }
    }
}

fn written(memory: &Memory) -> Option<i64> {
    memory.updated.or(memory.created).map(|time| time.0)
}

fn finding(rule: &'static str, memory: usize, other: usize, slot: Slot) -> Finding {
    let confidence = slot.confidence();
    let severity = if confidence >= SURE {
        Severity::Warning
    } else {
        Severity::Info
    };
    Finding {
        rule,
        severity,
        confidence,
        memory,
        line: 1,
        column: 1,
        place: None,
        message: String::new(),
        evidence: Vec::new(),
        marks: Vec::new(),
        related: vec![other],
        fix: None,
    }
}

/// Says what stands here and there.
fn tell(finding: &mut Finding, [here, there]: [&Side; 2]) {
    (finding.line, finding.column) = (here.place.line, here.place.column);
    finding.place.clone_from(&here.place.bytes);
    for side in [here, there] {
        // On one line; a blank is as long as the line end it stands for.
        let text = side.text.replace(['\n', '\r'], " ");
        finding.show(text, side.marks.iter().cloned());
    }
}
