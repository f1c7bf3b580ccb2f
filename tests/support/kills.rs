//! `kill -9` in the middle of saves.

use std::fs;

use crate::place::{PLAIN, Place};

/// A small generator of numbers that are the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below an end.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// A file of somebody else's that has the name of a temporary one.
pub const FOREIGN: &str = ".memkeep-zzzz.tmp";

/// Kills saves of a large file at moments all over their course, beside a file of somebody
/// else's.
pub fn kill(rounds: u64, seed: u64) {
    let place = Place::new(&[(FOREIGN, "not ours\n")]);
    let text = PLAIN.to_owned() + &"A line of a large memory.\n".repeat(40_000);
    place.write("big.md", &text);
    place.write("small.md", PLAIN);
    let mut numbers = Numbers((seed ^ 0x5eed) | 1);
    let (mut old, mut new) = (0, 0);
    // How long a whole save takes here, to spread the kills over it.
    let start = std::time::Instant::now();
    assert!(save(&place, 0, false).wait().unwrap().success());
    let whole = u64::try_from(start.elapsed().as_micros()).unwrap();
    let mut before = fs::read(place.file("big.md")).unwrap();
    assert_ne!(before, text.as_bytes(), "a save that is not killed is made");
    for round in 1..=rounds {
        let undo = round % 5 == 0;
        let mut child = save(&place, round, undo);
        kill_after(&mut child, numbers.below(whole + whole / 4));
        // The file is whole at once, and after the next start nothing else is left.
        let after = fs::read(place.file("big.md")).unwrap();
        assert!(
            is_whole(&after, &text),
            "round {round}: {} bytes",
            after.len()
        );
        let listed = place
            .command()
            .args(["list", "--format", "quiet"])
            .status()
            .unwrap();
        assert!(listed.success());
        assert_eq!(
            place.names(),
            [FOREIGN, "big.md", "small.md"],
            "round {round}"
        );
        assert_eq!(place.text(FOREIGN), "not ours\n", "round {round}");
        let settled = fs::read(place.file("big.md")).unwrap();
        assert!(is_whole(&settled, &text), "round {round}");
        if settled == before {
            old += 1;
        } else {
            new += 1;
        }
        before = settled;
        assert_eq!(fs::read(place.file("small.md")).unwrap(), PLAIN.as_bytes());
    }
    // Whatever happened, everything that was done can be taken back.
    while place.open().undo().unwrap().is_some() {}
    assert_eq!(fs::read_to_string(place.file("big.md")).unwrap(), text);
    println!("{rounds} saves killed: {old} times the old file, {new} times the new one");
}

fn save(place: &Place, round: u64, undo: bool) -> std::process::Child {
    let mut command = place.command();
    if undo {
        command.arg("undo");
    } else if round % 5 == 3 {
        command.args(["history", "big", "--restore", "#0"]);
    } else {
        command.args([
            "edit",
            "big",
            "--set",
            &format!("discoveredBy=round{round}"),
        ]);
    }
    command.spawn().unwrap()
}

/// The text with one discoverer or another.
fn is_whole(bytes: &[u8], text: &str) -> bool {
    let now = String::from_utf8_lossy(bytes);
    let by = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("discoveredBy: "));
        line.map(str::to_owned)
    };
    let (Some(theirs), Some(ours)) = (by(&now), by(text)) else {
        return false;
    };
    now.replacen(&theirs, &ours, 1) == text
}

/// Kills a child after so many microseconds.
pub fn kill_after(child: &mut std::process::Child, micros: u64) {
    let moment = std::time::Duration::from_micros(micros);
    let begun = std::time::Instant::now();
    while begun.elapsed() < moment {
        std::hint::spin_loop();
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
