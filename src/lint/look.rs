//! What a rule is given: one memory with its text, and what it may ask about all of them.

mod asking;
mod part;

use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::sync::{Mutex, OnceLock};

pub(super) use self::asking::Gathered;
pub(super) use self::part::first_part;
use super::asks::{self, Ask};
use super::files::{Index, name_of};
use super::pairs::Pairs;
use super::place::Place;
use super::{Context, Finding, Fix, FixAction, Note};
use crate::memory::edit::FieldEdit;
use crate::memory::lines::Lines;
use crate::memory::{Memory, Role, Severity, StoreId, Value};
use crate::retrieval::Snapshot;

/// What holds for all memories together, worked out once when a rule first asks.
pub struct Facts {
    memories: Snapshot,
    titles: OnceLock<Index>,
    names: OnceLock<Index>,
    parts: OnceLock<Index>,
    pub(super) stale_paths: super::stale_path::Collector,
    pub(super) symbols: super::stale_symbol::Collector,
    pub(super) changed: super::changed::Met,
    manifests: OnceLock<super::stale_version::Manifests>,
    documents: OnceLock<super::repeats::Documents>,
    notes: Mutex<Vec<Note>>,
    locals: OnceLock<Index>,
    pub(super) pairs: Pairs,
    pub(super) played: super::health::Stores,
}

impl Facts {
    /// The facts about these memories, of which so many findings of a rule are held.
    pub fn new(cx: &Context<'_>, most: usize) -> Self {
        Self {
            memories: cx.memories.clone(),
            titles: OnceLock::new(),
            names: OnceLock::new(),
            parts: OnceLock::new(),
            stale_paths: super::stale_path::Collector::default(),
            symbols: super::stale_symbol::Collector::default(),
            changed: super::changed::Met::default(),
            manifests: OnceLock::new(),
            documents: OnceLock::new(),
            notes: Mutex::default(),
            locals: OnceLock::new(),
            pairs: Pairs::new(cx.memories.len(), most),
            played: OnceLock::new(),
        }
    }

    /// What the manifests of the project require.
    pub(super) fn manifests(&self, cx: &Context<'_>) -> &super::stale_version::Manifests {
        self.manifests
            .get_or_init(|| super::stale_version::Manifests::read(cx.project))
    }

    /// What the documents of the project say.
    pub(super) fn documents(&self, cx: &Context<'_>) -> &super::repeats::Documents {
        self.documents
            .get_or_init(|| super::repeats::Documents::read(cx.project))
    }

    /// Says what a rule could not check: it is about no memory.
    pub fn note(&self, rule: &'static str, message: impl Into<String>) {
        if let Ok(mut notes) = self.notes.lock() {
            let message = message.into();
            notes.push(Note { rule, message });
        }
    }

    /// Takes in what was gathered of a memory before.
    pub(super) fn gathered(&self, cx: &Context<'_>, index: usize, gathered: &Gathered) {
        let [paths, names, files] = gathered.unchecked;
        self.stale_paths.unchecked(paths);
        self.changed.unchecked(files);
        self.symbols.unchecked(names);
        self.symbols.add(cx, index, &gathered.spots);
    }

    /// What rules could not check, in order.
    pub(super) fn notes(&self) -> Vec<Note> {
        let mut notes = self
            .notes
            .lock()
            .map(|notes| notes.clone())
            .unwrap_or_default();
        notes.sort();
        notes.dedup();
        notes
    }

    /// The memory of a store with this LOCAL.
    fn local(&self, store: &StoreId, local: &str) -> Option<usize> {
        let all = self.locals.get_or_init(|| {
            let ask = |memory: &Memory| [asks::local(&memory.id.store, &memory.id.local)];
            Index::of(&self.memories, ask)
        });
        let found = self.all(all.get(asks::local(store, local)));
        let mut found =
            found.filter(|(_, memory)| memory.id.store == *store && &*memory.id.local == local);
        found.next().map(|(index, _)| index)
    }

    /// The active memories of a store whose title is this one, by [`fold`].
    fn titled(&self, store: &StoreId, folded: &str) -> impl Iterator<Item = usize> {
        let titles = self.titles.get_or_init(|| {
            Index::of(&self.memories, |memory| {
                let title = title_of(memory).map(fold);
                title.map(|title| asks::titled(&memory.id.store, &title))
            })
        });
        let found = self.all(titles.get(asks::titled(store, folded)));
        let found = found.filter(move |(_, memory)| {
            memory.id.store == *store && title_of(memory).is_some_and(|title| fold(title) == folded)
        });
        found.map(|(index, _)| index)
    }

