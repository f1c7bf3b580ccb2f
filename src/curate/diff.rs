//! A plan as a unified diff, in the words of `git diff`: `git apply` and `patch -p1` take it.

use std::ops::Range;
use std::path::Path;

use itertools::Itertools as _;
use similar::udiff::UnifiedHunkHeader;
use similar::{DiffOp, group_diff_ops};

use super::plan::{FileChange, Plan, RowChange};
pub(super) use crate::memory::lines::ops;
use crate::memory::row::{Cell, Row};

/// Lines shown around a change.
const CONTEXT: usize = 3;
/// The modes that git knows.
const PLAIN: u32 = 0o100_644;
const EXECUTABLE: u32 = 0o100_755;

/// The unified diff of a plan, in the bytes of its files. `read` gives the bytes of a file as
/// it is, `shown` its name.
pub fn unified(
    plan: &Plan,
    read: &dyn Fn(&Path) -> Option<Vec<u8>>,
    shown: &dyn Fn(&Path) -> String,
) -> Vec<u8> {
    let mut out = Vec::new();
    for change in &plan.changes {
        one(change, read, shown, &mut out);
    }
    out
}

/// The unified diff of two texts, without the names of files; empty where they are equal.
pub fn of_texts(before: &str, after: &str) -> String {
    let mut out = Vec::new();
    compared(&mut out, before.as_bytes(), after.as_bytes());
    String::from_utf8_lossy(&out).into_owned()
}

/// Number of lines that go and of lines that come from one text to another.
pub fn line_counts(before: &[u8], after: &[u8]) -> (usize, usize) {
    let changes = ops(&lines_of(before), &lines_of(after));
    let is_change = |op: &&DiffOp| !matches!(op, DiffOp::Equal { .. });
    let changes = changes.iter().filter(is_change);
    changes.fold((0, 0), |(removed, added), op| {
        (removed + op.old_range().len(), added + op.new_range().len())
    })
}

fn one(
    change: &FileChange,
    read: &dyn Fn(&Path) -> Option<Vec<u8>>,
    shown: &dyn Fn(&Path) -> String,
    out: &mut Vec<u8>,
) {
    match change {
        FileChange::Write(own) => {
            let (name, splice) = (shown(&own.path), &own.splice);
            let runs = own.mode.is_some_and(|mode| mode & 0o100 != 0);
            let mode = if runs { EXECUTABLE } else { PLAIN };
            let of = [own.before.is_some(), own.after.is_some()];
            let names = begin(out, &name, of, &format!("file mode {mode:o}"));
            let old = read(&own.path).filter(|_| own.before.is_some());
            let old = old.unwrap_or_default();
            match splice.applied(&old) {
                Some(new) => hunks(out, names, &old, &new),
                // The file changed since: its lines are unknown.
                None => hunks(out, names, &splice.removed, &splice.inserted),
            }
        }
        FileChange::Move { from, to, .. } => {
            let (from, to) = (shown(from), shown(to));
            head(out, &from, &to);
            line(out, "similarity index 100%");
            line(out, &format!("rename from {}", quoted("", &from)));
            line(out, &format!("rename to {}", quoted("", &to)));
        }
        // The working file stays as it is.
        FileChange::Stage(_) => {}
        FileChange::Rows { path, rows } => {
            for row in rows {
                self::row(row, &shown(path), out);
            }
        }
    }
}

fn line(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
    out.push(b'\n');
}

fn head(out: &mut Vec<u8>, old: &str, new: &str) {
    let (old, new) = (quoted("a/", old), quoted("b/", new));
    line(out, &format!("diff --git {old} {new}"));
}

/// The name of a file before and after, where it is there.
type Names<'a> = [Option<&'a str>; 2];

