//! Going from finding to finding.

use insta::assert_snapshot;
use memkeep::app::Lint;
use memkeep::app::News;
use memkeep::app::msg::Question as _;
use memkeep::app::msg::{Change, Effect, Msg};
use memkeep::memory::Severity;

use crate::harness::App;
use crate::keys::current;

#[test]
fn n_goes_through_all_findings_the_weighty_ones_first() {
    let walk = |app: &mut App, key: &str| -> Vec<(Severity, usize)> {
        let count = app.model.world.findings().len();
        let mut seen = Vec::new();
        for _ in 0..count {
            app.press(key);
            let found = app.model.current_finding().unwrap();
            seen.push((app.model.world.finding(found).unwrap().severity, found));
        }
        seen
    };
    let mut app = App::open(120, 36);
    let all = app.model.world.findings().len();
    for view in ["1", "3"] {
        app.press(view);
        app.press("gg");
        let there = walk(&mut app, "n");
        let mut each: Vec<usize> = there.iter().map(|(_, n)| *n).collect();
        each.sort_unstable();
        each.dedup();
        assert_eq!(each.len(), all, "each once: {there:?}");
        let again = walk(&mut app, "n");
        assert_eq!(there, again, "round and round");
        let mut back: Vec<usize> = walk(&mut app, "N").iter().map(|(_, n)| *n).collect();
        back.sort_unstable();
        assert_eq!(back, each);
        let turns = there
            .windows(2)
            .filter(|two| (two[0].0 == Severity::Info) != (two[1].0 == Severity::Info));
        assert!(turns.count() <= 2, "{there:?}");
    }
    // Where there are only suggestions, they are gone through.
    app.press("1/«postgres»<enter>");
    assert_eq!(app.model.browse.rows.len(), 1);
    app.press("n");
    let found = app.model.current_finding().unwrap();
    assert_eq!(
        app.model.world.finding(found).unwrap().severity,
        Severity::Info
    );
}

#[test]
fn only_the_row_one_stands_on_marks_a_suggestion() {
    let mut app = App::open(120, 36);
    let marked = |app: &mut App| app.text().matches("·  │").count();
    app.press("/«postgres»<enter>");
    assert_eq!(marked(&mut app), 1);
    app.press("<esc><esc>");
    app.press("gg");
    assert_eq!(marked(&mut app), 0);
}

/// Reading again looks at what no memory says too: the history, the tree, the manifests.
#[test]
fn reading_again_looks_at_the_findings_anew() {
    let mut app = App::open(120, 36);
    let key = crate::harness::pressed(memkeep::app::key::Key::parse("R").unwrap());
    let effects = memkeep::app::update(&mut app.model, key);
    let lints =
        |effect: &Effect| matches!(effect, Effect::Ask(_, question) if question.slot == Lint::SLOT);
    assert!(effects.iter().any(lints));
}

/// The line at the bottom belongs to what is on the screen.
#[test]
fn a_new_memory_has_no_findings_of_another() {
    let mut app = App::open(120, 36);
    app.press("n");
    let below = |app: &mut App| app.text().lines().nth(34).unwrap().to_owned();
    assert!(
        below(&mut app).contains(" of 2 findings: "),
        "{}",
        app.text()
    );
    app.press("o");
    assert!(
        !below(&mut app).contains(" of 2 findings: "),
        "{}",
        app.text()
    );
}

/// Asked of some memories against the last one.
fn ask(app: &mut App, rule: &'static str, of: &[usize]) -> usize {
    let memories = std::sync::Arc::clone(&app.model.world.memories);
    let last = app.model.browse.rows.len() - 1;
    let mut found = Vec::new();
    for n in of {
        let mut finding = app.model.world.findings()[0].clone();
        finding.rule = rule;
        finding.memory = *n;
        finding.severity = memkeep::memory::Severity::Warning;
        finding.fix = None;
        finding.related = vec![last];
        found.push(finding);
    }
    let digest = memkeep::lint::Digest::of(memories.len(), found);
    app.model.world.linted_as(memories, digest);
    last
}

#[test]
fn questions_of_others_are_listed_and_the_rest_is_counted() {
    let mut app = App::open(120, 36);
    ask(&mut app, "contradiction", &[0, 1, 2, 3, 4, 5, 6]);
    app.press("G");
    let text = app.text();
    assert_eq!(text.matches("with ").count(), 5, "{text}");
    assert!(text.contains("2 more · 3 lists all"), "{text}");
}

