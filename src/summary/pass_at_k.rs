//! How likely repetitions pass.

/// Whether an example counts that passed once in `k` attempts, or only one that passed in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passes {
    /// pass@k (Chen et al., *Evaluating large language models trained on code*, 2021).
    Once,
    /// pass^k (Yao et al., *τ-bench*, 2024).
    Always,
}

/// The chance that `k` attempts, drawn from the `count` that were made, pass: the estimate without bias, `C(passed, k) /
/// C(count, k)` for all of them, and one minus the chance that all fail for one of them. NaN where fewer than `k` were
/// made.
pub fn estimate(passes: Passes, count: f64, passed: f64, k: f64) -> f64 {
    if count < k {
        return f64::NAN;
    }
    match passes {
        Passes::Always => all_of(passed, count, k),
        Passes::Once => 1.0 - all_of(count - passed, count, k),
    }
}

/// `C(some, k) / C(count, k)`, factor by factor, so that nothing overflows.
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

    /// The share of all sets of `k` attempts that pass.
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
    fn at_the_edges() {
        assert!(estimate(Passes::Once, 2.0, 1.0, 3.0).is_nan());
        assert_eq!(estimate(Passes::Once, 200.0, 0.0, 100.0), 0.0);
        assert_eq!(estimate(Passes::Once, 200.0, 101.0, 100.0), 1.0);
        assert_eq!(estimate(Passes::Always, 1e6, 1e6, 1e5), 1.0);
    }
}
