//! `promote`, `demote` and `forget`: what changes what agents will be told, and so is asked
//! before it is done, or needs `--yes`.

use std::collections::{BTreeSet, HashMap};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{self, HistoryFormat};
use super::change::{ask, make, make_sure};
use super::error::Error;
use super::lint::Known;
use super::session::{Session, cache_folder};
use super::{Output, convert, exit};
use crate::app::convert::Way;
use crate::curate::Change;
use crate::lint::{self, Selection};
use crate::memory::{Memory, MemoryId};
use crate::project::history::Logs;
use crate::retrieval::Snapshot;
use crate::store::StoreError;
use crate::store::collection::Candidate;
use crate::ui::safe::safe;

/// Runs `memkeep promote` and `memkeep demote`: asked is where the system itself would not.
pub fn promote(
    session: &Session,
    args: &args::Promote,
    up: bool,
    output: &mut Output,
) -> Result<u8, Error> {
    if args.candidates {
        return candidates(session, args.format, output);
    }
    if let Some(file) = &args.to_rule {
        return to_rule(session, args, file.as_deref(), output);
    }
    if let Some(to) = &args.to {
        return make(session, args.dry_run, output, &|memories| {
            moved(session, &session.found(&args.ids, memories)?, to)
        });
    }
    let change = |sure: bool| {
        move |memories: &[_]| {
            let ids = session.ids(&args.ids, memories)?;
            Ok(Change::Promote { ids, up, sure })
        }
    };
    let mut sure = args.yes || args.dry_run;
    if !sure {
        let memories = session.load();
        let planned = change(false)(&memories)?;
        // What else is wrong is said when it is done.
        let plan = session.collection.plan(&planned, &memories, session.now);
        if let Err(StoreError::Doubtful(why)) = plan {
            let verb = if up { "promote" } else { "demote" };
            ask(&why, verb, &format!("`{verb} --yes` does it"))?;
            sure = true;
        }
    }
    make(session, args.dry_run, output, &change(sure))
}

/// Moves memories to a store; the project's is chosen for each.
fn moved(session: &Session, found: &[&Arc<Memory>], to: &str) -> Result<Change, Error> {
    let change = |ids: Vec<MemoryId>, to| Change::Convert {
        ids,
        to,
        remove: true,
    };
    if to != "project" {
        let ids = found.iter().map(|memory| memory.id.clone()).collect();
        return Ok(change(ids, convert::destination(session, to, None)?));
    }
    let mut all: Vec<Change> = Vec::new();
    for memory in found {
        let to = session.collection.project_store(memory)?;
        let same = all.iter_mut().find_map(|one| match one {
            Change::Convert { ids, to: known, .. } if *known == to => Some(ids),
            _ => None,
        });
        match same {
            Some(ids) => ids.push(memory.id.clone()),
            None => all.push(change(vec![memory.id.clone()], to)),
        }
    }
    Ok(match all.len() {
        1 => all.swap_remove(0),
        _ => Change::Together(all),
    })
}

/// Files of rules that agents read, the one that is taken first before.
const RULES: [&str; 2] = ["CLAUDE.md", "AGENTS.md"];

/// Makes memories lines of a file of rules.
fn to_rule(
    session: &Session,
    args: &args::Promote,
    file: Option<&Path>,
    output: &mut Output,
) -> Result<u8, Error> {
    let root = &session.collection.root;
    let mut known = RULES.iter().map(|name| root.join(name));
    let file: PathBuf = match file {
        Some(file) => root.join(file),
        None => known.find(|path| path.exists()).ok_or_else(|| {
            Error::wrong(format!("there is neither {}", RULES.join(" nor ")))
                .hint("--to-rule FILE names the file, and makes it")
        })?,
    };
    if !file.starts_with(root) || file.components().any(|part| part.as_os_str() == "..") {
        return Err(
            Error::wrong(format!("{} is not in the project", file.display()))
                .hint("rules go to a file below its root"),
        );
    }
    if args.line.is_some() && args.ids.len() != 1 {
        return Err(Error::wrong("--line is the line of one memory"));
    }
    let line = args
        .line
        .as_deref()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    if line.is_some_and(|line| line.contains(['\n', '\r'])) {
        return Err(Error::wrong("--line is more than one line"));
    }
    make(session, args.dry_run, output, &|memories| {
        Ok(Change::Rule {
            ids: session.ids(&args.ids, memories)?,
            file: file.clone(),
            line: line.map(str::to_owned),
        })
    })
}

