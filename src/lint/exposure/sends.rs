//! Whether a command sends what is not to leave.

use std::sync::LazyLock;

use regex::Regex;

use super::super::chars::compact;
use super::kept::{is_own, is_plain, is_secret, is_secret_variable};
use super::shell::{Command, bare, inner, pipeline};

/// Options whose value is sent: a text, or a file where it begins with `@`.
const TEXTS: [&str; 12] = [
    "--data",
    "--data-binary",
    "--data-raw",
    "--data-urlencode",
    "--data-ascii",
    "--json",
    "--form",
    "--form-string",
    "--post-data",
    "--body-data",
    "--url-query",
    "-body",
];

/// Options whose value is a file that is sent.
const FILES: [&str; 4] = ["--upload-file", "--post-file", "--body-file", "-infile"];

/// What is sent with a request.
enum Sent<'t> {
    Text(&'t str),
    /// A text in which `name=@file` is a file.
    Form(&'t str),
    File(&'t str),
}

/// What a word and the one behind it say is sent.
fn sent<'t>(name: &str, word: &'t str, next: &'t str) -> Option<Sent<'t>> {
    let (option, value) = word.split_once('=').unwrap_or((word, next));
    let long = option.to_lowercase();
    if long.starts_with("--form") || long == "--data-urlencode" {
        return Some(Sent::Form(value));
    }
    if TEXTS.contains(&long.as_str()) {
        return Some(Sent::Text(value));
    }
    if FILES.contains(&long.as_str()) {
        return Some(Sent::File(value));
    }
    // `http` is a word of sentences too, and `@` a sign of addresses.
    let file = word.split_once('@').filter(|_| !word.starts_with('-'));
    let file = file.filter(|(field, file)| field.ends_with('=') || is_secret(file));
    if matches!(name, "http" | "xh") && file.is_some() {
        return Some(Sent::Form(word));
    }
    if let Some(file) = word.strip_prefix('<').filter(|_| !word.ends_with('>')) {
        return match file {
            "" => Some(Sent::File(next)),
            text if text.starts_with('<') => None,
            file => Some(Sent::File(file)),
        };
    }
    // Options of one letter stand together: `-sSfd @file`.
    const FLAGS: &str = "sSfLkvgiINOJjG46";
    let letters = word.strip_prefix('-').filter(|_| name == "curl")?;
    let rest = letters.trim_start_matches(|c| FLAGS.contains(c));
    let mut rest = rest.chars();
    let letter = rest.next()?;
    let value = match rest.as_str() {
        "" => next,
        value => value,
    };
    match letter {
        'd' => Some(Sent::Text(value)),
        'F' => Some(Sent::Form(value)),
        'T' => Some(Sent::File(value)),
        _ => None,
    }
}

/// What the command before it in a pipeline prints.
fn is_input(file: &str) -> bool {
    matches!(bare(file), "-" | "." | "/dev/stdin" | "/dev/null" | "")
}

fn gives_file(file: &str) -> bool {
    let file = file.split([';', ',']).next().unwrap_or_default();
    !is_input(file) && !is_plain(file)
}

impl Sent<'_> {
    /// Whether it is what is not to leave.
    fn gives(&self, power_shell: bool) -> bool {
        match self {
            Self::File(file) => gives_file(file),
            Self::Text(text) | Self::Form(text) => {
                let text = bare(text);
                let name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                let form = matches!(self, Self::Form(_));
                let file = match text.split_once('@') {
                    Some(("", file)) => Some(file),
                    Some((field, file)) if form => {
                        name(field.trim_end_matches('=')).then_some(file)
                    }
                    _ => None,
                };
                let variable = text.trim_start_matches(['$', '{']).trim_end_matches('}');
                let whole = text.starts_with('$') && name(variable) && is_secret_variable(variable);
                file.is_some_and(gives_file)
                    || whole
                    || prints_secrets(text)
                    || power_shell && gives_in_power_shell(text)
            }
        }
    }

    /// Whether it is what comes through a pipe.
    fn is_input(&self) -> bool {
        match self {
            Self::File(file) => is_input(file),
            Self::Text(text) | Self::Form(text) => bare(text)
                .rsplit_once('@')
                .is_some_and(|(_, file)| is_input(file)),
        }
    }
}

fn gives_in_power_shell(text: &str) -> bool {
    let lower = text.to_lowercase();
    let files = ["get-content ", "gc "].iter().filter_map(|read| {
        let (_, file) = lower.split_once(read)?;
        file.split(' ').find(|word| !word.starts_with('-'))
    });
    let mut files = files.map(|file| file.trim_matches([')', '(', '"', '\'']));
    lower.contains("$env:") || lower.contains(" env:") || files.any(|file| !is_plain(file))
}

/// Whether the commands within a word print what is not to leave: what one logs in with, files,
/// or who and where one is. The name of a system, a version, a day give nothing away.
fn prints_secrets(word: &str) -> bool {
    inner(word).any(|commands| pipeline(commands).any(|command| prints(&command)))
}

fn prints(command: &Command<'_>) -> bool {
    // The name of a machine says no more than that of a system.
    const WHO: [&str; 11] = [
        "whoami", "id", "printenv", "history", "ps", "ifconfig", "ip", "ls", "find", "security",
        "pass",
    ];
    const SHOWN: [&str; 9] = [
        "cat", "head", "tail", "base64", "xxd", "od", "tar", "gzip", "gpg",
    ];
    const SIFTED: [&str; 6] = ["grep", "rg", "sed", "awk", "jq", "cut"];
    // What stands in the command itself is no file.
    let files = command
        .arguments()
        .take_while(|(word, _)| !word.starts_with("<<"));
    let mut words = files.map(|(word, _)| bare(word));
    match command.name() {
        // With a command behind it they set what that one has.
        "env" | "set" => words.all(|word| word.starts_with('-')),
        name if WHO.contains(&name) => true,
        name if SHOWN.contains(&name) => words.any(shows),
        name if SIFTED.contains(&name) => words.any(is_secret),
        "echo" | "printf" => words.any(|word| {
            let name = word.trim_start_matches(['$', '{']).trim_end_matches('}');
            word.starts_with('$') && is_secret_variable(name)
        }),
        "<" => words.any(shows),
        name => name.strip_prefix('<').is_some_and(shows),
    }
}

/// Whether a word of a command that prints files is one that is not to be printed.
fn shows(word: &str) -> bool {
    // A file that holds a version.
    const VERSIONS: [&str; 4] = ["version", "nvmrc", "tag", "rev"];
    let lower = word.to_lowercase();
    let number = word.bytes().all(|byte| byte.is_ascii_digit());
    !word.starts_with(['-', '>', '&'])
        && !matches!(word, "<" | "")
        && !word.starts_with("/dev/")
        && !number
        && !VERSIONS.iter().any(|version| lower.contains(version))
        && !is_plain(word.trim_start_matches('<'))
}

/// A variable in the query of an address: its name there, and its own.
static PARAMETER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(r"(?i)(?:[?&]([0-9a-z_.-]*)=|[^/:]/)\$(?:env:|\{)?([a-z_][0-9a-z_]*)")
});

