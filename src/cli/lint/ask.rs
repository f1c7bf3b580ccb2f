//! `memkeep lint --ask`: a language model says which memories contradict or repeat each other.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::agent::ask::{LEAST, Plan};
use crate::cli::error::Error;
use crate::cli::lint::LintFormat;
use crate::cli::output::{note, text_or_stdin};
use crate::cli::{Output, exit};
use crate::config::model::Runnable;
use crate::retrieval::Snapshot;
use crate::workspace::Workspace;
use crate::workspace::lint::{Basis, LintFacts};
use crate::workspace::model::{keep, nothing, plan, refusal, report, runnable, send, size};

/// The step that follows.
pub enum End {
    /// The findings are printed; the exit code, where it does not follow from them.
    Findings(Option<u8>),
    /// Nothing more.
    Done(u8),
}

/// Runs `--ask`; the findings follow unless it only tells.
pub fn run(
    ws: &Workspace,
    args: &crate::cli::lint::Lint,
    (basis, memories, facts): (&mut Basis, &Snapshot, &LintFacts<'_>),
    output: &mut Output,
) -> Result<End, Error> {
    let mut settings = ws.settings.model.clone();
    settings.budget = args.budget.or(settings.budget);
    if settings.budget() < LEAST {
        return Err(Error::wrong(format!(
            "a budget of {} tokens is too small for a request",
            settings.budget()
        ))
        .hint(format!("{LEAST} tokens are the least")));
    }
    let tells = args.dry_run || args.prompt_only;
    if !tells {
        ws.may_write()?;
    }
    if !tells
        && args.response.is_none()
        && let Some(error) = refusal(&settings)
    {
        return Err(error.into());
    }
    let name = settings.name();
    let plan = plan(ws, (basis, facts), memories, &settings, ws.now);
    if args.dry_run {
        let name = settings.is_named().then_some(&*name);
        return dry_run(&plan, args, name, output);
    }
    if args.prompt_only {
        output.write_all(plan.prompts().as_bytes())?;
        return Ok(End::Done(exit::DONE));
    }
    let ended = match &args.response {
        Some(file) => {
            let text = match file.as_str() {
                "-" => text_or_stdin(file)?,
                file => read_file(file)?,
            };
            respond(ws, &plan, &text, &name)?;
            None
        }
        None => match runnable(&settings) {
            Some(command) => send_all(ws, &plan, &command)?,
            None => None,
        },
    };
    basis.answered(&ws.collection);
    Ok(match ended {
        Some(exit::INTERRUPTED) => End::Done(exit::INTERRUPTED),
        code => End::Findings(code),
    })
}

fn read_file(file: &str) -> Result<String, Error> {
    let bytes = std::fs::read(file)
        .map_err(|error| Error::wrong(format!("{file} cannot be read: {error}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Says how much would be sent.
fn dry_run(
    plan: &Plan,
    args: &crate::cli::lint::Lint,
    name: Option<&str>,
    output: &mut Output,
) -> Result<End, Error> {
    let (requests, tokens) = (plan.requests.len(), plan.tokens());
    if args.format == LintFormat::Json {
        let size = serde_json::json!({
            "requests": requests, "tokens": tokens, "answered": plan.answered,
            "memories": plan.notes.len(), "model": name,
        });
        writeln!(output.json(), "{size:#}")?;
    } else if requests == 0 {
        writeln!(output, "{}", nothing(plan))?;
    } else {
        writeln!(output, "{}", size(plan, name))?;
        if plan.answered > 0 {
            writeln!(output, "{} answered before", plan.answered)?;
        }
    }
    Ok(End::Done(exit::DONE))
}

/// Takes answers that were got elsewhere.
fn respond(ws: &Workspace, plan: &Plan, text: &str, name: &str) -> Result<(), Error> {
    let (answer, asked) = plan.take(text);
    if !answer.is_answer() && answer.rejected.is_empty() {
        return Err(
            Error::wrong("the response holds no line of JSON that answers")
                .hint("`memkeep lint --ask --prompt-only` prints what is asked, and in which form"),
        );
    }
    let kept = keep(ws, name, answer, &asked, ws.now)?;
    report(name, &kept).iter().for_each(|line| note(line));
    Ok(())
}

/// Sends the requests from the command line; gives the exit code where some went wrong.
fn send_all(ws: &Workspace, plan: &Plan, command: &Runnable) -> Result<Option<u8>, Error> {
    if plan.requests.is_empty() {
        note(&nothing(plan));
        return Ok(None);
    }
    let stop = interrupted();
    let mut tell = |line: String| note(&line);
    let sent = send(ws, plan, command, (&stop, ws.now), &mut tell)?;
    if sent.tokens > 0 {
        note(&format!("{} tokens sent · memkeep undo", sent.tokens));
    }
    if sent.stopped {
        note("stopped; what was answered is kept");
        return Ok(Some(exit::INTERRUPTED));
    }
    Ok(sent.failed.map(|_| exit::WRONG))
}

/// Turns true at the first Ctrl-c; the second one ends the program.
fn interrupted() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Without it the signal ends the program at once, as it does elsewhere.
        let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&stop));
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    stop
}
