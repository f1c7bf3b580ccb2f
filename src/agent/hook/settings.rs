//! Settings of agents with the hooks of memkeep: every other byte of the file stays, and taking the
//! hooks out again gives the bytes of before.
//!
//! A container that was there before the hooks has their first byte right behind its bracket; blanks
//! stand there in one that came with them, and goes with them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use itertools::Itertools as _;
use serde::Deserialize;

use crate::memory::json::{self, Entry, JsonError, Kind, Node};

/// An agent whose settings name hooks: a row of `assets/agent/hooks.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HookedAgent {
    pub title: String,
    /// Its settings, from the root of a project.
    pub file: String,
    /// Other files of the project whose hooks it runs as well.
    pub also: Vec<String>,
    /// True if a new file of settings needs a version.
    version: bool,
    /// The events that memkeep answers, each with its entry.
    events: Vec<(String, String)>,
}

/// The title of an agent; empty if it has no hooks.
pub fn title_of(agent: &str) -> &'static str {
    AGENTS.get(agent).map_or("", |agent| &agent.title)
}

/// The agents by the names of their flags.
pub static AGENTS: LazyLock<BTreeMap<String, HookedAgent>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../assets/agent/hooks.toml")).unwrap_or_default()
});

const VERSION: &str = "\"version\": 1";

fn refused<T>(at: usize, message: &str) -> Result<T, JsonError> {
    let message = message.to_owned();
    Err(JsonError { at, message })
}

/// True if a file that an agent reads runs memkeep's hook, whatever its syntax.
pub fn runs_hook(text: &str) -> bool {
    text.contains("memkeep hook")
        || json::value(text.as_bytes()).is_ok_and(|(root, _)| runs_memkeep(text, &root))
}

impl HookedAgent {
    /// The settings with a hook for each event, unchanged if all are there; none is a missing file.
    pub fn with_hooks(&self, text: Option<&str>) -> Result<String, JsonError> {
        let Some(text) = text else {
            return Ok(self.new_file() + "\n");
        };
        if text.trim().is_empty() {
            return Ok(text.to_owned() + &self.new_file());
        }
        let mut text = text.to_owned();
        for (event, entry) in &self.events {
            text = self.with_hook(&text, event, entry)?;
        }
        Ok(text)
    }

    /// The settings without any hook of memkeep; no text where the file came with them.
    pub fn without_hooks(&self, text: &str) -> Result<Option<String>, JsonError> {
        match text.split_once(&self.new_file()) {
            Some(("", "\n")) => return Ok(None),
            Some((blanks, "")) => return Ok(Some(blanks.to_owned())),
            _ if text.trim().is_empty() => return Ok(Some(text.to_owned())),
            _ => {}
        }
        let mut text = text.to_owned();
        while let Some(rest) = Settings::new(&text)?.without_hook() {
            text = rest;
        }
        Ok(Some(text))
    }

    fn new_file(&self) -> String {
        let version = self.version.then(|| VERSION.to_owned());
        let members = version.into_iter().chain([self.all_hooks()]);
        let members = members.map(|member| member.replace('\n', "\n\t"));
        let text = format!("{{\n\t{}\n}}", members.format(",\n\t"));
        laid_out(&text, Some("\n"), "  ")
    }

    /// The member `hooks` with all events; lines begin with a tab for each level.
    fn all_hooks(&self) -> String {
        let events = self.events.iter();
        let events = events.map(|(event, entry)| list(event, entry).replace('\n', "\n\t"));
        format!("\"hooks\": {{\n\t{}\n}}", events.format(",\n\t"))
    }

    fn with_hook(&self, text: &str, event: &str, entry: &str) -> Result<String, JsonError> {
        let settings = Settings::new(text)?;
        let Some(hooks) = named(text, &settings.root, "hooks") else {
            return Ok(settings.insert(&settings.root, &self.all_hooks()));
        };
        if !matches!(hooks.kind, Kind::Map(_)) {
            return refused(hooks.span.start, "`hooks` is no object");
        }
        let Some(own) = named(text, hooks, event) else {
            return Ok(settings.insert(hooks, &list(event, entry)));
        };
        match &own.kind {
            Kind::List(_) if runs_memkeep(text, own) => Ok(text.to_owned()),
            Kind::List(_) => Ok(settings.insert(own, entry)),
            _ => refused(own.span.start, "the hooks of an event are no list"),
        }
    }
}

