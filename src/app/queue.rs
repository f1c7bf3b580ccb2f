//! The review queue on the screen: entries, decisions, and the way back to each.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use super::cursor::Cursor;
use super::msg::{Question, Slot};
use super::world::{Stamp, stamp};
use super::{Model, View};
use crate::curate::differences::batches;
use crate::curate::differences::{Against, Entry, Stage};
use crate::lint::is_floor;
use crate::memory::{MemoryId, Severity};
use crate::retrieval::Snapshot;

/// A finding of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its rule.
    pub rule: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// The problem.
    pub message: String,
    /// True if the change brought it.
    pub is_new: bool,
}

/// An entry with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// The entry.
    pub entry: Arc<Entry>,
    /// Its findings.
    pub findings: Vec<Found>,
    /// Its effects on the tasks, a line each.
    pub effects: Vec<String>,
    /// Other proposals that say nearly the same, the surest first.
    pub others: Vec<Card>,
}

impl Card {
    /// The ids of the others.
    pub fn other_ids(&self) -> Vec<MemoryId> {
        let others = self.others.iter();
        others.map(|card| card.entry.id.clone()).collect()
    }

    fn turn(&mut self) {
        if !self.others.is_empty() {
            let mut next = self.others.remove(0);
            next.others = std::mem::take(&mut self.others);
            let was = std::mem::replace(self, next);
            self.others.push(was);
        }
    }

    /// The new secret or instruction to the reader that stops it from being accepted unseen.
    pub fn warning(&self) -> Option<&Found> {
        self.warnings().find(|found| is_floor(found.rule))
    }

    fn warnings(&self) -> impl Iterator<Item = &Found> {
        let found = self.findings.iter();
        found.filter(|found| found.is_new && found.severity < Severity::Info)
    }
}

/// The queue as it was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Queue {
    /// The entries, in their order.
    pub cards: Vec<Card>,
    /// Entries that could not be compared.
    pub notes: Vec<String>,
    /// True if findings and effects are known.
    pub is_assessed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// It is staged, or counts as seen.
    Accepted,
    /// The base's version is back.
    Rejected,
    /// It waits for later.
    Skipped,
}

impl Decision {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Skipped => "skipped",
        }
    }
}

/// Compares the memories with the last commit; answered twice, the second time with findings.
#[derive(Debug)]
pub struct ReadQueue(pub Snapshot);

impl Question for ReadQueue {
    const SLOT: Slot = "review";
    const AWAITED: bool = true;
    type Answer = Result<Queue, String>;

    fn settle(queue: Self::Answer, model: &mut Model) {
        model.review.is_known = true;
        match queue {
            Ok(queue) => {
                model.review.error = None;
                model.review.take(queue);
            }
            Err(why) => model.review.error = Some(why),
        }
    }
}

/// The queue is read when it is looked at, and again when something in it may have changed.
pub fn ask(model: &mut Model) {
    let now = (stamp(&model.world.memories), model.review.generation);
    let is_wanted = model.view == View::Review && model.world.complete;
    if !is_wanted || model.review.asked == Some(now) {
        return;
    }
    model.review.asked = Some(now);
    model.request(ReadQueue(Arc::clone(&model.world.memories)));
}

#[derive(Debug, Default)]
pub struct Review {
    /// The entries, those that are decided and no longer differ among them.
    pub cards: Vec<Card>,
    pub notes: Vec<String>,
    /// Why there is no queue.
    pub error: Option<String>,
    pub cursor: Cursor<MemoryId>,
    pub is_known: bool,
    pub is_assessed: bool,
    /// Number of changes that wait, counted after the queue was read last.
    pub counted: Option<usize>,
    /// Changes with everything the queue depends on beside the memories.
    pub generation: u64,
    /// The decisions since the view was opened or the last commit.
    decided: HashMap<MemoryId, Decision>,
    /// The entries of the queue that was read last.
    ids: HashSet<MemoryId>,
    /// Decisions that are being made, the oldest first: what they are about, and proposals that say
    /// nearly the same, which are rejected then.
    pending: VecDeque<[Vec<MemoryId>; 2]>,
    pub scroll: usize,
    /// True if the card is the raw diff alone.
    pub is_raw: bool,
    /// The memories that were compared with the last commit, and what else that depended on.
    asked: Option<(Stamp, u64)>,
}

