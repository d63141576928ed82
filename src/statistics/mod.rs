//! Statistics of experiments: metrics over all rows, confidence intervals, and significance tests.
//!
//! | module | what it computes |
//! | --- | --- |
//! | [`descriptive`] | mean, quantiles, standard deviation, histogram |
//! | [`classification`] | precision, recall, F-beta, Cohen's kappa, Matthews correlation, confusion matrix |
//! | [`agreement`] | inter-rater agreement: kappa, alpha, AC1, rank correlations |
//! | [`confidences`] | calibration of a judge's probabilities, and its bias towards a group |
//! | [`labels`] | class numbers of labels |
//! | [`pass_at_k`] | pass@k and pass^k |
//! | [`interval`] | confidence intervals: Wilson's for rates, Student's and the bootstrap's for numbers |
//! | [`quantile`] | quantiles, with intervals between order statistics |
//! | [`clusters`] | cluster-robust variances for units of unequal sizes |
//! | [`share`] | confidence intervals of shares from their variance; the flip rate |
//! | [`true_rate`] | the true rate, corrected for a judge's errors |
//! | [`significance`] | paired tests: McNemar's and the permutation test; corrections for multiple tests |
//! | [`margin`] | equivalence tests of a margin |
//! | [`plan`] | power analysis: the size of a comparison |
//! | [`search`] | the smallest sample for a purpose |
//! | [`expected_score`] | the expected score of a judge |
//! | [`repetitions`] | variance between repetitions of an example |
//! | [`slices`] | tests of slices against the other rows |
//! | [`sequence`] | confidence sequences, which are valid at every look |
//! | [`rank`] | strengths from paired comparisons: Bradley-Terry and Elo |
//! | [`wins`] | win rates |
//! | [`split`] | stratified holdout split |
//! | [`rows`] | grouping of repetitions of the same example |
//! | [`rounding`] | which differences are rounding errors |
//!
//! Besides `+ - * /` and the square root, which IEEE 754 defines exactly, the binary has its own functions
//! (logarithms, angles) and its own random number generator ([`random`]). So the same seed gives the same
//! figures on every runtime.
//!
//! Undefined values, such as the precision for a class that was never predicted, are NaN internally and
//! `None` in results, which is `null` in JavaScript. The TypeScript types of results and options are
//! generated from the Rust types.

pub mod agreement;
pub mod classification;
pub mod clusters;
pub mod confidences;
pub mod descriptive;
pub mod expected_score;
pub mod interval;
pub mod labels;
pub mod margin;
pub mod pass_at_k;
pub mod plan;
pub mod probability;
pub mod quantile;
pub mod random;
pub mod rank;
pub mod repetitions;
pub mod rounding;
pub mod rows;
pub mod search;
pub mod sequence;
pub mod share;
pub mod significance;
pub mod slices;
pub mod split;
#[cfg(test)]
mod testing;
pub mod true_rate;
pub mod wins;
