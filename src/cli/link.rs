//! `link`, `unlink`, `chapter` and `trace`: what memories have to do with each other.

use std::collections::VecDeque;

use serde_json::Value as Json;

use super::change::make;
use super::prelude::*;
use super::proposals::{answers, given_field, proposal, tell};
use crate::agent::extract::{read, wisdom_request};
use crate::app::links::{Neighbour, neighbours};
use crate::curate::differences::Proposal;
use crate::curate::link;
use crate::memory::edit::FieldEdit;
use crate::systems::rum::WISDOM;

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

pub fn link(ws: &Workspace, args: &Link, output: &mut Output) -> Result<u8> {
    make(ws, args.dry_run, output, &|memories| {
        let (from, to) = (ws.find(&args.from, memories)?, ws.find(&args.to, memories)?);
        link::link(from, field(from, &args.kind)?, &[to]).map_err(Error::wrong)
    })
}

pub fn unlink(ws: &Workspace, args: &Link, output: &mut Output) -> Result<u8> {
    make(ws, args.dry_run, output, &|memories| {
        let (from, to) = (ws.find(&args.from, memories)?, ws.find(&args.to, memories)?);
        let field = field(from, &args.kind)?;
        let index = link::place(from, field, to).ok_or_else(|| {
            Error::nothing(format!("{} has no link {field} to {}", from.id, to.id))
        })?;
        let field = field.to_owned();
        let edit = FieldEdit::RemoveItem { field, index };
        Ok(Change::edit(&from.id, vec![edit]))
    })
}

pub fn chapter(ws: &Workspace, args: &Chapter, output: &mut Output) -> Result<u8> {
    if args.ask || args.prompt_only || args.response.is_some() {
        return propose_wisdom(ws, args, output);
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
            let change = wisdom(memories, &chapters(memories, members))?;
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

/// The named chapters; if none is named, all of the first store with some.
fn chapters<'m>(memories: &'m [Arc<Memory>], named: Vec<&'m Memory>) -> Vec<&'m Memory> {
    if !named.is_empty() {
        return named;
    }
    let seen = |one: &&Memory| one.state == State::Active && one.hidden.is_none();
    let all = memories.iter().map(|one| &**one).filter(seen);
    let mut all = all.filter(|one| link::is_chapter(one)).collect_vec();
    let first = all.first().map(|one| one.id.store.clone());
    all.retain(|one| Some(&one.id.store) == first.as_ref());
    all
}

/// The wisdom of chapters by rule; none if it is there already.
fn wisdom(memories: &[Arc<Memory>], chapters: &[&Memory]) -> Result<Option<Change>> {
    let memories = memories.iter().map(|one| &**one).collect_vec();
    link::wisdom(&memories, chapters).map_err(Error::wrong)
}

fn propose_wisdom(ws: &Workspace, args: &Chapter, output: &mut Output) -> Result<u8> {
    let memories = ws.load();
    let named = args.ids.iter();
    let named = named.map(|typed| Ok(&**ws.find(typed, &memories)?));
    let chapters = chapters(&memories, named.collect::<Result<_>>()?);
    if wisdom(&memories, &chapters)?.is_none() {
        return Err(Error::nothing("wisdom of these chapters is there already"));
    }
    let own = memories.iter();
    let own = own.filter(|one| chapters.iter().any(|chapter| chapter.id == one.id));
    let own: Snapshot = Arc::new(own.cloned().collect());
    let budget = ws.settings.model.budget();
    let request = wisdom_request(&own, &ws.collection, ws.now, budget);
    let asked = (args.prompt_only, args.response.as_deref());
    let hint = "`chapter --wisdom` alone needs no model";
    let Some(answers) = answers(ws, asked, &[request], read, hint, output)? else {
        return Ok(exit::DONE);
    };
    let mut all = Vec::new();
    for (wishes, why) in answers {
        let Some(wish) = wishes.into_iter().next() else {
            let why = mask(why.as_deref().unwrap_or_default()).into_owned();
            return Err(Error::nothing(format!("nothing to propose: {why}")));
        };
        let given = wish.fields.iter();
        let given = given.filter_map(|(name, values)| given_field(name, values, &WISDOM));
        let lists = given.filter(|(spec, _)| spec.kind.is_list() && spec.role == Role::Plain);
        let lists = lists.map(|(spec, value)| (spec.name.to_owned(), json!(value)));
        let members = chapters.iter().map(|one| &*one.id.local).collect_vec();
        let rest = [
            ("type".to_owned(), json!("wisdom")),
            ("members".to_owned(), json!(members)),
            ("title".to_owned(), json!(mask(wish.content.trim()))),
        ];
        let Some(first) = chapters.first() else {
            break;
        };
        all.push(Proposal {
            fields: lists.chain(rest).collect(),
            from: Some("chapters".to_owned()),
            why: wish.reasoning.as_deref().map(|why| mask(why).into_owned()),
            confidence: wish.confidence,
            ..proposal(ws, "add", &first.id.store)
        });
    }
    tell(ws, &all, (args.dry_run, Format::Table), output)
}

const MOST: usize = 200;

#[derive(Debug, clap::Args)]
pub struct Trace {
    /// The memory that the trace begins at
    pub id: String,
    /// Links from the first memory to the last
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub depth: usize,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(&["table", "json", "quiet"]))]
    pub format: Format,
}

