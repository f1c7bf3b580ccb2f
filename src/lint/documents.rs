//! Memories that repeat a document of the project.

use std::collections::BTreeMap;

use super::chars::quote;
use super::pairs::{Likeness, documents, pairs};
use super::{Collector, Context, Facts, Finding, Rule};
use crate::memory::Severity;

/// The share of a memory that stands in one document: as much as makes one memory contained in
/// another, and as much as is worth a suggestion.
const SHARE: f64 = 0.7;
const PART: f64 = 0.4;

/// Reports memories that repeat a document.
pub(super) fn finish(rule: &Rule, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
    let documents = documents(cx, facts);
    // For each memory the document that has most of it, and the share; of several the first.
    let mut best: BTreeMap<usize, (f64, &str)> = BTreeMap::new();
    for found in pairs(cx, facts) {
        let document = found.b.checked_sub(cx.memories.len());
        let document = document.and_then(|n| documents.get(n));
        // A memory with a number or a name that the document does not have is no repetition, and one
        // of a single statement has to stand there word for word.
        let is_repetition =
            |alike: &Likeness| found.conflicts.is_empty() && (!alike.single || alike.share >= 1.0);
        let Some((document, alike)) = document.zip(found.alike.filter(is_repetition)) else {
            continue;
        };
        let known = best.entry(found.a).or_default();
        if alike.of_first > known.0 {
            *known = (alike.of_first, &document.path);
        }
    }
    for (memory, (share, path)) in best.into_iter().filter(|(_, (share, _))| *share >= PART) {
        let (severity, says) = match share >= SHARE {
            true => (rule.severity, "says this already"),
            false => (Severity::Info, "says a part of this already"),
        };
        let percent = (share * 100.0).round();
        let line = cx.memories.get(memory).map_or(1, |memory| memory.line);
        let mut finding = Finding::new(rule.id, severity, memory, line)
            .sure(0.6 + 0.35 * share)
            .says(format!("{} {says}", quote(path)))
            .because(format!("{percent}% of its wording stands there"));
        finding.source = Some(path.to_owned());
        out.push(finding);
    }
}
