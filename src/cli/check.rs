//! `memkeep check`: judges the tasks of `.memkeep/tasks.yaml`.

mod html;

use clap::ValueEnum;
use std::io::Write as _;

use serde::Serialize;

use super::error::Error;
use super::output::note;
use super::{Output, exit};
use crate::memory::plural;
use crate::project::revision::Revision;
use crate::retrieval::expect::{Answer, Judged, TaskRunner, judge};
use crate::retrieval::tasks::{self, Written};
use crate::retrieval::{Snapshot, Texts};
use crate::store::Overlay;
use crate::store::staged::Staged;
use crate::ui::safe::safe;
use crate::workspace::Workspace;

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people.
    #[default]
    Table,
    /// Every task with its lists, recall and precision.
    Json,
    /// The names of tasks that fail.
    Quiet,
}

/// Kinds of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportKind {
    /// One page that needs no other file.
    Html,
}

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct Check {
    /// Only these tasks, by name
    #[arg(value_name = "TASK")]
    pub tasks: Vec<String>,
    /// Print a page that shows the tasks before (at the last commit) and now
    #[arg(long, value_enum, value_name = "KIND")]
    pub report: Option<ReportKind>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: CheckFormat,
}

/// A task as JSON.
#[derive(Serialize)]
struct JsonTask<'a> {
    name: &'a str,
    passed: bool,
    expected: &'a [String],
    missing: &'a [String],
    unexpected: Vec<String>,
    recall: Option<f64>,
    precision: Option<f64>,
    injected: Vec<String>,
    tokens: usize,
    max_tokens: Option<usize>,
}

/// Runs the command.
pub fn run(ws: &Workspace, args: &Check, output: &mut Output) -> Result<u8, Error> {
    let mut suite = ws.task_suite(ws.now)?;
    suite.tasks = chosen(suite.tasks, &args.tasks)?;
    let (tasks, memories) = (&suite.tasks, ws.load());
    let play_all = |memories: &Snapshot, texts: &dyn Texts| -> Vec<Answer> {
        let Some(scorer) = suite.indexed(memories, texts) else {
            return Vec::new();
        };
        let runner = TaskRunner::new(&suite, memories, texts, &scorer);
        tasks.iter().map(|task| runner.play(task)).collect()
    };
    let answers = play_all(&memories, &ws.collection).into_iter();
    let judged = tasks.iter().zip(answers);
    let judged = judged.map(|(task, answer)| judge(task, answer, &memories));
    let judged: Vec<Judged> = judged.collect();
    for one in &judged {
        for id in &one.unknown {
            note(&format!("note: {}: no memory is called `{id}`", one.name));
        }
    }
    if args.report.is_some() {
        let before = head(ws)?;
        let before = before.map(|overlay| {
            let staged = Staged {
                collection: &ws.collection,
                overlay: &overlay,
            };
            play_all(&std::sync::Arc::new(staged.memories(&memories)), &staged)
        });
        let before: Option<Vec<Answer>> = before;
        html::page(tasks, &judged, before.as_deref(), output)?;
    } else {
        print(tasks, &judged, args.format, output)?;
    }
    let failed = judged.iter().any(|one| !one.has_passed());
    Ok(if failed { exit::NOTHING } else { exit::DONE })
}

/// The tasks of these names, or all; none at all is no success.
fn chosen(all: Vec<Written>, names: &[String]) -> Result<Vec<Written>, Error> {
    if all.is_empty() {
        let hint = "write tasks with `task`, `must`, `may` and `must_not` into it, or record one in \
                    the Inject view";
        return Err(Error::wrong(format!("no tasks in {}", tasks::PATH)).hint(hint));
    }
    if let Some(name) = names
        .iter()
        .find(|name| !all.iter().any(|one| one.name() == **name))
    {
        let known: Vec<&str> = all.iter().map(Written::name).collect();
        let hint = format!("known tasks: {}", known.join(", "));
        return Err(Error::wrong(format!("no task `{name}`")).hint(hint));
    }
    let is_chosen =
        |task: &Written| names.is_empty() || names.iter().any(|name| name == task.name());
    Ok(all.into_iter().filter(is_chosen).collect())
}

