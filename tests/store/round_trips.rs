//! Generated memories of every format that is a table, in every other format.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use memkeep::lint::{Context, Selection, repository, run};
use memkeep::memory::format::{Broken, LinkForm, PatternsOn, TABLES, Table, table_of};
use memkeep::memory::schema::{FieldSpec, Kind, Style};
use memkeep::memory::{Memory, Role, Schema, Severity, Value, frontmatter};
use memkeep::retrieval::Snapshot;
use memkeep::store::collection::Collection;
use memkeep::systems::golemcore::GOLEMCORE;
use memkeep::systems::ralph::RALPH;
use memkeep::systems::rum::RUM;

use crate::convert::{NOW, convert_all, open, place};
use crate::place::load;

/// Memories of a store that are converted at once.
const MEMORIES: usize = 9;

/// Numbers that are the same at every run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % below
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.next(of.len())]
    }

    fn is(&mut self, percent: usize) -> bool {
        self.next(100) < percent
    }
}

const TITLES: [&str; 6] = [
    "Token refresh fails silently",
    "Größe der Puffer – 日本語",
    "API: retries, timeouts & more",
    "42",
    "true",
    "A \"quoted\" title with 'both' marks",
];

const TEXTS: [&str; 11] = [
    "The proxy drops the header",
    "Use when the proxy is changed",
    "Note: a colon, and a # sign # here",
    "\"quoted\" all",
    "größer – 日本語",
    "42",
    "true",
    "null",
    "- a list",
    "A long line that goes on and on, so that a writer of YAML might fold it at eighty signs, which would be wrong",
    "[x] {y} `z` *w* & | > % @",
];

const BODIES: [&str; 14] = [
    "",
    "One line.",
    "First.\n\nSecond.",
    "# A heading\n\nText below it.",
    "# A heading\n\n## Below\n\n- a\n  - b\n\n1. c",
    "---\n\nA rule first.",
    "## Only a lower one\n\nText.",
    "Text before.\n\n# A late heading\n\nMore.",
    "```sh\n# a comment\nls [[ -f x ]]\n```\n\nText.",
    "    indented code\n\nText.",
    "Text\n\n---\n\nafter a rule",
    "Two blanks at the end  \nof a line, and of the last  ",
    "Tab\there, NUL-free, \u{a0}odd\u{2028}signs, emoji 🦀.",
    "Text.\n\n## A section\n\n- a: b",
];

/// Sentences with links in each form, and with what is none.
const LINKS: [(Option<LinkForm>, &str); 11] = [
    (Some(LinkForm::Wiki), "See [[note-1]]."),
    (Some(LinkForm::Mem), "See mem:note-1."),
    (Some(LinkForm::Path), "See [it](note-1END)."),
    (
        Some(LinkForm::Path),
        "See [x](../x.md) and [docs](https://x.y/docs.md).",
    ),
    (Some(LinkForm::At), "See @note-1."),
    (
        None,
        "Mail a@b.c, `@Override`, @prisma/client and @src/a.ts.",
    ),
    (None, "Code `[[note-1]]` stays."),
    (None, "The note (note-1) and `if [[ -f x ]]`."),
    (None, "[a [b](https://x.y)](https://x.y) [link](x.rs)"),
    (None, "- [ ] to do\n- [x] done"),
    (None, "| a | b |\n| - | - |\n| 1 | 2 |"),
];

const NAMES: [&str; 6] = [
    "token-refresh",
    "Feedback_Use-Tabs",
    "techContext",
    "README",
    "two words",
    "a.b",
];

fn list(items: &[&str]) -> Value {
    items.iter().map(|item| Value::from(*item)).collect()
}

