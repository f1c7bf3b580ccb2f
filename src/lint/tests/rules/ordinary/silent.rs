//! Pairs of which neither contradicts or repeats the other.

pub(super) const SILENT: &[(&str, &str)] = &[
    (
        "Requests to `/v1/orders` time out after 5 s.",
        "Requests to `/v1/exports` time out after 60 s.",
    ),
    (
        "Requests to `/v1/orders` time out after 5 s.",
        "Requests to `/v1/exports` time out after 60 s and are retried.",
    ),
    (
        "`/v1/orders` times out after 5 s.",
        "`/v1/exports` times out after 60 s.",
    ),
    (
        "The endpoint `/health` answers within 50 ms.",
        "The endpoint `/report` answers within 900 ms.",
    ),
    (
        "Calls to `/api/search` are cached for 10 minutes.",
        "Calls to `/api/prices` are cached for 30 seconds.",
    ),
    (
        "Files in `assets/raw` are kept for 7 days.",
        "Files in `assets/build` are kept for 30 days.",
    ),
    ("Docs: https://example.com/a", "Docs: https://example.com/b"),
    (
        "Docs: https://example.com/a explains the auth flow.",
        "Docs: https://example.com/b explains the auth flow of v2.",
    ),
    (
        "Runbook: https://wiki.example.com/db-failover",
        "Runbook: https://wiki.example.com/cache-flush",
    ),
    (
        "Invoices are sent by mail: EU customers only.",
        "Invoices are sent by mail: US customers only.",
    ),
    ("EU customers only", "US customers only"),
    (
        "Tax is shown on the receipt (EU customers only).",
        "Tax is shown on the receipt (US customers only).",
    ),
    (
        "Tests are run with vitest.",
        "Tests are run with vitest --coverage in CI.",
    ),
    (
        "Tests are run with `vitest`.",
        "Tests are run with `vitest --coverage` in CI.",
    ),
    (
        "Tests are run with `vitest`.",
        "Tests are run with `--coverage` in CI.",
    ),
    (
        "The staging database is `harbor_stg`.",
        "The production database is `harbor_prod`.",
    ),
    (
        "In staging the pool has 5 connections.",
        "In production the pool has 40 connections.",
    ),
    (
        "Staging: pool of 5 connections",
        "Production: pool of 40 connections",
    ),
    (
        "The billing service listens on port 4001.",
        "The mail service listens on port 4002.",
    ),
    (
        "`billing` listens on port 4001.",
        "`mailer` listens on port 4002.",
    ),
    (
        "Tenant acme is limited to 100 requests per minute.",
        "Tenant globex is limited to 500 requests per minute.",
    ),
    ("Acme gets invoices in EUR.", "Globex gets invoices in USD."),
    (
        "v1 of the API returns dates as epoch seconds.",
        "v2 of the API returns dates as ISO 8601.",
    ),
    (
        "In API v1 the page size is 20.",
        "In API v2 the page size is 50.",
    ),
    (
        "On iOS the keyboard covers 216 points.",
        "On Android the keyboard covers 240 points.",
    ),
    (
        "The macOS build takes 14 minutes.",
        "The Windows build takes 22 minutes.",
    ),
    ("Linux runners have 4 cores.", "macOS runners have 3 cores."),
    (
        "Small instances have 2 GB of memory.",
        "Large instances have 8 GB of memory.",
    ),
    ("Thumbnails are 200 px wide.", "Previews are 800 px wide."),
    (
        "The `S` plan includes 3 seats.",
        "The `L` plan includes 20 seats.",
    ),
    (
        "Migration 0042 took 20 minutes on the replica.",
        "Migration 0043 took 3 minutes on the replica.",
    ),
    (
        "The release of 3.1 was cut on Tuesday.",
        "The release of 3.2 was cut on Friday.",
    ),
    (
        "Import of the March data: 12,000 rows.",
        "Import of the April data: 15,000 rows.",
    ),
    (
        "Sentry project for the web app: `web-frontend`",
        "Sentry project for the worker: `job-runner`",
    ),
    (
        "Logs of the gateway are in `/var/log/gateway`.",
        "Logs of the worker are in `/var/log/worker`.",
    ),
    (
        "The `orders` topic has 12 partitions.",
        "The `audit` topic has 3 partitions.",
    ),
    (
        "GET `/users` is paginated by cursor.",
        "GET `/orders` is paginated by offset.",
    ),
    (
        "`POST /login` allows 5 attempts.",
        "`POST /reset` allows 3 attempts.",
    ),
    (
        "German texts are in `locales/de.json`.",
        "French texts are in `locales/fr.json`.",
    ),
    (
        "Admins may upload files up to 500 MB.",
        "Guests may upload files up to 10 MB.",
    ),
    (
        "The weekly backup is kept for 90 days.",
        "The daily backup is kept for 14 days.",
    ),
    (
        "Flaky test `test_login` was quarantined on 3 May.",
        "Flaky test `test_export` was quarantined on 9 May.",
    ),
    (
        "Debug builds use the `dev` profile.",
        "Release builds use the `release` profile.",
    ),
    (
        "Use `--watch` while developing.",
        "Use `--ci` on the build server.",
    ),
    (
        "`make test` runs the unit tests.",
        "`make e2e` runs the browser tests.",
    ),
    (
        "Webhooks from Stripe go to `/hooks/stripe`.",
        "Webhooks from GitHub go to `/hooks/github`.",
    ),
    (
        "The bucket for uploads is `acme-uploads`.",
        "The bucket for backups is `acme-backups`.",
    ),
    (
        "Dark mode uses `#111` as background.",
        "Light mode uses `#fff` as background.",
    ),
    (
        "Calls to `/api/a` need 3 retries.",
        "Calls to `/api/b` need 5 retries.",
    ),
    (
        "Traffic from `10.0.0.0/8` skips the cache for 5 s.",
        "Traffic from `192.168.0.0/16` skips the cache for 9 s.",
    ),
    (
        "Uploads to `media` expire after 3 days.",
        "Uploads to `exports` expire after 30 days.",
    ),
    (
        "Spec: https://example.com/orders covers the order flow.",
        "Spec: https://example.com/refunds covers the refund flow.",
    ),
    (
        "The discount applies (EU customers only).",
        "The discount applies (US customers only).",
    ),
    (
        "Reports are mailed weekly, paid accounts only.",
        "Reports are mailed weekly, trial accounts only.",
    ),
    (
        "Lint with `ruff check`.",
        "Lint with `ruff check --fix` before committing.",
    ),
    (
        "Build with cargo build.",
        "Build with cargo build --release for the benchmark.",
    ),
    ("Never push to main.", "Push to main is blocked by a rule."),
    ("Never use `eval`.", "Use `eval` in the REPL plugin."),
    (
        "Do not use the shared fixture.",
        "Use the shared fixture in module tests.",
    ),
    (
        "We no longer use Redux.",
        "Use Redux DevTools to inspect Zustand stores.",
    ),
    (
        "Do not use lodash for dates.",
        "Use lodash for deep cloning.",
    ),
    (
        "Avoid `any` in library code; use generics.",
        "Use `any` in test doubles.",
    ),
    (
        "- [x] Set the timeout to 30 s",
        "- [x] Set the timeout to 60 s",
    ),
    ("- [ ] Bump React to 18", "- [ ] Bump React to 19"),
    (
        "- [x] Write tests for the parser",
        "- [x] Write tests for the lexer",
    ),
    (
        "| Service | Port |\n|---|---|\n| billing | 4001 |\n| mail | 4002 |",
        "| Service | Replicas |\n|---|---|\n| billing | 2 |\n| mail | 3 |",
    ),
    (
        "| Env | Pool |\n|---|---|\n| staging api | 5 |",
        "| Env | Workers |\n|---|---|\n| staging api | 8 |",
    ),
    (
        "| Date | Result |\n|---|---|\n| 2026-01-02 | 14 passed |",
        "| Date | Result |\n|---|---|\n| 2026-01-03 | 18 passed |",
    ),
    (
        "Run it on staging:\n\n```sh\nPORT=3000 pnpm dev\n```",
        "Run it in the e2e tests:\n\n```sh\nPORT=4000 pnpm dev\n```",
    ),
    (
        "We are on React 17 in the admin app.",
        "We are on React 18 in the shop.",
    ),
    (
        "Admins must use a hardware key.",
        "Guests need not use a hardware key.",
    ),
    (
        "You must run `make gen` before committing.",
        "You need not run `make docs` before committing.",
    ),
    ("Backups are encrypted with age.", "Logs are not encrypted."),
    (
        "Backups are encrypted with age.",
        "Local dumps are in plain text.",
    ),
    (
        "Run the unit tests with `npm test`.",
        "Run the browser tests with `npx playwright test`.",
    ),
    (
        "Build the image with `docker build`.",
        "Build the docs with `make html`.",
    ),
    (
        "Run the unit tests with `npm test`.",
        "Run the unit tests with `npm test -- --watch` while developing.",
    ),
    (
        "Prices are stored as integer cents.",
        "Weights are stored as decimals.",
    ),
    ("- Cache\n  - size: 5 MB", "- Pool\n  - size: 20 MB"),
    ("- Connect\n  - timeout: 5 s", "- Read\n  - timeout: 30 s"),
    (
        "- iOS\n  - minimum version: 15",
        "- Android\n  - minimum version: 26",
    ),
    (
        "- Staging\n  - host: stg.example.com\n  - replicas: 1",
        "- Production\n  - host: example.com\n  - replicas: 6",
    ),
    ("- Monday\n  - deploys: 3", "- Tuesday\n  - deploys: 5"),
    (
        "Time to first byte on `eu-west-1`: 40 ms",
        "Time to first byte on `us-east-1`: 120 ms",
    ),
    ("The dev key is `abc-dev`.", "The live key is `abc-live`."),
    ("Retries: 3 for reads", "Retries: 5 for writes"),
    ("Link: https://example.com/x", "Link: https://example.com/y"),
    (
        "Mails to customers are delayed by 10 minutes.",
        "Mails to staff are delayed by 2 minutes.",
    ),
    (
        "Queries to the replica time out after 3 s.",
        "Queries to the primary time out after 30 s.",
    ),
    (
        "Events from `checkout` are kept for 7 days.",
        "Events from `login` are kept for 90 days.",
    ),
    (
        "Responses of `/v2/search` are limited to 2 MB.",
        "Responses of `/v2/export` are limited to 200 MB.",
    ),
    (
        "Dashboard: https://grafana.example.com/d/abc",
        "Dashboard: https://grafana.example.com/d/def",
    ),
    (
        "Spec of the feed: https://example.com/feed.md",
        "Spec of the hooks: https://example.com/hooks.md",
    ),
    ("Free plan: 3 projects", "Team plan: 20 projects"),
    (
        "The trial lasts 14 days for individuals.",
        "The trial lasts 30 days for companies.",
    ),
    (
        "Chrome 120 fails on the canvas test.",
        "Firefox 121 fails on the audio test.",
    ),
    ("Ubuntu images are 80 MB.", "Alpine images are 6 MB."),
    (
        "p50 of the search is 40 ms.",
        "p99 of the search is 400 ms.",
    ),
    (
        "Node 18 needs `--experimental-fetch`.",
        "Node 20 needs `--no-warnings`.",
    ),
    (
        "Schema v3 adds the column `tenant_id`.",
        "Schema v4 adds the column `region`.",
    ),
    (
        "API v1 is rate limited to 60 requests per minute.",
        "API v2 is rate limited to 600 requests per minute.",
    ),
    (
        "The German shop charges 19 % VAT.",
        "The French shop charges 20 % VAT.",
    ),
    (
        "Upgraded Postgres from 13 to 14 in March.",
        "Upgraded Postgres from 14 to 15 in June.",
    ),
    (
        "2026-01-03: moved 120 users.",
        "2026-01-09: moved 340 users.",
    ),
    ("Tablets show 3 columns.", "Phones show 1 column."),
    ("Team Blue owns `billing/`.", "Team Green owns `search/`."),
    (
        "Warehouse WH1 closes at 18:00.",
        "Warehouse WH2 closes at 20:00.",
    ),
    ("Sprites are 32 px high.", "Portraits are 128 px high."),
    (
        "Set `FOO_TIMEOUT=5` for tests.",
        "Set `BAR_TIMEOUT=9` for tests.",
    ),
    (
        "Load tests run against `perf.example.com`.",
        "Smoke tests run against `stg.example.com`.",
    ),
    ("Port of the admin: 3001", "Port of the shop: 3002"),
    (
        "Login is limited to 5 attempts per hour.",
        "Password reset is limited to 3 attempts per hour.",
    ),
    ("The nightly job needs 4 GB.", "The hourly job needs 1 GB."),
    (
        "Use `pnpm dev` for the web app.",
        "Use `pnpm --filter api dev` for the API.",
    ),
    (
        "Android builds are signed with `release.jks`.",
        "iOS builds are signed with `dist.p12`.",
    ),
    (
        "The red button stops the belt after 2 s.",
        "The yellow button stops the belt after 10 s.",
    ),
    (
        "Images above 5 MB are rejected.",
        "Videos above 200 MB are rejected.",
    ),
    ("```\nDEV_PORT=3000\n```", "```\nCI_PORT=4000\n```"),
    (
        "- dev\n  - url: http://localhost:3000\n  - workers: 1",
        "- prod\n  - url: https://example.com\n  - workers: 8",
    ),
    (
        "| Metric | Baseline |\n|---|---|\n| bundle size | 240 KB |",
        "| Metric | After |\n|---|---|\n| bundle size | 180 KB |",
    ),
    ("Avoid `unwrap` in library code.", "Use `unwrap` in tests."),
    (
        "Do not use the staging key in scripts.",
        "Use the staging key for smoke tests.",
    ),
    (
        "Never log request bodies.",
        "Log request bodies of the sandbox.",
    ),
    (
        "The orders queue is drained by 4 workers.",
        "The mails queue is drained by 2 workers.",
    ),
    (
        "Pages in `docs/` are built nightly in 4 minutes.",
        "Pages in `blog/` are built hourly in 1 minute.",
    ),
    (
        "Access from the VPN is logged for 30 days.",
        "Access from the office is logged for 7 days.",
    ),
    (
        "Handbook: https://example.com/a/b",
        "Handbook: https://example.com/a/c",
    ),
    (
        "We use Node 18 in the lambda.",
        "We use Node 20 in the web app.",
    ),
    (
        "We are on Java 17 for the backend.",
        "We are on Java 11 for the legacy importer.",
    ),
    (
        "| Endpoint | Limit |\n|---|---|\n| GET /orders | 60 |\n| GET /users | 10 |",
        "| Endpoint | Limit |\n|---|---|\n| POST /orders | 6 |\n| POST /users | 1 |",
    ),
    ("- [x] Release 2.3", "- [x] Release 2.4"),
    ("- [ ] port the login page", "- [ ] port the cart page"),
    (
        "- Phase 1\n  - duration: 2 weeks",
        "- Phase 2\n  - duration: 3 weeks",
    ),
    (
        "- Small\n  - memory: 2 GB\n- Large\n  - memory: 8 GB",
        "- Small\n  - memory: 2 GB\n- Huge\n  - memory: 64 GB",
    ),
    ("Test coverage: 71 % (web)", "Test coverage: 88 % (api)"),
    (
        "Run the linter with `npm run lint`.",
        "Run the formatter with `pnpm run format`.",
    ),
    (
        "Deploy to staging with `make stg`.",
        "Deploy to production with `make prod`.",
    ),
    (
        "Do not use `console.log`.",
        "Use `console.error` for fatal errors.",
    ),
    (
        "We no longer use Jenkins for releases.",
        "Use Jenkins for the nightly load test.",
    ),
    (
        "You have to log in twice on iOS.",
        "You need not log in twice on Android.",
    ),
    (
        "Uploads are not scanned in dev.",
        "Uploads are scanned by ClamAV in production.",
    ),
    (
        "Data at rest is encrypted.",
        "Data in transit on localhost is in plain text.",
    ),
    (
        "# Shop\n\n| Setting | Value |\n|---|---|\n| cache seconds | 60 |",
        "# Admin\n\n| Setting | Value |\n|---|---|\n| cache seconds | 5 |",
    ),
    (
        "## Staging\n\nThe pool holds 10 connections.",
        "## Production\n\nThe pool holds 40 connections.",
    ),
];
