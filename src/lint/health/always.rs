//! Memories that nearly every task selects, what they cost, and what they keep out.

use super::super::chars::quote;
use super::super::{Collector, Context, Facts, Finding, Subject};
use super::patterns::patterns;
use super::play::{Fate, Outcome};
use super::position_of;
use crate::memory::Severity;

/// Memories that are kept out which are named.
const NAMED: usize = 3;

/// Reports what a store selects for nearly every task.
pub fn report(cx: &Context<'_>, facts: &Facts, outcome: &Outcome, out: &mut Collector<'_>) {
    // If there is room for all of them, none is kept out.
    if outcome.has_room() {
        return;
    }
    for at in &outcome.memories {
        let fate = outcome.fates.get(at);
        // Three tasks of four.
        let often = |fate: &&Fate| fate.selected * 4 >= outcome.tasks.len() * 3;
        if let Some(fate) = fate.filter(often) {
            out.extend(finding(cx, facts, outcome, *at, fate));
        }
    }
}

fn finding(
    cx: &Context<'_>,
    facts: &Facts,
    outcome: &Outcome,
    at: usize,
    fate: &Fate,
) -> Option<Finding> {
    let memory = cx.memories.get(at)?;
    let text = cx.texts.text(memory)?;
    let subject = Subject::new(cx, facts, at, memory, &text);
    let patterns_of = fate.patterns.iter();
    let pattern = patterns_of.max_by_key(|(text, count)| (**count, *text));
    let item = pattern.and_then(|(text, _)| patterns(memory).position(|own| own == *text));
    let place = position_of(&subject, item);
    let count = fate.selected;
    let kept_out: usize = fate.instead.values().sum();
    let confidence = match (pattern, kept_out) {
        (Some(_), 1..) => 0.7,
        (Some(_), 0) => 0.5,
        (None, _) => 0.3,
    };
    let tasks = outcome.played();
    let mut finding = subject
        .finding("always-selected", Severity::Info, place)
        .sure(confidence)
        .says(format!(
            "{count} of {tasks} select it, whatever they are about"
        ));
    if let Some((text, count)) = pattern {
        finding = finding.because(format!("{} brings it in for {count} of them", quote(text)));
    }
    let each = fate.tokens / count.max(1);
    finding = finding.because(format!("{each} tokens each time, {} in all", fate.tokens));
    let mut instead: Vec<(usize, usize)> = fate.instead.iter().map(|(at, n)| (*at, *n)).collect();
    instead.sort_by_key(|(at, count)| (std::cmp::Reverse(*count), *at));
    for (other, count) in instead.iter().take(NAMED) {
        let other = cx.memories.get(*other)?;
        let times = match count {
            1 => "once".to_owned(),
            count => format!("{count} times"),
        };
        let name = quote(&other.id.local);
        finding = finding.because(format!("without it {name} would have had a place {times}"));
    }
    Some(finding.beside(instead.into_iter().take(NAMED).map(|(at, _)| at)))
}
