//! An event as an agent sends it, and the answer in the style of that agent.
//!
//! ```text
//! key style, names of fields ─> agent ─> keys of the answer
//! event ─> occasion: start, prompt, files; none where the agent drops what it is given
//! ```

use std::path::PathBuf;

use serde_json::{Value, json};

/// Largest number of words of a command that are taken for paths.
const MOST_WORDS: usize = 64;

/// The part of a session that asks for memories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A session or a subagent starts.
    Start,
    Prompt(String),
    /// A tool read or changed files; any of these words may be one of their paths.
    Files(Vec<String>),
    /// The agent stopped, and wrote the session to this file.
    Stop(PathBuf),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// `hookSpecificOutput` with the name of the event: Claude Code, Codex, Gemini CLI, VS Code.
    Nested,
    /// `additionalContext` alone: Copilot CLI.
    Copilot,
    /// `additional_context` alone: Cursor.
    Cursor,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub occasion: Occasion,
    pub cwd: Option<PathBuf>,
    /// Name of the conversation: the session and, in a subagent, its id.
    pub conversation: Option<String>,
    /// True if the conversation begins without the context that was given before.
    pub is_forgotten: bool,
    /// Format of the stores whose rules the agent attaches to files by itself; empty where unknown.
    pub own_format: &'static str,
    name: String,
    style: Style,
}

impl Event {
    /// Reads an event; none where no answer would reach the agent's model.
    pub fn parse(bytes: &[u8]) -> Result<Option<Self>, serde_json::Error> {
        let event: Value = serde_json::from_slice(bytes)?;
        let text = |names: &[&str]| {
            let mut found = names.iter().filter_map(|name| event.get(name)?.as_str());
            found.next().map(str::to_owned)
        };
        let has = |name: &str| event.get(name).is_some();
        let style = match text(&["hook_event_name"]).as_deref() {
            _ if has("conversation_id") || has("cursor_version") => Style::Cursor,
            None if !has("hookEventName") => Style::Copilot,
            Some("BeforeAgent" | "AfterTool") => Style::Nested,
            // Its events in Pascal case have a time as those of VS Code and Gemini CLI do, which
            // name a transcript too.
            Some(_) if has("timestamp") && (!has("transcript_path") || has("agent_name")) => {
                Style::Copilot
            }
            _ => Style::Nested,
        };
        let name = text(&["hook_event_name", "hookEventName"]);
        let name = name.or_else(|| unnamed(&event).map(str::to_owned));
        let name = name.unwrap_or_default();
        let prompt = || text(&["prompt"]).filter(|prompt| !prompt.trim().is_empty());
        let occasion = match (&*name.to_ascii_lowercase(), style) {
            ("sessionstart", _) | ("subagentstart", Style::Nested | Style::Copilot) => {
                Some(Occasion::Start)
            }
            ("userpromptsubmit" | "beforeagent", Style::Nested) => prompt().map(Occasion::Prompt),
            ("posttooluse" | "aftertool", _) => {
                let inputs = ["tool_input", "toolArgs", "tool_args"];
                let input = inputs.iter().find_map(|name| event.get(name));
                let words = input.map(words).filter(|words| !words.is_empty());
                words.map(Occasion::Files)
            }
            ("stop" | "agentstop" | "sessionend", _) => {
                let file = text(&["transcript_path", "transcriptPath"]);
                file.map(|file| Occasion::Stop(file.into()))
            }
            _ => None,
        };
        let Some(occasion) = occasion else {
            return Ok(None);
        };
        let session = text(&["conversation_id", "session_id", "sessionId"]);
        let agent = text(&["agent_id", "agentId"]).unwrap_or_default();
        let conversation = session.filter(|session| !session.is_empty());
        let roots = event.get("workspace_roots").and_then(|roots| roots.get(0));
        let folder = text(&["cwd"]).or_else(|| Some(roots?.as_str()?.to_owned()));
        let source = text(&["source"]).unwrap_or_default();
        Ok(Some(Self {
            cwd: folder.map(PathBuf::from),
            conversation: conversation.map(|session| format!("{session}\n{agent}")),
            is_forgotten: name.eq_ignore_ascii_case("sessionstart") && source != "resume",
            own_format: match style {
                Style::Nested if !has("timestamp") || name == "AfterTool" => "",
                Style::Cursor => "cursor",
                _ => "copilot",
            },
            occasion,
            name,
            style,
        }))
    }

