//! Names that are not of the code, though the code once had the same: topics and columns, what
//! another system or library has, what is still to be written.

use crate::lint::pairs::table::{STOP, Words};
use crate::lint::repository::History;

/// What has a name that no code defines.
static THINGS: Words = Words::of(
    "topic topics queue queues event events job jobs flag flags toggle column columns table tables \
index indexes bucket buckets metric metrics secret secrets env panel panels dashboard dashboards \
alert alerts alarm channel partition dataset collection namespace role label tag permission \
experiment segment playbook runbook ticket branch procedure trigger",
);

/// The same behind these words only.
static WORDED: &[(&str, &str)] = &[
    ("env", "var"),
    ("env", "variable"),
    ("environment", "variable"),
    ("dashboard", "variable"),
    ("template", "variable"),
    ("sql", "function"),
    ("database", "function"),
    ("stored", "procedure"),
    ("materialized", "view"),
];

/// Systems with names of their own in them: a function of theirs is none of the code.
static SYSTEMS: Words = Words::of(
    "sql postgres postgresql mysql mariadb sqlite oracle snowflake bigquery redshift clickhouse duckdb warehouse \
dbt kafka rabbitmq nats segment amplitude mixpanel posthog jenkins teamcity buildkite circleci grafana kibana \
datadog prometheus newrelic splunk sentry pagerduty launchdarkly unleash split optimizely statsig salesforce \
hubspot zendesk jira airflow dagster prefect looker tableau metabase powerbi excel sheets zapier vault consul \
terraform ansible cloudwatch lambda s3 sns sqs pubsub",
);

/// Where old talk is kept.
static TALK: Words = Words::of(
    "tickets issues threads chat slack mails emails wiki history archive changelog postmortems minutes",
);

/// Who is no system and no library.
static PEOPLE: Words = Words::of(
    "nobody everybody everyone somebody someone anybody one what who he she code everything something \
nothing today here there",
);

/// Whether what stands around a name says that it is none of the code's.
pub(super) fn is_outside(history: &History, before: &str, written: &str, after: &str) -> bool {
    let ahead = lower(before);
    let behind = lower(after);
    let before: Vec<&str> = ahead.iter().map(String::as_str).collect();
    let after: Vec<&str> = behind.iter().map(String::as_str).collect();
    // A class may be called `the job x` as well.
    let class = written.starts_with(|c: char| c.is_uppercase())
        && written.contains(|c: char| c.is_lowercase());
    let thing = |words: &[&str], kind: &str| {
        THINGS.has(kind) && (!class || words.iter().any(|word| SYSTEMS.has(word)))
    };
    let called = match before.as_slice() {
        [rest @ .., kind, "is" | "was", "called" | "named"] if thing(rest, kind) => true,
        [rest @ .., kind] => {
            let last = rest.last().copied().unwrap_or_default();
            thing(rest, kind) || WORDED.contains(&(last, *kind)) || SYSTEMS.has(last)
        }
        [] => false,
    };
    called || is_said_to_be(&after, &thing) || is_of_a_system(history, &before, &after)
}

/// `x is a column of y`, `the x topic`, `x is set in y`.
fn is_said_to_be(after: &[&str], thing: &dyn Fn(&[&str], &str) -> bool) -> bool {
    static SET: Words =
        Words::of("set defined kept stored configured shown managed created owned maintained");
    let is_system = |word: &&&str| SYSTEMS.has(word);
    match after {
        [kind, ..] if thing(after, kind) => true,
        [
            "is" | "was",
            "the",
            "name",
            "of",
            "a" | "an" | "the" | "our",
            rest @ ..,
        ]
        | ["is" | "was", "a" | "an" | "the", rest @ ..] => {
            let ends = rest
                .iter()
                .position(|word| STOP.split(' ').any(|stop| stop == *word));
            let (named, rest) = rest.split_at(ends.unwrap_or(rest.len()));
            let kind = named.last().copied().unwrap_or_default();
            thing(rest, kind) || named.iter().any(|word| SYSTEMS.has(word))
        }
        ["is" | "are", set, "in" | "by" | "on", rest @ ..] if SET.has(set) => {
            rest.iter().take(2).find(is_system).is_some()
        }
        ["is", "in", rest @ ..] => rest.iter().take(2).find(is_system).is_some(),
        _ => false,
    }
}

/// `scipy has x too`, `y has its own x`, `android calls this x`.
fn is_of_a_system(history: &History, before: &[&str], after: &[&str]) -> bool {
    let (name, own) = match before {
        [name, "has" | "exposes" | "offers" | "ships", rest @ ..] => (name, rest),
        [name, "calls", "it" | "this" | "that" | "these"] => return is_name(history, name),
        _ => return false,
    };
    let fills = own
        .iter()
        .all(|word| matches!(*word, "its" | "own" | "a" | "an"));
    let own = own.contains(&"own")
        || after
            .iter()
            .take(3)
            .any(|word| matches!(*word, "too" | "as"));
    fills && own && is_name(history, name)
}

fn is_name(history: &History, name: &str) -> bool {
    let grammar = STOP.split(' ').any(|stop| stop == name);
    !grammar && !PEOPLE.has(name) && !history.has_part(name)
}

/// Whether a sentence asks for a name that is not there yet, or for what was said of it.
pub(super) fn is_not_there(before: &str, after: &str) -> bool {
    let (ahead, behind) = (lower(before), lower(after));
    let before: Vec<&str> = ahead.iter().map(String::as_str).collect();
    let to_come = matches!(
        before.as_slice(),
        ["implement" | "reimplement" | "reintroduce" | "invent"]
            | [
                "implement" | "reimplement" | "reintroduce",
                "a" | "an" | "the" | "new"
            ]
            | ["rename", .., "to"]
    );
    let talk = behind
        .iter()
        .skip_while(|word| word.as_str() != "in")
        .skip(1)
        .take(3);
    let sought = ["search", "grep", "look"]
        .iter()
        .any(|word| before.contains(word));
    to_come || (sought && talk.into_iter().any(|word| TALK.has(word)))
}

/// The words of a text, small.
fn lower(text: &str) -> Vec<String> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '\'');
    text.split(move |c: char| !part(c))
        .map(|word| word.trim_matches(['-', '.', '\'']).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect()
}
