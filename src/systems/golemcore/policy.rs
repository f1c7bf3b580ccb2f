//! The policy of golemcore's Memory V2: what its retrieval collects, scores, reranks, selects and
//! packs, step by step (formats: golemcore, "Retrieval, step by step").

mod pack;
mod query;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Value, plural};
use crate::retrieval::{
    Asked, Policy, Preview, Reason, Scorer, Snapshot, Texts, Verdict, memory_at,
};
use crate::systems::golemcore::config::{MODES, STYLES};
use crate::systems::golemcore::{Instant, Layer, config, scope};
use pack::{Candidate, Pack, Selection};
use query::{Exclusion, Facts, Query};

/// The policy.
pub static POLICY: Policy = Policy {
    dialects: &["golemcore", SPEC],
    flags: FLAGS,
    check,
    // Its hint names tools that expand a section.
    for_other_agents: &[("disclosure.toolExpansionEnabled", "false")],
    skill: Some(include_str!("../../../assets/skill/golemcore.md")),
    ..Policy::new("golemcore", |memories| {
        let facts = OnceLock::new();
        Box::new(GolemcoreScorer { memories, facts })
    })
};

/// The dialect of the specification: each layer has its share of the soft budget, files of the task
/// earn points, and duplicates take no places.
const SPEC: &str = "spec";

const FLAGS: &[&str] = &["max", "budget", "preset", "skill", "scope", "mode", "style"];

fn check(name: &str, value: &str) -> Result<(), String> {
    let is_scope = |scope: &str| scope::known(scope).is_some();
    let one_of = |words: &[&str]| match words.contains(&&*value.trim().to_lowercase()) {
        true => Ok(()),
        false => Err(format!("one of {}", words.join(", "))),
    };
    let presets = config::presets().collect::<Vec<_>>();
    match name {
        "skill" => Ok(()),
        "preset" => one_of(&presets),
        "scope" if value.split(',').all(is_scope) => Ok(()),
        "scope" => Err(scope::FORMS.to_owned()),
        "mode" => one_of(&MODES.map(|(word, _)| word)),
        "style" => one_of(&STYLES.map(|(word, _)| word)),
        _ => {
            let flags = FLAGS.join(", ");
            Err(format!("no such setting; there are {flags}"))
        }
    }
}

struct GolemcoreScorer {
    memories: Snapshot,
    facts: OnceLock<Vec<Facts>>,
}

impl GolemcoreScorer {
    fn facts(&self, texts: &dyn Texts) -> &[Facts] {
        self.facts.get_or_init(|| {
            let memories = self.memories.par_iter();
            memories.map(|memory| Facts::of(memory, texts)).collect()
        })
    }

    fn run<'a>(&'a self, asked: &Asked<'a>) -> Run<'a> {
        let facts = |(at, memory)| (at, Facts::of(memory, asked.texts));
        let mut run = Run {
            memories: &self.memories,
            facts: self.facts(asked.texts),
            query: Query::new(asked.task, asked.limits),
            what_if: asked.what_if,
            replaced: asked.what_if.map(facts),
            selection: Selection::default(),
        };
        run.selection = Selection::new(run.candidates(), &run.query);
        run
    }
}

/// One preview at work: the task, what stands for each memory, and what is selected, before the
/// budget.
struct Run<'a> {
    memories: &'a [Arc<Memory>],
    facts: &'a [Facts],
    query: Query,
    what_if: Option<(usize, &'a Memory)>,
    replaced: Option<(usize, Facts)>,
    selection: Selection,
}

