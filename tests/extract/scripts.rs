//! Sessions as they are written for these tests, and their form on disk.

use serde_json::{Value, json};

/// A step of a script.
enum Part {
    Person(String),
    Agent(String),
    Run(String, String, i32),
    Edit(String, String, String),
}

/// A written session.
pub struct Script {
    pub name: String,
    pub style: String,
    parts: Vec<Part>,
    /// The kind of each lesson that is wanted, and words in it.
    pub wanted: Vec<(String, String)>,
    /// The memories that it was given, by name.
    pub memories: Vec<(String, String)>,
    /// The text of a diff.
    text: String,
}

/// Reads the scripts of a file.
pub fn scripts(text: &str) -> Vec<Script> {
    let mut all: Vec<Script> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        if let Some(head) = line.strip_prefix("=== ") {
            let (name, style) = head.split_once(" | ").unwrap();
            all.push(Script {
                name: name.to_owned(),
                style: style.to_owned(),
                parts: Vec::new(),
                wanted: Vec::new(),
                memories: Vec::new(),
                text: String::new(),
            });
            continue;
        }
        let Some(script) = all.last_mut() else {
            continue;
        };
        let parts = &mut script.parts;
        if let Some(text) = line.strip_prefix("person: ") {
            parts.push(Part::Person(text.to_owned()));
        } else if let Some(text) = line.strip_prefix("agent: ") {
            parts.push(Part::Agent(text.to_owned()));
        } else if let Some(command) = line.strip_prefix("$ ") {
            parts.push(Part::Run(command.to_owned(), String::new(), 0));
        } else if let Some(path) = line.strip_prefix("edit ") {
            parts.push(Part::Edit(path.to_owned(), String::new(), String::new()));
        } else if let Some(memory) = line.strip_prefix("memory ") {
            let (name, text) = memory.split_once(": ").unwrap();
            script.memories.push((name.to_owned(), text.to_owned()));
        } else if let Some(want) = line.strip_prefix("want ") {
            let (kind, words) = want.split_once(": ").unwrap();
            script.wanted.push((kind.to_owned(), words.to_owned()));
        } else if let Some(output) = line.strip_prefix('|') {
            let output = output.strip_prefix(' ').unwrap_or(output);
            match parts.last_mut() {
                Some(Part::Run(_, all, _)) => *all += &format!("{output}\n"),
                _ => script.text += &format!("{output}\n"),
            }
        } else {
            match (parts.last_mut(), line.chars().next()) {
                (Some(Part::Run(_, _, code)), Some('e')) => {
                    *code = line.strip_prefix("exit ").unwrap().parse().unwrap();
                }
                (Some(Part::Edit(_, old, _)), Some('-')) => *old += &format!("{}\n", &line[1..]),
                (Some(Part::Edit(_, _, new)), Some('+')) => *new += &format!("{}\n", &line[1..]),
                (_, None) => {}
                _ => panic!("{}: {line}", script.name),
            }
        }
    }
    all
}

impl Script {
    /// The session as its agent writes it.
    pub fn rendered(&self) -> String {
        let parts = self.parts.iter().enumerate();
        match &*self.style {
            "diff" => self.text.clone(),
            "conversation" => self.parts.iter().map(spoken).collect(),
            "claude" => lines(parts.flat_map(|(n, part)| claude(n, part))),
            "codex" => {
                let meta = json!({"type": "session_meta", "payload": {"id": "s", "cwd": "/home/ada/shop"}});
                lines(
                    [meta]
                        .into_iter()
                        .chain(parts.flat_map(|(n, part)| codex(n, part))),
                )
            }
            _ => {
                let meta = json!({"sessionId": "s", "projectHash": "p", "kind": "main"});
                lines(
                    [meta]
                        .into_iter()
                        .chain(parts.map(|(n, part)| gemini(n, part))),
                )
            }
        }
    }
}

fn lines(values: impl Iterator<Item = Value>) -> String {
    values.map(|value| format!("{value}\n")).collect()
}

fn spoken(part: &Part) -> String {
    match part {
        Part::Person(text) => format!("User: {text}\n\n"),
        Part::Agent(text) => format!("Assistant: {text}\n\n"),
        Part::Run(line, output, code) => format!("$ {line}\n{output}exit code: {code}\n\n"),
        Part::Edit(path, ..) => format!("(edited {path})\n\n"),
    }
}

