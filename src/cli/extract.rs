//! `memkeep extract`: what a session taught becomes proposals, by a model or by rules.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;

use super::add::{self, Given};
use super::edit::typed;
use super::lint::ask::{interrupted, response};
use super::prelude::*;
use crate::agent::extract::{Existing, Wish, ask, read, request};
use crate::curate::differences::Proposal;
use crate::extract::intake::{Intake, Source};
use crate::extract::known::Known;
use crate::extract::session::{Session, Step};
use crate::extract::{Lesson, lessons};
use crate::lint::chars::cut;
use crate::memory::schema::{FieldSpec, Kind};
use crate::memory::{Schema, first_line};
use crate::store::{Store, discover};
use crate::workspace::model::{refusal, runnable};
use crate::workspace::preview::PREVIEWS;

/// Bytes of a line that is read; a longer one is passed over.
const LINE: u64 = 8 << 20;

/// Bytes of a task and of an error that are told.
const SHORT: usize = 160;

/// Arguments of `extract`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A model is asked by the command of [model] in your own configuration; --rules needs none. Secrets are \
masked before anything is sent. Nothing is written but proposals: `memkeep review` shows them.")]
pub struct Extract {
    /// The session: a transcript, a conversation or a diff; `-` reads standard input
    #[arg(long, value_name = "FILE", required = true)]
    pub from: String,
    /// What it is: JSON lines of Claude Code, Codex or Gemini CLI, text with `User:` and `Assistant:`,
    /// or a diff with its message
    #[arg(long, default_value = "auto", value_parser = ["auto", "transcript", "conversation", "diff"])]
    pub kind: String,
    /// The agent that worked [default: as the transcript tells]
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
    /// Its task [default: the first words of the person]
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// How it ended [default: as its last command did]
    #[arg(long, value_parser = ["success", "failure", "partial"])]
    pub result: Option<String>,
    /// Find failures, fixes, commands, limits, decisions and preferences by rules, without a model
    #[arg(long, group = "by")]
    pub rules: bool,
    /// Print the request and send nothing
    #[arg(long, group = "by")]
    pub prompt_only: bool,
    /// Take a model's answer from a file; `-` reads standard input
    #[arg(long, value_name = "FILE", group = "by")]
    pub response: Option<String>,
    /// Print what would be proposed and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to print
    #[arg(long, default_value = "table", value_parser = ["table", "json"])]
    pub format: String,
}

/// Runs the command.
pub fn run(ws: &Workspace, args: &Extract, output: &mut Output) -> Result<u8> {
    let session = session(args)?;
    if session.skipped > 0 {
        note(&format!(
            "note: {} not read",
            plural(session.skipped, "line")
        ));
    }
    if session.is_empty() {
        return Err(Error::nothing(format!("{} holds no session", args.from)));
    }
    let store = ws.collection.receivers().next().ok_or_else(|| {
        Error::wrong("there is no store to propose for").hint("`memkeep init` makes one")
    })?;
    if !args.dry_run && !args.prompt_only {
        ws.may_write()?;
    }
    let name = Path::new(&args.from)
        .file_name()
        .filter(|name| *name != "-");
    let name = name.map(|name| name.to_string_lossy().into_owned());
    let agent = args
        .agent
        .clone()
        .unwrap_or_else(|| session.agent.to_owned());
    let task = args.task.as_deref().or_else(|| session.task());
    let empty = Proposal {
        version: 1,
        action: "add".to_owned(),
        store: Some(store.info().id.to_string()),
        by: Some(agent).filter(|agent| !agent.is_empty()),
        from: Some(name.unwrap_or_else(|| "standard input".to_owned())),
        task: task.map(|task| mask(cut(first_line(task), SHORT)).into_owned()),
        created: Some(ws.clock().to_rfc3339()),
        ..Proposal::default()
    };
    let memories = ws.load();
    if args.rules {
        return tell(
            ws,
            args,
            by_rules(ws, &session, (store, &memories), &empty),
            output,
        );
    }
    let asked = match &args.response {
        Some(_) => String::new(),
        None => request_about(ws, args, &session, &memories),
    };
    if args.prompt_only {
        output.write_all(asked.as_bytes())?;
        return Ok(exit::DONE);
    }
    let (wishes, why) = answer(ws, args, &asked)?;
    if let Some(why) = why {
        note(&safe(&format!("not worth remembering: {}", mask(&why))));
    }
    let wished = wishes
        .iter()
        .map(|wish| wished(ws, wish, &empty, (store, &memories)));
    let (all, wrong): (Vec<_>, Vec<Error>) = wished.partition_result();
    wrong
        .iter()
        .for_each(|error| note(&safe(&error.in_a_line())));
    tell(ws, args, all, output)
}

