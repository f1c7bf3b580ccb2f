//! A world that answers at once, from notes in memory.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use memkeep::app::msg::{Change, Effect, Failure, Msg};
use memkeep::curate::{FileChange, Plan, diff};
use memkeep::lint::{Digest, Finding, Fix, FixAction};
use memkeep::memory::edit::FieldEdit;
use memkeep::memory::{Memory, MemoryId, State, Value};
use memkeep::retrieval::{Factor, Limits, Match, Preview, Reason, Snapshot, Task, Verdict};
use memkeep::search::{Haystacks, filter};

use crate::fixtures::{NOW, Note, severity};

#[derive(Default)]
pub struct World {
    pub notes: Vec<Note>,
    undo: Vec<(String, Vec<Note>)>,
    redo: Vec<(String, Vec<Note>)>,
    known: BTreeMap<String, Arc<Memory>>,
    pub copied: Vec<String>,
    pub opened: Vec<(String, u32)>,
    pub drafts: Vec<String>,
    pub quit: bool,
}

impl World {
    pub fn new(notes: Vec<Note>) -> Self {
        Self {
            notes,
            ..Self::default()
        }
    }

    pub fn snapshot(&mut self) -> Snapshot {
        let mut notes: Vec<&Note> = self.notes.iter().collect();
        notes.sort_by_key(|note| (note.archived, note.local.clone()));
        let memories = notes.into_iter().map(|note| {
            let memory = note.memory();
            let known = self
                .known
                .get(&note.local)
                .filter(|known| ***known == memory);
            let memory = known.cloned().unwrap_or_else(|| Arc::new(memory));
            (note.local.clone(), memory)
        });
        let memories: Vec<_> = memories.collect();
        self.known = memories.iter().cloned().collect();
        Arc::new(memories.into_iter().map(|(_, memory)| memory).collect())
    }

    fn loaded(&mut self) -> Msg {
        Msg::Snapshot {
            memories: self.snapshot(),
            problems: Vec::new(),
            skipped: Vec::new(),
        }
    }

    fn note(&self, local: &str) -> Option<&Note> {
        self.notes.iter().find(|note| note.local == local)
    }

