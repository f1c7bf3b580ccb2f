//! Takes a session in line by line and finds out what it is: a transcript, a conversation or a diff.
//! Transcripts are read as Claude Code, Codex and Gemini CLI write them, a JSON object a line. Each object
//! says by its keys whose it is; what tells nothing of the work is passed over.

use std::collections::HashMap;

use itertools::Itertools as _;
use serde_json::{Value as Json, json};

use super::is;
use super::outcomes::{Signature, exit_code};
use super::prose;
use super::session::{FileEdit, Run, Session, Step};

/// Keys under which tools take a command, a path, and the new text of a file.
const COMMANDS: &str = "command cmd script";
const PATHS: &str = "file_path path filePath absolute_path notebook_path";
const LISTS: &str = "paths include";
const OUTPUTS: &str = "output result content text";
const TEXTS: &str = "new_string content new_str file_text new_source";

/// Records of one message that may be replaced, looked for from the end.
const REPLACED: usize = 64;

/// Reads transcripts line by line.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) session: Session,
    /// True if the files that tools only read are steps too.
    pub(super) keeps_reads: bool,
    /// The steps that the last record ended.
    pub(super) ended: Vec<usize>,
    /// The step of each call that has no result yet.
    calls: HashMap<String, Vec<usize>>,
    /// The message that each step belongs to, where messages have names.
    messages: Vec<(usize, String)>,
}

/// The value at a JSON pointer; null if there is none.
pub(super) fn at<'v>(value: &'v Json, pointer: &str) -> &'v Json {
    value.pointer(pointer).unwrap_or(&Json::Null)
}

pub(super) fn text<'v>(value: &'v Json, pointer: &str) -> &'v str {
    at(value, pointer).as_str().unwrap_or_default()
}

/// The first of some keys that an object has; null if it has none.
fn first<'v>(value: &'v Json, keys: &str) -> &'v Json {
    let found = keys.split(' ').find_map(|key| value.get(key));
    found.unwrap_or(&Json::Null)
}

pub(super) fn list<'v>(value: &'v Json, pointer: &str) -> impl Iterator<Item = &'v Json> {
    at(value, pointer).as_array().into_iter().flatten()
}

/// The text of a message: a string, or its parts that are text.
pub(super) fn text_of(content: &Json) -> String {
    match content {
        Json::String(text) => text.clone(),
        Json::Array(parts) => parts.iter().map(|part| text(part, "/text")).join("\n"),
        _ => String::new(),
    }
}

/// JSON that stands in a string; the value itself if it is none.
fn parsed(value: &Json) -> Json {
    let inner = value.as_str().map(serde_json::from_str);
    inner.and_then(Result::ok).unwrap_or_else(|| value.clone())
}

impl Reader {
    pub(super) fn record(&mut self, value: &Json) {
        self.ended.clear();
        if let Some(folder) = at(value, "/directories/0").as_str() {
            self.session.folder = folder.to_owned();
        }
        if value.get("payload").is_some() {
            self.session.agent = "codex";
            self.codex(text(value, "/type"), at(value, "/payload"));
        } else if value.get("message").is_some() || value.get("attachment").is_some() {
            self.session.agent = "claude";
            self.claude(value);
        } else if value.get("userText").is_some() || value.get("assistantText").is_some() {
            self.session.agent = "golemcore";
            self.turn(value);
        } else if value.get("$set").is_some() || value.get("$rewindTo").is_some() {
            self.amend(value);
        } else if matches!(text(value, "/type"), "user" | "gemini") {
            self.session.agent = "gemini";
            self.gemini(value);
        } else {
            let content = text_of(at(value, "/content"));
            match text(value, "/role") {
                "user" | "human" => self.person(&content),
                "assistant" | "model" => self.agent(&content),
                _ => {}
            }
        }
    }

