//! `memkeep lint`: findings, and their fixes.

mod ask;
mod decide;
mod fixing;

use std::ops::ControlFlow;

use self::fixing::Diffs;
use super::change::{print_diff, tell};
use super::prelude::*;
use crate::lint::report::{Detail, Report};
use crate::lint::repository::Project as _;
use crate::lint::{self, Digest, Note, Selection, UNUSED, UnknownRule};
use crate::retrieval::Texts;
use crate::workspace::lint_facts::Basis;
use crate::workspace::since::changed_since;

/// Words of `--fail-on`: a severity, or none of them.
const FAIL_ON: [&str; 4] = ["error", "warning", "info", "never"];

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
    /// Decide on two memories that a rule asks about, until one changes: keep-a or keep-b (the
    /// other is archived), both, merge, not-a-conflict, ask-again
    #[arg(long, num_args = 3, value_names = ["A", "B", "WORD"])]
    #[arg(group = "writes", conflicts_with_all = ["ids", "fix", "explain"])]
    pub answer: Vec<String>,
    /// With --answer A B both: in which cases which of the two holds
    #[arg(long, value_name = "TEXT", requires = "answer")]
    #[arg(allow_hyphen_values = true)]
    pub scope: Option<String>,
    /// Record all findings as old in .memkeep/decisions.jsonl: neither shown nor counted
    #[arg(long, group = "writes", conflicts_with_all = ["ids", "fix", "explain"])]
    #[arg(conflicts_with_all = ["rule", "since", "answer"])]
    pub write_baseline: bool,
    /// Record what would be shown in .memkeep/decisions.jsonl; it is not reported any more
    #[arg(long, group = "writes", conflicts_with_all = ["fix", "explain", "answer"])]
    #[arg(conflicts_with_all = ["write_baseline", "no_baseline", "format", "fail_on"])]
    pub silence: bool,
    /// With --silence: why it stays as it is
    #[arg(long, value_name = "TEXT", requires = "silence")]
    #[arg(allow_hyphen_values = true)]
    pub reason: Option<String>,
    /// With --silence: the date on which it is reported again
    #[arg(long, value_name = "DATE", requires = "silence")]
    pub until: Option<String>,
    /// Every finding; without it, the worst in 40 lines
    #[arg(long)]
    pub all: bool,
    /// Old findings too
    #[arg(long)]
    pub no_baseline: bool,
    /// Only findings of memories that changed since this revision of git, uncommitted ones too
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub since: Option<String>,
    /// Ask the configured model which new or changed memories contradict or repeat others
    #[arg(long, group = "writes", conflicts_with_all = ["ids", "fix", "explain"])]
    #[arg(conflicts_with_all = ["answer", "write_baseline", "silence"])]
    pub ask: bool,
    /// With --ask: print the requests and send nothing
    #[arg(long, requires = "ask", conflicts_with = "dry_run")]
    pub prompt_only: bool,
    /// With --ask: read the answers from this file; `-` is standard input
    #[arg(long, value_name = "FILE", requires = "ask")]
    #[arg(conflicts_with_all = ["dry_run", "prompt_only"])]
    pub response: Option<String>,
    /// With --ask: tokens of a request [default: as configured, or 24000]
    #[arg(long, value_name = "TOKENS", requires = "ask")]
    pub budget: Option<usize>,
    /// Write nothing: print the diff; with --ask, how much would be sent
    #[arg(long, requires = "writes")]
    pub dry_run: bool,
    /// Which findings make the exit code 1
    #[arg(long, default_value = "warning", value_parser = FAIL_ON, value_name = "SEVERITY")]
    pub fail_on: String,
    /// The page of help of a rule
    #[arg(long, value_name = "RULE")]
    pub explain: Option<String>,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(&["table", "json", "sarif", "github", "quiet"]))]
    pub format: Format,
}

/// The rules of a call that look: those it names, else those that the configuration leaves on; and
/// those whose findings are shown, where they are others.
fn chosen(basis: &mut Basis, args: &Lint) -> Result<(Selection, Option<Selection>)> {
    if args.rule.is_empty() {
        return Ok((basis.rules(), None));
    }
    let named = Selection::of(&args.rule).map_err(unknown)?;
    // True if a silence is needed is known where all look.
    if named.rules().any(|rule| rule.id == UNUSED) {
        return Ok((basis.rules(), Some(named)));
    }
    basis.tuning = basis.tuning.named();
    Ok((named, None))
}

fn unknown(error: UnknownRule) -> Error {
    let hint = match error.nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => {
            let known = lint::RULES.iter().map(|rule| rule.id).join(", ");
            format!("known rules: {known}")
        }
    };
    Error::wrong(error.to_string()).hint(hint)
}

pub fn explain(args: &Lint, output: &mut Output) -> Result<u8> {
    let name = args.explain.as_deref().unwrap_or_default();
    Selection::of(&[name]).map_err(unknown)?;
    let page = crate::text::rule_pages::page(name);
    write!(output, "{page}")?;
    Ok(exit::DONE)
}

/// The stores that a configuration names and that nothing could look at.
fn unopened(ws: &Workspace) -> impl Iterator<Item = Note> {
    ws.wrong_stores().into_iter().map(|error| {
        let (path, line, column) = (ws.collection.shown(&error.path), error.line, error.column);
        Note {
            rule: "load-error",
            message: format!("{path}:{line}:{column}: {error}"),
        }
    })
}

