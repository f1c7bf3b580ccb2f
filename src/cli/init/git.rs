//! `memkeep init --git`: has git merge the files of memories with memkeep.

use std::path::Path;

use super::{Init, ask_and_write};
use crate::cli::prelude::*;
use crate::project::git;
use crate::store::files::real;
use crate::store::{Overlay, Scope};

/// The file that gives attributes to files of a repository.
const ATTRIBUTES: &str = ".gitattributes";
/// The section of the repository's configuration that names the driver.
const SECTION: &str = "[merge \"memkeep\"]";
/// The arguments that git fills in.
const ARGUMENTS: &str = "merge-driver %O %A %B %P";
/// Files of a folder of memories, by their ends.
const ENDS: [&str; 3] = ["md", "mdc", "jsonl"];

/// Runs the command.
pub fn run(ws: &Workspace, args: &Init, output: &mut Output) -> Result<u8> {
    let collection = &ws.collection;
    let wrong = |error: git::GitError| {
        Error::wrong(error.to_string()).hint("`init --git` is for a git repository")
    };
    let root = git::root(&collection.root).map_err(wrong)?;
    let lines = lines(ws, &real(&root));
    if lines.is_empty() {
        let error = Error::wrong("no store of this repository is merged by memory");
        return Err(error.hint("`memkeep init` makes one; a database is not merged"));
    }
    let (program, why) = program()?;
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
        note(&format!("note: {why}"));
    }
    let what = format!("{ATTRIBUTES} and the repository's configuration");
    ask_and_write(ws, args, plan, &what, output)
}

/// The program that git runs, as its shell takes it, and why: `memkeep` if that is the running
/// program, else its absolute path.
fn program() -> Result<(String, String)> {
    let own = std::env::current_exe().map_err(|error| {
        Error::wrong(format!("the running program is not found: {error}"))
            .hint("put memkeep on PATH and run this again")
    })?;
    let own = real(&own);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let name = format!("memkeep{}", std::env::consts::EXE_SUFFIX);
    let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(&name));
    if paths
        .find(|path| path.is_file())
        .is_some_and(|path| real(&path) == own)
    {
        let why = "git runs the `memkeep` that is on PATH";
        return Ok(("memkeep".to_owned(), why.to_owned()));
    }
    let own = own.to_string_lossy().replace('\\', "/");
    let command = format!("'{}'", own.replace('\'', "'\\''").replace('%', "%%"));
    let why = "the `memkeep` on PATH is not this program; run this again where it moves";
    let why = format!("git runs {command}: {why}");
    Ok((command, why))
}

/// A value of git's configuration.
fn quoted(value: &str) -> String {
    match value.contains(['\'', '"', '\\', ';', '#']) {
        true => format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")),
        false => value.to_owned(),
    }
}

/// Adds lines to the end of a file.
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

/// The lines of `.gitattributes` for the stores that lie in a repository.
fn lines(ws: &Workspace, root: &Path) -> Vec<String> {
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
                all.extend(ends.map(|end| line(&below.join("**").join(format!("*.{end}")))));
            }
            false if ENDS.iter().any(|end| is_of(below, end)) => all.push(line(below)),
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
fn line(path: &Path) -> String {
    let pattern = format!("/{}", path.to_string_lossy().replace('\\', "/"));
    match pattern.contains([' ', '"', '\t']) {
        true => format!("\"{}\" merge=memkeep", pattern.replace('"', "\\\"")),
        false => format!("{pattern} merge=memkeep"),
    }
}
