//! A model's verdicts count in whatever form it writes them: one answer on 25 pairs, in many forms.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::place::Place;

const PAIRS: usize = 25;

/// The texts of two memories, and the quotes from them.
fn sides(n: usize) -> [(String, String); 2] {
    let quotes = [
        format!(
            "listens on the port `{}` and isn't reachable from \"outside\"",
            8000 + n
        ),
        format!(
            "binds port `{}`\n  of the inner network — nothing else",
            9000 + n
        ),
    ];
    let texts = [
        format!("The service S{n} {}. Restart it with care.\n", quotes[0]),
        format!(
            "# Deploying S{n}\n\n- S{n} **always** {}.\n- Ask the owner.\n",
            quotes[1]
        ),
    ];
    let [one, other] = texts;
    let [first, second] = quotes;
    [(one, first), (other, second)]
}

fn store() -> Place {
    let place = Place::empty();
    for n in 0..PAIRS {
        for (side, (text, _)) in ["left", "right"].iter().zip(sides(n)) {
            let head = format!(
                "---\ntitle: Service {n} {side}\nwhenToUse: service {n}\ntags: [net]\n\
                 importance: high\ndiscoveredBy: planner\ndiscoveredAt: 2026-01-02\n---\n\n"
            );
            place.write(&format!("{side}-{n:02}.md"), head + &text);
        }
    }
    place
}

/// The verdicts as the request asks for them.
fn canonical() -> Vec<Value> {
    let one = |n: usize| {
        let [(_, quote_a), (_, quote_b)] = sides(n);
        json!({
            "a": format!("rawko:left-{n:02}"), "b": format!("rawko:right-{n:02}"),
            "quote_a": quote_a, "quote_b": quote_b, "why": "two ports, one service",
            "verdict": if n.is_multiple_of(2) { "contradiction" } else { "duplicate" },
            "keep": "b", "confidence": 0.9,
        })
    };
    (0..PAIRS).map(one).collect()
}

fn lines(all: &[Value]) -> String {
    all.iter().map(|one| format!("{one}\n")).collect()
}

/// The lines, after a change to each verdict.
fn each(change: impl Fn(&mut Value)) -> String {
    let mut all = canonical();
    all.iter_mut().for_each(change);
    lines(&all)
}

/// The lines, after a change to each quote.
fn quotes(change: impl Fn(&str) -> String) -> String {
    each(|one| {
        for name in ["quote_a", "quote_b"] {
            one[name] = change(one[name].as_str().unwrap()).into();
        }
    })
}

/// The lines, after a change to the text of one field.
fn text(name: &str, change: impl Fn(&str) -> String) -> String {
    each(|one| one[name] = change(one[name].as_str().unwrap()).into())
}

fn pretty(all: &Value) -> String {
    serde_json::to_string_pretty(all).unwrap()
}

fn forms() -> Vec<(&'static str, String)> {
    let all = canonical();
    let plain = lines(&all);
    let array = Value::from(all.clone());
    let spread: Vec<String> = all.iter().map(pretty).collect();
    let bullets = plain.lines().enumerate();
    let bullets = bullets.map(|(n, line)| format!("{}. **Pair** - {line}\n", n + 1));
    let ellipsis = |quote: &str| {
        let words: Vec<&str> = quote.split(' ').collect();
        let (start, end) = (words[..4].join(" "), words[words.len() - 2..].join(" "));
        format!("{start} … {end}")
    };
    let long = "so I read \"both\" notes {again}. ".repeat(9);
    let (half, _) = plain.split_at(plain.len() - 20);
    let unescaped = |line: &str| line.replace("\\\"", "\"").replace("\\n", "\n");
    let python = |one: &Value| {
        let names = ["a", "b", "quote_a", "quote_b", "why", "verdict", "keep"];
        let fields = names.map(|name| format!("'{name}': '{}'", one[name].as_str().unwrap()));
        format!("{{{}, 'confidence': 0.9}},\n", fields.join(", "))
    };
    vec![
        ("lines", plain.clone()),
        ("an array", array.to_string()),
        (
            "an object with a list",
            json!({"summary": "two ports", "my_results": array}).to_string(),
        ),
        ("pretty-printed", pretty(&json!({"pairs": array}))),
        ("pretty-printed one by one", spread.join("\n\n")),
        ("bullets", bullets.collect()),
        (
            "a fence and prose",
            format!("Sure, {long}:\n\n```json\n{plain}```\nThese are {{all}}.\n"),
        ),
        (
            "trailing commas",
            pretty(&array)
                .replace("0.9\n", "0.9,\n")
                .replace("}\n]", "},\n]"),
        ),
        (
            "the reply of a server",
            json!({"model": "m", "response": plain, "done": true}).to_string(),
        ),
        (
            "thinking aloud",
            format!(
                "<think>{}</think>{plain}",
                plain.replace("contra", "no contra")
            ),
        ),
        ("cut off", half.to_owned()),
        (
            "quotes that are not escaped",
            all.iter()
                .map(|one| unescaped(&format!("{one}\n")))
                .collect(),
        ),
        ("single quotes", all.iter().map(python).collect()),
        ("capital verdicts", text("verdict", str::to_uppercase)),
        (
            "plural verdicts",
            text("verdict", |word| {
                format!("{}{}s", word[..1].to_uppercase(), &word[1..])
            }),
        ),
        (
            "other words",
            text("verdict", |word| {
                word.replace("ion", "ory").replace("ate", "ated content")
            }),
        ),
        (
            "names in other forms",
            plain
                .replace("quote_a", "Quote A")
                .replace("quote_b", "quoteB")
                .replace("\"verdict", "\"Verdict"),
        ),
        ("ids without a store", plain.replace("rawko:", "")),
        ("ids as files", plain.replace("\",\"b\":", ".md\",\"b\":")),
        (
            "ids in marks",
            plain
                .replace("rawko:left-00", "`rawko:left-00`")
                .replace("rawko:right-01", "<right-01>"),
        ),
        ("percent", each(|one| one["confidence"] = "90%".into())),
        (
            "a number of a hundred",
            each(|one| one["confidence"] = 90.into()),
        ),
        (
            "a word for the confidence",
            each(|one| one["confidence"] = "High".into()),
        ),
        (
            "sides swapped",
            plain
                .replace("\"a\":", "\"x\":")
                .replace("\"b\":", "\"a\":")
                .replace("\"x\":", "\"b\":"),
        ),
        (
            "other white space",
            quotes(|quote| quote.replace(' ', "  \n").replace("`", " `")),
        ),
        (
            "typographic quote marks",
            quotes(|quote| format!("“{}”", quote.replace('\'', "’").replace('"', "”"))),
        ),
        ("an added stop", quotes(|quote| format!("{quote}."))),
        (
            "an added comma and capitals",
            quotes(|quote| format!("{}{},", quote[..1].to_uppercase(), &quote[1..])),
        ),
        (
            "an ellipsis at the end",
            quotes(|quote| format!("{}...", &quote[..40])),
        ),
        ("an ellipsis in the middle", quotes(ellipsis)),
        (
            "an ellipsis in brackets",
            quotes(|quote| ellipsis(quote).replace('…', "[...]")),
        ),
        ("dropped back-ticks", quotes(|quote| quote.replace('`', ""))),
        (
            "dropped emphasis, another dash",
            quotes(|quote| quote.replace("**", "").replace('—', "-")),
        ),
    ]
}

