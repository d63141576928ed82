//! Confidence sequences: intervals that are valid at every look, for any number of looks and any stopping
//! rule.
//!
//! They use the hedged capital of Waudby-Smith and Ramdas (*Estimating means of bounded random variables by
//! betting*, JRSS-B 2024). For each candidate mean, one bet says that the true mean is above it, and another
//! that it is below. If the candidate is the true mean, neither bet gains on average, and the probability
//! that a capital ever reaches `1 / error` is at most `error` (Ville's inequality). So a candidate whose bet
//! reaches it is ruled out for good.
//!
//! The candidates form a grid of a thousandth of the range. The capital of the "above" bet decreases from
//! candidate to candidate, so the ruled-out candidates are the lowest ones, and the interval begins at the
//! last of them.

use super::interval::Interval;
use serde::{Deserialize, Serialize};

/// The number of steps in the grid of candidates.
const STEPS: usize = 1_000;

/// The largest stake, as a share of the stake that could lose all capital.
const CAUTION: f64 = 0.5;

/// The question about a mean.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SequenceQuestion {
    /// The lowest possible score.
    pub from: f64,
    /// The highest possible score.
    pub to: f64,
    /// The probability that the interval covers the mean at every look, such as 0.95.
    pub level: f64,
    /// Asks whether the mean is above or below this threshold.
    pub threshold: Option<f64>,
    /// Asks for an interval of at most this width.
    pub width: Option<f64>,
}

/// The answer to the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum SequenceVerdict {
    /// The interval lies above the threshold.
    Above,
    /// The interval lies below the threshold.
    Below,
    /// The interval is no wider than the requested width.
    Narrow,
}

/// The result of a look at the scores so far.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct SequenceLook {
    /// The interval; `None` before the first score, and if all candidates are ruled out because the mean
    /// drifts.
    pub interval: Option<Interval>,
    /// The answer; `None` while it is open.
    pub verdict: Option<SequenceVerdict>,
}

/// The state of a new sequence as numbers, which JavaScript keeps between looks, since an instance of the
/// engine may be replaced. The "above" bets come first, then the "below" bets, which are "above" bets on
/// mirrored scores.
pub fn begin() -> Vec<f64> {
    vec![0.0; 2 * (4 + STEPS + 1)]
}

/// Adds scores in the order of their arrival. An unknown score is between a low and a high one: the "above"
/// bets use the low one, the "below" bets the high one.
pub fn observe(
    sequence: &mut [f64],
    lows: &[f64],
    highs: &[f64],
    question: SequenceQuestion,
) -> SequenceLook {
    let SequenceQuestion { from, to, level, .. } = question;
    // Each side gets half of the error probability.
    let enough = (2.0 / (1.0 - level)).ln();
    let (above, below) = sequence.split_at_mut(sequence.len() / 2);
    for (low, high) in lows.iter().zip(highs) {
        if is_contradicted(above, below) {
            break;
        }
        bet(above, (low - from) / (to - from), ruled_out(below), enough);
        bet(below, (to - high) / (to - from), ruled_out(above), enough);
    }
    look(above, below, question)
}

/// Bets one side on a score from 0 to 1, against all candidates that the other side has not ruled out, and
/// the next one.
fn bet(side: &mut [f64], score: f64, by_other: usize, enough: f64) {
    let [count, sum, squares, lowest, capital @ ..] = side else { return };
    // The best stake for the variance of earlier scores, with a prior of one score of one half and a variance
    // of a quarter.
    let time = *count + 1.0;
    let wanted = (2.0 * enough / ((0.25 + *squares) * (1.0 + time).ln())).sqrt();
    *count = time;
    *sum += score;
    let mean = (0.5 + *sum) / (time + 1.0);
    *squares += (score - mean) * (score - mean);

    let candidates = capital.iter_mut().enumerate();
    let ruled_out = *lowest as usize;
    for (candidate, capital) in candidates.take((STEPS + 2).saturating_sub(by_other)).skip(ruled_out) {
        let mean = candidate as f64 / STEPS as f64;
        let bet = if wanted * mean > CAUTION { CAUTION / mean } else { wanted };
        *capital += (1.0 + bet * (score - mean)).ln();
        if *capital > enough && candidate as f64 == *lowest {
            *lowest += 1.0;
        }
    }
}

