//! Memories that cannot both be right.

use std::ops::Range;

use super::chars::quote;
use super::pairs::{Side, Slot, denied, denies_itself};
use super::{Context, Facts, Finding, Look, Out, Rule};
use crate::memory::{Memory, Severity};

/// Two memories say different things of the same.
pub(super) struct Contradiction;

/// Below this certainty it is a suggestion.
const SURE: f64 = 0.8;

/// What stands above a part that was put behind the rest.
const UPDATE: &str = "\n## Update (";

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
        out.extend(updated(look));
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Out<'_, '_>) {
        if let Some(unread) = cx.answers.unread() {
            facts.note(self.id(), unread);
        }
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
                            format!("{}: {name} says otherwise", conflict.slot.says());
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

/// A part that was put behind the rest of a memory, as a merge does, or a paragraph behind another
/// one, that says otherwise.
fn updated(look: &Look<'_>) -> Option<Finding> {
    let (start, body) = look.body();
    let mut parts = body.match_indices(UPDATE).map(|(at, _)| at);
    let update = parts.find_map(|at| {
        let (before, part) = body.split_at(at);
        let (slot, [(here, marks), there]) = denied(part, before, 0..before.len())?;
        Some((slot, [(at + here.start..at + here.end, marks), there]))
    });
    let within = || {
        paragraphs(body)
            .iter()
            .find_map(|section| denies_itself(body, section))
    };
    let (slot, sides) = update.or_else(within)?;
    let [(here, marks), (there, marks_there)] =
        sides.map(|(bytes, marks)| (start + bytes.start..start + bytes.end, marks));
    let in_file = look.cx.texts.place(look.memory, there.start);
    let line = in_file.map_or_else(|| look.at(there.start).line, |(line, _)| line);
    let finding = look.finding("contradiction", Severity::Warning, look.at(here.start));
    let mut finding = finding
        .about(here.clone())
        .sure(slot.confidence())
        .says(format!("{}: line {line} says otherwise", slot.says()));
    let masked = super::mask(look.text);
    for (bytes, marks) in [(here, marks), (there, marks_there)] {
        let text = masked.get(bytes).unwrap_or_default();
        finding.show(text.replace(['\n', '\r'], " "), marks);
    }
    Some(finding)
}

/// The paragraphs of language below each heading, where there are several. What a line with a
/// colon announces is one of several things, as an item of a list is.
fn paragraphs(body: &str) -> Vec<Vec<Range<usize>>> {
    let mut sections: Vec<Vec<Range<usize>>> = vec![Vec::new()];
    let (mut fence, mut at, mut open, mut announced) = (None, 0, false, false);
    for line in body.split_inclusive('\n') {
        let (start, was) = (at, fence);
        at += line.len();
        fence = super::body::step(fence, line);
        let text = line.trim();
        let Some(section) = sections.last_mut() else {
            break;
        };
        if text.is_empty() || was.is_some() || fence.is_some() {
            open = false;
        } else if text.starts_with('#') {
            sections.push(Vec::new());
            (open, announced) = (false, false);
        } else if let Some(last) = section.last_mut().filter(|_| open) {
            last.end = at;
            announced = text.ends_with(':');
        } else {
            let language = text.starts_with(|c: char| c.is_alphabetic() || c == '`');
            if language && !announced && !text.ends_with(':') {
                section.push(start..at);
                open = true;
            }
            announced = text.ends_with(':');
        }
    }
    sections.retain(|section| section.len() > 1);
    sections
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
