//! Whether a statement records what happened once: it says nothing of how things are.

use super::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};

impl Statement<'_> {
    /// Whether it records what happened: `key=value` pairs, a date in front, a box that is ticked, a
    /// first word like `Fixed`, or what a piece of work came to.
    pub fn is_record(&self) -> bool {
        let pairs = self.text.matches('=').count();
        let first = self.tokens.first().map_or("", |token| self.word(token));
        let dated = self
            .text
            .trim_start_matches(['*', '[', '(', '`'])
            .as_bytes();
        let dated = dated.len() > 9
            && dated.iter().take(4).all(u8::is_ascii_digit)
            && dated.get(4) == Some(&b'-');
        let first = first.to_lowercase();
        let made =
            table::RECORDS.has(&first) || (table::CHANGED.has(&first) && table::is_past(&first));
        pairs >= 2 || dated || made || self.is_outcome() || self.is_stamped()
    }

    /// Whether it says what holds from now on, and not what a piece of work came to: how something
    /// is, how much of it there is, or what is always or never done.
    pub fn stands(&self) -> bool {
        let words: Vec<String> = self
            .tokens
            .iter()
            .map(|token| self.word(token).to_lowercase())
            .collect();
        let told = words.iter().enumerate().any(|(n, word)| {
            let before = n.checked_sub(1).and_then(|n| words.get(n));
            // `is called`, `are stored`
            let state = before.is_some_and(|before| table::VERBS.has(before));
            table::HELD.has(word) || (table::is_past(word) && !state)
        });
        let first = words.first().map_or("", String::as_str);
        let always = matches!(first, "always" | "never" | "do" | "don't");
        // `3 of 12 crates lack a label` counts what was found.
        let mut numbers = self.tokens.iter().map(|token| token.kind.is_number());
        let counts = numbers.next() == Some(false) && numbers.any(|number| number);
        let is = words
            .iter()
            .any(|word| table::BEING.has(word) || table::MUST.has(word));
        let came = words.iter().any(|word| table::CAME_TO.has(word));
        !told && !came && !self.is_record() && (always || counts || is)
    }

    /// Whether it ends in the second at which something was written down.
    fn is_stamped(&self) -> bool {
        let last = self.text.trim_end_matches(['.', '`', '*', ')', ' ']);
        let last = last.rsplit([' ', '`', '*', '(']).next().unwrap_or_default();
        let date = last.as_bytes();
        last.contains('T')
            && date.len() > 15
            && date.iter().take(4).all(u8::is_ascii_digit)
            && date.get(10) == Some(&b'T')
            && date.get(13) == Some(&b':')
    }

    /// Whether it counts what was done, `12 tests added`, or says who did it, `we added 12 tests`.
    fn is_outcome(&self) -> bool {
        let word = |token: &Token| self.word(token).to_lowercase();
        let done = |token: &Token| {
            let word = word(token);
            table::is_past(&word) && (table::RECORDS.has(&word) || table::WORKED.has(&word))
        };
        let told = match self.tokens.get(..2) {
            Some([who, verb]) => matches!(&*word(who), "we" | "i") && done(verb),
            _ => false,
        };
        let counted = self.tokens.iter().enumerate().filter(|(n, token)| {
            let before = self
                .text
                .get(..token.at.start)
                .unwrap_or_default()
                .trim_end();
            token.kind.is_number() && (*n == 0 || before.ends_with([',', ';', ':', '(']))
        });
        told || counted
            .into_iter()
            .any(|(n, _)| self.ends_in_work(n + 1, done))
    }

    /// Whether nouns stand from here on and, behind them, what was done with them.
    fn ends_in_work(&self, from: usize, done: impl Fn(&Token) -> bool) -> bool {
        const NOUNS: usize = 6;
        let words = self.tokens.get(from..).unwrap_or_default();
        let verb = words.iter().take(NOUNS + 1).position(&done);
        let Some(verb) = verb.filter(|verb| *verb > 0) else {
            return false;
        };
        let nouns = words.get(..verb).unwrap_or_default().iter();
        let between = nouns.map(|noun| self.word(noun).to_lowercase());
        let mut between = between.filter(|word| word != "of");
        let behind = words.get(verb).zip(words.get(verb + 1));
        let ends = behind.is_none_or(|(verb, next)| {
            let signs = self.text.get(verb.at.end..next.at.start);
            next.kind == Kind::Stop || signs.is_some_and(|signs| signs.contains([',', ';', '.']))
        });
        ends && !between.any(|word| table::JOINING.has(&word) || table::BEING.has(&word))
    }
}
