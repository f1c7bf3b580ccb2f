//! The rows of the list of findings: the rules, and below each what it found.

use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::app::Model;
use crate::app::layout::{Areas, Room};
use crate::app::lints::Row;
use crate::lint::Finding;
use crate::ui::pen::{Pen, beyond};
use crate::ui::theme::Role;
use crate::ui::{safe, words};

/// Columns before a title: where one stands, the severity, whether there is a fix.
const LEAD: usize = 4;
/// Columns between two columns of text.
const GAP: usize = 2;
/// Columns of a message below which it says nothing any more.
const TELLING: usize = 24;

/// What a row says of a finding.
struct Said<'a> {
    finding: Option<&'a Finding>,
    title: String,
    message: String,
    /// Its rule, where no row above names it.
    rule: Option<&'static str>,
}

/// Draws the rows that are on the screen.
pub(super) fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    let rows = model.lints.rows.iter().zip(0..);
    let rows = rows.skip(model.lints.cursor.top);
    let shown: Vec<(Row, usize, Option<Said<'_>>)> = rows
        .take(usize::from(areas.rows.height))
        .map(|(row, n)| (*row, n, said(model, *row)))
        .collect();
    let all: Vec<&Said<'_>> = shown.iter().filter_map(|row| row.2.as_ref()).collect();
    let room = usize::from(areas.rows.width).saturating_sub(LEAD + 1);
    let title = match areas.room {
        Room::Tiny | Room::Narrow => None,
        Room::Medium | Room::Wide => Some(title_columns(&all, room)),
    };
    for (line, (row, n, said)) in (0..areas.rows.height).zip(&shown) {
        let here = *n == model.lints.cursor.row;
        let spans = match (row, said) {
            (Row::Finding(_), Some(said)) => finding(pen, said, here, (room, title)),
            (Row::Suggestions, _) => {
                let line = "─".repeat((room + LEAD).saturating_sub(21));
                vec![pen.text(Role::Border, &format!(" ── only suggestions {line}"))]
            }
            (Row::More { count, .. }, _) => more(pen, model, *count, here),
            _ => rule(pen, model, *row, room),
        };
        pen.row(areas.rows, line, spans, here);
    }
    let (top, all) = (model.lints.cursor.top, model.lints.rows.len());
    let height = usize::from(areas.rows.height);
    let goes_on = (top > 0, top + height < all);
    // The last column of a row is free; a border beyond it is the list's own.
    let area = Rect {
        width: areas.rows.width.saturating_sub(u16::from(areas.borders)),
        ..areas.rows
    };
    beyond(pen.buffer, area, goes_on, pen.style(Role::Muted));
}

fn said(model: &Model, row: Row) -> Option<Said<'_>> {
    let Row::Finding(at) = row else {
        return None;
    };
    let finding = model.world.finding(at);
    let memory = finding.and_then(|finding| model.world.memory_of(finding));
    let title = || crate::lint::mask(memory.map_or("", |memory| &memory.title)).into_owned();
    Some(Said {
        finding,
        title: finding.and_then(super::many).unwrap_or_else(title),
        message: finding.map_or_else(String::new, |finding| super::message(model, finding)),
        rule: finding
            .filter(|_| model.lints.flat)
            .map(|finding| finding.rule),
    })
}

/// Columns of the titles: as many as the widest has; where the messages need the room no more than
/// a third, or a quarter beside the names of rules.
fn title_columns(all: &[&Said<'_>], room: usize) -> usize {
    let widest = |of: &dyn Fn(&Said<'_>) -> usize| all.iter().map(|said| of(said)).max();
    let titles = widest(&|said| safe::width(&said.title)).unwrap_or_default();
    let others = widest(&|said| {
        let rule = said.rule.map_or(0, |rule| GAP + rule.len());
        safe::width(&said.message) + rule
    });
    let part = if all.iter().any(|said| said.rule.is_some()) {
        4
    } else {
        3
    };
    let left = room.saturating_sub(GAP + others.unwrap_or_default());
    titles.min(left.max(room / part))
}

/// The row of a finding: its title, what was found, and the rule where there is room for both.
fn finding(
    pen: &Pen<'_>,
    said: &Said<'_>,
    here: bool,
    (room, title): (usize, Option<usize>),
) -> Vec<Span<'static>> {
    let fix = said.finding.is_some_and(|finding| finding.fix.is_some());
    let mut spans = vec![
        pen.text(Role::Accent, if here { "▌" } else { " " }),
        said.finding.map_or_else(Span::default, |finding| {
            pen.text(
                Role::severity(finding.severity),
                words::mark(finding.severity),
            )
        }),
        pen.text(Role::Ok, if fix { "f " } else { "  " }),
    ];
    let Some(columns) = title else {
        spans.push(pen.text(Role::Text, &safe::fit(&said.title, room)));
        return spans;
    };
    let text = safe::fit(&said.title, columns);
    let blank = " ".repeat(columns.saturating_sub(safe::width(&text)) + GAP);
    spans.push(pen.text(Role::Text, &format!("{text}{blank}")));
    let rest = room.saturating_sub(columns + GAP);
    let named = said.rule.filter(|rule| rest >= TELLING + GAP + rule.len());
    let message = safe::fit(
        &said.message,
        rest.saturating_sub(named.map_or(0, |rule| GAP + rule.len())),
    );
    let used = safe::width(&message);
    spans.push(pen.text(Role::Muted, &message));
    if let Some(rule) = named {
        let blank = " ".repeat(rest.saturating_sub(used + rule.len()));
        spans.push(pen.text(Role::Faint, &format!("{blank}{rule}")));
    }
    spans
}

/// The row into which further findings are folded.
fn more(pen: &Pen<'_>, model: &Model, count: usize, here: bool) -> Vec<Span<'static>> {
    let key = model.keymap.label("open").unwrap_or_default();
    let text = format!("  … {} more · {key} lists them", words::number(count));
    vec![
        pen.text(Role::Accent, if here { "▌" } else { " " }),
        pen.text(Role::Muted, &text),
    ]
}

/// The row of a rule: what it is called, and how much it found.
fn rule(pen: &Pen<'_>, model: &Model, row: Row, room: usize) -> Vec<Span<'static>> {
    let Row::Rule {
        rule,
        severity,
        count,
        confidence,
    } = row
    else {
        return Vec::new();
    };
    let counted = counted(count, model.lints.left_out(&model.world, rule));
    let left = room.saturating_sub(rule.len() + safe::width(&counted));
    let mut forms = confident(confidence).into_iter();
    let confident = forms.find(|text| safe::width(text) <= left);
    vec![
        pen.text(
            Role::severity(severity),
            &format!(" {} ", words::mark(severity)),
        ),
        pen.text(Role::Title, rule),
        pen.text(Role::Muted, &counted),
        pen.text(Role::Faint, &confident.unwrap_or_default()),
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

/// How many findings of a rule there are, and how many of them are listed where not all are.
fn counted(count: usize, left_out: usize) -> String {
    let all = words::number(count);
    match left_out {
        0 => format!("  {all}"),
        _ => format!(
            "  {all}, the first {} listed",
            words::number(count - left_out)
        ),
    }
}
