//! Bodies that say nothing.

use std::collections::HashSet;

use super::pairs::words::tokens;
use super::{Finding, Look, Rule};
use crate::memory::{Role, Severity, Value};

/// A body that says nothing, or nothing that the title does not.
pub(super) struct EmptyBody;

/// What stands where something is still to be written.
const UNWRITTEN: [&str; 8] = [
    "todo",
    "tbd",
    "tba",
    "wip",
    "none",
    "n/a",
    "empty",
    "placeholder",
];

/// A body of more lines is not looked at word by word.
const FEW: usize = 3;

impl Rule for EmptyBody {
    fn id(&self) -> &'static str {
        "empty-body"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "a body that says nothing the title does not"
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        // Of a file that could not be read it is not known what the body is.
        if look.has_problem("load-error") {
            return;
        }
        let (start, body) = look.body();
        let Some(says) = nothing(body, title(look)) else {
            return;
        };
        let finding = look.finding(self.id(), self.severity(), look.at(start));
        out.push(finding.sure(0.95).says(says));
    }
}

/// The title, where it is a field and not taken from the body.
fn title<'a>(look: &Look<'a>) -> Option<&'a str> {
    look.memory.role(Role::Title).and_then(Value::as_str)
}

/// Why a body says nothing.
fn nothing(body: &str, title: Option<&str>) -> Option<&'static str> {
    let body = without_comments(body);
    let lines = body
        .lines()
        .map(str::trim)
        .filter(|line| line.chars().any(char::is_alphanumeric));
    let lines: Vec<&str> = lines.take(40).collect();
    if lines.is_empty() {
        return Some("the body is empty");
    }
    let text: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| !line.starts_with('#'))
        .collect();
    if let [only] = text.as_slice() {
        let bare = only.to_lowercase();
        let bare = bare.trim_matches(|c: char| !c.is_alphanumeric());
        if UNWRITTEN.contains(&bare) {
            return Some("the body is still to be written");
        }
    }
    // What is longer says something; there is no need to read it word by word.
    if lines.len() > FEW {
        return None;
    }
    let title = title?;
    let hashes = |text: &str| -> HashSet<u32> {
        tokens(text)
            .into_iter()
            .filter(|token| token.kind.is_content())
            .map(|token| token.hash)
            .collect()
    };
    let (said, known) = (hashes(&lines.join("\n")), hashes(title));
    if !said.is_empty() && said.is_subset(&known) {
        return Some("the body says nothing that the title does not");
    }
    text.is_empty()
        .then_some("the body is nothing but headings")
}

fn without_comments(body: &str) -> String {
    let mut rest = body;
    let mut text = String::with_capacity(body.len().min(4_096));
    while let Some((before, after)) = rest.split_once("<!--") {
        text.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_that_say_nothing() {
        let title = Some("Tests need the clock of the fixture");
        for body in [
            "",
            " \n\n",
            "---\n",
            "<!-- tags: a -->\n",
            "# Tests need the clock of the fixture\n",
            "Tests need the fixture's clock.",
            "TODO",
            "- TBD\n",
            "# Notes\n\n## Details\n",
        ] {
            assert!(nothing(body, title).is_some(), "{body:?}");
        }
        for body in [
            "Tests need the clock of the fixture: `Clock::fixed()`.",
            "See issue 12.",
            "x",
            "认证需要令牌",
            "# Notes\n\nThe machine's clock drifts.",
        ] {
            assert!(nothing(body, title).is_none(), "{body:?}");
        }
        assert!(nothing("Tests need the clock", None).is_none());
    }
}
