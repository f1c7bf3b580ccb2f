//! Settings that two memories about the same thing name: `Port: 3000` and `Port: 8080`.
//!
//! Many memories have a port, each of another service, so that such a line says nothing without
//! what it stands in: the titles have to be the same, and the headings above the lines.

use super::body::Body;
use crate::lint::Context;
use crate::lint::pairs::compare::{Relation, Slot, compare_values};
use crate::lint::pairs::statement::{Form, Statement};
use crate::lint::pairs::table::{self, Words};
use crate::lint::pairs::words::{Kind, tokens};

/// Two bodies whose memories have one title.
pub(super) struct Keyed<'b, 't> {
    a: &'b Body<'t>,
    b: &'b Body<'t>,
    /// Whether their titles say of what.
    told: bool,
}

impl<'b, 't> Keyed<'b, 't> {
    /// Of two memories by their indices; nothing where their titles differ.
    pub fn of(
        cx: &Context<'_>,
        (first, a): (usize, &'b Body<'t>),
        (second, b): (usize, &'b Body<'t>),
    ) -> Option<Self> {
        const FEW: usize = 3;
        let (x, y) = (subject(cx, first), subject(cx, second));
        // Two lines without a title that says of what are about whatever both are about.
        let none = |words: &[u32], body: &Body<'_>| {
            let said = |one: &Statement<'_>, word: &u32| {
                one.tokens.iter().any(|token| token.hash == *word)
            };
            let told = match &*body.statements {
                [one] => words.iter().all(|word| said(&one.statement, word)),
                _ => words.is_empty(),
            };
            told && body.statements.len() <= FEW
        };
        let same = if x.is_empty() { none(&y, b) } else { x == y };
        (same || (none(&x, a) && none(&y, b))).then_some(Self {
            a,
            b,
            told: !x.is_empty() && x == y,
        })
    }

    /// The line of the second body that gives the key of a line of the first another value, each
    /// the only one with that key.
    pub fn another_value(&self, line: usize) -> Option<(Relation, &'b Statement<'t>)> {
        let own = &self.a.statements.get(line)?.statement;
        let key = key(own)?;
        let one = only(self.a, &key)?;
        let other = only(self.b, &key)?;
        let same = heading(self.a, one) == heading(self.b, other) && one.under == other.under;
        let values = compare_values(one, other);
        // Where the values do not exclude each other, the lines as wholes tell how they stand.
        let Relation::Contradiction { slot, .. } = values else {
            return None;
        };
        let firm = slot.is_sure() || slot == Slot::Tool;
        (same && (self.told || firm)).then_some((values, other))
    }
}

/// Words of a title that say nothing of what its memory is about.
static UNTOLD: Words =
    Words::of("note notes memory memories entry item lesson learning fact first second third");

