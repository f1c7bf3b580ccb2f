//! `memkeep init`: makes a store, or has agents and git call memkeep.

mod git;

use std::path::PathBuf;

use super::change::print_diff;
use super::output;
use super::prelude::*;
use crate::agent::hook::settings::{AGENTS, HookedAgent, runs_hook};
use crate::config::ConfigError;
use crate::curate::Plan;
use crate::store::control::{self, Owner};
use crate::store::discover::open;
use crate::store::{Scope, StoreError, StoreInfo};

/// Arguments of `init`.
#[derive(Debug, clap::Args)]
pub struct Init {
    /// Path of the new store, if its format has several places
    #[arg(value_name = "PATH", conflicts_with_all = ["agent", "git"])]
    pub path: Option<PathBuf>,
    /// Have Claude Code call `memkeep hook`: lines of .claude/settings.json
    #[arg(long, group = "agent")]
    pub claude: bool,
    /// The same for Codex: .codex/hooks.json
    #[arg(long, group = "agent")]
    pub codex: bool,
    /// The same for Gemini CLI: .gemini/settings.json
    #[arg(long, group = "agent")]
    pub gemini: bool,
    /// The same for Copilot CLI: .github/hooks/memkeep.json
    #[arg(long, group = "agent")]
    pub copilot: bool,
    /// The same for Cursor: .cursor/hooks.json
    #[arg(long, group = "agent")]
    pub cursor: bool,
    /// With one of these: take the lines out again
    #[arg(long, requires = "agent")]
    pub remove: bool,
    /// Have git merge the files of memories memory by memory: lines of .gitattributes, and the
    /// repository's configuration
    #[arg(long, conflicts_with = "agent")]
    pub git: bool,
    /// With an agent or --git: write without asking
    #[arg(long)]
    pub yes: bool,
    /// Say what would be made and make nothing
    #[arg(long)]
    pub dry_run: bool,
}

impl Init {
    /// The flag of the program that is to call memkeep; empty without one.
    fn target(&self) -> &'static str {
        match self {
            Self { claude: true, .. } => "claude",
            Self { codex: true, .. } => "codex",
            Self { gemini: true, .. } => "gemini",
            Self { copilot: true, .. } => "copilot",
            Self { cursor: true, .. } => "cursor",
            Self { git: true, .. } => "git",
            _ => "",
        }
    }
}

