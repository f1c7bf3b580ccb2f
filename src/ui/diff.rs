//! Draws differences: lines that go and come with a sign before them, the words that differ
//! marked in them.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::look::Look;
use super::safe::{spans, width};
use super::theme::Theme;
use crate::app::conflict::words::differing;
use crate::app::editor::wrap;

/// The mark for an end of a line that is `\r\n` where the other text's is not.
const RETURN: &str = "␍";
/// Lines of which only the ends change that are shown one by one.
const ENDS: usize = 2;

/// A unified diff as styled lines of a width; what is longer goes on below. Signs stay, so that
/// it reads without colour.
pub fn lines(diff: &str, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let pane = Pane {
        look: Look::of(theme),
        width,
    };
    let mut out = Vec::new();
    let (mut gone, mut come): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut left = (0, 0);
    let mut file = File::default();
    for line in diff.split_terminator('\n') {
        if left == (0, 0) && file.takes(line) {
            changed(&mut gone, &mut come, &pane, &mut out);
            continue;
        }
        if left == (0, 0) && !line.starts_with('\\') {
            changed(&mut gone, &mut come, &pane, &mut out);
            file.told(&pane, &mut out);
        }
        // Only a hunk's own count tells a removed `-- x` from the head of a file.
        let inside = left != (0, 0);
        match (inside, line.as_bytes().first()) {
            (true, Some(b'-')) => {
                if !come.is_empty() {
                    changed(&mut gone, &mut come, &pane, &mut out);
                }
                left.0 = usize::saturating_sub(left.0, 1);
                gone.push(line.get(1..).unwrap_or_default());
            }
            (true, Some(b'+')) => {
                left.1 = usize::saturating_sub(left.1, 1);
                come.push(line.get(1..).unwrap_or_default());
            }
            (_, first) => {
                changed(&mut gone, &mut come, &pane, &mut out);
                let note = first == Some(&b'\\');
                if inside && !note {
                    left = (left.0.saturating_sub(1), left.1.saturating_sub(1));
                }
                let head = line.starts_with("@@");
                if head {
                    left = counts(line).unwrap_or((0, 0));
                }
                let style = if note || head {
                    pane.look.quiet
                } else {
                    pane.look.text
                };
                let line = line.strip_suffix('\r').unwrap_or(line);
                let kept = line.strip_prefix(' ').filter(|_| inside && !note);
                // A record that stays as it is and fills the pane tells nothing of the one that changes.
                if kept.is_some_and(|line| is_record(line) && line.len() > pane.width) {
                    continue;
                }
                let (sign, line) = kept.map_or(("", line), |line| (" ", line));
                pane.styled(sign, line, &[], (style, style), &mut out);
            }
        }
    }
    changed(&mut gone, &mut come, &pane, &mut out);
    file.told(&pane, &mut out);
    out
}

/// True if a line is a whole JSON object.
fn is_record(line: &str) -> bool {
    line.starts_with('{') && line.ends_with('}')
}

/// The head of a file in a diff, which takes git five lines and a person one.
#[derive(Default)]
struct File<'a> {
    names: Vec<&'a str>,
    what: &'static str,
}

/// The lines of such a head, each with what it tells of the file.
const HEADS: [(&str, &str); 5] = [
    ("diff --git ", ""),
    ("new file mode ", " (new)"),
    ("deleted file mode ", " (gone)"),
    ("similarity index ", ""),
    ("index ", ""),
];

impl<'a> File<'a> {
    /// Takes a line in that belongs to a head.
    fn takes(&mut self, line: &'a str) -> bool {
        let name = ["--- ", "+++ ", "rename from ", "rename to "]
            .iter()
            .find_map(|lead| line.strip_prefix(lead));
        if let Some(name) = name {
            let name = name.trim_matches('"');
            let name = ["a/", "b/"]
                .iter()
                .find_map(|side| name.strip_prefix(side))
                .unwrap_or(name);
            if name != "/dev/null" && !self.names.contains(&name) {
                self.names.push(name);
            }
            return true;
        }
        let known = HEADS.iter().find(|(lead, _)| line.starts_with(lead));
        let Some((lead, what)) = known else {
            return false;
        };
        if !what.is_empty() {
            self.what = what;
        }
        // An empty file has no other line that names it.
        let both = line.strip_prefix(lead).filter(|_| lead.starts_with("diff"));
        let one = both.and_then(|both| both.split_once(" b/"));
        if let Some((_, name)) = one {
            self.names = vec![name.trim_matches('"')];
        }
        true
    }

    /// Says which file it is, once all of its head was taken in.
    fn told(&mut self, pane: &Pane, out: &mut Vec<Line<'static>>) {
        let Self { names, what } = std::mem::take(self);
        if names.is_empty() {
            return;
        }
        let text = format!("{}{what}", names.join(" → "));
        pane.styled("", &text, &[], (pane.look.label, pane.look.label), out);
    }
}

