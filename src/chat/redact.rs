//! Keys in what a server says: it may repeat those that it was sent, plainly or escaped.

/// What stands in the place of a secret.
const REDACTED: &str = "[redacted]";

/// A shorter secret is only one where it is a word of its own: it may be a part of any other. Of what was cut off, so
/// much of the beginning of a longer one tells something.
const LONG: usize = 8;

/// The text without these secrets, also where they are escaped as JSON or as part of an address.
pub fn redact(text: &str, secrets: &[String]) -> String {
    secrets.iter().fold(text.to_owned(), |text, secret| without(&text, secret))
}

fn without(text: &str, secret: &str) -> String {
    let is_short = secret.chars().count() < LONG;
    let mut redacted = String::new();
    let mut rest = text;
    let mut in_word = false;
    while let Some(first) = rest.chars().next() {
        let behind = if in_word { None } else { behind(rest, secret) };
        match behind.filter(|behind| !(is_short && behind.chars().next().is_some_and(is_letter))) {
            Some(behind) => {
                redacted.push_str(REDACTED);
                rest = behind;
            }
            None => {
                let length = if is_short && first == '\\' { escape(rest) } else { first.len_utf8() };
                let (seen, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
                redacted.push_str(seen);
                in_word = is_short && is_letter(first);
                rest = behind;
            }
        }
    }
    redacted
}

/// Whether words consist of such characters; the tables for all the world's punctuation would be larger than this.
fn is_letter(char: char) -> bool {
    char.is_ascii_alphanumeric() || !char.is_ascii()
}

/// What stands behind the secret, if the text begins with it; or with most of it, where the text was cut off.
fn behind<'t>(text: &'t str, secret: &str) -> Option<&'t str> {
    let mut rest = text;
    for (count, char) in secret.chars().enumerate() {
        match behind_char(rest, char) {
            Some(behind) => rest = behind,
            None => return Some(rest).filter(|rest| rest.is_empty() && count >= LONG),
        }
    }
    Some(rest).filter(|_| !secret.is_empty())
}

/// The same for a character, which may be written as `\/`, `\u002f` or `%2F`; what escapes was perhaps escaped, too.
fn behind_char(text: &str, char: char) -> Option<&str> {
    let coded = |hex: &str, length| {
        let (code, behind) = hex.split_at_checked(length)?;
        let code = code.chars().try_fold(0, |code, digit| Some(code * 16 + digit.to_digit(16)?));
        (code == Some(char.into())).then_some(behind.len())
    };
    let length = match text.strip_prefix(char) {
        Some(behind) => Some(behind.len()),
        None => match text.strip_prefix('%') {
            Some(hex) => coded(hex, 2),
            None => {
                let escaped = text.strip_prefix('\\')?.trim_start_matches('\\');
                let code = escaped.strip_prefix('u').and_then(|hex| coded(hex, 4));
                code.or_else(|| escaped.strip_prefix(char).map(str::len))
            }
        },
    };
    text.get(text.len() - length?..)
}

/// How long the escape is with which a text begins, such as `\n` or `\u000a`: no word goes on behind it.
fn escape(text: &str) -> usize {
    let escaped = text.trim_start_matches('\\');
    let first = escaped.chars().next().map_or(0, char::len_utf8);
    let code = if escaped.starts_with('u') { 4 } else { 0 };
    text.len() - escaped.len() + first + code
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn redacted(text: &str, secret: &str) -> String {
        redact(text, &[secret.to_owned()])
    }

    #[test]
    fn long_secrets_are_found_in_words_and_in_every_spelling() {
        let key = "sk-a/b+12\"34";
        for spelled in [
            key,
            r#"sk-a\/b+12\"34"#,
            r#"sk-a\\/b\\u002B12\\\"34"#,
            r#"\u0073k-a\u002fb\u002b12\u002234"#,
            "sk-a%2Fb%2b12%2234",
        ] {
            assert_eq!(
                redacted(&format!("x{spelled}x{spelled}"), key),
                "x[redacted]x[redacted]",
                "{spelled}"
            );
        }
        assert_eq!(redacted(r"\sk-a\nsk-a/b+13", key), r"\sk-a\nsk-a/b+13");
        assert_eq!(redacted("see sk-a/b+1", key), "see [redacted]");
        assert_eq!(redacted("see sk-a/b+", key), "see sk-a/b+");
    }

    #[test]
    fn short_ones_are_words() {
        let key = "abc12";
        assert_eq!(
            redacted("abc12 xabc12 abc123 (abc12), ^abc12", key),
            "[redacted] xabc12 abc123 ([redacted]), ^[redacted]"
        );
        assert_eq!(
            redacted(r#""a\nabc12\u000aabc12\\tabc12""#, key),
            r#""a\n[redacted]\u000a[redacted]\\t[redacted]""#
        );
        assert_eq!(redacted("abc1", key), "abc1");
        assert_eq!(redacted("a", ""), "a");
    }

    proptest! {
        #[test]
        fn nothing_is_left_and_nothing_else_is_lost(before in "[ab\\\\%u0é]{0,9}", after in "[xy\\\\%u0é]{0,9}") {
            let key = "key-of-mine";
            prop_assert_eq!(redacted(&format!("{before}{key}{after}"), key), format!("{}[redacted]{after}", before.trim_end_matches('\\')));
            prop_assert_eq!(redacted(&before, key), before);
        }
    }
}
