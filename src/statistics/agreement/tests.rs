use super::*;
use crate::statistics::testing::{Coverage, SETTINGS, normal, rows, samples, uniform};
use AgreementMeasure::*;

fn of(measure: AgreementMeasure, raters: &[&[f64]]) -> Estimate {
    let raters: Vec<Vec<f64>> = raters.iter().map(|rater| rater.to_vec()).collect();
    let count = raters.first().map_or(0, Vec::len) as u32;
    agreement(measure, &Ratings { raters: &raters, classes: 2 }, &rows(count), SETTINGS)
}

const JUDGE: [f64; 12] = [1.0, 2.0, 3.0, 3.0, 2.0, 1.0, 4.0, 1.0, 2.0, 5.0, 3.0, 3.0];
const PEOPLE: [f64; 12] = [1.0, 2.0, 3.0, 3.0, 2.0, 2.0, 4.0, 1.0, 2.0, 5.0, 3.0, 1.0];

#[test]
fn complete_agreement_has_an_interval() {
    let values: Vec<f64> = (0..12).map(|row| f64::from(row % 3)).collect();
    for measure in [
        Equality,
        Kappa,
        LinearKappa,
        QuadraticKappa,
        NominalAlpha,
        OrdinalAlpha,
        IntervalAlpha,
        Ac1,
        Spearman,
        Kendall,
    ] {
        let found = of(measure, &[&values, &values]);
        assert_eq!(found.value, Some(1.0), "{measure:?}");
        let Interval { low, high, .. } = found.interval.unwrap();
        assert!(low < 0.9 && high == 1.0, "{measure:?}: {low} to {high}");
    }
}

#[test]
fn undetermined_figures_are_undefined() {
    for measure in
        [Kappa, LinearKappa, QuadraticKappa, NominalAlpha, OrdinalAlpha, IntervalAlpha, Spearman, Kendall]
    {
        assert_eq!(
            of(measure, &[&[1.0; 9], &[1.0; 9]]),
            Estimate { value: None, interval: None },
            "{measure:?}"
        );
        assert_eq!(of(measure, &[&[], &[]]).value, None, "{measure:?}");
    }
    assert_eq!(of(Ac1, &[&[1.0; 9], &[1.0; 9]]).value, Some(1.0));
    assert_eq!(of(Ac1, &[&[f64::NAN; 9], &[1.0; 9]]).value, None);
}

#[test]
fn free_texts_as_classes_take_linear_time() {
    let raters: Vec<Vec<f64>> =
        (0..3).map(|rater| (0..3_000).map(|row| f64::from(rater * 3_000 + row)).collect()).collect();
    let raters: Vec<&[f64]> = raters.iter().map(Vec::as_slice).collect();
    for measure in [Equality, Ac1, NominalAlpha] {
        let value = of(measure, &raters).value.unwrap();
        assert!((-0.01..=0.01).contains(&value), "{measure:?}: {value}");
    }
}

#[test]
fn weights_are_distances() {
    // sklearn.metrics.cohen_kappa_score(…, labels=[0, 0.25, 0.5, 0.75, 1], weights=…), with the classes as
    // text.
    let judge = [0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 1.0, 0.0, 0.5, 1.0, 0.25, 1.0];
    let people = [0.0, 0.5, 1.0, 1.0, 0.5, 0.5, 1.0, 0.0, 0.5, 1.0, 0.25, 0.0];
    for (measure, expected) in
        [(LinearKappa, 0.716_535_433_070_866_2), (QuadraticKappa, 0.674_796_747_967_479_7)]
    {
        let found = of(measure, &[&judge, &people]).value.unwrap();
        assert!((found - expected).abs() < 1e-12, "{measure:?}: {found}");
        let [a, b] = [judge, people].map(|rater| rater.map(|rating| 40.0 - 8.0 * rating));
        assert!((of(measure, &[&a, &b]).value.unwrap() - expected).abs() < 1e-12, "{measure:?}");
    }
}