/// How and how wide a diff is drawn.
struct Pane {
    look: Look,
    width: usize,
}

/// Number of old and new lines that follow a hunk's head: `@@ -1,4 +1,5 @@`.
fn counts(head: &str) -> Option<(usize, usize)> {
    let mut parts = head.split_whitespace().skip(1);
    let mut count = |sign: char| {
        let range = parts.next()?.strip_prefix(sign)?;
        match range.split_once(',') {
            Some((_, count)) => count.parse().ok(),
            None => Some(1),
        }
    };
    Some((count('-')?, count('+')?))
}

/// Lines that went and the lines that came in their place.
fn changed(gone: &mut Vec<&str>, come: &mut Vec<&str>, pane: &Pane, out: &mut Vec<Line<'static>>) {
    // How a line ends is said where that is what changes.
    let ends = |lines: &[&str]| lines.iter().filter(|line| line.ends_with('\r')).count();
    let same = gone.len() == come.len();
    let only_ends = |(old, new): &(&&str, &&str)| {
        let text = |line: &str| line.strip_suffix('\r').unwrap_or(line).to_owned();
        old != new && text(old) == text(new)
    };
    let alike = gone.iter().zip(come.iter()).filter(only_ends).count();
    if same && alike > ENDS {
        let lines = format!("{alike} lines, line ends only");
        let quiet = (pane.look.quiet, pane.look.quiet);
        let both = gone.drain(..).zip(come.drain(..));
        let (mut old, mut new): (Vec<&str>, Vec<&str>) =
            both.filter(|(old, new)| !only_ends(&(old, new))).unzip();
        changed(&mut old, &mut new, pane, out);
        pane.styled("", &lines, &[], quiet, out);
        return;
    }
    let told = ends(gone) != ends(come);
    let shown = |line: &str| match line.strip_suffix('\r') {
        Some(text) if told => format!("{text}{RETURN}"),
        text => text.unwrap_or(line).to_owned(),
    };
    let old: Vec<String> = gone.drain(..).map(shown).collect();
    let new: Vec<String> = come.drain(..).map(shown).collect();
    let pairs: Vec<_> = old
        .iter()
        .zip(&new)
        .map(|(old, new)| differing(old, new))
        .collect();
    let none = (Vec::new(), Vec::new());
    let look = &pane.look;
    for (n, line) in old.iter().enumerate() {
        let words = &pairs.get(n).unwrap_or(&none).0;
        pane.styled("-", line, words, (look.removed, look.removed_word), out);
    }
    for (n, line) in new.iter().enumerate() {
        let words = &pairs.get(n).unwrap_or(&none).1;
        pane.styled("+", line, words, (look.added, look.added_word), out);
    }
}

impl Pane {
    /// A sign and a line, some words of it in another style, on as many lines as it takes: each
    /// with the sign, for what stands below another one would be taken for a line that stays.
    fn styled(
        &self,
        sign: &'static str,
        text: &str,
        words: &[Range<usize>],
        (style, word): (Style, Style),
        out: &mut Vec<Line<'static>>,
    ) {
        let room = self.width.saturating_sub(sign.len()).max(1);
        for mut part in wrap(text, room, width) {
            if part.end < text.len() {
                // The space at which a line breaks may hang over the edge.
                let shown = text.get(part.clone()).unwrap_or_default().trim_end();
                part.end = part.start + shown.len();
            }
            let mut line = Line::default();
            if !sign.is_empty() {
                line.push_span(Span::styled(sign, style));
            }
            line.extend(parts(text, part, words, style, word, &self.look));
            out.push(line);
        }
    }
}

