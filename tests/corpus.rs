//! Real files of many writers: every field is changed, taken out and put back, and the bytes are
//! those of the beginning. Skipped where there is no corpus beside the repository.

#![cfg(test)]

use std::path::{Path, PathBuf};

use memkeep::memory::Value;
use memkeep::memory::document::{layout, part};
use memkeep::memory::edit::{EditError, FieldEdit, apply, text_of};
use memkeep::memory::frontmatter;

fn apply_rawko(
    bytes: &[u8],
    document: usize,
    edits: &[FieldEdit],
) -> Result<Vec<u8>, memkeep::memory::edit::EditError> {
    apply(
        memkeep::memory::format::schema("rawko"),
        bytes,
        document,
        edits,
    )
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path
            .extension()
            .is_some_and(|end| end == "md" || end == "mdc")
        {
            found.push(path);
        }
    }
}

/// Edits and what came of them.
#[derive(Default, Debug)]
struct Tally {
    fields: usize,
    edits: usize,
    refused: usize,
}

/// One edit, and then the old value again: only lines of the field may differ on the way, and
/// the old fields are back at the end, with `exact` every byte.
fn there_and_back(
    bytes: &[u8],
    document: usize,
    there: &FieldEdit,
    back: &FieldEdit,
    exact: bool,
    tally: &mut Tally,
) {
    tally.edits += 1;
    let changed = match apply_rawko(bytes, document, std::slice::from_ref(there)) {
        Ok(changed) => changed,
        Err(EditError(why)) if why.contains("a YAML anchor") => {
            tally.refused += 1;
            return;
        }
        Err(error) => panic!("{there:?}: {error}"),
    };
    let again = apply_rawko(&changed, document, std::slice::from_ref(back)).unwrap();
    if exact {
        assert_eq!(
            String::from_utf8_lossy(&again),
            String::from_utf8_lossy(bytes),
            "{there:?}"
        );
    }
    let fields = |bytes: &[u8]| {
        let document = layout(bytes).documents.swap_remove(document);
        let front = part(bytes, document.front.unwrap()).to_vec();
        let fields = frontmatter::read(str::from_utf8(&front).unwrap()).unwrap();
        let mut fields: Vec<_> = fields
            .iter()
            .map(|(k, v)| (k.to_owned(), v.clone()))
            .collect();
        fields.sort_by(|(a, _), (b, _)| a.cmp(b));
        (fields, part(bytes, document.body).to_vec())
    };
    assert_eq!(fields(&again), fields(bytes), "{there:?}");
}

fn each_field(bytes: &[u8], tally: &mut Tally) {
    let all = layout(bytes).documents;
    for (number, document) in all.iter().enumerate() {
        let text = part(bytes, text_of(bytes, document));
        let same = [FieldEdit::Text(String::from_utf8_lossy(text).into_owned())];
        assert!(apply_rawko(bytes, number, &same).as_deref() == Ok(bytes));
        let body = String::from_utf8_lossy(part(bytes, document.body.clone())).into_owned();
        assert!(
            apply_rawko(bytes, number, &[FieldEdit::Body(body.clone())]).as_deref() == Ok(bytes)
        );
        if !body.trim().is_empty() {
            let longer =
                apply_rawko(bytes, number, &[FieldEdit::Body(format!("{body}\nmore\n"))]).unwrap();
            assert!(apply_rawko(&longer, number, &[FieldEdit::Body(body)]).as_deref() == Ok(bytes));
        }
        let Some(front) = &document.front else {
            continue;
        };
        let Ok(fields) = frontmatter::read(&String::from_utf8_lossy(part(bytes, front.clone())))
        else {
            continue;
        };
        for (name, value) in fields.iter() {
            tally.fields += 1;
            let field = || name.to_owned();
            let back = FieldEdit::Set {
                field: field(),
                value: value.clone(),
            };
            assert!(
                apply_rawko(bytes, number, std::slice::from_ref(&back)).as_deref() == Ok(bytes)
            );
            let other = FieldEdit::Set {
                field: field(),
                value: "some other text".into(),
            };
            // A text in quotes or a plain word comes back as it was; other shapes come back equal.
            let text = String::from_utf8_lossy(part(bytes, front.clone()));
            let place = frontmatter::Locations::new(&text)
                .locate(name, None)
                .unwrap();
            let written = part(bytes, front.start + place.start..front.start + place.end);
            let exact = written.starts_with(b"'")
                || value.as_str().is_some_and(|text| {
                    text.as_bytes() == written
                        && text.starts_with(char::is_alphabetic)
                        && text != "true"
                });
            there_and_back(
                bytes,
                number,
                &other,
                &back,
                exact && !text_is_odd(value),
                tally,
            );
            if fields.iter().count() > 1 || number == 0 {
                there_and_back(
                    bytes,
                    number,
                    &FieldEdit::Unset { field: field() },
                    &back,
                    false,
                    tally,
                );
            }
            if matches!(value, Value::Map(_)) {
                continue;
            }
            let items = value.items().count();
            let add = FieldEdit::AddItem {
                field: field(),
                item: "added".into(),
            };
            let is_list = matches!(value, Value::List(_)) && items > 0;
            let remove = FieldEdit::RemoveItem {
                field: field(),
                index: items,
            };
            if is_list {
                there_and_back(bytes, number, &add, &remove, true, tally);
            } else {
                there_and_back(bytes, number, &add, &back, false, tally);
            }
            for (index, item) in value.items().enumerate().filter(|_| is_list) {
                let set = |value: &Value| FieldEdit::SetItem {
                    field: field(),
                    index,
                    value: value.clone(),
                };
                there_and_back(bytes, number, &set(&"zzz".into()), &set(item), false, tally);
                there_and_back(
                    bytes,
                    number,
                    &FieldEdit::RemoveItem {
                        field: field(),
                        index,
                    },
                    &back,
                    false,
                    tally,
                );
            }
        }
    }
}

/// Text that would be quoted were it written anew.
fn text_is_odd(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| text.contains(['\n', '#', ':']))
}

#[test]
fn real_files_come_back_byte_for_byte() {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1);
    let mut folders = above.map(|folder| folder.join("shared/corpus"));
    let Some(folder) = folders.find(|folder| folder.is_dir()) else {
        println!("skipped: there is no folder shared/corpus above the repository");
        return;
    };
    let mut found = Vec::new();
    files(&folder, &mut found);
    let mut tally = Tally::default();
    for path in &found {
        let bytes = std::fs::read(path).unwrap();
        println!("{}", path.display());
        let crlf: Vec<u8> = String::from_utf8_lossy(&bytes)
            .replace("\r\n", "\n")
            .replace('\n', "\r\n")
            .into();
        let bom = [b"\xEF\xBB\xBF", bytes.as_slice()].concat();
        for bytes in [bytes, crlf, bom] {
            each_field(&bytes, &mut tally);
        }
    }
    println!("{} files, {tally:?}", found.len());
    assert_eq!(tally.refused, 0);
}