fn value(schema: &'static Schema, spec: &FieldSpec, random: &mut Random) -> Value {
    let table = table_of(schema).unwrap();
    let is_bare = spec.style == Style::Bare;
    let in_lines = table.frontmatter == Broken::Lines;
    match spec.kind {
        Kind::Text if spec.role == Role::Title => random.one(&TITLES).into(),
        Kind::Text => random.one(&TEXTS).into(),
        Kind::Choice(words) => random.one(words).into(),
        Kind::Bool => Value::Bool(random.is(50)),
        Kind::Number((low, high)) => Value::Float((low + high) / 2.0),
        Kind::Date => random
            .one(&[
                "2026-01-20",
                "2026-01-20T10:00:00.000Z",
                "2026-01-20T10:00:00+02:00",
                "soon",
            ])
            .into(),
        Kind::Patterns if table.patterns_on == PatternsOn::Task => list(random.one(&[
            &["oauth|token"][..],
            &["log in", "max.*retry", "größe"],
            &["a, b"],
        ])),
        Kind::Patterns if in_lines => random
            .one(&["**/*.ts", "src/**/*.{ts,tsx},docs/*.md", "a.ts, b.ts", "**"])
            .into(),
        Kind::Patterns => {
            list(random.one(&[&["**/*.ts"][..], &["src/**/*.{ts,tsx}", "docs/*.md"]]))
        }
        Kind::Tags if random.is(20) && !is_bare => "auth, net work".into(),
        Kind::Tags => list(random.one(&[
            &["auth"][..],
            &["auth", "net work", "größe"],
            &["C++", "x#", "1.0"],
        ])),
        Kind::Names => list(random.one(&[&["note-1.md"][..], &["note-1", "nothing.md"]])),
        Kind::Lines | Kind::Entries => list(&["one", "two, three"]),
    }
}

/// A file of a format, and its name.
fn file(table: &'static Table, number: usize, random: &mut Random) -> (String, String) {
    let schema = table.schema;
    let mut name = format!("note-{number}");
    if random.is(50) && number != 1 {
        name = format!("{}-{number}", random.one(&NAMES));
    }
    if random.is(15) && table.in_folders.is_none() && number != 1 {
        name = format!("below/{name}");
    }
    let mut fields: Vec<(String, Value)> = Vec::new();
    let is_plain = random.is(15);
    for spec in schema.fields {
        let is_there = spec.required || !is_plain && random.is(60);
        if !is_there {
            continue;
        }
        let mut value = value(schema, spec, random);
        if spec.role == Role::Title {
            let last = name.rsplit('/').next().unwrap();
            value = match table.title_is_slug && random.is(60) {
                true => last.into(),
                false => format!("{value} {number}").into(),
            };
        }
        fields.push((spec.name.to_owned(), value));
    }
    if !schema.can.closed && random.is(25) {
        fields.push(("owner".to_owned(), random.one(&TEXTS).into()));
        fields.push(("links".to_owned(), list(&["a", "b, c"])));
    }
    let mut body = random.one(&BODIES).to_owned();
    // A later heading is a title where files are found by it, and not by their name.
    if table.may_be_file && body.contains("late heading") {
        body = "Text.".to_owned();
    }
    for _ in 0..random.next(3) {
        let (form, link) = random.one(&LINKS);
        // Where memories have ids a link comes back with the title.
        let is_read = |form| schema.can.links.contains(&form) && schema.role(Role::Id).is_none();
        if form.is_some_and(|form| !is_read(form)) {
            continue;
        }
        let up = if name.contains('/') {
            "../note-1"
        } else {
            "note-1"
        };
        let link = match form {
            Some(LinkForm::Path) => link.replace("note-1END", &format!("{up}{}", table.ends[0])),
            _ => link.to_owned(),
        };
        body = format!(
            "{}{}{}",
            body,
            if body.is_empty() { "" } else { "\n\n" },
            link
        );
    }
    body = format!("{body}\n\n(memory {number})");
    let mut text = match fields.is_empty() {
        true => body.clone(),
        false => frontmatter::compose(schema, &fields, &body),
    };
    if text.trim().is_empty() {
        text = "Text.".to_owned();
    }
    if !body.trim().is_empty() && random.is(70) || !fields.is_empty() && body.trim().is_empty() {
        text.push('\n');
    }
    if random.is(25) {
        text = text.replace('\n', "\r\n");
    }
    let end = table.ends.first().unwrap();
    (format!("{name}{end}"), text)
}

