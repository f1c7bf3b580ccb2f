//! The memories that `memkeep hook` hands out for a prompt: the hook and every preview ask here.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use itertools::Itertools as _;

use super::Workspace;
use crate::agent::hook::settings::{AGENTS, runs_hook};
use crate::agent::hook::{Group, MOST, Record, block, clean};
use crate::lint::{carries_data_away, fields_beside, orders_its_reader};
use crate::memory::worth::{Part, Worths};
use crate::memory::{Memory, MemoryId, Role, Value, plural};
use crate::retrieval::hybrid::about::{About, FLOOR, HANDED_OUT, LEAST_WORDS, handed_out, needed};
use crate::retrieval::{Candidate, Preview, Reason, Texts as _};
use crate::store::control::{self, Owner};
use crate::store::files;

/// A memory that the hook may hand out, and the evidence for it.
pub type Ranked = (About, Arc<Memory>);

impl Workspace {
    /// Chooses the memories that the hook hands out, best first, of those of several stores.
    pub fn chosen(&self, mut ranked: Vec<Ranked>, tell: &dyn Fn(&str)) -> Vec<Ranked> {
        ranked.sort_by(|(one, _), (other, _)| other.evidence.total_cmp(&one.evidence));
        let admitted = ranked.into_iter();
        let admitted = admitted.filter(|(_, memory)| self.admits(memory, tell));
        let mut best: Vec<Ranked> = admitted.take(HANDED_OUT).collect();
        best.truncate(handed_out(best.iter().map(|(about, _)| *about)));
        best
    }

    /// True if no rule warns agents of a memory; else the reason is told.
    pub fn admits(&self, memory: &Memory, tell: &dyn Fn(&str)) -> bool {
        let rule = self.warning(memory);
        if let Some(rule) = rule {
            tell(&format!("hook: left out {}: {rule}", memory.id));
        }
        rule.is_none()
    }

    /// The rule that warns agents of a memory: of its text, its fields or its title.
    pub fn warning(&self, memory: &Memory) -> Option<&'static str> {
        let text = self.collection.text(memory).unwrap_or_default();
        let fields = fields_beside(memory, &text);
        let body = self.collection.body(memory).unwrap_or_default();
        let texts = [text, body, fields, memory.title.to_string()];
        texts.iter().find_map(|text| warning_of(text))
    }

    /// A memory as a record of the hook's block.
    pub fn record(&self, memory: &Memory) -> Option<Record> {
        let about = memory.role(Role::Description).and_then(Value::as_str);
        Some(Record {
            title: memory.title.to_string(),
            id: memory.id.to_string(),
            about: about.unwrap_or_default().to_owned(),
            text: self.collection.body(memory)?,
        })
    }

    /// The titles of the agents whose settings of the project run the hook.
    pub fn hooked_agents(&self) -> impl Iterator<Item = String> {
        let root = &self.collection.root;
        let runs = move |file: &String| {
            let text = control::text(&root.join(file), Owner::Project(root));
            text.ok().flatten().is_some_and(|text| runs_hook(&text))
        };
        let all = AGENTS.values();
        let hooked = all.filter(move |one| std::iter::once(&one.file).chain(&one.also).any(runs));
        hooked.map(|agent| agent.title.clone())
    }

    /// Adds to the hints of memories that an agent can open whether the hook hands them out for the
    /// prompt, and what those lack that it does not. The previews are those of one task.
    pub fn add_handouts(&self, previews: &mut [(&mut Arc<Preview>, &[Arc<Memory>])]) {
        let of = |(preview, memories): &(&mut Arc<Preview>, &[Arc<Memory>])| -> Vec<Ranked> {
            let all = preview.candidates.iter();
            let all =
                all.filter_map(|one| Some((one.about, memories.get(one.about.memory)?.clone())));
            all.collect()
        };
        let mut ranked: Vec<Ranked> = previews.iter().flat_map(of).collect();
        if ranked.is_empty() {
            return;
        }
        let mut inside = ranked.iter().map(|(_, memory)| memory.clone()).collect();
        self.collection.drop_outside(&mut inside);
        ranked.retain(|(_, memory)| inside.iter().any(|one| one.id == memory.id));
        let chosen = self.chosen(ranked, &|_| {});
        let hook = match self.hooked_agents().next() {
            Some(_) => "the hook hands it out",
            None => "a hook would hand it out",
        };
        let handouts = Handouts::new(self, hook, chosen);
        for (preview, memories) in previews {
            let candidates = preview.candidates.iter().cloned();
            let candidates = candidates.map(|one| (one.about.memory, one));
            let candidates: HashMap<usize, Candidate> = candidates.collect();
            if candidates.is_empty() {
                continue;
            }
            for verdict in &mut Arc::make_mut(preview).rejected {
                let memory = memories.get(verdict.memory);
                let found = memory.zip(candidates.get(&verdict.memory));
                if let Some((memory, candidate)) = found
                    && verdict.reason == Reason::Reachable
                {
                    let own = verdict.hint.take().unwrap_or_default();
                    let says = handouts.says(self, memory, candidate);
                    verdict.handed_out = handouts.of(memory) == Some(None);
                    verdict.hint = Some(format!("{says}; {own}"));
                }
            }
        }
    }
}

/// The result of the hook for a prompt.
struct Handouts {
    /// How a hint begins: the hook hands the memory out, or would if it were installed.
    hook: &'static str,
    /// The chosen memories, best first, each with its size if the answer has no room for it.
    chosen: Vec<(Ranked, Option<usize>)>,
}

