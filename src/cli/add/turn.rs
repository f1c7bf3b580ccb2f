//! `memkeep add --turn`: the items of a turn, as proposals or into the store.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::change::{change, say};
use super::super::lint::ask::response;
use super::super::stats::Metrics;
use super::{Add, Format};
use crate::cli::inject::{Inject, previews};
use crate::cli::prelude::*;
use crate::curate::differences::Proposal;
use crate::extract::turn::{Item, Turn};
use crate::memory::edit::FieldEdit;
use crate::memory::first_line;
use crate::store::Store;
use crate::systems::golemcore::Config;

/// Bytes of a turn; more is no turn.
const MOST: usize = 16 << 20;

/// An item, with the memory that it is merged with and the edits of that.
type Decided<'m> = (Item, Option<(&'m Memory, Vec<FieldEdit>)>);

/// Runs the command.
pub fn run(ws: &Workspace, args: &Add, file: &str, output: &mut Output) -> Result<u8> {
    let has_layers = |store: &&dyn Store| store.schema().field("layer").is_some();
    let store = ws.collection.receivers().find(has_layers).ok_or_else(|| {
        let hint = "`memkeep extract --from FILE` proposes lessons for any store";
        Error::wrong("no store here has layers for a turn").hint(hint)
    })?;
    let text = response(file)?;
    if text.len() > MOST {
        return Err(Error::wrong(format!("{file} is too long for one turn")));
    }
    let wrong = |why| Error::wrong(format!("{file}: {why}"));
    let (turn, session) = Turn::parse(&text).map_err(wrong)?;
    let settings = ws.store_settings(store)?;
    let config = Config::of(&settings);
    if !config.enabled {
        return Err(Error::nothing(
            "memories are switched off: the setting `enabled` is false",
        ));
    }
    let all = ws.load();
    let mut known: BTreeMap<&str, &Memory> = BTreeMap::new();
    let own = all.iter().filter(|one| one.id.store == store.info().id);
    for memory in own.filter(|one| one.hidden_at(ws.now).is_none()) {
        if let Some(print) = memory.field("fingerprint").and_then(Value::as_str) {
            known.entry(print).or_insert(memory);
        }
    }
    let find = |print: &str| known.get(print).copied();
    let items = turn.items(&session, &config, ws.now, &find).into_iter();
    let items = items.map(|item| {
        let twin = find(&item.fingerprint);
        let merged = twin.map(|twin| (twin, item.merged(twin)));
        (item, merged)
    });
    let items: Vec<Decided<'_>> = items.collect();
    if items.is_empty() {
        return Err(Error::nothing("the turn holds nothing to remember"));
    }
    let question = turn.user_text.as_deref().unwrap_or_default();
    let metrics = metrics(ws, store, question)?;
    let is_told = args.dry_run && args.format == Format::Json;
    let files = match args.yes || args.dry_run {
        _ if is_told => BTreeMap::new(),
        true => write(ws, args, store, &items, output).map(|()| BTreeMap::new())?,
        false => propose(ws, (store, file), (&items, question))?,
    };
    tell((&items, &files), metrics.as_ref(), args, output)
}

/// The figures of the pack that the question is given; none if there is no question.
fn metrics(ws: &Workspace, store: &dyn Store, question: &str) -> Result<Option<Metrics>> {
    // `-` is a question here, and no input.
    if matches!(question.trim(), "" | "-") {
        return Ok(None);
    }
    let asked = Inject {
        task: question.to_owned(),
        format: Format::Json,
        ..Inject::default()
    };
    let (_, _, previews) = previews(ws, &asked)?;
    let id = store.info().id.to_string();
    let own = previews.into_iter().find(|of| of.store == id);
    Ok(own.map(|of| Metrics::of(&of)))
}

