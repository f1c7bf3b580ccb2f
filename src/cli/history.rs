//! `memkeep history`: the versions of a memory with what each changed, and every change that
//! memkeep made.

use clap::ValueEnum;
use std::io::Write as _;
use std::sync::Arc;

use serde::Serialize;
use similar::DiffOp;

use super::error::Error;
use super::json::print_array;
use super::{Output, change, exit};
use crate::app::conflict::words::differing;
use crate::app::history::State;
use crate::curate::diff::ops;
use crate::curate::versions::{self, Step, Version};
use crate::curate::{Change, FileChange};
use crate::lint::mask;
use crate::memory::{Memory, MemoryId, Timestamp, Value};
use crate::project::versions::named;
use crate::store::journal::Entry;
use crate::ui::safe::{pad, safe};
use crate::workspace::Workspace;

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
    #[arg(long, value_enum, default_value_t)]
    pub format: HistoryFormat,
}

/// How a history is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum HistoryFormat {
    /// For people.
    #[default]
    Table,
    /// An array of versions, or of changes.
    Json,
}

/// Runs the command.
pub fn run(ws: &Workspace, args: &History, output: &mut Output) -> Result<u8, Error> {
    let Some(typed) = &args.id else {
        return changes(ws, args, output);
    };
    if let Some(rev) = &args.restore {
        return restore(ws, (typed, rev), args.dry_run, output);
    }
    let (id, mut all) = of(ws, typed, &ws.load())?;
    if args.blame {
        return blame(&all, args.format, output);
    }
    all.truncate(args.last.unwrap_or(usize::MAX));
    match args.format {
        HistoryFormat::Json => {
            let numbers: Vec<usize> = (0..all.len()).collect();
            print_array(&numbers, |n| VersionJson::new(ws, &all, *n), output)?;
        }
        HistoryFormat::Table => {
            for version in &all {
                print(ws, version, output)?;
            }
        }
    }
    found(
        !all.is_empty(),
        &format!("nothing is known of earlier versions of {id}"),
    )
}

/// Exit code 1 with the reason where nothing was found.
fn found(is: bool, why: &str) -> Result<u8, Error> {
    match is {
        true => Ok(exit::DONE),
        false => {
            Err(Error::nothing(why).hint("only git and memkeep's own journal remember versions"))
        }
    }
}

/// The memory that a typed id stands for, or stood for, and its versions.
fn of(
    ws: &Workspace,
    typed: &str,
    memories: &[Arc<Memory>],
) -> Result<(MemoryId, Vec<Version>), Error> {
    let collection = &ws.collection;
    let error = match ws.find(typed, memories) {
        Ok(memory) => {
            return Ok((
                memory.id.clone(),
                collection.versions(&memory.id, memories)?,
            ));
        }
        Err(error) => error,
    };
    // One that is not there any more is known by its whole name.
    for info in collection.infos() {
        let local = match typed.strip_prefix(&*info.id.0) {
            Some(rest) => rest.strip_prefix(':'),
            None => Some(typed),
        };
        let Some(local) = local else { continue };
        let id = MemoryId::new(&info.id, local);
        let versions = collection.versions(&id, memories).unwrap_or_default();
        if !versions.is_empty() {
            return Ok((id, versions));
        }
    }
    Err(error.into())
}

fn restore(
    ws: &Workspace,
    (typed, rev): (&str, &str),
    dry_run: bool,
    output: &mut Output,
) -> Result<u8, Error> {
    change::make(ws, dry_run, output, &|memories| {
        let (id, all) = of(ws, typed, memories)?;
        let folder = memories.iter().find(|memory| memory.id == id);
        let folder = folder.and_then(|memory| memory.path.parent());
        let folder = folder.unwrap_or(&ws.collection.root);
        let version = named(&all, rev, folder).ok_or_else(|| {
            let hint = format!("`memkeep history {id}` lists the versions");
            Error::nothing(format!("{id} has no version `{rev}`")).hint(hint)
        })?;
        let version = Arc::new(version.clone());
        Ok(Change::Version { id, version })
    })
}

