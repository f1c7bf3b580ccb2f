//! Signals, as messages of a thread that waits for them.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[cfg(unix)]
use signal_hook::consts::{SIGABRT, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// To end, with this exit code.
    End(u8),
    /// To stop, as `Ctrl-z` does.
    Stop,
    /// To go on after a stop.
    Continue,
    Resize,
}

/// The state that the waiting thread and the loop share.
#[derive(Debug, Default)]
struct State {
    /// Another program has the terminal: the keys that make signals are meant for it.
    lent: bool,
    /// When it had the terminal last.
    returned: Option<Instant>,
    /// How often the program was told to go on.
    continued: u64,
}

/// Signals of keys typed in the other program may arrive this long after it ended. At this
/// program's own screen no key makes a signal.
const LATE: Duration = Duration::from_millis(500);

#[derive(Clone, Debug, Default)]
pub struct Signals(Arc<(Mutex<State>, Condvar)>);

impl Signals {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn lend(&self, lent: bool) {
        let mut state = self.state();
        state.lent = lent;
        state.returned = Some(Instant::now());
    }

    /// Waits for signals and hands them on; a second one that asks to end does so at once.
    #[cfg(unix)]
    pub fn start(mut sink: impl FnMut(Signal) -> bool + Send + 'static) -> io::Result<Self> {
        let mut signals = signal_hook::iterator::Signals::new([
            SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH, SIGABRT,
        ])?;
        let barrier = barrier(SIGABRT)?;
        let this = Self::default();
        let own = this.clone();
        let thread = std::thread::Builder::new().name("signals".to_owned());
        thread.spawn(move || {
            let (mut ending, _barrier) = (false, barrier);
            for number in signals.forever() {
                if let Some(signal) = own.meant(number, &mut ending)
                    && !sink(signal)
                {
                    return;
                }
            }
        })?;
        Ok(this)
    }

    /// The request of a signal to this program.
    #[cfg(unix)]
    fn meant(&self, number: i32, ending: &mut bool) -> Option<Signal> {
        let mut state = self.state();
        let late = state.returned.is_some_and(|at| at.elapsed() < LATE);
        match number {
            SIGINT | SIGQUIT if state.lent || late => None,
            SIGQUIT | SIGABRT => {
                // At once, with a core where there is to be one: nothing of the loop is waited for.
                super::restore();
                let _ = signal_hook::low_level::emulate_default_handler(number);
                None
            }
            SIGINT | SIGTERM | SIGHUP => {
                // The loop waits for the other program, or for something that does not end.
                if state.lent || std::mem::replace(ending, true) {
                    end(code(number));
                }
                Some(Signal::End(code(number)))
            }
            SIGTSTP if state.lent => {
                // The other program stops, and the shell waits for both.
                drop(state);
                let _ = signal_hook::low_level::emulate_default_handler(SIGTSTP);
                None
            }
            SIGTSTP => Some(Signal::Stop),
            SIGCONT => {
                state.continued += 1;
                self.0.1.notify_all();
                (!state.lent).then_some(Signal::Continue)
            }
            _ => (!state.lent).then_some(Signal::Resize),
        }
    }

    /// Stops the program and everything that was started with it, until it is told to go on.
    /// False where there is nobody who could tell it: the terminal runs nothing else.
    #[cfg(unix)]
    pub fn stop(&self) -> bool {
        use rustix::process::{Signal, getpid, getsid, kill_current_process_group};
        let before = self.state().continued;
        // Programs that wrap this one (a script, `npx`) stop with it, or the shell would not come
        // back.
        let alone = getsid(None).is_ok_and(|leader| leader == getpid());
        if alone || kill_current_process_group(Signal::STOP).is_err() {
            return false;
        }
        // Another thread may be the first to stop; nothing goes on before all do.
        let mut state = self.state();
        while state.continued == before {
            state = self.0.1.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        true
    }

    /// There are no such signals here.
    #[cfg(not(unix))]
    pub fn start(_sink: impl FnMut(Signal) -> bool + Send + 'static) -> io::Result<Self> {
        Ok(Self::default())
    }

    /// There is no stopping here.
    #[cfg(not(unix))]
    pub fn stop(&self) -> bool {
        false
    }
}

/// Makes a signal's handler wait while the result lives: the program ends as soon as the handler of
/// an abort returns, be it a stack overflow or a lack of memory. The handler writes to a pipe that is
/// full. It has to wake the thread that waits for signals before, so the signal is registered there
/// first.
#[cfg(unix)]
fn barrier(signal: i32) -> io::Result<io::PipeReader> {
    use std::io::Write as _;

    use rustix::fs::{OFlags, fcntl_setfl};
    let (reader, writer) = io::pipe()?;
    let mut full = writer.try_clone()?;
    // Registering makes the pipe one that never waits.
    signal_hook::low_level::pipe::register(signal, writer)?;
    while full.write(&[0; 4096]).is_ok() {}
    while full.write(&[0]).is_ok() {}
    fcntl_setfl(&full, OFlags::empty())?;
    Ok(reader)
}

/// 128 and the number, as shells report it.
#[cfg(unix)]
fn code(number: i32) -> u8 {
    u8::try_from(128 + number).unwrap_or(u8::MAX)
}

#[cfg(unix)]
fn end(code: u8) -> ! {
    super::restore();
    std::process::exit(i32::from(code))
}
