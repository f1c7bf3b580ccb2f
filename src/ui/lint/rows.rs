//! The rows of the list of findings: the rules, and below each what it found.

use ratatui::text::Span;

use crate::app::Model;
use crate::app::layout::{Areas, Room};
use crate::app::lints::Row;
use crate::lint::Finding;
use crate::ui::pen::{Pen, beyond, inset};
use crate::ui::theme::{Role, Theme};
use crate::ui::{safe, words};

/// Columns before a title: where one stands, the severity, whether there is a fix.
const LEAD: usize = 4;
/// Columns between two columns of text.
const GAP: usize = 2;
/// Columns of a message below which it says nothing any more.
const TELLING: usize = 24;

/// The texts of a row.
struct Said<'a> {
    finding: &'a Finding,
    title: String,
    message: String,
    /// Its rule, where no row above names it.
    rule: Option<&'static str>,
}

/// Draws the rows that are on the screen.
pub(super) fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    let (top, height) = (model.lints.cursor.top, usize::from(areas.rows.height));
    let rows = model.lints.rows.iter().enumerate().skip(top).take(height);
    let shown: Vec<(usize, Row, Option<Said<'_>>)> =
        rows.map(|(n, row)| (n, *row, said(model, *row))).collect();
    let all: Vec<&Said<'_>> = shown.iter().filter_map(|row| row.2.as_ref()).collect();
    let room = usize::from(areas.rows.width).saturating_sub(LEAD + 1);
    let title = (areas.room >= Room::Medium).then(|| title_columns(&all, room));
    for (line, (n, row, said)) in (0..areas.rows.height).zip(&shown) {
        let here = *n == model.lints.cursor.row;
        let spans = match (*row, said) {
            (Row::Finding(_), Some(said)) => finding(pen.theme, said, here, (room, title)),
            (Row::Suggestions, _) => {
                let line = "─".repeat((room + LEAD).saturating_sub(21));
                vec![pen.text(Role::Border, &format!(" ── only suggestions {line}"))]
            }
            (Row::More { count, .. }, _) => {
                let key = model.keymap.label("open").unwrap_or_default();
                let more = words::number(count);
                let more = format!("  … {more} more · {key} lists them");
                vec![pen.theme.mark(here), pen.text(Role::Muted, &more)]
            }
            (row, _) => rule(pen.theme, model, row, room),
        };
        pen.row(areas.rows, line, here, spans);
    }
    let goes_on = (top > 0, top + height < model.lints.rows.len());
    // The last column of a row is free; a border beyond it is the list's own.
    let area = inset(areas.rows, 0, u16::from(areas.borders));
    beyond(pen.buffer, area, goes_on, pen.style(Role::Muted));
}

fn said(model: &Model, row: Row) -> Option<Said<'_>> {
    let Row::Finding(at) = row else {
        return None;
    };
    let finding = model.world.finding(at)?;
    Some(Said {
        finding,
        title: super::many(finding).unwrap_or_else(|| super::title_of(model, finding)),
        message: super::message(model, finding),
        rule: model.lints.flat.then_some(finding.rule),
    })
}

/// Columns of the titles: as many as the widest has; where the messages need the room no more than
/// a third, or a quarter beside the names of rules.
fn title_columns(all: &[&Said<'_>], room: usize) -> usize {
    let titles = all.iter().map(|said| safe::width(&said.title)).max();
    let others = all.iter().map(|said| {
        let rule = said.rule.map_or(0, |rule| GAP + rule.len());
        safe::width(&said.message) + rule
    });
    let named = all.iter().any(|said| said.rule.is_some());
    let part = if named { 4 } else { 3 };
    let left = room.saturating_sub(GAP + others.max().unwrap_or_default());
    titles.unwrap_or_default().min(left.max(room / part))
}

/// The row of a finding: its title, what was found, and the rule where there is room for both.
fn finding(
    theme: &Theme,
    said: &Said<'_>,
    here: bool,
    (room, title): (usize, Option<usize>),
) -> Vec<Span<'static>> {
    let severity = said.finding.severity;
    let fix = if said.finding.fix.is_some() {
        "f "
    } else {
        "  "
    };
    let mut spans = vec![
        theme.mark(here),
        theme.text(Role::severity(severity), words::mark(severity)),
        theme.text(Role::Ok, fix),
    ];
    let Some(columns) = title else {
        spans.push(theme.text(Role::Text, &safe::fit(&said.title, room)));
        return spans;
    };
    let title = safe::pad(&said.title, columns) + &" ".repeat(GAP);
    spans.push(theme.text(Role::Text, &title));
    let rest = room.saturating_sub(columns + GAP);
    let named = said.rule.filter(|rule| rest >= TELLING + GAP + rule.len());
    let taken = named.map_or(0, |rule| GAP + rule.len());
    let message = safe::fit(&said.message, rest.saturating_sub(taken));
    let blank = rest.saturating_sub(safe::width(&message));
    spans.push(theme.text(Role::Muted, &message));
    if let Some(rule) = named {
        spans.push(theme.text(Role::Faint, &safe::pad_left(rule, blank)));
    }
    spans
}

/// The row of a rule: what it is called, and how much it found.
fn rule(theme: &Theme, model: &Model, row: Row, room: usize) -> Vec<Span<'static>> {
    let Row::Rule {
        rule,
        severity,
        count,
        confidence,
    } = row
    else {
        return Vec::new();
    };
    let counted = match model.lints.left_out(&model.world, rule) {
        0 => format!("  {}", words::number(count)),
        left_out => format!(
            "  {}, the first {} listed",
            words::number(count),
            words::number(count - left_out)
        ),
    };
    let left = room.saturating_sub(rule.len() + safe::width(&counted));
    let mut forms = confident(confidence).into_iter();
    let confident = forms.find(|text| safe::width(text) <= left);
    vec![
        theme.text(
            Role::severity(severity),
            &format!(" {} ", words::mark(severity)),
        ),
        theme.text(Role::Title, rule),
        theme.text(Role::Muted, &counted),
        theme.text(Role::Faint, &confident.unwrap_or_default()),
    ]
}

/// The least and the most confidence, as far as it is none of as good as certain, the long form
/// first.
fn confident((least, most): (u32, u32)) -> Vec<String> {
    let range = match (least, most) {
        (95.., _) => return Vec::new(),
        (least, most) if least == most => format!("{least} %"),
        (least, most) => format!("{least}–{most} %"),
    };
    vec![format!("  confidence {range}"), format!("  {range}")]
}