/// Whether an address has what is not to leave in it.
fn is_given_away(word: &str) -> bool {
    let parameters = PARAMETER.iter().flat_map(|query| query.captures_iter(word));
    let mut variables = parameters.filter_map(|found| {
        let variable = found.get(2)?.as_str();
        let name = found.get(1).map(|name| name.as_str());
        let address = word.get(..found.get(0)?.start())?;
        Some(is_secret_variable(variable) && !is_own(variable, name, address))
    });
    variables.any(|given| given) || prints_secrets(word)
}

/// A request that sends files, variables or what other commands print.
pub fn request(text: &str) -> Option<&str> {
    let command = Command::of(text);
    let name = command.name().to_lowercase();
    let power_shell = name.starts_with("i");
    let asked = matches!(name.as_str(), "nslookup" | "dig" | "ping" | "host");
    let addressed = command.words.iter().any(|word| word.contains("://"));
    let gives = command.arguments().any(|(word, next)| {
        let address = word.contains("://") || !addressed && word.contains('.');
        let address = address && !word.starts_with(['-', '<', '@']);
        address && is_given_away(word)
            || !asked && sent(&name, word, next).is_some_and(|sent| sent.gives(power_shell))
    });
    (gives && !listens(&command)).then_some(command.text)
}

/// Whether `nc` waits for who connects, or only looks whether somebody answers.
fn listens(command: &Command<'_>) -> bool {
    let option = |word: &str| word.starts_with('-') && !word.starts_with("--");
    matches!(command.name(), "nc" | "ncat" | "netcat")
        && command
            .arguments()
            .any(|(word, _)| option(word) && word.contains(['l', 'z']) || word == "--listen")
}

/// The most commands of a pipeline that are read.
const LONGEST: usize = 8;

