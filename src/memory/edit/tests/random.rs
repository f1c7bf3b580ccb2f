//! Edits of files that are made up.

use proptest::prelude::*;

use super::*;
use crate::memory::document::layout;

fn rawko() -> &'static Schema {
    crate::memory::format::schema("rawko")
}

const NAMES: [&str; 6] = [
    "title",
    "tags",
    "whenToUse",
    "importance",
    "discoveredAt",
    "x-extra",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z][a-z |.*-]{0,8}[a-z]",
        1 => "[ -~]{0,10}",
        1 => "[a-zé\u{2028}\u{feff}\u{1}\n\t\r \"'\\\\#:,]{0,8}",
        1 => prop::sample::select(vec!["yes", "null", "12", "1.5", "2026-01-01", "~", "", "a: b", "a #b", "-", "- a", "[a", "&a", "*a", "!a", "0x1f", ".inf", "1e3", "12:30", "<<", "=", "---", "..."]).prop_map(String::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => text().prop_map(Value::from),
        2 => prop::collection::vec(text(), 0..4).prop_map(|items| items.into_iter().map(Value::from).collect()),
        1 => prop::sample::select(vec![Value::Null, Value::Bool(true), Value::Int(-7), Value::Float(0.5), Value::Float(1e300)]),
    ]
}

/// The lines of a field, the last without its end; `N` stands for the name.
fn field() -> impl Strategy<Value = String> {
    let plain = "[a-z]([a-z |.*]{0,8}[a-z])?".boxed();
    let quoted = prop_oneof![
        plain.clone(),
        "[a-z |,:#\\[\\]{}*&!?-]{0,8}".prop_map(|text| format!("\"{text}\"")),
        "[a-z |,:#\\[\\]{}*&!?\"\\\\-]{0,8}".prop_map(|text| format!("'{text}'")),
        prop::sample::select(vec!["\"a \\\" b\"", "'it''s'", "12"]).prop_map(String::from),
    ]
    .boxed();
    let comment = prop::sample::select(vec!["", "", "", " # why", "   # a: [b]"]);
    let space = prop::sample::select(vec![" ", " ", "   "]);
    let one = (quoted.clone(), comment.clone(), space).prop_map(|(v, c, s)| format!("N:{s}{v}{c}"));
    let comma = prop::sample::select(vec![", ", ",", " ,  "]);
    let items = |least| prop::collection::vec(quoted.clone(), least..4);
    let flow = (items(0), comment.clone(), comma, any::<bool>());
    let flow = flow.prop_map(|(items, c, comma, pad)| {
        let pad = if pad { " " } else { "" };
        format!("N: [{pad}{}{pad}]{c}", items.join(comma))
    });
    let tall = (items(1), comment.clone());
    let tall = tall.prop_map(|(items, c)| format!("N: [\n  {},\n]{c}", items.join(",\n  ")));
    let dash = prop::sample::select(vec!["- ", "  - ", "    -   "]);
    let lines = prop::collection::vec((quoted.clone(), comment.clone()), 1..4);
    let block = (lines, comment.clone(), dash, any::<bool>());
    let block = block.prop_map(|(items, c, dash, gap)| {
        let gap = match (gap, dash) {
            (false, _) => "",
            (true, "- ") => "\n# between",
            (true, _) => "\n",
        };
        let items = items.into_iter();
        let items = items.map(|(item, c)| format!("\n{dash}{item}{c}{gap}"));
        format!("N:{c}{}", items.collect::<String>())
    });
    let head = prop::sample::select(vec!["|", "|-", ">", ">-", "|+", "|2-"]);
    let literal = (head, prop::collection::vec(plain, 1..4), comment);
    let literal =
        literal.prop_map(|(head, lines, c)| format!("N: {head}{c}\n  {}", lines.join("\n  ")));
    let rest = prop::sample::select(vec![
        "N:",
        "N: ~ # c",
        "N: goes on\n  here\n\n  and here",
        "N:\n  \"below\"",
        "N: \"goes\n  on\"",
        "N:\n  a: b\n  c:\n    - d",
        "N: {a: b, c: [d]} # c",
    ]);
    let rest = rest.prop_map(String::from);
    prop_oneof![4 => one, 3 => flow, 1 => tall, 4 => block, 2 => literal, 2 => rest]
}

