//! The rules about what has gone by: versions, documents, days, names and files that changed.

use std::collections::BTreeMap;

use super::*;
use crate::lint::repository::{
    Blob, Change, Commit, Gone, History, Log, Project, Rewritten, Symbols, Was,
};
use crate::systems::rum::{LAYERS, Layers, RUM, markdown};

#[derive(Default)]
pub(super) struct Fake {
    pub(super) files: BTreeMap<String, String>,
    pub(super) history: History,
    pub(super) rewritten: Option<Rewritten>,
    pub(super) gone: BTreeMap<String, Was>,
    pub(super) earlier: String,
}

/// One of four commits, the newest first, a second from each other.
pub(super) fn commit(n: i64) -> Commit {
    let ids = ["1a2b3c4d", "2b3c4d5e", "3c4d5e6f", "4d5e6f7a"];
    Commit {
        id: ids[usize::try_from(n).unwrap()].into(),
        // The newest is of 2026-01-15T00:00:09Z.
        time: 1_768_435_209 - n,
        author: "Ines".into(),
        subject: "Move it".into(),
    }
}

/// Paths, each with where it moved; nothing if that is an empty text.
pub(super) fn moves(
    paths: &BTreeMap<String, String>,
) -> impl Iterator<Item = (Box<str>, Option<Box<str>>)> {
    let to = |to: &String| Some(to.as_str().into()).filter(|_| !to.is_empty());
    paths
        .iter()
        .map(move |(path, new)| (path.as_str().into(), to(new)))
}

/// A repository of these files, and of the paths that its commits took, the newest first. All four
/// commits changed `src/a.rs`.
pub(super) fn history(
    root: &str,
    mut files: Vec<String>,
    taken: &[BTreeMap<String, String>],
) -> History {
    let gone = (0..).zip(taken).flat_map(|(commit, paths)| {
        moves(paths).map(move |(path, to)| Gone {
            path,
            commit,
            blob: Blob([1; 20]),
            to,
        })
    });
    let change = |commit| Change {
        commit,
        old: Some(Blob([7; 20])),
    };
    let log = Log {
        commits: (0..4).map(commit).collect(),
        gone: gone.collect(),
        changes: [("src/a.rs".into(), (0..4).map(change).collect())].into(),
        ..Log::default()
    };
    files.push("src/a.rs".to_owned());
    History::new(root, files, Arc::new(log), BTreeMap::new())
}

impl Project for Fake {
    fn history(&self) -> Result<&History, &str> {
        Ok(&self.history)
    }

    fn read(&self, path: &str) -> Option<String> {
        self.files.get(path).cloned()
    }

    fn rewritten(&self, wanted: &[(&str, Blob)]) -> Vec<Option<Rewritten>> {
        vec![self.rewritten; wanted.len()]
    }

    fn versions(&self, wanted: &[Blob], take: &mut dyn FnMut(usize, &str)) {
        (0..wanted.len()).for_each(|at| take(at, &self.earlier));
    }

    fn symbols(&self, names: &BTreeSet<String>, _: &BTreeSet<String>) -> Symbols {
        let mut gone = self.gone.clone();
        gone.retain(|name, _| names.contains(name));
        Symbols {
            gone,
            partial: None,
        }
    }
}

fn row(goal: &str, learned: &str) -> Vec<Finding> {
    let layers = serde_json::json!({
        "intent": { "goal": goal, "task_type": "bug_fix" },
        "actions": [{ "type": "file_edit", "file_path": "tools/pack.py" }],
        "outcome": { "success": true, "summary": "done", "learnings": [learned] },
    });
    let layers = Layers(LAYERS.map(|name| layers[name].clone()));
    let body = markdown::memory(&layers);
    let mut sample = memory("a");
    sample.memory.schema = &RUM;
    sample.memory.fields = [("goal", Value::from(goal))].into_iter().collect();
    (sample.memory.span, sample.memory.body) = (0..body.len(), 0..body.len());
    sample.text = body;
    let moved = [("tools/pack.py".to_owned(), "pipeline/pack.py".to_owned())];
    let project = Fake {
        history: history(
            "/repo",
            vec!["pipeline/pack.py".to_owned()],
            &[moved.into()],
        ),
        ..Fake::default()
    };
    let store = Store::new(vec![sample]);
    let cx = Context {
        project: &project,
        ..store.cx()
    };
    run(&cx, &Selection::of(&["stale-path"]).unwrap())
}

#[test]
fn what_an_agent_did_is_a_record_and_what_it_learned_is_not() {
    for [goal, learned, severity] in crate::text::rows::<Vec<[String; 3]>>("tables", "learned") {
        let findings = row(&goal, &learned);
        let found: Vec<_> = findings.iter().map(|one| one.severity.word()).collect();
        assert_eq!(found, [severity.as_str()], "{goal} {learned}");
        let is_fixed = findings[0].fix.is_some();
        assert!(!is_fixed || severity == "warning", "{findings:?}");
    }
}
