//! Real files of many projects; skipped where there are none beside the repository.

use std::path::{Path, PathBuf};

use memkeep::systems::ralph::{self, Edit, Type};

use crate::edits::seen;
use crate::oracle;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.is_file() {
            found.push(path);
        }
    }
}

/// The real files, each as it is, with Windows line ends, with a BOM and without its last end.
fn variants() -> Vec<(PathBuf, String)> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1);
    let mut folders = above.map(|folder| folder.join("shared/corpus/ralph"));
    let Some(folder) = folders.find(|folder| folder.is_dir()) else {
        println!("skipped: there is no folder shared/corpus/ralph above the repository");
        return Vec::new();
    };
    let mut found = Vec::new();
    files(&folder, &mut found);
    let mut all = Vec::new();
    for path in found {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let crlf = text.replace("\r\n", "\n").replace('\n', "\r\n");
        for text in [
            crlf,
            format!("\u{feff}{text}"),
            text.trim_end().to_owned(),
            text,
        ] {
            all.push((path.clone(), text));
        }
    }
    all
}

#[test]
fn real_files_are_read_as_ralph_reads_them() {
    for (path, text) in variants() {
        assert_eq!(
            seen(text.as_bytes()),
            oracle::parse(&text),
            "{}",
            path.display()
        );
    }
}

#[test]
fn every_field_of_real_files_can_be_edited_and_nothing_else_changes() {
    let mut edits = 0;
    for (path, text) in variants() {
        let bytes = text.as_bytes();
        let layout = ralph::read(bytes);
        let blocks = |bytes: &[u8]| -> Vec<Vec<u8>> {
            let entries = ralph::read(bytes).entries;
            entries
                .iter()
                .map(|entry| bytes[entry.span.clone()].trim_ascii_end().to_vec())
                .collect()
        };
        for index in 0..layout.entries.len() {
            let content = ralph::content(&bytes[layout.entries[index].body.clone()]);
            let content = String::from_utf8(content).unwrap();
            for edit in [
                Edit::Content("another text\n\nof two paragraphs".into()),
                Edit::Content(format!("{content}\nand a line")),
                Edit::Tags(vec!["one".into(), "two".into()]),
                Edit::Created("2026-11-01".into()),
                Edit::Type(Type::Decision),
                Edit::Normalize,
            ] {
                let (after, place) = ralph::change(bytes, index, &edit, "2026-11-20", true)
                    .unwrap_or_else(|error| panic!("{} {index} {edit:?}: {error}", path.display()));
                let (mut old, mut new) = (blocks(bytes), blocks(&after));
                old.remove(index);
                new.remove(place);
                assert_eq!(old, new, "{} {index} {edit:?}", path.display());
                edits += 1;
            }
            let same =
                ralph::change(bytes, index, &Edit::Content(content), "2026-11-20", true).unwrap();
            assert!(same.0 == bytes, "{} {index}", path.display());
            let after = ralph::take_out(bytes, &[index], true).unwrap();
            let mut old = blocks(bytes);
            let block = old.remove(index);
            assert_eq!(blocks(&after), old);
            let kind = layout.entries[index].kind;
            let back = ralph::put_back(&after, kind, &block, &[]).unwrap();
            assert_eq!(blocks(&back).len(), old.len() + 1);
        }
    }
    println!("{edits} edits");
}
