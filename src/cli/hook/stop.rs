//! The end of a session: its file goes to `memkeep extract --rules` and `memkeep used`, where the
//! person switched that on. These programs go on by themselves, and the agent does not wait for them.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::cli::args::Global;
use crate::project::programs;
use crate::workspace::Workspace;

/// Hands over the file of a session; an agent is never told anything.
pub fn hand_over(
    global: &Global,
    paths: Vec<PathBuf>,
    session: &Path,
) -> Result<Option<String>, String> {
    let ws = global.options(paths).and_then(Workspace::open);
    let ws = ws.map_err(|error| error.in_a_line())?;
    let jobs = [
        (
            ws.settings.extract.on_stop == Some(true),
            &["extract", "--rules", "--from"][..],
        ),
        (
            ws.records_worth(),
            &["used", "--format", "quiet", "--answer"],
        ),
    ];
    let jobs = jobs.into_iter().filter(|(is_on, _)| *is_on);
    for (_, words) in jobs {
        if !session.is_file() {
            return Err(format!("no such session: {}", session.display()));
        }
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut program = programs::command(own);
        program.arg("--root").arg(&ws.collection.root);
        if let Some(config) = &global.config {
            program.arg("--config").arg(config);
        }
        program.args(words).arg(session);
        program.stdin(Stdio::null());
        program.stdout(Stdio::null()).stderr(Stdio::null());
        // An agent that ends its hooks does not end it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut program, 0);
        program.spawn().map_err(|error| error.to_string())?;
    }
    Ok(None)
}
