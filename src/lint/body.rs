//! What becomes of a body: how long it is, and how much of it an agent is given.

use super::{Finding, Look, Rule};
use crate::memory::edit::FieldEdit;
use crate::memory::{Role, Severity};

/// A body shorter or longer than the format advises.
pub(super) struct BodyLength;

/// Words of a body that the format allows.
const MOST: f64 = 2000.0;

impl Rule for BodyLength {
    fn id(&self) -> &'static str {
        "body-length"
    }

    fn severity(&self) -> Severity {
        Severity::Info
    }

    fn title(&self) -> &'static str {
        "a body that is shorter or longer than the format advises"
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        // Of a file that could not be read it is not known what the body is.
        if !is_rawko(look) || look.has_problem("load-error") {
            return;
        }
        let words = look.memory.words;
        let limit = |name| look.cx.threshold(self.id(), name, look.index);
        let (least, most) = (limit("least"), limit("most"));
        let advised = || {
            format!(
                "the body has {}; {least} to {most} are advised",
                counted(words)
            )
        };
        let (severity, confidence, message) = match f64::from(words) {
            count if count < least => (Severity::Info, 0.3, advised()),
            count if count <= most => return,
            count if count <= MOST => (Severity::Info, 0.4, advised()),
            _ if most > MOST => (Severity::Info, 0.4, advised()),
            _ => (
                Severity::Warning,
                0.9,
                format!("the body has {words} words; 2,000 are the most"),
            ),
        };
        let (start, body) = look.body();
        let blanks = body.len() - body.trim_start().len();
        let finding = look.finding(self.id(), severity, look.at(start + blanks));
        out.push(finding.sure(confidence).says(message));
    }
}

fn counted(words: u32) -> String {
    match words {
        0 => "no words".into(),
        1 => "1 word".into(),
        _ => format!("{words} words"),
    }
}

fn is_rawko(look: &Look<'_>) -> bool {
    look.memory.schema.format == "rawko"
}

/// UTF-16 units of a body that the prompt keeps.
const KEPT: usize = 500;

/// A body of which the prompt keeps the beginning only.
pub(super) struct CutInPrompt;

impl Rule for CutInPrompt {
    fn id(&self) -> &'static str {
        "cut-in-prompt"
    }

    fn severity(&self) -> Severity {
        Severity::Info
    }

    fn title(&self) -> &'static str {
        "the prompt keeps only the beginning of the body"
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        if !is_rawko(look) || look.memory.role(Role::Patterns).is_none() {
            return;
        }
        let (start, whole) = look.body();
        let body = trim(whole);
        let Some(cut) = cut(body) else {
            return;
        };
        let before = body.get(..cut.at).unwrap_or_default();
        let after = body.get(cut.at..).unwrap_or_default();
        let hidden = after.split_whitespace().count();
        let offset = start + (whole.len() - whole.trim_start_matches(is_blank).len()) + cut.at;
        // The line that the cut stands on, not the end of the one before.
        let mut place = look.at(if cut.heading { offset + 1 } else { offset });
        place.bytes = Some(offset..offset);
        let line = place.line.saturating_sub(u32::from(cut.heading));
        let fenced = in_fence(before);
        let says_nothing = !before.lines().any(is_prose);
        let (severity, confidence, what) = match (cut.heading, fenced) {
            (true, true) => (
                Severity::Warning,
                0.95,
                "a line of code that begins with `# ` is taken for a heading",
            ),
            (true, false) if says_nothing => (
                Severity::Warning,
                0.95,
                "nothing but headings stands before the next first-level heading",
            ),
            (true, false) => (
                Severity::Info,
                0.5,
                "a first-level heading ends the preview",
            ),
            (false, true) => (
                Severity::Info,
                0.4,
                "500 characters end inside a code block",
            ),
            (false, false) => (Severity::Info, 0.2, "500 characters are the most"),
        };
        let s = if hidden == 1 { "" } else { "s" };
        let ends = if cut.heading { "after" } else { "in" };
        let finding = look
            .finding(self.id(), severity, place)
            .sure(confidence)
            .says(format!("the prompt ends {ends} line {line}: {what}"))
            .because(format!("an agent never sees the last {hidden} word{s}"));
        let demoted = (cut.heading && !fenced).then(|| demote(whole)).flatten();
        out.push(finding.fixed_by(demoted.map(|body| {
            look.edit(
                "make the later first-level headings second-level",
                vec![FieldEdit::Body(body)],
            )
        })));
    }
}

