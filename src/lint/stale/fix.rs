//! The new path in place of the old one.

use std::borrow::Cow;

use super::beside::names;
use super::doubt::is_doubtful;
use super::extract::{How, Named, last};
use super::{Manner, Manners, Stale, extract};
use crate::lint::chars::quote;
use crate::lint::repository::History;
use crate::lint::{Fix, Look};
use crate::memory::edit::FieldEdit;
use crate::memory::{Fields, Role, Value};

/// What a module is called whose name is that of its folder.
const OF_FOLDER: &[&str] = &["index", "__init__", "mod"];

/// A path that is gone, and what to write in its place.
pub(super) struct Swap<'s> {
    stale: &'s Stale,
    /// Where it is now, from the root.
    now: &'s str,
    /// The same as it is written.
    new: String,
}

impl<'s> Swap<'s> {
    /// For what was at this path; nothing where it cannot be written as the old one was.
    pub fn of(history: &History, stale: &'s Stale, path: &str, now: &'s str) -> Option<Self> {
        let new = match stale.import {
            true => imported(path, &stale.written, now)?,
            false => shortened(history, path, &stale.written, now),
        };
        Some(Self { stale, now, new })
    }

    /// Whether one is to be written with the other: beside a new path the old one, its import or
    /// its folder would look like a word on the move, and be left.
    pub fn goes_with(&self, other: &Self) -> bool {
        let below = |path: &str, folder: &str| {
            let rest = path.strip_prefix(folder);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        below(self.now, other.now) || below(other.now, self.now)
    }

    /// What to write where the old path is written so; nothing where it is not the old path.
    fn written(&self, old: &str) -> Option<Cow<'_, str>> {
        let own = &*self.stale.written;
        if old == own {
            return Some(Cow::from(&self.new));
        }
        // As Windows writes it, in JSON with two signs for one, and as Python imports it.
        let sign = ["\\\\", "\\", "."]
            .into_iter()
            .find(|sign| old.contains(sign))?;
        let is_name = |part: &str| part.chars().all(|c| c.is_alphanumeric() || c == '_');
        let sound = sign != "." || (self.stale.import && self.new.split('/').all(is_name));
        (sound && old.replace(sign, "/") == own).then(|| self.new.replace('/', sign).into())
    }
}

/// The new path as short as the old one was written, where that still says which file it is.
fn shortened(history: &History, path: &str, written: &str, now: &str) -> String {
    let head = path.strip_suffix(written).unwrap_or_default();
    let short = now.strip_prefix(head).filter(|_| !head.is_empty());
    let one = |short: &&str| history.named(short).nth(1).is_none();
    short.filter(one).unwrap_or(now).to_owned()
}

/// The new path as code imports it, from the folder from which the old one was imported; nothing
/// where it is not below that folder.
fn imported(path: &str, written: &str, now: &str) -> Option<String> {
    let head = stem(path).strip_suffix(written)?;
    let new = stem(now).strip_prefix(head)?;
    let whole = head.is_empty() || head.ends_with('/');
    (whole && !new.is_empty()).then(|| new.to_owned())
}

/// What a file of code is imported as: its path without an ending, or its folder.
pub(super) fn stem(path: &str) -> &str {
    let ending = last(path).find('.').filter(|at| *at > 0);
    let length = ending.map_or(path.len(), |at| path.len() - last(path).len() + at);
    let stem = path.get(..length).unwrap_or(path);
    let folder = stem
        .rsplit_once('/')
        .filter(|(_, name)| OF_FOLDER.contains(name));
    folder.map_or(stem, |(folder, _)| folder)
}

/// The fix that writes the new path wherever the old one stands, with those that go with it.
pub(super) fn replace(
    look: &Look<'_>,
    history: &History,
    swap: &Swap<'_>,
    all: &[&Swap<'_>],
) -> Option<Fix> {
    let title = format!("name {} instead", quote(&swap.new));
    let edits = if look.memory.schema.in_rows() {
        of_row(look, history, all)
    } else {
        of_text(look, history, all)
    };
    let mut spots = all.iter().flat_map(|swap| &swap.stale.places);
    let doubtful = spots.any(|at| is_doubtful(look.text, at));
    (!edits.is_empty()).then(|| {
        let fix = look.edit(title, edits);
        Fix {
            safe: fix.safe && !doubtful,
            ..fix
        }
    })
}

fn of_text(look: &Look<'_>, history: &History, all: &[&Swap<'_>]) -> Vec<FieldEdit> {
    let items = all.iter().flat_map(|swap| {
        let items = swap.stale.items.iter();
        items.map(|(field, item)| FieldEdit::SetItem {
            field: field.to_string(),
            index: *item,
            value: Value::from(swap.new.as_str()),
        })
    });
    let mut edits: Vec<FieldEdit> = items.collect();
    let body = body(look, all);
    edits.extend(title(look, history, all, body.as_deref()));
    edits.extend(body.map(FieldEdit::Body));
    edits
}

