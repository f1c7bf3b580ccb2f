//! Whole screens with their styles.

use memkeep::app::form::{Form, Move, WhatIf};
use memkeep::memory::format;
use memkeep::memory::{Memory, Problem, Severity};
use memkeep::ui;
use memkeep::ui::theme::Theme;

use crate::common::{NOW, known, memory, oauth, screen, send};

fn what_if() -> WhatIf {
    let row = |title: &str, before, after, scores: (f64, f64)| Move {
        title: title.into(),
        before,
        after,
        score_before: Some(scores.0),
        score_after: Some(scores.1),
        reason: None,
    };
    WhatIf {
        task: "Add OAuth integration to existing auth system".into(),
        this: row(
            "OAuth2 Integration Was Too Broad",
            Some(2),
            Some(1),
            (55.0, 60.0),
        ),
        rows: vec![
            row("Project Uses JWT", Some(1), Some(2), (58.0, 58.0)),
            row("Login Rate Limit", Some(5), None, (20.0, 20.0)),
        ],
    }
}

fn shot(memory: &Memory, keys: &str, with: bool, size: (u16, u16)) -> String {
    let mut form = Form::open(memory, &known(), NOW);
    send(&mut form, keys);
    let what_if = with.then(what_if);
    screen(size.0, size.1, |area, buf| {
        ui::form::draw(&form, (what_if.as_ref(), &[]), &Theme::dark(), area, buf)
    })
}

#[test]
fn the_importance_raised() {
    insta::assert_snapshot!(shot(&oauth(), "i<right>", true, (60, 30)));
}

#[test]
fn patterns_open() {
    insta::assert_snapshot!(shot(&oauth(), "w<enter>", false, (60, 30)));
}

#[test]
fn a_pattern_typed() {
    insta::assert_snapshot!(shot(&oauth(), "w<enter>aoauth", true, (100, 36)));
}

#[test]
fn a_tag_typed() {
    insta::assert_snapshot!(shot(&oauth(), "a<enter>arc", false, (60, 30)));
}

#[test]
fn small() {
    insta::assert_snapshot!(shot(&oauth(), "i<right>", true, (40, 12)));
}

#[test]
fn smallest() {
    insta::assert_snapshot!(shot(&oauth(), "i<right>", true, (20, 5)));
}

#[test]
fn problems_and_hostile_text() {
    let bad = memory(vec![
        ("title", "Red \u{1b}[31m alert\u{202e}".into()),
        ("tags", memkeep::memory::Value::Null),
        ("importance", "urgent".into()),
        ("discoveredAt", "yesterday".into()),
    ]);
    let mut bad = bad;
    bad.problems = Box::new([Problem {
        rule: "load-error",
        severity: Severity::Error,
        line: 9,
        column: 2,
        message: "not UTF-8 from here on".into(),
    }]);
    insta::assert_snapshot!(shot(&bad, "G", false, (60, 30)));
}

#[test]
fn giving_changes_up() {
    insta::assert_snapshot!(shot(&oauth(), "ic<esc>", false, (60, 14)));
}

#[test]
fn a_new_memory() {
    let mut form = Form::create(format::schema("rawko"), &known(), NOW, "developer");
    send(&mut form, "Use Pools");
    insta::assert_snapshot!(screen(60, 30, |area, buf| {
        ui::form::draw(&form, (None, &[]), &Theme::dark(), area, buf)
    }));
}

#[test]
fn without_colours() {
    let mut form = Form::open(&oauth(), &known(), NOW);
    send(&mut form, "ilw<enter>");
    insta::assert_snapshot!(screen(60, 24, |area, buf| {
        ui::form::draw(&form, (Some(&what_if()), &[]), &Theme::plain(), area, buf)
    }));
}

#[test]
fn a_long_title_typed_in_a_small_pane() {
    insta::assert_snapshot!(shot(
        &oauth(),
        "<enter>, and So Was the Next",
        false,
        (40, 6)
    ));
}

#[test]
fn the_body_of_a_new_memory() {
    let mut form = Form::create(format::schema("rawko"), &known(), NOW, "developer");
    form.resize(60, 12);
    send(
        &mut form,
        "Use Pools<esc>G<enter># Why<enter><enter>Connections are dear.",
    );
    insta::assert_snapshot!(screen(60, 12, |area, buf| {
        ui::form::draw(&form, (None, &[]), &Theme::dark(), area, buf)
    }));
}
