//! Warnings that stop a change until a person decides: a new secret, a new instruction to the reader.
//! No setting, silence or baseline of a project hides them.

use std::sync::Arc;

use crate::curate::differences::{Entry, Kind, Other, Side};
use crate::lint::repository::Nowhere;
use crate::lint::{Context, Facts, Finding, RULES, Subject, fields_beside, is_floor, redact};
use crate::memory::{Severity, Timestamp};
use crate::retrieval::{Snapshot, Texts};

/// Different matches of a rule that are told apart in one text.
const MOST: usize = 64;

/// The warnings about what a change brings: those whose text was not warned of before.
pub fn new_warnings(entry: &Entry, texts: &dyn Texts) -> Vec<Finding> {
    let after = entry.after.as_ref();
    let Some(after) = after.filter(|_| entry.kind != Kind::Deleted) else {
        return Vec::new();
    };
    let with_others = |text: &str, of: fn(&Other) -> &str| {
        let others = entry.others.iter().map(of);
        let all: Vec<&str> = [text].into_iter().chain(others).collect();
        all.join("\n")
    };
    let (old, new) = entry.texts();
    let mut found = warnings(after, with_others(new, |other| &other.new), texts);
    if let Some(before) = entry.before.as_ref().filter(|_| !found.is_empty()) {
        let known = warnings(before, with_others(old, |other| &other.old), texts);
        found.retain(|(matched, finding)| {
            let mut known = known.iter();
            !known.any(|(text, old)| text == matched && old.rule == finding.rule)
        });
    }
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// The warnings about a memory with this text, each with the part that it is about.
fn warnings(side: &Side, mut text: String, texts: &dyn Texts) -> Vec<(String, Finding)> {
    let memories: Snapshot = Arc::new(vec![Arc::clone(&side.memory)]);
    let cx = Context::new(&memories, texts, Timestamp(0), &Nowhere);
    let facts = Facts::default();
    text.push_str(&format!("\n{}", fields_beside(&side.memory, &side.text)));
    let mut out: Vec<(String, Finding)> = Vec::new();
    for rule in RULES.iter().filter(|rule| is_floor(rule.id)) {
        // A rule may report one match of many: what is reported is blanked, and it looks again.
        let mut rest = text.clone();
        for _ in 0..MOST {
            let mut found = Vec::new();
            let subject = Subject::new(&cx, &facts, 0, &side.memory, &rest);
            rule.check(&subject, &mut found);
            redact(Some(&subject), &mut found);
            found.retain(|finding| finding.severity < Severity::Info);
            let mut next = rest.clone();
            for finding in found {
                let matched = finding.place.clone().and_then(|bytes| rest.get(bytes));
                let matched = matched.unwrap_or(&finding.message).to_owned();
                next = next.replace(&matched, &" ".repeat(matched.len()));
                out.push((matched, finding));
            }
            drop(subject);
            if next == rest {
                break;
            }
            rest = next;
        }
    }
    out
}
