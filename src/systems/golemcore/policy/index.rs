//! What makes many previews of a snapshot fast: the tokens of all memories by number, in the
//! order of the text and the other way round.

use std::collections::HashMap;

use rayon::prelude::*;

use super::facts::{Facts, tags, title};
use super::phrase::{Phrase, Places};
use super::score::{Points, Words};
use super::words::{counts, tokens};
use crate::memory::Memory;
use crate::retrieval::{Snapshot, Texts};
use crate::systems::golemcore::java;

/// Memories whose texts are read before they are put in.
const PIECE: usize = 4096;

/// The index of a snapshot.
pub struct Index {
    /// What counts of each memory whatever the task says.
    pub facts: Vec<Facts>,
    /// The number of every token.
    numbers: HashMap<Box<str>, u32>,
    /// For each token that counts, the memories that have it, ascending.
    memories: Vec<Vec<u32>>,
    /// The tokens of all titles and contents, one memory after the other.
    sequence: Vec<u32>,
    /// For each memory, where its title begins, its content, and where that ends.
    places: Vec<[u32; 3]>,
    /// For each tag in lower case, the memories that have it.
    tagged: HashMap<Box<str>, Vec<u32>>,
}

/// The lower-case texts of a memory.
struct Read {
    facts: Facts,
    title: String,
    content: String,
    tags: Vec<Option<String>>,
}

impl Index {
    /// Builds the index of a snapshot.
    pub fn build(memories: &Snapshot, texts: &dyn Texts) -> Self {
        let mut index = Self {
            facts: Vec::with_capacity(memories.len()),
            numbers: HashMap::new(),
            memories: Vec::new(),
            sequence: Vec::new(),
            places: Vec::with_capacity(memories.len()),
            tagged: HashMap::new(),
        };
        let read = |memory: &Memory| {
            let facts = Facts::of(memory);
            // What is never a candidate needs no words.
            let body = match facts.standing {
                Some(_) => String::new(),
                None => texts.body(memory).unwrap_or_default(),
            };
            Read {
                title: title(memory).to_lowercase(),
                content: body.to_lowercase(),
                tags: tags(memory)
                    .into_iter()
                    .map(|tag| tag.map(|tag| tag.to_lowercase()))
                    .collect(),
                facts,
            }
        };
        for piece in memories.chunks(PIECE) {
            let read: Vec<Read> = piece.par_iter().map(|memory| read(memory)).collect();
            read.into_iter().for_each(|read| index.add(read));
        }
        index.numbers.shrink_to_fit();
        index.sequence.shrink_to_fit();
        index.memories.iter_mut().for_each(Vec::shrink_to_fit);
        index
    }

    fn add(&mut self, read: Read) {
        let memory = u32::try_from(self.facts.len()).unwrap_or(u32::MAX);
        let start = self.end();
        self.sequence_of(&read.title, memory);
        let content = self.end();
        self.sequence_of(&read.content, memory);
        self.places.push([start, content, self.end()]);
        for tag in &read.tags {
            let text = tag.as_deref().unwrap_or("null");
            for token in tokens(text) {
                self.has(token, memory);
            }
            if let Some(tag) = tag {
                let tagged = match self.tagged.get_mut(tag.as_str()) {
                    Some(tagged) => tagged,
                    None => self.tagged.entry(tag.as_str().into()).or_default(),
                };
                if tagged.last() != Some(&memory) {
                    tagged.push(memory);
                }
            }
        }
        self.facts.push(read.facts);
    }

    fn end(&self) -> u32 {
        u32::try_from(self.sequence.len()).unwrap_or(u32::MAX)
    }

    fn sequence_of(&mut self, lower: &str, memory: u32) {
        for token in tokens(lower) {
            let number = self.has(token, memory);
            self.sequence.push(number);
        }
    }

    /// The number of a token, which is given where it has none.
    fn number(&mut self, token: &str) -> u32 {
        if let Some(number) = self.numbers.get(token) {
            return *number;
        }
        let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        self.numbers.insert(token.into(), number);
        self.memories.push(Vec::new());
        number
    }

    /// Takes in that a memory has a token; gives the token's number.
    fn has(&mut self, token: &str, memory: u32) -> u32 {
        let number = self.number(token);
        let list = self.memories.get_mut(number as usize);
        let list = list.filter(|list| counts(token) && list.last() != Some(&memory));
        if let Some(list) = list {
            list.push(memory);
        }
        number
    }

