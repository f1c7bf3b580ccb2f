//! Whole processes: how long they take beside each other, and what a running one uses.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of each of two commands.
const RUNS: usize = 7;

/// What a command took.
#[derive(Clone, Copy, Debug)]
pub struct Took {
    pub wall: Duration,
    /// User and system time; none where the system does not tell.
    pub cpu: Option<Duration>,
}

fn run(command: &mut Command) -> Took {
    let (start, before) = (Instant::now(), children_cpu());
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.unwrap();
    let wall = start.elapsed();
    let cpu = children_cpu()
        .zip(before)
        .map(|(after, before)| after.saturating_sub(before));
    Took { wall, cpu }
}

/// Clock ticks of a process: its own and its children's, as Linux counts them.
fn ticks(stat: &Path, fields: [usize; 2]) -> Option<Duration> {
    let text = fs::read_to_string(stat).ok()?;
    // The name in brackets may hold blanks.
    let rest: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields
        .iter()
        .map(|field| rest[*field].parse::<u64>().unwrap())
        .sum();
    Some(Duration::from_millis(ticks * 10))
}

fn children_cpu() -> Option<Duration> {
    ticks(Path::new("/proc/self/stat"), [13, 14])
}

/// User and system time of a running process.
pub fn cpu(pid: u32) -> Option<Duration> {
    ticks(Path::new(&format!("/proc/{pid}/stat")), [11, 12])
}

/// How often the threads of a process were woken.
pub fn wakeups(pid: u32) -> Option<u64> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let count = |status: String| {
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
        line.trim().parse::<u64>().ok()
    };
    let texts = threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("status")).ok());
    Some(texts.filter_map(count).sum())
}

/// The most memory a process had, in megabytes.
pub fn resident(pid: u32) -> Option<f64> {
    let kilobytes = |text: &str| {
        text.trim()
            .trim_end_matches("kB")
            .trim()
            .parse::<f64>()
            .ok()
    };
    if let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) {
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        return kilobytes(line).map(|kilobytes| kilobytes / 1024.0);
    }
    let out = Command::new("ps")
        .args(["-o", "rss=", "-p", &pid.to_string()])
        .output()
        .ok()?;
    kilobytes(&String::from_utf8_lossy(&out.stdout)).map(|kilobytes| kilobytes / 1024.0)
}

/// Whether a program can be started.
pub fn is_there(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

/// Runs two commands in turn, the first of each not counted, and gives the median of both, and
/// that of the ratios of neighbours: of CPU time where the system tells enough of it, else of
/// the clock's.
pub fn beside(mut a: impl FnMut() -> Command, mut b: impl FnMut() -> Command) -> (Took, Took, f64) {
    let mut took = Vec::new();
    for n in 0..=RUNS {
        let pair = (run(&mut a()), run(&mut b()));
        if n > 0 {
            took.push(pair);
        }
    }
    // CPU time is counted in hundredths of a second, too few of them in a short run.
    let is_long = |took: &Took| {
        took.cpu
            .is_some_and(|cpu| cpu >= Duration::from_millis(200))
    };
    let by_cpu = took.iter().all(|(a, b)| is_long(a) && is_long(b));
    let time = |took: Took| {
        took.cpu
            .filter(|_| by_cpu)
            .unwrap_or(took.wall)
            .as_secs_f64()
    };
    let mut ratios: Vec<f64> = took
        .iter()
        .map(|(a, b)| time(*a) / time(*b).max(0.001))
        .collect();
    ratios.sort_by(f64::total_cmp);
    let middle = |mut all: Vec<Took>| {
        all.sort_by_key(|took| took.wall);
        all[all.len() / 2]
    };
    let (a, b) = took.iter().copied().unzip();
    (middle(a), middle(b), ratios[ratios.len() / 2])
}
