//! From text to tokens, and from tokens to terms.

use std::ops::Range;

use super::field::{Test, all_has, marked};
use super::names::{self, Name, Subject};
use super::value::{Op, Wanted};
use super::{Group, QueryError, Term, What};
use crate::memory::Schema;
use crate::search::word::{AtomKind, Word};

/// A field's name is at most so long; what is longer is a word with a colon in it.
const LONGEST_NAME: usize = 40;

/// Reads a query into groups of alternatives, and says what of it is not finished.
pub(super) fn groups(
    text: &str,
    schemas: &[&'static Schema],
) -> Result<(Vec<Group>, Option<QueryError>), QueryError> {
    let mut groups: Vec<Vec<Term>> = Vec::new();
    let mut joined = false;
    let mut reader = Reader {
        schemas,
        unfinished: None,
    };
    for token in tokens(text) {
        if token.is_or() {
            // Before the first term there is nothing to join.
            joined = !groups.is_empty();
            continue;
        }
        let Some(term) = reader.term(&token)? else {
            reader.unfinished.get_or_insert_with(|| {
                let hint = Some("write a word after it".to_owned());
                QueryError::new(token.span, "nothing is asked for here".to_owned(), hint)
            });
            continue;
        };
        match groups.last_mut() {
            Some(group) if joined => group.push(term),
            _ => groups.push(vec![term]),
        }
        joined = false;
    }
    let groups = groups.into_iter().map(Vec::into_boxed_slice).collect();
    Ok((groups, reader.unfinished))
}

struct Reader<'a> {
    schemas: &'a [&'static Schema],
    /// The first term that asks for nothing yet.
    unfinished: Option<QueryError>,
}

impl Reader<'_> {
    /// Reads a token; nothing where it is not finished.
    fn term(&mut self, token: &Token) -> Result<Option<Term>, QueryError> {
        let (negative, chars) = match token.chars.split_first() {
            Some((first, rest)) if first.is('!') => (true, rest),
            _ => (false, &*token.chars),
        };
        let what = if token.quoted {
            Word::new(&text(chars), AtomKind::Substring).map(What::Word)
        } else {
            match self.split(chars) {
                Some((name, value)) => self.field(name, value, token)?.map(What::Field),
                None => plain_word(chars, negative).map(What::Word),
            }
        };
        Ok(what.map(|what| Term { negative, what }))
    }

    /// The name and the value of a token that asks about a field; nothing where the colon is
    /// part of a word, as in `http://host`, `a::b`, `12:30` or `C:\dir`.
    fn split<'t>(&self, chars: &'t [Char]) -> Option<(&'t [Char], &'t [Char])> {
        let colon = chars.iter().position(|c| c.is(':'))?;
        let (name, value) = chars.split_at_checked(colon)?;
        let value = value.get(1..)?;
        let is_letter = |c: &Char| !c.plain && (c.c.is_ascii_alphanumeric() || "_-".contains(c.c));
        let is_name = name.first()?.c.is_ascii_alphabetic()
            && name.len() <= LONGEST_NAME
            && name.iter().all(is_letter);
        let is_known = is_name && names::find(&text(name), self.schemas).is_some();
        let next = value.first().map(|c| c.c);
        match is_known {
            true => Some((name, value)),
            false if is_name && matches!(next, Some(':' | '/' | '\\')) => None,
            false if self.is_id(name) => Some((&[], chars)),
            false => is_name.then_some((name, value)),
        }
    }

    /// True if a token is an id as it is printed elsewhere: `rawko:auth`, `rawko@folder:auth`.
    fn is_id(&self, before_colon: &[Char]) -> bool {
        let store = text(before_colon);
        let format = store.split_once('@').map_or(&*store, |(format, _)| format);
        self.schemas.iter().any(|schema| schema.format == format)
    }

    fn field(
        &mut self,
        name: &[Char],
        value: &[Char],
        token: &Token,
    ) -> Result<Option<Test>, QueryError> {
        let typed = text(name);
        let Some(start) = name.first().map(|c| c.at) else {
            let wanted = Wanted::new(Op::Like, &text(value), false);
            return Ok(Some(Test::Of(Subject::Id, Box::new([wanted]))));
        };
        let Some(found) = names::find(&typed, self.schemas) else {
            let hint = names::hint(&typed, names::all(self.schemas));
            let at = start..start + typed.len();
            return Err(QueryError::new(at, format!("no field `{typed}`"), hint));
        };
        let values = values(value, token.span.end);
        let kinds = match found {
            Name::Of(subject) => names::kinds(subject, self.schemas),
            _ => Vec::new(),
        };
        if let Some(end) = unfinished(&values) {
            let error = names::unfinished(&typed, found, &kinds, start..end);
            self.unfinished.get_or_insert(error);
        }
        let test = match found {
            Name::Has => {
                let what = |typed: &str| format!("no rule or field `{typed}`");
                let marked: Vec<_> = marked().collect();
                let has = pick(&values, &all_has(self.schemas), &marked, what)?;
                (!has.is_empty()).then(|| Test::Has(has.into()))
            }
            Name::Is(count) => {
                let all = names::states(count).into_iter();
                let all: Vec<_> = all.map(|state| (state, state)).collect();
                let is = pick(&values, &all, &[], |typed| format!("no state `{typed}`"))?;
                (!is.is_empty()).then(|| Test::Is(is.into()))
            }
            Name::Of(subject) => {
                let mut wanted = Vec::new();
                for value in &values {
                    let one = value.wanted();
                    if one.text.is_empty() {
                        continue;
                    }
                    if !kinds.is_empty() && !kinds.iter().any(|kind| one.suits(*kind)) {
                        let at = value.span.clone();
                        return Err(names::unsuited(&typed, &one.text, &kinds, at));
                    }
                    wanted.push(one);
                }
                (!wanted.is_empty()).then(|| Test::Of(subject, wanted.into()))
            }
        };
        Ok(test)
    }
}