impl Review {
    /// Takes a queue in that was read.
    fn take(&mut self, queue: Queue) {
        self.counted = None;
        self.is_assessed = queue.is_assessed;
        self.notes = queue.notes;
        let decided = |review: &Self, card: &Card| review.decided.get(&card.entry.id).copied();
        // A decided entry that is back in the queue was undone.
        let mut undone = Vec::new();
        for card in &queue.cards {
            let is_staged = card.entry.staged == Stage::Yes;
            let is_undone = match decided(self, card) {
                Some(Decision::Accepted) => !is_staged,
                decision => decision == Some(Decision::Rejected),
            };
            let is_pending = |[ids, _]: &[Vec<MemoryId>; 2]| ids.contains(&card.entry.id);
            if is_undone && !self.pending.iter().any(is_pending) {
                self.decided.remove(&card.entry.id);
                undone.push(card.entry.id.clone());
            }
        }
        let is_there = |card: &Card| queue.cards.iter().any(|one| one.entry.id == card.entry.id);
        // The change made by a proposal replaces it, if that change is staged.
        let is_new =
            |card: &Card| card.entry.staged == Stage::Yes && !self.ids.contains(&card.entry.id);
        let has_new = queue.cards.iter().any(is_new);
        let known = (1..).zip(&self.cards);
        let places = known.map(|(at, card)| (card.entry.id.clone(), at));
        let places: HashMap<MemoryId, usize> = places.collect();
        let mut gone = std::mem::take(&mut self.cards);
        gone.iter_mut().for_each(|card| card.others.clear());
        gone.retain(|card| {
            let is_proposal = matches!(card.entry.against, Against::Proposal(_));
            let is_kept = match decided(self, card) {
                Some(Decision::Accepted) => !(has_new && is_proposal),
                decision => decision == Some(Decision::Rejected),
            };
            is_kept && !is_there(card)
        });
        let ids = queue.cards.iter().map(|card| card.entry.id.clone());
        self.ids = ids.collect();
        self.cards = batched(queue.cards, self.cursor.chosen.as_ref());
        self.cards.extend(gone);
        self.order(&places);
        if let [one] = &*undone {
            self.cursor.chosen = Some(one.clone());
        }
        let cards = &self.cards;
        let row = self.cursor.row;
        let place = |id: &MemoryId| cards.iter().position(|card| card.entry.id == *id);
        let chosen = self.cursor.chosen.as_ref();
        let is_gone = chosen.is_some_and(|id| place(id).is_none());
        self.cursor.follow(cards.len(), place);
        if is_gone {
            self.go(row);
        } else if self.cursor.chosen.is_none() {
            let first = (0..self.cards.len()).find(|row| self.decision(*row).is_none());
            self.cursor.row = first.unwrap_or_default();
        }
    }

    /// Sorts the cards by file and place in it. Those that were there keep their order, whatever
    /// place a decision gives them: the next one stays the next.
    fn order(&mut self, places: &HashMap<MemoryId, usize>) {
        self.cards.sort_by_cached_key(|card| {
            let entry = &card.entry;
            let position = entry.side().map(|side| side.memory.document);
            (entry.path().map(std::path::Path::to_path_buf), position)
        });
        let mut last = (0, 0);
        self.cards.sort_by_cached_key(|card| {
            last = match places.get(&card.entry.id) {
                Some(at) => (*at, 0),
                None => (last.0, last.1 + 1),
            };
            last
        });
    }

