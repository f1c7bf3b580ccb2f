use super::*;
use crate::text::rows;

#[test]
fn paths_mean_what_is_there_then_what_was() {
    let gone = |path: &String| Gone {
        path: path.as_str().into(),
        commit: 0,
        blob: Blob::default(),
        to: None,
    };
    let log = Log {
        gone: rows::<Vec<_>>("tables", "gone").iter().map(gone).collect(),
        ..Log::default()
    };
    let history = History::new(
        "/repo/tide",
        rows("tables", "files"),
        Arc::new(log),
        BTreeMap::new(),
    );
    for [path, expected] in rows::<Vec<[String; 2]>>("tables", "meanings") {
        let meaning = match history.meaning(&path) {
            Meaning::File(at, matched) => format!("{matched:?} {}", history.gone.at(at)),
            Meaning::Folder(at, matched) => format!("{matched:?} {}/", history.gone_folders.at(at)),
            other => format!("{other:?}"),
        };
        assert_eq!(meaning, expected, "{path}");
    }
    assert_eq!(history.gone.below("lib/old").len(), 2);
    assert_eq!(history.gone.below("li").len(), 0);
}
