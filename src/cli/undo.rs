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
    let dry = args.dry_run.then(|| {
        session
            .collection
            .journal
            .applied()
            .map(|mut all| all.pop())
    });
    if let Some(last) = dry {
        return preview(
            session,
            last?.map(|entry| entry.plan.inverse()),
            "undo",
            output,
        );
    }
    session.collection.journal.recover()?;
    say(session.collection.undo(), "undone", "undo", output)
}

/// Runs `memkeep redo`.
pub fn redo(session: &Session, args: &args::Undo, output: &mut Output) -> Result<u8, Error> {
    let dry = args
        .dry_run
        .then(|| session.collection.journal.undone().map(|mut all| all.pop()));
    if let Some(last) = dry {
        return preview(session, last?.map(|entry| entry.plan), "redo", output);
    }
    session.collection.journal.recover()?;
    say(session.collection.redo(), "done again", "redo", output)
}

fn preview(
    session: &Session,
    plan: Option<Plan>,
    verb: &str,
    output: &mut Output,
) -> Result<u8, Error> {
    let plan = plan.ok_or_else(|| Error::nothing(format!("nothing to {verb}")))?;
    write!(output, "{}", session.diff(&plan))?;
    Ok(exit::DONE)
}

fn say(
    entry: Result<Option<Entry>, StoreError>,
    done: &str,
    verb: &str,
    output: &mut Output,
) -> Result<u8, Error> {
    let entry = entry?.ok_or_else(|| Error::nothing(format!("nothing to {verb}")))?;
    writeln!(output, "{done}: {}", safe(&entry.plan.title))?;
    Ok(exit::DONE)
}