/// The words of a title that say what its memory is about.
fn subject(cx: &Context<'_>, index: usize) -> Vec<u32> {
    let title = cx.memories.get(index).map_or("", |memory| &*memory.title);
    let content = tokens(title).into_iter();
    let content: Vec<_> = content.filter(|token| token.kind.is_content()).collect();
    let told = |at: &std::ops::Range<usize>| {
        let word = title.get(at.clone()).unwrap_or_default().to_lowercase();
        !UNTOLD.has(&word)
    };
    // `Phase 2` is about another phase, and `Note 2` is another note.
    let untold = content
        .iter()
        .all(|token| token.kind.is_number() || !told(&token.at));
    let content = content.into_iter().filter(|_| !untold);
    let mut words: Vec<u32> = content.map(|token| token.hash).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Whether each of two says what the other lacks.
fn differ(a: &[u32], b: &[u32]) -> bool {
    let lacks = |a: &[u32], b: &[u32]| a.iter().any(|word| !b.contains(word));
    lacks(a, b) && lacks(b, a)
}

/// A statement of a body, and its memory by its index.
pub(super) type Placed<'b, 't> = (usize, &'b Body<'t>, &'b Statement<'t>);

/// Whether two statements are about two things by where they stand: each below the heading of
/// another stage, or in a table or a block of code of another thing.
pub(super) fn are_apart(
    cx: &Context<'_>,
    (first, a, one): Placed<'_, '_>,
    (second, b, other): Placed<'_, '_>,
) -> bool {
    let tabled = [one, other].iter().any(|one| one.form != Form::Prose);
    if tabled && differ(&subject(cx, first), &subject(cx, second)) {
        return true;
    }
    let (Some(x), Some(y)) = (heading(a, one), heading(b, other)) else {
        return false;
    };
    let words = |heading: &str| -> Vec<u32> {
        let content = tokens(heading).into_iter();
        let content = content.filter(|token| token.kind.is_content());
        content.map(|token| token.hash).collect()
    };
    let stage = |heading: &str| {
        let mut words = heading.split(|c: char| !c.is_alphanumeric());
        words.any(|word| table::STAGES.has(&word.to_lowercase()))
    };
    differ(&words(x), &words(y)) && (tabled || (stage(x) && stage(y)))
}

/// Whether the shorter of two bodies is so short that the title or the heading above it says what
/// it is about, and that is another: `fine-tuning (planned)` of two services.
pub(super) fn is_brief(
    cx: &Context<'_>,
    (first, a): (usize, &Body<'_>),
    (second, b): (usize, &Body<'_>),
) -> bool {
    const FEW: usize = 5;
    let few = |body: &Body<'_>| body.content().count() < FEW;
    // What names its thing needs no title to.
    let names = |body: &Body<'_>| -> Vec<u32> {
        let said = body.statements.iter().map(|said| &said.statement);
        let inner = said.flat_map(|one| one.tokens.iter().skip(1));
        let names = inner.filter(|token| matches!(token.kind, Kind::Name | Kind::Code));
        names.map(|token| token.hash).collect()
    };
    let spans = [a, b].iter().all(|body| body.text.contains('`'));
    let (known, other) = (names(a), names(b));
    let named = spans || known.iter().any(|name| other.contains(name));
    if !(few(a) || few(b)) || named {
        return false;
    }
    // Titles may begin with one name of all.
    let apart = |a: &[u32], b: &[u32]| {
        let own = |a: &[u32], b: &[u32]| a.iter().filter(|word| !b.contains(word)).count();
        let (x, y) = (own(a, b), own(b, a));
        x.min(y) >= 2 || (x.min(y) == 1 && (x, y) == (a.len(), b.len()))
    };
    let above = |body: &Body<'_>| {
        let said = body.statements.first();
        let heading = said.and_then(|said| heading(body, &said.statement));
        let content = tokens(heading.unwrap_or_default()).into_iter();
        let content = content.filter(|token| token.kind.is_content());
        content.map(|token| token.hash).collect::<Vec<_>>()
    };
    apart(&subject(cx, first), &subject(cx, second)) || apart(&above(a), &above(b))
}

/// The words in front of the colon.
fn key(one: &Statement<'_>) -> Option<Vec<u32>> {
    let end = one.label()?;
    let label = one.tokens.iter().take_while(|token| token.at.end <= end);
    Some(label.map(|token| token.hash).collect())
}

/// The only line of a body with a key.
fn only<'b, 't>(body: &'b Body<'t>, wanted: &[u32]) -> Option<&'b Statement<'t>> {
    let lines = body.statements.iter().map(|said| &said.statement);
    let mut with = lines.filter(|one| key(one).as_deref() == Some(wanted));
    with.next().filter(|_| with.next().is_none())
}

/// The heading that a line stands below.
fn heading<'t>(body: &Body<'t>, line: &Statement<'_>) -> Option<&'t str> {
    let before = body.text.get(..line.start.saturating_sub(body.start))?;
    before.lines().rev().find(|line| line.starts_with('#'))
}
