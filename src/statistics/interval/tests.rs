use super::*;
use proptest::prelude::*;

const SETTINGS: Settings = Settings { level: 0.95, seed: 0 };

fn rows(count: u32) -> Units {
    Units::of(&(0..count).collect::<Vec<_>>())
}

fn close(interval: Option<Interval>, low: f64, high: f64, within: f64) {
    let interval = interval.unwrap();
    assert!((interval.low - low).abs() < within && (interval.high - high).abs() < within, "{interval:?}");
}

#[test]
fn quantiles_are_those_of_tables() {
    // scipy.stats.norm.ppf((1 + level) / 2)
    for (level, expected) in [
        (0.5, 0.674_489_750_196_081_7),
        (0.9, 1.644_853_626_951_472_2),
        (0.95, 1.959_963_984_540_054),
        (0.99, 2.575_829_303_548_900_4),
        (0.999_999, 4.891_638_475_671_085),
    ] {
        assert!((normal_quantile(level) - expected).abs() < 1e-9, "{level}");
    }
    // scipy.stats.t.ppf(0.975, freedom)
    for (freedom, expected) in [(4.0, 2.776_445_105), (9.0, 2.262_157_163), (99.0, 1.984_216_952)] {
        assert!((student_quantile(0.95, freedom) / expected - 1.0).abs() < 0.01, "{freedom}");
    }
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
fn nothing_to_tell_has_no_interval() {
    assert_eq!(of_mean(&[0.5], &rows(1), SETTINGS), None);
    assert_eq!(of_mean(&[0.5; 9], &rows(9), SETTINGS), None);
    // One example, repeated.
    assert_eq!(of_mean(&[0.5, 0.7, 0.9], &Units::of(&[0; 3]), SETTINGS), None);
}

#[test]
fn a_mean_has_about_the_interval_of_students_t() {
    // scipy.stats.t.interval(0.95, 19, mean, sem) of 1/20, …, 20/20
    let values: Vec<f64> = (1..=20).map(|index| f64::from(index) / 20.0).collect();
    close(of_mean(&values, &rows(20), SETTINGS), 0.386_557, 0.663_443, 0.01);
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
fn a_median_is_counted_as_it_would_be_sorted() {
    let values = [0.9, 0.1, 0.5, 0.3, 0.7, 0.2];
    for at in [0.0, 0.3, 0.5, 0.9, 1.0] {
        let sorting = bootstrap(&rows(6), SETTINGS, &mut |rows| {
            let drawn: Vec<f64> = rows.iter().map(|row| values[*row as usize]).collect();
            quantile(&in_order(&drawn), at)
        });
        assert_eq!(of_quantile(&values, at, &rows(6), SETTINGS), sorting, "{at}");
    }
}

#[test]
fn the_seed_decides() {
    let values = [0.1, 0.4, 0.45, 0.8, 0.95];
    let interval = |seed| of_mean(&values, &rows(5), Settings { seed, ..SETTINGS });
    assert_eq!(interval(1), interval(1));
    assert_ne!(interval(1), interval(2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn an_interval_is_around_the_mean(values in proptest::collection::vec(0.0..1.0_f64, 2..30)) {
        if let Some(Interval { low, high, .. }) = of_mean(&values, &rows(values.len() as u32), SETTINGS) {
            let mean = crate::statistics::descriptive::mean(&values);
            prop_assert!(0.0 <= low && low <= mean && mean <= high && high <= 1.0);
        }
    }
}
