//! The figures of the README: `cargo bench --bench figures`.
//!
//! Writes stores of 1,000, 10,000 and 100,000 memories into a temporary folder, runs the program
//! on them as a person or a script would, beside `rg` and `fzf` where they are installed, and
//! prints a Markdown table. `MEMKEEP_FIGURES=1000,10000` leaves sizes out.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench that cannot go on fails"
)]

#[path = "support/process.rs"]
mod process;
#[path = "support/screen.rs"]
mod screen;
#[path = "support/store.rs"]
mod store;
#[path = "support/systems.rs"]
mod systems;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use portable_pty::CommandBuilder;
use process::beside;
use screen::Screen;
use systems::System;

const PROGRAM: &str = env!("CARGO_BIN_EXE_memkeep");
const TASK: &str = "fix the checkout rounding of refunds in the ledger";
const FILTERS: [&str; 6] = [
    "ledger",
    "checkout rule",
    "seat ^gate",
    "'retries",
    "rndng",
    "tag:docs wea",
];
const TASKS: [&str; 2] = [
    "add a ledger retry to checkout",
    "why is the ferry timetable paging slow",
];

/// A row of the table.
struct Row {
    what: String,
    figure: String,
    must: &'static str,
    aim: &'static str,
    beside: String,
}

fn main() {
    let sizes = std::env::var("MEMKEEP_FIGURES").unwrap_or_else(|_| "1000,10000,100000".to_owned());
    let folder = tempfile::tempdir().unwrap();
    let mut rows = vec![size_row()];
    for count in sizes
        .split(',')
        .filter_map(|size| size.parse::<usize>().ok())
    {
        let root = folder.path().join(count.to_string());
        store::write(&root.join(".rawko/memories"), count);
        let bench = Bench {
            count,
            root,
            state: folder.path().join("state"),
            system: None,
        };
        eprintln!("{} memories: whole processes", bench.size());
        bench.processes(&mut rows);
        eprintln!("{} memories: the screen", bench.size());
        bench.screen(&mut rows);
        bench.fzf(&mut rows);
        for system in systems::SYSTEMS {
            let root = folder.path().join(format!("{}-{count}", system.format));
            (system.write)(&root.join(system.place), count);
            let bench = Bench {
                root,
                system: Some(system),
                state: bench.state.clone(),
                ..bench
            };
            eprintln!("{} memories", bench.size());
            bench.own_processes(&mut rows, system.format);
            bench.screen(&mut rows);
        }
    }
    println!("| what | memories | measured | must | aim | beside |");
    println!("|---|---|---|---|---|---|");
    for row in rows {
        println!(
            "| {} | {} | {} | {} | {} |",
            row.what, row.figure, row.must, row.aim, row.beside
        );
    }
}

fn size_row() -> Row {
    let bytes = std::fs::metadata(PROGRAM).unwrap().len();
    Row {
        what: "the program | –".to_owned(),
        figure: format!("{:.1} MB", bytes as f64 / 1e6),
        must: "20 MB",
        aim: "12 MB",
        beside: String::new(),
    }
}

struct Bench {
    count: usize,
    root: PathBuf,
    state: PathBuf,
    /// The system of the store; none for rawko.
    system: Option<System>,
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// The times at these parts of all, in order.
fn percentiles(mut times: Vec<Duration>) -> Option<(Duration, Duration)> {
    times.sort_unstable();
    let at = |part: f64| {
        times
            .get(((times.len().max(1) - 1) as f64 * part).round() as usize)
            .copied()
    };
    at(0.5).zip(at(0.99))
}

impl Bench {
    fn size(&self) -> String {
        let format = self.system.map_or("", |system| system.format);
        format!("{}k {format}", self.count / 1000)
            .trim_end()
            .to_owned()
    }

    fn large(&self) -> bool {
        self.count >= 100_000
    }

    fn memkeep(&self, args: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .current_dir(&self.root)
            .env("XDG_STATE_HOME", &self.state)
            .env("XDG_CONFIG_HOME", &self.state)
            .args(self.store())
            .args(args);
        command
    }

    /// The store by its place, for not every system's is found by itself.
    fn store(&self) -> Vec<&'static str> {
        self.system
            .map_or_else(Vec::new, |system| vec!["--store", system.place])
    }