/// Adds the head of a file or row that is there before or afterwards, and what comes or goes where it
/// is not there both times.
fn begin<'n>(out: &mut Vec<u8>, name: &'n str, is_there: [bool; 2], what: &str) -> Names<'n> {
    head(out, name, name);
    match is_there {
        [false, _] => line(out, &format!("new {what}")),
        [_, false] => line(out, &format!("deleted {what}")),
        _ => {}
    }
    is_there.map(|is_there| is_there.then_some(name))
}

/// A name below a side; in quotes, as git has them, where it would not be one otherwise. An
/// absolute path is one below `/`.
fn quoted(side: &str, name: &str) -> String {
    let below = match side {
        "" => name,
        _ => name.strip_prefix('/').unwrap_or(name),
    };
    // `patch` ends a name without quotes at a blank.
    let odd = |c: char| c.is_control() || c == '"' || c == '\\' || c == ' ';
    if !name.contains(odd) {
        return format!("{side}{below}");
    }
    let mut text = format!("\"{side}");
    for c in below.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            c if c.is_control() => {
                let bytes = c.to_string().into_bytes().into_iter();
                text.extend(bytes.map(|byte| format!("\\{byte:03o}")));
            }
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

fn hunks(out: &mut Vec<u8>, [from, to]: Names<'_>, old: &[u8], new: &[u8]) {
    // Of an empty file that comes or goes the head says all.
    if old == new {
        return;
    }
    for (sign, side, name) in [("---", "a/", from), ("+++", "b/", to)] {
        let name = name.map_or_else(|| "/dev/null".to_owned(), |name| quoted(side, name));
        line(out, &format!("{sign} {name}"));
    }
    compared(out, old, new);
}

/// The hunks between two texts.
fn compared(out: &mut Vec<u8>, before: &[u8], after: &[u8]) {
    let (before, after) = (lines_of(before), lines_of(after));
    for group in group_diff_ops(ops(&before, &after), CONTEXT) {
        line(out, &UnifiedHunkHeader::new(&group).to_string());
        for change in group {
            let gone = before.get(change.old_range()).unwrap_or_default();
            let come = after.get(change.new_range()).unwrap_or_default();
            if matches!(change, DiffOp::Equal { .. }) {
                lines(out, b' ', gone);
            } else {
                lines(out, b'-', gone);
                lines(out, b'+', come);
            }
        }
    }
}

fn lines(out: &mut Vec<u8>, sign: u8, lines: &[&[u8]]) {
    for text in lines {
        out.push(sign);
        out.extend_from_slice(text);
        if !text.ends_with(b"\n") {
            line(out, "\n\\ No newline at end of file");
        }
    }
}

/// The column that tells rows by their place; people are not shown it.
const PLACE: &str = "rowid";

fn row(change: &RowChange, database: &str, out: &mut Vec<u8>) {
    let key: Vec<String> = change.key.0.iter().map(|(_, cell)| cell.shown()).collect();
    let name = format!("{database}/{}/{}", change.table, key.join(","));
    let text = |row: &Option<Row>| row.as_ref().map(row_text).unwrap_or_default();
    let (old, new) = (text(&change.before), text(&change.after));
    let of = [change.before.is_some(), change.after.is_some()];
    let names = begin(out, &name, of, "row");
    hunks(out, names, &old, &new);
}

/// A row, its columns with a value; JSON over several lines.
pub fn row_text(row: &Row) -> Vec<u8> {
    let mut out = Vec::new();
    let cells = row.0.iter().filter(|(name, _)| name != PLACE);
    for (name, cell) in cells.filter(|(_, cell)| !cell.is_null()) {
        let shown = json(cell).unwrap_or_else(|| cell.shown());
        line(&mut out, &format!("{name}: {shown}"));
    }
    out
}

/// A layer, indented.
fn json(cell: &Cell) -> Option<String> {
    let text = cell.as_str().filter(|text| text.starts_with(['{', '[']))?;
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    serde_json::to_string_pretty(&value).ok()
}

/// The lines of a text, line ends included.
pub fn lines_of(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The words of a text and the blanks between them.
fn words_of(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let other = |c: char| c.is_whitespace() != first.is_whitespace();
        let (one, after) = rest.split_at(rest.find(other).unwrap_or(rest.len()));
        found.push(one);
        rest = after;
    }
    found
}

/// Texts of more bytes are not compared by words.
const MOST_BYTES: usize = 40_000;

/// A range of an old text and one of a new text.
pub type Both = (Range<usize>, Range<usize>);

/// The byte ranges of the old text that go, each with the range of the new one in its place; one of
/// them may be empty. None where the texts have hardly a word in common: everything would differ.
fn word_changes(old: &str, new: &str) -> Option<Vec<Both>> {
    if old.len() + new.len() > MOST_BYTES {
        return None;
    }
    let (words, others) = (words_of(old), words_of(new));
    let mut all: Vec<Both> = Vec::new();
    let (mut gone, mut come, mut same) = (0..0, 0..0, 0);
    for op in ops(&words, &others) {
        let was = words.get(op.old_range()).unwrap_or_default();
        let is = others.get(op.new_range()).unwrap_or_default();
        gone = gone.end..gone.end + was.concat().len();
        come = come.end..come.end + is.concat().len();
        match all.last_mut() {
            _ if matches!(op, DiffOp::Equal { .. }) => {
                same += was.iter().map(|word| word.trim().len()).sum::<usize>();
            }
            Some(last) if last.0.end == gone.start && last.1.end == come.start => {
                *last = (last.0.start..gone.end, last.1.start..come.end);
            }
            _ => all.push((gone.clone(), come.clone())),
        }
    }
    (same * 4 >= old.len().min(new.len())).then_some(all)
}

/// The byte ranges of the old text that go and of the new text that come. Of texts that have hardly
/// a word in common none is marked.
pub fn differing(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (mut gone, mut come): (Vec<_>, Vec<_>) =
        word_changes(old, new).into_iter().flatten().unzip();
    gone.retain(|range| !range.is_empty());
    come.retain(|range| !range.is_empty());
    (gone, come)
}

/// The new text with what went left in it, as Markdown that reads like the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The text; what differs stands between `‹` and `›`.
    pub text: String,
    /// Ranges of it that differ, each with whether it came.
    pub marks: Vec<(Range<usize>, bool)>,
}

