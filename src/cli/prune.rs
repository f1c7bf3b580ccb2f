//! `memkeep prune`: archives what has expired, repeats, is never selected or is old, in one step.

use super::change::{make_sure, tell};
use super::prelude::*;
use crate::curate::promote::print_of;
use crate::lint::health::unwanted;
use crate::lint::{self, Context, Selection};
use crate::retrieval::Texts as _;
use crate::search::query::age;
use crate::systems::golemcore::scope::GLOBAL;
use crate::systems::golemcore::{fingerprint, kin};
use crate::workspace::lint_facts::Basis;

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
    /// Prune what lint reports as never used: sessions were given it and none drew on it
    #[arg(long, group = "what")]
    pub never_used: bool,
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

pub fn run(ws: &Workspace, args: &Prune, output: &mut Output) -> Result<u8> {
    let all = ws.load();
    let (whys, equal) = whys(ws, args, &all)?;
    let taken = whys.keys().filter_map(|at| all.get(*at));
    let taken: HashSet<&MemoryId> = taken.map(|one| &one.id).collect();
    let edits = equal.iter().filter_map(|equal| {
        let [keep, rest @ ..] = equal.as_slice() else {
            return None;
        };
        let rest = rest.iter().filter(|one| taken.contains(&one.id));
        let rest = rest.map(|one| &one.fields).collect_vec();
        let edits = kin::upsert(&keep.fields, &rest);
        let is_kept = !edits.is_empty() && !taken.contains(&keep.id);
        is_kept.then(|| Change::edit(&keep.id, edits))
    });
    let edits = edits.collect_vec();
    let whys = whys.iter();
    let wanted = whys.filter_map(|(at, why)| Some((all.get(*at)?.id.clone(), why.join(", "))));
    let wanted: Vec<(MemoryId, String)> = wanted.collect();
    if wanted.is_empty() {
        return Err(Error::nothing("nothing is to be pruned"));
    }
    for (id, why) in &wanted {
        note(&format!("{id}: {why}"));
    }
    make_sure(ws, (args.yes, args.dry_run), "prune", output, &|memories| {
        // Memories that another program removed meanwhile cannot be archived.
        let there = |(id, _): &&(MemoryId, String)| memories.iter().any(|one| one.id == *id);
        let pruned = Change::Prune(wanted.iter().filter(there).cloned().collect());
        Ok(Change::all([vec![pruned], edits.clone()].concat()))
    })
}

const DAY: i64 = 86_400_000;

/// The memories to prune by their indexes, each with why, and the rows that are equal.
type Pruned = (BTreeMap<usize, Vec<String>>, Vec<Vec<Arc<Memory>>>);

fn whys(ws: &Workspace, args: &Prune, all: &Snapshot) -> Result<Pruned> {
    // Nothing is old after minutes: `m` is a month.
    let older = args.older.as_deref();
    let older = older.map(|typed| match age(&typed.replace('m', "M")) {
        Some(span) => Ok((typed, ws.now.0.saturating_sub(span))),
        None => Err(Error::wrong(format!("`{typed}` is no age"))
            .hint("a number of days, weeks, months or years: 90d, 12w, 6m, 1y")),
    });
    let older = older.transpose()?;
    let mut whys: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut equal = Vec::new();
    let may = |memory: &Arc<Memory>| {
        let is_entry = !memory.schema.can.context && memory.index_table().is_none();
        is_entry && memory.state == State::Active
    };
    let mut add = |at: usize, why: String| {
        if all.get(at).is_some_and(may) {
            whys.entry(at).or_default().push(why);
        }
    };
    for (at, memory) in all.iter().enumerate().filter(|_| args.expired) {
        if let Some(expiry) = memory.expires.filter(|_| memory.is_expired(ws.now)) {
            let (day, why) = (expiry.at.date(), expiry.why);
            add(at, format!("expired on {day}: {why}"));
        }
    }
    if args.duplicates || args.never_selected || args.never_used {
        let basis = Basis::strict(ws, false)?;
        let facts = ws.lint_facts(ws.now);
        tell(&facts.notes);
        let cx = facts.context(&basis, all, &ws.collection);
        if args.duplicates {
            equal = duplicates(&cx, &mut add);
        }
        if args.never_selected {
            never_selected(&cx, &mut add);
        }
        if args.never_used {
            let rule = Selection::of(&["never-used"]).unwrap_or_default();
            for finding in lint::run(&cx, &rule) {
                add(finding.memory, finding.message.clone());
            }
        }
    }
    if let Some((age, before)) = older {
        let old = |memory: &Memory| memory.written().filter(|at| at.0 < before);
        let is_alone = !(args.expired || args.duplicates || args.never_selected || args.never_used);
        for (at, memory) in all.iter().enumerate().filter(|_| is_alone) {
            if let Some(written) = old(memory) {
                let day = written.date();
                add(at, format!("last written on {day}, more than {age} ago"));
            }
        }
        whys.retain(|at, _| all.get(*at).is_some_and(|memory| old(memory).is_some()));
    }
    whys.retain(|at, _| all.get(*at).is_some_and(|memory| is_read(ws, memory)));
    Ok((whys, equal))
}

