//! Text that does harm: orders to the agent that reads a memory, links and commands that carry data to
//! another host, paths of one person's machine, control and invisible characters. The forms are rows of
//! tables in `assets/lint`.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use itertools::Itertools as _;
use regex::Regex;

use super::chars::{Oddity, cut, last_of, oddity, quote, replaced};
use super::report::counted;
use super::rows::{Hit, SURE, Table};
use super::subject::first_part;
use super::{Finding, Rule, Subject};
use crate::curate::change::set_item;
use crate::memory::Severity;
use crate::memory::edit::FieldEdit;
use crate::systems::golemcore::marker;
use crate::text::mentions::Outline;
use crate::text::patterns::{compact, pairs};

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
    let finding = subject.finding(rule.id, severity, subject.at_bytes(best.at));
    let finding = finding.sure(confidence).says(&best.row.name);
    let orders = orders.into_iter().take(5);
    let orders = orders.filter_map(|order| subject.text.get(order.at));
    out.push(finding.because_of(orders.map(quote)));
}

/// Bytes on either side of a match that are read for quotation marks.
const AROUND: usize = 4096;

/// True in inline code, in quotation marks, and in the brackets of a neutralised instruction.
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

fn links(text: &str) -> impl Iterator<Item = Hit> {
    let hits = LINKS.find(text).into_vec().into_iter();
    hits.filter(|hit| !stays(text.get(hit.at.clone()).unwrap_or_default()))
}

/// True if a text carries data to another host for sure.
pub fn carries_data_away(text: &str) -> bool {
    links(first_part(text)).any(|hit| hit.row.confidence >= SURE)
}

