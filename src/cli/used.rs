//! `memkeep used`: the memories that an answer drew on.

use super::extract::lines;
use super::inject::asked;
use super::prelude::*;
use crate::agent::hook::settings::title_of;
use crate::extract::session::Session;
use crate::extract::trace::Trace;
use crate::extract::transcript::Intake;
use crate::extract::worth::{Given, Use, uses};
use crate::memory::worth::Part;
use crate::ui::words;
use crate::workspace::preview::StorePreview;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The memories are those that `memkeep inject` gives for the task, and those that hooks gave in the session \
where the answer is its transcript. Without a task they are those that hooks gave, and those that the agent \
gives itself in every session. An answer draws on one by its name, its \
code spans and paths, or its rare words; it goes against one by doing what stands in a code span \
behind a prohibition. With `[worth] record = true` in your own configuration the state folder keeps the \
counts, never the texts.")]
pub struct Used {
    /// Task that the answer is for; `-` reads standard input. A transcript needs none
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub task: Option<String>,
    /// The answer: a text, a transcript, a conversation or a diff; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub answer: String,
    /// A file the task touches
    #[arg(long = "file", value_name = "PATH")]
    pub files: Vec<String>,
    /// Record nothing, whatever the configuration says
    #[arg(long)]
    pub dry_run: bool,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(&["table", "json", "quiet"]))]
    pub format: Format,
}

pub fn used(ws: &Workspace, args: &Used, output: &mut Output) -> Result<u8> {
    let (session, trace) = read(&args.answer)?;
    if args.task.is_none() && session.agent.is_empty() {
        let hint = "only a transcript of Claude Code, Codex or Gemini CLI needs none";
        return Err(Error::wrong("the answer needs a --task").hint(hint));
    }
    let task = args.task.as_deref().unwrap_or_default();
    let (task, _, previews) = asked(ws, (task, &args.files), Format::Prompt)?;
    let agent = title_of(session.agent);
    let is_given =
        |of: &&StorePreview| args.task.is_some() || of.agents.iter().any(|one| one == agent);
    let memories = previews.iter().filter(is_given);
    let memories = memories.flat_map(StorePreview::given);
    let all = previews.iter().flat_map(|of| of.memories.iter());
    let memories = memories.chain(all.filter(|one| was_handed(one, &trace)));
    let memories = memories.map(|one| &**one).unique_by(|one| &one.id);
    let memories = memories.collect_vec();
    let body = |one| ws.body(one).unwrap_or_default();
    let texts = memories.iter();
    let texts = texts.map(|one| format!("{}\n\n{}", one.title, body(one)));
    let texts = texts.collect_vec();
    let named = memories.iter().zip(&texts);
    let named = named.map(|(one, text)| Given {
        name: &one.id.local,
        text,
    });
    let uses = uses(&named.collect_vec(), &session, &task.text);
    let is_recorded = !args.dry_run && ws.records_worth() && !memories.is_empty();
    if is_recorded {
        ws.may_write()?;
        let parts = memories.iter().zip(&uses);
        let parts = parts.map(|(one, used)| (&one.id, used.part));
        let failed = |error| Error::wrong(format!("the use was not recorded: {error}"));
        let name = Path::new(&args.answer).file_stem().unwrap_or_default();
        let name = Some(name.to_string_lossy());
        let name = name.filter(|_| !session.agent.is_empty() && args.answer != "-");
        ws.record_uses(name.as_deref(), parts).map_err(failed)?;
    }
    let all = memories.into_iter().zip(&uses).collect_vec();
    let count = |part| uses.iter().filter(|used| used.part == part).count();
    match args.format {
        Format::Json => output.print_json(&json!({
            "task": task.text,
            "given": all.len(),
            "drawn": count(Part::Drawn),
            "against": count(Part::Against),
            "recorded": is_recorded,
            "memories": all.iter().map(used_json).collect_vec(),
        }))?,
        Format::Quiet => {
            let drawn = all.iter().filter(|(_, used)| used.part == Part::Drawn);
            output.lines(drawn.map(|(one, _)| &one.id))?;
        }
        _ => {
            let unused_last = |(_, used): &&(&Memory, &Use)| used.part == Part::Unused;
            for (memory, used) in all.iter().sorted_by_key(unused_last) {
                let (id, title) = (memory.id.to_string(), mask(&memory.title));
                let (part, id, title) = (used.part.word(), safe(&id), safe(&title));
                writeln!(output, "{part:8} {id}  {title}")?;
                for line in used.evidence.iter().filter(|_| used.part != Part::Unused) {
                    output.faint(&format!("         {}\n", safe(&mask(line))))?;
                }
            }
            let given = words::count(all.len(), "memory", "memories");
            let (drawn, against) = (count(Part::Drawn), count(Part::Against));
            let drawn = format!("{drawn} drawn on, {against} gone against");
            writeln!(output, "{given} given, {drawn}")?;
        }
    }
    Ok(exit::DONE)
}

fn read(answer: &str) -> Result<(Session, Trace)> {
    let (mut intake, mut trace, mut number) = (Intake::new(None), Trace::new(), 0);
    lines(answer, &mut |line| {
        let Some(line) = line else {
            return true;
        };
        number += 1;
        if line.starts_with('{') {
            trace.line(number, line);
        }
        intake.line(line)
    })?;
    Ok((intake.finish(), trace))
}

/// True if a hook gave a memory in a session: by its name, or in the text of its store.
fn was_handed(memory: &Memory, trace: &Trace) -> bool {
    let (handed, title) = (&trace.handed, &*memory.title);
    let by_store = handed.get(&memory.id.store.to_string());
    let names = [&*memory.id.to_string(), &*memory.id.local];
    let is_named = names.iter().any(|name| handed.contains_key(*name));
    let is_in_text = by_store.is_some_and(|text| !title.is_empty() && text.contains(title));
    memory.state == State::Active && (is_named || is_in_text)
}

fn used_json((memory, used): &(&Memory, &Use)) -> serde_json::Value {
    let evidence = used.evidence.iter().map(|line| mask(line).into_owned());
    json!({
        "id": memory.id.to_string(),
        "title": &*memory.title,
        "part": used.part.word(),
        "confidence": (used.confidence() * 100.0).round() / 100.0,
        "evidence": evidence.collect_vec(),
    })
}
