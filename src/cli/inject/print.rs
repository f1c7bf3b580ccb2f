//! Previews, and all that an agent is given for a task: as a table for people, Markdown and JSON.

use rayon::prelude::*;
use serde_json::Value as Json;

use crate::cli::output::literal;
use crate::cli::prelude::*;
use crate::memory::tokens_of;
use crate::retrieval::{Reason, Task, Verdict};
use crate::ui::words;
use crate::workspace::preview::StorePreview;
use crate::workspace::{ContextFile, Picture};

fn title_of<'a>(of: &'a StorePreview, verdict: &Verdict) -> &'a str {
    let memory = of.memories.get(verdict.memory);
    memory.map_or("", |memory| &*memory.title)
}

/// The notes of a preview that are not on standard error.
fn notes(of: &StorePreview) -> impl Iterator<Item = &String> {
    let all = of.preview.notes.iter().map(|note| &note.text);
    all.filter(|text| !of.notes.contains(text))
}

pub(super) fn table(of: &StorePreview, explain: bool, output: &mut Output) -> Result<()> {
    let preview = &of.preview;
    let count = preview.selected.len();
    let places = preview.places.map(|places| format!(" of {places}"));
    let places = places.unwrap_or_default();
    let tokens = match preview.budget {
        Some(budget) => format!("{} of {}", preview.tokens(), plural(budget, "token")),
        None => plural(preview.tokens(), "token"),
    };
    let unwritten = preview.selected.iter().filter(|one| one.is_unwritten);
    let written = match unwritten.count() {
        0 => String::new(),
        unwritten => format!(", {} in the prompt", count - unwritten),
    };
    let policy = format!("{} {}", preview.policy, preview.dialect);
    let policy = policy.trim_end();
    let injected = format!("{count}{places} injected{written}");
    output.heading(&format!("{} · {policy}: {injected}, {tokens}", of.store))?;
    for note in notes(of) {
        output.faint(&safe(note))?;
        writeln!(output)?;
    }
    for verdict in &preview.selected {
        row(of, verdict, explain, output)?;
        for caveat in of.caveats_of(verdict) {
            writeln!(output, "           ! {}", safe(&caveat.message))?;
        }
    }
    let (left, shown) = (preview.rejected_total, preview.rejected.len());
    match left {
        0 => {}
        _ if left > shown => output.heading(&format!("left out: {left}, the nearest {shown}"))?,
        _ => output.heading(&format!("left out: {left}"))?,
    }
    for verdict in &preview.rejected {
        row(of, verdict, explain, output)?;
    }
    Ok(())
}

fn row(of: &StorePreview, verdict: &Verdict, explain: bool, output: &mut Output) -> Result<()> {
    let rank = verdict.rank.map_or("·".to_owned(), |rank| rank.to_string());
    let score = verdict.score.map_or("-".to_owned(), points);
    let title = safe(title_of(of, verdict));
    writeln!(output, "{rank:>4} {score:>4}  {title}")?;
    let why = match (&verdict.matched, verdict.reason) {
        (Some(found), Reason::Selected) => {
            format!("`{}` on “{}” ({})", found.pattern, found.hit, found.kind)
        }
        (_, reason) => {
            let reason = reason.word().replace('_', " ");
            let hint = verdict.hint.iter();
            std::iter::once(&reason).chain(hint).join(": ")
        }
    };
    output.faint(&format!("           {}\n", safe(&why)))?;
    let factors = verdict.factors.iter().filter(|_| explain);
    let factors: Vec<_> = factors.map(|one| (signed(one.points), one)).collect();
    let widths = factors.iter().map(|(points, _)| points.len());
    let width = widths.max().unwrap_or_default().max(4);
    for (points, factor) in factors {
        let (name, detail) = (factor.name, safe(&factor.detail));
        writeln!(output, "           {points:>width$}  {name:<16} {detail}")?;
    }
    Ok(())
}

/// Points without digits that nobody reads.
fn points(points: f64) -> String {
    ((points * 1000.0).round() / 1000.0).to_string()
}

fn signed(of: f64) -> String {
    let sign = if of < 0.0 { "" } else { "+" };
    format!("{sign}{}", points(of))
}

/// Prints the files, a line each; those that are not loaded for a task say so.
pub fn list(files: &[ContextFile], for_task: bool, output: &mut Output) -> Result<()> {
    for file in files {
        let not = (for_task && !file.given).then_some("not loaded for this task");
        let hint = file.hint.as_deref().filter(|_| for_task);
        let mut parts = [file.loaded.as_deref(), not, hint].into_iter().flatten();
        let parts = parts.join(" · ");
        let (path, tokens) = (safe(&file.path), plural(file.tokens, "token"));
        writeln!(output, "  {path} · {tokens} · {}", safe(&parts))?;
    }
    Ok(())
}

/// Prints the sum of all previews and context files: nothing for one store without context.
pub(super) fn picture(picture: &Picture, stores: usize, output: &mut Output) -> Result<()> {
    if stores < 2 && picture.context.is_empty() {
        return Ok(());
    }
    let (tokens, agents) = (picture.together.tokens, &picture.together.agents);
    output.bold(&format!("together: {}", plural(tokens, "token")))?;
    match &*picture.together.parts() {
        "" => writeln!(output)?,
        parts => writeln!(output, " ({parts})")?,
    }
    if !agents.is_empty() {
        let agents = agents.iter();
        let agents = agents.map(|(agent, tokens)| format!("{agent} {tokens}"));
        writeln!(output, "  of these for {}", agents.format(", "))?;
    }
    list(&picture.context, true, output)
}

