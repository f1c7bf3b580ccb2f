//! The subject of a rule: one memory with its text, and lookups among all of them.

use std::any::Any;
use std::cell::OnceCell;
use std::ops::Range;

use super::cues::Cues;
use super::repository::History;
use super::run_state::{Index, Name, Values};
use super::{Context, Facts, Finding, Fix};
use crate::curate::Change;
use crate::memory::document;
use crate::memory::edit::FieldEdit;
use crate::memory::frontmatter::Locations;
use crate::memory::lines::Lines;
use crate::memory::steps::step;
use crate::memory::{Memory, Severity, State, Value, link};
use crate::text::mentions::{Form, PathMention, paths};

/// Bytes of a memory that rules read; a longer text is no memory but a file that was put there.
const MOST_READ: usize = 5_000_000;

/// Texts of fields that are looked for in the body; the rest counts as texts of their own.
const SEARCHES: usize = 256;

/// The part of a text that rules read: of a long one the first lines.
pub(super) fn first_part(text: &str) -> &str {
    if text.len() <= MOST_READ {
        return text;
    }
    let part = super::chars::cut(text, MOST_READ);
    let end = part.rfind('\n').map_or(part.len(), |end| end + 1);
    part.get(..end).unwrap_or(part)
}

/// The bytes of a memory's text that are its body.
pub(super) fn body_range(memory: &Memory, text: &str) -> Range<usize> {
    let (span, body) = (&memory.span, &memory.body);
    // Blank lines behind a frontmatter without a body may be no part of the text.
    let start = body.start.saturating_sub(span.start).min(text.len());
    let end = body.end.saturating_sub(span.start);
    // A file with invalid UTF-8 is longer as text than as bytes.
    let mut known = [start..end, start..text.len()].into_iter();
    let found = known.find(|at| text.get(at.clone()).is_some());
    found.unwrap_or(0..text.len())
}

/// A position in a file, and the bytes of the memory's text at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line in the file, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Bytes from the memory's span's start.
    pub bytes: Option<Range<usize>>,
}

impl Position {
    /// The start of a memory.
    pub const fn start(line: u32) -> Self {
        Self {
            line,
            column: 1,
            bytes: None,
        }
    }

    /// The position of some bytes of a text that begins on line `first`.
    pub fn of_bytes((text, lines): (&str, &Lines), first: u32, bytes: Range<usize>) -> Self {
        let (line, column) = lines.at(text.as_bytes(), bytes.start);
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Self {
            line: first.saturating_add(number(line)),
            column: number(column),
            bytes: Some(bytes),
        }
    }
}

/// The fields of a text's first frontmatter, and where that begins.
fn fields(text: &str) -> Option<(usize, Locations)> {
    let layout = document::layout(text.as_bytes());
    let front = layout.documents.first()?.front.clone()?;
    Some((front.start, Locations::new(text.get(front)?)))
}

/// One memory as rules see it.
pub struct Subject<'a> {
    /// Everything.
    pub cx: &'a Context<'a>,
    /// Lookups among all memories.
    pub facts: &'a Facts,
    /// Its index in the snapshot.
    pub index: usize,
    /// The memory.
    pub memory: &'a Memory,
    /// Its text: frontmatter, fences and body; of a long one the first part.
    pub text: &'a str,
    /// Bytes of its whole text.
    pub(super) whole: usize,
    state: Values,
    /// The paths that its body mentions: several rules read them.
    paths: OnceCell<Vec<PathMention<'a>>>,
    cues: OnceCell<Cues<'a>>,
}

