//! `memkeep check --sessions`: the memories and instructions that sessions were given, beside those
//! that memkeep predicts for them, file by file.

use std::fs;

use chrono::{DateTime, Utc};

use crate::agent::hook::settings::title_of;
use crate::cli::extract::lines;
use crate::cli::inject::asked;
use crate::cli::prelude::*;
use crate::extract::trace::{Event, Happening, Trace};
use crate::lint::chars::cut;
use crate::workspace::preview::StorePreview;

/// Files of a folder that are read, and folders below it that are entered.
const MOST_FILES: usize = 10_000;
const DEEPEST: usize = 12;
const SHORT: usize = 80;

/// Ids of memories by the paths and names that sessions know them by.
type Ids = HashMap<String, String>;

#[derive(Serialize)]
struct Row {
    path: String,
    id: Option<String>,
    predicted: bool,
    /// True if it was loaded; none if nothing is recorded.
    loaded: Option<bool>,
    state: &'static str,
    reason: Option<String>,
}

pub fn run(ws: &Workspace, folder: &Path, format: Format, output: &mut Output) -> Result<u8> {
    let mut sessions = read(folder)?;
    let root = &ws.collection.root;
    let is_own = |one: &Trace| Path::new(&one.session().folder).starts_with(root);
    let is_other = |one: &Trace| !is_own(one) && !one.session().folder.is_empty();
    let (all, is_any_own) = (sessions.len(), sessions.values().any(is_own));
    sessions.retain(|_, one| !is_any_own || !is_other(one));
    match all - sessions.len() {
        0 if all == 0 => {
            let hint = "Claude Code keeps them in ~/.claude/projects, Codex in ~/.codex/sessions, \
                        Gemini CLI in ~/.gemini/tmp";
            let what = format!("no session in {}", folder.display());
            return Err(Error::nothing(what).hint(hint));
        }
        0 if is_any_own => {}
        0 => note("note: none ran in this folder; all are compared with it"),
        others => {
            let others = plural(others, "session");
            note(&format!("note: {others} of other folders left out"));
        }
    }
    let mut ids = Ids::new();
    for memory in ws.load().iter() {
        let id = memory.id.to_string();
        let (path, local) = (key_of(ws, &memory.path), memory.id.local.to_string());
        for name in [path, local, id.clone()] {
            ids.entry(name).or_insert_with(|| id.clone());
        }
    }
    let (mut states, mut shown) = (Vec::new(), Vec::new());
    for (file, trace) in &sessions {
        let below = file.strip_prefix(folder).unwrap_or(file);
        let is_it = below.as_os_str().is_empty();
        let name = if is_it { file } else { below }.display().to_string();
        let rows = rows(ws, &ids, trace)?;
        states.extend(rows.iter().map(|row| row.state));
        match format {
            Format::Json => shown.push(json(&name, trace, &rows)),
            _ => table(&name, trace, &rows, output)?,
        }
    }
    let count = |state| states.iter().filter(|one| **one == state).count();
    let [same, differ, unknown] = ["as predicted", "differs", "unknown"].map(count);
    if format == Format::Json {
        output.print_json(&json!({
            "sessions": shown, "as_predicted": same, "differs": differ, "unknown": unknown,
        }))?;
    } else {
        let sessions = plural(sessions.len(), "session");
        let differ = format!("{differ} different, {unknown} unknown");
        writeln!(output, "{sessions}: {same} as predicted, {differ}")?;
    }
    Ok(exit::DONE)
}

fn files_below(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, kind) = (entry.path(), entry.file_type());
        if kind.as_ref().is_ok_and(fs::FileType::is_dir) && depth < DEEPEST {
            files_below(&path, depth + 1, files);
        } else if kind.is_ok_and(|kind| kind.is_file())
            && path.extension().is_some_and(|end| end == "jsonl")
            && files.len() < MOST_FILES
        {
            files.push(path);
        }
    }
}

