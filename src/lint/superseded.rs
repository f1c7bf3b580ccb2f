//! Memories that another one has taken the place of.

mod told;

use super::chars::quote;
use super::questions::file_name;
use super::{Finding, Fix, Look, Rule};
use crate::curate::Change;
use crate::memory::{Memory, Severity, State, Value};

/// A memory that was superseded and is still in use.
pub(super) struct SupersededActive;

/// Fields that name what a memory takes the place of.
const SUPERSEDES: [&str; 5] = [
    "supersedes",
    "superseded",
    "replaces",
    "obsoletes",
    "overrides",
];

/// Fields that name what takes the place of a memory.
const SUPERSEDED_BY: [&str; 6] = [
    "superseded_by",
    "supersededBy",
    "superseded-by",
    "replaced_by",
    "replacedBy",
    "replaced-by",
];

/// Fields with the state of a memory, and what they say of one that is over.
const STATES: [&str; 3] = ["status", "state", "lifecycle"];
const OVER: [&str; 6] = [
    "superseded",
    "deprecated",
    "obsolete",
    "replaced",
    "retired",
    "outdated",
];

impl Rule for SupersededActive {
    fn id(&self) -> &'static str {
        "superseded-active"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "a memory that another one has replaced is still in use"
    }

    fn asks(&self) -> bool {
        true
    }

    fn decides(&self, one: &Memory, body: Option<&str>, other: &Memory) -> bool {
        match body {
            Some(body) => body_decides(body, other),
            None => decides(one, other),
        }
    }

    fn compared(&self, memory: &Memory) -> String {
        let fields = said(memory).map(|(field, value)| format!("\n{field}: {value}"));
        fields.collect()
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        let memory = look.memory;
        let says_so = self.own_state(look);
        if let Some(finding) = says_so {
            out.push(finding);
            return;
        }
        let mut named = Vec::new();
        for name in values(memory, &SUPERSEDES).chain(told::supersedes(look.body().1)) {
            // What a link says may be the name of where it goes.
            let Some(old) = find(look, name).filter(|old| !named.contains(old)) else {
                continue;
            };
            named.push(old);
            let Some(other) = look
                .cx
                .memories
                .get(old)
                .filter(|other| other.state == State::Active && !other.is_expired(look.now()))
            else {
                continue;
            };
            // One that says so itself is reported where it stands.
            if old == look.index
                || values(other, &SUPERSEDED_BY).next().is_some()
                || says_it_is_over(look, other)
                || look.cx.answered(self.id(), old, look.index)
            {
                continue;
            }
            let mut finding = look.finding(
                self.id(),
                self.severity(),
                super::place::Place::start(other.line),
            );
            finding.memory = old;
            let archive = Change::Archive(vec![other.id.clone()]);
            let fix = Fix {
                memory: old,
                ..look.fix("archive it", archive)
            };
            out.push(
                finding
                    .sure(0.95)
                    .says(format!(
                        "{} supersedes this memory, which is still in use",
                        quote(&memory.id.to_string())
                    ))
                    .because(format!("it names {}", quote(name)))
                    .beside([look.index])
                    .asking()
                    .fixed_by(Some(fix)),
            );
        }
    }
}

