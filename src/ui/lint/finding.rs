//! The right side of the list of findings: one finding, its rule, or its fix before it is made.

use std::ops::Range;

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::{folded, many, message, named};
use crate::app::proposal::Proposal;
use crate::app::reading::clip;
use crate::app::{Model, Pane};
use crate::lint::{Finding, mask};
use crate::text::rule_pages as pages;
use crate::ui::pen::limit;
use crate::ui::sheet::Sheet;
use crate::ui::theme::{Role, Theme};
use crate::ui::{diff, safe, words};

/// Lines of a fix that are shown beside its finding.
const CHANGES: usize = 14;
/// Titles of the memories of a finding that are listed until all are asked for.
const MEMBERS: usize = 5;

/// One finding: what, where it stands in the text, what shows it, and its fix.
pub fn page(sheet: &mut Sheet<'_>, model: &Model) {
    let Some(finding) = model.on_finding() else {
        if model.lints.on_suggestions().is_some() {
            sheet.title = "suggestions".to_owned();
            sheet.wrapped(Role::Text, &folded(model, true));
        }
        return;
    };
    about(sheet, model, finding);
    let reason = pages::why(finding.rule);
    let first = reason.split_once(". ").map_or(reason, |(first, _)| first);
    sheet.wrapped(Role::Faint, first.trim_end_matches('.'));
    sheet.gap();
    if let Some(fix) = &finding.fix {
        let key = model.key("fix");
        sheet.order(&key, &named(model, finding, &fix.title), Role::Text);
        if let Some(diff) = &model.lints.diff {
            let lines = diff::lines(&mask(diff), sheet.theme, sheet.width);
            let more = |more| format!("… {more} more lines · {key} shows all");
            listed(sheet, lines, CHANGES, more);
        }
        sheet.gap();
    }
    match many(finding) {
        Some(title) => members(sheet, model, finding, &title),
        None => around(sheet, model, finding),
    }
    sheet.more = sheet.lines.len() > sheet.most;
}

/// Adds the first of some lines, and how many more there are: a line alone is not folded.
fn listed(
    sheet: &mut Sheet<'_>,
    lines: Vec<Line<'static>>,
    most: usize,
    words: impl FnOnce(String) -> String,
) {
    let more = lines.len().saturating_sub(most);
    let most = if more > 1 { most } else { lines.len() };
    sheet.lines.extend(lines.into_iter().take(most));
    if more > 1 {
        sheet.line(Role::Muted, &words(words::number(more)));
    }
}

/// The memories that a finding stands for, folded unless a person reads here.
fn members(sheet: &mut Sheet<'_>, model: &Model, finding: &Finding, title: &str) {
    sheet.line(Role::Muted, title);
    let most = match model.pane {
        Pane::Side => usize::MAX,
        _ => MEMBERS,
    };
    let title = |one| safe::fit(&format!("  {}", super::title_of(model, one)), sheet.width);
    let titles = finding.joined.iter().map(title);
    let lines = titles.map(|title| Line::from(sheet.text(Role::Text, &title)));
    let key = model.key("open");
    let more = |more| format!("  … {more} more · {key} lists them");
    listed(sheet, lines.collect(), most, more);
}

/// The page of the rule of a finding, what stands there of a person's own memories first.
pub fn explained(sheet: &mut Sheet<'_>, model: &Model) {
    let Some(finding) = model.on_finding() else {
        return;
    };
    let rule = finding.rule;
    sheet.title = rule.to_owned();
    sheet.wrapped(Role::Text, &message(model, finding));
    sheet.gap();
    let page = pages::page(rule);
    let text = page.split_once("\n\n").map_or(page, |(_, text)| text);
    sheet.markdown(text, &[]);
}

fn about(sheet: &mut Sheet<'_>, model: &Model, finding: &Finding) {
    let many = many(finding);
    let is_one = many.is_none();
    sheet.title = many.unwrap_or_else(|| super::title_of(model, finding));
    let sure = finding.sureness();
    let sure = sure.map_or_else(String::new, |sure| format!(" · {sure}"));
    let severity = finding.severity;
    let word = format!("{} {}", words::mark(severity), severity.word());
    sheet.push(vec![
        sheet.text(Role::severity(severity), &word),
        sheet.text(Role::Muted, &format!(" · {}{sure}", finding.rule)),
    ]);
    if let Some(memory) = model.world.memory_of(finding).filter(|_| is_one) {
        let end = format!(":{}:{}", finding.line, finding.column);
        let room = sheet.width.saturating_sub(end.len());
        let path = safe::fit(&model.shown(&memory.path), room);
        sheet.line(Role::Muted, &format!("{path}{end}"));
    }
    sheet.gap();
    let text = message(model, finding);
    sheet.wrapped(Role::Text, &text);
    if is_one {
        for evidence in 0..finding.evidence.len().min(12) {
            let shown = named(model, finding, &finding.shown(evidence));
            sheet.indented(Role::Muted, &shown, 2);
        }
        others(sheet, model, finding, &text);
    }
    sheet.gap();
}

/// The other memories that a finding is about and does not name, each once and not all of many.
fn others(sheet: &mut Sheet<'_>, model: &Model, finding: &Finding, said: &str) {
    let mut titles: Vec<String> = Vec::new();
    for n in finding.related.iter().filter(|n| **n != finding.memory) {
        let other = model.world.linted(*n);
        let title = other.map(|other| words::title(other).into_owned());
        let is_new = |title: &String| !titles.contains(title) && !said.contains(&**title);
        titles.extend(title.filter(is_new));
    }
    let title = |title: &String| safe::fit(&format!("see {title}"), sheet.width);
    let titles = titles.iter().map(title);
    let lines = titles.map(|title| Line::from(sheet.text(Role::Link, &title)));
    listed(sheet, lines.collect(), MEMBERS, |more| {
        format!("and {more} more")
    });
}

