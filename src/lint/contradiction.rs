//! Memories that cannot both be right.

use super::chars::quote;
use super::pairs::{against, differing, differing_words, pairs, shown, tell};
use super::succession::decides;
use super::{Collector, Context, Facts, Finding, MarkedBy, Rule, Subject, documents};
use crate::memory::Severity;

/// The heading of text that a merge appends to a memory.
const UPDATE: &str = "\n## Update (";

/// Maximum number of contradictions that are shown for two memories.
const SHOWN: usize = 3;

/// Reports what contradicts a document of the project, or the rest of its own memory.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    out.extend(documents::contradicted(rule.id, subject));
    out.extend(updated(rule.id, subject));
}

/// Reports memories that contradict each other.
pub(super) fn finish(rule: &Rule, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
    if let Some(unread) = cx.decisions.note() {
        facts.note(rule.id, unread);
    }
    let all = pairs(cx, facts).iter();
    for found in all.filter(|found| found.alike.is_none()) {
        let (Some(a), Some(b)) = (cx.memories.get(found.a), cx.memories.get(found.b)) else {
            continue;
        };
        // A field or an answer already decides which of the two holds.
        if cx.answered(rule.id, found.a, found.b) || decides(a, b) {
            continue;
        }
        // The later memory introduced the contradiction.
        let later = b.written() >= a.written();
        let (memory, other) = match later {
            true => (found.b, found.a),
            false => (found.a, found.b),
        };
        for conflict in found.conflicts.iter().take(SHOWN) {
            let severity = Severity::of(conflict.warns);
            let name = cx.memories.get(other).map(|memory| memory.id.to_string());
            let mut finding = Finding::of_pair((rule.id, severity), (memory, 1), vec![other])
                .marked_by(MarkedBy::Statements)
                .sure(conflict.confidence)
                .says(against(
                    conflict.difference,
                    &quote(&name.unwrap_or_default()),
                ));
            let [a, b] = &conflict.sides;
            tell(cx, &mut finding, if later { [b, a] } else { [a, b] });
            finding.message += &differing_words(&finding);
            out.push(finding);
        }
    }
}

/// Reports text that a merge appended and that contradicts the rest of its memory.
fn updated(rule: &'static str, subject: &Subject<'_>) -> Option<Finding> {
    let (start, body) = subject.body();
    let mut parts = body.match_indices(UPDATE).map(|(at, _)| at);
    let (found, [(here, marks), (there, marks_there)]) = parts.find_map(|at| {
        let (before, part) = body.split_at(at);
        let (found, [(here, marks), there]) =
            differing(part, (before, 0..before.len()), subject.cx.weights)?;
        Some((found, [(at + here.start..at + here.end, marks), there]))
    })?;
    let [here, there] = [here, there].map(|at| start + at.start..start + at.end);
    let in_file = subject.cx.texts.places(subject.memory, &[there.start]);
    let in_file = in_file.and_then(|places| places.first().copied());
    let line = in_file.map_or_else(|| subject.at(there.start).line, |(line, _)| line);
    let source = format!("line {line}");
    let there = (subject.text, (there, marks_there));
    Some(shown(
        (rule, subject),
        &found,
        (here, marks),
        there,
        (&source, ""),
    ))
}
