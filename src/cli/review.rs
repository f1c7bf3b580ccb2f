//! `memkeep review`: what differs from the last commit, memory by memory, as a table for people, JSON, and
//! Markdown for a pull request; keeping, rejecting and committing it.

use super::change::tell;
use super::history::changed_fields;
use super::prelude::*;
use crate::app::history::ago;
use crate::curate::differences::{Against, Entry, FieldChange, Kind, Stage};
use crate::memory::id::{Resolved, resolve};
use crate::store::queue::Review;
use crate::workspace::assessment::{Assessed, assess};

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("accepting").multiple(true)))]
pub struct ReviewArgs {
    /// Compare with this revision
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub base: String,
    /// Accept these changes, deletions too: stage them, and nothing else of their files
    #[arg(long, value_name = "ID", num_args = 1.., group = "accepting")]
    pub accept: Vec<String>,
    /// Keep these memories: accept what changed of them; a deletion is refused
    #[arg(long, value_name = "ID", num_args = 1.., group = "accepting")]
    pub keep: Vec<String>,
    /// Accept a new secret or a new instruction to the reader too
    #[arg(long, requires = "accepting")]
    pub anyway: bool,
    /// Reject these memories: bring the old version back; a new one goes to the archive
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub reject: Vec<String>,
    /// Why they are rejected
    #[arg(long, value_name = "TEXT", requires = "reject")]
    pub reason: Option<String>,
    /// Commit what is staged of memories, and nothing else, with your hooks and signing
    #[arg(long)]
    pub commit: bool,
    /// The commit message [default: one made from what is staged]
    #[arg(short, long, value_name = "TEXT", requires = "commit")]
    pub message: Option<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(LISTED))]
    pub format: Format,
}

#[derive(Debug, clap::Args)]
pub struct Proposals {
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(LISTED))]
    pub format: Format,
}

pub fn run(ws: &Workspace, args: &ReviewArgs, output: &mut Output) -> Result<u8> {
    let mut ids = args.accept.iter().chain(&args.keep).chain(&args.reject);
    let decides = ids.next().is_some();
    if (decides || args.commit) && !args.dry_run {
        ws.may_write()?;
    }
    let memories = ws.load();
    let review = Review::open(&ws.collection, &args.base, &memories)?;
    tell(&review.notes);
    if decides {
        decide(ws, args, &review, output)?;
    }
    if args.commit {
        // The entries just kept are staged now.
        let memories = ws.load();
        let review = Review::open(&ws.collection, &args.base, &memories)?;
        return commit(ws, args, &review, output);
    }
    if !decides {
        queue(ws, &review, args.format, output)?;
    }
    Ok(exit::DONE)
}

pub fn proposals(ws: &Workspace, args: &Proposals, output: &mut Output) -> Result<u8> {
    waiting(ws, args.format, &|_| true, output)?;
    Ok(exit::DONE)
}

/// Prints proposals that wait, with their findings and effects: those of some files.
pub fn waiting(
    ws: &Workspace,
    format: Format,
    wanted: &dyn Fn(&str) -> bool,
    output: &mut Output,
) -> Result<()> {
    let memories = ws.load();
    let mut review = Review::open(&ws.collection, "HEAD", &memories)?;
    tell(&review.notes);
    review.entries.retain(|entry| match &entry.against {
        Against::Proposal(proposal) => wanted(&proposal.file),
        _ => false,
    });
    queue(ws, &review, format, output)
}

fn decide(
    ws: &Workspace,
    args: &ReviewArgs,
    review: &Review<'_>,
    output: &mut Output,
) -> Result<()> {
    let ids = |names: &[String]| -> Result<Vec<MemoryId>> {
        names.iter().map(|name| find(review, name)).collect()
    };
    let (mut accept, keep, reject) = (ids(&args.accept)?, ids(&args.keep)?, ids(&args.reject)?);
    let kind = |id: &MemoryId| review.entry(id).map(|entry| entry.kind);
    if let Some(id) = keep.iter().find(|id| kind(id) == Some(Kind::Deleted)) {
        let what = format!("{id} is deleted: keeping it would stage the deletion");
        let hint = "--accept accepts the deletion, --reject brings the memory back";
        return Err(Error::nothing(what).hint(hint));
    }
    accept.extend(keep);
    if let Some(both) = accept.iter().find(|id| reject.contains(id)) {
        let what = format!("{both} is both accepted and rejected");
        return Err(Error::wrong(what));
    }
    if !args.anyway
        && let Some((id, what)) = review.warned(&accept)?
    {
        return Err(Error::nothing(safe(&format!("{id}: {what}")))
            .hint("edit it out, or accept it with --anyway"));
    }
    let accept = Change::Accept {
        ids: accept,
        sure: true,
    };
    for change in [accept, Change::Reject(reject, args.reason.clone())] {
        let (action, ids) = (change.action(), change.ids());
        if ids.is_empty() {
            continue;
        }
        if args.dry_run {
            for id in ids {
                let diff = review.entry(id).map(Entry::diff).unwrap_or_default();
                writeln!(output, "{action} {id}\n{}", safe_lines(&mask(&diff)))?;
            }
            output.write_all(&ws.diff(&review.plan(&change, ws.now)?))?;
            continue;
        }
        let done = review.decide(&change, ws.now)?;
        let staged = if done.changed { "" } else { " · already so" };
        writeln!(output, "{}{staged}", safe(&done.title))?;
    }
    Ok(())
}

