//! `kill -9` at random moments of saves, also of two projects that change one store of the user's.

use std::fs;

use crate::killing::{FOREIGN, Numbers, kill, kill_after};
use crate::users::{ROWS, Two};

/// So many kills of each kind.
pub fn run(rounds: u64, seed: u64) {
    kill(rounds, seed);
    two_projects(rounds, seed);
}

fn two_projects(rounds: u64, seed: u64) {
    let two = Two::new();
    let foreign = two.rows().with_file_name(FOREIGN);
    fs::write(&foreign, "not ours\n").unwrap();
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let start = std::time::Instant::now();
    two.ok("a", &["edit", "golemcore:x", "--set", "title=round 0"]);
    let whole = u64::try_from(start.elapsed().as_micros()).unwrap();
    for round in 1..=rounds {
        let (project, other) = if numbers.below(2) == 0 {
            ("a", "b")
        } else {
            ("b", "a")
        };
        let row = if numbers.below(2) == 0 { "x" } else { "y" };
        let title = format!("title=round {round}");
        let mut command = match numbers.below(5) {
            0 => two.command(project, &["undo"]),
            _ => two.command(
                project,
                &["edit", &format!("golemcore:{row}"), "--set", &title],
            ),
        };
        let mut child = command.spawn().unwrap();
        kill_after(&mut child, numbers.below(whole + whole / 4));
        two.ok(other, &["list", "--format", "quiet"]);
        let text = two.text();
        let case = format!("seed {seed}, round {round}: {text}");
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 2, "{case}");
        for (row, content) in rows.iter().zip(["Tabs.", "Spaces."]) {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            assert_eq!(row["content"], content, "{case}");
        }
        assert_eq!(
            fs::read_to_string(&foreign).unwrap(),
            "not ours\n",
            "{case}"
        );
        let names = fs::read_dir(two.rows().parent().unwrap()).unwrap();
        assert_eq!(names.count(), 2, "{case}");
    }
    // Both know of every step.
    let mut steps = 0;
    while two.run(["a", "b"][steps % 2], &["undo"]).status.success() {
        steps += 1;
    }
    assert_eq!(two.text(), ROWS, "seed {seed}: {steps} steps taken back");
}
