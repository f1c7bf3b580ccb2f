//! Negative memories: they say what does not work or must not be done.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::{Memory, Role, Value};

/// The phrases of `assets/caution.txt`, and the list of each.
static PHRASES: LazyLock<Option<(AhoCorasick, Vec<&str>)>> = LazyLock::new(|| {
    let lines = include_str!("../../assets/caution.txt").lines();
    let lists = lines.filter_map(|line| line.split_once(": "));
    let lists = lists.filter(|(list, _)| !list.starts_with('#'));
    let all = lists.flat_map(|(list, all)| all.split('|').map(move |phrase| (list, phrase)));
    let (lists, phrases): (Vec<&str>, Vec<&str>) = all.unzip();
    Some((AhoCorasick::new(phrases).ok()?, lists))
});

/// Characters of a text that are looked at.
const LONGEST: usize = 200;
/// Lines of a body in which its first statement is looked for.
const LINES: usize = 30;
/// Words of a label before the first statement: `Rule: never …`.
const LABEL: usize = 4;

/// True if a letter is part of a longer word beside another one: scripts without blanks have no
/// such words.
fn joins(letter: char) -> bool {
    letter.is_alphanumeric() && !matches!(letter, '\u{3000}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}')
}

/// True if a text is, begins with or has a phrase, as the phrase's list says.
fn warns(text: &str) -> bool {
    let short = text.chars().take(LONGEST).flat_map(char::to_lowercase);
    // A name has its words joined.
    let is_name = !text.trim().contains(' ');
    let short = short.map(|letter| match letter {
        '’' => '\'',
        '-' | '_' if is_name => ' ',
        letter => letter,
    });
    let short: String = short.collect();
    let short = short.trim_matches(|letter: char| !letter.is_alphanumeric());
    let Some((phrases, lists)) = &*PHRASES else {
        return false;
    };
    let found = |start: usize, end: usize, list: Option<&&str>| {
        let edge = |at: usize| {
            let (before, behind) = short.split_at(at);
            let letters = before.chars().next_back().zip(behind.chars().next());
            letters.is_none_or(|(before, behind)| !joins(before) || !joins(behind))
        };
        let is_there = match list {
            Some(&"within") => true,
            Some(&"first") => start == 0,
            _ => start == 0 && end == short.len(),
        };
        is_there && edge(start) && edge(end)
    };
    let mut all = phrases.find_overlapping_iter(short);
    all.any(|one| found(one.start(), one.end(), lists.get(one.pattern().as_usize())))
}

/// The first heading of a body, and the label and the first sentence of the prose it begins with.
fn beginning(body: &str) -> [&str; 3] {
    let mut heading = "";
    for line in body.lines().map(str::trim).take(LINES) {
        if let Some(name) = line.strip_prefix('#') {
            heading = if heading.is_empty() { name } else { heading };
        } else if line.starts_with(['|', '`', '<', '-', '+', '['])
            || line.starts_with(|letter: char| letter.is_ascii_digit())
            || line.starts_with("* ")
        {
            // The first of several statements says little about the others.
            break;
        } else if line.contains(char::is_alphanumeric) {
            let sentence = line.find(". ").map_or(line, |end| line.split_at(end).0);
            let parts = sentence.split_once(": ").or(sentence.split_once(":** "));
            let parts = parts.filter(|(label, _)| label.split_whitespace().count() <= LABEL);
            let (label, rest) = parts.unwrap_or(("", sentence));
            return [heading, label, rest];
        }
    }
    [heading, "", ""]
}

impl Memory {
    /// Looks at the title, fields and text for what makes a memory negative.
    pub(crate) fn with_caution(mut self, body: &[u8]) -> Self {
        let kinds = [Role::Type, Role::Tags].into_iter();
        let kinds = kinds.filter_map(|role| self.role(role));
        let mut kinds = kinds.flat_map(Value::items).filter_map(Value::as_str);
        let is_off = |(name, value): (&str, &Value)| {
            *value == Value::Bool(false) && warns(&format!("{name} off"))
        };
        let head = body.get(..LINES * LONGEST).unwrap_or(body);
        let begins = || {
            beginning(&String::from_utf8_lossy(head))
                .into_iter()
                .any(warns)
        };
        let is_own = warns(&self.title) || kinds.any(warns) || self.fields.iter().any(is_off);
        self.is_caution = !self.schema.can.context && (is_own || begins());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caution_says_so_in_its_title_or_where_it_begins() {
        for (text, is_caution) in [
            ("Never retry a refund", true),
            ("never-retry-refunds", true),
            ("Retries never end", false),
            ("Neverland bookings", false),
            ("Uploads fail silently", false),
            ("The cache does not work on ARM", true),
            ("Gotchas:", true),
            ("Nie direkt auf main pushen", true),
            ("Niederlande: Steuersätze", false),
            ("Ne jamais modifier le schéma", true),
            ("重试时不要清空缓存", true),
            ("직접 배포 금지", true),
            ("When the queue is full, never drop a job", true),
            ("Don’t mock the clock", true),
        ] {
            assert_eq!(warns(text), is_caution, "{text}");
        }
    }

    #[test]
    fn the_first_of_several_statements_is_not_the_memory() {
        let has = |body: &str| beginning(body).into_iter().any(warns);
        for (body, is_caution) in [
            (
                "# Deploys\n\nNever deploy on Fridays. Mondays are fine.\n",
                true,
            ),
            ("# Deploys\n\n**Rule:** do not deploy on Fridays\n", true),
            ("Failure: `make test` ended with 2\n", true),
            ("## Pitfalls\n\n- one\n", true),
            ("# Deploys\n\n- Never on Fridays\n- Tag first\n", false),
            ("Deploys run on Mondays. Never on Fridays.\n", false),
            ("```\nnever\n```\n", false),
            ("| never | no |\n", false),
        ] {
            assert_eq!(has(body), is_caution, "{body}");
        }
    }
}
