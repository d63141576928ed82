//! The true rate behind an imperfect judge's rate, from rows labelled by people.

use super::descriptive::mean;
use super::interval::{Estimate, Interval, Settings, Units, effective_count};
use super::probability::normal_quantile;
use serde::Deserialize;

/// The confusion matrix of a judge against people.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct VerdictCounts {
    /// The rows that both call `true`.
    pub true_positives: f64,
    /// The rows that only people call `true`.
    pub false_negatives: f64,
    /// The rows that only the judge calls `true`.
    pub false_positives: f64,
    /// The rows that both call `false`.
    pub true_negatives: f64,
}

/// A method of correcting a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum CorrectionMethod {
    /// Correction by sensitivity and specificity (Rogan and Gladen, *Estimating prevalence from the results
    /// of a screening test*, 1978).
    RoganGladen,
    /// Prediction-powered inference (Angelopoulos, Duchi and Zrnic, *PPI++: efficient prediction-powered inference*, 2023).
    Ppi,
}

/// The true rate, given the judge's positives among unlabelled rows.
pub fn correct(
    method: CorrectionMethod,
    positives: f64,
    count: f64,
    counts: VerdictCounts,
    level: f64,
) -> Estimate {
    let z = normal_quantile(level);
    let (value, [low, high]) = match method {
        CorrectionMethod::RoganGladen => rogan_gladen(positives, count, counts, z),
        CorrectionMethod::Ppi => ppi(positives, count, counts, z),
    };
    let within = |rate: f64| rate.clamp(0.0, 1.0);
    Estimate::new(within(value), Interval::between(within(low), within(high), level))
}

/// The true difference of two rates found by the same judge: the apparent difference divided by sensitivity
/// plus specificity minus 1 (Rogan and Gladen), if the judge has the same error rates in both experiments.
///
/// The interval is Fieller's (*Some problems in interval estimation*, 1954), from counts with added successes
/// and failures. `None` if the judge may be no better than chance. The p-value of no difference does not
/// change.
pub fn correct_difference(
    from: &[f64],
    to: &[f64],
    units: &Units,
    counts: VerdictCounts,
    settings: Settings,
    p_value: f64,
) -> Estimate {
    let level = settings.level;
    let differences: Vec<f64> = from.iter().zip(to).map(|(from, to)| to - from).collect();
    let squares: f64 = differences.iter().map(|difference| difference * difference).sum();
    let (rows, apparent) = (differences.len() as f64, mean(&differences));
    let VerdictCounts { true_positives, false_negatives, false_positives, true_negatives } = counts;
    let rate = |yes: f64, no: f64, more: f64| {
        let (count, yes) = (yes + no + 2.0 * more, yes + more);
        (yes / count, yes / count * (1.0 - yes / count) / count)
    };
    let informed = |more| {
        let (sensitivity, one) = rate(true_positives, false_negatives, more);
        let (specificity, other) = rate(true_negatives, false_positives, more);
        (sensitivity + specificity - 1.0, one + other)
    };
    let (raw, _) = informed(0.0);
    // Also false for NaN, when one class has no labels.
    let is_informed = raw > 0.0;
    if !is_informed {
        return Estimate { value: None, interval: None };
    }
    let count = effective_count(&differences, units, level);
    let found = apparent * count / (count + 2.0);
    let variance = ((squares / rows * count + 1.0) / (count + 2.0) - found * found) / (count + 2.0);
    let (information, uncertainty) = informed(1.0);
    // As for a rate: a larger difference than the judge's errors allow counts as the largest.
    let found = found.abs().min(information.abs()).copysign(found);
    let z = normal_quantile(level);
    let scale = information * information - z * z * uncertainty;
    let rest = found * found - z * z * variance;
    let half = (found * found * information * information - scale * rest).sqrt() / scale;
    let center = found * information / scale;
    let within = |difference: f64| difference.clamp(-1.0, 1.0);
    let interval = (scale > 0.0)
        .then(|| Interval::between(within(center - half), within(center + half), level))
        .flatten()
        .map(|interval| interval.agreeing(apparent, p_value));
    Estimate::new(within(apparent / raw), interval)
}

const UNKNOWN: (f64, [f64; 2]) = (f64::NAN, [f64::NAN; 2]);

