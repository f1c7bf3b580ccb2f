//! Lists inside the layers as fields: their values as the JSON has them, and the way back, which
//! keeps the bytes of every entry and member that stays.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::layers::{Layers, of};
use crate::memory::json::splice as json;
use crate::memory::{Fields, Value};

/// A field that is a member of a layer and no list; for lists see [`Part`].
#[derive(Debug)]
pub struct Member {
    /// The field.
    pub field: &'static str,
    /// The column of the layer.
    pub layer: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// The column that repeats it; empty where none does.
    pub mirror: &'static str,
}

/// All of them, each part of a [`Member`] in its order.
const MEMBERS: [[&str; 4]; 9] = [
    ["goal", "intent", "goal", "intent_goal"],
    ["type", "intent", "task_type", "intent_type"],
    ["context", "intent", "context", ""],
    ["approach_chosen", "reasoning", "approach_chosen", ""],
    ["why_chosen", "reasoning", "why_chosen", ""],
    ["success", "outcome", "success", "outcome_success"],
    ["summary", "outcome", "summary", "outcome_summary"],
    ["failure_reason", "outcome", "failure_reason", ""],
    ["failure_category", "outcome", "failure_category", ""],
];

impl Member {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let all = MEMBERS.into_iter();
        all.map(|[field, layer, name, mirror]| Self {
            field,
            layer,
            name,
            mirror,
        })
    }

    /// The member that a field stands for.
    pub fn named(field: &str) -> Option<Self> {
        Self::all().find(|member| member.field == field)
    }
}

/// A list inside a layer, or one entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The field.
    pub field: &'static str,
    /// The column of the layer.
    pub layer: &'static str,
    /// The member that a new entry must have; empty where entries are texts.
    first: &'static str,
    /// True if it is one entry and no list.
    single: bool,
}

/// All of them, in the order of the layers (`rum-memory-schema`, layers 1 to 5): the field, the
/// layer, and the member that a new entry must have.
const PARTS: [[&str; 3]; 12] = [
    ["constraints", "intent", ""],
    ["observations", "perception", "what"],
    ["relevant_files", "perception", "path"],
    ["patterns_noticed", "perception", ""],
    ["anomalies", "perception", ""],
    ["alternatives_considered", "reasoning", "approach"],
    ["assumptions", "reasoning", ""],
    ["risks_identified", "reasoning", ""],
    ["actions", "actions", "type"],
    ["learnings", "outcome", ""],
    [SINGLE, "outcome", "type"],
    ["follow_up_needed", "outcome", ""],
];

/// The field of one entry.
const SINGLE: &str = "verified_by";

impl Part {
    fn all() -> impl Iterator<Item = Self> {
        PARTS.into_iter().map(|[field, layer, first]| Self {
            field,
            layer,
            first,
            single: field == SINGLE,
        })
    }

    /// The part that a field stands for.
    pub fn named(field: &str) -> Option<Self> {
        Self::all().find(|part| part.field == field)
    }

    /// True if the layer itself is the list.
    fn is_layer(&self) -> bool {
        self.field == self.layer
    }

    /// The value in a layer; none where there is no entry.
    pub fn get(&self, layer: &Json) -> Option<Value> {
        let own = match self.is_layer() {
            true => layer,
            false => of(layer, self.field),
        };
        match own {
            Json::Null => None,
            Json::Array(items) if items.is_empty() => None,
            Json::Array(_) => Some(own.clone().into()),
            one if self.single => Some(one.clone().into()),
            one => Some(std::iter::once(Value::from(one.clone())).collect()),
        }
    }

