use super::*;
use proptest::prelude::*;

const SETTINGS: Settings = Settings { level: 0.95, seed: 0 };

#[test]
fn mcnemar_is_the_binomial_test_of_scipy() {
    // scipy 1.17.1: binomtest(gained, gained + lost, 0.5).pvalue
    for (gained, lost, expected) in [
        (0.0, 0.0, 1.0),
        (1.0, 7.0, 0.0703125),
        (0.0, 5.0, 0.0625),
        (12.0, 5.0, 0.143463134765625),
        (3.0, 3.0, 1.0),
        (60.0, 30.0, 0.0020602656809630745),
        (2100.0, 1900.0, 0.0016492663751357264),
        (5000.0, 0.0, 0.0),
    ] {
        let p_value = mcnemar(gained, lost);
        assert!((p_value - expected).abs() < 1e-12, "{gained} and {lost}: {p_value}");
        assert_eq!(mcnemar(lost, gained), p_value);
    }
}

#[test]
fn so_many_gains_are_enough_and_one_less_is_not() {
    for p_value in [1.0, 0.5, 0.1, 0.05, 0.05 / 3.0, 0.01, 0.001] {
        let gains = f64::from(fewest_gains(p_value));
        assert!(mcnemar(gains, 0.0) <= p_value && (gains == 1.0 || mcnemar(gains - 1.0, 0.0) > p_value));
    }
}

/// Scores of 0 and 1 with this many pairs of each kind.
fn rates(both: usize, lost: usize, gained: usize, neither: usize) -> (Vec<f64>, Vec<f64>) {
    let kinds = [(1.0, 1.0, both), (1.0, 0.0, lost), (0.0, 1.0, gained), (0.0, 0.0, neither)];
    kinds.iter().flat_map(|(from, to, count)| vec![(*from, *to); *count]).unzip()
}

fn units(count: usize) -> Units {
    Units::of(&(0..count as u32).collect::<Vec<_>>())
}

#[test]
fn newcombes_interval() {
    // Computed by Newcombe's formula from the limits of statsmodels 0.15,
    // proportion_confint(method="wilson").
    for (pairs, difference, low, high) in [
        // Newcombe's limits are 0.0115 and -0.0256; they are set to zero because McNemar's test is not
        // significant (p = 0.06 and 0.07).
        ((14, 0, 5, 22), 0.121_951_219_512, 0.0, 0.226_492_684_351),
        ((1, 7, 1, 12), -0.285_714_285_714, -0.506_920_226_686, 0.0),
        ((14, 1, 11, 22), 0.208333333333, 0.070757630148, 0.332032206185),
        // A negative correlation is not corrected.
        ((2, 6, 8, 1), 0.117_647_058_824, -0.288_995_709_596, 0.484_949_463_600),
        ((10, 0, 0, 0), 0.0, -0.277_532_799_863, 0.277_532_799_863),
    ] {
        let (from, to) = rates(pairs.0, pairs.1, pairs.2, pairs.3);
        let comparison = compare(&from, &to, &units(from.len()), SETTINGS);
        let interval = comparison.interval.unwrap();
        assert_eq!(comparison.test, Test::McNemar);
        assert!((comparison.difference.unwrap() - difference).abs() < 1e-9, "{comparison:?}");
        assert!((interval.low - low).abs() < 1e-9 && (interval.high - high).abs() < 1e-9, "{interval:?}");
    }
}

fn permute(differences: &[f64], seed: u64) -> f64 {
    permutation(differences, seed)
}

#[test]
fn few_differences_are_permuted_exactly() {
    // scipy: permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    assert_eq!(permute(&[0.1, -0.2, 0.3, 0.4, -0.05, 0.25, 0.1], 0), 0.171875);
    assert_eq!(permute(&[], 0), 1.0);
    assert_eq!(permute(&[0.0, 0.0], 0), 1.0);
    assert_eq!(permute(&[0.3], 0), 1.0);
    // Two of the sign patterns, of 2^20, are as far from zero.
    assert_eq!(permute(&[0.7; 20], 0), 1.0 / 524_288.0);
}

