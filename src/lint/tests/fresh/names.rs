//! Names that left the code, and what could not be checked or was checked before.

use super::*;

#[test]
fn names_that_left_the_code_are_found_by_what_they_were() {
    let was = |defined| Was {
        path: "src/holds.ts".to_owned(),
        defined,
        commit: Some(Commit {
            id: "1a2b3c4d".into(),
            time: THEN,
            author: "Ines".into(),
            subject: "Let holds lapse".into(),
        }),
        now: defined.then(|| "sweepExpiredHolds".to_owned()),
    };
    let project = Fake {
        gone: [
            ("sweepHolds".to_owned(), was(true)),
            ("useHolds".to_owned(), was(false)),
            ("Ledger".to_owned(), was(true)),
            ("Basket".to_owned(), was(false)),
        ]
        .into(),
        ..Fake::new(&[])
    };
    for (body, expected) in [
        (
            "Call `sweepHolds()` first.",
            &["w `sweepHolds()` is not in the code any more"][..],
        ),
        (
            "`Holds.sweepHolds` and `sweepHolds()` are one.",
            &["w `Holds.sweepHolds` is not in the code any more"],
        ),
        (
            "`useHolds` is a hook.",
            &["i `useHolds` is not in the code any more"],
        ),
        (
            "We removed `sweepHolds` in May.",
            &["i `sweepHolds` is not in the code any more"],
        ),
        (
            "`sweepHolds()` is now `sweepAll`.",
            &["i `sweepHolds()` is not in the code any more"],
        ),
        (
            "Never bring back `sweepHolds()`.",
            &["i `sweepHolds()` is not in the code any more"],
        ),
        (
            "Never use `sweepHolds()`, it deadlocks; use `sweepAll`.",
            &["i `sweepHolds()` is not in the code any more"],
        ),
        (
            "Why not `sweepHolds()`: bursts. Use `sweepAll`.",
            &["i `sweepHolds()` is not in the code any more"],
        ),
        (
            "Do not call `sweepHolds()` any more.",
            &["i `sweepHolds()` is not in the code any more"],
        ),
        (
            "Write `sweepAll` rather than `sweepHolds()`.",
            &["i `sweepHolds()` is not in the code any more"],
        ),
        (
            "`sweepHolds()` from `golang.org/x/time/rate` is not used here.",
            &["i `sweepHolds()` is not in the code any more"],
        ),
        (
            "Kong's `sweepHolds()` is set in the gateway.",
            &["i `sweepHolds()` is not in the code any more"],
        ),
        (
            "In the legacy branch `release/2.x` it is still called `sweepHolds()`.",
            &["i `sweepHolds()` is not in the code any more"],
        ),
        // How it is to be used, not that it is not.
        (
            "Never use `sweepHolds()` without a lock.",
            &["w `sweepHolds()` is not in the code any more"],
        ),
        (
            "Do not forget to call `sweepHolds()`.",
            &["w `sweepHolds()` is not in the code any more"],
        ),
        (
            "Never commit before `sweepHolds()` has run.",
            &["w `sweepHolds()` is not in the code any more"],
        ),
        (
            "Import `sweepHolds()` from `./holds`.",
            &["w `sweepHolds()` is not in the code any more"],
        ),
        (
            "The caller's `sweepHolds()` runs first.",
            &["w `sweepHolds()` is not in the code any more"],
        ),
        (
            "A `Ledger` is made of rows.",
            &["w `Ledger` is not in the code any more"],
        ),
        ("A `Basket` is no name for sure.", &[]),
        ("sweepHolds() without a span; `neverThere()`", &[]),
        ("```\nsweepHolds()\n```", &[]),
    ] {
        assert_eq!(said(&project, "stale-symbol", body), expected, "{body}");
    }
    let finding = found(
        &project,
        "stale-symbol",
        memory("a").front("", "Call `sweepHolds()`."),
    )
    .findings
    .remove(0);
    assert_eq!(
        finding.evidence,
        [
            "it was defined in `src/holds.ts`",
            "taken out in 1a2b3c4 on 2026-01-15 by Ines: Let holds lapse",
            "`sweepExpiredHolds` came with the same commit",
        ]
    );
    let later = memory("a")
        .front("", "Call `sweepHolds()`.")
        .change(|memory| {
            memory.created = Timestamp::parse_iso("2026-01-20");
        });
    let finding = found(&project, "stale-symbol", later).findings.remove(0);
    assert_eq!(finding.severity, Severity::Info);
    assert_eq!(
        finding.message,
        "`sweepHolds()` left the code before this was written"
    );
}

