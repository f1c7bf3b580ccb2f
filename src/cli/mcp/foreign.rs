//! The tools of RUM and of golemcore, answered in their shapes where such a store is open. Their
//! writes are proposals.
//!
//! RUM's `identity`, `list`, which needs one, `link`, `check_file`, `update_memory`, chapters, wisdom and `reset_all`, and
//! golemcore's `memory_expand_section`, are left out.

use serde_json::{Map, Value as Json};

use super::{View, lookups, proposing};
use crate::agent::mcp::{Arguments, Call};
use crate::cli::prelude::*;
use crate::retrieval::{Limits, Options, Task};
use crate::workspace::preview::policy_named;

struct Foreign<'v> {
    view: &'v View,
    store: &'v dyn Store,
    asked: Arguments,
}

impl<'v> Foreign<'v> {
    fn new(view: &'v View, format: &str, asked: Arguments) -> Result<Self> {
        let mut stores = view.ws.collection.stores.iter();
        let found = stores.find(|store| store.info().format() == format);
        let none = || Error::nothing(format!("no {format} store is open"));
        Ok(Self {
            view,
            store: found.ok_or_else(none)?,
            asked,
        })
    }

    fn find(&self, local: &str) -> Result<&'v Arc<Memory>> {
        self.view.find(&format!("{}:{local}", self.store.info().id))
    }

    fn propose(&self, tool: &str, asked: &Json, call: &Call) -> Result<Json> {
        let mut asked = Arguments(asked.as_object().cloned().unwrap_or_default());
        let store = json!(&*self.store.info().id.0);
        asked.0.insert("store".to_owned(), store);
        proposing::propose(self.view, tool, &asked, call)
    }
}

pub fn rum(view: &View, tool: &str, asked: Arguments, call: &Call) -> Result<Json> {
    let rum = Foreign::new(view, "rum", asked)?;
    match tool {
        "recall" => rum.recall(),
        "trace" => rum.trace(),
        "store" => rum.propose("memory_add", &rum.finished_work(), call),
        _ => {
            let id = rum.asked.text("memory_id").unwrap_or_default();
            let id = rum.find(id)?.id.to_string();
            rum.propose("memory_forget", &json!({ "id": id }), call)
        }
    }
}

