//! The index of a store: what the loader cuts off, what it does not list, and what is not there.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::Path;

use super::chars::quote;
use super::{Collector, Context, Facts, Finding, Fix, Rule, RuleInfo};
use crate::curate::Change;
use crate::memory::edit::FieldEdit;
use crate::memory::format::{IndexTable, LinkForm};
use crate::memory::index::{self, Entry, IndexLink};
use crate::memory::{Memory, Role, Severity, State, Value};

/// A rule on the index of a store.
pub(super) struct IndexRule {
    info: RuleInfo,
    find: fn(&Index<'_>, &IndexRule, &mut Vec<Finding>),
}

/// Entries that the loader cuts off, and those that are too long.
pub(super) static OVERFLOW: IndexRule = IndexRule {
    info: RuleInfo("index-overflow", Severity::Warning),
    find: overflow,
};

/// Memories that the index does not list.
pub(super) static ORPHAN: IndexRule = IndexRule {
    info: RuleInfo("index-orphan", Severity::Info),
    find: orphans,
};

/// Entries whose file is not there.
pub(super) static DANGLING: IndexRule = IndexRule {
    info: RuleInfo("index-dangling", Severity::Warning),
    find: dangling,
};

impl Rule for IndexRule {
    fn info(&self) -> RuleInfo {
        self.info
    }

    fn finish(&self, cx: &Context<'_>, _facts: &Facts, out: &mut Collector<'_>) {
        for (at, memory) in cx.memories.iter().enumerate() {
            if let Some(index) = Index::of(cx, at, memory) {
                let mut found = Vec::new();
                (self.find)(&index, self, &mut found);
                found.into_iter().for_each(|finding| out.push(finding));
            }
        }
    }
}

/// An index with what it lists.
struct Index<'a> {
    at: usize,
    memory: &'a Memory,
    table: &'static IndexTable,
    text: String,
    /// Where the body begins in the text.
    body: usize,
    entries: Vec<Entry>,
    links: Vec<IndexLink>,
    /// The first memories of the other files of its store, by their names as an entry writes them.
    others: BTreeMap<String, (usize, &'a Memory)>,
    /// Files that an index of a folder above lists, by the same names.
    listed_above: HashSet<String>,
}

impl<'a> Index<'a> {
    fn of(cx: &Context<'a>, at: usize, memory: &'a Memory) -> Option<Self> {
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
            at,
            memory,
            table,
            entries: index::entries(text.as_bytes(), body, table),
            links: index::links(&text, body),
            body,
            others: names,
            listed_above,
            text,
        })
    }

    fn finding(&self, rule: &IndexRule, severity: Severity, line: usize) -> Finding {
        let line = u32::try_from(line).unwrap_or(u32::MAX).saturating_sub(1);
        Finding::new(
            rule.info.0,
            severity,
            self.at,
            self.memory.line.saturating_add(line),
        )
    }

    /// The body with other text in place of some bytes of the text.
    fn fix(&self, title: String, changes: &[(Range<usize>, String)]) -> Option<Fix> {
        let mut text = self.text.clone();
        for (range, new) in changes.iter().rev() {
            text.get(range.clone())?;
            text.replace_range(range.clone(), new);
        }
        let body = text.get(self.body..)?.to_owned();
        let change = Change::edit(&self.memory.id, vec![FieldEdit::Body(body)]);
        Some(Fix {
            title,
            memory: self.at,
            safe: true,
            change,
        })
    }

    fn of_entry(&self, entry: &Entry) -> Option<(usize, &'a Memory)> {
        let by_title = || {
            let name = entry.target.strip_suffix(".md")?;
            let mut others = self.others.values().copied();
            others.find(|(_, one)| *one.title == *name)
        };
        self.others.get(&*entry.target).copied().or_else(by_title)
    }
}

