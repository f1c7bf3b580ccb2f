//! `memkeep lint --ask`: a language model says which memories contradict or repeat each other.

use std::ops::ControlFlow;

use crate::agent::answer::Answer;
use crate::agent::ask::{LEAST, Plan, Sources, counted};
use crate::agent::command::Failure;
use crate::cli::prelude::*;
use crate::cli::proposals::{interrupted, own, response_text, runnable};
use crate::config::{ModelSettings, Runnable};
use crate::lint::decisions::lines;
use crate::lint::judged::Asked;
use crate::lint::{self, Finding, Selection};
use crate::store::StoreError;
use crate::workspace::lint_facts::{Basis, LintFacts};
use crate::workspace::preview::PREVIEWS;

/// The rules that suspect pairs: `lint --ask` sends their pairs to the model.
const SUSPECTING: [&str; 3] = ["contradiction", "near-duplicate", "contained"];

/// Requests that fail one after the other, after which no more are sent.
const FAILURES: usize = 2;

/// How often an answer is written anew because another program changed the file meanwhile.
const ATTEMPTS: usize = 10;

/// Lines of an answer that do not count and are told one by one.
const TOLD: usize = 5;

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
    let plan = plan(ws, (basis, facts), memories, &settings);
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
        code = send(ws, &plan, &command)?;
    }
    basis.answered(&ws.collection);
    Ok(match code {
        Some(exit::INTERRUPTED) => ControlFlow::Break(exit::INTERRUPTED),
        code => ControlFlow::Continue(code),
    })
}

fn dry_run(plan: &Plan, format: Format, name: Option<&str>, output: &mut Output) -> Result<()> {
    let (requests, tokens) = (plan.requests.len(), plan.tokens());
    if format == Format::Json {
        output.print_json(&json!({
            "requests": requests, "tokens": tokens, "answered": plan.answered,
            "memories": plan.memories(), "model": name,
        }))?;
    } else if requests == 0 {
        writeln!(output, "{}", nothing(plan))?;
    } else {
        let to = name.map_or_else(String::new, |name| format!(" to {name}"));
        let requests = plural(requests, "request");
        writeln!(output, "{requests}{to}, {tokens} tokens")?;
        if plan.answered > 0 {
            writeln!(output, "{} answered before", plan.answered)?;
        }
    }
    Ok(())
}

const fn nothing(plan: &Plan) -> &'static str {
    match plan.answered {
        0 => "nothing to ask: there are no two memories with a text",
        _ => "nothing to ask: no memory is new or changed since the last answer",
    }
}

fn plan(
    ws: &Workspace,
    (basis, facts): (&Basis, &LintFacts<'_>),
    memories: &Snapshot,
    settings: &ModelSettings,
) -> Plan {
    let memories = &own(ws, memories);
    let cx = facts.context(basis, memories, &ws.collection);
    let rules = Selection::of(&SUSPECTING).unwrap_or_default();
    let found = lint::run(&cx, &rules);
    let id = |index: usize| memories.get(index).map(|memory| memory.id.to_string());
    let pair = |finding: &Finding| {
        let other = finding.related.first().and_then(|other| id(*other));
        Some([id(finding.memory)?, other.or(finding.source.clone())?])
    };
    let suspected: Vec<[String; 2]> = found.iter().filter_map(pair).collect();
    let context = lint::repository::context(&cx);
    let sources = Sources {
        memories,
        texts: &ws.collection,
        decisions: &basis.decisions,
        previews: PREVIEWS,
        context: &context,
        suspected: &suspected,
        now: ws.now,
    };
    Plan::new(&sources, &settings.name(), settings.budget())
}

/// Remembers what was answered; gives what is new. If another program writes the file meanwhile it
/// is read again, for an answer may have cost something.
fn keep(
    ws: &Workspace,
    name: &str,
    mut answer: Answer,
    asked: &[Asked],
) -> Result<Answer, StoreError> {
    let collection = &ws.collection;
    for attempt in 1.. {
        answer = answer.without_decided(&collection.decisions());
        let text = lines(&answer.judgements, asked);
        if text.is_empty() {
            break;
        }
        let title = format!("{name} judged: {}", counted(&answer.judgements));
        let ids = answer.judgements.iter().flat_map(|one| one.ids.clone());
        let plan = collection.plan_lines(&text, title, ws.now)?;
        match collection.carry_out(plan, "judge", ids.collect(), ws.now) {
            Err(StoreError::Changed(_)) if attempt < ATTEMPTS => {}
            done => return done.map(|_| answer),
        }
    }
    Ok(answer)
}

fn report(name: &str, kept: &Answer) -> Vec<String> {
    let mut all = vec![format!("{name} judged: {}", counted(&kept.judgements))];
    let rejected = kept.rejected.iter().take(TOLD);
    all.extend(rejected.map(|why| format!("note: a line does not count: {why}")));
    if let Some(more @ 1..) = kept.rejected.len().checked_sub(TOLD) {
        all.push(format!("note: {more} more lines do not count"));
    }
    all
}

/// Takes answers that were got elsewhere.
fn respond(ws: &Workspace, plan: &Plan, file: &str, name: &str) -> Result<Option<u8>> {
    let text = response_text(file)?;
    let (answer, asked, unanswered) = plan.take(&text);
    let is_answer = !asked.is_empty() || !answer.judgements.is_empty();
    let kept = keep(ws, name, answer, &asked)?;
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

/// Sends the requests one by one and keeps what is answered; gives the exit code where some went wrong.
/// A failure is reported and the others are still sent, unless two fail in a row.
fn send(ws: &Workspace, plan: &Plan, command: &Runnable) -> Result<Option<u8>> {
    let (name, all, stop) = (&command.name, plan.requests.len(), interrupted());
    let (mut code, mut sent, mut failures) = (None, 0, 0);
    if all == 0 {
        note(nothing(plan));
    }
    for (number, request) in (1..).zip(&plan.requests) {
        let (notes, tokens) = (request.notes.len(), request.tokens());
        let size = format!("{notes} memories, {tokens} tokens");
        note(&format!("request {number} of {all} to {name}: {size}"));
        match plan.ask(request, command, &stop) {
            Ok((answer, asked, tokens)) => {
                let kept = keep(ws, name, answer, &[asked])?;
                report(name, &kept).iter().for_each(|line| note(line));
                (sent, failures) = (sent + tokens, 0);
            }
            Err(Failure::Stopped) => {
                code = Some(exit::INTERRUPTED);
                break;
            }
            Err(failure) => {
                note(&format!("error: {failure}; nothing was changed by it"));
                code = Some(exit::WRONG);
                failures += 1;
            }
        }
        if failures == FAILURES && number < all {
            note("hint: no more is sent; the next --ask sends what was not answered");
            break;
        }
    }
    if sent > 0 {
        note(&format!("{sent} tokens sent · memkeep undo"));
    }
    if code == Some(exit::INTERRUPTED) {
        note("stopped; what was answered is kept");
    }
    Ok(code)
}
