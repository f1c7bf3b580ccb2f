//! The record of one command: what was run, what it said, and the code with which it failed.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::lint::chars::compact;
use crate::lint::words::{COMMANDS, Words};

/// A line that is the exit code of a command that failed, and nothing else.
static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)^[\s>*_`-]{0,8}(?:exit(?:ed)?|(?:exit|return|status)[ _-]?(?:code|status)|rc)[*_`]{0,2}\s?[:=][*_`\s]{0,4}-?[1-9]\d{0,9}[*_`.]{0,3}$",
    )
});

/// A line that names the command that was run.
static RAN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)^[\s>*_`-]{0,8}(?:(?:cmd|command|ran|run|tool|task|script)[*_`]{0,2}\s?[:=][*_`\s]{0,4}[^\s<…{=]|\$ \S)",
    )
});

/// A label of a record: at the start of a line, or behind the end of what the one before it says.
static LABEL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?im)(?:^[\s>*_`\[-]{0,8}|[.;,|]\s+|\s/\s)([a-z]+(?:[ _-][a-z]+)?)[*_`\]]{0,3}\s?[:=][*_]{0,2}\s+",
    )
});

/// A sentence that says with which code a command failed, at the start of a text.
static FAILED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)^[\s>*_-]{0,8}(?:(?:the )?(?:command|cmd|script|tool|task|step|process|running)\s[^\n]{1,160}?|`[^`\n]+`) (?:failed|exited|terminated|returned|died|ended) with (?:an? )?(?:exit |return )?(?:code|status):? -?[1-9]\d*[.:;,]",
    )
});

/// A sentence that says what was run, and nothing else.
static RUN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(r"(?i)^[\s>*_-]{0,8}(?:i |we )?(?:ran|run|running|executed|called):? ?`[^`\n]+`[.;,:]")
});

/// What a record says of a code: a number, or words around it.
static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)^[*_`\s]{0,4}(?:(?:exit|return)(?:ed)?(?: with)? (?:code|status)?:? ?)?-?[1-9]\d{0,9}[\s*_`.;,/|-]*$",
    )
});

/// The same where more of what was said stands behind it.
static NUMBERED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(r"(?i)^[*_`\s]{0,4}exit(?:ed)?(?: with)? (?:code|status):? -?[1-9]\d*\b")
});

/// What stands in front of a code, wherever one does: the patterns above are slow.
static CODED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(r"(?i)(?:exit|exited|exitcode|rc|code|status|return|returned|with)[\s*_`\]:=-]*[1-9]")
});

/// Labels by what stands behind them.
static OF_COMMAND: Words =
    Words::of("cmd command ran run tool input script executed invocation tool-input");
static OF_CODE: Words =
    Words::of("exit exit-code exitcode exit-status return-code status-code rc code status");
static OF_OUTPUT: Words = Words::of(
    "error stderr stdout output err message error-message result traceback details response",
);
static OF_LESSON: Words = Words::of(
    "fix fixes fixed prevention prevent lesson lessons lessons-learned solution resolution \
resolved workaround remedy suggested-fix learned learnt takeaway next-time correct instead how-to-fix",
);

/// What stands where nobody has written a lesson yet.
const UNWRITTEN: &[&str] = &[
    "todo",
    "needs_fix",
    "tbd",
    "none",
    "n/a",
    "pending",
    "unknown",
    "-",
    "…",
];

/// The labels of a text with what stands behind them, in small letters with `-` between words.
fn labels(text: &str) -> Vec<(String, &str)> {
    let found = LABEL.iter().flat_map(|label| label.captures_iter(text));
    let found: Vec<_> = found
        .filter_map(|one| Some((one.get(0)?.range(), one.get(1)?.as_str())))
        .collect();
    let ends = found.iter().skip(1).map(|(at, _)| at.start);
    let ends = ends.chain([text.len()]);
    let value = |((at, name), end): (&(Range<usize>, &str), usize)| {
        let value = text.get(at.end..end).unwrap_or_default().trim();
        let name = name.to_lowercase().replace([' ', '_'], "-");
        (name, value)
    };
    found.iter().zip(ends).map(value).collect()
}

/// Whether a record says what was done about the failure: it is a lesson then.
pub(super) fn is_settled(text: &str) -> bool {
    labels(text).iter().any(|(name, value)| {
        let value = value.trim_matches(|c: char| c == '*' || c == '`' || c.is_whitespace());
        let value = value.to_lowercase();
        let open = UNWRITTEN.iter().any(|word| value.starts_with(word));
        OF_LESSON.has(name) && !value.is_empty() && !open
    })
}

/// Whether a text names under labels, or in a sentence, what was run, the code with which it failed
/// and what it said.
pub(super) fn is_labelled(text: &str) -> bool {
    let is = |one: &LazyLock<Option<Regex>>, text: &str| {
        one.as_ref().is_some_and(|one| one.is_match(text))
    };
    if !is(&CODED, text) {
        return false;
    }
    let failed = is(&FAILED, text);
    let all = labels(text);
    // A form says what stands there.
    if all
        .iter()
        .any(|(_, value)| value.starts_with(['<', '…', '{']))
    {
        return false;
    }
    let of = |words: &Words| {
        all.iter()
            .any(|(name, value)| words.has(name) && !value.is_empty())
    };
    let ran = failed || is(&RUN, text) || of(&OF_COMMAND);
    let code = failed
        || all.iter().any(|(name, value)| {
            (OF_CODE.has(name) && is(&NUMBER, value))
                || (OF_OUTPUT.has(name) && is(&NUMBERED, value))
        });
    let said = of(&OF_OUTPUT);
    // What stands in front of the first label is its heading, or the sentence.
    let first = LABEL.as_ref().and_then(|label| label.find(text));
    let head = first
        .and_then(|first| text.get(..first.start()))
        .unwrap_or_default();
    let short = failed || is(&RUN, text) || head.trim().lines().count() < 2;
    ran && code && said && short
}

/// Lines that the record of one run has at most.
const RECORD: usize = 12;

/// Whether a few lines record a command, what it said and the code with which it failed.
pub(super) fn is_record(lines: &[(usize, &str)]) -> bool {
    let is = |one: &LazyLock<Option<Regex>>, line: &str| {
        one.as_ref().is_some_and(|one| one.is_match(line))
    };
    let typed = |line: &str| {
        let mut words = line.trim_start_matches(['`', ' ']).split(' ');
        words.next().is_some_and(|word| COMMANDS.has(word)) && words.next().is_some()
    };
    let mut first = lines.first().into_iter();
    (2..=RECORD).contains(&lines.len())
        && lines.iter().any(|(_, line)| is(&CODE, line))
        && (first.any(|(_, line)| typed(line)) || lines.iter().any(|(_, line)| is(&RAN, line)))
}