impl Handouts {
    fn new(workspace: &Workspace, hook: &'static str, chosen: Vec<Ranked>) -> Self {
        let record = |one: Ranked| Some((workspace.record(&one.1)?, one));
        let chosen: Vec<(Record, Ranked)> = chosen.into_iter().filter_map(record).collect();
        let each = chosen.iter().map(|(record, _)| record.clone()).collect();
        let text = block(&[Group { whole: None, each }]).unwrap_or_default();
        let chosen = chosen.into_iter().map(|(record, ranked)| {
            let is_in = text.contains(&format!(" [{}]\n", record.id));
            (ranked, (!is_in).then(|| record.says().len()))
        });
        Self {
            hook,
            chosen: chosen.collect(),
        }
    }

    fn of(&self, memory: &Memory) -> Option<Option<usize>> {
        let mut chosen = self.chosen.iter();
        let found = chosen.find(|((_, one), _)| one.id == memory.id);
        found.map(|(_, left)| *left)
    }

    /// The hook's decision on a memory, with what it lacks.
    fn says(&self, workspace: &Workspace, memory: &Memory, candidate: &Candidate) -> String {
        let Candidate { about, has, lacks } = candidate;
        let quoted = |words: &[String]| words.iter().map(|word| format!("`{word}`")).join(", ");
        let has = quoted(has);
        match self.of(memory) {
            Some(None) => return format!("{} for {has}", self.hook),
            Some(Some(size)) => {
                let sizes = format!("{size} bytes, {MOST} for all");
                return format!("no room for it in the hook's answer: {sizes}");
            }
            None => {}
        }
        if let Some(rule) = workspace.warning(memory) {
            return format!("the hook leaves it out: {rule}");
        }
        let all = self.chosen.iter().map(|((about, _), _)| *about);
        let needed = needed(&all.collect::<Vec<_>>());
        let lacks = match lacks.len() {
            0 => String::new(),
            _ => format!("; without {}", quoted(lacks)),
        };
        let points = |of: f64| (of * 10.0).round() / 10.0;
        if self.chosen.is_empty() && about.evidence >= FLOOR {
            let least = plural(LEAST_WORDS, "word");
            return format!("too little for the hook: {has}; it takes {least}{lacks}");
        }
        let (own, needed) = (points(about.evidence), points(needed));
        format!("too little for the hook: {has}: {own} of {needed} points{lacks}")
    }
}

/// The rule that warns agents of a text, or of what is left of it where nothing invisible parts the
/// words. No setting and no baseline silences the answer.
pub fn warning_of(text: &str) -> Option<&'static str> {
    // Marks of emphasis part no words either.
    let bare = clean(text).replace(['*', '_'], "");
    let any = |warns: fn(&str) -> bool| warns(text) || warns(&bare);
    let (orders, carries) = rayon::join(|| any(orders_its_reader), || any(carries_data_away));
    if orders {
        return Some("reader-instruction");
    }
    carries.then_some("exfiltration-link")
}

/// The name of a session, and the parts of memories that were counted for it.
type Counted = (String, Vec<(String, Part)>);

/// Sessions that are known again.
const MOST_SESSIONS: usize = 200;

impl Workspace {
    fn record_file(&self) -> PathBuf {
        self.collection.state.join("worth.json")
    }

    /// The worth of all memories; what cannot be read counts nothing.
    pub fn worths(&self) -> &Worths {
        self.worths.get_or_init(|| self.read_worths())
    }

    fn read_worths(&self) -> Worths {
        let text = control::text(&self.record_file(), Owner::Person);
        let text = text.ok().flatten().unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// True if the person has uses recorded.
    pub fn records_worth(&self) -> bool {
        self.settings.worth.record == Some(true)
    }

    /// Counts a session in the record; told again under its name, it counts once.
    pub fn record_uses<'a>(
        &self,
        session: Option<&str>,
        uses: impl Iterator<Item = (&'a MemoryId, Part)>,
    ) -> io::Result<()> {
        let folder = &self.collection.state;
        fs::create_dir_all(folder)?;
        let mut options = File::options();
        let lock = options
            .create(true)
            .append(true)
            .open(folder.join("worth.lock"))?;
        lock.lock()?;
        let mut worths = self.read_worths();
        let uses: Vec<_> = uses.map(|(id, part)| (id.to_string(), part)).collect();
        let sessions = folder.join("worth-sessions.json");
        let text = control::text(&sessions, Owner::Person).ok().flatten();
        let counted = text.and_then(|text| serde_json::from_str(&text).ok());
        let mut counted: Vec<Counted> = counted.unwrap_or_default();
        let known = counted.iter().position(|(name, _)| session == Some(name));
        let before = known.map(|at| counted.remove(at).1);
        for (id, part) in before.into_iter().flatten() {
            worths.0.entry(id).or_default().count_sessions(part, -1);
        }
        for (id, part) in uses.iter().cloned() {
            worths.0.entry(id).or_default().count_sessions(part, 1);
        }
        files::replace(&self.record_file(), &serde_json::to_vec(&worths)?)?;
        if let Some(name) = session {
            counted.push((name.to_owned(), uses));
            let over = counted.len().saturating_sub(MOST_SESSIONS);
            let last = counted.get(over..).unwrap_or_default();
            files::replace(&sessions, &serde_json::to_vec(last)?)?;
        }
        Ok(())
    }
}
