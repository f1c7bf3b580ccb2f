//! The command line: one file per command, every one a thin layer over the library.

mod add;
mod answer;
mod args;
mod change;
mod check;
mod convert;
mod demo;
mod edit;
mod error;
mod global;
mod history;
mod hook;
mod init;
mod inject;
mod json;
mod link;
mod lint;
mod list;
mod merge_driver;
mod output;
mod prime;
mod promote;
mod prune;
mod review;
mod search;
mod show;
mod stores;
mod ui;
mod undo;

use std::path::Path;
use std::process::ExitCode;

use crate::workspace::Workspace;
pub use args::Args;
use args::Command;
pub use error::Error;
use output::Output;

/// Exit codes of the contract.
pub mod exit {
    /// Done, or found.
    pub const DONE: u8 = 0;
    /// Nothing found, no such memory, or findings that count.
    pub const NOTHING: u8 = 1;
    /// Wrong use or bad input.
    pub const WRONG: u8 = 2;
    /// Refused: the file changed, or is locked.
    pub const REFUSED: u8 = 3;
    /// The merge driver failed: git takes codes up to 128 for conflicts that are marked.
    pub const NOT_MERGED: u8 = 129;
    /// Ended by Ctrl-c.
    pub const INTERRUPTED: u8 = 130;
}

