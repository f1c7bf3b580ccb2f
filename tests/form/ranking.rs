//! What an edit does to the ranking.

use memkeep::app::form::WhatIf;
use memkeep::retrieval::{Preview, Reason, Verdict};

fn preview(selected: &[(usize, f64)], rejected: &[(usize, f64, Reason)]) -> Preview {
    let verdict = |memory, rank, score, reason| Verdict {
        memory,
        rank,
        score: Some(score),
        factors: Vec::new(),
        matched: None,
        reason,
        hint: None,
        remedy: Vec::new(),
        is_unwritten: false,
        handed_out: false,
        tokens: 0,
    };
    Preview {
        candidates: Vec::new(),
        parts: Vec::new(),
        policy: "rawko",
        dialect: "natural",
        selected: selected
            .iter()
            .enumerate()
            .map(|(n, (memory, score))| verdict(*memory, Some(n + 1), *score, Reason::Selected))
            .collect(),
        rejected: rejected
            .iter()
            .map(|(memory, score, reason)| verdict(*memory, None, *score, *reason))
            .collect(),
        rejected_total: rejected.len(),
        prompt: String::new(),
        skill: None,
        budget: None,
        places: Some(2),
        notes: Vec::new(),
    }
}

#[test]
fn only_what_moves_is_told() {
    let before = preview(&[(4, 40.0), (7, 35.0)], &[(2, 30.0, Reason::OverLimit)]);
    let after = preview(&[(2, 45.0), (4, 40.0)], &[(7, 35.0, Reason::OverLimit)]);
    let what_if = WhatIf::between("a task", &before, &after, 2, |n| format!("memory {n}"));
    let told = |row: &memkeep::app::form::Move| {
        let reason = row.reason.unwrap_or("in");
        format!("{} {} {} {reason}", row.title, row.places(), row.scores())
    };
    assert_eq!(told(&what_if.this), "memory 2 out → 1 30 → 45 in");
    let rows: Vec<String> = what_if.rows.iter().map(told).collect();
    assert_eq!(
        rows,
        ["memory 4 1 → 2 40 in", "memory 7 2 → out 35 over_limit"]
    );
}

#[test]
fn a_memory_that_no_preview_has_is_out_and_stays_out() {
    let same = preview(&[(1, 10.0)], &[]);
    let what_if = WhatIf::between("a task", &same, &same, 9, |n| format!("memory {n}"));
    assert!(!what_if.this.changes());
    assert_eq!(what_if.this.places(), "out");
    assert_eq!(what_if.this.scores(), "–");
    assert!(what_if.rows.is_empty());
}
