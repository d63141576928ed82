//! Confidence sequences: intervals that hold at every look, however often one looks and whenever one stops.
//!
//! They are the hedged capital of Waudby-Smith and Ramdas (*Estimating means of bounded random variables by betting*,
//! JRSS-B 2024). Before each score, somebody bets that the mean is above a candidate, and somebody else that it is below.
//! Where the candidate is the mean, neither gains on average, and the chance that a capital ever grows to `1 / error` is
//! `error` at most (Ville). So a candidate against which it has grown by that much is ruled out, for good.
//!
//! Candidates are a thousandth of the range apart. The capital of the bet on "above" falls from candidate to candidate, so
//! that those ruled out are the lowest, and the interval begins at the last of them.

use super::interval::Interval;
use serde::{Deserialize, Serialize};

/// How many steps the candidates are apart, all together.
const STEPS: usize = 1_000;

/// What a bet takes at most of what would be ruin if the lowest score came.
const CAUTION: f64 = 0.5;

/// What is asked of a mean.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SequenceQuestion {
    /// The lowest score that there may be.
    pub from: f64,
    /// The highest one.
    pub to: f64,
    /// In how many of all sequences the interval holds the mean at every look, such as 0.95.
    pub level: f64,
    /// Whether the mean is above or below this.
    pub threshold: Option<f64>,
    /// How narrow the interval has to be.
    pub width: Option<f64>,
}

/// What is known of a mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum SequenceVerdict {
    /// The interval lies above the threshold.
    Above,
    /// The interval lies below the threshold.
    Below,
    /// The interval is no wider than the width that was asked for.
    Narrow,
}

/// What a look at the scores so far finds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct SequenceLook {
    /// None before the first score, and where all candidates are ruled out: scores whose mean changes on the way.
    pub interval: Option<Interval>,
    /// None if what was asked is not known yet.
    pub verdict: Option<SequenceVerdict>,
}

/// A sequence under way, as numbers: JavaScript keeps them from look to look, since no instance of the engine lives for
/// ever. First come the bets on "above", then those on "below", which are bets on "above" of mirrored scores.
pub fn begin() -> Vec<f64> {
    vec![0.0; 2 * (4 + STEPS + 1)]
}

/// Takes note of scores in the order in which they came. A score that is not known lies between a low and a high one: it
/// counts as the low one for the bets on "above", and as the high one for those on "below".
pub fn observe(
    sequence: &mut [f64],
    lows: &[f64],
    highs: &[f64],
    question: SequenceQuestion,
) -> SequenceLook {
    let SequenceQuestion { from, to, level, .. } = question;
    // Half of the capital is bet on each side.
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

/// One side's bets on a score from 0 to 1, against all candidates that the other side has not ruled out, and the next one.
fn bet(side: &mut [f64], score: f64, by_other: usize, enough: f64) {
    let [count, sum, squares, lowest, capital @ ..] = side else { return };
    // As much as is best for scores that vary as those before, of which one is thought to be one half, with a variance of a
    // quarter.
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

/// How many candidates a side has ruled out.
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
    // What lies between candidates is ruled out with the next one.
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

    /// After how many scores it is known on which side of the threshold the mean is.
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

    /// Scores of a kind, and their mean.
    type Kind = (&'static str, f64, fn(f64) -> f64);

    const KINDS: [Kind; 5] = [
        ("coins of 0.5", 0.5, |uniform| f64::from(uniform < 0.5)),
        ("coins of 0.8", 0.8, |uniform| f64::from(uniform < 0.8)),
        ("coins of 0.95", 0.95, |uniform| f64::from(uniform < 0.95)),
        // Of u^(1/4), the distribution is beta(4, 1).
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

    /// In full, with 1,000 sequences of 2,000 looks each: `OPENEVALS_SIMULATIONS=1000 cargo test --release -- sequence --nocapture`.
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
    fn what_is_not_known_helps_no_side() {
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
        // What does not vary at all is found between two candidates.
        let Interval { low, high, .. } = interval(&[0.700_5; 40_000]).unwrap();
        assert!(low <= 0.700_5 && high >= 0.700_5 && high - low < 0.002, "{low} {high}");
    }
}
