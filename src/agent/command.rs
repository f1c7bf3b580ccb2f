//! Runs the command of a model: one request on its standard input, its answer from standard output,
//! both within bounds of size and time. No shell is involved.

use std::io::{self, Read, Write as _};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

use crate::config::model::Runnable;
use crate::project::programs;

/// Bytes of an answer; a longer one is none.
const MOST: u64 = 4 << 20;

/// Bytes of standard error that are kept to say why a command failed.
const MOST_ERRORS: u64 = 4 << 10;

/// How often it is looked whether the command ended, or the person wants it to.
const TICK: Duration = Duration::from_millis(20);

/// How long output is read on after the command itself ended: another process may hold it open.
const GRACE: Duration = Duration::from_millis(500);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The person stopped it.
    #[error("stopped")]
    Stopped,
    /// Name of the command, and how it failed.
    #[error("`{0}` {1}")]
    Failed(String, String),
}

/// Runs a command on a request. `stop` ends it.
pub fn run(command: &Runnable, request: &str, stop: &AtomicBool) -> Result<String, Failure> {
    let fail = |why: String| Failure::Failed(command.name.clone(), why);
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
    let child = child.map_err(|error| {
        Failure::Failed(program.to_owned(), format!("cannot be started: {error}"))
    })?;
    let mut running = Running { child, over: false };
    let broken = |error: io::Error| fail(format!("cannot be talked to: {error}"));
    let is_too_long = |bytes: &Vec<u8>| bytes.len() as u64 > MOST;
    let too_long = || fail("wrote more than 4 MB and was ended".to_owned());
    let (output, errors) = running.start(request).map_err(broken)?;
    let end = Instant::now() + command.timeout;
    let mut answer = None;
    let status = loop {
        match output.recv_timeout(TICK) {
            Ok(bytes) => answer = Some(bytes),
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(TICK),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if answer.as_ref().is_some_and(is_too_long) {
            return Err(too_long());
        }
        if let Some(status) = running.child.try_wait().map_err(broken)? {
            break status;
        }
        if stop.load(Ordering::SeqCst) {
            return Err(Failure::Stopped);
        }
        if Instant::now() > end {
            let timeout = command.timeout;
            return Err(fail(format!(
                "gave no answer within {timeout:?} and was ended"
            )));
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
            long if is_too_long(&long) => Err(too_long()),
            answer => Ok(String::from_utf8_lossy(&answer).into_owned()),
        };
    }
    let errors = errors.recv_timeout(GRACE).unwrap_or_default();
    let errors = String::from_utf8_lossy(&errors);
    let first = errors.lines().map(str::trim).find(|line| !line.is_empty());
    let first = first.map(|line| format!(": {line}")).unwrap_or_default();
    let code = status.code().map(|code| format!("exit code {code}"));
    let code = code.unwrap_or_else(|| "a signal".to_owned());
    Err(fail(format!("ended with {code}{first}")))
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
        if let Some(mut input) = self.child.stdin.take() {
            let request = request.to_owned();
            // A command need not read to the end.
            thread().spawn(move || input.write_all(request.as_bytes()))?;
        }
        let answer = output_of(self.child.stdout.take(), MOST)?;
        Ok((answer, output_of(self.child.stderr.take(), MOST_ERRORS)?))
    }
}

/// Reads a pipe on a thread and gives up to one byte more than `most`. The rest is read too, for a
/// full pipe would stop the command.
fn output_of(pipe: Option<impl Read + Send + 'static>, most: u64) -> io::Result<Output> {
    let (to, output) = channel();
    if let Some(mut pipe) = pipe {
        thread().spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.by_ref().take(most + 1).read_to_end(&mut bytes);
            let sent = to.send(bytes);
            io::copy(&mut pipe, &mut io::sink()).map(|_| sent)
        })?;
    }
    Ok(output)
}

fn thread() -> Builder {
    Builder::new().name("model".to_owned())
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.over {
            self.end();
        }
    }
}
