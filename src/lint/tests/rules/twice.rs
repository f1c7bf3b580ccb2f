//! Memories that say the same as another.

use super::*;
use crate::memory::rum::{Layers, RUM, markdown};

#[test]
fn a_form_filled_in_many_times_is_no_repetition() {
    let form = |name: &str| {
        format!(
            "You must take on this part and follow the steps below to the letter.\n\n\
             1. LOAD the whole description from agents/{name}.md\n\
             2. READ all of it, for it holds the part, the menu and the rules\n\
             3. Carry out every step in the order in which it stands there\n\
             4. Stay in the part until the person says that you may leave it\n\
             5. Say at the end what was left undone and why\n"
        )
    };
    let names = [
        "analyst",
        "architect",
        "builder",
        "tester",
        "writer",
        "planner",
    ];
    let filled_in = |names: &[&str]| -> Vec<_> {
        let entry = |name: &&str| memory(name).front("", &form(name));
        Store::new(names.iter().map(entry).collect()).only("near-duplicate")
    };
    let of_two = filled_in(&names[..2]);
    assert_eq!(of_two.len(), 1);
    assert_eq!(of_two[0].severity, Severity::Warning);
    let of_many = filled_in(&names);
    assert_eq!(of_many.len(), 5);
    for finding in of_many {
        assert_eq!(finding.severity, Severity::Info);
        assert!(finding.fix.is_none(), "{finding:?}");
    }
    // Copies are copies, however many there are.
    let copies: Vec<_> = names
        .map(|name| memory(name).front("", &form("same")))
        .into();
    for finding in Store::new(copies).only("near-duplicate") {
        assert_eq!(finding.severity, Severity::Warning);
    }
}

#[test]
fn a_contradiction_that_stands_twice_is_told_once() {
    let body = |hour: &str, then: &str| {
        let opens = format!("The desk of the harbour opens at {hour} in the morning.");
        format!("{opens} {then}\n\n{opens}")
    };
    let nine = memory("a").front("", &body("9", "Bring the key of the shed."));
    let eight = memory("b").front("", &body("8", "Lamps hang in the hall."));
    one("contradiction", vec![nine, eight]);
}

#[test]
fn memories_of_one_form_about_two_subjects_are_none() {
    let body = |service: &str| {
        format!(
            "The {service} service takes its certificates from the store at boot. It renews them \
            every night and never writes them to the disk of the host."
        )
    };
    for rule in ["near-duplicate", "contained", "contradiction"] {
        let samples = ["parcel", "pallet"].map(|name| memory(name).front("", &body(name)));
        assert_eq!(Store::new(samples.into()).only(rule), [], "{rule}");
    }
}

#[test]
fn of_two_that_each_say_something_else_it_is_only_a_suggestion() {
    let shared = "Scan the manifests after every change of a dependency and report what is open.\n\n\
        Apply only the fixes that the scanner names for the version in use.";
    let one = format!(
        "{shared}\n\nNever commit keys to the repository of the cluster.\n\n\
        Grant each job the least that it needs."
    );
    let two = format!(
        "{shared}\n\nHooks check each commit on the machine of its author.\n\n\
        The pipeline reads all files once more at night."
    );
    let found = |a: &str, b: &str| {
        let samples = vec![memory("a").front("", a), memory("b").front("", b)];
        Store::new(samples).only("near-duplicate")
    };
    let partly = found(&one, &two);
    assert_eq!(partly.len(), 1);
    assert_eq!(partly[0].severity, Severity::Info);
    assert!(partly[0].message.ends_with("says much of it"), "{partly:?}");
    let nearly = found(&one, &one.replace("the least", "as little"));
    assert_eq!(nearly[0].severity, Severity::Warning);
}

#[test]
fn a_log_that_quotes_a_lesson_does_not_repeat_it() {
    let lesson = "The cards of the shop come from github.com/acme/cards; install them with the registry \
        and the command line of the library, which needs Node 18 and a theme.";
    let log = format!(
        "failure: cmd=memory add \"{lesson}\" -t context, exit=127, error=no such file: component, next=quote it"
    );
    for rule in ["near-duplicate", "contained"] {
        let samples =
            |other: &str| vec![memory("a").front("", lesson), memory("b").front("", other)];
        assert_eq!(Store::new(samples(&log)).only(rule), [], "{rule}");
    }
    let twice = vec![memory("a").front("", &log), memory("b").front("", &log)];
    assert_eq!(Store::new(twice).only("near-duplicate").len(), 1);
}

