//! Raising and lowering a memory's importance, the evidence for it, and memories as rules.

use crate::memory::edit::FieldEdit;
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role, State, Value};

/// The edit that raises or lowers a memory's importance by one step, and from what to what; or
/// why there is none.
pub fn importance(memory: &Memory, up: bool) -> Result<(FieldEdit, String), String> {
    let spec = memory.schema.role(Role::Importance);
    if let Some((spec, Kind::Number(low, high))) = spec.map(|spec| (spec, spec.kind)) {
        return number(memory, spec.name, (low, high), up);
    }
    let words = spec.map(|spec| (spec, spec.kind));
    let Some((spec, Kind::Choice(words))) = words else {
        return Err(elsewhere(memory));
    };
    let now = memory.field(spec.name).and_then(Value::as_str);
    let at = now.and_then(|now| words.iter().position(|word| *word == now));
    let Some((now, at)) = now.zip(at) else {
        return Err(format!(
            "its `{}` is not one of {}",
            spec.name,
            words.join(", ")
        ));
    };
    let next = if up {
        at.checked_add(1)
    } else {
        at.checked_sub(1)
    };
    let Some(next) = next.and_then(|at| words.get(at)) else {
        return Err(format!(
            "`{now}` is the {} there is",
            if up { "most" } else { "least" }
        ));
    };
    let edit = FieldEdit::Set {
        field: spec.name.to_owned(),
        value: Value::from(*next),
    };
    Ok((edit, format!("{} from {now} to {next}", spec.name)))
}

/// True if the memories of a format have something to raise: importance, layers, or a place in an
/// index.
pub fn has_levels(memory: &Memory) -> bool {
    let schema = memory.schema;
    let has_layers = schema.field("layer").is_some();
    schema.role(Role::Importance).is_some() || has_layers || schema.can.index.is_some()
}

/// What promotion is where a format has nothing to raise.
fn elsewhere(memory: &Memory) -> String {
    let mut ways = Vec::new();
    if let Some((field, words)) = sections(memory) {
        let words = words.join(", ");
        ways.push(format!(
            "to another section ({words}) with `edit --set {field}=…`"
        ));
    }
    ways.push("to the project with `promote --to project`".to_owned());
    ways.push("to a rule with `promote --to-rule CLAUDE.md`".to_owned());
    let format = memory.schema.format;
    format!(
        "{format} memories have no importance: move it {}",
        ways.join(", ")
    )
}

/// The field that says in which section of its file a memory stands, and the other sections, those
/// that are injected first before.
pub fn sections(memory: &Memory) -> Option<(&'static str, Vec<&'static str>)> {
    let spec = memory.schema.role(Role::Type)?;
    let Kind::Choice(words) = spec.kind else {
        return None;
    };
    let now = memory.field(spec.name).and_then(Value::as_str);
    let others = words.iter().copied().filter(|word| Some(*word) != now);
    Some((spec.name, others.collect()))
}

/// What speaks for a memory, among the others of its collection.
pub fn evidence(memory: &Memory, others: &[std::sync::Arc<Memory>]) -> Vec<String> {
    let text = |one: &Memory, name: &str| {
        let text = one
            .field(name)
            .and_then(Value::as_str)
            .map(str::to_lowercase);
        text.filter(|text| !text.trim().is_empty())
    };
    let own = others
        .iter()
        .filter(|other| other.id != memory.id && other.state == State::Active);
    let print = text(memory, "fingerprint");
    let (mut prints, mut titles) = (0, 0);
    for other in own {
        let is_print = print.is_some() && text(other, "fingerprint") == print;
        prints += usize::from(is_print);
        titles += usize::from(!is_print && other.title.eq_ignore_ascii_case(&memory.title));
    }
    let counted = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 other memory with {what}")),
        more => Some(format!("{more} other memories with {what}")),
    };
    let confirmed = memory
        .confirmed
        .map(|at| format!("confirmed on {}", at.date()));
    let is_tool = text(memory, "source").is_some_and(|source| source.contains("tool"));
    let tool = is_tool.then(|| "its source is a tool".to_owned());
    let all = [
        counted(prints, "the same fingerprint"),
        counted(titles, "the same title"),
        confirmed,
        tool,
    ];
    all.into_iter().flatten().collect()
}

/// Characters of a rule; agents are given all of it, always.
const LONGEST_RULE: usize = 240;

