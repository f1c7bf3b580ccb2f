//! `memkeep lint --ask`: a language model says which memories contradict or repeat each other.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::known::Known;
use crate::agent::answer::Answer;
use crate::agent::ask::{LEAST, Plan, Sources, counted};
use crate::agent::command::Failure;
use crate::cli::args::{self, LintFormat};
use crate::cli::error::Error;
use crate::cli::output::note;
use crate::cli::session::{Session, config_folder, text_or_stdin};
use crate::cli::{Output, exit};
use crate::config::ModelSettings;
use crate::config::model::Runnable;
use crate::lint::decisions::lines;
use crate::lint::judged::{Asked, Judgement};
use crate::lint::repository::Project;
use crate::lint::{self, Finding, Selection};
use crate::memory::{MemoryId, Timestamp};
use crate::retrieval::Snapshot;
use crate::store::StoreError;

/// The rules whose pairs a model is asked to look at.
const SUSPECTING: [&str; 3] = ["contradiction", "near-duplicate", "contained"];

/// Requests that fail one after the other, after which no more are sent.
const FAILURES: usize = 2;

/// How often an answer is written anew because another program changed the file meanwhile.
const ATTEMPTS: usize = 10;

/// Lines of an answer that do not count and are told one by one.
const TOLD: usize = 5;

/// What follows.
pub enum End {
    /// The findings are printed; the exit code, where it does not follow from them.
    Findings(Option<u8>),
    /// Nothing more.
    Done(u8),
}

/// Why no model can be asked, where the settings name no command that may be run.
pub fn refusal(settings: &ModelSettings) -> Option<Error> {
    if settings.command.is_some() {
        return None;
    }
    let own = config_folder().map(|folder| folder.join("config.toml"));
    let own = own.map_or_else(String::new, |file| format!("{}, in ", file.display()));
    let places = format!("in {own}the file of --config or in MEMKEEP_MODEL_COMMAND");
    Some(Error::wrong("no model is configured").hint(format!(
        "[model] command = [\"program\", \"argument\"] {places}; \
         --prompt-only and --response FILE need none"
    )))
}

/// The command of the settings.
pub fn runnable(settings: &ModelSettings) -> Option<Runnable> {
    settings.runnable(&etcetera::home_dir().unwrap_or_default())
}

/// What is to be asked about these memories: those of the project, where there are any, for quotes
/// from a person's own stores are no business of a file that a team shares.
pub fn plan(
    session: &Session,
    (known, memories, project): (&Known, &Snapshot, &dyn Project),
    settings: &ModelSettings,
    now: Timestamp,
) -> Plan {
    let root = &session.collection.root;
    let own = memories
        .iter()
        .filter(|memory| memory.path.starts_with(root));
    let own: Snapshot = Arc::new(own.cloned().collect());
    let memories = if own.is_empty() { memories } else { &own };
    let cx = known.context(memories, &session.collection, now, project);
    let rules = Selection::of(&SUSPECTING).unwrap_or_default();
    let found = lint::run(&cx, &rules);
    let id = |index: usize| memories.get(index).map(|memory| &memory.id);
    let pair = |finding: &Finding| Some([id(finding.memory)?, id(*finding.related.first()?)?]);
    let suspected: Vec<[&MemoryId; 2]> = found.iter().filter_map(pair).collect();
    let sources = Sources {
        memories,
        texts: &session.collection,
        decisions: &known.decisions,
        suspected: &suspected,
        now,
    };
    Plan::new(&sources, &settings.name(), settings.budget())
}

/// Remembers what was answered; gives what is new. Where another program writes the file meanwhile
/// it is read again, for an answer may have cost something.
fn keep(
    session: &Session,
    name: &str,
    mut answer: Answer,
    asked: &[Asked],
    now: Timestamp,
) -> Result<Answer, StoreError> {
    let collection = &session.collection;
    for attempt in 1.. {
        answer = answer.without_decided(&collection.decisions());
        let text = lines(&answer.judgements, asked);
        if text.is_empty() {
            break;
        }
        let title = format!("{name} judged: {}", counted(&answer.judgements));
        let ids = answer.judgements.iter().flat_map(|one| one.ids.clone());
        let plan = collection.plan_lines(&text, title, now)?;
        match collection.carry_out(plan, "judge", ids.collect(), now) {
            Err(StoreError::Changed(_)) if attempt < ATTEMPTS => {}
            done => return done.map(|_| answer),
        }
    }
    Ok(answer)
}

/// `3 requests to NAME, 17912 tokens`; without the name if no model is configured.
pub fn size(plan: &Plan, name: Option<&str>) -> String {
    let count = plan.requests.len();
    let s = if count == 1 { "" } else { "s" };
    let to = name.map_or_else(String::new, |name| format!(" to {name}"));
    format!("{count} request{s}{to}, {} tokens", plan.tokens())
}

