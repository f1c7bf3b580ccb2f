//! Stress programs: longer than a test suite should be, each with its count as an argument.
//!
//! ```text
//! cargo test --release --test stress                    every program with its small count
//! cargo test --release --test stress -- kills 1000      one program, 1,000 rounds
//! ```
//!
//! A program panics with the seed and the round of the first failure. The same seed gives the
//! same rounds: `MEMKEEP_SEED=7` sets it.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a program that cannot go on fails"
)]

#[cfg(unix)]
#[expect(dead_code, reason = "the tests of the terminal wait for more")]
#[path = "../pty/harness.rs"]
mod harness;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
#[expect(dead_code, reason = "one text of everything is what tests take")]
#[path = "../support/hostile.rs"]
mod hostile_texts;

mod keys;
#[path = "../support/program.rs"]
mod program;
mod repositories;
#[expect(dead_code, reason = "the programs set no trap off")]
#[path = "../support/repository.rs"]
mod repository;

// What they share with the tests of stores.
#[path = "../support/ground.rs"]
mod ground;
#[path = "../support/kills.rs"]
mod killing;
#[path = "../store/place.rs"]
#[expect(dead_code, reason = "the tests of stores use all of it")]
mod place;
#[path = "../support/races.rs"]
mod racing;
#[path = "../support/users.rs"]
#[expect(dead_code, reason = "the tests of stores use all of it")]
mod users;

mod errors;
mod growth;
mod kills;
mod races;
mod staging;
mod undo;

use std::process::ExitCode;
use std::time::Instant;

/// One stress program.
struct Program {
    /// Its name on the command line.
    name: &'static str,
    /// The rounds of a run without a count: a few seconds.
    rounds: u64,
    /// Runs so many rounds from a seed; panics at the first failure.
    run: fn(rounds: u64, seed: u64),
}

/// All programs, in the order in which they run.
const PROGRAMS: &[Program] = &[
    Program {
        name: "kills",
        rounds: 20,
        run: kills::run,
    },
    Program {
        name: "races",
        rounds: 20,
        run: races::run,
    },
    Program {
        name: "staging",
        rounds: 10,
        run: staging::run,
    },
    Program {
        name: "undo",
        rounds: 8,
        run: undo::run,
    },
    Program {
        name: "pairs",
        rounds: 10,
        run: staging::pairs,
    },
    Program {
        name: "errors",
        rounds: 100,
        run: errors::run,
    },
    #[cfg(unix)]
    Program {
        name: "hostile",
        rounds: 40,
        run: hostile::run,
    },
    Program {
        name: "growth",
        rounds: 6,
        run: growth::run,
    },
    Program {
        name: "keys",
        rounds: 8,
        run: keys::run,
    },
    Program {
        name: "repositories",
        rounds: 5,
        run: repositories::run,
    },
];

fn main() -> ExitCode {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'));
    let name = arguments.next();
    let rounds = arguments
        .next()
        .map(|count| count.parse().expect("a count"));
    let seed = std::env::var("MEMKEEP_SEED").map_or(1, |seed| seed.parse().expect("a seed"));
    let is_wanted = |program: &&Program| name.as_ref().is_none_or(|name| name == program.name);
    let mut count = 0;
    for program in PROGRAMS.iter().filter(is_wanted) {
        let rounds = rounds.unwrap_or(program.rounds);
        let start = Instant::now();
        (program.run)(rounds, seed);
        println!(
            "{}: {rounds} rounds in {:.1?}",
            program.name,
            start.elapsed()
        );
        count += 1;
    }
    if count == 0 && name.is_some() {
        let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        eprintln!("no such program; there are: {}", names.join(", "));
        return ExitCode::FAILURE;
    }
    println!("{count} passed, 0 failed");
    ExitCode::SUCCESS
}
