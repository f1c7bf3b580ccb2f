//! The tools that only read: search, read, list, preview, explain, lint, trace.

use serde_json::Value as Json;

use super::View;
use crate::agent::mcp::{Arguments, Call};
use crate::cli::inject::print::{preview_json, verdicts_json};
use crate::cli::inject::{Inject, add_caveats, of_stores};
use crate::cli::link::Walk;
use crate::cli::list::{Ranked, matching, memory_json, parse};
use crate::cli::prelude::*;
use crate::config::InjectSettings;
use crate::lint;
use crate::lint::report::Report;
use crate::memory::tokens_of;
use crate::retrieval::Task;
use crate::retrieval::hybrid::Background;
use crate::retrieval::hybrid::about;
use crate::retrieval::multi_store::join;
use crate::search::is_loose;
use crate::workspace::handout::warning_of;
use crate::workspace::lint_facts::Basis;
use crate::workspace::preview::{StorePreview, policy_named};

const MOST_FINDINGS: usize = 200;

const REJECTED: usize = 10;

/// The places of the memories that a query finds, best first: those that have all of its words,
/// then by relevance those that have some. With them remarks for the agent.
pub fn found(view: &View, text: &str, limit: usize) -> (Vec<usize>, Vec<String>) {
    let (ws, all) = (&view.ws, &view.memories);
    let query = parse(ws, text).map(|query| query.in_any_case());
    let why = query.as_ref().err().map(Error::in_a_line);
    let why = why.map(|why| format!("not read as a query: {why}"));
    let found = query.map(|query| matching(ws, all, Some(&query), false));
    let mut found: Vec<Ranked<'_>> = found.unwrap_or_default();
    found.retain(|(rank, ..)| !is_loose(*rank));
    let mut places = found.iter().map(|(_, at, _)| *at).collect_vec();
    places.truncate(limit);
    let exact = places.len();
    let task = Task {
        text: text.to_owned(),
        now: ws.now,
        ..Task::default()
    };
    let ranked = about::Ranked::new(all, &task, &ws.collection, Background::default());
    let more = ranked.all.iter().map(|about| about.memory);
    let more = more.filter(|at| !places.contains(at)).collect_vec();
    places.extend(more.into_iter().take(limit - exact));
    let some = places.len() - exact;
    let some = (some > 0).then(|| format!("the last {some} have only some of the words"));
    (places, why.into_iter().chain(some).collect())
}

pub fn search(view: &View, asked: &Arguments) -> Result<Json> {
    let limit = asked.number("limit").unwrap_or(10).clamp(1, 50);
    let (places, notes) = found(view, asked.text("query").unwrap_or_default(), limit);
    let shown = places.iter().filter_map(|at| view.memories.get(*at));
    let shown = shown.map(|memory| memory_json(&view.ws, memory, None, None));
    Ok(json!({ "memories": shown.collect_vec(), "total": places.len(), "notes": notes }))
}

pub fn read(view: &View, asked: &Arguments) -> Result<Json> {
    let memory = view.asked(asked)?;
    let body = view.ws.body(memory).unwrap_or_default();
    Ok(json!({ "memory": memory_json(&view.ws, memory, None, Some(body)) }))
}

/// The stores that an id or a format names; all without one.
pub fn stores<'v>(view: &'v View, name: Option<&str>) -> Result<Vec<&'v dyn Store>> {
    let all = view.ws.collection.stores.iter();
    let is_wanted = |store: &&dyn Store| {
        let info = store.info();
        name.is_none_or(|name| *info.id.0 == *name || info.format() == name)
    };
    let found = all.filter(is_wanted).collect_vec();
    match name.filter(|_| found.is_empty()) {
        Some(name) => {
            let ids = view.ws.collection.infos().map(|info| &info.id).join(", ");
            Err(Error::nothing(format!("no store is `{name}`")).hint(format!("stores: {ids}")))
        }
        None => Ok(found),
    }
}

/// `memory_list`: memories in the order of their files.
pub fn list(view: &View, asked: &Arguments) -> Result<Json> {
    let stores = stores(view, asked.text("store"))?;
    let ids: HashSet<_> = stores.iter().map(|store| &store.info().id).collect();
    let tags = asked.list("tags").map(str::trim).collect_vec();
    let is_tagged = |one: &Memory| {
        let has = |tag: &&str| one.tags().any(|own| own.eq_ignore_ascii_case(tag));
        tags.is_empty() || tags.iter().any(has)
    };
    let is_listed = |one: &&Arc<Memory>| {
        one.state == State::Active && ids.contains(&one.id.store) && is_tagged(one)
    };
    let listed = view.memories.iter().filter(is_listed).collect_vec();
    let shown = listed.iter().take(asked.number("limit").unwrap_or(500));
    let shown = shown.map(|one| memory_json(&view.ws, one, None, None));
    Ok(json!({ "memories": shown.collect_vec(), "total": listed.len() }))
}