/// The day of a version.
fn day(version: &Version) -> String {
    let unknown = if version.rev.is_empty() {
        "today"
    } else {
        "earlier"
    };
    version
        .time
        .map_or_else(|| unknown.to_owned(), Timestamp::date)
}

/// A version and what it changed, word by word.
fn print(ws: &Workspace, version: &Version, output: &mut Output) -> Result<(), Error> {
    output.bold(version.short())?;
    let mut facts = vec![day(version)];
    facts.extend(Some(version.author.to_string()).filter(|author| !author.is_empty()));
    facts.push(match &version.step {
        Step::Moved(from) => format!("renamed from {}", ws.collection.shown(from)),
        step => step.word().to_owned(),
    });
    let facts = facts.join(" · ");
    writeln!(
        output,
        "  {}  {}",
        safe(&facts),
        safe(&mask(&version.subject))
    )?;
    for line in words(&mask(&version.diff())) {
        writeln!(output, "{}", format!("    {line}").trim_end())?;
    }
    Ok(writeln!(output)?)
}

/// A diff with the words that changed in a line as `[-old-]{+new+}`, as `git diff --word-diff` has
/// them; lines with little in common stand whole.
fn words(diff: &str) -> Vec<String> {
    let mut out = Vec::new();
    let (mut gone, mut come): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for line in diff.lines().chain([""]) {
        match line.split_at_checked(1) {
            Some(("-", text)) => gone.push(text),
            Some(("+", text)) => come.push(text),
            _ => {
                paired(
                    &std::mem::take(&mut gone),
                    &std::mem::take(&mut come),
                    &mut out,
                );
                // The place of a hunk in the text of one memory tells nothing.
                let between = line.starts_with("@@") && !out.is_empty();
                out.extend(between.then(|| "  …".to_owned()));
                let kept = line.strip_prefix(' ');
                out.extend(kept.map(|text| format!("  {}", safe(text))));
            }
        }
    }
    out
}

/// Lines that went and lines that came in their place.
fn paired(gone: &[&str], come: &[&str], out: &mut Vec<String>) {
    if gone.len() != come.len() {
        out.extend(gone.iter().map(|line| format!("- {}", safe(line))));
        out.extend(come.iter().map(|line| format!("+ {}", safe(line))));
        return;
    }
    for (old, new) in gone.iter().zip(come) {
        let (cut, put) = differing(old, new);
        if cut.is_empty() && put.is_empty() {
            out.push(format!("- {}", safe(old)));
            out.push(format!("+ {}", safe(new)));
            continue;
        }
        out.push(format!("~ {}", safe(&marked(old, new))));
    }
}

/// The new line with the words that went from the old one.
fn marked(old: &str, new: &str) -> String {
    let (words, others) = (ops::words_of(old), ops::words_of(new));
    let mut out = String::new();
    for op in ops::ops(&words, &others) {
        let gone = words.get(op.old_range()).unwrap_or_default().concat();
        let come = others.get(op.new_range()).unwrap_or_default().concat();
        match op {
            DiffOp::Equal { .. } => out.push_str(&gone),
            DiffOp::Delete { .. } => out.push_str(&format!("[-{gone}-]")),
            DiffOp::Insert { .. } => out.push_str(&format!("{{+{come}+}}")),
            DiffOp::Replace { .. } => out.push_str(&format!("[-{gone}-]{{+{come}+}}")),
        }
    }
    out
}

/// A line and who wrote it.
#[derive(Serialize)]
struct LineJson<'a> {
    rev: Option<&'a str>,
    time: Option<String>,
    author: Option<&'a str>,
    text: String,
}

fn blame(all: &[Version], format: HistoryFormat, output: &mut Output) -> Result<u8, Error> {
    let lines = versions::blame(all);
    let of = |n: &usize| all.get(*n);
    if format == HistoryFormat::Json {
        let json = |(n, text): &(usize, String)| LineJson {
            rev: of(n).and_then(rev),
            time: of(n).and_then(|one| one.time).map(Timestamp::to_rfc3339),
            author: of(n)
                .map(|one| &*one.author)
                .filter(|author| !author.is_empty()),
            text: mask(text).into_owned(),
        };
        let lines: Vec<LineJson<'_>> = lines.iter().map(json).collect();
        serde_json::to_writer_pretty(output.json(), &lines)?;
        writeln!(output)?;
        return found(!lines.is_empty(), "the memory has no lines");
    }
    const NAME: usize = 16;
    for (n, text) in &lines {
        let Some(version) = of(n) else { continue };
        let author = pad(&safe(&version.author), NAME);
        let head = format!(
            "{:<7}  {}  {author}  ",
            version.short(),
            pad(&day(version), 10)
        );
        output.faint(&head)?;
        writeln!(output, "{}", safe(&mask(text)).trim_end())?;
    }
    found(!lines.is_empty(), "the memory has no lines")
}

