//! The queue as a table for people, JSON, and Markdown for a pull request.

use std::io::Write as _;

use serde_json::json;

use crate::cli::error::Error;
use crate::cli::json::print_array;
use crate::cli::output::note;
use crate::cli::review::ReviewFormat;
use crate::cli::{Output, exit};
use crate::curate::review::{Against, Entry, FieldChange, Stage};
use crate::lint::mask;
use crate::memory::{Severity, Timestamp, Value};
use crate::store::review::Review;
use crate::ui::safe::safe;
use crate::workspace::Workspace;
use crate::workspace::review::{Assessed, assess};

/// Lines of a diff that the table shows; `--format markdown` shows all.
const SHOWN: usize = 12;

/// Prints the queue.
pub fn queue(
    ws: &Workspace,
    review: &Review<'_>,
    format: ReviewFormat,
    output: &mut Output,
) -> Result<u8, Error> {
    let entries = &review.entries;
    if format == ReviewFormat::Quiet {
        for entry in entries {
            writeln!(output, "{}", entry.id)?;
        }
        return Ok(exit::DONE);
    }
    let all = assess(ws, &review.memories(), entries);
    let both: Vec<(&Entry, &Assessed)> = entries.iter().zip(&all).collect();
    match format {
        ReviewFormat::Json => {
            print_array(
                &both,
                |(entry, assessed)| json_of(ws, entry, assessed),
                output,
            )?;
        }
        ReviewFormat::Markdown => markdown(ws, &both, output)?,
        ReviewFormat::Table | ReviewFormat::Quiet => table(ws, &both, output)?,
    }
    Ok(exit::DONE)
}

fn shown(ws: &Workspace, entry: &Entry) -> String {
    let path = entry.path().map(|path| ws.collection.shown(path));
    path.unwrap_or_default()
}

fn masked(value: &Option<Value>) -> serde_json::Value {
    match value {
        Some(Value::Text(text)) => json!(mask(text)),
        value => json!(value),
    }
}

fn json_of(ws: &Workspace, entry: &Entry, assessed: &Assessed) -> serde_json::Value {
    let fields: Vec<_> = entry
        .fields()
        .into_iter()
        .map(|FieldChange { name, old, new }| json!({"name": name, "old": masked(&old), "new": masked(&new)}))
        .collect();
    let findings: Vec<_> = assessed
        .findings
        .iter()
        .map(|(finding, is_new)| {
            json!({
                "rule": finding.rule, "severity": finding.severity.word(), "line": finding.line,
                "message": mask(&finding.message), "new": is_new,
            })
        })
        .collect();
    let (against, why) = match &entry.against {
        Against::Commit => ("commit", None),
        Against::LastReview => ("last-review", None),
        Against::Proposal(proposal) => ("proposal", proposal.why.as_deref()),
    };
    let was = entry.before.as_ref().map(|side| side.memory.id.to_string());
    json!({
        "id": entry.id.to_string(),
        "path": shown(ws, entry),
        "change": entry.kind.word(),
        "staged": entry.staged == Stage::Yes,
        "fields": fields,
        "diff": mask(&entry.diff()),
        "findings": findings,
        "title": mask(entry.title()),
        "was": was.filter(|was| *was != entry.id.to_string()),
        "archived": entry.is_archived(),
        "appended": entry.is_appended,
        "author": entry.author(),
        "written": entry.written().map(Timestamp::to_rfc3339),
        "effects": assessed.effects,
        "against": against,
        "why": why,
    })
}

/// `2 new, 1 modified · 1 staged`.
fn summary(both: &[(&Entry, &Assessed)]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (entry, _) in both {
        match counts.iter_mut().find(|(what, _)| *what == entry.what()) {
            Some((_, count)) => *count += 1,
            None => counts.push((entry.what(), 1)),
        }
    }
    let counts: Vec<String> = counts
        .iter()
        .map(|(what, count)| format!("{count} {what}"))
        .collect();
    let staged = both
        .iter()
        .filter(|(entry, _)| entry.staged == Stage::Yes)
        .count();
    let staged = if staged > 0 {
        format!(" · {staged} staged")
    } else {
        String::new()
    };
    format!("{}{staged}", counts.join(", "))
}

/// Who wrote a memory and when, as far as that is known.
fn origin(ws: &Workspace, entry: &Entry) -> String {
    let by = entry.author().map(|by| format!("by {by}"));
    let when = entry.written().map(|at| crate::ui::words::ago(at, ws.now));
    let both: Vec<String> = by.into_iter().chain(when).collect();
    both.join(", ")
}