#[test]
fn a_class_with_few_labels_has_no_interval() {
    // 17 rows are true for both, 1 only for the judge, 2 only for people.
    let judge: Vec<f64> = (0..20).map(|row| f64::from(row < 18)).collect();
    let people: Vec<f64> = (0..20).map(|row| f64::from(row != 17)).collect();
    for measure in [Kappa, QuadraticKappa, NominalAlpha, OrdinalAlpha, IntervalAlpha, Spearman, Kendall] {
        let found = of(measure, &[&judge, &people]);
        assert!(found.value.is_some() && found.interval.is_none(), "{measure:?}");
        // People rate nine rows false, whatever the judge says.
        let more: Vec<f64> = (0..20).map(|row| f64::from(row % 2 == 0 || row == 1)).collect();
        assert!(of(measure, &[&judge, &more]).interval.is_some(), "{measure:?}");
    }
    assert!(of(Ac1, &[&judge, &people]).interval.is_some());
    // Of several people, the average counts: 15 of 60 ratings are enough, and 14 are not.
    let person = |falses: u32| (0..20).map(|row| f64::from(row >= falses)).collect::<Vec<_>>();
    assert!(of(NominalAlpha, &[&person(8), &person(4), &person(3)]).interval.is_some());
    assert!(of(NominalAlpha, &[&person(8), &person(3), &person(3)]).interval.is_none());
    // Repetitions of an example count as one label.
    let raters = [person(9), person(9)];
    let twice = Units::of(&(0..20).map(|row| row / 2).collect::<Vec<_>>());
    let ratings = Ratings { raters: &raters, classes: 2 };
    assert!(agreement(Kappa, &ratings, &twice, SETTINGS).interval.is_none());
}

#[test]
fn raters_may_leave_out_rows() {
    let mut judge = JUDGE.to_vec();
    let mut people = PEOPLE.to_vec();
    judge.extend([f64::NAN, 2.0]);
    people.extend([3.0, f64::NAN]);
    for measure in
        [Equality, Kappa, QuadraticKappa, IntervalAlpha, OrdinalAlpha, NominalAlpha, Spearman, Kendall]
    {
        let found = of(measure, &[&judge, &people]).value.unwrap();
        let expected = of(measure, &[&JUDGE, &PEOPLE]).value.unwrap();
        assert!((found - expected).abs() < 1e-12, "{measure:?}: {found}");
    }
}

#[test]
fn repetitions_of_an_example_are_one_unit() {
    let twice = |column: &[f64]| column.iter().flat_map(|value| [*value; 2]).collect::<Vec<_>>();
    let examples: Vec<u32> = (0..12).flat_map(|row| [row; 2]).collect();
    let is_near = |one: f64, other: f64| (one - other).abs() < 1e-9;
    for measure in [Kappa, NominalAlpha, OrdinalAlpha, IntervalAlpha, Ac1, Spearman] {
        let raters = [twice(&JUDGE), twice(&PEOPLE)];
        let ratings = Ratings { raters: &raters, classes: 2 };
        let found = agreement(measure, &ratings, &Units::of(&examples), SETTINGS);
        let once = of(measure, &[&JUDGE, &PEOPLE]);
        assert!(is_near(found.value.unwrap(), once.value.unwrap()), "{measure:?}");
        let (found, once) = (found.interval.unwrap(), once.interval.unwrap());
        assert!(is_near(found.low, once.low) && is_near(found.high, once.high), "{measure:?}");
    }
}

#[test]
fn units_that_happen_to_agree_are_not_taken_for_certainty() {
    // Two threads of eight rows, of which two differ in each, and thirty of one row, of which five differ.
    let differ = [3, 4, 11, 12, 20, 25, 31, 38, 44];
    let first: Vec<f64> = (0..46).map(|row| f64::from(row % 3 == 0)).collect();
    let second: Vec<f64> = first
        .iter()
        .enumerate()
        .map(|(row, own)| if differ.contains(&row) { 1.0 - own } else { *own })
        .collect();
    let threads: Vec<u32> = (0..46_u32).map(|row| if row < 16 { row / 8 } else { row }).collect();
    let ratings = Ratings { raters: &[first, second], classes: 2 };
    let found = agreement(Ac1, &ratings, &Units::of(&threads), SETTINGS);
    // numpy: the variance of rows without correlation is 1.576 times that between threads, and the interval would begin at 0.386
    // without this ratio.
    let Interval { low, high, .. } = found.interval.unwrap();
    assert!((found.value.unwrap() - 0.623_122_44).abs() < 1e-8);
    assert!((low - 0.318_1).abs() < 1e-3 && (high - 0.812_3).abs() < 1e-3, "{low} to {high}");
}

