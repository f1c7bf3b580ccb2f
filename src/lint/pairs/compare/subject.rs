//! What two statements are about: where each names another subject, neither contradicts the other,
//! and neither repeats it.

use super::change::content_of;
use super::{Change, Pair};
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};

impl Pair<'_, '_> {
    /// Whether what differs is what the statements are about, so that they are about two things.
    /// What is called *the* something can only be one.
    pub(super) fn is_subject(&self, change: &Change) -> bool {
        (self.is_first(change)
            || self.is_name_of_subject(change)
            || self.is_told_behind_label(change))
            && !self.is_the_one(change)
    }

    /// Whether it is the first behind a label and something is told of it there, so that the label
    /// says what kind of thing it is: `Docs: https://host/a explains …`.
    fn is_told_behind_label(&self, change: &Change) -> bool {
        let label = self.a.label().unwrap_or_default();
        let before = self.a.tokens.get(..change.a.start).unwrap_or_default();
        // The scheme of an address.
        let own =
            |token: &&Token| token.at.start >= label && !self.a.word(token).starts_with("http");
        let verb = |token: &Token| {
            let word = self.a.word(token).to_lowercase();
            let form = word.ends_with('s') && !word.ends_with("ss");
            table::VERBS.has(&word) || (token.kind == Kind::Word && form)
        };
        let told = || self.a.tokens.get(change.a.end).is_some_and(verb);
        let behind = self.a.tokens.get(change.a.end + 1).is_some();
        label > 0
            && !before.is_empty()
            && before.iter().all(|token| !own(&token))
            && behind
            && told()
    }

    /// Whether it belongs to the noun with which they begin, and more is told behind it: `requests
    /// to A time out`. What stands behind an order is no subject.
    fn is_joined_to_subject(&self, before: &[Token], change: &Change) -> bool {
        const LONGEST: usize = 4;
        let word = |token: &Token| self.a.word(token).to_lowercase();
        let orders = [
            &table::SEVERAL,
            &table::ONE,
            &table::TAKING,
            &table::STEPS,
            &table::DONE_WITH,
            &table::CHOOSING,
        ];
        let nouns = before
            .first()
            .is_some_and(|first| !orders.iter().any(|verbs| verbs.has(&word(first))));
        let plain = |token: &Token| token.kind == Kind::Word && !table::is_past(&word(token));
        let tells = self.a.tokens.get(change.a.end).is_some_and(plain);
        let more = self.a.tokens.len() > change.a.end + 1;
        before.len() <= LONGEST && before.len() > 1 && nouns && tells && more
    }

    /// Whether nothing is said before what differs.
    pub(super) fn is_first(&self, change: &Change) -> bool {
        let before = self.a.tokens.get(..change.a.start).unwrap_or_default();
        !before.iter().any(|token| token.kind.is_content())
    }

    /// Whether each is about another kind of one thing: `public methods` and `private methods`, `the
    /// limit of the inner queue is`, `keeps small files in memory`.
    pub(super) fn is_another_kind(&self, change: &Change) -> bool {
        let (a, b) = self.tokens(change);
        let ([first], [other]) = (a, b) else {
            return false;
        };
        let orders =
            |one: &Statement<'_>, token: &Token| table::ORDERS.has(&one.word(token).to_lowercase());
        let noun = self.a.tokens.get(change.a.end);
        let Some(noun) = noun.filter(|noun| noun.kind == Kind::Word) else {
            return false;
        };
        if orders(self.a, first) || orders(self.b, other) {
            return false;
        }
        let word = |token: &Token| self.a.word(token).to_lowercase();
        let verb = |token: &Token| table::VERBS.has(&word(token));
        let before = self.a.tokens.get(..change.a.start).unwrap_or_default();
        let after = self.a.tokens.get(change.a.end..).unwrap_or_default();
        let in_subject = !before.iter().any(verb) && after.iter().any(verb);
        let noun = word(noun);
        let many = noun.ends_with('s') && !noun.ends_with("ss");
        let sort = || {
            let excluded = table::excluded(&word(first), &self.b.word(other).to_lowercase());
            !excluded && !self.is_chosen_at(change)
        };
        self.is_first(change) || in_subject || (many && sort())
    }

    /// Whether what differs is called *the* something.
    fn is_the_one(&self, change: &Change) -> bool {
        let after = self.a.tokens.get(change.a.end..).unwrap_or_default();
        let words: Vec<_> = after
            .iter()
            .take(2)
            .map(|token| self.a.word(token))
            .collect();
        words == ["is", "the"]
    }

