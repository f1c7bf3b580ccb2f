//! Runs the command of a model: one request on its standard input, its answer from standard output,
//! both within bounds of size and time. No shell is involved.

use std::io::{self, Read, Write as _};
use std::process::{Child, ExitStatus, Stdio};
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
    let (program, args) = command
        .words
        .split_first()
        .map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    let name = || command.name.clone();
    let mut process = programs::command(program);
    process
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(folder) = command.folder.as_deref().filter(|folder| folder.is_dir()) {
        process.current_dir(folder);
    }
    // Child processes end with the command, and Ctrl-c reaches memkeep alone.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut process, 0);
    let child = process
        .spawn()
        .map_err(|error| Failure::Start(program.to_owned(), error))?;
    let mut running = Running { child, over: false };
    let broken = |error| Failure::Broken(name(), error);
    let output = running.start(request).map_err(broken)?;
    let end = Instant::now() + command.timeout;
    let mut ended: Option<(ExitStatus, Instant)> = None;
    let mut answer = None;
    loop {
        if stop.load(Ordering::SeqCst) {
            return Err(Failure::Stopped);
        }
        let (now, complete) = (Instant::now(), answer.is_some());
        match (ended, complete) {
            (Some(_), true) => break,
            (Some((_, since)), false) if now > since + GRACE => break,
            (None, _) if now > end => return Err(Failure::Late(name(), command.timeout)),
            _ => {}
        }
        match output.answer.recv_timeout(TICK) {
            Ok(bytes) if bytes.len() > MOST => return Err(Failure::Long(name())),
            Ok(bytes) => answer = Some(bytes),
            Err(RecvTimeoutError::Disconnected) if complete => std::thread::sleep(TICK),
            Err(_) => {}
        }
        if ended.is_none() {
            let status = running.child.try_wait().map_err(broken)?;
            ended = status.map(|status| (status, Instant::now()));
        }
    }
    running.over = answer.is_some();
    if answer.is_none() {
        // Something it started holds its output open.
        running.end();
        answer = output.answer.recv_timeout(GRACE).ok();
    }
    match ended {
        Some((status, _)) if !status.success() => {
            let errors = output.errors.recv_timeout(GRACE).unwrap_or_default();
            let errors = String::from_utf8_lossy(&errors);
            let first = errors.lines().map(str::trim).find(|line| !line.is_empty());
            let first = first.map(|line| format!(": {line}")).unwrap_or_default();
            Err(Failure::Exit(name(), exit(status), first))
        }
        _ => Ok(String::from_utf8_lossy(&answer.unwrap_or_default()).into_owned()),
    }
}

/// How a command ended.
fn exit(status: ExitStatus) -> String {
    status
        .code()
        .map_or_else(|| "a signal".to_owned(), |code| format!("exit code {code}"))
}

/// Output of a command.
struct Output {
    answer: Receiver<Vec<u8>>,
    errors: Receiver<Vec<u8>>,
}

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
        if let Some(group) = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Writes the request and reads the output on threads, for a command may do both at once.
    fn start(&mut self, request: &str) -> io::Result<Output> {
        let thread = || std::thread::Builder::new().name("model".to_owned());
        if let Some(mut input) = self.child.stdin.take() {
            let request = request.to_owned();
            // A command need not read to the end.
            thread().spawn(move || {
                let _ = input.write_all(request.as_bytes());
            })?;
        }
        let read = |pipe: Option<Box<dyn Read + Send>>, most: usize| {
            let (sender, receiver) = channel();
            thread()
                .spawn(move || {
                    let _ = sender.send(bounded(pipe, most));
                })
                .map(|_| receiver)
        };
        let out = self
            .child
            .stdout
            .take()
            .map(|pipe| Box::new(pipe) as Box<_>);
        let errors = self
            .child
            .stderr
            .take()
            .map(|pipe| Box::new(pipe) as Box<_>);
        Ok(Output {
            answer: read(out, MOST)?,
            errors: read(errors, MOST_ERRORS)?,
        })
    }
}

/// Reads a pipe, up to one byte more than `most`. Of standard error the rest is read and dropped,
/// for a full pipe would stop the command.
fn bounded(pipe: Option<Box<dyn Read + Send>>, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Some(mut pipe) = pipe else {
        return bytes;
    };
    let limit = u64::try_from(most).unwrap_or(u64::MAX);
    let _ = pipe.by_ref().take(limit + 1).read_to_end(&mut bytes);
    if most == MOST_ERRORS {
        let _ = io::copy(&mut pipe, &mut io::sink());
    }
    bytes
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.over {
            self.end();
        }
    }
}
