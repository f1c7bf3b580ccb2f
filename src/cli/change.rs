//! `rename`, `delete`, `archive`, `restore` and `merge`.

use std::sync::Arc;

use super::args;
use super::error::Error;
use super::output::{self, note};
use super::session::{Build, Session};
use super::{Output, exit};
use crate::curate::{Change, merge};
use crate::memory::Memory;

/// Runs `memkeep rename`. Where a person can be asked, mentions of the old name are changed on yes.
pub fn rename(session: &Session, args: &args::Rename, output: &mut Output) -> Result<u8, Error> {
    let is_asked = !args.dry_run && output::is_asked();
    make(session, args.dry_run, output, &|memories| {
        let memory = session.find(&args.id, memories)?;
        let fixed = session.collection.fixed_name(memory);
        if let Some(why) = fixed.filter(|_| is_asked) {
            ask(&why, "rename", "")?;
        }
        let id = memory.id.clone();
        let store = format!("{}:", id.store);
        let to = args.to.strip_prefix(&store).unwrap_or(&args.to).to_owned();
        let rename = |mentions| Change::Rename {
            id: id.clone(),
            to: to.clone(),
            mentions,
        };
        if args.mentions || !is_asked {
            return Ok(rename(args.mentions));
        }
        let places = session
            .collection
            .plan(&rename(false), memories, session.now)?;
        let places = places.mentions;
        let question = match places.len() {
            0 => return Ok(rename(false)),
            count => format!("change the old name there too, {count} in all? [y/N] "),
        };
        places.iter().for_each(|place| note(place));
        Ok(rename(
            output::ask(&question).is_some_and(|answer| is_yes(&answer)),
        ))
    })
}

/// True if an answer is a yes.
fn is_yes(answer: &str) -> bool {
    matches!(&*answer.trim().to_lowercase(), "y" | "yes")
}

/// Runs `memkeep delete`.
pub fn delete(session: &Session, args: &args::Sure, output: &mut Output) -> Result<u8, Error> {
    make(session, args.dry_run, output, &|memories| {
        let found = session.found(&args.ids, memories)?;
        let asks = !args.dry_run && !args.yes;
        for memory in &found {
            with_it(session, memory, asks)?;
        }
        let ids = found.iter().map(|memory| memory.id.clone());
        let ids = ids.collect();
        // What goes with them has been named.
        Ok(Change::Delete { ids, sure: true })
    })
}

/// Names what goes with a memory that is deleted, and asks whether it may.
fn with_it(session: &Session, memory: &Memory, asks: bool) -> Result<(), Error> {
    let Some(what) = session.collection.goes_with(memory)? else {
        return Ok(());
    };
    if asks {
        return ask(
            &what,
            "delete",
            "--yes deletes it all; undo brings it all back",
        );
    }
    note(&format!("note: {what}"));
    Ok(())
}

/// Asks a person at a terminal; anybody else is told how to say yes.
pub fn ask(what: &str, verb: &str, hint: &str) -> Result<(), Error> {
    let answer = output::ask(&format!("{what}: {verb} it? [y/N] "));
    let answer = answer.ok_or_else(|| Error::wrong(what).hint(hint))?;
    match is_yes(&answer) {
        true => Ok(()),
        false => Err(Error::nothing("nothing was done")),
    }
}

/// Runs `memkeep archive`.
pub fn archive(session: &Session, args: &args::Ids, output: &mut Output) -> Result<u8, Error> {
    make(session, args.dry_run, output, &|memories| {
        Ok(Change::Archive(session.ids(&args.ids, memories)?))
    })
}

/// Runs `memkeep confirm`.
pub fn confirm(session: &Session, args: &args::Ids, output: &mut Output) -> Result<u8, Error> {
    let build = |memories: &[Arc<Memory>]| Ok(Change::Confirm(session.ids(&args.ids, memories)?));
    if let Some(made) = session.make(args.dry_run, output, &build)? {
        made.say(output)?;
        let still = build(&made.before)?.is_over_still(&made.before, session.now);
        if let Some(still) = still {
            note(&format!("note: {still}"));
        }
    }
    Ok(exit::DONE)
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
        let found = session.found(&args.with, memories)?;
        if found.len() > 1 && keep.schema.in_rows() {
            let hint = "merge two, or make a chapter: `memkeep chapter`";
            return Err(Error::wrong("rows are merged two by two").hint(hint));
        }
        let merges = found.iter().map(|with| merged(keep, with, args.delete));
        let mut merges = merges.collect::<Result<Vec<Change>, Error>>()?;
        Ok(match merges.len() {
            1 => merges.swap_remove(0),
            _ => Change::Together(merges),
        })
    })
}

/// The change that makes the first of two memories say what both say; refused where it cannot.
pub fn merged(keep: &Memory, with: &Memory, delete: bool) -> Result<Change, Error> {
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
        delete,
    })
}

/// Makes a change after one yes, which `sure` gives beforehand. The effects and the whole diff come
/// first.
pub fn make_sure(
    session: &Session,
    (sure, dry_run): (bool, bool),
    verb: &str,
    output: &mut Output,
    build: &Build<'_>,
) -> Result<u8, Error> {
    if dry_run || !sure {
        let memories = session.load();
        let (collection, change) = (&session.collection, build(&memories)?);
        let plan = collection.preview(&change, &memories, session.now)?;
        for effect in &plan.notes {
            note(&format!("note: {effect}"));
        }
        session.print_diff(&plan, output)?;
        output.finish()?;
        if dry_run || plan.is_empty() {
            return Ok(exit::DONE);
        }
        let hint = format!("`{verb} --yes` does it");
        ask("nothing is changed without a yes", verb, &hint)?;
    }
    make(session, false, output, build)
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
