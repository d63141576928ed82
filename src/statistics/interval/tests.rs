use super::*;
use crate::statistics::testing::{Coverage, SETTINGS, normal, rows, samples, uniform};
use proptest::prelude::*;

fn close(interval: Option<Interval>, low: f64, high: f64, within: f64) {
    let interval = interval.unwrap();
    assert!((interval.low - low).abs() < within && (interval.high - high).abs() < within, "{interval:?}");
}

#[test]
fn an_interval_that_contradicts_its_test_ends_where_the_p_value_says() {
    let of = |low, high| Interval { low, high, level: 0.95 };
    // A p-value of 0.01 is 2.576 standard errors from zero. Less 1.960 standard errors, the share 0.239 is
    // left.
    let end = of(-0.1, 2.0).agreeing(1.0, 0.01).low;
    assert!((end - 0.2391).abs() < 1e-4, "{end}");
    let end = of(-2.0, 0.1).agreeing(-1.0, 0.01).high;
    assert!((end + 0.2391).abs() < 1e-4, "{end}");
    assert_eq!(of(0.1, 2.0).agreeing(1.0, 0.01), of(0.1, 2.0));
    assert_eq!(of(0.1, 2.0).agreeing(1.0, 0.2), of(0.0, 2.0));
}

#[test]
fn percentiles_are_expanded() {
    // ExpandProbs(0.025, n) of the R package resample: pnorm(qt(0.025, n - 1) * sqrt(n / (n - 1)))
    for (count, expected) in [(10.0, 0.008_550_6), (20.0, 0.015_880_8), (100.0, 0.023_064_4)] {
        assert!((expanded_tail(count, 0.95) / expected - 1.0).abs() < 0.02, "{count}");
    }
}

#[test]
fn wilson_is_that_of_statsmodels() {
    // statsmodels.stats.proportion.proportion_confint(successes, count, method="wilson")
    close(wilson(8.0, 10.0, 0.95), 0.490_162_471_536_641_83, 0.943_317_848_545_624_7, 1e-12);
    close(wilson(0.0, 10.0, 0.95), 0.0, 0.277_532_799_862_889_26, 1e-12);
    close(wilson(1.0, 1.0, 0.95), 0.206_549_314_377_237_4, 1.0, 1e-12);
    assert_eq!(wilson(10.0, 10.0, 0.95).unwrap().high, 1.0);
    assert_eq!(wilson(0.0, 0.0, 0.95), None);
}

#[test]
fn a_mean_that_is_a_rate_has_wilsons_interval() {
    let values = [1.0, 0.0, 1.0, 1.0];
    assert_eq!(of_mean(&values, &rows(4), SETTINGS), wilson(3.0, 4.0, 0.95));
    assert_eq!(of_mean(&[], &rows(0), SETTINGS), None);
    // Repetitions that agree are one observation for each example.
    let twice = Units::of(&[0, 0, 1, 1]);
    assert_eq!(of_mean(&[1.0; 4], &twice, SETTINGS), wilson(2.0, 2.0, 0.95));
    assert_eq!(of_mean(&[0.0; 4], &twice, SETTINGS), wilson(0.0, 2.0, 0.95));
}

#[test]
fn without_information_there_is_no_interval() {
    assert_eq!(of_mean(&[0.5], &rows(1), SETTINGS), None);
    assert_eq!(of_mean(&[0.5; 9], &rows(9), SETTINGS), None);
    // One example, repeated.
    assert_eq!(of_mean(&[0.5, 0.7, 0.9], &Units::of(&[0; 3]), SETTINGS), None);
}

