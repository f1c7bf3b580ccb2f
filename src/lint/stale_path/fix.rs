//! The fix that writes the new path over the old one.

use std::ops::Range;

use super::Target;
use crate::lint::chars::{quote, replaced};
use crate::lint::cues::Cues;
use crate::lint::repository::{History, Meaning};
use crate::lint::{Fix, Subject};
use crate::memory::edit::FieldEdit;
use crate::memory::{Role, Value};
use crate::text::mentions::{last, paths};

/// Names of the file that stands for its folder where code imports it.
const OF_FOLDER: &[&str] = &["index", "__init__", "mod"];

/// A gone path, and the path to write over it.
pub(super) struct Rewrite<'t> {
    target: &'t Target,
    new: String,
}

impl<'t> Rewrite<'t> {
    /// Writes `now` over a target, as short as the old path was written.
    pub fn new(history: &History, target: &'t Target, now: &str) -> Option<Self> {
        let written = &*target.written;
        let path = match target.meaning {
            Meaning::File(at, _) => history.file(at),
            Meaning::Folder(at, _) => history.folder(at),
            Meaning::Present | Meaning::Unknown => return None,
        };
        // Code imports a file without its ending.
        let is_stem = matches!(target.meaning, Meaning::File(..)) && !path.ends_with(written);
        if is_stem && stem(path) == written {
            let new = stem(now).to_owned();
            return Some(Self { target, new });
        }
        let head = path.strip_suffix(written).unwrap_or_default();
        let short = now.strip_prefix(head).filter(|_| !head.is_empty());
        let is_one = |short: &&str| history.named(short).nth(1).is_none();
        let new = short.filter(is_one).unwrap_or(now).to_owned();
        Some(Self { target, new })
    }

    /// The new path in the place of the old one, in the signs that the old one was written in:
    /// behind the same root, and with the signs of Windows, which JSON writes twice.
    fn over(&self, old: &str) -> Option<String> {
        let sign = ["\\\\", "\\"].into_iter().find(|sign| old.contains(sign));
        let sign = sign.unwrap_or("/");
        let head = old.strip_suffix(&self.target.written.replace('/', sign))?;
        Some(format!("{head}{}", self.new.replace('/', sign)))
    }
}

fn stem(path: &str) -> &str {
    let ending = last(path).find('.').filter(|at| *at > 0);
    let length = ending.map_or(path.len(), |at| path.len() - last(path).len() + at);
    let stem = path.get(..length).unwrap_or(path);
    let folder = stem
        .rsplit_once('/')
        .filter(|(_, name)| OF_FOLDER.contains(name));
    folder.map_or(stem, |(folder, _)| folder)
}

/// The fix that makes these rewrites, which a person may review first.
pub(super) fn fix(subject: &Subject<'_>, rewrites: &[Rewrite<'_>]) -> Option<Fix> {
    let edits = match subject.memory.schema.in_rows() {
        true => of_row(subject, rewrites),
        false => of_text(subject, rewrites),
    };
    let first = rewrites.first().filter(|_| !edits.is_empty())?;
    let title = match rewrites.len() {
        1 => format!("name {} instead", quote(&first.new)),
        count => format!("name {} and {} more instead", quote(&first.new), count - 1),
    };
    Some(subject.edit(title, edits))
}

fn of_text(subject: &Subject<'_>, rewrites: &[Rewrite<'_>]) -> Vec<FieldEdit> {
    let items = rewrites.iter().flat_map(|rewrite| {
        let items = rewrite.target.items.iter();
        items.map(|(field, index)| FieldEdit::SetItem {
            field: field.to_string(),
            index: *index,
            value: Value::from(rewrite.new.as_str()),
        })
    });
    let mut edits: Vec<FieldEdit> = items.collect();
    let body = body(subject, rewrites);
    edits.extend(title(subject, rewrites, body.as_deref()));
    edits.extend(body.map(FieldEdit::Body));
    edits
}

