//! `memkeep init`: makes a store, or has agents and git call memkeep.

use super::change::print_diff;
use super::output;
use super::prelude::*;
use crate::agent::hook::settings::{AGENTS, HookedAgent, runs_hook};
use crate::config::ConfigError;
use crate::curate::Plan;
use crate::project::git;
use crate::store::control::{self, Owner};
use crate::store::discover::open;
use crate::store::files::real;
use crate::store::{Overlay, Scope, StoreError, StoreInfo};

#[derive(Debug, clap::Args)]
pub struct Init {
    /// Path of the new store, if its format has several places
    #[arg(value_name = "PATH", conflicts_with_all = ["agent", "git"])]
    pub path: Option<PathBuf>,
    /// Have Claude Code call `memkeep hook`: lines of .claude/settings.json
    #[arg(long, group = "agent")]
    pub claude: bool,
    /// The same for Codex: .codex/hooks.json
    #[arg(long, group = "agent")]
    pub codex: bool,
    /// The same for Gemini CLI: .gemini/settings.json
    #[arg(long, group = "agent")]
    pub gemini: bool,
    /// The same for Copilot CLI: .github/hooks/memkeep.json
    #[arg(long, group = "agent")]
    pub copilot: bool,
    /// The same for Cursor: .cursor/hooks.json
    #[arg(long, group = "agent")]
    pub cursor: bool,
    /// With one of these: take the lines out again
    #[arg(long, requires = "agent")]
    pub remove: bool,
    /// Have git merge the files of memories memory by memory: lines of .gitattributes, and the
    /// repository's configuration
    #[arg(long, conflicts_with = "agent")]
    pub git: bool,
    /// With an agent or --git: write without asking
    #[arg(long)]
    pub yes: bool,
    /// Say what would be made and make nothing
    #[arg(long)]
    pub dry_run: bool,
}

impl Init {
    /// The flag of the program that is to call memkeep; empty without one.
    fn target(&self) -> &'static str {
        match self {
            Self { claude: true, .. } => "claude",
            Self { codex: true, .. } => "codex",
            Self { gemini: true, .. } => "gemini",
            Self { copilot: true, .. } => "copilot",
            Self { cursor: true, .. } => "cursor",
            Self { git: true, .. } => "git",
            _ => "",
        }
    }
}

pub fn run(ws: &Workspace, args: &Init, output: &mut Output) -> Result<u8> {
    match args.target() {
        "git" => return set_driver(ws, args, output),
        "" if args.yes => return Err(Error::wrong("--yes goes with an agent or --git")),
        "" => {}
        agent => return set_hooks(ws, args, agent, output),
    }
    let collection = &ws.collection;
    // A store that was named is there, else it would have been said.
    let asked = !ws.options.search.only.is_empty();
    let format = ws.options.search.format.as_deref();
    let named = collection.infos().next().filter(|_| asked);
    let named = named.filter(|info| format.is_none_or(|format| format == info.format()));
    let info = match &args.path {
        Some(path) => collection.new_store_at(format, &ws.start.join(path)),
        None => named.cloned().or_else(|| collection.new_store(format)),
    };
    let info = info.ok_or_else(|| not_made(ws, format, args))?;
    let shown = collection.shown(&info.path);
    let link = std::fs::read_link(&info.path).ok();
    if let Some(target) = link.filter(|_| !info.path.exists()) {
        let target = target.display();
        let what = format!("{shown} is a link to {target}, which is not there");
        return Err(Error::wrong(what).hint("make what it leads to, or take the link away"));
    }
    // Ralph has had two places for its file: a second file beside the first is of no use.
    let is_other = |other: &&StoreInfo| {
        let is_same_format = other.format() == info.format() && other.scope == Scope::Project;
        is_same_format && !asked && args.path.is_none()
    };
    let other = collection.infos().find(is_other);
    let there = match std::fs::symlink_metadata(&info.path) {
        Ok(_) => Some(shown.clone()),
        Err(_) => other.map(|other| collection.shown(&other.path)),
    };
    if let Some(there) = there {
        writeln!(output, "{there} is there already")?;
        return Ok(exit::DONE);
    }
    if args.dry_run {
        writeln!(output, "would make {shown}")?;
        return Ok(exit::DONE);
    }
    if ws.options.read_only {
        let what = "nothing is made: memkeep runs with --read-only";
        return Err(Error::wrong(what));
    }
    let path = info.path.display().to_string();
    let store = open(info);
    let made = collection.make(&*store, ws.now);
    made.map_err(|error| match error {
        StoreError::Io { source, .. } => {
            Error::wrong(format!("the store cannot be made: {source}")).place(path)
        }
        error => error.into(),
    })?;
    // A file that is one memory takes no second one.
    let made = store.load(&[], &mut |_| true).memories;
    let only = made.first().filter(|only| *only.path == *store.info().path);
    let hint = match only {
        Some(only) => format!("`memkeep edit {}` fills it", only.id),
        None => "`memkeep add` writes the first memory".to_owned(),
    };
    writeln!(output, "made {shown} · {hint}")?;
    Ok(exit::DONE)
}

