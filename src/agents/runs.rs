//! Runs: the longest stretches of a sequence that repeat a unit at least twice.
//!
//! Each run has a Lyndon word as its unit, in the order of the symbols or in the reverse order (Bannai et al.
//! 2017). Suffixes are compared by hashes of their prefixes, so n symbols take O(n log n) steps.

use crate::sort::in_order;
use std::cmp::Reverse;

/// A stretch that repeats a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub start: usize,
    /// The end of the stretch, which may be within the unit.
    pub end: usize,
    /// The length of the shortest unit.
    pub period: usize,
}

impl Run {
    /// The number of complete units.
    pub fn repeats(&self) -> usize {
        (self.end - self.start) / self.period
    }
}

/// The runs with at least `least` units, in order of their starts, without those inside a longer run.
pub(super) fn runs(symbols: &[usize], least: usize) -> Vec<Run> {
    let hashes = Hashes::new(symbols);
    let mut found: Vec<Run> = Vec::new();
    for is_reversed in [false, true] {
        for (start, end) in hashes.lyndon_words(is_reversed).into_iter().enumerate() {
            let period = end - start;
            let run =
                Run { start: start - hashes.before(start, end), end: end + hashes.after(start, end), period };
            if run.repeats() >= least {
                found.push(run);
            }
        }
    }
    // Of runs with the same start, the longest first.
    let key = |run: &Run| (run.start, Reverse(run.end), run.period);
    let mut longest: Vec<Run> = Vec::new();
    for run in in_order(&found, |a, b| key(a).cmp(&key(b))) {
        let is_inside = longest.last().is_some_and(|last| run.end <= last.end);
        if !is_inside && is_run(symbols, &run) {
            longest.push(run);
        }
    }
    longest
}

/// Whether the symbols of a run repeat: equal hashes do not prove that.
fn is_run(symbols: &[usize], run: &Run) -> bool {
    let ahead = symbols.get(run.start + run.period..run.end).unwrap_or_default();
    symbols.get(run.start..).is_some_and(|from| from.starts_with(ahead))
}

/// A prime, 2⁶¹ − 1.
const PRIME: u64 = (1 << 61) - 1;

/// An arbitrary number below the prime.
const BASE: u64 = 0x1B87_3593_CC9E_2D51 % PRIME;

fn product(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    let sum = (wide as u64 & PRIME) + (wide >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// Hashes of all prefixes.
struct Hashes<'s> {
    symbols: &'s [usize],
    prefixes: Vec<u64>,
    powers: Vec<u64>,
}

impl<'s> Hashes<'s> {
    fn new(symbols: &'s [usize]) -> Self {
        let (mut prefixes, mut powers) = (vec![0], vec![1]);
        let (mut hash, mut power) = (0, 1);
        for symbol in symbols {
            hash = (product(hash, BASE) + *symbol as u64 + 1) % PRIME;
            power = product(power, BASE);
            prefixes.push(hash);
            powers.push(power);
        }
        Self { symbols, prefixes, powers }
    }

    /// The hash of `length` symbols from `start`.
    fn of(&self, start: usize, length: usize) -> u64 {
        let at = |list: &[u64], index: usize| list.get(index).copied().unwrap_or_default();
        let before = product(at(&self.prefixes, start), at(&self.powers, length));
        (at(&self.prefixes, start + length) + PRIME - before) % PRIME
    }

    /// The largest length up to `most` for which `are_same` holds, which holds for all smaller ones.
    fn longest(most: usize, are_same: impl Fn(usize) -> bool) -> usize {
        let (mut low, mut step) = (0, 1);
        // Most are short.
        while low + step <= most && are_same(low + step) {
            low += step;
            step *= 2;
        }
        while step > 0 {
            if low + step <= most && are_same(low + step) {
                low += step;
            }
            step /= 2;
        }
        low
    }

    /// The number of equal symbols from `one` and from `other` on, which is later.
    fn after(&self, one: usize, other: usize) -> usize {
        let most = self.symbols.len() - other;
        Self::longest(most, |length| self.of(one, length) == self.of(other, length))
    }

    /// The number of equal symbols before `one` and before `other`, which is later.
    fn before(&self, one: usize, other: usize) -> usize {
        Self::longest(one, |length| self.of(one - length, length) == self.of(other - length, length))
    }

    /// The end of the longest Lyndon word that begins at each symbol: where the next smaller suffix begins.
    fn lyndon_words(&self, is_reversed: bool) -> Vec<usize> {
        let count = self.symbols.len();
        let mut ends = vec![count; count];
        let mut later: Vec<usize> = Vec::new();
        for start in (0..count).rev() {
            while let Some(next) = later.last()
                && self.is_less(start, *next, is_reversed)
            {
                later.pop();
            }
            if let Some(end) = ends.get_mut(start) {
                *end = later.last().copied().unwrap_or(count);
            }
            later.push(start);
        }
        ends
    }

    /// Whether the suffix at `one` is smaller than that at `other`, which is later.
    fn is_less(&self, one: usize, other: usize, is_reversed: bool) -> bool {
        let same = self.after(one, other);
        match (self.symbols.get(one + same), self.symbols.get(other + same)) {
            (Some(one), Some(other)) => (one < other) != is_reversed,
            // The later suffix is a prefix, so it is smaller in both orders.
            _ => false,
        }
    }
}
