//! Versions that are named beside a product, held against the manifests.

use super::claims::MANIFESTS;
use super::*;

const NPM: (&str, &str) = (
    "package.json",
    r#"{"dependencies":{"express":"5.1.0","zod":"^3.23.8","pg":"8.13.1","log":"1.2.0"},"engines":{"node":">=22"}}"#,
);

#[test]
fn versions_are_held_against_the_manifests() {
    let cargo = (
        "core/Cargo.toml",
        "[package]\nrust-version='1.85'\n[dependencies]\naxum='0.8'\n",
    );
    let project = Fake::new(&[NPM, cargo]);
    for (body, expected) in [
        (
            "We use axum 0.7 here.",
            &["w `axum` 0.7 is named, `core/Cargo.toml` has `0.8` => We use axum 0.8 here."][..],
        ),
        (
            "| `express` | 4.19.2 | HTTP |",
            &[
                "w `express` 4.19.2 is named, `package.json` has `5.1.0` => | `express` | 5.1.0 | HTTP |",
            ],
        ),
        (
            "Node 20 is needed.",
            &["w `Node` 20 is named, `package.json` has `>=22`"],
        ),
        (
            "`pg` is pinned to 8.12.",
            &["w `pg` 8.12 is named, `package.json` has `8.13.1` => `pg` is pinned to 8.13."],
        ),
        (
            "zod 3.22 checks it.",
            &["i `zod` 3.22 is named, `package.json` has `^3.23.8`"],
        ),
        // The memory knows both.
        ("Express 4 has no types. Express 5 is in use.", &[]),
        (
            "Express 4 has no types.\n\nExpress 5.1 is in use.",
            &["i `Express` 4 is named, `package.json` has `5.1.0`"],
        ),
        // It fits.
        ("axum 0.8.4, express 5, Node 24, zod 3.25, Rust 1.90", &[]),
        ("Node 20 or newer; Rust 1.80+", &[]),
        // It tells of what was.
        ("We moved from Express 4 to 5.", &[]),
        ("axum 0.7 was replaced in May.", &[]),
        ("Since Express 4.19 the header is kept.", &[]),
        // It is no version of it.
        (
            "log 10 lines; the express train of 4.19 pm; zod 2 times",
            &[],
        ),
        ("```\nexpress 4.19.2\n```", &[]),
        ("koa 1.0 is no dependency.", &[]),
    ] {
        assert_eq!(said(&project, "stale-version", body), expected, "{body}");
    }
}

#[test]
fn a_version_of_another_kind_is_not_written_without_a_person() {
    let project = Fake::new(&[NPM]);
    for (body, safe) in [
        ("`pg` 8.12.0 is in use.", true),
        ("`express` 4.19.2 is in use.", false),
        ("`pg` 8.12 is in use.", false),
    ] {
        let digest = found(&project, "stale-version", memory("a").front("", body));
        let fixes = digest.findings.iter().filter_map(|one| one.fix.as_ref());
        assert_eq!(
            fixes.map(|fix| fix.safe).collect::<Vec<_>>(),
            [safe],
            "{body}"
        );
    }
}

