//! Cluster-robust variances of means, for units of unequal sizes: repetitions of examples, or clusters of
//! examples.

use super::descriptive::{mean, standard_deviation};
use super::interval::Units;

/// The variance of a mean between samples of units, corrected for the leverage of each unit: CR2 of Bell and
/// McCaffrey (*Bias reduction in standard errors for linear regression with multi-stage samples*, 2002). For
/// units of equal size, it is the variance of their means. NaN for a single unit.
pub fn variance_of_mean(values: &[f64], units: &Units) -> f64 {
    let rows = units.rows() as f64;
    let deviations = units.deviations(values).enumerate();
    let squares = deviations.map(|(unit, off)| off * off / (1.0 - units.size(unit) / rows));
    squares.sum::<f64>() / (rows * rows)
}

/// That variance, for intervals. If units are unequal, it is at least that of rows with this correlation within units (Kish,
/// *Survey sampling*, 1965): where the few large units happen to agree, the variance between units is far too small. The rows of
/// clusters are the means of their examples, so that repetitions which agree change nothing.
pub fn cautious_variance(values: &[f64], units: &Units, correlation: f64) -> f64 {
    let robust = variance_of_mean(values, units);
    if !are_unequal(units) {
        return robust;
    }
    let (count, rows) = (units.count() as f64, units.rows() as f64);
    let deviation = standard_deviation(&units.averaged(values).0);
    let sizes: f64 = spreads(units, correlation).iter().sum();
    robust.max(deviation * deviation * count / (count - 1.0) * sizes / (rows * rows))
}

/// That variance, for shares and their differences, which are within 1 of zero: at least that of `3 + s²` independent rows for each
/// unit, if the rarer rows (those that fail, or those that differ) would fill `s` units.
///
/// Units that fail as a whole may be missing from the sample, and then its rows hardly correlate, whatever the estimate. With a
/// probability of 5%, k units are none of a kind of which there are 3/k (Hanley and Lippman-Hand, *If nothing goes wrong, is
/// everything all right?*, 1983). If two thirds of the rows of such a unit fail together, the mean is 2/k too high. That is 1.96
/// standard errors of 3 · k independent rows, whose rate of failures is 3/k. The more rows fail, the less likely is it that such
/// units are missing. `tests/simulations/claims/clusters.mjs` simulates the coverage.
pub fn variance_of_shares(values: &[f64], units: &Units, correlation: f64) -> f64 {
    let count = units.count() as f64;
    let share = values.iter().map(|value| value.abs()).sum::<f64>() / values.len() as f64;
    let rare = count * share.min(1.0 - share);
    let deviation = standard_deviation(values);
    let least = deviation * deviation / ((count - 1.0) * (3.0 + rare * rare));
    cautious_variance(values, units, correlation).max(least)
}

/// Whether units are so unequal that they carry a tenth less information than units of equal size.
pub fn are_unequal(units: &Units) -> bool {
    !units.are_rows() && freedom(units, 0.0) + 1.0 < 0.9 * units.count() as f64
}

/// The variance of the sum of each unit, if that of a row is 1. The rows of an example in a cluster are equal.
fn spreads(units: &Units, correlation: f64) -> Vec<f64> {
    let spread = |unit| units.squares(unit) * (1.0 - correlation) + units.size(unit).powi(2) * correlation;
    (0..units.count()).map(spread).collect()
}

/// The degrees of freedom of the variance of a mean by Satterthwaite's approximation (Bell and McCaffrey, 2002; with a
/// correlation within units, Imbens and Kolesár, *Robust standard errors in small samples: some practical
/// advice*, 2016): one less than the number of units of equal size, and fewer if some units are much larger.
/// 0 for a single unit.
pub fn freedom(units: &Units, correlation: f64) -> f64 {
    if units.are_rows() || units.count() < 2 {
        return units.count() as f64 - 1.0;
    }
    let rows = units.rows() as f64;
    let spreads = spreads(units, correlation);
    let all: f64 = spreads.iter().sum();
    // The squared deviations of two units have the covariance `-(h d' + h' d)`, where `h` is the share of the
    // rows.
    let (mut trace, mut own, mut hh, mut dd, mut hd) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (unit, spread) in spreads.iter().enumerate() {
        let share = units.size(unit) / rows;
        let weight = 1.0 / (1.0 - share);
        let rest = spread - share * all / 2.0;
        let product = weight * share * rest;
        trace += weight * spread - 2.0 * product;
        own += weight * spread * (weight * spread - 4.0 * product);
        hh += weight * share * share;
        dd += weight * rest * rest;
        hd += product;
    }
    trace * trace / (own + 2.0 * hh * dd + 2.0 * hd * hd)
}

