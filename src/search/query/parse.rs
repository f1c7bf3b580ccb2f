//! From tokens to terms.

use std::ops::Range;

use super::field::{Has, Is, Test};
use super::hint;
use super::lex::{Char, Token, tokens};
use super::names::{self, Name, RULES, RuleSet, Subject};
use super::value::{Op, Wanted};
use super::{Group, QueryError, Term, What};
use crate::memory::schema::Kind;
use crate::memory::{Role, Schema};
use crate::search::word::{self, Word};

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
            reader.unfinished.get_or_insert_with(|| QueryError {
                span: token.span.clone(),
                message: "nothing is asked for here".to_owned(),
                hint: Some("write a word after it".to_owned()),
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
            Word::new(&text(chars), word::Kind::Exact).map(What::Word)
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
        let named = name.first()?.c.is_ascii_alphabetic()
            && name.len() <= LONGEST_NAME
            && name
                .iter()
                .all(|c| !c.plain && (c.c.is_ascii_alphanumeric() || "_-".contains(c.c)));
        if !named {
            return self.is_id(name).then_some((&[], chars));
        }
        let known = names::find(&text(name), self.schemas).is_some();
        let next = value.first().map(|c| c.c);
        if !known && (next == Some(':') || next == Some('/') || next == Some('\\')) {
            return None;
        }
        if !known && self.is_id(name) {
            return Some((&[], chars));
        }
        Some((name, value))
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
        if name.is_empty() {
            let wanted = Wanted::new(Op::Like, &text(value), false);
            return Ok(Some(Test::Of(Subject::Id, Box::new([wanted]))));
        }
        let typed = text(name);
        let Some(found) = names::find(&typed, self.schemas) else {
            let start = name.first().map_or(token.span.start, |c| c.at);
            return Err(QueryError {
                span: start..start + typed.len(),
                message: format!("no field `{typed}`"),
                hint: names::hint(&typed, names::all(self.schemas)),
            });
        };
        let values = Values::new(value, token.span.end);
        let kinds = match &found {
            Name::Of(subject) => kinds(subject, self.schemas),
            _ => Vec::new(),
        };
        if let Some(span) = values.unfinished() {
            let start = name.first().map_or(span.start, |c| c.at);
            let error = hint::unfinished(&typed, &found, &kinds, start..span.end);
            self.unfinished.get_or_insert(error);
        }
        let subject = match found {
            Name::Has => return self.has(&values),
            Name::State => return is(&values, &Is::STATES),
            Name::Is => return is(&values, &Is::ALL),
            Name::Of(subject) => subject,
        };
        let mut wanted = Vec::new();
        for value in &values.0 {
            let one = value.wanted();
            if one.text.is_empty() {
                continue;
            }
            if !kinds.is_empty() && !kinds.iter().any(|kind| one.suits(*kind)) {
                return Err(hint::unsuited(&typed, &one, &kinds, value.span.clone()));
            }
            wanted.push(one);
        }
        Ok((!wanted.is_empty()).then(|| Test::Of(subject, wanted.into())))
    }

    fn has(&self, values: &Values) -> Result<Option<Test>, QueryError> {
        let all = all_has(self.schemas);
        let marked: Vec<(&str, Has)> = marked().collect();
        let what = |typed: &str| format!("no rule or field `{typed}`");
        let found = pick(values, &all, &marked, what)?;
        Ok((!found.is_empty()).then(|| Test::Has(found.into())))
    }
}

