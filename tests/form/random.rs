//! Whatever is typed: nothing panics, what is drawn is safe, and the edits are what they say.

use memkeep::app::form::Form;
use memkeep::app::merge;
use memkeep::app::text::TextEditor;
use memkeep::memory::edit::{self, FieldEdit};
use memkeep::memory::format;
use memkeep::memory::{Fields, Value, document, frontmatter};
use memkeep::ui;
use memkeep::ui::theme::Theme;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::common::{NOW, keys, known, memory, press, press_text};

/// What saves do with edits, one after the other, on fields alone.
fn apply(fields: &Fields, edits: &[FieldEdit]) -> Vec<(String, Value)> {
    let mut all: Vec<(String, Value)> = fields
        .iter()
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect();
    for edit in edits {
        match edit {
            FieldEdit::Set { field, value } => match all.iter_mut().find(|(name, _)| name == field)
            {
                Some((_, old)) => *old = value.clone(),
                None => all.push((field.clone(), value.clone())),
            },
            FieldEdit::Unset { field } => all.retain(|(name, _)| name != field),
            FieldEdit::AddItem { field, item } => items(&mut all, field, |items| {
                items.push(item.clone());
            }),
            FieldEdit::RemoveItem { field, index } => items(&mut all, field, |items| {
                items.remove(*index);
            }),
            FieldEdit::SetItem {
                field,
                index,
                value,
            } => items(&mut all, field, |items| items[*index] = value.clone()),
            other => panic!("{other:?}"),
        }
    }
    all
}

fn items(all: &mut [(String, Value)], field: &str, change: impl FnOnce(&mut Vec<Value>)) {
    let (_, value) = all.iter_mut().find(|(name, _)| name == field).unwrap();
    // A single value becomes a list.
    let mut list: Vec<Value> = value.items().cloned().collect();
    change(&mut list);
    *value = Value::List(list.into());
}

fn text() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "a",
        "auth",
        " ",
        "|",
        "*",
        "\u{1b}[2J",
        "\u{202e}",
        "e\u{301}",
        "漢",
        "👩\u{200d}👧",
        "\t",
        "\n",
        "",
    ]);
    prop::collection::vec(odd, 0..8).prop_map(|parts| parts.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => text().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => any::<i8>().prop_map(|n| Value::Int(n.into())),
        1 => Just(Value::Float(1.5)),
        1 => prop::sample::select(vec!["low", "high", "2026-01-24"]).prop_map(Value::from),
    ];
    let list =
        prop::collection::vec(leaf.clone(), 0..5).prop_map(|items| items.into_iter().collect());
    let map = leaf
        .clone()
        .prop_map(|v| Value::Map(Box::new(Fields::from_iter([("k", v)]))));
    prop_oneof![3 => leaf, 3 => list, 1 => map]
}

fn fields() -> impl Strategy<Value = Vec<(&'static str, Value)>> {
    let names = vec![
        "title",
        "whenToUse",
        "tags",
        "importance",
        "discoveredAt",
        "discoveredBy",
        "relatedMemories",
        "own",
        "own2",
    ];
    let names = prop::sample::subsequence(names, 0..9).prop_shuffle();
    names.prop_flat_map(|names| {
        let values = prop::collection::vec(value(), names.len());
        values.prop_map(move |values| names.iter().copied().zip(values).collect())
    })
}

fn typed() -> impl Strategy<Value = String> {
    let one = prop::sample::select(vec![
        "<enter>",
        "<enter>",
        "<esc>",
        "<tab>",
        "<s-tab>",
        "<up>",
        "<down>",
        "<left>",
        "<right>",
        "<s-up>",
        "<s-down>",
        "<s-right>",
        "<home>",
        "<end>",
        "<bs>",
        "<del>",
        "<c-w>",
        "<c-k>",
        "<c-u>",
        "<c-r>",
        "<c-f>",
        "<c-s>",
        "<c-left>",
        "<c-x>",
        "<c-y>",
        "<pgdn>",
        "<pgup>",
        "<c-end>",
        "<c-d>",
        "a",
        "w",
        "i",
        "x",
        "n",
        "y",
        "u",
        "G",
        "g",
        "b",
        "m",
        "N",
        "auth",
        ",",
        "é",
        "\u{301}",
        "漢",
        "\u{202e}",
        " ",
        "1",
    ]);
    prop::collection::vec(one, 0..40).prop_map(|keys| keys.concat())
}

fn area() -> impl Strategy<Value = Rect> {
    (0u16..3, 0u16..3, 0u16..130, 0u16..30).prop_map(|(x, y, w, h)| Rect::new(x, y, w, h))
}