    /// Commands from start to end, by themselves.
    fn own_processes(&self, rows: &mut Vec<Row>, format: &str) {
        let mut all = vec![
            vec!["list", "--format", "quiet"],
            vec!["inject", "--task", TASK, "--format", "prompt"],
        ];
        if format == "ralph" {
            all.push(vec!["prime", "--budget", "2000"]);
            all.push(vec!["list", "--format", "json"]);
        }
        for args in all {
            let times = (0..5).map(|_| {
                let start = std::time::Instant::now();
                let mut command = self.memkeep(&args);
                command
                    .stdout(std::process::Stdio::null())
                    .status()
                    .unwrap();
                start.elapsed()
            });
            let Some((middle, _)) = percentiles(times.collect()) else {
                continue;
            };
            let limits = match args[0] == "prime" || args.contains(&"json") {
                true if self.large() => ("0.22 s", "0.11 s"),
                _ => ("", ""),
            };
            let shown: Vec<&str> = args
                .into_iter()
                .filter(|arg| !["--task", TASK].contains(arg))
                .collect();
            let name = format!("`{}`", shown.join(" "));
            self.row(rows, &name, seconds(middle), limits.0, limits.1);
        }
    }

    /// Commands from start to end, beside a search of the same files.
    fn processes(&self, rows: &mut Vec<Row>) {
        if !process::is_there("rg") {
            return eprintln!("rg is not installed: the rows beside it are left out");
        }
        let rg = || {
            let mut command = Command::new("rg");
            command
                .args(["-c", "zzzz"])
                .arg(self.root.join(".rawko/memories"));
            command
        };
        let inject = |format| {
            vec![
                "inject",
                "--task",
                TASK,
                "--agent",
                "developer",
                "--format",
                format,
            ]
        };
        for args in [
            vec!["list", "--format", "quiet"],
            inject("prompt"),
            inject("json"),
        ] {
            let (ours, theirs, ratio) = beside(|| self.memkeep(&args), rg);
            let name = args
                .iter()
                .filter(|arg| !["--task", TASK, "--agent", "developer"].contains(*arg));
            let limits = if self.large() {
                ("3 × rg", "1.2 × rg")
            } else {
                ("", "")
            };
            rows.push(Row {
                what: format!(
                    "`{}` | {}",
                    name.copied().collect::<Vec<_>>().join(" "),
                    self.size()
                ),
                figure: format!("{}, {ratio:.1} × rg", seconds(ours.wall)),
                must: limits.0,
                aim: limits.1,
                beside: format!("`rg -c zzzz`: {}", seconds(theirs.wall)),
            });
        }
        if let Some((wall, _)) = percentiles(
            (0..2)
                .map(|_| {
                    let start = std::time::Instant::now();
                    self.memkeep(&["lint", "--format", "json"])
                        .stdout(std::process::Stdio::null())
                        .status()
                        .unwrap();
                    start.elapsed()
                })
                .collect(),
        ) {
            let limits = if self.large() {
                ("30 s", "10 s")
            } else {
                ("", "")
            };
            rows.push(Row {
                what: format!("`lint` | {}", self.size()),
                figure: seconds(wall),
                must: limits.0,
                aim: limits.1,
                beside: String::new(),
            });
        }
    }

    /// The terminal UI, in a terminal.
    fn screen(&self, rows: &mut Vec<Row>) {
        let start = || {
            let mut command = CommandBuilder::new(PROGRAM);
            command.cwd(&self.root);
            command.args(self.store());
            command.env("XDG_STATE_HOME", &self.state);
            command.env("XDG_CONFIG_HOME", &self.state);
            Screen::start(command)
        };
        let first: Vec<Duration> = (0..9).filter_map(|_| start().first_text()).collect();
        if let Some((middle, worst)) = percentiles(first) {
            self.row(
                rows,
                "first frame",
                format!("{} (worst of 9: {})", millis(middle), millis(worst)),
                "50 ms",
                "20 ms",
            );
        }
        let mut screen = start();
        screen.wait_for(&format!("{} memories", self.count), Duration::from_secs(60));
        quiet(&mut screen);
        let limits = if self.large() {
            ("16 ms", "8 ms")
        } else {
            ("8 ms", "4 ms")
        };
        self.typed(
            rows,
            &mut screen,
            ("/", "filtering, key to frame"),
            &FILTERS,
            limits,
        );
        screen.send("\x1b");
        screen.settle(Duration::from_millis(500));
        screen.send("\x1b");
        screen.settle(Duration::from_millis(500));
        self.typed(
            rows,
            &mut screen,
            ("t", "typing a task, key to preview"),
            &TASKS,
            ("16 ms", "4 ms"),
        );
        quiet(&mut screen);
        if let Some(megabytes) = process::resident(screen.pid()) {
            let limits = match self.count {
                100_000.. => ("250 MB", "120 MB"),
                10_000.. => ("40 MB", "25 MB"),
                _ => ("", ""),
            };
            self.row(
                rows,
                "most memory",
                format!("{megabytes:.0} MB"),
                limits.0,
                limits.1,
            );
        }
        self.idle(rows, &screen);
    }

