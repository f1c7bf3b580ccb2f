use std::path::Path;

use super::*;

/// A file with one mistake: its line, and words of the message.
type Mistake = (&'static str, usize, &'static str);

/// Mistakes of a person's file.
const MISTAKES: [Mistake; 34] = [
    // Keys that are not there, with the nearest that is.
    (
        "them = 'dark'",
        1,
        "unknown key `them`; did you mean `theme`?",
    ),
    ("sample_task = []", 1, "did you mean `sample_tasks`?"),
    ("[injekt]\nmax = 1", 1, "did you mean `inject`?"),
    (
        "[inject]\nmaxx = 1",
        2,
        "unknown key `maxx`; did you mean `max`?",
    ),
    (
        "theme = 'dark'\n\n[inject]\n\nmin_importanc = 'low'",
        5,
        "did you mean `min_importance`?",
    ),
    ("[lint]\nseverty = {}", 2, "did you mean `severity`?"),
    ("[lint.store.rawko]\nonli = []", 2, "did you mean `only`?"),
    ("[model]\ncomand = ['a']", 2, "did you mean `command`?"),
    (
        "[[stores]]\npath = 'a'\nformt = 'rum'",
        3,
        "did you mean `format`?",
    ),
    (
        "[lint.threshold.body-length]\nmsot = 9",
        2,
        "did you mean `most`?",
    ),
    (
        "[keys]\nundoo = ['u']",
        2,
        "unknown name `undoo`; did you mean `undo`?",
    ),
    (
        "[lint.severity]\nsecrets = 'info'",
        2,
        "unknown name `secrets`; did you mean `secret`?",
    ),
    // Values that are not there.
    (
        "theme = 'drak'",
        1,
        "`theme`: unknown value `drak`; did you mean `dark`?",
    ),
    ("agents = 'writes'", 1, "did you mean `write`?"),
    (
        "[inject]\nmin_importance = 'hihg'",
        2,
        "did you mean `high`?",
    ),
    (
        "[inject]\ndialect = 'naturel'",
        2,
        "did you mean `natural`?",
    ),
    (
        "[lint]\noff = ['expired',\n  'body-lenght']",
        3,
        "did you mean `body-length`?",
    ),
    (
        "[lint]\nonly = ['stale-paht']",
        2,
        "did you mean `stale-path`?",
    ),
    (
        "[lint.severity]\nsecret = 'warn'",
        2,
        "`secret`: unknown value `warn`; did you mean `warning`?",
    ),
    (
        "[[stores]]\npath = 'a'\nformat = 'serna'",
        3,
        "did you mean `serena`?",
    ),
    (
        "[lint.store.\"rawk@docs\"]\noff = []",
        1,
        "did you mean `rawko`?",
    ),
    (
        "[keys]\nundo = ['contrl-u']",
        2,
        "no key is called `contrl-u`",
    ),
    (
        "[model]\ntimeout = '2 hours'",
        2,
        "`timeout` is `2 hours`; write it like 500ms",
    ),
    // Values of another type.
    ("theme = 3", 1, "`theme` is a number, not text"),
    (
        "sample_tasks = 'one'",
        1,
        "`sample_tasks` is text, not a list",
    ),
    (
        "sample_tasks = ['one', 2]",
        1,
        "`sample_tasks` is a number, not text",
    ),
    ("inject = 'auto'", 1, "`inject` is text, not a table"),
    (
        "[inject]\nmax = '5'",
        2,
        "`max` is text, not a whole number",
    ),
    (
        "[inject]\nbudget = 1.5",
        2,
        "`budget` is a number, not a whole number",
    ),
    ("[keys]\nundo = 'u'", 2, "`undo` is text, not a list"),
    // Values out of range, and what is missing.
    ("[inject]\nmax = -1", 2, "`max` is -1; it is at least 0"),
    (
        "[lint.threshold.secret]\nconfidence = 1.5",
        2,
        "it is at least 0 and at most 1",
    ),
    ("[model]\ncommand = []", 2, "`command` is empty"),
    (
        "theme = 'dark'\n[[stores]]\nformat = 'rum'",
        2,
        "`path` is missing",
    ),
];

#[test]
fn each_mistake_is_found_with_its_line_and_the_nearest_name() {
    let schema = schema();
    for (text, line, message) in MISTAKES {
        let found = schema.check(Path::new("c.toml"), text, false);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!(found[0].line, line, "{text}: {}", found[0].message);
        assert!(
            found[0].message.contains(message),
            "{text}: {}",
            found[0].message
        );
    }
    // All at once, each with its line.
    let all = "them = 'dark'\nagents = 'x'\n[inject]\nmax = 'a'\nbudgt = 1\n";
    let lines = schema
        .check(Path::new("c.toml"), all, false)
        .into_iter()
        .map(|one| one.line);
    assert_eq!(lines.collect::<Vec<_>>(), [1, 2, 4, 5]);
    let broken = schema.check(Path::new("c.toml"), "theme = \n[inject\n", false);
    assert!(!broken.is_empty() && broken[0].line == 1, "{broken:?}");
}

#[test]
fn a_project_may_not_set_what_is_a_persons() {
    let text = "theme = 'dark'\nagents = 'write'\neditor = 'x'\n[keys]\nundo = ['u']\n[model]\nname = 'm'\n\
                [[stores]]\npath = 'a'\nagents = 'write'\n";
    let found = schema().check(Path::new("c.toml"), text, true);
    let lines: Vec<usize> = found.iter().map(|one| one.line).collect();
    assert_eq!(lines, [2, 3, 4, 6, 10], "{found:?}");
    assert!(found.iter().all(|one| {
        one.message
            .starts_with("ignored: a file of the project may not set")
    }));
}

/// The keys that reading settings knows at a place.
fn known(head: &str) -> Vec<String> {
    let text = format!("{head}\nzzz = 1\n");
    let error = toml::from_str::<Settings>(&text).unwrap_err();
    let expected = error
        .message()
        .split_once("expected ")
        .unwrap()
        .1
        .to_owned();
    let mut keys: Vec<String> = expected
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    keys.sort();
    keys
}

#[test]
fn the_schema_has_the_keys_that_are_read() {
    let json = schema().json;
    for (head, pointer) in [
        ("", "/properties"),
        ("[inject]", "/properties/inject/properties"),
        ("[model]", "/properties/model/properties"),
        ("[lint]", "/properties/lint/properties"),
        (
            "[[stores]]\npath = 'a'",
            "/properties/stores/items/properties",
        ),
    ] {
        let own = json.pointer(pointer).unwrap().as_object().unwrap();
        let mut own: Vec<String> = own.keys().cloned().collect();
        own.sort();
        assert_eq!(own, known(head), "{head}");
    }
    let text = serde_json::to_string(&json).unwrap();
    assert!(!text.contains("x-values") && !text.contains("x-thresholds"));
    // Each variable sets a key of the schema.
    for (variable, key) in ENVIRONMENT {
        let pointer = format!("/properties/{}", key.replace('.', "/properties/"));
        assert!(json.pointer(&pointer).is_some(), "{variable}");
    }
}
