//! The terminal as the loop uses it.

use std::io;
use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{Options, editor};
use crate::app::msg::Failure;
use crate::term::Terminal;
use crate::term::clipboard::{self, Copied};
use crate::term::input::Input;
use crate::term::signals::Signals;

/// Draws a frame; returns the place of the cursor.
pub type View<'a> = &'a mut dyn FnMut(Rect, &mut Buffer) -> Option<Position>;

/// The terminal's operations that the loop needs.
pub trait Stage {
    /// Draws a frame.
    fn draw(&mut self, view: View<'_>) -> io::Result<()>;
    /// Columns and rows.
    fn size(&self) -> (u16, u16);
    /// Stops the program until it is told to go on; false where nobody could tell it.
    fn suspend(&mut self) -> bool;
    /// Takes the terminal again.
    fn reenter(&mut self) -> io::Result<()>;
    /// Gives the terminal to an editor until it ends.
    fn edit(&mut self, path: &Path, line: u32) -> Result<(), Failure>;
    /// Gives the terminal to other programs while something is done.
    fn lend(&mut self, act: &mut dyn FnMut());
    /// Puts a text on the clipboard.
    fn copy(&mut self, text: &str) -> Copied;
    /// Takes the mouse, or leaves it to the terminal.
    fn mouse(&mut self, _is_on: bool) {}
    /// Gives the terminal back for good.
    fn end(&mut self);
}

/// The terminal with its reader and its signals.
pub(super) struct Real {
    pub terminal: Terminal,
    pub input: Input,
    pub signals: Signals,
    pub options: Options,
}

impl Stage for Real {
    fn draw(&mut self, view: View<'_>) -> io::Result<()> {
        self.terminal.draw(view)
    }

    fn size(&self) -> (u16, u16) {
        self.terminal.size()
    }

    fn suspend(&mut self) -> bool {
        let signals = self.signals.clone();
        self.away(|| signals.stop())
    }

    fn reenter(&mut self) -> io::Result<()> {
        self.terminal.reenter()
    }

    fn edit(&mut self, path: &Path, line: u32) -> Result<(), Failure> {
        let editor = self.options.editor.clone();
        let mut done = Ok(());
        self.lend(&mut || done = editor::run(editor.as_deref(), path, line));
        done
    }

    fn lend(&mut self, act: &mut dyn FnMut()) {
        let signals = self.signals.clone();
        self.away(|| {
            signals.lend(true);
            act();
            signals.lend(false);
        });
    }

    fn copy(&mut self, text: &str) -> Copied {
        let copied = clipboard::copy(text, &self.options.clipboard);
        if let Copied::Sequence(sequence) = &copied {
            // If the terminal is gone the next frame finds out.
            let _ = self.terminal.send(sequence);
        }
        copied
    }

    fn mouse(&mut self, is_on: bool) {
        // If the terminal is gone the next frame finds out.
        let _ = self.terminal.mouse(is_on);
    }

    fn end(&mut self) {
        // Keys typed from now on are for the shell.
        self.input.park();
        self.terminal.leave();
    }
}

impl Real {
    /// Does something while the terminal is not the program's.
    fn away<T>(&mut self, act: impl FnOnce() -> T) -> T {
        self.input.park();
        self.terminal.leave();
        let out = act();
        // A failure means that the terminal is gone; the next frame or the reader notices it.
        let _ = self.terminal.reenter();
        self.input.resume();
        out
    }
}