fn previews(view: &View, asked: &Arguments, stores: Vec<&dyn Store>) -> Result<Vec<StorePreview>> {
    let ws = &view.ws;
    let settings = ws.inject_settings(InjectSettings::default(), None)?;
    let files = asked.list("files").map(|file| ws.below_root(file));
    let task = Task {
        text: asked.text("task").unwrap_or_default().to_owned(),
        agent: settings.agent.clone().unwrap_or_default(),
        files: files.collect(),
        now: ws.now,
        ..Task::default()
    };
    let args = Inject {
        files: asked.list("files").map(str::to_owned).collect(),
        format: Format::Json,
        ..Inject::default()
    };
    let policies = stores.iter();
    let policies = policies.map(|store| policy_named(store.info().policy()));
    let policies: Vec<_> = policies.collect::<Result<_>>()?;
    let stores = stores.into_iter().zip(policies);
    let mut all = of_stores(ws, &args, (&settings, &task), stores, &view.memories)?;
    add_caveats(ws, &mut all);
    Ok(all)
}

pub fn preview(view: &View, asked: &Arguments) -> Result<Json> {
    let stores = stores(view, asked.text("store"))?;
    let mut previews = previews(view, asked, stores)?;
    let mut notes = Vec::new();
    for of in &mut previews {
        let preview = Arc::make_mut(&mut of.preview);
        preview.rejected.truncate(REJECTED);
        // An index may say what none of its memories does.
        if let Some(rule) = warning_of(&preview.prompt) {
            notes.push(format!("the prompt of {} is left out: {rule}", of.store));
            preview.prompt.clear();
        }
    }
    let prompt = join(previews.iter().map(|of| &*of.preview.prompt));
    Ok(json!({
        "previews": previews.iter().map(preview_json).collect_vec(),
        "tokens": tokens_of(prompt.len()),
        "prompt": prompt,
        "notes": notes,
    }))
}

pub fn explain(view: &View, asked: &Arguments) -> Result<Json> {
    let memory = view.asked(asked)?;
    let store = view.ws.collection.store_of(&memory.id);
    let previews = previews(view, asked, store.into_iter().collect())?;
    let found = previews.iter().find_map(|of| {
        let own = of.memories.iter().position(|one| one.id == memory.id)?;
        let mut all = of.preview.selected.iter().chain(&of.preview.rejected);
        let verdict = all.find(|verdict| verdict.memory == own)?;
        let verdict = verdicts_json(std::slice::from_ref(verdict), of).pop()?;
        Some((of.preview.policy, verdict))
    });
    let what = || Error::nothing(format!("{} takes no part in the selection", memory.id));
    let (policy, verdict) = found.ok_or_else(what)?;
    Ok(json!({
        "id": memory.id.to_string(),
        "store": &*memory.id.store.0,
        "policy": policy,
        "verdict": verdict,
    }))
}

/// `memory_lint`: the findings of a memory, or the worst of all.
pub fn lint(view: &View, asked: &Arguments, call: &Call) -> Result<Json> {
    let ws = &view.ws;
    let id = asked.text("id");
    let only = id.map(|id| view.find(id)).transpose()?;
    call.progress(0, 2, "reading settings and tasks");
    let basis = Basis::with_floor(&ws.collection, &ws.settings);
    let facts = ws.lint_facts(ws.now);
    call.progress(1, 2, "checking");
    if call.is_cancelled() {
        return Err(Error::nothing("the request was cancelled"));
    }
    let cx = facts.context(&basis, &view.memories, &ws.collection);
    let mut looked = lint::digest(&cx, &basis.rules(), usize::MAX);
    if let Some(only) = only {
        let is_only = |at: usize| view.memories.get(at).is_some_and(|one| one.id == only.id);
        let findings = &mut looked.findings;
        findings.retain(|finding| finding.parties().any(is_only));
    }
    let all = lint::join(&view.memories, looked.findings, false);
    let report = Report {
        memories: &view.memories,
        root: &ws.collection.root,
        findings: &all,
        notes: &[],
        unreported: looked.unreported,
    };
    let mut answer = serde_json::to_value(report.json(&mut |_| None)).unwrap_or_default();
    if let Some(Json::Array(findings)) = answer.get_mut("findings") {
        findings.truncate(MOST_FINDINGS);
    }
    let left = all.len().saturating_sub(MOST_FINDINGS);
    let left = (left > 0).then(|| format!("{left} more findings are not listed"));
    let notes = looked.notes.iter();
    let notes = notes.map(|note| format!("{}: {}", note.rule, note.message));
    if let Some(object) = answer.as_object_mut() {
        let notes = left.into_iter().chain(notes).collect();
        object.insert("notes".to_owned(), notes);
    }
    call.progress(2, 2, "done");
    Ok(answer)
}

/// `memory_trace`: the memories that are linked with one, in either direction.
pub fn trace(view: &View, asked: &Arguments, call: &Call) -> Result<Json> {
    let first = view.asked(asked)?;
    let depth = asked.number("depth").unwrap_or(3).clamp(1, 10);
    let is_cancelled = || call.is_cancelled();
    let walk = Walk::new(&view.memories, first, depth, |_| true, is_cancelled);
    let cancelled = || Error::nothing("the request was cancelled");
    Ok(walk.ok_or_else(cancelled)?.json())
}