    /// How many words of a task each memory has.
    pub fn counts(&self, words: &Words) -> Vec<u16> {
        let mut counts = vec![0_u16; self.facts.len()];
        for word in &words.counting {
            let list = self
                .numbers
                .get(word.as_str())
                .and_then(|number| self.memories.get(*number as usize));
            for memory in list.into_iter().flatten() {
                if let Some(count) = counts.get_mut(*memory as usize) {
                    *count = count.saturating_add(1);
                }
            }
        }
        counts
    }

    /// How many words of a task one memory has.
    pub fn count_of(&self, words: &Words, at: usize) -> u16 {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        let has = |word: &&String| {
            let number = self.numbers.get(word.as_str());
            let list = number.and_then(|number| self.memories.get(*number as usize));
            list.is_some_and(|list| list.binary_search(&at).is_ok())
        };
        u16::try_from(words.counting.iter().filter(has).count()).unwrap_or(u16::MAX)
    }

    /// What the words of a task stand for here.
    pub fn found(&self, words: &Words) -> Found {
        let count = self.numbers.len();
        let those = |fits: &dyn Fn(&str) -> bool| {
            let mut places = Places::none(count);
            let fitting = self.numbers.iter().filter(|(token, _)| fits(token));
            fitting.for_each(|(_, number)| places.add(*number));
            places
        };
        let phrase = match words.phrase.as_slice() {
            [] => Phrase::Nowhere,
            [one] => Phrase::One(those(&|token| token.contains(one.as_str()))),
            [first, middle @ .., last] => {
                let numbers = middle
                    .iter()
                    .map(|word| self.numbers.get(word.as_str()).copied());
                match numbers.collect::<Option<Vec<u32>>>() {
                    None => Phrase::Nowhere,
                    Some(middle) => Phrase::Several {
                        first: those(&|token| token.ends_with(first.as_str())),
                        middle,
                        last: those(&|token| token.starts_with(last.as_str())),
                    },
                }
            }
        };
        let counting: Vec<Option<u32>> = words
            .counting
            .iter()
            .map(|word| self.numbers.get(word.as_str()).copied())
            .collect();
        let tagged = |fits: &dyn Fn(&str, &(String, String)) -> bool| {
            let Some(skill) = &words.skill else {
                return Vec::new();
            };
            let lists = self.tagged.iter().filter(|(tag, _)| fits(tag, skill));
            let mut all: Vec<u32> = lists.flat_map(|(_, list)| list).copied().collect();
            all.sort_unstable();
            all
        };
        Found {
            phrase,
            counting: counting.into_iter().collect(),
            skill: tagged(&|tag, skill| *tag == *skill.0),
            // Blanks have no case, so that trimming before or after it is the same.
            trimmed: tagged(&|tag, skill| *java::trim(tag) == *skill.1),
        }
    }

    /// What the words of a task find in a memory that has so many of them.
    pub fn points(&self, words: &Words, found: &Found, at: usize, count: u16) -> Points {
        let count = usize::from(count);
        let [start, content, end] = self.places.get(at).copied().unwrap_or_default();
        let part = |from: u32, to: u32| {
            self.sequence
                .get(from as usize..to as usize)
                .unwrap_or_default()
        };
        let title = part(start, content);
        let all = !words.counting.is_empty() && count == words.counting.len();
        let covers = all
            && found
                .counting
                .as_ref()
                .is_some_and(|counting| counting.iter().all(|number| title.contains(number)));
        let own = u32::try_from(at).unwrap_or(u32::MAX);
        let is_tagged = |list: &[u32]| list.binary_search(&own).is_ok();
        Points {
            relevance: words.relevance(count),
            found: (count, words.counting.len()),
            skill: is_tagged(&found.skill),
            reranked: [
                found.phrase.is_in(title),
                found.phrase.is_in(part(content, end)),
                covers,
                is_tagged(&found.trimmed),
            ],
        }
    }
}

/// What the words of a task stand for in an index.
pub struct Found {
    phrase: Phrase,
    /// The words that count, where all of them are known.
    counting: Option<Vec<u32>>,
    /// The memories with the active skill for a tag, as the score and as the order has it.
    skill: Vec<u32>,
    trimmed: Vec<u32>,
}
