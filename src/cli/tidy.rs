//! `memkeep tidy`: a model reads a whole store with its findings and its use, and proposes what would
//! make it better.

use super::add;
use super::prelude::*;
use super::proposals::{ProposalArgs, answers, own, proposal, propose, tell};
use super::review::waiting;
use crate::agent::request::notes;
use crate::agent::tidy::{Advice, read, requests};
use crate::curate::differences::Proposal;
use crate::lint;
use crate::workspace::lint_facts::Basis;
use crate::workspace::preview::PREVIEWS;

/// The least budget of a request: the question and a few memories.
const LEAST: usize = 1600;

const FINDINGS: usize = 5;

#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("by").required(true),
    after_help = "\
The model is the command of [model] in your own configuration; secrets are masked before anything is sent. \
It proposes to archive, merge, rewrite or split memories, better titles and patterns, and lessons out of logs. \
Each proposal quotes the memories it is about: one whose quotes do not stand there is refused. Nothing is \
written but proposals, which `memkeep review` shows."
)]
pub struct Tidy {
    /// Ask the model
    #[arg(long, group = "by")]
    pub ask: bool,
    /// How it is asked and printed.
    #[command(flatten)]
    pub how: ProposalArgs,
}

pub fn run(ws: &Workspace, args: &Tidy, output: &mut Output) -> Result<u8> {
    let (settings, how) = (&ws.settings.model, &args.how);
    let budget = settings.budget().max(LEAST);
    if !how.dry_run && !how.prompt_only {
        ws.may_write()?;
    }
    let memories = own(ws, &ws.load());
    let all = notes((&memories, &[]), &ws.collection, ws.now, budget / 2);
    let requests = requests(&all, &facts(ws, &memories)?, (PREVIEWS, ws.now), budget);
    let (asked, read) = ((how.prompt_only, how.response.as_deref()), |text: &str| {
        read(text, &all)
    });
    let Some(answers) = answers(ws, asked, &requests, read, "", output)? else {
        return Ok(exit::DONE);
    };
    let (advice, rejected): (Vec<_>, Vec<_>) = answers.into_iter().unzip();
    for why in rejected.iter().flatten() {
        note(&format!("note: a line does not count: {why}"));
    }
    let mut made = Vec::new();
    for one in advice.iter().flatten().dedup() {
        match proposals(ws, &settings.name(), &memories, one) {
            Ok(all) => made.extend(all),
            Err(error) => note(&error.in_a_line()),
        }
    }
    if how.dry_run {
        return tell(ws, &made, (true, how.format), output);
    }
    let files = propose(ws, &made);
    let files = files.iter().flatten();
    let files = files.filter_map(|file| file.file_name()?.to_str());
    let files: HashSet<&str> = files.collect();
    waiting(ws, how.format, &|file| files.contains(file), output)?;
    Ok(exit::found(!files.is_empty()))
}

/// What is known of memories beside their texts: use, patterns and findings, by their ids.
fn facts(ws: &Workspace, memories: &Snapshot) -> Result<HashMap<String, String>> {
    let basis = Basis::strict(ws, false)?;
    let facts = ws.lint_facts(ws.now);
    let cx = facts.context(&basis, memories, &ws.collection);
    let found = lint::run(&cx, &basis.rules()).into_iter();
    let mut found = found.map(|one| (one.memory, one)).into_group_map();
    let worths = ws.worths();
    let fact = |(at, memory): (usize, &Arc<Memory>)| {
        let worth = worths.of(&memory.id).map(|worth| worth.to_string());
        let words = memory.role(Role::Patterns);
        let words = words.map(|words| format!("given for {words}"));
        let found = found.remove(&at).unwrap_or_default().into_iter();
        let found = found.map(|one| format!("{}: {}", one.rule, one.message));
        let found = found.take(FINDINGS);
        let all = worth.into_iter().chain(words).chain(found).collect_vec();
        (!all.is_empty()).then(|| (memory.id.to_string(), all.join("; ")))
    };
    Ok(memories.iter().enumerate().filter_map(fact).collect())
}

/// The proposals of a piece of advice, with those that a merge makes needless.
fn proposals(
    ws: &Workspace,
    model: &str,
    memories: &Snapshot,
    advice: &Advice,
) -> Result<Vec<Proposal>> {
    let own = advice.ids.iter().map(|id| ws.find(id, memories));
    let own: Vec<&Arc<Memory>> = own.collect::<Result<_>>()?;
    let none = || Error::wrong("it names no memory");
    let first = own.first().ok_or_else(none)?;
    let quotes = advice.quotes.iter().map(|quote| format!("\n“{quote}”"));
    let (action, quotes) = (advice.action, quotes.collect::<String>());
    let why = format!("{action}: {}{quotes}", advice.why);
    let advised = |action: &str, memory: &Memory, body: Option<&str>| Proposal {
        id: Some(memory.id.to_string()).filter(|_| action != "add"),
        body: body.map(|body| format!("{}\n", mask(body.trim_end()))),
        by: Some(format!("model:{model}")),
        from: Some("tidy".to_owned()),
        why: Some(mask(&why).into_owned()),
        confidence: advice.confidence,
        ..proposal(ws, action, &memory.id.store)
    };
    let (schema, title) = (first.schema, advice.title.as_deref().map(mask));
    let field = |role, value: serde_json::Value| match schema.role(role) {
        Some(spec) => Ok((spec.name.to_owned(), value)),
        None => Err(format!("{action}: {} has no field for it", first.id)).map_err(Error::wrong),
    };
    let text = Some(&*advice.content);
    let mut all = match action {
        "archive" => return Ok(vec![advised("forget", first, None)]),
        "split" | "lesson" => {
            let title = add::title(title.as_deref(), schema, &advice.content)?;
            let fields = add::proposed(ws, (&[], None), Vec::new(), schema, title);
            return Ok(vec![Proposal {
                fields,
                ..advised("add", first, text)
            }]);
        }
        "title" | "patterns" => vec![advised("edit", first, None)],
        _ => vec![advised("edit", first, text)],
    };
    if let Some(edit) = all.first_mut() {
        if action == "patterns" {
            let masked = advice.patterns.iter().map(|one| mask(one)).collect_vec();
            edit.fields.extend([field(Role::Patterns, json!(masked))?]);
        }
        let has_title = schema.role(Role::Title).is_some();
        let title = title.filter(|_| has_title || action == "title");
        if let Some(title) = title.filter(|title| *title != *first.title) {
            edit.fields.extend([field(Role::Title, json!(title))?]);
        }
    }
    let needless = own.iter().skip(1);
    all.extend(needless.map(|memory| advised("forget", memory, None)));
    Ok(all)
}
