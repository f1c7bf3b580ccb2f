//! Remarks at the end of a statement that need no verb: where it is written, how it was before, what
//! somebody thinks of it. What names a case, `(staging)` or `: trial accounts`, is none.

use super::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};

impl Statement<'_> {
    /// Whether these words at its end only remark on what stands before them.
    pub(super) fn is_remark(&self, tail: &[Token]) -> bool {
        self.refers(tail) || self.is_former(tail) || self.is_judgement(tail) || self.is_said(tail)
    }

    /// Whether a statement with this head ends in a remark, which tells no case apart.
    pub fn ends_in_remark(&self, head: &[Token]) -> bool {
        let tail = self.tokens.get(head.len()..);
        tail.is_some_and(|tail| self.is_remark(tail))
    }

    fn lower(&self, token: Option<&Token>) -> String {
        token.map_or_else(String::new, |token| self.word(token).to_lowercase())
    }

    /// Where it is written or was decided: `see nginx.conf`, `PR 812`, `#812`, an address.
    fn refers(&self, tail: &[Token]) -> bool {
        const MOST: usize = 3;
        let Some(at) = tail.first() else {
            return false;
        };
        let first = self.lower(Some(at));
        let numbered = |token: Option<&Token>| {
            let word = self.lower(token);
            word.contains(|c: char| c.is_ascii_digit())
        };
        let before = self.text.get(..at.at.start).unwrap_or_default();
        let short = tail.len() <= MOST;
        // `per the retention policy`, and not `per user`
        let per = || {
            let last = self.lower(tail.last());
            first == "per" && (table::MANNERS.has(&last) || numbered(tail.last()))
        };
        let own = self.text.get(at.at.start..).unwrap_or_default();
        let address = own.starts_with("http://") || own.starts_with("https://");
        let entry = first.rsplit_once('-').is_some_and(|(list, number)| {
            let letters = list.chars().all(char::is_alphabetic) && at.kind == Kind::Name;
            letters && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        table::POINTERS.has(&first) && !matches!(&*first, "load" | "open" | "compare")
            || per()
            || address
            || (short && (before.ends_with('#') || entry))
            || (short && table::DOCUMENTS.has(&first) && numbered(tail.get(1)))
    }

    /// How it was before, or that it was changed: `was 200`, `formerly in Redis`, `down from 30`.
    fn is_former(&self, tail: &[Token]) -> bool {
        let (first, next) = (self.lower(tail.first()), self.lower(tail.get(1)));
        match () {
            () if table::FORMERLY.has(&first) => tail.len() > 1,
            () if matches!(&*first, "up" | "down") => next == "from",
            () if table::CHANGED.has(&first) => {
                let next_is_date = tail.get(1).is_some_and(|next| next.kind.is_number());
                tail.len() == 1
                    || next_is_date
                    || table::SINCE.has(&next)
                    || matches!(&*next, "on" | "from" | "by")
            }
            () => false,
        }
    }

    /// What is thought of it: `too slow on macOS`, `flaky in CI`. An adjective in front of a noun
    /// names a case, `slow clients`.
    fn is_judgement(&self, tail: &[Token]) -> bool {
        let first = self.lower(tail.first());
        let more = table::VERY.has(&first);
        let adjective = tail.get(usize::from(more));
        let word = self.lower(adjective);
        let plain = adjective.is_some_and(|token| token.kind == Kind::Word);
        let formed = ["able", "ible", "less", "ous"];
        let is_one = table::JUDGED.has(&word) || formed.iter().any(|end| word.ends_with(end));
        let alone = tail
            .get(usize::from(more) + 1)
            .is_none_or(|next| matches!(next.kind, Kind::Stop | Kind::Negation));
        plain && (first == "too" || ((more || is_one) && alone))
    }

    /// Who wanted it so: `the designers asked`.
    fn is_said(&self, tail: &[Token]) -> bool {
        const SUBJECT: usize = 3;
        let mut words = tail.iter().take(SUBJECT + 1).skip(1);
        words.any(|token| table::WANTED.has(&self.lower(Some(token))))
    }
}
