//! `memkeep doctor`: terminal, git, settings, stores and the files around them, checked and mended.

use super::args::Global;
use super::change::ask;
use super::config::mistakes;
use super::prelude::*;
use super::ui::depth;
use crate::lint::{self, Selection};
use crate::project::git;
use crate::store::collection::Repair;
use crate::ui::empty::no_store;
use crate::ui::theme::Depth;
use crate::ui::words::count;
use crate::workspace::Options;

/// Rounds of repairs: one may lay bare the next.
const ROUNDS: usize = 3;

const INDEXES: [&str; 3] = ["index-dangling", "index-orphan", "index-overflow"];

#[derive(Debug, clap::Args)]
pub struct Doctor {
    /// Show each repair, ask, and make it
    #[arg(long)]
    pub repair: bool,
    /// With --repair: do not ask
    #[arg(long, requires = "repair")]
    pub yes: bool,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(PLAIN))]
    pub format: Format,
}

/// All is well.
const OK: &str = "ok";
/// Nothing is wrong; worth knowing.
const NOTE: &str = "note";
/// Something is wrong.
const FAULT: &str = "fault";

#[derive(Default, Serialize)]
struct Check {
    area: &'static str,
    status: &'static str,
    message: String,
    /// Remedy in words, for a person or of `--repair`.
    hint: Option<String>,
    repairable: bool,
    #[serde(skip)]
    repair: Option<Repair>,
}

impl Check {
    fn new(area: &'static str, status: &'static str, message: impl Into<String>) -> Self {
        Self {
            area,
            status,
            message: message.into(),
            ..Self::default()
        }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Opens stores to be read only: opening them to write settles what a crash left.
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
            let what = "nothing is repaired: memkeep runs with --read-only";
            return Err(Error::wrong(what));
        }
        ws.collection.read_only = false;
        let mut refused = Vec::new();
        for _ in 0..ROUNDS {
            if !repair(&ws, &checks, args.yes, &mut refused)? {
                break;
            }
            checks = all(&ws, width);
        }
    }
    print(&checks, args.format, output)?;
    let is_sound = checks.iter().all(|check| check.status != FAULT);
    Ok(exit::found(is_sound))
}

/// Makes the repairs that a person wants and refuses the others from then on. False if there is
/// none.
fn repair(ws: &Workspace, checks: &[Check], yes: bool, refused: &mut Vec<String>) -> Result<bool> {
    let hint = "`memkeep doctor --repair --yes` makes every repair";
    let mut has_any = false;
    for check in checks {
        let repair = check.repair.as_ref();
        let Some(repair) = repair.filter(|_| !refused.contains(&check.message)) else {
            continue;
        };
        has_any = true;
        note(&check.message);
        note(&format!("  repair: {}", repair.title()));
        let asked = match yes {
            true => Ok(()),
            false => ask(&check.message, "repair", hint),
        };
        match asked.map(|()| ws.collection.mend(repair, ws.now)) {
            Ok(Ok(())) => {
                note("  done");
                continue;
            }
            Ok(Err(error)) => note(&format!("  not repaired: {error}")),
            Err(error) if error.kind != crate::workspace::Kind::Nothing => return Err(error),
            Err(_) => {}
        }
        refused.push(check.message.clone());
    }
    Ok(has_any)
}

fn all(ws: &Workspace, width: Option<usize>) -> Vec<Check> {
    let mut all = vec![terminal(width), repository(ws)];
    all.extend(settings(ws));
    all.extend(stores(ws));
    all.extend(files(ws));
    all.extend(hooks(ws));
    all
}

fn terminal(width: Option<usize>) -> Check {
    let colors = match depth(std::env::var("NO_COLOR").ok()) {
        Depth::None => "no colours",
        Depth::Ansi16 => "16 colours",
        Depth::Ansi256 => "256 colours",
        Depth::TrueColor => "24-bit colours",
    };
    let Some(width) = width else {
        return Check::new("terminal", NOTE, "standard output is no terminal");
    };
    let term = std::env::var("TERM").unwrap_or_else(|_| "TERM is not set".to_owned());
    let message = format!("{term}, {width} columns, {colors}");
    Check::new("terminal", OK, message)
}

fn repository(ws: &Workspace) -> Check {
    let root = &ws.collection.root;
    let Some(version) = git::version(root) else {
        let check = Check::new("git", NOTE, "git is not installed");
        return check.hint("review and rules about age need it");
    };
    let (status, message) = match git::root(root) {
        Ok(root) => {
            let head = git::head(&root).unwrap_or_default();
            (OK, format!("{version}, {}, {head}", root.display()))
        }
        Err(error) => (NOTE, format!("{version}, {}: {error}", root.display())),
    };
    Check::new("git", status, message)
}

