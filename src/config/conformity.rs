//! The JSON Schema of configuration files, and files compared with it: every key with its place.
//!
//! ```text
//! assets/schemas/config.json ─ names of rules, formats, … filled in ─> Schema
//!                                  ├─> check()     every mistake of a file
//!                                  └─> settings()  every key with its value and its origin
//! ```

use std::ops::Range;
use std::path::Path;

use itertools::Itertools as _;
use regex::Regex;
use serde::Serialize;
use serde_json::{Value as Json, json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ConfigError, PERSONAL, Settings, personal};
use crate::lint::{self, tuning};
use crate::systems;

/// The bundled schema, with the names of lists in the place of their items.
const BUNDLED: &str = include_str!("../../assets/schemas/config.json");

/// The schema of configuration files.
pub struct Schema {
    /// The JSON Schema.
    pub json: Json,
    /// True if a text names a key.
    is_key: fn(&str) -> bool,
}

/// Text of settings with the place that it comes from.
#[derive(Default)]
pub struct Layer {
    /// The file, or the variable.
    pub origin: String,
    /// The settings as TOML.
    pub text: String,
    /// True if the text is the file's own, so that a line number can be opened.
    pub is_file: bool,
    /// True if keys that only a person sets have no effect.
    pub is_projects: bool,
}

/// A setting that is in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// Its key, dotted.
    pub key: String,
    /// Its value as TOML.
    pub value: String,
    /// Its layer, with the line in a file.
    pub origin: String,
}

impl Schema {
    /// The schema with these names; `named` gives the items of the list with a name.
    pub fn new(named: &dyn Fn(&str) -> Vec<String>, is_key: fn(&str) -> bool) -> Self {
        let mut json = serde_json::from_str(BUNDLED).unwrap_or_default();
        fill(&mut json, named);
        Self { json, is_key }
    }

    fn resolved<'s>(&'s self, part: &'s Json) -> &'s Json {
        let target = part.get("$ref").and_then(Json::as_str);
        let target = target.and_then(|target| self.json.pointer(target.strip_prefix('#')?));
        target.unwrap_or(part)
    }

    /// The schema of a key of a table; none if there is no such key.
    fn of_key<'s>(&'s self, table: &'s Json, key: &str) -> Option<&'s Json> {
        let own = table.get("properties").and_then(|own| own.get(key));
        let other = table.get("additionalProperties");
        let part = own.or_else(|| other.filter(|other| other.is_object()))?;
        Some(self.resolved(part))
    }

    /// Every mistake of a file, in its order; personal keys are mistakes in a project's file.
    pub fn check(&self, path: &Path, text: &str, is_projects: bool) -> Vec<ConfigError> {
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut check = Check::new(self, is_projects);
        for error in errors {
            let at = error.span().map_or(0, |span| span.start);
            check.add(at, error.message().to_owned());
        }
        if check.found.is_empty() {
            check.table(&self.json, "", (table.get_ref(), table.span()));
        }
        check.found.sort_unstable();
        let errors = check.found.into_iter();
        let errors = errors.map(|(at, message)| ConfigError::at(path, text, at, message));
        let mut errors = errors.collect_vec();
        if errors.is_empty() {
            let read = match is_projects {
                true => Settings::of_project(path, text).map(|_| ()),
                false => Settings::parse(path, text).map(|_| ()),
            };
            errors.extend(read.err());
        }
        errors
    }

    /// The first mistake in the settings of lint: its byte and why.
    pub fn lint_mistake(&self, lint: &Spanned<DeValue<'_>>) -> Option<(usize, String)> {
        let mut check = Check::new(self, false);
        let part = self.of_key(&self.json, "lint")?;
        check.value(part, "lint", (lint.get_ref(), lint.span()));
        check.found.into_iter().min()
    }

    /// Every setting of some layers, the first of which wins, and every default.
    pub fn settings(&self, layers: &[Layer]) -> Vec<Setting> {
        let tables = layers.iter().filter_map(|layer| {
            let table = DeTable::parse(&layer.text).ok()?;
            Some((layer, table.into_inner()))
        });
        let mut found: Vec<Setting> = Vec::new();
        for (layer, table) in &tables.collect_vec() {
            self.collect(&self.json, "", layer, table, &mut found);
        }
        self.defaults(&self.json, "", &mut found);
        // TOML has keys of a table behind those that stand alone.
        found.sort_by_cached_key(|one| (one.key.contains('.'), one.key.clone()));
        found
    }

