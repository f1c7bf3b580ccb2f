//! Draws differences: lines that go and come with a sign before them, the words that differ
//! marked in them.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::safe::{marked, width};
use super::theme::{Role, Theme};
use crate::app::text::wrap;
use crate::curate::diff::differing;

/// The mark for an end of a line that is `\r\n` where the other text's is not.
const RETURN: &str = "␍";

/// A unified diff as styled lines of a width; what is longer goes on below. Signs stay, so that
/// it reads without colour.
pub fn lines(diff: &str, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut pane = Pane {
        theme,
        width,
        gone: Vec::new(),
        come: Vec::new(),
        lines: Vec::new(),
    };
    // Old and new lines of a hunk that are still to come.
    let (mut old, mut new) = (0_usize, 0_usize);
    let mut file = File::default();
    for line in diff.split_terminator('\n') {
        // Only a hunk's own count tells a removed `-- x` from the head of a file.
        let inside = (old, new) != (0, 0);
        let first = line.as_bytes().first();
        if inside && first == Some(&b'-') {
            if !pane.come.is_empty() {
                pane.changes();
            }
            old = old.saturating_sub(1);
            pane.gone.push(line.get(1..).unwrap_or_default());
            continue;
        }
        if inside && first == Some(&b'+') {
            new = new.saturating_sub(1);
            pane.come.push(line.get(1..).unwrap_or_default());
            continue;
        }
        pane.changes();
        if !inside && file.takes(line) {
            continue;
        }
        let (note, head) = (first == Some(&b'\\'), line.starts_with("@@"));
        if !inside && !note {
            pane.file(&mut file);
        } else if !note {
            (old, new) = (old.saturating_sub(1), new.saturating_sub(1));
        }
        if head {
            (old, new) = counts(line).unwrap_or((0, 0));
        }
        let role = Role::either(note || head, Role::Faint, Role::Text);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let kept = line.strip_prefix(' ').filter(|_| inside && !note);
        // A record that stays as it is and fills the pane tells nothing of the one that changes.
        let is_record = |line: &str| line.starts_with('{') && line.ends_with('}');
        if kept.is_some_and(|line| is_record(line) && line.len() > pane.width) {
            continue;
        }
        let (sign, line) = kept.map_or(("", line), |line| (" ", line));
        pane.styled(sign, line, &[], (role, role));
    }
    pane.changes();
    pane.file(&mut file);
    pane.lines
}

/// Number of old and new lines that follow a hunk's head: `@@ -1,4 +1,5 @@`.
fn counts(head: &str) -> Option<(usize, usize)> {
    let mut parts = head.split_whitespace().skip(1);
    let mut count = |sign: char| {
        let range = parts.next()?.strip_prefix(sign)?;
        let count = range.split_once(',').map(|(_, count)| count.parse().ok());
        count.unwrap_or(Some(1))
    };
    Some((count('-')?, count('+')?))
}

/// The head of a file in a diff, which takes git five lines and a person one.
#[derive(Default)]
struct File<'a> {
    names: Vec<&'a str>,
    what: &'static str,
}

impl<'a> File<'a> {
    /// Takes a line in that belongs to a head.
    fn takes(&mut self, line: &'a str) -> bool {
        let mut names = ["--- ", "+++ ", "rename from ", "rename to "].iter();
        if let Some(name) = names.find_map(|lead| line.strip_prefix(lead)) {
            let name = name.trim_matches('"');
            let own = name.strip_prefix("a/").or(name.strip_prefix("b/"));
            let name = own.unwrap_or(name);
            if name != "/dev/null" && !self.names.contains(&name) {
                self.names.push(name);
            }
            return true;
        }
        if line.starts_with("new file mode ") {
            self.what = " (new)";
        } else if line.starts_with("deleted file mode ") {
            self.what = " (gone)";
        } else if line.starts_with("diff --git ") {
            // An empty file has no other line that names it.
            let name = line.split_once(" b/");
            let name = name.map(|(_, name)| name.trim_matches('"'));
            self.names = name.into_iter().collect();
        } else {
            return line.starts_with("similarity index ");
        }
        true
    }
}

struct Pane<'a> {
    theme: &'a Theme,
    width: usize,
    /// Lines that went, and those that came in their place.
    gone: Vec<&'a str>,
    come: Vec<&'a str>,
    lines: Vec<Line<'static>>,
}

