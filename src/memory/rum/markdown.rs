//! The layers as Markdown, for people: the body of a memory.

use serde_json::Value;

use super::layers::{Action, Layers, items, of, text, texts};

/// What stands in the place of a layer that there is not.
const NOTHING: &str = "*not recorded*";

/// What stands for whether it came off.
const SUCCEEDED: &str = "✓ succeeded";
const FAILED: &str = "✗ failed";

/// A text that grows by blocks.
#[derive(Default)]
struct Page(String);

impl Page {
    fn heading(&mut self, text: &str) {
        self.block(&format!("## {text}"));
    }

    /// A paragraph of its own.
    fn block(&mut self, text: &str) {
        if !self.0.is_empty() {
            self.0.push_str("\n\n");
        }
        self.0.push_str(text.trim());
    }

    fn paragraph(&mut self, value: &Value) {
        if let Some(text) = text(value) {
            self.block(&text);
        }
    }

    /// A named line: `**Context:** …`.
    fn named(&mut self, name: &str, value: &Value) {
        if let Some(text) = text(value) {
            self.block(&format!("**{name}:** {}", text.trim()));
        }
    }

    /// A named list.
    fn list(&mut self, name: &str, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        self.block(&format!("**{name}**"));
        self.lines(lines);
    }

    fn lines(&mut self, lines: Vec<String>) {
        self.0.push('\n');
        for line in lines {
            self.0.push_str("\n- ");
            self.0.push_str(&line.trim().replace('\n', "\n  "));
        }
    }

    /// What the section has beside what was shown: fields that the format does not know.
    fn rest(&mut self, value: &Value, known: &[&str]) {
        let Value::Object(all) = value else {
            return;
        };
        for (name, value) in all {
            if !known.contains(&name.as_str()) {
                self.named(name, value);
            }
        }
    }

    fn finish(mut self) -> String {
        self.0.push('\n');
        self.0
    }
}

fn list_of(value: &Value, name: &str) -> Vec<String> {
    texts(of(value, name)).map(Into::into).collect()
}

/// The body of a memory: its five layers.
pub fn memory(layers: &Layers) -> String {
    let mut page = Page(String::with_capacity(1024));
    intent(&mut page, &layers.intent);
    perception(&mut page, &layers.perception);
    reasoning(&mut page, &layers.reasoning);
    page.heading("Actions");
    let actions: Vec<String> = layers.actions().map(action).collect();
    if actions.is_empty() {
        page.block(NOTHING);
    } else {
        page.lines(actions);
    }
    outcome(&mut page, &layers.outcome);
    page.finish()
}

/// The same text with blanks for what only the page says: the names in front of what an agent
/// wrote, and that there is nothing. What is left stands where it stood.
pub fn written(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    for line in page.split_inclusive('\n') {
        let frame = match line.trim_end() {
            NOTHING | SUCCEEDED | FAILED => line.trim_end().len(),
            own => name(own).unwrap_or_default(),
        };
        out.extend(std::iter::repeat_n(' ', frame));
        out.push_str(line.get(frame..).unwrap_or_default());
    }
    out
}

/// How long the name is that a line begins with: `**Context:** …`, `**Learnings**`.
fn name(line: &str) -> Option<usize> {
    const MARK: &str = "**";
    let rest = line.strip_prefix(MARK)?;
    let end = rest.find(MARK)?;
    let (name, after) = (rest.get(..end)?, rest.get(end + MARK.len()..)?);
    let names = after.is_empty() || (name.ends_with(':') && after.starts_with(' '));
    names.then_some(end + 2 * MARK.len())
}

/// The heading of a layer; whether there is more to say.
fn begins(page: &mut Page, heading: &str, layer: &Value) -> bool {
    page.heading(heading);
    match layer {
        Value::Null => page.block(NOTHING),
        Value::Object(_) => return true,
        other => page.paragraph(other),
    }
    false
}

fn intent(page: &mut Page, layer: &Value) {
    if begins(page, "Intent", layer) {
        page.paragraph(of(layer, "goal"));
        page.named("Task", of(layer, "task_type"));
        page.named("Context", of(layer, "context"));
        page.list("Constraints", list_of(layer, "constraints"));
        page.rest(layer, &["goal", "task_type", "context", "constraints"]);
    }
}

fn perception(page: &mut Page, layer: &Value) {
    if !begins(page, "Perception", layer) {
        return;
    }
    let seen = items(of(layer, "observations")).iter().map(|seen| {
        joined(seen, "what", "where", "significance").unwrap_or_else(|| seen.to_string())
    });
    page.list("Observations", seen.collect());
    let files = items(of(layer, "relevant_files")).iter().map(|file| {
        joined(file, "path", "", "relevance").map_or_else(
            || text(file).unwrap_or_default().into_owned(),
            |line| match text(of(file, "state_summary")) {
                Some(state) => format!("{line} ({state})"),
                None => line,
            },
        )
    });
    page.list("Relevant files", files.collect());
    page.list("Patterns", list_of(layer, "patterns_noticed"));
    page.list("Anomalies", list_of(layer, "anomalies"));
    let known = [
        "observations",
        "relevant_files",
        "patterns_noticed",
        "anomalies",
    ];
    page.rest(layer, &known);
}

