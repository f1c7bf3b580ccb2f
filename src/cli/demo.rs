//! `memkeep demo`: the sample project.

use std::io::Write as _;
use std::path::PathBuf;

use super::error::Error;
use super::output::note;
use super::{Output, exit, ui};
use crate::cli::global::Global;
use crate::project::demo;
use crate::workspace::{Workspace, clock};

/// Arguments of `demo`.
#[derive(Debug, clap::Args)]
pub struct Demo {
    /// Name a few task descriptions worth typing
    #[arg(long)]
    pub list_tasks: bool,
    /// Write the sample project into this new folder and end
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
}

/// Runs the command.
pub fn run(global: &Global, args: &Demo, output: &mut Output) -> Result<u8, Error> {
    if args.list_tasks {
        for task in demo::tasks() {
            output.bold(&task.text)?;
            writeln!(output, "\n  as {}: {}", task.agent, task.shows)?;
        }
        return Ok(exit::DONE);
    }
    let mut options = global.options(Vec::new())?;
    let now = options.now.unwrap_or_else(clock);
    let broken = |error: demo::DemoError| {
        Error::wrong(error.to_string()).hint("the folder for temporary files must be writable")
    };
    if let Some(folder) = &args.into {
        let without_history = demo::lay_out_in(folder, now)
            .map_err(|error| Error::wrong(error.to_string()).hint("--into names a new folder"))?;
        warn(without_history.as_deref());
        writeln!(output, "wrote the sample project to {}", folder.display())?;
        return Ok(exit::DONE);
    }
    let project = demo::lay_out(now).map_err(broken)?;
    warn(project.without_history.as_deref());
    options.root = Some(project.root.clone());
    // Its journal goes away with it.
    options.state = project.dir.path().join("state");
    let sample: Vec<String> = demo::tasks().into_iter().map(|task| task.text).collect();
    let mut ws = Workspace::open(options)?;
    ws.settings.sample_tasks.get_or_insert(sample);
    // Most people know this system's files.
    ws.opens_on = Some("claude:MEMORY".to_owned());
    ui::run(ws)
}

/// Says why the sample project has no history, where it has none.
fn warn(without_history: Option<&str>) {
    if let Some(why) = without_history {
        note(&format!(
            "warning: the sample project has no history: {why}"
        ));
    }
}
