//! Raising and lowering a memory's importance, the evidence for it, the places that a memory can be
//! promoted to, and memories as rules.

use std::path::Path;
use std::sync::Arc;

use super::Change;
use super::change::Destination;
use crate::memory::edit::FieldEdit;
use crate::memory::format::TABLES;
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role, State, StoreId, Value};

/// A store that memories can be written to, in its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its id, or the name of the format of a new one.
    pub name: String,
    /// Its current or future path.
    pub about: String,
    /// The store.
    pub to: Destination,
    /// True for a store of the project, which the team shares.
    pub is_project: bool,
    /// The agents that load it, empty if any may; none if its own system does not load it.
    pub readers: Option<Vec<String>>,
}

/// A way to promote memories.
#[derive(Clone, Debug)]
pub struct Way {
    /// Destination, in a word or two.
    pub name: String,
    /// Its effect.
    pub about: String,
    /// The change.
    pub change: Change,
}

/// The places in the project that memories can be promoted to: first stores that the agent of the
/// first one loads, then files of rules that this agent loads, then stores in use, then other files
/// of rules. `is_used` is true for a store that holds something, `context` are files beside stores.
pub fn places(
    memories: &[&Arc<Memory>],
    targets: &[Target],
    is_used: &dyn Fn(&StoreId) -> bool,
    context: &[Arc<Memory>],
    root: &Path,
) -> Vec<Way> {
    let own = |memory: &Memory| {
        let own = Destination::Store(memory.id.store.clone());
        targets.iter().find(|target| target.to == own)
    };
    let is_shared = |memory: &&Arc<Memory>| {
        own(memory).map_or(memory.path.starts_with(root), |own| own.is_project)
    };
    let Some(first) = memories.first() else {
        return Vec::new();
    };
    let readers = own(first).and_then(|own| own.readers.clone());
    let readers = readers.unwrap_or_default();
    let system = readers.first();
    let system = system.and_then(|reader| reader.split("'s ").next());
    let ids = || memories.iter().map(|memory| memory.id.clone()).collect();
    let is_shared = memories.iter().any(is_shared);
    let store = |target: &Target| {
        let is_same = target.name.split('@').next() == Some(first.schema.format);
        let is_own = is_same && target.readers.as_ref() == Some(&readers);
        let is_there = matches!(&target.to, Destination::Store(id) if is_used(id));
        let place = &target.about;
        let read_by = match &target.readers {
            None => "; its agent does not load it: no setting and no link leads there".to_owned(),
            Some(others) if others.is_empty() || is_own => String::new(),
            Some(others) => format!("; read by {}", others.join(", ")),
        };
        let way = Way {
            name: format!("project: {}", target.name),
            about: format!("moved to {place}, where the team shares it{read_by}"),
            change: Change::Convert {
                ids: ids(),
                to: target.to.clone(),
                remove: true,
            },
        };
        let rank = if is_own { 0 } else { 3 - u8::from(is_same) };
        (is_own || is_there).then_some((rank, way))
    };
    let is_open = |target: &&Target| target.is_project && !is_shared;
    let stores = targets.iter().filter(is_open);
    let rules = rule_files(context, root, system).into_iter();
    let rules = rules.map(|(name, loads, is_own)| {
        let way = Way {
            about: format!("a line; {loads}"),
            change: Change::Rule {
                ids: ids(),
                file: root.join(&name),
                line: None,
            },
            name: format!("a rule in {name}"),
        };
        (if is_own { 1 } else { 4 }, way)
    });
    let mut all: Vec<(u8, Way)> = stores.filter_map(store).chain(rules).collect();
    all.sort_by_key(|(rank, _)| *rank);
    all.into_iter().map(|(_, way)| way).collect()
}

/// The files of rules that agents are always given, each with who loads it and whether `system`
/// does; a new one if `system`, or nobody, has any. Files that only one person has come last.
fn rule_files(
    context: &[Arc<Memory>],
    root: &Path,
    system: Option<&str>,
) -> Vec<(String, String, bool)> {
    let Some(table) = TABLES.iter().find(|table| table.schema.can.context) else {
        return Vec::new();
    };
    let name = |one: &Arc<Memory>| {
        let name = one.path.strip_prefix(root).ok()?.to_str()?.to_owned();
        let is_rules = one.schema.can.context && one.role(Role::Patterns).is_none();
        // Other files are loaded because one of these imports them.
        (is_rules && table.loads(&name) != table.loads("*")).then_some(name)
    };
    let mut names: Vec<String> = context.iter().filter_map(name).collect();
    let place = |name: &str| table.beside.iter().position(|own| own == name);
    names.sort_by_key(|name| (name.contains(".local."), place(name).unwrap_or(usize::MAX)));
    names.dedup();
    let is_there = |name: &str| names.iter().any(|known| known == name);
    let is_own = |name: &str| system.is_some_and(|one| table.is_loaded_by(name, one, &is_there));
    let new = match system {
        Some(_) if names.iter().any(|name| is_own(name)) => None,
        Some(_) => {
            let is_new = |name: &&String| !name.contains(['/', '*']) && is_own(name);
            table.beside.iter().find(is_new).cloned()
        }
        None => names.is_empty().then(|| "AGENTS.md".to_owned()),
    };
    let file = |name: String| {
        let loads = table.loads(&name).unwrap_or_default().to_owned();
        let is_own = is_own(&name);
        (name, loads, is_own)
    };
    names.iter().cloned().chain(new).map(file).collect()
}

