//! The text that is put into an agent's prompt (SPEC-0007 and SPEC-0009, "Prompt Formatting").

use super::Dialect;
use crate::memory::{Memory, Role, Value};
use crate::retrieval::js;

/// UTF-16 units of a body that are kept.
pub const KEPT: usize = 500;

/// How many UTF-16 units of a trimmed body reach the prompt, and whether a heading ends them.
/// None where all of it does.
pub fn cut(body: &str, dialect: Dialect) -> Option<(usize, bool)> {
    let heading = body
        .find("\n# ")
        .map(|at| js::len(body.get(..at).unwrap_or_default()));
    match heading {
        Some(at) if dialect != Dialect::Unified && at > 0 && at < KEPT => Some((at, true)),
        _ if js::len(body) > KEPT => Some((KEPT, false)),
        _ => None,
    }
}

/// What stands above the memories; empty where there are none.
pub const fn heading(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Unified => "## Background Knowledge from Previous Runs\n\n",
        _ => {
            "## Background Knowledge from Previous Runs\n\n\
             The following information was learned from prior runs and may be relevant:\n\n"
        }
    }
}

/// The part of one memory. `body` is what the system's loader takes for it.
pub fn section(memory: &Memory, body: &str, dialect: Dialect) -> String {
    let field = |role| memory.role(role).map(js::string).unwrap_or_default();
    let importance = memory
        .role(Role::Importance)
        .and_then(Value::as_str)
        .unwrap_or_default();
    let body = js::trim(body);
    let body = match cut(body, dialect) {
        None => body.to_owned(),
        Some((units, true)) => js::head(body, units).0,
        Some((units, false)) => js::head(body, units).0 + "...",
    };
    format!(
        "### {}\n*Importance: {}*\n*Discovered by: {}*\n\n{body}\n\n",
        field(Role::Title),
        importance.to_uppercase(),
        field(Role::Author),
    )
}
