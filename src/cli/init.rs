//! `memkeep init`: makes a store.

use std::io::Write as _;

use super::args;
use super::error::Error;
use super::session::Session;
use super::{Output, exit};
use crate::store::discover::{FORMATS, new_store};

/// Runs the command.
pub fn run(session: &Session, args: &args::Init, output: &mut Output) -> Result<u8, Error> {
    let format = session.global.format_as.as_deref().unwrap_or("rawko");
    let Some(info) = new_store(format, &session.collection.root) else {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        return Err(Error::wrong(format!("unknown format `{format}`"))
            .hint(format!("known formats: {}", known.join(", "))));
    };
    let shown = session.collection.shown(&info.path);
    if info.path.is_dir() {
        writeln!(output, "{shown} is there already")?;
        return Ok(exit::DONE);
    }
    if args.dry_run {
        writeln!(output, "would make the folder {shown}")?;
        return Ok(exit::DONE);
    }
    if session.global.read_only {
        return Err(Error::wrong(
            "nothing is made: memkeep runs with --read-only",
        ));
    }
    std::fs::create_dir_all(&info.path).map_err(|error| {
        Error::wrong(format!("the folder cannot be made: {error}"))
            .place(info.path.display().to_string())
    })?;
    writeln!(
        output,
        "made {shown} · `memkeep add` writes the first memory"
    )?;
    Ok(exit::DONE)
}