pub(super) fn markdown(
    picture: &Picture,
    previews: &[StorePreview],
    task: &str,
    output: &mut Output,
) -> Result<()> {
    let task = literal(task);
    writeln!(output, "# What agents are given\n\nTask: {task}\n")?;
    writeln!(output, "| given by | what | tokens |\n|---|---|---:|")?;
    for of in previews {
        let what = words::count(of.preview.selected.len(), "memory", "memories");
        let (store, policy, tokens) = (literal(&of.store), of.preview.policy, of.preview.tokens());
        writeln!(output, "| {store} | {what} ({policy}) | {tokens} |")?;
    }
    for file in &picture.context {
        let loaded = file.loaded.as_deref().unwrap_or("context");
        let not = (!file.given).then_some(" (not for this task)");
        let what = literal(&[loaded, not.unwrap_or_default()].concat());
        let path = literal(&file.path);
        writeln!(output, "| {path} | {what} | {} |", file.tokens)?;
    }
    let together = &picture.together;
    let (parts, tokens) = (together.parts(), together.tokens);
    writeln!(output, "| **together** | {parts} | **{tokens}** |")?;
    for (agent, tokens) in &together.agents {
        writeln!(output, "| of these for {agent} | | {tokens} |")?;
    }
    writeln!(output)?;
    previews.iter().try_for_each(|of| section(of, output))
}

fn section(of: &StorePreview, output: &mut Output) -> Result<()> {
    writeln!(output, "## What {} would inject\n", literal(&of.store))?;
    writeln!(output, "| rank | score | memory | why |")?;
    writeln!(output, "|---:|---:|---|---|")?;
    for verdict in of.preview.selected.iter().chain(&of.preview.rejected) {
        let rank = verdict.rank.map_or(String::new(), |rank| rank.to_string());
        let score = verdict.score.map_or(String::new(), points);
        let why = match (&verdict.matched, &verdict.hint) {
            (Some(found), _) if verdict.rank.is_some() => {
                format!("{} on “{}”", literal(&found.pattern), literal(&found.hit))
            }
            // Its own words are memkeep's, with texts of the store as code.
            (_, Some(hint)) => safe(hint).replace('|', "\\|").replace('<', "&lt;"),
            (_, None) => verdict.reason.word().replace('_', " "),
        };
        let caveats = of.caveats_of(verdict).iter();
        let caveats = caveats.map(|caveat| format!("**!** {}", literal(&caveat.message)));
        let why = std::iter::once(why).chain(caveats).join(" · ");
        let title = literal(title_of(of, verdict));
        writeln!(output, "| {rank} | {score} | {title} | {why} |")?;
    }
    let tokens = plural(of.preview.tokens(), "token");
    Ok(writeln!(output, "\n{tokens}.\n")?)
}

/// Prints a task, what each store gives for it, and the prompt and sum of all.
pub(super) fn print_json(
    task: &Task,
    previews: &[StorePreview],
    prompt: &str,
    picture: &Picture,
    output: &mut Output,
) -> Result<()> {
    Ok(output.print_json(&json!({
        "task": {
            "text": task.text,
            "agent": Some(&task.agent).filter(|agent| !agent.is_empty()),
            "plan": task.plan,
            "history": task.history,
            "files": task.files,
            "now": task.now.to_rfc3339(),
        },
        "previews": previews.iter().map(preview_json).collect_vec(),
        "prompt": prompt,
        "tokens": tokens_of(prompt.len()),
        "context": picture.context,
        "together": picture.together,
    }))?)
}

pub fn preview_json(of: &StorePreview) -> Json {
    let preview = &of.preview;
    let mut json = json!({
        "store": of.store,
        "policy": preview.policy,
        "dialect": Some(preview.dialect).filter(|name| !name.is_empty()),
        "selected": verdicts_json(&preview.selected, of),
        "rejected": verdicts_json(&preview.rejected, of),
        "prompt": preview.prompt,
        "skill": preview.skill,
        "tokens": preview.tokens(),
        "budget": preview.budget,
    });
    let notes = of.notes.iter().chain(notes(of)).collect_vec();
    if let Some(json) = json.as_object_mut().filter(|_| !notes.is_empty()) {
        json.insert("notes".to_owned(), json!(notes));
    }
    json
}

/// Verdicts as JSON. There are as many as there are memories.
pub fn verdicts_json(all: &[Verdict], of: &StorePreview) -> Vec<Json> {
    let json = |verdict: &Verdict| {
        let memory = of.memories.get(verdict.memory)?;
        let factors = verdict.factors.iter().map(|factor| {
            let points = number(factor.points);
            json!({"name": factor.name, "points": points, "detail": factor.detail})
        });
        let matched = verdict.matched.as_ref();
        let matched = matched
            .map(|found| json!({"pattern": found.pattern, "kind": found.kind, "hit": found.hit}));
        Some(json!({
            "id": memory.id.to_string(),
            "title": &*memory.title,
            "rank": verdict.rank,
            "score": verdict.score.map(number),
            "factors": factors.collect_vec(),
            "match": matched,
            "reason": verdict.reason.word(),
            "hint": verdict.hint,
            "tokens": verdict.tokens,
            "findings": of.caveats_of(verdict),
        }))
    };
    all.par_iter().filter_map(json).collect()
}

/// A number, without a fraction where it has none.
fn number(number: f64) -> Json {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only where nothing is lost"
    )]
    match number.fract() == 0.0 && number.abs() < 1e15 {
        true => (number as i64).into(),
        false => number.into(),
    }
}
