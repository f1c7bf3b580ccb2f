use super::*;

fn gone(path: &str, to: Option<&str>) -> Gone {
    Gone {
        path: path.into(),
        commit: 0,
        blob: Blob::default(),
        to: to.map(Into::into),
    }
}

#[test]
fn paths_mean_what_is_there_then_what_was() {
    let files = ["src/a.rs", "src/deep/b.rs", "docs/x/y.md", "src-old.txt"];
    let log = Log {
        gone: vec![
            gone("src/gone.rs", None),
            gone("lib/old/one.rs", None),
            gone("lib/old/two.rs", None),
            gone("a/twice.rs", None),
            gone("b/twice.rs", None),
            gone("src/a.rs", None),
            gone("node_modules/p/only.js", None),
        ],
        ..Log::default()
    };
    let history = History::new("/repo/tide", files.map(Into::into).to_vec(), Arc::new(log));
    let history = history.with_submodules(vec!["libs/wire".to_owned()]);
    assert_eq!(history.submodule("libs/wire/src/x.c"), Some("libs/wire"));
    assert_eq!(history.submodule("libs/wires/x.c"), None);
    let file = |path: &str, matched| Meaning::File(history.gone(path).unwrap(), matched);
    for (path, meaning) in [
        ("src/a.rs", Meaning::Present),
        ("b.rs", Meaning::Present),
        ("deep", Meaning::Present),
        ("tide/src", Meaning::Present),
        ("src/deep/b", Meaning::Present),
        ("src/gone.rs", file("src/gone.rs", Match::Whole)),
        ("gone.rs", file("src/gone.rs", Match::End)),
        // With the root's own folder, and as an import is written.
        ("tide/src/gone.rs", file("src/gone.rs", Match::Whole)),
        ("src/gone", file("src/gone.rs", Match::Whole)),
        ("src/gon", Meaning::Unknown),
        ("twice.rs", file("a/twice.rs", Match::Several)),
        ("only.js", Meaning::Unknown),
        ("one.rs", file("lib/old/one.rs", Match::End)),
        ("never.rs", Meaning::Unknown),
        ("ne.rs", Meaning::Unknown),
    ] {
        assert_eq!(history.meaning(path), meaning, "{path}");
    }
    let Meaning::Folder(at, Match::Whole) = history.meaning("lib/old") else {
        panic!("lib/old is gone");
    };
    assert_eq!(history.meaning("old"), Meaning::Folder(at, Match::End));
    assert_eq!(history.below(history.folder(at)).len(), 2);
    assert_eq!(history.below("li").len(), 0);
}
