//! Writing a task into the file of tasks; everything else in it stays as it is.

use super::{Written, parse, parse_yaml};

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

/// An item with the lists that differ written anew, in its own spelling and layout; none where
/// other things differ, or its layout is another.
fn edited(item: &str, old: &Written, new: &Written) -> Option<String> {
    let lists = Written {
        must: new.must.clone(),
        files: new.files.clone(),
        ..old.clone()
    };
    let mut out = item.to_owned();
    if old.must != new.must {
        out = with_list(&out, &["must", "expect"], &new.must)?;
    }
    if old.files != new.files {
        out = with_list(&out, &["files"], &new.files)?;
    }
    (lists == *new).then_some(out)
}

/// An item in block style with another list under a key: the entries that stay keep their lines.
fn with_list(item: &str, names: &[&str], values: &[String]) -> Option<String> {
    let lines: Vec<&str> = item.split_inclusive('\n').collect();
    let dash = item.find("- ")?;
    let column = dash + 1 + item.get(dash + 1..)?.find(|c| c != ' ')?;
    if item.get(column..)?.starts_with('{') {
        return None;
    }
    let key = lines.iter().position(|line| {
        let key = line.get(column..).and_then(|rest| rest.split_once(':'));
        key.is_some_and(|(key, _)| names.contains(&key))
    });
    let flow = || values.iter().map(scalar).collect::<Vec<_>>().join(", ");
    let Some(key) = key else {
        let line_end = if item.ends_with('\n') { "" } else { "\n" };
        let (name, lead) = (names.first()?, " ".repeat(column));
        return Some(format!("{item}{line_end}{lead}{name}: [{}]\n", flow()));
    };
    let line = lines.get(key)?;
    let (head, rest) = line.split_at(column + line.get(column..)?.find(':')? + 1);
    let mut out = lines.get(..key)?.concat();
    if rest.trim_start().starts_with('[') {
        let (_, tail) = rest.split_once(']')?;
        out.push_str(&format!("{head} [{}]{tail}", flow()));
        out.push_str(&lines.get(key + 1..)?.concat());
        return Some(out);
    }
    let below = lines.get(key + 1..)?;
    let is_entry = |line: &str| line.trim_start().starts_with("- ");
    let is_below = |line: &&&str| {
        let lead = line.len() - line.trim_start().len();
        lead > column || lead == column && is_entry(line)
    };
    let count = below.iter().take_while(is_below).count();
    let (own, after) = below.split_at(count);
    if values.is_empty() && key > 0 {
        return Some(out + &after.concat());
    }
    let first = own.iter().find(|line| is_entry(line))?;
    let lead = first.get(..first.find('-')?)?;
    out.push_str(line);
    let mut left: Vec<&String> = values.iter().collect();
    for line in own {
        let entry: Option<Vec<String>> = is_entry(line).then(|| parse_yaml(line).ok()).flatten();
        match entry.as_deref() {
            Some([entry]) => match left.iter().position(|value| *value == entry) {
                Some(at) => drop(left.remove(at)),
                None => continue,
            },
            _ if is_entry(line) => return None,
            _ => {}
        }
        out.push_str(line.trim_end_matches('\n'));
        out.push('\n');
    }
    for value in left {
        out.push_str(&format!("{lead}- {}\n", scalar(value)));
    }
    out.push_str(&after.concat());
    Some(out)
}

/// A text as YAML has it in a list, on a line of its own or between brackets.
fn scalar(text: &String) -> String {
    let plain = serde_yaml::to_string(text).unwrap_or_default();
    let is_plain = !text.contains([',', '[', ']', '{', '}', '\n']);
    match is_plain {
        true => plain.trim_end().to_owned(),
        false => format!("{text:?}"),
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