#[test]
fn word_for_word_with_something_in_front_is_said_twice() {
    let said = "record: every import keeps its file name, its size, its checksum and the time at \
        which it ended";
    let with = format!("Rule of the team, {said}.");
    let samples = vec![memory("a").front("", said), memory("b").front("", &with)];
    assert_eq!(Store::new(samples).only("near-duplicate").len(), 1);
}

#[test]
fn of_several_statements_one_may_be_worded_otherwise() {
    let one = "The router tries three steps for each task. Of the files in the folder the table \
        covers all the paths of the task. The prompt asks for a path and how sure it is of it. A \
        flag given by hand goes before all.";
    let other = one.replace("covers", "spans");
    let samples = vec![memory("a").front("", one), memory("b").front("", &other)];
    let found = Store::new(samples).only("near-duplicate");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Warning);
}

#[test]
fn what_goes_on_word_for_word_contains_the_shorter() {
    let short = "The gateway listens on port 4000.";
    let found = |rule: &str, long: &str| {
        let samples = vec![memory("a").front("", short), memory("b").front("", long)];
        Store::new(samples).only(rule).len()
    };
    let long = "The gateway listens on port 4000, reads its graph from the registry when it starts, \
        and looks for another one every five minutes.";
    assert_eq!(found("contained", long), 1);
    let turned = format!("It is not so that {}", long.to_lowercase());
    assert_eq!(found("contained", &turned), 0);
}