impl Run<'_> {
    fn memory(&self, index: usize) -> Option<&Memory> {
        memory_at(self.memories, self.what_if, index)
    }

    fn facts(&self, index: usize) -> Option<&Facts> {
        match &self.replaced {
            Some((replaced, facts)) if *replaced == index => Some(facts),
            _ => self.facts.get(index),
        }
    }

    fn candidates(&self) -> Vec<Candidate> {
        if !self.query.config.enabled {
            return Vec::new();
        }
        let candidate = |at: usize| {
            let facts = self.facts(at)?;
            if self.query.exclusion(facts).is_some() {
                return None;
            }
            let score = self.query.score(facts);
            Some(Candidate {
                memory: at,
                score: score.total,
                key: score.boost.iter().fold(score.total, |sum, part| sum + part),
                stamp: facts.stamp,
                place: (self.query.place(facts), facts.number),
                layer: facts.layer,
                scope: self.query.scope_number(&facts.scope),
                identity: facts.identity.clone(),
            })
        };
        let all = (0..self.memories.len()).into_par_iter().with_min_len(256);
        all.filter_map(candidate).collect()
    }

    fn verdict(&self, at: usize, reason: Reason) -> Option<Verdict> {
        let mut verdict = Verdict::of(at, self.memory(at)?, reason);
        let facts = self.facts(at)?;
        if self.query.config.enabled && self.query.exclusion(facts).is_none() {
            let score = self.query.score(facts);
            verdict.score = Some(score.total);
            verdict.factors = self.query.factors(facts, &score);
        }
        Some(verdict)
    }

    fn left_out(&self, at: usize) -> Option<Verdict> {
        let facts = self.facts(at)?;
        let exclusion = self.query.exclusion(facts);
        let (reason, hint) = match (exclusion, self.selection.twin(at)) {
            _ if !self.query.config.enabled => (Reason::Disabled, OFF.to_owned()),
            (Some(exclusion), _) => self.excluded(self.memory(at)?, facts, exclusion),
            (None, Some(first)) => {
                let first = &self.memory(first)?.id;
                let hint = "has the same fingerprint and stands before it; its place is wasted";
                (Reason::Duplicate, format!("{first} {hint}"))
            }
            (None, None) => (Reason::OverLimit, self.over_limit(facts.layer, at)),
        };
        let now = || self.query.now.timestamp().to_rfc3339();
        let remedy = match (reason, exclusion) {
            (Reason::Expired, Some(Exclusion::Ttl)) => Some(("ttlDays", Value::Null)),
            (Reason::Expired, _) => Some(("updatedAt", now().into())),
            _ => None,
        };
        let remedy = remedy.map(|(field, value)| FieldEdit::set(field, value));
        Some(Verdict {
            hint: Some(hint),
            remedy: remedy.into_iter().collect(),
            ..self.verdict(at, reason)?
        })
    }

    fn over_limit(&self, layer: Layer, at: usize) -> String {
        let places = self.query.config.top_k.get(layer as usize).copied();
        let places = places.unwrap_or_default();
        let layer = layer.word();
        let name = format!("{}TopK", layer.to_lowercase());
        let own = self.selection.all().find(|one| one.memory == at);
        let needed = own.map_or(1, |own| self.selection.before(own) + 1);
        format!("a larger {name} gives it a place of {layer}: {needed}, now {places}")
    }

    fn excluded(&self, memory: &Memory, facts: &Facts, exclusion: Exclusion) -> (Reason, String) {
        let config = &self.query.config;
        let day = |at: Option<Instant>| at.map_or(String::new(), |at| at.timestamp().date());
        match exclusion {
            Exclusion::Archived => (Reason::Archived, "it is archived: restore it".to_owned()),
            Exclusion::Unread => {
                let why = memory.hidden.as_deref().unwrap_or("the reader skips it");
                (Reason::Invisible, why.to_owned())
            }
            Exclusion::OutOfScope => {
                let is_asked = self.query.scopes.iter().any(|asked| **asked == *facts.tree);
                let scope = if is_asked { &facts.scope } else { &facts.tree };
                let hint = format!("its scope is not asked for: --scope {scope}");
                (Reason::NoMatch, hint)
            }
            Exclusion::OtherDay(..0) => {
                let hint = "the day of its file is still to come";
                (Reason::Invisible, hint.to_owned())
            }
            Exclusion::OtherDay(back) => {
                let most = config.lookback;
                let hint = format!(
                    "its day is {back} days back, and retrievalLookbackDays is {most}; promoting \
                     it keeps it"
                );
                (Reason::Invisible, hint)
            }
            Exclusion::Ttl => {
                let end = day(facts.ttl_end);
                let hint = format!("its ttlDays were over on {end}; without `ttlDays` it lives on");
                (Reason::Expired, hint)
            }
            Exclusion::Decayed => {
                let (stamp, days) = (day(facts.stamp), config.decay_days);
                let hint = format!(
                    "not updated since {stamp}, and decayDays is {days}: any edit sets `updatedAt`"
                );
                (Reason::Expired, hint)
            }
        }
    }

    /// Those that are not selected and asked for; else the best of them, as many as the limits say:
    /// by score, then by place; last those that have none.
    fn rejected(
        &self,
        selected: &[Verdict],
        dropped: &[Verdict],
        asked: &Asked<'_>,
    ) -> Vec<Verdict> {
        let is_out = |at: &usize| !selected.iter().any(|verdict| verdict.memory == *at);
        let mut left: Vec<usize> = match asked.wanted {
            Some(wanted) => wanted.to_vec(),
            None => (0..self.memories.len()).collect(),
        };
        left.retain(is_out);
        if asked.wanted.is_none() {
            let all = self.selection.all();
            let scores: HashMap<usize, f64> = all.map(|one| (one.memory, one.score)).collect();
            let score = |at: &usize| scores.get(at).copied().unwrap_or(f64::NEG_INFINITY);
            left.sort_by(|a, b| score(b).total_cmp(&score(a)));
            left.truncate(asked.limits.rejected);
        }
        let one = |at: &usize| {
            let known = dropped.iter().find(|verdict| verdict.memory == *at);
            known.cloned().or_else(|| self.left_out(*at))
        };
        left.par_iter().filter_map(one).collect()
    }
}

