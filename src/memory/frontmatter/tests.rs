use super::*;
use crate::memory::rows;

fn rawko() -> &'static Schema {
    crate::memory::format::schema("rawko")
}
use proptest::prelude::*;

fn text(fields: &Fields) -> String {
    serde_json::to_string(fields).unwrap()
}

#[test]
fn a_blank_line_may_hold_tabs_between_entries() {
    // As npm's `yaml` reads them.
    let two = read("a: b\nc: d\n").unwrap();
    for text in [
        "a: b\n\t\nc: d\n",
        "a: b\n\t \n \t\nc: d\n",
        "\t\na: b\nc: d\n\t",
    ] {
        assert_eq!(read(text).as_ref(), Ok(&two), "{text:?}");
    }
    let list = read("a:\n  - x\n\t\n  - y\n").unwrap();
    assert_eq!(read("a:\n  - x\n  - y\n"), Ok(list));
    for text in [
        "a: x\n\t\n  y\n",
        "a: |\n  x\n\t\n  y\n",
        "a: b\n\tc: d\n",
        "a: b\n\t\n\tc: d\n",
    ] {
        assert!(read(text).is_err(), "{text:?}");
    }
    assert!(read(&"a: b\n\t\n".repeat(100)).is_err());
}

#[test]
fn yaml_1_2_core() {
    let table = rows! {
        "" => "{}", "# nothing\n" => "{}", "a: 1\n" => r#"{"a":1}"#,
        "a: yes\nb: no\nc: on\nd: y\n" => r#"{"a":"yes","b":"no","c":"on","d":"y"}"#,
        "a: true\nb: False\nc: ~\nd:\n" => r#"{"a":true,"b":false,"c":null,"d":null}"#,
        "at: 2026-01-23T10:30:00Z\n" => r#"{"at":"2026-01-23T10:30:00Z"}"#,
        "at: 2026-01-23\n" => r#"{"at":"2026-01-23"}"#,
        "a: 1.5\nb: 0x10\nc: 1e3\n" => r#"{"a":1.5,"b":16,"c":1000.0}"#,
        "n: 123456789012345678901234567890\n" => r#"{"n":1.2345678901234568e+29}"#,
        "n: 18446744073709551615\n" => r#"{"n":1.8446744073709552e+19}"#,
        "a: [x, \"y z\", 'it''s']\n" => r#"{"a":["x","y z","it's"]}"#,
        "a:\n  - x\n  - \"y\"\nb:\n- z\n" => r#"{"a":["x","y"],"b":["z"]}"#,
        "a: [error|exception|handle.*error, \"b\"]\n" =>
            r#"{"a":["error|exception|handle.*error","b"]}"#,
        "a: {b: c}\n" => r#"{"a":{"b":"c"}}"#,
        "a: |\n  x\n  y\nb: >\n  x\n  y\n" => r#"{"a":"x\ny\n","b":"x y\n"}"#,
        "a: &x high\nb: *x\n" => r#"{"a":"high","b":"high"}"#,
        "<<: {a: b}\n" => r#"{"<<":{"a":"b"}}"#, "a: !mine x\n" => r#"{"a":"x"}"#,
        "a: !!str 1\n" => r#"{"a":"1"}"#,
        "1: a\ntrue: b\nnull: c\n" => r#"{"1":"a","true":"b","":"c"}"#,
        "a: x\r\nb: [y]\r\n" => r#"{"a":"x","b":["y"]}"#,
        "a: x # c\n" => r#"{"a":"x"}"#, "a: \"\\u00e9\\\"\"\n" => r#"{"a":"é\""}"#,
        "whenToUse:\n  - pattern: \"x\"\n" => r#"{"whenToUse":[{"pattern":"x"}]}"#,
    };
    for (yaml, json) in table {
        let read = read(yaml).map(|fields| text(&fields));
        assert_eq!(read, Ok(json.into()), "{yaml:?}");
    }
}

