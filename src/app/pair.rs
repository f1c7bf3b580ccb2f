//! Two memories that a rule asks about: their texts, the differences, and the answer of the person.

use std::ops::Range;
use std::sync::Arc;

use itertools::Itertools as _;

use super::msg::{Change, Question, Slot};
use super::overlay;
use super::proposal::{Proposal, propose};
use super::reading::{SHOWN, clip};
use super::world::World;
use super::{Model, Page, View};
use crate::curate::Resolution;
use crate::curate::diff::differing;
use crate::curate::merge::redirected;
use crate::lint::Finding;
use crate::memory::{Memory, MemoryId, State};

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

#[derive(Clone, Debug)]
pub struct Why {
    pub finding: Finding,
    /// The statements of the first and the second, of a finding about two statements.
    pub statements: Option<Statements>,
}

/// Two memories and the findings about them. The older is the first.
#[derive(Clone, Debug)]
pub struct Pair {
    pub sides: [Side; 2],
    /// The findings about them, the surest first.
    pub whys: Vec<Why>,
    pub scroll: usize,
    pub asked: bool,
}

/// Reads the texts of two memories that stand side by side.
#[derive(Debug)]
pub struct ReadPair(pub [Arc<Memory>; 2]);

impl Question for ReadPair {
    const SLOT: Slot = "pair";
    const AWAITED: bool = true;
    type Answer = [Result<Arc<str>, String>; 2];

    fn settle(texts: Self::Answer, model: &mut Model) {
        if let Page::Pair(pair) = &mut model.page {
            pair.take(texts);
        }
    }
}

pub fn ask(model: &mut Model) {
    let Page::Pair(pair) = &mut model.page else {
        return;
    };
    if !std::mem::replace(&mut pair.asked, true) {
        let both = pair.sides.each_ref().map(|side| Arc::clone(&side.memory));
        model.request(ReadPair(both));
    }
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
        })
    }

    pub fn ids(&self) -> [&MemoryId; 2] {
        self.sides.each_ref().map(|side| &side.memory.id)
    }

    /// The rules that ask, each once.
    pub fn rules(&self) -> Vec<&'static str> {
        let rules = self.whys.iter().map(|why| why.finding.rule);
        rules.sorted().dedup().collect()
    }

    /// True if both texts are on the screen, and are those of the memories as they are now.
    pub fn is_current(&self, world: &World) -> bool {
        let is_same = |side: &Side| {
            matches!(side.body, Some(Ok(_))) && world.find(&side.memory.id) == Some(&side.memory)
        };
        self.sides.iter().all(is_same)
    }

    /// The same with what is known now. Nothing where nothing is asked about them any more.
    pub fn renewed(&self, world: &World) -> Option<Self> {
        let [a, b] = &self.sides;
        let mut new = Self::between(world, &a.memory, &b.memory)?;
        let mut both = new.sides.iter().zip(&self.sides);
        if both.all(|(new, old)| new.memory == old.memory) {
            (new.sides, new.asked) = (self.sides.clone(), self.asked);
            new.mark();
        }
        new.scroll = self.scroll;
        Some(new)
    }

    fn take(&mut self, texts: [Result<Arc<str>, String>; 2]) {
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
        let pointed = self.whys.iter().filter_map(|why| why.statements.as_ref());
        let mut pointed = pointed.peekable();
        if pointed.peek().is_none() {
            marks = differing(x, y).into();
        }
        for statements in pointed {
            let both = [x, y].into_iter().zip(statements).zip(&mut marks);
            for ((body, (text, differing)), marks) in both {
                // Evidence has blanks for line ends.
                if let Some(at) = body.replace(['\n', '\r'], " ").find(text.as_str()) {
                    let ranges = differing.iter();
                    marks.extend(ranges.map(|range| at + range.start..at + range.end));
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
fn is_about(world: &World, finding: &Finding, a: &MemoryId, b: &MemoryId) -> bool {
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

/// The question about two memories that the person is on: the finding where it is one, else one
/// about the memory, wherever it stands.
pub(super) fn question(model: &Model) -> Option<usize> {
    let asks = |n: &usize| model.world.finding(*n).is_some_and(Finding::asks);
    let found = model.current_finding().filter(asks);
    if found.is_some() || model.view == View::Lint {
        return found;
    }
    let id = &model.current()?.id;
    let (own, with) = (model.world.findings_of(id), model.world.findings_with(id));
    own.iter().chain(with).find(|n| asks(n)).copied()
}

pub fn open(model: &mut Model) {
    let finding = question(model);
    let finding = finding.and_then(|n| model.world.finding(n));
    if let Some(pair) = finding.and_then(|finding| Pair::of(&model.world, finding)) {
        model.page = Page::Pair(Box::new(pair));
    } else if finding.is_some() {
        model.say("one of the two memories is gone");
    }
}

/// The answers of the person to all rules that ask about the two, with what follows from them.
fn answers(pair: &Pair, answer: Resolution, scope: Option<&str>) -> Vec<Change> {
    let [a, b] = pair.ids();
    let rules = pair.rules().into_iter();
    let answers = rules.map(|rule| Change::Answer {
        rule: rule.to_owned(),
        a: a.clone(),
        b: b.clone(),
        answer,
        scope: scope.map(str::to_owned),
    });
    let loser = match answer {
        Resolution::KeepA => Some(b),
        Resolution::KeepB => Some(a),
        _ => None,
    };
    let archive = loser.map(|loser| Change::Archive(vec![loser.clone()]));
    answers.chain(archive).collect()
}

/// The pair that is shown, where it is what the stores hold; else says why it is not answered.
fn current(model: &mut Model) -> Option<Pair> {
    let Page::Pair(pair) = &model.page else {
        return None;
    };
    if pair.is_current(&model.world) {
        return Some((**pair).clone());
    }
    model.fail("one of the two is reloading or cannot be read: no answer was saved");
    None
}

pub fn answer(model: &mut Model, answer: Resolution, scope: Option<String>) {
    if let Some(pair) = current(model) {
        model.apply(Change::Together(answers(&pair, answer, scope.as_deref())));
    }
}

pub fn keep_both(model: &mut Model) {
    if current(model).is_some() {
        model.ask(overlay::Question::Cases, "");
    }
}

/// Shows what the two would be as one.
pub fn propose_merge(model: &mut Model, into_second: bool) {
    let Some(pair) = current(model) else {
        return;
    };
    let [mut keep, mut with] = pair.ids().map(Clone::clone);
    if into_second {
        std::mem::swap(&mut keep, &mut with);
    }
    let mut all = answers(&pair, Resolution::Merge, None);
    all.push(Change::merge(&keep, &with));
    let title = format!("merge {with} into {keep}");
    let of = concerned(model, &keep, &with);
    let mut proposal = Proposal::new(title, Change::Together(all), of);
    proposal.behind = Some(Box::new(Page::Pair(Box::new(pair))));
    propose(model, proposal);
}

/// The memories whose texts a merge is worked out from: the two, and those that name the second.
fn concerned(model: &Model, keep: &MemoryId, with: &MemoryId) -> Vec<Arc<Memory>> {
    let (keep, with) = (model.world.find(keep), model.world.find(with));
    let mut of: Vec<Arc<Memory>> = keep.into_iter().chain(with).cloned().collect();
    if let (Some(keep), Some(with)) = (keep, with) {
        let others = model.world.memories.iter();
        let names = |other: &&Arc<Memory>| !redirected(other, keep, with).is_empty();
        of.extend(others.filter(names).cloned());
    }
    of
}
