//! The queue as a table for people, JSON, and Markdown for a pull request.

use crate::app::history::ago;
use crate::cli::args::Format;
use crate::cli::json::{changed_fields, print_array};
use crate::cli::prelude::*;

use crate::curate::differences::{Against, Entry, FieldChange, Stage};
use crate::store::queue::Review;

use crate::workspace::assessment::{Assessed, assess};

/// Lines of a diff that the table shows; `--format markdown` shows all.
const SHOWN: usize = 12;

/// An entry with its findings and effects.
type Card<'a> = (&'a Entry, Assessed);

/// Prints the queue.
pub fn queue(
    ws: &Workspace,
    review: &Review<'_>,
    format: Format,
    output: &mut Output,
) -> Result<()> {
    let entries = &review.entries;
    if format == Format::Quiet {
        return Ok(output.lines(entries.iter().map(|entry| &entry.id))?);
    }
    let assessed = assess(ws, &review.memories(), entries);
    let cards: Vec<Card<'_>> = entries.iter().zip(assessed).collect();
    match format {
        Format::Json => print_array(&cards, |card| json_of(ws, card), output),
        Format::Markdown => markdown(ws, &cards, output),
        _ => table(ws, &cards, output),
    }
}

fn shown(ws: &Workspace, entry: &Entry) -> String {
    let path = entry.path().map(|path| ws.collection.shown(path));
    path.unwrap_or_default()
}

fn json_of(ws: &Workspace, (entry, assessed): &Card<'_>) -> serde_json::Value {
    let findings = assessed.findings.iter().map(|(finding, is_new)| {
        json!({
            "rule": finding.rule, "severity": finding.severity.word(), "line": finding.line,
            "message": mask(&finding.message), "new": is_new,
        })
    });
    let (against, why) = match &entry.against {
        Against::Commit => ("commit", None),
        Against::LastReview => ("last-review", None),
        Against::Proposal(proposal) => ("proposal", proposal.why.as_deref()),
    };
    json!({
        "id": entry.id.to_string(),
        "path": shown(ws, entry),
        "change": entry.kind.word(),
        "staged": entry.staged == Stage::Yes,
        "fields": changed_fields(entry.fields()),
        "diff": mask(&entry.diff()),
        "findings": findings.collect_vec(),
        "title": mask(entry.title()),
        "was": was(entry),
        "archived": entry.is_archived(),
        "appended": entry.is_appended,
        "author": entry.author(),
        "written": entry.written().map(Timestamp::to_rfc3339),
        "effects": assessed.effects,
        "against": against,
        "why": why,
    })
}

/// The id that a memory had before, where it was another one.
fn was(entry: &Entry) -> Option<String> {
    let before = entry.before.as_ref().map(|side| &side.memory.id);
    let before = before.filter(|id| **id != entry.id);
    before.map(ToString::to_string)
}

/// `2 new, 1 modified · 1 staged`.
fn summary(cards: &[Card<'_>]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (entry, _) in cards {
        match counts.iter_mut().find(|(what, _)| *what == entry.what()) {
            Some((_, count)) => *count += 1,
            None => counts.push((entry.what(), 1)),
        }
    }
    let counts = counts.iter().map(|(what, count)| format!("{count} {what}"));
    let counts = counts.format(", ");
    let staged = cards.iter().filter(|(entry, _)| entry.staged == Stage::Yes);
    match staged.count() {
        0 => counts.to_string(),
        staged => format!("{counts} · {staged} staged"),
    }
}

/// Who wrote a memory and when, as far as that is known, behind a separator.
fn origin(ws: &Workspace, entry: &Entry, separator: &str) -> String {
    let by = entry.author().map(|by| format!("by {by}"));
    let when = entry.written().map(|at| ago(at, ws.now));
    let origin = by.into_iter().chain(when).join(", ");
    let separator = if origin.is_empty() { "" } else { separator };
    format!("{separator}{}", safe(&origin))
}

