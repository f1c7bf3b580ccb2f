//! What commands print that did what they were told: a status, a list, a build.

use std::sync::LazyLock;

use regex::Regex;

use crate::lint::chars::compact;

/// The output of a kind of command: how it begins, and how its other lines do.
const KINDS: [(&str, &str); 13] = [
    // git status
    (
        r"On branch \S+$|HEAD detached at \S",
        r#"Your branch |\(use "git |Changes (?:not staged|to be committed)|(?:Untracked files|Unmerged paths):|(?:modified|new file|deleted|renamed|both modified): |no changes added|nothing (?:added )?to commit|and have \d+ and \d+ |[\w./-]+/?$"#,
    ),
    // git log
    (
        r"commit [0-9a-f]{7,40}\b",
        r"(?:Author|AuthorDate|Commit|CommitDate|Date|Merge): +\S",
    ),
    (
        r"(?:\* )?[0-9a-f]{7,12} (?:\([^)]*\) )?\S.*$",
        r"[*|\\/ ]+[0-9a-f]{7,12} |[|\\/ ]+$",
    ),
    // git diff
    (r"diff --git a/", r".*"),
    // ls -l
    (
        r"total \d+$|[-dl][rwxsStT-]{9}[.+@]? ",
        r"[-dlbcps][rwxsStT-]{9}",
    ),
    // docker ps, kubectl get, gh run list
    (
        r"[A-Z][A-Z()/%_-]+(?: [A-Z]+)*(?: {2,}[A-Z][A-Z()/%_-]*(?: [A-Z()/-]+)*){2,}$",
        r"\S.* {2,}\S",
    ),
    // curl -i
    (
        r"HTTP/\d(?:\.\d)? \d{3}(?: [A-Z][A-Za-z ]*)?$",
        r"[A-Za-z][A-Za-z0-9-]*: \S|[\[{}\]<]",
    ),
    // psql, mysql
    (
        r"-{2,}(?:\+-{2,})+$|\+-{2,}(?:\+-{2,})*\+$",
        r".+ \|(?: |$)|\| .+ \|$|\(\d+ rows?\)|\d+ rows? in set",
    ),
    // npm install
    (
        r"(?:added|removed|changed) \d+ packages?\b|up to date(?:,|$)|npm (?:warn|WARN|notice) ",
        r"\d+ packages? (?:is|are) looking for funding|run `npm |found \d+ vulnerabilit|\d+ (?:\w+ severity )?vulnerabilit|To address |npm audit fix",
    ),
    // pip install
    (
        r"(?:Collecting|Requirement already satisfied:|Looking in indexes:|Processing) \S+",
        r"(?:Downloading|Using cached|Installing|Successfully|Building|Preparing|Attempting|Found existing|Uninstalling|Getting requirements|Created wheel|Stored in) \S",
    ),
    // npm run build
    (
        r"vite v\d|webpack \d|▲ Next\.js|\S+@\d+\.\d+\.\d+ (?:build|dev|test|start|lint)\b",
        r"vite |next |webpack |tsc\b|transforming|rendering chunks|computing gzip|[✓✔○●ƒ├└┌+] ?\S|\S+ +[\d.]+ [kKMG]?i?B\b|built in |Creating an optimized|Compiled |Collecting |Generating |Finalizing |Linting |Route |\(!\)",
    ),
    // cargo build
    (
        r"(?:Compiling|Downloaded|Checking|Locking|Adding) \S+ (?:v?\d|packages)|Updating crates\.io",
        r"(?:Compiling|Downloaded|Downloading|Checking|Locking|Adding|Updating|Finished|Running|Blocking) \S",
    ),
    // docker compose up
    (
        r"\[\+\] (?:Running|Building) \d|(?:[✔⠿] )?(?:Container|Network|Volume) \S+ +(?:Started|Created|Running|Healthy|Removed|Starting)",
        r"(?:[✔⠿] )?(?:Container|Network|Volume|Image) \S+ +[A-Z]|=> ",
    ),
];

/// A line that somebody typed: a prompt, the command behind it.
static PROMPT: LazyLock<Option<Regex>> =
    LazyLock::new(|| compact(r"^(?:[\w.~/@:-]* ?[$❯%] \S|[\w.-]+[=-][#>] ?\S|PS [A-Z]:\S*> \S)"));

/// A line that one of [`KINDS`] begins with.
static BEGINS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let heads = KINDS.map(|(head, _)| head);
    compact(&format!("^(?:{})", heads.join("|")))
});

/// How the lines of each of [`KINDS`] begin.
static LINES: LazyLock<Vec<[Option<Regex>; 2]>> = LazyLock::new(|| {
    let one = |pattern: &str| compact(&format!("^(?:{pattern})"));
    KINDS
        .iter()
        .map(|(head, line)| [one(head), one(&format!("{head}|{line}"))])
        .collect()
});

/// Lines in front of the output: the command, and what a package manager says of its script.
const BEFORE: usize = 3;