    fn row(
        &self,
        rows: &mut Vec<Row>,
        what: &str,
        figure: String,
        must: &'static str,
        aim: &'static str,
    ) {
        rows.push(Row {
            what: format!("{what} | {}", self.size()),
            figure,
            must,
            aim,
            beside: String::new(),
        });
    }

    /// Types texts letter by letter, and takes each away again.
    fn typed(
        &self,
        rows: &mut Vec<Row>,
        screen: &mut Screen,
        opening: (&str, &str),
        texts: &[&str],
        limits: (&'static str, &'static str),
    ) {
        screen.send(opening.0);
        screen.settle(Duration::from_millis(500));
        let times = type_all(screen, texts);
        if std::env::var_os("MEMKEEP_FIGURES_SHOW").is_some() {
            eprintln!("{}", screen.contents());
        }
        if let Some((middle, worst)) = percentiles(times) {
            let figure = format!("p50 {}, p99 {}", millis(middle), millis(worst));
            self.row(rows, opening.1, figure, limits.0, limits.1);
        }
    }

    fn idle(&self, rows: &mut Vec<Row>, screen: &Screen) {
        const WHILE: Duration = Duration::from_secs(4);
        let look = || (process::wakeups(screen.pid()), process::cpu(screen.pid()));
        let before = look();
        std::thread::sleep(WHILE);
        let after = look();
        if let (Some(woken), Some(cpu)) = (after.0.zip(before.0), after.1.zip(before.1)) {
            let percent = 100.0 * (cpu.0 - cpu.1).as_secs_f64() / WHILE.as_secs_f64();
            let figure = format!("{} wake-ups, {percent:.1} % CPU", woken.0 - woken.1);
            self.row(rows, "idle for 4 s", figure, "0, 0.0 %", "");
        }
    }

    /// The same keys in fzf, on the titles.
    fn fzf(&self, rows: &mut [Row]) {
        if !process::is_there("fzf") {
            return;
        }
        let list = self.root.join("titles.txt");
        let titles = (0..self.count).map(|number| store::memory(number).0 + "\n");
        std::fs::write(&list, titles.collect::<String>()).unwrap();
        let start = |list: &Path| {
            let mut command = CommandBuilder::new("sh");
            command.args(["-c", "exec fzf < \"$0\""]);
            command.arg(list);
            Screen::start(command)
        };
        let first = percentiles((0..9).filter_map(|_| start(&list).first_text()).collect());
        let mut screen = start(&list);
        screen.settle(Duration::from_secs(1));
        let typed = percentiles(type_all(&mut screen, &FILTERS[..5]));
        for row in rows
            .iter_mut()
            .filter(|row| row.what.ends_with(&format!("| {}", self.size())))
        {
            row.beside = match (first, typed) {
                (Some((middle, _)), _) if row.what.starts_with("first frame") => {
                    format!("fzf: {}", millis(middle))
                }
                (_, Some((middle, worst))) if row.what.starts_with("filtering") => {
                    format!("fzf: p50 {}, p99 {}", millis(middle), millis(worst))
                }
                _ => continue,
            };
        }
    }
}

fn type_all(screen: &mut Screen, texts: &[&str]) -> Vec<Duration> {
    let mut times = Vec::new();
    for text in texts {
        for letter in text.chars() {
            times.extend(screen.key(&letter.to_string()));
        }
        // Ctrl-u
        times.extend(screen.key("\x15"));
    }
    times
}

/// Waits until the program has nothing to do.
fn quiet(screen: &mut Screen) {
    let mut last = None;
    for _ in 0..120 {
        screen.settle(Duration::from_secs(1));
        let now = process::cpu(screen.pid());
        if now == last {
            break;
        }
        last = now;
    }
}