/// Reads the session line by line.
fn session(args: &Extract) -> Result<Session> {
    let mut intake = Intake::new(Source::from_word(&args.kind));
    let broken = |error| Error::wrong(format!("{} cannot be read: {error}", args.from));
    let mut input: Box<dyn BufRead> = match &*args.from {
        "-" => Box::new(std::io::stdin().lock()),
        path => Box::new(BufReader::new(File::open(path).map_err(broken)?)),
    };
    let (mut line, mut is_rest) = (Vec::new(), false);
    loop {
        line.clear();
        let read = input.by_ref().take(LINE).read_until(b'\n', &mut line);
        if read.map_err(broken)? == 0 {
            return Ok(intake.finish());
        }
        // The parts of a line that is too long.
        let is_part = !line.ends_with(b"\n") && line.len() as u64 == LINE;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        if !is_part && !is_rest && !intake.line(text) {
            note("note: the rest is not read: it is too long");
            return Ok(intake.finish());
        }
        if is_part && !is_rest {
            intake.skip();
        }
        is_rest = is_part;
    }
}

/// The lessons of the session that are written down nowhere.
fn by_rules(
    ws: &Workspace,
    session: &Session,
    (store, memories): (&dyn Store, &Snapshot),
    empty: &Proposal,
) -> Vec<Proposal> {
    let schema = store.schema();
    let texts = memories.iter().filter_map(|memory| ws.body(memory));
    let context = discover::context(&ws.collection.root);
    let context = context.iter().flat_map(|store| {
        let all = store.load(&[], &mut |_| true).memories;
        all.into_iter()
            .filter_map(|memory| store.text(&memory).ok())
    });
    let context = context.map(|text| String::from_utf8_lossy(&text).into_owned());
    let known = Known::new(texts.chain(context).collect());
    let new = lessons(session)
        .into_iter()
        .filter_map(|lesson| known.new_in(lesson));
    // A fix and its failure are two where a store keeps the two apart.
    let parted = new.flat_map(|mut lesson| {
        let own = type_of(&lesson, schema);
        let failure = lesson
            .fixes
            .take()
            .filter(|failure| type_of(failure, schema) != own);
        failure.map(|failure| *failure).into_iter().chain([lesson])
    });
    let one = |lesson: Lesson| {
        let tags: &[&str] = match lesson.kind {
            "fix" => &["fix", "failure"],
            kind => &[kind],
        };
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect_vec();
        let files: Value = lesson
            .files
            .iter()
            .map(|file| Value::from(&**file))
            .collect();
        let files = schema.field("references").map(|spec| (spec, files));
        let given = files.filter(|_| !lesson.files.is_empty());
        let kind = type_of(&lesson, schema).map(Value::from);
        let title = mask(&lesson.title).into_owned();
        Proposal {
            fields: add::proposed(
                ws,
                (&tags, kind),
                given.into_iter().collect(),
                schema,
                title,
            ),
            body: Some(mask(&lesson.body).into_owned()),
            why: Some(mask(&lesson.evidence).into_owned()),
            confidence: Some(lesson.confidence),
            ..empty.clone()
        }
    };
    parted.map(one).collect()
}

/// The word that a store has for the type of a lesson.
fn type_of(lesson: &Lesson, schema: &Schema) -> Option<&'static str> {
    let Kind::Choice(words) = schema.role(Role::Type)?.kind else {
        return None;
    };
    let word = |name| words.iter().find(|word| word.eq_ignore_ascii_case(name));
    lesson.types().find_map(word).copied()
}

/// The request to a model.
fn request_about(ws: &Workspace, args: &Extract, session: &Session, memories: &Snapshot) -> String {
    let last = session.steps.iter().rev().find_map(|step| match step {
        Step::Run(run) => Some(run),
        _ => None,
    });
    let failed = last.filter(|run| run.failed == Some(true));
    let result = if failed.is_some() {
        "partial"
    } else {
        "success"
    };
    let task = args.task.as_deref().or_else(|| session.task());
    let about = [
        ("agent", args.agent.as_deref().or(Some(session.agent))),
        ("task", task.map(|task| cut(task, 10 * SHORT))),
        ("result", args.result.as_deref().or(Some(result))),
        ("error", failed.map(|run| cut(&run.output, SHORT))),
    ];
    let existing = Existing {
        memories,
        texts: &ws.collection,
        previews: PREVIEWS,
        now: ws.now,
    };
    request(session, &about, &existing, ws.settings.model.budget())
}

