//! The modes of the terminal, set and taken back as one.

use std::io::{self, Write as _};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// True if the terminal is the program's.
static OURS: AtomicBool = AtomicBool::new(false);

/// Alternate screen, bracketed paste, mouse buttons and drags (no mere movement: an idle program
/// is not woken), cursor hidden.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?2004h\x1b[?1000h\x1b[?1002h\x1b[?1006h\x1b[?25l\x1b[2J";
/// The same backwards, an unfinished frame closed first.
const LEAVE: &[u8] =
    b"\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?1049l\x1b[?25h";
/// Output between these two appears at once, where the terminal knows how.
pub(super) const FRAME_BEGINS: &[u8] = b"\x1b[?2026h";
pub(super) const FRAME_ENDS: &[u8] = b"\x1b[?2026l";

/// Takes the terminal over.
pub(super) fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    OURS.store(true, Ordering::SeqCst);
    let entered = send(&[ENTER]);
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
pub(super) fn restore() {
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
pub(super) fn send(parts: &[&[u8]]) -> io::Result<()> {
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
pub(crate) fn install_panic_hook() {
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
