use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::*;
use crate::curate::{Change, Resolution};
use crate::lint::report::Report;

use crate::memory::{Memory, MemoryId, Problem, State, Value, document, frontmatter};
use crate::retrieval::{Snapshot, Texts};

pub(crate) mod examples;
mod rules;
mod stories;

pub(crate) struct Sample {
    pub(crate) memory: Memory,
    text: String,
}

/// A memory as the store would read it, in short: frontmatter between fences, then the body.
pub(crate) fn memory(local: &str) -> Sample {
    let id = MemoryId::new(&"rawko".into(), local);
    let file = crate::curate::differences::without_number(&id).to_owned();
    Sample {
        memory: Memory {
            words: 300,
            ..Memory::new(
                id,
                Path::new(&format!("/repo/memories/{file}.md")).into(),
                crate::memory::format::schema("rawko"),
            )
        },
        text: String::new(),
    }
}

impl Sample {
    pub(crate) fn whole(memory: Memory, text: &str) -> Self {
        Self {
            memory,
            text: text.to_owned(),
        }
    }

    pub(crate) fn text(mut self, text: &str) -> Self {
        let layout = document::layout(text.as_bytes());
        let first = &layout.documents[0];
        let front = first.front.clone().unwrap_or_default();
        self.memory.fields = frontmatter::read(&text[front]).unwrap_or_default();
        if let Some(title) = self.memory.field("title").and_then(Value::as_str) {
            self.memory.title = title.into();
        }
        self.memory.span = 0..text.len();
        self.memory.body = first.body.clone();
        self.text = text.into();
        self
    }

    /// A good frontmatter with this in addition, and this body.
    pub(crate) fn front(self, more: &str, body: &str) -> Self {
        let title = self.memory.id.local.clone();
        let has_patterns = more.contains("whenToUse");
        let fields = if has_patterns {
            ""
        } else {
            "whenToUse: auth\n"
        };
        let end = if more.is_empty() { "" } else { "\n" };
        self.text(&format!(
            "---\ntitle: {title}\n{fields}tags: [a]\nimportance: high\n{more}{end}---\n\n{body}"
        ))
    }

    pub(crate) fn change(mut self, change: impl FnOnce(&mut Memory)) -> Self {
        change(&mut self.memory);
        self
    }

    pub(crate) fn words(self, words: u32) -> Self {
        self.change(|memory| memory.words = words)
    }

    pub(crate) fn problem(
        self,
        rule: &'static str,
        severity: Severity,
        line: u32,
        column: u32,
        message: &str,
    ) -> Self {
        let problem = Problem {
            rule,
            severity,
            line,
            column,
            message: message.into(),
        };
        self.change(|memory| memory.problems = Box::new([problem]))
    }
}

pub(crate) struct Store {
    pub(crate) memories: Snapshot,
    pub(crate) texts: Counting,
    pub(crate) file: String,
    pub(crate) decisions: decisions::Decisions,
    pub(crate) tuning: tuning::Tuning,
}

pub(crate) struct Counting {
    texts: Vec<(MemoryId, String)>,
    pub(crate) reads: AtomicUsize,
}

impl Texts for Counting {
    fn body(&self, _: &Memory) -> Option<String> {
        panic!("rules are given the text")
    }

    fn loader_body(&self, _: &Memory) -> Option<String> {
        panic!("rules are given the text")
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let found = self.texts.iter().find(|(id, _)| *id == memory.id);
        found.map(|(_, text)| text.clone())
    }
}

/// 2026-02-01T00:00:00Z.
pub(crate) const NOW: Timestamp = Timestamp(1_769_904_000_000);

impl Store {
    pub(crate) fn of(bodies: &[(&str, &str)]) -> Self {
        let one = |(name, body): &(&str, &str)| memory(name).front("", body);
        Self::new(bodies.iter().map(one).collect())
    }

    pub(crate) fn new(samples: Vec<Sample>) -> Self {
        let text = |sample: &Sample| (sample.memory.id.clone(), sample.text.clone());
        let texts = samples.iter().map(text).collect();
        let memories = samples.into_iter().map(|sample| Arc::new(sample.memory));
        Self {
            memories: Arc::new(memories.collect()),
            texts: Counting {
                texts,
                reads: AtomicUsize::new(0),
            },
            file: String::new(),
            decisions: decisions::Decisions::default(),
            tuning: tuning::Tuning::default(),
        }
    }

