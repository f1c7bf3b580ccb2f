//! `rename`, `delete`, `archive` and `restore`.

use super::args;
use super::error::Error;
use super::session::Session;
use super::{Output, exit};
use crate::curate::Change;
use crate::memory::MemoryId;

/// Runs `memkeep rename`.
pub fn rename(session: &Session, args: &args::Rename, output: &mut Output) -> Result<u8, Error> {
    let memories = session.load();
    let id = session.find(&args.id, &memories)?.id.clone();
    let to = args
        .to
        .strip_prefix(&format!("{}:", id.store))
        .unwrap_or(&args.to)
        .to_owned();
    session.change(&Change::Rename { id, to }, &memories, args.dry_run, output)?;
    Ok(exit::DONE)
}

/// Runs `memkeep delete`.
pub fn delete(session: &Session, args: &args::Ids, output: &mut Output) -> Result<u8, Error> {
    several(session, args, Change::Delete, false, output)
}

/// Runs `memkeep archive`.
pub fn archive(session: &Session, args: &args::Ids, output: &mut Output) -> Result<u8, Error> {
    several(session, args, Change::Archive, false, output)
}

/// Runs `memkeep restore`.
pub fn restore(session: &Session, args: &args::Ids, output: &mut Output) -> Result<u8, Error> {
    several(session, args, Change::Restore, true, output)
}

fn several(
    session: &Session,
    args: &args::Ids,
    change: impl Fn(Vec<MemoryId>) -> Change,
    gone: bool,
    output: &mut Output,
) -> Result<u8, Error> {
    let memories = session.load();
    let ids = session.ids(&args.ids, &memories, gone)?;
    session.change(&change(ids), &memories, args.dry_run, output)?;
    Ok(exit::DONE)
}
