//! `memkeep doctor`: terminal, git, settings, stores and the files around them, checked and mended.

use std::path::PathBuf;

use serde::Serialize;

use super::args::Global;
use super::change::ask;
use super::config::{ConfigFormat, mistakes};
use super::prelude::*;
use crate::agent::hook::settings::{AGENTS, runs_hook};
use crate::lint::{self, Selection};
use crate::project::git;
use crate::store::collection::Repair;
use crate::store::control::{self, Owner};
use crate::ui::empty::no_store;
use crate::ui::theme::Depth;
use crate::workspace::Options;

/// Rounds of repairs: one may lay bare the next.
const ROUNDS: usize = 3;

/// Rules about indexes of memories.
const INDEXES: [&str; 3] = ["index-dangling", "index-orphan", "index-overflow"];

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
pub struct Doctor {
    /// Show each repair, ask, and make it
    #[arg(long)]
    pub repair: bool,
    /// With --repair: do not ask
    #[arg(long, requires = "repair")]
    pub yes: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ConfigFormat,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// All is well.
    Ok,
    /// Nothing is wrong; worth knowing.
    Note,
    /// Something is wrong.
    Fault,
}

/// A check with its outcome.
#[derive(Serialize)]
struct Check {
    area: &'static str,
    status: Status,
    message: String,
    /// Remedy in words, for a person or of `--repair`.
    hint: Option<String>,
    /// True if `--repair` mends it.
    repairable: bool,
    #[serde(skip)]
    repair: Option<Repair>,
}

