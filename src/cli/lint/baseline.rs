//! `memkeep lint --write-baseline` and `--silence`: findings of today are old from now on.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;

use crate::cli::change::{make, print_diff};
use crate::cli::error::Error;
use crate::cli::output::note;
use crate::cli::{Output, exit};
use crate::curate::{Change, Silenced};
use crate::lint::decisions::silenced;
use crate::lint::{self, Digest, Finding};
use crate::memory::{Memory, Severity, Timestamp};
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
    let basis = Basis::strict(ws, false)?;
    let memories = ws.load();
    let facts = ws.lint_facts(ws.now);
    for line in &facts.notes {
        note(&format!("note: {line}"));
    }
    let cx = facts.context(&basis, &memories, collection);
    let mut digest = lint::digest(&cx, &basis.rules(), usize::MAX);
    digest.findings.retain(|finding| {
        let mut all = finding.parties().filter_map(|index| memories.get(index));
        let own = all.any(|memory| memory.path.starts_with(&collection.root));
        own && finding.rule != lint::UNUSED
    });
    let found = digest.findings.iter();
    let found: Vec<Silenced> = found.filter_map(|one| silenced(one, &memories)).collect();
    let title = match found.len() + digest.unreported.old {
        1 => "made a baseline of 1 finding".to_owned(),
        count => format!("made a baseline of {count} findings"),
    };
    let plan = collection.plan_baseline(&found, &digest.baseline, (&memories, title), ws.now)?;
    if dry_run {
        print_diff(ws, &plan, output)?;
        return Ok(exit::DONE);
    }
    let ids = found.iter().filter_map(|one| one.ids.first());
    let mut ids: Vec<String> = ids.map(ToString::to_string).collect();
    ids.dedup();
    let done = collection.carry_out(plan, "baseline", ids, ws.now)?;
    if done.changed {
        writeln!(output, "{} · memkeep undo", safe(&done.title))?;
        report(&digest, output)?;
    } else {
        writeln!(output, "the baseline is as it was")?;
    }
    Ok(exit::DONE)
}

/// Lists what is new in a baseline, by rule, and counts what is no longer in it.
fn report(digest: &Digest, output: &mut Output) -> Result<(), Error> {
    let mut by_rule: BTreeMap<&str, (Severity, usize)> = BTreeMap::new();
    for finding in &digest.findings {
        let of = by_rule.entry(finding.rule);
        let (worst, count) = of.or_insert((finding.severity, 0));
        *worst = finding.severity.min(*worst);
        *count += 1;
    }
    let mut new: Vec<(Severity, &str, usize)> = by_rule
        .into_iter()
        .map(|(rule, (severity, count))| (severity, rule, count))
        .collect();
    new.sort_unstable();
    for (severity, rule, count) in &new {
        let kind = match severity {
            Severity::Error => " (error)",
            Severity::Warning | Severity::Info => "",
        };
        writeln!(output, "  {count} new of {}{kind}", safe(rule))?;
    }
    for (gone, why) in [
        (&digest.baseline.lost, "whose memory is gone"),
        (&digest.baseline.over, "no longer found"),
    ] {
        match gone.len() {
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
    let until = args.until.clone();
    if until
        .as_deref()
        .is_some_and(|end| Timestamp::parse_iso(end).is_none())
    {
        return Err(Error::wrong("--until takes a date like 2026-12-31"));
    }
    let change = Change::Silence {
        found,
        reason,
        until,
    };
    make(ws, args.dry_run, output, &|_| Ok(change.clone()))
}
