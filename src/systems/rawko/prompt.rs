//! The text that is put into an agent's prompt (SPEC-0007 and SPEC-0009, "Prompt Formatting").

use super::Dialect;
use crate::memory::{Memory, Role, Schema, Value};
use crate::retrieval::js;

/// UTF-16 units of a body that are kept.
const KEPT: usize = 500;

/// Position where the prompt cuts a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The first byte of the text that is not kept whole.
    pub at: usize,
    /// True if a heading ends it, and not the length.
    pub heading: bool,
}

/// True if the prompt of a format's system ends bodies as [`cut`] says.
pub fn cuts(schema: &Schema) -> bool {
    schema.policy == "rawko"
}

/// Returns the cut of a body, which may have blanks around it; none if the prompt keeps all of it.
pub fn cut(text: &str, dialect: Dialect) -> Option<Cut> {
    let body = text.trim_start_matches(js::is_space);
    let start = text.len() - body.len();
    let body = body.trim_end_matches(js::is_space);
    let by_heading = dialect != Dialect::Unified;
    let mut units = 0;
    for (at, c) in body.char_indices() {
        let begins = || body.get(at..).is_some_and(|rest| rest.starts_with("\n# "));
        let heading = c == '\n' && by_heading && units < KEPT && begins();
        units += c.len_utf16();
        if heading || units > KEPT {
            let at = start + at;
            return Some(Cut { at, heading });
        }
    }
    None
}

/// Returns the heading above the memories; empty if there is none.
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
        Some(cut) if cut.heading => body.get(..cut.at).unwrap_or_default().to_owned(),
        Some(_) => js::head(body, KEPT).0 + "...",
    };
    format!(
        "### {}\n*Importance: {}*\n*Discovered by: {}*\n\n{body}\n\n",
        field(Role::Title),
        importance.to_uppercase(),
        field(Role::Author),
    )
}