/// Which of these lines were printed, where they begin as the output of a command; nothing where
/// they do not.
pub(super) fn printed(lines: &[(usize, &str)]) -> Option<Vec<bool>> {
    let typed = |line: &str| PROMPT.as_ref().is_some_and(|one| one.is_match(line));
    let first = lines.iter().take(BEFORE);
    let begins = BEGINS.as_ref()?;
    let (head, (_, begin)) = first
        .enumerate()
        .find(|(_, (_, line))| begins.is_match(line))?;
    let is = |one: &Option<Regex>, line: &str| one.as_ref().is_some_and(|one| one.is_match(line));
    let [_, line] = LINES.iter().find(|[head, _]| is(head, begin))?;
    // Nothing but the command stands in front of what it prints.
    let mut before = lines.iter().take(head);
    if !before.all(|(_, other)| typed(other) || is(line, other)) {
        return None;
    }
    let printed = lines
        .iter()
        .map(|(_, other)| !typed(other) && is(line, other));
    Some(printed.collect())
}

#[cfg(test)]
mod tests {
    use crate::lint::log::is_log;

    #[test]
    fn what_a_command_printed_is_told_from_how_to_use_it() {
        for output in [
            "$ git status\nOn branch main\nYour branch is up to date with 'origin/main'.\n\nUntracked files:\n  (use \"git add <file>...\" to include in what will be committed)\n\tnotes.txt\n\nnothing added to commit but untracked files present (use \"git add\" to track)",
            "commit 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b\nMerge: 1a2b3c4 5d6e7f8\nAuthor: Cleo <cleo@example.org>\nDate:   Mon Jan 5 2026\n\n    Bring the gate in\n\n    It was left out.",
            "$ git log --oneline\n1a2b3c4 (HEAD -> main) Bring the gate in\n5d6e7f8 Take the lamp out\n9a0b1c2 Begin",
            "$ git diff\ndiff --git a/gate.py b/gate.py\nindex 1a2b3c4..5d6e7f8 100644\n--- a/gate.py\n+++ b/gate.py\n@@ -1,2 +1,2 @@\n-OPEN = 9\n+OPEN = 8",
            "```\n$ ls -la\ntotal 16\ndrwxr-xr-x 2 cleo cleo 4096 Jan  5 09:00 .\ndrwxr-xr-x 9 cleo cleo 4096 Jan  5 09:00 ..\n-rw-r--r-- 1 cleo cleo   12 Jan  5 09:00 gate.py\n```",
            "CONTAINER ID   IMAGE     COMMAND   CREATED       STATUS       PORTS     NAMES\n1a2b3c4d5e6f   gate:2    \"gate\"    2 hours ago   Up 2 hours   80/tcp    gate-1\n5d6e7f8a9b0c   lamp:1    \"lamp\"    2 hours ago   Up 2 hours             lamp-1",
            "cleo@desk:~$ kubectl get pods\nNAME      READY   STATUS    RESTARTS   AGE\ngate-1    1/1     Running   0          2d\nlamp-1    0/1     Pending   0          2d",
            "HTTP/2 404\ncontent-type: text/html\nserver: nginx\n\n<html>",
            "harbour=# select * from gates;\n id | name\n----+-------\n  1 | north\n  2 | south\n(2 rows)",
            "$ npm install\nnpm warn deprecated inflight@1.0.6: it leaks memory\n\nadded 210 packages, and audited 211 packages in 4s\n\n30 packages are looking for funding\n  run `npm fund` for details\n\nfound 0 vulnerabilities",
            "$ pip install flask\nRequirement already satisfied: flask in ./venv/lib\nRequirement already satisfied: click in ./venv/lib\nRequirement already satisfied: jinja2 in ./venv/lib",
            "> gate@2.0.0 build\n> tsc && vite build\n\nvite v6.0.1 building for production...\n✓ 80 modules transformed.\ndist/index.html  0.40 kB │ gzip: 0.27 kB\n✓ built in 1.20s",
            "$ docker compose up -d\n[+] Running 2/2\n ✔ Container gate-1  Started\n ✔ Container lamp-1  Started",
        ] {
            assert!(is_log(output), "{output}");
        }
        for lesson in [
            "```\n$ git status\nOn branch main\n```",
            "After a release this must be shown:\n\n```\n$ git status\nOn branch main\nYour branch is up to date with 'origin/main'.\nnothing to commit, working tree clean\n```",
            "```\n$ kubectl get pods\nNAME      READY   STATUS\ngate-1    1/1     Running\nlamp-1    1/1     Running\n```\n\nBoth have to run before the tests begin.",
            "$ make db\n$ make migrate\n$ make test",
            "On branch names: `feat/` and `fix/` only.\nOn tags: `v1.2.0`.\nOn merges: squash.",
            "HTTP/2 404 means that the gate is closed.\nHTTP/2 409: somebody else has it.\nHTTP/2 503: wait.",
            "total 12 gates\nnorth: four\nsouth: eight",
            "commit messages: imperative, below 72 letters\nAuthor: the one who wrote it\nDate: never changed",
            "NORTH GATE\n\nOpen from nine.\n\nSOUTH GATE\n\nNever opened.",
        ] {
            assert!(!is_log(lesson), "{lesson}");
        }
    }
}
