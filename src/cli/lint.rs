//! `memkeep lint`: findings, and their fixes.

mod answer;
mod ask;
mod baseline;
mod fixing;
mod resolve;

use clap::ValueEnum;
use std::collections::HashSet;
use std::io::Write as _;

use self::resolve::Resolver;

use super::change::print_diff;
use super::error::Error;
use super::output::note;
use super::{Output, exit};
use crate::lint::report::{Detail, Report};
use crate::lint::repository::Project as _;
use crate::lint::{self, Finding, Note, Selection, UNUSED, UnknownRule, Unreported};
use crate::memory::{MemoryId, Severity};
use crate::retrieval::{Snapshot, Texts};
use crate::workspace::Workspace;
use crate::workspace::lint::Basis;
use crate::workspace::since::Since;

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// For people.
    #[default]
    Table,
    /// Findings and their counts.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// Ids of the memories with findings.
    Quiet,
}

/// Which findings make the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors.
    Error,
    /// Errors and warnings.
    Warning,
    /// All of them.
    Info,
    /// None.
    Never,
}

/// Arguments of `lint`.
#[derive(Debug, clap::Args)]
pub struct Lint {
    /// Only these memories
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Only this rule
    #[arg(long, value_name = "RULE")]
    pub rule: Vec<String>,
    /// Apply every safe fix
    #[arg(long, group = "writes")]
    pub fix: bool,
    /// Remember what you say of two memories that a rule asks about, so that it is not asked
    /// again until one of them changes: keep-a or keep-b (the other is archived), both, merge (A
    /// then says what both say, and B is archived), not-a-conflict, ask-again
    #[arg(
        long,
        num_args = 3,
        value_names = ["ID_A", "ID_B", "ANSWER"],
        group = "writes",
        conflicts_with_all = ["ids", "fix", "explain"]
    )]
    pub answer: Vec<String>,
    /// With --answer A B both: in which cases which of the two holds
    #[arg(
        long,
        value_name = "TEXT",
        requires = "answer",
        allow_hyphen_values = true
    )]
    pub scope: Option<String>,
    /// Write all findings to .memkeep/decisions.jsonl: they are old from now on, neither shown nor
    /// counted
    #[arg(
        long,
        group = "writes",
        conflicts_with_all = ["ids", "fix", "explain", "rule", "since", "answer"]
    )]
    pub write_baseline: bool,
    /// Add what would be shown to .memkeep/decisions.jsonl: of these memories, rules or changes it
    /// is not reported any more
    #[arg(
        long,
        group = "writes",
        conflicts_with_all = ["fix", "explain", "answer", "write_baseline", "no_baseline", "format", "fail_on"]
    )]
    pub silence: bool,
    /// With --silence: why it stays as it is
    #[arg(
        long,
        value_name = "TEXT",
        requires = "silence",
        allow_hyphen_values = true
    )]
    pub reason: Option<String>,
    /// With --silence: the date on which it is reported again
    #[arg(long, value_name = "DATE", requires = "silence")]
    pub until: Option<String>,
    /// Old findings too
    #[arg(long)]
    pub no_baseline: bool,
    /// Only what memories cause that changed since this revision of git, uncommitted changes
    /// included
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub since: Option<String>,
    /// Ask the language model of the configuration which memories contradict or repeat each other;
    /// only new and changed ones are sent
    #[arg(
        long,
        group = "writes",
        conflicts_with_all = ["ids", "fix", "explain", "answer", "write_baseline", "silence"]
    )]
    pub ask: bool,
    /// With --ask: print the requests and send nothing
    #[arg(long, requires = "ask", conflicts_with = "dry_run")]
    pub prompt_only: bool,
    /// With --ask: take the answers from this file, or from standard input where it is -
    #[arg(
        long,
        value_name = "FILE",
        requires = "ask",
        conflicts_with_all = ["dry_run", "prompt_only"]
    )]
    pub response: Option<String>,
    /// With --ask: tokens of a request [default: 24000, or the configuration's]
    #[arg(long, value_name = "TOKENS", requires = "ask")]
    pub budget: Option<usize>,
    /// With --fix, --answer, --silence or --write-baseline: print the diff and write nothing; with
    /// --ask: print how much would be sent
    #[arg(long, requires = "writes")]
    pub dry_run: bool,
    /// Which findings make the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Warning, value_name = "SEVERITY")]
    pub fail_on: FailOn,
    /// The page of help of a rule
    #[arg(long, value_name = "RULE")]
    pub explain: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: LintFormat,
}

/// The findings, and counts of those that are not reported.
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
fn chosen(basis: &mut Basis, args: &Lint) -> Result<Chosen, Error> {
    if args.rule.is_empty() {
        return Ok(Chosen {
            look: basis.rules(),
            shown: None,
        });
    }
    let named = Selection::of(&args.rule).map_err(|error| unknown(&error))?;
    // True if a silence is needed is known where all look.
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
pub fn explain(args: &Lint, output: &mut Output) -> Result<u8, Error> {
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
pub fn run(ws: &Workspace, args: &Lint, output: &mut Output) -> Result<u8, Error> {
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
    let plays = chosen.look.plays();
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
        // Entries that the fixes removed from the baseline do not count as missing.
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
    args: &Lint,
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
            serde_json::to_writer_pretty(output.json(), &report.json(&|fix| resolver.diff(fix)))?;
            writeln!(output)?;
        }
        LintFormat::Sarif => {
            serde_json::to_writer_pretty(output.json(), &report.sarif())?;
            writeln!(output)?;
        }
        LintFormat::Quiet => {
            let found = looked.findings.iter();
            let of = |finding: &Finding| -> Vec<String> {
                let parties = finding.parties().filter_map(|index| memories.get(index));
                let ids = parties.map(|memory| &memory.id);
                // A memory not asked about is only the other party of a finding.
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
