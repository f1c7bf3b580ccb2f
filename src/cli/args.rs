//! The arguments of a call with their help, and those that several commands share; the manual. All is
//! drawn from the table of commands.

use std::ffi::{OsStr, OsString};

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, CommandFactory as _, FromArgMatches as _, Parser};
use clap_mangen::Man;

use super::Command;
use super::output::Color;
use super::prelude::*;
use crate::lint::all_nearest;
use crate::store::discover::Search;
use crate::workspace::Kind;
use crate::workspace::{Options, state_folder};

/// Browse, curate and check what coding agents remember about a code base.
#[derive(Debug, Parser)]
#[command(
    name = "memkeep",
    bin_name = "memkeep",
    version,
    about,
    max_term_width = 100,
    subcommand_precedence_over_arg = true
)]
pub struct Args {
    /// Stores or folders; with none, every store found from here
    pub paths: Vec<PathBuf>,
    /// Command to run; without one, the terminal UI.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Flags of every command.
    #[command(flatten)]
    pub global: Global,
}

/// True if a word is a flag that a value follows.
pub fn wants(program: &clap::Command, word: &OsStr) -> bool {
    let name = word.to_str().and_then(|word| word.strip_prefix("--"));
    let mut flags = program.get_arguments().filter(|_| name.is_some());
    flags.any(|flag| flag.get_long() == name && flag.get_action().takes_values())
}

/// The command of a call, however wrong the rest of it is.
pub fn command_of(program: &clap::Command) -> Option<OsString> {
    let mut words = std::env::args_os().skip(1);
    words.find(|word| program.find_subcommand(word).is_some())
}

/// Adds the commands that a missing path was most likely meant for.
pub fn name_commands(error: Error) -> Error {
    let missing = match &error.kind {
        Kind::Missing(path) => path.file_name().and_then(OsStr::to_str),
        _ => None,
    };
    match missing.and_then(nearest_commands) {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

/// The same where the parser stumbled over a flag behind a word that is no command.
pub fn mistyped(program: &clap::Command) -> Option<Error> {
    let is_flag = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
    let mut pairs = std::env::args_os().tuple_windows();
    let (_, word) = pairs.find(|(before, word)| !is_flag(word) && !wants(program, before))?;
    let word = word.to_str().filter(|word| !Path::new(word).exists())?;
    let is_known = program.find_subcommand(word).is_some();
    let hint = nearest_commands(word).filter(|_| !is_known)?;
    Some(Error::wrong(format!("no such command: {word}")).hint(hint))
}

pub fn nearest_commands(word: &str) -> Option<String> {
    if word == "tasks" {
        return Some("`memkeep check` plays the saved tasks".to_owned());
    }
    let program = Args::command();
    let names = program.get_subcommands().map(clap::Command::get_name);
    nearest_of(word, names, "memkeep ")
}

/// A hint that names the words that are most like one, each behind the program that knows it.
pub fn nearest_of<'a>(
    word: &str,
    names: impl Iterator<Item = &'a str>,
    program: &str,
) -> Option<String> {
    let near = all_nearest(word, names);
    let mut near = near.iter().map(|name| format!("`{program}{name}`"));
    let near = near.join(" or ");
    (!near.is_empty()).then(|| format!("did you mean {near}?"))
}

/// Flags of every command.
#[derive(Clone, Debug, clap::Args)]
pub struct Global {
    /// Folder to search for stores [default: the working directory and its parents up to the
    /// repository root]
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Only this store: an id or a format as `memkeep stores` prints them, or a path
    #[arg(long, global = true, value_name = "ID|FORMAT|PATH")]
    pub store: Vec<String>,
    /// The stores of every project below your home too, not only of this one
    #[arg(long, global = true)]
    pub all_projects: bool,
    /// Read the given paths as this format
    #[arg(long = "as", global = true, value_name = "FORMAT")]
    pub format_as: Option<String>,
    /// The clock, for ages and for the dates that are written
    #[arg(long, global = true, value_name = "RFC3339")]
    pub now: Option<String>,
    /// Change nothing
    #[arg(long, global = true)]
    pub read_only: bool,
    /// Colours on standard output
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// The terminal UI line by line, for screen readers and pipes; `?` lists its commands
    #[arg(long, global = true)]
    pub plain: bool,
    /// This configuration file instead of the user's and the project's
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Say more about what is read and left out
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

impl Global {
    /// True if the UI goes line by line: it is asked for, or the terminal has no screen.
    pub fn is_plain(&self) -> bool {
        self.plain || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
    }

    pub fn options(&self, paths: Vec<PathBuf>) -> Result<Options> {
        let wrong = |text: &String| {
            let error = Error::wrong(format!("--now is `{text}`, not a point in time"));
            error.hint("e.g. 2026-11-20T10:00:00Z")
        };
        let time = |text: &String| Timestamp::parse_iso(text).ok_or_else(|| wrong(text));
        Ok(Options {
            search: Search {
                root: self.root.clone(),
                paths,
                format: self.format_as.clone(),
                only: self.store.clone(),
                all_projects: self.all_projects,
                ..Search::default()
            },
            config: self.config.clone(),
            read_only: self.read_only,
            now: self.now.as_ref().map(time).transpose()?,
            lasting: false,
            verbose: self.verbose,
            state: state_folder(),
            tell: note,
        })
    }
}

#[derive(Clone, Debug, Default, clap::Args)]
pub struct Filter {
    /// Only memories of this type
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub kind: Option<String>,
    /// Only memories with any of these tags
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub tags: Vec<String>,
    /// Only the newest N, by the date they were written
    #[arg(long, value_name = "N")]
    pub last: Option<usize>,
    /// Only memories written in the last DAYS days
    #[arg(long, value_name = "DAYS")]
    pub recent: Option<u32>,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(LISTED))]
    pub format: Format,
}

