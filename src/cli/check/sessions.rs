//! `memkeep check --sessions`: the memories and instructions that sessions were given, beside those
//! that memkeep predicts for them, file by file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::args::Format;
use crate::cli::extract::lines;
use crate::cli::hook::given;
use crate::cli::inject::{Inject, previews};
use crate::cli::prelude::*;
use crate::extract::trace::{Event, Happening, Trace};
use crate::lint::chars::cut;

/// Files of a folder that are read, and folders below it that are entered.
const MOST_FILES: usize = 10_000;
const DEEPEST: usize = 12;
/// Bytes of a task that are shown.
const SHORT: usize = 80;
/// Prompts of a session for which the hook is asked.
const MOST_PROMPTS: usize = 20;

/// A session and its file.
struct Session {
    file: PathBuf,
    trace: Trace,
}

/// A file or memory of a session: predicted, recorded, and the difference.
struct Row {
    path: String,
    id: Option<String>,
    predicted: Option<String>,
    /// True if it was loaded; none if nothing is recorded.
    loaded: Option<bool>,
    reason: Option<String>,
}

impl Row {
    fn state(&self) -> &'static str {
        match (self.predicted.is_some(), self.loaded) {
            (true, None) => "unknown",
            (true, Some(true)) => "as predicted",
            (false, Some(false) | None) => "not loaded",
            _ => "differs",
        }
    }
}

/// Runs the command.
pub fn run(ws: &Workspace, folder: &Path, format: Format, output: &mut Output) -> Result<u8> {
    let mut sessions = read(folder)?;
    let root = ws.collection.root.display().to_string();
    let is_own = |one: &Session| Path::new(&one.trace.session().folder).starts_with(&root);
    let (all, is_any_own) = (sessions.len(), sessions.iter().any(is_own));
    if is_any_own {
        sessions.retain(|one| is_own(one) || one.trace.session().folder.is_empty());
    }
    if sessions.is_empty() {
        let what = format!("no session in {}", folder.display());
        let hint = "Claude Code keeps them in ~/.claude/projects, Codex in ~/.codex/sessions, \
                    Gemini CLI in ~/.gemini/tmp";
        return Err(Error::nothing(what).hint(hint));
    }
    match all - sessions.len() {
        0 if is_any_own => {}
        0 => note(&format!(
            "note: the sessions are compared with {}, though they ran elsewhere",
            safe(&root)
        )),
        others => note(&format!(
            "note: {} of other folders left out",
            plural(others, "session")
        )),
    }
    let memories = ws.load();
    let mut counts = BTreeMap::<&str, usize>::new();
    let mut shown = Vec::new();
    for one in &sessions {
        let rows = rows(ws, &memories, &one.trace)?;
        for row in &rows {
            *counts.entry(row.state()).or_default() += 1;
        }
        match format {
            Format::Json => shown.push(json(one, folder, &rows)),
            Format::Quiet => {
                for row in rows.iter().filter(|row| row.state() == "differs") {
                    writeln!(output, "{}", safe(&row.path))?;
                }
            }
            _ => table(one, folder, &rows, output)?,
        }
    }
    let count = |state| counts.get(state).copied().unwrap_or_default();
    let [same, differ, unknown] = ["as predicted", "differs", "unknown"].map(count);
    match format {
        Format::Json => output.print_json(&json!({
            "sessions": shown, "as_predicted": same, "differs": differ, "unknown": unknown,
        }))?,
        Format::Quiet => {}
        _ => {
            let sessions = plural(sessions.len(), "session");
            writeln!(
                output,
                "{sessions}: {same} loaded as predicted, {differ} different, {unknown} unknown"
            )?;
        }
    }
    Ok(exit::DONE)
}

