//! `memkeep lint --ask`: a language model says which memories contradict or repeat each other.

use std::ops::ControlFlow;

use crate::agent::ask::{LEAST, Plan, Taken};
use crate::cli::args::Format;
use crate::cli::prelude::*;
use crate::cli::proposals::{interrupted, response_text};
use crate::config::model::Runnable;
use crate::workspace::lint_facts::{Basis, LintFacts};
use crate::workspace::model::{keep, nothing, plan, report, runnable, send, size};

/// Runs `--ask`. Breaks off with an exit code, or goes on to the findings with the exit code that they
/// do not decide.
pub fn run(
    ws: &Workspace,
    args: &super::Lint,
    (basis, memories, facts): (&mut Basis, &Snapshot, &LintFacts<'_>),
    output: &mut Output,
) -> Result<ControlFlow<u8, Option<u8>>> {
    let mut settings = ws.settings.model.clone();
    settings.budget = args.budget.or(settings.budget);
    let budget = settings.budget();
    if budget < LEAST {
        let what = format!("a budget of {budget} tokens is too small for a request");
        return Err(Error::wrong(what).hint(format!("{LEAST} tokens are the least")));
    }
    let mut command = None;
    if !args.dry_run && !args.prompt_only {
        ws.may_write()?;
        let is_sent = args.response.is_none();
        command = is_sent.then(|| runnable(&settings)).transpose()?;
    }
    let name = settings.name();
    let plan = plan(ws, (basis, facts), memories, &settings, ws.now);
    if args.dry_run {
        let name = settings.is_named().then_some(&*name);
        dry_run(&plan, args.format, name, output)?;
        return Ok(ControlFlow::Break(exit::DONE));
    }
    if args.prompt_only {
        output.write_all(plan.prompts().as_bytes())?;
        return Ok(ControlFlow::Break(exit::DONE));
    }
    let mut code = None;
    if let Some(file) = &args.response {
        code = respond(ws, &plan, file, &name)?;
    } else if let Some(command) = command {
        code = send_all(ws, &plan, &command)?;
    }
    basis.answered(&ws.collection);
    Ok(match code {
        Some(exit::INTERRUPTED) => ControlFlow::Break(exit::INTERRUPTED),
        code => ControlFlow::Continue(code),
    })
}

/// Says how much would be sent.
fn dry_run(plan: &Plan, format: Format, name: Option<&str>, output: &mut Output) -> Result<()> {
    let requests = plan.requests.len();
    if format == Format::Json {
        output.print_json(&json!({
            "requests": requests, "tokens": plan.tokens(), "answered": plan.answered,
            "memories": plan.memories(), "model": name,
        }))?;
    } else if requests == 0 {
        writeln!(output, "{}", nothing(plan))?;
    } else {
        writeln!(output, "{}", size(plan, name))?;
        if plan.answered > 0 {
            writeln!(output, "{} answered before", plan.answered)?;
        }
    }
    Ok(())
}

/// Takes answers that were got elsewhere.
fn respond(ws: &Workspace, plan: &Plan, file: &str, name: &str) -> Result<Option<u8>> {
    let text = response_text(file)?;
    let Taken {
        answer,
        asked,
        unanswered,
    } = plan.take(&text);
    let is_answer = !asked.is_empty() || !answer.judgements.is_empty();
    let kept = keep(ws, name, answer, &asked, ws.now)?;
    let lines = report(name, &kept);
    let lines = lines.iter().skip(usize::from(!is_answer));
    lines.for_each(|line| note(line));
    if !is_answer {
        let hint = "`memkeep lint --ask --prompt-only` prints what is asked, and in which form";
        return Err(Error::wrong("the response holds no line of JSON that answers").hint(hint));
    }
    let all = plan.requests.len();
    for number in &unanswered {
        note(&format!("error: request {number} of {all} is not answered"));
    }
    Ok((!unanswered.is_empty()).then_some(exit::WRONG))
}

/// Sends the requests from the command line; gives the exit code where some went wrong.
fn send_all(ws: &Workspace, plan: &Plan, command: &Runnable) -> Result<Option<u8>> {
    if plan.requests.is_empty() {
        note(&nothing(plan));
        return Ok(None);
    }
    let stop = interrupted();
    let sent = send(ws, plan, command, (&stop, ws.now), &mut |line| note(&line))?;
    if sent.tokens > 0 {
        note(&format!("{} tokens sent · memkeep undo", sent.tokens));
    }
    if sent.stopped {
        note("stopped; what was answered is kept");
        return Ok(Some(exit::INTERRUPTED));
    }
    Ok(sent.failed.map(|_| exit::WRONG))
}
