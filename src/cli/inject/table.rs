//! A preview as a table for people.

use std::io::Write as _;

use super::{StorePreview, title_of};
use crate::cli::Output;
use crate::cli::error::Error;
use crate::cli::output::literal;
use crate::memory::plural;
use crate::retrieval::{Reason, Verdict};
use crate::ui::safe::safe;

/// Prints the preview of a store: what is in, what was left out, and why.
pub(super) fn table(of: &StorePreview, explain: bool, output: &mut Output) -> Result<(), Error> {
    let preview = &of.preview;
    let places = preview
        .places
        .map_or(String::new(), |places| format!(" of {places}"));
    let tokens = match preview.budget {
        Some(budget) => format!("{} of {}", preview.tokens(), plural(budget, "token")),
        None => plural(preview.tokens(), "token"),
    };
    let head = format!(
        "{} · {}: {}{places} injected, {tokens}",
        of.store,
        format!("{} {}", preview.policy, preview.dialect).trim_end(),
        preview.selected.len(),
    );
    output.bold(&head)?;
    writeln!(output)?;
    // Print notes not yet on standard error.
    let said = preview.notes.iter().map(|note| &note.text);
    for said in said.filter(|said| !of.notes.contains(said)) {
        output.faint(&safe(said))?;
        writeln!(output)?;
    }
    for verdict in &preview.selected {
        row(of, verdict, output)?;
        if explain {
            factors(verdict, output)?;
        }
    }
    let left = preview.rejected_total;
    if left > 0 {
        let head = format!(
            "left out: {left}{}",
            if left > preview.rejected.len() {
                format!(", the best {}", preview.rejected.len())
            } else {
                String::new()
            }
        );
        output.bold(&head)?;
        writeln!(output)?;
    }
    for verdict in &preview.rejected {
        row(of, verdict, output)?;
        if explain {
            factors(verdict, output)?;
        }
    }
    Ok(())
}

fn row(of: &StorePreview, verdict: &Verdict, output: &mut Output) -> Result<(), Error> {
    let rank = verdict.rank.map_or("·".to_owned(), |rank| rank.to_string());
    let score = verdict.score.map_or("-".to_owned(), points);
    writeln!(
        output,
        "{rank:>4} {score:>4}  {}",
        safe(title_of(of, verdict))
    )?;
    let why = match (&verdict.matched, verdict.reason) {
        (Some(found), Reason::Selected) => {
            format!("`{}` on “{}” ({})", found.pattern, found.hit, found.kind)
        }
        (_, reason) => {
            let hint = verdict
                .hint
                .as_deref()
                .map_or(String::new(), |hint| format!(": {hint}"));
            format!("{}{hint}", reason.word().replace('_', " "))
        }
    };
    write!(output, "           ")?;
    output.faint(&safe(&why))?;
    Ok(writeln!(output)?)
}

/// Points without digits that nobody reads.
pub(super) fn points(points: f64) -> String {
    ((points * 1000.0).round() / 1000.0).to_string()
}

fn signed(of: f64) -> String {
    let sign = if of < 0.0 { "" } else { "+" };
    format!("{sign}{}", points(of))
}

fn factors(verdict: &Verdict, output: &mut Output) -> Result<(), Error> {
    let points = verdict
        .factors
        .iter()
        .map(|factor| signed(factor.points).len());
    let width = points.max().unwrap_or_default().max(4);
    for factor in &verdict.factors {
        writeln!(
            output,
            "           {:>width$}  {:<16} {}",
            signed(factor.points),
            factor.name,
            safe(&factor.detail)
        )?;
    }
    Ok(())
}

/// Prints the preview of a store as a Markdown table.
pub(super) fn markdown(of: &StorePreview, output: &mut Output) -> Result<(), Error> {
    writeln!(output, "## What {} would inject\n", literal(&of.store))?;
    writeln!(
        output,
        "| rank | score | memory | why |\n|---:|---:|---|---|"
    )?;
    for verdict in of.preview.selected.iter().chain(&of.preview.rejected) {
        let rank = verdict.rank.map_or(String::new(), |rank| rank.to_string());
        let score = verdict.score.map_or(String::new(), points);
        let why = match &verdict.matched {
            Some(found) if verdict.rank.is_some() => {
                format!("{} on “{}”", literal(&found.pattern), literal(&found.hit))
            }
            _ => match &verdict.hint {
                // Its own words are memkeep's, with texts of the store as code.
                Some(hint) => safe(hint).replace('|', "\\|").replace('<', "&lt;"),
                None => verdict.reason.word().replace('_', " "),
            },
        };
        writeln!(
            output,
            "| {rank} | {score} | {} | {why} |",
            literal(title_of(of, verdict)),
        )?;
    }
    writeln!(output, "\n{}.\n", plural(of.preview.tokens(), "token"))?;
    Ok(())
}
