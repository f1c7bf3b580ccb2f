//! The policy's settings in the task box: `name=value` words, from the policy's own table of flags.

use shell_words::quote;

use super::{Inject, Part};
use crate::app::Model;
use crate::memory::StoreId;
use crate::retrieval::hybrid::HYBRID;
use crate::retrieval::{Limits, Policy, Task};
use crate::systems::policy;

/// The most near misses that are asked for.
const REJECTED: usize = 200;

/// Flags that have a part of the box of their own, or are no setting of one preview.
const ELSEWHERE: [&str; 3] = ["agent", "agent-file", "file"];

/// The words of a text as a shell splits them; at every blank while a quote is open.
pub fn words(text: &str) -> Vec<String> {
    let blanks = || text.split_whitespace().map(str::to_owned).collect();
    shell_words::split(text).unwrap_or_else(|_| blanks())
}

impl Inject {
    /// The settings that are typed: name and value.
    pub fn typed_settings(&self) -> Vec<(String, String)> {
        let words = words(self.settings.text()).into_iter();
        let pair = |word: String| {
            let pair = word.split_once('=');
            let (name, value) = pair.filter(|(_, value)| !value.is_empty())?;
            Some((name.to_owned(), value.to_owned()))
        };
        words.filter_map(pair).collect()
    }
}

impl Model {
    /// The policy of the store that is shown, or of the only one.
    fn shown_policy(&self) -> Option<&'static Policy> {
        if self.inject.limits.dialect == HYBRID {
            return policy(HYBRID);
        }
        let store: Option<&StoreId> = self.inject.store.as_ref();
        let mut memories = self.world.memories.iter();
        let own = memories.find(|memory| store.is_none_or(|store| memory.id.store == *store));
        let schema = own.map(|memory| memory.schema);
        let schema = schema.or_else(|| self.world.schemas.first().copied())?;
        policy(schema.policy)
    }

    /// The names of its settings.
    pub fn setting_names(&self) -> Vec<&'static str> {
        let flags = self.shown_policy().map_or(&[][..], |policy| policy.flags);
        let own = flags.iter().filter(|flag| !ELSEWHERE.contains(*flag));
        own.copied().collect()
    }

    /// The keys and words of the part of the box that is typed in; an error in the settings.
    pub fn box_note(&self) -> Option<String> {
        let inject = self.inject.editing.then_some(&self.inject)?;
        match inject.part {
            Part::Text if inject.has_text() => {
                return Some("Ctrl-u clears · Tab: agent, files, dialect, settings".to_owned());
            }
            Part::Dialect => {
                let names = inject.shown_dialects();
                return Some(format!("Space or → chooses: {}", names.join(" ").trim()));
            }
            Part::Settings => {}
            _ => return None,
        }
        let (policy, names) = (self.shown_policy()?, self.setting_names());
        let (mut task, mut limits) = (Task::default(), Limits::default());
        for (name, value) in self.inject.typed_settings() {
            if !names.contains(&&*name) {
                return Some(format!("{} has no setting `{name}`", policy.name));
            }
            let of = (&mut task, &mut limits);
            if let Err(could) = policy.set((&name, &value), of) {
                return Some(format!("`{value}` is no value of {name}: {could}"));
            }
        }
        Some(match names.is_empty() {
            true => format!("{} has no settings", policy.name),
            false => format!("{}: {}", policy.name, names.join("  ")),
        })
    }

    fn asks_for_agent(&self) -> bool {
        let own = self.world.schemas.iter().map(|schema| schema.policy);
        let asked = Some(HYBRID).filter(|name| *name == self.inject.limits.dialect);
        let mut policies = own.chain(asked).filter_map(policy);
        policies.any(|policy| policy.flags.contains(&"agent"))
    }

    /// The task of the box and the limits of its preview, with the settings that are typed and are
    /// good.
    pub fn inputs(&self) -> (Task, Limits) {
        let inject = &self.inject;
        let mut task = inject.task(self.now);
        let of_agent = inject.agents.get(&task.agent);
        let of_agent = of_agent.filter(|_| self.asks_for_agent());
        let mut limits = of_agent.unwrap_or(&inject.limits).clone();
        (limits.dialect, limits.rejected) = (inject.limits.dialect, REJECTED);
        for (name, value) in inject.typed_settings() {
            let policy = self.shown_policy();
            // One that is wrong is named below the box.
            let _ = policy.map(|policy| policy.set((&name, &value), (&mut task, &mut limits)));
        }
        (task, limits)
    }

    /// The command line that gives the same preview.
    pub fn command_line(&self) -> String {
        let inject = &self.inject;
        let mut line = format!("memkeep inject --task {}", quote(inject.text.text().trim()));
        let mut add = |flag: &str, value: &str| {
            line.push_str(&format!(" --{flag} {}", quote(value)));
        };
        // A flag that the policy of the store does not have is refused.
        let flags = self.shown_policy().map(|policy| policy.flags);
        let takes = |flag: &str| flags.is_none_or(|flags| flags.contains(&flag));
        let agent = inject.agent.text().trim();
        if !agent.is_empty() && takes("agent") {
            add("agent", agent);
        }
        let files = words(inject.files.text()).into_iter();
        files.for_each(|file| add("file", &file));
        if let Some(store) = &inject.store {
            add("store", &store.0);
        }
        let has = |dialect| {
            let known = self.shown_policy().map(|policy| policy.dialects);
            inject.store.is_none() || known.is_none_or(|known| known.contains(&dialect))
        };
        match inject.limits.dialect {
            "" => {}
            HYBRID => add("policy", HYBRID),
            dialect if has(dialect) => add("dialect", dialect),
            _ => {}
        }
        for (name, value) in inject.typed_settings() {
            if takes(&name) {
                add(&name, &value);
            }
        }
        line
    }
}
