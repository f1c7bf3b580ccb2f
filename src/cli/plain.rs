//! The terminal UI line by line, for screen readers and pipes: the model and the commands of the
//! screen, its state in words. A line is the id of a command with what it takes, or the number of a
//! row; each answer ends with an empty line.

mod spoken;

use std::io;

use super::args::nearest_of;
use super::edit::{EditWhat, edits};
use super::prelude::*;
use crate::app::command::{self, Command};
use crate::app::overlay::{Overlay, Palette};
use crate::app::{Effect, Focus, Keymap, Model, Msg, Page, Pane, View};
use crate::memory::edit::FieldEdit;
use crate::run::lockstep::Lockstep;

const ROWS: usize = 20;
/// Commands that need a screen: for its looks, and for the person's editor.
const LOOKS: &str = "theme zoom wider narrower suspend side-down side-up edit-file mouse";

struct Plain {
    program: Lockstep,
    ws: Arc<Workspace>,
    has_ended: bool,
}

/// The view, the row and the list: they decide what an answer reads out.
type Heard = (View, usize, Vec<String>);

pub fn run(ws: Workspace, mut model: Model, output: &mut Output) -> Result<u8> {
    model.keymap = Keymap::of_ids();
    model.size = (spoken::WIDTH, 24);
    let ws = Arc::new(ws);
    let mut plain = Plain {
        program: Lockstep::start(model, Arc::clone(&ws) as _),
        ws,
        has_ended: false,
    };
    let mut answer = plain.greeting();
    loop {
        let lines = answer.iter().filter(|line| !line.trim().is_empty());
        output.lines(lines.map(|line| safe(line)).chain(["".into()]))?;
        output.flush()?;
        if plain.has_ended {
            return Ok(exit::DONE);
        }
        let Some(line) = next_line()? else {
            return Ok(exit::DONE);
        };
        answer = plain.answer(line.trim()).unwrap_or_else(|error| {
            let hint = error.hint.map(|hint| format!("hint: {hint}"));
            let what = format!("error: {}", error.what);
            [what].into_iter().chain(hint).collect()
        });
    }
}

fn next_line() -> Result<Option<String>> {
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line);
    let wrong = |error| Error::wrong(format!("standard input cannot be read: {error}"));
    Ok((read.map_err(wrong)? > 0).then_some(line))
}

/// The lines of a text up to one that is a single stop.
fn text() -> Result<String> {
    let mut text = String::new();
    while let Some(line) = next_line()? {
        if line.trim_end() == "." {
            break;
        }
        text.push_str(&line);
    }
    Ok(text)
}

fn is_for_screen(id: &str) -> bool {
    LOOKS.split(' ').any(|one| one == id)
}

impl Plain {
    fn greeting(&self) -> Vec<String> {
        let model = &self.program.model;
        let head = model.head.as_deref().map(|head| format!(", branch {head}"));
        let mut out = vec![format!(
            "memkeep on {}{}: {} memories, {} findings, {} changes to review. ? lists the commands",
            model.project,
            head.unwrap_or_default(),
            model.world.active - model.world.context,
            model.world.digest.warnings,
            model.waiting(),
        )];
        out.extend(self.message());
        out.extend(spoken::list(model, ROWS));
        out
    }

    /// Does what a line says and tells the outcome.
    fn answer(&mut self, line: &str) -> Result<Vec<String>> {
        if line.is_empty() {
            return Ok(spoken::list(&self.program.model, ROWS));
        }
        if let Some(sought) = line.strip_prefix('?') {
            return Ok(self.commands(sought.trim()));
        }
        let before = self.heard();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let is_asked = self.program.model.focus() == Focus::Ask;
        let command = command::find(word).filter(|one| !is_asked || self.reaches(one));
        match (command, word.parse()) {
            (Some(command), _) => self.command(command, rest.trim())?,
            (None, _) if self.takes_text() => self.typed(line),
            (None, Ok(number)) => self.row(number)?,
            (None, Err(_)) => {
                let near = nearest_of(word, command::all().map(|command| command.id), "");
                let error = Error::wrong(format!("no command is called `{word}`"));
                return Err(error.hint(near.unwrap_or("? lists them".to_owned())));
            }
        }
        Ok(self.outcome(&before))
    }