/// Runs the command.
pub fn run(ws: &Workspace, args: &Init, output: &mut Output) -> Result<u8> {
    match args.target() {
        "git" => return git::run(ws, args, output),
        "" if args.yes => return Err(Error::wrong("--yes goes with an agent or --git")),
        "" => {}
        agent => return set_hooks(ws, args, agent, output),
    }
    let collection = &ws.collection;
    // A store that was named is there, else it would have been said.
    let asked = !ws.options.search.only.is_empty();
    let format = ws.options.search.format.as_deref();
    let named = collection.infos().next().filter(|_| asked);
    let named = named.filter(|info| format.is_none_or(|format| format == info.format()));
    let info = match &args.path {
        Some(path) => collection.new_store_at(format, &ws.start.join(path)),
        None => named.cloned().or_else(|| collection.new_store(format)),
    };
    let info = info.ok_or_else(|| not_made(ws, format, args))?;
    let shown = collection.shown(&info.path);
    let link = std::fs::read_link(&info.path).ok();
    if let Some(target) = link.filter(|_| !info.path.exists()) {
        let target = target.display();
        let what = format!("{shown} is a link to {target}, which is not there");
        return Err(Error::wrong(what).hint("make what it leads to, or take the link away"));
    }
    // Ralph has had two places for its file: a second file beside the first is of no use.
    let is_other = |other: &&StoreInfo| {
        let is_same_format = other.format() == info.format() && other.scope == Scope::Project;
        is_same_format && !asked && args.path.is_none()
    };
    let other = collection.infos().find(is_other);
    let there = match std::fs::symlink_metadata(&info.path) {
        Ok(_) => Some(shown.clone()),
        Err(_) => other.map(|other| collection.shown(&other.path)),
    };
    if let Some(there) = there {
        writeln!(output, "{there} is there already")?;
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
    collection
        .make(&*store, ws.now)
        .map_err(|error| match error {
            StoreError::Io { source, .. } => {
                Error::wrong(format!("the store cannot be made: {source}")).place(path)
            }
            error => error.into(),
        })?;
    // A file that is one memory takes no second one.
    let made = store.load(&[], &mut |_| true).memories;
    let only = made.first().filter(|only| *only.path == *store.info().path);
    let hint = match only {
        Some(only) => format!("`memkeep edit {}` fills it", only.id),
        None => "`memkeep add` writes the first memory".to_owned(),
    };
    writeln!(output, "made {shown} · {hint}")?;
    Ok(exit::DONE)
}

/// Why there is no new store of a format, or none at the path that is asked for.
fn not_made(ws: &Workspace, format: Option<&str>, args: &Init) -> Error {
    let name = format.unwrap_or_default();
    let known = ws.collection.formats().find(|known| known.name == name);
    let places = known.map_or(&[][..], |known| known.project);
    if known.is_none() && format.is_some() {
        let names = ws.collection.formats().map(|format| format.name).join(", ");
        let error = Error::wrong(format!("unknown format `{name}`"));
        return error.hint(format!("known formats: {names}"));
    }
    match (&args.path, places) {
        (Some(path), []) => Error::wrong("no format has its stores there")
            .place(path.display().to_string())
            .hint("`--as NAME` says the format; see docs/formats.md"),
        (Some(path), places) => Error::wrong(format!("stores of {name} are not looked for there"))
            .place(path.display().to_string())
            .hint(format!("they are looked for at {}", places.join(", "))),
        (None, [place, ..]) if known.is_some_and(|format| format.table.is_some()) => {
            let path = place.replace('*', "NAME");
            let what = format!("{name} has no single place: {place} is any of several");
            Error::wrong(what).hint(format!("say which one: `memkeep init {path} --as {name}`"))
        }
        _ => Error::wrong(format!("memkeep makes no store of {name}: {name} does"))
            .hint("open one that is there: `memkeep PATH`"),
    }
}

/// Adds the hooks of memkeep to an agent's settings of the project, or takes them out.
fn set_hooks(ws: &Workspace, args: &Init, agent: &str, output: &mut Output) -> Result<u8> {
    let Some(agent) = AGENTS.get(agent) else {
        return Err(Error::wrong(format!("unknown agent `{agent}`")));
    };
    let (root, title, file) = (&ws.collection.root, &agent.title, &agent.file);
    let read = |file: &str| control::text(&root.join(file), Owner::Project(root));
    let before = read(file)?;
    let text = before.as_deref().unwrap_or_default();
    let after = match args.remove {
        true => agent.without_hooks(text),
        false => agent.with_hooks(before.as_deref()).map(Some),
    };
    let path = root.join(file);
    let after = after.map_err(|error| {
        let error = ConfigError::at(&path, text, error.at, error.message);
        Error::wrong(format!("{file} is not changed: {error}")).place(error.place())
    })?;
    let is_same = after == before || before.is_none() && args.remove;
    let runs_hook =
        |file: &&String| read(file).is_ok_and(|text| text.is_some_and(|text| runs_hook(&text)));
    let other = agent.also.iter().find(runs_hook);
    let by_other = other.map(|other| format!("; {title} runs the hooks of {other}"));
    let by_other = by_other.unwrap_or_default();
    let told = match (args.remove, is_same) {
        (true, true) => format!("{file} has no hooks of memkeep{by_other}"),
        (false, true) => format!("{file} has the hooks already"),
        (false, false) if other.is_some() => format!("{file} is not changed{by_other} already"),
        _ => String::new(),
    };
    if !told.is_empty() {
        writeln!(output, "{told}")?;
        return Ok(exit::DONE);
    }
    // Another agent may have the hooks and run those of this file as well.
    let twice = |(_, other): &(&String, &HookedAgent)| {
        !args.remove && other.also.contains(file) && runs_hook(&&other.file)
    };
    for (name, other) in AGENTS.iter().filter(twice) {
        let (title, hint) = (&other.title, format!("memkeep init --{name} --remove"));
        note(&format!(
            "note: {title} runs these hooks and its own: see `{hint}`"
        ));
    }
    let mut overlay = ws.collection.overlay(ws.now);
    if before.is_some() {
        overlay.read(&path, None)?;
    }
    match after {
        Some(text) => overlay.write(&path, text.into_bytes())?,
        None => overlay.remove(&path, None)?,
    }
    let done = if args.remove { "removed" } else { "added" };
    let plan = overlay.into_plan(format!("{done} memkeep's hooks in {file}"));
    ask_and_write(ws, args, plan, file, output)
}

/// Shows a plan, and carries it out where a person says yes.
fn ask_and_write(
    ws: &Workspace,
    args: &Init,
    plan: Plan,
    what: &str,
    output: &mut Output,
) -> Result<u8> {
    print_diff(ws, &plan, output)?;
    output.flush()?;
    if args.dry_run {
        return Ok(exit::DONE);
    }
    ws.may_write()?;
    let answer = || output::ask(&format!("Write {what}? [y/N] "));
    match Some(true).filter(|_| args.yes).or_else(answer) {
        Some(true) => {}
        Some(false) => return Err(Error::nothing("nothing was done")),
        None => {
            let remove = if args.remove { " --remove" } else { "" };
            let hint = format!("`memkeep init --{}{remove} --yes` writes it", args.target());
            output::note(&format!("nothing is written: {hint}"));
            return Ok(exit::DONE);
        }
    }
    let done = ws.collection.carry_out(plan, "init", Vec::new(), ws.now)?;
    writeln!(output, "{} · memkeep undo", done.title)?;
    Ok(exit::DONE)
}
