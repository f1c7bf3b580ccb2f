//! A list being edited: patterns, names and the like as rows, and what its patterns match while they
//! are typed.

use crate::app::key::Outcome;
use crate::app::line::{Line, one_line};
use crate::memory::Value;
use crate::memory::frontmatter;
use crate::memory::schema::Kind;
use crate::retrieval::{Match, dead_globs};

/// The outcome of an action on a list, or why an item cannot be edited.
pub(crate) type Edited = Result<Outcome, &'static str>;

/// A list with a place in it, and an entry that is typed there.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The items, without what is being typed.
    pub(crate) items: Vec<Value>,
    /// Which item is under the cursor; the number of items where that is the place of a new one.
    pub(crate) at: usize,
    /// The text that is typed in the place of `at`.
    pub(crate) entry: Option<Line>,
    /// Items are typed as YAML.
    yaml: bool,
}

impl List {
    pub(super) fn new(items: Vec<Value>, kind: Kind) -> Self {
        Self {
            at: 0,
            items,
            entry: None,
            yaml: kind == Kind::Entries,
        }
    }

    /// The items as they would be saved: what is being typed stands in its place, so that
    /// `Ctrl-s` and the preview need no Enter before them.
    pub fn values(&self) -> Vec<Value> {
        let mut values = self.items.clone();
        if let Some(entry) = &self.entry {
            put(&mut values, self.at, self.value_of(entry));
        }
        values
    }

    /// Gets ready for keys.
    pub(super) fn open(&mut self) {
        self.at = self.at.min(self.items.len());
        if self.items.is_empty() {
            self.entry = Some(Line::default());
        }
    }

    /// A typed entry as a value: a text that is not YAML stays that text.
    fn value_of(&self, entry: &Line) -> Value {
        let text = entry.text();
        let read = || frontmatter::read(&format!("value: {text}\n")).ok();
        let value = self.yaml.then(read).flatten();
        let value = value.and_then(|fields| fields.get("value").cloned());
        value.unwrap_or_else(|| text.into())
    }

    /// Takes what is being typed into the list.
    pub(super) fn commit(&mut self) -> Outcome {
        let Some(entry) = self.entry.take() else {
            return Outcome::Redraw;
        };
        let is_new = self.at == self.items.len();
        let typed = self.value_of(&entry);
        let changed = put(&mut self.items, self.at, typed);
        if is_new && changed {
            self.at = self.items.len();
        }
        changed_if(changed)
    }

    /// Takes pasted text where something is typed, else as new entries at the end.
    pub(super) fn paste(&mut self, text: &str) {
        // Terminals send a line end as a carriage return.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        if self.entry.is_none() {
            self.at = self.items.len();
        }
        let mut entry = self.entry.take().unwrap_or_default();
        // Several lines are several items.
        let mut lines = text.lines().map(one_line).peekable();
        while let Some(line) = lines.next() {
            entry.insert(&line);
            if lines.peek().is_some() {
                self.entry = Some(std::mem::take(&mut entry));
                self.commit();
                self.at = self.items.len();
            }
        }
        self.entry = Some(entry);
        if text.contains('\n') {
            self.commit();
        }
    }

    /// Takes what is typed, or opens the entry.
    pub(super) fn enter(&mut self) -> Edited {
        match self.entry {
            Some(_) => Ok(self.commit()),
            None => self.edit(),
        }
    }

    /// Drops what is typed, else leaves the list.
    pub(super) fn drop_typed(&mut self) -> Outcome {
        match self.entry.take() {
            Some(_) => Outcome::Changed,
            None => Outcome::Leave,
        }
    }

    /// Opens a new entry at the end.
    pub(crate) fn add(&mut self) -> Edited {
        self.at = self.items.len();
        self.edit()
    }

    pub(crate) fn go_row(&mut self, at: usize) -> Outcome {
        self.at = at.min(self.items.len());
        Outcome::Redraw
    }

    pub(crate) fn edit(&mut self) -> Edited {
        let text = match self.items.get(self.at) {
            Some(item) if self.yaml => frontmatter::inline(item),
            Some(Value::List(_) | Value::Map(_)) => {
                return Err("this item is not text: edit it in the file (E opens $EDITOR)");
            }
            Some(item) => item.to_string(),
            None => String::new(),
        };
        self.entry = Some(Line::new(text));
        Ok(Outcome::Redraw)
    }

    pub(crate) fn remove(&mut self) -> Outcome {
        let is_there = self.at < self.items.len();
        if is_there {
            self.items.remove(self.at);
        }
        changed_if(is_there)
    }
}