impl SupersededActive {
    /// What a memory says of itself: a field, or the first words of its body.
    fn own_state(&self, look: &Look<'_>) -> Option<Finding> {
        let memory = look.memory;
        let by = values(memory, &SUPERSEDED_BY).next();
        let field = SUPERSEDED_BY
            .iter()
            .chain(&STATES)
            .find(|name| memory.field(name).is_some());
        let state =
            values(memory, &STATES).find(|state| OVER.contains(&state.to_lowercase().as_str()));
        let (start, body) = look.body();
        let over = told::over(body).filter(|over| speaks_of_its_memory(look, over) != Some(false));
        if by.is_none() && state.is_none() && over.is_none() {
            return None;
        }
        let place = match field {
            Some(field) if by.is_some() || state.is_some() => look.at_field(field, None),
            _ => look.at(start + over.as_ref().map_or(0, |over| over.at)),
        };
        let named = over.iter().flat_map(|over| over.by.iter().copied());
        let mut named = by.into_iter().chain(named);
        let other = named.find_map(|name| find(look, name));
        let other = other.filter(|other| *other != look.index);
        if other.is_some_and(|other| look.cx.answered(self.id(), look.index, other)) {
            return None;
        }
        // Where what took its place is no memory that is there, it may be said of another thing.
        let told = over
            .as_ref()
            .and_then(|over| speaks_of_its_memory(look, over));
        let unsure = by.is_none() && state.is_none() && told.is_none();
        let (severity, sure) = match unsure {
            true => (Severity::Info, 0.5),
            false => (self.severity(), 0.9),
        };
        let finding = look.finding(self.id(), severity, place).sure(sure);
        let finding = match (by, state) {
            (Some(by), _) => finding.because(format!("{} is named as what replaced it", quote(by))),
            (None, Some(state)) => finding.because(format!("its state is {}", quote(state))),
            (None, None) => {
                let word = over.map_or("", |over| over.word);
                finding.because(format!("its body begins with {}", quote(word)))
            }
        };
        Some(
            finding
                .says("this memory was replaced, and is still in use")
                .beside(other)
                .asking()
                .fixed_by(look.archive().filter(|_| !unsure)),
        )
    }
}

/// Whether what a body begins with is said of its memory; nothing where that cannot be told.
fn speaks_of_its_memory(look: &Look<'_>, over: &told::Over<'_>) -> Option<bool> {
    let known = || over.by.iter().any(|name| find(look, name).is_some());
    match over.of {
        told::Of::Itself => Some(true),
        _ if known() => Some(true),
        told::Of::Successor => None,
        told::Of::Thing => Some(false),
    }
}

/// Whether a field of one of two memories says that it takes the other's place.
fn decides(a: &Memory, b: &Memory) -> bool {
    let names = |one: &Memory, other: &Memory| {
        values(one, &SUPERSEDES)
            .chain(values(one, &SUPERSEDED_BY))
            .any(|name| is(name, other))
    };
    names(a, b) || names(b, a)
}

/// Whether the body of a memory says that it takes the place of another, or that this takes its.
fn body_decides(body: &str, other: &Memory) -> bool {
    let over = told::over(body).map(|over| over.by).unwrap_or_default();
    let mut names = told::supersedes(body).into_iter().chain(over);
    names.any(|name| is(name, other))
}

/// Whether the body of another memory begins with that it is over.
fn says_it_is_over(look: &Look<'_>, other: &std::sync::Arc<Memory>) -> bool {
    let text = look.cx.texts.text(other).unwrap_or_default();
    let body = text.get(super::look::body_range(other, &text));
    let over = body.and_then(told::over);
    over.is_some_and(|over| speaks_of_its_memory(look, &over) == Some(true))
}

/// What the fields of a memory say of what replaces what.
fn said(memory: &Memory) -> impl Iterator<Item = (&'static str, &Value)> {
    let names = SUPERSEDES.iter().chain(&SUPERSEDED_BY).chain(&STATES);
    names.filter_map(|name| Some((*name, memory.field(name)?)))
}

/// The texts of the fields with these names.
fn values<'m>(memory: &'m Memory, names: &'static [&'static str]) -> impl Iterator<Item = &'m str> {
    let fields = names.iter().filter_map(|name| memory.field(name));
    fields
        .flat_map(Value::items)
        .filter_map(Value::as_str)
        .filter(|text| !text.trim().is_empty())
}

fn is(name: &str, memory: &Memory) -> bool {
    let name = bare(name);
    let id = &memory.id;
    name == &*id.local || name == file_name(&id.local) || name == id.to_string()
}

/// A name without the marks of links and the ending of files.
fn bare(name: &str) -> &str {
    let name = name.trim().trim_start_matches("[[").trim_end_matches("]]");
    let name = name.trim_start_matches("./");
    name.trim_end_matches(".md").trim_end_matches(".mdc")
}

fn find(look: &Look<'_>, name: &str) -> Option<usize> {
    let store = &look.memory.id.store;
    let name = bare(name);
    let local = name.strip_prefix(&format!("{store}:")).unwrap_or(name);
    look.local(local)
}