pub fn run(ws: &Workspace, args: &Lint, output: &mut Output) -> Result<u8> {
    if !args.answer.is_empty() {
        return decide::answer(ws, args, output);
    }
    if args.write_baseline {
        return decide::write_baseline(ws, args.dry_run, output);
    }
    let mut basis = Basis::strict(ws, args.no_baseline)?;
    let (rules, shown) = chosen(&mut basis, args)?;
    let facts = ws.lint_facts(ws.now);
    let mut memories: Snapshot = std::thread::scope(|scope| {
        // Several rules need the history, which git reads while the stores are read.
        if args.rule.is_empty() {
            scope.spawn(|| facts.project.history().is_ok());
        }
        ws.load()
    });
    let only: HashSet<MemoryId> = ws.ids(&args.ids, &memories)?.into_iter().collect();
    let since = args.since.as_ref();
    let since = since.map(|revision| changed_since(ws, revision, &memories));
    let since = since.transpose()?;
    let unplayed = match rules.plays() {
        true => facts.notes.as_slice(),
        false => &[],
    };
    tell(unplayed);
    let looks = |basis: &Basis, memories: &Snapshot, texts: &dyn Texts| {
        let id = |index: usize| memories.get(index).map(|memory| &memory.id);
        let asked = since.as_ref().filter(|_| only.is_empty()).unwrap_or(&only);
        let is_asked = |index: &usize| id(*index).is_some_and(|id| asked.contains(id));
        let focus: BTreeSet<usize> = (0..memories.len()).filter(is_asked).collect();
        let cx = lint::Context {
            focus: (since.is_some() || !only.is_empty()).then_some(&focus),
            ..facts.context(basis, memories, texts)
        };
        let mut digest = lint::digest(&cx, &rules, usize::MAX);
        digest.findings.retain(|finding| {
            let named = |shown: &Selection| shown.rules().any(|one| one.id == finding.rule);
            let mut parties = finding.parties().filter_map(id);
            let own = only.is_empty() || parties.any(|id| only.contains(id));
            let about = std::iter::once(&finding.memory).chain(&finding.related);
            let mut about = about.filter_map(|index| id(*index));
            let new = |since: &HashSet<MemoryId>| about.any(|id| since.contains(id));
            shown.as_ref().is_none_or(named) && own && since.as_ref().is_none_or(new)
        });
        // People have read them on standard error.
        let unplayed = unplayed.iter().filter(|_| args.format != Format::Table);
        let unplayed = unplayed.map(|message| Note {
            rule: "never-selected",
            message: message.clone(),
        });
        digest.notes.splice(0..0, unopened(ws).chain(unplayed));
        digest
    };
    if args.silence {
        let looked = looks(&basis, &memories, &ws.collection);
        return decide::silence(ws, args, &memories, &looked.findings, output);
    }
    let mut failed = None;
    if args.ask {
        match ask::run(ws, args, (&mut basis, &memories, &facts), output)? {
            ControlFlow::Continue(code) => failed = code,
            ControlFlow::Break(code) => return Ok(code),
        }
    }
    if args.fix {
        let (plan, ids, left) = fixing::fixing(ws, &memories, args.dry_run, (&basis, &looks));
        if args.dry_run {
            print_diff(ws, &plan, output)?;
            left.iter().for_each(|line| note(line));
            return Ok(exit::DONE);
        }
        let done = ws.collection.carry_out(plan, "fix", ids, ws.now)?;
        note(&match done.changed {
            true => format!("{} · memkeep undo", done.title),
            false => "nothing to fix".to_owned(),
        });
        left.iter().for_each(|line| note(line));
        memories = ws.load();
        // Entries that the fixes removed from the baseline do not count as missing.
        basis = basis.then(&ws.collection, &ws.collection.overlay(ws.now));
    }
    let looked = looks(&basis, &memories, &ws.collection);
    let fails = looked.findings.iter().any(|finding| {
        let at = |word: &str| FAIL_ON.iter().position(|known| *known == word);
        args.fail_on != "never" && at(finding.severity.word()) <= at(&args.fail_on)
    });
    print(ws, args, (&memories, &only), looked, output)?;
    Ok(failed.unwrap_or(exit::found(!fails)))
}

fn print(
    ws: &Workspace,
    args: &Lint,
    (memories, only): (&Snapshot, &HashSet<MemoryId>),
    mut looked: Digest,
    output: &mut Output,
) -> Result<()> {
    let is_narrowed = args.all || !args.rule.is_empty() || !args.ids.is_empty();
    let on_screen = args.format == Format::Table && !is_narrowed;
    if args.format != Format::Quiet {
        looked.findings = lint::join(memories, looked.findings, on_screen);
    }
    let report = Report {
        memories,
        root: &ws.collection.root,
        findings: &looked.findings,
        notes: &looked.notes,
        unreported: looked.unreported,
    };
    let mut diffs = Diffs::default();
    match args.format {
        Format::Github => write!(output, "{}", report.github())?,
        Format::Json => {
            output.print_json(&report.json(&mut |fix| diffs.diff(ws, memories, fix)))?
        }
        Format::Sarif => output.print_json(&report.sarif())?,
        Format::Quiet => {
            let mut all: BTreeSet<String> = BTreeSet::new();
            for finding in &looked.findings {
                let parties = finding.parties().filter_map(|index| memories.get(index));
                let ids = parties.map(|memory| &memory.id);
                // A memory not asked about is only the other party of a finding.
                let most = if only.is_empty() { 1 } else { usize::MAX };
                let ids = ids.filter(|id| only.is_empty() || only.contains(id));
                all.extend(ids.take(most).map(ToString::to_string));
            }
            output.lines(all)?;
        }
        _ if is_narrowed => write!(output, "{}", report.text(Detail::Full))?,
        _ => write!(output, "{}", report.text(Detail::Overview))?,
    }
    match diffs.left_out {
        0 => {}
        left => note(&format!(
            "note: {left} more fixes are not spelled out, for each means reading a large file; \
             `memkeep lint --fix --dry-run` shows the safe ones"
        )),
    }
    Ok(())
}