/// The title with the new paths in it. One that is the beginning of the text stays that: it may
/// have been cut within a path.
fn title(
    look: &Look<'_>,
    history: &History,
    all: &[&Swap<'_>],
    body: Option<&str>,
) -> Option<FieldEdit> {
    let field = look.memory.schema.role(Role::Title)?.name;
    let title = look.memory.field(field)?.as_str()?;
    let own = all.iter().filter(|swap| swap.stale.title.is_some());
    let own: Vec<&Swap<'_>> = own.copied().collect();
    let new = written(title, history, &own);
    let begins = look.body().1.starts_with(title) && !title.is_empty();
    let cut = body.filter(|body| begins && !body.starts_with(new.as_deref().unwrap_or(title)));
    let cut = cut.map(|body| body.chars().take(title.chars().count()).collect());
    cut.or(new).map(|title: String| FieldEdit::Set {
        field: field.to_owned(),
        value: Value::from(title),
    })
}

/// The same where the text is drawn from fields. What the agent did stays as it was done, and what
/// follows from other fields follows.
fn of_row(look: &Look<'_>, history: &History, all: &[&Swap<'_>]) -> Vec<FieldEdit> {
    let schema = look.memory.schema;
    let own =
        |name: &str| schema.field(name).is_some() && !schema.is_fixed(name) && name != "actions";
    let inner: Fields = look.cx.texts.inner(look.memory);
    let mut edits = Vec::new();
    for (name, value) in look.memory.fields.iter().chain(inner.iter()) {
        let is_list = matches!(value, Value::List(_));
        for (index, item) in value.items().enumerate().filter(|_| own(name)) {
            let text = item.as_str().and_then(|text| written(text, history, all));
            let field = name.to_owned();
            edits.extend(text.map(Value::from).map(|value| match is_list {
                true => FieldEdit::SetItem {
                    field,
                    index,
                    value,
                },
                false => FieldEdit::Set { field, value },
            }));
        }
    }
    edits
}

/// A text with the new paths in it, but where it tells of the past; nothing where no old one stands
/// there alone.
fn written(text: &str, history: &History, all: &[&Swap<'_>]) -> Option<String> {
    let alone = |swap: &&&Swap<'_>| !names(text, &swap.stale.written, &swap.new, true);
    let all: Vec<&Swap<'_>> = all.iter().filter(alone).copied().collect();
    if all.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 64);
    let mut from = 0;
    let mut manners = Manners::of(text).within(history);
    let known = |path: &str| all.iter().any(|swap| path == &*swap.stale.written);
    extract::paths(text, &history.root, &known, &mut |named: Named<'_>| {
        let at = named.bytes.clone();
        let import = named.how == How::Import;
        let same =
            |swap: &&&Swap<'_>| named.path == *swap.stale.written && swap.stale.import == import;
        let old = text.get(at.clone()).unwrap_or_default();
        let new = all.iter().find(same).and_then(|swap| swap.written(old));
        let mut lives = || manners.manner(&at) == Manner::Directive;
        if let Some(new) = new
            && at.start >= from
            && lives()
        {
            out.push_str(text.get(from..at.start).unwrap_or_default());
            out.push_str(&new);
            from = at.end;
        }
    });
    out.push_str(text.get(from..)?);
    (from > 0).then_some(out)
}

/// The body with the new paths in it; nothing where one does not stand as it was read.
fn body(look: &Look<'_>, all: &[&Swap<'_>]) -> Option<String> {
    let (start, body) = look.body();
    let places = |swap| {
        let swap: &&Swap<'_> = swap;
        swap.stale.places.iter().map(move |place| (place, *swap))
    };
    let mut places: Vec<_> = all.iter().flat_map(places).collect();
    places.sort_by_key(|(place, _)| place.start);
    if places.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(body.len() + 64);
    let mut from = 0;
    for (place, swap) in places {
        let at = place.start.checked_sub(start)?..place.end.checked_sub(start)?;
        out.push_str(body.get(from..at.start)?);
        out.push_str(&swap.written(body.get(at.clone())?)?);
        from = at.end;
    }
    out.push_str(body.get(from..)?);
    Some(out)
}
