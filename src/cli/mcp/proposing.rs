//! The tools that want a change: each becomes a proposal, or a step that `memkeep undo` takes back
//! where the person's configuration opens the store.

use serde_json::{Map, Value as Json};

use super::{View, lookups};
use crate::agent::hook::harmless;
use crate::agent::mcp::{Arguments, Call};
use crate::cli::add::{self, Given};
use crate::cli::edit::{no_field, typed};
use crate::cli::prelude::*;
use crate::cli::proposals::proposal;
use crate::config::Agents;
use crate::curate::differences::Proposal;
use crate::memory::Schema;
use crate::store::files::real;
use crate::store::queue::proposals;
use crate::workspace::handout::warning_of;
use crate::workspace::settings;

pub fn propose(view: &View, tool: &str, asked: &Arguments, call: &Call) -> Result<Json> {
    let ws = &view.ws;
    ws.may_write()?;
    let action = match tool {
        "memory_add" => "add",
        "memory_update" => "edit",
        "memory_promote" => "promote",
        "memory_forget" => "forget",
        other => {
            return Err(Error::wrong(format!(
                "there is no operation `{}`",
                safe(other)
            )));
        }
    };
    let memory = match action {
        "add" => None,
        _ => Some(view.asked(asked)?),
    };
    let store = match (memory, asked.text("store")) {
        (Some(memory), _) => ws.collection.store_of(&memory.id),
        (None, None) => ws.collection.receivers().next(),
        (None, name) => lookups::stores(view, name)?.first().copied(),
    };
    let store = store.ok_or_else(|| Error::nothing("there is no store to add to"))?;
    let text = |name| asked.text(name).map(str::to_owned);
    let body = text("body").or_else(|| text("content"));
    let schema = memory.map_or(store.schema(), |memory| memory.schema);
    let given = given(asked, schema)?;
    let fields = match memory {
        None => {
            let body = body.as_deref().unwrap_or_default();
            let title = add::title(asked.text("title"), schema, body)?;
            add::proposed(ws, (&[], None), given, schema, title)
        }
        Some(_) => changed_fields(asked, given, schema),
    };
    if action == "edit" && fields.is_empty() && body.is_none() {
        let what = "nothing is to change: give title, body or fields";
        return Err(Error::wrong(what));
    }
    let id = memory.map(|memory| memory.id.clone());
    let proposal = Proposal {
        id: id.as_ref().map(ToString::to_string),
        fields,
        body,
        by: call.client.clone(),
        from: Some("mcp".to_owned()),
        task: text("task"),
        why: text("why"),
        confidence: asked.0.get("confidence").and_then(Json::as_f64),
        ..proposal(ws, action, &store.info().id)
    };
    let change = |sure| proposals::change(store, &proposal, id.clone(), sure);
    let plan = |sure| ws.collection.plan(&change(sure), &view.all, ws.now);
    plan(true)?;
    // What the system itself would not do, a person decides on.
    let is_done = is_open(ws, store) && is_harmless(&proposal) && plan(false).is_ok();
    let (status, file, message) = if is_done {
        let done = ws.collection.change(&change(false), &view.all, ws.now)?;
        ("written", None, done.title)
    } else {
        let file = ws.collection.shown(&ws.collection.propose(&proposal)?);
        let message = format!("proposed in {file}: a person keeps or rejects it");
        ("waiting", Some(file), message)
    };
    Ok(json!({
        "status": status,
        "action": proposal.action,
        "store": proposal.store,
        "id": proposal.id,
        "proposal": file,
        "message": message,
    }))
}

type Fields = Map<String, Json>;

/// The fields that are given, with values that `memkeep edit` would take.
fn given(asked: &Arguments, schema: &'static Schema) -> Result<Vec<Given>> {
    let one = |(name, value): (&String, &Json)| {
        let spec = schema.field(name).ok_or_else(|| no_field(schema, name))?;
        let value = match value {
            Json::String(text) => typed(Some(spec), text)?,
            Json::Number(_) | Json::Bool(_) => typed(Some(spec), &value.to_string())?,
            value => Value::from(value.clone()),
        };
        Ok((spec, value))
    };
    let fields = asked.0.get("fields").and_then(Json::as_object);
    fields.into_iter().flatten().map(one).collect()
}

fn changed_fields(asked: &Arguments, given: Vec<Given>, schema: &'static Schema) -> Fields {
    let title = schema.role(Role::Title).map_or("title", |spec| spec.name);
    let title = asked.text("title").map(|text| (title, text.into()));
    let given = given.into_iter();
    let given = given.map(|(spec, value)| (spec.name, json!(value)));
    let fields = given
        .chain(title)
        .map(|(name, value)| (name.to_owned(), value));
    fields.collect()
}

fn is_open(ws: &Workspace, store: &dyn Store) -> bool {
    let own = real(&store.info().path);
    let places = settings::stores(&ws.settings, &ws.collection.root);
    let mut named = ws.settings.stores.iter().zip(places);
    let named = named.find(|(_, place)| own.starts_with(real(&place.path)));
    let agents = named.and_then(|(setting, _)| setting.agents);
    agents.or(ws.settings.agents) == Some(Agents::Write)
}

/// True if no text of a proposal holds a secret or warns agents.
fn is_harmless(proposal: &Proposal) -> bool {
    let fields = Json::Object(proposal.fields.clone()).to_string();
    let texts = [proposal.body.as_deref().unwrap_or_default(), &fields];
    let is_harmless = |text: &str| warning_of(text).is_none() && harmless(text) == *text;
    texts.into_iter().all(is_harmless)
}
