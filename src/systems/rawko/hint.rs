//! Hints on how to bring in a memory that was left out: in few words, and as edits.

use super::fault;
use super::judge::{Judge, Judged};
use super::score::{self, level};
use crate::memory::edit::FieldEdit;
use crate::memory::schema::IMPORTANCE;
use crate::memory::{Memory, Role, Value, plural};
use crate::retrieval::phrase::{self, Lexicon};
use crate::retrieval::{Reason, Verdict, js, short_of_place};

/// Score that a memory has to reach.
pub struct Goal {
    /// Maximum number of selected memories.
    pub places: usize,
    /// Score and index of the last of them, where every place is taken.
    pub last: Option<(i64, usize)>,
}

impl Goal {
    /// Points that a memory lacks for the last place; none where it is good enough. Of two that
    /// are level the earlier one comes first.
    fn short(&self, index: usize, score: i64) -> Option<i64> {
        let (last, of) = self.last?;
        let short = last - score;
        (short > 0 || short == 0 && index > of).then_some(short)
    }

    fn short_words(&self, short: i64) -> String {
        short_of_place(short as f64, self.places)
    }
}

/// The verdict on a memory that is not selected.
pub fn verdict(
    judged: &Judged,
    memory: &Memory,
    judge: &Judge<'_>,
    goal: &Goal,
    lexicon: &mut Lexicon,
) -> Verdict {
    let (hint, remedy) = Case {
        judged,
        memory,
        judge,
        goal,
    }
    .advice(lexicon);
    Verdict {
        hint: Some(hint).filter(|hint| !hint.is_empty()),
        remedy,
        ..judge.verdict(memory, judged)
    }
}

type Advice = (String, Vec<FieldEdit>);

/// A memory that is not selected.
struct Case<'a> {
    judged: &'a Judged,
    memory: &'a Memory,
    judge: &'a Judge<'a>,
    goal: &'a Goal,
}

impl Case<'_> {
    fn advice(&self, lexicon: &mut Lexicon) -> Advice {
        let plain = |words: String| (words, Vec::new());
        match self.judged.reason {
            Reason::NoMatch => self.no_match(lexicon),
            Reason::BelowImportance => self.below(),
            Reason::OverLimit => self.over_limit(),
            Reason::OverBudget => plain(format!(
                "{} over the budget",
                plural(self.judged.missing, "token")
            )),
            Reason::PatternTooSlow => plain("a pattern takes too long: simplify it".to_owned()),
            _ => plain(self.fault()),
        }
    }

    fn fault(&self) -> String {
        if let Some(fault) = fault::of(self.memory, self.judge.dialect) {
            return fault.words(self.memory);
        }
        match self.judge.failing_pattern(self.memory) {
            Some(Value::Text(pattern)) => format!("`{pattern}` is no regular expression"),
            _ => "a pattern is not text".to_owned(),
        }
    }

    fn no_match(&self, lexicon: &mut Lexicon) -> Advice {
        // A word that the memory does not say would only bring it in where it does not belong.
        let Some(token) = self.token(lexicon) else {
            return Advice::default();
        };
        let add = FieldEdit::AddItem {
            field: name(self.memory, Role::Patterns),
            item: Value::from(token.as_str()),
        };
        let mut words = format!("add `{token}` to {}", name(self.memory, Role::Patterns));
        let mut edits = vec![add];
        match self.raise() {
            Raise::Enough => {}
            Raise::To(word) => {
                words.push_str(", make importance ");
                words.push_str(word);
                edits.push(self.set_importance(word));
            }
            Raise::Short(short) => {
                words.push_str("; then ");
                words.push_str(&self.goal.short_words(short));
            }
        }
        (words, edits)
    }

    fn below(&self) -> Advice {
        let least = self.judge.least().unwrap_or("low");
        let own = self.memory.importance();
        let mut words = match own {
            Some(own) if level(own).is_some() => format!("below {least}"),
            Some(own) => format!("`{own}` is no importance"),
            None => "its importance is not text".to_owned(),
        };
        let to = match self.raise() {
            Raise::Enough => least,
            Raise::To(word) => word,
            Raise::Short(short) => {
                words.push_str("; then ");
                words.push_str(&self.goal.short_words(short));
                least
            }
        };
        (words, vec![self.set_importance(to)])
    }

    fn over_limit(&self) -> Advice {
        if self.goal.places == 0 {
            return (self.goal.short_words(0), Vec::new());
        }
        let score = self.judged.score.unwrap_or_default();
        let short = self.goal.short(self.judged.memory, score).unwrap_or(0);
        let edits = match self.raise() {
            Raise::To(word) => vec![self.set_importance(word)],
            Raise::Enough | Raise::Short(_) => Vec::new(),
        };
        (self.goal.short_words(short), edits)
    }

    /// Returns the importance that a matching memory would need to be in.
    fn raise(&self) -> Raise {
        let own = self.memory.importance().unwrap_or_default();
        let points = |word| level(word).map_or(0, |(_, points)| points);
        let score = self.judged.score.unwrap_or_default();
        let short = |word| {
            let score = score::CAP.min(score + points(word) - points(own));
            self.goal.short(self.judged.memory, score)
        };
        if self.judge.is_enough(own) && short(own).is_none() {
            return Raise::Enough;
        }
        let better = IMPORTANCE
            .into_iter()
            .filter(|word| self.judge.is_enough(word) && points(word) > points(own));
        match better.clone().find(|word| short(word).is_none()) {
            Some(word) => Raise::To(word),
            // With the least that is asked for, else as it is.
            None if self.judge.is_enough(own) => Raise::Short(short(own).unwrap_or(0)),
            None => Raise::Short(better.clone().next().and_then(short).unwrap_or(0)),
        }
    }

    fn set_importance(&self, word: &str) -> FieldEdit {
        FieldEdit::Set {
            field: name(self.memory, Role::Importance),
            value: Value::from(word),
        }
    }

    /// The word of the task that says most of what the memory is about: one that its title or
    /// tags have, of several the longest that bears meaning, then the first.
    fn token(&self, lexicon: &mut Lexicon) -> Option<String> {
        let text = &self.judge.text;
        let agent = self.judge.task.agent.to_lowercase();
        let end = text.lower.len().saturating_sub(agent.len());
        let mut own = String::new();
        for part in self.memory.tags().chain([&*self.memory.title]) {
            own.push_str(part);
            own.push(' ');
        }
        let own = own.to_lowercase();
        let filed = phrase::shared(&own, text.stems(), lexicon);
        let rank = |stem: &str, word: &str| {
            let filed = filed.contains(&stem);
            let named = word.chars().any(char::is_alphabetic);
            let mut words = own.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
            let told = words.any(|own| own == word);
            (filed, told, named, js::len(word))
        };
        let mut best = None;
        for (stem, at) in text.stems().iter().filter(|(_, at)| at.end <= end) {
            let word = text.lower.get(at.clone()).unwrap_or_default();
            let rank = rank(stem, word);
            let (filed, told, ..) = rank;
            let bears = js::len(word) > 1 && word != agent && (filed || told && js::len(word) > 3);
            if bears && best.as_ref().is_none_or(|(other, _)| rank > *other) {
                best = Some((rank, word));
            }
        }
        best.map(|(_, word)| word.to_owned())
    }
}

/// Raise that a matching memory needs.
enum Raise {
    /// Nothing.
    Enough,
    /// This importance.
    To(&'static str),
    /// More than the importance can give: so many points.
    Short(i64),
}

fn name(memory: &Memory, role: Role) -> String {
    memory
        .schema
        .role(role)
        .map_or("", |spec| spec.name)
        .to_owned()
}
