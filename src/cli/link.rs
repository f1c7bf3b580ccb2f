//! `link`, `unlink` and `chapter`: what memories have to do with each other.

use super::Output;
use super::args;
use super::change::make;
use super::error::Error;
use super::session::Session;
use crate::curate::Change;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Role, Value};

/// The field of a kind of link.
fn field(memory: &Memory, kind: &str) -> Result<&'static str, Error> {
    let fields = || memory.schema.roles(Role::Relations);
    let found = fields().find(|spec| spec.name == kind);
    let names: Vec<&str> = fields().map(|spec| spec.name).collect();
    let Some(found) = found else {
        let wrong = Error::wrong(format!(
            "{} memories have no link `{kind}`",
            memory.schema.format
        ));
        return Err(if names.is_empty() {
            wrong
        } else {
            wrong.hint(format!("one of {}", names.join(", ")))
        });
    };
    Ok(found.name)
}

/// Where a memory names another one in a field.
fn place(memory: &Memory, field: &str, other: &Memory) -> Option<usize> {
    let mut items = memory.field(field).into_iter().flat_map(Value::items);
    let bare = |name: &str| name.trim_end_matches(".md") == &*other.id.local;
    items.position(|item| item.as_str().is_some_and(bare))
}

/// Runs `memkeep link`.
pub fn link(session: &Session, args: &args::Link, output: &mut Output) -> Result<u8, Error> {
    make(session, args.dry_run, output, &|memories| {
        let (from, to) = (
            session.find(&args.from, memories)?,
            session.find(&args.to, memories)?,
        );
        let field = field(from, &args.kind)?;
        if from.id.store != to.id.store {
            return Err(Error::wrong("a link stays within a store"));
        }
        let add = FieldEdit::AddItem {
            field: field.to_owned(),
            item: Value::from(&*to.id.local),
        };
        let there = place(from, field, to).is_some();
        Ok(Change::Edit {
            ids: vec![from.id.clone()],
            edits: if there { Vec::new() } else { vec![add] },
        })
    })
}

/// Runs `memkeep unlink`.
pub fn unlink(session: &Session, args: &args::Link, output: &mut Output) -> Result<u8, Error> {
    make(session, args.dry_run, output, &|memories| {
        let (from, to) = (
            session.find(&args.from, memories)?,
            session.find(&args.to, memories)?,
        );
        let field = field(from, &args.kind)?;
        let index = place(from, field, to).ok_or_else(|| {
            Error::nothing(format!("{} has no link {field} to {}", from.id, to.id))
        })?;
        Ok(Change::Edit {
            ids: vec![from.id.clone()],
            edits: vec![FieldEdit::RemoveItem {
                field: field.to_owned(),
                index,
            }],
        })
    })
}

/// Runs `memkeep chapter`.
pub fn chapter(session: &Session, args: &args::Chapter, output: &mut Output) -> Result<u8, Error> {
    make(session, args.dry_run, output, &|memories| {
        let mut members = Vec::new();
        for typed in &args.ids {
            members.push(session.find(typed, memories)?);
        }
        let Some(first) = members.first() else {
            return Err(Error::wrong("a chapter is made of memories: name some"));
        };
        if members
            .iter()
            .any(|member| member.id.store != first.id.store)
        {
            return Err(Error::wrong("a chapter stays within a store"));
        }
        if first.schema.field("chapters").is_none() {
            let format = first.schema.format;
            return Err(Error::wrong(format!("{format} memories make no chapters")));
        }
        let shared = || {
            let mut tags = first.tags();
            let all = |tag: &str| {
                members
                    .iter()
                    .all(|member| member.tags().any(|own| own == tag))
            };
            tags.find(|tag| all(tag)).map(|tag| format!("Topic: {tag}"))
        };
        let title = args
            .title
            .clone()
            .or_else(shared)
            .unwrap_or_else(|| first.title.to_string());
        let names =
            |names: &mut dyn Iterator<Item = &str>| names.map(Value::from).collect::<Value>();
        Ok(Change::Add {
            store: Some(first.id.store.clone()),
            title,
            fields: vec![
                ("type".to_owned(), Value::from("chapter")),
                (
                    "members".to_owned(),
                    names(&mut members.iter().map(|member| &*member.id.local)),
                ),
                (
                    "tags".to_owned(),
                    names(&mut args.tags.iter().map(|tag| tag.trim())),
                ),
            ],
            body: args.summary.clone().unwrap_or_default(),
        })
    })
}
