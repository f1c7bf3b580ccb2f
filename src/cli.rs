//! The command line: one file per command, every one a thin layer over the library.

mod add;
mod args;
mod change;
mod check;
mod convert;
mod edit;
mod error;
mod history;
mod hook;
mod init;
mod inject;
mod json;
mod link;
mod lint;
mod list;
mod mcp;
mod merge_driver;
mod output;
mod prelude;
mod prime;
mod promote;
mod prune;
mod review;
mod show;
mod stores;
mod ui;
mod undo;

use std::path::Path;
use std::process::ExitCode;

use crate::workspace::Workspace;
pub use args::Args;
use clap::Subcommand;
pub use error::{Error, Result};
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

    /// Done where something is found or passes.
    pub const fn found(is_found: bool) -> u8 {
        if is_found { DONE } else { NOTHING }
    }
}

/// Makes the command line of a table: a line of help, a name with its arguments, and a function.
macro_rules! commands {
    ($($(#[$help:meta])* $name:ident($args:ty) => $run:expr;)*) => {
        /// A command with its arguments.
        #[derive(Debug, Subcommand)]
        pub enum Command {
            $($(#[$help])* $name($args),)*
        }

        impl Command {
            fn run(&self, ws: &mut Workspace, output: &mut Output) -> Result<u8> {
                match self {
                    $(Self::$name(args) => $run(ws, args, output),)*
                }
            }
        }
    };
}

commands! {
    /// The stores found, with their formats, counts and problems
    Stores(stores::Stores) => stores::run;
    /// The memories, in the order of their files
    List(list::List) => list::list;
    /// The memories that match a query, best first
    Search(list::Search) => list::search;
    /// One memory, whole
    Show(show::Show) => show::run;
    /// Write a new memory; where a file may hold several, append to the one with this title
    Add(add::Add) => add::run;
    /// Change fields or the body of a memory, and not one byte beside them
    Edit(edit::Edit) => edit::run;
    /// Give a memory another name, and the relations that name it with it
    Rename(change::Rename) => change::rename;
    /// Take memories out of their store; `restore` and `undo` bring them back
    Delete(args::Sure) => change::delete;
    /// Put memories where their system does not read them
    Archive(args::Ids) => change::archive;
    /// Say that memories are still right; what lint says of their age starts anew
    Confirm(args::Ids) => change::confirm;
    /// Bring archived or deleted memories back, byte for byte
    Restore(args::Ids) => change::restore;
    /// Raise memories: their importance, or to a more lasting layer
    Promote(promote::Promote) => promote::promote;
    /// Lower memories: their importance, or back to the episodes
    Demote(promote::Promote) => promote::demote;
    /// Make one memory of several: the first says what all say, the others go to the archive
    Merge(change::Merge) => change::merge;
    /// Copy or move memories to another store, in its format
    Convert(convert::Convert) => convert::run;
    /// Make their system forget memories (golemcore: they expire at once)
    Forget(args::Sure) => promote::forget;
    /// Link a memory to another: `memkeep link A caused_by B`
    Link(link::Link) => link::link;
    /// Take a link away
    Unlink(link::Link) => link::unlink;
    /// Make a chapter of memories
    Chapter(link::Chapter) => link::chapter;
    /// Order the entries of an index by value, so that what matters stays above its cut
    Reorder(promote::Reorder) => promote::reorder;
    /// Archive what has expired, repeats, is never selected or is old, in one step
    Prune(prune::Prune) => prune::run;
    /// Take the last change back
    Undo(undo::UndoOne) => undo::undo;
    /// Make the last undone change again
    Redo(undo::Undo) => undo::redo;
    /// The versions of a memory, or the changes that memkeep made; brings a version back
    History(history::History) => history::run;
    /// Merge a file of memories for git, memory by memory; `init --git` registers it
    MergeDriver(merge_driver::MergeDriver) => merge_driver::run;
    /// Make a store
    Init(init::Init) => init::run;
    /// Memories that would be injected for a task, and why
    Inject(Box<inject::Inject>) => inject::run;
    /// A whole store as context, within a budget
    Prime(prime::Prime) => prime::run;
    /// The text that teaches an agent to use memories
    Skill(prime::Skill) => prime::skill;
    /// Memories that an agent's hook is given for a prompt
    Hook(hook::Hook) => unopened;
    /// Serve agents over the Model Context Protocol, on standard input and output
    Mcp(mcp::Mcp) => unopened;
    /// Problems of memories, why they matter, and how to fix them
    Lint(lint::Lint) => lint::run;
    /// Changes since the last commit, memory by memory: keep, reject, commit
    Review(review::ReviewArgs) => review::run;
    /// Proposals of agents that nobody has decided on
    Proposals(review::Proposals) => review::proposals;
    /// True if the tasks of .memkeep/tasks.yaml are given what they must, may and must not be
    Check(check::Check) => check::run;
    /// The terminal UI on a fresh copy of the bundled sample project
    Demo(ui::Demo) => unopened;
}

/// Stands for a command that runs before stores are opened.
fn unopened<T>(_: &mut Workspace, _: &T, _: &mut Output) -> Result<u8> {
    Ok(exit::DONE)
}

/// Runs the program on the arguments it was started with.
pub fn main() -> ExitCode {
    output::install_panic_hook();
    // Claude Code blocks a prompt whose hook ends with 2, and shows what it prints.
    let is_hook = args::is_of("hook");
    let failed = |error: &Error| match args::is_of("merge-driver") {
        _ if is_hook => exit::DONE,
        true => exit::NOT_MERGED,
        false => error.exit_code(),
    };
    let mut output = Output::new(output::Color::Auto);
    let result = match Args::of(std::env::args_os()) {
        Ok(args) => {
            output = Output::new(args.global.color);
            run(args, &mut output)
        }
        Err(error) if error.use_stderr() => {
            let error = args::mistyped().unwrap_or_else(|| error.into());
            let is_verbose = std::env::args().any(|word| word == "-v" || word == "--verbose");
            if !is_hook || is_verbose {
                error.report();
            }
            return ExitCode::from(failed(&error));
        }
        // Help and version; who does not read them to the end has read enough.
        Err(error) => {
            let _ = output.help(&error).and_then(|()| output.finish());
            return ExitCode::from(exit::DONE);
        }
    };
    let code = match result {
        Ok(code) => code,
        Err(error) if error.is_closed_pipe() => exit::DONE,
        Err(error) => {
            error.report();
            failed(&error)
        }
    };
    match output.finish().map_err(Error::from) {
        Err(error) if !error.is_closed_pipe() && !is_hook => {
            error.report();
            ExitCode::from(exit::WRONG)
        }
        _ => ExitCode::from(code),
    }
}

/// Refuses to call an empty check of these memories a success.
fn needs_store(ws: &Workspace, ids: &[String]) -> Result<()> {
    if !ws.collection.stores.is_empty() {
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

fn run(args: Args, output: &mut Output) -> Result<u8> {
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
        Command::Demo(args) => return ui::demo(&global, &args, output),
        Command::Hook(args) => return Ok(hook::run(global, &paths, &args, output)),
        Command::Mcp(_) => return mcp::run(&global, paths),
        Command::Lint(args) if args.explain.is_some() => return lint::explain(&args, output),
        _ => {}
    }
    let mut ws = Workspace::open(global.options(paths)?)?;
    ws.warn_of(&ws.ignored);
    match &command {
        // An empty check is no success.
        Command::Lint(args) => needs_store(&ws, &args.ids)?,
        Command::Review(_) | Command::Check(_) => needs_store(&ws, &[])?,
        Command::Init(_) | Command::MergeDriver(_) | Command::Stores(_) => {}
        _ if ws.collection.stores.is_empty() => {
            output::note("no store found: `memkeep stores` says where they are looked for");
        }
        _ => {}
    }
    // An id may be that of a file of context.
    let takes_ids = match &command {
        Command::Show(_) | Command::Edit(_) | Command::Rename(_) | Command::Delete(_) => true,
        Command::Archive(_) | Command::Promote(_) | Command::Demote(_) => true,
        command => matches!(command, Command::Convert(_)),
    };
    if takes_ids && std::env::args().any(|word| word.starts_with("context:")) {
        ws.join_context();
    }
    // Lint does not go on under other settings than those that were chosen.
    if !matches!(command, Command::Lint(_)) {
        ws.warn();
    }
    command.run(&mut ws, output)
}
