//! What the scores of an experiment add up to: metrics over all rows, how sure one can be of them, and whether two
//! experiments differ.
//!
//! | module | what it computes |
//! | --- | --- |
//! | [`descriptive`] | mean, quantiles, standard deviation, histogram |
//! | [`classification`] | precision, recall, F-beta, Cohen's kappa, Matthews correlation, confusion matrix |
//! | [`labels`] | nothing: which labels name the same class |
//! | [`pass_at_k`] | which scores pass; pass@k and pass^k |
//! | [`interval`] | confidence intervals: Wilson's for rates, Student's and the bootstrap's for all else |
//! | [`significance`] | paired tests: McNemar's, and the permutation test; many of them at once |
//! | [`rows`] | nothing: which rows are repetitions of the same example |
//!
//! Nothing here uses more than `+ - * /` and the square root, which IEEE 754 fixes, and random numbers come from a
//! generator of our own ([`random`]): the same seed gives the same figures on every runtime.
//!
//! What is undefined, such as the precision for a class that was never predicted, is NaN within, and `None` in results,
//! which JavaScript sees as `null`. Results and options are the types that cross: TypeScript's are generated from them.

pub mod classification;
pub mod descriptive;
pub mod interval;
pub mod labels;
pub mod pass_at_k;
pub mod probability;
pub mod random;
pub mod rows;
pub mod significance;
