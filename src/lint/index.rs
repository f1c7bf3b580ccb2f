//! The index of a store: what the loader cuts off, what it does not list, and what is not there.

use std::ops::Range;

use super::chars::quote;
use super::{Collector, Context, Facts, Finding, Fix, Rule, RuleInfo};
use crate::curate::Change;
use crate::memory::edit::FieldEdit;
use crate::memory::format::IndexTable;
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
    /// The other memories of its store, with their names as an entry writes them.
    others: Vec<(String, usize, &'a Memory)>,
}

impl<'a> Index<'a> {
    fn of(cx: &Context<'a>, at: usize, memory: &'a Memory) -> Option<Self> {
        let table = memory.index_table()?;
        let text = cx.texts.text(memory)?;
        let body = memory.body.start.checked_sub(memory.span.start)?;
        let folder = memory.path.parent()?;
        let others = cx.memories.iter().enumerate();
        let others = others.filter(|(other, one)| *other != at && one.id.store == memory.id.store);
        let others = others.filter_map(|(other, one)| {
            let name = one.path.strip_prefix(folder).ok()?;
            let name = name.to_string_lossy().replace('\\', "/");
            Some((name, other, &**one))
        });
        Some(Self {
            at,
            memory,
            table,
            entries: index::entries(text.as_bytes(), body, table),
            links: index::links(&text, body),
            body,
            others: others.collect(),
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

    fn of_entry(&self, entry: &Entry) -> Option<&(String, usize, &'a Memory)> {
        self.others.iter().find(|(name, ..)| *name == entry.file())
    }

    fn active(&self) -> impl Iterator<Item = &(String, usize, &'a Memory)> {
        self.others
            .iter()
            .filter(|(.., one)| one.state == State::Active && one.hidden.is_none())
    }
}

/// The file that a link names, without what leads into it.
fn file(target: &str) -> &str {
    target.strip_prefix("./").unwrap_or(target)
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
            .beside(below.filter_map(|entry| Some(index.of_entry(entry)?.1)));
        let of_entry = |entry: &Entry| Some(index.of_entry(entry)?.2);
        let ordered = index::by_value(&index.text, &index.entries, of_entry);
        let fix = ordered.and_then(|text| {
            let whole = 0..index.text.len();
            index.fix(
                "order each list: what people said first, then the newest".to_owned(),
                &[(whole, text)],
            )
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
    let is_listed = |name: &str| index.links.iter().any(|link| file(&link.target) == name);
    let names = || index.others.iter().map(|(name, ..)| name.as_str());
    let missing: Vec<_> = index
        .active()
        .filter(|(name, ..)| !is_listed(name) && index.table.should_list(name, names()))
        .collect();
    // An index that lists nothing is a text of its own.
    let Some((first, ..)) = missing.first().filter(|_| !index.entries.is_empty()) else {
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
        .map(|(name, _, memory)| {
            let about = memory.role(Role::Description);
            let about = about.and_then(Value::as_str).unwrap_or_default();
            format!("{}\n", index::line(&memory.title, name, about))
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
        .beside(missing.iter().map(|(_, other, _)| *other))
        .fixed_by(index.fix(title, &[(at..at, lines)]));
    for (name, ..) in missing.iter().skip(1).take(4) {
        finding = finding.because(quote(name));
    }
    out.push(finding);
}

fn dangling(index: &Index<'_>, rule: &IndexRule, out: &mut Vec<Finding>) {
    for link in &index.links {
        let name = file(&link.target);
        let is_outside = name.starts_with(['/', '~']) || name.split('/').any(|part| part == "..");
        let mut own = index.others.iter().filter(|(other, ..)| *other == name);
        let is_there = own.clone().any(|(.., one)| one.state == State::Active);
        if name == index.table.file || is_there {
            continue;
        }
        let (severity, says) = match own.next() {
            _ if is_outside => (
                Severity::Info,
                "leads out of the folder and is not followed",
            ),
            Some(_) => (Severity::Warning, "is archived"),
            None => (Severity::Warning, "is not there"),
        };
        let title = match link.is_item() {
            true => "take the line out",
            false => "keep the words of the link alone",
        };
        let fix = index.fix(title.to_owned(), &[link.taken_out(&index.text)]);
        let finding = index
            .finding(rule, severity, link.line)
            .says(format!("{} {says}", quote(name)))
            .about(link.link.name.clone())
            .fixed_by(fix.filter(|_| !is_outside));
        out.push(finding);
    }
}
