//! Settings that two memories about the same thing name: `Port: 3000` and `Port: 8080`.
//!
//! Many memories have a port, each of another service, so that such a line says nothing without
//! what it stands in: the titles have to be the same, and the headings above the lines.

use super::body::Body;
use crate::lint::Context;
use crate::lint::pairs::compare::{Relation, compare_values};
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::words::tokens;

/// Two bodies whose memories have one title.
pub(super) struct Keyed<'b, 't> {
    a: &'b Body<'t>,
    b: &'b Body<'t>,
}

impl<'b, 't> Keyed<'b, 't> {
    /// Of two memories by their indices; nothing where their titles differ.
    pub fn of(
        cx: &Context<'_>,
        (first, a): (usize, &'b Body<'t>),
        (second, b): (usize, &'b Body<'t>),
    ) -> Option<Self> {
        let title = |index: usize| {
            let title = &*cx.memories.get(index)?.title;
            let content = tokens(title).into_iter();
            let content = content.filter(|token| token.kind.is_content());
            let mut words: Vec<u32> = content.map(|token| token.hash).collect();
            words.sort_unstable();
            words.dedup();
            (!words.is_empty()).then_some(words)
        };
        (title(first)? == title(second)?).then_some(Self { a, b })
    }

    /// The line of the second body that gives the key of a line of the first another value, each
    /// the only one with that key.
    pub fn another_value(&self, line: usize) -> Option<(Relation, &'b Statement<'t>)> {
        let own = &self.a.statements.get(line)?.statement;
        let key = key(own)?;
        let one = only(self.a, &key)?;
        let other = only(self.b, &key)?;
        let same = heading(self.a, one) == heading(self.b, other);
        same.then(|| (compare_values(one, other), other))
    }
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
