//! Metrics and statistics over all rows of an experiment.

use crate::error::Error;
use crate::summary::classification::{Average, Labels, Metric};
use crate::summary::descriptive;
use crate::summary::interval::{self, Interval, Settings, Units};
use crate::summary::pass_at_k::{self, Passes};
use crate::summary::significance::{self, Test};
use wasm_bindgen::prelude::*;

/// Computes what the first option names by a number. Numbers cross as numbers; what is undefined is NaN.
///
/// The options go on with the level of intervals and the seed. `columns` stand one after the other, each with a number
/// for every row; the last of them numbers the example of each row, and the rows of an example follow each other.
///
/// | | further options | columns besides the examples | result |
/// | --- | --- | --- | --- |
/// | 0, mean | | scores | the mean, its interval |
/// | 1, description | | scores | the same, minimum, median, maximum, standard deviation, histogram |
/// | 2, quantile | which, from 0 to 1 | scores | the quantile, its interval |
/// | 3, comparison | | from, to | the difference, its interval, p-value, whether by permutation |
/// | 4, pass@k | k | for each example its attempts, those that passed | the mean, its interval |
/// | 5, pass^k | k | the same | the same |
/// | 6, confusion matrix | classes | outputs, references | its cells |
/// | 7, Cohen's kappa | classes | outputs, references | the score, its interval |
/// | 8, Matthews correlation | classes | outputs, references | the score, its interval |
/// | 9, F | classes, part of recall, average, class | outputs, references | the score, its interval, the classes without one |
#[wasm_bindgen]
pub fn summarise(options: &[f64], columns: &[f64]) -> Result<Vec<f64>, JsValue> {
    Ok(summary(options, columns).ok_or_else(|| Error::invalid_config("the summary is unknown"))?)
}

fn summary(options: &[f64], columns: &[f64]) -> Option<Vec<f64>> {
    let option = |index: usize| options.get(index).copied();
    let what = option(0)? as u32;
    let settings = Settings { level: option(1)?, seed: option(2)? as u64 };
    let rows = columns.len() / if what < 3 { 2 } else { 3 };
    let (first, rest) = columns.split_at_checked(rows)?;
    let (second, _) = rest.split_at_checked(rows)?;
    let examples = columns.get(columns.len() - rows..)?;
    let units = Units::of(examples);
    let argument = option(3).unwrap_or_default();
    let (outputs, references) = (classes(first), classes(second));
    let labels = Labels { outputs: &outputs, references: &references, examples, classes: argument as usize };
    let mut numbers = Vec::new();
    let (score, interval) = match what {
        0..=2 => {
            let ordered = descriptive::in_order(first);
            if what == 1 {
                for at in [0.0, 0.5, 1.0] {
                    numbers.push(descriptive::quantile(&ordered, at));
                }
                numbers.push(descriptive::standard_deviation(first));
                numbers.append(&mut descriptive::histogram(&ordered));
            }
            if what == 2 {
                let quantile = descriptive::quantile(&ordered, argument);
                (quantile, interval::of_quantile(first, argument, &units, settings))
            } else {
                interval::mean(first, &units, settings)
            }
        }
        3 => {
            let comparison = significance::compare(first, second, &units, settings);
            numbers.push(comparison.p_value);
            numbers.push(f64::from(comparison.test == Test::Permutation));
            (comparison.difference, comparison.interval)
        }
        4 | 5 => {
            let passes = if what == 4 { Passes::Once } else { Passes::Always };
            let mut estimates = Vec::new();
            for (count, passed) in first.iter().zip(second) {
                estimates.push(pass_at_k::estimate(passes, *count, *passed, argument));
            }
            interval::mean(&estimates, &units, settings)
        }
        6 => return Some(labels.confusion_matrix()),
        7 => labels.score(Metric::CohensKappa, settings, &mut numbers),
        8 => labels.score(Metric::MatthewsCorrelation, settings, &mut numbers),
        _ => {
            let average = match option(5)? as u32 {
                0 => Average::Binary(option(6)? as u32),
                1 => Average::Micro,
                2 => Average::Macro,
                _ => Average::Weighted,
            };
            labels.score(Metric::F(option(4)?, average), settings, &mut numbers)
        }
    };
    let Interval { low, high } = interval.unwrap_or(Interval { low: f64::NAN, high: f64::NAN });
    let mut result = vec![score, low, high];
    result.append(&mut numbers);
    Some(result)
}

fn classes(column: &[f64]) -> Vec<u32> {
    let mut classes = Vec::new();
    for class in column {
        classes.push(*class as u32);
    }
    classes
}
