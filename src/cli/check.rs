//! `memkeep check`: judges the tasks of `.memkeep/tasks.yaml`, or sessions of agents; the report of the
//! tasks is also a page.

mod sessions;

use super::prelude::*;
use crate::project::revision::Revision;
use crate::retrieval::Texts;
use crate::retrieval::expect::{Answer, Given, Judged, TaskRunner, judge};
use crate::retrieval::tasks::{self, Written, is_named};
use crate::store::Overlay;
use crate::store::collection::Staged;
use crate::ui::words;

#[derive(Debug, clap::Args)]
pub struct Check {
    /// Only these tasks, by name
    #[arg(value_name = "TASK")]
    pub tasks: Vec<String>,
    /// Print a page that shows the tasks before (at the last commit) and now
    #[arg(long, value_name = "KIND", value_parser = ["html"])]
    pub report: Option<String>,
    /// Compare what sessions of agents were given with what is predicted: transcripts of Claude Code,
    /// Codex and Gemini CLI, and events `InstructionsLoaded`, in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["tasks", "report"])]
    pub sessions: Option<PathBuf>,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(&["table", "json", "quiet"]))]
    pub format: Format,
}

pub fn run(ws: &Workspace, args: &Check, output: &mut Output) -> Result<u8> {
    if let Some(folder) = &args.sessions {
        return sessions::run(ws, folder, args.format, output);
    }
    let mut suite = ws.task_suite(ws.now)?;
    suite.tasks = chosen(suite.tasks, &args.tasks)?;
    let (tasks, memories) = (&suite.tasks, ws.load());
    let play_all = |memories: &Snapshot, texts: &dyn Texts| -> Vec<Answer> {
        let Some(scorer) = suite.scorer(memories) else {
            return Vec::new();
        };
        let runner = TaskRunner::new(&suite, memories, texts, &scorer);
        tasks.iter().map(|task| runner.play(task)).collect()
    };
    let judged = tasks.iter().zip(play_all(&memories, &ws.collection));
    let judged = judged.map(|(task, answer)| (task.clone(), judge(task, answer, &memories)));
    let mut judged: Vec<(Written, Judged)> = judged.collect();
    ws.judge_caveats(&mut judged, &memories, args.report.is_some());
    for (_, one) in &judged {
        for id in &one.unknown {
            note(&format!("note: {}: no memory is called `{id}`", one.name));
        }
    }
    let failed = judged.iter().filter(|(_, one)| !one.has_passed()).count();
    if args.report.is_some() {
        let before = head(ws)?.map(|overlay| {
            let staged = Staged {
                collection: &ws.collection,
                overlay: &overlay,
            };
            play_all(&Arc::new(staged.memories(&memories)), &staged)
        });
        page(&judged, failed, before.as_deref(), output)?;
    } else {
        print(&judged, failed, args.format, output)?;
    }
    Ok(exit::found(failed == 0))
}

/// The tasks of these names, or all; none at all is no success.
fn chosen(all: Vec<Written>, names: &[String]) -> Result<Vec<Written>> {
    if all.is_empty() {
        let hint = "write tasks with `task`, `must`, `may` and `must_not` into it, or record one in \
                    the Inject view";
        return Err(Error::wrong(format!("no tasks in {}", tasks::PATH)).hint(hint));
    }
    let is_there = |name: &&String| all.iter().any(|one| one.name() == **name);
    if let Some(name) = names.iter().find(|name| !is_there(name)) {
        let hint = format!("known tasks: {}", all.iter().map(Written::name).join(", "));
        return Err(Error::wrong(format!("no task `{name}`")).hint(hint));
    }
    let is_chosen = |task: &Written| names.iter().any(|name| name == task.name());
    let all = all.into_iter();
    let chosen = all.filter(|task| names.is_empty() || is_chosen(task));
    Ok(chosen.collect())
}

