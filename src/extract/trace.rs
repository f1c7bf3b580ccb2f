//! The memories of a session, from its transcript: loaded, read, written, drawn on and gone against,
//! each with the lines that show it. Loads and reads are records; the rest is judged by [`Statement`].

mod statement;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use itertools::Itertools as _;
use regex::Regex;
use serde_json::Value as Json;

use self::statement::{Deed, Statement, statements};
use super::sayings::is;
use super::session::{Session, Step};
use super::transcript::{Reader, at, text, text_of};

/// Something that happened with a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Happening {
    /// Its text was put into the context.
    Loaded,
    /// A tool read it.
    Read,
    /// A tool changed it.
    Written,
    /// The session drew on it.
    Drawn,
    /// The session, or what it met, went against it.
    Against,
}

impl Happening {
    /// The word of the contract.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::Read => "read",
            Self::Written => "written",
            Self::Drawn => "drawn",
            Self::Against => "against",
        }
    }
}

/// An event of a memory.
#[derive(Clone, Debug)]
pub struct Event {
    /// The kind of it.
    pub kind: Happening,
    /// The memory: its path from the folder of the session or the home, or the name a hook gave.
    pub path: String,
    /// The lines of the transcript that show it, from the first to the last; 0 for an event of a hook.
    pub lines: [usize; 2],
    /// How it was loaded, or what shows the use.
    pub how: String,
    step: usize,
}

/// Reads the transcript of one session line by line.
#[derive(Default)]
pub struct Trace {
    reader: Reader,
    /// The events, in order.
    pub events: Vec<Event>,
    /// Files that tools read or changed, from the folder of the session.
    pub files: BTreeSet<String>,
    /// Requests of the person.
    pub prompts: Vec<String>,
    /// Time of the first record that has one.
    pub started: Option<String>,
    /// True if it is the session of a subagent.
    pub is_subagent: bool,
    /// Texts that hooks gave, by the names of memories or stores in them.
    pub handed: BTreeMap<String, String>,
    statements: Vec<Statement>,
}

/// Name of the block of memkeep's own hook.
const BLOCK: &str = "<memkeep-memories>";

/// Agents by their names in transcripts, and as loaders.
const LOADERS: [(&str, &str); 3] = [
    ("claude", "Claude Code"),
    ("codex", "Codex"),
    ("gemini", "Gemini CLI"),
];

/// Prompts that are kept.
const MOST_PROMPTS: usize = 50;
/// Statements and events that are kept.
const MOST: usize = 5_000;

/// Names of files of instructions.
const FILES: &str = "CLAUDE.md CLAUDE.local.md AGENTS.md AGENTS.override.md GEMINI.md MEMORY.md";
/// Parts of paths of memories below a hidden folder.
const PARTS: &str = "memor rules instructions steering guidelines";

static PATTERNS: LazyLock<[Option<Regex>; 5]> = LazyLock::new(|| {
    [
        r"(?s)MEMORY_SUMMARY BEGINS =*\n(?P<text>.*?)\n=* ?MEMORY_SUMMARY ENDS",
        r"(?s)\A# (?P<path>AGENTS\.md) instructions for [^\n]*\n(?P<text>.*)",
        r"(?s)--- Context from: (?P<path>[^\n]+?) ---\n(?P<text>.*?)\n--- End of Context",
        r"\[([\w:@.~/#-]{3,})\]\s*$|(?:^|[^\w`./-])([a-z0-9]+(?:_[a-z0-9]+)+)\b",
        r"(?m)^([^\s:|]+):\d+-\d+\||Memory used: `([^`:]+):\d+-\d+`",
    ]
    .map(|form| Regex::new(form).ok())
});

/// The folder of Codex's own memories.
const CODEX: &str = "~/.codex/memories/";

/// True if a path is that of a memory or a file of instructions.
fn is_memory(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let hidden = path
        .find("/.")
        .or_else(|| path.starts_with('.').then_some(0));
    let below = hidden.and_then(|at| path.get(at..)).unwrap_or_default();
    let is_text = [".md", ".mdc", ".jsonl"]
        .iter()
        .any(|end| name.ends_with(end));
    let has_part =
        PARTS.split(' ').any(|part| below.contains(part)) || path.contains("memory-bank/");
    FILES.split(' ').any(|file| file == name) || is_text && has_part
}

