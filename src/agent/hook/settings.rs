//! Claude Code's settings with the hooks of memkeep: every other byte of the file stays.

use serde::Serialize as _;
use serde_json::{Value, json};

use crate::memory::json::{self, Entry, Kind, Node};

/// The events that memkeep answers.
pub const EVENTS: [&str; 2] = ["SessionStart", "UserPromptSubmit"];

/// The command that answers them.
pub const COMMAND: &str = "memkeep hook claude";

/// Seconds after which Claude Code goes on without an answer.
const TIMEOUT: u32 = 10;

/// Why settings cannot be changed, and the byte where that shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// The byte.
    pub at: usize,
    /// Description of the error.
    pub message: String,
}

/// The settings with both hooks; the same text where both are there.
pub fn with_hooks(text: &str) -> Result<String, SettingsError> {
    if text.trim().is_empty() {
        let all = EVENTS.map(|event| (event.to_owned(), json!([handler()])));
        let all = serde_json::Map::from_iter(all);
        return Ok(pretty(&json!({ "hooks": all }), "  ") + "\n");
    }
    let add = |text: String, event: &&str| with_hook(&text, event);
    EVENTS.iter().try_fold(text.to_owned(), add)
}

fn handler() -> Value {
    json!({ "hooks": [{ "type": "command", "command": COMMAND, "timeout": TIMEOUT }] })
}

fn with_hook(text: &str, event: &str) -> Result<String, SettingsError> {
    let fail = |at, message: &str| {
        let message = message.to_owned();
        Err(SettingsError { at, message })
    };
    let (root, end) = match json::value(text.as_bytes()) {
        Ok(read) => read,
        Err(error) => return fail(error.at, &error.message),
    };
    let rest = text.get(end..).unwrap_or_default();
    if let Some(more) = rest.find(|c: char| !matches!(c, ' ' | '\t' | '\n' | '\r')) {
        return fail(end + more, "the settings end before this");
    }
    let Kind::Map(entries) = &root.kind else {
        return fail(root.span.start, "the settings are no object");
    };
    // The blanks that one level is indented by.
    let own = entries.first();
    let own = own.and_then(|entry| line_start(text, entry.key.start));
    let unit = own.filter(|blanks| !blanks.is_empty()).unwrap_or("  ");
    let insert = |into, key, value: Value| Ok(insert(text, unit, into, key, &value));
    let Some(hooks) = named(text, entries, "hooks") else {
        return insert(&root, Some("hooks"), json!({ event: [handler()] }));
    };
    let Kind::Map(events) = &hooks.kind else {
        return fail(hooks.span.start, "`hooks` is no object");
    };
    let Some(own) = named(text, events, event) else {
        return insert(hooks, Some(event), json!([handler()]));
    };
    match &own.kind {
        Kind::List(_) if runs_memkeep(text, own) => Ok(text.to_owned()),
        Kind::List(_) => insert(own, None, handler()),
        _ => fail(own.span.start, "the hooks of an event are no list"),
    }
}

/// The value of a property; of a repeated one the last counts.
fn named<'a>(text: &str, entries: &'a [Entry], name: &str) -> Option<&'a Node> {
    let literal = |entry: &Entry| json::text(json::slice(text.as_bytes(), &entry.key));
    let mut found = entries.iter().rev().filter(|entry| literal(entry) == name);
    found.next().map(|entry| &entry.value)
}

/// True if a handler of an event is memkeep already, by whatever path or with flags of its own.
fn runs_memkeep(text: &str, node: &Node) -> bool {
    match &node.kind {
        Kind::List(items) => items.iter().any(|item| runs_memkeep(text, item)),
        Kind::Map(entries) => {
            let parts = ["command", "args"].map(|name| named(text, entries, name));
            let parts = parts.into_iter().flatten();
            let parts = parts.filter_map(|node| text.get(node.span.clone()));
            let is_end = |c: char| c.is_whitespace() || "\"'[],/\\".contains(c);
            let words: Vec<&str> = parts.flat_map(|words| words.split(is_end)).collect();
            let has = |wanted: &str| words.contains(&wanted);
            has("hook") && has("claude") && (has("memkeep") || has("memkeep.exe"))
                || entries.iter().any(|entry| runs_memkeep(text, &entry.value))
        }
        _ => false,
    }
}

/// The blanks between the start of a line and what stands there; none where more stands before it.
fn line_start(text: &str, at: usize) -> Option<&str> {
    let (_, line) = text.get(..at)?.rsplit_once('\n')?;
    line.trim_matches([' ', '\t']).is_empty().then_some(line)
}

/// The blanks that a line begins with.
fn indent(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let rest = line.trim_start_matches([' ', '\t']);
    line.strip_suffix(rest).unwrap_or_default()
}

