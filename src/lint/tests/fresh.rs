//! The rules about what has gone by: versions, documents, days, names and files that changed.

use std::collections::BTreeMap;

use super::*;
use crate::lint::repository::{
    Blob, Change, Commit, Gone, History, Log, Project, Rename, Rewritten, Symbols, Wanted, Was,
};

mod gone;

/// A repository of a few files.
#[derive(Default)]
pub(super) struct Fake {
    pub(super) files: BTreeMap<&'static str, &'static str>,
    pub(super) history: History,
    pub(super) rewritten: Option<Rewritten>,
    pub(super) gone: BTreeMap<String, Was>,
}

/// 2026-01-15T00:00:00Z in seconds.
const THEN: i64 = 1_768_435_200;

impl Fake {
    fn new(files: &[(&'static str, &'static str)]) -> Self {
        let commit = |n: i64| Commit {
            id: "1a2b3c4d".into(),
            time: THEN + n,
            author: "Ines".into(),
            subject: "Change it".into(),
        };
        let change = |n: u32| Change {
            commit: n,
            old: Some(Blob([7; 20])),
        };
        let log = Log {
            commits: (0..4).rev().map(commit).collect(),
            changes: [("src/a.rs".into(), (0..4).map(change).collect())].into(),
            ..Log::default()
        };
        let paths = files.iter().map(|(path, _)| (*path).to_owned());
        let paths = paths.chain(["src/a.rs".to_owned()]).collect();
        Self {
            files: files.iter().copied().collect(),
            history: History::new("/repo", paths, Arc::new(log)),
            ..Self::default()
        }
    }
}

/// A repository of these files, and of those that one commit took: where it moved each, where it did.
pub(super) fn taken(gone: &[(&str, Option<&str>)], files: &[&str]) -> History {
    let gone = gone.iter().map(|(path, to)| Gone {
        path: (*path).into(),
        commit: 0,
        blob: Blob([1; 20]),
        to: to.map(Into::into),
    });
    let log = Log {
        commits: vec![Commit {
            id: "1a2b3c4d".into(),
            time: THEN + 9,
            author: "Ines".into(),
            subject: "Move it".into(),
        }],
        gone: gone.collect(),
        ..Log::default()
    };
    let files = files.iter().map(|path| (*path).to_owned()).collect();
    History::new("/repo/tide", files, Arc::new(log))
}

impl Project for Fake {
    fn history(&self) -> Result<&History, &str> {
        Ok(&self.history)
    }

    fn renames(&self, _: &[&str]) -> Vec<Rename> {
        Vec::new()
    }

    fn untracked(&self, paths: &[&str]) -> Vec<bool> {
        vec![false; paths.len()]
    }

    fn read(&self, path: &str) -> Option<String> {
        self.files.get(path).map(|text| (*text).to_owned())
    }

    fn rewritten(&self, wanted: &[(&str, Blob)]) -> Vec<Option<Rewritten>> {
        vec![self.rewritten; wanted.len()]
    }

    fn symbols(&self, wanted: &Wanted) -> Symbols {
        let gone = self.gone.iter();
        let gone = gone.filter(|(name, _)| wanted.names.contains_key(*name));
        Symbols {
            gone: gone
                .map(|(name, was)| (name.clone(), was.clone()))
                .collect(),
            partial: None,
        }
    }
}

fn found(project: &Fake, rule: &str, sample: Sample) -> Digest {
    let store = Store::new(vec![sample]);
    let cx = Context {
        project,
        ..store.cx()
    };
    digest(&cx, &Selection::of(&[rule]).unwrap(), usize::MAX)
}

#[test]
fn days_gone_by_are_found_while_they_were_still_to_come() {
    let project = Fake::default();
    let written = |body: &str, created: Option<&str>| {
        let created = created.and_then(Timestamp::parse_iso);
        let sample = memory("a")
            .front("", body)
            .change(|memory| memory.created = created);
        let digest = found(&project, "expired", sample);
        let one = |finding: &Finding| format!("{} {}", finding.severity.word(), finding.message);
        digest.findings.iter().map(one).collect::<Vec<_>>()
    };
    let freeze = "Do not deploy until 2026-01-20.";
    let over = "warning the deadline `2026-01-20` passed 12 days ago";
    assert_eq!(written(freeze, None), [over]);
    assert_eq!(written(freeze, Some("2026-01-02")), [over]);
    // A day that was past when the memory was written tells of the past.
    assert_eq!(written(freeze, Some("2026-01-25")), [""; 0]);
}

