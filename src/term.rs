//! The only code that touches the terminal: entering and leaving it, drawing, reading keys,
//! signals, the clipboard.
//!
//! However the program ends, the terminal is left as it was found: at the end of [`Terminal`],
//! by the panic hook, by a signal. Nothing waits for a reply of the terminal; only who leaves at once
//! waits a moment, so that the reply does not go to the shell.

pub mod background;
pub mod clipboard;
pub mod input;
mod modes;
pub mod signals;

use std::cell::RefCell;
use std::io::{self, IsTerminal as _, Write};
use std::rc::Rc;

use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// Why the screen cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TermError {
    /// There is no terminal to draw on or to read keys from.
    #[error("{0}")]
    NoTerminal(&'static str),
    /// The terminal said no.
    #[error("the terminal cannot be used: {0}")]
    Io(#[from] io::Error),
}

/// The terminal while it is the program's.
pub struct Terminal {
    inner: ratatui::Terminal<CrosstermBackend<Output>>,
    output: Output,
}

/// What is to be written, kept until a frame is whole: half a frame is never sent, and none after
/// the terminal was given back.
#[derive(Clone, Default)]
struct Output(Rc<RefCell<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Terminal {
    /// Takes the terminal over. `term` is the value of `TERM`.
    pub fn enter(term: Option<&str>) -> Result<Self, TermError> {
        check(term, io::stdin().is_terminal(), io::stdout().is_terminal())?;
        // A theme decides about colours; the library would leave them out on its own.
        crossterm::style::force_color_output(true);
        modes::install_panic_hook();
        modes::enter()?;
        let output = Output::default();
        let inner = ratatui::Terminal::new(CrosstermBackend::new(output.clone()));
        match inner {
            Ok(inner) => Ok(Self { inner, output }),
            Err(error) => {
                modes::restore();
                Err(error.into())
            }
        }
    }

    /// Columns and rows.
    pub fn size(&self) -> (u16, u16) {
        self.inner
            .size()
            .map_or((80, 24), |size| (size.width, size.height))
    }

    /// Draws a frame. What the closure returns is where the cursor stands; it is hidden
    /// otherwise.
    pub fn draw(
        &mut self,
        view: impl FnOnce(Rect, &mut Buffer) -> Option<Position>,
    ) -> io::Result<()> {
        self.inner.draw(|frame| {
            let cursor = view(frame.area(), frame.buffer_mut());
            if let Some(cursor) = cursor {
                frame.set_cursor_position(cursor);
            }
        })?;
        let bytes = std::mem::take(&mut *self.output.0.borrow_mut());
        modes::send(&[modes::FRAME_BEGINS, &bytes, modes::FRAME_ENDS])
    }

    /// Sends a sequence that draws nothing.
    pub fn send(&self, sequence: &str) -> io::Result<()> {
        modes::send(&[sequence.as_bytes()])
    }

    /// Gives the terminal back for a while.
    pub fn leave(&mut self) {
        modes::restore();
    }

    /// Takes the terminal again, whatever was done to it meanwhile; the next frame is drawn
    /// whole.
    pub fn reenter(&mut self) -> io::Result<()> {
        modes::restore();
        modes::enter()?;
        let size = self.inner.size()?;
        self.inner.resize(Rect::from((Position::ORIGIN, size)))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        modes::restore();
    }
}

/// Whether there is a terminal that can show a screen.
fn check(term: Option<&str>, stdin: bool, stdout: bool) -> Result<(), TermError> {
    let lack = match term {
        _ if !stdin => "standard input is not a terminal",
        _ if !stdout => "standard output is not a terminal",
        Some("dumb") => "a terminal with TERM=dumb cannot show a screen",
        _ => return Ok(()),
    };
    Err(TermError::NoTerminal(lack))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_needs_a_terminal_at_both_ends() {
        assert!(check(Some("xterm"), true, true).is_ok());
        assert!(check(None, true, true).is_ok());
        for (term, stdin, stdout) in [
            (Some("dumb"), true, true),
            (Some("xterm"), false, true),
            (Some("xterm"), true, false),
        ] {
            assert!(check(term, stdin, stdout).is_err());
        }
    }
}