fn overflow(index: &Index<'_>, rule: &IndexRule, out: &mut Vec<Finding>) {
    let loaded = index::load(index.text.as_bytes(), index.body, index.table);
    let table = index.table;
    if let Some(line) = loaded.cut_line(index.text.as_bytes()) {
        let below = index.entries.iter().filter(|one| !one.is_loaded);
        let count = entries_are(below.clone().count());
        let finding = index
            .finding(rule, Severity::Warning, line)
            .says(format!("{count} never loaded: {}", loaded.size(table)))
            .beside(below.filter_map(|entry| Some(index.of_entry(entry)?.0)));
        let of_entry = |entry: &Entry| Some(index.of_entry(entry)?.1);
        let ordered = index::by_value((&index.text, index.body), &index.entries, of_entry);
        let fix = ordered.and_then(|text| {
            let whole = 0..index.text.len();
            index.fix(index::BY_VALUE.to_owned(), &[(whole, text)])
        });
        let hint = "move what matters up (promote), and detail into other files";
        out.push(finding.because(hint).fixed_by(fix));
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
}

fn entries_are(count: usize) -> String {
    match count {
        1 => "1 entry is".to_owned(),
        many => format!("{many} entries are"),
    }
}

fn orphans(index: &Index<'_>, rule: &IndexRule, out: &mut Vec<Finding>) {
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
    let Some((first, ..)) = missing.first().filter(|_| is_list) else {
        return;
    };
    let says = match missing.len() {
        1 => format!("{} is not listed", quote(first)),
        many => format!("{many} files are not listed: {} and others", quote(first)),
    };
    let at = index::end_of_list(&index.text, &index.entries);
    let last = index.entries.last().map_or(1, |last| last.line);
    let lines: String = missing
        .iter()
        .map(|(name, (_, memory))| {
            let about = memory.role(Role::Description);
            let about = about.and_then(Value::as_str).unwrap_or_default();
            format!("{}\n", index::line(&memory.title, name, about, index.table))
        })
        .collect();
    let open = !index.text.get(..at).is_none_or(|text| text.ends_with('\n'));
    let lines = if open { format!("\n{lines}") } else { lines };
    let title = match index::cut_off(&index.text, &lines, at, (index.body, index.table)) {
        0 => "list them".to_owned(),
        below => format!("list them, {below} of them below the cut"),
    };
    let mut finding = index
        .finding(rule, Severity::Info, last)
        .says(says)
        .beside(missing.iter().map(|(_, (other, _))| *other))
        .fixed_by(index.fix(title, &[(at..at, lines)]));
    for (name, ..) in missing.iter().skip(1).take(4) {
        finding = finding.because(quote(name));
    }
    out.push(finding);
}

/// Links that are told of together, in the first finding: more of them say the same.
const TOLD: usize = 12;

/// One finding for the links that lead nowhere for one reason: they are one decision.
fn dangling(index: &Index<'_>, rule: &IndexRule, out: &mut Vec<Finding>) {
    let mut groups: BTreeMap<Severity, BTreeMap<&str, Vec<&IndexLink>>> = BTreeMap::new();
    let links = index.links.iter();
    for link in links.filter(|link| link.link.form == LinkForm::Path) {
        let name = &*link.target;
        let own = index.others.get(name).map(|(_, one)| one.state);
        if name == index.table.file || own == Some(State::Active) {
            continue;
        }
        let (severity, says) = match own {
            _ if index::is_outside(name) => (Severity::Info, OUTSIDE),
            Some(_) => (Severity::Warning, "is archived"),
            None => (Severity::Warning, "is not there"),
        };
        let group = groups.entry(severity).or_default().entry(says).or_default();
        group.push(link);
    }
    for (severity, groups) in groups {
        for (says, links) in groups {
            out.extend(leading_nowhere(index, rule, severity, (says, &links)));
        }
    }
}

/// What a link out of the folder does.
const OUTSIDE: &str = "leads out of the folder and is not followed";

fn leading_nowhere(
    index: &Index<'_>,
    rule: &IndexRule,
    severity: Severity,
    (says, links): (&str, &[&IndexLink]),
) -> Option<Finding> {
    let first = *links.first()?;
    let name = |link: &IndexLink| format!("{} {says}", quote(&link.target));
    let (message, title) = match (links.len(), first.is_item()) {
        (1, true) => (name(first), "take the line out"),
        (1, false) => (name(first), "keep the words of the link alone"),
        (many, _) => (
            format!("{}; {} more like it", name(first), many - 1),
            "take their lines out, and keep the words of other links",
        ),
    };
    let mut changes: Vec<_> = links
        .iter()
        .map(|link| link.taken_out(&index.text))
        .collect();
    // A line goes once, whatever else leads nowhere in it.
    changes.sort_by_key(|(range, _)| (range.start, Reverse(range.end)));
    let mut end = 0;
    changes.retain(|(range, _)| {
        let is_new = range.start >= end;
        end = end.max(range.end);
        is_new
    });
    let fix = index.fix(title.to_owned(), &changes);
    let finding = index.finding(rule, severity, first.line).says(message);
    let finding = finding.about(first.link.name.clone());
    let told = links.iter().take(TOLD).filter(|_| links.len() > 1);
    let told = told.map(|link| format!("line {}: {}", link.line, name(link)));
    let finding = told.fold(finding, Finding::because);
    Some(finding.fixed_by(fix.filter(|_| says != OUTSIDE)))
}