/// The kinds of field this is in the formats; none where no format has it.
pub(super) fn kinds(subject: &Subject, schemas: &[&'static Schema]) -> Vec<Kind> {
    let schemas = schemas.iter();
    match subject {
        Subject::Created | Subject::Updated | Subject::Expires => vec![Kind::Date],
        Subject::Role(role) => schemas
            .filter_map(|schema| Some(schema.role(*role)?.kind))
            .collect(),
        Subject::Field(name) => schemas
            .flat_map(|schema| schema.fields)
            .filter(|spec| spec.name.eq_ignore_ascii_case(name))
            .map(|spec| spec.kind)
            .collect(),
        Subject::Store | Subject::Id | Subject::Path | Subject::Title | Subject::Text => {
            vec![Kind::Text]
        }
    }
}

/// Returns the values of `has:`, each with its word.
pub(super) fn all_has(schemas: &[&'static Schema]) -> Vec<(&'static str, Has)> {
    let mut all = vec![("finding", Has::Finding), ("body", Has::Body)];
    all.extend(
        RULES
            .iter()
            .map(|rule| (*rule, Has::Rule(RuleSet::of(rule)))),
    );
    let roles = [
        ("tags", Role::Tags),
        ("type", Role::Type),
        ("importance", Role::Importance),
        ("author", Role::Author),
        ("title", Role::Title),
    ];
    all.extend(roles.map(|(name, role)| (name, Has::Role(role))));
    all.extend([
        ("created", Has::Created),
        ("updated", Has::Updated),
        ("expires", Has::Expires),
    ]);
    all.extend(names::fields(schemas).map(|name| (name, Has::Field(name))));
    all
}

fn is(values: &Values, all: &[(&'static str, Is)]) -> Result<Option<Test>, QueryError> {
    let found = pick(values, all, &[], |typed| format!("no state `{typed}`"));
    let found = found.map_err(|error| hint::meant_state(error, all))?;
    Ok((!found.is_empty()).then(|| Test::Is(found.into())))
}

/// Returns the names of the list's marks, each with the rules it stands for.
pub(super) fn marked() -> impl Iterator<Item = (&'static str, Has)> {
    let marked = names::MARKED.iter();
    marked.map(|(_, name, rules)| (*name, Has::Rule(RuleSet::of_all(rules))))
}

/// Picks the entries that the values name, exactly or by prefix, for a value may be half typed;
/// names in `wide` match only by prefix, together with the others that begin so.
fn pick<T: Clone>(
    values: &Values,
    all: &[(&'static str, T)],
    wide: &[(&'static str, T)],
    message: impl Fn(&str) -> String,
) -> Result<Vec<T>, QueryError> {
    let mut found = Vec::new();
    for value in &values.0 {
        let typed = text(value.chars);
        let typed = typed.strip_suffix('*').unwrap_or(&typed);
        if typed.is_empty() {
            continue;
        }
        if let Some((_, what)) = all
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(typed))
        {
            found.push(what.clone());
            continue;
        }
        let begins = |name: &str| {
            let head = name.get(..typed.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(typed))
        };
        let before = found.len();
        found.extend(
            all.iter()
                .chain(wide)
                .filter(|(name, _)| begins(name))
                .map(|(_, what)| what.clone()),
        );
        if found.len() == before {
            return Err(QueryError {
                span: value.span.clone(),
                message: message(typed),
                hint: names::hint(typed, all.iter().map(|(name, _)| *name)),
            });
        }
    }
    Ok(found)
}

/// The values after the colon, with their places.
struct Values<'a>(Vec<OneValue<'a>>);

struct OneValue<'a> {
    chars: &'a [Char],
    span: Range<usize>,
}

impl<'a> Values<'a> {
    fn new(chars: &'a [Char], end: usize) -> Self {
        let mut values = Vec::new();
        let mut rest = chars;
        loop {
            let comma = rest.iter().position(|c| c.is(','));
            let (chars, after) = match comma.and_then(|at| rest.split_at_checked(at)) {
                Some((chars, after)) => (chars, after.split_first()),
                None => (rest, None),
            };
            let start = chars.first().map_or(end, |c| c.at);
            let stop = after.map_or(end, |(comma, _)| comma.at);
            values.push(OneValue {
                chars,
                span: start.min(stop)..stop,
            });
            match after {
                Some((_, after)) => rest = after,
                None => return Self(values),
            }
        }
    }

    /// The place that waits for a value: a sign with nothing after it, or nothing at all. A comma
    /// may stand at the end.
    fn unfinished(&self) -> Option<Range<usize>> {
        let all = self.0.iter().all(OneValue::is_blank);
        let mut blank = self.0.iter().filter(|value| value.is_blank());
        let found = blank.find(|value| all || !value.chars.is_empty());
        found.map(|value| value.span.clone())
    }
}

impl OneValue<'_> {
    /// True if nothing stands after its sign.
    fn is_blank(&self) -> bool {
        self.wanted().text.is_empty()
    }

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
    let (mut kind, chars) = match chars.split_first() {
        Some((first, rest)) if first.is('\'') => (word::Kind::Exact, rest),
        Some((first, rest)) if first.is('^') => (word::Kind::Prefix, rest),
        // A fuzzy match would exclude far more than a person means to leave out.
        _ if negative => (word::Kind::Exact, chars),
        _ => (word::Kind::Fuzzy, chars),
    };
    let chars = match chars.split_last() {
        Some((last, rest)) if last.is('$') => {
            kind = match kind {
                word::Kind::Prefix => word::Kind::Whole,
                _ => word::Kind::Suffix,
            };
            rest
        }
        _ => chars,
    };
    Word::new(&text(chars), kind)
}

fn text(chars: &[Char]) -> String {
    chars.iter().map(|c| c.c).collect()
}