/// A store of a format with generated memories.
fn generated(root: &Path, table: &'static Table, random: &mut Random) -> Collection {
    let path = place(root, "from", table.schema);
    let is_file = table.may_be_file && path.extension().is_some();
    let count = if is_file { 1 } else { MEMORIES };
    for number in 1..=count {
        let (name, text) = file(table, number, random);
        let path = if is_file {
            path.clone()
        } else {
            path.join(name)
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    open(root, table.name(), &path)
}

fn own(collection: &Collection) -> Vec<Arc<Memory>> {
    let mut all = load(collection);
    all.retain(|memory| memory.index_table().is_none());
    all
}

fn body(memory: &Memory) -> String {
    let bytes = fs::read(&memory.path).unwrap();
    String::from_utf8(bytes[memory.body.clone()].to_vec()).unwrap()
}

/// Letters and digits alone: names of files have other signs, and none of some letters.
fn letters(text: &str) -> String {
    let all = text.chars().filter(|c| c.is_alphanumeric());
    all.flat_map(char::to_lowercase).collect()
}

/// Text in one line, as formats without quotes write it.
fn line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .join(" ")
        .replace(": ", " – ")
        .replace(['"', '\''], "")
}

/// Lines of a text without the blanks around them; a link is one in each format's own form.
fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim());
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("See "));
    lines
        .map(|line| line.trim_start_matches("# ").to_owned())
        .collect()
}

/// Patterns on files that attach a memory.
fn globs(memory: &Memory) -> Option<String> {
    let spec = memory.schema.role(Role::Patterns)?;
    let is_on_task = table_of(memory.schema)?.patterns_on == PatternsOn::Task;
    let value = memory.field(spec.name).filter(|_| !is_on_task)?;
    let items: Vec<String> = value.items().map(ToString::to_string).collect();
    Some(items.join(",").replace(", ", ",")).filter(|all| !matches!(&**all, "" | "**" | "**/*"))
}

/// Checks that a memory says in another format what it said in its own.
fn differences(was: &Memory, is: &Memory) -> Vec<(&'static str, String, String)> {
    let [old, new] = [was, is].map(|one| lines(&body(one)));
    let mut rest = new.iter();
    let is_kept = old.iter().all(|line| rest.any(|other| other == line));
    let mut wrong = Vec::new();
    if !is_kept {
        wrong.push(("body", old.join("\n"), new.join("\n")));
    }
    let title = |memory: &Memory| {
        let text = body(memory);
        let heading = text
            .trim_start()
            .strip_prefix("# ")
            .and_then(|rest| rest.lines().next());
        let by_name = table_of(memory.schema).is_some_and(|table| table.title_is_slug);
        let title = heading.filter(|_| by_name).map(str::to_owned);
        let title = title.unwrap_or_else(|| memory.title.to_string());
        let last = title.rsplit('/').next().unwrap();
        letters(last.trim_end_matches(".instructions"))
    };
    // A text keeps its own heading, whatever else its title is.
    let is_heading = body(was).lines().any(|line| line.starts_with("# "));
    let is_said = new.iter().any(|line| letters(line) == title(was));
    if title(was) != title(is) && !is_heading && !is_said {
        wrong.push(("title", title(was), title(is)));
    }
    let text = |memory: &Memory| {
        let text = memory.role(Role::Description)?.to_string();
        Some(line(&text)).filter(|text| !text.is_empty())
    };
    if let Some(own) = text(was).filter(|_| is.schema.role(Role::Description).is_some())
        && text(is).as_ref() != Some(&own)
    {
        wrong.push(("description", own, format!("{:?}", text(is))));
    }
    let takes = table_of(is.schema).is_some_and(|table| table.patterns_on == PatternsOn::Files);
    let takes = takes && is.schema.role(Role::Patterns).is_some();
    let mode = was.schema.role(Role::Mode).map(|spec| {
        let own = was.field(spec.name).map(ToString::to_string);
        own.or(spec.default.map(str::to_owned)).unwrap_or_default()
    });
    let always = ["true", "always", "always_on", "always_apply"];
    let is_always = mode.is_some_and(|mode| always.contains(&&*mode));
    if let Some(own) = globs(was).filter(|_| takes && !is_always)
        && globs(is).as_ref() != Some(&own)
    {
        wrong.push(("globs", own, format!("{:?}", globs(is))));
    }
    wrong
}

/// Every file below a folder with its bytes.
fn snapshot(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(snapshot(&path)),
            false => all.push((path.clone(), fs::read(&path).unwrap())),
        }
    }
    all.sort();
    all
}

