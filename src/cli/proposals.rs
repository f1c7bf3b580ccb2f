//! Proposals as commands make them: asked of a model, written for a person to decide on, printed.

use std::sync::atomic::AtomicBool;

use super::add::Given;
use super::edit::typed;
use super::prelude::*;
use crate::agent::ask::PARTING;
use crate::agent::command::ask;
use crate::config::{ModelSettings, Runnable};
use crate::curate::differences::Proposal;
use crate::memory::id::StoreId;
use crate::memory::schema::FieldSpec;
use crate::memory::{Schema, first_line};
use crate::text::cut;
use crate::workspace::settings::user_file;

#[derive(Debug, clap::Args)]
pub struct ProposalArgs {
    /// Print what is asked and send nothing
    #[arg(long, group = "by")]
    pub prompt_only: bool,
    /// Take a model's answer from a file; `-` reads standard input
    #[arg(long, value_name = "FILE", group = "by")]
    pub response: Option<String>,
    /// Print what would be proposed and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(PLAIN))]
    pub format: Format,
}

/// The answers of the model to some requests, or those of a file; none where the requests are printed
/// instead. `hint` is added where no model is configured.
pub fn answers<T>(
    ws: &Workspace,
    (prompt_only, response): (bool, Option<&str>),
    requests: &[String],
    read: impl Fn(&str) -> Result<T, String>,
    hint: &str,
    output: &mut Output,
) -> Result<Option<Vec<T>>> {
    if prompt_only {
        output.write_all(requests.join(&format!("{PARTING}\n")).as_bytes())?;
        return Ok(None);
    }
    if let Some(file) = response {
        let text = format!("\n{}", response_text(file)?);
        let most = if requests.len() > 1 { usize::MAX } else { 1 };
        let parting = format!("\n{PARTING}\n");
        let parts = text.splitn(most, &parting).map(read);
        let wrong = |why| Error::wrong(format!("the response does not count: {why}"));
        return Ok(Some(parts.collect::<Result<_, _>>().map_err(wrong)?));
    }
    let command = runnable(&ws.settings.model).map_err(|error| match hint {
        "" => error,
        hint => error.hint(hint),
    })?;
    let stop = interrupted();
    let one = |request: &String| match ask(&command, request, &stop, &read) {
        Ok((answer, _)) => Ok(answer),
        Err(why) => Err(Error::wrong(format!("{why}; nothing was proposed"))),
    };
    requests.iter().map(one).collect::<Result<_>>().map(Some)
}

/// The command of the settings; an error if they name none that may be run.
pub fn runnable(settings: &ModelSettings) -> Result<Runnable> {
    let home = etcetera::home_dir().unwrap_or_default();
    settings.runnable(&home).ok_or_else(|| {
        let own = user_file().map(|file| format!("{}, in ", file.display()));
        let own = own.unwrap_or_default();
        let places = format!("in {own}the file of --config or in MEMKEEP_MODEL_COMMAND");
        Error::wrong("no model is configured").hint(format!(
            "[model] command = [\"program\", \"argument\"] {places}; \
             --prompt-only and --response FILE need none"
        ))
    })
}

/// The memories of the project, where there are any: quotes from a person's own stores are no business
/// of a file that a team shares.
pub fn own(ws: &Workspace, memories: &Snapshot) -> Snapshot {
    let root = &ws.collection.root;
    let own = |memory: &&Arc<Memory>| memory.path.starts_with(root);
    let own: Snapshot = Arc::new(memories.iter().filter(own).cloned().collect());
    match own.is_empty() {
        true => Arc::clone(memories),
        false => own,
    }
}

pub fn response_text(file: &str) -> Result<String> {
    let wrong = |error| Error::wrong(format!("{file} cannot be read: {error}"));
    match file {
        "-" => text_or_stdin(file),
        file => Ok(String::from_utf8_lossy(&std::fs::read(file).map_err(wrong)?).into_owned()),
    }
}

/// Turns true at the first Ctrl-c; the second one ends the program.
pub fn interrupted() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Without it the signal ends the program at once, as it does elsewhere.
        let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&stop));
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    stop
}

