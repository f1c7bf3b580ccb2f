//! `memkeep init --claude`: adds the hooks of memkeep to Claude Code's settings of a project.

use std::io::Write as _;

use crate::agent::hook::settings::with_hooks;
use crate::cli::error::Error;
use crate::cli::{Output, exit};
use crate::config::ConfigError;
use crate::store::control::{self, Owner};
use crate::workspace::Workspace;

/// Path of a project's settings.
const PATH: &str = ".claude/settings.json";

/// Runs the command.
pub fn run(
    ws: &Workspace,
    args: &crate::cli::init::Init,
    output: &mut Output,
) -> Result<u8, Error> {
    let path = ws.collection.root.join(PATH);
    let before = control::text(&path, Owner::Project(&ws.collection.root))?;
    let text = before.as_deref().unwrap_or_default();
    let after = with_hooks(text).map_err(|error| {
        let error = ConfigError::at(&path, text, error.at, error.message.to_owned());
        Error::wrong(format!("{PATH} is not changed: {error}")).place(error.place())
    })?;
    if after == text {
        writeln!(output, "{PATH} has the hooks already")?;
        return Ok(exit::DONE);
    }
    let collection = &ws.collection;
    let mut overlay = collection.overlay(ws.now);
    if before.is_some() {
        overlay.read(&path, None)?;
    }
    overlay.write(&path, after.into_bytes())?;
    let plan = overlay.into_plan(format!("added memkeep's hooks to {PATH}"));
    super::ask_and_write(ws, args, plan, PATH, output)
}