fn list(event: &str, entry: &str) -> String {
    format!("{}: [\n\t{entry}\n]", json::write(event))
}

/// A piece whose lines begin with a tab for each level, with other line starts and indents; in one
/// line where there is no line start.
fn laid_out(piece: &str, line_start: Option<&str>, unit: &str) -> String {
    let Some(start) = line_start else {
        return piece.split('\n').map(str::trim_start).join(" ");
    };
    piece.replace('\t', unit).replace('\n', start)
}

struct Settings<'a> {
    text: &'a str,
    root: Node,
}

impl<'a> Settings<'a> {
    fn new(text: &'a str) -> Result<Self, JsonError> {
        let (root, end) = json::value(text.as_bytes())?;
        let rest = text.get(end..).unwrap_or_default();
        match rest.find(|c: char| !matches!(c, ' ' | '\t' | '\n' | '\r')) {
            Some(more) => refused(end + more, "the settings end before this"),
            None if matches!(root.kind, Kind::Map(_)) => Ok(Self { text, root }),
            None => refused(root.span.start, "the settings are no object"),
        }
    }

    /// The text without one hook of memkeep and all that came with it; none where there is none.
    fn without_hook(&self) -> Option<String> {
        let hooks = named(self.text, &self.root, "hooks")?;
        let is_own = |hook: &Node| runs_memkeep(self.text, hook);
        // The last first, so that the first byte behind a bracket tells to the end.
        let lists = entries(hooks).iter().map(|entry| &entry.value);
        let (event, list, item) = lists.enumerate().rev().find_map(|(event, list)| {
            let item = items(list).iter().rposition(is_own)?;
            Some((event, list, item))
        })?;
        // A group may have hooks of others too.
        let own = named(self.text, items(list).get(item)?, "hooks");
        if let Some(own) = own.filter(|own| !items(own).iter().all(is_own)) {
            let hook = items(own).iter().position(is_own)?;
            return Some(self.without(own, hook));
        }
        if !self.came_with_hooks(list) {
            return Some(self.without(list, item));
        }
        if !self.came_with_hooks(hooks) {
            return Some(self.without(hooks, event));
        }
        let is_hooks = |entry: &Entry| std::ptr::eq(&raw const entry.value, hooks);
        let at = entries(&self.root).iter().position(is_hooks)?;
        Some(self.without(&self.root, at))
    }

    /// The text with one piece more at the end of a list or an object.
    fn insert(&self, into: &Node, piece: &str) -> String {
        let blanks = |children: &[Range<usize>]| line_start(self.text, children.first()?.start);
        let unit = blanks(&spans(&self.root));
        let unit = unit.filter(|blanks| !blanks.is_empty()).unwrap_or("  ");
        let is_crlf = self.text.contains("\r\n");
        let end = if is_crlf { "\r\n" } else { "\n" };
        let children = spans(into);
        let (at, piece) = match children.last() {
            None => {
                let start = format!("{end}{}", indent(self.text, into.span.start));
                (into.span.start + 1, laid_out(piece, Some(&start), unit))
            }
            Some(last) => {
                let start = blanks(&children).map(|blanks| format!("{end}{blanks}"));
                let piece = laid_out(piece, start.as_deref(), unit);
                (
                    last.end,
                    format!(",{}{piece}", start.as_deref().unwrap_or(" ")),
                )
            }
        };
        let mut text = self.text.to_owned();
        text.insert_str(at, &piece);
        text
    }

    /// True if a container has one child, which came with it.
    fn came_with_hooks(&self, container: &Node) -> bool {
        let children = spans(container);
        let first = children.first().map(|first| first.start);
        children.len() == 1 && first != Some(container.span.start + 1)
    }

