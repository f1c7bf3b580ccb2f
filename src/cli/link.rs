//! `link`, `unlink` and `chapter`: what memories have to do with each other.

use super::Output;
use super::change::make;
use super::error::Error;
use crate::curate::{Change, link};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Role, Value};
use crate::workspace::Workspace;

/// Arguments of `link` and `unlink`.
#[derive(Debug, clap::Args)]
pub struct Link {
    /// The memory that the link begins at
    #[arg(value_name = "ID")]
    pub from: String,
    /// Kind of link: a field of the format, e.g. caused_by
    #[arg(value_name = "TYPE")]
    pub kind: String,
    /// The memory that it leads to
    #[arg(value_name = "ID")]
    pub to: String,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `chapter`.
#[derive(Debug, clap::Args)]
pub struct Chapter {
    /// Its memories, in their order
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
    /// Title of the chapter [default: the tag that they share, else the goal of the first]
    #[arg(long, allow_hyphen_values = true)]
    pub title: Option<String>,
    /// Their common summary [default: their goals and outcomes]
    #[arg(long, allow_hyphen_values = true)]
    pub summary: Option<String>,
    /// The tags
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub tags: Vec<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// The field of a kind of link.
fn field(memory: &Memory, kind: &str) -> Result<&'static str, Error> {
    let fields = || memory.schema.roles(Role::Relations);
    let found = fields().find(|spec| spec.name == kind);
    // Links derived from other rows cannot be created.
    let made = fields().filter(|spec| !memory.schema.follows.contains(&spec.name));
    let names: Vec<&str> = made.map(|spec| spec.name).collect();
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

/// Runs `memkeep link`.
pub fn link(ws: &Workspace, args: &Link, output: &mut Output) -> Result<u8, Error> {
    make(ws, args.dry_run, output, &|memories| {
        let (from, to) = (ws.find(&args.from, memories)?, ws.find(&args.to, memories)?);
        let field = field(from, &args.kind)?;
        link::link(from, field, &[to]).map_err(Error::wrong)
    })
}

/// Runs `memkeep unlink`.
pub fn unlink(ws: &Workspace, args: &Link, output: &mut Output) -> Result<u8, Error> {
    make(ws, args.dry_run, output, &|memories| {
        let (from, to) = (ws.find(&args.from, memories)?, ws.find(&args.to, memories)?);
        let field = field(from, &args.kind)?;
        let index = link::place(from, field, to).ok_or_else(|| {
            Error::nothing(format!("{} has no link {field} to {}", from.id, to.id))
        })?;
        Ok(Change::Edit {
            seen: Vec::new(),
            ids: vec![from.id.clone()],
            edits: vec![FieldEdit::RemoveItem {
                field: field.to_owned(),
                index,
            }],
        })
    })
}

/// Runs `memkeep chapter`.
pub fn chapter(ws: &Workspace, args: &Chapter, output: &mut Output) -> Result<u8, Error> {
    make(ws, args.dry_run, output, &|memories| {
        let mut members: Vec<&Memory> = Vec::new();
        for typed in &args.ids {
            members.push(ws.find(typed, memories)?);
        }
        let mut fields = link::chapter(&members).map_err(Error::wrong)?;
        let tags = args.tags.iter().map(|tag| tag.trim());
        fields.push(("tags", tags.map(Value::from).collect()));
        let default = fields.iter().find(|(name, _)| *name == "title");
        let default = default.map(|(_, title)| title.to_string());
        fields.retain(|(name, _)| *name != "title");
        Ok(Change::Add {
            store: members.first().map(|first| first.id.store.clone()),
            title: args.title.clone().or(default).unwrap_or_default(),
            fields: owned(fields),
            body: args.summary.clone().unwrap_or_default(),
        })
    })
}

fn owned(fields: Vec<(&'static str, Value)>) -> Vec<(String, Value)> {
    let owned = fields.into_iter();
    owned
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}