/// The stores' files as the last commit has them, where they differ; none outside of a repository.
fn head(ws: &Workspace) -> Result<Option<Overlay>, Error> {
    let collection = &ws.collection;
    let Ok(revision) = Revision::find(&collection.root, "HEAD") else {
        return Ok(None);
    };
    let failed = |error: String| Error::wrong(format!("the last commit cannot be read: {error}"));
    let changes = revision
        .changes(&[])
        .map_err(|error| failed(error.to_string()))?;
    let is_own = |file: &std::path::PathBuf| {
        let path = revision.root.join(file);
        let store = collection.store_at(&path);
        store.is_some_and(|store| !store.schema().in_rows())
    };
    let files: Vec<_> = changes.files.into_iter().filter(is_own).collect();
    let folder = tempfile::tempdir().map_err(|error| failed(error.to_string()))?;
    let written = revision.write_out(&files, folder.path());
    written.map_err(|error| failed(error.to_string()))?;
    let mut overlay = collection.overlay(ws.now);
    for file in files {
        let path = revision.root.join(&file);
        let staged = match std::fs::read(folder.path().join(&file)) {
            Ok(bytes) => overlay.write(&path, bytes),
            Err(_) => overlay.remove(&path, None),
        };
        // An unreadable file counts as unchanged.
        drop(staged);
    }
    Ok(Some(overlay))
}

fn print(
    tasks: &[Written],
    judged: &[Judged],
    format: CheckFormat,
    output: &mut Output,
) -> Result<(), Error> {
    let passed = judged.iter().filter(|one| one.has_passed()).count();
    let failed = judged.len() - passed;
    match format {
        CheckFormat::Json => {
            let all: Vec<JsonTask<'_>> = tasks.iter().zip(judged).map(json).collect();
            let all = serde_json::json!({ "tasks": all, "passed": passed, "failed": failed });
            writeln!(output.json(), "{all:#}")?;
        }
        CheckFormat::Quiet => {
            for one in judged.iter().filter(|one| !one.has_passed()) {
                writeln!(output, "{}", safe(&one.name))?;
            }
        }
        CheckFormat::Table => {
            for (task, one) in tasks.iter().zip(judged) {
                table(task, one, output)?;
            }
            writeln!(output, "{passed} passed, {failed} failed")?;
        }
    }
    Ok(())
}

fn json<'a>((task, one): (&'a Written, &'a Judged)) -> JsonTask<'a> {
    let given = one.answer.given.iter();
    JsonTask {
        name: &one.name,
        passed: one.has_passed(),
        expected: &one.expected,
        missing: &one.missing,
        unexpected: one.unexpected.iter().map(ToString::to_string).collect(),
        recall: one.recall,
        precision: one.precision,
        injected: given.map(|given| given.id.to_string()).collect(),
        tokens: one.answer.tokens,
        max_tokens: task.max_tokens,
    }
}

/// A task in lines: its state, and what is wrong.
fn table(task: &Written, one: &Judged, output: &mut Output) -> Result<(), Error> {
    let state = if one.has_passed() { "pass" } else { "FAIL" };
    output.bold(&format!("{state}  {}", safe(&one.name)))?;
    let share = |what: &str, share: Option<f64>| {
        share.map_or(String::new(), |share| {
            format!(" · {what} {:.0} %", share * 100.0)
        })
    };
    writeln!(
        output,
        "  {} injected, {}{}{}",
        one.answer.given.len(),
        plural(one.answer.tokens, "token"),
        share("recall", one.recall),
        share("precision", one.precision),
    )?;
    for id in &one.missing {
        writeln!(output, "      missing     {}", safe(id))?;
    }
    for id in &one.unexpected {
        writeln!(output, "      unexpected  {}", safe(&id.to_string()))?;
    }
    if let Some(most) = task.max_tokens.filter(|_| one.over > 0) {
        let over = plural(one.over, "token");
        writeln!(output, "      {over} over the limit of {most}")?;
    }
    Ok(())
}
