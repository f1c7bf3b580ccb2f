use super::*;

/// Two runs of one measurement are shown, and no warning; a rule or a setting is one.
#[test]
fn two_runs_of_one_measurement_are_no_contradiction_to_warn_of() {
    for (a, b) in [
        ("573/573 poses, ~40 s wall.", "573/573 poses, ~55 s wall."),
        (
            "The import of the catalogue took 40 s on the laptop.",
            "The import of the catalogue took 55 s on the laptop.",
        ),
        (
            "Full test suite finished in 12 min on CI.",
            "Full test suite finished in 17 min on CI.",
        ),
        (
            "Render of the scene: 118/118 frames, ~3 min.",
            "Render of the scene: 118/118 frames, ~5 min.",
        ),
        (
            "Indexing the monorepo: 4.2 GB peaked on the runner.",
            "Indexing the monorepo: 5.1 GB peaked on the runner.",
        ),
        (
            "Cold start of the worker measured at 840 ms.",
            "Cold start of the worker measured at 910 ms.",
        ),
    ] {
        assert!(
            slot(a, b).is_none_or(|slot| slot == Slot::Run),
            "{a} / {b}: {:?}",
            slot(a, b)
        );
    }
    for (a, b) in [
        (
            "The session times out after 30 s.",
            "The session times out after 60 s.",
        ),
        (
            "The import must finish in 40 s at most.",
            "The import must finish in 55 s at most.",
        ),
        (
            "The budget of the elapsed time is 200 ms.",
            "The budget of the elapsed time is 300 ms.",
        ),
        (
            "The worker sleeps 5 s between two polls.",
            "The worker sleeps 9 s between two polls.",
        ),
        (
            "The upload limit is 25 MB per file.",
            "The upload limit is 40 MB per file.",
        ),
        (
            "A measured request is cut off after 10 s.",
            "A measured request is cut off after 20 s.",
        ),
    ] {
        assert!(
            slot(a, b).is_some_and(|slot| slot.confidence() > 0.8),
            "{a} / {b}: {:?}",
            slot(a, b)
        );
    }
}
