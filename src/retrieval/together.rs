//! Several stores at once, each by its own system's policy.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{
    Limits, Note, Options, Policy, Preview, Scorer, Snapshot, StorePart, Task, Texts, Verdict,
};
use crate::memory::{Memory, StoreId};

/// How one store decides.
#[derive(Clone, Debug)]
pub struct Way {
    /// The store.
    pub store: StoreId,
    /// The policy of its system.
    pub policy: &'static dyn Policy,
    /// What its system's own configuration says.
    pub options: Options,
}

/// The scorer of a snapshot that holds the memories of several stores.
pub struct Together {
    parts: Vec<Part>,
}

/// One store of the snapshot.
struct Part {
    way: Way,
    /// Its memories by their index in the whole snapshot, ascending.
    places: Vec<usize>,
    /// Whether these are all memories of the snapshot, so that an index means the same in both.
    is_all: bool,
    /// The flags of the policies of all stores.
    flags: Arc<[&'static str]>,
    scorer: Box<dyn Scorer>,
}

impl Together {
    /// The scorer of a snapshot; a memory of a store without a way is left out.
    pub fn new(ways: &[Way], memories: &Snapshot) -> Self {
        let flags = ways.iter().flat_map(|way| way.policy.flags());
        let flags: Arc<[&str]> = flags.copied().collect();
        let part = |way: &Way| {
            let of_store = |(_, memory): &(usize, &Arc<Memory>)| memory.id.store == way.store;
            let all = memories.iter().enumerate().filter(of_store);
            let (places, own): (Vec<usize>, Vec<Arc<Memory>>) =
                all.map(|(index, memory)| (index, memory.clone())).unzip();
            // Where there is one store only, the snapshot is shared rather than copied.
            let is_all = own.len() == memories.len();
            let own = if is_all {
                memories.clone()
            } else {
                Arc::new(own)
            };
            Part {
                way: way.clone(),
                places,
                is_all,
                flags: flags.clone(),
                scorer: way.policy.scorer(own),
            }
        };
        Self {
            parts: ways.iter().map(part).collect(),
        }
    }
}

impl Part {
    /// The limits of this store: a flag that only other policies have means nothing to it.
    fn limits(&self, limits: &Limits) -> Limits {
        let policy = self.way.policy;
        let mut options = limits.options.clone();
        options.retain(|name| policy.flags().contains(&name) || !self.flags.contains(&name));
        Limits {
            dialect: policy.dialect(limits.dialect),
            options: options.over(&self.way.options),
            ..limits.clone()
        }
    }

    /// The index of a memory among those of this store.
    fn own(&self, index: usize) -> Option<usize> {
        self.places.binary_search(&index).ok()
    }

    /// Names memories by their index in the whole snapshot again.
    fn whole(&self, verdicts: &mut [Verdict]) {
        for verdict in verdicts {
            if let Some(place) = self.places.get(verdict.memory) {
                verdict.memory = *place;
            }
        }
    }

    fn preview(
        &self,
        task: &Task,
        limits: &Limits,
        what_if: Option<(usize, &Memory)>,
        texts: &dyn Texts,
    ) -> Arc<Preview> {
        let what_if = what_if.and_then(|(index, memory)| Some((self.own(index)?, memory)));
        let limits = self.limits(limits);
        let preview = self.scorer.preview(task, &limits, what_if, texts);
        if self.is_all {
            return preview;
        }
        let mut preview = Arc::unwrap_or_clone(preview);
        self.whole(&mut preview.selected);
        self.whole(&mut preview.rejected);
        preview.parts = vec![StorePart {
            store: self.way.store.clone(),
            selected: preview.selected.len(),
            places: preview.places,
            is_always: !self.way.policy.goes_by_task(limits.dialect),
            prompt: preview.prompt.clone(),
        }];
        for note in &mut preview.notes {
            note.store = Some(self.way.store.clone());
        }
        Arc::new(preview)
    }
}

impl Scorer for Together {
    fn index(&mut self, texts: &dyn Texts) {
        for part in &mut self.parts {
            part.scorer.index(texts);
        }
    }

    fn preview(
        &self,
        task: &Task,
        limits: &Limits,
        what_if: Option<(usize, &Memory)>,
        texts: &dyn Texts,
    ) -> Arc<Preview> {
        let previews = self
            .shown(limits)
            .map(|part| part.preview(task, limits, what_if, texts));
        let joined = previews.reduce(|one, other| Arc::new(joined(one, &other)));
        let none = || Preview {
            parts: Vec::new(),
            policy: "",
            dialect: "",
            selected: Vec::new(),
            rejected: Vec::new(),
            rejected_total: 0,
            prompt: String::new(),
            skill: None,
            budget: limits.budget,
            places: limits.max,
            notes: Vec::new(),
        };
        joined.unwrap_or_else(|| Arc::new(none()))
    }

