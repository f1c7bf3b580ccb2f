//! `rename`, `delete`, `archive` and `restore`.

use super::args;
use super::error::Error;
use super::session::{Build, Session};
use super::{Output, exit};
use crate::curate::Change;

/// Runs `memkeep rename`.
pub fn rename(session: &Session, args: &args::Rename, output: &mut Output) -> Result<u8, Error> {
    make(session, args.dry_run, output, &|memories| {
        let id = session.find(&args.id, memories)?.id.clone();
        let store = format!("{}:", id.store);
        let to = args.to.strip_prefix(&store).unwrap_or(&args.to).to_owned();
        Ok(Change::Rename { id, to })
    })
}

/// Runs `memkeep delete`.
pub fn delete(session: &Session, args: &args::Ids, output: &mut Output) -> Result<u8, Error> {
    make(session, args.dry_run, output, &|memories| {
        Ok(Change::Delete(session.ids(&args.ids, memories)?))
    })
}

/// Runs `memkeep archive`.
pub fn archive(session: &Session, args: &args::Ids, output: &mut Output) -> Result<u8, Error> {
    make(session, args.dry_run, output, &|memories| {
        Ok(Change::Archive(session.ids(&args.ids, memories)?))
    })
}

/// Runs `memkeep restore`.
pub fn restore(session: &Session, args: &args::Ids, output: &mut Output) -> Result<u8, Error> {
    make(session, args.dry_run, output, &|memories| {
        Ok(Change::Restore(
            session.ids_to_restore(&args.ids, memories)?,
        ))
    })
}

/// Makes a change and says so.
pub fn make(
    session: &Session,
    dry_run: bool,
    output: &mut Output,
    build: &Build<'_>,
) -> Result<u8, Error> {
    if let Some(made) = session.make(dry_run, output, build)? {
        made.say(output)?;
    }
    Ok(exit::DONE)
}
