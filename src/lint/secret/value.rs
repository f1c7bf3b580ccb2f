//! What a value looks like: a password, something random, a word.

use super::{RANDOM, table};

/// Whether nearly all of it is one character.
pub(super) fn is_monotone(secret: &str) -> bool {
    let tail = secret.rsplit(['_', '-']).next().unwrap_or(secret);
    let mut bytes: Vec<u8> = tail.bytes().collect();
    bytes.sort_unstable();
    bytes.dedup();
    tail.len() >= 6 && bytes.len() <= 2
}

/// Whether a value is no word, name of a variable, call or placeholder.
pub(super) fn is_password(lower: &str, secret: &str) -> bool {
    let plain = lower.trim_matches(|c: char| !c.is_alphanumeric());
    if table::NO_PASSWORDS.contains(&plain)
        || is_made_up(plain)
        || secret.starts_with([
            '$', '%', '{', '[', '(', '/', '.', '@', '*', '~', '#', '&', '|',
        ])
    {
        return false;
    }
    if secret.contains(['(', '[', '{']) || lower.starts_with("http") {
        return false;
    }
    // `!vault` and `!GetAtt` of YAML say where it is.
    let tag = secret.strip_prefix('!');
    if tag.is_some_and(|tag| tag.chars().all(char::is_alphabetic)) {
        return false;
    }
    let letters = secret.chars().any(char::is_alphabetic);
    let digits = secret.chars().any(|c| c.is_ascii_digit());
    let signs = secret
        .chars()
        .any(|c| matches!(c, '!' | '@' | '#' | '$' | '%' | '^' | '&' | '*' | '?' | '+'));
    // `min-8-chars` and `docs/auth.md` are words with signs between them.
    let parts: Vec<&str> = secret
        .split(['-', '_', '.', '/', ':'])
        .filter(|part| !part.is_empty())
        .collect();
    let word = |part: &&str| {
        let all = |test: fn(&char) -> bool| part.chars().all(|c| test(&c));
        // `east1` and `v2` are words as well.
        let name = part
            .strip_suffix(|c: char| c.is_ascii_digit())
            .unwrap_or(part);
        name.chars().all(char::is_alphabetic)
            || all(|c| c.is_ascii_digit())
            || table::TELLING.contains(&part.to_lowercase().as_str())
    };
    let words = parts.len() >= 2 && parts.iter().all(word);
    let algorithm = lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| table::ALGORITHMS.contains(&part));
    letters && (digits || signs) && !words && !algorithm
}

/// Whether a password says that it protects nothing: words of development, and a short number.
fn is_made_up(lower: &str) -> bool {
    let bare = lower.trim_end_matches(|c: char| !c.is_ascii_lowercase());
    let mut rest = bare;
    let mut telling = false;
    while !rest.is_empty() {
        let words = table::MADE_UP
            .iter()
            .filter(|(word, _)| rest.starts_with(word));
        let Some((word, tells)) = words.max_by_key(|(word, _)| word.len()) else {
            return false;
        };
        telling |= tells;
        rest = rest.get(word.len()..).unwrap_or_default();
        rest = rest.trim_start_matches(['-', '_', '.']);
    }
    telling && lower.len() - bare.len() <= 4
}

/// Whether capitals, small letters and digits stand so mixed in a value as in no name.
pub(super) fn is_mixed(secret: &str) -> bool {
    let class = |byte: u8| match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let classes: Vec<u8> = secret.bytes().map(class).collect();
    let pairs = classes.iter().zip(classes.iter().skip(1));
    let turns = pairs.filter(|(a, b)| a != b).count();
    let has =
        |class: u8, least: usize| classes.iter().filter(|one| **one == class).count() >= least;
    classes.len() >= 10 && turns * 2 >= classes.len() && has(0, 2) && has(1, 2) && has(2, 2)
}

/// How many times digits stand in a value, by what stands between them.
pub(super) fn groups(secret: &str) -> usize {
    let digits = secret.split(|c: char| !c.is_ascii_digit());
    digits.filter(|digits| !digits.is_empty()).count()
}

/// Whether a value is random and neither the hash of something nor an id.
pub(super) fn is_keylike(secret: &str) -> bool {
    const COMMIT: usize = 40;
    const CHECKSUM: usize = 64;
    let hex = secret.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hash = hex && (secret.len() < RANDOM * 2 || [COMMIT, CHECKSUM].contains(&secret.len()));
    let parts: Vec<usize> = secret.split('-').map(str::len).collect();
    let id = parts == [8, 4, 4, 4, 12];
    // A name of joined words has no two capitals beside each other.
    let upper = |byte: &u8| byte.is_ascii_uppercase();
    let joined = secret.bytes().any(|byte| upper(&byte))
        && !secret
            .as_bytes()
            .windows(2)
            .any(|two| two.iter().all(upper));
    let mixed = !joined && (groups(secret) >= 3 || is_mixed(secret));
    !hash && !id && is_random(secret) && mixed
}

/// Whether a value looks random: letters and digits, long, of many different characters.
pub(super) fn is_random(secret: &str) -> bool {
    let secret = secret.trim_end_matches(['.', ')', ']', '}', '*', ':', '|']);
    if !is_password(&secret.to_lowercase(), secret) || secret.len() < RANDOM {
        return false;
    }
    let hex = secret.bytes().all(|b| b.is_ascii_hexdigit());
    let path = secret.matches('/').count() >= 2 && secret.contains('.');
    let digits = secret.bytes().filter(u8::is_ascii_digit).count();
    let wanted = if hex { 2.5 } else { 3.0 };
    !path && digits >= 2 && entropy(secret) >= wanted
}

/// Shannon's entropy of a text's bytes, in bits for each.
pub(super) fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let all = text.len().max(1) as f64;
    let parts = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / all);
    parts.map(|part| -part * part.log2()).sum()
}
