//! Writing a task into the file of tasks; everything else in it stays as it is.

use super::{Written, parse};

/// The file's text with a task: in the place of the one with the same words and agent, else behind
/// the last one. An error says why the file is left as it is.
pub fn record(text: &str, task: &Written) -> Result<String, String> {
    let is_new = text.trim().is_empty();
    let before = if is_new {
        Vec::new()
    } else {
        parse(text).map_err(|error| format!("line {}: {error}", error.line))?
    };
    let is_it = |one: &Written| one.task == task.task && one.agent == task.agent;
    let known = before.iter().position(is_it);
    let items = items(text);
    let indent = items.first().map_or("  ", |item| item.indent);
    let new = item(task, indent)?;
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
    match parse(&out) {
        Ok(after) if after == wanted => Ok(out),
        _ => {
            Err("it is written in a form that is not edited here: add the task by hand".to_owned())
        }
    }
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
