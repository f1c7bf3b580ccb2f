//! `memkeep init`: makes a store.

mod claude;
mod git;

use std::io::Write as _;

use super::args;
use super::error::Error;
use super::session::Session;
use super::{Output, exit, output};
use crate::curate::Plan;
use crate::store::discover::open;
use crate::store::{Scope, StoreError, StoreInfo};

/// Runs the command.
pub fn run(session: &Session, args: &args::Init, output: &mut Output) -> Result<u8, Error> {
    if args.claude {
        return claude::run(session, args, output);
    }
    if args.git {
        return git::run(session, args, output);
    }
    if args.yes {
        return Err(Error::wrong("--yes goes with --claude or --git"));
    }
    // A store that was named is there, else it would have been said.
    let asked = !session.global.store.is_empty();
    let format = session.global.format_as.as_deref();
    let named = session.collection.infos().next().filter(|_| asked);
    let named = named.filter(|info| format.is_none_or(|format| format == info.format()));
    let new = || session.collection.new_store(format);
    let Some(info) = named.cloned().or_else(new) else {
        let format = format.unwrap_or_default();
        if session
            .collection
            .formats()
            .any(|known| known.name == format)
        {
            return Err(
                Error::wrong(format!("memkeep makes no store of {format}: {format} does"))
                    .hint("open one that is there: `memkeep PATH`"),
            );
        }
        let known = session.collection.formats();
        let known: Vec<&str> = known.map(|format| format.name).collect();
        return Err(Error::wrong(format!("unknown format `{format}`"))
            .hint(format!("known formats: {}", known.join(", "))));
    };
    let shown = session.collection.shown(&info.path);
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
        !asked && other.format() == info.format() && other.scope == Scope::Project
    };
    if let Some(other) = session.collection.infos().find(is_other) {
        let other = session.collection.shown(&other.path);
        writeln!(output, "{other} is there already")?;
        return Ok(exit::DONE);
    }
    if args.dry_run {
        writeln!(output, "would make {shown}")?;
        return Ok(exit::DONE);
    }
    if session.global.read_only {
        return Err(Error::wrong(
            "nothing is made: memkeep runs with --read-only",
        ));
    }
    let path = info.path.display().to_string();
    session
        .collection
        .make(&*open(info), session.now)
        .map_err(|error| match error {
            StoreError::Io { source, .. } => {
                Error::wrong(format!("the store cannot be made: {source}")).place(path)
            }
            error => error.into(),
        })?;
    writeln!(
        output,
        "made {shown} · `memkeep add` writes the first memory"
    )?;
    Ok(exit::DONE)
}

/// Shows a plan, and carries it out where a person says yes.
fn ask_and_write(
    session: &Session,
    args: &args::Init,
    plan: Plan,
    what: &str,
    output: &mut Output,
) -> Result<u8, Error> {
    session.print_diff(&plan, output)?;
    output.flush()?;
    if args.dry_run {
        return Ok(exit::DONE);
    }
    let collection = &session.collection;
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
    let done = collection.carry_out(plan, "init", Vec::new(), session.now)?;
    writeln!(output, "{} · memkeep undo", done.title)?;
    Ok(exit::DONE)
}
