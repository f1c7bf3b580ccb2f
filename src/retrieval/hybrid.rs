//! memkeep's own policy, for the store of any system: the memories whose words are most those of
//! the task.
//!
//! ```text
//! task ─> words, split and stemmed ─> terms that stand for them (short forms, look-alikes)
//!                                        │ rarity
//! memories ─> terms by place ─> lists ───┴─> points, place by place (BM25F) ─> + importance
//! ```
//!
//! The weights are the same for every store. They were tuned on public questions and notes
//! (`cargo bench --bench lint_quality` prints how well it does there).

pub mod about;
mod postings;
mod query;
mod terms;
pub mod words;

use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

pub use self::postings::{Background, UNKNOWN};
use self::postings::{Index, counts};
use self::query::{Hit, Query};
use self::terms::{Counted, PLACES, Terms};
use super::{Asked, Factor, Match, Policy, Preview, RANKED_BY, Reason, Scorer, Snapshot, Verdict};
use super::{memory_at, short_of_place, whole};
use crate::memory::schema::{IMPORTANCE, Kind};
use crate::memory::{Memory, Role, State, Timestamp, plural, tokens_of};

/// Memories that are selected where nobody says how many.
const DEFAULT_MAX: usize = 5;

/// The part of its points that a memory of the highest importance gets on top of them: enough
/// to decide between two that say as much about the task.
const FOR_IMPORTANCE: f64 = 0.1;

/// The name of the policy, and of the dialect that stands for it.
pub const HYBRID: &str = "hybrid";

/// The policy.
pub static POLICY: Policy = Policy {
    flags: RANKED_BY,
    gives_texts: false,
    ..Policy::new(HYBRID, |memories| {
        Box::new(HybridScorer {
            memories,
            index: OnceLock::new(),
        })
    })
};

struct HybridScorer {
    memories: Snapshot,
    index: OnceLock<Index>,
}

/// How important a memory is, 0 to 1, and its own word for it; none where it does not say.
fn importance(memory: &Memory) -> Option<(f64, String)> {
    let spec = memory.schema.role(Role::Importance)?;
    let value = memory.field(spec.name)?;
    let level = match spec.kind {
        Kind::Choice(words) => {
            let own = value.as_str()?;
            let at = words.iter().position(|word| *word == own)?;
            at as f64 / words.len().saturating_sub(1).max(1) as f64
        }
        Kind::Number((from, to)) => {
            let own: f64 = value.to_string().parse().ok()?;
            (own - from) / (to - from)
        }
        _ => return None,
    };
    let level = Some(level).filter(|level| level.is_finite());
    level.map(|level| (level.clamp(0.0, 1.0), value.to_string()))
}

struct Judged {
    memory: usize,
    score: f64,
    rank: Option<usize>,
    reason: Reason,
    /// Tokens that are over the budget.
    missing: usize,
    /// Tokens of its part of the prompt, where that is known.
    tokens: Option<usize>,
}

impl Judged {
    /// True if no task can select it.
    const fn is_never(&self) -> bool {
        use Reason::{Archived, Expired, Invisible};
        matches!(self.reason, Archived | Invisible | Expired)
    }
}

