//! Lines that programs write: what is only output, and what people write as well.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::{Regex, bytes};

use crate::lint::chars::{compact, compact_bytes};

/// Of [`SHOWN`] those that people write as well.
const SHOWN_BOTH: [&str; 3] = [
    r"\$ \S",
    r"\d+ \|",
    // A gutter of a compiler; a row of a table has more than one bar.
    r"\|[^|]*$",
];

/// The same of [`MORE`].
const MORE_BOTH: [&str; 13] = [
    r"(?:✓|✗|✔|✖|×|●|❯|✘)",
    r"(?:Expected|Received|expected|actual|got|want)(?: [a-z]+)?: ",
    r"(?:FAILURE|Error message|DETAIL|CONTEXT|STATEMENT): ",
    r"Run (?:npm|npx|pnpm|yarn|bun|cargo|go|make|pip3?|python3?|docker|bash|\./)",
    r"\S+@\d+\.\d+\.\d+ \S+$",
    r"[A-Z][A-Za-z ]{0,20}: {2,}\S",
    r"/\S+$",
    r"created by \S+",
    r"(?:[0-9A-Za-z_.]+)?(?:Error|Exception)(?: \[[0-9A-Za-z_]+\])?: ",
    r"(?:⎯|─|━|═){3}",
    r"[a-z]{2,12}(?:>|=#|=>|-#) \S",
    r">>> \S",
    r"E: [A-Z]",
];

/// A line that begins with one of these.
fn any_of(lists: &[&[&str]]) -> Option<bytes::Regex> {
    compact_bytes(&format!("^(?:{})", lists.concat().join("|")))
}

fn begins(line: &str, lists: &Option<bytes::Regex>) -> bool {
    let lists = lists.as_ref();
    lists.is_some_and(|lists| lists.is_match(line.as_bytes()))
}

/// Lines of command output: prompts, compilers, test runners, package managers, stack traces and
/// loggers.
static SHOWN: LazyLock<Option<bytes::Regex>> = LazyLock::new(|| {
    let lines = [
        r"(?:error|warning|note|help|hint)(?:\[[0-9A-Za-z_]+\])?: ",
        r"--> \S+:\d+",
        r"[\^~]{2,}",
        r"=+ ?[0-9A-Za-z_ ,.]*=+$",
        r"(?:at|in|from) .*\(?\S+:\d+(?::\d+)?\)?$",
        r"at [0-9A-Za-z_$.<>/]+ ?\(",
        r#"File ".*", line \d+"#,
        r"Traceback \(most recent call last\)",
        r"thread '.*' .*panicked at",
        r"note: run with `RUST_BACKTRACE",
        r"(?:[A-Za-z.]+)?(?:Error|Exception)(?: \[[0-9A-Za-z_]+\])?: ",
        r"npm (?:ERR!|error|warn|WARN)",
        r"(?:FAIL|FAILED|PASS|PASSED|ERROR|WARN|INFO|DEBUG|OK)\b[\s:\]]",
        r"test \S+ \.\.\. (?:ok|FAILED|ignored)",
        r"test result: ",
        r"(?:Tests?|Test Suites|Snapshots|Time|Duration|Start at): +\d",
        r"(?:Compiling|Finished|Running|Downloading|Checking|Blocking|Building) \S",
        r"\[(?:INFO|ERROR|WARN|WARNING|DEBUG|\d\d:\d\d)",
        r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d",
        r"\S+:\d+:\d+:?(?: |$)",
        r"\S+\.[a-z]+:\d+: ",
        r"(?:[A-Za-z]+ )?(?:terminated|exited|failed) with (?:an? )?(?:exit )?(?:code|status)\b",
        r"(?:FAIL|FAILED|PASS)$",
        r"BUILD (?:FAILED|SUCCESSFUL|SUCCESS|FAILURE)\b",
        r"Task :\S+",
        r"[ew]: (?:file:|/)\S+",
        r"(?:✓|✗|✔|✖|×|●|❯)",
        r"(?:zsh|bash|sh|fish|make|git|fatal|gcc|ld|go|tsc): ",
        r"make(?:\[\d+\])?: ",
        r".*: (?:command not found|No such file or directory|Permission denied)$",
        r"(?:Process )?[Ee]xit(?:ed)? (?:with )?(?:code|status):? ?\d+(?:$|[:.,;)]| \()",
        r"(?:error|could not|failed to) compile",
        r"\d+ (?:passed|failed|passing|failing|errors?|problems?)\b",
        r"(?:failures|stack backtrace|Caused by|stderr|stdout|Output|Command):?$",
        r"\+{3} |-{3} |@@ ",
    ];
    any_of(&[&lines, &SHOWN_BOTH])
});