impl Merged {
    /// Merges two texts: by lines, and by words in lines that have words in common.
    pub fn new(old: &str, new: &str) -> Self {
        let mut merged = Self::default();
        let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<&str>>();
        let (gone, come) = (lines(old), lines(new));
        for op in ops(&gone, &come) {
            let was = gone.get(op.old_range()).unwrap_or_default().concat();
            let is = come.get(op.new_range()).unwrap_or_default().concat();
            let alike = matches!(op, DiffOp::Replace { .. }) && merged.by_words(&was, &is);
            match op {
                DiffOp::Equal { .. } => merged.text.push_str(&is),
                _ if alike => {}
                _ => {
                    merged.lines(&was, false);
                    merged.lines(&is, true);
                }
            }
        }
        merged
    }

    /// Adds the words of two texts; adds nothing where they have too few in common.
    fn by_words(&mut self, old: &str, new: &str) -> bool {
        let Some(changes) = word_changes(old, new) else {
            return false;
        };
        let part =
            |text: &'_ str, range: Range<usize>| text.get(range).unwrap_or_default().to_owned();
        let mut at = 0;
        // Changes that only a blank parts are one.
        let is_near = |a: &Both, b: &Both| {
            let between = part(new, a.1.end..b.1.start);
            between.trim().is_empty() && !between.contains('\n')
        };
        let joined = changes.into_iter().coalesce(|a, b| match is_near(&a, &b) {
            true => Ok((a.0.start..b.0.end, a.1.start..b.1.end)),
            false => Err((a, b)),
        });
        for (gone, come) in joined {
            self.text.push_str(&part(new, at..come.start));
            at = come.end;
            let (old, new) = (part(old, gone), part(new, come));
            let [was, is] = [&old, &new].map(|text| text.trim());
            if was.is_empty() || is.is_empty() || format!("{was}{is}").contains('\n') {
                self.lines(&old, false);
                self.lines(&new, true);
                continue;
            }
            let (lead, tail) = new.split_once(is).unwrap_or_default();
            self.text.push_str(lead);
            self.marked("‹", was, "", false);
            self.marked(" → ", is, "›", true);
            self.text.push_str(tail);
        }
        self.text.push_str(&part(new, at..new.len()));
        true
    }