struct Ranking<'a> {
    memories: &'a [Arc<Memory>],
    index: &'a Index,
    query: Query,
    what_if: Option<(usize, &'a Memory)>,
    /// The terms of the memory in the place of another one.
    replaced: Option<(Terms, Counted)>,
    /// The least importance, and its word.
    least: Option<(f64, &'a str)>,
    now: Timestamp,
    /// The points of each memory, and the number of words that earn them.
    scores: Vec<(f64, usize)>,
}

/// Points that people read: a thousandth is less than any word earns.
fn rounded(points: f64) -> f64 {
    (points * 1000.0).round() / 1000.0
}

impl<'a> Ranking<'a> {
    fn new(memories: &'a Snapshot, index: &'a Index, asked: &Asked<'a>) -> Self {
        let query = Query::new(asked.task, index);
        let replaced = asked.what_if.map(|(_, memory)| {
            let mut terms = Terms::default();
            let counted = terms.of(memory, asked.texts);
            (terms, counted)
        });
        // The words of importance stand a third apart.
        let least = asked.limits.min_importance.as_deref();
        let least = least.and_then(|word| {
            let place = IMPORTANCE.iter().position(|known| *known == word)?;
            Some((place as f64 / (IMPORTANCE.len() - 1) as f64, word))
        });
        let mut ranking = Self {
            memories,
            index,
            scores: query.scores(index),
            query,
            what_if: asked.what_if,
            replaced,
            least,
            now: asked.task.now,
        };
        if let Some((at, _)) = asked.what_if {
            let points: f64 = ranking.hits(at).iter().map(Hit::sum).sum();
            if let Some((score, _)) = ranking.scores.get_mut(at) {
                *score = points;
            }
        }
        ranking
    }

    fn memory(&self, at: usize) -> Option<&Memory> {
        memory_at(self.memories, self.what_if, at)
    }

    /// The other version of a memory, taken apart.
    fn replaced(&self, at: usize) -> Option<&(Terms, Counted)> {
        let of = self.what_if.filter(|(replaced, _)| *replaced == at);
        self.replaced.as_ref().filter(|_| of.is_some())
    }

    fn hits(&self, at: usize) -> Vec<Hit> {
        let index = self.index;
        match self.replaced(at) {
            Some((terms, counted)) => self.query.hits(index, &counted.lengths, |variant| {
                counted.get(terms.names.get(&variant.term))
            }),
            None => self.query.hits(index, &index.lengths(at), |variant| {
                index.counts(at, variant.number)
            }),
        }
    }

    /// Judges a memory independently of all others.
    fn judge(&self, at: usize) -> Option<Judged> {
        let memory = self.memory(at)?;
        let own = match self.replaced(at) {
            Some(_) => importance(memory).map(|(level, _)| level),
            None => self.index.levels.get(at).copied().flatten(),
        };
        let (points, _) = self.scores.get(at).copied().unwrap_or_default();
        // A format that knows no importance has nothing below the least.
        let knows = memory.schema.role(Role::Importance).is_some();
        let least = self.least.filter(|_| knows);
        let is_enough = least.is_none_or(|(least, _)| own.is_some_and(|own| own >= least - 1e-6));
        let reason = match memory.state {
            State::Archived => Reason::Archived,
            State::Active if !counts(memory) => Reason::Invisible,
            State::Active if memory.is_expired(self.now) => Reason::Expired,
            State::Active if !is_enough => Reason::BelowImportance,
            State::Active if points > 0.0 => Reason::Selected,
            State::Active => Reason::NoMatch,
        };
        Some(Judged {
            memory: at,
            score: points * (1.0 + FOR_IMPORTANCE * own.unwrap_or_default()),
            rank: None,
            reason,
            missing: 0,
            tokens: None,
        })
    }

    /// All memories, best first, and where they are level by place; last those without points.
    fn judged(&self) -> Vec<Judged> {
        let all = (0..self.memories.len()).filter_map(|at| self.judge(at));
        let mut all: Vec<Judged> = all.collect();
        all.sort_by_cached_key(|one| self.order(one));
        all
    }

    /// The place of a memory in the ranking: of those that people read alike, cautions come first.
    #[expect(clippy::cast_possible_truncation, reason = "far below 2^63")]
    fn order(&self, one: &Judged) -> impl Ord + use<> {
        let is_caution = self.memory(one.memory).is_some_and(|own| own.is_caution);
        let alike = match one.score < 2.0 {
            true => (one.score * 100.0).round(),
            false => (one.score * 10.0).round() * 10.0,
        };
        let exact = Reverse((one.score * 1e6).round() as i64);
        (one.is_never(), Reverse(alike as i64), !is_caution, exact)
    }

    /// The verdict on a memory. `goal`: the places, and the last points if all are taken.
    fn verdict(&self, judged: &Judged, goal: (usize, Option<f64>)) -> Option<Verdict> {
        let memory = self.memory(judged.memory)?;
        let hits = match judged.is_never() {
            true => Vec::new(),
            false => self.hits(judged.memory),
        };
        let hits_back = hits.iter().rev();
        let best = hits_back.max_by(|one, other| one.sum().total_cmp(&other.sum()));
        let matched = best.and_then(|hit| self.forms(hit));
        let matched = matched.map(|(hit, own)| Match {
            pattern: own.to_owned(),
            kind: "word",
            hit: hit.to_owned(),
        });
        Some(Verdict {
            rank: judged.rank,
            score: (!judged.is_never()).then(|| rounded(judged.score)),
            factors: self.factors(memory, &hits),
            matched,
            hint: self.hint(memory, judged, goal),
            tokens: judged.tokens.unwrap_or(memory.tokens as usize),
            ..Verdict::of(judged.memory, memory, judged.reason)
        })
    }

    /// Which word earns how much in which place, and what the importance adds.
    fn factors(&self, memory: &Memory, hits: &[Hit]) -> Vec<Factor> {
        let mut factors = Vec::new();
        let mut sum = 0.0;
        for hit in hits {
            sum += hit.sum();
            // `throttle`, or `throttle as throttling` where the memory has another form of it.
            let word = match (self.forms(hit), hit.variant) {
                (None, _) => String::new(),
                (Some((word, _)), 0) => word.to_owned(),
                (Some((word, own)), _) => format!("{word} as {own}"),
            };
            let each = PLACES.iter().zip(hit.points).zip(hit.counts);
            for (((name, ..), points), count) in each.filter(|(_, count)| *count > 0) {
                let detail = match count {
                    1 => word.clone(),
                    count => format!("{word} ×{count}"),
                };
                factors.push(Factor {
                    name,
                    points: rounded(points),
                    detail,
                });
            }
        }
        let importance = importance(memory).filter(|(level, _)| *level > 0.0 && sum > 0.0);
        factors.extend(importance.map(|(level, word)| Factor {
            name: "importance",
            points: rounded(sum * FOR_IMPORTANCE * level),
            detail: word,
        }));
        factors
    }

    /// The word of the task, and the one that the memory has.
    fn forms(&self, hit: &Hit) -> Option<(&str, &str)> {
        let wanted = self.query.words.get(hit.word)?;
        let variant = wanted.variants.get(hit.variant)?;
        let names = &self.index.names.names;
        let known = variant.number.and_then(|number| names.get(number as usize));
        Some((&wanted.word, known.map_or(&*variant.term, |(_, word)| word)))
    }

    fn hint(
        &self,
        memory: &Memory,
        judged: &Judged,
        (places, last): (usize, Option<f64>),
    ) -> Option<String> {
        Some(match judged.reason {
            Reason::Archived => "it is archived: restore it".to_owned(),
            Reason::Invisible | Reason::Expired => memory.hidden_at(self.now)?.into_owned(),
            Reason::BelowImportance => {
                let least = self.least.map_or("", |(_, word)| word);
                format!("below {least}")
            }
            Reason::OverBudget => format!("{} over the budget", plural(judged.missing, "token")),
            Reason::OverLimit => {
                let last = last.unwrap_or(judged.score);
                short_of_place(rounded(last - judged.score), places)
            }
            Reason::NoMatch => match self.telling() {
                Some(word) => {
                    format!("it has no word of the task; if it is about `{word}`, let it say so")
                }
                None => "no word of the task says what it is about".to_owned(),
            },
            _ => return None,
        })
    }

    /// The word of the task that tells most, whole.
    fn telling(&self) -> Option<&str> {
        let words = self.query.words.iter().rev();
        let points = words.map(|word| {
            let own = word.variants.first().map_or(0.0, |own| own.points);
            (own, &*word.whole)
        });
        let best = points.max_by(|one, other| one.0.total_cmp(&other.0));
        best.map(|(_, word)| word)
    }
}

/// Gives each memory its place or the reason why it has none; returns the prompt.
fn choose(ranking: &Ranking<'_>, all: &mut [Judged], places: usize, asked: &Asked<'_>) -> String {
    let room = asked.limits.budget.map(|budget| budget.saturating_mul(4));
    let mut prompt = String::new();
    let mut count = 0;
    for judged in all.iter_mut().filter(|one| one.reason == Reason::Selected) {
        if count >= places {
            judged.reason = Reason::OverLimit;
            continue;
        }
        let Some(memory) = ranking.memory(judged.memory) else {
            continue;
        };
        let block = whole::block(memory, asked.texts);
        let head = if prompt.is_empty() { whole::HEAD } else { "" };
        let length = prompt.len() + head.len() + block.len();
        if let Some(room) = room.filter(|room| length > *room) {
            judged.reason = Reason::OverBudget;
            judged.missing = tokens_of(length - room);
            continue;
        }
        prompt.push_str(head);
        prompt.push_str(&block);
        count += 1;
        judged.rank = Some(count);
        judged.tokens = Some(tokens_of(block.len()));
    }
    prompt
}

impl Scorer for HybridScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let limits = asked.limits;
        let places = limits.max.unwrap_or(DEFAULT_MAX);
        let build = || Index::build(&self.memories, asked.texts, Background::default());
        let ranking = Ranking::new(&self.memories, self.index.get_or_init(build), asked);
        let mut all = ranking.judged();
        let prompt = choose(&ranking, &mut all, places, asked);
        let is_in = |one: &Judged| one.reason == Reason::Selected;
        let (selected, mut rejected): (Vec<Judged>, Vec<Judged>) = all.into_iter().partition(is_in);
        match asked.wanted {
            Some(wanted) => rejected.retain(|one| wanted.contains(&one.memory)),
            None => rejected.truncate(limits.rejected),
        }
        let last = selected.last().map(|one| one.score);
        let goal = (places, last.filter(|_| selected.len() == places));
        let verdicts = |all: &[Judged]| -> Vec<Verdict> {
            let verdicts = all.iter().map(|one| ranking.verdict(one, goal));
            verdicts.flatten().collect()
        };
        Arc::new(Preview {
            policy: HYBRID,
            rejected: verdicts(&rejected),
            rejected_total: self.memories.len() - selected.len(),
            selected: verdicts(&selected),
            prompt,
            budget: limits.budget,
            places: Some(places),
            ..Preview::default()
        })
    }
}
