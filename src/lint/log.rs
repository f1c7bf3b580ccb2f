//! Logs of failures and output of commands that were kept as memories.

mod lines;
mod record;
mod told;

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Regex, bytes};

use self::lines::{AGAIN, Output, is_only_output, is_told_by_a_program};
use super::chars::{compact, compact_bytes};
use super::tuning::Threshold;
use super::words::COMMANDS;
use super::{Finding, Look, Rule};
use crate::memory::Severity;

/// A failure log or the output of a command.
pub(super) struct FailureLog;

/// Keys of the log lines that agents write of a failed command (`formats: ralph`,
/// `failure: cmd=…, exit=…, error=…, next=…`).
static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)(?:^|[\s,;(>])(cmd|command|exit|exit_?code|rc|status|error|err|stderr|stdout|next|cause|trace)\s?=\s?([^\s,;]+)",
    )
});

/// The same, a line for each.
static LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?im)^[\s>*_`-]{0,8}(?:(cmd|command|stderr|stdout|error|next)[*_`]{0,2}:[*_`]{0,2}[ \t]+([^\s,;]+)|(exit|exit[_ ]?code|exit status|rc)[*_`]{0,2}:[*_`]{0,2}[ \t]+(-?\d+)\s*$)",
    )
});

/// How somebody begins to say what a failure teaches.
static LESSON: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)\b(?:lessons?(?: learned| learnt)?|learned|learnt|takeaway|root cause)[*_`]{0,2}:",
    )
});

/// How such a log begins.
static OPENING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)^[\s>*_`\[-]*(?:failure|failed|fail|error|command failed|build failed|tests? failed|exit code \d+)\b[\]*_`]*\s*[:(=-]",
    )
});

/// How the report of one failed command begins: `cargo test failed:`, `Failed to run x:`,
/// `Attempt 2 to build failed again:`, `exit 127:`.
static REPORT: LazyLock<Option<bytes::Regex>> = LazyLock::new(|| {
    let heads = [
        r"(?:failed|unable|could not|couldn't|tried) to (?:run|build|compile|start|execute|install|deploy|apply|launch|test)\b[^:\n]{0,80}",
        r"[^:\n]{0,80}\bfailed(?: again| once more| with[^:\n]{0,40}| in [^:\n]{0,30}| \([^)\n]{0,40}\))?",
        r"(?:error|failure)\b[^:\n]{0,40}",
        r"exit(?:ed)?(?: with)?(?: code| status)? ?\d+",
        r"[^:\n]{1,80}\((?:exit|rc|exit code|exit status|status)[ =:]{0,2}\d+\)",
    ];
    compact_bytes(&format!(
        r"(?i)^[\s>*_`\[\]-]*(?:{})[\]*_`]*(?::|(?:\.|…){{0,3}}$)",
        heads.join("|")
    ))
});

/// The words that [`REPORT`] is made of.
static TOLD: LazyLock<Option<Regex>> =
    LazyLock::new(|| compact(r"(?i)fail|unable|could|tried|error|exit|\(rc|\(status"));

/// The exit code of that command, as it stands in brackets or at the end of the line.
static EXIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)\((?:exit|rc|exit code|exit status|code|status)[ =:]{0,2}-?\d+\)|\bexit(?:ed)?(?: with)? (?:code|status):? \d+(?:$|:)",
    )
});

/// Words of who has understood a failure and says what to do.
static LEARNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)\b(?:because|instead|must|should|always|never|make sure|ensure|workaround|solution|lesson|so that|remember|prefer|avoid|fixed by|the (?:cause|reason|fix)|when(?:ever)?|unless|until|use|means)\b",
    )
});

/// The part of the lines from which on a text is a log, where nobody says otherwise.
const MOSTLY: f64 = 0.6;

/// Lines of a body that are looked at.
const LINES: usize = 400;

impl Rule for FailureLog {
    fn id(&self) -> &'static str {
        "failure-log"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "a failure log or the output of a command, kept as a memory"
    }

    fn thresholds(&self) -> &'static [Threshold] {
        &[Threshold {
            name: "share",
            usual: 0.6,
            range: (0.1, 1.0),
            what: "the part of the lines that are log or output",
        }]
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        let (start, body) = look.body();
        let mostly = look.cx.threshold(self.id(), "share", look.index);
        let Some(log) = log(body, mostly) else {
            return;
        };
        let place = start + log.place.start..start + log.place.end;
        let severity = if log.explained {
            Severity::Info
        } else {
            self.severity()
        };
        let finding = look.finding(self.id(), severity, look.at(place.start));
        out.push(
            finding
                .about(place)
                .sure(log.confidence)
                .says(log.says)
                .because(log.shows)
                .fixed_by(look.archive()),
        );
    }
}

