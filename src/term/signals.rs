//! Signals, as messages of a thread that waits for them.

use std::io;

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// To end, with this exit code.
    End(u8),
    /// To stop, as `Ctrl-z` does.
    Stop,
    /// To go on after a stop.
    Continue,
    /// The terminal has another size.
    Resize,
}

/// Whether another program has the terminal: then the keys that make signals are meant for it.
#[derive(Clone, Debug, Default)]
pub struct Lent(std::sync::Arc<std::sync::atomic::AtomicBool>);

impl Lent {
    /// Says whether another program has the terminal.
    pub fn set(&self, lent: bool) {
        self.0.store(lent, std::sync::atomic::Ordering::SeqCst);
    }

    fn get(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::SeqCst)
    }
}

/// Waits for signals and hands them on; a second one that asks to end does so at once.
#[cfg(unix)]
pub fn start(lent: Lent, mut sink: impl FnMut(Signal) -> bool + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    let mut signals =
        signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH])?;
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            let mut ending = false;
            for number in signals.forever() {
                let away = lent.get();
                let signal = match number {
                    SIGINT if away => continue,
                    SIGINT | SIGTERM | SIGHUP => Signal::End(code(number)),
                    SIGTSTP => Signal::Stop,
                    SIGCONT => Signal::Continue,
                    _ => Signal::Resize,
                };
                match signal {
                    // The loop waits for the other program, or for something that does not end.
                    Signal::End(code) if away || ending => end(code),
                    Signal::End(_) => ending = true,
                    // The other program stops, and the shell waits for both.
                    Signal::Stop if away => {
                        let _ = signal_hook::low_level::emulate_default_handler(SIGTSTP);
                        continue;
                    }
                    Signal::Continue | Signal::Resize if away => continue,
                    _ => {}
                }
                if !sink(signal) {
                    return;
                }
            }
        })?;
    Ok(())
}

/// 128 and the number, as shells report it.
#[cfg(unix)]
fn code(number: i32) -> u8 {
    u8::try_from(128 + number).unwrap_or(u8::MAX)
}

#[cfg(unix)]
fn end(code: u8) -> ! {
    super::modes::restore();
    std::process::exit(i32::from(code))
}

/// Stops the program and everything that was started with it, until it is told to go on. False
/// where there is nobody who could tell it: the terminal runs nothing else.
#[cfg(unix)]
pub fn stop() -> bool {
    use rustix::process::{Signal, getpid, getsid, kill_current_process_group};
    // What wraps the program (a script, `npx`) stops with it, or the shell would not come back.
    let alone = getsid(None).is_ok_and(|leader| leader == getpid());
    !alone && kill_current_process_group(Signal::STOP).is_ok()
}

/// There are no such signals here.
#[cfg(not(unix))]
pub fn start(_lent: Lent, _sink: impl FnMut(Signal) -> bool + Send + 'static) -> io::Result<()> {
    Ok(())
}

/// There is no stopping here.
#[cfg(not(unix))]
pub fn stop() -> bool {
    false
}
