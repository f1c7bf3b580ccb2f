//! Whether one statement says that the other does not hold, or no longer.

use super::change::content_of;
use super::{Change, Pair, Slot};
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token, is_unspaced};

/// Words that a statement and its denial share at least, in whatever order.
const DENIED: usize = 3;

impl Pair<'_, '_> {
    /// One says `not`, and else they say the same.
    pub(super) fn negated(&self) -> Option<Slot> {
        let (x, y) = (self.a.negations(), self.b.negations());
        if x.abs_diff(y) % 2 == 0
            || self.shared(|token| token.kind.is_content()) < 2
            // A bare name in a list, `Business logic`, says nothing by itself.
            || (self.shared.len() < 3
                && !is_unspaced(&self.a.text)
                && !self.is_forbidden_order(x > y))
        {
            return None;
        }
        let beside = |one: &Statement<'_>, token: &Token| {
            let word = one.word(token).to_lowercase();
            token.kind == Kind::Negation || table::BESIDE_NEGATION.has(&word)
        };
        // `purged after 30 days` and `never purged`
        let denied = x > y;
        let first = if denied { self.a } else { self.b }.tokens.first();
        // `No task list` may be about another list, and `Never do it` about doing it elsewhere.
        let open = self.shared(|token| token.kind.is_content()) >= DENIED
            && first.is_some_and(|first| first.kind != Kind::Negation);
        // `Never do it` about doing it after something.
        let never = first.is_some_and(|first| {
            let one = if denied { self.a } else { self.b };
            one.word(first).eq_ignore_ascii_case("never") && self.is_forbidden_order(denied)
        });
        let state = self.is_denied_state(denied);
        let only = self.changes.iter().all(|change| {
            let (a, b) = self.tokens(change);
            let alone = a.iter().all(|token| beside(self.a, token))
                && b.iter().all(|token| beside(self.b, token));
            alone
                || (open && self.is_end(change, denied))
                || (never && self.goes_on_with(change, denied, &table::ONCE))
                || (state && self.goes_on_with(change, denied, &table::MEANS))
        });
        only.then_some(Slot::Negation)
    }

    /// Whether one is an order and the other says not to do that: `Never commit lockfiles`.
    fn is_forbidden_order(&self, first_is_denied: bool) -> bool {
        let (denied, order) = match first_is_denied {
            true => (self.a, self.b),
            false => (self.b, self.a),
        };
        let mut words = denied.tokens.iter();
        let does = |token: &&Token| denied.word(token).eq_ignore_ascii_case("do");
        let not = words.find(|token| !does(token));
        let not = not.filter(|token| token.kind == Kind::Negation);
        let forbids =
            not.is_some_and(|token| !table::LACKS.has(&denied.word(token).to_lowercase()));
        let verbs = words.next().zip(order.tokens.first());
        forbids && verbs.is_some_and(|(a, b)| a.hash == b.hash)
    }

    /// Whether one says of something, and no more, that a thing is not done with it: `backups are
    /// not encrypted`.
    fn is_denied_state(&self, first_is_denied: bool) -> bool {
        let denied = if first_is_denied { self.a } else { self.b };
        let Some([.., being, not, done]) = denied.tokens.get(..) else {
            return false;
        };
        let word = |token: &Token| denied.word(token).to_lowercase();
        table::BEING.has(&word(being)) && not.kind == Kind::Negation && table::is_past(&word(done))
    }

    /// Whether it is only the end of the one that says no `not`, and begins with one of these words.
    fn goes_on_with(&self, change: &Change, first_is_denied: bool, words: &table::Words) -> bool {
        let (a, b) = self.tokens(change);
        let (one, end, more, none) = match first_is_denied {
            true => (self.b, change.b.end, b, a),
            false => (self.a, change.a.end, a, b),
        };
        let begins = |first: &Token| words.has(&one.word(first).to_lowercase());
        none.is_empty() && end == one.tokens.len() && more.first().is_some_and(begins)
    }

    /// Whether it is only the end of the one that says no `not`, and no exception that the other
    /// leaves room for: after how long, or where what the other rules out outright.
    fn is_end(&self, change: &Change, first_is_denied: bool) -> bool {
        const MOST: usize = 5;
        let (a, b) = self.tokens(change);
        let (one, end, more, none, denied) = match first_is_denied {
            true => (self.b, change.b.end, b, a, self.a),
            false => (self.a, change.a.end, a, b, self.b),
        };
        let counted = more.iter().any(|token| token.kind.is_number());
        none.is_empty()
            && end == one.tokens.len()
            && more.len() <= MOST
            && (counted || denied.is_outright() || !one.is_scope(more))
            && more.first().is_some_and(|first| {
                first.kind == Kind::Stop || table::ORDERING.has(&one.word(first).to_lowercase())
            })
    }

    /// Whether one names another thing and says that it is not the one of the other, and nothing
    /// else differs: `mockery, not gomock`, `8080 instead of 80`.
    pub(super) fn contrasted(&self) -> Option<Slot> {
        let differs = |change: &&Change| {
            let (a, b) = self.tokens(change);
            a.iter().chain(b).any(|token| token.kind != Kind::Stop)
        };
        let mut differing = self.changes.iter().filter(differs);
        let change = differing.next().filter(|_| differing.next().is_none())?;
        let (one, range) = match (change.a.is_empty(), change.b.is_empty()) {
            (true, false) => (self.b, &change.b),
            (false, true) => (self.a, &change.a),
            _ => return None,
        };
        let more = one.tokens.get(range.clone())?;
        let denies = |token: &Token| {
            let word = one.word(token).to_lowercase();
            let before = one.text.get(..token.at.start).unwrap_or_default();
            table::RATHER.has(&word) || (word == "not" && before.trim_end().ends_with(','))
        };
        let (named, denied) = more.split_at(more.iter().rposition(denies)?);
        let content = |tokens: &[Token]| content_of(tokens).len();
        let holds = (1..=2).contains(&content(named))
            && content(denied.get(1..)?) == 0
            && one.tokens.get(range.end)?.kind.is_content()
            && self.shared(|token| token.kind.is_content()) >= DENIED;
        holds.then_some(Slot::Name)
    }

    /// Whether one says `not` of what the other says in another order, and nothing else.
    pub(super) fn is_denied(&self) -> bool {
        let content = |one: &Statement<'_>| -> Vec<u32> {
            let own = one.tokens.iter().filter(|token| {
                let word = one.word(token).to_lowercase();
                token.kind.is_content() && !table::BESIDE_NEGATION.has(&word)
            });
            let mut hashes: Vec<u32> = own.map(|token| token.hash).collect();
            hashes.sort_unstable();
            hashes.dedup();
            hashes
        };
        let (a, b) = (content(self.a), content(self.b));
        self.a.negations().abs_diff(self.b.negations()) == 1
            && a.len() >= DENIED
            && a == b
            && self.can_contradict()
    }

    /// One says that what the other says is over: `X is no longer used for Y; we use Z`.
    pub(super) fn ended(&self) -> bool {
        (ends(self.a, self.b) || ends(self.b, self.a)) && self.can_contradict()
    }
}

