//! Two memories that a rule asks about: their texts, the differences, and the answer of the person.

use std::ops::Range;
use std::sync::Arc;

use super::conflict::words::differing;
use super::reading::{SHOWN, clip};
use super::world::World;
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

/// A finding about the two.
#[derive(Clone, Debug)]
pub struct Why {
    /// The finding.
    pub finding: Finding,
    /// The statements of the first and the second, of a finding about two statements.
    pub statements: Option<Statements>,
}

/// Two memories and the findings about them. The older is the first.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The two.
    pub sides: [Side; 2],
    /// The findings about them, the surest first.
    pub whys: Vec<Why>,
    /// The first line on the screen.
    pub scroll: usize,
    /// True if their texts were asked for.
    pub asked: bool,
    /// True if the texts are those of the memories as they are shown.
    pub read: bool,
}

/// An answer that is being applied.
#[derive(Clone, Debug)]
pub struct Answering {
    /// The one memory.
    pub a: MemoryId,
    /// The other.
    pub b: MemoryId,
    /// The one that goes.
    pub loser: Option<MemoryId>,
}

/// True if a question is about both memories alike; of a superseded memory nothing is wrong with
/// the one that replaced it.
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

    /// True if both texts are on the screen, and are those of the memories as they are now.
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

    /// Marks the differences: those that a rule points at, else the words that only one has.
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
            marks = differing(x, y).into();
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

/// True if a finding asks about these two.
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