/// The body with the new paths in it.
fn body(subject: &Subject<'_>, rewrites: &[Rewrite<'_>]) -> Option<String> {
    let (start, body) = subject.body();
    let spots = |rewrite| {
        let rewrite: &Rewrite<'_> = rewrite;
        rewrite.target.spots.iter().map(move |spot| (spot, rewrite))
    };
    let mut spots: Vec<_> = rewrites.iter().flat_map(spots).collect();
    spots.sort_by_key(|(spot, _)| spot.start);
    let new = spots.into_iter().map(|(spot, rewrite)| {
        let at = spot.start.checked_sub(start)?..spot.end.checked_sub(start)?;
        let new = rewrite.over(body.get(at.clone())?)?;
        Some((at, new))
    });
    let new = new.collect::<Option<Vec<_>>>()?;
    (!new.is_empty()).then(|| replaced(body, new))
}

/// The title with the new paths in it. A title that is the beginning of the text stays that.
fn title(subject: &Subject<'_>, rewrites: &[Rewrite<'_>], body: Option<&str>) -> Option<FieldEdit> {
    let field = subject.memory.schema.role(Role::Title)?.name;
    let title = subject.memory.field(field)?.as_str()?;
    let is_titled = rewrites.iter().any(|one| one.target.in_title);
    let new = rewritten(title, rewrites).filter(|_| is_titled);
    let begins = subject.body().1.starts_with(title) && !title.is_empty();
    let cut = body.filter(|body| begins && !body.starts_with(new.as_deref().unwrap_or(title)));
    let cut = cut.map(|body| body.chars().take(title.chars().count()).collect());
    cut.or(new).map(|title: String| FieldEdit::Set {
        field: field.to_owned(),
        value: Value::from(title),
    })
}

/// The same where the text is drawn from fields. The record of what an agent did stays as it is, and
/// fields that follow from others follow.
fn of_row(subject: &Subject<'_>, rewrites: &[Rewrite<'_>]) -> Vec<FieldEdit> {
    let schema = subject.memory.schema;
    let is_own =
        |name: &str| schema.field(name).is_some() && !schema.is_fixed(name) && name != "actions";
    let inner = subject.cx.texts.inner(subject.memory);
    let mut edits = Vec::new();
    for (name, value) in subject.memory.fields.iter().chain(inner.iter()) {
        for (index, item) in value.items().enumerate().filter(|_| is_own(name)) {
            edits.extend(renamed(item, rewrites).map(|value| FieldEdit::SetItem {
                field: name.to_owned(),
                index,
                value,
            }));
        }
    }
    edits
}

/// A value with the new paths in its texts; none where there are none.
fn renamed(value: &Value, rewrites: &[Rewrite<'_>]) -> Option<Value> {
    match value {
        Value::Text(text) => rewritten(text, rewrites).map(Value::from),
        Value::Map(fields) => {
            let own = |(name, value): (&str, &Value)| (name.to_owned(), renamed(value, rewrites));
            let new: Vec<_> = fields.iter().map(own).collect();
            let is_other = new.iter().any(|(_, new)| new.is_some());
            let both = new.into_iter().zip(fields.iter());
            let all =
                both.map(|((name, new), (_, old))| (name, new.unwrap_or_else(|| old.clone())));
            is_other.then(|| Value::Map(Box::new(all.collect())))
        }
        _ => None,
    }
}

/// A text with the new paths in it, except where a cue stands beside the old one.
fn rewritten(text: &str, rewrites: &[Rewrite<'_>]) -> Option<String> {
    let cues = Cues::new(text, "");
    let mut new: Vec<(Range<usize>, String)> = Vec::new();
    paths(text, &mut |mention| {
        let at = mention.bytes.clone();
        let same = |rewrite: &&Rewrite<'_>| {
            let head = mention.path.strip_suffix(&*rewrite.target.written);
            mention.is_absolute() && head.is_some_and(|head| head.ends_with('/'))
        };
        let exact = |rewrite: &&Rewrite<'_>| mention.path == *rewrite.target.written;
        let rewrite = rewrites.iter().find(exact);
        let rewrite = rewrite.or_else(|| rewrites.iter().find(same));
        let rewrite = rewrite.filter(|_| !mention.is_glob && cues.of_claim(&at).is_none());
        let over = rewrite.and_then(|rewrite| rewrite.over(text.get(at.clone())?));
        let is_behind = new.last().is_none_or(|(last, _)| at.start >= last.end);
        new.extend(over.filter(|_| is_behind).map(|over| (at, over)));
    });
    (!new.is_empty()).then(|| replaced(text, new))
}
