//! Memories that nearly every task selects, what they cost, and what they keep out.

use super::super::chars::quote;
use super::super::{Collector, Context, Facts, Finding, Look};
use super::look_at;
use super::patterns::patterns;
use super::play::{Fate, Outcome};
use crate::memory::Severity;

/// Memories that are kept out which are named.
const NAMED: usize = 3;

/// Reports what a store selects for nearly every task.
pub fn report(cx: &Context<'_>, facts: &Facts, outcome: &Outcome, out: &mut Collector<'_>) {
    // Where there is room for all of them nothing is kept out.
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
    let look = Look::new(cx, facts, at, memory, &text);
    let pattern = fate
        .patterns
        .iter()
        .max_by_key(|(text, count)| (**count, *text));
    let item = pattern.and_then(|(text, _)| patterns(memory).position(|own| own == *text));
    let place = look_at(&look, item);
    let count = fate.selected;
    let kept_out: usize = fate.instead.values().sum();
    let confidence = match (pattern, kept_out) {
        (Some(_), 1..) => 0.7,
        (Some(_), 0) => 0.5,
        (None, _) => 0.3,
    };
    let mut finding = look
        .finding("always-selected", Severity::Info, place)
        .sure(confidence)
        .says(format!(
            "{count} of {} select it, whatever they are about",
            outcome.said()
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
        finding = finding.because(format!(
            "without it {} would have had a place {times}",
            quote(&other.id.local)
        ));
    }
    Some(finding.beside(instead.into_iter().take(NAMED).map(|(at, _)| at)))
}
