//! `memkeep lint --answer`, `--write-baseline` and `--silence`: what a person decides about findings.

use super::Lint;
use crate::cli::change::{make, merged, print_diff, tell};
use crate::cli::prelude::*;
use crate::curate::{Resolution, Silenced};
use crate::lint::{self, Context, Digest, Finding, Selection, asking};
use crate::workspace::lint_facts::Basis;

/// Remembers an answer; archives the memory that is not kept, or merges the two, in the same step.
pub fn answer(ws: &Workspace, args: &Lint, output: &mut Output) -> Result<u8> {
    ws.warn();
    let [first, second, word] = args.answer.as_slice() else {
        return Err(Error::wrong("--answer takes two ids and an answer"));
    };
    let answer = Resolution::from_word(word).ok_or_else(|| {
        let words = Resolution::words().join(", ");
        Error::wrong(format!("unknown answer `{word}`")).hint(format!("one of {words}"))
    })?;
    if args.scope.is_some() && answer != Resolution::Both {
        return Err(Error::wrong(format!("{word} has no scope"))
            .hint("--scope says which of two memories holds when: --answer A B both"));
    }
    let scope = args.scope.as_deref().map(str::trim);
    let scope = scope.filter(|scope| !scope.is_empty()).map(str::to_owned);
    let rules: Vec<&str> = asking().collect();
    let is_other = |rule: &&String| !rules.contains(&rule.as_str());
    if let Some(rule) = args.rule.iter().find(is_other) {
        let what = format!("`{rule}` asks nothing about pairs");
        return Err(Error::wrong(what).hint(format!("one of {}", rules.join(", "))));
    }
    make(ws, args.dry_run, output, &|memories: &[Arc<Memory>]| {
        let (one, other) = (ws.find(first, memories)?, ws.find(second, memories)?);
        let (a, b) = (one.id.clone(), other.id.clone());
        if a == b {
            return Err(Error::wrong("both ids are the same memory"));
        }
        let rules = match args.rule.as_slice() {
            [] => asked(ws, memories, &a, &b)?,
            rules => rules.to_vec(),
        };
        let answers = rules.into_iter().map(|rule| Change::Answer {
            rule,
            a: a.clone(),
            b: b.clone(),
            answer,
            scope: scope.clone(),
        });
        let follows = match answer {
            Resolution::KeepA => Some(Change::Archive(vec![b.clone()])),
            Resolution::KeepB => Some(Change::Archive(vec![a.clone()])),
            Resolution::Merge => Some(merged(one, other)?),
            Resolution::Both | Resolution::NotAConflict | Resolution::AskAgain => None,
        };
        Ok(Change::Together(answers.chain(follows).collect()))
    })
}

/// The rules that ask about two memories, answered before or not.
fn asked(
    ws: &Workspace,
    memories: &[Arc<Memory>],
    a: &MemoryId,
    b: &MemoryId,
) -> Result<Vec<String>> {
    let snapshot = Arc::new(memories.to_vec());
    let facts = ws.lint_facts(ws.now);
    let judged = ws.collection.decisions().of_models();
    let cx = Context {
        decisions: &judged,
        ..Context::new(&snapshot, &ws.collection, ws.now, &facts.project)
    };
    let asking = Selection::of(&asking().collect_vec()).unwrap_or_default();
    let is = |index: usize, id: &MemoryId| memories.get(index).is_some_and(|one| one.id == *id);
    let found = lint::run(&cx, &asking).into_iter().filter(|finding| {
        let among = |id: &MemoryId| finding.related.iter().any(|other| is(*other, id));
        is(finding.memory, a) && among(b) || is(finding.memory, b) && among(a)
    });
    let rules = found.map(|finding| finding.rule.to_owned()).unique();
    let rules: Vec<String> = rules.collect();
    match rules.is_empty() {
        true => Err(Error::nothing(format!("no rule asks about {a} and {b}"))
            .hint("`memkeep lint` names the pairs; --rule names the rule that is answered")),
        false => Ok(rules),
    }
}

