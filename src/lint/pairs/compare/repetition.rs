//! Whether two statements say the same in other words, and name no other thing in doing so.

use super::change::content_of;
use super::{Change, Pair, SURELY};
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};

/// Words that statements share at least, for one that is another to be only another wording.
const BRIEF: usize = 5;

/// The same as [`SURELY`] for one other thing in a short statement.
const ALMOST: f64 = 0.93;

impl Pair<'_, '_> {
    /// Whether a word in one turns round what the other says.
    pub(super) fn is_turned(&self) -> bool {
        // `A, not B` is `A rather than B`.
        let rather = |one: &Statement<'_>| {
            let words = one
                .tokens
                .iter()
                .map(|token| one.word(token).to_lowercase());
            words.filter(|word| table::RATHER.has(word)).count()
        };
        let (a, b) = (self.a.negations(), self.b.negations());
        (a != b && a + rather(self.a) != b + rather(self.b))
            || self.changes.iter().any(|change| self.is_opposed(change))
    }

    /// Whether what differs are words, not things: no other name, path, number or subject.
    pub(super) fn is_reworded(&self) -> bool {
        let thing =
            |token: &Token| matches!(token.kind, Kind::Code | Kind::Name) || token.kind.is_number();
        let short = self.shared(|token| token.kind.is_content()) < BRIEF;
        let another = self.changes.iter().any(|change| {
            let (a, b) = self.tokens(change);
            let (x, y) = (content_of(a), content_of(b));
            // Of a few words one that is another makes it about another thing.
            if short && !x.is_empty() && !y.is_empty() && !self.is_kin(&x, &y) {
                return true;
            }
            let things =
                (a.iter().any(thing) && b.iter().any(thing)) || self.is_another_thing(change);
            let content = |tokens: &[Token]| tokens.iter().any(|token| token.kind.is_content());
            let another = || self.is_subject(change) || self.is_step(change);
            things || (content(a) && content(b) && another())
        });
        let commands = self.a.is_command() || self.b.is_command();
        !another && !commands && !self.is_turned() && !self.is_filled_in()
    }

    /// Whether they say the same of one thing with a rare name, in another order, and at most a word
    /// of its own in each, of which none stands in a place of the other.
    pub(super) fn is_reordered(&self) -> bool {
        const ALIKE: f64 = 0.78;
        const RARE: usize = 8;
        const FEWEST: usize = 5;
        let content = |one: &Statement<'_>| -> Vec<Token> {
            let own = one.tokens.iter().filter(|token| token.kind.is_content());
            own.cloned().collect()
        };
        let (x, y) = (content(self.a), content(self.b));
        let has = |all: &[Token], one: &Token| all.iter().any(|other| other.hash == one.hash);
        let rare = |token: &&Token| {
            let word = self.a.word(token);
            token.kind == Kind::Code && word.len() >= RARE && word.contains(['_', ':', '.'])
        };
        let shared = x.iter().filter(|token| has(&y, token));
        let named = shared.clone().any(|token| rare(&token));
        if !named || shared.count() < FEWEST || self.words_shared() < ALIKE {
            return false;
        }
        let own = |these: &[Token], those: &[Token]| {
            let own = these.iter().filter(|token| !has(those, token));
            own.cloned().collect::<Vec<_>>()
        };
        let (own_a, own_b) = (own(&x, &y), own(&y, &x));
        let number = own_a
            .iter()
            .chain(&own_b)
            .any(|token| token.kind.is_number());
        let replaced = self.changes.iter().any(|change| {
            let (a, b) = self.tokens(change);
            a.iter().any(|token| has(&own_a, token)) && b.iter().any(|token| has(&own_b, token))
        });
        let begins = |one: &Statement<'_>, all: &[Token]| {
            let shared = one.tokens.iter().filter(|token| has(all, token));
            shared.map(|token| token.hash).collect::<Vec<_>>()
        };
        // Both orders of what they share.
        let moved = begins(self.a, &y) != begins(self.b, &x);
        let turned = self.is_turned() || self.a.negations() != self.b.negations();
        own_a.len().max(own_b.len()) <= 1 && !number && !replaced && !turned && moved
    }

    /// Whether they are one form filled in twice, each word in its own place: `the header is blue`
    /// and `the footer is red`.
    fn is_filled_in(&self) -> bool {
        let one_word = |change: &Change| {
            let (a, b) = self.tokens(change);
            let word = |tokens: &[Token]| tokens.len() == 1 && content_of(tokens).len() == 1;
            word(a) && word(b) && !self.is_kin(&content_of(a), &content_of(b))
        };
        self.changes.len() >= 2 && self.changes.iter().all(one_word)
    }

    /// Whether they are two lines to type into a shell, unless the same remark stands behind both.
    fn is_another_command(&self) -> bool {
        let parts = |one: &Statement<'_>| {
            let end = one.text.find(" #").unwrap_or(one.text.len());
            let hashes = one.tokens.iter().filter(|token| token.at.start >= end);
            let remark: Vec<u32> = hashes.map(|token| token.hash).collect();
            (
                one.text.get(..end).unwrap_or_default().trim().to_owned(),
                remark,
            )
        };
        if !self.a.is_command() || !self.b.is_command() {
            return false;
        }
        let ((a, x), (b, y)) = (parts(self.a), parts(self.b));
        let within = |x: &[u32], y: &[u32]| x.iter().all(|one| y.contains(one));
        let same = !x.is_empty() && !y.is_empty() && (within(&x, &y) || within(&y, &x));
        a != b && !same
    }

    /// Whether they share so many words that one more or less makes no other statement of it.
    pub(super) fn is_long(&self) -> bool {
        self.shared(|token| token.kind.is_content()) >= 10
    }

    /// Whether one goes on with an option of the command that both name: it is another command.
    pub(super) fn adds_option(&self) -> bool {
        let adds = |one: &Statement<'_>, tokens: &[Token]| {
            let mut tokens = tokens.iter();
            tokens.any(|token| {
                let before = one.text.get(..token.at.start).unwrap_or_default();
                one.word(token).starts_with("--") || before.ends_with(" --")
            })
        };
        // A line to type is told by its remark.
        let lines = self.a.is_command() && self.b.is_command();
        let mut changes = self.changes.iter().map(|change| self.tokens(change));
        !lines && changes.any(|(a, b)| adds(self.a, a) != adds(self.b, b))
    }

    /// Whether all that differs is one word, and it is no other form of the word of the other: nobody
    /// knows whether it means the same.
    pub(super) fn is_another_word(&self) -> bool {
        let says = |change: &&Change| {
            let (a, b) = self.tokens(change);
            a.iter().chain(b).any(|token| token.kind.is_content())
        };
        let mut said = self.changes.iter().filter(says);
        let (Some(change), None) = (said.next(), said.next()) else {
            return false;
        };
        let (a, b) = self.tokens(change);
        let (x, y) = (content_of(a), content_of(b));
        let word = |one: &[Token]| matches!(one, [word] if word.kind == Kind::Word);
        word(&x) && word(&y) && !self.is_reworded_at(change)
    }

    /// Whether what differs are additions and other wordings, not other things: lines that name
    /// other things in the same place are a list.
    pub(super) fn is_repetition(&self) -> bool {
        let long = self.is_long();
        let (mut others, mut things) = (0, 0);
        if self.is_turned() || self.is_another_command() || (!long && self.adds_option()) {
            return false;
        }
        for change in &self.changes {
            let (a, b) = self.tokens(change);
            let (x, y) = (content_of(a), content_of(b));
            let (Some(first), Some(other)) = (x.first(), y.first()) else {
                continue;
            };
            let numbers = first.kind.is_number() && other.kind.is_number();
            if (numbers && self.is_rounded(first, other)) || self.measured(change) == Some(true) {
                continue;
            }
            if numbers || !self.is_kin(&x, &y) {
                // Another argument of a command, another file or another identifier.
                if first.kind == Kind::Code && other.kind == Kind::Code && !long {
                    return false;
                }
                let another = self.is_subject(change) || (!long && self.is_step(change));
                if another || (numbers && self.is_numbered(change)) {
                    return false;
                }
                things += usize::from(self.is_another_thing(change));
                others += 1;
            }
        }
        // Where nothing else differs, the thing tells two facts apart.
        if others == things && things > 0 {
            return false;
        }
        others == 0 || (long && self.like >= SURELY) || (others == 1 && self.like >= ALMOST)
    }
}
