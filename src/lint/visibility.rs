//! Memories that look healthy and that the system's own loader never sees.

use super::chars::visible;
use super::{Finding, Fix, Look, Rule};
use crate::curate::Change;
use crate::memory::edit::FieldEdit;
use crate::memory::{Role, Severity, Value};

/// A memory that the system's own loader skips.
pub(super) struct InvisibleToLoader;

impl Rule for InvisibleToLoader {
    fn id(&self) -> &'static str {
        "invisible-to-loader"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "the system's own loader skips the memory"
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        let Some(reason) = &look.memory.hidden else {
            return;
        };
        if is_appended(look) {
            return;
        }
        let layout = layout_is_off(look.text);
        // What is broken by the specification too is said where it is broken, once.
        let broken = look
            .memory
            .problems
            .iter()
            .any(|problem| problem.severity == Severity::Error);
        if broken && !layout {
            return;
        }
        let fix = if layout {
            Some(look.fix(
                "write the file the way its loader reads it",
                Change::Normalize(look.memory.id.clone()),
            ))
        } else {
            add_tags(look)
        };
        let finding = look
            .finding(self.id(), self.severity(), look.at(0))
            .says(format!(
                "{}, so {} never loads this memory",
                visible(cause(reason)),
                look.memory.schema.format,
            ))
            .fixed_by(fix);
        out.push(finding);
    }
}

/// Why a memory is not loaded, without what that leads to: of several such findings in a list the
/// causes are told apart.
fn cause(reason: &str) -> &str {
    match reason.split_once(": ") {
        Some((lead, cause)) if lead.starts_with("the loader") => cause,
        Some((lead, cause)) if lead.starts_with("the reader") => cause,
        _ => reason,
    }
}

/// Whether there is a frontmatter that only bytes before or between its lines hide.
fn layout_is_off(text: &str) -> bool {
    let inner = text.trim_start_matches('\u{feff}').trim_start();
    let windows = inner
        .split('\n')
        .next()
        .is_some_and(|line| line.ends_with('\r'))
        || inner.contains("\r\n---");
    inner.starts_with("---") && (inner.len() < text.len() || windows)
}

/// Whether a memory stands behind another one where each has a file and patterns of its own.
fn is_appended(look: &Look<'_>) -> bool {
    look.memory.document > 0 && look.memory.schema.role(Role::Patterns).is_some()
}

/// Adds the tags that the loader asks for and the specification does not.
fn add_tags(look: &Look<'_>) -> Option<Fix> {
    let tags = look
        .memory
        .schema
        .role(Role::Tags)
        .filter(|tags| tags.required)?;
    let field = tags.name.to_owned();
    match look.memory.field(tags.name) {
        None | Some(Value::Null) => Some(look.edit(
            format!("add `{field}: []`"),
            vec![FieldEdit::Set {
                field,
                value: Value::List(Box::default()),
            }],
        )),
        Some(Value::Text(tag)) => Some(look.edit(
            format!("make `{field}` a list"),
            vec![FieldEdit::Set {
                field,
                value: tag
                    .split(',')
                    .map(str::trim)
                    .filter(|tag| !tag.is_empty())
                    .map(Value::from)
                    .collect(),
            }],
        )),
        Some(_) => None,
    }
}

/// A later memory of a file.
pub(super) struct DeadAppended;

impl Rule for DeadAppended {
    fn id(&self) -> &'static str {
        "dead-appended"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "a memory appended to a file, which the loader takes for text of the first"
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        if !is_appended(look) {
            return;
        }
        let finding = look
            .finding(self.id(), self.severity(), look.at(0))
            .says(format!(
                "{} reads only the first memory of a file; this one is number {}, and its patterns \
                 are never tried",
                look.memory.schema.format,
                look.memory.document.saturating_add(1)
            ))
            .fixed_by(Some(look.fix(
                "give every appended memory of the file a file of its own",
                Change::SplitFile(look.memory.id.clone()),
            )));
        out.push(finding);
    }
}
