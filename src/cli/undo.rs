//! `memkeep undo` and `memkeep redo`.

use super::error::Kind;
use super::prelude::*;
use crate::curate::Plan;
use crate::store::StoreError;
use crate::store::journal::{Entry, Kind as Step};
use crate::workspace::orders::{NOTHING, title};

/// Arguments of `undo`.
#[derive(Debug, clap::Args)]
pub struct UndoOne {
    /// The change, by its number in `memkeep history` [default: the last one]
    #[arg(value_name = "#N", conflicts_with = "dry_run")]
    pub change: Option<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `redo`.
#[derive(Debug, clap::Args)]
pub struct Undo {
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Runs `memkeep undo`.
pub fn undo(ws: &Workspace, args: &UndoOne, output: &mut Output) -> Result<u8> {
    if args.dry_run {
        return preview(ws, ws.collection.step_plan(Step::Undo)?, "undo", output);
    }
    let entry = match args
        .change
        .as_ref()
        .map(|typed| typed.trim_start_matches('#').parse())
    {
        Some(Ok(seq)) => ws.collection.undo_one(seq),
        Some(Err(_)) => {
            let typed = args.change.as_deref().unwrap_or_default();
            return Err(Error::wrong(format!("`{typed}` is no number of a change"))
                .hint("`memkeep history` numbers them: `memkeep undo '#3'`"));
        }
        None => ws.collection.undo(),
    };
    say(entry, "undone", "undo", output)
}

/// Runs `memkeep redo`.
pub fn redo(ws: &Workspace, args: &Undo, output: &mut Output) -> Result<u8> {
    match args.dry_run {
        true => preview(ws, ws.collection.step_plan(Step::Redo)?, "redo", output),
        false => say(ws.collection.redo(), "done again", "redo", output),
    }
}

fn preview(ws: &Workspace, plan: Option<Plan>, verb: &str, output: &mut Output) -> Result<u8> {
    let plan = plan.ok_or_else(|| Error::nothing(format!("nothing to {verb}")))?;
    if plan.is_empty() {
        writeln!(output, "{NOTHING}")?;
        return Ok(exit::DONE);
    }
    if let Some(error) = ws.collection.in_the_way(&plan) {
        return Err(refused(error));
    }
    output.write_all(&ws.diff(&plan))?;
    Ok(exit::DONE)
}

fn say(
    entry: Result<Option<Entry>, StoreError>,
    done: &str,
    verb: &str,
    output: &mut Output,
) -> Result<u8> {
    let entry = entry.map_err(refused)?;
    let entry = entry.ok_or_else(|| Error::nothing(format!("nothing to {verb}")))?;
    writeln!(output, "{done}: {}", safe(&title(&entry)))?;
    Ok(exit::DONE)
}

/// A file that came in the way is one that changed: nobody named it.
fn refused(error: StoreError) -> Error {
    match error {
        StoreError::Exists(_) => Error::new(Kind::Refused, error.to_string())
            .hint("give it another name first; nothing was written"),
        error => error.into(),
    }
}
