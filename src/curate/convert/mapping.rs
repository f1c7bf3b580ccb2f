//! Maps a field of one format to another: by its role, with values derived from other fields.

use super::fields::{RoleFields, is_on_task, is_rule};
use crate::memory::format::{Broken, table_of};
use crate::memory::schema::{FieldSpec, Kind, Style};
use crate::memory::{Role, Schema, Timestamp, Value};
use crate::retrieval::phrase::{Lexicon, meaning, needs};

/// How a system attaches a memory, whatever it calls that: the settings of tables that name the words
/// of their formats for them.
const ALWAYS: &str = "always";
const GLOB: &str = "glob";
const DESCRIPTION: &str = "description";
const MANUAL: &str = "manual";

/// The words that a description begins with which says when a memory is of use.
const WHEN: &str = "Use when ";

/// The word that a case may begin with.
const LEAD: &str = "when ";

/// Separator between several such cases.
const OR: &str = "; ";

/// Words of the longest phrase that is a case.
const LONGEST: usize = 10;

/// The value that a field of another format gets from these; none where they do not say.
pub(super) fn mapped(
    from: &RoleFields,
    to: &'static Schema,
    spec: &'static FieldSpec,
) -> Option<Value> {
    if from.schema == to {
        return from.get(spec.name).cloned();
    }
    // A system fills some fields by itself.
    if to.follows.contains(&spec.name) && spec.role != Role::Updated {
        return None;
    }
    let own = |role| from.role(role).map(|(_, value)| value);
    match spec.role {
        Role::Title => (!from.title.is_empty()).then(|| from.title.as_str().into()),
        Role::Importance => importance(from, spec),
        Role::Mode => mode(from, to, spec),
        Role::Patterns => patterns(from, to, spec),
        Role::Description => description(from, to, spec),
        Role::Type => own(Role::Type).and_then(|value| word(spec, value)),
        Role::Tags => own(Role::Tags).map(|value| words(value).into_iter().collect()),
        Role::Created | Role::Updated => own(spec.role).and_then(|value| date(value, to)),
        Role::Author => own(Role::Author).cloned(),
        Role::Relations => relations(from, to),
        Role::Id | Role::Plain => plain(from, to, spec),
    }
}

/// True if a field's value stands in a memory made of it: in a field of the same part, or in one
/// from which the other format's own reader would take the same.
pub(super) fn is_mapped(
    (from, made): (&RoleFields, &RoleFields),
    spec: &'static FieldSpec,
    value: &Value,
) -> bool {
    let (own, to) = (from.schema, made.schema);
    let is_part = |one: &&FieldSpec| match spec.role {
        Role::Id | Role::Plain => one.name == spec.name,
        Role::Patterns => one.role == spec.role && is_on_task(own) == is_on_task(to),
        role => one.role == role,
    };
    let mut parts = to.fields.iter().filter(is_part);
    let instead = match spec.role {
        Role::Patterns => {
            is_on_task(own) && phrases(from).is_some() && to.role(Role::Description).is_some()
        }
        Role::Description => is_on_task(to) && is_phrase(&value.to_string()),
        _ => false,
    };
    let usual = spec.default_value();
    instead
        || usual.as_ref() == Some(value)
        || parts.any(|one| mapped(from, to, one).is_some())
        || mapped(made, own, spec).as_ref() == Some(value)
}

/// True if a text is a phrase that a task may contain, without characters that mean something to a
/// matcher.
fn is_phrase(text: &str) -> bool {
    let is_short = text.split_whitespace().count() <= LONGEST;
    is_short && needs(text, &mut Lexicon::default()).is_some()
}