/// Writes all findings of the project's own memories. Those of the user's stores are theirs, and
/// no business of a file that a team shares.
pub fn write_baseline(ws: &Workspace, dry_run: bool, output: &mut Output) -> Result<u8> {
    let collection = &ws.collection;
    if !dry_run {
        ws.may_write()?;
    }
    let basis = Basis::strict(ws, false)?;
    let memories = ws.load();
    let facts = ws.lint_facts(ws.now);
    tell(&facts.notes);
    let cx = facts.context(&basis, &memories, collection);
    let mut digest = lint::digest(&cx, &basis.rules(), usize::MAX);
    digest.findings.retain(|finding| {
        let mut all = finding.parties().filter_map(|index| memories.get(index));
        let own = all.any(|memory| memory.path.starts_with(&collection.root));
        own && finding.rule != lint::UNUSED
    });
    let found = digest.findings.iter();
    let found: Vec<Silenced> = found.filter_map(|one| one.silenced(&memories)).collect();
    let count = plural(found.len() + digest.unreported.old, "finding");
    let title = format!("made a baseline of {count}");
    let plan = collection.plan_baseline(&found, &digest.baseline, (&memories, title), ws.now)?;
    if dry_run {
        print_diff(ws, &plan, output)?;
        return Ok(exit::DONE);
    }
    let ids = found.iter().filter_map(|one| one.ids.first());
    let ids = ids.map(ToString::to_string).dedup().collect();
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
fn report(digest: &Digest, output: &mut Output) -> Result<()> {
    let mut by_rule: BTreeMap<&str, (Severity, usize)> = BTreeMap::new();
    for finding in &digest.findings {
        let (worst, count) = by_rule.entry(finding.rule).or_insert((finding.severity, 0));
        *worst = finding.severity.min(*worst);
        *count += 1;
    }
    let new = by_rule.into_iter();
    let new = new.map(|(rule, (severity, count))| (severity, rule, count));
    let new = new.sorted_unstable().collect_vec();
    for (severity, rule, count) in &new {
        let is_error = *severity == Severity::Error;
        let kind = if is_error { " (error)" } else { "" };
        writeln!(output, "  {count} new of {}{kind}", safe(rule))?;
    }
    for (gone, why) in [
        (&digest.baseline.lost, "whose memory is gone"),
        (&digest.baseline.over, "no longer found"),
    ] {
        if !gone.is_empty() {
            writeln!(output, "  {} taken out, {why}", gone.len())?;
        }
    }
    let grave = new.iter();
    let grave = grave.filter(|one| one.0 == Severity::Error || one.1 == "secret");
    let grave = grave.map(|(_, rule, _)| rule).format(", ").to_string();
    if !grave.is_empty() {
        let hint = "`memkeep lint --no-baseline` shows them";
        let what = format!("not reported any more from now on: {grave}");
        note(&format!("note: {what}; {hint}"));
    }
    Ok(())
}

pub fn silence(
    ws: &Workspace,
    args: &Lint,
    memories: &[Arc<Memory>],
    findings: &[Finding],
    output: &mut Output,
) -> Result<u8> {
    if args.ids.is_empty() && args.rule.is_empty() && args.since.is_none() {
        let what = "--silence needs to know what of: an id, --rule or --since";
        return Err(Error::wrong(what).hint("--write-baseline takes everything"));
    }
    let found = findings.iter();
    let found: Vec<Silenced> = found.filter_map(|one| one.silenced(memories)).collect();
    if found.is_empty() {
        return Err(Error::nothing("nothing was found that could be silenced"));
    }
    let until = args.until.as_deref();
    if until.is_some_and(|end| Timestamp::parse_iso(end).is_none()) {
        return Err(Error::wrong("--until takes a date like 2026-12-31"));
    }
    let change = Change::Silence {
        found,
        reason: args.reason.clone(),
        until: args.until.clone(),
    };
    make(ws, args.dry_run, output, &|_| Ok(change.clone()))
}