/// The variance components within and between units: the one-way random effects analysis of variance (Searle,
/// Casella and McCulloch, *Variance components*, 1992). The second is at least 0; `None` for a single unit.
pub fn components(values: &[f64], units: &Units) -> (f64, Option<f64>) {
    let (count, rows) = (units.count() as f64, units.rows() as f64);
    let mean = mean(values);
    let (mut within, mut between, mut sizes) = (0.0, 0.0, 0.0);
    for unit in 0..units.count() {
        let in_unit = units.of_unit(unit, values);
        let size = in_unit.len() as f64;
        let unit_mean = units.sum(unit, values) / size;
        // For equal values, the variance would be a rounding error.
        if in_unit.iter().any(|value| in_unit.first() != Some(value)) {
            within += in_unit.iter().map(|value| (value - unit_mean) * (value - unit_mean)).sum::<f64>();
        }
        between += size * (unit_mean - mean) * (unit_mean - mean);
        sizes += size * size;
    }
    let within = within / (rows - count);
    let between = (count > 1.0).then(|| {
        // The effective number of rows per unit.
        let size = (rows - sizes / rows) / (count - 1.0);
        f64::max((between / (count - 1.0) - within) / size, 0.0)
    });
    (within, between)
}

/// The intraclass correlation of two rows of a unit, or of the means of two examples of a cluster; 1 if it cannot be estimated.
pub fn correlation(values: &[f64], units: &Units) -> f64 {
    let (values, units) = units.averaged(values);
    let (within, between) = components(&values, &units);
    between.map(|between| between / (within + between)).filter(|share| share.is_finite()).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units of these sizes, with values that vary within and between units.
    fn sample(sizes: &[u32]) -> (Vec<f64>, Units) {
        let units: Vec<u32> =
            sizes.iter().enumerate().flat_map(|(unit, size)| vec![unit as u32; *size as usize]).collect();
        let values = (0..units.len()).map(|row| ((row * row * 7 + 3 * row) % 11) as f64 / 10.0).collect();
        (values, Units::of(&units))
    }

    #[test]
    fn units_of_one_size_have_one_degree_less_than_there_are() {
        for correlation in [0.0, 0.3, 1.0] {
            assert!((freedom(&sample(&[3; 8]).1, correlation) - 7.0).abs() < 1e-9);
        }
        assert_eq!(freedom(&sample(&[3]).1, 0.0), 0.0);
    }

    #[test]
    fn the_variance_of_large_units_that_agree_is_not_that_between_them() {
        // Two units of eight equal rows each, and eight of one row: the mean is 5/6.
        let mut values = vec![1.0; 20];
        values.extend([0.0; 4]);
        let examples: Vec<u32> = (0..24).map(|row: u32| if row < 16 { row / 8 } else { row }).collect();
        let units = Units::of(&examples);
        let singles = (4.0 / 36.0 + 4.0 * 25.0 / 36.0) * 24.0 / 23.0;
        let robust = (2.0 * (8.0_f64 / 6.0).powi(2) * 1.5 + singles) / 576.0;
        assert!((variance_of_mean(&values, &units) - robust).abs() < 1e-12);
        // Rows that always agree are worth 24² / (2 · 8² + 8) = 4.2 independent ones.
        let of_rows = 5.0 / 36.0;
        let supposed = of_rows * 10.0 / 9.0 * 136.0 / 576.0;
        assert!((cautious_variance(&values, &units, 1.0) - supposed).abs() < 1e-12);
        let equal = Units::of(&(0..24).map(|row| row / 3).collect::<Vec<u32>>());
        assert_eq!(cautious_variance(&values, &equal, 1.0), variance_of_mean(&values, &equal));
    }

    #[test]
    fn unequal_units_have_those_of_the_literature() {
        // Computed with numpy from the matrix definition, as in clubSandwich (Pustejovsky and Tipton, 2018):
        // the variance, and the degrees of freedom for correlations of 0 and 0.5 within units.
        let many = [40, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        for (sizes, variance, independent, correlated) in [
            (&many[..], 7.462_177_800_825_678e-5, 3.350_894_967_593_136, 1.591_491_471_068_784_2),
            (&[5, 3, 8, 2][..], 3.390_313_390_313_388e-4, 2.296_819_787_985_865_6, 1.793_708_128_101_375),
            (&[2, 2, 2, 9][..], 6.957_264_957_264_954e-4, 1.898_876_404_494_381_6, 1.473_677_435_963_444_1),
        ] {
            let (values, units) = sample(sizes);
            assert!((variance_of_mean(&values, &units) / variance - 1.0).abs() < 1e-9, "{sizes:?}");
            assert!((freedom(&units, 0.0) / independent - 1.0).abs() < 1e-9, "{sizes:?}");
            assert!((freedom(&units, 0.5) / correlated - 1.0).abs() < 1e-9, "{sizes:?}");
        }
    }
}
