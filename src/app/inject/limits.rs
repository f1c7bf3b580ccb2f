//! The policy's settings in the task box: `name=value` words, from the policy's own table of flags.

use super::{Inject, Part};
use crate::app::Model;
use crate::memory::StoreId;
use crate::memory::schema::IMPORTANCE;
use crate::retrieval::hybrid::HYBRID;
use crate::retrieval::{Limits, Policy, Task};
use crate::systems::policy;

/// The most near misses that are asked for.
const REJECTED: usize = 200;

/// Flags that have a part of the box of their own, or are no setting of one preview.
const ELSEWHERE: [&str; 3] = ["agent", "agent-file", "file"];

/// The words of a text, blanks inside double quotes kept, each with the byte it begins at.
pub fn words(text: &str) -> Vec<(usize, String)> {
    let (mut words, mut in_quotes): (Vec<(usize, String)>, bool) = (Vec::new(), false);
    let mut is_inside = false;
    for (at, c) in text.char_indices() {
        if c == '"' {
            in_quotes = !in_quotes;
        } else if c.is_whitespace() && !in_quotes {
            is_inside = false;
            continue;
        }
        if !is_inside {
            words.push((at, String::new()));
            is_inside = true;
        }
        if let Some((_, word)) = words.last_mut().filter(|_| c != '"') {
            word.push(c);
        }
    }
    words
}

/// Why a value is none of a setting; what could follow.
fn wrong(policy: &dyn Policy, name: &str, value: &str) -> Option<String> {
    match name {
        "max" | "budget" => value
            .parse::<usize>()
            .is_err()
            .then(|| "a number".to_owned()),
        "min-importance" => {
            (!IMPORTANCE.contains(&value)).then(|| format!("one of {}", IMPORTANCE.join(", ")))
        }
        "plan" | "history" => None,
        name => policy.check(name, value).err(),
    }
}

impl Inject {
    /// The settings that are typed: name and value.
    pub fn typed_settings(&self) -> Vec<(String, String)> {
        let words = words(self.settings.text()).into_iter();
        let pair = |(_, word): (usize, String)| {
            let (name, value) = word.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        };
        words
            .filter_map(pair)
            .filter(|(_, value)| !value.is_empty())
            .collect()
    }
}

impl Model {
    /// The policy of the store that is shown, or of the only one.
    fn shown_policy(&self) -> Option<&'static dyn Policy> {
        if self.inject.limits.dialect == HYBRID {
            return policy(HYBRID);
        }
        let store: Option<&StoreId> = self.inject.store.as_ref();
        let mut memories = self.world.memories.iter();
        let own = memories.find(|memory| store.is_none_or(|store| memory.id.store == *store));
        let schema = own.map(|memory| memory.schema);
        policy(
            schema
                .or_else(|| self.world.schemas.first().copied())?
                .policy,
        )
    }

    /// The names of its settings.
    pub fn setting_names(&self) -> Vec<&'static str> {
        let flags = self.shown_policy().map_or(&[][..], |policy| policy.flags());
        let own = flags.iter().filter(|flag| !ELSEWHERE.contains(*flag));
        own.copied().collect()
    }

    /// The error in the typed settings, or the settings there are.
    pub fn settings_note(&self) -> Option<String> {
        if !self.inject.editing || self.inject.part != Part::Settings {
            return None;
        }
        let (policy, names) = (self.shown_policy()?, self.setting_names());
        for (name, value) in self.inject.typed_settings() {
            if !names.contains(&&*name) {
                return Some(format!("{} has no setting `{name}`", policy.name()));
            }
            if let Some(could) = wrong(policy, &name, &value) {
                return Some(format!("`{value}` is no value of {name}: {could}"));
            }
        }
        Some(match names.is_empty() {
            true => format!("{} has no settings", policy.name()),
            false => format!("{}: {}", policy.name(), names.join("  ")),
        })
    }

    /// True if an agent means something to a policy that is previewed.
    fn asks_for_agent(&self) -> bool {
        let own = self.world.schemas.iter().map(|schema| schema.policy);
        let asked = Some(HYBRID).filter(|name| *name == self.inject.limits.dialect);
        let mut policies = own.chain(asked).filter_map(policy);
        policies.any(|policy| policy.flags().contains(&"agent"))
    }

    /// The limits of the preview, with the settings that are typed and are good.
    pub fn limits(&self) -> Limits {
        let of_agent = self.inject.agents.get(self.inject.agent.text().trim());
        let of_agent = of_agent.filter(|_| self.asks_for_agent());
        let mut limits = Limits {
            dialect: self.inject.limits.dialect,
            rejected: REJECTED,
            ..of_agent.unwrap_or(&self.inject.limits).clone()
        };
        let typed = self.inject.typed_settings();
        let policy = (!typed.is_empty()).then(|| self.shown_policy()).flatten();
        let Some(policy) = policy else {
            return limits;
        };
        for (name, value) in typed {
            if wrong(policy, &name, &value).is_some() {
                continue;
            }
            match &*name {
                "max" => limits.max = value.parse().ok(),
                "budget" => limits.budget = value.parse().ok(),
                "min-importance" => limits.min_importance = Some(value),
                "plan" | "history" => {}
                _ => limits.options.set(name, value),
            }
        }
        limits
    }

    /// The task of the box, with the plan and the history that are typed.
    pub fn task(&self) -> Task {
        let mut task = self.inject.task(self.now);
        for (name, value) in self.inject.typed_settings() {
            match &*name {
                "plan" => task.plan = Some(value),
                "history" => task.history = Some(value),
                _ => {}
            }
        }
        task
    }

    /// The command line that gives the same preview.
    pub fn command_line(&self) -> String {
        let inject = &self.inject;
        let mut line = format!(
            "memkeep inject --task {}",
            quoted(inject.text.text().trim())
        );
        let mut add = |flag: &str, value: &str| {
            line.push_str(&format!(" --{flag} {}", quoted(value)));
        };
        // A flag that the policy of the store does not have is refused.
        let flags = self.shown_policy().map(|policy| policy.flags());
        let takes = |flag: &str| flags.is_none_or(|flags| flags.contains(&flag));
        let agent = inject.agent.text().trim();
        if !agent.is_empty() && takes("agent") {
            add("agent", agent);
        }
        let files = words(inject.files.text()).into_iter();
        files
            .filter(|_| takes("file"))
            .for_each(|(_, file)| add("file", &file));
        if let Some(store) = &inject.store {
            add("store", &store.0);
        }
        let has = |dialect| {
            let known = self.shown_policy().map(|policy| policy.dialects());
            inject.store.is_none() || known.is_none_or(|known| known.contains(&dialect))
        };
        match inject.limits.dialect {
            "" => {}
            HYBRID => add("policy", HYBRID),
            dialect if has(dialect) => add("dialect", dialect),
            _ => {}
        }
        for (name, value) in inject.typed_settings() {
            add(&name, &value);
        }
        line
    }
}

/// A text as a shell takes it for one word.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+,".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_blanks_in_quotes_and_a_shell_takes_one_word() {
        let all = words("max=3  plan=\"first a, then b\" x");
        let all: Vec<&str> = all.iter().map(|(_, word)| &**word).collect();
        assert_eq!(all, ["max=3", "plan=first a, then b", "x"]);
        assert_eq!(quoted("a-b"), "a-b");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("$(x)"), "'$(x)'");
    }
}