/// Whether one says of all that the other says that it holds no longer, and not of something that
/// it adds: the words around that are of both. `no longer` says so, and `used to`.
fn ends(over: &Statement<'_>, other: &Statement<'_>) -> bool {
    const FEWEST: usize = 3;
    let word = |one: &Statement<'_>, token: &Token| one.word(token).to_lowercase();
    let says = |one: &Statement<'_>| -> Vec<(usize, u32)> {
        let tokens = one.tokens.iter().enumerate();
        let own = tokens.filter(|(_, token)| {
            let word = word(one, token);
            token.kind.is_content()
                && !table::BESIDE_NEGATION.has(&word)
                && !word.starts_with("use")
        });
        own.map(|(n, token)| (n, token.hash)).collect()
    };
    let pairs = over.tokens.iter().zip(over.tokens.iter().skip(1));
    let longer = pairs.enumerate().find(|(_, (no, longer))| {
        (matches!(no.kind, Kind::Negation) && over.word(longer).eq_ignore_ascii_case("longer"))
            || is_over(over, no, longer)
    });
    let Some((at, _)) = longer else {
        return false;
    };
    let (long, short) = (says(over), says(other));
    let known = |hash: u32| short.iter().any(|(_, other)| *other == hash);
    let before = long.iter().rev().find(|(n, _)| *n < at);
    let after = long.iter().find(|(n, _)| *n > at);
    let mut others = other.tokens.iter().zip(other.tokens.iter().skip(1));
    short.len() >= FEWEST
        && !others.any(|(used, to)| is_over(other, used, to))
        && other.negations() == 0
        && short
            .iter()
            .all(|(_, hash)| long.iter().any(|(_, one)| one == hash))
        && before.is_none_or(|(_, hash)| known(*hash))
        && after.is_some_and(|(_, hash)| known(*hash))
}

/// Whether two words say that something is over: `used to`, not `is used to`.
fn is_over(one: &Statement<'_>, used: &Token, to: &Token) -> bool {
    let is = |token: &Token, word: &str| one.word(token).eq_ignore_ascii_case(word);
    if !is(used, "used") || !is(to, "to") {
        return false;
    }
    let before = one.text.get(..used.at.start).unwrap_or_default();
    let being = before.split_whitespace().next_back().unwrap_or_default();
    !table::BEING.has(&being.to_lowercase())
}
