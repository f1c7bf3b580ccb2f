//! Text that is written for the agent that reads a memory rather than about the project.
//!
//! The forms are rows of `assets/lint/reader.toml`.

use std::ops::Range;
use std::sync::LazyLock;

use super::chars::quote;
use super::rows::{SURE, Table};
use super::{Check, Finding, RuleInfo, Subject};
use crate::memory::Severity;
use crate::memory::golemcore::marker;

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("../../assets/lint/reader.toml")));

/// A text that gives orders to its reader.
pub(super) static READER_INSTRUCTION: Check =
    Check(RuleInfo("reader-instruction", Severity::Warning), check);

/// How much less sure a match in quotation marks or in code is: the text is about it.
const QUOTED: f64 = 0.45;

/// One finding for the surest of all orders: more of them would say the same.
fn check(rule: RuleInfo, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let mut orders = TABLE.find(subject.text).into_vec();
    for order in &mut orders {
        let matched = subject.text.get(order.at.clone()).unwrap_or_default();
        order.at.start += matched.len() - matched.trim_start().len();
    }
    let sure = |at: &Range<usize>, confidence: f64| match is_quoted(subject.text, at) {
        true => QUOTED * confidence,
        false => confidence,
    };
    let sures = orders.iter().map(|order| {
        let confidence = sure(&order.at, order.row.confidence);
        (confidence, order)
    });
    let best = sures.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let Some((confidence, best)) = best else {
        return;
    };
    let severity = Severity::of(confidence >= SURE);
    let finding = subject
        .finding(rule.0, severity, subject.at(best.at.start))
        .about(best.at.clone())
        .sure(confidence)
        .says(best.row.name.as_str());
    let evidence = orders
        .iter()
        .take(5)
        .filter_map(|order| subject.text.get(order.at.clone()));
    out.push(evidence.fold(finding, |finding, order| finding.because(quote(order))));
}

/// True if a place is in code, in quotation marks, or in the brackets of a neutralised instruction.
fn is_quoted(text: &str, at: &Range<usize>) -> bool {
    let before = text.get(..at.start).unwrap_or_default();
    let after = text.get(at.end..).unwrap_or_default();
    let after = after.lines().next().unwrap_or_default();
    let is_fence = |line: &&str| line.trim_start().starts_with("```");
    let fences = before.lines().filter(is_fence).count();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let inside = |mark: char| line.matches(mark).count() % 2 == 1 && after.contains(mark);
    let curly = line.matches('“').count() > line.matches('”').count();
    let single = line.ends_with(['\'', '‘', '«']) && after.contains(['\'', '’', '»']);
    let open = line.rsplit_once(marker::OPEN).map(|(_, open)| open);
    let is_neutralised =
        open.is_some_and(|open| !open.contains(marker::CLOSE)) && after.contains(marker::CLOSE);
    fences % 2 == 1 || is_neutralised || inside('`') || inside('"') || curly || single
}
