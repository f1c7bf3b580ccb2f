//! Typing, and the windows over the panes: the palette, lists to pick from, lines that answer a
//! question.

use super::super::command::{self, Refusal};
use super::super::key::{Key, LineEdit, Step};
use super::super::line::Line;
use super::super::links::{Neighbour, in_text, neighbours};
use super::super::msg::{Change, Draft, Effect};
use super::super::overlay::{Choice, Palette, Question, Subject};
use super::super::{Focus, Model, Overlay, View, editor, pair};
use super::{edits, when};
use crate::lint::mask;

/// A key that no command has: text where text is typed.
pub fn typed(model: &mut Model, key: Key) {
    if model.focus() == Focus::Task && model.inject.line().is_none() {
        match key.line_edit() {
            Some(LineEdit::Go(Step::Left)) => model.inject.turn_dialect(-1),
            Some(LineEdit::Go(Step::Right) | LineEdit::Insert(' ')) => model.inject.turn_dialect(1),
            _ => {}
        }
        return;
    }
    let is_typed = write(model, |line| {
        line.key(key);
    });
    if !is_typed {
        // Says that the key does nothing here, and which one tells what the others do.
        let all = model.keymap.labels("palette").pop();
        let is_foreign = |letter: char| letter.is_alphabetic() && !letter.is_ascii();
        let hint = match key.letter() {
            Some(letter) if is_foreign(letter) => {
                Some("commands are Latin letters: switch the keyboard to them".to_owned())
            }
            _ if !matches!(model.focus(), Focus::Pane(_)) => None,
            _ => all.map(|all| format!("{all} lists all keys")),
        };
        let text = format!("{key} does nothing here");
        model.status.say(text, hint.as_deref());
    }
}

/// Changes the line that has the focus; false if none has it.
fn write(model: &mut Model, change: impl FnOnce(&mut Line)) -> bool {
    let line = match model.focus() {
        Focus::Palette => {
            search(model, change);
            return true;
        }
        Focus::Filter => Some(&mut model.browse.filter.line),
        Focus::Task => {
            model.inject.saved.row = None;
            model.inject.line()
        }
        _ => match &mut model.overlay {
            Some(Overlay::Ask(_, line)) => Some(line),
            _ => None,
        },
    };
    line.map(change).is_some()
}

/// Pasted text is text where text is typed, and nothing elsewhere, which is said.
pub fn paste(model: &mut Model, text: &str) {
    if model.focus() == Focus::Editor {
        return editor::paste(model, text);
    }
    if !write(model, |line| line.paste(text)) {
        model.say("paste ignored: there is no text field here");
    }
}

pub fn palette(model: &mut Model) {
    model.overlay = Some(Overlay::Palette(Palette::open(model)));
}

fn search(model: &mut Model, change: impl FnOnce(&mut Line)) {
    if let Some(Overlay::Palette(mut palette)) = model.overlay.take() {
        let before = palette.line.text().to_owned();
        change(&mut palette.line);
        if palette.line.text() != before {
            palette.search(model);
        }
        model.overlay = Some(Overlay::Palette(palette));
    }
}

/// The things that the open list is about.
fn subject(model: &Model) -> Option<&Subject> {
    match &model.overlay {
        Some(Overlay::Pick(picker)) => Some(&picker.subject),
        _ => None,
    }
}

/// Applies unless the list changes a store and nothing may be written.
pub fn pickable(model: &Model) -> Result<(), Refusal> {
    match subject(model) {
        Some(Subject::Related(_) | Subject::Themes(_)) => Ok(()),
        _ => when::writable(model),
    }
}

pub fn themed(model: &Model) -> Result<(), Refusal> {
    let is_open = matches!(subject(model), Some(Subject::Themes(_)));
    when::unless(!is_open, "no theme is selected")
}

/// Takes the list away; its things and the selected row.
fn close(model: &mut Model) -> Option<(Subject, usize)> {
    match model.overlay.take() {
        Some(Overlay::Pick(picker)) => Some((picker.subject, picker.row)),
        other => {
            model.overlay = other;
            None
        }
    }
}

pub fn take(model: &mut Model) {
    match close(model) {
        Some((Subject::Related(all), row)) => go(model, all.get(row)),
        Some((Subject::Ways(ways), row)) => edits::take_way(model, ways.into_iter().nth(row)),
        Some((Subject::Themes(_), _)) => {
            model.say(format!("theme {} until memkeep ends", model.theme));
        }
        Some((Subject::Draft(draft), row)) => decide_draft(model, *draft, row),
        None => {}
    }
}

pub fn keep_theme(model: &mut Model) {
    model.overlay = None;
    model.send(Effect::KeepTheme(model.theme.clone()));
}

/// Selects another row of what is open; of themes it is shown at once.
pub fn turn(model: &mut Model, by: isize) {
    let Some(overlay) = &mut model.overlay else {
        return;
    };
    overlay.turn(by);
    if let Overlay::Pick(picker) = overlay
        && matches!(picker.subject, Subject::Themes(_))
    {
        let chosen = model.themes.get(picker.row).map(|(name, ..)| name.clone());
        show_theme(model, &chosen.unwrap_or_default());
    }
}

