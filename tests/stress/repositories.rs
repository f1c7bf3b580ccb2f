//! Hostile repositories: random traps, odd paths, broken and unusual states. Every reading command
//! ends in time, without a crash, without a program of the repository and with the index as it
//! was.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::program::program;
use crate::repository::{NOTES, TRAPS, Trapped, git};

/// No command takes so long.
const DEADLINE: Duration = Duration::from_secs(60);

/// The commands that read, with their arguments.
const COMMANDS: &[&str] = &[
    "stores",
    "list --query is:changed",
    "list --format json",
    "search memory",
    "show plain",
    "prime",
    "lint --format json",
    "lint --since HEAD",
    "lint --since HEAD~1",
    "archive changed --dry-run",
];

/// Pieces of names of files.
const PIECES: &[&[u8]] = &[
    b"a",
    b" ",
    b"\n",
    b"\t",
    b"\"",
    b"'",
    b"\\",
    b"*",
    b"?",
    b"[x]",
    b":",
    b"-",
    b"--",
    b"$(x)",
    b"\xff",
    b"\xc3\xa9",
    b"\x1b[2J",
    b"{",
    b"\x01",
    b"HEAD",
    b".git",
];

/// Ways in which a repository is broken or unusual.
type Twist = fn(&mut Random, &Trapped);
const TWISTS: &[Twist] = &[
    odd_names,
    broken_object,
    broken_index,
    no_index,
    shallow,
    bare,
    detached,
    merging,
    submodule,
    sparse,
    packed,
    replaced,
    headless,
    odd_attributes,
    odd_config,
    links,
    sha256_names,
];

/// A random number generator (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count as u64).unwrap()
    }

    fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most))
            .map(|_| self.next().to_le_bytes()[0])
            .collect()
    }
}

/// Runs the program in so many repositories.
pub fn run(rounds: u64, seed: u64) {
    for round in 0..rounds {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(round));
        let dir = tempfile::tempdir().unwrap();
        let (root, home) = (dir.path().join("clone/part"), dir.path().join("home"));
        let markers = dir.path().join("markers");
        for folder in [&root, &home, &markers] {
            fs::create_dir_all(folder).unwrap();
        }
        let trapped = match random.below(4) {
            0 => Trapped::embedded(&root, &markers),
            _ => Trapped::repository(&root, &markers),
        };
        let traps: Vec<bool> = TRAPS.iter().map(|_| random.below(2) == 0).collect();
        let set = |trap: &str| {
            TRAPS
                .iter()
                .zip(&traps)
                .any(|(one, set)| one.name == trap && *set)
        };
        trapped.set(|trap| set(trap.name));
        let twists: Vec<usize> = (0..random.below(4))
            .map(|_| random.below(TWISTS.len()))
            .collect();
        for twist in &twists {
            TWISTS[*twist](&mut random, &trapped);
        }
        trapped.forget();
        let index = fs::read(trapped.git.join("index")).ok();
        for call in COMMANDS {
            let case = format!("seed {seed}, round {round}, twists {twists:?}: {call}");
            ends_well(&root, &home, call, &case);
            let ran = trapped.ran();
            assert!(ran.is_empty(), "{case}: {ran:?} ran");
        }
        let after = fs::read(trapped.git.join("index")).ok();
        assert!(
            after == index,
            "seed {seed}, round {round}: the index was written"
        );
    }
}

/// Runs a command; it ends in time and with an exit code of the contract.
fn ends_well(root: &Path, home: &Path, call: &str, case: &str) {
    let mut command = program(root, home);
    command.args(call.split(' '));
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    let id = rustix::process::Pid::from_child(&child);
    let (done, end) = channel();
    let waiting = std::thread::spawn(move || {
        let _ = done.send(child.wait_with_output().unwrap());
    });
    let Ok(output) = end.recv_timeout(DEADLINE) else {
        let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
        panic!("{case}: no end in {DEADLINE:?}");
    };
    waiting.join().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    assert!(
        matches!(code, Some(0..=3)),
        "{case}: {:?}: {said}",
        output.status
    );
    assert!(!said.contains("panicked"), "{case}: {said}");
}

/// Runs git, which may refuse.
fn try_git(trapped: &Trapped, arguments: &[&str]) {
    let _ = git(&trapped.root)
        .args(["-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null"])
        .args(arguments)
        .output()
        .unwrap();
}

fn odd_names(random: &mut Random, trapped: &Trapped) {
    for _ in 0..5 {
        let pieces: Vec<u8> = (0..=random.below(4))
            .flat_map(|_| *random.one(PIECES))
            .copied()
            .collect();
        let name = [&pieces[..], b".md"].concat();
        let path = trapped
            .root
            .join(".rawko/memories")
            .join(OsStr::from_bytes(&name));
        let _ = fs::write(path, "---\ntitle: Odd\n---\n\nSee src/gone.rs.\n");
    }
    if random.below(2) == 0 {
        try_git(trapped, &["add", "-A", ".rawko"]);
    }
}

/// The files of loose objects.
fn objects(trapped: &Trapped) -> Vec<PathBuf> {
    let folders = fs::read_dir(trapped.git.join("objects")).unwrap();
    let folders = folders
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_name().len() == 2);
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).unwrap());
    let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn broken_object(random: &mut Random, trapped: &Trapped) {
    let objects = objects(trapped);
    for _ in 0..3.min(objects.len()) {
        let object = random.one(&objects);
        let _ = fs::remove_file(object);
        if random.below(2) == 0 {
            let _ = fs::write(object, random.bytes(100));
        }
    }
}