#[test]
fn what_a_format_draws_and_all_say_makes_no_two_memories_one() {
    let layers = |goal: &str, summary: &str, learned: &str| {
        let json = |text: String| serde_json::from_str(&text).unwrap();
        let layers = Layers {
            intent: json(format!(r#"{{"goal": "{goal}", "task_type": "bug_fix"}}"#)),
            reasoning: json(
                r#"{"approach_chosen": "smallest change that works", "why_chosen": "low risk"}"#
                    .into(),
            ),
            actions: json(r#"[{"type": "command_run", "command": "make check"}]"#.into()),
            outcome: json(format!(
                r#"{{"success": true, "summary": "{summary}", "learnings": ["{learned}"]}}"#
            )),
            ..Layers::default()
        };
        let body = markdown::memory(&layers);
        let mut sample = memory(&goal.to_lowercase().replace(' ', "-"));
        let fields = [
            ("goal", Value::from(goal)),
            ("summary", Value::from(summary)),
        ];
        sample.memory.schema = &RUM;
        sample.memory.fields = fields.into_iter().collect();
        (sample.memory.span, sample.memory.body) = (0..body.len(), 0..body.len());
        sample.text = body;
        sample
    };
    let lamp = || {
        layers(
            "Mend the lamp of the quay",
            "A new wire burns",
            "Rain gets into the socket",
        )
    };
    let found = |samples: Vec<Sample>| {
        let store = Store::new(samples);
        let rules = ["near-duplicate", "contained", "contradiction"];
        let found = rules.iter().flat_map(|rule| store.only(rule));
        found.map(|finding| finding.rule).collect::<Vec<_>>()
    };
    let others = vec![
        lamp(),
        layers(
            "Count the crates",
            "Forty stand in the shed",
            "Two have no label",
        ),
        layers(
            "Write down the tides",
            "The table hangs in the hall",
            "Ask the pilot",
        ),
    ];
    assert_eq!(found(others), [""; 0]);
    // A goal or a short summary that several have makes them one no more.
    let glass = layers(
        "Mend a lamp of the quay",
        "The glass is a thicker one",
        "Order spare panes early",
    );
    assert_eq!(found(vec![lamp(), glass]), [""; 0]);
    let done = vec![
        layers("Count the crates", "Done", "Two have no label"),
        layers("Write down the tides", "Done", "Ask the pilot"),
        layers("Sweep the shed", "Done", "Brooms hang in the loft"),
    ];
    assert_eq!(found(done), [""; 0]);
    // What one came to is said of it alone; what was learned holds for all.
    let figures = vec![
        layers(
            "Test the tide table",
            "Coverage of the harbour is 71%",
            "Ask the pilot",
        ),
        layers(
            "Test the crate count",
            "Coverage of the harbour is 84%",
            "Sweep first",
        ),
    ];
    assert_eq!(found(figures), [""; 0]);
    let learned = vec![
        layers(
            "Test the tide table",
            "Done",
            "The pool of the harbour holds 10 boats",
        ),
        layers(
            "Sweep the shed",
            "All green",
            "The pool of the harbour holds 25 boats",
        ),
    ];
    assert_eq!(found(learned), ["contradiction"]);
    // What a summary says that holds from then on stands against another.
    let told = |a: &str, b: &str| {
        found(vec![
            layers("Test the tide table", a, "Ask the pilot"),
            layers("Sweep the shed", b, "Brooms hang in the loft"),
        ])
    };
    for (a, b) in [
        (
            "The release branch is called `stable`.",
            "The release branch is called `ship`.",
        ),
        ("Never log the card token.", "Always log the card token."),
        (
            "Sessions of the kiosk last 30 minutes.",
            "Sessions of the kiosk last 90 minutes.",
        ),
        (
            "The pool of the harbour holds 10 boats.",
            "The pool of the harbour holds 25 boats.",
        ),
    ] {
        assert_eq!(told(a, b), ["contradiction"], "{a} / {b}");
    }
    for (a, b) in [
        (
            "Fixed the retry storm of the gateway with 3 retries",
            "Fixed the retry storm of the gateway with 5 retries",
        ),
        (
            "The suite of the harbour takes 40 s now",
            "The suite of the harbour takes 90 s now",
        ),
        (
            "The importer of tides skipped 3 files",
            "The importer of tides skipped 7 files",
        ),
        (
            "All 40 tests of the tide table pass",
            "All 60 tests of the tide table pass",
        ),
    ] {
        assert_eq!(told(a, b), [""; 0], "{a} / {b}");
    }
    // One that was done again is one, in other words as well.
    let again = layers(
        "Repair the lamp at the quay",
        "A new wire burns",
        "Rain gets into the socket",
    );
    assert_eq!(found(vec![lamp(), again]), ["near-duplicate"]);
}

#[test]
fn how_much_is_shared_is_told_of_the_shorter_one() {
    let short = "Parquet files are partitioned by `event_date`; the reader relies on it.";
    let long = "Parquet files are partitioned by `event_date`; the reader relies on it, so never change that.";
    let evidence = |a: &str, b: &str| {
        let memory = |name: &str, body: &str| {
            let words = body.split_whitespace().count();
            memory(name)
                .front("", body)
                .words(u32::try_from(words).unwrap())
        };
        one("near-duplicate", vec![memory("a", a), memory("b", b)]).evidence
    };
    assert_eq!(
        evidence(short, long),
        ["100% of the wording of `rawko:a` stands in this"]
    );
    assert_eq!(
        evidence(long, short),
        ["100% of its wording stands in the other"]
    );
}

#[test]
fn copies_are_found_in_any_script_and_other_names_are_no_copies() {
    let severity = |a: &str, b: &str| {
        let store = Store::new(vec![memory("a").front("", a), memory("b").front("", b)]);
        store.only("near-duplicate").first().map(|one| one.severity)
    };
    let chinese = "提交代码前请运行全部测试并确认结果。";
    assert_eq!(severity(chinese, chinese), Some(Severity::Warning));
    let japanese = "デプロイの前に必ずバックアップを取ってください。";
    assert_eq!(severity(japanese, japanese), Some(Severity::Warning));
    for (a, b) in [
        (
            "Do not use `any` in the handlers.",
            "Do not use `enum` in the handlers.",
        ),
        (
            "After a change of the schema run `atlas diff`.",
            "After a change of the schema run `atlas apply now`.",
        ),
        (
            "When adding a widget, export it from `mod.ts`.",
            "When adding a widget, export it from `kit/mod.ts`.",
        ),
        (
            "go vet ./...  # All packages",
            "go vet -race ./...  # With races",
        ),
    ] {
        assert_ne!(severity(a, b), Some(Severity::Warning), "{a} / {b}");
    }
}

/// The rule that warns of two bodies, each of a memory of its own.
fn warned(a: &str, b: &str) -> Vec<&'static str> {
    let samples = [("one", a), ("two", b)].map(|(name, body)| memory(name).front("", body));
    let store = Store::new(samples.into());
    let rules = ["contradiction", "near-duplicate", "contained"];
    let found = rules.iter().flat_map(|rule| store.only(rule));
    let found = found.filter(|finding| finding.severity == Severity::Warning);
    found.map(|finding| finding.rule).collect()
}

#[test]
fn what_stands_whole_in_a_list_is_contained_and_lines_in_another_order_are_a_copy() {
    for (rule, a, b) in [
        (
            "contained",
            "- run the linter before each commit of the app",
            "- run the linter before each commit of the app\n- ask Ada about the gate",
        ),
        (
            "contained",
            "- the gate opens at nine\n- lamps hang in the hall\n- boats wait at the pier",
            "- the gate opens at nine\n- lamps hang in the hall\n- boats wait at the pier\n- the crane is green",
        ),
        (
            "near-duplicate",
            "- the gate opens at nine\n- lamps hang in the hall\n- boats wait at the pier",
            "- boats wait at the pier\n- the gate opens at nine\n- lamps hang in the hall",
        ),
        (
            "near-duplicate",
            "Lamps hang in the hall of the harbour.\nBoats wait at the pier for the tide.",
            "Boats wait at the pier for the tide.\nLamps hang in the hall of the harbour.",
        ),
    ] {
        assert_eq!(warned(a, b), [rule], "{a} / {b}");
    }
}

#[test]
fn what_a_longer_text_takes_back_does_not_stand_in_it() {
    for (a, b) in [
        (
            "Use npm for installs.",
            "We used to say: Use npm for installs. That is no longer so, pnpm does it now.",
        ),
        (
            "Orders are archived after 90 days.",
            "Orders are archived after 90 days. This is no longer true since the archive was dropped.",
        ),
        (
            "Sessions are kept in Redis.",
            "Old rule, no longer valid: Sessions are kept in Redis. Since May they are in the cookie.",
        ),
        (
            "The crane lifts boats of ten tonnes.",
            "The crane lifts boats of ten tonnes. That was wrong from the start, so ask Ada first.",
        ),
    ] {
        assert!(!warned(a, b).contains(&"contained"), "{a} / {b}");
    }
    let kept = "Orders are archived after 90 days. The shop of the pier was closed. It is wrong to ask there.";
    assert_eq!(
        warned("Orders are archived after 90 days.", kept),
        ["contained"]
    );
}

#[test]
fn two_with_other_figures_are_not_offered_as_one() {
    let body = |port: &str| {
        format!(
            "Start the emulator of the harbour before the tests.\n\n```sh\nadb reverse tcp:{port} tcp:{port}\n```"
        )
    };
    let samples = [("one", "8081"), ("two", "9090")];
    let samples = samples.map(|(name, port)| memory(name).front("", &body(port)));
    for finding in Store::new(samples.into()).only("near-duplicate") {
        assert!(finding.fix.is_none(), "{finding:?}");
    }
}

#[test]
fn two_that_differ_in_a_word_are_not_offered_as_one() {
    for (a, b, merged) in [
        (
            "The worker writes detailed logs for each failed import of a file.",
            "The worker writes verbose logs for each failed import of a file.",
            false,
        ),
        (
            "Review comments must be answered before the branch is merged.",
            "Review remarks must be answered before the branch is merged.",
            false,
        ),
        (
            "Always run the quick tests before pushing to the main branch.",
            "Always run the fast tests before pushing to the main branch.",
            true,
        ),
        (
            "The importer simulates the tide before it writes its first file.",
            "The importer simulated the tide before it writes its first file.",
            true,
        ),
    ] {
        let samples = [("one", a), ("two", b)];
        let samples = samples.map(|(name, body)| memory(name).front("", body));
        let found = Store::new(samples.into()).only("near-duplicate");
        assert_eq!(found.len(), 1, "{a} / {b}");
        assert_eq!(found[0].fix.is_some(), merged, "{a} / {b}: {found:?}");
        assert_eq!(found[0].severity == Severity::Warning, merged);
    }
}

#[test]
fn lines_of_one_label_may_say_nearly_the_same() {
    for (a, b) in [
        (
            "`src/render/toggle.ts` — shared toggle/tooltip logic (side panel + ZIP export)",
            "`src/render/toggle.ts` — shared toggle logic (side panel + ZIP export); tooltips are CSS-only via anchor positioning",
        ),
        (
            "2. `uv run poe type-check` — mypy strict on `src/serena`, `src/solidlsp`, `test/`.",
            "2. `uv run poe type-check` — ty on `src/serena`, `src/solidlsp`, `test/`.",
        ),
        (
            "- Only run specific tests if user instructs: `npm test -- test/specific.test.ts`",
            "- Only run specific tests if user instructs: `npx tsx ./node_modules/vitest/vitest.mjs --run test/specific.test.ts`",
        ),
    ] {
        let samples = [("first-note", a), ("second-note", b)];
        let samples = samples.map(|(name, body)| memory(name).front("", body));
        let found = Store::new(samples.into()).only("near-duplicate");
        assert_eq!(found.len(), 1, "{a} / {b}");
    }
}
