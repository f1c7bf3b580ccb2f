//! All commands, searched by what they are called, what they do, and their key.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::command::{self, Command, Scope};
use super::line::Line;
use super::{Focus, Model, Page, hints};

/// The palette: what is typed, what it finds, which one is selected.
#[derive(Debug)]
pub struct Palette {
    /// The typed text.
    pub line: Line,
    /// The commands that fit, best first, each with why it cannot be done.
    pub hits: Vec<(&'static Command, Option<String>)>,
    /// The selected one.
    pub row: usize,
    /// The first row on the screen.
    pub top: usize,
}

impl Palette {
    /// All commands.
    pub fn open(model: &Model) -> Self {
        let mut palette = Self {
            line: Line::default(),
            hits: Vec::new(),
            row: 0,
            top: 0,
        };
        palette.search(model);
        palette
    }

    /// Searches for what is typed.
    pub fn search(&mut self, model: &Model) {
        let text = self.line.text().to_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        let page = model.pane_scopes(model.pane).first().copied();
        let page = page.filter(|_| !matches!(model.page, Page::Usual));
        let telling = hints::telling(model, Focus::Pane(model.pane), false);
        let mut hits: Vec<(_, &'static Command, Option<String>)> = command::all()
            .filter(|command| command.scope != Scope::Palette)
            .filter_map(|command| {
                let keys = model.keymap.labels(command.id);
                let score = score(command, &keys, self.line.text().trim(), &words)?;
                let refusal = refusal(model, command);
                // Available commands come before unavailable ones.
                let group = match command.scope {
                    _ if refusal.is_some() => 5,
                    scope if page == Some(scope) => 0,
                    Scope::Memory => 1,
                    _ if MOVES.split(' ').any(|id| id == command.id) => 4,
                    Scope::List => 3,
                    _ => 2,
                };
                let place = telling.iter().position(|id| *id == command.id);
                let place = place.unwrap_or(telling.len());
                Some(((Reverse(score), group, place), command, refusal))
            })
            .collect();
        hits.sort_by_key(|(order, _, _)| *order);
        self.hits = hits
            .into_iter()
            .map(|(_, command, refusal)| (command, refusal))
            .collect();
        // Of the steps of one thing, as asking for a message and committing with it, one is enough.
        if !words.is_empty() {
            let mut titles = HashSet::new();
            self.hits
                .retain(|(command, _)| titles.insert(command.title));
        }
        self.row = 0;
        self.top = 0;
    }

    /// The selected command.
    pub fn selected(&self) -> Option<&(&'static Command, Option<String>)> {
        self.hits.get(self.row)
    }
}

/// Commands that only move: they stand last.
const MOVES: &str = "down up half-down half-up page-down page-up top bottom side-down side-up                      back next-pane previous-pane palette";

/// Why a command cannot be done from the palette.
fn refusal(model: &Model, command: &Command) -> Option<String> {
    let reachable = model.pane_scopes(model.pane);
    if command.scope != Scope::Always && !reachable.contains(&command.scope) {
        let title = command.heard;
        let first = title.chars().next().unwrap_or_default();
        let rest = title.get(first.len_utf8()..).unwrap_or_default();
        return Some(format!("only {}{rest}", first.to_lowercase()));
    }
    command.applies(model).err().map(|why| why.into_owned())
}

/// How well a command fits what is typed; none where it does not.
fn score(command: &Command, keys: &[String], typed: &str, words: &[&str]) -> Option<u32> {
    if keys.iter().any(|key| key == typed) {
        return Some(100);
    }
    let title = command.title.to_lowercase();
    let help = command.help.to_lowercase();
    words.iter().try_fold(0, |sum, word| {
        let score = if title.starts_with(word) {
            10
        } else if title.contains(word) {
            7
        } else if command.id.contains(word) {
            5
        } else if help.contains(word) || keys.iter().any(|key| key.to_lowercase() == *word) {
            3
        } else if in_order(&title, word) {
            1
        } else {
            return None;
        };
        Some(sum + score)
    })
}

/// True if the characters of a word stand in a text in their order.
fn in_order(text: &str, word: &str) -> bool {
    let mut rest = text.chars();
    word.chars().all(|wanted| rest.any(|c| c == wanted))
}