/// Commands that may send what comes through a pipe.
const RECEIVERS: [&str; 14] = [
    "nc",
    "ncat",
    "netcat",
    "socat",
    "telnet",
    "http",
    "xh",
    "iwr",
    "irm",
    "invoke-webrequest",
    "invoke-restmethod",
    "curl",
    "wget",
    "xargs",
];

/// A pipeline at the end of which another host gets what is not to leave.
pub fn pipe(text: &str) -> Option<&str> {
    // A line may begin with thousands of them, and few send anything.
    let mut behind = text.split('|').take(LONGEST).skip(1);
    behind.find(|part| {
        let name = part.split_whitespace().find(|word| word.len() > 1);
        name.is_some_and(|name| RECEIVERS.contains(&name.to_lowercase().as_str()))
    })?;
    let mut from = 0;
    let mut before = false;
    for part in text.split('|').take(LONGEST) {
        let blanks = part.len() - part.trim_start().len();
        let command = Command::of(part.trim_start());
        let end = from + blanks + command.text.len();
        let name = command.name().to_lowercase();
        if before && receives(&name, &command) {
            return text.get(..end);
        }
        before |= matches!(name.as_str(), "get-content" | "gc")
            && command.arguments().any(|(word, _)| shows(bare(word)))
            || prints(&command)
            || command.arguments().any(|(word, _)| is_secret(word));
        if command.text.len() < part.trim().len() {
            // Another command begins here.
            return None;
        }
        from += part.len() + 1;
    }
    None
}

fn receives(name: &str, command: &Command<'_>) -> bool {
    match name {
        "nc" | "ncat" | "netcat" | "socat" | "telnet" => !listens(command),
        "curl" | "wget" => command
            .arguments()
            .any(|(word, next)| sent(name, word, next).is_some_and(|sent| sent.is_input())),
        "xargs" => {
            let requests = |(word, _)| matches!(word, "curl" | "wget" | "http" | "xh");
            command.arguments().any(requests)
        }
        name => RECEIVERS.contains(&name),
    }
}

/// A command that writes what is not to leave to a socket of another host.
pub fn socket(text: &str) -> Option<&str> {
    let command = Command::of(text);
    let secret = |(word, _)| is_secret(word);
    let gives = prints(&command) || command.arguments().any(secret);
    gives.then_some(command.text)
}

/// A command that copies files with secrets to another host.
pub fn copy(text: &str) -> Option<&str> {
    // What these options name is no file that is copied.
    const OTHERS: [&str; 14] = [
        "-i",
        "-e",
        "-P",
        "-o",
        "-F",
        "-J",
        "-S",
        "-l",
        "--exclude",
        "--exclude-from",
        "--rsh",
        "--profile",
        "--filter",
        "--password-file",
    ];
    let command = Command::of(text);
    // These know where to by themselves, and need no place behind the files.
    let known = matches!(command.name(), "az" | "gh");
    let shell = matches!(command.name(), "scp" | "rsync" | "sftp");
    let (mut kept, mut remote) = (false, known);
    let mut plain = 0;
    let mut option = "";
    for (word, next) in command.arguments() {
        let of = std::mem::replace(&mut option, word);
        let values = ["--file=", "--source=", "--body="];
        let value = values.iter().find_map(|name| word.strip_prefix(name));
        if OTHERS.contains(&of) && !known || word.starts_with('-') && value.is_none() {
            continue;
        }
        if is_remote((bare(word), next), command.name()) {
            remote |= kept || command.name() == "sftp";
        } else {
            kept |= is_secret(value.unwrap_or(word));
            plain += usize::from(word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase()));
        }
        // A sentence is none of a command.
        let ends = word.ends_with('.') && next.starts_with(char::is_uppercase);
        if shell && plain >= 2 || ends && word.len() > 1 && !word.ends_with("/.") {
            return None;
        }
        if kept && remote {
            return Some(command.text);
        }
    }
    None
}

/// Whether a word names a place on another host: `user@host:path`, `s3://bucket`.
fn is_remote((word, next): (&str, &str), name: &str) -> bool {
    if word.contains("://") {
        return true;
    }
    let host = word.split_once(':').map(|(host, _)| host);
    let host = host.or((name == "sftp").then_some(word));
    host.is_some_and(|host| {
        // To those that copy to a host any name is one, but for a disk; in a sentence words go on.
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let alias = matches!(name, "scp" | "rsync")
            && host.len() > 1
            && host.chars().all(plain)
            && (next.is_empty() || !word.ends_with(':'));
        let named = name == "rclone" || alias || host.contains(['@', '.']);
        named && !host.contains(['/', ' ']) && !host.starts_with('.') && host.len() > 1
    })
}
