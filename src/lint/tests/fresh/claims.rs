//! What sentences say of a version: that it is used here, or that others use it.

use super::*;

/// Those of these sentences of which nothing is told as a warning.
fn silent<'b>(project: &Fake, bodies: &[&'b str]) -> Vec<(&'b str, Vec<String>)> {
    let told = bodies
        .iter()
        .map(|body| (*body, said(project, "stale-version", body)));
    told.filter(|(_, all)| !all.iter().any(|one| one.starts_with("w ")))
        .collect()
}

/// What is told of these sentences as more than a suggestion, or with a fix.
fn loud<'b>(project: &Fake, bodies: &[&'b str]) -> Vec<(&'b str, String)> {
    let told = bodies.iter().flat_map(|body| {
        let digest = found(project, "stale-version", memory("a").front("", body));
        digest.findings.into_iter().map(move |one| (*body, one))
    });
    told.filter(|(_, one)| one.severity != Severity::Info || one.fix.is_some())
        .map(|(body, one)| (body, one.message))
        .collect()
}

/// What the sentences below are held against.
pub(super) const MANIFESTS: [(&str, &str); 5] = [
    (
        "package.json",
        r#"{"dependencies":{"next":"15.0.3","react":"^19.0.0","vitest":"^2.0.5","express":"5.1.0"},"engines":{"node":">=22"}}"#,
    ),
    (
        "pyproject.toml",
        "[project]\nrequires-python='>=3.12'\ndependencies=['apache-airflow==2.9.3','SQLAlchemy==2.0.31','celery==5.4.0']\n",
    ),
    ("go.mod", "module a\n\ngo 1.23\n"),
    (".tool-versions", "java 21\n"),
    (
        "Cargo.toml",
        "[dependencies]\naxum='0.8'\nrdkafka='0.36'\nsqlx='0.8.2'\n",
    ),
];