fn rev(version: &Version) -> Option<&str> {
    Some(&*version.rev).filter(|rev| !rev.is_empty())
}

/// A field that a step changed.
#[derive(Serialize)]
struct FieldJson {
    name: String,
    old: Option<Value>,
    new: Option<Value>,
}

/// A version.
#[derive(Serialize)]
struct VersionJson<'a> {
    rev: Option<&'a str>,
    time: Option<String>,
    author: Option<&'a str>,
    subject: String,
    change: &'static str,
    path: String,
    from: Option<String>,
    fields: Vec<FieldJson>,
    diff: String,
}

impl<'a> VersionJson<'a> {
    fn new(ws: &Workspace, all: &'a [Version], n: usize) -> Option<Self> {
        let version = all.get(n)?;
        let memory = |n: usize| Some(&*all.get(n)?.state.as_ref()?.0);
        let fields = versions::fields(memory(n + 1), memory(n)).into_iter();
        Some(Self {
            rev: rev(version),
            time: version.time.map(Timestamp::to_rfc3339),
            author: Some(&*version.author).filter(|author| !author.is_empty()),
            subject: mask(&version.subject).into_owned(),
            change: version.step.word(),
            path: ws.collection.shown(&version.path),
            from: match &version.step {
                Step::Moved(from) => Some(ws.collection.shown(from)),
                _ => None,
            },
            fields: fields
                .map(|(name, old, new)| FieldJson { name, old, new })
                .collect(),
            diff: mask(&version.diff()).into_owned(),
        })
    }
}

/// A change that memkeep made.
#[derive(Serialize)]
struct ChangeJson<'a> {
    seq: u64,
    time: String,
    action: &'a str,
    title: &'a str,
    ids: &'a [String],
    state: &'static str,
    files: Vec<String>,
}

fn changes(ws: &Workspace, args: &History, output: &mut Output) -> Result<u8, Error> {
    let mut all = ws.journal()?;
    let undone = all.iter().filter(|(_, state)| *state == State::Undone);
    let next = undone.max_by_key(|(entry, _)| entry.order);
    let next = next.map(|(entry, _)| entry.seq);
    all.truncate(args.last.unwrap_or(usize::MAX));
    if args.format == HistoryFormat::Json {
        let json = |(entry, state): &'_ (Entry, State)| -> serde_json::Value {
            let paths = entry.plan.changes.iter().flat_map(FileChange::paths);
            let json = ChangeJson {
                seq: entry.seq,
                time: Timestamp(entry.time).to_rfc3339(),
                action: &entry.action,
                title: &entry.plan.title,
                ids: &entry.ids,
                state: match state {
                    State::Done => "done",
                    State::Undone | State::Dropped => "undone",
                },
                files: paths.map(|path| ws.collection.shown(path)).collect(),
            };
            serde_json::to_value(json).unwrap_or_default()
        };
        print_array(&all, json, output)?;
        return found(!all.is_empty(), "memkeep changed nothing here");
    }
    for (entry, state) in &all {
        let when = Timestamp(entry.time).to_rfc3339();
        let when = when.get(..16).unwrap_or(&when).replace('T', " ");
        let seq = format!("#{}", entry.seq);
        output.faint(&format!("{seq:>5}  {when}  "))?;
        let undone = match state {
            State::Done => "",
            State::Undone if next == Some(entry.seq) => "undone, `memkeep redo` does it again: ",
            State::Undone | State::Dropped => "undone: ",
        };
        writeln!(output, "{undone}{}", safe(&mask(&entry.plan.title)))?;
    }
    found(!all.is_empty(), "memkeep changed nothing here")
}