/// The interval of Lang and Reiczigel (*Confidence limits for prevalence of disease adjusted for estimated
/// sensitivity and specificity*, 2014), from counts with added successes and failures. Undefined for a judge
/// no better than chance, also according to these counts.
///
/// A rate below that of false alarms or above the sensitivity counts as the nearest possible one. Its interval would
/// lie beyond 0 or 1, and without that part have hardly any width.
fn rogan_gladen(positives: f64, count: f64, counts: VerdictCounts, z: f64) -> (f64, [f64; 2]) {
    let of_true = counts.true_positives + counts.false_negatives;
    let of_false = counts.false_positives + counts.true_negatives;
    let rate = |apparent: f64, sensitivity: f64, specificity: f64| {
        (apparent + specificity - 1.0) / (sensitivity + specificity - 1.0)
    };
    let (sensitivity, specificity) = (counts.true_positives / of_true, counts.true_negatives / of_false);
    let is_informed = sensitivity + specificity > 1.0;
    // Also false for NaN, when one class has no labels.
    if !is_informed {
        return UNKNOWN;
    }
    // Avoids the rounding error of 1 - specificity.
    let false_alarms = counts.false_positives / of_false;
    let value = (positives / count - false_alarms) / (sensitivity - false_alarms);
    let (more, of_true, of_false) = (count + z * z, of_true + 2.0, of_false + 2.0);
    let apparent = (positives + z * z / 2.0) / more;
    let sensitivity = (counts.true_positives + 1.0) / of_true;
    let specificity = (counts.true_negatives + 1.0) / of_false;
    // With so few labels, the judge may be no better than chance.
    if sensitivity + specificity <= 1.0 {
        return (value, [f64::NAN; 2]);
    }
    let apparent = apparent.max(1.0 - specificity).min(sensitivity);
    let adjusted = rate(apparent, sensitivity, specificity);
    let of_sensitivity = sensitivity * (1.0 - sensitivity) / of_true;
    let of_specificity = specificity * (1.0 - specificity) / of_false;
    let shift = 2.0 * z * z * (adjusted * of_sensitivity - (1.0 - adjusted) * of_specificity);
    let variance = apparent * (1.0 - apparent) / more
        + adjusted * adjusted * of_sensitivity
        + (1.0 - adjusted) * (1.0 - adjusted) * of_specificity;
    let half = z * variance.sqrt() / (sensitivity + specificity - 1.0);
    (value, [adjusted + shift - half, adjusted + shift + half])
}

/// The interval from counts with added successes and failures, as Agresti and Coull do for a rate (1998), and
/// Agresti and Min for pairs (*Simple improved confidence intervals for comparing matched proportions*,
/// 2005). Otherwise it has no width for a judge without observed errors.
fn ppi(positives: f64, count: f64, counts: VerdictCounts, z: f64) -> (f64, [f64; 2]) {
    let weight = tuned(positives, count, counts);
    let (value, _) = powered(weight, positives, count, counts);
    let VerdictCounts { true_positives, false_negatives, false_positives, true_negatives } = counts;
    let more = VerdictCounts {
        true_positives: true_positives + 0.5,
        false_negatives: false_negatives + 0.5,
        false_positives: false_positives + 0.5,
        true_negatives: true_negatives + 0.5,
    };
    let (center, variance) = powered(weight, positives + z * z / 2.0, count + z * z, more);
    let (center, half) = (center.clamp(0.0, 1.0), z * variance.sqrt());
    (value, [center - half, center + half])
}

/// The estimate and its variance, for this weight of the judge.
fn powered(weight: f64, positives: f64, count: f64, counts: VerdictCounts) -> (f64, f64) {
    let VerdictCounts { true_positives, false_negatives, false_positives, true_negatives } = counts;
    let labelled = true_positives + false_negatives + false_positives + true_negatives;
    let apparent = positives / count;
    // The residual: the label minus the weighted verdict.
    let rest = 1.0 - weight;
    let mean = (true_positives * rest + false_negatives - false_positives * weight) / labelled;
    let squares =
        (true_positives * rest * rest + false_negatives + false_positives * weight * weight) / labelled;
    let variance = weight * weight * apparent * (1.0 - apparent) / count + (squares - mean * mean) / labelled;
    (weight * apparent + mean, variance)
}