/// A fix before it is made: what it does and every line it changes.
pub fn fix(sheet: &mut Sheet<'_>, model: &Model, proposal: &Proposal) {
    let about_one = proposal.about.as_ref();
    let about_one = about_one.and_then(|about| model.world.finding(about.1));
    let mut title = proposal.title.clone();
    match about_one {
        Some(finding) => {
            about(sheet, model, finding);
            title = named(model, finding, &title);
        }
        None => sheet.title = "What would change".to_owned(),
    }
    let key = model.key("apply-fix");
    sheet.order(&key, &title, Role::Title);
    let Some(diff) = &proposal.diff else {
        return sheet.line(Role::Muted, "preparing the change …");
    };
    let lines = diff::lines(&mask(diff), sheet.theme, sheet.width);
    sheet.lines.extend(lines);
}

/// Lines of the text before and after the place.
const AROUND: usize = 3;
const AFTER: usize = 12;
/// Lines on the screen that a line of a text takes at the most.
const FOLDED: usize = 6;

/// Lines of the text around the place, the place underlined.
fn around(sheet: &mut Sheet<'_>, model: &Model, finding: &Finding) {
    let memory = model.world.memory_of(finding);
    let (Some(memory), Some(text)) = (memory, model.reading.text()) else {
        return;
    };
    // As long as before, so that the place is the same.
    let text = mask(text);
    let found = finding.line as usize;
    let top = memory.line as usize + usize::from(memory.schema.can.heading);
    let at = match &finding.place {
        Some(bytes) => {
            let before = text.as_bytes().get(..bytes.start).unwrap_or_default();
            before.iter().filter(|byte| **byte == b'\n').count()
        }
        None => found.saturating_sub(top),
    };
    // If a text stands in one line of its file its own lines are counted.
    let first = found.max(top).checked_sub(at);
    let first = first.filter(|first| *first >= memory.line as usize);
    let first = first.unwrap_or(1);
    let digits = (first + at + AFTER).to_string().len();
    let room = sheet.width.saturating_sub(digits + 1);
    let mut start = 0;
    for (n, line) in text.split_inclusive('\n').enumerate().take(at + AFTER + 1) {
        if n + AROUND >= at {
            // A finding about a heading has no line in the text.
            let role = Role::either(n == at && found >= top, Role::Accent, Role::Faint);
            let mut lead = safe::pad_left(&(first + n).to_string(), digits) + " ";
            let shown = line.trim_end_matches(['\n', '\r']);
            for part in underlined(sheet.theme, shown, start, finding.place.as_ref(), room) {
                let mut spans = vec![sheet.text(role, &lead)];
                lead = " ".repeat(digits + 1);
                spans.extend(part);
                sheet.push(spans);
            }
        }
        start += line.len();
    }
}

/// A line of a text that begins at a byte, folded, a range of the text underlined. Of a long line
/// that part is shown in which the range stands.
fn underlined(
    theme: &Theme,
    line: &str,
    start: usize,
    place: Option<&Range<usize>>,
    room: usize,
) -> Vec<Vec<Span<'static>>> {
    let within = |byte: usize| byte.saturating_sub(start).min(line.len());
    let range = place.map_or(0..0, |place| within(place.start)..within(place.end));
    let mut from = 0;
    if range.start > room * (FOLDED - 2) {
        from = clip(line, range.start - room).len();
    }
    let rest = line.get(from..).unwrap_or_default();
    let before = if from > 0 { "… " } else { "" };
    let shown = format!("{before}{}", clip(rest, room * 4 * FOLDED));
    let moved = |byte: usize| (byte + before.len()).saturating_sub(from).min(shown.len());
    let range = moved(range.start)..moved(range.end);
    let marked = theme.style(Role::Warning);
    let marked = marked.add_modifier(Modifier::UNDERLINED);
    let styles = (theme.style(Role::Text), marked);
    let mut lines = diff::folded(&shown, std::slice::from_ref(&range), room, styles, theme);
    let is_cut = shown.len() < before.len() + rest.len();
    limit(
        &mut lines,
        FOLDED,
        is_cut,
        theme.text(Role::Muted, " …"),
        room,
    );
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str, place: Range<usize>, room: usize) -> Vec<String> {
        underlined(&Theme::dark(), line, 100, Some(&place), room)
            .iter()
            .map(|spans| {
                let marked =
                    |span: &Span<'_>| span.style.add_modifier.contains(Modifier::UNDERLINED);
                let shown = |span: &Span<'_>| match marked(span) {
                    true => format!("[{}]", span.content),
                    false => span.content.to_string(),
                };
                spans.iter().map(shown).collect()
            })
            .collect()
    }

    #[test]
    fn the_place_is_shown_however_long_the_line() {
        let line = "Run the tests with `npm test` before the push.";
        let all = [
            "Run the tests",
            "with `[npm]",
            "[test]` before",
            "the push.",
        ];
        assert_eq!(said(line, 120..128, 14), all);
        let long = format!("{}{line}{}", "and so on ".repeat(50), " or not".repeat(90));
        let shown = said(&long, 620..628, 20);
        assert!(shown[0].starts_with("… "), "{shown:?}");
        assert!(shown.concat().contains("[npm test]"), "{shown:?}");
        assert!(shown.last().unwrap().ends_with('…'), "{shown:?}");
        assert!(shown.len() <= FOLDED, "{shown:?}");
    }
}
