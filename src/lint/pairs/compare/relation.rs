//! Whether what is said of a thing can only be one, or adds up: `lives in A`, and `needs A`.

use super::{Change, Pair, Slot};
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};

impl Pair<'_, '_> {
    /// Whether another thing may stand beside the one that differs, so that both hold: the nearest
    /// word in front of it that says how it is related decides.
    pub(super) fn adds_up(&self, change: &Change, slot: Slot) -> bool {
        let before = self.a.tokens.get(..change.a.start).unwrap_or_default();
        // A label says of what it is the value: `Run the tests: A`.
        let label = self.a.label().unwrap_or_default();
        let said = before.iter().filter(|token| token.at.start >= label);
        let words: Vec<String> = said
            .map(|token| match token.kind {
                Kind::Code => String::new(),
                _ => self.a.word(token).to_lowercase(),
            })
            .collect();
        let may = || words.iter().any(|word| table::MAY.has(word));
        match slot {
            Slot::Name | Slot::Path | Slot::Word => may() || self.is_one_more(change, &words),
            // Of two that do the same work one is enough, but where each is on offer.
            Slot::Tool => may(),
            _ => false,
        }
    }

    fn is_one_more(&self, change: &Change, before: &[String]) -> bool {
        let joined = before.last().map_or("", String::as_str);
        let helped = matches!(joined, "with" | "via" | "through");
        if helped
            && before
                .first()
                .is_some_and(|word| table::DONE_WITH.has(word))
        {
            return false;
        }
        let orders = before.first().is_some_and(|word| table::SEVERAL.has(word));
        if orders && joined != "to" && !before.iter().any(|word| table::BEING.has(word)) {
            return true;
        }
        for (n, word) in before.iter().enumerate().rev() {
            let earlier = before.get(..n).unwrap_or_default();
            // `their tests` are no verb.
            if earlier.last().is_some_and(|whose| table::WHOSE.has(whose)) {
                continue;
            }
            if table::TAKING.has_form(word) {
                return !self.has_purpose(change, before);
            }
            if helped && table::DONE_WITH.has_form(word) {
                return false;
            }
            // `set the level to debug`
            if joined == "to" && matches!(&**word, "set" | "sets") {
                return false;
            }
            let one = table::ONE.has(word) || table::ONE.has_form(word);
            if !table::SEVERAL.has_form(word) {
                if one {
                    return false;
                }
                continue;
            }
            // What is to be done at one place may have to be done at another as well.
            let duty = n == 0 || earlier.iter().any(|word| table::DUTY.has(word));
            let fact = earlier.iter().any(|word| table::BEING.has(word));
            let placed = table::PLACING.has(joined) || (fact && !table::SPREAD.has(word));
            return duty || !(placed || one);
        }
        false
    }

    /// Whether it is said for what the thing is taken: `use A for dates`, `for dates use A`.
    fn has_purpose(&self, change: &Change, before: &[String]) -> bool {
        let word = |token: &Token| self.a.word(token).to_lowercase();
        let behind = self.a.tokens.get(change.a.end).map(word);
        let tells = |word: &String| table::PURPOSE.has(word);
        behind.as_ref().is_some_and(tells)
            || before.first().is_some_and(tells)
            || before.last().is_some_and(tells)
    }
}