#[test]
fn many_differences_are_sampled() {
    // Only signs differ, so McNemar's exact test has the answer: 0.029 and 0.33. The error of 10,000 draws
    // exceeds 0.01 in less than one of ten thousand cases.
    for (gained, lost) in [(30, 15), (25, 18)] {
        let differences = [vec![0.1; gained], vec![-0.1; lost]].concat();
        let exact = mcnemar(gained as f64, lost as f64);
        let sampled = permute(&differences, 0);
        assert!((sampled - exact).abs() < 0.02, "{sampled} instead of {exact}");
        assert_eq!(permute(&differences, 0), sampled);
        assert_ne!(permute(&differences, 2), sampled);
    }
    // The p-value is never zero.
    assert_eq!(permute(&[0.5; 100], 0), 1.0 / 10_000.0);
}

#[test]
fn the_order_of_the_rows_is_nothing() {
    let differences: Vec<f64> = (0..40).map(|row| f64::from(row * 17 % 40) / 40.0 - 0.4).collect();
    let mut sorted = differences.clone();
    sorted.sort_by(f64::total_cmp);
    assert_eq!(permute(&differences, 0), permute(&sorted, 0));
}

#[test]
fn repetitions_are_one_observation() {
    // Three examples gain in both repetitions: two of the eight patterns are as far from zero.
    let (from, to) = (vec![0.0; 6], vec![1.0; 6]);
    let examples = Units::of(&[0, 0, 1, 1, 2, 2]);
    let comparison = compare(&from, &to, &examples, SETTINGS);
    assert_eq!((comparison.p_value, comparison.test), (Some(0.25), Test::Permutation));
    // The result of a single run of each.
    let once = compare(&[0.0; 3], &[1.0; 3], &units(3), SETTINGS);
    assert_eq!((comparison.difference, comparison.interval), (Some(1.0), once.interval));
}

#[test]
fn rounding_errors_are_ties() {
    let (from, to) = ([0.3; 20], [0.1 + 0.2; 20]);
    let tied = compare(&from, &to, &units(20), SETTINGS);
    assert_eq!((tied.difference, tied.p_value, tied.differing), (Some(0.0), Some(1.0), 0));
    assert_eq!((tied.interval, tied.standard_error), (None, None));
    // Examples whose repetitions have the same scores in another order.
    let (from, to) = ([0.1, 0.2, 0.3].repeat(20), [0.3, 0.1, 0.2].repeat(20));
    let examples: Vec<u32> = (0..60).map(|row| row / 3).collect();
    let tied = compare(&from, &to, &Units::of(&examples), SETTINGS);
    assert_eq!((tied.p_value, tied.interval, tied.differing), (Some(1.0), None, 60));
}

#[test]
fn interval_and_test_agree() {
    // Two pairs are never significant, however far from zero both are.
    let two = compare(&[0.1, 0.2], &[0.9, 0.7], &units(2), SETTINGS);
    assert_eq!(two.p_value, Some(0.5));
    assert!(two.interval.unwrap().low < 0.0);
    let nearly_equal = compare(&[0.0, 0.0], &[0.5, 0.500_001], &units(2), SETTINGS);
    assert_eq!(nearly_equal.interval.unwrap().low, 0.0);
}

#[test]
fn repetitions_of_rates_move_nothing() {
    let (from, to) = rates(14, 4, 30, 9);
    let once = compare(&from, &to, &units(from.len()), SETTINGS);
    let twice = |scores: &[f64]| scores.iter().flat_map(|score| [*score; 2]).collect::<Vec<_>>();
    let examples: Vec<u32> = (0..from.len() as u32).flat_map(|example| [example; 2]).collect();
    for seed in [0, 1] {
        let settings = Settings { seed, ..SETTINGS };
        let again = compare(&twice(&from), &twice(&to), &Units::of(&examples), settings);
        assert_eq!((again.difference, again.p_value), (once.difference, once.p_value));
        let (again, once) = (again.interval.unwrap(), once.interval.unwrap());
        assert!((again.low - once.low).abs() < 1e-12 && (again.high - once.high).abs() < 1e-12);
    }
}

