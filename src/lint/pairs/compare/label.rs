//! What stands in front of the colon of two statements.

use super::Pair;
use super::change::last;
use crate::lint::pairs::statement::{Form, Statement};
use crate::lint::pairs::table;

/// What the labels of two statements are about.
pub(super) enum Labels {
    /// The same, or one has none.
    Same,
    /// One says more than the other.
    Within,
    /// Each another thing.
    Others,
}

/// What the labels of two statements are about: `**Timeout**:` and `**Port**:` are about two things.
/// The same file in another folder is the same.
pub(super) fn labels(a: &Statement<'_>, b: &Statement<'_>) -> Labels {
    let (Some(x), Some(y)) = (a.label(), b.label()) else {
        return Labels::Same;
    };
    // A name in a list or a table means what it stands below.
    let tabled = [a, b].iter().any(|one| one.form == Form::Row);
    let apart = match (a.under, b.under) {
        (Some(a), Some(b)) => a != b,
        (None, None) => false,
        _ => tabled,
    };
    if apart {
        return Labels::Others;
    }
    fn of<'s>(one: &'s Statement<'_>, end: usize) -> Vec<(&'s str, u32)> {
        let tokens = one
            .tokens
            .iter()
            .filter(|token| token.at.end <= end && token.kind.is_content());
        tokens
            .map(|token| (last(one.word(token)), token.hash))
            .collect()
    }
    let (x, y) = (of(a, x), of(b, y));
    let within = |x: &[(&str, u32)], y: &[(&str, u32)]| {
        x.iter().all(|(name, hash)| {
            y.iter().any(|(other, same)| {
                let file = name == other
                    && name.contains('.')
                    && !table::PLAIN_FILES.has(&name.to_lowercase());
                hash == same || file
            })
        })
    };
    match (within(&x, &y), within(&y, &x)) {
        (true, true) => Labels::Same,
        (false, false) => Labels::Others,
        _ => Labels::Within,
    }
}

impl Pair<'_, '_> {
    /// How many words more what they stand below, or a name of several parts, says of what they
    /// are about.
    pub(super) fn named_further(&self) -> usize {
        let below = self.a.under.is_some() && self.a.under == self.b.under;
        let name = self.a.tokens.first().map_or("", |token| self.a.word(token));
        let parts = self.a.label() == Some(name.len()) && name.contains('_');
        usize::from(below) + usize::from(parts)
    }

    /// Whether they are two values of one name that says what it is of.
    pub(super) fn is_named_value(&self) -> bool {
        const LIKE: f64 = 0.5;
        let label = self.a.label();
        let value = |change: &super::Change| {
            let first = self.a.tokens.get(change.a.start);
            first
                .zip(label)
                .is_some_and(|(first, label)| first.at.start >= label)
        };
        self.like >= LIKE
            && self.named_further() > 0
            && matches!(self.changes.as_slice(), [change] if value(change))
    }

    /// Whether one stands in a table or a block of code, where only quantities and choices are
    /// about the same thing.
    pub(super) fn is_tabled(&self) -> bool {
        self.a.form != Form::Prose || self.b.form != Form::Prose
    }

    /// Whether they are a label and one of several choices: `**Database**: MySQL`, or whatever is
    /// the one that is used by itself: `Default branch: main`.
    pub(super) fn is_choice(&self) -> bool {
        let default = |one: &Statement<'_>| {
            let end = one.label().unwrap_or_default();
            let mut label = one.tokens.iter().take_while(|token| token.at.end <= end);
            label.any(|token| one.word(token).eq_ignore_ascii_case("default"))
        };
        let value = |one: &Statement<'_>| -> Option<String> {
            let label = one.label()?;
            let mut rest = one.tokens.iter().filter(|token| token.at.start > label);
            let value = rest.next()?;
            rest.next()
                .is_none()
                .then(|| one.word(value).to_lowercase())
        };
        match (value(self.a), value(self.b)) {
            (Some(a), Some(b)) => {
                table::rivals(&a, &b) || (a != b && default(self.a) && default(self.b))
            }
            _ => false,
        }
    }
}
