//! `memkeep review`: what differs from the last commit, memory by memory; keeping, rejecting and
//! committing it.

mod print;

use super::args::{Format, LISTED, one_of};
use super::change::tell;
use super::prelude::*;
use crate::curate::differences::{Against, Entry, Kind, Stage};
use crate::memory::id::{Resolved, resolve};
use crate::store::queue::Review;

/// Arguments of `review`.
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

/// Arguments of `proposals`.
#[derive(Debug, clap::Args)]
pub struct Proposals {
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(LISTED))]
    pub format: Format,
}

/// Runs `memkeep review`.
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
        print::queue(ws, &review, args.format, output)?;
    }
    Ok(exit::DONE)
}

/// Runs `memkeep proposals`.
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
    print::queue(ws, &review, format, output)
}

/// Keeps and rejects what the call names.
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

/// Commits what is staged.
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