/// Why there is no new store of a format, or none at the path that is asked for.
fn not_made(ws: &Workspace, format: Option<&str>, args: &Init) -> Error {
    let name = format.unwrap_or_default();
    let known = ws.collection.formats().find(|known| known.name == name);
    let places = known.map_or(&[][..], |known| known.project);
    if known.is_none() && format.is_some() {
        let names = ws.collection.formats().map(|format| format.name).join(", ");
        let error = Error::wrong(format!("unknown format `{name}`"));
        return error.hint(format!("known formats: {names}"));
    }
    match (&args.path, places) {
        (Some(path), []) => Error::wrong("no format has its stores there")
            .place(path.display().to_string())
            .hint("`--as NAME` says the format; see docs/formats.md"),
        (Some(path), places) => Error::wrong(format!("stores of {name} are not looked for there"))
            .place(path.display().to_string())
            .hint(format!("they are looked for at {}", places.join(", "))),
        (None, [place, ..]) if known.is_some_and(|format| format.table.is_some()) => {
            let path = place.replace('*', "NAME");
            let what = format!("{name} has no single place: {place} is any of several");
            Error::wrong(what).hint(format!("say which one: `memkeep init {path} --as {name}`"))
        }
        _ => Error::wrong(format!("memkeep makes no store of {name}: {name} does"))
            .hint("open one that is there: `memkeep PATH`"),
    }
}

/// Adds the hooks of memkeep to an agent's settings of the project, or takes them out.
fn set_hooks(ws: &Workspace, args: &Init, agent: &str, output: &mut Output) -> Result<u8> {
    let Some(agent) = AGENTS.get(agent) else {
        return Err(Error::wrong(format!("unknown agent `{agent}`")));
    };
    let (root, title, file) = (&ws.collection.root, &agent.title, &agent.file);
    let read = |file: &str| control::text(&root.join(file), Owner::Project(root));
    let before = read(file)?;
    let text = before.as_deref().unwrap_or_default();
    let after = match args.remove {
        true => agent.without_hooks(text),
        false => agent.with_hooks(before.as_deref()).map(Some),
    };
    let path = root.join(file);
    let after = after.map_err(|error| {
        let error = ConfigError::at(&path, text, error.at, error.message);
        Error::wrong(format!("{file} is not changed: {error}")).place(error.place())
    })?;
    let is_same = after == before || before.is_none() && args.remove;
    let runs_hook =
        |file: &&String| read(file).is_ok_and(|text| text.is_some_and(|text| runs_hook(&text)));
    let other = agent.also.iter().find(runs_hook);
    let by_other = other.map(|other| format!("; {title} runs the hooks of {other}"));
    let by_other = by_other.unwrap_or_default();
    let told = match (args.remove, is_same) {
        (true, true) => format!("{file} has no hooks of memkeep{by_other}"),
        (false, true) => format!("{file} has the hooks already"),
        (false, false) if other.is_some() => format!("{file} is not changed{by_other} already"),
        _ => String::new(),
    };
    if !told.is_empty() {
        writeln!(output, "{told}")?;
        return Ok(exit::DONE);
    }
    // Another agent may have the hooks and run those of this file as well.
    let twice = |(_, other): &(&String, &HookedAgent)| {
        !args.remove && other.also.contains(file) && runs_hook(&&other.file)
    };
    for (name, other) in AGENTS.iter().filter(twice) {
        let (title, hint) = (&other.title, format!("memkeep init --{name} --remove"));
        let what = format!("{title} runs these hooks and its own");
        note(&format!("note: {what}: see `{hint}`"));
    }
    let mut overlay = ws.collection.overlay(ws.now);
    if before.is_some() {
        overlay.read(&path, None)?;
    }
    match after {
        Some(text) => overlay.write(&path, text.into_bytes())?,
        None => overlay.remove(&path, None)?,
    }
    let done = if args.remove { "removed" } else { "added" };
    let plan = overlay.into_plan(format!("{done} memkeep's hooks in {file}"));
    ask_and_write(ws, args, plan, file, output)
}

