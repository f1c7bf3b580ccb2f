//! A plan as a unified diff.

use std::fmt::Write as _;
use std::path::Path;

use similar::TextDiff;

use super::plan::{FileChange, Plan, Splice};

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// The unified diff of a plan. `read` gives the bytes of a file as it is, `shown` its name.
pub fn unified(
    plan: &Plan,
    read: &dyn Fn(&Path) -> Option<Vec<u8>>,
    shown: &dyn Fn(&Path) -> String,
) -> String {
    let mut out = String::new();
    for change in &plan.changes {
        match change {
            FileChange::Write {
                path,
                before: None,
                splice,
                ..
            } => {
                file(&mut out, "/dev/null", &name("b", shown(path)), b"", splice);
            }
            FileChange::Write { path, splice, .. } => {
                let old = read(path).unwrap_or_default();
                file(
                    &mut out,
                    &name("a", shown(path)),
                    &name("b", shown(path)),
                    &old,
                    splice,
                );
            }
            FileChange::Remove { path, content, .. } => {
                let splice = Splice {
                    at: 0,
                    removed: content.clone(),
                    inserted: Vec::new(),
                };
                file(
                    &mut out,
                    &name("a", shown(path)),
                    "/dev/null",
                    content,
                    &splice,
                );
            }
            FileChange::Move { from, to, .. } => {
                // Writing to a String cannot fail.
                let _ = writeln!(
                    out,
                    "similarity index 100%\nrename from {}\nrename to {}",
                    shown(from),
                    shown(to)
                );
            }
            FileChange::Link {
                path,
                target,
                remove,
            } => {
                let verb = if *remove { "deleted" } else { "new" };
                let _ = writeln!(
                    out,
                    "{verb} symbolic link {} -> {}",
                    shown(path),
                    target.display()
                );
            }
        }
    }
    out
}

fn name(side: &str, shown: String) -> String {
    if shown.starts_with('/') {
        shown
    } else {
        format!("{side}/{shown}")
    }
}

/// The diff of one file. Only the lines that a splice touches are compared, with those around
/// them: a change in a file of 50 MB is as quick to show as any.
fn file(out: &mut String, old_name: &str, new_name: &str, old: &[u8], splice: &Splice) {
    let end = splice.at.saturating_add(splice.removed.len());
    let from = lines_before(old, splice.at);
    let to = lines_after(old, end);
    let part = |from: usize, to: usize| old.get(from..to).unwrap_or_default();
    let before = String::from_utf8_lossy(part(from, to)).into_owned();
    let after = [part(from, splice.at), &splice.inserted, part(end, to)].concat();
    let after = String::from_utf8_lossy(&after).into_owned();
    let skipped = memchr::memchr_iter(b'\n', part(0, from)).count();
    let _ = writeln!(out, "--- {old_name}\n+++ {new_name}");
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let hunks = diff.unified_diff().context_radius(CONTEXT).to_string();
    for line in hunks.split_inclusive('\n') {
        match shifted(line, skipped) {
            Some(header) => out.push_str(&header),
            None => out.push_str(line),
        }
    }
}

/// The start of the third line above a place, or of the file.
fn lines_before(bytes: &[u8], at: usize) -> usize {
    let head = bytes.get(..at).unwrap_or_default();
    memchr::memrchr_iter(b'\n', head)
        .nth(CONTEXT)
        .map_or(0, |newline| newline + 1)
}

/// The end of the third line below a place, or of the file.
fn lines_after(bytes: &[u8], at: usize) -> usize {
    let tail = bytes.get(at..).unwrap_or_default();
    memchr::memchr_iter(b'\n', tail)
        .nth(CONTEXT)
        .map_or(bytes.len(), |newline| at + newline + 1)
}

/// A hunk's header with its line numbers moved down by the lines that were not compared.
fn shifted(line: &str, by: usize) -> Option<String> {
    let ranges = line.strip_prefix("@@ -")?.split_once(" @@")?.0;
    let (old, new) = ranges.split_once(" +")?;
    let shift = |range: &str| {
        let (start, count) = range
            .split_once(',')
            .map_or((range, None), |(start, count)| (start, Some(count)));
        let start = start.parse::<usize>().ok()? + by;
        Some(count.map_or_else(|| start.to_string(), |count| format!("{start},{count}")))
    };
    Some(format!("@@ -{} +{} @@\n", shift(old)?, shift(new)?))
}
