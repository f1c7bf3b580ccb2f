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

/// A field's lines without line ends.
fn lines_of(name: &'static str) -> BoxedStrategy<Vec<String>> {
    let plain = "[a-z]([a-z |.*]{0,8}[a-z])?".boxed();
    let quoted = prop_oneof![
        plain.clone(),
        "[a-z |,:#\\[\\]{}*&!?-]{0,8}".prop_map(|text| format!("\"{text}\"")),
        "[a-z |,:#\\[\\]{}*&!?\"\\\\-]{0,8}".prop_map(|text| format!("'{text}'")),
        Just("\"a \\\" b\"".to_owned()),
        Just("'it''s'".to_owned()),
        Just("12".to_owned()),
    ]
    .boxed();
    let comment = prop::sample::select(vec!["", "", "", " # why", "   # a: [b]"]);
    let space = prop::sample::select(vec![" ", " ", "   "]);
    let one = (quoted.clone(), comment.clone(), space.clone())
        .prop_map(move |(v, c, s)| vec![format!("{name}:{s}{v}{c}")]);
    let flow = (
        prop::collection::vec(quoted.clone(), 0..4),
        comment.clone(),
        prop::sample::select(vec![", ", ",", " ,  "]),
        any::<bool>(),
    )
        .prop_map(move |(items, c, comma, pad)| {
            let pad = if pad { " " } else { "" };
            vec![format!("{name}: [{pad}{}{pad}]{c}", items.join(comma))]
        });
    let tall = (prop::collection::vec(quoted.clone(), 1..4), comment.clone()).prop_map(
        move |(items, c)| {
            let mut lines = vec![format!("{name}: [")];
            lines.extend(items.iter().map(|item| format!("  {item},")));
            lines.push(format!("]{c}"));
            lines
        },
    );
    let block = (
        prop::collection::vec((quoted, comment.clone()), 1..4),
        comment.clone(),
        prop::sample::select(vec!["- ", "  - ", "    -   "]),
        any::<bool>(),
    )
        .prop_map(move |(items, c, dash, gap)| {
            let mut lines = vec![format!("{name}:{c}")];
            for (item, c) in items {
                lines.push(format!("{dash}{item}{c}"));
                if gap {
                    lines.push(
                        if dash.starts_with('-') {
                            "# between"
                        } else {
                            ""
                        }
                        .to_owned(),
                    );
                }
            }
            lines
        });
    let literal = (
        prop::sample::select(vec!["|", "|-", ">", ">-", "|+", "|2-"]),
        prop::collection::vec(plain, 1..4),
        comment,
    )
        .prop_map(move |(head, lines, c)| {
            let first = format!("{name}: {head}{c}");
            [first]
                .into_iter()
                .chain(lines.into_iter().map(|line| format!("  {line}")))
                .collect()
        });
    let rest = prop::sample::select(vec![
        vec![format!("{name}:")],
        vec![format!("{name}: ~ # c")],
        vec![
            format!("{name}: goes on"),
            "  here".into(),
            "".into(),
            "  and here".into(),
        ],
        vec![format!("{name}:"), "  \"below\"".into()],
        vec![format!("{name}: \"goes"), "  on\"".into()],
        vec![
            format!("{name}:"),
            "  a: b".into(),
            "  c:".into(),
            "    - d".into(),
        ],
        vec![format!("{name}: {{a: b, c: [d]}} # c")],
    ]);
    prop_oneof![4 => one, 3 => flow, 1 => tall, 4 => block, 2 => literal, 2 => rest].boxed()
}

#[derive(Clone, Debug)]
struct Made {
    front: Vec<Vec<String>>,
    names: Vec<String>,
}

fn front() -> impl Strategy<Value = Made> {
    let between = prop::sample::select(vec![None, None, None, Some("# a note: x"), Some("")]);
    let fields: Vec<_> = NAMES
        .into_iter()
        .map(|name| (lines_of(name), any::<bool>(), between.clone()))
        .collect();
    fields.prop_map(|fields| {
        let mut made = Made {
            front: Vec::new(),
            names: Vec::new(),
        };
        for (name, (lines, keep, between)) in NAMES.into_iter().zip(fields) {
            if keep || name == "title" {
                made.front.push(lines);
                made.names.push(name.into());
                if let Some(between) = between {
                    made.front.push(vec![between.into()]);
                    made.names.push(String::new());
                }
            }
        }
        made
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
fn wrap(made: &Made, eol: &str, bom: bool, second: bool, end: bool) -> (String, usize) {
    let front: String = made
        .front
        .iter()
        .flatten()
        .map(|line| format!("{line}{eol}"))
        .collect();
    let mut file = format!("---{eol}{front}---{eol}{eol}# Body{eol}{eol}---{eol}{eol}text");
    if second {
        file = format!(
            "---{eol}title: first{eol}---{eol}{eol}one{eol}{eol}---{eol}{eol}{file}{eol}{eol}---{eol}{eol}---{eol}title: third{eol}---{eol}"
        );
    }
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
        made in front(), edit in edit(), crlf in any::<bool>(), bom in any::<bool>(),
        second in any::<bool>(), end in any::<bool>(),
    ) {
        let (file, index) = wrap(&made, if crlf { "\r\n" } else { "\n" }, bom, second, end);
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
        for (lines, field) in made.front.iter().zip(&made.names) {
            if field != name {
                // A new field may stand before blank lines.
                let lines = lines.iter().map(|line| format!("{line}{eol}")).collect::<String>();
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
        let made = Made { front: vec![vec!["title: x".into()]], names: vec!["title".into()] };
        let (file, index) = wrap(&made, if crlf { "\r\n" } else { "\n" }, false, second, end);
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
