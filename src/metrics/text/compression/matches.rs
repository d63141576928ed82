//! Finds repetitions as zlib does at level 9: compares each position with earlier ones that begin with the
//! same three bytes, latest first. A match counts only if the next position has no longer one (lazy
//! matching).

use super::blocks::Blocks;

/// The size of the sliding window.
const WINDOW: usize = 1 << 15;
const SHORTEST: usize = 3;
const LONGEST: usize = 258;
/// The largest distance of a match.
const FARTHEST: usize = WINDOW - LONGEST - SHORTEST - 1;
/// A match of three bytes beyond this distance does not save bits.
const TOO_FAR: usize = 4096;
/// The most positions to compare; a quarter of it if the previous match is good already.
const MAX_TRIES: usize = 4096;
const GOOD: usize = 32;

/// Earlier positions by hash of their first three bytes. Position 0 means none, as in zlib.
struct Chains {
    latest: Vec<u32>,
    before: Vec<u32>,
}

impl Chains {
    /// Adds a position, and returns the latest one with the same three bytes.
    fn add(&mut self, bytes: &[u8], place: usize) -> usize {
        let Some([first, second, third]) = bytes.get(place..place + SHORTEST) else { return 0 };
        let hash = usize::from(*first) << 10 ^ usize::from(*second) << 5 ^ usize::from(*third);
        // The number of chains is a power of two.
        let chain = hash & (self.latest.len() - 1);
        let (Some(latest), Some(before)) = (self.latest.get_mut(chain), self.before.get_mut(place % WINDOW))
        else {
            return 0;
        };
        *before = *latest;
        *latest = place as u32;
        *before as usize
    }

    /// The longest match at a position that is longer than `length`, starting with a candidate: its length
    /// and start.
    fn longest(&self, bytes: &[u8], place: usize, candidate: usize, length: usize) -> Option<(usize, usize)> {
        let here = bytes.get(place..).unwrap_or_default();
        let here = here.get(..LONGEST).unwrap_or(here);
        let end = place.saturating_sub(FARTHEST);
        let (mut candidate, mut length, mut found) = (candidate, length, None);
        for _ in 0..if length >= GOOD { MAX_TRIES / 4 } else { MAX_TRIES } {
            let there = bytes.get(candidate..).unwrap_or_default();
            // A match that differs at its current end cannot be longer.
            if here.get(length) == there.get(length) && here.get(length - 1) == there.get(length - 1) {
                let equal = here.iter().zip(there).take_while(|(one, other)| one == other).count();
                if equal > length {
                    (length, found) = (equal, Some((equal, candidate)));
                }
            }
            if length >= here.len() {
                break;
            }
            candidate = self.before.get(candidate % WINDOW).map_or(0, |before| *before as usize);
            if candidate <= end {
                break;
            }
        }
        found
    }
}

/// The size of zlib's raw DEFLATE stream for some bytes.
pub fn deflated_length(bytes: &[u8]) -> usize {
    // If all positions can be compared, collisions of chains do not matter.
    let chains = if bytes.len() <= MAX_TRIES / 4 { MAX_TRIES / 4 } else { WINDOW };
    let mut chains = Chains { latest: vec![0; chains], before: vec![0; bytes.len().min(WINDOW)] };
    let mut blocks = Blocks::new();
    // The match at the previous position.
    let (mut last_length, mut last_start) = (SHORTEST - 1, 0);
    let mut is_byte_left = false;
    let mut place = 0;
    while place < bytes.len() {
        let candidate = chains.add(bytes, place);
        let (mut length, mut start) = (SHORTEST - 1, 0);
        if candidate > 0 && last_length < LONGEST && place - candidate <= FARTHEST {
            (length, start) = chains.longest(bytes, place, candidate, last_length).unwrap_or((length, start));
            if length == SHORTEST && place - start > TOO_FAR {
                length = SHORTEST - 1;
            }
        }
        if last_length >= SHORTEST && length <= last_length {
            let end = place - 1 + last_length;
            for within in place + 1..end {
                chains.add(bytes, within);
            }
            place = end;
            blocks.repeat(last_length, place - last_length - last_start);
            blocks.end_if_full(place);
            (last_length, is_byte_left) = (SHORTEST - 1, false);
            continue;
        }
        if is_byte_left {
            blocks.byte(bytes.get(place - 1).copied().unwrap_or_default());
            blocks.end_if_full(place);
        }
        (is_byte_left, last_length, last_start) = (true, length, start);
        place += 1;
    }
    if is_byte_left {
        blocks.byte(bytes.last().copied().unwrap_or_default());
    }
    blocks.end(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of Python's `len(zlib.compress(data, 9, -15))`.
    #[test]
    fn as_many_bytes_as_zlib_makes() {
        let numbers = (0..60_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8);
        let lines = (0..9_000_u32).map(|line| format!("{} is {}\n", line * 7919 % 9973, line * line % 977));
        for (bytes, length) in [
            (Vec::new(), 2),
            (b"a".to_vec(), 3),
            (b"to be or not to be, that is the question".to_vec(), 38),
            (vec![b'a'; 100_000], 115),
            (numbers.collect(), 2949),
            (lines.collect::<String>().into_bytes(), 40_052),
        ] {
            assert_eq!(deflated_length(&bytes), length, "{} bytes", bytes.len());
        }
    }
}
