//! `memkeep history`: the versions of a memory with what each changed, and every change that
//! memkeep made; `undo` and `redo` of these.

use super::change;
use super::prelude::*;
use crate::app::history::State;
use crate::curate::FileChange;
use crate::curate::versions::{self, FieldChange, Step, Version};
use crate::project::commits::named;
use crate::store::StoreError;
use crate::store::journal::{Entry, Kind as Direction};
use crate::workspace::Kind;
use crate::workspace::orders::{NOTHING, title};

#[derive(Debug, clap::Args)]
pub struct History {
    /// The memory, also one that was deleted [default: every change that memkeep made]
    pub id: Option<String>,
    /// Bring back a version: a commit, branch or tag, or `#` and the number of a step
    #[arg(long, value_name = "REV", requires = "id")]
    pub restore: Option<String>,
    /// Only the newest N
    #[arg(long, value_name = "N")]
    pub last: Option<usize>,
    /// With --restore: print the diff and write nothing
    #[arg(long, requires = "restore")]
    pub dry_run: bool,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(PLAIN))]
    pub format: Format,
}

pub fn run(ws: &Workspace, args: &History, output: &mut Output) -> Result<u8> {
    let (count, none) = match (&args.id, &args.restore) {
        (None, _) => {
            let none = "memkeep changed nothing here".to_owned();
            (changes(ws, args, output)?, none)
        }
        (Some(typed), Some(rev)) => return restore(ws, (typed, rev), args.dry_run, output),
        (Some(typed), None) => {
            let (id, all) = versions_of(ws, typed, &ws.load())?;
            let none = format!("nothing is known of earlier versions of {id}");
            (list(ws, args, &all, output)?, none)
        }
    };
    match count {
        0 => Err(Error::nothing(none).hint("only git and memkeep's own journal remember versions")),
        _ => Ok(exit::DONE),
    }
}

/// The memory that a typed id stands for, or stood for, and its versions.
fn versions_of(
    ws: &Workspace,
    typed: &str,
    memories: &[Arc<Memory>],
) -> Result<(MemoryId, Vec<Version>)> {
    let collection = &ws.collection;
    let error = match ws.find(typed, memories) {
        Ok(memory) => {
            let versions = collection.versions(&memory.id, memories)?;
            return Ok((memory.id.clone(), versions));
        }
        Err(error) => error,
    };
    // One that is not there any more is known by its whole name.
    let mut known = collection.infos().filter_map(|info| {
        let local = match typed.strip_prefix(&*info.id.0) {
            Some(rest) => rest.strip_prefix(':')?,
            None => typed,
        };
        let id = MemoryId::new(&info.id, local);
        let versions = collection.versions(&id, memories).unwrap_or_default();
        (!versions.is_empty()).then_some((id, versions))
    });
    known.next().ok_or(error)
}

fn restore(
    ws: &Workspace,
    (typed, rev): (&str, &str),
    dry_run: bool,
    output: &mut Output,
) -> Result<u8> {
    change::make(ws, dry_run, output, &|memories| {
        let (id, all) = versions_of(ws, typed, memories)?;
        let memory = memories.iter().find(|memory| memory.id == id);
        let folder = memory.and_then(|memory| memory.path.parent());
        let version = named(&all, rev, folder.unwrap_or(&ws.collection.root));
        let version = version.ok_or_else(|| {
            let hint = format!("`memkeep history {id}` lists the versions");
            Error::nothing(format!("{id} has no version `{rev}`")).hint(hint)
        })?;
        let version = Arc::new(version.clone());
        Ok(Change::Version { id, version })
    })
}

fn day(version: &Version) -> String {
    match version.time {
        Some(time) => time.date(),
        None if version.rev.is_empty() => "today".to_owned(),
        None => "earlier".to_owned(),
    }
}

/// Fields that differ as JSON, texts without secrets.
pub fn changed_fields(all: Vec<FieldChange>) -> Vec<serde_json::Value> {
    let masked = |value: Option<Value>| match value {
        Some(Value::Text(text)) => json!(mask(&text)),
        value => json!(value),
    };
    let one = |FieldChange { name, old, new }| json!({"name": name, "old": masked(old), "new": masked(new)});
    all.into_iter().map(one).collect()
}