/// A proposal for a store, made now, without its change.
pub fn proposal(ws: &Workspace, action: &str, store: &StoreId) -> Proposal {
    Proposal {
        version: 1,
        action: action.to_owned(),
        store: Some(store.to_string()),
        created: Some(ws.clock().to_rfc3339()),
        ..Proposal::default()
    }
}

const SHORT: usize = 160;

/// A proposal from the file of a session, or from standard input, with the task of the session.
pub fn of_session(
    ws: &Workspace,
    action: &str,
    store: &StoreId,
    (file, task): (&str, Option<&str>),
) -> Proposal {
    let name = Path::new(file).file_name().unwrap_or_default();
    let is_piped = file == "-";
    let from = if is_piped {
        "standard input".into()
    } else {
        name.to_string_lossy()
    };
    let task = task.map(|task| mask(cut(first_line(task), SHORT)).into_owned());
    Proposal {
        from: Some(from.into_owned()),
        task: task.filter(|task| !task.is_empty()),
        ..proposal(ws, action, store)
    }
}

/// A field of a model's answer as a store has it; none if it has no such field, or not this value.
pub fn given_field(name: &str, values: &[String], schema: &'static Schema) -> Option<Given> {
    let is = |spec: &&FieldSpec| {
        let letters = spec.name.chars().filter(|c| c.is_alphanumeric());
        letters.collect::<String>().eq_ignore_ascii_case(name)
    };
    let spec = schema.fields.iter().find(is)?;
    let known = [Role::Title, Role::Tags, Role::Author, Role::Created];
    if known.contains(&spec.role) {
        return None;
    }
    let mut masked = values.iter().map(|value| mask(value).into_owned());
    let value = match spec.kind.is_list() {
        true => masked.map(Value::from).collect(),
        false => typed(Some(spec), &masked.next()?).ok()?,
    };
    Some((spec, value))
}

/// The title of a proposal, else the id of the memory that it changes.
fn title_of(proposal: &Proposal) -> &str {
    let title = proposal.fields.get("title");
    let title = title.and_then(|title| title.as_str());
    title.or(proposal.id.as_deref()).unwrap_or_default()
}

/// Writes proposals and says how many; returns the file of each, none of those that were refused.
pub fn propose(ws: &Workspace, all: &[Proposal]) -> Vec<Option<PathBuf>> {
    let write = |one: &Proposal| {
        let failed = |error| note(&format!("{}: {error}", title_of(one)));
        ws.collection.propose(one).map_err(failed).ok()
    };
    let files = all.iter().map(write).collect_vec();
    note(&match files.iter().flatten().count() {
        0 => "nothing to propose".to_owned(),
        count => format!("{} for `memkeep review`", plural(count, "proposal")),
    });
    files
}

#[derive(Serialize)]
struct Proposed<'p> {
    #[serde(flatten)]
    proposal: &'p Proposal,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// Writes proposals, unless it is a dry run, and prints them.
pub fn tell(
    ws: &Workspace,
    made: &[Proposal],
    (is_dry, format): (bool, Format),
    output: &mut Output,
) -> Result<u8> {
    let files = match is_dry {
        true => vec![None; made.len()],
        false => propose(ws, made),
    };
    let all = made.iter().zip(files);
    let all = all.filter(|(_, file)| is_dry || file.is_some());
    let all = all.map(|(proposal, file)| Proposed {
        proposal,
        file: file.map(|file| ws.collection.shown(&file)),
    });
    let all = all.collect_vec();
    if is_dry {
        let count = plural(all.len(), "proposal");
        note(&format!("{count}; nothing was written"));
    }
    if format == Format::Json {
        output.print_json(&json!({ "proposals": all }))?;
        return Ok(exit::found(!all.is_empty()));
    }
    for Proposed { proposal, .. } in &all {
        let tags = proposal.fields.get("tags");
        let tag = tags.and_then(|tags| tags.get(0)?.as_str());
        let (what, title) = (tag.unwrap_or(&proposal.action), safe(title_of(proposal)));
        writeln!(output, "{what:10}  {title}")?;
        let body = proposal.body.as_deref().unwrap_or_default();
        for line in body.trim().lines().filter(|_| is_dry) {
            output.faint(&format!("            {}\n", safe(line)))?;
        }
    }
    Ok(exit::found(!all.is_empty()))
}