    /// The first memories of the files of a store with this name but for case and folder,
    /// archived ones too.
    fn named(&self, store: &StoreId, name: &str) -> impl Iterator<Item = (usize, &Memory)> {
        let names = self.names.get_or_init(|| Index::by_name(&self.memories));
        let found = self.all(names.get(asks::named(store, name)));
        let wanted = name.to_lowercase();
        found.filter(move |(_, memory)| {
            memory.id.store == *store && name_of(memory).to_lowercase() == wanted
        })
    }

    /// The first memories of files whose names share something with this one.
    fn like(&self, store: &StoreId, name: &str) -> impl Iterator<Item = (usize, &Memory)> {
        let parts = self.parts.get_or_init(|| Index::by_parts(&self.memories));
        self.all(parts.sharing(asks::like(store, name)).into_iter())
    }

    /// These memories.
    pub fn all(
        &self,
        indices: impl Iterator<Item = usize>,
    ) -> impl Iterator<Item = (usize, &Memory)> {
        let memory = |index: usize| Some((index, self.memories.get(index)?.as_ref()));
        indices.filter_map(memory)
    }
}

/// The title an active memory has as a field.
fn title_of(memory: &Memory) -> Option<&str> {
    (memory.state == crate::memory::State::Active)
        .then(|| memory.role(Role::Title).and_then(Value::as_str))
        .flatten()
}

/// A text without differences of case and white space.
pub(super) fn fold(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

/// LOCAL without the number of a later memory of the same file.
pub(super) fn file_name(local: &str) -> &str {
    match local.rsplit_once('#') {
        Some((name, number))
            if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            name
        }
        _ => local,
    }
}

/// The bytes of a memory's text that are its body.
pub(super) fn body_range(memory: &Memory, text: &str) -> Range<usize> {
    let (span, body) = (&memory.span, &memory.body);
    // Blank lines behind a frontmatter without a body may be no part of the text.
    let start = body.start.saturating_sub(span.start).min(text.len());
    let end = body.end.saturating_sub(span.start);
    // A file with invalid UTF-8 is longer as text than as bytes.
    if text.get(start..end).is_some() {
        start..end
    } else if text.get(start..).is_some() {
        start..text.len()
    } else {
        0..text.len()
    }
}

/// One memory under the eyes of the rules.
pub struct Look<'a> {
    /// Everything.
    pub cx: &'a Context<'a>,
    /// What holds for all memories.
    pub facts: &'a Facts,
    /// Its index in the snapshot.
    pub index: usize,
    /// The memory.
    pub memory: &'a Memory,
    /// Its text: frontmatter, fences and body; of a long one the first part.
    pub text: &'a str,
    /// Bytes of its whole text.
    pub(super) whole: usize,
    patterns: OnceCell<Vec<super::pattern::Item>>,
    secrets: OnceCell<Vec<super::secret::Hit>>,
    repeat: OnceCell<Option<super::repeats::Repeat>>,
    /// Its lines, and its fields: a memory may have thousands of findings.
    lines: OnceCell<Lines>,
    pub(super) fields: OnceCell<Option<super::place::Fields>>,
    /// What was asked about other memories, and about the time.
    asked: RefCell<Vec<Ask>>,
    gathered: RefCell<Gathered>,
}

impl<'a> Look<'a> {
    pub(super) fn new(
        cx: &'a Context<'a>,
        facts: &'a Facts,
        index: usize,
        memory: &'a Memory,
        text: &'a str,
    ) -> Self {
        Self {
            cx,
            facts,
            index,
            memory,
            text: first_part(text),
            whole: text.len(),
            patterns: OnceCell::new(),
            secrets: OnceCell::new(),
            repeat: OnceCell::new(),
            lines: OnceCell::new(),
            fields: OnceCell::new(),
            asked: RefCell::new(Vec::new()),
            gathered: RefCell::new(Gathered {
                unchecked: [0; 3],
                spots: Vec::new(),
                more: false,
            }),
        }
    }

    /// Its patterns, read the way the matcher reads them; shared by the rules about patterns.
    pub(super) fn patterns(&self) -> &[super::pattern::Item] {
        self.patterns
            .get_or_init(|| super::pattern::items(self.memory))
    }