/// Whether a name that is defined here no more is a warning, in each of these.
fn warned(project: &Fake, bodies: &[&str], expected: bool) {
    let mut wrong = Vec::new();
    for body in bodies {
        let all = said(project, "stale-symbol", body);
        if all.is_empty() || all.iter().any(|one| one.starts_with("w ")) != expected {
            wrong.push((*body, all));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn names_that_others_have_or_a_library_are_no_warnings() {
    let was = |path: &str| Was {
        path: path.to_owned(),
        defined: true,
        ..Was::default()
    };
    let python = (
        "jobs/pyproject.toml",
        "[project]\ndependencies=['polars~=1.17','redis==5.2.0']\n",
    );
    let project = Fake {
        gone: [
            ("applyVoucher".to_owned(), was("shop/cart.ts")),
            ("write_parquet".to_owned(), was("jobs/runner.py")),
            ("TariffCalculator".to_owned(), was("billing/Tariffs.java")),
        ]
        .into(),
        history: taken(
            &[],
            &[
                "apps/web-client/a.ts",
                "mailer/src/lib.rs",
                "jobs/runner.py",
                "jobs/pyproject.toml",
            ],
        ),
        ..Fake::new(&[python])
    };
    warned(
        &project,
        &[
            "In the mobile repository it is still called `applyVoucher`.",
            "`applyVoucher` in the partner's SDK takes two arguments.",
            "The tide-ios app passes `applyVoucher` through its own bridge.",
            "The vendor's app calls `applyVoucher` twice.",
            "`applyVoucher` is a helper of the checkout package of our partner.",
            "In tide-android `applyVoucher` still rounds.",
            "In Stripe's SDK `applyVoucher` has another name.",
            "The mobile app (repo tide-app) calls `applyVoucher` through its own client.",
            "The composer's demo project has its own `applyVoucher`, do not copy it.",
            "The `applyVoucher` of the sample is not ours.",
            "The orders-mobile app shows `applyVoucher` as a button.",
            "polars' `write_parquet` needs pyarrow for nested types.",
            "`df.write_parquet(path)` comes from polars.",
            "`df.write_parquet(path)` is slow on the share.",
            "`write_parquet` is polars' own method there",
            "`write_parquet` from polars compresses with zstd.",
            "`pl.DataFrame.write_parquet` takes a compression level.",
            "Use `frame.write_parquet()` of polars, it is faster.",
            "The polars method `write_parquet` takes a level.",
        ],
        false,
    );
    warned(
        &project,
        &[
            "`applyVoucher` is called in the checkout app before payment.",
            "Export jobs call `write_parquet(rows)` once a night.",
            "The shop app redeems with `applyVoucher`.",
            "`write_parquet` is in runner.py and takes rows.",
            "Rows go through `write_parquet`, which uses polars below.",
            "The API passes `applyVoucher` to the cart.",
            "`applyVoucher` is what our SDK calls on shutdown.",
            "The web-client app calls `applyVoucher`.",
            "`runner.write_parquet(rows)` must come last.",
            "The team's client calls `applyVoucher` twice.",
            "The jobs' service calls `write_parquet` once.",
            "Our client library wraps `applyVoucher`.",
            "The Mailer's service calls `applyVoucher` first.",
            "Inject it: `@Autowired TariffCalculator calc`.",
            "`private final TariffCalculator tariffs;` is a field of each controller.",
            "`val tariffs: TariffCalculator` must be lazy.",
        ],
        true,
    );
    for body in [
        "`TariffCalculator page` is a title.",
        "`TariffCalculator docs and more` are in the wiki.",
        "`private static notes` is no type.",
    ] {
        assert_eq!(said(&project, "stale-symbol", body), [""; 0], "{body}");
    }
}

#[test]
fn names_of_what_is_not_code_are_no_warnings() {
    let was = |path: &str| Was {
        path: path.to_owned(),
        defined: true,
        ..Was::default()
    };
    let project = Fake {
        gone: [
            ("push_reading".to_owned(), was("src/push.py")),
            ("formatDepth".to_owned(), was("web/depth.ts")),
            ("WATCHDOG_MS".to_owned(), was("src/watch.rs")),
            ("SweepHolds".to_owned(), was("app/jobs/sweep.rb")),
        ]
        .into(),
        history: taken(&[], &["web/chart.ts", "src/push/main.py", "billing/a.rb"]),
        ..Fake::new(&[])
    };
    warned(
        &project,
        &[
            "The event `push_reading` goes to Segment.",
            "`push_reading` is a SQL function in the warehouse.",
            "The dashboard variable `WATCHDOG_MS` is set in Grafana.",
            "The firmware of the vendor calls `push_reading` on boot.",
            "Kafka topic `push_reading` has 12 partitions.",
            "Feature flag `formatDepth` is off in production.",
            "The column `push_reading` of table tides is unused.",
            "scipy has `push_reading` too.",
            "Android calls this `push_reading`, iOS `sendReading`.",
            "The Jenkins job `push_reading` runs nightly.",
            "The Postgres function `push_reading(ts, window)` is defined by the DBA.",
            "Grafana panel `push_reading` is red at night.",
            "Chart.js has its own `formatDepth` hook.",
            "The vendor firmware exposes `WATCHDOG_MS`.",
            "The env var `WATCHDOG_MS` is read by the ops dashboard, not by us.",
            "Search for `push_reading` in old tickets.",
            "Implement `push_reading` in the simulator.",
            "Rename `renderDepth` back to `formatDepth` if the design changes.",
            // Written after the rules.
            "The `push_reading` queue is drained at midnight.",
            "The Prometheus metric `push_reading` has no labels.",
            "`push_reading` is the name of a Datadog metric.",
            "`formatDepth` is set in LaunchDarkly per customer.",
            "Rows land in table `push_reading` of the warehouse.",
            "numpy has its own `push_reading`, faster than ours was.",
            "The Segment event `SweepHolds` is deduplicated.",
            "The event is called `push_reading` in Segment, keep that name.",
            "The queue was named `push_reading` by the ops team.",
            "The Snowflake procedure `push_reading` needs a role.",
        ],
        false,
    );
    warned(
        &project,
        &[
            "The function `push_reading` goes through the queue.",
            "The hook `formatDepth` is used by each chart.",
            "The handler `push_reading` reads the Kafka topic.",
            "`push_reading()` writes to the table tides.",
            "`formatDepth` is a helper of the chart.",
            "The job `SweepHolds` runs nightly.",
            "Billing calls `push_reading` after each row.",
            "The class `SweepHolds` has its own queue.",
            "`push_reading` has to be called in each job.",
            "Call `push_reading` for each event.",
            // Written after the rules.
            "Events are sent by `push_reading`.",
            "The method `push_reading` sets the metric.",
            "`push_reading` is called by the job at night.",
            "Look for the lock in `push_reading` first.",
            "The component `formatDepth` has a table in it.",
            "Web has its own `formatDepth`, keep both in step.",
            "The constant `WATCHDOG_MS` is read in the loop.",
            "The view `push_reading` renders the list.",
            "The hook is called `formatDepth` in each chart.",
            "Everyone has `push_reading` in their path.",
            "Each step goes through `push_reading`.",
        ],
        true,
    );
}

#[test]
fn what_could_not_be_checked_is_noted_and_stands_in_no_memory() {
    struct Bare;
    impl Project for Bare {
        fn history(&self) -> Result<&History, &str> {
            Err("the repository is bare")
        }

        fn renames(&self, _: &[&str]) -> Vec<Rename> {
            Vec::new()
        }

        fn untracked(&self, paths: &[&str]) -> Vec<bool> {
            vec![false; paths.len()]
        }
    }
    let store = Store::new(vec![
        memory("a").front("", "See src/a.rs, docs/b.md and `sweepHolds()`."),
    ]);
    let cx = Context {
        project: &Bare,
        ..store.cx()
    };
    let digest = digest(
        &cx,
        &Selection::of(&["stale-path", "stale-symbol", "changed-since"]).unwrap(),
        usize::MAX,
    );
    assert_eq!(digest.findings, []);
    let report = Report {
        notes: &digest.notes,
        ..store.report(&digest.findings)
    };
    insta::assert_snapshot!(report.text(crate::lint::report::Detail::Full) + &report.github());
    let json = serde_json::to_value(report.json(&|_: &Fix| None)).unwrap();
    assert_eq!(json["notes"][1]["rule"], "stale-path");
    assert_eq!(
        json["notes"][1]["message"],
        "2 paths not looked up: the repository is bare"
    );
    let sarif = serde_json::to_value(report.sarif(&|_: &Fix| None)).unwrap();
    let notes = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(
        notes[2]["message"]["text"],
        "not checked: 1 name of the code not looked up: the repository is bare"
    );
    assert_eq!(notes[2]["associatedRule"]["id"], "stale-symbol");
}

#[test]
fn what_is_told_of_at_the_end_is_told_again_of_memories_that_did_not_change() {
    let was = Was {
        path: "src/holds.ts".to_owned(),
        defined: true,
        ..Was::default()
    };
    let project = Fake {
        gone: [("sweepHolds".to_owned(), was)].into(),
        rewritten: Some(Rewritten {
            changed: 90,
            lines: 100,
        }),
        ..Fake::new(&[])
    };
    let old = |memory: &mut Memory| memory.created = Some(Timestamp((THEN - 5) * 1000));
    let sample = memory("a").front("", "Call `sweepHolds()` of `src/a.rs`.");
    let store = Store::new(vec![sample.change(old)]);
    let cx = Context {
        project: &project,
        ..store.cx()
    };
    let rules = Selection::of(&["stale-symbol", "changed-since"]).unwrap();
    let mut memo = Memo::default();
    let first = digest_again(&cx, &rules, usize::MAX, &mut memo);
    assert_eq!(first.findings.len(), 2);
    assert_eq!(digest_again(&cx, &rules, usize::MAX, &mut memo), first);
}
