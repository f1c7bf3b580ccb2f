//! Notes as agents leave them in a shop that was moved about since: what still tells somebody what
//! to do must be a warning, and what tells of the past a suggestion at most.

use super::*;

fn shop() -> Fake {
    let gone = [
        ("src/auth.ts", Some("src/auth/session.ts")),
        ("src/foo.ts", Some("src/foo/index.ts")),
        ("src/utils/money.ts", Some("src/shared/money.ts")),
        ("lib/db/pool.js", Some("server/db/pool.js")),
        ("lib/db/rows.js", Some("server/db/rows.js")),
        ("api/routes/cart.py", Some("api/endpoints/cart.py")),
        ("docs/setup.md", Some("docs/guide/install.md")),
        ("helpers/date.ts", Some("src/date.ts")),
        ("helpers/text.ts", Some("src/text.ts")),
        ("scripts/deploy.sh", None),
        ("config/webpack.js", None),
        ("tests/fixtures/orders.json", None),
    ];
    let files = [
        "src/auth/session.ts",
        "src/foo/index.ts",
        "src/bar/index.ts",
        "src/shared/money.ts",
        "src/date.ts",
        "src/text.ts",
        "server/db/pool.js",
        "server/db/rows.js",
        "api/endpoints/cart.py",
        "docs/guide/install.md",
        "package.json",
        "api/pyproject.toml",
        "pom.xml",
    ];
    Fake {
        history: taken(&gone, &files).with_remotes(&["git@github.com:acme/shop.git".to_owned()]),
        ..Fake::new(&[
            (
                "package.json",
                r#"{"engines":{"node":"20.11.0"},"dependencies":{"react":"^18.3.1","express":"5.1.0"}}"#,
            ),
            (
                "pom.xml",
                "<project><properties><java.version>21</java.version></properties></project>",
            ),
            (
                "api/pyproject.toml",
                "[project]\nrequires-python='>=3.12'\ndependencies=['django==5.1.2']\n",
            ),
        ])
    }
}

const LIVE: &[&str] = &[
    "Every handler checks its session with the helper in `src/auth.ts`.",
    "Prices are whole cents; `src/utils/money.ts` formats them, nothing else may.",
    "Run `scripts/deploy.sh staging` from the root, it needs AWS_PROFILE to be set.",
    "Gotcha: `lib/db/pool.js` opens ten connections per worker, so keep the workers below eight.",
    "Before touching the cart, read api/routes/cart.py top to bottom; the discount order matters.",
    "New engineers follow docs/setup.md, which installs Postgres and the CLI.",
    "When a test fails with ECONNREFUSED, check the port in lib/db/pool.js first.",
    "`tests/fixtures/orders.json` is loaded by the e2e suite and has been stable since the launch.",
    "If the build hangs, delete node_modules and look at `config/webpack.js` for the cache path.",
    "- **Auth**: `src/auth.ts` (JWT, refresh handled by the gateway)",
    "- `lib/db/pool.js` — connection pool, used by every repository class",
    "The refund job imports `formatMoney` from `src/utils/money.ts` and rounds half up.",
    "Do not log tokens in src/auth.ts, the log shipper indexes everything.",
    "Seed data: `tests/fixtures/orders.json`, one order per country.",
    "We decided against an ORM, so queries go straight through lib/db/rows.js.",
    "The checkout was slow until we cached totals; keep the cache in api/routes/cart.py warm.",
    "Date helpers live in `helpers/`, pages in `web/src/`.",
    "Embed the token in `src/auth.ts`, not in the page.",
    "We run Node 18 in CI and on the workers.",
    "The frontend is on React 17, so class components are fine.",
    "Django 4.2 serves the admin; settings are split per environment.",
    "Write Express 4.18 error handlers with four arguments.",
    // What another file of a common name, or the end of a longer path, says nothing of.
    "Keep `src/foo.ts` free of side effects, as `src/bar/index.ts` is.",
    "Keep `src/foo.ts` pure, see https://example.com/guide/index.ts for why.",
    "Put helpers into `helpers/` and pages into `web/src/`.",
    // Words that only look like the past.
    "`src/auth.ts` and `src/bar/index.ts` need the token of the session.",
    "`lib/db/rows.js` feed the report, `src/auth.ts` need the token of the session.",
    "Shared types split across three files:\n\n- `src/auth.ts`\n- `src/utils/money.ts`",
    "Login wired together from two files:\n\n- `src/auth.ts`\n- `src/utils/money.ts`",
    "`src/auth.ts` no longer uses sessions; put every token check in it.",
    "Users that were deleted in `src/auth.ts` are kept for a month.",
    "Wait until the token was renewed by src/auth.ts.",
    "Until CI is green do not merge src/auth.ts.",
    "`src/auth.ts` does not keep sessions any more; ask it for the token.",
    "Read the git log and edit src/auth.ts.",
    // What a version is said of.
    "Should run on Node 16.",
    "If in doubt keep Express 4.18.",
    "Partners send orders, and the shop runs on Express 4.",
    "The client uses React 16.",
    "The user service runs on Node 16.",
    "The consumer uses Node 16.",
    "Do not touch the lock file and keep using Express 4.17.1 everywhere.",
    "Once a day the job runs on Node 16.",
    "When in doubt use Node 16.",
    "In the repository acme/shop the file src/auth.ts reads the token.",
    "The users service runs on Node 16.",
    "Requires Node 14 or 16.x.",
    "The runners have Node 16, 20 of them are in Frankfurt.",
    "Runners use Node 16 and 20 GB of memory.",
];

