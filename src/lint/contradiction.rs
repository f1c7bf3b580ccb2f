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

/// Reports a memory that contradicts a document, or itself where a merge appended text.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    documents::gather(rule, subject);
    let (start, body) = subject.body();
    let merged = body.match_indices(UPDATE).find_map(|(at, _)| {
        let (before, part) = body.split_at(at);
        let (found, [(here, marks), there]) =
            differing(part, (before, 0..before.len()), subject.cx.weights)?;
        let at = start + at;
        Some((found, (at + here.start..at + here.end, marks), there))
    });
    out.extend(merged.map(|(found, here, (there, marks))| {
        let there = start + there.start..start + there.end;
        let source = format!("line {}", subject.at(there.start).line);
        let there = (subject.text, (there, marks));
        shown(
            (rule, subject),
            (&found, true),
            here,
            there,
            (source, String::new()),
        )
    }));
}

/// Reports memories that contradict each other.
pub(super) fn finish(rule: &Rule, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
    if let Some(unread) = cx.decisions.note() {
        facts.note(rule.id, unread);
    }
    documents::finish(facts, out);
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