/// `what (where): why`, of an object that has the first.
fn joined(value: &Value, what: &str, place: &str, why: &str) -> Option<String> {
    let mut line = match value {
        Value::String(text) => return Some(text.clone()),
        _ => text(of(value, what))?.into_owned(),
    };
    if let Some(place) = text(of(value, place)) {
        line.push_str(&format!(" (`{place}`)"));
    }
    if let Some(why) = text(of(value, why)) {
        line.push_str(&format!(": {why}"));
    }
    Some(line)
}

fn reasoning(page: &mut Page, layer: &Value) {
    if !begins(page, "Reasoning", layer) {
        return;
    }
    page.paragraph(of(layer, "approach_chosen"));
    page.named("Why", of(layer, "why_chosen"));
    let others = items(of(layer, "alternatives_considered")).iter();
    let others = others.map(|other| {
        joined(other, "approach", "", "why_rejected").unwrap_or_else(|| other.to_string())
    });
    page.list("Rejected", others.collect());
    page.list("Assumptions", list_of(layer, "assumptions"));
    page.list("Risks", list_of(layer, "risks_identified"));
    let known = [
        "approach_chosen",
        "why_chosen",
        "alternatives_considered",
        "assumptions",
        "risks_identified",
    ];
    page.rest(layer, &known);
}

/// An action in a line: what it was, on what, and what came of it.
fn action(action: Action<'_>) -> String {
    let result = action.result();
    let failed = of(result, "success") == &Value::Bool(false);
    let mark = if failed { "✗ " } else { "" };
    let mut line = format!("{mark}{}", action.kind());
    let on = [
        ("file_path", "lines_affected"),
        ("command", "working_directory"),
        ("query", "scope"),
    ];
    for (what, more) in on {
        if let Some(what) = action.text(what) {
            line.push_str(&format!(" `{what}`"));
            if let Some(more) = action.text(more) {
                line.push_str(&format!(" ({more})"));
            }
        }
    }
    if let Some(diff) = action.text("diff_summary") {
        line.push_str(&format!(": {diff}"));
    }
    let took = of(result, "duration_ms")
        .as_i64()
        .map(|ms| format!("{ms} ms"));
    let said = match result {
        Value::Object(_) => ["output_summary", "error"]
            .iter()
            .filter_map(|name| text(of(result, name)))
            .map(Into::into)
            .chain(took)
            .collect::<Vec<String>>()
            .join(", "),
        other => text(other).unwrap_or_default().into_owned(),
    };
    if !said.is_empty() {
        line.push_str(&format!(" → {said}"));
    }
    line
}

fn outcome(page: &mut Page, layer: &Value) {
    if !begins(page, "Outcome", layer) {
        return;
    }
    match of(layer, "success") {
        Value::Bool(true) => page.block(SUCCEEDED),
        Value::Bool(false) => page.block(FAILED),
        _ => {}
    }
    page.paragraph(of(layer, "summary"));
    page.list("Learnings", list_of(layer, "learnings"));
    page.named("Failure", of(layer, "failure_reason"));
    page.named("Kind of failure", of(layer, "failure_category"));
    if let verified @ Value::Object(_) = of(layer, "verified_by") {
        let by = joined(verified, "type", "command", "result");
        page.block(&format!("**Verified by:** {}", by.unwrap_or_default()));
    }
    page.list("Follow up", list_of(layer, "follow_up_needed"));
    let known = [
        "success",
        "summary",
        "learnings",
        "failure_reason",
        "failure_category",
        "verified_by",
        "follow_up_needed",
    ];
    page.rest(layer, &known);
}

/// The body of a chapter or of wisdom: what it says, and its lists.
pub fn unit(summary: &str, lists: &[(&str, Vec<String>)]) -> String {
    let mut page = Page::default();
    if !summary.trim().is_empty() {
        page.block(summary);
    }
    for (name, lines) in lists {
        if !lines.is_empty() {
            page.heading(name);
            page.lines(lines.clone());
        }
    }
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_page_says_is_blank_and_the_rest_stays_in_its_place() {
        let layer = |json: &str| serde_json::from_str(json).unwrap();
        let layers = Layers {
            intent: layer(r#"{"goal": "Mend the lamp", "task_type": "bug_fix", "hour": "late"}"#),
            reasoning: layer(
                r#"{"approach_chosen": "**New** wire", "risks_identified": ["rain"]}"#,
            ),
            outcome: layer(r#"{"success": true, "summary": "It burns — again"}"#),
            ..Layers::default()
        };
        let page = memory(&layers);
        let left = written(&page);
        assert_eq!(left.len(), page.len());
        let lines = left.lines().map(str::trim);
        let said: Vec<&str> = lines
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .collect();
        assert_eq!(
            said,
            [
                "Mend the lamp",
                "bug_fix",
                "late",
                "**New** wire",
                "- rain",
                "It burns — again"
            ]
        );
        let at = page.find("It burns").unwrap();
        assert!(left[at..].starts_with("It burns"));
    }
}
