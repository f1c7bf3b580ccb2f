//! Text that harms its reader: orders to the agent that reads a memory, links and commands that carry
//! data to another host, and paths of one person's machine.
//!
//! The forms are rows of tables in `assets/lint`.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::LazyLock;

use itertools::Itertools as _;

use super::chars::{cut, last_of, quote};
use super::rows::{Hit, SURE, Table};
use super::subject::first_part;
use super::{Finding, Rule, Subject};
use crate::memory::Severity;
use crate::systems::golemcore::marker;
use crate::text::mentions::Outline;

static ORDERS: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("../../assets/lint/reader.toml")));
static LINKS: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("../../assets/lint/exfiltration.toml")));
static PATHS: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("../../assets/lint/personal.toml")));

/// Confidence factor of a match in quotation marks or code: such a text describes an order.
const QUOTED: f64 = 0.45;

/// The orders in a text, and the surest of them with its confidence.
fn orders(text: &str) -> Option<(Vec<Hit>, f64, Hit)> {
    let mut orders = ORDERS.find(text).into_vec();
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

/// Reports one order for each memory, the one with the highest confidence.
pub(super) fn order(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
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

/// Bytes of a command that are shown.
const SHOWN: usize = 160;

/// Links and commands of a text that carry data to another host.
fn links(text: &str) -> impl Iterator<Item = Hit> {
    let hits = LINKS.find(text).into_vec().into_iter();
    hits.filter(|hit| !stays(text.get(hit.at.clone()).unwrap_or_default()))
}

/// True if a text carries data to another host for sure.
pub fn carries_data_away(text: &str) -> bool {
    links(first_part(text)).any(|hit| hit.row.confidence >= SURE)
}

/// Reports links and commands that carry data to another host.
pub(super) fn link(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    for hit in links(subject.text) {
        let matched = subject.text.get(hit.at.clone()).unwrap_or_default();
        let severity = Severity::of(hit.row.confidence >= SURE);
        let finding = subject
            .finding(rule.id, severity, subject.at_bytes(hit.at))
            .sure(hit.row.confidence)
            .says(hit.row.name.as_str())
            .because(quote(cut(matched, SHOWN)));
        out.push(finding);
    }
}

/// True if all addresses in a command are local; without addresses, if a word of it is a local host.
fn stays(command: &str) -> bool {
    const HERE: &str = "localhost 127.0.0.1 0.0.0.0 [::1] host.docker.internal";
    let is_here = |address: &str| {
        let end = ['/', '?', '#', ' ', '"', '\'', '`', ')'];
        let host = address.split(end).next().unwrap_or_default();
        let host = host.rsplit('@').next().unwrap_or_default();
        HERE.split(' ').any(|here| {
            let rest = host.strip_prefix(here);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        })
    };
    let mut addresses = command.split("://").skip(1).peekable();
    if addresses.peek().is_some() {
        return addresses.all(is_here);
    }
    let mut words = command.split(|c: char| c.is_whitespace() || "/'\"".contains(c));
    words.any(is_here)
}

/// Reports paths in the home of one person.
pub(super) fn path(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let paths = PATHS.find(subject.text).into_vec();
    let Some(first) = paths.first() else {
        return;
    };
    let message = match paths.len() {
        1 => "a path exists on one machine only".to_owned(),
        count => format!("{count} paths exist on one machine only"),
    };
    let texts = paths
        .iter()
        .filter_map(|path| subject.text.get(path.at.clone()));
    let finding = subject
        .finding(rule.id, rule.severity, subject.at_bytes(first.at.clone()))
        .sure(first.row.confidence)
        .says(message)
        .because_of(texts.map(quote).unique().take(5));
    out.push(finding);
}
