//! A list in a window, to pick one of: related memories, kinds of links, stores, ways to promote,
//! changes, themes. [`act::picks`](super::act) does what a row stands for.

use super::cursor::turned;
use super::links::Neighbour;
use crate::curate::promote::Way;

/// How a row looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The text of a memory.
    Text,
    /// An explanation of the name before it.
    Muted,
    /// A memory that is missing.
    Warning,
}

/// A row: a short name, and a text behind it.
#[derive(Debug)]
pub struct Choice {
    /// The name, in a column of its own.
    pub name: String,
    /// The text.
    pub text: String,
    /// How the text looks.
    pub tone: Tone,
}

impl Choice {
    /// A name and its explanation.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let (name, text) = (name.into(), text.into());
        let tone = Tone::Muted;
        Self { name, text, tone }
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
    Themes(usize),
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

impl Picker {
    /// A list with its first row selected.
    pub fn new(title: impl Into<String>, choices: Vec<Choice>, subject: Subject) -> Self {
        Self {
            title: title.into(),
            choices,
            row: 0,
            subject,
        }
    }

    /// A list of ways to promote memories.
    pub fn ways(title: impl Into<String>, ways: Vec<Way>) -> Self {
        let choice = |way: &Way| Choice::new(&way.name, &way.about);
        Self::new(
            title,
            ways.iter().map(choice).collect(),
            Subject::Ways(ways),
        )
    }

    /// Selects another row; past an end the other end follows.
    pub fn turn(&mut self, by: isize) {
        self.row = turned(self.row, by, self.choices.len());
    }

    /// The title of the command that picks a row.
    pub const fn verb(&self) -> &'static str {
        match self.subject {
            Subject::Related(_) => "go there",
            Subject::Ways(_) => "promote",
            Subject::Themes(_) => "take",
        }
    }
}
