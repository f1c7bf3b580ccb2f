//! Lines of a memory that say how it was filed, and nothing of the project: when it was noted, how
//! often it was seen, in which files. Two memories have two of them, or the same by chance.

use std::ops::Range;

use super::table::{self, Words};

/// Labels of such lines, their words joined by `-`.
static FILED: Words = Words::of(
    "seen first-seen last-seen times-seen seen-count occurrences occurrence-count occurred recurrence \
recurrence-count recurrences reproducible attempts hits severity priority status area resolved \
resolved-at resolved-by logged logged-at recorded recorded-at reported reported-by captured noted \
timestamp confidence reporter promoted promoted-to \
状态 优先级 严重性 严重程度 出现次数 记录时间 可复现 領域 状態 優先度 重要度 発生回数 再現性 記録日 상태 \
우선순위 심각도 발생 횟수 재현 статус приоритет серьёзность повторений воспроизводимость häufigkeit \
reproduzierbar schweregrad priorität gesehen prioridad severidad estado reproductible gravité priorité \
prioridade gravidade",
);

/// Labels of those that list where more of it is, however long.
static LISTS: Words = Words::of(
    "related-files related related-entries related-to see-also tags pattern-key 相关文件 参见 標籤 标签 \
関連ファイル 参照 관련-파일 связанные-файлы siehe-auch voir-aussi véase-también",
);

/// Those of them that a thing of the project has as well, where they stand below its name.
static OF_A_THING: Words = Words::of("attempts hits priority status area confidence severity");

/// Words of labels of which the value is what was learned or chosen, whatever stands around it.
static TOLD: Words = Words::of(
    "fix fixes fixed prevention lesson lessons learned learning solution resolution workaround remedy \
cause rule decision choice chosen default action suggested reason why error problem what how note",
);

/// Words of a value beyond these tell something.
const VALUE: usize = 6;

/// The same where only the lines around it tell what it is.
const BESIDE: usize = 3;

/// What a line is.
enum Line<'t> {
    /// It is about the memory itself.
    Filed,
    /// A name and a value of few words.
    Labelled(&'t str, &'t str),
    /// A name with nothing behind it.
    Bare,
    Other,
}

/// The lines of a text that say how it was filed, by their bytes.
pub fn lines(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut block: Vec<(Range<usize>, Line<'_>)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let kind = read(line);
        if matches!(kind, Line::Other | Line::Bare) {
            close(&mut block, &mut found);
        } else {
            block.push((start..at, kind));
        }
    }
    close(&mut block, &mut found);
    found
}

/// Labelled lines that stand together: most of them being such, the short ones among them are too.
fn close(block: &mut Vec<(Range<usize>, Line<'_>)>, found: &mut Vec<Range<usize>>) {
    let filed = block.iter().filter(|(_, line)| matches!(line, Line::Filed));
    let most = filed.count() * 2 > block.len();
    for (at, line) in block.drain(..) {
        let is = match line {
            Line::Filed => true,
            Line::Labelled(label, value) => most && is_beside(label, value),
            Line::Bare | Line::Other => false,
        };
        if is {
            found.push(at);
        }
    }
}

/// Whether a value is of the record where the lines around it are: no lesson, setting or choice.
fn is_beside(label: &str, value: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let says = |word: &String| table::SETTINGS.has(word) || TOLD.has(word);
    let chosen = |word: &String| table::is_choice(word);
    value.split_whitespace().count() <= BESIDE
        && !words(label).iter().any(|word| says(word) || chosen(word))
        && !words(value).iter().any(chosen)
}

fn read(line: &str) -> Line<'_> {
    const LABEL: usize = 4;
    const AROUND: [char; 3] = ['*', '_', ' '];
    let bare = line.trim_start_matches([' ', '\t', '>', '-', '*', '+', '•', '_']);
    let Some((label, value)) = bare.split_once([':', '：']) else {
        let own = line.trim();
        let bold = own.len() > 4 && own.starts_with("**") && own.ends_with("**");
        return if bold { Line::Bare } else { Line::Other };
    };
    // Of a path or an address the colon ends no label.
    let goes_on = value.starts_with(|c: char| !c.is_whitespace() && !AROUND.contains(&c));
    if goes_on && value.is_ascii() {
        return Line::Other;
    }
    let value = value.trim().trim_matches(AROUND);
    let mut words = label.split([' ', '-', '_', '*']);
    let words: Vec<&str> = words.by_ref().filter(|word| !word.is_empty()).collect();
    if words.is_empty() || words.len() > LABEL {
        return Line::Other;
    }
    let name = words.join("-").to_lowercase();
    let mut words = value.split_whitespace();
    // A state in capitals, and what is to be done about it: `NEEDS_FIX - …`.
    let state = |word: &str| word.len() >= VALUE && !word.contains(char::is_lowercase);
    let short = words.clone().count() <= VALUE || words.next().is_some_and(state);
    match value.is_empty() {
        true => Line::Bare,
        false if line.starts_with([' ', '\t']) && OF_A_THING.has(&name) => {
            Line::Labelled(label, value)
        }
        false if LISTS.has(&name) || (short && FILED.has(&name)) => Line::Filed,
        false => Line::Labelled(label, value),
    }
}