impl Trace {
    /// A trace without events.
    pub fn new() -> Self {
        let mut trace = Self::default();
        trace.reader.keeps_reads = true;
        trace
    }

    /// The session so far: its agent and its folder.
    pub const fn session(&self) -> &Session {
        &self.reader.session
    }

    /// Its agent as a loader of memories; empty if it is unknown.
    pub fn loader(&self) -> &'static str {
        let mut all = LOADERS.iter();
        let named = all.find(|(name, _)| *name == self.session().agent);
        named.map_or("", |(_, title)| title)
    }

    /// True if the transcript records what was loaded.
    pub fn is_recorded(&self) -> bool {
        let is_file = |one: &Event| one.kind == Happening::Loaded && !one.how.starts_with("hook");
        self.events.iter().any(is_file)
    }

    /// A path from the folder of the session, or from the home.
    pub fn place(&self, path: &str) -> String {
        let below = self.reader.session.below(path.trim_start_matches("./"));
        let homes = ["/.claude/", "/.codex/", "/.gemini/"];
        let home = homes.iter().filter_map(|folder| below.find(folder)).min();
        let home = home.filter(|_| below.starts_with('/'));
        home.and_then(|at| below.get(at..))
            .map_or_else(|| below.to_owned(), |rest| format!("~{rest}"))
    }

    /// Takes in a line with its number.
    pub fn line(&mut self, number: usize, line: &str) {
        let Ok(mut value) = serde_json::from_str::<Json>(line) else {
            return;
        };
        if self.started.is_none() {
            let times = ["/timestamp", "/startTime", "/payload/timestamp"];
            self.started = times
                .iter()
                .find_map(|time| Some(at(&value, time).as_str()?.to_owned()));
        }
        // What a subagent does is its session.
        let mark = value.get_mut("isSidechain");
        self.is_subagent |= mark.is_some_and(|mark| mark.take() == Json::Bool(true));
        let from = self.reader.session.steps.len();
        self.reader.record(&value);
        self.loads(number, &value);
        let (steps, to) = (&self.reader.session.steps, self.reader.session.steps.len());
        let new = steps.get(from.min(to)..).unwrap_or_default().to_vec();
        let ended = self.reader.ended.clone();
        if to < from {
            self.take_back(to);
        }
        self.deeds(number, from, &new);
        for step in ended {
            self.end(number, step);
        }
        self.events.truncate(MOST);
    }

    /// Adds an event, or more lines to the same one.
    fn add(&mut self, kind: Happening, path: String, line: usize, how: String, step: usize) {
        let is_same = |one: &&mut Event| {
            (one.kind, &one.path, &one.how) == (kind, &path, &how) && line <= one.lines[1] + 1
        };
        match self.events.iter_mut().rev().find(is_same) {
            Some(event) => (event.lines[1], event.step) = (line, step),
            None => self.events.push(Event {
                kind,
                path,
                lines: [line; 2],
                how,
                step,
            }),
        }
    }

    /// Notes a text that was loaded, or that a tool showed.
    fn learn(&mut self, path: &str, text: &str) {
        for one in statements(path, text) {
            if self.statements.len() < MOST && !self.statements.contains(&one) {
                self.statements.push(one);
            }
        }
    }

    fn load(&mut self, path: &str, text: &str, line: usize, how: String) {
        let path = self.place(path);
        self.learn(&path, text);
        self.add(Happening::Loaded, path, line, how, usize::MAX);
    }

    /// Takes in an event that Claude Code sent its hooks because it loaded a file.
    pub fn loaded_by_event(&mut self, event: &Json) {
        let how = format!("event InstructionsLoaded, {}", text(event, "/load_reason"));
        self.load(text(event, "/file_path"), "", 0, how);
    }

    /// The texts that a record puts into the context.
    fn loads(&mut self, line: usize, value: &Json) {
        let attached = at(value, "/attachment");
        match text(attached, "/type") {
            "instructions" => {
                let reason = text(attached, "/reason");
                for file in at(attached, "/files").as_array().into_iter().flatten() {
                    let how = [text(file, "/type"), reason].join(" ").trim().to_owned();
                    self.load(text(file, "/path"), text(file, "/content"), line, how);
                }
            }
            "nested_memory" => {
                let globs = at(attached, "/content/globs")
                    .as_array()
                    .into_iter()
                    .flatten();
                let globs = globs.filter_map(Json::as_str).join(", ");
                let how = match &*globs {
                    "" => "with a file below its folder".to_owned(),
                    globs => format!("with a file that matches {globs}"),
                };
                let content = text(attached, "/content/content");
                self.load(text(attached, "/path"), content, line, how);
            }
            "hook_additional_context" => {
                let all = at(attached, "/content").as_array().into_iter().flatten();
                let all = all.filter_map(Json::as_str).join("\n");
                self.hook(line, &all, text(attached, "/hookEvent"));
            }
            _ => {}
        }
        let [summary, agents, context, _, cited] = &*PATTERNS;
        let payload = at(value, "/payload/content");
        let said = [text_of(at(value, "/content")), text_of(payload)].concat();
        let mut marks = ["<hook_context>", BLOCK].into_iter();
        let hooked = marks.find_map(|mark| said.get(said.find(mark)?..));
        if let Some(hooked) = hooked.map(|text| text.trim_start_matches("<hook_context>")) {
            self.hook(line, hooked, "");
        }
        let is_given = is(&said, "not", "machine") || text(value, "/payload/role") == "developer";
        let calls = at(value, "/toolCalls").as_array().into_iter().flatten();
        let response = "/result/0/functionResponse/response/output";
        let shown = calls.map(|call| text(call, response).to_owned());
        let shown = shown.filter(|text| text.contains("--- Newly Discovered Project Context ---"));
        for given in shown.chain([said.clone()].into_iter().filter(|_| is_given)) {
            for form in [summary, agents, context].into_iter().flatten() {
                for found in form.captures_iter(&given) {
                    let part = |name: &str| found.name(name).map(|part| part.as_str().to_owned());
                    let path = part("path").unwrap_or_else(|| format!("{CODEX}memory_summary.md"));
                    self.load(
                        &path,
                        &part("text").unwrap_or_default(),
                        line,
                        String::new(),
                    );
                }
            }
        }
        if said.contains("oai-mem-citation") || said.contains("Memory used:") {
            for found in cited.iter().flat_map(|form| form.captures_iter(&said)) {
                let path = found
                    .get(1)
                    .or(found.get(2))
                    .map_or("", |path| path.as_str());
                let how = "the answer cites it".to_owned();
                self.add(
                    Happening::Drawn,
                    format!("{CODEX}{path}"),
                    line,
                    how,
                    usize::MAX,
                );
            }
        }
    }

    /// The memories that a hook gave, by their names in its text.
    fn hook(&mut self, line: usize, given: &str, event: &str) {
        let [.., name, _] = &*PATTERNS;
        let how = match event {
            "" => "hook".to_owned(),
            event => format!("hook at {event}"),
        };
        // In the block of memkeep's own hook names stand in headings alone.
        let is_own = given.contains(BLOCK);
        let (mut named, mut last) = (String::new(), String::new());
        for own in given.lines() {
            let form = name.iter().filter(|_| !is_own || own.starts_with("## "));
            let found = form.filter_map(|form| form.captures(own)).next();
            let found = found.and_then(|found| found.get(1).or(found.get(2)));
            if let Some(found) = found.map(|found| found.as_str()) {
                let known = self.statements.iter().find(|one| one.name() == found);
                last = known.map_or(found, |one| &*one.path).to_owned();
                found.clone_into(&mut named);
                self.add(
                    Happening::Loaded,
                    last.clone(),
                    line,
                    how.clone(),
                    usize::MAX,
                );
            }
            if !last.is_empty() && self.handed.len() < MOST {
                *self.handed.entry(named.clone()).or_default() += &format!("{own}\n");
                self.learn(&last.clone(), own);
            }
        }
    }

    /// What the new steps of a record do, and what the person says to the steps before.
    fn deeds(&mut self, line: usize, from: usize, new: &[Step]) {
        let mut deed = Deed::default();
        for (at, step) in (from..).zip(new) {
            match step {
                Step::Person(words) => self.person(line, words),
                Step::Agent(words) => deed.say(words),
                Step::Run(run) => {
                    deed.run(&run.line);
                    self.touch(line, at, &run.line);
                }
                Step::Read(run) => {
                    let path = self.place(&run.line);
                    if is_memory(&path) {
                        self.add(Happening::Read, path, line, String::new(), at);
                    }
                }
                Step::Edit(edit) => {
                    let path = self.place(&edit.path);
                    deed.edit(&path, &edit.added);
                    if is_memory(&path) {
                        self.statements.retain(|one| one.path != path);
                        self.add(Happening::Written, path, line, String::new(), at);
                    }
                }
                Step::Commit(_) | Step::Gone => {}
            }
        }
        let last = (from + new.len()).saturating_sub(1);
        self.judge(line, last, &deed);
    }

    /// Paths of memories in a command: read, or written where it redirects to them.
    fn touch(&mut self, line: usize, step: usize, command: &str) {
        let is_end = |c: char| c.is_whitespace() || "'\"`;|&()<>=".contains(c);
        for word in command
            .split(is_end)
            .filter(|word| !word.is_empty())
            .unique()
        {
            let path = self.place(word);
            let Some((before, _)) = command.split_once(word).filter(|_| is_memory(&path)) else {
                continue;
            };
            let before = before.trim_end_matches([' ', '"', '\'']);
            let is_written = before.ends_with('>') || before.ends_with("tee");
            let kind = if is_written {
                Happening::Written
            } else {
                Happening::Read
            };
            self.add(kind, path, line, String::new(), step);
        }
    }

    /// Adds what the known texts say of a deed: one event for each memory.
    fn judge(&mut self, line: usize, step: usize, deed: &Deed) {
        let judged = self.statements.iter();
        let judged = judged.filter_map(|one| Some((&one.path, one.judge(deed)?)));
        let judged = judged.sorted_by_key(|(path, (order, ..))| (*path, *order));
        let judged = judged.dedup_by(|(one, _), (other, _)| one == other);
        let judged = judged.map(|(path, judged)| (path.clone(), judged));
        for (path, (_, kind, how)) in judged.collect_vec() {
            self.add(kind, path, line, how, step);
        }
    }

    /// A step that ends: its events reach to this line, its output may go against a memory, and
    /// what was read of one is known.
    fn end(&mut self, line: usize, step: usize) {
        let Some(ended) = self.reader.session.steps.get(step).cloned() else {
            return;
        };
        let made = |kind| !matches!(kind, Happening::Loaded | Happening::Against);
        let is_unread = matches!(&ended, Step::Read(run) if run.failed == Some(true));
        let has_failed = ended == Step::Gone || is_unread;
        self.events
            .retain(|one| !(has_failed && one.step == step && made(one.kind)));
        let own = self.events.iter_mut().filter(|one| one.step == step);
        own.for_each(|one| one.lines[1] = line);
        let touched = match &ended {
            Step::Read(run) if !is_unread => Some(&run.line),
            Step::Edit(edit) => Some(&edit.path),
            _ => None,
        };
        let touched = touched.map(|path| self.place(path));
        self.files.extend(touched);
        let (Step::Run(run) | Step::Read(run)) = &ended else {
            return;
        };
        let is_own = |one: &&Event| one.step == step && one.kind == Happening::Read;
        let read = self.events.iter().find(is_own).map(|one| one.path.clone());
        match read {
            Some(path) => self.learn(&path, &run.output),
            None => self.judge(line, step, &Deed::shown(&run.line, &run.output)),
        }
    }

    /// The person answers what went against a memory since they spoke last, or takes up its words.
    fn person(&mut self, line: usize, words: &str) {
        let since = self.reader.session.steps.iter().rev().skip(1);
        let since = since.take_while(|step| step.person().is_none()).count();
        let first = self.reader.session.steps.len().saturating_sub(since + 1);
        let is_recent = |one: &&Event| one.kind == Happening::Against && one.step >= first;
        let recent = self.events.iter().filter(is_recent);
        let recent = recent.map(|one| one.path.clone()).unique().collect_vec();
        let says = is(words, "verdict", "person");
        for path in recent {
            let mut own = self.statements.iter().filter(|one| one.path == path);
            if says || own.any(|one| one.shares_a_word(words)) {
                let how = "the person says so".to_owned();
                self.add(Happening::Against, path, line, how, usize::MAX);
            }
        }
        if self.prompts.len() < MOST_PROMPTS {
            self.prompts.push(words.to_owned());
        }
    }

    /// What the person takes back was not what they wanted.
    fn take_back(&mut self, from: usize) {
        let back = self.events.iter_mut();
        for one in back.filter(|one| one.step != usize::MAX && one.step >= from) {
            if one.kind == Happening::Drawn {
                (one.kind, one.how) = (Happening::Against, "the person takes it back".to_owned());
            }
            one.step = from.saturating_sub(1);
        }
    }
}
