//! `memkeep lint --write-baseline` and `--silence`: what is found today is old from now on.

use std::io::Write as _;
use std::sync::Arc;

use crate::cli::change::{make, print_diff};
use crate::cli::error::Error;
use crate::cli::output::note;
use crate::cli::{Output, exit};
use crate::curate::{Change, Silenced};
use crate::lint::baseline::{Baseline, Taken, silenced};
use crate::lint::{self, Finding};
use crate::memory::{Memory, Severity};
use crate::ui::safe::safe;
use crate::workspace::Workspace;
use crate::workspace::lint::Basis;

/// Writes all findings of the project's own memories. Those of the user's stores are theirs, and
/// no business of a file that a team shares.
pub fn write(ws: &Workspace, dry_run: bool, output: &mut Output) -> Result<u8, Error> {
    let collection = &ws.collection;
    if !dry_run {
        ws.may_write()?;
    }
    let basis = Basis::strict(ws, true)?;
    let memories = ws.load();
    let facts = ws.lint_facts(ws.now);
    for line in &facts.notes {
        note(&format!("note: {line}"));
    }
    let cx = facts.context(&basis, &memories, collection);
    let mut found = lint::run(&cx, &basis.rules());
    found.retain(|finding| {
        let mut all = finding.parties().filter_map(|index| memories.get(index));
        let own = all.any(|memory| memory.path.starts_with(&collection.root));
        own && finding.rule != lint::UNUSED
    });
    // What a later version says in the file stays; a file that cannot be read is written anew.
    let before = collection.baseline().unwrap_or_default();
    let baseline = Baseline::of(&cx, &found, &before);
    let plan = collection.plan_baseline(&baseline, found.len(), ws.now)?;
    if dry_run {
        print_diff(ws, &plan, output)?;
        return Ok(exit::DONE);
    }
    let of = found.iter().filter_map(|one| memories.get(one.memory));
    let mut ids: Vec<String> = of.map(|memory| memory.id.to_string()).collect();
    ids.dedup();
    let done = collection.carry_out(plan, "baseline", ids, ws.now)?;
    if done.changed {
        writeln!(output, "{} · memkeep undo", safe(&done.title))?;
        told(&before.taken(&cx, &found, &baseline), &found, output)?;
    } else {
        writeln!(output, "the baseline is as it was")?;
    }
    Ok(exit::DONE)
}

/// Says what is new in a baseline, by rule, and what is not in it any more.
fn told(taken: &Taken, found: &[Finding], output: &mut Output) -> Result<(), Error> {
    let worst = |rule: &str| {
        let of_rule = found.iter().filter(|finding| finding.rule == rule);
        of_rule.map(|finding| finding.severity).min()
    };
    let new = taken.new.iter();
    let mut new: Vec<(Severity, &str, usize)> = new
        .map(|(rule, count)| (worst(rule).unwrap_or(Severity::Info), *rule, *count))
        .collect();
    new.sort_unstable();
    for (severity, rule, count) in &new {
        let kind = match severity {
            Severity::Error => " (error)",
            Severity::Warning | Severity::Info => "",
        };
        writeln!(output, "  {count} new of {}{kind}", safe(rule))?;
    }
    for (count, why) in [
        (taken.gone, "whose memory is gone"),
        (taken.over, "no longer found"),
    ] {
        match count {
            0 => {}
            1 => writeln!(output, "  1 taken out, {why}")?,
            count => writeln!(output, "  {count} taken out, {why}")?,
        }
    }
    let grave = |(severity, rule, _): &&(Severity, &str, usize)| {
        *severity == Severity::Error || *rule == "secret"
    };
    let grave: Vec<&str> = new.iter().filter(grave).map(|(_, rule, _)| *rule).collect();
    if !grave.is_empty() {
        note(&format!(
            "note: not reported any more from now on: {}; `memkeep lint --no-baseline` shows them",
            safe(&grave.join(", "))
        ));
    }
    Ok(())
}

/// Adds findings to the baseline.
pub fn silence(
    ws: &Workspace,
    args: &crate::cli::lint::Lint,
    memories: &[Arc<Memory>],
    findings: &[Finding],
    output: &mut Output,
) -> Result<u8, Error> {
    if args.ids.is_empty() && args.rule.is_empty() && args.since.is_none() {
        return Err(
            Error::wrong("--silence needs to know what of: an id, --rule or --since")
                .hint("--write-baseline takes everything"),
        );
    }
    let found = findings.iter();
    let found: Vec<Silenced> = found.filter_map(|one| silenced(one, memories)).collect();
    if found.is_empty() {
        return Err(Error::nothing("nothing was found that could be silenced"));
    }
    let reason = args.reason.clone();
    let change = Change::Silence { found, reason };
    make(ws, args.dry_run, output, &|_| Ok(change.clone()))
}
