//! The view of findings: its columns, what a filter leaves, and what is shown before it is made.

use memkeep::app::{LintRow as Row, Page, View};
use memkeep::curate::Change;
use memkeep::lint::{Digest, Finding, Fix};
use memkeep::memory::Severity;
use memkeep::memory::edit::FieldEdit;

use crate::fixtures::disputed;
use crate::harness::{App, setup};
use crate::world::World;

fn open(width: u16, height: u16) -> App {
    let mut world = World::new(disputed());
    world.asks = true;
    App::with(setup(width, height), world)
}

/// The findings that are listed.
fn listed(app: &App) -> Vec<&Finding> {
    let rows = app.model.lints.rows.iter();
    let found = rows.filter_map(|row| match row {
        Row::Finding(n) => app.model.world.finding(*n),
        _ => None,
    });
    found.collect()
}

/// Stands on the first finding of a rule.
fn on(app: &mut App, rule: &str) {
    app.press("3gg");
    for _ in 0..60 {
        let found = app.model.current_finding();
        let found = found.and_then(|n| app.model.world.finding(n));
        if found.is_some_and(|finding| finding.rule == rule) {
            return;
        }
        app.press("n");
    }
    panic!("no {rule}: {}", app.text());
}

/// The bottom line.
fn footer(app: &mut App) -> String {
    app.text().lines().last().unwrap().to_owned()
}

/// Lists the findings that a test put in.
pub fn arrange(app: &mut App) {
    let model = &mut app.model;
    model.lints.arrange(&model.world, (None, None), model.now);
    app.press("gg");
}

/// As what was found in the memories, the same message for each.
fn finds(app: &mut App, severity: Severity, message: &str) {
    let memories = std::sync::Arc::clone(&app.model.world.memories);
    let pattern = app.model.world.findings()[0].clone();
    let found = (0..memories.len()).map(|memory| Finding {
        rule: "invisible-to-loader",
        severity,
        memory,
        message: message.to_owned(),
        fix: None,
        related: Vec::new(),
        joined: Vec::new(),
        ..pattern.clone()
    });
    let digest = Digest::of(memories.len(), found.collect());
    app.model.world.linted_as(memories, digest);
    arrange(app);
}

#[test]
fn the_message_has_the_room_that_titles_leave() {
    let message = "Windows line ends, so rawko never loads this memory, whatever a task says of it";
    for (width, least) in [(120, 36), (100, 28), (80, 44), (60, 30)] {
        let mut app = open(width, 24);
        app.press("3");
        finds(&mut app, Severity::Warning, message);
        let whole = app.text();
        let seen: String = message.chars().take(least).collect();
        assert!(whole.matches(&seen).count() >= 3, "{width}: {whole}");
        // It is cut where the row ends and not before.
        let row = whole.lines().find(|line| line.contains(&seen)).unwrap();
        let row = row.split('│').find(|part| part.contains(&seen)).unwrap();
        let blank = row.len() - row.trim_end().len();
        assert!(row.contains('…') && blank <= 2, "{width}: {row:?}");
    }
    // Where messages are short the titles have the room.
    let mut app = open(80, 24);
    app.press("3");
    finds(&mut app, Severity::Warning, "no tags");
    let text = app.text();
    assert!(text.contains("Amounts Are Cents  "), "{text}");
}

#[test]
fn words_of_a_filter_match_the_rule_the_message_and_the_memory() {
    for (query, rules) in [
        ("near-duplicate", &["near-duplicate"][..]),
        ("contradiction", &["contradiction"]),
        ("conflict number", &["contradiction"]),
        ("contradiction pools", &["contradiction"]),
        ("!contradiction", &["near-duplicate", "failure-log"]),
        ("near-duplicate pools", &[]),
        ("nothing-of-the-kind", &[]),
        // The title of a rule on the screen.
        ("failure logs", &["failure-log"]),
        ("contradict each other", &["contradiction"]),
    ] {
        let mut app = open(80, 24);
        app.press(&format!("3/«{query}»<enter>"));
        let mut found: Vec<&str> = listed(&app).iter().map(|finding| finding.rule).collect();
        found.dedup();
        assert_eq!(found, rules, "{query}: {}", app.text());
    }
    let mut app = open(80, 24);
    let text = app.press("3/nothing-of-the-kind<enter>").text();
    assert!(
        text.contains("No findings match nothing-of-the-kind"),
        "{text}"
    );
    assert!(!text.contains('✓'), "{text}");
}