impl Pane<'_> {
    /// Draws the name of a file, once all of its head was taken in.
    fn file(&mut self, file: &mut File<'_>) {
        let File { names, what } = std::mem::take(file);
        if !names.is_empty() {
            let text = format!("{}{what}", names.join(" → "));
            self.styled("", &text, &[], (Role::Muted, Role::Muted));
        }
    }

    /// Draws the lines that went and those that came in their place.
    fn changes(&mut self) {
        let old = std::mem::take(&mut self.gone);
        let new = std::mem::take(&mut self.come);
        // The end of a line is shown where it is what changes.
        let returns = |lines: &[&str]| lines.iter().filter(|line| line.ends_with('\r')).count();
        let shows_ends = returns(&old) != returns(&new);
        let shown = |line: &&str| match line.strip_suffix('\r') {
            Some(text) if shows_ends => format!("{text}{RETURN}"),
            text => text.unwrap_or(line).to_owned(),
        };
        let old: Vec<String> = old.iter().map(shown).collect();
        let new: Vec<String> = new.iter().map(shown).collect();
        let words = old.iter().zip(&new).map(|(old, new)| differing(old, new));
        let (gone, come): (Vec<_>, Vec<_>) = words.unzip();
        for (sign, lines, words, roles) in [
            ("-", &old, gone, (Role::Removed, Role::RemovedWord)),
            ("+", &new, come, (Role::Added, Role::AddedWord)),
        ] {
            for (n, line) in lines.iter().enumerate() {
                let words = words.get(n).map_or(&[][..], Vec::as_slice);
                self.styled(sign, line, words, roles);
            }
        }
    }

    /// A sign and a line, some words of it in another style, on as many lines as it takes: each
    /// with the sign, for what stands below another one would be taken for a line that stays.
    fn styled(
        &mut self,
        sign: &'static str,
        text: &str,
        words: &[Range<usize>],
        (role, word): (Role, Role),
    ) {
        let room = self.width.saturating_sub(sign.len());
        let styles = (self.theme.style(role), self.theme.style(word));
        for part in folded(text, words, room, styles, self.theme) {
            let mut line = Line::default();
            if !sign.is_empty() {
                line.push_span(Span::styled(sign, styles.0));
            }
            line.extend(part);
            self.lines.push(line);
        }
    }
}

/// A text as safe spans on as many lines of a width as it takes, some words of it in another style.
pub(super) fn folded(
    text: &str,
    words: &[Range<usize>],
    room: usize,
    (style, word): (Style, Style),
    theme: &Theme,
) -> Vec<Vec<Span<'static>>> {
    let line = |part: Range<usize>| {
        let shown = text.get(part.clone()).unwrap_or_default();
        // The space at which a line breaks may hang over the edge.
        let end = match part.end < text.len() {
            true => part.start + shown.trim_end().len(),
            false => part.end,
        };
        let within = |at: usize| at.clamp(part.start, end) - part.start;
        let words = words.iter();
        let marks = words.map(|range| (within(range.start)..within(range.end), word));
        let shown = text.get(part.start..end).unwrap_or_default();
        let (hidden, marks) = (theme.style(Role::EscapeMark), marks.collect::<Vec<_>>());
        marked(shown, 0, (style, hidden), &marks)
    };
    let lines = wrap(text, room.max(1), width).into_iter();
    lines.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

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
        for (more, name) in rows! {
            "--- a/x/a.md\n+++ b/x/a.md\n@@ -1 +1 @@\n-a\n+b\n" => "x/a.md",
            "new file mode 100644\n--- /dev/null\n+++ b/x/a.md\n@@ -0,0 +1 @@\n+b\n" => "x/a.md (new)",
            "new file mode 100644\n" => "x/a.md (new)",
            "deleted file mode 100644\n--- a/x/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n" => "x/a.md (gone)",
            "similarity index 100%\nrename from x/a.md\nrename to y/a.md\n" => "x/a.md → y/a.md",
            "--- \"a/x/a b.md\"\n+++ \"b/x/a b.md\"\n@@ -1 +1 @@\n-a\n+b\n" => "x/a b.md",
        } {
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