const fn changed_if(changed: bool) -> Outcome {
    if changed {
        Outcome::Changed
    } else {
        Outcome::Redraw
    }
}

/// Puts a typed item in a place of a list: an empty text adds nothing and removes an item. True if
/// the list changed.
fn put(items: &mut Vec<Value>, at: usize, typed: Value) -> bool {
    let is_empty = match typed.as_str() {
        Some(text) if at >= items.len() => text.trim().is_empty(),
        Some(text) => text.is_empty(),
        None => typed == Value::Null,
    };
    match items.get_mut(at) {
        Some(item) if *item == typed || typed.as_str() == Some(&*item.to_string()) => return false,
        Some(_) if is_empty => drop(items.remove(at)),
        Some(item) => *item = typed,
        None if is_empty => return false,
        None => items.push(typed),
    }
    true
}

/// The matcher of a policy, as much of it as the field editor needs.
pub trait PatternReader: Send + Sync {
    /// Matches of a pattern in tasks.
    fn find(&self, pattern: &str, task: &str) -> Option<Match>;

    /// How a pattern is read, whether or not it matches.
    fn kind(&self, pattern: &str) -> &'static str {
        how_read(pattern)
    }

    /// The problems of a pattern, a sentence each.
    fn problems(&self, _pattern: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Reads patterns that are not matched against tasks: globs of a dialect, or words.
pub(super) struct Plain {
    /// The dialect of the globs; empty if there is none.
    pub dialect: &'static str,
    /// The kind of pattern that is shown; empty if it is read from the pattern.
    pub kind: &'static str,
}

impl PatternReader for Plain {
    fn find(&self, _pattern: &str, _task: &str) -> Option<Match> {
        None
    }

    fn kind(&self, pattern: &str) -> &'static str {
        match self.kind {
            "" => how_read(pattern),
            kind => kind,
        }
    }

    fn problems(&self, pattern: &str) -> Vec<String> {
        let dead = dead_globs(self.dialect, &Value::from(pattern)).into_iter();
        dead.map(|(_, why)| why).collect()
    }
}

/// The order in which rawko's matcher looks at a pattern.
fn how_read(pattern: &str) -> &'static str {
    match pattern {
        _ if pattern.contains('|') => "alternative",
        _ if pattern.contains(['*', '?']) => "wildcard",
        _ if pattern.contains('.') && pattern.contains('{') => "regex",
        _ if pattern.trim().contains(char::is_whitespace) => "phrase",
        _ => "substring",
    }
}

/// The reading of a pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// How it is read: `alternative`, `wildcard`, `regex`, `substring` or `phrase`.
    pub kind: &'static str,
    /// For each sample task the part of it that the pattern matches.
    pub hits: Vec<Option<String>>,
    /// Its problems.
    pub problems: Vec<String>,
}

impl Reading {
    /// Reads a pattern against the sample tasks.
    pub(super) fn new(pattern: &str, tasks: &[Box<str>], reader: &dyn PatternReader) -> Self {
        let found = tasks.iter().map(|task| reader.find(pattern, task));
        let found: Vec<Option<Match>> = found.collect();
        let first = found.iter().flatten().next();
        let kind = first.map_or_else(|| reader.kind(pattern), |hit| hit.kind);
        Self {
            kind,
            hits: found.into_iter().map(|hit| hit.map(|m| m.hit)).collect(),
            problems: reader.problems(pattern),
        }
    }

    /// Number of sample tasks that it matches.
    pub fn count(&self) -> usize {
        self.hits.iter().flatten().count()
    }
}
