//! The report of `check` as one page: tasks, what each is given, scores, before and now.

use super::shares;
use crate::cli::prelude::*;
use crate::retrieval::expect::{Answer, Given, Judged};
use crate::retrieval::tasks::{Written, is_named};
use crate::ui::words;

/// Beginning of the page.
const HEAD: &str = include_str!("../../../assets/check/report.html");

/// A text as HTML, without escapes for terminals and without secrets.
fn html(text: &str) -> String {
    let text = safe(&mask(text)).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Prints the page. `before` are the answers at the last commit, where there is one.
pub(super) fn page(
    judged: &[(Written, Judged)],
    failed: usize,
    before: Option<&[Answer]>,
    output: &mut Output,
) -> Result<()> {
    let passed = (judged.len() - failed).to_string();
    let head = HEAD.replace("{passed}", &passed);
    write!(output, "{}", head.replace("{failed}", &failed.to_string()))?;
    for (n, (task, one)) in judged.iter().enumerate() {
        section(task, one, before.and_then(|before| before.get(n)), output)?;
    }
    Ok(writeln!(output, "</html>")?)
}

fn section(
    task: &Written,
    one: &Judged,
    before: Option<&Answer>,
    output: &mut Output,
) -> Result<()> {
    let word = if one.has_passed() { "pass" } else { "fail" };
    let (name, text) = (html(&one.name), html(&task.task));
    let state = format!("<span class=\"{word}\">{word}</span>");
    writeln!(output, "<h2>{state} {name}</h2>\n<p>{text}")?;
    let agent = Some(html(&task.agent)).filter(|agent| !agent.is_empty());
    let agent = agent.map(|agent| format!(" · agent {agent}"));
    let agent = agent.unwrap_or_default();
    let files = task.files.iter().map(|file| format!(" · {}", html(file)));
    let files: String = files.collect();
    let tokens = plural(one.answer.tokens, "token");
    let was = before.map(|before| before.tokens);
    let was = was.filter(|was| *was != one.answer.tokens);
    let was = was.map(|was| format!("{was} → ")).unwrap_or_default();
    let shares = shares(one);
    writeln!(output, "<p class=\"q\">{was}{tokens}{shares}{agent}{files}")?;
    for id in &one.missing {
        writeln!(output, "<p class=\"fail\">missing: {}", html(id))?;
    }
    for why in &one.spoiled {
        writeln!(output, "<p class=\"fail\">{}", html(why))?;
    }
    if let Some(most) = task.max_tokens.filter(|_| one.over > 0) {
        let over = plural(one.over, "token");
        writeln!(output, "<p class=\"fail\">{over} over the limit of {most}")?;
    }
    rows(task, one, before, output)?;
    if !one.answer.prompt.is_empty() {
        let prompt = mask(&one.answer.prompt).lines().map(html).join("\n");
        let prompt = format!("<summary>prompt</summary><pre>{prompt}</pre>");
        writeln!(output, "<details>{prompt}</details>")?;
    }
    Ok(())
}

/// The memories that are given now, then those that were at the last commit only.
fn rows(task: &Written, one: &Judged, before: Option<&Answer>, output: &mut Output) -> Result<()> {
    let (now, was) = (
        &one.answer.given,
        before.map_or(&[][..], |before| &before.given),
    );
    let place = |all: &[Given], id: &MemoryId| all.iter().position(|one| one.id == *id);
    // Points mean something else in each store.
    let most = |given: &Given| {
        let same = now.iter().filter(|one| one.id.store == given.id.store);
        same.filter_map(|one| one.score).fold(0.0, f64::max)
    };
    let gone = was.iter().filter(|old| place(now, &old.id).is_none());
    let head = "<table><tr><th class=\"n\">before<th class=\"n\">now<th>memory<th>score<th class=\"n\">tokens<th>";
    writeln!(output, "{head}")?;
    for given in now.iter().chain(gone) {
        let (old, new) = (place(was, &given.id), place(now, &given.id));
        let (class, mut mark) = match (old, new) {
            (None, Some(_)) if before.is_some() => ("in", "enters"),
            (Some(_), None) => ("out", "leaves"),
            _ => ("", ""),
        };
        if one.unexpected.contains(&given.id) {
            mark = "must not be given";
        } else if mark.is_empty() && task.must.iter().any(|id| is_named(id, &given.id)) {
            mark = "expected";
        }
        let bar = |score: f64| {
            let most = most(given);
            let share = if most > 0.0 { score / most } else { 0.0 };
            let width = (share * 100.0).clamp(0.0, 100.0);
            let points = words::points(score);
            format!("<span class=\"bar\" style=\"width:{width:.0}px\"></span> {points}")
        };
        let score = given.score.map(bar).unwrap_or_default();
        let number = |at: Option<usize>| at.map_or("–".to_owned(), |at| (at + 1).to_string());
        let old = before.map(|_| number(old)).unwrap_or_default();
        let (new, title, id) = (number(new), html(&given.title), html(&given.id.to_string()));
        let caveats = one.caveats.get(&given.id).into_iter().flatten();
        let caveats = caveats.map(|caveat| format!("<br>! {}", html(&caveat.message)));
        let (caveats, tokens) = (caveats.collect::<String>(), given.tokens);
        write!(output, "<tr class=\"{class}\"><td class=\"n\">{old}")?;
        write!(output, "<td class=\"n\">{new}<td>{title}<br>")?;
        write!(output, "<span class=\"q\">{id}</span><td>{score}")?;
        writeln!(output, "<td class=\"n\">{tokens}<td>{mark}{caveats}")?;
    }
    Ok(writeln!(output, "</table>")?)
}
