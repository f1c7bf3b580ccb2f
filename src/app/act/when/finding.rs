//! When a command about findings applies.

use super::{Applies, editable, unless, writable};
use crate::app::command::Refusal;
use crate::app::{Model, Page, View};
use crate::curate::merge;
use crate::lint::{Finding, UNUSED};

/// There are findings.
pub fn findings(model: &Model) -> Applies {
    unless(
        !model.lints.known,
        "lint is still running: try again when its count stands in the top line",
    )?;
    unless(model.world.findings().is_empty(), "there are no findings")
}

/// The finding has a fix.
pub fn fixable(model: &Model) -> Applies {
    editable(model)?;
    findings(model)?;
    let Some(finding) = model.current_finding() else {
        return Err(Refusal::Borrowed(
            "this memory has no finding; `n` goes to the next",
        ));
    };
    let finding = model.world.finding(finding);
    let fix = finding.and_then(|finding| finding.fix.as_deref());
    if fix.is_none() && !finding.is_some_and(Finding::asks) {
        let keys = ["edit-fields", "edit-body"].map(|id| model.keymap.label(id));
        let keys: Vec<String> = keys.into_iter().flatten().collect();
        let why = format!("No automatic fix. Press {} to edit.", keys.join(" or "));
        return Err(Refusal::Owned(why));
    }
    Ok(())
}

/// The finding can be put among those that are not reported.
pub fn silenceable(model: &Model) -> Applies {
    editable(model)?;
    findings(model)?;
    let finding = model.current_finding().and_then(|n| model.world.finding(n));
    let Some(finding) = finding else {
        return Err(Refusal::Borrowed(
            "this memory has no finding; `n` goes to the next",
        ));
    };
    unless(
        finding.rule == UNUSED,
        "it is about a silence; `f` removes that",
    )
}

/// The finding is about two memories.
pub fn asking(model: &Model) -> Applies {
    findings(model)?;
    unless(
        super::super::pairs::question(model).is_none(),
        "no finding compares this memory with another",
    )
}

/// An answer can be made.
pub fn answerable(model: &Model) -> Applies {
    writable(model)?;
    unless(
        !matches!(&model.page, Page::Pair(pair) if pair.is_current(&model.world)),
        "both memories are still loading, or one cannot be read",
    )
}

/// One memory can be made of the two.
pub fn mergeable(model: &Model) -> Applies {
    answerable(model)?;
    let Page::Pair(pair) = &model.page else {
        return Ok(());
    };
    let [a, b] = &pair.sides;
    let Some(why) = merge::refusal(&a.memory, &b.memory) else {
        return Ok(());
    };
    let keys = ["keep-a", "keep-b"].map(|id| model.keymap.label(id).unwrap_or_default());
    let hint = match a.memory.schema.format == b.memory.schema.format {
        true => String::new(),
        false => format!(
            "; write what both say into one, then keep it with {}",
            keys.join(" or ")
        ),
    };
    Err(Refusal::Owned(format!("{why}{hint}")))
}

/// True if a finding is among those that are listed: what the filter hides from the list of
/// findings is not changed from there.
pub fn in_filter(model: &Model, finding: &Finding) -> bool {
    model.view != View::Lint || model.lints.in_filter(&model.world, finding)
}

/// The rule of the finding has fixes.
pub fn rule_fixable(model: &Model) -> Applies {
    editable(model)?;
    findings(model)?;
    let finding = model.current_finding().and_then(|n| model.world.finding(n));
    let rule = finding.map_or("", |finding| finding.rule);
    let findings = model.world.findings().iter();
    let findings = findings.filter(|one| one.rule == rule && in_filter(model, one));
    let fixes = || findings.clone().filter_map(|one| one.fix.as_deref());
    let none = !fixes().any(|fix| fix.safe);
    unless(
        none && finding.is_some_and(Finding::asks),
        "these pairs are decided one by one, with `=`",
    )?;
    if none && fixes().next().is_some() {
        let key = model.keymap.label("fix").unwrap_or_default();
        let why = format!("Review these fixes one by one with {key}");
        return Err(Refusal::Owned(why));
    }
    unless(none, "no finding of this rule has an automatic fix")
}
