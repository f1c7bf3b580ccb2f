//! The words around a mention that qualify it: that it was removed, is planned, stands elsewhere.
//!
//! Each row of `assets/lint/cues.toml` is a pattern with an example and a counter-example. A cue
//! only lowers how bad a finding is: whether something is gone is for the history to say.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};
use serde::Deserialize;

use super::chars::{cut, last_of};
use crate::memory::Memory;
use crate::text::mentions::{Block, Outline};
use crate::text::patterns::{compact, compact_set};
use crate::text::tokens::{Kind, Token, tokens};

/// Stands for the mention in the sentence that patterns are matched against.
const MENTION: char = '¤';
/// Stands for other paths and code spans there: their words say nothing.
const OTHER: &str = "·";
/// Bytes of a sentence on each side of a mention that are read.
const NEAR: usize = 400;
/// Bytes of a text that are read for how it begins.
const BEGINNING: usize = 200;

/// The qualification of a mention by the words around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Cue {
    /// The memory goes by it now: no later row of the scope counts.
    Present,
    Removed,
    /// The sentence is about the past.
    Was,
    Planned,
    /// It is another repository's, or of another state of this one.
    Elsewhere,
    /// It stands for any name.
    Example,
    Negated,
    Record,
    Log,
}

impl Cue {
    pub fn evidence(self) -> &'static str {
        TABLE.evidence.get(&self).map_or("", String::as_str)
    }
}

/// The place at which the pattern of a cue has to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scope {
    /// In the sentence, in which `¤` is the mention.
    Sentence,
    /// In a heading above it, or in the title.
    Heading,
    /// In the beginning of its paragraph or item.
    Start,
    /// In the name of the memory's file and its folder.
    File,
}

#[derive(Debug, Deserialize)]
struct Row {
    cue: Cue,
    scope: Scope,
    pattern: String,
    #[cfg(test)]
    example: String,
    #[cfg(test)]
    counter: String,
}

/// The rows, with their patterns as one; none of an unsound table, which a test would notice.
#[derive(Default, Deserialize)]
struct Table {
    row: Vec<Row>,
    evidence: BTreeMap<Cue, String>,
    #[serde(skip)]
    set: Option<RegexSet>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let table = include_str!("../../assets/lint/cues.toml");
    let mut table: Table = toml::from_str(table).unwrap_or_default();
    table.set = compact_set(table.row.iter().map(|row| &*row.pattern));
    table
});

/// The first row of a scope with a match in a text, unless it says that the text is of now.
fn first(scope: Scope, text: &str) -> Option<(usize, Cue)> {
    let matches = TABLE.set.as_ref()?.matches(text);
    let mut rows = matches.iter().filter_map(|n| Some((n, TABLE.row.get(n)?)));
    let (n, row) = rows.find(|(_, row)| row.scope == scope)?;
    (row.cue != Cue::Present).then_some((n, row.cue))
}

/// Paths and code spans without a blank.
static OTHERS: LazyLock<Option<Regex>> =
    LazyLock::new(|| compact(r"`[^`\s]+`|[\w.~@-]*/[\w./@-]+"));

pub(super) struct Cues<'t> {
    text: &'t str,
    memory: &'t Memory,
    outline: OnceCell<Outline<'t>>,
}

impl<'t> Cues<'t> {
    pub fn new(text: &'t str, memory: &'t Memory) -> Self {
        Self {
            text,
            memory,
            outline: OnceCell::new(),
        }
    }