/// The sessions of a folder, in the order of their files.
fn read(folder: &Path) -> Result<Vec<Session>> {
    let (mut folders, mut files) = (vec![(folder.to_owned(), 0)], Vec::new());
    if folder.is_file() {
        (folders, files) = (Vec::new(), vec![folder.to_owned()]);
    } else if !folder.is_dir() {
        return Err(Error::wrong(format!(
            "no such folder: {}",
            folder.display()
        )));
    }
    while let Some((folder, depth)) = folders.pop() {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        for entry in entries {
            let (path, kind) = (entry.path(), entry.file_type());
            let is_lines = path.extension().is_some_and(|end| end == "jsonl");
            match kind {
                Ok(kind) if kind.is_dir() && depth < DEEPEST => folders.push((path, depth + 1)),
                Ok(kind) if kind.is_file() && is_lines && files.len() < MOST_FILES => {
                    files.push(path);
                }
                _ => {}
            }
        }
    }
    files.sort();
    let (mut sessions, mut events) = (Vec::new(), HashMap::<String, Vec<serde_json::Value>>::new());
    for file in files {
        let (mut trace, mut number) = (Trace::new(), 0);
        let read = lines(&file.to_string_lossy(), &mut |line| {
            number += 1;
            let line = line.unwrap_or_default();
            match line
                .contains("InstructionsLoaded")
                .then(|| serde_json::from_str(line))
            {
                Some(Ok(event)) if is_event(&event) => {
                    let session = event["session_id"].as_str().unwrap_or_default().to_owned();
                    events.entry(session).or_default().push(event);
                }
                _ => trace.line(number, line),
            }
            true
        });
        match read {
            Err(error) => note(&safe(&error.in_a_line())),
            Ok(()) if trace.session().agent.is_empty() => {}
            Ok(()) => sessions.push(Session { file, trace }),
        }
    }
    for one in &mut sessions {
        let name = one.file.file_stem().unwrap_or_default().to_string_lossy();
        for event in events.get(&*name).into_iter().flatten() {
            one.trace.loaded_by_event(event);
        }
    }
    Ok(sessions)
}

fn is_event(event: &serde_json::Value) -> bool {
    event["hook_event_name"] == "InstructionsLoaded" && event["file_path"].is_string()
}

/// A path as both sides write it: below the root or the home, the folder of Claude Code's own
/// memories under any name, for it has that of the project's path.
fn key(path: &str) -> String {
    let own = path.strip_prefix("~/.claude/projects/");
    let own = own.and_then(|own| own.split_once("/memory/"));
    own.map_or_else(
        || path.to_owned(),
        |(_, name)| format!("~/.claude/projects/…/memory/{name}"),
    )
}

/// The key of a file that is there.
fn key_of(ws: &Workspace, path: &Path) -> String {
    let home = etcetera::home_dir().unwrap_or_default();
    let below = path.strip_prefix(&ws.collection.root);
    let below = below.ok().map(|path| path.display().to_string());
    let own = || Some(format!("~/{}", path.strip_prefix(&home).ok()?.display()));
    key(&below
        .or_else(own)
        .unwrap_or_else(|| path.display().to_string()))
}

/// The files and memories of a session, predicted or recorded.
fn rows(ws: &Workspace, memories: &Snapshot, trace: &Trace) -> Result<Vec<Row>> {
    let predicted = predicted(ws, memories, trace)?;
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    for memory in memories.iter() {
        let (id, key) = (memory.id.to_string(), key_of(ws, &memory.path));
        ids.insert(memory.id.local.to_string(), id.clone());
        ids.insert(id.clone(), id.clone());
        ids.entry(key).or_insert(id);
    }
    let paths = trace.events.iter().map(|one| key(&one.path));
    let paths: BTreeSet<String> = paths.chain(predicted.keys().cloned()).collect();
    let row = |path: String| {
        let own = of_path(trace, &path);
        let load = own
            .iter()
            .find(|one| one.kind == Happening::Loaded)
            .copied();
        // What Gemini CLI puts into its system prompt is in no transcript.
        let is_kept = trace.is_recorded() && !path.starts_with("~/.gemini/");
        let mut row = Row {
            id: ids.get(&path).cloned(),
            predicted: predicted.get(&path).cloned(),
            loaded: load.map(|_| true).or(is_kept.then_some(false)),
            reason: None,
            path,
        };
        row.reason = reason(ws, trace, &row, load);
        row
    };
    Ok(paths.into_iter().map(row).collect())
}

