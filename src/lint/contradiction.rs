//! Memories that cannot both be right, with each other, with a document, or with themselves.

use std::collections::HashMap;

use itertools::Itertools as _;

use super::chars::quote;
use super::pairs::{Conflict, Found, against, differing_words, documents, pairs, tell};
use super::succession::decides;
use super::{Collector, Context, Facts, Finding, Rule};
use crate::memory::Severity;

/// Maximum number of contradictions that are shown for two memories.
const SHOWN: usize = 3;

/// So many memories that contradict one statement of a document fill in a template.
const TEMPLATE: usize = 4;

/// Reports memories that contradict each other, a document or, after a merge, themselves.
pub(super) fn finish(rule: &Rule, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
    if let Some(unread) = cx.decisions.note() {
        facts.note(rule.id, unread);
    }
    let found = pairs(cx, facts)
        .iter()
        .filter(|found| found.alike.is_none());
    let (of_memories, of_documents): (Vec<_>, Vec<_>) =
        found.partition(|found| found.b < cx.memories.len());
    for found in of_memories {
        let Some((a, b)) = cx.memories.get(found.a).zip(cx.memories.get(found.b)) else {
            continue;
        };
        // A field or an answer already decides which of the two holds.
        if cx.answered(rule.id, found.a, found.b) || decides(a, b) {
            continue;
        }
        // The later memory introduced the contradiction.
        let is_later = found.a != found.b && b.written() >= a.written();
        for conflict in found.conflicts.iter().take(SHOWN) {
            let [one, other] = &conflict.sides;
            let (memory, related, [one, other]) = match (found.a == found.b, is_later) {
                (true, _) => (found.a, None, [one, other]),
                (_, true) => (found.b, Some(found.a), [other, one]),
                _ => (found.a, Some(found.b), [one, other]),
            };
            let related = related.and_then(|index| Some((index, cx.memories.get(index)?)));
            let name = related.map(|(_, memory)| quote(&memory.id.to_string()));
            let name = name.unwrap_or_else(|| format!("line {}", other.place.line));
            let mut finding = finding(rule, memory, conflict, &name);
            finding.related.extend(related.map(|(index, _)| index));
            tell(&mut finding, [one, other]);
            finding.message += &differing_words(&finding);
            out.push(finding);
        }
    }
    out.extend(against_documents(rule, (cx, facts), &of_documents));
}

fn finding(rule: &Rule, memory: usize, conflict: &Conflict, name: &str) -> Finding {
    let severity = Severity::of(conflict.warns);
    Finding::new(rule.id, severity, memory, 1)
        .sure(conflict.confidence)
        .says(against(conflict.difference, name))
}

/// The findings on what memories say against documents: of each statement of a memory the surest.
fn against_documents(
    rule: &Rule,
    (cx, facts): (&Context<'_>, &Facts),
    all: &[&Found],
) -> Vec<Finding> {
    let documents = documents(cx, facts);
    let all = all.iter().filter_map(|found| {
        let document = documents.get(found.b - cx.memories.len())?;
        let is_judged = cx.is_judged_with(found.a, document);
        (!is_judged).then_some((found, document))
    });
    let all = all.flat_map(|(found, document)| {
        let all = found.conflicts.iter();
        all.map(move |conflict| (found, document, conflict))
    });
    let all = all.collect_vec();
    let about = |(found, _, conflict): &(&&Found, _, &Conflict)| {
        let [_, there] = &conflict.sides;
        (found.b, there.place.line, there.place.column)
    };
    let counts = all.iter().map(about).counts();
    // A statement that many memories fill in, each in its own way, is a template.
    let is_own = |one: &_| counts.get(&about(one)).is_some_and(|n| *n < TEMPLATE);
    let all = all
        .into_iter()
        .filter(is_own)
        .sorted_by(|(_, _, x), (_, _, y)| {
            let by_warns = y.warns.cmp(&x.warns);
            by_warns.then(y.confidence.total_cmp(&x.confidence))
        });
    let statement =
        |(found, _, one): &(&&Found, _, &Conflict)| (found.a, one.sides[0].place.bytes.clone());
    let all = all.unique_by(statement);
    let mut shown: HashMap<usize, usize> = HashMap::new();
    let all = all.filter(|(found, ..)| {
        let count = shown.entry(found.a).or_default();
        *count += 1;
        *count <= SHOWN
    });
    let all = all.map(|(found, document, conflict)| {
        let mut finding = finding(rule, found.a, conflict, &quote(&document.path));
        finding.source = Some(document.path.clone());
        let [here, there] = &conflict.sides;
        let there = there.clone().behind(&format!("{}:", document.path));
        tell(&mut finding, [here, &there]);
        finding.message += &differing_words(&finding);
        finding
    });
    all.collect()
}
