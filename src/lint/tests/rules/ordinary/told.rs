//! Pairs that cannot both hold.

pub(super) const TOLD: &[(&str, &str)] = &[
    (
        "The cache lives in `tmp/cache` and expires after 5 minutes.",
        "The cache lives in `var/cache` and expires after 10 minutes.",
    ),
    (
        "Requests to the API time out after 5 s.",
        "Requests to the API time out after 60 s.",
    ),
    (
        "Logs are written to `/var/log/app`.",
        "Logs are written to `/srv/log`.",
    ),
    ("Docs live in `docs/api`.", "Docs live in `site/api`."),
    (
        "The config is read from `conf/app.toml`.",
        "The config is read from `settings/app.toml`.",
    ),
    (
        "Deploys go to the `blue` cluster.",
        "Deploys go to the `green` cluster.",
    ),
    (
        "Never force-push to shared branches.",
        "Force-push to shared branches after a rebase.",
    ),
    ("We no longer use Redux.", "Use Redux for shared state."),
    (
        "Do not use lodash; use structuredClone for deep cloning.",
        "Use lodash for deep cloning.",
    ),
    (
        "Use Redux for client state, because the devtools are good.",
        "Do not use Redux for client state; use Zustand.",
    ),
    (
        "Use the ORM for all queries.",
        "Don't use the ORM for queries, write raw SQL.",
    ),
    ("Retries: 3", "Retries: 5"),
    (
        "- [x] the default branch is called `main`",
        "- [x] the default branch is called `develop`",
    ),
    ("- [ ] Retries: 3", "- [ ] Retries: 5"),
    (
        "| Setting | Value |\n|---|---|\n| requests per minute | 60 |\n| body size | 1 MB |",
        "| Setting | Value |\n|---|---|\n| requests per minute | 120 |\n| body size | 1 MB |",
    ),
    (
        "Limits of the API:\n\n| what | limit |\n|---|---|\n| requests per minute | 60 |\n| body | 1 MB |",
        "Limits of the API:\n\n| what | limit |\n|---|---|\n| requests per minute | 120 |\n| body | 1 MB |\n| files | 3 |",
    ),
    (
        "Set these in `.env`:\n\n```\nMAX_UPLOAD_MB=10\nSESSION_TTL=3600\n```",
        "Set these in `.env`:\n\n```\nMAX_UPLOAD_MB=25\nSESSION_TTL=3600\n```",
    ),
    ("We are on React 17.", "We are on React 18."),
    (
        "We are on React 17 and cannot use useId yet.",
        "We are on React 18.",
    ),
    (
        "The DMA buffer has to be aligned to 4 bytes.",
        "The DMA buffer must be aligned to 32 bytes.",
    ),
    (
        "You must run `make gen` before committing.",
        "You do not need to run `make gen` before committing.",
    ),
    (
        "Migrations have to be reversible.",
        "Migrations need not be reversible.",
    ),
    (
        "You have to restart the worker after a deploy.",
        "There is no need to restart the worker after a deploy.",
    ),
    (
        "Backups are encrypted with age.",
        "Backups are not encrypted.",
    ),
    (
        "Traffic between the pods is encrypted.",
        "Traffic between the pods is in plain text.",
    ),
    (
        "Passwords are stored encrypted.",
        "Passwords are stored in plain text.",
    ),
    (
        "Run the unit tests with `pnpm vitest run`.",
        "Run the unit tests with `npm test`.",
    ),
    (
        "Run the unit tests with `npm test`.",
        "Run the unit tests with `pnpm test`.",
    ),
    (
        "Build the frontend with `yarn build`.",
        "Build the frontend with `npm run build`.",
    ),
    ("Run tests with `pytest -x`.", "Run tests with `tox`."),
    (
        "All money amounts are stored as integer cents.",
        "All money amounts are stored as decimals.",
    ),
    (
        "- Timeouts\n  - connect: 5 s\n  - read: 30 s",
        "- Timeouts\n  - connect: 5 s\n  - read: 60 s",
    ),
    (
        "- Pool\n  - size: 5\n  - idle: 30 s",
        "- Pool\n  - size: 20\n  - idle: 30 s",
    ),
    (
        "The pool has 5 connections, and each worker takes one.",
        "The pool has 20 connections, and each worker takes one.",
    ),
    (
        "Never amend published commits.",
        "Amend published commits after a failed release.",
    ),
    (
        "Never edit generated files.",
        "Edit generated files after the export.",
    ),
    ("We no longer use Jest.", "Use Jest for unit tests."),
    ("We no longer use `moment`.", "Use `moment` for dates."),
    (
        "Do not use Formik; use react-hook-form for forms.",
        "Use Formik for forms because everyone knows it.",
    ),
    (
        "Avoid `any` in tests; use `unknown`.",
        "Use `any` in tests, because mocks need it.",
    ),
    ("Never use `sudo pip`; use a virtualenv.", "Use `sudo pip`."),
    ("Workers: 4", "Workers: 16"),
    ("Cache: enabled", "Cache: disabled"),
    (
        "- [x] the API base path is `/v1`",
        "- [x] the API base path is `/v2`",
    ),
    (
        "- [ ] The staging cluster is `harbor-stg`",
        "- [ ] The staging cluster is `pier-stg`",
    ),
    (
        "| Name | Default |\n|---|---|\n| connection timeout | 5 s |\n| retries | 3 |",
        "| Name | Default |\n|---|---|\n| connection timeout | 30 s |\n| retries | 3 |",
    ),
    (
        "| Tool | Version |\n| --- | --- |\n| Node | 18 |\n| pnpm | 8 |",
        "| Tool | Version |\n| --- | --- |\n| Node | 20 |\n| pnpm | 8 |",
    ),
    (
        "Settings:\n\n```env\nJOB_TIMEOUT_SECONDS=30\nDEBUG=false\n```",
        "Settings:\n\n```env\nJOB_TIMEOUT_SECONDS=120\nDEBUG=false\n```",
    ),
    ("We use Node 18.", "We use Node 20."),
    (
        "We are on Python 3.10, so match statements work.",
        "We are on Python 3.12.",
    ),
    (
        "The cache needs to be warmed for 10 minutes.",
        "The cache must be warmed for 30 minutes.",
    ),
    ("You must sign commits.", "You need not sign commits."),
    (
        "Clients have to send a nonce.",
        "Clients do not have to send a nonce.",
    ),
    (
        "Snapshots are compressed with zstd.",
        "Snapshots are not compressed.",
    ),
    (
        "Requests are authenticated by the gateway.",
        "Requests are not authenticated.",
    ),
    (
        "Secrets in the vault are encrypted.",
        "Secrets in the vault are in plain text.",
    ),
    (
        "Tokens are stored hashed.",
        "Tokens are stored in plain text.",
    ),
    (
        "Lint the docs with `npm run lint:docs`.",
        "Lint the docs with `make docs-lint`.",
    ),
    (
        "Deploy the site with `yarn deploy`.",
        "Deploy the site with `pnpm run deploy`.",
    ),
    (
        "Install the dependencies with `npm ci`.",
        "Install the dependencies with `pnpm install --frozen-lockfile`.",
    ),
    (
        "Order totals are kept as integer cents.",
        "Order totals are kept as floats.",
    ),
    (
        "- Retry policy\n  - attempts: 3\n  - backoff: 2 s",
        "- Retry policy\n  - attempts: 8\n  - backoff: 2 s",
    ),
    (
        "- Upload\n  - limit: 5 MB\n  - timeout: 30 s",
        "- Upload\n  - limit: 50 MB\n  - timeout: 30 s",
    ),
    (
        "Never squash release branches.",
        "Squash release branches before merging.",
    ),
    (
        "Never restart the broker by hand.",
        "Restart the broker by hand after an upgrade.",
    ),
    ("We no longer use Travis.", "Use Travis for nightly builds."),
    (
        "Don't use `axios`; use `fetch` for HTTP calls.",
        "Use `axios` for HTTP calls.",
    ),
    (
        "Use Celery for background jobs, since it has retries.",
        "Do not use Celery for background jobs; use RQ.",
    ),
    (
        "Do not use barrel files, they slow down the build.",
        "Use barrel files.",
    ),
    ("Pool size: 10", "Pool size: 50"),
    ("Replicas: 2", "Replicas: 6"),
    ("Timeout = 30 s", "Timeout = 90 s"),
    (
        "- [x] Telemetry is enabled by default",
        "- [x] Telemetry is disabled by default",
    ),
    ("* [ ] Max attempts: 3", "* [ ] Max attempts: 5"),
    (
        "| Option | Value |\n|:--|--:|\n| `max_workers` | 4 |\n| log level | info |",
        "| Option | Value |\n|:--|--:|\n| `max_workers` | 16 |\n| log level | info |",
    ),
    (
        "| Feature | State |\n|---|---|\n| dark mode | enabled |",
        "| Feature | State |\n|---|---|\n| dark mode | disabled |",
    ),
    (
        "Environment:\n```\nexport CACHE_TTL=60\nexport POOL_SIZE=5\n```",
        "Environment:\n```\nexport CACHE_TTL=300\nexport POOL_SIZE=5\n```",
    ),
    ("We are on Django 3.2.", "We are on Django 4.2."),
    ("We're on Rust 1.70.", "We're on Rust 1.80."),
    (
        "Every handler has to answer within 200 ms.",
        "Every handler must answer within 500 ms.",
    ),
    (
        "Callers must hold the lock.",
        "Callers need not hold the lock.",
    ),
    (
        "A migration has to be reversible.",
        "A migration does not need to be reversible.",
    ),
    (
        "You don't have to rebuild the index after an import.",
        "You have to rebuild the index after an import.",
    ),
    (
        "The disk of the database is encrypted.",
        "The disk of the database is not encrypted.",
    ),
    ("Uploads are scanned by ClamAV.", "Uploads are not scanned."),
    (
        "Passwords in the config are encrypted.",
        "Passwords in the config are in clear text.",
    ),
    (
        "Run the integration tests with `make it`.",
        "Run the integration tests with `npm run test:integration`.",
    ),
    (
        "Test the backend with `go test ./...`.",
        "Test the backend with `make test`.",
    ),
    (
        "Amounts in the ledger are kept as cents.",
        "Amounts in the ledger are kept as decimals.",
    ),
    (
        "- Limits:\n  - body: 1 MB\n  - rate: 60",
        "- Limits:\n  - body: 10 MB\n  - rate: 60",
    ),
    (
        "1. Timeouts\n   - connect: 5 s\n   - read: 30 s",
        "1. Timeouts\n   - connect: 15 s\n   - read: 30 s",
    ),
    (
        "# Pool\n\nThe pool holds 10 connections.",
        "# Database\n\nThe pool holds 40 connections.",
    ),
];
