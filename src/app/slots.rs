//! Questions that are answered in the background, and their tickets: one slot per kind of question,
//! and only the answer to the newest of a slot counts.
//!
//! A question is data with a slot, and a pure function that puts its answer into the model. The
//! backend answers it on a thread of the slot.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;

use super::Model;
use super::msg::{Effect, Msg, Ticket};
use super::questions::Backend;
use crate::retrieval::Snapshot;

/// The name of a slot, and of its thread.
pub type Slot = &'static str;

/// A question for the background.
pub trait Question: fmt::Debug + Send + Sized + 'static {
    /// The slot: a newer question takes the place of one that waits.
    const SLOT: Slot;
    /// True if the next frame waits a moment for the answer.
    const AWAITED: bool = false;
    /// True if a person never waits for it: it leaves the processors to others.
    const ASIDE: bool = false;
    /// Its answer.
    type Answer: fmt::Debug + Send + 'static;
    /// Puts an answer into the model.
    fn settle(answer: Self::Answer, model: &mut Model) -> Vec<Effect>;
}

/// Answers one kind of question, in one piece or several.
pub trait Answers<Q: Question> {
    /// Tells the answer; without an implementation there is none.
    fn answer(&self, _question: Q, _turn: &Turn<'_>, _tell: &mut dyn FnMut(Q::Answer)) {}
}

/// The moment in which a question is answered.
pub struct Turn<'a> {
    /// Turns true when the program ends.
    pub stop: &'a AtomicBool,
    /// True while no newer question waits in the slot.
    pub is_newest: &'a (dyn Fn() -> bool + Sync),
    /// Gives the memories as they were last read.
    pub memories: &'a (dyn Fn() -> Snapshot + Sync),
}

/// Any question.
pub trait AnyQuestion: fmt::Debug + Send {
    /// Its slot.
    fn slot(&self) -> Slot;
    /// True if the next frame waits a moment for the answer.
    fn is_awaited(&self) -> bool;
    /// True if a person never waits for it.
    fn is_aside(&self) -> bool;
    /// Has a backend answer it.
    fn answer(
        self: Box<Self>,
        backend: &dyn Backend,
        turn: &Turn<'_>,
        tell: &mut dyn FnMut(Box<dyn AnyAnswer>),
    );
    /// The question as the type that it is.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<Q: Question> AnyQuestion for Q
where
    for<'a> dyn Backend + 'a: Answers<Q>,
{
    fn slot(&self) -> Slot {
        Q::SLOT
    }

    fn is_awaited(&self) -> bool {
        Q::AWAITED
    }

    fn is_aside(&self) -> bool {
        Q::ASIDE
    }

    fn answer(
        self: Box<Self>,
        backend: &dyn Backend,
        turn: &Turn<'_>,
        tell: &mut dyn FnMut(Box<dyn AnyAnswer>),
    ) {
        Answers::<Q>::answer(backend, *self, turn, &mut |answer| {
            tell(Box::new(Answered::<Q>(answer, PhantomData)));
        });
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// Any answer.
pub trait AnyAnswer: fmt::Debug + Send {
    /// Puts it into the model.
    fn settle(self: Box<Self>, model: &mut Model) -> Vec<Effect>;
}

/// An answer with its question's type.
struct Answered<Q: Question>(Q::Answer, PhantomData<fn() -> Q>);

impl<Q: Question> fmt::Debug for Answered<Q> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl<Q: Question> AnyAnswer for Answered<Q> {
    fn settle(self: Box<Self>, model: &mut Model) -> Vec<Effect> {
        Q::settle(self.0, model)
    }
}

/// The newest ticket of every slot.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    last: Ticket,
    newest: HashMap<Slot, Ticket>,
}

impl Slots {
    /// Asks a question; answers to older ones of its slot are dropped from now on.
    pub fn ask(&mut self, question: impl AnyQuestion + 'static) -> Effect {
        Effect::Ask {
            ticket: self.ticket(question.slot()),
            question: Box::new(question),
        }
    }

    /// A new ticket of a slot: answers to its older questions are dropped from now on.
    pub fn ticket(&mut self, slot: Slot) -> Ticket {
        self.last += 1;
        self.newest.insert(slot, self.last);
        self.last
    }

    /// True unless a message answers a question that is no longer the newest of its slot.
    pub fn wants(&self, msg: &Msg) -> bool {
        match msg {
            Msg::Done { slot, ticket, .. } => self.newest.get(slot) == Some(ticket),
            _ => true,
        }
    }
}

impl Msg {
    /// The answer to a question with a ticket.
    pub fn done<Q: Question>(ticket: Ticket, answer: Q::Answer) -> Self {
        Self::Done {
            slot: Q::SLOT,
            ticket,
            answer: Box::new(Answered::<Q>(answer, PhantomData)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::questions::{Filter, ReadText};
    use super::*;

    #[test]
    fn an_answer_to_an_older_request_is_not_wanted() {
        let mut slots = Slots::default();
        let first = slots.ticket(Filter::SLOT);
        let answer = |ticket| Msg::done::<Filter>(ticket, Vec::new());
        assert!(slots.wants(&answer(first)));
        slots.ticket(ReadText::SLOT);
        assert!(slots.wants(&answer(first)));
        let second = slots.ticket(Filter::SLOT);
        assert!(!slots.wants(&answer(first)));
        assert!(slots.wants(&answer(second)));
        assert!(slots.wants(&Msg::Resumed));
    }
}