/// The number of candidates that a side has ruled out.
fn ruled_out(side: &[f64]) -> usize {
    side.get(3).map_or(0, |lowest| *lowest as usize)
}

/// Whether both sides have ruled out the same candidate.
fn is_contradicted(above: &[f64], below: &[f64]) -> bool {
    ruled_out(above) + ruled_out(below) > STEPS + 1
}

fn look(above: &[f64], below: &[f64], question: SequenceQuestion) -> SequenceLook {
    let SequenceQuestion { from, to, level, threshold, width } = question;
    let is_empty = above.first().is_none_or(|count| *count == 0.0);
    if is_empty || is_contradicted(above, below) {
        return SequenceLook { interval: None, verdict: None };
    }
    let range = to - from;
    let end = |step: usize| from + step as f64 / STEPS as f64 * range;
    let last = |side: &[f64]| ruled_out(side).saturating_sub(1);
    let (low, high) = (end(last(above)), end(STEPS - last(below)));
    // A value between two candidates is ruled out with the further one.
    let is_out = |side: &[f64], distance: f64| {
        let next = (distance / range * STEPS as f64 - 1e-9).ceil().max(0.0);
        next < ruled_out(side) as f64
    };
    let verdict = match (threshold, width) {
        (Some(threshold), _) if is_out(above, threshold - from) => Some(SequenceVerdict::Above),
        (Some(threshold), _) if is_out(below, to - threshold) => Some(SequenceVerdict::Below),
        (_, Some(width)) if high - low <= width + 1e-9 * range => Some(SequenceVerdict::Narrow),
        _ => None,
    };
    SequenceLook { interval: Some(Interval { low, high, level }), verdict }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::testing::{samples, uniform};

    const QUESTION: SequenceQuestion =
        SequenceQuestion { from: 0.0, to: 1.0, level: 0.95, threshold: None, width: None };

    fn interval(scores: &[f64]) -> Option<Interval> {
        observe(&mut begin(), scores, scores, QUESTION).interval
    }

    /// The number of scores after which the side of the threshold is known.
    fn known(
        threshold: f64,
        most: usize,
        mut score: impl FnMut() -> f64,
    ) -> Option<(usize, SequenceVerdict)> {
        let question = SequenceQuestion { threshold: Some(threshold), ..QUESTION };
        let mut sequence = begin();
        (1..=most).find_map(|row| {
            let score = [score()];
            Some((row, observe(&mut sequence, &score, &score, question).verdict?))
        })
    }

    /// A name, the mean, and a function from uniform numbers to scores.
    type Kind = (&'static str, f64, fn(f64) -> f64);

    const KINDS: [Kind; 5] = [
        ("coins of 0.5", 0.5, |uniform| f64::from(uniform < 0.5)),
        ("coins of 0.8", 0.8, |uniform| f64::from(uniform < 0.8)),
        ("coins of 0.95", 0.95, |uniform| f64::from(uniform < 0.95)),
        // u^(1/4) has the distribution beta(4, 1).
        ("beta(4, 1)", 0.8, |uniform| uniform.sqrt().sqrt()),
        ("three values", 0.6, |uniform| {
            if uniform < 0.2 {
                0.0
            } else if uniform < 0.6 {
                0.5
            } else {
                1.0
            }
        }),
    ];

    /// For the full simulation, with 1,000 sequences of 2,000 looks: `OPENEVALS_SIMULATIONS=1000 cargo test
    /// --release -- sequence --nocapture`.
    #[test]
    fn is_seldom_wrong_with_a_look_after_each_score() {
        let mut random = uniform(17);
        let sequences = samples(40);
        let looks = if sequences > 100 { 2_000 } else { 200 };
        for (name, mean, score) in KINDS {
            let wrong = (0..sequences).filter(|_| known(mean, looks, || score(random())).is_some()).count();
            println!("{name}: {wrong} of {sequences} wrong");
            assert!(wrong as f64 <= 0.05 * sequences as f64, "{name}: {wrong}");
        }
    }

    #[test]
    fn finds_differences() {
        let mut random = uniform(3);
        let mut rows: Vec<usize> = (0..samples(40))
            .filter_map(|_| {
                let (row, verdict) = known(0.8, 5_000, || f64::from(random() < 0.9))?;
                (verdict == SequenceVerdict::Above).then_some(row)
            })
            .collect();
        rows.sort_unstable();
        println!("0.9 is found to be above 0.8 after {} scores (median)", rows[rows.len() / 2]);
        assert_eq!(rows.len() as u64, samples(40));
    }

    #[test]
    fn narrows_as_scores_come() {
        let scores = [1.0, 0.0, 1.0, 1.0].repeat(500);
        let width =
            |count: usize| interval(&scores[..count]).map(|Interval { low, high, .. }| high - low).unwrap();
        assert!(width(4) > width(40) && width(40) > width(400) && width(400) > width(2_000));
        assert!(width(2_000) < 0.1, "{}", width(2_000));
        assert_eq!(interval(&[]), None);
        assert_eq!(interval(&[1.0]).unwrap(), Interval { low: 0.0, high: 1.0, level: 0.95 });
        assert_eq!(interval(&[1.0; 5_000]).unwrap().high, 1.0);
    }

    #[test]
    fn is_the_same_in_pieces_and_on_every_range() {
        let scores: Vec<f64> = [1.0, 0.2, 0.9, 0.4].repeat(60);
        let mut sequence = begin();
        for score in scores.chunks(7) {
            observe(&mut sequence, score, score, QUESTION);
        }
        let whole = interval(&scores).unwrap();
        assert_eq!(observe(&mut sequence, &[], &[], QUESTION).interval, Some(whole));

        let wide: Vec<f64> = scores.iter().map(|score| score * 20.0 - 10.0).collect();
        let question = SequenceQuestion { from: -10.0, to: 10.0, threshold: Some(0.0), ..QUESTION };
        let look = observe(&mut begin(), &wide, &wide, question);
        let Interval { low, high, .. } = look.interval.unwrap();
        assert!(
            (low - (whole.low * 20.0 - 10.0)).abs() < 1e-9
                && (high - (whole.high * 20.0 - 10.0)).abs() < 1e-9
        );
        assert_eq!(look.verdict, Some(SequenceVerdict::Above));
    }

    #[test]
    fn missing_scores_help_neither_side() {
        let scores = [1.0; 200];
        let unknown: Vec<f64> = (0..200).map(|row| f64::from(row % 4 > 0)).collect();
        let question = SequenceQuestion { threshold: Some(0.8), ..QUESTION };
        let look = observe(&mut begin(), &unknown, &scores, question);
        assert_eq!(look.verdict, None);
        assert_eq!(look.interval.map(|interval| (interval.low < 0.75, interval.high)), Some((true, 1.0)));
        assert_eq!(observe(&mut begin(), &scores, &scores, question).verdict, Some(SequenceVerdict::Above));
        let nothing = observe(&mut begin(), &[0.0; 300], &scores, question);
        assert_eq!(nothing.interval.map(|interval| (interval.low, interval.high)), Some((0.0, 1.0)));
    }

    #[test]
    fn has_no_interval_where_the_mean_changes() {
        let scores = [[1.0; 300], [0.0; 300]].concat();
        assert_eq!(interval(&scores), None);
        // Scores without variance end up between two candidates.
        let Interval { low, high, .. } = interval(&[0.700_5; 40_000]).unwrap();
        assert!(low <= 0.700_5 && high >= 0.700_5 && high - low < 0.002, "{low} {high}");
    }
}