    pub fn outline(&self) -> &Outline<'t> {
        self.outline.get_or_init(|| Outline::new(self.text))
    }

    pub fn at(&self, mention: &Range<usize>) -> Option<Cue> {
        let (block, kind) = self.outline().block(mention.start);
        let sentence = self.outline().sentence(mention.start);
        let sentence = masked(self.text, &sentence, mention);
        let start = cut(self.text.get(block).unwrap_or_default(), BEGINNING);
        let headings = self.outline().headings(mention.start);
        let headings = std::iter::once(&*self.memory.title).chain(headings);
        let headings = headings.filter_map(|heading| first(Scope::Heading, heading));
        let leads = self.outline().leads(mention.start).into_iter();
        let leads = leads.flat_map(|lead| self.of_lead(lead, kind));
        let file = self.memory.path.to_string_lossy();
        let rows = headings
            .chain(leads)
            .chain(first(Scope::File, &file))
            .chain(first(Scope::Sentence, &sentence))
            .chain(first(Scope::Start, start));
        rows.min().map(|(_, cue)| cue)
    }

    /// The rows that a block gives to what it leads to: of plans none; code below it is run now.
    fn of_lead(&self, lead: Range<usize>, kind: Block) -> impl Iterator<Item = (usize, Cue)> {
        let lead = last_of(self.text.get(lead).unwrap_or_default().trim_end(), NEAR);
        let lead = lead.trim_end_matches([':', '：', '*', ' ']);
        let heading = lead.trim_start_matches(|c: char| !c.is_alphanumeric());
        let end = lead.len() + 1;
        let sentence = masked(&format!("{lead} "), &(0..end), &(end..end));
        let rows = [
            first(Scope::Heading, heading),
            first(Scope::Sentence, &sentence),
            first(Scope::Start, cut(lead, BEGINNING)),
        ];
        let is_told = move |(_, cue): &(usize, Cue)| match cue {
            Cue::Elsewhere => true,
            Cue::Removed | Cue::Was | Cue::Record => kind != Block::Code,
            _ => false,
        };
        rows.into_iter().flatten().filter(is_told)
    }

    /// True if one of these mentions stands before another in its line, above it or in its lead.
    pub fn is_led_by(&self, mention: &Range<usize>, others: &[usize]) -> bool {
        let before = self.text.get(..mention.start).unwrap_or_default();
        let above = before.rfind('\n').and_then(|end| before.get(..end));
        let from = above.map_or(0, |above| above.rfind('\n').map_or(0, |end| end + 1));
        let mut leads = self.outline().leads(mention.start);
        leads.push(from..mention.start);
        let is_led = |at| leads.iter().any(|lead| lead.contains(at));
        others.iter().any(is_led)
    }

    /// The same, or that the sentence has a negation: another name in it may say something wrong.
    pub fn of_claim(&self, mention: &Range<usize>) -> Option<Cue> {
        let negates = |token: &Token| token.kind == Kind::Negation;
        self.at(mention).or_else(|| {
            let sentence = self.outline().sentence(mention.start);
            let sentence = self.text.get(sentence).unwrap_or_default();
            let is_negated = tokens(sentence).iter().any(negates);
            is_negated.then_some(Cue::Negated)
        })
    }
}

/// A sentence with signs in the place of the mention, and of other paths and code spans.
fn masked(text: &str, sentence: &Range<usize>, mention: &Range<usize>) -> String {
    let part = |bytes: Range<usize>| text.get(bytes).unwrap_or_default();
    let before = part(sentence.start..mention.start);
    let before = last_of(before, NEAR);
    let after = cut(part(mention.end..sentence.end), NEAR);
    // The code span or the emphasis around the mention, and what is left of a path.
    let word = |c: char| !c.is_whitespace() && !"(,;".contains(c);
    let command = before.matches('`').count() % 2 == 1 && after.contains('`');
    // A command in a code span keeps its words.
    let mark = |c: char| match command {
        true => word(c) && c != '`',
        false => "*_\"'/".contains(c),
    };
    let span = |c| command && c == '`';
    let before = before.trim_end_matches(|c| mark(c) || (c == '.' && !command));
    let before = before.trim_end_matches(span);
    let after = after.trim_start_matches(mark).trim_start_matches(span);
    let hide = |text: &str| match OTHERS.as_ref() {
        Some(others) => others.replace_all(text, OTHER).into_owned(),
        None => text.to_owned(),
    };
    let joined = format!("{}{MENTION}{}", hide(before), hide(after));
    joined.replace(['*', '\n'], " ").replace("etc.", "etc")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_of_the_table_matches_its_example_and_no_row_its_counter_example() {
        assert!(TABLE.row.len() > 10);
        let mut memory = crate::lint::tests::memory("tide").memory;
        for row in &TABLE.row {
            let mut cue = |text: &str| {
                let mention = "src/tide.rs";
                let is_file = row.scope == Scope::File;
                let file = if is_file { text } else { "memories/tide.md" };
                memory.path = std::path::Path::new(file).into();
                let text = if is_file { mention } else { text };
                let at = text.find(mention).expect("the mention stands in the text");
                Cues::new(text, &memory).at(&(at..at + mention.len()))
            };
            let expected = Some(row.cue).filter(|cue| *cue != Cue::Present);
            assert_eq!(cue(&row.example), expected, "{}", row.example);
            assert_eq!(cue(&row.counter), None, "{}", row.counter);
            assert!(!row.cue.evidence().is_empty());
        }
    }
}