#[test]
fn what_is_said_of_a_version_decides_how_bad_it_is_and_who_may_write_it() {
    let npm = (
        "package.json",
        r#"{"dependencies":{"next":"15.1.0","react":"^18.3.1","svelte":"^5.1.0","express":"5.1.0","ring":"0.17.8"},"engines":{"node":">=22"}}"#,
    );
    let python = (
        "pyproject.toml",
        "[project]\nrequires-python='>=3.11'\ndependencies=['requests==2.32.3']\n",
    );
    let go = (
        "go.mod",
        "module a\n\nrequire github.com/gin-gonic/gin v1.10.0\n",
    );
    let project = Fake::new(&[npm, python, go]);
    for body in [
        "Requires next 14 or 15.",
        "Works with next 14 and 15 alike.",
        "Do not downgrade to React 17.",
        "Do not go back to Svelte 4.",
        "No Svelte 4 syntax in new components.",
        "No Python 2 compatibility is needed.",
        "If you are on Express 4, wrap handlers; we are on 5.",
        "Node 18 support ended.",
        "Customers on Node 18 get a warning.",
        "Users with Node 18 are told to upgrade.",
        "Never build it with Svelte 4.",
    ] {
        let all = said(&project, "stale-version", body);
        assert!(
            all.iter().all(|one| one.starts_with("i ")),
            "{body}: {all:?}"
        );
    }
    let safe = |body: &str| {
        let digest = found(&project, "stale-version", memory("a").front("", body));
        let fix = digest.findings.first().and_then(|one| one.fix.as_ref());
        fix.map(|fix| fix.safe)
    };
    for (body, expected) in [
        // What is true of one release is not of another one.
        ("gin v1.9.1 panics on nil writers", None),
        ("ring 0.17.7 is pinned because of FIPS", Some(false)),
        (
            "The workaround for requests 2.28.0 is to pass verify.",
            None,
        ),
        ("We use gin v1.9.1 for routes.", Some(true)),
        ("ring is at 0.17.7.", Some(true)),
        ("| `requests` | 2.28.0 | HTTP |", Some(true)),
        ("We use ring 0.17.7 because of FIPS.", Some(false)),
    ] {
        assert_eq!(safe(body), expected, "{body}");
    }
    for body in [
        "Svelte 4 is used, so there are no runes.",
        "Express 4 does not pass async errors on, wrap the handlers.",
        "Node 18 is what runs in production.",
        "Requires next 13 or 14.",
    ] {
        let all = said(&project, "stale-version", body);
        assert!(
            all.iter().any(|one| one.starts_with("w ")),
            "{body}: {all:?}"
        );
    }
}

#[test]
fn products_are_known_under_the_names_of_their_artifacts() {
    let pom = (
        "pom.xml",
        "<project><parent><artifactId>spring-boot-starter-parent</artifactId><version>3.3.1</version>\
         </parent><dependencies><dependency><artifactId>junit-jupiter</artifactId>\
         <version>5.10.2</version></dependency><dependency><artifactId>postgresql</artifactId>\
         <version>42.7.3</version></dependency></dependencies></project>",
    );
    let python = (
        "tools/pyproject.toml",
        "[project]\nrequires-python='>=3.11'\ndependencies=['pydantic>=2.6,<3','torch==2.3.0']\n",
    );
    let web = (
        "web/package.json",
        r#"{"engines":{"node":">=20"},"dependencies":{"@angular/core":"^17.3.0","vue-router":"^4.2.0"}}"#,
    );
    let cargo = ("Cargo.toml", "[package]\nrust-version='1.80'\n");
    let project = Fake::new(&[pom, python, web, cargo]);
    for body in [
        "We are on Spring Boot 2.7.",
        "the services are on spring boot 2.7",
        "Tests are written with JUnit 4.13.",
        "Models use Pydantic 1.10.",
        "The scripts run on Python 3.8.",
        "The web app is built with Node 16.",
        "The shop is an Angular 15 app.",
        "Routes need Vue Router 3.",
        "Training needs PyTorch 1.13.",
        "The MSRV is 1.70.",
        "requires-python = \">=3.8\"",
        "At least Rust 1.70 is needed.",
    ] {
        let found = said(&project, "stale-version", body);
        assert!(
            found.len() == 1 && found[0].starts_with("w "),
            "{body}: {found:?}"
        );
    }
    for body in [
        "Spring Boot 3.3, JUnit 5, Pydantic 2.6, Python 3.12, Node 22, Angular 17, Vue Router 4",
        "The database is PostgreSQL 16.",
        "Python 2 is not supported.",
        "Node 3 of the cluster is slow.",
        "Spring Security 5 and Vue Test Utils 1.3",
        "The MSRV is 1.80; at least Rust 1.81 is needed for the tests.",
    ] {
        assert_eq!(said(&project, "stale-version", body), [""; 0], "{body}");
    }
}