#[test]
fn scores_on_a_known_scale_are_shares_of_its_range() {
    let shares = [0.0, 0.25, 1.0, 1.0, 0.75, 1.0, 1.0];
    let expected = mean(&shares, UNBOUNDED, &rows(7), SETTINGS).interval.unwrap();
    let stars = shares.map(|share| 1.0 + 4.0 * share);
    let found = mean(&stars, (1.0, 5.0), &rows(7), SETTINGS);
    close(found.interval, 1.0 + 4.0 * expected.low, 1.0 + 4.0 * expected.high, 1e-12);
    assert_eq!(found.value, Some(1.0 + 4.0 * 5.0 / 7.0));
    // Equal scores at an end of the scale are a rate.
    let best = mean(&[5.0; 9], (1.0, 5.0), &rows(9), SETTINGS).interval;
    close(best, 1.0 + 4.0 * wilson(9.0, 9.0, 0.95).unwrap().low, 5.0, 1e-12);
    assert_eq!(mean(&[4.0; 9], (1.0, 5.0), &rows(9), SETTINGS).interval, None);
    // Scores beyond the scale, and scales without a range.
    let unbounded = mean(&stars, UNBOUNDED, &rows(7), SETTINGS);
    for range in [(2.0, 5.0), (1.0, 4.5), (0.0, f64::MAX), (f64::MIN, f64::MAX)] {
        let expected = unbounded.interval.map(|interval| interval.within(range, unbounded.value.unwrap()));
        assert_eq!(mean(&stars, range, &rows(7), SETTINGS).interval, expected);
    }
    // The interval contains the mean, even if that is beyond the scale.
    let beyond = mean(&[0.0, 2.0], (-1.0, 0.5), &rows(2), SETTINGS).interval;
    close(beyond, -1.0, 1.0, 1e-12);
}

#[test]
fn a_mean_has_about_the_interval_of_students_t() {
    // scipy.stats.t.interval(0.95, 19, mean, sem) of 1/20, …, 20/20
    let values: Vec<f64> = (1..=20).map(|index| f64::from(index) / 20.0).collect();
    close(of_mean(&values, &rows(20), SETTINGS), 0.386_557, 0.663_443, 0.01);
}

#[test]
fn the_order_of_the_rows_is_nothing() {
    let values: Vec<f64> = (0..20_u32).map(|row| f64::from(row * 7 % 20) / 32.0).collect();
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    assert_eq!(of_mean(&values, &rows(20), SETTINGS), of_mean(&sorted, &rows(20), SETTINGS));
}

#[test]
fn a_standard_error_is_that_of_the_units() {
    // scipy.stats.sem([1, 2, 4, 8])
    let error = standard_error(&[1.0, 2.0, 4.0, 8.0], &rows(4)).unwrap();
    assert!((error - 1.547847968417226).abs() < 1e-12, "{error}");
    // CR2 of clusters of 2, 3 and 1 rows, computed with numpy from matrices.
    let error = standard_error(&[1.0, 2.0, 4.0, 8.0, 3.0, 1.0], &Units::of(&[0, 0, 1, 1, 1, 2])).unwrap();
    assert!((error - 1.5165750888103098).abs() < 1e-12, "{error}");
    assert_eq!(standard_error(&[0.3; 4], &rows(4)), None);
    assert_eq!(standard_error(&[0.3, 0.5], &Units::of(&[0, 0])), None);
}

#[test]
fn repetitions_do_not_make_an_interval_narrower() {
    let once: Vec<f64> = (1..=20).map(|index| f64::from(index) / 20.0).collect();
    let five_times: Vec<f64> = once.iter().flat_map(|value| [*value; 5]).collect();
    let examples: Vec<u32> = (0..20).flat_map(|example| [example; 5]).collect();
    let interval = of_mean(&once, &rows(20), SETTINGS).unwrap();
    close(of_mean(&five_times, &Units::of(&examples), SETTINGS), interval.low, interval.high, 1e-12);
}

