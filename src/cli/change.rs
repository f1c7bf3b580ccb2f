//! `rename`, `delete`, `archive`, `restore` and `merge`.

use std::io::Write as _;
use std::sync::Arc;

use super::args;
use super::error::Error;
use super::output::{self, note};
use super::{Output, exit};
use crate::curate::plan::MOST_PLACES;
use crate::curate::{Change, Plan, merge};
use crate::memory::Memory;
use crate::ui::safe::safe;
use crate::workspace::{Build, Made, Workspace};

/// Arguments of `merge`.
#[derive(Debug, clap::Args)]
pub struct Merge {
    /// The memory that keeps its place and id
    #[arg(value_name = "ID")]
    pub keep: String,
    /// The memories whose statements, tags and links it takes in
    #[arg(required = true, value_name = "ID")]
    pub with: Vec<String>,
    /// Delete these instead of archiving them
    #[arg(long)]
    pub delete: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `rename`.
#[derive(Debug, clap::Args)]
pub struct Rename {
    /// The memory
    pub id: String,
    /// Its new name, below the store and without `.md`
    pub to: String,
    /// Change mentions of the old name in other memories, context files and agents' files too
    #[arg(long)]
    pub mentions: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Runs `memkeep rename`. If a person can be asked, mentions of the old name are changed on yes.
pub fn rename(ws: &Workspace, args: &Rename, output: &mut Output) -> Result<u8, Error> {
    let is_asked = !args.dry_run && output::is_asked();
    make(ws, args.dry_run, output, &|memories| {
        let memory = ws.find(&args.id, memories)?;
        let fixed = ws.collection.fixed_name(memory);
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
        let places = ws.collection.plan(&rename(false), memories, ws.now)?;
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
pub fn delete(ws: &Workspace, args: &args::Sure, output: &mut Output) -> Result<u8, Error> {
    make(ws, args.dry_run, output, &|memories| {
        let found = ws.found(&args.ids, memories)?;
        let asks = !args.dry_run && !args.yes;
        for memory in &found {
            with_it(ws, memory, asks)?;
        }
        let ids = found.iter().map(|memory| memory.id.clone());
        let ids = ids.collect();
        // Cascading deletions have been named.
        Ok(Change::Delete { ids, sure: true })
    })
}

/// Names what goes with a memory that is deleted, and asks whether it may.
fn with_it(ws: &Workspace, memory: &Memory, asks: bool) -> Result<(), Error> {
    let Some(what) = ws.collection.goes_with(memory)? else {
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
pub fn archive(ws: &Workspace, args: &args::Ids, output: &mut Output) -> Result<u8, Error> {
    make(ws, args.dry_run, output, &|memories| {
        Ok(Change::Archive(ws.ids(&args.ids, memories)?))
    })
}

/// Runs `memkeep confirm`.
pub fn confirm(ws: &Workspace, args: &args::Ids, output: &mut Output) -> Result<u8, Error> {
    let build = |memories: &[Arc<Memory>]| Ok(Change::Confirm(ws.ids(&args.ids, memories)?));
    if let Some(made) = change(ws, args.dry_run, output, &build)? {
        say(&made, output)?;
        let still = build(&made.before)?.is_over_still(&made.before, ws.now);
        if let Some(still) = still {
            note(&format!("note: {still}"));
        }
    }
    Ok(exit::DONE)
}

/// Runs `memkeep restore`.
pub fn restore(ws: &Workspace, args: &args::Ids, output: &mut Output) -> Result<u8, Error> {
    make(ws, args.dry_run, output, &|memories| {
        Ok(Change::Restore(ws.ids_to_restore(&args.ids, memories)?))
    })
}

/// Runs `memkeep merge`.
pub fn merge(ws: &Workspace, args: &Merge, output: &mut Output) -> Result<u8, Error> {
    make(ws, args.dry_run, output, &|memories| {
        let keep = ws.find(&args.keep, memories)?;
        let found = ws.found(&args.with, memories)?;
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
    ws: &Workspace,
    (sure, dry_run): (bool, bool),
    verb: &str,
    output: &mut Output,
    build: &Build<'_, Error>,
) -> Result<u8, Error> {
    if dry_run || !sure {
        let memories = ws.load();
        let (collection, change) = (&ws.collection, build(&memories)?);
        let plan = collection.preview(&change, &memories, ws.now)?;
        for effect in &plan.notes {
            note(&format!("note: {effect}"));
        }
        print_diff(ws, &plan, output)?;
        output.finish()?;
        if dry_run || plan.is_empty() {
            return Ok(exit::DONE);
        }
        let hint = format!("`{verb} --yes` does it");
        ask("nothing is changed without a yes", verb, &hint)?;
    }
    make(ws, false, output, build)
}

/// Makes a change and says so.
pub fn make(
    ws: &Workspace,
    dry_run: bool,
    output: &mut Output,
    build: &Build<'_, Error>,
) -> Result<u8, Error> {
    if let Some(made) = change(ws, dry_run, output, build)? {
        say(&made, output)?;
    }
    Ok(exit::DONE)
}

/// Makes a change, or prints its diff and makes nothing.
pub fn change(
    ws: &Workspace,
    dry_run: bool,
    output: &mut Output,
    build: &Build<'_, Error>,
) -> Result<Option<Made>, Error> {
    if dry_run {
        let plan = ws.plan(build)?;
        plan.notes
            .iter()
            .for_each(|text| note(&format!("note: {text}")));
        list_mentions(&plan.mentions);
        print_diff(ws, &plan, output)?;
        return Ok(None);
    }
    ws.make(build).map(Some)
}

/// Prints the title of a change that was made.
pub fn say(made: &Made, output: &mut Output) -> Result<(), Error> {
    match made.changed {
        true => writeln!(output, "{} · memkeep undo", safe(&made.title))?,
        false => writeln!(output, "nothing to change")?,
    }
    list_mentions(&made.mentions);
    Ok(())
}

/// Lists the places that still mention a name, where the title of the plan leaves some out.
fn list_mentions(places: &[String]) {
    let places = places.iter().filter(|_| places.len() > MOST_PLACES);
    for place in places {
        note(&format!("note: still mentioned in {place}"));
    }
}

/// Prints the diff of a plan. If it changes nothing, the output stays empty and standard error says
/// so.
pub fn print_diff(ws: &Workspace, plan: &Plan, output: &mut Output) -> std::io::Result<()> {
    if plan.is_empty() {
        note("nothing to change");
    }
    output.write_all(&ws.diff(plan))
}
