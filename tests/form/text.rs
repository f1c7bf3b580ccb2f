//! The text editor.

use memkeep::app::text::{Outcome, TextEditor, cut_of, wrap};
use memkeep::memory::format;
use memkeep::ui;
use memkeep::ui::theme::Theme;

use crate::common::{keys, press_text, screen};

const BODY: &str = "\
# Why OAuth2 Was Rejected

## What Was Attempted

Considered OAuth2 social login (Google, GitHub). It looked like an hour of work and turned out to
be a week: the callback has to be registered with every provider, the tokens have to be refreshed,
and the accounts of people who signed up by mail before have to be joined with the new ones.

1. Task explicitly requires JWT only
2. OAuth2 adds significant complexity
\u{1b}[31m3.\u{1b}[0m Read the first line of the task\u{202e} again

Use the existing session middleware instead. It is tested, it is fast, and everyone knows it.
";

fn open(text: &str) -> TextEditor {
    body(text).unwrap()
}

/// The editor of a body that the prompt cuts.
fn body(text: &str) -> Result<TextEditor, String> {
    TextEditor::open(text, text, cut_of(format::schema("rawko")))
}

fn send(editor: &mut TextEditor, text: &str) -> Outcome {
    keys(text)
        .into_iter()
        .fold(Outcome::Nothing, |_, key| press_text(editor, key))
}

fn shot(keys: &str, size: (u16, u16)) -> String {
    let mut editor = open(BODY);
    editor.resize(size.0, size.1);
    send(&mut editor, keys);
    screen(size.0, size.1, |area, buf| {
        ui::text::draw(&editor, &Theme::dark(), area, buf)
    })
}

#[test]
fn nothing_pasted_over_a_selection_is_a_change() {
    let mut editor = open("one two");
    send(&mut editor, "<s-end><c-y>");
    assert_eq!(editor.text(), "");
    assert_eq!(editor.counts.words, 0);
}

#[test]
fn the_whole_body() {
    insta::assert_snapshot!(shot("", (60, 30)));
}

#[test]
fn the_end_of_it_small() {
    insta::assert_snapshot!(shot("<c-end>The end.", (40, 12)));
}

#[test]
fn a_selection() {
    insta::assert_snapshot!(shot("<s-down><s-down><s-right><s-right>", (40, 8)));
}

#[test]
fn giving_changes_up() {
    insta::assert_snapshot!(shot("x<esc>", (20, 5)));
}

#[test]
fn text_goes_in_and_out_byte_for_byte() {
    for text in ["", "\n", "a", "a\n", "\n\na\r\nb\u{feff}\t\u{0}\n\n", BODY] {
        let editor = open(text);
        assert_eq!(editor.text(), text);
        assert!(!editor.dirty());
    }
}

#[test]
fn keys_edit() {
    let table = rows! {
        "ab" => "c" => "cab",
        "ab\n" => "<down>c" => "ab\nc",
        "ab cd" => "<end><c-w>x" => "ab x",
        "ab cd" => "<c-right><c-k>" => "ab ",
        "ab" => "<end><enter>c" => "ab\nc",
        "ab" => "c<c-u>" => "ab",
        "ab" => "c<c-u><c-r>" => "cab",
        "one two" => "<s-right><s-right><s-right><c-x><end><c-y>" => " twoone",
        "e\u{301}x" => "<right>a" => "e\u{301}ax",
        "ab" => "x<esc>ny" => "xyab",
        // Line ends are none of the text that keys reach.
        "# A\r\nb\r\n" => "<end>zz" => "# Azz\r\nb\r\n",
        "# A\r\nb\r\n" => "<end>zz<enter>more" => "# Azz\r\nmore\r\nb\r\n",
        "a\r\nb\r\n" => "<down><bs>" => "ab\r\n",
        "a\r\nb\r\n" => "<end><del>" => "ab\r\n",
        "a\r\nb\r\n" => "<c-k>" => "\r\nb\r\n",
        "a\r\nb\nc\r\n" => "x<down><down>y" => "xa\r\nb\ncy\r\n",
        "a\nb\r\n" => "<end><enter>" => "a\n\nb\r\n",
    };
    for (text, keys, after) in table {
        let mut editor = open(text);
        editor.resize(40, 10);
        send(&mut editor, keys);
        assert_eq!(editor.text(), after, "{text:?} {keys}");
    }
}

#[test]
fn up_and_down_go_by_wrapped_lines_and_keep_their_column() {
    let mut editor = open("one two three four\nx\nfive six seven");
    // Ten columns of text: "one two " / "three four" / "x" / "five six " / "seven".
    editor.resize(13, 10);
    send(&mut editor, "<right><right><right>");
    let mut seen = Vec::new();
    for _ in 0..5 {
        send(&mut editor, "<down>");
        seen.push(editor.cursor());
    }
    assert_eq!(seen, [(0, 11), (1, 1), (2, 3), (2, 12), (2, 12)]);
    send(&mut editor, "<up><up><up><up>");
    assert_eq!(editor.cursor(), (0, 3));
}

#[test]
fn esc_asks_only_when_something_would_be_lost() {
    let mut editor = open("a");
    assert_eq!(send(&mut editor, "<esc>"), Outcome::Leave);
    assert_eq!(send(&mut editor, "b<bs><esc>"), Outcome::Leave);
    assert_eq!(send(&mut editor, "b<esc>"), Outcome::Redraw);
    assert_eq!(send(&mut editor, "y"), Outcome::Leave);
    assert_eq!(send(&mut editor, "n<c-s>"), Outcome::Save);
}

#[test]
fn a_paste_is_text() {
    let mut editor = open("");
    assert_eq!(editor.paste("a\r\nb\rc\u{1b}"), Outcome::Changed);
    assert_eq!(editor.text(), "a\nb\nc\u{1b}");
    let mut editor = open("a\r\nb\r\n");
    send(&mut editor, "<end>");
    editor.paste("1\n2\r\n3");
    assert_eq!(editor.text(), "a1\r\n2\r\n3\r\nb\r\n");
    let shown = screen(20, 6, |area, buf| {
        ui::text::draw(&editor, &Theme::dark(), area, buf)
    });
    assert!(!shown.contains('␍'), "{shown}");
}

#[test]
fn what_is_too_much_is_refused_with_a_way_out() {
    let refusal = body(&"x\n".repeat(1_000_000)).unwrap_err();
    assert_eq!(
        refusal,
        "too large to edit here: 2 MB: E opens it in $EDITOR"
    );
    assert!(body(&"\n".repeat(60_000)).is_err());
    assert!(body(&"x".repeat(60_000)).is_err());
    let mut editor = open("");
    assert_eq!(editor.paste(&"x".repeat(2_000_000)), Outcome::Redraw);
    assert_eq!(editor.text(), "");
}

#[test]
fn the_cut_is_where_the_prompt_cuts() {
    let long = |n: usize| "x".repeat(n);
    let table = [
        (String::new(), None),
        (long(500), None),
        (long(501), Some(500)),
        (format!("\n  {}", long(501)), Some(503)),
        (format!("{}\n\n", long(500)), None),
        // An astral character is two units, and is not cut in half.
        (format!("{}🦀", long(499)), Some(499)),
        (format!("{}🦀", long(498)), None),
        ("# a\n# b".into(), Some(3)),
        ("# a\n## b".into(), None),
        (format!("{}\n# b", long(600)), Some(500)),
        (format!("{}\n# b", long(499)), Some(499)),
        (format!("\u{feff}\n{}\n# b", long(3)), Some(7)),
        (format!("# a\r\n{}", long(600)), Some(500)),
    ];
    let at = cut_of(format::schema("rawko")).unwrap();
    for (text, cut) in table {
        assert_eq!(at.at(&text), cut, "{text:?}");
    }
}

#[test]
fn rows_wrap_behind_spaces() {
    let lines = |row: &str, width| {
        wrap(row, width, ui::safe::width)
            .into_iter()
            .map(|range| row[range].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(lines("one two three", 8), ["one two ", "three"]);
    assert_eq!(lines("one two three", 7), ["one two ", "three"]);
    assert_eq!(lines("abcdefgh", 3), ["abc", "def", "gh"]);
    assert_eq!(lines("漢字漢字", 5), ["漢字", "漢字"]);
    assert_eq!(lines("a\u{202e}b", 8), ["a", "\u{202e}", "b"]);
    assert_eq!(lines("", 3), [""]);
    assert_eq!(lines("abc", 0), ["abc"]);
}
