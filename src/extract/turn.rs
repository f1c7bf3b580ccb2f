//! A turn of a talk as golemcore's bot hands it to its memory, and the items that it becomes (specs:
//! golemcore, sections 8.1 and 14; formats: golemcore, "Extraction / promotion").

use std::collections::BTreeMap;

use itertools::Itertools as _;
use serde::{Deserialize, Serialize};

use super::session::Session;
use super::transcript::{Intake, Source};
use super::{Lesson, lessons};
use crate::curate::promote::has_impact;
use crate::memory::edit::FieldEdit;
use crate::memory::{Fields, Memory, Timestamp, Value};
use crate::systems::golemcore::codec::{UNTRUSTED, lasting_layer};
use crate::systems::golemcore::scope::{self, GLOBAL};
use crate::systems::golemcore::{Config, Layer, TYPES, fingerprint, kin, marker};
use crate::text::cut;

/// Bytes of the question and of the answer that a turn keeps, and of the question in its title.
const QUESTION: usize = 1200;
const ANSWER: usize = 1800;
const TITLE: usize = 96;

/// A turn; its steps are read by [`super::transcript`].
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Turn {
    #[serde(alias = "user_text", alias = "user")]
    pub user_text: Option<String>,
    #[serde(alias = "assistant_text", alias = "assistant", alias = "answer")]
    pub assistant_text: Option<String>,
    #[serde(alias = "active_skill")]
    active_skill: Option<String>,
    scope: Option<String>,
    timestamp: Option<serde_json::Value>,
    #[serde(alias = "tool_outputs", alias = "toolResults", alias = "tool_results")]
    tool_outputs: Option<Vec<serde_json::Value>>,
}

/// An item of memory that a turn becomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub title: String,
    pub content: String,
    pub fields: BTreeMap<&'static str, Value>,
    pub fingerprint: String,
    pub is_promoted: bool,
    pub why: String,
}

impl Turn {
    pub fn parse(text: &str) -> Result<(Self, Session), String> {
        let turn: Self = serde_json::from_str(text).map_err(|error| format!("no turn: {error}"))?;
        let mut intake = Intake::new(Some(Source::Transcript));
        intake.line(&serde_json::to_string(&turn).unwrap_or_default());
        let session = intake.finish();
        match turn.user_text.is_none() && turn.assistant_text.is_none() {
            true => Err("no turn: it has neither `userText` nor `assistantText`".to_owned()),
            false => Ok((turn, session)),
        }
    }

    /// The items of the turn, each once: the turn itself, and where the settings want it the lessons
    /// in it. `known` finds the memory with a fingerprint.
    pub fn items<'m>(
        &self,
        session: &Session,
        config: &Config,
        now: Timestamp,
        known: &dyn Fn(&str) -> Option<&'m Memory>,
    ) -> Vec<Item> {
        let found = lessons(session).into_iter();
        let parted = found.flat_map(|mut lesson| {
            let failure = lesson.fixes.take().map(|failure| *failure);
            failure.into_iter().chain([lesson])
        });
        let found = parted.collect_vec();
        let items = found.iter().filter(|_| config.code_aware);
        let items = items.filter_map(|lesson| self.lesson(lesson, now));
        let items = self.episode(&found, now).into_iter().chain(items);
        let items = items.unique_by(|item| item.fingerprint.clone());
        let mut items = items.collect_vec();
        // A turn that is handed over again confirms nothing.
        let turn = items.first();
        let is_again = turn.is_some_and(|turn| known(&turn.fingerprint).is_some());
        for item in &mut items {
            item.decide(known(&item.fingerprint), is_again, config);
        }
        items
    }

    /// The turn itself, as an episode.
    fn episode(&self, found: &[Lesson], now: Timestamp) -> Option<Item> {
        let user = self.user_text.as_deref().unwrap_or_default().trim();
        let answer = self.assistant_text.as_deref().unwrap_or_default().trim();
        let has = |kinds: &[&str]| found.iter().any(|lesson| kinds.contains(&lesson.kind));
        let salience = [(&["failure", "fix"][..], 0.20), (&["constraint"], 0.15)];
        let more = salience.iter().filter(|(kinds, _)| has(kinds));
        let salience = more.fold(0.55, |sum, (_, points)| sum + points);
        let (question, reply) = (cut(user, QUESTION), cut(answer, ANSWER));
        let content = format!("User: {question}\nAssistant: {reply}");
        let asked = cut(user, TITLE).replace(['\r', '\n'], " ");
        let title = format!("User asked: {asked}");
        let files: Vec<&String> = found.iter().flat_map(|lesson| &lesson.files).collect();
        let what = ("TASK_STATE", "turn", 0.65, salience);
        (!user.is_empty() || !answer.is_empty())
            .then(|| self.item(what, (title, content), &files, now))
    }

    fn lesson(&self, lesson: &Lesson, now: Timestamp) -> Option<Item> {
        let is = |kind: &str| TYPES.iter().find(|own| own.eq_ignore_ascii_case(kind));
        let kind = *lesson.types().find_map(is)?;
        let source = self.source(lesson);
        let confidence = match &*source {
            "assistant" => lesson.confidence.min(UNTRUSTED),
            _ => lesson.confidence,
        };
        let salience = match kind {
            "FAILURE" => 0.86,
            "FIX" => 0.83,
            "CONSTRAINT" | "DECISION" => 0.82,
            _ => 0.72,
        };
        let files: Vec<&String> = lesson.files.iter().collect();
        let texts = (lesson.title.clone(), lesson.body.clone());
        Some(self.item((kind, &source, confidence, salience), texts, &files, now))
    }

    /// The source of a lesson: the user, the assistant, or a tool.
    fn source(&self, lesson: &Lesson) -> String {
        let says = |text: &Option<String>| {
            let text = text.as_deref().unwrap_or_default();
            !lesson.evidence.is_empty() && text.contains(&lesson.evidence)
        };
        if says(&self.user_text) {
            return "user".to_owned();
        }
        let is_deed = matches!(lesson.kind, "failure" | "fix" | "command");
        if !is_deed || says(&self.assistant_text) || lesson.evidence.starts_with("the agent") {
            return "assistant".to_owned();
        }
        let tools = self.tool_outputs.iter().flatten();
        let name = |tool: &serde_json::Value| {
            let name = tool.get("name").or_else(|| tool.get("tool"))?.as_str()?;
            Some(name.to_owned())
        };
        let name = tools.filter_map(name).next();
        format!("tool:{}", name.as_deref().unwrap_or("output"))
    }

    fn item(
        &self,
        (kind, source, confidence, salience): (&str, &str, f64, f64),
        (title, content): (String, String),
        files: &[&String],
        now: Timestamp,
    ) -> Item {
        let clean = |text: &str| {
            let masked = crate::lint::mask(text);
            let (value, _) = marker::clean(&Value::from(&*masked));
            value.to_string().trim_end().to_owned()
        };
        let (title, content) = (clean(&title), clean(&content));
        let ends = files.iter();
        let ends = ends.filter_map(|file| Some(file.rsplit_once('.')?.1));
        let ends = ends.filter(|end| !end.contains('/')).map(str::to_lowercase);
        let tags = self.active_skill.iter().cloned().chain(ends).unique();
        let files = files.iter().unique().map(|file| Value::from(&***file));
        let created = self.timestamp.as_ref().and_then(|at| at.as_str());
        let created = created.and_then(Timestamp::parse_iso).unwrap_or(now);
        let scope = scope::normal(self.scope.as_deref().unwrap_or_default());
        let fields = [
            ("layer", Layer::Episodic.word().into()),
            ("type", kind.into()),
            ("scope", scope.into()),
            ("tags", tags.map(Value::from).collect()),
            ("source", source.into()),
            ("confidence", confidence.into()),
            ("salience", salience.into()),
            ("createdAt", created.to_rfc3339().into()),
            ("references", files.collect()),
        ];
        Item {
            fingerprint: fingerprint(Some(kind), Some(source), &content),
            fields: fields.into(),
            title,
            content,
            is_promoted: false,
            why: String::new(),
        }
    }
}

