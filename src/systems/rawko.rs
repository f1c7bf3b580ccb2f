//! The policy of rawko: a memory is injected where one of its `whenToUse` patterns matches the
//! task, the best scored first (SPEC-0007 and SPEC-0009; formats: rawko).

pub mod pattern;

mod hint;
mod judge;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use crate::memory::schema::IMPORTANCE;
use crate::memory::{Memory, Role, Schema, tokens_of};
use crate::retrieval::phrase::Lexicon;
use crate::retrieval::{
    Asked, Limits, Policy, Preview, RANKED_BY, Reason, Scorer, Snapshot, Task, Texts, Verdict, js,
};
use hint::{Case, Goal};
pub use judge::not_valid;
use judge::{Facts, Judge, Judged};

/// Memories that are injected where nobody says how many.
pub const DEFAULT_MAX: usize = 5;

/// Which code or reading of the specs decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `arbiter`, and phrases match by their meaning; every memory of a file counts.
    Natural,
    /// The code of SPEC-0007.
    Arbiter,
    /// Matching and prompt of SPEC-0009.
    Unified,
    /// `arbiter` with the differences of the real code.
    Sdk,
}

impl Dialect {
    /// All of them, the default first.
    const ALL: [Self; 4] = [Self::Natural, Self::Arbiter, Self::Unified, Self::Sdk];
    const NAMES: [&str; 4] = ["natural", "arbiter", "unified", "sdk"];

    /// The dialect with this name; the default where there is none.
    pub fn named(name: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|dialect| dialect.name() == name)
            .unwrap_or(Self::Natural)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.get(self as usize).copied().unwrap_or_default()
    }
}

/// Points of the importances, the least first.
const POINTS: [i64; 4] = [5, 15, 25, 30];

/// Place in the order and points of an importance.
fn level(importance: &str) -> Option<(usize, i64)> {
    let place = IMPORTANCE.iter().position(|word| *word == importance)?;
    Some((place, *POINTS.get(place)?))
}

/// The policy.
pub static RAWKO: Policy = Policy {
    dialects: &Dialect::NAMES,
    flags: RANKED_BY,
    skill: Some(include_str!("../../assets/skill/rawko.md")),
    ..Policy::new("rawko", |memories| {
        Box::new(RawkoScorer {
            memories,
            matcher: pattern::Matcher::default(),
            facts: OnceLock::new(),
            last: Mutex::default(),
        })
    })
};

/// A task with its limits, and the judged memories, best first.
type Answered = (Task, Limits, Arc<Vec<Judged>>);

struct RawkoScorer {
    memories: Snapshot,
    matcher: pattern::Matcher,
    facts: OnceLock<Vec<Facts>>,
    /// The judged memories of the last task, best first: the screen asks for a preview, for the same
    /// with an edit made, and for the verdicts of its rows.
    last: Mutex<Option<Answered>>,
}

/// Memories that one thread judges in a row. Fewer are not worth waking another one for, which
/// takes its time where the processors are busy.
const TOGETHER: usize = 512;

#[derive(Default)]
struct Chosen {
    verdicts: Vec<Verdict>,
    prompt: String,
    /// The tokens that the budget lacks for others.
    missing: HashMap<usize, usize>,
    /// Score and index of the last one.
    last: Option<(i64, usize)>,
}

impl RawkoScorer {
    fn facts(&self) -> &[Facts] {
        self.facts.get_or_init(|| {
            let each = self.memories.par_iter().with_min_len(64);
            let facts = |lexicon: &mut Lexicon, memory: &Arc<Memory>| Facts::new(memory, lexicon);
            each.map_init(Lexicon::default, facts).collect()
        })
    }

    /// All memories, judged, best first. The snapshot is in the order of paths: that breaks the ties.
    fn judged(&self, judge: &Judge<'_>, limits: &Limits) -> Arc<Vec<Judged>> {
        let limits = Limits {
            max: None,
            budget: None,
            rejected: 0,
            ..limits.clone()
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((task, of, judged)) = &*last
            && (task, of) == (judge.task, &limits)
        {
            return Arc::clone(judged);
        }
        let all = self.memories.par_iter().zip(self.facts()).enumerate();
        let all = all.with_min_len(TOGETHER);
        let judged = all.map_init(Lexicon::default, |lexicon, (at, (memory, facts))| {
            judge.judge((at, memory), facts, lexicon)
        });
        let mut judged: Vec<Judged> = judged.collect();
        judged.par_sort_by_key(|one| Reverse(one.score));
        let judged = Arc::new(judged);
        *last = Some((judge.task.clone(), limits, Arc::clone(&judged)));
        judged
    }
}

/// Takes the best memories in, as many as have a place and fit the budget.
fn choose<'a>(
    judge: &Judge<'_>,
    ranked: &[&Judged],
    of: impl Fn(&Judged) -> Option<(&'a Memory, &'a Facts)>,
    (limits, texts): (&Limits, &dyn Texts),
) -> Chosen {
    let places = limits.max.unwrap_or(DEFAULT_MAX);
    let mut chosen = Chosen::default();
    for judged in ranked.iter().filter(|one| one.reason == Reason::Selected) {
        if chosen.verdicts.len() >= places {
            break;
        }
        let Some((memory, facts)) = of(judged) else {
            continue;
        };
        let body = match judge.dialect {
            Dialect::Natural => texts.body(memory),
            _ => texts.loader_body(memory),
        };
        let part = section(memory, &body.unwrap_or_default(), judge.dialect);
        let above = match chosen.prompt.is_empty() {
            true => heading(judge.dialect),
            false => "",
        };
        let tokens = tokens_of(chosen.prompt.len() + above.len() + part.len());
        let missing = limits.budget.map(|budget| tokens.saturating_sub(budget));
        if let Some(missing @ 1..) = missing {
            chosen.missing.insert(judged.memory, missing);
            continue;
        }
        chosen.prompt.push_str(above);
        chosen.prompt.push_str(&part);
        chosen.verdicts.push(Verdict {
            rank: Some(chosen.verdicts.len() + 1),
            tokens: tokens_of(part.len()),
            ..judge.verdict((memory, facts), judged)
        });
        chosen.last = judged.score.map(|score| (score, judged.memory));
    }
    chosen
}

