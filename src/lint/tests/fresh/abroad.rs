//! Paths of other repositories, of branches, tags and releases, and paths that are only quoted.

use super::*;

/// `OLD` stands for a file that moved.
const OLD: &str = "src/legacy/router.ts";

fn project() -> Fake {
    let gone = [
        (OLD, Some("src/routes/table.ts")),
        ("src/repo/user.ts", None),
        ("deploy/web.yaml", Some("ops/web.yaml")),
    ];
    let files = [
        "src/routes/table.ts",
        "ops/web.yaml",
        "packages/tide-core/x.ts",
    ];
    let remotes = ["git@github.com:acme/tide.git".to_owned()];
    Fake {
        history: taken(&gone, &files).with_remotes(&remotes),
        ..Fake::default()
    }
}

/// Those of these texts that are not told with this mark, and with or without a fix.
fn wrong(texts: &[&str], mark: &str, fixed: bool) -> Vec<String> {
    let project = project();
    let told = texts.iter().map(|text| {
        let body = text.replace("OLD", OLD);
        (body.clone(), said(&project, "stale-path", &body))
    });
    told.filter(|(_, said)| match said.as_slice() {
        [one] => !one.starts_with(mark) || one.contains(" => ") != fixed,
        // What was known to be of others before is silent.
        [] => fixed,
        _ => true,
    })
    .map(|(body, said)| format!("{body} {said:?}"))
    .collect()
}

/// What is said to be elsewhere.
const ELSEWHERE: &[&str] = &[
    "In the infra repo, OLD is the template for all services.",
    "In the `infra` repository the routes are under OLD.",
    "tide-infra: OLD holds the ingress of all products.",
    "The dashboards team keeps theirs in `OLD` of their own repo.",
    "Charts are in src/legacy/ of the gitops repository.",
    "In the mobile codebase the same table is in `OLD`.",
    "See github.com/acme/charts, OLD.",
    "Upstream still has `OLD`.",
    "Upstream's `OLD` is the reference.",
    "Upstream (tide-oss) still has OLD.",
    "In openharbor (our upstream) the routes are in OLD.",
    "On `release-3.1`, edit OLD instead.",
    "In tide-legacy, OLD holds the ballast formula.",
    "tide-legacy (archived) has the ballast formula in OLD.",
    "Copied from the buoyctl project (OLD there).",
    "The fork of Nordsat patches `OLD`.",
    "In 2.x the model is OLD.",
    "The submodule third_party/radio has its own OLD.",
    "In the design repo there is a mock at `OLD`.",
    "The published crate has src at OLD.",
    "Look at tide-legacy's OLD",
    "Rollback: check out v2.1 and run OLD from there.",
    // Further ones.
    "The billing repo keeps a router in OLD too.",
    "Routes of the shop are at OLD in the storefront monorepo.",
    "OLD is still on the `release/1.8` branch.",
    "On the maintenance branch the router is OLD.",
    "## In the payments repository\n\n- Routes: OLD",
    "## tide-ios\n\nThe routes are in OLD.",
    "In the infra repo:\n\n- OLD is the template",
    "In our fork OLD has two more routes.",
    "Their monorepo has OLD as well.",
    "The sister project carries the same bug in OLD.",
    "At tag `v0.9` the table was smaller; in v0.9 it is OLD.",
    "The mirror has `OLD` under another licence.",
    "As a template see gitlab.com/acme/starter: OLD",
    "Before a hotfix, git checkout release-2.4 and edit OLD.",
    "In the partner's repo, look under OLD for the routes.",
];

/// What is here in spite of the same words.
const HERE: &[&str] = &[
    "In this repo the routes are in OLD.",
    "In our monorepo, OLD is shared by all charts.",
    "At the root of the repository OLD is read first.",
    "Branch protection is set in OLD.",
    "Run OLD before you tag a release.",
    "The branch coverage report is written by OLD.",
    "Upstream changes of the stack are merged into OLD by hand.",
    "The partner API client is configured in `OLD`.",
    "Create a branch, edit OLD, open a PR.",
    "Releases are cut from main; the version is in `OLD`.",
    "Fork the process in OLD only once.",
    "Mobile and web read their depth units from OLD.",
    "The release script OLD tags the commit.",
    "Sync OLD to the infra repo after each change.",
    "The upstream service is called by OLD.",
    "On main the routes are in OLD.",
    "On the main branch, OLD is generated.",
    "The repo root has OLD for the routes.",
    "The Git repository has OLD for the routes.",
    "In the infra repo it is charts/, in this repo OLD.",
    "Mirror mode is set up by OLD.",
    "packages in tide-core call OLD.",
    "Deploy to tide-prod with OLD.",
    "The tag component is rendered by OLD.",
    "In acme/tide, OLD lists the routes.",
    "See github.com/acme/tide, OLD.",
    "From v2.1 on the routes are in OLD.",
    "Open a pull request from your fork after editing OLD.",
    "In v1.4 of the protocol OLD maps the codes.",
    "Submodules are updated by OLD.",
    "In the project settings, OLD is excluded.",
    "The project template is rendered by OLD.",
    "Each branch is built by OLD.",
];

#[test]
fn what_another_repository_a_branch_or_a_release_has_is_only_mentioned() {
    assert_eq!(wrong(ELSEWHERE, "i ", false), [""; 0]);
}

#[test]
fn what_this_repository_has_stays_a_warning() {
    assert_eq!(wrong(HERE, "w ", true), [""; 0]);
    let repo = "In the user repository (`src/repo/user.ts`) all queries are typed.";
    assert_eq!(
        said(&project(), "stale-path", repo),
        ["w `src/repo/user.ts` is gone"]
    );
}

#[test]
fn what_is_quoted_or_sought_is_not_written_over() {
    let quoted = [
        "After the rename, `git grep OLD` must find nothing.",
        "`rg -n OLD` has no hits on a clean tree.",
        "The folder was renamed; update links to OLD when you see them.",
        "Replace all mentions of `OLD`.",
        "The wiki page \"OLD explained\" is out of date.",
        "See the ticket “Split OLD by area” for why.",
        "## Before\n\nCharts used OLD.\n\n## Now\n\nCharts use tables.",
        "Fix any remaining references to OLD by hand.",
        "`grep -rn \"OLD\" docs` shows who has to be told.",
        "Before: charts used OLD. Now: tables.",
    ];
    assert_eq!(wrong(&quoted, "i ", false), [""; 0]);
    let live = [
        "`grep -n route OLD` lists the routes.",
        "Run \"node OLD --all\" to list the routes.",
        "Update OLD when a page is added.",
        "The links to the docs are made in OLD.",
        "Before a release, run OLD.",
        "`git blame OLD` tells who knows the routes.",
        "## Before you commit\n\nRun OLD.",
        "Set `\"build\": \"node OLD\"` in the manifest.",
    ];
    assert_eq!(wrong(&live, "w ", true), [""; 0]);
}

#[test]
fn a_fix_leaves_alone_what_is_said_of_others() {
    let text = "Routes are in OLD.\n\nIn the infra repo, OLD is the template.\n\n`git grep OLD` finds all.";
    let fixed = "Routes are in NEW.\n\nIn the infra repo, OLD is the template.\n\n`git grep OLD` finds all.";
    let fixed = fixed
        .replace("NEW", "src/routes/table.ts")
        .replace("OLD", OLD);
    assert_eq!(
        said(&project(), "stale-path", &text.replace("OLD", OLD)),
        [format!(
            "w `{OLD}` has moved: it is `src/routes/table.ts` now => {fixed}"
        )]
    );
}