impl Item {
    fn text(&self, name: &str) -> &str {
        let text = self.fields.get(name).and_then(Value::as_str);
        text.unwrap_or_default()
    }

    pub fn kind(&self) -> &str {
        self.text("type")
    }

    /// Chooses its layer. A lasting one needs a second turn that says the same, or a tool's result; where
    /// it has high impact it also needs a person's yes.
    fn decide(&mut self, twin: Option<&Memory>, is_again: bool, config: &Config) {
        let number = |name| self.fields.get(name).and_then(Value::as_f64);
        let [confidence, salience] =
            ["confidence", "salience"].map(|name| number(name).unwrap_or_default());
        let own = twin.and_then(|twin| twin.field("layer")?.as_str());
        let own = own.and_then(Layer::named);
        let is_shown = self.text("source").starts_with("tool:");
        let is_confirmed = twin.is_some() && !is_again;
        let least = config.promotion;
        let high = has_impact(self.kind(), salience);
        let (to, why) = match lasting_layer(self.kind()) {
            _ if own.is_some_and(|own| own >= Layer::Semantic) => (None, "known already"),
            None => (None, "a turn is an episode"),
            Some(_) if !config.promotes => (None, "promotionEnabled is false"),
            Some(_) if !is_confirmed && !is_shown => {
                (None, "only this turn says it, and no tool shows it")
            }
            Some(_) if !is_confirmed && confidence < least => {
                (None, "its confidence is less than promotion asks for")
            }
            Some(_) if high => (None, "it has high impact: `memkeep promote` asks"),
            lasting if is_confirmed => (lasting, "a second turn says it"),
            lasting => (lasting, "a tool shows it"),
        };
        if let Some(layer) = to {
            self.fields.insert("layer", layer.word().into());
            self.fields.insert("scope", GLOBAL.into());
            let confidence = confidence.max(least);
            self.fields.insert("confidence", confidence.into());
        } else if let Some(own) = own {
            self.fields.insert("layer", own.word().into());
        }
        (self.is_promoted, self.why) = (to.is_some(), why.to_owned());
    }

    /// The edits of the memory with its fingerprint: what the item adds, and the layer it moves to.
    pub fn merged(&self, twin: &Memory) -> Vec<FieldEdit> {
        let fields = self.fields.iter();
        let fields: Fields = fields.map(|(name, value)| (*name, value.clone())).collect();
        let mut edits = kin::upsert(&twin.fields, &[&fields]);
        let moved = ["layer", "scope"].into_iter().filter(|_| self.is_promoted);
        edits.extend(moved.map(|name| FieldEdit::set(name, self.text(name))));
        edits
    }
}
