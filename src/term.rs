//! The only code that touches the terminal: entering and leaving it, drawing, reading keys,
//! signals, the clipboard.
//!
//! However the program ends, the terminal is left as it was found: at the end of [`Terminal`],
//! by the panic hook, by a signal, an abort's own included. Nothing waits for a reply of the terminal; only who leaves at once
//! waits a moment, so that the reply does not go to the shell.

pub mod clipboard;
pub mod input;
pub mod signals;

use std::cell::RefCell;
use std::io::{self, IsTerminal as _, Write};
use std::rc::Rc;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// Why the screen cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TermError {
    /// There is no terminal to draw on or to read keys from.
    #[error("{0}")]
    NoTerminal(&'static str),
    #[error("the terminal cannot be used: {0}")]
    Io(#[from] io::Error),
}

/// Draws a frame; returns the place of the cursor.
pub type View<'a> = &'a mut dyn FnMut(Rect, &mut Buffer) -> Option<Position>;

/// The terminal while it is the program's.
pub struct Terminal {
    inner: Screen,
    output: Output,
    sent: Vec<u8>,
    /// True on the console of Linux.
    is_console: bool,
}

type Screen = ratatui::Terminal<CrosstermBackend<Output>>;

/// The bytes that the library writes, before it sets the cursor, for a frame in which no cell
/// changed.
const NO_CELL: &[u8] = b"\x1b[39m\x1b[49m\x1b[59m\x1b[0m";

/// Output that is kept until a frame is whole: half a frame is never sent, and none after the
/// terminal was given back.
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
        install_panic_hook();
        enter()?;
        let output = Output::default();
        let inner = ratatui::Terminal::new(CrosstermBackend::new(output.clone()));
        Ok(Self {
            inner: inner.inspect_err(|_| restore())?,
            output,
            sent: Vec::new(),
            is_console: term == Some("linux"),
        })
    }

    pub fn size(&self) -> (u16, u16) {
        let size = self.inner.size();
        size.map_or((80, 24), |size| (size.width, size.height))
    }

    /// Draws a frame. The closure returns the place of the cursor; it is hidden otherwise.
    pub fn draw(&mut self, view: View<'_>) -> io::Result<()> {
        let is_console = self.is_console;
        let view: View<'_> = &mut |area, buffer| {
            let cursor = view(area, buffer);
            if is_console {
                replace_signs(buffer);
            }
            cursor
        };
        let bytes = frame(&mut self.inner, &self.output, view)?;
        if is_news(&bytes, &self.sent) {
            send(&[FRAME_BEGINS, &bytes, FRAME_ENDS])?;
            self.sent = bytes;
        }
        Ok(())
    }

    pub fn mouse(&self, is_on: bool) -> io::Result<()> {
        MOUSE.store(is_on, Ordering::SeqCst);
        send(&[if is_on { MOUSE_ON } else { MOUSE_OFF }])
    }

    /// Takes the terminal again, whatever was done to it meanwhile; the next frame is drawn
    /// whole.
    pub fn reenter(&mut self) -> io::Result<()> {
        restore();
        enter()?;
        self.sent.clear();
        let size = self.inner.size()?;
        self.inner.resize(Rect::from((Position::ORIGIN, size)))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// The bytes that turn the last frame into this one.
fn frame(screen: &mut Screen, output: &Output, view: View<'_>) -> io::Result<Vec<u8>> {
    screen.draw(|frame| {
        let cursor = view(frame.area(), frame.buffer_mut());
        if let Some(cursor) = cursor {
            frame.set_cursor_position(cursor);
        }
    })?;
    Ok(std::mem::take(&mut *output.0.borrow_mut()))
}

/// True if a frame shows anything that the one sent before it did not: another cell, or the cursor
/// elsewhere.
fn is_news(bytes: &[u8], sent: &[u8]) -> bool {
    !bytes.starts_with(NO_CELL) || !sent.ends_with(bytes)
}

/// True if there is a terminal that can show a screen.
fn check(term: Option<&str>, stdin: bool, stdout: bool) -> Result<(), TermError> {
    let lack = match term {
        _ if !stdin => "standard input is not a terminal",
        _ if !stdout => "standard output is not a terminal",
        Some("dumb") => "a terminal with TERM=dumb cannot show a screen",
        _ => return Ok(()),
    };
    Err(TermError::NoTerminal(lack))
}

/// True if the terminal is the program's.
static OURS: AtomicBool = AtomicBool::new(false);

/// Alternate screen, bracketed paste, mouse buttons and drags (no mere movement: an idle program
/// is not woken), cursor hidden.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?2004h\x1b[?1000h\x1b[?1002h\x1b[?1006h\x1b[?25l\x1b[2J";
/// The same backwards, an unfinished frame closed first.
const LEAVE: &[u8] =
    b"\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?1049l\x1b[?25h";
/// Takes the mouse, and leaves it to the terminal.
const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1002l\x1b[?1000l";
/// True while the mouse is the program's.
static MOUSE: AtomicBool = AtomicBool::new(true);

/// Output between these two appears at once, where the terminal knows how.
const FRAME_BEGINS: &[u8] = b"\x1b[?2026h";
const FRAME_ENDS: &[u8] = b"\x1b[?2026l";

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    OURS.store(true, Ordering::SeqCst);
    let mouse: &[u8] = match MOUSE.load(Ordering::SeqCst) {
        true => b"",
        false => MOUSE_OFF,
    };
    let entered = send(&[ENTER, mouse]);
    #[cfg(windows)]
    let entered = entered
        .and_then(|()| crossterm::execute!(io::stdout(), crossterm::event::EnableMouseCapture));
    if entered.is_err() {
        restore();
    }
    entered
}

/// Gives the terminal back, from any thread, any number of times. Nothing is sent to it
/// afterwards.
pub fn restore() {
    if !OURS.swap(false, Ordering::SeqCst) {
        return;
    }
    #[cfg(windows)]
    let _ = crossterm::execute!(io::stdout(), crossterm::event::DisableMouseCapture);
    // There is nobody to tell where this fails: the terminal is gone.
    let _ = write(&[LEAVE]);
    let _ = disable_raw_mode();
}

/// Writes to the terminal while it is the program's.
pub fn send(parts: &[&[u8]]) -> io::Result<()> {
    if OURS.load(Ordering::SeqCst) {
        write(parts)
    } else {
        Ok(())
    }
}

fn write(parts: &[&[u8]]) -> io::Result<()> {
    let bytes = parts.concat();
    let mut out = io::stdout().lock();
    out.write_all(&bytes)?;
    out.flush()
}

/// Makes a panic give the terminal back before it says anything; once is enough. It ends the
/// program in every thread: an answer somebody waits for would never come.
fn install_panic_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let ours = OURS.load(Ordering::SeqCst);
            restore();
            before(info);
            if ours {
                std::process::exit(101);
            }
        }));
    });
}

