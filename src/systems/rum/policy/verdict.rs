//! Verdict on a memory, with the reasons.

use super::ask::{Ask, Way};
use super::rank::{self, Ranking};
use super::word_weights;
use crate::memory::{Memory, Timestamp};
use crate::retrieval::{Factor, Match, Reason, Verdict};

/// How sure the real code says it is of what it returns (formats: rum).
fn confidence(ask: &Ask<'_>) -> (f64, &'static str) {
    match ask.way {
        Way::Id => (1.0, "asked for by its id"),
        Way::File => (0.95, "it touched the file"),
        Way::Filters => (0.9, "it passes the filters"),
    }
}

impl Ranking<'_> {
    /// The verdict on a memory that has a place among those that match, or none.
    pub fn verdict(&self, index: usize, place: Option<usize>) -> Option<Verdict> {
        let (memory, ask) = (self.memory(index)?, self.ask);
        let reason = match place {
            Some(place) if place > ask.places() => Reason::OverLimit,
            _ => self.reason(index),
        };
        let is_in = reason == Reason::Selected;
        let factors = self.factors(memory, reason);
        let score = factors.iter().map(|factor| factor.points).sum::<f64>();
        let hit = self.file(memory).filter(|_| ask.way == Way::File);
        let mut verdict = Verdict {
            rank: place.filter(|_| is_in),
            score: (ask.is_ranked() && !factors.is_empty())
                .then_some((score * 10_000.0).round() / 10_000.0),
            factors,
            matched: hit.map(|(own, asked)| Match {
                pattern: asked.to_owned(),
                kind: "substring",
                hit: own.to_owned(),
            }),
            hint: self.hint(memory, reason, place),
            ..Verdict::of(index, memory, reason)
        };
        if is_in {
            verdict.tokens = ask.depth.tokens();
        }
        Some(verdict)
    }

    fn factors(&self, memory: &Memory, reason: Reason) -> Vec<Factor> {
        if rank::never(memory).is_some() {
            return Vec::new();
        }
        let ask = self.ask;
        if ask.is_ranked() {
            let (relevance, found) = word_weights::evidence(memory, &self.wanted);
            let detail = match (self.wanted.is_empty(), found.is_empty()) {
                (true, _) => "nothing is asked for".to_owned(),
                (false, true) => "none of the words".to_owned(),
                (false, false) => found.join(", "),
            };
            return vec![
                Factor {
                    name: "relevance",
                    points: relevance,
                    detail,
                },
                Factor {
                    name: "importance",
                    points: rank::importance(memory),
                    detail: "as the memory has it".to_owned(),
                },
            ];
        }
        let (points, detail) = confidence(ask);
        let mut factors = Vec::new();
        if matches!(reason, Reason::Selected | Reason::OverLimit) {
            factors.push(Factor {
                name: "confidence",
                points,
                detail: detail.to_owned(),
            });
        }
        factors.push(Factor {
            name: "newest first",
            points: 0.0,
            detail: Timestamp(rank::created(memory)).to_rfc3339(),
        });
        if memory.field("embedding").is_some()
            && ask.way == Way::Filters
            && !ask.query.trim().is_empty()
        {
            factors.push(Factor {
                name: "similarity",
                points: 0.0,
                detail: "not known: the system's model compares the query with its embedding"
                    .to_owned(),
            });
        }
        factors
    }

    /// Hints for memories that are left out.
    fn hint(&self, memory: &Memory, reason: Reason, place: Option<usize>) -> Option<String> {
        let ask = self.ask;
        let hint = match reason {
            Reason::OverLimit => {
                let place = place?;
                let order = if ask.is_ranked() { "best" } else { "newest" };
                let places = ask.places();
                format!("the {places} {order} are returned, it is number {place}: --max {place}")
            }
            Reason::NoMatch => self.no_match(memory),
            Reason::Invalid | Reason::Invisible => {
                let why = memory.hidden.as_deref();
                why.unwrap_or("the system's code fails on it").to_owned()
            }
            Reason::NotApplicable => "recall returns memories, not chapters or wisdom".to_owned(),
            Reason::Archived => "restore it".to_owned(),
            _ => return None,
        };
        Some(hint)
    }

    fn no_match(&self, memory: &Memory) -> String {
        if let Some((flag, own, wanted)) = self.refused(memory) {
            return format!("--{flag} asks for {wanted}, it has {own}");
        }
        match self.ask.way {
            Way::Id => format!("--id asks for {}", self.ask.id),
            Way::File => "it touched no file like those".to_owned(),
            Way::Filters => word_weights::nowhere(memory),
        }
    }
}