/// A text, where there is one.
fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn list(ws: &Workspace, args: &History, all: &[Version], output: &mut Output) -> Result<usize> {
    let count = all.len().min(args.last.unwrap_or(usize::MAX));
    let shown = |path: &Path| ws.collection.shown(path);
    if args.format == Format::Json {
        let numbers: Vec<usize> = (0..count).collect();
        let memory = |n: usize| Some(&*all.get(n)?.state.as_ref()?.0);
        let json = |n: &usize| {
            let fields = versions::fields(memory(n + 1), memory(*n));
            let version = all.get(*n)?;
            let from = match &version.step {
                Step::Moved(from) => Some(shown(from)),
                _ => None,
            };
            Some(json!({
                "rev": some(&version.rev),
                "time": version.time.map(Timestamp::to_rfc3339),
                "author": some(&version.author),
                "subject": mask(&version.subject),
                "change": version.step.word(),
                "path": shown(&version.path),
                "from": from,
                "fields": changed_fields(fields),
                "diff": mask(&version.diff()),
            }))
        };
        output.print_array(&numbers, json)?;
        return Ok(count);
    }
    for version in all.iter().take(count) {
        output.bold(version.short())?;
        let step = match &version.step {
            Step::Moved(from) => format!("renamed from {}", shown(from)),
            step => step.word().to_owned(),
        };
        let author = some(&version.author).map(str::to_owned);
        let facts = [Some(day(version)), author, Some(step)];
        let facts = facts.into_iter().flatten().join(" · ");
        let subject = mask(&version.subject);
        writeln!(output, "  {}  {}", safe(&facts), safe(&subject))?;
        let diff = mask(&version.diff()).into_owned();
        // The place of a hunk in the text of one memory tells nothing.
        for line in diff.lines().filter(|line| !line.starts_with("@@")) {
            writeln!(output, "{}", format!("    {}", safe(line)).trim_end())?;
        }
        writeln!(output)?;
    }
    Ok(count)
}

fn changes(ws: &Workspace, args: &History, output: &mut Output) -> Result<usize> {
    let mut all = ws.journal()?;
    let undone = all.iter().filter(|(_, state)| *state == State::Undone);
    let next = undone.max_by_key(|(entry, _)| entry.order);
    let next = next.map(|(entry, _)| entry.seq);
    all.truncate(args.last.unwrap_or(usize::MAX));
    if args.format == Format::Json {
        let json = |(entry, state): &(Entry, State)| {
            let paths = entry.plan.changes.iter().flat_map(FileChange::paths);
            json!({
                "seq": entry.seq,
                "time": Timestamp(entry.time).to_rfc3339(),
                "action": entry.action,
                "title": entry.plan.title,
                "ids": entry.ids,
                "state": if *state == State::Done { "done" } else { "undone" },
                "files": paths.map(|path| ws.collection.shown(path)).collect_vec(),
            })
        };
        output.print_array(&all, json)?;
        return Ok(all.len());
    }
    for (entry, state) in &all {
        let when = Timestamp(entry.time).to_rfc3339();
        let when = when.get(..16).unwrap_or(&when).replace('T', " ");
        output.faint(&format!("{:>5}  {when}  ", format!("#{}", entry.seq)))?;
        let undone = match state {
            State::Done => "",
            State::Undone if next == Some(entry.seq) => "undone, `memkeep redo` does it again: ",
            State::Undone | State::Dropped => "undone: ",
        };
        writeln!(output, "{undone}{}", safe(&mask(&entry.plan.title)))?;
    }
    Ok(all.len())
}

#[derive(Debug, clap::Args)]
pub struct Undo {
    /// The change, by its number in `memkeep history` [default: the last one]
    #[arg(value_name = "#N", conflicts_with = "dry_run")]
    pub change: Option<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, clap::Args)]
pub struct Redo {
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

pub fn undo(ws: &Workspace, args: &Undo, output: &mut Output) -> Result<u8> {
    let typed = args.change.as_deref();
    let number = typed.map(|typed| typed.trim_start_matches('#').parse::<u64>());
    let number = number.transpose().map_err(|_| {
        let what = format!("`{}` is no number of a change", typed.unwrap_or_default());
        Error::wrong(what).hint("`memkeep history` numbers them: `memkeep undo '#3'`")
    })?;
    let undo = || match number {
        Some(number) => ws.collection.undo_one(number),
        None => ws.collection.undo(),
    };
    match args.dry_run {
        true => dry_run(ws, Direction::Undo, output),
        false => step(undo(), ["undo", "undone"], output),
    }
}

pub fn redo(ws: &Workspace, args: &Redo, output: &mut Output) -> Result<u8> {
    match args.dry_run {
        true => dry_run(ws, Direction::Redo, output),
        false => step(ws.collection.redo(), ["redo", "done again"], output),
    }
}

fn step(
    made: Result<Option<Entry>, StoreError>,
    [verb, done]: [&str; 2],
    output: &mut Output,
) -> Result<u8> {
    let none = || Error::nothing(format!("nothing to {verb}"));
    let entry = made.map_err(refused)?.ok_or_else(none)?;
    writeln!(output, "{done}: {}", safe(&title(&entry)))?;
    Ok(exit::DONE)
}

fn dry_run(ws: &Workspace, direction: Direction, output: &mut Output) -> Result<u8> {
    let is_undo = direction == Direction::Undo;
    let verb = if is_undo { "undo" } else { "redo" };
    let none = || Error::nothing(format!("nothing to {verb}"));
    let plan = ws.collection.step_plan(direction)?.ok_or_else(none)?;
    if plan.is_empty() {
        writeln!(output, "{NOTHING}")?;
    } else if let Some(error) = ws.collection.in_the_way(&plan) {
        return Err(refused(error));
    } else {
        output.write_all(&ws.diff(&plan))?;
    }
    Ok(exit::DONE)
}

/// A file that came in the way is one that changed: nobody named it.
fn refused(error: StoreError) -> Error {
    match error {
        StoreError::Exists(_) => Error::new(Kind::Refused, error.to_string())
            .hint("give it another name first; nothing was written"),
        error => error.into(),
    }
}