const OFF: &str = "memories are switched off: the setting `enabled` is false";

impl Scorer for GolemcoreScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let run = self.run(asked);
        let config = &run.query.config;
        let mut pack = Pack::new(config);
        let (mut selected, mut dropped) = (Vec::new(), Vec::new());
        let chosen = run.selection.chosen.iter().filter_map(|candidate| {
            let at = candidate.memory;
            let (memory, facts) = run.memory(at).zip(run.facts(at))?;
            let body = asked.texts.body(memory).unwrap_or_default();
            let tokens = pack::tokens(memory, &body);
            Some((candidate, memory, facts, body, tokens))
        });
        let chosen: Vec<_> = chosen.collect();
        if run.query.is_spec {
            let all = chosen.iter();
            pack.reserve(all.map(|(candidate, .., tokens)| (*candidate, *tokens)));
        }
        for (candidate, memory, facts, body, tokens) in &chosen {
            let (at, tokens) = (candidate.memory, *tokens);
            let taken = pack.take((memory, facts), (body, tokens), candidate);
            let (reason, hint) = match taken {
                Ok(true) => (Reason::Selected, None),
                Ok(false) => (Reason::Selected, Some(pack.unwritten())),
                Err(missing) => {
                    let (missing, used) = (plural(missing, "token"), pack.used);
                    let budget = pack.budget(candidate.score);
                    let hint = format!(
                        "{missing} too many for its {tokens}: {used} of {budget} are taken when \
                         its turn comes"
                    );
                    (Reason::OverBudget, Some(hint))
                }
            };
            let rank = taken.is_ok().then_some(selected.len() + 1);
            let verdict = run.verdict(at, reason).map(|verdict| Verdict {
                is_unwritten: taken == Ok(false),
                tokens,
                hint,
                rank,
                ..verdict
            });
            let is_in = taken.is_ok();
            let list = if is_in { &mut selected } else { &mut dropped };
            list.extend(verdict);
        }
        let summary = match config.enabled {
            true => pack.summary(&run.selection, selected.len(), self.memories.len()),
            false => OFF.to_owned(),
        };
        // Errors in the system's own settings, with their position.
        let faults = asked.limits.options.get("fault").into_iter();
        let faults = faults.flat_map(str::lines).map(str::to_owned);
        let notes = std::iter::once(summary).chain(faults);
        let prompt = match run.selection.chosen.is_empty() {
            true => String::new(),
            false => pack.render(),
        };
        Arc::new(Preview {
            policy: "golemcore",
            dialect: if run.query.is_spec { SPEC } else { "" },
            rejected: run.rejected(&selected, &dropped, asked),
            rejected_total: self.memories.len() - selected.len(),
            prompt,
            budget: config.enabled.then_some(config.soft),
            places: Some(config.top_k.iter().sum()),
            notes: notes.map(Into::into).collect(),
            selected,
            ..Preview::default()
        })
    }
}

#[cfg(test)]
mod tests;
