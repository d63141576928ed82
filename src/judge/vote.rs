//! Votes: aggregates several scores for the same question into one verdict, for a jury or the samples of one
//! judge.

use crate::sort::in_order;
use serde::{Deserialize, Serialize};

/// How scores are aggregated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum VoteRule {
    /// The most frequent score; in a tie, the lowest of the most frequent ones.
    Majority,
    /// The arithmetic mean.
    Mean,
    /// The median; for an even number of scores, the mean of the two middle ones.
    Median,
    /// The minimum: the score that every voter gave at least.
    Unanimous,
}

/// A verdict, with the agreement and spread of the scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Tally {
    /// The aggregated score.
    pub score: f64,
    /// Whether another score is as frequent, so that the verdict is the lowest of them.
    pub is_tie: bool,
    /// The agreement, from 0 to 1. For `majority` and `unanimous`, the share of scores that equal the
    /// verdict. For `mean` and `median` of scores from 0 to 1, 1 minus the mean absolute deviation from the
    /// verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub agreement: Option<f64>,
    /// The standard deviation of the scores (population, divided by n); absent if it overflows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub standard_deviation: Option<f64>,
}

impl VoteRule {
    /// The verdict of scores, where `true` counts as 1 and `false` as 0; `None` without scores.
    pub fn tally(self, scores: &[f64]) -> Option<Tally> {
        let ascending = in_order(scores, f64::total_cmp);
        let (lowest, highest) = (*ascending.first()?, *ascending.last()?);
        let count = ascending.len() as f64;
        let middle = mean(&ascending);
        let mut is_tie = false;
        let score = match self {
            Self::Majority => {
                let (most, tied) = most_frequent(&ascending);
                is_tie = tied;
                most
            }
            Self::Mean => middle,
            Self::Median => median(&ascending)?,
            Self::Unanimous => lowest,
        };
        let (mut equal, mut distance, mut squares) = (0.0, 0.0, 0.0);
        for other in &ascending {
            equal += f64::from(*other == score);
            distance += (other - score).abs();
            squares += (other - middle) * (other - middle);
        }
        let agreement = match self {
            Self::Majority | Self::Unanimous => Some(equal / count),
            _ if lowest < 0.0 || highest > 1.0 => None,
            _ => Some(1.0 - distance / count),
        };
        let standard_deviation = Some(f64::sqrt(squares / count)).filter(|deviation| deviation.is_finite());
        Some(Tally { score, is_tie, agreement, standard_deviation })
    }
}

/// The most frequent score, the lowest of several, and whether there are several. The scores are in ascending
/// order.
fn most_frequent(ascending: &[f64]) -> (f64, bool) {
    let (mut most, mut count, mut is_tie) = (f64::NAN, 0, false);
    for equal in ascending.chunk_by(|a, b| a == b) {
        if let Some(score) = equal.first().filter(|_| equal.len() > count) {
            (most, count, is_tie) = (*score, equal.len(), false);
        } else {
            is_tie |= equal.len() == count;
        }
    }
    (most, is_tie)
}

fn median(ascending: &[f64]) -> Option<f64> {
    let middle = ascending.len() / 2;
    let above = ascending.get(middle)?;
    if ascending.len() % 2 == 1 {
        return Some(*above);
    }
    Some(mean(&[*ascending.get(middle.checked_sub(1)?)?, *above]))
}

/// The mean of scores in ascending order, clamped to their range against rounding errors.
fn mean(ascending: &[f64]) -> f64 {
    let count = ascending.len() as f64;
    let sum: f64 = ascending.iter().sum();
    // The sum may overflow where the mean does not.
    let mean = if sum.is_finite() { sum / count } else { ascending.iter().map(|score| score / count).sum() };
    match ascending {
        // `clamp` can panic, and the code for its message takes 12 KB.
        [lowest, .., highest] => mean.max(*lowest).min(*highest),
        _ => mean,
    }
}

#[cfg(test)]
mod tests {
    use super::VoteRule::{self, Majority, Mean, Median, Unanimous};
    use super::*;
    use proptest::prelude::*;

    fn verdict(rule: VoteRule, scores: &[f64]) -> (f64, bool, Option<f64>) {
        let Tally { score, is_tie, agreement, .. } = rule.tally(scores).unwrap();
        (score, is_tie, agreement)
    }

    #[test]
    fn the_majority_wins_and_an_even_split_fails() {
        assert_eq!(verdict(Majority, &[1.0, 0.0, 1.0, 1.0]), (1.0, false, Some(0.75)));
        assert_eq!(verdict(Majority, &[1.0, 0.0]), (0.0, true, Some(0.5)));
        assert_eq!(verdict(Majority, &[0.5, 1.0, 0.5, 0.0]), (0.5, false, Some(0.5)));
        assert_eq!(verdict(Majority, &[1.0, 0.5, 0.5, 1.0, 0.0]), (0.5, true, Some(0.4)));
        assert_eq!(verdict(Majority, &[1.0]), (1.0, false, Some(1.0)));
    }