const PAST: &[&str] = &[
    "On 3 March we moved lib/db/pool.js into the server package.",
    "The helpers that lived in `src/auth.ts` are part of the gateway now.",
    "config/webpack.js is gone since we switched to Vite.",
    "The deploy script (scripts/deploy.sh) was dropped when Actions took over.",
    "~~docs/setup.md~~ see the wiki.",
    "We retired api/routes/cart.py in favour of the GraphQL cart.",
    "Last sprint: split tests/fixtures/orders.json by country and fixed the flaky e2e run.",
    "Until v3 every request went through src/auth.ts.",
    "Migrated from React 16 to 18 in May; the codemods are in the wiki.",
    "The outage of 12 May was caused by lib/db/pool.js leaking a connection per retry.",
    "We used Node 16 until the summer.",
    "Nothing imports `src/utils/money.ts` any more.",
    "`config/webpack.js` no longer exists, Vite has its own settings.",
    "The CLI no longer reads `config/webpack.js`.",
    "Files split last week:\n\n- `src/auth.ts`\n- `src/utils/money.ts`",
    "If you are on Express 4, wrap the handlers.",
    "Customers on Node 16 get a warning.",
    "If you use Node 16, upgrade first.",
    "When services keep Express 4, wrap the handlers.",
    "We will split api/routes/cart.py by country (done in April).",
    "`git log --follow -- src/auth.ts` tells why tokens are short.",
    "Run git show 1a2b3c4 -- src/auth.ts for the first draft.",
    "Partners on Express 4 send the header twice.",
    "Those still running on Node 16 get a warning.",
    "The syntax is the same as in React 17.",
    "Dates are of the Java 8 time API, never of Joda.",
];

const NONE: &[&str] = &[
    "`git show HEAD~40:lib/db/pool.js` has the comments that were lost.",
    "Run git show v1.2:src/auth.ts for the first draft.",
    "`git show 1a2b3c4:./src/auth.ts | less`",
    "In the repository acme/other the file src/auth.ts has the same bug.",
    "Blame stops at the rename of `src/foo.ts` to `foo/index.ts`.",
    "`helpers/` went to `src/` in one commit.",
];

#[test]
fn notes_that_mislead_are_told_from_those_of_the_past() {
    let shop = shop();
    let warns = |note: &str| {
        let all = ["stale-path", "stale-version"].map(|rule| said(&shop, rule, note));
        let mut all = all.into_iter().flatten();
        all.any(|one| one.starts_with("w "))
    };
    let wrong = |notes: &[&'static str], expected: bool| {
        let other = notes.iter().filter(|note| warns(note) != expected);
        other.copied().collect::<Vec<_>>()
    };
    let none: Vec<&str> = Vec::new();
    let (live, past, clean) = (wrong(LIVE, true), wrong(PAST, false), wrong(NONE, false));
    assert_eq!((live, past, clean), (none.clone(), none.clone(), none));
}
