//! The index of a store: what the loader cuts off, what it does not list, and what is not there.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::chars::{quote, replaced};
use super::subject::Position;
use super::{Finding, Fix, Rule, Subject};
use crate::memory::edit::FieldEdit;
use crate::memory::format::{IndexTable, LinkForm};
use crate::memory::index::{self, Entry, IndexLink};
use crate::memory::{Memory, Role, Severity, State, Value};
use crate::text::mentions::last;

/// Reports long and cut entries, memories that are not listed, or links that lead nowhere.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let Some(index) = Index::new(rule, subject) else {
        return;
    };
    match rule.id {
        "index-overflow" => index.overflow(out),
        "index-orphan" => out.extend(index.orphans()),
        _ => index.dangling(out),
    }
}

struct Index<'s, 'a> {
    rule: &'s Rule,
    subject: &'s Subject<'a>,
    folder: &'a Path,
    table: &'static IndexTable,
    /// The beginning of the body in the text.
    body: usize,
    entries: Vec<Entry>,
    links: Vec<IndexLink>,
    /// The first memories of the other files of its store, by their names as an entry writes them.
    others: BTreeMap<String, (usize, &'a Memory)>,
    /// Files that an index of a folder above lists, by the same names.
    listed_above: HashSet<String>,
}

impl<'s, 'a> Index<'s, 'a> {
    fn new(rule: &'s Rule, subject: &'s Subject<'a>) -> Option<Self> {
        let (memory, text, body) = (subject.memory, subject.text, subject.body().0);
        let table = memory.index_table()?;
        let folder = memory.path.parent()?;
        let is_other = |(at, one): &(usize, &Arc<Memory>)| {
            *at != subject.index && one.id.store == memory.id.store
        };
        let name_of = |path: &Path| {
            let name = path.strip_prefix(folder).ok()?;
            Some(name.to_string_lossy().replace('\\', "/"))
        };
        let mut others = BTreeMap::new();
        let mut listed_above = HashSet::new();
        for (other, one) in subject.cx.memories.iter().enumerate().filter(is_other) {
            if let Some(name) = name_of(&one.path) {
                others.entry(name).or_insert((other, &**one));
            }
            let above = one.path.parent().filter(|above| *above != folder);
            let above = above.filter(|above| folder.starts_with(above));
            let above = above.filter(|_| one.index_table().is_some());
            if let Some((above, text)) = above.zip(subject.cx.texts.text(one)) {
                let links = index::links(&text, 0);
                let paths = links.iter().map(|link| above.join(&link.target));
                listed_above.extend(paths.filter_map(|path| name_of(&path)));
            }
        }
        Some(Self {
            rule,
            subject,
            folder,
            table,
            body,
            entries: index::entries(text.as_bytes(), body, table),
            links: index::links(text, body),
            others,
            listed_above,
        })
    }

    fn finding(&self, severity: Severity, line: usize) -> Finding {
        let line = u32::try_from(line).unwrap_or(u32::MAX).saturating_sub(1);
        let place = Position::start(self.subject.memory.line.saturating_add(line));
        self.subject.finding(self.rule.id, severity, place)
    }

    /// A fix that writes other text over some bytes. A person decides on every line of an index.
    fn fix(&self, title: String, edits: Vec<(Range<usize>, String)>) -> Option<Fix> {
        let text = replaced(self.subject.text, edits);
        let edit = FieldEdit::Body(text.get(self.body..)?.to_owned());
        let fix = self.subject.edit(title, vec![edit]);
        Some(Fix { safe: false, ..fix })
    }

    /// The active files of the store with the name of a target, in any case and folder.
    fn candidates(&self, target: &str) -> Vec<String> {
        let own = self.others.iter().filter(|(name, (_, one))| {
            let is_named = last(name).eq_ignore_ascii_case(last(target));
            is_named && one.state == State::Active
        });
        own.map(|(name, _)| name.clone()).collect()
    }

    fn of_entry(&self, entry: &Entry) -> Option<usize> {
        let by_title = || {
            let name = entry.target.strip_suffix(".md")?;
            self.others.values().find(|(_, one)| *one.title == *name)
        };
        let found = self.others.get(&*entry.target).or_else(by_title);
        found.map(|(at, _)| *at)
    }

    fn overflow(&self, out: &mut Vec<Finding>) {
        let table = self.table;
        let loaded = index::load(self.subject.text.as_bytes(), self.body, table);
        if let Some(line) = loaded.cut_line(self.subject.text.as_bytes()) {
            let below = self.entries.iter().filter(|one| !one.is_loaded);
            let count = match below.clone().count() {
                0 => "the lines from here on are".to_owned(),
                count => entries_are(count),
            };
            let says = format!("{count} never loaded: {}", loaded.size(table));
            let finding = self.finding(Severity::Warning, line).says(says);
            let finding = finding.beside(below.filter_map(|entry| self.of_entry(entry)));
            let hint = "move what matters up (promote), and detail into other files";
            out.push(finding.because(hint));
        }
        let long = self.entries.iter().filter(|one| one.units > table.line);
        let longest = long.clone().max_by_key(|entry| entry.units);
        if let Some((first, longest)) = long.clone().next().zip(longest) {
            let are = entries_are(long.count());
            let says = format!("{are} longer than {} units", table.line);
            let finding = self.finding(Severity::Info, first.line).says(says);
            let (title, units) = (quote(&longest.title), longest.units);
            out.push(finding.because(format!("{title} has {units} units")));
        }
    }

