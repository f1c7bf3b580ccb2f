//! `memkeep chapter --wisdom`: chapters summed up by rule, or by a model as a proposal.

use super::Chapter;
use crate::agent::extract::{Wish, ask, read, wisdom_request};
use crate::cli::extract::given_field;
use crate::cli::lint::ask::{interrupted, response};
use crate::cli::prelude::*;
use crate::config::model::ModelSettings;
use crate::curate::differences::Proposal;
use crate::curate::link;
use crate::systems::rum::WISDOM;
use crate::workspace::model::{refusal, runnable};

/// The named chapters; if there are none, all of the first store with some.
pub fn chapters<'m>(memories: &'m [Arc<Memory>], named: Vec<&'m Memory>) -> Vec<&'m Memory> {
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

/// The change by rule; none if wisdom of the chapters is there.
pub fn change(memories: &[Arc<Memory>], chapters: &[&Memory]) -> Result<Option<Change>> {
    let memories = memories.iter().map(|one| &**one).collect_vec();
    link::wisdom(&memories, chapters).map_err(Error::wrong)
}

/// Proposes what a model makes of the chapters.
pub fn propose(ws: &Workspace, args: &Chapter, output: &mut Output) -> Result<u8> {
    let memories = ws.load();
    let named = args.ids.iter();
    let named = named.map(|typed| Ok(&**ws.find(typed, &memories)?));
    let chapters = chapters(&memories, named.collect::<Result<_>>()?);
    if change(&memories, &chapters)?.is_none() {
        return Err(Error::nothing("wisdom of these chapters is there already"));
    }
    let settings = &ws.settings.model;
    let own = memories
        .iter()
        .filter(|one| chapters.iter().any(|chapter| chapter.id == one.id));
    let own: Snapshot = Arc::new(own.cloned().collect());
    let request = wisdom_request(&own, &ws.collection, ws.now, settings.budget());
    if args.prompt_only {
        output.write_all(request.as_bytes())?;
        return Ok(exit::DONE);
    }
    let wish = answer(settings, args.response.as_deref(), &request)?;
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
    let first = chapters.first();
    let proposal = Proposal {
        version: 1,
        action: "add".to_owned(),
        store: first.map(|first| first.id.store.to_string()),
        fields: lists.chain(rest).collect(),
        from: Some("chapters".to_owned()),
        why: wish.reasoning.as_deref().map(|why| mask(why).into_owned()),
        confidence: wish.confidence,
        created: Some(ws.clock().to_rfc3339()),
        ..Proposal::default()
    };
    if args.dry_run {
        output.print_json(&json!(proposal))?;
        return Ok(exit::DONE);
    }
    let file = ws.collection.propose(&proposal)?;
    let shown = ws.collection.shown(&file);
    writeln!(
        output,
        "proposed in {}: `memkeep review` shows it",
        safe(&shown)
    )?;
    Ok(exit::DONE)
}

/// The answer of a model, or one that was got elsewhere.
fn answer(settings: &ModelSettings, file: Option<&str>, request: &str) -> Result<Wish> {
    let (wishes, why) = if let Some(file) = file {
        let wrong = |why| Error::wrong(format!("the response does not count: {why}"));
        read(&response(file)?).map_err(wrong)?
    } else {
        if let Some(error) = refusal(settings) {
            return Err(error.hint("`chapter --wisdom` alone needs no model"));
        }
        let command = runnable(settings).ok_or_else(|| Error::wrong("no model is configured"))?;
        let failed = |why| Error::wrong(format!("{why}; nothing was proposed"));
        ask(request, read, &command, &interrupted()).map_err(failed)?
    };
    wishes.into_iter().next().ok_or_else(|| {
        let why = why.unwrap_or_default();
        Error::nothing(safe(&format!("nothing to propose: {}", mask(&why))).into_owned())
    })
}