fn broken_index(random: &mut Random, trapped: &Trapped) {
    let path = trapped.git.join("index");
    let Ok(mut bytes) = fs::read(&path) else {
        return;
    };
    let at = random.below(bytes.len());
    bytes[at] ^= 1 << random.below(8);
    bytes.truncate(bytes.len() - random.below(2) * random.below(bytes.len()));
    fs::write(path, bytes).unwrap();
}

fn no_index(_: &mut Random, trapped: &Trapped) {
    let _ = fs::remove_file(trapped.git.join("index"));
}

/// The id of the head, as its branch has it.
fn head(trapped: &Trapped) -> String {
    fs::read_to_string(trapped.git.join("refs/heads/main")).unwrap_or_default()
}

fn shallow(_: &mut Random, trapped: &Trapped) {
    fs::write(trapped.git.join("shallow"), head(trapped)).unwrap();
}

fn bare(_: &mut Random, trapped: &Trapped) {
    trapped.configure("[core]\n bare = true\n");
}

fn detached(_: &mut Random, trapped: &Trapped) {
    fs::write(trapped.git.join("HEAD"), head(trapped)).unwrap();
}

fn merging(_: &mut Random, trapped: &Trapped) {
    fs::write(trapped.git.join("MERGE_HEAD"), head(trapped)).unwrap();
    try_git(
        trapped,
        &["update-index", "--unresolve", ".rawko/memories/plain.md"],
    );
    trapped.write("plain", "<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs");
}

fn submodule(_: &mut Random, trapped: &Trapped) {
    let part = trapped.root.join("module");
    fs::create_dir_all(&part).unwrap();
    let _ = git(&part).args(["init", "-q"]).output();
    let _ = git(&part)
        .args(["commit", "-q", "--allow-empty", "-m", "x"])
        .output();
    let modules = "[submodule \"part\"]\n path = module\n url = ./module\n update = !touch x\n";
    fs::write(trapped.root.join(".gitmodules"), modules).unwrap();
    try_git(trapped, &["add", ".gitmodules", "module"]);
}

fn sparse(_: &mut Random, trapped: &Trapped) {
    trapped.configure("[core]\n sparseCheckout = true\n");
    fs::create_dir_all(trapped.git.join("info")).unwrap();
    fs::write(trapped.git.join("info/sparse-checkout"), "/src/\n").unwrap();
    try_git(
        trapped,
        &[
            "update-index",
            "--skip-worktree",
            ".rawko/memories/plain.md",
        ],
    );
    let _ = fs::remove_file(trapped.root.join(".rawko/memories/plain.md"));
}

fn packed(_: &mut Random, trapped: &Trapped) {
    try_git(trapped, &["pack-refs", "--all"]);
    try_git(trapped, &["repack", "-adq"]);
}

fn replaced(_: &mut Random, trapped: &Trapped) {
    try_git(
        trapped,
        &[
            "replace",
            "HEAD:.rawko/memories/plain.md",
            "HEAD:src/here.rs",
        ],
    );
    try_git(trapped, &["replace", "--graft", "HEAD"]);
}

fn headless(random: &mut Random, trapped: &Trapped) {
    let heads: [&[u8]; 4] = [b"", b"ref: refs/heads/none\n", b"ref: ../../x\n", b"\xff\n"];
    fs::write(trapped.git.join("HEAD"), random.one(&heads)).unwrap();
}

fn odd_attributes(random: &mut Random, trapped: &Trapped) {
    let lines: [&[u8]; 6] = [
        b"* text=auto eol=crlf\n",
        b"* filter=clean diff=command\n",
        b"* working-tree-encoding=UTF-16 ident\n",
        b"[attr]binary text\n\"a\\n*\" -text\n",
        b"\xff\xfe\0 text\n",
        b"*.md filter=lfs diff=lfs merge=lfs -text\n",
    ];
    let mut text: Vec<u8> = (0..3).flat_map(|_| *random.one(&lines)).copied().collect();
    text.extend(random.bytes(50));
    fs::write(trapped.root.join(".gitattributes"), text).unwrap();
}

fn odd_config(random: &mut Random, trapped: &Trapped) {
    let lines = [
        "[core]\n worktree = ../..\n",
        "[core]\n autocrlf = perhaps\n",
        "[core\n",
        "[extensions]\n unknown = true\n",
        "[color]\n ui = always\n diff = always\n",
        "[i18n]\n logOutputEncoding = UTF-16\n",
        "[core]\n autocrlf = input\n excludesFile = /dev/zero\n",
    ];
    trapped.configure(random.one::<&str>(&lines));
}

fn links(random: &mut Random, trapped: &Trapped) {
    let targets = ["/dev/zero", ".", "../..", "plain.md", "/nowhere"];
    for name in NOTES.iter().take(3) {
        let path = trapped.root.join(format!(".rawko/memories/{name}.md"));
        let _ = fs::remove_file(&path);
        let _ = std::os::unix::fs::symlink(random.one(&targets), path);
    }
}

fn sha256_names(_: &mut Random, trapped: &Trapped) {
    trapped.configure("[extensions]\n objectFormat = sha256\n");
}