#[test]
fn what_is_not_a_mapping_is_an_error_with_its_place() {
    let table = rows! {
        "- a\n" => 1 => "a list where `key: value` lines belong",
        "just text\n" => 1 => "no `key: value` lines",
        "a: 1\nb: 2\na: 3\n" => 3 => "the key `a` occurs twice",
        "t: x\ntitle: Note: \"x\"\n" => 2 => "mapping values are not allowed in this context",
        "a: [x\nb: y\n" => 2 => "did not find expected ',' or ']'",
        "a: \"x\n" => 2 => "found unexpected end of stream",
        "a: *x\n" => 1 => "unknown anchor",
        "a:\tb: c\n" => 1 => "mapping values are not allowed in this context",
    };
    for (yaml, line, message) in table {
        let error = read(yaml).unwrap_err();
        assert_eq!((error.line, &*error.message), (line, message), "{yaml:?}");
    }
}

#[test]
fn hostile_text_is_answered_in_bounded_time() {
    let mut bomb = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for n in 1..12 {
        let names = vec![format!("*a{}", n - 1); 9].join(",");
        bomb.push_str(&format!("a{n}: &a{n} [{names}]\n"));
    }
    assert!(read(&bomb).is_err());
    assert!(read(&"[".repeat(100_000)).is_err());
    assert!(read(&format!("a: {}", "[".repeat(100_000))).is_err());
    let many: String = (0..50_000).map(|n| format!("k{n}: [{n}]\n")).collect();
    assert_eq!(read(&many).unwrap().iter().count(), 50_000);
}

#[test]
fn text_that_is_no_yaml_still_shows_its_fields() {
    let fields = tolerant(
        rawko(),
        "title: Note: \"x\" y\ntags: [a, b]\nwhenToUse:\n  - \"x|y\"\n  - z\n\
         importance: high\nodd line\nimportance: low\nat: 2026-01-01\nbad: [a\n",
    );
    assert_eq!(
        text(&fields),
        r#"{"title":"Note: \"x\" y","tags":["a","b"],"whenToUse":["x|y","z"],"importance":"high","at":"2026-01-01","bad":"[a"}"#
    );
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9 |.*?{}:#'\"\\[\\],&!%@~+=<>_/\\\\^$()-]{0,14}",
        "\"[a-z |.*:#'\\[\\],\\\\n/é\u{2028}]{0,10}\"",
        "'[a-z |.*:#\"\\[\\],\\\\']{0,10}'",
        "[0-9+.exob_-]{1,8}",
        "[-+]?\\.(inf|Inf|INF|nan|NaN|NAN)",
        "(true|True|false|null|NULL|~|yes|no|on|y|n|nan|inf|Infinity|---|\\.\\.\\.|=|<<)",
        "[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}Z?)?)?",
        "\\PC{0,6}",
    ]
}

fn yaml_text() -> impl Strategy<Value = String> {
    let list = prop::collection::vec(scalar().boxed(), 0..4);
    let entry = prop_oneof![
        4 => ("[a-zA-Z_][a-zA-Z0-9_-]{0,6}", scalar()).prop_map(|(k, v)| format!("{k}: {v}")),
        2 => ("[a-c]", list.clone()).prop_map(|(k, v)| format!("{k}: [{}]", v.join(", "))),
        1 => ("[a-c]", list.clone()).prop_map(|(k, v)| format!("{k}: [{}", v.join(","))),
        2 => ("[a-z]{1,3}", list, prop_oneof![Just("\n  - "), Just("\n- "), Just("\n  -   ")])
            .prop_map(|(k, v, dash)| format!("{k}:{}", v.iter().map(|v| format!("{dash}{v}")).collect::<String>())),
        1 => ("[a-z]{1,3}", prop::collection::vec(("[a-z_-]{1,3}", scalar()), 1..4), "\n {1,3}").prop_map(
            |(k, v, indent)| {
                let lines = v.iter().map(|(key, value)| format!("{indent}{key}: {value}"));
                format!("{k}:{}", lines.collect::<String>())
            }
        ),
        1 => Just("# comment: x".to_string()),
        1 => Just(String::new()),
        1 => Just("  ".to_string()),
        1 => Just("  - more".to_string()),
        1 => Just("  continued".to_string()),
        1 => Just("null: x".to_string()),
        1 => Just("---".to_string()),
        1 => "[ -~\t]{0,12}",
    ];
    (
        prop::collection::vec(entry, 0..6),
        prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("  \n"), 1 => Just("\r")],
        any::<bool>(),
    )
        .prop_map(|(lines, end, last)| lines.join(end) + if last { end } else { "" })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_fast_reader_never_disagrees(yaml in yaml_text()) {
        if let Some(fields) = plain::read(&yaml) {
            prop_assert_eq!(Ok(fields), yaml::read(&yaml).map(|fields| plain::resolved(&yaml, fields)));
        }
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,60}|[a-c:\\[\\]{}\"'|>&*!%@\n \t-]{0,60}") {
        let _ = read(&text);
        let _ = tolerant(rawko(), &text);
    }
}

