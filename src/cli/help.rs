//! The parser of the command line with its help, and the manual: all drawn from the table of commands.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command, CommandFactory as _, FromArgMatches as _};
use clap_mangen::Man;

use super::args::{Args, nearest_commands, wants};
use super::prelude::*;

/// Columns of the overview at most.
#[cfg(test)]
const COLUMNS: usize = 80;
/// Columns of the names of commands.
const NAMES: usize = 14;

impl Args {
    /// The arguments of a call, the program's name first. clap takes a word that is the name of a
    /// command for the command, even where a flag before it wants a value: such a value is tied to
    /// its flag first, so that a folder may be called `demo`.
    pub fn of(
        program: &mut Command,
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
pub fn program() -> Command {
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
fn with_short_help(program: Command) -> Command {
    let help = Arg::new("help").short('h').long("help").hide(true);
    program
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .arg(help.action(ArgAction::HelpShort).global(true))
}

/// A command with its own help, and those below it.
fn dressed(command: Command, template: &str) -> Command {
    let about = command.get_long_about().or(command.get_about()).cloned();
    let command = command.about(about.unwrap_or_default());
    let command = command.help_template(template.to_owned());
    command.mut_subcommands(|inner| dressed(inner, template))
}

/// The same parser, with a help that explains the flags of every command.
pub fn flags() -> Command {
    with_short_help(Args::command()).help_template("Flags of every command:\n{options}\n")
}

/// The names of the flags of every command, on a line.
fn flag_line(program: &Command) -> String {
    let flags = program.get_arguments().filter(|arg| arg.is_global_set());
    let names = flags.filter_map(|arg| Some(format!("--{}", arg.get_long()?)));
    let names = names.map(|name| {
        if name == "--verbose" {
            "-v".to_owned()
        } else {
            name
        }
    });
    let names = names.collect_vec().join(" ");
    format!(
        "`memkeep COMMAND --help` explains a command, `memkeep help flags` these flags:\n{names}"
    )
}

/// The help of the program.
fn overview(program: &Command, flags: &str) -> StyledStr {
    let style = program.get_styles().get_header();
    let mut commands = program.get_subcommands();
    let groups = super::GROUPS.iter().flat_map(|(group, count)| {
        let own = commands.by_ref().take(*count).collect_vec();
        own.into_iter().enumerate().map(move |(n, command)| {
            let group = if n == 0 { group } else { "" };
            let about = command
                .get_about()
                .map(ToString::to_string)
                .unwrap_or_default();
            let name = command.get_name();
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

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
pub struct Manual {
    /// Page of this command; without one, that of memkeep
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
    /// Write all pages into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub into: Option<PathBuf>,
}

/// Prints a page of the manual.
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
    fn pages(command: &mut Command, all: &mut Vec<(String, String)>) {
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
