//! Which case a statement is about: what differs where two are about different ones may both hold.

use super::{Change, Pair};
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token, stem};

/// Words of a phrase between its preposition and what differs: `on the new Node 20`.
const PHRASE: usize = 3;

impl Pair<'_, '_> {
    /// Whether one of two places that differ says in which case the other holds.
    pub(super) fn are_cases(&self, changes: &[&Change]) -> bool {
        match changes {
            [one, other] => self.is_case(one, other) || self.is_case(other, one),
            _ => false,
        }
    }

    /// Whether what differs in one place says when or of what size the rest is, `with v2.1 …`,
    /// `batches of 100 rows …`, and the other what was measured then.
    fn is_case(&self, case: &Change, figure: &Change) -> bool {
        let measured = || {
            let before = self.a.tokens.get(..figure.start()).unwrap_or_default();
            let mut near = before.iter().rev().take(2);
            near.any(|token| table::MEASURED.has(&self.a.word(token).to_lowercase()))
        };
        self.is_opening(case)
            || (self.is_in_phrase(case) && measured())
            || self.is_sized_subject(case, figure)
            || self.is_numbered_subject(case, figure)
    }

    /// Whether a number belongs to what the statements are about, and a verb stands behind it: the
    /// name of one of several, `channel 1 samples`, `the 3090 trains`, or how much is handled,
    /// `parsing 1 MB takes`.
    fn is_numbered_subject(&self, case: &Change, figure: &Change) -> bool {
        let label = self.a.label().unwrap_or_default();
        let tokens = self.a.tokens.get(..case.start()).unwrap_or_default();
        let before: Vec<&Token> = tokens
            .iter()
            .filter(|token| token.at.start >= label)
            .collect();
        let word = |token: &Token| self.a.word(token).to_lowercase();
        let acts = |token: &Token| {
            let word = word(token);
            table::MEASURED.has(&word) || (table::VERBS.has(&word) && !table::BEING.has(&word))
        };
        if figure.start() <= case.a.end || before.iter().any(|token| acts(token)) {
            return false;
        }
        // The unit belongs to the number.
        let rest = self
            .a
            .tokens
            .get(case.a.end..figure.start())
            .unwrap_or_default();
        let unit = rest
            .first()
            .is_some_and(|token| table::is_unit(&word(token)));
        let rest = rest.get(usize::from(unit)..).unwrap_or_default();
        // `API v1 is limited to 60`
        let version = self.a.tokens.get(case.start());
        let version = version.is_some_and(|token| token.kind == Kind::Version);
        let being = |token: &Token| version && table::BEING.has(&word(token));
        if rest
            .first()
            .is_some_and(|first| acts(first) || being(first))
        {
            return true;
        }
        let (Some(verb), Some(next)) = (rest.first(), rest.get(1)) else {
            return false;
        };
        let third = verb.kind == Kind::Word && word(verb).ends_with('s') && next.kind == Kind::Stop;
        let named = before.last().is_some_and(|noun| {
            let word = word(noun);
            noun.kind == Kind::Name && before.len() > 1
                || table::APPOSED.has(&word)
                || table::NUMBERED.has(&word)
        });
        let article = before.len() == 1
            && before.iter().all(|token| table::ARTICLES.has(&word(token)))
            && table::ARTICLES.has(&word(next));
        third && (named || article)
    }

    /// Whether it stands in the phrase with which they begin, that says when or where the rest
    /// holds: `with v2.1`, `on Node 20`.
    pub(super) fn is_opening(&self, change: &Change) -> bool {
        let before = self.a.tokens.get(..change.start()).unwrap_or_default();
        let Some((first, rest)) = before.split_first() else {
            return false;
        };
        let word = self.a.word(first).to_lowercase();
        // `if there are 2 players`
        let clause = table::OCCASIONS.has(&word) && rest.len() <= PHRASE;
        clause || ((table::SCOPES.has(&word) || self.is_participle(change)) && self.is_inner(rest))
    }

    /// Whether they begin with how the subject was treated, which stands behind that: `quantized to
    /// 8 bit the model needs`.
    fn is_participle(&self, change: &Change) -> bool {
        let word = |n: usize| {
            let token = self.a.tokens.get(n)?;
            Some(self.a.word(token).to_lowercase())
        };
        let unit = word(change.a.end).is_some_and(|word| table::is_unit(&word));
        let behind = word(change.a.end + usize::from(unit));
        word(0).is_some_and(|word| table::is_past(&word) && !table::CHANGED.has(&word))
            && word(1).is_some_and(|word| table::JOINING.has(&word))
            && behind.is_some_and(|word| table::ARTICLES.has(&word))
    }

