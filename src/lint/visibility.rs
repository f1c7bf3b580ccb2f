//! Memories that look healthy and that the system's own loader never sees.

use super::chars::visible;
use super::{Finding, Rule, Subject};
use crate::curate::Change;
use crate::memory::{Memory, Role, Severity, Sight};

/// Reports a memory that the system's own loader skips.
pub(super) fn invisible(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let hidden = subject.memory.hidden.as_ref();
    let is_wanted = is_appended(subject.memory) || subject.memory.sight == Sight::Off;
    let Some(reason) = hidden.filter(|_| !is_wanted) else {
        return;
    };
    let layout = layout_is_off(subject.text);
    // Another rule reports what also breaks the specification.
    let mut problems = subject.memory.problems.iter();
    let is_broken = problems.any(|problem| problem.severity == Severity::Error);
    if is_broken && !layout {
        return;
    }
    let normalize = Change::Normalize(subject.memory.id.clone());
    let fix = subject.fix("write the file the way its loader reads it", normalize);
    let (cause, format) = (visible(cause(reason)), subject.memory.schema.format);
    let says = format!("{cause}, so {format} never loads this memory");
    let finding = subject.finding(rule.id, rule.severity, subject.at(0));
    out.push(finding.says(says).fixed_by(layout.then_some(fix)));
}

/// The cause in a loader's reason, without its effect.
fn cause(reason: &str) -> &str {
    match reason.split_once(": ") {
        Some((lead, cause)) if lead.starts_with("the loader") => cause,
        Some((lead, cause)) if lead.starts_with("the reader") => cause,
        _ => reason,
    }
}

/// True if there is a frontmatter that only bytes before or between its lines hide.
fn layout_is_off(text: &str) -> bool {
    let inner = text.trim_start_matches('\u{feff}').trim_start();
    let first = inner.split('\n').next().unwrap_or_default();
    let windows = first.ends_with('\r') || inner.contains("\r\n---");
    inner.starts_with("---") && (inner.len() < text.len() || windows)
}

/// True if a memory stands behind another one where each has a file and patterns of its own.
pub fn is_appended(memory: &Memory) -> bool {
    memory.document > 0 && memory.schema.role(Role::Patterns).is_some()
}

/// Reports a later memory of a file.
pub(super) fn appended(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    if !is_appended(subject.memory) {
        return;
    }
    let memory = subject.memory;
    let (format, number) = (memory.schema.format, memory.document.saturating_add(1));
    let says = format!(
        "{format} itself reads only the first memory of a file: it never tries the patterns of \
         this one, number {number}"
    );
    let title = "give every appended memory of the file a file of its own";
    let fix = subject.fix(title, Change::SplitFile(memory.id.clone()));
    let finding = subject.finding(rule.id, rule.severity, subject.at(0));
    out.push(finding.says(says).fixed_by(Some(fix)));
}
