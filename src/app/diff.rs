//! A plan as the lines of a diff.

use std::path::Path;

use crate::curate::{FileChange, Plan, Splice};

/// One line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Which file, or what happens to it.
    File(String),
    /// A line that stays.
    Same(String),
    /// A line that goes.
    Old(String),
    /// A line that comes.
    New(String),
    /// Lines that are left out here.
    Gap,
}

/// Lines around a change that are shown with it.
const CONTEXT: usize = 3;
/// The most lines of one file that are shown.
const MOST: usize = 500;

/// The lines of a plan. `text` is the known part of one file: its path, where the part begins,
/// and the part; around a change in it the lines that stay are shown too.
pub fn lines(
    plan: &Plan,
    text: Option<(&Path, usize, &str)>,
    shown: impl Fn(&Path) -> String,
) -> Vec<Line> {
    let mut out = Vec::new();
    for change in &plan.changes {
        match change {
            FileChange::Write {
                path,
                before,
                splice,
                ..
            } => {
                let new = if before.is_none() { " (new)" } else { "" };
                out.push(Line::File(format!("{}{new}", shown(path))));
                let known = text.filter(|(of, _, _)| of == path);
                write(
                    &mut out,
                    splice,
                    known.map(|(_, start, text)| (start, text)),
                );
            }
            FileChange::Remove { path, content, .. } => {
                out.push(Line::File(format!("{} (removed)", shown(path))));
                let content = String::from_utf8_lossy(content);
                out.extend(some(content.lines()).map(Line::Old));
            }
            FileChange::Link { path, remove, .. } => {
                let what = if *remove { "removed" } else { "new" };
                out.push(Line::File(format!("{} (link, {what})", shown(path))));
            }
            FileChange::Move { from, to, .. } => {
                out.push(Line::File(format!("{} → {}", shown(from), shown(to))));
            }
        }
    }
    out
}

fn some<'a>(lines: impl Iterator<Item = &'a str>) -> impl Iterator<Item = String> {
    lines.take(MOST).map(str::to_owned)
}

/// The lines of one splice: bytes become whole lines where the text around them is known.
fn write(out: &mut Vec<Line>, splice: &Splice, known: Option<(usize, &str)>) {
    let removed = String::from_utf8_lossy(&splice.removed);
    let inserted = String::from_utf8_lossy(&splice.inserted);
    let around = known.and_then(|(start, text)| {
        let from = splice.at.checked_sub(start)?;
        let before = text.get(..from)?;
        let after = text.get(from + splice.removed.len()..)?;
        Some((before, after))
    });
    let Some((before, after)) = around else {
        out.extend(some(removed.lines()).map(Line::Old));
        out.extend(some(inserted.lines()).map(Line::New));
        return;
    };
    let first = before.rfind('\n').map_or(0, |at| at + 1);
    // A change that ends at a line's end needs nothing of the next line.
    let whole = [&*removed, &*inserted]
        .iter()
        .all(|part| part.is_empty() || part.ends_with('\n'));
    let last = if whole && first == before.len() {
        0
    } else {
        after.find('\n').map_or(after.len(), |at| at + 1)
    };
    let head = before.get(first..).unwrap_or_default();
    let tail = after.get(..last).unwrap_or_default();
    let lead: Vec<&str> = before.get(..first).unwrap_or_default().lines().collect();
    let skip = lead.len().saturating_sub(CONTEXT);
    if skip > 0 {
        out.push(Line::Gap);
    }
    out.extend(
        lead.iter()
            .skip(skip)
            .map(|line| Line::Same((*line).to_owned())),
    );
    let old = format!("{head}{removed}{tail}");
    let new = format!("{head}{inserted}{tail}");
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    out.extend(some(old.iter().copied()).map(Line::Old));
    out.extend(some(new.iter().copied()).map(Line::New));
    let rest = after.get(last..).unwrap_or_default();
    out.extend(some(rest.lines().take(CONTEXT)).map(Line::Same));
    if rest.lines().nth(CONTEXT).is_some() {
        out.push(Line::Gap);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(before: &str, after: &str) -> String {
        let path = Path::new("/m/a.md");
        let plan = Plan {
            title: String::new(),
            changes: vec![FileChange::write(
                path,
                Some(before.as_bytes()),
                after.as_bytes(),
            )],
        };
        let shown = |path: &Path| path.display().to_string();
        let lines = lines(&plan, Some((path, 0, before)), shown);
        let text = |line: &Line| match line {
            Line::File(text) => format!("@ {text}\n"),
            Line::Same(text) => format!("  {text}\n"),
            Line::Old(text) => format!("- {text}\n"),
            Line::New(text) => format!("+ {text}\n"),
            Line::Gap => "…\n".to_owned(),
        };
        lines.iter().map(text).collect()
    }

    #[test]
    fn a_change_inside_a_line_shows_the_line_before_and_after() {
        let before = "1\n2\n3\n4\nimportance: low\n6\n7\n8\n9\n";
        let after = before.replace("low", "high");
        assert_eq!(
            diff(before, &after),
            "@ /m/a.md\n…\n  2\n  3\n  4\n- importance: low\n+ importance: high\n  6\n  7\n  8\n…\n"
        );
    }

    #[test]
    fn an_added_line_takes_no_line_away() {
        assert_eq!(diff("a\nc\n", "a\nb\nc\n"), "@ /m/a.md\n  a\n+ b\n  c\n");
        assert_eq!(diff("a", "a\nb"), "@ /m/a.md\n- a\n+ a\n+ b\n");
    }
}
