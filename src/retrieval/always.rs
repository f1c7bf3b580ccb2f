//! Systems that give every file, in the order of the store; and those that no program reads, where
//! a rule tells the model to (formats: memory-bank, "There is no loader").

use super::listing::{Ask, Judged, ListedScorer, Listing, listed, out};
use super::multi_store::join;
use super::{Options, Policy, Reason, StoreFault, Texts};
use crate::memory::{Memory, Severity};

/// The policy.
pub static ALWAYS: Policy = Policy {
    faults,
    ..listed("always", |memories| {
        Box::new(ListedScorer(memories, &ALWAYS, |_, ask| {
            Box::new(Always(ask))
        }))
    })
};

struct Always<'a>(&'a Ask<'a>);

/// Why nobody reads a store that no rule names.
pub const NO_CARRIER: &str =
    "no rule of the project tells an agent to read this folder, and no program does";

impl Listing for Always<'_> {
    fn judge(&self, _memory: &Memory) -> Judged {
        match self.0.setting("carrier") {
            Some("") => out(Reason::NotApplicable, NO_CARRIER),
            _ => Ok(None),
        }
    }

    fn prompt(&self, selected: &[&Memory]) -> String {
        joined(selected, self.0.asked.texts)
    }

    fn notes(&self) -> Vec<String> {
        let setting = |name| self.0.setting(name);
        let when = setting("carrier-when").map(|when| format!(" ({when})"));
        let when = when.unwrap_or_default();
        let carrier = setting("carrier").filter(|carrier| !carrier.is_empty());
        let carrier = carrier.map(|file| match setting("carrier-is-folder") {
            Some(_) => format!("loaded as rules: the store lies in {file}"),
            None => {
                format!("{file} tells the agent to read these files{when}; no program loads them")
            }
        });
        let others = setting("not-carriers").unwrap_or_default().lines();
        let others = others.map(ToOwned::to_owned);
        carrier.into_iter().chain(others).collect()
    }
}

fn faults(memories: &[(usize, &Memory)], options: &Options, _texts: &dyn Texts) -> Vec<StoreFault> {
    let Some((first, _)) = memories.first() else {
        return Vec::new();
    };
    // Instructions of the person's own, which no file of the project has, may name the folder.
    let is_unread = options.get("carrier") == Some("");
    let fault = |rule, message, evidence| StoreFault {
        rule,
        severity: Severity::of(!is_unread),
        memory: *first,
        message,
        evidence,
    };
    let mut faults = Vec::new();
    if is_unread {
        let hint = "name the folder in a rule that agents load, such as AGENTS.md";
        let others = options.get("not-carriers").unwrap_or_default().lines();
        let mut evidence: Vec<String> = others.map(ToOwned::to_owned).collect();
        evidence.insert(evidence.len().min(1), hint.to_owned());
        faults.push(fault(
            "invisible-to-loader",
            NO_CARRIER.to_owned(),
            evidence,
        ));
    }
    let missing = missing(memories, options.get("core").unwrap_or_default());
    if !missing.is_empty() {
        let says = match missing.len() {
            1 => "a file that the system expects is not there".to_owned(),
            many => format!("{many} files that the system expects are not there"),
        };
        faults.push(fault("missing-file", says, missing));
    }
    faults
}

/// The files that a store lacks of those that its system expects. Each line of `core` names the
/// files of one generation; the one that the store has most of counts.
fn missing(memories: &[(usize, &Memory)], core: &str) -> Vec<String> {
    let local = |name: &str| {
        let mut all = memories.iter().map(|(_, memory)| &*memory.id.local);
        all.find(|local| local.eq_ignore_ascii_case(name))
    };
    let has = |name: &&str| local(name) == Some(*name);
    let present = |line: &str| line.split_whitespace().filter(has).count();
    // The first of those that are alike counts.
    let lines = core.lines().rev();
    let Some(names) = lines.max_by_key(|line| present(line)) else {
        return Vec::new();
    };
    let names = names.split_whitespace().filter(|name| !has(name));
    let said = |name: &str| match local(name) {
        Some(other) => format!("`{name}.md` is written `{other}.md`"),
        None => format!("`{name}.md`"),
    };
    names.map(said).collect()
}

/// The bodies of memories, a blank line between them.
pub(super) fn joined(memories: &[&Memory], texts: &dyn Texts) -> String {
    let bodies = memories
        .iter()
        .filter_map(|memory| texts.loader_body(memory));
    let bodies: Vec<String> = bodies.collect();
    join(bodies.iter().map(|body| body.trim()))
}
