//! The hints of verdicts as a list shows them: what several share stands above them once.

use itertools::Itertools as _;

/// A hint in the words that the hints of a group share, and those of one memory alone: quoted words,
/// numbers with their unit, and parts behind the first that begin with either.
pub fn parted(hint: &str) -> (String, String) {
    let begins = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let mut parts: Vec<Vec<(bool, &str)>> = vec![Vec::new()];
    for (n, text) in hint.split('`').enumerate() {
        let is_quoted = n % 2 == 1;
        let pieces = match is_quoted {
            true => vec![text],
            false => text.split_whitespace().collect(),
        };
        for (at, piece) in pieces.iter().enumerate() {
            let plain = piece.trim_end_matches([';', ':']);
            let bare = if is_quoted { piece } else { plain };
            let is_line = bare == "line" && pieces.get(at + 1).is_some_and(|next| begins(next));
            let is_own = is_quoted || is_line || begins(bare);
            let part = parts.last_mut().filter(|_| !["", ","].contains(&bare));
            part.into_iter().for_each(|part| part.push((is_own, bare)));
            if bare.len() < piece.len() && bare != "," {
                parts.push(Vec::new());
            }
        }
    }
    let (mut shared, mut own) = (Vec::new(), Vec::new());
    for (n, part) in parts.iter().enumerate() {
        let words = |part: &[(bool, &str)]| part.iter().map(|(_, word)| *word).join(" ");
        let is_own = |(is_own, _): &(bool, &str)| *is_own;
        let Some(first) = part.iter().position(is_own) else {
            shared.push(words(part));
            continue;
        };
        // `line 26`, `then 10 points`
        if n > 0 && first < 2 {
            own.push(words(part));
            continue;
        }
        let last = part.iter().rposition(is_own).unwrap_or(first) + 1;
        let (before, rest) = part.split_at(first);
        let is_number = matches!(rest, [(_, text), ..] if begins(text));
        let unit = usize::from(is_number && first == 0 && last < part.len());
        let (middle, after) = rest.split_at(last - first + unit);
        own.push(words(middle));
        let noun = match middle {
            _ if is_number => "",
            [(_, "line"), ..] => "a line ",
            [_] => "the word ",
            _ => "the words ",
        };
        let text = format!("{} {noun}{}", words(before), words(after));
        shared.push(text.trim().to_owned());
    }
    (shared.join("; "), own.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    #[test]
    fn a_hint_is_parted_into_shared_words_and_own_ones() {
        for (hint, shared, own) in rows! {
            "add `ledger` to whenToUse" => "add the word to whenToUse" => "ledger",
            "add `ledger` to whenToUse; then 20 points short" =>
                "add the word to whenToUse" => "ledger, then 20 points short",
            "line 42 of MEMORY.md lists it" => "a line of MEMORY.md lists it" => "line 42",
            "`urgent` is no importance" => "the word is no importance" => "urgent",
            "Windows line ends" => "Windows line ends" => "",
            "11 points short of it" => "short of it" => "11 points",
            "too little for the hook: `fix`, `fog`: 3 of 10 points; line 4 lists it" =>
                "too little for the hook" => "fix fog, 3 of 10 points, line 4 lists it",
            "given for `fog`, `a: b`" => "given for the words" => "fog a: b",
        } {
            assert_eq!(parted(hint), (shared.to_owned(), own.to_owned()));
        }
    }
}
