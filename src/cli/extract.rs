//! `memkeep extract`: what a session taught becomes proposals, by a model or by rules.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};

use super::add;
use super::prelude::*;
use super::proposals::{ProposalArgs, answers, given_field, of_session, tell};
use crate::agent::extract::{Wish, read, request};
use crate::agent::request::notes;
use crate::curate::differences::Proposal;
use crate::extract::Known;
use crate::extract::session::{Session, Step};
use crate::extract::transcript::{Intake, Source};
use crate::extract::{Lesson, lessons};
use crate::lint::chars::cut;
use crate::memory::schema::Kind;
use crate::store::discover;
use crate::workspace::preview::PREVIEWS;

/// The longest line that is read, in bytes; longer ones are skipped.
const LINE: u64 = 8 << 20;

/// Bytes of an error that a model is shown; of a task ten times as many.
const SHORT: usize = 160;

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
    /// Find failures, fixes, limits, decisions and preferences by rules, without a model
    #[arg(long, group = "by")]
    pub rules: bool,
    /// How it is asked and printed.
    #[command(flatten)]
    pub how: ProposalArgs,
}

pub fn run(ws: &Workspace, args: &Extract, output: &mut Output) -> Result<u8> {
    let session = session(&args.from, &args.kind)?;
    if session.skipped > 0 {
        let lines = plural(session.skipped, "line");
        note(&format!("note: {lines} not read"));
    }
    if session.is_empty() {
        return Err(Error::nothing(format!("{} holds no session", args.from)));
    }
    let store = ws.collection.receivers().next().ok_or_else(|| {
        Error::wrong("there is no store to propose for").hint("`memkeep init` makes one")
    })?;
    let how = &args.how;
    if !how.dry_run && !how.prompt_only {
        ws.may_write()?;
    }
    let job = Job {
        ws,
        args,
        store,
        memories: ws.load(),
        session,
    };
    let mut all = Vec::new();
    if args.rules {
        all = job.by_rules();
    } else {
        let asked = (how.prompt_only, how.response.as_deref());
        let hint = "--rules needs no model";
        let Some(answers) = answers(ws, asked, &[job.request()], read, hint, output)? else {
            return Ok(exit::DONE);
        };
        for (wishes, why) in answers {
            if let Some(why) = why {
                note(&format!("not worth remembering: {}", mask(&why)));
            }
            for wish in &wishes {
                match job.wished(wish) {
                    Ok(proposal) => all.push(proposal),
                    Err(error) => note(&error.in_a_line()),
                }
            }
        }
    }
    tell(ws, &all, (how.dry_run, how.format), output)
}

pub fn session(from: &str, kind: &str) -> Result<Session> {
    let mut intake = Intake::new(Source::from_word(kind));
    lines(from, &mut |line| match line {
        Some(line) if !intake.line(line) => {
            note("note: the rest is not read: it is too long");
            false
        }
        Some(_) => true,
        None => {
            intake.skip();
            true
        }
    })?;
    Ok(intake.finish())
}

/// Gives the lines of a file, or of standard input, one by one: none for one that is too long. The
/// rest is left where `take` is false.
pub fn lines(from: &str, take: &mut dyn FnMut(Option<&str>) -> bool) -> Result<()> {
    let broken = |error| Error::wrong(format!("{from} cannot be read: {error}"));
    let mut input: Box<dyn BufRead> = match from {
        "-" => Box::new(std::io::stdin().lock()),
        path => Box::new(BufReader::new(File::open(path).map_err(broken)?)),
    };
    let (mut line, mut is_rest) = (Vec::new(), false);
    loop {
        line.clear();
        let read = input.by_ref().take(LINE).read_until(b'\n', &mut line);
        if read.map_err(broken)? == 0 {
            return Ok(());
        }
        // The parts of a line that is too long.
        let is_part = !line.ends_with(b"\n") && line.len() as u64 == LINE;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        if !is_rest && !take(Some(text).filter(|_| !is_part)) {
            return Ok(());
        }
        is_rest = is_part;
    }
}

struct Job<'a> {
    ws: &'a Workspace,
    args: &'a Extract,
    store: &'a dyn Store,
    memories: Snapshot,
    session: Session,
}

