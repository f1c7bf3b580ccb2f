//! Which answers are still wanted: one slot per kind of request, and only the newest counts.

use super::msg::{Effect, Msg, Ticket};

/// A kind of request of which only the newest matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The text of a memory.
    Text,
    /// The rows that match the filter.
    Filter,
    /// What would be injected.
    Preview,
    /// The verdicts of the rows on the screen.
    Verdicts,
    /// How the saved tasks come out.
    Tasks,
    /// What lint finds.
    Lint,
    /// A planned change.
    Plan,
    /// The colours of code.
    Highlight,
    /// The texts of two memories.
    Pair,
    /// What a model is asked.
    Ask,
    /// What differs from the last commit.
    Review,
    /// The versions of a memory, or the changes that were made.
    History,
}

/// How many slots there are: the last one is known by its place.
const SLOTS: usize = Slot::History as usize + 1;

/// The newest ticket of every slot.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    last: Ticket,
    newest: [Ticket; SLOTS],
}

impl Slots {
    /// A ticket for a new request; answers to older ones of its slot are dropped from now on.
    pub fn ask(&mut self, slot: Slot) -> Ticket {
        self.last += 1;
        if let Some(newest) = self.newest.get_mut(slot as usize) {
            *newest = self.last;
        }
        self.last
    }

    /// Whether a message answers a request that is still the newest of its slot, or none.
    pub fn wants(&self, msg: &Msg) -> bool {
        msg.answers()
            .is_none_or(|(slot, ticket)| self.newest.get(slot as usize) == Some(&ticket))
    }
}

impl Msg {
    /// The request it answers, where it answers one.
    pub const fn answers(&self) -> Option<(Slot, Ticket)> {
        Some(match self {
            Self::Text { ticket, .. } => (Slot::Text, *ticket),
            Self::Tasks { ticket, .. } => (Slot::Tasks, *ticket),
            Self::Filtered { ticket, .. } => (Slot::Filter, *ticket),
            Self::Previewed { ticket, .. } => (Slot::Preview, *ticket),
            Self::Verdicts { ticket, .. } => (Slot::Verdicts, *ticket),
            Self::Linted { ticket, .. } => (Slot::Lint, *ticket),
            Self::Planned { ticket, .. } => (Slot::Plan, *ticket),
            Self::Highlighted { ticket, .. } => (Slot::Highlight, *ticket),
            Self::Reviewed { ticket, .. } => (Slot::Review, *ticket),
            Self::Texts { ticket, .. } => (Slot::Pair, *ticket),
            Self::Versions { ticket, .. }
            | Self::Archived { ticket, .. }
            | Self::Changes { ticket, .. }
            | Self::Candidates { ticket, .. } => (Slot::History, *ticket),
            Self::Asking { ticket, .. } | Self::Asked { ticket, .. } => (Slot::Ask, *ticket),
            _ => return None,
        })
    }
}

impl Effect {
    /// The request it makes, where the next frame may well have its answer.
    pub const fn awaited(&self) -> Option<(Slot, Ticket)> {
        Some(match self {
            Self::ReadText { ticket, .. } => (Slot::Text, *ticket),
            Self::Filter { ticket, .. } => (Slot::Filter, *ticket),
            Self::Preview { ticket, .. } => (Slot::Preview, *ticket),
            Self::Highlight { ticket, .. } => (Slot::Highlight, *ticket),
            Self::Review { ticket, .. } => (Slot::Review, *ticket),
            Self::ReadTexts { ticket, .. } => (Slot::Pair, *ticket),
            Self::ReadVersions { ticket, .. }
            | Self::ReadArchived { ticket, .. }
            | Self::ReadCandidates { ticket, .. }
            | Self::ReadChanges { ticket } => (Slot::History, *ticket),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_to_an_older_request_is_not_wanted() {
        let mut slots = Slots::default();
        let first = slots.ask(Slot::Filter);
        let answer = |ticket| Msg::Filtered {
            ticket,
            hits: Vec::new(),
        };
        assert!(slots.wants(&answer(first)));
        slots.ask(Slot::Text);
        assert!(slots.wants(&answer(first)));
        let second = slots.ask(Slot::Filter);
        assert!(!slots.wants(&answer(first)));
        assert!(slots.wants(&answer(second)));
        assert!(slots.wants(&Msg::Resumed));
    }
}
