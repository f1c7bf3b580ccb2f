//! Runs the command of a model: one request on its standard input, its answer from standard output,
//! both within bounds of size and time. No shell is involved. An answer that does not count is asked for
//! once more.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::request::escaped;
use crate::config::Runnable;
use crate::memory::tokens_of;
use crate::project::programs;
use crate::text::cut;

/// How often a request is sent at most.
const ATTEMPTS: usize = 2;

/// Heading above the reasons in a second request, and bytes of these reasons.
const AGAIN: &str =
    "\nYour last answer does not count. Answer again in the form above. The reasons:\n- ";
const REASONS: usize = 300;

/// Bytes of an answer; a longer one is none.
const MOST: u64 = 4 << 20;

/// Bytes of standard error that are kept to say why a command failed.
const MOST_ERRORS: u64 = 4 << 10;

/// How often it is looked whether the command ended, or the person wants it to.
const TICK: Duration = Duration::from_millis(20);

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("stopped")]
    Stopped,
    /// Name of the command, and how it failed.
    #[error("`{0}` {1}")]
    Failed(String, String),
}

/// Sends a request, and once more with the reasons if `read` says that the answer does not count. Gives
/// the tokens that were sent too. `stop` ends it.
pub fn ask<T>(
    command: &Runnable,
    request: &str,
    stop: &AtomicBool,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<(T, usize), Failure> {
    let (mut text, mut tokens, mut last) = (request.to_owned(), 0, String::new());
    for _ in 0..ATTEMPTS {
        tokens += tokens_of(text.len());
        match read(&run(command, &text, stop)?) {
            Ok(answer) => return Ok((answer, tokens)),
            Err(why) => last = why,
        }
        text = format!("{request}{AGAIN}{}\n", escaped(cut(&last, REASONS)));
    }
    let first = last.lines().next().unwrap_or_default();
    let why = format!("gave no answer that counts: {first}");
    Err(Failure::Failed(command.name.clone(), why))
}

/// Runs a command on a request. Its streams are unnamed files, so that neither side waits.
fn run(command: &Runnable, request: &str, stop: &AtomicBool) -> Result<String, Failure> {
    let fail = |why: String| Failure::Failed(command.name.clone(), why);
    let broken = |error: io::Error| fail(format!("cannot be talked to: {error}"));
    let streams = || {
        let (mut input, output) = (tempfile::tempfile()?, tempfile::tempfile()?);
        input.write_all(request.as_bytes())?;
        input.rewind()?;
        let (errors, shared) = (tempfile::tempfile()?, output.try_clone()?);
        Ok((input, [shared, errors.try_clone()?], [output, errors]))
    };
    let (input, [to_output, to_errors], [output, errors]) = streams().map_err(broken)?;
    let words = command.words.split_first();
    let (program, args) = words.map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    let mut process = programs::command(program);
    process.args(args).stdin(input);
    process.stdout(to_output).stderr(to_errors);
    if let Some(folder) = command.folder.as_deref().filter(|folder| folder.is_dir()) {
        process.current_dir(folder);
    }
    // Child processes end with the command, and Ctrl-c reaches memkeep alone.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut process, 0);
    let child = process.spawn().map_err(|error| {
        Failure::Failed(program.to_owned(), format!("cannot be started: {error}"))
    })?;
    let mut running = Running(child);
    let end = Instant::now() + command.timeout;
    let status = loop {
        if output.metadata().map_err(broken)?.len() > MOST {
            return Err(fail("wrote more than 4 MB and was ended".to_owned()));
        }
        if let Some(status) = running.0.try_wait().map_err(broken)? {
            break status;
        }
        if stop.load(Ordering::SeqCst) {
            return Err(Failure::Stopped);
        }
        if Instant::now() > end {
            let timeout = command.timeout;
            let why = format!("gave no answer within {timeout:?} and was ended");
            return Err(fail(why));
        }
        std::thread::sleep(TICK);
    };
    if status.success() {
        return start_of(output, MOST).map_err(broken);
    }
    let errors = start_of(errors, MOST_ERRORS).unwrap_or_default();
    let first = errors.lines().map(str::trim).find(|line| !line.is_empty());
    let first = first.map(|line| format!(": {line}")).unwrap_or_default();
    let code = status.code().map(|code| format!("exit code {code}"));
    let code = code.unwrap_or_else(|| "a signal".to_owned());
    Err(fail(format!("ended with {code}{first}")))
}

fn start_of(mut file: File, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A command at work. It is ended with all that it started where it is let go.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.0.id().cast_signed()) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
