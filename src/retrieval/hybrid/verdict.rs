//! Verdict on a memory, with the reasons.

use std::collections::BTreeMap;

use super::part::Part;
use super::query::{Hit, Query};
use super::select::{Judged, Run};
use crate::memory::{Memory, Role, plural};
use crate::retrieval::{Factor, Match, Reason, Verdict, short_of_place};

/// Points that people read: a thousandth is less than any word earns.
fn rounded(points: f64) -> f64 {
    (points * 1000.0).round() / 1000.0
}

/// The score of the last place, and how many places there are.
pub struct Goal {
    /// Maximum number of selected memories.
    pub places: usize,
    /// Points of the last selected one, if every place is taken.
    pub last: Option<f64>,
}

impl Run<'_> {
    /// The verdicts on some memories, in their order.
    pub fn verdicts(&self, judged: &[Judged], goal: &Goal) -> Vec<Verdict> {
        let mut wanted: Vec<usize> = judged.iter().map(|judged| judged.memory).collect();
        wanted.sort_unstable();
        let mut hits = self.query.hits(self.index, &wanted);
        if let Some((at, replaced)) = &self.replaced {
            hits.remove(at);
            if wanted.binary_search(at).is_ok() {
                hits.insert(*at, self.hits_of(replaced));
            }
        }
        let one = |judged: &Judged| self.verdict(judged, &hits, goal);
        judged.iter().filter_map(one).collect()
    }

    fn verdict(
        &self,
        judged: &Judged,
        hits: &BTreeMap<usize, Vec<Hit>>,
        goal: &Goal,
    ) -> Option<Verdict> {
        let memory = self.memory(judged.memory)?;
        let has_score = !matches!(
            judged.reason,
            Reason::Archived | Reason::Invisible | Reason::Expired
        );
        let hits = hits.get(&judged.memory).map_or(&[][..], Vec::as_slice);
        let hits = if has_score { hits } else { &[] };
        Some(Verdict {
            memory: judged.memory,
            rank: judged.rank,
            score: has_score.then(|| rounded(judged.score)),
            factors: self.factors(memory, hits),
            matched: best(hits).map(|hit| matched(self.query, hit, self)),
            reason: judged.reason,
            hint: self.hint(memory, judged, goal),
            remedy: Vec::new(),
            tokens: judged.tokens.unwrap_or(memory.tokens as usize),
        })
    }

    /// Which word earns how much in which place, and what the importance adds.
    fn factors(&self, memory: &Memory, hits: &[Hit]) -> Vec<Factor> {
        let mut factors = Vec::new();
        let mut sum = 0.0;
        for hit in hits {
            sum += hit.sum();
            let word = self.words(hit);
            let each = Part::ALL.into_iter().zip(hit.points).zip(hit.counts);
            for ((part, points), count) in each.filter(|(_, count)| *count > 0) {
                let times = match count {
                    1 => String::new(),
                    count => format!(" ×{count}"),
                };
                factors.push(Factor {
                    name: part.name(),
                    points: rounded(points),
                    detail: format!("{word}{times}"),
                });
            }
        }
        if let Some((level, word)) = super::importance(memory).filter(|(level, _)| *level > 0.0) {
            factors.push(Factor {
                name: "importance",
                points: rounded(sum * super::FOR_IMPORTANCE * level),
                detail: word,
            });
        }
        if sum > 0.0 { factors } else { Vec::new() }
    }

    /// `throttle`, or `throttle as throttling` where the memory has another form of it.
    fn words(&self, hit: &Hit) -> String {
        let Some((word, own)) = self.forms(hit) else {
            return String::new();
        };
        match hit.variant {
            0 => word.to_owned(),
            _ => format!("{word} as {own}"),
        }
    }

    /// The word of the task, and the one that the memory has.
    fn forms(&self, hit: &Hit) -> Option<(&str, &str)> {
        let wanted = self.query.words.get(hit.word)?;
        let variant = wanted.variants.get(hit.variant)?;
        let number = variant.number?;
        let known = self.index.names.names.get(number as usize);
        Some((&wanted.word, known.map_or(&*variant.term, |(_, word)| word)))
    }

    fn hint(&self, memory: &Memory, judged: &Judged, goal: &Goal) -> Option<String> {
        Some(match judged.reason {
            Reason::Archived => "it is archived: restore it".to_owned(),
            Reason::Invisible | Reason::Expired => memory.hidden_at(self.now)?.into_owned(),
            Reason::BelowImportance => {
                let least = self.least.map_or("", |(_, word)| word);
                format!("below {least}")
            }
            Reason::OverBudget => {
                format!("{} over the budget", plural(judged.missing, "token"))
            }
            Reason::OverLimit => {
                let last = goal.last.unwrap_or(judged.score);
                short_of_place(rounded(last - judged.score), goal.places)
            }
            Reason::NoMatch => match self.telling() {
                Some(word) => {
                    let has = |role| memory.schema.role(role).is_some();
                    let place = match (has(Role::Title), has(Role::Tags)) {
                        (true, true) => "title or tags",
                        (false, true) => "text or tags",
                        (true, false) => "title",
                        (false, false) => "text",
                    };
                    format!(
                        "it has no word of the task; if it is about `{word}`, its {place} would say so"
                    )
                }
                None => "no word of the task says what it is about".to_owned(),
            },
            _ => return None,
        })
    }

    /// The word of the task that tells most, whole.
    fn telling(&self) -> Option<&str> {
        let points = |word: &super::query::Wanted| word.variants.first().map_or(0.0, |v| v.points);
        let mut best: Option<(&str, f64)> = None;
        for word in &self.query.words {
            if best.is_none_or(|(_, most)| points(word) > most) {
                best = Some((word.whole(), points(word)));
            }
        }
        best.map(|(word, _)| word)
    }
}

fn best(hits: &[Hit]) -> Option<&Hit> {
    let mut hits = hits.iter();
    let first = hits.next()?;
    Some(hits.fold(
        first,
        |best, hit| {
            if hit.sum() > best.sum() { hit } else { best }
        },
    ))
}

/// The word that earns most.
fn matched(query: &Query, hit: &Hit, run: &Run<'_>) -> Match {
    let wanted = query.words.get(hit.word).map_or("", |word| &word.word);
    let own = run.forms(hit).map_or(wanted, |(_, own)| own);
    Match {
        pattern: own.to_owned(),
        kind: "word",
        hit: wanted.to_owned(),
    }
}
