//! Memories that a person confirmed as still right, until their body changes; fields may change.
//!
//! ```text
//! .memkeep/verdicts.jsonl   among the answers on pairs, one line each; later lines win
//! {"ids":["rawko:a"],"texts":["91…"],"answer":"confirmed","by":"Ada","at":"2026-02-01T00:00:00Z"}
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::answers::to_line;
use super::judged::text_print;
use crate::memory::{Memory, MemoryId, Timestamp};

/// One memory that a person said is still right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmation {
    ids: [String; 1],
    texts: [String; 1],
    answer: Word,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    at: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Word {
    Confirmed,
}

impl Confirmation {
    /// A memory with this text, confirmed now by this person.
    pub fn new(memory: &Memory, text: &str, now: Timestamp, by: Option<String>) -> Self {
        Self {
            ids: [memory.id.to_string()],
            texts: [text_print(memory, text)],
            answer: Word::Confirmed,
            by,
            at: now.to_rfc3339(),
        }
    }

    /// The line of the file, with its end.
    pub fn to_line(&self) -> String {
        to_line(self)
    }
}

/// The last confirmation of each memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confirmations(BTreeMap<String, (Confirmation, Timestamp)>);

impl Confirmations {
    /// Reads the lines of the file. A line that is none of these is passed over.
    pub fn parse(lines: impl Iterator<Item = impl AsRef<str>>) -> Self {
        let mut all = BTreeMap::new();
        for line in lines {
            let Ok(one) = serde_json::from_str::<Confirmation>(line.as_ref()) else {
                continue;
            };
            let [id] = &one.ids;
            if let Some(at) = Timestamp::parse_iso(&one.at) {
                all.insert(id.clone(), (one, at));
            }
        }
        Self(all)
    }

    /// Whether nothing was confirmed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// When a memory was confirmed; none if its text changed since. Calls `text` only if needed.
    pub fn of(
        &self,
        memory: &Memory,
        id: &MemoryId,
        text: &dyn Fn(&Memory) -> Option<String>,
    ) -> Option<Timestamp> {
        let (confirmed, at) = self.0.get(&id.to_string())?;
        let [confirmed] = &confirmed.texts;
        (text_print(memory, &text(memory)?) == *confirmed).then_some(*at)
    }

    /// The line that confirms a memory under its new id; empty if it was not confirmed.
    pub fn renamed(&self, from: &str, to: &str) -> String {
        let confirmed = self.0.get(from);
        confirmed.map_or_else(String::new, |(one, _)| {
            let ids = [to.to_owned()];
            Confirmation { ids, ..one.clone() }.to_line()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confirmation_holds_until_the_text_changes_and_the_last_one_counts() {
        let id = MemoryId::new(&"rawko".into(), "a".to_owned());
        let text = "a text";
        let memory = Memory {
            span: 0..text.len(),
            body: 0..text.len(),
            ..Memory::new(
                id.clone(),
                std::path::Path::new("/a.md").into(),
                crate::memory::format::schema("rawko"),
            )
        };
        let line = |at| Confirmation::new(&memory, text, Timestamp(at), None).to_line();
        assert!(line(0).starts_with(r#"{"ids":["rawko:a"],"texts":[""#));
        let rest = r#"],"answer":"confirmed","at":"1970-01-01T00:00:00Z"}"#;
        assert!(line(0).trim_end().ends_with(rest), "{}", line(0));
        let other = r#"{"rule":"contradiction","ids":["rawko:a","rawko:b"],"texts":["1","2"],"answer":"both"}"#;
        let file = format!("{}{}{other}\nbroken\n{{}}\n", line(1_000), line(5_000));
        let all = Confirmations::parse(file.lines());
        let of = |text: &str| all.of(&memory, &id, &|_| Some(text.to_owned()));
        assert_eq!(of(text), Some(Timestamp(5_000)));
        assert_eq!(of("b text"), None);
        assert!(Confirmations::parse(other.lines()).is_empty());
        // And an answer is read past it.
        assert_eq!(crate::lint::answers::Answers::parse(&file).all().len(), 1);
    }
}