fn of_path<'t>(trace: &'t Trace, path: &str) -> Vec<&'t Event> {
    let own = trace.events.iter().filter(|one| key(&one.path) == path);
    own.collect()
}

/// What memkeep predicts to be loaded, with the loader: files of instructions, what stores give the
/// agent, and what the hook gives where the session had one.
fn predicted(
    ws: &Workspace,
    memories: &Snapshot,
    trace: &Trace,
) -> Result<BTreeMap<String, String>> {
    let agent = trace.loader();
    let files = trace
        .files
        .iter()
        .filter(|file| !file.starts_with(['/', '~']));
    let asked = Inject {
        task: trace.prompts.first().cloned().unwrap_or_default(),
        files: files.cloned().collect(),
        ..Inject::default()
    };
    let (task, context, previews) = previews(ws, &asked)?;
    let mut all = BTreeMap::new();
    let loaded = context.files(ws, &task).into_iter();
    for file in loaded.filter(|file| file.given && file.agents.contains(&agent)) {
        let why = file.loaded.unwrap_or_default();
        all.insert(key_of(ws, &ws.collection.root.join(&file.path)), why);
    }
    // A subagent gets the instructions alone.
    let is_given = |agents: &[String]| !trace.is_subagent && agents.iter().any(|one| one == agent);
    for of in previews.iter().filter(|of| is_given(&of.agents)) {
        let why = format!("{agent} loads what {} selects", of.store);
        all.extend(of.given().map(|one| (key_of(ws, &one.path), why.clone())));
    }
    if !trace.events.iter().any(is_by_hook) {
        return Ok(all);
    }
    let prompts = trace.prompts.iter().take(MOST_PROMPTS);
    let prompts = prompts.map(|prompt| given(ws, memories, prompt, false));
    let blocks = std::iter::once(given(ws, memories, "", true)).chain(prompts);
    let blocks = blocks.flatten().collect_vec();
    for memory in memories.iter() {
        let mark = format!(" [{}]\n", memory.id);
        if blocks.iter().any(|block| block.contains(&mark)) {
            let why = "memkeep's hook gives it".to_owned();
            let known = trace.events.iter().filter(|one| is_by_hook(one));
            let names = [&*memory.id.local, &*memory.id.to_string()].map(str::to_owned);
            let own = known
                .map(|one| key(&one.path))
                .find(|path| names.contains(path));
            all.insert(own.unwrap_or_else(|| key_of(ws, &memory.path)), why);
        }
    }
    Ok(all)
}

fn is_by_hook(event: &Event) -> bool {
    event.kind == Happening::Loaded && event.how.starts_with("hook")
}

/// Why a prediction and a record differ, or nothing is known.
fn reason(ws: &Workspace, trace: &Trace, row: &Row, load: Option<&Event>) -> Option<String> {
    let agent = trace.loader();
    let path = row.path.strip_prefix("~/");
    let path = path.map(|below| etcetera::home_dir().unwrap_or_default().join(below));
    let path = path.unwrap_or_else(|| ws.collection.root.join(&row.path));
    let is_own_folder = row.path.starts_with("~/.codex/") || row.path.starts_with("~/.gemini/");
    let is_topic = row.path.contains("/…/memory/");
    let why = match (row.state(), load) {
        ("differs", Some(load)) if is_by_hook(load) => match row.id {
            Some(_) => format!("a {} gave it; memkeep's hook would not, here", load.how),
            None => format!("a {} gave it; no store here has it", load.how),
        },
        ("differs", Some(_)) if is_own_folder => {
            format!("{agent}'s own memory, of which memkeep reads no store")
        }
        ("differs", Some(_)) if trace.is_subagent && is_topic => {
            "a subagent got it, which is not documented".to_owned()
        }
        ("differs", Some(_)) if !is_topic && !path.is_file() => {
            "loaded then; the file is not there now".to_owned()
        }
        ("differs", Some(_)) if is_topic && row.id.is_none() => {
            "loaded then; no store of it is here now".to_owned()
        }
        ("differs", Some(load)) => {
            format!(
                "{agent} loaded it ({}); memkeep does not expect that here",
                load.how
            )
        }
        ("differs", None) if trace.is_subagent => {
            "a session is given it; this subagent's record does not name it".to_owned()
        }
        ("differs", None) if is_newer(&path, trace) => {
            "the file is newer than the session".to_owned()
        }
        ("differs", None) => "the transcript records other files and not this one".to_owned(),
        ("unknown", _) if trace.is_recorded() => {
            format!("{agent} loads it outside of what its transcript keeps")
        }
        ("unknown", _) => "the transcript records nothing that was loaded".to_owned(),
        _ => return None,
    };
    Some(why)
}