    /// Whether it is a case that stands behind what holds in it: `…: EU customers only`.
    pub(super) fn is_narrowed(&self, change: &Change) -> bool {
        const NOUNS: usize = 2;
        let behind = self.a.tokens.get(change.a.end..).unwrap_or_default();
        let Some((last, nouns)) = behind.split_last() else {
            return false;
        };
        let before = change.a.start.checked_sub(1);
        let from = before.and_then(|n| self.a.tokens.get(n));
        let signs = self.a.tokens.get(change.a.start).and_then(|first| {
            let from = from.map_or(0, |token| token.at.end);
            self.a.text.get(from..first.at.start)
        });
        let parted = signs.is_some_and(|signs| signs.contains([',', ';', ':', '(', '–', '—']));
        let narrow = table::NARROWING.has(&self.a.word(last).to_lowercase());
        narrow && parted && nouns.len() <= NOUNS && self.is_inner(nouns)
    }

    /// Whether a preposition stands in front of it, and at most its own noun between them.
    fn is_in_phrase(&self, change: &Change) -> bool {
        let before = self.a.tokens.get(..change.start()).unwrap_or_default();
        let joins = |token: &Token| {
            let word = self.a.word(token).to_lowercase();
            word == "of" || table::SCOPES.has(&word)
        };
        let Some(at) = before.iter().rposition(joins) else {
            return false;
        };
        self.is_inner(before.get(at + 1..).unwrap_or_default())
    }

    /// Whether these words may stand between a preposition and what belongs to it.
    fn is_inner(&self, words: &[Token]) -> bool {
        let verb = |token: &Token| table::VERBS.has(&self.a.word(token).to_lowercase());
        words.len() <= PHRASE && !words.iter().any(verb)
    }

    /// Whether it belongs to the subject, and a verb stands in front of the other figure: `a worker
    /// with 512 MB handles 200 requests`.
    fn is_sized_subject(&self, case: &Change, figure: &Change) -> bool {
        let (end, start) = (case.a.end, figure.start());
        let between = self.a.tokens.get(end..start).unwrap_or_default();
        let before = self.a.tokens.get(..case.start()).unwrap_or_default();
        let subject = before
            .iter()
            .all(|token| !table::VERBS.has(&self.a.word(token).to_lowercase()));
        // An order has a verb in front, and its figures are what it orders.
        let led = before.first().is_some_and(|first| first.kind != Kind::Word)
            || before.iter().any(|token| {
                let word = self.a.word(token).to_lowercase();
                word == "of" && before.first() != Some(token)
            });
        let is_verb = |token: &Token| {
            let word = self.a.word(token).to_lowercase();
            table::VERBS.has(&word) || table::MEASURED.has(&word)
        };
        // `of 3 nodes survives`
        let acts = between.len() > 1
            && between
                .last()
                .is_some_and(|last| last.kind == Kind::Word && self.a.word(last).ends_with('s'));
        let acts = acts || between.iter().any(is_verb);
        subject && led && acts && self.is_in_phrase(case)
    }

    /// Whether it is one of several of which something holds beside each other: a word in front of
    /// it says so, `supports JSON`, `works with Postgres`.
    pub(super) fn is_among(&self, change: &Change) -> bool {
        let before = self.a.tokens.get(..change.start()).unwrap_or_default();
        let word = |token: &Token| self.a.word(token).to_lowercase();
        let (last, rest) = match before.split_last() {
            Some((last, rest)) if matches!(&*word(last), "with" | "in" | "on") => {
                (rest.last(), true)
            }
            Some((last, _)) => (Some(last), false),
            None => (None, false),
        };
        last.is_some_and(|last| {
            let word = word(last);
            // `Test with Jest` is a choice.
            is_several(&word) && !(rest && stem(&word) == "test")
        })
    }

    /// Whether it is a year that stands behind a name as its version does: `supports IntelliJ 2024`.
    pub(super) fn is_edition(&self, change: &Change) -> bool {
        let name = change.start().checked_sub(1);
        let name = name.and_then(|name| self.a.tokens.get(name));
        name.is_some_and(|name| name.kind == Kind::Name) && self.is_one_of_several(change)
    }

    /// Whether it is a version of which something is said that holds of another as well.
    pub(super) fn is_one_of_several(&self, change: &Change) -> bool {
        let word = |token: &Token| self.a.word(token).to_lowercase();
        let says = |token: &Token| is_several(&word(token));
        // `takes 8 minutes on Node 20`
        let measured = |token: &Token| {
            let word = word(token);
            let counts = token.kind == Kind::Number && word.ends_with(char::is_alphabetic);
            counts || table::is_unit(&word)
        };
        let glue = |token: &&Token| token.kind == Kind::Stop;
        let after = self.a.tokens.get(change.a.end..).unwrap_or_default();
        let before = change.a.start.checked_sub(1);
        let before = before.and_then(|name| self.a.tokens.get(..name));
        let mut before = before.unwrap_or_default().iter().rev().skip_while(glue);
        after.iter().find(|token| !glue(token)).is_some_and(says)
            || before
                .next()
                .is_some_and(|token| says(token) || measured(token))
    }
}

impl Change {
    const fn start(&self) -> usize {
        self.a.start
    }
}

/// Whether a word in whatever ending says what holds of several things.
fn is_several(word: &str) -> bool {
    table::SEVERALLY.has(word) || table::SEVERALLY.has(stem(word))
}
