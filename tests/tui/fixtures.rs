//! A small store of memories, and one of any size.

use std::path::PathBuf;
use std::sync::Arc;

use memkeep::memory::format;
use memkeep::memory::{
    Memory, MemoryId, Problem, Severity, Stamp, State, StoreId, Timestamp, Value, tokens_of,
};

pub const DAY: i64 = 24 * 60 * 60 * 1000;
/// 2026-11-20T12:00:00Z
pub const NOW: Timestamp = Timestamp(1_795_176_000_000);

/// A memory as a fixture writes it down.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    pub local: String,
    pub title: String,
    pub patterns: Vec<String>,
    pub tags: Vec<String>,
    pub importance: String,
    pub days: i64,
    pub by: String,
    pub body: String,
    pub archived: bool,
    /// Hours since it was confirmed.
    pub confirmed: Option<i64>,
    pub hidden: Option<&'static str>,
}

impl Note {
    pub fn text(&self) -> String {
        let list = |items: &[String]| -> String {
            items
                .iter()
                .map(|item| format!("  - \"{item}\"\n"))
                .collect()
        };
        format!(
            "---\ntitle: {}\nwhenToUse:\n{}tags: [{}]\nimportance: {}\ndiscoveredAt: {}\ndiscoveredBy: {}\n---\n\n{}",
            self.title,
            list(&self.patterns),
            self.tags.join(", "),
            self.importance,
            self.date(),
            self.by,
            self.body
        )
    }

    fn date(&self) -> String {
        let time = chrono::DateTime::from_timestamp_millis(NOW.0 - self.days * DAY);
        time.unwrap_or_default().format("%Y-%m-%d").to_string()
    }

    pub fn memory(&self) -> Memory {
        let text = self.text();
        let body = text.find("\n---\n").map_or(0, |at| at + 5);
        let list = |items: &[String]| items.iter().map(|item| Value::from(&**item)).collect();
        let fields: Vec<(&str, Value)> = vec![
            ("title", Value::from(&*self.title)),
            ("whenToUse", list(&self.patterns)),
            ("tags", list(&self.tags)),
            ("importance", Value::from(&*self.importance)),
            ("discoveredAt", Value::from(self.date())),
            ("discoveredBy", Value::from(&*self.by)),
        ];
        let problems: Vec<Problem> = Vec::new();
        let folder = if self.archived { "archive/" } else { "" };
        Memory {
            id: MemoryId::new(&StoreId::from("rawko"), &*self.local),
            path: PathBuf::from(format!(
                "/work/shop/.rawko/memories/{folder}{}.md",
                self.local
            ))
            .into(),
            expires: None,
            document: 0,
            line: 1,
            span: 0..text.len(),
            body: body..text.len(),
            title: self.title.as_str().into(),
            fields: fields.into_iter().collect(),
            created: Some(Timestamp(NOW.0 - self.days * DAY)),
            updated: None,
            confirmed: self
                .confirmed
                .map(|hours| Timestamp(NOW.0 - hours * DAY / 24)),
            words: self.body.split_whitespace().count() as u32,
            tokens: tokens_of(self.body.len()) as u32,
            state: if self.archived {
                State::Archived
            } else {
                State::Active
            },
            sight: Default::default(),
            hidden: self.hidden.map(Into::into),
            seen: None,
            problems: problems.into(),
            gist: None,
            is_caution: false,
            stamp: Stamp {
                modified: text
                    .bytes()
                    .fold(0, |sum, byte| sum * 31 % 1_000_003 + i64::from(byte)),
                size: text.len() as u64,
                inode: 1,
            },
            schema: format::schema("rawko"),
        }
    }
}

fn note(
    local: &str,
    title: &str,
    patterns: &[&str],
    tags: &[&str],
    importance: &str,
    days: i64,
    body: &str,
) -> Note {
    let own = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect();
    Note {
        local: local.to_owned(),
        title: title.to_owned(),
        patterns: own(patterns),
        tags: own(tags),
        importance: importance.to_owned(),
        days,
        by: if days % 2 == 0 {
            "planner"
        } else {
            "developer"
        }
        .to_owned(),
        body: body.to_owned(),
        archived: false,
        confirmed: None,
        hidden: None,
    }
}

const OAUTH: &str = "# Why OAuth2 Was Rejected

## What Was Attempted

Considered OAuth2 social login (Google, GitHub) for the shop's accounts.

1. The task explicitly requires JWT only
2. OAuth2 adds significant complexity: redirect flows, token refresh, provider outages
3. No customer asked for it

## What To Do Instead

Use the middleware in `src/auth/jwt.ts`. It verifies the signature and the expiry, and puts the user on the request:

```ts
export function authenticate(req: Request): User {
  const token = req.headers.get(\"authorization\");
  return verify(token, KEYS.current);
}
```

| flow | where | kept |
|---|---|---|
| login | `POST /session` | yes |
| social | – | no |

> Ask before adding a provider: scope was the reason the first attempt failed.
";