/// A memory as one line of a file of rules: the first paragraph of its body, under its title where
/// that says something else.
pub fn rule(title: &str, body: &str) -> String {
    let is_text = |part: &&str| !part.trim().is_empty() && !part.trim_start().starts_with('#');
    let paragraph = body
        .split("\n\n")
        .map(|part| part.trim_start_matches('\n'))
        .find(is_text);
    let words = paragraph.unwrap_or_default().split_whitespace();
    let text = words.collect::<Vec<_>>().join(" ");
    let title = title.trim_end_matches(['…', '.']);
    let line = match () {
        () if text.is_empty() => title.to_owned(),
        () if text.to_lowercase().starts_with(&title.to_lowercase()) => text,
        () => format!("{title}: {text}"),
    };
    let Some((end, _)) = line.char_indices().nth(LONGEST_RULE) else {
        return line;
    };
    let cut = line.get(..end).unwrap_or(&line);
    // Whole sentences where there is one, else whole words.
    let sentence = cut.rfind(". ").map(|at| at + 1);
    let end = sentence.or_else(|| cut.rfind(' ')).unwrap_or(end);
    cut.get(..end).unwrap_or(cut).to_owned()
}

/// A file of rules with one more: behind the last entry of its last list, else at its end. What is
/// imported is no list of rules.
pub fn with_rule(file: &str, rule: &str) -> String {
    let end = if file.contains("\r\n") { "\r\n" } else { "\n" };
    let bullet_of = |line: &str| {
        let is_entry = |bullet: &&&str| {
            let entry = line.strip_prefix(**bullet);
            entry.is_some_and(|entry| entry.starts_with(' ') && !entry.starts_with(" @"))
        };
        ["-", "*"].iter().find(is_entry).copied()
    };
    let (mut at, mut bullet, mut fenced) = (0, None, false);
    let mut last: Option<(&str, usize)> = None;
    for line in file.split_inclusive('\n') {
        at += line.len();
        fenced ^= line.trim_start().starts_with("```");
        let goes_on = bullet.is_some() && line.starts_with(' ') && !line.trim().is_empty();
        if !goes_on {
            bullet = bullet_of(line).filter(|_| !fenced);
        }
        last = bullet.map(|bullet| (bullet, at)).or(last);
    }
    if let Some((bullet, at)) = last {
        let (head, tail) = file.split_at(at);
        let gap = if head.ends_with('\n') { "" } else { end };
        return format!("{head}{gap}{bullet} {rule}{end}{tail}");
    }
    // What stands there keeps its bytes, but for the blank lines at the end.
    let head = file.trim_end_matches(['\r', '\n']);
    let is_import = |line: &str| line.trim_start_matches("- ").starts_with('@');
    let gap = match head.lines().last() {
        None => String::new(),
        Some(last) if is_import(last) => format!("{end}{end}## Rules{end}{end}"),
        Some(_) => format!("{end}{end}"),
    };
    format!("{head}{gap}- {rule}{end}")
}

/// The same for a number between two: a tenth of the way.
fn number(
    memory: &Memory,
    field: &str,
    (low, high): (f64, f64),
    up: bool,
) -> Result<(FieldEdit, String), String> {
    #[expect(clippy::cast_precision_loss, reason = "compared with small numbers")]
    let now = match memory.field(field) {
        Some(Value::Int(number)) => *number as f64,
        Some(Value::Float(number)) => *number,
        _ => return Err(format!("its `{field}` is not a number")),
    };
    let step = (high - low) / 10.0;
    let next = if up { now + step } else { now - step };
    let next = (next.clamp(low, high) * 1000.0).round() / 1000.0;
    if (next - now).abs() < step / 1000.0 {
        let end = if up { "most" } else { "least" };
        return Err(format!("`{now}` is the {end} there is"));
    }
    let edit = FieldEdit::Set {
        field: field.to_owned(),
        value: Value::Float(next),
    };
    Ok((edit, format!("{field} from {now} to {next}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_is_one_line_among_rules() {
        let long = "Word ".repeat(60) + "end. More.";
        for (title, body, line) in [
            (
                "Pools",
                "# Pools\n\nA pool holds\nten.\n\nMore.",
                "Pools: A pool holds ten.",
            ),
            (
                "A pool holds ten…",
                "A pool holds ten connections.",
                "A pool holds ten connections.",
            ),
            ("Only a title.", "", "Only a title"),
            ("T", &format!("One sentence. {long}"), "T: One sentence."),
        ] {
            assert_eq!(rule(title, body), line);
        }
        for (file, after) in [
            ("", "- x\n"),
            ("# Rules\n\n- a\n", "# Rules\n\n- a\n- x\n"),
            ("* a", "* a\n* x\n"),
            (
                "- a\n  more\n\n@docs/api.md\n",
                "- a\n  more\n- x\n\n@docs/api.md\n",
            ),
            ("# T\n\n@a.md\n", "# T\n\n@a.md\n\n## Rules\n\n- x\n"),
            ("```\n- a\n```\n", "```\n- a\n```\n\n- x\n"),
            (
                "# Rules\r\n\r\nText.\r\n\r\n",
                "# Rules\r\n\r\nText.\r\n\r\n- x\r\n",
            ),
        ] {
            assert_eq!(with_rule(file, "x"), after, "{file:?}");
        }
    }
}