fn ask_and_write(
    ws: &Workspace,
    args: &Init,
    plan: Plan,
    what: &str,
    output: &mut Output,
) -> Result<u8> {
    print_diff(ws, &plan, output)?;
    output.flush()?;
    if args.dry_run {
        return Ok(exit::DONE);
    }
    ws.may_write()?;
    let answer = || output::ask(&format!("Write {what}? [y/N] "));
    match Some(true).filter(|_| args.yes).or_else(answer) {
        Some(true) => {}
        Some(false) => return Err(Error::nothing("nothing was done")),
        None => {
            let remove = if args.remove { " --remove" } else { "" };
            let hint = format!("`memkeep init --{}{remove} --yes` writes it", args.target());
            output::note(&format!("nothing is written: {hint}"));
            return Ok(exit::DONE);
        }
    }
    let done = ws.collection.carry_out(plan, "init", Vec::new(), ws.now)?;
    writeln!(output, "{} · memkeep undo", done.title)?;
    Ok(exit::DONE)
}

const ATTRIBUTES: &str = ".gitattributes";
/// The section of the repository's configuration that names the driver.
const SECTION: &str = "[merge \"memkeep\"]";
const ARGUMENTS: &str = "merge-driver %O %A %B %P";
/// Files of a folder of memories, by their ends.
const ENDS: [&str; 3] = ["md", "mdc", "jsonl"];

fn set_driver(ws: &Workspace, args: &Init, output: &mut Output) -> Result<u8> {
    let collection = &ws.collection;
    let wrong = |error: git::GitError| {
        Error::wrong(error.to_string()).hint("`init --git` is for a git repository")
    };
    let root = git::root(&collection.root).map_err(wrong)?;
    let lines = attributes(ws, &real(&root));
    if lines.is_empty() {
        let error = Error::wrong("no store of this repository is merged by memory");
        return Err(error.hint("`memkeep init` makes one; a database is not merged"));
    }
    let program = program()?;
    let driver = format!("{program} {ARGUMENTS}");
    let mut overlay = collection.overlay(ws.now);
    append(&root.join(ATTRIBUTES), &mut overlay, |text| {
        let is_there = |line: &&String| text.lines().any(|known| known.trim() == **line);
        let new = lines.iter().filter(|line| !is_there(line));
        new.map(|line| format!("{line}\n")).collect()
    })?;
    let config = git::config_file(&root).ok_or_else(|| wrong(git::GitError::NoRepository))?;
    if let Some(error) = collection.may_lead(&config).err().filter(|_| !args.dry_run) {
        let why = format!("this looks like a submodule: {error}");
        return Err(Error::wrong(why).hint(format!(
            "name the driver yourself, `git config merge.memkeep.driver '{driver}'`, \
             and write what `init --git --dry-run` shows of .gitattributes"
        )));
    }
    let mut is_new = false;
    append(&config, &mut overlay, |text| {
        is_new = !text.contains(SECTION);
        let driver = quoted(&driver);
        let section =
            format!("{SECTION}\n\tname = memories, merged one by one\n\tdriver = {driver}\n");
        if is_new { section } else { String::new() }
    })?;
    let plan = overlay.into_plan("had git merge memories one by one");
    if plan.is_empty() {
        writeln!(output, "git merges memories one by one already")?;
        return Ok(exit::DONE);
    }
    if is_new {
        note(&match &*program {
            "memkeep" => "note: git runs the `memkeep` that is on PATH".to_owned(),
            own => format!("note: git runs {own}; run this again where it moves"),
        });
    }
    let what = format!("{ATTRIBUTES} and the repository's configuration");
    ask_and_write(ws, args, plan, &what, output)
}

