//! `memkeep show`: one memory, whole.

use super::list::memory_json;
use super::prelude::*;
use crate::lint::judged::fingerprint;
use crate::memory::Sight;
use crate::retrieval::Texts as _;
use crate::systems::golemcore::marker;

#[derive(Debug, clap::Args)]
pub struct Show {
    /// The memory
    pub id: String,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(LISTED))]
    pub format: Format,
}

pub fn run(ws: &Workspace, args: &Show, output: &mut Output) -> Result<u8> {
    let memories = ws.load();
    let memory = ws.find(&args.id, &memories)?;
    match args.format {
        Format::Json => {
            let index = memories.iter().position(|other| other.id == memory.id);
            print_json(ws, &memories, index.unwrap_or_default(), output)?;
        }
        Format::Quiet => output.lines([&memory.id])?,
        Format::Markdown => {
            let text = ws.collection.text(memory).unwrap_or_default();
            output.write_all(text.as_bytes())?;
        }
        _ => table(ws, memory, output)?,
    }
    Ok(exit::DONE)
}

pub fn print_json(
    ws: &Workspace,
    memories: &[Arc<Memory>],
    index: usize,
    output: &mut Output,
) -> Result<()> {
    let Some(memory) = memories.get(index) else {
        return Ok(());
    };
    let body = ws.collection.body(memory).unwrap_or_default();
    let seen = seen_body(ws, memory, &body);
    let marks = ws.marks(memories, Some(&[index]));
    let count = marks.get(index).map_or(0, |marks| marks.count);
    let mut json = memory_json(ws, memory, Some(count), Some(body));
    if let Some(json) = json.as_object_mut() {
        json.insert("seen_body".to_owned(), seen.into());
        json.insert("worth".to_owned(), json!(ws.worths().of(&memory.id)));
    }
    Ok(output.print_json(&json)?)
}

fn seen_body(ws: &Workspace, memory: &Memory, body: &str) -> Option<String> {
    memory.seen.as_ref()?;
    let seen = ws.collection.loader_body(memory);
    seen.filter(|seen| seen != body)
}

/// A person's answers on this memory and another, each with its scope, if this one did not change
/// since. Several rules may have asked about the two.
fn answered(ws: &Workspace, memory: &Memory) -> BTreeSet<String> {
    let (decisions, id) = (ws.collection.decisions(), memory.id.to_string());
    let text = ws.collection.text(memory).unwrap_or_default();
    let own = decisions.answers().into_iter().filter_map(|one| {
        let at = one.ids.iter().position(|other| *other == id)?;
        let is_same = one.texts.get(at) == Some(&fingerprint(&one.rule, memory, &text));
        let word = one.resolution().filter(|_| is_same)?.word();
        let scope = one.reason.as_ref().map(|scope| format!(": {scope}"));
        let (ids, scope) = (one.ids.join(", "), scope.unwrap_or_default());
        Some(format!("{word} ({ids}){scope}"))
    });
    own.collect()
}

fn table(ws: &Workspace, memory: &Memory, output: &mut Output) -> Result<()> {
    output.heading(&safe(&mask(&memory.title)))?;
    let place = format!("{}:{}", ws.collection.shown(&memory.path), memory.line);
    let mut facts = vec![("id", shown_id(memory)), ("file", place)];
    let fields = memory.fields.iter();
    facts.extend(fields.map(|(name, value)| (name, value.to_string())));
    facts.extend(ws.collection.beside(memory));
    let worth = ws.worths().of(&memory.id);
    facts.extend(worth.map(|worth| ("use", worth.to_string())));
    let confirmed = memory.confirmed.map(Timestamp::to_rfc3339);
    facts.extend(confirmed.map(|at| ("confirmed", at)));
    if memory.state == State::Archived {
        facts.push(("state", memory.state.word().to_owned()));
    }
    let hidden = memory.hidden_at(ws.now);
    facts.extend(hidden.map(|reason| ("invisible", reason.into_owned())));
    let otherwise = memory.read_otherwise();
    facts.extend(otherwise.map(|words| ("its loader reads", words)));
    if let Some(expiry) = memory.expires {
        let is_over = memory.is_expired(ws.now);
        let word = if is_over { "expired" } else { "expires" };
        facts.push((word, format!("{}: {}", expiry.at.to_rfc3339(), expiry.why)));
    }
    let answered = answered(ws, memory).into_iter();
    facts.extend(answered.map(|answer| ("answered", answer)));
    let words = plural(memory.words as usize, "word");
    let tokens = plural(memory.tokens as usize, "token");
    facts.push(("length", format!("{words}, {tokens}")));
    let widths = facts.iter().map(|(name, _)| name.chars().count());
    let width = widths.max().unwrap_or_default();
    for (name, value) in facts {
        output.faint(&format!("{:<width$}", safe(name)))?;
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
    print_text(&body, output)?;
    if let Some(seen) = seen_body(ws, memory, &body) {
        writeln!(output)?;
        output.faint("as its own loader reads it\n")?;
        print_text(&seen, output)?;
    }
    Ok(())
}

fn print_text(text: &str, output: &mut Output) -> Result<()> {
    Ok(output.lines(mask(text).lines().map(safe))?)
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