impl<'a> Subject<'a> {
    /// A memory with its text, as rules look at it.
    pub fn new(
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
            state: Values::default(),
            paths: OnceCell::new(),
            cues: OnceCell::new(),
        }
    }

    /// State that rules share about this memory, made when one first asks for a value of this type.
    pub(super) fn of<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        self.state.of(make)
    }

    /// The beginning of the body in the text, and the body.
    pub fn body(&self) -> (usize, &'a str) {
        let range = body_range(self.memory, self.text);
        (range.start, self.text.get(range).unwrap_or_default())
    }

    pub(super) fn cues(&self) -> &Cues<'a> {
        self.cues
            .get_or_init(|| Cues::new(self.body().1, self.memory))
    }

    pub(super) fn paths(&self) -> &[PathMention<'a>] {
        self.paths.get_or_init(|| {
            let mut found = Vec::new();
            paths(self.body().1, &mut |mention| found.push(mention));
            found
        })
    }

    /// True if rules see only the first part of its text.
    pub(super) const fn is_cut(&self) -> bool {
        self.text.len() < self.whole
    }

    /// True if this problem was met when the memory was read.
    pub fn has_problem(&self, rule: &str) -> bool {
        let mut problems = self.memory.problems.iter();
        problems.any(|problem| problem.rule == rule)
    }

    /// The memory that a link leads to in the folder of this one, which the store has or had.
    pub(super) fn linked_memory<'m>(&self, mention: &'m PathMention<'_>) -> Option<&'m str> {
        let name = mention.path.strip_suffix(".md")?;
        let before = self.body().1.get(..mention.bytes.start);
        let is_here = mention.is_bare() && before.is_none_or(|before| !before.ends_with("../"));
        if mention.form != Form::Link || !is_here || self.memory.schema.can.in_rows {
            return None;
        }
        let was = || {
            let history = self.cx.project.history().ok()?;
            let own = history.below_root(&self.memory.path)?;
            let (folder, _) = own.rsplit_once('/')?;
            history.gone.get(&format!("{folder}/{}", mention.path))
        };
        (self.named(name).next().is_some() || was().is_some()).then_some(name)
    }
}

/// The texts of the fields with their names, a line each, where a format keeps them beside the text;
/// without those that the text has too. Empty where the text is all of the memory.
pub fn fields_beside(memory: &Memory, text: &str) -> String {
    let (mut lines, mut searches) = (String::new(), SEARCHES);
    if body_range(memory, text) == (0..text.len()) {
        for (name, value) in memory.fields.iter() {
            add_field(text, (name, value), &mut searches, &mut lines);
        }
    }
    lines
}

/// Adds the texts in a field's value that are no part of a text.
fn add_field(text: &str, (name, value): (&str, &Value), searches: &mut usize, lines: &mut String) {
    match value {
        Value::Text(one) => {
            let searched = *searches > 0;
            *searches = searches.saturating_sub(1);
            step(if searched { text.len() } else { 1 });
            if !(searched && text.contains(one.as_str())) {
                lines.extend([name, ": ", one, "\n"]);
            }
        }
        Value::List(items) => {
            let items = items.iter();
            items.for_each(|item| add_field(text, (name, item), searches, lines));
        }
        Value::Map(fields) => {
            let fields = fields.iter();
            fields.for_each(|(name, value)| add_field(text, (name, value), searches, lines));
        }
        _ => {}
    }
}

