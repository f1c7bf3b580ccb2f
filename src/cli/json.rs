//! Memories and verdicts as the contract's JSON.

use serde::Serialize;

use super::error::Error;
use super::session::Session;
use crate::memory::{Fields, Memory, State, Timestamp};
use crate::retrieval::{Preview, Snapshot, Task, Verdict};

/// A memory.
#[derive(Serialize)]
pub struct MemoryJson<'a> {
    id: String,
    store: &'a str,
    format: &'a str,
    title: &'a str,
    path: String,
    line: u32,
    fields: &'a Fields,
    tags: Vec<&'a str>,
    importance: Option<&'a str>,
    created: Option<String>,
    updated: Option<String>,
    author: Option<&'a str>,
    words: u32,
    tokens: u32,
    state: &'static str,
    visible: bool,
    hidden_reason: Option<&'a str>,
    findings: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
}

impl<'a> MemoryJson<'a> {
    /// A memory of a session, with its body where it is shown whole.
    pub fn new(session: &Session, memory: &'a Memory, findings: u32, body: Option<String>) -> Self {
        Self {
            id: memory.id.to_string(),
            store: &memory.id.store.0,
            format: memory.schema.format,
            title: &memory.title,
            path: session.collection.shown(&memory.path),
            line: memory.line,
            fields: &memory.fields,
            tags: memory.tags().collect(),
            importance: memory.importance(),
            created: memory.created.map(Timestamp::to_rfc3339),
            updated: memory.updated.map(Timestamp::to_rfc3339),
            author: memory.author(),
            words: memory.words,
            tokens: memory.tokens,
            state: memory.state.word(),
            visible: memory.hidden.is_none() && memory.state == State::Active,
            hidden_reason: memory.hidden.as_deref(),
            findings,
            body,
        }
    }
}

/// Prints an array, an item a line.
pub fn print_array<T: Serialize>(
    items: impl Iterator<Item = T>,
    output: &mut super::Output,
) -> Result<(), Error> {
    use std::io::Write as _;
    write!(output, "[")?;
    for (n, item) in items.enumerate() {
        writeln!(output, "{}", if n > 0 { "," } else { "" })?;
        serde_json::to_writer(&mut *output, &item)?;
    }
    writeln!(output, "\n]")?;
    Ok(())
}

/// What `inject` prints.
#[derive(Serialize)]
pub struct InjectJson<'a> {
    pub task: TaskJson<'a>,
    pub previews: Vec<PreviewJson<'a>>,
    pub prompt: &'a str,
    pub tokens: usize,
}

/// A task.
#[derive(Serialize)]
pub struct TaskJson<'a> {
    text: &'a str,
    agent: Option<&'a str>,
    plan: Option<&'a str>,
    history: Option<&'a str>,
    files: &'a [String],
    now: String,
}

impl<'a> TaskJson<'a> {
    /// A task as the contract has it.
    pub fn new(task: &'a Task) -> Self {
        Self {
            text: &task.text,
            agent: Some(task.agent.as_str()).filter(|agent| !agent.is_empty()),
            plan: task.plan.as_deref(),
            history: task.history.as_deref(),
            files: &task.files,
            now: task.now.to_rfc3339(),
        }
    }
}

/// The preview of a store.
#[derive(Serialize)]
pub struct PreviewJson<'a> {
    store: String,
    policy: &'a str,
    dialect: &'a str,
    selected: Vec<VerdictJson<'a>>,
    rejected: Vec<VerdictJson<'a>>,
    prompt: &'a str,
    skill: Option<&'a str>,
    tokens: usize,
    budget: Option<usize>,
}

impl<'a> PreviewJson<'a> {
    /// The preview of a store's memories.
    pub fn new(store: String, preview: &'a Preview, memories: &'a Snapshot) -> Self {
        let verdicts = |verdicts: &'a [Verdict]| {
            let all = verdicts
                .iter()
                .filter_map(|verdict| Some((verdict, memories.get(verdict.memory)?)));
            all.map(|(verdict, memory)| VerdictJson::new(verdict, memory))
                .collect()
        };
        Self {
            store,
            policy: preview.policy,
            dialect: preview.dialect,
            selected: verdicts(&preview.selected),
            rejected: verdicts(&preview.rejected),
            prompt: &preview.prompt,
            skill: preview.skill.as_deref(),
            tokens: preview.tokens,
            budget: preview.budget,
        }
    }
}

#[derive(Serialize)]
struct VerdictJson<'a> {
    id: String,
    title: &'a str,
    rank: Option<usize>,
    score: Option<Number>,
    factors: Vec<FactorJson<'a>>,
    #[serde(rename = "match")]
    matched: Option<MatchJson<'a>>,
    reason: &'static str,
    hint: Option<&'a str>,
    tokens: usize,
}

#[derive(Serialize)]
struct FactorJson<'a> {
    name: &'a str,
    points: Number,
    detail: &'a str,
}

#[derive(Serialize)]
struct MatchJson<'a> {
    pattern: &'a str,
    kind: &'a str,
    hit: &'a str,
}

/// A number that is printed without a fraction where it has none.
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "only where nothing is lost"
        )]
        if self.0.fract() == 0.0 && self.0.abs() < 1e15 {
            to.serialize_i64(self.0 as i64)
        } else {
            to.serialize_f64(self.0)
        }
    }
}

impl<'a> VerdictJson<'a> {
    fn new(verdict: &'a Verdict, memory: &'a Memory) -> Self {
        let matched = verdict.matched.as_ref();
        Self {
            id: memory.id.to_string(),
            title: &memory.title,
            rank: verdict.rank,
            score: verdict.score.map(Number),
            factors: verdict
                .factors
                .iter()
                .map(|factor| FactorJson {
                    name: factor.name,
                    points: Number(factor.points),
                    detail: &factor.detail,
                })
                .collect(),
            matched: matched.map(|found| MatchJson {
                pattern: &found.pattern,
                kind: found.kind,
                hit: &found.hit,
            }),
            reason: verdict.reason.word(),
            hint: verdict.hint.as_deref(),
            tokens: verdict.tokens,
        }
    }
}