/// Without one of these no text is the output of a program that failed.
static SIGNS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let signs = [
        "rror",
        "RROR",
        "xception",
        "ailed",
        "FAIL",
        "ailure",
        "panic",
        "fault",
        "ROLLBACK",
        "ERR_",
        "ERR!",
        "non-zero code",
        "Traceback",
        "goroutine",
        "fatal",
        "Fatal",
        "denied",
        "ORA-",
    ];
    // They begin with letters of every day, which a prefilter would stop at.
    let builder = &mut AhoCorasick::builder();
    let builder = builder.prefilter(false).kind(Some(AhoCorasickKind::DFA));
    builder.build(signs).ok()
});

/// The lines of a text that are output.
#[derive(Clone, Copy)]
pub(super) struct Output {
    /// Whether it is worth looking for what few programs write.
    more: bool,
}

impl Output {
    /// Of this text.
    pub(super) fn of(text: &str) -> Self {
        let more = SIGNS.as_ref().is_some_and(|signs| signs.is_match(text));
        Self { more }
    }

    /// Whether a line is output.
    pub(super) fn is_match(self, line: &str) -> bool {
        begins(line, &SHOWN) || (self.more && begins(line, &MORE))
    }
}

/// The same of what few programs write; looked for where [`SIGNS`] are.
static MORE: LazyLock<Option<bytes::Regex>> = LazyLock::new(|| {
    let lines = [
        r"[\^~]$",
        r"(?:BEGIN|COMMIT|ROLLBACK)$",
        r"(?:Unhandled exception|Exception in thread|Segmentation fault)\b",
        r"Caused by: \S",
        r"(?:PHP )?(?:Fatal error|Parse error): ",
        r"(?:[Ss]tack ?[Tt]race|Call Stack|Backtrace):$",
        r"#\d+ \{main\}",
        r"from \S+:\d+\b",
        r"(?:Test Files|Tests?|Test Suites|Snapshots) +\d+ (?:passed|failed|skipped|todo)\b",
        r"(?:The following build commands failed|Command \S+ failed)\b",
        r"(?:CompileSwift|SwiftCompile|CompileC|Ld|CodeSign|PhaseScriptExecution) \S",
        r"\.\.\. \d+ (?:more|common frames)",
        r"panic: \S",
        r"\[signal SIG",
        r"goroutine \d+ \[",
        r"\S+\((?:0x[0-9a-f]|\{0x|\.\.\.\)$)",
        r"\S+:\d+ \+0x[0-9a-f]+$",
        r"\S+:\d+:in [`']",
        r"#\d+ \S+\(\d+\): ",
        r"\*\* (?:\(\S+\) |BUILD|TEST)",
        r"Node\.js v\d",
        r"= (?:note|help): ",
        r"platform \S+ -- Python",
        r"(?:rootdir|configfile|plugins|cachedir): \S",
        r"collect(?:ed|ing) \d+ items?\b",
        r"\S+\.py [.FEsxX]+(?: +\[ *\d+%\])?$",
        r"_{3,} .* _{3,}$",
        r"E {2,}\S",
        r"(?:ok|FAIL|\?) {1,3}\t\S+\s",
        r"LINE \d+: ",
        r"(?:Msg|ERROR) \d+(?:,| \()",
        r"ORA-\d{5}: ",
        r".*\bAn error occurred \(\w+\) when calling",
        r"Error from server ",
        r"NAME(?:SPACE)? {2,}[A-Z]{3,}",
        r"\* (?:What went wrong|Try|Where|Exception is):$",
        r"Execution failed for task ",
        r"A failure occurred while executing ",
        r"Compilation error\. See log",
        r"\d+ actionable tasks?:",
        r"\S+\(\d+,\d+\): (?:error|warning) ",
        r"\S+: (?:fatal )?error: ",
        r"\d+:\d+ +(?:error|warning) ",
        r"\d+ (?:Warning|Error)\(s\)",
        r"Found \d+ errors? in ",
        r"CMake Error ",
        r"#\d+ (?:\[|\d+\.\d+ |DONE |CACHED|ERROR|CANCELED|sha256:|transferring )",
        r"\[[0-9A-Za-z_ -]+ \d+/\d+\] (?:RUN|COPY|ADD|FROM|WORKDIR) ",
        r"##\[[a-z]+\]",
        r"Step \d+/\d+ : [A-Z]+ ",
        r"-{3}> (?:Running in |Using cache$|[0-9a-f]{12}$)",
        r"The command '.*' returned a non-zero code",
        r"Unable to find image '",
        r"[a-z-]+: Error response from daemon: ",
        r"See '[^']* --help'\.?$",
        r"::(?:error|warning|group)\b",
        r"Run \S+/\S+@\S+$",
        r"added \d+ packages?\b",
        // Godot
        r"(?:SCRIPT|USER|SHADER) (?:ERROR|WARNING): \S",
        r"at: \S.* \(\S+:\d+\)$",
        // gcc, ld, ninja
        r"ninja: (?:job failed|build stopped|error|fatal|warning)\b",
        r"compilation terminated\.$",
        r"In file included from \S+:\d+",
        r"collect2: error: ",
        r"\S+: (?:in function |undefined reference to )",
        r"(?:TASK|PLAY) \[",
        r"(?:│|╷|╵) *(?:Error|Warning|with \S|on \S+ line \d|$)",
    ];
    any_of(&[&lines, &MORE_BOTH])
});

