//! The windows over everything else: all commands, a list to pick a row of, a question that is
//! answered in a line.
//!
//! [`act::windows`](super::act) does what a row or an answer stands for.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::command::{self, Command, Scope};
use super::cursor::turned;
use super::line::Line;
use super::links::Neighbour;
use super::msg::Draft;
use super::{Focus, Model, hints};
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
    pub text: String,
    /// True if the text names a memory that is missing.
    pub is_missing: bool,
}

impl Choice {
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
    Ways(Vec<Way>),
    /// The themes; the one that `Esc` goes back to.
    Themes(String),
    /// What can be done with the unsaved text of an earlier run.
    Draft(Box<Draft>),
}

#[derive(Debug)]
pub struct Picker {
    pub title: String,
    pub choices: Vec<Choice>,
    pub row: usize,
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

#[derive(Debug)]
pub enum Question {
    /// The case in which each of two memories holds.
    Cases,
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

/// A command, and why it cannot be done.
pub type Hit = (&'static Command, Option<String>);

/// The palette: what is typed, what it finds, which one is selected.
#[derive(Debug, Default)]
pub struct Palette {
    /// The typed text.
    pub line: Line,
    /// The commands that fit, best first, each with why it cannot be done.
    pub hits: Vec<Hit>,
    /// The selected one.
    pub row: usize,
}

impl Palette {
    /// All commands.
    pub fn open(model: &Model) -> Self {
        let mut palette = Self::default();
        palette.search(model);
        palette
    }

    /// Searches for what is typed; without a text lists what is used most here.
    pub fn search(&mut self, model: &Model) {
        let text = self.line.text().to_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        let scopes = model.pane_scopes(model.pane);
        let is_here = |scope: Scope| scope == Scope::Always || scopes.contains(&scope);
        let selects = hints::selected(model).is_some();
        let telling = hints::telling(model, Focus::Pane(model.pane), selects);
        let mut hits: Vec<(_, &'static Command, Option<String>)> = command::all()
            .filter(|one| one.scope != Scope::Palette && (!words.is_empty() || is_here(one.scope)))
            .filter_map(|command| {
                let keys = model.keymap.labels(command.id);
                let score = score(command, &keys, self.line.text().trim(), &words)?;
                let refusal = match is_here(command.scope) {
                    true => command.applies(model).err().map(|why| why.into_owned()),
                    false => Some(elsewhere(command)),
                };
                let group = match command.scope {
                    _ if MOVES.split(' ').any(|id| id == command.id) => 4,
                    Scope::List | Scope::Always => 3,
                    Scope::Global => 2,
                    Scope::Memory => 1,
                    _ => 0,
                };
                let place = telling.iter().position(|id| *id == command.id);
                let place = place.unwrap_or(telling.len());
                // Available commands come before unavailable ones.
                let is_refused = refusal.is_some();
                Some(((Reverse(score), is_refused, place, group), command, refusal))
            })
            .collect();
        hits.sort_by_key(|(order, _, _)| *order);
        let hits = hits.into_iter();
        let hits = hits.map(|(_, command, refusal)| (command, refusal));
        self.hits = hits.collect();
        // Of the steps of one thing, as asking for a message and committing with it, one is enough.
        if !words.is_empty() {
            let mut titles = HashSet::new();
            self.hits.retain(|(one, _)| titles.insert(one.title));
        }
        self.hits.truncate(MOST);
        self.row = 0;
    }
}

pub const MOST: usize = 40;

/// Commands that only move: they stand last.
const MOVES: &str = "down up half-down half-up page-down page-up top bottom side-down side-up \
                     back next-pane previous-pane palette";

/// Words of people, and behind them the commands that they mean, the most useful first.
const SYNONYMS: &str = include_str!("../../assets/synonyms.txt");

/// The place in which a command is available.
fn elsewhere(command: &Command) -> String {
    let mut chars = command.heard.chars();
    let first = chars.next().unwrap_or_default();
    format!("only {}{}", first.to_lowercase(), chars.as_str())
}

/// How well a command fits what is typed; none where it does not.
fn score(command: &Command, keys: &[String], typed: &str, words: &[&str]) -> Option<u32> {
    if keys.iter().any(|key| key == typed) {
        return Some(100);
    }
    let title = command.title.to_lowercase();
    let help = command.help.to_lowercase();
    words.iter().try_fold(0, |sum, word| {
        let meant = |line: &str| {
            let (words, ids) = line.split_once(": ")?;
            let is_meant = word.len() > 2 && words.split(' ').any(|one| one.starts_with(word));
            let place = ids.split(' ').position(|id| id == command.id);
            place.filter(|_| is_meant)
        };
        let meant = SYNONYMS.lines().find_map(meant);
        let meant = meant.map(|place| 40 - u32::try_from(place).unwrap_or(0));
        let is_key = || keys.iter().any(|key| key.to_lowercase() == *word);
        let fits = [
            (title.starts_with(word), 10),
            (title.contains(word), 7),
            (command.id.contains(word), 5),
            (help.contains(word) || is_key(), 3),
            (in_order(&title, word), 1),
        ];
        let best = || Some(fits.into_iter().find(|(fits, _)| *fits)?.1);
        Some(sum + meant.or_else(best)?)
    })
}

/// True if the characters of a word stand in a text in their order.
fn in_order(text: &str, word: &str) -> bool {
    let mut rest = text.chars();
    word.chars().all(|wanted| rest.any(|c| c == wanted))
}
