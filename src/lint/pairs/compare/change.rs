//! What one place is in which two statements differ.

use std::ops::Range;

use super::{Change, Pair};
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};
use crate::lint::select::distance;

/// The words that say something, without those that only join them.
pub(super) fn content_of(tokens: &[Token]) -> Vec<Token> {
    let content = tokens.iter().filter(|token| token.kind.is_content());
    content.cloned().collect()
}

impl Pair<'_, '_> {
    /// Whether the number only names one of many: `issue 12`, `#12`, and not how much of something
    /// there is: `tries a part 3 times`.
    pub(super) fn is_numbered(&self, change: &Change) -> bool {
        let named = |one: &Statement<'_>, range: &Range<usize>| {
            let Some(token) = one.tokens.get(range.start) else {
                return false;
            };
            let before = one.text.get(..token.at.start).unwrap_or_default();
            let noun = range.start.checked_sub(1).and_then(|n| one.tokens.get(n));
            let noun = noun.map(|token| one.word(token).to_lowercase());
            let unit = one
                .tokens
                .get(range.end)
                .map(|token| one.word(token).to_lowercase());
            if unit.is_some_and(|unit| unit == "times") {
                return false;
            }
            before.ends_with('#') || noun.is_some_and(|noun| table::NUMBERED.has(&noun))
        };
        named(self.a, &change.a) || named(self.b, &change.b)
    }

    /// Whether a number stands behind the name of what has versions: `Node 20`.
    pub(super) fn is_versioned(&self, change: &Change) -> bool {
        let name = change.a.start.checked_sub(1);
        let name = name.and_then(|n| self.a.tokens.get(n));
        name.is_some_and(|name| table::VERSIONED.has(&self.a.word(name).to_lowercase()))
    }

    /// Whether one number is the other, rounded.
    pub(super) fn is_rounded(&self, a: &Token, b: &Token) -> bool {
        let plain = |one: &Statement<'_>, token: &Token| {
            let word = one
                .word(token)
                .trim_matches(['$', '€', '£', '%'])
                .replace(',', "");
            let decimals = word.split_once('.').map_or(0, |(_, after)| after.len());
            word.parse::<f64>().ok().map(|value| (value, decimals))
        };
        let (Some((a, x)), Some((b, y))) = (plain(self.a, a), plain(self.b, b)) else {
            return false;
        };
        let scale = 10_f64.powi(i32::try_from(x.min(y)).unwrap_or(0));
        let close = (a * scale).round() == (b * scale).round()
            || (a * scale).floor() == (b * scale).floor();
        x != y && close
    }

    /// Whether what differs is a date or a part of one.
    pub(super) fn is_date(&self, change: &Change, a: &Token, b: &Token) -> bool {
        // Only days and years stand between a number and the month of its date.
        let month = |one: &Statement<'_>, range: &Range<usize>| {
            let part = |token: &&Token| token.kind.is_number() || token.kind == Kind::Month;
            let (before, after) = (one.tokens.get(..range.start), one.tokens.get(range.end..));
            let before = before.unwrap_or_default().iter().rev().take_while(part);
            let mut after = after.unwrap_or_default().iter().take_while(part);
            let own = one.tokens.get(range.clone()).unwrap_or_default().iter();
            let mut near = own.chain(before.take(2)).chain(after.by_ref().take(2));
            near.any(|token| token.kind == Kind::Month)
        };
        // `2026`, `2026-03` and `2026-03-14`, of which each part is a token.
        let year = |one: &Statement<'_>, token: &Token| {
            let sign = |c: char| c.is_ascii_digit() || c == '-';
            let before = one.text.get(..token.at.start).unwrap_or_default();
            let start = before.trim_end_matches(sign).len();
            let rest = one.text.get(start..).unwrap_or_default();
            let whole = rest.split(|c| !sign(c)).next().unwrap_or_default();
            let mut parts = whole.split('-');
            let year = parts.next().unwrap_or_default();
            year.len() == 4
                && (year.starts_with("19") || year.starts_with("20"))
                && parts.all(|part| part.len() == 2)
        };
        month(self.a, &change.a) || month(self.b, &change.b) || (year(self.a, a) && year(self.b, b))
    }

    /// Whether it is the release of which the rest is said: `since 2.3`, `release 3.1`.
    pub(super) fn is_release(&self, change: &Change) -> bool {
        let release = |one: &Statement<'_>, at: &Range<usize>| {
            let [token] = one.tokens.get(at.clone())? else {
                return None;
            };
            let dotted = one.word(token).trim_start_matches('v').contains('.');
            let word = |n: usize| {
                one.tokens
                    .get(n)
                    .map(|token| one.word(token).to_lowercase())
            };
            let behind = one.text.get(token.at.end..).unwrap_or_default();
            let counts = one.tokens.get(at.end).is_some_and(|next| {
                let unit = || table::is_unit(&one.word(next).to_lowercase());
                // `in 2.3 a flag` is no current.
                next.kind.is_number() || (next.kind.is_content() && unit())
            });
            let parted = behind.starts_with([' ', ',', ':', ')']);
            let ends = behind.trim_start_matches(['.', '`', '*']).is_empty();
            let before = at.start.checked_sub(1).and_then(word);
            // `as of 2.3`, and not `a total of 2.3`
            let since = match before.as_deref() {
                Some("of") => at.start.checked_sub(2).and_then(word).as_deref() == Some("as"),
                Some(word) => table::SINCE.has(word),
                None => true,
            };
            let bare = !one.word(token).contains(['%', '$', '€', '£']) && !counts;
            Some(token.kind.is_number() && dotted && bare && since && (parted || ends))
        };
        release(self.a, &change.a) == Some(true) && release(self.b, &change.b) == Some(true)
    }

    /// Whether it is a label that only one of them has, of words that both say.
    pub(super) fn is_said_label(&self, change: &Change) -> bool {
        let (a, b) = self.tokens(change);
        let (one, only) = match (content_of(a).is_empty(), content_of(b).is_empty()) {
            (false, true) => (self.a, a),
            (true, false) => (self.b, b),
            _ => return false,
        };
        let said = |token: &&Token| {
            let shared = self.shared.iter().filter_map(|n| self.a.tokens.get(*n));
            shared.into_iter().any(|other| other.hash == token.hash)
        };
        let end = one.label().unwrap_or_default();
        let mut words = only.iter().filter(|token| token.kind.is_content());
        words.all(|token| token.at.end <= end && said(&token))
    }

    /// Whether one of them says the other more exactly, or spells it otherwise.
    pub(super) fn is_kin(&self, x: &[Token], y: &[Token]) -> bool {
        if x.iter()
            .any(|token| y.iter().any(|other| other.hash == token.hash))
        {
            return true;
        }
        if let ([one], [other]) = (x, y) {
            let unit =
                |one: &Statement<'_>, token: &Token| table::unit(&one.word(token).to_lowercase());
            if let (Some(one), Some(other)) = (unit(self.a, one), unit(self.b, other)) {
                return one == other;
            }
            // `m` is no shorter way to write `ms`.
            let (left, right) = (self.a.word(one), self.b.word(other));
            let (left, right) = (left.to_lowercase(), right.to_lowercase());
            if table::is_unit(&left) && table::is_unit(&right) {
                return table::is_one_unit(&left, &right);
            }
            // `feat/` is no other spelling of `feature/`.
            if self.a.is_folder(one) && self.b.is_folder(other) {
                return false;
            }
        }
        let words = |one: &Statement<'_>, tokens: &[Token]| -> Vec<String> {
            tokens
                .iter()
                .map(|token| one.word(token).to_lowercase())
                .collect()
        };
        let (x, y) = (words(self.a, x), words(self.b, y));
        let parts = |words: &[String]| -> Vec<String> {
            let split = words
                .iter()
                .flat_map(|word| word.split(['-', '_', '.', '/', ':']));
            split
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let (p, q) = (parts(&x), parts(&y));
        let within = |p: &[String], q: &[String]| p.iter().all(|part| q.contains(part));
        if within(&p, &q) || within(&q, &p) {
            return true;
        }
        x.iter()
            .any(|one| y.iter().any(|other| is_spelling(one, other)))
    }
}

