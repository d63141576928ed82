//! A stratified holdout split, for measuring on rows that were not used for tuning.

use super::random::Random;
use crate::sort::sorted;

/// Whether each row is held out (1) or not (0). A share of the units is drawn evenly over the strata, so that
/// both parts have the same proportions. The rows of a unit stay together, in the stratum of its first row.
///
/// Units are numbered from 0 in the order of their first row.
pub fn held_out(units: &[u32], strata: &[f64], share: f64, seed: u64) -> Vec<u8> {
    let mut of_units = Vec::new();
    for (unit, stratum) in units.iter().zip(strata) {
        if *unit as usize == of_units.len() {
            of_units.push(*stratum);
        }
    }
    let mut random = Random::new(seed);
    // Systematic sampling with a random start, from a list in random order within its strata.
    let begin = random.uniform();
    let draws: Vec<u64> = of_units.iter().map(|_| random.bits()).collect();
    let stratum = |unit: usize| of_units.get(unit).copied().unwrap_or_default();
    let order = sorted(of_units.len(), &|a, b| {
        stratum(a).total_cmp(&stratum(b)).then_with(|| draws.get(a).cmp(&draws.get(b)))
    });
    let mut is_held_out = vec![0; of_units.len()];
    for (rank, unit) in order.iter().enumerate() {
        let until = |rank: usize| (rank as f64 * share + begin).floor();
        if let Some(flag) = is_held_out.get_mut(*unit) {
            *flag = u8::from(until(rank + 1) > until(rank));
        }
    }
    units.iter().map(|unit| is_held_out.get(*unit as usize).copied().unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_parts_have_as_much_of_each_stratum() {
        let strata: Vec<f64> = (0..100).map(|row| if row % 10 < 3 { 1.0 } else { 0.0 }).collect();
        let rows: Vec<u32> = (0..100).collect();
        let found = held_out(&rows, &strata, 0.5, 7);
        let of = |stratum: f64| {
            strata.iter().zip(&found).filter(|(own, flag)| **own == stratum && **flag == 1).count()
        };
        assert_eq!((of(1.0), of(0.0)), (15, 35));
        assert_eq!(held_out(&rows, &strata, 0.5, 7), found);
        assert_ne!(held_out(&rows, &strata, 0.5, 8), found);
    }

    #[test]
    fn every_row_is_held_out_as_often() {
        let strata: Vec<f64> = (0..20).map(|row| f64::from(row % 3)).collect();
        let rows: Vec<u32> = (0..20).collect();
        let mut counts = [0; 20];
        for seed in 0..2_000 {
            for (count, flag) in counts.iter_mut().zip(held_out(&rows, &strata, 0.3, seed)) {
                *count += u32::from(flag);
            }
        }
        // The expected count is 600, with a standard deviation of 20.
        assert!(counts.iter().all(|count| (510..690).contains(count)), "{counts:?}");
    }

    proptest! {
        #[test]
        fn units_stay_together_and_the_share_is_exact(
            numbers in proptest::collection::vec(0_u32..12, 1..40),
            share in 0.1..0.9_f64,
            seed in 0_u64..1_000,
        ) {
            let mut seen = Vec::new();
            let units: Vec<u32> = numbers.iter().map(|number| {
                let place = seen.iter().position(|other| other == number);
                place.unwrap_or_else(|| { seen.push(*number); seen.len() - 1 }) as u32
            }).collect();
            let strata: Vec<f64> = numbers.iter().map(|number| f64::from(number % 2)).collect();
            let found = held_out(&units, &strata, share, seed);
            for (unit, flag) in units.iter().zip(&found) {
                let first = units.iter().position(|other| other == unit).unwrap();
                prop_assert_eq!(*flag, found[first]);
            }
            let mut held: Vec<u32> = units.iter().zip(&found).filter(|(_, flag)| **flag == 1).map(|(unit, _)| *unit).collect();
            held.sort_unstable();
            held.dedup();
            prop_assert!((held.len() as f64 - seen.len() as f64 * share).abs() < 1.0);
        }
    }
}