/// Nothing is wrong with the memory that took the place of another.
#[test]
fn a_row_is_marked_where_something_is_to_be_decided_about_it() {
    let mut app = App::open(120, 36);
    for (rule, mark) in [("contradiction", '≠'), ("superseded-active", ' ')] {
        let last = ask(&mut app, rule, &[0]);
        let title: String = app.model.browse.on(&app.model.world, last).unwrap().title[..8].into();
        let text = app.text();
        let row = text.lines().find(|line| line.contains(&title)).unwrap();
        let marks: String = row
            .split('│')
            .nth(1)
            .unwrap()
            .chars()
            .rev()
            .take(4)
            .collect();
        assert_eq!(
            marks.contains('≠') || marks.contains('!'),
            mark != ' ',
            "{text}"
        );
    }
}

#[test]
fn what_was_decided_about_findings_is_looked_at_anew() {
    let mut app = App::open(120, 36);
    let lints = |msg: Msg, app: &mut App| {
        let effects = memkeep::app::update(&mut app.model, msg);
        let lints = |effect: &Effect| matches!(effect, Effect::Ask(_, question) if question.slot == Lint::SLOT);
        effects.iter().any(lints)
    };
    assert!(lints(Msg::Decided, &mut app));
    let again = |app: &App| Msg::Git(app.model.head.clone(), News::default());
    let git = again(&app);
    assert!(!lints(git, &mut app));
}

#[test]
fn the_filter_narrows_the_findings_too() {
    let mut app = App::open(120, 36);
    app.press("3");
    let titles = |app: &App| -> Vec<String> {
        let world = &app.model.world;
        let found = app.model.lints.rows.iter().filter_map(|row| match row {
            memkeep::app::LintRow::Finding(n) => world.finding(*n),
            _ => None,
        });
        found
            .map(|finding| world.memory_of(finding).unwrap().title.to_string())
            .collect()
    };
    let all = titles(&app);
    let one = all.first().unwrap().clone();
    let found = app.model.world.findings().iter();
    let title = |finding| app.model.world.memory_of(finding).unwrap().title.clone();
    let found: Vec<_> = found.map(title).collect();
    let own = found.iter().filter(|title| ***title == *one).count();
    assert!(own < found.len());
    // It is typed where one is, and Esc gives all findings back before it leaves them.
    app.press(&format!("/«\'{one}»"));
    assert_eq!(app.model.view, memkeep::app::View::Lint);
    assert_eq!(titles(&app), vec![one.clone(); own]);
    assert!(app.text().contains(&format!("{own} of {}", found.len())));
    app.press("<enter>3/«zzzz»<enter>");
    assert_eq!(titles(&app), Vec::<String>::new());
    assert!(app.text().contains("No findings match"));
    app.press("<esc>");
    assert_eq!(titles(&app), all);
    assert_eq!(app.model.view, memkeep::app::View::Lint);
    // One that was typed over the memories holds here.
    app.press(&format!("1/«\'{one}»<enter>3"));
    assert_eq!(titles(&app), vec![one; own]);
    app.press("<esc><esc>");
    assert_eq!(app.model.view, memkeep::app::View::Browse);
}

#[test]
fn all_fixes_of_a_rule_are_those_that_the_filter_leaves() {
    let mut app = App::open(120, 36);
    app.press("3");
    let fixed = |app: &App| -> Vec<(&'static str, String)> {
        let world = &app.model.world;
        let found = world.findings().iter();
        let fixable = found.filter(|finding| finding.fix.is_some());
        fixable
            .map(|finding| {
                let memory = world.memory_of(finding).unwrap();
                (finding.rule, memory.title.to_string())
            })
            .collect()
    };
    let all = fixed(&app);
    let (rule, title) = all.first().unwrap().clone();
    let own = all.iter().filter(|one| one.0 == rule && one.1 == title);
    let own = own.count();
    app.press(&format!("/«'{title}»<enter>"));
    let stands_on = |app: &App| {
        let found = app.model.current_finding();
        found.and_then(|n| app.model.world.finding(n)).unwrap().rule
    };
    for _ in 0..9 {
        if stands_on(&app) != rule {
            app.press("j");
        }
    }
    app.press("F");
    assert!(
        app.text().contains(&format!("apply {own} fix")),
        "{}",
        app.text()
    );
}

