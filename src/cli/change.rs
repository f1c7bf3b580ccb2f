//! `rename`, `delete`, `archive`, `restore`, `confirm`, `merge` and `convert`; and how every change is shown,
//! asked about and made.

use super::args;
use super::output;
use super::prelude::*;
use crate::curate::change::Destination;
use crate::curate::plan::MOST_PLACES;
use crate::curate::{Plan, merge};
use crate::store::files::real;
use crate::store::{Scope, StoreInfo};
use crate::workspace::{Build, Made};

#[derive(Debug, clap::Args)]
pub struct Merge {
    /// The memory that keeps its place and id
    #[arg(value_name = "ID")]
    pub keep: String,
    /// The memories whose statements, tags and links it takes in
    #[arg(required = true, value_name = "ID")]
    pub with: Vec<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

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
pub fn rename(ws: &Workspace, args: &Rename, output: &mut Output) -> Result<u8> {
    let is_asked = !args.dry_run && output::is_asked();
    make(ws, args.dry_run, output, &|memories| {
        let memory = ws.find(&args.id, memories)?;
        if let Some(why) = ws.collection.fixed_name(memory).filter(|_| is_asked) {
            ask(&why, "rename", "")?;
        }
        let own = args.to.strip_prefix(&format!("{}:", memory.id.store));
        let rename = |mentions| Change::Rename {
            id: memory.id.clone(),
            to: own.unwrap_or(&args.to).to_owned(),
            mentions,
        };
        if args.mentions || !is_asked {
            return Ok(rename(args.mentions));
        }
        let plan = ws.collection.plan(&rename(false), memories, ws.now)?;
        let count = plan.mentions.len();
        plan.mentions.iter().for_each(|place| note(place));
        let question = format!("change the old name there too, {count} in all? [y/N] ");
        Ok(rename(count > 0 && output::ask(&question) == Some(true)))
    })
}

/// Runs `memkeep delete`. More that goes with a memory is named, and asked about.
pub fn delete(ws: &Workspace, args: &args::Sure, output: &mut Output) -> Result<u8> {
    make(ws, args.dry_run, output, &|memories| {
        let found = ws.found(&args.ids, memories)?;
        let has_layers = |one: &&&Arc<Memory>| one.schema.field("layer").is_some();
        let is_sure = args.yes || args.dry_run || !ws.collection.as_specified;
        if let Some(memory) = found.iter().find(has_layers).filter(|_| !is_sure) {
            let what = format!("{} is deleted from its store", memory.id);
            ask(&what, "delete", "--yes deletes it; undo brings it back")?;
        }
        for memory in &found {
            match ws.collection.goes_with(memory)? {
                Some(what) if args.dry_run || args.yes => note(&format!("note: {what}")),
                Some(what) => {
                    let hint = "--yes deletes it all; undo brings it all back";
                    ask(&what, "delete", hint)?;
                }
                None => {}
            }
        }
        let ids = found.iter().map(|memory| memory.id.clone()).collect();
        Ok(Change::Delete { ids, sure: true })
    })
}

/// Asks a person at a terminal; anybody else is told how to say yes.
pub fn ask(what: &str, verb: &str, hint: &str) -> Result<()> {
    match output::ask(&format!("{what}: {verb} it? [y/N] ")) {
        Some(true) => Ok(()),
        Some(false) => Err(Error::nothing("nothing was done")),
        None => Err(Error::wrong(what).hint(hint)),
    }
}

pub fn archive(ws: &Workspace, args: &args::Ids, output: &mut Output) -> Result<u8> {
    make(ws, args.dry_run, output, &|memories| {
        Ok(Change::Archive(ws.ids(&args.ids, memories)?))
    })
}

pub fn confirm(ws: &Workspace, args: &args::Ids, output: &mut Output) -> Result<u8> {
    let build = |memories: &[Arc<Memory>]| Ok(Change::Confirm(ws.ids(&args.ids, memories)?));
    if let Some(made) = change(ws, args.dry_run, output, &build)? {
        say(&made, output)?;
        let still = build(&made.before)?.is_over_still(&made.before, ws.now);
        tell(still.as_slice());
    }
    Ok(exit::DONE)
}

pub fn restore(ws: &Workspace, args: &args::Ids, output: &mut Output) -> Result<u8> {
    make(ws, args.dry_run, output, &|memories| {
        Ok(Change::Restore(ws.ids_to_restore(&args.ids, memories)?))
    })
}

pub fn merge(ws: &Workspace, args: &Merge, output: &mut Output) -> Result<u8> {
    make(ws, args.dry_run, output, &|memories| {
        let keep = ws.find(&args.keep, memories)?;
        let found = ws.found(&args.with, memories)?;
        if found.len() > 1 && keep.schema.can.in_rows {
            let hint = "merge two, or make a chapter: `memkeep chapter`";
            return Err(Error::wrong("rows are merged two by two").hint(hint));
        }
        let merges = found.iter().map(|with| merged(keep, with));
        Ok(Change::all(merges.collect::<Result<_, _>>()?))
    })
}

/// The change that makes the first of two memories say what both say; refused where it cannot.
pub fn merged(keep: &Memory, with: &Memory) -> Result<Change> {
    let (keep_id, with_id) = (&keep.id, &with.id);
    let Some(why) = merge::refusal(keep, with) else {
        return Ok(Change::merge(keep_id, with_id));
    };
    let hint = match keep.schema.format == with.schema.format {
        true => "nothing was written".to_owned(),
        false => format!(
            "say in one what both say (`memkeep edit {keep_id}`), \
             and archive the other (`memkeep archive {with_id}`)"
        ),
    };
    Err(Error::wrong(why).hint(hint))
}

/// Shows the effects and the whole diff, then makes the change after a yes, or if `sure`.
pub fn make_sure(
    ws: &Workspace,
    (sure, dry_run): (bool, bool),
    verb: &str,
    output: &mut Output,
    build: &Build<'_>,
) -> Result<u8> {
    if dry_run || !sure {
        let memories = ws.load();
        let change = build(&memories)?;
        let plan = ws.collection.preview(&change, &memories, ws.now)?;
        tell(&plan.notes);
        print_diff(ws, &plan, output)?;
        output.flush()?;
        if dry_run || plan.is_empty() {
            return Ok(exit::DONE);
        }
        let hint = format!("`{verb} --yes` does it");
        ask("nothing is changed without a yes", verb, &hint)?;
    }
    make(ws, false, output, build)
}

pub fn make(ws: &Workspace, dry_run: bool, output: &mut Output, build: &Build<'_>) -> Result<u8> {
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
    build: &Build<'_>,
) -> Result<Option<Made>> {
    if !dry_run {
        return ws.make(build).map(Some);
    }
    let plan = ws.plan(build)?;
    tell(&plan.notes);
    list_mentions(&plan.mentions);
    print_diff(ws, &plan, output)?;
    Ok(None)
}

pub fn tell(notes: &[String]) {
    notes.iter().for_each(|text| note(&format!("note: {text}")));
}

pub fn say(made: &Made, output: &mut Output) -> Result<()> {
    match made.changed {
        true => writeln!(output, "{} · memkeep undo", safe(&made.title))?,
        false => writeln!(output, "nothing to change")?,
    }
    list_mentions(&made.mentions);
    Ok(())
}

/// Lists the places that still mention a name, where the title of the plan leaves some out.
fn list_mentions(places: &[String]) {
    for place in places.iter().filter(|_| places.len() > MOST_PLACES) {
        note(&format!("note: still mentioned in {place}"));
    }
}

/// Prints the diff of a plan; says on standard error that it changes nothing.
pub fn print_diff(ws: &Workspace, plan: &Plan, output: &mut Output) -> std::io::Result<()> {
    if plan.is_empty() {
        note("nothing to change");
    }
    output.write_all(&ws.diff(plan))
}

#[derive(Debug, clap::Args)]
pub struct Convert {
    /// The memories
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
    /// The format or the store that they go to
    #[arg(long, value_name = "FORMAT|STORE")]
    pub to: String,
    /// The folder or file of that store; made where it is not there [default: the project's store of
    /// that format]
    #[arg(long, value_name = "PATH")]
    pub into: Option<PathBuf>,
    /// Take them out of the store they are in
    #[arg(long = "move")]
    pub remove: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

pub fn convert(ws: &mut Workspace, args: &Convert, output: &mut Output) -> Result<u8> {
    let to = destination(ws, &args.to, args.into.as_deref())?;
    if let (Destination::New { .. }, Some(into)) = (&to, &args.into) {
        ws.collection.allow(&ws.start.join(into));
    }
    make(ws, args.dry_run, output, &|memories| {
        Ok(Change::Convert {
            ids: ws.ids(&args.ids, memories)?,
            to: to.clone(),
            remove: args.remove,
        })
    })
}

/// The store that `--to` and `--into` name.
pub fn destination(ws: &Workspace, to: &str, into: Option<&Path>) -> Result<Destination> {
    let collection = &ws.collection;
    let store = |info: &StoreInfo| Ok(Destination::Store(info.id.clone()));
    let open = collection.infos().find(|info| *info.id.0 == *to);
    let format = collection.formats().find(|format| format.name == to);
    let Some(format) = format.or_else(|| open.map(|info| info.kind)) else {
        let known = collection.formats().map(|format| format.name).join(", ");
        let ids = collection.infos().map(|info| &info.id).join(", ");
        let error = Error::wrong(format!("no format and no store is `{to}`"));
        return Err(error.hint(format!("formats: {known}; stores: {ids}")));
    };
    let not_made = |format: &str| {
        Error::wrong(format!("memkeep makes no store of {format} by itself"))
            .hint("--into names the store that the memories go to")
    };
    let new = |format: &str, path| {
        let format = format.to_owned();
        Ok(Destination::New { format, path })
    };
    let mut of_format = collection.infos().filter(|info| info.kind == format);
    if let Some(into) = into {
        let path = real(&ws.start.join(into));
        if let Some(info) = of_format.find(|info| real(&info.path) == path) {
            return store(info);
        }
        let is_made = || collection.new_store(Some(format.name)).is_some();
        return match path.exists() || format.table.is_some() || is_made() {
            true => new(format.name, path),
            false => Err(not_made(format.name)),
        };
    }
    if let Some(info) = open {
        return store(info);
    }
    let own = of_format.filter(|info| info.scope == Scope::Project);
    let own: Vec<&StoreInfo> = own.collect();
    match own.as_slice() {
        [one] => store(one),
        [] => {
            let info = collection.new_store(Some(to));
            new(to, info.ok_or_else(|| not_made(to))?.path)
        }
        several => {
            let ids = several.iter().map(|info| &info.id).join(", ");
            Err(Error::wrong(format!("`{to}` is ambiguous")).hint(format!("one of {ids}")))
        }
    }
}