    fn collect(
        &self,
        schema: &Json,
        above: &str,
        layer: &Layer,
        table: &DeTable<'_>,
        found: &mut Vec<Setting>,
    ) {
        for (name, value) in table {
            let Some(part) = self.of_key(schema, name.get_ref()) else {
                continue;
            };
            if layer.is_projects && part.get("x-personal").is_some() {
                continue;
            }
            let key = dotted(above, name.get_ref());
            if let DeValue::Table(inner) = value.get_ref() {
                self.collect(part, &key, layer, inner, found);
                continue;
            }
            let value = layer.text.get(value.span()).unwrap_or_default();
            let value = value.lines().map(str::trim).join(" ");
            let (line, _) = super::place(&layer.text, name.span().start);
            let origin = match layer.is_file {
                true => format!("{}:{line}", layer.origin),
                false => layer.origin.clone(),
            };
            match found.iter_mut().find(|known| known.key == key) {
                // Stores of all layers are opened.
                Some(known) if key == "stores" => {
                    let old = known.value.trim_end_matches(']');
                    known.value = format!("{old}, {}", value.trim_start_matches('['));
                    known.origin += &format!(", {origin}");
                }
                Some(_) => {}
                None => found.push(Setting { key, value, origin }),
            }
        }
    }

    fn defaults(&self, schema: &Json, above: &str, found: &mut Vec<Setting>) {
        let own = schema.get("properties").and_then(Json::as_object);
        for (name, part) in own.into_iter().flatten() {
            let (key, part) = (dotted(above, name), self.resolved(part));
            self.defaults(part, &key, found);
            let value = part.get("default").map(ToString::to_string);
            let value = value.filter(|_| found.iter().all(|known| known.key != key));
            found.extend(value.map(|value| Setting {
                key,
                value,
                origin: "default".to_owned(),
            }));
        }
    }
}

fn dotted(above: &str, name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let name = match name.chars().all(is_bare) && !name.is_empty() {
        true => name.to_owned(),
        false => Json::from(name).to_string(),
    };
    match above {
        "" => name,
        above => format!("{above}.{name}"),
    }
}

/// Puts lists in the place of their names, and the thresholds of each rule in theirs.
fn fill(part: &mut Json, named: &dyn Fn(&str) -> Vec<String>) {
    if let Json::Object(own) = part {
        if let Some(Json::String(name)) = own.shift_remove("x-values") {
            own.insert("enum".to_owned(), named(&name).into());
        }
        if own.shift_remove("x-thresholds").is_some() {
            let rules = lint::RULES.iter().map(|rule| {
                let all = tuning::thresholds(rule.id).map(|known| {
                    let (least, most) = known.range;
                    let number = json!({
                        "type": "number", "description": known.what,
                        "minimum": least, "maximum": most,
                    });
                    (known.name.to_owned(), number)
                });
                let all: serde_json::Map<_, _> = all.collect();
                let table =
                    json!({ "type": "object", "additionalProperties": false, "properties": all });
                (rule.id.to_owned(), table)
            });
            let rules: serde_json::Map<_, _> = rules.collect();
            own.insert("properties".to_owned(), rules.into());
        }
        own.values_mut().for_each(|inner| fill(inner, named));
    }
}

/// The mistakes of a file so far, each with its byte.
struct Check<'s> {
    schema: &'s Schema,
    is_projects: bool,
    found: Vec<(usize, String)>,
}

impl<'s> Check<'s> {
    const fn new(schema: &'s Schema, is_projects: bool) -> Self {
        Self {
            schema,
            is_projects,
            found: Vec::new(),
        }
    }

    fn add(&mut self, at: usize, message: String) {
        self.found.push((at, message));
    }

