//! Actions and keys of the text editor.

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui_textarea::CursorMove;

use super::{Editor, Mode, Outcome, limits};
use crate::app::key::Key;
use crate::app::line::{Line, Typed};
use crate::app::scope::Action;

/// A notice that goes away is drawn too.
fn redrawn(outcome: Outcome, had_notice: bool) -> Outcome {
    match outcome {
        Outcome::Nothing if had_notice => Outcome::Redraw,
        outcome => outcome,
    }
}

impl Editor {
    /// Does an action.
    pub fn act(&mut self, action: Action) -> Outcome {
        let had_notice = self.notice.take().is_some();
        let outcome = match (&self.mode, action) {
            (Mode::Discard, Action::Yes) => return Outcome::Leave,
            (Mode::Discard, Action::No) | (Mode::Search(_), Action::Leave) => self.back_to_text(),
            (Mode::Discard, _) => Outcome::Nothing,
            (_, Action::Save) => {
                self.mode = Mode::Text;
                Outcome::Save
            }
            (Mode::Search(_), Action::FindNext | Action::FindPrevious) => {
                self.find(action == Action::FindNext, false);
                Outcome::Redraw
            }
            (Mode::Search(_), _) => Outcome::Nothing,
            (Mode::Text, _) => self.text_action(action),
        };
        redrawn(outcome, had_notice)
    }

    /// Takes a key that no command has.
    pub fn typed(&mut self, key: Key) -> Outcome {
        let had_notice = self.notice.take().is_some();
        let outcome = match &mut self.mode {
            Mode::Discard => Outcome::Nothing,
            Mode::Search(search) => match search.key(key) {
                Typed::Not => Outcome::Nothing,
                Typed::Moved => Outcome::Redraw,
                Typed::Changed => {
                    self.find_from_here();
                    Outcome::Redraw
                }
            },
            Mode::Text => self.text_key(key),
        };
        redrawn(outcome, had_notice)
    }

    fn back_to_text(&mut self) -> Outcome {
        self.mode = Mode::Text;
        Outcome::Redraw
    }

    fn text_action(&mut self, action: Action) -> Outcome {
        match action {
            Action::Leave if self.area.is_selecting() => self.area.cancel_selection(),
            Action::Leave if self.dirty() => self.mode = Mode::Discard,
            Action::Leave => return Outcome::Leave,
            Action::Undo => return self.edit(|area| area.undo()),
            Action::Redo => return self.edit(|area| area.redo()),
            Action::Find => {
                self.area.cancel_selection();
                self.mode = Mode::Search(Line::default());
            }
            Action::Cut => return self.edit(|area| area.cut()),
            Action::Paste => return self.edit(|area| area.paste()),
            Action::DeleteWord => return self.edit(|area| area.delete_word()),
            Action::DeleteToEnd => return self.edit(|area| area.delete_line_by_end()),
            _ => return Outcome::Nothing,
        }
        Outcome::Redraw
    }

    fn text_key(&mut self, key: Key) -> Outcome {
        let ctrl = key.mods.contains(KeyModifiers::CONTROL);
        let alt = key.mods.contains(KeyModifiers::ALT);
        let far = ctrl || alt;
        match key.code {
            // Terminals of Windows report AltGr as Ctrl+Alt.
            KeyCode::Char(c) if ctrl == alt => self.type_char(c),
            KeyCode::Enter => self.edit(|area| {
                area.insert_newline();
                true
            }),
            KeyCode::Tab => self.edit(|area| area.insert_tab()),
            KeyCode::Backspace if far => self.edit(|area| area.delete_word()),
            KeyCode::Delete if far => self.edit(|area| area.delete_next_word()),
            KeyCode::Backspace => self.edit(|area| area.delete_char()),
            KeyCode::Delete => self.edit(|area| area.delete_next_char()),
            KeyCode::Char(c) if ctrl => self.ctrl(c, key),
            KeyCode::Char('b') => self.go(CursorMove::WordBack, key),
            KeyCode::Char('f') => self.go(CursorMove::WordForward, key),
            KeyCode::Char('d') => self.edit(|area| area.delete_next_word()),
            _ => self.motion_key(key, far),
        }
    }

    fn ctrl(&mut self, c: char, key: Key) -> Outcome {
        match c {
            'a' => self.go(CursorMove::Head, key),
            'e' => self.go(CursorMove::End, key),
            // A terminal without bracketed paste sends these for a line end.
            'j' | 'm' => self.edit(|area| {
                area.insert_newline();
                true
            }),
            'h' => self.edit(|area| area.delete_char()),
            'd' => self.edit(|area| area.delete_next_char()),
            _ => Outcome::Nothing,
        }
    }

    fn motion_key(&mut self, key: Key, far: bool) -> Outcome {
        match key.code {
            KeyCode::Left if far => self.go(CursorMove::WordBack, key),
            KeyCode::Right if far => self.go(CursorMove::WordForward, key),
            KeyCode::Left => self.go(CursorMove::Back, key),
            KeyCode::Right => self.go(CursorMove::Forward, key),
            KeyCode::Up if far => self.go(CursorMove::ParagraphBack, key),
            KeyCode::Down if far => self.go(CursorMove::ParagraphForward, key),
            KeyCode::Home if far => self.go(CursorMove::Top, key),
            KeyCode::End if far => self.go(CursorMove::Bottom, key),
            KeyCode::Home => self.go(CursorMove::Head, key),
            KeyCode::End => self.go(CursorMove::End, key),
            KeyCode::Up => self.up_down(-1, key),
            KeyCode::Down => self.up_down(1, key),
            KeyCode::PageUp => self.up_down(-self.page(), key),
            KeyCode::PageDown => self.up_down(self.page(), key),
            _ => Outcome::Nothing,
        }
    }

    fn type_char(&mut self, c: char) -> Outcome {
        if let Err(refusal) = limits::check_size(self.counts.bytes + c.len_utf8()) {
            self.notice = Some(refusal.why);
            return Outcome::Redraw;
        }
        self.edit(|area| {
            area.insert_char(c);
            true
        })
    }

    fn edit(
        &mut self,
        change: impl FnOnce(&mut ratatui_textarea::TextArea<'static>) -> bool,
    ) -> Outcome {
        // The selection is deleted even if nothing replaces it.
        let selecting = self.area.is_selecting();
        if !change(&mut self.area) && !selecting {
            return Outcome::Redraw;
        }
        self.changed();
        Outcome::Changed
    }

    /// Shift extends the selection, any other motion ends it.
    fn select(&mut self, key: Key) {
        if !key.mods.contains(KeyModifiers::SHIFT) {
            self.area.cancel_selection();
        } else if !self.area.is_selecting() {
            self.area.start_selection();
        }
    }

    fn go(&mut self, to: CursorMove, key: Key) -> Outcome {
        self.select(key);
        let before = self.cursor();
        self.area.move_cursor(to);
        let forward = self.cursor() > before;
        self.settle(forward);
        self.goal = None;
        self.follow();
        Outcome::Redraw
    }

    fn up_down(&mut self, by: isize, key: Key) -> Outcome {
        self.select(key);
        self.vertical(by);
        self.follow();
        Outcome::Redraw
    }
}
