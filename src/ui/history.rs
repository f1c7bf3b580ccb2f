//! The earlier versions of a memory: a row for each (`86d27b3  3 weeks ago  Bob  Raise the pool`), below
//! them what the selected one changed.

use super::sheet::Sheet;
use super::theme::Role;
use super::{diff, safe, words};
use crate::app::Model;
use crate::app::history::Versions;
use crate::curate::versions::{Step, Version};

/// The part of the page that the rows may take: one of so many.
const PART: usize = 3;
/// Columns of a revision, and at most of a name.
const REV: usize = 7;
const NAME: usize = 16;

pub fn page(sheet: &mut Sheet<'_>, model: &Model, versions: &Versions) {
    sheet.title = format!("Versions of {}", words::title(&versions.of));
    let all = versions.rows();
    match &versions.all {
        None => sheet.line(Role::Muted, "reading the history …"),
        Some(Err(why)) => sheet.wrapped(Role::Error, why),
        Some(Ok(all)) if all.is_empty() => sheet.wrapped(
            Role::Muted,
            "No earlier version is known: no commit has this memory, and memkeep did not change it.",
        ),
        Some(Ok(_)) => {}
    }
    if all.is_empty() {
        return;
    }
    sheet.note = format!("{} of {}", versions.row + 1, all.len());
    let when = |version: &Version| {
        let time = version.time;
        time.map_or_else(String::new, |at| words::ago(at, model.now))
    };
    let whens = all.iter().map(|version| safe::width(&when(version))).max();
    let whens = whens.unwrap_or(0);
    let who = all.iter().map(|version| safe::width(&version.author)).max();
    let who = who.unwrap_or(0).min(NAME);
    let room = (sheet.height / PART).clamp(1, all.len());
    let top = versions.row.saturating_sub(room / 2).min(all.len() - room);
    for (n, version) in all.iter().enumerate().skip(top).take(room) {
        let here = n == versions.row;
        let rev = safe::pad(version.short(), REV);
        let when = safe::pad(&when(version), whens);
        // If there is no room for all, the subject says most.
        let author = match who {
            1.. if sheet.width >= 50 => format!("  {}", safe::pad(&version.author, who)),
            _ => String::new(),
        };
        let verb = match version.step {
            Step::Changed => String::new(),
            ref step => format!("{}: ", step.word()),
        };
        let role = if here { Role::Title } else { Role::Text };
        sheet.push(vec![
            sheet.theme.mark(here),
            sheet.text(Role::Muted, &format!("{rev}  {when}{author}  ")),
            sheet.text(role, &format!("{verb}{}", version.subject)),
        ]);
    }
    sheet.gap();
    if let Some(version) = versions.current() {
        // The place of the first hunk tells nothing, and those of the others part them.
        let lines = diff::lines(&version.diff(), sheet.theme, sheet.width);
        for line in lines.into_iter().skip(1) {
            let first = line.spans.first();
            match first.is_some_and(|span| span.content.starts_with("@@")) {
                true => sheet.gap(),
                false => sheet.push(line.spans),
            }
        }
    }
}