    fn claude(&mut self, value: &Json) {
        let is = |name: &&str| value.get(*name) == Some(&Json::Bool(true));
        if ["isMeta", "isSidechain", "isCompactSummary"].iter().any(is) {
            return;
        }
        if self.session.folder.is_empty() {
            self.session.folder = text(value, "/cwd").to_owned();
        }
        if text(value, "/attachment/type") == "queued_command" {
            self.person(text(value, "/attachment/prompt"));
        }
        let content = at(value, "/message/content");
        let is_agent = text(value, "/type") == "assistant";
        let by_person = matches!(text(value, "/origin/kind"), "" | "human");
        if let (false, true, Some(words)) = (is_agent, by_person, content.as_str()) {
            self.person(words);
        }
        for part in content.as_array().into_iter().flatten() {
            match text(part, "/type") {
                "text" if is_agent => self.agent(text(part, "/text")),
                "text" if by_person => self.person(text(part, "/text")),
                "tool_use" => self.call(text(part, "/id"), at(part, "/input")),
                "tool_result" => {
                    let failed = at(part, "/is_error").as_bool().unwrap_or_default();
                    let output = text_of(at(part, "/content"));
                    self.result(text(part, "/tool_use_id"), &output, Some(failed));
                }
                _ => {}
            }
        }
    }

    fn codex(&mut self, kind: &str, payload: &Json) {
        let id = text(payload, "/call_id");
        match (kind, text(payload, "/type")) {
            ("session_meta", _) => self.session.folder = text(payload, "/cwd").to_owned(),
            (_, "user_message") => self.person(text(payload, "/message")),
            (_, "item_completed") if text(payload, "/item/type") == "UserMessage" => {
                self.person(&text_of(at(payload, "/item/content")));
            }
            (_, "message") => match text(payload, "/role") {
                "user" => self.person(&text_of(at(payload, "/content"))),
                "assistant" => self.agent(&text_of(at(payload, "/content"))),
                _ => {}
            },
            (_, "function_call") => self.call(id, &parsed(at(payload, "/arguments"))),
            (_, "custom_tool_call") => self.call(id, at(payload, "/input")),
            (_, "local_shell_call") => self.call(id, at(payload, "/action")),
            (_, "function_call_output" | "custom_tool_call_output") => {
                let output = parsed(at(payload, "/output"));
                let code = at(&output, "/metadata/exit_code").as_i64();
                let shown = text_of(output.get("output").unwrap_or(&output));
                self.result(id, &shown, code.map(|code| code != 0));
            }
            _ => {}
        }
    }

    fn gemini(&mut self, value: &Json) {
        let id = text(value, "/id");
        let replaced = self.messages.iter().rev().take(REPLACED);
        for (at, _) in replaced.filter(|(_, message)| message == id) {
            if let Some(step) = self.session.steps.get_mut(*at) {
                *step = Step::Gone;
            }
        }
        let from = self.session.push(Step::Gone);
        match text(value, "/type") {
            "user" => self.person(&text_of(at(value, "/content"))),
            _ => self.agent(&text_of(at(value, "/content"))),
        }
        for call in list(value, "/toolCalls") {
            let id = text(call, "/id");
            self.call(id, at(call, "/args"));
            let failed = matches!(text(call, "/status"), "error" | "cancelled");
            let response = at(call, "/result/0/functionResponse/response");
            let outputs = ["/output", "/error"].map(|part| text(response, part));
            let output = outputs.concat();
            let behind = output.split_once("Output: ").map(|(_, behind)| behind);
            self.result(id, behind.unwrap_or(&output), Some(failed));
        }
        let steps = from..self.session.steps.len();
        self.messages.extend(steps.map(|at| (at, id.to_owned())));
    }