#[test]
fn verdicts_count_in_every_form() {
    let place = store();
    let decisions = place.root().join(".memkeep/decisions.jsonl");
    let mut told = String::new();
    for (form, answer) in forms() {
        let ran = place.run_with(answer.as_bytes(), &["lint", "--ask", "--response", "-"]);
        let file = fs::read_to_string(&decisions).unwrap_or_default();
        let kept = file.lines().map(|line| serde_json::from_str(line).unwrap());
        let kept: Vec<Value> = kept
            .filter(|one: &Value| one["verdict"].is_string())
            .collect();
        let as_asked = canonical();
        let is_right = |one: &&Value| {
            let wanted = as_asked.iter().find(|wanted| wanted["a"] == one["ids"][0]);
            wanted.is_some_and(|wanted| wanted["verdict"] == one["verdict"])
                && one["confidence"] == 0.9
        };
        let right = kept.iter().filter(is_right).count();
        if right < PAIRS - usize::from(form == "cut off") {
            writeln!(
                told,
                "{form}: {right} of {}\n{}{answer:.400}",
                kept.len(),
                ran.err
            )
            .unwrap();
        }
        let _ = fs::remove_file(&decisions);
    }
    assert!(told.is_empty(), "{told}");
}

/// What an answer without a verdict counts as: the request is answered, or sent again with reasons.
#[test]
fn only_an_answer_that_says_so_counts_as_none() {
    let place = store();
    for (answer, code) in rows! {
        "[]" => 0,
        "{\"pairs\": [ ]}" => 0,
        "none" => 0,
        "None." => 0,
        "```\n[]\n```" => 0,
        "There are none." => 0,
        "I found no pairs that contradict or repeat each other." => 0,
        "No contradictions or duplicates." => 0,
        "{\"done\":true}" => 0,
        "" => 2,
        "Error: model not found, try pulling it first" => 2,
        "I cannot help with that." => 2,
        "{\"model\":\"m\",\"response\":\"\",\"context\":[],\"done\":true}" => 2,
        "{\"a\":\"left-00\",\"b\":\"nobody\",\"verdict\":\"duplicate\"}\n{\"done\":true}" => 2,
    } {
        let ran = place.run_with(
            answer.as_bytes(),
            &["lint", "--ask", "--response", "-", "--rule", "secret"],
        );
        assert_eq!(ran.code, code, "{answer}: {}", ran.err);
        let dry = place
            .run(&["lint", "--ask", "--dry-run", "--format", "json"])
            .json();
        assert_eq!(dry["requests"], u8::from(code == 2), "{answer}");
        let _ = fs::remove_file(place.root().join(".memkeep/decisions.jsonl"));
    }
}

/// Long and hostile answers are read once, in order of their length.
#[test]
fn a_long_answer_is_bounded() {
    let place = store();
    let line = canonical()[0].to_string();
    for part in [
        "{",
        "{\"a\":",
        "{\"a\":[",
        "{\"",
        "\n",
        "\"x",
        "{\"a\":\"\n",
        "'",
        "\\\"",
        "…",
        &line,
    ] {
        let answer = format!("{{\"a\":\"{}", part.repeat(5_000_000 / part.len()));
        let ran = place.run_with(
            answer.as_bytes(),
            &["lint", "--ask", "--response", "-", "--rule", "secret"],
        );
        assert!(matches!(ran.code, 0 | 2), "{}", ran.err);
    }
}
