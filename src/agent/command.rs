//! Runs the command of a model: one request on its standard input, its answer from standard output,
//! both within bounds of size and time. No shell is involved.

use std::io::{self, Read, Write as _};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::config::model::Runnable;
use crate::project::programs;

/// Bytes of an answer; a longer one is none.
const MOST: usize = 4 << 20;

/// Bytes of standard error that are kept to say why a command failed.
const MOST_ERRORS: usize = 4 << 10;

/// How often it is looked whether the command ended, or the person wants it to.
const TICK: Duration = Duration::from_millis(20);

/// How long output is read on after the command itself ended: another process may hold it open.
const GRACE: Duration = Duration::from_millis(500);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The program could not be started.
    #[error("`{0}` cannot be started: {1}")]
    Start(String, io::Error),
    /// It failed; the first line of what it wrote on standard error.
    #[error("`{0}` ended with {1}{2}")]
    Exit(String, String, String),
    /// It took too long.
    #[error("`{0}` gave no answer within {1:?} and was ended")]
    Late(String, Duration),
    /// It wrote too much.
    #[error("`{0}` wrote more than 4 MB and was ended")]
    Long(String),
    /// It could not be talked to.
    #[error("`{0}` cannot be talked to: {1}")]
    Broken(String, io::Error),
    /// The person stopped it.
    #[error("stopped")]
    Stopped,
    /// It answered nothing that can be read.
    #[error("`{0}` answered no line that counts{1}")]
    Empty(String, String),
}

/// Runs a command on a request. `stop` ends it.
pub fn run(command: &Runnable, request: &str, stop: &AtomicBool) -> Result<String, Failure> {
    let name = || command.name.clone();
    let words = command.words.split_first();
    let (program, args) = words.map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    let mut process = programs::command(program);
    process.args(args);
    process.stdin(Stdio::piped()).stdout(Stdio::piped());
    process.stderr(Stdio::piped());
    if let Some(folder) = command.folder.as_deref().filter(|folder| folder.is_dir()) {
        process.current_dir(folder);
    }
    // Child processes end with the command, and Ctrl-c reaches memkeep alone.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut process, 0);
    let child = process.spawn();
    let child = child.map_err(|error| Failure::Start(program.to_owned(), error))?;
    let mut running = Running { child, over: false };
    let broken = |error| Failure::Broken(name(), error);
    let (output, errors) = running.start(request).map_err(broken)?;
    let end = Instant::now() + command.timeout;
    let mut answer = None;
    let status = loop {
        match output.recv_timeout(TICK) {
            Ok(bytes) => answer = Some(bytes),
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(TICK),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if answer.as_ref().is_some_and(|bytes| bytes.len() > MOST) {
            return Err(Failure::Long(name()));
        }
        if let Some(status) = running.child.try_wait().map_err(broken)? {
            break status;
        }
        if stop.load(Ordering::SeqCst) {
            return Err(Failure::Stopped);
        }
        if Instant::now() > end {
            return Err(Failure::Late(name(), command.timeout));
        }
    };
    answer = answer.or_else(|| output.recv_timeout(GRACE).ok());
    running.over = answer.is_some();
    if !running.over {
        // Something it started holds its output open.
        running.end();
        answer = output.recv_timeout(GRACE).ok();
    }
    if status.success() {
        return match answer.unwrap_or_default() {
            long if long.len() > MOST => Err(Failure::Long(name())),
            answer => Ok(String::from_utf8_lossy(&answer).into_owned()),
        };
    }
    let errors = errors.recv_timeout(GRACE).unwrap_or_default();
    let errors = String::from_utf8_lossy(&errors);
    let first = errors.lines().map(str::trim).find(|line| !line.is_empty());
    let first = first.map(|line| format!(": {line}")).unwrap_or_default();
    let code = status.code().map(|code| format!("exit code {code}"));
    let code = code.unwrap_or_else(|| "a signal".to_owned());
    Err(Failure::Exit(name(), code, first))
}

/// Output of a command as a whole, once that is closed.
type Output = Receiver<Vec<u8>>;

/// A command at work; it is ended with all it started where it is let go.
struct Running {
    child: Child,
    /// True if it ended and closed its output.
    over: bool,
}

impl Running {
    /// Ends it, and what it started.
    fn end(&mut self) {
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id().cast_signed()) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Writes the request and reads both outputs on threads, for a command may do all at once.
    fn start(&mut self, request: &str) -> io::Result<(Output, Output)> {
        let thread = || std::thread::Builder::new().name("model".to_owned());
        if let Some(mut input) = self.child.stdin.take() {
            let request = request.to_owned();
            // A command need not read to the end.
            thread().spawn(move || input.write_all(request.as_bytes()))?;
        }
        let (to_answer, answer) = channel();
        if let Some(pipe) = self.child.stdout.take() {
            thread().spawn(move || to_answer.send(bounded(pipe, MOST).0))?;
        }
        let (to_errors, errors) = channel();
        if let Some(pipe) = self.child.stderr.take() {
            thread().spawn(move || {
                let (errors, mut pipe) = bounded(pipe, MOST_ERRORS);
                let sent = to_errors.send(errors);
                // A full pipe would stop the command.
                io::copy(&mut pipe, &mut io::sink()).map(|_| sent)
            })?;
        }
        Ok((answer, errors))
    }
}

/// Reads a pipe, up to one byte more than `most`.
fn bounded<P: Read>(mut pipe: P, most: usize) -> (Vec<u8>, P) {
    let mut bytes = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX);
    let _ = pipe.by_ref().take(limit + 1).read_to_end(&mut bytes);
    (bytes, pipe)
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.over {
            self.end();
        }
    }
}
