//! What is written down already is no lesson.

use itertools::Itertools as _;

use super::Lesson;
use crate::text::statements::statements;
use crate::text::tokens::stems;

/// Share of the words of a lesson that one statement has from which on it says the same.
const SAYS: f64 = 0.75;

/// The texts that are there: memories and the files that agents are given.
pub struct Known {
    texts: Vec<String>,
    /// The words of each statement of them.
    statements: Vec<Vec<u32>>,
}

impl Known {
    /// Reads texts.
    pub fn new(texts: Vec<String>) -> Self {
        let all = texts.iter().flat_map(|text| {
            let all = statements(text).into_iter();
            all.filter_map(|one| Some(stems(text.get(one.at)?)))
        });
        let statements = all.collect();
        Self { texts, statements }
    }

    /// The part of a lesson that is new; none if nothing is.
    pub fn new_in(&self, mut lesson: Lesson) -> Option<Lesson> {
        let has = |part: &str| self.texts.iter().any(|text| text.contains(part));
        // A list of commands loses those that stand somewhere.
        let command = |line: &str| {
            line.strip_prefix("- `")
                .map(|line| line.trim_end_matches('`').to_owned())
        };
        let commands = lesson.body.lines().filter_map(command).collect_vec();
        if !commands.is_empty() {
            let is_new = |line: &&str| command(line).is_none_or(|command| !has(&command));
            lesson.body = lesson.body.lines().filter(is_new).join("\n");
            return commands
                .iter()
                .any(|command| !has(command))
                .then_some(lesson);
        }
        let first = lesson.body.lines().next().unwrap_or_default();
        let words = stems(first);
        let says = |one: &Vec<u32>| {
            let both = words.iter().filter(|word| one.contains(word)).count();
            both as f64 >= SAYS * words.len() as f64
        };
        let is_known = match lesson.kind {
            "command" | "fix" | "failure" => has(first) || has(&lesson.title),
            _ => self.statements.iter().any(says),
        };
        (!is_known).then_some(lesson)
    }
}