/// Picks the entries that the values name, exactly or by prefix, for a value may be half typed;
/// names in `wide` match only by prefix, together with the others that begin so.
fn pick<T: Copy>(
    values: &[OneValue<'_>],
    all: &[(&'static str, T)],
    wide: &[(&'static str, T)],
    message: impl Fn(&str) -> String,
) -> Result<Vec<T>, QueryError> {
    let mut found = Vec::new();
    for value in values {
        let typed = text(value.chars);
        let typed = typed.strip_suffix('*').unwrap_or(&typed);
        let begins = |(name, _): &&(&str, T)| {
            let head = name.get(..typed.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(typed))
        };
        let exact = all
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(typed));
        let picked: Vec<T> = match exact {
            _ if typed.is_empty() => continue,
            Some((_, what)) => vec![*what],
            None => {
                let begun = all.iter().chain(wide).filter(begins);
                begun.map(|(_, what)| *what).collect()
            }
        };
        if picked.is_empty() {
            let hint = names::hint(typed, all.iter().map(|(name, _)| *name));
            return Err(QueryError::new(value.span.clone(), message(typed), hint));
        }
        found.extend(picked);
    }
    Ok(found)
}

/// One of the values after the colon, with its place.
struct OneValue<'a> {
    chars: &'a [Char],
    span: Range<usize>,
}

/// The values after the colon, at whose commas they are parted.
fn values(chars: &[Char], end: usize) -> Vec<OneValue<'_>> {
    let mut values = Vec::new();
    let mut commas = chars.iter().filter(|c| c.is(',')).map(|comma| comma.at);
    for chars in chars.split(|c| c.is(',')) {
        let stop = commas.next().unwrap_or(end);
        let start = chars.first().map_or(stop, |c| c.at);
        values.push(OneValue {
            chars,
            span: start..stop,
        });
    }
    values
}

/// The end of the place that waits for a value: a sign with nothing after it, or nothing at all. A
/// comma may stand at the end.
fn unfinished(values: &[OneValue<'_>]) -> Option<usize> {
    let is_blank = |value: &&OneValue<'_>| value.wanted().text.is_empty();
    let all = values.iter().all(|value| is_blank(&value));
    let mut blank = values.iter().filter(is_blank);
    let found = blank.find(|value| all || !value.chars.is_empty());
    found.map(|value| value.span.end)
}

impl OneValue<'_> {
    fn wanted(&self) -> Wanted {
        let (op, rest) = match self.chars {
            [a, b, rest @ ..] if a.is('>') && b.is('=') => (Op::AtLeast, rest),
            [a, b, rest @ ..] if a.is('<') && b.is('=') => (Op::AtMost, rest),
            [a, rest @ ..] if a.is('>') => (Op::More, rest),
            [a, rest @ ..] if a.is('<') => (Op::Less, rest),
            [a, rest @ ..] if a.is('=') => (Op::Equal, rest),
            rest => (Op::Like, rest),
        };
        match rest {
            [head @ .., star] if star.is('*') && !op.orders() => Wanted::new(op, &text(head), true),
            _ => Wanted::new(op, &text(rest), false),
        }
    }
}

/// A word with its marks.
fn plain_word(chars: &[Char], negative: bool) -> Option<Word> {
    let (mut kind, mut chars) = match chars {
        [first, rest @ ..] if first.is('\'') => (AtomKind::Substring, rest),
        [first, rest @ ..] if first.is('^') => (AtomKind::Prefix, rest),
        // A fuzzy match would exclude far more than a person means to leave out.
        _ if negative => (AtomKind::Substring, chars),
        _ => (AtomKind::Fuzzy, chars),
    };
    if let [rest @ .., last] = chars
        && last.is('$')
    {
        chars = rest;
        kind = match kind {
            AtomKind::Prefix => AtomKind::Exact,
            _ => AtomKind::Postfix,
        };
    }
    Word::new(&text(chars), kind)
}

/// The text of some characters.
fn text(chars: &[Char]) -> String {
    chars.iter().map(|c| c.c).collect()
}

/// A character of a token.
#[derive(Clone, Copy, Debug)]
struct Char {
    c: char,
    /// Position in the query.
    at: usize,
    /// Escaped or quoted: it means itself.
    plain: bool,
}

impl Char {
    /// True if it is this mark of the language.
    const fn is(self, mark: char) -> bool {
        !self.plain && self.c == mark
    }
}

/// A token, and where it stands.
#[derive(Debug)]
struct Token {
    chars: Vec<Char>,
    span: Range<usize>,
    /// It begins with a quote (after `!`).
    quoted: bool,
}

/// What `\` makes a plain character of; before anything else it means itself.
const ESCAPED: &str = " \t\\:!'^$|\"*,<>=";

/// The tokens of a query. A quote that is not closed goes to the end.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some(&(start, c)) = chars.peek() {
        if c.is_whitespace() {
            chars.next();
            continue;
        }
        let mut token = Token {
            chars: Vec::new(),
            span: start..text.len(),
            quoted: false,
        };
        let mut inside = false;
        while let Some(&(at, c)) = chars.peek() {
            if c.is_whitespace() && !inside {
                token.span.end = at;
                break;
            }
            chars.next();
            if c == '\\'
                && let Some(&(_, next)) = chars.peek()
                && ESCAPED.contains(next)
            {
                chars.next();
                token.push(next, at, true);
            } else if c == '"' && (inside || token.may_quote()) {
                token.quoted |= !inside && token.chars.iter().all(|c| c.is('!'));
                inside = !inside;
            } else {
                token.push(c, at, inside);
            }
        }
        tokens.push(token);
    }
    tokens
}

impl Token {
    fn push(&mut self, c: char, at: usize, plain: bool) {
        self.chars.push(Char { c, at, plain });
    }

    /// True if a value or word can begin here: a quote elsewhere is a plain character (`5"`).
    fn may_quote(&self) -> bool {
        self.chars
            .last()
            .is_none_or(|last| !last.plain && "!':,=<>^".contains(last.c))
    }

    /// True if it is `|` alone.
    fn is_or(&self) -> bool {
        matches!(&*self.chars, [c] if c.is('|'))
    }
}
