//! `memkeep lint`: findings, and their fixes.

pub mod ask;
mod baseline;
mod fixing;
mod resolve;

use std::collections::HashSet;
use std::io::Write as _;

use self::resolve::Resolver;
use super::args::{self, FailOn, LintFormat};
use super::change::print_diff;
use super::error::Error;
use super::output::note;
use super::{Output, answer, exit};
use crate::lint::report::{Detail, Report};
use crate::lint::repository::Project as _;
use crate::lint::{self, Finding, Note, Selection, UNUSED, UnknownRule, Unreported};
use crate::memory::{MemoryId, Severity};
use crate::retrieval::{Snapshot, Texts};
use crate::workspace::Workspace;
use crate::workspace::lint::Basis;
use crate::workspace::since::Since;

/// What was found, and what is not reported of it.
pub struct Looked {
    findings: Vec<Finding>,
    notes: Vec<Note>,
    unreported: Unreported,
}

/// The rules that are to look, and those whose findings are shown.
struct Chosen {
    look: Selection,
    shown: Option<Selection>,
}

/// The rules of a call: those it names, else those that the configuration leaves on.
fn chosen(basis: &mut Basis, args: &args::Lint) -> Result<Chosen, Error> {
    if args.rule.is_empty() {
        return Ok(Chosen {
            look: basis.rules(),
            shown: None,
        });
    }
    let named = Selection::of(&args.rule).map_err(|error| unknown(&error))?;
    // Whether a silence is needed is known where all look.
    if named.rules().any(|rule| rule.id() == UNUSED) {
        return Ok(Chosen {
            look: basis.rules(),
            shown: Some(named),
        });
    }
    basis.tuning = basis.tuning.named();
    Ok(Chosen {
        look: named,
        shown: None,
    })
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

/// The stores that a configuration names and that nothing could look at.
fn unopened(ws: &Workspace) -> Vec<Note> {
    let wrong = ws.wrong_stores().into_iter();
    let note = |error: crate::config::ConfigError| Note {
        rule: "load-error",
        message: format!(
            "{}:{}:{}: {error}",
            ws.collection.shown(&error.path),
            error.line,
            error.column
        ),
    };
    wrong.map(note).collect()
}

/// Runs the command.
pub fn run(ws: &Workspace, args: &args::Lint, output: &mut Output) -> Result<u8, Error> {
    if !args.answer.is_empty() {
        return answer::run(ws, args, output);
    }
    if args.write_baseline {
        return baseline::write(ws, args.dry_run, output);
    }
    let mut basis = Basis::strict(ws, args.no_baseline)?;
    let chosen = chosen(&mut basis, args)?;
    let facts = ws.lint_facts(ws.now);
    let memories: Snapshot = std::thread::scope(|scope| {
        // Several rules need the history, which git reads while the stores are read.
        if args.rule.is_empty() {
            scope.spawn(|| facts.project.history().is_ok());
        }
        ws.load()
    });
    let only: HashSet<MemoryId> = ws.ids(&args.ids, &memories)?.into_iter().collect();
    let since = match &args.since {
        Some(revision) => Some(Since::new(ws, revision, &memories)?),
        None => None,
    };
    let plays = chosen.look.rules().any(|rule| rule.plays());
    let unplayed = facts.notes.iter().filter(|_| plays).map(|message| Note {
        rule: "never-selected",
        message: message.clone(),
    });
    let mut unplayed: Vec<Note> = unplayed.collect();
    for one in &unplayed {
        note(&format!("note: {}", one.message));
    }
    if args.format == LintFormat::Table {
        // It stands there already.
        unplayed.clear();
    }
    let looks = |basis: &Basis, memories: &Snapshot, texts: &dyn Texts| {
        let cx = facts.context(basis, memories, texts);
        let digest = lint::digest(&cx, &chosen.look, usize::MAX);
        let mut findings = digest.findings;
        let id = |index: usize| memories.get(index).map(|memory| &memory.id);
        findings.retain(|finding| {
            let named = chosen.shown.as_ref();
            let shown = named.is_none_or(|named| named.rules().any(|one| one.id() == finding.rule));
            let mut parties = finding.parties().filter_map(id);
            let own = only.is_empty() || parties.any(|id| only.contains(id));
            let about = std::iter::once(&finding.memory).chain(&finding.related);
            let mut about = about.filter_map(|index| id(*index));
            let new = |since: &Since| about.any(|id| since.changed(id));
            shown && own && since.as_ref().is_none_or(new)
        });
        Looked {
            findings,
            notes: [unopened(ws), unplayed.clone(), digest.notes].concat(),
            unreported: digest.unreported,
        }
    };
    if args.silence {
        let looked = looks(&basis, &memories, &ws.collection);
        return baseline::silence(ws, args, &memories, &looked.findings, output);
    }
    let mut memories = memories;
    let mut failed = None;
    if args.ask {
        match ask::run(ws, args, (&mut basis, &memories, &facts), output)? {
            ask::End::Findings(code) => failed = code,
            ask::End::Done(code) => return Ok(code),
        }
    }
    if args.fix {
        let fixed = fixing::fixing(ws, &memories, args.dry_run, (&basis, &looks));
        if args.dry_run {
            print_diff(ws, &fixed.plan, output)?;
            fixing::tell(&fixed.left);
            return Ok(exit::DONE);
        }
        let done = ws
            .collection
            .carry_out(fixed.plan, "fix", fixed.ids, ws.now)?;
        note(&match done.changed {
            true => format!("{} · memkeep undo", done.title),
            false => "nothing to fix".to_owned(),
        });
        fixing::tell(&fixed.left);
        memories = ws.load();
        // What the fixes took out of the baseline is not missed in it.
        let overlay = ws.collection.overlay(ws.now);
        basis = basis.then(&ws.collection, &overlay);
    }
    let looked = looks(&basis, &memories, &ws.collection);
    let code = failed.unwrap_or(match fails(&looked.findings, args.fail_on) {
        true => exit::NOTHING,
        false => exit::DONE,
    });
    print(ws, args, (&memories, &only), looked, output)?;
    Ok(code)
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

fn print(
    ws: &Workspace,
    args: &args::Lint,
    (memories, only): (&Snapshot, &HashSet<MemoryId>),
    mut looked: Looked,
    output: &mut Output,
) -> Result<(), Error> {
    let is_narrowed = !args.rule.is_empty() || !args.ids.is_empty();
    if args.format == LintFormat::Table && !is_narrowed {
        looked.findings = lint::join(memories, looked.findings);
    }
    let report = Report {
        memories,
        root: &ws.collection.root,
        findings: &looked.findings,
        notes: &looked.notes,
        unreported: looked.unreported,
    };
    let resolver = Resolver::new(ws, memories);
    match args.format {
        LintFormat::Table => {
            let detail = match is_narrowed {
                true => Detail::Full,
                false => Detail::Overview,
            };
            write!(output, "{}", report.text(detail))?;
        }
        LintFormat::Github => write!(output, "{}", report.github())?,
        LintFormat::Json => {
            serde_json::to_writer_pretty(output.json(), &report.json(&resolver))?;
            writeln!(output)?;
        }
        LintFormat::Sarif => {
            serde_json::to_writer_pretty(output.json(), &report.sarif(&resolver))?;
            writeln!(output)?;
        }
        LintFormat::Quiet => {
            let found = looked.findings.iter();
            let of = |finding: &Finding| -> Vec<String> {
                let parties = finding.parties().filter_map(|index| memories.get(index));
                let ids = parties.map(|memory| &memory.id);
                // What was not asked about is the other one only.
                match only.is_empty() {
                    true => ids.take(1).map(ToString::to_string).collect(),
                    false => ids
                        .filter(|id| only.contains(id))
                        .map(ToString::to_string)
                        .collect(),
                }
            };
            let mut ids: Vec<String> = found.flat_map(of).collect();
            ids.sort_unstable();
            ids.dedup();
            for id in ids {
                writeln!(output, "{id}")?;
            }
        }
    }
    match resolver.left_out() {
        0 => {}
        left => note(&format!(
            "note: {left} more fixes are not spelled out, for each means reading a large file; \
             `memkeep lint --fix --dry-run` shows the safe ones"
        )),
    }
    Ok(())
}
