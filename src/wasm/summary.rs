//! Metrics and statistics over all rows of an experiment.

use crate::error::{Error, Result};
use crate::summary::classification::{Average, Labels, Metric};
use crate::summary::descriptive;
use crate::summary::interval::{self, Interval, Settings, Units};
use crate::summary::pass_at_k::{self, Passes};
use crate::summary::significance::{self, Test};
use wasm_bindgen::prelude::*;

/// Computes what `what` names. Numbers cross as numbers; what is undefined is NaN.
///
/// `options` begin with the level of intervals and the seed. `columns` stand one after the other, each with a number for
/// every row; the last of them numbers the example of each row, and the rows of an example follow each other.
///
/// | `what` | options | columns | result |
/// | --- | --- | --- | --- |
/// | `mean` | | scores | the mean, its interval |
/// | `describe` | | scores | the same, minimum, maximum, median, standard deviation, histogram |
/// | `quantile` | which, from 0 to 1 | scores | the quantile, its interval |
/// | `pass_at_k`, `pass_hat_k` | k | for each example its attempts, those that passed | the mean, its interval |
/// | `f` | classes, recall's part in it, average, class | outputs, references | the score, its interval, the classes that have none |
/// | `cohens_kappa`, `matthews_correlation` | classes | outputs, references | the score, its interval |
/// | `confusion_matrix` | classes | outputs, references | its cells |
/// | `compare` | | from, to | the difference, its interval, the p-value, 0 for McNemar's test or 1 for the permutation test |
#[wasm_bindgen]
pub fn summarise(what: &str, options: &[f64], columns: &[f64]) -> Result<Vec<f64>, JsValue> {
    Ok(summary(what, options, columns).ok_or_else(|| Error::invalid_config("the summary is unknown"))?)
}

fn summary(what: &str, options: &[f64], columns: &[f64]) -> Option<Vec<f64>> {
    let option = |index: usize| options.get(index).copied();
    let settings = Settings { level: option(0)?, seed: option(1)? as u64 };
    let width = match what {
        "mean" | "describe" | "quantile" => 2,
        _ => 3,
    };
    let rows = columns.len() / width;
    let (first, rest) = columns.split_at_checked(rows)?;
    let (second, _) = rest.split_at_checked(rows)?;
    let units = Units::of(columns.get((width - 1) * rows..)?);
    let labels = Labels { outputs: first, references: second, classes: option(2).unwrap_or(0.0) as usize };
    let metric = match what {
        "mean" => return Some(mean(first, &units, settings)),
        "describe" => {
            let mut numbers = mean(first, &units, settings);
            let ordered = descriptive::in_order(first);
            numbers.extend([0.0, 1.0, 0.5].map(|at| descriptive::quantile(&ordered, at)));
            numbers.push(descriptive::standard_deviation(first));
            numbers.extend(descriptive::histogram(&ordered));
            return Some(numbers);
        }
        "quantile" => {
            let at = option(2)?;
            let quantile = descriptive::quantile(&descriptive::in_order(first), at);
            return Some(scored(quantile, interval::of_quantile(first, at, &units, settings)));
        }
        "pass_at_k" | "pass_hat_k" => {
            let (passes, k) = (if what == "pass_at_k" { Passes::Once } else { Passes::Always }, option(2)?);
            let attempts = first.iter().zip(second);
            let estimates: Vec<f64> =
                attempts.map(|(count, passed)| pass_at_k::estimate(passes, *count, *passed, k)).collect();
            return Some(mean(&estimates, &units, settings));
        }
        "compare" => {
            let comparison = significance::compare(first, second, &units, settings);
            let mut numbers = scored(comparison.difference, comparison.interval);
            numbers.extend([comparison.p_value, f64::from(comparison.test == Test::Permutation)]);
            return Some(numbers);
        }
        "confusion_matrix" => return Some(labels.confusion_matrix()),
        "cohens_kappa" => Metric::CohensKappa,
        "matthews_correlation" => Metric::MatthewsCorrelation,
        "f" => Metric::F(
            option(3)?,
            match option(4)? as u32 {
                0 => Average::Binary(option(5)? as usize),
                1 => Average::Micro,
                2 => Average::Macro,
                _ => Average::Weighted,
            },
        ),
        _ => return None,
    };
    let (score, interval, undefined) = labels.score(metric, &units, settings);
    let mut numbers = scored(score, interval);
    numbers.extend(undefined.iter().map(|class| *class as f64));
    Some(numbers)
}

fn mean(scores: &[f64], units: &Units, settings: Settings) -> Vec<f64> {
    scored(descriptive::mean(scores), interval::of_mean(scores, units, settings))
}

fn scored(score: f64, interval: Option<Interval>) -> Vec<f64> {
    let Interval { low, high } = interval.unwrap_or(Interval { low: f64::NAN, high: f64::NAN });
    vec![score, low, high]
}