#[test]
fn a_mean_of_few_has_students_interval() {
    // scipy: t.interval(0.95, n - 1, mean, sem(values))
    close(of_mean_of_numbers(&[0.2, 0.4], &rows(2), SETTINGS), -0.970_620_473_617, 1.570_620_473_617, 1e-6);
    let five = [0.1, 0.4, 0.45, 0.8, 0.95];
    close(of_mean_of_numbers(&five, &rows(5), SETTINGS), 0.120_306_548_060, 0.959_693_451_940, 1e-6);
    // With equal numbers of rows, the interval equals the one of the examples' means.
    let twice = Units::of(&[0, 0, 1, 1]);
    close(
        of_mean_of_numbers(&[0.1, 0.3, 0.3, 0.5], &twice, SETTINGS),
        -0.970_620_473_617,
        1.570_620_473_617,
        1e-6,
    );
    assert_eq!(of_mean_of_numbers(&[0.1, 0.3, 0.3, 0.1], &twice, SETTINGS), None);
    // scipy.stats.t.interval(0.95, 18, 9, sem(range(19)))
    let nineteen: Vec<f64> = (0..19).map(f64::from).collect();
    close(of_mean_of_numbers(&nineteen, &rows(19), SETTINGS), 6.287_721_308_822, 11.712_278_691_178, 1e-6);
}

#[test]
fn repetitions_of_a_rate_count_by_their_information() {
    let once = [[1.0; 19].as_slice(), &[0.0]].concat();
    let expected = wilson(19.0, 20.0, 0.95).unwrap();
    // Each row three times, whichever row fails, and with any seed.
    for failing in [0, 7, 19] {
        let mut one = once.clone();
        one.swap(19, failing);
        let thrice: Vec<f64> = one.iter().flat_map(|value| [*value; 3]).collect();
        let examples: Vec<u32> = (0..20).flat_map(|example| [example; 3]).collect();
        for seed in [0, 1] {
            let interval = of_mean(&thrice, &Units::of(&examples), Settings { seed, ..SETTINGS });
            close(interval, expected.low, expected.high, 1e-12);
        }
    }
    // Uncorrelated rows carry more information than one per example, but no more than their number.
    let examples: Vec<u32> = (0..20).flat_map(|example| [example; 2]).collect();
    let apart: Vec<f64> = (0..40).map(|row| f64::from(row % 2)).collect();
    assert_eq!(effective_count(&apart, &Units::of(&examples), 0.95), 40.0);
}

#[test]
fn a_unit_with_more_than_half_of_the_rows_leaves_no_interval() {
    let attempts = [1.0, 1.0, 0.0, 1.0, 0.0, 1.0];
    let scores = [3.0, 4.0, 1.0, 4.0, 2.0, 5.0];
    for values in [attempts, scores] {
        assert!(of_mean(&values, &Units::of(&[0, 0, 0, 1, 2, 2]), SETTINGS).is_some());
        assert_eq!(of_mean(&values, &Units::of(&[0, 0, 0, 0, 1, 2]), SETTINGS), None);
    }
    assert_eq!(of_mean(&[1.0], &Units::of_rows(1), SETTINGS), wilson(1.0, 1.0, 0.95));
}

#[test]
fn repetitions_of_few_examples_are_not_independent_rows() {
    // Twenty attempts at each of two examples are two observations.
    let attempts: Vec<f64> = (0..40).map(|row| f64::from(row % 20 < 18)).collect();
    let examples: Vec<u32> = (0..40).map(|row| row / 20).collect();
    let interval = of_mean(&attempts, &Units::of(&examples), SETTINGS).unwrap();
    assert!(interval.high - interval.low > 0.5, "{interval:?}");
}

/// Clusters of 20 rows, of which so many are right.
fn clusters_of_twenty(right: &[u32]) -> (Vec<f64>, Units) {
    let rows = right.iter().flat_map(|right| (0..20).map(move |row| f64::from(row < *right)));
    let clusters: Vec<u32> = (0..20 * right.len() as u32).map(|row| row / 20).collect();
    (rows.collect(), Units::of(&clusters))
}