#[test]
fn new_memories_are_written_as_the_format_does() {
    let items = |items: &[&str]| items.iter().copied().map(Value::from).collect::<Value>();
    let fields: [(String, Value); 6] = [
        ("title".into(), "Say \"hi\"".into()),
        ("whenToUse".into(), items(&["auth|login", "when: x"])),
        ("tags".into(), items(&["auth", "a, b", "yes"])),
        ("importance".into(), "high".into()),
        ("discoveredAt".into(), "2026-01-23T10:30:00Z".into()),
        ("discoveredBy".into(), "planner".into()),
    ];
    let text = compose(rawko(), &fields, "# Body\n");
    assert_eq!(
        text,
        "---\ntitle: \"Say \\\"hi\\\"\"\nwhenToUse:\n  - \"auth|login\"\n  - \"when: x\"\n\
         tags: [auth, \"a, b\", \"yes\"]\nimportance: high\ndiscoveredAt: 2026-01-23T10:30:00Z\n\
         discoveredBy: planner\n---\n\n# Body\n"
    );
    assert_eq!(append(b"", "new"), b"new");
    assert_eq!(append(b"old\n", "new\n"), b"old\n\n\n---\n\nnew\n");
    let windows = append(b"old\r\n", "new\n");
    assert_eq!(windows, b"old\r\n\r\n\r\n---\r\n\r\nnew\r\n");
    let twice = append(text.as_bytes(), &text);
    assert_eq!(crate::memory::document::layout(&twice).documents.len(), 2);
}

#[test]
fn places_of_values() {
    let yaml = "a: x # c\nt: [p,  \"q\"]\nw:\n  - one\n  - 'two' # c\nn:\nm:\n  k: v\n";
    let table = [
        ("a", None, Some("x")),
        ("a", Some(0), Some("x")),
        ("a", Some(1), None),
        ("t", None, Some("[p,  \"q\"]")),
        ("t", Some(1), Some("\"q\"")),
        ("w", Some(1), Some("'two'")),
        ("w", Some(2), None),
        ("n", None, Some("n:")),
        ("m", None, Some("k: v")),
        ("absent", None, None),
    ];
    for (field, item, found) in table {
        let place = Locations::new(yaml)
            .locate(field, item)
            .map(|range| &yaml[range]);
        assert_eq!(place, found, "{field} {item:?}");
    }
    let broken = "title: a: b\n- x\ntags: [a\n";
    assert_eq!(Locations::new(broken).locate("tags", None), Some(16..24));
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        3 => "\\PC{0,12}".prop_map(Value::from),
        2 => scalar().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::Int),
        1 => any::<f64>().prop_filter("equal to itself", |f| !f.is_nan()).prop_map(Value::Float),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| Value::List(items.into())),
            prop::collection::btree_map("\\PC{0,6}", inner, 0..4)
                .prop_map(|map| Value::Map(Box::new(map.into_iter().collect()))),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_composed_is_read_back(
        title in scalar(), value in any_value(), items in prop::collection::vec(scalar(), 0..4), key in "\\PC{1,8}",
    ) {
        let name = format!("k{key}");
        let fields = [
            ("title".to_owned(), title.into()),
            ("whenToUse".to_owned(), items.into_iter().map(Value::from).collect()),
            (name, value),
        ];
        let text = compose(rawko(), &fields, "body");
        let layout = crate::memory::document::layout(text.as_bytes());
        let front = &text[layout.documents[0].front.clone().unwrap()];
        prop_assert_eq!(read(front), Ok(fields.into_iter().collect()), "{}", front);
    }
}