pub struct Node {
    pub memory: Arc<Memory>,
    pub steps: usize,
    /// The link that led here: its kind, and the memory before; none of the first.
    via: Option<(String, usize)>,
}

pub struct Walk {
    pub nodes: Vec<Node>,
    /// The links among them as JSON: `from`, `kind`, `to`.
    pub links: Vec<Json>,
}

impl Walk {
    /// Follows links of some kinds in either direction; none where it is cancelled.
    pub fn new(
        memories: &[Arc<Memory>],
        first: &Arc<Memory>,
        depth: usize,
        is_followed: impl Fn(&str) -> bool,
        is_cancelled: impl Fn() -> bool,
    ) -> Option<Self> {
        let (mut nodes, mut links) = (Vec::new(), Vec::new());
        let mut seen = HashSet::from([first.id.clone()]);
        let mut open = VecDeque::from([(0, Arc::clone(first), None)]);
        while let Some((steps, memory, via)) = open.pop_front() {
            if is_cancelled() {
                return None;
            }
            let id = memory.id.to_string();
            let all = neighbours(memories, &memory).into_iter();
            for Neighbour { kind, name, memory } in
                all.filter(|one| is_followed(one.kind.trim_start_matches("← ")))
            {
                let other = memory.map(|(id, _)| id);
                let shown = other.as_ref().map_or(name, ToString::to_string);
                let link = match kind.strip_prefix("← ") {
                    Some(kind) => json!({ "from": shown, "kind": kind, "to": id }),
                    None => json!({ "from": id, "kind": kind, "to": shown }),
                };
                if !links.contains(&link) {
                    links.push(link);
                }
                let Some(other) = other.filter(|_| steps < depth && seen.len() < MOST) else {
                    continue;
                };
                let next = memories.iter().find(|one| one.id == other);
                if let Some(next) = next.filter(|_| seen.insert(other)) {
                    open.push_back((steps + 1, Arc::clone(next), Some((kind, nodes.len()))));
                }
            }
            nodes.push(Node { memory, steps, via });
        }
        Some(Self { nodes, links })
    }

    pub fn json(&self) -> Json {
        let node = |node: &Node| {
            let id = node.memory.id.to_string();
            json!({ "id": id, "title": &*node.memory.title, "steps": node.steps })
        };
        let nodes = self.nodes.iter().map(node).collect_vec();
        json!({ "total_nodes": nodes.len(), "nodes": nodes, "links": self.links })
    }

    /// Prints the memories that hang on one, each under the memory that led to it.
    fn print(&self, before: Option<usize>, output: &mut Output) -> Result<()> {
        for (at, node) in self.nodes.iter().enumerate() {
            let via = node.via.as_ref();
            if via.map(|(_, at)| *at) == before {
                let kind = via.map_or("", |(kind, _)| kind);
                let (id, title) = (node.memory.id.to_string(), safe(&node.memory.title));
                let indent = "  ".repeat(node.steps);
                writeln!(output, "{indent}{kind:11} {}  {title}", safe(&id))?;
                self.print(Some(at), output)?;
            }
        }
        Ok(())
    }
}

/// Runs `memkeep trace`. RUM's traces go by causes alone.
pub fn trace(ws: &Workspace, args: &Trace, output: &mut Output) -> Result<u8> {
    let memories = ws.load();
    let first = ws.find(&args.id, &memories)?;
    let has_causes = first.schema.field("caused_by").is_some();
    let is_followed = |kind: &str| !has_causes || matches!(kind, "caused_by" | "led_to");
    let walk = Walk::new(&memories, first, args.depth, is_followed, || false);
    let walk = walk.ok_or_else(|| Error::nothing("the trace was cancelled"))?;
    match args.format {
        Format::Json => output.print_json(&walk.json())?,
        Format::Quiet => output.lines(walk.nodes.iter().map(|node| &node.memory.id))?,
        _ => walk.print(None, output)?,
    }
    Ok(exit::DONE)
}
