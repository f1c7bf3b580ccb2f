//! The index of a store: what the loader cuts off, what it does not list, and what is not there.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::Path;

use super::chars::quote;
use super::{Collector, Context, Facts, Finding, Fix, Rule};
use crate::curate::Change;
use crate::memory::edit::FieldEdit;
use crate::memory::format::{IndexTable, LinkForm};
use crate::memory::index::{self, Entry, IndexLink};
use crate::memory::{Memory, Role, Severity, State, Value};
use crate::text::mentions::last;

/// Reports entries that the loader cuts off, and those that are too long.
pub(super) fn overflow(rule: &Rule, cx: &Context<'_>, _: &Facts, out: &mut Collector<'_>) {
    each(cx, out, |index| index.overflow(rule));
}

/// Reports memories that the index does not list.
pub(super) fn orphans(rule: &Rule, cx: &Context<'_>, _: &Facts, out: &mut Collector<'_>) {
    each(cx, out, |index| index.orphans(rule).into_iter().collect());
}

/// Reports links whose file is not there.
pub(super) fn dangling(rule: &Rule, cx: &Context<'_>, _: &Facts, out: &mut Collector<'_>) {
    each(cx, out, |index| index.dangling(rule));
}

/// Reports what a rule finds in each index.
fn each(cx: &Context<'_>, out: &mut Collector<'_>, find: impl Fn(&Index<'_>) -> Vec<Finding>) {
    for (at, memory) in cx.memories.iter().enumerate() {
        if let Some(index) = Index::of(cx, at, memory) {
            out.extend(find(&index));
        }
    }
}

/// An index with what it lists.
struct Index<'a> {
    cx: &'a Context<'a>,
    at: usize,
    memory: &'a Memory,
    folder: &'a Path,
    table: &'static IndexTable,
    text: String,
    /// The beginning of the body in the text.
    body: usize,
    entries: Vec<Entry>,
    links: Vec<IndexLink>,
    /// The first memories of the other files of its store, by their names as an entry writes them.
    others: BTreeMap<String, (usize, &'a Memory)>,
    /// Files that an index of a folder above lists, by the same names.
    listed_above: HashSet<String>,
}

impl<'a> Index<'a> {
    fn of(cx: &'a Context<'a>, at: usize, memory: &'a Memory) -> Option<Self> {
        let table = memory.index_table()?;
        let text = cx.texts.text(memory)?;
        let body = memory.body.start.checked_sub(memory.span.start)?;
        let folder = memory.path.parent()?;
        let others = cx.memories.iter().enumerate();
        let others = others.filter(|(other, one)| *other != at && one.id.store == memory.id.store);
        let name_of = |path: &Path| {
            let name = path.strip_prefix(folder).ok()?;
            Some(name.to_string_lossy().replace('\\', "/"))
        };
        let mut names = BTreeMap::new();
        let mut listed_above = HashSet::new();
        for (other, one) in others {
            if let Some(name) = name_of(&one.path) {
                names.entry(name).or_insert((other, &**one));
            }
            let above = one.path.parent().filter(|above| *above != folder);
            let above = above.filter(|above| folder.starts_with(above));
            let above = above.filter(|_| one.index_table().is_some());
            if let Some((above, text)) = above.zip(cx.texts.text(one)) {
                let links = index::links(&text, 0);
                let paths = links.iter().map(|link| above.join(&link.target));
                listed_above.extend(paths.filter_map(|path| name_of(&path)));
            }
        }
        Some(Self {
            cx,
            at,
            memory,
            folder,
            table,
            entries: index::entries(text.as_bytes(), body, table),
            links: index::links(&text, body),
            body,
            others: names,
            listed_above,
            text,
        })
    }

    fn finding(&self, rule: &Rule, severity: Severity, line: usize) -> Finding {
        let line = u32::try_from(line).unwrap_or(u32::MAX).saturating_sub(1);
        Finding::new(
            rule.id,
            severity,
            self.at,
            self.memory.line.saturating_add(line),
        )
    }

    /// A fix that writes other text over some bytes. A person decides on every line of an index.
    fn fix(&self, title: String, bytes: Range<usize>, new: &str) -> Option<Fix> {
        let mut body = self.text.get(self.body..bytes.start)?.to_owned();
        body.push_str(new);
        body.push_str(self.text.get(bytes.end..)?);
        let change = Change::edit(&self.memory.id, vec![FieldEdit::Body(body)]);
        Some(Fix::reviewed(title, self.at, change))
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

    fn overflow(&self, rule: &Rule) -> Vec<Finding> {
        let (index, mut out) = (self, Vec::new());
        let loaded = index::load(index.text.as_bytes(), index.body, index.table);
        let table = index.table;
        if let Some(line) = loaded.cut_line(index.text.as_bytes()) {
            let below = index.entries.iter().filter(|one| !one.is_loaded);
            let count = match below.clone().count() {
                0 => "the lines from here on are".to_owned(),
                count => entries_are(count),
            };
            let finding = index
                .finding(rule, Severity::Warning, line)
                .says(format!("{count} never loaded: {}", loaded.size(table)))
                .beside(below.filter_map(|entry| index.of_entry(entry)));
            let hint = "move what matters up (promote), and detail into other files";
            out.push(finding.because(hint));
        }
        let long = index.entries.iter();
        let long: Vec<&Entry> = long.filter(|one| one.units > table.line).collect();
        if let Some(first) = long.first() {
            let says = format!(
                "{} longer than {} units",
                entries_are(long.len()),
                table.line
            );
            let finding = index.finding(rule, Severity::Info, first.line).says(says);
            let longest = long.iter().max_by_key(|entry| entry.units);
            let shown = longest.map(|one| format!("{} has {} units", quote(&one.title), one.units));
            out.push(shown.into_iter().fold(finding, Finding::because));
        }
        out
    }

    fn orphans(&self, rule: &Rule) -> Option<Finding> {
        let index = self;
        let listed: HashSet<&str> = index.links.iter().map(|link| &*link.target).collect();
        let names = index.others.keys().map(String::as_str);
        let indexes: Vec<&str> = names
            .filter(|name| name.ends_with(&index.table.file))
            .collect();
        let is_missing = |name: &&String, one: &Memory| {
            let is_listed = listed.contains(name.as_str())
                || listed.contains(&*format!("{}.md", one.title))
                || index.listed_above.contains(*name);
            let is_seen = one.state == State::Active && one.hidden.is_none();
            is_seen && !is_listed && index.table.should_list(name, indexes.iter().copied())
        };
        let missing = index.others.iter();
        let missing: Vec<_> = missing
            .filter(|(name, (_, one))| is_missing(name, one))
            .collect();
        // A file with text and no entries is not used as an index.
        let body = index.text.get(index.body..).unwrap_or_default();
        let is_heading = |line: &str| line.trim().is_empty() || line.starts_with('#');
        let is_list = !index.entries.is_empty() || body.lines().all(is_heading);
        let (first, (_, memory)) = missing.first().filter(|_| is_list)?;
        let says = match missing.len() {
            1 => format!("{} is not listed", quote(first)),
            many => format!("{many} files are not listed: {} and others", quote(first)),
        };
        let at = index::end_of_list(&index.text, &index.entries);
        let last = index.entries.last().map_or(1, |last| last.line);
        let about = memory.role(Role::Description).and_then(Value::as_str);
        let line = index::line(&memory.title, first, about.unwrap_or_default(), index.table);
        let before = index.text.get(..at).unwrap_or_default();
        let (number, limit) = (before.lines().count() + 1, index.table.lines);
        let title = format!("list {} in line {number} of {limit}", quote(first));
        let line = match before.is_empty() || before.ends_with('\n') {
            true => format!("{line}\n"),
            false => format!("\n{line}\n"),
        };
        let mut finding = index
            .finding(rule, Severity::Info, last)
            .says(says)
            .beside(missing.iter().map(|(_, (other, _))| *other))
            .fixed_by(index.fix(title, at..at, &line));
        for (name, ..) in missing.iter().skip(1).take(4) {
            finding = finding.because(quote(name));
        }
        Some(finding)
    }

    /// One finding for the links that lead nowhere for one reason, with a fix of the first.
    fn dangling(&self, rule: &Rule) -> Vec<Finding> {
        let index = self;
        let state = |name: &str| index.others.get(name).map(|(_, one)| one.state);
        let is_there = |name: &str| match state(name) {
            Some(state) => state == State::Active,
            None => index.cx.texts.is_file(&index.folder.join(name)),
        };
        let is_dangling = |link: &&IndexLink| {
            let target = &*link.target;
            let is_own = link.link.form == LinkForm::Path && target != index.table.file;
            is_own && !index::is_outside(target) && !is_there(target)
        };
        let mut groups: BTreeMap<String, (Vec<String>, Vec<&IndexLink>)> = BTreeMap::new();
        for link in index.links.iter().filter(is_dangling) {
            let is_archived = state(&link.target).is_some();
            let found = match is_archived {
                true => Vec::new(),
                false => index.candidates(&link.target),
            };
            let says = match found.as_slice() {
                [] if is_archived => "is archived".to_owned(),
                [] => "is not there".to_owned(),
                [one] => format!("is not there, but {} is", quote(one)),
                many => {
                    let names: Vec<String> = many.iter().take(TOLD).map(|one| quote(one)).collect();
                    format!("is not there; it may be {}", names.join(" or "))
                }
            };
            let group = groups.entry(says).or_insert((found, Vec::new()));
            group.1.push(link);
        }
        let groups = groups.iter();
        groups
            .filter_map(|(says, (files, links))| leading_nowhere(index, rule, says, (files, links)))
            .collect()
    }
}

fn entries_are(count: usize) -> String {
    match count {
        1 => "1 entry is".to_owned(),
        many => format!("{many} entries are"),
    }
}

/// Links that are named together, in the first finding: more of them say the same.
const TOLD: usize = 12;

fn leading_nowhere(
    index: &Index<'_>,
    rule: &Rule,
    says: &str,
    (files, links): (&[String], &[&IndexLink]),
) -> Option<Finding> {
    let first = *links.first()?;
    let name = |link: &IndexLink| format!("{} {says}", quote(&link.target));
    let message = match links.len() {
        1 => name(first),
        many => format!("{}; {} more like it", name(first), many - 1),
    };
    let fix = match files {
        [] => {
            let title = match first.is_item() {
                true => format!("take line {} out", first.line),
                false => format!("keep only the words of the link in line {}", first.line),
            };
            let (bytes, words) = first.taken_out(&index.text);
            index.fix(title, bytes, &words)
        }
        [new] => {
            let name = first.link.renamed(&index.text, new);
            let title = format!("name {} instead", quote(new));
            index.fix(title, first.link.name.clone(), &name)
        }
        _ => None,
    };
    let finding = index
        .finding(rule, Severity::Warning, first.line)
        .says(message);
    let finding = finding.about(first.link.name.clone());
    let told = links.iter().take(TOLD).filter(|_| links.len() > 1);
    let told = told.map(|link| format!("line {}: {}", link.line, name(link)));
    Some(told.fold(finding, Finding::because).fixed_by(fix))
}
