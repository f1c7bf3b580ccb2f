//! `memkeep lint`: findings, and their fixes.

use std::collections::HashSet;
use std::io::Write as _;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use super::args::{self, FailOn, LintFormat};
use super::error::Error;
use super::output::note;
use super::session::Session;
use super::{Output, exit};
use crate::curate::{Change, FileChange, Plan};
use crate::lint::report::{Replacement, Report, Resolved};
use crate::lint::{self, Context, Finding, Fix, FixAction, Selection, UnknownRule};
use crate::memory::{Memory, MemoryId, Severity};
use crate::retrieval::Snapshot;
use crate::search::query::Marks;

/// What lint says of each memory.
pub fn marks(session: &Session, memories: &[Arc<Memory>]) -> Vec<Marks> {
    let snapshot = Arc::new(memories.to_vec());
    lint::marks(
        memories.len(),
        &findings(session, &snapshot, &Selection::all()),
    )
}

fn findings(session: &Session, memories: &Snapshot, rules: &Selection) -> Vec<Finding> {
    lint::run(
        &Context {
            memories,
            texts: &session.collection,
            now: session.now,
        },
        rules,
    )
}

fn unknown(error: &UnknownRule) -> Error {
    let known: Vec<&str> = lint::RULES.iter().map(|rule| rule.id()).collect();
    let hint = match error.nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("known rules: {}", known.join(", ")),
    };
    Error::wrong(error.to_string()).hint(hint)
}

/// Prints the page of help of a rule.
pub fn explain(args: &args::Lint, output: &mut Output) -> Result<u8, Error> {
    let name = args.explain.as_deref().unwrap_or_default();
    Selection::of(&[name]).map_err(|error| unknown(&error))?;
    let page = lint::rule(name).map_or("", |rule| rule.help());
    write!(output, "{page}")?;
    Ok(exit::DONE)
}

/// Runs the command.
pub fn run(session: &Session, args: &args::Lint, output: &mut Output) -> Result<u8, Error> {
    let rules = Selection::of(&args.rule).map_err(|error| unknown(&error))?;
    let memories: Snapshot = Arc::new(ManuallyDrop::into_inner(session.load()));
    let only: HashSet<MemoryId> = session
        .ids(&args.ids, &memories, false)?
        .into_iter()
        .collect();
    let wanted = |memories: &Snapshot| {
        let mut found = findings(session, memories, &rules);
        if !only.is_empty() {
            found.retain(|finding| {
                memories
                    .get(finding.memory)
                    .is_some_and(|memory| only.contains(&memory.id))
            });
        }
        found
    };
    let mut found = wanted(&memories);
    if args.fix && args.dry_run {
        return dry_run(session, &memories, &found, output);
    }
    let mut memories = memories;
    if args.fix {
        (memories, found) = fix_all(session, memories, found, &wanted)?;
    }
    print(session, args.format, &memories, &found, output)?;
    Ok(if fails(&found, args.fail_on) {
        exit::NOTHING
    } else {
        exit::DONE
    })
}

fn fails(found: &[Finding], on: FailOn) -> bool {
    let worst = match on {
        FailOn::Never => return false,
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Info => Severity::Info,
    };
    found.iter().any(|finding| finding.severity <= worst)
}

/// The fixes of findings that can be made in one plan: edits of different fields, and what
/// changes a whole file where nothing else does. A fix that is left out is found again.
fn fixes(memories: &Snapshot, found: &[Finding]) -> Vec<Wanted> {
    let mut whole = HashSet::new();
    let mut edited = HashSet::new();
    let mut fields = HashSet::new();
    let mut wanted = Vec::new();
    for fix in found.iter().filter_map(|finding| finding.fix.as_ref()) {
        let Some(memory) = memories.get(fix.memory) else {
            continue;
        };
        let path = &memory.path;
        let fits = match &fix.action {
            FixAction::Edit(edits) => {
                let names = edits.iter().map(|edit| (fix.memory, edit.field_name()));
                !whole.contains(path) && names.clone().all(|name| !fields.contains(&name)) && {
                    fields.extend(names);
                    edited.insert(path.clone());
                    true
                }
            }
            _ => !edited.contains(path) && whole.insert(path.clone()),
        };
        if fits {
            wanted.push((memory.id.clone(), fix.action.clone()));
        }
    }
    wanted
}

/// A fix, and the memory it is for.
type Wanted = (MemoryId, FixAction);

