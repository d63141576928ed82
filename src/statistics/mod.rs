//! What the scores of an experiment add up to: metrics over all rows, how sure one can be of them, and whether two
//! experiments differ.
//!
//! | module | what it computes |
//! | --- | --- |
//! | [`descriptive`] | mean, quantiles, standard deviation, histogram |
//! | [`classification`] | precision, recall, F-beta, Cohen's kappa, Matthews correlation, confusion matrix |
//! | [`agreement`] | how far raters agree: kappa, alpha, AC1, rank correlations |
//! | [`confidences`] | what the probabilities that a judge gives are worth, and whom it favours |
//! | [`labels`] | nothing: which labels name the same class |
//! | [`pass_at_k`] | which scores pass; pass@k and pass^k |
//! | [`interval`] | confidence intervals: Wilson's for rates, Student's and the bootstrap's for numbers without bounds |
//! | [`clusters`] | what units of unequal sizes tell about a mean |
//! | [`share`] | intervals of what lies between 0 and 1, by how much it varies; flicker |
//! | [`true_rate`] | the true rate behind that of a judge |
//! | [`significance`] | paired tests: McNemar's, and the permutation test; many of them at once |
//! | [`margin`] | whether a difference is within a margin |
//! | [`plan`] | how large a comparison has to be |
//! | [`expected_score`] | the score that a judge is to be expected to give |
//! | [`flicker`] | how much repetitions of an example differ |
//! | [`slices`] | whether some rows differ from the rest |
//! | [`sequence`] | intervals that hold at every look; whether a question is answered |
//! | [`rank`] | strengths from comparisons in pairs: Bradley and Terry's, Elo's |
//! | [`wins`] | how often one of two is better |
//! | [`split`] | nothing: which rows are held out |
//! | [`rows`] | nothing: which rows are repetitions of the same example |
//!
//! Besides `+ - * /` and the square root, which IEEE 754 fixes, the binary has functions of its own (logarithms, angles),
//! and random numbers come from a generator of our own ([`random`]): the same seed gives the same figures on every
//! runtime.
//!
//! What is undefined, such as the precision for a class that was never predicted, is NaN within, and `None` in results,
//! which JavaScript sees as `null`. Results and options are the types that cross: TypeScript's are generated from them.

pub mod agreement;
pub mod classification;
pub mod clusters;
pub mod confidences;
pub mod descriptive;
pub mod expected_score;
pub mod flicker;
pub mod interval;
pub mod labels;
pub mod margin;
pub mod pass_at_k;
pub mod plan;
pub mod probability;
pub mod random;
pub mod rank;
pub mod rows;
pub mod sequence;
pub mod share;
pub mod significance;
pub mod slices;
pub mod split;
#[cfg(test)]
mod testing;
pub mod true_rate;
pub mod wins;
