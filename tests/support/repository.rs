//! Repositories whose configuration, attributes, hooks and surroundings name programs. Each
//! program leaves a marker, so that a test sees which of them ran.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

/// One way to make git run a program. In its lines `@` stands for the path of the program.
pub struct Trap {
    /// The name of its program and of its marker.
    pub name: &'static str,
    /// Lines of the repository's configuration.
    config: &'static str,
    /// A line of `.gitattributes`.
    attributes: &'static str,
    /// Arguments with which plain git runs the program, if a test can have that.
    control: &'static [&'static str],
}

const fn trap(
    name: &'static str,
    config: &'static str,
    attributes: &'static str,
    control: &'static [&'static str],
) -> Trap {
    Trap {
        name,
        config,
        attributes,
        control,
    }
}

const STATUS: &[&str] = &["status"];
const DIFF: &[&str] = &["diff"];
const TEXTCONV: &[&str] = &["diff", "--no-ext-diff"];
const LOG: &[&str] = &["log"];
/// Needs the blob that is missing, and asks every remote for it.
const FETCH: &[&str] = &["log", "-p", "--no-ext-diff", "--no-textconv"];
const NONE: &[&str] = &[];

/// Every trap; the names of the files are those of [`NOTES`].
pub const TRAPS: &[Trap] = &[
    trap(
        "clean",
        "[filter \"clean\"]\n clean = @\n smudge = @\n required = true\n",
        "clean.md filter=clean",
        STATUS,
    ),
    trap(
        "process",
        "[filter \"process\"]\n process = @\n",
        "process.md filter=process",
        STATUS,
    ),
    trap(
        "included",
        "[include]\n path = @.config\n",
        "included.md filter=included",
        STATUS,
    ),
    trap("fsmonitor", "[core]\n fsmonitor = @\n", "", STATUS),
    trap("hooks-path", "[core]\n hooksPath = @.hooks\n", "", STATUS),
    trap("external", "[diff]\n external = @\n", "", DIFF),
    trap(
        "command",
        "[diff \"command\"]\n command = @\n",
        "command.md diff=command",
        DIFF,
    ),
    trap(
        "textconv",
        "[diff \"textconv\"]\n textconv = @\n",
        "textconv.md diff=textconv",
        TEXTCONV,
    ),
    trap(
        "gpg",
        "[gpg]\n program = @\n[gpg \"ssh\"]\n program = @\n[log]\n showSignature = true\n",
        "",
        LOG,
    ),
    trap(
        "ssh",
        "[core]\n sshCommand = @\n[remote \"ssh\"]\n url = ssh://host.invalid/a\n promisor = true\n",
        "",
        FETCH,
    ),
    trap(
        "upload-pack",
        "[remote \"here\"]\n url = .\n promisor = true\n uploadpack = @\n",
        "",
        FETCH,
    ),
    trap(
        "proxy",
        "[core]\n gitProxy = @\n[remote \"git\"]\n url = git://host.invalid/a\n promisor = true\n",
        "",
        FETCH,
    ),
    trap(
        "transport",
        "[protocol \"ext\"]\n allow = always\n[remote \"ext\"]\n url = \"ext::@ %S\"\n promisor = true\n",
        "",
        FETCH,
    ),
    trap(
        "alias",
        "[alias]\n trapped = !@\n status = !@\n log = !@\n ls-files = !@\n rev-parse = !@\n",
        "",
        &["trapped"],
    ),
    trap(
        "credentials",
        "[core]\n askPass = @\n[credential]\n helper = @\n",
        "",
        NONE,
    ),
    trap(
        "pager",
        "[core]\n pager = @\n[pager]\n log = @\n status = @\n diff = @\n config = @\n",
        "",
        NONE,
    ),
    trap(
        "editor",
        "[core]\n editor = @\n[sequence]\n editor = @\n[interactive]\n diffFilter = @\n",
        "",
        NONE,
    ),
    trap(
        "alternates",
        "[core]\n alternateRefsCommand = @\n",
        "",
        NONE,
    ),
    trap(
        "merge",
        "[merge \"merge\"]\n driver = @\n[trailer \"a\"]\n command = @\n cmd = @\n",
        "textconv.md merge=merge",
        NONE,
    ),
    trap(
        "submodule",
        "[submodule]\n recurse = true\n[submodule \"part\"]\n update = !@\n active = true\n",
        "",
        NONE,
    ),
    trap(
        "hook",
        "[hook \"a\"]\n command = @\n event = post-index-change\n event = reference-transaction\n",
        "",
        NONE,
    ),
];

/// The memories of a repository.
pub const NOTES: &[&str] = &[
    "clean", "process", "included", "command", "textconv", "changed", "plain",
];

/// Those of them that differ from the last commit by their text.
pub const CHANGED: &[&str] = &["changed", "command", "textconv"];