fn table(ws: &Workspace, cards: &[Card<'_>], output: &mut Output) -> Result<()> {
    if cards.is_empty() {
        note("nothing to review");
        return Ok(());
    }
    for (entry, assessed) in cards {
        let mark = match entry.staged {
            Stage::Yes => "✓",
            Stage::Partly => "~",
            Stage::No => " ",
        };
        let (title, id) = (mask(entry.title()), entry.id.to_string());
        output.bold(&format!("{mark} {}  {}", entry.what(), safe(&title)))?;
        output.faint(&format!("  {}{}\n", safe(&id), origin(ws, entry, "  ")))?;
        if let Some(was) = was(entry) {
            writeln!(output, "    was {}", safe(&was))?;
        }
        let fields = entry.fields().into_iter();
        let fields = fields.filter(|_| !entry.has_fields_in_text());
        for FieldChange { name, old, new } in fields {
            let text = |value: Option<Value>| {
                let text = value.map_or_else(|| "none".to_owned(), |value| value.to_string());
                safe(&mask(&text)).into_owned()
            };
            writeln!(output, "    {name}: {} → {}", text(old), text(new))?;
        }
        let diff = mask(&entry.diff()).into_owned();
        let lines = diff.lines().skip(2).filter(|line| !line.starts_with("@@"));
        let lines: Vec<&str> = lines.collect();
        for line in lines.iter().take(SHOWN) {
            writeln!(output, "    {}", safe(line))?;
        }
        if lines.len() > SHOWN {
            output.faint(&format!("    … {} more lines\n", lines.len() - SHOWN))?;
        }
        if let Against::Proposal(proposal) = &entry.against {
            for why in proposal.why.iter().flat_map(|why| why.lines()) {
                writeln!(output, "    why: {}", safe(&mask(why)))?;
            }
        }
        for effect in &assessed.effects {
            writeln!(output, "    → {}", safe(effect))?;
        }
        for (finding, is_new) in &assessed.findings {
            let is_info = finding.severity == Severity::Info;
            let mark = if is_info { "?" } else { "!" };
            let new = if *is_new { "new " } else { "" };
            let (rule, message) = (finding.rule, mask(&finding.message));
            writeln!(output, "    {mark} {new}{rule}: {}", safe(&message))?;
        }
    }
    let (count, summary) = (cards.len(), summary(cards));
    Ok(writeln!(output, "\n{count} to review: {summary}")?)
}

/// A text in a fence that it does not end.
fn fenced(text: &str) -> String {
    let lines = text.lines();
    let lines = lines.map(|line| line.trim_start_matches([' ', '+', '-']));
    let ticks = lines.map(|line| line.len() - line.trim_start_matches('`').len());
    let fence = "`".repeat(ticks.max().unwrap_or_default().max(2) + 1);
    format!("{fence}diff\n{}\n{fence}\n", text.trim_end())
}

fn markdown(ws: &Workspace, cards: &[Card<'_>], output: &mut Output) -> Result<()> {
    if cards.is_empty() {
        return Ok(writeln!(output, "No memory changed.")?);
    }
    writeln!(output, "## Memories: {}\n", summary(cards))?;
    for (entry, assessed) in cards {
        let title = mask(entry.title()).replace(['`', '<', '>', '\n'], "");
        writeln!(output, "### {} · {title}\n", entry.what())?;
        let (path, origin) = (shown(ws, entry), origin(ws, entry, " · "));
        writeln!(output, "`{}` · `{path}`{origin}\n", entry.id)?;
        for effect in &assessed.effects {
            writeln!(output, "- {}", safe(&effect.replace('<', "&lt;")))?;
        }
        for (finding, is_new) in &assessed.findings {
            let new = if *is_new { "**new** " } else { "" };
            let message = mask(&finding.message).replace('<', "&lt;");
            writeln!(output, "- {new}`{}`: {}", finding.rule, safe(&message))?;
        }
        let diff = mask(&entry.diff()).lines().skip(2).map(safe).join("\n");
        if !diff.is_empty() {
            writeln!(output, "\n{}", fenced(&diff))?;
        }
    }
    Ok(())
}
