//! The texts of memories that words look in: title, tags, the id's LOCAL and the description.

use std::sync::Arc;

use nucleo::Utf32String;

use super::word::{Fit, Found, LONGEST, Tools, Word, fold, head};
use crate::memory::{Memory, Role, Value};

/// Maximum number of characters of tags and LOCAL together, and of a description.
const REST_LONGEST: usize = 64 * LONGEST;

/// The texts of memories in the form that the matcher reads.
#[derive(Clone, Debug, Default)]
pub struct Haystacks(Vec<Row>);

/// One memory's texts.
#[derive(Clone, Debug)]
pub(super) struct Row {
    title: Utf32String,
    /// Tags and LOCAL, a line each.
    rest: Utf32String,
    description: Utf32String,
}

impl Haystacks {
    /// The texts of these memories, in their order.
    pub fn build(memories: &[Arc<Memory>]) -> Self {
        Self(memories.iter().map(|memory| Row::new(memory)).collect())
    }

    /// The texts of a memory.
    pub(super) fn row(&self, index: usize) -> Option<&Row> {
        self.0.get(index)
    }
}

impl Row {
    /// The texts of a memory.
    pub(super) fn new(memory: &Memory) -> Self {
        let mut rest = String::new();
        for part in memory.tags().chain([&*memory.id.local]) {
            if !rest.is_empty() {
                rest.push('\n');
            }
            rest.extend(part.trim().chars().map(|c| if c == '\n' { ' ' } else { c }));
        }
        // The mark of a title that was cut is no part of it.
        let title = memory.title.trim();
        let title = title.strip_suffix('…').unwrap_or(title);
        let description = memory.role(Role::Description).and_then(Value::as_str);
        let description = description.unwrap_or_default();
        let text = |text: &str| match text.char_indices().nth(REST_LONGEST) {
            Some((end, _)) => Utf32String::from(text.get(..end).unwrap_or_default()),
            None => Utf32String::from(text),
        };
        Self {
            title: text(title),
            rest: text(&rest),
            description: text(description),
        }
    }

    /// The closest match of a word: in the title, else in the tags and LOCAL, else in the
    /// description. Scattered letters in the title count less than a match elsewhere.
    pub(super) fn find(&self, word: &Word, tools: &mut Tools) -> Option<Found> {
        let title = head(self.title.slice(..));
        let in_title = word.score(title, tools).map(|points| Found {
            fit: Fit::new(word, title.chars()),
            in_title: true,
            points,
        });
        if in_title.is_some_and(|found| found.fit == Fit::Whole) {
            return in_title;
        }
        let rest = self.rest.slice(..);
        let fit = in_title.map(|_| Fit::new(word, rest.chars()));
        let found = match in_title.zip(fit) {
            Some((in_title, fit)) if in_title.fit >= fit => Some(in_title),
            Some((in_title, fit)) if in_title.fit >= Fit::Inside => Some(Found { fit, ..in_title }),
            _ => {
                let in_rest = word.score_lines(rest, tools).map(|points| Found {
                    fit: fit.unwrap_or_else(|| Fit::new(word, rest.chars())),
                    in_title: false,
                    points,
                });
                in_rest.or(in_title)
            }
        };
        // Scattered letters in a description are no match.
        let is_close = |found: &Found| found.fit >= Fit::Inside;
        if found.as_ref().is_some_and(is_close) || !word.is_anywhere() {
            return found;
        }
        let described = Found {
            fit: Fit::new(word, self.description.slice(..).chars()),
            in_title: false,
            points: 0,
        };
        Some(described).filter(is_close).or(found)
    }

    /// True if the title is a folded phrase, false if it begins with it; none if it does not.
    pub(super) fn title_starts(&self, phrase: &[char]) -> Option<bool> {
        let mut title = self.title.slice(..).chars();
        let begins = phrase.iter().all(|c| title.next().map(fold) == Some(*c));
        begins.then(|| title.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::tests::memory;
    use crate::search::word::folded;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_title_begins_with_what_it_begins_with(title in "[aAbé -]{0,20}", cut in 0_usize..22, other in "[abé -]{0,3}", whole: bool) {
            let all = folded(title.trim());
            let mut phrase: Vec<char> = all.iter().copied().take(cut).collect();
            if !whole {
                phrase.extend(folded(&other));
            }
            let row = Row::new(&memory("x", &title, &[], "high", 1));
            let naive = all.starts_with(&phrase).then_some(all.len() == phrase.len());
            prop_assert_eq!(row.title_starts(&phrase), naive);
        }
    }
}