impl Check {
    fn new(area: &'static str, status: Status, message: impl Into<String>) -> Self {
        Self {
            area,
            status,
            message: message.into(),
            hint: None,
            repairable: false,
            repair: None,
        }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Runs the command. Stores are opened to be read only: opening them to write settles what a crash
/// left.
pub fn run(global: &Global, paths: Vec<PathBuf>, args: &Doctor, output: &mut Output) -> Result<u8> {
    let options = Options {
        read_only: true,
        ..global.options(paths)?
    };
    let mut ws = Workspace::open(options)?;
    let width = output.width();
    let mut checks = all(&ws, width);
    if args.repair {
        if global.read_only {
            return Err(Error::wrong(
                "nothing is repaired: memkeep runs with --read-only",
            ));
        }
        ws.collection.read_only = false;
        let mut refused = Vec::new();
        for _ in 0..ROUNDS {
            let open = checks
                .iter()
                .filter(|check| !refused.contains(&check.message));
            let repairs =
                open.filter_map(|check| Some((check.message.clone(), check.repair.clone()?)));
            let repairs = repairs.collect_vec();
            if repairs.is_empty() {
                break;
            }
            for (message, repair) in repairs {
                note(&message);
                note(&format!("  repair: {}", repair.title()));
                let sure = match args.yes {
                    true => Ok(()),
                    false => ask(
                        &message,
                        "repair",
                        "`memkeep doctor --repair --yes` makes every repair",
                    ),
                };
                match sure {
                    Err(error) if error.kind != super::error::Kind::Nothing => return Err(error),
                    Err(_) => refused.push(message),
                    Ok(()) => match ws.collection.mend(&repair, ws.now) {
                        Ok(()) => note("  done"),
                        Err(error) => {
                            note(&format!("  not repaired: {error}"));
                            refused.push(message);
                        }
                    },
                }
            }
            checks = all(&ws, width);
        }
    }
    print(&checks, args.format, output)?;
    let is_sound = checks.iter().all(|check| check.status != Status::Fault);
    Ok(exit::found(is_sound))
}

/// Every check, in the order in which they are shown.
fn all(ws: &Workspace, width: Option<usize>) -> Vec<Check> {
    let mut all = vec![terminal(width), repository(ws)];
    all.extend(settings(ws));
    all.extend(stores(ws));
    all.extend(files(ws));
    all.extend(hooks(ws));
    all
}

fn terminal(width: Option<usize>) -> Check {
    let variable = |name: &str| std::env::var(name).ok();
    let (no_color, term) = (variable("NO_COLOR"), variable("TERM"));
    let depth = Depth::of(
        no_color.as_deref(),
        variable("COLORTERM").as_deref(),
        term.as_deref(),
    );
    let colors = match depth {
        Depth::None => "no colours",
        Depth::Ansi16 => "16 colours",
        Depth::Ansi256 => "256 colours",
        Depth::TrueColor => "24-bit colours",
    };
    let Some(width) = width else {
        return Check::new("terminal", Status::Note, "standard output is no terminal");
    };
    let term = term.unwrap_or_else(|| "TERM is not set".to_owned());
    let message = format!("{term}, {width} columns, {colors}");
    Check::new("terminal", Status::Ok, message)
}

fn repository(ws: &Workspace) -> Check {
    let root = &ws.collection.root;
    let shown = root.display();
    let Some(version) = git::version(root) else {
        let check = Check::new("git", Status::Note, "git is not installed");
        return check.hint("review and rules about age need it");
    };
    match git::root(root) {
        Ok(root) => {
            let head = git::head(&root).unwrap_or_default();
            Check::new(
                "git",
                Status::Ok,
                format!("{version}, {}, {head}", root.display()),
            )
        }
        Err(error) => Check::new("git", Status::Note, format!("{version}, {shown}: {error}")),
    }
}

fn settings(ws: &Workspace) -> Vec<Check> {
    let all = mistakes(ws).into_iter().map(|error| {
        let message = format!("{}: {error}", error.place());
        Check::new("settings", Status::Fault, message).hint("memkeep config check")
    });
    let all = all.collect_vec();
    match all.is_empty() {
        true => vec![Check::new("settings", Status::Ok, "no mistakes")],
        false => all,
    }
}

/// The stores with their archives and indexes.
fn stores(ws: &Workspace) -> Vec<Check> {
    let mut all = Vec::new();
    for store in ws
        .collection
        .stores
        .iter()
        .filter(|store| !store.info().kind.is_context)
    {
        let (info, loaded) = (store.info(), store.load(&[], &mut |_| true));
        let archived = loaded
            .memories
            .iter()
            .filter(|one| one.state == State::Archived)
            .count();
        let counts = plural(loaded.memories.len() - archived, "active memory")
            .replace("memorys", "memories");
        let path = ws.collection.shown(&info.path);
        let message = format!("{}: {counts}, {archived} archived, {path}", info.id);
        all.push(Check::new("stores", Status::Ok, message));
        let problems = loaded.problems.into_iter();
        all.extend(problems.map(|problem| Check::new("stores", Status::Fault, problem)));
    }
    if all.is_empty() {
        let text = no_store(&ws.collection.root.to_string_lossy(), &ws.agents_here());
        let [what, agents, ..] = text;
        let check = Check::new("stores", Status::Note, format!("{what}; {agents}"));
        return vec![check.hint("memkeep init makes one; memkeep stores -v lists the places")];
    }
    let memories = ws.load();
    let (basis, facts) = (ws.lint_basis(), ws.lint_facts(ws.now));
    let cx = facts.context(&basis, &memories, &ws.collection);
    let found = Selection::of(&INDEXES).map(|rules| lint::run(&cx, &rules));
    let found = found.unwrap_or_default();
    all.push(match found.first() {
        None => Check::new("indexes", Status::Ok, "nothing dangling, missing or cut"),
        Some(first) => {
            let count = plural(found.len(), "finding");
            let check = Check::new(
                "indexes",
                Status::Note,
                format!("{count}; {}", first.message),
            );
            check.hint(format!("memkeep lint --rule {}", first.rule))
        }
    });
    all
}

/// Journal, drafts, temporary files and staging.
fn files(ws: &Workspace) -> Vec<Check> {
    let mut faults = ws.collection.faults();
    let mut all = Vec::new();
    for area in ["journal", "files", "drafts", "staging"] {
        let own = faults
            .extract_if(.., |fault| fault.area == area)
            .collect_vec();
        if own.is_empty() {
            all.push(Check::new(area, Status::Ok, "no faults"));
        }
        all.extend(own.into_iter().map(|fault| Check {
            hint: Some(match &fault.repair {
                Some(repair) => repair.title(),
                None => "memkeep cannot mend this".to_owned(),
            }),
            repairable: fault.repair.is_some(),
            repair: fault.repair,
            ..Check::new(area, Status::Fault, fault.what)
        }));
    }
    all
}

/// The hooks of agents, and of git.
fn hooks(ws: &Workspace) -> Vec<Check> {
    let root = &ws.collection.root;
    let text = |file: &str| {
        control::text(&root.join(file), Owner::Project(root))
            .ok()
            .flatten()
    };
    let installed = AGENTS.values().filter(|agent| {
        let mut files = std::iter::once(&agent.file).chain(&agent.also);
        files.any(|file| text(file).is_some_and(|text| runs_hook(&text)))
    });
    let mut names = installed.map(|agent| agent.title.clone()).collect_vec();
    let config = git::config_file(root).and_then(|file| std::fs::read_to_string(file).ok());
    if config.is_some_and(|config| config.contains("[merge \"memkeep\"]")) {
        names.push("git".to_owned());
    }
    vec![match names.is_empty() {
        true => Check::new("hooks", Status::Note, "not installed")
            .hint("memkeep init --claude, --codex, --gemini, --copilot, --cursor, --git"),
        false => Check::new(
            "hooks",
            Status::Ok,
            format!("installed for {}", names.join(", ")),
        ),
    }]
}

fn print(checks: &[Check], format: ConfigFormat, output: &mut Output) -> Result<()> {
    if format == ConfigFormat::Json {
        return Ok(output.print_json(&checks)?);
    }
    for check in checks {
        let status = match check.status {
            Status::Ok => "ok",
            Status::Note => "note",
            Status::Fault => "fault",
        };
        writeln!(
            output,
            "{:9} {status:6} {}",
            check.area,
            safe(&check.message)
        )?;
        if let Some(hint) = &check.hint {
            writeln!(output, "{:17}{}", "", safe(hint))?;
        }
    }
    let faults = checks
        .iter()
        .filter(|check| check.status == Status::Fault)
        .count();
    let mendable = checks.iter().filter(|check| check.repairable).count();
    match (faults, mendable) {
        (0, _) => writeln!(output, "no faults")?,
        (faults, 0) => writeln!(output, "{}", plural(faults, "fault"))?,
        (faults, mendable) => writeln!(
            output,
            "{}; `memkeep doctor --repair` mends {mendable}",
            plural(faults, "fault")
        )?,
    }
    Ok(())
}
