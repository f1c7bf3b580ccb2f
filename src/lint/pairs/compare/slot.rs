//! In what two statements contradict each other.

use super::change::{content_of, is_file, last, without_ending};
use super::value::is_address;
use super::{Change, Pair, Slot};
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};

/// Words that statements in another order share at least, for a number in them to be the same one.
const LEAST: usize = 4;

/// Letters that words of one root begin with.
const ROOT: usize = 6;

/// Words of what changes its place: a longer part is a clause, and says the same there.
const MOVED: usize = 4;

impl Pair<'_, '_> {
    /// In what they contradict each other.
    pub(super) fn slot(&self) -> Option<Slot> {
        if !self.can_contradict() {
            return None;
        }
        if self.is_tabled() {
            let firm =
                |slot: &Slot| is_quantity(slot) || matches!(slot, Slot::Opposite | Slot::Tool);
            return self.replaced().filter(firm);
        }
        self.negated()
            .or_else(|| self.swapped())
            .or_else(|| self.contrasted())
            .or_else(|| self.replaced())
    }

    pub(super) fn can_contradict(&self) -> bool {
        !self.a.stands_aside() && !self.b.stands_aside()
    }

    /// Where both say the same in whatever order, and one number is another: `Python 3.9 is the
    /// least version` and `the least version is Python 3.11`.
    pub(super) fn moved_number(&self) -> Option<(Change, Slot)> {
        let content = |one: &Statement<'_>| -> Vec<(usize, u32)> {
            let tokens = one.tokens.iter().enumerate();
            let tokens = tokens.filter(|(_, token)| token.kind.is_content());
            tokens.map(|(n, token)| (n, token.hash)).collect()
        };
        let (a, b) = (content(self.a), content(self.b));
        if a.len() != b.len() || a.len() <= LEAST {
            return None;
        }
        let only = |these: &[(usize, u32)], those: &[(usize, u32)]| {
            let mut own = these
                .iter()
                .filter(|(_, hash)| !those.iter().any(|(_, other)| other == hash));
            own.next().filter(|_| own.next().is_none()).map(|(n, _)| *n)
        };
        let (x, y) = (only(&a, &b)?, only(&b, &a)?);
        if self.is_turned() || self.is_past() || !self.can_contradict() {
            return None;
        }
        // Of several numbers another may stand in the same place.
        let mut numbers = self.a.tokens.iter().filter(|token| token.kind.is_number());
        if numbers.nth(1).is_some() {
            return None;
        }
        let change = Change {
            a: x..x + 1,
            b: y..y + 1,
        };
        let slot = self.kind_of(&change)?;
        is_quantity(&slot).then_some((change, slot))
    }

    /// Whether one tells of the first of something and the other of the second: what else differs
    /// is said of another.
    fn is_another_turn(&self) -> bool {
        let ordinal = |one: &Statement<'_>, tokens: &[Token]| {
            let word = |token: &Token| one.word(token).to_lowercase();
            tokens.iter().any(|token| table::ORDINALS.has(&word(token)))
        };
        self.changes.iter().any(|change| {
            let (a, b) = self.tokens(change);
            ordinal(self.a, a) && ordinal(self.b, b)
        })
    }

    /// Two things stand in each other's place, with a word of order between them.
    pub(super) fn swapped(&self) -> Option<Slot> {
        let content = |tokens: &[Token]| -> Vec<u32> {
            let tokens = tokens.iter().filter(|token| token.kind.is_content());
            let mut hashes: Vec<u32> = tokens.map(|token| token.hash).collect();
            hashes.sort_unstable();
            hashes
        };
        let changes: Vec<_> = self
            .changes
            .iter()
            .map(|change| {
                let (a, b) = self.tokens(change);
                (content(a), content(b))
            })
            .filter(|(a, b)| !(a.is_empty() && b.is_empty()))
            .collect();
        let crossed = match changes.as_slice() {
            [(a, b), (c, d)] => a == d && b == c && (1..=MOVED).contains(&(a.len() + b.len())),
            _ => false,
        };
        let ordered = self.is_ordered_otherwise();
        (crossed && ordered && self.shared(|token| token.kind.is_content()) >= 1)
            .then_some(Slot::Order)
    }

    /// Whether another thing stands behind a word of order. A clause that moved as a whole says
    /// the same as before, and so does one of which only the words moved.
    fn is_ordered_otherwise(&self) -> bool {
        type Behind = [(u32, Vec<u32>)];
        let (a, b) = (behind(self.a), behind(self.b));
        let of = |all: &Behind, order: u32, form: fn(&mut Vec<u32>)| {
            let same = all.iter().filter(|(other, _)| *other == order);
            let mut next: Vec<Vec<u32>> = same.map(|(_, next)| next.clone()).collect();
            next.iter_mut().for_each(form);
            next.sort_unstable();
            next
        };
        let forms: [fn(&mut Vec<u32>); 2] = [|next| next.truncate(1), |next| next.sort_unstable()];
        let both = a
            .iter()
            .filter(|(order, _)| b.iter().any(|(other, _)| other == order));
        both.into_iter().any(|(order, _)| {
            forms
                .iter()
                .all(|form| of(&a, *order, *form) != of(&b, *order, *form))
        })
    }

    /// One or two things are others.
    pub(super) fn replaced(&self) -> Option<Slot> {
        if self.is_past() {
            return None;
        }
        let mut slots = Vec::new();
        let mut changes = Vec::new();
        for change in &self.changes {
            let (a, b) = self.tokens(change);
            if self.is_for_all(change) {
                return Some(Slot::Opposite);
            }
            if self.is_opposed(change) {
                if self.is_occasion(change) || self.is_among(change) || self.is_another_kind(change)
                {
                    return None;
                }
                slots.push(Slot::Opposite);
                changes.push(change);
                continue;
            }
            let content = |tokens: &[Token]| {
                tokens
                    .iter()
                    .filter(|token| token.kind.is_content())
                    .count()
            };
            if (content(a), content(b)) == (0, 0) {
                if a.iter().chain(b).any(|token| token.kind == Kind::Negation) {
                    return None;
                }
                continue;
            }
            if self.is_said_label(change)
                || self.is_reworded_at(change)
                || self.says_as_much(change)
                || self.obliges_as_much(change)
            {
                continue;
            }
            // `admin can` and `viewer cannot` are said of two.
            let negations = |tokens: &[Token]| {
                let tokens = tokens.iter();
                tokens.filter(|token| token.kind == Kind::Negation).count()
            };
            if negations(a) != negations(b) {
                return None;
            }
            let slot = self.kind_of(change)?;
            if self.adds_up(change, slot) {
                return None;
            }
            slots.push(slot);
            changes.push(change);
        }
        let numbers = slots.iter().all(is_quantity);
        let glue = self.shared(|token| !token.kind.is_content());
        let content = self.shared(|token| token.kind.is_content());
        let labelled = self.a.label().is_some();
        // What was so in one release and is otherwise in another is a history.
        let released = changes.iter().any(|change| self.is_release(change));
        match slots.as_slice() {
            [_, _] if numbers && (self.is_another_turn() || released) => None,
            [_, _] if self.are_cases(&changes) => None,
            [slot] | [slot, _] if numbers && content + self.named_further() >= 2 => Some(*slot),
            [Slot::Version] if self.is_ours() && content + glue > 2 => Some(Slot::Version),
            [Slot::Date] | [Slot::Date, Slot::Date] if content >= 2 => Some(Slot::Date),
            [Slot::Opposite] if content >= 2 && (glue > 0 || labelled) => Some(Slot::Opposite),
            [Slot::Opposite] if self.is_what_it_is() || self.is_said_of_all() => {
                Some(Slot::Opposite)
            }
            [slot @ (Slot::Name | Slot::Path)]
                if content >= 2 && glue > 0 && content + glue >= 4 =>
            {
                Some(*slot)
            }
            [slot @ (Slot::Name | Slot::Path | Slot::Tool | Slot::Word)] if self.is_chosen() => {
                (content >= 2 && *slot != Slot::Word || content >= 3 || *slot == Slot::Tool)
                    .then_some(*slot)
            }
            [Slot::Tool] if content >= 2 || labelled => Some(Slot::Tool),
            [one, other] if content >= 2 && content + glue >= 5 => {
                let firm = |(slot, change): (&Slot, &&Change)| self.is_firm(*slot, change, &slots);
                slots
                    .iter()
                    .zip(&changes)
                    .all(firm)
                    .then(|| (*one).max(*other))
            }
            [Slot::Word] if self.is_what_it_is() && self.is_called() => Some(Slot::Name),
            [Slot::Word] if self.is_what_it_is() && content >= 3 => Some(Slot::Word),
            [Slot::Word] if content >= 4 && glue >= 2 && self.like >= 0.8 => Some(Slot::Word),
            _ => None,
        }
    }

    /// Whether a word is only another form of the other: `simulates` and `runs its simulation`.
    pub(super) fn is_reworded_at(&self, change: &Change) -> bool {
        let (a, b) = self.tokens(change);
        let (x, y) = (content_of(a), content_of(b));
        let words = |one: &Statement<'_>, tokens: &[Token]| {
            let mut tokens = tokens.iter();
            tokens.all(|token| token.kind == Kind::Word && !one.names(token))
        };
        let root = |a: &Token| {
            let a = self.a.word(a).to_lowercase();
            y.iter().any(|b| {
                let b = self.b.word(b).to_lowercase();
                let common = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b);
                common.count() >= ROOT.max(a.len().max(b.len()) / 2)
            })
        };
        !x.is_empty()
            && !y.is_empty()
            && words(self.a, &x)
            && words(self.b, &y)
            && (self.is_kin(&x, &y) || x.iter().any(root))
    }

    /// Whether a word right before what differs says that it was chosen of several.
    pub(super) fn is_chosen(&self) -> bool {
        let first = self.changes.iter().find(|change| {
            let (a, b) = self.tokens(change);
            a.iter().chain(b).any(|token| token.kind.is_content())
        });
        first.is_some_and(|change| self.is_chosen_at(change))
    }

    pub(super) fn is_chosen_at(&self, change: &Change) -> bool {
        let before = change.a.start.saturating_sub(2)..change.a.start;
        let mut before = self.a.tokens.get(before).unwrap_or_default().iter();
        before.any(|token| table::CHOOSING.has(&self.a.word(token).to_lowercase()))
    }

    /// Whether one of two things that differ is said of the same subject, whatever the other one
    /// is: a quantity, a choice, or a state beside a quantity. Two names are two examples.
    fn is_firm(&self, slot: Slot, change: &Change, slots: &[Slot]) -> bool {
        if self.is_subject(change) {
            return false;
        }
        let other = |wanted: &[Slot]| slots.iter().any(|slot| wanted.contains(slot));
        match slot {
            Slot::Number | Slot::Unit | Slot::Version => true,
            Slot::Tool | Slot::Path => self.is_chosen_at(change) || self.is_said_to_be(change),
            Slot::Name => other(&[Slot::Tool]) && self.is_chosen_at(change),
            Slot::Opposite => {
                let first = self.a.tokens.get(change.a.start);
                let word = first.map(|token| self.a.word(token).to_lowercase());
                other(&[Slot::Number, Slot::Unit, Slot::Version])
                    && word.is_some_and(|word| table::STATES.has(&word))
            }
            Slot::Date | Slot::Negation | Slot::Order | Slot::Run | Slot::Word => false,
        }
    }

    /// Whether it says when the rest holds: both `before deploying, …` and `after deploying, …` may.
    fn is_occasion(&self, change: &Change) -> bool {
        let first = self.a.tokens.get(change.a.start);
        let word = first.map(|token| self.a.word(token).to_lowercase());
        change.a.start == 0 && word.is_some_and(|word| table::ORDERING.has(&word))
    }

    /// What differs in one place; none where it need not contradict.
    pub(super) fn kind_of(&self, change: &Change) -> Option<Slot> {
        let (a, b) = self.tokens(change);
        let (mut x, mut y) = (content_of(a), content_of(b));
        // `pinned to version 2.1` is pinned to 2.1, and `integer cents` are cents.
        for (one, words) in [(self.a, &mut x), (self.b, &mut y)] {
            let plain = |token: &Token| table::PLAINLY.has(&one.word(token).to_lowercase());
            if words.len() > 1 && words.first().is_some_and(plain) {
                words.remove(0);
            }
            let number = words.get(1).is_some_and(|token| token.kind.is_number());
            let called = |token: &Token| table::CALLS.has(&one.word(token).to_lowercase());
            if number && words.first().is_some_and(called) {
                words.remove(0);
            }
        }
        let (first, other) = (x.first()?, y.first()?);
        let all = |test: &dyn Fn(&Token) -> bool| x.iter().chain(&y).all(test);
        let single = x.len() == 1 && y.len() == 1;
        if single && is_address(self.a.word(first)) && is_address(self.b.word(other)) {
            return (!self.is_subject(change)).then_some(Slot::Name);
        }
        let quantities = |tokens: &[Token]| tokens.iter().any(|token| token.kind.is_number());
        // `s` is a unit and no word of its own: it is counted with what it stands behind.
        let one_of_each = x.len() == y.len() || self.measured(change).is_some();
        if quantities(&x) && quantities(&y) && one_of_each {
            // Bare numbers have the same unit behind them, where they have one.
            let bare = |one: &Statement<'_>, token: &Token| {
                one.word(token).bytes().all(|byte| byte.is_ascii_digit())
            };
            let bare = a.len() == 1 && b.len() == 1 && bare(self.a, first) && bare(self.b, other);
            let measured = (!bare).then(|| self.measured(change)).flatten();
            if self.is_numbered(change)
                || (single && self.is_rounded(first, other))
                || measured == Some(true)
            {
                return None;
            }
            if self.is_date(change, first, other) {
                return (!self.is_edition(change)).then_some(Slot::Date);
            }
            let version = [first, other]
                .iter()
                .any(|token| token.kind == Kind::Version)
                || self.is_versioned(change);
            if version && (self.is_one_of_several(change) || self.is_opening(change)) {
                return None;
            }
            let one = single || measured.is_some();
            return one.then_some(if version { Slot::Version } else { Slot::Number });
        }
        if single && self.is_entry(change) {
            return None;
        }
        if all(&|token| token.kind == Kind::Month) {
            return Some(Slot::Date);
        }
        let (left, right) = (
            self.a.word(first).to_lowercase(),
            self.b.word(other).to_lowercase(),
        );
        if let Some(slot) = self.another_unit(change) {
            return Some(slot);
        }
        if single && table::opposed(&left, &right) {
            return Some(Slot::Opposite);
        }
        if self.is_forbidden(change) || self.is_in_an_occasion(change) || self.is_narrowed(change) {
            return None;
        }
        if single && table::rivals(&left, &right) {
            return (!self.is_among(change)).then_some(Slot::Tool);
        }
        let path = |one: &Statement<'_>, token: &Token| {
            (token.kind == Kind::Code && one.word(token).contains('/')) || one.is_folder(token)
        };
        let file =
            |one: &Statement<'_>, token: &Token| one.is_code(token) && is_file(one.word(token));
        let paths = single && path(self.a, first) && path(self.b, other);
        let files = single && file(self.a, first) && file(self.b, other);
        // The same file in another folder is the same wherever it is named, and so is one that only
        // got another ending.
        let same = last(&left) == last(&right);
        if (paths || files) && same && !table::PLAIN_FILES.has(last(&left)) {
            return (!self.is_first(change)).then_some(Slot::Path);
        }
        if self.is_step(change) {
            return None;
        }
        if (paths || files) && !self.is_subject(change) {
            let another =
                !self.is_kin(&x, &y) || (files && without_ending(&left) == without_ending(&right));
            return another.then_some(if paths { Slot::Path } else { Slot::Name });
        }
        if self.is_subject(change) || self.is_kin(&x, &y) {
            return None;
        }
        let named = |one: &Statement<'_>, tokens: &[Token]| {
            let mut tokens = tokens.iter();
            tokens.all(|token| token.kind == Kind::Name || one.names(token))
        };
        let spans = self.a.is_code_span(&change.a) && self.b.is_code_span(&change.b);
        if spans || (named(self.a, &x) && named(self.b, &y)) {
            let form = self.a.form(first) == self.b.form(other);
            return form.then_some(Slot::Name);
        }
        (single || self.is_value(change)).then_some(Slot::Word)
    }
}

/// Whether it is how much of something there is.
const fn is_quantity(slot: &Slot) -> bool {
    matches!(slot, Slot::Number | Slot::Unit | Slot::Version)
}

/// The words of order in a statement, each with what stands behind it.
fn behind(one: &Statement<'_>) -> Vec<(u32, Vec<u32>)> {
    let words = one.tokens.iter().enumerate();
    let orders = words.filter(|(_, word)| one.is_order(word));
    let next = |(n, order): (usize, &Token)| {
        let rest = one.tokens.iter().skip(n + 1);
        let rest = rest.filter(|token| token.kind.is_content());
        (order.hash, rest.map(|token| token.hash).collect())
    };
    orders.map(next).collect()
}