/// Where the prompt ends.
struct Cut {
    /// Bytes of the trimmed body that are kept.
    at: usize,
    /// Whether a heading ends it, and not the length.
    heading: bool,
}

/// The blanks that JavaScript's `trim` takes away.
const fn is_blank(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}'
        | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

fn cut(body: &str) -> Option<Cut> {
    let heading = body.find("\n# ");
    let mut units = 0;
    for (at, c) in body.char_indices() {
        if heading == Some(at) && units > 0 {
            return Some(Cut { at, heading: true });
        }
        units += c.len_utf16();
        if units > KEPT {
            return Some(Cut { at, heading: false });
        }
        // Only the first such heading is asked for, and one that stands later than the limit
        // does not matter; the text still may be too long.
        if units == KEPT && body.len() > at + c.len_utf8() {
            let at = at + c.len_utf8();
            return Some(Cut { at, heading: false });
        }
    }
    None
}

/// Whether a text ends inside a code fence.
fn in_fence(text: &str) -> bool {
    let mut open: Option<(char, usize)> = None;
    for line in text.lines() {
        open = step(open, line);
    }
    open.is_some()
}

/// The fence that is open after a line.
pub(super) fn step(open: Option<(char, usize)>, line: &str) -> Option<(char, usize)> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'));
    let run = mark.map_or(0, |mark| line.chars().take_while(|c| *c == mark).count());
    match (open, mark) {
        (None, Some(mark)) if run >= 3 => Some((mark, run)),
        (Some((fence, length)), Some(mark))
            if mark == fence && run >= length && line.trim_end().chars().all(|c| c == mark) =>
        {
            None
        }
        _ => open,
    }
}

/// Whether a line says something: no heading, rule, fence or blank.
fn is_prose(line: &str) -> bool {
    let line = line.trim();
    !line.starts_with('#') && line.chars().any(char::is_alphanumeric)
}

/// The body with its first-level headings after the first line made second-level; none where
/// that does not concern anything.
fn demote(body: &str) -> Option<String> {
    let mut text = String::with_capacity(body.len() + 8);
    let mut open = None;
    let (mut begun, mut changed) = (false, false);
    for line in body.split_inclusive('\n') {
        let inside = open.is_some();
        open = step(open, line);
        if begun && !inside && line.starts_with("# ") {
            text.push('#');
            changed = true;
        }
        begun |= !trim(line).is_empty();
        text.push_str(line);
    }
    changed.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_is_the_one_of_the_code() {
        let at = |body: &str| cut(body).map(|cut| (cut.at, cut.heading));
        assert_eq!(at(""), None);
        assert_eq!(at(&"a".repeat(500)), None);
        assert_eq!(at(&"a".repeat(501)), Some((500, false)));
        assert_eq!(at("# Own\n\ntext"), None);
        assert_eq!(at("intro\n# Next"), Some((5, true)));
        let late = format!("{}\n# Next", "a".repeat(499));
        assert_eq!(at(&late), Some((499, true)));
        let later = format!("{}\n# Next", "a".repeat(500));
        assert_eq!(at(&later), Some((500, false)));
        // Half of a pair is kept by the code; the character is not to be seen whole.
        let pair = format!("{}😀b", "a".repeat(499));
        assert_eq!(at(&pair), Some((499, false)));
        let whole = format!("{}😀", "a".repeat(498));
        assert_eq!(at(&whole), None);
    }

    #[test]
    fn fences_open_and_close() {
        assert!(in_fence("a\n```sh\nb"));
        assert!(!in_fence("a\n```sh\nb\n```\n"));
        assert!(in_fence("````\n```\n"));
        assert!(!in_fence("~~~\n```\n~~~"));
    }
}
