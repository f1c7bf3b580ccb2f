//! `memkeep lint`: findings, and their fixes.

pub mod ask;
mod baseline;
mod fixing;
mod known;
mod resolve;

use std::collections::HashSet;
use std::io::Write as _;
use std::sync::Arc;

pub use self::known::Known;
use self::resolve::Resolver;
use super::args::{self, FailOn, LintFormat};
use super::error::Error;
use super::output::note;
use super::session::{Session, cache_folder};
use super::since::Since;
use super::{Output, answer, exit};
use crate::lint::report::{Detail, Report};
use crate::lint::repository::Project as _;
use crate::lint::{self, Finding, Note, Selection, UNUSED, UnknownRule, Unreported};
use crate::memory::{Memory, MemoryId, Severity};
use crate::project::history::Logs;
use crate::retrieval::{Snapshot, Texts};
use crate::search::query::Marks;

/// Memories that are looked at, and compared with each other, where lint is not what was asked
/// for: more would take seconds and room. `memkeep lint` looks at any number.
pub const MOST_COMPARED: usize = 5000;

/// Memories of which a listing tells how many findings each has: of more it would take longer
/// than the listing. Of a store of more than [`MOST_COMPARED`] it counts what the memories say by
/// themselves.
pub const MOST_COUNTED: usize = 10_000;

/// What lint says of each memory; looked at are those with the indexes `wanted`, or all.
pub fn marks(session: &Session, memories: &[Arc<Memory>], wanted: Option<&[usize]>) -> Vec<Marks> {
    let memories = Arc::new(memories.to_vec());
    let logs = Logs::kept_in(cache_folder());
    let collection = &session.collection;
    let known = Known::of(collection, &session.settings.lint);
    let project = logs.facts(&collection.root);
    let (play, _) = super::play::play(session, session.now);
    let cx = lint::Context {
        play: &play,
        ..known.context(&memories, collection, session.now, &project)
    };
    if memories.len() <= MOST_COMPARED {
        return lint::digest(&cx, &known.rules(), 0).marks;
    }
    let rules = known.rules().alone();
    match wanted {
        Some(wanted) => lint::digest_of(&cx, &rules, 0, wanted).marks,
        None => lint::digest(&cx, &rules, 0).marks,
    }
}

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
fn chosen(known: &mut Known, args: &args::Lint) -> Result<Chosen, Error> {
    if args.rule.is_empty() {
        return Ok(Chosen {
            look: known.rules(),
            shown: None,
        });
    }
    let named = Selection::of(&args.rule).map_err(|error| unknown(&error))?;
    // Whether a silence is needed is known where all look.
    if named.rules().any(|rule| rule.id() == UNUSED) {
        return Ok(Chosen {
            look: known.rules(),
            shown: Some(named),
        });
    }
    known.tuning = known.tuning.named();
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
fn unopened(session: &Session) -> Vec<Note> {
    let wrong = session.wrong_stores().into_iter();
    let note = |error: crate::config::ConfigError| Note {
        rule: "load-error",
        message: format!(
            "{}:{}:{}: {error}",
            session.collection.shown(&error.path),
            error.line,
            error.column
        ),
    };
    wrong.map(note).collect()
}

/// Runs the command.
pub fn run(session: &Session, args: &args::Lint, output: &mut Output) -> Result<u8, Error> {
    if !args.answer.is_empty() {
        return answer::run(session, args, output);
    }
    if args.write_baseline {
        return baseline::write(session, args.dry_run, output);
    }
    let mut known = Known::strictly(session, args.no_baseline)?;
    let chosen = chosen(&mut known, args)?;
    let logs = Logs::kept_in(cache_folder());
    let project = logs.facts(&session.collection.root);
    let memories: Snapshot = std::thread::scope(|scope| {
        // Several rules need the history, which git reads while the stores are read.
        if args.rule.is_empty() {
            scope.spawn(|| project.history().is_ok());
        }
        session.load()
    });
    let only: HashSet<MemoryId> = session.ids(&args.ids, &memories)?.into_iter().collect();
    let since = match &args.since {
        Some(revision) => Some(Since::of(session, revision, &memories)?),
        None => None,
    };
    let (play, notes) = super::play::play(session, session.now);
    let plays = chosen.look.rules().any(|rule| rule.plays());
    let unplayed = notes.into_iter().filter(|_| plays).map(|message| Note {
        rule: "never-selected",
        message,
    });
    let mut unplayed: Vec<Note> = unplayed.collect();
    for one in &unplayed {
        note(&format!("note: {}", one.message));
    }
    if args.format == LintFormat::Table {
        // It stands there already.
        unplayed.clear();
    }
    let looks = |known: &Known, memories: &Snapshot, texts: &dyn Texts| {
        let cx = lint::Context {
            play: &play,
            ..known.context(memories, texts, session.now, &project)
        };
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
            notes: [unopened(session), unplayed.clone(), digest.notes].concat(),
            unreported: digest.unreported,
        }
    };
    if args.silence {
        let looked = looks(&known, &memories, &session.collection);
        return baseline::silence(session, args, &memories, &looked.findings, output);
    }
    let mut memories = memories;
    let mut failed = None;
    if args.ask {
        match ask::run(session, args, (&mut known, &memories, &project), output)? {
            ask::End::Findings(code) => failed = code,
            ask::End::Done(code) => return Ok(code),
        }
    }
    if args.fix {
        let fixed = fixing::fixing(session, &memories, args.dry_run, (&known, &looks));
        if args.dry_run {
            session.print_diff(&fixed.plan, output)?;
            fixing::tell(&fixed.left);
            return Ok(exit::DONE);
        }
        let done = session
            .collection
            .carry_out(fixed.plan, "fix", fixed.ids, session.now)?;
        note(&match done.changed {
            true => format!("{} · memkeep undo", done.title),
            false => "nothing to fix".to_owned(),
        });
        fixing::tell(&fixed.left);
        memories = session.load();
        // What the fixes took out of the baseline is not missed in it.
        known = known.then(
            &session.collection,
            &session.collection.overlay(session.now),
        );
    }
    let looked = looks(&known, &memories, &session.collection);
    let code = failed.unwrap_or(match fails(&looked.findings, args.fail_on) {
        true => exit::NOTHING,
        false => exit::DONE,
    });
    print(session, args, (&memories, &only), looked, output)?;
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
    session: &Session,
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
        root: &session.collection.root,
        findings: &looked.findings,
        notes: &looked.notes,
        unreported: looked.unreported,
    };
    let resolver = Resolver::new(session, memories);
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
