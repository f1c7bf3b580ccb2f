//! Two memories that a rule asks about, side by side: what they say, in what they differ, and the
//! answer of the person.

use std::ops::Range;
use std::sync::Arc;

use similar::DiffOp;

use super::reading::{SHOWN, clip};
use super::world::World;
use crate::curate::diff::ops::ops;
use crate::lint::About;
use crate::lint::Finding;
use crate::memory::{Memory, MemoryId, State};

/// One of the two.
#[derive(Clone, Debug)]
pub struct Side {
    /// The memory, in the state that is shown.
    pub memory: Arc<Memory>,
    /// Its body, or why it cannot be read; none until it is read.
    pub body: Option<Result<String, String>>,
    /// The bytes of the body that differ.
    pub marks: Vec<Range<usize>>,
}

/// Statements of the two that stand against each other, each with its differing bytes.
pub type Statements = [(String, Vec<Range<usize>>); 2];

/// What a rule says of the two.
#[derive(Clone, Debug)]
pub struct Why {
    /// The finding.
    pub finding: Finding,
    /// Where two statements are what it is about: those of the first and the second.
    pub statements: Option<Statements>,
}

/// Two memories and what is between them. The older is the first.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The two.
    pub sides: [Side; 2],
    /// What the rules say of them, the surest first.
    pub whys: Vec<Why>,
    /// The first line on the screen.
    pub scroll: usize,
    /// Whether their texts were asked for.
    pub asked: bool,
    /// Whether the texts are those of the memories as they are shown.
    pub read: bool,
}

/// What is being answered, until it is made.
#[derive(Clone, Debug)]
pub struct Answering {
    /// The one memory.
    pub a: MemoryId,
    /// The other.
    pub b: MemoryId,
    /// The one that goes.
    pub loser: Option<MemoryId>,
}

/// Words of a body that are compared; more would take seconds.
const MOST_WORDS: usize = 4_000;

/// Whether a question is as much about the other memory as about the one it stands at: of one
/// that another took the place of, nothing is wrong with the other.
pub fn of_equals(finding: &Finding) -> bool {
    finding.asks() && finding.about == About::Pair
}

impl Pair {
    /// The two that a finding asks about.
    pub fn of(world: &World, finding: &Finding) -> Option<Self> {
        let other = finding.related.first().filter(|_| finding.asks())?;
        let here = world.memory_of(finding)?;
        let there = world.linted(*other)?;
        Self::between(world, here, there)
    }

    /// The two as they are now, and all that the rules say of them; nothing where they say
    /// nothing, or one is gone.
    fn between(world: &World, one: &Memory, other: &Memory) -> Option<Self> {
        let now = |memory: &Memory| {
            let found = world.memory(world.index_of(&memory.id)?).cloned();
            found.filter(|memory| memory.state == State::Active)
        };
        let mut sides = [now(one)?, now(other)?];
        if sides[1].written() < sides[0].written() {
            sides.reverse();
        }
        let mut whys: Vec<Why> = world
            .findings()
            .iter()
            .filter(|finding| is_about(world, finding, &sides[0].id, &sides[1].id))
            .map(|finding| Why {
                statements: statements(world, finding, &sides[0]),
                finding: finding.clone(),
            })
            .collect();
        whys.sort_by(|a, b| b.finding.confidence.total_cmp(&a.finding.confidence));
        if whys.is_empty() {
            return None;
        }
        let side = |memory| Side {
            memory,
            body: None,
            marks: Vec::new(),
        };
        Some(Self {
            sides: sides.map(side),
            whys,
            scroll: 0,
            asked: false,
            read: false,
        })
    }

    /// The ids of the first and the second.
    pub fn ids(&self) -> [&MemoryId; 2] {
        [&self.sides[0].memory.id, &self.sides[1].memory.id]
    }

    /// The rules that ask, each once.
    pub fn rules(&self) -> Vec<&'static str> {
        let mut rules: Vec<&'static str> = self.whys.iter().map(|why| why.finding.rule).collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// Whether both texts are on the screen, and are those of the memories as they are now.
    pub fn is_current(&self, world: &World) -> bool {
        self.read
            && self.sides.iter().all(|side| {
                let now = world
                    .index_of(&side.memory.id)
                    .and_then(|index| world.memory(index));
                matches!(side.body, Some(Ok(_)))
                    && now.is_some_and(|now| Arc::ptr_eq(now, &side.memory) || *now == side.memory)
            })
    }

    /// The same with what is known now; the old texts stay until the new ones are there. Nothing
    /// where nothing is asked about them any more.
    pub fn renewed(&self, world: &World) -> Option<Self> {
        let [a, b] = &self.sides;
        let mut new = Self::between(world, &a.memory, &b.memory)?;
        new.scroll = self.scroll;
        for side in &mut new.sides {
            if let Some(old) = self
                .sides
                .iter()
                .find(|old| old.memory.id == side.memory.id)
            {
                side.body.clone_from(&old.body);
            }
        }
        let same = |n: usize| {
            new.sides.get(n).map(|side| &side.memory) == self.sides.get(n).map(|side| &side.memory)
        };
        let unchanged = same(0) && same(1);
        new.asked = self.asked && unchanged;
        new.read = self.read && unchanged;
        new.mark();
        Some(new)
    }

