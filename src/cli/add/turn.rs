//! `memkeep add --turn`: the items of a turn, as proposals or into the store.

use super::{Add, Format};
use crate::cli::change::{change, say};
use crate::cli::inject::asked;
use crate::cli::prelude::*;
use crate::cli::proposals::{of_session, propose, response_text};
use crate::cli::stats::Pack;
use crate::curate::differences::Proposal;
use crate::extract::turn::{Item, Turn};
use crate::memory::Fields;
use crate::memory::edit::wanted;
use crate::store::queue::proposals;
use crate::systems::golemcore::Config;

const MOST: usize = 16 << 20;

/// An item, with the memory that it is merged with and the fields of that which change.
struct Decided<'m> {
    item: Item,
    twin: Option<&'m Memory>,
    changed: Fields,
}

impl Decided<'_> {
    fn part(&self) -> &'static str {
        match self.twin {
            None => "new",
            Some(_) if self.changed.iter().next().is_none() => "repeated",
            Some(_) => "merged",
        }
    }

    fn twin_id(&self) -> Option<String> {
        self.twin.map(|twin| twin.id.to_string())
    }
}

pub fn run(ws: &Workspace, args: &Add, file: &str, output: &mut Output) -> Result<u8> {
    let has_layers = |store: &&dyn Store| store.schema().field("layer").is_some();
    let store = ws.collection.receivers().find(has_layers).ok_or_else(|| {
        let hint = "`memkeep extract --from FILE` proposes lessons for any store";
        Error::wrong("no store here has layers for a turn").hint(hint)
    })?;
    let text = response_text(file)?;
    if text.len() > MOST {
        return Err(Error::wrong(format!("{file} is too long for one turn")));
    }
    let wrong = |why| Error::wrong(format!("{file}: {why}"));
    let (turn, session) = Turn::parse(&text).map_err(wrong)?;
    let settings = ws.store_settings(store)?;
    let config = Config::of(&settings);
    if !config.enabled {
        let what = "memories are switched off: the setting `enabled` is false";
        return Err(Error::nothing(what));
    }
    let all = ws.load();
    let own = all.iter().filter(|one| one.id.store == store.info().id);
    let own = own.filter(|one| one.hidden_at(ws.now).is_none());
    let own = own.filter_map(|one| Some((one.field("fingerprint")?.as_str()?, &**one)));
    // Of several with one fingerprint the first counts.
    let known: BTreeMap<&str, &Memory> = own.rev().collect();
    let find = |print: &str| known.get(print).copied();
    let items = turn.items(&session, &config, ws.now, &find).into_iter();
    let items = items.map(|item| {
        let twin = find(&item.fingerprint);
        let changed = twin.map(|twin| changed(twin, &item)).unwrap_or_default();
        Decided {
            item,
            twin,
            changed,
        }
    });
    let items: Vec<Decided<'_>> = items.collect();
    if items.is_empty() {
        return Err(Error::nothing("the turn holds nothing to remember"));
    }
    let question = turn.user_text.as_deref().unwrap_or_default();
    let pack = pack(ws, store, question)?;
    let new = items.iter();
    let new = new.filter_map(|one| Some((one, proposed(ws, (store, file), one, question)?)));
    let (new, all): (Vec<&Decided<'_>>, Vec<Proposal>) = new.unzip();
    let is_told = args.dry_run && args.format == Format::Json;
    let mut files = vec![None; all.len()];
    if (args.yes || args.dry_run) && !is_told {
        let changes = new.iter().zip(&all).map(|(one, proposal)| {
            let id = one.twin.map(|twin| twin.id.clone());
            proposals::change(store, proposal, id, true)
        });
        let all = Change::all(changes.collect());
        let made = change(ws, args.dry_run, output, &|_| Ok(all.clone()))?;
        if let Some(made) = made.filter(|_| args.format == Format::Table) {
            say(&made, output)?;
        }
    } else if !is_told {
        ws.may_write()?;
        files = propose(ws, &all);
    }
    let files = new.iter().zip(files);
    let files = files.filter_map(|(one, file)| Some((&*one.item.fingerprint, file?)));
    let files: Files<'_> = files.collect();
    tell(ws, (&items, &files), &pack, args, output)
}

type Files<'i> = BTreeMap<&'i str, PathBuf>;

/// The figures of the pack that the question is given; none of them if there is no question.
fn pack(ws: &Workspace, store: &dyn Store, question: &str) -> Result<Pack> {
    // `-` is a question here, and no input.
    if matches!(question.trim(), "" | "-") {
        return Ok(Pack::default());
    }
    let (_, _, previews) = asked(ws, (question, &[]), Format::Json)?;
    let id = store.info().id.to_string();
    let own = previews.iter().find(|of| of.store == id);
    Ok(own.map(Pack::new).unwrap_or_default())
}

fn changed(twin: &Memory, item: &Item) -> Fields {
    let mut fields = twin.fields.clone();
    for edit in item.merged(twin) {
        if let Ok(Some(after)) = wanted(&fields, &edit) {
            fields = after.into_iter().collect();
        }
    }
    let changed = fields.iter();
    let changed = changed.filter(|(name, value)| twin.field(name) != Some(*value));
    let changed = changed.map(|(name, value)| (name.to_owned(), value.clone()));
    changed.collect()
}

/// The proposal of an item; none if it adds nothing to what is there.
fn proposed(
    ws: &Workspace,
    (store, from): (&dyn Store, &str),
    one: &Decided<'_>,
    question: &str,
) -> Option<Proposal> {
    let json = |(name, value): (&str, &Value)| (name.to_owned(), json!(value));
    let (item, twin) = (&one.item, one.twin);
    let own = item.fields.iter().map(|(name, value)| (*name, value));
    let mut fields: serde_json::Map<_, _> = match one.part() {
        "repeated" => return None,
        "merged" => one.changed.iter().map(json).collect(),
        _ => own.map(json).collect(),
    };
    let created = fields.remove("createdAt");
    let created = created.and_then(|at| Some(at.as_str()?.to_owned()));
    match twin {
        Some(_) => fields.insert("updatedAt".to_owned(), ws.now.to_rfc3339().into()),
        None => fields.insert("title".to_owned(), item.title.as_str().into()),
    };
    let action = if twin.is_some() { "edit" } else { "add" };
    Some(Proposal {
        id: one.twin_id(),
        fields,
        body: twin.is_none().then(|| item.content.clone()),
        by: Some("golemcore".to_owned()),
        why: Some(item.why.clone()),
        confidence: item.fields.get("confidence").and_then(Value::as_f64),
        created,
        ..of_session(ws, action, &store.info().id, (from, Some(question)))
    })
}

/// Prints what became of each item, and the metrics of the turn (specs: golemcore, section 12).
fn tell(
    ws: &Workspace,
    (items, files): (&[Decided<'_>], &Files<'_>),
    pack: &Pack,
    args: &Add,
    output: &mut Output,
) -> Result<u8> {
    let promoted = items.iter().filter(|one| one.item.is_promoted).count();
    if args.format == Format::Json {
        let one = |one: &Decided<'_>| {
            let (item, id) = (&one.item, one.twin_id());
            let file = files.get(&*item.fingerprint);
            json!({
                "part": one.part(), "id": id, "title": item.title, "content": item.content,
                "fields": item.fields, "fingerprint": item.fingerprint,
                "promoted": item.is_promoted, "why": item.why,
                "file": file.map(|file| ws.collection.shown(file)),
            })
        };
        let mut diagnostics = json!(pack);
        if let Some(all) = diagnostics.as_object_mut() {
            all.insert("memory.promotion.count".to_owned(), promoted.into());
        }
        let items = items.iter().map(one).collect_vec();
        let written = args.yes && !args.dry_run;
        let all = json!({"items": items, "written": written, "diagnostics": diagnostics});
        output.print_json(&all)?;
        return Ok(exit::DONE);
    }
    for one in items {
        let item = &one.item;
        let (part, kind, title) = (one.part(), item.kind(), safe(&item.title));
        writeln!(output, "{part:8}  {kind:14}  {title}")?;
        let layer = item.fields.get("layer").map(ToString::to_string);
        let layer = layer.unwrap_or_default();
        output.faint(&format!("          {layer}: {}\n", safe(&item.why)))?;
    }
    output.lines(pack.lines())?;
    writeln!(output, "memory.promotion.count {promoted}")?;
    Ok(exit::DONE)
}
