//! `memkeep lint`: findings, and their fixes.

use std::collections::HashSet;
use std::io::Write as _;
use std::sync::Arc;

use super::args::{self, FailOn, LintFormat};
use super::error::Error;
use super::output::note;
use super::session::Session;
use super::{Output, exit};
use crate::curate::{Change, FileChange, Plan};
use crate::lint::health::play::Play;
use crate::lint::report::{Replacement, Report, Resolved};
use crate::lint::repository::Project;
use crate::lint::{self, Context, Finding, Fix, FixAction, Selection, UnknownRule};
use crate::memory::{Memory, MemoryId, Severity};
use crate::project::history::Logs;
use crate::retrieval::{Snapshot, Texts};
use crate::search::query::Marks;
use crate::store::Overlay;
use crate::store::staged::Staged;

/// Memories that are looked at, and compared with each other, where lint is not what was asked
/// for: more would take seconds and room. `memkeep lint` looks at any number.
pub const MOST_COMPARED: usize = 5000;

/// What lint says of each memory; looked at are those with the indexes `wanted`, or all.
pub fn marks(session: &Session, memories: &[Arc<Memory>], wanted: Option<&[usize]>) -> Vec<Marks> {
    let memories = Arc::new(memories.to_vec());
    let logs = Logs::default();
    let project = logs.facts(&session.collection.root);
    let (play, _) = super::play::play(session, session.now);
    let cx = Context {
        play: &play,
        ..Context::new(&memories, &session.collection, session.now, &project)
    };
    let rules = rules(session);
    if memories.len() <= MOST_COMPARED {
        return lint::digest(&cx, &rules, 0).marks;
    }
    let rules = rules.alone();
    match wanted {
        Some(wanted) => lint::digest_of(&cx, &rules, 0, wanted).marks,
        None => lint::digest(&cx, &rules, 0).marks,
    }
}

fn findings(
    session: &Session,
    memories: &Snapshot,
    texts: &dyn Texts,
    rules: &Selection,
    (project, play): (&dyn Project, &Play),
) -> Vec<Finding> {
    let cx = Context {
        play,
        ..Context::new(memories, texts, session.now, project)
    };
    lint::run(&cx, rules)
}

/// The rules that the configuration leaves on. What it names wrongly is the command's to say.
pub fn rules(session: &Session) -> Selection {
    let off = session.settings.lint.off.as_deref().unwrap_or_default();
    let all = Selection::all();
    off.iter()
        .fold(all, |rules, name| rules.without(&[name]).unwrap_or(rules))
}

