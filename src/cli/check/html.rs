//! The report of `check` as one page: tasks, what each is given, scores, before and now.

use std::io::Write as _;

use crate::cli::Output;
use crate::cli::error::Error;
use crate::lint::mask;
use crate::memory::{StoreId, plural};
use crate::retrieval::expect::{Answer, Given, Judged};
use crate::retrieval::tasks::Written;
use crate::retrieval::tasks::is_named;
use crate::ui::safe::safe;
use crate::ui::words;

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8884;--ok:#2a7;--bad:#c44;--new:#27c}
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{margin:2rem 0 .2rem;font-size:1.1rem}p{margin:.2rem 0}
table{border-collapse:collapse;width:100%;margin:.5rem 0}
td,th{text-align:left;padding:.2rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.bar{display:inline-block;height:.6rem;background:var(--new);border-radius:2px}
.pass{color:var(--ok)}.fail{color:var(--bad)}.in{color:var(--new)}.out{opacity:.6}
pre{white-space:pre-wrap;border:1px solid var(--line);padding:.5rem;font-size:13px}
.q{opacity:.7}";

/// A text as HTML, without escapes for terminals and without secrets.
fn html(text: &str) -> String {
    let text = mask(text);
    let text = safe(&text);
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Prints the page. `before` are the answers at the last commit, where there is one.
pub(super) fn page(
    tasks: &[Written],
    judged: &[Judged],
    before: Option<&[Answer]>,
    output: &mut Output,
) -> Result<(), Error> {
    let passed = judged.iter().filter(|one| one.has_passed()).count();
    let failed = judged.len() - passed;
    writeln!(
        output,
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>What tasks are given</title>\n<style>\n{STYLE}\n</style>\n\
         <h1>What tasks are given</h1>\n\
         <p><span class=\"pass\">{passed} passed</span>, <span class=\"fail\">{failed} failed</span>"
    )?;
    for (n, (task, one)) in tasks.iter().zip(judged).enumerate() {
        let was = before.and_then(|before| before.get(n));
        section(task, one, was, output)?;
    }
    writeln!(output, "</html>")?;
    Ok(())
}

fn section(
    task: &Written,
    one: &Judged,
    before: Option<&Answer>,
    output: &mut Output,
) -> Result<(), Error> {
    let (class, word) = match one.has_passed() {
        true => ("pass", "pass"),
        false => ("fail", "fail"),
    };
    writeln!(
        output,
        "<h2><span class=\"{class}\">{word}</span> {}</h2>\n<p>{}",
        html(&one.name),
        html(&task.task)
    )?;
    let share = |what: &str, share: Option<f64>| {
        share.map_or(String::new(), |share| {
            format!(" · {what} {:.0} %", share * 100.0)
        })
    };
    let agent = Some(&task.agent).filter(|agent| !agent.is_empty());
    let agent = agent.map_or(String::new(), |agent| format!(" · agent {}", html(agent)));
    let files: String = task
        .files
        .iter()
        .map(|file| format!(" · {}", html(file)))
        .collect();
    writeln!(
        output,
        "<p class=\"q\">{}{}{}{agent}{files}",
        match before
            .map(|before| before.tokens)
            .filter(|was| *was != one.answer.tokens)
        {
            Some(was) => format!("{was} → {}", plural(one.answer.tokens, "token")),
            None => plural(one.answer.tokens, "token"),
        },
        share("recall", one.recall),
        share("precision", one.precision),
    )?;
    for id in &one.missing {
        writeln!(output, "<p class=\"fail\">missing: {}", html(id))?;
    }
    if let Some(most) = task.max_tokens.filter(|_| one.over > 0) {
        writeln!(
            output,
            "<p class=\"fail\">{} over the limit of {most}",
            plural(one.over, "token")
        )?;
    }
    rows(task, one, before, output)?;
    if !one.answer.prompt.is_empty() {
        let masked = mask(&one.answer.prompt);
        let prompt: Vec<String> = masked.lines().map(html).collect();
        let prompt = prompt.join("\n");
        writeln!(
            output,
            "<details><summary>prompt</summary><pre>{prompt}</pre></details>"
        )?;
    }
    Ok(())
}

/// The memories that are given now, then those that were at the last commit only.
fn rows(
    task: &Written,
    one: &Judged,
    before: Option<&Answer>,
    output: &mut Output,
) -> Result<(), Error> {
    let none = Answer::default();
    let was = before.unwrap_or(&none);
    let place = |all: &[Given], id| all.iter().position(|one| one.id == id).map(|at| at + 1);
    // Points mean something else in each store.
    let most = |store: &StoreId| {
        let given = one
            .answer
            .given
            .iter()
            .filter(|given| given.id.store == *store);
        given.filter_map(|given| given.score).fold(0.0, f64::max)
    };
    let gone = was
        .given
        .iter()
        .filter(|old| place(&one.answer.given, old.id.clone()).is_none());
    writeln!(
        output,
        "<table><tr><th class=\"n\">before<th class=\"n\">now<th>memory<th>score<th class=\"n\">tokens<th>"
    )?;
    for given in one.answer.given.iter().chain(gone) {
        let number = |at: Option<usize>| at.map_or("–".to_owned(), |at| at.to_string());
        let old = place(&was.given, given.id.clone());
        let now = place(&one.answer.given, given.id.clone());
        let (class, mut mark) = match (old, now) {
            (None, Some(_)) if before.is_some() => ("in", "enters"),
            (Some(_), None) => ("out", "leaves"),
            _ => ("", ""),
        };
        let expected = task.must.iter().any(|id| is_named(id, &given.id));
        if one.unexpected.contains(&given.id) {
            mark = "must not be given";
        } else if mark.is_empty() && expected {
            mark = "expected";
        }
        let score = given.score.map_or(String::new(), |score| {
            let most = most(&given.id.store);
            let width = if most > 0.0 {
                (score / most * 100.0).clamp(0.0, 100.0)
            } else {
                0.0
            };
            format!(
                "<span class=\"bar\" style=\"width:{width:.0}px\"></span> {}",
                words::points(score)
            )
        });
        let old = before.map_or(String::new(), |_| number(old));
        writeln!(
            output,
            "<tr class=\"{class}\"><td class=\"n\">{old}<td class=\"n\">{}<td>{}<br><span class=\"q\">{}</span>\
             <td>{score}<td class=\"n\">{}<td>{mark}",
            number(now),
            html(&given.title),
            html(&given.id.to_string()),
            given.tokens
        )?;
    }
    writeln!(output, "</table>")?;
    Ok(())
}