/// What makes a body a log.
struct Log {
    place: Range<usize>,
    confidence: f64,
    says: &'static str,
    shows: String,
    /// Whether sentences stand beside the output.
    explained: bool,
}

/// Whether a text is a log, or the output of a command.
pub(super) fn is_log(text: &str) -> bool {
    log(text, MOSTLY).is_some()
}

/// `mostly` is the part of the lines from which on they are a log.
fn log(body: &str, mostly: f64) -> Option<Log> {
    let (log, text) = unsettled(body, mostly)?;
    // Whoever says under a label of its own what mends it has learnt something.
    (text.is_none_or(|text| !record::is_settled(text))).then_some(log)
}

/// The same, and the text in which a label may say what mends the failure.
fn unsettled(body: &str, mostly: f64) -> Option<(Log, Option<&str>)> {
    let lines: Vec<(usize, &str)> = lines(body).take(LINES).collect();
    let &(start, first) = lines.first()?;
    let last = lines.last().map_or(0, |(at, line)| at + line.len());
    let keys = keys(
        body.get(start..last.min(start + 4_000))
            .or_else(|| body.get(start..last))?,
    );
    let opens = OPENING.as_ref()?.is_match(first);
    // An error alone may be one of the values that a service answers with.
    let of_a_command = |key: &String| {
        key.starts_with("ex") || ["cmd", "command", "rc", "stderr"].contains(&key.as_str())
    };
    let fails = keys.iter().any(of_a_command);
    let lines_of = keys_by(
        &LINE,
        body.get(start..last.min(start + 4_000)).unwrap_or_default(),
    );
    let ran = |key: &String| key.starts_with('c');
    let by_lines = lines_of.len() >= 3
        && lines_of.iter().any(ran)
        && lines_of.iter().any(|key| !ran(key) && of_a_command(key));
    let keys = if by_lines { lines_of } else { keys };
    let text = body.get(start..last.min(start + 4_000)).unwrap_or_default();
    let labelled = (by_lines || keys.is_empty()).then_some(text);
    if (opens && !keys.is_empty()) || (keys.len() >= 3 && fails) || by_lines {
        let explained = teaches(body);
        let log = Log {
            place: start..last,
            confidence: if explained { 0.5 } else { 0.97 },
            says: "this is the log of one failure, not what was learnt from it",
            shows: format!("it records {}", keys.join(", ")),
            explained,
        };
        return Some((log, labelled));
    }
    if reports(first)?
        && (!keys.is_empty() || shows_failure(body, &lines)? || is_of_a_command(first))
    {
        let explained = explains(body, Output::of(body));
        let log = Log {
            place: start..last,
            confidence: if explained { 0.5 } else { 0.85 },
            says: "this is the log of one failure, not what was learnt from it",
            shows: "it begins with the report of a failed command".to_owned(),
            explained,
        };
        return Some((log, labelled));
    }
    if record::is_record(&lines) || record::is_labelled(text) {
        let explained = teaches(body);
        let log = Log {
            place: start..last,
            confidence: if explained { 0.5 } else { 0.9 },
            says: "this is the log of one failure, not what was learnt from it",
            shows: "it records a command and its exit code".to_owned(),
            explained,
        };
        return Some((log, labelled));
    }
    let place = start..last;
    let log = output(body, &lines, place.clone(), mostly);
    let log = log.or_else(|| told(body, &lines, place, mostly));
    log.map(|log| (log, labelled))
}