#[test]
fn bounds_are_those_of_all_that_the_missing_may_be() {
    // 37 of 40 correct rows are lost: -37/40 at worst, and no difference at best.
    let found = bounds(&[1.0; 3], &[1.0; 3], &[1.0; 37], &[], None).unwrap();
    assert_eq!((found.lowest, found.highest), (-37.0 / 40.0, 0.0));
    let found = bounds(&[0.5], &[0.75], &[], &[0.5], None).unwrap();
    assert_eq!((found.lowest, found.highest), (-0.125, 0.375));
    assert_eq!(bounds(&[], &[], &[80.0], &[], None).unwrap(), Bounds { lowest: -80.0, highest: 20.0 });
    assert_eq!(bounds(&[], &[], &[], &[], None), None);
    // A star that is missing is one of 1 to 5, and the usual range is that of the scores if they leave the scale.
    let stars = |lost: &[f64]| bounds(&[5.0], &[5.0], lost, &[], Some((1.0, 5.0))).unwrap();
    assert_eq!(stars(&[4.0]), Bounds { lowest: -1.5, highest: 0.5 });
    assert_eq!(stars(&[6.0]), Bounds { lowest: -3.0, highest: 2.0 });
}

#[test]
fn p_values_are_adjusted_as_statsmodels_does() {
    // statsmodels 0.15: multipletests(p_values, method="holm"), and "fdr_bh"
    let p_values = [0.01, 0.04, 0.03, 0.005, 0.5];
    let close = |correction, expected: [f64; 5]| {
        for (found, expected) in adjusted(&p_values, correction, &[]).iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
    };
    close(Correction::Holm, [0.04, 0.09, 0.09, 0.025, 0.5]);
    close(
        Correction::BenjaminiHochberg,
        [0.024999999999999998, 0.049999999999999996, 0.049999999999999996, 0.024999999999999998, 0.5],
    );
    close(Correction::None, p_values);
    assert!(adjusted(&[], Correction::Holm, &[]).is_empty());
}

#[test]
fn holm_counts_the_tests_that_could_have_a_p_value_as_small() {
    // Eight, seven and four changes in one direction, and five of six.
    let least = [0.007_812_5, 0.015_625, 0.125, 0.031_25];
    let p_values = [0.007_812_5, 0.015_625, 0.125, 0.218_75];
    let found = adjusted(&p_values, Correction::Holm, &least);
    // Of 0.0078, only the first is capable; of 0.0156, the second; of 0.125, the last two.
    let expected = [0.007_812_5, 0.015_625, 0.25, 0.25];
    assert!(
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12),
        "{found:?}"
    );
    // Without changes, no p-value is possible but 1.
    assert_eq!(adjusted(&[0.03, 1.0, 1.0], Correction::Holm, &[0.01, 1.0, 1.0]), [0.03, 1.0, 1.0]);
    assert_eq!(
        adjusted(&[0.03, 1.0, 1.0], Correction::BenjaminiHochberg, &[0.01, 1.0, 1.0]),
        [0.09, 1.0, 1.0]
    );
}

#[test]
fn of_many_tests_without_a_difference_few_say_that_there_is_one() {
    // Ten keys, each with 40 rows that flip in either direction by chance.
    let mut share = |correction| {
        let mut random = Random::new(7);
        let mut wrong = 0;
        for _ in 0..2_000 {
            let p_values: Vec<f64> = (0..10)
                .map(|_| {
                    let gained = (random.bits() & 0xff_ffff_ffff).count_ones();
                    mcnemar(gained.into(), f64::from(40 - gained))
                })
                .collect();
            wrong += u32::from(adjusted(&p_values, correction, &[]).iter().any(|p_value| *p_value < 0.05));
        }
        f64::from(wrong) / 2_000.0
    };
    let [plain, holm] = [Correction::None, Correction::Holm].map(&mut share);
    println!("{plain} of runs as they are, {holm} with Holm's correction");
    assert!(plain > 0.25 && holm < 0.05, "{plain}, {holm}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn permuting_signs_is_mcnemars_test(gained in 0_usize..11, lost in 0_usize..10) {
        let differences = [vec![0.3; gained], vec![-0.3; lost]].concat();
        prop_assert!((permute(&differences, 0) - mcnemar(gained as f64, lost as f64)).abs() < 1e-9);
    }

    #[test]
    fn exchanging_both_changes_the_sign_only(scores in proptest::collection::vec((0.0..1.0_f64, 0.0..1.0_f64), 1..40)) {
        let (from, to): (Vec<f64>, Vec<f64>) = scores.into_iter().unzip();
        let there = compare(&from, &to, &units(from.len()), SETTINGS);
        let back = compare(&to, &from, &units(from.len()), SETTINGS);
        prop_assert_eq!(there.p_value, back.p_value);
        prop_assert!((there.difference.unwrap() + back.difference.unwrap()).abs() < 1e-12);
    }
}