fn read(folder: &Path) -> Result<BTreeMap<PathBuf, Trace>> {
    let mut files = Vec::from_iter(folder.is_file().then(|| folder.to_owned()));
    files_below(folder, 0, &mut files);
    if !folder.exists() {
        let what = format!("no such folder: {}", folder.display());
        return Err(Error::wrong(what));
    }
    let (mut sessions, mut events) = (BTreeMap::new(), Vec::new());
    for file in files {
        let (mut trace, mut number) = (Trace::new(), 0);
        let read = lines(&file.to_string_lossy(), &mut |line| {
            number += 1;
            let line = line.unwrap_or_default();
            let is_event = line.contains("InstructionsLoaded");
            match is_event.then(|| serde_json::from_str(line)) {
                Some(Ok::<serde_json::Value, _>(event)) if event.get("file_path").is_some() => {
                    events.push(event);
                }
                _ => trace.line(number, line),
            }
            true
        });
        if let Err(error) = read {
            note(&safe(&error.in_a_line()));
        } else if !trace.session().agent.is_empty() {
            trace.let_go();
            sessions.insert(file, trace);
        }
    }
    for event in &events {
        let id = event.get("session_id").and_then(|id| id.as_str());
        let is_its =
            |(file, _): &(&PathBuf, _)| file.file_stem().and_then(|name| name.to_str()) == id;
        if let Some((_, trace)) = sessions.iter_mut().find(is_its) {
            trace.loaded_by_event(event);
        }
    }
    Ok(sessions)
}

/// A path as both sides write it: Claude Code's folder for a project has the name of its path.
fn key(path: &str) -> String {
    let own = path.strip_prefix("~/.claude/projects/");
    let own = own.and_then(|own| own.split_once("/memory/"));
    let shown = own.map(|(_, name)| format!("~/.claude/projects/…/memory/{name}"));
    shown.unwrap_or_else(|| path.to_owned())
}

/// The key of a file that is there.
fn key_of(ws: &Workspace, path: &Path) -> String {
    let home = etcetera::home_dir().unwrap_or_default();
    let own = || Some(format!("~/{}", path.strip_prefix(&home).ok()?.display()));
    let below = path.strip_prefix(&ws.collection.root).ok();
    let below = below.map(|path| path.display().to_string()).or_else(own);
    key(&below.unwrap_or_else(|| path.display().to_string()))
}

fn rows(ws: &Workspace, ids: &Ids, trace: &Trace) -> Result<Vec<Row>> {
    let predicted = predicted(ws, trace)?;
    let paths = trace.events.iter().map(|one| key(&one.path));
    let paths: BTreeSet<String> = paths.chain(predicted.iter().cloned()).collect();
    let row = |path: String| {
        let is_load = |one: &&Event| one.kind == Happening::Loaded && key(&one.path) == path;
        let load = trace.events.iter().find(is_load);
        // What Gemini CLI puts into its system prompt is in no transcript.
        let is_kept = trace.is_recorded() && !path.starts_with("~/.gemini/");
        let mut row = Row {
            id: ids.get(&path).cloned(),
            predicted: predicted.contains(&path),
            loaded: load.map(|_| true).or(is_kept.then_some(false)),
            state: "differs",
            reason: None,
            path,
        };
        match (row.predicted, row.loaded) {
            (true, Some(true)) => row.state = "as predicted",
            (false, None | Some(false)) => row.state = "not loaded",
            (true, None) => {
                row.state = "unknown";
                row.reason = Some("the transcript does not record what is loaded there".to_owned());
            }
            _ => row.reason = Some(reason(ws, trace, &row, load)),
        }
        row
    };
    Ok(paths.into_iter().map(row).collect())
}

/// The keys of what memkeep predicts to be loaded: files of instructions, and what stores give the agent.
fn predicted(ws: &Workspace, trace: &Trace) -> Result<BTreeSet<String>> {
    let agent = title_of(trace.session().agent);
    let files = trace.files.iter();
    let files = files.filter(|file| !file.starts_with(['/', '~']));
    let (files, task) = (files.cloned().collect_vec(), trace.task.as_deref());
    let task = (task.unwrap_or_default(), &*files);
    let (task, context, previews) = asked(ws, task, Format::Prompt)?;
    let files = context.files(ws, &task).into_iter();
    let files = files.filter(|file| file.given && file.agents.contains(&agent));
    let files = files.map(|file| key_of(ws, &ws.collection.root.join(file.path)));
    // A subagent gets the instructions alone.
    let is_its = |of: &&StorePreview| of.agents.iter().any(|one| one == agent);
    let stores = previews.iter().filter(|_| !trace.is_subagent);
    let stores = stores.filter(is_its);
    let given = stores.flat_map(|of| of.given().map(|one| key_of(ws, &one.path)));
    Ok(files.chain(given).collect())
}