fn table(ws: &Workspace, both: &[(&Entry, &Assessed)], output: &mut Output) -> Result<(), Error> {
    if both.is_empty() {
        note("nothing to review");
        return Ok(());
    }
    for (entry, assessed) in both {
        let mark = match entry.staged {
            Stage::Yes => "✓",
            Stage::Partly => "~",
            Stage::No => " ",
        };
        let title = mask(entry.title());
        output.bold(&format!("{mark} {}  {}", entry.what(), safe(&title)))?;
        let origin = origin(ws, entry);
        let gap = if origin.is_empty() { "" } else { "  " };
        output.faint(&format!(
            "  {}{gap}{}",
            safe(&entry.id.to_string()),
            safe(&origin)
        ))?;
        writeln!(output)?;
        if let Some(was) = entry
            .before
            .as_ref()
            .filter(|side| side.memory.id != entry.id)
        {
            writeln!(output, "    was {}", safe(&was.memory.id.to_string()))?;
        }
        for FieldChange { name, old, new } in entry.fields() {
            if !entry.has_fields_in_text() {
                let value = |value: Option<Value>| {
                    let text = value.map_or_else(|| "none".to_owned(), |value| value.to_string());
                    safe(&mask(&text)).into_owned()
                };
                writeln!(output, "    {name}: {} → {}", value(old), value(new))?;
            }
        }
        let diff = mask(&entry.diff()).into_owned();
        let lines: Vec<&str> = diff
            .lines()
            .skip(2)
            .filter(|line| !line.starts_with("@@"))
            .collect();
        for line in lines.iter().take(SHOWN) {
            writeln!(output, "    {}", safe(line))?;
        }
        if lines.len() > SHOWN {
            output.faint(&format!("    … {} more lines\n", lines.len() - SHOWN))?;
        }
        for effect in &assessed.effects {
            writeln!(output, "    → {}", safe(effect))?;
        }
        for (finding, is_new) in &assessed.findings {
            let mark = if finding.severity == Severity::Info {
                "?"
            } else {
                "!"
            };
            let new = if *is_new { "new " } else { "" };
            writeln!(
                output,
                "    {mark} {new}{}: {}",
                finding.rule,
                safe(&mask(&finding.message))
            )?;
        }
    }
    writeln!(output, "\n{} to review: {}", both.len(), summary(both))?;
    Ok(())
}

/// A text in a fence that it does not end.
fn fenced(text: &str) -> String {
    let longest = text
        .lines()
        .map(|line| line.trim_start_matches([' ', '+', '-']));
    let longest = longest
        .map(|line| line.len() - line.trim_start_matches('`').len())
        .max();
    let fence = "`".repeat(longest.unwrap_or_default().max(2) + 1);
    format!("{fence}diff\n{}\n{fence}\n", text.trim_end())
}

fn markdown(
    ws: &Workspace,
    both: &[(&Entry, &Assessed)],
    output: &mut Output,
) -> Result<(), Error> {
    if both.is_empty() {
        writeln!(output, "No memory changed.")?;
        return Ok(());
    }
    writeln!(output, "## Memories: {}\n", summary(both))?;
    for (entry, assessed) in both {
        let title = mask(entry.title()).replace(['`', '<', '>', '\n'], "");
        writeln!(output, "### {} · {title}\n", entry.what())?;
        let origin = origin(ws, entry);
        let origin = if origin.is_empty() {
            origin
        } else {
            format!(" · {origin}")
        };
        writeln!(
            output,
            "`{}` · `{}`{}\n",
            entry.id,
            shown(ws, entry),
            safe(&origin)
        )?;
        for effect in &assessed.effects {
            writeln!(output, "- {}", safe(&effect.replace('<', "&lt;")))?;
        }
        for (finding, is_new) in &assessed.findings {
            let new = if *is_new { "**new** " } else { "" };
            let message = mask(&finding.message).replace('<', "&lt;");
            writeln!(output, "- {new}`{}`: {}", finding.rule, safe(&message))?;
        }
        let diff = mask(&entry.diff()).into_owned();
        let diff: Vec<&str> = diff.lines().skip(2).collect();
        if !diff.is_empty() {
            let lines: Vec<String> = diff.iter().map(|line| safe(line).into_owned()).collect();
            writeln!(output, "\n{}", fenced(&lines.join("\n")))?;
        }
    }
    Ok(())
}
