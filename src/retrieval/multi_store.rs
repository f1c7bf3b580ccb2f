//! Previews of several stores at once, each by its own system's policy, or by another one where the
//! limits name it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::hybrid::HYBRID;
use super::{Asked, Limits, Options, Policy, Preview, Scorer, Snapshot, StorePart, Verdict};
use crate::memory::{Memory, StoreId};

/// Builds scorers. Whoever needs previews is given it as a value: the workspace has the only one.
pub trait Previews: fmt::Debug + Send + Sync {
    /// Builds the scorer of a snapshot; not indexed.
    fn build(&self, policy: &'static Policy, memories: Snapshot) -> Box<dyn Scorer>;

    /// All policies.
    fn policies(&self) -> &'static [&'static Policy];

    /// The policy with a name.
    fn policy(&self, name: &str) -> Option<&'static Policy> {
        let mut policies = self.policies().iter().copied();
        policies.find(|policy| policy.name == name)
    }
}

/// How one store decides.
#[derive(Clone, Debug)]
pub struct StorePolicy {
    /// The store.
    pub store: StoreId,
    /// The policy of its system.
    pub policy: &'static Policy,
    /// Settings of its system's own configuration.
    pub options: Options,
}

/// The scorer of a snapshot that holds the memories of several stores.
pub struct MultiScorer {
    parts: Arc<Vec<Part>>,
    memories: Snapshot,
    previews: &'static dyn Previews,
    /// The parts by another policy, made when it is first asked for: an index takes room.
    others: Mutex<BTreeMap<&'static str, Arc<Vec<Part>>>>,
}

struct Part {
    of: StorePolicy,
    /// Its memories by their index in the whole snapshot, ascending.
    places: Vec<usize>,
    /// True if these are all memories of the snapshot, so that an index means the same in both.
    is_all: bool,
    scorer: Box<dyn Scorer>,
}

impl MultiScorer {
    /// The scorer of a snapshot; a memory of a store without a policy is left out.
    pub fn new(
        previews: &'static dyn Previews,
        policies: &[StorePolicy],
        memories: &Snapshot,
    ) -> Self {
        let part = |of: &StorePolicy| Part::new(previews, of.clone(), memories);
        Self {
            previews,
            parts: Arc::new(policies.iter().map(part).collect()),
            memories: memories.clone(),
            others: Mutex::default(),
        }
    }

    /// The parts by the policy that the limits name, or by the stores' own.
    fn parts(&self, limits: &Limits) -> Arc<Vec<Part>> {
        let hybrid = (limits.dialect == HYBRID).then_some(HYBRID);
        let named = limits.policy.or(hybrid);
        let Some(policy) = named.and_then(|name| self.previews.policy(name)) else {
            return Arc::clone(&self.parts);
        };
        let part = |part: &Part| {
            let of = StorePolicy {
                policy,
                ..part.of.clone()
            };
            Part::new(self.previews, of, &self.memories)
        };
        let make = || Arc::new(self.parts.iter().map(part).collect());
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(others.entry(policy.name).or_insert_with(make))
    }

    /// The limits of one store: a flag that only other policies have means nothing to it.
    fn limits(&self, part: &Part, limits: &Limits) -> Limits {
        let policy = part.of.policy;
        let has = |policy: &Policy, name: &str| policy.flags.contains(&name);
        let is_flag = |name: &str| self.previews.policies().iter().any(|one| has(one, name));
        let mut options = limits.options.clone();
        options.retain(|name| has(policy, name) || !is_flag(name));
        Limits {
            dialect: policy.dialect(limits.dialect),
            options: options.over(&part.of.options),
            ..limits.clone()
        }
    }
}

impl Part {
    fn new(previews: &dyn Previews, of: StorePolicy, memories: &Snapshot) -> Self {
        let of_store = |(_, memory): &(usize, &Arc<Memory>)| memory.id.store == of.store;
        let all = memories.iter().enumerate().filter(of_store);
        let (places, own): (Vec<usize>, Vec<Arc<Memory>>) =
            all.map(|(index, memory)| (index, memory.clone())).unzip();
        Self {
            is_all: own.len() == memories.len(),
            places,
            scorer: previews.build(of.policy, Arc::new(own)),
            of,
        }
    }

    /// Names memories by their index in the whole snapshot again.
    fn whole(&self, verdicts: &mut [Verdict]) {
        for verdict in verdicts {
            if let Some(place) = self.places.get(verdict.memory) {
                verdict.memory = *place;
            }
        }
    }

    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let own = |index: usize| self.places.binary_search(&index).ok();
        let what_if = asked.what_if;
        let what_if = what_if.and_then(|(index, memory)| Some((own(index)?, memory)));
        let wanted = asked.wanted.map(|all| all.iter().copied().filter_map(own));
        let wanted: Option<Vec<usize>> = wanted.map(Iterator::collect);
        let preview = self.scorer.answer(&Asked {
            what_if,
            wanted: wanted.as_deref(),
            ..*asked
        });
        if self.is_all {
            return preview;
        }
        let mut preview = Arc::unwrap_or_clone(preview);
        self.whole(&mut preview.selected);
        self.whole(&mut preview.rejected);
        for candidate in &mut preview.candidates {
            let place = self.places.get(candidate.about.memory);
            candidate.about.memory = place.copied().unwrap_or_default();
        }
        preview.parts = vec![StorePart {
            store: self.of.store.clone(),
            selected: preview.selected.len(),
            places: preview.places,
            is_always: !(self.of.policy.goes_by_task)(asked.limits.dialect),
            rejected: preview.rejected_total,
            prompt: preview.prompt.clone(),
            skill: preview.skill.take(),
        }];
        for note in &mut preview.notes {
            note.store = Some(self.of.store.clone());
        }
        Arc::new(preview)
    }
}

impl Scorer for MultiScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let parts = self.parts(asked.limits);
        let shown = parts
            .iter()
            .filter(|part| !asked.limits.hidden.contains(&part.of.store));
        let previews = shown.map(|part| {
            let limits = &self.limits(part, asked.limits);
            part.answer(&Asked { limits, ..*asked })
        });
        let joined = previews.reduce(|one, other| Arc::new(joined(one, &other)));
        let none = || Preview {
            budget: asked.limits.budget,
            places: asked.limits.max,
            ..Preview::default()
        };
        joined.unwrap_or_else(|| Arc::new(none()))
    }
}

/// The texts that an agent is given as one text, a blank line between those that are not empty.
pub fn join<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join("\n\n")
}

/// Two previews as one: a person reads the stores one after the other, and so does an agent.
fn joined(one: Arc<Preview>, other: &Preview) -> Preview {
    let mut one = Arc::unwrap_or_clone(one);
    one.selected.extend(other.selected.iter().cloned());
    one.rejected.extend(other.rejected.iter().cloned());
    one.rejected_total += other.rejected_total;
    one.parts.extend(other.parts.iter().cloned());
    one.notes.extend(other.notes.iter().cloned());
    one.candidates.extend(other.candidates.iter().cloned());
    one.prompt = join([&*one.prompt, &*other.prompt]);
    one.places = one.places.zip(other.places).map(|(one, other)| one + other);
    one
}
