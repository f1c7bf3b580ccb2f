//! `memkeep init --git`: has git merge the files of memories with memkeep.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::cli::error::Error;
use crate::cli::output::note;
use crate::cli::{Output, exit};
use crate::project::git;
use crate::store::{Overlay, Scope};
use crate::workspace::Workspace;

/// The file that gives attributes to files of a repository.
const ATTRIBUTES: &str = ".gitattributes";
/// The section of the repository's configuration that names the driver.
const SECTION: &str = "[merge \"memkeep\"]";
/// The arguments that git fills in.
const ARGUMENTS: &str = "merge-driver %O %A %B %P";
/// Files of a folder of memories, by their ends.
const ENDS: [&str; 3] = ["md", "mdc", "jsonl"];

/// Runs the command.
pub fn run(
    ws: &Workspace,
    args: &crate::cli::init::Init,
    output: &mut Output,
) -> Result<u8, Error> {
    let collection = &ws.collection;
    let wrong = |error: git::GitError| {
        Error::wrong(error.to_string()).hint("`init --git` is for a git repository")
    };
    let root = git::root(&collection.root).map_err(wrong)?;
    let real = crate::store::files::real(&root);
    let lines = lines(ws, &real);
    if lines.is_empty() {
        return Err(
            Error::wrong("no store of this repository is merged by memory")
                .hint("`memkeep init` makes one; a database is not merged"),
        );
    }
    let program = Program::find()?;
    let mut overlay = collection.overlay(ws.now);
    let attributes = root.join(ATTRIBUTES);
    append(&attributes, &mut overlay, |text| {
        let new = lines
            .iter()
            .filter(|line| !text.lines().any(|known| known.trim() == **line));
        new.map(|line| format!("{line}\n")).collect()
    })?;
    let config = git::config_file(&root).ok_or_else(|| wrong(git::GitError::NoRepository))?;
    if let Some(error) = collection.may_lead(&config).err().filter(|_| !args.dry_run) {
        let why = format!("this looks like a submodule: {error}");
        return Err(Error::wrong(why).hint(format!(
            "name the driver yourself, `git config merge.memkeep.driver '{} {ARGUMENTS}'`, \
             and write what `init --git --dry-run` shows of .gitattributes",
            program.command
        )));
    }
    let mut is_new = false;
    append(&config, &mut overlay, |text| {
        is_new = !text.contains(SECTION);
        let driver = quoted(&format!("{} {ARGUMENTS}", program.command));
        match is_new {
            true => {
                format!("{SECTION}\n\tname = memories, merged one by one\n\tdriver = {driver}\n")
            }
            false => String::new(),
        }
    })?;
    let plan = overlay.into_plan("had git merge memories one by one");
    if plan.is_empty() {
        writeln!(output, "git merges memories one by one already")?;
        return Ok(exit::DONE);
    }
    if is_new {
        note(&format!("note: {}", program.why()));
    }
    let what = format!("{ATTRIBUTES} and the repository's configuration");
    super::ask_and_write(ws, args, plan, &what, output)
}

/// The program that git runs, as its shell takes it.
struct Program {
    command: String,
    is_on_path: bool,
}

impl Program {
    /// `memkeep` if that is the running program, else its absolute path.
    fn find() -> Result<Self, Error> {
        let wrong = |error: std::io::Error| {
            Error::wrong(format!("the running program is not found: {error}"))
                .hint("put memkeep on PATH and run this again")
        };
        let own = std::env::current_exe().map_err(wrong)?;
        let own = std::fs::canonicalize(&own).unwrap_or(own);
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let name = format!("memkeep{}", std::env::consts::EXE_SUFFIX);
        let first = std::env::split_paths(&folders)
            .map(|folder| folder.join(&name))
            .find(|path| path.is_file());
        let is_own = |path: PathBuf| std::fs::canonicalize(path).is_ok_and(|path| path == own);
        let is_on_path = first.is_some_and(is_own);
        let text = own.to_string_lossy().replace('\\', "/");
        let command = match is_on_path {
            true => "memkeep".to_owned(),
            false => format!("'{}'", text.replace('\'', "'\\''").replace('%', "%%")),
        };
        Ok(Self {
            command,
            is_on_path,
        })
    }

    fn why(&self) -> String {
        match self.is_on_path {
            true => "git runs the `memkeep` that is on PATH".to_owned(),
            false => format!(
                "git runs {}: the `memkeep` on PATH is not this program; run this again where it moves",
                self.command
            ),
        }
    }
}

/// A value of git's configuration.
fn quoted(value: &str) -> String {
    match value.contains(['\'', '"', '\\', ';', '#']) {
        true => format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")),
        false => value.to_owned(),
    }
}

/// Adds lines to the end of a file.
fn append(
    path: &Path,
    overlay: &mut Overlay,
    new: impl FnOnce(&str) -> String,
) -> Result<(), Error> {
    let bytes = match overlay.exists(path) {
        true => overlay.read(path, None)?.to_vec(),
        false => Vec::new(),
    };
    let new = new(&String::from_utf8_lossy(&bytes));
    if new.is_empty() {
        return Ok(());
    }
    let gap: &[u8] = if bytes.is_empty() || bytes.ends_with(b"\n") {
        b""
    } else {
        b"\n"
    };
    Ok(overlay.write(path, [&bytes, gap, new.as_bytes()].concat())?)
}

/// The lines of `.gitattributes` for the stores that lie in a repository.
fn lines(ws: &Workspace, root: &Path) -> Vec<String> {
    let infos = ws.collection.infos();
    let own = infos.filter(|info| info.scope == Scope::Project && !info.kind.is_context);
    let mut all = Vec::new();
    for info in own {
        let real = crate::store::files::real(&info.path);
        let Some(below) = real.strip_prefix(root).ok().map(Path::to_path_buf) else {
            continue;
        };
        let is_text = |path: &Path| {
            path.extension()
                .is_some_and(|end| ENDS.iter().any(|known| *end == **known))
        };
        if !info.path.is_dir() {
            all.extend(is_text(&below).then(|| line(&below)));
            continue;
        }
        // The files that are there say which there will be.
        let ends = ENDS.iter().filter(|end| has(&info.path, end, DEEPEST));
        all.extend(ends.map(|end| line(&below.join("**").join(format!("*.{end}")))));
    }
    all.dedup();
    all
}

/// Folders inside each other that are looked into.
const DEEPEST: usize = 4;

/// True if a folder has a file with an end.
fn has(folder: &Path, end: &str, deep: usize) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    let is_it = |path: &PathBuf| path.is_file() && path.extension().is_some_and(|own| *own == *end);
    paths.iter().any(is_it)
        || deep > 0
            && paths
                .iter()
                .any(|path| path.is_dir() && has(path, end, deep - 1))
}

/// A line for a path; quoted where git would take it for several words.
fn line(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    let pattern = format!("/{path}");
    match pattern.contains([' ', '"', '\t']) {
        true => format!("\"{}\" merge=memkeep", pattern.replace('"', "\\\"")),
        false => format!("{pattern} merge=memkeep"),
    }
}