    /// The text of a layer with another value; why it cannot be. `layer` is the text as it is.
    pub fn put(&self, layer: Option<&str>, value: Option<&Value>) -> Result<String, String> {
        let new: Vec<&Value> = value.into_iter().flat_map(Value::items).collect();
        if self.single && new.len() > 1 {
            return Err(format!("`{}` is one entry", self.field));
        }
        let is_same = |layer: &&str| {
            let read = serde_json::from_str(layer).ok();
            read.is_some_and(|read| self.get(&read).as_ref() == value)
        };
        if let Some(layer) = layer.filter(is_same) {
            return Ok(layer.to_owned());
        }
        let own = match layer {
            Some(layer) if !self.is_layer() => json::member(layer, self.field),
            own => own,
        };
        let own = own.filter(|own| *own != "null");
        let is_list = own.map_or(!self.single, |own| own.trim_start().starts_with('['));
        if self.is_layer() && !is_list {
            return Err(self.no_json("list", "[…]"));
        }
        let list = match own {
            Some(own) if is_list => Cow::from(own),
            Some(own) => Cow::from(format!("[{own}]")),
            None => Cow::from("[]"),
        };
        let made = json::list_text(&list, &new, |item, old| self.entry(item, old))
            .ok_or_else(|| self.no_json("list", "[…]"))??;
        // An entry that stood alone stays alone.
        let made = match (is_list, new.len()) {
            (false, 0) if self.single => None,
            (false, 1) => made.get(1..made.len() - 1),
            _ => Some(&*made),
        };
        if self.is_layer() {
            return Ok(made.unwrap_or("[]").to_owned());
        }
        let layer = json::set_text(layer.unwrap_or("{}"), self.field, made);
        layer.ok_or_else(|| self.no_json("object", "{…}"))
    }

    fn no_json(&self, what: &str, like: &str) -> String {
        let Self { layer, .. } = self;
        format!("memories.{layer} is no JSON {what}: set all of it with --set-new {layer}={like}")
    }

    fn entry(&self, new: &Value, old: Option<&[u8]>) -> Result<String, String> {
        let field = self.field;
        match new {
            Value::Map(members) if !self.first.is_empty() => {
                if members.get(self.first).is_none() {
                    return Err(format!("an entry of `{field}` has a `{}`", self.first));
                }
                let old = String::from_utf8_lossy(old.unwrap_or_default());
                Ok(changed(&old, &json_of(new)))
            }
            _ if !self.first.is_empty() => Err(format!(
                "`{new}` is no entry of `{field}`, which are mappings: {{{}: …}}",
                self.first
            )),
            Value::List(_) | Value::Map(_) => Err(format!("`{field}` is a list of texts")),
            new => Ok(Json::from(new.to_string()).to_string()),
        }
    }
}

fn json_of(value: &Value) -> Json {
    serde_json::to_value(value).unwrap_or_default()
}

/// The text of a value that becomes another one: members that stay keep their bytes.
fn changed(old: &str, new: &Json) -> String {
    let whole = || new.to_string();
    let (Ok(Json::Object(was)), Json::Object(members)) = (serde_json::from_str(old), new) else {
        return whole();
    };
    let own = |value: &Json| Value::from(value.clone());
    let is_other = |name: &str, value: &Json| was.get(name).map(own) != Some(own(value));
    let gone = was.keys().filter(|name| !members.contains_key(*name));
    let gone = gone.map(|name| (name, None));
    let other = members.iter().filter(|(name, value)| is_other(name, value));
    let mut all = gone.chain(other.map(|(name, value)| (name, Some(value))));
    let made = all.try_fold(old.to_owned(), |text, (name, value)| {
        let value = value.map(|value| changed(json::member(&text, name).unwrap_or(""), value));
        json::set_text(&text, name, value.as_deref())
    });
    made.unwrap_or_else(whole)
}

/// The text of a column that is a list of texts, with other ones; none where it is no list.
pub fn column(own: &str, value: Option<&Value>) -> Option<String> {
    let new: Vec<&Value> = value.into_iter().flat_map(Value::items).collect();
    let quoted = |item: &Value, _: Option<&[u8]>| {
        Ok::<_, std::convert::Infallible>(Json::from(item.to_string()).to_string())
    };
    json::list_text(own, &new, quoted)?.ok()
}

/// The fields of a memory that stand inside its layers and are not held.
pub fn fields(layers: &Layers) -> Fields {
    let inner = Part::all().filter(|part| super::RUM.is_inner(part.field));
    let value = |part: Part| Some((part.field, part.get(layers.of(part.layer))?));
    inner.filter_map(value).collect()
}

#[cfg(test)]
mod tests;
