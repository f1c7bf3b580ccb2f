//! `memkeep history`: the versions of a memory with what each changed, and every change that
//! memkeep made.

use std::path::Path;

use super::args::{Format, PLAIN, one_of};
use super::change;
use super::json::{changed_fields, print_array};
use super::prelude::*;
use crate::app::history::State;
use crate::curate::FileChange;
use crate::curate::versions::{self, Step, Version};
use crate::project::commits::named;
use crate::store::journal::Entry;
use crate::ui::safe::pad;

/// Arguments of `history`.
#[derive(Debug, clap::Args)]
pub struct History {
    /// The memory, also one that was deleted [default: every change that memkeep made]
    pub id: Option<String>,
    /// Bring back a version: a commit, branch or tag, or `#` and the number of a step
    #[arg(long, value_name = "REV", requires = "id")]
    pub restore: Option<String>,
    /// Who last changed which line
    #[arg(long, requires = "id", conflicts_with = "restore")]
    pub blame: bool,
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

/// Runs the command.
pub fn run(ws: &Workspace, args: &History, output: &mut Output) -> Result<u8> {
    let (count, none) = match (&args.id, &args.restore) {
        (None, _) => (
            changes(ws, args, output)?,
            "memkeep changed nothing here".to_owned(),
        ),
        (Some(typed), Some(rev)) => return restore(ws, (typed, rev), args.dry_run, output),
        (Some(typed), None) => {
            let (id, all) = versions_of(ws, typed, &ws.load())?;
            let none = format!("nothing is known of earlier versions of {id}");
            match args.blame {
                true => (blame(&all, args.format, output)?, none),
                false => (list(ws, args, &all, output)?, none),
            }
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

/// The day of a version.
fn day(version: &Version) -> String {
    match version.time {
        Some(time) => time.date(),
        None if version.rev.is_empty() => "today".to_owned(),
        None => "earlier".to_owned(),
    }
}

/// A text, where there is one.
fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Prints the versions of a memory, each with what it changed.
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
        print_array(&numbers, json, output)?;
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

/// Prints each line with who wrote it.
fn blame(all: &[Version], format: Format, output: &mut Output) -> Result<usize> {
    const NAME: usize = 16;
    let lines = versions::blame(all);
    if format == Format::Json {
        let json = |(n, text): &(usize, String)| {
            let version = all.get(*n);
            json!({
                "rev": version.and_then(|one| some(&one.rev)),
                "time": version.and_then(|one| one.time).map(Timestamp::to_rfc3339),
                "author": version.and_then(|one| some(&one.author)),
                "text": mask(text),
            })
        };
        output.print_json(&lines.iter().map(json).collect_vec())?;
        return Ok(lines.len());
    }
    for (n, text) in &lines {
        let Some(version) = all.get(*n) else { continue };
        let (day, author) = (pad(&day(version), 10), pad(&safe(&version.author), NAME));
        output.faint(&format!("{:<7}  {day}  {author}  ", version.short()))?;
        writeln!(output, "{}", safe(&mask(text)).trim_end())?;
    }
    Ok(lines.len())
}

/// Prints the changes that memkeep made.
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
        print_array(&all, json, output)?;
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
