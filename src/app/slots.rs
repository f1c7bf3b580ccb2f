//! Tickets of the questions that are answered in the background: one slot per kind of question, and
//! only the answer to the newest of a slot counts.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use super::Model;
use super::msg::{AnyAnswer, AnyQuestion, Effect, Msg, Ticket};
use super::questions::{Answers, Backend, Question, Slot, Turn};

/// Puts the answer to a question into the model.
pub trait Settle: Question {
    /// Takes the answer in and returns the effects.
    fn settle(answer: Self::Answer, model: &mut Model) -> Vec<Effect>;
}

impl<Q: Settle> AnyQuestion for Q
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

/// An answer with its question's type.
struct Answered<Q: Question>(Q::Answer, PhantomData<fn() -> Q>);

impl<Q: Question> fmt::Debug for Answered<Q> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl<Q: Settle> AnyAnswer for Answered<Q> {
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
    pub fn done<Q: Settle>(ticket: Ticket, answer: Q::Answer) -> Self {
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
