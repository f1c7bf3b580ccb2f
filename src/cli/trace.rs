//! `memkeep trace`: the memories that a memory's links lead to.

use std::collections::{HashSet, VecDeque};

use serde_json::Value as Json;

use super::prelude::*;
use crate::app::links::{Neighbour, neighbours};

/// Memories that a trace reaches at most.
const MOST: usize = 200;

/// Arguments of `trace`.
#[derive(Debug, clap::Args)]
pub struct Trace {
    /// The memory that the trace begins at
    pub id: String,
    /// Links from the first memory to the last
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub depth: usize,
    /// How to print
    #[arg(long, default_value = "table", value_parser = ["table", "json", "quiet"])]
    pub format: String,
}

/// A memory that a trace reached.
pub struct Node {
    /// The memory.
    pub memory: Arc<Memory>,
    /// Number of links from the first memory.
    pub steps: usize,
    /// The link that led here: its kind, and the memory before; none of the first.
    via: Option<(String, usize)>,
}

/// The memories and links of a trace.
pub struct Walk {
    /// The memories, nearest first.
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

    /// The trace as the contract's JSON.
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

/// Runs the command. RUM's traces go by causes alone.
pub fn run(ws: &Workspace, args: &Trace, output: &mut Output) -> Result<u8> {
    let memories = ws.load();
    let first = ws.find(&args.id, &memories)?;
    let has_causes = first.schema.field("caused_by").is_some();
    let is_followed = |kind: &str| !has_causes || matches!(kind, "caused_by" | "led_to");
    let walk = Walk::new(&memories, first, args.depth, is_followed, || false);
    let walk = walk.ok_or_else(|| Error::nothing("the trace was cancelled"))?;
    match &*args.format {
        "json" => output.print_json(&walk.json())?,
        "quiet" => output.lines(walk.nodes.iter().map(|node| &node.memory.id))?,
        _ => walk.print(None, output)?,
    }
    Ok(exit::DONE)
}
