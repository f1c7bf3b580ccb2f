//! Two memories that a rule asks about, one below the other: the findings, the heads with the statements
//! that differ (`The pool holds ‹ten› connections.`), the whole texts.

use std::ops::Range;

use itertools::Itertools as _;

use super::sheet::Sheet;
use super::theme::Role;
use super::words;
use crate::app::Model;
use crate::app::pair::{Pair, Side, Why};
use crate::memory::Role as Part;

/// Puts on the sheet why the two are asked about, both heads, the statements, the whole texts.
pub fn page(sheet: &mut Sheet<'_>, model: &Model, pair: &Pair) {
    sheet.title = "Two memories".to_owned();
    for why in &pair.whys {
        reason(sheet, why);
    }
    sheet.gap();
    let [a, b] = &pair.sides;
    let dates = (a.memory.written(), b.memory.written());
    let is_newer = match dates {
        (Some(a), Some(b)) => [a > b, b > a],
        _ => [false; 2],
    };
    // The heads and statements of both come first: they are what is decided on.
    let sides = || ["A", "B"].into_iter().zip(&pair.sides).enumerate();
    for ((n, (name, side)), newer) in sides().zip(is_newer) {
        head(sheet, model, side, (name, newer));
        let statements = pair.whys.iter().filter_map(|why| why.statements.as_ref());
        for (text, marks) in statements.filter_map(|both| both.get(n)) {
            marked(sheet, text, marks);
            sheet.gap();
        }
    }
    for (_, (name, side)) in sides() {
        sheet.line(Role::Border, &"─".repeat(sheet.width));
        sheet.line(Role::Accent, name);
        match &side.body {
            None => sheet.line(Role::Muted, "reading …"),
            Some(Err(why)) => sheet.line(Role::Error, why),
            Some(Ok(text)) => {
                let start = text.len() - text.trim_start_matches(['\n', '\r']).len();
                let within = |mark: &Range<usize>| {
                    Some(mark.start.checked_sub(start)?..mark.end.checked_sub(start)?)
                };
                let marks: Vec<_> = side.marks.iter().filter_map(within).collect();
                marked(sheet, text.trim_matches(['\n', '\r']), &marks);
            }
        }
    }
}

fn reason(sheet: &mut Sheet<'_>, why: &Why) {
    let finding = &why.finding;
    let says = match (&why.statements, finding.message.split_once(": ")) {
        // The two are named above their texts.
        (Some(_), Some((what, words))) => {
            let what = what.split(" with ").next().unwrap_or(what);
            format!("{what}: {words}")
        }
        _ => finding.evidence.first().unwrap_or(&finding.message).clone(),
    };
    let sure = finding.sureness();
    let sure = sure.map_or_else(String::new, |sure| format!(" · {sure}"));
    let rule = format!("{} {}", words::mark(finding.severity), finding.rule);
    sheet.push(vec![
        sheet.text(Role::severity(finding.severity), &rule),
        sheet.text(Role::Text, &format!(" · {says}")),
        sheet.text(Role::Muted, &sure),
    ]);
}

/// Title, id, importance and age.
fn head(sheet: &mut Sheet<'_>, model: &Model, side: &Side, (name, newer): (&str, bool)) {
    let memory = &side.memory;
    let importance = memory.role(Part::Importance).map(ToString::to_string);
    let age = memory.written().map(|then| words::ago(then, model.now));
    // First, for an id may be as long as the row.
    let newer = newer.then(|| "newer".to_owned());
    let facts = [newer, Some(memory.id.to_string()), importance, age];
    sheet.push(vec![
        sheet.text(Role::Accent, &format!("{name}  ")),
        sheet.text(Role::Title, &words::title(memory)),
    ]);
    sheet.line(Role::Muted, &facts.into_iter().flatten().join(" · "));
    sheet.gap();
}

/// A text as it reads, what differs between `‹` and `›` and in a style of its own: it is seen
/// without colour too.
fn marked(sheet: &mut Sheet<'_>, text: &str, marks: &[Range<usize>]) {
    let differs = sheet.theme.style(Role::Warning);
    let differs = differs.add_modifier(sheet.theme.style(Role::AddedWord).add_modifier);
    let (text, ranges) = signed(text, marks.iter().cloned());
    let marks: Vec<_> = ranges.into_iter().map(|range| (range, differs)).collect();
    sheet.markdown(&text, &marks);
}

/// A text with signs around ranges of it, and where those are now.
fn signed(line: &str, ranges: impl Iterator<Item = Range<usize>>) -> (String, Vec<Range<usize>>) {
    let mut out = String::with_capacity(line.len() + 16);
    let mut places = Vec::new();
    let mut at = 0;
    for range in ranges {
        let end = range.end.min(line.len());
        let (Some(before), Some(part)) = (line.get(at..range.start), line.get(range.start..end))
        else {
            continue;
        };
        out.push_str(before);
        let start = out.len();
        out.extend(["‹", part, "›"]);
        places.push(start..out.len());
        at = end;
    }
    out.push_str(line.get(at..).unwrap_or_default());
    (out, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_has_signs_around_it() {
        let signed = |line: &str, ranges: &[(usize, usize)]| {
            signed(line, ranges.iter().map(|(start, end)| *start..*end))
        };
        let (text, places) = signed("holds ten of them", &[(6, 9)]);
        assert_eq!(text, "holds ‹ten› of them");
        assert_eq!(text.get(places[0].clone()), Some("‹ten›"));
        assert_eq!(signed("é", &[(1, 2)]).0, "é");
        assert_eq!(signed("a b", &[(0, 1), (2, 9)]).0, "‹a› ‹b›");
    }
}