/// Closes whatever stands over the panes; a theme that was tried is taken back, and a draft stays.
pub fn leave(model: &mut Model) {
    match close(model) {
        Some((Subject::Themes(before), _)) => show_theme(model, &before),
        Some((Subject::Draft(draft), _)) => decide_draft(model, *draft, usize::MAX),
        _ => model.overlay = None,
    }
}

pub fn accept(model: &mut Model) {
    let Some(Overlay::Ask(question, line)) = model.overlay.take() else {
        return;
    };
    let typed = line.text().trim();
    let given = Some(typed.to_owned()).filter(|typed| !typed.is_empty());
    match question {
        Question::Cases => pair::answer(model, crate::curate::Resolution::Both, given),
        Question::Reason(found) => model.apply(Change::Silence {
            found,
            reason: given,
            until: None,
        }),
        Question::Message => edits::commit_with(model, given),
    }
}

pub fn related(model: &mut Model) {
    let Some(memory) = model.current().cloned() else {
        return;
    };
    let mut rows = neighbours(&model.world.memories, &memory);
    if !memory.schema.can.links.is_empty() {
        // Those of the text that is shown, behind those of the fields.
        let mut linked = in_text(&model.world, &memory, model.reading.body());
        linked.retain(|one| rows.iter().all(|row| row.name != one.name));
        rows.append(&mut linked);
    }
    if rows.is_empty() {
        return model.say("no links to or from this memory");
    }
    let choice = |one: &Neighbour| {
        let title = one.memory.as_ref().map(|(_, title)| title);
        let mut choice = Choice::new(&one.kind, mask(title.unwrap_or(&one.name)));
        choice.is_missing = title.is_none();
        choice
    };
    let title = format!("Related to {}", memory.title);
    let choices = rows.iter().map(choice).collect();
    model.overlay = Some(Overlay::pick(title, choices, Subject::Related(rows)));
}

/// Goes to a memory, whatever the list is narrowed to.
fn go(model: &mut Model, neighbour: Option<&Neighbour>) {
    let Some(neighbour) = neighbour else {
        return;
    };
    let Some((id, _)) = neighbour.memory.clone() else {
        return model.say(format!("{} is not in the store", neighbour.name));
    };
    model.show(View::Browse);
    let index = model.world.index_of(&id);
    model.browse.archived |= index.is_some_and(|index| !model.world.is_active(index));
    if !model.browse.rows.iter().any(|row| row.memory() == index) {
        model.browse.filter.line.clear();
        model.browse.filter.hits = None;
        model.browse.folded.clear();
    }
    model.browse.cursor.chosen = Some(id);
    model.arrange();
}

/// Lists the themes; the selected one is shown at once.
pub fn themes(model: &mut Model) {
    let choices = model.themes.iter();
    let choices = choices.map(|(name, about, _)| Choice::new(name, about));
    let subject = Subject::Themes(model.theme.clone());
    let mut list = Overlay::pick("Theme".to_owned(), choices.collect(), subject);
    let mut all = model.themes.iter();
    let row = all.position(|(name, ..)| *name == model.theme);
    list.turn(row.unwrap_or(0).cast_signed());
    model.overlay = Some(list);
}

pub fn show_theme(model: &mut Model, shown: &str) {
    let mut all = model.themes.iter();
    if let Some((name, _, light)) = all.find(|(name, ..)| name == shown).cloned() {
        (model.theme, model.light) = (name, light);
    }
}

pub fn run_selected(model: &mut Model) {
    let Some(Overlay::Palette(palette)) = &model.overlay else {
        return;
    };
    match palette.hits.get(palette.row).cloned() {
        Some((command, None)) => {
            model.overlay = None;
            command::run(model, command);
        }
        Some((command, Some(why))) => {
            model.say(format!("{}: {why}", command.title));
        }
        None => {}
    }
}

pub fn show_draft(model: &mut Model) {
    let Some((draft, _)) = model.unsaved.clone() else {
        return;
    };
    let both = draft.text.lines().zip(draft.base.lines());
    let same = both.take_while(|(own, base)| own == base).count();
    let changed: Vec<&str> = draft.text.lines().skip(same).take(3).collect();
    let again = format!("put it aside; {} shows it again", model.key("unsaved-text"));
    let title = format!("Unsaved text was found: {}", draft.id);
    let choices = vec![
        Choice::new("restore", changed.join(" ")),
        Choice::new("discard", again),
        Choice::new("keep", "offer it again at the next start"),
    ];
    model.overlay = Some(Overlay::pick(
        title,
        choices,
        Subject::Draft(Box::new(draft)),
    ));
}

fn decide_draft(model: &mut Model, draft: Draft, row: usize) {
    if row == 0 {
        editor::open_draft(model, draft);
        if model.editor.is_some() {
            model.unsaved = None;
            model.send(Effect::TakeDraft);
        }
        return;
    }
    if let Some((_, is_offered)) = &mut model.unsaved {
        *is_offered = false;
    }
    if row == 1 {
        let hint = format!("{} brings it back", model.key("unsaved-text"));
        model.status.say("unsaved text discarded", Some(&hint));
        model.send(Effect::DiscardDraft);
    }
}