/// The store of the tests.
pub fn notes() -> Vec<Note> {
    let mut notes = vec![
        note(
            "auth-module",
            "Authentication Module Structure",
            &["auth*", "login|session"],
            &["architecture", "auth"],
            "high",
            16,
            "The module is split in three.\n\n- `session.ts` issues tokens\n- `guard.ts` checks them\n- `keys.ts` rotates keys every 30 days\n",
        ),
        note(
            "cache-ttl",
            "Cache Entries Live Ten Minutes",
            &["cache"],
            &["performance"],
            "medium",
            3,
            "Redis entries expire after ten minutes. Longer, and prices are stale.\n",
        ),
        note(
            "express-order",
            "Express Middleware Order Matters",
            &["middleware"],
            &["express", "architecture"],
            "medium",
            40,
            "Body parser first, then auth, then routes.\n",
        ),
        note(
            "jwt-pattern",
            "JWT Implementation Pattern",
            &["jwt", "token.*(refresh|rotation)"],
            &["auth", "jwt"],
            "critical",
            35,
            "Sign with RS256. Never with HS256.\n",
        ),
        note(
            "login-limit",
            "Login Rate Limit",
            &["rate limit"],
            &["auth"],
            "low",
            1,
            "Five attempts a minute and address.\n",
        ),
        note(
            "oauth-too-broad",
            "OAuth2 Integration Was Too Broad",
            &["oauth|social.*auth", "considering auth approaches"],
            &["failures", "auth", "scope"],
            "high",
            3,
            OAUTH,
        ),
        note(
            "password-reset",
            "Password Reset Flow",
            &["password reset"],
            &["auth", "mail"],
            "medium",
            250,
            "A link is valid for an hour and once.\n",
        ),
        note(
            "postgres-pool",
            "Use Connection Pooling for Postgres",
            &["postgres|database"],
            &["database", "performance"],
            "high",
            12,
            "One pool per process, ten connections.\n",
        ),
        note(
            "prices-integer",
            "Prices Are Integers in Cents",
            &[".*"],
            &["domain"],
            "critical",
            90,
            "Never floats. 12.34 € is 1234.\n",
        ),
        note(
            "session-cookies",
            "Session Cookies Were Replaced",
            &["cookie"],
            &["auth", "history"],
            "medium",
            95,
            "Since the mobile app there are only tokens.\n",
        ),
        note(
            "snapshots",
            "Tests Use Snapshots",
            &["snapshot test"],
            &["testing"],
            "low",
            420,
            "Run `npm test -- -u` to accept.\n",
        ),
        note(
            "webhooks",
            "Webhooks Are Retried \u{1b}[31mFive\u{1b}[0m Times \u{202e}desrever",
            &["webhook"],
            &["integration"],
            "medium",
            8,
            "With a growing delay.\n",
        ),
    ];
    if let Some(note) = notes
        .iter_mut()
        .find(|note| note.local == "session-cookies")
    {
        note.hidden = Some("a second document in a file is never read");
    }
    let mut old = note(
        "build-log",
        "Build Log of Tuesday",
        &["build"],
        &["log"],
        "low",
        300,
        "error: 1 failed\n",
    );
    old.archived = true;
    notes.insert(1, old);
    notes
}

/// Memories of which some contradict each other, say the same, or are logs.
pub fn disputed() -> Vec<Note> {
    vec![
        note(
            "pool",
            "Pool Size",
            &["pool"],
            &["db"],
            "medium",
            60,
            "# Pool Size\n\nThe pool holds 10 connections in production. Raise it only with the database team.\n\n- Workers hold two each\n- Put `pgbouncer` in front of it\n",
        ),
        note(
            "sizes",
            "Sizes of Pools",
            &["pool"],
            &["db", "limits"],
            "high",
            4,
            "The pool holds 25 connections in production.\n\n## Limits\n\nAsk the database team first.\n",
        ),
        note(
            "spaces",
            "Indentation",
            &["style"],
            &["style"],
            "low",
            2,
            "Never use tabs for indentation in the web folder.\n",
        ),
        note(
            "tabs",
            "Use Tabs",
            &["style"],
            &["style"],
            "low",
            30,
            "Always use tabs for indentation in the web folder.\n",
        ),
        note(
            "cents",
            "Amounts Are Cents",
            &["money"],
            &["ledger"],
            "high",
            90,
            "Amounts are whole cents everywhere; only the page divides them by a hundred.\n",
        ),
        note(
            "money",
            "Money Is in Cents",
            &["price"],
            &["ledger"],
            "low",
            8,
            "Amounts are whole cents everywhere, only the page divides them by a hundred. Use the Money type for sums.\n",
        ),
        note(
            "log-a",
            "Tests Failed",
            &["tests"],
            &["ci"],
            "low",
            3,
            "failure: cmd=cargo test -p ledger, exit=101, error=E0308 in rounding.rs, next=fix the type\n",
        ),
        note(
            "log-b",
            "Build Failed",
            &["build"],
            &["ci"],
            "low",
            5,
            "failure: cmd=cargo build, exit=101, error=E0425 in page.rs, next=import it\n",
        ),
    ]
}

/// A store of any size.
pub fn many(n: usize) -> Vec<Arc<Memory>> {
    let base = notes();
    (0..n)
        .map(|at| {
            let mut note = base[at % base.len()].clone();
            note.local = format!("m{at:06}");
            note.title = format!("{} {at}", note.title);
            note.archived = false;
            Arc::new(note.memory())
        })
        .collect()
}

pub const fn severity(warning: bool) -> Severity {
    if warning {
        Severity::Warning
    } else {
        Severity::Info
    }
}
