//! The size of DEFLATE blocks (RFC 1951), each in its smallest encoding: stored, fixed codes, or dynamic
//! codes.

use super::trees::lengths;

/// The number of symbols in a block.
const MAX_SYMBOLS: usize = (1 << 14) - 1;
/// The end-of-block symbol: bytes come before it, match lengths after it.
const END: usize = 256;
const SYMBOLS: usize = END + 30;
const DISTANCES: usize = 30;
/// The bits of a block header: the final flag and the block type.
const HEAD: usize = 3;
/// The order in which code lengths are written. Trailing zeros are omitted.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The finished blocks, and the current one.
pub struct Blocks {
    bits: usize,
    /// The start of the current block.
    start: usize,
    symbols: usize,
    /// The frequency of each symbol.
    literals: Vec<u32>,
    distances: Vec<u32>,
}

impl Blocks {
    /// An empty block.
    pub fn new() -> Self {
        let (literals, distances) = empty();
        Self { bits: 0, start: 0, symbols: 0, literals, distances }
    }

    /// Adds a byte.
    pub fn byte(&mut self, byte: u8) {
        self.symbols += 1;
        increase(&mut self.literals, byte.into());
    }

    /// Adds a match.
    pub fn repeat(&mut self, length: usize, distance: usize) {
        self.symbols += 1;
        increase(&mut self.literals, END + 1 + length_code(length));
        increase(&mut self.distances, distance_code(distance));
    }

    /// Ends the block if it is full. `place` is the current position in the text.
    pub fn end_if_full(&mut self, place: usize) {
        if self.symbols == MAX_SYMBOLS {
            self.end(place);
        }
    }

    /// Ends the block, and returns the size of all blocks in bytes.
    pub fn end(&mut self, place: usize) -> usize {
        let [symbols, distances] = [lengths(&self.literals, 15), lengths(&self.distances, 15)];
        let of_own = bits(&self.literals, |symbol| at(&symbols, symbol) + extra_bits(symbol))
            + bits(&self.distances, |code| at(&distances, code) + extra_of_distance(code))
            + table_bits(&symbols, &distances);
        let of_all = bits(&self.literals, |symbol| common_length(symbol) + extra_bits(symbol))
            + bits(&self.distances, |code| 5 + extra_of_distance(code));
        let [of_own_bytes, of_all_bytes] = [of_own, of_all].map(|bits| (bits + HEAD).div_ceil(8));
        let length = place - self.start;
        self.bits = if length + 4 <= of_own_bytes.min(of_all_bytes) {
            // A stored block starts at a byte boundary.
            ((self.bits + HEAD).div_ceil(8) + 4 + length) * 8
        } else if of_all_bytes <= of_own_bytes {
            self.bits + HEAD + of_all
        } else {
            self.bits + HEAD + of_own
        };
        (self.start, self.symbols) = (place, 0);
        (self.literals, self.distances) = empty();
        self.bits.div_ceil(8)
    }
}

/// The frequencies of symbols in an empty block, which has only its end symbol, and of distances.
fn empty() -> (Vec<u32>, Vec<u32>) {
    let mut literals = vec![0; SYMBOLS];
    increase(&mut literals, END);
    (literals, vec![0; DISTANCES])
}

fn increase(counts: &mut [u32], place: usize) {
    if let Some(count) = counts.get_mut(place) {
        *count += 1;
    }
}

fn at(values: &[usize], place: usize) -> usize {
    values.get(place).copied().unwrap_or_default()
}

/// The bits of all symbols with these frequencies.
fn bits(counts: &[u32], length: impl Fn(usize) -> usize) -> usize {
    let occurring = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    occurring.map(|(symbol, count)| *count as usize * length(symbol)).sum()
}

/// The code length of a symbol in the fixed code.
fn common_length(symbol: usize) -> usize {
    match symbol {
        144..256 => 9,
        256..280 => 7,
        _ => 8,
    }
}

/// The code of a match length: the extra bits grow with every fourth code.
fn length_code(length: usize) -> usize {
    match length {
        258 => 28,
        _ => code_of(length - 3, 4),
    }
}

/// The number of extra bits after a symbol.
fn extra_bits(symbol: usize) -> usize {
    match symbol.checked_sub(END + 1) {
        None | Some(..8 | 28) => 0,
        Some(code) => code / 4 - 1,
    }
}

/// The code of a distance: the extra bits grow with every second code.
fn distance_code(distance: usize) -> usize {
    code_of(distance - 1, 2)
}

fn extra_of_distance(code: usize) -> usize {
    (code / 2).saturating_sub(1)
}

/// The code of a number, where `every` codes have the same number of extra bits.
fn code_of(number: usize, every: usize) -> usize {
    if number < 2 * every {
        return number;
    }
    let extra = (number / every).ilog2() as usize;
    every * extra + (number >> extra)
}

/// The bits of the code length table of a dynamic block.
fn table_bits(symbols: &[usize], distances: &[usize]) -> usize {
    let mut counts = vec![0; ORDER.len()];
    count_lengths(symbols, &mut counts);
    count_lengths(distances, &mut counts);
    let codes = lengths(&counts, 7);
    let left_out = ORDER.iter().skip(4).rev().take_while(|code| at(&codes, **code) == 0).count();
    let extra = |code: usize| match code {
        16 => 2,
        17 => 3,
        18 => 7,
        _ => 0,
    };
    let written = bits(&counts, |code| at(&codes, code) + extra(code));
    5 + 5 + 4 + 3 * (ORDER.len() - left_out) + written
}

/// Counts the symbols that encode code lengths: 16 repeats the previous length 3 to 6 times; 17 and 18 are 3
/// to 10, and 11 to 138 zeros.
fn count_lengths(lengths: &[usize], counts: &mut [u32]) {
    let mut last = None;
    for run in lengths.chunk_by(|one, other| one == other) {
        let Some(length) = run.first().copied() else { continue };
        let mut left = run.len();
        while left > 0 {
            let (least, most) = match length {
                0 => (3, 138),
                _ if last == Some(length) => (3, 6),
                _ => (4, 7),
            };
            let part = left.min(most);
            if part < least {
                (0..part).for_each(|_| increase(counts, length));
            } else if length > 0 {
                if last != Some(length) {
                    increase(counts, length);
                }
                increase(counts, 16);
            } else {
                increase(counts, if part <= 10 { 17 } else { 18 });
            }
            left -= part;
            last = Some(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_standard() {
        for (length, code, extra) in [
            (3, 0, 0),
            (10, 7, 0),
            (11, 8, 1),
            (12, 8, 1),
            (13, 9, 1),
            (19, 12, 2),
            (257, 27, 5),
            (258, 28, 0),
        ] {
            assert_eq!((length_code(length), extra_bits(END + 1 + code)), (code, extra), "{length}");
        }
        for (distance, code, extra) in
            [(1, 0, 0), (4, 3, 0), (5, 4, 1), (7, 5, 1), (9, 6, 2), (24577, 29, 13), (32768, 29, 13)]
        {
            assert_eq!((distance_code(distance), extra_of_distance(code)), (code, extra), "{distance}");
        }
    }
}