pub(super) fn link(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    for hit in links(subject.text) {
        let matched = subject.text.get(hit.at.clone()).unwrap_or_default();
        let severity = Severity::of(hit.row.confidence >= SURE);
        let finding = subject.finding(rule.id, severity, subject.at_bytes(hit.at));
        let finding = finding.sure(hit.row.confidence).says(&hit.row.name);
        out.push(finding.because(quote(cut(matched, SHOWN))));
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

pub(super) fn path(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let paths = PATHS.find(subject.text).into_vec();
    let Some(first) = paths.first() else {
        return;
    };
    let message = match paths.len() {
        1 => "a path exists on one machine only".to_owned(),
        count => format!("{count} paths exist on one machine only"),
    };
    let place = subject.at_bytes(first.at.clone());
    let finding = subject.finding(rule.id, rule.severity, place).says(message);
    let finding = finding.sure(first.row.confidence);
    let texts = paths
        .into_iter()
        .filter_map(|path| subject.text.get(path.at));
    out.push(finding.because_of(texts.map(quote).unique().take(5)));
}

/// A kind of characters: its name, the effect of its fix, and the scan for its bytes in a text.
type Kind = (&'static str, &'static str, fn(&str) -> Vec<Range<usize>>);

pub(super) fn characters(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    const HIDDEN: &str = "remove the invisible characters";
    const ESCAPES: &str = "remove the escape sequences and control characters";
    let (what, fix, scan): Kind = match rule.id {
        "terminal-escape" => ("control character", ESCAPES, controls),
        _ => ("invisible character", HIDDEN, invisible),
    };
    let found = scan(subject.text);
    if let Some(first) = found.first() {
        let texts = found.iter().filter_map(|at| subject.text.get(at.clone()));
        let place = subject.at_bytes(first.clone());
        let finding = subject.finding(rule.id, rule.severity, place);
        let finding = finding.because_of(texts.map(describe).unique().take(5));
        let fix = edit(subject, &found).map(|edit| subject.edit(fix, vec![edit]));
        return out.push(finding.says(counted(found.len(), what)).fixed_by(fix));
    }
    // An escape in a YAML string: the text has no such character, the field has.
    for (name, value) in subject.memory.fields.iter() {
        for (index, value) in value.items().enumerate() {
            let text = value.as_str().unwrap_or_default();
            let found = scan(text);
            let Some(first) = found.first() else { continue };
            let edit = set_item(name, index, without(text, &found));
            let count = counted(found.len(), what);
            let finding = subject
                .finding(rule.id, rule.severity, subject.at_field(name, Some(index)))
                .says(format!("{count} spelled out in `{name}`"))
                .because(describe(text.get(first.clone()).unwrap_or_default()));
            out.push(finding.fixed_by(Some(subject.edit(fix, vec![edit]))));
        }
    }
}

/// The edit that removes characters; none for a text that writing would change elsewhere.
fn edit(subject: &Subject<'_>, found: &[Range<usize>]) -> Option<FieldEdit> {
    // A replacement character stands for bytes that writing the text would lose.
    if subject.text.contains('\u{fffd}') {
        return None;
    }
    let (start, body) = subject.body();
    let end = start + body.len();
    let is_in_body = |at: &Range<usize>| at.start >= start && at.end <= end;
    if end <= subject.text.len() && found.iter().all(is_in_body) {
        let found = found.iter().map(|at| at.start - start..at.end - start);
        return Some(FieldEdit::Body(without(body, &found.collect::<Vec<_>>())));
    }
    // The mark that a file begins with is not part of its text.
    let clean = without(subject.text, found);
    let clean = clean.strip_prefix('\u{feff}').unwrap_or(&clean);
    Some(FieldEdit::Text(clean.to_owned()))
}

fn without(text: &str, found: &[Range<usize>]) -> String {
    replaced(text, found.iter().map(|at| (at.clone(), "")))
}

/// Names of characters, and texts in which invisible characters are needed.
const TABLE: &str = include_str!("../../assets/lint/characters.toml");

/// A sequence, or a character with its name.
fn describe(text: &str) -> String {
    let mut chars = text.chars();
    let (Some(only), None) = (chars.next(), chars.next()) else {
        return quote(text);
    };
    let is_own = |class: &str| compact(class).is_some_and(|class| class.is_match(text));
    let name = pairs(TABLE, "names").find(|[class, _]| is_own(class));
    let name = name.map(|[_, name]| name).unwrap_or_default();
    format!("U+{:04X} {name}", u32::from(only))
}

/// A control character with its sequence; alone where that does not end on its line.
static CONTROL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?:\x1b\[|\u{9b})[ -?]*[@-~]|(?:\x1b\]|\u{9d})[^\n]*?(?:\x07|\x1b\\|\u{9c})|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\u{9f}]",
    )
});

fn controls(text: &str) -> Vec<Range<usize>> {
    let found = CONTROL.iter().flat_map(|one| one.find_iter(text));
    found.map(|found| found.range()).collect()
}

/// Invisible characters, each with the texts in which a script or an emoji needs them.
static NEEDED: LazyLock<Vec<(Regex, Regex)>> = LazyLock::new(|| {
    let rows = pairs(TABLE, "needed");
    rows.filter_map(|[one, text]| Some((compact(&one)?, compact(&text)?)))
        .collect()
});

/// Invisible characters that no script and no emoji needs.
fn invisible(text: &str) -> Vec<Range<usize>> {
    if text.is_ascii() {
        return Vec::new();
    }
    let is_odd = |c: char| matches!(oddity(c), Some(Oddity::Bidi | Oddity::Invisible));
    let odd = text.char_indices().filter(|(_, c)| is_odd(*c));
    let mut odd: Vec<Range<usize>> = odd.map(|(at, c)| at..at + c.len_utf8()).collect();
    let mut needed = HashSet::new();
    for (kind, around) in NEEDED.iter().filter(|_| !odd.is_empty()) {
        for around in around.find_iter(text) {
            let inside = kind.find_iter(around.as_str());
            needed.extend(inside.map(|at| around.start() + at.start()));
        }
    }
    odd.retain(|at| !needed.contains(&at.start));
    odd
}