/// The stores' files as the last commit has them, where they differ; none outside of a repository.
fn head(ws: &Workspace) -> Result<Option<Overlay>> {
    let collection = &ws.collection;
    let Ok(revision) = Revision::find(&collection.root, "HEAD") else {
        return Ok(None);
    };
    let failed = |error| Error::wrong(format!("the last commit cannot be read: {error}"));
    let changes = revision.changes(&[]).map_err(failed)?;
    let is_own = |file: &PathBuf| {
        let store = collection.store_at(&revision.root.join(file));
        store.is_some_and(|store| !store.schema().can.in_rows)
    };
    let files = changes.files.into_iter().filter(is_own).collect_vec();
    let mut old = revision.contents(&files).map_err(failed)?;
    let mut overlay = collection.overlay(ws.now);
    for file in files {
        let path = revision.root.join(&file);
        // An unreadable file counts as unchanged.
        let _ = match old.remove(&file) {
            Some(bytes) => overlay.write(&path, bytes),
            None => overlay.remove(&path, None),
        };
    }
    Ok(Some(overlay))
}

/// The tokens of a task over its limit, in words.
fn over_limit(task: &Written, one: &Judged) -> Option<String> {
    let most = task.max_tokens.filter(|_| one.over > 0)?;
    let over = plural(one.over, "token");
    Some(format!("{over} over the limit of {most}"))
}

fn print(
    judged: &[(Written, Judged)],
    failed: usize,
    format: Format,
    output: &mut Output,
) -> Result<()> {
    let passed = judged.len() - failed;
    match format {
        Format::Json => {
            let tasks = judged.iter().map(json).collect_vec();
            output.print_json(&json!({"tasks": tasks, "passed": passed, "failed": failed}))?;
        }
        Format::Quiet => {
            let failed = judged.iter().filter(|(_, one)| !one.has_passed());
            output.lines(failed.map(|(_, one)| safe(&one.name)))?;
        }
        _ => {
            for (task, one) in judged {
                table(task, one, output)?;
            }
            writeln!(output, "{passed} passed, {failed} failed")?;
        }
    }
    Ok(())
}

fn json((task, one): &(Written, Judged)) -> serde_json::Value {
    json!({
        "name": one.name,
        "passed": one.has_passed(),
        "expected": one.expected,
        "missing": one.missing,
        "unexpected": one.unexpected.iter().map(ToString::to_string).collect_vec(),
        "recall": one.recall,
        "precision": one.precision,
        "injected": one.answer.given.iter().map(|one| one.id.to_string()).collect_vec(),
        "tokens": one.answer.tokens,
        "max_tokens": task.max_tokens,
        "spoiled": one.spoiled,
    })
}

/// Recall and precision, as far as there are any: ` · recall 50 % · precision 100 %`.
fn shares(one: &Judged) -> String {
    let shares = [
        ("recall", one.recall),
        ("precision in the stores it names", one.precision),
    ];
    let shares = shares.into_iter();
    let shares = shares.filter_map(|(name, share)| Some((name, share?)));
    let words = shares.map(|(name, share)| format!(" · {name} {:.0} %", share * 100.0));
    words.collect()
}

fn table(task: &Written, one: &Judged, output: &mut Output) -> Result<()> {
    let state = if one.has_passed() { "pass" } else { "FAIL" };
    output.bold(&format!("{state}  {}", safe(&one.name)))?;
    let (given, tokens) = (one.answer.given.len(), plural(one.answer.tokens, "token"));
    let tokens = format!("{tokens} without context{}", shares(one));
    writeln!(output, "  {given} injected, {tokens}")?;
    for id in &one.missing {
        writeln!(output, "      missing     {}", safe(id))?;
    }
    for id in &one.unexpected {
        writeln!(output, "      unexpected  {}", safe(&id.to_string()))?;
    }
    for why in one.spoiled.iter().chain(&over_limit(task, one)) {
        writeln!(output, "      {}", safe(why))?;
    }
    Ok(())
}

const HEAD: &str = include_str!("../../assets/check/report.html");

