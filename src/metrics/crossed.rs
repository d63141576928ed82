//! Texts that have crossed as one, with a line feed between them: so a list of them crosses in one piece.

/// Takes them apart again, one after the other. Their lengths are counted as JavaScript does, in UTF-16 code units.
pub struct CrossedTexts<'t> {
    rest: &'t str,
    lengths: std::slice::Iter<'t, u32>,
    /// Where all characters are ASCII, lengths are those in bytes.
    is_ascii: bool,
}

impl<'t> CrossedTexts<'t> {
    /// The texts of these lengths.
    pub fn new(text: &'t str, lengths: &'t [u32]) -> Self {
        Self { rest: text, lengths: lengths.iter(), is_ascii: text.is_ascii() }
    }

    /// The next one; an empty one where there is none.
    pub fn take(&mut self) -> &'t str {
        let length = self.lengths.next().map_or(0, |length| *length as usize);
        let bytes = if self.is_ascii { length } else { bytes_of(self.rest, length) };
        let (own, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest.strip_prefix('\n').unwrap_or(rest);
        own
    }

    /// The next ones.
    pub fn take_many(&mut self, count: u32) -> Vec<&'t str> {
        (0..count).map(|_| self.take()).collect()
    }
}

/// How many bytes some code units of UTF-16 take.
fn bytes_of(text: &str, units: usize) -> usize {
    let mut seen = 0;
    let is_beyond = |byte: &u8| {
        // A character has one byte that is not 10xxxxxx, and two units if that is 11110xxx.
        let is_first = byte & 0xc0 != 0x80;
        let is_beyond = is_first && seen >= units;
        seen += usize::from(is_first) + usize::from(*byte >= 0xf0);
        is_beyond
    };
    text.as_bytes().iter().position(is_beyond).unwrap_or(text.len())
}