    /// The text without one child of a container, the blanks before it and one comma.
    fn without(&self, container: &Node, child: usize) -> String {
        let (text, children) = (self.text, spans(container));
        let before = child.checked_sub(1).and_then(|before| children.get(before));
        let from = before.map_or(container.span.start + 1, |before| before.end);
        let mut to = children.get(child).map_or(from, |own| own.end);
        let rest = text.get(to..).unwrap_or_default();
        if before.is_none() && children.len() > 1 {
            to += rest.find(',').map_or(0, |comma| comma + 1);
        }
        let kept = [text.get(..from), text.get(to..)];
        kept.into_iter().flatten().collect()
    }
}

fn spans(node: &Node) -> Vec<Range<usize>> {
    let items = items(node).iter().map(|item| item.span.clone());
    let entries = entries(node).iter();
    let entries = entries.map(|entry| entry.key.start..entry.value.span.end);
    items.chain(entries).collect()
}

fn items(node: &Node) -> &[Node] {
    match &node.kind {
        Kind::List(items) => items,
        _ => &[],
    }
}

fn entries(node: &Node) -> &[Entry] {
    match &node.kind {
        Kind::Map(entries) => entries,
        _ => &[],
    }
}

/// The value of a property of an object; of a repeated one the last counts.
fn named<'a>(text: &str, object: &'a Node, name: &str) -> Option<&'a Node> {
    let is_it = |entry: &&Entry| json::text(json::slice(text.as_bytes(), &entry.key)) == name;
    let found = entries(object).iter().rev().find(is_it);
    found.map(|entry| &entry.value)
}

/// The properties of a handler that say its program.
const COMMANDS: [&str; 5] = ["command", "bash", "powershell", "exec", "args"];

