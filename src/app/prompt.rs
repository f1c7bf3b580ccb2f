//! A line in a window that answers a question.

use super::line::Line;
use crate::curate::Silenced;

/// The question.
#[derive(Debug)]
pub enum Question {
    /// The case in which each of two memories holds.
    Cases,
    /// The reason to silence findings.
    Reason(Vec<Silenced>),
    /// The first line of a commit message.
    Message,
}

/// A question and the line that is typed.
#[derive(Debug)]
pub struct Prompt {
    /// The question.
    pub question: Question,
    /// The answer.
    pub line: Line,
}

impl Question {
    /// The question in words, an example of an answer, and the title of the command that accepts it.
    pub const fn words(&self) -> [&'static str; 3] {
        match self {
            Self::Cases => [
                "When does each of the two hold?",
                "e.g. A in production, B on a laptop; optional",
                "both hold",
            ],
            Self::Reason(_) => [
                "Why silence this finding?",
                "for readers of .memkeep/decisions.jsonl; optional",
                "silence",
            ],
            Self::Message => [
                "Commit what is accepted?",
                "the first line of the message; these stand below it",
                "commit",
            ],
        }
    }
}
