//! A pseudo terminal with a screen that can be waited for. Nothing here sleeps to synchronise.

use std::ffi::OsStr;
use std::io::{Read as _, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Long enough for a slow machine; nothing waits so long where all is well.
const DEADLINE: Duration = Duration::from_secs(30);

/// Given as the exit code of a program that a signal ended.
pub const BY_SIGNAL: u32 = 1000;

/// What the program wrote: the screen it makes, and the bytes.
struct Seen {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    ended: bool,
}

/// A program in a pseudo terminal.
pub struct Pty {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    seen: Arc<(Mutex<Seen>, Condvar)>,
    /// The settings of the terminal before the program had it.
    before: String,
}

/// A program to be started, with an environment of its own.
pub fn command(program: impl AsRef<OsStr>, home: &Path) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    command.env_clear();
    for name in ["PATH", "LLVM_PROFILE_FILE"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("TERM", "xterm-256color");
    command.env("HOME", home);
    command.env("XDG_STATE_HOME", home.join("state"));
    command.env("LC_ALL", "C.UTF-8");
    command.cwd(home);
    command
}

impl Pty {
    /// Starts a program on a screen of 80 by 24.
    pub fn start(command: CommandBuilder) -> Self {
        Self::sized(command, 80, 24)
    }

    /// Starts a program on a screen of a size.
    pub fn sized(command: CommandBuilder, columns: u16, rows: u16) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let before = format!("{:?}", pair.master.get_termios());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let seen = Seen {
            parser: vt100::Parser::new(cells(rows), cells(columns), 1000),
            bytes: Vec::new(),
            ended: false,
        };
        let seen = Arc::new((Mutex::new(seen), Condvar::new()));
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                let read = reader.read(&mut bytes).unwrap_or(0);
                let mut seen = shared.0.lock().unwrap();
                seen.parser.process(&bytes[..read]);
                seen.bytes.extend_from_slice(&bytes[..read]);
                seen.ended |= read == 0;
                shared.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        Self {
            master: pair.master,
            child,
            keys,
            seen,
            before,
        }
    }

    /// Types.
    pub fn keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Gives the terminal another size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        let mut seen = self.seen.0.lock().unwrap();
        seen.parser
            .screen_mut()
            .set_size(cells(rows), cells(columns));
        drop(seen);
        self.master.resize(size(columns, rows)).unwrap();
    }

    /// Waits until something is so on the screen.
    pub fn wait(&self, what: &str, so: impl Fn(&vt100::Screen) -> bool) {
        self.until(what, |seen| so(seen.parser.screen()));
    }

    /// Looks at the screen.
    pub fn seen<T>(&self, look: impl Fn(&vt100::Screen) -> T) -> T {
        look(self.seen.0.lock().unwrap().parser.screen())
    }

    /// Waits until a text is on the screen.
    pub fn text(&self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    /// Waits until something is so on the screen; false once nothing was written for so long.
    pub fn settles(&self, silence: Duration, so: impl Fn(&vt100::Screen) -> bool) -> bool {
        let mut seen = self.seen.0.lock().unwrap();
        loop {
            if so(seen.parser.screen()) {
                return true;
            }
            let (next, waited) = self.seen.1.wait_timeout(seen, silence).unwrap();
            seen = next;
            if waited.timed_out() {
                return so(seen.parser.screen());
            }
        }
    }

    /// Waits until bytes were written since a [`Pty::mark`].
    pub fn bytes(&self, since: usize, bytes: &[u8]) {
        let what = String::from_utf8_lossy(bytes).escape_debug().to_string();
        self.until(&what, |seen| {
            seen.bytes[since..].windows(bytes.len()).any(|w| w == bytes)
        });
    }

    /// Where the bytes written from now on begin.
    pub fn mark(&self) -> usize {
        self.seen.0.lock().unwrap().bytes.len()
    }

    fn until(&self, what: &str, so: impl Fn(&Seen) -> bool) {
        let began = Instant::now();
        let mut seen = self.seen.0.lock().unwrap();
        loop {
            if so(&seen) {
                return;
            }
            let left = DEADLINE.saturating_sub(began.elapsed());
            assert!(
                !left.is_zero() && !seen.ended,
                "waited in vain for {what}; the screen:\n{}",
                seen.parser.screen().contents()
            );
            seen = self.seen.1.wait_timeout(seen, left).unwrap().0;
        }
    }

    /// The process.
    pub fn id(&self) -> rustix::process::Pid {
        let id = self.child.process_id().unwrap();
        rustix::process::Pid::from_raw(id.try_into().unwrap()).unwrap()
    }

    /// Sends a signal to the program.
    pub fn signal(&self, signal: rustix::process::Signal) {
        rustix::process::kill_process(self.id(), signal).unwrap();
    }

    /// Types what ends the program, and checks that it ends well.
    pub fn quit(mut self, keys: &str) {
        self.keys(keys);
        assert_eq!(self.end().0, 0);
    }

    /// Waits until the program ended, checks that the terminal is as it was, and gives the exit
    /// code and everything it wrote.
    pub fn end(mut self) -> (u32, String) {
        let status = self.child.wait().unwrap();
        let code = status.signal().map_or(status.exit_code(), |_| BY_SIGNAL);
        let after = format!("{:?}", self.master.get_termios());
        let began = Instant::now();
        let mut seen = self.seen.0.lock().unwrap();
        while !seen.ended && began.elapsed() < DEADLINE {
            seen = self.seen.1.wait_timeout(seen, DEADLINE).unwrap().0;
        }
        assert!(
            given_back(seen.parser.screen()),
            "the modes of the terminal"
        );
        assert_eq!(after, self.before, "the settings of the terminal");
        (code, String::from_utf8_lossy(&seen.bytes).into_owned())
    }

    /// Ends the program as nothing should be ended.
    pub fn kill(mut self) {
        self.signal(rustix::process::Signal::KILL);
        self.child.wait().unwrap();
    }
}

/// Checks that a program ends by the usual signals, with their exit codes.
pub fn ends_by_signals(start: impl Fn(&Path) -> Pty) {
    use rustix::process::Signal;
    // A core is wanted nowhere; who waits sees that the signal ended the program.
    for (signal, code) in [
        (Signal::TERM, 143),
        (Signal::HUP, 129),
        (Signal::INT, 130),
        (Signal::QUIT, BY_SIGNAL),
    ] {
        let home = tempfile::tempdir().unwrap();
        let pty = start(home.path());
        pty.signal(signal);
        assert_eq!(pty.end().0, code, "{signal:?}");
    }
}

/// Whether every mode that the screen needs is off again.
pub fn given_back(screen: &vt100::Screen) -> bool {
    !screen.alternate_screen()
        && !screen.bracketed_paste()
        && !screen.hide_cursor()
        && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
}

/// Whether the modes are those of the program's screen.
pub fn taken(screen: &vt100::Screen) -> bool {
    screen.alternate_screen()
        && screen.bracketed_paste()
        && screen.hide_cursor()
        && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::ButtonMotion
}

const fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn cells(count: u16) -> std::num::NonZeroU16 {
    std::num::NonZeroU16::new(count).unwrap()
}
