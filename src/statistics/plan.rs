//! Power analysis for comparisons of two experiments (Miller, *Adding error bars to evals*, 2024, on power).

use super::interval::is_significant;
use super::margin::{CAUTION, betting, fewest_bets, least_units, score};
use super::probability::{binomial, normal_below, normal_quantile, student_quantile};
use super::random::Random;
use super::search::fewest;
use super::significance::{fewest_gains, mcnemar, permutation};
use serde::{Deserialize, Serialize};

/// The parameters of a comparison over the same rows. One of `rows`, `minimum_difference` and `power` is left
/// out.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PlanOptions {
    /// The rate of the first experiment, from 0 to 1, if scores are 0 or 1.
    pub baseline: Option<f64>,
    /// The standard deviation of single scores, if they are other numbers.
    pub standard_deviation: Option<f64>,
    /// The minimum detectable difference.
    pub minimum_difference: Option<f64>,
    /// The power: the probability of detecting that difference.
    pub power: Option<f64>,
    /// The confidence level; a p-value below 1 minus the level is significant.
    pub level: f64,
    /// The number of runs of each row.
    pub repetitions: f64,
    /// The correlation of a row's scores in both experiments.
    pub correlation: f64,
    /// The correlation of a row's scores in two repetitions.
    pub repetition_correlation: f64,
    /// The mean number of rows in a cluster; 1 for independent rows.
    pub cluster_size: f64,
    /// The intraclass correlation of differences within a cluster.
    pub cluster_correlation: f64,
    /// The number of rows.
    pub rows: Option<f64>,
    /// Instead of a difference, an equivalence margin for two equally good experiments, as a share of the
    /// range of scores. `standard_deviation` is then a share of the range, too.
    pub margin: Option<f64>,
}

/// The figures of a planned comparison.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct PlannedFigures {
    /// The number of rows; `None` if no number is sufficient.
    pub rows: Option<f64>,
    /// The minimum detectable difference; `None` if no difference can be detected.
    pub minimum_difference: Option<f64>,
    /// The probability of detecting the difference.
    pub power: Option<f64>,
    /// The correlation of rates that the plan uses: the given one, or the nearest possible one. `None` without rates that vary.
    pub correlation: Option<f64>,
}

/// Computes the one of rows, difference and power that is left out.
pub fn plan(options: &PlanOptions) -> PlannedFigures {
    let PlanOptions { mut rows, mut minimum_difference, mut power, margin, .. } = *options;
    match (rows, minimum_difference.or(margin), power) {
        (None, Some(difference), Some(power)) => rows = options.rows_for(difference, power),
        (Some(rows), None, Some(power)) => minimum_difference = options.difference_for(rows, power),
        (Some(rows), Some(difference), _) => power = Some(options.power_of(rows, difference)),
        _ => {}
    }
    let difference = minimum_difference.or(margin.map(|_| 0.0));
    let correlation = difference.and_then(|difference| options.correlation_of_rates(difference));
    PlannedFigures { rows, minimum_difference, power, correlation }
}

impl PlanOptions {
    /// The fewest rows with this power.
    fn rows_for(&self, difference: f64, power: f64) -> Option<f64> {
        fewest(2.0, &|rows| self.power_of(rows, difference) >= power)
    }

