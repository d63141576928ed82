//! pass@k and pass^k: the probability that repeated attempts pass.

use super::interval::{Estimate, Units};
use super::share;
use serde::{Deserialize, Serialize};

/// Whether one of `k` attempts has to pass, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Passes {
    /// pass@k (Chen et al., *Evaluating large language models trained on code*, 2021).
    Once,
    /// pass^k (Yao et al., *τ-bench*, 2024).
    Always,
}

/// The probability that attempts pass, averaged over the examples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PassChance {
    /// The mean over the examples with at least `k` attempts, from 0 to 1, with its interval.
    pub estimate: Estimate,
    /// The number of examples with at least `k` attempts.
    pub examples: u32,
    /// The number of examples left out because they have fewer than `k` attempts.
    pub left_out: u32,
}

/// The probability that `k` attempts pass. `passed` is 1 or 0 for each attempt; the attempts at an example
/// are a unit. In the interval, an example counts as at most `attempts / k` samples, the number of disjoint sets of `k`
/// attempts.
pub fn chance(passes: Passes, k: f64, passed: &[f64], attempts: &Units, level: f64) -> PassChance {
    let (mut estimates, mut sets) = (Vec::new(), 0.0);
    for example in 0..attempts.count() {
        let count = attempts.size(example);
        if count >= k {
            estimates.push(estimate(passes, count, attempts.sum(example, passed), k));
            sets += count / k;
        }
    }
    let examples = estimates.len() as u32;
    PassChance {
        estimate: share::of_values_worth(&estimates, sets, level),
        examples,
        left_out: attempts.count() as u32 - examples,
    }
}

/// The probability that `k` attempts pass, drawn without replacement from `count` attempts: the unbiased
/// estimate `C(passed, k) / C(count, k)` for all of them, and 1 minus the probability that all fail for one
/// of them. NaN for fewer than `k` attempts.
pub fn estimate(passes: Passes, count: f64, passed: f64, k: f64) -> f64 {
    if count < k {
        return f64::NAN;
    }
    match passes {
        Passes::Always => all_of(passed, count, k),
        Passes::Once => 1.0 - all_of(count - passed, count, k),
    }
}

/// `C(some, k) / C(count, k)`, computed factor by factor so that nothing overflows.
fn all_of(some: f64, count: f64, k: f64) -> f64 {
    let mut chance = 1.0;
    let mut drawn = 0.0;
    while drawn < k && chance > 0.0 {
        chance *= (some - drawn).max(0.0) / (count - drawn);
        drawn += 1.0;
    }
    chance
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The share of all sets of `k` attempts that pass, by enumeration.
    fn brute_force(passes: Passes, count: u32, passed: u32, k: u32) -> f64 {
        let sets = (0_u32..1 << count).filter(|set| set.count_ones() == k);
        let passing = (1_u32 << passed) - 1;
        let (mut all, mut good) = (0.0, 0.0);
        for set in sets {
            all += 1.0;
            good += f64::from(match passes {
                Passes::Once => set & passing != 0,
                Passes::Always => set & passing == set,
            });
        }
        good / all
    }

    proptest! {
        #[test]
        fn is_the_share_of_all_sets(count in 1_u32..11, passed in 0_u32..11, k in 1_u32..11) {
            let (passed, k) = (passed.min(count), k.min(count));
            for passes in [Passes::Once, Passes::Always] {
                let estimate = estimate(passes, count.into(), passed.into(), k.into());
                prop_assert!((estimate - brute_force(passes, count, passed, k)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn examples_without_enough_attempts_are_left_out() {
        let attempts = Units::of(&[0, 0, 0, 1, 2, 2]);
        let passed = [1.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let chance = |passes| chance(passes, 2.0, &passed, &attempts, 0.95);
        // Two of the first example's three pairs have the passing attempt, and none has two.
        let PassChance { estimate, examples, left_out } = chance(Passes::Once);
        assert!((estimate.value.unwrap() - (2.0 / 3.0 + 1.0) / 2.0).abs() < 1e-12);
        assert_eq!((examples, left_out), (2, 1));
        assert_eq!(chance(Passes::Always).estimate.value, Some(0.5));
    }

    #[test]
    fn at_the_edges() {
        assert!(estimate(Passes::Once, 2.0, 1.0, 3.0).is_nan());
        assert_eq!(estimate(Passes::Once, 200.0, 0.0, 100.0), 0.0);
        assert_eq!(estimate(Passes::Once, 200.0, 101.0, 100.0), 1.0);
        assert_eq!(estimate(Passes::Always, 1e6, 1e6, 1e5), 1.0);
    }
}