#[test]
fn few_clusters_count_as_a_few_rows_each() {
    // The rates of six clusters have a variance of 0.012, so that the rows would be worth 80 independent ones. The 24 wrong rows
    // would fill 1.2 clusters, so each counts as 4.44 rows. Student's t with 5 degrees of freedom leaves 0.581344 of them.
    let (values, units) = clusters_of_twenty(&[18, 14, 18, 14, 18, 14]);
    let count = effective_count(&values, &units, 0.95);
    assert!((count - 6.0 * 4.44 * 0.581_344_1).abs() < 1e-4, "{count}");
    close(of_mean(&values, &units, SETTINGS), 0.552_348_517, 0.928_403_782, 1e-6);
    // One cluster less has nearly the same interval.
    let (values, units) = clusters_of_twenty(&[18, 14, 18, 14, 18]);
    close(of_mean(&values, &units, SETTINGS), 0.501_940_527, 0.953_687_884, 1e-6);
    // If few rows are wrong, the interval reaches as far as without them: 6 / (6 + 1.96²) = 0.609666.
    let (values, units) = clusters_of_twenty(&[19, 17, 19, 17, 19, 17]);
    close(of_mean(&values, &units, SETTINGS), 0.609_665_712, 0.981_081_994, 1e-6);
    // Scores of 0.5 instead of wrong rows: the mean is 0.95, and 5% of rows would fill 0.3 clusters, each of which counts as 3.09
    // rows. With a variance of 0.0225 · 6 / 5 / 18.54, they are worth 18.96 rows that are 0 or 1.
    let (values, units) = clusters_of_twenty(&[19, 17, 19, 17, 19, 17]);
    let halves: Vec<f64> = values.iter().map(|value| (1.0 + value) / 2.0).collect();
    close(of_mean(&halves, &units, SETTINGS), 0.756_935_849_200_284, 0.991_447_351_583_685_9, 1e-6);
}

#[test]
fn the_first_wrong_row_does_not_narrow_the_interval() {
    // Ten clusters of 20 right rows count as ten rows: 10 / (10 + 1.96²) = 0.722467.
    let (values, units) = clusters_of_twenty(&[20; 10]);
    close(of_mean(&values, &units, SETTINGS), 0.722_467, 1.0, 1e-6);
    for wrong in [&[1][..], &[1, 1], &[2], &[1, 1, 1, 1, 1]] {
        let mut right = [20; 10];
        for (cluster, wrong) in right.iter_mut().zip(wrong) {
            *cluster -= wrong;
        }
        let (values, units) = clusters_of_twenty(&right);
        let Interval { low, .. } = of_mean(&values, &units, SETTINGS).unwrap();
        assert!((low - 0.722_467).abs() < 1e-6, "{wrong:?}: {low}");
        // The same of a rate that is nearly 0.
        let wrong: Vec<f64> = values.iter().map(|value| 1.0 - value).collect();
        let Interval { high, .. } = of_mean(&wrong, &units, SETTINGS).unwrap();
        assert!((high - 0.277_533).abs() < 1e-6, "{high}");
    }
    // Rows that are mostly wrong in one cluster reach farther.
    let (values, units) = clusters_of_twenty(&[0, 20, 20, 20, 20, 20, 20, 20, 20, 20]);
    assert!(of_mean(&values, &units, SETTINGS).unwrap().low < 0.7);
}

#[test]
fn clusters_that_fail_together_are_covered() {
    // As hard as their cluster are half of the rows. Without the limit, coverage of the rate was 69 to 86%.
    let mut uniform = uniform(3);
    for count in [4, 6, 10, 20] {
        let (mut rates, mut scores) = (Coverage::default(), Coverage::default());
        for _ in 0..samples(400) {
            let (mut right, mut clusters) = (Vec::new(), Vec::new());
            for cluster in 0..count {
                let common = uniform();
                for _ in 0..30 {
                    let hardness = if uniform() < 0.5 { common } else { uniform() };
                    right.push(f64::from(hardness < 0.9));
                    clusters.push(cluster);
                }
            }
            let units = Units::of(&clusters);
            rates.note(mean(&right, UNBOUNDED, &units, SETTINGS), 0.9);
            let halves: Vec<f64> = right.iter().map(|right| (1.0 + right) / 2.0).collect();
            scores.note(mean(&halves, UNBOUNDED, &units, SETTINGS), 0.95);
        }
        rates.expect(&format!("rates, {count} clusters"), 0.95..=1.0);
        scores.expect(&format!("scores, {count} clusters"), 0.95..=1.0);
    }
}