    fn orphans(&self) -> Option<Finding> {
        let listed: HashSet<&str> = self.links.iter().map(|link| &*link.target).collect();
        let mut indexes: Vec<&str> = self.others.keys().map(String::as_str).collect();
        indexes.retain(|name| name.ends_with(&self.table.file));
        let is_missing = |name: &&String, one: &Memory| {
            let is_listed = listed.contains(name.as_str())
                || listed.contains(&*format!("{}.md", one.title))
                || self.listed_above.contains(*name);
            let is_seen = one.state == State::Active && one.hidden.is_none();
            is_seen && !is_listed && self.table.should_list(name, indexes.iter().copied())
        };
        let mut missing: Vec<_> = self.others.iter().collect();
        missing.retain(|(name, (_, one))| is_missing(name, one));
        // A file with text and no entries is not used as an self.
        let body = self.subject.text.get(self.body..).unwrap_or_default();
        let is_heading = |line: &str| line.trim().is_empty() || line.starts_with('#');
        let is_list = !self.entries.is_empty() || body.lines().all(is_heading);
        let (first, (_, memory)) = missing.first().filter(|_| is_list)?;
        let says = match missing.len() {
            1 => format!("{} is not listed", quote(first)),
            many => format!("{many} files are not listed: {} and others", quote(first)),
        };
        let at = index::end_of_list(self.subject.text, &self.entries);
        let last = self.entries.last().map_or(1, |last| last.line);
        let about = memory.role(Role::Description).and_then(Value::as_str);
        let line = index::line(&memory.title, first, about.unwrap_or_default(), self.table);
        let before = self.subject.text.get(..at).unwrap_or_default();
        let (number, limit) = (before.lines().count() + 1, self.table.lines);
        let title = format!("list {} in line {number} of {limit}", quote(first));
        let line = match before.is_empty() || before.ends_with('\n') {
            true => format!("{line}\n"),
            false => format!("\n{line}\n"),
        };
        let others = missing.iter().skip(1).take(4);
        let finding = self.finding(Severity::Info, last).says(says);
        let finding = finding.because_of(others.map(|(name, ..)| quote(name)));
        let finding = finding.beside(missing.iter().map(|(_, (other, _))| *other));
        Some(finding.fixed_by(self.fix(title, vec![(at..at, line)])))
    }

    fn dangling(&self, out: &mut Vec<Finding>) {
        let state = |name: &str| self.others.get(name).map(|(_, one)| one.state);
        let is_there = |name: &str| match state(name) {
            Some(state) => state == State::Active,
            None => self.subject.cx.texts.is_file(&self.folder.join(name)),
        };
        let is_dangling = |link: &&IndexLink| {
            let target = &*link.target;
            let is_own = link.link.form == LinkForm::Path && target != self.table.file;
            is_own && !index::is_outside(target) && !is_there(target)
        };
        let (mut findings, mut edits) = (Vec::new(), Vec::new());
        for link in self.links.iter().filter(is_dangling) {
            let is_archived = state(&link.target).is_some();
            let mut found = self.candidates(&link.target);
            found.retain(|_| !is_archived);
            let names: Vec<String> = found.iter().take(NAMED).map(|one| quote(one)).collect();
            let fate = match names.as_slice() {
                [] if is_archived => "is archived".to_owned(),
                [] => "is not there".to_owned(),
                [one] => format!("is not there, but {one} is"),
                several => format!("is not there; it may be {}", several.join(" or ")),
            };
            let edit = match found.as_slice() {
                [] => {
                    let title = match link.is_item() {
                        true => format!("take line {} out", link.line),
                        false => format!("keep only the words of the link in line {}", link.line),
                    };
                    Some((title, link.taken_out(self.subject.text)))
                }
                [new] => {
                    let name = link.link.renamed(self.subject.text, new);
                    let title = format!("name {} instead", quote(new));
                    Some((title, (link.link.name.clone(), name)))
                }
                _ => None,
            };
            edits.extend(edit);
            let finding = self.finding(Severity::Warning, link.line);
            let finding = finding.says(format!("{} {fate}", quote(&link.target)));
            findings.push(finding.about(link.link.name.clone()));
        }
        let fix = self.mended(edits);
        let fixed = |finding: Finding| finding.fixed_by(fix.clone());
        out.extend(findings.into_iter().map(fixed));
    }

    /// One edit of all links that lead nowhere: they are shown, and decided on, as one.
    fn mended(&self, mut edits: Vec<(String, (Range<usize>, String))>) -> Option<Fix> {
        let mut end = 0;
        edits.retain(|(_, (bytes, _))| {
            let is_behind = bytes.start >= end;
            end = end.max(bytes.end);
            is_behind
        });
        // An index without most of its files is more likely incomplete here than wrong.
        if edits.len() > AT_ONCE {
            edits.truncate(1);
        }
        let (mut titles, edits): (Vec<String>, Vec<_>) = edits.into_iter().unzip();
        titles.dedup();
        let title = match titles.len() {
            0 => return None,
            1..=2 => titles.join(", "),
            many => format!("{}, and {} more", titles.first()?, many - 1),
        };
        self.fix(title, edits)
    }
}

fn entries_are(count: usize) -> String {
    match count {
        1 => "1 entry is".to_owned(),
        many => format!("{many} entries are"),
    }
}

/// Most dead links that one fix mends; of more it mends the first.
const AT_ONCE: usize = 5;

/// Files of one name that a message lists.
const NAMED: usize = 12;
