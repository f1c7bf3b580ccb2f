//! Statements of which one goes on with a reason.

use super::*;

#[test]
fn a_reason_at_the_end_hides_no_contradiction() {
    for (kind, a, b) in [
        (
            Slot::Opposite,
            "Row level security is enabled on the tenant tables.",
            "Row level security is disabled on the tenant tables, the API filters by itself.",
        ),
        (
            Slot::Opposite,
            "Row level security is enabled on the tenant tables.",
            "Row level security is disabled on the tenant tables because the API filters by itself.",
        ),
        (
            Slot::Negation,
            "Always rebase feature branches.",
            "Never rebase feature branches; merge main into them instead.",
        ),
        (
            Slot::Negation,
            "Always squash commits when merging.",
            "Do not squash commits when merging, the history is needed for bisect.",
        ),
        (
            Slot::Number,
            "The webhook must answer within 5 seconds.",
            "The webhook must answer within 20 seconds, since the gateway became slower in the last year.",
        ),
        (
            Slot::Negation,
            "Sessions are kept in Redis.",
            "Sessions used to be kept in Redis; they are stored in Postgres now.",
        ),
        (
            Slot::Negation,
            "Run the formatter before each commit.",
            "Do not run the formatter before each commit: the hook does it.",
        ),
        (
            Slot::Negation,
            "Always seed the demo shop by hand after a reset.",
            "Never seed the demo shop by hand after a reset, fixtures fill it.",
        ),
        (
            Slot::Negation,
            "Always seed the demo shop by hand after a reset.",
            "Never seed the demo shop by hand after a reset (fixtures fill it).",
        ),
        (
            Slot::Negation,
            "Always seed the demo shop by hand after a reset.",
            "Never seed the demo shop by hand after a reset — fixtures fill it.",
        ),
        (
            Slot::Number,
            "Bounces of one address are merged within 4 minutes (240 s).",
            "Bounces of one address are merged within 9 minutes.",
        ),
        (
            Slot::Tool,
            "Install the tools of this repository with pip.",
            "Install the tools of this repository with uv, for the lock file is its own.",
        ),
        (
            Slot::Tool,
            "Drafts are cached in Redis.",
            "Drafts are cached in Memcached (Redis lost them twice).",
        ),
    ] {
        assert_eq!(slot(a, b), Some(kind), "{a} / {b}");
    }
    for (a, b) in [
        (
            "The orders are kept for 30 days in the shop.",
            "The orders are kept for 90 days in the archive: the auditor reads them.",
        ),
        (
            "The mail service listens on port 8081, the admin page on 9000.",
            "The mail service listens on port 8081, the admin page on 9001 in tests.",
        ),
        (
            "She signed the release of the shop.",
            "She not only signed the release of the shop, but wrote the notes of it.",
        ),
        (
            "Row level security is enabled on the tenant tables.",
            "Row level security is disabled on the audit tables, the API filters by itself.",
        ),
        (
            "Always rebase feature branches.",
            "Never rebase release branches; merge main into them instead.",
        ),
        (
            "The cache is cleared on every deploy.",
            "The cache is cleared on every deploy, the sessions are kept.",
        ),
        (
            "The mail service listens on port 8081, the admin page too.",
            "The search service listens on port 8082, the admin page too.",
        ),
        (
            "Sessions used to be kept in Redis.",
            "Sessions used to be kept in Redis; they are stored in Postgres now.",
        ),
        (
            "The store keeps sessions in Redis.",
            "Redis is used to keep the sessions; the store reads them.",
        ),
    ] {
        assert_eq!(slot(a, b), None, "{a} / {b}");
    }
}

#[test]
fn a_remark_needs_no_verb() {
    let (mailer, poll) = (
        "The mailer keeps 200 letters",
        "Use polling for the watcher",
    );
    for remark in [
        " (PR 812)",
        " (see nginx.conf)",
        " (was 500)",
        ", see ADR 7",
        " (#4411)",
        " (OPS-4411)",
        " (https://example.com/t/12)",
        " (down from 500)",
        " (raised in PR 12)",
        " (decided 2026-03-04)",
        ", per ADR 12",
        ", formerly 500",
        " - the old disk was full",
        " — auditors insisted",
    ] {
        let (a, b) = (
            format!("{mailer}."),
            format!("The mailer keeps 900 letters{remark}."),
        );
        assert_eq!(slot(&a, &b), Some(Slot::Number), "{remark}");
        assert_eq!(slot(&b, &a), Some(Slot::Number), "{remark}");
        // A remark beside each of them tells no case apart.
        let a = format!("{mailer} (see queue.toml).");
        assert_eq!(slot(&a, &b), Some(Slot::Number), "{remark}");
    }
    for remark in [
        ": too slow on macOS",
        " — flaky in CI",
        " (unreliable)",
        " (much cheaper)",
        ": so brittle",
        ", too noisy",
    ] {
        let other = format!("Do not use polling for the watcher{remark}.");
        assert_eq!(
            slot(&format!("{poll}."), &other),
            Some(Slot::Negation),
            "{remark}"
        );
    }
    for case in [
        " (staging)",
        " — slow clients",
        ": stable builds",
        ", nightly ones",
        " (see-through labels)",
        " per user",
        " (phase 2)",
        " (raised for partners)",
        " (before 2026)",
        " (legacy)",
        " (files larger than 2 MB)",
    ] {
        let other = format!("The mailer keeps 900 letters{case}.");
        assert_eq!(slot(&format!("{mailer}."), &other), None, "{case}");
    }
}