impl Job<'_> {
    fn task(&self) -> Option<&str> {
        self.args.task.as_deref().or_else(|| self.session.task())
    }

    fn agent(&self) -> Option<&str> {
        let agent = self.args.agent.as_deref().unwrap_or(self.session.agent);
        Some(agent).filter(|agent| !agent.is_empty())
    }

    fn proposal(&self, why: &str, confidence: Option<f64>) -> Proposal {
        let from = (&*self.args.from, self.task());
        Proposal {
            by: self.agent().map(str::to_owned),
            why: Some(mask(why).into_owned()).filter(|why| !why.is_empty()),
            confidence,
            ..of_session(self.ws, "add", &self.store.info().id, from)
        }
    }

    /// The lessons of the session that are written down nowhere.
    fn by_rules(&self) -> Vec<Proposal> {
        let ws = self.ws;
        let texts = self.memories.iter().filter_map(|memory| ws.body(memory));
        let mut texts: Vec<String> = texts.collect();
        if let Some(context) = discover::context(&ws.collection.root) {
            for memory in context.load(&[], &mut |_| true).memories {
                let text = context.text(&memory).unwrap_or_default();
                texts.push(String::from_utf8_lossy(&text).into_owned());
            }
        }
        let known = Known::new(texts);
        let new = lessons(&self.session).into_iter();
        let new = new.filter(|lesson| known.is_new(lesson));
        // A fix and its failure are two where a store keeps the two apart.
        let parted = new.flat_map(|mut lesson| {
            let own = self.type_of(&lesson);
            let failure = lesson.fixes.take().map(|failure| *failure);
            let failure = failure.filter(|failure| self.type_of(failure) != own);
            failure.into_iter().chain([lesson])
        });
        parted.map(|lesson| self.of_lesson(&lesson)).collect()
    }

    fn of_lesson(&self, lesson: &Lesson) -> Proposal {
        let tags = match lesson.kind {
            "fix" => vec!["fix".to_owned(), "failure".to_owned()],
            kind => vec![kind.to_owned()],
        };
        let schema = self.store.schema();
        let files = lesson.files.iter().map(|file| Value::from(&**file));
        let spec = schema.field("references");
        let spec = spec.filter(|_| !lesson.files.is_empty());
        let given = spec.map(|spec| (spec, files.collect()));
        let given = given.into_iter().collect();
        let what = (&*tags, self.type_of(lesson).map(Value::from));
        let title = mask(&lesson.title).into_owned();
        Proposal {
            fields: add::proposed(self.ws, what, given, schema, title),
            body: Some(mask(&lesson.body).into_owned()),
            ..self.proposal(&lesson.evidence, Some(lesson.confidence))
        }
    }

    /// The word that the store has for the type of a lesson.
    fn type_of(&self, lesson: &Lesson) -> Option<&'static str> {
        let Kind::Choice(words) = self.store.schema().role(Role::Type)?.kind else {
            return None;
        };
        let word = |name| words.iter().find(|word| word.eq_ignore_ascii_case(name));
        lesson.types().find_map(word).copied()
    }

    fn request(&self) -> String {
        let last = self.session.steps.iter().rev().find_map(Step::run);
        let failed = last.filter(|run| run.failed == Some(true));
        let result = failed.map_or("success", |_| "partial");
        let about = [
            ("agent", self.agent()),
            ("task", self.task().map(|task| cut(task, 10 * SHORT))),
            ("result", self.args.result.as_deref().or(Some(result))),
            ("error", failed.map(|run| cut(&run.output, SHORT))),
        ];
        let (ws, budget) = (self.ws, self.ws.settings.model.budget());
        let all = notes((&self.memories, &[]), &ws.collection, ws.now, budget);
        request(&self.session, &about, &all, (PREVIEWS, ws.now), budget)
    }

    /// The proposal of what a model wants: a new memory, or more text for one.
    fn wished(&self, wish: &Wish) -> Result<Proposal> {
        let (ws, schema) = (self.ws, self.store.schema());
        let content = mask(&wish.content).into_owned();
        let why = wish.reasoning.as_deref().unwrap_or_default();
        let mut proposal = self.proposal(why, wish.confidence);
        if let Some(id) = &wish.updates {
            let memory = ws.find(id, &self.memories)?;
            let body = ws.body(memory).unwrap_or_default();
            proposal.action = "edit".to_owned();
            proposal.store = Some(memory.id.store.to_string());
            proposal.id = Some(memory.id.to_string());
            proposal.body = Some(format!("{}\n\n{content}\n", body.trim_end()));
            return Ok(proposal);
        }
        let has_title = schema.role(Role::Title).is_some();
        let title = wish.title().filter(|_| has_title).map(mask);
        let title = add::title(title.as_deref(), schema, &content)?;
        let tags = wish.fields.get("tags").cloned().unwrap_or_default();
        let given = wish.fields.iter();
        let given = given.filter_map(|(name, values)| given_field(name, values, schema));
        let mut given = given.collect_vec();
        if let (Some(spec), Some(task)) = (schema.field("discoveredIn"), &proposal.task) {
            given.push((spec, Value::from(format!("Task: {task}"))));
        }
        proposal.fields = add::proposed(ws, (&tags, None), given, schema, title);
        proposal.body = Some(format!("{content}\n"));
        Ok(proposal)
    }
}