impl Foreign<'_> {
    /// The memories that RUM would recall, as it returns them, and the tokens that it counts for
    /// them. An id takes the place of the one that is asked for.
    fn recalled(&self, id: Option<&str>, max: usize) -> Result<(Vec<Json>, usize)> {
        let (view, asked) = (self.view, &self.asked);
        let mut options = Options::default();
        for (name, value) in &asked.0 {
            let text = value.as_str().map(str::to_owned);
            match (&**name, text.unwrap_or_else(|| value.to_string())) {
                ("memory_id", id) => options.set("id", id),
                ("task_type", kind) => options.set("type", kind),
                ("success_only" | "failures_only", text) if text == "true" => {
                    options.set("success", (*name == "success_only").to_string());
                }
                ("include_links", text) => options.set("links", text),
                (name, text) => options.set(name.replace('_', "-"), text),
            }
        }
        if let Some(id) = id {
            options.set("id", id);
        }
        let task = Task {
            files: asked.text("file").into_iter().map(str::to_owned).collect(),
            now: view.ws.now,
            ..Task::default()
        };
        let limits = Limits {
            dialect: "rum",
            max: Some(max),
            options,
            ..Limits::default()
        };
        let by = (policy_named("rum")?, &limits);
        let of = view.ws.preview_store(self.store, &task, by, &view.memories);
        let tokens = of.preview.selected.iter().map(|one| one.tokens).sum();
        let memories = serde_json::from_str(&of.preview.prompt).unwrap_or_default();
        Ok((memories, tokens))
    }

    fn recall(&self) -> Result<Json> {
        let (found, tokens) = self.recalled(None, self.asked.number("limit").unwrap_or(5))?;
        let (way, sure) = match (self.asked.text("memory_id"), self.asked.text("file")) {
            (None, None) => ("query", 0.9),
            (None, _) => ("file", 0.95),
            _ => ("direct", 1.0),
        };
        Ok(json!({
            "query_strategy_used": way,
            "confidence": if found.is_empty() { 0.0 } else { sure },
            "total_matches": found.len(),
            "token_estimate": tokens,
            "memories": found,
        }))
    }

    /// Causes, then effects, each memory once, depth first as RUM walks them.
    fn trace(&self) -> Result<Json> {
        let shown = |one: &Memory| Ok::<_, Error>(self.recalled(Some(&one.id.local), 1)?.0.pop());
        let first = self.find(self.asked.text("memory_id").unwrap_or_default())?;
        let most = self.asked.number("max_depth").unwrap_or(3);
        let direction = self.asked.text("direction").unwrap_or("both");
        let (mut chain, mut seen) = (Vec::new(), HashSet::from([&first.id]));
        for (way, other) in [("caused_by", "effects"), ("led_to", "causes")] {
            let mut open = vec![(first, 0)];
            while let Some((memory, distance)) = open.pop().filter(|_| direction != other) {
                if distance > 0 {
                    if !seen.insert(&memory.id) {
                        continue;
                    }
                    let memory = shown(memory)?;
                    let one = json!({"memory": memory, "relationship": way, "distance": distance});
                    chain.push(one);
                }
                let names = memory.field(way).into_iter().flat_map(Value::items);
                let names = names.filter_map(Value::as_str).filter(|_| distance < most);
                let next = names.filter_map(|name| Some((self.find(name).ok()?, distance + 1)));
                open.extend(next.collect_vec().into_iter().rev());
            }
        }
        Ok(json!({"origin": shown(first)?, "total_nodes": chain.len() + 1, "chain": chain}))
    }

    /// A memory of finished work: the layers of RUM's `store` hold its fields.
    fn finished_work(&self) -> Json {
        let mut fields = Map::new();
        for (name, value) in self.asked.0.clone() {
            match value {
                Json::Object(layer) => fields.extend(layer),
                value => fields.extend([(name, value)]),
            }
        }
        json!({ "title": fields.remove("goal"), "fields": fields })
    }
}

pub fn golemcore(view: &View, asked: Arguments, call: &Call) -> Result<Json> {
    let bot = Foreign::new(view, "golemcore", asked)?;
    let named = bot.asked.text("id").map(|id| bot.find(id)).transpose()?;
    let operation = bot.asked.text("operation").unwrap_or_default();
    if matches!(operation, "memory_search" | "memory_read") {
        let usual = if operation == "memory_read" { 1 } else { 8 };
        let query = bot.asked.text("query").unwrap_or_default();
        let places = lookups::found(view, query, usize::MAX).0;
        let found = places.into_iter().filter_map(|at| view.memories.get(at));
        let found = found.filter(|one| named.is_none() && one.id.store == bot.store.info().id);
        let limit = bot.asked.number("limit").unwrap_or(usual);
        let found = named.into_iter().chain(found).take(limit);
        return Ok(json!({ "items": found.map(|one| item(view, one)).collect_vec() }));
    }
    let mut fields = bot.asked.0.clone();
    fields.retain(|name, _| {
        let is_other = ["operation", "id", "query", "limit", "title", "content"];
        !is_other.contains(&&**name)
    });
    for value in fields.values_mut() {
        if let Json::String(word) = value {
            *word = word.to_uppercase();
        }
    }
    let id = named.map(|one| one.id.to_string());
    let (title, body) = (bot.asked.text("title"), bot.asked.text("content"));
    let asked = json!({ "id": id, "title": title, "body": body, "fields": fields });
    bot.propose(operation, &asked, call)
}

fn item(view: &View, memory: &Memory) -> Json {
    let word = |name| Some(memory.field(name)?.as_str()?.to_lowercase());
    json!({
        "id": &*memory.id.local,
        "fingerprint": memory.field("fingerprint"),
        "layer": word("layer"),
        "type": word("type"),
        "title": &*memory.title,
        "content": view.ws.body(memory),
        "tags": memory.tags().collect_vec(),
    })
}
