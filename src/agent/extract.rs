//! Asks a model what of a session is worth remembering, and reads its answer: rawko's extraction.

use itertools::Itertools as _;

use super::answer::{Fields, objects, value};
use super::request::{Note, attribute, escaped, notes, ranked, unescaped};
use crate::extract::session::{Session, Step};
use crate::lint::mask;
use crate::memory::{Timestamp, tokens_of};
use crate::retrieval::{Previews, Snapshot, Texts};
use crate::text::{cut, last_of};

const QUESTION: &str = include_str!("../../assets/agent/extract.md");

const WISDOM: &str = include_str!("../../assets/agent/wisdom.md");

/// Share of a request that memories may take, in percent.
const MEMORIES: usize = 40;

/// Bytes of one text of a session at most: the first number with which all fit is taken.
const LONGEST: [usize; 3] = [4000, 1000, 250];

const MOST: usize = 10;

/// The request about a session, what is known about it and the notes that are nearest to it, within a
/// budget of tokens. Secrets are masked.
pub fn request(
    session: &Session,
    about: &[(&str, Option<&str>)],
    all: &[Note],
    (previews, now): (&dyn Previews, Timestamp),
    budget: usize,
) -> String {
    let room = budget.saturating_sub(tokens_of(QUESTION.len()) + 200);
    let persons = session.steps.iter().filter_map(Step::person);
    let words = persons.take(200).join("\n");
    let near = ranked(all, previews, now, cut(&words, 16 << 10));
    let (mut blocks, mut tokens) = (Vec::new(), 0);
    for note in near.into_iter().filter_map(|at| all.get(at)) {
        if tokens + note.tokens() <= room * MEMORIES / 100 {
            tokens += note.tokens();
            blocks.push(note);
        }
    }
    let steps = steps(session, (room - tokens) * 4);
    let mut about = about.iter().filter_map(|(name, value)| {
        let value = value.filter(|value| !value.is_empty())?;
        Some(format!(" {name}=\"{}\"", attribute(&mask(value))))
    });
    let (about, steps) = (about.join(""), escaped(&mask(&steps)));
    let blocks = blocks.iter().map(|note: &&Note| &*note.block).join("");
    format!("{QUESTION}\n<session{about}>\n{steps}\n</session>\n{blocks}")
}

/// The request for the wisdom of chapters, which share a budget of tokens. Secrets are masked.
pub fn wisdom_request(
    chapters: &Snapshot,
    texts: &dyn Texts,
    now: Timestamp,
    budget: usize,
) -> String {
    let room = budget.saturating_sub(tokens_of(WISDOM.len()));
    let all = notes((chapters, &[]), texts, now, room / chapters.len().max(1));
    let blocks = all.iter().map(|note: &Note| &*note.block).join("");
    format!("{WISDOM}\n{blocks}")
}

/// The steps as text that fits into so many bytes: texts are shortened first, then the middle of all is
/// left out. The beginning has the task; the end tells how it went.
fn steps(session: &Session, room: usize) -> String {
    let shown = |most: usize| -> String {
        let step = |step: &Step| match step {
            Step::Person(text) => format!("person: {}\n", short(text, most)),
            Step::Agent(text) => format!("agent: {}\n", short(text, most)),
            Step::Commit(text) => format!("commit: {}\n", short(text, most)),
            Step::Edit(edit) => format!("edit {}\n{}\n", edit.path, short(&edit.added, most)),
            Step::Run(run) => {
                let (line, output) = (short(&run.line, most), short(&run.output, most));
                let is_failed = run.failed == Some(true);
                let failed = if is_failed { "(failed)\n" } else { "" };
                format!("$ {line}\n{output}\n{failed}")
            }
            Step::Read(_) | Step::Gone => String::new(),
        };
        session.steps.iter().map(step).collect()
    };
    let texts = LONGEST.into_iter().map(shown);
    let text = texts.find_or_last(|text| text.len() <= room);
    short(&text.unwrap_or_default(), room)
}

/// A text whose middle is left out where it is longer than this.
fn short(text: &str, most: usize) -> String {
    match text.len() <= most {
        true => text.to_owned(),
        false => format!("{} […] {}", cut(text, most / 2), last_of(text, most / 2)),
    }
}

/// A memory that a model wants to be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wish {
    /// Its frontmatter, by names in lower case without signs.
    pub fields: Fields,
    pub content: String,
    pub reasoning: Option<String>,
    /// Id of the memory that it is to be added to.
    pub updates: Option<String>,
    pub confidence: Option<f64>,
}

impl Wish {
    pub fn title(&self) -> Option<&str> {
        value(&self.fields, "title")
    }
}

/// Reads an answer: what it wants to be written, or why nothing. An error says why it is no answer.
pub fn read(text: &str) -> Result<(Vec<Wish>, Option<String>), String> {
    let (mut wishes, mut why, mut inner) = (Vec::new(), None, Fields::new());
    let mut is_answer = false;
    for fields in objects(text, "shouldCreateMemory")? {
        // The frontmatter stands before the object that it is part of.
        let Some(wanted) = value(&fields, "shouldcreatememory") else {
            inner.extend(fields);
            continue;
        };
        is_answer = true;
        let own = std::mem::take(&mut inner);
        let reasoning = value(&fields, "reasoning").map(str::to_owned);
        if !matches!(wanted.to_lowercase().as_str(), "true" | "yes" | "1") {
            why = why.or(reasoning);
            continue;
        }
        let content = value(&fields, "content").map(unescaped).unwrap_or_default();
        if content.is_empty() {
            return Err("a memory of it has no `content`".to_owned());
        }
        let sure = value(&fields, "confidence").and_then(|sure| sure.parse().ok());
        let updates = value(&fields, "updates").filter(|id| !id.is_empty());
        let mut wish = Wish {
            fields: own,
            content,
            reasoning,
            updates: updates.map(str::to_owned),
            confidence: sure.filter(|sure| (0.0..=1.0).contains(sure)),
        };
        if let Some(title) = fields.get("memorytitle") {
            let own = wish.fields.entry("title".to_owned());
            own.or_insert_with(|| title.clone());
        }
        if wish.title().is_none() && updates.is_none() {
            return Err("a memory of it has no `title`".to_owned());
        }
        wishes.push(wish);
    }
    if !is_answer {
        return Err("it holds no `shouldCreateMemory`".to_owned());
    }
    wishes.truncate(MOST);
    Ok((wishes, why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    #[test]
    fn what_is_no_answer_is_refused_with_the_reason() {
        for (text, why) in rows! {
            "{\"shouldCreateMemory\":true,\"content\":\"x\"}" => "no `title`",
            "{\"shouldCreateMemory\":true,\"memoryTitle\":\"x\"}" => "no `content`",
        } {
            let error = read(text).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_long_session_keeps_its_beginning_and_its_end() {
        let mut session = Session::default();
        for n in 0..500 {
            session.push(Step::Agent(format!("step {n} {}", "word ".repeat(200))));
        }
        let text = steps(&session, 8000);
        assert!(text.len() < 8100 && text.contains("step 0 ") && text.contains("step 499 "));
        assert!(text.contains(" […] "));
    }
}
