//! `link`, `unlink` and `chapter`: what memories have to do with each other.

mod wisdom;

use super::change::make;
use super::prelude::*;
use crate::curate::link;
use crate::memory::edit::FieldEdit;

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
    #[arg(required_unless_present_any = ["auto", "wisdom"], value_name = "ID")]
    pub ids: Vec<String>,
    /// A chapter of every tag that three memories share, and of every type of those without tags
    #[arg(long, conflicts_with_all = ["ids", "title", "summary", "tags"])]
    pub auto: bool,
    /// Wisdom of the named chapters, or of all: what recurs in them, their learnings and practices
    #[arg(long, conflicts_with_all = ["auto", "title", "summary", "tags"])]
    pub wisdom: bool,
    /// Propose what a model makes of the chapters
    #[arg(long, requires = "wisdom")]
    pub ask: bool,
    /// Print the request and send nothing
    #[arg(long, requires = "wisdom", conflicts_with = "ask")]
    pub prompt_only: bool,
    /// Take a model's answer from a file; `-` reads standard input
    #[arg(long, value_name = "FILE", requires = "wisdom", conflicts_with_all = ["ask", "prompt_only"])]
    pub response: Option<String>,
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
fn field(memory: &Memory, kind: &str) -> Result<&'static str> {
    let schema = memory.schema;
    let mut fields = schema.roles(Role::Relations).map(|spec| spec.name);
    fields.find(|name| *name == kind).ok_or_else(|| {
        // Links derived from other rows cannot be created.
        let made = schema.roles(Role::Relations).map(|spec| spec.name);
        let names: Vec<&str> = made.filter(|name| !schema.follows.contains(name)).collect();
        let wrong = Error::wrong(format!("{} memories have no link `{kind}`", schema.format));
        match names.is_empty() {
            true => wrong,
            false => wrong.hint(format!("one of {}", names.join(", "))),
        }
    })
}

/// Runs `memkeep link`.
pub fn link(ws: &Workspace, args: &Link, output: &mut Output) -> Result<u8> {
    make(ws, args.dry_run, output, &|memories| {
        let (from, to) = (ws.find(&args.from, memories)?, ws.find(&args.to, memories)?);
        link::link(from, field(from, &args.kind)?, &[to]).map_err(Error::wrong)
    })
}

/// Runs `memkeep unlink`.
pub fn unlink(ws: &Workspace, args: &Link, output: &mut Output) -> Result<u8> {
    make(ws, args.dry_run, output, &|memories| {
        let (from, to) = (ws.find(&args.from, memories)?, ws.find(&args.to, memories)?);
        let field = field(from, &args.kind)?;
        let index = link::place(from, field, to).ok_or_else(|| {
            Error::nothing(format!("{} has no link {field} to {}", from.id, to.id))
        })?;
        let field = field.to_owned();
        Ok(Change::edit(
            &from.id,
            vec![FieldEdit::RemoveItem { field, index }],
        ))
    })
}

/// Runs `memkeep chapter`.
pub fn chapter(ws: &Workspace, args: &Chapter, output: &mut Output) -> Result<u8> {
    if args.ask || args.prompt_only || args.response.is_some() {
        return wisdom::propose(ws, args, output);
    }
    make(ws, args.dry_run, output, &|memories| {
        if args.auto {
            let memories = memories.iter().map(|one| &**one).collect_vec();
            return Ok(Change::Together(link::auto_chapters(&memories)));
        }
        let members = args.ids.iter();
        let members = members.map(|typed| Ok(&**ws.find(typed, memories)?));
        let members: Vec<&Memory> = members.collect::<Result<_>>()?;
        if args.wisdom {
            let change = wisdom::change(memories, &wisdom::chapters(memories, members))?;
            return Ok(change.unwrap_or_else(|| Change::Together(Vec::new())));
        }
        let mut fields = link::chapter(&members).map_err(Error::wrong)?;
        let tags = args.tags.iter().map(|tag| tag.trim());
        fields.push(("tags", tags.map(Value::from).collect()));
        let titles = fields.extract_if(.., |(name, _)| *name == "title");
        let default = titles.map(|(_, title)| title.to_string()).next();
        let fields = fields.into_iter();
        let fields = fields.map(|(name, value)| (name.to_owned(), value));
        Ok(Change::Add {
            store: members.first().map(|first| first.id.store.clone()),
            title: args.title.clone().or(default).unwrap_or_default(),
            fields: fields.collect(),
            body: args.summary.clone().unwrap_or_default(),
        })
    })
}