#[test]
fn coefficients_that_are_equal_for_two_classes_have_the_same_interval() {
    // Of 90 true rows, the judge calls 85 true, and all 10 false ones.
    let judge: Vec<f64> = (0..100).map(|row| f64::from(!(85..90).contains(&row))).collect();
    let people: Vec<f64> = (0..100).map(|row| f64::from(row < 90)).collect();
    let found = |measure| {
        let Estimate { value, interval } = of(measure, &[&judge, &people]);
        (value.unwrap(), interval.unwrap().low, interval.unwrap().high)
    };
    for measures in [
        &[Kappa, LinearKappa, QuadraticKappa][..],
        &[NominalAlpha, OrdinalAlpha, IntervalAlpha],
        &[Spearman, Kendall],
    ] {
        let (value, low, high) = found(measures[0]);
        assert!(low < -0.2 && high > 0.1, "{measures:?}: {low} to {high}");
        for measure in measures {
            let other = found(*measure);
            let is_near = |one: f64, other: f64| (one - other).abs() < 1e-12;
            assert!(
                is_near(other.0, value) && is_near(other.1, low) && is_near(other.2, high),
                "{measure:?}"
            );
        }
    }
}

#[test]
fn many_units_are_left_out_in_random_groups() {
    let mut random = uniform(3);
    // With two classes, it would be Cohen's kappa.
    let mut columns: Vec<[f64; 2]> = (0..3_000)
        .map(|_| {
            let truth = (3.0 * random()).floor();
            [truth, if random() < 0.85 { truth } else { (3.0 * random()).floor() }]
        })
        .collect();
    let interval_of = |columns: &[[f64; 2]]| {
        let raters = [0, 1].map(|rater| columns.iter().map(|pair| pair[rater]).collect::<Vec<_>>());
        let ratings = Ratings { raters: &raters, classes: 3 };
        agreement(QuadraticKappa, &ratings, &rows(columns.len() as u32), SETTINGS).interval.unwrap()
    };
    let interval = interval_of(&columns);
    // 200 rows are left out one by one.
    let few = interval_of(&columns[..200]);
    let ratio = (few.high - few.low) / (interval.high - interval.low) / 15.0_f64.sqrt();
    assert!((0.7..1.4).contains(&ratio), "{ratio}");
    // In a file that is sorted, each group would have rows of one kind only.
    columns.sort_by(|one, other| one.partial_cmp(other).unwrap());
    let sorted = interval_of(&columns);
    let is_near = |one: f64, other: f64| (one - other).abs() < 1e-12;
    assert!(is_near(sorted.low, interval.low) && is_near(sorted.high, interval.high), "{sorted:?}");
}

/// The sample sizes: one usually, several in a full simulation.
fn counts() -> &'static [u32] {
    if samples(0) > 0 { &[10, 20, 50, 200] } else { &[20] }
}

/// A judge and a person with this rate of true rows, sensitivity and specificity.
fn verdicts(rate: f64, sensitivity: f64, specificity: f64, count: u32, seed: u64) -> [Vec<f64>; 2] {
    let mut random = uniform(seed);
    let mut raters = [Vec::new(), Vec::new()];
    for _ in 0..count {
        let truth = random() < rate;
        let right = random() < if truth { sensitivity } else { specificity };
        raters[0].push(f64::from(truth));
        raters[1].push(f64::from(truth == right));
    }
    raters
}