/// A text as HTML, without escapes for terminals and without secrets.
fn html(text: &str) -> String {
    let text = safe(&mask(text)).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Prints the page. `before` are the answers at the last commit, where there is one.
fn page(
    judged: &[(Written, Judged)],
    failed: usize,
    before: Option<&[Answer]>,
    output: &mut Output,
) -> Result<()> {
    let passed = (judged.len() - failed).to_string();
    let head = HEAD.replace("{passed}", &passed);
    write!(output, "{}", head.replace("{failed}", &failed.to_string()))?;
    for (n, (task, one)) in judged.iter().enumerate() {
        section(task, one, before.and_then(|before| before.get(n)), output)?;
    }
    Ok(writeln!(output, "</html>")?)
}

fn section(
    task: &Written,
    one: &Judged,
    before: Option<&Answer>,
    output: &mut Output,
) -> Result<()> {
    let word = if one.has_passed() { "pass" } else { "fail" };
    let (name, text) = (html(&one.name), html(&task.task));
    let state = format!("<span class=\"{word}\">{word}</span>");
    writeln!(output, "<h2>{state} {name}</h2>\n<p>{text}")?;
    let agent = Some(html(&task.agent)).filter(|agent| !agent.is_empty());
    let agent = agent.map(|agent| format!(" · agent {agent}"));
    let agent = agent.unwrap_or_default();
    let files = task.files.iter().map(|file| format!(" · {}", html(file)));
    let files: String = files.collect();
    let tokens = plural(one.answer.tokens, "token");
    let was = before.map(|before| before.tokens);
    let was = was.filter(|was| *was != one.answer.tokens);
    let was = was.map(|was| format!("{was} → ")).unwrap_or_default();
    let shares = shares(one);
    writeln!(output, "<p class=\"q\">{was}{tokens}{shares}{agent}{files}")?;
    for id in &one.missing {
        writeln!(output, "<p class=\"fail\">missing: {}", html(id))?;
    }
    for why in one.spoiled.iter().chain(&over_limit(task, one)) {
        writeln!(output, "<p class=\"fail\">{}", html(why))?;
    }
    given_rows(task, one, before, output)?;
    if !one.answer.prompt.is_empty() {
        let prompt = mask(&one.answer.prompt).lines().map(html).join("\n");
        let prompt = format!("<summary>prompt</summary><pre>{prompt}</pre>");
        writeln!(output, "<details>{prompt}</details>")?;
    }
    Ok(())
}

/// The memories that are given now, then those that were at the last commit only.
fn given_rows(
    task: &Written,
    one: &Judged,
    before: Option<&Answer>,
    output: &mut Output,
) -> Result<()> {
    let was = before.map_or(&[][..], |before| &before.given);
    let now = &one.answer.given;
    let place = |all: &[Given], id: &MemoryId| all.iter().position(|one| one.id == *id);
    // Points mean something else in each store.
    let most = |given: &Given| {
        let same = now.iter().filter(|one| one.id.store == given.id.store);
        same.filter_map(|one| one.score).fold(0.0, f64::max)
    };
    let gone = was.iter().filter(|old| place(now, &old.id).is_none());
    let head = "<table><tr><th class=\"n\">before<th class=\"n\">now<th>memory<th>score<th class=\"n\">tokens<th>";
    writeln!(output, "{head}")?;
    for given in now.iter().chain(gone) {
        let (old, new) = (place(was, &given.id), place(now, &given.id));
        let (class, mut mark) = match (old, new) {
            (None, Some(_)) if before.is_some() => ("in", "enters"),
            (Some(_), None) => ("out", "leaves"),
            _ => ("", ""),
        };
        if one.unexpected.contains(&given.id) {
            mark = "must not be given";
        } else if mark.is_empty() && task.must.iter().any(|id| is_named(id, &given.id)) {
            mark = "expected";
        }
        let bar = |score: f64| {
            let most = most(given);
            let share = if most > 0.0 { score / most } else { 0.0 };
            let width = (share * 100.0).clamp(0.0, 100.0);
            let points = words::points(score);
            format!("<span class=\"bar\" style=\"width:{width:.0}px\"></span> {points}")
        };
        let score = given.score.map(bar).unwrap_or_default();
        let number = |at: Option<usize>| at.map_or("–".to_owned(), |at| (at + 1).to_string());
        let old = before.map(|_| number(old)).unwrap_or_default();
        let (new, title, id) = (number(new), html(&given.title), html(&given.id.to_string()));
        let caveats = one.caveats.get(&given.id).into_iter().flatten();
        let caveats = caveats.map(|caveat| format!("<br>! {}", html(&caveat.message)));
        let (caveats, tokens) = (caveats.collect::<String>(), given.tokens);
        write!(output, "<tr class=\"{class}\"><td class=\"n\">{old}")?;
        write!(output, "<td class=\"n\">{new}<td>{title}<br>")?;
        write!(output, "<span class=\"q\">{id}</span><td>{score}")?;
        writeln!(output, "<td class=\"n\">{tokens}<td>{mark}{caveats}")?;
    }
    Ok(writeln!(output, "</table>")?)
}