fn claude(n: usize, part: &Part) -> Vec<Value> {
    let id = format!("toolu_{n}");
    let by = |kind: &str, content: Value| {
        json!({"type": kind, "isSidechain": false, "cwd": "/home/ada/shop", "sessionId": "s",
            "message": {"role": kind, "content": content}, "uuid": format!("u{n}")})
    };
    let call = |name: &str, input: Value| {
        by(
            "assistant",
            json!([{"type": "tool_use", "id": id, "name": name, "input": input}]),
        )
    };
    let result = |content: &str, failed: bool| {
        let block = json!({"type": "tool_result", "tool_use_id": id, "content": content});
        let mut block = block;
        if failed {
            block["is_error"] = true.into();
        }
        by("user", json!([block]))
    };
    match part {
        Part::Person(text) => vec![by("user", json!(text))],
        Part::Agent(text) => vec![by("assistant", json!([{"type": "text", "text": text}]))],
        Part::Run(line, output, code) => {
            let output = match code {
                0 => output.clone(),
                code => format!("Exit code {code}\n{output}"),
            };
            vec![
                call("Bash", json!({"command": line})),
                result(&output, *code != 0),
            ]
        }
        Part::Edit(path, old, new) => {
            let path = format!("/home/ada/shop/{path}");
            let input = json!({"file_path": path, "old_string": old, "new_string": new});
            vec![
                call("Edit", input),
                result("The file has been updated.", false),
            ]
        }
    }
}

fn codex(n: usize, part: &Part) -> Vec<Value> {
    let item = |payload: Value| json!({"type": "response_item", "payload": payload});
    let message = |role: &str, kind: &str, text: &str| {
        item(json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]}))
    };
    let (id, end) = (format!("call_{n}"), "function_call_output");
    match part {
        Part::Person(text) => vec![
            message("user", "input_text", text),
            json!({"type": "event_msg", "payload": {"type": "user_message", "message": text}}),
        ],
        Part::Agent(text) => vec![message("assistant", "output_text", text)],
        Part::Run(line, output, code) => {
            let arguments = json!({"command": line, "workdir": "/home/ada/shop"}).to_string();
            let call = json!({"type": "function_call", "name": "shell_command", "arguments": arguments, "call_id": id});
            let output = format!("Exit code: {code}\nWall time: 0.3 seconds\nOutput:\n{output}");
            vec![
                item(call),
                item(json!({"type": end, "call_id": id, "output": output})),
            ]
        }
        Part::Edit(path, old, new) => {
            let marked = |sign: char, text: &str| -> String {
                text.lines().map(|line| format!("{sign}{line}\n")).collect()
            };
            let (old, new) = (marked('-', old), marked('+', new));
            let patch =
                format!("*** Begin Patch\n*** Update File: {path}\n@@\n{old}{new}*** End Patch\n");
            let call = json!({"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": id});
            let end = json!({"type": "custom_tool_call_output", "call_id": id, "output": "Exit code: 0\nOutput:\nSuccess."});
            vec![item(call), item(end)]
        }
    }
}

fn gemini(n: usize, part: &Part) -> Value {
    let id = format!("m{n}");
    let call = |name: &str, args: Value, output: String| {
        let call = json!({"id": format!("{name}-{n}"), "name": name, "args": args, "status": "success",
            "result": [{"functionResponse": {"name": name, "response": {"output": output}}}]});
        json!({"id": id, "type": "gemini", "content": "", "toolCalls": [call]})
    };
    match part {
        Part::Person(text) => json!({"id": id, "type": "user", "content": [{"text": text}]}),
        Part::Agent(text) => json!({"id": id, "type": "gemini", "content": text}),
        Part::Run(line, output, code) => {
            let output = format!("Command: {line}\nOutput: {output}\nExit Code: {code}");
            call("run_shell_command", json!({"command": line}), output)
        }
        Part::Edit(path, old, new) => {
            let args = json!({"file_path": path, "old_string": old, "new_string": new});
            call(
                "replace",
                args,
                format!("Successfully modified file: {path}"),
            )
        }
    }
}
