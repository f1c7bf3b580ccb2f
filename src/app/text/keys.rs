//! Commands and keys of the text editor.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui_textarea::TextArea;

use super::{Mode, Outcome, TextEditor, check_size};
use crate::app::key::Key;

impl TextEditor {
    /// Does a command.
    pub fn act(&mut self, run: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        self.notice = None;
        run(self)
    }

    /// Goes on editing where leaving was asked about.
    pub(crate) fn keep_editing(&mut self) -> Outcome {
        self.mode = Mode::Text;
        Outcome::Redraw
    }

    /// Leaves the selection, else the text; asks first where it has changes.
    pub(crate) fn leave(&mut self) -> Outcome {
        if self.area.is_selecting() {
            self.area.cancel_selection();
        } else if self.dirty() {
            self.mode = Mode::Discard;
        } else {
            return Outcome::Leave;
        }
        Outcome::Redraw
    }

    /// Takes a key that no command has.
    pub fn typed(&mut self, key: Key) -> Outcome {
        self.notice = None;
        match &self.mode {
            Mode::Discard => Outcome::Nothing,
            Mode::Text => self.text_key(key),
        }
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
                if let Err(refusal) = check_size(self.counts.bytes + c.len_utf8()) {
                    self.notice = Some(refusal);
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

    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut TextArea<'static>) -> bool) -> Outcome {
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
