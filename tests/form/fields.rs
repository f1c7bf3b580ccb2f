//! Key strings against the edits they make.

use memkeep::app::form::{Form, Outcome, unreadable};
use memkeep::memory::edit::FieldEdit;
use memkeep::memory::format;
use memkeep::memory::{Problem, Severity, Value};
use memkeep::systems::golemcore::GOLEMCORE;
use memkeep::systems::ralph::RALPH;

use crate::common::{NOW, known, list, memory, oauth, send};

/// Edits as short text: `+` adds an item, `-` removes one, `=` sets.
fn short(edits: &[FieldEdit]) -> String {
    let one = |edit: &FieldEdit| match edit {
        FieldEdit::Set { field, value } => format!("{field}={value:?}"),
        FieldEdit::Unset { field } => format!("unset {field}"),
        FieldEdit::AddItem { field, item } => format!("{field}+{item}"),
        FieldEdit::RemoveItem { field, index } => format!("{field}-{index}"),
        FieldEdit::SetItem {
            field,
            index,
            value,
        } => format!("{field}[{index}]={value}"),
        other => format!("{other:?}"),
    };
    edits.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn edits(keys: &str) -> String {
    let mut form = Form::open(&oauth(), &known(), NOW);
    send(&mut form, keys);
    short(&form.edits())
}

#[test]
fn raising_the_importance_costs_four_keys_after_e() {
    let mut form = Form::open(&oauth(), &known(), NOW);
    assert_eq!(send(&mut form, "i"), Outcome::Redraw);
    assert_eq!(send(&mut form, "<right>"), Outcome::Changed);
    assert_eq!(form.draft_memory(&oauth()).importance(), Some("critical"));
    assert_eq!(send(&mut form, "<c-s>"), Outcome::Save);
    assert_eq!(short(&form.edits()), r#"importance=Text("critical")"#);
}

#[test]
fn keys_make_the_fewest_edits() {
    let table = rows! {
        // Choices: by step, by letter, by number, back to what it was.
        "i<left>" => r#"importance=Text("medium")"#,
        "ic" => r#"importance=Text("critical")"#,
        "i1" => r#"importance=Text("low")"#,
        "i<right><right><right>" => r#"importance=Text("critical")"#,
        "i<right><left>" => "",
        "iu<right>u" => "",
        // Text: typed, put back, cut, and by word.
        "<enter>!<enter>" => r#"title=Text("OAuth2 Integration Was Too Broad!")"#,
        "<enter>!<esc>" => "",
        "<enter>!<bs><enter>" => "",
        "<enter><c-w>Wide<enter>" => r#"title=Text("OAuth2 Integration Was Too Wide")"#,
        "<enter><home><c-k>New<tab>" => r#"title=Text("New")"#,
        "t<enter><c-left><c-left><a-bs>is <enter>" => r#"title=Text("OAuth2 Integration is Too Broad")"#,
        // Tags: a line with commas: add, remove, change.
        "a<enter>new<enter><enter>" => "tags+new",
        "a<enter>one,two,<enter>" => "tags+one; tags+two",
        "a<enter>pending" => "tags+pending",
        "a<enter>auth<enter>" => "",
        "a<enter><c-w>" => "tags-2",
        "a<enter><home><del>s<enter>" => "tags[0]=sailures",
        "a<enter><bs><bs>s<enter>" => "tags[2]=scopes",
        "a<enter><c-u>" => r#"tags=List([])"#,
        "a<enter>new<esc>" => "",
        // Patterns: add, change, remove, move.
        "w<enter>alogin<enter>" => "whenToUse+login",
        "w<enter><enter>s<enter>" => "whenToUse[0]=oauth|social.*auths",
        "w<enter><down>x" => "whenToUse-1",
        "w<enter><enter><c-u><enter>" => "whenToUse-0",
        "w<enter><enter>zzz<esc>" => "",
        "w<enter>xalogin<enter>" => "whenToUse-0; whenToUse+login",
        // A list that was not there.
        "r<enter>jwt-pattern<enter>" => r#"relatedMemories=List([Text("jwt-pattern")])"#,
        // Dates.
        "dn" => r#"discoveredAt=Text("2026-11-21T09:30:00Z")"#,
        "d<enter><c-u>now<enter>" => r#"discoveredAt=Text("2026-11-21T09:30:00Z")"#,
        "d<enter><c-u>2026-01-24<enter>" => r#"discoveredAt=Text("2026-01-24")"#,
        // Text that is taken away: what is needed stays, empty.
        "b<enter><c-u><enter>" => r#"discoveredBy=Text("")"#,
        // A field of the memory's own keeps its kind.
        "G<up><enter><bs>9<enter>" => "confidence=Int(9)",
        "G<up><enter>x<enter>" => r#"confidence=Text("7x")"#,
        "G<up><enter><bs><enter>" => "unset confidence",
        // A mapping cannot be typed.
        "G<enter>abc" => "",
    };
    for (keys, expected) in table {
        assert_eq!(edits(keys), expected, "{keys}");
    }
}

#[test]
fn one_pattern_without_a_list_stays_one() {
    let one = memory(vec![("title", "T".into()), ("whenToUse", "auth".into())]);
    let edits = |keys: &str| {
        let mut form = Form::open(&one, &known(), NOW);
        send(&mut form, keys);
        short(&form.edits())
    };
    assert_eq!(
        edits("w<enter><enter>x<enter>"),
        r#"whenToUse=Text("authx")"#
    );
    assert_eq!(edits("w<enter>ajwt<enter>"), "whenToUse+jwt");
}

#[test]
fn a_bad_date_is_not_saved_but_one_that_was_there_does_not_stand_in_the_way() {
    let mut form = Form::open(&oauth(), &known(), NOW);
    assert_eq!(
        send(&mut form, "d<enter><c-u>yesterday<c-s>"),
        Outcome::Redraw
    );
    assert_eq!(send(&mut form, "u<c-s>"), Outcome::Leave);

    let old = memory(vec![
        ("title", "T".into()),
        ("discoveredAt", "yesterday".into()),
    ]);
    let mut form = Form::open(&old, &known(), NOW);
    assert_eq!(send(&mut form, "ic<c-s>"), Outcome::Save);
    assert_eq!(short(&form.edits()), r#"importance=Text("critical")"#);
}

#[test]
fn esc_asks_once_before_changes_are_given_up() {
    let mut form = Form::open(&oauth(), &known(), NOW);
    assert_eq!(send(&mut form, "<esc>"), Outcome::Leave);
    assert_eq!(send(&mut form, "ic<esc>"), Outcome::Redraw);
    assert_eq!(send(&mut form, "z"), Outcome::Nothing);
    assert_eq!(send(&mut form, "n"), Outcome::Redraw);
    assert!(form.dirty());
    assert_eq!(send(&mut form, "<esc>y"), Outcome::Leave);
}

#[test]
fn letters_are_text_inside_a_field_only() {
    let mut form = Form::open(&oauth(), &known(), NOW);
    assert!(!form.typing());
    send(&mut form, "<enter>");
    assert!(form.typing());
    send(&mut form, "icw<enter>");
    assert_eq!(
        short(&form.edits()),
        r#"title=Text("OAuth2 Integration Was Too Broadicw")"#
    );
}

#[test]
fn a_paste_on_an_entry_that_nobody_types_in_replaces_nothing() {
    // On the list of patterns, on its first entry; terminals send line ends as carriage returns.
    let table = [
        ("one", ["whenToUse+one"]),
        ("one\rtwo\r", ["whenToUse+one; whenToUse+two"]),
        ("one\r\n\r\ntwo", ["whenToUse+one; whenToUse+two"]),
    ];
    for (pasted, expected) in table {
        let mut form = Form::open(&oauth(), &known(), NOW);
        send(&mut form, "w<enter>");
        form.paste(pasted);
        assert_eq!([short(&form.edits())], expected, "{pasted:?}");
    }
}

#[test]
fn a_paste_is_text_and_several_lines_are_several_items() {
    let mut form = Form::open(&oauth(), &known(), NOW);
    assert_eq!(form.paste("x"), Outcome::Redraw);
    assert!(!form.dirty());
    send(&mut form, "<enter>");
    form.paste(" a\u{1b}\nb\n");
    send(&mut form, "<enter>w<enter>a");
    form.paste("one\ntwo\n");
    assert_eq!(
        short(&form.edits()),
        r#"title=Text("OAuth2 Integration Was Too Broad a b"); whenToUse+one; whenToUse+two"#
    );
}

#[test]
fn a_new_memory_has_defaults_and_needs_a_title() {
    let mut form = Form::create(format::schema("rawko"), &known(), NOW, "developer");
    assert!(!form.dirty());
    assert!(form.typing());
    assert_eq!(send(&mut form, "<c-s>"), Outcome::Redraw);
    assert_eq!(
        send(
            &mut form,
            "<enter>Use Pools<enter>pool|pooling<enter><esc><c-s>"
        ),
        Outcome::Save
    );
    let (title, fields, body) = form.new_memory();
    assert_eq!(title, "Use Pools");
    assert_eq!(body, "");
    let fields: Vec<(&str, Value)> = fields.iter().map(|(n, v)| (&**n, v.clone())).collect();
    assert_eq!(
        fields,
        [
            ("whenToUse", list(&["pool|pooling"])),
            ("tags", list(&[])),
            ("importance", "medium".into()),
            ("discoveredAt", "2026-11-21T09:30:00Z".into()),
            ("discoveredBy", "developer".into()),
        ]
    );
}

#[test]
fn a_format_without_titles_needs_a_text_and_nothing_else() {
    let mut form = Form::create(&RALPH, &known(), NOW, "");
    assert_eq!(send(&mut form, "<c-s>"), Outcome::Redraw);
    // The focus stands on what is missing.
    assert_eq!(send(&mut form, "<enter>Retry once<c-s>"), Outcome::Save);
    let (title, _, body) = form.new_memory();
    assert_eq!((title.as_str(), body.as_str()), ("", "Retry once"));
}

#[test]
fn what_the_system_fills_is_not_asked_for() {
    let form = Form::create(&GOLEMCORE, &known(), NOW, "");
    let names: Vec<&str> = form.fields.iter().map(|field| &*field.name).collect();
    for name in ["id", "updatedAt", "lastAccessedAt", "fingerprint"] {
        assert!(!names.contains(&name), "{name}");
    }
    assert_eq!(form.focused().map(|field| &*field.name), Some("title"));
    assert!(form.typing() && !form.dirty());
}

#[test]
fn broken_frontmatter_is_edited_as_text() {
    let mut broken = memory(vec![]);
    broken.problems = Box::new([Problem {
        rule: "load-error",
        severity: Severity::Error,
        line: 3,
        column: 7,
        message: "the frontmatter is not YAML: a mapping is not allowed here".into(),
    }]);
    // What can be read of broken YAML is shown in lists, but is not what a save would write.
    broken.fields = memory(vec![("title", "T".into())]).fields;
    let why = unreadable(&broken).unwrap();
    assert!(why.starts_with("line 3, column 7: the frontmatter is not YAML"));
}

#[test]
fn a_file_without_frontmatter_is_given_one() {
    let mut bare = memory(vec![]);
    bare.problems = Box::new([Problem {
        rule: "load-error",
        severity: Severity::Error,
        line: 1,
        column: 1,
        message: "no frontmatter: the file does not begin with fields".into(),
    }]);
    let mut form = Form::open(&bare, &known(), NOW);
    send(&mut form, "<enter>T<enter>ih");
    assert_eq!(send(&mut form, "<c-s>"), Outcome::Save);
    assert_eq!(
        short(&form.edits()),
        r#"title=Text("T"); importance=Text("high")"#
    );
    let edited = memkeep::memory::edit::apply(
        memkeep::memory::format::schema("rawko"),
        b"# Body\n",
        0,
        &form.edits(),
    )
    .unwrap();
    let text = String::from_utf8(edited).unwrap();
    assert!(
        text.starts_with(
            "---
title: "
        ),
        "{text}"
    );
    assert!(
        text.ends_with(
            "
importance: high
---

# Body
"
        ),
        "{text}"
    );
}

#[test]
fn a_new_body_is_cut_where_the_prompt_of_its_format_cuts() {
    for (schema, cut) in [
        (format::schema("rawko"), Some((0, 500))),
        (&RALPH, None),
        (&*GOLEMCORE, None),
    ] {
        let mut form = Form::create(schema, &known(), NOW, "");
        send(&mut form, "<esc>G<enter>");
        form.paste(&"x".repeat(600));
        let counts = form.body().unwrap().counts;
        assert_eq!((counts.bytes, counts.cut), (600, cut), "{}", schema.format);
    }
}