#[derive(Debug, clap::Args)]
pub struct Ids {
    /// The memories
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, clap::Args)]
pub struct Sure {
    /// The memories
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
    /// Do it without asking
    #[arg(long)]
    pub yes: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[cfg(test)]
const COLUMNS: usize = 80;
const NAMES: usize = 14;

impl Args {
    /// The arguments of a call, the program's name first. clap takes a word that is the name of a
    /// command for the command, even where a flag before it wants a value: such a value is tied to
    /// its flag first, so that a folder may be called `demo`.
    pub fn of(
        program: &mut clap::Command,
        words: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, clap::Error> {
        let mut tied: Vec<OsString> = Vec::new();
        let (mut begun, mut asks_help) = (false, false);
        for word in words {
            let last = tied.last_mut().filter(|_| !begun);
            if let Some(flag) = last.filter(|last| wants(program, last)) {
                flag.push("=");
                flag.push(word);
                continue;
            }
            if !begun && word == "help" {
                asks_help = true;
                continue;
            }
            begun |= program.find_subcommand(&word).is_some();
            tied.push(word);
        }
        tied.extend(asks_help.then(|| "--help".into()));
        let is_of_flags = asks_help && !begun && tied.iter().any(|word| word == "flags");
        let matches = match is_of_flags {
            true => flags().try_get_matches_from(["memkeep", "-h"]),
            false => program.try_get_matches_from_mut(tied),
        };
        Self::from_arg_matches(&matches?)
    }
}

/// The parser of the command line, with its help: commands in groups, and the flags of every command
/// on a line.
pub fn program() -> clap::Command {
    let program = Args::command();
    let flags = flag_line(&program);
    let overview = overview(&program, &flags);
    let own = format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{{all-args}}{{after-help}}\n\n{flags}\n"
    );
    with_short_help(program.mut_args(|arg| arg.hide(true)))
        .help_template(overview)
        .mut_subcommands(|command| dressed(command, &own))
}

/// The program with a help that is as short for `--help` as for `-h`.
fn with_short_help(program: clap::Command) -> clap::Command {
    let help = Arg::new("help").short('h').long("help").hide(true);
    program
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .arg(help.action(ArgAction::HelpShort).global(true))
}

/// A command with its own help, and those below it.
fn dressed(command: clap::Command, template: &str) -> clap::Command {
    let about = command.get_long_about().or(command.get_about()).cloned();
    let command = command.about(about.unwrap_or_default());
    let command = command.help_template(template.to_owned());
    command.mut_subcommands(|inner| dressed(inner, template))
}

/// The same parser, with a help that explains the flags of every command.
pub fn flags() -> clap::Command {
    with_short_help(Args::command()).help_template("Flags of every command:\n{options}\n")
}

fn flag_line(program: &clap::Command) -> String {
    let flags = program.get_arguments().filter(|arg| arg.is_global_set());
    let names = flags.filter_map(|arg| match arg.get_short() {
        Some(short) => Some(format!("-{short}")),
        None => Some(format!("--{}", arg.get_long()?)),
    });
    let names = names.format(" ");
    format!(
        "`memkeep COMMAND --help` explains a command, `memkeep help flags` these flags:\n{names}"
    )
}

fn overview(program: &clap::Command, flags: &str) -> StyledStr {
    let style = program.get_styles().get_header();
    let mut commands = program.get_subcommands();
    let groups = super::GROUPS.iter().flat_map(|(group, count)| {
        let own = commands.by_ref().take(*count).collect_vec();
        own.into_iter().enumerate().map(move |(n, command)| {
            let group = if n == 0 { group } else { "" };
            let about = command.get_about().map(ToString::to_string);
            let (name, about) = (command.get_name(), about.unwrap_or_default());
            format!("{style}{group:7}{style:#} {name:NAMES$} {about}\n")
        })
    });
    let groups: String = groups.collect();
    format!(
        "{{about}}\n\
         {style}Usage:{style:#} memkeep [PATH ...]   the terminal UI; without PATH, on every store found\n\n\
         {groups}{flags}\n"
    )
    .into()
}

#[derive(Debug, clap::Args)]
pub struct Manual {
    /// Page of this command; without one, that of memkeep
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
    /// Write all pages into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub into: Option<PathBuf>,
}

pub fn manual(args: &Manual, output: &mut Output) -> Result<u8> {
    let mut program = Args::command().disable_help_subcommand(true);
    if let Some(folder) = &args.into {
        let made = std::fs::create_dir_all(folder);
        made.and_then(|()| clap_mangen::generate_to(program, folder))
            .map_err(|error| {
                Error::wrong(format!("cannot write into {}: {error}", folder.display()))
            })?;
        return Ok(exit::DONE);
    }
    program.build();
    let page = match &args.command {
        None => &program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| {
            let hint = nearest_commands(name);
            Error::wrong(format!("no such command: {name}"))
                .hint(hint.unwrap_or_else(|| "memkeep --help".to_owned()))
        })?,
    };
    Man::new(page.clone()).render(output)?;
    Ok(exit::DONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The help of a command and of those below it, at a width.
    fn pages(command: &mut clap::Command, all: &mut Vec<(String, String)>) {
        let name = command.get_name().to_owned();
        all.push((name, command.render_help().to_string()));
        for inner in command.get_subcommands_mut() {
            pages(inner, all);
        }
    }

    #[test]
    fn the_help_of_every_command_has_at_most_50_lines() {
        for width in [80, 100] {
            let mut program = program().term_width(width);
            program.build();
            let mut all = Vec::new();
            pages(&mut program, &mut all);
            assert!(all.len() > super::super::GROUPS.len());
            for (name, page) in all {
                let lines = page.lines().count();
                assert!(lines <= 50, "{name} has {lines} lines at {width}:\n{page}");
            }
        }
    }

    #[test]
    fn the_overview_names_each_command_once_in_80_columns() {
        let page = program().render_help().to_string();
        assert!(
            page.lines().all(|line| line.chars().count() <= COLUMNS),
            "{page}"
        );
        let rows: Vec<&str> = page
            .lines()
            .filter_map(|line| line.get(8..8 + NAMES))
            .collect();
        for command in program().get_subcommands() {
            let name = command.get_name();
            let rows = rows.iter().filter(|row| row.trim() == name);
            assert_eq!(rows.count(), 1, "{name}: {page}");
        }
        let counts = super::super::GROUPS.iter().map(|(_, count)| count);
        assert_eq!(counts.sum::<usize>(), program().get_subcommands().count());
    }
}
