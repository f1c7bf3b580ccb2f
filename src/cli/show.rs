//! `memkeep show`: one memory, whole.

use std::collections::BTreeSet;
use std::io::Write as _;

use super::args::ListFormat;
use super::error::Error;
use super::json::MemoryJson;
use super::list::{Findings, id_line};
use super::{Output, exit};
use crate::lint::decisions::fingerprint;
use crate::lint::mask;
use crate::memory::golemcore::marker;
use crate::memory::{Memory, Sight, State, Timestamp, Value, plural};
use crate::retrieval::Texts as _;
use crate::ui::safe::safe;
use crate::workspace::Workspace;

/// Arguments of `show`.
#[derive(Debug, clap::Args)]
pub struct Show {
    /// The memory
    pub id: String,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

/// Runs the command.
pub fn run(ws: &Workspace, args: &Show, output: &mut Output) -> Result<u8, Error> {
    let memories = ws.load();
    let memory = ws.find(&args.id, &memories)?;
    match args.format {
        ListFormat::Json => {
            let index = memories
                .iter()
                .position(|other| other.id == memory.id)
                .unwrap_or_default();
            let body = ws.collection.body(memory).unwrap_or_default();
            let seen = seen_body(ws, memory, &body);
            let count = Findings::count_of(ws, &memories, index);
            let json = MemoryJson::new(ws, memory, count, Some(body)).seen_body(seen);
            serde_json::to_writer_pretty(output.json(), &json)?;
            writeln!(output)?;
        }
        ListFormat::Quiet => id_line(memory, output)?,
        ListFormat::Markdown => {
            let text = ws.collection.text(memory).unwrap_or_default();
            output.write_all(text.as_bytes())?;
        }
        ListFormat::Table => table(ws, memory, output)?,
    }
    Ok(exit::DONE)
}

/// The text that the system's own loader reads, where it is another one.
pub fn seen_body(ws: &Workspace, memory: &Memory, body: &str) -> Option<String> {
    memory.seen.as_ref()?;
    let seen = ws.collection.loader_body(memory)?;
    (seen != body).then_some(seen)
}

/// A person's answers on this memory and another, each with its scope, if this one did not change
/// since.
fn answered<'a>(ws: &Workspace, memory: &'a Memory) -> impl Iterator<Item = String> + use<'a> {
    let (decisions, id) = (ws.collection.decisions(), memory.id.to_string());
    let text = ws.collection.text(memory).unwrap_or_default();
    let own = decisions.answers().into_iter().filter_map(|one| {
        let at = one.ids.iter().position(|other| *other == id)?;
        let print = fingerprint(&one.rule, memory, &text);
        if one.texts.get(at) != Some(&print) {
            return None;
        }
        let (pair, word) = (one.ids.join(", "), one.resolution()?.word());
        let scope = one.reason.as_ref().map(|scope| format!(": {scope}"));
        Some(format!("{word} ({pair}){}", scope.unwrap_or_default()))
    });
    // Several rules may have asked about the two.
    own.collect::<BTreeSet<String>>().into_iter()
}

fn table(ws: &Workspace, memory: &Memory, output: &mut Output) -> Result<(), Error> {
    output.bold(&safe(&mask(&memory.title)))?;
    writeln!(output)?;
    let place = format!("{}:{}", ws.collection.shown(&memory.path), memory.line);
    let mut facts = vec![("id", shown_id(memory)), ("file", place)];
    facts.extend(
        memory
            .fields
            .iter()
            .map(|(name, value)| (name, value.to_string())),
    );
    facts.extend(ws.collection.beside(memory));
    let confirmed = memory.confirmed.map(Timestamp::to_rfc3339);
    facts.extend(confirmed.map(|at| ("confirmed", at)));
    if memory.state == State::Archived {
        facts.push(("state", memory.state.word().to_owned()));
    }
    facts.extend(
        memory
            .hidden_at(ws.now)
            .map(|reason| ("invisible", reason.into_owned())),
    );
    facts.extend(
        memory
            .read_otherwise()
            .map(|words| ("its loader reads", words)),
    );
    if let Some(expiry) = memory.expires {
        let word = if memory.is_expired(ws.now) {
            "expired"
        } else {
            "expires"
        };
        facts.push((word, format!("{}: {}", expiry.at.to_rfc3339(), expiry.why)));
    }
    facts.extend(answered(ws, memory).map(|said| ("answered", said)));
    facts.push((
        "length",
        format!(
            "{}, {}",
            plural(memory.words as usize, "word"),
            plural(memory.tokens as usize, "token")
        ),
    ));
    let width = facts
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or_default();
    for (name, value) in facts {
        let name = format!("{:<width$}", safe(name));
        output.faint(&name)?;
        writeln!(output, "  {}", safe(&mask(&value)))?;
    }
    for problem in &memory.problems {
        let (severity, line, column) = (problem.severity.word(), problem.line, problem.column);
        let message = safe(&problem.message);
        writeln!(output, "{severity} at {line}:{column}: {message}")?;
    }
    let body = ws.collection.body(memory).unwrap_or_default();
    if let Some(warning) = marker::warning(memory, &body) {
        writeln!(output, "warning: {}", safe(&warning))?;
    }
    writeln!(output)?;
    for line in mask(&body).lines() {
        writeln!(output, "{}", safe(line))?;
    }
    if let Some(seen) = seen_body(ws, memory, &body) {
        writeln!(output)?;
        output.faint("as its own loader reads it")?;
        writeln!(output)?;
        for line in mask(&seen).lines() {
            writeln!(output, "{}", safe(line))?;
        }
    }
    Ok(())
}

/// The id of a memory; of a row that has none of its own, that its line stands for one.
fn shown_id(memory: &Memory) -> String {
    let is_own = |id: &Value| !id.to_string().trim().is_empty();
    let has_one = memory.schema.field("id").is_none()
        || memory.sight == Sight::NoFields
        || memory.field("id").is_some_and(is_own);
    match has_one {
        true => memory.id.to_string(),
        false => format!("none; commands name its line: {}", memory.id),
    }
}