/// The same of what a command printed that did what it was told, and of which nobody says anything.
/// A line or two of it show what to expect.
fn told(body: &str, lines: &[(usize, &str)], place: Range<usize>, mostly: f64) -> Option<Log> {
    const FEWEST: u32 = 3;
    let shown = told::printed(lines)?;
    let printed = shown.iter().map(|shown| u32::from(*shown)).sum::<u32>();
    let count = printed + belonging(body, lines, &shown);
    let part = f64::from(count) / lines.len() as f64;
    let enough = count >= FEWEST && part >= mostly && is_one_piece(body);
    // What stands deeper than the output belongs to it: the message of a commit.
    let unknown = lines.iter().zip(&shown).filter(|(_, shown)| !**shown);
    let outer = unknown.filter(|((at, _), _)| {
        let before = body.get(..*at).unwrap_or_default();
        !before.ends_with([' ', '\t'])
    });
    let outer: Vec<&str> = outer.map(|((_, line), _)| *line).collect();
    let outer = outer.join("\n");
    let explained = !body.trim_start().starts_with("```") && explains(&outer, Output::of(&outer));
    (enough && !explained).then(|| Log {
        place,
        confidence: 0.85,
        says: "this is the output of a command, not what was learnt from it",
        shows: format!("{count} of {} lines are output", lines.len()),
        explained: false,
    })
}

/// Whether all of a text stands in one code block, or it has none.
fn is_one_piece(body: &str) -> bool {
    let body = body
        .lines()
        .filter(|line| !line.trim().is_empty() && !is_heading(line.trim()));
    let lines: Vec<&str> = body.collect();
    let is_fence = |line: &&&str| line.trim_start().starts_with("```");
    match lines.iter().filter(is_fence).count() {
        0 => true,
        2 => [lines.first(), lines.last()].iter().flatten().all(is_fence),
        _ => false,
    }
}

/// Whether a line reports that a command failed, and not what to do about it.
fn reports(first: &str) -> Option<bool> {
    // Few lines have one of these words, and the pattern is a wide one.
    if !TOLD.as_ref()?.is_match(first) {
        return Some(false);
    }
    // What stands in quotation marks or code was said by a program.
    let own: String = first.split(['`', '"']).step_by(2).collect();
    Some(REPORT.as_ref()?.is_match(first.as_bytes()) && !LEARNT.as_ref()?.is_match(&own))
}

/// Whether a line that reports a failure begins with the command: `docker compose up failed: …`.
fn is_of_a_command(first: &str) -> bool {
    let line = first.trim_start_matches(['-', '*', '`', ' ']);
    let (head, said) = line.split_once(" failed: ").unwrap_or_default();
    let mut words = head.split_whitespace();
    let command = words.next().unwrap_or_default();
    // `make failed: …` alone may be told of by anybody.
    COMMANDS.has(command) && words.next().is_some() && !said.trim().is_empty()
}

/// Whether an exit code stands in the first line, or most of what follows its report is output.
fn shows_failure(body: &str, lines: &[(usize, &str)]) -> Option<bool> {
    let (_, first) = lines.first()?;
    let head = REPORT
        .as_ref()?
        .find(first.as_bytes())
        .map_or(0, |head| head.end());
    let rest = first.get(head..).unwrap_or_default().trim();
    let opens = OPENING.as_ref()?.is_match(first) || first.contains("failed");
    if opens && EXIT.as_ref()?.is_match(first) {
        return Some(true);
    }
    let output = Output::of(body);
    let after = lines.iter().skip(1).map(|(_, line)| *line);
    let said: Vec<&str> = after
        .chain([rest])
        .filter(|line| !line.is_empty())
        .collect();
    let shown = said.iter().filter(|line| output.is_match(line));
    let sure = shown.clone().any(|line| is_only_output(line));
    Some(sure && shown.count() * 2 >= said.len())
}

/// The same of a text that is mostly output.
fn output(body: &str, lines: &[(usize, &str)], place: Range<usize>, mostly: f64) -> Option<Log> {
    let output = Output::of(body);
    let mut again: Vec<&str> = Vec::new();
    let (mut count, mut sure) = (0, 0);
    let shown: Vec<bool> = lines
        .iter()
        .map(|(_, line)| output.is_match(line))
        .collect();
    for ((_, line), _) in lines.iter().zip(&shown).filter(|(_, shown)| **shown) {
        count += 1;
        let word = AGAIN.as_ref()?.find(line).map(|word| word.as_str());
        let repeated = word.is_some_and(|word| again.contains(&word));
        again.extend(word);
        sure += usize::from(repeated || is_only_output(line));
    }
    if sure == 0 {
        return None;
    }
    let explained = explains(body, output);
    if !explained {
        count += belonging(body, lines, &shown);
    }
    let part = f64::from(count) / lines.len() as f64;
    let enough = (lines.len() >= 3 && part >= mostly) || (lines.len() == 2 && count == 2);
    (enough && count >= 2).then(|| Log {
        place,
        confidence: if explained { 0.5 } else { 0.85 },
        says: "this is the output of a command, not what was learnt from it",
        shows: format!("{count} of {} lines are output", lines.len()),
        explained,
    })
}