    /// A turn as golemcore's bot hands it to its memory. A result of a tool is its output, or an object
    /// with what the tool was given and printed.
    fn turn(&mut self, value: &Json) {
        self.person(text(value, "/userText"));
        for (number, tool) in list(value, "/toolOutputs").enumerate() {
            let (id, output) = (number.to_string(), text_of(first(tool, OUTPUTS)));
            if let Json::String(output) = tool {
                let typed = prose::typed(output.lines().next().unwrap_or_default());
                let rest = output.split_once('\n').map_or("", |(_, rest)| rest);
                let (line, output) = typed.map_or(("tool", &**output), |line| (line, rest));
                self.call(&id, &json!({ "command": line }));
                self.result(&id, output, Some(!Signature::new(output).is_empty()));
                continue;
            }
            let input = parsed(first(tool, "input arguments args"));
            self.call(&id, if input.is_object() { &input } else { tool });
            if self.calls.get(&id).is_none_or(Vec::is_empty) {
                self.call(&id, &json!({ "command": first(tool, "name tool") }));
            }
            let code = first(tool, "exitCode exit_code").as_i64();
            let success = first(tool, "success ok").as_bool().map(|done| !done);
            let failed = first(tool, "failed isError is_error").as_bool().or(success);
            let error = text_of(first(tool, "error"));
            let failed = failed.or(code.map(|code| code != 0));
            let failed = failed.or((!error.is_empty()).then_some(true));
            let output = [output, error].join("\n");
            let failed = failed.unwrap_or_else(|| !Signature::new(&output).is_empty());
            self.result(&id, output.trim(), Some(failed));
        }
        self.agent(text(value, "/assistantText"));
    }

    /// Takes messages back, or all of them for others.
    fn amend(&mut self, value: &Json) {
        let (back, mut all) = (text(value, "/$rewindTo"), self.messages.iter());
        if let Some((at, _)) = all.find(|(_, message)| message == back).cloned() {
            self.session.steps.truncate(at);
            self.messages.retain(|(step, _)| *step < at);
        }
        if let Some(all) = at(value, "/$set/messages").as_array() {
            self.session.steps.clear();
            self.messages.clear();
            all.iter().for_each(|one| self.gemini(one));
        }
    }

    fn person(&mut self, text: &str) {
        let text = text.trim();
        let is_command = self.session.agent == "gemini" && text.starts_with(['/', '?']);
        // Codex writes each of them twice.
        let said = |step: &Step| matches!(step, Step::Person(old) if *old == text);
        let is_again = self.session.steps.last().is_some_and(said);
        if !text.is_empty() && !is_command && !is_again && !is(text, "not", "machine") {
            self.session.push(Step::Person(text.to_owned()));
        }
    }

    fn agent(&mut self, text: &str) {
        let text = text.split("<oai-mem-citation>").next().unwrap_or_default();
        if !text.trim().is_empty() {
            self.session.push(Step::Agent(text.trim().to_owned()));
        }
    }

    /// A call of a tool that runs a command or changes a file, whatever its name.
    fn call(&mut self, id: &str, input: &Json) {
        let mut commands = COMMANDS.split(' ').filter_map(|key| input.get(key));
        let command = commands.next();
        let words = command.unwrap_or(input);
        let line = match words.as_array() {
            // A shell with its line, or a program with its arguments.
            Some(words) => match words.as_slice() {
                [_, flag, line] if flag == "-lc" || flag == "-c" => text(line, "").to_owned(),
                words => words.iter().filter_map(Json::as_str).join(" "),
            },
            None => text(words, "").trim().to_owned(),
        };
        let mut steps = prose::patch(&line);
        if steps.is_empty() && command.is_some() && !line.is_empty() {
            steps.push(Step::Run(Run {
                line,
                ..Run::default()
            }));
        }
        let path = PATHS.split(' ').find_map(|key| input.get(key)?.as_str());
        let texts = std::iter::once(input).chain(list(input, "/edits"));
        let texts = texts.flat_map(|one| TEXTS.split(' ').filter_map(|key| one.get(key)));
        let texts: Vec<&str> = texts.filter_map(Json::as_str).collect();
        if let Some(path) = path.filter(|_| !texts.is_empty()) {
            let path = self.session.below(path).to_owned();
            let added = texts.join("\n");
            steps.push(Step::Edit(FileEdit { path, added }));
        }
        if self.keeps_reads && steps.is_empty() {
            let lists = LISTS.split(' ');
            let lists = lists.filter_map(|key| input.get(key)?.as_array());
            let listed = lists.flatten().filter_map(Json::as_str);
            let read = path.into_iter().chain(listed).map(str::to_owned);
            let read = read.map(|line| Run {
                line,
                ..Run::default()
            });
            steps.extend(read.map(Step::Read));
        }
        let steps = steps.into_iter().map(|step| self.session.push(step));
        self.calls.insert(id.to_owned(), steps.collect());
    }

