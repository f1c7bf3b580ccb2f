//! Hints on how to bring in a memory that was left out: in few words, and as edits.

use super::judge::{CAP, Facts, Judge, Judged, fault};
use super::level;
use crate::memory::edit::FieldEdit;
use crate::memory::schema::IMPORTANCE;
use crate::memory::{Memory, Role, Value, plural};
use crate::retrieval::phrase::{self, Lexicon};
use crate::retrieval::{Reason, Verdict, js, short_of_place};

pub struct Goal {
    pub places: usize,
    /// Score and index of the last of them, where every place is taken.
    pub last: Option<(i64, usize)>,
    /// True if nobody reads hints.
    pub no_hints: bool,
}

pub struct Case<'a> {
    pub judged: Judged,
    pub memory: &'a Memory,
    pub facts: &'a Facts,
    pub judge: &'a Judge<'a>,
    pub goal: &'a Goal,
}

type Advice = (String, Vec<FieldEdit>);

impl Case<'_> {
    pub fn verdict(&self, lexicon: &mut Lexicon) -> Verdict {
        let (hint, remedy) = self.advice(lexicon);
        Verdict {
            hint: Some(hint).filter(|hint| !hint.is_empty()),
            remedy,
            ..self.judge.verdict((self.memory, self.facts), &self.judged)
        }
    }

    fn advice(&self, lexicon: &mut Lexicon) -> Advice {
        let words = match self.judged.reason {
            Reason::NoMatch if self.goal.no_hints => return Advice::default(),
            Reason::NoMatch => return self.no_match(lexicon).unwrap_or_default(),
            Reason::BelowImportance => return self.below(),
            Reason::OverLimit => {
                let own = self.memory.importance().unwrap_or_default();
                let words = self.short_words(self.short(own).unwrap_or(0));
                let edit = self.raise().0.map(|word| self.set_importance(word));
                return (words, edit.into_iter().collect());
            }
            Reason::OverBudget => {
                format!("{} over the budget", plural(self.judged.missing, "token"))
            }
            Reason::PatternTooSlow => "a pattern takes too long: simplify it".to_owned(),
            _ => match fault(self.memory, self.judge.dialect) {
                Some((_, repair)) => repair,
                None => match self.judge.failing_pattern(self.memory) {
                    Some(Value::Text(pattern)) => format!("`{pattern}` is no regular expression"),
                    _ => "a pattern is not text".to_owned(),
                },
            },
        };
        (words, Vec::new())
    }

    /// Adds a word to the patterns. One that the memory does not say would only bring it in where it
    /// does not belong.
    fn no_match(&self, lexicon: &mut Lexicon) -> Option<Advice> {
        let token = self.token(lexicon)?;
        let field = self.name(Role::Patterns);
        let mut words = format!("add `{token}` to {field}");
        let mut edits = vec![FieldEdit::add(field, token.as_str())];
        let (raise, short) = self.raise();
        if let Some(word) = raise {
            words.push_str(", make importance ");
            words.push_str(word);
            edits.push(self.set_importance(word));
        }
        Some((words + &self.then(short), edits))
    }

    fn below(&self) -> Advice {
        let least = self.judge.least.unwrap_or("low");
        let words = match self.memory.importance() {
            Some(own) if level(own).is_some() => format!("below {least}"),
            Some(own) => format!("`{own}` is no importance"),
            None => "its importance is not text".to_owned(),
        };
        let (raise, short) = self.raise();
        let edit = self.set_importance(raise.unwrap_or(least));
        (words + &self.then(short), vec![edit])
    }

    /// Points that the memory lacks for the last place with an importance; none where it is good
    /// enough. Of two that are level the earlier one comes first.
    fn short(&self, importance: &str) -> Option<i64> {
        let points = |word| level(word).map_or(0, |(_, points)| points);
        let own = self.memory.importance().unwrap_or_default();
        let score = self.judged.score.unwrap_or_default() + points(importance) - points(own);
        let (last, of) = self.goal.last?;
        let short = last - score.min(CAP);
        (short > 0 || short == 0 && self.judged.memory > of).then_some(short)
    }

    fn short_words(&self, short: i64) -> String {
        short_of_place(short as f64, self.goal.places)
    }

    fn then(&self, short: Option<i64>) -> String {
        let words = short.map(|short| format!("; then {}", self.short_words(short)));
        words.unwrap_or_default()
    }

    /// Returns the importance that the memory would need to be in if it matched, or the points that
    /// it would still lack; nothing where it would be in as it is.
    fn raise(&self) -> (Option<&'static str>, Option<i64>) {
        let own = self.memory.importance().unwrap_or_default();
        let is_enough = self.judge.is_enough(own);
        if is_enough && self.short(own).is_none() {
            return (None, None);
        }
        let points = |word| level(word).map_or(0, |(_, points)| points);
        let better = IMPORTANCE.into_iter();
        let mut better =
            better.filter(|word| self.judge.is_enough(word) && points(word) > points(own));
        match better.clone().find(|word| self.short(word).is_none()) {
            Some(word) => (Some(word), None),
            None => {
                // As it is, else with the least that is asked for.
                let least = better.next().filter(|_| !is_enough).unwrap_or(own);
                (None, Some(self.short(least).unwrap_or(0)))
            }
        }
    }

    fn set_importance(&self, word: &str) -> FieldEdit {
        FieldEdit::set(self.name(Role::Importance), Value::from(word))
    }

    fn name(&self, role: Role) -> String {
        let spec = self.memory.schema.role(role);
        spec.map_or("", |spec| spec.name).to_owned()
    }

    /// The word of the task that says most of what the memory is about: one that its title or
    /// tags have, of several the longest that bears meaning, then the first.
    fn token(&self, lexicon: &mut Lexicon) -> Option<String> {
        let text = &self.judge.text;
        let agent = self.judge.task.agent.to_lowercase();
        let end = text.lower.len().saturating_sub(agent.len());
        let own = self.memory.tags().chain([&*self.memory.title]);
        let own = own.collect::<Vec<_>>().join(" ").to_lowercase();
        let filed = phrase::shared(&own, &text.stems, lexicon);
        let mut best = None;
        for (stem, at) in text.stems.iter().filter(|(_, at)| at.end <= end) {
            let word = text.lower.get(at.clone()).unwrap_or_default();
            let is_filed = filed.contains(&stem.as_str());
            let mut words = own.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
            let is_told = words.any(|own| own == word);
            let length = js::len(word);
            let bears = length > 1 && word != agent && (is_filed || is_told && length > 3);
            let has_letters = word.chars().any(char::is_alphabetic);
            let rank = (is_filed, is_told, has_letters, length);
            if bears && best.as_ref().is_none_or(|(other, _)| rank > *other) {
                best = Some((rank, word));
            }
        }
        best.map(|(_, word)| word.to_owned())
    }
}