/// The plan of these fixes, without those that cannot be made on the files as they are.
fn plan(session: &Session, memories: &Snapshot, wanted: Vec<Wanted>) -> Result<Fixes, Error> {
    let plan = |wanted: &[Wanted]| {
        let change = Change::Fix(wanted.to_vec());
        session.collection.plan(&change, memories)
    };
    if let Ok(plan) = plan(&wanted) {
        return Ok(Fixes { plan, wanted });
    }
    let alone = |one: &Wanted| plan(std::slice::from_ref(one)).is_ok();
    let mut wanted: Vec<Wanted> = wanted.into_iter().filter(alone).collect();
    if plan(&wanted).is_err() {
        // Two that do not go together: the other one is found again.
        wanted.truncate(1);
    }
    let plan = plan(&wanted)?;
    Ok(Fixes { plan, wanted })
}

/// Fixes that go together.
struct Fixes {
    plan: Plan,
    wanted: Vec<Wanted>,
}

fn dry_run(
    session: &Session,
    memories: &Snapshot,
    found: &[Finding],
    output: &mut Output,
) -> Result<u8, Error> {
    let fixes = plan(session, memories, fixes(memories, found))?;
    output.raw(&session.diff(&fixes.plan))?;
    Ok(exit::DONE)
}

/// Applies fixes until none is left or one does not take; gives what is there afterwards.
fn fix_all(
    session: &Session,
    mut memories: Snapshot,
    mut found: Vec<Finding>,
    wanted: &dyn Fn(&Snapshot) -> Vec<Finding>,
) -> Result<(Snapshot, Vec<Finding>), Error> {
    session.may_write()?;
    let (mut fixed, mut steps) = (0, 0);
    while found.iter().any(|finding| finding.fix.is_some()) {
        let Fixes { plan, wanted: made } = plan(session, &memories, fixes(&memories, &found))?;
        if plan.is_empty() {
            break;
        }
        let ids = made.iter().map(|(id, _)| id.to_string()).collect();
        session
            .collection
            .carry_out(plan, "fix", ids, session.now)?;
        steps += 1;
        let before = found.len();
        memories = Arc::new(ManuallyDrop::into_inner(session.load()));
        found = wanted(&memories);
        if found.len() >= before {
            break;
        }
        fixed += before - found.len();
    }
    let undo = match steps {
        0 => String::new(),
        1 => " · memkeep undo".to_owned(),
        steps => format!(" · memkeep undo, {steps} times"),
    };
    note(&format!("fixed {fixed} findings{undo}"));
    Ok((memories, found))
}

fn print(
    session: &Session,
    format: LintFormat,
    memories: &Snapshot,
    found: &[Finding],
    output: &mut Output,
) -> Result<(), Error> {
    let report = Report {
        memories,
        root: &session.collection.root,
        findings: found,
    };
    let resolve = |fix: &Fix| resolve(session, memories, fix);
    match format {
        LintFormat::Table => write!(output, "{}", report.text())?,
        LintFormat::Github => write!(output, "{}", report.github())?,
        LintFormat::Json => {
            serde_json::to_writer_pretty(&mut *output, &report.json(&resolve))?;
            writeln!(output)?;
        }
        LintFormat::Sarif => {
            serde_json::to_writer_pretty(&mut *output, &report.sarif(&resolve))?;
            writeln!(output)?;
        }
        LintFormat::Quiet => {
            let mut ids: Vec<String> = found
                .iter()
                .filter_map(|finding| memories.get(finding.memory))
                .map(|memory| memory.id.to_string())
                .collect();
            ids.sort_unstable();
            ids.dedup();
            for id in ids {
                writeln!(output, "{id}")?;
            }
        }
    }
    Ok(())
}

/// What a fix changes in which bytes; nothing where it cannot be made.
fn resolve(session: &Session, memories: &Snapshot, fix: &Fix) -> Option<Resolved> {
    let id = memories.get(fix.memory)?.id.clone();
    let plan = session
        .collection
        .plan(&Change::Fix(vec![(id, fix.action.clone())]), memories)
        .ok()?;
    let replacements = plan.changes.iter().filter_map(|change| match change {
        FileChange::Write {
            path,
            before: Some(_),
            splice,
            ..
        } => Some(Replacement {
            path: session.collection.shown(path),
            offset: splice.at,
            length: splice.removed.len(),
            text: String::from_utf8(splice.inserted.clone()).ok()?,
        }),
        _ => None,
    });
    Some(Resolved {
        diff: String::from_utf8_lossy(&session.diff(&plan)).into_owned(),
        replacements: replacements.collect(),
    })
}
