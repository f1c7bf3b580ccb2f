//! Text that is written for the agent that reads a memory rather than about the project.
//!
//! The forms are rows of `assets/lint/reader.toml`.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::LazyLock;

use super::chars::{cut, last_of, quote};
use super::rows::{Hit, SURE, Table};
use super::subject::first_part;
use super::{Finding, Rule, Subject};
use crate::memory::Severity;
use crate::systems::golemcore::marker;
use crate::text::mentions::Outline;

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("../../assets/lint/reader.toml")));

/// The loss of confidence of a match in quotation marks or in code: the text is about it.
const QUOTED: f64 = 0.45;

/// The orders in a text, and the surest of them with its confidence.
fn orders(text: &str) -> Option<(Vec<Hit>, f64, Hit)> {
    let mut orders = TABLE.find(text).into_vec();
    for order in &mut orders {
        let matched = text.get(order.at.clone()).unwrap_or_default();
        order.at.start += matched.len() - matched.trim_start().len();
    }
    let outline = LazyCell::new(|| Outline::new(text));
    let sures = orders.iter().map(|order| {
        let is_quoted = outline.is_fenced(order.at.start) || is_quoted(text, &order.at);
        let factor = if is_quoted { QUOTED } else { 1.0 };
        (factor * order.row.confidence, order)
    });
    let best = sures.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let (confidence, best) = best.map(|(confidence, best)| (confidence, best.clone()))?;
    Some((orders, confidence, best))
}

/// True if a text gives its reader an order for sure.
pub fn orders_its_reader(text: &str) -> bool {
    orders(first_part(text)).is_some_and(|(_, confidence, _)| confidence >= SURE)
}

/// One finding for the surest of all orders: more of them would say the same.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let Some((orders, confidence, best)) = orders(subject.text) else {
        return;
    };
    let severity = Severity::of(confidence >= SURE);
    let finding = subject
        .finding(rule.id, severity, subject.at_bytes(best.at.clone()))
        .sure(confidence)
        .says(best.row.name.as_str());
    let evidence = orders
        .iter()
        .take(5)
        .filter_map(|order| subject.text.get(order.at.clone()));
    out.push(evidence.fold(finding, |finding, order| finding.because(quote(order))));
}

/// Bytes on either side of a match that are read for quotation marks.
const AROUND: usize = 4096;

/// True if a place is in inline code, in quotation marks, or in the brackets of a neutralised
/// instruction.
fn is_quoted(text: &str, at: &Range<usize>) -> bool {
    let before = last_of(text.get(..at.start).unwrap_or_default(), AROUND);
    let after = cut(text.get(at.end..).unwrap_or_default(), AROUND);
    let after = after.lines().next().unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let inside = |mark: char| line.matches(mark).count() % 2 == 1 && after.contains(mark);
    let curly = line.matches('“').count() > line.matches('”').count();
    let single = line.ends_with(['\'', '‘', '«']) && after.contains(['\'', '’', '»']);
    let open = line.rsplit_once(marker::OPEN).map(|(_, open)| open);
    let is_neutralised =
        open.is_some_and(|open| !open.contains(marker::CLOSE)) && after.contains(marker::CLOSE);
    is_neutralised || inside('`') || inside('"') || curly || single
}