/// The edit that raises or lowers a memory's importance by one step (of a number a tenth of the
/// way), and from what to what; or why there is none.
pub fn importance(memory: &Memory, up: bool) -> Result<(FieldEdit, String), String> {
    let spec = memory.schema.role(Role::Importance);
    let spec = spec.ok_or_else(|| elsewhere(memory))?;
    let now = memory.field(spec.name);
    let (now, next) = match spec.kind {
        Kind::Choice(words) => {
            let now = now.and_then(Value::as_str);
            let at = now.and_then(|now| words.iter().position(|word| *word == now));
            let Some((now, at)) = now.zip(at) else {
                let words = words.join(", ");
                return Err(format!("its `{}` is not one of {words}", spec.name));
            };
            let next = at.checked_add_signed(if up { 1 } else { -1 });
            let next = next.and_then(|at| words.get(at));
            (now.to_owned(), next.map(|word| Value::from(*word)))
        }
        Kind::Number((low, high)) => {
            let now = now.and_then(Value::as_f64);
            let now = now.ok_or_else(|| format!("its `{}` is not a number", spec.name))?;
            let step = (high - low) / 10.0;
            let next = if up { now + step } else { now - step };
            let next = (next.clamp(low, high) * 1000.0).round() / 1000.0;
            let is_step = (next - now).abs() >= step / 1000.0;
            (now.to_string(), is_step.then_some(Value::Float(next)))
        }
        _ => return Err(elsewhere(memory)),
    };
    let end = if up { "most" } else { "least" };
    let value = next.ok_or_else(|| format!("`{now}` is the {end} there is"))?;
    let why = format!("{} from {now} to {value}", spec.name);
    let field = spec.name.to_owned();
    Ok((FieldEdit::Set { field, value }, why))
}

/// True if the memories of a format have something to raise: importance, layers, or a place in an
/// index.
pub fn has_levels(memory: &Memory) -> bool {
    let schema = memory.schema;
    let has_layers = schema.field("layer").is_some();
    schema.role(Role::Importance).is_some() || has_layers || schema.can.index.is_some()
}

fn elsewhere(memory: &Memory) -> String {
    let section = sections(memory).map_or_else(String::new, |(field, words)| {
        let words = words.join(", ");
        format!("to another section ({words}) with `edit --set {field}=…`, ")
    });
    format!(
        "{} memories have no importance: move it {section}to the project with `promote --to \
         project`, to a rule with `promote --to-rule`",
        memory.schema.format
    )
}

/// The field that says in which section of its file a memory stands, and the other sections, those
/// that are injected first before.
pub fn sections(memory: &Memory) -> Option<(&'static str, Vec<&'static str>)> {
    let spec = memory.schema.role(Role::Type)?;
    let Kind::Choice(words) = spec.kind else {
        return None;
    };
    let now = memory.field(spec.name).and_then(Value::as_str);
    let others = words.iter().copied().filter(|word| Some(*word) != now);
    Some((spec.name, others.collect()))
}

/// The first other memory in use with the fingerprint of a memory.
pub fn twin<'a>(memory: &Memory, others: &'a [Arc<Memory>]) -> Option<&'a Arc<Memory>> {
    let print = print_of(memory)?;
    let mut others = others.iter().filter(|other| other.state == State::Active);
    others.find(|other| other.id != memory.id && print_of(other) == Some(print))
}

/// Lists the evidence for a memory, among the others of its collection.
pub fn evidence(memory: &Memory, others: &[Arc<Memory>]) -> Vec<String> {
    let twin = twin(memory, others).map(|other| format!("{} has its fingerprint", other.id));
    let confirmed = memory.confirmed;
    let confirmed = confirmed.map(|at| format!("confirmed on {}", at.date()));
    let tool = is_from_tool(memory).then(|| "its source is a tool".to_owned());
    [twin, confirmed, tool].into_iter().flatten().collect()
}

/// The store and the fingerprint of a memory, if it has one.
pub fn print_of(memory: &Memory) -> Option<(&StoreId, &str)> {
    let print = memory.field("fingerprint").and_then(Value::as_str);
    let print = print.filter(|print| !print.trim().is_empty())?;
    Some((&memory.id.store, print))
}

/// True if a person confirmed a memory or a tool wrote it; another memory that says the same is no
/// proof (golemcore's specification, 14.3).
pub fn is_proven(memory: &Memory) -> bool {
    memory.confirmed.is_some() || is_from_tool(memory)
}

