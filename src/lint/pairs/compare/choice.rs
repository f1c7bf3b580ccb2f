//! What is taken for a purpose, where one says to take it and the other not to, and with which of
//! two commands something is done.

use std::ops::Range;

use super::{Pair, Slot};
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};

/// What a clause says to take, for what, and how that is said.
struct Taken {
    /// The thing.
    what: Vec<u32>,
    /// All that the clause says behind it.
    purpose: Vec<u32>,
    /// Whether it is not to be taken.
    rejected: bool,
    /// Whether it is not taken any more, whatever for.
    over: bool,
}

impl Pair<'_, '_> {
    /// Whether one says not to take what the other takes for the same purpose, `do not use A; use
    /// B for dates` and `use A for dates`, or not any more, `we no longer use A`. What is not to be
    /// taken at all may have an exception.
    pub(super) fn is_rejected(&self) -> bool {
        self.a.negations() != self.b.negations()
            && (rejects(self.a, self.b) || rejects(self.b, self.a))
            && self.can_contradict()
    }

    /// Whether two commands do one thing that is named: ``run the tests with `a` `` and ``… `b` ``.
    pub(super) fn is_another_runner(&self) -> bool {
        const FEWEST: usize = 2;
        let (Some(first), Some(last)) = (self.changes.first(), self.changes.last()) else {
            return false;
        };
        let span = |one: &Statement<'_>, at: Range<usize>| {
            let span = one.span(at.start).filter(|span| span.end >= at.end)?;
            let word = one.word(one.tokens.get(span.start)?).to_lowercase();
            Some((span, word))
        };
        let a = span(self.a, first.a.start..last.a.end);
        let b = span(self.b, first.b.start..last.b.end);
        let (Some((a, left)), Some((b, right))) = (a, b) else {
            return false;
        };
        let known = |word: &str| table::COMMANDS.has(word);
        let commands = left != right && known(&left) && known(&right);
        let before = self.a.tokens.get(..a.start).unwrap_or_default();
        let done = before
            .iter()
            .any(|token| table::DONE_WITH.has_form(&self.a.word(token).to_lowercase()));
        let with = before
            .last()
            .is_some_and(|last| table::MEANS.has(&self.a.word(last).to_lowercase()));
        let named = before
            .iter()
            .filter(|token| token.kind.is_content())
            .count();
        (commands || table::rivals(&left, &right))
            && a.start == b.start
            && done
            && with
            && named >= FEWEST
    }

    /// In what they differ where it is one of these.
    pub(super) fn chosen_otherwise(&self) -> Option<Slot> {
        // What shares less is about something else.
        const LIKE: f64 = 0.4;
        if self.like < LIKE {
            return None;
        }
        let runner = || self.is_another_runner() && self.can_contradict();
        match () {
            () if self.is_rejected() => Some(Slot::Negation),
            () if runner() => Some(Slot::Tool),
            () => None,
        }
    }
}

fn rejects(no: &Statement<'_>, yes: &Statement<'_>) -> bool {
    let (Some(no_more), Some(taken)) = (taken(no), taken(yes)) else {
        return false;
    };
    if !no_more.rejected || taken.rejected || yes.negations() > 0 || no_more.what != taken.what {
        return false;
    }
    let within = |these: &[u32], those: &[u32]| these.iter().all(|one| those.contains(one));
    let all: Vec<u32> = no.tokens.iter().map(|token| token.hash).collect();
    within(&no_more.purpose, &taken.purpose) && (no_more.over || within(&taken.purpose, &all))
}

/// What a statement says to take at its beginning: `use A for B`, `we no longer use A`.
fn taken(one: &Statement<'_>) -> Option<Taken> {
    let word = |token: &Token| one.word(token).to_lowercase();
    let (mut rejected, mut over) = (false, false);
    let mut verb = None;
    for (n, token) in one.tokens.iter().enumerate() {
        let own = word(token);
        match &*own {
            "longer" if rejected => over = true,
            "avoid" => (rejected, verb) = (true, Some(n)),
            _ if token.kind == Kind::Negation => rejected = true,
            _ if table::TAKING.has_form(&own) => {
                verb = Some(n);
                break;
            }
            _ if verb.is_some() => break,
            "do" | "please" | "always" => {}
            _ if table::WHO.has(&own) => {}
            _ => return None,
        }
    }
    let rest = one.tokens.get(verb? + 1..)?;
    let ends = |(before, token): (&Token, &Token)| {
        let signs = one.text.get(before.at.end..token.at.start);
        signs.is_some_and(|signs| signs.contains([',', ';', '.', ':', '(', '–', '—']))
            || table::ENDS_CLAUSE.has(&word(token))
    };
    let next = rest.iter().zip(rest.iter().skip(1));
    let length = next.take_while(|two| !ends(*two)).count() + 1;
    let clause = rest.get(..length.min(rest.len()))?;
    let glue = |token: &&Token| !token.kind.is_content();
    let hash = |token: &Token| token.hash;
    let start = clause.iter().take_while(glue).count();
    let clause = clause.get(start..)?;
    let what: Vec<u32> = clause
        .iter()
        .take_while(|token| !glue(token))
        .map(hash)
        .collect();
    let purpose = clause.iter().skip(what.len()).filter(|token| !glue(token));
    (!what.is_empty()).then(|| Taken {
        purpose: purpose.map(hash).collect(),
        what,
        rejected,
        over,
    })
}