    fn result(&mut self, id: &str, output: &str, failed: Option<bool>) {
        let code = exit_code(output).map(|code| code != 0);
        let failed = failed.filter(|failed| *failed).or(code).or(failed);
        let steps = self.calls.remove(id).unwrap_or_default();
        for step in &steps {
            self.session.end(*step, output, failed);
        }
        self.ended.extend(steps);
    }
}

/// Bytes of a conversation, a diff or one JSON document that are read.
const MOST: usize = 32 << 20;

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file of JSON lines that an agent wrote, or one JSON document.
    Transcript,
    /// Words of people and agents.
    Conversation,
    /// A diff.
    Diff,
}

impl Source {
    /// The source that a word names; none of `auto`.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "transcript" => Some(Self::Transcript),
            "conversation" => Some(Self::Conversation),
            "diff" => Some(Self::Diff),
            _ => None,
        }
    }

    /// The source that begins with a line.
    fn of_line(line: &str) -> Self {
        let starts = ["diff --git ", "commit ", "--- ", "Index: "];
        if line.trim_start().starts_with(['{', '[']) {
            Self::Transcript
        } else if prose::is_mail(line) || starts.iter().any(|start| line.starts_with(start)) {
            Self::Diff
        } else {
            Self::Conversation
        }
    }
}

/// Lines of a session on their way in.
#[derive(Default)]
pub struct Intake {
    source: Option<Source>,
    reader: Reader,
    /// The text of what is read as a whole.
    text: String,
    /// Lines of a transcript that are a JSON object, and that are none.
    lines: [usize; 2],
}

impl Intake {
    /// An intake for a source; without one, the first line tells it.
    pub fn new(source: Option<Source>) -> Self {
        Self {
            source,
            ..Self::default()
        }
    }

    /// Takes in a line. False if nothing more is read.
    pub fn line(&mut self, line: &str) -> bool {
        if line.trim().is_empty() && self.source.is_none() {
            return true;
        }
        let source = *self.source.get_or_insert_with(|| Source::of_line(line));
        if source == Source::Transcript {
            let [records, others] = &mut self.lines;
            match serde_json::from_str::<Json>(line) {
                Ok(value) if value.is_object() => {
                    self.reader.record(&value);
                    *records += 1;
                }
                _ => *others += 1,
            }
            if *records > 0 {
                return true;
            }
        }
        // A document over many lines is read as a whole.
        self.text += line;
        self.text.push('\n');
        self.text.len() <= MOST
    }

    /// Notes a line that was too long to be read.
    pub const fn skip(&mut self) {
        self.lines[1] += 1;
    }

    /// The session.
    pub fn finish(mut self) -> Session {
        match self.source {
            Some(Source::Diff) => prose::diff(&self.text),
            Some(Source::Conversation) => prose::conversation(&self.text),
            Some(Source::Transcript) => {
                // One document: a list of messages, or an object that has one.
                if let (0, Ok(all)) = (self.lines[0], serde_json::from_str::<Json>(&self.text)) {
                    let one = std::slice::from_ref(&all);
                    let inner = all.get("messages").unwrap_or(&all).as_array();
                    let inner = inner.map_or(one, Vec::as_slice).iter();
                    inner.for_each(|one| self.reader.record(one));
                    self.lines[1] = 0;
                }
                self.reader.session.skipped = self.lines[1];
                self.reader.session
            }
            None => Session::default(),
        }
    }
}