/// What stands after the last `/`.
pub(super) fn last(path: &str) -> &str {
    path.trim_matches(['/', '*'])
        .rsplit('/')
        .next()
        .unwrap_or_default()
}

/// Whether a word is the name of a file: something and an ending.
pub(super) fn is_file(word: &str) -> bool {
    const LONGEST: usize = 5;
    last(word).rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && ending.len() <= LONGEST
            && ending.starts_with(|c: char| c.is_ascii_lowercase())
            && !word.contains("://")
    })
}

/// The name of a file without its ending.
pub(super) fn without_ending(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// Whether one word is the beginning of the other, stands in it, or is misspelled. Of names with a
/// number or a letter of their own, `node-1` and `db-a.test`, each is another.
fn is_spelling(a: &str, b: &str) -> bool {
    const SIGNS: [char; 6] = ['-', '_', '.', '/', ':', '@'];
    if a.starts_with(|c: char| c.is_ascii_digit()) || b.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let digits = |word: &'_ str| word.bytes().filter(u8::is_ascii_digit).count();
    let both = digits(a) > 0 && digits(b) > 0;
    if both
        && !a
            .bytes()
            .filter(u8::is_ascii_digit)
            .eq(b.bytes().filter(u8::is_ascii_digit))
    {
        return false;
    }
    if a.contains(SIGNS) && b.contains(SIGNS) {
        let parts = || a.split(SIGNS).zip(b.split(SIGNS));
        let same = |(a, b): (&str, &str)| a == b || is_spelling(a, b);
        let letters = parts().any(|(a, b)| a != b && a.len().max(b.len()) == 1);
        return a.split(SIGNS).count() == b.split(SIGNS).count() && !letters && parts().all(same);
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    long.starts_with(short)
        || (short.len() >= 4 && long.contains(short))
        || (short.len() >= 4 && distance(a, b, long.chars().count() / 5).is_some())
}
