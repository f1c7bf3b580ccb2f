//! A program in a terminal of its own: what is typed, and when the screen stands.

use std::io::{Read as _, Write};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const COLUMNS: u16 = 140;
const ROWS: u16 = 40;
/// A screen that is silent for so long stands.
const SILENCE: Duration = Duration::from_millis(60);

/// A running program and its screen.
pub struct Screen {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: Receiver<(Instant, Vec<u8>)>,
    parser: vt100::Parser,
    started: Instant,
    _master: Box<dyn MasterPty + Send>,
}

impl Screen {
    /// Starts a program.
    pub fn start(mut command: CommandBuilder) -> Self {
        command.env("TERM", "xterm-256color");
        let size = PtySize {
            rows: ROWS,
            cols: COLUMNS,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut from = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let (to, output) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 1 << 16];
            while let Ok(count) = from.read(&mut bytes) {
                if count == 0 || to.send((Instant::now(), bytes[..count].to_vec())).is_err() {
                    break;
                }
            }
        });
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        Self {
            child,
            keys,
            output,
            parser: vt100::Parser::new(ROWS.try_into().unwrap(), COLUMNS.try_into().unwrap(), 0),
            started,
            _master: pair.master,
        }
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.process_id().unwrap_or_default()
    }

    /// Sends bytes as a keyboard would.
    pub fn send(&mut self, text: &str) {
        self.keys.write_all(text.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Answers what the program asks of its terminal.
    fn answer(&mut self, bytes: &[u8]) {
        let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        for (question, answer) in [
            (&b"\x1b[6n"[..], "\x1b[1;1R"),
            (b"\x1b[c", "\x1b[?62c"),
            (b"\x1b[?u", "\x1b[?0u"),
        ] {
            if has(question) {
                self.send(answer);
            }
        }
    }

    /// Takes output as it comes until `done`, at the latest after `most`; the time it came.
    fn until(
        &mut self,
        most: Duration,
        mut done: impl FnMut(&vt100::Screen) -> bool,
    ) -> Option<Instant> {
        let end = Instant::now() + most;
        while let Ok((at, bytes)) = self
            .output
            .recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            self.parser.process(&bytes);
            self.answer(&bytes);
            if done(self.parser.screen()) {
                return Some(at);
            }
        }
        None
    }

    /// From the start to the first text on the screen.
    pub fn first_text(&mut self) -> Option<Duration> {
        let started = self.started;
        let at = self.until(Duration::from_secs(10), |screen| {
            !screen.contents().trim().is_empty()
        });
        at.map(|at| at.duration_since(started))
    }

    /// Waits until a text is on the screen.
    pub fn wait_for(&mut self, text: &str, most: Duration) -> bool {
        self.parser.screen().contents().contains(text)
            || self
                .until(most, |screen| screen.contents().contains(text))
                .is_some()
    }

    /// Waits until nothing was written for so long.
    pub fn settle(&mut self, silence: Duration) {
        while let Ok((_, bytes)) = self.output.recv_timeout(silence) {
            self.parser.process(&bytes);
            self.answer(&bytes);
        }
    }

    /// From a key to the last change of the screen it brings about.
    pub fn key(&mut self, key: &str) -> Option<Duration> {
        self.settle(SILENCE);
        let start = Instant::now();
        self.send(key);
        let mut last = None;
        while let Ok((at, bytes)) = self.output.recv_timeout(SILENCE) {
            self.parser.process(&bytes);
            last = Some(at);
        }
        last.map(|last| last.duration_since(start))
    }

    /// What is on the screen.
    pub fn contents(&self) -> String {
        self.parser.screen().contents()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