/// Whether some bytes of a text stand in such lines, all of them.
pub fn hold(lines: &[Range<usize>], at: &Range<usize>) -> bool {
    let from = lines.iter().fold(
        at.start,
        |from, line| {
            if line.contains(&from) { line.end } else { from }
        },
    );
    from >= at.end
}

/// A text without these lines, and without those that only name what stands below them; nothing
/// where it has none.
pub fn without(text: &str) -> Option<String> {
    let filed = lines(text);
    if filed.is_empty() {
        return None;
    }
    let mut at = 0;
    let mut rest = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let is = |one: &Range<usize>| one.start == start;
        let bare = matches!(read(line), Line::Bare);
        rest.push_str(if bare || filed.iter().any(is) {
            "\n"
        } else {
            line
        });
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let lines = lines(text);
        let lines = lines
            .into_iter()
            .map(|at| text[at].trim_start_matches("- ").trim());
        lines.collect::<Vec<_>>().join(" / ")
    }

    #[test]
    fn a_line_about_the_memory_itself_is_no_line_about_the_project() {
        for line in [
            "**Seen:** 5 times",
            "- **Seen:** 2 times",
            "Occurrences: 3",
            "- Reproducible: yes",
            "- Reproducible: unknown",
            "Severity: high",
            "Attempts: 2",
            "First seen: 2026-02-11",
            "* Last-Seen: yesterday in CI",
            "- Related Files: src/a.rs, src/b.rs, src/deeply/nested/c.rs, d.rs, e.rs, f.rs, g.rs, h.rs",
            "- See Also: ERR-20260317-003",
            "**Resolved**: 2026-07-24T00:00:00+08:00",
            "- 状态：已解决",
            "> Статус: открыт",
            "- **Status:** NEEDS_FIX - the agent should write down here what it did about it",
        ] {
            assert_eq!(lines(line).len(), 1, "{line}");
        }
        for line in [
            "Port: 3000",
            "Retry attempts: 3",
            "  - attempts: 3",
            "Max attempts: 3",
            "Resolved: by raising the pool of the importer to twenty connections at least",
            "Severity of an alert: page above five per cent",
            "Status codes: 422 for what is invalid",
            "https://example.org/seen: it moved",
            "src/seen.rs:12 counts twice",
            "The importer was seen 5 times: it hangs",
            "Fix: use pnpm",
        ] {
            assert!(lines(line).is_empty(), "{line}");
        }
    }

    #[test]
    fn most_of_a_block_tell_what_the_rest_of_it_is() {
        let block =
            "- Severity: low\n- Loop Owner: launcher\n- Seen: 3\n- Ticket: 17\n- Status: open\n";
        assert_eq!(lines(block).len(), 5, "{}", told(block));
        let block = "- Severity: low\n- Fix: use pnpm\n- Database: MySQL\n- Port: 80\n- Seen: 3\n- Status: open\n- Area: x\n- Priority: y\n";
        assert_eq!(
            told(block),
            "Severity: low / Seen: 3 / Status: open / Area: x / Priority: y"
        );
        let block = "- Status: stable\n- Language: Go\n- Region: north\n";
        assert_eq!(told(block), "Status: stable");
    }

    #[test]
    fn what_is_left_is_what_was_told() {
        let text = "**Summary**\nThe build hangs.\n- Seen: 3\n\n**Error**:\nIt said no.\n";
        assert_eq!(
            without(text)
                .unwrap_or_default()
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            "The build hangs. It said no."
        );
        assert_eq!(without("Steps:\nrun it"), None);
    }
}