/// The weight of the judge with the least variance, from 0 to 1.
fn tuned(positives: f64, count: f64, counts: VerdictCounts) -> f64 {
    let VerdictCounts { true_positives, false_negatives, false_positives, true_negatives } = counts;
    let labelled = true_positives + false_negatives + false_positives + true_negatives;
    let found = true_positives + false_positives;
    let covariance = (true_positives - (true_positives + false_negatives) * found / labelled) / labelled;
    let all = labelled + count;
    let share = (found + positives) / all;
    let variance = share * (1.0 - share) * all / (all - 1.0);
    if variance > 0.0 { (covariance / ((1.0 + labelled / count) * variance)).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::testing::{Coverage, SETTINGS, rows, samples, uniform};

    fn counts(
        true_positives: f64,
        false_negatives: f64,
        false_positives: f64,
        true_negatives: f64,
    ) -> VerdictCounts {
        VerdictCounts { true_positives, false_negatives, false_positives, true_negatives }
    }

    #[test]
    fn a_perfect_judge_needs_no_correction_but_still_has_an_interval() {
        for method in [CorrectionMethod::RoganGladen, CorrectionMethod::Ppi] {
            let found = correct(method, 300.0, 1_000.0, counts(15.0, 0.0, 0.0, 35.0), 0.95);
            assert!((found.value.unwrap() - 0.3).abs() < 0.01, "{method:?}");
            let Interval { low, high, .. } = found.interval.unwrap();
            assert!(low < 0.26 && high > 0.33, "{method:?}: {low} to {high}");
        }
    }

    #[test]
    fn undetermined_rates_are_undefined() {
        let nothing = Estimate { value: None, interval: None };
        let method = CorrectionMethod::RoganGladen;
        assert_eq!(correct(method, 3.0, 10.0, counts(5.0, 5.0, 5.0, 5.0), 0.95), nothing);
        assert_eq!(correct(method, 3.0, 10.0, counts(5.0, 0.0, 0.0, 0.0), 0.95), nothing);
        assert_eq!(correct(CorrectionMethod::Ppi, 3.0, 10.0, counts(0.0, 0.0, 0.0, 0.0), 0.95), nothing);
        // Sensitivity and specificity are 0.6 and 0.41; with a success and a failure more, 0.57 and 0.42, which is chance.
        let few = correct(method, 215.0, 227.0, counts(3.0, 2.0, 17.0, 12.0), 0.95);
        assert_eq!((few.value, few.interval), (Some(1.0), None));
    }

    #[test]
    fn rates_that_the_errors_of_the_judge_do_not_allow_have_intervals_with_a_width() {
        use CorrectionMethod::{Ppi, RoganGladen};
        // The ends are from a program in Python. The sensitivity is 0.8, and 10% or 30% are false alarms.
        for (method, positives, count, verdicts, value, ends) in [
            (RoganGladen, 95.0, 100.0, counts(40.0, 10.0, 5.0, 45.0), 1.0, [0.8226097425014322, 1.0]),
            (RoganGladen, 0.0, 100.0, counts(40.0, 10.0, 5.0, 45.0), 0.0, [0.0, 0.14296717910052303]),
            (RoganGladen, 15.0, 100.0, counts(40.0, 10.0, 15.0, 35.0), 0.0, [0.0, 0.2881762695013751]),
            (Ppi, 1_000.0, 1_000.0, counts(3.0, 2.0, 2.0, 3.0), 1.0, [0.6328588906215293, 1.0]),
        ] {
            let found = correct(method, positives, count, verdicts, 0.95);
            let Interval { low, high, .. } = found.interval.unwrap();
            assert_eq!(found.value, Some(value));
            assert!((low - ends[0]).abs() < 1e-8 && (high - ends[1]).abs() < 1e-8, "{low} to {high}");
        }
        let mut to = vec![0.0; 40];
        to[..36].fill(1.0);
        let found =
            correct_difference(&[0.0; 40], &to, &rows(40), counts(90.0, 10.0, 20.0, 80.0), SETTINGS, 0.01);
        let Interval { low, high, .. } = found.interval.unwrap();
        assert!((low - 0.7961220571472618).abs() < 1e-9 && high == 1.0, "{low} to {high}");
    }

    #[test]
    fn a_difference_has_fiellers_interval() {
        let (mut from, mut to) = (vec![0.0; 40], vec![0.0; 40]);
        to[..16].fill(1.0);
        from[16..20].fill(1.0);
        let found = correct_difference(&from, &to, &rows(40), counts(90.0, 10.0, 20.0, 80.0), SETTINGS, 0.01);
        // The difference is 12 of 40, and the judge's rates 0.9 and 0.8. The ends solve Fieller's equation, with one success
        // and one failure more for each rate.
        let Interval { low, high, .. } = found.interval.unwrap();
        assert!((found.value.unwrap() - 0.3 / 0.7).abs() < 1e-12);
        assert!(
            (low - 0.1306661076210326).abs() < 1e-9 && (high - 0.7196458501156455).abs() < 1e-9,
            "{low} to {high}"
        );
    }

    #[test]
    fn a_planted_difference_is_covered() {
        for (first, second, sensitivity, specificity) in
            [(0.6, 0.7, 0.8, 0.8), (0.8, 0.8, 0.9, 0.7), (0.5, 0.8, 0.95, 0.9)]
        {
            for labelled in [60, 200] {
                let mut coverage = Coverage::default();
                for seed in 0..samples(100) {
                    let mut random = uniform(seed * 1_000 + labelled);
                    let mut found = counts(0.0, 0.0, 0.0, 0.0);
                    for row in 0..labelled {
                        let is_right = random() < if row % 2 == 0 { sensitivity } else { specificity };
                        match (row % 2 == 0, is_right) {
                            (true, true) => found.true_positives += 1.0,
                            (true, false) => found.false_negatives += 1.0,
                            (false, true) => found.true_negatives += 1.0,
                            (false, false) => found.false_positives += 1.0,
                        }
                    }
                    let (mut from, mut to) = (Vec::new(), Vec::new());
                    for _ in 0..300 {
                        let drawn = random();
                        let mut judged = |truth: bool| {
                            f64::from((random() < if truth { sensitivity } else { specificity }) == truth)
                        };
                        from.push(judged(drawn < first));
                        to.push(judged(drawn < second));
                    }
                    let p_value = crate::statistics::significance::compare(&from, &to, &rows(300), SETTINGS)
                        .p_value
                        .unwrap();
                    let corrected = correct_difference(&from, &to, &rows(300), found, SETTINGS, p_value);
                    coverage.note(corrected, second - first);
                }
                coverage.expect(
                    &format!("{first} and {second}, {sensitivity}, {specificity}: {labelled}"),
                    0.93..=1.0,
                );
            }
        }
    }

    #[test]
    fn an_uninformative_judge_cannot_correct_a_difference() {
        let (from, to) = ([0.0; 10], [1.0; 10]);
        let corrected = |counts| correct_difference(&from, &to, &rows(10), counts, SETTINGS, 0.002);
        assert_eq!(corrected(counts(5.0, 5.0, 5.0, 5.0)), Estimate { value: None, interval: None });
        // With so few labels, the judge may be no better than chance.
        let few = corrected(counts(2.0, 1.0, 1.0, 2.0));
        assert_eq!((few.value, few.interval), (Some(1.0), None));
    }

    #[test]
    fn a_planted_rate_is_covered() {
        for (rate, sensitivity, specificity) in
            [(0.3, 0.8, 0.7), (0.3, 0.9, 0.9), (0.6, 0.95, 0.9), (0.1, 0.9, 0.95)]
        {
            for labelled in [20, 50, 100, 300] {
                for method in [CorrectionMethod::RoganGladen, CorrectionMethod::Ppi] {
                    let mut coverage = Coverage::default();
                    for seed in 0..samples(100) {
                        let mut random = uniform(seed * 1_000 + labelled);
                        let mut row = || {
                            let truth = random() < rate;
                            let right = random() < if truth { sensitivity } else { specificity };
                            (truth, truth == right)
                        };
                        let mut found = counts(0.0, 0.0, 0.0, 0.0);
                        for _ in 0..labelled {
                            match row() {
                                (true, true) => found.true_positives += 1.0,
                                (true, false) => found.false_negatives += 1.0,
                                (false, true) => found.false_positives += 1.0,
                                (false, false) => found.true_negatives += 1.0,
                            }
                        }
                        let positives = f64::from((0..500).filter(|_| row().1).count() as u32);
                        coverage.note(correct(method, positives, 500.0, found, 0.95), rate);
                    }
                    let name = format!("{method:?} of {rate}, {sensitivity}, {specificity}: {labelled}");
                    coverage.expect(&name, 0.93..=0.995);
                }
            }
        }
    }
}
