//! Helpers of simulations: samples, and the coverage of their intervals.

use super::interval::{Estimate, Settings, Units};
use super::random::Random;
use std::ops::RangeInclusive;

pub const SETTINGS: Settings = Settings { level: 0.95, seed: 0 };

/// Independent rows.
pub fn rows(count: u32) -> Units {
    Units::of_rows(count as usize)
}

/// The number of samples of a simulation. `OPENEVALS_SIMULATIONS=10000` sets it, and then results are printed
/// instead of checked.
pub fn samples(usual: u64) -> u64 {
    in_full().unwrap_or(usual)
}

fn in_full() -> Option<u64> {
    std::env::var("OPENEVALS_SIMULATIONS").ok()?.parse().ok()
}

/// Uniform numbers from 0 to 1.
pub fn uniform(seed: u64) -> impl FnMut() -> f64 {
    let mut random = Random::new(seed);
    move || random.uniform()
}

/// Standard normal numbers.
pub fn normal(seed: u64) -> impl FnMut() -> f64 {
    let mut random = uniform(seed);
    move || (-2.0 * (1.0 - random()).ln()).sqrt() * (2.0 * std::f64::consts::PI * random()).cos()
}

/// The share of intervals that cover the truth.
#[derive(Default)]
pub struct Coverage {
    held: u32,
    count: u32,
}

impl Coverage {
    /// Samples with an undefined value are not counted.
    pub fn note(&mut self, estimate: Estimate, truth: f64) {
        if let (Some(_), Some(interval)) = (estimate.value, estimate.interval) {
            self.count += 1;
            self.held += u32::from(interval.low - 1e-9 <= truth && truth <= interval.high + 1e-9);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[track_caller]
    pub fn expect(&self, name: &str, range: RangeInclusive<f64>) {
        let share = f64::from(self.held) / f64::from(self.count);
        println!("{name}: {share:.3} of {}", self.count);
        if in_full().is_some() {
            return;
        }
        // Three standard errors of the simulation.
        let error = 3.0 * (0.95 * 0.05 / f64::from(self.count)).sqrt();
        assert!(*range.start() - error <= share && share <= *range.end() + error, "{name}: {share}");
    }
}