#[test]
fn a_filter_by_rule_leaves_the_findings_of_that_rule_and_both_memories() {
    for (query, rules) in rows! {
        "has:contradiction" => &["contradiction"][..],
        "has:contradicts" => &["contradiction"],
        "has:contra" => &["contradiction"],
        "has:duplicate" => &["near-duplicate"],
        "has:near-duplicate,contradiction" => &["contradiction", "near-duplicate"],
        "has:contradiction | has:near-duplicate" => &["contradiction", "near-duplicate"],
        "has:contradiction has:near-duplicate" => &[],
    } {
        let mut app = open(120, 36);
        app.press(&format!("3/«{query}»<enter>"));
        assert_eq!(app.model.view, View::Lint);
        let mut found: Vec<&str> = listed(&app).iter().map(|finding| finding.rule).collect();
        let all = app.model.world.findings().iter();
        let whole = all.filter(|finding| rules.contains(&finding.rule)).count();
        assert_eq!(found.len(), whole, "{query}: {found:?}");
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, rules, "{query}");
    }
    // A word beside it narrows by memory.
    let mut app = open(120, 36);
    app.press("3/«has:contradiction pools»<enter>");
    assert_eq!(listed(&app).len(), 1, "{}", app.text());
    app.press("1<esc>/«has:contradiction»<enter>");
    let titles = ["Pool Size", "Sizes of Pools", "Indentation", "Use Tabs"];
    assert_eq!(app.model.browse.rows.len(), titles.len(), "{}", app.text());
    let text = app.text();
    assert!(titles.iter().all(|title| text.contains(title)), "{text}");
}

#[test]
fn a_preview_is_read_to_its_end_with_the_keys_of_a_list() {
    for (width, height) in [(80, 12), (120, 14), (60, 12)] {
        let mut app = open(width, height);
        on(&mut app, "near-duplicate");
        app.press("<enter>m");
        app.text();
        assert!(footer(&mut app).contains("j/k scroll"), "{}", app.text());
        let at = |app: &App| match &app.model.page {
            Page::Fix(proposal) => proposal.scroll,
            page => panic!("{page:?}"),
        };
        let mut last = 0;
        for key in ["j", "<down>", "«»<pagedown>", "G"] {
            app.press(key);
            app.text();
            assert!(at(&app) >= last, "{key}");
            last = at(&app);
        }
        assert!(last > 0 && last == app.model.extents.page, "{last}");
        assert!(!app.text().contains('↓'), "{}", app.text());
        for key in ["k", "<up>", "<pageup>", "gg"] {
            app.press(key);
            app.text();
            assert!(at(&app) <= last, "{key}");
            last = at(&app);
        }
        assert_eq!(last, 0);
        app.press("<esc>");
        assert!(matches!(app.model.page, Page::Pair(_)));
    }
}

#[test]
fn both_merges_are_offered_and_what_two_keys_do_is_offered_once() {
    let mut app = open(120, 36);
    on(&mut app, "contradiction");
    let line = footer(&mut app);
    assert!(
        line.contains("= both texts") && !line.contains("f fix"),
        "{line}"
    );
    app.press("<enter>");
    for (width, both) in [(120, true), (80, true), (60, false)] {
        app.send(memkeep::app::msg::Msg::Resize(width, 24));
        let line = footer(&mut app);
        assert!(line.contains("m merge into A"), "{width}: {line}");
        assert_eq!(line.contains("M merge into B"), both, "{width}: {line}");
        assert!(app.text().contains("newer"), "{}", app.text());
    }
}