    /// Adds lines that went or came, the signs behind what makes each a heading, an item or a row.
    fn lines(&mut self, text: &str, is_new: bool) {
        let sign = if is_new { "‹+" } else { "‹−" };
        for line in text.split_inclusive('\n') {
            let mut rest = line.trim_start_matches([' ', '\t', '#', '-', '*', '>', '|']);
            if let Some((number, item)) = rest.split_once(". ")
                && number.bytes().all(|byte| byte.is_ascii_digit())
            {
                rest = item;
            }
            let said = rest.trim_end_matches(['\r', '\n', ' ', '|']);
            if said.is_empty() || said.starts_with("```") || said.starts_with("~~~") {
                // Only the fences and rules of the new text are in it.
                self.text.push_str(if is_new { line } else { "" });
                continue;
            }
            let lead = line.strip_suffix(rest).unwrap_or_default();
            let tail = rest.strip_prefix(said).unwrap_or_default();
            let last = self.marks.last().filter(|(range, is)| {
                let is_next = *is == is_new && self.text.get(range.end..) == Some("\n");
                is_next && lead.trim().is_empty()
            });
            if let Some(start) = last.map(|(range, _)| range.start) {
                // A paragraph that is broken into lines is one change.
                self.marks.pop();
                self.text.truncate(self.text.len() - "›\n".len());
                self.text.extend(["\n", lead, said, "›"]);
                self.marks.push((start..self.text.len(), is_new));
            } else {
                self.text.push_str(lead);
                self.marked(sign, said, "›", is_new);
            }
            self.text.push_str(tail);
        }
    }

    fn marked(&mut self, before: &str, text: &str, after: &str, is_new: bool) {
        let start = self.text.len();
        self.text.extend([before, text, after]);
        self.marks.push((start..self.text.len(), is_new));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    #[test]
    fn a_merged_text_reads_like_the_new_one_with_what_changed_between_signs() {
        for (old, new, merged) in rows! {
            "Scale at 5 records.\n" => "Scale at 10 records.\n" => "Scale at ‹5 → 10› records.\n",
            "a b c d e\n" => "a b d e f\n" => "a b ‹−c› d e ‹+f›\n",
            "# One\n\n- two\n" => "# One\n\n- two\n- three\n" => "# One\n\n- two\n- ‹+three›\n",
            "1. one\n2. two\n" => "1. one\n" => "1. one\n2. ‹−two›\n",
            "Wholly other words.\n" => "Nothing like it here!\n" =>
                "‹−Wholly other words.›\n‹+Nothing like it here!›\n",
            "same\n" => "same\n" => "same\n",
            "" => "```sh\nls\n```\n" => "```sh\n‹+ls›\n```\n",
            "1. One.\n" => "1. One.\n2. Two and\n   more.\n" =>
                "1. One.\n2. ‹+Two and\n   more.›\n",
            "Ask Ann or Bob first.\n" => "Ask Eve and Dan first.\n" =>
                "Ask ‹Ann or Bob → Eve and Dan› first.\n",
        } {
            let both = Merged::new(old, new);
            assert_eq!(both.text, merged);
            for (range, _) in both.marks {
                assert!(both.text.get(range).is_some());
            }
        }
    }
}
