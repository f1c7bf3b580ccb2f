//! Writing a task into the file of tasks; everything else in it stays as it is.

use super::{Written, parse};
use crate::memory::edit::{self, FieldEdit};
use crate::memory::{Value, format};

/// The file's text with a task: in the place of the one with the same words and agent, else behind
/// the last one. An error says why the file is left as it is.
pub fn record(text: &str, task: &Written) -> Result<String, String> {
    let is_new = text.trim().is_empty();
    let before = if is_new {
        Vec::new()
    } else {
        parse(text, |_| true).map_err(|error| format!("line {}: {}", error.line, error.message))?
    };
    let is_it = |one: &Written| one.task == task.task && one.agent == task.agent;
    let known = before.iter().position(is_it);
    let items = items(text);
    let indent = items.first().map_or("  ", |item| item.indent);
    let old = known.and_then(|known| items.get(known).zip(before.get(known)));
    let edited = old.and_then(|(place, old)| edited(text.get(place.start..place.end)?, old, task));
    let new = edited.map_or_else(|| item(task, indent), Ok)?;
    let mut out = if is_new { "tasks:\n" } else { text }.to_owned();
    match known.map(|known| items.get(known)) {
        Some(Some(old)) => out.replace_range(old.start..old.end, &new),
        _ => {
            let end = items.last().map_or(out.len(), |last| last.end);
            let line_end = if out.get(..end).is_none_or(|head| head.ends_with('\n')) {
                ""
            } else {
                "\n"
            };
            out.insert_str(end, &format!("{line_end}{new}"));
        }
    }
    let mut wanted = before;
    match known.and_then(|known| wanted.get_mut(known)) {
        Some(slot) => *slot = task.clone(),
        None => wanted.push(task.clone()),
    }
    match parse(&out, |_| true) {
        Ok(after) if after == wanted => Ok(out),
        _ => {
            Err("it is written in a form that is not edited here: add the task by hand".to_owned())
        }
    }
}

/// The fences of a frontmatter.
const FENCE: &str = "---\n";

/// The text of an item with the lists of a task in place of its own; none where another part of the
/// task differs, or the item is written in a way that is not edited.
fn edited(item: &str, old: &Written, new: &Written) -> Option<String> {
    let lists = Written {
        must: new.must.clone(),
        files: new.files.clone(),
        ..old.clone()
    };
    let dash = item.find("- ").filter(|_| lists == *new)?;
    let gap = if item.ends_with('\n') { "" } else { "\n" };
    // Without its dash an item is a frontmatter.
    let mut text = format!("{FENCE}{item}{gap}{FENCE}");
    let dash = FENCE.len() + dash..FENCE.len() + dash + 1;
    text.replace_range(dash.clone(), " ");
    let is_expect = text
        .lines()
        .any(|line| line.trim_start().starts_with("expect:"));
    let must = if is_expect { "expect" } else { "must" };
    let lists = [
        (must, &old.must, &new.must),
        ("files", &old.files, &new.files),
    ];
    let edits = lists.into_iter().filter(|(_, old, new)| old != new);
    let edits = edits.map(|(field, _, new)| {
        let field = field.to_owned();
        let value = new.iter().map(|one| Value::from(one.as_str())).collect();
        match new.is_empty() {
            true => FieldEdit::Unset { field },
            false => FieldEdit::Set { field, value },
        }
    });
    let edits: Vec<FieldEdit> = edits.collect();
    let new = edit::apply(format::schema("rawko"), text.as_bytes(), 0, &edits).ok()?;
    let mut new = String::from_utf8(new).ok()?;
    new.replace_range(dash, "-");
    let new = new.strip_prefix(FENCE)?.strip_suffix(FENCE)?;
    Some(new.to_owned())
}

/// A task as an item of the list.
fn item(task: &Written, indent: &str) -> Result<String, String> {
    let text = serde_yaml::to_string(&[task]).map_err(|error| error.to_string())?;
    Ok(text
        .lines()
        .map(|line| format!("{indent}{line}\n"))
        .collect())
}

/// An item of the list: its bytes, and what stands before its dash.
struct Item<'a> {
    start: usize,
    end: usize,
    indent: &'a str,
}

/// The items of the list in block style. Comments and blank lines before an item are not of it.
fn items(text: &str) -> Vec<Item<'_>> {
    let (mut items, mut at, mut is_inside) = (Vec::<Item<'_>>::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let body = line.trim_start_matches(' ');
        let indent = line.get(..line.len() - body.len()).unwrap_or_default();
        let is_blank = body.trim().is_empty() || body.starts_with('#');
        let first = items.first().map(|first| first.indent.len());
        if !is_inside {
            is_inside = line.starts_with("tasks:");
        } else if body.starts_with("- ") && first.is_none_or(|first| first == indent.len()) {
            items.push(Item { start, end, indent });
        } else if first.is_some_and(|first| indent.len() <= first) && !is_blank {
            break;
        } else if let Some(last) = items.last_mut().filter(|_| !is_blank) {
            last.end = end;
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lists_that_differ_are_written() {
        let tasks = |text: &str| parse(text, |_| true).unwrap();
        for (text, must, wanted) in [
            (
                "tasks:\n  - name: one # ours\n    task: One\n    expect: [a, b] # why\n    store: rawko\n",
                &["a", "rawko:c, d"][..],
                "tasks:\n  - name: one # ours\n    task: One\n    expect: [a, \"rawko:c, d\"] # why\n    store: rawko\n",
            ),
            (
                "tasks:\n- task: One\n  must:\n    - a # first\n    # about b\n    - b\n  max_tokens: 9\n- task: Two\n",
                &["a", "c"],
                "tasks:\n- task: One\n  must:\n    - a # first\n    # about b\n    - c\n  max_tokens: 9\n- task: Two\n",
            ),
            (
                "tasks:\n- task: One\n  max_tokens: 9 # few",
                &["a"],
                "tasks:\n- task: One\n  max_tokens: 9 # few\n  must: [a]\n",
            ),
            (
                "tasks:\n- task: One\n  must:\n  - a\n  store: rawko\n",
                &[],
                "tasks:\n- task: One\n  store: rawko\n",
            ),
        ] {
            let task = Written {
                must: must.iter().map(|id| (*id).to_owned()).collect(),
                ..tasks(text)[0].clone()
            };
            assert_eq!(record(text, &task).unwrap(), wanted);
        }
    }

    #[test]
    fn a_task_takes_its_place_and_the_rest_of_the_file_stays() {
        let task = |must: &str| Written {
            task: "Two".to_owned(),
            must: vec![must.to_owned()],
            ..Written::default()
        };
        let text =
            "# ours\ntasks:\n- task: One # first\n\n# about two\n- {task: Two, must: [a]}\n# end\n";
        let new = record(text, &task("b: c")).unwrap();
        assert_eq!(
            new,
            "# ours\ntasks:\n- task: One # first\n\n# about two\n- task: Two\n  must:\n  - 'b: c'\n# end\n"
        );
        let text = "tasks:\n    - task: One\n      must: [a]";
        let new = record(text, &task("b")).unwrap();
        assert_eq!(
            new,
            format!("{text}\n    - task: Two\n      must:\n      - b\n")
        );
        assert_eq!(
            record("", &task("b")).unwrap(),
            "tasks:\n  - task: Two\n    must:\n    - b\n"
        );
        for text in ["tasks: [{task: One}]", "tasks:\n- task: [", "tasks: []\n"] {
            assert!(record(text, &task("b")).is_err(), "{text}");
        }
    }
}