/// True if a file was made after a session began.
fn is_newer(path: &Path, trace: &Trace) -> bool {
    let started = trace
        .started
        .as_deref()
        .and_then(|time| chrono::DateTime::parse_from_rfc3339(time).ok());
    let made = fs::metadata(path).and_then(|meta| meta.created().or_else(|_| meta.modified()));
    let made = made.ok().map(chrono::DateTime::<chrono::Utc>::from);
    started
        .zip(made)
        .is_some_and(|(started, made)| made > started)
}

/// The name of a session's file below the folder.
fn name(one: &Session, folder: &Path) -> String {
    let below = one.file.strip_prefix(folder).unwrap_or(&one.file);
    let is_folder = below.as_os_str().is_empty();
    if is_folder { &one.file } else { below }
        .display()
        .to_string()
}

fn json(one: &Session, folder: &Path, rows: &[Row]) -> serde_json::Value {
    let trace = &one.trace;
    let events = trace.events.iter().map(|event| {
        let [from, to] = event.lines.map(|line| Some(line).filter(|line| *line > 0));
        json!({
            "event": event.kind.word(), "path": key(&event.path), "line": from, "to": to,
            "evidence": Some(mask(&event.how)).filter(|how| !how.is_empty()),
        })
    });
    let files = rows.iter().map(|row| {
        json!({
            "path": row.path, "id": row.id, "state": row.state(), "predicted": row.predicted,
            "loaded": row.loaded, "reason": row.reason,
        })
    });
    json!({
        "file": name(one, folder), "agent": trace.session().agent, "subagent": trace.is_subagent,
        "started": trace.started, "task": task(trace), "recorded": trace.is_recorded(),
        "files": files.collect_vec(), "events": events.collect_vec(),
    })
}

fn task(trace: &Trace) -> Option<String> {
    let task = trace.prompts.first()?.lines().next()?;
    Some(mask(cut(task, SHORT)).into_owned())
}

fn table(one: &Session, folder: &Path, rows: &[Row], output: &mut Output) -> Result<()> {
    let trace = &one.trace;
    let task = task(trace).unwrap_or_default();
    output.bold(&safe(&name(one, folder)))?;
    writeln!(output, "  {}", safe(&task))?;
    for row in rows {
        let own = of_path(trace, &row.path);
        let kinds = own.iter().map(|event| event.kind).unique();
        let kinds = kinds.map(|kind| {
            let lines = own.iter().filter(|event| event.kind == kind);
            let lines = lines
                .map(|event| event.lines[0])
                .filter(|line| *line > 0)
                .unique();
            let lines = lines.map(|line| format!(" {line}")).join("");
            format!("{}{lines}", kind.word())
        });
        let kinds = kinds.collect_vec().join(" · ");
        writeln!(output, "  {:12}  {}  {kinds}", row.state(), safe(&row.path))?;
        if let Some(reason) = &row.reason {
            output.faint(&format!("                {}\n", safe(reason)))?;
        }
    }
    Ok(())
}
