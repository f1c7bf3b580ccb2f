//! `memkeep lint --answer`: a person's answer on two memories that a rule asks about.

use crate::cli::change::{make, merged};
use crate::cli::prelude::*;
use crate::curate::Resolution;
use crate::lint::{self, Context, Selection, asking};

/// Remembers an answer; archives the memory that is not kept, or merges the two, in the same step.
pub fn run(ws: &Workspace, args: &crate::cli::lint::Lint, output: &mut Output) -> Result<u8> {
    ws.warn();
    let [first, second, word] = args.answer.as_slice() else {
        return Err(Error::wrong("--answer takes two ids and an answer"));
    };
    let answer = Resolution::from_word(word).ok_or_else(|| {
        let words = Resolution::words().join(", ");
        Error::wrong(format!("unknown answer `{word}`")).hint(format!("one of {words}"))
    })?;
    if args.scope.is_some() && answer != Resolution::Both {
        return Err(Error::wrong(format!("{word} has no scope"))
            .hint("--scope says which of two memories holds when: --answer A B both"));
    }
    let scope = args.scope.as_deref().map(str::trim);
    let scope = scope.filter(|scope| !scope.is_empty()).map(str::to_owned);
    let rules: Vec<&str> = asking().collect();
    if let Some(rule) = args
        .rule
        .iter()
        .find(|rule| !rules.contains(&rule.as_str()))
    {
        return Err(Error::wrong(format!("`{rule}` asks nothing about pairs"))
            .hint(format!("one of {}", rules.join(", "))));
    }
    make(ws, args.dry_run, output, &|memories: &[Arc<Memory>]| {
        let (one, other) = (ws.find(first, memories)?, ws.find(second, memories)?);
        let (a, b) = (one.id.clone(), other.id.clone());
        if a == b {
            return Err(Error::wrong("both ids are the same memory"));
        }
        let rules = match args.rule.as_slice() {
            [] => asked(ws, memories, &a, &b)?,
            rules => rules.to_vec(),
        };
        let answers = rules.into_iter().map(|rule| Change::Answer {
            rule,
            a: a.clone(),
            b: b.clone(),
            answer,
            scope: scope.clone(),
        });
        let follows = match answer {
            Resolution::KeepA => Some(Change::Archive(vec![b.clone()])),
            Resolution::KeepB => Some(Change::Archive(vec![a.clone()])),
            Resolution::Merge => Some(merged(one, other)?),
            Resolution::Both | Resolution::NotAConflict | Resolution::AskAgain => None,
        };
        Ok(Change::Together(answers.chain(follows).collect()))
    })
}

/// The rules that ask about two memories, answered before or not.
fn asked(
    ws: &Workspace,
    memories: &[Arc<Memory>],
    a: &MemoryId,
    b: &MemoryId,
) -> Result<Vec<String>> {
    let snapshot = Arc::new(memories.to_vec());
    let facts = ws.lint_facts(ws.now);
    let judged = ws.collection.decisions().of_models();
    let cx = Context {
        decisions: &judged,
        ..Context::new(&snapshot, &ws.collection, ws.now, &facts.project)
    };
    let asking = Selection::of(&asking().collect_vec()).unwrap_or_default();
    let is = |index: usize, id: &MemoryId| memories.get(index).is_some_and(|one| one.id == *id);
    let found = lint::run(&cx, &asking).into_iter().filter(|finding| {
        let among = |id: &MemoryId| finding.related.iter().any(|other| is(*other, id));
        is(finding.memory, a) && among(b) || is(finding.memory, b) && among(a)
    });
    let rules = found.map(|finding| finding.rule.to_owned()).unique();
    let rules: Vec<String> = rules.collect();
    match rules.is_empty() {
        true => Err(Error::nothing(format!("no rule asks about {a} and {b}"))
            .hint("`memkeep lint` names the pairs; --rule names the rule that is answered")),
        false => Ok(rules),
    }
}