/// How many lines belong to the output although no program is known that begins lines so: those
/// that stand deeper than the output above them, and those with places and codes in them and none
/// of the words that sentences are made of.
fn belonging(body: &str, lines: &[(usize, &str)], shown: &[bool]) -> u32 {
    let depth = |at: usize| {
        let before = body.get(..at).unwrap_or_default();
        before.len() - before.trim_end_matches([' ', '\t']).len()
    };
    let mut count = 0;
    // How deep the output stands that is being read.
    let mut open: Option<usize> = None;
    for ((at, line), shown) in lines.iter().zip(shown) {
        let deep = depth(*at);
        let below = open.is_some_and(|open| deep > open + 1 || (deep > open && line.len() < 3));
        let own = *shown || below || is_told_by_a_program(line);
        count += u32::from(own && !shown);
        open = match (own, open) {
            (false, _) => None,
            (true, Some(open)) if below => Some(open),
            (true, _) => Some(deep),
        };
    }
    count
}

/// Whether a sentence stands outside the fences that is no output: what was learnt, perhaps.
fn explains(body: &str, output: Output) -> bool {
    let mut fenced = false;
    body.lines().take(LINES).any(|line| {
        let line = line.trim_start_matches(|c: char| c == '>' || c.is_whitespace());
        let line = line.trim_end();
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
            return false;
        }
        let sentence = line.ends_with(['.', '!', '?', ':']) && line.split(' ').count() >= 3;
        // `I got this from the importer:` only says whose output follows.
        let learnt = || LEARNT.as_ref().is_some_and(|learnt| learnt.is_match(line));
        let says = || !line.ends_with(':') || learnt();
        let report = || reports(line) == Some(true);
        !fenced && sentence && !is_heading(line) && !output.is_match(line) && !report() && says()
    })
}

/// Whether somebody says beside the pairs of a log what is to be learnt from them: the last of
/// them may go on in the next line.
fn teaches(body: &str) -> bool {
    let is = |one: &LazyLock<Option<Regex>>, line: &str| {
        one.as_ref().is_some_and(|one| one.is_match(line))
    };
    let said = body.lines().take(LINES).any(|line| is(&LESSON, line));
    let rest = body
        .lines()
        .filter(|line| !is(&PAIR, line) && !is(&LINE, line));
    let rest: Vec<&str> = rest.filter(|line| is(&LEARNT, line)).collect();
    said || explains(&rest.join("\n"), Output::of(body))
}

/// The lines of a body that say something, without marks of quotations, and where they begin.
fn lines(body: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let lines = body.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        let text = line.trim_start_matches(|c: char| c == '>' || c.is_whitespace());
        (start + line.len() - text.len(), text.trim_end())
    });
    lines.filter(|(_, line)| {
        let mark = line.starts_with("```")
            || line.starts_with("~~~")
            || is_heading(line)
            || line.starts_with("<!--")
            || line.bytes().all(|byte| matches!(byte, b'-' | b'=' | b'_'));
        !line.is_empty() && !mark
    })
}

/// Whether a line is a heading; `#11 DONE` and `##[error]` were written by programs.
fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    rest.len() < line.len() && (rest.is_empty() || rest.starts_with(' '))
}

/// The keys of the log that stand in a text with a value.
fn keys(text: &str) -> Vec<String> {
    match text.contains('=') {
        true => keys_by(&PAIR, text),
        false => Vec::new(),
    }
}