    /// Whether it names the subject behind a noun: `the table orders is …`, `rows of invoices are …`,
    /// `host b-1 of the fleet …`. What stands behind a verb is said of the subject.
    fn is_name_of_subject(&self, change: &Change) -> bool {
        let (a, b) = self.tokens(change);
        if !a.iter().any(|token| self.a.names(token)) || !b.iter().any(|token| self.b.names(token))
        {
            return false;
        }
        let before = self.a.tokens.get(..change.a.start).unwrap_or_default();
        let after = self.a.tokens.get(change.a.end);
        let word = |token: &Token| self.a.word(token).to_lowercase();
        // `GET` is a name.
        let is_verb = |token: &Token| token.kind != Kind::Name && table::VERBS.has(&word(token));
        let chosen = before
            .first()
            .is_some_and(|first| table::CHOOSING.has(&word(first)));
        if chosen || before.iter().any(is_verb) {
            return false;
        }
        // `GET /users` is one name, of which the end differs.
        let named = before.iter().rev();
        let mut nouns = named.skip_while(|token| matches!(token.kind, Kind::Name | Kind::Code));
        let kind = match nouns.next() {
            Some(noun) => word(noun),
            None => before.last().map(word).unwrap_or_default(),
        };
        // Whatever has a letter for a name is one of several.
        let letter = |one: &Statement<'_>, tokens: &[Token]| matches!(tokens, [token] if one.word(token).len() == 1);
        let apposed = table::APPOSED.has(&kind) || (letter(self.a, a) && letter(self.b, b));
        let joined = || {
            before
                .last()
                .is_some_and(|last| table::JOINING.has(&word(last)))
        };
        match apposed {
            true => after.is_some_and(is_verb) || self.is_one_phrase(before),
            false => {
                joined()
                    && (after.is_some_and(is_verb) || self.is_joined_to_subject(before, change))
            }
        }
    }

    /// Whether these words are one noun and what belongs to it: a second article without `of` in
    /// front of it is that of an object.
    fn is_one_phrase(&self, words: &[Token]) -> bool {
        let mut last = String::new();
        words.iter().enumerate().all(|(n, token)| {
            let word = self.a.word(token).to_lowercase();
            let article = table::ARTICLES.has(&word);
            let joins = table::JOINING.has(&word);
            let holds = match token.kind {
                Kind::Stop if article => n == 0 || last == "of",
                Kind::Stop => !joins || word == "of",
                _ => !joins,
            };
            last = word;
            holds
        })
    }

    /// Whether it is what an order tells to do something with: `open A` and `open B` are two steps.
    pub(super) fn is_step(&self, change: &Change) -> bool {
        let before = self.a.tokens.get(..change.a.start).unwrap_or_default();
        let word = |token: &Token| self.a.word(token).to_lowercase();
        let mut before = before.iter().rev();
        let verb = before.find(|token| !table::ARTICLES.has(&word(token)));
        verb.is_some_and(|verb| table::STEPS.has(&word(verb)))
    }

    /// Whether they are orders to do the same with two things.
    pub(super) fn is_another_step(&self) -> bool {
        self.changes.iter().any(|change| {
            let (a, b) = self.tokens(change);
            let (x, y) = (content_of(a), content_of(b));
            !x.is_empty() && !y.is_empty() && self.is_step(change) && !self.is_kin(&x, &y)
        })
    }

    /// Whether the clause in front of what differs says not to: of several things that are
    /// forbidden none contradicts another.
    pub(super) fn is_forbidden(&self, change: &Change) -> bool {
        let before = self.a.tokens.get(..change.a.start).unwrap_or_default();
        let word = |token: &Token| self.a.word(token).to_lowercase();
        let mut next = self.a.tokens.get(change.a.start);
        for token in before.iter().rev() {
            let between = next.and_then(|next| self.a.text.get(token.at.end..next.at.start));
            let parted = between.is_some_and(|signs| signs.contains([',', ';', ':', '(']));
            if parted || table::ENDS_CLAUSE.has(&word(token)) {
                return false;
            }
            if token.kind == Kind::Negation && !table::LACKS.has(&word(token)) {
                return true;
            }
            next = Some(token);
        }
        false
    }

    /// Whether it differs in when somebody does something: `before you deploy the gateway`. Both
    /// may hold, each then.
    pub(super) fn is_in_an_occasion(&self, change: &Change) -> bool {
        let before = self.a.tokens.get(..change.a.start).unwrap_or_default();
        let word = |token: &Token| self.a.word(token).to_lowercase();
        before.windows(2).any(|two| match two {
            [join, who] => table::OCCASIONS.has(&word(join)) && table::WHO.has(&word(who)),
            _ => false,
        })
    }

