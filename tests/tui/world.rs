//! A world that answers at once, from notes in memory.

use std::any::Any;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use memkeep::app::FilterMemories;
use memkeep::app::Lint;
use memkeep::app::PlanChange;
use memkeep::app::ReadPair;
use memkeep::app::ReadQueue;
use memkeep::app::ReadVersions;
use memkeep::app::inject::preview::{PreviewTask, Previewed};
use memkeep::app::inject::tasks::PlayTasks;
use memkeep::app::links;
use memkeep::app::msg::{Change, Done, Draft, Effect, Failure, Msg};
use memkeep::app::{MemoryText, ReadText};
use memkeep::curate::versions::{Step, Version};
use memkeep::curate::{FileChange, Plan, diff};
use memkeep::lint::Digest;
use memkeep::memory::edit::FieldEdit;
use memkeep::memory::{Fields, Memory, MemoryId, Timestamp, Value};
use memkeep::retrieval::expect::{Answer, Given, compare, judge};
use memkeep::retrieval::tasks::Written;
use memkeep::retrieval::{self, Snapshot};
use memkeep::search::filter;
use memkeep::search::filter::Reads;

use crate::fixtures::{DAY, NOW, Note};

/// Answers a question of a type, and returns.
macro_rules! on {
    ($any:ident, $kind:ty, $asked:pat => $answer:expr) => {
        let $any = match $any.downcast::<$kind>() {
            Ok(asked) => {
                let $asked = *asked;
                return $answer;
            }
            Err(any) => any,
        };
    };
}

mod asking;
mod lint;
mod preview;
mod review;

use lint::findings;
use preview::{preview, verdicts};

#[derive(Default)]
pub struct World {
    pub notes: Vec<Note>,
    /// Whether the rules about pairs run too.
    pub asks: bool,
    /// The memory whose fixes are left to a person.
    pub doubted: Option<String>,
    /// Whether what is found in a confirmed memory is a suggestion.
    pub milder: bool,
    /// The saved tasks.
    pub tasks: Vec<Written>,
    /// What was answered, as the file has it.
    pub answers: String,
    undo: Vec<(String, Vec<Note>, String)>,
    redo: Vec<(String, Vec<Note>, String)>,
    known: BTreeMap<String, Arc<Memory>>,
    pub copied: Vec<String>,
    pub opened: Vec<(String, u32)>,
    pub drafts: Vec<String>,
    /// What was decided about the draft that was found.
    pub found: Vec<&'static str>,
    /// The draft that is kept now.
    pub kept: Option<Draft>,
    /// What was asked for.
    pub changes: Vec<Change>,
    /// What every preview has to say beside its verdicts.
    pub notes_of_preview: Vec<retrieval::Note>,
    /// Whether changes are never answered.
    pub deaf: bool,
    pub quit: bool,
    /// What is committed and staged.
    pub commits: review::Commits,
    /// What was staged before each change.
    staged_before: Vec<BTreeMap<String, Note>>,
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

    /// Three versions: not committed, of today's text, and of a week ago.
    fn versions(&self, memory: &Arc<Memory>) -> Vec<Version> {
        let note = self.note(&memory.id.local).unwrap();
        let mut last_week = note.clone();
        last_week.body = "As it was a week ago.\n".to_owned();
        let first = Note {
            importance: "low".to_owned(),
            ..last_week.clone()
        };
        let version =
            |rev: &str, days: i64, author: &str, subject: &str, (note, before): (&Note, String)| {
                Version {
                    rev: rev.into(),
                    time: (days > 0).then(|| Timestamp(NOW.0 - days * DAY)),
                    author: author.into(),
                    subject: subject.into(),
                    path: memory.path.to_path_buf(),
                    step: if before.is_empty() {
                        Step::Added
                    } else {
                        Step::Changed
                    },
                    state: Some((Arc::new(note.memory()), Arc::new(note.text().into_bytes()))),
                    rows: Vec::new(),
                    text: note.text().into(),
                    before: before.into(),
                }
            };
        vec![
            version("", 0, "", "not committed yet", (note, last_week.text())),
            version(
                "86d27b3aaaaaaa",
                7,
                "Bob",
                "Raise its importance",
                (&last_week, first.text()),
            ),
            version(
                "2ddf435aaaaaaa",
                30,
                "Ann",
                "First notes",
                (&first, String::new()),
            ),
        ]
    }

