//! The record of one command: what was run, what it said, and the code with which it failed.

use std::sync::LazyLock;

use regex::Regex;

use crate::lint::chars::compact;
use crate::lint::pairs::table::COMMANDS;

/// A line that is the exit code of a command that failed, and nothing else.
static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)^[\s>*_`-]{0,8}(?:exit(?:ed)?|(?:exit|return|status)[ _-]?(?:code|status)|rc)[*_`]{0,2}\s?[:=][*_`\s]{0,4}-?[1-9]\d{0,9}[*_`.]{0,3}$",
    )
});

/// A line that names the command that was run.
static RAN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)^[\s>*_`-]{0,8}(?:(?:cmd|command|ran|run|tool|task|script)[*_`]{0,2}\s?[:=][*_`\s]{0,4}[^\s<…{=]|\$ \S)",
    )
});

/// Lines that the record of one run has at most.
const RECORD: usize = 12;

/// Whether a few lines record a command, what it said and the code with which it failed.
pub(super) fn is_record(lines: &[(usize, &str)]) -> bool {
    let is = |one: &LazyLock<Option<Regex>>, line: &str| {
        one.as_ref().is_some_and(|one| one.is_match(line))
    };
    let typed = |line: &str| {
        let mut words = line.trim_start_matches(['`', ' ']).split(' ');
        words.next().is_some_and(|word| COMMANDS.has(word)) && words.next().is_some()
    };
    let mut first = lines.first().into_iter();
    (2..=RECORD).contains(&lines.len())
        && lines.iter().any(|(_, line)| is(&CODE, line))
        && (first.any(|(_, line)| typed(line)) || lines.iter().any(|(_, line)| is(&RAN, line)))
}
