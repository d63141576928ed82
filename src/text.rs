//! Functions for texts. Those that search take a tenth of the code of the standard library's, whose search takes
//! linear time for any pattern. This has no benefit for patterns of a few characters.

/// The byte index of the first `part` in `text`. An empty part is never found.
pub fn find(text: &str, part: &str) -> Option<usize> {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let first = part.first()?;
    let mut at = 0;
    loop {
        at += text.get(at..)?.iter().position(|byte| byte == first)?;
        if text.get(at..)?.starts_with(part) {
            return Some(at);
        }
        at += 1;
    }
}

/// The text before and after the first `separator`.
pub fn split_once<'t>(text: &'t str, separator: &str) -> Option<(&'t str, &'t str)> {
    let (before, rest) = text.split_at_checked(find(text, separator)?)?;
    Some((before, rest.strip_prefix(separator)?))
}

/// The text with every `part` replaced by `by`.
pub fn replace(mut text: &str, part: &str, by: &str) -> String {
    let mut replaced = String::new();
    while let Some((before, rest)) = split_once(text, part) {
        replaced.push_str(before);
        replaced.push_str(by);
        text = rest;
    }
    replaced + text
}

/// The texts with a separator between them. The standard library's `join` takes more code, to reserve the right amount of
/// memory.
pub fn joined<T: AsRef<str>>(texts: &[T], separator: &str) -> String {
    let mut joined = String::new();
    for (index, text) in texts.iter().enumerate() {
        joined.push_str(if index > 0 { separator } else { "" });
        joined.push_str(text.as_ref());
    }
    joined
}

/// The first `count` characters of a text that has more.
pub fn beginning(text: &str, count: usize) -> Option<&str> {
    let (end, _) = text.char_indices().nth(count)?;
    text.get(..end)
}

/// A text for messages: its first characters if it is long.
pub fn excerpt(text: &str) -> String {
    beginning(text, 40).map_or_else(|| text.to_owned(), |start| [start, "…"].concat())
}

/// Two sequences of characters or words without their common prefix and suffix.
pub fn without_common_ends<'s, T: PartialEq>(a: &'s [T], b: &'s [T]) -> (&'s [T], &'s [T]) {
    let (a, b) = without_common_start(a, b);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(one, other)| one == other).count();
    (a.get(..a.len() - end).unwrap_or_default(), b.get(..b.len() - end).unwrap_or_default())
}

/// Two sequences of characters or words without their common prefix.
pub fn without_common_start<'s, T: PartialEq>(a: &'s [T], b: &'s [T]) -> (&'s [T], &'s [T]) {
    let start = a.iter().zip(b).take_while(|(one, other)| one == other).count();
    (a.get(start..).unwrap_or_default(), b.get(start..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_standard_library(text in "[abé😀]{0,12}", part in "[abé😀]{1,3}") {
            prop_assert_eq!(find(&text, &part), text.find(&part));
            prop_assert_eq!(split_once(&text, &part), text.split_once(&part));
            prop_assert_eq!(replace(&text, &part, "-"), text.replace(&part, "-"));
        }
    }

    #[test]
    fn separators_are_between_texts() {
        assert_eq!(joined(&["", "a", ""], ", "), ", a, ");
        assert_eq!(joined::<&str>(&[], ", "), "");
    }

    #[test]
    fn beginnings_are_shorter_than_their_text() {
        assert_eq!((beginning("né😀", 2), beginning("né😀", 3)), (Some("né"), None));
        assert_eq!((beginning("a", 0), beginning("", 0)), (Some(""), None));
    }

    #[test]
    fn common_ends_do_not_overlap() {
        assert_eq!(without_common_ends(b"abcab", b"abxab"), (&b"c"[..], &b"x"[..]));
        assert_eq!(without_common_ends(b"aa", b"aaa"), (&b""[..], &b"a"[..]));
    }

    #[test]
    fn an_empty_part_is_nowhere() {
        assert_eq!((find("a", ""), find("", "a"), replace("a", "", "b").as_str()), (None, None, "a"));
    }
}
