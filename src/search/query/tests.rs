use std::sync::LazyLock;

use super::*;
use crate::memory::format;
use crate::memory::schema::{FieldSpec, Kind};
use crate::memory::{Problem, Severity, State, Value};
use crate::search::tests::{NOW, memory};

mod errors;
mod narrowing;

static OTHER: LazyLock<Schema> = LazyLock::new(|| {
    let kinds = [
        ("confidence", Kind::Number((0.0, 1.0))),
        ("pinned", Kind::Bool),
        ("expires", Kind::Date),
    ];
    let fields = kinds.map(|(name, kind)| FieldSpec {
        name,
        kind,
        ..FieldSpec::default()
    });
    Schema {
        format: "golemcore",
        policy: "golemcore",
        fields: Box::leak(Box::new(fields)),
        ..Schema::default()
    }
});

fn parse(text: &str) -> Query {
    Query::parse(text, &[format::schema("rawko"), &*OTHER])
        .unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn sample() -> Memory {
    let mut memory = memory(
        "adr/oauth-too-broad",
        "OAuth2 Integration Was Too Broad",
        &["failures", "Auth", "scope"],
        "high",
        3,
    );
    memory.words = 200;
    memory
}

fn marks() -> Marks {
    Marks {
        findings: RuleSet::of("stale-path"),
        count: 1,
        new: true,
        worth: Worth::default(),
    }
}

const BODY: &str = "# Why\n\nUsers of authentication were confused: caf\u{e9} & Stra\u{df}e.\nDone";

fn finds(query: &str) -> bool {
    parse(query)
        .matches(&sample(), &marks(), NOW, Some(BODY))
        .is_some()
}

#[test]
fn negative_memories_are_found_as_cautions() {
    let found = |is_caution| {
        let memory = Memory {
            is_caution,
            ..sample()
        };
        let query = parse("is:caution");
        query
            .matches(&memory, &Marks::default(), NOW, None)
            .is_some()
    };
    assert!(found(true) && !found(false));
    let error = Query::parse("is:negative", &[]).unwrap_err();
    assert_eq!(error.hint.as_deref(), Some("did you mean `caution`?"));
}

#[test]
fn what_matches() {
    let queries = [
        "",
        // Nothing, or nothing yet.
        "  ;!;';^;$;|;tag:;!tag:;tag:,;created:<;importance:>=",
        // Words.
        "oauth;oai broad;OAuth2;tbrd;'Integration;^oauth;broad$;^oauth2\\ integration",
        "\"was too\";'was\\ too;fail;^scope$;auth$;^adr/;too-broad",
        "OAuth2\\ Integration\\ Was\\ Too\\ Broad;^OAuth2\\ Integration\\ Was\\ Too\\ Broad$",
        // In the text.
        "confused;athn;'cafe;café;strase | confused;^#;done$;\"were confused\"",
        // Not.
        "!zebra;!'zebra;!^integration;!oauth$;!oai;!tag:jwt",
        // Or, tighter than and.
        "zebra | oauth;zebra | oauth broad;oauth | zebra broad;| oauth;oauth |",
        "zebra | tag:auth;zebra | !yak",
        // Fields.
        "tag:auth;tags:AUTH;TAG:auth;tag:jwt,auth;tag:sco*;tag:=auth;!tag:aut;importance:high",
        "importance:h;importance:>=high;importance:>medium;importance:<critical",
        "importance:<=high;importance:=high;importance:low,high;author:dev;author:dev*",
        "author:=developer;discoveredBy:dev;discoveredby:DEV;whenToUse:login;store:rawko",
        "store:raw;state:active;state:act;title:integration;title:\"was too\";title:was\\ too",
        "text:confused;text:oauth2;path:memories;id:adr/;id:rawko:adr;rawko:adr",
        "rawko:adr/oauth-too-broad;created:<30d;created:<4d;created:>2d;created:>=3d",
        "created:<=3d;created:<1w;created:<1M;created:<1y;created:>1h;created:>1m",
        "created:2026-10;created:2026;created:2026-10-29;created:>=2026-10-29",
        "created:<=2026-10-29;created:<2026-10-30;created:>2026-10-28;created:3d",
        "created:>2026-10-28T12:00Z;has:finding;has:stale-path;has:stale;has:body",
        "has:whenToUse;has:tags;has:created;!has:source;!has:updated;!has:secret;!has:pinned",
        "has:secret,stale-path;is:active;is:new;!is:archived;!is:invisible;is:visible",
        "!is:broken;is:archived,active",
    ];
    for query in queries.iter().flat_map(|queries| queries.split(';')) {
        assert!(finds(query), "{query} should match");
    }
}

#[test]
fn what_does_not_match() {
    let queries = [
        "zebra;oauth zebra;oAuth2;INTEGRATION;^integration;oauth$;'oai;^oauth$;\"too was\"",
        "!oauth;!'too;!^oauth;!broad$;!confused;Confused;intégration;usersofauth",
        "oauth | broad zebra;tag:aut;tag:failure;!tag:auth;importance:low;importance:>high",
        "importance:<high;author:reviewer;author:=dev;state:archived;created:>30d;created:<3d",
        "created:2026-11;created:>2026-10-29;created:<2026-10-29;updated:<30d;has:source",
        "has:secret;has:updated;!has:finding;is:archived;is:invisible;is:broken;!is:new",
        "store:serena;rawko:oauth-too;text:zebra;confidence:>0;pinned:true;expires:2026",
        "title:jwt;\\!zebra",
    ];
    for query in queries.iter().flat_map(|queries| queries.split(';')) {
        assert!(!finds(query), "{query} should not match");
    }
}

#[test]
fn a_colon_inside_a_word_is_no_field() {
    for query in [
        "http://a.b/c",
        "a::b",
        "12:30",
        "C:\\dir",
        "x\\:y",
        "'note:x",
        "\"note: x\"",
        "src/a.rs:12",
    ] {
        assert!(parse(query).words().count() == 1, "{query}");
    }
    let other = Memory {
        title: "See http://a.b/c at 12:30".into(),
        ..sample()
    };
    for query in ["http://a", "12:30", "'http\\://a"] {
        let found = parse(query).matches(&other, &Marks::default(), NOW, None);
        assert!(found.is_some(), "{query}");
    }
}

#[test]
fn other_kinds_of_field() {
    let mut other = Memory {
        schema: &OTHER,
        state: State::Archived,
        hidden: Some("below a heading".into()),
        fields: [
            ("confidence", Value::Float(0.75)),
            ("pinned", Value::Bool(true)),
            ("expires", Value::from("2026-12-24T10:00:00Z")),
            ("Unknown", Value::Int(7)),
        ]
        .into_iter()
        .collect(),
        ..sample()
    };
    other.problems = Box::new([Problem {
        rule: "bad-date",
        severity: Severity::Warning,
        line: 1,
        column: 1,
        message: "no".into(),
    }]);
    let yes = [
        "confidence:>0.5",
        "confidence:0.75",
        "confidence:<=.75",
        "!confidence:>1",
        "pinned:yes",
        "!pinned:false",
        "expires:2026-12",
        "expires:>2026",
        "is:archived",
        "is:invisible",
        "is:broken",
        "state:archived",
        "has:confidence",
        "!has:tags",
        "!importance:high",
        "expires:<1d",
    ];
    for query in yes {
        let query_text = query.replace("expires:>2026", "expires:>2025");
        let found = parse(&query_text).matches(&other, &Marks::default(), NOW, None);
        assert!(found.is_some(), "{query}");
    }
}

#[test]
fn whole_words_rank_before_beginnings_and_those_before_scattered_letters() {
    let rank = |query: &str, title: &str, tag: &str, body: &str| {
        let memory = memory("local", title, &[tag], "high", 1);
        parse(query).matches(&memory, &Marks::default(), NOW, Some(body))
    };
    // Whole words, then beginnings, then what is inside of a word; scattered letters come last.
    let ladder = [
        ("Auth", "x", "x"),
        ("Auth Cache", "x", "x"),
        ("The Auth", "x", "x"),
        ("Nothing", "auth", "x"),
        ("Authentication", "x", "x"),
        ("The Authentication", "x", "x"),
        ("Nothing", "authors", "x"),
        ("OAuth", "x", "x"),
        ("Nothing", "oauth", "x"),
        ("Nothing", "x", "the auth"),
        ("Nothing", "x", "the oauth"),
        (
            "SAiling Times Are Stored as Local HarboUr Time; tH",
            "x",
            "x",
        ),
        ("Nothing", "amputatehim", "x"),
        ("Nothing", "x", "amputatehim"),
    ];
    let ranks: Vec<_> = ladder
        .iter()
        .map(|(title, tag, body)| rank("auth", title, tag, body).unwrap())
        .collect();
    assert!(ranks.is_sorted_by(|a, b| a > b), "{ranks:?}");
    let loose = ranks.iter().filter(|rank| is_loose(**rank)).count();
    assert_eq!(loose, 3);
    // Of two with the tag the one whose title has the word too comes first.
    let in_both = rank("auth", "OAuth2 Was Too Broad", "auth", "x");
    assert!(in_both > rank("auth", "Nothing", "auth", "x"));
    assert!(in_both > rank("auth", "Authentication", "x", "x"));
    // A title with scattered letters does not hide the tag, nor the tag the text.
    let both_ways = rank("auth", "SAiling Us To Huh", "auth", "x");
    assert!(both_ways > rank("auth", "Authentication", "x", "x"));
    let in_text = rank("auth", "SAiling Us To Huh", "x", "the auth");
    assert!(in_text.is_some_and(|rank| !is_loose(rank)));
    // One word that is scattered makes the memory loose, however well the others stand.
    let one = rank("auth cache", "Auth in cxaxcxhxe", "auth", "x");
    assert!(one.is_some_and(is_loose), "{one:?}");
    assert_eq!(
        rank("auth | tag:x", "SAiling Us To Huh", "x", "").map(is_loose),
        Some(false)
    );
    let both = rank("auth cache", "Auth Cache Pattern", "x", "x");
    let other_way = rank("auth cache", "Cache Auth Pattern", "x", "x");
    let one = rank("auth cache", "Auth Pattern", "cache", "x");
    let in_text = rank("auth cache", "Auth Pattern", "x", "cache");
    assert!(both > other_way && other_way > one && one > in_text && in_text.is_some());
    assert_eq!(rank("tag:auth !zebra", "Auth", "auth", "x"), Some(0));
}

#[test]
fn what_is_drawn() {
    let ranges = |query: &str, text: &str| {
        let ranges = parse(query).highlights(text);
        ranges.iter().map(|r| (r.start, r.end)).collect::<Vec<_>>()
    };
    assert_eq!(ranges("auth", "OAuth Flow"), [(1, 5)]);
    assert_eq!(ranges("auth flow", "OAuth Flow"), [(1, 5), (6, 10)]);
    assert_eq!(ranges("of | zebra", "OAuth Flow"), [(0, 1), (6, 7)]);
    assert_eq!(ranges("!auth tag:flow", "OAuth Flow"), []);
    assert_eq!(ranges("cafe", "Le café"), [(3, 7)]);
    // Marks that belong to a letter are drawn with it.
    assert_eq!(ranges("cafe", "Le cafe\u{301}!"), [(3, 8)]);
    assert_eq!(ranges("日本", "about 日本"), [(6, 8)]);
    assert_eq!(ranges("x", ""), []);
}

#[test]
fn every_rule_of_lint_can_be_asked_for() {
    for rule in crate::lint::RULES {
        let id = rule.id;
        assert!(RULES.contains(&id), "has:{id} finds nothing");
        assert!(!RuleSet::of(id).is_empty(), "{id}");
    }
}