/// The hooks that a reading or writing git may run.
const HOOKS: &[&str] = &[
    "post-index-change",
    "reference-transaction",
    "post-checkout",
    "pre-commit",
    "commit-msg",
    "pre-auto-gc",
    "fsmonitor-watchman",
];

/// Variables of the caller that name a program or a file to write.
const VARIABLES: &[&str] = &[
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "PAGER",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "GIT_PROXY_COMMAND",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
];

/// A repository with traps.
pub struct Trapped {
    /// Its work tree.
    pub root: PathBuf,
    /// The folder of its `HEAD`.
    pub git: PathBuf,
    /// Where the programs leave their markers.
    markers: PathBuf,
    /// The time that the files were given last.
    seconds: Cell<u64>,
}

/// Git with none of the traps' settings and none of this machine's.
pub fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_AUTHOR_DATE", "1700000000 +0000")
        .env("GIT_COMMITTER_DATE", "1700000000 +0000");
    command
}

/// The file that the second commit takes away.
const GONE: &str = "fn gone() {}\n";

/// A memory with something to find.
fn note(name: &str, word: &str) -> String {
    format!(
        "---\ntitle: The {name} memory\nwhenToUse: [auth]\nimportance: high\n\
         discoveredAt: \"2026-01-28\"\ndiscoveredBy: developer\ntags: [a]\n---\n\n{word}: see src/gone.rs in /home/ada/work.\n"
    )
}

impl Trapped {
    /// A repository in a folder, with a history, memories that differ from the last commit only
    /// by their time, and one that differs by its text. Markers go to a folder that exists.
    pub fn repository(root: &Path, markers: &Path) -> Self {
        Self::new(root, &root.join(".git"), markers)
    }

    /// A folder that is a git directory itself and names itself as its work tree: what a clone
    /// can hold as ordinary files.
    pub fn embedded(root: &Path, markers: &Path) -> Self {
        Self::new(root, root, markers)
    }

    fn new(root: &Path, git: &Path, markers: &Path) -> Self {
        let this = Self {
            root: root.to_owned(),
            git: git.to_owned(),
            markers: markers.to_owned(),
            seconds: Cell::new(1_600_000_000),
        };
        fs::create_dir_all(root.join(".rawko/memories")).unwrap();
        fs::create_dir_all(root.join("src")).unwrap();
        let bare = if git == root { "--bare" } else { "--quiet" };
        this.git(&["init", "--quiet", "--initial-branch=main", bare]);
        if git == root {
            this.configure("[core]\n bare = false\n worktree = .\n");
        }
        for name in NOTES {
            this.write(name, "Before");
        }
        fs::write(root.join("src/gone.rs"), GONE).unwrap();
        fs::write(root.join("src/here.rs"), "fn here() {}\n").unwrap();
        this.commit("First");
        fs::remove_file(root.join("src/gone.rs")).unwrap();
        let attributes: Vec<&str> = TRAPS.iter().map(|trap| trap.attributes).collect();
        fs::write(root.join(".gitattributes"), attributes.join("\n") + "\n").unwrap();
        this.commit("Take it away");
        this.sign();
        this
    }

    /// Writes a memory.
    pub fn write(&self, name: &str, word: &str) {
        let path = self.root.join(format!(".rawko/memories/{name}.md"));
        fs::write(path, note(name, word)).unwrap();
    }

    fn commit(&self, subject: &str) {
        let attributes = self.root.join(".gitattributes").exists();
        let attributes = attributes.then_some(".gitattributes");
        let paths = [".rawko", "src"].into_iter().chain(attributes);
        self.git(&["add", "-A"].into_iter().chain(paths).collect::<Vec<_>>());
        self.git(&["commit", "-qm", subject]);
    }

    /// Gives the last commit a signature.
    fn sign(&self) {
        let commit = self.git(&["cat-file", "commit", "HEAD"]);
        let signature =
            "gpgsig -----BEGIN PGP SIGNATURE-----\n \n abcd\n -----END PGP SIGNATURE-----\n\n";
        fs::write(
            self.markers.join("../signed"),
            commit.replacen("\n\n", &format!("\n{signature}"), 1),
        )
        .unwrap();
        let signed = self.markers.join("../signed");
        let signed = signed.to_str().unwrap();
        let id = self.git(&["hash-object", "-w", "-t", "commit", "--literally", signed]);
        self.git(&["update-ref", "HEAD", id.trim()]);
    }