/// The rules of a call: those it names, else those that the configuration leaves on.
fn chosen(session: &Session, args: &args::Lint) -> Result<Selection, Error> {
    if !args.rule.is_empty() {
        return Selection::of(&args.rule).map_err(|error| unknown(&error));
    }
    let off = session.settings.lint.off.as_deref().unwrap_or_default();
    Selection::all()
        .without(off)
        .map_err(|error| unknown(&error))
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
    let rules = chosen(session, args)?;
    let memories: Snapshot = session.load();
    let only: HashSet<MemoryId> = session.ids(&args.ids, &memories)?.into_iter().collect();
    let logs = Logs::default();
    let project = logs.facts(&session.collection.root);
    let (play, error) = super::play::play(session, session.now);
    let plays = rules.rules().any(|rule| rule.plays());
    if let Some(error) = error.filter(|_| plays) {
        note(&format!("note: {error}; its tasks are not played"));
    }
    let wanted = |memories: &Snapshot, texts: &dyn Texts| {
        let mut found = findings(session, memories, texts, &rules, (&project, &play));
        if !only.is_empty() {
            found.retain(|finding| {
                memories
                    .get(finding.memory)
                    .is_some_and(|memory| only.contains(&memory.id))
            });
        }
        found
    };
    let mut memories = memories;
    if args.fix {
        let (plan, ids) = fixing(session, &memories, &wanted);
        if args.dry_run {
            output.raw(&session.diff(&plan))?;
            return Ok(exit::DONE);
        }
        let done = session
            .collection
            .carry_out(plan, "fix", ids, session.now)?;
        note(&match done.changed {
            true => format!("{} · memkeep undo", done.title),
            false => "nothing to fix".to_owned(),
        });
        memories = session.load();
    }
    let found = wanted(&memories, &session.collection);
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

/// Fixes that bring others about, one on top of the other: no real store nests deeper.
const MOST_PASSES: usize = 20;

/// A fix, and the memory it is for.
type Wanted = (MemoryId, FixAction);

/// The fixes of findings that can be made together: edits of different fields, and what changes
/// a whole file where nothing else does. A fix that is left out is found again.
fn together(memories: &Snapshot, found: &[Finding]) -> Vec<Wanted> {
    let mut whole = HashSet::new();
    let mut left = HashSet::new();
    let mut edited = HashSet::new();
    let mut fields = HashSet::new();
    let mut wanted = Vec::new();
    let fixes = found.iter().filter_map(|finding| finding.fix.as_ref());
    for fix in fixes.filter(|fix| fix.safe) {
        let Some(memory) = memories.get(fix.memory) else {
            continue;
        };
        let path = &memory.path;
        let fits = if let FixAction::Edit(edits) = &fix.action {
            let names = edits.iter().map(|edit| (fix.memory, edit.field_name()));
            let free = names.clone().all(|name| !fields.contains(&name));
            let fits = free && !whole.contains(path) && !left.contains(path);
            if fits {
                fields.extend(names);
                edited.insert(path.clone());
            }
            fits
        } else if fix.action == FixAction::Archive {
            // Any number of memories leave a file together.
            let fits = !edited.contains(path) && !whole.contains(path);
            if fits {
                left.insert(path.clone());
            }
            fits
        } else {
            !edited.contains(path) && !left.contains(path) && whole.insert(path.clone())
        };
        if fits {
            wanted.push((memory.id.clone(), fix.action.clone()));
        }
    }
    wanted
}

/// Stages fixes; gives the ids of those that took. What cannot be fixed without touching other
/// bytes stays a finding.
fn stage(
    session: &Session,
    memories: &Snapshot,
    wanted: &[Wanted],
    overlay: &mut Overlay,
) -> Vec<String> {
    let done = session.collection.stage_fixes(wanted, memories, overlay);
    let took = wanted.iter().zip(done).filter(|(_, done)| done.is_ok());
    took.map(|((id, _), _)| id.to_string()).collect()
}

/// The plan that fixes what can be fixed, and what it is about. A fix may bring another one
/// about: each pass is planned on the files as the one before leaves them, so that all of them
/// are one step.
fn fixing(
    session: &Session,
    memories: &Snapshot,
    wanted: &dyn Fn(&Snapshot, &dyn Texts) -> Vec<Finding>,
) -> (Plan, Vec<String>) {
    let mut overlay = Overlay::at(session.now);
    let mut tried = HashSet::new();
    let mut ids = Vec::new();
    let mut staged = memories.clone();
    let mut found = wanted(memories, &session.collection);
    for _ in 0..MOST_PASSES {
        let mut fixes = together(&staged, &found);
        fixes.retain(|(id, action)| tried.insert((id.clone(), format!("{action:?}"))));
        let took = stage(session, &staged, &fixes, &mut overlay);
        if took.is_empty() {
            break;
        }
        ids.extend(took);
        let view = Staged {
            collection: &session.collection,
            overlay: &overlay,
        };
        staged = Arc::new(view.memories(memories));
        found = wanted(&staged, &view);
    }
    ids.sort_unstable();
    ids.dedup();
    let title = match ids.as_slice() {
        [one] => format!("fixed {one}"),
        _ => format!("fixed {} memories", ids.len()),
    };
    (overlay.into_plan(title), ids)
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
    let memory = memories.get(fix.memory)?;
    // Only another name concerns other memories; to look among all of them for each fix takes
    // minutes in a large store.
    let concerned = match fix.action {
        FixAction::Rename(_) => memories.as_slice(),
        _ => std::slice::from_ref(memory),
    };
    let change = Change::Fix(vec![(memory.id.clone(), fix.action.clone())]);
    let plan = session
        .collection
        .plan(&change, concerned, session.now)
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
