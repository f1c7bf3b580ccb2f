//! `memkeep init`: makes a store.

mod claude;
mod git;

use std::io::Write as _;
use std::path::PathBuf;

use super::change::print_diff;
use super::error::Error;
use super::{Output, exit, output};
use crate::curate::Plan;
use crate::store::discover::open;
use crate::store::{Format, Scope, StoreError, StoreInfo};
use crate::workspace::Workspace;

/// Arguments of `init`.
#[derive(Debug, clap::Args)]
pub struct Init {
    /// Path of the new store, if its format has several places
    #[arg(value_name = "PATH", conflicts_with_all = ["claude", "git"])]
    pub path: Option<PathBuf>,
    /// Add `memkeep hook claude` to this project's .claude/settings.json instead
    #[arg(long)]
    pub claude: bool,
    /// Have git merge the files of memories memory by memory: lines of .gitattributes, and the
    /// repository's configuration
    #[arg(long, conflicts_with = "claude")]
    pub git: bool,
    /// With --claude or --git: write without asking
    #[arg(long)]
    pub yes: bool,
    /// Say what would be made and make nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Runs the command.
pub fn run(ws: &Workspace, args: &Init, output: &mut Output) -> Result<u8, Error> {
    if args.claude {
        return claude::run(ws, args, output);
    }
    if args.git {
        return git::run(ws, args, output);
    }
    if args.yes {
        return Err(Error::wrong("--yes goes with --claude or --git"));
    }
    // A store that was named is there, else it would have been said.
    let asked = !ws.options.only.is_empty();
    let format = ws.options.format.as_deref();
    let named = ws.collection.infos().next().filter(|_| asked);
    let named = named.filter(|info| format.is_none_or(|format| format == info.format()));
    let info = match &args.path {
        Some(path) => ws.collection.new_store_at(format, &ws.start.join(path)),
        None => named.cloned().or_else(|| ws.collection.new_store(format)),
    };
    let info = info.ok_or_else(|| not_made(ws, format, args))?;
    let shown = ws.collection.shown(&info.path);
    let link = std::fs::read_link(&info.path).ok();
    if let Some(target) = link.filter(|_| !info.path.exists()) {
        let target = target.display();
        return Err(
            Error::wrong(format!("{shown} is a link to {target}, which is not there"))
                .hint("make what it leads to, or take the link away"),
        );
    }
    if std::fs::symlink_metadata(&info.path).is_ok() {
        writeln!(output, "{shown} is there already")?;
        return Ok(exit::DONE);
    }
    // Ralph has had two places for its file: a second file beside the first is of no use.
    let is_other = |other: &&StoreInfo| {
        !asked
            && args.path.is_none()
            && other.format() == info.format()
            && other.scope == Scope::Project
    };
    if let Some(other) = ws.collection.infos().find(is_other) {
        let other = ws.collection.shown(&other.path);
        writeln!(output, "{other} is there already")?;
        return Ok(exit::DONE);
    }
    if args.dry_run {
        writeln!(output, "would make {shown}")?;
        return Ok(exit::DONE);
    }
    if ws.options.read_only {
        return Err(Error::wrong(
            "nothing is made: memkeep runs with --read-only",
        ));
    }
    let path = info.path.display().to_string();
    let store = open(info);
    ws.collection
        .make(&*store, ws.now)
        .map_err(|error| match error {
            StoreError::Io { source, .. } => {
                Error::wrong(format!("the store cannot be made: {source}")).place(path)
            }
            error => error.into(),
        })?;
    // A file that is one memory takes no second one.
    let made = store.load(&[], &mut |_| true).memories;
    let only = made
        .first()
        .filter(|only| only.path == store.info().path.as_path().into());
    match only {
        Some(only) => writeln!(output, "made {shown} · `memkeep edit {}` fills it", only.id)?,
        None => writeln!(
            output,
            "made {shown} · `memkeep add` writes the first memory"
        )?,
    }
    Ok(exit::DONE)
}

/// Why there is no new store of a format, or none at the path that is asked for.
fn not_made(ws: &Workspace, format: Option<&str>, args: &Init) -> Error {
    let all = || ws.collection.formats();
    let name = format.unwrap_or_default();
    let known = all().find(|known| known.name == name);
    let places = known.map_or(&[][..], |known| known.project);
    if known.is_none() && format.is_some() {
        let names: Vec<&str> = all().map(|format| format.name).collect();
        return Error::wrong(format!("unknown format `{name}`"))
            .hint(format!("known formats: {}", names.join(", ")));
    }
    match (&args.path, places) {
        (Some(path), _) => {
            let what = match known {
                Some(_) => format!("stores of {name} are not looked for there"),
                None => "no format has its stores there".to_owned(),
            };
            let hint = match places {
                [] => "`--as NAME` says the format; see docs/formats.md".to_owned(),
                places => format!("they are looked for at {}", places.join(", ")),
            };
            Error::wrong(what)
                .place(path.display().to_string())
                .hint(hint)
        }
        (None, [place, ..]) if known.is_some_and(Format::is_table) => {
            let path = place.replace('*', "NAME");
            Error::wrong(format!(
                "{name} has no single place: {place} is any of several"
            ))
            .hint(format!("say which one: `memkeep init {path} --as {name}`"))
        }
        _ => Error::wrong(format!("memkeep makes no store of {name}: {name} does"))
            .hint("open one that is there: `memkeep PATH`"),
    }
}

/// Shows a plan, and carries it out where a person says yes.
fn ask_and_write(
    ws: &Workspace,
    args: &Init,
    plan: Plan,
    what: &str,
    output: &mut Output,
) -> Result<u8, Error> {
    print_diff(ws, &plan, output)?;
    output.flush()?;
    if args.dry_run {
        return Ok(exit::DONE);
    }
    let collection = &ws.collection;
    collection.may_write()?;
    if !args.yes {
        let Some(answer) = output::ask(&format!("Write {what}? [y/N] ")) else {
            let flag = if args.git { "--git" } else { "--claude" };
            output::note(&format!(
                "nothing is written: `memkeep init {flag} --yes` writes it"
            ));
            return Ok(exit::DONE);
        };
        if !matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
            return Err(Error::nothing("nothing was done"));
        }
    }
    let done = collection.carry_out(plan, "init", Vec::new(), ws.now)?;
    writeln!(output, "{} · memkeep undo", done.title)?;
    Ok(exit::DONE)
}
