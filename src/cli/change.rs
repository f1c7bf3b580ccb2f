//! `rename`, `delete`, `archive`, `restore` and `merge`.

use std::io::IsTerminal as _;

use super::args;
use super::error::Error;
use super::output::note;
use super::session::{Build, Session};
use super::{Output, exit};
use crate::curate::{Change, merge};
use crate::memory::Memory;

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
        let ids = session.ids(&args.ids, memories)?;
        let asks = !args.dry_run && !args.yes;
        for typed in &args.ids {
            with_it(session, session.find(typed, memories)?, asks)?;
        }
        Ok(Change::Delete(ids))
    })
}

/// Names what goes with a memory that is deleted, and asks whether it may.
fn with_it(session: &Session, memory: &Memory, asks: bool) -> Result<(), Error> {
    let store = session.collection.store_of(&memory.id);
    let with = store.map(|store| store.goes_with(memory)).transpose()?;
    let with = with.filter(|with| !with.is_empty());
    let Some(with) = with else {
        return Ok(());
    };
    let what = format!("with {} goes {}", memory.id, with.join(", "));
    if !asks {
        note(&format!("note: {what}"));
        return Ok(());
    }
    if std::io::stdin().is_terminal() {
        note(&format!("{what}: delete it? [y/N]"));
        let mut answer = String::new();
        let read = std::io::stdin().read_line(&mut answer);
        if read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes") {
            return Ok(());
        }
        return Err(Error::wrong("nothing was deleted"));
    }
    Err(Error::wrong(what).hint("--yes deletes it all; undo brings it all back"))
}

/// Runs `memkeep archive`.
pub fn archive(session: &Session, args: &args::Ids, output: &mut Output) -> Result<u8, Error> {
    make(session, args.dry_run, output, &|memories| {
        Ok(Change::Archive(session.ids(&args.ids, memories)?))
    })
}

/// Runs `memkeep confirm`.
pub fn confirm(session: &Session, args: &args::Confirm, output: &mut Output) -> Result<u8, Error> {
    make(session, args.dry_run, output, &|memories| {
        Ok(Change::Confirm(session.ids(&args.ids, memories)?))
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

/// Runs `memkeep merge`.
pub fn merge(session: &Session, args: &args::Merge, output: &mut Output) -> Result<u8, Error> {
    make(session, args.dry_run, output, &|memories| {
        let keep = session.find(&args.keep, memories)?;
        let with = session.find(&args.with, memories)?;
        if let Some(why) = merge::refusal(keep, with) {
            let by_hand = format!(
                "say in one what both say (`memkeep edit {}`), and archive the other (`memkeep archive {}`)",
                keep.id, with.id
            );
            let other_format = keep.schema.format != with.schema.format;
            let hint = if other_format {
                by_hand
            } else {
                "nothing was written".to_owned()
            };
            return Err(Error::wrong(why).hint(hint));
        }
        Ok(Change::Merge {
            keep: keep.id.clone(),
            with: with.id.clone(),
            delete: args.delete,
        })
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
