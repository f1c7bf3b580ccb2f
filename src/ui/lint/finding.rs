//! The right side of the list of findings: one finding, its rule, or its fix before it is made.

use ratatui::text::{Line, Span};

use super::{many, message, named, source};
use crate::app::{Model, Pane, Proposal};
use crate::lint::{Finding, pages};
use crate::ui::lines::{Lines, wrap};
use crate::ui::pen::{Frame, Pen, fit_spans};
use crate::ui::theme::Role;
use crate::ui::{diff, markdown, safe, words};

/// One finding: what, where it stands in the text, what shows it, and its fix.
pub fn page(
    pen: &Pen<'_>,
    model: &Model,
    width: usize,
    most: usize,
    frame: &mut Frame<'_>,
) -> Lines {
    let mut out = Lines::default();
    let finding = model.lints.current().and_then(|n| model.world.finding(n));
    let Some(finding) = finding else {
        if let Some(rule) = model.lints.folded() {
            frame.title = vec![pen.text(Role::Title, rule)];
            out.wrapped(pen, Role::Text, why(rule), width, 0);
        }
        return out;
    };
    about(pen, model, finding, width, frame, &mut out);
    let (reason, _) = why(finding.rule)
        .split_once(". ")
        .unwrap_or((why(finding.rule), ""));
    out.wrapped(pen, Role::Faint, reason.trim_end_matches('.'), width, 0);
    out.gap();
    if let Some(fix) = &finding.fix {
        let key = model.keymap.label("fix").unwrap_or_default();
        order(
            pen,
            &key,
            &named(model, finding, &fix.title),
            (width, Role::Text),
            &mut out,
        );
        if let Some(diff) = &model.lints.diff {
            changes(pen, model, diff, width, &mut out);
        }
        out.gap();
    }
    match many(finding) {
        Some(title) => members(pen, model, finding, (&title, width), &mut out),
        None => source::around(pen, model, finding, width, &mut out),
    }
    out.more = out.lines.len() > most;
    out
}

/// What is done at a key, all of it: which of two memories is left stands at its end.
fn order(pen: &Pen<'_>, key: &str, title: &str, (width, role): (usize, Role), out: &mut Lines) {
    let indent = safe::width(key) + 1;
    let lines = wrap(&safe::safe(title), width.saturating_sub(indent));
    for (n, line) in lines.iter().enumerate() {
        let lead = if n == 0 { key } else { "" };
        out.push(vec![
            pen.text(Role::StatusKey, &safe::pad(lead, indent)),
            pen.text(role, line),
        ]);
    }
}

/// Lines of a fix that are shown beside its finding.
const CHANGES: usize = 14;

/// The first changes that a fix makes, and how many lines more there are.
fn changes(pen: &Pen<'_>, model: &Model, diff: &str, width: usize, out: &mut Lines) {
    let diff = crate::lint::mask(diff);
    let lines = diff::lines(&diff, pen.theme, width);
    // A line less is not folded.
    let shown = match lines.len() {
        all if all > CHANGES + 1 => CHANGES,
        all => all,
    };
    let more = lines.len() - shown;
    for line in lines.into_iter().take(shown) {
        out.push(fit_spans(line.spans, width));
    }
    if more > 0 {
        let key = model.keymap.label("fix").unwrap_or_default();
        let text = format!("… {} more lines · {key} shows all", words::number(more));
        out.push(vec![pen.text(Role::Muted, &safe::fit(&text, width))]);
    }
}

/// Titles of the memories of a finding that are listed until all are asked for.
const MEMBERS: usize = 5;

/// The memories that a finding stands for, folded unless a person reads here.
fn members(
    pen: &Pen<'_>,
    model: &Model,
    finding: &Finding,
    (title, width): (&str, usize),
    out: &mut Lines,
) {
    out.push(vec![pen.text(Role::Muted, title)]);
    let reads = model.pane == Pane::Side || finding.joined.len() <= MEMBERS + 1;
    let shown = if reads { usize::MAX } else { MEMBERS };
    for one in finding.joined.iter().take(shown) {
        let memory = model.world.memory_of(one);
        let title = crate::lint::mask(memory.map_or("", |memory| &memory.title));
        let text = safe::fit(&title, width.saturating_sub(2));
        out.push(vec![pen.text(Role::Text, &format!("  {text}"))]);
    }
    let more = finding.joined.len().saturating_sub(shown);
    if more > 0 {
        let key = model.keymap.label("open").unwrap_or_default();
        let text = format!("  … {} more · {key} lists them", words::number(more));
        out.push(vec![pen.text(Role::Muted, &safe::fit(&text, width))]);
    }
}

