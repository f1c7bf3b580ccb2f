//! Actions and keys of the text editor.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui_textarea::TextArea;

use super::{Mode, Outcome, TextEditor, limits};
use crate::app::key::Key;
use crate::app::scope::Action;

impl TextEditor {
    /// Does an action.
    pub fn act(&mut self, action: Action) -> Outcome {
        self.notice = None;
        match (&self.mode, action) {
            (Mode::Discard, Action::Yes) => Outcome::Leave,
            (Mode::Discard, Action::No) => {
                self.mode = Mode::Text;
                Outcome::Redraw
            }
            (Mode::Discard, _) => Outcome::Nothing,
            (Mode::Text, _) => self.text_action(action),
        }
    }

    /// Takes a key that no command has.
    pub fn typed(&mut self, key: Key) -> Outcome {
        self.notice = None;
        match &self.mode {
            Mode::Discard => Outcome::Nothing,
            Mode::Text => self.text_key(key),
        }
    }

    fn text_action(&mut self, action: Action) -> Outcome {
        match action {
            Action::Leave if self.area.is_selecting() => self.area.cancel_selection(),
            Action::Leave if self.dirty() => self.mode = Mode::Discard,
            Action::Leave => return Outcome::Leave,
            Action::Save => return Outcome::Save,
            Action::Undo => return self.edit(|area| area.undo()),
            Action::Redo => return self.edit(|area| area.redo()),
            Action::Cut => return self.edit(|area| area.cut()),
            Action::Paste => return self.edit(|area| area.paste()),
            Action::DeleteWord => return self.edit(|area| area.delete_word()),
            Action::DeleteToEnd => return self.edit(|area| area.delete_line_by_end()),
            _ => return Outcome::Nothing,
        }
        Outcome::Redraw
    }

    /// Takes a key as the text area knows it, Ctrl and Alt being one on keys that move or delete.
    fn text_key(&mut self, key: Key) -> Outcome {
        let ctrl = key.mods.contains(KeyModifiers::CONTROL);
        let alt = key.mods.contains(KeyModifiers::ALT);
        let far = ctrl || alt;
        let shift = key.mods & KeyModifiers::SHIFT;
        let (code, mods) = match key.code {
            KeyCode::Up if !far => return self.up_down(-1, key),
            KeyCode::Down if !far => return self.up_down(1, key),
            KeyCode::PageUp => return self.up_down(-self.page(), key),
            KeyCode::PageDown => return self.up_down(self.page(), key),
            // Terminals of Windows report AltGr as Ctrl+Alt.
            KeyCode::Char(c) if ctrl == alt => {
                if let Err(refusal) = limits::check_size(self.counts.bytes + c.len_utf8()) {
                    self.notice = Some(refusal.why);
                    return Outcome::Redraw;
                }
                (key.code, KeyModifiers::NONE)
            }
            // A terminal without bracketed paste sends these for a line end.
            KeyCode::Char('j' | 'm') if ctrl => (KeyCode::Enter, KeyModifiers::NONE),
            KeyCode::Backspace | KeyCode::Delete if far => (key.code, KeyModifiers::ALT),
            KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down if far => {
                (key.code, KeyModifiers::CONTROL | shift)
            }
            KeyCode::Home if far => (KeyCode::Char('<'), KeyModifiers::ALT | shift),
            KeyCode::End if far => (KeyCode::Char('>'), KeyModifiers::ALT | shift),
            code => (code, key.mods),
        };
        let before = self.cursor();
        if self.area.input(KeyEvent::new(code, mods)) {
            self.changed();
            return Outcome::Changed;
        }
        self.settle(self.cursor() > before);
        self.goal = None;
        self.follow();
        Outcome::Redraw
    }

    fn edit(&mut self, change: impl FnOnce(&mut TextArea<'static>) -> bool) -> Outcome {
        // The selection is deleted even if nothing replaces it.
        let selecting = self.area.is_selecting();
        if !change(&mut self.area) && !selecting {
            return Outcome::Redraw;
        }
        self.changed();
        Outcome::Changed
    }

    /// Moves by lines on the screen. Shift extends the selection, any other motion ends it.
    fn up_down(&mut self, by: isize, key: Key) -> Outcome {
        if !key.mods.contains(KeyModifiers::SHIFT) {
            self.area.cancel_selection();
        } else if !self.area.is_selecting() {
            self.area.start_selection();
        }
        self.vertical(by);
        self.follow();
        Outcome::Redraw
    }
}
