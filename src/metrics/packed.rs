//! Splits texts that JavaScript passes as one, separated by line feeds: one string crosses faster than a
//! list.

/// Splits a text by lengths, which count UTF-16 code units as JavaScript does. Missing texts are empty.
pub fn unpack<'t>(mut rest: &'t str, lengths: &[u32]) -> Vec<&'t str> {
    let text = |length: &u32| {
        let (own, after) = rest.split_at_checked(bytes_of(rest, *length as usize)).unwrap_or((rest, ""));
        rest = after.strip_prefix('\n').unwrap_or(after);
        own
    };
    lengths.iter().map(text).collect()
}

/// Takes the first `count` elements off a list.
pub fn take<'t, T>(rest: &mut &'t [T], count: u32) -> &'t [T] {
    let (own, after) = rest.split_at_checked(count as usize).unwrap_or((rest, &[]));
    *rest = after;
    own
}

/// The length in bytes of the first UTF-16 code units of a text.
fn bytes_of(text: &str, units: usize) -> usize {
    let bytes = text.as_bytes();
    if bytes.get(..units).is_some_and(<[u8]>::is_ascii) {
        return units;
    }
    let mut seen = 0;
    let is_beyond = |byte: &u8| {
        // Each character has one byte that is not 10xxxxxx. It has two code units if that byte is 11110xxx.
        let is_first = byte & 0xc0 != 0x80;
        let is_beyond = is_first && seen >= units;
        seen += usize::from(is_first) + usize::from(*byte >= 0xf0);
        is_beyond
    };
    bytes.iter().position(is_beyond).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_apart() {
        let found = unpack("a\n\n😀é\n\nb\nc", &[1, 0, 3, 0, 1, 1]);
        assert_eq!(found, ["a", "", "😀é", "", "b", "c"]);
    }

    #[test]
    fn missing_texts_are_empty() {
        assert_eq!(unpack("ab", &[3, 1]), ["ab", ""]);
        let mut rest = [1, 2, 3].as_slice();
        assert_eq!([take(&mut rest, 2), take(&mut rest, 2), take(&mut rest, 1)], [&[1, 2][..], &[3], &[]]);
    }
}