    /// The smallest increase with this power; 0 if scores do not vary, so that any increase is detected.
    fn difference_for(&self, rows: f64, power: f64) -> Option<f64> {
        let mut high = match (self.baseline, self.standard_deviation) {
            (Some(baseline), _) => 1.0 - baseline,
            (None, Some(deviation)) if deviation > 0.0 => deviation,
            _ => return (self.power_of(rows, 1.0) >= power).then_some(0.0),
        };
        while self.power_of(rows, high) < power {
            // A rate can increase to 1 at most. Other scores are unbounded, so with two rows some difference
            // is always detectable.
            if self.baseline.is_some() || high > f64::MAX / 4.0 {
                return None;
            }
            high *= 2.0;
        }
        let mut low = 0.0;
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if self.power_of(rows, middle) < power {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(high)
    }

    /// The power of the test for a difference.
    fn power_of(&self, rows: f64, difference: f64) -> f64 {
        if let Some(margin) = self.margin {
            return self.power_of_margin(rows, margin);
        }
        let single = self.variance(difference, 1.0);
        let variance = self.variance(difference, self.repetitions);
        let difference = difference.abs();
        if rows < 2.0 || difference == 0.0 {
            return 1.0 - self.level;
        }
        let units = (rows / self.cluster_size) as u32;
        let effect = difference * (rows / self.design_effect() / variance).sqrt();
        let of_numbers = || {
            if units < fewest_gains(1.0 - self.level) {
                0.0
            } else if units <= FEW {
                power_of_signs(effect, units, self.level)
            } else {
                power_of_t(effect, units - 1, self.level)
            }
        };
        if self.baseline.is_none() {
            return of_numbers();
        }
        // The number of rows that vary as much, each run once and independent of the others.
        let share = if variance > 0.0 { single / variance } else { 1.0 };
        let effective = rows * share.min(self.repetitions) / self.design_effect();
        let power = self.power_of_mcnemar(effective.floor(), difference, single);
        if self.repetitions == 1.0 && self.cluster_size == 1.0 { power } else { power.min(of_numbers()) }
    }

    /// The design effect: the variance of a mean relative to independent rows (Kish, *Survey sampling*,
    /// 1965).
    fn design_effect(&self) -> f64 {
        1.0 + (self.cluster_size - 1.0) * self.cluster_correlation
    }

    /// The rates of both experiments.
    fn rates(&self, difference: f64) -> Option<(f64, f64)> {
        self.baseline.map(|rate| (rate, (rate + difference).clamp(0.0, 1.0)))
    }

    /// The variance between rows of the difference of means over this number of repetitions.
    fn variance(&self, difference: f64, repetitions: f64) -> f64 {
        let rates = self.rates(difference);
        let (first, second) = match rates {
            Some((rate, other)) => (rate * (1.0 - rate), other * (1.0 - other)),
            None => {
                let deviation = self.standard_deviation.unwrap_or_default();
                (deviation * deviation, deviation * deviation)
            }
        };
        let mut common = self.correlation * (first * second).sqrt();
        if let Some((rate, other)) = rates {
            // The correlation of rates is limited by their marginals. If one rate is 0 or 1, rounding may swap the two limits, which
            // `clamp` does not accept.
            let (least, most) = (f64::max(0.0, rate + other - 1.0), rate.min(other));
            common = common.max(least - rate * other).min(most - rate * other);
        }
        let of_mean = (1.0 + (repetitions - 1.0) * self.repetition_correlation) / repetitions;
        f64::max((first + second) * of_mean - 2.0 * common, 0.0)
    }

    /// The correlation in the variance of two rates with this difference; `None` without rates, or if one of them is 0 or 1.
    fn correlation_of_rates(&self, difference: f64) -> Option<f64> {
        let (rate, other) = self.rates(difference)?;
        let (first, second) = (rate * (1.0 - rate), other * (1.0 - other));
        let deviations = (first * second).sqrt();
        (deviations > 0.0).then(|| (first + second - self.variance(difference, 1.0)) / (2.0 * deviations))
    }

    /// The power of showing that two equally good experiments differ by less than the margin.
    fn power_of_margin(&self, rows: f64, margin: f64) -> f64 {
        let error = 1.0 - self.level;
        let variance = self.variance(0.0, self.repetitions);
        if self.baseline.is_some() && self.repetitions == 1.0 && self.cluster_size == 1.0 {
            let deviation = variance.sqrt().max(1e-12);
            if least_units(margin, error) > rows {
                return 0.0;
            }
            // Half of the differing rows are losses. One row accounts for the steps of the distribution.
            let lost = rows * variance / 2.0;
            let unit = -rows * margin / score(lost, lost, rows, margin);
            let needed = normal_quantile(1.0 - 2.0 * error) * unit;
            return normal_below((rows * margin - 1.0 - needed) / (deviation * rows.sqrt()));
        }
        // A bet on the mean of each cluster.
        let units = (rows / self.cluster_size).floor();
        if fewest_bets(margin, error).is_none_or(|fewest| units < fewest) {
            return 0.0;
        }
        let variance = variance * self.design_effect() / self.cluster_size;
        let deviation = variance.sqrt().max(1e-12);
        // A bet with its final stake; while it learns the variance, smaller stakes cost a few more units.
        let stake =
            (-2.0 * error.ln() / (units * (variance + 0.1 / units))).sqrt().min(CAUTION / (1.0 - margin));
        let needed = -error.ln() / (stake * units) + stake * (variance + margin * margin) / 2.0;
        let power = normal_below((margin - needed) * units.sqrt() / deviation);
        // The means of a few clusters are far from normal. The simulation takes longer, so only where it can matter.
        let runs = rows * self.repetitions;
        let is_small = runs <= MAX_RUNS_OF_MANY || (units <= MAX_UNITS && runs <= MAX_RUNS);
        if self.baseline.is_some() && is_small && power >= self.power.unwrap_or(0.0) {
            power.min(self.simulated_power_of_margin(units as u32, margin))
        } else {
            power
        }
    }

    /// The share of simulated samples of two equal rates that show the margin.
    fn simulated_power_of_margin(&self, units: u32, margin: f64) -> f64 {
        const SAMPLES: u32 = 300;
        let single = self.variance(0.0, 1.0);
        // The share of rows whose repetitions all have the same difference, with the variance of the means. Without
        // repetitions, it is NaN, which no drawn number is below: a row has one difference either way.
        let alone = 1.0 / self.repetitions;
        let stable = (self.variance(0.0, self.repetitions) / single - alone) / (1.0 - alone);
        let mut random = Random::new(1);
        let mut shown = 0;
        for _ in 0..SAMPLES {
            let differences: Vec<[f64; 2]> =
                (0..units).map(|_| [self.drawn_difference(single, stable, &mut random), 1.0]).collect();
            let p_value = betting(&differences, margin, 1.0 - self.level, 0);
            shown += u32::from(is_significant(p_value, self.level));
        }
        f64::from(shown) / f64::from(SAMPLES)
    }

    /// The mean difference of a cluster, between two equal rates. Either all rows of a cluster have the same
    /// difference, or each its own; and so have the repetitions of a row.
    fn drawn_difference(&self, single: f64, stable: f64, random: &mut Random) -> f64 {
        let is_shared = random.uniform() < self.cluster_correlation;
        mean_of(if is_shared { 1.0 } else { self.cluster_size.round() }, || {
            let is_stable = random.uniform() < stable;
            mean_of(if is_stable { 1.0 } else { self.repetitions }, || {
                let drawn = random.uniform();
                f64::from(drawn < single / 2.0) - f64::from(drawn > 1.0 - single / 2.0)
            })
        })
    }

    /// The power of McNemar's exact test: the probability of a significant result, summed over the number of
    /// discordant pairs. With many discordant pairs, a normal approximation with a continuity correction.
    fn power_of_mcnemar(&self, rows: f64, difference: f64, variance: f64) -> f64 {
        let differ = (variance + difference * difference).min(1.0);
        if rows * differ <= MAX_COUNTED {
            let losing = ((differ - difference) / differ / 2.0).clamp(0.0, 1.0);
            let (mut power, mut most) = (0.0, -1.0);
            for (pairs, probability) in binomial(rows, differ) {
                while is_significant(mcnemar(pairs - most - 1.0, most + 1.0), self.level) {
                    most += 1.0;
                }
                let few = binomial(pairs, losing).into_iter().filter(|(lost, _)| *lost <= most);
                power += probability * few.map(|(_, probability)| probability).sum::<f64>();
            }
            return power.min(1.0);
        }
        // Under the null hypothesis, the same number of pairs differ, half of them in each direction.
        let needed = normal_quantile(self.level) * (variance + difference * difference).sqrt();
        let found = difference * rows.sqrt() - 1.0 / rows.sqrt() - needed;
        // Without variance, all rows increase.
        normal_below(found / variance.sqrt().max(1e-12))
    }
}

/// The mean of so many values.
fn mean_of(count: f64, mut value: impl FnMut() -> f64) -> f64 {
    (0..count as u32).map(|_| value()).sum::<f64>() / count
}

/// Plans with more rows or clusters are not simulated: 1,000 take about two seconds.
const MAX_UNITS: f64 = 1_000.0;

/// Nor are those with more runs.
const MAX_RUNS: f64 = 50_000.0;

/// Up to this many runs, plans may also have more rows or clusters.
const MAX_RUNS_OF_MANY: f64 = 2_000.0;

/// The most expected discordant pairs that are summed one by one.
const MAX_COUNTED: f64 = 400.0;

/// Up to this number of units, the steps between p-values are large, so the power of the permutation test itself is computed.
const FEW: u32 = 10;

/// The power of the permutation test of a few units whose differences are normal: the share of simulated samples with
/// a significant result.
fn power_of_signs(effect: f64, units: u32, level: f64) -> f64 {
    const SAMPLES: u32 = 1_000;
    if !effect.is_finite() {
        return 1.0;
    }
    let mean = effect / f64::from(units).sqrt();
    let mut random = Random::new(1);
    let mut found = 0;
    for _ in 0..SAMPLES {
        let differences: Vec<f64> = (0..units).map(|_| mean + random.normal()).collect();
        found += u32::from(is_significant(permutation(&differences, 0), level));
    }
    f64::from(found) / f64::from(SAMPLES)
}

/// The power of a two-sided t-test: the probability that a noncentral t is beyond the quantile, integrated
/// over the distribution of the sample standard deviation.
fn power_of_t(effect: f64, freedom: u32, level: f64) -> f64 {
    const STEPS: u32 = 256;
    if !effect.is_finite() {
        return 1.0;
    }
    let quantile = student_quantile(level, freedom);
    let freedom = f64::from(freedom);
    let reach = 9.0 / (2.0 * freedom).sqrt();
    let (from, to) = (f64::max(1.0 - reach, 0.0), 1.0 + reach);
    let (mut sum, mut weights) = (0.0, 0.0);
    for step in 0..=STEPS {
        let deviation = from + (to - from) * f64::from(step) / f64::from(STEPS);
        // The density of the chi distribution, relative to its value at 1.
        let logarithm = if freedom == 1.0 { 0.0 } else { (freedom - 1.0) * deviation.ln() };
        let mut weight = (logarithm - freedom * (deviation * deviation - 1.0) / 2.0).exp();
        if step == 0 || step == STEPS {
            weight /= 2.0;
        }
        let (above, below) = (effect - quantile * deviation, -effect - quantile * deviation);
        sum += weight * (normal_below(above) + normal_below(below));
        weights += weight;
    }
    sum / weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::interval::{Settings, Units};
    use crate::statistics::margin::{MarginQuestion, within_margin};
    use crate::statistics::random::Random;
    use crate::statistics::significance::compare;
    use crate::statistics::testing::samples;

    const RATES: PlanOptions = PlanOptions {
        baseline: Some(0.8),
        standard_deviation: None,
        minimum_difference: Some(0.05),
        power: Some(0.8),
        level: 0.95,
        repetitions: 1.0,
        correlation: 0.5,
        repetition_correlation: 1.0,
        cluster_size: 1.0,
        cluster_correlation: 0.0,
        rows: None,
        margin: None,
    };

    #[test]
    fn is_that_of_the_paper() {
        // Miller 2024, section 5: without variance within rows, the variance of differences is 1/9; a
        // difference of 0.03 at 80% power needs 969 questions.
        let options = PlanOptions {
            baseline: None,
            standard_deviation: Some(1.0 / 3.0),
            minimum_difference: Some(0.03),
            ..RATES
        };
        // Student's t needs two more rows than the normal distribution.
        assert_eq!(plan(&options).rows, Some(971.0));
    }

    #[test]
    fn the_computed_parameter_agrees_with_the_given_ones() {
        let rows = plan(&RATES).rows.unwrap();
        let power = |rows| plan(&PlanOptions { rows: Some(rows), power: None, ..RATES }).power.unwrap();
        assert!(power(rows) >= 0.8 && power(rows - 1.0) < 0.8);
        let options = PlanOptions { rows: Some(rows), minimum_difference: None, ..RATES };
        let difference = plan(&options).minimum_difference.unwrap();
        assert!(difference <= 0.05 && difference > 0.0499, "{difference}");
    }

    #[test]
    fn all_rates_can_be_planned_up_to_1() {
        for percent in 1..100 {
            let baseline = Some(f64::from(percent) / 100.0);
            let free = PlanOptions { baseline, rows: Some(60.0), minimum_difference: None, ..RATES };
            for (correlation, repetitions) in [(0.5, 1.0), (0.0, 3.0)] {
                let options = PlanOptions { correlation, repetitions, ..free };
                let found = plan(&options).minimum_difference;
                assert!(found.is_none_or(|found| found > 0.0 && found <= 1.0), "{percent}: {found:?}");
                let whole = Some(f64::from(100 - percent) / 100.0);
                let power = plan(&PlanOptions { minimum_difference: whole, power: None, ..options }).power;
                assert!(power.is_some_and(|power| (0.0..=1.0).contains(&power)), "{percent}: {power:?}");
            }
        }
    }

    #[test]
    fn where_few_pairs_differ_they_are_counted() {
        // Computed with scipy.stats.binom: the sum over all numbers of discordant pairs.
        for (baseline, difference, correlation, rows, expected) in [
            (0.8, 0.1, 0.5, 60.0, 0.425_490_238_545_034_26),
            (0.8, 0.1, 0.5, 150.0, 0.913_597_150_662_733_2),
            (0.9, 0.05, 0.4, 200.0, 0.610_546_157_990_292_4),
            (0.95, 0.03, 0.6, 60.0, 0.009_792_762_170_973_914),
            (0.95, 0.03, 0.6, 200.0, 0.538_012_898_788_456_7),
        ] {
            let options = PlanOptions {
                baseline: Some(baseline),
                minimum_difference: Some(difference),
                correlation,
                rows: Some(rows),
                power: None,
                ..RATES
            };
            let power = plan(&options).power.unwrap();
            assert!((power - expected).abs() < 1e-9, "{baseline}, {rows}: {power}");
        }
    }

    #[test]
    fn clusters_take_more_rows() {
        let options = PlanOptions {
            baseline: None,
            standard_deviation: Some(0.4),
            minimum_difference: Some(0.02),
            ..RATES
        };
        let rows = plan(&options).rows.unwrap();
        let clustered = PlanOptions { cluster_size: 10.0, cluster_correlation: 0.3, ..options };
        let more = plan(&clustered).rows.unwrap();
        // The design effect is 1 + 9 · 0.3, apart from the degrees of freedom.
        assert!((3.7..3.73).contains(&(more / rows)), "{rows}, {more}");
        let few = PlanOptions { rows: Some(19.0), power: None, ..clustered };
        assert_eq!(plan(&few).power, Some(0.0));
    }

    /// A comparison of numbers with this standard deviation, in clusters.
    fn clustered(deviation: f64, size: f64, correlation: f64) -> PlanOptions {
        PlanOptions {
            baseline: None,
            standard_deviation: Some(deviation),
            minimum_difference: None,
            correlation: 0.0,
            cluster_size: size,
            cluster_correlation: correlation,
            ..RATES
        }
    }

    #[test]
    fn fewer_than_six_units_find_nothing() {
        // The p-value of five units is 2 / 2^5 at least.
        let options = PlanOptions { minimum_difference: Some(3.0), power: None, ..clustered(1.0, 1.0, 0.0) };
        let power = |rows| plan(&PlanOptions { rows: Some(rows), ..options }).power.unwrap();
        assert_eq!(power(5.0), 0.0);
        // All six have to gain, each of which has the probability Φ(3 / √2).
        assert!((power(6.0) - normal_below(3.0 / 2.0_f64.sqrt()).powi(6)).abs() < 0.02, "{}", power(6.0));
        let rows = plan(&PlanOptions { power: Some(0.8), ..options }).rows;
        assert_eq!(rows, Some(6.0));
        let sixty = PlanOptions {
            minimum_difference: Some(0.8),
            rows: Some(60.0),
            power: None,
            ..clustered(1.0, 10.0, 0.05)
        };
        let power = plan(&sixty).power.unwrap();
        assert!((power - 0.65).abs() < 0.03, "{power}");
        let none = PlanOptions { rows: Some(50.0), minimum_difference: None, power: Some(0.8), ..sixty };
        assert_eq!(plan(&none).minimum_difference, None);
    }

    #[test]
    fn the_power_for_a_margin_is_met_with_clusters() {
        for (deviation, margin, size, correlation) in [(0.05, 0.1, 10, 0.5), (0.15, 0.1, 5, 0.3)] {
            let options =
                PlanOptions { margin: Some(margin), ..clustered(deviation, f64::from(size), correlation) };
            let rows = plan(&options).rows.unwrap();
            let mut random = Random::new(3);
            let units: Vec<u32> = (0..rows as u32).map(|row| row / size).collect();
            let times = 60;
            let mut shown = 0;
            for _ in 0..times {
                let mut shared = 0.0;
                let to: Vec<f64> = (0..rows as u32)
                    .map(|row| {
                        if row % size == 0 {
                            shared = random.normal();
                        }
                        let difference =
                            shared * correlation.sqrt() + random.normal() * (1.0_f64 - correlation).sqrt();
                        (0.5 + difference * deviation * 2.0_f64.sqrt()).clamp(0.0, 1.0)
                    })
                    .collect();
                let asked = MarginQuestion { margin, low: 0.0, high: 1.0 };
                let settings = Settings { level: 0.95, seed: 1 };
                let test = within_margin(&vec![0.5; to.len()], &to, &Units::of(&units), asked, settings);
                shown += u32::from(test.not_lower.unwrap() < 0.05);
            }
            let share = f64::from(shown) / f64::from(times);
            assert!(share > 0.7, "{deviation}, {margin}: {share} of {rows} rows");
        }
    }

    #[test]
    fn any_difference_is_detected_if_scores_do_not_vary() {
        let detected =
            |rows| plan(&PlanOptions { rows: Some(rows), ..clustered(0.0, 1.0, 0.0) }).minimum_difference;
        assert_eq!(detected(6.0), Some(0.0));
        assert_eq!(detected(5.0), None);
    }

    #[test]
    fn rates_correlate_within_their_limits() {
        let used = |correlation, minimum_difference, margin| {
            let figures = plan(&PlanOptions { correlation, minimum_difference, margin, ..RATES });
            figures.correlation.map(|correlation| (correlation * 1e4).round() / 1e4)
        };
        // At most all 0.8 of the first are right in the second, too: (0.8 - 0.76) / sqrt(0.16 * 0.0475).
        assert_eq!(used(0.5, Some(0.15), None), Some(0.4588));
        // At least 0.75 are right in both: (0.75 - 0.76) / sqrt(0.16 * 0.0475).
        assert_eq!(used(-0.9, Some(0.15), None), Some(-0.1147));
        assert_eq!(used(0.3, Some(0.15), None), Some(0.3));
        // Rates that are equal correlate by up to 1, and by (0.6 - 0.64) / 0.16 at least.
        assert_eq!(used(1.0, None, Some(0.1)), Some(1.0));
        assert_eq!(used(-0.9, None, Some(0.1)), Some(-0.25));
        // A rate of 1 does not vary.
        assert_eq!(used(0.5, Some(0.2), None), None);
    }

    #[test]
    fn impossible_plans_have_no_figure() {
        let options =
            PlanOptions { rows: Some(10.0), minimum_difference: None, baseline: Some(0.9), ..RATES };
        assert_eq!(plan(&options).minimum_difference, None);
        let options = PlanOptions { minimum_difference: Some(1e-9), ..RATES };
        assert_eq!(plan(&options).rows, None);
    }

    /// The share of simulated experiments in which the test finds the difference.
    fn found(options: &PlanOptions, times: u32) -> f64 {
        let figures = plan(options);
        let (rows, rise) = (figures.rows.unwrap() as usize, figures.minimum_difference.unwrap_or(0.0));
        let mut random = Random::new(7);
        let mut uniform = || random.uniform();
        let rate = options.baseline.unwrap();
        let other = rate + rise;
        // The probabilities of the four kinds of pairs, for this correlation.
        let common = options.correlation * (rate * (1.0 - rate) * other * (1.0 - other)).sqrt();
        let both = rate * other + common;
        let mut found = 0.0;
        for _ in 0..times {
            let (mut from, mut to, mut examples) = (Vec::new(), Vec::new(), Vec::new());
            let size = options.cluster_size as usize;
            let (mut is_shared, mut of_cluster) = (false, 0.0);
            for row in 0..rows {
                if row % size == 0 {
                    (is_shared, of_cluster) = (uniform() < options.cluster_correlation, uniform());
                }
                let example = row / size;
                // Whether a row always has the same outcome, or a random one in each repetition.
                let is_stable = uniform() < options.repetition_correlation;
                let mut drawn = if is_shared { of_cluster } else { uniform() };
                for _ in 0..options.repetitions as usize {
                    if !is_stable {
                        drawn = uniform();
                    }
                    from.push(f64::from(drawn < rate));
                    to.push(f64::from(drawn < both || (drawn >= rate && drawn < rate + other - both)));
                    examples.push(example as u32);
                }
            }
            let settings = Settings { level: 0.95, seed: 1 };
            let units = Units::of(&examples);
            let p_value = match options.margin {
                None => compare(&from, &to, &units, settings).p_value.unwrap(),
                Some(margin) => {
                    let asked = MarginQuestion { margin, low: 0.0, high: 1.0 };
                    within_margin(&from, &to, &units, asked, settings).not_lower.unwrap()
                }
            };
            found += f64::from(p_value < 0.05);
        }
        found / f64::from(times)
    }

    #[test]
    fn the_power_is_met() {
        for (baseline, minimum_difference, correlation) in
            [(0.8, 0.1, 0.5), (0.5, 0.1, 0.0), (0.9, 0.05, 0.4), (0.6, -0.15, 0.3), (0.3, 0.3, 0.2)]
        {
            let options = PlanOptions {
                baseline: Some(baseline),
                minimum_difference: Some(minimum_difference),
                correlation,
                ..RATES
            };
            let share = found(&options, 200);
            // In 1,000 simulations of each, it was 0.79 to 0.84.
            assert!((0.72..0.92).contains(&share), "{baseline}, {minimum_difference}: {share}");
        }
    }

    #[test]
    fn repetitions_that_always_agree_save_no_rows() {
        for (baseline, minimum_difference) in [(0.8, -0.3), (0.9, -0.2), (0.8, 0.05)] {
            let once = PlanOptions {
                baseline: Some(baseline),
                minimum_difference: Some(minimum_difference),
                correlation: 0.0,
                ..RATES
            };
            let often = PlanOptions { repetitions: 3.0, ..once };
            assert_eq!(plan(&often).rows, plan(&once).rows);
            // And so do clusters of equal rows, of which each counts once.
            let clustered = PlanOptions { cluster_size: 5.0, cluster_correlation: 1.0, ..once };
            assert_eq!(plan(&clustered).rows, plan(&once).rows.map(|rows| rows * 5.0));
        }
    }

    #[test]
    fn the_power_is_met_with_clusters_and_repetitions() {
        let free = PlanOptions { correlation: 0.0, ..RATES };
        let clusters =
            |size, correlation| PlanOptions { cluster_size: size, cluster_correlation: correlation, ..free };
        let repeated =
            |correlation| PlanOptions { repetitions: 3.0, repetition_correlation: correlation, ..free };
        let margin =
            |margin, options| PlanOptions { minimum_difference: None, margin: Some(margin), ..options };
        for (baseline, options) in [
            (0.8, PlanOptions { minimum_difference: Some(-0.3), ..clusters(5.0, 1.0) }),
            (0.8, PlanOptions { minimum_difference: Some(-0.25), ..repeated(0.5) }),
            (0.8, PlanOptions { minimum_difference: Some(-0.3), ..repeated(0.8) }),
            (0.95, margin(0.1, clusters(3.0, 1.0))),
            (0.95, margin(0.1, repeated(0.5))),
            (0.9, margin(0.15, clusters(4.0, 0.3))),
        ] {
            let options = PlanOptions { baseline: Some(baseline), ..options };
            let share = found(&options, samples(120) as u32);
            println!("{options:?}: {:?} rows, {share}", plan(&options).rows);
            assert!((0.7..0.97).contains(&share), "{options:?}: {share}");
        }
    }
}
