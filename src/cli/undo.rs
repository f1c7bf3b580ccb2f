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
pub fn undo(session: &Session, args: &args::UndoOne, output: &mut Output) -> Result<u8, Error> {
    if args.dry_run {
        return preview(session, session.collection.undoable()?, "undo", output);
    }
    if let Some(typed) = &args.change {
        let seq = typed.trim_start_matches('#').parse();
        let seq = seq.map_err(|_| {
            Error::wrong(format!("`{typed}` is no number of a change"))
                .hint("`memkeep history` numbers them: `memkeep undo '#3'`")
        })?;
        return say(session.collection.undo_one(seq), "undone", "undo", output);
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
    if plan.is_empty() {
        output.write_all(format!("{STOOD}\n").as_bytes())?;
        return Ok(exit::DONE);
    }
    if let Some(error) = session.collection.in_the_way(&plan) {
        return Err(refused(error));
    }
    output.write_all(&session.diff(&plan))?;
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
    writeln!(output, "{done}: {}", safe(&told(&entry)))?;
    Ok(exit::DONE)
}

/// What is said where a step has nothing to do.
const STOOD: &str = "all stands that way already: nothing was written";

/// What a step was about, and whether there was anything to do.
pub fn told(entry: &Entry) -> String {
    let mut all = vec![entry.plan.title.as_str()];
    all.extend(entry.stood.then_some(STOOD));
    all.extend(entry.away.iter().map(String::as_str));
    all.join(" · ")
}

/// A file that came in the way is one that changed: nobody named it.
fn refused(error: StoreError) -> Error {
    match error {
        StoreError::Exists(path) => Error::refused(StoreError::Exists(path).to_string())
            .hint("give it another name first; nothing was written"),
        error => error.into(),
    }
}
