//! Asks a language model which memories contradict or repeat each other, and keeps its answers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::lint_facts::{Basis, LintFacts};
use super::preview::PREVIEWS;
use super::settings::user_file;
use super::{Error, Result, Workspace};
use crate::agent::answer::Answer;
use crate::agent::ask::{Plan, Sources, counted};
use crate::agent::command::Failure;
use crate::config::ModelSettings;
use crate::config::model::Runnable;
use crate::lint::decisions::lines;
use crate::lint::judged::Asked;
use crate::lint::{self, Finding, Selection};
use crate::memory::{Memory, Timestamp, plural};
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

/// The command of the settings; an error if they name none that may be run.
pub fn runnable(settings: &ModelSettings) -> Result<Runnable> {
    let home = etcetera::home_dir().unwrap_or_default();
    settings.runnable(&home).ok_or_else(|| {
        let own = user_file().map(|file| format!("{}, in ", file.display()));
        let own = own.unwrap_or_default();
        let places = format!("in {own}the file of --config or in MEMKEEP_MODEL_COMMAND");
        Error::wrong("no model is configured").hint(format!(
            "[model] command = [\"program\", \"argument\"] {places}; \
             --prompt-only and --response FILE need none"
        ))
    })
}

/// The memories of the project, where there are any: quotes from a person's own stores are no business
/// of a file that a team shares.
pub fn own(workspace: &Workspace, memories: &Snapshot) -> Snapshot {
    let root = &workspace.collection.root;
    let own = |memory: &&Arc<Memory>| memory.path.starts_with(root);
    let own: Snapshot = Arc::new(memories.iter().filter(own).cloned().collect());
    match own.is_empty() {
        true => Arc::clone(memories),
        false => own,
    }
}

/// Plans the requests about these memories of the project.
pub fn plan(
    workspace: &Workspace,
    (basis, facts): (&Basis, &LintFacts<'_>),
    memories: &Snapshot,
    settings: &ModelSettings,
    now: Timestamp,
) -> Plan {
    let memories = &own(workspace, memories);
    let cx = facts.context(basis, memories, &workspace.collection);
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
        texts: &workspace.collection,
        decisions: &basis.decisions,
        previews: PREVIEWS,
        context: &context,
        suspected: &suspected,
        now,
    };
    Plan::new(&sources, &settings.name(), settings.budget())
}

/// Remembers what was answered; gives what is new. If another program writes the file meanwhile it
/// is read again, for an answer may have cost something.
pub fn keep(
    workspace: &Workspace,
    name: &str,
    mut answer: Answer,
    asked: &[Asked],
    now: Timestamp,
) -> Result<Answer, StoreError> {
    let collection = &workspace.collection;
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
    let requests = plural(plan.requests.len(), "request");
    let to = name.map_or_else(String::new, |name| format!(" to {name}"));
    format!("{requests}{to}, {} tokens", plan.tokens())
}

/// The reason that there is nothing to ask.
pub fn nothing(plan: &Plan) -> String {
    match plan.answered {
        0 => "nothing to ask: there are no two memories with a text".to_owned(),
        _ => "nothing to ask: no memory is new or changed since the last answer".to_owned(),
    }
}

/// Result of sending requests.
#[derive(Default)]
pub struct Sent {
    /// Tokens of the requests that were answered.
    pub tokens: usize,
    /// True if the person ended it.
    pub stopped: bool,
    /// The last failure.
    pub failed: Option<String>,
}

/// The result of an answer, line by line.
pub fn report(name: &str, kept: &Answer) -> Vec<String> {
    let mut all = vec![format!("{name} judged: {}", counted(&kept.judgements))];
    let rejected = kept.rejected.iter().take(TOLD);
    all.extend(rejected.map(|why| format!("note: a line does not count: {why}")));
    if let Some(more @ 1..) = kept.rejected.len().checked_sub(TOLD) {
        all.push(format!("note: {more} more lines do not count"));
    }
    all
}

/// Sends the requests one by one, and keeps what is answered. A failure is reported and the others
/// are still sent, unless two fail in a row.
pub fn send(
    workspace: &Workspace,
    plan: &Plan,
    command: &Runnable,
    (stop, now): (&AtomicBool, Timestamp),
    tell: &mut dyn FnMut(String),
) -> Result<Sent> {
    let name = &command.name;
    let all = plan.requests.len();
    let (mut sent, mut failures) = (Sent::default(), 0);
    for (number, request) in (1..).zip(&plan.requests) {
        let (notes, tokens) = (request.notes.len(), request.tokens());
        tell(format!(
            "request {number} of {all} to {name}: {notes} memories, {tokens} tokens"
        ));
        match plan.ask(request, command, stop) {
            Ok((answer, asked, tokens)) => {
                let kept = keep(workspace, name, answer, &[asked], now)?;
                report(name, &kept).into_iter().for_each(&mut *tell);
                sent.tokens += tokens;
                failures = 0;
            }
            Err(Failure::Stopped) => {
                sent.stopped = true;
                break;
            }
            Err(failure) => {
                tell(format!("error: {failure}; nothing was changed by it"));
                sent.failed = Some(failure.to_string());
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