    /// The secrets in its text: the rule reports them, and what other rules say hides them.
    pub(super) fn secrets(&self) -> &[super::secret::Hit] {
        self.secrets.get_or_init(|| super::secret::find(self.text))
    }

    /// The document of the project that it repeats, where it does.
    pub(super) fn repeat(&self) -> Option<&super::repeats::Repeat> {
        let repeat = || super::repeats::Repeat::of(self);
        self.repeat.get_or_init(repeat).as_ref()
    }

    /// Where the body begins in the text, and the body.
    pub fn body(&self) -> (usize, &'a str) {
        let range = body_range(self.memory, self.text);
        (range.start, self.text.get(range).unwrap_or_default())
    }

    /// Whether rules see only the first part of its text.
    pub(super) const fn is_cut(&self) -> bool {
        self.text.len() < self.whole
    }

    /// Whether this problem was met when the memory was read.
    pub fn has_problem(&self, rule: &str) -> bool {
        self.memory
            .problems
            .iter()
            .any(|problem| problem.rule == rule)
    }

    /// The place of a byte of the text.
    pub fn at(&self, byte: usize) -> Place {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        self.at_bytes(byte..byte)
    }

    /// The place of some bytes of the text.
    pub(super) fn at_bytes(&self, bytes: Range<usize>) -> Place {
        let lines = self.lines.get_or_init(|| Lines::new(self.text.as_bytes()));
        Place::of_bytes((self.text, lines), self.memory.line, bytes)
    }

    /// The place of a field's value, or of one of its items; the memory's first line where it
    /// is not to be found.
    pub fn at_field(&self, field: &str, item: Option<usize>) -> Place {
        Place::of_field(self, field, item)
    }

    /// A finding of a rule on this memory.
    pub fn finding(&self, rule: &'static str, severity: Severity, at: Place) -> Finding {
        Finding {
            rule,
            severity,
            confidence: 1.0,
            memory: self.index,
            line: at.line,
            column: at.column,
            place: at.bytes,
            message: String::new(),
            evidence: Vec::new(),
            marks: Vec::new(),
            related: Vec::new(),
            there: None,
            joined: Vec::new(),
            fix: None,
        }
    }

    /// A fix that edits this memory.
    pub fn edit(&self, title: impl Into<String>, edits: Vec<FieldEdit>) -> Fix {
        self.fix(title, FixAction::Edit(edits))
    }

    /// A fix on this memory.
    pub fn fix(&self, title: impl Into<String>, action: FixAction) -> Fix {
        Fix {
            title: title.into(),
            memory: self.index,
            safe: action.keeps_all(),
            action,
        }
    }

    /// A fix that archives this memory.
    pub fn archive(&self) -> Option<Fix> {
        Some(self.fix("archive it", FixAction::Archive))
    }
}

impl Finding {
    /// The same with this message.
    pub fn says(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// The same with this certainty.
    pub const fn sure(mut self, confidence: f64) -> Self {
        self.confidence = confidence;
        self
    }

    /// The same with one more piece of evidence.
    pub fn because(mut self, evidence: impl Into<String>) -> Self {
        self.evidence.push(evidence.into());
        self
    }

    /// Adds a piece of evidence, of which these bytes are what matters.
    pub fn show(&mut self, evidence: String, marks: impl IntoIterator<Item = Range<usize>>) {
        let place = self.evidence.len();
        self.evidence.push(evidence);
        self.marks
            .extend(marks.into_iter().map(|bytes| (place, bytes)));
    }

    /// A piece of evidence with what matters in it between `‹` and `›`.
    pub fn shown(&self, evidence: usize) -> String {
        let text = self.evidence.get(evidence).map_or("", String::as_str);
        let mut shown = String::with_capacity(text.len() + 16);
        let mut from = 0;
        for (_, bytes) in self.marks.iter().filter(|(place, _)| *place == evidence) {
            let (Some(before), Some(marked)) =
                (text.get(from..bytes.start), text.get(bytes.clone()))
            else {
                continue;
            };
            shown.extend([before, "‹", marked, "›"]);
            from = bytes.end;
        }
        shown.push_str(text.get(from..).unwrap_or_default());
        shown
    }

    /// The same about these other memories too.
    pub fn beside(mut self, related: impl IntoIterator<Item = usize>) -> Self {
        self.related.extend(related);
        self
    }

    /// The same with this fix, where there is one.
    pub fn fixed_by(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }

    /// The same about these bytes.
    pub fn about(mut self, bytes: Range<usize>) -> Self {
        self.place = Some(bytes);
        self
    }
}
