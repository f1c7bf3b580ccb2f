use std::path::Path;

use super::*;

/// Mistakes of a person's file: the line, the file with `\n` for its line ends, words of the message.
const MISTAKES: &str = r#"
1 | them = 'dark' | unknown key `them`; did you mean `theme`?
1 | sample_task = [] | did you mean `sample_tasks`?
1 | [injekt]\nmax = 1 | did you mean `inject`?
2 | [inject]\nmaxx = 1 | unknown key `maxx`; did you mean `max`?
5 | theme = 'dark'\n\n[inject]\n\nmin_importanc = 'low' | did you mean `min_importance`?
2 | [lint]\nseverty = {} | did you mean `severity`?
2 | [lint.store.rawko]\nonli = [] | did you mean `only`?
2 | [model]\ncomand = ['a'] | did you mean `command`?
3 | [[stores]]\npath = 'a'\nformt = 'rum' | did you mean `format`?
2 | [lint.threshold.body-length]\nmsot = 9 | did you mean `most`?
2 | [keys]\nundoo = ['u'] | unknown name `undoo`; did you mean `undo`?
2 | [lint.severity]\nsecrets = 'info' | unknown name `secrets`; did you mean `secret`?
1 | theme = 'drak' | `theme`: unknown value `drak`; did you mean `dark`?
1 | agents = 'writes' | did you mean `write`?
2 | [inject]\nmin_importance = 'hihg' | did you mean `high`?
2 | [inject]\ndialect = 'naturel' | did you mean `natural`?
3 | [lint]\noff = ['expired',\n  'body-lenght'] | did you mean `body-length`?
2 | [lint]\nonly = ['stale-paht'] | did you mean `stale-path`?
2 | [lint.severity]\nsecret = 'warn' | `secret`: unknown value `warn`; did you mean `warning`?
3 | [[stores]]\npath = 'a'\nformat = 'serna' | did you mean `serena`?
1 | [lint.store."rawk@docs"]\noff = [] | did you mean `rawko`?
2 | [keys]\nundo = ['contrl-u'] | no key is called `contrl-u`
2 | [model]\ntimeout = '2 hours' | `timeout` is `2 hours`; write it like 500ms
1 | theme = 3 | `theme` is a number, not text
1 | sample_tasks = 'one' | `sample_tasks` is text, not a list
1 | sample_tasks = ['one', 2] | `sample_tasks` is a number, not text
1 | inject = 'auto' | `inject` is text, not a table
2 | [inject]\nmax = '5' | `max` is text, not a whole number
2 | [inject]\nbudget = 1.5 | `budget` is a number, not a whole number
2 | [keys]\nundo = 'u' | `undo` is text, not a list
2 | [inject]\nmax = -1 | `max` is -1; it is at least 0
2 | [lint.threshold.secret]\nconfidence = 1.5 | it is at least 0 and at most 1
2 | [model]\ncommand = [] | `command` is empty
2 | theme = 'dark'\n[[stores]]\nformat = 'rum' | `path` is missing
"#;

#[test]
fn each_mistake_is_found_with_its_line_and_the_nearest_name() {
    let schema = schema();
    for row in MISTAKES.trim().lines() {
        let [line, text, message] = *row.split(" | ").collect::<Vec<_>>() else {
            panic!("{row}");
        };
        let text = text.replace("\\n", "\n");
        let found = schema.check(Path::new("c.toml"), &text, false);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        let said = &found[0];
        assert_eq!(said.line.to_string(), line, "{text}: {}", said.message);
        assert!(said.message.contains(message), "{text}: {}", said.message);
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