/// The entry that a person names: by id, LOCAL, or an unambiguous beginning of either.
fn find(review: &Review<'_>, name: &str) -> Result<MemoryId> {
    let ids: Vec<&MemoryId> = review.entries.iter().map(|entry| &entry.id).collect();
    let none = || Error::nothing(format!("{name} has nothing to review"));
    match resolve(name, ids.iter().copied()) {
        Resolved::One(at) => ids.get(at).map(|id| (*id).clone()).ok_or_else(none),
        Resolved::Ambiguous(all) => {
            let mut all = all.iter().filter_map(|at| ids.get(*at));
            Err(Error::wrong(format!("`{name}` is ambiguous")).hint(all.join(", ")))
        }
        Resolved::Unknown => Err(none().hint("`memkeep review` lists what differs")),
    }
}

fn commit(
    ws: &Workspace,
    args: &ReviewArgs,
    review: &Review<'_>,
    output: &mut Output,
) -> Result<u8> {
    let staged = |entry: &&Entry| entry.staged != Stage::No;
    let suggested = || crate::curate::differences::message(review.entries.iter().filter(staged));
    let message = args.message.clone().unwrap_or_else(suggested);
    let files = review.to_commit()?;
    if files.is_empty() {
        let hint = "`memkeep review --accept ID` stages a change";
        return Err(Error::nothing("nothing is staged").hint(hint));
    }
    if args.dry_run {
        writeln!(output, "{}", safe_lines(message.trim_end()))?;
        for file in files.iter().flat_map(|(_, files)| files) {
            writeln!(output, "  {}", safe(&file.display().to_string()))?;
        }
        return Ok(exit::DONE);
    }
    for (root, name) in review.commit(&message, false)? {
        let folder = ws.collection.shown(&root);
        let is_root = folder.is_empty() || root == ws.collection.root;
        let within = (!is_root).then(|| format!(" in {folder}"));
        let within = within.unwrap_or_default();
        let first = message.lines().next().unwrap_or_default();
        writeln!(output, "committed {name}{within}: {}", safe(first))?;
    }
    Ok(exit::DONE)
}

/// A text of several lines without characters that a terminal would obey.
fn safe_lines(text: &str) -> String {
    text.lines().map(safe).join("\n")
}

/// Maximum diff lines of a change in the table format; `--format markdown` prints all.
const SHOWN: usize = 12;

type Card<'a> = (&'a Entry, Assessed);

fn queue(ws: &Workspace, review: &Review<'_>, format: Format, output: &mut Output) -> Result<()> {
    let entries = &review.entries;
    if format == Format::Quiet {
        return Ok(output.lines(entries.iter().map(|entry| &entry.id))?);
    }
    let assessed = assess(ws, &review.memories(), entries);
    let cards: Vec<Card<'_>> = entries.iter().zip(assessed).collect();
    match format {
        Format::Json => output.print_array(&cards, |card| json_of(ws, card)),
        Format::Markdown => markdown(ws, &cards, output),
        _ => table(ws, &cards, output),
    }
}

fn shown(ws: &Workspace, entry: &Entry) -> String {
    let path = entry.path().map(|path| ws.collection.shown(path));
    path.unwrap_or_default()
}

fn json_of(ws: &Workspace, (entry, assessed): &Card<'_>) -> serde_json::Value {
    let findings = assessed.findings.iter().map(|(finding, is_new)| {
        json!({
            "rule": finding.rule, "severity": finding.severity.word(), "line": finding.line,
            "message": mask(&finding.message), "new": is_new,
        })
    });
    let (against, why) = match &entry.against {
        Against::Commit => ("commit", None),
        Against::LastReview => ("last-review", None),
        Against::Proposal(proposal) => ("proposal", proposal.why.as_deref()),
    };
    json!({
        "id": entry.id.to_string(),
        "path": shown(ws, entry),
        "change": entry.kind.word(),
        "staged": entry.staged == Stage::Yes,
        "fields": changed_fields(entry.fields()),
        "diff": mask(&entry.diff()),
        "findings": findings.collect_vec(),
        "title": mask(entry.title()),
        "was": was(entry),
        "archived": entry.is_archived(),
        "appended": entry.is_appended,
        "author": entry.author(),
        "written": entry.written().map(Timestamp::to_rfc3339),
        "effects": assessed.effects,
        "against": against,
        "why": why,
    })
}

fn was(entry: &Entry) -> Option<String> {
    let before = entry.before.as_ref().map(|side| &side.memory.id);
    let before = before.filter(|id| **id != entry.id);
    before.map(ToString::to_string)
}