/// The rows of a large population with these rates.
fn population(rate: f64, sensitivity: f64, specificity: f64) -> [Vec<f64>; 2] {
    let mut raters = [Vec::new(), Vec::new()];
    for (truth, verdict, share) in [
        (1.0, 1.0, rate * sensitivity),
        (1.0, 0.0, rate * (1.0 - sensitivity)),
        (0.0, 0.0, (1.0 - rate) * specificity),
        (0.0, 1.0, (1.0 - rate) * (1.0 - specificity)),
    ] {
        for _ in 0..(share * 10_000.0).round() as u32 {
            raters[0].push(truth);
            raters[1].push(verdict);
        }
    }
    raters
}

#[test]
fn verdicts_are_covered() {
    for (rate, sensitivity, specificity) in [
        (0.5, 0.9, 0.9),
        (0.5, 0.8, 0.7),
        (0.3, 0.8, 0.7),
        (0.2, 0.9, 0.95),
        (0.5, 0.97, 0.97),
        (0.5, 0.5, 0.5),
        (0.9, 0.9, 0.5),
    ] {
        let raters = population(rate, sensitivity, specificity);
        let all: Vec<u32> = (0..raters[0].len() as u32).collect();
        for measure in [Kappa, NominalAlpha, Ac1] {
            let ratings = Ratings { raters: &raters, classes: 2 };
            let truth =
                chance::disagreement(measure, &ratings, &chance::RatingClasses::of(&ratings), 1.0, &all)
                    .coefficient();
            for count in counts().iter().copied() {
                let mut coverage = Coverage::default();
                for seed in 0..samples(60) {
                    let raters = verdicts(rate, sensitivity, specificity, count, seed);
                    let found =
                        agreement(measure, &Ratings { raters: &raters, classes: 2 }, &rows(count), SETTINGS);
                    coverage.note(found, truth);
                }
                let name = format!("{measure:?} of {rate}, {sensitivity}, {specificity}: {count}");
                // All samples may have too few labels of a class.
                if !coverage.is_empty() {
                    coverage.expect(&name, 0.93..=0.995);
                }
            }
        }
    }
}

/// Correlated scores of two raters, in this many steps or continuous.
fn scores(correlation: f64, steps: f64, count: u32, seed: u64) -> [Vec<f64>; 2] {
    let mut random = normal(seed);
    let stepped = |value: f64| {
        if steps > 0.0 { (value * steps / 4.0 + steps / 2.0).floor().clamp(0.0, steps - 1.0) } else { value }
    };
    let mut raters = [Vec::new(), Vec::new()];
    for _ in 0..count {
        let first = random();
        let second = correlation * first + (1.0 - correlation * correlation).sqrt() * random();
        raters[0].push(stepped(first));
        raters[1].push(stepped(second));
    }
    raters
}

#[test]
fn scores_are_covered() {
    let population = if samples(0) > 0 { 40_000 } else { 4_000 };
    for (correlation, steps) in [(0.0, 0.0), (0.6, 0.0), (0.9, 0.0), (0.6, 5.0), (0.9, 5.0)] {
        let raters = scores(correlation, steps, population, 1);
        let all: Vec<u32> = (0..population).collect();
        for measure in [LinearKappa, QuadraticKappa, OrdinalAlpha, IntervalAlpha, Spearman, Kendall] {
            if steps == 0.0 && matches!(measure, LinearKappa | QuadraticKappa) {
                continue;
            }
            let ratings = Ratings { raters: &raters, classes: 2 };
            let truth = match measure {
                Spearman => rank::spearman(&ratings, &all),
                Kendall => rank::kendall(&ratings, &all),
                _ => chance::disagreement(measure, &ratings, &chance::RatingClasses::of(&ratings), 1.0, &all),
            };
            for count in counts().iter().copied() {
                let mut coverage = Coverage::default();
                for seed in 0..samples(60) {
                    let raters = scores(correlation, steps, count, seed + 10);
                    let found =
                        agreement(measure, &Ratings { raters: &raters, classes: 2 }, &rows(count), SETTINGS);
                    coverage.note(found, truth.coefficient());
                }
                let name = format!("{measure:?} of {correlation} in {steps}: {count}");
                // The guide lists the cases outside of 93 to 97 %.
                coverage.expect(&name, 0.9..=0.995);
            }
        }
    }
}