    /// Sets traps: from now on plain git runs their programs.
    pub fn set(&self, wanted: impl Fn(&Trap) -> bool) {
        let hooks = self.git.join("hooks");
        for trap in TRAPS.iter().filter(|trap| wanted(trap)) {
            let program = self.program(trap.name);
            let text = program.to_str().unwrap();
            match trap.name {
                "included" => {
                    let config = format!("[filter \"included\"]\n clean = {text}\n");
                    fs::write(format!("{text}.config"), config).unwrap();
                }
                "hooks-path" => self.hooks(Path::new(&format!("{text}.hooks")), &program),
                "alternates" => {
                    fs::write(self.git.join("objects/info/alternates"), "/nowhere\n").unwrap();
                }
                _ => {}
            }
            self.configure(&trap.config.replace('@', text));
        }
        self.hooks(&hooks, &self.program("own-hooks"));
        // A blob of the first commit is missing: a partial clone would fetch it.
        self.configure(
            "[core]\n repositoryFormatVersion = 1\n[extensions]\n partialClone = here\n",
        );
        let gone = self.git_untrapped_id();
        let object = self.git.join("objects").join(&gone[..2]).join(&gone[2..]);
        let _ = fs::remove_file(object);
        self.touch();
        for name in CHANGED {
            self.write(name, "After");
        }
    }

    /// The blob of the file that the second commit took away.
    fn git_untrapped_id(&self) -> String {
        let path = self.markers.join("../gone");
        fs::write(&path, GONE).unwrap();
        // Outside of the repository: nothing of it is read.
        let out = git(&self.markers)
            .args(["hash-object", "--no-filters"])
            .arg(path)
            .output()
            .unwrap();
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    }

    /// Gives every memory another time, so that git has to look into it.
    pub fn touch(&self) {
        self.seconds.set(self.seconds.get() + 1);
        let time = UNIX_EPOCH + Duration::from_secs(self.seconds.get());
        for name in NOTES {
            let path = self.root.join(format!(".rawko/memories/{name}.md"));
            // A command may have taken it away.
            if let Ok(file) = fs::File::options().append(true).open(path) {
                file.set_modified(time).unwrap();
            }
        }
    }

    /// Adds lines to its configuration.
    pub fn configure(&self, lines: &str) {
        let path = self.git.join("config");
        let before = fs::read_to_string(&path).unwrap();
        fs::write(path, before + lines).unwrap();
    }

    fn hooks(&self, folder: &Path, program: &Path) {
        fs::create_dir_all(folder).unwrap();
        for hook in HOOKS {
            let hook = folder.join(hook);
            let _ = fs::remove_file(&hook);
            std::os::unix::fs::symlink(program, hook).unwrap();
        }
    }

    /// A program in the work tree that leaves a marker.
    fn program(&self, name: &str) -> PathBuf {
        let path = self.root.join("tools").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let marker = self.markers.join(name);
        // A filter passes on what it is given; nothing else may wait for an input.
        let filters = ["clean", "included", "process"];
        let rest = if filters.contains(&name) { "cat" } else { "" };
        let text = format!("#!/bin/sh\n: >'{}'\n{rest}\n", marker.display());
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Gives a caller's environment programs too, and a program called `git` in the folder.
    pub fn surround(&self, set: &mut dyn FnMut(&str, &str)) {
        for name in VARIABLES {
            set(name, self.program(name).to_str().unwrap());
        }
        set("GIT_TRACE", self.markers.join("trace").to_str().unwrap());
        set("GIT_CONFIG_COUNT", "1");
        set("GIT_CONFIG_KEY_0", "core.fsmonitor");
        set(
            "GIT_CONFIG_VALUE_0",
            self.program("caller").to_str().unwrap(),
        );
        fs::copy(self.program("path"), self.root.join("git")).unwrap();
        let path = std::env::var("PATH").unwrap();
        set("PATH", &format!(".:{path}"));
    }

    /// Runs git; answers its output.
    fn git(&self, arguments: &[&str]) -> String {
        let done = git(&self.root).args(arguments).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {done:?}");
        String::from_utf8(done.stdout).unwrap()
    }

    /// The traps that are set off by plain git, as a control: a test that sees no marker where
    /// git was never lured proves nothing.
    pub fn lure(&self) {
        for trap in TRAPS.iter().filter(|trap| !trap.control.is_empty()) {
            self.touch();
            let done = git(&self.root).args(trap.control).output().unwrap();
            let ran = self.ran();
            assert!(
                ran.iter().any(|name| name == trap.name),
                "{}: {ran:?} {done:?}",
                trap.name
            );
            self.forget();
        }
    }

    /// The names of the programs that ran.
    pub fn ran(&self) -> Vec<String> {
        let names = fs::read_dir(&self.markers).unwrap();
        let mut names: Vec<String> = names
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Takes the markers away.
    pub fn forget(&self) {
        for name in self.ran() {
            fs::remove_file(self.markers.join(name)).unwrap();
        }
    }

    /// The bytes of the index and the time it was written.
    pub fn index(&self) -> (Vec<u8>, std::time::SystemTime) {
        let path = self.git.join("index");
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        (fs::read(path).unwrap(), time)
    }
}