/// Salience from which on a constraint or a decision has high impact.
const HIGH: f64 = 0.8;

/// The reason to ask before a memory is promoted to a lasting layer; none if nothing has to be asked.
/// Golemcore's specification wants a confirmation or a tool as the source (14.3), and a person's yes for
/// what has high impact (18.2).
pub fn doubt(memory: &Memory) -> Option<String> {
    memory.schema.field("layer")?;
    if !is_proven(memory) {
        return Some("nobody confirmed it, and no tool is its source".to_owned());
    }
    let salience = memory.field("salience").and_then(Value::as_f64)?;
    has_impact(memory.role(Role::Type)?.as_str()?, salience)
        .then(|| format!("it has high impact: salience {salience}"))
}

/// True if a memory of a type directs much of what an agent does.
pub fn has_impact(kind: &str, salience: f64) -> bool {
    matches!(kind, "CONSTRAINT" | "DECISION") && salience >= HIGH
}

fn is_from_tool(memory: &Memory) -> bool {
    let source = memory.field("source").and_then(Value::as_str);
    source.is_some_and(|source| source.to_lowercase().contains("tool"))
}

/// The most lines and characters of a rule; agents are given all of it, always.
const LONGEST_RULE: (usize, usize) = (6, 600);

/// A memory as a rule of one or more lines: all its paragraphs and list items, below its title where
/// that says something else. Headings are left out. Returns why a text that does not fit is no rule.
pub fn rule(title: &str, body: &str) -> Result<String, String> {
    let mut lines: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in body.lines().map(str::trim) {
        let is_at_start = |sign: &&str| line.starts_with(*sign);
        if ["```", "~~~", "|", "<!--"].iter().any(is_at_start) {
            return Err("code, a table or a comment is no line of a rule".to_owned());
        }
        let item = line.strip_prefix("- ").or(line.strip_prefix("* "));
        let number = line.split_once(". ");
        let is_item = item.is_some() || number.is_some_and(|(n, _)| n.parse::<u32>().is_ok());
        match lines.last_mut() {
            _ if line.is_empty() || line.starts_with('#') || line == "---" => is_open = false,
            Some(last) if is_open && !is_item => *last = format!("{last} {line}"),
            _ => {
                lines.push(item.unwrap_or(line).trim().to_owned());
                is_open = true;
            }
        }
    }
    let title = title.trim_end_matches(['…', '.']);
    // A name such as `pool-size` is for links.
    let is_name = title.contains(['-', '_']) && !title.contains(' ');
    match lines.first_mut() {
        None => lines.push(title.to_owned()),
        Some(first) if !is_name && !first.to_lowercase().starts_with(&title.to_lowercase()) => {
            *first = format!("{title}: {first}");
        }
        Some(_) => {}
    }
    let text = lines.join("\n");
    let (most, longest) = LONGEST_RULE;
    let (count, length) = (lines.len(), text.chars().count());
    match count > most || length > longest {
        true => Err(format!(
            "{length} characters in {count} lines are too much for a rule of {longest} in {most}"
        )),
        false => Ok(text),
    }
}

/// The first line of a text that a rule leaves out; none if the rule holds all of it.
pub fn left_out<'t>(body: &'t str, rule: &str) -> Option<&'t str> {
    let words = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
        format!(" {} ", words.collect::<Vec<_>>().join(" "))
    };
    let rule = words(rule);
    let mut lines = body.lines().map(str::trim);
    lines.find(|line| {
        let words = words(line);
        !line.starts_with('#') && !words.trim().is_empty() && !rule.contains(&words)
    })
}

/// A file of rules with one more at its end: a list that ends there goes on, else a new one begins.
/// Further lines of the rule stand below it.
pub fn with_rule(file: &str, rule: &str) -> String {
    let end = if file.contains("\r\n") { "\r\n" } else { "\n" };
    // Existing text keeps its bytes, except for blank lines at the end.
    let head = file.trim_end_matches(['\r', '\n']);
    let mut lines = head.lines().rev();
    let last = lines.find(|line| !line.starts_with(' '));
    let is_import = |line: &str| line.trim_start_matches("- ").starts_with('@');
    let bullets = [("- ", "-"), ("* ", "*")].into_iter();
    let mut bullets = bullets.filter(|(sign, _)| last.is_some_and(|last| last.starts_with(sign)));
    let (gap, bullet) = match (last, bullets.next()) {
        (None, _) => (String::new(), "-"),
        (Some(last), _) if is_import(last) => (format!("{end}{end}## Rules{end}{end}"), "-"),
        (_, Some((_, bullet))) => (end.to_owned(), bullet),
        _ => (format!("{end}{end}"), "-"),
    };
    let rule = rule.replace('\n', &format!("{end}  {bullet} "));
    format!("{head}{gap}{bullet} {rule}{end}")
}