    fn table(&mut self, schema: &Json, name: &str, (table, span): (&DeTable<'_>, Range<usize>)) {
        let is_top = name.is_empty();
        for (key, value) in table {
            let (word, at) = (key.get_ref(), key.span().start);
            let part = self.schema.of_key(schema, word);
            let is_personal = part.is_some_and(|part| part.get("x-personal").is_some());
            let is_personal = is_personal || is_top && PERSONAL.contains(&&**word);
            if self.is_projects && is_personal {
                self.add(at, personal(word));
                continue;
            }
            let names = schema.get("propertyNames").and_then(words);
            let wrong = names.and_then(|names| unknown(&names, "name", word));
            let format = word.split('@').next().unwrap_or_default();
            let stores = || systems::names().collect_vec();
            let is_store = schema.get("x-stores").is_some();
            let wrong = wrong.or_else(|| unknown(&stores(), "store", format).filter(|_| is_store));
            if let Some(wrong) = wrong {
                self.add(at, wrong);
                continue;
            }
            match part {
                Some(part) => self.value(part, word, (value.get_ref(), value.span())),
                None => {
                    let own = schema.get("properties").and_then(Json::as_object);
                    let known = own.into_iter().flat_map(|own| own.keys());
                    let known = known.map(String::as_str).collect_vec();
                    let wrong = unknown(&known, "key", word);
                    self.add(at, wrong.unwrap_or_else(|| format!("unknown key `{word}`")));
                }
            }
        }
        let required = schema.get("required").and_then(Json::as_array);
        let required = required.into_iter().flatten().filter_map(Json::as_str);
        for missing in required.filter(|wanted| !table.contains_key(*wanted)) {
            self.add(span.start, format!("`{missing}` is missing"));
        }
    }

    fn value(&mut self, schema: &Json, name: &str, (value, span): (&DeValue<'_>, Range<usize>)) {
        let (at, schema) = (span.start, self.schema.resolved(schema));
        let wanted = schema.get("type").and_then(Json::as_str);
        let wanted = wanted.unwrap_or("object");
        let is_it = match (wanted, value.type_str()) {
            ("object", got) => got == "table",
            ("number", got) => matches!(got, "integer" | "float"),
            (wanted, got) => wanted == got,
        };
        if !is_it {
            let got = if value.is_integer() {
                "number"
            } else {
                value.type_str()
            };
            let [got, wanted] = [got, wanted].map(type_name);
            return self.add(at, format!("`{name}` is {got}, not {wanted}"));
        }
        match value {
            DeValue::Table(table) => self.table(schema, name, (table, span)),
            DeValue::Array(items) => {
                let least = schema.get("minItems").and_then(Json::as_u64);
                if (items.len() as u64) < least.unwrap_or_default() {
                    self.add(at, format!("`{name}` is empty"));
                }
                for item in items.iter() {
                    let inner = (item.get_ref(), item.span());
                    self.value(schema.get("items").unwrap_or(&Json::Null), name, inner);
                }
            }
            DeValue::String(text) => {
                let wrong = self.wrong_text(schema, name, text);
                wrong.into_iter().for_each(|wrong| self.add(at, wrong));
            }
            number => {
                let number = number.as_integer().map(|one| one.as_str());
                let number = number.or_else(|| value.as_float().map(|one| one.as_str()));
                let number = number.and_then(|text| text.replace('_', "").parse::<f64>().ok());
                let limit = |key| schema.get(key).and_then(Json::as_f64);
                let (least, most) = (limit("minimum"), limit("maximum"));
                let fits = |number: &f64| {
                    least.is_none_or(|least| *number >= least)
                        && most.is_none_or(|most| *number <= most)
                };
                if let Some(number) = number.filter(|number| !fits(number)) {
                    let most = most.map_or(String::new(), |most| format!(" and at most {most}"));
                    let least = least.unwrap_or_default();
                    let why = format!("`{name}` is {number}; it is at least {least}{most}");
                    self.add(at, why);
                }
            }
        }
    }

    /// Why a text cannot be the value of a key.
    fn wrong_text(&self, schema: &Json, name: &str, text: &str) -> Option<String> {
        if let Some(known) = words(schema) {
            return unknown(&known, "value", text).map(|wrong| format!("`{name}`: {wrong}"));
        }
        let pattern = schema.get("pattern").and_then(Json::as_str);
        let pattern = pattern.and_then(|pattern| Regex::new(pattern).ok());
        if pattern.is_some_and(|pattern| !pattern.is_match(text)) {
            let examples = schema.get("examples").and_then(Json::as_array);
            let examples = examples.into_iter().flatten();
            let examples = examples.filter_map(Json::as_str).join(", ");
            return Some(format!("`{name}` is `{text}`; write it like {examples}"));
        }
        let is_key = schema.get("format").is_none() || (self.schema.is_key)(text);
        (!is_key).then(|| format!("`{name}`: no key is called `{text}`"))
    }
}

fn type_name(word: &str) -> &'static str {
    match word {
        "string" => "text",
        "integer" => "a whole number",
        "array" => "a list",
        "table" | "object" => "a table",
        "boolean" => "true or false",
        "datetime" => "a date",
        _ => "a number",
    }
}

fn words(schema: &Json) -> Option<Vec<&str>> {
    let all = schema.get("enum")?.as_array()?;
    Some(all.iter().filter_map(Json::as_str).collect())
}

/// The message about a word that is not among those known, with the nearest one.
fn unknown(known: &[&str], what: &str, word: &str) -> Option<String> {
    if known.contains(&word) {
        return None;
    }
    Some(match lint::nearest(word, known.iter().copied()) {
        Some(near) => format!("unknown {what} `{word}`; did you mean `{near}`?"),
        None if known.len() > 12 => format!("unknown {what} `{word}`"),
        None => format!("unknown {what} `{word}`; known: {}", known.join(", ")),
    })
}
