//! The windows over everything else: all commands, a list to pick a row of, a question that is
//! answered in a line.
//!
//! [`act::windows`](super::act) does what a row or an answer stands for.

use super::cursor::turned;
use super::line::Line;
use super::links::Neighbour;
use super::msg::Draft;
use super::palette::Palette;
use crate::curate::Silenced;
use crate::curate::promote::Way;

/// A window over everything else, which has the keys.
#[derive(Debug)]
pub enum Overlay {
    /// All commands.
    Palette(Palette),
    /// A list to pick a row of.
    Pick(Picker),
    /// A question that is answered in a line.
    Ask(Question, Line),
}

impl Overlay {
    /// The title of the command that takes the selected row or the answer.
    pub const fn verb(&self) -> Option<&'static str> {
        match self {
            Self::Pick(picker) => Some(match picker.subject {
                Subject::Related(_) => "go there",
                Subject::Ways(_) => "promote",
                Subject::Themes(_) | Subject::Draft(_) => "take",
            }),
            Self::Ask(question, _) => {
                let [_, _, verb] = question.words();
                Some(verb)
            }
            Self::Palette(_) => None,
        }
    }

    /// Selects another row; past an end the other end follows.
    pub fn turn(&mut self, by: isize) {
        let (row, rows) = match self {
            Self::Palette(palette) => (&mut palette.row, palette.hits.len()),
            Self::Pick(picker) => (&mut picker.row, picker.choices.len()),
            Self::Ask(..) => return,
        };
        *row = turned(*row, by, rows);
    }
}

/// A row: a short name, and a text behind it.
#[derive(Debug)]
pub struct Choice {
    /// The name, in a column of its own.
    pub name: String,
    /// The text.
    pub text: String,
    /// True if the text names a memory that is missing.
    pub is_missing: bool,
}

impl Choice {
    /// A name and its explanation.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            is_missing: false,
        }
    }
}

/// The things that the rows stand for, in the order of the rows.
#[derive(Debug)]
pub enum Subject {
    /// Memories that the current one names or is named by.
    Related(Vec<Neighbour>),
    /// Ways to promote memories.
    Ways(Vec<Way>),
    /// The themes; the one that `Esc` goes back to.
    Themes(String),
    /// What can be done with the unsaved text of an earlier run.
    Draft(Box<Draft>),
}

/// A list with a selected row.
#[derive(Debug)]
pub struct Picker {
    /// The title of the window.
    pub title: String,
    /// The rows.
    pub choices: Vec<Choice>,
    /// The selected one.
    pub row: usize,
    /// The things behind the rows.
    pub subject: Subject,
}

impl Overlay {
    /// A list of what stands in the rows of a subject.
    pub fn pick(title: String, choices: Vec<Choice>, subject: Subject) -> Self {
        Self::Pick(Picker {
            title,
            choices,
            row: 0,
            subject,
        })
    }
}

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