#[test]
fn a_memory_is_archived_for_a_day_only_where_that_is_all_it_says() {
    let fixed = |body: &str| {
        let digest = found(&Fake::default(), "expired", memory("a").front("", body));
        let finding = digest.findings.first().unwrap();
        finding.fix.is_some()
    };
    for (body, expected) in [
        ("Do not deploy until 2026-01-20.", true),
        ("# Freeze\n\nDo not deploy until Jan 20, 2026!\n", true),
        ("- The trial of Datadog ends on Jan 14, 2026", true),
        (
            "Chunks are one day.\nThe trial of Datadog ends on Jan 14, 2026.",
            false,
        ),
        (
            "The trial ends on Jan 14, 2026.\n\nAggregates are refreshed by hand.",
            false,
        ),
        ("Do not deploy until 2026-01-20. Tags are signed.", false),
        ("Tags are signed; do not deploy until 2026-01-20.", false),
        ("Code freeze from 2026-01-02 to 2026-01-20.", true),
        // It is to be done, which archiving does not.
        ("TODO(joon, 2026-01-10): drop the shim", false),
        ("review-by: 2026-01-10", false),
        ("Remove the shim after 2026-01-10.", false),
        ("Remove the flag once 2026-01-10 has passed.", false),
        ("Migrate all meters by 2026-01-10.", false),
    ] {
        assert_eq!(fixed(body), expected, "{body}");
    }
}

#[test]
fn a_confirmed_memory_has_a_new_clock() {
    let sample = || memory("a").front("", "Do not deploy until 2026-01-20.");
    let confirmed = |day: &str| {
        let at = Timestamp::parse_iso(day);
        let sample = sample().change(|memory| memory.confirmed = at);
        found(&Fake::default(), "expired", sample).findings.len()
    };
    assert_eq!((confirmed("2026-01-10"), confirmed("2026-01-28")), (1, 0));
}

#[test]
fn files_that_became_others_are_suggested() {
    let half = |changed, lines| Some(Rewritten { changed, lines });
    let at = |rewritten, created: i64, body: &str| {
        let project = Fake {
            rewritten,
            ..Fake::new(&[])
        };
        let sample = memory("a").front("", body);
        let sample = sample.change(|memory| memory.created = Some(Timestamp(created * 1000)));
        let findings = found(&project, "changed-since", sample).findings;
        findings
            .into_iter()
            .map(|finding| finding.message)
            .collect::<Vec<_>>()
    };
    let body = "The parser is in `src/a.rs`.";
    let says = "`src/a.rs` changed in 4 commits: 90 of 120 lines, old and new, are others since this was written";
    assert_eq!(at(half(90, 120), THEN - 5, body), [says]);
    // Little of it, a small file, a file that cannot be compared, too few commits, the past.
    assert!(at(half(50, 120), THEN - 5, body).is_empty());
    assert!(at(half(30, 30), THEN - 5, body).is_empty());
    assert!(at(None, THEN - 5, body).is_empty());
    assert!(at(half(90, 120), THEN + 1, body).is_empty());
    assert!(at(half(90, 120), THEN - 5, "The parser was in `src/a.rs`.").is_empty());
    // A day without a time counts whole.
    assert!(at(half(90, 120), THEN, body).is_empty());
}

#[test]
fn what_was_not_looked_up_is_said_again_of_what_is_kept() {
    let mut project = Fake::new(&[]);
    project.history = project
        .history
        .with_submodules(vec!["libs/wire".to_owned()]);
    let body = "`libs/wire/src/x.c` reads the frames.";
    let store = Store::new(vec![memory("a").front("", body)]);
    let cx = Context {
        project: &project,
        ..store.cx()
    };
    let rules = Selection::of(&["stale-path"]).unwrap();
    let mut cache = Cache::default();
    let mut notes = || digest_again(&cx, &rules, usize::MAX, &mut cache).notes;
    let first = notes();
    assert_eq!(first.len(), 1, "{first:?}");
    assert_eq!(notes(), first);
}