/// Runs the program on the arguments it was started with.
pub fn main() -> ExitCode {
    output::install_panic_hook();
    let args = match Args::of(std::env::args_os()) {
        Ok(args) => args,
        Err(error) if error.use_stderr() => {
            let error = args::mistyped(std::env::args_os()).unwrap_or_else(|| error.into());
            // Claude Code blocks a prompt whose hook ends with 2, and shows what it prints.
            let is_hook = args::is_of("hook", std::env::args_os());
            let is_verbose = std::env::args().any(|word| word == "-v" || word == "--verbose");
            if !is_hook || is_verbose {
                error.report();
            }
            return ExitCode::from(if is_hook { exit::DONE } else { failed(&error) });
        }
        // Help and version; who does not read them to the end has read enough.
        Err(error) => {
            let mut output = Output::new(args::Color::Auto);
            let _ = output.help(&error).and_then(|()| output.finish());
            return ExitCode::from(exit::DONE);
        }
    };
    let mut output = Output::new(args.global.color);
    let is_hook = matches!(args.command, Some(Command::Hook(_)));
    let result = run(args, &mut output);
    let code = match result {
        Ok(code) => code,
        Err(Error::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => exit::DONE,
        Err(error) => {
            error.report();
            failed(&error)
        }
    };
    match output.finish() {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe && !is_hook => {
            Error::Output(error).report();
            ExitCode::from(exit::WRONG)
        }
        _ => ExitCode::from(code),
    }
}

/// The exit code of a command that failed.
fn failed(error: &Error) -> u8 {
    match args::is_of("merge-driver", std::env::args_os()) {
        true => exit::NOT_MERGED,
        false => error.exit_code(),
    }
}

/// The ids that a command is given, where it may be given one of a file of context.
fn typed_ids(command: &Command) -> &[String] {
    match command {
        Command::Show(args) => std::slice::from_ref(&args.id),
        Command::Edit(args) => std::slice::from_ref(&args.id),
        Command::Rename(args) => std::slice::from_ref(&args.id),
        Command::Delete(args) => &args.ids,
        Command::Archive(args) => &args.ids,
        Command::Promote(args) | Command::Demote(args) => &args.ids,
        Command::Convert(args) => &args.ids,
        _ => &[],
    }
}

/// Refuses to call an empty check of these memories a success.
fn needs_store(ws: &Workspace, ids: &[String]) -> Result<(), Error> {
    if ws.collection.stores.iter().next().is_some() {
        return Ok(());
    }
    let path = ids.iter().find(|id| Path::new(id).exists());
    let hint = match (path, ws.collection.wrong.first()) {
        (Some(path), _) => format!("an ID names a memory; read a file with --store {path}"),
        (None, Some(wrong)) => format!("{}: {wrong}", wrong.path.display()),
        (None, None) => "`memkeep stores` says where they are looked for".to_owned(),
    };
    Err(Error::wrong("no store found").hint(hint))
}

fn run(args: Args, output: &mut Output) -> Result<u8, Error> {
    let Args {
        paths,
        command,
        global,
    } = args;
    let Some(command) = command else {
        let ws = global.options(paths).and_then(Workspace::open);
        return ui::run(ws.map_err(args::name_commands)?);
    };
    match command {
        Command::Demo(args) => return demo::run(&global, &args, output),
        Command::Hook(args) => return Ok(hook::run(global, &args, output)),
        Command::Lint(args) if args.explain.is_some() => return lint::explain(&args, output),
        _ => {}
    }
    let mut ws = Workspace::open(global.options(paths)?)?;
    ws.warn_of(&ws.ignored);
    match &command {
        // An empty check is no success.
        Command::Lint(_) | Command::Review(_) | Command::Check(_) => {
            let ids = match &command {
                Command::Lint(args) => args.ids.as_slice(),
                _ => &[],
            };
            needs_store(&ws, ids)?;
        }
        Command::Init(_) | Command::MergeDriver(_) => {}
        Command::Stores(_) => {}
        _ if ws.collection.stores.is_empty() => {
            output::note("no store found: `memkeep stores` says where they are looked for");
        }
        _ => {}
    }
    if typed_ids(&command)
        .iter()
        .any(|id| id.starts_with("context:"))
    {
        ws.join_context();
    }
    // Lint does not go on under other settings than those that were chosen.
    if !matches!(command, Command::Lint(_)) {
        ws.warn();
    }
    match command {
        Command::Stores(args) => stores::run(&ws, &args, output),
        Command::List(args) => list::run(&ws, &args, output),
        Command::Search(args) => search::run(&ws, &args, output),
        Command::Show(args) => show::run(&ws, &args, output),
        Command::Add(args) => add::run(&ws, &args, output),
        Command::Edit(args) => edit::run(&ws, &args, output),
        Command::Rename(args) => change::rename(&ws, &args, output),
        Command::Delete(args) => change::delete(&ws, &args, output),
        Command::Confirm(args) => change::confirm(&ws, &args, output),
        Command::Archive(args) => change::archive(&ws, &args, output),
        Command::Restore(args) => change::restore(&ws, &args, output),
        Command::Promote(args) => promote::promote(&ws, &args, true, output),
        Command::Demote(args) => promote::promote(&ws, &args, false, output),
        Command::Merge(args) => change::merge(&ws, &args, output),
        Command::Convert(args) => convert::run(&mut ws, &args, output),
        Command::Forget(args) => promote::forget(&ws, &args, output),
        Command::Link(args) => link::link(&ws, &args, output),
        Command::Unlink(args) => link::unlink(&ws, &args, output),
        Command::Chapter(args) => link::chapter(&ws, &args, output),
        Command::Reorder(args) => promote::reorder(&ws, &args, output),
        Command::Prune(args) => prune::run(&ws, &args, output),
        Command::Undo(args) => undo::undo(&ws, &args, output),
        Command::Redo(args) => undo::redo(&ws, &args, output),
        Command::MergeDriver(args) => merge_driver::run(&ws, &args),
        Command::History(args) => history::run(&ws, &args, output),
        Command::Init(args) => init::run(&ws, &args, output),
        Command::Inject(args) => inject::run(&ws, &args, output),
        Command::Prime(args) => prime::run(&ws, &args, output),
        Command::Skill(args) => prime::skill(&ws, &args, output),
        Command::Lint(args) => lint::run(&ws, &args, output),
        Command::Review(args) => review::run(&ws, &args, output),
        Command::Proposals(args) => review::proposals(&ws, &args, output),
        Command::Check(args) => check::run(&ws, &args, output),
        Command::Demo(_) | Command::Hook(_) => Ok(exit::DONE),
    }
}