/// The page of the rule of a finding, what stands there of a person's own memories first.
pub fn explained(
    pen: &Pen<'_>,
    model: &Model,
    width: usize,
    most: usize,
    frame: &mut Frame<'_>,
) -> Lines {
    let mut out = Lines::default();
    let finding = model.lints.current().and_then(|n| model.world.finding(n));
    let rule = finding.map(|finding| finding.rule).or(model.lints.folded());
    let rule = rule.unwrap_or_default();
    frame.title = vec![pen.text(Role::Title, rule)];
    if let Some(finding) = finding {
        out.wrapped(pen, Role::Text, &message(model, finding), width, 0);
        out.gap();
    }
    let page = pages::page(rule);
    let text = page.split_once("\n\n").map_or(page, |(_, text)| text);
    let rows = most.saturating_sub(out.lines.len()).max(1);
    let rendered = markdown::render(text, width, pen.theme, rows, &[]);
    out.lines.extend(rendered.rows.iter().map(|row| {
        let parts = row.parts.iter();
        Line::from_iter(parts.map(|part| Span::styled(part.text.clone(), part.style)))
    }));
    out.more = rendered.more;
    out
}

/// Why what a rule finds matters: the paragraph of its page that says so.
fn why(rule: &str) -> &'static str {
    let page = pages::page(rule);
    let section = page
        .split_once("## Why it matters")
        .map_or("", |found| found.1);
    let mut paragraphs = section.split("\n\n").map(str::trim);
    paragraphs.find(|text| !text.is_empty()).unwrap_or_default()
}

/// The head of a page about a finding.
fn about(
    pen: &Pen<'_>,
    model: &Model,
    finding: &Finding,
    width: usize,
    frame: &mut Frame<'_>,
    out: &mut Lines,
) {
    let memory = model.world.memory_of(finding);
    let title = || crate::lint::mask(memory.map_or("", |memory| &memory.title)).into_owned();
    let many = many(finding);
    frame.title = vec![pen.text(Role::Title, &many.clone().unwrap_or_else(title))];
    let sure = finding
        .sureness()
        .map_or_else(String::new, |sure| format!(" · {sure}"));
    let severity = format!(
        "{} {}",
        words::mark(finding.severity),
        finding.severity.word()
    );
    let rule = format!(" · {}{sure}", finding.rule);
    let rule = safe::fit(&rule, width.saturating_sub(severity.chars().count()));
    out.push(vec![
        pen.text(Role::severity(finding.severity), &severity),
        pen.text(Role::Muted, &rule),
    ]);
    if let Some(memory) = memory.filter(|_| many.is_none()) {
        let path = model.shown(&memory.path);
        let end = format!(":{}:{}", finding.line, finding.column);
        let path = safe::fit(&path, width.saturating_sub(end.len()));
        out.push(vec![pen.text(Role::Muted, &format!("{path}{end}"))]);
    }
    out.gap();
    let text = message(model, finding);
    out.wrapped(pen, Role::Text, &text, width, 0);
    if many.is_some() {
        out.gap();
        return;
    }
    for evidence in 0..finding.evidence.len().min(12) {
        let shown = named(model, finding, &finding.shown(evidence));
        out.wrapped(pen, Role::Muted, &shown, width, 2);
    }
    others(pen, model, finding, (&text, width), out);
    out.gap();
}

/// The other memories that a finding is about and does not name, each once and not all of many.
fn others(
    pen: &Pen<'_>,
    model: &Model,
    finding: &Finding,
    (said, width): (&str, usize),
    out: &mut Lines,
) {
    let mut titles: Vec<String> = Vec::new();
    for n in finding.related.iter().filter(|n| **n != finding.memory) {
        let other = model.world.linted(*n);
        let title = other.map(|other| crate::lint::mask(&other.title).into_owned());
        let is_new = |title: &String| !titles.contains(title) && !said.contains(&**title);
        titles.extend(title.filter(is_new));
    }
    // A line less is not folded.
    let shown = match titles.len() {
        all if all > MEMBERS + 1 => MEMBERS,
        all => all,
    };
    for title in titles.iter().take(shown) {
        let text = safe::fit(&format!("see {title}"), width);
        out.push(vec![pen.text(Role::Link, &text)]);
    }
    if shown < titles.len() {
        let more = words::number(titles.len() - shown);
        out.push(vec![pen.text(Role::Muted, &format!("and {more} more"))]);
    }
}

/// A fix before it is made: what it does and every line it changes.
pub fn fix(
    pen: &Pen<'_>,
    model: &Model,
    proposal: &Proposal,
    width: usize,
    frame: &mut Frame<'_>,
) -> Lines {
    let mut out = Lines::default();
    let about_one = proposal
        .about
        .as_ref()
        .and_then(|about| model.world.finding(about.1));
    match about_one {
        Some(finding) => about(pen, model, finding, width, frame, &mut out),
        None => frame.title = vec![pen.text(Role::Title, "What would change")],
    }
    let key = model.keymap.label("apply-fix").unwrap_or_default();
    let title = about_one.map(|finding| named(model, finding, &proposal.title));
    let title = title.as_deref().unwrap_or(&proposal.title);
    order(pen, &key, title, (width, Role::Title), &mut out);
    let Some(diff) = &proposal.diff else {
        out.push(vec![pen.text(Role::Muted, "preparing the change …")]);
        return out;
    };
    let diff = crate::lint::mask(diff);
    for line in diff::lines(&diff, pen.theme, width) {
        out.push(fit_spans(line.spans, width));
    }
    out
}