    fn takes_text(&self) -> bool {
        let focus = self.program.model.focus();
        matches!(focus, Focus::Ask | Focus::Filter | Focus::Task)
    }

    /// True if a command is heard now.
    fn reaches(&self, command: &Command) -> bool {
        self.program.model.scopes().contains(&command.scope)
    }

    fn heard(&self) -> Heard {
        let model = &self.program.model;
        let rows = 0..spoken::count(model);
        let list = rows.flat_map(|row| spoken::lines(model, row));
        (model.view, model.row(), list.collect())
    }

    /// The message of the program, its hint behind it.
    fn message(&self) -> Option<String> {
        let message = self.program.model.status.message()?;
        let kind = if message.error { "error: " } else { "" };
        let mut text = format!("{kind}{}", message.text);
        if let Some(hint) = &message.hint {
            // A hint that names a command by its key and by its title names it once.
            let words = hint.split(' ').dedup().join(" ");
            text.push_str(&format!("; {words}"));
        }
        Some(text)
    }

    /// What an action changed: the message, then the window, page, list or memory that is new.
    fn outcome(&mut self, before: &Heard) -> Vec<String> {
        let now = self.heard();
        let mut out = Vec::from_iter(self.message());
        let model = &mut self.program.model;
        let is_page = !matches!(model.page, Page::Usual) || model.view == View::Review;
        let pane = std::mem::replace(&mut model.pane, Pane::List);
        let is_opened = pane != Pane::List;
        if !matches!(model.focus(), Focus::Pane(_)) {
            out.extend(spoken::question(model));
        } else if is_page || is_opened || (now.1 != before.1 && now.2 == before.2) {
            out.extend(spoken::side(model, pane));
        } else if now != *before || out.is_empty() {
            out.extend(spoken::list(model, ROWS));
        }
        out
    }

    /// Goes to a row, or takes it where rows are to be picked from.
    fn row(&mut self, number: usize) -> Result<()> {
        let model = &mut self.program.model;
        let rows = match &model.overlay {
            Some(Overlay::Pick(picker)) => picker.choices.len(),
            _ => spoken::count(model),
        };
        let row = number.checked_sub(1).filter(|row| *row < rows);
        let row = row.ok_or_else(|| Error::wrong(format!("there are rows 1 to {rows}")))?;
        if let Some(Overlay::Pick(picker)) = &mut model.overlay {
            picker.row = row;
            self.run("pick");
        } else if model.inject.offers() {
            model.inject.saved.row = Some(row);
            self.run("accept-task");
        } else {
            self.send(Msg::Go(row));
            self.program.model.pane = Pane::Side;
        }
        Ok(())
    }

    /// Types a text into the open line, in the place of what stands there, and accepts it.
    fn typed(&mut self, text: &str) {
        let model = &mut self.program.model;
        let (line, accept) = match &mut model.overlay {
            Some(Overlay::Ask(_, line)) => (Some(line), "accept-answer"),
            _ if model.browse.filter.editing => {
                (Some(&mut model.browse.filter.line), "accept-filter")
            }
            _ => (model.inject.line(), "accept-task"),
        };
        if let Some(line) = line {
            line.clear();
        }
        self.send(Msg::Paste(text.to_owned()));
        self.run(accept);
    }