    #[test]
    fn mean_and_median_lie_between() {
        let (score, is_tie, agreement) = verdict(Mean, &[1.0, 0.0, 1.0, 1.0]);
        assert_eq!((score, is_tie), (0.75, false));
        assert_eq!(agreement, Some(0.625));
        assert_eq!(verdict(Mean, &[0.1, 0.1, 0.1]).0, 0.1);
        assert_eq!(verdict(Median, &[0.9, 0.1, 0.8]).0, 0.8);
        assert_eq!(verdict(Median, &[0.25, 0.75, 0.0, 1.0]).0, 0.5);
        assert_eq!(verdict(Median, &[7.0, 3.0]), (5.0, false, None));
    }

    #[test]
    fn of_true_and_false_the_median_agrees_as_a_majority_does() {
        let scores = [1.0, 1.0, 0.0, 1.0, 0.0];
        assert_eq!(verdict(Median, &scores), verdict(Majority, &scores));
    }

    #[test]
    fn a_single_dissent_decides_a_unanimous_vote() {
        assert_eq!(verdict(Unanimous, &[1.0, 1.0, 1.0]), (1.0, false, Some(1.0)));
        assert_eq!(verdict(Unanimous, &[1.0, 0.0, 1.0, 1.0]), (0.0, false, Some(0.25)));
        assert_eq!(verdict(Unanimous, &[0.7, 0.6]).0, 0.6);
    }

    #[test]
    fn the_spread_is_that_of_the_scores() {
        let spread = |scores: &[f64]| Majority.tally(scores).unwrap().standard_deviation;
        assert_eq!(spread(&[1.0, 0.0]), Some(0.5));
        assert_eq!(spread(&[1.0]), Some(0.0));
        assert_eq!(spread(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), Some(2.0));
        assert_eq!(spread(&[f64::MAX, f64::MIN]), None);
    }

    #[test]
    fn no_scores_have_no_verdict_and_large_scores_stay_finite() {
        assert_eq!(Majority.tally(&[]), None);
        assert_eq!(verdict(Mean, &[f64::MAX, f64::MAX]).0, f64::MAX);
        assert_eq!(verdict(Median, &[f64::MAX, f64::MAX]).0, f64::MAX);
    }

    fn rules() -> impl Strategy<Value = VoteRule> {
        prop::sample::select(vec![Majority, Mean, Median, Unanimous])
    }

    proptest! {
        #[test]
        fn a_verdict_lies_among_the_scores_in_whatever_order(
            rule in rules(),
            scores in prop::collection::vec(0.0..=1.0_f64, 1..40),
        ) {
            let tally = rule.tally(&scores).unwrap();
            let (low, high) = scores.iter().fold((1.0_f64, 0.0_f64), |(low, high), s| (low.min(*s), high.max(*s)));
            prop_assert!((low..=high).contains(&tally.score));
            prop_assert!((0.0..=1.0).contains(&tally.agreement.unwrap()));
            prop_assert!((0.0..=0.5 + 1e-12).contains(&tally.standard_deviation.unwrap()));
            let reversed: Vec<f64> = scores.iter().rev().copied().collect();
            prop_assert_eq!(rule.tally(&reversed), Some(tally));
        }

        #[test]
        fn a_common_score_is_the_verdict(rule in rules(), score in -1e300..1e300_f64, count in 1..50_usize) {
            let tally = rule.tally(&vec![score; count]).unwrap();
            prop_assert_eq!(tally.score, score);
            prop_assert_eq!(tally.standard_deviation, Some(0.0));
            prop_assert!(!tally.is_tie);
        }

        #[test]
        fn the_score_of_more_than_half_is_the_majority(
            others in prop::collection::vec(0..5_u8, 0..20),
            score in 0..5_u8,
        ) {
            let mut scores: Vec<f64> = others.iter().map(|other| f64::from(*other)).collect();
            scores.extend(vec![f64::from(score); others.len() + 1]);
            prop_assert_eq!(verdict(Majority, &scores).0, f64::from(score));
        }

        #[test]
        fn one_more_that_says_so_never_takes_a_majority_away(scores in prop::collection::vec(0..4_u8, 1..20)) {
            let mut scores: Vec<f64> = scores.iter().map(|score| f64::from(*score)).collect();
            let before = verdict(Majority, &scores).0;
            scores.push(before);
            let (after, is_tie, _) = verdict(Majority, &scores);
            prop_assert_eq!(after, before);
            prop_assert!(!is_tie);
        }
    }
}
