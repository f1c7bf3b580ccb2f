//! What a statement goes on with: a reason, a further clause, or where and when the rest holds.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};

/// How a reason or a further clause begins.
const TAILS: [&str; 12] = [
    "; ",
    " because ",
    " since ",
    ", so ",
    ", since ",
    ", because ",
    ", the ",
    ", it ",
    ", they ",
    ", we ",
    ", which ",
    ", as ",
];

/// Signs behind which a reason may stand, or an item of a list, or where the rest holds.
const SIGNS: [&str; 6] = [", ", ": ", " (", " - ", " – ", " — "];

static ENDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let ends = TAILS.iter().chain(&SIGNS);
    let builder = &mut AhoCorasick::builder();
    builder
        .match_kind(MatchKind::LeftmostFirst)
        .build(ends)
        .ok()
});

impl Statement<'_> {
    /// How many of its words stand before a reason or a further clause; nothing where it has none.
    pub(super) fn find_head(&self) -> Option<usize> {
        const LEAST: usize = 3;
        let found = ENDS.as_ref()?.find_iter(&*self.text);
        let ends = found.filter_map(|found| {
            let count = self
                .tokens
                .partition_point(|token| token.at.end <= found.start());
            let (head, tail) = self.tokens.split_at_checked(count)?;
            let content = head.iter().filter(|token| token.kind.is_content());
            let sign = found.pattern().as_usize().checked_sub(TAILS.len());
            let ends = match sign.and_then(|sign| SIGNS.get(sign)) {
                None => true,
                Some(&" (") => self.is_aside(found.end(), tail),
                Some(_) => self.is_clause(tail) || self.is_remark(tail),
            };
            (content.count() >= LEAST && ends).then_some(count)
        });
        ends.into_iter().next()
    }

    /// Whether what stands in brackets to the end is a clause, or the same in another unit.
    fn is_aside(&self, start: usize, tail: &[Token]) -> bool {
        let rest = self.text.get(start..).unwrap_or_default();
        let inner = rest.trim_end_matches(['.', '!', '*', '_', '`', ' ']);
        let closed = inner.ends_with(')') && inner.matches(')').count() == 1;
        let unit = |token: &Token| table::is_unit(&self.word(token).to_lowercase());
        let measured = tail.iter().any(unit)
            && tail
                .iter()
                .all(|token| token.kind.is_number() || unit(token));
        closed && (measured || self.is_clause(tail) || self.is_remark(tail))
    }

    /// Whether these words at its end are a clause of their own, with a subject and a verb, and not
    /// the items of a list.
    fn is_clause(&self, tail: &[Token]) -> bool {
        const SUBJECT: usize = 3;
        let word = |token: &Token| self.word(token).to_lowercase();
        let skipped = usize::from(tail.first().is_some_and(|first| {
            matches!(&*word(first), "because" | "since" | "as" | "so" | "for")
        }));
        let clause = tail.get(skipped..).unwrap_or_default();
        let (Some(first), Some(last)) = (clause.first(), clause.last()) else {
            return false;
        };
        // `for exports that are long` says what it is for, and `for the lock file is ours` why.
        let causal = tail.first().is_none_or(|first| word(first) != "for")
            || table::ARTICLES.has(&word(first));
        if !causal || table::SCOPES.has(&word(first)) || first.kind == Kind::Negation {
            return false;
        }
        let pairs = clause.iter().zip(clause.iter().skip(1)).enumerate();
        for (n, (before, token)) in pairs.take(SUBJECT) {
            let between = self.text.get(before.at.end..token.at.start);
            let verb = word(token);
            let next = clause.get(n + 2).map(word).unwrap_or_default();
            if table::JOINING.has(&verb) || between.is_some_and(|signs| signs.contains([',', ';']))
            {
                return false;
            }
            // `EU customers in trial` and `EU customers only` are nouns.
            let plural = table::NARROWING.has(&next) || table::SCOPES.has(&next);
            let form = (verb.ends_with('s') && !verb.ends_with("ss") && !plural)
                || table::is_past(&verb)
                || table::OBJECTS.has(&next);
            let acts = token.kind == Kind::Word && form && !matches!(&*next, "" | "and" | "or");
            if table::VERBS.has(&verb) || acts {
                return last.at != token.at;
            }
        }
        false
    }

    /// Whether these words at its end say where, when or for whom the rest holds, and leave out
    /// something: so does `in staging`, and neither `by default` nor `for all users` nor `on purpose`.
    pub fn is_scope(&self, tail: &[Token]) -> bool {
        let words: Vec<String> = tail
            .iter()
            .map(|token| self.word(token).to_lowercase())
            .collect();
        let narrow = words.iter().take_while(|word| table::NARROWING.has(word));
        let narrow = narrow.count();
        let mut rest = words.iter().skip(narrow);
        let (Some(first), next) = (rest.next(), rest.next()) else {
            return false;
        };
        let Some(next) = next else {
            return false;
        };
        // `at the latest`
        let noun = rest
            .next()
            .filter(|_| table::ARTICLES.has(next))
            .unwrap_or(next);
        let whole =
            table::WHOLE.has(next) || table::WHOLE.has(noun) || self.is_manner(tail, &words);
        let thing = || {
            let token = tail.get(narrow + 1);
            table::ARTICLES.has(next) || token.is_some_and(|token| self.names(token))
        };
        let begins = table::SCOPES.has(first)
            || (table::TOWARDS.has(first) && thing())
            || (first == "that" && !thing());
        begins && !whole
    }

    /// Whether words at its end say how or what for it is so, where it is written or since when: of
    /// what holds everywhere, they leave out nothing.
    fn is_manner(&self, tail: &[Token], words: &[String]) -> bool {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        // `for debugging`, and not `in debugging sessions`
        let is_purpose = words.iter().enumerate().any(|(n, word)| {
            let behind = words.get(n + 1).zip(tail.get(n + 1));
            let ends =
                behind.is_none_or(|(next, at)| at.kind == Kind::Stop || table::SCOPES.has(next));
            let able = word.ends_with("bility") && words.first() == Some(&"for");
            ends && (able || table::PURPOSES.has(word))
        });
        let is_other = match &*words {
            ["by", .., last] | ["on", last] => table::MANNERS.has(last),
            ["in", place] | ["in", "the" | "our", place] if table::WRITTEN.has(place) => true,
            ["in", file] => self.is_set_in(tail, file),
            ["with", "the" | "our", "new", _, ..] => true,
            // From the second try on it holds beside what holds of the first.
            ["from", day] | ["from", day, .., "on" | "onward" | "onwards"] => {
                let is_date = day.starts_with("20") && day.contains('-');
                let is_month = || tail.iter().any(|token| token.kind == Kind::Month);
                is_date || matches!(*day, "now" | "today") || is_month()
            }
            _ => false,
        };
        is_purpose || is_other
    }

    /// Whether the file at its end is where a figure that it tells is set, and not one of several
    /// files that differ.
    fn is_set_in(&self, tail: &[Token], file: &str) -> bool {
        let head = self.tokens.len().saturating_sub(tail.len());
        let mut head = self.tokens.iter().take(head);
        let parts = || file.split(|c: char| !c.is_alphanumeric());
        file.contains('.')
            && head.any(|token| token.kind.is_number())
            && parts().any(|part| table::SET_IN.has(part))
            && !parts().any(|part| table::STAGES.has(part))
    }

    /// Whether it leaves no room for an exception: it says of something that it is never so, or
    /// without any. An order `never` to do it is a rule, and rules have exceptions.
    pub fn is_outright(&self) -> bool {
        let mut words = self.tokens.iter().skip(1);
        words.any(|token| table::OUTRIGHT.has(&self.word(token).to_lowercase()))
    }
}
