//! What is written down already is no lesson.

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

    /// True if no text says what a lesson says.
    pub fn is_new(&self, lesson: &Lesson) -> bool {
        let has = |part: &str| self.texts.iter().any(|text| text.contains(part));
        let first = lesson.body.lines().next().unwrap_or_default();
        let words = stems(first);
        let says = |one: &Vec<u32>| {
            let both = words.iter().filter(|word| one.contains(word)).count();
            both as f64 >= SAYS * words.len() as f64
        };
        !match lesson.kind {
            "command" | "fix" | "failure" => has(first) || has(&lesson.title),
            _ => self.statements.iter().any(says),
        }
    }
}