    /// The memory of the current card, if it is accepted or rejected.
    pub fn decided(&self) -> Option<&MemoryId> {
        let decision = self.decision(self.cursor.row)?;
        let card = self.current().filter(|_| decision != Decision::Skipped)?;
        Some(&card.entry.id)
    }

    /// Shows the next proposal of those that say nearly the same.
    pub fn turn(&mut self) {
        if let Some(card) = self.cards.get_mut(self.cursor.row) {
            card.turn();
        }
        self.go(self.cursor.row);
    }

    pub fn current(&self) -> Option<&Card> {
        self.cards.get(self.cursor.row)
    }

    pub fn go(&mut self, row: usize) {
        self.scroll = 0;
        let cards = &self.cards;
        self.cursor.go(row, cards.len(), |row| {
            Some(cards.get(row)?.entry.id.clone())
        });
    }

    /// The decision on the card of a row: what is staged is kept, whoever staged it.
    pub fn decision(&self, row: usize) -> Option<Decision> {
        let entry = &self.cards.get(row)?.entry;
        let staged = (entry.staged == Stage::Yes).then_some(Decision::Accepted);
        self.decided.get(&entry.id).copied().or(staged)
    }

    pub fn waiting(&self) -> usize {
        let waits = |one: &Option<Decision>| matches!(one, None | Some(Decision::Skipped));
        self.decisions().filter(waits).count()
    }

    fn decisions(&self) -> impl Iterator<Item = Option<Decision>> {
        (0..self.cards.len()).map(|row| self.decision(row))
    }

    /// The cards that are of the group of the current one, wait for a decision and carry no warning.
    pub fn alike(&self) -> Vec<&Card> {
        let Some(group) = self.current().map(|card| card.entry.group()) else {
            return Vec::new();
        };
        let rows = self.cards.iter().zip(self.decisions());
        let alike = rows.filter(|(card, decision)| {
            card.entry.group() == group
                && decision.is_none()
                && card.warnings().next().is_none()
                && card.others.is_empty()
        });
        alike.map(|(card, _)| card).collect()
    }

    /// Notes a decision on some entries. One that changes the store is pending until that is done.
    pub fn mark(&mut self, ids: &[MemoryId], decision: Decision) {
        let is_one = decision == Decision::Accepted && ids.len() == 1;
        let accepted = ids.first().filter(|_| is_one);
        let mut cards = self.cards.iter();
        let card = cards.find(|card| Some(&card.entry.id) == accepted);
        let others = card.map(Card::other_ids).unwrap_or_default();
        for id in ids {
            self.decided.insert(id.clone(), decision);
        }
        if decision != Decision::Skipped {
            self.pending.push_back([ids.to_vec(), others]);
        }
    }

    /// Notes a decision on some entries and goes to the next that waits.
    pub fn decide(&mut self, ids: &[MemoryId], decision: Decision) {
        self.mark(ids, decision);
        let rows = self.cards.len();
        let from = self.cursor.row;
        let others = || (from + 1..rows).chain(0..from);
        let next = others().find(|row| self.decision(*row).is_none());
        // Those that were skipped come once more.
        let skipped = || others().find(|row| self.decision(*row) == Some(Decision::Skipped));
        self.go(next.or_else(skipped).unwrap_or(from));
    }

    /// A change was made, or failed: the oldest pending decision with it. Gives the proposals that are
    /// rejected now.
    pub fn settled(&mut self, failed: bool) -> Vec<MemoryId> {
        let [ids, others] = self.pending.pop_front().unwrap_or_default();
        self.generation += 1;
        if !failed {
            return others;
        }
        for id in &ids {
            self.decided.remove(id);
        }
        let mut cards = self.cards.iter();
        if let Some(row) = cards.position(|card| Some(&card.entry.id) == ids.first()) {
            self.go(row);
        }
        Vec::new()
    }

    /// Forgets the decisions after a commit: the review begins anew.
    pub fn committed(&mut self) {
        self.decided.clear();
        self.pending.clear();
        self.cards.clear();
        self.is_known = false;
        self.cursor = Cursor::default();
        self.generation += 1;
    }

