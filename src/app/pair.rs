//! Two memories that a rule asks about: their texts, the differences, and the answer of the person.

use std::ops::Range;
use std::sync::Arc;

use super::conflict::words::differing;
use super::msg::{Effect, Question, Slot};
use super::reading::{SHOWN, clip};
use super::world::World;
use super::{Model, Page};
use crate::lint::{About, Finding};
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

/// Reads the texts of two memories that stand side by side.
#[derive(Debug)]
pub struct ReadPair(pub [Arc<Memory>; 2]);

impl Question for ReadPair {
    const SLOT: Slot = "pair";
    const AWAITED: bool = true;
    type Answer = [Result<Arc<str>, String>; 2];

    fn settle(texts: Self::Answer, model: &mut Model) -> Vec<Effect> {
        if let Page::Pair(pair) = &mut model.page {
            pair.take(texts);
        }
        Vec::new()
    }
}

/// Asks for the texts of the two memories that stand side by side.
pub fn ask(model: &mut Model) -> Option<Effect> {
    let Page::Pair(pair) = &mut model.page else {
        return None;
    };
    if std::mem::replace(&mut pair.asked, true) {
        return None;
    }
    let both = pair.sides.each_ref().map(|side| Arc::clone(&side.memory));
    Some(model.slots.ask(ReadPair(both)))
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
        Self::between(world, world.memory_of(finding)?, world.linted(*other)?)
    }

    /// The two as they are now, and all that the rules say of them; nothing where they say
    /// nothing, or one is gone.
    fn between(world: &World, one: &Memory, other: &Memory) -> Option<Self> {
        let now = |memory: &Memory| {
            let found = world.find(&memory.id).cloned();
            found.filter(|memory| memory.state == State::Active)
        };
        let mut sides = [now(one)?, now(other)?];
        if sides[1].written() < sides[0].written() {
            sides.reverse();
        }
        let findings = world.findings().iter();
        let about = findings.filter(|one| is_about(world, one, &sides[0].id, &sides[1].id));
        let why = |finding: &Finding| Why {
            statements: statements(world, finding, &sides[0]),
            finding: finding.clone(),
        };
        let mut whys: Vec<Why> = about.map(why).collect();
        whys.sort_by(|a, b| b.finding.confidence.total_cmp(&a.finding.confidence));
        let side = |memory| Side {
            memory,
            body: None,
            marks: Vec::new(),
        };
        (!whys.is_empty()).then(|| Self {
            sides: sides.map(side),
            whys,
            scroll: 0,
            asked: false,
            read: false,
        })
    }

    /// The ids of the first and the second.
    pub fn ids(&self) -> [&MemoryId; 2] {
        self.sides.each_ref().map(|side| &side.memory.id)
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
        let is_same = |side: &Side| {
            matches!(side.body, Some(Ok(_)))
                && world
                    .find(&side.memory.id)
                    .is_some_and(|now| *now == side.memory)
        };
        self.read && self.sides.iter().all(is_same)
    }

    /// The same with what is known now; the old texts stay until the new ones are there. Nothing
    /// where nothing is asked about them any more.
    pub fn renewed(&self, world: &World) -> Option<Self> {
        let [a, b] = &self.sides;
        let mut new = Self::between(world, &a.memory, &b.memory)?;
        for side in &mut new.sides {
            let mut known = self.sides.iter();
            let old = known.find(|old| old.memory.id == side.memory.id);
            side.body = old.and_then(|old| old.body.clone());
        }
        let mut both = new.sides.iter().zip(&self.sides);
        let is_same = both.all(|(new, old)| new.memory == old.memory);
        new.asked = self.asked && is_same;
        new.read = self.read && is_same;
        new.scroll = self.scroll;
        new.mark();
        Some(new)
    }

    /// Takes the texts in.
    fn take(&mut self, texts: [Result<Arc<str>, String>; 2]) {
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
        let mut pointed = self.whys.iter().filter_map(|why| why.statements.as_ref());
        let mut point_at = |statements: &Statements| {
            for ((body, (text, differing)), marks) in [x, y].iter().zip(statements).zip(&mut marks)
            {
                if let Some(at) = on_one_line(body).find(text.as_str()) {
                    let ranges = differing.iter();
                    marks.extend(ranges.map(|range| at + range.start..at + range.end));
                }
            }
        };
        match pointed.next() {
            Some(first) => std::iter::once(first)
                .chain(pointed)
                .for_each(&mut point_at),
            None => marks = differing(x, y).into(),
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
    let here = world.memory_of(finding).map(|memory| &memory.id);
    let among = |id: &MemoryId| {
        let mut related = finding.related.iter();
        related.any(|other| world.linted(*other).is_some_and(|other| other.id == *id))
    };
    finding.asks() && (here == Some(a) && among(b) || here == Some(b) && among(a))
}

/// The statements that a finding puts against each other, that of the first memory first.
fn statements(world: &World, finding: &Finding, first: &Memory) -> Option<Statements> {
    let [here, there, ..] = finding.evidence.as_slice() else {
        return None;
    };
    let marks = |piece: usize| {
        let own = finding.marks.iter().filter(move |mark| mark.0 == piece);
        own.map(|mark| mark.1.clone()).collect()
    };
    let mut both = [(here.clone(), marks(0)), (there.clone(), marks(1))];
    let memory = world.memory_of(finding);
    if memory.is_some_and(|memory| memory.id != first.id) {
        both.reverse();
    }
    (!finding.marks.is_empty()).then_some(both)
}

/// A text with blanks for its line ends, as long as before: as evidence has it.
fn on_one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