fn keys_by(pair: &LazyLock<Option<Regex>>, text: &str) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for found in pair.iter().flat_map(|pair| pair.captures_iter(text)) {
        let key = found.get(1).or_else(|| found.get(3));
        let (Some(key), Some(value)) = (key, found.get(2).or_else(|| found.get(4))) else {
            continue;
        };
        // `error=…` and `cmd=<command>` explain a log.
        let explained = value.as_str().starts_with(['…', '<', '`', '{', '='])
            || value.as_str().starts_with("...");
        let key = key.as_str().to_lowercase();
        if !explained && !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_beside_a_sentence_is_only_a_suggestion() {
        for (text, explained) in [
            (
                "```\nError: connect ECONNREFUSED 127.0.0.1:5433\n    at TCPConnectWrap.afterConnect (node:net:1494:16)\n```\nRun `npm run db:up` first.",
                true,
            ),
            (
                "When tests fail with\n\n```\nnpm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nnpm ERR! Test failed\n```\n\nthe cause is a stale lock file: delete it.",
                true,
            ),
            (
                "```\nnpm ERR! code ELIFECYCLE\nnpm ERR! A log is in /tmp.\nRead it with care.\n```",
                false,
            ),
            (
                "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nnpm ERR! Test failed.",
                false,
            ),
            (
                "failure: cmd=npm run e2e, exit=124, error=timed out, next=install browsers\n\nLesson: the browsers must be installed once.",
                true,
            ),
            (
                "failure: cmd=npm run e2e, exit=124, error=timed out\n> Always install the browsers first.",
                true,
            ),
            (
                "failure: cmd=make, exit=2, error=no rule. Root cause: the submodule was never checked out",
                true,
            ),
            (
                "cmd: make image\nexit: 2\nstderr: no space left\n\nPrune the cache first, or else use the small base image.",
                true,
            ),
            (
                "failure: cmd=npm run e2e, exit=124, error=timed out, next=install\n> the browsers of the\n> runner once.",
                false,
            ),
            (
                "failure: cmd=npm run e2e, exit=124, error=timed out, next=always use the runner.",
                false,
            ),
            ("cmd: make image\nexit: 2\nstderr: no space left", false),
        ] {
            let found = log(text, 0.6).map(|log| log.explained);
            assert_eq!(found, Some(explained), "{text}");
        }
    }

    #[test]
    fn logs_are_told_from_what_was_learnt() {
        for log_of in [
            "failure: cmd=cargo test -p ledger, exit=101, error=E0308 in rounding.rs, next=fix the type",
            "> failure: cmd=npm run e2e, exit=124, error='timed out', next=install browsers",
            "failure: tool ensure with backticks, exit=0-with-shell-errors, error=zsh evaluated them",
            "cmd=make lint, exit=2, stderr=no rule to make target",
            "Error: exit=1 while building",
            "```\n$ cargo build\n   Compiling ledger v0.1.0\nerror[E0425]: cannot find value `x`\n  --> src/lib.rs:3:5\n   |\n3  |     x\n   |     ^ not found\n```",
            "Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\n    run()\nValueError: bad port",
            "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1",
            "ERROR: Could not find a version that satisfies the requirement foo==1.2\nERROR: No matching distribution found for foo==1.2",
            "error: linker `cc` not found\n  |\n  = note: No such file or directory (os error 2)\nerror: aborting due to previous error",
            "2026-06-01T08:00:00Z INFO starting\n2026-06-01T08:00:01Z ERROR connection refused",
            "2026-06-01 08:00:00,123 app.py ERROR could not connect\n2026-06-01 08:00:01,001 app.py ERROR giving up",
            "2026-06-01 08:00:00 [worker] started\n2026-06-01 08:00:01 [worker] connection refused",
            "INFO starting the worker\nERROR connection refused\nINFO exiting",
            "PASS src/a.test.ts\nFAIL src/b.test.ts\nTests: 1 failed, 3 passed",
            "TypeError: x is not a function\n    at run (src/a.js:3:5)",
            "bash: ralph: command not found\nmake: *** [lint] Error 127",
            "3 passed, 1 failed in 0.42s\n2 errors",
            "vitest failed: FAIL src/a.test.ts > rounds\n3 failed, 40 passed (43)",
            "Error: yarn build (exit 1): Module not found: Error: Can't resolve './Row' in '/srv/src'",
            "Tried to run `gradle check`: Error: Could not find tools.jar\n\nexit=1",
            "Attempt 2 to run `make image` failed again: ld: region `ROM' overflowed by 12 bytes\nmake: *** [Makefile:8: fw.elf] Error 1",
            "go vet ./... failed\n--- FAIL: TestRow (0.00s)\n    row_test.go:31: got 4, want 3\nFAIL\nexit status 1",
            "$ helm upgrade web ./chart\nThe release \"web\" is locked\ncommand terminated with exit code 1",
            "> Task :app:lint FAILED\nw: file:///app/src/Row.kt:2:5 Unused\nBUILD FAILED in 9s",
            "docker compose pull failed: Error response from daemon: manifest unknown",
            "Failed to compile.\n\n./src/Row.tsx:3:8\nType error: Property 'id' does not exist",
            "ansible-playbook db.yml (exit 2)\nfatal: [db1]: UNREACHABLE! => {\"msg\": \"late\"}",
            "error: failed to push some refs to 'origin'\nhint: Updates were rejected",
            "exit 127: fd: command not found",
            "cargo build failed (exit 101)",
            "==== test session starts ====\nplatform linux -- Python 3.12.1, pytest-8.0.0\ncollected 9 items\n\ntests/test_rate.py ..F......   [100%]\n\n____ test_half ____\n\n    def test_half():\n>       assert half(3) == 1\nE       assert 1.5 == 1\n\ntests/test_rate.py:9: AssertionError",
            "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\n  File \"b.py\", line 2, in g\n    h()\n  File \"c.py\", line 3, in h\n    x[0]\nIndexError: list index out of range",
            "> Task :core:test FAILED\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':core:test'.\n> There were failing tests. See the report.\n\nBUILD FAILED in 4s\n3 actionable tasks: 1 executed, 2 up-to-date",
            "#8 [3/5] RUN make\n#8 0.412 make: *** No targets.  Stop.\n#8 ERROR: process \"/bin/sh -c make\" did not complete successfully: exit code: 2\n------\n > [3/5] RUN make:\n------\nERROR: failed to solve: exit code: 2",
            "Error: Error locking state\n\nError message: conflict\nLock Info:\n  ID:        1\n  Path:      a/b\n  Who:       ci@host",
            "Run actions/checkout@v4\nRun npm ci\nadded 12 packages in 2s\n> web@1.0.0 lint\n/srv/web/a.ts\n  1:2  error  Unexpected var  no-var\n✖ 1 problem (1 error, 0 warnings)\nError: Process completed with exit code 1.",
            "Exception in thread \"main\" java.lang.IllegalStateException: closed\n\tat a.b.C.d(C.java:7)\nCaused by: java.io.IOException: gone\n\t... 3 more",
            "This came from the importer:\n\nUnhandled exception. System.FormatException: bad\n   at A.B.C() in /src/A.cs:line 4\n   at A.B.Main() in /src/A.cs:line 9",
            "panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.fill(...)\n\t/src/main.go:12\nmain.main()\n\t/src/main.go:20 +0x1d\nexit status 2",
            "psql:a.sql:3: ERROR:  relation \"x\" does not exist\nLINE 1: select * from x\n                      ^\nROLLBACK",
            "src/Row.cs(12,5): error CS1002: ; expected\n    0 Warning(s)\n    1 Error(s)",
            " ❯ src/a.spec.ts (2 tests | 1 failed) 3ms\n   × a > b\n     → expected 1 to be 2\n\n AssertionError: expected 1 to be 2\n ❯ src/a.spec.ts:4:9\n\n Test Files  1 failed (1)",
            "$ aws s3 cp a s3://b\nupload failed: a to s3://b/a An error occurred (AccessDenied) when calling the PutObject operation",
            "app/a.rb:3:in `b': undefined method `c' for nil (NoMethodError)\n\tfrom app/d.rb:1:in `e'",
            "Error: UPGRADE FAILED: pre-upgrade hooks failed: 1 error occurred:\n\t* job x failed: BackoffLimitExceeded",
            "PHP Fatal error:  Uncaught TypeError: f(): null given in /srv/a.php:2\nStack trace:\n#0 /srv/a.php(2): f()\n#1 {main}\n  thrown in /srv/a.php on line 2",
            "** (ArgumentError) bad\n    (app 0.1.0) lib/a.ex:3: A.b/1\n    (stdlib 5.2) gen.erl:1: :gen.loop/2",
            "E: Unable to locate package foo\nError: Process completed with exit code 100.\n##[error]Process completed",
            "Command: npm test\nExit code: 1\nOutput: 3 failing",
            "- **Tool:** Bash\n- **Input:** `ls -la /srv/hooks/ 2>/dev/null`\n- **Error:** Exit code 2\n- **Status:** NEEDS_FIX - Claude should document the fix here after resolving",
            "Tool: Bash\nInput: rg --files docs\nError: Exit code 2\nrg: docs: IO error\nStatus: NEEDS_FIX",
            "Command: `ls /srv/x`\nExit: 2\nError: ls: cannot access '/srv/x'",
            "Command: ls /srv/x / Exit: 2 / Error: cannot access it",
            "Command `make flash` failed with exit code 2. stderr: A fatal error occurred: Timed out waiting for packet header",
            "Ran `npm run build`. Exit code: 1. Output: src/App.tsx(12,5): error TS2322: Type string is not assignable.",
            "The script deploy.sh exited with status 3. Output: no space left on device",
            "`pytest -q` failed with code 1. stdout: 2 failed",
            "## Failure\n\n- Script: `tools/pack.py`\n- Return code: 1\n- Message: no such table\n- Fix: TODO",
            "We ran `terraform plan`; exit status: 1; stderr: state is locked",
            "SCRIPT ERROR: Invalid call. Nonexistent function 'take_damage' in base 'Nil'.\n   at: Enemy._on_hit (res://enemy.gd:31)\nERROR: Condition \"!is_inside_tree()\" is true. Returning: Transform3D()\n   at: get_global_transform (scene/3d/node_3d.cpp:343)",
            "ninja: job failed: xtensa-esp32-elf-gcc -c main.c\n/home/ci/fw/main/main.c:42:10: fatal error: driver/i2c.h: No such file or directory\ncompilation terminated.\nninja: build stopped: subcommand failed.",
            "make flash\nno rule to make target 'flash'\nexit code: 2",
            "Ran: ./gradlew check\nStatus: failed\nExit code: 1",
            "tool: bash\nexit_code: 127\nstderr: rg: command not found",
            "- **Command**: `go test ./...`\n- **Exit code**: 1\n- **Output**: FAIL tide/http 0.02s",
            "$ fly deploy\nno machines left\nexit code: 1",
            "git push\nrejected by a hook\nrc=1",
            "ERROR: failed to solve: process \"/bin/sh -c npm ci\" did not complete successfully: exit code: 1",
            "Step 5/9 : RUN npm ci\n ---> Running in 1a2b3c4d5e6f\nnpm ERR! code 1\nThe command '/bin/sh -c npm ci' returned a non-zero code: 1",
            "Unable to find image 'shop/api:1.2' locally\ndocker: Error response from daemon: manifest unknown.\nSee 'docker run --help'.",
            "running 2 tests\ntest a::b ... ok\ntest a::c ... FAILED\n\nfailures:\n\ntest result: FAILED. 1 passed; 1 failed",
        ] {
            assert!(log(log_of, 0.6).is_some(), "{log_of}");
        }
        for lesson in [
            "",
            "command: what is run\nexit: 0 when it is done\nnext: the cursor",
            "cmd: `npm test`\nexit: <code>\nstderr: …",
            "Command: npm run e2e\nNext: read the report",
            "Exit code: 137 means that the container is short of memory; give it 2 GB.\nExit code: 143 is a normal stop.",
            "Return codes of the importer:\n\nexit code: 0 done\nexit code: 1 bad row\nexit code: 2 no file",
            "- **Tool:** Bash\n- **Error:** Exit code 2\n- **Fix:** create the folder first",
            "Command: ls /srv/x\nExit: 2\nError: cannot access it\nPrevention: run `make dirs` before",
            "Command `make flash` failed with exit code 2. stderr: timed out. Fix: hold the button while it connects.",
            "Ran `npm ci`. Exit code: 1. Output: EBADENGINE. Solution: use Node 22.",
            "Tool: the linter\nInput: a folder\nOutput: a list, one finding a line",
            "Command: make deploy\nStatus: allowed on Mondays\nOutput: the address",
            "The command `make check` fails with exit code 2 where a header is missing: run `make headers`.",
            "Input: JSON\nOutput: CSV\nExit code: 0",
            "Command: make deploy\nExit code: 3 when the store is locked\nTakes: ten minutes",
            "Run: make check\nExit code: 0\nTakes: a minute",
            "The wrapper ends with\nexit code: 4\nwhere the disk is full; prune it.",
            "Exit: 2 for wrong use\nError: shown in red\nNext: the page behind it",
            "Lesson: use `make test`.\nError: none\nNext: nothing",
            "When `cargo test` fails with E0308 in rounding.rs, the fixture of the clock is old: run `make fixtures`.",
            "Failure logs look like `failure: cmd=…, exit=…, error=…, next=…`; do not keep them.",
            "The retry policy: error budget is 1 % a month.",
            "The build needs Node 20.\n\n```\nerror: engine \"node\" is incompatible\n```\n\nUse `nvm use` first, and say so in the ticket.",
            "Error handling: every handler returns a Result, see src/error.rs.",
            "Exit codes: 0 done, 1 findings, 2 wrong use.",
            "- Error: shown in red\n- Warning: shown in yellow\n- Info: shown in grey",
            "The token decides:\n\n| token | result |\n|---|---|\n| `ok` | charged |\n| `slow` | charged late |\n\nIt forgets at midnight.",
            "✓ Run the migrations first\n✓ Then seed the database\n✗ Never seed production",
            "```sh\n$ npm ci\n$ npm run db:up\n$ npm run test:integration\n```",
            "status=active means paid, next=page is the cursor, error=none when all is well.",
            "error: red, and the process ends\nwarning: yellow, and it goes on\nnote: grey, only with -v",
            "error: paging\nwarning: ticket",
            "2026-06-01T08:00:00 Harbour to Island\n2026-06-01T10:30:00 Island to Harbour\n2026-06-01T13:00:00 Harbour to Island",
            "2026-12-20 18:00:00 freeze begins\n2027-01-03 08:00:00 freeze ends",
            "INFO: what support reads\nWARN: what is looked at each Monday\nERROR: what wakes somebody",
            "OK: it is done\nFAIL: somebody is called\nPASS: counts for the release",
            "ValidationError: the form was filled in wrong; answer 422\nNotFoundError: answer 404\nConflictError: answer 409",
            "git: the platform team\nmake: nobody\ngo: the backend team",
            "`make image` failed with exit code 2 because the disk was full; prune the cache first.",
            "Exit 2: wrong use\nExit 3: the file is locked",
            "docker compose pull fails with 'manifest unknown' on ARM: take the debian image.",
            "make release failed: the tag existed already, so that it must be deleted first.",
            "Build failed on ARM: the base image has no arm64 variant. Use the debian one.",
            "error: paging the lead\nhint: shown in grey",
            "Error handling: exit 2 for wrong use, 3 for a lock.",
            "Failed payments: the worker tries five times.",
            "Tests failed when the clock was mocked: bind port 0 instead.",
            "A container that is short of memory exited with code 137.",
            "Lesson: `npm run build` failed in CI, for Linux tells `foo` from `Foo`.",
            "Failed logins are counted: after five the account is locked.",
            "A selector is immutable: delete the Deployment and create it again.",
            "1 | first the migrations\n2 | then the servers\n3 | then the workers",
            "Running the tests needs Postgres on port 5433.\nBuilding the image takes ten minutes.",
            "3 errors in a row open the breaker.\n5 failed logins lock the account.\n2 problems at once page the lead.",
            "note: the cache is cold after a deploy\nnote: it warms in five minutes",
            "FAILED bookings are kept 30 days.\nPASSED checks are green in the list.\nERROR states page somebody.",
            "git: never force push\nmake: use `make help`\ngo: 1.22 and up",
            "- Error: shown in red\n    - with the code\n    - and the time\n- Warning: shown in yellow\n    - without",
            "The upload failed: the disk was full.\nsrc/a.ts:12 opens the file\nsrc/b.ts:14 writes it",
            "Host:     db-1\nPort:     5433\nUser:     reporter",
            "Run npm ci\nRun npm run build\nRun npm test",
            "/api/users\n/api/bookings\n/api/rates",
            "Expected: 409 when the seat is taken\nActual: 500, see the ticket\nReceived: from the gateway",
            "* Try: the cache first\n* Where: in the gateway\n* Why: it is slow",
            "#11 of the list is done\n#12 is next",
            "Caused by the proxy: unset it first.\nError message: shown to the user\nContext: sent to the log",
            "The importer dies on an empty file when this shows:\n\n```\nSystem.InvalidOperationException: no elements\n   at A.B.Read(Stream s)\n```\n\nUse `FirstOrDefault()` in every reader.",
            "- **Status**: done\n- The parser is a hand-written descent\n- `parse()` never panics",
        ] {
            assert!(log(lesson, 0.6).is_none(), "{lesson}");
        }
    }
}