    /// Whether one tells how something was and the other how it is.
    pub(super) fn is_past(&self) -> bool {
        let has = |one: &Statement<'_>, tokens: &[Token], words: &table::Words| {
            let mut tokens = tokens.iter();
            tokens.any(|token| words.has(&one.word(token).to_lowercase()))
        };
        let verbs = self.changes.iter().any(|change| {
            let (a, b) = self.tokens(change);
            (has(self.a, a, &table::HELD) && has(self.b, b, &table::HOLDS))
                || (has(self.a, a, &table::HOLDS) && has(self.b, b, &table::HELD))
        });
        verbs || self.is_inflected()
    }

    /// Whether a verb that both have is one time in the past and the other in the present.
    fn is_inflected(&self) -> bool {
        let past = |one: &Statement<'_>, at: usize| {
            let token = one
                .tokens
                .get(at)
                .filter(|token| token.kind == Kind::Word)?;
            let word = one.word(token).to_lowercase();
            let before = one.tokens.get(at.checked_sub(1)?)?;
            // `is stored` holds now, and `the stored file` is no verb: a noun stands in front of it.
            let noun = before.kind.is_content() && !table::VERBS.has(one.word(before));
            (noun && !word.ends_with("ing")).then(|| table::is_past(&word))
        };
        let shared = self.shared.iter().copied().zip(self.twins.iter().copied());
        // What both spell alike is of one time.
        let shared = shared.filter(|(a, b)| {
            let (a, b) = (self.a.tokens.get(*a), self.b.tokens.get(*b));
            let words = (a.map(|a| self.a.word(a)), b.map(|b| self.b.word(b)));
            words.0 != words.1
        });
        let differ = |(a, b)| {
            let tenses = (past(self.a, a), past(self.b, b));
            matches!(tenses, (Some(a), Some(b)) if a != b)
        };
        // `time` and `timed` have another stem.
        let mut forms = self.changes.iter().filter(|change| {
            let (a, b) = self.tokens(change);
            (a.len(), b.len()) == (1, 1)
                && differ((change.a.start, change.b.start))
                && self.is_kin(a, b)
        });
        shared.into_iter().any(&differ) || forms.next().is_some()
    }

    /// Whether each names another thing in one place.
    pub(super) fn is_another_thing(&self, change: &Change) -> bool {
        let names = |one: &Statement<'_>, tokens: &[Token]| {
            let mut tokens = tokens.iter();
            tokens.any(|token| token.kind.is_number() || one.names(token))
        };
        let (a, b) = self.tokens(change);
        // Of a command that is spelled otherwise several words are.
        let words = matches!((a, b), ([a], [b]) if self.a.is_thing(a) && self.b.is_thing(b));
        words || (names(self.a, a) && names(self.b, b))
    }

    /// Whether each names another argument of a command, another file or another identifier: what
    /// stands in a code span is no wording.
    pub(super) fn is_another_span(&self, change: &Change) -> bool {
        let spans = |one: &Statement<'_>, tokens: &[Token]| -> Vec<String> {
            let spans = tokens.iter().filter(|token| one.is_code(token));
            let bare = |word: &str| {
                word.trim_start_matches("./")
                    .trim_end_matches("()")
                    .to_lowercase()
            };
            spans.map(|token| bare(one.word(token))).collect()
        };
        let (a, b) = self.tokens(change);
        let (x, y) = (spans(self.a, a), spans(self.b, b));
        !x.is_empty() && !y.is_empty() && x != y
    }

    /// Whether they record two things that happened: each has a number that the other has not.
    pub(super) fn is_another_record(&self) -> bool {
        let own = |one: &Statement<'_>, other: &Statement<'_>| {
            let said = |token: &Token| other.tokens.iter().any(|known| known.hash == token.hash);
            let mut numbers = one.tokens.iter().filter(|token| token.kind.is_number());
            numbers.any(|token| !said(token))
        };
        let records = self.a.is_record() && self.b.is_record();
        records && own(self.a, self.b) && own(self.b, self.a)
    }

    /// Whether they differ in a thing, each naming another in whatever place, or in the first of
    /// their words: two facts in one form.
    pub(super) fn names_another(&self) -> bool {
        let own = |one: &Statement<'_>, other: &Statement<'_>| -> Vec<Token> {
            let said = |token: &Token| other.tokens.iter().any(|known| known.hash == token.hash);
            let content = content_of(&one.tokens).into_iter();
            content.filter(|token| !said(token)).collect()
        };
        let (x, y) = (own(self.a, self.b), own(self.b, self.a));
        if x.is_empty() || y.is_empty() || self.is_kin(&x, &y) {
            return false;
        }
        let first = |one: &Statement<'_>, own: &[Token]| {
            let first = one.tokens.iter().find(|token| token.kind.is_content());
            first.is_some_and(|first| own.iter().any(|token| token.at == first.at))
        };
        let thing = |one: &Statement<'_>, own: &[Token]| {
            let mut own = own.iter();
            own.any(|token| token.kind.is_number() || one.is_thing(token))
        };
        (first(self.a, &x) && first(self.b, &y)) || (thing(self.a, &x) && thing(self.b, &y))
    }
}