#[test]
fn what_some_reader_takes_for_something_else_is_quoted() {
    let odd = [
        "y;N;Yes;on;OFF;1:30;1_000;0o7;010;2026-01-01;0x1F;1e3;2026-01-01 10:00:00",
        "2026-01-23T10:30:00Z;.5;.inf;+1;-1;~;=;<<;null;True;; a;a ;a:;a: b;a #b;- a;? a",
        "#a;&a;*a;!a;%a;@a;`a;[a;{a;|;>;'a;\"a;12;1.5;1,000",
    ];
    for text in odd.iter().flat_map(|odd| odd.split(';')) {
        let written = write::scalar(text, write::Quotes::Plain, false);
        assert!(written.starts_with('"'), "{written}");
    }
    for text in "a;error|x.*y;src/a.rs;v1.2;3 times;1.2.3-rc1;é;a:b".split(';') {
        assert_eq!(write::scalar(text, write::Quotes::Plain, false), text);
    }
}

/// As npm's yaml 2.9.1 reads them.
#[test]
fn a_byte_order_mark_at_the_beginning_of_a_later_line_is_a_character() {
    for (yaml, json) in rows! {
        "\u{feff}a: 1\nb: 2\n" => r#"{"a":1,"b":2}"#, "# x\n\n\u{feff}a: 1\n" => r#"{"a":1}"#,
        "a: 1\n\u{feff}b: 2\n" => "{\"a\":1,\"\u{feff}b\":2}",
        "a: |\n  x\n\u{feff}b: \u{e000}\n" => "{\"a\":\"x\\n\",\"\u{feff}b\":\"\u{e000}\"}",
    } {
        assert_eq!(text(&read(yaml).unwrap()), json);
    }
    // Neither a comment nor an item.
    for text in ["a: 1\n\u{feff}# b\n", "a:\n\u{feff}- b\n"] {
        assert!(read(text).is_err(), "{text:?}");
    }
    let twice = read("\n\na: 1\n\u{feff}b: 2\n\u{feff}b: 3\n").unwrap_err();
    assert!(!twice.message.contains('\u{e000}'), "{}", twice.message);
    assert_eq!((twice.line, twice.column), (5, 1));
}

/// As npm's yaml 2.9.1 reads them.
#[test]
fn scalars_are_those_of_npm_yaml() {
    for (scalar, json) in [
        // Halves of a pair, as JSON escapes them: together one character, alone none.
        (r#""\ud83d\ude00""#, r#""😀""#),
        (r#""a \uD83D\uDE80 b \u00e9""#, r#""a 🚀 b é""#),
        (r#"["\ud83d\ude00", x]"#, r#"["😀","x"]"#),
        (r#""\ud83d""#, "\"\u{fffd}\""),
        (r#""\\ud83d""#, r#""\\ud83d""#),
        (r"'\ud83d\uDE00'", r#""\\ud83d\\uDE00""#),
        (r"\ud83d\uDE00", r#""\\ud83d\\uDE00""#),
        // Numbers of the core schema.
        ("07", "7"),
        ("+07", "7"),
        ("-007", "-7"),
        ("[07, '07', 0b1]", r#"[7,"07","0b1"]"#),
        ("\n  - 07\n  - \"07\"", r#"[7,"07"]"#),
        ("'07'", r#""07""#),
        ("|-\n  07", r#""07""#),
        ("07.5", "7.5"),
        ("1.", "1.0"),
        ("08-01", r#""08-01""#),
        ("0b11", r#""0b11""#),
        ("-0x1f", r#""-0x1f""#),
        ("0o17", "15"),
        ("+.nan", r#""+.nan""#),
        ("0_7", r#""0_7""#),
        // Characters that other readers take for line ends, or for none.
        ("\"x\u{85}y\"", "\"x\u{85}y\""),
        ("'x \u{85} y'", "\"x \u{85} y\""),
        ("x\u{85}y", "\"x\u{85}y\""),
        ("|\n  x\u{85}y\n", "\"x\u{85}y\\n\""),
        ("[x\u{85}y, \u{2028}]", "[\"x\u{85}y\",\"\u{2028}\"]"),
        ("x\u{2029}y\u{e000}", "\"x\u{2029}y\u{e000}\""),
        ("\u{0}", r#""\u0000""#),
        ("x\u{7}\u{9f}y", "\"x\\u0007\u{9f}y\""),
    ] {
        let yaml = format!("a: {scalar}\nb: \"{{\"\n");
        let fields = read(&yaml).unwrap_or_else(|error| panic!("{yaml:?}: {error:?}"));
        let value = serde_json::to_string(fields.get("a").unwrap()).unwrap();
        assert_eq!(value, json, "{yaml:?}");
    }
}
