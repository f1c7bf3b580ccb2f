//! Keys of the text editor.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui_textarea::CursorMove;

use super::{Editor, Mode, Outcome, limits};
use crate::app::form::{Input, Typed};

impl Editor {
    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Outcome {
        if key.kind == KeyEventKind::Release {
            return Outcome::Nothing;
        }
        let had_notice = self.notice.take().is_some();
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let outcome = match &self.mode {
            Mode::Discard => self.discard_key(key),
            _ if ctrl && key.code == KeyCode::Char('s') => {
                self.mode = Mode::Text;
                Outcome::Save
            }
            Mode::Search(_) => self.search_key(key),
            Mode::Text => self.text_key(key),
        };
        match outcome {
            Outcome::Nothing if had_notice => Outcome::Redraw,
            outcome => outcome,
        }
    }

    fn discard_key(&mut self, key: KeyEvent) -> Outcome {
        match key.code {
            KeyCode::Char('y' | 'Y') => return Outcome::Leave,
            KeyCode::Char('n' | 'N') | KeyCode::Esc | KeyCode::Enter => {}
            _ => return Outcome::Nothing,
        }
        self.mode = Mode::Text;
        Outcome::Redraw
    }

    fn search_key(&mut self, key: KeyEvent) -> Outcome {
        let again = key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('f');
        match key.code {
            KeyCode::Esc => self.mode = Mode::Text,
            KeyCode::Enter | KeyCode::Down => self.find(true, false),
            KeyCode::Up => self.find(false, false),
            _ if again => self.find(true, false),
            _ => {
                let Mode::Search(search) = &mut self.mode else {
                    return Outcome::Nothing;
                };
                match search.key(key) {
                    Typed::Not => return Outcome::Nothing,
                    Typed::Moved => {}
                    Typed::Changed => self.find_from_here(),
                }
            }
        }
        Outcome::Redraw
    }

    fn text_key(&mut self, key: KeyEvent) -> Outcome {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let far = ctrl || alt;
        match key.code {
            KeyCode::Esc if self.area.is_selecting() => {
                self.area.cancel_selection();
                Outcome::Redraw
            }
            KeyCode::Esc if self.dirty() => {
                self.mode = Mode::Discard;
                Outcome::Redraw
            }
            KeyCode::Esc => Outcome::Leave,
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

    fn ctrl(&mut self, c: char, key: KeyEvent) -> Outcome {
        match c {
            'u' => self.edit(|area| area.undo()),
            'r' => self.edit(|area| area.redo()),
            'f' => {
                self.area.cancel_selection();
                self.mode = Mode::Search(Input::default());
                Outcome::Redraw
            }
            'a' => self.go(CursorMove::Head, key),
            'e' => self.go(CursorMove::End, key),
            // What a terminal without bracketed paste sends for a line end.
            'j' | 'm' => self.edit(|area| {
                area.insert_newline();
                true
            }),
            'h' => self.edit(|area| area.delete_char()),
            'd' => self.edit(|area| area.delete_next_char()),
            'w' => self.edit(|area| area.delete_word()),
            'k' => self.edit(|area| area.delete_line_by_end()),
            'x' => self.edit(|area| area.cut()),
            'y' => self.edit(|area| area.paste()),
            _ => Outcome::Nothing,
        }
    }

    fn motion_key(&mut self, key: KeyEvent, far: bool) -> Outcome {
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
        // What is selected goes away even where nothing comes in its place.
        let selecting = self.area.is_selecting();
        if !change(&mut self.area) && !selecting {
            return Outcome::Redraw;
        }
        self.changed();
        Outcome::Changed
    }

    /// Shift extends the selection, any other motion ends it.
    fn select(&mut self, key: KeyEvent) {
        if !key.modifiers.contains(KeyModifiers::SHIFT) {
            self.area.cancel_selection();
        } else if !self.area.is_selecting() {
            self.area.start_selection();
        }
    }

    fn go(&mut self, to: CursorMove, key: KeyEvent) -> Outcome {
        self.select(key);
        let before = self.cursor();
        self.area.move_cursor(to);
        let forward = self.cursor() > before;
        self.settle(forward);
        self.goal = None;
        self.follow();
        Outcome::Redraw
    }

    fn up_down(&mut self, by: isize, key: KeyEvent) -> Outcome {
        self.select(key);
        self.vertical(by);
        self.follow();
        Outcome::Redraw
    }
}