/// The program that git runs, quoted for its shell: `memkeep` if PATH finds this one, else its
/// path.
fn program() -> Result<String> {
    let own = std::env::current_exe().map_err(|error| {
        Error::wrong(format!("the running program is not found: {error}"))
            .hint("put memkeep on PATH and run this again")
    })?;
    let own = real(&own);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let name = format!("memkeep{}", std::env::consts::EXE_SUFFIX);
    let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(&name));
    let first = paths.find(|path| path.is_file());
    if first.is_some_and(|path| real(&path) == own) {
        return Ok("memkeep".to_owned());
    }
    let own = own.to_string_lossy().replace('\\', "/");
    let own = own.replace('\'', "'\\''").replace('%', "%%");
    Ok(format!("'{own}'"))
}

fn quoted(value: &str) -> String {
    match value.contains(['\'', '"', '\\', ';', '#']) {
        true => format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")),
        false => value.to_owned(),
    }
}

fn append(path: &Path, overlay: &mut Overlay, new: impl FnOnce(&str) -> String) -> Result<()> {
    let bytes = match overlay.exists(path) {
        true => overlay.read(path, None)?.to_vec(),
        false => Vec::new(),
    };
    let new = new(&String::from_utf8_lossy(&bytes));
    if new.is_empty() {
        return Ok(());
    }
    let is_open = !bytes.is_empty() && !bytes.ends_with(b"\n");
    let gap: &[u8] = if is_open { b"\n" } else { b"" };
    Ok(overlay.write(path, [&bytes, gap, new.as_bytes()].concat())?)
}

fn attributes(ws: &Workspace, root: &Path) -> Vec<String> {
    let (infos, memories) = (ws.collection.infos(), ws.load());
    let own = infos.filter(|info| info.scope == Scope::Project && !info.kind.is_context);
    let mut all = Vec::new();
    for info in own {
        let path = real(&info.path);
        let Ok(below) = path.strip_prefix(root) else {
            continue;
        };
        // The files that are there say which there will be.
        let own = memories.iter().filter(|one| one.id.store == info.id);
        let has = |end: &&&str| own.clone().any(|one| is_of(&one.path, end));
        match info.path.is_dir() {
            true => {
                let ends = ENDS.iter().filter(has);
                all.extend(ends.map(|end| attribute(&below.join("**").join(format!("*.{end}")))));
            }
            false if ENDS.iter().any(|end| is_of(below, end)) => all.push(attribute(below)),
            false => {}
        }
    }
    all.dedup();
    all
}

fn is_of(path: &Path, end: &str) -> bool {
    path.extension().is_some_and(|own| own == end)
}

/// A line for a path; quoted where git would take it for several words.
fn attribute(path: &Path) -> String {
    let pattern = format!("/{}", path.to_string_lossy().replace('\\', "/"));
    match pattern.contains([' ', '"', '\t']) {
        true => format!("\"{}\" merge=memkeep", pattern.replace('"', "\\\"")),
        false => format!("{pattern} merge=memkeep"),
    }
}