/// True if a memory can be read: without its text nothing could be decided about it.
fn is_read(ws: &Workspace, memory: &Memory) -> bool {
    let _ = ws.collection.text(memory);
    let unread = ws.collection.why_unread(memory);
    let why = unread.iter();
    why.for_each(|why| note(&format!("note: {} is not pruned: {why}", memory.id)));
    unread.is_none()
}

/// Adds the memories that a fix of lint would archive as repeated, then equal rows. Returns these.
fn duplicates(cx: &Context<'_>, add: &mut dyn FnMut(usize, String)) -> Vec<Vec<Arc<Memory>>> {
    let rules = Selection::of(&["near-duplicate", "contained"]).unwrap_or_default();
    let mut questions = 0;
    let mut gone: HashSet<MemoryId> = HashSet::new();
    let by_id = |id: &MemoryId| cx.memories.iter().position(|memory| memory.id == *id);
    for finding in lint::run(cx, &rules).iter().flat_map(lint::Finding::each) {
        let fix = finding.fix.as_ref();
        match fix.and_then(|fix| fix.change.gives_up()) {
            None => questions += 1,
            // Of three that say the same one stays.
            Some((_, Some(winner))) if gone.contains(winner) => {}
            Some((loser, _)) => {
                if let Some(at) = by_id(loser).filter(|_| gone.insert(loser.clone())) {
                    add(at, finding.message.clone());
                }
            }
        }
    }
    let equal = same_rows(cx, &gone, add);
    let pairs = match questions {
        0 => return equal,
        1 => "1 pair is".to_owned(),
        many => format!("{many} pairs are"),
    };
    let command = "`memkeep lint --rule near-duplicate --rule contained`";
    note(&format!("note: {pairs} left to you: {command}"));
    equal
}

/// The rows that have content, scope and fingerprint of another one; of those that are equal one
/// that does not expire stays, else one of a lasting layer, else the first. Rows that are `gone` do not count. Returns the rows
/// that stay, each with the equal ones.
fn same_rows(
    cx: &Context<'_>,
    gone: &HashSet<MemoryId>,
    add: &mut dyn FnMut(usize, String),
) -> Vec<Vec<Arc<Memory>>> {
    let mut all: HashMap<_, Vec<Arc<Memory>>> = HashMap::new();
    let rows = cx.memories.iter().enumerate();
    let rows = rows.filter(|(_, one)| one.state == State::Active && !gone.contains(&one.id));
    let rows = rows.filter(|(_, one)| one.hidden_at(cx.now).is_none());
    let lasts_least = |one: &Arc<Memory>| (one.expires.is_some(), kin::is_episode(one));
    for (at, memory) in rows.sorted_by_key(|(_, one)| lasts_least(one)) {
        let Some((print, body)) = print_of(memory).zip(cx.texts.body(memory)) else {
            continue;
        };
        let scope = memory.field("scope").and_then(Value::as_str);
        let text = fingerprint(None, None, &body);
        let key = (print, text, scope.unwrap_or(GLOBAL));
        let equal = all.entry(key).or_default();
        if let Some(first) = equal.first() {
            add(at, format!("text and fingerprint of `{}`", first.id));
        }
        equal.push(memory.clone());
    }
    all.into_values().filter(|equal| equal.len() > 1).collect()
}

/// Days that a new memory has to be selected by some task.
const YOUNG: i64 = 14;

/// Adds the memories that no task selects or should select, if they are old enough.
fn never_selected(cx: &Context<'_>, add: &mut dyn FnMut(usize, String)) {
    let before = Timestamp(cx.now.0.saturating_sub(YOUNG * DAY));
    let is_old = |memory: &Arc<Memory>| memory.written().is_some_and(|at| at < before);
    for policy in &cx.play.policies {
        let unwanted = unwanted(cx, policy).unwrap_or_else(|why| {
            note(&format!("note: {} is left as it is: {why}", policy.store));
            Vec::new()
        });
        for (at, why) in unwanted {
            if cx.memories.get(at).is_some_and(is_old) {
                add(at, why);
            }
        }
    }
}