/// The memories that can be promoted, with those that say nearly the same as evidence.
pub fn ready(session: &Session, memories: &Snapshot) -> Vec<Candidate> {
    let collection = &session.collection;
    let known = Known::of(collection, &session.settings.lint);
    let logs = Logs::kept_in(cache_folder());
    let project = logs.facts(&collection.root);
    let cx = known.context(memories, collection, session.now, &project);
    let rules = Selection::of(&["near-duplicate"]).unwrap_or_default();
    let mut repeated: HashMap<&MemoryId, BTreeSet<&MemoryId>> = HashMap::new();
    for finding in lint::run(&cx, &rules) {
        for one in finding.each() {
            let all = std::iter::once(&one.memory).chain(&one.related);
            let all: Vec<&MemoryId> = all.filter_map(|at| Some(&memories.get(*at)?.id)).collect();
            for id in &all {
                let others = all.iter().filter(|other| *other != id);
                repeated.entry(id).or_default().extend(others);
            }
        }
    }
    collection.candidates(memories, &|id| {
        let others = repeated.get(id)?.iter().map(ToString::to_string);
        let others: Vec<String> = others.collect();
        Some(format!("nearly the same as {}", others.join(", ")))
    })
}

/// The candidates as rows to choose one of.
pub fn ways(candidates: Vec<Candidate>, memories: &[Arc<Memory>]) -> Vec<Way> {
    let way = |one: Candidate| {
        let memory = memories.iter().find(|memory| memory.id == one.id)?;
        let missing = one.missing.map(|missing| format!("missing: {missing}"));
        let about = std::iter::once(one.why).chain(missing).chain(one.evidence);
        Some(Way {
            name: crate::lint::mask(&memory.title).into_owned(),
            about: about.collect::<Vec<_>>().join("; "),
            change: match one.to {
                Some(to) => Change::Convert {
                    ids: vec![one.id],
                    to,
                    remove: true,
                },
                None => Change::Promote {
                    ids: vec![one.id],
                    up: true,
                    sure: true,
                },
            },
        })
    };
    candidates.into_iter().filter_map(way).collect()
}

/// Names the memories that are ready to be promoted, and what is missing for the others.
fn candidates(session: &Session, format: HistoryFormat, output: &mut Output) -> Result<u8, Error> {
    let all = ready(session, &session.load());
    if format == HistoryFormat::Json {
        let json = |one: &Candidate| {
            serde_json::json!({
                "id": one.id.to_string(),
                "ready": one.missing.is_none(),
                "command": format!("memkeep {} {}", one.how, one.id),
                "why": one.why,
                "missing": one.missing,
                "evidence": one.evidence,
            })
        };
        super::json::print_array(&all, json, output)?;
    } else {
        for one in &all {
            let head = if one.missing.is_none() {
                "ready    "
            } else {
                "not yet  "
            };
            output.bold(head)?;
            writeln!(output, "{}  {}", safe(&one.id.to_string()), safe(&one.why))?;
            let missing = one
                .missing
                .iter()
                .map(|missing| format!("missing: {missing}"));
            let evidence = one
                .evidence
                .iter()
                .map(|evidence| format!("evidence: {evidence}"));
            for line in missing.chain(evidence) {
                writeln!(output, "           {}", safe(&line))?;
            }
            if one.missing.is_none() {
                writeln!(
                    output,
                    "           memkeep {} {}",
                    one.how,
                    safe(&one.id.to_string())
                )?;
            }
        }
    }
    match all.is_empty() {
        true => Err(Error::nothing("no memory is a candidate for promotion")),
        false => Ok(exit::DONE),
    }
}

/// Runs `memkeep forget`.
pub fn forget(session: &Session, args: &args::Sure, output: &mut Output) -> Result<u8, Error> {
    if !args.yes && !args.dry_run {
        let memories = session.load();
        let ids = session.ids(&args.ids, &memories)?;
        // What cannot be is refused before anybody is asked.
        let change = Change::Forget(ids.clone());
        session.collection.plan(&change, &memories, session.now)?;
        let what = match ids.as_slice() {
            [one] => format!("{one} expires at once, and its system drops it at its next write"),
            all => format!(
                "{} memories expire at once, and their system drops them",
                all.len()
            ),
        };
        ask(&what, "forget", "`forget --yes` does it")?;
    }
    make(session, args.dry_run, output, &|memories| {
        Ok(Change::Forget(session.ids(&args.ids, memories)?))
    })
}

/// Runs `reorder`.
pub fn reorder(session: &Session, args: &args::Reorder, output: &mut Output) -> Result<u8, Error> {
    let args::OrderBy::Value = args.by;
    let asked = (args.yes, args.dry_run);
    make_sure(session, asked, "reorder", output, &|memories| {
        if !args.ids.is_empty() {
            return Ok(Change::Reorder(session.ids(&args.ids, memories)?));
        }
        let indexes = memories.iter().filter(|one| one.index_table().is_some());
        let ids: Vec<MemoryId> = indexes.map(|one| one.id.clone()).collect();
        match ids.is_empty() {
            true => Err(Error::nothing("no store has an index")
                .hint("an index is a file that lists the others, such as MEMORY.md")),
            false => Ok(Change::Reorder(ids)),
        }
    })
}