fn pretty(value: &Value, unit: &str) -> String {
    let mut out = Vec::new();
    let format = serde_json::ser::PrettyFormatter::with_indent(unit.as_bytes());
    // Writing to memory cannot fail.
    let _ = value.serialize(&mut serde_json::Serializer::with_formatter(
        &mut out, format,
    ));
    String::from_utf8(out).unwrap_or_default()
}

fn ends<T>(all: &[T]) -> Option<(&T, &T)> {
    all.first().zip(all.last())
}

/// The text with one value more at the end of a list or an object.
fn insert(text: &str, unit: &str, into: &Node, key: Option<&str>, value: &Value) -> String {
    // First and last byte of its children.
    let children = match &into.kind {
        Kind::List(all) => ends(all).map(|(a, b)| (&a.span, &b.span)),
        Kind::Map(all) => ends(all).map(|(a, b)| (&a.key, &b.value.span)),
        _ => None,
    };
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let name = key.map(|key| format!("{}: ", json::quote(key)));
    let name = name.unwrap_or_default();
    let below = |blanks: &str| {
        let lines = pretty(value, unit).replace('\n', &format!("{end}{blanks}"));
        format!("{end}{blanks}{name}{lines}")
    };
    let (at, to, new) = match children {
        Some((first, last)) => {
            let blanks = line_start(text, first.start);
            let line = || format!(" {name}{value}");
            (
                last.end,
                last.end,
                format!(",{}", blanks.map_or_else(line, below)),
            )
        }
        None => {
            let own = indent(text, into.span.start);
            let new = format!("{}{end}{own}", below(&format!("{own}{unit}")));
            (into.span.start + 1, into.span.end - 1, new)
        }
    };
    let before = text.get(..at).unwrap_or_default();
    format!("{before}{new}{}", text.get(to..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of settings with both hooks, by way of a parsed value.
    fn expected(text: &str) -> Value {
        let mut value: Value = serde_json::from_str(text).unwrap();
        for event in EVENTS {
            let list = &mut value["hooks"][event];
            if list.is_null() {
                *list = json!([]);
            }
            if !list.to_string().contains(COMMAND) {
                list.as_array_mut().unwrap().push(handler());
            }
        }
        value
    }

    #[test]
    fn hooks_are_added_once_and_nothing_else_changes() {
        for text in [
            "{}",
            "{ }\n",
            "{\n}\n",
            "{\"a\": 1}",
            "{\n\t\"b\": [1, 2],\n\t\"a\": {\"x\": null}\n}\n",
            "{\r\n    \"z\": 1\r\n}\r\n",
            "{\n  \"hooks\": {},\n  \"model\": \"x\"\n}\n",
            "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
            "{\n  \"hooks\": {\n    \"SessionStart\": [{ \"hooks\": [] }],\n    \"UserPromptSubmit\": []\n  }\n}\n",
            "{\"hooks\":{\"SessionStart\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"memkeep hook claude\"}]}]}}",
        ] {
            let new = with_hooks(text).unwrap();
            let value: Value = serde_json::from_str(&new).unwrap();
            assert_eq!(value, expected(text), "{new}");
            assert_eq!(with_hooks(&new).unwrap(), new);
            // Existing text keeps its order.
            let mut old = text.chars().filter(|c| !c.is_whitespace()).peekable();
            new.chars().for_each(|c| {
                old.next_if_eq(&c);
            });
            assert_eq!(old.next(), None, "{new}");
        }
        assert_eq!(
            with_hooks("{\n\t\"b\": [1, 2]\n}\n")
                .unwrap()
                .lines()
                .take(5)
                .collect::<Vec<_>>(),
            [
                "{",
                "\t\"b\": [1, 2],",
                "\t\"hooks\": {",
                "\t\t\"SessionStart\": [",
                "\t\t\t{"
            ]
        );
        assert_eq!(
            expected("{}"),
            serde_json::from_str::<Value>(&with_hooks("").unwrap()).unwrap()
        );
    }

    #[test]
    fn memkeep_is_recognised_by_any_path() {
        for command in [
            r#""command": "/usr/local/bin/memkeep -v hook claude""#,
            r#""command": "memkeep", "args": ["hook", "claude"]"#,
            r#""command": "\"C:\\bin\\memkeep.exe\" hook claude""#,
        ] {
            let hooks = format!("[{{\"hooks\": [{{\"type\": \"command\", {command}}}]}}]");
            let text = format!(
                "{{\"hooks\": {{\"SessionStart\": {hooks}, \"UserPromptSubmit\": {hooks}}}}}"
            );
            assert_eq!(with_hooks(&text).unwrap(), text);
        }
    }

    #[test]
    fn what_is_no_settings_file_is_refused_with_its_place() {
        for (text, at) in [
            ("{\"a\": }", 6),
            ("{} x", 3),
            ("[]", 0),
            ("{\"hooks\": []}", 10),
            ("{\"hooks\": {\"SessionStart\": 1}}", 27),
            ("{ // no\n}", 2),
        ] {
            assert_eq!(with_hooks(text).unwrap_err().at, at, "{text}");
        }
    }
}