/// What is wrong with a store that memories came to.
fn faults(collection: &Collection, name: &str) -> Vec<String> {
    let memories = load(collection);
    let problems = memories.iter().flat_map(|memory| {
        let severe = memory
            .problems
            .iter()
            .filter(|one| one.severity == Severity::Error);
        severe.map(|one| format!("{name}: {} {one:?}", memory.id))
    });
    let mut wrong: Vec<String> = problems.collect();
    for memory in memories
        .iter()
        .filter(|memory| table_of(memory.schema).is_some())
    {
        let text = fs::read_to_string(&memory.path).unwrap();
        let ends = text.matches("\r\n").count();
        if ends > 0 && ends != text.matches('\n').count() {
            wrong.push(format!("{name}: {} mixes line ends: {text:?}", memory.id));
        }
    }
    let memories: Snapshot = memories.into();
    let context = Context::new(&memories, collection, NOW, &repository::Nowhere);
    let findings = run(&context, &Selection::all());
    let severe = findings
        .iter()
        .filter(|one| one.severity == Severity::Error);
    // What a text says is its own fault.
    let severe = severe.filter(|one| !["broken-link"].contains(&one.rule));
    wrong.extend(severe.map(|one| format!("{name}: {} {}", one.rule, one.message)));
    wrong
}

/// What is wrong with memories in another format, and with undoing that.
fn trip(from: &'static Table, to: &'static Schema, seed: u64) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let start = generated(&root, from, &mut Random(seed));
    let before = own(&start);
    let there = place(&root, "there", to);
    if let Some(index) = to.can.index {
        fs::create_dir_all(&there).unwrap();
        fs::write(there.join(&index.file), "# Memory\n").unwrap();
    }
    let files = || [snapshot(&root.join("from")), snapshot(&root.join("there"))];
    let first = files();
    let ids = |memories: &[Arc<Memory>]| memories.iter().map(|memory| memory.id.clone()).collect();
    let is_one = table_of(to).is_some_and(|table| table.may_be_file) && there.extension().is_some();
    let before = if is_one { before[..1].to_vec() } else { before };
    convert_all(&start, ids(&before), to.format, &there);
    let middle = open(&root, to.format, &there);
    let between = own(&middle);
    let name = format!("{} -> {} {seed}", from.name(), to.format);
    let mut wrong = faults(&middle, &name);
    let mark = |memory: &Memory| {
        let text = body(memory);
        let start = text.find("(memory ").unwrap_or_default();
        text[start..]
            .lines()
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    for was in before.iter().filter(|_| table_of(to).is_some()) {
        let Some(is) = between.iter().find(|memory| mark(memory) == mark(was)) else {
            wrong.push(format!("{name}: {} is gone", was.id));
            continue;
        };
        let shown = || fs::read_to_string(&is.path).unwrap();
        let found = differences(was, is).into_iter().map(|(what, old, new)| {
            format!(
                "{name}: {} {what}\n{old}\n--- became\n{new}\n--- in\n{}",
                was.id,
                shown()
            )
        });
        wrong.extend(found);
    }
    if between.len() != before.len() {
        wrong.push(format!("{name}: {} became {}", before.len(), between.len()));
    }
    start.undo().unwrap();
    if !to.can.in_rows && files() != first {
        wrong.push(format!("{name}: undo leaves {:?}", files()));
    }
    wrong
}

#[test]
fn what_is_generated_says_the_same_in_every_other_format() {
    let tables = || TABLES.iter().filter(|table| !table.schema.can.context);
    let mut all: Vec<&'static Schema> = tables().map(|table| table.schema).collect();
    let coded: [&Schema; 3] = [&RALPH, &GOLEMCORE, &RUM];
    all.extend(coded);
    let seeds = std::env::var("MEMKEEP_TRIPS").ok();
    let seeds = seeds.and_then(|seeds| seeds.parse().ok()).unwrap_or(1);
    let only = std::env::var("MEMKEEP_TRIP").unwrap_or_default();
    let mut wrong = Vec::new();
    for (number, from) in (1_u64..).zip(tables()) {
        for (other, to) in (1_u64..).zip(&all) {
            let is_asked = format!("{} {}", from.name(), to.format).contains(&only);
            for seed in (1..=seeds).filter(|_| from.schema != *to && is_asked) {
                let seed = (number * 1_000_003 + other * 10_007 + seed) * 0x9e37_79b9;
                wrong.extend(trip(from, to, seed));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}
