//! A task and its settings, ready to judge memories by.

use super::candidate::{Facts, Standing, clamp};
use super::score::Points;
use crate::retrieval::{Factor, Limits, Task};
use crate::systems::golemcore::config::Config;
use crate::systems::golemcore::{Instant, Tree, scope};

const DAY: i64 = 86_400;

/// The task and the settings.
pub struct Plan {
    /// The settings.
    pub config: Config,
    /// The scopes that are read, nearest first.
    pub scopes: Vec<String>,
    /// The active skill.
    pub skill: Option<String>,
    now: Instant,
    /// Days since 1970 of today, where the system runs.
    today: i64,
}

/// A score and what it is made of, as the system adds it up.
pub struct Score {
    /// The sum.
    pub total: f64,
    /// 0.40, 0.20, 0.20 and 0.20 of relevance, recency, salience and confidence, then the points
    /// of type and skill.
    pub parts: [f64; 6],
}

impl Plan {
    /// The plan of a task.
    pub fn new(task: &Task, limits: &Limits) -> Self {
        let options = &limits.options;
        // The flags of the contract stand for settings of the system.
        let named = |name: &str| match name {
            "disclosure.mode" => options.get("mode").or(options.get(name)),
            "disclosure.promptStyle" => options.get("style").or(options.get(name)),
            name => options.get(name),
        };
        let mut config = Config::of(named);
        if let Some(max) = limits.max {
            config.top_k = [max; 4];
        }
        if let Some(budget) = limits.budget.filter(|budget| *budget > 0) {
            config.soft = budget;
            config.hard = budget;
        }
        let now = Instant::from(task.now);
        let east = options.get("utc-offset").and_then(|text| text.parse().ok());
        let here = now.seconds.saturating_add(east.unwrap_or(0));
        Self {
            config,
            scopes: scope::chain(options.get("scope")),
            skill: options.get("skill").map(ToOwned::to_owned),
            now,
            today: here.div_euclid(DAY),
        }
    }

    /// True if a memory is a candidate (steps 1 and 2).
    pub fn stands(&self, facts: &Facts) -> Result<(), Standing> {
        if let Some(standing) = facts.standing {
            return Err(standing);
        }
        let asked = |scope: &str| self.scopes.iter().any(|asked| asked == scope);
        if !asked(&facts.tree) || !asked(&facts.scope) {
            return Err(Standing::OutOfScope);
        }
        if let Tree::Day(day) = facts.file
            && !(0..self.config.lookback).contains(&self.today.saturating_sub(day))
        {
            return Err(Standing::OtherDay);
        }
        if facts.ttl_end.is_some_and(|end| self.now > end) {
            return Err(Standing::Ttl);
        }
        let oldest = self.now.plus_days(-self.config.decay_days);
        if self.config.decay && facts.stamp.is_some_and(|stamp| stamp < oldest) {
            return Err(Standing::Decayed);
        }
        Ok(())
    }

    /// The clock.
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// Days since today of a day file, at most as many as are looked back.
    pub const fn today(&self) -> i64 {
        self.today
    }

    /// The score of a candidate (step 3).
    pub fn score(&self, facts: &Facts, points: &Points) -> Score {
        let kind = match facts.kind {
            Some("FAILURE" | "FIX" | "CONSTRAINT") => 0.12,
            Some("DECISION" | "PROJECT_FACT" | "PREFERENCE") => 0.08,
            Some(_) => 0.05,
            None => 0.0,
        };
        let skill = if points.skill { 0.10 } else { 0.0 };
        let parts = [
            points.relevance * 0.40,
            self.recency(facts.stamp) * 0.20,
            facts.salience * 0.20,
            facts.confidence * 0.20,
            kind,
            skill,
        ];
        let [first, rest @ ..] = parts;
        Score {
            // In the system's order: sums of floats depend on it.
            total: rest.iter().fold(first, |sum, part| sum + part),
            parts,
        }
    }

    fn recency(&self, stamp: Option<Instant>) -> f64 {
        let Some(stamp) = stamp else {
            return 0.30;
        };
        let days = stamp.days_until(self.now);
        match days {
            ..=0 => 1.0,
            30.. => 0.0,
            #[expect(clippy::cast_precision_loss, reason = "fewer than thirty")]
            days => clamp(1.0 - days as f64 / 30.0),
        }
    }

    /// Every part of a score with its evidence; then what the second ranking adds to the order.
    pub fn factors(&self, facts: &Facts, points: &Points, score: &Score) -> Vec<Factor> {
        let [relevance, recency, salience, confidence, kind, skill] = score.parts;
        let days = facts.stamp.map(|stamp| stamp.days_until(self.now));
        let age = match days {
            Some(days @ ..=0) if days < 0 => "to come".to_owned(),
            Some(0) => "changed today".to_owned(),
            Some(1) => "changed a day ago".to_owned(),
            Some(days) => format!("changed {days} days ago"),
            None => "without a date".to_owned(),
        };
        let factor = |name: &'static str, points: f64, detail: String| Factor {
            name,
            points,
            detail,
        };
        let mut factors = vec![
            factor("relevance", relevance, points.detail()),
            factor("recency", recency, age),
            factor(
                "salience",
                salience,
                format!("a fifth of {}", facts.salience),
            ),
            factor(
                "confidence",
                confidence,
                format!("a fifth of {}", facts.confidence),
            ),
            factor("type", kind, facts.kind.unwrap_or("none").to_owned()),
        ];
        if self.skill.is_some() {
            let detail = if points.skill {
                "the active skill is a tag"
            } else {
                "no tag is the active skill"
            };
            factors.push(factor("skill", skill, detail.to_owned()));
        }
        if self.config.rerank {
            let order = points.reranking(&self.config);
            factors.extend(order.map(|(name, points)| {
                factor(
                    name,
                    points,
                    "for the order only, not for the score".to_owned(),
                )
            }));
        }
        factors
    }

    /// Place of a file among those that are read: scopes in order, of each the days from
    /// today back, then facts, then procedures.
    pub fn place(&self, facts: &Facts) -> (u32, u32) {
        let file = match facts.file {
            Tree::Day(day) => self.today.saturating_sub(day),
            Tree::Semantic => i64::from(u32::MAX - 1),
            Tree::Procedural => i64::from(u32::MAX),
        };
        let tree = self.scope_number(&facts.tree);
        (tree, u32::try_from(file).unwrap_or_default())
    }

    /// The place of a scope in the chain.
    pub fn scope_number(&self, scope: &str) -> u32 {
        let at = self.scopes.iter().position(|asked| asked == scope);
        at.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX)
    }
}
