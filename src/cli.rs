//! The command line: one file per command, every one a thin layer over the library.

mod add;
mod args;
mod change;
mod check;
mod completions;
mod config;
mod doctor;
mod edit;
mod extract;
mod history;
mod hook;
mod init;
mod inject;
mod link;
mod lint;
mod list;
mod mcp;
mod merge_driver;
mod output;
mod plain;
mod prelude;
mod prime;
mod promote;
mod proposals;
mod prune;
mod review;
mod show;
mod stats;
mod stores;
mod tidy;
mod ui;
mod used;

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use crate::workspace::Workspace;
pub use crate::workspace::{Error, Result};
pub use args::{Args, program};
use clap::Subcommand;
use output::Output;
pub use ui::screen_model;

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

/// Makes the command line of a table: groups of the help, and in each a line of help, a name with its
/// arguments, and a function. A second paragraph of help stands in the command's own help only.
macro_rules! commands {
    ($($group:ident { $($(#[$help:meta])* $name:ident($args:ty) => $run:expr;)* })*) => {
        /// A command with its arguments.
        #[derive(Debug, Subcommand)]
        pub enum Command {
            $($($(#[$help])* $name($args),)*)*
        }

        impl Command {
            fn run(&self, ws: &mut Workspace, output: &mut Output) -> Result<u8> {
                match self {
                    $($(Self::$name(args) => $run(ws, args, output),)*)*
                }
            }
        }

        /// Groups of commands, each with the number of its commands, in the order of the table.
        const GROUPS: &[(&str, usize)] =
            &[$((stringify!($group), [$(stringify!($name)),*].len())),*];
    };
}

commands! {
    Look {
        /// The stores found, with tokens, findings and changes
        Stores(stores::Stores) => stores::run;
        /// The memories, in the order of their files
        List(list::List) => list::list;
        /// The memories that match a query, best first
        Search(list::Search) => list::search;
        /// One memory, whole
        Show(show::Show) => show::run;
        /// Versions of a memory, or changes made; brings one back
        History(history::History) => history::run;
        /// The memories that the links of one lead to
        ///
        /// RUM's traces go by causes and effects.
        Trace(link::Trace) => link::trace;
        /// Memories that would be injected for a task, and why
        Inject(Box<inject::Inject>) => inject::run;
        /// A whole store as context, within a budget
        Prime(prime::Prime) => prime::run;
        /// The terminal UI on a fresh copy of the sample project
        Demo(ui::Demo) => unopened;
    }
    Change {
        /// Write a new memory
        ///
        /// Where a file may hold several, it is appended to the one with this title.
        Add(add::Add) => add::run;
        /// Edit fields or the body of a memory; other bytes stay
        Edit(edit::Edit) => edit::run;
        /// Rename a memory, and the relations that name it
        Rename(change::Rename) => change::rename;
        /// Delete memories; `restore` and `undo` bring them back
        Delete(args::Sure) => change::delete;
        /// Put memories where their system does not read them
        Archive(args::Ids) => change::archive;
        /// Bring archived or deleted memories back
        Restore(args::Ids) => change::restore;
        /// Confirm that memories are still right
        ///
        /// Their staleness checks restart.
        Confirm(args::Ids) => change::confirm;
        /// Raise importance, or move to a more lasting layer
        Promote(promote::Promote) => promote::promote;
        /// Lower importance, or move back to the episodes
        Demote(promote::Promote) => promote::demote;
        /// Make one memory of several
        ///
        /// The first says what all say; the others go to the archive.
        Merge(change::Merge) => change::merge;
        /// Copy or move memories to another store, in its format
        Convert(change::Convert) => change::convert;
        /// Make their system forget memories
        ///
        /// In golemcore they expire at once.
        Forget(args::Sure) => promote::forget;
        /// Link a memory to another: `memkeep link A caused_by B`
        Link(link::Link) => link::link;
        /// Remove a link
        Unlink(link::Link) => link::unlink;
        /// Make a chapter of memories
        Chapter(link::Chapter) => link::chapter;
        /// Sort an index: what people said first, then the newest
        Reorder(promote::Reorder) => promote::reorder;
        /// Archive what is expired, repeated, unused or old
        Prune(prune::Prune) => prune::run;
        /// Undo the last change
        Undo(history::Undo) => history::undo;
        /// Redo the last undone change
        Redo(history::Redo) => history::redo;
    }
    Review {
        /// Changes since the last commit: accept, reject, commit
        Review(review::ReviewArgs) => review::run;
        /// Proposals of agents that wait for a decision
        Proposals(review::Proposals) => review::proposals;
        /// Lessons of a session, as proposals
        ///
        /// A model finds them, or rules do.
        Extract(extract::Extract) => extract::run;
        /// What would make a store better, as proposals of a model
        Tidy(tidy::Tidy) => tidy::run;
    }
    Check {
        /// Problems of memories, why they matter, and their fixes
        Lint(lint::Lint) => lint::run;
        /// Memories that an answer drew on or went against
        Used(used::Used) => used::used;
        /// How often memories were given, drawn on and gone against
        Stats(stats::Stats) => stats::stats;
        /// Expectations about what is injected
        ///
        /// The tasks of .memkeep/tasks.yaml are given what they must, may and must not be; sessions are
        /// given what is predicted.
        Check(check::Check) => check::run;
    }
    Agents {
        /// Answer an agent's hook with memories for its prompt
        Hook(hook::Hook) => unopened;
        /// Serve agents over the Model Context Protocol
        ///
        /// Requests come on standard input, answers go to standard output.
        Mcp(mcp::Mcp) => unopened;
        /// The text that teaches an agent to use memories
        Skill(prime::Skill) => prime::skill;
    }
    Setup {
        /// Make a store, or have agents and git call memkeep
        Init(init::Init) => init::run;
        /// Merge a file of memories for git; see `init --git`
        MergeDriver(merge_driver::MergeDriver) => merge_driver::run;
        /// Check terminal, git, settings, stores and state
        ///
        /// It only reads without --repair; exit code 1 if there are faults.
        Doctor(doctor::Doctor) => unopened;
        /// Print, check and describe the settings
        Config(config::Config) => config::run;
        /// The script that completes commands, ids and rules
        Completions(completions::Completions) => unopened;
        /// The manual page of memkeep or of a command
        Man(args::Manual) => unopened;
    }
}

/// Stands for a command that runs before stores are opened.
fn unopened<T>(_: &mut Workspace, _: &T, _: &mut Output) -> Result<u8> {
    Ok(exit::DONE)
}

/// Runs the program on the arguments it was started with.
pub fn main() -> ExitCode {
    output::install_panic_hook();
    if let Some(code) = completions::answer(&mut Output::new(output::Color::Never)) {
        return ExitCode::from(code);
    }
    // Claude Code blocks a prompt whose hook ends with 2, and shows what it prints.
    let mut program = program();
    let command = args::command_of(&program);
    let is_hook = command.as_deref() == Some(OsStr::new("hook"));
    let is_driver = command.as_deref() == Some(OsStr::new("merge-driver"));
    let failed = |error: &Error| match is_hook {
        true => exit::DONE,
        false if is_driver => exit::NOT_MERGED,
        false => error.exit_code(),
    };
    let mut output = Output::new(output::Color::Auto);
    let result = match Args::of(&mut program, std::env::args_os()) {
        Ok(args) => {
            output = Output::new(args.global.color);
            run(args, &mut output)
        }
        Err(error) if error.use_stderr() => {
            let error = args::mistyped(&program).unwrap_or_else(|| error.into());
            let is_verbose = std::env::args().any(|word| word == "-v" || word == "--verbose");
            if !is_hook || is_verbose {
                error.report();
            }
            return ExitCode::from(failed(&error));
        }
        // Help and version; who does not read them to the end has read enough.
        Err(error) => {
            let _ = output.help(&error).and_then(|()| output.flush());
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
    match output.flush().map_err(Error::from) {
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
        let ws = ws.map_err(args::name_commands)?;
        return match global.is_plain() {
            true => screen_model(&ws).and_then(|model| plain::run(ws, model, output)),
            false => ui::run(ws, global.color),
        };
    };
    match command {
        Command::Demo(args) => return ui::demo(&global, &args, output),
        Command::Hook(args) => return Ok(hook::run(global, &paths, &args, output)),
        Command::Mcp(_) => return mcp::run(&global, paths),
        Command::Doctor(args) => return doctor::run(&global, paths, &args, output),
        Command::Completions(args) => return completions::run(&args, output),
        Command::Man(args) => return args::manual(&args, output),
        Command::Lint(args) if args.explain.is_some() => return lint::explain(&args, output),
        _ => {}
    }
    let mut ws = Workspace::open(global.options(paths)?)?;
    let is_asked = matches!(command, Command::Config(_));
    if !is_asked {
        ws.warn_of(&ws.ignored);
    }
    match &command {
        // An empty check is no success.
        Command::Lint(args) => needs_store(&ws, &args.ids)?,
        // Sessions are given files of instructions too.
        Command::Check(args) if args.sessions.is_some() => {}
        Command::Review(_) | Command::Check(_) => needs_store(&ws, &[])?,
        Command::Init(_) | Command::MergeDriver(_) | Command::Stores(_) => {}
        _ if is_asked => {}
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
    if !is_asked && !matches!(command, Command::Lint(_)) {
        ws.warn();
    }
    command.run(&mut ws, output)
}