/// A text at its commas, those inside of brackets left alone.
pub fn at_commas(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let is_end = |c: char| {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    let parts = text.split(is_end).map(str::trim);
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(ToOwned::to_owned).collect()
}

fn words(value: &Value) -> Vec<Value> {
    match value {
        Value::Text(text) => at_commas(text).into_iter().map(Value::from).collect(),
        value => value.items().cloned().collect(),
    }
}

/// The patterns of a memory where its format compares them with tasks, or with files.
fn patterns_on(from: &RoleFields, tasks: bool) -> Vec<String> {
    let value = from.role(Role::Patterns);
    let value = value.filter(|_| is_on_task(from.schema) == tasks);
    match value {
        Some((_, Value::Text(text))) if !tasks => at_commas(text),
        Some((_, value)) => value.items().map(ToString::to_string).collect(),
        None => Vec::new(),
    }
}

/// True if there are patterns and each matches all files.
fn is_all(files: &[String]) -> bool {
    let mut all = files.iter().map(String::as_str);
    !files.is_empty() && all.all(|file| matches!(file, "**" | "**/*" | "*"))
}

fn text_of(from: &RoleFields, role: Role) -> Option<String> {
    let (_, value) = from.role(role)?;
    Some(value.to_string()).filter(|text| !text.trim().is_empty())
}

/// How a memory is attached, and whether that is said of it alone and not of its whole format.
fn attached(from: &RoleFields) -> Option<(&'static str, bool)> {
    let files = patterns_on(from, false);
    let described = || description_text(from).map(|_| DESCRIPTION);
    let by_fields = || match files.as_slice() {
        [] => described(),
        _ => Some(GLOB),
    };
    let setting = |name: &str| from.table.and_then(|table| table.settings.get(name));
    if let Some(spec) = from.schema.role(Role::Mode) {
        let own = text_of(from, Role::Mode);
        let is_own = own.is_some() && !from.implies_mode;
        let own = own.or_else(|| setting("otherwise").cloned());
        let own = own.or_else(|| spec.default.map(ToOwned::to_owned));
        let mut modes = [ALWAYS, GLOB, DESCRIPTION, MANUAL].into_iter();
        let named = modes.find(|mode| setting(mode).is_some_and(|word| own.as_ref() == Some(word)));
        return Some((named.or_else(by_fields).unwrap_or(MANUAL), is_own));
    }
    if let Some((spec, value)) = from.role(Role::Importance) {
        if level(spec, value).is_some_and(|level| level >= 1.0) {
            return Some((ALWAYS, true));
        }
    } else if is_all(&files) {
        return Some((ALWAYS, true));
    } else if from.schema.policy == "always" && files.is_empty() {
        return Some((ALWAYS, false));
    }
    by_fields().map(|mode| (mode, true))
}

/// How high a value stands among those of its field, up to 1.
fn level(spec: &FieldSpec, value: &Value) -> Option<f64> {
    match spec.kind {
        Kind::Choice(words) => {
            let text = value.as_str()?;
            let is_it = |word: &&str| word.eq_ignore_ascii_case(text);
            let at = words.iter().position(is_it)?;
            Some((at + 1) as f64 / words.len() as f64)
        }
        Kind::Number((low, high)) if low.is_finite() && high > low && high - low < 1e6 => {
            let number = value.as_f64()?;
            Some(((number - low) / (high - low)).clamp(0.0, 1.0))
        }
        _ => None,
    }
}

fn at_level(spec: &FieldSpec, level: f64) -> Option<Value> {
    match spec.kind {
        Kind::Choice(words) => {
            let at = (level * words.len() as f64).ceil() as usize;
            let word = words.get(at.saturating_sub(1)).or(words.last());
            word.map(|word| Value::from(*word))
        }
        Kind::Number((low, high)) => {
            let number = low + level * (high - low);
            Some(Value::Float((number * 100.0).round() / 100.0))
        }
        _ => None,
    }
}

fn importance(from: &RoleFields, spec: &FieldSpec) -> Option<Value> {
    if let Some((own, value)) = from.role(Role::Importance) {
        let word = word(spec, value).filter(|_| matches!(spec.kind, Kind::Choice(_)));
        return word.or_else(|| at_level(spec, level(own, value)?));
    }
    match attached(from) {
        Some((ALWAYS, true)) => at_level(spec, 1.0),
        _ => None,
    }
}

fn mode(from: &RoleFields, to: &'static Schema, spec: &FieldSpec) -> Option<Value> {
    let (mode, _) = attached(from)?;
    let table = table_of(to)?;
    let setting = |mode: &str| table.settings.get(mode);
    if spec.kind == Kind::Bool {
        return Some(Value::Bool(mode == ALWAYS));
    }
    let described = description_text(from).is_some();
    let instead = || match mode {
        GLOB if described => setting(DESCRIPTION),
        GLOB | DESCRIPTION => setting(MANUAL),
        _ => None,
    };
    let word = setting(mode).or_else(instead);
    word.map(|word| word.as_str().into())
}

/// A list of patterns as a format writes it: a reader of lines takes one text with commas.
fn pattern_value(all: Vec<String>, to: &'static Schema, spec: &FieldSpec) -> Option<Value> {
    let in_lines = table_of(to).is_some_and(|table| table.frontmatter == Broken::Lines);
    match all.as_slice() {
        [] => None,
        _ if in_lines => Some(all.join(",").into()),
        [one] if spec.style == Style::Quoted => Some(one.as_str().into()),
        _ => Some(all.into_iter().map(Value::from).collect()),
    }
}

fn patterns(from: &RoleFields, to: &'static Schema, spec: &FieldSpec) -> Option<Value> {
    if !is_on_task(to) {
        let by_mode = to.role(Role::Mode).is_none() && to.policy == "globs";
        let is_always = matches!(attached(from), Some((ALWAYS, _)));
        if by_mode && is_always {
            return Some("**".into());
        }
        let files = patterns_on(from, false);
        // The mode `always` replaces patterns that match all files.
        let is_mode = from.schema.role(Role::Mode).is_none() && to.role(Role::Mode).is_some();
        let files = Some(files).filter(|files| !(is_mode && is_all(files)));
        return pattern_value(files.unwrap_or_default(), to, spec);
    }
    let own = patterns_on(from, true);
    if !own.is_empty() {
        return pattern_value(own, to, spec);
    }
    let text = text_of(from, Role::Description)?;
    let text = text.trim().trim_end_matches('.');
    let cases: Vec<&str> = match text.split_at_checked(WHEN.len()) {
        Some((when, rest)) if when.eq_ignore_ascii_case(WHEN) => rest.split(OR).collect(),
        _ => vec![text],
    };
    let is_case = cases != [text];
    let phrases = cases.into_iter().filter(|one| is_phrase(one));
    let mut own: Vec<String> = phrases.map(ToOwned::to_owned).collect();
    // A whole sentence rarely stands in a task: words of the title do.
    if !is_case || own.is_empty() {
        let others = own_pattern(from);
        let others = others.items().map(ToString::to_string);
        own.extend(others.filter(|one| !one.is_empty()));
    }
    pattern_value(own, to, spec)
}

/// The description of a memory: its own, else the cases that it is for, else one made of its text.
fn description_text(from: &RoleFields) -> Option<String> {
    let own = text_of(from, Role::Description);
    let own = own.or_else(|| phrases(from));
    own.or_else(|| from.lead.clone().filter(|_| !is_rule(from.schema)))
}

/// The cases that a memory is for as a sentence, if all its patterns on tasks are phrases: another
/// pattern is no text to read.
fn phrases(from: &RoleFields) -> Option<String> {
    let cases = patterns_on(from, true);
    let is_prose = !cases.is_empty() && cases.iter().all(|one| is_phrase(one));
    is_prose.then(|| {
        let all = cases.join(OR);
        let all = match all.split_at_checked(LEAD.len()) {
            Some((when, rest)) if when.eq_ignore_ascii_case(LEAD) => rest,
            _ => &all,
        };
        format!("{WHEN}{all}")
    })
}

fn description(from: &RoleFields, to: &'static Schema, spec: &FieldSpec) -> Option<Value> {
    let text = description_text(from);
    // A system without modes and patterns chooses by descriptions alone.
    let text = text.or_else(|| from.lead.clone().filter(|_| !is_rule(to)));
    text.map(|text| described(&text, spec))
}

fn described(text: &str, spec: &FieldSpec) -> Value {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match spec.style {
        // Its reader takes quotes for a part of the text, and a colon for the end of a key.
        Style::Bare => line.replace(": ", " – ").trim_matches(['"', '\'']).into(),
        _ if line == text.trim() => text.into(),
        _ => line.into(),
    }
}

/// A word of a choice, in its own spelling; any word where every word fits.
fn word(spec: &FieldSpec, value: &Value) -> Option<Value> {
    let plain = |word: &str| {
        let letters = word.chars().filter(|c| c.is_alphanumeric());
        letters.collect::<String>().to_lowercase()
    };
    let text = value.as_str()?;
    match spec.kind {
        Kind::Choice(words) => {
            let found = words.iter().find(|word| plain(word) == plain(text));
            found.map(|word| Value::from(*word))
        }
        Kind::Text => Some(value.clone()),
        _ => None,
    }
}

/// A date as a format takes it: a day, or a point in time.
fn date(value: &Value, to: &'static Schema) -> Option<Value> {
    let at = Timestamp::of_value(value)?;
    if to.can.undated_is_today {
        return Some(at.date().into());
    }
    if table_of(to).is_none() {
        return Some(at.to_rfc3339().into());
    }
    Some(value.clone())
}

/// Names of memories, between formats that name files.
fn relations(from: &RoleFields, to: &'static Schema) -> Option<Value> {
    let (_, value) = from.role(Role::Relations)?;
    let are_files = from.table.is_some() && table_of(to).is_some();
    are_files.then(|| value.items().cloned().collect())
}

/// A field of the same name and kind, where neither plays a part.
fn plain(from: &RoleFields, to: &'static Schema, spec: &FieldSpec) -> Option<Value> {
    let own = from.spec(spec.name)?;
    let alike = own.role == Role::Plain && own.kind == spec.kind;
    let are_tables = from.table.is_some() && table_of(to).is_some();
    from.get(spec.name).filter(|_| alike && are_tables).cloned()
}

/// The pattern of a memory's own title and tags.
pub(super) fn own_pattern(from: &RoleFields) -> Value {
    let tags = from.role(Role::Tags).map(|(_, value)| words(value));
    let tags: Vec<String> = tags.iter().flatten().map(ToString::to_string).collect();
    words_pattern(&from.title, &tags)
}

/// A pattern that brings a memory in where a task has a word of its title or tags.
pub fn words_pattern(title: &str, tags: &[String]) -> Value {
    let tags = tags.iter().map(|tag| tag.trim().to_lowercase());
    let mut words: Vec<String> = tags.filter(|tag| !tag.is_empty()).collect();
    let own = meaning(title);
    let long = own.iter().filter(|word| word.chars().count() > 2);
    for word in long {
        if !words.contains(word) {
            words.push(word.clone());
        }
    }
    // A pattern without a word matches every task.
    if words.is_empty() {
        let title = title.trim().to_lowercase();
        words.extend(own.into_iter().next().or(Some(title)));
    }
    std::iter::once(Value::from(words.join("|"))).collect()
}