    /// The commit message that what is staged suggests.
    pub fn message(&self) -> String {
        crate::curate::differences::message(self.staged())
    }

    /// The entries that a commit takes, a line each.
    pub fn committed_list(&self) -> String {
        let listed = crate::curate::differences::listed(self.staged());
        match self.waiting() {
            0 => listed,
            1 => format!("{listed}1 change waits and stays uncommitted\n"),
            many => format!("{listed}{many} changes wait and stay uncommitted\n"),
        }
    }

    /// The entries that the next commit would hold.
    pub fn staged(&self) -> impl Iterator<Item = &Entry> + Clone {
        let staged = |card: &&Card| {
            card.entry.staged != Stage::No
                || self.decided.get(&card.entry.id) == Some(&Decision::Accepted)
        };
        self.cards.iter().filter(staged).map(|card| &*card.entry)
    }
}

/// The cards, with proposals that say nearly the same as one: the one the person stands on is shown,
/// else the surest.
fn batched(cards: Vec<Card>, chosen: Option<&MemoryId>) -> Vec<Card> {
    let batches = batches(cards.iter().map(|card| &*card.entry));
    let mut cards: Vec<Option<Card>> = cards.into_iter().map(Some).collect();
    for batch in batches {
        let first = batch.first().copied().unwrap_or_default();
        let taken = batch.into_iter().filter_map(|at| cards.get_mut(at)?.take());
        let mut taken: Vec<Card> = taken.collect();
        taken.sort_by(|one, other| {
            let key = |card: &Card| (Some(&card.entry.id) == chosen, card.entry.confidence());
            let order = key(other).partial_cmp(&key(one));
            order.unwrap_or(std::cmp::Ordering::Equal)
        });
        let mut shown = taken.remove(0);
        shown.others = taken;
        if let Some(place) = cards.get_mut(first) {
            *place = Some(shown);
        }
    }
    cards.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curate::differences::Kind;
    use crate::memory::StoreId;

    fn card(local: &str, kind: Kind, against: Against, staged: Stage) -> Card {
        let id = MemoryId::new(&StoreId::from("s"), local);
        let entry = Entry {
            staged,
            ..Entry::new(id, kind, (None, None), against)
        };
        Card {
            entry: Arc::new(entry),
            findings: Vec::new(),
            effects: Vec::new(),
            others: Vec::new(),
        }
    }

    #[test]
    fn a_kept_proposal_gives_way_to_what_it_did() {
        let text = r#"{"version":1,"action":"add","store":"s"}"#;
        let proposal: crate::curate::differences::Proposal = serde_json::from_str(text).unwrap();
        let proposal = Against::Proposal(Box::new(proposal));
        let proposed = card("proposal/1", Kind::Added, proposal, Stage::No);
        let edited = card("b", Kind::Modified, Against::Commit, Stage::No);
        let staged = card("a", Kind::Added, Against::Commit, Stage::Yes);
        let queue = |cards: &[&Card]| Queue {
            cards: cards.iter().map(|card| (*card).clone()).collect(),
            ..Queue::default()
        };
        // In git it is staged; elsewhere nothing takes its place.
        for (after, message) in [
            (vec![&staged, &edited], "Memories: add a\n"),
            (vec![&edited], "Memories: add proposal/1\n"),
        ] {
            let mut review = Review::default();
            review.take(queue(&[&proposed, &edited]));
            review.go(0);
            review.decide(std::slice::from_ref(&proposed.entry.id), Decision::Accepted);
            review.settled(false);
            review.take(queue(&after));
            let accepted = review
                .decisions()
                .filter(|one| *one == Some(Decision::Accepted));
            assert_eq!((review.waiting(), accepted.count()), (1, 1));
            assert_eq!(review.message(), message);
            review.take(queue(&[&proposed, &edited]));
            assert_eq!(review.waiting(), 2, "undone");
        }
    }
}