    /// The answer that gives the agent a text as context.
    pub fn answer(&self, context: &str) -> Value {
        match self.style {
            Style::Copilot => json!({ "additionalContext": context }),
            Style::Cursor => json!({ "additional_context": context }),
            Style::Nested => json!({ "hookSpecificOutput": {
                "hookEventName": self.name,
                "additionalContext": context,
            } }),
        }
    }
}

/// The name of an event of Copilot CLI in camel case, which only its fields tell.
fn unnamed(event: &Value) -> Option<&'static str> {
    let has = |name: &str| event.get(name).is_some();
    let fields = [
        ("toolResult", "postToolUse"),
        ("source", "sessionStart"),
        ("agentName", "subagentStart"),
    ];
    let mut found = fields.into_iter().filter(|(field, _)| has(field));
    let (_, name) = found.next().filter(|_| has("sessionId"))?;
    // A subagent that ends has a name too.
    (!has("stopReason")).then_some(name)
}

/// The words of a tool's input that may be paths: values of members named for a path or a file,
/// files of a patch, words of a command.
fn words(input: &Value) -> Vec<String> {
    let parsed = input.as_str();
    let parsed = parsed.and_then(|text| serde_json::from_str(text).ok());
    let input = parsed.as_ref().unwrap_or(input);
    let mut words = Vec::new();
    for (key, value) in input.as_object().into_iter().flatten() {
        let key = key.to_ascii_lowercase();
        let one = std::slice::from_ref(value);
        let values = value.as_array().map_or(one, Vec::as_slice);
        let values = values.iter().filter_map(Value::as_str);
        if key.contains("path") || key.contains("file") || key == "include" {
            words.extend(values.map(str::to_owned));
        } else if matches!(&*key, "command" | "cmd" | "patch" | "input") {
            values.for_each(|text| words.extend(words_of_command(text)));
        }
    }
    words.truncate(MOST_WORDS);
    words
}

