//! Prints all that an agent is given for a task: by every store, and by the files that are loaded
//! beside memories.

use std::io::Write as _;

use crate::cli::Output;
use crate::cli::error::Error;
use crate::cli::output::literal;
use crate::memory::plural;
use crate::ui::safe::safe;
use crate::workspace::preview::StorePreview;
use crate::workspace::{ContextFile, Picture};

/// Prints the files, a line each; those that are not loaded for a task say so.
pub fn list(files: &[ContextFile], for_task: bool, output: &mut Output) -> Result<(), Error> {
    for file in files {
        let loaded = file.loaded.iter().map(String::as_str);
        let not = (for_task && !file.given).then_some("not loaded for this task");
        let hint = file.hint.as_deref().filter(|_| for_task);
        let parts: Vec<&str> = loaded.chain(not).chain(hint).collect();
        let (path, tokens) = (safe(&file.path), plural(file.tokens, "token"));
        writeln!(output, "  {path} · {tokens} · {}", safe(&parts.join(" · ")))?;
    }
    Ok(())
}

/// Prints the lines of a table for people: nothing for one store without context.
pub fn table(picture: &Picture, stores: usize, output: &mut Output) -> Result<(), Error> {
    if stores < 2 && picture.context.is_empty() {
        return Ok(());
    }
    let (tokens, agents) = (picture.together.tokens, &picture.together.agents);
    output.bold(&format!("together: {}", plural(tokens, "token")))?;
    match &*picture.together.parts() {
        "" => writeln!(output)?,
        parts => writeln!(output, " ({parts})")?,
    }
    let one = |(agent, tokens): (&String, &usize)| format!("{agent} {tokens}");
    let agents: Vec<String> = agents.iter().map(one).collect();
    if !agents.is_empty() {
        writeln!(output, "  of these for {}", agents.join(", "))?;
    }
    list(&picture.context, true, output)?;
    for repeat in &picture.repeats {
        writeln!(
            output,
            "  repeats in {}: {}",
            safe(&repeat.ids.join(", ")),
            safe(&repeat.text)
        )?;
    }
    Ok(())
}

/// Prints the head of a report.
pub fn markdown(
    picture: &Picture,
    previews: &[StorePreview],
    task: &str,
    output: &mut Output,
) -> Result<(), Error> {
    writeln!(
        output,
        "# What agents are given\n\nTask: {}\n",
        literal(task)
    )?;
    writeln!(output, "| given by | what | tokens |\n|---|---|---:|")?;
    for of in previews {
        let what = match of.preview.selected.len() {
            1 => "1 memory".to_owned(),
            many => format!("{many} memories"),
        };
        let policy = of.preview.policy;
        writeln!(
            output,
            "| {} | {what} ({policy}) | {} |",
            literal(&of.store),
            of.preview.tokens()
        )?;
    }
    for file in &picture.context {
        let loaded = file.loaded.as_deref().unwrap_or("context");
        let not = match file.given {
            true => "",
            false => " (not for this task)",
        };
        writeln!(
            output,
            "| {} | {} | {} |",
            literal(&file.path),
            literal(&format!("{loaded}{not}")),
            file.tokens
        )?;
    }
    let together = &picture.together;
    let (parts, tokens) = (together.parts(), together.tokens);
    writeln!(output, "| **together** | {parts} | **{tokens}** |")?;
    for (agent, tokens) in &together.agents {
        writeln!(output, "| of these for {agent} | | {tokens} |")?;
    }
    writeln!(output)?;
    if !picture.repeats.is_empty() {
        writeln!(output, "Repeated across stores and context files:\n")?;
        for repeat in &picture.repeats {
            writeln!(
                output,
                "- {} ({})",
                literal(&repeat.text),
                literal(&repeat.ids.join(", "))
            )?;
        }
        writeln!(output)?;
    }
    Ok(())
}