#[test]
fn a_finding_is_silenced_with_a_reason() {
    let mut app = App::open(80, 24);
    app.press("n");
    let rule = {
        let found = app.model.current_finding().unwrap();
        app.model.world.finding(found).unwrap().rule
    };
    let id = current(&app);
    app.press("X«n is text here»");
    assert_snapshot!("silence-80", app.screen());
    app.press("<esc>");
    assert!(app.world.changes.is_empty());
    for (typed, expected) in [("", None), (" it is meant so ", Some("it is meant so"))] {
        app.press(&format!("X«{typed}»<enter>"));
        let Some(Change::Silence { found, reason, .. }) = app.world.changes.last() else {
            panic!("{:?}", app.world.changes);
        };
        let about: Vec<_> = found
            .iter()
            .map(|old| (old.ids[0].local.to_string(), &*old.rule))
            .collect();
        assert_eq!(about, [(id.clone(), rule)]);
        assert_eq!(reason.as_deref(), expected);
        assert!(app.text().contains("silenced 1 findings"), "{}", app.text());
    }
}

/// Goes to the first of the findings that has a fix.
fn on_a_fix(app: &mut App) {
    app.press("3gg");
    for _ in 0..20 {
        let finding = app.model.current_finding();
        let finding = finding.and_then(|n| app.model.world.finding(n));
        if finding.is_some_and(|finding| finding.fix.is_some()) {
            break;
        }
        app.press("j");
    }
}

#[test]
fn a_fix_is_not_made_of_a_text_that_was_written_since() {
    let mut app = App::open(120, 36);
    on_a_fix(&mut app);
    app.press("f");
    assert!(
        app.text().contains("split into two patterns"),
        "{}",
        app.text()
    );
    let of = app.model.current().unwrap().id.local.to_string();
    let note = app.world.notes.iter_mut().find(|note| note.local == of);
    note.unwrap().body.push_str("\nAn agent wrote this.\n");
    // It is read again, and not looked at yet.
    let memories = app.world.snapshot();
    let after = memkeep::app::update(&mut app.model, Msg::Snapshot(memories, Vec::new()));
    app.press("<enter>");
    assert!(app.text().contains("changed on disk: "), "{}", app.text());
    assert!(app.world.changes.is_empty(), "{:?}", app.world.changes);
    for effect in after {
        for msg in app.world.answer(effect) {
            app.send(msg);
        }
    }
    let text = app.text();
    assert!(text.contains("review the fix again"), "{text}");
    let text = app.press("f").text();
    assert!(text.contains("split into two patterns"), "{text}");
    app.press("<enter>");
    assert!(matches!(app.world.changes[..], [Change::Fix(_)]));
    // Of many fixes it is not known which would still be made.
    app.press("uF");
    let of = app.world.notes.iter_mut().find(|note| note.local == of);
    of.unwrap().body.push_str("\nAnd this.\n");
    let memories = app.world.snapshot();
    app.send(Msg::Snapshot(memories, Vec::new()));
    let text = app.text();
    assert!(text.contains("review the fix again"), "{text}");
}

#[test]
fn of_all_fixes_of_a_rule_those_stay_that_a_person_decides() {
    let fixable = |app: &App| -> Vec<String> {
        let world = &app.model.world;
        let found = world.findings().iter().filter(|one| one.fix.is_some());
        found
            .map(|one| world.memory_of(one).unwrap().id.local.to_string())
            .collect()
    };
    let all = {
        let mut app = App::open(120, 36);
        app.press("3");
        fixable(&app)
    };
    let mut world = crate::world::World::new(crate::fixtures::notes());
    world.doubted = all.first().cloned();
    let left = all
        .iter()
        .filter(|one| Some(*one) == world.doubted.as_ref());
    let (left, made) = (left.count(), all.len());
    let mut app = App::with(crate::harness::setup(120, 36), world);
    on_a_fix(&mut app);
    let text = app.press("F").text();
    if made == left {
        assert!(text.contains("Review these fixes one by one"), "{text}");
    } else {
        assert!(
            text.contains(&format!("apply {} fix", made - left)),
            "{text}"
        );
        assert!(text.contains(&format!("leave {left} for review")), "{text}");
    }
}

#[test]
fn the_person_goes_on_where_a_finding_became_a_suggestion() {
    let mut world = crate::world::World::new(crate::fixtures::notes());
    world.milder = true;
    let mut app = App::with(crate::harness::setup(120, 36), world);
    app.press("3gg");
    let before = app.model.lints.cursor.row;
    app.press("c");
    let text = app.text();
    assert_eq!(app.model.lints.cursor.row, before, "{text}");
    assert!(app.model.current_finding().is_some());
}
