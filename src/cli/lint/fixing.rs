//! `memkeep lint --fix`: the fixes that can be made unseen, as one plan, and why others cannot; and the
//! diff of each fix.

use std::fs;

use crate::app::lints::{together, unseen};
use crate::cli::prelude::*;
use crate::curate::{FileChange, Plan};
use crate::lint::chars::visible;
use crate::lint::{Digest, Finding, Fix};
use crate::retrieval::Texts;
use crate::store::collection::{Staged, concerned};
use crate::workspace::lint_facts::Basis;

/// Looks at memories with their texts, as far as was asked for.
pub type Looks<'a> = dyn Fn(&Basis, &Snapshot, &dyn Texts) -> Digest + 'a;

/// Fixes that bring others about, one on top of the other: no real store nests deeper.
const MOST_PASSES: usize = 20;

/// Identifies a fix from one pass to the next.
fn key(fix: &Change) -> String {
    format!("{fix:?}")
}

/// Fixes that were tried, and why those that did not take did not. A problem that cannot be fixed
/// without touching other bytes stays a finding.
type Tried = HashMap<String, Option<String>>;

/// The plan that fixes what can be fixed, the memories it is about, and the fixes that are left, each
/// with its place and why. A fix can cause a new finding, so fixes are planned in passes, each on the
/// files that the last pass left. `memkeep undo` takes all passes back at once.
pub fn fixing(
    ws: &Workspace,
    memories: &Snapshot,
    dry_run: bool,
    (basis, looks): (&Basis, &Looks<'_>),
) -> (Plan, Vec<String>, Vec<String>) {
    let mut overlay = ws.collection.overlay(ws.now);
    let mut tried = Tried::new();
    let mut ids: BTreeSet<String> = BTreeSet::new();
    let mut staged = memories.clone();
    let mut found = looks(basis, memories, &ws.collection).findings;
    for _ in 0..MOST_PASSES {
        let (safe, _) = unseen(found.iter().filter_map(|finding| finding.fix.as_deref()));
        // A row is read as it is on disk: another fix of it would be planned on what it was.
        let is_free = |fix: &&Fix| {
            let row = staged.get(fix.memory);
            let row = row.filter(|memory| memory.schema.can.in_rows);
            row.is_none_or(|memory| !ids.contains(&memory.id.to_string()))
        };
        let mut fixes = together(&staged, safe.into_iter().filter(is_free));
        fixes.retain(|fix| !tried.contains_key(&key(fix)));
        let mut planner = ws.collection.planner(&staged, &mut overlay);
        let done = planner.stage_safe(&fixes);
        let mut took = false;
        for (fix, done) in fixes.iter().zip(done) {
            took |= done.is_ok();
            let fixed = fix.fixed().filter(|_| done.is_ok());
            ids.extend(fixed.map(ToString::to_string));
            tried.insert(key(fix), done.err().map(|error| error.to_string()));
        }
        if !took {
            break;
        }
        let view = Staged {
            collection: &ws.collection,
            overlay: &overlay,
        };
        staged = Arc::new(view.memories(memories));
        found = looks(&basis.then(&ws.collection, &overlay), &staged, &view).findings;
    }
    let ids: Vec<String> = ids.into_iter().collect();
    let title = match ids.as_slice() {
        [one] => format!("fixed {one}"),
        _ => format!("fixed {} memories", ids.len()),
    };
    // Places are those of the files as they will be then.
    let then = if dry_run { memories } else { &staged };
    let left = left(ws, (&staged, then), &found, &tried);
    (overlay.into_plan(title), ids, left)
}

/// The fixes of what is still found, those with the same title and reason in one line.
fn left(
    ws: &Workspace,
    (memories, then): (&Snapshot, &Snapshot),
    found: &[Finding],
    tried: &Tried,
) -> Vec<String> {
    let lines_of = then.iter().map(|memory| (&memory.id, memory.line));
    let lines_of: HashMap<&MemoryId, u32> = lines_of.collect();
    let mut kinds: Vec<(String, String, usize)> = Vec::new();
    for finding in found {
        let Some((fix, memory)) = finding.fix.as_ref().zip(memories.get(finding.memory)) else {
            continue;
        };
        let why = match tried.get(&key(&fix.change)) {
            // It took, and the same is found again.
            Some(None) => continue,
            Some(Some(why)) => why,
            None if !fix.safe => "a person decides",
            None => "it waits for another fix of the same text",
        };
        let kind = format!("[{}] {}: {why}", finding.rule, visible(&fix.title));
        if let Some((_, _, more)) = kinds.iter_mut().find(|(_, known, _)| *known == kind) {
            *more += 1;
            continue;
        }
        let path = ws.collection.shown(&memory.path);
        let line = lines_of.get(&memory.id).copied().unwrap_or(memory.line);
        let line = finding.line.saturating_sub(memory.line) + line;
        kinds.push((format!("{}:{line}", visible(&path)), kind, 0));
    }
    let lines = kinds.into_iter().map(|(place, kind, more)| match more {
        0 => format!("not applied: {place} {kind}"),
        more => format!("not applied: {place} and {more} more {kind}"),
    });
    lines.collect()
}

/// Bytes of files that are read, parsed and compared to spell fixes out: some ten seconds of work.
/// A fix in a file with other memories costs all of that file, so without an end the fixes of one
/// file of 20 MB would take an hour.
const MOST: u64 = 512 << 20;
/// Fixes of one memory that are spelled out: each is planned on all of it.
const MOST_OF_ONE: usize = 100;

/// Spells fixes out one after the other, each among the memories that it concerns.
#[derive(Default)]
pub struct Diffs {
    spent: u64,
    pub left_out: usize,
    of_memory: HashMap<usize, usize>,
}

impl Diffs {
    /// The unified diff of a fix; none if it cannot be made.
    pub fn diff(&mut self, ws: &Workspace, memories: &Snapshot, fix: &Fix) -> Option<String> {
        let memory = memories.get(fix.memory)?;
        let count = self.of_memory.entry(fix.memory).or_default();
        *count += 1;
        if self.spent > MOST || *count > MOST_OF_ONE {
            self.left_out += 1;
            return None;
        }
        let concerned = match fix.change {
            Change::Rename { .. } | Change::Merge { .. } => concerned(&fix.change, memories),
            _ => vec![memory.clone()],
        };
        let change = Change::Fix(vec![fix.change.clone()]);
        let plan = ws.collection.plan(&change, &concerned, ws.now).ok()?;
        let rewritten = plan.changes.iter().filter_map(FileChange::rewritten);
        let rewritten = rewritten.filter_map(|path| Some(fs::metadata(path).ok()?.len()));
        self.spent += rewritten.sum::<u64>();
        Some(String::from_utf8_lossy(&ws.diff(&plan)).into_owned())
    }
}