/// Writes the items into the store in one step.
fn write(
    ws: &Workspace,
    args: &Add,
    store: &dyn Store,
    items: &[Decided<'_>],
    output: &mut Output,
) -> Result<()> {
    let touched = |edits: &[FieldEdit]| {
        let now = FieldEdit::set("updatedAt", ws.now.to_rfc3339());
        [edits, &[now]].concat()
    };
    let changes = items.iter().map(|(item, merged)| match merged {
        Some((twin, edits)) => Change::edit(&twin.id, touched(edits)),
        None => Change::Add {
            store: Some(store.info().id.clone()),
            title: item.title.clone(),
            fields: fields(item).collect(),
            body: item.content.clone(),
        },
    });
    let all = Change::all(changes.collect());
    let made = change(ws, args.dry_run, output, &|_| Ok(all.clone()))?;
    match made.filter(|_| args.format == Format::Table) {
        Some(made) => say(&made, output),
        None => Ok(()),
    }
}

fn fields(item: &Item) -> impl Iterator<Item = (String, Value)> {
    let fields = item.fields.iter();
    fields.map(|(name, value)| ((*name).to_owned(), value.clone()))
}

/// Proposes the items; returns the file of each by its fingerprint. An item that adds nothing to what is
/// there is not proposed.
fn propose<'i>(
    ws: &Workspace,
    (store, from): (&dyn Store, &str),
    (items, question): (&'i [Decided<'_>], &str),
) -> Result<BTreeMap<&'i str, String>> {
    ws.may_write()?;
    let name = Path::new(from).file_name().unwrap_or_default();
    let from = match from {
        "-" => "standard input".into(),
        _ => name.to_string_lossy(),
    };
    let task = mask(crate::text::cut(first_line(question), 160)).into_owned();
    let mut files = BTreeMap::new();
    for (item, merged) in items {
        let mut fields: BTreeMap<String, Value> = fields(item).collect();
        let created = fields.remove("createdAt").map(|at| at.to_string());
        let confidence = fields.get("confidence").and_then(Value::as_f64);
        if let Some((twin, edits)) = merged {
            fields = changed(twin, edits);
        } else {
            fields.insert("title".to_owned(), item.title.as_str().into());
        }
        if fields.is_empty() {
            continue;
        }
        let proposal = Proposal {
            version: 1,
            action: if merged.is_some() { "edit" } else { "add" }.to_owned(),
            store: Some(store.info().id.to_string()),
            id: merged.as_ref().map(|(twin, _)| twin.id.to_string()),
            fields: fields
                .into_iter()
                .map(|(name, value)| (name, json!(value)))
                .collect(),
            body: merged.is_none().then(|| item.content.clone()),
            by: Some("golemcore".to_owned()),
            from: Some(from.clone().into_owned()),
            task: Some(task.clone()).filter(|task| !task.is_empty()),
            why: Some(item.why.clone()),
            confidence,
            created,
            ..Proposal::default()
        };
        match ws.collection.propose(&proposal) {
            Ok(file) => {
                files.insert(&*item.fingerprint, ws.collection.shown(&file));
            }
            Err(error) => note(&safe(&format!("{}: {error}", item.title))),
        }
    }
    note(&match files.len() {
        0 => "nothing to propose".to_owned(),
        count => format!("{} for `memkeep review`", plural(count, "proposal")),
    });
    Ok(files)
}

/// The fields of a memory after edits.
fn changed(twin: &Memory, edits: &[FieldEdit]) -> BTreeMap<String, Value> {
    let mut fields: BTreeMap<String, Value> = BTreeMap::new();
    for edit in edits {
        let name = edit.field_name();
        let value = match edit {
            FieldEdit::AddItem { item, .. } => {
                let own = fields.get(name).or_else(|| twin.field(name));
                let items = own.into_iter().flat_map(Value::items);
                items.chain([item]).cloned().collect()
            }
            FieldEdit::Set { value, .. } => value.clone(),
            _ => continue,
        };
        fields.insert(name.to_owned(), value);
    }
    fields
}

/// Prints what became of each item, and the metrics of the turn (specs: golemcore, section 12).
fn tell(
    (items, files): (&[Decided<'_>], &BTreeMap<&str, String>),
    metrics: Option<&Metrics>,
    args: &Add,
    output: &mut Output,
) -> Result<u8> {
    let part = |merged: &Option<(&Memory, Vec<FieldEdit>)>| match merged {
        None => "new",
        Some((_, edits)) if edits.is_empty() => "repeated",
        Some(_) => "merged",
    };
    let promoted = items.iter().filter(|(item, _)| item.is_promoted).count();
    if args.format == Format::Json {
        let one = |(item, merged): &Decided<'_>| {
            let id = merged.as_ref().map(|(twin, _)| twin.id.to_string());
            json!({
                "part": part(merged), "id": id, "title": item.title, "content": item.content,
                "fields": item.fields, "fingerprint": item.fingerprint,
                "promoted": item.is_promoted, "why": item.why,
                "file": files.get(&*item.fingerprint),
            })
        };
        let mut diagnostics = metrics.map_or_else(|| json!({}), Metrics::json);
        if let Some(all) = diagnostics.as_object_mut() {
            all.insert("memory.promotion.count".to_owned(), promoted.into());
        }
        let items = items.iter().map(one).collect_vec();
        let written = args.yes && !args.dry_run;
        let all = json!({"items": items, "written": written, "diagnostics": diagnostics});
        output.print_json(&all)?;
        return Ok(exit::DONE);
    }
    for (item, merged) in items {
        let (part, kind, title) = (part(merged), item.kind(), safe(&item.title));
        writeln!(output, "{part:8}  {kind:14}  {title}")?;
        let layer = item.fields.get("layer").map(ToString::to_string);
        let layer = layer.unwrap_or_default();
        output.faint(&format!("          {layer}: {}\n", safe(&item.why)))?;
    }
    for line in metrics.iter().flat_map(|metrics| metrics.lines()) {
        writeln!(output, "{line}")?;
    }
    writeln!(output, "memory.promotion.count {promoted}")?;
    Ok(exit::DONE)
}