#[test]
fn two_formats_are_not_offered_to_be_one() {
    let mut app = open(120, 36);
    on(&mut app, "contradiction");
    app.press("<enter>");
    let Page::Pair(pair) = &mut app.model.page else {
        panic!("no pair");
    };
    let mut other = (*pair.sides[1].memory).clone();
    other.schema = &memkeep::systems::golemcore::GOLEMCORE;
    let other = std::sync::Arc::new(other);
    let at = app.model.world.index_of(&other.id).unwrap();
    std::sync::Arc::make_mut(&mut app.model.world.memories)[at] = std::sync::Arc::clone(&other);
    pair.sides[1].memory = other;
    let line = footer(&mut app);
    assert!(
        !line.contains("merge") && line.contains("x no conflict"),
        "{line}"
    );
    let text = app.press("m").text();
    assert!(text.contains("; write what both say into one"), "{text}");
    assert!(matches!(app.model.page, Page::Pair(_)));
}

#[test]
fn all_keys_begin_with_those_of_the_open_page() {
    let mut app = open(60, 20);
    on(&mut app, "contradiction");
    app.press("<enter>?");
    let first = |app: &App| {
        let Some(memkeep::app::Overlay::Palette(palette)) = &app.model.overlay else {
            panic!("no palette");
        };
        palette.hits.first().unwrap().0.id
    };
    assert_eq!(first(&app), "keep-a");
    app.press("<esc>m?");
    assert_eq!(first(&app), "apply-fix");
    app.press("<esc><esc><esc>?");
    assert_eq!(first(&app), "compare");
}

#[test]
fn suggestions_are_folded_into_one_row_until_they_are_asked_for() {
    let mut app = App::open(120, 36);
    app.press("3");
    let light = |app: &App| {
        let mut found = listed(app).into_iter();
        found.any(|finding| finding.severity == Severity::Info)
    };
    assert!(!light(&app), "{}", app.text());
    assert!(app.text().contains("▸ suggestions: "), "{}", app.text());
    // The row is stood on, says what it holds, and opens and closes.
    app.press("G");
    assert_eq!(app.model.lints.on_suggestions(), Some(true));
    app.press("<enter>");
    assert!(light(&app), "{}", app.text());
    let rows = &app.model.lints.rows;
    let line = rows.iter().position(|row| *row == Row::Suggestions(false));
    assert_eq!(line, Some(app.model.lints.cursor.row));
    let weighs = |row: &Row| match row {
        Row::Rule(_, severity, _) => Some(*severity < Severity::Info),
        _ => None,
    };
    let (heavy, rest) = rows.split_at(line.unwrap());
    assert!(heavy.iter().filter_map(weighs).all(|heavy| heavy));
    assert!(rest.iter().filter_map(weighs).all(|heavy| !heavy));
    app.press("<enter>");
    assert!(!light(&app), "{}", app.text());
    // The key of the next finding goes on into them.
    app.press("gg");
    for _ in 0..60 {
        app.press("n");
    }
    assert!(light(&app), "{}", app.text());
}

#[test]
fn a_key_goes_to_the_next_rule_and_around() {
    let mut app = open(120, 36);
    app.press("3gg");
    let rule = |app: &App| {
        let found = app.model.current_finding();
        found
            .and_then(|n| app.model.world.finding(n))
            .map(|finding| finding.rule)
    };
    let first = rule(&app);
    let mut seen = vec![first];
    for _ in 0..20 {
        app.press("]");
        if rule(&app) == first {
            break;
        }
        assert!(!seen.contains(&rule(&app)), "{seen:?}");
        seen.push(rule(&app));
    }
    assert!(seen.len() > 1, "{seen:?}");
    assert_eq!(rule(&app), first, "the first follows the last");
}