/// Draws, and sees that nothing raw is in the cells and the cursor is in the area.
fn draw(area: Rect, draw: impl FnOnce(&mut Buffer) -> Option<Position>) {
    let mut buf = Buffer::empty(Rect::new(0, 0, area.right() + 2, area.bottom() + 2));
    let cursor = draw(&mut buf);
    if let Some(cursor) = cursor {
        assert!(area.contains(cursor), "{cursor:?} {area:?}");
    }
    for (n, cell) in buf.content.iter().enumerate() {
        let symbol = cell.symbol();
        assert!(!symbol.chars().any(char::is_control), "{symbol:?}");
        assert!(!symbol.contains('\u{202e}'), "{symbol:?}");
        let (x, y) = buf.pos_of(n);
        assert!(
            area.contains(Position::new(x, y)) || symbol == " ",
            "{symbol:?} at {x},{y}"
        );
    }
}

/// Memory fields as a file has them: what YAML cannot tell from another value is left out.
fn file(fields: &[(&'static str, Value)]) -> Vec<u8> {
    let fields: Vec<(String, Value)> = fields
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    frontmatter::compose(format::schema("rawko"), &fields, "The body.\n").into_bytes()
}

fn read(bytes: &[u8]) -> Fields {
    let layout = document::layout(bytes);
    let front = layout.documents[0].front.clone().unwrap();
    frontmatter::read(std::str::from_utf8(document::part(bytes, front)).unwrap()).unwrap()
}

proptest! {
    #[test]
    fn edits_of_a_file_make_the_draft(mut fields in fields(), typed in typed()) {
        fields.push(("source", "always here".into()));
        let bytes = file(&fields);
        let mut memory = memory(Vec::new());
        memory.fields = read(&bytes);
        let mut form = Form::open(&memory, &known(), NOW);
        for key in keys(&typed) {
            press(&mut form, key);
        }
        let edits = form.edits();
        let edited = edit::apply(format::schema("rawko"), &bytes, 0, &edits);
        prop_assert!(edited.is_ok(), "{:?} {:?}", edited, edits);
        if let Ok(edited) = edited {
            let names = |fields: &Fields| {
                let mut all: Vec<(String, Value)> =
                    fields.iter().map(|(n, v)| (n.to_owned(), v.clone())).collect();
                all.sort_by(|a, b| a.0.cmp(&b.0));
                all
            };
            prop_assert_eq!(names(&read(&edited)), names(&form.draft_memory(&memory).fields));
        }
    }

    #[test]
    fn edits_make_the_draft(fields in fields(), typed in typed(), pasted in text(), area in area()) {
        let memory = memory(fields);
        let mut form = Form::open(&memory, &known(), NOW);
        prop_assert!(!form.dirty());
        prop_assert!(form.edits().is_empty());
        let events = keys(&typed);
        let half = events.len() / 2;
        for (n, key) in events.into_iter().enumerate() {
            press(&mut form, key);
            if n == half {
                form.paste(&pasted);
            }
        }
        draw(area, |buf| ui::form::draw(&form, (None, &[]), &Theme::dark(), area, buf));
        let edits = form.edits();
        prop_assert_eq!(form.dirty(), !edits.is_empty(), "{:?}", edits);
        let draft = form.draft_memory(&memory);
        let draft: Vec<(String, Value)> =
            draft.fields.iter().map(|(n, v)| (n.to_owned(), v.clone())).collect();
        prop_assert_eq!(apply(&memory.fields, &edits), draft, "{:?}", edits);
    }

    #[test]
    fn a_new_memory_takes_any_key(typed in typed(), area in area()) {
        let mut form = Form::create(format::schema("rawko"), &known(), NOW, "dev");
        for key in keys(&typed) {
            press(&mut form, key);
        }
        form.new_memory();
        draw(area, |buf| ui::form::draw(&form, (None, &[]), &Theme::dark(), area, buf));
    }

    #[test]
    fn a_text_takes_any_key(base in text(), typed in typed(), pasted in text(), area in area(), told in any::<bool>()) {
        let mut editor = TextEditor::open(&base, &base, None).unwrap();
        if told {
            editor.resize(area.width, area.height);
        }
        for key in keys(&typed) {
            press_text(&mut editor, key);
        }
        editor.paste(&pasted);
        draw(area, |buf| ui::text::draw(&editor, &Theme::dark(), area, buf));
        let text = editor.text();
        prop_assert_eq!(editor.dirty(), text != base);
        prop_assert_eq!(editor.counts.words, text.split_whitespace().count());
        prop_assert_eq!(editor.counts.bytes, text.len());
    }

    #[test]
    fn any_two_texts_can_be_merged(base in text(), mine in text(), theirs in text()) {
        prop_assert_eq!(&merge(&base, &base, &theirs).0, &theirs);
        merge(&base, &mine, &theirs);
    }

    #[test]
    fn any_text_is_drawn_as_a_difference(text in text(), other in text()) {
        let diff = format!("@@ -1,3 +1,3 @@\n-{text}\n+{other}\n {text}\n@@ {text}");
        ui::diff::lines(&diff, &Theme::dark(), 80);
    }
}