fn settings(ws: &Workspace) -> Vec<Check> {
    let all = mistakes(ws).into_iter().map(|error| {
        let message = format!("{}: {error}", error.place());
        Check::new("settings", FAULT, message).hint("memkeep config check")
    });
    let all = all.collect_vec();
    match all.is_empty() {
        true => vec![Check::new("settings", OK, "no mistakes")],
        false => all,
    }
}

fn stores(ws: &Workspace) -> Vec<Check> {
    let mut all = Vec::new();
    let stores = ws.collection.stores.iter();
    for store in stores.filter(|store| !store.info().kind.is_context) {
        let (info, loaded) = (store.info(), store.load(&[], &mut |_| true));
        let archived = loaded.memories.iter();
        let archived = archived.filter(|one| one.state == State::Archived);
        let archived = archived.count();
        let active = loaded.memories.len() - archived;
        let counts = count(active, "active memory", "active memories");
        let path = ws.collection.shown(&info.path);
        let message = format!("{}: {counts}, {archived} archived, {path}", info.id);
        all.push(Check::new("stores", OK, message));
        let problems = loaded.problems.into_iter();
        all.extend(problems.map(|problem| Check::new("stores", FAULT, problem)));
    }
    if all.is_empty() {
        let text = no_store(&ws.collection.root.to_string_lossy(), &ws.agents_here());
        let [what, agents, ..] = text;
        let check = Check::new("stores", NOTE, format!("{what}; {agents}"));
        return vec![check.hint("memkeep init makes one; memkeep stores -v lists the places")];
    }
    let memories = ws.load();
    let (basis, facts) = (ws.lint_basis(), ws.lint_facts(ws.now));
    let cx = facts.context(&basis, &memories, &ws.collection);
    let found = Selection::of(&INDEXES).map(|rules| lint::run(&cx, &rules));
    let found = found.unwrap_or_default();
    all.push(match found.first() {
        None => Check::new("indexes", OK, "nothing dangling, missing or cut"),
        Some(first) => {
            let count = plural(found.len(), "finding");
            let message = format!("{count}; {}", first.message);
            let check = Check::new("indexes", NOTE, message);
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
        let own = faults.extract_if(.., |fault| fault.area == area);
        let own = own.collect_vec();
        if own.is_empty() {
            all.push(Check::new(area, OK, "no faults"));
        }
        all.extend(own.into_iter().map(|fault| Check {
            hint: Some(match &fault.repair {
                Some(repair) => repair.title(),
                None => "memkeep cannot mend this".to_owned(),
            }),
            repairable: fault.repair.is_some(),
            repair: fault.repair,
            ..Check::new(area, FAULT, fault.what)
        }));
    }
    all
}

fn hooks(ws: &Workspace) -> Vec<Check> {
    let root = &ws.collection.root;
    let mut names = ws.hooked_agents().collect_vec();
    let config = git::config_file(root).and_then(|file| std::fs::read_to_string(file).ok());
    if config.is_some_and(|config| config.contains("[merge \"memkeep\"]")) {
        names.push("git".to_owned());
    }
    vec![match names.is_empty() {
        true => Check::new("hooks", NOTE, "not installed")
            .hint("memkeep init --claude, --codex, --gemini, --copilot, --cursor, --git"),
        false => Check::new("hooks", OK, format!("installed for {}", names.join(", "))),
    }]
}

fn print(checks: &[Check], format: Format, output: &mut Output) -> Result<()> {
    if format == Format::Json {
        return Ok(output.print_json(&checks)?);
    }
    for check in checks {
        let (area, status) = (check.area, check.status);
        writeln!(output, "{area:9} {status:6} {}", safe(&check.message))?;
        if let Some(hint) = &check.hint {
            writeln!(output, "{:17}{}", "", safe(hint))?;
        }
    }
    let faults = checks.iter().filter(|check| check.status == FAULT).count();
    let mendable = checks.iter().filter(|check| check.repairable).count();
    let mends = match (faults, mendable) {
        (0, _) => return Ok(writeln!(output, "no faults")?),
        (_, 0) => String::new(),
        _ => format!("; `memkeep doctor --repair` mends {mendable}"),
    };
    Ok(writeln!(output, "{}{mends}", plural(faults, "fault"))?)
}