/// The files of a patch, or the words of a command.
fn words_of_command(text: &str) -> Vec<String> {
    if text.contains("*** Begin Patch") {
        let lines = text.lines().filter_map(|line| line.strip_prefix("*** "));
        let files = lines.filter_map(|line| line.split_once(" File: "));
        return files.map(|(_, file)| file.trim().to_owned()).collect();
    }
    let is_end = |c: char| c.is_whitespace() || "'\"`;|&()<>=".contains(c);
    let words = text.split(is_end).filter(|word| word.contains(['.', '/']));
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    fn parse(event: &Value) -> Option<Event> {
        Event::parse(event.to_string().as_bytes()).unwrap()
    }

    fn files(words: &[&str]) -> Option<Occasion> {
        Some(Occasion::Files(
            words.iter().map(|word| (*word).to_owned()).collect(),
        ))
    }

    #[test]
    fn an_answer_has_the_keys_that_its_agent_knows() {
        let nested = |name: &str| json!({"hookSpecificOutput": {"hookEventName": name, "additionalContext": "x"}});
        let (copilot, cursor) = (
            json!({"additionalContext": "x"}),
            json!({"additional_context": "x"}),
        );
        let prompt = || Some(Occasion::Prompt("fix it".to_owned()));
        let start = || Some(Occasion::Start);
        for (event, occasion, answer) in rows! {
            // Claude Code
            json!({"hook_event_name": "SessionStart", "session_id": "s", "transcript_path": "/t", "source": "compact"}) =>
                start() => nested("SessionStart"),
            json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "transcript_path": "/t", "prompt": "fix it"}) =>
                prompt() => nested("UserPromptSubmit"),
            json!({"hook_event_name": "SubagentStart", "session_id": "s", "agent_id": "a", "agent_type": "Explore"}) =>
                start() => nested("SubagentStart"),
            json!({"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Edit", "tool_input": {"file_path": "/p/a.rs", "old_string": "b.rs"}, "tool_response": {}}) =>
                files(&["/p/a.rs"]) => nested("PostToolUse"),
            // Codex
            json!({"hook_event_name": "PostToolUse", "session_id": "s", "turn_id": "1", "transcript_path": null, "tool_name": "Bash", "tool_input": {"command": "sed -n '1,9p' src/a.rs | wc -l"}}) =>
                files(&["src/a.rs"]) => nested("PostToolUse"),
            json!({"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "apply_patch", "tool_input": {"command": "*** Begin Patch\n*** Update File: src/a.rs\n+see src/b.rs\n*** Add File: c d.rs\n*** End Patch"}}) =>
                files(&["src/a.rs", "c d.rs"]) => nested("PostToolUse"),
            // Gemini CLI
            json!({"hook_event_name": "BeforeAgent", "session_id": "s", "transcript_path": "/t", "timestamp": "2026-01-01T00:00:00Z", "prompt": "fix it"}) =>
                prompt() => nested("BeforeAgent"),
            json!({"hook_event_name": "AfterTool", "session_id": "s", "transcript_path": "/t", "timestamp": "2026-01-01T00:00:00Z", "tool_name": "read_many_files", "tool_input": {"include": ["a.rs", "b.rs"]}, "tool_response": {}}) =>
                files(&["a.rs", "b.rs"]) => nested("AfterTool"),
            // Copilot CLI
            json!({"sessionId": "s", "timestamp": 1, "cwd": "/p", "source": "new", "initialPrompt": "x"}) =>
                start() => copilot.clone(),
            json!({"sessionId": "s", "timestamp": 1, "cwd": "/p", "agentName": "explore", "transcriptPath": "/t"}) =>
                start() => copilot.clone(),
            json!({"sessionId": "s", "timestamp": 1, "toolName": "view", "toolArgs": {"path": "/p/a.rs"}, "toolResult": {}}) =>
                files(&["/p/a.rs"]) => copilot.clone(),
            json!({"sessionId": "s", "timestamp": 1, "toolName": "view", "toolArgs": "{\"path\": \"/p/a.rs\"}", "toolResult": {}}) =>
                files(&["/p/a.rs"]) => copilot.clone(),
            json!({"hook_event_name": "SessionStart", "session_id": "s", "timestamp": "2026-01-01T00:00:00Z", "source": "startup"}) =>
                start() => copilot.clone(),
            json!({"hook_event_name": "PostToolUse", "session_id": "s", "timestamp": "2026-01-01T00:00:00Z", "tool_name": "Read", "tool_input": {"path": "/p/a.rs"}, "tool_result": {}}) =>
                files(&["/p/a.rs"]) => copilot.clone(),
            // VS Code
            json!({"hookEventName": "PostToolUse", "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z", "tool_name": "editFiles", "tool_input": {"files": ["a.rs"]}}) =>
                files(&["a.rs"]) => nested("PostToolUse"),
            // Cursor
            json!({"hook_event_name": "sessionStart", "conversation_id": "c", "workspace_roots": ["/p"], "user_email": "a@b.example"}) =>
                start() => cursor.clone(),
            json!({"hook_event_name": "postToolUse", "conversation_id": "c", "tool_name": "Read", "tool_input": {"file_path": "a.rs"}}) =>
                files(&["a.rs"]) => cursor,
        } {
            let event = parse(&event);
            assert_eq!(
                event.clone().map(|event| event.occasion),
                occasion,
                "{event:?}"
            );
            assert_eq!(event.unwrap().answer("x"), answer);
        }
    }

    #[test]
    fn nothing_is_answered_where_it_would_be_dropped_or_do_harm() {
        for event in [
            json!({"sessionId": "s", "timestamp": 1, "prompt": "fix it"}),
            json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "timestamp": "2026-01-01T00:00:00Z", "prompt": "fix it"}),
            json!({"hook_event_name": "beforeSubmitPrompt", "conversation_id": "c", "prompt": "fix it"}),
            json!({"hook_event_name": "subagentStart", "conversation_id": "c"}),
            json!({"sessionId": "s", "toolName": "view", "toolArgs": {"path": "/p/a.rs"}}),
            json!({"sessionId": "s", "agentName": "explore", "stopReason": "end_turn", "response": "x"}),
            json!({"hook_event_name": "Stop", "session_id": "s", "stop_hook_active": false}),
            json!({"hook_event_name": "PreToolUse", "session_id": "s", "tool_input": {"file_path": "a.rs"}}),
            json!({"hook_event_name": "PostToolUse", "session_id": "s", "tool_input": {"pattern": "x"}}),
            json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": 3}),
            json!({"hook_event_name": 3}),
            json!([1]),
            json!("x"),
            json!(null),
        ] {
            assert_eq!(parse(&event), None, "{event}");
        }
        assert!(Event::parse(b"{").is_err());
    }

    #[test]
    fn cursor_names_its_folder_and_its_conversation() {
        let event = json!({"hook_event_name": "sessionStart", "conversation_id": "c", "workspace_roots": ["/p"]});
        let event = parse(&event).unwrap();
        assert_eq!(event.cwd, Some("/p".into()));
        assert!(event.conversation.is_some());
    }
}
