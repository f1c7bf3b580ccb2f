//! `memkeep prune`: archives what has expired, repeats, is never selected or is old, in one step.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::error::Error;
use super::output::note;
use super::{Output, change};
use crate::curate::Change;
use crate::curate::promote::print_of;
use crate::lint::health::play::{Agents, Outcome, tasks};
use crate::lint::{self, Context, Selection};
use crate::memory::{Memory, MemoryId, State, Timestamp, Value};
use crate::retrieval::{Snapshot, Texts as _};
use crate::systems::golemcore::scope::GLOBAL;
use crate::workspace::Workspace;
use crate::workspace::lint::Basis;

/// Arguments of `prune`.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true))]
pub struct Prune {
    /// Prune what has expired: its system does not read it any more
    #[arg(long, group = "what")]
    pub expired: bool,
    /// Prune, of memories that say the same, the one that lint would archive
    #[arg(long, group = "what")]
    pub duplicates: bool,
    /// Prune what neither the last commits nor the saved tasks select; never what was written in
    /// the last 14 days or has no date
    #[arg(long, group = "what")]
    pub never_selected: bool,
    /// Narrow the flags above to memories last written longer ago: 90d, 12w, 6m, 1y; without
    /// them, prune everything that old
    #[arg(long, group = "what", value_name = "AGE")]
    pub older: Option<String>,
    /// Do it without asking
    #[arg(long)]
    pub yes: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Reports below this sureness say that nothing asks for the memory.
const UNWANTED: f64 = 0.5;
/// Days that a new memory has to be selected by some task.
const YOUNG: i64 = 14;
/// Tasks that a memory matches before it was wanted.
const ENOUGH: usize = 2;

/// Runs the command.
pub fn run(ws: &Workspace, args: &Prune, output: &mut Output) -> Result<u8, Error> {
    let before = args
        .older
        .as_deref()
        .map(|age| before(age, ws.now))
        .transpose()?;
    let all = ws.load();
    let whys = whys(ws, args, before, &all)?;
    if whys.is_empty() {
        return Err(Error::nothing("nothing is to be pruned"));
    }
    for (at, why) in &whys {
        if let Some(memory) = all.get(*at) {
            note(&format!("{}: {}", memory.id, why.join(", ")));
        }
    }
    let wanted: Vec<(MemoryId, String)> = whys
        .iter()
        .filter_map(|(at, why)| Some((all.get(*at)?.id.clone(), why.join(", "))))
        .collect();
    let asked = (args.yes, args.dry_run);
    change::make_sure(ws, asked, "prune", output, &|memories| {
        // Memories that another program removed meanwhile cannot be archived.
        let there = |(id, _): &&(MemoryId, String)| memories.iter().any(|one| one.id == *id);
        Ok(Change::Prune(
            wanted.iter().filter(there).cloned().collect(),
        ))
    })
}

/// The milliseconds of a day.
const DAY: i64 = 86_400_000;

/// The moment before which a memory is older than an age: `90d`, `12w`, `6m`, `1y`.
fn before(age: &str, now: Timestamp) -> Result<Timestamp, Error> {
    let wrong = || {
        Error::wrong(format!("`{age}` is no age"))
            .hint("a number of days, weeks, months or years: 90d, 12w, 6m, 1y")
    };
    let unit = age.trim_start_matches(|c: char| c.is_ascii_digit());
    let days = match unit {
        "d" | "" => 1,
        "w" => 7,
        "m" => 30,
        "y" => 365,
        _ => return Err(wrong()),
    };
    let count: i64 = age
        .strip_suffix(unit)
        .and_then(|count| count.parse().ok())
        .ok_or_else(wrong)?;
    let span = count.saturating_mul(days).saturating_mul(DAY);
    Ok(Timestamp(now.0.saturating_sub(span)))
}

/// Why memories are pruned, by their indexes.
type Whys = BTreeMap<usize, Vec<String>>;

/// The memories to prune, each with why.
fn whys(
    ws: &Workspace,
    args: &Prune,
    before: Option<Timestamp>,
    all: &Snapshot,
) -> Result<Whys, Error> {
    let mut whys = Whys::new();
    let may = |memory: &Memory| {
        memory.state == State::Active
            && !memory.schema.can.context
            && memory.index_table().is_none()
    };
    let mut add = |at: usize, why: String| {
        if all.get(at).is_some_and(|memory| may(memory)) {
            whys.entry(at).or_default().push(why);
        }
    };
    if args.expired {
        for (at, memory) in all
            .iter()
            .enumerate()
            .filter(|(_, one)| one.is_expired(ws.now))
        {
            let on = memory
                .expires
                .map(|expiry| format!("expired on {}: {}", expiry.at.date(), expiry.why));
            add(at, on.unwrap_or_default());
        }
    }
    if args.duplicates || args.never_selected {
        let basis = Basis::strict(ws, false)?;
        let facts = ws.lint_facts(ws.now);
        let notes = facts.notes.iter();
        notes.for_each(|text| note(&format!("note: {text}")));
        let cx = facts.context(&basis, all, &ws.collection);
        if args.duplicates {
            duplicates(&cx, &mut add)?;
        }
        if args.never_selected {
            let before = Timestamp(ws.now.0.saturating_sub(YOUNG * DAY));
            never_selected(&cx, before, &mut add)?;
        }
    }
    if let Some(before) = before {
        let age = args.older.as_deref().unwrap_or_default();
        let is_old = |memory: &Memory| memory.written().is_some_and(|at| at < before);
        let is_alone = !(args.expired || args.duplicates || args.never_selected);
        for (at, memory) in all.iter().enumerate().filter(|_| is_alone) {
            if let Some(written) = memory.written().filter(|_| is_old(memory)) {
                add(
                    at,
                    format!("last written on {}, more than {age} ago", written.date()),
                );
            }
        }
        whys.retain(|at, _| all.get(*at).is_some_and(|memory| is_old(memory)));
    }
    whys.retain(|at, _| all.get(*at).is_some_and(|memory| is_read(ws, memory)));
    Ok(whys)
}

/// True if a memory could be read, now and whenever it was asked for: what was decided without its
/// text says nothing about it.
fn is_read(ws: &Workspace, memory: &Memory) -> bool {
    let _ = ws.collection.text(memory);
    let unread = ws.collection.why_unread(memory);
    if let Some(why) = &unread {
        note(&format!("note: {} is not pruned: {why}", memory.id));
    }
    unread.is_none()
}

/// The memories that repeat others and that a fix of lint would archive.
fn duplicates(cx: &Context<'_>, add: &mut dyn FnMut(usize, String)) -> Result<(), Error> {
    let rules = Selection::of(&["near-duplicate", "contained"]).unwrap_or_default();
    let mut questions = 0;
    let mut gone: HashSet<MemoryId> = HashSet::new();
    let by_id = |id: &MemoryId| cx.memories.iter().position(|memory| memory.id == *id);
    for finding in lint::run(cx, &rules) {
        for finding in finding.each() {
            let fix = finding.fix.as_ref();
            let Some((loser, winner)) = fix.and_then(|fix| fix.change.gives_up()) else {
                questions += 1;
                continue;
            };
            // Of three that say the same one stays.
            if winner.is_some_and(|winner| gone.contains(winner)) {
                continue;
            }
            if let Some(at) = by_id(loser).filter(|_| gone.insert(loser.clone())) {
                add(at, finding.message.clone());
            }
        }
    }
    same_rows(cx, &gone, add);
    if questions > 0 {
        let pairs = match questions {
            1 => "1 pair is".to_owned(),
            many => format!("{many} pairs are"),
        };
        note(&format!(
            "note: {pairs} left to you: `memkeep lint --rule near-duplicate --rule contained`"
        ));
    }
    Ok(())
}

/// The rows that have text, scope and fingerprint of another one; a row that does not expire stays
/// before others, else the first. Rows that are `gone` do not count.
fn same_rows(cx: &Context<'_>, gone: &HashSet<MemoryId>, add: &mut dyn FnMut(usize, String)) {
    let mut kept: HashMap<_, &MemoryId> = HashMap::new();
    let mut order: Vec<(usize, &Arc<Memory>)> = cx.memories.iter().enumerate().collect();
    order.retain(|(_, one)| one.state == State::Active && one.hidden_at(cx.now).is_none());
    order.sort_by_key(|(_, memory)| memory.expires.is_some());
    for (at, memory) in order {
        let print = print_of(memory).filter(|_| !gone.contains(&memory.id));
        let Some((print, body)) = print.zip(cx.texts.body(memory)) else {
            continue;
        };
        let scope = memory.field("scope").and_then(Value::as_str);
        let first = kept.entry((print, scope.unwrap_or(GLOBAL), body));
        let first = first.or_insert(&memory.id);
        if **first != memory.id {
            add(at, format!("text and fingerprint of `{first}`"));
        }
    }
}

/// The memories that no task selects, where nothing says that one should, and that were written
/// early enough for a task to come.
fn never_selected(
    cx: &Context<'_>,
    before: Timestamp,
    add: &mut dyn FnMut(usize, String),
) -> Result<(), Error> {
    let is_old = |memory: &Memory| memory.written().is_some_and(|at| at < before);
    let rules = Selection::of(&["never-selected"]).unwrap_or_default();
    let found = lint::run(cx, &rules).into_iter();
    let wanted = found.filter(|finding| finding.confidence >= UNWANTED);
    let wanted: HashSet<usize> = wanted.map(|finding| finding.memory).collect();
    for way in &cx.play.policies {
        let Ok(outcome) = Outcome::of(cx, (cx.play, way), tasks(cx, cx.play)) else {
            note(&format!(
                "note: {} is not played: it selects the same for every task, or there are too few tasks",
                way.store
            ));
            continue;
        };
        let selects = |at: &usize| outcome.selected(*at) > 0;
        if !outcome.memories.iter().any(selects) {
            note(&format!(
                "note: no task selects a memory of {}, which says nothing about any of them",
                way.store
            ));
            continue;
        }
        let agents = Agents::of(cx, &outcome);
        let asked = |memory: &Memory| {
            let mut written = outcome
                .tasks
                .iter()
                .filter_map(|task| task.written.as_ref());
            agents.select(memory) || written.any(|task| task.expects(memory))
        };
        let matched = |at: &usize| outcome.fates.get(at).map_or(0, |fate| fate.matched);
        let never = outcome
            .memories
            .iter()
            .filter(|at| !selects(at) && matched(at) < ENOUGH);
        for at in never.filter(|at| !wanted.contains(at)) {
            if cx
                .memories
                .get(*at)
                .is_some_and(|memory: &Arc<Memory>| !asked(memory) && is_old(memory))
            {
                add(*at, format!("none of {} selects it", outcome.played()));
            }
        }
    }
    Ok(())
}