#[test]
fn a_view_without_findings_says_so_over_the_whole_width() {
    for width in [120, 80, 40] {
        let mut app = App::open(width, 24);
        app.press("3");
        let memories = std::sync::Arc::clone(&app.model.world.memories);
        let digest = Digest::of(memories.len(), Vec::new());
        app.model.world.linted_as(memories, digest);
        arrange(&mut app);
        let text = app.text();
        assert!(text.contains("✓ No findings in "), "{text}");
        assert!(text.matches('┌').count() <= 1, "no empty frame: {text}");
    }
}

#[test]
fn the_list_says_that_it_goes_on_and_no_letter_is_lost() {
    let mut app = App::open(60, 12);
    app.press("3G<enter>G");
    let text = app.text();
    assert!(text.contains('↑') && !text.contains('↓'), "{text}");
    app.press("gg");
    let text = app.text();
    assert!(text.contains('↓') && !text.contains('↑'), "{text}");
}

/// The last line but the keys.
fn said(app: &mut App) -> String {
    let text = app.text();
    text.lines().rev().nth(1).unwrap().trim().to_owned()
}

/// One finding that stands for all memories, with a fix that gives each another body.
fn finds_in_all(app: &mut App) -> usize {
    let memories = std::sync::Arc::clone(&app.model.world.memories);
    let of = |memory: usize| Finding {
        confidence: 0.9,
        message: "a log of what happened".to_owned(),
        ..Finding::new("failure-log", Severity::Warning, memory, 1)
    };
    let body = || FieldEdit::Body("Learnt.\n".to_owned());
    let all: Vec<Finding> = (0..memories.len())
        .map(|n| {
            let fix = Fix {
                title: "keep the lesson".to_owned(),
                memory: n,
                change: Change::edit(&memories[n].id, vec![body()]),
                safe: false,
            };
            of(n).fixed_by(Some(fix))
        })
        .collect();
    let count = all.len();
    let found = memkeep::lint::join(&memories, all, true);
    assert_eq!(found.len(), 1, "{found:?}");
    let digest = Digest::of(memories.len(), found);
    app.model.world.linted_as(memories, digest);
    arrange(app);
    count
}

#[test]
fn what_a_finding_of_many_means_and_what_its_fix_does_stands_before_their_titles() {
    for (width, height) in [(120, 36), (80, 24), (40, 16)] {
        let mut app = open(width, height);
        app.press("3");
        let count = finds_in_all(&mut app);
        let list = app.text();
        assert!(list.contains(&format!("{count} memories")), "{list}");
        if width < 100 {
            app.press("<enter>");
        }
        let text = app.text();
        let at = |what: &str| {
            let found = text.find(what);
            found.unwrap_or_else(|| panic!("{width}: no {what} in {text}"))
        };
        let fix = at(&format!("f keep the lesson ({count})"));
        assert!(at("More than half of the memories") < fix, "{text}");
        if width == 120 {
            // The first changes, and how many there are.
            assert!(fix < at("more lines · f shows all"), "{text}");
            let folded = format!("… {} more · Enter lists them", count - 5);
            assert!(at("more lines") < at(&folded), "{text}");
            let text = app.press("<enter>GG").text();
            assert!(!text.contains("Enter lists them"), "{text}");
        }
        // The fix is shown at once, and again makes it.
        let mut app = open(width, height);
        app.press("3");
        finds_in_all(&mut app);
        let text = app.press("f").text();
        assert!(text.contains("Learnt.") || height < 20, "{text}");
        app.press("f");
        assert!(matches!(app.world.changes[..], [Change::Fix(ref all)] if all.len() == count));
    }
}