#[test]
fn a_version_that_one_of_several_manifests_has_is_right() {
    let project = Fake::new(&[
        ("a/package.json", r#"{"dependencies":{"react":"^18.2.0"}}"#),
        ("b/package.json", r#"{"dependencies":{"react":"^19.0.0"}}"#),
        (
            "node_modules/x/package.json",
            r#"{"dependencies":{"react":"^16.0.0"}}"#,
        ),
    ]);
    assert_eq!(
        said(
            &project,
            "stale-version",
            "React 18 in one, React 19 in the other."
        ),
        [""; 0]
    );
    let old = said(&project, "stale-version", "React 16 only.");
    assert_eq!(
        old,
        ["w `React` 16 is named, `a/package.json` has `^18.2.0`"]
    );
}

#[test]
fn the_line_of_the_manifest_is_the_evidence() {
    let project = Fake::new(&MANIFESTS);
    for (body, message, evidence) in [
        (
            "The gateway needs Go 1.20.",
            "`Go` 1.20 is named, `go.mod` has `go 1.23`",
            "`go.mod`, line 3: go 1.23",
        ),
        (
            "We run axum 0.7.",
            "`axum` 0.7 is named, `Cargo.toml` has `0.8`",
            "`Cargo.toml`, line 2: axum='0.8'",
        ),
    ] {
        let digest = found(&project, "stale-version", memory("a").front("", body));
        let finding = &digest.findings[0];
        assert_eq!(finding.message, message);
        assert_eq!(finding.evidence, [evidence]);
    }
}

#[test]
fn what_no_tool_would_read_is_noted() {
    for (name, text, why) in [
        (
            "go.mod",
            "module\nrequire (((\n",
            "no `module` line with a name",
        ),
        (
            "go.mod",
            "module a\nrequire (\n\tx/y v1.0.0\n",
            "a `(` is not closed",
        ),
        (
            "requirements.txt",
            "a==1\n<<<<<<< HEAD\n",
            "line 2 is no requirement",
        ),
    ] {
        let project = Fake::new(&[NPM, (name, text)]);
        let digest = found(
            &project,
            "stale-version",
            memory("a").front("", "Express 4.19 is used."),
        );
        assert_eq!(digest.findings.len(), 1, "{text}");
        let expected = format!("`{name}` is not in order: {why}");
        assert_eq!(digest.notes[0].message, expected);
    }
    for (name, text) in [
        (
            "go.mod",
            "module a // b\n\ngo 1.23\n\nrequire (\n\tx.y/z v1.0.0 // indirect\n)\n\nretract (\n\tv1.0.0\n)\n",
        ),
        (
            "requirements.txt",
            "# a\n-r b.txt\n--hash=x\na[b]>=1,<2 ; python_version < '3'\n./c\nhttps://x.y/z.whl\n\"q\"\n",
        ),
    ] {
        let project = Fake::new(&[NPM, (name, text)]);
        let digest = found(
            &project,
            "stale-version",
            memory("a").front("", "Express 4.19 is used."),
        );
        assert!(
            digest.notes.is_empty(),
            "{name}: {:?}",
            digest.notes[0].message
        );
    }
}

#[test]
fn a_manifest_that_does_not_parse_is_noted_and_the_others_are_read() {
    let project = Fake::new(&[NPM, ("Cargo.toml", "[package\n")]);
    let digest = found(
        &project,
        "stale-version",
        memory("a").front("", "Express 4.19 is used."),
    );
    assert_eq!(digest.findings.len(), 1);
    assert_eq!(digest.notes.len(), 1);
    assert!(
        digest.notes[0]
            .message
            .starts_with("`Cargo.toml` is not in order: ")
    );
}