impl Scorer for RawkoScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let limits = asked.limits;
        let judge = Judge::new(asked.task, limits, &self.matcher);
        let all = self.judged(&judge, limits);
        let mut ranked: Vec<&Judged> = all.iter().collect();
        let other = asked.what_if.filter(|(at, _)| *at < all.len());
        let other = other.map(|(at, memory)| {
            let mut lexicon = Lexicon::default();
            let facts = Facts::new(memory, &mut lexicon);
            let judged = judge.judge((at, memory), &facts, &mut lexicon);
            (judged, memory, facts)
        });
        if let Some((judged, ..)) = &other {
            let key = |one: &Judged| (Reverse(one.score), one.memory);
            ranked.retain(|one| one.memory != judged.memory);
            let place = ranked.partition_point(|one| key(one) < key(judged));
            ranked.insert(place, judged);
        }
        let of = |judged: &Judged| match &other {
            Some((own, memory, facts)) if own.memory == judged.memory => Some((*memory, facts)),
            _ => {
                let memory = self.memories.get(judged.memory)?;
                Some((&**memory, self.facts().get(judged.memory)?))
            }
        };
        let chosen = choose(&judge, &ranked, of, (limits, asked.texts));
        let places = limits.max.unwrap_or(DEFAULT_MAX);
        let goal = &Goal {
            places,
            last: chosen.last.filter(|_| chosen.verdicts.len() >= places),
            no_hints: limits.no_hints,
        };
        ranked.retain(|one| {
            let is_wanted = asked.wanted.is_none_or(|all| all.contains(&one.memory));
            is_wanted && !chosen.verdicts.iter().any(|own| own.memory == one.memory)
        });
        if asked.wanted.is_none() {
            ranked.truncate(limits.rejected);
        }
        let verdict = |lexicon: &mut Lexicon, judged: &&Judged| {
            let (memory, facts) = of(judged)?;
            let mut judged = (*judged).clone();
            if let Some(missing) = chosen.missing.get(&judged.memory) {
                judged.reason = Reason::OverBudget;
                judged.missing = *missing;
            } else if judged.reason == Reason::Selected {
                judged.reason = Reason::OverLimit;
            }
            let case = Case {
                judged,
                memory,
                facts,
                judge: &judge,
                goal,
            };
            Some(case.verdict(lexicon))
        };
        let rejected = ranked.par_iter().with_min_len(TOGETHER);
        let rejected = rejected.map_init(Lexicon::default, verdict);
        Arc::new(Preview {
            policy: "rawko",
            dialect: judge.dialect.name(),
            rejected: rejected.flatten_iter().collect(),
            rejected_total: self.memories.len() - chosen.verdicts.len(),
            selected: chosen.verdicts,
            prompt: chosen.prompt,
            budget: limits.budget,
            places: Some(places),
            ..Preview::default()
        })
    }
}

/// UTF-16 units of a body that are kept.
const KEPT: usize = 500;

/// Position where the prompt cuts a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The first byte of the text that is not kept whole.
    pub at: usize,
    /// True if a heading ends it, and not the length.
    pub heading: bool,
}

/// True if the prompt of a format's system ends bodies as [`cut`] says.
pub fn cuts(schema: &Schema) -> bool {
    schema.policy == "rawko"
}

/// Returns the cut of a body, which may have blanks around it; none if the prompt keeps all of it.
pub fn cut(text: &str, dialect: Dialect) -> Option<Cut> {
    let body = text.trim_start_matches(js::is_space);
    let start = text.len() - body.len();
    let body = body.trim_end_matches(js::is_space);
    let by_heading = dialect != Dialect::Unified;
    let mut units = 0;
    for (at, c) in body.char_indices() {
        let begins = || body.get(at..).is_some_and(|rest| rest.starts_with("\n# "));
        let heading = c == '\n' && by_heading && units < KEPT && begins();
        units += c.len_utf16();
        if heading || units > KEPT {
            let at = start + at;
            return Some(Cut { at, heading });
        }
    }
    None
}

const fn heading(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Unified => "## Background Knowledge from Previous Runs\n\n",
        _ => {
            "## Background Knowledge from Previous Runs\n\n\
             The following information was learned from prior runs and may be relevant:\n\n"
        }
    }
}

/// The part of one memory. `body` is what the system's loader takes for it.
fn section(memory: &Memory, body: &str, dialect: Dialect) -> String {
    let field = |role| memory.role(role).map(js::string).unwrap_or_default();
    let body = js::trim(body);
    let body = match cut(body, dialect) {
        None => body.to_owned(),
        Some(cut) if cut.heading => body.get(..cut.at).unwrap_or_default().to_owned(),
        Some(_) => js::head(body, KEPT).0 + "...",
    };
    format!(
        "### {}\n*Importance: {}*\n*Discovered by: {}*\n\n{body}\n\n",
        field(Role::Title),
        memory.importance().unwrap_or_default().to_uppercase(),
        field(Role::Author),
    )
}