/// True if a handler in a value is memkeep already, by whatever path or with flags of its own.
fn runs_memkeep(text: &str, node: &Node) -> bool {
    let parts = COMMANDS.iter().filter_map(|name| named(text, node, name));
    let parts = parts.filter_map(|node| text.get(node.span.clone()));
    let is_end = |c: char| c.is_whitespace() || "\"'[],/\\".contains(c);
    let words: Vec<&str> = parts.flat_map(|words| words.split(is_end)).collect();
    let has = |wanted: &str| words.contains(&wanted);
    let inner = entries(node).iter().map(|entry| &entry.value);
    has("hook") && !has("generic") && (has("memkeep") || has("memkeep.exe"))
        || items(node)
            .iter()
            .chain(inner)
            .any(|one| runs_memkeep(text, one))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    /// An entry of every event runs memkeep, once.
    fn is_installed(agent: &HookedAgent, text: &str) -> bool {
        let settings: serde_json::Value = serde_json::from_str(text).unwrap();
        agent.events.iter().all(|(event, _)| {
            let list = settings["hooks"][event].as_array().unwrap().iter();
            let own = list.filter(|entry| entry.to_string().contains("memkeep hook"));
            own.count() == 1
        })
    }

    #[test]
    fn hooks_are_added_once_and_taken_out_byte_for_byte() {
        let mine = "[{ \"hooks\": [{ \"type\": \"command\", \"command\": \"lint.sh\" }] }]";
        let texts = [
            "",
            "\n",
            "  \r\n",
            "{}",
            "{}\n",
            "{ }\n",
            "{\n}\n",
            "{\"a\": 1}",
            "{\n\t\"b\": [1, 2],\n\t\"a\": {\"x\": null}\n}\n",
            "{\r\n    \"z\": 1\r\n}\r\n",
            "{\n  \"hooks\": {},\n  \"model\": \"x\"\n}",
            "{\n  \"hooks\": {\n  },\n  \"version\": 1\n}",
            "{\"version\":1,\"hooks\":{ }}",
            "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
            "{\n  \"z\": \"last\"  \n\n}\n",
        ];
        let mut texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        for event in ["SessionStart", "sessionStart", "AfterTool", "postToolUse"] {
            for list in ["[]", "[\n    ]", mine] {
                texts.push(format!("{{\"hooks\":{{\"{event}\":{list}}}}}"));
                texts.push(format!(
                    "{{\n  \"hooks\": {{\n    \"{event}\": {list}\n  }},\n  \"version\": 1\n}}\n"
                ));
            }
        }
        for agent in AGENTS.values() {
            for old in &texts {
                let new = agent.with_hooks(Some(old)).unwrap();
                assert!(is_installed(agent, &new), "{old:?}: {new}");
                assert_eq!(agent.with_hooks(Some(&new)).unwrap(), new);
                assert_eq!(
                    agent.without_hooks(&new).unwrap().as_deref(),
                    Some(&**old),
                    "{new}"
                );
                assert_eq!(agent.without_hooks(old).unwrap().as_deref(), Some(&**old));
                let is_crlf = old.contains("\r\n") && !old.trim().is_empty();
                assert!(
                    !is_crlf || !new.replace("\r\n", "").contains('\n'),
                    "{new:?}"
                );
            }
            let new = agent.with_hooks(None).unwrap();
            assert!(is_installed(agent, &new) && new.ends_with("}\n"), "{new}");
            assert_eq!(new.contains(VERSION), agent.version, "{new}");
            assert_eq!(agent.without_hooks(&new).unwrap(), None);
        }
        assert_eq!(AGENTS.len(), 5);
    }

    #[test]
    fn new_lines_are_indented_as_the_file_is() {
        for (old, wanted) in rows! {
            "{\n\t\"b\": [1, 2]\n}\n" =>
                "{\n\t\"b\": [1, 2],\n\t\"hooks\": {\n\t\t\"sessionStart\": [\n\t\t\t{ \"command\": \"memkeep hook\" }\n\t\t],\n",
            "{\"b\": 1}" =>
                "{\"b\": 1, \"hooks\": { \"sessionStart\": [ { \"command\": \"memkeep hook\" } ], ",
            "{}\n" =>
                "{\"hooks\": {\n  \"sessionStart\": [\n    { \"command\": \"memkeep hook\" }\n  ],\n",
        } {
            let new = AGENTS["cursor"].with_hooks(Some(old)).unwrap();
            assert!(new.starts_with(wanted), "{new}");
        }
    }

    #[test]
    fn hooks_of_others_stay_where_those_of_memkeep_go() {
        let claude = &AGENTS["claude"];
        let hook =
            |command: &str| format!("{{ \"type\": \"command\", \"command\": \"{command}\" }}");
        let (own, other) = (hook("memkeep hook claude"), hook("lint.sh"));
        for (hooks, left) in rows! {
            format!("[{{ \"hooks\": [{own}, {other}] }}]") => format!("[{{ \"hooks\": [ {other}] }}]"),
            format!("[{{ \"hooks\": [{other}, {own}] }}]") => format!("[{{ \"hooks\": [{other}] }}]"),
            format!("[{{ \"hooks\": [{own}] }}, {{ \"hooks\": [{other}] }}]") =>
                format!("[ {{ \"hooks\": [{other}] }}]"),
            format!("[{{ \"hooks\": [{own}, {own}] }}]") => "[]".to_owned(),
        } {
            let text = |hooks: &str| format!("{{\"hooks\": {{\"Stop\": {hooks}}}}}");
            let rest = claude.without_hooks(&text(&hooks)).unwrap();
            assert_eq!(rest, Some(text(&left)));
        }
    }

    #[test]
    fn memkeep_is_recognised_by_any_path() {
        for command in [
            r#""command": "/usr/local/bin/memkeep -v hook claude""#,
            r#""command": "memkeep", "args": ["hook"]"#,
            r#""command": "\"C:\\bin\\memkeep.exe\" hook claude""#,
        ] {
            let claude = &AGENTS["claude"];
            let hooks = format!("[{{\"hooks\": [{{\"type\": \"command\", {command}}}]}}]");
            let events = claude
                .events
                .iter()
                .map(|(event, _)| format!("\"{event}\": {hooks}"));
            let text = format!("{{\"hooks\": {{{}}}}}", events.format(", "));
            assert_eq!(claude.with_hooks(Some(&text)).unwrap(), text);
            assert!(runs_hook(&text));
        }
        assert!(runs_hook("[hooks]\ncommand = \"memkeep hook\"\n") && !runs_hook("memkeep = 1"));
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
            let error = AGENTS["claude"].with_hooks(Some(text)).unwrap_err();
            assert_eq!(error.at, at, "{text}");
        }
    }
}