/// Signs of the screen that the font of the console of Linux lacks.
const SIGNS: &str = "⊘∅≠✓✗⚠▸▾▏▎▍▋▊▉▂▆☑☐◦▪╌┄┊−…‹›“”⟨⟩";
/// The sign that stands for each of them there.
const STAND_INS: &str = "C0#vx!>v││▌▌██_▄xoo■──│-.<>\"\"<>";

fn replace_signs(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let mut known = SIGNS.chars().zip(STAND_INS.chars());
        let known = known.find(|(sign, _)| cell.symbol().starts_with(*sign));
        if let Some((_, stand_in)) = known {
            cell.set_char(stand_in);
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Color;
    use ratatui::{TerminalOptions, Viewport};

    use super::*;

    #[test]
    fn a_frame_that_changes_nothing_is_not_sent() {
        let output = Output::default();
        let options = TerminalOptions {
            viewport: Viewport::Fixed(Rect::new(0, 0, 8, 2)),
        };
        let backend = CrosstermBackend::new(output.clone());
        let mut screen = Screen::with_options(backend, options).unwrap();
        let mut sent = Vec::new();
        let frames = [
            ("ab", Color::Red, Some(1), true),
            ("ab", Color::Red, Some(1), false),
            ("ab", Color::Red, Some(2), true),
            ("ab", Color::Red, Some(2), false),
            ("ab", Color::Blue, Some(2), true),
            ("b", Color::Blue, Some(2), true),
            ("b", Color::Blue, None, true),
            ("b", Color::Blue, None, false),
        ];
        for (n, (text, color, cursor, news)) in frames.into_iter().enumerate() {
            let bytes = frame(&mut screen, &output, &mut |area, buffer| {
                buffer.set_string(area.x, area.y, text, color);
                cursor.map(|column| Position::new(column, 0))
            });
            let bytes = bytes.unwrap();
            assert_eq!(is_news(&bytes, &sent), news, "frame {n}");
            sent = bytes;
        }
    }

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

    #[test]
    fn signs_become_those_of_the_console_and_all_else_stays() {
        let mut buffer = Buffer::with_lines(["▌⊘ é “a” 漢 ─│ ≡…"]);
        replace_signs(&mut buffer);
        assert_eq!(buffer, Buffer::with_lines(["▌C é \"a\" 漢 ─│ ≡."]));
    }
}