/// Runs `--ask`; the findings follow unless it only tells.
pub fn run(
    session: &Session,
    args: &args::Lint,
    (known, memories, project): (&mut Known, &Snapshot, &dyn Project),
    output: &mut Output,
) -> Result<End, Error> {
    let mut settings = session.settings.model.clone();
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
        session.may_write()?;
    }
    if !tells
        && args.response.is_none()
        && let Some(error) = refusal(&settings)
    {
        return Err(error);
    }
    let name = settings.name();
    let plan = plan(session, (known, memories, project), &settings, session.now);
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
            respond(session, &plan, &text, &name)?;
            None
        }
        None => match runnable(&settings) {
            Some(command) => send_all(session, &plan, &command)?,
            None => None,
        },
    };
    known.answered(&session.collection);
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
    args: &args::Lint,
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

/// That there is nothing to ask, and why.
pub fn nothing(plan: &Plan) -> String {
    match plan.answered {
        0 => "nothing to ask: there are no two memories with a text".to_owned(),
        _ => "nothing to ask: no memory is new or changed since the last answer".to_owned(),
    }
}

/// Takes answers that were got elsewhere.
fn respond(session: &Session, plan: &Plan, text: &str, name: &str) -> Result<(), Error> {
    let (answer, asked) = plan.take(text);
    if !answer.is_answer() && answer.rejected.is_empty() {
        return Err(
            Error::wrong("the response holds no line of JSON that answers")
                .hint("`memkeep lint --ask --prompt-only` prints what is asked, and in which form"),
        );
    }
    let kept = keep(session, name, answer, &asked, session.now)?;
    told(name, &kept).iter().for_each(|line| note(line));
    Ok(())
}

/// What came of sending requests.
#[derive(Default)]
pub struct Sent {
    /// The verdicts that are new.
    judged: Vec<Judgement>,
    /// Tokens of the requests that were answered.
    tokens: usize,
    /// Whether the person ended it.
    stopped: bool,
    /// What went wrong last.
    pub failed: Option<String>,
}

impl Sent {
    /// What it came to, in a line.
    pub fn told(&self, name: &str) -> String {
        let (judged, tokens) = (counted(&self.judged), self.tokens);
        format!("{name} judged: {judged} · {tokens} tokens sent")
    }
}

/// What an answer came to, line by line.
fn told(name: &str, kept: &Answer) -> Vec<String> {
    let mut all = vec![format!("{name} judged: {}", counted(&kept.judgements))];
    let rejected = kept.rejected.iter().take(TOLD);
    all.extend(rejected.map(|why| format!("note: a line does not count: {why}")));
    if let Some(more @ 1..) = kept.rejected.len().checked_sub(TOLD) {
        all.push(format!("note: {more} more lines do not count"));
    }
    all
}

/// Sends the requests one by one, and keeps what is answered. What fails is told, and the others
/// are sent, unless two fail one after the other.
pub fn send(
    session: &Session,
    plan: &Plan,
    command: &Runnable,
    (stop, now): (&AtomicBool, Timestamp),
    tell: &mut dyn FnMut(String),
) -> Result<Sent, Error> {
    let name = &command.name;
    let all = plan.requests.len();
    let (mut sent, mut failures) = (Sent::default(), 0);
    for (number, request) in (1..).zip(&plan.requests) {
        tell(format!(
            "request {number} of {all} to {name}: {} memories, {} tokens",
            request.notes.len(),
            request.tokens()
        ));
        match plan.ask(request, command, stop) {
            Ok((answer, asked)) => {
                let kept = keep(session, name, answer, &[asked], now)?;
                told(name, &kept).into_iter().for_each(&mut *tell);
                sent.tokens += request.tokens();
                sent.judged.extend(kept.judgements);
                failures = 0;
            }
            Err(Failure::Stopped) => {
                sent.stopped = true;
                break;
            }
            Err(failure) => {
                let failure = failure.to_string();
                tell(format!("error: {failure}; nothing was changed by it"));
                sent.failed = Some(failure);
                failures += 1;
            }
        }
        if failures == FAILURES && number < all {
            tell("hint: no more is sent; the next --ask sends what was not answered".to_owned());
            break;
        }
    }
    Ok(sent)
}

/// Sends the requests from the command line; gives the exit code where some went wrong.
fn send_all(session: &Session, plan: &Plan, command: &Runnable) -> Result<Option<u8>, Error> {
    if plan.requests.is_empty() {
        note(&nothing(plan));
        return Ok(None);
    }
    let stop = interrupted();
    let mut tell = |line: String| note(&line);
    let sent = send(session, plan, command, (&stop, session.now), &mut tell)?;
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