    /// What an effect is answered with.
    pub fn answer(&mut self, effect: Effect) -> Vec<Msg> {
        match effect {
            Effect::Load => {
                let all = self.snapshot();
                vec![Msg::Rows(all.to_vec()), self.loaded()]
            }
            Effect::ReadText { ticket, memory } => {
                let text = self.note(&memory.id.local).map(|note| note.text().into());
                vec![Msg::Text {
                    ticket,
                    id: memory.id.clone(),
                    text: text.ok_or_else(|| "the file is gone".to_owned()),
                }]
            }
            Effect::Filter {
                ticket,
                query,
                memories,
                marks,
                within,
            } => {
                let haystacks = Haystacks::build(&memories);
                let within = within.as_ref().map(|rows| rows.as_slice());
                let hits = filter(&memories, &haystacks, &marks, &query, NOW, within);
                vec![Msg::Filtered { ticket, hits }]
            }
            Effect::Preview {
                ticket,
                memories,
                task,
                limits,
                what_if,
            } => {
                let preview = Box::new(preview(&memories, &task, &limits));
                let what_if = what_if.map(|(index, memory)| {
                    let mut changed = memories.to_vec();
                    changed[index] = Arc::new(*memory);
                    Box::new(crate::world::preview(&Arc::new(changed), &task, &limits))
                });
                vec![Msg::Previewed {
                    ticket,
                    preview,
                    what_if,
                }]
            }
            Effect::Verdicts {
                ticket,
                memories,
                task,
                limits,
                wanted,
            } => {
                let limits = Limits {
                    rejected: usize::MAX,
                    ..limits
                };
                let preview = preview(&memories, &task, &limits);
                let all = preview.selected.into_iter().chain(preview.rejected);
                let verdicts = all
                    .filter(|verdict| wanted.contains(&verdict.memory))
                    .collect();
                vec![Msg::Verdicts { ticket, verdicts }]
            }
            Effect::Lint { ticket, memories } => {
                let digest = Digest::of(memories.len(), findings(&memories));
                vec![Msg::Linted {
                    ticket,
                    memories,
                    digest,
                }]
            }
            Effect::Plan { ticket, change } => {
                let diff = self.diff(&change);
                vec![Msg::Planned { ticket, diff }]
            }
            Effect::Apply(change) => self.apply(&change),
            Effect::Undo => match self.undo.pop() {
                Some((title, notes)) => {
                    let now = std::mem::replace(&mut self.notes, notes);
                    self.redo.push((title.clone(), now));
                    self.applied(format!("undid: {title}"), None)
                }
                None => vec![failure("there is nothing to undo")],
            },
            Effect::Redo => match self.redo.pop() {
                Some((title, notes)) => {
                    let now = std::mem::replace(&mut self.notes, notes);
                    self.undo.push((title.clone(), now));
                    self.applied(format!("did again: {title}"), None)
                }
                None => vec![failure("there is nothing to redo")],
            },
            Effect::OpenEditor { path, line } => {
                self.opened.push((path.display().to_string(), line));
                vec![Msg::Resumed]
            }
            Effect::KeepDraft(draft) => {
                self.drafts.extend(draft.map(|draft| draft.text));
                Vec::new()
            }
            Effect::Copy(text) => {
                self.copied.push(text);
                Vec::new()
            }
            Effect::Quit => {
                self.quit = true;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn applied(&mut self, title: String, follow: Option<MemoryId>) -> Vec<Msg> {
        vec![
            self.loaded(),
            Msg::Applied {
                title,
                follow,
                back: "undo",
            },
        ]
    }

    /// Makes a change to the notes.
    fn changed(&self, change: &Change) -> Option<(String, Vec<Note>, Option<MemoryId>)> {
        let mut notes = self.notes.clone();
        let count = |ids: &[MemoryId]| match ids.len() {
            1 => "1 memory".to_owned(),
            n => format!("{n} memories"),
        };
        let put = |notes: &mut Vec<Note>, ids: &[MemoryId], archived: bool| {
            for note in notes.iter_mut() {
                if ids.iter().any(|id| *id.local == *note.local) {
                    note.archived = archived;
                }
            }
        };
        let title = match change {
            Change::Init => "made a store".to_owned(),
            Change::Archive(ids) => {
                put(&mut notes, ids, true);
                format!("archived {}", count(ids))
            }
            Change::Restore(ids) => {
                put(&mut notes, ids, false);
                format!("restored {}", count(ids))
            }
            Change::Delete(ids) => {
                notes.retain(|note| !ids.iter().any(|id| *id.local == *note.local));
                format!("deleted {}", count(ids))
            }
            Change::Edit { ids, edits } => {
                for note in notes.iter_mut() {
                    if ids.iter().any(|id| *id.local == *note.local) {
                        edits.iter().for_each(|edit| edited(note, edit));
                    }
                }
                format!("edited {}", count(ids))
            }
            Change::Fix(fixes) => {
                for (id, action) in fixes {
                    let note = notes.iter_mut().find(|note| *note.local == *id.local)?;
                    if let FixAction::Edit(edits) = action {
                        edits.iter().for_each(|edit| edited(note, edit));
                    }
                }
                "fixed 1 finding".to_owned()
            }
            Change::Text { id, text, .. } => {
                let note = notes.iter_mut().find(|note| *note.local == *id.local)?;
                let body = text
                    .find("\n---\n\n")
                    .map_or(text.as_str(), |at| &text[at + 6..]);
                note.body = body.to_owned();
                "saved 1 memory".to_owned()
            }
            Change::Add { title, body, .. } => {
                let mut note = notes.first()?.clone();
                note.local = title.to_lowercase().replace(' ', "-");
                note.title.clone_from(title);
                note.body.clone_from(body);
                let id = note.memory().id;
                notes.push(note);
                return Some((format!("added {title}"), notes, Some(id)));
            }
            Change::Rename { .. } => return None,
        };
        Some((title, notes, None))
    }

    fn apply(&mut self, change: &Change) -> Vec<Msg> {
        let Some((title, notes, follow)) = self.changed(change) else {
            return vec![failure("that cannot be done")];
        };
        let before = std::mem::replace(&mut self.notes, notes);
        self.undo.push((title.clone(), before));
        self.redo.clear();
        self.applied(title, follow)
    }

    fn diff(&self, change: &Change) -> Result<Arc<str>, Failure> {
        let (title, notes, _) = self.changed(change).ok_or_else(|| Failure {
            what: "that cannot be done".to_owned(),
            hint: None,
            changed: false,
        })?;
        let pairs = self.notes.iter().zip(&notes).filter(|(a, b)| a != b);
        let changes = pairs.map(|(before, after)| {
            let path = before.memory().path;
            FileChange::write(
                Path::new(&*path),
                Some(before.text().as_bytes()),
                after.text().as_bytes(),
            )
        });
        let plan = Plan {
            title,
            changes: changes.collect(),
        };
        let read = |path: &Path| {
            let mut notes = self.notes.iter();
            let note = notes.find(|note| *note.memory().path == *path)?;
            Some(note.text().into_bytes())
        };
        let shown = |path: &Path| path.display().to_string();
        let diff = diff::unified(&plan, &read, &shown);
        Ok(String::from_utf8_lossy(&diff).into())
    }
}

fn failure(what: &str) -> Msg {
    Msg::Failed(Failure {
        what: what.to_owned(),
        hint: None,
        changed: false,
    })
}

fn edited(note: &mut Note, edit: &FieldEdit) {
    let strings = |value: &Value| value.items().map(Value::to_string).collect::<Vec<_>>();
    match edit {
        FieldEdit::Set { field, value } => match field.as_str() {
            "title" => note.title = value.to_string(),
            "importance" => note.importance = value.to_string(),
            "tags" => note.tags = strings(value),
            "whenToUse" => note.patterns = strings(value),
            other => panic!("no field {other}"),
        },
        FieldEdit::AddItem { field, item } => match field.as_str() {
            "tags" => note.tags.push(item.to_string()),
            "whenToUse" => note.patterns.push(item.to_string()),
            other => panic!("no list {other}"),
        },
        FieldEdit::SetItem { index, value, .. } => note.patterns[*index] = value.to_string(),
        FieldEdit::Body(text) => note.body.clone_from(text),
        other => panic!("{other:?}"),
    }
}

/// A ranking as rawko's, only simpler: enough for a screen.
pub fn preview(memories: &Snapshot, task: &Task, limits: &Limits) -> Preview {
    let text = task.text.to_lowercase();
    let mut selected = Vec::new();
    let mut rejected = Vec::new();
    for (n, memory) in memories.iter().enumerate() {
        let verdict = verdict(n, memory, &text, task);
        if verdict.reason == Reason::Selected {
            selected.push(verdict);
        } else {
            rejected.push(verdict);
        }
    }
    let best = |verdict: &Verdict| (-verdict.score.unwrap_or(-1.0) as i64, verdict.memory);
    selected.sort_by_key(best);
    let places = limits.max.unwrap_or(5);
    let lowest = selected.get(places.saturating_sub(1)).and_then(|v| v.score);
    for mut over in selected.drain(places.min(selected.len())..) {
        over.reason = Reason::OverLimit;
        let short = lowest.unwrap_or(0.0) - over.score.unwrap_or(0.0) + 1.0;
        over.hint = Some(format!("{short:.0} points short of the last place"));
        rejected.push(over);
    }
    for (n, verdict) in selected.iter_mut().enumerate() {
        verdict.rank = Some(n + 1);
    }
    rejected.sort_by_key(best);
    let rejected_total = rejected.len();
    rejected.truncate(limits.rejected);
    let mut prompt = String::new();
    if !selected.is_empty() {
        prompt.push_str("## Background Knowledge from Previous Runs\n");
    }
    for verdict in &selected {
        prompt.push_str(&format!(
            "\n### {}\n\n_{}_\n",
            memories[verdict.memory].title,
            memories[verdict.memory].importance().unwrap_or("")
        ));
    }
    Preview {
        policy: "rawko",
        dialect: limits.dialect,
        tokens: prompt.len().div_ceil(4),
        selected,
        rejected,
        rejected_total,
        prompt,
        skill: None,
        budget: Some(2000),
        places: Some(places),
    }
}

fn verdict(n: usize, memory: &Memory, text: &str, task: &Task) -> Verdict {
    let matched = memory
        .field("whenToUse")
        .into_iter()
        .flat_map(Value::items)
        .find_map(|item| {
            let pattern = item.to_string();
            let hit = pattern
                .split('|')
                .map(|part| part.trim_matches('*').to_lowercase())
                .find(|part| part == "." || text.contains(part.as_str()))?;
            Some(Match {
                kind: if pattern.contains('|') {
                    "alternative"
                } else {
                    "substring"
                },
                pattern,
                hit,
            })
        });
    let points = match memory.importance() {
        Some("critical") => 30.0,
        Some("high") => 25.0,
        Some("medium") => 15.0,
        _ => 5.0,
    };
    let title = memory.title.to_lowercase();
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| title.contains(word))
        .collect();
    let same = memory.author() == Some(&*task.agent);
    let factors = vec![
        Factor {
            name: "importance",
            points,
            detail: memory.importance().unwrap_or("none").to_owned(),
        },
        Factor {
            name: "title keywords",
            points: words.len() as f64 * 5.0,
            detail: words.join(", "),
        },
        Factor {
            name: "same discoverer",
            points: if same { 10.0 } else { 0.0 },
            detail: String::new(),
        },
    ];
    let (reason, hint) = match (&matched, memory.state, &memory.hidden) {
        (_, State::Archived, _) => (
            Reason::Archived,
            Some("restore it from the archive".to_owned()),
        ),
        (_, _, Some(_)) => (Reason::Invisible, None),
        (None, _, _) => {
            let word = text
                .split_whitespace()
                .max_by_key(|word| word.len())
                .unwrap_or("");
            (Reason::NoMatch, Some(format!("add `{word}` to whenToUse")))
        }
        (Some(_), _, _) => (Reason::Selected, None),
    };
    let word = text.split_whitespace().max_by_key(|word| word.len());
    let remedy = match reason {
        Reason::NoMatch => vec![FieldEdit::AddItem {
            field: "whenToUse".to_owned(),
            item: Value::from(word.unwrap_or_default()),
        }],
        _ => Vec::new(),
    };
    Verdict {
        remedy,
        memory: n,
        rank: None,
        score: Some(factors.iter().map(|factor| factor.points).sum()),
        factors,
        matched,
        reason,
        hint,
        tokens: memory.tokens as usize,
    }
}

fn findings(memories: &Snapshot) -> Vec<Finding> {
    let mut out = Vec::new();
    for (n, memory) in memories.iter().enumerate() {
        if memory.state == State::Archived {
            continue;
        }
        for (at, item) in memory
            .field("whenToUse")
            .into_iter()
            .flat_map(Value::items)
            .enumerate()
        {
            let pattern = item.to_string();
            let place = Note::text_of(memory)
                .find(&pattern)
                .map(|from| from..from + pattern.len());
            if pattern == ".*" {
                out.push(finding(
                    n,
                    "pattern-matches-all",
                    true,
                    at,
                    place,
                    "`.*` matches every task",
                    None,
                ));
            } else if pattern.contains('|') && pattern.contains('*') {
                let edits = vec![
                    FieldEdit::SetItem {
                        field: "whenToUse".to_owned(),
                        index: at,
                        value: Value::from("oauth"),
                    },
                    FieldEdit::AddItem {
                        field: "whenToUse".to_owned(),
                        item: Value::from("social.*auth"),
                    },
                ];
                let fix = Fix {
                    title: "split into two patterns".to_owned(),
                    memory: n,
                    action: FixAction::Edit(edits),
                };
                let message = format!(
                    "`{pattern}` never matches \"social media auth\": inside | everything is literal"
                );
                out.push(finding(
                    n,
                    "pattern-alternative-regex",
                    true,
                    at,
                    place,
                    &message,
                    Some(fix),
                ));
            }
        }
        if memory.words < 9 {
            let message = format!(
                "the body has {} words; 200 to 500 are read best",
                memory.words
            );
            out.push(finding(n, "body-length", false, 8, None, &message, None));
        }
    }
    out.sort_by_key(|finding| finding.severity);
    out
}

impl Note {
    fn text_of(memory: &Memory) -> String {
        let notes = crate::fixtures::notes();
        let note = notes.iter().find(|note| *note.local == *memory.id.local);
        note.map(Note::text).unwrap_or_default()
    }
}

fn finding(
    memory: usize,
    rule: &'static str,
    warning: bool,
    at: usize,
    place: Option<std::ops::Range<usize>>,
    message: &str,
    fix: Option<Fix>,
) -> Finding {
    Finding {
        rule,
        severity: severity(warning),
        confidence: if warning { 0.99 } else { 0.6 },
        memory,
        line: u32::try_from(at + 4).unwrap_or(1),
        column: 6,
        place,
        message: message.to_owned(),
        evidence: Vec::new(),
        related: Vec::new(),
        fix,
    }
}