/// The lines of fields and what stands between them, each with the name of its field.
type Front = Vec<(String, &'static str)>;

fn front() -> impl Strategy<Value = Front> {
    let between = prop::sample::select(vec![None, None, None, Some("# a note: x"), Some("")]);
    let fields = prop::collection::vec((field(), any::<bool>(), between), NAMES.len());
    fields.prop_map(|fields| {
        let mut front = Vec::new();
        for (name, (lines, keep, between)) in NAMES.into_iter().zip(fields) {
            if keep || name == "title" {
                front.push((lines.replacen('N', name, 1), name));
                front.extend(between.map(|between| (between.to_owned(), "")));
            }
        }
        front
    })
}

fn edit() -> impl Strategy<Value = FieldEdit> {
    let name = prop::sample::select(NAMES.to_vec())
        .prop_map(String::from)
        .boxed();
    prop_oneof![
        4 => (name.clone(), value()).prop_map(|(field, value)| FieldEdit::Set { field, value }),
        1 => name.clone().prop_map(|field| FieldEdit::Unset { field }),
        3 => (name.clone(), text()).prop_map(|(field, item)| FieldEdit::AddItem { field, item: item.into() }),
        2 => (name.clone(), 0..4_usize).prop_map(|(field, index)| FieldEdit::RemoveItem { field, index }),
        3 => (name, 0..4_usize, text()).prop_map(|(field, index, value)| FieldEdit::SetItem { field, index, value: value.into() }),
    ]
}

/// A file around frontmatter, and the number of the document that has it.
fn wrap(front: &Front, eol: &str, bom: bool, second: bool, end: bool) -> (String, usize) {
    let front: String = front
        .iter()
        .map(|(lines, _)| format!("{lines}\n"))
        .collect();
    let mut file = format!("---\n{front}---\n\n# Body\n\n---\n\ntext");
    if second {
        file = format!(
            "---\ntitle: first\n---\n\none\n\n---\n\n{file}\n\n---\n\n---\ntitle: third\n---\n"
        );
    }
    let mut file = file.replace('\n', eol);
    if bom {
        file.insert(0, '\u{feff}');
    }
    if end {
        file.push_str(eol);
    }
    (file, usize::from(second))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_changes_its_field_and_nothing_else(
        front in front(), edit in edit(), crlf in any::<bool>(), bom in any::<bool>(),
        second in any::<bool>(), end in any::<bool>(),
    ) {
        let (file, index) = wrap(&front, if crlf { "\r\n" } else { "\n" }, bom, second, end);
        let before = layout(file.as_bytes());
        prop_assert_eq!(before.documents.len(), if second { 3 } else { 1 });
        let fields = fields_of(rawko(), file.as_bytes(), &before.documents[index]).map(|(fields, _)| fields);
        // Some of what is put together is not YAML.
        prop_assume!(fields.is_ok());
        let fields = fields.unwrap();
        let out = match apply_rawko(file.as_bytes(), index, std::slice::from_ref(&edit)) {
            Ok(out) => String::from_utf8(out).unwrap(),
            Err(EditError(why)) if why.contains(" has no item ") || why.ends_with(" is not a list") => return Ok(()),
            // The last key of a later document.
            Err(EditError(why)) if why.contains("changed more than") && second && matches!(edit, FieldEdit::Unset { .. }) && fields.iter().count() == 1 => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(format!("{error}: {file}"))),
        };
        // Every line of every other field, and everything around, is there still.
        let name = edit.field_name();
        let mut rest = out.as_str();
        let eol = if crlf { "\r\n" } else { "\n" };
        for (lines, field) in &front {
            if *field != name {
                // A new field may stand before blank lines.
                let lines = lines.replace('\n', eol);
                let lines = lines.trim_end();
                let at = rest.find(lines);
                prop_assert!(at.is_some(), "lost {:?} in {}", lines, out);
                rest = &rest[at.unwrap() + lines.len()..];
            }
        }
        if crlf {
            prop_assert_eq!(out.matches('\n').count(), out.matches("\r\n").count());
        }
        let head = before.documents[index].span.start;
        prop_assert_eq!(&out[..head], &file[..head]);
        let tail = &file[before.documents[index].body.start..];
        prop_assert!(out.ends_with(tail));
        // Putting the old value back gives the old fields, and where it was changed in place and
        // is text in quotes, the old bytes.
        if let (Some(old), false) = (fields.get(name), matches!(edit, FieldEdit::Unset { .. })) {
            let back = apply_rawko(out.as_bytes(), index, &[set(name, old.clone())]).map_err(|error| TestCaseError::fail(format!("{error}: {out}")))?;
            let after = layout(&back);
            prop_assert_eq!(fields_of(rawko(), &back, &after.documents[index]).unwrap().0, fields);
        }
    }

    #[test]
    fn a_body_is_replaced_and_nothing_else(
        old in "[a-z \n\r#`]{0,30}", new in "[a-z \n#`]{0,30}", crlf in any::<bool>(), second in any::<bool>(), end in any::<bool>(),
    ) {
        let front = vec![("title: x".to_owned(), "title")];
        let (file, index) = wrap(&front, if crlf { "\r\n" } else { "\n" }, false, second, end);
        let file = file.replace("# Body", &old);
        let documents = layout(file.as_bytes()).documents;
        prop_assume!(documents.len() == if second { 3 } else { 1 });
        if let Ok(out) = apply_rawko(file.as_bytes(), index, &[FieldEdit::Body(new)]) {
            prop_assert_eq!(&out[..documents[index].body.start.min(out.len())], &file.as_bytes()[..documents[index].body.start]);
            prop_assert!(out.ends_with(&file.as_bytes()[documents[index].body.end..]));
        }
        let same = String::from_utf8_lossy(part(file.as_bytes(), documents[index].body.clone())).into_owned();
        prop_assert_eq!(apply_rawko(file.as_bytes(), index, &[FieldEdit::Body(same)]), Ok(file.into_bytes()));
    }

    #[test]
    fn any_bytes_are_edited_or_refused(bytes in "(---\n|a: |\\[|\\]|b|: |- |\n|  |#|\"|'|\\{|\\}|&x |\\*x|\\||>|,|é|\t){0,24}", edit in edit()) {
        for bytes in [bytes.clone().into_bytes(), format!("---\n{bytes}\n---\nx").into_bytes()] {
            let _ = apply_rawko(&bytes, 0, std::slice::from_ref(&edit));
            let _ = frontmatter::Locations::new(&String::from_utf8_lossy(&bytes)).locate("a", Some(0));
        }
    }
}
