//! Settings in a system's own configuration file, as texts by their dotted names.

use serde_yaml::Value;

use crate::retrieval::Options;

/// The settings with these names in a mapping, those of a mapping inside it with its name before a
/// dot. The items of a list are joined by commas.
pub(super) fn pick(all: &Value, names: &[&str]) -> Options {
    let mut options = Options::default();
    for name in names {
        let value = name.split('.').try_fold(all, |value, key| value.get(key));
        if let Some(text) = value.and_then(text) {
            options.set(*name, text);
        }
    }
    options
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(value) => Some(value.to_string()),
        Value::String(value) => Some(value.clone()),
        Value::Sequence(items) => {
            let items: Vec<String> = items.iter().filter_map(text).collect();
            Some(items.join(","))
        }
        _ => None,
    }
}