/// Places, findings and fixes.
impl Subject<'_> {
    /// The place of a byte of the text.
    pub fn at(&self, byte: usize) -> Position {
        let byte = super::chars::cut(self.text, byte).len();
        self.at_bytes(byte..byte)
    }

    pub(super) fn at_bytes(&self, bytes: Range<usize>) -> Position {
        let lines = self.of(|| Lines::new(self.text.as_bytes()));
        Position::of_bytes((self.text, lines), self.memory.line, bytes)
    }

    pub(super) fn in_body(&self, bytes: &Range<usize>) -> Position {
        let (start, _) = self.body();
        self.at_bytes(start + bytes.start..start + bytes.end)
    }

    /// The place of a field's value, or of one of its items; else the memory's first line.
    pub fn at_field(&self, field: &str, item: Option<usize>) -> Position {
        let fields = self.of(|| fields(self.text)).as_ref();
        let place = fields.and_then(|(start, fields)| {
            let found = fields.locate(field, item);
            let at = found.or_else(|| fields.locate(field, None))?;
            Some(self.at_bytes(start + at.start..start + at.end))
        });
        place.unwrap_or_else(|| Position::start(self.memory.line))
    }

    /// A finding of a rule on this memory.
    pub fn finding(&self, rule: &'static str, severity: Severity, at: Position) -> Finding {
        Finding {
            column: at.column,
            place: at.bytes,
            ..Finding::new(rule, severity, self.index, at.line)
        }
    }

    /// A fix that edits this memory.
    pub fn edit(&self, title: impl Into<String>, edits: Vec<FieldEdit>) -> Fix {
        self.fix(title, Change::edit(&self.memory.id, edits))
    }

    /// A fix that sets a field of this memory.
    pub fn set(&self, field: &str, value: Value) -> Fix {
        let title = format!("set `{field}` to `{value}`");
        let field = field.to_owned();
        self.edit(title, vec![FieldEdit::Set { field, value }])
    }

    /// A fix of this memory.
    pub fn fix(&self, title: impl Into<String>, change: Change) -> Fix {
        Fix {
            title: title.into(),
            memory: self.index,
            safe: !matches!(change, Change::Archive(_) | Change::Merge { .. }),
            change,
        }
    }

    /// A fix that archives this memory.
    pub fn archive(&self) -> Option<Fix> {
        let change = Change::Archive(vec![self.memory.id.clone()]);
        Some(self.fix("archive it", change))
    }
}

/// A memory with its index in the snapshot.
type Placed<'m> = (usize, &'m Memory);

/// Lookups of other memories of its store.
impl<'a> Subject<'a> {
    fn names(&self) -> &'a Index {
        self.facts.of(|| Index::new(self.cx.memories))
    }

    fn get(&self, kind: Name, text: &str) -> impl Iterator<Item = Placed<'a>> + use<'a> {
        let memories = self.cx.memories;
        let found = self.names().get(kind, &self.memory.id.store, text);
        found.filter_map(|index| Some((index, memories.get(index)?.as_ref())))
    }

    pub(super) fn local(&self, local: &str) -> Option<usize> {
        self.get(Name::Local, local).next().map(|(index, _)| index)
    }

    /// The active memories that links call by this name.
    pub(super) fn called(&self, name: &str) -> impl Iterator<Item = Placed<'a>> + use<'a> {
        let found = self.get(Name::Called, &link::fold(self.memory.schema, name));
        found.filter(|(_, memory)| memory.state == State::Active)
    }

    /// The first memories of files with this name in any case and folder, archived ones too.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = Placed<'a>> + use<'a> {
        self.get(Name::File, &name.to_lowercase())
    }

    /// The first memories of files whose names share something with this one.
    pub(super) fn like(&self, name: &str) -> impl Iterator<Item = Placed<'a>> {
        let found = self.names().like(&self.memory.id.store, name).into_iter();
        found.filter_map(|index| Some((index, self.cx.memories.get(index)?.as_ref())))
    }

    /// The history of the project; without one, notes the things that a rule cannot look up.
    pub(super) fn history(&self, rule: &'static str, things: &str) -> Option<&'a History> {
        let history = self.cx.project.history();
        let partial = |why| format!("not all of the history was read: {why}");
        let note = match history {
            Ok(history) => history.partial().map(partial),
            Err(why) => (!why.is_empty()).then(|| format!("{things} not looked up: {why}")),
        };
        note.into_iter()
            .for_each(|note| self.facts.note(rule, note));
        history.ok()
    }

    /// The history for a rule about paths; without one, its note is about memories with local paths.
    pub(super) fn history_of_paths(&self, rule: &'static str) -> Option<&'a History> {
        let is_known = self.cx.project.history().is_ok();
        let wants = is_known || self.paths().iter().any(PathMention::is_local_path);
        wants.then(|| self.history(rule, "paths"))?
    }
}