    /// Takes the texts in.
    pub fn take(&mut self, texts: [Result<Arc<str>, String>; 2]) {
        self.read = true;
        for (side, text) in self.sides.iter_mut().zip(texts) {
            let memory = &side.memory;
            let head = memory.body.start.saturating_sub(memory.span.start);
            side.body = Some(text.map(|text| {
                // As long as before, so that every place is the same.
                let masked = crate::lint::mask(&text);
                clip(masked.get(head..).unwrap_or(&masked), SHOWN).to_owned()
            }));
        }
        self.mark();
    }

    /// Marks what differs: what a rule points at, else the words of one that the other has not.
    fn mark(&mut self) {
        let [a, b] = &self.sides;
        let (Some(Ok(x)), Some(Ok(y))) = (&a.body, &b.body) else {
            return;
        };
        let mut marks = [Vec::new(), Vec::new()];
        let pointed: Vec<&Statements> = self
            .whys
            .iter()
            .filter_map(|why| why.statements.as_ref())
            .collect();
        if pointed.is_empty() {
            let (gone, come) = words(x, y);
            marks = [gone, come];
        }
        for statements in pointed {
            for ((body, (text, differing)), marks) in
                [x, y].into_iter().zip(statements).zip(&mut marks)
            {
                if let Some(at) = on_one_line(body).find(text.as_str()) {
                    marks.extend(
                        differing
                            .iter()
                            .map(|range| at + range.start..at + range.end),
                    );
                }
            }
        }
        for (side, mut marks) in self.sides.iter_mut().zip(marks) {
            marks.sort_by_key(|range| (range.start, range.end));
            marks.dedup();
            side.marks = marks;
        }
    }
}

/// Whether a finding asks about these two.
pub fn is_about(world: &World, finding: &Finding, a: &MemoryId, b: &MemoryId) -> bool {
    if !finding.asks() {
        return false;
    }
    let Some(here) = world.memory_of(finding).map(|memory| &memory.id) else {
        return false;
    };
    let among = |id: &MemoryId| {
        let mut related = finding.related.iter();
        related.any(|other| world.linted(*other).is_some_and(|other| other.id == *id))
    };
    (here == a && among(b)) || (here == b && among(a))
}

/// The statements that a finding puts against each other, that of the first memory first.
fn statements(world: &World, finding: &Finding, first: &Memory) -> Option<Statements> {
    let [here, there, ..] = finding.evidence.as_slice() else {
        return None;
    };
    if finding.marks.is_empty() {
        return None;
    }
    let marks = |piece: usize| {
        let own = finding.marks.iter().filter(move |mark| mark.0 == piece);
        own.map(|mark| mark.1.clone()).collect()
    };
    let mut both = [(here.clone(), marks(0)), (there.clone(), marks(1))];
    if world
        .memory_of(finding)
        .is_some_and(|memory| memory.id != first.id)
    {
        both.reverse();
    }
    Some(both)
}

/// A text with blanks for its line ends, as long as before: as evidence has it.
fn on_one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// The words of each of two texts that the other does not have in their place.
fn words(a: &str, b: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (x, y) = (places(a), places(b));
    let plain = |text: &str, places: &[Range<usize>]| -> Vec<String> {
        let word = |place: &Range<usize>| text.get(place.clone()).unwrap_or_default();
        let bare = |word: &str| {
            let bare = word.trim_matches(|c: char| c.is_ascii_punctuation());
            if bare.is_empty() { word } else { bare }.to_lowercase()
        };
        places.iter().map(|place| bare(word(place))).collect()
    };
    let ops = ops(&plain(a, &x), &plain(b, &y));
    let run = |places: &[Range<usize>], range: Range<usize>| {
        let part = places.get(range).unwrap_or_default();
        Some(part.first()?.start..part.last()?.end)
    };
    let differing = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    let (gone, come): (Vec<_>, Vec<_>) = differing
        .map(|op| (run(&x, op.old_range()), run(&y, op.new_range())))
        .unzip();
    let all = |runs: Vec<Option<Range<usize>>>| runs.into_iter().flatten().collect();
    (all(gone), all(come))
}

/// The first words of a text.
fn places(text: &str) -> Vec<Range<usize>> {
    let words = text.split_whitespace().take(MOST_WORDS);
    // What was split off is a part of the text.
    let place = |word: &str| {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        start..start + word.len()
    };
    words.map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_the_other_has_not_are_marked() {
        let marked = |text: &str, ranges: &[Range<usize>]| -> Vec<String> {
            ranges
                .iter()
                .map(|range| text[range.clone()].to_owned())
                .collect()
        };
        for (a, b, gone, come) in [
            (
                "The pool holds ten.",
                "the *pool* holds 10",
                vec!["ten."],
                vec!["10"],
            ),
            ("a b c", "a c", vec!["b"], vec![]),
            ("", "new words", vec![], vec!["new words"]),
            ("same", "Same.", vec![], vec![]),
        ] {
            let (x, y) = words(a, b);
            assert_eq!(marked(a, &x), gone, "{a}");
            assert_eq!(marked(b, &y), come, "{b}");
        }
    }
}
