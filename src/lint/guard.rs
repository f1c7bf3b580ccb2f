//! Warnings that stop a change until a person decides: a new secret, a new instruction to the reader.
//! No setting, silence or baseline of a project hides them.

use std::sync::Arc;

use super::{Context, Facts, Finding, Rule, Subject, fields_beside, redact};
use super::{exposure, hostile, reader, secret};
use crate::curate::review::{Entry, Kind, Side};
use crate::memory::{Memory, Severity, Timestamp};
use crate::retrieval::{Snapshot, Texts};

/// The rules.
static GUARDS: &[&dyn Rule] = &[
    &secret::Secret,
    &reader::READER_INSTRUCTION,
    &exposure::EXFILTRATION_LINK,
    &hostile::TERMINAL_ESCAPE,
    &hostile::INVISIBLE_UNICODE,
];

/// Different matches of a rule that are told apart in one text.
const MOST: usize = 64;

/// True if a new warning of this rule stops a change.
pub fn is_guard(rule: &str) -> bool {
    GUARDS.iter().any(|guard| guard.id() == rule)
}

/// The warnings of these rules about what a change brings: those whose text was not warned of before.
pub fn new_warnings(entry: &Entry) -> Vec<Finding> {
    let others = |of: fn(&crate::curate::review::Other) -> &str| {
        let texts = entry.others.iter().map(of);
        texts.collect::<Vec<_>>().join("\n")
    };
    let after = entry.after.as_ref();
    let Some(after) = after.filter(|_| entry.kind != Kind::Deleted) else {
        return Vec::new();
    };
    let (old, new) = entry.texts();
    let found = warnings(after, &[new, &others(|other| &other.new)]);
    let known = match &entry.before {
        Some(before) if !found.is_empty() => warnings(before, &[old, &others(|other| &other.old)]),
        _ => Vec::new(),
    };
    let is_new = |one: &(String, Finding)| {
        let mut known = known.iter();
        !known.any(|(text, finding)| *text == one.0 && finding.rule == one.1.rule)
    };
    let new = found.into_iter().filter(is_new);
    new.map(|(_, finding)| finding).collect()
}

/// The warnings about a memory with these texts, each with the text that it is about.
fn warnings(side: &Side, texts: &[&str]) -> Vec<(String, Finding)> {
    let memories: Snapshot = Arc::new(vec![Arc::clone(&side.memory)]);
    let nowhere = super::repository::Nowhere;
    let cx = Context::new(&memories, &Nothing, Timestamp(0), &nowhere);
    let facts = Facts::new(&cx, usize::MAX);
    let fields = fields_beside(&side.memory, &side.text);
    let text = [texts, &[&fields]].concat().join("\n");
    let mut out: Vec<(String, Finding)> = Vec::new();
    for rule in GUARDS {
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

/// No texts: these rules ask for none but that of their subject.
struct Nothing;

impl Texts for Nothing {
    fn body(&self, _: &Memory) -> Option<String> {
        None
    }
}