#[test]
fn intervals_of_significant_differences_exclude_zero() {
    let touching = Interval { low: -0.1, high: 0.3, level: 0.95 };
    assert!(touching.agreeing(0.1, 0.04).low > 0.0);
    assert!(Interval { low: -0.3, high: 0.1, level: 0.95 }.agreeing(-0.1, 0.04).high < 0.0);
    assert_eq!(Interval { low: 0.1, high: 0.3, level: 0.95 }.agreeing(0.2, 0.06).low, 0.0);
}

#[test]
fn clusters_of_unequal_sizes_are_covered() {
    // One cluster of 40 rows, and others of 1 to 9, with a correlation of 0.5 within clusters.
    let (mut normal, mut uniform) = (normal(5), uniform(5));
    for count in [10, 20] {
        let (mut numbers, mut rates) = (Coverage::default(), Coverage::default());
        for _ in 0..samples(400) {
            let (mut values, mut passed, mut clusters) = (Vec::new(), Vec::new(), Vec::new());
            for cluster in 0..count {
                let size = if cluster == 0 { 40 } else { 1 + (uniform() * 9.0) as u32 };
                let (common, says) = (normal(), f64::from(uniform() < 0.8));
                for _ in 0..size {
                    values.push((common + normal()) / 2.0_f64.sqrt());
                    let own = f64::from(uniform() < 0.8);
                    passed.push(if uniform() < 0.5 { says } else { own });
                    clusters.push(cluster);
                }
            }
            let units = Units::of(&clusters);
            numbers.note(mean(&values, UNBOUNDED, &units, SETTINGS), 0.0);
            rates.note(mean(&passed, UNBOUNDED, &units, SETTINGS), 0.8);
        }
        // Without the correction for sizes, coverage in 1,000 samples was 82 and 88 %.
        numbers.expect(&format!("numbers, {count} clusters"), 0.93..=0.97);
        rates.expect(&format!("rates, {count} clusters"), 0.93..=0.98);
    }
}

#[test]
fn skewed_scores_are_covered() {
    let mut random = uniform(9);
    for count in [5, 10, 20] {
        let mut coverage = Coverage::default();
        for _ in 0..samples(400) {
            // The maximum of nine: beta(9, 1), whose mean Student's interval covers in 90 %.
            let mut score = || (0..9).map(|_| random()).fold(0.0, f64::max);
            let values: Vec<f64> = (0..count).map(|_| score()).collect();
            coverage.note(mean(&values, UNBOUNDED, &rows(count), SETTINGS), 0.9);
        }
        coverage.expect(&format!("beta(9, 1), {count}"), 0.93..=0.97);
    }
}

#[test]
fn intervals_have_their_nominal_coverage() {
    // Means of 2 to 5 uniform scores, and rates of 30 examples with three repetitions each, of which some are
    // equal.
    let mut random = Random::new(1);
    let mut uniform = move || random.uniform();
    for count in 2..=5 {
        let mut covered = 0;
        for _ in 0..1_000 {
            let values: Vec<f64> = (0..count).map(|_| uniform()).collect();
            let interval = of_mean(&values, &rows(count), SETTINGS).unwrap();
            covered += u32::from(interval.low <= 0.5 && 0.5 <= interval.high);
        }
        let coverage = f64::from(covered) / 1_000.0;
        println!("mean of {count}: {coverage}");
        assert!((0.90..0.97).contains(&coverage), "{count}: {coverage}");
    }
    let examples: Vec<u32> = (0..30).flat_map(|example| [example; 3]).collect();
    let units = Units::of(&examples);
    for rate in [0.5, 0.8, 0.95] {
        for alike in [0.0, 0.5, 1.0] {
            let mut covered = 0;
            for _ in 0..1_000 {
                let mut values = Vec::new();
                for _ in 0..30 {
                    let first = f64::from(uniform() < rate);
                    for _ in 0..3 {
                        let is_alike = uniform() < alike;
                        values.push(if is_alike { first } else { f64::from(uniform() < rate) });
                    }
                }
                let interval = of_mean(&values, &units, SETTINGS).unwrap();
                covered += u32::from(interval.low <= rate && rate <= interval.high);
            }
            let coverage = f64::from(covered) / 1_000.0;
            println!("rate {rate}, {alike} alike: {coverage}");
            assert!((0.92..0.99).contains(&coverage), "{rate}, {alike}: {coverage}");
        }
    }
}

