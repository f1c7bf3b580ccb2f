//! The earlier versions of a memory: a row for each, below them what the selected one changed.
//!
//! ```text
//!  now      today        ·      not committed yet
//! ▌86d27b3  3 weeks ago  Bob    Raise the pool
//!  2ddf435  4 weeks ago  Ann    First notes
//!
//!  importance: low                                     or, with `w`, who wrote which line
//! ```

use ratatui::text::Span;

use super::lines::Lines;
use super::pen::{Frame, Pen, fit_spans};
use super::theme::Role;
use super::{diff, safe, words};
use crate::app::Model;
use crate::app::editor::wrap;
use crate::app::history::Versions;
use crate::curate::versions::{Step, Version, blame};

/// The part of the page that the rows may take: one of so many.
const PART: usize = 3;

/// The page.
pub fn page(
    pen: &Pen<'_>,
    model: &Model,
    versions: &Versions,
    (width, height): (usize, usize),
    frame: &mut Frame<'_>,
) -> Lines {
    let mut out = Lines::default();
    let title = format!("Versions of {}", words::title(&versions.of));
    frame.title = vec![pen.text(Role::Title, &title)];
    let all = versions.rows();
    match &versions.all {
        None => out.push(vec![pen.text(Role::Muted, "reading the history …")]),
        Some(Err(why)) => out.wrapped(pen, Role::Error, why, width, 0),
        Some(Ok(all)) if all.is_empty() => {
            let text = "No earlier version is known: no commit has this memory, and memkeep did not change it.";
            out.wrapped(pen, Role::Muted, text, width, 0);
        }
        Some(Ok(_)) => {}
    }
    if all.is_empty() {
        return out;
    }
    frame.note = format!("{} of {}", versions.row + 1, all.len());
    let room = (height / PART).clamp(1, all.len());
    let top = versions.row.saturating_sub(room / 2).min(all.len() - room);
    let columns = Columns::new(model, all.iter().map(|one| &**one), width);
    for (n, version) in all.iter().enumerate().skip(top).take(room) {
        out.push(columns.row(pen, model, version, n == versions.row));
    }
    out.gap();
    if versions.blames {
        let all: Vec<Version> = all.iter().map(|version| (**version).clone()).collect();
        for (n, text) in blame(&all) {
            let Some(version) = all.get(n) else { continue };
            let who = safe::pad(&version.author, columns.who);
            let head = format!("{}  {who}  ", safe::pad(version.short(), REV));
            let room = width.saturating_sub(safe::width(&head)).max(1);
            // Further rows continue the same line.
            for (row, range) in wrap(&text, room, safe::width).into_iter().enumerate() {
                let lead = if row == 0 {
                    head.clone()
                } else {
                    safe::pad("", safe::width(&head))
                };
                let part = text.get(range).unwrap_or_default();
                let spans = vec![
                    pen.text(Role::Faint, &lead),
                    pen.text(Role::Text, &safe::safe(part)),
                ];
                out.push(fit_spans(spans, width));
            }
        }
    } else if let Some(version) = versions.current() {
        // The place of the first hunk tells nothing, and those of the others part them.
        let lines = diff::lines(&version.diff(), pen.theme, width);
        for line in lines.into_iter().skip(1) {
            let first = line.spans.first();
            let is_place = first.is_some_and(|span| span.content.starts_with("@@"));
            let spans = if is_place { Vec::new() } else { line.spans };
            out.push(fit_spans(spans, width));
        }
    }
    out
}

/// How wide the columns are.
struct Columns {
    when: usize,
    who: usize,
    width: usize,
}

/// Columns of a revision, and at most of a name.
const REV: usize = 7;
const NAME: usize = 16;

fn when(model: &Model, version: &Version) -> String {
    version
        .time
        .map_or_else(String::new, |at| words::ago(at, model.now))
}

impl Columns {
    fn new<'a>(model: &Model, all: impl Iterator<Item = &'a Version>, width: usize) -> Self {
        let (mut most, mut who) = (0, 0);
        for version in all {
            most = most.max(safe::width(&when(model, version)));
            who = who.max(safe::width(&version.author));
        }
        // If there is no room for all, the subject says most.
        let who = if width < 50 { 0 } else { who.min(NAME) };
        Self {
            when: most,
            who,
            width,
        }
    }

    fn head(&self, model: &Model, version: &Version) -> String {
        let rev = safe::pad(version.short(), REV);
        let who = match self.who {
            0 => String::new(),
            who => format!("  {}", safe::pad(&version.author, who)),
        };
        format!(
            "{rev}  {}{who}  ",
            safe::pad(&when(model, version), self.when)
        )
    }

    fn row(
        &self,
        pen: &Pen<'_>,
        model: &Model,
        version: &Version,
        here: bool,
    ) -> Vec<Span<'static>> {
        let verb = match version.step {
            Step::Changed => String::new(),
            ref step => format!("{}: ", step.word()),
        };
        let (mark, role) = if here {
            ("▌", Role::Title)
        } else {
            (" ", Role::Text)
        };
        let spans = vec![
            pen.text(Role::Accent, mark),
            pen.text(Role::Muted, &self.head(model, version)),
            pen.text(role, &format!("{verb}{}", version.subject)),
        ];
        fit_spans(spans, self.width)
    }
}