/// A part of a line as safe spans, the words that differ in a style of their own.
pub(super) fn parts(
    text: &str,
    range: Range<usize>,
    words: &[Range<usize>],
    style: Style,
    word: Style,
    look: &Look,
) -> Vec<Span<'static>> {
    let mut out: Vec<Span<'static>> = Vec::new();
    let mut at = range.start;
    let mut column = 0;
    let mut push = |from: usize, to: usize, style: Style| {
        let part = text.get(from..to).unwrap_or_default();
        for span in spans(part, column, style, look.mark) {
            column += width(&span.content);
            out.push(Span::styled(span.content.into_owned(), span.style));
        }
    };
    for changed in words {
        let from = changed.start.clamp(at, range.end);
        let to = changed.end.clamp(from, range.end);
        push(at, from, style);
        push(from, to, word);
        at = to;
    }
    push(at, range.end, style);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(diff: &str, width: usize) -> Vec<String> {
        lines(diff, &Theme::dark(), width)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn what_changes_at_the_end_of_a_long_line_is_shown() {
        let diff = "@@ -1 +1 @@\n-related: [one-of-them.md, another.md]\n\
                    +related: [one-of-them.md, a-third.md]\n";
        let all = [
            "@@ -1 +1 @@",
            "-related:",
            "-[one-of-them.md,",
            "-another.md]",
            "+related:",
            "+[one-of-them.md,",
            "+a-third.md]",
        ];
        assert_eq!(said(diff, 18), all);
        // Without colours only the sign tells what goes from what stays.
        let diff = "@@ -1,2 +1 @@\n from one two - another\n-gone\n";
        let all = ["@@ -1,2 +1 @@", " from one two", " - another", "-gone"];
        assert_eq!(said(diff, 14), all);
    }

    #[test]
    fn ends_of_lines_are_shown_where_they_change() {
        let diff = "@@ -1,2 +1,2 @@\n-one\r\n-two\r\n+one\n+two\n";
        let all = ["@@ -1,2 +1,2 @@", "-one␍", "-two␍", "+one", "+two"];
        assert_eq!(said(diff, 40), all);
        let diff = "@@ -1,2 +1,2 @@\n same\r\n-two\r\n+three\r\n";
        let all = ["@@ -1,2 +1,2 @@", " same", "-two", "+three"];
        assert_eq!(said(diff, 40), all);
    }
    #[test]
    fn where_only_the_ends_of_many_lines_change_they_are_counted() {
        let old: String = (1..=20).map(|n| format!("-{n}\r\n")).collect();
        let new: String = (1..=20).map(|n| format!("+{n}\n")).collect();
        let diff = format!("@@ -1,20 +1,20 @@\n{old}{new}");
        let all = ["@@ -1,20 +1,20 @@", "20 lines, line ends only"];
        assert_eq!(said(&diff, 40), all);
        // Other changes are shown too.
        let diff = format!("@@ -1,21 +1,21 @@\n-\u{feff}a\r\n{old}+a\n{new}");
        let lines = said(&diff, 40);
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert_eq!(lines.last().unwrap(), "20 lines, line ends only");
        assert!(lines[1].ends_with("a␍") && lines[2] == "+a", "{lines:?}");
    }

    #[test]
    fn long_records_that_stay_are_left_out() {
        let record =
            |name: &str| format!("{{\"id\":\"{name}\",\"content\":\"{}\"}}", "x".repeat(60));
        let rows = ["a", "b", "c"].map(record);
        let diff = format!(
            "@@ -1,4 +1,4 @@\n {}\n-{}\n+{}\n {{}}\n",
            rows[0], rows[1], rows[2]
        );
        let shown = said(&diff, 40).join("\n");
        let (stays, goes) = ("\"id\":\"a\"", "\"id\":\"b\"");
        assert!(!shown.contains(stays) && shown.contains(goes), "{shown}");
        assert!(shown.ends_with(" {}"), "{shown}");
        // If there is room for it, the position of the change is shown.
        assert!(said(&diff, 120).join("\n").contains(stays));
    }

    #[test]
    fn a_file_is_one_line() {
        let head = |more: &str| format!("said before\n\ndiff --git a/x/a.md b/x/a.md\n{more}");
        for (more, name) in [
            (
                "--- a/x/a.md\n+++ b/x/a.md\n@@ -1 +1 @@\n-a\n+b\n",
                "x/a.md",
            ),
            (
                "new file mode 100644\n--- /dev/null\n+++ b/x/a.md\n@@ -0,0 +1 @@\n+b\n",
                "x/a.md (new)",
            ),
            ("new file mode 100644\n", "x/a.md (new)"),
            (
                "deleted file mode 100644\n--- a/x/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n",
                "x/a.md (gone)",
            ),
            (
                "similarity index 100%\nrename from x/a.md\nrename to y/a.md\n",
                "x/a.md → y/a.md",
            ),
            (
                "--- \"a/x/a b.md\"\n+++ \"b/x/a b.md\"\n@@ -1 +1 @@\n-a\n+b\n",
                "x/a b.md",
            ),
        ] {
            let text = head(more).replace("x/a.md b/x/a.md\n--- \"", "\"x/a b.md\n--- \"");
            let lines = said(&format!("{text}{}", head("+++ b/x/a.md\n")), 60);
            assert_eq!(lines[..2], ["said before", ""], "{more}");
            assert!(lines.contains(&name.to_owned()), "{more}: {lines:?}");
            assert_eq!(lines.last().unwrap(), "x/a.md");
        }
        // In a hunk a line may look like a head.
        let diff = "@@ -1,2 +1,2 @@\n--- a/old\n diff --git \n+++ b/new\n";
        let all = ["@@ -1,2 +1,2 @@", "--- a/old", " diff --git ", "+++ b/new"];
        assert_eq!(said(diff, 40), all);
    }
}
