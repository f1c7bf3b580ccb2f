//! `memkeep undo` and `memkeep redo`.

use std::io::Write as _;

use super::args;
use super::error::Error;
use super::session::Session;
use super::{Output, exit};
use crate::curate::Plan;
use crate::store::StoreError;
use crate::store::journal::Entry;
use crate::ui::safe::safe;

/// Runs `memkeep undo`.
pub fn undo(session: &Session, args: &args::Undo, output: &mut Output) -> Result<u8, Error> {
    if args.dry_run {
        return preview(session, session.collection.undoable()?, "undo", output);
    }
    say(session.collection.undo(), "undone", "undo", output)
}

/// Runs `memkeep redo`.
pub fn redo(session: &Session, args: &args::Undo, output: &mut Output) -> Result<u8, Error> {
    if args.dry_run {
        return preview(session, session.collection.redoable()?, "redo", output);
    }
    say(session.collection.redo(), "done again", "redo", output)
}

fn preview(
    session: &Session,
    plan: Option<Plan>,
    verb: &str,
    output: &mut Output,
) -> Result<u8, Error> {
    let plan = plan.ok_or_else(|| Error::nothing(format!("nothing to {verb}")))?;
    if let Some(error) = session.collection.in_the_way(&plan) {
        return Err(refused(error));
    }
    output.raw(&session.diff(&plan))?;
    Ok(exit::DONE)
}

fn say(
    entry: Result<Option<Entry>, StoreError>,
    done: &str,
    verb: &str,
    output: &mut Output,
) -> Result<u8, Error> {
    let entry = entry.map_err(refused)?;
    let entry = entry.ok_or_else(|| Error::nothing(format!("nothing to {verb}")))?;
    writeln!(output, "{done}: {}", safe(&entry.plan.title))?;
    Ok(exit::DONE)
}

/// A file that came in the way is one that changed: nobody named it.
fn refused(error: StoreError) -> Error {
    match error {
        StoreError::Exists(path) => Error::refused(StoreError::Exists(path).to_string())
            .hint("give it another name first; nothing was written"),
        error => error.into(),
    }
}