/// Lines that stand in output and in what people write alike: commands to type, marks of a list,
/// levels and programs that are explained, timetables, counts in a sentence. They make no log by
/// themselves.
static BOTH: LazyLock<Option<bytes::Regex>> = LazyLock::new(|| {
    let lines = [
        r"(?:error|warning|note|help|hint): ",
        r"(?:rootdir|configfile|plugins|cachedir): ",
        r"(?:Unhandled exception|Segmentation fault)\b[^.:]* [a-z]",
        r"\S+: error: [A-Za-z ,]*$",
        r"(?:FAIL|FAILED|PASS|PASSED|ERROR|WARN|INFO|DEBUG|OK)\b[\s:\]](?:$|\s*[^./:\[]+\.?$)",
        r"(?:zsh|bash|sh|fish|make|git|fatal|gcc|ld|go|tsc): [A-Za-z0-9 ,.`]*$",
        r"from \S+:\d+ [a-z]+ [a-z]+",
        r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)? [^\[\]{}=]*$",
        r"(?:at|in|from) \d\d?:\d\d",
        r"(?:Compiling|Finished|Running|Downloading|Checking|Blocking|Building) [a-z]+ [a-z]+ ",
        r"\d+ (?:passed|failed|passing|failing|errors?|problems?) [a-z]+ ",
        r"(?:Tests?|Test Suites|Snapshots|Time|Duration|Start at): +\d[^,()]*$",
    ];
    any_of(&[&lines, &SHOWN_BOTH, &MORE_BOTH])
});

/// What loggers write between the time and the message.
static LEVEL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"^\d{4}-\d\d-\d\d[T ]\S+ (?:\S+ ){0,3}?\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL|NOTICE)\b",
    )
});

/// How programs, and hardly anybody else, begin what they say when they give up.
static GIVEN_UP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"^(?:error|fatal): (?:failed to|could not|cannot|unable to|unexpected|no such|pathspec|src refspec) |^Error: (?:Error [a-z]+ing |Process completed with exit code )|^(?i:error|fatal|failed)[^:.]*: (?:[^:]+: ){2,}|^[❯●×✕✖] \S+\.[a-z]+:\d+:\d+$",
    )
});

/// Words that a program begins line after line with; who explains them says each once.
pub(super) static AGAIN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(r"^(?:error|fatal|FAIL(?:ED)?|ERROR|WARN|INFO|DEBUG|[A-Za-z.]*(?:Error|Exception))\b:?")
});

/// Whether such a line stands nowhere but in output.
pub(super) fn is_only_output(line: &str) -> bool {
    let is = |pattern: &Option<Regex>| pattern.as_ref().is_some_and(|one| one.is_match(line));
    is(&LEVEL) || is(&GIVEN_UP) || !begins(line, &BOTH)
}

/// What stands in the output of programs of whatever kind: places in files, addresses, codes and
/// the names of errors.
static TOLD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"\.[a-z]{1,5}[:(]\d+|\bat line \d+|\bon line \d+|\b0x[0-9a-f]{3,}|\b[Ee]rrno\b|\bE[A-Z]{4,}\b|\bexit (?:code|status)\b|[a-z](?:Error|Exception|Failure|Exceeded|Denied|BackOff)\b|\bfailed: ",
    )
});

/// Words of which sentences are made, and hardly what programs print.
static PROSE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)\b(?:the|we|our|you|they|it|must|should|is|are|was|were|because|when|so|that|which|only|also|see|opens?|reads?|writes?|holds?|handles?|uses?)\b",
    )
});

/// Whether a line reads as a program wrote it, not a person.
pub(super) fn is_told_by_a_program(line: &str) -> bool {
    let is = |pattern: &Option<Regex>| pattern.as_ref().is_some_and(|one| one.is_match(line));
    is(&TOLD) && !is(&PROSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_sound() {
        let lists = [&SHOWN, &MORE, &BOTH];
        assert!(lists.into_iter().all(|list| list.is_some()));
    }
}