/// A model's answer, or one that was got elsewhere.
fn answer(ws: &Workspace, args: &Extract, asked: &str) -> Result<(Vec<Wish>, Option<String>)> {
    if let Some(file) = &args.response {
        let wrong = |why| Error::wrong(format!("the response does not count: {why}"));
        return read(&response(file)?).map_err(wrong);
    }
    let settings = &ws.settings.model;
    match (refusal(settings), runnable(settings)) {
        (None, Some(command)) => ask(asked, &command, &interrupted())
            .map_err(|why| Error::wrong(format!("{why}; nothing was proposed"))),
        (error, _) => {
            let error = error.unwrap_or_else(|| Error::wrong("no model is configured"));
            Err(error.hint("--rules needs no model"))
        }
    }
}

/// The proposal of what a model wants: a new memory, or more text for one.
fn wished(
    ws: &Workspace,
    wish: &Wish,
    empty: &Proposal,
    (store, memories): (&dyn Store, &Snapshot),
) -> Result<Proposal> {
    let content = mask(&wish.content).into_owned();
    let mut proposal = Proposal {
        why: wish.reasoning.as_deref().map(|why| mask(why).into_owned()),
        confidence: wish.confidence,
        ..empty.clone()
    };
    if let Some(id) = &wish.updates {
        let memory = ws.find(id, memories)?;
        let body = ws.body(memory).unwrap_or_default();
        proposal.action = "edit".to_owned();
        proposal.store = Some(memory.id.store.to_string());
        proposal.id = Some(memory.id.to_string());
        proposal.body = Some(format!("{}\n\n{content}\n", body.trim_end()));
        return Ok(proposal);
    }
    let schema = store.schema();
    let title = wish.title().map(mask);
    let has_title = schema.role(Role::Title).is_some();
    let title = add::title(title.as_deref().filter(|_| has_title), schema, &content)?;
    let tags = wish.fields.get("tags").cloned().unwrap_or_default();
    let mut given = wish
        .fields
        .iter()
        .filter_map(|(name, values)| given(name, values, schema))
        .collect_vec();
    if let (Some(spec), Some(task)) = (schema.field("discoveredIn"), &proposal.task) {
        given.push((spec, Value::from(format!("Task: {task}"))));
    }
    proposal.fields = add::proposed(ws, (&tags, None), given, schema, title);
    proposal.body = Some(format!("{content}\n"));
    Ok(proposal)
}

/// A field of a model's frontmatter as a store has it; none if it has no such field, or not this value.
fn given(name: &str, values: &[String], schema: &'static Schema) -> Option<Given> {
    let is = |spec: &&FieldSpec| {
        let letters = spec.name.chars().filter(|c| c.is_alphanumeric());
        letters.collect::<String>().eq_ignore_ascii_case(name)
    };
    let spec = schema.fields.iter().find(is)?;
    if matches!(
        spec.role,
        Role::Title | Role::Tags | Role::Author | Role::Created
    ) {
        return None;
    }
    let mut masked = values.iter().map(|value| mask(value).into_owned());
    let value = match spec.kind.is_list() {
        true => masked.map(Value::from).collect(),
        false => typed(Some(spec), &masked.next()?).ok()?,
    };
    Some((spec, value))
}

/// Writes the proposals and says which.
fn tell(ws: &Workspace, args: &Extract, made: Vec<Proposal>, output: &mut Output) -> Result<u8> {
    let mut all = Vec::new();
    for proposal in made {
        let title = proposal
            .fields
            .get("title")
            .and_then(|title| title.as_str());
        let title = safe(title.or(proposal.id.as_deref()).unwrap_or_default()).to_string();
        let file = match args.dry_run {
            true => Ok(None),
            false => ws.collection.propose(&proposal).map(Some),
        };
        match file {
            Ok(file) => all.push((proposal, title, file.map(|file| ws.collection.shown(&file)))),
            Err(error) => note(&safe(&format!("{title}: {error}"))),
        }
    }
    let is_found = exit::found(!all.is_empty());
    if matches!(&*args.format, "json") {
        let all = all.into_iter().map(|(proposal, _, file)| {
            let mut value = json!(proposal);
            value["file"] = json!(file);
            value
        });
        output.print_json(&json!({"proposals": all.collect_vec()}))?;
        return Ok(is_found);
    }
    for (proposal, title, _) in &all {
        let tag = proposal
            .fields
            .get("tags")
            .and_then(|tags| tags.get(0)?.as_str());
        writeln!(output, "{:10}  {title}", tag.unwrap_or(&proposal.action))?;
        let body = proposal.body.as_deref().unwrap_or_default();
        for line in body.trim().lines().filter(|_| args.dry_run) {
            output.faint(&format!("            {}\n", safe(line)))?;
        }
    }
    let count = plural(all.len(), "proposal");
    note(&match (all.len(), args.dry_run) {
        (0, _) => "nothing to propose".to_owned(),
        (_, true) => format!("{count}; nothing was written"),
        (_, false) => format!("{count} for `memkeep review`"),
    });
    Ok(is_found)
}
