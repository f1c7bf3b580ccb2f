//! The memories of a session, from its transcript: loaded, read, written, drawn on and gone against,
//! each with the lines that show it. Loads and reads are records; the rest is judged by [`Statement`].

mod statement;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use itertools::Itertools as _;
use regex::Regex;
use serde_json::Value as Json;

use self::statement::{Deed, Statement, statements};
use super::is;
use super::session::{Session, Step};
use super::transcript::{Reader, at, list, text, text_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Happening {
    /// Its text was put into the context.
    Loaded,
    Read,
    Written,
    Drawn,
    /// The session, or what it met, went against it.
    Against,
}

impl Happening {
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

#[derive(Clone, Debug)]
pub struct Event {
    pub kind: Happening,
    /// The memory: its path from the folder of the session or the home, or the name a hook gave.
    pub path: String,
    /// The lines of the transcript that show it, from the first to the last; 0 for an event of a hook.
    pub lines: [usize; 2],
    /// How it was loaded, or what shows the use.
    pub how: String,
    /// The step that it belongs to.
    step: Option<usize>,
}

/// Reads the transcript of one session line by line.
#[derive(Default)]
pub struct Trace {
    reader: Reader,
    pub events: Vec<Event>,
    /// Files that tools read or changed, from the folder of the session.
    pub files: BTreeSet<String>,
    /// The first request of the person.
    pub task: Option<String>,
    /// Time of the first record that has one.
    pub started: Option<String>,
    pub is_subagent: bool,
    /// Texts that hooks gave, by the names of memories or stores in them.
    pub handed: BTreeMap<String, String>,
    statements: Vec<Statement>,
    at: usize,
    /// The line in which the person spoke last.
    spoke: usize,
}

const BLOCK: &str = "<memkeep-memories>";

const MOST: usize = 5_000;

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

fn is_memory(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let parts = path.split('/');
    let hidden = parts.skip_while(|part| !part.starts_with(['.', '~']));
    let below = hidden.collect_vec().join("/");
    let has_part = PARTS.split(' ').any(|part| below.contains(part));
    let is_text = name.ends_with(".md") || name.ends_with(".mdc") || name.ends_with(".jsonl");
    FILES.split(' ').any(|file| file == name)
        || is_text && (has_part || path.contains("memory-bank/"))
}

impl Trace {
    pub fn new() -> Self {
        let mut trace = Self::default();
        trace.reader.keeps_reads = true;
        trace
    }

    /// The session so far: its agent and its folder.
    pub const fn session(&self) -> &Session {
        &self.reader.session
    }

    /// Lets go of the texts, of which the events need no more.
    pub fn let_go(&mut self) {
        self.reader.session.steps = Vec::new();
        (self.statements, self.handed) = Default::default();
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

    pub fn line(&mut self, number: usize, line: &str) {
        let Ok(mut value) = serde_json::from_str::<Json>(line) else {
            return;
        };
        let mut times = ["/timestamp", "/startTime"].iter();
        let time = || times.find_map(|time| Some(at(&value, time).as_str()?.to_owned()));
        self.started = self.started.take().or_else(time);
        // What a subagent does is its session.
        let mark = value.get_mut("isSidechain");
        self.is_subagent |= mark.is_some_and(|mark| mark.take() == Json::Bool(true));
        self.at = number;
        let from = self.session().steps.len();
        self.reader.record(&value);
        self.attached(at(&value, "/attachment"));
        self.said(&value);
        let steps = &self.session().steps;
        let new = steps.get(from..).unwrap_or_default().to_vec();
        if steps.len() < from {
            self.take_back(steps.len());
        }
        self.deeds(from, &new);
        for step in self.reader.ended.clone() {
            self.end(step);
        }
        self.events.truncate(MOST);
    }

    fn add(&mut self, kind: Happening, path: &str, how: &str, step: Option<usize>) {
        let at = self.at;
        let is_same = |one: &&mut Event| {
            (one.kind, &*one.path, &*one.how) == (kind, path, how) && at <= one.lines[1] + 1
        };
        match self.events.iter_mut().rev().find(is_same) {
            Some(event) => (event.lines[1], event.step) = (at, step),
            None => self.events.push(Event {
                kind,
                path: path.to_owned(),
                lines: [at; 2],
                how: how.to_owned(),
                step,
            }),
        }
    }

    /// Notes a text that was loaded, or that a tool showed.
    fn learn(&mut self, path: &str, text: &str) {
        for new in statements(path, text) {
            let is_it = |one: &Statement| (&one.path, &one.text) == (&new.path, &new.text);
            if self.statements.len() < MOST && !self.statements.iter().any(is_it) {
                self.statements.push(new);
            }
        }
    }

    fn load(&mut self, path: &str, text: &str, how: &str) {
        let path = self.place(path);
        self.learn(&path, text);
        self.add(Happening::Loaded, &path, how, None);
    }

    /// Reads an `InstructionsLoaded` event: Claude Code loaded a file.
    pub fn loaded_by_event(&mut self, event: &Json) {
        let how = format!("event InstructionsLoaded, {}", text(event, "/load_reason"));
        self.at = 0;
        self.load(text(event, "/file_path"), "", &how);
    }

    /// The texts that Claude Code attaches.
    fn attached(&mut self, attached: &Json) {
        match text(attached, "/type") {
            "instructions" => {
                for file in list(attached, "/files") {
                    let how = [text(file, "/type"), text(attached, "/reason")].join(" ");
                    self.load(text(file, "/path"), text(file, "/content"), how.trim());
                }
            }
            "nested_memory" => {
                let mut globs = list(attached, "/content/globs").filter_map(Json::as_str);
                let how = match globs.join(", ") {
                    none if none.is_empty() => "with a file below its folder".to_owned(),
                    globs => format!("with a file that matches {globs}"),
                };
                let content = text(attached, "/content/content");
                self.load(text(attached, "/path"), content, &how);
            }
            "hook_additional_context" => {
                let all = list(attached, "/content").filter_map(Json::as_str);
                let how = format!("hook at {}", text(attached, "/hookEvent"));
                self.hook(&all.collect_vec().join("\n"), &how);
            }
            _ => {}
        }
    }

    /// The texts that Codex and Gemini CLI put into messages and results, and what answers cite.
    fn said(&mut self, value: &Json) {
        let [summary, agents, context, _, cited] = &*PATTERNS;
        let parts = ["/content", "/payload/content"].map(|part| text_of(at(value, part)));
        let said = parts.concat();
        if let Some((_, hooked)) = said.split_once("<hook_context>") {
            self.hook(hooked, "hook");
        } else if said.contains(BLOCK) {
            self.hook(&said, "hook");
        }
        let response = "/result/0/functionResponse/response/output";
        let shown = list(value, "/toolCalls").map(|call| text(call, response));
        let shown = shown.filter(|text| text.contains("--- Newly Discovered Project Context ---"));
        let is_given = is(&said, "not", "machine") || text(value, "/payload/role") == "developer";
        for given in shown.chain(is_given.then_some(&*said)) {
            let forms = [summary, agents, context].into_iter().flatten();
            for found in forms.flat_map(|form| form.captures_iter(given)) {
                let part = |name: &str| found.name(name).map(|part| part.as_str());
                let path = part("path").unwrap_or("~/.codex/memories/memory_summary.md");
                self.load(path, part("text").unwrap_or_default(), "");
            }
        }
        if said.contains("oai-mem-citation") || said.contains("Memory used:") {
            for found in cited.iter().flat_map(|form| form.captures_iter(&said)) {
                let path = found.iter().skip(1).flatten().map(|path| path.as_str());
                let path = format!("~/.codex/memories/{}", path.collect::<String>());
                self.add(Happening::Drawn, &path, "the answer cites it", None);
            }
        }
    }

    /// The memories that a hook gave, by their names in its text.
    fn hook(&mut self, given: &str, how: &str) {
        let [.., name, _] = &*PATTERNS;
        // In the block of memkeep's own hook names stand in headings alone.
        let is_own = given.contains(BLOCK);
        let (mut named, mut path) = (String::new(), String::new());
        for line in given.lines() {
            let form = name.iter().filter(|_| !is_own || line.starts_with("## "));
            let found = form.filter_map(|form| form.captures(line)).next();
            let found = found.and_then(|found| found.iter().skip(1).flatten().next());
            if let Some(found) = found.map(|found| found.as_str()) {
                let known = self.statements.iter().find(|one| one.name() == found);
                path = known.map_or(found, |one| &*one.path).to_owned();
                found.clone_into(&mut named);
                self.add(Happening::Loaded, &path, how, None);
            }
            if !path.is_empty() && self.handed.len() < MOST {
                *self.handed.entry(named.clone()).or_default() += &format!("{line}\n");
                self.learn(&path, line);
            }
        }
    }

    /// What the new steps of a record do, and what the person says to the steps before.
    fn deeds(&mut self, from: usize, new: &[Step]) {
        let mut deed = Deed::default();
        for (at, step) in (from..).zip(new) {
            match step {
                Step::Person(words) => self.person(words),
                Step::Agent(words) => deed.say(words),
                Step::Run(run) => {
                    deed.run(&run.line);
                    self.touch(at, &run.line);
                }
                Step::Read(run) => {
                    let path = self.place(&run.line);
                    if is_memory(&path) {
                        self.add(Happening::Read, &path, "", Some(at));
                    }
                }
                Step::Edit(edit) => {
                    let path = self.place(&edit.path);
                    deed.edit(&path, &edit.added);
                    if is_memory(&path) {
                        self.statements.retain(|one| one.path != path);
                        self.add(Happening::Written, &path, "", Some(at));
                    }
                }
                Step::Commit(_) | Step::Gone => {}
            }
        }
        self.judge((from + new.len()).saturating_sub(1), &deed);
    }

    /// Paths of memories in a command: read, or written where it redirects to them.
    fn touch(&mut self, step: usize, command: &str) {
        let is_end = |c: char| c.is_whitespace() || "'\"`;|&()<>=".contains(c);
        let words = command.split(is_end).filter(|word| !word.is_empty());
        for word in words.unique() {
            let path = self.place(word);
            let before = command.split(word).next().unwrap_or_default();
            let before = before.trim_end_matches([' ', '"', '\'']);
            if is_memory(&path) {
                let kind = match before.ends_with('>') || before.ends_with("tee") {
                    true => Happening::Written,
                    false => Happening::Read,
                };
                self.add(kind, &path, "", Some(step));
            }
        }
    }

    /// Adds what the known texts say of a deed: one event for each memory.
    fn judge(&mut self, step: usize, deed: &Deed) {
        let judged = self.statements.iter();
        let judged = judged.filter_map(|one| Some((one.path.clone(), one.judge(deed)?)));
        let judged = judged.sorted_by(|(path, (order, ..)), (other, (next, ..))| {
            (path, order).cmp(&(other, next))
        });
        for (path, (_, kind, how)) in judged.dedup_by(|(one, _), (other, _)| one == other) {
            self.add(kind, &path, &how, Some(step));
        }
    }

    /// Ends a step: its events reach to this line, and its output is judged or learned.
    fn end(&mut self, step: usize) {
        let Some(ended) = self.session().steps.get(step).cloned() else {
            return;
        };
        let is_undone = match &ended {
            Step::Read(run) => run.failed == Some(true),
            step => *step == Step::Gone,
        };
        let made =
            |one: &Event| !is_undone || one.step != Some(step) || one.kind == Happening::Against;
        self.events.retain(made);
        let own = self.events.iter_mut().filter(|one| one.step == Some(step));
        own.for_each(|one| one.lines[1] = self.at);
        let (run, touched) = match &ended {
            Step::Read(run) => (Some(run), Some(&run.line)),
            Step::Run(run) => (Some(run), None),
            Step::Edit(edit) => (None, Some(&edit.path)),
            _ => (None, None),
        };
        let touched = touched.filter(|_| !is_undone).map(|path| self.place(path));
        self.files.extend(touched);
        let is_read = |one: &&Event| one.step == Some(step) && one.kind == Happening::Read;
        let read = self.events.iter().find(is_read).map(|one| one.path.clone());
        match (run, read) {
            (Some(run), Some(path)) => self.learn(&path, &run.output),
            (Some(run), None) => self.judge(step, &Deed::shown(&run.line, &run.output)),
            _ => {}
        }
    }

    /// The person answers what went against a memory since they spoke last, or takes up its words.
    fn person(&mut self, words: &str) {
        let is_new = |one: &&Event| one.kind == Happening::Against && one.lines[0] > self.spoke;
        let new = self.events.iter().filter(is_new);
        let new = new.map(|one| one.path.clone()).unique().collect_vec();
        let says = is(words, "verdict", "person");
        for path in new {
            let mut own = self.statements.iter().filter(|one| one.path == path);
            if says || own.any(|one| one.shares_a_word(words)) {
                self.add(Happening::Against, &path, "the person says so", None);
            }
        }
        self.spoke = self.at;
        self.task.get_or_insert_with(|| words.to_owned());
    }

    /// What the person takes back was not what they wanted.
    fn take_back(&mut self, from: usize) {
        let is_back = |one: &&mut Event| one.kind == Happening::Drawn && one.step >= Some(from);
        for one in self.events.iter_mut().filter(is_back) {
            (one.kind, one.how) = (Happening::Against, "the person takes it back".to_owned());
            one.step = None;
        }
    }
}