fn reason(ws: &Workspace, trace: &Trace, row: &Row, load: Option<&Event>) -> String {
    let (agent, path) = (title_of(trace.session().agent), &row.path);
    let home = path.strip_prefix("~/");
    let home = home.map(|below| etcetera::home_dir().unwrap_or_default().join(below));
    let file = home.unwrap_or_else(|| ws.collection.root.join(path));
    let is_topic = path.contains("/…/memory/");
    let why = match load {
        Some(load) if load.how.starts_with("hook") => {
            return format!("a {} gave it, not {agent}", load.how);
        }
        Some(_) if path.starts_with("~/.codex/") || path.starts_with("~/.gemini/") => {
            return format!("{agent}'s own memory, of which memkeep reads no store");
        }
        Some(_) if is_topic && row.id.is_none() => "loaded then; no store here has it now",
        Some(_) if !is_topic && !file.is_file() => "loaded then; the file is not there now",
        Some(_) if trace.is_subagent => "a subagent got it, which is not documented",
        Some(load) => {
            let how = &load.how;
            return format!("{agent} loaded it ({how}), which its documents do not say");
        }
        None if trace.is_subagent => {
            "a session is given it; this subagent's record does not name it"
        }
        None if is_newer(&file, trace) => "the file is newer than the session",
        None => "the record of the session names other files and not this one",
    };
    why.to_owned()
}

fn is_newer(file: &Path, trace: &Trace) -> bool {
    let started = trace.started.as_deref().and_then(Timestamp::parse_iso);
    let made = fs::metadata(file).and_then(|meta| meta.created().or_else(|_| meta.modified()));
    let made = made.map(|at| DateTime::<Utc>::from(at).timestamp_millis());
    made.is_ok_and(|made| started.is_some_and(|started| made > started.0))
}

fn json(name: &str, trace: &Trace, rows: &[Row]) -> serde_json::Value {
    let events = trace.events.iter().map(|event| {
        let [from, to] = event.lines.map(|line| Some(line).filter(|line| *line > 0));
        json!({
            "event": event.kind.word(), "path": key(&event.path), "line": from, "to": to,
            "evidence": Some(mask(&event.how)).filter(|how| !how.is_empty()),
        })
    });
    json!({
        "file": name, "agent": trace.session().agent, "subagent": trace.is_subagent,
        "started": trace.started, "task": task(trace), "recorded": trace.is_recorded(),
        "files": rows, "events": events.collect_vec(),
    })
}

fn task(trace: &Trace) -> Option<String> {
    let task = trace.task.as_ref()?.lines().next()?;
    Some(mask(cut(task, SHORT)).into_owned())
}

fn table(name: &str, trace: &Trace, rows: &[Row], output: &mut Output) -> Result<()> {
    let task = task(trace).unwrap_or_default();
    output.heading(&safe(&format!("{name}  {task}")))?;
    for row in rows {
        let mut kinds: BTreeMap<Happening, String> = BTreeMap::new();
        for event in trace.events.iter().filter(|one| key(&one.path) == row.path) {
            let lines = kinds.entry(event.kind).or_default();
            *lines += &format!(" {}", event.lines[0]);
        }
        let kinds = kinds.iter();
        let kinds = kinds.map(|(kind, lines)| format!("{}{lines}", kind.word()));
        let kinds = kinds.format(" · ");
        writeln!(output, "  {:12}  {}  {kinds}", row.state, safe(&row.path))?;
        if let Some(reason) = &row.reason {
            output.faint(&format!("                {}\n", safe(reason)))?;
        }
    }
    Ok(())
}