    /// Runs a command with what it takes: a text, values of fields, or rows.
    fn command(&mut self, command: &'static Command, rest: &str) -> Result<()> {
        if is_for_screen(command.id) {
            return Err(Error::wrong(format!("`{}` is for the screen", command.id)));
        }
        match command.id {
            "edit-fields" => return self.edit_fields(rest),
            "edit-body" => {
                let body = FieldEdit::Body(text()?);
                return self.edit(|_| Ok(vec![body]));
            }
            "new" => return self.add(rest),
            _ => {}
        }
        if self.takes_text() && !self.reaches(command) {
            self.run(match self.program.model.focus() {
                Focus::Filter => "leave-filter",
                _ => "leave-task",
            });
        }
        if !self.reaches(command) {
            let what = format!("`{}` is heard: {}", command.id, command.heard);
            return Err(Error::wrong(what));
        }
        let numbers = rest.split_whitespace().map(str::parse::<usize>);
        let rows: Option<Vec<usize>> = numbers.map(|n| n.ok()?.checked_sub(1)).collect();
        let rows = rows.unwrap_or_default();
        for row in &rows {
            self.send(Msg::Go(*row));
            if rows.len() > 1 {
                self.run("select");
            }
        }
        self.run(command.id);
        if !rest.is_empty() && rows.is_empty() {
            if !self.takes_text() {
                let what = format!("`{}` takes rows by their numbers", command.id);
                return Err(Error::wrong(what));
            }
            self.typed(rest);
        }
        Ok(())
    }

    /// Gives fields of the current memory new values: `importance=high`.
    fn edit_fields(&mut self, rest: &str) -> Result<()> {
        let words = shell_words::split(rest);
        let set = words.map_err(|error| Error::wrong(error.to_string()))?;
        if set.is_empty() {
            let hint = "e.g. edit-fields importance=high title='A new title'";
            return Err(Error::wrong("edit-fields takes FIELD=VALUE").hint(hint));
        }
        let what = EditWhat {
            set,
            ..EditWhat::default()
        };
        self.edit(|memory| edits(memory, &what))
    }

    fn edit(&mut self, edits: impl FnOnce(&Memory) -> Result<Vec<FieldEdit>>) -> Result<()> {
        let memory = self.program.model.current();
        let memory = memory.ok_or_else(|| Error::wrong("no memory is selected"))?;
        let change = Change::edit(&memory.id, edits(memory)?);
        self.send(Msg::Make(change));
        Ok(())
    }

    /// Writes a memory with this title; its text follows up to a line that is a single stop.
    fn add(&mut self, title: &str) -> Result<()> {
        let body = text()?;
        let ws = Arc::clone(&self.ws);
        let store = ws.collection.receivers().next();
        let store = store.ok_or_else(|| Error::wrong("there is no store to add to"))?;
        let schema = store.schema();
        let given = Some(title).filter(|title| !title.is_empty());
        let title = super::add::title(given, schema, &body)?;
        self.send(Msg::Make(Change::Add {
            store: Some(store.info().id.clone()),
            fields: super::add::fields(&ws, (&[], None), Vec::new(), schema, &title),
            title,
            body,
        }));
        Ok(())
    }

    fn run(&mut self, id: &str) {
        if let Some(command) = command::find(id) {
            self.send(Msg::Run(command));
        }
    }

    /// Sends a message and does what a screen would do with the effects.
    fn send(&mut self, msg: Msg) {
        for effect in self.program.send(msg) {
            match effect {
                Effect::Quit => self.has_ended = true,
                Effect::Copy(text) => self.send(Msg::Notice(text)),
                // Nothing is typed here that could be left unsaved; the rest is for the screen.
                _ => {}
            }
        }
    }

    /// The commands that can be given now, those that a word finds.
    fn commands(&self, sought: &str) -> Vec<String> {
        let model = &self.program.model;
        let mut palette = Palette::open(model);
        palette.line.insert(sought);
        palette.search(model);
        let hits = palette.hits.iter();
        let hits = hits.filter(|(one, why)| why.is_none() && !is_for_screen(one.id));
        let lines = hits.map(|(one, _)| format!("{}: {}", one.id, one.help));
        let rows = "a number: go to that row; with a command its row: archive 3 5".to_owned();
        lines.chain([rows]).collect()
    }
}