#[test]
fn keys_on_a_finding_of_many_ask_for_all_of_them_or_say_why_not() {
    let mut app = open(120, 36);
    app.press("3");
    let count = finds_in_all(&mut app);
    for (key, verb) in [("a", "Archive"), ("d", "Delete")] {
        app.press(key);
        let line = said(&mut app);
        assert!(
            line.starts_with(&format!("{verb} {count} memories?")),
            "{line}"
        );
        app.press("<esc>");
        assert!(app.world.changes.is_empty());
    }
    for key in ["e", "i", "b"] {
        app.press(key);
        let line = said(&mut app);
        let why = format!("is about {count} memories: f, a and d act on all of them");
        assert!(line.contains(&why), "{key}: {line}");
        assert!(app.model.editor.is_none());
    }
    app.press("aa");
    assert!(matches!(&app.world.changes[..], [Change::Archive(ids)] if ids.len() == count));
}

#[test]
fn the_fix_of_one_finding_stands_beside_it_as_a_diff() {
    let mut app = App::open(120, 36);
    on(&mut app, "pattern-alternative-regex");
    let text = app.text();
    assert!(text.contains("f split into two patterns"), "{text}");
    assert!(text.contains("+ "), "{text}");
    // Another finding has another fix, or none.
    on(&mut app, "body-length");
    assert!(!app.text().contains("split into"), "{}", app.text());
    assert!(app.model.lints.diff.is_none());
}

#[test]
fn x_explains_the_rule_of_a_finding() {
    for (width, height) in [(120, 36), (80, 24), (40, 12)] {
        let mut app = App::open(width, height);
        on(&mut app, "pattern-alternative-regex");
        let text = app.press("x").text();
        assert!(text.contains("pattern-alternative-regex"), "{text}");
        let title = app.press("G").text();
        assert!(
            title.contains("When to silence it") || title.contains("silence"),
            "{title}"
        );
        app.press("x");
        assert!(matches!(app.model.page, Page::Usual));
    }
    // Elsewhere it is about the task.
    let mut app = App::open(120, 36);
    app.press("x");
    assert!(
        said(&mut app).contains("type a task first"),
        "{}",
        app.text()
    );
}

#[test]
fn a_finding_names_memories_by_their_titles_and_a_rule_its_own_title() {
    let mut app = open(120, 36);
    on(&mut app, "contradiction");
    let finding = app.model.current_finding().unwrap();
    let finding = app.model.world.finding(finding).unwrap().clone();
    let other = app.model.world.linted(finding.related[0]).unwrap().clone();
    let mut named = finding.clone();
    named.message = format!("Conflicting with `{}`", other.id);
    named.confidence = 0.8;
    let memories = std::sync::Arc::clone(&app.model.world.memories);
    let unsure = Finding {
        confidence: 0.5,
        ..finding
    };
    let digest = Digest::of(memories.len(), vec![named, unsure]);
    app.model.world.linted_as(memories, digest);
    arrange(&mut app);
    let text = app.text();
    assert!(
        text.contains(&format!("Conflicting with “{}”", other.title)),
        "{text}"
    );
    assert!(!text.contains(&other.id.to_string()), "{text}");
    assert!(
        text.contains(" MEMORIES THAT CONTRADICT EACH OTHER ─"),
        "{text}"
    );
    assert!(text.contains("─ contradiction  2"), "{text}");
}

#[test]
fn dead_lines_of_one_index_are_one_finding_everywhere() {
    let mut app = App::open(120, 36);
    let memories = app.model.world.memories.clone();
    let dead = |line| Finding::new("index-dangling", Severity::Warning, 0, line);
    let digest = Digest::of(memories.len(), vec![dead(3), dead(4), dead(9)]);
    app.model.world.linted_as(memories.clone(), digest);
    assert_eq!(app.model.world.digest.warnings, 1);
    assert_eq!(app.model.world.findings_of(&memories[0].id).len(), 1);
    // It stands for lines of one memory, not for three memories.
    let joined = app.model.world.finding(0).unwrap();
    assert_eq!(joined.joined.len(), 3);
    assert_eq!(memkeep::app::members(joined), None);
}
