//! Ralph's parser, writer and cut, written anew from their description and without a line of the
//! program's own code: four patterns over the lines of a text.

use std::sync::LazyLock;

use regex::Regex;

/// A memory as Ralph has it. The date is none where Ralph takes today's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub id: String,
    pub kind: &'static str,
    pub content: String,
    pub tags: Vec<String>,
    pub created: Option<String>,
}

/// Section names with the words of their types.
pub const SECTIONS: [(&str, &str); 4] = [
    ("Patterns", "pattern"),
    ("Decisions", "decision"),
    ("Fixes", "fix"),
    ("Context", "context"),
];

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

static SECTION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^## (Patterns|Decisions|Fixes|Context)"));
static ID: LazyLock<Regex> = LazyLock::new(|| pattern(r"^### (mem-\d+-[0-9a-f]{4})"));
static CONTENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^> (.+)$"));
static METADATA: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"<!-- tags: ([^|]*) \| created: (\d{4}-\d{2}-\d{2}) -->"));

/// What the parser carries from line to line.
#[derive(Default)]
struct State {
    kind: Option<&'static str>,
    id: Option<String>,
    content: Vec<String>,
    tags: Vec<String>,
    created: Option<String>,
    out: Vec<Seen>,
}

impl State {
    fn flush(&mut self) {
        let id = self.id.take();
        if let Some(id) = id.filter(|_| !self.content.is_empty()) {
            self.out.push(Seen {
                id,
                kind: self.kind.unwrap_or("pattern"),
                content: self.content.join("\n"),
                tags: std::mem::take(&mut self.tags),
                created: self.created.take(),
            });
        }
        self.content.clear();
    }
}

/// What Ralph reads.
pub fn parse(text: &str) -> Vec<Seen> {
    let mut state = State::default();
    for line in text.lines() {
        if let Some(found) = SECTION.captures(line) {
            state.flush();
            let kind = SECTIONS.iter().find(|(name, _)| *name == &found[1]);
            state.kind = kind.map(|(_, word)| *word);
        } else if let Some(found) = ID.captures(line) {
            state.flush();
            state.id = Some(found[1].to_owned());
        } else if let Some(found) = CONTENT.captures(line) {
            state.content.push(found[1].to_owned());
        } else if let Some(found) = METADATA.captures(line) {
            let tags = found[1].split(',').map(|tag| tag.trim().to_owned());
            state.tags = tags.filter(|tag| !tag.is_empty()).collect();
            state.created = Some(found[2].to_owned());
        }
    }
    state.flush();
    state.out
}

/// The text of these memories as Ralph injects it.
pub fn format(memories: &[Seen], today: &str) -> String {
    if memories.is_empty() {
        return String::new();
    }
    let mut out = "# Memories\n".to_owned();
    for (section, word) in SECTIONS {
        let of_kind: Vec<&Seen> = memories
            .iter()
            .filter(|memory| memory.kind == word)
            .collect();
        if !of_kind.is_empty() {
            out += &format!("\n## {section}\n");
        }
        for memory in of_kind {
            out += &format!(
                "\n### {}\n> {}\n<!-- tags: {} | created: {} -->\n",
                memory.id,
                memory.content.replace('\n', "\n> "),
                memory.tags.join(", "),
                memory.created.as_deref().unwrap_or(today)
            );
        }
    }
    out
}

/// The text within a budget of tokens.
pub fn truncate(text: &str, budget: usize) -> String {
    if budget == 0 || text.len() <= budget * 4 {
        return text.to_owned();
    }
    let mut cap = budget * 4;
    while !text.is_char_boundary(cap) {
        cap -= 1;
    }
    let cut = &text[..cap];
    let kept = match cut.rfind("-->") {
        Some(at) => {
            let end = at + 3;
            let newline = cut[end..].find('\n').map_or(end, |at| end + at + 1);
            &text[..newline]
        }
        None => cut,
    };
    format!("{kept}\n\n<!-- truncated: budget {budget} tokens exceeded -->")
}

/// The file with a memory more, as Ralph adds one to a file in order.
pub fn append(text: &str, memory: &Seen) -> String {
    let lines: Vec<String> = memory
        .content
        .lines()
        .map(|line| format!("> {line}"))
        .collect();
    let block = format!(
        "\n### {}\n{}\n<!-- tags: {} | created: {} -->\n",
        memory.id,
        lines.join("\n"),
        memory.tags.join(", "),
        memory.created.as_deref().unwrap()
    );
    let (section, _) = SECTIONS
        .iter()
        .find(|(_, word)| *word == memory.kind)
        .unwrap();
    let header = format!("## {section}");
    let place = text.find(&header).and_then(|at| {
        let behind = at + header.len();
        text[behind..]
            .find('\n')
            .map(|newline| behind + newline + 1)
    });
    match place {
        Some(place) => format!("{}{block}{}", &text[..place], &text[place..]),
        None => format!("{}\n{header}\n{block}", text.trim_end()),
    }
}