#[test]
fn of_very_many_units_the_interval_is_students_unless_they_are_skewed() {
    let count = MANY as u32;
    let units = rows(count);
    let even: Vec<f64> = (0..count).map(|row| f64::from(row % 101) / 100.0).collect();
    let error = standard_error(&even, &units).unwrap();
    let students = of_mean_of_numbers(&even, &units, SETTINGS);
    assert_eq!(students, student(&even, &units, 0.95));
    let Interval { low, high, .. } = students.unwrap();
    close(bootstrap_mean(&even, &units, SETTINGS), low, high, 0.3 * error);
    // Only three rows count; Student's interval would include means below zero.
    let rare: Vec<f64> = (0..count).map(|row| if row < 3 { 0.5 } else { 0.0 }).collect();
    let interval = of_mean_of_numbers(&rare, &units, SETTINGS);
    assert_eq!(interval, bootstrap_mean(&rare, &units, SETTINGS));
    assert!(interval.unwrap().low >= 0.0 && student(&rare, &units, 0.95).unwrap().low < 0.0);
    assert_eq!(of_mean_of_numbers(&vec![0.5; MANY], &units, SETTINGS), None);
}

#[test]
fn the_seed_decides() {
    let values: Vec<f64> = (0..20_u32).map(|row| f64::from(row * row % 17)).collect();
    let interval = |seed| of_mean_of_numbers(&values, &rows(20), Settings { seed, ..SETTINGS });
    assert_eq!(interval(1), interval(1));
    assert_ne!(interval(1), interval(2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn more_rows_of_the_same_clusters_do_not_widen_the_interval(
        right in proptest::collection::vec(0..=4_u32, 2..40),
    ) {
        let of = |times: u32| {
            let size = 4 * times;
            let rows = right.iter().flat_map(|right| (0..size).map(move |row| f64::from(row < right * times)));
            let clusters: Vec<u32> = (0..size * right.len() as u32).map(|row| row / size).collect();
            let (values, units) = (rows.collect::<Vec<f64>>(), Units::of(&clusters));
            let count = effective_count(&values, &units, 0.95);
            let Interval { low, high, .. } = of_mean(&values, &units, SETTINGS).unwrap();
            (count, high - low)
        };
        let ((few, wide), (many, narrow)) = (of(1), of(5));
        prop_assert!(many >= few - 1e-9 && narrow <= wide + 1e-9, "{few} and {many}");
        // No cluster counts as more than three rows and the square of the clusters that the rarer rows would fill.
        let (count, wrong) = (right.len() as f64, right.iter().map(|right| f64::from(4 - right)).sum::<f64>() / 4.0);
        let rare = wrong.min(count - wrong);
        prop_assert!(many <= count * (3.0 + rare * rare) + 1e-9, "{many} of {count}");
    }

    #[test]
    fn an_interval_is_around_the_mean(values in proptest::collection::vec(0.0..1.0_f64, 2..30)) {
        if let Some(Interval { low, high, .. }) = of_mean(&values, &rows(values.len() as u32), SETTINGS) {
            let mean = crate::statistics::descriptive::mean(&values);
            prop_assert!(low <= mean && mean <= high);
            prop_assert!(0.0 <= low && high <= 1.0);
        }
    }
}