    pub(crate) fn cx(&self) -> Context<'_> {
        Context {
            decisions: &self.decisions,
            tuning: &self.tuning,
            ..Context::new(&self.memories, &self.texts, NOW, &repository::Nowhere)
        }
    }

    pub(crate) fn run(&self) -> Vec<Finding> {
        run(&self.cx(), &Selection::all())
    }

    /// Sets a person's answer to a rule about the first two memories.
    pub(crate) fn answer(&mut self, rule: &str, answer: Resolution) {
        let side = |n: usize| {
            let memory = &self.memories[n];
            let text = self.texts.text(memory).unwrap();
            (memory.id.clone(), judged::fingerprint(rule, memory, &text))
        };
        let ((a, x), (b, y)) = (side(0), side(1));
        let answer = decisions::Decision::answer(rule, (&a, x), (&b, y), answer);
        let line = decisions::to_line(&answer.signed(NOW, Some("Ada".into())));
        self.decide(&(self.file.clone() + &line));
    }

    pub(crate) fn decide(&mut self, file: &str) {
        self.file = file.to_owned();
        self.decisions = decisions::Decisions::parse(file);
    }

    pub(crate) fn leave(&mut self, findings: &[Finding]) {
        let text = |at: usize| {
            let memory = &*self.memories[at];
            (memory, self.texts.text(memory).unwrap())
        };
        let left = |finding: &Finding| {
            let all: Vec<_> = finding.parties().map(text).collect();
            let silenced = finding.silenced(&self.memories);
            silenced.map(|one| decisions::Decision::leave(&one, &all))
        };
        let new = findings.iter().filter_map(left).flatten().collect();
        let file = decisions::rewritten(&self.file, &[], new);
        self.decide(&file);
    }

    pub(crate) fn only(&self, rule: &str) -> Vec<Finding> {
        run(&self.cx(), &Selection::of(&[rule]).unwrap())
    }

    pub(crate) fn report<'a>(&'a self, findings: &'a [Finding]) -> Report<'a> {
        Report {
            memories: &self.memories,
            root: Path::new("/repo"),
            findings,
            notes: &[],
            unreported: Unreported::default(),
        }
    }
}

#[test]
fn every_text_is_read_once_and_archived_ones_never() {
    let archived = |memory: &mut Memory| memory.state = State::Archived;
    let store = Store::new(vec![
        memory("A A").front("", "text\x1b"),
        memory("b").front("relatedMemories: [nothing]", "text"),
        memory("C C")
            .front("whenToUse: '|'", "text\x1b")
            .change(archived),
    ]);
    let findings = store.run();
    assert_eq!(store.texts.reads.load(Ordering::Relaxed), 2);
    assert!(findings.iter().all(|finding| finding.memory != 2));
    assert!(findings.len() >= 3);
}

#[test]
fn findings_stand_in_the_order_of_the_contract() {
    let store = Store::new(vec![
        memory("b").front(
            "whenToUse: [\"x|\", \"^a\"]\nrelatedMemories: [no]",
            "text\x1b",
        ),
        memory("a")
            .front("whenToUse: [\"^a\", \"x|\"]", "text")
            .problem("load-error", Severity::Error, 9, 1, "broken"),
        memory("Aa").front("", "text").words(10),
    ]);
    let findings = store.run();
    let order = findings
        .iter()
        .map(|one| (one.severity, one.memory, one.rule));
    let expected = [
        (Severity::Error, 1, "load-error"),
        (Severity::Warning, 1, "pattern-matches-all"),
        (Severity::Warning, 1, "pattern-never-matches"),
        (Severity::Warning, 0, "pattern-matches-all"),
        (Severity::Warning, 0, "pattern-never-matches"),
        (Severity::Warning, 0, "broken-relation"),
        (Severity::Warning, 0, "terminal-escape"),
        (Severity::Info, 2, "name-style"),
        (Severity::Info, 2, "body-length"),
    ];
    assert_eq!(order.collect::<Vec<_>>(), expected);
}

proptest! {
    #[test]
    fn no_text_and_no_field_makes_a_rule_fall_over(
        text in "(---\n)?[a-z:|*?.{}()\\[\\]\\\\^$# \n\u{1b}\u{200d}\u{fe0f}ä😀-]{0,200}(\n---\n)?\\PC{0,80}",
        patterns in prop::collection::vec("[a-zA-D|*?.{},0-9()\\[\\]\\\\^$+ \n/-]{0,20}|\\PC{0,12}", 0..4),
        title in "\\PC{0,20}",
        body in 0usize..300,
        names in prop::collection::vec("[./a-c#\\[\\]]{0,8}", 0..3),
    ) {
        let list = |texts: &[String]| texts.iter().map(|one| Value::from(one.as_str())).collect::<Value>();
        let fields = [
            ("title", Value::from(title)),
            ("whenToUse", list(&patterns)),
            ("discoveredAt", list(&names)),
            ("relatedMemories", list(&names)),
        ];
        let sample = memory("some name#2").text(&text).change(|memory| {
            memory.fields = fields.into_iter().collect();
            memory.span = 3..body + 3;
            memory.body = body..body + 300;
        });
        let store = Store::new(vec![sample, memory("abc").front("", "x")]);
        for finding in store.run() {
            prop_assert!(!finding.message.is_empty());
            prop_assert!(finding.line >= 1 && finding.column >= 1);
            let odd = |c: char| chars::oddity(c).is_some();
            prop_assert!(!finding.message.contains(odd));
        }
    }
}