    fn verdicts(
        &self,
        task: &Task,
        limits: &Limits,
        wanted: &[usize],
        texts: &dyn Texts,
    ) -> Vec<Verdict> {
        let of_part = |part: &Part| {
            let own: Vec<usize> = wanted.iter().filter_map(|index| part.own(*index)).collect();
            let mut verdicts = part
                .scorer
                .verdicts(task, &part.limits(limits), &own, texts);
            part.whole(&mut verdicts);
            verdicts
        };
        self.shown(limits).flat_map(of_part).collect()
    }
}

impl Together {
    /// The stores that are not left out.
    fn shown<'a>(&'a self, limits: &'a Limits) -> impl Iterator<Item = &'a Part> {
        let parts = self.parts.iter();
        parts.filter(|part| !limits.hidden.contains(&part.way.store))
    }
}

/// The texts that an agent is given as one text, a blank line between those that are not empty.
pub fn join<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join("\n\n")
}

/// Minimum number of characters of a repeated line; shorter ones are often equal by chance.
const SHORTEST: usize = 30;
/// Maximum number of repeated lines that are listed for a store.
const MOST: usize = 3;

/// Finds the lines that occur in several sources, each with the owners of the texts that have it.
/// The texts come source by source, as (source, owner, text). List markers, a final full stop and
/// letter case are ignored.
pub fn repeated<'t, T: Copy + PartialEq>(
    texts: impl IntoIterator<Item = (usize, T, &'t str)>,
) -> Vec<(&'t str, Vec<T>)> {
    type Owned<'t, T> = (&'t str, Vec<(usize, T)>);
    let mut lines: BTreeMap<String, Owned<'t, T>> = BTreeMap::new();
    for (source, owner, text) in texts {
        for line in text.lines() {
            let line = line.trim().trim_start_matches(['-', '*', '#', '>', ' ']);
            if line.chars().count() < SHORTEST {
                continue;
            }
            let key = line.trim_end_matches('.').to_lowercase();
            let (_, owners) = lines.entry(key).or_insert_with(|| (line, Vec::new()));
            if owners.last().is_none_or(|(_, last)| *last != owner) {
                owners.push((source, owner));
            }
        }
    }
    let source = |owner: Option<&(usize, T)>| owner.map(|(source, _)| *source);
    let lines = lines
        .into_values()
        .filter(|(_, owners)| source(owners.first()) != source(owners.last()));
    let bare = |owners: Vec<(usize, T)>| owners.into_iter().map(|(_, owner)| owner).collect();
    lines.map(|(line, owners)| (line, bare(owners))).collect()
}

/// Notes on the lines that the prompts of several stores have in common, for each of these stores.
pub fn repeats(parts: &[StorePart]) -> Vec<Note> {
    let prompts = parts.iter().enumerate();
    let repeated = repeated(prompts.map(|(n, part)| (n, n, &*part.prompt)));
    let mut notes = Vec::new();
    for (n, part) in parts.iter().enumerate() {
        let own = repeated.iter().filter(|(_, parts)| parts.contains(&n));
        let mut note = |text| {
            let store = Some(part.store.clone());
            notes.push(Note { store, text });
        };
        for (line, owners) in own.clone().take(MOST) {
            let others = owners.iter().filter(|other| **other != n);
            let others = others.filter_map(|other| parts.get(*other));
            let others: Vec<&str> = others.map(|part| part.store.0.as_ref()).collect();
            note(format!("the same line in {}: {line}", others.join(" and ")));
        }
        match own.count() {
            count if count > MOST => note(format!("repeated lines not listed: {}", count - MOST)),
            _ => {}
        }
    }
    notes
}

/// Two previews as one: a person reads the stores one after the other, and so does an agent.
fn joined(one: Arc<Preview>, other: &Preview) -> Preview {
    let mut one = Arc::unwrap_or_clone(one);
    one.selected.extend(other.selected.iter().cloned());
    one.rejected.extend(other.rejected.iter().cloned());
    one.rejected_total += other.rejected_total;
    one.parts.extend(other.parts.iter().cloned());
    one.notes.extend(other.notes.iter().cloned());
    one.prompt = join([&*one.prompt, &*other.prompt]);
    one.skill = match (one.skill, &other.skill) {
        (Some(one), Some(other)) => Some(one + "\n\n" + other),
        (one, other) => one.or_else(|| other.clone()),
    };
    one.places = one.places.zip(other.places).map(|(one, other)| one + other);
    one
}