/// `2 new, 1 modified · 1 staged`.
fn summary(cards: &[Card<'_>]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (entry, _) in cards {
        match counts.iter_mut().find(|(what, _)| *what == entry.what()) {
            Some((_, count)) => *count += 1,
            None => counts.push((entry.what(), 1)),
        }
    }
    let counts = counts.iter().map(|(what, count)| format!("{count} {what}"));
    let counts = counts.format(", ");
    let staged = cards.iter().filter(|(entry, _)| entry.staged == Stage::Yes);
    match staged.count() {
        0 => counts.to_string(),
        staged => format!("{counts} · {staged} staged"),
    }
}

/// Who wrote a memory and when, as far as that is known, behind a separator.
fn origin(ws: &Workspace, entry: &Entry, separator: &str) -> String {
    let by = entry.author().map(|by| format!("by {by}"));
    let when = entry.written().map(|at| ago(at, ws.now));
    let origin = by.into_iter().chain(when).join(", ");
    let separator = if origin.is_empty() { "" } else { separator };
    format!("{separator}{}", safe(&origin))
}

fn table(ws: &Workspace, cards: &[Card<'_>], output: &mut Output) -> Result<()> {
    if cards.is_empty() {
        note("nothing to review");
        return Ok(());
    }
    for (entry, assessed) in cards {
        let mark = match entry.staged {
            Stage::Yes => "✓",
            Stage::Partly => "~",
            Stage::No => " ",
        };
        let (title, id) = (mask(entry.title()), entry.id.to_string());
        output.bold(&format!("{mark} {}  {}", entry.what(), safe(&title)))?;
        output.faint(&format!("  {}{}\n", safe(&id), origin(ws, entry, "  ")))?;
        if let Some(was) = was(entry) {
            writeln!(output, "    was {}", safe(&was))?;
        }
        let fields = entry.fields().into_iter();
        let fields = fields.filter(|_| !entry.has_fields_in_text());
        for FieldChange { name, old, new } in fields {
            let text = |value: Option<Value>| {
                let text = value.map_or_else(|| "none".to_owned(), |value| value.to_string());
                safe(&mask(&text)).into_owned()
            };
            writeln!(output, "    {name}: {} → {}", text(old), text(new))?;
        }
        let diff = mask(&entry.diff()).into_owned();
        let lines = diff.lines().skip(2).filter(|line| !line.starts_with("@@"));
        let lines: Vec<&str> = lines.collect();
        for line in lines.iter().take(SHOWN) {
            writeln!(output, "    {}", safe(line))?;
        }
        if lines.len() > SHOWN {
            output.faint(&format!("    … {} more lines\n", lines.len() - SHOWN))?;
        }
        if let Against::Proposal(proposal) = &entry.against {
            for why in proposal.why.iter().flat_map(|why| why.lines()) {
                writeln!(output, "    why: {}", safe(&mask(why)))?;
            }
        }
        for effect in &assessed.effects {
            writeln!(output, "    → {}", safe(effect))?;
        }
        for (finding, is_new) in &assessed.findings {
            let is_info = finding.severity == Severity::Info;
            let mark = if is_info { "?" } else { "!" };
            let new = if *is_new { "new " } else { "" };
            let (rule, message) = (finding.rule, mask(&finding.message));
            writeln!(output, "    {mark} {new}{rule}: {}", safe(&message))?;
        }
    }
    let (count, summary) = (cards.len(), summary(cards));
    Ok(writeln!(output, "\n{count} to review: {summary}")?)
}

/// A text in a fence that it does not end.
fn fenced(text: &str) -> String {
    let lines = text.lines();
    let lines = lines.map(|line| line.trim_start_matches([' ', '+', '-']));
    let ticks = lines.map(|line| line.len() - line.trim_start_matches('`').len());
    let fence = "`".repeat(ticks.max().unwrap_or_default().max(2) + 1);
    format!("{fence}diff\n{}\n{fence}\n", text.trim_end())
}

fn markdown(ws: &Workspace, cards: &[Card<'_>], output: &mut Output) -> Result<()> {
    if cards.is_empty() {
        return Ok(writeln!(output, "No memory changed.")?);
    }
    writeln!(output, "## Memories: {}\n", summary(cards))?;
    for (entry, assessed) in cards {
        let title = mask(entry.title()).replace(['`', '<', '>', '\n'], "");
        writeln!(output, "### {} · {title}\n", entry.what())?;
        let (path, origin) = (shown(ws, entry), origin(ws, entry, " · "));
        writeln!(output, "`{}` · `{path}`{origin}\n", entry.id)?;
        for effect in &assessed.effects {
            writeln!(output, "- {}", safe(&effect.replace('<', "&lt;")))?;
        }
        for (finding, is_new) in &assessed.findings {
            let new = if *is_new { "**new** " } else { "" };
            let message = mask(&finding.message).replace('<', "&lt;");
            writeln!(output, "- {new}`{}`: {}", finding.rule, safe(&message))?;
        }
        let diff = mask(&entry.diff()).lines().skip(2).map(safe).join("\n");
        if !diff.is_empty() {
            writeln!(output, "\n{}", fenced(&diff))?;
        }
    }
    Ok(())
}