#[test]
fn a_version_that_is_said_to_be_used_here_is_a_warning() {
    let project = Fake::new(&MANIFESTS);
    let wrong = silent(
        &project,
        &[
            "We are on Next.js 14.2.5 and cannot move before the edge runtime is fixed.",
            "We stay on Next.js 14.2 until the edge runtime bug is fixed.",
            "The project uses Airflow 2.7.",
            "vitest ^1.6 is used with jsdom.",
            "Requires React < 19 because of the map widget.",
            "Docker base image: `node:20-alpine`.",
            "The Dockerfile of web starts FROM node:20-slim.",
            "Pinned: next@14.2.5 because of the edge runtime bug.",
            "The dashboard is built with Next 14 and the app router.",
            "The ingest service is on axum 0.7, so path parameters are written `/:id`.",
            "Go 1.20 builds the gateway.",
            "- Node 18",
            "Stack: Next.js 14, React 18 and Node 20",
            "CI and the containers run Node 20.",
            "Keep Express 4 until the gateway is rewritten.",
            "Write all queries for SQLAlchemy 1.4.",
            "We depend on celery 4 because the beat scheduler is patched.",
            "Our runtime is Node 18.",
            "Everything in web/ is React 17 code.",
            "Workers (Celery 4) restart hourly.",
            "Backend: Python 3.9 with SQLAlchemy 1.4",
            "sqlx is pinned to 0.7.4 because of the MySQL driver.",
            "React < 18 is needed by the map.",
            "Express 4 ignores rejected promises, wrap handlers in `asyncRoute`.",
            "Next.js 14 caches fetch by default, set `cache: \"no-store\"`.",
            "The gateway compiles with Go 1.21.",
            "Always target Java 17.",
            "The tests need vitest 1.6, as we rely on its reporter.",
            "Schema migrations run on Node 18.",
            "sqlx 0.7.4 - do not upgrade, offline mode is broken",
            "next 14.2.5 (pinned, see the ticket)",
            "The team settled on Java 17.",
            "We run Express 4, do not upgrade it.",
            "- **Billing**: Node 18 + Airflow 2.7",
            "package.json pins next to 14.2.5.",
        ],
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_version_of_others_or_that_a_release_is_told_of_is_no_warning() {
    let project = Fake::new(&MANIFESTS);
    let wrong = loud(
        &project,
        &[
            "The partner portal is on React 17 and embeds our widget as an iframe.",
            "The webhook Lambda still uses Node 18.",
            "The Lambda for webhooks runs on Node 18 and is not in this repository.",
            "The meters in the field run Python 3.8; `agent/` scripts for them are in another repository.",
            "Vendor SDK needs Java 8, so it runs in its own container.",
            "GitHub Actions runners have Node 20 preinstalled.",
            "Stack Overflow answers are for React 17, ignore them.",
            "Go 1.22 changed the loop variable semantics, so `tt := tt` is not needed.",
            "Python 3.11 brought `tomllib`, so no tomli dependency is needed.",
            "Because Node 20 has a native fetch no node-fetch is needed.",
            "The LTS of Java 17 ends in September 2029.",
            "React 18 introduced `useId`, use it for labels.",
            "Java 17 gave us sealed classes.",
            "Node 18 shipped with a test runner.",
            "The customer's build server has Java 11.",
            "The legacy importer lives in a separate repo and needs Python 3.8.",
            "An upstream fix landed for Express 4 only.",
            "The team of the billing app uses React 17, their repository is frozen.",
            "Examples on the web are mostly for React 17.",
            "Performance of Python 3.11 against 3.10 was measured by others.",
            "Axum 0.7 renamed the extractors.",
            "The release notes of Celery 4 explain the new message protocol.",
            "Most tutorials show Next.js 13.",
            "The migration to Java 17 took a week.",
            "Spring was migrated to Java 17 by them.",
        ],
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_line_that_also_has_the_version_in_use_tells_the_two_apart() {
    let project = Fake::new(&MANIFESTS);
    for body in [
        "Next.js 14 cached fetch by default, 15 does not.",
        "rdkafka 0.34 leaks memory; 0.36 does not.",
        "SQLAlchemy 1.4 allowed implicit autocommit; since 2.0 it is gone.",
        "Hit a bug in Celery 4 that we reported. We run 5.4.",
        "Express 4 swallows rejections (5 does not).",
        "Node 20 needs a flag for it, from v22 on none.",
        "node 12 in the rack is dead",
        "We use axum 0.7 docs as they are better, but run 0.8.",
    ] {
        assert_eq!(said(&project, "stale-version", body), [""; 0], "{body}");
    }
    for body in [
        "We use Express 4 with 5 routers.",
        "We run celery 4 on 5 machines.",
        "Express 4 is used, port 5.",
    ] {
        assert_eq!(said(&project, "stale-version", body).len(), 1, "{body}");
    }
}

/// What a shop with a web front and a few services requires.
const SHOP: [(&str, &str); 4] = [
    (
        "package.json",
        r#"{"engines":{"node":"^22.11.0"},"dependencies":{"vue":"3.5.12","express":"5.0.1","react":"^19.0.0","tailwindcss":"^4.0.0","next":"15.0.3"},"devDependencies":{"eslint":"^9.4.0","typescript":"~5.7.2","jest":"^29.7.0"}}"#,
    ),
    (
        "etl/pyproject.toml",
        "[project]\nrequires-python='>=3.12'\ndependencies=['django==5.1.4','SQLAlchemy==2.0.31','pandas==2.2.0']\n",
    ),
    (
        "go.mod",
        "module a\n\ngo 1.23\n\nrequire github.com/gin-gonic/gin v1.10.0\n",
    ),
    (
        "billing/pom.xml",
        "<project><properties><java.version>21</java.version></properties><parent>\
         <artifactId>spring-boot-starter-parent</artifactId><version>3.4.1</version></parent></project>",
    ),
];

#[test]
fn what_a_note_on_the_project_says_that_it_has_is_a_warning() {
    let project = Fake::new(&SHOP);
    let mut wrong = Vec::new();
    for body in [
        // Of a manifest.
        "package.json pins next to 14.2.5.",
        "go.mod says go 1.21.",
        "`pyproject.toml` has django 4.2.7.",
        "According to pom.xml it is Java 17.",
        "package.json lists ESLint 8.",
        "The engines field asks for node 18.",
        // Items of a list of what there is.
        "- **Billing**: Java 17 + Spring Boot 3.3",
        "- Billing: Java 17, Spring Boot 3.3",
        "- ETL: Python 3.10 / SQLAlchemy 1.4",
        "* Frontend: Vue 2.7 + Tailwind 3",
        "1. Gateway - Go 1.21 with gin 1.9",
        "- **Web** (apps/web): React 17 with TypeScript 4.9",
        "- Reports → Django 4.2 and pandas 1.5",
        "Stack: Go 1.21 services, Python 3.10 jobs, React 17 web.",
        // What is done here, and by what.
        "We lint with ESLint 8.",
        "Components follow React 17 conventions (default export, PropTypes).",
        "Tailwind 3 config files (`tailwind.config.js`) are how the theme is set here.",
        "ESLint 8 config is `.eslintrc.json`.",
        "SQLAlchemy 1.4 style queries: `session.query(...)`.",
        "Models are declared in SQLAlchemy 1.4 style.",
        "Tests follow Jest 27 fake timers rules.",
        "The views are Django 4.2 class-based views.",
        "Handlers are plain Express 4 middleware.",
        "Type checks happen with TypeScript 4.9.",
        "We format and lint through ESLint 8.",
        // Images.
        "`node:18-alpine` is the base of the mailer image.",
        "The jobs image builds on `python:3.10-slim`.",
        "CI runs in `golang:1.21`.",
        // A pin and its reason, which names what it is kept from.
        "The shop runs on Vue 2.7 because the calendar plugin has no Vue 3 build.",
        "Use Vue 2.7 syntax, the compiler of version 3 is not installed.",
        "We are on Express 4.18.2 since Express 5 breaks the proxy.",
        "Stay on ESLint 8: half of the plugins do not know ESLint 9.",
        "We use SQLAlchemy 1.4 because 2.0 changed the session API.",
        "Jobs run on Python 3.10, as the wheels for Python 3.12 are missing.",
        "Django is pinned to 4.2.7 because 5.1 drops our database.",
        "The site uses Next.js 14.2 and not Next.js 15, whose cache differs.",
        "The project's jobs run on Python 3.10.",
        "The billing's build needs Java 17.",
        "The team's services use Express 4.",
        // Written after the rules.
        "`package.json` requires ESLint 8.",
        "The root pom.xml sets Java 17.",
        "- Search: Go 1.21, gin 1.9",
        "- `apps/admin`: Vue 2.7 (options API)",
        "2. Ingest: Python 3.10 with pandas 1.5",
        "Templates are React 17 function components.",
        "The bundle is type-checked with TypeScript 4.9.",
        "Our pages are written in Next.js 14 with the app router.",
        "The jobs stay on pandas 1.5, the charts do not draw with 2.2.",
        "We pin express 4.18.2, Express 5 does not start behind the proxy.",
        "`python:3.10-slim` is what the image is built from.",
        "Jest 27 setup lives in `jest.setup.js`, we import it by hand.",
    ] {
        let all = said(&project, "stale-version", body);
        if all.is_empty() || !all.iter().all(|one| one.starts_with("w ")) {
            wrong.push((body, all));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_a_note_says_of_versions_beside_the_project_is_no_warning() {
    let project = Fake::new(&SHOP);
    let wrong = loud(
        &project,
        &[
            "The embedded controller of the crane has Python 3.4 on it.",
            "The printer in the warehouse comes with Java 8 on board.",
            "The payment terminal runs Java 11 firmware.",
            "The old laptop of the office has Node 16.",
            "The build box of the agency is on Node 16.",
            "The scanner's SDK ships Python 3.6.",
            "Their package.json pins next to 14.2.5.",
            "The package.json of the starter template lists ESLint 8.",
            "The go.mod of the example says go 1.18.",
            "Upstream's pyproject.toml has django 4.2.7.",
            "The vendor's image is `python:3.8-slim`.",
            "`node:16-alpine` has known vulnerabilities.",
            "ESLint 8 config files are ignored by ESLint 9.",
            "React 17 conventions are described in the old handbook of the agency.",
            "The book explains Vue 2 style mixins.",
            "Tailwind 3 class names changed in the next release.",
            "Vue 2 plugins do not load, we run Vue 3.",
            "We use Vue 3 because Vue 2.7 is out of support.",
            "The shop runs on Vue 3.5, as the calendar has no Vue 2.7 build any more.",
            "We are on Express 5 since Express 4.18 leaked.",
            "Django 4.2 docs are the ones that search engines find.",
            "SQLAlchemy 1.4 queries from blog posts fail here.",
            "Code from Next.js 13 tutorials does not apply.",
            "Java 17 bytecode cannot be read by the old profiler.",
            "- Customer A: Java 11, on premises",
            "- Lambda of the partner: Python 3.8 / pandas 1.5",
            "The cash desk in the shop has Node 16 on it.",
            "The tablet app of the drivers is React 17, in a repository of its own.",
            "Some Python 3.10 wheels are broken on musl.",
            "The Spring Boot 3.3 release notes list the renamed properties.",
            "React 17 is what the partner portal uses.",
            "The auditors' tool needs Java 11, it runs beside ours.",
            "The council's GIS server runs Python 2.7, talk to it over WFS only.",
            "Our landlord's door system is on Node 16.",
            "Vite's plugin API needs Node 18.",
            "Spring Boot 4 will drop JUnit 4, we have none.",
            "Next.js 14 is not compatible, signatures differ.",
            // Written after the rules.
            "The ticket machines on platform 2 run Java 8.",
            "Their go.mod says go 1.19, ours is newer.",
            "The package.json of the demo app has ESLint 8.",
            "ESLint 8 rules that were dropped are listed in the changelog.",
            "Next.js 14 setup guides mention a flag that is gone.",
            "- Partner API: Node 16, Express 4",
            "The kiosk of the museum is on React 17.",
            "Copied from a Vue 2 style guide, most of it is moot.",
            "`python:3.8` images are not rebuilt by the publisher.",
            "Express 4 error handlers take four arguments, in 5 as well.",
            "The hosting company has Node 16 on its shared plan.",
            "Plugins that need ESLint 8 cannot be installed.",
        ],
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_an_app_or_a_repository_beside_the_project_has_is_no_warning() {
    let npm = (
        "package.json",
        r#"{"name":"@acme/quay-web","dependencies":{"react":"^19.0.0","vite":"^6.0.1","vue":"3.5.12","express":"5.0.1"},"devDependencies":{"@playwright/test":"^1.48.0"},"engines":{"node":">=22"}}"#,
    );
    let python = (
        "api/pyproject.toml",
        "[project]\nname = 'harbor-feed'\nrequires-python='>=3.12'\ndependencies=['fastapi==0.115.4','celery==5.4.0']\n",
    );
    let project = Fake::new(&[npm, python, ("sites/booking/a.ts", "")]);
    let wrong = |bodies: &[&'static str], warned: bool| -> Vec<(&str, Vec<String>)> {
        let all = bodies
            .iter()
            .map(|body| (*body, said(&project, "stale-version", body)));
        all.filter(|(_, all)| {
            let fixed = all.iter().any(|one| one.contains("=>"));
            match warned {
                true => !all.iter().any(|one| one.starts_with("w ")),
                false => fixed || !all.iter().all(|one| one.starts_with("i ")),
            }
        })
        .collect()
    };
    let others = [
        "The mobile app uses React 18.",
        "repo-mobile is on React 18.",
        "The marketing site runs Vite 4 and React 17.",
        "In the ETL repo FastAPI 0.100 is pinned.",
        "Our fork of celery is based on Celery 5.2.",
        "CI of the docs site uses Python 3.9.",
        "Our staging VM runs Python 3.10 for the vendor tool.",
        "Dependabot wants FastAPI 0.116, wait for the middleware fix.",
        // Written after the rules.
        "The iOS app is built with React 18.",
        "The landing page repository still needs Node 18.",
        "In the charts repository, Node 18 is required.",
        "repo-ios uses React 18.",
        "The careers website is on Vue 2.7.",
        "Renovate wants Vite 7, decline until the plugins follow.",
        "Our fork of tusd needs Node 18.",
        "The analytics app runs on Express 4.",
        "React 18 is what the status page site uses.",
        "Node 18 is used by the careers website.",
        "Express 4 is needed in the billing repo.",
    ];
    assert_eq!(wrong(&others, false), []);
    let ours = [
        "Playwright 1.40 is pinned because 1.41 broke our screenshots.",
        "The app uses React 18.",
        "The booking site runs Vite 4.",
        "The quay-web app uses React 18.",
        "The web app is built with Node 18.",
        "In this repo FastAPI 0.100 is pinned.",
        "The React app uses Vite 4.",
        "Our API app needs Python 3.9.",
        // Written after the rules.
        "Both apps run on Node 18.",
        "Node 18 is what our booking site uses.",
        "Express 4 is used in this repository.",
        "The same repository needs Express 4.",
        "The harbor-feed application runs Python 3.10.",
        "The whole monorepo is on Node 20.",
        "The single-page app is written in Vue 2.7.",
        "We pin Playwright 1.41, the newer one has no trace.",
        "The Python app runs on Celery 5.2.",
    ];
    assert_eq!(wrong(&ours, true), []);
    for body in [
        "The shop runs on Vue 2.7 because the calendar plugin has no Vue 3 build.",
        "We are on Express 4 since Express 5 breaks the proxy.",
        "We run Express 4, do not upgrade it.",
        "Vue 2.7 is used because 3.5 has no such hook.",
    ] {
        let all = said(&project, "stale-version", body);
        let plain = all
            .iter()
            .all(|one| one.starts_with("w ") && !one.contains("=>"));
        assert!(plain && all.len() == 1, "{body}: {all:?}");
    }
}