    fn loaded(&mut self) -> Msg {
        Msg::Snapshot(self.snapshot(), Vec::new())
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
            Effect::Ask(ticket, question) => self.asked(ticket, question.question),
            Effect::Apply(change) => self.apply(&change),
            Effect::Commit(message) => {
                self.commits.commit(message);
                vec![Msg::Resumed, Msg::Committed("committed 1234567".to_owned())]
            }
            Effect::Undo => match self.undo.pop() {
                Some((title, notes, answers)) => {
                    if let Some(staged) = self.staged_before.pop() {
                        self.commits.staged = staged;
                    }
                    let now = std::mem::replace(&mut self.notes, notes);
                    let said = std::mem::replace(&mut self.answers, answers);
                    self.redo.push((title.clone(), now, said));
                    self.applied(format!("undid: {title}"), None, "redo")
                }
                None => vec![failure("there is nothing to undo")],
            },
            Effect::Redo => match self.redo.pop() {
                Some((title, notes, answers)) => {
                    let now = std::mem::replace(&mut self.notes, notes);
                    let said = std::mem::replace(&mut self.answers, answers);
                    self.undo.push((title.clone(), now, said));
                    self.applied(format!("did again: {title}"), None, "undo")
                }
                None => vec![failure("there is nothing to redo")],
            },
            Effect::OpenEditor(path, line) => {
                self.opened.push((path.display().to_string(), line));
                vec![Msg::Resumed]
            }
            Effect::TakeDraft => {
                self.found.push("taken");
                Vec::new()
            }
            Effect::DiscardDraft => {
                self.found.push("discarded");
                Vec::new()
            }
            Effect::KeepDraft(draft) => {
                self.kept.clone_from(&draft);
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

    /// Answers a question.
    fn asked(&mut self, ticket: u64, any: Box<dyn Any + Send>) -> Vec<Msg> {
        on!(any, ReadText, ReadText { memory, memories } => {
            let text = self.note(&memory.id.local).map(|note| note.text().into());
            vec![Msg::done::<ReadText>(ticket, MemoryText {
                id: memory.id.clone(),
                text: text.ok_or_else(|| "the file is gone".to_owned()),
                inner: Fields::default(),
                beside: Vec::new(),
                seen: None,
                related: links::outgoing(&memories, &memory),
            })]
        });
        on!(any, ReadPair, ReadPair(memories) => {
            let text = |memory: &Memory| {
                let text = self.note(&memory.id.local).map(|note| note.text().into());
                text.ok_or_else(|| "the file is gone".to_owned())
            };
            let texts = [text(&memories[0]), text(&memories[1])];
            vec![Msg::done::<ReadPair>(ticket, texts)]
        });
        on!(any, ReadVersions, ReadVersions(memory) => vec![Msg::done::<ReadVersions>(ticket, Ok(self.versions(&memory)))]);
        on!(any, FilterMemories, FilterMemories { query, memories, marks, texts } => {
            let body = |memory: &Memory| Some(self.note(&memory.id.local)?.body.clone());
            let reads = Reads {
                inner: &|_| Fields::default(),
                body: texts.then_some(&body),
            };
            let hits = filter(&memories, &marks, &query, NOW, reads);
            vec![Msg::done::<FilterMemories>(ticket, hits)]
        });
        on!(any, PreviewTask, PreviewTask { memories, task, limits, what_if, wanted } => {
            let verdicts = verdicts(&memories, &task, &limits, &wanted);
            let mut preview = preview(&memories, &task, &limits);
            preview.notes.clone_from(&self.notes_of_preview);
            let preview = Arc::new(preview);
            let what_if = what_if.map(|(index, memory)| {
                let mut changed = memories.to_vec();
                changed[index] = Arc::new(*memory);
                Arc::new(crate::world::preview(&Arc::new(changed), &task, &limits))
            });
            vec![Msg::done::<PreviewTask>(ticket, Previewed { memories, preview, verdicts, what_if })]
        });
        on!(any, PlayTasks, PlayTasks { memories, what_if } => vec![self.played(ticket, &memories, what_if)]);
        on!(any, Lint, Lint(memories) => {
            let mut found = findings(&memories);
            if self.asks {
                found.extend(asking::questions(&memories, &self.notes, &self.answers));
                found.sort_by_key(|finding| finding.severity);
            }
            for found in &mut found {
                let local = memories
                    .get(found.memory)
                    .map(|one| one.id.local.to_string());
                if let Some(fix) = found.fix.as_mut().filter(|_| local == self.doubted) {
                    fix.safe = false;
                }
            }
            if self.milder {
                for found in &mut found {
                    let memory = memories.get(found.memory);
                    if memory.is_some_and(|memory| memory.confirmed.is_some()) {
                        found.severity = memkeep::memory::Severity::Info;
                    }
                }
                found.sort_by_key(|finding| finding.severity);
            }
            let digest = Digest::of(memories.len(), found);
            vec![Msg::done::<Lint>(ticket, (memories, digest))]
        });
        on!(any, PlanChange, PlanChange(change) => {
            let diff = self.diff(&change);
            vec![Msg::done::<PlanChange>(ticket, diff.map(|diff| (diff, 0)))]
        });
        on!(any, ReadQueue, ReadQueue(_) => vec![Msg::done::<ReadQueue>(ticket, Ok(self.commits.queue(&self.notes)))]);
        drop(any);
        Vec::new()
    }

    /// What comes of the saved tasks, by the small policy.
    fn played(
        &self,
        ticket: u64,
        memories: &Snapshot,
        what_if: Option<(usize, Box<Memory>)>,
    ) -> Msg {
        let answer = |task: &Written, memories: &Snapshot| {
            let preview = preview(memories, &task.task(NOW), &retrieval::Limits::default());
            let given = preview.selected.iter().map(|one| Given {
                id: memories[one.memory].id.clone(),
                title: memories[one.memory].title.clone(),
                rank: one.rank,
                score: one.score,
                tokens: one.tokens,
            });
            Answer {
                given: given.collect(),
                tokens: preview.tokens(),
                prompt: preview.prompt,
            }
        };
        let changed = what_if.map(|(index, memory)| {
            let mut changed = memories.to_vec();
            changed[index] = Arc::new(*memory);
            Arc::new(changed)
        });
        let tasks = self.tasks.iter();
        let effects = tasks.clone().filter_map(|task| {
            let after = answer(task, changed.as_ref()?);
            let effect = compare(task, &answer(task, memories), &after);
            (!effect.is_empty()).then_some(effect)
        });
        let effects = effects.collect();
        let judged = tasks.map(|task| {
            let judged = judge(task, answer(task, memories), memories);
            (task.clone(), judged)
        });
        Msg::done::<PlayTasks>(ticket, Ok((judged.collect(), effects)))
    }

    fn applied(&mut self, title: String, follow: Option<MemoryId>, back: &'static str) -> Vec<Msg> {
        vec![self.loaded(), Msg::Applied(Done { title, follow }, back)]
    }

    /// Makes a change to the notes.
    fn changed(&self, change: &Change) -> Option<(String, Vec<Note>, Option<MemoryId>)> {
        Self::changed_from(&self.notes, change)
    }

    fn changed_from(
        notes: &[Note],
        change: &Change,
    ) -> Option<(String, Vec<Note>, Option<MemoryId>)> {
        let mut notes = notes.to_vec();
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
            Change::Accept { ids, .. } => format!("accepted {}", count(ids)),
            Change::Reject(ids, _) => {
                put(&mut notes, ids, true);
                format!("rejected {}", count(ids))
            }
            Change::Expect(task) => format!("recorded what “{}” must be given", task.name()),
            Change::Promote { ids, .. } => format!("promoted {}", count(ids)),
            Change::Merge { keep, with, .. } => {
                let other = notes.iter().find(|note| *note.local == *with.local)?;
                let body = other.body.clone();
                let note = notes.iter_mut().find(|note| *note.local == *keep.local)?;
                note.body.push_str(&body);
                put(&mut notes, std::slice::from_ref(with), true);
                "merged two memories".to_owned()
            }
            Change::Forget(ids) => format!("forgot {}", count(ids)),
            Change::Rule { ids, .. } => {
                put(&mut notes, ids, true);
                format!("made rules of {}", count(ids))
            }
            Change::Archive(ids) => {
                put(&mut notes, ids, true);
                format!("archived {}", count(ids))
            }
            Change::Prune(_) => format!("archived {} memories", change.ids().len()),
            Change::Convert { ids, to, remove } => {
                if *remove {
                    notes.retain(|note| !ids.iter().any(|id| *id.local == *note.local));
                }
                format!("wrote {} to {}", count(ids), to.name())
            }
            Change::Confirm(ids) => {
                for note in notes.iter_mut() {
                    if ids.iter().any(|id| *id.local == *note.local) {
                        note.confirmed = Some(0);
                    }
                }
                format!("confirmed {}", count(ids))
            }
            Change::Restore(ids) => {
                put(&mut notes, ids, false);
                format!("restored {}", count(ids))
            }
            Change::Delete { ids, .. } => {
                notes.retain(|note| !ids.iter().any(|id| *id.local == *note.local));
                format!("deleted {}", count(ids))
            }
            Change::Edit { ids, edits, .. } => {
                for note in notes.iter_mut() {
                    if ids.iter().any(|id| *id.local == *note.local) {
                        edits.iter().for_each(|edit| edited(note, edit));
                    }
                }
                format!("edited {}", count(ids))
            }
            Change::Fix(fixes) | Change::SafeFixes(fixes) => {
                for fix in fixes {
                    let id = fix.fixed()?;
                    let note = notes.iter_mut().find(|note| *note.local == *id.local)?;
                    match fix {
                        Change::Edit { edits, .. } => {
                            edits.iter().for_each(|edit| edited(note, edit));
                        }
                        Change::Archive(_) => note.archived = true,
                        other => notes = Self::changed_from(&notes, other)?.1,
                    }
                }
                match fixes.len() {
                    1 => "fixed 1 finding".to_owned(),
                    n => format!("fixed {n} findings"),
                }
            }
            Change::Version { id, version } => {
                let note = notes.iter_mut().find(|note| *note.local == *id.local)?;
                let at = version.text.find("\n---\n\n")?;
                note.body = version.text[at + 6..].to_owned();
                format!("restored {} to {}", note.title, version.short())
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
            Change::Answer { answer, .. } => format!("answered {}", answer.word()),
            Change::Silence { found, .. } => format!("silenced {} findings", found.len()),
            Change::Together(all) => {
                let mut titles: Vec<String> = Vec::new();
                for one in all {
                    let (title, after, _) = Self::changed_from(&notes, one)?;
                    notes = after;
                    titles.push(title);
                }
                titles.dedup();
                titles.join(" · ")
            }
            Change::Rename { .. }
            | Change::SplitFile(_)
            | Change::Normalize(_)
            | Change::Reorder(_)
            | Change::Unlist(..) => return None,
        };
        Some((title, notes, None))
    }

    fn apply(&mut self, change: &Change) -> Vec<Msg> {
        self.changes.push(change.clone());
        if self.deaf {
            return Vec::new();
        }
        self.staged_before.push(self.commits.staged.clone());
        if let Change::Accept { ids, .. } = change {
            for id in ids {
                if let Some(note) = self.note(&id.local).cloned() {
                    self.commits.staged.insert(note.local.clone(), note);
                }
            }
        }
        match change {
            Change::Accept { ids, .. } => self.commits.decide(ids, "accepted"),
            Change::Reject(ids, _) => self.commits.decide(ids, "rejected"),
            _ => {}
        }
        let Some((title, notes, follow)) = self.changed(change) else {
            return vec![failure("that cannot be done")];
        };
        let memories = self.snapshot();
        let said = asking::answered(change, &memories, &self.notes);
        let answers = self.answers.clone();
        self.answers.push_str(&said);
        let before = std::mem::replace(&mut self.notes, notes);
        self.undo.push((title.clone(), before, answers));
        self.redo.clear();
        self.applied(title, follow, "undo")
    }

    fn diff(&self, change: &Change) -> Result<Arc<str>, Failure> {
        let (title, notes, _) = self.changed(change).ok_or_else(|| Failure {
            what: "that cannot be done".to_owned(),
            hint: None,
            changed: false,
            doubtful: None,
        })?;
        let pairs = self.notes.iter().zip(&notes).filter(|(a, b)| a != b);
        let changes = pairs.map(|(before, after)| {
            let path = before.memory().path;
            FileChange::write(
                Path::new(&*path),
                Some(before.text().as_bytes()),
                Some(after.text().as_bytes()),
            )
        });
        let plan = Plan {
            title,
            changes: changes.collect(),
            ..Plan::default()
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
        doubtful: None,
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
